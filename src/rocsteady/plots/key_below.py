"""A key under the axes, for figures whose axes are full: inside it would cover what it explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady.plots.given import flat_axes
from rocsteady.plots.marks import TEXT_SIZE, headed_key
from rocsteady.words import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 52
"""Letters in a line of a key under axes as wide as a column; a wider key would make the axes shrink."""
_LINE = 1.4
"""Height of a line of the key, in sizes of the text."""
_TICKS = 11.0
"""Points between the axes and the label of an axis that do not go by the size of the text."""


def axes_over_key(ax: Axes | None, width: float, height: float, n_lines: int, text_size: float) -> Axes:
    """The axes to draw in, or new ones with room for a key of so many lines under them.

    ``width`` and ``height`` are inches where text has the usual size; a figure that is made grows with it.
    """
    if ax is not None:
        return flat_axes(ax, width, height)
    scale = text_size / TEXT_SIZE
    made = flat_axes(None, width * scale, height * scale + _LINE * (n_lines + 0.8) * text_size / 72)
    made.set_anchor("N")  # square axes keep to the top, so that all room that is left is the key's
    return made


def key_below(ax: Axes, text_size: float, heading: str = "") -> None:
    """The key, under the label of the axis and about as far left as that of the other."""
    from matplotlib.transforms import ScaledTranslation

    figure = ax.figure
    assert figure is not None
    left, down = _TICKS + 2.0 * text_size, _TICKS + 2.9 * text_size
    shift = ScaledTranslation(-left / 72, -down / 72, figure.dpi_scale_trans)
    headed_key(
        ax,
        heading,
        text_size,
        loc="upper left",
        bbox_to_anchor=(0, 0),
        bbox_transform=ax.transAxes + shift,
        borderaxespad=0.0,
        borderpad=0.0,
        labelspacing=0.25,
        framealpha=0.0,
    )


def lines_of(labels: list[str]) -> int:
    """How many lines a key with these labels has."""
    return sum(1 + label.count("\n") for label in labels)


def cut(name: str, longest: int = LONGEST) -> str:
    r"""A name for a key, without its end if that is too long; a dollar sign starts no formula in it.

    >>> cut("naive Bayes", 8)
    'naive B…'
    """
    name = printable(name)
    name = name if len(name) <= longest else name[: longest - 1] + "…"
    return name.replace("$", r"\$")
