"""Pictures as SVG elements, for the page and the notebook: attributes and classes, no styles, no script.

Ink is ``currentColor``; every other colour is an attribute, for places without a style sheet, and a class, by
which :func:`style_sheet` makes it lighter on a dark ground: ``s-0`` (strokes), ``f-0`` (areas), ``t-0``
(words).
Everything is built as a tree, so names are escaped where it is written.
"""

from __future__ import annotations

import hashlib
import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocsteady.figures.spec import (
    INSIDE,
    MOST_LINES,
    Axis,
    Band,
    Bars,
    Cells,
    Faint,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Region,
    Rule,
    Segments,
    Span,
    collide,
    evenly,
    faintness,
    spelled,
    ticks_of,
    width_of,
    wrapped,
)
from rocsteady.figures.style import GROUND, GUIDE, INK, LOOKS, QUIET, Hue, Look
from rocsteady.text import Words

_POINT = 1.45
"""Pixels of a point of a figure with text of 8 points."""
_SIZE = 8 * _POINT
"""Of the text of axes; that of ticks and keys is a point smaller."""
_LINE = 1.3
"""Height of a line, in sizes of its text."""
_HANDLE = 2.4 * _SIZE
_GROUND_NAME = "GROUND-NAME"
"""Stands for what makes the ids of a figure its own until the figure is known."""
_ANCHORS = {"left": "start", "middle": "middle", "right": "end"}
_MARKERS = {
    "o": "M-1,0a1,1 0 1,0 2,0a1,1 0 1,0 -2,0z",
    "s": "M-.9,-.9h1.8v1.8h-1.8z",
    "D": "M0,-1.2l1.2,1.2l-1.2,1.2l-1.2,-1.2z",
    "^": "M0,-1.1l1.1,2h-2.2z",
    "v": "M0,1.1l1.1,-2h-2.2z",
    "P": "M-.35,-1h.7v.65h.65v.7h-.65v.65h-.7v-.65h-.65v-.7h.65z",
    "X": "M-1,-.5l.5,-.5l.5,.5l.5,-.5l.5,.5l-.5,.5l.5,.5l-.5,.5l-.5,-.5l-.5,.5l-.5,-.5l.5,-.5z",
    "x": "M-.8,-.8l1.6,1.6M-.8,.8l1.6,-1.6",
    "|": "M0,-1v2",
    "_": "M-1,0h2",
}
_HATCHES = {
    "////": ("M0,6L6,0", 6),
    "\\\\\\\\": ("M0,0L6,6", 6),
    "xxxx": ("M0,6L6,0M0,0L6,6", 6),
    "....": ("M2,2h1.4v1.4h-1.4z", 5),
    "++++": ("M3,0v6M0,3h6", 6),
}


def svg(picture: Picture, words: Words, *, width: float | None = None) -> str:
    """The figure as one ``<svg>`` element; `width` is in pixels."""
    return ET.tostring(element(picture, words, width=width), encoding="unicode")


def element(picture: Picture, words: Words, *, width: float | None = None) -> ET.Element:
    """The same as a tree, for those who add to it."""
    own = width or picture.width * 72 * _POINT
    drawing = _Figure(picture, words, own)
    root = drawing.root
    digest = hashlib.sha1(ET.tostring(root), usedforsecurity=False).hexdigest()[:8]
    for node in root.iter():
        for name in ("id", "clip-path", "fill"):
            value = node.get(name, "")
            if _GROUND_NAME in value:
                node.set(name, value.replace(_GROUND_NAME, f"g{digest}"))
    return root


def style_sheet() -> str:
    """Rules for the colours of figures on a dark ground, for the page's style sheet."""
    dark = "".join(
        f".s-{own.name}{{stroke:{own.dark}}}.f-{own.name}{{fill:{own.dark}}}.t-{own.name}{{fill:{own.dark}}}"
        for own in (*LOOKS, QUIET, GUIDE)
    )
    ground = ".s-ground{stroke:var(--paper,#fff)}.f-ground{fill:var(--paper,#fff)}"
    return f"{ground}\n@media screen and (prefers-color-scheme:dark){{{dark}}}\n"


class _Figure:
    """The root, its panels in rows, and the keys below them."""

    def __init__(self, picture: Picture, words: Words, width: float) -> None:
        self.picture, self.words, self.width = picture, words, width
        self.look: Callable[[Hue], Look] = picture.looker(words)
        self.root = ET.Element(
            "svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "class": "figure"}
        )
        self.root.attrib |= {
            "font-family": "system-ui, sans-serif",
            "font-size": _number(_SIZE),
            "fill": "none",
        }
        named = spelled(picture.title, words) or spelled(picture.description, words)
        if named:
            ET.SubElement(self.root, "title").text = named
        if picture.title is not None and picture.description is not None:
            ET.SubElement(self.root, "desc").text = spelled(picture.description, words)
        self.defs: dict[str, ET.Element] = {}
        height = 0.0
        if picture.title is not None:
            height = self.lines(
                self.root, wrapped(spelled(picture.title, words), width / (1.2 * _SIZE)), 0, 0, bold=True
            )
        height = self._panels(height)
        if picture.key is not None and len(picture.panels) > 1:
            height = self._shared_key(picture.key, height + 0.5 * _SIZE)
        self.root.set("viewBox", f"0 0 {_number(width)} {_number(height + 2)}")
        self.root.set("width", _number(width))
        self.root.set("height", _number(height + 2))

    def _panels(self, top: float) -> float:
        columns = self.picture.columns
        for start in range(0, len(self.picture.panels), columns):
            row = self.picture.panels[start : start + columns]
            gap = 1.2 * _SIZE
            shares = np.array([panel.wide for panel in (*row, *self.picture.panels[: columns - len(row)])])
            widths = (self.width - gap * (columns - 1)) * shares / shares.sum()
            key = self.picture.key if len(self.picture.panels) == 1 else None
            made = [
                _Panel(self, panel, float(own), key or panel.key)
                for panel, own in zip(row, widths, strict=False)
            ]
            above = max(own.above for own in made)
            left = 0.0
            for own, wide in zip(made, widths, strict=False):
                own.draw(left, top + above)
                left += float(wide) + gap
            top += (
                above
                + max(own.height for own in made)
                + (gap if start + columns < len(self.picture.panels) else 0)
            )
        return top

    def _shared_key(self, key: Key, top: float) -> float:
        """Under all panels, in two columns where there is room."""
        rows = key_rows(key, self.words, self.width / _SIZE - 4)
        n_columns = (
            2
            if len(rows) > 3 and max(width_of(row[1]) for row in rows) * _SIZE < self.width / 2 - 3 * _SIZE
            else 1
        )
        if key.title is not None:
            top += self.lines(self.root, [spelled(key.title, self.words)], 0, top, look=QUIET)
        per = -(-len(rows) // n_columns)
        heights = []
        for column in range(n_columns):
            own = rows[column * per : (column + 1) * per]
            heights.append(self.key(self.root, own, column * self.width / n_columns, top))
        return top + max(heights, default=0.0)

    def key(self, parent: ET.Element, rows: Sequence[Any], x: float, y: float) -> float:
        """Rows of a key; gives their height."""
        size, top = 7 / 8 * _SIZE, y
        for sample, text, hue, is_bold in rows:
            middle = y + _LINE * size / 2
            if sample is not None:
                self.sample(parent, sample, x, middle)
            y += self.lines(
                parent, text.split("\n"), x + _HANDLE + 0.6 * size, y, size=size, look=hue, bold=is_bold
            )
        return y - top

    def sample(self, parent: ET.Element, mark: Mark, x: float, y: float) -> None:
        """What words of a key explain."""
        look = self.look(mark.look)
        match mark:
            case Points():
                shape = look.marker if mark.marker is None else mark.marker
                if shape:
                    self.marker(parent, mark, look, x + _HANDLE / 2, y)
                else:
                    self.path(
                        parent,
                        f"M{_number(x)},{_number(y)}h{_number(_HANDLE)}",
                        look,
                        mark.bar_width,
                        dash=(),
                    )
            case Line() | Segments() | Rule() | Faint():
                alpha = mark.alpha if not isinstance(mark, Faint) or mark.alpha < 1 else 0.5
                dash = getattr(mark, "dash", None)
                self.path(
                    parent,
                    f"M{_number(x)},{_number(y)}h{_number(_HANDLE)}",
                    look,
                    mark.width,
                    dash=dash,
                    alpha=alpha,
                )
            case _:
                box = {"x": x, "y": y - 0.3 * _SIZE, "width": _HANDLE, "height": 0.6 * _SIZE}
                self.area(parent, "rect", look, mark, **box)

    # Elements

    def add(self, parent: ET.Element, tag: str, **attributes: Any) -> ET.Element:
        own = {name.rstrip("_").replace("_", "-"): _number(value) for name, value in attributes.items()}
        return ET.SubElement(parent, tag, own)

    def path(
        self,
        parent: ET.Element,
        d: str,
        look: Look,
        width: float,
        *,
        dash: Any = None,
        alpha: float = 1.0,
        name: str = "",
    ) -> ET.Element:
        """A stroke; `dash` is in widths, by default that of the look."""
        pattern = look.dash if dash is None else dash
        style = (
            {"stroke-dasharray": " ".join(_number(_POINT * width * own) for own in pattern)}
            if pattern
            else {}
        )
        if alpha < 1:
            style["stroke-opacity"] = _number(alpha)
        found = self.add(parent, "path", d=d, stroke_width=_POINT * width, **stroke(look, name))
        found.attrib |= style
        return found

    def area(self, parent: ET.Element, tag: str, look: Look, mark: Any, **attributes: Any) -> ET.Element:
        """A filling, hatched and outlined if the mark is."""
        found = self.add(parent, tag, **attributes, **fill(look, mark.name))
        if mark.alpha < 1:
            found.set("fill-opacity", _number(mark.alpha))
        outline = getattr(mark, "outline", 0)
        if outline:
            edge = QUIET if isinstance(mark, Bars | Span) else look
            found.attrib |= {"stroke": edge.colour, "stroke-width": _number(_POINT * outline)}
            found.set("class", f"{found.get('class')} s-{edge.name}")
        if getattr(mark, "is_hatched", False) and look.hatch in _HATCHES:
            over = self.add(parent, tag, **attributes)
            over.set("fill", f"url(#{self._hatch(look.hatch)})")
        return found

    def marker(self, parent: ET.Element, mark: Points, look: Look, x: float, y: float) -> None:
        """A point, with an edge in the colour of the ground; open ones the other way round."""
        shape = look.marker if mark.marker is None else mark.marker
        radius = _POINT * mark.size / 2
        at = f"translate({_number(x)},{_number(y)}) scale({_number(radius)})"
        inside, edge = (GROUND, look) if mark.is_open else (look, GROUND)
        own = (
            fill(inside, mark.name)
            if shape not in ("x", "|", "_")
            else {"class_": f"s-{look.name} {mark.name}".strip()}
        )
        found = self.add(parent, "path", d=_MARKERS[shape], transform=at, **own)
        edge = look if shape in ("x", "|", "_") else edge
        width = (1.0 if mark.is_open else min(0.8, 0.15 * mark.size)) * _POINT / radius
        found.attrib |= {"stroke": ink(edge.colour, edge), "stroke-width": _number(width)}
        found.set("class", f"{found.get('class', '')} s-{edge.name}".strip())
        if mark.alpha < 1:
            found.set("opacity", _number(mark.alpha))

    def write(
        self, parent: ET.Element, text: str, x: float, y: float, *, size: float = _SIZE, look: Hue = INK,
        anchor: str = "left", bold: bool = False, **attributes: Any,
    ) -> None:  # fmt: skip
        """A line of words on its base line."""
        own = self.look(look)
        style: dict[str, Any] = {"class_": f"t-{own.name}", "fill": ink(own.text, own)}
        if anchor != "left":
            style["text_anchor"] = _ANCHORS[anchor]
        if size != _SIZE:
            style["font_size"] = size
        if bold:
            style["font_weight"] = "bold"
        self.add(parent, "text", x=x, y=y, **style, **attributes).text = text

    def lines(
        self,
        parent: ET.Element,
        lines: Iterable[str],
        x: float,
        y: float,
        *,
        size: float = _SIZE,
        **style: Any,
    ) -> float:
        """Lines of words under each other from `y` down; gives their height."""
        top = y
        for own in lines:
            self.write(parent, own, x, y + size, size=size, **style)
            y += _LINE * size
        return y - top

    def _hatch(self, hatch: str) -> str:
        name = f"{_GROUND_NAME}-h{list(_HATCHES).index(hatch)}"
        if name not in self.defs:
            d, side = _HATCHES[hatch]
            box = {"id": name, "width": side, "height": side, "patternUnits": "userSpaceOnUse"}
            self.defs[name] = self.add(self.root, "pattern", **box)
            self.path(self.defs[name], d, replace(GROUND, dash=()), 0.7)
        return name

    def clip(self, x: float, y: float, width: float, height: float) -> str:
        """The name of a window."""
        name = f"{_GROUND_NAME}-c{len(self.defs)}"
        self.defs[name] = self.add(self.root, "clipPath", id=name)
        self.add(self.defs[name], "rect", x=x, y=y, width=width, height=height)
        return f"url(#{name})"


class _Panel:
    """Axes with marks, measured before they are drawn."""

    def __init__(self, figure: _Figure, panel: Panel, width: float, key: Key | None) -> None:
        self.figure, self.panel, self.words = figure, panel, figure.words
        self.x, self.y, self.right = panel.axes
        self.small = 7 / 8 * _SIZE
        upright = [own for own in (self.y, self.right) if own is not None]
        self.side_room = []
        for axis in upright:
            rough = 0.8 * width * panel.aspect / _SIZE
            widest = max(
                (width_of(own) for own in self._tick_words(axis, rough, is_upright=True)), default=0.0
            )
            labelled = 1.6 * _SIZE if axis.label is not None else 0.0
            self.side_room.append(widest * self.small + 9 + labelled)
        self.left = self.side_room[0]
        after = self.side_room[1] if len(self.side_room) > 1 else 0.0
        rough = (width - self.left - after) / _SIZE
        own = self._tick_words(self.x, rough)
        last = max(0.5 * width_of(own[-1]) * self.small, 3.0) if own else 3.0
        self.side = width - self.left - max(after, last)
        self.up = self.side * panel.aspect
        self.is_turned = collide(self.x, own, self.side / self.small)
        tick_height = _LINE * self.small
        if self.is_turned:
            tick_height = 0.92 * self.small * max(map(width_of, own), default=0)
        self.label_at = 7 + (tick_height if own else 0)
        self.title = (
            wrapped(spelled(panel.title, self.words), width / _SIZE) if panel.title is not None else []
        )
        self.above = max(
            0.5 * self.small, _LINE * _SIZE * len(self.title) + (0.4 * _SIZE if self.title else 0)
        )
        labels = wrapped(spelled(self.x.label, self.words), self.side / (0.92 * _SIZE))
        self.x_label = [own for own in labels if own]
        self.below = self.label_at + _LINE * _SIZE * len(self.x_label) + 3
        self.key_box = self._place_key(key, width)
        self.height = (
            self.up
            + self.below
            + (0 if self.key_box is None or self.key_box[1] is not None else self._key_height())
        )

    # The key

    def _place_key(
        self, key: Key | None, width: float
    ) -> tuple[list[Any], tuple[float, float] | None] | None:
        """Rows, and where they stand in shares of the axes: None for below."""
        self.key_title = ""
        if key is None:
            return None
        self.key_title = spelled(key.title, self.words)
        inside = key_rows(key, self.words, INSIDE * self.side / self.small)
        rows = inside
        wide = max([_HANDLE + 0.6 * self.small + self.small * _width(own) for own in rows] or [0.0])
        wide = max(wide, 0.92 * self.small * width_of(self.key_title))
        high = (
            sum(_LINE * self.small * (1 + own[1].count("\n")) for own in rows)
            + bool(self.key_title) * _LINE * self.small
        )
        across, up = (wide + 6) / self.side, (high + 4) / self.up
        for corner in key.corners:
            if across >= 1 or up >= 0.75:
                break
            left = 1 - across if "right" in corner else 0.015
            low = 0.015 if "lower" in corner else 1 - up
            if self.panel.is_free((left - 0.01, low - 0.01, left + across, low + up + 0.015)):
                return inside, (left, low + up)
        return key_rows(key, self.words, width / self.small - 4), None

    def _key_height(self) -> float:
        assert self.key_box is not None
        lines = sum(1 + own[1].count("\n") for own in self.key_box[0]) + bool(self.key_title)
        return float(_LINE * self.small * lines + 0.5 * _SIZE)

    # Drawing

    def draw(self, left: float, top: float) -> None:
        """Everything of it, its corner of the axes being at `left` and `top`."""
        figure, panel = self.figure, self.panel
        self.x0, self.y0 = left + self.left, top + self.up
        group = figure.add(figure.root, "g")
        if self.title:
            figure.lines(group, self.title, left, top - self.above)
        self._axes(group, left)
        window = figure.add(
            group, "g", clip_path=figure.clip(self.x0 - 1, top - 1, self.side + 2, self.up + 2)
        )
        over = figure.add(group, "g")
        for mark in panel.marks:
            self._mark(over if isinstance(mark, Label | Points) else window, window, mark)
        if self.key_box is not None:
            rows, place = self.key_box
            x, y = left, self.y0 + self.below + 0.5 * _SIZE
            if place is not None:
                x, y = self.x0 + place[0] * self.side, self.y0 - place[1] * self.up
            keys = figure.add(group, "g", class_="key")
            if self.key_title:
                y += figure.lines(keys, [self.key_title], x, y, size=self.small, look=QUIET)
            figure.key(keys, rows, x, y)

    def _axes(self, group: ET.Element, left: float) -> None:
        figure, grey = self.figure, {"stroke": "currentColor", "stroke-opacity": "0.7", "stroke-width": "1"}
        for axis, is_upright, at in (
            (self.x, False, self.y0),
            (self.y, True, self.x0),
            (self.right, True, self.x0 + self.side),
        ):
            if axis is None:
                continue
            is_last = axis is self.right and axis is not self.y
            low, high = axis.share(np.array(axis.bounds)) if axis.bounds else (0.0, 1.0)
            ends = [self._up(own) if is_upright else self._across(own) for own in (low, high)]
            if axis.is_shown:
                d = f"M{_number(at)},{_number(ends[0])}V{_number(ends[1])}" if is_upright else (
                    f"M{_number(ends[0])},{_number(at)}H{_number(ends[1])}"
                )  # fmt: skip
                figure.add(group, "path", d=d).attrib |= grey
            room = (self.up if is_upright else self.side) / _SIZE
            major, minor = ticks_of(axis, room, is_upright=is_upright)
            out = 4 if is_last else -4
            for value, is_major in [*((own, True) for own in major), *((own, False) for own in minor)]:
                share = float(axis.share(value))
                if not -1e-9 <= share <= 1 + 1e-9:
                    continue
                place = self._up(share) if is_upright else self._across(share)
                length = 1.0 if is_major else 0.6
                if axis.is_shown:
                    d = f"M{_number(at)},{_number(place)}h{_number(out * length)}" if is_upright else (
                        f"M{_number(place)},{_number(at)}v{_number(4 * length)}"
                    )  # fmt: skip
                    figure.add(group, "path", d=d).attrib |= grey
                if is_major:
                    self._tick(
                        group, axis.tick(value, self.words), place, at, is_upright=is_upright, is_last=is_last
                    )
            if axis.label is not None and is_upright:
                middle = self.y0 - self.up / 2
                x = at + self.side_room[1] - 0.3 * _SIZE if is_last else left + _SIZE
                text = wrapped(spelled(axis.label, self.words), self.up / (0.8 * _SIZE), most=1)[0]
                turned = f"translate({_number(x)},{_number(middle)}) rotate(-90)"
                figure.write(group, text, 0, 0, anchor="middle", transform=turned)
        middle = self.x0 + self.side / 2
        for number, text in enumerate(self.x_label):
            y = self.y0 + self.label_at + _SIZE + number * _LINE * _SIZE
            figure.write(group, text, middle, y, anchor="middle")

    def _tick(
        self, group: ET.Element, text: str, place: float, at: float, *, is_upright: bool, is_last: bool
    ) -> None:
        figure, size = self.figure, self.small
        if is_upright:
            x = at + 7 if is_last else at - 7
            figure.write(
                group, text, x, place + 0.35 * size, size=size, anchor="left" if is_last else "right"
            )
        elif self.is_turned:
            turned = f"translate({_number(place + 0.35 * size)},{_number(at + 7)}) rotate(-90)"
            figure.write(group, text, 0, 0, size=size, anchor="right", transform=turned)
        else:
            figure.write(group, text, place, at + 6 + size, size=size, anchor="middle")

    def _tick_words(self, axis: Axis, room: float, *, is_upright: bool = False) -> list[str]:
        return [axis.tick(own, self.words) for own in ticks_of(axis, room, is_upright=is_upright)[0]]

    def _across(self, share: float) -> float:
        return self.x0 + float(share) * self.side

    def _up(self, share: float) -> float:
        return self.y0 - float(share) * self.up

    def _d(self, x: Any, y: Any, mark: Mark, *, is_closed: bool = False) -> str:
        """A path through points in data."""
        px = self.x0 + self.x.share(x) * self.side
        py = self.y0 - self.panel.up(mark).share(y) * self.up
        parts = []
        is_new = True
        for a, b in zip(np.round(px, 1).tolist(), np.round(py, 1).tolist(), strict=True):
            if not (math.isfinite(a) and math.isfinite(b)):
                is_new = True
                continue
            parts.append(f"{'M' if is_new else 'L'}{a:g},{b:g}")
            is_new = False
        return "".join(parts) + ("z" if is_closed and parts else "")

    def _mark(self, parent: ET.Element, window: ET.Element, mark: Mark) -> None:  # noqa: PLR0912 - one a mark
        figure, panel = self.figure, self.panel
        look, up = figure.look(mark.look), panel.up(mark)
        match mark:
            case Line():
                d = self._d(*panel.path(mark.x, mark.y, up=up), mark)
                if d:
                    figure.path(parent, d, look, mark.width, dash=mark.dash, alpha=mark.alpha, name=mark.name)
            case Faint():
                few = evenly(mark.paths)
                alpha = faintness(len(few)) if mark.alpha == 1 else mark.alpha
                d = "".join(self._d(*panel.path(*own, up=up), mark) for own in few)
                if d and len(few) > 1 and mark.alpha == 1:  # one path shows no crossing; several strokes do
                    group = figure.add(parent, "g", class_=mark.name or "faint")
                    for own in few:
                        figure.path(
                            group, self._d(*panel.path(*own, up=up), mark), look, mark.width, alpha=alpha
                        )
                elif d:
                    figure.path(parent, d, look, mark.width, alpha=alpha, name=mark.name)
            case Band():
                for outline in panel.outlines(mark):
                    figure.area(parent, "path", look, mark, d=self._d(*outline, mark, is_closed=True))
            case Region():
                path = panel.path(mark.x, mark.y, up=up)
                if np.isfinite(path).all():
                    figure.area(parent, "path", look, mark, d=self._d(*path, mark, is_closed=True))
            case Points():
                self._points(parent, window, mark, look)
            case Bars():
                at, to, width, base = np.broadcast_arrays(mark.at, mark.to, mark.width, mark.base)
                for a, t, w, b in zip(*(own.ravel().tolist() for own in (at, to, width, base)), strict=True):
                    sides, ends = (a - w / 2, a + w / 2), (b, t)
                    box = self._box(sides, ends, mark) if mark.along == "y" else self._box(ends, sides, mark)
                    figure.area(parent, "rect", look, mark, **box)
            case Segments() if mark.head:
                self._arrows(parent, mark, look)
            case Segments():
                d = "".join(
                    self._d(*panel.path([a, c], [b, e], up=up), mark)
                    for a, b, c, e in np.broadcast(mark.x0, mark.y0, mark.x1, mark.y1)
                )
                figure.path(parent, d, look, mark.width, dash=mark.dash, alpha=mark.alpha, name=mark.name)
            case Rule(x, y):
                place = self._up(float(up.share(y))) if x is None else self._across(float(self.x.share(x)))
                d = f"M{_number(self.x0)},{_number(place)}h{_number(self.side)}" if x is None else (
                    f"M{_number(place)},{_number(self.y0)}v{_number(-self.up)}"
                )  # fmt: skip
                figure.path(parent, d, look, mark.width, dash=mark.dash, alpha=mark.alpha, name=mark.name)
            case Span():
                axis = self.x if mark.along == "x" else up
                along = [float(own) for own in axis.share(np.array([mark.low, mark.high]))]
                across, upward = (along, mark.within) if mark.along == "x" else (mark.within, along)
                figure.area(parent, "rect", look, mark, **self._rect(*across, *upward))
            case Cells():
                self._cells(parent, mark)
            case Label():
                self._label(parent, mark)

    def _arrows(self, parent: ET.Element, mark: Segments, look: Look) -> None:
        """Strokes up to their heads, and the heads."""
        head, lines, heads = _POINT * mark.head, "", ""
        for a, b, c, d in np.broadcast(mark.x0, mark.y0, mark.x1, mark.y1):
            x, y = (
                self.x0 + self.x.share([a, c]) * self.side,
                self.y0 - self.panel.up(mark).share([b, d]) * self.up,
            )
            run, rise = float(x[1] - x[0]), float(y[1] - y[0])
            length = math.hypot(run, rise)
            if not length:
                continue
            run, rise, own = run / length, rise / length, min(head, length)
            foot = x[1] - own * run, y[1] - own * rise
            sides = ((foot[0] - k * rise, foot[1] + k * run) for k in (0.4 * own, -0.4 * own))
            lines += f"M{_number(x[0])},{_number(y[0])}L{_number(foot[0])},{_number(foot[1])}"
            heads += f"M{_number(x[1])},{_number(y[1])}"
            heads += "".join(f"L{_number(p)},{_number(q)}" for p, q in sides) + "z"
        if lines:
            self.figure.path(
                parent, lines, look, mark.width, dash=mark.dash, alpha=mark.alpha, name=mark.name
            )
            self.figure.area(parent, "path", look, mark, d=heads)

    def _rect(self, left: float, right: float, low: float, high: float) -> dict[str, float]:
        """A box in shares of the axes."""
        left, right = sorted((left, right))
        low, high = sorted((low, high))
        size = {"width": (right - left) * self.side, "height": (high - low) * self.up}
        return {"x": self._across(left), "y": self._up(high), **size}

    def _box(self, across: Any, upward: Any, mark: Mark) -> dict[str, float]:
        axis = self.panel.up(mark)
        left, right = self.x.share(self.x.kept(across)).tolist()
        low, high = axis.share(axis.kept(upward)).tolist()
        return self._rect(left, right, low, high)

    def _points(self, parent: ET.Element, window: ET.Element, mark: Points, look: Look) -> None:
        figure, panel, up = self.figure, self.panel, self.panel.up(mark)
        x, y = (np.ravel(np.asarray(own, dtype=float)) for own in (mark.x, mark.y))
        bar = look if mark.bar is None else figure.look(mark.bar)
        right, above = (_POINT * own for own in mark.shift)
        moved = {"transform": f"translate({_number(right)},{_number(-above)})"} if right or above else {}
        for limits, is_up in ((mark.x_limits, False), (mark.y_limits, True)):
            if limits is None:
                continue
            low, high = (np.ravel(np.asarray(own, dtype=float)) for own in limits)
            d = ""
            for k in np.flatnonzero(np.isfinite(low + high)):
                ends = [low[k], high[k]]
                path = panel.path([x[k]] * 2, ends, up=up) if is_up else panel.path(ends, [y[k]] * 2, up=up)
                d += self._d(*path, mark)
                if mark.capsize:
                    d += self._caps(path, mark, is_up=is_up)
            if d:
                own = figure.path(window, d, bar, mark.bar_width, dash=(), alpha=mark.alpha, name="interval")
                own.attrib |= moved
        if look.marker if mark.marker is None else mark.marker:
            for a, b in panel.places(mark):
                figure.marker(
                    parent, mark, look, self._across(float(self.x.share(a))), self._up(float(up.share(b)))
                )

    def _caps(self, path: Any, mark: Points, *, is_up: bool) -> str:
        half, up = _POINT * mark.capsize, self.panel.up(mark)
        d = ""
        for a, b in zip(*path, strict=True):
            x, y = self._across(float(self.x.share(a))), self._up(float(up.share(b)))
            d += f"M{_number(x - half)},{_number(y)}h{_number(2 * half)}" if is_up else (
                f"M{_number(x)},{_number(y - half)}v{_number(2 * half)}"
            )  # fmt: skip
        return d

    def _cells(self, parent: ET.Element, mark: Cells) -> None:
        """One element for each run of cells of a row that are alike."""
        values = np.asarray(mark.values)
        shades = np.ones(values.shape) if mark.shades is None else np.round(np.nan_to_num(mark.shades), 2)
        xs, ys = np.asarray(mark.x, dtype=float), np.asarray(mark.y, dtype=float)
        for row in range(values.shape[0]):
            is_new = np.append(True, (np.diff(values[row]) != 0) | (np.diff(shades[row]) != 0))
            starts = np.flatnonzero(is_new)
            for start, stop in zip(starts, np.append(starts[1:], values.shape[1]), strict=True):
                if values[row, start] < 0:
                    continue
                look = self.figure.look(mark.looks[int(values[row, start])])
                own = replace(mark, alpha=float(mark.alpha * shades[row, start]))
                box = self._box((xs[start], xs[stop]), (ys[row], ys[row + 1]), mark)
                self.figure.area(parent, "rect", look, own, **box, shape_rendering="crispEdges")

    def _label(self, parent: ET.Element, mark: Label) -> None:
        size = _SIZE - _POINT * mark.smaller
        if mark.space == "share":
            x, y = self._across(mark.x), self._up(mark.y)
        else:
            x, y = (
                self._across(float(self.x.share(mark.x))),
                self._up(float(self.panel.up(mark).share(mark.y))),
            )
        lines = spelled(mark.text, self.words).split("\n")
        if mark.is_turned:
            self._turned(parent, mark, " ".join(lines), x, y, size)
            return
        down = {"top": size, "middle": 0.35 * size, "bottom": -0.25 * size}[mark.up]
        down -= {"top": 0, "middle": 0.5, "bottom": 1}[mark.up] * _LINE * size * (len(lines) - 1)
        for number, own in enumerate(lines):
            place = x + _POINT * mark.off[0], y - _POINT * mark.off[1] + down + number * _LINE * size
            alpha = {"fill_opacity": mark.alpha} if mark.alpha < 1 else {}
            self.figure.write(
                parent, own, *place, size=size, look=mark.look, anchor=mark.across, bold=mark.is_bold, **alpha
            )

    def _turned(self, parent: ET.Element, mark: Label, text: str, x: float, y: float, size: float) -> None:
        """Words that are read upwards."""
        right = {"left": 0.8, "middle": 0.35, "right": -0.1}[mark.across] * size
        x, y = x + _POINT * mark.off[0] + right, y - _POINT * mark.off[1]
        anchor = {"top": "right", "middle": "middle", "bottom": "left"}[mark.up]
        place = f"translate({_number(x)},{_number(y)}) rotate(-90)"
        self.figure.write(parent, text, 0, 0, size=size, look=mark.look, anchor=anchor, transform=place)


def key_rows(key: Key, words: Words, room: float) -> list[tuple[Mark | None, str, Hue, bool]]:
    """Sample, words, look of the words, and whether they are bold, of each row of a key."""
    rows: list[tuple[Mark | None, str, Hue, bool]] = []
    for entry in key.entries:
        rows.append(
            (entry.sample, spelled(entry.text, words), entry.sample.look if entry.sample else INK, True)
        )
        rows.append((None, spelled(entry.detail, words), QUIET, False))
    for note in key.notes:
        rows += [
            (note.sample, spelled(note.text, words), QUIET, False),
            (None, spelled(note.detail, words), QUIET, False),
        ]
    return [
        (sample, "\n".join(wrapped(text, room / (1.1 if bold else 1.0), most=MOST_LINES)), hue, bold)
        for sample, text, hue, bold in rows
        if text
    ]


def _width(row: tuple[Any, str, Any, bool]) -> float:
    return max(map(width_of, row[1].split("\n"))) * (1.08 if row[3] else 1.0)


def ink(colour: str, look: Look) -> str:
    """The attribute of a colour: that of ink is the colour of the words around the figure."""
    return "currentColor" if look.name == "ink" else colour


def stroke(look: Look, name: str = "") -> dict[str, str]:
    """Attributes of a line."""
    return {"stroke": ink(look.colour, look), "class_": f"s-{look.name} {name}".strip()}


def fill(look: Look, name: str = "") -> dict[str, str]:
    """Attributes of an area."""
    return {"fill": ink(look.colour, look), "class_": f"f-{look.name} {name}".strip()}


def _number(value: Any) -> str:
    if isinstance(value, str):
        return value
    return (
        f"{float(value):.4f}".rstrip("0").rstrip(".")
        if abs(float(value)) < 10
        else f"{float(value):.1f}".removesuffix(".0")
    )
