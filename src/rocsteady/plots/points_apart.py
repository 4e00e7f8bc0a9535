"""Points of several averages at one place, drawn beside each other where they would cover each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.base import AveragePoint
from rocsteady.plots.curve_lines import draw_point
from rocsteady.plots.style import LOOKS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKER = 5.0
"""Points between markers that would cover each other."""
_BAR = 1.8
"""Points between bars of which only parts would."""
_NEAR = 0.035
"""Share of the axes: markers that are as close cover each other."""


def draw_points(ax: Axes, points: Sequence[Sequence[AveragePoint]], scale: float) -> None:
    """The points of each average with their intervals, in its look.

    Only the picture of a point is moved aside: its data stay what they are.
    """
    from matplotlib.transforms import ScaledTranslation

    figure: Any = ax.figure
    looked = [(point, look) for own, look in zip(points, LOOKS, strict=False) for point in own]
    shifts = _shifts(ax, [point for point, _ in looked])
    for (point, look), (right, up) in zip(looked, shifts, strict=True):
        before = len(ax.lines)
        draw_point(ax, point, look, scale=scale)
        if right or up:
            aside = ScaledTranslation(right * scale / 72, up * scale / 72, figure.dpi_scale_trans)
            for line in ax.lines[before:]:
                line.set_transform(ax.transData + aside)


def held_at(point: AveragePoint) -> tuple[str, float]:
    """What is fixed at a point, and its value there; nothing where it is along another direction."""
    if not np.ndim(point.fpr):
        if point.fpr_interval is None:
            return "fpr", float(point.fpr)
        if point.tpr_interval is None:
            return "tpr", float(point.tpr)
        if point.threshold is not None:
            return "threshold", float(point.threshold)
    return "", float("nan")


def _shifts(ax: Axes, points: Sequence[AveragePoint]) -> list[tuple[float, float]]:
    """How far each is drawn to the right and up, in points; the better stands left, or above."""
    shifts = [(0.0, 0.0)] * len(points)
    places = [held_at(point) for point in points]
    for place in dict.fromkeys(place for place in places if place[0] in ("fpr", "tpr")):
        held = place[0]
        there = [number for number, own in enumerate(places) if own == place]
        for crowd in _crowds([_limits(points[number], held) for number in there]):
            own = [there[number] for number in crowd]
            gap = _MARKER if _are_near(ax, [points[number] for number in own], held) else _BAR
            for position, number in enumerate(own):
                aside = gap * (position - (len(own) - 1) / 2)
                shifts[number] = (-aside, 0.0) if held == "fpr" else (0.0, -aside)
    return shifts


def _are_near(ax: Axes, points: Sequence[AveragePoint], held: str) -> bool:
    """Whether the markers of two neighbours would cover each other."""
    shown: Any = ax.transScale + ax.transLimits
    shares = shown.transform([(point.fpr, point.tpr) for point in points])
    return bool((np.abs(np.diff(np.sort(shares[:, 1 if held == "fpr" else 0]))) < _NEAR).any())


def _limits(point: AveragePoint, held: str) -> tuple[float, float]:
    """From where to where a point is drawn along the rate that is free."""
    free, interval = (point.tpr, point.tpr_interval) if held == "fpr" else (point.fpr, point.fpr_interval)
    if interval is None or not np.isfinite(interval.low):
        return float(free), float(free)
    return float(interval.low), float(interval.high)


def _crowds(limits: Sequence[tuple[float, float]]) -> list[list[int]]:
    """Runs of ranges that overlap, from low to high.

    >>> _crowds([(0.5, 0.7), (0.1, 0.2), (0.6, 0.8)])
    [[1], [0, 2]]
    """
    crowds: list[list[int]] = []
    reach = -np.inf
    for number in sorted(range(len(limits)), key=lambda own: sum(limits[own])):
        low, high = limits[number]
        if low > reach or not crowds:
            crowds.append([])
        crowds[-1].append(number)
        reach = max(reach, high)
    return crowds
