"""Points of several curves: markers where they are, bars a little apart where one would hide another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.base import AveragePoint
from rocsteady.plots.parts.curve_lines import draw_point
from rocsteady.plots.parts.style import BLACK, LOOKS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GAP = 1.8
"""Points between bars of which one would hide another."""
_FURTHEST = 2.0
"""Points from a bar to the place that it belongs to; its marker covers more than that."""
_APART = 0.01
"""Share between bars above each other that nobody takes for one."""


def draw_points(ax: Axes, points: Sequence[Sequence[Any]], scale: float) -> None:
    """The points of each curve with their intervals, in its look.

    Every marker is where its point is. Bars at one rate that would hide each other stand a little apart; only
    their picture is moved, their data stay what they are.
    """
    from matplotlib.transforms import ScaledTranslation

    figure: Any = ax.figure
    looked = [(point, look) for own, look in zip(points, LOOKS, strict=False) for point in own]
    shifts = _shifts([point for point, _ in looked])
    for (point, look), (right, up) in zip(looked, shifts, strict=True):
        before = len(ax.lines)
        draw_point(ax, point, look, scale=scale, bar_colour=BLACK if len(points) == 1 else look.text)
        if right or up:
            aside = ScaledTranslation(right * scale / 72, up * scale / 72, figure.dpi_scale_trans)
            for line in ax.lines[before:]:
                if line.get_label() == "_interval":
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


def _shifts(points: Sequence[Any]) -> list[tuple[float, float]]:
    """How far the bar of each is drawn to the right and up, in points; the better stands left, or above."""
    shifts = [(0.0, 0.0)] * len(points)
    places = [held_at(point) for point in points]
    for place in dict.fromkeys(place for place in places if place[0] in ("fpr", "tpr")):
        held = place[0]
        there = [number for number, own in enumerate(places) if own == place]
        for crowd in _crowds([_limits(points[number], held) for number in there]):
            own = [there[number] for number in crowd]
            lanes = _lanes([_limits(points[number], held) for number in own])
            gap = min(_GAP, 2 * _FURTHEST / max(*lanes, 1))
            for lane, number in zip(lanes, own, strict=True):
                aside = gap * (lane - max(lanes) / 2)
                shifts[number] = (-aside, 0.0) if held == "fpr" else (0.0, -aside)
    return shifts


def _limits(point: Any, held: str) -> tuple[float, float]:
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


def _lanes(limits: Sequence[tuple[float, float]]) -> list[int]:
    """For each of these ranges, in their order, the first lane in which it meets no other.

    >>> _lanes([(0.1, 0.5), (0.2, 0.6), (0.55, 0.8)])
    [0, 1, 0]
    """
    highest: list[float] = []
    lanes = []
    for low, high in limits:
        free = [lane for lane, reached in enumerate(highest) if reached + _APART < low]
        lane = free[0] if free else len(highest)
        highest[lane : lane + 1] = [high]
        lanes.append(lane)
    return lanes
