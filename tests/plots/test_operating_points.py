"""Figures of operating points draw the numbers of the table, say what bars are, and touch nothing global."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import rocsteady as rs
from rocsteady import plots
from rocsteady.errors import UsageError
from rocsteady.plots.operating_points import MOST_BARS
from rocsteady.plots.parts.style import VERMILLION
from rocsteady.points.measures import Cost
from rocsteady.points.tables import average_operating_points

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")


def scores(n_folds: int = 6, seed: int = 0, n: int = 240) -> rs.ScoreSet:
    rng = np.random.default_rng(seed)
    labels, folds = np.tile([0, 1], n // 2), np.repeat(np.arange(n_folds), n // n_folds)
    return rs.ScoreSet.from_arrays(labels, rng.normal(size=n) + 1.5 * labels, folds, unit="fold")


@pytest.fixture(scope="module")
def table():
    return average_operating_points(scores(), thresholds=12)


@pytest.fixture(scope="module")
def comparison(table):
    return table.compare_to(table.nearest(tpr=0.8), "fpr", test_train_ratio=1 / (table.n_folds - 1))


def line(axes, label: str):
    (found,) = [each for each in axes.lines if str(each.get_label()).startswith(label)]
    return found


def xy(axes, label: str) -> np.ndarray:
    return np.asarray(line(axes, label).get_xydata())


def half_lengths(axes) -> tuple[np.ndarray, np.ndarray]:
    """Of the bars across and upright; a bar that is not drawn has none."""
    across, upright = axes.collections
    return tuple(
        np.array(
            [np.ptp(segment[:, axis]) / 2 if len(segment) else np.nan for segment in bars.get_segments()]
        )
        for axis, bars in enumerate((across, upright))
    )


MEASURES = st.sampled_from(["fpr", "tpr", "recall", "precision", "accuracy", "mcc", "alarm_rate", "f1"])


@settings(max_examples=8)
@given(x=MEASURES, y=MEASURES)
def test_any_measure_against_any_other_is_what_the_table_holds(x: str, y: str) -> None:
    own = average_operating_points(scores(), thresholds=12)
    axes = plots.operating_points(own, x, y)
    across, up = own.measure(x), own.measure(y)
    np.testing.assert_array_equal(xy(axes, "operating points"), np.c_[across.mean, up.mean])
    drawn = np.isfinite(across.mean) & np.isfinite(up.mean)
    for lengths, measure in zip(half_lengths(axes), (across, up), strict=True):
        wanted = np.where(drawn, measure.standard_error, np.nan)
        np.testing.assert_allclose(lengths, wanted, atol=1e-12)


def test_a_cost_and_a_function_are_measures_too(table) -> None:
    cost = Cost(false_positive=1, false_negative=5)
    axes = plots.operating_points(table, "alarm_rate", cost)
    np.testing.assert_array_equal(xy(axes, "operating points")[:, 1], table.measure(cost).mean)
    assert axes.get_ylabel() == "cost (1 : 5)"
    assert axes.get_xlabel() == "share called positive"
    assert axes.get_xlim() == (0, 1)
    assert axes.get_ylim() != (0, 1)

    def missed(c):
        return c.fn / c.positives

    axes = plots.operating_points(table, "fpr", missed)
    np.testing.assert_array_equal(xy(axes, "operating points")[:, 1], table.measure("fnr").mean)


def test_the_chosen_point_is_a_cross_and_its_like_are_circled(table, comparison) -> None:
    axes = plots.operating_points(table, comparison=comparison)
    points = np.c_[table.measure("fpr").mean, table.measure("tpr").mean]
    cross = line(axes, "chosen")
    assert cross.get_marker() == "X"
    np.testing.assert_array_equal(cross.get_xydata(), points[[comparison.index]])
    others = comparison.indistinguishable.copy()
    others[comparison.index] = False
    assert others.any()
    circles = line(axes, "FPR not told apart")
    np.testing.assert_array_equal(circles.get_xydata(), points[others])
    assert to_hex(circles.get_markeredgecolor()) == VERMILLION.lower()
    assert circles.get_markerfacecolor() == "none"
    assert f"at 5 %: {others.sum()} of {len(points) - 1}" in circles.get_label()


def test_a_comparison_knows_its_table(table, comparison) -> None:
    for axes in (comparison.plot(words="medical"), plots.operating_points(comparison, words="medical")):
        expected = plots.operating_points(table, comparison=comparison)
        np.testing.assert_array_equal(xy(axes, "chosen"), xy(expected, "chosen"))
        assert axes.get_ylabel() == "sensitivity (true positive rate)"
        assert line(axes, "chosen").get_label().startswith("chosen: 1 - specificity 0.")
    assert plots.operating_points(table, "tnr", "fnr", words="medical").get_xlabel().startswith("specificity")
    with pytest.raises(UsageError, match="RS001"):
        plots.operating_points(table, words="optics")


def test_the_key_says_what_bars_are_and_over_how_many_folds(table) -> None:
    def heading(**options) -> str:
        return plots.operating_points(table, **options).get_legend().get_title().get_text()

    assert heading() == "mean of 6 folds, bars: ±1 standard error"
    assert heading(bars="interval", confidence_level=0.9) == "mean of 6 folds, bars: 90 % (t, pointwise)"
    assert heading(bars="none") == "mean of 6 folds"


def test_intervals_are_those_of_the_table(table) -> None:
    axes = plots.operating_points(table, bars="interval", confidence_level=0.9)
    for lengths, name in zip(half_lengths(axes), ("fpr", "tpr"), strict=True):
        own = table.measure(name).interval(0.9)
        np.testing.assert_allclose(lengths, (own.high - own.low) / 2, atol=1e-12)
    assert not plots.operating_points(table, bars="none").collections


def test_a_roc_plot_is_square_from_0_to_1_with_the_chance_line(table) -> None:
    axes = plots.operating_points(table, title="here")
    assert axes.get_aspect() == 1
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1), (0, 1))
    np.testing.assert_array_equal(xy(axes, "_chance"), [[0, 0], [1, 1]])
    assert axes.get_title(loc="left") == "here"
    assert not any(
        str(each.get_label()) == "_chance"
        for each in plots.operating_points(table, "recall", "precision").lines
    )


def test_of_many_points_some_have_bars_and_all_are_on_the_line() -> None:
    dense = average_operating_points(scores())
    comparison = dense.compare_to(dense.nearest(tpr=0.8), "fpr", test_train_ratio=1 / (dense.n_folds - 1))
    axes = plots.operating_points(dense, comparison=comparison)
    assert len(xy(axes, "_line")) == dense.n_points
    marked = xy(axes, "operating points")
    assert len(marked) == MOST_BARS
    assert f"({MOST_BARS} of {dense.n_points} marked)" in line(axes, "operating points").get_label()
    assert all(len(lengths) == MOST_BARS for lengths in half_lengths(axes))
    like = line(axes, "FPR not told apart")
    assert len(like.get_xydata()) == comparison.indistinguishable.sum() - 1
    assert like.get_markerfacecolor() != "none"


def test_axes_that_are_given_are_drawn_on_and_sizes_follow_the_text(table, comparison) -> None:
    axes = Figure().add_subplot()
    assert plots.operating_points(table, comparison=comparison, ax=axes, text_size=16) is axes
    assert axes.xaxis.label.get_fontsize() == 16
    small = plots.operating_points(table, comparison=comparison)
    assert line(axes, "chosen").get_markersize() == 2 * line(small, "chosen").get_markersize()
    assert small.figure.get_size_inches()[0] == pytest.approx(8.5 / 2.54)


def test_what_cannot_be_drawn_is_said(table) -> None:
    with pytest.raises(UsageError, match="RS002") as caught:
        plots.operating_points(table, "class_error")
    assert "class_errors" in str(caught.value)
    with pytest.raises(UsageError, match="RS001"):
        plots.operating_points(table, bars="sd")
    with pytest.raises(UsageError, match="RS042"):
        plots.operating_points(table, bars="interval", confidence_level=95)


def test_marked_points_have_both_intervals_and_a_region(table) -> None:
    places = [table.nearest(fpr=0.2), -2]
    axes = plots.operating_points(table, at=places, ellipse=0.9, bars="none")
    pair = table.between("fpr", "tpr")
    bars = [each.get_xydata() for each in axes.lines if each.get_label() == "_interval"]
    regions = [patch.get_xy() for patch in axes.patches if patch.get_label() == "_ellipse"]
    assert (len(bars), len(regions)) == (4, 2)
    for k, place in enumerate(places):
        x, y = pair.x.mean[place], pair.y.mean[place]
        across, up = pair.x.interval(), pair.y.interval()
        np.testing.assert_array_equal(bars[2 * k], [[across.low[place], y], [across.high[place], y]])
        np.testing.assert_array_equal(bars[2 * k + 1], [[x, up.low[place]], [x, up.high[place]]])
        found = pair.ellipse(place, 0.9)
        np.testing.assert_array_equal(regions[k][: found.x.size], np.c_[found.x, found.y])
        sign = f"≥ {table.thresholds[place]:.4g}: FPR {x:.3f}, TPR {y:.3f}"
        np.testing.assert_array_equal(xy(axes, sign), [[x, y]])
    heading = axes.get_legend().get_title().get_text()
    assert heading == "mean of 6 folds, black bars: 95 % (t)\nellipse: 90 %, both at once"


def test_the_chosen_point_may_have_the_region(table, comparison) -> None:
    axes = plots.operating_points(table, "recall", "precision", comparison=comparison, ellipse=0.95)
    (region,) = [patch.get_xy() for patch in axes.patches if patch.get_label() == "_ellipse"]
    found = table.between("recall", "precision").ellipse(comparison.index)
    np.testing.assert_array_equal(region[: found.x.size], np.c_[found.x, found.y])


def test_points_and_levels_that_there_are_not(table) -> None:
    for code, options in (
        ("RS042", {"at": 99}),
        ("RS042", {"at": [1.5]}),
        ("RS042", {"at": "eer"}),
        ("RS042", {"at": range(6)}),
        ("RS042", {"at": 3, "ellipse": 95}),
        ("RS002", {"ellipse": 0.95}),
    ):
        with pytest.raises(UsageError, match=code):
            plots.operating_points(table, **options)


def test_two_folds_have_bars_and_no_region() -> None:
    few = average_operating_points(scores(n_folds=2), thresholds=12)
    axes = plots.operating_points(few, at=4, ellipse=0.95)
    assert len([each for each in axes.lines if each.get_label() == "_interval"]) == 2
    assert not [patch for patch in axes.patches if patch.get_label() == "_ellipse"]


def test_a_key_beside_other_measures_stands_below_the_axes(table) -> None:
    axes = plots.operating_points(table, "alarm_rate", Cost(false_positive=1, false_negative=5))
    axes.figure.draw_without_rendering()
    key, box = axes.get_legend().get_window_extent(), axes.get_window_extent()
    assert key.y1 < box.y0
