"""Lines without the vertices that the eye would miss: many at once, and as fine as their room allows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rocsteady.plots.parts.corners import corners_of, ends_of_cells

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
    kept = ends_of_cells(across, tpr, fixed, tolerance / 8)
    corners = kept[corners_of(across[kept], tpr[kept], np.searchsorted(kept, fixed), 0.75 * tolerance)]
    pieces = np.split(corners, np.searchsorted(corners, stops[:-1]))
    return [(fpr[own], tpr[own]) for own in pieces]


def thinned_to(lines: Sequence[Line], tolerance: float, *, most: int) -> list[Line]:
    """The same, coarser where they would have more vertices together than there is room for."""
    found = thinned(lines, tolerance)
    while sum(fpr.size for fpr, _ in found) > max(most, 2 * len(found)):
        tolerance *= 2
        found = thinned(found, tolerance)
    return found
