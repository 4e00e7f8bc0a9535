"""A curve with the cut-offs that were chosen on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocsteady.errors import UsageError, counted
from rocsteady.operating_points.cutoffs.choosing import Cutoff
from rocsteady.operating_points.cutoffs.objectives import Criterion, MinimumCost, TargetRate
from rocsteady.plots.given import flat_axes, given_cutoffs, given_intervals, given_size
from rocsteady.plots.marks import TEXT_SIZE, headed_key
from rocsteady.plots.roc_axes import dress_roc
from rocsteady.plots.style import BLACK, BLUE, COLUMN, GREEN, ORANGE, PURPLE, VERMILLION

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.averaging.shared_threshold import SharedThresholdAverage
    from rocsteady.curves.roc import RocCurve
    from rocsteady.operating_points.cutoffs.choosing import AppliedCutoff
    from rocsteady.operating_points.cutoffs.intervals import CutoffIntervals

MARKS = ((VERMILLION, "o"), (GREEN, "s"), (PURPLE, "D"), (ORANGE, "^"), (BLACK, "v"))
"""Colour and marker of each cut-off in turn; both differ, so that no one needs to see colours."""
_MARK = 6.0  # points, where text has the usual size
_HIDDEN = 0.01
"""Marks closer than this, in both rates, cover each other in a figure as wide as a column."""


def cutoffs(
    curve: RocCurve | SharedThresholdAverage,
    chosen: Cutoff | AppliedCutoff | Sequence[Cutoff | AppliedCutoff],
    *,
    intervals: CutoffIntervals | Sequence[CutoffIntervals] | None = None,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw a curve and the cut-offs that were chosen on it, each with what it was chosen by.

    Youden's index is the height above the chance line, which the tangent of slope 1 shows; the closest point
    has its line to the upper left corner; equal error rates lie on the falling diagonal. Where several
    cut-offs fall on one point the first is a filled mark, and the others are open ones around it.

    Parameters
    ----------
    curve : RocCurve, or an average with thresholds
        What the cut-offs were chosen on.
    chosen : Cutoff, or sequence of Cutoff
        From :func:`rocsteady.choose_cutoff`; at most five. One that was chosen on another curve has its place
        on this one as ``cutoff.on(curve)``, and no line that would show what it is best by.
    intervals : CutoffIntervals, or sequence of them, optional
        ``cutoff.intervals()`` of each, drawn as bars of both rates.
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
    MissingPackageError
        RS061 if Matplotlib is not installed.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> axes = cutoffs(curve, rs.choose_cutoff(curve, "youden"))
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['Youden: ≥ 0.8']
    """
    text_size, several = given_size(text_size), given_cutoffs(curve, chosen)
    bars = None if intervals is None else given_intervals(intervals)
    _require_fitting(several, bars)
    ax = flat_axes(ax, COLUMN, COLUMN, text_size)
    scale = text_size / TEXT_SIZE
    dress_roc(ax, title=title, text_size=text_size)
    ax.plot(curve.fpr, curve.tpr, color=BLUE, linewidth=1.5 * scale, zorder=2, label="_curve")
    for place, cutoff in enumerate(several):
        colour, marker = MARKS[place]
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
            label=_named(cutoff),
            **_mark(colour, scale, n_inside),
        )
    _say(ax, bars, text_size)
    return ax


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
        raise UsageError(
            "RS042",
            f"a figure shows one to {len(MARKS)} cut-offs.",
            f"found: {counted(len(chosen), 'cut-off')}",
            "rs.plot.cutoffs(curve, [cutoff])",
        )
    if intervals is not None and len(intervals) != len(chosen):
        raise UsageError(
            "RS013",
            "every cut-off needs its own intervals.",
            f"found: {counted(len(chosen), 'cut-off')}, {len(intervals)} with intervals",
            "intervals=[cutoff.intervals() for cutoff in chosen]",
        )


def _named(cutoff: Cutoff | AppliedCutoff) -> str:
    """What it was chosen by, and what it calls positive; short, since keys have little room."""
    sign = cutoff.rule.replace(">=", "≥").replace("<=", "≤")
    return f"{_criterion(cutoff.criterion)}: {sign} {f'{cutoff.threshold:.4g}'.replace('inf', '∞')}"


def _criterion(criterion: Criterion) -> str:
    if isinstance(criterion, MinimumCost):
        return f"cost {criterion.false_positive:.4g} : {criterion.false_negative:.4g}"
    if isinstance(criterion, TargetRate):
        limit = ("FPR up to", criterion.fpr) if criterion.fpr is not None else ("TPR from", criterion.tpr)
        return f"{limit[0]} {limit[1]:.4g}"
    return {"youden": "Youden", "closest": "closest", "eer": "equal errors"}.get(
        criterion.name, str(criterion)
    )


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


def _say(ax: Axes, intervals: Sequence[CutoffIntervals] | None, text_size: float) -> None:
    heading = "called positive"
    if intervals:
        levels = dict.fromkeys(f"{100 * found.confidence_level:g} %" for found in intervals)
        heading += f"; bars: {' and '.join(levels)}"
    headed_key(ax, heading, text_size, loc="lower right")
    legend = ax.get_legend()
    assert legend is not None
    for line in legend.get_lines():  # large marks would overlap there
        line.set_markersize(_MARK * text_size / TEXT_SIZE)
