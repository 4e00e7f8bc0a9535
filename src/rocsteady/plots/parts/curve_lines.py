"""Curves, averages, bands and points as lines and areas: only what the eye can see of them is drawn.

Axes are dressed first (``dress_roc`` of ``roc_axes``): on a log scale straight pieces of a curve are bent,
and what lies left of it stands at its left edge. Everything has a label that starts with an
underscore, which keeps it out of a key and by which it can be found: ``_members``, ``_average``,
``_pointwise``, ``_simultaneous``, ``_prediction``, ``_point``, ``_interval``, ``_ellipse``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.plots.parts.corners import corners_of, ends_of_cells
from rocsteady.plots.parts.style import BLACK, LOOKS, Look, ink_of, rgb
from rocsteady.words import grouped, plural, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.lines import Line2D

    from rocsteady.curves.intervals import Band

Floats = NDArray[np.float64]

MOST_MEMBERS = 300
"""Faint curves in one figure; of more, so many are drawn at random."""
TOLERANCE = 0.0005
"""Share of the axes: a tenth of a millimetre on a slide."""
ALPHAS = {"pointwise": 0.20, "simultaneous": 0.10, "prediction": 0.08}
_FEW = 1000
"""A line of so few vertices is drawn as it is."""
_BENT = 24
"""Pieces per decade, on a log scale, of a line that is straight on a plain one."""


@dataclass(frozen=True)
class Path:
    """A curve that was computed for drawing, under the names by which lines are drawn."""

    fpr: Floats
    tpr: Floats


@dataclass(frozen=True)
class HowMany:
    """How many curves were drawn of how many."""

    n: int
    n_all: int

    def words(self, unit: str) -> str:
        """For a key.

        >>> HowMany(300, 10000).words("host"), HowMany(23, 23).words("host")
        ('300 of the hosts', 'each host')
        """
        unit = printable(unit)
        return f"each {unit}" if self.n == self.n_all else f"{grouped(self.n)} of the {plural(unit)}"


def faint_curves(
    ax: Axes,
    curves: Any,
    *,
    colour: str,
    most: int = MOST_MEMBERS,
    seed: int = 0,
    scale: float = 1.0,
    alpha: float | None = None,
    line: Any = "-",
) -> HowMany:
    """Draw many curves as one collection of faint lines; of too many some, drawn at random.

    Parameters
    ----------
    ax : Axes
        Dressed.
    curves : CurveSet, or sequence of curves with ``fpr`` and ``tpr``
        What to draw.
    colour : str
        Of all of them.
    most, seed : int
        Of more curves so many are drawn, chosen by this seed.
    scale, alpha, line : float, float, str
        Of the lines; by default fewer curves are less faint.
    """
    from matplotlib.collections import LineCollection

    n_all = len(curves)
    chosen: Any = range(n_all)
    if n_all > most:
        chosen = np.sort(np.random.default_rng(seed).choice(n_all, size=most, replace=False)).tolist()
    paths = [np.column_stack(drawn_path(ax, own.fpr, own.tpr)) for own in (curves[i] for i in chosen)]
    faint = float(np.clip(0.8 / np.sqrt(max(len(paths), 1)), 0.05, 0.4)) if alpha is None else alpha
    collection: LineCollection = LineCollection(
        paths, colors=[colour], linewidths=0.45 * scale, alpha=faint, zorder=1.5, linestyles=[line]
    )
    collection.set_label("_members")
    ax.add_collection(collection, autolim=False)
    return HowMany(len(paths), n_all)


def next_look(ax: Axes) -> Look:
    """The look of the next average in these axes: another than those that are there."""
    n_there = sum(line.get_label() == "_average" for line in ax.lines)
    return LOOKS[n_there % len(LOOKS)]


def draw_average(ax: Axes, average: Any, look: Look, *, scale: float = 1.0, width: float = 2.0) -> Line2D:
    """Draw an average (or any curve) as a bold line with the dash of its look."""
    path = drawn_path(ax, average.fpr, average.tpr)
    style: Any = {"color": look.colour, "linestyle": look.line, "linewidth": width * scale, "zorder": 4}
    # On the edge of the whole square a line keeps its width; a zoomed one ends there.
    style["clip_on"] = ax.get_xlim()[1] != 1 or ax.get_ylim() != (0, 1) or ax.get_xlim()[0] < 0
    (line,) = ax.plot(*path, label="_average", solid_capstyle="butt", solid_joinstyle="round", **style)
    return line


def draw_band(ax: Axes, band: Band, look: Look, *, alpha: float | None = None) -> PolyCollection | None:
    """Fill what lies between the two sides of a band; nothing where a side is missing."""
    from matplotlib.collections import PolyCollection

    low, high = band.lower, band.upper
    known = np.isfinite(low.fpr + low.tpr + high.fpr + high.tpr)
    corners = []
    for start, stop in _runs(known):
        if stop - start > 1:
            sides = [
                np.column_stack(drawn_path(ax, e.fpr[start:stop], e.tpr[start:stop])) for e in (low, high)
            ]
            corners.append(np.concatenate([sides[0], sides[1][::-1]]))
    if not corners:
        return None
    area: PolyCollection = PolyCollection(
        corners,
        facecolors=[look.colour],
        edgecolors="none",
        linewidths=0,
        alpha=ALPHAS[band.kind] if alpha is None else alpha,
        zorder=2,
    )
    area.set_label(f"_{band.kind}")
    ax.add_collection(area, autolim=False)
    return area


def draw_bands(ax: Axes, bands: Sequence[Band], look: Look) -> list[Band]:
    """Draw bands, the widest kind first, none over another; those that have an area anywhere."""
    order = list(ALPHAS)
    widest_first = sorted(bands, key=lambda band: -order.index(band.kind))
    areas = [(band, draw_band(ax, band, look)) for band in widest_first]
    drawn = [(band, area) for band, area in areas if area is not None]
    for number, (band, area) in enumerate(drawn):
        keep_outside(ax, area, [inner for other, inner in drawn[number + 1 :] if other.kind != band.kind])
    return [band for band, _ in drawn]


def keep_outside(ax: Axes, outer: PolyCollection, inner: Sequence[PolyCollection]) -> None:
    """Show of an area only what lies outside others, so that every area has one tone: that of its key."""
    from matplotlib.path import Path as Outline

    if not inner:
        return
    # A box around all of it, in which the others, run through the other way, are holes.
    corners = np.concatenate([path.vertices for path in outer.get_paths()])
    (left, low), (right, high) = corners.min(axis=0), corners.max(axis=0)
    box = np.array([(left, low), (right, low), (right, high), (left, high), (left, low)])
    rings = [box, *(_clockwise(path.vertices) for area in inner for path in area.get_paths())]
    codes = [_ring_codes(len(ring)) for ring in rings]
    outside = Outline(np.concatenate(rings), np.concatenate(codes))
    outer.set_clip_path(outside, transform=ax.transData)


def _clockwise(corners: Any) -> Floats:
    """The corners of a polygon, closed, with its inside to the right."""
    ring: Floats = np.asarray(corners, dtype=float)
    ring = ring if (ring[0] == ring[-1]).all() else np.append(ring, ring[:1], axis=0)
    (x, y), (next_x, next_y) = ring[:-1].T, ring[1:].T
    return ring[::-1] if np.sum(x * next_y - next_x * y) > 0 else ring


def _ring_codes(n: int) -> NDArray[np.uint8]:
    from matplotlib.path import Path as Outline

    codes = np.full(n, Outline.LINETO, dtype=np.uint8)
    codes[0], codes[-1] = Outline.MOVETO, Outline.CLOSEPOLY
    return codes


def draw_point(ax: Axes, point: Any, look: Look, *, scale: float = 1.0, bar_colour: str = BLACK) -> None:
    """Draw a point as a filled marker, with a bar along whatever is free to vary.

    At a threshold that all share these are both rates; where one rate is held it is the other; at a rate of
    alarms, or on a diagonal, it is the direction along which that does not change. The point is that of an
    average, or has the same attributes.
    """
    columns = [np.atleast_1d(np.asarray(own, dtype=float)) for own in (point.fpr, point.tpr)]
    bar_colour = ink_of(ax) if bar_colour == BLACK else bar_colour
    for i, (fpr, tpr) in enumerate(zip(*columns, strict=True)):
        for bar in _bars(point, i, float(fpr), float(tpr)):
            ax.plot(
                *drawn_path(ax, *bar),
                color=bar_colour,
                linewidth=1.1 * scale,
                zorder=5,
                linestyle="-",
                label="_interval",
                solid_capstyle="butt",
            )
        if in_view(ax, float(fpr), float(tpr)):
            across = max(float(fpr), ax.get_xlim()[0])
            ax.plot([across], [float(tpr)], **marker(look, scale), clip_on=False, zorder=6, label="_point")


def marker(look: Look, scale: float = 1.0) -> dict[str, Any]:
    """How points of a look are marked: filled, with a white edge."""
    return {
        "linestyle": "none",
        "marker": look.marker,
        "markersize": 5.5 * scale,
        "markerfacecolor": look.colour,
        "markeredgecolor": "white",
        "markeredgewidth": 0.8 * scale,
    }


def point_handle(look: Look, scale: float = 1.0) -> Line2D:
    """What stands for a point in the key."""
    from matplotlib.lines import Line2D

    return Line2D([], [], **marker(look, 0.9 * scale))


def _bars(point: Any, i: int, fpr: float, tpr: float) -> list[tuple[Floats, Floats]]:
    """The ends of each bar, as x and as y."""
    limits = [
        None if own is None else np.array([np.atleast_1d(own.low)[i], np.atleast_1d(own.high)[i]])
        for own in (point.fpr_interval, point.tpr_interval)
    ]
    across, up = limits
    if across is not None and up is not None and point.threshold is None:
        return [(across[::-1], up)]  # both move together, along one direction
    bars = []
    if across is not None:
        bars.append((across, np.array([tpr, tpr])))
    if up is not None:
        bars.append((np.array([fpr, fpr]), up))
    return [bar for bar in bars if np.isfinite(bar).all()]


def draw_ellipse(ax: Axes, x: Floats, y: Floats, look: Look, *, scale: float = 1.0) -> None:
    """Draw the outline of a region for two measures at once, filled lightly; nothing if it is unknown."""
    if not np.isfinite([x, y]).all():
        return
    across = np.maximum(x, ax.get_xlim()[0]) if ax.get_xscale() == "log" else x
    (area,) = ax.fill(across, y, label="_ellipse", zorder=4.5)
    area.set(facecolor=(*rgb(look.colour), 0.12), edgecolor=look.text, linewidth=0.9 * scale)


def ellipse_handle(look: Look, scale: float = 1.0) -> Any:
    """What stands for a region in the key."""
    from matplotlib.patches import Patch

    return Patch(facecolor=(*rgb(look.colour), 0.12), edgecolor=look.text, linewidth=0.9 * scale)


def in_view(ax: Axes, fpr: float, tpr: float) -> bool:
    """Whether a point lies inside the axes; left of a log scale counts as its edge."""
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    across = max(fpr, left) if ax.get_xscale() == "log" else fpr
    return left <= across <= right and bottom <= tpr <= top


def drawn_path(ax: Axes, fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
    """A curve as it is drawn in these axes: bent on a log scale, without what the eye cannot see."""
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    x, y = np.asarray(fpr, dtype=float), np.asarray(tpr, dtype=float)
    is_log = ax.get_xscale() == "log"
    if is_log:
        x, y = _bent(x, y, left)
    if x.size <= _FEW:
        return x, y
    across = np.log(x / left) / np.log(right / left) if is_log else (x - left) / (right - left)
    kept = _kept(across, (y - bottom) / (top - bottom), TOLERANCE)
    return x[kept], y[kept]


def _kept(x: Floats, y: Floats, tolerance: float) -> NDArray[np.intp]:
    """Which vertices are kept: first the ends of what lies in one small cell, then corners of the rest."""
    kept = np.arange(x.size)
    if x.size > 2 / tolerance:
        kept = ends_of_cells(x, y, np.array([0, x.size - 1]), tolerance / 4)
    return kept[corners_of(x[kept], y[kept], np.array([0, kept.size - 1]), 0.6 * tolerance)]


def _bent(x: Floats, y: Floats, left: float) -> tuple[Floats, Floats]:
    """A line, straight between its vertices, as it runs on a log scale; what is left of that, at its edge."""
    if x.size < 2:
        return np.maximum(x, left), y
    start, stop = np.maximum(x[:-1], left), np.maximum(x[1:], left)
    crosses = (x[1:] > left) != (x[:-1] > left)  # such a piece has a vertex more, at the edge
    pieces = 1 + crosses + np.floor(_BENT * np.abs(np.log10(stop / start))).astype(int)
    which = np.repeat(np.arange(pieces.size), pieces)
    step = np.arange(which.size) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    enters = (crosses & (x[1:] > left))[which]
    share = (step - enters) / (pieces - crosses)[which]
    own = start[which] * (stop / start)[which] ** share
    run = (x[1:] - x[:-1])[which]
    part = np.divide(own - x[:-1][which], run, out=np.zeros_like(own), where=run != 0)
    is_vertex = step == 0
    own = np.where(is_vertex, start[which], own)
    height = np.where(is_vertex, y[:-1][which], y[:-1][which] + part * (y[1:] - y[:-1])[which])
    return np.append(own, stop[-1]), np.append(height, y[-1])


def _runs(known: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and one after last of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
