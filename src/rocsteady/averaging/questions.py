"""The two questions that decide which average answers."""

from __future__ import annotations

FIRST_QUESTION = "Is one threshold shared by all {units}?"
COUNTS_QUESTION = "What should count equally?"
HELD_QUESTION = "What is held fixed when you read the curve?"


def two_questions(units: str) -> str:
    """Both of them, with what can be answered: what RS093 asks."""
    return (
        f"1. {FIRST_QUESTION.format(units=units)}\n"
        f"2. if yes: {COUNTS_QUESTION} groups or rows\n"
        f"   if no:  {HELD_QUESTION} fpr, tpr, balance, ratio, cost or alerts"
    )
