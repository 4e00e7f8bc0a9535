"""Precision-recall curves, in the steps that average precision adds up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.readings import PrecisionRecallCurve
from rocsteady.curves.roc import RocCurve
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import crowd_marks, hues_of, is_crowd, named, named_curves, unit_of
from rocsteady.figures.spec import Entry, Floats, Key, Line, Mark, Panel, Picture, share_axis, short_names
from rocsteady.figures.style import GUIDE, LOOKS, TEXT_SIZE
from rocsteady.text import PRECISION, Model, Quantity, Quote, Range, Rate, Scale, phrase, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Drawable = PrecisionRecallCurve | RocCurve

AVERAGE_PRECISION = Quantity("average precision", Scale.AREA)
RECALL = Quantity("recall", Scale.SHARE)
_CORNERS = ("lower left", "upper right", "lower right")


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
    words, title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but such curves; RS042 for more than can be distinguished, or a size that is none;
        RS001 for unknown words.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1])
    >>> axes = precision_recall({"reader 1": curve.precision_recall()})
    >>> [text.get_text() for text in axes.get_legend().get_texts()][0]
    'reader 1  0.917'
    """
    said = words_of(curves, words)
    return draw(picture(curves).titled(title), said, text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(curves: Any, *, model: str = "") -> Picture:
    """Curves by name; a set of many curves is drawn faintly, in the colour of the ``model``."""
    if is_crowd(curves):
        crowd, crowd_note = crowd_marks(curves, _steps, unit_of(curves), Model(model) if model else LOOKS[0])
        return _picture([crowd], Key(notes=(crowd_note,), corners=_CORNERS))
    way, kinds = "rs.plot.precision_recall(curve.precision_recall())", (PrecisionRecallCurve, RocCurve)
    curves = dict(named_curves(curves, kinds, what="precision-recall curves", way=way))
    marks: list[Mark] = []
    entries: list[Entry] = []
    shares: list[float] = []
    for name, short, hue in zip(curves, short_names(list(curves), 60), hues_of(list(curves)), strict=True):
        own = _readings(curves[name])
        share = float(own.precision[-1])  # of the loosest threshold, which calls everything positive
        shares.append(share)
        marks += [
            Line((0, 1), (share, share), look=hue, width=1.0, dash=GUIDE.dash, alpha=0.8, name="prevalence"),
            Line(*_steps(own), look=hue, name="average"),
        ]
        text = phrase("{area}", area=Rate(AVERAGE_PRECISION, own.average_precision))
        if short:
            text = phrase("{name}  {area}", name=Quote(short), area=text)
        entries.append(Entry(text, Line((), (), look=hue)))
    shown = phrase("{share:bare}", share=Rate(PRECISION, shares[0]))
    if len({round(own, 6) for own in shares}) > 1:
        shown = phrase("{range}", range=Range(PRECISION, min(shares), max(shares)))
    note = Entry(phrase("all called positive, {share}", share=shown), Line((), (), look=GUIDE, width=1.0))
    return _picture(marks, Key(tuple(entries), (note,), phrase("average precision"), corners=_CORNERS))


def _picture(marks: Sequence[Mark], key: Key) -> Picture:
    panel = Panel(share_axis(named(RECALL)), share_axis(named(PRECISION)), tuple(marks), key=key, aspect=1.0)
    return Picture((panel,), description=phrase("Precision-recall curves"))


def _readings(curve: Drawable) -> PrecisionRecallCurve:
    return curve.precision_recall() if isinstance(curve, RocCurve) else curve


def _steps(curve: Any) -> tuple[Floats, Floats]:
    """From each recall to the next at the precision of the next, as average precision counts it."""
    own = _readings(curve)
    # Where nothing is found yet there is no step, and the first precision of all is 0 / 0.
    first = int(np.argmax(own.recall > 0))
    recall = np.append(0.0, np.repeat(own.recall[first:], 2)[:-1])
    return recall, np.repeat(own.precision[first:], 2)
