"""How the papers' own figures look; they draw with Matplotlib what no other figure shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.errors import fail
from rocsteady.figures.matplotlib import rendered
from rocsteady.figures.style import LOOKS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY = (own.colour for own in LOOKS)
BLACK, GREY = "#000000", "#7F7F7F"
TEXT = 9


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise fail("RS061.matplotlib") from error
    return Figure(figsize=(width, height), layout="constrained")


def dress(axes: Axes, title: str, *, furthest: float = 1.0) -> None:
    """A ROC plot: square, no grid, thin spines, the chance line dotted."""
    axes.plot([0, 1], [0, 1], ":", color="0.6", linewidth=1, zorder=0, label="_chance")
    axes.set(xlim=(0, furthest), ylim=(0, 1))
    if furthest == 1.0:
        axes.set_aspect("equal")
    else:
        axes.set_box_aspect(1)
    axes.set_title(title, fontsize=TEXT + 1, loc="left")
    axes.set_xlabel("false positive rate", fontsize=TEXT)
    axes.set_ylabel("true positive rate", fontsize=TEXT)
    thin(axes)


def thin(axes: Axes) -> None:
    """Left and bottom spines only, small tick labels."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_linewidth(0.9)
    axes.tick_params(labelsize=TEXT - 1, width=0.9, length=4)


def key(axes: Axes, size: float = TEXT, **options: Any) -> None:
    """The key, in the empty corner under a curve."""
    axes.legend(**{"loc": "lower right", "frameon": False, "fontsize": size - 1, **options})


__all__ = [
    "BLACK", "BLUE", "GREEN", "GREY", "ORANGE", "PURPLE", "SKY", "TEXT", "VERMILLION", "dress", "key",
    "new_figure", "rendered", "thin",
]  # fmt: skip
