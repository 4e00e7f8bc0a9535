"""Where the marks of one setting stand: the interval along what is free to vary, and what is held fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.modes.reading import ModeReading

Segment = tuple[float, float, float, float]
"""From one pair of rates (false, true positives) to another."""

SLANTED = frozenset({"diagonal", "radial", "alerts", "cost-direction"})
"""Here both rates move together, down one and up the other, so the interval is one oblique bar."""


def absent(drawing: Drawing, model: int) -> list[int]:
    """Shown groups of which a model has no curve: their marks are left out."""
    return np.flatnonzero(np.isnan(drawing.models[model].strips).any(axis=1)).tolist()


def bars_at(key: str, reading: ModeReading, at: int) -> list[Segment]:
    """The interval of the average as bars; none along a rate that is held, or whose interval is not known."""
    fpr, tpr = float(reading.fpr[at]), float(reading.tpr[at])
    left, right = float(reading.fpr_low[at]), float(reading.fpr_high[at])
    low, high = float(reading.tpr_low[at]), float(reading.tpr_high[at])
    knows_fpr, knows_tpr = np.isfinite(right - left), np.isfinite(high - low)
    if key in SLANTED and knows_fpr and knows_tpr:
        return [(left, high, right, low)]
    bars = []
    if knows_fpr:
        bars.append((left, tpr, right, tpr))
    if knows_tpr:
        bars.append((fpr, low, fpr, high))
    return bars


def guide_at(key: str, reading: ModeReading, at: int) -> Segment | None:
    """The line on which all groups stand, where there is one."""
    fpr, tpr = float(reading.fpr[at]), float(reading.tpr[at])
    if key == "vertical":
        return fpr, 0.0, fpr, 1.0
    if key == "horizontal":
        return 0.0, tpr, 1.0, tpr
    if key == "diagonal":
        return _through(fpr, tpr, -1.0, 1.0)
    if key == "radial":
        # A ray from the perfect corner: the ratio of the two errors is held.
        return _through(fpr, tpr, -fpr, 1 - tpr) if fpr or tpr < 1 else None
    if key in ("alerts", "cost-direction"):
        bars = bars_at(key, reading, at)
        if len(bars) == 1:
            x1, y1, x2, y2 = bars[0]
            return _through(fpr, tpr, x1 - x2, y1 - y2) if (x1, y1) != (x2, y2) else None
    return None


def _through(x: float, y: float, dx: float, dy: float) -> Segment:
    """The line through a point in a direction, as far as the square goes."""
    ends = []
    for sign in (1.0, -1.0):
        with np.errstate(divide="ignore", invalid="ignore"):
            rooms = [((1 - v) if sign * d > 0 else v) / abs(d) for v, d in ((x, dx), (y, dy)) if d]
        step = sign * max(min(rooms, default=0.0), 0.0)
        ends += [x + step * dx, y + step * dy]
    return ends[0], ends[1], ends[2], ends[3]
