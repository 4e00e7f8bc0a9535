"""Which vertices of a line the eye would miss, so that it can be drawn without them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def ends_of_cells(x: Floats, y: Floats, fixed: NDArray[np.intp], side: float) -> NDArray[np.intp]:
    """First and last vertex of every stay in one small cell, where the rest is a dot, and the fixed ones."""
    columns, rows = np.floor(x / side), np.floor(y / side)
    is_new = np.append(True, (columns[1:] != columns[:-1]) | (rows[1:] != rows[:-1]))
    is_new[fixed] = True
    is_last = np.append(is_new[1:], True)
    return np.flatnonzero(is_new | is_last)


def corners_of(x: Floats, y: Floats, fixed: NDArray[np.intp], tolerance: float) -> NDArray[np.intp]:
    """Douglas and Peucker's vertices, found level by level for all pieces of all lines at once.

    ``fixed`` are vertices that stay, first and last among them. Lines follow each other without a gap, so
    what lies between two of them is a piece without vertices.
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
