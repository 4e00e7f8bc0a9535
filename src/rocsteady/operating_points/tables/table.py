"""OperatingPointTable: every measure at every operating point, with its spread over folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import counted, fail
from rocsteady.operating_points.tables import comparing
from rocsteady.operating_points.tables.confusion import Confusion, TwoClassConfusion
from rocsteady.operating_points.tables.measures import Cost, Measure, measure_of
from rocsteady.operating_points.tables.point_measures import (
    MeasurePair,
    PointMeasure,
    covariance_over_folds,
    over_folds,
)
from rocsteady.options import one_number
from rocsteady.results import TableResult, plain, read_only
from rocsteady.scores.columns import word
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.showing import Drawn
from rocsteady.words import printable

Floats = NDArray[np.float64]
__all__ = ["MeasurePair", "OperatingPointTable", "PointMeasure", "over_folds"]

MeasureLike = str | Cost | Callable[[Any], Any]


@dataclass(frozen=True, eq=False, repr=False)
class OperatingPointTable(Drawn, TableResult, figure="operating_points"):
    """Confusion matrices of every fold at every operating point, and every measure of them.

    Made by :func:`rocsteady.average_operating_points` and :func:`rocsteady.average_multiclass_points`. What
    is random is the folds: spreads tell how a measure varies from one fold to the next. Folds of one
    cross-validation share training data, which standard errors allow for, and spreads do not.

    Attributes
    ----------
    confusion : Confusion
        What measures are functions of; ``.tp``, ``.fp``, ``.fn``, ``.tn`` (two classes) and ``.matrix``.
    points : tuple
        The operating points: thresholds, class weights, or whatever was given.
    folds : tuple of str
        Names of the folds that count.
    thresholds : (n_points,) array or None
        If the points are thresholds.
    rule : str or None
        If the points are thresholds: what calls a score positive.
    class_weights : (n_points, n_classes) array or None
        If the points are class weights.
    unit : str
        The word for a fold.
    undefined : tuple of str
        Folds that lack a class, and which.
    design : Design
        How the scores came about.
    is_weighted : bool
        Whether rows have weights, whose sums tell no numbers of cases.
    """

    confusion: Confusion
    points: tuple[Any, ...]
    folds: tuple[str, ...]
    thresholds: Floats | None = None
    rule: str | None = None
    class_weights: Floats | None = None
    unit: str = "fold"
    undefined: tuple[str, ...] = ()
    design: Design = ASSUMED
    is_weighted: bool = False

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes: of two with a positive one the words for them, the negative one first."""
        return self.confusion.classes

    @property
    def class_words(self) -> tuple[str, ...]:
        """The classes as they are written."""
        return tuple(map(word, self.classes))

    @property
    def n_folds(self) -> int:
        """Number of folds that count."""
        return self.confusion.n_folds

    @property
    def n_points(self) -> int:
        """Number of operating points."""
        return self.confusion.n_points

    @property
    def has_positive(self) -> bool:
        """Whether one of two classes is the positive one."""
        return isinstance(self.confusion, TwoClassConfusion)

    def measure(self, measure: MeasureLike) -> PointMeasure:
        """A measure at every point: its mean over folds, its spread, and that of all folds as one.

        Parameters
        ----------
        measure : str, Cost or function
            ``"fpr"``, ``"tpr"`` (also ``"sensitivity"``, ``"recall"``), ``"tnr"`` (``"specificity"``),
            ``"fnr"``, ``"precision"`` (``"ppv"``), ``"npv"``, ``"accuracy"``, ``"error"``,
            ``"balanced_accuracy"``, ``"f1"``, ``"mcc"``, ``"alarm_rate"`` (share called positive),
            ``"class_error"`` (of each class); ``Cost(...)``; or a function of the confusion matrix, such as
            ``lambda c: c.tp / (c.tp + c.fp)``. Classes without a positive one have ``"class_error"``,
            ``"accuracy"``, ``"error"``, ``"balanced_accuracy"``, ``"mcc"`` and functions of ``c.matrix``.

        Examples
        --------
        >>> import rocsteady as rs
        >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
        >>> precision = rs.average_operating_points(folds).measure("precision")
        >>> precision.mean.round(3).tolist(), precision.n_defined.tolist()
        ([nan, 1.0, 0.75, 0.667, 0.5], [0, 2, 2, 2, 2])
        """
        chosen = measure_of(measure, has_positive=self.has_positive)
        per_fold = chosen.of(self.confusion)
        stacked = chosen.of(self.confusion.stacked())[0]
        mean, sd, n_defined = over_folds(per_fold)
        with np.errstate(divide="ignore", invalid="ignore"):
            error = sd * np.sqrt(1 / n_defined + self.design.test_train_ratio)
        for array in (mean, sd, error, per_fold, n_defined, stacked):
            read_only(array)
        spread = (mean, sd, error, per_fold, n_defined, stacked)
        return PointMeasure(
            chosen.name,
            *spread,
            chosen.is_share,
            self.unit,
            self.class_words,
            n_cases=self._cases_of(chosen),
            repeats=self.design.repeats,
        )

    def _cases_of(self, measure: Measure) -> Floats | None:
        """Cases of every fold that a rate of one class is a share of; None for others, and with weights."""
        if self.is_weighted or not self.has_positive or not measure.is_share:
            return None
        one = measure.needs if measure.needs is not None and len(measure.needs) == 1 else ("",)
        named = {"positive": "positives", "negative": "negatives"}.get(one[0])
        return None if named is None else np.ravel(getattr(self.confusion, named))

    def between(self, x: MeasureLike = "fpr", y: MeasureLike = "tpr") -> MeasurePair:
        """Two measures, for a figure of one against the other with error bars on both.

        Examples
        --------
        >>> import rocsteady as rs
        >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
        >>> rs.average_operating_points(folds).between("recall", "precision")
        MeasurePair(precision against recall: 5 points)
        """
        first, second = self.measure(x), self.measure(y)
        for measure in (first, second):
            if measure.mean.ndim > 1:
                raise fail("RS002.axis", measure=measure.name, n=self.confusion.n_classes)
        covariance, n = covariance_over_folds(first.per_fold, second.per_fold)
        return MeasurePair(first, second, read_only(covariance), read_only(n))

    def nearest(self, **target: float) -> int:
        """The index of the point whose mean of a measure, or whose threshold, is nearest to a value.

        Of several it is the first.

        Examples
        --------
        >>> import rocsteady as rs
        >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
        >>> rs.average_operating_points(folds).nearest(tpr=0.9)
        3
        """
        if len(target) != 1:
            raise fail("RS002.nearest", given=", ".join(target) or "nothing")
        ((name, wanted),) = target.items()
        if name == "threshold" and self.thresholds is not None:
            with np.errstate(invalid="ignore"):  # inf - inf: the point itself
                apart = np.abs(self.thresholds - one_number(name, wanted))
            return int(np.where(self.thresholds == wanted, 0.0, apart).argmin())
        measure, value = self.measure(name), one_number(name, wanted)
        mean, is_within = measure.mean, 0 <= value <= 1 or not measure.is_share
        if not (np.isfinite(value) and is_within):
            where = "between 0 and 1" if measure.is_share else "a finite number"
            raise fail("RS042", name=name, where=where, found=value, ways=[f"table.nearest({name}=0.9)"])
        distance = np.abs(mean - value)
        if mean.ndim > 1 or not (~np.isnan(distance)).any():
            raise fail("RS042.per-class", name=name, value=value, is_per_class=mean.ndim > 1)
        return int(np.nanargmin(distance))

    def compare_to(
        self,
        index: int,
        measure: MeasureLike | Sequence[MeasureLike] = "fpr",
        *,
        alpha: float = 0.05,
        df: str = "n-1",
        test_train_ratio: float | None = None,
        adjust: str | None = None,
        combine: str = "and",
    ) -> comparing.PointComparison:
        """Which other points this sample can tell apart from one: paired t tests over folds.

        Parameters
        ----------
        index : int
            The point that all others are compared to; see :meth:`nearest`.
        measure : str, Cost, function, or a list of them
            What is compared; ``"class_error"`` is one measure for each class.
        alpha : float
            Level of the tests.
        df, test_train_ratio
            As in :func:`rocsteady.paired_t`; without a ratio it is that of the design.
        adjust : {None, "holm", "bh"}
            For the number of tests: all other points, and all measures.
        combine : {"and", "or"}
            Of several measures: a point cannot be told apart if none of them ("and") or not all of them
            ("or") tells it apart.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> rng = np.random.default_rng(0)
        >>> labels, folds = np.tile([0, 1], 100), np.repeat(np.arange(10), 20)
        >>> both = labels, rng.normal(size=200) + labels
        >>> scores = rs.ScoreSet.from_arrays(*both, folds, design="cross-validation")
        >>> table = rs.average_operating_points(scores, thresholds=30)
        >>> table.compare_to(table.nearest(tpr=0.9))
        PointComparison(5 of 29 other points cannot be told apart from point 21 by fpr, alpha 0.05)
        """
        return comparing.compare_points(
            self, index, measure, alpha=alpha, df=df, test_train_ratio=test_train_ratio, adjust=adjust,
            combine=combine,
        )  # fmt: skip

    def to_frame(self, *measures: MeasureLike) -> Any:  # type: ignore[override]
        """One row per point: mean and standard error of measures; fpr and tpr, or each class's error, if none
        is named.
        """
        from rocsteady.results import to_frame

        return to_frame(self._columns(*measures))

    def _columns(self, *measures: MeasureLike) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        if self.thresholds is not None:
            columns["threshold"] = self.thresholds
        elif self.class_weights is not None:
            columns |= {f"weight {c}": self.class_weights[:, i] for i, c in enumerate(self.class_words)}
        else:
            columns["point"] = [str(point) for point in self.points]
        for wanted in measures or self._usual:
            found = self.measure(wanted)
            name, n = found.name, 1
            while (
                name in columns or f"{name} {self.class_words[0]}" in columns
            ):  # every lambda has the same name
                n += 1
                name = f"{found.name} {n}"
            for suffix, values in (("", found.mean), (" standard error", found.standard_error)):
                if values.ndim == 1:
                    columns[f"{name}{suffix}"] = values
                else:
                    columns |= {f"{name} {c}{suffix}": values[:, i] for i, c in enumerate(self.class_words)}
        return columns

    @property
    def _usual(self) -> tuple[str, ...]:
        return ("fpr", "tpr") if self.has_positive else ("class_error",)

    def to_dict(self) -> dict[str, Any]:
        """The points and their usual measures as plain data that JSON can carry."""
        data = {
            "points": [_plain_point(point) for point in self.points],
            "thresholds": plain(self.thresholds),
            "rule": self.rule,
            "class_weights": plain(self.class_weights),
            "folds": list(self.folds),
            "unit": self.unit,
            "classes": [_plain_point(c) for c in self.classes],
            "undefined": list(self.undefined),
        }
        for name in self._usual:
            found = self.measure(name)
            names = ("mean", "sd", "standard_error", "n_defined", "stacked")
            data[name] = {each: plain(getattr(found, each)) for each in names}
        return data

    def __repr__(self) -> str:
        unit = printable(self.unit)
        parts = [counted(self.n_points, "point"), counted(self.n_folds, unit)]
        parts.append(counted(len(self.classes), "class"))
        if self.undefined:
            parts.append(f"{counted(len(self.undefined), unit)} without a class")
        return f"OperatingPointTable({', '.join(parts)})"


def _plain_point(point: Any) -> Any:
    """A point as JSON can carry it; what it cannot is named."""
    point = plain(point)
    if isinstance(point, list):
        return [_plain_point(part) for part in point]
    return point if point is None or isinstance(point, bool | int | float | str) else str(point)
