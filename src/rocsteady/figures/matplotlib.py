"""Pictures drawn by Matplotlib: pyplot's figures, axes of the user, files."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocsteady.curves.from_scores import described
from rocsteady.errors import Option, fail
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
    rates_of,
    spelled,
    ticks_of,
    width_of,
    wrapped,
)
from rocsteady.figures.style import GROUND, GUIDE, INK, QUIET, TEXT_SIZE, Hue, Look
from rocsteady.options import one_number, whole_number, yes_or_no
from rocsteady.text import Words
from rocsteady.whole_files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "pdf", "svg")
_SMALLEST_TEXT, _LARGEST_TEXT, _MOST_DOTS = 3, 144, 2400
_EDGE = 4.0
"""Points between what is drawn and the edge of a figure."""
_ONE_WRITER = RLock()
"""Settings of Matplotlib hold for all threads: two that set and restore them at once would leave them set."""


# Doors --------------------------------------------------------------------------------------------------


def draw(picture: Picture, words: Words, *, text_size: float = TEXT_SIZE, ax: Any = None) -> Any:
    """Draw a picture on the axes that are given, or on a figure of pyplot's that is made.

    Returns
    -------
    matplotlib Axes, or tuple of them
        A tuple where the picture has several panels.
    """
    size = given_size(text_size)
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise fail("RS061.matplotlib") from error
        with _plain():
            made = pyplot.figure(**_sized(picture, size))
            drawn = _on_figure(made, picture, words, size)
    else:
        axes = _given_axes(ax, len(picture.panels))
        drawn = [
            _Drawing(own, picture, words, size).panel(p) for own, p in zip(axes, picture.panels, strict=True)
        ]
        if picture.key is not None:
            _Drawing(axes[0], picture, words, size).key(picture.panels[0], picture.key)
        if picture.title is not None and len(drawn) == 1:
            _Drawing(axes[0], picture, words, size).title(picture.title)
    return drawn[0] if len(drawn) == 1 else tuple(drawn)


def draw_in_space(
    ax: Any,
    clouds: Sequence[tuple[Points, Any]],
    axes: Sequence[Axis],
    key: Key,
    words: Words,
    *,
    view: tuple[float, float],
    title: str = "",
    text_size: float = TEXT_SIZE,
) -> Any:
    """Markers at places ``(n, 3)`` in axes of Matplotlib's that the mouse turns.

    Returns
    -------
    matplotlib Axes
    """
    size = given_size(text_size)
    drawing = _Drawing(ax, Picture(()), words, size)
    for number, (mark, places) in enumerate(clouds):
        look = drawing.look(mark.look)
        style = drawing._marker(look, mark, mark.size)
        ax.plot(*np.asarray(places).T, **style, label=f"_{mark.name}", zorder=2 + 0.01 * number)
    for name, axis in zip("xyz", axes, strict=True):
        getattr(ax, f"set_{name}lim")(axis.low, axis.high)
        label = getattr(ax, f"set_{name}label")(spelled(axis.label, words), fontsize=size, color=drawing.ink)
        literal(label)
        ax.tick_params(axis=name, labelsize=size - 1)
    ax.view_init(elev=view[1], azim=view[0])
    if title:
        literal(ax.set_title(title, fontsize=size + 1, loc="left", color=drawing.ink))
    room = drawing._side()[0] / (size - 1)
    drawing._legend(drawing._rows(key, room, ()), key, loc="upper left", bbox_to_anchor=(0.0, 0.0))
    return ax


def figure(picture: Picture, words: Words, *, text_size: float = TEXT_SIZE) -> Figure:
    """The picture as a figure of its own that pyplot does not know of, for files."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise fail("RS061.matplotlib") from error
    size = given_size(text_size)
    with _plain():
        made = Figure(**_sized(picture, size))
        _on_figure(made, picture, words, size)
    return made


def given_size(text_size: object) -> float:
    """The size of text, if it is one; RS042 otherwise."""
    size = one_number("text_size", text_size, example=8.0)
    if not _SMALLEST_TEXT <= size <= _LARGEST_TEXT:
        where = f"a number of points from {_SMALLEST_TEXT} to {_LARGEST_TEXT}"
        raise fail("RS042", name="text_size", where=where, found=size, ways=[Option("text_size", 8.0)])
    return size


def _given_axes(ax: Any, n: int) -> list[Axes]:
    """The axes to draw in; RS002 if they are in space, round, none, or not as many as there are panels."""
    given = list(np.ravel(np.asarray(ax, dtype=object)))
    for own in given:
        if getattr(own, "name", None) != "rectilinear" or not hasattr(own, "errorbar"):
            ways, found = ["ax=figure.add_subplot()", "or leave out  ax"], type(own).__name__
            raise fail("RS002.kind", name="ax", kind="flat axes of Matplotlib", found=found, ways=ways)
    if len(given) != n or len(set(map(id, given))) < n:
        raise fail("RS002.axes-each", n=n, found=len(set(map(id, given))))
    return given


@contextmanager
def _plain() -> Iterator[None]:
    """Figures that are made are black on white, without a grid, whatever style the user has set for others.

    The settings of Matplotlib are what they were before afterwards; the family of letters stays the user's.
    """
    from matplotlib import rc_context, rcParams, rcParamsDefault

    with _ONE_WRITER, rc_context():
        for name in rcParamsDefault:
            is_ours = name.startswith(
                ("axes", "xtick", "ytick", "grid", "legend", "figure", "lines", "patch", "hatch")
            )
            if (is_ours or name in ("text.color", "text.usetex", "font.size")) and name not in _KEPT:
                rcParams[name] = rcParamsDefault[name]
        yield


_KEPT = ("figure.max_open_warning", "figure.dpi", "figure.hooks", "figure.raise_window")


def _sized(picture: Picture, size: float) -> dict[str, Any]:
    """The size of a figure, high enough for now; it is cut to what it holds when that is drawn."""
    rows = -(-len(picture.panels) // picture.columns)
    width = picture.width * size / TEXT_SIZE
    tallest = max(panel.aspect / panel.wide for panel in picture.panels)
    return {
        "figsize": (width, rows * (width * tallest / picture.columns + 12 * size / 72)),
        "layout": "constrained",
    }


def _on_figure(made: Figure, picture: Picture, words: Words, size: float) -> list[Axes]:
    rows = -(-len(picture.panels) // picture.columns)
    wide = [panel.wide for panel in picture.panels[: picture.columns]]
    grid = made.add_gridspec(rows, picture.columns, width_ratios=wide)
    layout: Any = made.get_layout_engine()
    layout.set(w_pad=_EDGE / 72, h_pad=_EDGE / 72)
    drawn = []
    for number, panel in enumerate(picture.panels):
        own = made.add_subplot(grid[divmod(number, picture.columns)])
        own.set_anchor("N")
        drawn.append(_Drawing(own, picture, words, size, is_own=True).panel(panel))
    first = _Drawing(drawn[0], picture, words, size, is_own=True)
    if picture.title is not None:
        if len(drawn) == 1:
            first.title(picture.title)
        else:
            lines = wrapped(spelled(picture.title, words), 72 * picture.width / TEXT_SIZE)
            literal(made.suptitle("\n".join(lines), fontsize=size + 2, x=0.01, ha="left", color=first.ink))
    if picture.key is not None:
        if len(drawn) == 1:
            first.key(picture.panels[0], picture.key)
        else:
            first.shared_key(made, picture.key, 72 * picture.width / TEXT_SIZE)
    _cut(made)
    return drawn


def _cut(made: Figure) -> None:
    """Give a figure the height that it needs: cut off what its layout leaves empty, add what is missing."""
    engine: Any = made.get_layout_engine()
    for _ in range(3):
        engine.execute(made)
        box: Any = made.get_tightbbox()
        width, height = made.get_size_inches()
        spare = box.y0 - _EDGE / 72 + max(height - box.y1 - _EDGE / 72, 0)
        for legend in made.legends:  # it keeps to the lower edge
            boxes: Any = [own.get_tightbbox() for own in made.axes]
            lowest = min(own.y0 for own in boxes)
            spare += (lowest - legend.get_window_extent().y1) / made.dpi - 2 * _EDGE / 72
        grid: Any = made.axes[0].get_gridspec()
        if grid.nrows > 1:
            spare = _fit_rows(made, grid)
        if abs(spare) < 0.01:
            return
        made.set_size_inches(width, height - spare)


def _fit_rows(made: Figure, grid: Any) -> float:
    """Give every row of panels its share of the height, and say how many inches all rows leave empty."""
    height, rooms, needs = made.get_figheight(), np.zeros(grid.nrows), np.zeros(grid.nrows)
    for own in made.axes:
        spec, box, place = own.get_subplotspec(), own.get_tightbbox(), own.get_position(original=True)
        assert spec is not None
        assert box is not None
        row = spec.rowspan.start
        rooms[row] = place.height * height
        needs[row] = max(needs[row], place.y1 * height - box.y0 / made.dpi)
    grid.set_height_ratios(needs)
    return float(rooms.sum() - needs.sum())


def literal(text: Any) -> Any:
    """Words in which nothing starts a formula, also not of TeX."""
    text.set_parse_math(False)
    text.set_usetex(False)
    return text


# Drawing ------------------------------------------------------------------------------------------------


class _Row(NamedTuple):
    """A line of a key."""

    handle: Any
    text: str
    colour: str
    is_bold: bool
    is_note: bool


class _Drawing:
    """One panel on its axes."""

    def __init__(
        self, ax: Axes, picture: Picture, words: Words, size: float, *, is_own: bool = False
    ) -> None:
        self.ax, self.picture, self.words, self.size, self.is_own = ax, picture, words, size, is_own
        self.scale = size / TEXT_SIZE
        self.turned = 0.0  # points that upright names take below the axes
        self.look: Callable[[Hue], Look] = picture.looker(words)
        self.ground = _ground(ax)
        self.is_dark = (
            sum(_rgb(self.ground)[k] * share for k, share in enumerate((0.2126, 0.7152, 0.0722))) < 0.4
        )

    @property
    def ink(self) -> str:
        """Of axes and words."""
        return self.colour(INK)

    def colour(self, hue: Hue, *, of_text: bool = False) -> str:
        """A look's colour on this ground."""
        look = self.look(hue)
        if look is GROUND:
            return self.ground
        return look.dark if self.is_dark else look.text if of_text else look.colour

    def panel(self, panel: Panel) -> Axes:
        """Everything in it; axes first, because what is drawn goes by their scales."""
        ax = self.ax
        x, y, right = panel.axes
        self.there = {own.get_label() for own in ax.lines}
        ax.set(xscale="linear", yscale="linear")  # of what was drawn there before
        self._dress(ax.xaxis, x, "x")
        self._dress(ax.yaxis, y, "y")
        ax.set_box_aspect(panel.aspect)
        ax.grid(False)
        ax.set_axisbelow(True)
        twin: Any = None
        if right is not None:
            twin = ax.twinx()
            twin.set_box_aspect(panel.aspect)
            twin.set_anchor("N" if self.is_own else ax.get_anchor())
            self._dress(twin.yaxis, right, "y")
            twin.grid(False)
        for spine_of, sides in ((ax, ("left", "bottom")), (twin, ("right",))):
            if spine_of is not None:
                for side, spine in spine_of.spines.items():
                    # under the marks: curves run along the axes
                    below = {"linewidth": 0.8 * self.scale, "edgecolor": self.ink, "zorder": 1.9}
                    spine.set(visible=side in sides, **below)
        for axis, side, own in ((x, "bottom", ax), (y, "left", ax), (right, "right", twin)):
            if axis is not None:
                own.spines[side].set_visible(axis.is_shown)
                if axis.bounds is not None:
                    own.spines[side].set_bounds(*axis.bounds)
        n_before = sum(len(own) for own in (ax.lines, ax.collections, ax.patches, ax.texts))
        for number, mark in enumerate(panel.marks):
            self._draw(
                twin if mark.is_right and twin is not None else ax,
                panel,
                mark,
                2 + 0.01 * (number + n_before),
            )
        if panel.title is not None:
            self.title(panel.title, smaller=0.0)
        if panel.key is not None:
            self.key(panel, panel.key)
        return ax

    def title(self, title: Any, *, smaller: float = -1.0) -> None:
        """Above the axes, at the left; a long one on several lines."""
        figure: Any = self.ax.figure
        room = 72 * (
            figure.get_size_inches()[0] if hasattr(figure, "get_size_inches") else self._side()[0] / 72
        )
        share = self.ax.get_position().width if len(figure.axes) > 1 else 0.8
        lines = wrapped(spelled(title, self.words), share * room / (self.size - smaller))
        literal(self.ax.set_title("\n".join(lines), fontsize=self.size - smaller, loc="left", color=self.ink))

    def _side(self) -> tuple[float, float]:
        """Width and height of the axes in points, about: a layout that is still to come changes them."""
        figure: Any = self.ax.figure
        box, dpi = self.ax.get_window_extent(), figure.dpi
        return 72 * box.width / dpi, 72 * box.height / dpi

    def _dress(self, own: Any, axis: Axis, name: str) -> None:
        ax, is_upright = own.axes, name == "y"
        own.set_ticks([])
        if axis.scale == "log":
            getattr(ax, f"set_{name}scale")("log")
        elif axis.scale == "probit":
            getattr(ax, f"set_{name}scale")("function", functions=(_deviates, rates_of))
        getattr(ax, f"set_{name}lim")(axis.low, axis.high)
        own.set_label_text(spelled(axis.label, self.words), fontsize=self.size, color=self.ink)
        literal(own.label)
        room = self._side()[is_upright] / self.size
        major, minor = ticks_of(axis, room, is_upright=is_upright)
        names = [axis.tick(value, self.words).replace("$", r"\$") for value in major]
        own.set_ticks(list(major), names)
        own.set_ticks(list(minor), minor=True)
        own.set_tick_params(
            which="major", labelsize=self.size - 1, width=0.8 * self.scale, length=3.5 * self.scale,
            color=self.ink, labelcolor=self.ink, direction="out",
        )  # fmt: skip
        own.set_tick_params(
            which="minor", width=0.6 * self.scale, length=2 * self.scale, color=self.ink, direction="out"
        )
        if not is_upright:
            own.set_tick_params(which="both", bottom=True, top=False, labelbottom=True, labeltop=False)
            if collide(axis, names, room):
                self.turned = (self.size - 1) * max(map(width_of, names))
                for label in own.get_ticklabels():
                    label.set(rotation=90)
        for label in own.get_ticklabels():
            label.set_usetex(False)
        if not axis.is_shown:
            own.set_tick_params(which="both", length=0)

    def _line(self, look: Look, mark: Any, *, of_bar: bool = False) -> dict[str, Any]:
        dash = look.dash if getattr(mark, "dash", None) is None or of_bar else mark.dash
        width = (mark.bar_width if of_bar else mark.width) * self.scale
        style: dict[str, Any] = {"color": self.colour(look), "linewidth": width, "alpha": mark.alpha}
        if of_bar:
            return {**style, "linestyle": "-"}
        return {**style, "linestyle": (0, tuple(dash)) if dash else "-"}

    def _draw(self, ax: Any, panel: Panel, mark: Mark, zorder: float) -> None:  # noqa: PLR0912 - one a mark
        look, up = self.look(mark.look), panel.up(mark)
        common: dict[str, Any] = {"zorder": zorder, "label": f"_{mark.name or type(mark).__name__.lower()}"}
        area = {"facecolor": self.colour(look), "alpha": mark.alpha, **common}
        match mark:
            case Line() if mark.look is GUIDE and common["label"] in self.there:
                pass  # an earlier figure in these axes has drawn it
            case Line():
                ends = panel.axes[0], up
                clip = not all((own.low, own.high, own.scale) == (0, 1, "linear") for own in ends)
                cap = {
                    "solid_capstyle": "butt",
                    "dash_capstyle": "butt",
                    "solid_joinstyle": "round",
                    "clip_on": clip,
                }
                ax.plot(*panel.path(mark.x, mark.y, up=up), **self._line(look, mark), **cap, **common)
            case Faint():
                self._faint(ax, panel, mark, look, common)
            case Band():
                self._polygons(ax, list(panel.outlines(mark)), area)
            case Region():
                self._polygons(
                    ax,
                    [panel.path(mark.x, mark.y, up=up)],
                    area,
                    mark.outline,
                    mark.is_hatched and look.hatch,
                )
            case Points():
                self._points(ax, panel, mark, look, common)
            case Bars():
                at, to, width, base = np.broadcast_arrays(mark.at, mark.to, mark.width, mark.base)
                lies = (ax.bar, "bottom") if mark.along == "y" else (ax.barh, "left")
                sized = {"width" if mark.along == "y" else "height": width, lies[1]: base}
                lies[0](at, to - base, **sized, **self._edged(look, mark, common))
            case Segments() if mark.head:
                self._arrows(ax, mark, look, common)
            case Segments():
                strokes = np.broadcast(mark.x0, mark.y0, mark.x1, mark.y1)
                paths = [panel.path([a, c], [b, d], up=up) for a, b, c, d in strokes]
                broken = [
                    np.concatenate([np.append(own[k], np.nan) for own in paths]) for k in (0, 1) if paths
                ]
                if broken:
                    ax.plot(*broken, **self._line(look, mark), solid_capstyle="butt", **common)
            case Rule(x, y):
                rule = ax.axhline if x is None else ax.axvline
                rule(y if x is None else x, **self._line(look, mark), **common)
            case Span():
                span = ax.axvspan if mark.along == "x" else ax.axhspan
                span(mark.low, mark.high, *mark.within, **self._edged(look, mark, common))
            case Cells():
                self._cells(ax, mark, common)
            case Label():
                self._label(ax, mark, common)

    def _arrows(self, ax: Any, mark: Segments, look: Look, common: dict[str, Any]) -> None:
        from matplotlib.patches import FancyArrowPatch

        length, dash = mark.head * self.scale, look.dash if mark.dash is None else mark.dash
        style: dict[str, Any] = {
            "arrowstyle": f"-|>,head_length={length},head_width={0.4 * length}", "mutation_scale": 1,
            "shrinkA": 0, "shrinkB": 0, "color": self.colour(look), "alpha": mark.alpha,
            "linewidth": mark.width * self.scale, "linestyle": (0, tuple(dash)) if dash else "-",
            "joinstyle": "miter", "capstyle": "butt", "clip_on": False,
        }  # fmt: skip
        for a, b, c, d in np.broadcast(mark.x0, mark.y0, mark.x1, mark.y1):
            ax.add_patch(FancyArrowPatch((a, b), (c, d), **style, **common))

    def _edged(self, look: Look, mark: Any, common: dict[str, Any]) -> dict[str, Any]:
        """A filling, its hatch in the colour of the ground, its outline in ink."""
        style = {
            "facecolor": self.colour(look),
            "alpha": mark.alpha,
            "linewidth": mark.outline * self.scale,
            **common,
        }
        if mark.is_hatched and look.hatch:
            return {**style, "hatch": look.hatch, "edgecolor": self.ground}
        return {**style, "edgecolor": self.colour(QUIET) if mark.outline else "none"}

    def _faint(self, ax: Any, panel: Panel, mark: Faint, look: Look, common: dict[str, Any]) -> None:
        from matplotlib.collections import LineCollection

        few = evenly(mark.paths)
        alpha = faintness(len(few)) if mark.alpha == 1 else mark.alpha
        paths = [np.column_stack(panel.path(*own, up=panel.up(mark))) for own in few]
        dash = (0, look.dash) if look.dash else "-"
        style: Any = {
            "colors": [self.colour(look)],
            "linewidths": mark.width * self.scale,
            "linestyles": [dash],
        }
        ax.add_collection(LineCollection(paths, alpha=alpha, **style, **common), autolim=False)

    def _polygons(
        self, ax: Any, outlines: list[Any], area: dict[str, Any], outline: float = 0.0, hatch: Any = ""
    ) -> None:
        from matplotlib.collections import PolyCollection

        corners = [np.column_stack(own) for own in outlines if np.isfinite(own).all()]
        if corners:
            edge: Any = (*_rgb(area["facecolor"]), 1.0) if outline else self.ground if hatch else "none"
            face: Any = (*_rgb(area["facecolor"]), area["alpha"])
            rest = {name: own for name, own in area.items() if name not in ("facecolor", "alpha")}
            found = PolyCollection(
                corners,
                facecolors=[face],
                edgecolors=[edge],
                linewidths=outline * self.scale,
                hatch=hatch or None,
                **rest,
            )
            ax.add_collection(found, autolim=False)

    def _points(self, ax: Any, panel: Panel, mark: Points, look: Look, common: dict[str, Any]) -> None:
        from matplotlib.transforms import ScaledTranslation

        up = panel.up(mark)
        x, y = (np.ravel(np.asarray(own, dtype=float)) for own in (mark.x, mark.y))
        bar = look if mark.bar is None else self.look(mark.bar)
        right, above = (own * self.scale / 72 for own in mark.shift)
        shift: Any = ax.transData
        if right or above:
            shift = ax.transData + ScaledTranslation(right, above, ax.figure.dpi_scale_trans)
        style = {**self._line(bar, mark, of_bar=True), "zorder": common["zorder"], "label": "_interval"}
        style |= {"solid_capstyle": "butt", "transform": shift}
        for limits, is_up in ((mark.x_limits, False), (mark.y_limits, True)):
            if limits is None:
                continue
            low, high = (np.ravel(np.asarray(own, dtype=float)) for own in limits)
            cap = (
                {"marker": "_" if is_up else "|", "markersize": 2 * mark.capsize * self.scale}
                if mark.capsize
                else {}
            )
            for k in np.flatnonzero(np.isfinite(low + high)):
                ends = [low[k], high[k]]
                path = panel.path([x[k]] * 2, ends, up=up) if is_up else panel.path(ends, [y[k]] * 2, up=up)
                ax.plot(*path, **style, **cap)
        shape = look.marker if mark.marker is None else mark.marker
        places = panel.places(mark)
        if not shape or not places:
            return
        seen_x, seen_y = zip(*places, strict=True)
        marker = self._marker(look, mark, mark.size)
        ax.plot(seen_x, seen_y, **marker, clip_on=False, **common)

    def _marker(self, look: Look, mark: Points, size: float) -> dict[str, Any]:
        """Filled with an edge in the colour of the ground, or the other way round."""
        shape = look.marker if mark.marker is None else mark.marker
        inside, edge = self.colour(look), self.colour(look) if shape in ("x", "|", "_") else self.ground
        if mark.is_open:
            inside, edge = edge, inside
        return {
            "marker": shape, "markersize": size * self.scale,
            "linestyle": "none", "color": self.colour(look), "alpha": mark.alpha,
            "markerfacecolor": inside, "markeredgecolor": edge,
            "markeredgewidth": (1.0 if mark.is_open else min(0.8, 0.15 * mark.size)) * self.scale,
        }  # fmt: skip

    def _cells(self, ax: Any, mark: Cells, common: dict[str, Any]) -> None:
        values = np.asarray(mark.values)
        shades = np.ones(values.shape) if mark.shades is None else np.asarray(mark.shades, dtype=float)
        colours = np.zeros((*values.shape, 4))
        for number, hue in enumerate(mark.looks):
            colours[values == number, :3] = _rgb(self.colour(hue))
        colours[..., 3] = np.where(values >= 0, mark.alpha * np.nan_to_num(shades), 0.0)
        ax.pcolormesh(mark.x, mark.y, colours, **common, linewidth=0, rasterized=values.size > 10_000)

    def _label(self, ax: Any, mark: Label, common: dict[str, Any]) -> None:
        place: Any = {
            "xycoords": ax.transAxes if mark.space == "share" else "data",
            "textcoords": "offset points",
        }
        aligned = {"ha": {"middle": "center"}.get(mark.across, mark.across)}
        aligned["va"] = {"middle": "center"}.get(mark.up, mark.up)
        style = {
            "fontsize": self.size - mark.smaller * self.scale,
            "fontweight": "bold" if mark.is_bold else "normal",
            "rotation": 90 if mark.is_turned else 0,
        }
        off = tuple(own * self.scale for own in mark.off)
        text = ax.annotate(
            spelled(mark.text, self.words), (mark.x, mark.y), off, color=self.colour(mark.look, of_text=True),
            alpha=mark.alpha, annotation_clip=False, **place, **aligned, **style, **common,
        )  # fmt: skip
        literal(text)

    # The key

    def key(self, panel: Panel, key: Key) -> Any:
        """In the first free corner, by Matplotlib's legend; else below, where the layout makes room."""
        side, before = self._side()[0] / (self.size - 1), self._earlier()
        rows = self._rows(key, INSIDE * side, before)
        for corner in key.corners:
            legend = self._legend(rows, key, loc=corner)
            if self._is_free(panel, legend):
                return legend
        from matplotlib.transforms import ScaledTranslation

        figure: Any = self.ax.figure

        down = (3.4 if spelled(panel.x.label, self.words) else 1.8) * self.size
        down += max(self.turned - self.size, 0.0)
        left = 3.0 * self.size if self.is_own else 0.0  # under the numbers of the other axis
        shift = ScaledTranslation(-left / 72, -down / 72, figure.dpi_scale_trans)
        place = {"bbox_to_anchor": (0.0, 0.0), "bbox_transform": self.ax.transAxes + shift}
        rows = self._rows(key, side + left / (self.size - 1) - 3.0, before)
        legend = self._legend(rows, key, loc="upper left", **place)
        if not self.is_own and figure.get_layout_engine() is None:  # nothing else makes room
            self.ax.set_anchor("N")
            x, y, width, height = self.ax.get_position(original=True).bounds
            lift = min(legend.get_window_extent().height / figure.bbox.height, 0.6 * height)
            self.ax.set_position((x, y + lift, width, height - lift))
        return legend

    def shared_key(self, figure: Figure, key: Key, room: float) -> None:
        """Under all panels."""
        rows = self._rows(key, 0.46 * room, ())
        self._legend(rows, key, of=figure, loc="outside lower left", ncols=2)

    def _rows(self, key: Key, room: float, before: Sequence[_Row]) -> list[_Row]:
        """The lines of a key, after those that stand there already; what these say is not said again."""
        from matplotlib.lines import Line2D

        rows: list[_Row] = []

        def add(text: Any, sample: Mark | None, hue: Hue, *, is_note: bool, is_bold: bool = False) -> None:
            written = spelled(text, self.words)
            if written:
                handle = Line2D([], [], linestyle="none") if sample is None else self._handle(sample)
                words = "\n".join(wrapped(written, room / (1.1 if is_bold else 1.0), most=MOST_LINES))
                rows.append(_Row(handle, words, self.colour(hue, of_text=True), is_bold, is_note))

        for entry in key.entries:
            look = entry.sample.look if entry.sample else INK
            add(entry.text, entry.sample, look, is_note=False, is_bold=True)
            add(entry.detail, None, QUIET, is_note=False)
        for note in key.notes:
            add(note.text, note.sample, QUIET, is_note=True)
            add(note.detail, None, QUIET, is_note=True)
        said = {own.text for own in before if own.is_note}
        rows = [*before, *(own for own in rows if not (own.is_note and own.text in said))]
        return sorted(rows, key=lambda own: own.is_note)

    def _earlier(self) -> list[_Row]:
        """Lines of a key that these axes have: of an earlier figure, or of the user."""
        legend: Any = self.ax.get_legend()
        if legend is None or hasattr(legend, "_rows"):
            return list(getattr(legend, "_rows", ()))
        drawn = zip(*self.ax.get_legend_handles_labels(), strict=True)
        return [_Row(handle, text, self.ink, is_bold=False, is_note=True) for handle, text in drawn]

    def _handle(self, mark: Mark) -> Any:
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        look = self.look(mark.look)
        match mark:
            case Points():
                shape = look.marker if mark.marker is None else mark.marker
                if not shape:
                    return Line2D([], [], **self._line(look, mark, of_bar=True))
                return Line2D([], [], **self._marker(look, mark, 0.9 * mark.size))
            case Line() | Segments() | Rule() | Faint():
                line = self._line(look, mark)
                if isinstance(mark, Faint):
                    line |= {"alpha": 0.5 if mark.alpha == 1 else mark.alpha, "linewidth": 0.7 * self.scale}
                return Line2D([], [], **line)
            case Bars() | Span():
                return Patch(**self._edged(look, mark, {}))
        edge = (*_rgb(self.colour(look)), 1.0) if getattr(mark, "outline", 0) else "none"
        return Patch(
            facecolor=(*_rgb(self.colour(look)), mark.alpha), edgecolor=edge, linewidth=0.8 * self.scale
        )

    def _legend(self, rows: Sequence[_Row], key: Key, *, of: Any = None, **place: Any) -> Any:
        settings: dict[str, Any] = {
            "title": spelled(key.title, self.words) or None, "title_fontsize": self.size - 1,
            "fontsize": self.size - 1, "alignment": "left", "labelspacing": 0.25, "handlelength": 2.4,
            "handletextpad": 0.6, "borderaxespad": 0.2, "borderpad": 0.2, "frameon": False, "shadow": False,
        }  # fmt: skip
        handles, texts = [own.handle for own in rows], [own.text for own in rows]
        legend: Any = (of or self.ax).legend(handles, texts, **settings, **place)
        legend.set_zorder(7)
        legend.get_title().set_color(self.colour(QUIET))
        for text, row in zip(legend.get_texts(), rows, strict=True):
            text.set(color=row.colour, fontweight="bold" if row.is_bold else "normal")
        for text in (legend.get_title(), *legend.get_texts()):
            literal(text)
            # A line under a word must not be taken for part of it; a frame would hide more than that.
            text.set_bbox({"facecolor": self.ground, "edgecolor": "none", "alpha": 0.75, "pad": 0.4})
        legend._rows = tuple(rows)
        return legend

    def _is_free(self, panel: Panel, legend: Any) -> bool:
        """Whether the key, as it is drawn, covers nothing that must be seen."""
        figure: Any = self.ax.figure
        if self.is_own:
            figure.get_layout_engine().execute(figure)
        self.ax.apply_aspect()
        box = legend.get_window_extent().transformed(self.ax.transAxes.inverted())
        if not (box.width < 1 and box.height < 0.75):
            return False
        return panel.is_free((box.x0 - 0.01, box.y0 - 0.01, box.x1 + 0.01, box.y1 + 0.015))


def _deviates(rates: Any) -> Any:
    """Normal deviates of whatever the axes ask for; 0 and 1 lie far away, not at infinity."""
    from scipy.special import ndtri

    return ndtri(np.clip(np.asarray(rates, dtype=float), 1e-15, 1 - 1e-15))


def _rgb(colour: Any) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    return to_rgb(colour)


def _ground(ax: Axes) -> str:
    """The colour behind the marks: of the axes, of the figure where these are clear, white where both are."""
    from matplotlib.colors import to_hex, to_rgba

    figure: Any = ax.figure
    for patch in (ax.patch, getattr(figure, "patch", None)):
        if patch is not None and patch.get_visible() and to_rgba(patch.get_facecolor())[3] > 0.5:
            return to_hex(patch.get_facecolor())
    return "#ffffff"


# Files --------------------------------------------------------------------------------------------------


def rendered(figure: Figure, kind: str, *, dpi: int = 150) -> bytes:
    """The figure as a file; text stays text, and the same figure gives the same bytes."""
    from matplotlib import rc_context

    dates: dict[str, dict[str, Any]] = {
        "png": {"Software": None},
        "pdf": {"CreationDate": None},
        "svg": {"Date": None},
    }
    settings: Any = {
        "svg.fonttype": "none", "pdf.fonttype": 42, "ps.fonttype": 42, "svg.hashsalt": "rocsteady",
        "savefig.facecolor": "auto", "savefig.edgecolor": "auto", "savefig.bbox": None,
    }  # fmt: skip
    file = io.BytesIO()
    with _ONE_WRITER, rc_context(settings):
        # A layout starts from where the last one has left the axes; the next file should be the same.
        places = [(own, own.get_position(original=True), own.get_position()) for own in figure.axes]
        try:
            figure.savefig(file, format=kind, dpi=dpi, metadata=dates[kind])
        finally:
            for axes, original, active in places:
                axes._set_position(original, which="original")  # type: ignore[attr-defined]
                axes._set_position(active, which="active")  # type: ignore[attr-defined]
    return file.getvalue()


def save(drawn: Any, path: str | os.PathLike[str], *, dpi: int = 300, overwrite: bool = True) -> Path:
    """Write a figure to a file; its ending says what kind: ``.png``, ``.pdf`` or ``.svg``.

    Text stays text in PDF and SVG, and a figure that is made again gives the same bytes. The file is written
    under another name first, so nobody ever sees half of one.

    Parameters
    ----------
    drawn : Axes, Figure or display
        What a function of ``rs.plot`` gave, or any figure of Matplotlib; of several axes their figure. A
        :class:`rocsteady.RocAverageDisplay`, or one of scikit-learn's.
    path : str or path
        Where; the folder must exist.
    dpi : int
        Dots per inch of a PNG.
    overwrite : bool
        Whether a file that is there is replaced.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    UsageError
        RS002 for anything but axes or a figure; RS054 for another ending; RS003 for a file in the way; RS042
        for a number of dots that is none.
    FileError
        RS055 if the file cannot be written.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from tempfile import TemporaryDirectory
    >>> axes = rs.plot.roc(rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1]), interval=False)
    >>> with TemporaryDirectory() as folder:
    ...     rs.plot.save(axes, f"{folder}/curve.pdf").name
    'curve.pdf'
    """
    figure = _figure_of(drawn)
    path = _given_path(path)
    kind = path.suffix.removeprefix(".").casefold()
    if kind not in FORMATS:
        way = f"rs.plot.save(axes, {str(path.with_suffix('.pdf'))!r})"
        raise fail("RS054.ending", path=path, known=", ".join(f".{own}" for own in FORMATS), ways=[way])
    dots = whole_number("dpi", dpi, least=1, example=300)
    if dots > _MOST_DOTS:
        raise fail("RS042", name="dpi", where=f"at most {_MOST_DOTS}", found=dots, ways=[Option("dpi", 300)])
    may_replace = yes_or_no("overwrite", overwrite)
    if not os.path.isdir(path.parent):  # also False of names that are too long
        raise fail("RS055.no-folder", path=path, folder=path.parent)
    if os.path.exists(path) and not (may_replace and path.is_file()):
        raise fail("RS003.exists", path=path, is_file=path.is_file())
    content = rendered(figure, kind, dpi=dots)
    try:
        write_whole(path, content)
    except OSError as error:
        raise fail("RS055.system", path=path, reason=error.strerror or error) from error
    return path


def _figure_of(drawn: Any) -> Figure:
    """The figure of axes, of an array of axes of one figure, of a display, or the figure itself."""
    if isinstance(drawn, np.ndarray | list | tuple) and len(drawn):
        drawn = np.ravel(np.asarray(drawn, dtype=object))[0]
    drawn = getattr(drawn, "figure_", drawn)
    root: Any = drawn.get_figure() if hasattr(drawn, "get_figure") else drawn
    while root is not None and not hasattr(root, "savefig"):  # axes of a part of a figure
        parent = getattr(root, "figure", None)
        root = None if parent is root else parent
    if root is None:
        way, found = "rs.plot.save(rs.plot.roc(curve), 'curve.pdf')", described(drawn)
        raise fail("RS002.kind", name="what is saved", kind="axes or a figure", found=found, ways=[way])
    return root  # type: ignore[no-any-return]


def _given_path(path: object) -> Path:
    """The path, if it is one; RS002 otherwise."""
    if isinstance(path, str | os.PathLike) and "\0" not in os.fspath(path) and Path(path).name:
        return Path(path)
    way, found = "rs.plot.save(axes, 'curve.pdf')", described(path)
    raise fail("RS002.kind", name="path", kind="the name of a file", found=found, ways=[way])
