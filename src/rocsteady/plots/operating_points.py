"""One measure against another at every operating point, with error bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.counting.arguments import one_of, open_share
from rocsteady.errors import UsageError
from rocsteady.operating_points.tables.measures import measure_of
from rocsteady.plots.given import flat_axes, given_size, given_table, require_own_comparison
from rocsteady.plots.marks import TEXT_SIZE, circle, cross, dot, groups_of, headed_key, neighbourhood, short
from rocsteady.plots.style import BLUE, COLUMN, chance_line, thin
from rocsteady.uncertainty.spread import two_sided_quantile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rocsteady.operating_points.tables.comparing import PointComparison
    from rocsteady.operating_points.tables.table import MeasureLike, OperatingPointTable, PointMeasure

BARS = ("standard_error", "interval", "none")
MOST_BARS = 40
"""Points with bars and markers of their own; of more, the curve goes through all and bars stand at some."""
LABELS = {
    "fpr": "false positive rate",
    "tpr": "true positive rate",
    "fnr": "false negative rate",
    "tnr": "true negative rate",
    "npv": "negative predictive value",
    "ppv": "positive predictive value",
    "f1": "F1",
    "mcc": "Matthews correlation",
    "alarm_rate": "share called positive",
    "balanced_accuracy": "balanced accuracy",
}


def operating_points(
    table: OperatingPointTable,
    x: MeasureLike = "fpr",
    y: MeasureLike = "tpr",
    *,
    comparison: PointComparison | None = None,
    bars: str = "standard_error",
    confidence_level: float = 0.95,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw one measure against another at every operating point, as means over folds with error bars.

    Parameters
    ----------
    table : OperatingPointTable
        From :func:`rocsteady.average_operating_points` or :func:`rocsteady.average_multiclass_points`.
    x, y : str, Cost or function
        Any measure: ``"fpr"`` and ``"tpr"`` give a ROC curve, ``"recall"`` and ``"precision"`` that curve.
    comparison : optional
        From ``table.compare_to(...)``: its chosen point becomes a cross, those not rejected are circled.
    bars : {"standard_error", "interval", "none"}
        One standard error of the mean to each side, or Student's t interval, at each point by itself.
    confidence_level : float
        Of the intervals.
    title : str
        Above the axes.
    text_size : float
        Points; lines and markers go by it.
    ax : matplotlib Axes, optional
        Where to draw; without it a figure is made.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 if a measure has a value for each class, the axes are in space, or the comparison is of another
        table; RS001 and RS042 for words and numbers that are none.
    MissingPackageError
        RS061 if Matplotlib is not installed.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
    >>> axes = operating_points(rs.average_operating_points(folds))
    >>> axes.get_xlabel()
    'false positive rate'
    """
    one_of("bars", bars, BARS)
    text_size, table = given_size(text_size), given_table(table)
    require_own_comparison(comparison, table)
    across, up = _one_column(table.measure(x), x), _one_column(table.measure(y), y)
    are_shares = [measure_of(given, has_positive=table.has_positive).is_share for given in (x, y)]
    ax = flat_axes(ax, COLUMN, COLUMN)
    _draw_points(ax, across, up, bars, confidence_level, text_size)
    if comparison is not None:
        _draw_neighbourhood(ax, across, up, comparison, text_size)
    _dress(ax, (across.name, up.name), are_shares, title, text_size)
    place = "lower right" if (across.name, up.name) == ("fpr", "tpr") else "best"
    _say(ax, table, bars, confidence_level, place, text_size)
    return ax


def _one_column(measure: PointMeasure, given: object) -> PointMeasure:
    if measure.mean.ndim > 1:
        raise UsageError(
            "RS002",
            f"{measure.name} has one value for each class, and an axis has room for one.",
            f"found: {given!r:.60}",
            "all classes at once:  rs.plot.class_errors(table)",
            "or one of them:  x=lambda c: 1 - c.matrix[..., 0, 0] / c.matrix[..., 0, :].sum(-1)",
        )
    return measure


def _draw_points(
    ax: Axes, across: PointMeasure, up: PointMeasure, bars: str, confidence_level: float, text_size: float
) -> None:
    scale = text_size / TEXT_SIZE
    ax.plot(across.mean, up.mean, color=BLUE, linewidth=0.8 * scale, alpha=0.5, zorder=2, label="_line")
    # Thinned for the eye only, by rank, ends included.
    n = up.mean.size
    shown = np.unique(np.linspace(0, n - 1, min(n, MOST_BARS)).round().astype(int))
    lengths = [
        None if bars == "none" else _half_lengths(measure, bars, confidence_level)[shown]
        for measure in (across, up)
    ]
    label = f"operating points{'' if shown.size == n else f' ({shown.size} of {n} marked)'}"
    dots: Any = {"linestyle": "none", "marker": "o", "markersize": 3.2 * scale, "markeredgewidth": 0}
    # Dots on the edge are whole; bars end at it.
    ax.plot(across.mean[shown], up.mean[shown], color=BLUE, zorder=4, clip_on=False, label=label, **dots)
    if bars != "none":
        ax.errorbar(
            across.mean[shown],
            up.mean[shown],
            xerr=lengths[0],
            yerr=lengths[1],
            fmt="none",
            ecolor=BLUE,
            elinewidth=0.8 * scale,
            zorder=3,
            label="_bars",
        )


def _half_lengths(measure: PointMeasure, bars: str, confidence_level: float) -> NDArray[np.float64]:
    """Of the bars; NaN, which draws nothing, where fewer than two folds have the measure."""
    if bars == "standard_error":
        return np.asarray(measure.standard_error)
    level = open_share("confidence_level", confidence_level)
    quantiles = [two_sided_quantile("t", level, n - 1) for n in measure.n_defined.tolist()]
    return np.asarray(quantiles * measure.standard_error)


def _draw_neighbourhood(
    ax: Axes, across: PointMeasure, up: PointMeasure, comparison: PointComparison, text_size: float
) -> None:
    found = neighbourhood(comparison)
    here = (across.mean[found.chosen], up.mean[found.chosen])
    words = [f"{short(measure.name)} {value:.3f}" for measure, value in zip((across, up), here, strict=True)]
    ax.plot(*here, **cross(text_size), label=f"chosen: {', '.join(words)}")
    # Circles around every one of many points would be one blot.
    mark = circle(text_size) if up.mean.size <= MOST_BARS else dot(text_size)
    ax.plot(across.mean[found.others], up.mean[found.others], **mark, label=found.text)


def _dress(ax: Axes, names: tuple[str, str], are_shares: list[bool], title: str, text_size: float) -> None:
    if names == ("fpr", "tpr"):
        chance_line(ax)
    if all(are_shares):
        ax.set_aspect("equal")
    if are_shares[0]:
        ax.set_xlim(0, 1)
    if are_shares[1]:
        ax.set_ylim(0, 1)
    ax.set_xlabel(LABELS.get(names[0], names[0]), fontsize=text_size)
    ax.set_ylabel(LABELS.get(names[1], names[1]), fontsize=text_size)
    if title:
        ax.set_title(title, fontsize=text_size + 1, loc="left")
    thin(ax, text_size)


def _say(
    ax: Axes, table: OperatingPointTable, bars: str, confidence_level: float, place: str, text_size: float
) -> None:
    """The key, headed by what the bars are and how many folds were averaged over."""
    what = {
        "standard_error": ", bars: ±1 standard error",
        "interval": f", bars: {100 * confidence_level:g} % (t, pointwise)",
        "none": "",
    }[bars]
    headed_key(ax, f"mean of {groups_of(table)}{what}", text_size, loc=place)
