"""The AUC of every group with its interval, and the summary of all as a diamond."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.inference.summarize import AucSummary
from rocsteady.options import one_of, rate_range, yes_or_no
from rocsteady.plots.given.values import given_size, of_kind
from rocsteady.plots.keys.key_below import axes_over_key, cut, key_below
from rocsteady.plots.keys.key_place import sides_of
from rocsteady.plots.parts.marks import TEXT_SIZE, scale_of
from rocsteady.plots.parts.style import BLUE, COLUMN, VERMILLION, ink_of, thin, write_title
from rocsteady.plots.parts.vocabulary import vocabulary
from rocsteady.words import counted, grouped, p_words, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocsteady.statistics.limits import Interval

Floats = NDArray[np.float64]

ORDERS = ("given", "auc", "weight")
MOST_NAMED = 40
"""Groups that have a line with a name; more of them stand close, sorted by their AUCs."""
_MOST_VECTORS = 1000
"""Intervals that are written as lines; more of them are written as a picture, which is smaller."""
_LONGEST = 20
"""Letters of a group's name."""
_LONGEST_UNIT = 14
"""Letters of the word for a group."""
_ROW = 1.5
"""Height of a line with a name, in sizes of the text."""
_AXIS = 0.4
"""Inches for the axis and its words."""
_TICK = 4.0
"""Points that the layout keeps free beside the axes."""
_MOST_NAME, _MOST_ASIDE = 0.27, 0.74
"""Shares of the width that names, and names and numbers, may take."""
_GUTTER = 1.2
"""Room between numbers and the names of a panel beside them, in sizes of the text."""
_WAYS = {"t": "Student's t", "cv-influence": "cases random", "nadeau-bengio": "Nadeau and Bengio"}
_MARK = 6.5
"""Points: the side of the largest square, where text has the usual size."""


def forest(
    summary: AucSummary,
    *,
    order: str | None = None,
    numbers: bool = True,
    limits: tuple[float, float] | None = None,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw the AUC of every group with its interval, and the summary of all under them.

    A square is a group: its area is what the group counts, the line its own interval, for which only its
    cases are random. The diamond is the summary and its interval. The thin line under it is where another
    group is expected; where groups truly differ it is far wider than the diamond. More than forty groups
    have no names, and stand in the order of their AUCs.

    Parameters
    ----------
    summary : AucSummary
        From :func:`rocsteady.summarize_auc`; ``method="random-effects"`` tells chance and true differences
        apart, and weighs the groups.
    order : {"given", "auc", "weight"}, optional
        How groups stand from the top: as they came (the usual one), the highest AUC or the largest weight
        first.
    numbers : bool
        Whether AUCs and intervals are written beside the lines, where groups have names.
    limits : (float, float), optional
        The AUCs between which the axis runs, so that panels of several models can be compared; by default
        all intervals fit in. What lies outside is not drawn.
    words : {"ml", "medical", "biometric"}
        As other figures have it. No rate stands at this axis, so nothing changes.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plots`.

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
    >>> axes.get_legend().get_title().get_text().splitlines()[-1]
    'tau 0.37 (logits), I² 81.7 %, p < 0.0001'
    """
    text_size = given_size(text_size)
    way = "rs.plot.forest(rs.summarize_auc(score_set, 'random-effects'))"
    summary = of_kind(AucSummary, summary, "a summary of AUCs", way)
    yes_or_no("numbers", numbers)
    vocabulary(words)
    shown = _with_margins(auc_range(summary) if limits is None else rate_range("limits", limits))
    rows = _rows_of(summary, order)
    n_lines = 3 + rows.has_prediction + (summary.tau is not None) - rows.is_named
    height = _ROW * rows.n_lines * TEXT_SIZE / 72 + _AXIS if rows.is_named else COLUMN
    is_own = ax is None
    ax = axes_over_key(ax, COLUMN, height, n_lines, text_size)
    _draw_groups(ax, summary, rows, shown, scale_of(text_size))
    _draw_summary(ax, summary, rows, shown, scale_of(text_size))
    if rows.is_named:
        room = 72 * COLUMN * scale_of(text_size) - 2 * _TICK if is_own else sides_of(ax)[0]
        _dress_rows(ax, summary, rows, room, shown, text_size, numbers=numbers)
    else:
        _dress_crowd(ax, summary, shown, text_size)
    ax.set_ylim(rows.lowest, rows.highest)
    write_title(ax, title, text_size)
    key_below(ax, text_size, _heading(summary), flush=rows.is_named)
    return ax


@dataclass(frozen=True)
class _Rows:
    """Which group stands where: with names a unit of height each, without them all within one."""

    order: NDArray[np.intp]
    is_named: bool
    has_prediction: bool

    @property
    def n_lines(self) -> int:
        """Lines with a name: groups, the summary, and what is expected of another group."""
        return self.order.size + 1 + self.has_prediction

    @property
    def groups(self) -> Floats:
        """Heights of the groups, in their order."""
        n = self.order.size
        return -np.arange(n, dtype=np.float64) if self.is_named else np.linspace(1, 0, n)

    @property
    def step(self) -> float:
        """From a line to the next one, below the groups."""
        return 1.0 if self.is_named else 0.07

    @property
    def summary(self) -> float:
        """Height of the diamond."""
        return float(self.groups[-1] - 1.2 * self.step)

    @property
    def prediction(self) -> float:
        """Height of the line of another group."""
        return self.summary - self.step

    @property
    def lowest(self) -> float:
        """Where the axis is."""
        return (self.prediction if self.has_prediction else self.summary) - 0.8 * self.step

    @property
    def highest(self) -> float:
        """The upper end."""
        return 0.7 if self.is_named else 1.02


def _rows_of(summary: AucSummary, order: str | None) -> _Rows:
    own = summary.per_group
    is_named = len(own) <= MOST_NAMED
    chosen = ("given" if is_named else "auc") if order is None else one_of("order", order, ORDERS)
    values = {"given": np.zeros(len(own)), "auc": own.auc, "weight": own.weight}[chosen]
    found = summary.prediction_interval
    has_prediction = found is not None and bool(np.isfinite([found.low, found.high]).all())
    return _Rows(np.argsort(-values, kind="stable"), is_named, has_prediction)


def _draw_groups(
    ax: Axes, summary: AucSummary, rows: _Rows, shown: tuple[float, float], scale: float
) -> None:
    """Squares whose area is what a group counts, and its interval where it has one."""
    own, height = summary.per_group, rows.groups
    low, high = own.interval.low[rows.order], own.interval.high[rows.order]
    known = np.isfinite(low) & np.isfinite(high)
    is_picture = rows.order.size > _MOST_VECTORS
    lines: Any = {"color": BLUE, "label": "_intervals", "zorder": 3, "rasterized": is_picture}
    if rows.is_named:
        lines |= {"linewidth": 1.0 * scale}
        side = _MARK * scale * np.sqrt(own.weight / own.weight.max())[rows.order]
    else:
        lines |= {"linewidth": 0.5 * scale, "alpha": max(0.08, min(0.6, 60 / rows.order.size))}
        side = np.full(rows.order.size, 1.6 * scale)
    # Names and numbers stand beside the axis, so what leaves it must not run under them.
    seen = known & (high >= shown[0]) & (low <= shown[1])
    starts, stops = (np.clip(end[seen], *shown) for end in (low, high))
    ax.hlines(height[seen], starts, stops, **lines)
    inside = (own.auc[rows.order] >= shown[0]) & (own.auc[rows.order] <= shown[1])
    marks: Any = {"marker": "s", "color": BLUE, "linewidths": 0, "zorder": 4, "rasterized": is_picture}
    ax.scatter(own.auc[rows.order][inside], height[inside], s=side[inside] ** 2, label="_aucs", **marks)
    of_known = f", {_level(own.interval)} interval" if known.any() else ""
    words = [f"each {_unit(summary)}{of_known}"]
    if known.any() and not known.all():
        words.append(f"{grouped(int((~known).sum()))} without one")
    if rows.is_named and np.ptp(own.weight) > 0:
        words.append("area: what it counts")
    look: Any = {"color": BLUE, "marker": "s", "markersize": 4 * scale, "linewidth": 1.0 * scale}
    ax.plot([], [], label="; ".join(words), **look)


def _draw_summary(
    ax: Axes, summary: AucSummary, rows: _Rows, shown: tuple[float, float], scale: float
) -> None:
    """The diamond, a line up from it, and the line where another group is expected."""
    from matplotlib.patches import Polygon

    found, height, half = summary.interval, rows.summary, 0.36 * rows.step
    low, high = shown
    if low < 0.5 < high:
        ax.plot([0.5] * 2, [rows.lowest, rows.highest], **_guide(":", scale), label="_chance")
    if low <= summary.estimate <= high:
        ax.plot([summary.estimate] * 2, [height, rows.highest], **_guide("--", scale), label="_estimate")
    if np.isfinite([found.low, found.high]).all():
        across = [found.low, summary.estimate, found.high, summary.estimate]
        corners = np.column_stack([across, [height, height + half, height, height - half]])
        look: Any = {"color": VERMILLION, "linewidth": 0.8 * scale, "zorder": 5, "label": "_diamond"}
        _keep_inside(ax.add_patch(Polygon(corners, closed=True, **look)), ax, rows, (low, high))
    if not rows.is_named:
        label = f"{_kind(summary)} {_written(summary.estimate, found.low, found.high)}"
        mark: Any = {"marker": "D", "markersize": 4 * scale, "linestyle": "none", "color": VERMILLION}
        ax.plot([], [], label=label, **mark)
    wide = summary.prediction_interval
    if wide is not None and rows.has_prediction:
        line: Any = {"color": ink_of(ax), "linewidth": 0.9 * scale, "zorder": 5}
        line |= {"marker": "|", "markersize": 5 * scale}
        truly = "true " if summary.method == "random-effects" else ""
        label = f"where the {truly}AUC of another {_unit(summary)} is expected"
        (drawn,) = ax.plot([wide.low, wide.high], [rows.prediction] * 2, label=label, **line)
        _keep_inside(drawn, ax, rows, (low, high))


def _keep_inside(drawn: Any, ax: Axes, rows: _Rows, shown: tuple[float, float]) -> None:
    """Show limits as far as the axis goes: plain ones may pass what an AUC can be."""
    from matplotlib.patches import Rectangle

    (low, high), height = shown, rows.highest - rows.lowest
    drawn.set_clip_path(Rectangle((low, rows.lowest), high - low, height, transform=ax.transData))


def _guide(line: Any, scale: float) -> dict[str, Any]:
    return {"color": "0.55", "linewidth": 0.7 * scale, "linestyle": line, "zorder": 1}


def _dress_rows(
    ax: Axes,
    summary: AucSummary,
    rows: _Rows,
    room: float,
    shown: tuple[float, float],
    text_size: float,
    *,
    numbers: bool,
) -> None:
    """Names left and numbers right of the lines, inside the axes, which so fit into any figure."""
    size, across = text_size - 1, ax.get_yaxis_transform()
    heights = [*rows.groups.tolist(), rows.summary, rows.prediction]
    beside = _numbers(summary, rows) if numbers else [""] * rows.n_lines
    figure: Any = ax.figure
    gutter = _GUTTER * size / room if len(figure.axes) > 1 and any(beside) else 0.0
    right = _share_of(beside, size, room) + gutter
    names = _names(summary, rows, size, min(_MOST_NAME, _MOST_ASIDE - right) * room)
    # Without a prediction there is a height too many.
    for height, name, number in zip(heights, names, beside, strict=False):
        look: Any = {"fontsize": size, "va": "center_baseline", "transform": across}
        is_summary = height == rows.summary
        ax.text(0, height, name, ha="left", fontweight="bold" if is_summary else "normal", **look)
        ax.text(1 - gutter, height, number, ha="right", **look)
    _bound(ax, shown, (_share_of(names, size, room), right), text_size)


def _share_of(words: list[str], size: float, room: float) -> float:
    """How much of the width words take, with a gap beside them."""
    widest = max(_width(word, size) for word in words)
    return (widest + 1.3 * size) / room if widest else 0.0


def _names(summary: AucSummary, rows: _Rows, size: float, room: float) -> list[str]:
    """What each line is, cut to the width there is."""
    own = [summary.per_group.names[i] for i in rows.order]
    own += [_kind(summary)] + [f"another {_unit(summary)}"] * rows.has_prediction
    return [_cut_to(name, size, room) for name in own]


def _cut_to(name: str, size: float, room: float) -> str:
    longest = _LONGEST
    while _width(cut(name, longest), size) > room and longest > 2:  # W is wider than i
        longest -= 1
    return cut(name, longest)


def _numbers(summary: AucSummary, rows: _Rows) -> list[str]:
    """What each line says, in figures."""
    own, wide = summary.per_group, summary.prediction_interval
    limits = (own.auc, own.interval.low, own.interval.high)
    every = [_written(*found) for found in zip(*(part[rows.order] for part in limits), strict=True)]
    every.append(_written(summary.estimate, summary.interval.low, summary.interval.high))
    if wide is not None and rows.has_prediction:
        every.append(f"{wide.low:.3f} to {wide.high:.3f}")
    return every


def _bound(ax: Axes, shown: tuple[float, float], aside: tuple[float, float], text_size: float) -> None:
    """The axis of AUCs between what is written left and right of it, in shares of the width."""
    from matplotlib.ticker import MaxNLocator

    (low, high), (left, right) = shown, aside
    left, right = (part * min(1.0, _MOST_ASIDE / (left + right or 1)) for part in aside)  # narrow axes
    unit = (high - low) / (1 - left - right)
    ax.set_xlim(low - left * unit, high + right * unit)
    ticks = MaxNLocator(3, steps=[1, 2, 5, 10]).tick_values(low, high)
    ax.set_xticks([tick for tick in ticks if low <= tick <= high])
    ax.set_yticks([])
    thin(ax, text_size)
    ax.spines["left"].set_visible(False)
    ax.spines["bottom"].set_bounds(low, high)
    ax.set_xlabel("AUC", fontsize=text_size, x=left + (1 - left - right) / 2)


def _dress_crowd(ax: Axes, summary: AucSummary, shown: tuple[float, float], text_size: float) -> None:
    ax.set_xlim(*shown)
    ax.set_yticks([])
    n = counted(len(summary.per_group), _unit(summary))
    ax.set_ylabel(n, fontsize=text_size)
    ax.set_xlabel("AUC", fontsize=text_size)
    thin(ax, text_size)


def auc_range(summary: AucSummary) -> tuple[float, float]:
    """AUCs that the axis shows unless ``limits`` says: all intervals, as far as an AUC can be."""
    own, wide = summary.per_group, summary.prediction_interval
    ends = [own.auc, own.interval.low, own.interval.high, [summary.interval.low, summary.interval.high]]
    ends += [[wide.low, wide.high]] if wide is not None else []
    values = np.concatenate([np.asarray(part, dtype=np.float64) for part in ends])
    values = np.clip(values[np.isfinite(values)], 0, 1)
    return float(values.min()), float(values.max())


def _with_margins(limits: tuple[float, float]) -> tuple[float, float]:
    """So that marks at the ends are whole."""
    margin = 0.03 * (limits[1] - limits[0]) or 0.01
    return limits[0] - margin, limits[1] + margin


def _heading(summary: AucSummary) -> str:
    """How the groups were summarized, how many, and by how much they differ."""
    groups = counted(len(summary.per_group), _unit(summary))
    out = f" ({len(summary.undefined)} left out)" if summary.undefined else ""
    if summary.tau is None or summary.i_squared is None or summary.heterogeneity_pvalue is None:
        return f"mean of {groups}{out}, {_WAYS[summary.method]}"
    how = {"reml": "REML", "dersimonian-laird": "DerSimonian-Laird"}[summary.heterogeneity or "reml"]
    differ = f"tau {summary.tau:.2g} (logits), I² {percent(round(summary.i_squared, 3))}"
    return f"random effects ({how}), {groups}{out}\n{differ}, {p_words(summary.heterogeneity_pvalue)}"


def _unit(summary: AucSummary) -> str:
    return cut(summary.unit, _LONGEST_UNIT)


def _kind(summary: AucSummary) -> str:
    return "random effects" if summary.method == "random-effects" else "mean"


def _written(value: float, low: float, high: float) -> str:
    known = np.isfinite([low, high]).all()
    return f"{value:.3f} ({low:.3f} to {high:.3f})" if known else f"{value:.3f}"


def _level(interval: Interval) -> str:
    return f"{100 * interval.confidence_level:g} %"


def _width(text: str, size: float) -> float:
    """Of a text, in points."""
    from matplotlib.textpath import TextPath

    return float(TextPath((0, 0), text, size=size).get_extents().width) if text else 0.0
