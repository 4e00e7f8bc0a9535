"""Curves, bands, densities and strips of section 2 as path data: whole numbers, each from the one before.

The page holds the paths of every average of every model; the script only puts one in place of another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rocsteady.report.drawing import Densities, ScoreAxis

Floats = NDArray[np.float64]
Path = tuple[Floats, Floats]

UNITS = 10_000
"""Of the ROC plane, along either side: fine enough for a fivefold zoom on a large screen."""
TENTHS = 10
"""Steps per unit of the score figures."""


def path_data(x: Floats, y: Floats, *, is_closed: bool = False) -> str:
    """A polyline through points on a whole grid.

    >>> path_data(np.array([0, 0, 10, 20.2]), np.array([5, 7, 7, 3.0]))
    'M0 5v2h10l10-4'
    """
    across, down = (np.rint(np.asarray(v, dtype=np.float64)).astype(np.int64) for v in (x, y))
    if not across.size:
        return ""
    steps = [f"M{across[0]} {down[0]}"]
    for dx, dy in zip(np.diff(across).tolist(), np.diff(down).tolist(), strict=True):
        if dx and dy:
            steps.append(f"l{dx}{'' if dy < 0 else ' '}{dy}")
        elif dx or dy:
            steps.append(f"h{dx}" if dx else f"v{dy}")
    return "".join([*steps, "z" if is_closed else ""])


def curve_data(path: Path) -> str:
    """A curve in the ROC plane; where a rate is missing it is interrupted."""
    fpr, tpr = path
    pieces = (path_data(UNITS * fpr[run], UNITS * (1 - tpr[run])) for run in _runs(fpr + tpr))
    return "".join(pieces)


def band_data(sides: tuple[Path, Path] | None) -> str:
    """What lies between two curves; nothing where there is no band."""
    if sides is None:
        return ""
    (low_x, low_y), (high_x, high_y) = sides
    pieces = []
    for low, high in zip(_runs(low_x + low_y), _runs(high_x + high_y), strict=False):
        there, back = (low_x[low], low_y[low]), (high_x[high][::-1], high_y[high][::-1])
        # A band that reaches into a corner of the plane fills it.
        parts = [there, _corner(there, back, 1.0), back, _corner(back, there, 0.0)]
        x, y = (np.concatenate(own) for own in zip(*parts, strict=True))
        pieces.append(path_data(UNITS * x, UNITS * (1 - y), is_closed=True))
    return "".join(pieces)


def _corner(one: Path, other: Path, at: float) -> Path:
    """The corner (at, at) if one curve ends and the other starts on the two sides that meet there."""
    ends = ((one[0][-1], one[1][-1]), (other[0][0], other[1][0]))
    return (np.array([at]),) * 2 if all(at in end for end in ends) else (np.empty(0),) * 2


def density_data(densities: Densities, axis: ScoreAxis, *, width: float, height: float) -> tuple[str, str]:
    """Both classes, negatives first, as areas over the score axis; the higher one fills the height."""
    edges = placed(densities.edges, axis, width)
    heights = [np.asarray(own, dtype=np.float64) for own in (densities.negative, densities.positive)]
    tallest = max(*(float(own.max()) for own in heights), np.finfo(np.float64).tiny)
    areas = []
    for own in heights:
        # Steps, as the bins are: a line through their middles would make up corners, a smooth one a shape.
        x, y = np.repeat(edges, 2)[1:-1], np.repeat(own, 2)
        x = np.concatenate([edges[:1], x, edges[-1:]])
        y = np.concatenate([[0.0], y, [0.0]]) / tallest
        areas.append(path_data(TENTHS * x, TENTHS * height * (1 - y), is_closed=True))
    return areas[0], areas[1]


def strip_data(strips: Floats, axis: ScoreAxis, *, width: float, row: float) -> tuple[str, str, str]:
    """Of every group, one row each: the negatives from 5 to 95 %, their middle half, the median positive."""
    across = np.rint(TENTHS * placed(strips, axis, width))
    down = np.rint(TENTHS * row * (np.arange(len(strips)) + 0.5))
    known = np.isfinite(across)
    whole, half, positive = [], [], []
    for x, y, is_known in zip(across, down, known, strict=True):
        if is_known[:5].all():
            whole.append(f"M{x[0]:.0f} {y:.0f}H{x[4]:.0f}")
            half.append(f"M{x[1]:.0f} {y:.0f}H{x[3]:.0f}")
        if is_known[5]:
            positive.append(f"M{x[5]:.0f} {y:.0f}h0")
    return "".join(whole), "".join(half), "".join(positive)


def placed(scores: Floats, axis: ScoreAxis, width: float) -> Floats:
    """Where scores lie on the axis; those beyond its ends stand there."""
    scores = np.asarray(scores, dtype=np.float64)
    # Halves, because the distance of two very large numbers may be too large for a number.
    length = axis.high / 2 - axis.low / 2
    if not length > 0:
        return np.where(np.isnan(scores), np.nan, width / 2)
    share = (np.clip(scores, axis.low, axis.high) / 2 - axis.low / 2) / length
    return np.asarray(width * share)


def _runs(values: Floats) -> list[slice]:
    """Stretches of positions where a value is known."""
    known = np.isfinite(values)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
    return [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
