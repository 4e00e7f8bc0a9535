"""Figures and axes that write text as text, and that a notebook shows though no window knows them.

Loaded only when something is drawn, because Matplotlib's own classes are their parents.
"""

from __future__ import annotations

import io
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend_handler import HandlerLine2D
from mpl_toolkits.mplot3d import Axes3D  # type: ignore[import-untyped]

TEXT_AS_TEXT: Any = {"svg.fonttype": "none", "pdf.fonttype": 42, "ps.fonttype": 42}
"""A figure asks for these only while it is written, so they are set for that long."""
_FINE = 200
"""Dots per inch of the picture in a notebook, which is shown at half its size: sharp on any screen."""


def picture(figure: Any) -> tuple[bytes, dict[str, int]]:
    """The figure as a notebook shows it: PNG, and its width and height on the page."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=_FINE, metadata={"Software": None})
    width, height = (round(inches * _FINE / 2) for inches in figure.get_size_inches())
    return file.getvalue(), {"width": width, "height": height}


class _Shown:
    """Shows its figure where it is the last value of a notebook's cell."""

    def _repr_png_(self: Any) -> tuple[bytes, dict[str, int]]:
        return picture(self.get_figure())


class OwnAxes(_Shown, Axes):
    """Flat axes of an own figure."""


class OwnAxes3D(_Shown, Axes3D):  # type: ignore[misc]
    """Axes in space of an own figure."""


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
    """A figure known to no window and no list of figures; its files keep text as text."""

    def add_subplot(self, *args: Any, **options: Any) -> Any:
        """As Matplotlib's, of axes that a notebook shows."""
        return super().add_subplot(*args, **_with_own_axes(args, options))

    def add_axes(self, *args: Any, **options: Any) -> Any:
        """As Matplotlib's, of axes that a notebook shows."""
        return super().add_axes(*args, **_with_own_axes(args, options))

    def savefig(self, fname: Any, **options: Any) -> None:
        """As Matplotlib's, with text as text."""
        with rc_context(TEXT_AS_TEXT):
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
