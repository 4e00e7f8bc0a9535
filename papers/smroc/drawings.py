"""Figures 2 to 7 as pictures, and smAUC for every Mid, which the paper leaves to future work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

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
from papers.smroc.analysis.results import AUC, Areas
from papers.smroc.formulas import MOVIE_LABELS, MOVIE_SCORES, Movies
from papers.smroc.parameters import HALF, LEARNERS, NB, PAPER, PET, SHOWN_CURVES
from rocsteady.figures import appropriateness

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocsteady.curves.smroc import SmrocCurve

SMALL = TEXT - 1
PANEL = 3.3
"""Inches, of a square panel."""
COLOURS = {NB: BLUE, PET: ORANGE}
SOLID: Any = {"color": BLACK, "marker": "o", "markersize": 3, "linewidth": 1.1}
DASHED: Any = {
    "color": VERMILLION,
    "marker": "o",
    "markersize": 4,
    "markerfacecolor": "white",
    "linewidth": 1.1,
    "linestyle": (0, (4, 2)),
}


def draw_figure_2(found: Movies) -> Figure:
    """Figure 2: Anna's six movies in both spaces."""
    drawing = new_figure(2 * PANEL, 1.17 * PANEL)
    left, right = drawing.subplots(1, 2)
    roc, smroc = found.curve.roc(), found.curve
    for axes, x, y, title in (
        (left, roc.fpr, roc.tpr, f"ROC, AUC {roc.auc:.3f}"),
        (right, smroc.fpr, smroc.tpr, f"smROC, smAUC {smroc.auc:.3f} (Mid {smroc.mid:.3f})"),
    ):
        dress(axes, title)
        axes.plot(x, y, "o-", color=BLUE, markersize=3, linewidth=1.6, zorder=3, clip_on=False)
        _name_segments(axes, np.asarray(x), np.asarray(y))
    right.set(xlabel="share of debit", ylabel="share of credit")
    told = ", ".join(
        f"{s:g}{'+' if label else '−'}" for s, label in zip(MOVIE_SCORES, MOVIE_LABELS, strict=True)
    )
    whose = "0.99 and 0.7 are the paper's, in the text; the others are ours"
    drawing.suptitle(f"Six movies: {told}\n({whose})", fontsize=TEXT)
    return drawing


def _name_segments(axes: Axes, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
    """The number of the movie beside each segment, on the lower right."""
    for movie, (x0, x1, y0, y1) in enumerate(zip(x[:-1], x[1:], y[:-1], y[1:], strict=True), start=1):
        length = np.hypot(x1 - x0, y1 - y0)
        away = 0.045 * np.array([y1 - y0, -(x1 - x0)]) / length
        at = (x0 + x1) / 2 + away[0], (y0 + y1) / 2 + away[1]
        axes.text(*at, str(movie), fontsize=TEXT, ha="center", va="center")


def draw_figure_3(found: Movies) -> Figure:
    """Figure 3: the four kinds of cases and their mean steps, for the same movies."""
    drawing = new_figure(PANEL, PANEL)
    appropriateness(found.curve, text_size=SMALL, ax=drawing.add_subplot())
    return drawing


def draw_similar(found: Areas, learner: str) -> Figure:
    """Figures 4 and 5: spread and average of both areas; sets in the order of the spread of AUC."""
    order = np.argsort(-found.sd(learner, AUC), kind="stable")
    drawing = new_figure(7.2, 5.6)
    top, bottom = drawing.subplots(2, 1, sharex=True, height_ratios=(1, 1.25))
    places = np.arange(order.size)
    for axes, function in ((top, found.sd), (bottom, found.mean)):
        axes.plot(places, function(learner, AUC)[order], label="AUC", **SOLID)
        axes.plot(places, function(learner, PAPER)[order], label="smAUC, the paper's Mid", **DASHED)
        thin(axes)
    _mark_baselines(bottom, found, learner, order)
    top.set_ylim(bottom=0)
    top.set_ylabel("standard deviation", fontsize=TEXT)
    bottom.set_ylabel("average", fontsize=TEXT)
    _name_sets(bottom, found, order)
    key(top, loc="upper right")
    key(bottom, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=5, columnspacing=1.2)
    top.set_title(
        f"{LEARNERS[learner]} ({found.source}), {found.n_runs} runs of 10-fold cross-validation",
        fontsize=TEXT + 1,
        loc="left",
    )
    return drawing


def _mark_baselines(axes: Axes, found: Areas, learner: str, order: NDArray[np.int64]) -> None:
    """SmAUC with another Mid and with shuffled labels; the sets whose Mid is no score are shaded."""
    places = np.arange(order.size)
    shuffled = found.permuted[learner][PAPER].mean(axis=1)
    _mark(axes, places, found.mean(learner, HALF)[order], "x", BLUE, "smAUC, Mid 1/2")
    _mark(axes, places, shuffled[order], "_", GREY, "smAUC, labels shuffled")
    for n, place in enumerate(np.flatnonzero((found.mid[learner].mean(axis=1) > 1)[order])):
        label = "_" * bool(n) + "Mid above 1"
        axes.axvspan(place - 0.5, place + 0.5, color=VERMILLION, alpha=0.1, linewidth=0, label=label)
    axes.axhline(0.5, color="0.8", linewidth=0.8, zorder=0)


def _mark(axes: Axes, x: Any, y: Any, marker: str, colour: str, label: str) -> None:
    size = 7 if marker == "_" else 4.5
    axes.plot(x, y, marker, color=colour, markersize=size, label=label, zorder=4)


def _name_sets(axes: Axes, found: Areas, order: NDArray[np.int64]) -> None:
    axes.set_xticks(np.arange(order.size), [found.sets[i] for i in order], rotation=90, fontsize=SMALL)
    axes.set_xlim(-0.6, order.size - 0.4)


def draw_figure_6(shown: Mapping[str, Sequence[SmrocCurve]]) -> Figure:
    """Figure 6: the curves of all runs in both spaces, and with Mid 1/2; dashed, their chance curves."""
    drawing = new_figure(3 * PANEL, 1.32 * PANEL)
    panels = drawing.subplots(1, 3)
    for axes, title in zip(panels, ("ROC", "smROC, the paper's Mid", "smROC, Mid 1/2"), strict=True):
        dress(axes, f"{SHOWN_CURVES}: {title}")
    for axes in panels[1:]:
        axes.set(xlabel="share of debit", ylabel="share of credit")
    for learner, curves in shown.items():
        halves = [curve.with_mid(0.5) for curve in curves]
        line: Any = {"color": COLOURS[learner], "linewidth": 0.7, "alpha": 0.8}
        drawn: tuple[Sequence[Any], ...] = ([curve.roc() for curve in curves], curves, halves)
        for axes, own in zip(panels, drawn, strict=True):
            mean = np.mean([curve.auc for curve in own])
            for n, curve in enumerate(own):
                label = (
                    "_" * bool(n)
                    + f"{LEARNERS[learner]}, {'AUC' if axes is panels[0] else 'smAUC'} {mean:.3f}"
                )
                axes.plot(curve.fpr, curve.tpr, label=label, **line)
        for axes, smrocs in zip(panels[1:], (curves, halves), strict=True):
            label = f"its chance level, {np.mean([curve.chance_auc for curve in smrocs]):.3f}"
            chance: Any = {"color": COLOURS[learner], "linewidth": 1.3, "linestyle": (0, (4, 2))}
            axes.plot(*smrocs[0].chance_path, label=label, zorder=4, **chance)
    for axes in panels:
        key(axes, loc="upper left", bbox_to_anchor=(0, -0.17))
    return _with_margin(drawing)


def _with_margin(drawing: Figure) -> Figure:
    """The same with some room at the edge, which keys under the axes would touch."""
    engine: Any = drawing.get_layout_engine()
    engine.set(rect=(0.0, 0.03, 1.0, 0.97))
    return drawing


def draw_figure_7(found: Areas) -> Figure:
    """Figure 7: naive Bayes less the tree, run by run; sets in the order of the difference of smAUC."""
    difference = {space: found.difference(space) for space in (AUC, PAPER, HALF)}
    order = np.argsort(-difference[PAPER].mean(axis=1), kind="stable")
    drawing = new_figure(7.2, 5.6)
    top, bottom = drawing.subplots(2, 1, sharex=True, height_ratios=(1, 1.25))
    places = np.arange(order.size)
    for space, style, label in ((AUC, SOLID, "AUC"), (PAPER, DASHED, "smAUC, the paper's Mid")):
        top.plot(places, difference[space].std(axis=1, ddof=1)[order], label=label, **style)
        bottom.plot(places, difference[space].mean(axis=1)[order], label=label, **style)
    _mark(bottom, places, difference[HALF].mean(axis=1)[order], "x", BLUE, "smAUC, Mid 1/2")
    bottom.axhline(0, color=GREEN, linewidth=1, zorder=1)
    top.set_ylim(bottom=0)
    top.set_ylabel("standard deviation", fontsize=TEXT)
    bottom.set_ylabel(f"average of {NB} less {PET}", fontsize=TEXT)
    for axes in (top, bottom):
        thin(axes)
    key(top, loc="best")
    key(bottom, loc="upper right")
    _name_sets(bottom, found, order)
    top.set_title(
        f"naive Bayes less probability tree ({found.source}), {found.n_runs} runs on the same folds",
        fontsize=TEXT + 1,
        loc="left",
    )
    return drawing


def draw_mid_profile(shown: Mapping[str, Sequence[SmrocCurve]]) -> Figure:
    """SmAUC and its chance level for every Mid, beyond the paper's own: the first run of both learners."""
    first = {learner: curves[0] for learner, curves in shown.items()}
    furthest = 1.1 * max(1.0, *(curve.mid for curve in first.values()))
    drawing = new_figure(2.3 * PANEL, 1.3 * PANEL)
    panels = drawing.subplots(1, len(first), sharey=True, squeeze=False)[0]
    for axes, (learner, curve) in zip(panels, first.items(), strict=True):
        _draw_profile(axes, curve, furthest)
        n_runs = len(shown[learner])
        axes.set_title(
            f"{SHOWN_CURVES}, {LEARNERS[learner]}, run 1 of {n_runs}", fontsize=TEXT + 1, loc="left"
        )
        axes.set_xlabel("Mid, from which a score is high", fontsize=TEXT)
        key(axes, SMALL + 1, loc="upper left", bbox_to_anchor=(0, -0.17))
    panels[0].set_ylabel("area under the smROC curve", fontsize=TEXT)
    panels[0].set_ylim(0.4, 1)  # the lowest Mids go further down, in a line at the edge: the key says so
    return _with_margin(drawing)


def _draw_profile(axes: Axes, curve: SmrocCurve, furthest: float) -> None:
    """The pieces up to 1, and the one above it, where every score is low."""
    profile, above = curve.mid_profile(), curve.mid_profile([2.0])
    assert profile.after is not None
    mids = np.column_stack([[*profile.after, 1.0], [*profile.mid, furthest]]).ravel()
    areas, chances = (
        np.repeat([*inside, *beyond], 2)
        for inside, beyond in ((profile.auc, above.auc), (profile.chance_auc, above.chance_auc))
    )
    axes.fill_between(mids, chances, areas, color=BLUE, alpha=0.12, linewidth=0, zorder=1)
    words = f"smAUC ({profile.auc[0]:.2f} for the lowest Mids)"
    axes.plot(mids, areas, color=BLUE, linewidth=1.4, zorder=4, label=words)
    chance: Any = {"color": VERMILLION, "linewidth": 1.1, "linestyle": (0, (4, 2)), "zorder": 3}
    axes.plot(mids, chances, label="chance: labels dealt at random", **chance)
    ordinary = f"AUC {profile.roc_auc:.3f}, which needs no Mid"
    axes.axhline(profile.roc_auc, color=BLACK, linewidth=0.8, linestyle=":", zorder=2, label=ordinary)
    axes.axvspan(1, furthest, color="0.95", linewidth=0, zorder=0)
    axes.annotate(
        "no score is high", ((1 + furthest) / 2, 0.02), xycoords=("data", "axes fraction"), fontsize=SMALL,
        ha="center",
    )  # fmt: skip
    own = f"the paper's Mid {curve.mid:.2f}: smAUC {curve.auc:.3f}, chance {curve.chance_auc:.3f}"
    axes.plot(curve.mid, curve.auc, "X", color=BLACK, markersize=7, zorder=5, label=own, clip_on=False)
    axes.set_xlim(0, furthest)
    thin(axes)
