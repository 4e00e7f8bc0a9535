"""Precision-recall curves, in the steps that average precision adds up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.readings import PrecisionRecallCurve
from rocsteady.curves.roc import RocCurve
from rocsteady.plots.given.named_curves import Paths, crowd_words, is_crowd, named_curves
from rocsteady.plots.given.values import flat_axes, given_size
from rocsteady.plots.keys.average_key import KeyEntry, KeyNote, average_key
from rocsteady.plots.keys.fitted_key import Key, write_key
from rocsteady.plots.parts.curve_lines import Path, draw_average, faint_curves
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.roc_axes import dress_roc
from rocsteady.plots.parts.style import BLUE, COLUMN, LOOKS, Look
from rocsteady.plots.parts.vocabulary import vocabulary
from rocsteady.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Drawable = PrecisionRecallCurve | RocCurve


def precision_recall(
    curves: Drawable | CurveSet | Sequence[Drawable] | Mapping[str, Drawable],
    *,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw precision over recall, with what calling everything positive would give.

    Lines are steps, since the average precision in the key adds up steps: a straight line between two points
    would promise more than any threshold reaches. Each curve has a dotted line at its own share of positives,
    which is the precision of calling everything positive, and so of chance.

    Parameters
    ----------
    curves : PrecisionRecallCurve or RocCurve, a sequence or a mapping from names, or CurveSet
        ``curve.precision_recall()``, or the ROC curve that has it; at most six. A set of more curves is drawn
        alike and faint, at most 300 of them.
    words : {"ml", "medical", "biometric"}
        What the axes are called.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but such curves; RS042 for more than can be told apart, or a size that is none;
        RS001 for unknown words.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1])
    >>> axes = precision_recall({"reader 1": curve.precision_recall()})
    >>> [text.get_text() for text in axes.get_legend().get_texts()][0]
    'reader 1  0.917'
    """
    text_size, said = given_size(text_size), vocabulary(words)
    crowd = curves if isinstance(curves, CurveSet) and is_crowd(curves) else None
    several = [] if crowd is not None else _named(curves)
    is_own, ax = ax is None, flat_axes(ax, COLUMN, COLUMN, text_size)
    scale = scale_of(text_size)
    axis_words = (said.recall, said.precision)
    dress_roc(ax, axis_words=axis_words, title=title, text_size=text_size, chance=False)
    if crowd is not None:
        drawn = faint_curves(ax, Paths(crowd, _steps), colour=BLUE, scale=scale)
        average_key(ax, [], [KeyNote(crowd_words(drawn, crowd.unit))], text_size=text_size, loc="lower left")
        return ax
    entries = []
    for (name, curve), look in zip(several, LOOKS, strict=False):
        line = draw_average(ax, _steps(curve), look, scale=scale, width=1.6)
        prevalence = _draw_prevalence(ax, curve, look, scale)
        below = f"chance {prevalence:.3f}" if len(several) > 1 else ""
        entries.append(KeyEntry(line, name, f"{curve.average_precision:.3f}", look.text, below))
    notes = [KeyNote(f"dotted: all called positive, {percent(prevalence)}")] if len(several) == 1 else []
    key = Key(tuple(entries), tuple(notes), "average precision")
    write_key(ax, [key], text_size, is_own=is_own, corners=("lower left", "upper right"))
    return ax


def _named(curves: object) -> list[tuple[str, PrecisionRecallCurve]]:
    way = "rs.plot.precision_recall(curve.precision_recall())"
    kinds = (PrecisionRecallCurve, RocCurve)
    found = named_curves(curves, kinds, what="precision-recall curves", way=way)
    return [(name, own.precision_recall() if isinstance(own, RocCurve) else own) for name, own in found]


def _steps(curve: Drawable) -> Path:
    """From each recall to the next at the precision of the next, as average precision counts it."""
    if isinstance(curve, RocCurve):
        curve = curve.precision_recall()
    # Where nothing is found yet there is no step, and the first precision of all is 0 / 0.
    first = int(np.argmax(curve.recall > 0))
    recall = np.append(0.0, np.repeat(curve.recall[first:], 2)[:-1])
    return Path(recall, np.repeat(curve.precision[first:], 2))


def _draw_prevalence(ax: Axes, curve: PrecisionRecallCurve, look: Look, scale: float) -> float:
    """The precision of the loosest threshold, which calls everything positive: the share of positives."""
    share = float(curve.precision[-1])
    ax.plot([0, 1], [share] * 2, ":", color=look.colour, linewidth=scale, zorder=0, label="_prevalence")
    return share
