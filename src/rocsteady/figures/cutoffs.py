"""A curve with the cut-offs that were chosen on it; and which others are not significantly different.

Sections pass :func:`picture` a curve and the cut-offs of :func:`rocsteady.choose_cutoff`, :func:`neighbours`
a :class:`~rocsteady.points.tables.Neighbourhood` with the model that it is of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.base import Average
from rocsteady.curves.from_scores import described
from rocsteady.errors import fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import View, has_interval, kind_text
from rocsteady.figures.spec import (
    GUIDE,
    INK,
    LOOKS,
    Axis,
    Entry,
    Key,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Rule,
    Span,
)
from rocsteady.figures.style import TEXT_SIZE
from rocsteady.options import open_share
from rocsteady.points.criteria import (
    Criterion,
    GivenThreshold,
    Maximum,
    MinimumCost,
    TargetRate,
    require_thresholds,
)
from rocsteady.points.cutoffs import AppliedCutoff, Cutoff, CutoffIntervals
from rocsteady.points.tables import Neighbourhood
from rocsteady.text import (
    AUC,
    FPR,
    TPR,
    At,
    Cut,
    Item,
    Level,
    Model,
    Name,
    Quote,
    Rate,
    Text,
    joined,
    phrase,
    say,
    words_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.averaging.shared_threshold import SharedThresholdAverage
    from rocsteady.curves.roc import RocCurve

MARKS = (*LOOKS[1:5], replace(INK, marker="v"))
"""Of each cut-off in turn; the first look is that of the curve."""
_Chosen = Cutoff | AppliedCutoff
_HIDDEN = 0.01
"""Marks closer than this, in both rates, cover each other in a figure as wide as a column."""


def cutoffs(
    curve: RocCurve | SharedThresholdAverage | _Chosen | Sequence[_Chosen],
    chosen: _Chosen | Sequence[_Chosen] | None = None,
    *,
    intervals: CutoffIntervals | Sequence[CutoffIntervals] | None = None,
    confidence_level: float = 0.95,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw a curve and the cut-offs that were chosen on it, each with its rates and what it was chosen by.

    Youden's index is the height above the chance line, which the tangent of slope 1 shows; the closest point
    has its line to the upper left corner; equal error rates lie on the falling diagonal. Where several
    cut-offs fall on one point the first is a filled mark, and the others are open ones around it.

    Parameters
    ----------
    curve : RocCurve, an average with thresholds, or what was chosen
        What the cut-offs were chosen on. They know it, so ``cutoffs(cutoff)`` and ``cutoffs([one, other])``
        are enough.
    chosen : Cutoff, or sequence of Cutoff
        From :func:`rocsteady.choose_cutoff`; at most five. One that was chosen on another curve has its place
        on this one as ``cutoff.on(curve)``, and no line that would show what it is best by.
    intervals : CutoffIntervals, or sequence of them, optional
        ``cutoff.intervals()`` of each, drawn as bars of both rates, and written beside them.
    confidence_level : float
        Of the interval of the area, where the curve has one by formula.
    words : {"ml", "medical", "biometric"}
        What the rates are called; ``"medical"`` has sensitivity and specificity.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS042 for more cut-offs than can be distinguished, or a size that is none; RS013 if there are not as
        many intervals; RS002 for cut-offs of another curve, and for anything else that does not belong here.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> axes = cutoffs(rs.choose_cutoff(curve, "youden"), words="medical")
    >>> " ".join(axes.get_legend().get_texts()[0].get_text().split())
    "Largest Youden's J: cut-off ≥ 0.8"
    """
    level = open_share("confidence_level", confidence_level)
    own: Any = curve
    if chosen is None:
        own, chosen = _curve_of(curve), curve  # type: ignore[assignment]
    several = _given_cutoffs(own, chosen)
    bars = None if intervals is None else _given_intervals(intervals, len(several))
    made = picture(own, several, intervals=bars, confidence_level=level)
    return draw(made.titled(title), words_of(own, words), text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(
    curve: Any,
    chosen: Sequence[_Chosen],
    *,
    intervals: Sequence[CutoffIntervals] | None = None,
    confidence_level: float = 0.95,
    model: str = "",
) -> Picture:
    """The figure as a description; ``model`` is the one whose colour the curve has."""
    look: Any = Model(model) if model else LOOKS[0]
    marks: list[Mark] = [
        Line(curve.fpr, curve.tpr, look=look, width=1.5, dash=(), name="average"),
    ]
    entries = []
    points: list[Mark] = []
    for number, cutoff in enumerate(chosen):
        hue, found = MARKS[number], None if intervals is None else intervals[number]
        n_inside = sum(_is_beneath(cutoff, other) for other in chosen[:number])
        marks += _guide(cutoff, hue)
        point = Points(
            [cutoff.fpr],
            [cutoff.tpr],
            None if found is None or found.fpr is None else ([found.fpr.low], [found.fpr.high]),
            None if found is None or found.tpr is None else ([found.tpr.low], [found.tpr.high]),
            look=hue,
            size=6.0 + 5 * n_inside,
            is_open=n_inside > 0,
            bar_width=1 + 2.5 * n_inside,
            name="point",
        )
        points.append(point)
        sample = replace(point, size=6.0, x_limits=None, y_limits=None)
        entries.append(Entry(_named(cutoff), sample, _rates(cutoff, found)))
    notes = [_area(curve, confidence_level)]
    if intervals:
        levels = dict.fromkeys(found.confidence_level for found in intervals)
        notes.append(phrase("bars: {levels} CI", levels=joined(map(Level, levels), " and ")))
    key = Key(tuple(entries), tuple(map(Entry, notes)), corners=("lower right",))
    panel = replace(View().panel((*marks, *points)), key=key)
    return Picture((panel,), description=phrase("ROC curve with the chosen {thresholds}"))


def neighbours(found: Neighbourhood, *, model: str = "") -> Picture:
    """How both rates change around a cut-off, and which others are not significantly different.

    Open marks are cut-offs whose rate differs significantly; over the shaded stretch neither rate does.
    """
    look: Any = Model(model) if model else LOOKS[0]
    table = found.table
    assert table.thresholds is not None
    first, last = found.span
    places = np.array([k for k in range(first, last + 1) if np.isfinite(table.thresholds[k])], dtype=int)
    chosen = float(table.thresholds[found.index])
    marks: list[Mark] = [Rule(y=0.0, look=GUIDE, name="zero")]
    low, high = sorted(found.alike)
    if np.isfinite([low, high]).all():
        marks.append(Span(low, high, look=look, alpha=0.14, name="alike"))
    if np.isfinite(chosen):
        marks.append(Rule(x=chosen, width=1.2, name="chosen"))
    entries = []
    for quantity, tests, hue in ((TPR, found.by_tpr, look), (FPR, found.by_fpr, INK)):
        rate = table.measure(quantity.key).mean
        x, change = table.thresholds[places], rate[places] - rate[found.index]
        line = Line(x, change, look=hue, name=quantity.key)
        alike = tests.indistinguishable[places]
        marks.append(line)
        marks += [
            Points(x[own], change[own], look=hue, size=4.5, marker="o", is_open=is_open, name=quantity.key)
            for own, is_open in ((alike, False), (~alike, True))
            if own.any()
        ]
        entries.append(Entry(phrase("change of {rate:axis}", rate=Name(quantity)), line))
    notes = (
        Entry(phrase("open: significantly different at {alpha}", alpha=Level(found.by_fpr.alpha)), _SAMPLE),
        Entry(phrase("shaded: neither rate is"), Span(0, 0, look=look, alpha=0.14)),
    )
    panel = Panel(
        Axis(phrase("{Threshold}")),
        Axis(phrase("Change (points)"), per=100.0),
        tuple(marks),
        key=Key(notes=(*entries, *notes), corners=()),
    )
    return Picture((panel,), description=phrase("Change of both rates around the {threshold} in use"))


_SAMPLE = Points([], [], marker="o", size=4.5, is_open=True)


# What was given -----------------------------------------------------------------------------------------


def _curve_of(chosen: Any) -> Any:
    """What cut-offs were chosen on, which they know; RS002 if they are none."""
    first = chosen[0] if isinstance(chosen, Sequence) and not isinstance(chosen, str) and chosen else chosen
    if isinstance(first, _Chosen):
        return first._curve
    ways = [f"rs.plot.cutoffs({of}rs.choose_cutoff(curve, 'youden'))" for of in ("", "curve, ")]
    raise fail("RS002.drawn-from", what="cut-offs", found=described(chosen), ways=ways)


def _given_cutoffs(curve: Any, chosen: object) -> list[_Chosen]:
    """One cut-off, or several, as a list; RS002 unless all of them are cut-offs of this curve."""
    require_thresholds(curve)
    found = _listed(chosen, _Chosen)
    if found is None:
        way = "rs.plot.cutoffs(curve, rs.choose_cutoff(curve, 'youden'))"
        raise fail("RS002.drawn-from", what="cut-offs", found=described(chosen), ways=[way])
    if not 0 < len(found) <= len(MARKS):
        few = "one to five of them:  rs.plot.cutoffs(curve, [cutoff])"
        raise fail("RS042.room", most=len(MARKS), what="cut-offs", n=len(found), ways=[few])
    for cutoff in found:
        path = cutoff._curve
        is_same = path is curve or all(
            np.array_equal(getattr(path, name), getattr(curve, name)) for name in ("thresholds", "fpr", "tpr")
        )
        if not is_same:
            ways = [
                "choose it on this curve:  rs.choose_cutoff(curve, 'youden')",
                "or take the same threshold here:  cutoff.on(curve)",
            ]
            raise fail("RS002.elsewhere", name="a cut-off", found=cutoff, ways=ways)
    return found


def _given_intervals(intervals: object, n: int) -> list[CutoffIntervals]:
    """The intervals of each cut-off; RS002 if they are none, RS013 if they are not as many."""
    found = _listed(intervals, CutoffIntervals)
    way = "intervals=[cutoff.intervals() for cutoff in chosen]"
    if found is None:
        kind = "CutoffIntervals, or a list of them"
        raise fail("RS002.kind", name="intervals", kind=kind, found=described(intervals), ways=[way])
    if len(found) != n:
        found_words = described(intervals)
        raise fail("RS013.one-each", name="intervals", of="cut-off", n=n, found=found_words, ways=[way])
    return found


def _listed(given: object, kind: Any) -> list[Any] | None:
    """One thing of a kind, or several, as a list; None if something else is among them."""
    if isinstance(given, kind):
        return [given]
    several: Any = given if isinstance(given, Sequence) and not isinstance(given, str) else [None]
    return list(several) if all(isinstance(own, kind) for own in several) else None


# Words and guides ---------------------------------------------------------------------------------------


def _is_beneath(cutoff: _Chosen, other: _Chosen) -> bool:
    """Whether the mark of one would hide that of the other."""
    return max(abs(cutoff.fpr - other.fpr), abs(cutoff.tpr - other.tpr)) < _HIDDEN


def _guide(cutoff: _Chosen, hue: Any) -> list[Mark]:
    """The line that shows what a criterion means, where it has one and the cut-off is the best by it."""
    if not isinstance(cutoff, Cutoff):
        return []
    start, line = (cutoff.fpr, cutoff.tpr), Line((), (), look=hue, width=0.8, alpha=0.8, name="guide")
    if cutoff.criterion == "youden":
        down, up = min(start), min(1 - own for own in start)
        x, y = ((own - down, own + up) for own in start)
        return [replace(line, x=x, y=y, dash=(3.7, 1.6))]
    if cutoff.criterion == "closest":
        return [replace(line, x=(0, start[0]), y=(1, start[1]), dash=())]
    if cutoff.criterion == "eer":
        return [replace(line, x=(0, 1), y=(1, 0), dash=(6.4, 1.6, 1, 1.6))]
    return []


def _named(cutoff: _Chosen) -> Text:
    """What it was chosen by, and the number."""
    shown_cut = Cut(cutoff.threshold)
    if isinstance(cutoff, Cutoff):
        low, high, _ = *cutoff.threshold_interval, None
        beside = low if cutoff.rule.startswith(">") else high
        shown_cut = Cut(cutoff.threshold, beside if beside != cutoff.threshold else None)
    if isinstance(cutoff.criterion, GivenThreshold):
        return say("{Threshold} {cut}", cut=shown_cut)
    return say("{at:cell}: {threshold} {cut}", at=_criterion(cutoff.criterion), cut=shown_cut)


def _criterion(criterion: Criterion) -> Item:
    if isinstance(criterion, MinimumCost):
        return At("costs", (criterion.false_positive, criterion.false_negative))
    if isinstance(criterion, TargetRate):
        return At(criterion.kept, criterion.rate)
    if isinstance(criterion, Maximum) and callable(criterion.measure):
        return phrase("largest {name}", name=Quote(criterion.name))
    return At(criterion.name)


def _rates(cutoff: _Chosen, found: CutoffIntervals | None) -> Text:
    """Both rates, with their limits if there are any."""
    limits = (None, None) if found is None else (found.tpr, found.fpr)
    parts = [
        phrase("{name} {rate:cell}", name=Name(quantity), rate=Rate(quantity, rate, own))
        for quantity, rate, own in ((TPR, cutoff.tpr, limits[0]), (FPR, cutoff.fpr, limits[1]))
    ]
    return joined(parts, ", " if found is None else ",\n")


def _area(curve: Any, level: float) -> Text:
    """The area, with the interval that a formula gives; of an average, its kind."""
    if isinstance(curve, Average):
        return phrase("AUC {area}; {kind}", kind=kind_text(curve), area=Rate(AUC, curve.auc))
    interval = curve.auc_interval(level) if has_interval(curve) else None
    return phrase("AUC {area:cell}", area=Rate(AUC, curve.auc, interval))
