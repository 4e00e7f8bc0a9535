"""What is drawn are the numbers, and nothing global is touched."""

from __future__ import annotations

import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_hex

from papers.averaging_roc.draw_figure_1 import density_of_shares, draw_figure_1
from papers.averaging_roc.draw_figure_2 import ZOOM, draw_figure_2
from papers.averaging_roc.figure_1 import figure_1
from papers.averaging_roc.figure_2 import figure_2
from papers.averaging_roc.parameters import DESIGNS
from papers.drawing import BLUE, VERMILLION, rendered
from rocsteady.errors import MissingPackageError

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


@pytest.fixture(scope="module")
def first():
    return figure_1()


@pytest.fixture(scope="module")
def drawn_1(first):
    return draw_figure_1(first)


@pytest.fixture(scope="module")
def panels():
    return figure_2(DESIGNS[0])


@pytest.fixture(scope="module")
def drawn_2(panels):
    return draw_figure_2(panels)


def line_named(axes, start: str):
    return next(line for line in axes.lines if str(line.get_label()).startswith(start))


def marks(axes) -> list[tuple[float, float]]:
    return [tuple(line.get_xydata()[0]) for line in axes.lines if line.get_label() == "_mark"]


def test_figure_1_draws_the_averages(first, drawn_1) -> None:
    titles = [axes.get_title(loc="left") for axes in drawn_1.axes]
    assert [title[:3] for title in titles if title] == ["(a)", "(b)", "(c)", "(d)"]
    for axes, name in zip(drawn_1.axes[3:], ("pooled", "vertical", "threshold"), strict=True):
        average = getattr(first, name)
        np.testing.assert_array_equal(line_named(axes, name).get_xydata(), np.c_[average.fpr, average.tpr])
        assert f"AUC {average.auc:.3f}" in line_named(axes, name).get_label()
        assert axes.get_aspect() == 1
        assert first.points[name] in marks(axes)


def test_figure_1_marks_thresholds_in_the_colours_of_their_points(first, drawn_1) -> None:
    well, poorly, pool = drawn_1.axes[:3]
    for axes in (well, poorly, pool):
        upright = [line for line in axes.lines if line.get_xdata()[0] == first.shared_threshold]
        assert [to_hex(line.get_color()) for line in upright] == [VERMILLION.lower()]
    own = [line for line in poorly.lines if line.get_xdata()[0] == first.own_threshold]
    assert len(own) == 1
    vertical = drawn_1.axes[4]
    split = [line for line in vertical.lines if line.get_fillstyle() == "left"]
    assert [tuple(line.get_xydata()[0]) for line in split] == [first.points["vertical"]]


def test_densities_have_area_one() -> None:
    grid = np.linspace(1e-5, 1 - 1e-5, 20_001)
    density = density_of_shares(np.random.default_rng(1).uniform(0.05, 0.95, 80), grid)
    assert np.sum(density) * (grid[1] - grid[0]) == pytest.approx(1, abs=0.01)


def test_figure_2_draws_curves_averages_and_intervals(panels, drawn_2) -> None:
    assert len(drawn_2.axes) == 6
    for column, panel in enumerate(panels):
        for row in range(2):
            axes = drawn_2.axes[3 * row + column]
            assert sum(line.get_label() == "_curve" for line in axes.lines) == len(panel.curves)
            for name, colour in (("vertical", BLUE), ("threshold", VERMILLION)):
                line, average = line_named(axes, name), getattr(panel, name)
                np.testing.assert_array_equal(line.get_xydata(), np.c_[average.fpr, average.tpr])
                assert to_hex(line.get_color()) == colour.lower()
            assert axes.get_xlim() == (0, 1 if row == 0 else ZOOM)
            assert len(axes.collections) == 3  # the band and the bars in both directions


def test_bars_are_normal_95_percent_intervals(panels, drawn_2) -> None:
    panel, axes = panels[1], drawn_2.axes[4]
    across, upright = (bars.get_segments() for bars in axes.collections[1:])
    rates = panel.threshold.rates_at(panel.population.threshold_at(0.1))
    widths = [segment[1, 0] - segment[0, 0] for segment in across if np.isclose(segment[0, 1], rates.tpr)]
    heights = [segment[1, 1] - segment[0, 1] for segment in upright if np.isclose(segment[0, 0], rates.fpr)]
    assert widths == pytest.approx([2 * 1.959964 * rates.fpr_standard_error])
    assert heights == pytest.approx([2 * 1.959964 * rates.tpr_standard_error])


def test_drawing_leaves_settings_and_windows_alone(first) -> None:
    before = dict(mpl.rcParams)
    text = rendered(draw_figure_1(first), "svg").decode()
    assert dict(mpl.rcParams) == before
    assert "pooled, AUC" in text  # text stays text
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or pyplot.get_fignums() == []


def test_the_same_figure_is_the_same_file(first) -> None:
    for kind in ("png", "pdf", "svg"):
        assert rendered(draw_figure_1(first), kind) == rendered(draw_figure_1(first), kind)


def test_without_matplotlib_the_message_says_what_to_install(first, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingPackageError, match="RS061") as caught:
        draw_figure_1(first)
    assert "rocsteady[plot]" in str(caught.value)
