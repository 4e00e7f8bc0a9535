"""A curve with its cut-offs: the marks are the cut-offs' rates, the guides are what criteria mean."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from rocsteady import plots
from rocsteady.errors import UsageError
from rocsteady.points.criteria import MinimumCost, TargetRate
from rocsteady.points.cutoffs import choose_cutoff

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


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_curve_and_cutoffs_are_where_they_are(curve, chosen) -> None:
    axes = plots.cutoffs(curve, chosen)
    np.testing.assert_array_equal(lines(axes, "_average")[0].get_xydata(), np.c_[curve.fpr, curve.tpr])
    written = texts(axes)
    names = ["Youden", "closest", "equal errors", "cost 1 : 5", "FPR up to 0.1"]
    assert written[:-1:2] == [f"{n}: ≥ {c.threshold:.4g}" for n, c in zip(names, chosen, strict=True)]
    assert written[1::2] == [f"TPR {100 * c.tpr:.1f} %, FPR {100 * c.fpr:.1f} %" for c in chosen]
    found = curve.auc_interval()
    assert written[-1] == f"AUC {curve.auc:.3f} ({found.low:.3f} to {found.high:.3f})"
    marks = lines(axes, "_point")
    np.testing.assert_array_equal([mark.get_xydata()[0] for mark in marks], [[c.fpr, c.tpr] for c in chosen])
    assert len({(mark.get_color(), mark.get_marker()) for mark in marks}) == len(chosen)


def test_a_cutoff_knows_its_curve(curve, chosen) -> None:
    expected = plots.cutoffs(curve, chosen[:2])
    for axes in (plots.cutoffs(chosen[:2]), plots.cutoffs(tuple(chosen[:2]))):
        assert texts(axes) == texts(expected)
        for one, other in zip(axes.lines, expected.lines, strict=True):
            np.testing.assert_array_equal(one.get_xydata(), other.get_xydata())
    own = chosen[0].plot(words="medical")
    assert own.get_ylabel() == "sensitivity (true positive rate)"
    sensitivity, specificity = 100 * chosen[0].tpr, 100 * (1 - chosen[0].fpr)
    assert texts(own)[1] == f"sensitivity {sensitivity:.1f} %, specificity {specificity:.1f} %"
    assert chosen[0].on(curve).plot().get_xlabel() == "false positive rate"
    for wrong in (curve, [], "youden", [curve]):
        with pytest.raises(UsageError, match="RS002"):
            plots.cutoffs(wrong)


def test_targets_are_told_in_the_words_of_the_field(chosen) -> None:
    assert texts(plots.cutoffs(chosen[4], words="medical"))[0].startswith("specificity from 0.9: ")
    assert texts(plots.cutoffs(chosen[4], words="biometric"))[0].startswith("FMR up to 0.1: ")


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
    limits = f"({100 * own.tpr.low:.1f} to {100 * own.tpr.high:.1f} %)"
    assert texts(axes)[1].startswith(f"TPR {100 * chosen[0].tpr:.1f} % {limits},\nFPR ")
    medical = texts(plots.cutoffs(chosen[0], intervals=own, words="medical"))[1]
    assert medical.endswith(f"({100 - 100 * own.fpr.high:.1f} to {100 - 100 * own.fpr.low:.1f} %)")


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
    first, second, third, alone = lines(axes, "_point")
    assert first.get_markersize() < second.get_markersize() < third.get_markersize()
    assert first.get_markerfacecolor() != "none"
    assert second.get_markerfacecolor() == third.get_markerfacecolor() == "none"
    assert (alone.get_markersize(), alone.get_markerfacecolor() == "none") == (first.get_markersize(), False)
    assert len({mark.get_markeredgecolor() for mark in (first, second, third)}) == 3
    bars = lines(axes, "_interval")
    assert [bar.get_linewidth() for bar in bars[:3:2]] == sorted({bar.get_linewidth() for bar in bars[:3:2]})
    assert bars[0].get_zorder() > bars[2].get_zorder()
    in_key = {line.get_markersize() for line in axes.get_legend().get_lines() if line.get_marker() != "None"}
    assert in_key == {first.get_markersize()}


def test_what_does_not_fit_is_refused(curve, chosen) -> None:
    for wrong in ([], [chosen[0]] * 6):
        with pytest.raises(UsageError, match="RS042"):
            plots.cutoffs(curve, wrong)
    with pytest.raises(UsageError, match="RS013"):
        plots.cutoffs(curve, chosen, intervals=[])
