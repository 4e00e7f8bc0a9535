"""Whose scores agree with their labels: the four kinds of cases of a smROC curve and their steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.curves.smroc import mid_word
from rocsteady.plots.given.values import flat_axes, given_appropriateness, given_size
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.style import BLUE, COLUMN, DARK_VERMILLION, VERMILLION, ink_of, rgb, write_title
from rocsteady.words import grouped, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.curves.smroc import Appropriateness, SmrocCurve

CELLS = (
    ("high_positives", "H+", 0, 1),
    ("high_negatives", "H−", 1, 1),
    ("low_positives", "L+", 0, 0),
    ("low_negatives", "L−", 1, 0),
)
"""Each kind, its letters in the paper, its column and its row."""
_LONGEST = 0.62
"""Of an arrow, in widths of a cell: a step of 1."""


def appropriateness(
    found: Appropriateness | SmrocCurve,
    *,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw how many scores are appropriate, and the mean step of each kind of case.

    Appropriate are high scores of positives and low scores of negatives; their cells are blue, the others
    red and hatched. The paper prints the two as two confusion matrices, whose other cells are empty. An arrow
    is the mean step of the cases in its cell: up by their credit, right by the rest.

    Parameters
    ----------
    found : Appropriateness, or SmrocCurve
        ``curve.appropriateness``.
    title : str
        Above the axes; by default the share of appropriate scores, and Mid.
    text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything else; RS042 for a size that is none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.smroc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1], mid=0.5)
    >>> axes = appropriateness(curve)
    >>> axes.get_title(loc="left")
    '60.0 % of scores appropriate (Mid 0.5)'
    """
    text_size, found = given_size(text_size), given_appropriateness(found)
    ax = flat_axes(ax, COLUMN, COLUMN, text_size)
    for name, letters, column, row in CELLS:
        _draw_cell(ax, found, name, letters, (column, row), text_size)
    ax.set(xlim=(0, 2), ylim=(0, 2))
    ax.set_aspect("equal")
    ax.set_xticks([0.5, 1.5], ["positive", "negative"], fontsize=text_size)
    ax.set_yticks([0.5, 1.5], ["low", "high"], fontsize=text_size)
    ax.tick_params(length=0)
    ax.grid(False)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("label", fontsize=text_size)
    ax.set_ylabel(f"score (high: from {mid_word(found.mid, digits=3)})", fontsize=text_size)
    share = f"{percent(found.share)} of scores appropriate (Mid {mid_word(found.mid, digits=3)})"
    write_title(ax, title or share, text_size)
    return ax


def _draw_cell(
    ax: Axes, found: Appropriateness, name: str, letters: str, place: tuple[int, int], text_size: float
) -> None:
    from matplotlib.patches import Rectangle

    column, row = place
    is_appropriate = name in ("high_positives", "low_negatives")
    colour = BLUE if is_appropriate else VERMILLION
    count = getattr(found, name)
    tile: Any = {"facecolor": (*rgb(colour), 0.14), "edgecolor": (*rgb(colour), 0.22), "linewidth": 0}
    hatch = "" if is_appropriate else "//"
    ax.add_patch(Rectangle((column + 0.02, row + 0.02), 0.96, 0.96, hatch=hatch, label=f"_{name}", **tile))
    words: Any = {"fontsize": text_size, "ha": "left", "va": "top"}
    dark = BLUE if is_appropriate else DARK_VERMILLION
    ax.text(column + 0.07, row + 0.93, letters, color=dark, fontweight="bold", **words)
    others = found.low_positives + found.high_positives, found.low_negatives + found.high_negatives
    ax.text(
        column + 0.24, row + 0.93, f"{_amount(count)} of {_amount(others[column])}", color=ink_of(ax), **words
    )
    small: Any = {"fontsize": text_size - 1, "ha": "left", "va": "bottom", "color": ink_of(ax)}
    if not count:
        return
    ax.text(column + 0.07, row + 0.05, f"mean credit {found.credits[name] / count:.3f}", **small)
    _draw_step(ax, found.credits[name] / count, (column, row), colour, scale_of(text_size))


def _draw_step(ax: Axes, credit: float, place: tuple[int, int], colour: str, scale: float) -> None:
    """Up by the credit, right by the rest: the two legs thin, the step itself an arrow."""
    from matplotlib.patches import FancyArrowPatch

    start = (place[0] + 0.2, place[1] + 0.18)
    end = (start[0] + _LONGEST * (1 - credit), start[1] + _LONGEST * credit)
    legs: Any = {"color": colour, "linewidth": 0.8 * scale, "linestyle": ":", "label": "_legs"}
    ax.plot([start[0], start[0], end[0]], [start[1], end[1], end[1]], **legs)
    ax.add_patch(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>",
            mutation_scale=8 * scale,
            shrinkA=0,
            shrinkB=0,
            color=colour,
            linewidth=1.5 * scale,
            label="_step",
        )
    )


def _amount(count: Any) -> str:
    return grouped(count) if isinstance(count, int) else f"{count:.4g}"
