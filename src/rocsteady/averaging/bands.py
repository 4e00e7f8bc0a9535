"""Bands around an average, means with limits at many positions, and where every single group stands."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Floats, Mask
from rocsteady.averaging.base import FEWEST_GROUPS, Average, mostly_alike, own_thresholds, reading_limits
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.shared import PooledAverage, SharedThresholdAverage
from rocsteady.averaging.tuned import RadialAverage, TangentAverage, points_on_rays
from rocsteady.counting.table import CountTable
from rocsteady.curves.uncertainty import Band as Band  # noqa: PLC0414 - part of this module's face
from rocsteady.curves.uncertainty import BandEdge as BandEdge  # noqa: PLC0414 - as is this
from rocsteady.errors import fail, warn
from rocsteady.options import How, rate_range, rates, real_numbers
from rocsteady.statistics.groups import (
    Spread,
    degrees_of_freedom,
    largest_of_normal,
    spread,
    t_limits,
    two_sided_quantile,
    weighted_mean,
)
from rocsteady.statistics.intervals import Interval
from rocsteady.statistics.resampling import drawn_counts, drawn_standard_errors
from rocsteady.words import plural, what_groups_are

KINDS = ("pointwise", "simultaneous", "prediction")
_GRID = 200
_RARE = 5e-4
_LEAST_ERROR = 1 / 3
"""Of a resample, as a share of the usual one: less is met by one in a thousand of eight normal values."""


def band_of(average: Average, kind: str, fpr: tuple[float, float], at: ArrayLike | None, how: How) -> Band:
    """The band of one kind around an average, at these false positive rates or on a grid."""
    declared = rate_range("fpr", fpr)
    wanted = None if at is None else np.unique(rates("at", at))
    if wanted is not None and not (isinstance(average, DirectionalAverage) and kind != "simultaneous"):
        wanted = wanted[(wanted >= declared[0]) & (wanted <= declared[1])]
    n_groups = average.n_groups
    if kind == "simultaneous" and 1 < n_groups < FEWEST_GROUPS and not average._ratio:
        warn("RS212.band", n=n_groups, unit=average.unit, fewest=FEWEST_GROUPS)
    if kind == "prediction" and average.design.shares_training:
        raise fail("RS086.folds", unit=average.unit, design=repr(average.design))
    if isinstance(average, DirectionalAverage):
        if kind != "prediction":
            average._warn_of_steps()
        if kind == "simultaneous":
            return _simultaneous(average, declared, wanted, how)
        return _by_formula(average, kind, wanted, how)
    if kind == "prediction":
        raise fail("RS086.both-rates", label=average.method.label, unit=average.unit)
    return _read_vertically(average, kind, declared, wanted, how)


def _by_formula(average: DirectionalAverage, kind: str, wanted: Floats | None, how: How) -> Band:
    at, values = average._band_values(None if wanted is None else _positions(average, wanted))
    found, alike = spread(values, average.weights, average._ratio), mostly_alike(values)
    factor = two_sided_quantile(how.quantile, how.confidence_level, average.degrees_of_freedom)
    if kind == "prediction":
        half = factor * found.sd * np.sqrt(1 + 1 / average.effective_groups)
        low, high = found.mean - half, found.mean + half
    else:
        low, high = pointwise_limits(average, at, found, how, alike)
    lines = _up_to_the_corner(average, np.array([at, found.mean, low, high]), how, alike, kind)
    return Band(
        **_edges(average, *lines),
        kind=kind,
        confidence_level=how.confidence_level,
        factor=factor,
        fpr=None,
        excluded=_fpr_ranges(average, at, alike),
        reading=_promise(average, kind, how, None),
    )


def pointwise_limits(
    average: DirectionalAverage, at: Floats, found: Spread, how: How, alike: Mask
) -> tuple[Floats, Floats]:
    """Limits of the mean along the direction, as those of a point there."""
    how = replace(how, scale=average._scale(how))
    alike = alike & ~average._at_corner(at, found.mean)
    if average.direction.is_horizontal:  # the value is that of the FPR, turned round: less is better
        low, high = average._limits("fpr", 0.0 - found.mean, found.standard_error, how, alike)
        return 0.0 - high, 0.0 - low
    return average._limits("tpr", found.mean, found.standard_error, how, alike)


def _up_to_the_corner(average: DirectionalAverage, lines: Floats, how: How, alike: Mask, kind: str) -> Floats:
    """Position, mean and limits; twice at a corner that groups run into alike: just before it, and at it."""
    direction = average.direction
    end = -1 if direction.is_vertical else 0
    is_run_into = alike[end] and average._at_corner(*lines[:2, [end]])[0]
    if kind == "prediction" or average._scale(how) == "linear" or not is_run_into:
        return lines
    before = lines[:, end].copy()
    rate = "tpr" if direction.is_vertical else "fpr"
    low, high = average._limits(rate, abs(before[1]), 0.0, how, alike=True)
    before[2:] = (low, high) if direction.is_vertical else (0.0 - high, 0.0 - low)
    return np.insert(lines, lines.shape[1] - 1 if end else 1, before, axis=1)


def _positions(average: DirectionalAverage, fpr: Floats) -> Floats:
    """Where the average has these false positive rates, along its direction; both ends of its jumps."""
    if average.direction.is_vertical:
        return fpr
    c, s = average.direction.cosine, average.direction.sine
    ends = [c * fpr + s * np.asarray(average.tpr_at(fpr, side=side)) for side in ("lower", "upper")]
    return np.unique(np.clip(ends, 0.0, average.direction.length))


def _simultaneous(
    average: DirectionalAverage, declared: tuple[float, float], wanted: Floats | None, how: How
) -> Band:
    ends = declared
    if not average.direction.is_vertical:
        c, s = average.direction.cosine, average.direction.sine
        ends = tuple(c * x + s * float(average.tpr_at(x)) for x in declared)  # type: ignore[assignment]
    at, is_shown = _with_grid(ends, None if wanted is None else _positions(average, wanted))
    values = average._values(at)
    half, factor, left_out = half_width(values, average.weights, how, average._ratio)
    excluded = _fpr_ranges(average, at, left_out)
    mean, half = weighted_mean(values, average.weights)[is_shown], half[is_shown]
    return Band(
        **_edges(average, at[is_shown], mean, mean - half, mean + half),
        kind="simultaneous",
        confidence_level=how.confidence_level,
        factor=factor,
        fpr=declared,
        excluded=excluded,
        reading=_promise(average, "simultaneous", how, declared, excluded),
    )


def _with_grid(ends: tuple[float, float], wanted: Floats | None) -> tuple[Floats, Mask]:
    """Positions over the whole declared range, which a simultaneous band is about, and those to be shown."""
    grid = np.linspace(*ends, _GRID)
    if wanted is None:
        return grid, np.ones(_GRID, dtype=np.bool_)
    at = np.union1d(grid, wanted)
    return at, np.isin(at, wanted)


def half_width(values: Floats, weights: Floats, how: How, ratio: float = 0.0) -> tuple[Floats, float, Mask]:
    """Half the width of a simultaneous band, its factor, and where there is none.

    ``values`` are what every group adds to the curve, ``(n_groups, n)``. Where groups share training cases
    (``ratio``) they cannot be drawn again; then the factor is that of normal values as alike as these.
    """
    found = spread(values, weights, ratio)
    # A resample that draws only curves that coincide at a position has no error there. The more positions
    # where that may happen, the more resamples would ask for an infinite band.
    share = min(0.5, _RARE ** (1 / values.shape[0]))
    left_out = mostly_alike(values, share) | ~(found.standard_error > 0)
    half, factor = np.full(values.shape[1], np.nan), float("nan")
    if not left_out.all():
        kept = ~left_out
        away = values[:, kept] - found.mean[kept]
        if ratio:
            maxima = largest_of_normal(away, n_draws=how.n_resamples, seed=how.seed)
            factor = float(np.quantile(maxima, how.confidence_level, method="higher"))
        else:
            factor = _studentised_factor(away, found.standard_error[kept], weights, how)
        half[kept] = factor * found.standard_error[kept]
    return half, factor, left_out


def _studentised_factor(deviations: Floats, usual_error: Floats, weights: Floats, how: How) -> float:
    """How many standard errors hold the largest deviation of a resampled mean, each with its own error."""
    largest = []
    for counts in drawn_counts(deviations.shape[0], how.n_resamples, how.seed):
        mean, error = drawn_standard_errors(deviations, weights, counts)
        # A resample that drew nearly only curves that coincide here has next to no error, which says nothing.
        largest.append((np.abs(mean) / np.maximum(error, _LEAST_ERROR * usual_error)).max(axis=1))
    return float(np.quantile(np.concatenate(largest), how.confidence_level, method="higher"))


def _read_vertically(
    average: Average, kind: str, declared: tuple[float, float], wanted: Floats | None, how: How
) -> Band:
    """A curve without a direction: limits of the true positive rate at each false positive rate.

    Pointwise they are those of a reading there; simultaneously, studentised as along a direction, of what
    every group adds to the true positive rate.
    """
    at, is_shown = _with_grid(declared, wanted)
    if kind == "pointwise":
        at, is_shown = at[is_shown], is_shown[is_shown]
    middle, factor = np.asarray(average.tpr_at(at)), float("nan")
    if kind == "pointwise":
        low, high, left_out = reading_limits(average, "fpr", at, middle, how)
    else:
        values = average._linearised(at)
        n_groups = values.shape[0]
        half, factor, left_out = half_width(values, np.full(n_groups, 1 / n_groups), how, average._ratio)
        low, high = middle - half, middle + half
    excluded = runs_of(at, left_out)
    return Band(
        lower=BandEdge(at[is_shown], low[is_shown]),
        upper=BandEdge(at[is_shown], high[is_shown]),
        middle=BandEdge(at[is_shown], middle[is_shown]),
        kind=kind,
        confidence_level=how.confidence_level,
        factor=factor,
        fpr=declared,
        excluded=excluded,
        reading=_promise(average, kind, how, declared, excluded),
    )


def _edges(
    average: DirectionalAverage, at: Floats, mean: Floats, low: Floats, high: Floats
) -> dict[str, BandEdge]:
    sides = {"lower": low, "upper": high, "middle": mean}
    return {name: BandEdge(*map(np.array, average._turned_back(at, side))) for name, side in sides.items()}


def _fpr_ranges(average: DirectionalAverage, at: Floats, chosen: Mask) -> tuple[tuple[float, float], ...]:
    """Chosen positions as ranges of the average's false positive rate; its fixed ends do not count."""
    inside = chosen & (at > 0) & (at < average.direction.length)
    if average.direction.is_vertical:
        return runs_of(at, inside)
    fpr, _ = average._turned_back(at, average.weights @ average._values(at))
    return runs_of(fpr, inside)


def runs_of(at: Floats, chosen: Mask) -> tuple[tuple[float, float], ...]:
    """Runs of chosen positions, each as its first and last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]])))
    return tuple((float(at[i]), float(at[j - 1])) for i, j in zip(edges[::2], edges[1::2], strict=True))


def _promise(
    average: Average,
    kind: str,
    how: How,
    declared: tuple[float, float] | None,
    excluded: tuple[tuple[float, float], ...] = (),
) -> str:
    level = f"{100 * how.confidence_level:g} %"
    groups = plural(average.unit)
    if average.n_groups < 2:
        return f"With a single {average.unit} there is no spread between {groups} to judge by."
    if kind == "prediction":
        return (
            f"At each position, the curve of one more {average.unit} like these lies in the band with "
            f"{level} probability."
        )
    random = what_groups_are(average.design, average.n_groups, average.unit)
    if kind == "pointwise":
        each = "At each position by itself, the mean over"
        return f"{each} {groups} lies in the band with {level} confidence; {random}."
    low, high = declared or (0.0, 1.0)
    axis = "debit share" if average.averaged.is_smroc else "FPR"
    left = ""
    if excluded:
        left = "; left out, because most curves coincide there: " + ", ".join(
            f"{a:.3g} to {b:.3g}" for a, b in excluded
        )
    return (
        f"The whole mean curve from {axis} {low:g} to {high:g} lies in the band with {level} "
        f"confidence; {random}{left}."
    )


# Where every single group stands at what an average holds: its point, and the threshold it uses there
# ----------------------------------------------------------------------------------------------------


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


def group_points(average: Average, at: ArrayLike) -> GroupPoints:
    """Where every group of an average stands at positions of what the average holds.

    Parameters
    ----------
    average : Average
        Any but a binormal one, which is no mean of points.
    at : array-like
        One dimension. A threshold (threshold average, pooled curve); the FPR (vertical); the TPR
        (horizontal); the share of the way, ``(cos * fpr + sin * tpr) / (cos + sin)``, which is the share
        called positive of an average at an alarm rate and ``(fpr + tpr) / 2`` of a diagonal one (other
        directions); ``fpr / (fpr + fnr)`` (radial); the expected cost of missing all positives over that of
        all errors (tangent).

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [9, 4, 3, 2]), ([1, 1, 0, 0], [8, 6, 6, 1])])
    >>> points = group_points(rs.average(folds, "vertical"), [0.5])
    >>> points.tpr.ravel().tolist(), points.thresholds.ravel().tolist()
    ([1.0, 1.0], [3.0, 6.0])
    """
    positions = real_numbers("at", at).ravel()
    if isinstance(average, SharedThresholdAverage):
        return _at_thresholds(average, positions)
    if isinstance(average, DirectionalAverage):
        return _along(average, positions)
    if isinstance(average, RadialAverage):
        fpr, fnr, before = points_on_rays(average._paths, positions)
        table = average._groups.table
        return GroupPoints(fpr, 1 - fnr, table.thresholds[table.offsets[:-1, None] + before])
    if isinstance(average, TangentAverage):
        rising = np.argsort(positions, kind="stable")
        corners = average._best_corners(positions[rising])[:, np.argsort(rising)]
        hulls = average._hulls
        return GroupPoints(hulls.fpr[corners], hulls.tpr[corners], hulls.thresholds[corners])
    raise fail("RS084.no-points", label=average.method.label)


@dataclass(frozen=True, eq=False)
class OwnThresholdRates:
    """Mean rates of groups whose thresholds were set elsewhere, one for each.

    Attributes
    ----------
    fpr, tpr : float
        Weighted means over the groups that have a threshold.
    fpr_interval, tpr_interval : Interval
        By Student's t; groups are random, with the thresholds that come with them.
    points : GroupPoints
        Of every group of the average; NaN without a threshold.
    """

    fpr: float
    tpr: float
    fpr_interval: Interval
    tpr_interval: Interval
    points: GroupPoints


def at_own_thresholds(
    average: Average, thresholds: ArrayLike, *, confidence_level: float = 0.95
) -> OwnThresholdRates:
    """What groups do with thresholds that each of them was given.

    Parameters
    ----------
    average : Average
        Whose groups, with their weights.
    thresholds : array-like
        One for each of ``average.members``; NaN for a group that has none, which does not count.
    confidence_level : float
        Of the intervals.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [9, 4, 3, 2]), ([1, 1, 0, 0], [8, 6, 6, 1])])
    >>> found = at_own_thresholds(rs.average(folds, "vertical"), [4, 7])
    >>> found.fpr, found.tpr
    (0.25, 0.5)
    """
    at = real_numbers("thresholds", thresholds).ravel()
    table, has_one = average._groups.table, ~np.isnan(at)
    rates = _rates_at_own(table, at)
    means = [np.nan, np.nan]
    intervals = [Interval(np.nan, np.nan, confidence_level, "logit t")] * 2
    if has_one.any():
        weights = average.weights[has_one] / average.weights[has_one].sum()
        factor = two_sided_quantile("t", confidence_level, degrees_of_freedom(weights))
        for axis in (0, 1):
            found = spread(rates[axis][has_one], weights, average._ratio)
            low, high = t_limits(found.mean[0], factor * found.standard_error[0])
            means[axis] = float(found.mean[0])
            intervals[axis] = Interval(float(low), float(high), confidence_level, "logit t")
    points = GroupPoints(rates[0], rates[1], at[:, None])
    return OwnThresholdRates(means[0], means[1], intervals[0], intervals[1], points)


def _rates_at_own(table: CountTable, at: Floats) -> Floats:
    """FPR and TPR of every group at a threshold of its own, ``(2, n_groups, 1)``; NaN where it has none."""
    own = np.repeat(at, np.diff(table.offsets))
    beyond = table.thresholds >= own if table.higher_is_positive else table.thresholds <= own
    beyond[table.offsets[:-1]] = False  # the first is no score: it leads to the vertex 0
    rows = table.offsets[:-1] + np.add.reduceat(beyond.astype(np.int64), table.offsets[:-1])
    found = np.array(
        [
            table.false_positives[rows] / table.n_negatives,
            table.true_positives[rows] / table.n_positives,
        ]
    )
    found[:, np.isnan(at)] = np.nan
    return found[:, :, None]


def _at_thresholds(average: SharedThresholdAverage, thresholds: Floats) -> GroupPoints:
    rates = average._group_rates(thresholds, None)
    table = average._rates.table if isinstance(average, PooledAverage) else average._groups.table
    fpr, tpr = rates.fpr, rates.tpr
    fpr[table.n_negatives == 0] = np.nan
    tpr[table.n_positives == 0] = np.nan
    return GroupPoints(fpr, tpr, np.broadcast_to(thresholds, fpr.shape))


def _along(average: DirectionalAverage, share: Floats) -> GroupPoints:
    direction = average.direction
    positions = np.clip(share * direction.length, 0.0, direction.length)
    thresholds = own_thresholds(average._groups.table, direction, positions)
    values = average._values(positions)
    fpr, tpr = average._turned_back(np.broadcast_to(positions, values.shape), values)
    return GroupPoints(np.clip(fpr, 0.0, 1.0), np.clip(tpr, 0.0, 1.0), thresholds)


# The mean of the groups' points at many positions at once, and its limits along what is free to vary
# ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MeanPoints:
    """Points of an average with their limits, each by itself; what is random is the groups.

    A rate that all groups share has NaN for limits.
    """

    fpr: Floats
    tpr: Floats
    fpr_low: Floats
    fpr_high: Floats
    tpr_low: Floats
    tpr_high: Floats


def mean_points(average: Average, points: GroupPoints, *, confidence_level: float = 0.95) -> MeanPoints:
    """The mean of the groups' points, with Student's t: along the direction, or of each rate by itself.

    Of averages along a direction, of the radial and of the tangent average: those whose groups count the same
    on both axes.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.averaging.bands import group_points
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [9, 4, 3, 2]), ([1, 1, 0, 0], [8, 6, 6, 1])])
    >>> average = rs.average(folds, "radial")
    >>> found = mean_points(average, group_points(average, [0.5]))
    >>> found.fpr.tolist(), average.at_error_ratio(1, 1).fpr
    ([0.375], 0.375)
    """
    how = How(confidence_level)
    if isinstance(average, DirectionalAverage):
        return _limits_along(average, points, how)
    if not isinstance(average, RadialAverage | TangentAverage):
        raise TypeError(f"groups do not count the same on both axes of the {average.method.label} average")
    rates = [spread(rate, average.weights, average._ratio) for rate in (points.fpr, points.tpr)]
    limits: list[Floats] = []
    for name, own in zip(("fpr", "tpr"), rates, strict=True):
        alike = mostly_alike(getattr(points, name))
        limits += average._limits(name, own.mean, own.standard_error, how, alike)
    return MeanPoints(rates[0].mean, rates[1].mean, *limits)


def _limits_along(average: DirectionalAverage, points: GroupPoints, how: How) -> MeanPoints:
    direction = average.direction
    c, s = direction.cosine, direction.sine
    at = c * points.fpr[0] + s * points.tpr[0]
    values = c * points.tpr - s * points.fpr
    found = spread(values, average.weights, average._ratio)
    fpr, tpr = average._turned_back(at, found.mean)
    low, high = pointwise_limits(average, at, found, how, mostly_alike(values))
    (fpr_high, tpr_low), (fpr_low, tpr_high) = (average._turned_back(at, side) for side in (low, high))
    nothing = np.full(at.shape, np.nan)
    if direction.is_vertical:
        fpr_low = fpr_high = nothing
    if direction.is_horizontal:
        tpr_low = tpr_high = nothing
    return MeanPoints(fpr, tpr, fpr_low, fpr_high, tpr_low, tpr_high)
