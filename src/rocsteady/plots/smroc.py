"""smROC curves, each with its chance curve and with the ordinary ROC curve of the same scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocsteady.curves.smroc import mid_word
from rocsteady.errors import fail
from rocsteady.options import yes_or_no
from rocsteady.plots.given.values import given_size, given_smroc_curves
from rocsteady.plots.keys.key_below import LONGEST, axes_over_key, cut, key_below, lines_of
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.roc_axes import dress_roc
from rocsteady.plots.parts.style import BLACK, COLUMN, LOOKS, Look
from rocsteady.plots.parts.vocabulary import vocabulary

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.curves.smroc import SmrocCurve

CURVE_LOOKS = (*LOOKS, Look(BLACK, BLACK, (0, (1, 2.5)), "X", "**"))
"""Of each curve in turn."""
_NO_LOOK = Look("0.3", "0.3", "-", "", "")
_CHANCE = ((0, (4, 2)), (0, (1, 1.2)))
"""Of chance curves: dashes, or dots where curves themselves are dashed."""


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
    the diagonal means nothing by itself: it is to be compared with its own chance curve, dashed
    or, of several curves, dotted.

    Parameters
    ----------
    curves : SmrocCurve, or sequence of SmrocCurve
        From :func:`rocsteady.smroc_curve`; at most seven.
    roc : bool
        Whether the ordinary ROC curve of the same scores is drawn too, thin and pale.
    chance : bool, optional
        Whether the chance curve is drawn; by default where there are one or two curves.
    title : str
        Above the axes; of a single curve by default its name.
    text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but smROC curves; RS042 for more than can be told apart, or a size that is none.

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
    scale = scale_of(text_size)
    is_one = len(several) == 1
    labels = [_named(curve, is_one_of_several=not is_one) for curve in several]
    heading = _heading(several)
    n_lines = lines_of(labels) + with_roc + with_chance + bool(heading)
    ax = axes_over_key(ax, COLUMN, COLUMN, n_lines, text_size)
    if is_one:
        title = title or cut(several[0].name or "")
    dress_roc(ax, axis_words=_axis_words(with_roc), title=title, text_size=text_size)
    for curve, label, look in zip(several, labels, CURVE_LOOKS, strict=False):
        line: Any = {"color": look.colour, "linestyle": look.line, "linewidth": 1.6 * scale, "zorder": 4}
        ax.plot(curve.fpr, curve.tpr, label=label, **line)
        for name, path, own in _beside(curve, look, with_chance, with_roc, scale, is_one=is_one):
            ax.plot(*path, label=name if is_one else f"_{name}", **own)
    if not is_one:  # the key names what every curve has once, in no curve's colour
        for name, _, own in _beside(several[0], _NO_LOOK, with_chance, with_roc, scale, is_one=False):
            ax.plot([], [], label=name, **own)
    key_below(ax, text_size, heading, handlelength=2.2)
    return ax


def _require_few(curves: Sequence[SmrocCurve]) -> None:
    if not 0 < len(curves) <= len(CURVE_LOOKS):
        ways = ["some of them:  rs.plot.smroc(curves[:4])", "their mean:  rs.average(curves, 'vertical')"]
        raise fail("RS042.room", most=len(CURVE_LOOKS), what="smROC curves", n=len(curves), ways=ways)


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


def _beside(
    curve: SmrocCurve, look: Look, with_chance: bool, with_roc: bool, scale: float, *, is_one: bool
) -> list[tuple[str, Any, dict[str, Any]]]:
    """What a curve is compared with: its name, its path and its line."""
    lines: list[tuple[str, Any, dict[str, Any]]] = []
    if with_chance:
        line = {"color": look.colour, "linewidth": 1.0 * scale, "linestyle": _CHANCE[not is_one], "zorder": 3}
        lines.append(("chance: labels dealt at random", curve.chance_path, line))
    if with_roc:
        ordinary = curve.roc()
        line = {"color": look.colour, "linewidth": 0.8 * scale, "linestyle": look.line, "alpha": 0.45}
        line["zorder"] = 2
        lines.append(("ordinary ROC curve", (ordinary.fpr, ordinary.tpr), line))
    return lines


def _axis_words(with_roc: bool) -> tuple[str, str]:
    said = vocabulary("ml")
    also = (f" (ROC: {said.fpr})", f" (ROC: {said.tpr})") if with_roc else ("", "")
    return f"share of debit{also[0]}", f"share of credit{also[1]}"
