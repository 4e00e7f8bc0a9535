"""NumPy twins of the kernels that average curves; ``reference.py`` tells what is common to all."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

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

    Seen along an angle, a point has the position ``u = cosine * fpr + sine * tpr`` and the value
    ``v = cosine * tpr - sine * fpr``.

    Parameters
    ----------
    true_positives, false_positives, offsets : arrays
        Counts of curves end to end, as :func:`count_curves` gives them.
    weights : float64 array
        One per curve; they sum to one.
    cosine, sine : float
        Of the angle, in [0, pi/2]; the ends are exact if the sine or the cosine is exactly 0.

    Returns
    -------
    positions, first, last : float64 arrays
        Rising positions; the mean value met first there and the one met last, which differ at a jump.
    """
    curves = list(_paths(true_positives, false_positives, offsets, cosine, sine, only_bends=True))
    bends = np.unique(np.concatenate([u[_bends(u, first, last)] for u, first, last in curves]))
    rows = [_read_path(u, first, last, bends) for u, first, last in curves]
    mean_first, mean_last = (
        np.array([math.fsum(weights * column) for column in np.array(side).T])
        for side in zip(*rows, strict=True)
    )
    return bends, mean_first, mean_last


def read_paths(
    true_positives: Array,
    false_positives: Array,
    offsets: Integers,
    cosine: float,
    sine: float,
    positions: Floats,
    threads: int,
) -> tuple[Floats, Floats]:
    """The value of every curve at rising positions, as in :func:`average_paths`.

    Returns
    -------
    first, last : (n_curves, n_positions) arrays
        The value met first there and the one met last, which differ where the curve runs along the direction.
    """
    shape = offsets.size - 1, positions.size
    first, last = np.empty(shape), np.empty(shape)
    for i, path in enumerate(_paths(true_positives, false_positives, offsets, cosine, sine)):
        first[i], last[i] = _read_path(*path, positions)
    return first, last


def _paths(
    true_positives: Array,
    false_positives: Array,
    offsets: Integers,
    cosine: float,
    sine: float,
    *,
    only_bends: bool = False,
) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Distinct positions of every curve, with the values met first and last there."""
    for start, stop in itertools.pairwise(offsets):
        x, y = false_positives[start:stop], true_positives[start:stop]
        if only_bends:  # vertices within a run straight up or straight to the right say nothing
            flat, steep = np.diff(y) == 0, np.diff(x) == 0
            inside = (flat[1:] & flat[:-1]) | (steep[1:] & steep[:-1])
            kept = np.concatenate([[True], ~inside, [True]])
            x, y = x[kept], y[kept]
        x, y = x / x[-1], y / y[-1]
        if sine == 0:
            u, v = x, y
        elif cosine == 0:  # swaps the axes; a rounded right angle would read the wrong ends of steps
            u, v = y, -x
        else:
            u, v = cosine * x + sine * y, cosine * y - sine * x
        begins = np.flatnonzero(np.append(True, u[1:] != u[:-1]))
        ends = np.append(begins[1:], u.size) - 1
        yield u[begins], v[begins], v[ends]


def _bends(u: Floats, first: Floats, last: Floats) -> Array:
    slope = np.append((first[1:] - last[:-1]) / np.diff(u), 0.0)
    bends = (last != first) | (slope != np.append(0.0, slope[:-1]))
    bends[[0, -1]] = True  # the ends always count
    return np.asarray(bends)


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
