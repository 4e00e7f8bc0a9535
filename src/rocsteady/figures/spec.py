"""A figure described once: panels, marks, axes and a key, drawn by Matplotlib and as SVG.

A description holds canonical numbers and typed text, and knows nothing of points, inches or fonts; a backend
gets it with a :class:`~rocsteady.text.Words` and knows nothing of ROC. Marks are drawn in their order.

>>> from rocsteady.text import FPR, ML, TPR, Model, Name, Quote, phrase
>>> rate, new = (0, 0.1, 0.4, 1), Model("new")
>>> panel = Panel(
...     x=share_axis(phrase("{rate:axis}", rate=Name(FPR))),
...     y=share_axis(phrase("{rate:axis}", rate=Name(TPR))),
...     marks=(
...         Line((0, 1), (0, 1), look=GUIDE, name="chance"),
...         Band((rate, (0, 0.5, 0.8, 1)), (rate, (0, 0.7, 0.9, 1)), look=new, alpha=0.2, name="pointwise"),
...         Line(rate, (0, 0.6, 0.85, 1), look=new, width=2),  # the model's colour, dash and marker
...         Points((0.1,), (0.6,), y_limits=((0.5,), (0.7,)), look=new, name="point"),
...     ),
...     key=Key(
...         (Entry(new, Line((), (), look=new), detail=Quote("AUC 0.81")),), notes=(Entry(Quote("10 folds")),)
...     ),
...     aspect=1,
... )
>>> picture = Picture((panel,), title=Quote("Any title"), description=phrase("ROC curve of {m}", m=new))
>>> from rocsteady.figures.svg import svg
>>> svg(picture, ML).startswith("<svg ")
True
>>> from rocsteady.figures.matplotlib import draw, figure  # `draw`: pyplot's figure, or the given `ax`
>>> [text.get_text() for text in figure(picture, ML).axes[0].get_legend().get_texts()]
['new', 'AUC 0.81', '10 folds']

Scales are ``"linear"``, ``"log"`` and ``"probit"`` (DET); limits that are left out are those of the marks. An
axis of names has ``names`` at its ``ticks``; one of per cent has ``per=100``. ``Panel.right`` is a second
upright axis for marks with ``is_right=True``. A key without a free corner stands under the axes.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocsteady.figures.style import COLUMN, GUIDE, INK, LOOKS, MOST_FAINT, QUIET, Hue, Look
from rocsteady.text import Item, Model, Quote, Words, thousands, tick, unbroken

Floats: TypeAlias = NDArray[np.float64]
Pair: TypeAlias = tuple[Any, Any]
Scale: TypeAlias = Literal["linear", "log", "probit"]

_BENT = 24
"""Pieces per decade, or per deviate, of a line that is straight on an even scale."""
_TOLERANCE = 0.0005
"""Share of the axes that no vertex is off which is left out: a tenth of a millimetre on a slide."""
MOST_LINES = 12
"""Of what one entry of a key says."""
_LONGEST_BRACKET = 24
"""Letters between brackets that stay on one line."""
_FEW = 200
"""A line of so few vertices is drawn as it is."""
INSIDE = 0.66
"""Share of the width of the axes that words of a key inside may take."""
_BEYOND = 0.25
"""Share of the axes, outside of them, to which what lies far off or at infinity is brought."""


# Marks --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Mark:
    """What all marks have.

    Attributes
    ----------
    look : Look or Model
        How it is drawn; of a model, as that model is in all figures.
    alpha : float
    name : str
        By which it is found: the label of Matplotlib's artist, after an underscore; a class in SVG.
    is_right : bool
        Whether it is measured on the axis at the right.
    """

    look: Hue = field(default=INK, kw_only=True)
    alpha: float = field(default=1.0, kw_only=True)
    name: str = field(default="", kw_only=True)
    is_right: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, eq=False)
class Line(Mark):
    """Straight between its vertices, in data: it is bent where a scale is. NaN interrupts it.

    `dash` overrides that of the look; `width` is in points where text has 8.
    """

    x: Any
    y: Any
    width: float = 1.6
    dash: tuple[float, ...] | None = None


@dataclass(frozen=True, eq=False)
class Faint(Mark):
    """Many curves, ``(x, y)`` each, of which 300 at most are drawn; an `alpha` of 1 is what suits so many."""

    paths: Sequence[Pair]
    width: float = 0.45


@dataclass(frozen=True, eq=False)
class Band(Mark):
    """Between two lines, as many vertices each; NaN in any of them interrupts it."""

    lower: Pair
    upper: Pair


@dataclass(frozen=True, eq=False)
class Region(Mark):
    """A filled polygon, with an outline of this width; `alpha` is that of the filling."""

    x: Any
    y: Any
    outline: float = 0.0
    is_hatched: bool = False


@dataclass(frozen=True, eq=False)
class Points(Mark):
    """Markers with intervals across and up, ``(low, high)`` each; NaN is none.

    `bar` is the look of the intervals, without it that of the markers; `shift` moves intervals, not markers,
    by so many points to the right and up. `marker` overrides that of the look; ``""`` shows intervals alone.
    """

    x: Any
    y: Any
    x_limits: Pair | None = None
    y_limits: Pair | None = None
    size: float = 5.5
    marker: str | None = None
    is_open: bool = False
    bar: Hue | None = None
    shift: tuple[float, float] = (0.0, 0.0)
    capsize: float = 0.0
    bar_width: float = 1.1


@dataclass(frozen=True, eq=False)
class Bars(Mark):
    """Bars that stand at `at` with this width and run from `base` to `to`; along x, they lie."""

    at: Any
    to: Any
    width: Any = 0.8
    base: Any = 0.0
    along: Literal["x", "y"] = "y"
    is_hatched: bool = False
    outline: float = 0.0


@dataclass(frozen=True, eq=False)
class Segments(Mark):
    """Single straight strokes; with a `head`, arrows, whose heads are so many points long."""

    x0: Any
    y0: Any
    x1: Any
    y1: Any
    width: float = 1.0
    dash: tuple[float, ...] | None = None
    head: float = 0.0


@dataclass(frozen=True, eq=False)
class Rule(Mark):
    """A line across all of the axes, at `x` or at `y`."""

    x: float | None = None
    y: float | None = None
    width: float = 0.8
    dash: tuple[float, ...] | None = None


@dataclass(frozen=True, eq=False)
class Span(Mark):
    """A stretch of one axis, shaded over these shares of the other."""

    low: float
    high: float
    along: Literal["x", "y"] = "x"
    within: tuple[float, float] = (0.0, 1.0)
    is_hatched: bool = False
    outline: float = 0.0


@dataclass(frozen=True, eq=False)
class Cells(Mark):
    """A matrix of cells between `x` and `y` edges: in each the place of its look in `looks`, or -1 for none.

    With `shades`, shares from 0 to 1, the alpha of each.
    """

    x: Any
    y: Any
    values: Any
    looks: tuple[Hue, ...] = LOOKS
    shades: Any = None


@dataclass(frozen=True, eq=False)
class Label(Mark):
    """Words at a place in data, or in shares of the axes; `off` moves them by points to the right and up.

    Turned ones are read upwards; `across` and `up` are about where they then stand.
    """

    x: float
    y: float
    text: Item
    across: Literal["left", "middle", "right"] = "left"
    up: Literal["bottom", "middle", "top"] = "middle"
    is_bold: bool = False
    space: Literal["data", "share"] = "data"
    smaller: float = 1.0
    off: tuple[float, float] = (0.0, 0.0)
    is_turned: bool = False


# Key, axes, panels --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Entry:
    """A line of the key: words, what they explain, and a quiet line below."""

    text: Item
    sample: Mark | None = None
    detail: Item = None


@dataclass(frozen=True, eq=False)
class Key:
    """Entries in the colours of their samples, then quiet notes; in the first free corner, else below."""

    entries: tuple[Entry, ...] = ()
    notes: tuple[Entry, ...] = ()
    title: Item = None
    corners: tuple[str, ...] = ("lower right",)


@dataclass(frozen=True)
class Axis:
    """One axis; numbers are ``per`` times the data. `minor` ticks have no number, `bounds` end its line."""

    label: Item = None
    low: float | None = None
    high: float | None = None
    scale: Scale = "linear"
    ticks: tuple[float, ...] | None = None
    names: tuple[Item, ...] | None = None
    minor: tuple[float, ...] = ()
    per: float = 1.0
    bounds: tuple[float, float] | None = None
    is_shown: bool = True

    def forward(self, values: Any) -> Floats:
        """Values in the coordinates in which the axis is even."""
        own = np.asarray(values, dtype=float)
        if self.scale == "log":
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.asarray(np.log10(np.maximum(own, 0.0)))
        return deviates(own) if self.scale == "probit" else own

    def share(self, values: Any) -> Floats:
        """Values as shares of the way from the low end to the high one."""
        low, high = (float(own) for own in self.forward(np.array([self.low, self.high], dtype=float)))
        half = 1.0 if math.isfinite(high - low) else 0.5  # of any two floats
        with np.errstate(invalid="ignore", divide="ignore"):  # ends that are one number, or none
            return np.asarray((half * self.forward(values) - half * low) / (half * high - half * low))

    def kept(self, values: Any) -> Floats:
        """Values brought near the axis where they are far outside: they are drawn as finite numbers."""
        low, high = (float(own) for own in self.forward(np.array([self.low, self.high], dtype=float)))
        room = _BEYOND * high - _BEYOND * low
        own = self.forward(values)
        least, most = sorted((low - room, high + room))
        inside = np.isnan(own) | ((own >= least) & (own <= most))
        # What is inside stays as it is, to the last bit.
        return np.where(inside, values, self.backward(np.clip(own, least, most)))

    def backward(self, values: Any) -> Floats:
        """The inverse of `forward`."""
        own = np.asarray(values, dtype=float)
        if self.scale == "log":
            return np.asarray(10.0**own)
        return rates_of(own) if self.scale == "probit" else own

    def tick(self, value: float, words: Words) -> str:
        """What stands at a tick."""
        if self.names is not None and self.ticks is not None:
            return spelled(self.names[self.ticks.index(value)], words)
        return tick(round(self.per * value, 12))


def share_axis(label: Item, low: float = 0.0, high: float = 1.0, *, scale: Scale = "linear") -> Axis:
    """An axis of a rate."""
    return Axis(label, low, high, scale)


@dataclass(frozen=True, eq=False)
class Panel:
    """Axes with marks. `aspect` is height by width of the axes, `wide` their width by that of others."""

    x: Axis
    y: Axis
    marks: tuple[Mark, ...] = ()
    title: Item = None
    key: Key | None = None
    aspect: float = 0.72
    right: Axis | None = None
    wide: float = 1.0

    @cached_property
    def axes(self) -> tuple[Axis, Axis, Axis | None]:
        """Across, up, and up at the right, with limits."""
        right = self.right and self._fitted(self.right, 1, is_right=True)
        return self._fitted(self.x, 0), self._fitted(self.y, 1), right

    def up(self, mark: Mark) -> Axis:
        """The upright axis of a mark."""
        _, y, right = self.axes
        return right if mark.is_right and right is not None else y

    def _fitted(self, axis: Axis, which: int, *, is_right: bool = False) -> Axis:
        if axis.low is not None and axis.high is not None:
            return axis
        found = [
            np.ravel(np.asarray(own, dtype=float))
            for mark in self.marks
            if which == 0 or mark.is_right == is_right
            for own in _extent(mark)[which]
        ]
        values = axis.forward(np.concatenate([*found, np.array(axis.ticks or ())]))
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
        room = 0.05 * (high - low) or 0.5
        ends = [low - room, high + room]
        if axis.scale != "linear":
            ends = [float(axis.backward(own)) for own in ends]
        given = [end if own is None else own for own, end in zip((axis.low, axis.high), ends, strict=True)]
        return replace(axis, low=given[0], high=given[1])

    def path(self, x: Any, y: Any, *, up: Axis | None = None) -> tuple[Floats, Floats]:
        """A line as it is drawn: bent where a scale is, brought near the axes, without what nobody sees."""
        across, upright = self.axes[0], up or self.axes[1]
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        if x.size > 1 and (across.scale != "linear" or upright.scale != "linear"):
            x, y = _bent(x, y, across, upright)
        x, y = across.kept(x), upright.kept(y)
        if x.size > _FEW and np.isfinite(x).all() and np.isfinite(y).all():
            kept = _corners(across.share(x), upright.share(y))
            x, y = x[kept], y[kept]
        return x, y

    def outlines(self, band: Band) -> Iterator[tuple[Floats, Floats]]:
        """Each part of a band as a polygon."""
        low, high = ([np.asarray(own, dtype=float) for own in side] for side in (band.lower, band.upper))
        for start, stop in runs(np.isfinite(sum([*low, *high]))):
            if stop - start > 1:
                sides = [self.path(x[start:stop], y[start:stop], up=self.up(band)) for x, y in (low, high)]
                yield tuple(np.append(a, b[::-1]) for a, b in zip(*sides, strict=True))  # type: ignore[misc]

    def holds(self, x: float, y: float, mark: Mark) -> bool:
        """Whether a point lies in the axes."""
        at = np.array([self.axes[0].share(x), self.up(mark).share(y)])
        return bool(((at > -1e-9) & (at < 1 + 1e-9)).all())

    def places(self, mark: Points) -> list[tuple[float, float]]:
        """Where its markers are drawn: those in the axes; what a log scale cannot show stands at its edge."""
        across = self.axes[0]
        x, y = np.ravel(mark.x).astype(float), np.ravel(mark.y).astype(float)
        if across.scale == "log":
            x = np.maximum(x, across.low or 0.0)
        return [(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True) if self.holds(a, b, mark)]

    def is_free(self, box: tuple[float, float, float, float]) -> bool:
        """Whether nothing that must be seen lies in a box: left, bottom, right, top, in shares."""
        return not any(_meets(x, y, box) for x, y in self._seen)

    @cached_property
    def _seen(self) -> list[tuple[Floats, Floats]]:
        """Outlines of what a key must not cover, in shares of the axes: not faint curves and guides."""
        found: list[tuple[Floats, Floats]] = []
        for mark in self.marks:
            up = self.up(mark)
            if isinstance(mark, Faint | Rule | Span | Cells) or mark.look is GUIDE:
                continue
            if isinstance(mark, Label):
                x, y = np.array([mark.x]), np.array([mark.y])
                paths = [(x, y)] if mark.space == "share" else [(self.axes[0].share(x), up.share(y))]
                found += paths
                continue
            if isinstance(mark, Band):
                outlines = [(np.append(x, x[:1]), np.append(y, y[:1])) for x, y in self.outlines(mark)]
            elif isinstance(mark, Line | Region):
                outlines = [self.path(mark.x, mark.y, up=up)]
            else:
                xs, ys = (np.concatenate([np.ravel(own) for own in side]) for side in _extent(mark))
                outlines = [(self.axes[0].kept([a]), up.kept([b])) for a, b in _crossed(mark, xs, ys)]
            found += [(self.axes[0].share(x), up.share(y)) for x, y in outlines]
        return found


@dataclass(frozen=True, eq=False)
class Picture:
    """Panels, in rows of so many `columns`, and what holds for all of them.

    `width` is in inches where text has 8 points; `description` is read to those who do not see the figure.
    """

    panels: tuple[Panel, ...]
    title: Item = None
    key: Key | None = None
    columns: int = 1
    width: float = COLUMN
    description: Item = None

    @cached_property
    def models(self) -> tuple[str, ...]:
        """Models by whose looks marks are drawn, in the order in which they come."""
        looks = [mark.look for panel in self.panels for mark in panel.marks]
        return tuple(dict.fromkeys(own.name for own in looks if isinstance(own, Model)))

    def titled(self, title: str) -> Picture:
        """The same under a title of the user's."""
        return replace(self, title=Quote(title)) if title else self

    def looker(self, words: Words) -> Any:
        """Gives the look of a hue: of models that `words` knows, by their order there."""
        order = words.models if all(own in words.models for own in self.models) else self.models

        def look(hue: Hue) -> Look:
            if isinstance(hue, Look):
                return hue
            return LOOKS[(order.index(hue.name) if hue.name in order else 0) % len(LOOKS)]

        return look


# Words --------------------------------------------------------------------------------------------------


def spelled(item: Item, words: Words) -> str:
    """A value, a text or a whole number as a string; nothing is an empty one."""
    if item is None:
        return ""
    return thousands(item) if isinstance(item, int) else item.spell(words)


def width_of(text: str) -> float:
    """About how wide a line of text is, in sizes of the text; a little more than most fonts need."""
    return sum(map(_letter, text))


def _letter(letter: str) -> float:
    if letter in " .,:;'|il!()":
        return 0.36
    if letter.isdigit() or letter in "−+=<>≥≤–":
        return 0.66
    if letter.isupper() or letter in "mw%—…":
        return 1.05 if letter in "MW%—…" else 0.78
    return 0.59 if letter.isascii() else 1.0


def wrapped(text: str, width: float, *, most: int = 4) -> list[str]:
    """A text in lines of so many sizes of the text; more lines than `most` are cut off."""
    lines = []
    for own in text.split("\n"):
        letters = max(int(width * len(own) / max(width_of(own), 1e-9)), 4)
        broken = textwrap.wrap(_unbroken(own, letters), letters) or [""]
        lines += [line.replace("\N{NO-BREAK SPACE}", " ") for line in broken]
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1][:-1] + "…"]


def _unbroken(text: str, letters: int) -> str:
    """The text with numbers and brackets kept on one line, if it has room: an interval is read at once."""
    before, *rest = unbroken(text).split("(")
    for own in rest:
        inside, closes, after = own.partition(")")
        if closes and len(inside) <= min(_LONGEST_BRACKET, letters - 2):
            inside = inside.replace(" ", "\N{NO-BREAK SPACE}")
        before += f"({inside}{closes}{after}"
    return before


def short_names(names: Sequence[str], longest: int = 24) -> list[str]:
    """Names of at most so many letters, in their order; different names stay different.

    >>> short_names(["Gradient boosted trees, depth 2", "Gradient boosted trees, depth 8", "forest"], 18)
    ['Gradient…, depth 2', 'Gradient…, depth 8', 'forest']
    """
    from rocsteady.words import printable

    plain = [printable(own) for own in names]
    short = [_shortened(own, longest) for own in plain]
    for number, own in enumerate(short):
        if any(own == other and plain[number] != plain[k] for k, other in enumerate(short)):
            short[number] = _shortened(f"{number + 1}: {plain[number]}", longest, end=False)
    return short


def fitting_names(names: Sequence[str], width: float, longest: int = 24) -> list[str]:
    """Short names of at most so many letters, no wider than so many sizes of the text.

    >>> fitting_names(["iiiiiiiiii", "WWWWWWWWWW"], 6)
    ['ii…iii', 'WW…WWW']
    """
    found = short_names(names, longest)
    while longest > 6 and max(map(width_of, found), default=0.0) > width:
        longest -= 1
        found = short_names(names, longest)
    return found


def _shortened(name: str, longest: int, *, end: bool = True) -> str:
    if len(name) <= longest:
        return name
    tail = name[-(longest // 2) :] if end else ""
    head = name[: longest - 1 - len(tail)]
    return f"{head.rstrip()}…{tail}"


# Ticks --------------------------------------------------------------------------------------------------

_POWERS = (0.4, 0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6)
_BETWEEN = (0.2, 0.05, 0.02, 0.005, 0.002, 5e-4, 2e-4, 5e-5, 2e-5, 5e-6, 2e-6)


def ticks_of(
    axis: Axis, room: float, *, is_upright: bool = False
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Ticks with a number and those without, on an axis that is `room` sizes of the text long."""
    if axis.ticks is not None:
        return axis.ticks, axis.minor
    assert axis.low is not None
    assert axis.high is not None
    low, high = sorted((axis.low, axis.high))
    if axis.scale == "linear":
        return even_ticks(low, high, 5 if room > 14 else 3), axis.minor
    if axis.scale == "log":
        wanted = _log_ticks(low, high)
    else:
        rates = [*_POWERS, *(1 - own for own in _POWERS), *_BETWEEN, *(1 - own for own in _BETWEEN)]
        wanted = [[own for own in rates if low * (1 - 1e-9) <= own <= high * (1 + 1e-9)], []]
    kept: list[tuple[float, float]] = []
    chosen = []
    for value in (*wanted[0], *wanted[1]):
        place = float(axis.share(value)) * room
        half = 0.7 if is_upright else 0.5 * (width_of(tick(round(axis.per * value, 12))) + 0.6)
        if all(abs(place - other) >= half + beside for other, beside in kept):
            kept.append((place, half))
            chosen.append(value)
    rest = sorted({*wanted[0], *wanted[1]} - set(chosen))
    return tuple(sorted(chosen)), tuple(rest)


def collide(axis: Axis, words: Sequence[str], room: float) -> bool:
    """Whether names at the ticks of an axis that is `room` sizes of the text long run into each other."""
    if axis.names is None or axis.ticks is None:
        return False
    at = [float(axis.share(own)) * room for own in axis.ticks]
    half = [0.45 * width_of(own) + 0.4 for own in words]
    return any(b - a < left + right for a, b, left, right in zip(at, at[1:], half, half[1:], strict=False))


def even_ticks(low: float, high: float, n: int) -> tuple[float, ...]:
    """About so many round numbers from low to high."""
    if (low, high) == (0, 1):
        return (0.0, 0.25, 0.5, 0.75, 1.0)
    rough = high / n - low / n  # of any two floats, whose difference may have none
    if not math.isfinite(rough):
        return ()
    power = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
    step = next((own * power for own in (1, 2, 2.5, 5) if own * power >= rough * (1 - 1e-9)), 10 * power)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(rounded(k * step, 12) for k in range(first, last + 1))


def _log_ticks(low: float, high: float) -> list[list[float]]:
    decades = range(math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9) + 1)
    inside = [
        [
            own
            for own in (float(f"{step}e{power}") for power in decades for step in steps)
            if _in(own, low, high)
        ]
        for steps in ((1,), (2, 5))
    ]
    # Over many decades only the powers of ten have numbers.
    return inside if len(inside[0]) < 4 else [inside[0], []]


def _in(value: float, low: float, high: float) -> bool:
    return low * (1 - 1e-9) <= value <= high * (1 + 1e-9)


# Geometry -----------------------------------------------------------------------------------------------


def deviates(rates: Any) -> Floats:
    """Rates as normal deviates."""
    from scipy.special import ndtri

    return np.asarray(ndtri(np.asarray(rates, dtype=float)))


def rates_of(deviate: Any) -> Floats:
    """Normal deviates as rates."""
    from scipy.special import ndtr

    return np.asarray(ndtr(np.asarray(deviate, dtype=float)))


def rounded(value: float, significant: int) -> float:
    """A number with so many significant digits."""
    if value == 0 or not math.isfinite(value):
        return value
    return round(value, significant - 1 - math.floor(math.log10(abs(value))))


def evenly(items: Sequence[Any], most: int = MOST_FAINT) -> list[Any]:
    """At most so many of them, evenly spaced in their order."""
    n = len(items)
    return [items[k * n // most] for k in range(most)] if n > most else list(items)


def faintness(n: int) -> float:
    """The alpha of one of so many faint curves."""
    return float(np.clip(0.8 / math.sqrt(max(n, 1)), 0.05, 0.4))


def runs(known: Any) -> list[tuple[int, int]]:
    """First and one after last of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], np.asarray(known, dtype=bool), [False]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _bent(x: Floats, y: Floats, across: Axis, up: Axis) -> tuple[Floats, Floats]:
    """Points on the way between vertices where a scale bends a straight line, close as that scale sees it."""
    runs_x, runs_y = np.diff(x), np.diff(y)
    is_slanted = (runs_x != 0) & (runs_y != 0) & np.isfinite(runs_x + runs_y)  # others stay straight
    which, part = [np.arange(x.size - 1)], [np.zeros(x.size - 1)]
    for axis, values, run in ((across, x, runs_x), (up, y, runs_y)):
        if axis.scale == "linear":
            continue
        ends = axis.forward(axis.kept(values))
        n = np.where(is_slanted, np.ceil(_BENT * np.abs(np.nan_to_num(np.diff(ends)))), 1).astype(int)
        piece = np.repeat(np.arange(n.size), n)
        step = (np.arange(piece.size) - np.repeat(np.cumsum(n) - n, n)) / np.maximum(n, 1)[piece]
        own = axis.backward(ends[:-1][piece] + step * np.diff(ends)[piece])
        share = np.divide(own - values[:-1][piece], run[piece], out=np.zeros_like(own), where=run[piece] != 0)
        inside = is_slanted[piece] & (share > 0) & (share < 1)
        which.append(piece[inside])
        part.append(share[inside])
    of, share = np.concatenate(which), np.concatenate(part)
    order = np.lexsort((share, of))
    of, share = of[order], share[order]
    return tuple(  # type: ignore[return-value]
        np.append(np.where(share == 0, own[:-1][of], own[:-1][of] + share * np.diff(own)[of]), own[-1])
        for own in (x, y)
    )


def _corners(x: Floats, y: Floats) -> NDArray[np.intp]:
    """Vertices that the eye would miss: ends of what lies in a small cell, then Douglas and Peucker's."""
    cells = np.stack([np.floor(own / (_TOLERANCE / 4)) for own in (x, y)])
    is_new = np.append(True, (np.diff(cells) != 0).any(axis=0))
    is_new[-1] = True
    kept = np.flatnonzero(is_new | np.append(is_new[1:], True))
    x, y = x[kept], y[kept]
    ends: NDArray[np.intp] = np.array([0, x.size - 1])
    while True:
        start, stop = ends[:-1], ends[1:]
        piece = np.repeat(np.arange(start.size), stop - start)
        along_x, along_y = x[stop] - x[start], y[stop] - y[start]
        length = np.hypot(along_x, along_y)
        off_x, off_y = x[:-1] - x[start][piece], y[:-1] - y[start][piece]
        with np.errstate(divide="ignore", invalid="ignore"):
            off = np.abs(along_x[piece] * off_y - along_y[piece] * off_x) / length[piece]
        off = np.where(length[piece] > 0, off, np.hypot(off_x, off_y))
        worst = np.maximum.reduceat(off, start)
        if not (worst > 0.6 * _TOLERANCE).any():
            return np.asarray(kept[ends])
        farthest = np.flatnonzero((off == worst[piece]) & (off > 0.6 * _TOLERANCE))
        first = np.append(True, piece[farthest][1:] != piece[farthest][:-1])
        ends = np.union1d(ends, farthest[first])


def _extent(mark: Mark) -> tuple[list[Any], list[Any]]:  # noqa: PLR0911 - one for each mark
    """Where a mark lies across, and where up, in data: what limits that are left out have to hold."""
    match mark:
        case Line() | Region():
            return [mark.x], [mark.y]
        case Faint():
            some = evenly(mark.paths)
            return [own[0] for own in some], [own[1] for own in some]
        case Band():
            return [mark.lower[0], mark.upper[0]], [mark.lower[1], mark.upper[1]]
        case Points():
            return [mark.x, *(mark.x_limits or ())], [mark.y, *(mark.y_limits or ())]
        case Segments():
            return [mark.x0, mark.x1], [mark.y0, mark.y1]
        case Bars():
            at, half = np.asarray(mark.at, dtype=float), np.asarray(mark.width, dtype=float) / 2
            sides, ends = [at - half, at + half], [mark.to, mark.base]
            return (sides, ends) if mark.along == "y" else (ends, sides)
        case Cells():
            return [mark.x], [mark.y]
        case Rule():
            return [[] if own is None else [own] for own in (mark.x,)], [[] if mark.y is None else [mark.y]]
    return [], []


def _crossed(mark: Mark, xs: Floats, ys: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Strokes of marks that are neither lines nor areas, each as a short path."""
    match mark:
        case Points():
            x, y = np.ravel(mark.x).astype(float), np.ravel(mark.y).astype(float)
            for k in range(x.size):
                yield np.array([x[k]]), np.array([y[k]])
                if mark.x_limits is not None:
                    yield np.array([np.ravel(own)[k] for own in mark.x_limits]), np.array([y[k]] * 2)
                if mark.y_limits is not None:
                    yield np.array([x[k]] * 2), np.array([np.ravel(own)[k] for own in mark.y_limits])
        case Segments():
            for a, b, c, d in np.broadcast(mark.x0, mark.y0, mark.x1, mark.y1):
                yield np.array([a, c]), np.array([b, d])
        case _:
            if xs.size and ys.size:
                left, right, low, high = xs.min(), xs.max(), ys.min(), ys.max()
                yield np.array([left, right, right, left, left]), np.array([low, low, high, high, low])


def _meets(x: Floats, y: Floats, box: tuple[float, float, float, float]) -> bool:
    """Whether a line passes through a box (Liang and Barsky's clipping of every piece)."""
    x, y = np.ravel(x), np.ravel(y)
    if x.size == 1:
        x, y = np.repeat(x, 2), np.repeat(y, 2)
    left, bottom, right, top = box
    dx, dy = np.diff(x), np.diff(y)
    start, stop = np.zeros(dx.size), np.ones(dx.size)
    ok = np.isfinite(dx) & np.isfinite(dy)
    with np.errstate(divide="ignore", invalid="ignore"):
        for run, low, high in ((dx, left - x[:-1], right - x[:-1]), (dy, bottom - y[:-1], top - y[:-1])):
            a, b = np.where(run > 0, low, high) / run, np.where(run > 0, high, low) / run
            start = np.where(run != 0, np.fmax(start, a), start)
            stop = np.where(run != 0, np.fmin(stop, b), stop)
            ok &= (run != 0) | ((low <= 0) & (high >= 0))
    return bool((ok & (start <= stop)).any())


__all__ = [
    "GUIDE", "INK", "LOOKS", "QUIET", "Axis", "Band", "Bars", "Cells", "Entry", "Faint", "Key", "Label",
    "Line", "Mark", "Panel", "Picture", "Points", "Region", "Rule", "Segments", "Span", "evenly",
    "rounded", "share_axis", "short_names",
]  # fmt: skip
