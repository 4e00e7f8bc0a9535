"""The thresholds of one vertex: how far one may be moved without changing a decision, and SPSS's choice."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocsteady.curves.readings import alike_thresholds
from rocsteady.curves.views import spss_coordinates
from rocsteady.operating_points.cutoffs.vertices import Vertices


class _Ends(NamedTuple):
    low: float
    high: float


class ThresholdInterval(_Ends):
    """All thresholds that decide alike: a pair ``(low, high)`` that knows which ends belong to it.

    Attributes
    ----------
    low, high : float
        The ends; the interval can be unpacked.
    closed : {"low", "high", "both"}
        Which ends are such thresholds themselves. Where high scores are positive that is the high end, where
        low scores are it is the low end, and an end that calls everything positive always.

    Examples
    --------
    >>> interval = ThresholdInterval(0.4, 0.7, "high")
    >>> interval, 0.7 in interval, 0.4 in interval
    ((0.4, 0.7], True, False)
    """

    closed: str

    def __new__(cls, low: float, high: float, closed: str = "high") -> ThresholdInterval:
        """A pair with its closed ends."""
        made = super().__new__(cls, low, high)
        made.closed = closed
        return made

    def __contains__(self, threshold: object) -> bool:
        at: Any = threshold
        above = at >= self.low if self.closed in ("low", "both") else at > self.low
        below = at <= self.high if self.closed in ("high", "both") else at < self.high
        return bool(above and below)

    def __repr__(self) -> str:
        start = "[" if self.closed in ("low", "both") else "("
        stop = "]" if self.closed in ("high", "both") else ")"
        return f"{start}{self.low!r}, {self.high!r}{stop}"


def require_threshold(vertices: Vertices, index: int) -> None:
    """RS048 if another score has the same threshold as a float."""
    u = vertices.thresholds
    alike = (index + 1 < u.size and index > 0 and u[index + 1] == u[index]) or (
        index > 1 and u[index - 1] == u[index]
    )
    if alike:
        raise alike_thresholds(u[index])


def thresholds_alike(vertices: Vertices, index: int) -> tuple[ThresholdInterval, bool]:
    """The thresholds that decide alike, and whether the chosen one has to exclude even infinite scores."""
    u = vertices.thresholds
    own, beyond_all = float(u[index]), float(u[0])
    if vertices.is_hull:
        return ThresholdInterval(own, own, "both"), index == 0 and bool(u[1] == u[0])
    first, last = vertices.alike(index)
    strict_end = float(u[first])
    if first == last == 0 and u[1] == u[0]:  # a score is infinite itself: only "beyond it" calls nothing
        return ThresholdInterval(beyond_all, beyond_all, "both"), True
    is_loosest = last == u.size - 1
    loose_end = -beyond_all if is_loosest else float(u[last + 1])
    if vertices.higher_is_positive:
        return ThresholdInterval(loose_end, strict_end, "both" if is_loosest else "high"), False
    return ThresholdInterval(strict_end, loose_end, "both" if is_loosest else "low"), False


def midpoint_of(vertices: Vertices, index: int) -> float:
    """SPSS's cut-off of a vertex, which needs the score beside it only."""
    if vertices.is_hull:
        return float("nan")
    u = vertices.thresholds
    beside = u[max(index, 1) : index + 2]
    nothing = np.zeros(beside.size + 1)
    rising = spss_coordinates(np.append(u[0], beside), nothing, nothing, vertices.higher_is_positive).cutoffs
    strictest_first = rising[::-1] if vertices.higher_is_positive else rising
    return float(strictest_first[min(index, 1)])
