"""What a plan is about: one number of a curve, named as for the other functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.curves.measures import Auc, FprAt, RatesAt, SensitivityAt, Statistic, TprAt, statistic_of
from rocsteady.errors import Option, fail
from rocsteady.options import one_of
from rocsteady.places import ON_CURVES, Place, place_of

_EXAMPLES = (
    Option("measure", "auc"),
    Option("measure", {"fpr": 0.05}),
    Option("measure", {"tpr": 0.9}),
    Option("measure", {"threshold": 0.5}),
)


@dataclass(frozen=True)
class Measure:
    """One number of a curve.

    Attributes
    ----------
    statistic : Statistic
        Where it is read.
    label : str
        What it is called in a sentence.
    column : int
        Which of the numbers that the statistic reads.
    """

    statistic: Statistic
    label: str
    column: int = 0

    @property
    def rate(self) -> str:
        """``"tpr"`` or ``"fpr"``, if it is a rate; else nothing."""
        if isinstance(self.statistic, TprAt | FprAt):
            return "tpr" if isinstance(self.statistic, TprAt) else "fpr"
        return ("fpr", "tpr")[self.column] if isinstance(self.statistic, RatesAt) else ""

    def read(self, curve: Any) -> float:
        """Its value on a curve."""
        return float(np.ravel(self.statistic.read(curve))[self.column])


def measure_of(given: object, rate: str | None = None) -> Measure:
    """The measure that is meant; a coded error for what is none.

    Examples
    --------
    >>> measure_of("auc").label, measure_of({"fpr": 0.05}).label
    ('AUC', 'TPR at FPR 0.05')
    >>> measure_of({"threshold": 0.5}, "fpr").label
    'FPR at threshold 0.5'
    """
    statistic = _statistic(given)
    if statistic.raw is not statistic:  # a sensitivity or specificity is as uncertain as the rate behind it
        if rate is None and isinstance(statistic.raw, RatesAt):
            rate = "tpr" if isinstance(statistic, SensitivityAt) else "fpr"
        statistic = statistic.raw
    if isinstance(statistic, RatesAt):
        chosen = one_of("rate", "tpr" if rate is None else rate, ("tpr", "fpr"))
        column = int(chosen == "tpr")
        label = statistic.names[column]
    elif rate is not None:
        other, ways = "a measure that has no threshold", ["leave out  rate"]
        raise fail("RS002.together", name="rate", other=other, value=rate, ways=ways)
    else:
        column, label = 0, statistic.label
    if isinstance(getattr(statistic, "threshold", None), tuple) or (
        not statistic.is_scalar and not isinstance(statistic, RatesAt)
    ):
        raise fail("RS002.one-number", statistic=statistic.label, ways=_EXAMPLES[1:])
    return Measure(statistic, label, column)


def _statistic(given: object) -> Statistic:
    if isinstance(given, Place | Mapping):
        return statistic_of(place_of(given, among=ON_CURVES, task="plan for"))
    if isinstance(given, Statistic) or (isinstance(given, str) and given.casefold() in ("auc", "roc_auc")):
        return statistic_of(given if isinstance(given, Statistic) else "auc")
    raise fail("RS001.plan", given=given, ways=_EXAMPLES)


def classes_that_matter(measure: Measure) -> tuple[str, ...]:
    """``"positives"`` and ``"negatives"``, or the one whose rate it is at a frozen threshold."""
    if isinstance(measure.statistic, RatesAt):
        return ("positives",) if measure.rate == "tpr" else ("negatives",)
    return ("positives", "negatives")


def is_auc(measure: Measure) -> bool:
    """Whether it is the whole area."""
    return isinstance(measure.statistic, Auc)
