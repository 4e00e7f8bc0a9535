"""How the scores of both classes are spread, beside their curve; or where the scores of each group lie.

Sections pass :func:`picture` what :func:`rocsteady.score_densities` gives, and :func:`ridge` the
:class:`~rocsteady.curves.densities.ScoreQuantiles` of every group.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.densities import ScoreDensities, ScoreQuantiles, SmoothDensities
from rocsteady.errors import Option, fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import View, drawn_cut, of_kind, require_room
from rocsteady.figures.spec import (
    INK,
    LOOKS,
    QUIET,
    Axis,
    Bars,
    Entry,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Region,
    Rule,
    Segments,
    Span,
    even_ticks,
    evenly,
    fitting_names,
    rounded,
    short_names,
)
from rocsteady.figures.style import COLUMN, TEXT_SIZE, Hue
from rocsteady.options import one_number, one_of, yes_or_no
from rocsteady.points.cutoffs import AppliedCutoff, Cutoff
from rocsteady.text import (
    AUC,
    FPR,
    TPR,
    Count,
    Cut,
    Item,
    Model,
    Name,
    Quantity,
    Quote,
    Rate,
    Scale,
    Text,
    joined,
    phrase,
    tick,
    words_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Threshold = float | Cutoff | AppliedCutoff

KINDS = ("mirrored", "overlaid", "smooth")
MOST_SPREADS = 6
"""Under each other."""
_SHARE = Quantity("share of a class", Scale.SHARE)
"""Of an area: in no vocabulary is it shown by its complement."""
_LABELLED = 0.26
"""Share of the axis that the name of an area takes."""
MARKS = (INK, *LOOKS[2:5])
"""Of each threshold in turn; no model's of the first two."""
_OTHER = replace(QUIET, hatch=LOOKS[1].hatch)
"""Of the negatives, whatever the model: its colour is that of another one nowhere."""
_MOST_TICKS = 12
_CROWDED = 60.0
"""Range over smallest gap from which single values stand at even distances, whatever they are."""
_ROWS = 45
"""Groups of a ridge that have their names."""
_ROW = 0.17
"""Inches for one of them."""


@overload
def densities(
    spread: ScoreDensities,
    *,
    thresholds: Threshold | Sequence[Threshold] = ...,
    kind: str = ...,
    curve: Literal[True] = ...,
    words: str = ...,
    title: str = ...,
    text_size: float = ...,
    ax: tuple[Axes, Axes] | None = ...,
) -> tuple[Axes, Axes]: ...
@overload
def densities(
    spread: ScoreDensities,
    *,
    thresholds: Threshold | Sequence[Threshold] = ...,
    kind: str = ...,
    curve: Literal[False],
    words: str = ...,
    title: str = ...,
    text_size: float = ...,
    ax: Axes | None = ...,
) -> Axes: ...
@overload
def densities(
    spread: Mapping[str, ScoreDensities],
    *,
    thresholds: Threshold | Sequence[Threshold] = ...,
    kind: str = ...,
    curve: bool = ...,
    words: str = ...,
    title: str = ...,
    text_size: float = ...,
    ax: Sequence[Axes] | None = ...,
) -> tuple[Axes, ...]: ...
def densities(
    spread: Any,
    *,
    thresholds: Threshold | Sequence[Threshold] = (),
    kind: str = "mirrored",
    curve: bool = True,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Any = None,
) -> Any:
    """Draw the scores of both classes, above each other or one over the other, and beside them the curve.

    A threshold is an upright line through the scores and a mark on the curve: what lies beyond the line is
    the mark's true and false positive rate. A single threshold has that side shaded; over each other, the
    four areas have their names and shares. The key says how many scores lie outside the bars.

    Parameters
    ----------
    spread : ScoreDensities, or mapping from names to them
        From :func:`rocsteady.score_densities`. Bars are as high as their share of the class; of bins that
        are not evenly wide, as their share over their width. Several, by name, stand under each other on one
        axis of scores.
    thresholds : float or Cutoff, or sequence of them
        In the units of the scores; at most four.
    kind : {"mirrored", "overlaid", "smooth"}
        Positives upwards and negatives downwards; both upwards, over each other; or their smooth densities
        (:meth:`ScoreDensities.smooth`) over each other.
    curve : bool
        Whether the curve is drawn too.
    words : {"ml", "medical", "biometric"}
        What the rates are called.
    title : str
        Above the scores.
    text_size : float
        Points; lines and markers go by it, and so does the size of a figure that is made.
    ax : pair of matplotlib Axes, or Axes without the curve, optional
        Where to draw, of several spreads those of each in turn; without it a figure is made, with the curve
        as wide as two columns.

    Returns
    -------
    pair of matplotlib Axes
        Of the scores and of the curve; without the curve only the first; of several spreads those of all.

    Raises
    ------
    UsageError
        RS002 for anything but densities, and for axes that are not as many; RS042 for more thresholds or
        spreads than can be distinguished, a size that is none, and smooth densities of scores that take few
        values; RS001 for unknown words.

    Examples
    --------
    >>> import rocsteady as rs
    >>> ratings = rs.score_densities([1, 1, 1, 0, 0, 0], [5, 4, 4, 4, 2, 1])
    >>> scores, curve = densities(ratings, thresholds=4)
    >>> scores.get_xlabel(), curve.get_xlabel()
    ('score (high: positive)', 'False positive rate')
    >>> scores = densities(ratings, thresholds=4, kind="overlaid", curve=False)
    >>> [text.get_text() for text in scores.texts]
    ['FN 0.0 %', 'TN 66.7 %', 'TP 100.0 %', 'FP 33.3 %']
    """
    one_of("kind", kind, KINDS)
    with_curve = yes_or_no("curve", curve)
    several = _given_spreads(spread)
    values = _given_thresholds(thresholds)
    options: Any = {"thresholds": values, "curve": with_curve, "kind": kind}
    made = picture(spread, **options) if several is None else stacked(several, **options)
    first = spread if several is None else next(iter(several.values()))
    return draw(made.titled(title), words_of(first, words), text_size=text_size, ax=ax)


def _given_spreads(spread: object) -> dict[str, ScoreDensities] | None:
    """Several by name, None of a single one; RS002 for anything else, RS042 for none or too many."""
    way = "rs.plot.densities(rs.score_densities(score_set))"
    if not isinstance(spread, Mapping):
        of_kind(ScoreDensities, spread, "the densities of scores", way)
        return None
    for own in spread.values():
        of_kind(ScoreDensities, own, "the densities of scores", way)
    require_room(list(spread), MOST_SPREADS, "spreads of scores", ["some of them:  {name: spread}"])
    return {str(name): own for name, own in spread.items()}


def _given_thresholds(thresholds: Any) -> list[Any]:
    """As they are; RS042 for too many, and for what is no number."""
    single = isinstance(thresholds, str) or not isinstance(thresholds, Sequence | np.ndarray)
    several = [thresholds] if single else list(thresholds)
    if len(several) > len(MARKS):
        few = Option("thresholds", [0.2, 0.5])
        raise fail("RS042.room", most=len(MARKS), what="thresholds", n=len(several), ways=[few])
    return [
        own if isinstance(own, Cutoff | AppliedCutoff) else one_number("thresholds", own) for own in several
    ]


def picture(
    spread: ScoreDensities,
    *,
    thresholds: Sequence[Threshold] = (),
    curve: bool = True,
    model: str = "",
    kind: str = "mirrored",
    ends: tuple[float, float] | None = None,
    is_explained: bool = True,
    variable: str = "",
) -> Picture:
    """The figure as a description; ``model`` is the one whose colour positives and curve have.

    ``variable`` is what the scores are called.
    ``ends`` are those of the axis of scores, where it is shared with other spreads; the last of these
    explains what holds for all.
    """
    look: Hue = Model(model) if model else LOOKS[0]
    smooth = spread.smooth() if kind == "smooth" else None
    along = _Along(spread, smooth, ends, variable)
    said = [Cut(own) if isinstance(own, int | float) else Cut.of(own) for own in thresholds]
    cuts = [(own.value, hue, spread.rates_at(own.value)) for own, hue in zip(said, MARKS, strict=False)]
    seen = [along.holds(value) for value, _, _ in cuts]
    is_single = len(cuts) == 1 and seen[0]
    at = along.cut(cuts[0][0]) if is_single else None
    if kind == "mirrored":
        marks, classes, up = _mirrored(spread, along, at, look)
    else:
        marks, classes, up = _overlaid(spread, along, smooth, at, look)
        if at is not None:
            marks += _areas(spread, along, at, cuts[0][2], look)
    for (value, hue, _), is_seen in zip(cuts, seen, strict=True):
        if is_seen:
            marks.append(Rule(x=along.cut(value), look=hue, width=1.2, name="threshold"))
    notes = _notes(spread, [value for (value, _, _), is_seen in zip(cuts, seen, strict=True) if not is_seen])
    if is_single and kind == "mirrored":
        notes.append(Entry(phrase("called positive"), Span(0, 0, look=QUIET, alpha=0.3)))
    elif is_single and is_explained:
        notes.append(Entry(phrase("TP, FN: of the {positives}; FP, TN: of the {negatives}")))
    if smooth is not None and is_explained:
        notes.append(Entry(phrase("smooth densities (Gaussian kernel)")))
    points = [Points([rates.fpr], [rates.tpr], look=hue, size=6, name="point") for _, hue, rates in cuts]
    lines = [Rule(x=math.nan, look=hue, width=1.2) for _, hue, _ in cuts]
    rows = [
        Entry(_called(spread, cut), sample, _rates(rates))
        for cut, (_, _, rates), sample in zip(said, cuts, points if curve else lines, strict=False)
    ]
    scores = Panel(
        along.axis,
        up,
        tuple(marks),
        key=Key((*classes, *([] if curve else rows)), tuple(notes), corners=()),
        aspect=1.0 if curve else 0.75,
    )
    described = phrase("Scores of both classes")
    if not curve:
        return Picture((scores,), description=described)
    line = Line(spread.curve.fpr, spread.curve.tpr, look=QUIET, width=1.6, name="average")
    several = "threshold average" if spread.per_group else "pooled curve"
    name = several if spread.n_groups > 1 else "curve"
    area = Entry(phrase(f"{name}, AUC {{area}}", area=Rate(AUC, spread.curve.auc)), line)
    panel = View().panel((line, *points))
    beside = Panel(panel.x, panel.y, panel.marks, key=Key(tuple(rows), (area,)), aspect=1.0)
    return Picture((scores, beside), columns=2, width=2 * COLUMN, description=described)


def stacked(
    spreads: Mapping[str, ScoreDensities],
    *,
    thresholds: Sequence[Threshold] = (),
    curve: bool = True,
    model: str = "",
    kind: str = "mirrored",
) -> Picture:
    """Spreads under each other by their names, on one axis of scores where they have one scale."""
    options: Any = {"thresholds": thresholds, "curve": curve, "model": model, "kind": kind}
    several = list(spreads.values())
    ends = None
    if len({(own.scale, own.is_discrete) for own in several}) == 1 and not several[0].is_discrete:
        axes = [picture(own, **options).panels[0].x for own in several]
        ends = min(own.low or 0.0 for own in axes), max(own.high or 0.0 for own in axes)
    alone = [
        picture(own, **options, ends=ends, is_explained=k == len(several))
        for k, own in enumerate(several, start=1)
    ]
    panels: list[Panel] = []
    aspect = 0.8 if curve else 0.5
    for name, own in zip(short_names(list(spreads), 30), alone, strict=True):
        first, *rest = (replace(each, aspect=aspect) for each in own.panels)
        panels += [replace(first, title=Quote(name)), *rest]
    return replace(alone[0], panels=tuple(panels), columns=len(alone[0].panels))


_Parts = tuple[list[Mark], list[Entry], Axis]


def _mirrored(spread: ScoreDensities, along: _Along, at: float | None, look: Hue) -> _Parts:
    """Positives upwards, negatives downwards; what lies beyond a single threshold is shaded."""
    high, low = _heights(spread)
    marks: list[Mark] = []
    if at is not None:
        ends = (at, along.high) if spread.higher_is_positive else (along.low, at)
        marks.append(Span(*ends, look=QUIET, alpha=0.14, name="called"))
    if spread.low.size:
        bars = along.bars
        up = Bars(bars[0], high, bars[1], look=look, alpha=0.75, name="positives")
        down = Bars(bars[0], -low, bars[1], look=_OTHER, alpha=0.6, is_hatched=True, name="negatives")
        marks += [up, down]
    else:
        marks.append(_nothing())
        up, down = Bars([], [], look=look, alpha=0.75), Bars([], [], look=_OTHER, is_hatched=True, alpha=0.6)
    top = float(np.max(high, initial=0.0)), float(np.max(low, initial=0.0))
    room = 0.08 * (sum(top) or 1.0)
    ends = (-(top[1] or 0.5) - room, (top[0] or 0.5) + room)
    return marks, _classes(spread, up, down, (", up", ", down")), _upright(spread, *ends)


def _overlaid(
    spread: ScoreDensities, along: _Along, smooth: SmoothDensities | None, at: float | None, look: Hue
) -> _Parts:
    """Both classes upwards, over each other, each side of a single threshold shaded in its own way."""
    both: list[tuple[Floats, Floats]]
    if smooth is not None:
        both = [(smooth.place, smooth.negative), (smooth.place, smooth.positive)]
    else:
        both = [along.steps(own, k) for k, own in enumerate(reversed(_heights(spread)))]
    marks: list[Mark] = []
    samples: list[Mark] = []
    for (x, y), hue, name in zip(both, (_OTHER, look), ("negatives", "positives"), strict=True):
        sides = [(-math.inf, math.inf)] if at is None else [(-math.inf, at), (at, math.inf)]
        for number, (start, stop) in enumerate(sides):
            is_called = at is not None and bool(number) == spread.higher_is_positive
            alpha = 0.6 if is_called else 0.2 if at is not None else 0.35
            is_hatched = hue is _OTHER and (is_called or at is None)
            inside = _between(x, y, start, stop)
            if inside[0].size:
                called = "called" if is_called else "spared" if at is not None else "all"
                area = Region(*inside, look=hue, alpha=alpha, is_hatched=is_hatched, name=f"{name} {called}")
                marks.append(area)
        marks.append(Line(x, y, look=hue, width=1.2, dash=(), name=name))
        samples.append(Bars([], [], look=hue, alpha=0.6, is_hatched=hue is _OTHER, outline=0.8))
    if not spread.low.size:
        marks.append(_nothing())
    top = max(float(np.max(y, initial=0.0)) for _, y in both) or 0.5
    axis = _upright(spread, 0.0, (1.3 if at is not None else 1.08) * top, is_density=smooth is not None)
    return marks, _classes(spread, samples[1], samples[0], ("", "")), axis


def _between(x: Floats, y: Floats, start: float, stop: float) -> tuple[Floats, Floats]:
    """The area under a line between two places, as the corners of a polygon."""
    start, stop = max(start, float(x.min(initial=math.inf))), min(stop, float(x.max(initial=-math.inf)))
    if not start < stop:
        return np.empty(0), np.empty(0)
    is_inside = (x > start) & (x < stop)
    first, last = np.interp([start, stop], x, y)
    if (x == start).any():  # a step there: its right end
        first = y[np.flatnonzero(x == start)[-1]]
    if (x == stop).any():
        last = y[np.flatnonzero(x == stop)[0]]
    xs = np.concatenate([[start, start], x[is_inside], [stop, stop]])
    return xs, np.concatenate([[0.0, first], y[is_inside], [last, 0.0]])


def _areas(spread: ScoreDensities, along: _Along, at: float, rates: Any, look: Hue) -> list[Mark]:
    """The names of the four areas with their shares, at both sides of a threshold."""
    share = float((at - along.low) / (along.high - along.low))
    # Beside the line; further in, one beside the other, where there is no room at one side of it.
    left = max(min(share, 1 - _LABELLED) - 0.015, _LABELLED)
    right = min(max(share, _LABELLED) + 0.015, 1 - _LABELLED)
    tpr, fpr = float(rates.tpr), float(rates.fpr)
    called = [("TP", tpr, look), ("FP", fpr, _OTHER)]
    spared = [("FN", 1 - tpr, look), ("TN", 1 - fpr, _OTHER)]
    sides = (spared, called) if spread.higher_is_positive else (called, spared)
    marks: list[Mark] = []
    for side, across, x in ((sides[0], "right", left), (sides[1], "left", right)):
        for row, (word, value, hue) in enumerate(side):
            text = phrase(f"{word} {{value}}", value=Rate(_SHARE, value))
            place: Any = {"across": across, "up": "top", "space": "share"}
            marks.append(Label(x, 0.97 - 0.085 * row, text, **place, look=hue, is_bold=True, name="area"))
    return marks


def _nothing() -> Label:
    return Label(0.5, 0.55, phrase("no score has a finite place"), across="middle", space="share")


def _upright(spread: ScoreDensities, low: float, high: float, *, is_density: bool = False) -> Axis:
    """The axis of heights: shares in per cent, or densities."""
    ticks = even_ticks(low, high, 6)
    is_share = spread.is_even and not is_density
    unit, sign = (100.0, " %") if is_share else (1.0, "")
    names = tuple(Quote(f"{tick(round(unit * abs(own), 10))}{sign}") for own in ticks)
    what = "score" if spread.is_discrete else "bin"
    label = phrase(f"share of the class per {what}" if is_share else "density")
    return Axis(label, low, high, ticks=ticks, names=names)


def ridge(found: ScoreQuantiles, *, threshold: float = math.nan, model: str = "") -> Picture:
    """Where the scores of negatives lie in every group: the highest median first, a shared threshold across.

    5 to 95 % of the scores of a group are the thin line, the middle half the thick one, the median the dot.
    """
    look: Hue = Model(model) if model else LOOKS[0]
    values = found.negatives
    order = np.array(evenly(np.argsort(-values[:, len(found.shares) // 2], kind="stable").tolist()))
    values, n = values[order], order.size
    up = -np.arange(n, dtype=float)
    known = values[np.isfinite(values)]
    ends = [float(known.min()), float(known.max())] if known.size else [0.0, 1.0]
    if math.isfinite(threshold):
        ends = [min(ends[0], threshold), max(ends[1], threshold)]
    room = 0.03 * (ends[1] - ends[0]) or 0.5
    low, high = ends[0] - room, ends[1] + room
    is_named, height = n <= _ROWS, _ROW if n <= _ROWS else 3.6 / n
    points = 72 * height
    marks: list[Mark] = []
    if math.isfinite(threshold):
        side = (threshold, high) if found.higher_is_positive else (low, threshold)
        marks += [
            Span(*side, look=look, alpha=0.12, name="called"),
            Rule(x=threshold, look=look, width=1.4, dash=(), name="threshold"),
        ]
    spans = ((0, -1, min(points / 4, 1.0)), (1, -2, min(points / 2.6, 3.4)))
    marks += [
        Segments(values[:, a], up, values[:, b], up, look=QUIET, width=width, name="scores")
        for a, b, width in spans
    ]
    middle = Points(values[:, 2], up, size=max(min(points / 2, 4.0), 1.4), marker="o", name="median")
    marks.append(middle)
    short = fitting_names([found.groups[k] for k in order], 10) if is_named else []
    y = Axis(
        None if is_named else Count(n, found.unit, of=len(found.groups) if n < len(found.groups) else None),
        -n + 0.4,
        0.6,
        ticks=tuple(up.tolist()) if is_named else (),
        names=tuple(map(Quote, short)),
        is_shown=False,
    )
    entries = []
    if math.isfinite(threshold):
        line = Rule(x=threshold, look=look, width=1.4, dash=())
        entries.append(Entry(phrase("{threshold} {cut}", cut=drawn_cut(threshold)), line))
    notes = (
        Entry(phrase("median"), Points([], [], size=4, marker="o")),
        Entry(phrase("middle half"), Segments([], [], [], [], look=QUIET, width=3.4)),
        Entry(phrase("5 to 95 %"), Segments([], [], [], [], look=QUIET)),
    )
    panel = Panel(
        Axis(phrase("score, {negatives}"), low, high),
        y,
        tuple(marks),
        key=Key(tuple(entries), notes, corners=()),
        aspect=max(n * height, 0.6) / (0.72 * COLUMN),
    )
    described = phrase("Scores of the {negatives} of every {unit}", unit=Quote(found.unit))
    return Picture((panel,), description=described)


# The axis of scores -------------------------------------------------------------------------------------


class _Along:
    """Where scores stand: as they are, by their place on a scale, or single values at even distances."""

    def __init__(
        self,
        spread: ScoreDensities,
        smooth: SmoothDensities | None = None,
        ends: tuple[float, float] | None = None,
        variable: str = "",
    ) -> None:
        self.spread, self.variable = spread, variable
        self._place(spread)
        if smooth is not None:
            self.low, self.high = float(smooth.place[0]), float(smooth.place[-1])
        if ends is not None:
            self.low, self.high = ends

    def _place(self, spread: ScoreDensities) -> None:
        values = spread.low
        self.is_by_rank = False
        if spread.is_discrete and values.size > 1:
            with np.errstate(over="ignore", invalid="ignore"):
                self.is_by_rank = not values[-1] - values[0] <= _CROWDED * np.min(np.diff(values))
        if spread.is_discrete:
            self.at = np.arange(values.size, dtype=float) if self.is_by_rank else values
            gaps = np.diff(self.at)
            self.gap = float(np.min(gaps)) if gaps.size else 1.0
            self.bars = self.at, np.full(self.at.size, 0.8 * self.gap)
            first, last = (self.at[0], self.at[-1]) if values.size else (0.0, 1.0)
            self.low, self.high = float(first - 0.75 * self.gap), float(last + 0.75 * self.gap)
            return
        ends = spread.place(spread.low), spread.place(spread.high)
        self.at, self.gap = ends[0], 0.0
        self.bars = (ends[0] / 2 + ends[1] / 2), ends[1] - ends[0]
        self.low, self.high = (float(ends[0][0]), float(ends[1][-1])) if values.size else (0.0, 1.0)

    def holds(self, threshold: float) -> bool:
        """Whether a threshold is in view."""
        spread = self.spread
        return spread.low.size > 0 and bool(spread.low[0] <= threshold <= spread.high[-1])

    def steps(self, heights: Floats, which: int) -> tuple[Floats, Floats]:
        """The outline of bars: of bins; of single values, where those of two classes are side by side."""
        middle, width = self.bars
        if self.spread.is_discrete:
            middle, width = middle + (which - 0.5) * width / 2, width / 2
        ends = np.column_stack([middle - width / 2] * 2 + [middle + width / 2] * 2)
        none = np.zeros_like(heights)
        return ends.ravel(), np.column_stack([none, heights, heights, none]).ravel()

    def cut(self, threshold: float) -> float:
        """Where its line stands: of single values half a step before the value, which itself is positive."""
        spread = self.spread
        if not spread.is_discrete:
            return float(spread.place(threshold))
        place = threshold
        if self.is_by_rank:
            values = np.concatenate([[spread.low[0] - 1], spread.low, [spread.low[-1] + 1]])
            place = float(np.interp(threshold, values, np.arange(-1, spread.low.size + 1)))
        if not np.isclose(self.at, place).any():
            return place
        return place - 0.5 * self.gap if spread.higher_is_positive else place + 0.5 * self.gap

    @property
    def axis(self) -> Axis:
        """With ticks where round scores are."""
        spread = self.spread
        way = "high" if spread.higher_is_positive else "low"
        score = Quote(self.variable) if self.variable else phrase("score")
        label = phrase(f"{{score}} ({way}: positive)", score=score)
        ticks: tuple[float, ...] | None = None
        names: tuple[Item, ...] | None = None
        if self.is_by_rank or (spread.is_discrete and 0 < self.at.size <= _MOST_TICKS):
            every = max(1, -(-self.at.size // _MOST_TICKS))
            ticks = tuple(self.at[::every].tolist())
            names = tuple(Quote(tick(rounded(float(own), 4))) for own in spread.low[::every])
        elif spread.scale != "linear" and not spread.is_discrete:
            scores = _round_scores(spread)
            ticks = tuple(float(spread.place(own)) for own in scores)
            names = tuple(Quote(tick(own)) for own in scores)
        return Axis(label, self.low, self.high, ticks=ticks, names=names)


def _round_scores(spread: ScoreDensities) -> list[float]:
    """Powers of ten; of log-odds also shares as close to 1, and the middle; of many some."""
    low, high = float(spread.low[0]), float(spread.high[-1])
    if spread.scale == "log":
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        inside = [10.0**own for own in powers if low <= 10.0**own <= high]
        every = max(1, -(-len(inside) // 6))
        return inside[::every] if len(inside) > 1 else [low, high]
    small = [10.0**-power for power in range(1, 16) if 10.0**-power >= low]
    large = [1 - 10.0**-power for power in range(1, 16) if 1 - 10.0**-power <= high]
    every = max(1, -(-max(len(small), len(large)) // 2))
    middle = [0.5] if low <= 0.5 <= high else []
    return sorted(small[every - 1 :: every] + middle + large[every - 1 :: every])


# Words --------------------------------------------------------------------------------------------------


def _heights(spread: ScoreDensities) -> tuple[Floats, Floats]:
    if spread.is_even:
        return spread.positive_share, spread.negative_share
    return spread.positive_density, spread.negative_density


def _classes(spread: ScoreDensities, positives: Mark, negatives: Mark, ways: tuple[str, str]) -> list[Entry]:
    """What bars are of, and how many cases."""
    is_weighted = spread.curve.is_weighted and not spread.per_group
    entries = []
    for word, way, bars, inside, name in (
        ("{positives}", ways[0], positives, spread.positives, "n_positives"),
        ("{negatives}", ways[1], negatives, spread.negatives, "n_negatives"),
    ):
        total = float(inside.sum() + sum(getattr(own, name) for own in spread.outside))
        amount = "weight " if is_weighted or not total.is_integer() else ""
        entries.append(Entry(phrase(f"{word}{way} ({amount}{{n}})", n=Count(total)), bars))
    return entries


def _notes(spread: ScoreDensities, unseen: Sequence[float]) -> list[Entry]:
    """What counts once, how many scores lie outside the bars, which thresholds do."""
    notes: list[Item] = []
    groups = Count(spread.n_groups, spread.unit)
    if spread.per_group:
        notes.append(phrase("{groups}, each counting once", groups=groups))
    elif spread.n_groups > 1:
        n = Count(float(spread.curve.n_positives + spread.curve.n_negatives), "case")
        notes.append(phrase("{n} of {groups}", n=n, groups=groups))
    for own in spread.outside:
        n = Count(float(own.n_positives + own.n_negatives), "case")
        notes.append(phrase("outside the bars: {n} {where}", n=n, where=Quote(own.where)))
    notes += [phrase("beyond the bars: {threshold} {cut}", cut=drawn_cut(value)) for value in unseen]
    return list(map(Entry, notes))


def _called(spread: ScoreDensities, cut: Cut) -> Text:
    return phrase("{threshold} {cut}", cut=drawn_cut(cut.value) if cut.beside is None else cut)


def _rates(rates: Any) -> Text:
    parts = [(TPR, float(rates.tpr)), (FPR, float(rates.fpr))]
    return joined([phrase("{name} {rate}", name=Name(q), rate=Rate(q, value)) for q, value in parts])
