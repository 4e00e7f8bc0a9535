"""Figure 2 as a picture: for each classifier its curves and both averages, whole and where FPR is small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from papers.averaging_roc.figure_2 import Panel
from papers.averaging_roc.parameters import FPRS
from papers.drawing import BLUE, GREY, TEXT, VERMILLION, dress, key, new_figure
from rocsteady.statistics.limits import t_quantile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ZOOM = 0.3
CONFIDENCE_LEVEL = 0.95


def draw_figure_2(panels: list[Panel]) -> Figure:
    """Draw the three classifiers of a design side by side; intervals are normal, as in the paper."""
    drawing = new_figure(9.6, 6.9)
    axes = drawing.subplots(2, len(panels))
    for column, panel in enumerate(panels):
        for row, furthest in enumerate((1.0, ZOOM)):
            _draw_panel(axes[row, column], panel, panels[0], furthest)
            if column:
                axes[row, column].set_ylabel("")
    design = panels[0].design
    drawing.suptitle(
        f"{len(panels[0].curves)} datasets, negatives N(0, {design.negative_sd:g}), positives "
        f"N({design.separation:g}, 1) before the shifts (design {design.name}); bars and band: "
        f"{100 * CONFIDENCE_LEVEL:g} %, normal, pointwise",
        fontsize=TEXT,
    )
    return drawing


def _draw_panel(axes: Axes, panel: Panel, first: Panel, furthest: float) -> None:
    for curve in panel.curves:
        axes.plot(curve.fpr, curve.tpr, color=GREY, linewidth=0.45, alpha=0.16, label="_curve", zorder=1)
    if panel is not first:
        reference: Any = {"color": "black", "linewidth": 1, "linestyle": (0, (1, 1.5)), "zorder": 4}
        axes.plot(first.vertical.fpr, first.vertical.tpr, label="C-1 vertical", **reference)
    _draw_vertical(axes, panel)
    _draw_threshold(axes, panel, furthest)
    dress(axes, panel.kind if furthest == 1.0 else f"{panel.kind}, FPR up to {furthest:g}", furthest=furthest)
    if furthest == 1.0:
        key(axes)


def _draw_vertical(axes: Axes, panel: Panel) -> None:
    average = panel.vertical
    label = f"vertical, AUC {average.auc:.3f}"
    axes.plot(average.fpr, average.tpr, color=BLUE, linewidth=1.8, label=label, zorder=3)
    # All datasets have the same number of negatives, so between these positions nothing changes.
    n_negatives = int(panel.curves.n_negatives[0])
    read = average.at_position(np.arange(n_negatives + 1) / n_negatives)
    half = t_quantile(np.inf, CONFIDENCE_LEVEL) * read.standard_error
    limits = (np.clip(read.tpr - half, 0, 1), np.clip(read.tpr + half, 0, 1))
    axes.fill_between(
        read.fpr, *limits, step="post", color=BLUE, alpha=0.2, linewidth=0, label="_band", zorder=2
    )


def _draw_threshold(axes: Axes, panel: Panel, furthest: float) -> None:
    average = panel.threshold
    label = f"threshold, AUC {average.auc:.3f}"
    axes.plot(average.fpr, average.tpr, "--", color=VERMILLION, linewidth=1.8, label=label, zorder=3)
    rates = average.rates_at(panel.population.threshold_at(np.array(FPRS if furthest < 1 else FPRS[2:])))
    z = t_quantile(np.inf, CONFIDENCE_LEVEL)
    axes.errorbar(
        rates.fpr,
        rates.tpr,
        xerr=z * rates.fpr_standard_error,
        yerr=z * rates.tpr_standard_error,
        fmt="o",
        markersize=3.5,
        color=VERMILLION,
        markeredgecolor="white",
        markeredgewidth=0.5,
        elinewidth=1,
        label="_intervals",
        zorder=5,
    )
