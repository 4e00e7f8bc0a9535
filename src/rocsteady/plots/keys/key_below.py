"""A key under the axes, for figures whose axes are full: inside it would cover what it explains.

A slide is wide and not high: with large text the key of a figure that is made here stands beside the axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.plots.given.values import flat_axes
from rocsteady.plots.parts.marks import headed_key, scale_of
from rocsteady.plots.parts.short_names import no_formula
from rocsteady.words import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 52
"""Letters in a line of a key under axes as wide as a column; a wider key would make the axes shrink."""
SLIDE = 12.0
"""Points of text from which a figure is one for a slide."""
LINE = 1.4
"""Height of a line of the key, in sizes of the text."""
_EDGE = 5.0
"""Points between a key and the edge of a figure."""
_MOST_LIFT = 0.6
"""Share of the height that axes may lose to a key."""
_TICKS = 11.0
"""Points between the axes and the label of an axis that do not go by the size of the text."""


def axes_over_key(ax: Axes | None, width: float, height: float, n_lines: int, text_size: float) -> Axes:
    """The axes to draw in, or new ones with room for a key of so many lines under or beside them.

    ``width`` and ``height`` are inches where text has the usual size; a figure that is made grows with it.
    """
    if ax is not None:
        return flat_axes(ax, width, height)
    scale = scale_of(text_size)
    if text_size >= SLIDE:
        made = flat_axes(None, width, height, text_size)
        put_beside(made, LONGEST / 2 * text_size, text_size)
        return made
    made = flat_axes(None, width * scale, height * scale + LINE * (n_lines + 0.8) * text_size / 72)
    made.set_anchor("N")  # square axes keep to the top, so that all room that is left is the key's
    return made


def key_below(ax: Axes, text_size: float, heading: str = "", *, flush: bool = False, **options: Any) -> None:
    """The key, under the label of the axis and about as far left as that of the other, or as the axes."""
    headed_key(ax, heading, text_size, **{**below(ax, text_size, flush=flush), **options})
    figure, legend = ax.figure, ax.get_legend()
    if hasattr(figure, "_width_alone"):  # now it is known how wide the key is
        assert figure is not None
        assert legend is not None
        put_beside(ax, 72 * legend.get_window_extent().width / figure.dpi, text_size)
    make_room(ax)
    trim(ax)


def trim(ax: Axes) -> None:
    """Cut off what is empty under a key of an own figure, or add what the key is longer."""
    figure: Any = ax.figure
    legend = ax.get_legend()
    is_own = hasattr(figure, "_repr_png_") and len(figure.axes) == 1 and not hasattr(figure, "_width_alone")
    if legend is None or not is_own:
        return
    figure.get_layout_engine().execute(figure)
    ax.apply_aspect()
    spare = (legend.get_window_extent().y0 - figure.bbox.y0) / figure.dpi - _EDGE / 72
    if abs(spare) > 1e-3:
        across, up = figure.get_size_inches()
        figure.set_size_inches(across, up - spare)


def put_beside(ax: Axes, width: float, text_size: float) -> None:
    """Make an own figure wider, so that a key of this width in points has room beside the axes."""
    figure: Any = ax.figure
    across, up = figure.get_size_inches()
    figure._width_alone = getattr(figure, "_width_alone", across)
    figure.set_size_inches(figure._width_alone + (width + 4 * text_size) / 72, up)
    ax.set_anchor("W")  # square axes keep to the left, so that all room that is left is the key's


def make_room(ax: Axes) -> None:
    """Raise the lower edge of axes if no layout does it and the key would leave the figure."""
    figure, legend = ax.figure, ax.get_legend()
    if figure is None or legend is None or figure.get_layout_engine() is not None:
        return
    ax.apply_aspect()
    edge = _EDGE / 72 * figure.dpi
    missing = edge - legend.get_window_extent().y0 + _next_below(ax, figure)
    if missing > 0:
        ax.set_anchor("N")  # square axes in a narrow place: first to its top
        ax.apply_aspect()
        missing = max(edge - legend.get_window_extent().y0 + _next_below(ax, figure), 0)
        x, y, width, height = ax.get_position(original=True).bounds
        lift = min(ax.get_position().y0 - y + missing / figure.bbox.height, _MOST_LIFT * height)
        ax.set_position((x, y + lift, width, height - lift))


def _next_below(ax: Axes, figure: Any) -> float:
    """Where the next axes below end, or the figure does."""
    box = ax.bbox
    others = [
        own.bbox for own in figure.axes if own is not ax and own.bbox.x0 < box.x1 and box.x0 < own.bbox.x1
    ]
    return float(max([figure.bbox.y0, *(own.y1 for own in others if own.y1 <= box.y0)]))


def below(ax: Axes, text_size: float, *, flush: bool = False) -> dict[str, Any]:
    """Options of a legend that put it there, or beside the axes of a slide."""
    from matplotlib.transforms import ScaledTranslation

    figure = ax.figure
    assert figure is not None
    corner = (0, 0)
    left, down = 0.0 if flush else _TICKS + 2.0 * text_size, _TICKS + 2.9 * text_size
    if hasattr(figure, "_width_alone"):
        corner, left, down = (1, 1), -1.2 * text_size, 0.0
    shift = ScaledTranslation(-left / 72, -down / 72, figure.dpi_scale_trans)
    return {
        "loc": "upper left",
        "bbox_to_anchor": corner,
        "bbox_transform": ax.transAxes + shift,
        "borderaxespad": 0.0,
        "borderpad": 0.0,
        "labelspacing": 0.25,
        "framealpha": 0.0,
    }


def lines_of(labels: list[str]) -> int:
    """How many lines a key with these labels has."""
    return sum(1 + label.count("\n") for label in labels)


def cut(name: str, longest: int = LONGEST) -> str:
    r"""A name for a key, without its end if that is too long; a dollar sign starts no formula in it.

    >>> cut("naive Bayes", 8)
    'naive B…'
    """
    return no_formula(shortened(name, longest))


def shortened(name: str, longest: int = LONGEST) -> str:
    """A name without its end if that is too long, for words in which nothing starts a formula."""
    name = printable(name)
    return name if len(name) <= longest else name[: longest - 1] + "…"
