"""What a plan is about: one number of a curve, named as for the other functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.counting.arguments import one_number, one_of, one_rate
from rocsteady.curves.sensitivity import SensitivityAt
from rocsteady.curves.statistics import Auc, FprAt, RatesAt, Statistic, TprAt, statistic_of
from rocsteady.errors import Option, UsageError

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
        raise UsageError(
            "RS002",
            "rate says which of the two rates at a threshold is planned for.",
            f"found: rate={rate!r}, and no threshold",
            "leave out  rate",
        )
    else:
        column, label = 0, statistic.label
    if isinstance(getattr(statistic, "threshold", None), tuple) or (
        not statistic.is_scalar and not isinstance(statistic, RatesAt)
    ):
        raise UsageError("RS002", "a plan is for one number.", f"found: {statistic.label}", *_EXAMPLES[1:])
    return Measure(statistic, label, column)


def _statistic(given: object) -> Statistic:
    if isinstance(given, Mapping):
        return _placed(given)
    if isinstance(given, Statistic) or (isinstance(given, str) and given.casefold() in ("auc", "roc_auc")):
        return statistic_of(given if isinstance(given, Statistic) else "auc")
    raise UsageError("RS001", f"a plan cannot be for {given!r:.60}.", "known: the AUC or a rate", *_EXAMPLES)


def _placed(given: Mapping[Any, Any]) -> Statistic:
    names = ("fpr", "tpr", "threshold")
    if len(given) != 1 or next(iter(given)) not in names:
        known = "known: one of fpr, tpr and threshold, with a number"
        raise UsageError("RS001", f"a plan cannot be for {dict(given)!r:.60}.", known, *_EXAMPLES)
    ((name, value),) = given.items()
    if name == "threshold":
        return RatesAt(one_number(name, value))
    return TprAt(one_rate(name, value)) if name == "fpr" else FprAt(one_rate(name, value))


def classes_that_matter(measure: Measure) -> tuple[str, ...]:
    """``"positives"`` and ``"negatives"``, or the one whose rate it is at a frozen threshold."""
    if isinstance(measure.statistic, RatesAt):
        return ("positives",) if measure.rate == "tpr" else ("negatives",)
    return ("positives", "negatives")


def is_auc(measure: Measure) -> bool:
    """Whether it is the whole area."""
    return isinstance(measure.statistic, Auc)
