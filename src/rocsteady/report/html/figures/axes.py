"""What drawn figures share: scales, round ticks, path data, names that fit.

Figures are about 500 units wide, whatever the page is, so that on a phone their words can still be read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.report.html.tags import Markup, tag

Floats = NDArray[np.float64]

WIDTH = 500
"""Of a figure, in its own units."""
LETTER = 8.2
"""About the width of a letter where words are largest: on a phone."""
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Scale:
    """From values to places: ``low`` lies at ``start``, ``high`` at ``end``; values beyond stay at the ends.

    >>> across = Scale(0, 10, 100, 200)
    >>> across(2.5), across(99)
    (125.0, 200.0)
    """

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The place of one value."""
        return float(self.many(np.array([value]))[0])

    def many(self, values: Any) -> Floats:
        """The places of many values; NaN stays NaN."""
        values = np.asarray(values, dtype=np.float64)
        # Halves, because the distance of two very large numbers may be too large for a number.
        length = self.high / 2 - self.low / 2
        if not length > 0:
            return np.where(np.isnan(values), np.nan, (self.start + self.end) / 2)
        share = (np.clip(values, self.low, self.high) / 2 - self.low / 2) / length
        return np.asarray(self.start + share * (self.end - self.start))


def round_ticks(low: float, high: float, most: int = 5) -> tuple[float, ...]:
    """Round numbers from low to high, at most so many.

    >>> round_ticks(0, 1), round_ticks(-0.13, 0.28, 6)
    ((0.0, 0.25, 0.5, 0.75, 1.0), (-0.1, 0.0, 0.1, 0.2))
    """
    length = high - low
    if not (0 < length < math.inf):
        return (low,) if math.isfinite(low) else ()
    power = 10.0 ** math.floor(math.log10(length / max(most, 1)))
    for step in _STEPS:
        own = step * power
        first, last = math.ceil(low / own - 1e-9), math.floor(high / own + 1e-9)
        if last - first < most:
            # Rounded so that a tick reads 0.3 and not 0.30000000000000004.
            return tuple(float(f"{k * own:.12g}") for k in range(first, last + 1))
    return (low, high)


def tick_words(ticks: Sequence[float]) -> tuple[str, ...]:
    """Ticks in the fewest places that tell them apart.

    >>> tick_words((-2.0, 0.0, 2.0)), tick_words((0.25, 0.5))
    (('−2', '0', '2'), ('0.25', '0.50'))
    """
    for places in range(7):
        words = [f"{tick:.{places}f}" for tick in ticks]
        if all(
            math.isclose(float(word), tick, rel_tol=1e-9, abs_tol=1e-12)
            for word, tick in zip(words, ticks, strict=True)
        ):
            break
    else:
        words = [f"{tick:.3g}" for tick in ticks]
    return tuple(word.replace("-", "\u2212") for word in words)


def polyline(x: Any, y: Any, *, is_closed: bool = False) -> str:
    """Path data through points, in tenths; interrupted where a coordinate is missing.

    >>> polyline([0, 1.04, float("nan"), 5, 6], [0, 2, 3, 4, 5])
    'M0 0L1 2M5 4L6 5'
    """
    x, y = np.round(np.asarray(x, dtype=np.float64), 1), np.round(np.asarray(y, dtype=np.float64), 1)
    known = np.isfinite(x) & np.isfinite(y)
    pieces, last = list[str](), None
    for place in np.flatnonzero(known).tolist():
        point = f"{x[place]:g} {y[place]:g}"
        if last != place - 1:
            pieces.append(f"M{point}")
        elif (x[place], y[place]) != (x[last], y[last]):
            pieces.append(f"L{point}")
        last = place
    return "".join(pieces) + ("z" if is_closed and pieces else "")


def between(x: Any, low: Any, high: Any) -> str:
    """Path data of the area between two lines over the same places; one piece for each known stretch."""
    x, low, high = (np.asarray(own, dtype=np.float64) for own in (x, low, high))
    known = np.isfinite(low) & np.isfinite(high) & np.isfinite(x)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
    pieces = []
    for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        own = slice(first, last)
        there, back = np.concatenate([x[own], x[own][::-1]]), np.concatenate([low[own], high[own][::-1]])
        pieces.append(polyline(there, back, is_closed=True))
    return "".join(pieces)


def words(
    shown: str,
    x: float,
    y: float,
    *,
    class_: str = "",
    anchor: str = "start",
    title: str = "",
    turned: bool = False,
) -> Markup:
    """Text at a place; ``title`` is shown where the mouse rests, ``turned`` reads upwards."""
    place: dict[str, Any] = {"x": round(x, 1), "y": round(y, 1)}
    if turned:
        place = {"transform": f"translate({x:g} {y:g}) rotate(-90)"}
    below = tag("title", title) if title and title != shown else None
    return tag(
        "text",
        shown,
        below,
        class_=class_ or None,
        text_anchor=anchor if anchor != "start" else None,
        **place,
    )


def fitting(name: str, room: float, letter: float = LETTER) -> str:
    """A name, or as much of it as there is room for.

    >>> fitting("baseline", 100), fitting("a very long name of a model", 100)
    ('baseline', 'a very long…')
    """
    most = max(int(room / letter), 2)
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"


def line(x1: float, y1: float, x2: float, y2: float, class_: str, **more: Any) -> Markup:
    """A straight line."""
    return tag(
        "path",
        d=f"M{round(x1, 1):g} {round(y1, 1):g}L{round(x2, 1):g} {round(y2, 1):g}",
        class_=class_,
        **more,
    )


def rectangle(x: float, y: float, width: float, height: float, class_: str, **more: Any) -> Markup:
    """A filled box."""
    return tag(
        "rect",
        x=round(x, 1),
        y=round(y, 1),
        width=round(max(width, 0), 1),
        height=round(max(height, 0), 1),
        class_=class_,
        **more,
    )
