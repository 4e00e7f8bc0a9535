"""Figures and axes that write text as text, and that a notebook shows though no window knows them.

They are black on white, without a grid, whatever style the user has set for figures of their own (the family
of letters is the user's); settings are given to each artist, because those of Matplotlib hold for everybody.
Loaded only when something is drawn, because Matplotlib's own classes are their parents.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from matplotlib import rc_context
from matplotlib._pylab_helpers import Gcf
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend_handler import HandlerLine2D
from matplotlib.ticker import NullLocator
from mpl_toolkits.mplot3d import Axes3D  # type: ignore[import-untyped]

TEXT_AS_TEXT: Any = {"svg.fonttype": "none", "pdf.fonttype": 42, "ps.fonttype": 42}
"""A figure asks for these only while it is written, so they are set for that long."""
_AS_DRAWN: Any = {"savefig.facecolor": "auto", "savefig.edgecolor": "auto", "savefig.bbox": None}
"""A file of an own figure has the size and the ground that the figure has."""
_ONE_WRITER = RLock()
"""Settings of Matplotlib hold for all threads: two that set and restore them at once would leave them set."""
_INK, _PAPER = "black", "white"
_FINE = 200
"""Dots per inch of the picture in a notebook, which is shown at half its size: sharp on any screen."""


@contextmanager
def while_written(figure: Any, settings: Any) -> Iterator[None]:
    """Settings for as long as a figure is written, after which its axes are where they were.

    A layout starts from where the last one has left the axes, so the same figure would be another file each
    time it is written.
    """
    with _ONE_WRITER, rc_context(settings):
        places = [(axes, axes.get_position(original=True), axes.get_position()) for axes in figure.axes]
        try:
            yield
        finally:
            for axes, original, active in places:
                axes._set_position(original, which="original")
                axes._set_position(active, which="active")


def picture(figure: Any) -> tuple[bytes, dict[str, int]]:
    """The figure as a notebook shows it: PNG, and its width and height on the page."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=_FINE, metadata={"Software": None})
    width, height = (round(inches * _FINE / 2) for inches in figure.get_size_inches())
    return file.getvalue(), {"width": width, "height": height}


def is_held_by_pyplot(figure: Any) -> bool:
    """Whether pyplot has the figure open, and so shows it itself."""
    return any(manager.canvas.figure is figure for manager in Gcf.get_all_fig_managers())


class _Shown:
    """Shows its figure where it is the last value of a notebook's cell, and nobody else shows it."""

    def _repr_png_(self: Any) -> tuple[bytes, dict[str, int]] | None:
        figure = self.get_figure()
        return None if is_held_by_pyplot(figure) else picture(figure)


class _Plain:
    """Black on white, whatever the style of other figures."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._make_plain()  # some settings are read after the axes were cleared

    def clear(self: Any) -> None:
        """As Matplotlib's, and plain again."""
        super().clear()  # type: ignore[misc]
        self._make_plain()

    def _make_plain(self: Any) -> None:
        self.set_facecolor(_PAPER)
        self.grid(False)
        self.tick_params(which="both", direction="out", color=_INK, labelcolor=_INK)
        for axis in self._axis_map.values():
            axis.label.set_color(_INK)
            axis.set_minor_locator(NullLocator())
            axis.grid(False, which="both")  # axes in space ask each axis too

    def text(self: Any, *args: Any, **options: Any) -> Any:
        """As Matplotlib's, black."""
        return super().text(*args, **_in_ink(options))  # type: ignore[misc]

    def annotate(self: Any, *args: Any, **options: Any) -> Any:
        """As Matplotlib's, black."""
        return super().annotate(*args, **_in_ink(options))  # type: ignore[misc]

    def set_title(self: Any, *args: Any, **options: Any) -> Any:
        """As Matplotlib's, black."""
        return super().set_title(*args, **_in_ink(options))  # type: ignore[misc]

    def legend(self: Any, *args: Any, **options: Any) -> Any:
        """As Matplotlib's, black and without a shadow."""
        return _plain_legend(super().legend(*args, **{**_LEGEND, **options}))  # type: ignore[misc]


class OwnAxes(_Shown, _Plain, Axes):
    """Flat axes of an own figure."""

    def inset_axes(self, *args: Any, **options: Any) -> Any:
        """As Matplotlib's, of plain axes."""
        return super().inset_axes(*args, **_with_own_axes((), options))

    def _make_plain(self) -> None:
        super()._make_plain()
        self.tick_params(which="both", top=False, right=False, bottom=True, left=True)
        self.tick_params(labeltop=False, labelright=False, labelbottom=True, labelleft=True)
        for spine in self.spines.values():
            spine.set(visible=True, edgecolor=_INK)


class OwnAxes3D(_Shown, _Plain, Axes3D):  # type: ignore[misc]
    """Axes in space of an own figure."""

    def _make_plain(self) -> None:
        super()._make_plain()
        for axis in self._axis_map.values():
            axis.set_pane_color((0.95, 0.95, 0.95, 0.5))
            axis.line.set_color(_INK)


_LEGEND: Any = {"labelcolor": _INK, "shadow": False}


def _plain_legend(legend: Any) -> Any:
    legend.get_title().set_color(_INK)
    return legend


def _in_ink(options: dict[str, Any]) -> dict[str, Any]:
    return options if {"color", "c"} & options.keys() else {**options, "color": _INK}


class Panels(tuple[Any, ...]):
    """Several axes of one figure, as a tuple that a notebook shows."""

    __slots__ = ()

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        return picture(self[0].get_figure())


class SpacedLine(HandlerLine2D):
    """Leaves room above a line of a key, so that one sees which words belong together."""

    def legend_artist(self, legend: Any, orig_handle: Any, fontsize: Any, handlebox: Any) -> Any:
        """As Matplotlib's, in a higher box."""
        drawn = super().legend_artist(legend, orig_handle, fontsize, handlebox)
        handlebox.height *= 1.5
        return drawn


class OwnFigure(Figure):
    """A figure known to no window and no list of figures, unless pyplot is told; files keep text as text."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"facecolor": _PAPER, "edgecolor": _PAPER, **options})

    def legend(self, *args: Any, **options: Any) -> Any:
        """As Matplotlib's, black and without a shadow."""
        return _plain_legend(super().legend(*args, **{**_LEGEND, **options}))

    def suptitle(self, t: str, **options: Any) -> Any:
        """As Matplotlib's, black."""
        return super().suptitle(t, **_in_ink(options))

    def add_subplot(self, *args: Any, **options: Any) -> Any:
        """As Matplotlib's, of axes that a notebook shows."""
        return super().add_subplot(*args, **_with_own_axes(args, options))

    def add_axes(self, *args: Any, **options: Any) -> Any:
        """As Matplotlib's, of axes that a notebook shows."""
        return super().add_axes(*args, **_with_own_axes(args, options))

    def savefig(self, fname: Any, **options: Any) -> None:
        """As Matplotlib's, with text as text."""
        with while_written(self, {**TEXT_AS_TEXT, **_AS_DRAWN}):
            super().savefig(fname, **options)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        return picture(self)


def _with_own_axes(given: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
    """The options, with an own class of axes where none was named."""
    if given and isinstance(given[0], Axes):  # axes that there are already
        return options
    options = dict(options)
    if options.get("projection") == "3d":
        del options["projection"]
        options["axes_class"] = OwnAxes3D
    elif not {"projection", "polar", "axes_class"} & options.keys():
        options["axes_class"] = OwnAxes
    return options
