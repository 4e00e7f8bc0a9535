"""Measures of performance: functions of confusion matrices, by name, as a value, or the caller's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.methods import AtCosts
from rocsteady.averaging.methods import cost as one_cost
from rocsteady.errors import RocsteadyError, fail
from rocsteady.operating_points.tables.confusion import Confusion, TwoClassConfusion
from rocsteady.operating_points.tables.own_measures import own_values
from rocsteady.options import one_of, open_share
from rocsteady.words import listed

Floats = NDArray[np.float64]

BOTH = ("negative", "positive")


@dataclass(frozen=True, eq=False)
class Measure:
    """A function of confusion matrices.

    Attributes
    ----------
    name : str
        What tables and figures call it.
    values : function
        From a confusion to ``(n_folds, n_points)`` values, or one more axis for those of each class; NaN
        where a ratio is 0 / 0.
    needs : tuple of str or None
        Of two classes, those whose cases it depends on; None: all.
    is_share : bool
        Whether it lies between 0 and 1.
    """

    name: str
    values: Callable[[Confusion], Floats]
    needs: tuple[str, ...] | None = None
    is_share: bool = True

    def of(self, confusion: Confusion) -> Floats:
        """The values at every point of every fold."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.asarray(self.values(confusion), dtype=np.float64) + 0.0  # no negative zeros


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What errors cost per case, as a measure.

    Attributes
    ----------
    false_positive, false_negative : float
        Cost of each error; not negative, not both 0.
    prevalence : float, optional
        Share of positives where the classifier will be used; if not given, that of the rows of each fold.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
    >>> table = rs.average_operating_points(folds)
    >>> table.measure(Cost(false_positive=1, false_negative=10)).mean.tolist()
    [5.0, 2.5, 1.375, 0.25, 0.5]
    """

    false_positive: float
    false_negative: float
    prevalence: float | None = None

    def __post_init__(self) -> None:
        for name in ("false_positive", "false_negative"):
            object.__setattr__(self, name, one_cost(name, getattr(self, name)) + 0.0)
        if self.false_positive == 0 == self.false_negative:
            raise fail("RS081.zero-cost")
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", open_share("prevalence", self.prevalence))

    @property
    def label(self) -> str:
        """With its costs and its prevalence."""
        costs = f"{self.false_positive:.4g} : {self.false_negative:.4g}"
        where = "" if self.prevalence is None else f" at prevalence {100 * self.prevalence:.4g} %"
        return f"cost ({costs}{where})"

    def values(self, c: TwoClassConfusion) -> Floats:
        """The cost per case at every point of every fold."""
        if self.prevalence is None:
            spent = self.false_positive * c.fp + self.false_negative * c.fn
            return np.asarray(spent / c.total)
        alarms = (1 - self.prevalence) * self.false_positive * (c.fp / c.negatives)
        return np.asarray(alarms + self.prevalence * self.false_negative * (c.fn / c.positives))


def _mcc(c: Any) -> Floats:
    # A power of two that makes sums of weights about 1: products stay in range, and no digit changes.
    unit = np.ldexp(1.0, -np.frexp(np.max(c.total))[1])
    if isinstance(c, TwoClassConfusion):
        tp, fp, fn, tn, positives, negatives = (
            count * unit for count in (c.tp, c.fp, c.fn, c.tn, c.positives, c.negatives)
        )
        # Margins are paired so that perfect decisions give exactly 1.
        scale = np.sqrt((tp + fp) * positives) * np.sqrt((tn + fn) * negatives)
        return np.asarray(np.clip((tp * tn - fp * fn) / scale, -1.0, 1.0))
    matrix, correct, total = c.matrix * unit, c.correct * unit, c.total * unit
    true, decided = matrix.sum(axis=-1), matrix.sum(axis=-2)
    together = correct * total - (true * decided).sum(axis=-1)
    scales = [np.sqrt(total**2 - (margin**2).sum(axis=-1)) for margin in (true, decided)]
    return np.asarray(np.clip(together / (scales[0] * scales[1]), -1.0, 1.0))


def _class_error(c: Confusion) -> Floats:
    if isinstance(c, TwoClassConfusion):
        return np.stack([c.fp / c.negatives, c.fn / c.positives], axis=-1)
    matrix = c.matrix
    sizes = matrix.sum(axis=-1)
    return np.asarray((sizes - np.diagonal(matrix, axis1=-2, axis2=-1)) / sizes)


def _balanced_accuracy(c: Any) -> Floats:
    if isinstance(c, TwoClassConfusion):
        return np.asarray((c.tp / c.positives + c.tn / c.negatives) / 2)
    matrix = c.matrix
    return np.asarray((np.diagonal(matrix, axis1=-2, axis2=-1) / matrix.sum(axis=-1)).mean(axis=-1))


_OF_TWO: dict[str, tuple[Callable[[Any], Floats], tuple[str, ...] | None]] = {
    "fpr": (lambda c: c.fp / c.negatives, ("negative",)),
    "tpr": (lambda c: c.tp / c.positives, ("positive",)),
    "fnr": (lambda c: c.fn / c.positives, ("positive",)),
    "tnr": (lambda c: c.tn / c.negatives, ("negative",)),
    "precision": (lambda c: c.tp / (c.tp + c.fp), BOTH),
    "npv": (lambda c: c.tn / (c.tn + c.fn), BOTH),
    "f1": (lambda c: 2 * c.tp / (2 * c.tp + c.fp + c.fn), BOTH),
    "alarm_rate": (lambda c: (c.tp + c.fp) / c.total, BOTH),
}
_OF_ANY: dict[str, Callable[[Any], Floats]] = {
    "accuracy": lambda c: c.correct / c.total,
    "error": lambda c: (c.total - c.correct) / c.total,
    "balanced_accuracy": _balanced_accuracy,
    "mcc": _mcc,
    "class_error": _class_error,
}
_ALSO = {"sensitivity": "tpr", "recall": "tpr", "specificity": "tnr", "ppv": "precision"}
_ELSEWHERE = {
    "false_positive_rate": "fpr", "fallout": "fpr", "fall-out": "fpr", "fmr": "fpr", "far": "fpr",
    "true_positive_rate": "tpr", "hit_rate": "tpr", "miss_rate": "fnr", "false_negative_rate": "fnr",
    "fnmr": "fnr", "frr": "fnr", "true_negative_rate": "tnr", "selectivity": "tnr",
    "positive_predictive_value": "precision", "negative_predictive_value": "npv",
    "f1_score": "f1", "f-score": "f1", "f_measure": "f1", "fscore": "f1", "dice": "f1",
    "matthews_corrcoef": "mcc", "matthews": "mcc", "phi": "mcc",
    "balanced_accuracy_score": "balanced_accuracy", "bac": "balanced_accuracy",
    "accuracy_score": "accuracy", "acc": "accuracy", "error_rate": "error", "class_errors": "class_error",
    "predicted_positive_rate": "alarm_rate",
}  # fmt: skip

NAMES = (*_OF_TWO, *_OF_ANY, *_ALSO)
"""Every measure that has a name."""


def measure_of(value: object, n_classes: int = 2, *, has_positive: bool = True) -> Measure:
    """The measure that a name, a :class:`Cost` or a function stands for.

    ``has_positive`` says whether one of the classes is the positive one.
    """
    if isinstance(value, Measure):
        return value
    if isinstance(value, Cost):
        if not has_positive:
            raise _needs_positive(value.label)
        return Measure(value.label, value.values, BOTH, is_share=False)  # type: ignore[arg-type]
    if callable(value) and not isinstance(value, type):
        name = str(getattr(value, "__name__", type(value).__name__))
        return Measure(name, lambda c: own_values(value, c, name), is_share=False)
    is_word = isinstance(value, str) and value.casefold() in ("cost", "costs")
    if is_word or isinstance(value, AtCosts) or hasattr(value, "false_negative"):
        raise fail("RS001.cost", value=value)
    known = NAMES if has_positive else tuple(_OF_ANY)
    if not has_positive and isinstance(value, str) and value in (*_OF_TWO, *_ALSO):
        raise _needs_positive(value)
    given = one_of("measure", value, known, elsewhere=_ELSEWHERE)
    name = _ALSO.get(given, given)
    if name in _OF_TWO:
        values, needs = _OF_TWO[name]
        return Measure(given, values, needs)
    return Measure(name, _OF_ANY[name], is_share=name != "mcc")


def _needs_positive(name: str) -> RocsteadyError:
    return fail("RS001.needs-positive", name=name, known=listed([repr(each) for each in _OF_ANY]))
