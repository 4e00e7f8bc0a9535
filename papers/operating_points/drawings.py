"""The three figures as pictures, drawn with the package's own plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from papers.drawing import new_figure
from papers.operating_points.figure_3 import GREEDY, SEARCHES, START, Digits
from papers.operating_points.figures import Sample
from papers.operating_points.parameters import CORRECTED, PRINTED
from rocsteady.figures import class_error_surface, class_errors, operating_points
from rocsteady.simulate import highleyman_rates

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = 8.0
PANEL = 3.3
"""Inches, of a square panel."""


def draw_figure_1(sample: Sample) -> Figure:
    """Figure 1: means of ten folds with standard errors, beside the limit for ever more cases."""
    drawing = new_figure(1.2 * PANEL, 1.2 * PANEL)
    axes = drawing.add_subplot()
    draw_limit(axes)
    title = f"Gaussian detector on class 1, {sample.n_per_class} per class"
    operating_points(sample.table, title=title, text_size=SIZE, ax=axes)
    return drawing


def draw_limit(axes: Axes) -> None:
    """The curve of the detector whose model is the true one."""
    import numpy as np

    fpr, tpr = highleyman_rates(np.linspace(0.0, 8.0, 400))
    axes.plot(
        fpr, tpr, color="0.35", linewidth=1, linestyle=(0, (4, 2)), zorder=1, label="limit for many cases"
    )


def draw_figure_2(samples: list[Sample]) -> Figure:
    """Figure 2: both sizes, under the test as printed and under one that allows for shared training cases."""
    drawing = new_figure(2 * PANEL, 2 * PANEL)
    grid = drawing.subplots(2, len(samples))
    for row, (test, words) in enumerate(((PRINTED, "df 18, as printed"), (CORRECTED, "df 9, Nadeau-Bengio"))):
        for axes, sample in zip(grid[row], samples, strict=True):
            operating_points(
                sample.table,
                comparison=sample.comparisons[test.name],
                title=f"{sample.n_per_class} per class; {words}",
                text_size=SIZE,
                ax=axes,
            )
    return drawing


def draw_figure_3(digits: Digits) -> Figure:
    """Figure 3: errors of the three digits in space and flat, before and after the greedy steps."""
    drawing = new_figure(2.2 * PANEL, 2.4 * PANEL)
    drawing.set_layout_engine("none")  # it does not know how far the words of axes in space reach
    heights: Any = None
    for row, name in enumerate((START, GREEDY)):
        surface = digits.surfaces[name]
        options: Any = {"comparison": surface.comparisons[PRINTED.name], "text_size": SIZE}
        bottom = 0.56 - 0.5 * row
        space: Any = drawing.add_axes((0.0, bottom - 0.02, 0.46, 0.36))
        class_error_surface(surface.table, ax=space, title=SEARCHES[name], **options)
        flat = class_errors(surface.table, ax=drawing.add_axes((0.6, bottom, 0.39, 0.34)), **options)
        flat.set_xlabel("digit", fontsize=SIZE)
        heights = flat.get_ylim() if heights is None else heights  # those of the first row hold for both
        flat.set_ylim(heights)
    return drawing
