"""NumPy twins of the kernels that draw: cases or groups with replacement, rows dealt to groups anew.

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

Draw number k of a stream is a function of where the stream starts and of k: SplitMix64, read as a hash of a
counter. So any thread can take any replicate.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Array, Floats, Integers

Unsigned = NDArray[np.uint64]
Progress = Callable[[int, int], object]

_GAMMA = 0x9E3779B97F4A7C15
_WORD = 2**64 - 1


def stream_start(seed: int, replicate: int) -> int:
    """Where the stream of a replicate starts."""
    return substream_start(_mixed_number((seed + _GAMMA) & _WORD), replicate)


def substream_start(start: int, number: int) -> int:
    """Where a stream within a stream starts."""
    return _mixed_number((start + number) & _WORD)


def drawn_below(start: int, first: int, bounds: Unsigned) -> Integers:
    """Draws ``first``, ``first + 1``, ... of a stream, each below its own bound.

    The high half of draw * bound. Bounds stay below 2**32, so that the bias is below 2**-32.
    """
    counters = np.arange(first + 1, first + 1 + bounds.size, dtype=np.uint64)
    draws = _mixed(np.uint64(start) + counters * np.uint64(_GAMMA))
    half = np.uint64(32)
    low = (draws & np.uint64(2**32 - 1)) * bounds >> half
    return (((draws >> half) * bounds + low) >> half).astype(np.int64)


def _mixed(x: Unsigned) -> Unsigned:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _mixed_number(x: int) -> int:
    return int(_mixed(np.array([x], dtype=np.uint64))[0])


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
    require_weights(positive_weights, negative_weights, group_weights)
    n_groups = positive_offsets.size - 1
    curves = [range(n_groups)] if shared else [range(g, g + 1) for g in range(n_groups)]
    if any(c.ranks[c.offsets[of.start] : c.offsets[of.stop]].size == 0 for c in classes for of in curves):
        raise ValueError("a curve lacks a class")
    weights = np.ones(1) if shared else group_weights
    values = np.empty((n_resamples, kinds.size))
    for replicate in _told(n_resamples, progress):
        start = stream_start(seed, replicate)
        total = np.zeros(kinds.size)
        for curve, of in enumerate(curves):
            n_ranks = 1 + max(int(c.ranks[c.offsets[of.start] : c.offsets[of.stop]].max()) for c in classes)
            positives, negatives = (c.drawn(start, of, k, n_ranks) for k, c in enumerate(classes))
            found = _read(_path_of_counts(positives, negatives), kinds, low, high, frozen[curve])
            total = total + weights[curve] * found
        values[replicate] = total / np.cumsum(weights)[-1]
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
    require_weights(positive_weights, negative_weights, positive_shares, negative_shares)
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
    for replicate in _told(n_resamples, progress):
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
    return values, n_redrawn


def require_weights(*columns: Floats | None) -> None:
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
    tp, fp = (np.append(0, np.cumsum(counts)) for counts in (positives, negatives))
    if tp.dtype == np.int64:
        return _path_of_sums(tp, fp)
    x, y = fp / fp[-1], tp / tp[-1]
    return _Path(x, y, np.append(0.0, np.cumsum(np.diff(x) * (y[1:] + y[:-1]))))


def _path_of_sums(tp: Array, fp: Array) -> _Path:
    wins = np.append(0, np.cumsum(np.diff(fp) * (tp[1:] + tp[:-1])))
    return _Path(fp / fp[-1], tp / tp[-1], wins / (float(tp[-1]) * float(fp[-1])))


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


def _told(n_resamples: int, progress: Progress | None) -> Iterator[int]:
    """The replicates; tells how far the work is after one, at most ten times a second."""
    last = time.monotonic()
    for replicate in range(n_resamples):
        yield replicate
        is_last = replicate + 1 == n_resamples
        if progress is not None and (is_last or time.monotonic() - last >= 0.1):
            last = time.monotonic()
            progress(replicate + 1, n_resamples)


# Rows dealt to groups by chance
# ------------------------------

_SUM_BLOCK = 4096


def exchange_groups(
    positive_groups: Integers,
    negative_groups: Integers,
    positives_at: Integers,
    negatives_at: Integers,
    n_groups: int,
    seed: int,
    n_permutations: int,
    threads: int,
) -> tuple[Floats, Floats]:
    """Mean AUC within groups and AUC under one shared threshold, after dealing rows to groups by chance.

    Rows change groups within their class, so that every group keeps its numbers of positives and negatives.

    Parameters
    ----------
    positive_groups, negative_groups : int64 arrays
        The group of every positive and of every negative, strictest score first.
    positives_at, negatives_at : int64 arrays
        How many of them stand at each distinct score, strictest first.
    n_groups : int
        Groups are numbered from 0; each has both classes, else ``ValueError``.
    seed : int
        Below 2**64. Replicate r draws from a stream of its own, a function of (seed, r).
    n_permutations : int
        How often the rows are dealt.

    Returns
    -------
    own, shared : float64 arrays of n_permutations + 1
        The mean of the groups' AUCs; the mean over all ordered pairs of groups of the AUC of one group's
        positives against another's negatives, its own included. Entry 0 is of the rows as they are.
    """
    if n_groups < 1 or n_permutations < 0:
        raise ValueError("there must be groups and replicates")
    if positives_at.size != negatives_at.size:
        raise ValueError("the counts differ in length")
    for groups, at in ((positive_groups, positives_at), (negative_groups, negatives_at)):
        if n_groups > groups.size or groups.min() < 0:
            raise ValueError("a group lacks a class, or has a negative number")
        if (at < 0).any() or sum(at.tolist()) != groups.size:
            raise ValueError("a count is negative, or the counts do not add up to the rows")
    sizes = [np.bincount(groups, minlength=n_groups) for groups in (positive_groups, negative_groups)]
    if any(size.size > n_groups or size.min() == 0 for size in sizes):
        raise ValueError("a group lacks a class, or has a number that is too high")
    slots, weights = _steps(positives_at, negatives_at)
    own, shared = np.empty(n_permutations + 1), np.empty(n_permutations + 1)
    for replicate in range(n_permutations + 1):
        dealt = [positive_groups, negative_groups]
        if replicate:
            start, n_first = stream_start(seed, replicate), positive_groups.size
            dealt = [_shuffled(positive_groups, start, 0), _shuffled(negative_groups, start, n_first)]
        own[replicate], shared[replicate] = _walk(np.concatenate(dealt)[slots], weights, *sizes)
    return own, shared


def _steps(positives_at: Integers, negatives_at: Integers) -> tuple[Integers, Integers]:
    """Rows in the order of the walk (positives are numbered first), and how the positives met count for each.

    A positive has 0, a negative 2; one tied with positives comes before and after them, each time with 1.
    """
    positive, negative = 0, int(positives_at.sum())
    slots: list[int] = []
    weights: list[int] = []
    for n_positives, n_negatives in zip(positives_at.tolist(), negatives_at.tolist(), strict=True):
        own, others = range(positive, positive + n_positives), range(negative, negative + n_negatives)
        tied = bool(n_positives and n_negatives)
        slots += [*others, *own, *(others if tied else ())]
        weights += [1 if tied else 2] * n_negatives + [0] * n_positives + [1] * (n_negatives if tied else 0)
        positive, negative = own.stop, others.stop
    return np.array(slots, dtype=np.int64), np.array(weights, dtype=np.int64)


def _walk(
    groups: Integers, weights: Integers, n_positives: Integers, n_negatives: Integers
) -> tuple[float, float]:
    is_positive = weights == 0
    by_group = np.argsort(groups, kind="stable")
    met = np.cumsum(is_positive[by_group])
    before = np.concatenate([[0], np.cumsum(n_positives)[:-1]])  # positives of the groups numbered lower
    won = np.concatenate([[0], np.cumsum(weights[by_group] * (met - before[groups[by_group]]))])
    ends = np.cumsum(np.bincount(groups, minlength=n_positives.size))
    wins = np.diff(won[np.concatenate([[0], ends])])
    # np.cumsum adds one after the other, as the kernel does; np.sum would add by pairs and round otherwise.
    own = np.cumsum(wins / (2 * n_positives * n_negatives))[-1] / n_positives.size
    shares = running_sum(np.where(is_positive, (1.0 / n_positives)[groups], 0.0))
    shared = running_sum(weights * (1.0 / n_negatives)[groups] * shares)[-1]
    return float(own), float(shared / (2.0 * n_positives.size * n_positives.size))


def running_sum(values: Floats) -> Floats:
    """Cumulative sums made block by block: one sum over millions of values would round away five digits."""
    blocks = np.zeros((-(-values.size // _SUM_BLOCK), _SUM_BLOCK))
    blocks.ravel()[: values.size] = values
    inside = np.cumsum(blocks, axis=1)
    before = np.cumsum(inside[:, -1])
    return np.asarray((np.append(0.0, before[:-1])[:, None] + inside).ravel()[: values.size])


def _shuffled(groups: Integers, start: int, first: int) -> Integers:
    """Fisher and Yates, from the end."""
    bounds = np.arange(groups.size, 1, -1, dtype=np.uint64)
    partners = drawn_below(start, first, bounds)
    dealt = groups.tolist()
    for last, partner in zip(range(groups.size - 1, 0, -1), partners.tolist(), strict=True):
        dealt[last], dealt[partner] = dealt[partner], dealt[last]
    return np.array(dealt, dtype=np.int64)
