"""What every average has.

A polyline, its area, points with intervals, readings that it does not hold fixed.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Array, Floats, Mask
from rocsteady.averaging.bounds import AverageBounds
from rocsteady.averaging.members import Members
from rocsteady.averaging.methods import AlongDirection, AtCosts, Direction, Method, Pooled, Threshold
from rocsteady.calling import welcomes
from rocsteady.counting.table import CountTable, places_in_groups
from rocsteady.curves.readings import Bounded, Bounds, read_path, scalar_or_array
from rocsteady.errors import RocsteadyWarning, fail, warn
from rocsteady.options import How, one_of, rates
from rocsteady.places import Place, Where, keyword_place
from rocsteady.results import TableResult, plain, read_only
from rocsteady.scores.design import Design
from rocsteady.scores.labels import Classes
from rocsteady.showing import Drawn, Told
from rocsteady.statistics.groups import (
    degrees_of_freedom,
    effective_number,
    is_skewed,
    limits_of_mean,
    spread,
)
from rocsteady.statistics.intervals import Interval
from rocsteady.statistics.resampling import drawn_counts, drawn_means
from rocsteady.words import counted, printable

if TYPE_CHECKING:
    from rocsteady.averaging.bands import Band
    from rocsteady.curves.curve_set import CurveSet

Points = tuple[Floats, Floats, Floats, Floats]

FEWEST_GROUPS = 8
"""Below which resampled groups are too few and too much alike."""
MOST_VALUES = 4_000_000
"""Values of all groups that an interval looks at; more positions than that give no finer answer."""
_MOST_KEPT = 2**21
"""Points of groups that an average keeps for the next question: 32 MB of them, two coordinates each."""
_ROUNDED = 1e-12
"""How far off rates and positions may be: jumps, and vertices on an oblique line, are met within that."""


@dataclass(frozen=True)
class Averaged:
    """What was averaged: what sentences about an average and its points say of it.

    Attributes
    ----------
    method : Method
        What was averaged along what.
    n_groups, unit, classes, design
        How many groups, the words for one of them and for the classes, how they came about.
    is_weighted : bool
        Whether some groups count more than others.
    smroc_areas : (float, float) or None
        Of smROC curves the mean smAUC, and about what labels dealt at random would give.
    hook : (float, float) or None
        The false positive rates at which a binormal curve lies below chance, where that is worth saying.
    area_off : float or None
        Where rows were counted in cells: how far the area of the average of all rows can be off.
    """

    method: Method
    n_groups: int
    unit: str
    classes: Classes
    design: Design
    is_weighted: bool
    smroc_areas: tuple[float, float] | None = None
    hook: tuple[float, float] | None = None
    area_off: float | None = None

    @property
    def is_smroc(self) -> bool:
        """Whether the axes are shares of debit and credit instead of rates."""
        return self.smroc_areas is not None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AveragePoint(Told, TableResult, sentence="averages.point"):
    """One point of an average, with its intervals and what it means.

    Attributes
    ----------
    fpr, tpr : float (or array)
        The point.
    threshold : float or None
        The shared threshold, if there is one.
    fpr_interval, tpr_interval : Interval or None
        Confidence intervals of the mean over groups; None for the coordinate that was held fixed. What is
        random is the groups.
    confidence_level : float
        Of the intervals.
    held : str
        What was asked for: "fpr", "tpr", "threshold", "alerts" (with its value in ``rate``), "eer", "ratio"
        or "costs".
    thresholds : (float, float) or None
        Where every group has its own threshold: the smallest and the largest of them.
    group_range : pair of (float, float), or None
        At a shared threshold the least and the largest FPR, and TPR, of single groups.
    kept : AveragePoint or None
        Where one threshold is shared and was set to meet a rate: the same threshold taken as a constant, with
        an interval for either rate. The intervals above count that it would be set again.
    fpr_bounds, tpr_bounds : Bounds or None
        Where rows were counted in cells: between which values the point of the average of all rows certainly
        lies. The intervals are widened by them.
    reading : str
        What the point means.
    """

    fpr: Any
    tpr: Any
    threshold: Any = None
    fpr_interval: Interval | None
    tpr_interval: Interval | None
    confidence_level: float
    held: str
    rate: Any = None
    thresholds: tuple[float, float] | None = None
    group_range: tuple[tuple[float, float], tuple[float, float]] | None = None
    kept: AveragePoint | None = None
    fpr_bounds: Bounds | None = None
    tpr_bounds: Bounds | None = None
    _averaged: Averaged

    @property
    def averaged(self) -> Averaged:
        """What was averaged."""
        return self._averaged

    def _columns(self) -> dict[str, Any]:
        columns = {"fpr": self.fpr, "tpr": self.tpr, "threshold": self.threshold}
        for name in ("fpr", "tpr"):
            bounds, interval = getattr(self, f"{name}_bounds"), getattr(self, f"{name}_interval")
            if bounds is not None:
                columns |= {f"{name}_at_least": bounds.low, f"{name}_at_most": bounds.high}
            if interval is not None:
                columns |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
        return {name: np.atleast_1d(value) for name, value in columns.items() if value is not None}

    def __repr__(self) -> str:
        if np.ndim(self.fpr):
            return f"AveragePoint(at {counted(np.size(self.fpr), 'position')})"
        fpr, tpr = ("debit share", "credit share") if self.averaged.is_smroc else ("fpr", "tpr")
        own_fpr = _known(self.fpr, self.fpr_interval, self.fpr_bounds)
        own_tpr = _known(self.tpr, self.tpr_interval, self.tpr_bounds)
        return f"AveragePoint({fpr} {own_fpr}, {tpr} {own_tpr})"


def _known(value: float, interval: Interval | None, bounds: Bounds | None) -> str:
    """A rate with its interval; only its bounds where these are all that is known."""
    if bounds is not None:
        return f"{bounds.low:.6f} to {bounds.high:.6f}"
    return f"{value:.4f}" if interval is None else f"{value:.4f} ({interval.low:.4f} to {interval.high:.4f})"


@dataclass(frozen=True, eq=False, repr=False)
class Average(Told, Bounded, Drawn, TableResult, figure="average", sentence="averages.curve"):
    """One curve from many, made by :func:`rocsteady.average`.

    Attributes
    ----------
    method : Method
        What was averaged along what; a plain method equals its name, ``average.method == "vertical"``.
    bounds : AverageBounds or None
        Where rows were counted in cells this is the average of the curves in the middle: ``lower`` and
        ``upper`` are the lowest and the highest that the counts allow, and points and areas have bounds.
        Bands and intervals of areas are those of the middle. None where counts are exact.
    reading : str
        What the curve means: what is held fixed and what varies; and how certain it is.
    """

    method: Method
    _weights: Floats  # as they were given; shares of one would be rounded
    _groups: Members
    bounds: AverageBounds | None = field(default=None, kw_only=True)

    # What a family of averages adds to what all of them have
    # -------------------------------------------------------

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        """``fpr`` and ``tpr`` from (0, 0) to (1, 1), neither falling."""
        raise TypeError(f"{type(self).__name__} does not draw its curve")

    def _made_points(self) -> Points:
        """The points whose mean is the average, and what each group counts on either axis.

        ``fpr`` and ``tpr`` of ``(n_groups, n)``: column ``k`` is one threshold, position, ray or cost for all
        groups. Weights are ``(n_groups,)`` each; they need not sum to one.
        """
        raise TypeError(f"{type(self).__name__} is not a mean of points")

    @property
    def _points(self) -> Points:
        """The same, kept unless they are many: area, points and bands are asked for one after the other."""
        points: Points = self.__dict__.get("_kept_points") or self._made_points()
        if points[0].size <= _MOST_KEPT:
            self.__dict__["_kept_points"] = points
        return points

    def _shared_threshold(self, fpr: float, tpr: float) -> float | None:
        """The threshold that all groups share at a point of the average, if they share one."""
        return None

    def _scale(self, how: How) -> str:
        """On which scale the limits of a rate are made where the average holds the other."""
        return how.scale

    def _group_rates_at(self, name: str, at: Floats) -> tuple[Floats, Floats] | None:
        """Rates of every group, ``(n_groups, n)`` each, where the average holds ``name``; else None."""
        return None

    def _read_between(self, held: str, at: Floats) -> tuple[Floats, Floats]:
        """Between which values the free rate of the curve lies where one has a value."""
        found = self.tpr_at(at) if held == "fpr" else self.fpr_at(at)
        return found, found

    def _cases_behind(self, rate: str) -> tuple[Floats, Array]:
        """What every group counts in a mean, and its number of cases: for areas of the rarer class."""
        groups = self._groups
        sizes = {"fpr": groups.n_negatives, "tpr": groups.n_positives}
        return self.weights, sizes[rate] if rate in sizes else np.minimum(*sizes.values())

    # What was averaged
    # -----------------

    @cached_property
    def averaged(self) -> Averaged:
        """What was averaged, for sentences."""
        is_weighted = bool((self.weights != self.weights[0]).any())
        return Averaged(
            self.method,
            self.n_groups,
            self.unit,
            self.classes,
            self.design,
            is_weighted,
            area_off=None if self.bounds is None else float(self.auc_bounds.half_width),
        )

    @cached_property
    def weights(self) -> Floats:
        """What every group counts; they sum to one."""
        return read_only(self._weights / self._weights.sum())

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the groups in the average; those of one class are in the pooled curve only."""
        return self._groups.names

    @property
    def undefined(self) -> tuple[str, ...]:
        """Groups without a curve and why, for example ``("host-23: no positives",)``."""
        return self._groups.undefined

    @property
    def curves(self) -> CurveSet:
        """The curves of the groups in the average, in the order of ``members``; one class makes no curve."""
        return self._groups.curves

    @property
    def unit(self) -> str:
        """The word for a group."""
        return self._groups.unit

    @property
    def classes(self) -> Classes:
        """The words for the two classes."""
        return self._groups.classes

    @property
    def n_groups(self) -> int:
        """How many groups are in the average."""
        return len(self._groups)

    @property
    def design(self) -> Design:
        """How the groups came about: what is random follows from it."""
        return self._groups.design

    @property
    def _ratio(self) -> float:
        """What the design adds to ``sum(weights**2)`` in the variance of the mean."""
        return self.design.test_train_ratio

    @property
    def effective_groups(self) -> float:
        """How many groups of equal weight would be as sure: ``1 / sum(weights**2)``."""
        return effective_number(self.weights)

    @property
    def degrees_of_freedom(self) -> float:
        """Of the t intervals: one less than the groups if all weigh the same, fewer otherwise."""
        return degrees_of_freedom(self.weights)

    # The curve and its area
    # ----------------------

    @property
    def fpr(self) -> Floats:
        """False positive rate at every vertex."""
        return self._polyline[0]

    @property
    def tpr(self) -> Floats:
        """True positive rate at every vertex."""
        return self._polyline[1]

    @cached_property
    def auc(self) -> float:
        """Area under the average."""
        fpr, tpr = self._polyline
        return float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2)

    def auc_interval(
        self, confidence_level: float = 0.95, *, quantile: str = "t", scale: str = "logit"
    ) -> Interval:
        """Confidence interval of the area; what is random is the groups.

        Student's t for the logit of the area (``scale="linear"``: of the area itself). The area under an
        average along a direction is the mean of the groups' areas; of other averages the spread is that of
        what every group adds to the area. Of groups that agree the cases speak (Clopper & Pearson, RS210).

        Examples
        --------
        >>> import rocsteady as rs
        >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
        >>> hosts = rs.ScoreSet.from_folds(folds, design="independent")
        >>> rs.average(hosts, "vertical").auc_interval(0.5)
        Interval(0.7419 to 0.8672, confidence level 0.5, logit t)
        """
        how = How(confidence_level, quantile, scale=scale)
        middle, values, weights = self._areas()
        error = spread(values[:, None], weights, self._ratio).standard_error
        alike, areas = mostly_alike(values[:, None]), middle + values
        warn_if_alike(self, how, alike)
        if is_skewed(areas, is_widened=self._ratio > 0, scale=scale):
            warn("RS289.auc", unit=self.unit, mean=areas.mean(), sd=areas.std(ddof=1), n=areas.size)
        return self._interval("auc", self.auc, error[0], how, alike[0], self.degrees_of_freedom)

    def _areas(self) -> tuple[float, Floats, Floats]:
        """What every group adds to the area, around which middle, and what it counts there."""
        if self.n_groups < 2 or self.effective_groups <= 1:  # pooled groups may have one class each
            return self.auc, np.array([np.nan]), np.ones(1)
        values = self._linearised_area()
        return self.auc, values, np.full(values.size, 1 / values.size)

    @cached_property
    def equal_error_rate(self) -> float:
        """The error rate where the average has FPR = FNR.

        Only the diagonal and the radial average read the mean of the groups' own equal error rates there.
        """
        position = self.fpr + self.tpr
        return float(read_path(position, self.fpr, np.array(1.0), end="last"))

    def minimum_cost(self, *, false_positive: float, false_negative: float, prevalence: float) -> float:
        """The expected cost per case of the average's best point at these costs."""
        of_misses, of_alarms = AtCosts(false_positive, false_negative, prevalence).expected
        return float(np.min(of_misses * (1 - self.tpr) + of_alarms * self.fpr))

    def tpr_at(self, fpr: ArrayLike, side: str = "upper") -> Any:
        """The true positive rate of the average at a false positive rate; on a jump its top or bottom."""
        end = {"upper": "last", "lower": "first"}[one_of("side", side, ("upper", "lower"))]
        return scalar_or_array(read_path(self.fpr, self.tpr, rates("fpr", fpr), end=end), fpr)

    def fpr_at(self, tpr: ArrayLike, side: str = "lower") -> Any:
        """The false positive rate of the average at a true positive rate; on a jump its left or right end."""
        end = {"lower": "first", "upper": "last"}[one_of("side", side, ("lower", "upper"))]
        return scalar_or_array(read_path(self.tpr, self.fpr, rates("tpr", tpr), end=end), tpr)

    # Points and bands
    # ----------------

    @welcomes("average.at(fpr=0.05)", "average.at(threshold=0.7)")
    def at(
        self,
        place: Place | Mapping[str, Any] | None = None,
        *,
        confidence_level: float = 0.95,
        quantile: str = "t",
        scale: str = "logit",
        **where: Unpack[Where],
    ) -> AveragePoint:
        """A point of the average, how sure it is and what it means.

        Parameters
        ----------
        place : mapping, optional
            Where, as it is written elsewhere: ``{"fpr": 0.05}``; or as a keyword:
        **where
            One of ``fpr``, ``fmr``, ``specificity``, ``tpr``, ``sensitivity``, ``fnr``, ``fnmr``,
            ``threshold`` and ``alerts`` (also ``rate``; the share of cases called positive, or their number),
            with a number or an array. Where a shared threshold would be set again to meet a rate, that is
            counted in the interval of the other one.
        confidence_level : float
            Between 0 and 1.
        quantile : {"t", "normal"}
            Student's t (default), or the normal quantile, which is too narrow for few groups.
        scale : {"logit", "linear"}
            Limits are made for the logit of a mean rate and stay between 0 and 1, or for the mean itself, as
            in the papers. Oblique directions are linear.

        Returns
        -------
        AveragePoint
            The coordinate held fixed has no interval. Of groups that agree the cases speak (RS210).
        """
        how = How(confidence_level, quantile, scale=scale)
        held = self._place(place, where)
        point = self._at(held.kind, held.value, how)
        return point if self.bounds is None else self.bounds.widened(self, point, held.kind, held.value, how)

    def _place(self, place: object, where: Mapping[str, Any]) -> Place:
        """The place that is meant; a number of alerts as their share of all cases."""
        found = keyword_place(place, where, task="read an average at", example="average.at(fpr=0.05)")
        return found.among(self._groups.n_positives.sum() + self._groups.n_negatives.sum())

    def _at(self, name: str, value: ArrayLike, how: How) -> AveragePoint:
        """The point where ``name`` has this value: here a rate that the average does not hold fixed."""
        if name not in ("fpr", "tpr"):
            raise self._refused(name)
        at = rates(name, value)
        free, read = ("tpr", self.tpr_at) if name == "fpr" else ("fpr", self.fpr_at)
        found = np.asarray(read(at))
        low, high, alike = reading_limits(self, name, at.ravel(), found.ravel(), how)
        warn_if_alike(self, how, alike, at.ravel())
        few = few_beyond(self, name, at.ravel())
        if few is not None:
            warn("RS317.shared", **few)
        point = {name: scalar_or_array(at, value), free: scalar_or_array(found, value)}
        threshold = None if at.ndim else self._shared_threshold(point["fpr"], point["tpr"])
        kept = None
        if threshold is not None:
            with warnings.catch_warnings():  # what its groups have in common has been said of the reading
                warnings.simplefilter("ignore", RocsteadyWarning)
                kept = self._at("threshold", threshold, how)
        low, high = (scalar_or_array(limit.reshape(at.shape), value) for limit in (low, high))
        interval = Interval(low, high, how.confidence_level, how.name)
        return self._point(how, name, **point, intervals={free: interval}, threshold=threshold, kept=kept)

    def _point(
        self, how: How, held: str, fpr: Any, tpr: Any, intervals: dict[str, Interval], **facts: Any
    ) -> AveragePoint:
        return AveragePoint(
            fpr=fpr,
            tpr=tpr,
            fpr_interval=intervals.get("fpr"),
            tpr_interval=intervals.get("tpr"),
            confidence_level=how.confidence_level,
            held=held,
            **facts,
            _averaged=self.averaged,
        )

    def _refused(self, name: str) -> Exception:
        """RS084: why the average cannot be read there."""
        is_smroc = self.averaged.is_smroc
        if name != "threshold":
            return fail("RS084.smroc-rate" if is_smroc else "RS084.rate", label=self.method.label)
        # In the middle of the curve, where a user would look first.
        low, high = self._thresholds_in_use("fpr", 0.05)
        return fail(
            "RS084.smroc-threshold" if is_smroc else "RS084.threshold",
            label=self.method.label,
            unit=self.unit,
            low=low,
            high=high,
        )

    def _thresholds_in_use(self, held: str, value: Any) -> tuple[float, float]:
        """The smallest and the largest threshold at which groups reach a rate of their own."""
        direction = Direction(0.0, 1.0, 0.0) if held == "fpr" else Direction(np.pi / 2, 0.0, 1.0)
        found = own_thresholds(self._groups.table, direction, np.array([float(value)]))
        return float(found.min()), float(found.max())

    def band(
        self,
        confidence_level: float = 0.95,
        kind: str = "pointwise",
        quantile: str = "t",
        fpr: tuple[float, float] = (0.02, 0.5),
        *,
        at: ArrayLike | None = None,
        scale: str = "logit",
        n_resamples: int = 2000,
        seed: int = 0,
    ) -> Band:
        """Limits around the whole curve.

        Parameters
        ----------
        confidence_level : float
            Between 0 and 1.
        kind : {"pointwise", "simultaneous", "prediction"}
            Around the mean, each point by itself; around the mean, the whole curve over the declared range at
            once; for the curve of one more group.
        quantile : {"t", "normal"}
            Of pointwise and prediction bands.
        fpr : (float, float)
            The declared range of false positive rates: of simultaneous bands, and of averages that are read
            at false positive rates.
        at : array-like, optional
            False positive rates where limits are wanted, for example on a log scale; an even grid by default.
            Where the range is declared, only those in it.
        scale : {"logit", "linear"}
            Of a pointwise band, as in :meth:`at`.
        n_resamples, seed : int
            Of a simultaneous band.
        """
        from rocsteady.averaging.bands import KINDS, band_of

        one_of("kind", kind, KINDS)
        return band_of(self, kind, fpr, at, How(confidence_level, quantile, n_resamples, seed, scale))

    # Limits
    # ------

    def _limits(
        self, rate: str, mean: Any, error: Any, how: How, alike: Mask | bool, df: float | None = None
    ) -> tuple[Floats, Floats]:
        """Limits of a mean rate or area; where groups are ``alike`` also their cases speak."""
        weights, n_cases = self._cases_behind(rate)
        return limits_of_mean(
            mean,
            error,
            alike,
            weights,
            None if self._groups.is_weighted else n_cases,
            how.confidence_level,
            df=degrees_of_freedom(weights) if df is None else df,
            quantile=how.quantile,
            scale=how.scale,
            repeats=self.design.repeats,
        )

    def _interval(
        self, rate: str, mean: Any, error: Any, how: How, alike: Any, df: float | None = None
    ) -> Interval:
        """The same as an interval: numbers for a number, arrays for an array."""
        limits = self._limits(rate, mean, error, how, alike, df)
        low, high = (scalar_or_array(np.asarray(limit), mean) for limit in limits)
        return Interval(low, high, how.confidence_level, how.name)

    # What every group adds, and resampled groups
    # -------------------------------------------

    def _linearised(self, at: Floats, held: str = "fpr") -> Floats:
        """What every group adds to the free rate of the average at values of the held one.

        ``(n_groups, n)``, centred at 0, its plain mean over groups having the variance of the reading: how
        far the group lies from the average in the free rate, at what all share there, less the slope of the
        average times how far it lies in the held one. The slope is a secant over two standard errors of the
        mean held rate, the span over which resampled averages meet it.
        """
        fpr, tpr, fpr_weights, tpr_weights = self._points
        axes = [(fpr, fpr_weights / fpr_weights.sum()), (tpr, tpr_weights / tpr_weights.sum())]
        (x, x_weights), (y, y_weights) = axes if held == "fpr" else axes[::-1]
        n_groups, mean_x, mean_y = x.shape[0], x_weights @ x, y_weights @ y
        rising = np.maximum.accumulate(mean_x)
        column = np.searchsorted(rising, at + _ROUNDED, side="right") - 1
        if held == "tpr":
            column = np.searchsorted(rising, at - _ROUNDED, side="left").clip(0, rising.size - 1)
        # Between two thresholds, where coarse scores leave far steps, both of them count.
        after = np.minimum(column + 1, rising.size - 1) if held == "fpr" else np.maximum(column - 1, 0)
        gap = rising[after] - rising[column]
        share = np.divide(at - rising[column], gap, out=np.zeros_like(gap), where=gap != 0).clip(0.0, 1.0)
        along, across = (
            (1 - share) * (own[:, column] - mean[column]) + share * (own[:, after] - mean[after])
            for own, mean in ((x, mean_x), (y, mean_y))
        )
        along *= n_groups * x_weights[:, None]
        across *= n_groups * y_weights[:, None]
        reach = np.sqrt((along**2).sum(axis=0) / (n_groups * max(n_groups - 1, 1)))
        low, high = np.clip(at - reach, 0, 1), np.clip(at + reach, 0, 1)
        read = self.tpr_at if held == "fpr" else self.fpr_at
        rise = np.asarray(read(high)) - np.asarray(read(low))
        slope = np.divide(rise, high - low, out=np.zeros_like(rise), where=high > low)
        along *= slope
        across -= along
        return np.asarray(across)

    def _linearised_area(self) -> Floats:
        """What every group adds to the area under the average, ``(n_groups,)``.

        The area is ``sum((x[k+1] - x[k]) * (y[k+1] + y[k])) / 2`` of the mean points, so a group that moves
        them adds its own steps along x under the mean curve, and its own heights over the mean's steps.
        """
        fpr, tpr, fpr_weights, tpr_weights = self._points
        x, y = fpr_weights / fpr_weights.sum(), tpr_weights / tpr_weights.sum()
        mean_x, mean_y = (_from_corner_to_corner((own @ rate)[None])[0] for own, rate in ((x, fpr), (y, tpr)))
        heights, steps = (mean_y[1:] + mean_y[:-1]) / 2, np.diff(mean_x)
        along = (fpr - x @ fpr) @ (heights[:-1] - heights[1:])
        across = (tpr - y @ tpr) @ ((steps[:-1] + steps[1:]) / 2)
        return np.asarray(fpr.shape[0] * (x * along + y * across))

    def _sampled(self) -> tuple[Floats, Floats]:
        """The average through the points that resampled ones go through."""
        fpr, tpr, fpr_weights, tpr_weights = self._points
        means = fpr_weights @ fpr / fpr_weights.sum(), tpr_weights @ tpr / tpr_weights.sum()
        x, y = (_from_corner_to_corner(mean[None])[0] for mean in means)
        return x, y

    def _resampled(self, how: How) -> Iterator[tuple[Floats, Floats]]:
        """Averages of resampled groups, in blocks: ``fpr`` and ``tpr`` of ``(resamples, n)``.

        NaN where no group with some class was drawn: resamples keep their numbers, which pair them with those
        of another model.
        """
        fpr, tpr, fpr_weights, tpr_weights = self._points
        for counts in drawn_counts(fpr.shape[0], how.n_resamples, how.seed):
            x, y = drawn_means(fpr, fpr_weights, counts), drawn_means(tpr, tpr_weights, counts)
            yield _from_corner_to_corner(x), _from_corner_to_corner(y)

    # What every result has
    # ---------------------

    def to_dict(self) -> dict[str, Any]:
        """The average as plain data that JSON can carry."""
        found = {"method": str(self.method), "unit": self.unit, "auc": self.auc, "reading": self.reading}
        found |= {"members": self.members, "weights": self.weights, "undefined": self.undefined}
        found |= {"design": self.design.to_dict()}
        if self.bounds is not None:
            found["auc_bounds"] = [self.auc_bounds.low, self.auc_bounds.high]
        found |= self._columns()
        return {name: plain(value) for name, value in found.items()}

    def _columns(self) -> dict[str, Any]:
        return {"fpr": self.fpr, "tpr": self.tpr}

    def __repr__(self) -> str:
        groups = counted(len(self.members), printable(self.unit))
        left_out = f", {len(self.undefined)} without a curve" if self.undefined else ""
        return f"{type(self).__name__}({self.method}, {groups}{left_out}, {self._area_words()})"

    def _area_words(self) -> str:
        bounds = None if self.bounds is None else self.auc_bounds
        return f"AUC {self.auc:.4f}" if bounds is None else f"AUC {bounds.low:.6f} to {bounds.high:.6f}"


def in_blocks(values: Array, n_groups: int) -> list[Array]:
    """Values in pieces, of which each times the number of groups fits the memory of a small machine."""
    n_blocks = -(-values.size * n_groups // MOST_VALUES)
    return np.array_split(values, max(n_blocks, 1))


def make_monotone(fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
    """The polyline from exactly (0, 0) to exactly (1, 1), freed from falls of a rounding error."""
    return _rising(fpr), _rising(tpr)


def _rising(rate: Floats) -> Floats:
    rate = np.clip(np.maximum.accumulate(rate), 0.0, 1.0)
    rate[0], rate[-1] = 0.0, 1.0
    return read_only(rate)


def _from_corner_to_corner(rates: Floats) -> Floats:
    """Rates that do not fall, from exactly 0 to exactly 1: a rounded end would have nothing to be read at."""
    rising = np.clip(np.maximum.accumulate(rates, axis=1), 0.0, 1.0)
    corner = np.zeros((rates.shape[0], 1))
    return np.concatenate([corner, rising, corner + 1], axis=1)


def own_thresholds(table: CountTable, direction: Direction, positions: Floats) -> Floats:
    """The threshold of every group at positions along a direction, ``(n_groups, n)``.

    The loosest that does not go beyond; where the TPR is held, the strictest that reaches it.
    """
    sizes = np.diff(table.offsets)
    fpr = table.false_positives / np.repeat(table.n_negatives, sizes)
    tpr = table.true_positives / np.repeat(table.n_positives, sizes)
    if direction.is_horizontal:
        vertex = places_in_groups(tpr, table.offsets, positions, side="left")
    elif direction.is_vertical:
        vertex = places_in_groups(fpr, table.offsets, positions, side="right") - 1
    else:
        along = direction.cosine * fpr + direction.sine * tpr
        vertex = places_in_groups(along, table.offsets, positions + _ROUNDED, side="right") - 1
    last = (sizes - 1)[:, None]
    return np.asarray(table.thresholds[table.offsets[:-1, None] + np.minimum(vertex, last)])


def reading_limits(
    average: Average, held: str, at: Floats, found: Floats, how: How
) -> tuple[Floats, Floats, Mask]:
    """Limits of the free rate, the shared threshold being set again; and where most groups are alike."""
    values = average._linearised(at, held)
    equal = np.full(values.shape[0], 1 / max(values.shape[0], 1))
    error = spread(values, equal, average._ratio).standard_error
    free, end = ("tpr", 1.0) if held == "fpr" else ("fpr", 0.0)
    alike = mostly_alike(values) & (at != end)  # where all curves meet
    return *average._limits(free, found, error, how, alike, average.degrees_of_freedom), alike


# What is said of groups that agree, and of small ones
# ----------------------------------------------------

_FEWEST_BEYOND = 5
"""Cases of the held class beyond the place: with fewer an interval of 95 % was measured to cover 0.74."""
_FEWEST_SHARED = 2
"""The same for a threshold that is shared and set again: 0.91 to 0.92 with one of 50 negatives beyond."""
_USUAL = 0.1
"""Where a whole curve is judged."""


def mostly_alike(values: Floats, share: float = 0.5) -> Mask:
    """For each column of ``(n_groups, n)``, whether more than a share of two or more groups are alike."""
    n_groups = values.shape[0]
    if n_groups < 2:
        return np.zeros(values.shape[1], dtype=np.bool_)
    rising = np.sort(values, axis=0)
    # One less than the length of a run that is too long; two of three may be alike by chance.
    run = max(min(2, n_groups - 1), int(n_groups * share))
    return np.asarray((rising[: n_groups - run] == rising[run:]).any(axis=0))


def warn_if_alike(average: Average, how: How, alike: Mask, where: Floats | None = None) -> None:
    """RS210 where most groups have the very same value, so that their spread says little."""
    if alike.any() and average.degrees_of_freedom > 0:
        is_counted = how.scale == "logit" and not average._groups.is_weighted
        facts: dict[str, Any] = {"unit": average.unit, "n": average.n_groups}
        if where is None:
            warn("RS210.counted" if is_counted else "RS210.narrow", **facts)
        else:
            warn("RS210.counted-at" if is_counted else "RS210.narrow-at", at=where[alike][0], **facts)


def few_beyond(average: Average, held: str, at: Floats) -> dict[str, Any] | None:
    """What RS317 says of a reading where the shared threshold is set again."""
    if not isinstance(average.method, Pooled | Threshold):
        return None
    found = _small_groups(average, held, at, _FEWEST_SHARED)
    return None if found is None else {own: found[own] for own in found if own != "share"}


def steep_steps(average: Average, at: Floats | None = None) -> dict[str, Any] | None:
    """What RS317 says of a vertical or a horizontal average at these rates, or of its whole curve."""
    method = average.method
    if not isinstance(method, AlongDirection) or method.jumps_to_mid:
        return None
    is_vertical = method.direction.is_vertical
    if not (is_vertical or method.direction.is_horizontal):
        return None
    at = np.array([_USUAL if is_vertical else 1 - _USUAL]) if at is None else at
    found = _small_groups(average, "fpr" if is_vertical else "tpr", at, _FEWEST_BEYOND)
    return None if found is None else found | {"label": method.label}


def _small_groups(average: Average, held: str, at: Floats, fewest: int) -> dict[str, Any] | None:
    """The middle group and how few of its cases lie beyond a rate, if they are fewer than this."""
    groups = average._groups
    if groups.is_weighted or len(groups) < 2:  # a single group has no interval over groups
        return None
    middle = float(np.median(groups.n_negatives if held == "fpr" else groups.n_positives))
    beyond = at if held == "fpr" else 1 - at
    few = (beyond > 0) & (beyond < 1) & (beyond * middle < fewest - 1e-9)
    if not few.any():
        return None
    share, word = float(beyond[few][0]), "negative" if held == "fpr" else "positive"
    return {"unit": average.unit, "word": word, "n": int(middle), "beyond": share * middle, "share": share}
