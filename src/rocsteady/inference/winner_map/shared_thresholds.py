"""Costs and alerts under one threshold for all groups, and what every group adds to them.

For each ratio of costs the threshold is where the mean cost is least. To choose it again in other groups has
no effect of first order, as the cost is flat there; so a group adds its own cost at that threshold. At a
budget of alerts it adds its true positive rate less the slope of the average times its excess of alerts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.shared import SharedThresholdAverage, rates_of_groups
from rocsteady.curves.readings import hull_vertices

Floats = NDArray[np.float64]
Vertices = NDArray[np.intp]

_UNITS = 2.0**30
"""Rates are rounded to these parts, so that hulls of sums are found in whole numbers."""


def hull_of(average: SharedThresholdAverage) -> Vertices:
    """Vertices of the average that are best at some costs."""
    tpr, fpr = (np.rint(_UNITS * rates).astype(np.int64) for rates in (average.tpr, average.fpr))
    return hull_vertices(tpr, fpr)


def falling_slopes(fpr: Floats, tpr: Floats) -> Floats:
    """Of the pieces of a hull, made to fall where rounding did not let them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = np.nan_to_num(np.diff(tpr) / np.diff(fpr), nan=np.inf, posinf=np.inf)
    return np.asarray(np.minimum.accumulate(slopes))


def best_vertices(average: SharedThresholdAverage, misses: Floats, alarms: Floats) -> Vertices:
    """The vertex of least mean cost, the strictest of equals."""
    hull = hull_of(average)
    slopes = falling_slopes(average.fpr[hull], average.tpr[hull])
    return np.asarray(hull[np.searchsorted(-slopes, -alarms / misses, side="left")])


def added_costs(average: SharedThresholdAverage, misses: Floats, alarms: Floats) -> Floats:
    """What every group adds to the mean cost, ``(n_groups, n)``; their plain mean is that of the average."""
    vertices, place = np.unique(best_vertices(average, misses, alarms), return_inverse=True)
    fpr, tpr = rates_of_groups(average._groups.table, average.thresholds[vertices], None)
    fpr_weights, tpr_weights = average._axis_weights
    added = []
    for rates, mean, weights in (
        (fpr, average.fpr[vertices], fpr_weights),
        (tpr, average.tpr[vertices], tpr_weights),
    ):
        # The first threshold is beyond everything, also beyond a score that is itself infinite.
        own = np.where(vertices == 0, 0.0, rates)
        added.append((mean + weights.size * weights[:, None] * (own - mean))[:, place])
    return np.asarray(misses * (1 - added[1]) + alarms * added[0])


def alert_path(average: SharedThresholdAverage, prevalence: float) -> tuple[Floats, Floats]:
    """The share of alerts along the average, never falling, and its true positive rate."""
    alerts = prevalence * average.tpr + (1 - prevalence) * average.fpr
    return np.maximum.accumulate(alerts), average.tpr


def added_rates(average: SharedThresholdAverage, prevalence: float, at: Floats) -> Floats:
    """What every group adds to the mean true positive rate at budgets of alerts, ``(n_groups, n)``.

    The slope is a secant over two standard errors of the mean share of alerts, the span over which averages
    of other groups meet the budget.
    """
    path = alert_path(average, prevalence)
    fpr, tpr, fpr_weights, tpr_weights = average._points
    n_groups = fpr.shape[0]
    mean_fpr, mean_tpr = (own @ rates for rates, own in ((fpr, fpr_weights), (tpr, tpr_weights)))
    rising = np.maximum.accumulate(prevalence * mean_tpr + (1 - prevalence) * mean_fpr)
    column = np.searchsorted(rising, at + 1e-12, side="right") - 1
    of_fpr = n_groups * fpr_weights[:, None] * (fpr[:, column] - mean_fpr[column])
    of_tpr = n_groups * tpr_weights[:, None] * (tpr[:, column] - mean_tpr[column])
    of_alerts = prevalence * of_tpr + (1 - prevalence) * of_fpr
    reach = np.sqrt((of_alerts**2).sum(axis=0) / (n_groups * max(n_groups - 1, 1)))
    low, high = np.clip(at - reach, 0, 1), np.clip(at + reach, 0, 1)
    rise = np.interp(high, *path) - np.interp(low, *path)
    slope = np.divide(rise, high - low, out=np.zeros_like(rise), where=high > low)
    return np.asarray(np.interp(at, *path) + of_tpr - slope * of_alerts)
