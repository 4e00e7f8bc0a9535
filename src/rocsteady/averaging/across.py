"""Readings that an average does not hold fixed, such as the TPR of a threshold average at an FPR.

On other data the threshold would be set again to meet the FPR. What that adds is counted by linearising the
reading: every group adds to it how far it lies from the average in both rates.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING
from weakref import ReferenceType, ref

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging import sentences
from rocsteady.averaging.base import Asked, AveragePoint
from rocsteady.averaging.steps import told_of_few_beyond
from rocsteady.caller import caller_level
from rocsteady.counting.arguments import rates
from rocsteady.counting.results import read_only
from rocsteady.curves.reading import scalar_or_array
from rocsteady.errors import RocsteadyWarning, warn
from rocsteady.uncertainty.clusters import drawn_counts, drawn_means
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.mean_rates import is_skewed
from rocsteady.uncertainty.spread import spread
from rocsteady.words import counted, percent, plural

if TYPE_CHECKING:
    from rocsteady.averaging.base import Average

Floats = NDArray[np.float64]

_MOST_KEPT = 2**22
"""Points of resampled curves that are kept for the next question: 64 MB of them, two coordinates each."""


def read_across(average: Average, held: str, value: ArrayLike, asked: Asked) -> AveragePoint:
    """The point of the average where one rate has this value, with the interval of the other."""
    at = rates(held, value)
    free = "tpr" if held == "fpr" else "fpr"
    found = average.tpr_at(at) if held == "fpr" else average.fpr_at(at)
    low, high, alike = reading_limits(average, held, at.ravel(), np.ravel(found), asked)
    warn_if_alike(average, asked, alike, at.ravel())
    told = told_of_few_beyond(average, held, at.ravel())
    if told is not None:
        warn("RS317", *told, stacklevel=caller_level())
    low, high = (scalar_or_array(limit.reshape(at.shape), value) for limit in (low, high))
    interval = Interval(low, high, asked.confidence_level, asked.how)
    point = {held: scalar_or_array(at, value), free: scalar_or_array(np.asarray(found), value)}
    intervals = {held: None, free: interval}
    threshold = None if at.ndim else average._shared_threshold(point["fpr"], point["tpr"])
    kept = None if threshold is None else _kept(average, threshold, asked)
    return AveragePoint(
        fpr=point["fpr"],
        tpr=point["tpr"],
        threshold=threshold,
        fpr_interval=intervals["fpr"],
        tpr_interval=intervals["tpr"],
        confidence_level=asked.confidence_level,
        reading=average.reading if at.ndim else _describe(average, held, point, intervals, kept),
        kept=kept,
        _words=average._words_of_points,
    )


def _kept(average: Average, threshold: float, asked: Asked) -> AveragePoint:
    """The same threshold as a constant; what its groups have in common has been said of the reading."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        return average._at("threshold", threshold, asked)


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


_ROUNDED = 1e-12
"""How far off rates of the points of an average may be: its jumps are met within that."""


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
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Limits of the free rate, the shared threshold being set again; and where most groups are alike."""
    values = average._linearised(at, held)
    plain = np.full(values.shape[0], 1 / max(values.shape[0], 1))
    error = spread(values, plain, average._ratio).standard_error
    end = 1.0 if held == "fpr" else 0.0  # where all curves meet
    free = "tpr" if held == "fpr" else "fpr"
    alike = mostly_alike(values) & (at != end)
    return *average._limits(free, found, error, asked, alike, average.degrees_of_freedom), alike


def area_interval(average: Average, asked: Asked) -> Interval:
    """The interval of the area under an average, from what every group adds to it."""
    if average.n_groups < 2 or average.effective_groups <= 1:  # pooled groups may have one class each
        return Interval(float("nan"), float("nan"), asked.confidence_level, asked.how)
    values = average._linearised_area()[:, None]
    plain = np.full(values.shape[0], 1 / max(values.shape[0], 1))
    error = spread(values, plain, average._ratio).standard_error[0]
    alike = mostly_alike(values)
    warn_if_alike(average, asked, alike)
    warn_if_skewed(average, asked, average.auc + values[:, 0])
    df = average.degrees_of_freedom
    low, high = average._limits("auc", average.auc, error, asked, bool(alike[0]), df)
    return Interval(float(low), float(high), asked.confidence_level, asked.how)


def linearised_area(average: Average) -> Floats:
    """What every group adds to the area under the average.

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
    return np.asarray(n_groups * (x * along + y * across))


def mostly_alike(values: Floats, share: float = 0.5) -> NDArray[np.bool_]:
    """For each column of ``(n_groups, n)``, whether more than a share of two or more groups are alike."""
    n_groups = values.shape[0]
    if n_groups < 2:
        return np.zeros(values.shape[1], dtype=np.bool_)
    rising = np.sort(values, axis=0)
    # One less than the length of a run that is too long; two of three may be alike by chance.
    run = max(min(2, n_groups - 1), int(n_groups * share))
    return np.asarray((rising[: n_groups - run] == rising[run:]).any(axis=0))


def warn_if_alike(
    average: Average, asked: Asked, alike: NDArray[np.bool_], where: Floats | None = None
) -> None:
    """RS210 where most groups have the very same value, so that their spread says little."""
    if alike.any() and average.degrees_of_freedom > 0:
        at = "" if where is None else f"at {where[alike][0]:.4g} "
        is_counted = asked.scale == "logit" and not average._groups.is_weighted
        so = "the interval counts their cases" if is_counted else "the interval is too narrow"
        warn(
            "RS210",
            f"most {plural(average.unit)} have the very same value here; {so}.",
            f"{at}more than half of {counted(average.n_groups, average.unit)}",
            f"look where {plural(average.unit)} differ",
            stacklevel=caller_level(),
        )


def warn_if_skewed(average: Average, asked: Asked, areas: Floats) -> None:
    """RS289 where the areas of groups scatter to one side, so that the interval of their mean misses."""
    if is_skewed(areas, is_widened=average._ratio > 0, scale=asked.scale):
        warn(
            "RS289",
            f"the AUCs scatter to one side, and with so few {plural(average.unit)} the interval misses too "
            "often.",
            f"found: mean {areas.mean():.3g}, standard deviation {areas.std(ddof=1):.2g}, "
            f"{counted(areas.size, average.unit)}",
            f"more {plural(average.unit)}, or more cases in each, would help",
            stacklevel=caller_level(),
        )


def _describe(
    average: Average,
    held: str,
    point: dict[str, float],
    intervals: dict[str, Interval | None],
    kept: AveragePoint | None,
) -> str:
    """What such a reading says, and that the average does not hold it fixed."""
    free = "tpr" if held == "fpr" else "fpr"
    names = average._axes
    said = (
        f"The {average.method.label} average has a mean {names[free]} of {percent(point[free])}"
        f"{sentences.within(intervals[free])} where its mean {names[held]} is {percent(point[held])}."
    )
    how = ""
    if kept is not None:
        word = sentences.threshold_word(kept.threshold)
        how = (
            f"The one threshold for all that gives this is about {word}; the interval counts that it would "
            f"be set again on other data. Kept, it has a mean {names['fpr']} of {percent(kept.fpr)}"
            f"{sentences.within(kept.fpr_interval)} and a mean {names['tpr']} of {percent(kept.tpr)}"
            f"{sentences.within(kept.tpr_interval)}."
        )
    else:
        each = "vertical" if held == "fpr" else "horizontal"
        kind = names[held].split()[-1]
        how = (
            f"No {average.unit} is tuned to that {kind} here: for {names[free]}s at a fixed {names[held]} "
            f"use the {each} average."
        )
    return sentences.joined(said, how, sentences.what_is_random(average))
