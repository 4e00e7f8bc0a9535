"""The geometry of the figure that moves: path data on a whole grid, and numbers packed for the script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.curves.densities import ScoreDensities, ScoreQuantiles
from rocsteady.figures.spec import Axis, Band, Panel, share_axis, short_names, ticks_of
from rocsteady.text import tick

__all__ = ["Plane", "Scores", "bars", "guide", "nowhere", "packed", "path_data", "row_height", "short_names"]

UNITS = 10_000
"""Of the ROC plane along either side."""
QUANTA = 2_000
"""Of the marks of single groups: a quarter of a pixel."""
SIDE, LEFT, TOP = 512, 54, 12
WIDTH, HEIGHT = 580, 572
ACROSS, SCORES_LEFT, SCORES_WIDTH = 400, 90, 500
DENSITY_TOP, DENSITY_HEIGHT, DENSITY_ROOM = 26, 112, 172
TENTHS = 10
_STRIPS_ROOM, _HIGHEST, _LOWEST = 400.0, 22.0, 4.2
_LOG_BELOW = 0.02
"""A declared rate below which the axis is logarithmic."""
_ZOOMS = (0.1, 0.2, 0.5)


@dataclass(frozen=True)
class Plane:
    """The square of a ROC curve; its axis follows the false positive rate at which the page opens."""

    fpr: float

    @property
    def is_log(self) -> bool:
        """Whether rates are so low that an even axis would hide them."""
        return 0 < self.fpr < _LOG_BELOW

    @property
    def zoom(self) -> float:
        """The largest rate of the zoomed plane; 1 where there is no zoom."""
        return 1.0 if self.is_log else next((own for own in _ZOOMS if own >= 2 * self.fpr), 1.0)

    @cached_property
    def _panel(self) -> Panel:
        low = 10.0 ** (math.floor(math.log10(self.fpr)) - 1) if self.is_log else 0.0
        return Panel(
            x=share_axis(None, low, 1.0, scale="log" if self.is_log else "linear"), y=share_axis(None)
        )

    @property
    def low(self) -> float:
        """The lowest rate that has a place of its own."""
        return float(self._panel.x.low or 0.0)

    def across(self, fpr: Any) -> Floats:
        """Rates as shares of the way across."""
        return np.clip(self._panel.x.share(np.maximum(fpr, self.low)), 0.0, 1.0)

    def ticks(self, furthest: float = 1.0) -> list[tuple[float, str]]:
        """Places, as shares of the way, and their words in per cent."""
        if self.is_log:
            at, _ = ticks_of(self._panel.x, SIDE / 60)
            return [(float(self.across(own)), tick(round(100 * own, 10))) for own in at]
        return [(own, tick(round(100 * own * furthest, 10))) for own in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]

    def line(self, fpr: Floats, tpr: Floats) -> str:
        """A curve; where a rate is missing it is interrupted."""
        x, y = self._panel.path(np.maximum(fpr, self.low), tpr)
        return path_data(UNITS * self.across(x), UNITS * (1 - y))

    def band(self, found: Any) -> str:
        """What lies between the limits of a curve."""
        if found is None:
            return ""
        lower, upper = (
            (np.maximum(np.clip(own.fpr, 0, 1), self.low), np.clip(own.tpr, 0, 1))
            for own in (found.lower, found.upper)
        )
        parts = self._panel.outlines(Band(lower, upper))
        return "".join(path_data(UNITS * self.across(x), UNITS * (1 - y), is_closed=True) for x, y in parts)


def path_data(x: Floats, y: Floats, *, is_closed: bool = False) -> str:
    """A polyline through points on a whole grid, interrupted where one is not known.

    >>> path_data(np.array([0, 0, 10, 20.2]), np.array([5, 7, 7, 3.0])), path_data([0, 1, np.nan], [0, 1, 1])
    ('M0 5v2h10l10-4', 'M0 0l1 1')
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    known = np.isfinite(x) & np.isfinite(y)
    if not known.all():
        edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
        runs = zip(edges[::2], edges[1::2], strict=True)
        return "".join(path_data(x[a:b], y[a:b], is_closed=is_closed) for a, b in runs)
    if not x.size:
        return ""
    across, down = (np.rint(own).astype(np.int64) for own in (x, y))
    steps = [f"M{across[0]} {down[0]}"]
    for dx, dy in zip(np.diff(across).tolist(), np.diff(down).tolist(), strict=True):
        if dx and dy:
            steps.append(f"l{dx}{'' if dy < 0 else ' '}{dy}")
        elif dx or dy:
            steps.append(f"h{dx}" if dx else f"v{dy}")
    return "".join([*steps, "z" if is_closed else ""])


def row_height(n: int) -> float:
    """Of the strip of one group: less where there are many."""
    return min(max(_STRIPS_ROOM / max(n, 1), _LOWEST), _HIGHEST)


@dataclass(frozen=True, eq=False)
class Scores:
    """How the scores of a model are spread: both classes together, and a row for each group that is shown."""

    densities: ScoreDensities
    quantiles: ScoreQuantiles
    groups: tuple[str, ...]

    @cached_property
    def _edges(self) -> Floats:
        found = self.densities
        if not found.low.size:
            return np.array([0.0, 1.0])
        if not found.is_discrete:
            return np.append(found.low, found.high[-1])
        values = found.low
        if values.size < 2:
            return np.array([values[0] - 0.5, values[0] + 0.5])
        ends = values[[0, -1]] + np.array([-1, 1]) * (values[[1, -1]] - values[[0, -2]]) / 2
        return np.concatenate([ends[:1], (values[1:] + values[:-1]) / 2, ends[1:]])

    def place(self, scores: Any) -> Floats:
        """Scores as shares of the way along the axis; those beyond its ends stand there."""
        low, high = float(self._edges[0]), float(self._edges[-1])
        # Halves, because the distance of two very large numbers may be too large for a number.
        length = high / 2 - low / 2
        own = np.asarray(scores, dtype=np.float64)
        if not length > 0:
            return np.where(np.isnan(own), np.nan, 0.5)
        return np.asarray((np.clip(own, low, high) / 2 - low / 2) / length)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Places along the axis, in its units, with their words."""
        at, _ = ticks_of(Axis(low=float(self._edges[0]), high=float(self._edges[-1])), ACROSS / 60)
        return [(round(SCORES_LEFT + ACROSS * float(self.place(own)), 1), tick(round(own, 12))) for own in at]

    @property
    def areas(self) -> tuple[str, str]:
        """Both classes, negatives first, as steps over the axis; the higher one fills the height."""
        found = self.densities
        heights = [found.negative_density, found.positive_density] if found.low.size else [np.zeros(1)] * 2
        if found.is_discrete and found.low.size:
            heights = [own / np.diff(self._edges) for own in heights]
        tallest = max(float(np.max(own)) for own in heights) or 1.0
        edges, parts = self.place(self._edges), []
        for own in heights:
            x = np.concatenate([edges[:1], np.repeat(edges, 2)[1:-1], edges[-1:]])
            y = np.concatenate([[0.0], np.repeat(own, 2), [0.0]]) / tallest
            parts.append(path_data(TENTHS * ACROSS * x, TENTHS * DENSITY_HEIGHT * (1 - y), is_closed=True))
        return parts[0], parts[1]

    @property
    def strips(self) -> tuple[str, str, str]:
        """Of every group: negatives from 5 to 95 %, their middle half, and the median of the positives."""
        row, whole, half, positive = row_height(len(self.groups)), [], [], []
        of = {name: i for i, name in enumerate(self.quantiles.groups)}
        for i, name in enumerate(self.groups):
            if name not in of:
                continue
            y = round(TENTHS * row * (i + 0.5))
            x = np.rint(TENTHS * ACROSS * self.place(self.quantiles.negatives[of[name]]))
            (median,) = np.rint(TENTHS * ACROSS * self.place(self.quantiles.positives[of[name], 2:3]))
            if np.isfinite(x).all():
                whole.append(f"M{x[0]:.0f} {y}H{x[4]:.0f}")
                half.append(f"M{x[1]:.0f} {y}H{x[3]:.0f}")
            if np.isfinite(median):
                positive.append(f"M{median:.0f} {y}h0")
        return "".join(whole), "".join(half), "".join(positive)


def bars(fpr: Sequence[float], tpr: Sequence[float], *, is_slanted: bool) -> list[list[float]]:
    """The interval of a point, (value, low, high) each, along what is free to vary."""
    (x, left, right), (y, low, high) = fpr, tpr
    knows_x, knows_y = left < right, low < high
    if is_slanted and knows_x and knows_y:  # both rates move together, one down and the other up
        return [[left, high, right, low]]
    return [*([[left, y, right, y]] if knows_x else []), *([[x, low, x, high]] if knows_y else [])]


def guide(key: str, fpr: float, tpr: float, slope: tuple[float, float] | None = None) -> list[float]:
    """The line on which all groups stand, from end to end; nothing where there is none."""
    match key:
        case "vertical":
            return [fpr, 0.0, fpr, 1.0]
        case "horizontal":
            return [0.0, tpr, 1.0, tpr]
        case "diagonal":
            return _through(fpr, tpr, -1.0, 1.0)
        case "radial":  # a ray from the perfect corner
            return _through(fpr, tpr, -fpr, 1 - tpr) if fpr or tpr < 1 else []
        case "alerts":
            return _through(fpr, tpr, *slope) if slope else []
    return []


def _through(x: float, y: float, dx: float, dy: float) -> list[float]:
    ends = []
    for sign in (1.0, -1.0):
        rooms = [((1 - at) if sign * d > 0 else at) / abs(d) for at, d in ((x, dx), (y, dy)) if d]
        step = sign * max(min(rooms, default=0.0), 0.0)
        ends += [x + step * dx, y + step * dy]
    return ends


def packed(values: Floats) -> list[int]:
    """Rows of shares as whole numbers, each as the step from the one before: most are small."""
    whole = np.rint(QUANTA * np.nan_to_num(np.clip(values, 0.0, 1.0))).astype(np.int64)
    steps: list[int] = np.diff(whole, axis=1, prepend=0).ravel().tolist()
    return steps


def nowhere(groups: Sequence[str]) -> list[tuple[str, None, None]]:
    """Marks of groups that the script will place."""
    return [(name, None, None) for name in groups]
