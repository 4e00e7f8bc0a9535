"""Tables of operating points: every measure with its spread over folds, and which points are told apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import index as as_index
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Floats, Indices, Integers, Mask, over_folds
from rocsteady.errors import counted, fail
from rocsteady.options import SCALES, one_number, one_of, open_share
from rocsteady.points.measures import Confusion, Cost, Measure, TwoClassConfusion, measure_of
from rocsteady.points.paired_tests import adjusted, paired_tests, ratio_of, require_folds, warn_constant
from rocsteady.results import Result, TableResult, plain, read_only
from rocsteady.scores.columns import word
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.showing import Drawn, Told, said
from rocsteady.statistics.groups import (
    ellipse_outline,
    ellipse_radius,
    limits_of_mean,
    mostly_alike,
    t_limits,
)
from rocsteady.statistics.intervals import Interval, t_quantile
from rocsteady.statistics.power import noncentrality
from rocsteady.words import grouped, listed, printable

MeasureLike = str | Cost | Callable[[Any], Any]


# A measure at every point
# ------------------------


def point_index(value: object, n_points: int, name: str) -> int:
    """A point's index, counted from the end if negative; RS042 if there is no such point."""
    try:
        place = None if isinstance(value, bool | np.bool_) else as_index(value)  # type: ignore[arg-type]
    except TypeError:
        place = None
    if place is None or not -n_points <= place < n_points:
        where, way = f"the number of a point, 0 to {n_points - 1}", "compare_to(table.nearest(tpr=0.9))"
        raise fail("RS042", name=name, where=where, found=value, ways=[way])
    return place % n_points


@dataclass(frozen=True, eq=False, repr=False)
class PointMeasure(TableResult):
    """One measure at every operating point, and how it varies from fold to fold.

    Attributes
    ----------
    name : str
        Of the measure.
    mean, sd, standard_error : (n_points,) arrays
        Over the folds where the measure is defined; the sd has the divisor n - 1, and the standard error of
        the mean is sd / sqrt(n). Spreads are NaN for fewer than two folds. Measures with one value per class
        have a further axis, also below.
    per_fold : (n_folds, n_points) array
        NaN where undefined (0 / 0).
    n_defined : (n_points,) int array
        Number of folds where the measure is defined.
    stacked : (n_points,) array
        The measure of all folds that count, taken as one; the mean over folds is another number, unless all
        folds have the same class sizes.
    is_share : bool
        Whether the measure lies between 0 and 1 by its definition.
    unit : str
        The word for a fold.
    class_words : tuple of str
        What the last axis of a measure with one value per class stands for.
    n_cases : array or None
        Of a rate of one class: how many cases of it every fold has.
    repeats : int
        Of a cross-validation, in which every case is counted as often.
    """

    name: str
    mean: Floats
    sd: Floats
    standard_error: Floats
    per_fold: Floats
    n_defined: Integers
    stacked: Floats
    is_share: bool = False
    unit: str = "fold"
    class_words: tuple[str, ...] = ()
    n_cases: Floats | None = None
    repeats: int = 1

    def interval(self, confidence_level: float = 0.95, *, scale: str = "logit") -> Interval:
        """Student's t interval of every mean by itself, limits as arrays; what is random is the folds.

        Of shares it is made for the logit of the mean, and stays between 0 and 1, unless ``scale`` is
        "linear". Where most folds have the same rate of a class, the cases speak, as in an average. NaN for
        fewer than two folds.
        """
        level = open_share("confidence_level", confidence_level)
        n, place = np.unique(self.n_defined, return_inverse=True)
        quantiles = np.array([t_quantile(own - 1, level) for own in n.tolist()])
        half = quantiles[place.reshape(self.n_defined.shape)] * self.standard_error
        if one_of("scale", scale, SCALES) == "logit" and not self.is_share:
            scale = "linear"
        low, high = t_limits(self.mean, half, scale)
        if scale == "logit" and self.n_cases is not None and np.count_nonzero(self.n_cases) > 1:
            has = self.n_cases > 0  # a rate of a class is defined in the folds that have it, at every point
            k, alike = int(has.sum()), mostly_alike(self.per_fold[has])
            low, high = limits_of_mean(
                self.mean, self.standard_error, alike, np.full(k, 1 / k), self.n_cases[has], level,
                df=k - 1, repeats=self.repeats,
            )  # fmt: skip
        return Interval(read_only(low), read_only(high), level, "logit t" if scale == "logit" else "t")

    def _columns(self) -> dict[str, Any]:
        names = ("mean", "sd", "standard_error", "n_defined", "stacked")
        if self.mean.ndim == 1:
            return {name: getattr(self, name) for name in names}
        words = self.class_words or tuple(map(str, range(self.mean.shape[1])))
        return {f"{name} {word}": getattr(self, name)[:, c] for c, word in enumerate(words) for name in names}

    def __repr__(self) -> str:
        per_class = f" × {counted(self.mean.shape[1], 'class')}" if self.mean.ndim > 1 else ""
        folds = counted(self.per_fold.shape[0], printable(self.unit))
        return f"PointMeasure({self.name}: {counted(self.mean.shape[0], 'point')}{per_class}, {folds})"


@dataclass(frozen=True, eq=False, repr=False)
class MeasureEllipse(Result):
    """A confidence region for the means of two measures at once (Hotelling).

    Attributes
    ----------
    center : (2,) array
        Means over the folds where both are defined.
    covariance : (2, 2) array
        Between folds; that of the means is this over the number of folds.
    x, y : arrays
        The outline, closed; a segment or a point where folds do not scatter in two dimensions; NaN for fewer
        than three.
    confidence_level : float
        Of the region.
    names : (str, str)
        The two measures.
    """

    center: Floats
    covariance: Floats
    x: Floats
    y: Floats
    confidence_level: float
    names: tuple[str, str]

    def __repr__(self) -> str:
        where = ", ".join(f"{name} {mean:.4f}" for name, mean in zip(self.names, self.center, strict=True))
        return f"MeasureEllipse(around {where}, confidence level {self.confidence_level:g})"


@dataclass(frozen=True, eq=False, repr=False)
class MeasurePair(TableResult):
    """Two measures at the same operating points: what a figure of one against the other shows.

    Attributes
    ----------
    x, y : PointMeasure
        In the order of the points.
    covariance : (n_points,) array
        Between folds (divisor n - 1), over those where both are defined; NaN for fewer than two.
    n_defined : (n_points,) int array
        Number of those folds.
    """

    x: PointMeasure
    y: PointMeasure
    covariance: Floats
    n_defined: Integers

    def ellipse(self, index: int, confidence_level: float = 0.95) -> MeasureEllipse:
        """The confidence region of both means at one point; what is random is the folds.

        Folds count where both measures are defined.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> rng = np.random.default_rng(0)
        >>> labels, folds = np.tile([0, 1], 100), np.repeat(np.arange(10), 20)
        >>> scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=200) + labels, folds)
        >>> table = rs.average_operating_points(scores, thresholds=30)
        >>> table.between("fpr", "tpr").ellipse(table.nearest(tpr=0.9))
        MeasureEllipse(around fpr 0.5500, tpr 0.8800, confidence level 0.95)
        """
        level = open_share("confidence_level", confidence_level)
        place = point_index(index, self.covariance.size, "index")
        values = np.stack([self.x.per_fold[:, place], self.y.per_fold[:, place]])
        values = values[:, np.isfinite(values).all(axis=0)]
        n = values.shape[1]
        center = values.mean(axis=1) if n else np.full(2, np.nan)
        covariance = np.cov(values) if n > 1 else np.full((2, 2), np.nan)
        x, y = ellipse_outline(center, covariance, ellipse_radius(n, n, level))
        return MeasureEllipse(center, covariance, x, y, level, (self.x.name, self.y.name))

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        for side, measure in (("x", self.x), ("y", self.y)):
            columns |= {f"{side}_{name}": getattr(measure, name) for name in ("mean", "sd", "standard_error")}
        return columns | {"covariance": self.covariance, "n_defined": self.n_defined}

    def __repr__(self) -> str:
        return f"MeasurePair({self.y.name} against {self.x.name}: {counted(self.covariance.size, 'point')})"


def covariance_over_folds(x: Floats, y: Floats) -> tuple[Floats, Integers]:
    """Covariance (divisor n - 1) of two measures over the folds where both are defined, and their number."""
    both = np.isfinite(x) & np.isfinite(y)
    n = both.sum(axis=0).astype(np.int64)
    around = [
        values - over_folds(values)[0] for values in (np.where(both, x, np.nan), np.where(both, y, np.nan))
    ]
    with np.errstate(divide="ignore", invalid="ignore"):
        covariance = np.where(n > 1, np.nansum(around[0] * around[1], axis=0) / (n - 1), np.nan)
    return covariance, n


# Which points can be told apart
# ------------------------------

_PER_TEST = ("difference", "standard_error", "statistic", "pvalue", "adjusted_pvalue", "n_defined")


@dataclass(frozen=True, eq=False, repr=False)
class PointComparison(Told, Drawn, TableResult, sentence="points.comparison", figure="operating_points"):
    """One operating point against all others: paired t tests over folds.

    Arrays have one entry per point; with several measures ``statistic``, ``pvalue``, ``adjusted_pvalue``,
    ``difference``, ``standard_error`` and ``n_defined`` are ``(n_points, n_measures)``.

    Attributes
    ----------
    index : int
        The point that the others were compared to.
    measures : tuple of str
        What was compared.
    difference, standard_error : array
        Mean over folds of (other point - this point), and its standard error.
    statistic, pvalue : array
        Of the paired t test; 0 and 1 for the point itself, NaN where fewer than two folds define the measure
        at both points.
    adjusted_pvalue : array
        For the number of tests; the same as ``pvalue`` without ``adjust``.
    df : float or array
        Degrees of freedom; an array where folds are undefined at some points only.
    n_defined : int array
        Folds in which the measure is defined at both points.
    indistinguishable : (n_points,) bool array
        Points that were tested and not told apart; the point itself is one.
    alpha, test_train_ratio : float
        Level of each test; what was added to 1 / n.
    adjust, combine : str or None
        As asked for.
    """

    index: int
    measures: tuple[str, ...]
    difference: Floats
    standard_error: Floats
    statistic: Floats
    pvalue: Floats
    adjusted_pvalue: Floats
    df: Any
    n_defined: Integers
    indistinguishable: Mask
    alpha: float
    test_train_ratio: float
    adjust: str | None
    combine: str
    _table: OperatingPointTable
    _needs: tuple[tuple[str, ...] | None, ...]

    @property
    def neighbourhood(self) -> Indices:
        """Indices of the points that cannot be told apart, the point itself among them."""
        return np.flatnonzero(self.indistinguishable)

    @property
    def untested(self) -> Indices:
        """Indices of points where no measure could be tested."""
        return np.flatnonzero(np.isnan(self.pvalue).reshape(self._table.n_points, -1).all(axis=1))

    @property
    def is_nested(self) -> bool:
        """Whether the decisions of one class are nested: a looser threshold calls more of its cases positive.

        A measure of both classes, like the accuracy, may well be the same at two thresholds.
        """
        return self._table.thresholds is not None and all(
            needs is not None and len(needs) == 1 for needs in self._needs
        )

    def cases_to_separate(self, other: int, power: float = 0.8) -> SeparatingCases:
        """How many cases would tell another point apart from this one.

        The number of folds stays, every fold gets more cases, and the variance of the difference between
        folds falls like 1 / (number of cases). The difference is taken as it was seen, and one test is made
        at ``alpha``, so for a point that was picked because it looked near or far this is a rough guide.

        Parameters
        ----------
        other : int
            The other point.
        power : float
            Chance that the test rejects.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> rng = np.random.default_rng(0)
        >>> labels, folds = np.tile([0, 1], 100), np.repeat(np.arange(10), 20)
        >>> scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=200) + labels, folds)
        >>> comparison = rs.average_operating_points(scores, thresholds=30).compare_to(22)
        >>> comparison.cases_to_separate(23)
        SeparatingCases(points 22 and 23 by fpr: 5.02 × cases, 503 negative; power 0.8 at 0.05, unadjusted)
        """
        place, power = point_index(other, self._table.n_points, "other"), open_share("power", power)
        statistic = np.abs(np.atleast_1d(self.statistic[place]))
        df = np.atleast_1d(np.broadcast_to(self.df, self.statistic.shape)[place])
        own_df = np.atleast_1d(self.n_defined[place]) - 1  # of the spread, also where the test has 2n - 2
        factors = np.where(statistic == 0, np.inf, np.nan)
        for i in np.flatnonzero((statistic > 0) & np.isfinite(statistic)):
            factors[i] = (noncentrality(df[i], self.alpha, power, own_df=own_df[i]) / statistic[i]) ** 2
        known = np.where(np.isnan(factors), np.inf if self.combine == "and" else -np.inf, factors)
        if self.combine == "and":
            known[np.isinf(statistic)] = -np.inf  # one measure tells the points apart already
        which = int(known.argmin() if self.combine == "and" else known.argmax())
        factor, table = float(factors[which]), self._table
        words = ("negative", "positive") if table.has_positive else table.class_words
        sizes = dict(zip(words, table.confusion.class_sizes.sum(axis=0).tolist(), strict=True))
        present = {name: size for name, size in sizes.items() if name in (self._needs[which] or words)}
        needed = {name: factor * size for name, size in present.items()}
        return SeparatingCases(
            index=self.index,
            other=place,
            measure=self.measures[which],
            factor=factor,
            cases={
                name: float(math.ceil(n * (1 - 1e-12))) if math.isfinite(n) else n
                for name, n in needed.items()
            },
            present=present,
            power=power,
            alpha=self.alpha,
            n_folds=table.n_folds,
            unit=table.unit,
        )

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"point": np.arange(self._table.n_points)}
        if self._table.thresholds is not None:
            columns["threshold"] = self._table.thresholds
        fields = ("difference", "standard_error", "statistic", "pvalue", "adjusted_pvalue")
        values = {field: getattr(self, field).reshape(self._table.n_points, -1) for field in fields}
        for i, name in enumerate(self.measures):
            prefix = "" if len(self.measures) == 1 else f"{name} "
            if f"{prefix}pvalue" in columns:  # every lambda has the same name
                prefix = f"{name} {i + 1} "
            columns |= {f"{prefix}{field}": of[:, i] for field, of in values.items()}
        return columns | {"indistinguishable": self.indistinguishable}

    def __repr__(self) -> str:
        others = self.neighbourhood.size - 1
        what = listed(list(self.measures)) if self.combine == "and" else " or ".join(self.measures)
        of = counted(self._table.n_points - 1, "other point")
        found = f"{grouped(others)} of {of} cannot be told apart from point {self.index}"
        return f"PointComparison({found} by {what}, alpha {self.alpha:g})"


@dataclass(frozen=True, eq=False, repr=False)
class SeparatingCases(Result):
    """How many cases would tell two points apart.

    Attributes
    ----------
    index, other : int
        The points.
    measure : str
        The measure that needs the fewest cases (``combine="and"``), or the most (``"or"``).
    factor : float
        Times the present number of cases; below 1 fewer would do. Infinite if the points do not differ in
        this sample; NaN if the difference is the same in every fold (then the points are told apart already,
        and there is no spread to plan with), or could not be tested.
    cases : dict
        Cases that would be needed of each class that the measure depends on, all folds together.
    present : dict
        Cases there are.
    power, alpha : float
        Chance that a test at this level rejects.
    n_folds, unit : int, str
        How many folds there are, which stays, and the word for one.
    assumed : str
        What the numbers rest on.
    """

    _told: ClassVar = ("assumed",)

    index: int
    other: int
    measure: str
    factor: float
    cases: dict[str, float]
    present: dict[str, float]
    power: float
    alpha: float
    n_folds: int
    unit: str

    @property
    def assumed(self) -> str:
        """What the numbers rest on."""
        return said("points.separating_cases", self)

    def __repr__(self) -> str:
        needed = listed(
            [f"{grouped(int(n)) if math.isfinite(n) else f'{n:g}'} {name}" for name, n in self.cases.items()]
        )
        points = f"points {self.index} and {self.other} by {self.measure}"
        test = f"power {self.power:g} at {self.alpha:g}, unadjusted"
        return f"SeparatingCases({points}: {self.factor:.3g} × cases, {needed}; {test})"


# The table
# ---------


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
    ) -> PointComparison:
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
        alpha = open_share("alpha", alpha)
        one_of("combine", combine, ("and", "or"))
        if adjust is not None:
            adjusted(np.empty(0), adjust)  # refuses an unknown name before anything is computed
        require_folds(self.n_folds, self.unit)
        place = point_index(index, self.n_points, "index")
        measures, values = self._measured(measure)
        ratio = ratio_of(test_train_ratio, self.design)
        tests = paired_tests(
            values, np.broadcast_to(values[..., [place]], values.shape), df=df, test_train_ratio=ratio
        )
        warn_constant(tests, self.unit)
        statistic, pvalue = tests.statistic.copy(), tests.pvalue.copy()
        statistic[:, place], pvalue[:, place] = 0.0, 1.0
        corrected = pvalue.copy()
        others = np.arange(self.n_points) != place
        corrected[:, others] = adjusted(pvalue[:, others], adjust)
        accepted, tested = corrected > alpha, ~np.isnan(corrected)
        together = (
            (accepted | ~tested).all(axis=0) & tested.any(axis=0)
            if combine == "and"
            else accepted.any(axis=0)
        )
        freedom = np.unique(tests.df[~np.isnan(tests.df)])
        single = values.shape[1] == 1
        arrays = (tests.difference, tests.standard_error, statistic, pvalue, corrected, tests.n)
        shaped = [read_only(np.ascontiguousarray(array[0] if single else array.T)) for array in arrays]
        per_test = read_only(tests.df[0] if single else tests.df.T)
        return PointComparison(
            index=place,
            measures=tuple(m.name for m in measures),
            **dict(zip(_PER_TEST, shaped, strict=True)),
            df=float(freedom[0]) if freedom.size == 1 else per_test,
            indistinguishable=read_only(together | ~others),
            alpha=alpha,
            test_train_ratio=tests.test_train_ratio,
            adjust=adjust,
            combine=combine,
            _table=self,
            _needs=tuple(m.needs for m in measures),
        )

    def _measured(self, measure: Any) -> tuple[tuple[Measure, ...], Floats]:
        """The measures that were named, and their values ``(n_folds, n_measures, n_points)``."""
        several = isinstance(measure, Sequence) and not isinstance(measure, str)
        given = list(measure) if several else [measure]
        if not given:
            raise fail("RS002.no-measure")
        measures: list[Measure] = []
        values: list[Floats] = []
        for each in given:
            one = measure_of(each, has_positive=self.has_positive)
            found = one.of(self.confusion)
            if found.ndim == 2:
                measures.append(one)
                values.append(found)
                continue
            sides = ("negative", "positive") if self.has_positive else self.class_words
            for c, (label, side) in enumerate(zip(self.class_words, sides, strict=True)):
                measures.append(Measure(f"{one.name} {label}", one.values, (side,), is_share=one.is_share))
                values.append(found[..., c])
        return tuple(measures), np.stack(values, axis=1)

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
