"""Tables of operating points: every measure with its spread over folds, and which points differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import index as as_index
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.arrays import Floats, Indices, Integers, Mask, over_folds
from rocsteady.averaging.average import members_of
from rocsteady.averaging.base import Members
from rocsteady.averaging.shared_threshold import ranks, vertices_of_groups
from rocsteady.curves.readings import alike_thresholds
from rocsteady.errors import Option, UsageError, counted, fail
from rocsteady.options import SCALES, one_number, one_of, open_share, real_numbers, whole_number
from rocsteady.points.chosen_points import ChosenPoint, chosen_point, where_most_define
from rocsteady.points.criteria import PLACES, HasPoints
from rocsteady.points.measures import (
    OF_CLASSES,
    Confusion,
    ConfusionMatrix,
    Cost,
    Measure,
    TwoClassConfusion,
    measure_of,
    require_room,
)
from rocsteady.results import Result, TableResult, plain, read_only
from rocsteady.results import to_frame as frame_of
from rocsteady.scores.columns import word
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Drawn, Said, Told, draw
from rocsteady.statistics.folds import ratio_of, share_of_variance
from rocsteady.statistics.groups import (
    ellipse_outline,
    ellipse_radius,
    limits_of_mean,
    mostly_alike,
    t_limits,
)
from rocsteady.statistics.limits import Interval, t_quantile
from rocsteady.statistics.multiplicity import adjusted
from rocsteady.statistics.paired_t import paired_tests, require_folds, warn_constant
from rocsteady.statistics.power import noncentrality
from rocsteady.words import grouped, listed, named, printable

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
        where = f"the number of a point, 0 to {n_points - 1}"
        raise fail("RS042", name=name, where=where, found=value, ways=[Option(name, 0)])
    return place % n_points


_IN_FRAME = ("mean", "sd", "standard_error", "n_defined", "stacked")


@dataclass(frozen=True, eq=False, repr=False)
class PointMeasure(Told, TableResult, sentence="points.measure"):
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
        Of a rate of one class: how many cases of it every fold has; of rates of each class (n_folds, C).
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
        low, high = (np.array(limit) for limit in t_limits(self.mean, half, scale))
        if scale == "logit" and self.n_cases is not None:
            for c, n_cases in enumerate(np.atleast_2d(self.n_cases.T)):
                own = (..., c) if self.n_cases.ndim > 1 else ...
                low[own], high[own] = self._limits_of_rate(own, n_cases, (low[own], high[own]), level)
        return Interval(read_only(low), read_only(high), level, "logit t" if scale == "logit" else "t")

    def _limits_of_rate(
        self, own: Any, n_cases: Floats, limits: tuple[Floats, Floats], level: float
    ) -> tuple[Floats, Floats]:
        """The limits of a rate of one class, whose cases speak where folds are alike."""
        has = n_cases > 0  # it is defined in the folds that have the class, at every point
        k = int(has.sum())
        if k < 2:
            return limits
        alike = mostly_alike(self.per_fold[has][own])
        return limits_of_mean(
            self.mean[own], self.standard_error[own], alike, np.full(k, 1 / k), n_cases[has], level,
            df=k - 1, repeats=self.repeats,
        )  # fmt: skip

    def _columns(self) -> dict[str, Any]:
        if self.mean.ndim == 1:
            return {name: getattr(self, name) for name in _IN_FRAME}
        words = self.class_words or tuple(map(str, range(self.mean.shape[1])))
        return {
            f"{name} {own}": getattr(self, name)[:, c] for c, own in enumerate(words) for name in _IN_FRAME
        }

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

    _line: ClassVar = (
        "around {names[0]} {center[0]:.4f}, {names[1]} {center[1]:.4f}, confidence level {confidence_level:g}"
    )

    center: Floats
    covariance: Floats
    x: Floats
    y: Floats
    confidence_level: float
    names: tuple[str, str]


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

    _line = "{y.name} against {x.name}: {covariance:count point}"
    _in_frame = (
        "x_mean=x.mean, x_sd=x.sd, x_standard_error=x.standard_error, y_mean=y.mean, y_sd=y.sd, "
        "y_standard_error=y.standard_error, covariance, n_defined"
    )

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


# Which points differ
# ------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class PointTests(Told, Drawn, TableResult, sentence="points.comparison", figure="operating_points"):
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
        Points that were tested and are not significantly different; the point itself is one.
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
        """Indices of the points that are not significantly different, the point itself among them."""
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

    @property
    def separated_by(self) -> Mask:
        """Which measures tell each point apart from this one, ``(n_points, n_measures)``.

        Of ``"class_error"`` there is one for each class, in their order.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> rng = np.random.default_rng(1)
        >>> labels = np.arange(300) % 3
        >>> outputs = np.exp(rng.normal(size=(300, 3)) + np.eye(3)[labels])
        >>> scores = rs.MulticlassScores(labels, outputs, folds=np.arange(300) // 3 % 10)
        >>> table = rs.average_multiclass_points(scores, [[1, 1, 1], [1, 1, 3]])
        >>> table.compare_to(0, "class_error").separated_by.tolist()
        [[False, False, False], [True, True, True]]
        """
        told = self.adjusted_pvalue.reshape(self._table.n_points, -1) <= self.alpha
        return read_only(told & (np.arange(self._table.n_points) != self.index)[:, None])

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
        sizes = zip(table._sides, table.confusion.class_sizes.sum(axis=0).tolist(), strict=True)
        needs = self._needs[which] or table._sides
        present = {name: size for name, size in sizes if name in needs}
        cases = {name: float(np.ceil(factor * size * (1 - 1e-12))) for name, size in present.items()}
        numbers = self.measures[which], factor, cases, present, power, self.alpha
        return SeparatingCases(self.index, place, *numbers, table.n_folds, table.unit)

    def _columns(self) -> dict[str, Any]:
        table = self._table
        columns: dict[str, Any] = {"point": np.arange(table.n_points)}
        if table.thresholds is not None:
            columns["threshold"] = table.thresholds
        for i, name in enumerate(self.measures):
            prefix = "" if len(self.measures) == 1 else f"{name} "
            if f"{prefix}pvalue" in columns:  # every lambda has the same name
                prefix = f"{name} {i + 1} "
            for field in ("difference", "standard_error", "statistic", "pvalue", "adjusted_pvalue"):
                columns[f"{prefix}{field}"] = getattr(self, field).reshape(table.n_points, -1)[:, i]
        return columns | {"indistinguishable": self.indistinguishable}

    def __repr__(self) -> str:
        what = listed(list(self.measures)) if self.combine == "and" else " or ".join(self.measures)
        alike = (
            f"{grouped(self.neighbourhood.size - 1)} of {counted(self._table.n_points - 1, 'other point')}"
        )
        told = f"not significantly different from point {self.index} by {what}, alpha {self.alpha:g}"
        return f"PointTests({alike} {told})"


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
    _line = (
        "points {index} and {other} by {measure}: {factor:.3g} × cases, {_needed}; "
        "power {power:g} at {alpha:g}, unadjusted"
    )

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

    assumed = Said("points.separating_cases")
    """What the numbers rest on."""

    @property
    def _needed(self) -> str:
        whole = [grouped(int(n)) if math.isfinite(n) else f"{n:g}" for n in self.cases.values()]
        return listed([f"{n} {name}" for n, name in zip(whole, self.cases, strict=True)])


# The table
# ---------


@dataclass(frozen=True, eq=False, repr=False)
class OperatingPointTable(
    HasPoints, Told, Drawn, TableResult, sentence="points.table", figure="operating_points"
):
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

    _line = (
        "{points:count point}, {folds:count {unit}}, {classes:count class}"
        "{undefined:?, {undefined:count {unit}} without a class}"
    )

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes: of two with a positive one the words for them, the negative one first."""
        return self.confusion.classes

    def plot(self, **options: Any) -> Any:
        """Draw it by :func:`rocsteady.plot.operating_points`, or without a positive class the class errors.

        Parameters
        ----------
        **options
            Those of :func:`rocsteady.plot.operating_points`; or, of classes none of which is positive and
            with no ``x`` and ``y``, of :func:`rocsteady.plot.class_errors`.

        Returns
        -------
        Axes
            What was drawn in.
        """
        has_axes = self.has_positive or options.keys() & {"x", "y", "at"}
        return draw(self, "operating_points" if has_axes else "class_errors", **options)

    @property
    def class_words(self) -> tuple[str, ...]:
        """The classes as they are written."""
        return tuple(map(word, self.classes))

    @property
    def _sides(self) -> tuple[str, ...]:
        """What measures call the classes that they need."""
        return ("negative", "positive") if self.has_positive else self.class_words

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
            error = sd * np.sqrt(share_of_variance(1 / n_defined, self.design.test_train_ratio))
        n_cases = None
        if not self.is_weighted and chosen.name in OF_CLASSES:
            n_cases = self.confusion.class_sizes
        elif not self.is_weighted and chosen.needs and isinstance(self.confusion, TwoClassConfusion):
            rows = self.confusion.positives if chosen.needs == ("positive",) else self.confusion.negatives
            n_cases = np.ravel(rows)
        numbers = mean, sd, error, per_fold, n_defined, stacked
        about = chosen.is_share, self.unit, self.class_words, n_cases, self.design.repeats
        return PointMeasure(chosen.name, *numbers, *about)

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
        sides = first.per_fold, second.per_fold
        both = np.isfinite(sides).all(axis=0)
        n = both.sum(axis=0)
        around = [values - over_folds(values)[0] for values in (np.where(both, own, np.nan) for own in sides)]
        with np.errstate(divide="ignore", invalid="ignore"):
            covariance = np.where(n > 1, np.nansum(around[0] * around[1], axis=0) / (n - 1), np.nan)
        return MeasurePair(first, second, covariance, n)

    def confusion_matrix(self, index: int) -> ConfusionMatrix:
        """The counts of one point, all folds stacked, with totals, and recall and precision of each class.

        Examples
        --------
        >>> import rocsteady as rs
        >>> outputs = [[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.4, 0.3, 0.3]] * 2
        >>> scores = rs.MulticlassScores(["a", "b", "c"] * 2, outputs, folds=[1, 1, 1, 2, 2, 2])
        >>> matrix = rs.average_multiclass_points(scores, [1, 1, 1]).confusion_matrix(0)
        >>> matrix, matrix.counts.tolist()
        (ConfusionMatrix(3 classes, 6 cases, 4 decided right), [[2, 0, 0], [0, 2, 0], [2, 0, 0]])
        >>> matrix.recall.tolist(), matrix.precision.tolist()
        ([1.0, 1.0, 0.0], [0.5, 1.0, nan])
        """
        place = point_index(index, self.n_points, "index")
        counts = self.confusion.stacked().matrix[0, place]
        counts = read_only(counts.copy() if self.is_weighted else counts.astype(np.int64))
        recall, precision = self.measure("class_recall"), self.measure("class_precision")
        return ConfusionMatrix(
            self.classes,
            counts,
            counts.sum(axis=1),
            counts.sum(axis=0),
            counts.sum().item(),
            *(own.stacked[place] for own in (recall, precision)),
            *(own.standard_error[place] for own in (recall, precision)),
        )

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
            raise fail("RS002.nearest", given=", ".join(target) or "nothing", way="nearest")
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

    def at_least(self, **target: Any) -> int:
        """The index of the point that keeps a mean of at least a value, as closely as any does.

        Of several it is the one with the smallest mean error of the classes (at a TPR the strictest
        threshold, at an FPR the loosest one with its TPR), then the first. Means are compared to 12 digits;
        points that fewer folds define than others do not count.

        Parameters
        ----------
        **target
            One measure and its value: ``tpr=0.9``, ``precision=0.8``, ``mcc=0.5``. One that has a value for
            each class takes the class: ``class_error={"b": 0.05}``.

        Raises
        ------
        UsageError
            RS007 if no point keeps it; it names the best there is.

        Examples
        --------
        >>> import rocsteady as rs
        >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
        >>> table = rs.average_operating_points(folds)
        >>> table.at_least(tpr=0.7), table.at_most(fpr=0.3)
        (2, 2)
        """
        return self._keeping(target, "at_least")

    def at_most(self, **target: Any) -> int:
        """The index of the point that keeps a mean of at most a value, as :meth:`at_least`."""
        return self._keeping(target, "at_most")

    def _best_by(self, criterion: object, prevalence: float | None, where: Mapping[str, Any]) -> ChosenPoint:
        return chosen_point(self, criterion, prevalence, where)

    def _keeping(self, target: Mapping[str, Any], way: str) -> int:
        if len(target) != 1:
            raise fail("RS002.nearest", given=", ".join(target) or "nothing", way=way)
        ((name, value),) = target.items()
        mean, label, limit = self._mean_of(name, value, way)
        off = np.round(mean, PLACES) - np.round(limit, PLACES)
        off = off if way == "at_least" else -off
        is_kept = off >= 0  # NaN is not
        if not is_kept.any():
            is_defined, is_least = bool(np.isfinite(mean).any()), way == "at_least"
            index = int((np.nanargmax if is_least else np.nanargmin)(mean)) if is_defined else 0
            best, facts = float(mean[index]), {"name": label, "value": limit, "is_least": is_least}
            can_be = float((np.floor if is_least else np.ceil)(best * 1e4) / 1e4) if is_defined else limit
            typed = {next(iter(value)): can_be} if isinstance(value, Mapping) else can_be
            facts |= {"best": best, "index": index, "is_defined": is_defined}
            raise fail("RS007.points", **facts, ways=[f"table.{way}({name}={typed!r})"])
        closest = is_kept & (off == off[is_kept].min())
        errors = np.nan_to_num(np.round(self.measure("class_error").mean.mean(axis=1), PLACES), nan=1.0)
        return int(np.where(closest, errors, np.inf).argmin())

    def _mean_of(self, name: str, value: Any, way: str) -> tuple[Floats, str, float]:
        """The mean of a measure at every point, what it is called, and the number that it is to keep."""
        if name == "threshold":
            raise fail("RS042.of-threshold", way=way)
        found, label, number = self.measure(name), name, value
        mean = np.where(np.isfinite(where_most_define(found.per_fold)).any(axis=0), found.mean, np.nan)
        if mean.ndim > 1:
            words = dict(zip(self.class_words, range(len(self.class_words)), strict=True))
            one = {word(own): of for own, of in value.items()} if isinstance(value, Mapping) else {}
            if len(one) != 1 or not one.keys() <= words.keys():
                raise fail("RS042.of-class", name=name, way=way, classes=list(words), found=value)
            ((own, number),) = one.items()
            mean, label = mean[:, words[own]], f"{name} of {own}"
        limit = one_number(name, number)
        if not (np.isfinite(limit) and (0 <= limit <= 1 or not found.is_share)):
            where = "between 0 and 1" if found.is_share else "a finite number"
            raise fail("RS042", name=label, where=where, found=number, ways=[f"table.{way}(tpr=0.9)"])
        return mean, label, limit

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
    ) -> PointTests:
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
        PointTests(5 of 29 other points not significantly different from point 21 by fpr, alpha 0.05)
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

        def by_point(array: Any) -> Any:
            return np.ascontiguousarray(array[0] if len(measures) == 1 else array.T)

        return PointTests(
            index=place,
            measures=tuple(m.name for m in measures),
            difference=by_point(tests.difference),
            standard_error=by_point(tests.standard_error),
            statistic=by_point(statistic),
            pvalue=by_point(pvalue),
            adjusted_pvalue=by_point(corrected),
            df=float(freedom[0]) if freedom.size == 1 else by_point(tests.df),
            n_defined=by_point(tests.n),
            indistinguishable=together | ~others,
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
            for c, (label, side) in enumerate(zip(self.class_words, self._sides, strict=True)):
                measures.append(replace(one, name=f"{one.name} {label}", needs=(side,)))
                values.append(found[..., c])
        return tuple(measures), np.stack(values, axis=1)

    def to_frame(self, *measures: MeasureLike) -> Any:  # type: ignore[override]
        """One row per point: mean and standard error of measures; fpr and tpr, or each class's error, if none
        is named.
        """
        return frame_of(self._columns(*measures))

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
            while {name, f"{name} {self.class_words[0]}"} & columns.keys():  # every lambda has the same name
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
            "reading": self.reading,
        }
        for name in self._usual:
            found = self.measure(name)
            data[name] = {each: plain(getattr(found, each)) for each in _IN_FRAME}
        return data


def _plain_point(point: Any) -> Any:
    """A point as JSON can carry it; what it cannot is named."""
    point = plain(point)
    if isinstance(point, list):
        return [_plain_point(part) for part in point]
    return point if point is None or isinstance(point, bool | int | float | str) else str(point)


# Thresholds, and points that a function decides by
# -------------------------------------------------

_SOME = Option("thresholds", 30)


def average_operating_points(
    score_set: object,
    *,
    thresholds: int | ArrayLike | None = None,
    points: Iterable[Any] | None = None,
    decide: Callable[[NDArray[Any], Any], Any] | None = None,
    rule: str | None = None,
    undefined: str = "raise",
    threads: int | None = None,
) -> OperatingPointTable:
    """Every measure at every operating point, with its mean and spread over folds (or datasets, readers).

    An operating point is a way to decide, the same in every fold: a threshold on the scores, or anything that
    a function can apply. Its confusion matrix is counted fold by fold, so that any measure of it has a mean,
    a standard deviation and a standard error over folds. For thresholds this is the threshold average
    (:func:`rocsteady.average` with ``"threshold"``), with every other measure beside the two rates. One
    threshold for all folds is meaningful only if the scores of the folds are on one scale; see
    :func:`rocsteady.comparability`.

    Parameters
    ----------
    score_set : ScoreSet, CurveSet, or sequence of RocCurve or Scores
        Scores of one model; its groups are the folds.
    thresholds : None, int or array-like
        None: every distinct score of all folds together, and the infinite end at which nothing is called
        positive (under ``">"`` everything). A whole number m: m of these points, the end and m - 1 scores
        chosen evenly by rank. Both strictest first. An array: as given.
    points, decide : iterable, function
        Instead of thresholds: any operating points, and ``decide(scores, point)``, which is called with the
        scores of one fold and gives one decision for each: True or False, 1 or 0, or the two labels.
    rule : {">=", ">"}
        What calls a score positive; ``">="`` by default. Where low scores are positive ``"<="`` (default)
        or ``"<"``. Under both rules the points are the same decisions in the same order; the thresholds
        are +inf, u1, u2, ... under ``">="`` and u1, u2, ..., -inf under ``">"``.
    undefined : {"raise", "drop"}
        What to do about folds that lack a class. ``"drop"`` leaves each out of the measures that are not
        defined without that class, and lists it in ``.undefined``: a fold without negatives has a TPR and no
        FPR. ``n_defined`` of a measure says how many folds count. (``"keep"`` is another word for it.) Folds
        that were left out of a CurveSet before count nowhere.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    OperatingPointTable
        With ``.measure(...)``, ``.between(x, y)``, ``.nearest(...)``, ``.at_least(...)``, ``.at_most(...)``
        and ``.compare_to(...)``; :func:`choose_cutoff` takes it, too.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
    >>> table = average_operating_points(folds)
    >>> table
    OperatingPointTable(5 points, 2 folds, 2 classes)
    >>> table.thresholds.tolist(), table.measure("tpr").mean.tolist()
    ([inf, 4.0, 3.0, 2.0, 1.0], [0.0, 0.5, 0.75, 1.0, 1.0])
    >>> band = average_operating_points(
    ...     folds, points=[(2, 3), (1, 4)], decide=lambda s, p: (s >= p[0]) & (s <= p[1])
    ... )
    >>> band.measure("accuracy").mean.tolist()
    [0.5, 0.5]
    """
    one_of("undefined", undefined, ("raise", "drop", "keep"))
    asked = {"thresholds": thresholds, "points": points, "decide": decide, "rule": rule}
    names = [name for name, value in asked.items() if value is not None]
    if {"points", "decide"} & set(names) and (names != ["points", "decide"] or not callable(decide)):
        raise fail("RS002.points-or-thresholds", given=", ".join(names))
    groups = members_of(
        score_set,
        undefined="raise" if undefined == "raise" else "drop",
        all_rows_count=undefined != "raise",
        threads=threads,
        function="average_operating_points",
    )
    about: dict[str, Any] = {"folds": groups.names, "unit": groups.unit, "undefined": groups.undefined}
    about |= {"design": groups.design, "is_weighted": groups.curves.is_weighted}
    if points is not None and decide is not None:
        given = points_of(points)
        require_room(len(groups), len(given), unit=groups.unit)
        return OperatingPointTable(_decided(groups, given, decide), tuple(given), **about)
    at, rule, confusion = _at_thresholds(groups, thresholds, rule)
    return OperatingPointTable(confusion, tuple(at.tolist()), thresholds=at, rule=rule, **about)


def _at_thresholds(
    groups: Members, thresholds: Any, rule: str | None
) -> tuple[Floats, str, TwoClassConfusion]:
    table = groups.table
    higher = table.higher_is_positive
    rules = (">=", ">") if higher else ("<=", "<")
    rule = rules[0] if rule is None else one_of("rule", rule, rules)
    is_scalar = isinstance(thresholds, np.ndarray) and thresholds.ndim == 0
    if thresholds is None or not hasattr(thresholds, "__len__") or is_scalar:
        observed = distinct_scores(groups)
        vertex = np.arange(observed.size + 1)
        if thresholds is not None:
            try:
                n_scores = whole_number("thresholds", thresholds, least=2, example=30) - 1
            except UsageError as error:
                where = "a whole number of at least 2, or an array of thresholds"
                ways = [_SOME, ("one threshold is an array of one:  ", Option("thresholds", [0.5]))]
                facts = {"where": where, "found": error.facts["found"], "ways": ways}
                raise fail("RS042", name="thresholds", **facts) from None
            chosen = ranks(observed.size, max(n_scores, 2))[-n_scores:]  # of a single one the loosest
            vertex = np.append(0, 1 + chosen)
        require_room(len(table), vertex.size, Option("thresholds", 100), unit=groups.unit)
        # The point at index 0 calls nothing positive, also where a score is infinite itself; so the counts
        # are read at scores only, by one rule, and the other rule is another name for the same points.
        confusion = _counts_at(groups, observed[vertex[1:] - 1], rules[0], beyond_everything=True)
        end = np.inf if higher else -np.inf
        named = np.append(end, observed) if rule == rules[0] else np.append(observed, -end)
        return named[vertex], rule, confusion
    at = np.array(real_numbers("thresholds", thresholds, example=[0.2, 0.5, 0.8]))
    if at.ndim != 1 or not at.size or np.isnan(at).any():
        ways = [Option("thresholds", [0.2, 0.5, 0.8]), _SOME]
        raise fail("RS042", name="thresholds", where="a list of numbers", found=thresholds, ways=ways)
    require_room(len(table), at.size, Option("thresholds", 100), unit=groups.unit)
    if groups.score_set is not None and groups.score_set.columns.scores.dtype.kind != "f":
        rounded = np.unique(groups.score_set.columns.scores).astype(np.float64)
        alike = np.intersect1d(at, rounded[1:][rounded[1:] == rounded[:-1]])
        if alike.size:  # a threshold stands for several integer scores, be they of different groups
            raise alike_thresholds(alike[0])
    return at, rule, _counts_at(groups, at, rule, beyond_everything=False)


def distinct_scores(groups: Members) -> Floats:
    """Every distinct score of all groups that count, strictest first; RS048 if floats tell too few apart."""
    table = groups.table
    if groups.score_set is None:
        rows = np.ones(table.thresholds.size, dtype=np.bool_)
        rows[table.offsets[:-1]] = False  # the leading threshold of each group is no score
        exact: NDArray[Any] = np.unique(table.thresholds[rows])
    else:
        columns = groups.score_set.columns
        chosen = np.zeros(columns.n_groups, dtype=np.bool_)
        chosen[groups.chosen] = True
        exact = np.unique(columns.scores[np.repeat(chosen, np.diff(columns.offsets))])
    rising = exact.astype(np.float64) + 0.0
    alike = rising[1:] == rising[:-1]
    if alike.any():
        raise alike_thresholds(rising[1:][alike][0])
    return rising[::-1] if table.higher_is_positive else rising


def _counts_at(groups: Members, at: Floats, rule: str, *, beyond_everything: bool) -> TwoClassConfusion:
    """What every group counts at thresholds, led by a point that calls nothing positive if that is wanted."""
    table, lead = groups.table, int(beyond_everything)
    vertices = table.offsets[:-1, None] + vertices_of_groups(table, at, rule)
    counts = (
        np.pad(own[vertices].astype(np.float64), [(0, 0), (lead, 0)])
        for own in (table.true_positives, table.false_positives)
    )
    sizes = (np.asarray(n, dtype=np.float64)[:, None] for n in (table.n_positives, table.n_negatives))
    words = (groups.classes.negative, groups.classes.positive)
    return TwoClassConfusion(words, *(read_only(array) for array in (*counts, *sizes)))


_FLAGS = {"1": True, "0": False, "True": True, "False": False}


def points_of(points: Iterable[Any]) -> list[Any]:
    """The operating points as a list, whatever they came in; RS002 if they came in nothing."""
    is_scalar = isinstance(points, np.ndarray) and points.ndim == 0
    if isinstance(points, Iterable) and not isinstance(points, str | bytes | Mapping) and not is_scalar:
        points = list(points)
        if points:
            return points
    way = "points=[0.2, 0.5, 0.8], decide=..."
    found = f"{points!r:.60}"
    raise fail("RS002.kind", name="points", kind="a list of operating points", found=found, ways=[way])


def _decided(groups: Members, points: list[Any], decide: Callable[[Any, Any], Any]) -> TwoClassConfusion:
    """The confusion matrices of decisions that a function makes; what it raises comes through unchanged."""
    scores = groups.score_set
    if scores is None:
        raise fail("RS002.decide-curves", n=len(groups))
    shape = (len(groups), len(points))
    tp, fp, sizes = np.zeros(shape), np.zeros(shape), np.zeros((2, len(groups), 1))
    for i, member in enumerate(groups.chosen):
        fold = scores[int(member)]
        weights = np.ones(fold.scores.size) if fold.sample_weight is None else fold.sample_weight
        of_positives = np.where(fold.is_positive, weights, 0.0)
        of_negatives = np.where(fold.is_positive, 0.0, weights)
        sizes[0, i], sizes[1, i] = of_positives.sum(), of_negatives.sum()
        units = fold.scores.view()
        units.flags.writeable = False  # what one point does to them must not reach the next
        for j, point in enumerate(points):
            given = decide(units, point) if units.size else np.empty(0, dtype=np.bool_)
            called = one_each(given, fold.scores.size, "score")
            if isinstance(called, np.ndarray) and called.dtype.kind != "b":
                called = _from_labels(called, groups.classes)
            if isinstance(called, str):
                where = f"{named(groups.unit, groups.names[i])}, point {j} ({point!r:.40})"
                labels = {"positive": groups.classes.positive, "negative": groups.classes.negative}
                raise fail("RS073.decide", fault=called, where=where, **labels)
            # Sums over all rows, whoever was called: weights are then rounded as in the size of the class.
            tp[i, j], fp[i, j] = (np.where(called, of, 0.0).sum() for of in (of_positives, of_negatives))
    words = (groups.classes.negative, groups.classes.positive)
    return TwoClassConfusion(words, *(read_only(array) for array in (tp, fp, sizes[0], sizes[1])))


def one_each(given: Any, n: int, noun: str) -> NDArray[Any] | str:
    """Decisions as an array, or what is wrong with it."""
    if isinstance(given, np.ma.MaskedArray) and np.ma.getmaskarray(given).any():
        return "masked decisions"
    try:
        array: NDArray[Any] = np.asarray(given)
    except ValueError:
        return "rows of different lengths"
    if array.shape != (n,):
        return "None" if given is None else f"shape {array.shape} for {counted(n, noun)}"
    return array


def _from_labels(array: NDArray[Any], classes: Classes) -> Mask | str:
    """Which cases numbers and words call positive: 1 and 0, or the labels, unless a value means both."""
    if array.dtype.kind in "OUS":
        array = np.array([_label_word(value) for value in array.tolist()], dtype=np.str_)
        values = np.unique(array)
    elif array.dtype.kind in "iuf":
        values = np.unique([array.min(), array.max()])
        if not (is_known := np.isin(array, values)).all():
            values = np.append(values, array[~is_known][:1])
    else:
        return f"values of type {array.dtype}"
    words = [_label_word(value) for value in values[:3].tolist()]
    labels = {classes.positive: True, classes.negative: False}
    for meaning, other in ((_FLAGS, labels), (labels, _FLAGS)):
        if values.size > 2 or not all(each in meaning for each in words):
            continue
        clash = [each for each in words if other.get(each, meaning[each]) != meaning[each]]
        if clash:
            return f"{clash[0]}, which as a label is one class and as a flag the other"
        positive = [value for value, each in zip(values, words, strict=True) if meaning[each]]
        return np.isin(array, positive)
    strange = [each for each in words if each not in _FLAGS and each not in labels]
    return f"the value {printable((strange or words)[0]):.60}"


def _label_word(value: object) -> str:
    """A decision as the word for a class is written: 1.0 is 1."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return word(int(value))
    return word(value)


# The points next to a chosen one
# -------------------------------


def nearby_thresholds(
    scores: NDArray[Any], chosen: float, n: int, *, higher_is_positive: bool
) -> NDArray[np.float64]:
    """The chosen threshold and ``n`` others, strictest first, at geometrically growing distances by rank.

    On both sides, up to the ends; one that has too few scores leaves its share to the other.

    >>> nearby_thresholds(np.arange(1000), 10.0, 8, higher_is_positive=True)
    array([ inf, 109.,  20.,  11.,  10.,   9.,   8.,   5.,   0.])
    """
    nothing = np.inf if higher_is_positive else -np.inf
    rising = np.union1d(np.asarray(scores, dtype=np.float64), [nothing, chosen])
    every = rising[::-1] if higher_is_positive else rising
    at = int(np.flatnonzero(every == chosen)[0])
    n_stricter, n_looser = at, every.size - 1 - at
    n_looser = min(n_looser, n - min(n_stricter, n // 2))
    n_stricter = min(n_stricter, n - n_looser)
    stricter, looser = growing(at, n_stricter), growing(every.size - 1 - at, n_looser)
    return np.concatenate([every[at - stricter[::-1]], every[[at]], every[at + looser]])


def growing(longest: int, n: int) -> NDArray[np.intp]:
    """``n`` different distances from 1 to ``longest``, each about the same factor longer than the last.

    >>> growing(1000, 4), growing(5, 5), growing(9, 1), growing(3, 0)
    (array([   1,   10,  100, 1000]), array([1, 2, 3, 4, 5]), array([1]), array([], dtype=int64))
    """
    if n < 2:
        return np.arange(1, n + 1, dtype=np.intp)
    wanted = np.rint(longest ** (np.arange(n) / (n - 1))).astype(np.intp)
    steps = np.arange(n)
    apart = np.maximum.accumulate(wanted - steps) + steps  # at least one more than the last
    return np.minimum(apart, longest - steps[::-1])  # with room for those to come


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The chosen cut-off against others, by both rates."""

    table: OperatingPointTable  # strictest first, the chosen one among them
    by_fpr: PointTests
    by_tpr: PointTests

    @property
    def index(self) -> int:
        """Where the chosen cut-off stands."""
        return self.by_fpr.index

    @property
    def span(self) -> tuple[int, int]:
        """From one before the first point that is not significantly different to one after the last."""
        alike = [int(i) for comparison in (self.by_fpr, self.by_tpr) for i in comparison.neighbourhood]
        return max(min(alike) - 1, 0), min(max(alike) + 1, self.table.n_points - 1)

    def around(self, most: int = 12) -> list[int]:
        """The span, or some of it: its ends, those next to the chosen one, and some between them."""
        first, last = self.span
        half = most // 2
        return [
            *(self.index - i for i in reversed(_some(self.index - first, half))),
            self.index,
            *(self.index + i for i in _some(last - self.index, half)),
        ]

    @property
    def alike(self) -> tuple[float, float]:
        """The strictest and the loosest cut-off up to which none differs significantly in either rate.

        Cut-offs between two that were looked at decide between the two, so the range has no gaps.
        """
        told = np.flatnonzero(~(self.by_fpr.indistinguishable & self.by_tpr.indistinguishable))
        first = max((i + 1 for i in told if i < self.index), default=0)
        last = min((i - 1 for i in told if i > self.index), default=-1)
        assert self.table.thresholds is not None
        return float(self.table.thresholds[first]), float(self.table.thresholds[last])


def _some(n: int, most: int) -> list[int]:
    """1 to n, or as many of these as may be, evenly and with both ends."""
    if n <= most:
        return list(range(1, n + 1))
    return [1 + round(i * (n - 1) / (most - 1)) for i in range(most)]


def only_with_curve(score_set: ScoreSet) -> ScoreSet:
    """The groups that have both classes, as in the average that a shared cut-off is chosen on."""
    return score_set.take(score_set.group_index[score_set.has_curve])


def neighbourhood_of(
    score_set: ScoreSet,
    threshold: float,
    *,
    rule: str | None = None,
    n_points: int = 30,
    alpha: float = 0.05,
    test_train_ratio: float | None = None,
) -> Neighbourhood | None:
    """The cut-off among others of one model's scores; None where fewer than two groups have both classes.

    The others are the scores next to it, and ever further ones by rank, up to both ends.

    >>> from rocsteady.simulate import ShiftedDatasets
    >>> hosts = ShiftedDatasets("C-2a", separation=3).draw(20, 40, 40, seed=1, unit="host")
    >>> found = neighbourhood_of(hosts, float(hosts.columns.scores[5]), n_points=10)
    >>> found.table.n_points, len(found.around(6)) <= 7
    (11, True)
    """
    with_curve = only_with_curve(score_set)
    if len(with_curve) < 2:
        return None
    higher = score_set.higher_is_positive
    at = nearby_thresholds(score_set.columns.scores, threshold, n_points, higher_is_positive=higher)
    table = average_operating_points(with_curve, thresholds=at, rule=rule)
    how: dict[str, Any] = {"alpha": alpha, "test_train_ratio": test_train_ratio}
    index = table.nearest(threshold=threshold)
    return Neighbourhood(table, *(table.compare_to(index, rate, **how) for rate in ("fpr", "tpr")))
