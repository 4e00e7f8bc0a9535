"""A curve with the cut-offs that were chosen on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.base import Average
from rocsteady.curves.from_scores import described
from rocsteady.errors import fail
from rocsteady.options import open_share
from rocsteady.plots.given.of_average import kind_words
from rocsteady.plots.given.of_curve import area_interval
from rocsteady.plots.given.values import flat_axes, given_cutoffs, given_intervals, given_size
from rocsteady.plots.keys.average_key import KeyEntry, KeyNote
from rocsteady.plots.keys.fitted_key import Key, write_key
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.roc_axes import dress_roc
from rocsteady.plots.parts.style import BLACK, BLUE, COLUMN, LOOKS
from rocsteady.plots.parts.vocabulary import vocabulary
from rocsteady.points.criteria import Criterion, MinimumCost, TargetRate
from rocsteady.points.cutoffs import AppliedCutoff, Cutoff
from rocsteady.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.averaging.shared_threshold import SharedThresholdAverage
    from rocsteady.curves.roc import RocCurve
    from rocsteady.plots.parts.vocabulary import Vocabulary
    from rocsteady.points.cutoffs import CutoffIntervals
    from rocsteady.statistics.limits import Interval

MARKS = (
    *((look.colour, look.text, marker) for look, marker in zip(LOOKS[1:5], "osD^", strict=True)),
    (BLACK, BLACK, "v"),
)
"""Colour, colour of words and marker of each in turn; markers differ, so that no one needs to see colours."""
_Chosen = Cutoff | AppliedCutoff
_MARK = 6.0  # points, where text has the usual size
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
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS042 for more cut-offs than can be told apart, or a size that is none; RS013 if there are not as many
        intervals; RS002 for cut-offs of another curve, and for anything else that does not belong here.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> axes = cutoffs(rs.choose_cutoff(curve, "youden"), words="medical")
    >>> [text.get_text() for text in axes.get_legend().get_texts()][:2]
    ['Youden: ≥ 0.8', 'sensitivity 66.7 %, specificity 100 %']
    """
    text_size, said = given_size(text_size), vocabulary(words)
    level = open_share("confidence_level", confidence_level)
    own: Any = curve
    if chosen is None:
        own, chosen = _curve_of(curve), curve  # type: ignore[assignment]
    several = given_cutoffs(own, chosen)
    bars = None if intervals is None else given_intervals(intervals)
    _require_fitting(several, bars)
    is_own, ax = ax is None, flat_axes(ax, COLUMN, COLUMN, text_size)
    scale = scale_of(text_size)
    dress_roc(ax, words=words, title=title, text_size=text_size)
    ax.plot(own.fpr, own.tpr, color=BLUE, linewidth=1.5 * scale, zorder=2, label="_average")
    for place, cutoff in enumerate(several):
        colour, _, marker = MARKS[place]
        _draw_guide(ax, cutoff, colour, scale)
        n_inside = sum(_is_beneath(cutoff, other) for other in several[:place])
        if bars is not None:
            _draw_bars(ax, cutoff, bars[place], colour, scale, n_inside)
        ax.plot(
            cutoff.fpr,
            cutoff.tpr,
            linestyle="none",
            marker=marker,
            clip_on=False,
            zorder=5,
            label="_point",
            **_mark(colour, scale, n_inside),
        )
    key = Key(_entries(several, bars, said, scale), _notes(own, level), _heading(bars))
    write_key(ax, [key], text_size, is_own=is_own)
    return ax


def _curve_of(chosen: Any) -> Any:
    """What cut-offs were chosen on, which they know; RS002 if they are none."""
    first = chosen[0] if isinstance(chosen, Sequence) and not isinstance(chosen, str) and chosen else chosen
    if isinstance(first, Cutoff | AppliedCutoff):
        return first._curve
    ways = [f"rs.plot.cutoffs({of}rs.choose_cutoff(curve, 'youden'))" for of in ("", "curve, ")]
    raise fail("RS002.drawn-from", what="cut-offs", found=described(chosen), ways=ways)


def _is_beneath(cutoff: Cutoff | AppliedCutoff, other: Cutoff | AppliedCutoff) -> bool:
    """Whether the mark of one would hide that of the other."""
    return max(abs(cutoff.fpr - other.fpr), abs(cutoff.tpr - other.tpr)) < _HIDDEN


def _mark(colour: str, scale: float, n_inside: int) -> dict[str, Any]:
    """A filled mark; an open and larger one around marks that are there already."""
    if not n_inside:
        edge = {"markeredgecolor": "white", "markeredgewidth": 0.7 * scale}
        return {"color": colour, "markersize": _MARK * scale, **edge}
    return {
        "color": colour,
        "markerfacecolor": "none",
        "markersize": (_MARK + 5 * n_inside) * scale,
        "markeredgewidth": 1.3 * scale,
    }


def _require_fitting(chosen: Sequence[object], intervals: Sequence[CutoffIntervals] | None) -> None:
    if not 0 < len(chosen) <= len(MARKS):
        few = "one to six of them:  rs.plot.cutoffs(curve, [cutoff])"
        raise fail("RS042.room", most=len(MARKS), what="cut-offs", n=len(chosen), ways=[few])
    if intervals is not None and len(intervals) != len(chosen):
        way, found = "intervals=[cutoff.intervals() for cutoff in chosen]", described(intervals)
        raise fail("RS013.one-each", name="intervals", of="cut-off", n=len(chosen), found=found, ways=[way])


def _named(cutoff: Cutoff | AppliedCutoff, said: Vocabulary) -> str:
    """What it was chosen by, and what it calls positive; short, since keys have little room."""
    sign = cutoff.rule.replace(">=", "≥").replace("<=", "≤")
    return f"{_criterion(cutoff.criterion, said)}: {sign} {f'{cutoff.threshold:.4g}'.replace('inf', '∞')}"


def _criterion(criterion: Criterion, said: Vocabulary) -> str:
    if isinstance(criterion, MinimumCost):
        return f"cost {criterion.false_positive:.4g} : {criterion.false_negative:.4g}"
    if isinstance(criterion, TargetRate):
        if criterion.fpr is not None:
            return _held(said, criterion.fpr, rate="fpr")
        assert criterion.tpr is not None
        return _held(said, criterion.tpr, rate="tpr")
    return {"youden": "Youden", "closest": "closest", "eer": "equal errors"}.get(
        criterion.name, str(criterion)
    )


def _held(said: Vocabulary, rate_held: float, *, rate: str) -> str:
    """A target in the words of the field: the least of what is good there, or the most of what is bad."""
    name, value = said.at(rate, rate_held)
    _, is_rest = said.tpr_at if rate == "tpr" else said.fpr_at
    is_good = (rate == "tpr") != is_rest
    return f"{name} {'from' if is_good else 'up to'} {value:.4g}"


def _draw_guide(ax: Axes, cutoff: Cutoff | AppliedCutoff, colour: str, scale: float) -> None:
    """The line that shows what a criterion means, where it has one and the cut-off is the best by it."""
    if not isinstance(cutoff, Cutoff):
        return
    line: Any = {"color": colour, "linewidth": 0.8 * scale, "alpha": 0.8, "zorder": 1, "label": "_guide"}
    if cutoff.criterion == "youden":
        ax.axline((cutoff.fpr, cutoff.tpr), slope=1, linestyle="--", **line)
    elif cutoff.criterion == "closest":
        ax.plot([0, cutoff.fpr], [1, cutoff.tpr], **line)
    elif cutoff.criterion == "eer":
        ax.axline((0, 1), slope=-1, linestyle="-.", **line)


def _draw_bars(
    ax: Axes,
    cutoff: Cutoff | AppliedCutoff,
    found: CutoffIntervals,
    colour: str,
    scale: float,
    n_inside: int,
) -> None:
    """Bars of both rates; broader, and beneath, where there are some already."""
    width, height = (1 + 2.5 * n_inside) * scale, 4 - 0.1 * n_inside
    bar: Any = {"color": colour, "linewidth": width, "zorder": height, "label": "_interval"}
    if found.fpr is not None:
        ax.plot([found.fpr.low, found.fpr.high], [cutoff.tpr] * 2, **bar)
    if found.tpr is not None:
        ax.plot([cutoff.fpr] * 2, [found.tpr.low, found.tpr.high], **bar)


def _entries(
    several: list[Any], bars: list[CutoffIntervals] | None, said: Vocabulary, scale: float
) -> tuple[KeyEntry, ...]:
    """Each cut-off with its rates under it."""
    from matplotlib.lines import Line2D

    entries = []
    for place, cutoff in enumerate(several):
        colour, text, marker = MARKS[place]
        handle = Line2D([], [], linestyle="none", marker=marker, **_mark(colour, scale, 0))
        below = _rates(cutoff, None if bars is None else bars[place], said)
        entries.append(KeyEntry(handle, _named(cutoff, said), "", text, below, longest=60))
    return tuple(entries)


def _rates(cutoff: _Chosen, found: CutoffIntervals | None, said: Vocabulary) -> str:
    """Both rates, one under the other if they have limits."""
    limits = (None, None) if found is None else (found.tpr, found.fpr)
    (hit, misses), (alarm, spared) = said.tpr_at, said.fpr_at
    parts = [
        f"{hit} {_rate(cutoff.tpr, limits[0], is_rest=misses)}",
        f"{alarm} {_rate(cutoff.fpr, limits[1], is_rest=spared)}",
    ]
    parts = parts[::-1] if misses else parts  # of two error rates, false matches come first
    return ", ".join(parts) if found is None else ",\n".join(parts)


def _rate(rate: float, limits: Interval | None, *, is_rest: bool = False) -> str:
    """In per cent, with its limits if there are any; or what is left of it."""
    ends = [] if limits is None else [limits.low, limits.high]
    values = [1 - value for value in (rate, *ends[::-1])] if is_rest else [rate, *ends]
    words = [percent(float(np.clip(round(value, 15), 0, 1))) for value in values]
    return words[0] if not ends else f"{words[0]} ({words[1].removesuffix(' %')} to {words[2]})"


def _notes(curve: Any, level: float) -> tuple[KeyNote, ...]:
    """The area, with the interval that a formula gives; of an average, its kind."""
    if isinstance(curve, Average):
        return (KeyNote(f"AUC {curve.auc:.3f}"), KeyNote(kind_words(curve)))
    found = area_interval(curve, level)
    limits = "" if found is None else f" ({found.low:.3f} to {found.high:.3f})"
    return (KeyNote(f"AUC {curve.auc:.3f}{limits}"),)


def _heading(intervals: Sequence[CutoffIntervals] | None) -> str:
    if not intervals:
        return "called positive"
    levels = dict.fromkeys(f"{100 * found.confidence_level:g} %" for found in intervals)
    return f"called positive; bars: {' and '.join(levels)}"
