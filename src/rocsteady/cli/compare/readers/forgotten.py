"""Readers whose cases were not named: nobody knows whether they saw the same ones, and most did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.errors import RocsteadyError, RocsteadyWarning, caution
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.scores import ScoreSet


def of_forgotten_cases(score_set: ScoreSet) -> list[RocsteadyWarning]:
    """RS266 if groups are called like readers and no case was named."""
    unit = score_set.unit
    if score_set.cases is not None or not _are_people(unit) or len(score_set.groups) < 2:
        return []
    if score_set.design.shares_training:  # somebody said that they are folds
        return []
    return [caution("RS266.no-cases", unit=printable(unit))]


def _are_people(unit: str) -> bool:
    from rocsteady.advice.findings import READERS

    return any(word in unit.casefold() for word in READERS)


def with_same_names(error: RocsteadyError, score_set: ScoreSet) -> RocsteadyError:
    """RS063, that cases of two models differ, with what is wrong where readers have none in common."""
    if error.code != "RS063" or not _are_people(score_set.unit):
        return error
    remedy = "in a reader study the same case has the same name wherever it was read:  --case COLUMN"
    return error.but(remedies=(remedy, *error.remedies))


def told_to_leave(warning: RocsteadyWarning, others: dict[str, Any]) -> RocsteadyWarning:
    """RS266 with the options that led away from the reader study, and what is typed in their place."""
    given = [name for name, value in others.items() if value is not None]
    if warning.code != "RS266" or not given or "compare_readers" not in str(warning.remedies):
        return warning
    measures = [_measure(text) for text in others.get("--at") or []]
    instead = next(filter(None, measures), "--readers random")
    remedy = f"readers and cases random together:  {instead}, in place of  {', '.join(given)}"
    return warning.but(remedies=[remedy])


def _measure(text: str) -> str:
    """``fpr=0.1`` as a measure of readers; empty for other points."""
    name, _, value = text.partition("=")
    return {"fpr": f"--measure tpr@fpr={value}", "tpr": f"--measure fpr@tpr={value}"}.get(name.strip(), "")
