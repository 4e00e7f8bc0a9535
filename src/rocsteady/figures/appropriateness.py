"""Whose scores agree with their labels: the four kinds of cases of a smROC curve and their steps.

Sections pass :func:`picture` ``curve.appropriateness``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady.curves.smroc import Appropriateness, SmrocCurve
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.mid_profile import mid_of
from rocsteady.figures.roc_space import of_kind
from rocsteady.figures.spec import LOOKS, Axis, Label, Line, Mark, Panel, Picture, Points, Region
from rocsteady.figures.style import TEXT_SIZE, Look
from rocsteady.text import Count, Number, Quantity, Quote, Rate, Scale, Text, phrase, say, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELLS = (
    ("high_positives", "H+", 0, 1),
    ("high_negatives", "H−", 1, 1),
    ("low_positives", "L+", 0, 0),
    ("low_negatives", "L−", 1, 0),
)
"""Each kind, its letters in the paper, its column and its row."""
_LONGEST = 0.62
"""Of a step of 1, in widths of a cell."""
_SHARE = Quantity("share", Scale.SHARE)


def appropriateness(
    found: Appropriateness | SmrocCurve,
    *,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw how many scores are appropriate, and the mean step of each kind of case.

    Appropriate are high scores of positives and low scores of negatives; their cells are blue, the others
    red and hatched. The paper prints the two as two confusion matrices, whose other cells are empty. The
    thick line is the mean step of the cases in its cell: up by their credit, right by the rest.

    Parameters
    ----------
    found : Appropriateness, or SmrocCurve
        ``curve.appropriateness``.
    title : str
        Above the axes; by default the share of appropriate scores, and Mid.
    text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

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
    >>> appropriateness(curve).get_title(loc="left")
    '60.0 % of scores appropriate (Mid 0.5)'
    """
    own = found.appropriateness if isinstance(found, SmrocCurve) else found
    way = "rs.plot.appropriateness(curve.appropriateness)"
    own = of_kind(Appropriateness, own, "the appropriateness of scores", way)
    made = picture(own).titled(title)
    return draw(made, words_of(None), text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(found: Appropriateness) -> Picture:
    """The figure as a description; its title says how many scores are appropriate."""
    marks = [mark for cell in CELLS for mark in _cell(found, *cell)]
    high = phrase("score (high: from {mid})", mid=Number(found.mid))
    names: tuple[Text, ...] = (phrase("positive"), phrase("negative"))
    x = Axis(phrase("label"), 0.0, 2.0, ticks=(0.5, 1.5), names=names, is_shown=False)
    y = Axis(high, 0.0, 2.0, ticks=(0.5, 1.5), names=(phrase("low"), phrase("high")), is_shown=False)
    share = Rate(_SHARE, found.share)
    title = phrase("{share} of scores appropriate (Mid {mid})", share=share, mid=_mid(found))
    return Picture((Panel(x, y, tuple(marks), aspect=1.0),), title=title, description=title)


def _cell(found: Appropriateness, name: str, letters: str, column: int, row: int) -> list[Mark]:
    """A tile, how many cases are in it, and their mean step."""
    is_appropriate = name in ("high_positives", "low_negatives")
    look: Look = LOOKS[0 if is_appropriate else 1]
    count = getattr(found, name)
    sides = (found.low_positives + found.high_positives, found.low_negatives + found.high_negatives)
    left, right, low, high = column + 0.02, column + 0.98, row + 0.02, row + 0.98
    corners = [left, right, right, left], [low, low, high, high]
    tile = Region(*corners, look=look, alpha=0.16, is_hatched=not is_appropriate, name=name)
    amount = phrase("{n}", n=Count(count, of=sides[column]))
    marks: list[Mark] = [
        tile,
        Label(column + 0.07, row + 0.93, Quote(letters), up="top", is_bold=True, look=look, smaller=0.0),
        Label(column + 0.24, row + 0.93, amount, up="top", smaller=0.0),
    ]
    if count:
        credit = found.credits[name] / count
        marks.append(
            Label(
                column + 0.07, row + 0.05, phrase("mean credit {credit}", credit=Number(credit)), up="bottom"
            )
        )
        start = (column + 0.2, row + 0.18)
        end = (start[0] + _LONGEST * (1 - credit), start[1] + _LONGEST * credit)
        legs = Line(
            [start[0], start[0], end[0]],
            [start[1], end[1], end[1]],
            look=look,
            width=0.8,
            dash=(1, 1.65),
            name="legs",
        )
        step = Line([start[0], end[0]], [start[1], end[1]], look=look, width=2.2, dash=(), name="step")
        marks += [legs, step, Points([end[0]], [end[1]], look=look, marker="o", size=6, name="end")]
    return marks


def _mid(found: Appropriateness) -> Text:
    return say("{mid}", mid=mid_of(found.mid))
