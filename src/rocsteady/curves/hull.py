"""The convex hull of a curve, decided in integers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.area import exact_integers

Counts = NDArray[Any]


def hull_vertices(true_positives: Counts, false_positives: Counts) -> NDArray[np.intp]:
    """Indices of the vertices of the upper convex hull, from (0, 0) to (1, 1).

    A vertex on a straight stretch of the hull is not one of its corners and is left out. Cross products of
    counts are compared as integers, so collinear points are never kept or dropped by rounding.
    """
    x, y = exact_integers(false_positives), exact_integers(true_positives)
    if x.dtype != object and int(x[-1]) * int(y[-1]) >= 2**62:
        x, y = x.astype(object), y.astype(object)
    moved = (x[1:] != x[:-1]) | (y[1:] != y[:-1])
    kept = np.concatenate([[0], 1 + np.flatnonzero(moved)])
    # A point on or under the chord of any two others is no corner. Dropping all such points at once, by their
    # neighbours, thins the path quickly; the exact scan below finishes what a pass cannot.
    while True:
        corner = _turns_right(x[kept], y[kept])
        if corner.mean() > 0.9:
            break
        kept = kept[corner]
    return kept[_scan(x[kept].tolist(), y[kept].tolist())]


_MOST_PASSES = 30


def hull_vertices_of_all(
    true_positives: Counts, false_positives: Counts, offsets: NDArray[np.int64]
) -> list[NDArray[np.intp]]:
    """The same for many curves in flat arrays, curve ``g`` at ``offsets[g]:offsets[g + 1]``.

    All curves are thinned together; only those that a few passes do not finish are scanned one by one.
    """
    last = offsets[1:] - 1
    products = true_positives[last].astype(np.float64) * false_positives[last]
    if true_positives.dtype.kind == "f" or products.max(initial=0.0) >= 2.0**61:  # weights, or too many cases
        ends = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
        return [hull_vertices(true_positives[i:j], false_positives[i:j]) for i, j in ends]
    x, y = false_positives, true_positives
    group = np.repeat(np.arange(last.size), np.diff(offsets))
    is_first = np.zeros(x.size, dtype=np.bool_)
    is_first[offsets[:-1]] = True
    moved = np.append(True, (x[1:] != x[:-1]) | (y[1:] != y[:-1]))
    kept = np.flatnonzero(moved | is_first)
    for _ in range(_MOST_PASSES):
        corner = _turns_right(x[kept], y[kept])
        of = group[kept]
        is_end = np.append(True, of[1:] != of[:-1])
        is_end[:-1] |= is_end[1:]
        is_end[-1] = True
        corner |= is_end
        if corner.all():
            break
        kept = kept[corner]
    pieces = np.split(kept, np.searchsorted(kept, offsets[1:-1]))
    if not corner.all():
        pieces = [own[_scan(x[own].tolist(), y[own].tolist())] for own in pieces]
    return [own - start for own, start in zip(pieces, offsets[:-1].tolist(), strict=True)]


def _turns_right(x: Counts, y: Counts) -> NDArray[np.bool_]:
    dx, dy = np.diff(x), np.diff(y)
    turn = dx[:-1] * dy[1:] - dy[:-1] * dx[1:]
    return np.concatenate([[True], (turn < 0).astype(bool), [True]])


def _scan(x: list[int], y: list[int]) -> list[int]:
    """Andrew's monotone chain, upper half."""
    chain: list[int] = []
    for k in range(len(x)):
        while len(chain) > 1:
            i, j = chain[-2], chain[-1]
            if (x[j] - x[i]) * (y[k] - y[j]) - (y[j] - y[i]) * (x[k] - x[j]) < 0:
                break
            chain.pop()
        chain.append(k)
    return chain
