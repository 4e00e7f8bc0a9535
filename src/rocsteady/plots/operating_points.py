"""One measure against another at every operating point, with error bars; some points with both intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import fail
from rocsteady.options import one_of, open_share
from rocsteady.plots.given.values import flat_axes, given_size, given_table, require_own_comparison
from rocsteady.plots.keys.key_below import axes_over_key, key_below
from rocsteady.plots.parts.curve_lines import draw_ellipse, marker
from rocsteady.plots.parts.marks import (
    TEXT_SIZE,
    circle,
    cross,
    dot,
    groups_of,
    headed_key,
    neighbourhood,
    scale_of,
    short,
)
from rocsteady.plots.parts.roc_axes import dress_roc
from rocsteady.plots.parts.style import BLUE, COLUMN, LOOKS, ink_of, thin, write_title
from rocsteady.plots.parts.vocabulary import vocabulary
from rocsteady.points.tables import MeasurePair, PointTests, point_index

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady.plots.parts.vocabulary import Vocabulary
    from rocsteady.points.tables import MeasureLike, OperatingPointTable, PointMeasure

BARS = ("standard_error", "interval", "none")
MOST_BARS = 40
"""Points with bars and markers of their own; of more, the curve goes through all and bars stand at some."""
LABELS = {
    "tnr": "true negative rate",
    "npv": "negative predictive value",
    "ppv": "positive predictive value",
    "f1": "F1",
    "mcc": "Matthews correlation",
    "alarm_rate": "share called positive",
    "balanced_accuracy": "balanced accuracy",
}
_LOOKS = LOOKS[1:]
"""Of the points that are marked, in turn; the first look is that of all points."""


def operating_points(
    table: OperatingPointTable | PointTests,
    x: MeasureLike = "fpr",
    y: MeasureLike = "tpr",
    *,
    at: int | Sequence[int] = (),
    ellipse: float | None = None,
    comparison: PointTests | None = None,
    bars: str = "standard_error",
    confidence_level: float = 0.95,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw one measure against another at every operating point, as means over folds with error bars.

    Parameters
    ----------
    table : OperatingPointTable, or PointTests
        From :func:`rocsteady.average_operating_points` or :func:`rocsteady.average_multiclass_points`; or
        ``table.compare_to(...)``, which knows its table.
    x, y : str, Cost or function
        Any measure: ``"fpr"`` and ``"tpr"`` give a ROC curve, ``"recall"`` and ``"precision"`` that curve.
    at : int or sequence of int
        Numbers of up to five points, such as ``table.nearest(fpr=0.05)``, that are marked with Student's t
        interval of either measure by itself.
    ellipse : float, optional
        For example 0.95: the points of ``at`` and the chosen one also have the region that holds both means
        at once with this confidence, by Hotelling. There is none for fewer than three folds.
    comparison : optional
        From ``table.compare_to(...)``: its chosen point becomes a cross, those not rejected are circled.
    bars : {"standard_error", "interval", "none"}
        Of all points: one standard error of the mean to each side, or Student's t interval, each by itself.
    confidence_level : float
        Of the intervals.
    words : {"ml", "medical", "biometric"}
        What error rates are called.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 if a measure has a value for each class, the axes are in space, the comparison is of another
        table, or an ellipse has no point; RS001 and RS042 for words and numbers that are none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
    >>> axes = operating_points(rs.average_operating_points(folds), at=2)
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['operating points', '≥ 3: FPR 0.250, TPR 0.750']
    """
    one_of("bars", bars, BARS)
    level = open_share("confidence_level", confidence_level)
    text_size, said = given_size(text_size), vocabulary(words)
    if isinstance(table, PointTests):
        comparison = table if comparison is None else comparison
    table = given_table(table._table if isinstance(table, PointTests) else table)
    require_own_comparison(comparison, table)
    for name in (x, y):
        _require_one_column(table.measure(name), name)
    pair, marked = table.between(x, y), _given_points(at, table)
    _require_points(ellipse, [*marked, *([] if comparison is None else [comparison.index])])
    heading = _heading(table, bars, level, ellipse, is_marked=bool(marked))
    is_curve = (pair.x.name, pair.y.name) == ("fpr", "tpr")
    n_lines = 2 + heading.count("\n") + len(marked) + 2 * (comparison is not None)
    if is_curve:
        ax = flat_axes(ax, COLUMN, COLUMN, text_size)
    else:
        ax = axes_over_key(ax, COLUMN, COLUMN, n_lines, text_size)
    _dress(ax, pair, said, title, text_size)
    _draw_points(ax, pair, bars, level, text_size)
    if comparison is not None:
        _draw_neighbourhood(ax, pair, comparison, ellipse, said, text_size)
    for place, look in zip(marked, _LOOKS, strict=False):
        _draw_region(ax, pair, place, ellipse, look, scale_of(text_size))
        _draw_intervals(ax, pair, place, level, scale_of(text_size))
        label = _words(table, pair, place, said)
        at_it = (pair.x.mean[[place]], pair.y.mean[[place]])
        ax.plot(*at_it, **marker(look, scale_of(text_size)), clip_on=False, zorder=7, label=label)
    if is_curve:
        headed_key(ax, heading, text_size, loc="lower right")
    else:
        key_below(ax, text_size, heading)
    return ax


def _given_points(at: object, table: OperatingPointTable) -> list[int]:
    """Numbers of points; RS042 if they are none, or too many."""
    is_list = isinstance(at, Sequence | np.ndarray) and not isinstance(at, str)
    several: Any = at if is_list else [at]
    if len(several) > len(_LOOKS):
        way = "at=[table.nearest(fpr=0.05)]"
        raise fail("RS042.room", most=len(_LOOKS), what="marked points", n=len(several), ways=[way])
    return [point_index(own, table.n_points, "at") for own in several]


def _require_points(ellipse: float | None, points: list[int]) -> None:
    """RS042 for a level that is none, RS002 for a region of no point."""
    if ellipse is None:
        return
    open_share("ellipse", ellipse)
    if not points:
        way = "at=table.nearest(fpr=0.05)"
        raise fail("RS002.kind", name="at", kind="the point that the ellipse is of", found="none", ways=[way])


def _require_one_column(measure: PointMeasure, given: object) -> None:
    if measure.mean.ndim > 1:
        raise fail("RS002.axis", measure=measure.name, n=measure.mean.shape[1])


def _draw_points(ax: Axes, pair: MeasurePair, bars: str, level: float, text_size: float) -> None:
    scale, (across, up) = scale_of(text_size), (pair.x, pair.y)
    ax.plot(across.mean, up.mean, color=BLUE, linewidth=0.8 * scale, alpha=0.5, zorder=2, label="_line")
    # Thinned for the eye only, by rank, ends included.
    n = up.mean.size
    shown = np.unique(np.linspace(0, n - 1, min(n, MOST_BARS)).round().astype(int))
    label = f"operating points{'' if shown.size == n else f' ({shown.size} of {n} marked)'}"
    dots: Any = {"linestyle": "none", "marker": "o", "markersize": 3.2 * scale, "markeredgewidth": 0}
    # Dots on the edge are whole; bars end at it.
    ax.plot(across.mean[shown], up.mean[shown], color=BLUE, zorder=4, clip_on=False, label=label, **dots)
    if bars != "none":
        look: Any = {"fmt": "none", "ecolor": BLUE, "elinewidth": 0.8 * scale, "zorder": 3, "label": "_bars"}
        lengths = [_lengths(measure, bars, level)[:, shown] for measure in (across, up)]
        ax.errorbar(across.mean[shown], up.mean[shown], xerr=lengths[0], yerr=lengths[1], **look)


def _lengths(measure: PointMeasure, bars: str, level: float) -> NDArray[np.float64]:
    """Of the bars, below and above; NaN, which draws nothing, where fewer than two folds have the measure."""
    if bars == "standard_error":
        return np.stack([measure.standard_error] * 2)
    interval = measure.interval(level)
    return np.maximum([measure.mean - interval.low, interval.high - measure.mean], 0.0)


def _draw_neighbourhood(
    ax: Axes,
    pair: MeasurePair,
    comparison: PointTests,
    ellipse: float | None,
    said: Vocabulary,
    text_size: float,
) -> None:
    found = neighbourhood(comparison)
    here = (pair.x.mean[found.chosen], pair.y.mean[found.chosen])
    _draw_region(ax, pair, found.chosen, ellipse, LOOKS[0], scale_of(text_size))
    ax.plot(*here, **cross(text_size), label=f"chosen: {_at(pair, found.chosen, said)}")
    # Circles around every one of many points would be one blot.
    mark = circle(text_size) if pair.y.mean.size <= MOST_BARS else dot(text_size)
    ax.plot(pair.x.mean[found.others], pair.y.mean[found.others], **mark, label=found.text)


def _draw_region(
    ax: Axes, pair: MeasurePair, place: int, ellipse: float | None, look: Any, scale: float
) -> None:
    if ellipse is not None:
        found = pair.ellipse(place, ellipse)
        draw_ellipse(ax, found.x, found.y, look, scale=scale)


def _draw_intervals(ax: Axes, pair: MeasurePair, place: int, level: float, scale: float) -> None:
    """A bar across and one upright, where the intervals are known."""
    (x, across), (y, up) = ((own.mean[place], own.interval(level)) for own in (pair.x, pair.y))
    look: Any = {"color": ink_of(ax), "linewidth": 1.1 * scale, "zorder": 6, "label": "_interval"}
    for ends in (
        ([across.low[place], across.high[place]], [y, y]),
        ([x, x], [up.low[place], up.high[place]]),
    ):
        if np.isfinite(ends).all():
            ax.plot(*ends, solid_capstyle="butt", **look)


def _at(pair: MeasurePair, place: int, said: Vocabulary) -> str:
    rates = {"fpr": said.fpr_short, "tpr": said.tpr_short, "fnr": said.fnr_short}
    means = [(rates.get(own.name, short(own.name)), float(own.mean[place])) for own in (pair.x, pair.y)]
    return ", ".join(f"{name} {mean:.3f}" if np.isfinite(mean) else f"no {name}" for name, mean in means)


def _words(table: OperatingPointTable, pair: MeasurePair, place: int, said: Vocabulary) -> str:
    """Which point it is, and where it lies."""
    if table.thresholds is None:
        return f"point {place}: {_at(pair, place, said)}"
    sign = str(table.rule).replace("score ", "").replace(">=", "≥").replace("<=", "≤")
    threshold = f"{table.thresholds[place]:.4g}".replace("inf", "∞")
    return f"{sign} {threshold}: {_at(pair, place, said)}"


def _dress(ax: Axes, pair: MeasurePair, said: Vocabulary, title: str, text_size: float) -> None:
    names = (pair.x.name, pair.y.name)
    is_curve = names == ("fpr", "tpr")
    labels = LABELS | {"fpr": said.fpr, "tpr": said.tpr, "fnr": said.fnr}
    if said == vocabulary("medical"):
        labels |= {"tnr": "specificity (true negative rate)", "recall": said.recall}
    words = tuple(labels.get(name, name) for name in names)
    if pair.x.is_share and pair.y.is_share:
        dress_roc(ax, axis_words=words, title=title, text_size=text_size, chance=is_curve)  # type: ignore[arg-type]
        return
    if pair.x.is_share:
        ax.set_xlim(0, 1)
    if pair.y.is_share:
        ax.set_ylim(0, 1)
    ax.set_xlabel(words[0], fontsize=text_size)
    ax.set_ylabel(words[1], fontsize=text_size)
    write_title(ax, title, text_size)
    thin(ax, text_size)


def _heading(
    table: OperatingPointTable, bars: str, level: float, ellipse: float | None, *, is_marked: bool
) -> str:
    """How many folds were averaged over, and what bars and ellipses are."""
    n = table.n_folds  # one has no spread, two have no region
    bars, is_marked, ellipse = bars if n > 1 else "none", is_marked and n > 1, ellipse if n > 2 else None
    words = {
        "standard_error": ["bars: ±1 standard error"],
        "interval": [f"bars: {100 * level:g} % (t, pointwise)"],
        "none": [],
    }[bars]
    if is_marked and bars != "interval":
        words.append(f"black bars: {100 * level:g} % (t)")
    if ellipse is not None:
        words.append(f"ellipse: {100 * ellipse:g} %, both at once")
    return ", ".join([f"mean of {groups_of(table)}", *words[:1]]) + "".join(f"\n{own}" for own in words[1:])
