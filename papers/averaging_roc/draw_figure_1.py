"""Figure 1 as a picture: (a) the scores, (b) pooling, (c) vertical averaging, (d) threshold averaging."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from papers.averaging_roc.figure_1 import Figure1
from papers.averaging_roc.parameters import FIGURE_1_FPR
from papers.drawing import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    TEXT,
    VERMILLION,
    dress,
    key,
    new_figure,
    thin,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
FIXED, OWN = VERMILLION, GREEN  # the two thresholds
_DOT = {"linestyle": "none", "marker": "o", "markersize": 7, "markeredgecolor": "white", "zorder": 5}


def draw_figure_1(figure: Figure1) -> Figure:
    """Draw what the figure holds; nothing is computed but the density estimates."""
    drawing = new_figure(8.6, 8.2)
    outer = drawing.add_gridspec(2, 2)
    stacked = outer[0, 0].subgridspec(3, 1, hspace=0.08)
    _draw_scores([drawing.add_subplot(stacked[row]) for row in range(3)], figure)
    panels = [drawing.add_subplot(outer[place]) for place in ((0, 1), (1, 0), (1, 1))]
    _draw_pooling(panels[0], figure)
    _draw_vertical(panels[1], figure)
    _draw_threshold(panels[2], figure)
    return drawing


def _draw_scores(rows: list[Axes], figure: Figure1) -> None:
    datasets = [(member.is_positive, member.scores) for member in figure.score_set]
    pool: tuple[NDArray[np.bool_], Floats] = (
        np.concatenate([labels for labels, _ in datasets]),
        np.concatenate([scores for _, scores in datasets]),
    )
    names = [*figure.score_set.groups, "pooled"]
    for row, (axes, name, (labels, scores)) in enumerate(zip(rows, names, [*datasets, pool], strict=True)):
        grid, highest = np.linspace(0.002, 0.998, 500), 0.0
        for chosen, colour, hatch, word in (
            (~labels, GREY, "////", "negatives"),
            (labels, BLUE, "", "positives"),
        ):
            density = density_of_shares(scores[chosen], grid)
            axes.fill_between(grid, density, color=colour, alpha=0.25, hatch=hatch, linewidth=0)
            axes.plot(grid, density, color=colour, linewidth=1.2, label=word)
            highest = max(highest, density.max())
        axes.axvline(figure.shared_threshold, color=FIXED, linewidth=1.5)
        if row == 1:
            axes.axvline(figure.own_threshold, color=OWN, linewidth=1.5, linestyle="--")
        axes.set(xlim=(0, 1), ylim=(0, 1.45 * highest), yticks=[])
        sizes = f"{labels.sum()} + {(~labels).sum()}"
        axes.annotate(f"{name}, {sizes}", (0.01, 0.86), xycoords="axes fraction", fontsize=TEXT - 1)
        thin(axes)
        axes.spines["left"].set_visible(False)
        axes.tick_params(labelbottom=row == 2)
    rows[0].legend(loc="upper right", frameon=False, fontsize=TEXT - 1, ncols=2, borderaxespad=0)
    _name_threshold(rows[0], figure.shared_threshold, FIXED)
    _name_threshold(rows[1], figure.own_threshold, OWN)
    rows[0].set_title("(a) Scores and thresholds", fontsize=TEXT + 1, loc="left")
    rows[2].set_xlabel("score", fontsize=TEXT)


def _name_threshold(axes: Axes, threshold: float, colour: str) -> None:
    place: Any = {"xytext": (4, -2), "textcoords": "offset points", "va": "top", "fontsize": TEXT - 1}
    axes.annotate(
        f"{threshold:.2f}", (threshold, 0.72), xycoords=("data", "axes fraction"), color=colour, **place
    )


def density_of_shares(scores: Floats, grid: Floats) -> Floats:
    """A kernel density of scores between 0 and 1, made on the logit scale so that it stays between them."""
    logits, at = (np.log(values / (1 - values)) for values in (scores, grid))
    width = 1.06 * logits.std(ddof=1) * logits.size**-0.2  # Silverman's rule
    kernel = np.exp(-(((at[:, None] - logits) / width) ** 2) / 2) / (width * np.sqrt(2 * np.pi))
    return np.asarray(kernel.mean(axis=1) / (grid * (1 - grid)))


def _draw_curves(axes: Axes, figure: Figure1) -> None:
    for curve, colour, dashes in zip(figure.curves, (BLUE, ORANGE), ("-", "--"), strict=True):
        axes.plot(curve.fpr, curve.tpr, dashes, color=colour, linewidth=1.2, label=curve.name)


def _draw_average(axes: Axes, average: Any, label: str) -> None:
    axes.plot(average.fpr, average.tpr, color=BLACK, linewidth=2, label=f"{label}, AUC {average.auc:.3f}")


def _mark(axes: Axes, point: tuple[float, float], colour: str, **options: Any) -> None:
    axes.plot(*point, color=colour, **{**_DOT, **options}, label="_mark")


def _draw_pooling(axes: Axes, figure: Figure1) -> None:
    _draw_curves(axes, figure)
    _draw_average(axes, figure.pooled, "pooled")
    for name in ("dataset 1", "dataset 2"):
        _mark(axes, figure.points[name], FIXED)
    _mark(axes, figure.points["pooled"], FIXED, marker="D", markersize=8)
    dress(axes, "(b) Pooling: every case counts once")
    key(axes)


def _draw_vertical(axes: Axes, figure: Figure1) -> None:
    axes.axvline(FIGURE_1_FPR, color="0.75", linewidth=1, zorder=0)
    _draw_curves(axes, figure)
    _draw_average(axes, figure.vertical, "vertical")
    _mark(axes, figure.points["dataset 1"], FIXED)
    _mark(axes, figure.points["dataset 2, own threshold"], OWN)
    split = {"fillstyle": "left", "markerfacecoloralt": OWN, "marker": "D", "markersize": 8}
    _mark(axes, figure.points["vertical"], FIXED, **split)
    dress(axes, f"(c) Vertical: own thresholds, FPR {FIGURE_1_FPR:g} held")
    key(axes)


def _draw_threshold(axes: Axes, figure: Figure1) -> None:
    ends = [figure.points[name] for name in ("dataset 1", "dataset 2")]
    axes.plot(*zip(*ends, strict=True), color=FIXED, linewidth=1, alpha=0.6, label="_between")
    _draw_curves(axes, figure)
    _draw_average(axes, figure.threshold, "threshold")
    for end in ends:
        _mark(axes, end, FIXED)
    _mark(axes, figure.points["threshold"], FIXED, marker="D", markersize=8)
    dress(axes, "(d) Threshold: one for both, datasets count once")
    key(axes)
