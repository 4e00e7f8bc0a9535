"""What the figures of operating points have in common: the chosen point, its like, and words about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.plots.parts.style import BLACK, VERMILLION, ground_of, key
from rocsteady.words import counted, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.points.tables import OperatingPointTable, PointTests

TEXT_SIZE = 8.0
"""Points, for a figure as wide as a column."""
_SHORT = ("fpr", "tpr", "fnr", "tnr", "npv", "ppv", "f1", "mcc")


@dataclass(frozen=True)
class Neighbourhood:
    """The chosen point and those that cannot be told apart from it.

    Attributes
    ----------
    chosen : int
        Which point was compared with all others.
    others : bool array
        The other points that were not rejected.
    text : str
        What the circles mean, for the key.
    """

    chosen: int
    others: NDArray[np.bool_]
    text: str


def scale_of(text_size: float) -> float:
    """Of lines and markers, where text has this size."""
    return text_size / TEXT_SIZE


def neighbourhood(comparison: PointTests) -> Neighbourhood:
    """What a comparison says about each point."""
    others = np.array(comparison.indistinguishable, dtype=bool)
    others[comparison.index] = False
    level = percent(comparison.alpha).replace(".0 ", " ")
    what = "" if len(comparison.measures) > 1 else f"{short(comparison.measures[0])} "
    text = f"{what}not told apart at {level}: {int(others.sum())} of {others.size - 1}"
    return Neighbourhood(int(comparison.index), others, text)


def cross(text_size: float) -> dict[str, Any]:
    """How the chosen point is marked."""
    scale = scale_of(text_size)
    return {
        "linestyle": "none",
        "marker": "X",
        "markersize": 7 * scale,
        "color": BLACK,
        "markeredgecolor": "white",
        "markeredgewidth": 0.7 * scale,
        "zorder": 6,
    }


def circle(text_size: float) -> dict[str, Any]:
    """How points that cannot be told apart from the chosen one are marked."""
    scale = scale_of(text_size)
    return {
        "linestyle": "none",
        "marker": "o",
        "markersize": 7.5 * scale,
        "markerfacecolor": "none",
        "markeredgecolor": VERMILLION,
        "markeredgewidth": 1.1 * scale,
        "zorder": 5,
    }


def groups_of(table: OperatingPointTable) -> str:
    """How many folds, datasets or readers were averaged over."""
    return counted(len(table.folds), table.unit)


def dot(text_size: float) -> dict[str, Any]:
    """How they are marked where there are too many for circles."""
    scale = scale_of(text_size)
    return {
        "linestyle": "none",
        "marker": "o",
        "markersize": 3.6 * scale,
        "color": VERMILLION,
        "markeredgewidth": 0,
        "zorder": 5,
    }


def short(measure: str) -> str:
    """A measure in a key: rates by their letters, others by name."""
    return measure.upper() if measure in _SHORT else measure.replace("_", " ")


def headed_key(axes: Axes, heading: str, text_size: float, **options: Any) -> None:
    """A key with a line above it that says what was averaged and what bars are."""
    quiet = {"frameon": True, "facecolor": ground_of(axes), "edgecolor": "none", "framealpha": 0.8}
    close = {"handlelength": 1.2, "handletextpad": 0.5, "borderaxespad": 0.3, "alignment": "left"}
    key(axes, text_size, title=heading, **{**quiet, **close, **options})
    legend = axes.get_legend()
    assert legend is not None
    legend.get_title().set_fontsize(text_size - 1)
