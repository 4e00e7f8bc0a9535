"""Scores of both classes beside their curve: bars are shares, a threshold is at one place in both."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from matplotlib.figure import Figure

import rocsteady as rs
from rocsteady.curves.densities import score_densities
from rocsteady.errors import UsageError
from rocsteady.plots.densities import densities

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")
INF = float("inf")


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(2)
    labels = rng.random(400) < 0.4
    return labels, rng.normal(size=400) + 1.5 * labels


@pytest.fixture(scope="module")
def spread(rows):
    return score_densities(*rows)


def labelled(artists, label: str) -> list:
    return [each for each in artists if each.get_label() == label]


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_bars_are_shares_up_and_down(spread) -> None:
    scores, _ = densities(spread)
    (up,), (down,) = (labelled(scores.patches, name) for name in ("_positives", "_negatives"))
    np.testing.assert_array_equal(up.get_data().values, spread.positive_share)
    np.testing.assert_array_equal(down.get_data().values, -spread.negative_share)
    np.testing.assert_array_equal(up.get_data().edges, [*spread.low, spread.high[-1]])
    assert down.get_hatch()
    assert not up.get_hatch()
    assert not labelled(scores.lines, "_threshold")


def test_a_threshold_is_at_one_place_in_both(spread) -> None:
    scores, curve = densities(spread, thresholds=[0.5, 1.5])
    assert [line.get_xdata()[0] for line in labelled(scores.lines, "_threshold")] == [0.5, 1.5]
    rates = spread.rates_at([0.5, 1.5])
    marks = labelled(curve.lines, "_point")
    np.testing.assert_array_equal([mark.get_xydata()[0] for mark in marks], np.c_[rates.fpr, rates.tpr])
    (line,) = labelled(curve.lines, "_average")
    np.testing.assert_array_equal(line.get_xydata(), np.c_[spread.curve.fpr, spread.curve.tpr])
    assert len({(mark.get_marker(), mark.get_markerfacecolor()) for mark in marks}) == 2
    for above, mark in zip(labelled(scores.lines, "_point"), marks, strict=True):
        assert above.get_marker() == mark.get_marker()
    assert not labelled(scores.patches, "_called")  # shaded is only one
    assert texts(curve)[0] == "score ≥ 0.5"
    assert texts(curve)[-1] == f"curve, AUC {spread.curve.auc:.3f}"
    assert curve.get_aspect() == 1
    assert (curve.get_xlim(), curve.get_ylim()) == ((0, 1), (0, 1))


def test_the_side_called_positive_is_shaded(rows) -> None:
    labels, values = rows
    for higher in (True, False):
        given = score_densities(labels, values if higher else -values, higher_is_positive=higher)
        cut = 1.0 if higher else -1.0
        scores, curve = densities(given, thresholds=cut)
        (shade,) = labelled(scores.patches, "_called")
        box = shade.get_path().get_extents(shade.get_patch_transform())
        left, right = scores.get_xlim()
        assert (box.x0, box.x1) == ((cut, right) if higher else (left, cut))
        assert texts(curve)[0] == ("score ≥ 1" if higher else "score ≤ -1")
        assert "shaded: called positive" in texts(scores)
        assert ("high" if higher else "low") in scores.get_xlabel()
        assert left < right


def test_single_values_are_bars_and_the_line_stands_before_its_value() -> None:
    ratings = score_densities([1, 1, 1, 0, 0, 0], [5, 4, 4, 4, 2, 1])
    scores, curve = densities(ratings, thresholds=4)
    up, down = scores.containers
    np.testing.assert_allclose([bar.get_height() for bar in up], ratings.positive_share)
    np.testing.assert_allclose([bar.get_height() for bar in down], -ratings.negative_share)
    np.testing.assert_allclose([bar.get_x() + bar.get_width() / 2 for bar in up], ratings.low)
    assert labelled(scores.lines, "_threshold")[0].get_xdata()[0] == 3.5
    np.testing.assert_array_equal(labelled(curve.lines, "_point")[0].get_xydata(), [[1 / 3, 1]])
    alone = densities(score_densities([1, 1, 0], [5, 5, 5]), thresholds=5, curve=False)
    assert labelled(alone.lines, "_threshold")[0].get_xdata()[0] == 4.5


def test_a_code_for_missing_does_not_squeeze_the_ratings() -> None:
    coded = score_densities(np.arange(60) % 2, np.tile([1, 2, 3, 4, 5, 999], 10))
    scores, _ = densities(coded, thresholds=[4, 500])
    assert [bar.get_x() + bar.get_width() / 2 for bar in scores.containers[0]] == pytest.approx(range(6))
    first, second = (line.get_xdata()[0] for line in labelled(scores.lines, "_threshold"))
    assert first == 2.5
    assert 4 < second < 5
    ticks = scores.xaxis.get_major_formatter()
    assert [ticks(x) for x in scores.get_xticks()] == ["1", "2", "3", "4", "5", "999"]


def test_what_lies_outside_is_said(rows) -> None:
    labels, values = rows
    values = values.copy()
    values[:3] = [INF, -INF, 1e9]
    scores, _ = densities(score_densities(labels, values), thresholds=[50.0, INF])
    assert sum(text.startswith("outside: 1 ") for text in texts(scores)) == 3
    assert not labelled(scores.lines, "_threshold")
    assert texts(scores)[-2:] == ["beyond the bars: score ≥ 50", "beyond the bars: score ≥ ∞"]
    scores, curve = densities(score_densities([1, 0], [INF, -INF]), thresholds=INF)
    assert texts(curve)[0] == "score ≥ ∞"
    assert [text.get_text() for text in scores.texts] == ["no score has a finite place"]


def test_uneven_bins_are_densities(rows) -> None:
    spread = score_densities(*rows, bins=[-4, 0, 1, 6])
    scores, _ = densities(spread)
    (up,) = labelled(scores.patches, "_positives")
    np.testing.assert_array_equal(up.get_data().values, spread.positive_density)
    assert scores.get_ylabel() == "density"


@pytest.mark.parametrize(("scale", "name"), [("log", "log"), ("log-odds", "logit")])
def test_scales_are_those_of_the_bins(rows, scale, name) -> None:
    labels, values = rows
    values = np.exp(values) if scale == "log" else 1 / (1 + np.exp(-5 * values))
    scores, _ = densities(score_densities(labels, values, scale=scale), thresholds=0.5)
    assert scores.get_xscale() == name
    scores.figure.draw_without_rendering()


def test_groups_are_named_and_counted(rows) -> None:
    labels, values = rows
    words = np.where(labels, "attack", "normal")
    hosts = rs.ScoreSet.from_arrays(words, values, np.arange(400) % 5, positive="attack", unit="host")
    scores, curve = densities(score_densities(hosts, per_group=True), thresholds=1.0)
    assert texts(scores)[:3] == [
        f"attack cases, up ({labels.sum()})",
        f"normal cases, down ({400 - labels.sum()})",
        "5 hosts, each counting once",
    ]
    assert texts(curve)[-1].startswith("threshold average, AUC ")
    _, curve = densities(score_densities(hosts), thresholds=1.0)
    assert texts(curve)[-1].startswith("pooled curve, AUC ")


def test_a_cutoff_is_a_threshold(spread) -> None:
    cutoff = rs.choose_cutoff(spread.curve, "youden")
    scores, curve = densities(spread, thresholds=cutoff)
    assert labelled(scores.lines, "_threshold")[0].get_xdata()[0] == cutoff.threshold
    np.testing.assert_array_equal(labelled(curve.lines, "_point")[0].get_xydata(), [[cutoff.fpr, cutoff.tpr]])


def test_both_axes_are_one_picture_that_can_be_sent(spread) -> None:
    pair = densities(spread, thresholds=1.0)
    assert isinstance(pair, tuple)
    png, size = pair._repr_png_()
    assert png.startswith(b"\x89PNG")
    assert size["width"] > size["height"]
    again = pickle.loads(pickle.dumps(pair[0].figure))
    assert len(again.axes) == 2


def test_axes_may_be_given(spread) -> None:
    figure = Figure()
    pair = figure.subplots(1, 2)
    assert densities(spread, ax=pair) == tuple(pair)
    single = figure.add_subplot()
    assert densities(spread, curve=False, thresholds=1.0, ax=single) is single
    assert texts(single)[0] == "score ≥ 1"
    for wrong in (single, pair[:1], "axes"):
        with pytest.raises(UsageError, match="RS002"):
            densities(spread, ax=wrong)
    with pytest.raises(UsageError, match="RS002"):
        densities(spread.curve)
    for wrong in ([1, 2, 3, 4, 5], "0.5", np.nan):
        with pytest.raises(UsageError, match="RS042"):
            densities(spread, thresholds=wrong)
