"""A forest draws the numbers of the summary: every group's own interval, the diamond, what is expected."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.inference.summaries.results import AucSummary
from rocsteady.plots.forest import MOST_NAMED, forest
from rocsteady.simulate import ShiftedDatasets

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib"),
    pytest.mark.filterwarnings("ignore:RS28[5-9]", "ignore:RS151"),
]

SITES = ShiftedDatasets("C-1", separation=1.2, separation_sd=0.4)


@pytest.fixture(scope="module")
def sites() -> rs.ScoreSet:
    sizes = np.random.default_rng(0).integers(12, 120, 9)
    drawn = [SITES.draw(1, int(n), int(2 * n), seed=k)[0] for k, n in enumerate(sizes)]
    names = ["Århus", "cost $5_a$", "WWWWWWWWWWWWWWWWWWWWWWWW", "a\nb", "</script>", *"vwxyz"][:9]
    return rs.ScoreSet.from_folds(
        [(own.is_positive, own.scores) for own in drawn], names=names, unit="site", design="independent"
    )


@pytest.fixture(scope="module")
def summary(sites) -> AucSummary:
    return rs.summarize_auc(sites, "random-effects")


@pytest.fixture(scope="module")
def drawn(summary):
    """The figure of that summary; nobody changes it."""
    return forest(summary)


def line(axes, label: str) -> np.ndarray:
    (found,) = [
        each for each in axes.lines if str(each.get_label()).startswith(label) and len(each.get_xdata())
    ]
    return np.asarray(found.get_xydata())


def collection(axes, label: str):
    (found,) = [each for each in axes.collections if each.get_label() == label]
    return found


def rows(axes) -> dict[str, str]:
    """What is written left and right of each line."""
    texts = [text for text in axes.texts if text.get_text()]
    left = {text.get_position()[1]: text.get_text() for text in texts if text.get_ha() == "left"}
    return {left[text.get_position()[1]]: text.get_text() for text in texts if text.get_ha() == "right"}


def test_squares_and_intervals_are_those_of_the_groups(sites, summary, drawn) -> None:
    axes, own = drawn, summary.per_group
    squares = collection(axes, "_aucs")
    np.testing.assert_array_equal(squares.get_offsets()[:, 0], own.auc)
    np.testing.assert_allclose(squares.get_sizes() / squares.get_sizes().max(), own.weight / own.weight.max())
    ends = np.array([segment[:, 0] for segment in collection(axes, "_intervals").get_segments()])
    limits = [curve.auc_interval() for curve in rs.roc_curves(sites)]
    np.testing.assert_allclose(ends, [(found.low, found.high) for found in limits], rtol=1e-12)
    assert (np.diff(squares.get_offsets()[:, 1]) == -1).all()  # the first one on top


def test_the_diamond_and_the_line_are_those_of_the_summary(summary, drawn) -> None:
    axes = drawn
    (diamond,) = axes.patches
    corners = diamond.get_xy()[:4, 0]
    found, wide = summary.interval, summary.prediction_interval
    np.testing.assert_array_equal(corners, [found.low, summary.estimate, found.high, summary.estimate])
    np.testing.assert_array_equal(
        line(axes, "where the true AUC of another site")[:, 0], [wide.low, wide.high]
    )
    np.testing.assert_array_equal(line(axes, "_estimate")[:, 0], [summary.estimate] * 2)


def test_names_and_numbers_stand_beside_their_lines(summary, drawn) -> None:
    own, written = summary.per_group, rows(drawn)
    first = f"{own.auc[0]:.3f} ({own.interval.low[0]:.3f} to {own.interval.high[0]:.3f})"
    assert written["Århus"] == first
    found, wide = summary.interval, summary.prediction_interval
    assert written["random effects"] == f"{summary.estimate:.3f} ({found.low:.3f} to {found.high:.3f})"
    assert written["another site"] == f"{wide.low:.3f} to {wide.high:.3f}"
    assert r"cost \$5_a\$" in written  # no formula
    assert r"a\nb" in written  # one line
    assert not any(name.startswith("W" * 16) for name in written)  # cut by its width
    assert rows(forest(summary, numbers=False)) == {}


def test_the_key_says_how_much_the_groups_differ(summary, drawn) -> None:
    key = drawn.get_legend()
    assert key.get_title().get_text().splitlines() == [
        "random effects (REML), 9 sites",
        f"tau {summary.tau:.2g} (logits), I² {100 * summary.i_squared:.1f} %, "
        f"p {'< 0.0001' if summary.heterogeneity_pvalue < 1e-4 else f'= {summary.heterogeneity_pvalue:.2g}'}",
    ]
    assert key.get_texts()[0].get_text() == "each site, 95 % interval; area: what it counts"


def test_other_summaries_have_a_mean_and_may_have_no_prediction(sites) -> None:
    axes = forest(rs.summarize_auc(sites))
    assert axes.get_legend().get_title().get_text() == "mean of 9 sites, Student's t"
    assert {"mean", "another site"} <= set(rows(axes))
    assert "area" not in axes.get_legend().get_texts()[0].get_text()  # all count the same
    by_cases = forest(rs.summarize_auc(sites, "cv-influence"))
    assert "another site" not in rows(by_cases)
    assert len(by_cases.get_legend().get_texts()) == 1


@pytest.mark.parametrize("order", ["auc", "weight"])
def test_groups_may_be_sorted(summary, order) -> None:
    axes, own = forest(summary, order=order), summary.per_group
    values = own.auc if order == "auc" else own.weight
    drawn = collection(axes, "_aucs").get_offsets()[:, 0]
    np.testing.assert_array_equal(drawn, own.auc[np.argsort(-values, kind="stable")])


def test_very_many_groups_are_a_sorted_picture_without_names() -> None:
    many = rs.summarize_auc(SITES.draw(1200, 5, 5, seed=2, unit="customer"), "random-effects")
    axes = forest(many)
    assert not axes.texts
    assert axes.get_ylabel() == "1 200 customers"
    drawn = collection(axes, "_aucs")
    np.testing.assert_array_equal(drawn.get_offsets()[:, 0], np.sort(many.per_group.auc)[::-1])
    assert drawn.get_rasterized()
    assert collection(axes, "_intervals").get_rasterized()
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    assert (
        words[1]
        == f"random effects {many.estimate:.3f} ({many.interval.low:.3f} to {many.interval.high:.3f})"
    )
    some = rs.summarize_auc(SITES.draw(MOST_NAMED, 9, 9, seed=2), "random-effects")
    assert len(rows(forest(some))) == MOST_NAMED + 2


def test_a_group_without_an_interval_is_a_square_and_counted() -> None:
    pairs = [([1, 0, 0, 0], [3, 1, 4, 2]), ([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [4, 1, 3, 2])]
    summary = rs.summarize_auc(rs.ScoreSet.from_folds(pairs, design="independent"), "random-effects")
    known = summary.per_group.interval
    limits = ([np.nan, *own[1:]] for own in (known.low, known.high))
    unknown = replace(known, **dict(zip(("low", "high"), map(np.array, limits), strict=True)))
    axes = forest(replace(summary, per_group=replace(summary.per_group, interval=unknown)))
    assert len(collection(axes, "_intervals").get_segments()) == 2
    assert len(collection(axes, "_aucs").get_offsets()) == 3
    assert "; 1 without one" in axes.get_legend().get_texts()[0].get_text()
    assert next(iter(rows(axes).values())) == "0.667"


def test_limits_that_no_auc_has_do_not_stretch_the_axis() -> None:
    pairs = [([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])]
    summary = rs.summarize_auc(rs.ScoreSet.from_folds(pairs, design="independent"), scale="linear")
    assert summary.interval.high > 1
    axes = forest(summary)
    low, high = axes.spines["bottom"].get_bounds()
    assert -0.05 < low < high < 1.05
    assert max(axes.get_xticks()) <= 1


@pytest.mark.parametrize("text_size", [8.0, 16.0])
def test_texts_and_lines_do_not_cover_each_other(summary, text_size) -> None:
    axes = forest(summary, title="here", text_size=text_size)
    axes.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in [*axes.texts, *axes.get_legend().get_texts()]]
    assert not [1 for one, two in itertools.combinations(boxes, 2) if one.padded(-1).overlaps(two.padded(-1))]
    page = axes.figure.bbox.padded(1)
    assert all(page.contains(*box.min) and page.contains(*box.max) for box in boxes)
    low, high = (axes.transData.transform((x, 0))[0] for x in axes.spines["bottom"].get_bounds())
    names = [text for text in axes.texts if text.get_ha() == "left"]
    numbers = [text for text in axes.texts if text.get_ha() == "right"]
    assert max(text.get_window_extent().x1 for text in names) < low + 4
    assert min(text.get_window_extent().x0 for text in numbers) > high - 4


def test_axes_that_are_given_are_drawn_on(summary) -> None:
    axes = Figure(figsize=(6, 5)).add_subplot()
    assert forest(summary, ax=axes, title="here", text_size=10) is axes
    assert axes.get_title(loc="left") == "here"
    assert axes.xaxis.label.get_fontsize() == 10


@pytest.mark.parametrize("dpi", [80, 200])
def test_the_key_stays_in_a_figure_that_has_no_layout(summary, dpi) -> None:
    figure = Figure(figsize=(9, 4.2), dpi=dpi)
    left, right = figure.subplots(1, 2)
    rs.plot.forest(summary, ax=left)
    rs.plot.smroc(rs.smroc_curve([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]), ax=right)
    figure.draw_without_rendering()
    for axes in (left, right):
        assert axes.get_legend().get_window_extent().y0 > 0
        assert axes.xaxis.label.get_window_extent().y0 > axes.get_legend().get_window_extent().y1
        assert axes.get_position().height > 0.3


def test_panels_may_have_one_scale(summary) -> None:
    limits = (0.7, 0.85)
    axes = forest(summary, limits=limits)
    assert axes.spines["bottom"].get_bounds() == pytest.approx((0.6955, 0.8545))
    own = summary.per_group
    inside = (own.auc >= 0.6955) & (own.auc <= 0.8545)
    assert 0 < inside.sum() < len(own)
    np.testing.assert_array_equal(collection(axes, "_aucs").get_offsets()[:, 0], own.auc[inside])
    ends = np.array(collection(axes, "_intervals").get_segments())[..., 0]
    assert (ends.min(), ends.max()) == pytest.approx((0.6955, 0.8545))
    assert len(rows(axes)) == len(own) + 2  # the numbers are all there
    for wrong in ((0.8, 0.7), 0.5, (0.5, 1.2), "all"):
        with pytest.raises(UsageError, match="RS042"):
            forest(summary, limits=wrong)
    with pytest.raises(UsageError, match="RS001"):
        forest(summary, words="optics")


def test_numbers_keep_off_the_panel_beside_them(summary) -> None:
    left, right = Figure(figsize=(7, 4), layout="constrained").subplots(1, 2)
    for axes in (left, right):
        forest(summary, ax=axes)
    left.figure.draw_without_rendering()
    gap = min(text.get_window_extent().x0 for text in right.texts if text.get_text())
    gap -= max(text.get_window_extent().x1 for text in left.texts if text.get_text())
    assert gap * 72 / left.figure.dpi > 8  # points, a letter and more


def test_what_is_no_summary_is_refused(sites, summary) -> None:
    for wrong in (sites, summary.per_group, None, 3):
        with pytest.raises(UsageError, match="RS002") as caught:
            forest(wrong)
        assert "summarize_auc" in str(caught.value)
    with pytest.raises(UsageError, match="RS001"):
        forest(summary, order="name")
    with pytest.raises(UsageError, match="RS001"):
        forest(summary, numbers="no")
    with pytest.raises(UsageError, match="RS042"):
        forest(summary, text_size=0)
