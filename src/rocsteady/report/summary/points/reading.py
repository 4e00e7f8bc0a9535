"""What one model has at one operating point, however it was read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Floats
from rocsteady.averaging.base import Average, GroupPoints
from rocsteady.counting.table import CountTable
from rocsteady.options import real_numbers
from rocsteady.report.summary.points.between_thresholds import Between
from rocsteady.report.summary.points.places import expected, kind_of, value_of
from rocsteady.statistics.groups import degrees_of_freedom, spread, t_limits
from rocsteady.statistics.limits import Interval, t_quantile

if TYPE_CHECKING:
    from rocsteady.points.cutoffs import CorrectedCutoff
    from rocsteady.report.summary.settings import Place

Limits = tuple[float, float]

UNKNOWN: Limits = (math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class Reading:
    """One model at one place.

    Attributes
    ----------
    key : str
        The average it was read off.
    is_shared : bool
        Whether one threshold serves all groups.
    held : {"fpr", "tpr", ""}
        The rate that is met by design.
    threshold : float
        The shared one; NaN where every group has its own.
    threshold_limits : (float, float)
        The interval of the shared threshold, or the smallest and the largest of the groups' own.
    fpr, tpr : float
    fpr_limits, tpr_limits : (float, float)
        NaN for a rate that is held, and where nothing is known.
    is_frozen : bool
        Whether the limits are for this very threshold, and not for one that is found anew.
    corrected : CorrectedCutoff or None
        What a threshold that was chosen on these rows attains on new ones.
    cost : float
        Expected cost per case, where costs are the place.
    equal_error_rate : float
        Where equal errors are the place.
    groups : tuple of str
        The groups in the average.
    own : GroupPoints
        Where each of them stands: ``(n_groups, 1)`` arrays.
    between : Between or None
        Where no threshold has the rate that is held: the two that it lies between.
    is_coarse : bool
        Whether most groups have no threshold at their point, but one on either side of it.
    problem : str
        Why the place cannot be read here; all else is NaN then.
    """

    key: str
    is_shared: bool
    held: str = ""
    threshold: float = math.nan
    threshold_limits: Limits = UNKNOWN
    fpr: float = math.nan
    fpr_limits: Limits = UNKNOWN
    tpr: float = math.nan
    tpr_limits: Limits = UNKNOWN
    is_frozen: bool = False
    corrected: CorrectedCutoff | None = None
    cost: float = math.nan
    equal_error_rate: float = math.nan
    groups: tuple[str, ...] = ()
    own: GroupPoints | None = None
    between: Between | None = None
    is_coarse: bool = False
    problem: str = ""


def limits_of(interval: Interval | None) -> Limits:
    """Both ends of the interval of a rate, none beyond 0 and 1; NaN where there is none."""
    return UNKNOWN if interval is None else within_range(float(interval.low), float(interval.high))


def within_range(low: float, high: float) -> Limits:
    """Limits of a rate or an area, none beyond what it can be.

    >>> within_range(-0.1, 0.4), within_range(math.nan, math.nan)
    ((0.0, 0.4), (nan, nan))
    """
    first, last = (end if math.isnan(end) else min(max(end, 0.0), 1.0) for end in (low, high))
    return first, last


def around(threshold: float, anew: Any | None) -> Limits:
    """The interval of a threshold, which holds the one that is shown."""
    if anew is None:
        return UNKNOWN
    return min(float(anew.threshold.low), threshold), max(float(anew.threshold.high), threshold)


def cost_at(place: Place, prevalence: float, rates: dict[str, Any]) -> float:
    """Expected cost per case, where costs are the place; NaN elsewhere."""
    if kind_of(place) != "costs":
        return math.nan
    of_misses, of_alarms = expected(value_of(place), prevalence)
    return float(of_misses * (1 - rates["tpr"]) + of_alarms * rates["fpr"])


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
        factor = t_quantile(degrees_of_freedom(weights), confidence_level)
        for axis in (0, 1):
            found = spread(rates[axis][has_one], weights, average.design.test_train_ratio)
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
