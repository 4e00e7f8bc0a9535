"""Small pictures of curves as SVG, written by hand: no plotting library, no script, no style sheet.

Text and axes have the colour of the text around them, so a picture reads on a light page and on a dark one.
Points are put on a grid of a quarter of a pixel and what is not seen on it is left out, so a picture of two
million vertices is as large as one of a thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from rocsteady.words import printable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Path = tuple[Floats, Floats]
Steps = tuple[Integers, Integers]

BLUE, VERMILLION = "#1F8AD0", "#D55E00"
COLOURS = (BLUE, VERMILLION)
"""With a contrast above 3.5 on white and on the dark grey of notebooks; the blue of figures is darker."""
DASHES = ("", ' stroke-dasharray="28 14"')
MOST_FAINT = 60
"""Curves of single groups in a picture."""
MOST_LETTERS = {"faint": 14_000, "band": 3_000, "line": 3_000}
"""Of all faint curves, of a band and of a line; each is drawn more coarsely until it fits."""
_STEPS = 880
"""Of the grid, along either axis."""
_PIXELS = _STEPS // 4
_LEFT, _TOP, _RIGHT, _BOTTOM = 54, 10, 12, 40
_TEXT = 11
_LONGEST_TITLE = 160
_COARSER = (1, 3, 6, 12, 24, 48)
"""Steps of the grid that a drawn curve may be off; a bold one is off by one, unless it is a thicket."""
_MOST_POINTS = 2_000


@dataclass(frozen=True)
class Axis:
    """One axis: its words, its ends and its ticks."""

    label: str
    low: float = 0.0
    high: float = 1.0
    ticks: tuple[tuple[float, str], ...] = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))

    def on_grid(self, values: Floats) -> Floats:
        """Where values lie, in steps from the low end; beyond the ends they are cut off."""
        # Halves, because the distance of two very large numbers may be too large for a number.
        length = self.high / 2 - self.low / 2
        if not length > 0:
            return np.zeros_like(values)
        clipped = np.clip(values, self.low, self.high)
        return np.asarray((clipped / 2 - self.low / 2) / length * _STEPS)


RATE_AXES = (Axis("false positive rate"), Axis("true positive rate"))


@dataclass(frozen=True)
class Picture:
    """What is drawn in one pair of axes.

    Attributes
    ----------
    lines : sequence of (x, y)
        Drawn boldly; the second is dashed.
    faint : sequence of (x, y)
        Curves of single groups, at most :data:`MOST_FAINT`.
    bands : sequence of ((x, y), (x, y))
        The two sides of each band; where a number is missing the band is interrupted.
    points : sequence of (x, y)
        Marked.
    reference : ((x, y), (x, y)) or None
        The ends of a dotted line: chance, or no difference.
    title : str
        What the picture shows, for those who do not see it.
    """

    lines: Sequence[Path] = ()
    faint: Sequence[Path] = ()
    bands: Sequence[tuple[Path, Path]] = ()
    points: Sequence[tuple[float, float]] = ()
    reference: tuple[tuple[float, float], tuple[float, float]] | None = ((0, 0), (1, 1))
    axes: tuple[Axis, Axis] = RATE_AXES
    title: str = ""


def svg(picture: Picture) -> str:
    """The picture as an ``<svg>`` element."""
    width, height = _LEFT + _PIXELS + _RIGHT, _TOP + _PIXELS + _BOTTOM
    title = escape(printable(picture.title)[:_LONGEST_TITLE])
    drawn = "".join(
        [
            _faint(picture),
            *(_band(sides, picture.axes) for sides in picture.bands),
            _reference(picture),
            *(_line(path, picture.axes, k) for k, path in enumerate(picture.lines)),
            *(_point(point, picture.axes) for point in picture.points),
        ]
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{title}" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" fill="none">'
        f'<g transform="translate({_LEFT} {_TOP}) scale(.25)" stroke-linejoin="round">{drawn}</g>'
        f"{_frame(picture.axes)}</svg>"
    )


def _reference(picture: Picture) -> str:
    if picture.reference is None:
        return ""
    x, y = np.array(picture.reference, dtype=np.float64).T
    look = 'stroke="currentColor" stroke-opacity=".5" stroke-width="4" stroke-dasharray="4 10"'
    return f'<path d="{_path_data(*_on_grid((x, y), picture.axes))}" {look}/>'


def _line(path: Path, axes: tuple[Axis, Axis], k: int) -> str:
    look = f'stroke="{COLOURS[k % 2]}" stroke-width="8"{DASHES[k % 2]}'
    return f'<path d="{"".join(_known("line", [path], axes))}" {look}/>'


def _point(point: tuple[float, float], axes: tuple[Axis, Axis]) -> str:
    x, y = _on_grid((np.array(point[:1]), np.array(point[1:])), axes)
    return f'<circle cx="{x[0]}" cy="{y[0]}" r="15" fill="{BLUE}" stroke="#fff" stroke-width="4"/>'


def _band(sides: tuple[Path, Path], axes: tuple[Axis, Axis]) -> str:
    """A polygon for each stretch where both sides are known."""
    runs = _runs(*sides[0], *sides[1])
    placed = [[_placed((x[run], y[run]), axes) for x, y in sides] for run in runs]

    def outline(there: Steps, back: Steps, coarser: int) -> str:
        one, other = _simplified(*there, coarser), _simplified(*back, coarser)
        x, y = (np.concatenate([a, b[::-1]]) for a, b in zip(one, other, strict=True))
        return f"{_path_data(x, y)}z"

    drawn = _fitting("band", lambda coarser: [outline(there, back, coarser) for there, back in placed])
    return f'<path d="{"".join(drawn)}" fill="{BLUE}" fill-opacity=".3"/>' if drawn else ""


def _faint(picture: Picture) -> str:
    """The faint curves, as finely as their number allows.

    The group is faint, not its curves: where many coincide they would add up to black.
    """
    chosen = [picture.faint[int(i)] for i in evenly(len(picture.faint), MOST_FAINT)]
    drawn = "".join(f'<path d="{data}"/>' for data in _known("faint", chosen, picture.axes))
    look = 'stroke="currentColor" opacity=".3" stroke-width="3"'
    return f"<g {look}>{drawn}</g>" if drawn else ""


def evenly(n: int, most: int) -> Integers:
    """So many of n positions, spread evenly; all of them if there are not more."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(np.int64)) if n else np.empty(0, np.int64)


def _known(what: str, paths: Sequence[Path], axes: tuple[Axis, Axis]) -> list[str]:
    """The stretches of curves that are known."""
    placed = [_placed((x[run], y[run]), axes) for x, y in paths for run in _runs(x, y)]
    return _fitting(what, lambda coarser: [_path_data(*_simplified(*own, coarser)) for own in placed])


def _fitting(what: str, drawn: Callable[[int], list[str]]) -> list[str]:
    """What was drawn, as finely as there is room for; of more pieces than that only some."""
    room, pieces = MOST_LETTERS[what], list[str]()
    for coarser in _COARSER:
        pieces = drawn(coarser)
        if sum(map(len, pieces)) <= room:
            return pieces
    fits = np.cumsum([len(piece) for piece in pieces]) <= room
    return [piece for piece, kept in zip(pieces, fits, strict=True) if kept]


def _placed(path: Path, axes: tuple[Axis, Axis]) -> Steps:
    return _thinned(*_on_grid(path, axes))


def _runs(*values: Floats) -> list[slice]:
    """Stretches of positions where all values are known."""
    known = np.logical_and.reduce([np.isfinite(own) for own in values])
    edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
    return [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _on_grid(path: Path, axes: tuple[Axis, Axis]) -> Steps:
    """Whole steps to the right of the left edge and down from the top."""
    across, up = (axis.on_grid(np.asarray(v, dtype=np.float64)) for axis, v in zip(axes, path, strict=True))
    return np.rint(across).astype(np.int64), _STEPS - np.rint(up).astype(np.int64)


def _thinned(x: Integers, y: Integers) -> Steps:
    """Without points that stand where the one before stands, and at most a few in each column of the grid."""
    if x.size > 1:
        kept = np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0))
        x, y = x[kept], y[kept]
    return (x, y) if x.size <= _MOST_POINTS else _by_column(x, y)


def _by_column(x: Integers, y: Integers) -> Steps:
    """The first, highest, lowest and last point of each stretch of points in one column, in their order."""
    starts = np.flatnonzero(np.append(True, np.diff(x) != 0))
    column = np.repeat(np.arange(starts.size), np.diff(np.append(starts, x.size)))
    order = np.lexsort((y, column))  # within each column by height
    ends = np.append(starts[1:], x.size) - 1
    kept = np.unique(np.concatenate([starts, ends, order[starts], order[ends]]))
    return x[kept], y[kept]


def _simplified(x: Integers, y: Integers, tolerance: float) -> Steps:
    """Ramer, Douglas and Peucker: without points that lie this close to the line without them."""
    kept = np.zeros(x.size, dtype=np.bool_)
    kept[[0, -1]] = True
    waiting = [(0, x.size - 1)]
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        dx, dy = int(x[last] - x[first]), int(y[last] - y[first])
        inner = slice(first + 1, last)
        away = np.abs(dx * (y[inner] - y[first]) - dy * (x[inner] - x[first]))
        length = float(np.hypot(dx, dy))
        if length == 0:  # it comes back to where it was
            away, length = np.hypot(x[inner] - x[first], y[inner] - y[first]), 1.0
        farthest = int(np.argmax(away))
        if away[farthest] > tolerance * length:
            middle = first + 1 + farthest
            kept[middle] = True
            waiting += [(first, middle), (middle, last)]
    return x[kept], y[kept]


def _path_data(x: Integers, y: Integers) -> str:
    """Where to go from the first point, in the shortest words."""
    if not x.size:
        return ""
    steps = [f"M{x[0]} {y[0]}"]
    for dx, dy in zip(np.diff(x).tolist(), np.diff(y).tolist(), strict=True):
        if dx and dy:
            steps.append(f"l{dx}{'' if dy < 0 else ' '}{dy}")
        elif dx or dy:
            steps.append(f"h{dx}" if dx else f"v{dy}")
    return "".join(steps)


def _frame(axes: tuple[Axis, Axis]) -> str:
    """Thin axes to the left and below, ticks, words."""
    across, up = axes
    bottom, middle = _TOP + _PIXELS, _PIXELS // 2
    ticks, words = [], []
    for value, text in across.ticks:
        x = _LEFT + float(across.on_grid(np.array(value))) / 4
        ticks.append(f"M{x:g} {bottom}v4")
        words.append(f'<text x="{x:g}" y="{bottom + 17}" text-anchor="middle">{escape(text)}</text>')
    for value, text in up.ticks:
        y = bottom - float(up.on_grid(np.array(value))) / 4
        ticks.append(f"M{_LEFT} {y:g}h-4")
        words.append(f'<text x="{_LEFT - 6}" y="{y + 4:g}" text-anchor="end">{escape(text)}</text>')
    labels = [(f"translate({_LEFT + middle} {bottom + 34})", across.label)]
    labels.append((f"translate(12 {_TOP + middle}) rotate(-90)", up.label))
    for place, label in labels:
        word = escape(printable(label))
        words.append(f'<text transform="{place}" text-anchor="middle">{word}</text>')
    spines = f"M{_LEFT} {_TOP}v{_PIXELS}h{_PIXELS}{''.join(ticks)}"
    return (
        f'<path d="{spines}" stroke="currentColor" stroke-opacity=".7"/>'
        f'<g fill="currentColor" font-size="{_TEXT}" font-family="system-ui,sans-serif">{"".join(words)}</g>'
    )
