"""Two raters: every item by the scores of both, marked by what they decided; or their curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import fail
from rocsteady.options import one_of
from rocsteady.plots.given.values import given_agreement, given_size
from rocsteady.plots.keys.key_below import axes_over_key, cut, key_below
from rocsteady.plots.parts.labels import Label, place_labels
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.style import BLUE, COLUMN, GREEN, ORANGE, VERMILLION, thin, write_title
from rocsteady.plots.smroc import smroc

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady.curves.raters import RaterAgreement

SHOWS = ("items", "own", "crossed")
MOST_NAMES = 12
"""Items whose names are written; of more, none is."""
_MARKS = (
    ((True, True), BLUE, "o", "both say yes"),
    ((False, False), GREEN, "s", "both say no"),
    ((True, False), VERMILLION, "^", "only {} says yes"),
    ((False, True), ORANGE, "v", "only {} says yes"),
)
"""Decisions of the two, and how items with them are marked."""
_MARK = 5.0  # points, where text has the usual size
_MANY = 80
_LONGEST = 30  # letters of a rater's name


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
        As in every figure, see :mod:`rocsteady.plots`.

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
    >>> said, rated = ([1, 1, 0], [0, 1, 0]), ([0.52, 0.9, 0.1], [0.6, 0.8, 0.3])
    >>> both = rs.rater_agreement(said, rated, names=["Anna", "Jan"])
    >>> import rocsteady.plots
    >>> axes = rocsteady.plots.agreement(both)
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['both say yes: 1', 'both say no: 1', 'only Anna says yes: 1']
    """
    text_size, found = given_size(text_size), given_agreement(agreement)
    if one_of("show", show, SHOWS) != "items":
        return _draw_curves(found, show, title, text_size, ax)
    scale = scale_of(text_size)
    ax = axes_over_key(ax, COLUMN, COLUMN, 1 + len(_groups(found)), text_size)
    _draw_quarters(ax, found, scale)
    _draw_items(ax, found, scale)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.set_aspect("equal")
    ax.set_xlabel(f"score of {cut(found.names[0], _LONGEST)}", fontsize=text_size)
    ax.set_ylabel(f"score of {cut(found.names[1], _LONGEST)}", fontsize=text_size)
    write_title(ax, title, text_size)
    thin(ax, text_size)
    key_below(ax, text_size, _heading(found))
    _name_items(ax, found, text_size)
    return ax


def _heading(found: RaterAgreement) -> str:
    n = found.n_items
    same, sides = int(found.same_decision.sum()), int(found.same_side.sum())
    return f"same decision {same} of {n}, same side {sides}; {found.mean_gap:.3f} apart"


def _draw_quarters(ax: Axes, found: RaterAgreement, scale: float) -> None:
    """Where both scores are high, or both low; and where they are the same."""
    from matplotlib.patches import Rectangle

    across, up = (min(max(mid, 0.0), 1.0) for mid in found.mid)  # the paper's Mid may lie outside
    quarter: Any = {"facecolor": "0.5", "alpha": 0.14, "linewidth": 0, "zorder": 0}
    ax.add_patch(Rectangle((0, 0), across, up, label="_both low", **quarter))
    ax.add_patch(Rectangle((across, up), 1 - across, 1 - up, label="_both high", **quarter))
    ax.plot([0, 1], [0, 1], color="0.6", linewidth=0.8 * scale, linestyle=":", zorder=1, label="_equal")


def _groups(found: RaterAgreement) -> list[tuple[NDArray[np.bool_], str, str, str]]:
    """The items with each pair of decisions, their colour, their marker and what the key says."""
    groups = []
    for decisions, colour, marker, words in _MARKS:
        chosen = np.all(found.decisions == np.array(decisions), axis=1)
        whose = cut(found.names[0] if decisions[0] else found.names[1], _LONGEST)
        if chosen.any():
            groups.append((chosen, colour, marker, f"{words.format(whose)}: {int(chosen.sum())}"))
    return groups


def _draw_items(ax: Axes, found: RaterAgreement, scale: float) -> None:
    size = _mark_size(found) * scale
    for chosen, colour, marker, words in _groups(found):
        ax.plot(
            found.scores[chosen, 0],
            found.scores[chosen, 1],
            linestyle="none",
            marker=marker,
            markersize=size,
            color=colour,
            markeredgecolor="white",
            markeredgewidth=0.08 * size,
            clip_on=False,
            zorder=4,
            label=words,
        )


def _mark_size(found: RaterAgreement) -> float:
    """In points; many marks are small."""
    return _MARK if found.n_items <= _MANY else 0.6 * _MARK


def _name_items(ax: Axes, found: RaterAgreement, text_size: float) -> None:
    """Names of the items on which the decisions differ, if they are few."""
    differ: NDArray[Any] = np.flatnonzero(~found.same_decision)
    if not 0 < differ.size <= MOST_NAMES:
        return
    labels = [Label(cut(str(found.items[k])), *map(float, found.scores[k])) for k in differ]
    place_labels(ax, labels, found.scores, text_size - 1, _mark_size(found) * scale_of(text_size))


def _draw_curves(found: RaterAgreement, show: str, title: str, text_size: float, ax: Axes | None) -> Axes:
    judged = [getattr(found, show)(name) for name in found.names]
    curves = [judgement.smroc for judgement in judged if judgement.smroc is not None]
    if not curves:
        raise fail("RS002.one-decision", found=found)
    return smroc(curves, title=title, text_size=text_size, ax=ax)
