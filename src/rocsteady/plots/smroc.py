"""smROC curves, each with its chance curve and with the ordinary ROC curve of the same scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocsteady.counting.arguments import yes_or_no
from rocsteady.curves.smroc.digits import mid_word
from rocsteady.errors import UsageError, counted
from rocsteady.plots.given import given_size, given_smroc_curves
from rocsteady.plots.key_below import LONGEST, axes_over_key, cut, key_below, lines_of
from rocsteady.plots.marks import TEXT_SIZE
from rocsteady.plots.style import (
    BLACK,
    BLUE,
    COLUMN,
    GREEN,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    chance_line,
    thin,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.curves.smroc.curve import SmrocCurve

COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK)
"""Of each curve in turn."""


def smroc(
    curves: SmrocCurve | Sequence[SmrocCurve],
    *,
    roc: bool = True,
    chance: bool | None = None,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw smROC curves, with what they are to be compared with.

    The key has the smAUC of each curve, its chance level, its Mid and the ordinary AUC. A smROC curve above
    the diagonal means nothing by itself: it is to be compared with its own chance curve, which is dashed.

    Parameters
    ----------
    curves : SmrocCurve, or sequence of SmrocCurve
        From :func:`rocsteady.smroc_curve` or :func:`rocsteady.smroc_curves`; at most seven.
    roc : bool
        Whether the ordinary ROC curve of the same scores is drawn too, thin and pale.
    chance : bool, optional
        Whether the chance curve is drawn; by default where there are one or two curves.
    title : str
        Above the axes; of a single curve by default its name.
    text_size : float
        Points; lines go by it, and so does the size of a figure that is made.
    ax : matplotlib Axes, optional
        Where to draw; without it a figure is made.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but smROC curves; RS042 for more than can be told apart, or a size that is none.
    MissingPackageError
        RS061 if Matplotlib is not installed.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.smroc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1], mid=0.5)
    >>> axes = smroc(curve)
    >>> [text.get_text() for text in axes.get_legend().get_texts()][0]
    'smAUC 0.792, chance 0.506, AUC 0.833, Mid 0.5'
    """
    text_size, several = given_size(text_size), given_smroc_curves(curves)
    with_roc = yes_or_no("roc", roc)
    with_chance = len(several) <= 2 if chance is None else yes_or_no("chance", chance)
    _require_few(several)
    scale = text_size / TEXT_SIZE
    labels = [_named(curve, is_one_of_several=len(several) > 1) for curve in several]
    heading = _heading(several)
    n_lines = lines_of(labels) + with_roc + with_chance + bool(heading)
    ax = axes_over_key(ax, COLUMN, COLUMN, n_lines, text_size)
    chance_line(ax)
    for place, (curve, label, colour) in enumerate(zip(several, labels, COLOURS, strict=False), start=1):
        ax.plot(curve.fpr, curve.tpr, color=colour, linewidth=1.6 * scale, zorder=4, label=label)
        if with_chance:
            _draw_chance(ax, curve, colour, scale, is_last=place == len(several))
        if with_roc:
            _draw_roc(ax, curve, colour, scale, is_last=place == len(several))
    if len(several) == 1:
        title = title or cut(several[0].name or "")
    _dress(ax, title, text_size, with_roc)
    key_below(ax, text_size, heading)
    return ax


def _require_few(curves: Sequence[SmrocCurve]) -> None:
    if not 0 < len(curves) <= len(COLOURS):
        raise UsageError(
            "RS042",
            f"a figure shows one to {len(COLOURS)} smROC curves.",
            f"found: {counted(len(curves), 'curve')}",
            "some of them:  rs.plot.smroc(curves[:4])",
            "their mean:  rs.average(curves, 'vertical')",
        )


def _named(curve: SmrocCurve, *, is_one_of_several: bool) -> str:
    mid = mid_word(curve.mid, digits=3)
    areas = f"smAUC {curve.auc:.3f}, chance {curve.chance_auc:.3f}, AUC {curve.roc_auc:.3f}, Mid {mid}"
    if curve.name is None or not is_one_of_several:
        return areas
    name = cut(curve.name, LONGEST - 1)
    return f"{name}: {areas}" if len(name) + len(areas) + 2 <= LONGEST else f"{name}:\n{areas}"


def _heading(curves: Sequence[SmrocCurve]) -> str:
    """A word of warning where Mid is no score."""
    if all(0 < curve.mid <= 1 for curve in curves):
        return ""
    return "Mid lies outside (0, 1]: read smAUC beside its chance level"


def _draw_chance(ax: Axes, curve: SmrocCurve, colour: str, scale: float, *, is_last: bool) -> None:
    """What labels dealt at random give on average; one entry of the key is enough."""
    label = "chance: labels dealt at random" if is_last else "_chance curve"
    line: Any = {"color": colour, "linewidth": 1.0 * scale, "linestyle": (0, (4, 2)), "zorder": 3}
    ax.plot(*curve.chance_path, label=label, **line)


def _draw_roc(ax: Axes, curve: SmrocCurve, colour: str, scale: float, *, is_last: bool) -> None:
    label = "ordinary ROC curve" if is_last else "_roc"
    line: Any = {"color": colour, "linewidth": 0.8 * scale, "alpha": 0.45, "zorder": 2}
    ordinary = curve.roc()
    ax.plot(ordinary.fpr, ordinary.tpr, label=label, **line)


def _dress(ax: Axes, title: str, text_size: float, with_roc: bool) -> None:
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.set_aspect("equal")
    ax.set_xlabel("share of debit" + " (ROC: false positive rate)" * with_roc, fontsize=text_size)
    ax.set_ylabel("share of credit" + " (ROC: true positive rate)" * with_roc, fontsize=text_size)
    if title:
        ax.set_title(title, fontsize=text_size + 1, loc="left")
    thin(ax, text_size)
