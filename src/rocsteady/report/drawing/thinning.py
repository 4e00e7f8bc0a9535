"""Lines without the vertices that the eye would miss: many at once, and as fine as their room allows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Line = tuple[Floats, Floats]
"""False and true positive rates, from end to end."""

_NEAR, _FINER = 0.2, 4.0
"""Below this FPR a line keeps four times as much: the page can be zoomed in there."""


def thinned(lines: Sequence[Line], tolerance: float) -> list[Line]:
    """Lines that run nowhere farther from the given ones than a tolerance, a quarter of it at low FPR.

    Examples
    --------
    >>> import numpy as np
    >>> rates = np.linspace(0, 1, 1001)
    >>> ((fpr, tpr),) = thinned([(rates, np.minimum(5 * rates, 1))], 0.001)
    >>> fpr.tolist()
    [0.0, 0.199, 0.2, 1.0]
    """
    if not lines:
        return []
    fpr, tpr = (np.concatenate(part) for part in zip(*lines, strict=True))
    stops = np.cumsum([own.size for own, _ in lines])
    starts = np.append(0, stops[:-1])
    across = np.where(fpr < _NEAR, _FINER * fpr, (_FINER - 1) * _NEAR + fpr)
    # Where the scale changes a straight line would bend, so no piece reaches over it.
    over = np.flatnonzero((fpr[1:] < _NEAR) != (fpr[:-1] < _NEAR))
    fixed = np.unique(np.concatenate([starts, stops - 1, over, over + 1]))
    kept = _ends_of_cells(across, tpr, fixed, tolerance / 8)
    corners = kept[_corners(across[kept], tpr[kept], np.searchsorted(kept, fixed), 0.75 * tolerance)]
    pieces = np.split(corners, np.searchsorted(corners, stops[:-1]))
    return [(fpr[own], tpr[own]) for own in pieces]


def thinned_to(lines: Sequence[Line], tolerance: float, *, most: int) -> list[Line]:
    """The same, coarser where they would have more vertices together than there is room for."""
    found = thinned(lines, tolerance)
    while sum(fpr.size for fpr, _ in found) > max(most, 2 * len(found)):
        tolerance *= 2
        found = thinned(found, tolerance)
    return found


def _ends_of_cells(x: Floats, y: Floats, fixed: NDArray[np.intp], side: float) -> NDArray[np.intp]:
    """First and last vertex of every stay in one small cell: what lies between is a dot."""
    columns, rows = np.floor(x / side), np.floor(y / side)
    is_new = np.append(True, (columns[1:] != columns[:-1]) | (rows[1:] != rows[:-1]))
    is_new[fixed] = True
    is_last = np.append(is_new[1:], True)
    return np.flatnonzero(is_new | is_last)


def _corners(x: Floats, y: Floats, fixed: NDArray[np.intp], tolerance: float) -> NDArray[np.intp]:
    """Douglas and Peucker's vertices, found level by level for all pieces of all lines at once.

    Lines follow each other without a gap, so what lies between two of them is a piece without vertices.
    """
    ends = fixed
    if ends.size < 2:
        return ends
    while True:
        start, stop = ends[:-1], ends[1:]
        piece = np.repeat(np.arange(start.size), stop - start)
        along_x, along_y = x[stop] - x[start], y[stop] - y[start]
        length = np.hypot(along_x, along_y)
        off_x, off_y = x[:-1] - x[start][piece], y[:-1] - y[start][piece]
        with np.errstate(divide="ignore", invalid="ignore"):
            off = np.abs(along_x[piece] * off_y - along_y[piece] * off_x) / length[piece]
        off = np.where(length[piece] > 0, off, np.hypot(off_x, off_y))
        worst = np.maximum.reduceat(off, start)
        if not (worst > tolerance).any():
            return ends
        farthest = np.flatnonzero((off == worst[piece]) & (off > tolerance))
        first = np.append(True, piece[farthest][1:] != piece[farthest][:-1])
        ends = np.union1d(ends, farthest[first])
