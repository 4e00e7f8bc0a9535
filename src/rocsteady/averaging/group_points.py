"""Where every single group stands at what an average holds: its point, and the threshold it uses there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging.along_direction import DirectionalAverage
from rocsteady.averaging.pooled import PooledAverage
from rocsteady.averaging.radial import RadialAverage
from rocsteady.averaging.shared_threshold import SharedThresholdAverage
from rocsteady.averaging.tangent import TangentAverage
from rocsteady.counting.arguments import real_numbers
from rocsteady.counting.places import places_in_groups
from rocsteady.counting.table import CountTable
from rocsteady.errors import UsageError
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.mean_rates import t_limits
from rocsteady.uncertainty.spread import degrees_of_freedom, spread, two_sided_quantile

if TYPE_CHECKING:
    from rocsteady.averaging.base import Average
    from rocsteady.averaging.methods import Direction

Floats = NDArray[np.float64]

_ROUNDING = 1e-12
"""Positions along an oblique direction are sums: a vertex on the line must not fall behind it by rounding."""


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
        fpr, fnr, before = average._group_points(positions)
        table = average._groups.table
        return GroupPoints(fpr, 1 - fnr, table.thresholds[table.offsets[:-1, None] + before])
    if isinstance(average, TangentAverage):
        rising = np.argsort(positions, kind="stable")
        corners = average._best_corners(positions[rising])[:, np.argsort(rising)]
        hulls = average._hulls
        return GroupPoints(hulls.fpr[corners], hulls.tpr[corners], hulls.thresholds[corners])
    raise UsageError("RS084", f"the {average.method.label} average is no mean of points.", "", "use another")


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
    thresholds = _own_thresholds(average._groups.table, direction, positions)
    values = average._values(positions)
    fpr, tpr = average._turned_back(np.broadcast_to(positions, values.shape), values)
    return GroupPoints(np.clip(fpr, 0.0, 1.0), np.clip(tpr, 0.0, 1.0), thresholds)


def _own_thresholds(table: CountTable, direction: Direction, positions: Floats) -> Floats:
    """The threshold of every group at positions along a direction."""
    sizes = np.diff(table.offsets)
    fpr, tpr = (
        counts / np.repeat(totals, sizes)
        for counts, totals in (
            (table.false_positives, table.n_negatives),
            (table.true_positives, table.n_positives),
        )
    )
    if direction.is_horizontal:
        vertex = places_in_groups(tpr, table.offsets, positions, side="left")
    elif direction.is_vertical:
        vertex = places_in_groups(fpr, table.offsets, positions, side="right") - 1
    else:
        along = direction.cosine * fpr + direction.sine * tpr
        vertex = places_in_groups(along, table.offsets, positions + _ROUNDING, side="right") - 1
    last = (sizes - 1)[:, None]
    return np.asarray(table.thresholds[table.offsets[:-1, None] + np.minimum(vertex, last)])
