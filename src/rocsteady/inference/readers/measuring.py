"""What is measured of every reader with every modality, and its value in every cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.measures import Auc, FprAt, PartialAuc, RatesAt, Statistic, TprAt, statistic_of
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import UsageError, fail
from rocsteady.statistics.delong import Leveled, Read
from rocsteady.statistics.reader_covariance import placed
from rocsteady.statistics.resampling import Readings

if TYPE_CHECKING:
    from rocsteady.inference.readers.study import ReaderRatings

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_EXAMPLES = (
    "for example  PartialAuc(fpr=(0, 0.1)), SensitivityAt(specificity=0.9), SpecificityAt(threshold=3)"
)
LARGEST = 1e100
"""Of a measure: squares of larger numbers, and of ones as small, are not numbers any more."""


@dataclass(frozen=True)
class CurveMeasure(Statistic):
    """Any function that takes a curve and gives a number; what it raises is passed on."""

    function: Callable[[RocCurve], float]

    @property
    def label(self) -> str:
        """The name of the function."""
        name = str(getattr(self.function, "__name__", "measure"))
        return "measure" if name == "<lambda>" else name.replace("_", " ")

    def read(self, curve: Any) -> float:
        """What the function gives; RS002 if that is not one number."""
        value = self.function(curve)
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if not np.isfinite(number) or (number and not 1 / LARGEST < abs(number) < LARGEST):
            raise fail("RS002.measure", value=value, curve=curve)
        return number


def measure_of(given: Any) -> Statistic:
    """The measure that is meant: ``"auc"``, a statistic of one number, or a function of a curve.

    Examples
    --------
    >>> import rocsteady as rs
    >>> measure_of("auc").label, measure_of(rs.SensitivityAt(specificity=0.9)).label
    ('AUC', 'sensitivity at specificity 0.9')
    """
    if callable(given) and not isinstance(given, type):
        return CurveMeasure(given)
    try:
        measure = statistic_of(given)
    except UsageError as error:
        if error.code != "RS001":
            raise
        raise fail("RS001.measure", given=given, examples=_EXAMPLES) from None
    if not measure.is_scalar:
        raise fail("RS002.scalar", measure=measure.label, examples=_EXAMPLES)
    return measure


def is_rate_at_rate(measure: Statistic) -> bool:
    """Whether one rate is read where the other has a given value."""
    return isinstance(measure.raw, TprAt | FprAt)


def values(ratings: ReaderRatings, measure: Statistic) -> Floats:
    """The measure of every reader with every modality, ``(t, r)``; NaN where nothing was read."""
    flat = ratings.ratings.reshape(-1, len(ratings.truth))
    if isinstance(measure, Auc):
        return placed(flat, ratings.truth).auc.reshape(ratings.ratings.shape[:2])
    found = np.full(len(flat), np.nan)
    for number, own in enumerate(flat):
        is_read = ~np.isnan(own)
        if not is_read.any():
            continue
        cell = Leveled.of(own[is_read], ratings.truth[is_read])
        tp, fp = cell.counts()
        if tp[0, -1] and fp[0, -1]:
            curve = _curve(cell, tp[0], fp[0], higher_is_positive=ratings.higher_is_positive)
            found[number] = measure.read(curve)
    return found.reshape(ratings.ratings.shape[:2])


def readings_of(measure: Statistic, ratings: Floats, *, higher_is_positive: bool = True) -> Readings:
    """What the resampling kernels read of one cell, whose ratings point upwards."""
    if not isinstance(measure.raw, RatesAt):
        return measure.readings()
    levels = np.unique(ratings[~np.isnan(ratings)])
    return measure.readings(np.array([_vertex(measure.raw, levels, higher_is_positive)], dtype=np.int64))


def reader_of(measure: Statistic, *, higher_is_positive: bool = True) -> Read:
    """What reads the measure off many curves of counts at once; AUCs have quicker ways (``placed``)."""

    def read(cell: Leveled, tp: Integers, fp: Integers) -> Floats:
        raw = measure.raw
        if not isinstance(raw, PartialAuc | TprAt | FprAt | RatesAt):
            return _one_by_one(measure, cell, tp, fp, higher_is_positive=higher_is_positive)
        with np.errstate(divide="ignore", invalid="ignore"):  # a class that died out: NaN
            x, y = fp / fp[:, -1:], tp / tp[:, -1:]
        if isinstance(raw, PartialAuc):
            area = _area_over(x, y, *raw.range) if raw.tpr is None else _area_over(y, 1 - x, *raw.range)
            found = area[:, None]
        elif isinstance(raw, TprAt):
            found = _read_last(x, y, float(raw.fpr))[:, None]
        elif isinstance(raw, FprAt):
            found = _read_first(y, x, float(raw.tpr))[:, None]
        else:
            vertex = _vertex(raw, cell.levels, higher_is_positive)
            found = np.stack([x[:, vertex], y[:, vertex]], axis=1)
        return measure.resampled(found)[:, 0]

    return read


def decided_at(measure: Statistic, ratings: Floats, *, higher_is_positive: bool = True) -> Floats:
    """Ratings as two values, which make short curves, if a threshold is all that counts; else as they are."""
    raw = measure.raw
    if not isinstance(raw, RatesAt):
        return ratings
    threshold = float(raw.threshold) if higher_is_positive else -float(raw.threshold)
    return np.where(np.isnan(ratings), np.nan, np.where(ratings >= threshold, np.inf, -np.inf))


def _vertex(raw: RatesAt, levels: Floats, higher_is_positive: bool) -> int:
    """How many of the distinct ratings, pointing upwards, the threshold calls positive."""
    threshold = float(raw.threshold) if higher_is_positive else -float(raw.threshold)
    return int((levels >= threshold).sum())


def _curve(cell: Leveled, tp: Integers, fp: Integers, *, higher_is_positive: bool) -> RocCurve:
    """The curve with the ratings as they were given; ratings that no case has are left out."""
    kept = np.append(True, (np.diff(tp) > 0) | (np.diff(fp) > 0))
    thresholds = np.append(np.inf, cell.levels)
    if not higher_is_positive:
        thresholds = 0.0 - thresholds
    return RocCurve(thresholds[kept], tp[kept], fp[kept], higher_is_positive=higher_is_positive)


def _one_by_one(
    measure: Statistic, cell: Leveled, tp: Integers, fp: Integers, *, higher_is_positive: bool
) -> Floats:
    found = np.full(len(tp), np.nan)
    for number, (own_tp, own_fp) in enumerate(zip(tp, fp, strict=True)):
        if own_tp[-1] and own_fp[-1]:
            curve = _curve(cell, own_tp, own_fp, higher_is_positive=higher_is_positive)
            found[number] = measure.read(curve)
    return found


def _area_over(held: Floats, free: Floats, low: float, high: float) -> Floats:
    """Areas under many paths over a range of what is held."""
    reached = np.flatnonzero((held[:, 1:] >= low).any(axis=0) & (held[:, :-1] <= high).any(axis=0))
    near = slice(reached[0], reached[-1] + 2) if reached.size else slice(0, 1)
    held, free = held[:, near], free[:, near]
    start, stop = held[:, :-1], held[:, 1:]
    run = stop - start
    a, b = np.clip(start, low, high), np.clip(stop, low, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(run > 0, np.diff(free) / run, 0.0)
    heights = 2 * free[:, :-1] + slope * ((a - start) + (b - start))
    return np.asarray(((b - a) * heights).sum(axis=1) / 2)


def _read_last(held: Floats, free: Floats, at: float) -> Floats:
    """What is free where many paths have ``held == at``, the last point met there."""
    before = (held <= at).sum(axis=1) - 1
    return _between(held, free, before, before, at)


def _read_first(held: Floats, free: Floats, at: float) -> Floats:
    """The same, the first point met there."""
    vertex = (held < at).sum(axis=1).clip(0, held.shape[1] - 1)
    return _between(held, free, np.maximum(vertex - 1, 0), vertex, at)


def _between(held: Floats, free: Floats, before: Integers, vertex: Integers, at: float) -> Floats:
    """The vertex itself if it has ``at``, else between the one before and the next."""
    rows = np.arange(len(held))
    after = np.minimum(before + 1, held.shape[1] - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (at - held[rows, before]) / (held[rows, after] - held[rows, before])
    start, stop = free[rows, before], free[rows, after]
    between = np.clip(start + share * (stop - start), np.minimum(start, stop), np.maximum(start, stop))
    return np.where(held[rows, vertex] == at, free[rows, vertex], between)
