"""A curve with its cut-offs: the marks are the cut-offs' rates, the guides are what criteria mean."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from rocsteady import plots
from rocsteady.errors import UsageError
from rocsteady.operating_points.cutoffs.choosing import choose_cutoff
from rocsteady.operating_points.cutoffs.criteria import MinimumCost, TargetRate

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")
CRITERIA = (
    "youden",
    "closest",
    "eer",
    MinimumCost(false_positive=1, false_negative=5),
    TargetRate(fpr=0.1),
)


@pytest.fixture(scope="module")
def curve():
    rng = np.random.default_rng(3)
    labels = np.arange(200) % 2
    return rs.roc_curve(labels, rng.normal(size=200) + 1.3 * labels)


@pytest.fixture(scope="module")
def chosen(curve):
    return [choose_cutoff(curve, criterion) for criterion in CRITERIA]


def lines(axes, label: str) -> list:
    return [each for each in axes.lines if str(each.get_label()).startswith(label)]


def test_curve_and_cutoffs_are_where_they_are(curve, chosen) -> None:
    axes = plots.cutoffs(curve, chosen)
    np.testing.assert_array_equal(lines(axes, "_curve")[0].get_xydata(), np.c_[curve.fpr, curve.tpr])
    names = [text.get_text().split(":")[0] for text in axes.get_legend().get_texts()]
    assert names == ["Youden", "closest", "equal errors", "cost 1 ", "FPR up to 0.1"]
    marks = [each for each in axes.lines if not str(each.get_label()).startswith("_")]
    np.testing.assert_array_equal([mark.get_xydata()[0] for mark in marks], [[c.fpr, c.tpr] for c in chosen])
    assert len({(mark.get_color(), mark.get_marker()) for mark in marks}) == len(chosen)
    for mark, cutoff in zip(marks, chosen, strict=True):
        assert mark.get_label().endswith(f"≥ {cutoff.threshold:.4g}")


def test_the_guides_show_what_was_optimised(curve, chosen) -> None:
    axes = plots.cutoffs(curve, chosen)
    tangent, to_corner, falling = lines(axes, "_guide")
    assert (tangent.get_slope(), tangent.get_xy1()) == (1, (chosen[0].fpr, chosen[0].tpr))
    np.testing.assert_array_equal(to_corner.get_xydata(), [[0, 1], [chosen[1].fpr, chosen[1].tpr]])
    assert (falling.get_slope(), falling.get_xy1()) == (-1, (0, 1))


def test_intervals_are_bars(curve, chosen) -> None:
    own = chosen[0].intervals(confidence_level=0.9, n_resamples=200)
    axes = plots.cutoffs(curve, chosen[:1], intervals=[own])
    across, upright = (line.get_xydata() for line in lines(axes, "_interval"))
    np.testing.assert_array_equal(across, [[own.fpr.low, chosen[0].tpr], [own.fpr.high, chosen[0].tpr]])
    np.testing.assert_array_equal(upright, [[chosen[0].fpr, own.tpr.low], [chosen[0].fpr, own.tpr.high]])
    assert axes.get_legend().get_title().get_text() == "called positive; bars: 90 %"


def test_a_rate_that_is_held_has_no_bar(curve, chosen) -> None:
    own = chosen[4].intervals(n_resamples=200)
    assert own.fpr is None
    (bar,) = lines(plots.cutoffs(curve, chosen[4:], intervals=[own]), "_interval")
    np.testing.assert_array_equal(bar.get_ydata(), [own.tpr.low, own.tpr.high])


def test_no_mark_hides_another() -> None:
    """Youden's and the closest point are one: a filled mark, and an open one around it."""
    curve = rs.roc_curve([1] * 5 + [0] * 5, [9, 8, 7, 6, 3.5, 5, 4, 3, 2, 0])
    several = [choose_cutoff(curve, criterion) for criterion in ("youden", "closest", "youden", CRITERIA[3])]
    assert len({(one.fpr, one.tpr) for one in several}) == 2
    axes = plots.cutoffs(curve, several, intervals=[several[0].intervals(n_resamples=100)] * 4)
    first, second, third, alone = (each for each in axes.lines if not str(each.get_label()).startswith("_"))
    assert first.get_markersize() < second.get_markersize() < third.get_markersize()
    assert first.get_markerfacecolor() != "none"
    assert second.get_markerfacecolor() == third.get_markerfacecolor() == "none"
    assert (alone.get_markersize(), alone.get_markerfacecolor() == "none") == (first.get_markersize(), False)
    assert len({mark.get_markeredgecolor() for mark in (first, second, third)}) == 3
    bars = lines(axes, "_interval")
    assert [bar.get_linewidth() for bar in bars[:3:2]] == sorted({bar.get_linewidth() for bar in bars[:3:2]})
    assert bars[0].get_zorder() > bars[2].get_zorder()
    in_key = {line.get_markersize() for line in axes.get_legend().get_lines()}
    assert in_key == {first.get_markersize()}


def test_what_does_not_fit_is_refused(curve, chosen) -> None:
    for wrong in ([], [chosen[0]] * 6):
        with pytest.raises(UsageError, match="RS042"):
            plots.cutoffs(curve, wrong)
    with pytest.raises(UsageError, match="RS013"):
        plots.cutoffs(curve, chosen, intervals=[])
