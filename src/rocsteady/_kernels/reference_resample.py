"""NumPy twins of the kernels that draw cases or groups with replacement (``native/resample_*.hpp``).

What is read off a resampled curve is given by three columns, one entry per reading: a kind (below), and the
numbers ``low`` and ``high`` that it needs. Vertex k of a curve has the cases of the k strictest distinct
scores beyond it; vertices are joined by straight lines.

====  ======================================  =====  ======
kind  reading                                 low    high
====  ======================================  =====  ======
0     the area under the curve
1     the area over a range of FPRs           start  end
2     the area right of a range of TPRs       start  end
3     the TPR at an FPR, upper end of a jump  FPR
4     the FPR at a TPR, lower end of a jump   TPR
5     the FPR at a frozen vertex              column of ``frozen``
6     the TPR at a frozen vertex              column of ``frozen``
====  ======================================  =====  ======
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsteady._kernels.reference_stream import drawn_below, stream_start, substream_start

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Array = NDArray[Any]
Progress = Callable[[int, int], object]


def score_ranks(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    threads: int,
) -> Integers:
    """Rank of every row among the distinct scores of its group, 0 for the strictest; ties share a rank."""
    if scores.dtype.kind == "f" and np.isnan(scores).any():
        raise ValueError("a score is NaN")
    if not np.all((labels == positive) | (labels == negative)):
        raise ValueError("a label is neither of the two")
    ranks = np.empty(scores.size, dtype=np.int64)
    for start, stop in itertools.pairwise(offsets):
        distinct, place = np.unique(scores[start:stop], return_inverse=True)
        ranks[start:stop] = distinct.size - 1 - place if higher_is_positive else place
    return ranks


def resample_cases(
    positive_ranks: Integers,
    negative_ranks: Integers,
    positive_offsets: Integers,
    negative_offsets: Integers,
    positive_weights: Floats | None,
    negative_weights: Floats | None,
    group_weights: Floats,
    shared: bool,
    kinds: Integers,
    low: Floats,
    high: Floats,
    frozen: Integers,
    seed: int,
    n_resamples: int,
    threads: int,
    progress: Progress | None,
) -> Floats:
    """Readings of curves whose cases were drawn with replacement, within their group and class.

    Parameters
    ----------
    positive_ranks, negative_ranks : int64 arrays
        The rank of every case among the distinct scores, 0 the strictest: of its group, or of all groups if
        ``shared``. Case i of a group and class is drawn whenever the stream of (seed, replicate, group,
        class) says i, so two models with the same cases in the same order are resampled together.
    positive_offsets, negative_offsets : int64 arrays
        Group ``g`` owns the cases ``offsets[g]:offsets[g + 1]`` of each class.
    positive_weights, negative_weights : float64 arrays, or both None
        A case is drawn together with its weight.
    group_weights : float64 array
        A reading is the weighted mean over the groups of what each group's own curve gives.
    shared : bool
        Instead, the drawn cases of all groups make one curve.
    kinds, low, high : arrays
        The readings.
    frozen : int64 array of (groups, columns), or (1, columns) if ``shared``
        Vertices whose rates are read.
    seed : int
        Below 2**64.
    progress : callable or None
        Called with (done, total), at most ten times a second and once at the end.

    Returns
    -------
    float64 array of (n_resamples, readings)
    """
    classes = (
        _Cases(positive_ranks, positive_offsets, positive_weights),
        _Cases(negative_ranks, negative_offsets, negative_weights),
    )
    _require_weights(positive_weights, negative_weights, group_weights)
    n_groups = positive_offsets.size - 1
    curves = [range(n_groups)] if shared else [range(g, g + 1) for g in range(n_groups)]
    if any(c.ranks[c.offsets[of.start] : c.offsets[of.stop]].size == 0 for c in classes for of in curves):
        raise ValueError("a curve lacks a class")
    weights = np.ones(1) if shared else group_weights
    values = np.empty((n_resamples, kinds.size))
    report = _Report(progress, n_resamples)
    for replicate in range(n_resamples):
        start = stream_start(seed, replicate)
        total = np.zeros(kinds.size)
        for curve, of in enumerate(curves):
            n_ranks = 1 + max(int(c.ranks[c.offsets[of.start] : c.offsets[of.stop]].max()) for c in classes)
            positives, negatives = (c.drawn(start, of, k, n_ranks) for k, c in enumerate(classes))
            found = _read(_path_of_counts(positives, negatives), kinds, low, high, frozen[curve])
            total = total + weights[curve] * found
        values[replicate] = total / np.cumsum(weights)[-1]
        report.done(replicate + 1)
    return values


def resample_groups(
    positive_ranks: Integers,
    negative_ranks: Integers,
    positive_offsets: Integers,
    negative_offsets: Integers,
    positive_weights: Floats | None,
    negative_weights: Floats | None,
    positive_shares: Floats,
    negative_shares: Floats,
    kinds: Integers,
    low: Floats,
    high: Floats,
    frozen: Integers,
    seed: int,
    n_resamples: int,
    threads: int,
    progress: Progress | None,
) -> tuple[Floats, int]:
    """Readings of the one curve through all cases of groups that were drawn with replacement.

    As :func:`resample_cases`, with ranks among the scores of all groups, except:

    Parameters
    ----------
    positive_shares, negative_shares : float64 arrays
        What a case of each group counts for, times its weight.
    frozen : int64 array of (1, columns)
        Vertices whose rates are read.

    Returns
    -------
    values : float64 array of (n_resamples, readings)
    n_redrawn : int
        How many draws were thrown away, because no drawn group had weight in one of the classes.
    """
    _require_weights(positive_weights, negative_weights, positive_shares, negative_shares)
    columns = (
        _Rows.of(positive_ranks, positive_offsets, positive_weights, positive_shares),
        _Rows.of(negative_ranks, negative_offsets, negative_weights, negative_shares),
    )
    n_groups = positive_offsets.size - 1
    if not all(np.isfinite(c.totals).all() for c in columns):
        raise ValueError("a weight is not finite")
    if not all((c.totals > 0).any() for c in columns):
        raise ValueError("a class has no weight")
    n_ranks = 1 + int(max(positive_ranks.max(), negative_ranks.max()))
    ends = [np.searchsorted(c.ranks, np.arange(n_ranks), side="right") for c in columns]
    values = np.empty((n_resamples, kinds.size))
    n_redrawn = 0
    report = _Report(progress, n_resamples)
    for replicate in range(n_resamples):
        start, first = stream_start(seed, replicate), 0
        while True:
            drawn = drawn_below(start, first, np.full(n_groups, n_groups, dtype=np.uint64))
            counts = np.bincount(drawn, minlength=n_groups)
            totals = [np.cumsum(counts * c.totals)[-1] for c in columns]
            if min(totals) > 0:
                break
            first += n_groups
            n_redrawn += 1
        beyond = []
        for c, end, total in zip(columns, ends, totals, strict=True):
            # Powers of two, which round nothing: sums and products stay within the range of floats.
            counted = counts * np.ldexp(1.0, -int(np.clip(np.frexp(total)[1], -1000, 1000)))
            beyond.append(np.append(0.0, np.cumsum(counted[c.groups] * c.values))[np.append(0, end)])
        values[replicate] = _read(_path_of_sums(*beyond), kinds, low, high, frozen[0])
        report.done(replicate + 1)
    return values, n_redrawn


def _require_weights(*columns: Floats | None) -> None:
    """Finite and not negative: else a class could count for nothing in every draw, which would not end."""
    for weights in columns:
        if weights is not None and not np.isfinite(weights).all():
            raise ValueError("a weight is not finite")
        if weights is not None and (weights < 0).any():
            raise ValueError("a weight is negative")


class _Cases(NamedTuple):
    """The cases of one class, in their own order, group after group."""

    ranks: Integers
    offsets: Integers
    weights: Floats | None

    def drawn(self, start: int, groups: range, which: int, n_ranks: int) -> Array:
        """Cases (or weight) drawn at every rank; class 0 are the positives."""
        rows = []
        for group in groups:
            begin, end = self.offsets[group], self.offsets[group + 1]
            bounds = np.full(end - begin, end - begin, dtype=np.uint64)
            rows.append(begin + drawn_below(substream_start(start, 2 * group + which), 0, bounds))
        drawn = np.concatenate(rows)
        weights = None if self.weights is None else self.weights[drawn]
        return np.bincount(self.ranks[drawn], weights, minlength=n_ranks)


class _Rows(NamedTuple):
    """The cases of one class, strictest first: rank, group, and what each counts for; totals of groups."""

    ranks: Integers
    groups: Integers
    values: Floats
    totals: Floats

    @classmethod
    def of(cls, ranks: Integers, offsets: Integers, weights: Floats | None, shares: Floats) -> _Rows:
        groups = np.repeat(np.arange(shares.size), np.diff(offsets))
        values = shares[groups] if weights is None else weights * shares[groups]
        order = np.argsort(ranks, kind="stable")
        totals = np.asarray(np.bincount(groups, values, minlength=shares.size), dtype=np.float64)
        return cls(ranks[order], groups[order], values[order], totals)


class _Path(NamedTuple):
    """The vertices of a curve, and twice the area under it up to each."""

    x: Floats
    y: Floats
    area: Floats


def _path_of_counts(positives: Array, negatives: Array) -> _Path:
    if positives.dtype == np.int64:
        tp, fp = (np.append(0, np.cumsum(counts)) for counts in (positives, negatives))
        wins = np.append(0, np.cumsum(negatives * (tp[1:] + tp[:-1])))
        return _Path(fp / fp[-1], tp / tp[-1], wins / (float(tp[-1]) * float(fp[-1])))
    return _path_of_rates(*(np.append(0.0, np.cumsum(counts)) for counts in (positives, negatives)))


def _path_of_rates(tp: Floats, fp: Floats) -> _Path:
    x, y = fp / fp[-1], tp / tp[-1]
    return _Path(x, y, np.append(0.0, np.cumsum(np.diff(x) * (y[1:] + y[:-1]))))


def _path_of_sums(tp: Floats, fp: Floats) -> _Path:
    wins = np.append(0.0, np.cumsum(np.diff(fp) * (tp[1:] + tp[:-1])))
    return _Path(fp / fp[-1], tp / tp[-1], wins / (tp[-1] * fp[-1]))


def _read(path: _Path, kinds: Integers, low: Floats, high: Floats, frozen: Integers) -> Floats:
    values = np.empty(kinds.size)
    x, y, area = path
    for k, kind in enumerate(kinds.tolist()):
        if kind == 0:
            values[k] = area[-1] / 2
        elif kind == 1:
            under = _area_to(x, y, area / 2, high[k]) - _area_to(x, y, area / 2, low[k])
            values[k] = min(max(under, 0.0), high[k] - low[k])
        elif kind == 2:
            left = x * y - area / 2
            found = (high[k] - low[k]) - (_area_to(y, x, left, high[k]) - _area_to(y, x, left, low[k]))
            values[k] = min(max(found, 0.0), high[k] - low[k])
        elif kind == 3:
            values[k] = _last(x, y, low[k])[1]
        elif kind == 4:
            values[k] = _first(y, x, low[k])
        else:
            values[k] = (x if kind == 5 else y)[frozen[int(low[k])]]
    return values


def _last(held: Floats, free: Floats, at: float) -> tuple[int, float]:
    """The last vertex that is not beyond ``at``, and the free coordinate there."""
    before = int(np.searchsorted(held, at, side="right")) - 1
    return before, _between(held, free, before, at)


def _first(held: Floats, free: Floats, at: float) -> float:
    vertex = int(np.searchsorted(held, at, side="left"))
    return float(free[vertex]) if held[vertex] == at else _between(held, free, vertex - 1, at)


def _between(held: Floats, free: Floats, before: int, at: float) -> float:
    if held[before] == at:
        return float(free[before])
    share = (at - held[before]) / (held[before + 1] - held[before])
    between = free[before] + share * (free[before + 1] - free[before])
    return float(min(max(between, free[before]), free[before + 1]))


def _area_to(held: Floats, free: Floats, area: Floats, at: float) -> float:
    before, height = _last(held, free, at)
    return float(area[before] + (at - held[before]) * (free[before] + height) / 2)


class _Report:
    """Tells how far the work is, at most ten times a second."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._last = progress, total, time.monotonic()

    def done(self, n: int) -> None:
        if self._progress is None:
            return
        now = time.monotonic()
        if n == self._total or now - self._last >= 0.1:
            self._last = now
            self._progress(n, self._total)
