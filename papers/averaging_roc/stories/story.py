"""A deployment: the question, the average that answers it, and what another would have said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from papers.checks import Check
from rocsteady.results import Result, plain


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Result):
    """What one average says.

    Attributes
    ----------
    method : str
        The average.
    values : mapping
        What is compared, by name.
    choice : str
        Which of them it prefers.
    sentence : str
        The same in words.
    """

    method: str
    values: Mapping[str, float]
    choice: str
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {**super().to_dict(), "values": {name: plain(value) for name, value in self.values.items()}}

    def __repr__(self) -> str:
        return f"Answer({self.method}: {self.choice})"


@dataclass(frozen=True, eq=False, repr=False)
class Story(Result):
    """A deployment.

    Attributes
    ----------
    title, question, because : str
        What it is about; what is to be decided; why this average answers it.
    right : Answer
        What the right average says.
    reading : str
        The same for the winner, with its interval.
    wrong : tuple of Answer
        What others would have said.
    checks : tuple of Check
        The numbers against their populations.
    """

    title: str
    question: str
    because: str
    right: Answer
    reading: str
    wrong: tuple[Answer, ...]
    checks: tuple[Check, ...]

    def to_dict(self) -> dict[str, Any]:
        """The story as plain data."""
        return {
            "title": self.title,
            "question": self.question,
            "because": self.because,
            "right": self.right.to_dict(),
            "reading": self.reading,
            "wrong": [answer.to_dict() for answer in self.wrong],
            "checks": [check.to_dict() for check in self.checks],
        }

    def lines(self) -> list[str]:
        """The story in paragraphs."""
        right = f"The right average: {self.right.method}. {self.because}"
        said = [f"The {answer.method} average would have said: {answer.sentence}" for answer in self.wrong]
        says = f"It says: {self.right.sentence} In full, for {self.right.choice}: {self.reading}"
        return [self.question, right, says, *said]

    def __repr__(self) -> str:
        return f"Story({self.title}: {self.right.method} says {self.right.choice})"


def chosen(section: str, answer: Answer, expected: str) -> Check:
    """Whether an average chose what the populations say it chooses."""
    name = f"{answer.method} average chooses {expected}"
    return Check(section, name, 1.0, float(answer.choice == expected), 0.0, "the choice itself")
