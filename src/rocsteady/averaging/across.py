"""Readings that an average does not hold fixed: met anew in every bootstrap resample of the groups.

Fewer than eight groups cannot be resampled, folds that share training cases must not be, and more than a
thousand groups need not be: there the reading is linearised, and has a t interval.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from weakref import ReferenceType, ref

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging import sentences
from rocsteady.averaging.base import FEWEST_GROUPS, Asked, AveragePoint
from rocsteady.counting.arguments import rates
from rocsteady.counting.results import read_only
from rocsteady.curves.reading import read_path, scalar_or_array
from rocsteady.uncertainty.clusters import drawn_counts, drawn_means, expanded_percentiles
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.spread import spread, two_sided_quantile
from rocsteady.words import percent

if TYPE_CHECKING:
    from rocsteady.averaging.base import Average

Floats = NDArray[np.float64]

_MOST_RESAMPLED = 1000
_MOST_KEPT = 2**22
"""Points of resampled curves that are kept for the next question: 64 MB of them, two coordinates each."""


def read_across(average: Average, held: str, value: ArrayLike, asked: Asked) -> AveragePoint:
    """The point of the average where one rate has this value, the interval of the other by the bootstrap."""
    at = rates(held, value)
    free = "tpr" if held == "fpr" else "fpr"
    found = average.tpr_at(at) if held == "fpr" else average.fpr_at(at)
    low, high, how = reading_limits(average, held, at.ravel(), np.ravel(found), asked)
    low, high = (scalar_or_array(limit.reshape(at.shape), value) for limit in (low, high))
    interval = Interval(low, high, asked.confidence_level, how)
    point = {held: scalar_or_array(at, value), free: scalar_or_array(np.asarray(found), value)}
    intervals = {held: None, free: interval}
    threshold = None if at.ndim else average._shared_threshold(point["fpr"], point["tpr"])
    return AveragePoint(
        fpr=point["fpr"],
        tpr=point["tpr"],
        threshold=threshold,
        fpr_interval=intervals["fpr"],
        tpr_interval=intervals["tpr"],
        confidence_level=asked.confidence_level,
        reading=average.reading if at.ndim else _describe(average, held, point, intervals, threshold),
        _words=average._words_of_points,
    )


_asked_last: list[tuple[ReferenceType[Average], tuple[Floats, Floats, Floats, Floats]]] = []
"""One average and its points: area, points and bands of one are mostly asked for one after the other."""


def points_of(average: Average) -> tuple[Floats, Floats, Floats, Floats]:
    """The points of an average, kept while no other average is asked for its own, and it is in use."""
    for known, points in _asked_last[:1]:
        if known() is average:
            return points
    points = average._points()
    for own in points:
        read_only(own)
    _asked_last[:] = [(ref(average, _forget), points)]
    return points


_drawn_last: list[tuple[ReferenceType[Average], tuple[int, int], list[tuple[Floats, Floats]]]] = []
"""The same average's resampled curves: its area, its points and its band are read off the same draws."""


def _forget(gone: ReferenceType[Average]) -> None:
    _asked_last[:] = [own for own in _asked_last if own[0] is not gone]
    _drawn_last[:] = [own for own in _drawn_last if own[0] is not gone]


def resampled_readings(average: Average, held: str, at: Floats, asked: Asked) -> Floats:
    """The free rate at values of the held one, of the average of every resample: ``(n_resamples, n)``.

    NaN where the groups drawn have no average.
    """
    if average.n_groups < 2:
        return np.full((asked.n_resamples, at.size), np.nan)
    exact = average.tpr_at(at) if held == "fpr" else average.fpr_at(at)
    # Resampled curves know some positions only. What that changes in the average itself it changes in them.
    readings = []
    nothing = np.full(at.size, np.nan)
    for fpr, tpr in average._resampled(asked):
        each = zip(fpr, tpr, strict=True)
        readings += [nothing if np.isnan(x + y).any() else _read(x, y, held, at) for x, y in each]
    return np.asarray(np.clip(np.array(readings) + (exact - _read(*average._sampled(), held, at)), 0.0, 1.0))


_ROUNDED = 1e-12
"""How far off rates of a resampled average may be: its jumps are met within that."""


def _read(fpr: Floats, tpr: Floats, held: str, at: Floats) -> Floats:
    if held == "fpr":
        return read_path(fpr, tpr, np.minimum(at + _ROUNDED, 1.0), end="last")
    return read_path(tpr, fpr, np.maximum(at - _ROUNDED, 0.0), end="first")


def sampled_curve(average: Average) -> tuple[Floats, Floats]:
    """The average through the points that resampled ones go through."""
    fpr, tpr, fpr_weights, tpr_weights = points_of(average)
    means = fpr_weights @ fpr / fpr_weights.sum(), tpr_weights @ tpr / tpr_weights.sum()
    x, y = (_from_corner_to_corner(mean[None]) for mean in means)
    return x[0], y[0]


def resampled_curves(average: Average, asked: Asked) -> Iterator[tuple[Floats, Floats]]:
    """Averages of resampled groups, in blocks: ``fpr`` and ``tpr`` of ``(resamples, n)``.

    NaN where no group with some class was drawn: resamples keep their numbers, which pair them with those of
    another model.
    """
    by = asked.n_resamples, asked.seed
    for known, drawn_by, blocks in _drawn_last[:1]:
        if known() is average and drawn_by == by:
            yield from blocks
            return
    fpr, tpr, fpr_weights, tpr_weights = points_of(average)
    keeps = asked.n_resamples * fpr.shape[1] <= _MOST_KEPT
    made = []
    for counts in drawn_counts(fpr.shape[0], asked.n_resamples, asked.seed):
        drawn = [drawn_means(fpr, fpr_weights, counts), drawn_means(tpr, tpr_weights, counts)]
        block = tuple(read_only(_from_corner_to_corner(own)) for own in drawn)
        if keeps:
            made.append((block[0], block[1]))
        yield block[0], block[1]
    if keeps:
        _drawn_last[:] = [(ref(average, _forget), by, made)]


def _from_corner_to_corner(rates: Floats) -> Floats:
    """Rates that do not fall, from exactly 0 to exactly 1: a rounded end would have nothing to be read at."""
    rising = np.clip(np.maximum.accumulate(rates, axis=1), 0.0, 1.0)
    corner = np.zeros((rates.shape[0], 1))
    return np.concatenate([corner, rising, corner + 1], axis=1)


def linearised(average: Average, at: Floats, held: str = "fpr") -> Floats:
    """What every group adds to the free rate of the average at values of the held one.

    ``(n_groups, n)``, centred at 0, its plain mean over groups having the variance of the reading: how far
    the group lies from the average in the free rate, at what all share there, less the slope of the average
    times how far it lies in the held one. The slope is a secant over two standard errors of the mean held
    rate, the span over which resampled averages meet it.
    """
    fpr, tpr, fpr_weights, tpr_weights = points_of(average)
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
    read = average.tpr_at if held == "fpr" else average.fpr_at
    rise = np.asarray(read(high)) - np.asarray(read(low))
    slope = np.divide(rise, high - low, out=np.zeros_like(rise), where=high > low)
    along *= slope
    across -= along
    return np.asarray(across)


def reading_limits(
    average: Average, held: str, at: Floats, found: Floats, asked: Asked
) -> tuple[Floats, Floats, str]:
    """Limits of the free rate, and how they were made."""
    if FEWEST_GROUPS <= average.n_groups <= _MOST_RESAMPLED and not average._ratio:
        readings = resampled_readings(average, held, at, asked)
        readings = readings[~np.isnan(readings).any(axis=1)]
        low, high = expanded_percentiles(
            readings,
            asked.confidence_level,
            n_groups=average.effective_groups,
            df=average.degrees_of_freedom,
            quantile=asked.quantile,
        )
        return low, high, f"bootstrap of groups, {asked.quantile}"
    # Resamples of a few groups do not reach far enough out: of three they cover 75 %, not 95 %. Of very many
    # a resampled curve is nearly straight over its own spread, and knowing it at every jump would cost most.
    values = average._linearised(at, held)
    plain = np.full(values.shape[0], 1 / max(values.shape[0], 1))
    factor = two_sided_quantile(asked.quantile, asked.confidence_level, average.degrees_of_freedom)
    half = factor * spread(values, plain, average._ratio).standard_error
    return found - half, found + half, f"linearised, {asked.quantile}"


def area_interval(average: Average, asked: Asked) -> Interval:
    """The interval of the area under an average, from averages of resampled groups.

    Of more than a thousand groups it is linearised, as readings are.
    """
    if average.n_groups < 2 or average.effective_groups <= 1:  # pooled groups may have one class each
        return Interval(float("nan"), float("nan"), asked.confidence_level, asked.quantile)
    if average.n_groups > _MOST_RESAMPLED or average._ratio:
        error, how = _linearised_area_error(average), f"linearised, {asked.quantile}"
    else:
        # Their spread only: a group drawn twice is compared with itself, which makes such areas too large.
        areas = np.concatenate([areas_under(*block) for block in average._resampled(asked)])
        areas = areas[~np.isnan(areas)]
        n_groups = average.effective_groups
        error = float(np.std(areas, ddof=1)) * np.sqrt(n_groups / (n_groups - 1))
        how = f"bootstrap of groups, {asked.quantile}"
    half = two_sided_quantile(asked.quantile, asked.confidence_level, average.degrees_of_freedom) * error
    return Interval(float(average.auc - half), float(average.auc + half), asked.confidence_level, how)


def _linearised_area_error(average: Average) -> float:
    """Standard error of the area from what every group adds to it.

    The area is ``sum((x[k+1] - x[k]) * (y[k+1] + y[k])) / 2`` of the mean points, so a group that moves them
    adds its own steps along x under the mean curve, and its own heights over the mean's steps.
    """
    fpr, tpr, fpr_weights, tpr_weights = points_of(average)
    n_groups = fpr.shape[0]
    x, y = fpr_weights / fpr_weights.sum(), tpr_weights / tpr_weights.sum()
    mean_x, mean_y = (_from_corner_to_corner((own @ rate)[None])[0] for own, rate in ((x, fpr), (y, tpr)))
    heights, steps = (mean_y[1:] + mean_y[:-1]) / 2, np.diff(mean_x)
    along = (fpr - x @ fpr) @ (heights[:-1] - heights[1:])
    across = (tpr - y @ tpr) @ ((steps[:-1] + steps[1:]) / 2)
    values = n_groups * (x * along + y * across)
    plain = np.full(n_groups, 1 / n_groups)
    return float(spread(values[:, None], plain, average._ratio).standard_error[0])


def areas_under(fpr: Floats, tpr: Floats) -> Floats:
    """Areas under curves, one in each row; NaN where a curve is."""
    return np.asarray(np.sum(np.diff(fpr, axis=1) * (tpr[:, 1:] + tpr[:, :-1]), axis=1) / 2)


def _describe(
    average: Average,
    held: str,
    point: dict[str, float],
    intervals: dict[str, Interval | None],
    threshold: float | None,
) -> str:
    """What such a reading says, and that the average does not hold it fixed."""
    free = "tpr" if held == "fpr" else "fpr"
    names = average._axes
    said = (
        f"The {average.method.label} average has a mean {names[free]} of {percent(point[free])}"
        f"{sentences.within(intervals[free])} where its mean {names[held]} is {percent(point[held])}."
    )
    how = ""
    if threshold is not None:
        word = sentences.threshold_word(threshold)
        how = (
            f"The one threshold for all that gives this is about {word}; the interval counts that it would "
            "be chosen anew on other data."
        )
    else:
        each = "vertical" if held == "fpr" else "horizontal"
        kind = names[held].split()[-1]
        how = (
            f"No {average.unit} is tuned to that {kind} here: for {names[free]}s at a fixed {names[held]} "
            f"use the {each} average."
        )
    return sentences.joined(said, how, sentences.what_is_random(average))
