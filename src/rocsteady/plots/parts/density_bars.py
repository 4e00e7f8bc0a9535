"""Scores of both classes as bars: positives up and filled, negatives down and hatched."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.plots.parts.marks import TEXT_SIZE
from rocsteady.plots.parts.style import BLUE, VERMILLION, rgb, thin, write_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.curves.densities import ScoreDensities

Floats = NDArray[np.float64]

_MOST_TICKS = 12
_CROWDED = 60.0
"""Range over smallest gap from which single values stand at even distances, whatever they are."""


@dataclass(frozen=True)
class Places:
    """Where scores stand along the axis; single values that lie far apart stand at even distances."""

    values: Floats
    at: Floats
    is_by_rank: bool

    def of(self, score: float) -> float:
        """The place of any score; between two values that stand by rank, between them."""
        if not self.is_by_rank or not math.isfinite(score):
            return score
        steps = self.values.size
        low, high = self.values[0] - 1.0, self.values[-1] + 1.0
        return float(np.interp(score, [low, *self.values, high], np.arange(-1, steps + 1)))


def _places(spread: ScoreDensities) -> Places:
    values = spread.low
    if spread.is_discrete and values.size > 1:
        with np.errstate(over="ignore", invalid="ignore"):
            is_even = values[-1] - values[0] <= _CROWDED * np.min(np.diff(values))
        if not is_even:
            return Places(values, np.arange(values.size, dtype=float), True)
    return Places(values, values, False)


def draw_bars(ax: Axes, spread: ScoreDensities, scale: float) -> Places:
    """Positives up and filled, negatives down and hatched."""
    places = _places(spread)
    up, down = _heights(spread)
    filled: Any = {"facecolor": BLUE, "alpha": 0.75, "label": "_positives"}
    hatched: Any = {"facecolor": (*rgb(VERMILLION), 0.3), "edgecolor": VERMILLION, "hatch": "////"}
    hatched |= {"label": "_negatives"}
    thin_line: Any = {"linewidth": 0.5 * scale, "zorder": 2}
    if spread.low.size == 0:
        words: Any = {"ha": "center", "va": "bottom", "fontsize": TEXT_SIZE * scale, "label": "_nothing"}
        ax.text(0.5, 0.52, "no score has a finite place", transform=ax.transAxes, **words)
    elif spread.is_discrete:
        gaps = np.diff(places.at)
        width = 0.8 * float(np.min(gaps)) if gaps.size else 0.8
        ax.bar(places.at, up, width, **filled, **thin_line)
        ax.bar(places.at, -down, width, **hatched, **thin_line)
    else:
        edges = np.append(spread.low, spread.high[-1])
        with np.errstate(over="ignore"):  # Matplotlib adds up the ends, which may be huge
            ax.stairs(up, edges, fill=True, **filled, **thin_line)
            ax.stairs(-down, edges, fill=True, **hatched, **thin_line)
    ax.axhline(0, color="0.2", linewidth=0.8 * scale, zorder=3, label="_zero")
    return places


def _heights(spread: ScoreDensities) -> tuple[Floats, Floats]:
    if spread.is_even:
        return spread.positive_share, spread.negative_share
    return spread.positive_density, spread.negative_density


def cut_at(place: float, spread: ScoreDensities, places: Places) -> float:
    """Where a line stands: of single values half a step before the value, which itself is called positive."""
    if not spread.is_discrete or places.at.size == 0 or not math.isfinite(place):
        return place
    if not np.isclose(places.at, place).any():
        return place
    gaps = np.diff(places.at)
    half = 0.5 * float(np.min(gaps)) if gaps.size else 0.5
    return place - half if spread.higher_is_positive else place + half


def limit(ax: Axes, spread: ScoreDensities, places: Places) -> None:
    """Limits and scale of both axes."""
    if spread.low.size == 0:
        ax.set(xlim=(0, 1), ylim=(-1, 1))
        return
    if spread.is_discrete:
        gaps = np.diff(places.at)
        room = 0.75 * (float(np.min(gaps)) if gaps.size else 1.0)
        ax.set_xlim(places.at[0] - room, places.at[-1] + room)
    else:
        if spread.scale != "linear":
            ax.set_xscale({"log": "log", "log-odds": "logit"}[spread.scale])
        ax.set_xlim(spread.low[0], spread.high[-1])
    up, down = (float(np.max(own)) for own in _heights(spread))
    if up == down == 0.0:  # the bins hold no score
        up = down = 1.0
    room = 0.08 * (up + down)
    ax.set_ylim(-down - room, up + room)


def dress_scores(ax: Axes, spread: ScoreDensities, places: Places, title: str, text_size: float) -> None:
    """Words and ticks of both axes; shares are in per cent, without a sign."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    ax.set_box_aspect(None)
    way = "high" if spread.higher_is_positive else "low"
    ax.set_xlabel(f"score ({way}: positive)", fontsize=text_size)
    per_value = "score" if spread.is_discrete else "bin"
    ax.set_ylabel(f"share of the class per {per_value}" if spread.is_even else "density", fontsize=text_size)
    ax.yaxis.set_major_locator(MaxNLocator(6))
    ax.yaxis.set_major_formatter(FuncFormatter(_per_cent if spread.is_even else _number))
    if places.is_by_rank or (spread.is_discrete and places.at.size <= _MOST_TICKS):
        every = max(1, -(-places.at.size // _MOST_TICKS))
        shown = {float(place): f"{own:.4g}" for place, own in zip(places.at, places.values, strict=True)}
        ax.xaxis.set_major_locator(FixedLocator(places.at[::every].tolist()))
        ax.xaxis.set_major_formatter(FuncFormatter(partial(_named_tick, shown)))
    elif spread.scale == "log-odds" and not spread.is_discrete:
        ax.xaxis.set_major_locator(FixedLocator(_odds_ticks(*ax.get_xlim())))
        ax.xaxis.set_minor_locator(FixedLocator([]))
        ax.xaxis.set_major_formatter(FuncFormatter(_number))
        ax.xaxis.set_minor_formatter(NullFormatter())
    elif spread.scale == "log" and not spread.is_discrete:
        ax.xaxis.set_major_locator(LogLocator(10, numticks=6))
        ax.xaxis.set_major_formatter(FuncFormatter(_number))
        ax.xaxis.set_minor_formatter(NullFormatter())
    elif spread.scale == "linear":
        ax.xaxis.set_major_locator(MaxNLocator(6))
    write_title(ax, title, text_size, pad=6 + text_size / 2)
    thin(ax, text_size)


# Formatters are functions of the module, so that a figure can be pickled.
def _per_cent(height: float, _: int | None = None) -> str:
    return f"{100 * abs(height):.4g} %"


def _number(value: float, _: int | None = None) -> str:
    return f"{abs(value):.10g}"


def _named_tick(names: dict[float, str], place: float, _: int | None = None) -> str:
    return names.get(float(place), "")


def _odds_ticks(low: float, high: float) -> list[float]:
    """Shares close to 0 and to 1 with one digit that counts; of many some, always with the middle."""
    small = [10.0**-power for power in range(1, 16) if 10.0**-power >= low]
    large = [1 - 10.0**-power for power in range(1, 16) if 1 - 10.0**-power <= high]
    every = max(1, -(-max(len(small), len(large)) // 2))
    middle = [0.5] if low <= 0.5 <= high else []
    return sorted(small[every - 1 :: every] + middle + large[every - 1 :: every])
