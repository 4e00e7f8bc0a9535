"""Confusion matrices of every fold at every point; measures, which are functions of them; 2x2 tables.

References
----------
Wilson (1927), J. Am. Stat. Assoc. 22, 209-212. Clopper & Pearson (1934), Biometrika 26, 404-413.
Simel, Samsa & Matchar (1991), J. Clin. Epidemiol. 44, 763-770 (likelihood ratios).
Mercaldo, Lau & Zhou (2007), Stat. Med. 26, 2170-2183 (predictive values at a prevalence).
Zou & Donner (2008), Stat. Med. 27, 1693-1702 (sums of two proportions).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from enum import StrEnum
from functools import reduce
from math import inf, nan, sqrt
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.averaging.methods import AtCosts
from rocsteady.averaging.methods import cost as one_cost
from rocsteady.errors import Remedy, counted, fail
from rocsteady.options import one_of, one_rate, open_share
from rocsteady.results import TableResult
from rocsteady.scores.columns import word
from rocsteady.showing import Printed, Told, said
from rocsteady.statistics.limits import (
    Cells,
    Interval,
    predictive_interval,
    ratio_interval,
    share_interval,
    t_quantile,
)
from rocsteady.words import listed

MOST_NUMBERS = 30_000_000
"""Counts that a table may hold: 240 MB, and measures of them take some more."""


class Confusion:
    """How many cases of each class were decided to be what, at every point of every fold.

    Counts are floats (whole numbers, or sums of weights), so that products of them do not overflow. In what a
    measure of one fold and one point sees, every count is a single number. ``classes`` are the classes: of
    two with a positive one the words for them, the negative one first.
    """

    classes: tuple[Any, ...]
    matrix: Any
    shape: Any
    one: Any
    stacked: Any
    sizes: Any
    """Cases of each class, in the last axis."""
    errors: Any
    """Those that were decided to be of another class."""

    @property
    def class_sizes(self) -> Floats:
        """Cases of each class in each fold, ``(n_folds, n_classes)``; no point changes them."""
        return np.asarray(self.sizes[:, 0])

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def n_folds(self) -> int:
        """Number of folds."""
        return int(self.shape[0])

    @property
    def n_points(self) -> int:
        """Number of operating points."""
        return int(self.shape[1])

    @property
    def correct(self) -> Any:
        """Cases decided to be what they are."""
        return (self.sizes - self.errors).sum(axis=-1)

    @property
    def total(self) -> Any:
        """Cases of all classes."""
        return self.sizes.sum(axis=-1)

    def __repr__(self) -> str:
        size = "one matrix"
        if self.shape:
            size = f"{counted(self.n_folds, 'fold')}, {counted(self.n_points, 'point')}"
        return f"{type(self).__name__}({size}, {counted(self.n_classes, 'class')})"


@dataclass(frozen=True, eq=False, repr=False)
class TwoClassConfusion(Confusion):
    """Two classes: the four counts.

    Attributes
    ----------
    tp, fp : (n_folds, n_points) arrays
        Positives and negatives that were called positive.
    positives, negatives : (n_folds, 1) arrays
        Cases of each class.

    Examples
    --------
    >>> import numpy as np
    >>> size = np.array([[2.0], [2.0]])
    >>> tp, fp = np.array([[0.0, 2], [0, 1]]), np.array([[0.0, 1], [0, 0]])
    >>> c = TwoClassConfusion(("0", "1"), tp, fp, size, size)
    >>> c
    TwoClassConfusion(2 folds, 2 points, 2 classes)
    >>> c.fn.tolist(), c.stacked().tp.tolist()
    ([[2.0, 0.0], [2.0, 1.0]], [[0.0, 3.0]])
    >>> c.one(0, 1).matrix.tolist()
    [[1.0, 1.0], [0.0, 2.0]]
    """

    classes: tuple[Any, ...]
    tp: Any
    fp: Any
    positives: Any
    negatives: Any

    @property
    def fn(self) -> Any:
        """Positives called negative."""
        return self.positives - self.tp

    @property
    def tn(self) -> Any:
        """Negatives called negative."""
        return self.negatives - self.fp

    @property
    def shape(self) -> tuple[int, ...]:
        """``(n_folds, n_points)``; empty for a single confusion matrix."""
        return np.shape(self.tp)

    @property
    def matrix(self) -> Floats:
        """Counts ``[..., true class, decided class]``, negative first."""
        rows = [np.stack([self.tn, self.fp], axis=-1), np.stack([self.fn, self.tp], axis=-1)]
        return np.stack(rows, axis=-2)

    @property
    def sizes(self) -> Floats:
        """Negatives and positives."""
        return np.stack([self.negatives, self.positives], axis=-1)

    @property
    def errors(self) -> Floats:
        """False positives and false negatives."""
        return np.stack([self.fp, self.fn], axis=-1)

    def one(self, fold: int, point: int) -> TwoClassConfusion:
        """The confusion matrix of one fold at one point."""
        here, size = (fold, point), (fold, 0)
        counts = self.tp[here], self.fp[here], self.positives[size], self.negatives[size]
        return TwoClassConfusion(self.classes, *counts)

    def stacked(self) -> TwoClassConfusion:
        """All folds as one: their counts added up."""
        counts = (self.tp, self.fp, self.positives, self.negatives)
        # One after the other: sums of weights are then rounded alike, and all called positive is a rate of 1.
        return TwoClassConfusion(self.classes, *(reduce(np.add, count)[None] for count in counts))


@dataclass(frozen=True, eq=False, repr=False)
class MulticlassConfusion(Confusion):
    """Any number of classes: a matrix.

    Attributes
    ----------
    counts : (n_folds, n_points, n_classes, n_classes) array
        Counts ``[fold, point, true class, decided class]``; also called ``matrix``.

    Examples
    --------
    >>> import numpy as np
    >>> c = MulticlassConfusion(("a", "b", "c"), np.ones((2, 5, 3, 3)))
    >>> c, c.class_sizes.tolist()
    (MulticlassConfusion(2 folds, 5 points, 3 classes), [[3.0, 3.0, 3.0], [3.0, 3.0, 3.0]])
    """

    classes: tuple[Any, ...]
    counts: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", np.asarray(self.counts, dtype=np.float64))

    @property
    def matrix(self) -> Floats:
        """Counts ``[..., true class, decided class]``."""
        return self.counts

    @property
    def sizes(self) -> Floats:
        """Cases of each class."""
        return np.asarray(self.matrix.sum(axis=-1))

    @property
    def errors(self) -> Floats:
        """Cases of each class that were decided to be of another."""
        return self.sizes - np.diagonal(self.matrix, axis1=-2, axis2=-1)

    @property
    def shape(self) -> tuple[int, ...]:
        """``(n_folds, n_points)``; empty for a single confusion matrix."""
        return self.matrix.shape[:-2]

    def one(self, fold: int, point: int) -> MulticlassConfusion:
        """The confusion matrix of one fold at one point."""
        return MulticlassConfusion(self.classes, self.matrix[fold, point])

    def stacked(self) -> MulticlassConfusion:
        """All folds as one: their counts added up."""
        return MulticlassConfusion(self.classes, self.matrix.sum(axis=0, keepdims=True))


@dataclass(frozen=True, eq=False, repr=False)
class ConfusionMatrix(TableResult):
    """The counts of one operating point, all folds stacked: rows are true classes, columns decided ones.

    Attributes
    ----------
    classes : tuple
    counts : (C, C) int64 array
        ``[i, j]``: cases of class i that were decided to be of class j. Sums of weights where rows have them.
    row_totals, column_totals : (C,) arrays
        Cases of each class, and cases decided to be of it.
    total : int or float
    recall, precision : (C,) float64 arrays
        As the counts say: cases decided right over row and column totals; NaN for a total of 0.
    recall_standard_error, precision_standard_error : (C,) float64 arrays
        Of their means over folds; NaN for fewer than two.
    """

    _line: ClassVar = "{classes:count class}, {_cases:count case}, {_right:thousands} decided right"

    classes: tuple[Any, ...]
    counts: Any
    row_totals: Any
    column_totals: Any
    total: Any
    recall: Floats
    precision: Floats
    recall_standard_error: Floats
    precision_standard_error: Floats

    @property
    def _cases(self) -> int:
        return round(float(self.total))

    @property
    def _right(self) -> int:
        return round(float(np.trace(self.counts)))

    def _columns(self) -> dict[str, Any]:
        words = list(map(word, self.classes))
        decided = {f"decided {own}": self.counts[:, i] for i, own in enumerate(words)}
        rates = ("recall", "recall_standard_error", "precision", "precision_standard_error")
        return {"class": words, **decided, "total": self.row_totals} | {r: getattr(self, r) for r in rates}


def require_room(
    n_folds: int, n_points: int, *remedies: Remedy, n_classes: int = 2, unit: str = "fold"
) -> None:
    """RS075 if the table of all confusion matrices would be too large to hold."""
    needed = n_folds * n_points * (2 if n_classes == 2 else n_classes**2)
    if needed > MOST_NUMBERS:
        facts = {"n_folds": n_folds, "n_points": n_points, "n_classes": n_classes, "size": 8e-9 * needed}
        raise fail("RS075.room", unit=unit, **facts, ways=remedies or ("take fewer points",))


_COUNTS = ("tp", "fp", "fn", "tn")


def function_of_counts(function: Callable[..., Any], name: str) -> Callable[[Any], Any]:
    """A function of a confusion matrix: one that names the counts it wants is called with these.

    >>> profit = function_of_counts(lambda tp, fp: 10 * tp - 3 * fp, "profit")
    >>> profit(TwoClassConfusion(("0", "1"), 5.0, 2.0, 6.0, 8.0))
    44.0
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of some functions written in C nothing is known
        return function
    needed = [own.name for own in parameters if own.default is own.empty and own.kind in _TAKES]
    if len(needed) < 2 and not set(needed) & set(_COUNTS):
        return function
    if not set(needed) <= set(_COUNTS):
        raise fail("RS073.parameters", name=name, needed=needed)
    return lambda c: function(**{own: getattr(c, own) for own in needed})


_TAKES = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def own_values(
    function: Callable[[Any], Any], confusion: Confusion, name: str, *, is_one: bool = False
) -> Floats:
    """What a caller's function says of every fold and point; NaN where it divides 0 by 0.

    A function that takes arrays is called once. That it means every matrix by itself, and not for example
    their sum, is tried on some of them; if it does not, or fails, it is called for each. ``is_one`` says that
    it may not give a value for each class.
    """
    (n_folds, n_points), n_classes = confusion.shape, confusion.n_classes

    def single(fold: int, point: int) -> Floats:
        try:
            given = function(confusion.one(fold, point))
        except ZeroDivisionError:  # plain Python numbers do not know NaN
            return np.array(np.nan)
        try:
            number = None if given is None else _as_numbers(given)
        except (TypeError, ValueError):
            number = None
        if number is None or number.shape not in ((), () if is_one else (n_classes,)):
            shape = "" if number is None else f", of shape {number.shape}"
            raise fail("RS073.measure", name=name, fault=f"{given!r:.60}{shape}")
        return number

    try:
        at_once = _as_numbers(function(confusion))
    except Exception:  # whatever a function does that was not written for arrays
        at_once = None
    shapes = ((n_folds, n_points), *([] if is_one else [(n_folds, n_points, n_classes)]))
    if at_once is not None and at_once.shape in shapes:
        last = n_folds - 1, n_points - 1
        some = {(0, 0), (n_folds // 2, n_points // 2), last, (0, n_points - 1)}
        try:
            pairs = [(single(*place), at_once[place]) for place in some]
        except Exception:  # written for arrays, such as  c.tp[:, 0]
            return at_once
        close: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-12, "equal_nan": True}
        if all(one.shape == of_all.shape and np.allclose(one, of_all, **close) for one, of_all in pairs):
            return at_once
    values = [[single(i, j) for j in range(n_points)] for i in range(n_folds)]
    try:
        return np.array(values, dtype=np.float64)
    except ValueError:
        fault = "sometimes one number, sometimes several"
        raise fail("RS073.measure", name=name, fault=fault) from None


def _as_numbers(value: Any) -> Floats | None:
    array = np.asarray(value)
    if array.dtype.kind in "biuf":
        return array.astype(np.float64)
    return np.array(float(value)) if isinstance(value, Real | Decimal) else None


@dataclass(frozen=True, eq=False)
class Measure:
    """A function of confusion matrices; :data:`MEASURES` has all that have a name.

    Attributes
    ----------
    name : str
        What tables and figures call it.
    values : function
        From a confusion to ``(n_folds, n_points)`` values, or one more axis for those of each class; NaN
        where a ratio is 0 / 0.
    needs : tuple of str or None
        The classes whose cases it depends on; None: all.
    is_share : bool
        Whether it lies between 0 and 1.
    has_positive : bool
        Whether one of two classes has to be the positive one.
    also, elsewhere : tuple of str
        Other names that stand for it; and what it is called in other packages, for messages.
    """

    name: str
    values: Callable[[Any], Floats]
    needs: tuple[str, ...] | None = None
    is_share: bool = True
    has_positive: bool = False
    also: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()

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


def _kappa(c: Any) -> Floats:
    total = c.total
    decided = c.matrix.sum(axis=-2) / total[..., None]
    by_chance = (c.sizes / total[..., None] * decided).sum(axis=-1)
    return np.asarray((c.correct / total - by_chance) / (1 - by_chance))


def _rate(
    name: str, values: Callable[[Any], Floats], of: str = "", also: str = "", elsewhere: str = ""
) -> Measure:
    """A share that takes a positive class: of the cases of one class, or of both."""
    needs = (of,) if of else None
    return Measure(name, values, needs, True, True, tuple(also.split()), tuple(elsewhere.split()))


MEASURES = (
    _rate(
        "fpr", lambda c: c.fp / c.negatives, "negative",
        elsewhere="false_positive_rate fallout fall-out fmr far",
    ),
    _rate(
        "tpr", lambda c: c.tp / c.positives, "positive", "sensitivity recall",
        elsewhere="true_positive_rate hit_rate",
    ),
    _rate(
        "fnr", lambda c: c.fn / c.positives, "positive",
        elsewhere="miss_rate false_negative_rate fnmr frr",
    ),
    _rate(
        "tnr", lambda c: c.tn / c.negatives, "negative", "specificity",
        elsewhere="true_negative_rate selectivity",
    ),
    _rate("precision", lambda c: c.tp / (c.tp + c.fp), also="ppv", elsewhere="positive_predictive_value"),
    _rate("npv", lambda c: c.tn / (c.tn + c.fn), elsewhere="negative_predictive_value"),
    _rate(
        "f1", lambda c: 2 * c.tp / (2 * c.tp + c.fp + c.fn),
        elsewhere="f1_score f-score f_measure fscore dice",
    ),
    _rate("alarm_rate", lambda c: (c.tp + c.fp) / c.total, elsewhere="predicted_positive_rate"),
    Measure("accuracy", lambda c: c.correct / c.total, elsewhere=("accuracy_score", "acc")),
    Measure("error", lambda c: (c.total - c.correct) / c.total, elsewhere=("error_rate",)),
    Measure(
        "balanced_accuracy", lambda c: ((c.sizes - c.errors) / c.sizes).mean(axis=-1),
        elsewhere=("balanced_accuracy_score", "bac"),
    ),
    Measure("mcc", _mcc, is_share=False, elsewhere=("matthews_corrcoef", "matthews", "phi")),
    Measure("kappa", _kappa, is_share=False, elsewhere=("cohen", "cohen_kappa_score", "cohens_kappa")),
    Measure("class_error", lambda c: c.errors / c.sizes, elsewhere=("class_errors",)),
    Measure("class_recall", lambda c: (c.sizes - c.errors) / c.sizes),
    Measure("class_precision", lambda c: (c.sizes - c.errors) / c.matrix.sum(axis=-2)),
)  # fmt: skip
"""Every measure that has a name: a new one is one line here."""
OF_CLASSES = ("class_error", "class_recall")
"""Those that are a rate of each class: shares of its cases."""
NAMES = (*(own.name for own in MEASURES), *(name for own in MEASURES for name in own.also))
_ELSEWHERE = {name: own.name for own in MEASURES for name in own.elsewhere}


def measure_of(value: object, *, has_positive: bool = True) -> Measure:
    """The measure that a name, a :class:`Cost` or a function stands for.

    ``has_positive`` says whether one of the classes is the positive one.
    """
    if isinstance(value, Measure):
        return value
    if isinstance(value, Cost):
        found = Measure(value.label, value.values, is_share=False, has_positive=True)
    elif callable(value) and not isinstance(value, type):
        own = str(getattr(value, "__name__", type(value).__name__))
        function = function_of_counts(value, own) if has_positive else value
        return Measure(own, lambda c: own_values(function, c, own), is_share=False)
    else:
        is_word = isinstance(value, str) and value.casefold() in ("cost", "costs")
        if is_word or isinstance(value, AtCosts) or hasattr(value, "false_negative"):
            raise fail("RS001.cost", value=value)
        of_any = [own.name for own in MEASURES if not own.has_positive]
        known = NAMES if has_positive or value in NAMES else of_any
        name = one_of("measure", value, known, elsewhere=_ELSEWHERE)
        found = next(own for own in MEASURES if name in (own.name, *own.also))
        found = replace(found, name=name)
    if found.has_positive and not has_positive:
        known_here = listed([repr(own.name) for own in MEASURES if not own.has_positive])
        raise fail("RS001.needs-positive", name=found.name, known=known_here)
    return found


# The 2x2 table of one threshold
# ------------------------------

_SHARES = ("wilson", "clopper-pearson")
_SHARES_ELSEWHERE = {"exact": "clopper-pearson", "score": "wilson", "clopper": "clopper-pearson"}


class Basis(StrEnum):
    """What the intervals of a 2x2 table rest on, or why there are none."""

    CASES = "cases"  # that count one by one
    CLUSTERS = "clusters"
    WEIGHTS = "weights"
    ROWS_OF_GROUPS = "rows of groups"
    MEAN_RATES = "mean rates"
    CHOSEN_AGAIN = "chosen again"
    CHOSEN_AGAIN_IN_GROUPS = "chosen again in groups"
    NOT_DRAWN = "not drawn"  # as no resamples were asked for
    CANNOT_BE_DRAWN = "cannot be drawn"


@dataclass(frozen=True)
class Measures:
    """The measures of a 2x2 table, as they are expected on new rows."""

    sensitivity: float
    specificity: float
    ppv: float
    npv: float
    lr_positive: float
    lr_negative: float
    accuracy: float


NAMES_OF_TABLE = tuple(each.name for each in fields(Measures))


@dataclass(frozen=True, eq=False, repr=False)
class TwoByTwo(Told, Printed, TableResult, Measures, sentence="points.two_by_two", tables="points.printed"):
    """Decisions against the truth at one threshold.

    Attributes
    ----------
    tp, fp, fn, tn : int, or float for weights, or None
        Cases; None on an average of groups, whose rates are means and not shares of cases.
    sensitivity, specificity : float
        Share of positives called positive, of negatives called negative.
    ppv, npv : float
        Share of true ones among the calls of positive, and of negative, at ``prevalence``.
    lr_positive, lr_negative : float
        Likelihood ratios ``tpr / fpr`` and ``fnr / tnr``: by what a call multiplies the odds.
    accuracy : float
        Share of cases called right, at ``prevalence``.
    prevalence : float
        Share of positives that predictive values and accuracy are for.
    is_sample_prevalence : bool
        Whether that is the share among these rows, because no other was given.
    sensitivity_interval, ... : Interval or None
        One for each measure. Wilson's or Clopper & Pearson's for shares of cases, log-normal for likelihood
        ratios, logit for predictive values at a prevalence that was given (which is taken as known). At the
        prevalence of the rows predictive values and accuracy are plain shares of cases. Where a cell is 0,
        one half is added to every cell of a log-normal or logit interval.
        Where the cut-off was chosen on these rows, all are for the corrected measures: Clopper & Pearson's at
        corrected rates, and the same formulas at cases that have these rates.
    corrected : Measures or None
        What to expect on new rows, where the cut-off was chosen on these; see ``cutoff.corrected()``.
    note : str
        What the intervals stand for, or why there are none.
    """

    _told: ClassVar = ("note",)
    _line = (
        "{tp:?tp {tp:g}, fp {fp:g}, fn {fn:g}, tn {tn:g}; }"
        "sensitivity {sensitivity:.4f}, specificity {specificity:.4f}, prevalence {prevalence:.4g}"
    )

    tp: Any
    fp: Any
    fn: Any
    tn: Any
    prevalence: float
    is_sample_prevalence: bool
    sensitivity_interval: Interval | None = None
    specificity_interval: Interval | None = None
    ppv_interval: Interval | None = None
    npv_interval: Interval | None = None
    lr_positive_interval: Interval | None = None
    lr_negative_interval: Interval | None = None
    accuracy_interval: Interval | None = None
    corrected: Measures | None = None
    _basis: Basis = Basis.MEAN_RATES
    _random: str = "cases"
    _is_flattered: bool = False

    @property
    def note(self) -> str:
        """What the intervals stand for, or why there are none."""
        return said("points.table_note", self)

    def _columns(self) -> dict[str, Any]:
        intervals = [getattr(self, f"{name}_interval") for name in NAMES_OF_TABLE]
        return {
            "measure": list(NAMES_OF_TABLE),
            "value": [getattr(self, name) for name in NAMES_OF_TABLE],
            "corrected": [getattr(self.corrected, name, nan) for name in NAMES_OF_TABLE],
            "low": [nan if interval is None else interval.low for interval in intervals],
            "high": [nan if interval is None else interval.high for interval in intervals],
        }


def with_intervals(table: TwoByTwo, intervals: Mapping[str, Interval | None], **others: Any) -> TwoByTwo:
    """The table with other intervals of some measures."""
    others |= {f"{name}_interval": own for name, own in intervals.items()}
    return replace(table, **others)


def two_by_two(
    cells: Cells | None,
    fpr: float,
    tpr: float,
    sample_prevalence: float,
    prevalence: float | str | None = None,
    *,
    confidence_level: float,
    method: str,
    basis: Basis = Basis.CASES,
) -> TwoByTwo:
    """The table; ``cells`` is None where only rates are known."""
    level = open_share("confidence_level", confidence_level)
    method = one_of("method", method, _SHARES, elsewhere=_SHARES_ELSEWHERE)
    share = sample_prevalence if prevalence is None else one_rate("prevalence", prevalence)
    values: dict[str, Any] = measures_of(cells, fpr, tpr, share)
    intervals: dict[str, Interval] = {}
    if cells is not None and basis is Basis.CASES:
        if prevalence is None:  # plain shares of cases, by one division
            tp, fp, fn, tn = cells
            values |= {"ppv": _ratio(tp, tp + fp), "npv": _ratio(tn, tn + fn)}
            values["accuracy"] = (tp + tn) / sum(cells)
        intervals = measure_intervals(cells, values, None if prevalence is None else share, level, method)
    values |= zip(("tp", "fp", "fn", "tn"), cells or (None,) * 4, strict=True)
    is_sample = prevalence is None
    return with_intervals(
        TwoByTwo(**values, prevalence=share, is_sample_prevalence=is_sample, _basis=basis), intervals
    )


def measures_of(cells: Cells | None, fpr: float, tpr: float, share: float) -> dict[str, float]:
    """Every measure from the rates, at a prevalence."""
    fnr, specificity = 1 - tpr, 1 - fpr
    if cells is not None:  # by one division each
        tp, fp, fn, tn = cells
        fnr, specificity = fn / (tp + fn), tn / (fp + tn)
    return {
        "sensitivity": tpr,
        "specificity": specificity,
        "ppv": _ratio(share * tpr, share * tpr + (1 - share) * fpr),
        "npv": _ratio((1 - share) * specificity, (1 - share) * specificity + share * fnr),
        "lr_positive": _ratio(tpr, fpr),
        "lr_negative": _ratio(fnr, specificity),
        "accuracy": share * tpr + (1 - share) * specificity,
    }


def _ratio(part: float, whole: float) -> float:
    """NaN for 0 / 0, infinite for a positive part of nothing."""
    if whole == 0:
        return nan if part == 0 else inf
    return part / whole


def upper_limit_of_none(n: float, confidence_level: float = 0.95) -> float:
    """The largest rate at which none of ``n`` independent cases shows it with this probability: about 3 / n.

    >>> round(upper_limit_of_none(300), 4)
    0.0099
    """
    return float(1 - (1 - confidence_level) ** (1 / n))


def measure_intervals(
    cells: Cells, values: dict[str, float], share: float | None, level: float, method: str
) -> dict[str, Interval]:
    """The interval of every measure; ``share`` is a prevalence that was given, None for that of the rows."""
    z = t_quantile(np.inf, level)
    tp, fp, fn, tn = cells
    made = {
        "sensitivity": share_interval(tp, tp + fn, level, method),
        "specificity": share_interval(tn, tn + fp, level, method),
        "lr_positive": ratio_interval(values["lr_positive"], (tp, fp, fn, tn), z, level),
        "lr_negative": ratio_interval(values["lr_negative"], (fn, tn, tp, fp), z, level),
    }
    if share is None:
        made["ppv"] = share_interval(tp, tp + fp, level, method)
        made["npv"] = share_interval(tn, tn + fn, level, method)
        made["accuracy"] = share_interval(tp + tn, tp + fp + fn + tn, level, method)
        return made
    made["ppv"] = predictive_interval(values["ppv"], share, (tp, fp, fn, tn), z, level)
    made["npv"] = predictive_interval(values["npv"], 1 - share, (tn, fn, fp, tp), z, level)
    # A weighted sum of two independent shares, from their intervals (square and add).
    parts = [
        (weight, values[name], made[name])
        for weight, name in ((share, "sensitivity"), (1 - share, "specificity"))
    ]
    below = sqrt(sum((weight * (rate - own.low)) ** 2 for weight, rate, own in parts))
    above = sqrt(sum((weight * (own.high - rate)) ** 2 for weight, rate, own in parts))
    accuracy = values["accuracy"]
    made["accuracy"] = Interval(max(accuracy - below, 0.0), min(accuracy + above, 1.0), level, method)
    return made
