"""NumPy twins of the kernels that average curves; ``reference.py`` tells what is common to all."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady._kernels.long_sums import Long, shares_of_cases

Array = NDArray[Any]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


def average_paths(
    true_positives: Array,
    false_positives: Array,
    offsets: Integers,
    weights: Floats,
    cosine: float,
    sine: float,
    threads: int,
) -> tuple[Floats, Floats, Floats]:
    """The weighted mean of many curves along a direction, linear between where any of them bends.

    Seen along an angle, a point has the position ``u = cosine * fpr + sine * tpr``; the mean at a position is
    that of the curves' points there. Where no curve moves on an axis, which is wherever the mean runs
    straight up or straight to the right, its rate is the weighted mean of counts / n, rounded once.

    Parameters
    ----------
    true_positives, false_positives, offsets : arrays
        Counts of curves end to end, as :func:`count_curves` gives them.
    weights : float64 array
        One per curve, as they are: they need not sum to one. Curves of weight 0 do not count.
    cosine, sine : float
        Of the angle, in [0, pi/2]; the ends are exact if the sine or the cosine is exactly 0.

    Returns
    -------
    positions, fpr, tpr : float64 arrays
        The mean as a polyline, one point at every position where a curve bends, two where the mean jumps;
        neither rate falls.
    """
    _require_curves(true_positives, false_positives, offsets)
    if weights.size != offsets.size - 1:
        raise ValueError("there must be one weight per curve")
    if not np.isfinite(weights).all():
        raise ValueError("a weight is not finite")
    if (weights < 0).any():
        raise ValueError("a weight is negative")
    if not (weights > 0).any():
        raise ValueError("no curve has a weight")
    chosen = np.flatnonzero(weights > 0)
    bends = [
        _bends(false_positives[a:b], true_positives[a:b])
        for a, b in zip(offsets[chosen], offsets[chosen + 1], strict=True)
    ]
    places = [_positions(x / x[-1], y / y[-1], cosine, sine) for x, y in bends]
    at = np.unique(np.concatenate(places))
    jumps = np.zeros(at.size, dtype=np.bool_)
    rates = []
    for axis, is_held in enumerate((sine == 0, cosine == 0)):
        counts = [own[axis].astype(np.float64) for own in bends]
        if is_held:
            rates.append((at, at))
        else:
            first, last, jumps_here = _mean_rate(weights[chosen], counts, places, at)
            rates.append((first, last))
            jumps |= jumps_here
    # Curves that are all at the bottom, or all at the top, have one and the same point there.
    lowest = [np.flatnonzero(x == 0)[-1] for x, _ in bends]
    highest = [np.flatnonzero(y == y[-1])[0] for _, y in bends]
    leaves = np.searchsorted(at, min(u[k] for u, k in zip(places, lowest, strict=True)))
    arrives = np.searchsorted(at, max(u[k] for u, k in zip(places, highest, strict=True)))
    if cosine > 0 and not jumps[leaves]:
        rates[1][0][leaves] = min(y[k] / y[-1] for (_, y), k in zip(bends, lowest, strict=True))
    if sine > 0 and not jumps[arrives]:
        rates[0][0][arrives] = max(x[k] / x[-1] for (x, _), k in zip(bends, highest, strict=True))
    index = np.repeat(np.arange(at.size), 1 + jumps)
    is_second = np.append(False, index[1:] == index[:-1])
    fpr, tpr = (np.where(is_second, last[index], first[index]) for first, last in rates)
    # What came before a fall of a rounding error comes down: an exact rate is never below what came before.
    fpr, tpr = (np.minimum.accumulate(rate[::-1])[::-1].copy() for rate in (fpr, tpr))
    return at[index], fpr, tpr


def _mean_rate(
    weights: Floats, counts: list[Floats], places: list[Floats], at: Floats
) -> tuple[Floats, Floats, Array]:
    """The weighted mean of one rate, met first and met last at rising positions, and where it jumps.

    What the curves have reached where they do not move is summed to twice the precision of a double. To that
    comes, of those that move, how far they have got.
    """
    shares = shares_of_cases(weights, np.array([own[-1] for own in counts]))
    first = last = Long(np.zeros(at.size), np.zeros(at.size))
    n_moving, moved = np.zeros(at.size, dtype=np.int64), np.zeros(at.size)
    jumps = np.zeros(at.size, dtype=np.bool_)
    for high, low, own, u in zip(*shares, counts, places, strict=True):
        share = Long(high, low)
        behind = np.searchsorted(u, at, "right") - 1
        before = np.searchsorted(u, at, "left")
        is_hit = u[before] == at
        before[~is_hit] -= 1
        after = np.minimum(before + 1, u.size - 1)
        first = first.plus(share.times(own[before]))
        last = last.plus(share.times(own[behind]))
        jumps |= is_hit & (own[behind] != own[before])
        step = np.where(is_hit, 0.0, own[after] - own[before])
        n_moving += step != 0
        width = np.where(is_hit, 1.0, u[after] - u[before])
        moved += share.value * step * ((at - u[before]) / width)
    ends = []
    for reached in (first, last):
        further = np.maximum(reached.plus(Long(moved, 0.0)).value, reached.value)
        ends.append(np.where(n_moving == 0, reached.value, further))
    return ends[0], ends[1], jumps


def _require_curves(true_positives: Array, false_positives: Array, offsets: Integers) -> None:
    """What the kernels refuse, too."""
    if true_positives.dtype != false_positives.dtype or true_positives.shape != false_positives.shape:
        raise ValueError("the counts differ in length or type")
    if true_positives.dtype not in (np.dtype(np.int64), np.dtype(np.float64)):
        raise TypeError("counts must be int64 or float64")
    if (np.diff(offsets) == 0).any():
        raise ValueError("a curve has no vertex")
    ends = offsets[1:] - 1
    if not ((true_positives[ends] > 0) & (false_positives[ends] > 0)).all():
        raise ValueError("a curve lacks a class")


def _bends(x: Array, y: Array) -> tuple[Array, Array]:
    """The vertices that say something: not those within a run straight up or straight to the right."""
    is_new = np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0))  # steps of counts may be empty
    x, y = x[is_new], y[is_new]
    flat, steep = np.diff(y) == 0, np.diff(x) == 0
    inside = (flat[1:] & flat[:-1]) | (steep[1:] & steep[:-1])
    kept = np.concatenate([[True], ~inside, [True]])
    return x[kept], y[kept]


def _positions(x: Floats, y: Floats, cosine: float, sine: float) -> Floats:
    if sine == 0:
        return x
    if cosine == 0:  # swaps the axes; a rounded right angle would read the wrong ends of steps
        return y
    return cosine * x + sine * y


def read_paths(
    true_positives: Array,
    false_positives: Array,
    offsets: Integers,
    cosine: float,
    sine: float,
    positions: Floats,
    threads: int,
) -> tuple[Floats, Floats]:
    """The value ``cosine * tpr - sine * fpr`` of every curve at rising positions of :func:`average_paths`.

    Returns
    -------
    first, last : (n_curves, n_positions) arrays
        The value met first there and the one met last, which differ where the curve runs along the direction.
    """
    _require_curves(true_positives, false_positives, offsets)
    shape = offsets.size - 1, positions.size
    first, last = np.empty(shape), np.empty(shape)
    for i, (start, stop) in enumerate(itertools.pairwise(offsets)):
        x, y = false_positives[start:stop], true_positives[start:stop]
        x, y = x / x[-1], y / y[-1]
        u = _positions(x, y, cosine, sine)
        v = y if sine == 0 else -x if cosine == 0 else cosine * y - sine * x
        begins = np.flatnonzero(np.append(True, u[1:] != u[:-1]))
        ends = np.append(begins[1:], u.size) - 1
        first[i], last[i] = _read_path(u[begins], v[begins], v[ends], positions)
    return first, last


def _read_path(u: Floats, first: Floats, last: Floats, at: Floats) -> tuple[Floats, Floats]:
    """The values met first and last at positions that may lie between those of the path."""
    at = np.clip(at, u[0], u[-1])
    left = np.searchsorted(u, at, "right") - 1
    right = np.minimum(left + 1, u.size - 1)
    width = np.where(right > left, u[right] - u[left], 1.0)
    between = (at - u[left]) / width
    start, stop = last[left], first[right]
    inside = np.clip(start + between * (stop - start), np.minimum(start, stop), np.maximum(start, stop))
    hit = u[left] == at
    return np.where(hit, first[left], inside), np.where(hit, last[left], inside)
