"""The mean of the groups' points at many positions at once, and its limits along what is free to vary."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.across import mostly_alike
from rocsteady.averaging.along_direction import DirectionalAverage
from rocsteady.averaging.bands import pointwise_limits
from rocsteady.averaging.base import Asked, Average
from rocsteady.averaging.group_points import GroupPoints
from rocsteady.averaging.radial import RadialAverage
from rocsteady.averaging.tangent import TangentAverage
from rocsteady.uncertainty.spread import spread

Floats = NDArray[np.float64]


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
    >>> from rocsteady.averaging.group_points import group_points
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [9, 4, 3, 2]), ([1, 1, 0, 0], [8, 6, 6, 1])])
    >>> average = rs.average(folds, "radial")
    >>> found = mean_points(average, group_points(average, [0.5]))
    >>> found.fpr.tolist(), average.at_error_ratio(1, 1).fpr
    ([0.375], 0.375)
    """
    asked = Asked(confidence_level)
    if isinstance(average, DirectionalAverage):
        return _along(average, points, asked)
    if not isinstance(average, RadialAverage | TangentAverage):
        raise TypeError(f"groups do not count the same on both axes of the {average.method.label} average")
    rates = [spread(rate, average.weights, average._ratio) for rate in (points.fpr, points.tpr)]
    limits: list[Floats] = []
    for name, own in zip(("fpr", "tpr"), rates, strict=True):
        alike = mostly_alike(getattr(points, name))
        limits += average._limits(name, own.mean, own.standard_error, asked, alike)
    return MeanPoints(rates[0].mean, rates[1].mean, *limits)


def _along(average: DirectionalAverage, points: GroupPoints, asked: Asked) -> MeanPoints:
    direction = average.direction
    c, s = direction.cosine, direction.sine
    at = c * points.fpr[0] + s * points.tpr[0]
    values = c * points.tpr - s * points.fpr
    found = spread(values, average.weights, average._ratio)
    fpr, tpr = average._turned_back(at, found.mean)
    low, high = pointwise_limits(average, at, found, asked, mostly_alike(values))
    (fpr_high, tpr_low), (fpr_low, tpr_high) = (average._turned_back(at, side) for side in (low, high))
    nothing = np.full(at.shape, np.nan)
    if direction.is_vertical:
        fpr_low = fpr_high = nothing
    if direction.is_horizontal:
        tpr_low = tpr_high = nothing
    return MeanPoints(fpr, tpr, fpr_low, fpr_high, tpr_low, tpr_high)
