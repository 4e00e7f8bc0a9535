"""The figures of the example: a threshold, the curve, its standard error, its cut-offs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr

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
from papers.slides import printed
from papers.slides.best_cutoffs import WORDS, BestCutoffs
from papers.slides.normals import CutPoint, TwoNormals
from papers.slides.parameters import EXAMPLE
from papers.slides.populations import Divided
from papers.slides.replicates import Replicates
from papers.slides.spss import SpssTables, implied_standard_error, printed_counts
from rocsteady.statistics.delong import hanley_mcneil_variance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANEL = 3.7
"""Inches, of a square panel."""
MOST_DOTS = 2000
"""More samples than this would be one blot."""
FPRS = ndtr(np.linspace(-6, 6, 601))
"""Evenly in normal deviates: dense where curves are steep."""
_MARKS = {"youden": (VERMILLION, "o"), "closest": (GREEN, "s"), "eer": (ORANGE, "D")}


def dot(colour: str, marker: str = "o", size: float = 7) -> dict[str, Any]:
    """How a point that matters is marked."""
    return {
        "linestyle": "none",
        "marker": marker,
        "markersize": size,
        "color": colour,
        "markeredgecolor": "white",
        "clip_on": False,
        "zorder": 6,
    }


def population_curve(axes: Axes, model: TwoNormals, **options: Any) -> None:
    """The curve of two normal populations."""
    axes.plot(FPRS, model.tpr_at(FPRS), **options)


def draw_populations(divided: Divided) -> Figure:
    """Left the four areas, right the point that they are on the curve."""
    drawing = new_figure(2.1 * PANEL, PANEL)
    left, right = drawing.subplots(1, 2, width_ratios=(1.25, 1))
    _draw_areas(left, divided)
    population_curve(right, divided.model, color=BLUE, linewidth=1.5, label="_curve")
    fpr, tpr = divided.shares["FP"], divided.shares["TP"]
    right.plot([fpr, fpr, 0], [0, tpr, tpr], color=GREY, linewidth=0.8, linestyle="--", label="_guide")
    right.plot(fpr, tpr, **dot(VERMILLION), label="_point")
    words = f"threshold {divided.threshold:g}\nFPR = FP / N = {fpr:.3f}\nTPR = TP / P = {tpr:.3f}"
    right.annotate(words, (fpr, tpr), xytext=(0.4, 0.16), fontsize=TEXT, arrowprops={"arrowstyle": "-"})
    dress(right, f"(b) One point of the curve, AUC {divided.model.auc:.3f}")
    return drawing


def _draw_areas(axes: Axes, divided: Divided) -> None:
    model, threshold = divided.model, divided.threshold
    at = np.linspace(-1.0, 11.5, 1000)
    normal, abnormal = model.densities(at)
    beyond = at >= threshold
    for density, colour, word in ((normal, GREY, "normal"), (abnormal, BLUE, "abnormal")):
        axes.plot(at, density, color=colour, linewidth=1.4, label=word)
    for density, where, colour, hatch in (
        (normal, ~beyond, GREY, ""),
        (abnormal, beyond, BLUE, ""),
        (normal, beyond, VERMILLION, "////"),
        (abnormal, ~beyond, ORANGE, "\\\\\\\\"),
    ):
        edge: Any = {"hatch": hatch, "edgecolor": colour} if hatch else {}
        axes.fill_between(at, density, where=where.tolist(), facecolor=colour, alpha=0.3, linewidth=0, **edge)
    axes.axvline(threshold, color=BLACK, linewidth=1.2)
    place: Any = {"fontsize": TEXT, "ha": "center"}
    arrow = {"arrowstyle": "-", "linewidth": 0.8}
    shares = divided.shares
    axes.annotate(f"TN {shares['TN']:.3f}", (2.8, 0.12), **place)
    axes.annotate(f"TP {shares['TP']:.3f}", (6.9, 0.08), **place)
    axes.annotate(f"FN {shares['FN']:.3f}", (4.0, 0.03), xytext=(0.2, 0.14), arrowprops=arrow, **place)
    axes.annotate(f"FP {shares['FP']:.3f}", (4.8, 0.03), xytext=(7.6, 0.25), arrowprops=arrow, **place)
    axes.annotate(
        f"threshold {threshold:g}",
        (threshold, 0.41),
        xytext=(4, 0),
        textcoords="offset points",
        fontsize=TEXT,
    )
    axes.set(xlim=(-1, 11.5), ylim=(0, 0.44), yticks=[])
    axes.set_xlabel("diagnostic variable", fontsize=TEXT)
    axes.set_title("(a) Two populations, divided", fontsize=TEXT + 1, loc="left")
    thin(axes)
    axes.spines["left"].set_visible(False)
    key(axes, loc="upper right")


def draw_example(sample: SpssTables) -> Figure:
    """Left the two groups of a sample and their populations, right the curves and the rows shown."""
    drawing = new_figure(2.1 * PANEL, PANEL)
    left, right = drawing.subplots(1, 2, width_ratios=(1.15, 1))
    _draw_groups(left, sample)
    curve = sample.curve
    right.plot(
        curve.fpr, curve.tpr, color=BLUE, linewidth=1.2, label=f"sample {sample.seed}, AUC {curve.auc:.3f}"
    )
    options: Any = {"color": BLACK, "linewidth": 1, "linestyle": (0, (4, 2))}
    population_curve(right, EXAMPLE, label=f"population, AUC {EXAMPLE.auc:.3f}", **options)
    rows = np.array([*printed.FIRST_ROWS, *printed.CORNER_ROWS])
    words = f"rows on the slide, AUC {printed.AREA['area']:.3f}"
    row: Any = {"linestyle": "none", "marker": "o", "markersize": 2.2, "clip_on": False, "zorder": 5}
    right.plot(rows[:, 2], rows[:, 1], color=VERMILLION, label=words, **row)
    dress(right, "(b) Coordinates of the curve")
    key(right)
    return drawing


def _draw_groups(axes: Axes, sample: SpssTables) -> None:
    curve = sample.curve
    steps = np.diff(curve.true_positives), np.diff(curve.false_positives)
    positives, negatives = (np.repeat(curve.thresholds[1:], step) for step in steps)
    at, bins = np.linspace(0.75, 2.35, 400), np.linspace(0.75, 2.35, 41)
    densities = EXAMPLE.densities(at)
    for values, density, colour, word in (
        (negatives, densities[0], GREY, "healthy"),
        (positives, densities[1], BLUE, "diseased"),
    ):
        axes.hist(
            values.tolist(),
            bins=bins.tolist(),
            density=True,
            color=colour,
            alpha=0.35,
            label=f"{word}, 300 drawn",
        )
        axes.plot(at, density, color=colour, linewidth=1.4, label=f"{word}, population")
    axes.set(xlim=(0.75, 2.35), ylim=(0, 3.6), yticks=[])
    axes.set_xlabel("blood substance", fontsize=TEXT)
    axes.set_title(f"(a) Sample {sample.seed} of 300 + 300", fontsize=TEXT + 1, loc="left")
    thin(axes)
    axes.spines["left"].set_visible(False)
    key(axes, loc="upper left", ncols=2)


def draw_standard_error(found: Replicates) -> Figure:
    """Area and standard error of samples, by both formulas, and what the slides printed."""
    drawing = new_figure(1.5 * PANEL, 1.15 * PANEL)
    axes = drawing.add_subplot()
    area, error = (found.values[name][:MOST_DOTS] for name in ("area", "nonparametric"))
    samples = f"nonparametric (SPSS), {area.size} samples"
    axes.plot(
        area, error, linestyle="none", marker=".", markersize=2.5, color=BLUE, alpha=0.35, label=samples
    )
    at, n = np.linspace(0.92, 0.98, 200), printed.N_PER_GROUP
    exponential = np.sqrt(hanley_mcneil_variance(at, n, n))
    axes.plot(at, exponential, color=VERMILLION, linewidth=1.5, label="Hanley and McNeil, from the area")
    low, high = implied_standard_error()
    shown, half = printed.AREA["area"], 0.5 * 10.0**-printed.AREA_PLACES
    x, y = (shown - half, shown + half), (low, high)
    axes.fill(
        [x[0], x[1], x[1], x[0]],
        [y[0], y[0], y[1], y[1]],
        facecolor="none",
        edgecolor=BLACK,
        linewidth=1.4,
        zorder=4,
        label="fits what the slides print",
    )
    axes.plot(EXAMPLE.auc, EXAMPLE.auc_standard_error(n, n), **dot(ORANGE, "D"), label="population")
    axes.set(xlim=(0.92, 0.98), ylim=(0.004, 0.012))
    axes.set_xlabel("area under the curve", fontsize=TEXT)
    axes.set_ylabel("standard error", fontsize=TEXT)
    axes.set_title("SPSS example, 300 + 300 cases", fontsize=TEXT + 1, loc="left")
    thin(axes)
    key(axes, loc="upper right")
    return drawing


def draw_cutoffs(found: BestCutoffs) -> Figure:
    """The corner of the curve: the rows shown, and the population, with what each rule is best by."""
    drawing = new_figure(2.1 * PANEL, 1.05 * PANEL)
    left, right = drawing.subplots(1, 2)
    sensitivity, false_alarms = (
        np.array(counts) / printed.N_PER_GROUP for counts in printed_counts(printed.CORNER_ROWS)
    )
    left.plot(false_alarms, sensitivity, color=BLUE, linewidth=1, marker=".", markersize=4, label="_rows")
    shown = {rule: cut for rule, cut in found.shown.items() if rule != "eer" or found.errors_cross_in_rows}
    _draw_rules(left, shown)
    _corner(left, "(a) Rows shown on the slide", (0.12, 0.185), (0.875, 0.94))
    population_curve(right, EXAMPLE, color=BLUE, linewidth=1.5, label="_curve")
    _draw_rules(right, found.population)
    _corner(right, "(b) Population", (0.085, 0.15), (0.845, 0.91))
    return drawing


def _draw_rules(axes: Axes, cuts: dict[str, CutPoint] | Any) -> None:
    line: Any = {"linewidth": 0.9, "alpha": 0.9, "zorder": 1, "label": "_guide"}
    for rule, cut in cuts.items():
        colour, marker = _MARKS[rule]
        if rule == "youden":
            axes.axline((cut.fpr, cut.tpr), slope=1, color=colour, linestyle="--", **line)
        elif rule == "closest":
            angle = np.linspace(-np.pi / 2, 0, 2000)
            axes.plot(cut.distance * np.cos(angle), 1 + cut.distance * np.sin(angle), color=colour, **line)
        else:
            reach = np.array([-0.012, 0.012])  # the whole diagonal would run through the key
            axes.plot(cut.fpr + reach, cut.tpr - reach, color=colour, linestyle="-.", **line)
        axes.plot(cut.fpr, cut.tpr, **dot(colour, marker), label=f"{WORDS[rule]}: {cut.threshold:.4f}")


def _corner(axes: Axes, title: str, fprs: tuple[float, float], tprs: tuple[float, float]) -> None:
    axes.set(xlim=fprs, ylim=tprs)
    axes.set_aspect("equal")
    axes.set_xlabel("1 - specificity", fontsize=TEXT)
    axes.set_ylabel("sensitivity", fontsize=TEXT)
    axes.set_title(title, fontsize=TEXT + 1, loc="left")
    thin(axes)
    key(axes)
