"""What figures of differences share: the line of no difference, bands, who is better on which side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.plots.parts.short_names import told_apart
from rocsteady.plots.parts.style import BLUE, DARK_VERMILLION
from rocsteady.plots.parts.vocabulary import vocabulary

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

_ROOM = 0.14
"""Share of the height kept free above and below what is drawn, for the words there."""
_LONGEST = 36
"""Letters of a model's name inside the axes."""


def draw_zero(ax: Axes, scale: float) -> None:
    """The line on which neither is better."""
    ax.axhline(0, color="0.35", linewidth=0.8 * scale, zorder=2, label="_zero")


def draw_band(
    ax: Axes, at: Floats, low: Floats, high: Floats, alpha: float, label: str, colour: str = BLUE
) -> Any:
    """Limits around a difference; nothing where they are missing or infinite, not even in the key."""
    known = np.isfinite(low) & np.isfinite(high)
    fill: Any = {"color": colour, "alpha": alpha, "linewidth": 0, "zorder": 1, "label": label}
    return ax.fill_between(at, low, high, where=known, **fill) if known.any() else None


def spread_out(ax: Axes, values: list[Floats]) -> None:
    """Limits of the upright axis that hold all finite values, zero, and words above and below them."""
    finite = np.concatenate([np.ravel(own)[np.isfinite(np.ravel(own))] for own in values])
    low, high = float(np.min(finite, initial=0.0)), float(np.max(finite, initial=0.0))
    size = (high - low) or 0.1
    ax.set_ylim(low - _ROOM * size, high + _ROOM * size)


def name_sides(ax: Axes, above: str, below: str, text_size: float, *, lowest: float = 0.0) -> None:
    """Who is better above the line, and who below it; ``lowest`` is where free room starts."""
    words: Any = {"fontsize": text_size - 1, "transform": ax.transAxes, "zorder": 6, "ha": "left"}
    words["parse_math"] = False  # a dollar sign of a name starts no formula
    x, (better, worse) = 0.015, told_apart([above, below], _LONGEST)
    ax.text(x, 0.985, f"{better} better", color=BLUE, va="top", **words)
    ax.text(x, lowest + 0.015, f"{worse} better", color=DARK_VERMILLION, va="bottom", **words)


def rate_labels(over: str, words: str) -> tuple[str, str] | None:
    """What stands at the axes of a difference over one of the rates; None over anything else.

    >>> rate_labels("fpr", "ml"), rate_labels("tpr", "medical")[1]
    (('false positive rate', 'TPR gained'), '1 - specificity saved')
    """
    said = vocabulary(words)
    labels = {"fpr": (said.fpr, f"{said.tpr_short} gained"), "tpr": (said.tpr, f"{said.fpr_short} saved")}
    return labels.get(over)


def short_rate(over: str, words: str) -> str:
    """What a range is of, in a key."""
    said = vocabulary(words)
    return {"fpr": said.fpr_short, "tpr": said.tpr_short}.get(over, over)
