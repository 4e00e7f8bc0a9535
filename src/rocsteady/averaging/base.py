"""What every average has: a polyline, its area, points and bands with their limits, and certified bounds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Array, Floats, Indices, Mask
from rocsteady.averaging.methods import AlongDirection, AtCosts, Direction, Method, direction_of
from rocsteady.calling import welcomes, welcoming
from rocsteady.counting.table import CountTable, count_table, places_in_groups
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.intervals import Band, BandEdge, runs_of
from rocsteady.curves.readings import Bounded, Bounds, Path, bounds_of_rate, read_path, scalar_or_array
from rocsteady.errors import RocsteadyWarning, fail, warn
from rocsteady.options import How, one_of, rate_range, rates, real_numbers, threshold_numbers
from rocsteady.places import Kind, Place, Where, is_place, keyword_place, place_of
from rocsteady.results import Frozen, TableResult, plain, read_only
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Drawn, Told
from rocsteady.statistics.groups import (
    covariance_between,
    covariance_of_means,
    degrees_of_freedom,
    effective_number,
    is_skewed,
    limits_of_mean,
    mostly_alike,
    spread,
    t_limits,
    weighted_mean,
)
from rocsteady.statistics.limits import Interval, t_quantile, trapezoids
from rocsteady.statistics.resampling import drawn_counts, drawn_means, half_width

Points = tuple[Floats, Floats, Floats, Floats]

FEWEST_GROUPS = 8
"""Below which resampled groups are too few and too much alike."""
MOST_VALUES = 4_000_000
"""Values of all groups that an interval looks at; more positions than that give no finer answer."""
_ROUNDED = 1e-12
"""How far off rates and positions may be: jumps, and vertices on an oblique line, are met within that."""
_SAME_PREVALENCE = 0.005
"""How far a prevalence, which is typed with some digits, may be off, as a share of itself."""
SPREADS = ("fpr_sd", "tpr_sd", "fpr_standard_error", "tpr_standard_error", "covariance")
"""How groups scatter at a point."""
_GRID = 200
"""Positions of a band over a declared range."""


# What is averaged
# ----------------


@dataclass(frozen=True, eq=False)
class Members(Frozen):
    """The groups of an average."""

    names: tuple[str, ...]  # of those that have a curve
    undefined: tuple[str, ...]  # those that have none, and why
    unit: str
    classes: Classes
    score_set: ScoreSet | None  # of all groups, with or without a curve, if scores are known
    chosen: Indices  # which groups of the score set, or of the table, are averaged: with a curve and a weight
    threads: int | None = None
    _table: CountTable | None = None
    every: tuple[str, ...] = ()  # all that were handed over: weights may be given to each of them
    design: Design = ASSUMED
    are_counts: bool = False  # a table of floats has numbers of cases, some of them halves

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def plain_scores(self) -> ScoreSet | None:
        """The scores, if they are known and have no weights."""
        known = self.score_set
        return None if known is None or known.columns.weights is not None else known

    @cached_property
    def is_weighted(self) -> bool:
        """Whether rows have weights, so that sums of them are no numbers of cases."""
        if self.score_set is not None:
            return self.score_set.columns.has_weights
        return self.table.true_positives.dtype.kind == "f" and not self.are_counts

    @cached_property
    def table(self) -> CountTable:
        """The counts of the groups that are averaged."""
        table = self._table
        if table is None:
            if self.score_set is None:
                raise TypeError("members have scores or curves")
            table = count_table(self.score_set, threads=self.threads)
        if self.chosen.size == len(table):
            return table
        kept = np.zeros(len(table), dtype=np.bool_)
        kept[self.chosen] = True
        return table.keep(kept)

    @cached_property
    def curves(self) -> CurveSet:
        """The single curves; a group of one class, which counts in pooling, has none."""
        table, names = self.table, self.names
        if not table.has_curve.all():
            names = tuple(name for name, kept in zip(names, table.has_curve, strict=True) if kept)
            table = table.keep(table.has_curve)
        return CurveSet(
            table=table, names=names, undefined=self.undefined, unit=self.unit, groups=names,
            group_index=np.arange(len(names)), classes=self.classes, design=self.design,
        )  # fmt: skip

    @cached_property
    def n_positives(self) -> Array:
        """Positives (or their weight) of every group."""
        known = self.plain_scores
        return self.table.n_positives if known is None else known.n_positives[self.chosen]

    @cached_property
    def n_negatives(self) -> Array:
        """Negatives (or their weight) of every group."""
        known = self.plain_scores
        return self.table.n_negatives if known is None else known.n_negatives[self.chosen]

    @cached_property
    def cases(self) -> tuple[Array, Array] | None:
        """Negatives and positives of every group, or how many of equal weight they are worth.

        None where sums of weights are all that is known.
        """
        if not self.is_weighted:
            return self.n_negatives, self.n_positives
        if self.score_set is None:
            return None
        negatives, positives = (self.score_set.columns.cases_worth(label)[self.chosen] for label in (0, 1))
        return negatives, positives

    @property
    def higher_is_positive(self) -> bool:
        """Whether high scores speak for the positive class."""
        return (self.table if self.score_set is None else self.score_set).higher_is_positive

    @cached_property
    def auc(self) -> Floats:
        """AUC of every group that has a curve."""
        return self.curves.auc


@dataclass(frozen=True)
class Averaged:
    """What sentences about an average and its points say of it: the facts, without the curves."""

    method: Method
    n_groups: int
    unit: str
    classes: Classes
    design: Design
    is_weighted: bool  # some groups count more than others
    smroc_areas: tuple[float, float] | None = None  # the mean smAUC, and that of labels dealt at random
    hook: tuple[float, float] | None = None  # where a binormal curve lies below chance, if worth saying
    area_off: float | None = None  # how far the area can be off, where rows were counted in cells

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
    beside : float or None
        The next score on its loose side: every number between, this one excluded, decides alike.
    fpr_interval, tpr_interval : Interval or None
        Confidence intervals of the mean over groups; None for the coordinate that was held fixed. What is
        random is the groups.
    confidence_level : float
        Of the intervals.
    held, rate
        What was asked for: "fpr", "tpr", "threshold", "alerts" (its value is ``rate``), "eer", "ratio" or
        "costs"; "thresholds" where each group was given its own.
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
    beside: float | None = None
    fpr_bounds: Bounds | None = None
    tpr_bounds: Bounds | None = None
    _averaged: Averaged
    _errors: Mapping[str, Any] = field(default_factory=dict)  # of the rates that have an interval

    _line = "{_rates}"
    _lines = "at {fpr:count position}"
    _in_frame = (
        "fpr, tpr, threshold, fpr_at_least=fpr_bounds.low, fpr_at_most=fpr_bounds.high, "
        "fpr_low=fpr_interval.low, fpr_high=fpr_interval.high, tpr_at_least=tpr_bounds.low, "
        "tpr_at_most=tpr_bounds.high, tpr_low=tpr_interval.low, tpr_high=tpr_interval.high"
    )

    @property
    def averaged(self) -> Averaged:
        """What was averaged."""
        return self._averaged

    @property
    def _rates(self) -> str:
        fpr, tpr = ("debit share", "credit share") if self.averaged.is_smroc else ("fpr", "tpr")
        own_fpr = _known(self.fpr, self.fpr_interval, self.fpr_bounds)
        return f"{fpr} {own_fpr}, {tpr} {_known(self.tpr, self.tpr_interval, self.tpr_bounds)}"


def _known(value: float, interval: Interval | None, bounds: Bounds | None) -> str:
    """A rate with its interval; only its bounds where these are all that is known."""
    if bounds is not None:
        return f"{bounds.low:.6f} to {bounds.high:.6f}"
    return f"{value:.4f}" if interval is None else f"{value:.4f} ({interval.low:.4f} to {interval.high:.4f})"


@dataclass(frozen=True, eq=False)
class GroupPoints:
    """The points of single groups, ``(n_groups, n)`` each, in the order of ``average.members``.

    Attributes
    ----------
    fpr, tpr : float64 arrays
        Their weighted means over groups are the average. NaN where a group lacks the class.
    thresholds : float64 array
        Of every group there. A curve has points between its vertices; then it is the loosest threshold that
        does not go beyond (where the TPR is held, the strictest that reaches it). An infinite one is beyond
        every score.
    """

    fpr: Floats
    tpr: Floats
    thresholds: Floats


@welcoming("auc_interval", "band")
@dataclass(frozen=True, eq=False, repr=False)
class Average(Told, Path, Bounded, Drawn, TableResult, figure="average", sentence="averages.curve"):
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

    _in_frame = "fpr, tpr"
    _line = (
        "{method}, {n_groups:count {unit}}{undefined:?, {undefined:thousands} without a curve}, {_area_words}"
    )

    # What a family of averages adds to what all of them have
    # -------------------------------------------------------

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        """``fpr`` and ``tpr`` from (0, 0) to (1, 1), neither falling."""
        raise TypeError(f"{type(self).__name__} does not draw its curve")

    @cached_property
    def _points(self) -> Points:
        """The points whose mean is the average, and what each group counts on either axis.

        ``fpr`` and ``tpr`` of ``(n_groups, n)``: column ``k`` is one threshold, position, ray or cost for all
        groups. Weights are ``(n_groups,)`` each; they need not sum to one.
        """
        raise TypeError(f"{type(self).__name__} is not a mean of points")

    def group_points(self, at: ArrayLike | Mapping[str, Any]) -> GroupPoints:
        """Where every group stands at positions of what the average holds.

        Parameters
        ----------
        at : array-like or mapping
            One dimension, or a place of what is held such as ``{"fpr": 0.05}``.
            A threshold (threshold average, pooled curve); the FPR (vertical); the TPR
            (horizontal); the share of the way, ``(cos * fpr + sin * tpr) / (cos + sin)``, which is the share
            called positive of an average at an alarm rate and ``(fpr + tpr) / 2`` of a diagonal one (other
            directions); ``fpr / (fpr + fnr)`` (radial); the expected cost of missing all positives over that
            of all errors (tangent). A binormal average is no mean of points, and has none.

        Examples
        --------
        >>> import rocsteady as rs
        >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [9, 4, 3, 2]), ([1, 1, 0, 0], [8, 6, 6, 1])])
        >>> points = rs.average(folds, "vertical").group_points([0.5])
        >>> points.tpr.ravel().tolist(), points.thresholds.ravel().tolist()
        ([1.0, 1.0], [3.0, 6.0])
        """
        raise fail("RS084.no-points", label=self.method.label)

    def _positions_at(self, at: Any, kind: Kind | None) -> Floats:
        """Positions as numbers, or as a place of the kind that is held."""
        if kind is not None and is_place(at):
            place = place_of(at, among=(kind,), task="read groups at")
            at = place.among(self.n_cases_of_alerts()).value if place.is_count else place.value
        if kind == "threshold":
            return threshold_numbers(at, "group_points([0.5])").astype(np.float64).ravel()
        return rates("at", at).ravel()

    def _shared_threshold(self, fpr: float, tpr: float, held: str) -> float | None:
        """The threshold that all groups share at a point of the average, if they share one."""
        return None

    def _alerts_between(self, upper: Any, at: Floats, moved: float) -> dict[str, tuple[Any, Any]]:
        """Both rates where averages of the lowest curves (this) and of the highest may call so many cases."""
        raise self._refused("alerts")

    def _beside(self, threshold: float | None) -> float | None:
        """The next score on the loose side of a shared threshold, if there is one."""
        return None

    def _read_between(self, held: str, at: Floats) -> tuple[Floats, Floats]:
        """Between which values the free rate of the curve lies where one has a value."""
        found = self.tpr_at(at) if held == "fpr" else self.fpr_at(at)
        return found, found

    def _cases_behind(self, rate: str) -> tuple[Floats, Array | None]:
        """What every group counts in a mean, and its number of cases: for areas of the rarer class."""
        cases = self._groups.cases
        if cases is None:
            return self.weights, None
        return self.weights, np.minimum(*cases) if rate == "auc" else cases[rate != "fpr"]

    # What was averaged
    # -----------------

    @cached_property
    def averaged(self) -> Averaged:
        """What was averaged, for sentences."""
        is_weighted = bool((self.weights != self.weights[0]).any())
        about = (self.method, self.n_groups, self.unit, self.classes, self.design, is_weighted)
        off = None if self.bounds is None else float(self.auc_bounds.half_width)
        return Averaged(*about, area_off=off)

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
        return len(self._groups.names)

    @property
    def design(self) -> Design:
        """How the groups came about: what is random follows from it."""
        return self._groups.design

    @cached_property
    def effective_groups(self) -> float:
        """How many groups of equal weight would be as sure: ``1 / sum(weights**2)``."""
        return effective_number(self.weights)

    @cached_property
    def degrees_of_freedom(self) -> float:
        """Of the t intervals: one less than the groups if all weigh the same, fewer otherwise."""
        return degrees_of_freedom(self.weights)

    # The curve and its area
    # ----------------------

    @property
    def auc_bounds(self) -> Bounds:
        """Between which values the area certainly lies."""
        return super().auc_bounds if self.bounds is None else self.bounds.auc

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
        return trapezoids(*self._polyline)

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
        how, ratio = How(confidence_level, quantile, scale=scale), self.design.test_train_ratio
        middle, values, weights = self._areas()
        error, alike = spread(values[:, None], weights, ratio).standard_error, mostly_alike(values[:, None])
        warn_if_alike(self, how, alike)
        areas = middle + values
        if is_skewed(areas, is_widened=ratio > 0, scale=scale):
            area = "smAUC" if self.averaged.is_smroc else "AUC"
            facts = {"mean": areas.mean(), "sd": areas.std(ddof=1), "n": areas.size}
            warn("RS289.auc", unit=self.unit, area=area, **facts)
        ends = self._limits("auc", self.auc, error[0], how, alike[0], self.degrees_of_freedom)
        return interval_of(*ends, how, self.auc)

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
        return float(read_path(self.fpr + self.tpr, self.fpr, np.array(1.0), end="last"))

    def minimum_cost(self, *, false_positive: float, false_negative: float, prevalence: float) -> float:
        """The expected cost per case of the average's best point at these costs."""
        of_misses, of_alarms = AtCosts(false_positive, false_negative, prevalence).expected
        return float(np.min(of_misses * (1 - self.tpr) + of_alarms * self.fpr))

    # Points
    # ------

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
        held = keyword_place(
            place, where, task="read an average at", call="average.at({})", others=("confidence_level",)
        )
        if held.is_count:
            held = held.among(self.n_cases_of_alerts())
        point = self._at(held.kind, held.value, how)
        return point if self.bounds is None else self.bounds.widened(self, point, held.kind, held.value, how)

    def n_cases_of_alerts(self) -> float:
        """Of how many cases a number of alerts is a share; RS042 where it is one at another prevalence."""
        n_positives, n_negatives = self._groups.n_positives.sum(), self._groups.n_negatives.sum()
        n_cases = float(n_positives + n_negatives)
        if isinstance(self.method, AlongDirection) and self.method.holds("alerts"):
            direction, own = self.method.direction, n_positives / n_cases
            assumed = direction.sine / direction.length
            if abs(assumed - own) > _SAME_PREVALENCE * own:
                label = self.method.label
                raise fail("RS042.alerts-elsewhere", prevalence=own, assumed=assumed, method=label)
        return n_cases

    def _at(self, name: str, value: ArrayLike, how: How) -> AveragePoint:
        """The point where ``name`` has this value: here a rate that the average does not hold fixed."""
        if name not in ("fpr", "tpr"):
            raise self._refused(name)
        at = np.asarray(value, dtype=np.float64).ravel()
        free, read = ("tpr", self.tpr_at) if name == "fpr" else ("fpr", self.fpr_at)
        error, alike = self._reading_error(name, at)
        found = {name: at, free: np.asarray(read(at))}
        found |= {f"{free}_standard_error": error, f"{free}_alike": alike}
        warn_if_alike(self, how, alike, at)
        few = small_groups(self, name, at, _FEWEST_SHARED) if self.method.holds("threshold") else None
        if few is not None:
            warn("RS317.shared", **few)
        threshold = kept = None
        if not np.ndim(value):
            threshold = self._shared_threshold(found["fpr"][0], found["tpr"][0], name)
        if threshold is not None:
            with warnings.catch_warnings():  # what its groups have in common has been said of the reading
                warnings.simplefilter("ignore", RocsteadyWarning)
                kept = replace(self._at("threshold", threshold, how), beside=self._beside(threshold))
        facts: dict[str, Any] = {"threshold": threshold, "kept": kept, "beside": self._beside(threshold)}
        return self._point(how, name, value, found, self.degrees_of_freedom, **facts)

    def _reading_error(self, held: str, at: Floats) -> tuple[Floats, Mask]:
        """Standard error of the free rate, the shared threshold being set again; where groups are alike."""
        values = self._linearised(at, held)
        equal = np.full(values.shape[0], 1 / max(values.shape[0], 1))
        error = spread(values, equal, self.design.test_train_ratio).standard_error
        return error, mostly_alike(values) & (at != (1.0 if held == "fpr" else 0.0))  # there all curves meet

    def _point(
        self,
        how: How,
        held: str,
        value: ArrayLike,
        found: Mapping[str, Array],
        df: float | None = None,
        made: type[AveragePoint] = AveragePoint,
        **facts: Any,
    ) -> AveragePoint:
        """A point with these rates, and an interval for each whose standard error was found."""
        point: dict[str, Any] = {"confidence_level": how.confidence_level, "held": held}
        errors, shape = {}, np.shape(value)
        for own in ("fpr", "tpr"):
            point[own] = scalar_or_array(np.reshape(found[own], shape), value)
            point[f"{own}_interval"] = None
            if f"{own}_standard_error" in found:
                error, alike = found[f"{own}_standard_error"], found[f"{own}_alike"].reshape(shape)
                errors[own] = error.reshape(shape)
                ends = self._limits(own, point[own], errors[own], how, alike, df)
                point[f"{own}_interval"] = interval_of(*ends, how, value)
        return made(**point | facts, _averaged=self.averaged, _errors=errors)

    def _refused(self, name: str) -> Exception:
        """RS084: why the average cannot be read there."""
        is_smroc, label = self.averaged.is_smroc, self.method.label
        if name != "threshold":
            return fail("RS084.smroc-rate" if is_smroc else "RS084.rate", label=label)
        # The smallest and the largest one in use where a user would look first.
        at = own_thresholds(self._groups.table, direction_of(1.0, 0.0), np.array([0.05]))
        facts = {"label": label, "unit": self.unit, "low": float(at.min()), "high": float(at.max())}
        return fail("RS084.smroc-threshold" if is_smroc else "RS084.threshold", example=0.05, **facts)

    # Bands
    # -----

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
        one_of("kind", kind, ("pointwise", "simultaneous", "prediction"))
        how = How(confidence_level, quantile, n_resamples, seed, scale)
        declared, n_groups = rate_range("fpr", fpr), self.n_groups
        wanted = None if at is None else np.unique(rates("at", at))
        if kind == "simultaneous" and 1 < n_groups < FEWEST_GROUPS and not self.design.test_train_ratio:
            warn("RS212.band", n=n_groups, unit=self.unit, fewest=FEWEST_GROUPS)
        if kind == "prediction" and self.design.shares_training:
            raise fail("RS086.folds", unit=self.unit, design=repr(self.design))
        if wanted is not None and (kind == "simultaneous" or not isinstance(self.method, AlongDirection)):
            wanted = wanted[(wanted >= declared[0]) & (wanted <= declared[1])]
        return self._band(kind, declared, wanted, how)

    def _band(self, kind: str, declared: tuple[float, float], wanted: Floats | None, how: How) -> Band:
        """Limits of the true positive rate at each false positive rate of a declared range.

        Pointwise they are those of a reading there; simultaneously, studentised, of what every group adds to
        the true positive rate.
        """
        if kind == "prediction":
            raise fail("RS086.both-rates", label=self.method.label, unit=self.unit)
        at, is_shown = with_grid(declared, wanted)
        if kind == "pointwise":
            at, is_shown = at[is_shown], is_shown[is_shown]
        middle, factor = np.asarray(self.tpr_at(at)), np.nan
        if kind == "pointwise":
            error, left_out = self._reading_error("fpr", at)
            low, high = self._limits("tpr", middle, error, how, left_out, self.degrees_of_freedom)
        else:
            values = self._linearised(at)
            weights = np.full(values.shape[0], 1 / values.shape[0])
            half, factor, left_out = half_width(values, weights, how, self.design.test_train_ratio)
            low, high = middle - half, middle + half
        lower, upper, mean = (BandEdge(at[is_shown], tpr[is_shown]) for tpr in (low, high, middle))
        return Band(
            lower, upper, mean, kind, how.confidence_level, factor, declared, runs_of(at, left_out),
            _sentence="averages.band", _about=self.averaged,
        )  # fmt: skip

    # Limits
    # ------

    def _limits(
        self, rate: str, mean: Any, error: Any, how: How, alike: Mask | bool, df: float | None = None
    ) -> tuple[Floats, Floats]:
        """Limits of a mean rate or area; where groups are ``alike`` also their cases speak."""
        weights, n_cases = self._cases_behind(rate)
        if df is None:
            df = self.degrees_of_freedom if weights is self.weights else degrees_of_freedom(weights)
        return limits_of_mean(
            mean,
            error,
            alike,
            weights,
            n_cases,
            how.confidence_level,
            df=df,
            quantile=how.quantile,
            scale=how.scale,
            repeats=self._groups.design.repeats,
        )

    # What every group adds, and resampled groups
    # -------------------------------------------

    def _linearised(
        self, at: Floats, held: str = "fpr", *, free: str = "", prevalence: float | None = None
    ) -> Floats:
        """What every group adds to the free rate of the average at values of the held one.

        ``(n_groups, n)``, centred at 0, its plain mean over groups having the variance of the reading: how
        far the group lies from the average in the free rate, at what all share there, less the slope of the
        average times how far it lies in what is held. The slope is a secant over two standard errors of the
        mean of that, the span over which resampled averages meet it. Where a share of alerts is held it is
        that of these cases, or of others with this ``prevalence``.
        """
        fpr, tpr, fpr_weights, tpr_weights = self._points
        rates = {"fpr": fpr, "tpr": tpr}
        axes = {"fpr": fpr_weights / fpr_weights.sum(), "tpr": tpr_weights / tpr_weights.sum()}
        free = free or ("fpr" if held == "tpr" else "tpr")
        parts = self._alert_parts(axes, prevalence) if held == "alerts" else {held: axes[held]}
        n_groups = fpr.shape[0]
        rising = np.maximum.accumulate(sum(own @ rates[name] for name, own in parts.items()))
        column = np.searchsorted(rising, at + _ROUNDED, side="right") - 1
        if held == "tpr":
            column = np.searchsorted(rising, at - _ROUNDED, side="left").clip(0, rising.size - 1)
        # Between two thresholds, where coarse scores leave far steps, both of them count.
        after = np.maximum(column - 1, 0) if held == "tpr" else np.minimum(column + 1, rising.size - 1)
        gap = rising[after] - rising[column]
        share = np.divide(at - rising[column], gap, out=np.zeros_like(gap), where=gap != 0).clip(0.0, 1.0)

        def added(name: str, weights: Floats, mean: Floats) -> Floats:
            own = rates[name]
            gaps = (1 - share) * (own[:, column] - mean[column]) + share * (own[:, after] - mean[after])
            return np.asarray(gaps * (n_groups * weights[:, None]))

        # Of these cases, how many are positive varies with the groups; elsewhere their share is given.
        is_of_these = held == "alerts" and prevalence is None
        across = added(free, axes[free], axes[free] @ rates[free])
        along: Any = sum(
            added(name, own, rising if is_of_these else own @ rates[name] / own.sum())
            for name, own in parts.items()
        )
        reach = np.sqrt((along**2).sum(axis=0) / (n_groups * max(n_groups - 1, 1)))
        low, high = np.clip(at - reach, 0, 1), np.clip(at + reach, 0, 1)
        rise = self._free_at(high, held, free, prevalence) - self._free_at(low, held, free, prevalence)
        slope = np.divide(rise, high - low, out=np.zeros_like(rise), where=high > low)
        return np.asarray(across - along * slope)

    def _alert_parts(self, axes: Mapping[str, Floats], prevalence: float | None) -> dict[str, Floats]:
        """What each rate of every group counts in the share of alerts; every one of these cases alike."""
        if prevalence is not None:
            return {"fpr": (1 - prevalence) * axes["fpr"], "tpr": prevalence * axes["tpr"]}
        counts = {"fpr": self._groups.n_negatives, "tpr": self._groups.n_positives}
        n_cases = sum(own.sum() for own in counts.values())
        return {name: np.asarray(own / n_cases, dtype=np.float64) for name, own in counts.items()}

    def _free_at(self, at: Floats, held: str, free: str, prevalence: float | None = None) -> Floats:
        """A rate of the average where what is held has these values."""
        if held == "alerts":
            return np.asarray(np.interp(at, self._alert_shares(prevalence), getattr(self, free)))
        return np.asarray(self.tpr_at(at) if held == "fpr" else self.fpr_at(at))

    def _alert_shares(self, prevalence: float | None) -> Floats:
        """The share of alerts along the average, never falling."""
        share = float(prevalence or 0.0)
        return np.asarray(np.maximum.accumulate(share * self.tpr + (1 - share) * self.fpr))

    def _linearised_area(self) -> Floats:
        """What every group adds to the area under the average, ``(n_groups,)``.

        The area is ``sum((x[k+1] - x[k]) * (y[k+1] + y[k])) / 2`` of the mean points, so a group that moves
        them adds its own steps along x under the mean curve, and its own heights over the mean's steps.
        """
        fpr, tpr, fpr_weights, tpr_weights = self._points
        x, y = fpr_weights / fpr_weights.sum(), tpr_weights / tpr_weights.sum()
        mean_x, mean_y = self._sampled()
        heights, steps = (mean_y[1:] + mean_y[:-1]) / 2, np.diff(mean_x)
        along = (fpr - x @ fpr) @ (heights[:-1] - heights[1:])
        across = (tpr - y @ tpr) @ ((steps[:-1] + steps[1:]) / 2)
        return np.asarray(fpr.shape[0] * (x * along + y * across))

    def _sampled(self) -> tuple[Floats, Floats]:
        """The average through the points that resampled ones go through."""
        fpr, tpr, fpr_weights, tpr_weights = self._points
        means = fpr_weights @ fpr / fpr_weights.sum(), tpr_weights @ tpr / tpr_weights.sum()
        return _from_corner_to_corner(means[0]), _from_corner_to_corner(means[1])

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
        told = ("unit", "auc", "reading", "members", "weights", "undefined")
        found = {"method": str(self.method)} | {name: plain(getattr(self, name)) for name in told}
        found["design"] = self.design.to_dict()
        if self.bounds is not None:
            found["auc_bounds"] = [self.auc_bounds.low, self.auc_bounds.high]
        return found | {name: plain(value) for name, value in self._columns().items()}

    @property
    def _area_words(self) -> str:
        bounds = self.auc_bounds
        return f"AUC {self.auc:.4f}" if self.bounds is None else f"AUC {bounds.low:.6f} to {bounds.high:.6f}"


def interval_of(low: Floats, high: Floats, how: How, like: ArrayLike) -> Interval:
    """The interval between these limits: numbers for a number, arrays for an array."""
    ends = scalar_or_array(low, like), scalar_or_array(high, like)
    return Interval(*ends, how.confidence_level, how.name)


def block_by_block(found: Callable[[Array], dict[str, Array]], at: Array, n_groups: int) -> dict[str, Array]:
    """What is found at positions, in pieces that, times the groups, fit the memory of a small machine."""
    if at.ndim == 1 and at.size * n_groups <= MOST_VALUES:
        return found(at)
    n_blocks = max(-(-at.size * n_groups // MOST_VALUES), 1)
    blocks = [found(block) for block in np.array_split(at.ravel(), n_blocks)]
    return {name: np.concatenate([own[name] for own in blocks]).reshape(at.shape) for name in blocks[0]}


def rising(rate: Floats) -> Floats:
    """A rate of a polyline, from exactly 0 to exactly 1, freed from falls of a rounding error."""
    rate = np.clip(np.maximum.accumulate(rate), 0.0, 1.0)
    rate[0], rate[-1] = 0.0, 1.0
    return read_only(rate)


def with_grid(ends: tuple[float, float], wanted: Floats | None) -> tuple[Floats, Mask]:
    """Positions over the whole declared range, which a simultaneous band is about, and those to be shown."""
    grid = np.linspace(*ends, _GRID)
    at = grid if wanted is None else np.union1d(grid, wanted)
    return at, np.isin(at, grid if wanted is None else wanted)


def _from_corner_to_corner(rates: Floats) -> Floats:
    """Rates that do not fall, from exactly 0 to exactly 1: a rounded end would have nothing to be read at."""
    return with_ends(np.clip(np.maximum.accumulate(rates, axis=-1), 0.0, 1.0))


def with_ends(rates: Floats) -> Floats:
    """Rates led by 0 and closed by 1, along the last axis."""
    others = [(0, 0)] * (rates.ndim - 1)
    return np.pad(rates, [*others, (1, 1)], constant_values=[*others, (0.0, 1.0)])


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


# What is said of groups that agree, and of small ones
# ----------------------------------------------------

_FEWEST_SHARED = 2
"""Cases of the held class beyond the place where a shared threshold is set again: intervals of 95 % were
measured to cover 0.91 to 0.92 with one of 50 negatives beyond."""


def scale_of(method: Method, how: How) -> How:
    """How limits are made where the average holds a position: along an oblique direction there is no rate."""
    is_oblique = isinstance(method, AlongDirection) and method.direction.is_oblique
    return replace(how, scale="linear") if is_oblique else how


def scatter(
    average: Average, fpr: Floats, tpr: Floats, axes: tuple[Floats, Floats], weights: Floats
) -> dict[str, Array]:
    """Mean rates of groups, ``(n_groups, n)``, that count so much on each axis; errors, and the spread."""
    found: dict[str, Array] = {}
    ratio, around = average.design.test_train_ratio, []
    for name, of_groups, own in zip(("fpr", "tpr"), (fpr, tpr), axes, strict=True):
        found[name] = mean = weighted_mean(of_groups, own)
        away, among = of_groups - mean, of_groups - weighted_mean(of_groups, weights)
        around.append(among)
        found[f"{name}_sd"] = np.sqrt(covariance_between(among, among, weights))
        found[f"{name}_standard_error"] = np.sqrt(covariance_of_means(away, away, own, own, ratio))
        found[f"{name}_alike"] = mostly_alike(of_groups[own > 0])
    return found | {"covariance": covariance_between(around[0], around[1], weights)}


def warn_if_alike(average: Average, how: How, alike: Mask, where: Floats | None = None) -> None:
    """RS210 where most groups have the very same value, so that their spread says little."""
    if alike.any() and average.degrees_of_freedom > 0:
        is_counted = how.scale == "logit" and average._groups.cases is not None
        facts: dict[str, Any] = {"unit": average.unit, "n": average.n_groups}
        if where is None:
            warn("RS210.counted" if is_counted else "RS210.narrow", **facts)
        else:
            warn("RS210.counted-at" if is_counted else "RS210.narrow-at", at=where[alike][0], **facts)


def small_groups(average: Average, held: str, at: Floats, fewest: int) -> dict[str, Any] | None:
    """What RS317 says of the first rate beyond which fewer cases of the middle group lie than this."""
    cases = average._groups.cases
    if cases is None or average.n_groups < 2:  # a single group has no interval over groups
        return None
    middle = float(np.median(cases[held != "fpr"]))
    beyond = at if held == "fpr" else 1 - at
    few = (beyond > 0) & (beyond < 1) & (beyond * middle < fewest - 1e-9)
    if not few.any():
        return None
    share, word = float(beyond[few][0]), "negative" if held == "fpr" else "positive"
    facts = {"unit": average.unit, "word": word, "n": int(middle), "beyond": share * middle}
    return facts | {"share": share}


# Averages of counts in cells: between which averages that of all rows certainly lies
# ------------------------------------------------------------------------------------

_ROUNDING = 2.0**-46
"""What the sums and products of an average of many curves may round away, generously."""


@dataclass(frozen=True, eq=False, repr=False)
class AverageBounds:
    """The averages of the groups' lowest and of their highest curves, and what lies between them.

    Attributes
    ----------
    lower, upper : Average
        By the same method, with the same weights; made when they are asked for.
    rounding : float
        What may have been rounded away.
    """

    _make: Callable[[bool], Average]  # the average of the lowest curves (False), or of the highest (True)
    _lost: float  # what sums over rows or cells may have rounded away
    _area: Callable[..., float] | None = None  # of either, where that is quicker than making it

    @cached_property
    def auc(self) -> Bounds:
        """Those of the area."""
        if self._area is None:
            return bounds_of_rate(self.lower.auc, self.upper.auc, self.rounding)
        return bounds_of_rate(self._area(upper=False), self._area(upper=True), 4 * self.rounding)

    @cached_property
    def lower(self) -> Average:
        """The lowest average that the counts allow."""
        return self._make(False)

    @cached_property
    def upper(self) -> Average:
        """The highest average that the counts allow."""
        return self._make(True)

    @property
    def rounding(self) -> float:
        """What may have been rounded away."""
        return self._lost + _ROUNDING

    def at(self, name: str, value: ArrayLike) -> dict[str, Bounds | None]:
        """Between which values both rates lie where ``name`` (fpr, tpr, threshold or alerts) has a value.

        None for the rate that is held.
        """
        with warnings.catch_warnings():  # the average itself says what there is to say
            warnings.simplefilter("ignore", RocsteadyWarning)
            is_held = self.lower.method.holds(name)
            found = self._where_held(name, value) if is_held else self._across(name, value)
        bounds: dict[str, Bounds | None] = {}
        for own in ("fpr", "tpr"):
            low, high = (np.reshape(end, np.shape(value)) for end in found[own])
            bounds[own] = None if own == name else bounds_of_rate(low, high, self.rounding)
        return bounds

    def _where_held(self, name: str, value: ArrayLike) -> dict[str, tuple[Any, Any]]:
        """Read beside the place by as much as rounding may have moved it: both rates rise along a curve."""
        before = after = real_numbers(name, value).ravel()
        if name != "threshold":
            moved = 2 * self._lost + (_ROUNDING if name == "alerts" else 0.0)
            before, after = np.maximum(before - moved, 0.0), np.minimum(after + moved, 1.0)
        ends = (self.lower, self.upper)
        lower, upper = ([own._at(name, at, How()) for at in (before, after)] for own in ends)
        return {"fpr": (upper[0].fpr, lower[1].fpr), "tpr": (lower[0].tpr, upper[1].tpr)}

    def _across(self, held: str, value: ArrayLike) -> dict[str, tuple[Any, Any]]:
        """Where one rate is held that the average does not hold, read off both curves."""
        at, moved = rates(held, value), self.rounding
        if held == "alerts":
            return self.lower._alerts_between(self.upper, at, moved)
        before, after = np.maximum(at - moved, 0.0), np.minimum(at + moved, 1.0)
        least, most = (self.lower, self.upper) if held == "fpr" else (self.upper, self.lower)
        ends = least._read_between(held, before)[0], most._read_between(held, after)[1]
        return {held: (at, at), "tpr" if held == "fpr" else "fpr": ends}

    def widened(
        self, average: Average, point: AveragePoint, name: str, value: ArrayLike, how: How
    ) -> AveragePoint:
        """A point of the average with its bounds; its intervals hold those of all that lies between them.

        The middle of each lies within the bounds, and its standard error is no more than ``off`` larger.
        Where groups are not read one by one that is not known; then it is taken as if all that is uncertain
        were in one group. On the logit scale, too, limits are furthest out at an end of the bounds; where
        something is uncertain, groups may agree, and their cases speak.
        """
        bounds, shape = self.at(name, value), np.shape(value)
        found: dict[str, Any] = {f"{own}_bounds": bounds[own] for own in bounds}
        groups = None
        if average.method.holds(name):
            places = real_numbers(name, value).ravel()
            groups = [own.group_points(places) for own in (self.lower, self.upper)]
            how = scale_of(average.method, how)
        for own, error in point._errors.items():
            interval, within = getattr(point, f"{own}_interval"), bounds[own]
            if within is None:
                continue
            off, df, steepest = within.half_width, average.degrees_of_freedom, np.inf
            if groups is not None:
                low, high = (np.nan_to_num(getattr(points, own)) for points in groups)
                weights = average._cases_behind(own)[0]
                off = np.reshape(_error_of_mean(np.abs(high - low) + self._lost, weights), shape)
                df, steepest = degrees_of_freedom(weights), _error_of_share(weights)
            half = t_quantile(df, how.confidence_level, how.quantile) * error
            half += t_quantile(average.degrees_of_freedom, how.confidence_level, how.quantile) * off
            may_agree = np.asarray(within.half_width) > 0
            limits: list[tuple[Any, ...]] = [(interval.low, interval.high)]
            # At rates of 0 and 1 nothing scatters: limits are furthest out where the error is whole again.
            full = half / (t_quantile(df, how.confidence_level, how.quantile) * steepest)
            for end in (full, 1 - full):
                limits.append(t_limits(np.clip(end, within.low, within.high), half, how.scale))
            for end in (within.low, within.high):
                limits.append(t_limits(end, half, how.scale))
                if how.scale == "logit" and may_agree.any():
                    of_cases = average._limits(own, end, 0.0, how, alike=True)
                    limits.append(tuple(np.where(may_agree, new, end) for new in of_cases))
            low, high = zip(*limits, strict=True)
            ends = np.where(np.isnan(half), np.nan, [np.fmin.reduce(low), np.fmax.reduce(high)])
            low, high = (scalar_or_array(end, value) for end in ends)
            found[f"{own}_interval"] = replace(interval, low=low, high=high)
        if point.kept is not None:
            found["kept"] = self.widened(average, point.kept, "threshold", point.kept.threshold, how)
        return replace(point, **found)


def _error_of_share(weights: Floats) -> float:
    """The largest standard error of a mean of shares, as a multiple of it: all of it is one group's."""
    one = weights == weights[weights > 0].min()
    away = np.where(np.arange(weights.size) == np.argmax(one), 1 / weights[np.argmax(one)], 0.0) - 1.0
    return float(np.sqrt(covariance_of_means(away, away, weights, weights)))


def _error_of_mean(gaps: Floats, weights: Floats) -> Floats:
    """The largest standard error of a mean whose groups have values no further from 0 than these.

    Standard errors are norms of deviations: of a sum they are at most the sum of both. So this is how far one
    can be off if every group is off by as much.
    """
    # Where all weigh the same, values are no nearer to 0 than to their mean, in sum.
    away = gaps + (weights @ gaps if (weights != weights[0]).any() else 0.0)
    return np.sqrt(covariance_of_means(away, away, weights, weights))
