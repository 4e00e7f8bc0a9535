"""Plans over groups and cases: how many more of either for a wanted half-width, or to tell two models apart.

The variance of one group's number is split into what lies between groups and what is the luck of its cases.
First what every group shows and how much luck is in it, then the plan, then plans for one threshold that all
groups share.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Floats, Integers
from rocsteady.averaging.average import average
from rocsteady.averaging.methods import method_of
from rocsteady.averaging.shared_threshold import SharedThresholdAverage, rates_of_groups, vertices_of_groups
from rocsteady.counting.table import curve_moments, delong_covariance
from rocsteady.curves.curve_set import CurveSet, roc_curves
from rocsteady.curves.from_scores import described, is_score_set, refuse_counts
from rocsteady.curves.statistics import Auc, RateAt, Statistic, statistic_of
from rocsteady.errors import Either, Option, fail, warn
from rocsteady.inference.differences import Comparison, Comparisons, Difference
from rocsteady.inference.matching import by_name, chosen_pairs, paired_models, unequal_rows
from rocsteady.options import one_number, one_of, open_share, resamples_asked, whole_number
from rocsteady.places import ON_CURVES, is_place, place_of
from rocsteady.results import Result, TableResult, Tabular
from rocsteady.scores.columns import require_single_cases
from rocsteady.scores.design import Design
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet, warn_of_clusters
from rocsteady.scores.scores import Scores
from rocsteady.showing import Said, Told, said
from rocsteady.statistics.delong import delong_components, delong_variance
from rocsteady.statistics.folds import error_factor
from rocsteady.statistics.limits import Interval, t_quantile
from rocsteady.statistics.power import (
    Components,
    Target,
    between_range,
    df_of,
    half_width,
    noncentrality,
    planned_components,
    split_variance,
    variance_seen,
)
from rocsteady.statistics.resampling import RankedCases, ranked_cases, resampled_cases
from rocsteady.words import listed, plural

FEW_GROUPS = 6
"""With fewer, the standard deviation between groups is known to no better than a factor of two or three."""
_FEWEST_BEYOND = 5
"""Cases that set a threshold: with fewer, it is the luck of a handful."""
_EXAMPLES = tuple(Option("measure", own) for own in ("auc", {"fpr": 0.05}, {"tpr": 0.9}, {"threshold": 0.5}))
_PLAIN = {"both": "tpr", "sensitivity": "tpr", "specificity": "fpr"}

Readings = tuple[Floats, Floats, tuple[float, ...], str]
"""What every group shows, of two models the first less the second; the variance that its cases give it (NaN
where a class has a single case); the mean of every model; where the variances come from."""


# What is read
# ------------


def measure_of(given: object, rate: str | None = None) -> Statistic:
    """The one number of a curve that is meant, its complement for a specificity; else a coded error.

    >>> measure_of("auc").label, measure_of({"fpr": 0.05}).label
    ('AUC', 'TPR at FPR 0.05')
    >>> measure_of({"threshold": 0.5}, "fpr").label
    'FPR at threshold 0.5'
    """
    if is_place(given):
        if not (isinstance(given, Mapping) and "rate" in given and len(given) > 1):
            given = place_of(given, among=ON_CURVES, task="plan for")
        statistic = statistic_of(given)
    elif isinstance(given, Statistic) or (isinstance(given, str) and given.casefold() in ("auc", "roc_auc")):
        statistic = statistic_of(given if isinstance(given, Statistic) else "auc")
    else:
        is_ours = type(given).__module__.startswith("rocsteady")  # whole, as it prints itself
        shown = repr(given) if is_ours else described(given)
        raise fail("RS001.plan", given=shown, ways=_EXAMPLES)
    if rate is not None and statistic.hold != "threshold":
        other, ways = "a measure that has no threshold", [Either("leave out  rate", "leave out  --rate")]
        raise fail("RS002.together", name="rate", other=other, value=rate, ways=ways)
    if isinstance(statistic.at, tuple):
        raise fail("RS002.one-number", statistic=statistic.label, ways=_EXAMPLES[1:])
    if isinstance(statistic, RateAt):  # a sensitivity or specificity is as uncertain as the rate behind it
        chosen = _PLAIN.get(statistic.rate, statistic.rate)
        statistic = replace(statistic, rate=chosen if rate is None else one_of("rate", rate, ("tpr", "fpr")))
    return statistic


def classes_that_matter(statistic: Statistic) -> tuple[str, ...]:
    """``"positives"`` and ``"negatives"``, or the one whose rate it is at a frozen threshold."""
    if statistic.hold == "threshold":
        return ("positives",) if statistic.rate == "tpr" else ("negatives",)
    return ("positives", "negatives")


def read_groups(
    sets: Sequence[ScoreSet],
    curves: Sequence[CurveSet],
    statistic: Statistic,
    draws: Mapping[str, Any] | None = None,
) -> Readings:
    """Every group, of one model or of two whose cases line up: by formula, or by ``draws`` of its cases."""
    if draws is not None:
        return _resampled(sets, curves, statistic, draws)
    if isinstance(statistic, Auc):
        return _areas(sets, curves)
    if not statistic.rate:
        raise fail("RS002.no-formula", measure=statistic.label)
    rows = []
    for members in zip(*sets, strict=True):
        read = [reading_of(own, statistic) for own in members]
        rows.append([*(reading.value for reading in read), variance_of(read)])
    table = np.array(rows)
    return _readings(table[:, :-1], table[:, -1], "frozen" if statistic.hold == "threshold" else "slope")


def _readings(rates: Floats, variances: Floats, luck: str) -> Readings:
    means = tuple(float(mean) for mean in rates.mean(axis=0))
    return _less([*rates.T]), variances, means, luck


def _areas(sets: Sequence[ScoreSet], curves: Sequence[CurveSet]) -> Readings:
    """AUCs with DeLong's variances; of a difference, from placements case by case."""
    areas = np.column_stack([own.auc for own in curves])
    if len(sets) == 1:
        table = curves[0].table
        moments = curve_moments(table.true_positives, table.false_positives, table.offsets)
        return _readings(areas, delong_variance(moments), "delong")
    _, _, means, luck = _readings(areas, areas[:, 0], "paired")
    differences, variances = np.empty((2, len(areas)))
    for i, members in enumerate(zip(*sets, strict=True)):
        m = delong_covariance(members)
        spreads = m.positive_difference[0, 1], m.negative_difference[0, 1]
        variances[i] = delong_components(*spreads, m.n_positives, m.n_negatives).sum()
        differences[i] = (int(m.wins[0]) - int(m.wins[1])) / (2 * m.n_positives * m.n_negatives)
    return differences, variances, means, luck


def _resampled(
    sets: Sequence[ScoreSet],
    curves: Sequence[CurveSet],
    statistic: Statistic,
    draws: Mapping[str, Any],
) -> Readings:
    """Cases are drawn again within every group and class; one number serves all groups of two cases."""
    rates = np.array([[float(statistic.read(curve)) for curve in own] for own in curves]).T
    variances = np.full(len(rates), np.nan)
    sizes = {"positives": sets[0].n_positives, "negatives": sets[0].n_negatives}
    can_tell = np.logical_and.reduce([sizes[name] >= 2 for name in classes_that_matter(statistic)])
    if can_tell.any():
        order = by_name(sets[0].groups)
        order = order[can_tell[order]]
        cases = _in_own_order([ranked_cases(own.take(order)) for own in sets], sets)
        drawn = []
        for ranked, own in zip(cases, curves, strict=True):
            vertices = None
            if statistic.hold == "threshold":
                vertices = vertices_of_groups(own.table, np.array([statistic.at]), None)[order]
            resampled = resampled_cases(ranked, statistic.readings(vertices), **draws)
            drawn.append(statistic.resampled(resampled)[:, 0])
        variances[can_tell] = float(_less(drawn).var(ddof=1)) * order.size
    return _readings(rates, variances, "bootstrap")


def _in_own_order(cases: list[RankedCases], sets: Sequence[ScoreSet]) -> list[RankedCases]:
    """The same cases, ordered by their ranks in all models: a shuffled table is resampled alike."""
    by_model = [cases[i] for i in sorted(range(len(sets)), key=lambda i: sets[i].models)]
    orders = {}
    for name in ("positive", "negative"):
        offsets = getattr(cases[0], f"{name}_offsets")
        group = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
        keys = [getattr(own, f"{name}_ranks") for own in by_model]
        orders[f"{name}_ranks"] = np.lexsort((*keys[::-1], group))
    return [
        replace(own, **{name: getattr(own, name)[order] for name, order in orders.items()}) for own in cases
    ]


# The luck of the cases, by formula
# ---------------------------------
#
# A rate at a frozen threshold is a share of the cases of one class: binomial. A TPR at an FPR is read at a
# threshold that the same negatives set. That threshold lies at the r-th largest negative, and the share of
# the population beyond it has the variance of a Beta distribution; it moves the TPR by the slope of the
# curve. The slope is counted: how many positives lie between two negatives on either side of the threshold,
# as far away as the threshold is unsure. Squares of counts are corrected for their own noise, so that a mean
# over many small groups is nearly unbiased. An FPR at a TPR is the same with the classes exchanged.


@dataclass(frozen=True, eq=False)
class Reading:
    """One model's rate in one group, case by case; the last five where the other class sets the threshold."""

    counted: Floats
    setting: Floats
    near: Floats
    around: Floats
    width: float
    square: float
    variance: float

    @property
    def value(self) -> float:
        """The rate."""
        return float(self.counted.mean())


def reading_of(scores: Scores, statistic: Statistic) -> Reading:
    """The rate of one group, at a threshold or at the other rate."""
    is_positive = scores.is_positive
    if statistic.hold == "threshold":
        own = is_positive if statistic.rate == "tpr" else ~is_positive
        none = np.empty(0)
        return Reading(_called(scores, statistic.at)[own], none, none, none, np.nan, np.nan, 0.0)
    # Rank of every row among the distinct scores, the strictest last; exact for integers of any kind.
    values, ranks = np.unique(scores.columns.scores, return_inverse=True)
    ranks = np.asarray(ranks if scores.higher_is_positive else values.size - 1 - ranks, dtype=np.int64)
    is_fpr = statistic.hold == "fpr"  # held by the negatives; of several points the last one is read
    of_free = is_positive if is_fpr else ~is_positive
    free, held, rate = ranks[of_free], ranks[~of_free], statistic.at
    n = held.size
    # The threshold lies at the r-th largest; r = 0 is beyond everything, r = n + 1 below everything.
    edge = np.concatenate([[values.size], np.sort(held)[::-1], [-1]])
    r = int(np.searchsorted(np.arange(n + 1) / n, rate, side="right" if is_fpr else "left"))
    counted = (free > edge[r]).astype(np.float64)
    if 0 < r <= n:  # cases tied with it count the share of the tie that the rate reaches into
        above, through = np.count_nonzero(held > edge[r]), np.count_nonzero(held >= edge[r])
        share = (rate - above / n) / ((through - above) / n)
        counted[free == edge[r]] = min(max(share, 0.0), 1.0)
    j = max(1, round(float(np.sqrt(r * (n + 1 - r) / (n + 2)))))
    low, high = max(r - j, 0), min(r + j, n + 1)
    m = high - low
    return Reading(
        counted=counted,
        setting=(held >= edge[r]).astype(np.float64),
        near=((free > edge[high]) & (free <= edge[low])).astype(np.float64),
        around=((held >= edge[min(high, n)]) & (held <= edge[max(low, 1)])).astype(np.float64),
        width=m / (n + 1),
        square=m * (m + 1) / ((n + 1) * (n + 2)),
        variance=r * (n + 1 - r) / ((n + 1) ** 2 * (n + 2)),
    )


def variance_of(readings: list[Reading]) -> float:
    """The sampling variance of one rate, or of the first less the second; NaN with fewer than two cases.

    Examples
    --------
    >>> none = np.empty(0)
    >>> half = Reading(np.array([1.0, 0.0, 1.0, 0.0]), none, none, none, np.nan, np.nan, 0.0)
    >>> round(variance_of([half]), 6), variance_of([half, half])
    (0.083333, 0.0)
    """
    counted = _less([reading.counted for reading in readings])
    if counted.size < 2:
        return float("nan")
    variance = float(counted.var(ddof=1)) / counted.size
    for (sign, one), (other_sign, other) in product(zip((1.0, -1.0), readings, strict=False), repeat=2):
        if one.setting.size:
            variance += sign * other_sign * _slopes(one, other) * _covariance(one, other)
    return max(variance, 0.0)


def _slopes(one: Reading, other: Reading) -> float:
    """The product of two slopes, without the share of it that is the noise of counting."""
    n, shared = one.near.size, float(one.near @ other.near)
    pairs = (float(one.near.sum()) * float(other.near.sum()) - shared) / (n * (n - 1))
    if np.array_equal(one.around, other.around):
        return pairs / math.sqrt(one.square * other.square)
    # The mean product of two widths: they vary together as far as the same cases lie around both.
    overlap = float(one.around @ other.around) / math.sqrt(one.around.sum() * other.around.sum())
    scatter = [reading.square - reading.width**2 for reading in (one, other)]
    return pairs / (one.width * other.width + overlap * math.sqrt(scatter[0] * scatter[1]))


def _covariance(one: Reading, other: Reading) -> float:
    """Of the shares of the setting class beyond two thresholds."""
    if np.array_equal(one.setting, other.setting):  # exactly 1, also where no case lies beyond
        return one.variance
    a, b = (reading.setting - reading.setting.mean() for reading in (one, other))
    scale = math.sqrt((a**2).sum() * (b**2).sum())
    correlation = float(a @ b) / scale if scale > 0 else 0.0
    return correlation * math.sqrt(one.variance * other.variance)


def _less(of_models: Sequence[Floats]) -> Floats:
    """Of one model; of two the first less the second."""
    return of_models[0] if len(of_models) == 1 else of_models[0] - of_models[1]


def _called(scores: Scores | ScoreSet, at: Any) -> Floats:
    """1 for rows that are called positive."""
    c = scores.columns
    return np.asarray(c.scores >= at if c.higher_is_positive else c.scores <= at, dtype=np.float64)


# The plan
# --------


class Planned(Told, Result):
    """What plans of all kinds share: what is random is said of their facts."""

    _told: ClassVar[tuple[str, ...]] = ("random",)

    @property
    def random(self) -> str:
        """What is random, in words."""
        return said(f"{self._sentence}_random", self)


_COUNTS = ("n_cases", "n_positives", "n_negatives")


def _whole(numbers: Any) -> Any:
    """The same as integers, where all of them are."""
    is_whole = np.isfinite(numbers).all() and bool((numbers == np.rint(numbers)).all())
    return numbers.astype(np.int64) if is_whole else numbers


class DesignTable(TableResult):
    """What designs would give: one entry of every array for each; what is not known has no column."""

    def __len__(self) -> int:
        return len(next(iter(super()._columns().values())))

    def _columns(self) -> Mapping[str, Any]:
        known = {name: own for name, own in super()._columns().items() if not np.isnan(own).all()}
        return {name: _whole(own) if name in _COUNTS else own for name, own in known.items()}


@dataclass(frozen=True, eq=False, repr=False)
class CasesNeeded(Result):
    """Cases that every group needs.

    Attributes
    ----------
    factor : float
        Times the present cases; infinite where no number suffices, below 1 where fewer would do.
    positives, negatives : float
        In a group of mean size; a class that the number does not depend on stays as it is.
    """

    factor: float
    positives: float
    negatives: float

    _line = "{factor:.3g} × now, {positives:.0f} positives, {negatives:.0f} negatives"


@dataclass(frozen=True, eq=False, repr=False)
class PlanTable(DesignTable):
    """What numbers of groups and of cases would give.

    Attributes
    ----------
    n_groups : int64 array
        How many groups.
    times_cases : float64 array
        How many times the present cases every group has; infinite is what cases alone cannot beat.
    n_positives, n_negatives : float64 arrays
        Cases of each class in a group of mean size.
    half_width : float64 array
        Of the interval for the mean.
    half_width_low, half_width_high : float64 arrays
        The same at the limits of the variance between groups: how rough the plan is. NaN for a single group.
    power : float64 array
        Chance that a test finds the difference; NaN for a single model.
    unit : str
        The word for a group.
    """

    n_groups: Integers
    times_cases: Floats
    n_positives: Floats
    n_negatives: Floats
    half_width: Floats
    half_width_low: Floats
    half_width_high: Floats
    power: Floats
    unit: str

    _line = "{n_groups:count design} of {unit:plural}"


@dataclass(frozen=True, eq=False, repr=False)
class Plan(Planned, Tabular, sentence="planning.plan"):
    """What is known now, and what more groups or more cases would give.

    Attributes
    ----------
    measure : str
        The number that is planned for, in words.
    models : tuple of str
        The two whose difference it is, or nothing.
    estimate : float
        Its mean over groups; of two models the first less the second.
    means : tuple of float
        The mean over groups of every model.
    between, within : float
        Variance of one group's number: between groups (NaN for a single group and for folds, which do not
        show it, and so are its limits), and by the luck of its cases at their present number. Of folds all
        of it, times what training cases that they share add.
    between_interval : Interval
        Of the variance between groups: how rough the plan is.
    between_planned : float
        The variance between groups that looking ahead uses: as often too large as too small.
    n_groups : int
        Groups there are.
    n_positives, n_negatives : float
        Cases of each class in a group, on average.
    half_width_wanted, power_wanted : float or None
        The target.
    difference : float or None
        The true difference that a test is to find; None for one model.
    confidence_level, assurance : float
        Of the interval; the chance that a half-width comes out no wider (None: its root mean square). It
        counts that a pilot of few groups is itself uncertain.
    unit : str
        The word for a group.
    undefined : tuple of str
        Groups left out, and why.
    values, variances : float64 arrays
        What every group shows, and the variance that its cases give it.
    classes_that_matter : tuple of str
        ``"positives"``, ``"negatives"``: of which class more cases help.
    is_seen_difference : bool
        Whether the difference to find is the one seen, for lack of a better; False for one model.
    correlation : float
        Of the two models' numbers over samples of cases, for two models on a single group, as a plan from
        numbers alone asks for it; else NaN.
    average : str
        The average that is planned for: "vertical" (every group meets an FPR itself; its mean AUC, too),
        "horizontal" (a TPR), "threshold" or "pooled" (one threshold for all groups).
    is_assumed_average : bool
        Whether nobody declared how scores will be used, so that every group may set its own threshold.
    design : Design
        How the scores came about.
    half_width_of_repeats : float
        Of a cross-validation: the half-width that endless repeats of it could not beat; else NaN.
    """

    measure: str
    models: tuple[str, ...]
    estimate: float
    means: tuple[float, ...]
    between: float
    within: float
    between_interval: Interval
    between_planned: float
    n_groups: int
    n_positives: float
    n_negatives: float
    half_width_wanted: float | None
    power_wanted: float
    difference: float | None
    confidence_level: float
    assurance: float | None
    unit: str
    undefined: tuple[str, ...]
    values: Floats
    variances: Floats
    classes_that_matter: tuple[str, ...]
    is_seen_difference: bool
    correlation: float
    average: str
    is_assumed_average: bool
    design: Design
    half_width_of_repeats: float
    _statistic: Statistic
    _seen: float
    _luck: str
    _classes: Classes

    _line = (
        "{measure}{models:?, {models[0]} less {models[1]}}: {estimate:.4f} ± {half_width:.4f}, "
        "{n_groups:count {unit}}{groups_needed:?, {groups_needed:g} needed}"
        "{_only_cases:?, {_only_cases.factor:.3g} × the cases needed}"
    )
    _told: ClassVar = (
        "half_width", "floor", "power", "detectable", "groups_needed", "groups_range", "groups_at_least",
        "cases_needed", "method", "random",
    )  # fmt: skip

    method = Said("planning.method")
    """Where the variance within groups comes from."""

    @property
    def classes(self) -> Classes:
        """The labels of the two classes."""
        return self._classes

    @property
    def _only_cases(self) -> CasesNeeded | None:
        """Cases that are needed, where more groups are not planned."""
        return self.cases_needed if self.plans_cases else None

    @property
    def plans_cases(self) -> bool:
        """Whether cases alone are planned for: of a single group, and of folds, which share theirs."""
        return self.n_groups == 1 or self.design.shares_training

    @property
    def _components(self) -> Components:
        if self.plans_cases:
            return Components(0.0, self.within)
        return Components(self.between_planned, self.within, self._seen, self.n_groups - 1)

    @property
    def _target(self) -> Target:
        gap = math.nan if self.difference is None else self.difference
        return Target(self.half_width_wanted, gap, self.power_wanted, self.confidence_level, self.assurance)

    @cached_property
    def half_width(self) -> float:
        """Of the interval for the mean now."""
        return half_width(self._seen, self.n_groups, self.confidence_level, None)

    @cached_property
    def floor(self) -> float:
        """The half-width that more cases in these groups cannot beat."""
        return self._target.promised(self._components, self.n_groups, math.inf)

    @cached_property
    def power(self) -> float | None:
        """The chance that a test finds the difference now; None for one model."""
        return None if self.difference is None else self.power_at()

    @cached_property
    def detectable(self) -> float | None:
        """The difference that would be found now with the wanted chance; None for one model."""
        if self.difference is None:
            return None
        errors = noncentrality(df_of(self.n_groups), 1 - self.confidence_level, self.power_wanted)
        return errors * math.sqrt(self._components.variance() / self.n_groups)

    def _groups(self, parts: Components, times_cases: float = 1.0) -> float | None:
        if self.plans_cases or (self.half_width_wanted is None and self.difference is None):
            return None
        number = self._target.groups(parts, self.n_groups, times_cases)
        return int(number) if math.isfinite(number) else number

    @cached_property
    def groups_needed(self) -> float | None:
        """Groups that reach the target with as many cases in each; infinite if none do.

        None without a target, for a single group, and for folds, of which more do not help.
        """
        return self._groups(self._components)

    @cached_property
    def groups_range(self) -> tuple[float, float] | None:
        """The same at the limits of the variance between groups."""
        limits = self.between_interval.low, self.between_interval.high
        low, high = (self._groups(Components(between, self.within)) for between in limits)
        return None if low is None or high is None else (low, high)

    @cached_property
    def groups_at_least(self) -> float | None:
        """Groups below which no number of cases reaches it."""
        return self._groups(self._components, math.inf)

    @cached_property
    def cases_needed(self) -> CasesNeeded | None:
        """Cases with which the present groups reach it; None without a target."""
        if self.half_width_wanted is None and self.difference is None:
            return None
        factor = self._target.times_cases(self._components, self.n_groups)
        sizes = {"positives": self.n_positives, "negatives": self.n_negatives}
        for name in self.classes_that_matter:
            whole = math.isfinite(factor)
            sizes[name] = float(math.ceil(factor * sizes[name] * (1 - 1e-12))) if whole else math.inf
        return CasesNeeded(factor, **sizes)

    def _number_of_groups(self, given: int | None, name: str = "n_groups") -> int:
        """So many groups, the present ones unless said; RS068 for others than the only one there is."""
        if given is None:
            return self.n_groups
        if not self.plans_cases:
            return whole_number(name, given, least=2, example=20)
        if whole_number(name, given, least=1, example=1) == self.n_groups:
            return self.n_groups
        if self.design.shares_training:
            raise fail("RS068.folds", unit=self.unit, name=name, n=given)
        raise fail("RS068.one-group", unit=self.unit, name=name, n=given)

    def half_width_at(self, n_groups: int | None = None, *, times_cases: float = 1.0) -> float:
        """The half-width that so many groups would have, with so many times the present cases in each."""
        n = self._number_of_groups(n_groups)
        return self._target.promised(self._components, n, positive("times_cases", times_cases, 2.0))

    def power_at(self, n_groups: int | None = None, *, times_cases: float = 1.0) -> float:
        """The chance that a test then finds the difference; RS002 for a plan of one model."""
        if self.difference is None:
            raise fail("RS002.power-of-one")
        n = self._number_of_groups(n_groups)
        return self._target.chance(self._components, n, positive("times_cases", times_cases, 2.0))

    def table(
        self, groups: Sequence[int] | None = None, times_cases: Sequence[float] | None = None
    ) -> PlanTable:
        """Half-widths, and for two models power, of many numbers of groups and of cases in each.

        Parameters
        ----------
        groups : sequence of int, optional
            Numbers of groups; by default the present one, some larger ones, and the one that is needed.
        times_cases : sequence of float, optional
            How many times the present cases; by default 1, 2, 4, 10 and infinitely many, for a single group
            the factor that is needed in place of the last.
        """
        if groups is None:
            groups = [self.n_groups]
            if not self.plans_cases:
                needed = math.inf if self.groups_needed is None else self.groups_needed
                several = {self.n_groups * k for k in (1, 2, 4, 10)}
                groups = sorted(several | ({int(needed)} if needed < 100 * self.n_groups else set()))
        if times_cases is None:
            times_cases = [1.0, 2.0, 4.0, 10.0, math.inf]
            if self.plans_cases:
                needed = math.inf if self.cases_needed is None else self.cases_needed.factor
                times_cases = sorted({*times_cases[:-1]} | ({needed} if 0 < needed < 1000 else set()))
        numbers = [self._number_of_groups(n, "groups") for n in groups]
        factors = [positive("times_cases", factor, 2.0) for factor in times_cases]
        limits = self.between_interval.low, self.between_interval.high
        parts = [self._components, *(Components(between, self.within) for between in limits)]
        rows = [
            (n, times, *(self._target.promised(own, n, times) for own in parts))
            for n in numbers
            for times in factors
        ]
        n_groups, times, now, low, high = np.array(rows, dtype=np.float64).T.copy()
        chances = np.full(times.size, np.nan)
        if self.difference is not None:
            chances[:] = [self.power_at(int(n), times_cases=factor) for n, factor, *_ in rows]
        cases = self.n_positives * times, self.n_negatives * times
        return PlanTable(n_groups.astype(np.int64), times, *cases, now, low, high, chances, self.unit)

    def _columns(self) -> Mapping[str, Any]:
        """Those of the :meth:`table`."""
        return self.table()._columns()


def positive(name: str, value: object, example: float) -> float:
    """``value`` as a number above 0, else a coded error."""
    number = one_number(name, value, example)
    if not number > 0:
        raise fail("RS042", name=name, where="above 0", found=value, ways=[Option(name, example)])
    return number


def ratio_of(given: object, most: float) -> float:
    """Negatives for each positive; RS042 for what no study has."""
    ratio = one_number("ratio", given, 1.0)
    if not 1 / most <= ratio <= most:
        where = f"between {1 / most:g} and {most:g}, negatives for each positive"
        raise fail("RS042", name="ratio", where=where, found=given, ways=[Option("ratio", 2.0)])
    return ratio


def target_of(
    models: Any, half_width: Any, difference: Any, power: Any, confidence_level: Any, assurance: Any
) -> Target:
    """What is wanted; RS042 and RS002 for what cannot be."""
    if difference is not None:
        if models is None or half_width is not None:
            raise fail("RS002.difference-to-find", is_width=models is not None)
        number = one_number("difference", difference, 0.02)
        if number == 0 or not math.isfinite(number):
            where, ways = "a number other than 0", [Option("difference", 0.02)]
            raise fail("RS042", name="difference", where=where, found=difference, ways=ways)
        difference = abs(number)
    return Target(
        None if half_width is None else positive("half_width", half_width, 0.02),
        math.nan if difference is None else difference,
        open_share("power", power),
        open_share("confidence_level", confidence_level),
        None if assurance is None else open_share("assurance", assurance),
    )


def plan_groups(
    score_set: Any,
    *,
    measure: object,
    rate: str | None,
    models: Any,
    half_width: float | None,
    difference: float | None,
    power: float,
    confidence_level: float,
    assurance: float | None,
    within: str,
    undefined: str,
    unmatched: str,
    n_resamples: int,
    seed: int,
    threads: int | None,
    method: str | None = None,
) -> Plan:
    """What :func:`rocsteady.plan` does with scores in groups."""
    _require_scores(score_set, models, difference, half_width)
    statistic = measure_of(measure, rate)
    target = target_of(models, half_width, difference, power, confidence_level, assurance)
    if method is not None:
        one_of("method", method, ("threshold", "pooled"))
        if statistic.hold not in ("fpr", "tpr"):
            ways = [Option("measure", {"fpr": 0.05})]
            raise fail("RS002.together", name="method", other="a plan of AUCs", value=method, ways=ways)
        sets, _, left_out = _pilot(score_set, models, undefined=undefined, unmatched=unmatched)
        return _plan_shared_budget(sets, left_out, statistic, target, method)
    draws: dict[str, Any] | None = None
    if one_of("within", within, ("formula", "bootstrap")) == "bootstrap":
        seed = whole_number("seed", seed, least=0, example=0)
        draws = {"n_resamples": resamples_asked(n_resamples), "seed": seed, "threads": threads}
    sets, curves, left_out = _pilot(score_set, models, undefined=undefined, unmatched=unmatched)
    own = sets[0]
    is_one, shares_training = len(own) == 1, own.design.shares_training
    warn_of_clusters(own, "a plan")
    if assurance is not None and (is_one or shares_training):
        raise fail("RS068.assurance", unit=own.unit, assurance=assurance, are_folds=not is_one)
    _warn_of_fineness(own, statistic)
    found = read_groups(sets, curves, statistic, draws)
    _require_noise(sets, found, statistic.label)
    correlation = math.nan
    if is_one and len(sets) == 2:
        alone = [read_groups([a], [b], statistic, draws)[1][0] for a, b in zip(sets, curves, strict=True)]
        if alone[0] * alone[1] > 0:
            together = float(sum(alone) - found[1][0]) / (2 * math.sqrt(alone[0] * alone[1]))
            correlation = min(max(together, -1.0), 1.0)
    of_held = {"tpr": "horizontal", "threshold": "threshold"}
    made = _planned(
        sets,
        left_out,
        statistic,
        target,
        found,
        of_held.get(statistic.hold, "vertical"),
        is_assumed_average=not is_one,
        correlation=correlation,
    )
    if made.models and made.is_seen_difference and half_width is None:
        warn("RS297.seen", estimate=made.estimate, half_width=made.half_width)
    if shares_training:
        warn(
            "RS296.folds",
            unit=made.unit,
            n_groups=made.n_groups,
            half_width=f"{made.half_width:.2g}",
            of_twice=f"{made.half_width_at(times_cases=2):.2g}",
            parts="repeats" if made.design.kind == "cross-validation" else plural(made.unit),
            least=f"{made.half_width_of_repeats:.2g}",
        )
    return made


def _planned(
    sets: Sequence[ScoreSet],
    left_out: tuple[str, ...],
    statistic: Statistic,
    target: Target,
    found: Readings,
    average: str,
    *,
    is_assumed_average: bool = False,
    correlation: float = math.nan,
) -> Plan:
    """The facts of a plan, from what the groups show."""
    (values, variances, means, luck), own = found, sets[0]
    n, level, design = len(own), target.confidence_level, own.design
    estimate, of_repeats, limits = float(values.mean()), math.nan, (math.nan, math.nan)
    between = between_planned = math.nan
    if n == 1 or design.shares_training:  # cases alone: nothing is known of what lies between groups
        whole = float(variances[0]) if n == 1 else variance_seen(values)
        if n > 1:
            of_repeats = t_quantile(1, level, "normal") * math.sqrt(whole * design.test_train_ratio)
            whole *= error_factor(n, design.test_train_ratio) ** 2
        within = whole
    else:
        whole, seen = variance_seen(values), split_variance(values, variances)
        between, within = seen.between, seen.within
        between_planned = planned_components(values, within).between
        limits = between_range(values, within, level)
    is_seen = math.isnan(target.difference)
    difference = abs(estimate) if is_seen else target.difference
    return Plan(
        measure=statistic.label,
        models=tuple(one.models[0] for one in sets) if len(sets) == 2 else (),
        estimate=estimate,
        means=means,
        between=between,
        within=within,
        between_interval=Interval(*limits, level, "chi-square"),
        between_planned=between_planned,
        n_groups=n,
        n_positives=float(own.n_positives.mean()),
        n_negatives=float(own.n_negatives.mean()),
        half_width_wanted=target.half_width,
        power_wanted=target.power,
        difference=difference if len(sets) == 2 else None,
        confidence_level=level,
        assurance=target.assurance,
        unit=own.unit,
        undefined=left_out,
        values=values,
        variances=variances,
        classes_that_matter=classes_that_matter(statistic),
        is_seen_difference=is_seen and len(sets) == 2,
        correlation=correlation,
        average=average,
        is_assumed_average=is_assumed_average,
        design=design,
        half_width_of_repeats=of_repeats,
        _statistic=statistic,
        _seen=whole,
        _luck=luck,
        _classes=own.classes,
    )


def rescaled(made: Plan, half_width: float, n_groups: int | None = None) -> Plan:
    """The same plan, in which so many groups, those of the plan unless said, have this half-width.

    The two parts of the variance keep their ratio: for intervals made by another way than the plan's.
    """
    factor = (half_width / made.half_width_at(n_groups)) ** 2
    limits = made.between_interval
    names = ("between", "within", "between_planned", "_seen")
    return replace(
        made,
        between_interval=replace(limits, low=factor * limits.low, high=factor * limits.high),
        **{name: factor * getattr(made, name) for name in names},
    )


# The pilot, and whether it is large enough to plan from
# ------------------------------------------------------


def _pilot(
    score_set: Any, models: Any, *, undefined: str, unmatched: str
) -> tuple[Sequence[ScoreSet], Sequence[CurveSet], tuple[str, ...]]:
    """Groups with both classes, of one model or two on the same cases; their curves; who is left out."""
    _require_scores(score_set)
    require_single_cases(score_set.columns, "a plan needs")
    if score_set.columns.weights is not None:
        raise fail("RS038.counted", function="plan", scores=score_set)
    if models is not None:
        sets, curves, left_out = _of_two(score_set, models, undefined=undefined, unmatched=unmatched)
    elif len(score_set.models) > 1:
        two = score_set.models[:2]
        raise fail("RS044.plan", n=len(score_set.models), models=score_set.models, two=two, first=two[0])
    else:
        curves = (roc_curves(score_set, undefined=undefined),)
        sets = (score_set.take(score_set.group_index[score_set.has_curve]),)
        left_out = curves[0].undefined
    own = sets[0]
    if len(own) == 1 and left_out:  # a single dataset is no surprise to whoever has one
        warn("RS291.single", unit=own.unit, name=own.groups[0], undefined=left_out)
    elif 1 < len(own) < FEW_GROUPS and not own.design.shares_training:
        warn("RS291.few", unit=own.unit, n=len(own), needed=FEW_GROUPS)
    if own.cases is not None and not own.design.shares_training:
        # The luck of cases that are in several groups does not average out over groups.
        groups = np.repeat(np.arange(len(own)), np.diff(own.columns.offsets))
        pairs = np.unique(groups * np.int64(len(own.cases)) + own.cases.codes)
        n_cases = np.unique(pairs % len(own.cases)).size
        if n_cases < pairs.size:
            warn("RS293.shared", n_cases=n_cases, unit=own.unit, n=len(own), n_readings=int(pairs.size))
    return sets, curves, left_out


def _require_scores(pilot: Any, models: Any = None, difference: Any = None, half_width: Any = None) -> None:
    """RS002 and RS406 for what is no set of scores, before anything is said of the options."""
    refuse_counts(pilot, "plan")
    if is_score_set(pilot):
        return
    if isinstance(pilot, Comparison | Comparisons | Difference):
        first = pilot[0] if isinstance(pilot, Comparisons) else pilot
        pair = (first.a, first.b) if models is None else models
        target = f"difference={0.02 if difference is None else difference!r}"
        if difference is None and half_width is not None:
            target = f"half_width={half_width!r}"
        ways = [
            f"plan(score_set, models={pair!r}, {target})",
            "for a reader study:  plan(compare_readers(score_set), difference=0.05)",
        ]
        raise fail("RS002.plan-of", found=described(pilot), ways=ways)
    ways = [
        "plan(ScoreSet.from_arrays(labels, scores, groups))",
        "without data, from an AUC alone:  plan(0.8)",
        "for a reader study:  plan(compare_readers(score_set), difference=0.05), or variance components",
    ]
    raise fail("RS002.set-of-scores", function="plan", found=described(pilot), ways=ways)


def _of_two(
    score_set: ScoreSet, models: Any, *, undefined: str, unmatched: str
) -> tuple[Sequence[ScoreSet], Sequence[CurveSet], tuple[str, ...]]:
    if isinstance(models, str) or not isinstance(models, Sequence) or len(models) != 2:
        found, ways = f"{models!r:.60}", [Option("models", ("old", "new"))]
        raise fail("RS002.kind", name="models", kind="the two models to compare", found=found, ways=ways)
    (pair,) = chosen_pairs(score_set, *models)
    # A plan has no unpaired form, so that is not what to type.
    paired = paired_models(score_set, pair, undefined=undefined, unmatched=unmatched, ways=())
    unlike = [] if paired.has_cases else unequal_rows(paired)
    if unlike:
        raise fail("RS063.order", groups=unlike, unit=paired.unit, paired=None, random=None)
    return paired.sets, tuple(roc_curves(own) for own in paired.sets), paired.undefined


def _warn_of_fineness(own: ScoreSet, statistic: Statistic) -> None:
    """RS292 if a handful of cases set the threshold."""
    if statistic.hold not in ("fpr", "tpr"):
        return
    held, is_fpr = statistic.at, statistic.hold == "fpr"
    sizes, word = (own.n_negatives, "negatives") if is_fpr else (own.n_positives, "positives")
    n, share = float(np.median(sizes)), min(held, 1 - held)
    if n * share < _FEWEST_BEYOND:
        is_end = not 0 < held < 1
        warn(
            "RS292.beyond",
            rate="tpr" if is_fpr else "fpr",
            held=statistic.hold,
            at=held,
            n=n,
            cases=word,
            beyond=n * share,
            unit=None if len(own) == 1 else own.unit,
            needed=None if is_end else math.ceil(_FEWEST_BEYOND / share),
            is_end=is_end,
        )


def _require_noise(sets: Sequence[ScoreSet], found: Readings, measure: str) -> None:
    """RS069 if no group tells its own noise, RS290 if some do not, RS292 where most show none."""
    (values, variances, means, _), own = found, sets[0]
    unknown = np.isnan(variances)
    if unknown.any():
        names = [name for name, is_small in zip(own.groups, unknown, strict=True) if is_small]
        if len(own) == 1:
            sizes = {"n_positives": int(own.n_positives[0]), "n_negatives": int(own.n_negatives[0])}
            raise fail("RS069.one-case", measure=measure, **sizes)
        if unknown.all():
            raise fail("RS069.small", unit=own.unit, measure=measure, names=names)
        warn("RS290.small", unit=own.unit, n_groups=len(unknown), measure=measure, names=names)
    if len(own) == 1:
        at_end = [mean for mean in means if mean in (0, 1)]
        if variances[0] == 0 and at_end:
            shown = listed([f"{mean:.4g}" for mean in means])
            warn("RS292.perfect", measure=measure, end=at_end[0], means=shown)
    elif len(sets) == 1:
        n = int(((variances == 0) & ((values == 0) | (values == 1))).sum())
        if n > values.size / 2:
            warn("RS292.ends", measure=measure, unit=own.unit, n=n, n_groups=values.size)


# One threshold for all groups: set to a mean rate, or given
# ----------------------------------------------------------
#
# The reading is one number of the whole: the mean TPR where the mean FPR meets a budget. What every group
# adds to it is linearised, as for its interval: how far the group's TPR lies from the mean at today's
# threshold, less the slope of the average curve times how far its FPR does. So is the luck of its cases.


def plan_shared_budget(
    score_set: ScoreSet,
    at: Mapping[str, float],
    *,
    method: str = "threshold",
    models: tuple[str, str] | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
) -> Plan:
    """Plan for one rate where one threshold for all groups is set to a mean value of the other (``at``).

    Every group counts once, or by ``method="pooled"`` every row; each of two models has a threshold of its
    own. How sure it is: ``simulations/shared_planner.py``.
    """
    target = target_of(models, None, None, power, confidence_level, None)
    sets, _, left_out = _pilot(score_set, models, undefined="drop", unmatched="drop")
    return _plan_shared_budget(sets, left_out, measure_of(dict(at)), target, method)


def _plan_shared_budget(
    sets: Sequence[ScoreSet], left_out: tuple[str, ...], measure: Statistic, target: Target, method: str
) -> Plan:
    if len(sets[0]) == 1:
        raise fail("RS068.shared-threshold", unit=sets[0].unit)
    assert isinstance(measure, RateAt)
    rate = float(np.ravel(measure.at)[0])
    values, means, adds, factors = zip(
        *(_under_one_threshold(each, method, measure.hold, rate) for each in sets), strict=True
    )
    variances = _variances(sets[0], _less(adds), *factors[0])
    found = _less(values), variances, means, "average slope"
    return _planned(sets, left_out, measure, target, found, method)


def plan_given_thresholds(
    score_set: ScoreSet,
    thresholds: Mapping[str, Mapping[str, float]],
    rate: str,
    *,
    method: str = "threshold",
    models: tuple[str, str] | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
) -> Plan:
    """Plan for the rate "tpr" or "fpr" where thresholds of every model and group were given and stay."""
    names = models or tuple(thresholds)[:1]
    target = target_of(models, None, None, power, confidence_level, None)
    sets, _, left_out = _pilot(score_set, models, undefined="drop", unmatched="drop")
    own, c = sets[0], sets[0].columns
    at = [np.array([thresholds[name].get(group, np.nan) for group in own.groups]) for name in names]
    lacking = [g for g, *each in zip(own.groups, *at, strict=True) if np.isnan(each).any()]
    if lacking:
        raise fail("RS068.thresholds", unit=own.unit, groups=lacking)
    of_class = (c.labels == c.positive) == (rate == "tpr")
    calls = [_called(each, np.repeat(t, np.diff(c.offsets))) for each, t in zip(sets, at, strict=True)]
    sizes = np.add.reduceat(of_class.astype(np.float64), c.offsets[:-1])
    factor = np.ones(sizes.size) if method == "threshold" else sizes.size * sizes / sizes.sum()
    shares = [
        np.add.reduceat(np.where(of_class, each, 0.0), c.offsets[:-1]) / sizes
        for each in (_less(calls), *calls)
    ]
    overall, *means = (float(np.mean(factor * each)) for each in shares)
    factors = (None, factor) if rate == "tpr" else (factor, None)
    variances = _variances(own, _less(calls), *factors)
    measure = measure_of({"threshold": next(iter(thresholds[names[0]].values()))}, rate)
    found = overall + factor * (shares[0] - overall), variances, tuple(means), "frozen"
    return _planned(sets, left_out, measure, target, found, method)


def _under_one_threshold(
    scores: ScoreSet, method: str, held: str, rate: float
) -> tuple[Floats, float, Floats, tuple[Floats, Floats]]:
    """Of one model: what every group adds to the reading, the reading, what every row adds, and weights."""
    own: Any = average(scores, method_of(method))
    assert isinstance(own, SharedThresholdAverage)
    read, axis = (own.tpr_at, 0) if held == "fpr" else (own.fpr_at, 1)
    mean, n = float(read(rate)), len(own.members)
    threshold = own._shared_threshold(*((rate, mean) if held == "fpr" else (mean, rate)), held)
    values = mean + own._linearised(np.array([rate]), held)[:, 0]
    fpr_weights, tpr_weights = own._axis_weights
    factors = n * fpr_weights, n * tpr_weights
    # The slope is a secant over two standard errors of the mean held rate, as the groups' additions have it.
    rates = rates_of_groups(own._groups.table, [threshold], None)[axis][:, 0]
    along = factors[axis] * (rates - float(factors[axis] @ rates) / n)
    reach = float(np.sqrt(np.sum(along**2) / (n * (n - 1))))
    low, high = max(rate - reach, 0.0), min(rate + reach, 1.0)
    slope = float(read(high) - read(low)) / (high - low) if high > low else 0.0
    of_negative, of_positive = (-slope, 1.0) if held == "fpr" else (1.0, -slope)
    c = scores.columns
    adds = np.where(c.labels == c.positive, of_positive, of_negative) * _called(scores, threshold)
    return values, mean, adds, factors


def _variances(own: ScoreSet, adds: Floats, *factors: Floats | None) -> Floats:
    """Of every group's number by what its rows add; ``factors``: what negatives and positives count."""
    c = own.columns
    is_positive, found = c.labels == c.positive, np.zeros(len(own))
    for of_class, factor in zip((~is_positive, is_positive), factors, strict=True):
        if factor is not None:
            groups = [adds[a:b][of_class[a:b]] for a, b in pairwise(c.offsets)]
            means = [rows.var(ddof=1) / rows.size if rows.size > 1 else np.nan for rows in groups]
            found += factor**2 * np.array(means)
    return found
