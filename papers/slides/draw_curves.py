"""The figures of ten cases, of two models that cross, and of guessing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from papers.drawing import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    TEXT,
    VERMILLION,
    dress,
    key,
    new_figure,
)
from papers.slides.drawings import FPRS, PANEL, dot, population_curve
from papers.slides.guessing import Guessing
from papers.slides.parameters import COMMON, MODELS, RARE
from papers.slides.spss import SpssTables
from papers.slides.ten_cases import FIRST, LAST, ONE_STEP, TenCases
from papers.slides.two_models import TwoModels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = (BLUE, VERMILLION)
_DASHES: tuple[Any, Any] = ("-", (0, (5, 1.5)))


def draw_ten_cases(ten: TenCases) -> Figure:
    """One step for three tied cases, and the two paths around it."""
    drawing = new_figure(1.2 * PANEL, 1.2 * PANEL)
    axes = drawing.add_subplot()
    for name, colour, dashes, word in (
        (FIRST, VERMILLION, "--", "positive first (the slide)"),
        (LAST, ORANGE, ":", "negatives first"),
    ):
        curve = ten.curves[name]
        label = f"{word}: area {curve.auc:.2f}"
        axes.plot(curve.fpr, curve.tpr, color=colour, linewidth=1.5, linestyle=dashes, zorder=2, label=label)
    curve = ten.curves[ONE_STEP]
    label = f"one step at 0.85: area {curve.auc:.2f}"
    axes.plot(
        curve.fpr,
        curve.tpr,
        color=BLUE,
        linewidth=1.8,
        marker="o",
        markersize=4,
        clip_on=False,
        zorder=3,
        label=label,
    )
    for threshold, fpr, tpr in zip(curve.thresholds[1:], curve.fpr[1:], curve.tpr[1:], strict=True):
        axes.annotate(
            f"{threshold:.2f}", (fpr, tpr), xytext=(4, -10), textcoords="offset points", fontsize=TEXT - 2
        )
    dots = np.array([column.shown[4:] for column in ten.unreachable])
    axes.plot(dots[:, 1], dots[:, 0], **dot(VERMILLION, "X"), label="columns that no threshold gives")
    dress(axes, "Ten cases")
    key(axes)
    return drawing


def draw_models(found: TwoModels) -> Figure:
    """Left the populations and who is ahead, right a sample with all its crossings."""
    drawing = new_figure(2.1 * PANEL, 1.1 * PANEL)
    left, right = drawing.subplots(1, 2)
    tprs = [model.tpr_at(FPRS) for model in MODELS]
    for model, colour, dashes in zip(MODELS, _COLOURS, _DASHES, strict=True):
        label = f"{model.name}, AUC {model.auc:.3f}"
        population_curve(left, model, color=colour, linewidth=1.6, linestyle=dashes, label=label)
    for ahead, colour in zip((tprs[0] > tprs[1], tprs[0] < tprs[1]), _COLOURS, strict=True):
        left.fill_between(FPRS, tprs[0], tprs[1], where=ahead.tolist(), color=colour, alpha=0.15, linewidth=0)
    fpr, tpr = found.crossing
    left.plot(fpr, tpr, **dot(BLACK), label=f"crossing: FPR {fpr:.3f}, TPR {tpr:.3f}")
    left.axvline(fpr, color=GREY, linewidth=0.8, linestyle="--", zorder=0)
    place: Any = {"fontsize": TEXT, "ha": "center", "xycoords": ("data", "axes fraction")}
    left.annotate("M1 ahead", (fpr / 2, 1.01), color=_COLOURS[0], **place)
    left.annotate("M2 ahead", ((1 + fpr) / 2, 1.01), color=_COLOURS[1], **place)
    dress(left, "(a) Populations\n")
    key(left)
    for curve, colour, dashes in zip(found.curves, _COLOURS, _DASHES, strict=True):
        label = f"{curve.name}, AUC {curve.auc:.3f}"
        right.plot(curve.fpr, curve.tpr, color=colour, linewidth=1.4, linestyle=dashes, label=label)
    points = np.array(found.sample.points).reshape(-1, 2)
    label = f"{len(points)} crossings, exact"
    right.plot(points[:, 0], points[:, 1], **dot(BLACK, size=5), label=label)
    dress(right, f"(b) A sample, {found.curves[0].n_positives} + {found.curves[0].n_negatives} cases each\n")
    key(right)
    return drawing


def draw_guessing(found: Guessing, sample: SpssTables) -> Figure:
    """The straight line with guessers on it; another curve between the same corners; the ideal point."""
    drawing = new_figure(1.2 * PANEL, 1.55 * PANEL)
    axes = drawing.add_subplot()
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=1.5, label="straight line: guessing, area 0.5")
    curve = sample.curve
    label = f"another curve between the corners, area {curve.auc:.3f}"
    axes.plot(curve.fpr, curve.tpr, color=BLUE, linewidth=1.2, label=label)
    rates = np.array([guess.rates for guess in found.guesses])
    label = f"guessers, {RARE} + {COMMON} cases"
    axes.plot(rates[:, 0], rates[:, 1], **dot(VERMILLION, size=6), label=label)
    for guess in found.guesses:
        words = f"TP {guess.true_positives}, FP {guess.false_positives}"
        fpr, tpr = guess.rates
        below = guess.chance <= 0.5 and tpr - fpr < 0.05  # else the words would lie on the line
        place: Any = {"xytext": (7, -9)} if below else {"xytext": (-7, 4), "ha": "right"}
        axes.annotate(words, guess.rates, textcoords="offset points", fontsize=TEXT - 2, **place)
    axes.plot([0, 1], [0, 1], **dot(PURPLE, "s", 6), label="corners: all negative, all positive")
    axes.plot(*found.ideal_point, **dot(GREEN, "*", 12), label="ideal")
    dress(axes, "Corners, diagonal and ideal point")
    key(axes, loc="upper left", bbox_to_anchor=(0.0, -0.14))
    return drawing
