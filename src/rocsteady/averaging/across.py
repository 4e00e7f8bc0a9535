"""Readings that an average does not hold fixed: met anew in every bootstrap resample of the groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging import sentences
from rocsteady.averaging.base import Asked, AveragePoint
from rocsteady.counting.arguments import rates
from rocsteady.curves.reading import read_path, scalar_or_array
from rocsteady.uncertainty.clusters import drawn_counts, drawn_means
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.spread import two_sided_quantile
from rocsteady.words import percent

if TYPE_CHECKING:
    from rocsteady.averaging.base import Average

Floats = NDArray[np.float64]


def read_across(average: Average, held: str, value: ArrayLike, asked: Asked) -> AveragePoint:
    """The point of the average where one rate has this value, the interval of the other by the bootstrap."""
    at = rates(held, value)
    free = "tpr" if held == "fpr" else "fpr"
    found = average.tpr_at(at) if held == "fpr" else average.fpr_at(at)
    readings = resampled_readings(average, held, at.ravel(), asked)
    low, high = (
        scalar_or_array(limit.reshape(at.shape), value)
        for limit in percentile_limits(readings, average, asked.quantile, (1 - asked.confidence_level) / 2)
    )
    interval = Interval(low, high, asked.confidence_level, f"bootstrap of groups, {asked.quantile}")
    point = {held: scalar_or_array(at, value), free: scalar_or_array(np.asarray(found), value)}
    intervals = {held: None, free: interval}
    threshold = None
    if not at.ndim and hasattr(average, "_threshold_at_position"):
        threshold = average._threshold_at_position(point["fpr"], point["tpr"])
    return AveragePoint(
        fpr=point["fpr"],
        tpr=point["tpr"],
        threshold=threshold,
        fpr_interval=intervals["fpr"],
        tpr_interval=intervals["tpr"],
        confidence_level=asked.confidence_level,
        reading=average.reading if at.ndim else _describe(average, held, point, intervals, threshold),
    )


def resampled_readings(average: Average, held: str, at: Floats, asked: Asked) -> Floats:
    """The free rate at values of the held one, of the average of every resample: ``(n_resamples, n)``."""
    if average.n_groups < 2:
        return np.full((asked.n_resamples, at.size), np.nan)
    readings = []
    for fpr, tpr in average._resampled(asked):
        if held == "fpr":
            readings.append([read_path(x, y, at, end="last") for x, y in zip(fpr, tpr, strict=True)])
        else:
            readings.append([read_path(y, x, at, end="first") for x, y in zip(fpr, tpr, strict=True)])
    return np.concatenate(readings)


def resampled_curves(average: Average, asked: Asked) -> Iterator[tuple[Floats, Floats]]:
    """Averages of resampled groups, in blocks: ``fpr`` and ``tpr`` of ``(resamples, n)``."""
    fpr, tpr, fpr_weights, tpr_weights = average._points()
    for counts in drawn_counts(fpr.shape[0], asked.n_resamples, asked.seed):
        drawn = [drawn_means(fpr, fpr_weights, counts), drawn_means(tpr, tpr_weights, counts)]
        # A resample may have drawn no group with this class: then there is no curve to read.
        usable = np.isfinite(drawn[0]).all(axis=1) & np.isfinite(drawn[1]).all(axis=1)
        yield (
            np.maximum.accumulate(drawn[0][usable], axis=1),
            np.maximum.accumulate(drawn[1][usable], axis=1),
        )


def percentile_limits(
    readings: Floats, average: Average, quantile: str, tail: float
) -> tuple[Floats, Floats]:
    """Percentiles of resamples, taken further out where few groups make them scatter too little.

    Resampled means have (M - 1) / M of the variance and normal tails; so the percentiles are those that the
    t quantile, times the root of M / (M - 1), has in a normal distribution (Hesterberg 2015, expanded
    percentile interval). Limits stay within what resamples can reach.
    """
    from scipy.special import ndtr

    n_groups, nothing = average.effective_groups, np.full(readings.shape[1:], np.nan)
    if not n_groups > 1 or not readings.size:
        return nothing, nothing
    factor = two_sided_quantile(quantile, 1 - 2 * tail, average.degrees_of_freedom)
    outside = float(ndtr(-factor * np.sqrt(n_groups / (n_groups - 1))))
    low, high = np.quantile(readings, [outside, 1 - outside], axis=0)
    return low, high


def _describe(
    average: Average,
    held: str,
    point: dict[str, float],
    intervals: dict[str, Interval | None],
    threshold: float | None,
) -> str:
    """What such a reading says, and that the average does not hold it fixed."""
    free = "tpr" if held == "fpr" else "fpr"
    names = {"fpr": "false positive rate", "tpr": "true positive rate"}
    said = (
        f"The {average.method} average has a mean {names[free]} of {percent(point[free])}"
        f"{sentences.within(intervals[free])} where its mean {names[held]} is {percent(point[held])}."
    )
    how = ""
    if threshold is not None:
        how = (
            f"The one threshold for all that gives this is about {threshold:.4g}; it is chosen anew in every "
            "resample."
        )
    elif average.method != "binormal":
        each = "vertical" if held == "fpr" else "horizontal"
        how = (
            f"No {average.unit} is tuned to that rate here: for {names[free]}s at a fixed {names[held]} use "
            f"the {each} average."
        )
    return sentences.joined(said, how, sentences.what_is_random(average))
