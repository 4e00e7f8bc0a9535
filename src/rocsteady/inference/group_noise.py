"""What every group shows, of one model or of two, and how much of it is the luck of its cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Indices, Integers
from rocsteady.counting.table import curve_moments, delong_covariance
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.measures import Auc, RateAt, Statistic, statistic_of
from rocsteady.curves.readings import vertex_at
from rocsteady.errors import Option, fail
from rocsteady.inference.bootstrap import by_name
from rocsteady.inference.matching import members_only
from rocsteady.options import one_of
from rocsteady.places import ON_CURVES, is_place, place_of
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.statistics.delong import delong_components, delong_variance
from rocsteady.statistics.resampling import RankedCases, ranked_cases, resampled_cases

_EXAMPLES = (
    Option("measure", "auc"),
    Option("measure", {"fpr": 0.05}),
    Option("measure", {"tpr": 0.9}),
    Option("measure", {"threshold": 0.5}),
)
_PLAIN = {"both": "tpr", "sensitivity": "tpr", "specificity": "fpr"}


@dataclass(frozen=True)
class Measure:
    """One number of a curve.

    Attributes
    ----------
    statistic : Statistic
        Where it is read.
    label : str
        What it is called in a sentence.
    """

    statistic: Statistic
    label: str

    @property
    def rate(self) -> str:
        """``"tpr"`` or ``"fpr"``, if it is a rate; else nothing."""
        return self.statistic.rate

    @property
    def classes_that_matter(self) -> tuple[str, ...]:
        """``"positives"`` and ``"negatives"``, or the one whose rate it is at a frozen threshold."""
        if self.statistic.hold == "threshold":
            return ("positives",) if self.rate == "tpr" else ("negatives",)
        return ("positives", "negatives")

    def read(self, curve: Any) -> float:
        """Its value on a curve."""
        return float(self.statistic.read(curve))


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
    if rate is not None and statistic.hold != "threshold":
        other, ways = "a measure that has no threshold", ["leave out  rate"]
        raise fail("RS002.together", name="rate", other=other, value=rate, ways=ways)
    if isinstance(statistic.at, tuple):
        raise fail("RS002.one-number", statistic=statistic.label, ways=_EXAMPLES[1:])
    if isinstance(statistic, RateAt):  # a sensitivity or specificity is as uncertain as the rate behind it
        chosen = _PLAIN.get(statistic.rate, statistic.rate)
        statistic = replace(statistic, rate=chosen if rate is None else one_of("rate", rate, ("tpr", "fpr")))
    return Measure(statistic, statistic.label)


def _statistic(given: object) -> Statistic:
    if is_place(given):
        if not (isinstance(given, Mapping) and "rate" in given and len(given) > 1):
            given = place_of(given, among=ON_CURVES, task="plan for")
        return statistic_of(given)
    if isinstance(given, Statistic) or (isinstance(given, str) and given.casefold() in ("auc", "roc_auc")):
        return statistic_of(given if isinstance(given, Statistic) else "auc")
    raise fail("RS001.plan", given=given, ways=_EXAMPLES)


@dataclass(frozen=True, eq=False)
class GroupReadings:
    """One number for each group.

    Attributes
    ----------
    values : float64 array
        The reading of every group, or the first model's less the second's.
    variances : float64 array
        What the cases of every group give it; NaN where a class has a single case.
    means : tuple of float
        The mean of every model.
    method : str
        Where the variances come from.
    """

    values: Floats
    variances: Floats
    means: tuple[float, ...]
    method: str


def read_groups(
    sets: Sequence[ScoreSet], curves: Sequence[CurveSet], measure: Measure, draws: Mapping[str, Any] | None
) -> GroupReadings:
    """Read every group of one model, or of two whose cases line up.

    All groups have both classes; ``curves`` are those of the sets. Formulas serve without
    ``draws``: n_resamples, seed, threads.
    """
    if draws is not None:
        return _resampled(sets, curves, measure, draws)
    if isinstance(measure.statistic, Auc):
        return _areas(sets, curves)
    if not measure.rate:
        raise fail("RS002.no-formula", measure=measure.label)
    rows = []
    for members in zip(*sets, strict=True):
        read = [reading_of(own, measure) for own in members]
        rows.append([*(reading.value for reading in read), variance_of(read)])
    table = np.array(rows)
    rates = table[:, :-1]
    method = (
        "binomial variance"
        if measure.statistic.hold == "threshold"
        else "binomial variance and slope of the curve"
    )
    return GroupReadings(_differences(rates), table[:, -1], _means(rates), method)


def _means(rates: Floats) -> tuple[float, ...]:
    return tuple(float(mean) for mean in rates.mean(axis=0))


def _differences(rates: Floats) -> Floats:
    return np.asarray(rates[:, 0] - rates[:, 1] if rates.shape[1] == 2 else rates[:, 0])


def _areas(sets: Sequence[ScoreSet], curves: Sequence[CurveSet]) -> GroupReadings:
    """AUCs with DeLong's variances; of a difference, from placements case by case."""
    areas = np.column_stack([own.auc for own in curves])
    if len(sets) == 1:
        table = curves[0].table
        variances = delong_variance(curve_moments(table.true_positives, table.false_positives, table.offsets))
        return GroupReadings(areas[:, 0], variances, _means(areas), "DeLong's variance")
    differences, variances = np.empty(len(areas)), np.empty(len(areas))
    for i, members in enumerate(zip(*sets, strict=True)):
        m = delong_covariance(members)
        spreads = m.positive_difference[0, 1], m.negative_difference[0, 1]
        variances[i] = delong_components(*spreads, m.n_positives, m.n_negatives).sum()
        differences[i] = (int(m.wins[0]) - int(m.wins[1])) / (2 * m.n_positives * m.n_negatives)
    return GroupReadings(differences, variances, _means(areas), "DeLong's variance of paired cases")


def _resampled(
    sets: Sequence[ScoreSet], curves: Sequence[CurveSet], measure: Measure, draws: Mapping[str, Any]
) -> GroupReadings:
    """Cases are drawn again within every group and class, for two models the same ones.

    Groups are drawn apart, so the variance of the mean over groups is the mean variance of one, over their
    number: one number serves all groups. A single case of a class is drawn again and again and shows no luck,
    so groups that have one are left out of it.
    """
    rates = np.array([[measure.read(curve) for curve in own] for own in curves]).T
    variances = np.full(len(rates), np.nan)
    method = "bootstrap of the cases"
    sizes = {"positives": sets[0].n_positives, "negatives": sets[0].n_negatives}
    can_tell = np.logical_and.reduce([sizes[name] >= 2 for name in measure.classes_that_matter])
    if not can_tell.any():
        return GroupReadings(_differences(rates), variances, _means(rates), method)
    order = by_name(sets[0].groups)
    order = order[can_tell[order]]
    cases = _in_own_order([ranked_cases(members_only(own, order)) for own in sets], sets)
    drawn = []
    for ranked, own in zip(cases, curves, strict=True):
        readings = measure.statistic.readings(_vertices(own, measure, order))
        values = resampled_cases(ranked, readings, **draws)
        drawn.append(measure.statistic.resampled(values)[:, 0])
    of_mean = (drawn[0] - drawn[1] if len(drawn) == 2 else drawn[0]).var(ddof=1)
    variances[can_tell] = float(of_mean) * order.size
    return GroupReadings(_differences(rates), variances, _means(rates), method)


def _vertices(curves: CurveSet, measure: Measure, order: Indices) -> Integers | None:
    """Where every curve has a frozen threshold."""
    if measure.statistic.hold != "threshold":
        return None
    at = measure.statistic.at
    own = [vertex_at(curve.thresholds, at, None, curve.higher_is_positive)[0] for curve in curves]
    return np.array(own, dtype=np.int64)[order, None]


def _in_own_order(cases: list[RankedCases], sets: Sequence[ScoreSet]) -> list[RankedCases]:
    """The same cases, ordered by their ranks: a shuffled table is resampled alike.

    Draws go by position, so all models keep one order; which of them comes first in it is a matter of names.
    """
    by_model = [cases[i] for i in sorted(range(len(sets)), key=lambda i: sets[i].models)]
    orders = []
    for name in ("positive", "negative"):
        offsets = getattr(cases[0], f"{name}_offsets")
        group = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
        keys = [getattr(own, f"{name}_ranks") for own in by_model]
        orders.append(np.lexsort((*keys[::-1], group)))
    return [
        replace(
            own,
            positive_ranks=own.positive_ranks[orders[0]],
            negative_ranks=own.negative_ranks[orders[1]],
        )
        for own in cases
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
    """One model's rate in one group, case by case.

    Attributes
    ----------
    counted : float64 array
        What every case of the rate's class counts: 1 beyond the threshold, a share where it is tied with it.
    setting : float64 array
        For a threshold that the other class sets: whether each of its cases is at or beyond it; else empty.
    near : float64 array
        Whether every case of the rate's class lies near the threshold; empty as well.
    around : float64 array
        The same of the setting class.
    width, square : float
        The share of the setting class in the population that lies as near: its mean and mean square. NaN if
        there is no such class.
    variance : float
        Of the share of the setting class beyond the threshold.
    """

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


def reading_of(scores: Scores, measure: Measure) -> Reading:
    """The rate of one group, at a threshold or at the other rate."""
    statistic = measure.statistic
    is_positive = scores.is_positive
    if statistic.hold == "threshold":
        values = scores.columns.scores
        beyond = values >= statistic.at
        if not scores.higher_is_positive:
            beyond = values <= statistic.at
        own = is_positive if measure.rate == "tpr" else ~is_positive
        none = np.empty(0)
        return Reading(beyond[own].astype(np.float64), none, none, none, np.nan, np.nan, 0.0)
    ranks = _rising_ranks(scores)
    if statistic.hold == "fpr":
        return _read(ranks[is_positive], ranks[~is_positive], statistic.at, best="last")
    if statistic.hold == "tpr":
        return _read(ranks[~is_positive], ranks[is_positive], statistic.at, best="first")
    raise TypeError(f"no formula for {statistic!r}")


def _rising_ranks(scores: Scores) -> Integers:
    """Rank of every row among the distinct scores, the strictest last; exact for integers of any kind."""
    values, ranks = np.unique(scores.columns.scores, return_inverse=True)
    return np.asarray(ranks if scores.higher_is_positive else values.size - 1 - ranks, dtype=np.int64)


def _read(free: Integers, held: Integers, rate: float, *, best: str) -> Reading:
    """The share of ``free`` beyond the threshold at which ``rate`` of ``held`` are.

    ``best`` is the end that is read where the curve has several points of that rate: the last one (most of
    ``free``) or the first.
    """
    n = held.size
    falling = np.sort(held)[::-1]
    shares = np.arange(n + 1) / n
    # The threshold lies at the r-th largest; r = 0 is beyond everything, r = n + 1 below everything.
    r = int(np.searchsorted(shares, rate, side="right" if best == "last" else "left"))
    counted = _beyond(free, falling, r, rate)
    j = max(1, round(float(np.sqrt(r * (n + 1 - r) / (n + 2)))))
    low, high = max(r - j, 0), min(r + j, n + 1)
    near = _above(free, falling, high) - _above(free, falling, low)
    m = high - low
    ends = falling[min(high, n) - 1], falling[max(low, 1) - 1]
    around = ((held >= ends[0]) & (held <= ends[1])).astype(float)
    width, square = m / (n + 1), m * (m + 1) / ((n + 1) * (n + 2))
    setting = np.zeros(n) if r == 0 else np.ones(n) if r == n + 1 else (held >= falling[r - 1]).astype(float)
    variance = r * (n + 1 - r) / ((n + 1) ** 2 * (n + 2))
    return Reading(counted, setting, near, around, width, square, variance)


def _above(free: Integers, falling: Integers, r: int) -> Floats:
    """Which cases lie above the r-th largest of the other class."""
    if r in (0, falling.size + 1):
        return np.full(free.size, float(r > 0))
    return np.asarray(free > falling[r - 1], dtype=np.float64)


def _beyond(free: Integers, falling: Integers, r: int, rate: float) -> Floats:
    """The same; those tied with it count the share of the tie that the rate reaches into."""
    counted = _above(free, falling, r)
    n = falling.size
    if 0 < r <= n:
        threshold = falling[r - 1]
        above, through = np.count_nonzero(falling > threshold), np.count_nonzero(falling >= threshold)
        share = (rate - above / n) / ((through - above) / n)
        counted[free == threshold] = min(max(share, 0.0), 1.0)
    return counted


def variance_of(readings: list[Reading]) -> float:
    """The sampling variance of one rate, or of the first less the second; NaN with fewer than two cases.

    Examples
    --------
    >>> none = np.empty(0)
    >>> half = Reading(np.array([1.0, 0.0, 1.0, 0.0]), none, none, none, np.nan, np.nan, 0.0)
    >>> round(variance_of([half]), 6), variance_of([half, half])
    (0.083333, 0.0)
    """
    signs = (1.0, -1.0)[: len(readings)]
    counted: Floats = np.zeros(readings[0].counted.size)
    for sign, reading in zip(signs, readings, strict=True):
        counted = counted + sign * reading.counted
    if counted.size < 2:
        return float("nan")
    variance = float(counted.var(ddof=1)) / counted.size
    for i, one in enumerate(readings):
        for k, other in enumerate(readings):
            if one.setting.size:
                variance += signs[i] * signs[k] * _slopes(one, other) * _covariance(one, other, is_one=i == k)
    return max(variance, 0.0)


def _slopes(one: Reading, other: Reading) -> float:
    """The product of two slopes, without the share of it that is the noise of counting."""
    n = one.near.size
    shared = float(one.near @ other.near)
    pairs = (float(one.near.sum()) * float(other.near.sum()) - shared) / (n * (n - 1))
    return pairs / _widths(one, other)


def _widths(one: Reading, other: Reading) -> float:
    """The mean product of two widths: they vary together as far as the same cases lie around both."""
    if np.array_equal(one.around, other.around):
        return float(np.sqrt(one.square * other.square))
    overlap = float(one.around @ other.around) / float(np.sqrt(one.around.sum() * other.around.sum()))
    scatter = [reading.square - reading.width**2 for reading in (one, other)]
    return one.width * other.width + overlap * float(np.sqrt(scatter[0] * scatter[1]))


def _covariance(one: Reading, other: Reading, *, is_one: bool) -> float:
    """Of the shares of the setting class beyond two thresholds."""
    if is_one:
        return one.variance
    if np.array_equal(one.setting, other.setting):  # exactly 1, also where no case lies beyond
        return float(one.variance)
    deviations: list[Any] = [reading.setting - reading.setting.mean() for reading in (one, other)]
    scale = float(np.sqrt((deviations[0] ** 2).sum() * (deviations[1] ** 2).sum()))
    correlation = float(deviations[0] @ deviations[1]) / scale if scale > 0 else 0.0
    return correlation * float(np.sqrt(one.variance * other.variance))
