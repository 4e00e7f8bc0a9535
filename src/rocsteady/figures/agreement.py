"""Two raters: every item by the scores of both, marked by what they decided; or their curves.

Sections pass :func:`picture` a :class:`~rocsteady.curves.raters.RaterAgreement`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.raters import RaterAgreement
from rocsteady.errors import fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import of_kind
from rocsteady.figures.smroc import smroc
from rocsteady.figures.spec import (
    GUIDE,
    LOOKS,
    QUIET,
    Axis,
    Entry,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Region,
    short_names,
    width_of,
)
from rocsteady.figures.style import COLUMN, TEXT_SIZE
from rocsteady.options import one_of
from rocsteady.text import Count, Number, Quote, phrase, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWS = ("items", "own", "crossed")
MOST_NAMES = 12
"""Items whose names are written; of more, none is."""
_MARKS = (
    ((True, True), LOOKS[0], "o", "both say yes: {n}"),
    ((False, False), LOOKS[2], "s", "both say no: {n}"),
    ((True, False), LOOKS[1], "^", "only {who} says yes: {n}"),
    ((False, True), LOOKS[4], "v", "only {who} says yes: {n}"),
)
"""Decisions of the two, and how items with them are marked."""
_MANY = 80
_LONGEST = 30  # letters of a rater's name
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
"""Where a name may stand beside its point, the best first: right, left, above, below, corners."""


def agreement(
    agreement: RaterAgreement,
    *,
    show: str = "items",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw how two raters agree, item by item, or the curves that judge them.

    Items lie where both raters' scores put them. On the grey diagonal the scores are the same; in the shaded
    quarters they are on the same side of Mid. A triangle in a shaded quarter is an item on which only the
    decisions differ. The curves of ``show="own"`` do not compare the raters; those of ``"crossed"`` do.

    Parameters
    ----------
    agreement : RaterAgreement
        From :func:`rocsteady.rater_agreement`.
    show : {"items", "own", "crossed"}
        Items; or smROC and ROC curves of each rater's scores, by own decisions or by the other's.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything else, and for curves where decisions are all alike; RS001 and RS042 for words and
        numbers that are none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> decided, rated = ([1, 1, 0], [0, 1, 0]), ([0.52, 0.9, 0.1], [0.6, 0.8, 0.3])
    >>> both = rs.rater_agreement(decided, rated, names=["Anna", "Jan"])
    >>> axes = rs.plot.agreement(both)
    >>> [text.get_text() for text in axes.get_legend().get_texts()][:3]
    ['both say yes: 1', 'both say no: 1', 'only Anna says yes: 1']
    """
    way = "rs.plot.agreement(rs.rater_agreement(decisions, scores))"
    found = of_kind(RaterAgreement, agreement, "the agreement of two raters", way)
    if one_of("show", show, SHOWS) == "items":
        made = picture(found).titled(title)
        return draw(made, words_of(None), text_size=text_size, ax=ax)  # type: ignore[no-any-return]
    judged = [getattr(found, show)(name) for name in found.names]
    curves = [judgement.smroc for judgement in judged if judgement.smroc is not None]
    if not curves:
        raise fail("RS002.one-decision", found=found)
    return smroc(curves, title=title, text_size=text_size, ax=ax)


def picture(found: RaterAgreement) -> Picture:
    """Every item by the scores of both."""
    size = 5.0 if found.n_items <= _MANY else 3.0
    across, up = (min(max(mid, 0.0), 1.0) for mid in found.mid)  # the paper's Mid may lie outside
    quarter = {"look": QUIET, "alpha": 0.14}
    marks: list[Mark] = [
        Region([0, across, across, 0], [0, 0, up, up], name="both-low", **quarter),  # type: ignore[arg-type]
        Region([across, 1, 1, across], [up, up, 1, 1], name="both-high", **quarter),  # type: ignore[arg-type]
        Line((0, 1), (0, 1), look=GUIDE, width=0.8, name="equal"),
    ]
    names = short_names(found.names, _LONGEST)
    entries = []
    for decisions, look, marker, said in _MARKS:
        chosen = np.all(found.decisions == np.array(decisions), axis=1)
        if chosen.any():
            x, y = found.scores[chosen].T
            points = Points(x, y, look=look, marker=marker, size=size, name="items")
            marks.append(points)
            who = Quote(names[0 if decisions[0] else 1])
            entries.append(Entry(phrase(said, who=who, n=int(chosen.sum())), points))
    differ = np.flatnonzero(~found.same_decision)
    if 0 < differ.size <= MOST_NAMES:
        marks += _item_names(found, differ, size)
    same = Count(int(found.same_decision.sum()), of=found.n_items)
    sides, gap = int(found.same_side.sum()), Number(found.mean_gap)
    note = phrase("same decision {same}, same side {sides}; {gap} apart", same=same, sides=sides, gap=gap)
    x_axis, y_axis = (Axis(phrase("score of {who}", who=Quote(own)), 0.0, 1.0) for own in names)
    key = Key(notes=(*entries, Entry(note)), corners=())
    panel = Panel(x_axis, y_axis, tuple(marks), key=key, aspect=1.0)
    return Picture((panel,), description=phrase("Every item by the scores of both raters"))


def _item_names(found: RaterAgreement, chosen: NDArray[np.intp], mark: float) -> list[Mark]:
    """Names of items, each at the side of its point where it covers least; lengths in points."""
    side, size = 72 * 0.82 * COLUMN, TEXT_SIZE - 1
    marks = [_box(x * side, y * side, mark, mark) for x, y in found.scores.tolist()]
    written: list[tuple[float, float, float, float]] = []
    labels: list[Mark] = []
    short = short_names([str(found.items[k]) for k in chosen], _LONGEST)
    for name, (x, y) in zip(short, found.scores[chosen].tolist(), strict=True):
        width, height = width_of(name) * size, 1.35 * size
        boxes = [
            _box(x * side + a * (width + mark + 2) / 2, y * side + b * (height + mark + 2) / 2, width, height)
            for a, b in _SIDES
        ]
        costs = [
            100 * _outside(box, side) + 10 * _covered(box, written) + _covered(box, marks) for box in boxes
        ]
        best = int(np.argmin(costs))
        written.append(boxes[best])
        a, b = _SIDES[best]
        gap = mark / 2 + 1
        labels.append(
            Label(
                x, y, Quote(name), off=(gap * a, gap * b), name="item",
                across=("right", "middle", "left")[a + 1], up=("top", "middle", "bottom")[b + 1],
            )
        )  # fmt: skip
    return labels


def _box(x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
    """Around a middle."""
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _outside(box: tuple[float, ...], side: float) -> float:
    """How much of it leaves the axes."""
    return max(0, -box[0]) + max(0, -box[1]) + max(0, box[2] - side) + max(0, box[3] - side)


def _covered(box: tuple[float, ...], others: list[tuple[float, float, float, float]]) -> float:
    """The area it shares with others."""
    return sum(
        max(0.0, min(box[2], other[2]) - max(box[0], other[0]))
        * max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
        for other in others
    )
