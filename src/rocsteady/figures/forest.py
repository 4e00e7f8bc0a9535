"""The AUC, or the smAUC, of every group with its interval, and the summary of all.

Sections pass :func:`picture` an :class:`~rocsteady.inference.summarize.AucSummary` and the model it is of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import of_kind
from rocsteady.figures.spec import (
    GUIDE,
    LOOKS,
    Axis,
    Entry,
    Key,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Region,
    Segments,
    evenly,
    fitting_names,
    spelled,
    width_of,
)
from rocsteady.figures.style import COLUMN, MOST_FAINT, QUIET, TEXT_SIZE, Look
from rocsteady.inference.smauc import SmaucSummary
from rocsteady.inference.summarize import AucSummary
from rocsteady.options import one_of, rate_range, yes_or_no
from rocsteady.scores.design import Random
from rocsteady.text import (
    AUC,
    ML,
    SMAUC,
    Count,
    Item,
    Level,
    Limits,
    Model,
    Name,
    Number,
    P,
    Quantity,
    Quote,
    Range,
    Rate,
    Scale,
    Text,
    joined,
    noun,
    phrase,
    words_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Summary: TypeAlias = AucSummary | SmaucSummary

ORDERS = ("given", "auc", "worst", "weight")
MOST_NAMED = 40
"""Groups that have a line with a name; more of them stand close, sorted by their AUCs."""
I_SQUARED = Quantity("i squared", Scale.SHARE)
_WAYS = {
    "t": "mean of {groups}{out}, Student's t",
    "cv-influence": "mean of {groups}{out}, cases random",
    "nadeau-bengio": "mean of {groups}{out}, Nadeau and Bengio",
    "random-effects": "random effects ({how}), {groups}{out}",
}
_TAU = {"reml": "REML", "dersimonian-laird": "DerSimonian-Laird"}
_WIDEST = 12.0
"""Width of a name, in sizes of the text."""
_WIDTH = 1.25 * COLUMN
_ROW = 0.165
"""Inches for a line with a name."""
_MARK = 6.5
"""Points: the side of the largest square."""


def forest(
    summary: Summary,
    *,
    order: str | None = None,
    numbers: bool = True,
    limits: tuple[float, float] | None = None,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw the AUC, or the smAUC, of every group with its interval, and the summary of all under them.

    A square is a group: its area is what the group counts, the line its own interval, for which only its
    cases are random. The diamond is the summary and its interval. The thin line under it is where another
    group is expected; where groups truly differ it is far wider than the diamond. More than forty groups
    have no names, and stand in the order of their AUCs; of more than 300, so many are drawn, evenly chosen.

    Parameters
    ----------
    summary : AucSummary or SmaucSummary
        From :func:`rocsteady.summarize_auc`; ``method="random-effects"`` separates sampling error and true
        differences, and weighs the groups. Or from :func:`rocsteady.summarize_smauc`: each smAUC then stands
        beside its own chance level.
    order : {"given", "auc", "worst", "weight"}, optional
        How groups stand from the top: as they came (the usual one), the highest AUC, the lowest one or the
        largest weight first.
    numbers : bool
        Whether AUCs and intervals are written beside the lines, where groups have names.
    limits : (float, float), optional
        The AUCs between which the axis runs, so that panels of several models can be compared; by default
        all intervals fit in. What lies outside is not drawn.
    words : {"ml", "medical", "biometric"}
        As other figures have it. No rate stands at this axis, so nothing changes.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but a summary of AUCs; RS001 and RS042 for words and numbers that are none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import ShiftedDatasets
    >>> population = ShiftedDatasets("C-1", separation=1.2, separation_sd=0.3)
    >>> sites = population.draw(12, n_positives=100, n_negatives=150, seed=1, unit="site")
    >>> axes = forest(rs.summarize_auc(sites, "random-effects"))
    >>> [label.get_text() for label in axes.get_yticklabels()][-2:]
    ['random effects', 'another site']
    """
    way = "rs.plot.forest(rs.summarize_auc(score_set, 'random-effects'))"
    if not isinstance(summary, SmaucSummary):
        of_kind(AucSummary, summary, "a summary of AUCs", way)
    yes_or_no("numbers", numbers)
    made = picture(summary, order=order, numbers=numbers, limits=limits)
    return draw(made.titled(title), words_of(summary, words), text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(
    summary: Summary,
    *,
    model: str = "",
    order: str | None = None,
    numbers: bool = True,
    limits: tuple[float, float] | None = None,
) -> Picture:
    """The figure as a description; ``model`` is the one whose colour the groups have."""
    own, wide = summary.per_group, summary.prediction_interval
    is_named = len(own) <= MOST_NAMED
    chosen = ("given" if is_named else "auc") if order is None else one_of("order", order, ORDERS)
    areas = areas_of(summary)
    values = {"given": np.zeros(len(own)), "auc": areas, "worst": -areas, "weight": own.weight}[chosen]
    places = np.argsort(-values, kind="stable")
    span = _margins(*(auc_range(summary) if limits is None else rate_range("limits", limits)))
    has_prediction = wide is not None and bool(np.isfinite([wide.low, wide.high]).all())
    look: Look | Model = Model(model) if model else LOOKS[0]
    step = 1.0 if is_named else 0.07 * len(own)
    rows = [float(-k) for k in range(len(own))]
    rows += [rows[-1] - 1.2 * step] + [rows[-1] - 2.2 * step] * has_prediction
    lowest, highest = rows[-1] - 0.8 * step, 0.7 * step
    middle = rows[len(own)]
    marks = [
        *_groups(summary, places, look, span, is_named=is_named),
        Region(
            np.clip([summary.interval.low, summary.estimate, summary.interval.high, summary.estimate], *span),
            [middle, middle + 0.36 * step, middle, middle - 0.36 * step],
            name="diamond",
        ),
    ]
    if span[0] < summary.estimate < span[1]:
        at = [summary.estimate] * 2
        marks.insert(0, Line(at, [middle, highest], look=GUIDE, width=0.7, dash=(5, 3), name="estimate"))
    if isinstance(summary, SmaucSummary):
        marks.append(_chance_marks(summary, places, span))
    elif span[0] < 0.5 < span[1]:
        marks.insert(0, Line([0.5] * 2, [lowest, highest], look=GUIDE, width=0.7, name="chance"))
    if wide is not None and has_prediction:
        ends = np.clip([wide.low, wide.high], *span)
        marks.append(
            Points([ends.mean()], [rows[-1]], (ends[:1], ends[1:]), capsize=2.5, marker="", name="prediction")
        )
    y = Axis(None, lowest, highest, ticks=(), is_shown=False)
    right, aspect = None, 1.0
    if is_named:
        names = _names(summary, places, has_prediction=has_prediction)
        y = replace(y, ticks=tuple(rows), names=names)
        beside = _numbers(summary, places, has_prediction=has_prediction) if numbers else ()
        right = replace(y, names=beside) if numbers else None
        aspect = _row_aspect(len(rows) + 0.5, names, beside)
    else:
        n = min(len(own), MOST_FAINT)
        y = replace(y, label=Count(n, own.unit, of=len(own) if n < len(own) else None))
    panel = Panel(
        Axis(Name(_quantity(summary)), *span),
        y,
        tuple(marks),
        key=_key(summary, look, is_named=is_named, has_prediction=has_prediction),
        aspect=aspect,
        right=right,
    )
    described = phrase(
        "{area} of {groups} with intervals, and the summary",
        area=Name(_quantity(summary)),
        groups=Count(len(own), own.unit),
    )
    return Picture((panel,), width=_WIDTH, description=described)


def _row_aspect(n_rows: float, *beside: Sequence[Item]) -> float:
    """The height of axes by their width, with lines of text of these widths beside them."""
    wide = [max((width_of(spelled(own, ML)) for own in column), default=0.0) for column in beside]
    return n_rows * _ROW / max(_WIDTH - sum(7 * own / 72 + 0.08 for own in wide), 1.0)


def areas_of(summary: Summary) -> Floats:
    """The AUC, or the smAUC, of every group."""
    return summary.per_group.smauc if isinstance(summary, SmaucSummary) else summary.per_group.auc


def _quantity(summary: Summary) -> Quantity:
    return SMAUC if isinstance(summary, SmaucSummary) else AUC


def auc_range(summary: Summary) -> tuple[float, float]:
    """AUCs that the axis shows unless ``limits`` says: all intervals, as far as an AUC can be."""
    own, wide = summary.per_group, summary.prediction_interval
    ends = [
        areas_of(summary),
        own.interval.low,
        own.interval.high,
        [summary.interval.low, summary.interval.high],
    ]
    ends += [[wide.low, wide.high]] if wide is not None else []
    ends += [summary.per_group.chance_smauc] if isinstance(summary, SmaucSummary) else []
    values = np.concatenate([np.asarray(part, dtype=np.float64) for part in ends])
    values = np.clip(values[np.isfinite(values)], 0, 1)
    return float(values.min()), float(values.max())


def _margins(low: float, high: float) -> tuple[float, float]:
    """So that marks at the ends are whole."""
    margin = 0.03 * (high - low) or 0.01
    return low - margin, high + margin


def _groups(
    summary: Summary, places: Any, look: Any, span: tuple[float, float], *, is_named: bool
) -> list[Mark]:
    """Squares whose area is what a group counts, and its interval where it has one."""
    shown = np.array(evenly(range(len(places))))
    own, up = summary.per_group, -shown.astype(float)
    auc, low, high = (
        values[places[shown]] for values in (areas_of(summary), own.interval.low, own.interval.high)
    )
    is_seen = np.isfinite(low) & np.isfinite(high) & (high >= span[0]) & (low <= span[1])
    low, high = (np.where(is_seen, np.clip(end, *span), np.nan) for end in (low, high))
    auc = np.where((auc >= span[0]) & (auc <= span[1]), auc, np.nan)
    if not is_named:
        alpha = max(0.2, min(0.6, 60 / len(shown)))
        lines = Segments(low, up, high, up, look=look, width=0.5, alpha=alpha, dash=(), name="intervals")
        return [lines, Points(auc, up, size=1.6, marker="s", look=look, name="aucs")]
    side = _MARK * np.sqrt(own.weight / own.weight.max())[places]
    lines = Segments(low, up, high, up, look=look, dash=(), name="intervals")
    squares = [
        Points(auc[own], up[own], size=size, marker="s", look=look, name="aucs")
        for size, own in ((float(size), np.flatnonzero(side == size)) for size in np.unique(side))
    ]
    return [lines, *squares]


def _chance_marks(summary: SmaucSummary, places: Any, span: tuple[float, float]) -> Mark:
    """The chance level of each group."""
    shown = np.array(evenly(range(len(places))))
    chance = np.clip(summary.per_group.chance_smauc[places[shown]], *span)
    return Points(chance, -shown.astype(float), marker="|", look=QUIET, size=6, name="chance")


def _names(summary: Summary, places: Any, *, has_prediction: bool) -> tuple[Item, ...]:
    names = fitting_names([summary.per_group.names[k] for k in places], _WIDEST)
    another = [phrase("another {unit}", unit=Quote(noun(summary.unit)))] * has_prediction
    return (*map(Quote, names), _kind(summary), *another)


def _numbers(summary: Summary, places: Any, *, has_prediction: bool) -> tuple[Item, ...]:
    """What each line says, in figures."""
    own, wide = summary.per_group, summary.prediction_interval
    low, high = own.interval.low[places], own.interval.high[places]
    rows = [
        Rate(_quantity(summary), value, Limits(a, b, own.interval.confidence_level))
        for value, a, b in zip(areas_of(summary)[places].tolist(), low.tolist(), high.tolist(), strict=True)
    ]
    rows.append(Rate(_quantity(summary), summary.estimate, summary.interval))
    shown: list[Item] = [phrase("{rate:cell}", rate=own) for own in rows]
    if wide is not None and has_prediction:
        shown.append(Range(_quantity(summary), wide.low, wide.high))
    return tuple(shown)


def _kind(summary: Summary) -> Text:
    return phrase("random effects" if _method(summary) == "random-effects" else "mean")


def _method(summary: Summary) -> str:
    """Of AUCs as it was asked for; smAUCs have a mean, over groups or over cases."""
    if isinstance(summary, AucSummary):
        return summary.method
    if summary.random in (Random.GROUPS, Random.SPLITS):
        return "nadeau-bengio" if summary.test_train_ratio else "t"
    return "cv-influence"


def _key(summary: Summary, look: Any, *, is_named: bool, has_prediction: bool) -> Key:
    """How the groups were summarized, how many, by how much they differ; what marks and lines are."""
    own, unit = summary.per_group, Quote(noun(summary.unit))
    known = np.isfinite(own.interval.low) & np.isfinite(own.interval.high)
    sample = Points([], [], ([], []), look=look, marker="s", size=4)
    level = Level(own.interval.confidence_level)
    parts = [phrase("each {unit}, {level} CI" if known.any() else "each {unit}", unit=unit, level=level)]
    if known.any() and not known.all():
        parts.append(phrase("{n} without one", n=int((~known).sum())))
    if is_named and np.ptp(own.weight) > 0:
        parts.append(phrase("area: weight"))
    notes = [Entry(joined(parts, "; "), sample)]
    if not is_named:
        value = Rate(_quantity(summary), summary.estimate, summary.interval)
        diamond = Points([], [], marker="D", size=4)
        notes.append(Entry(phrase("{kind} {value:cell}", kind=_kind(summary), value=value), diamond))
    if has_prediction:
        true = "true " if _method(summary) == "random-effects" else ""
        area = Name(_quantity(summary))
        text = phrase(f"where the {true}{{area}} of another {{unit}} is expected", area=area, unit=unit)
        notes.append(Entry(text, Segments([], [], [], [])))
    left_out = phrase(" ({n} left out)", n=len(summary.undefined)) if summary.undefined else None
    how = Quote(_TAU.get(str(getattr(summary, "heterogeneity", None)), ""))
    way = phrase(_WAYS[_method(summary)], groups=Count(len(own), summary.unit), out=left_out, how=how)
    notes.append(Entry(way))
    if isinstance(summary, SmaucSummary):
        bar = Points([], [], marker="|", look=QUIET, size=6)
        return Key(notes=(*notes, Entry(phrase("chance: labels dealt at random"), bar)), corners=())
    if summary.tau is not None and summary.i_squared is not None and summary.heterogeneity_pvalue is not None:
        tau, share = Number(summary.tau, 2), Rate(I_SQUARED, summary.i_squared)
        p = P(summary.heterogeneity_pvalue)
        notes.append(Entry(phrase("tau {tau} (logits), I² {share}, {p}", tau=tau, share=share, p=p)))
    return Key(notes=tuple(notes), corners=())
