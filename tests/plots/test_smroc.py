"""Figures of smROC curves draw the numbers of the curve, never without its chance level and its Mid."""

from __future__ import annotations

import sys

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

import rocsteady as rs
from rocsteady import plots
from rocsteady.curves.smroc import smroc_curve
from rocsteady.errors import UsageError
from rocsteady.plots.keys.key_below import LONGEST, cut
from rocsteady.plots.parts.style import rendered
from rocsteady.plots.smroc import CURVE_LOOKS

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib", "ignore:RS260")


def rows(seed: int = 0, n: int = 60):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.3
    labels[:2] = True, False
    return labels, np.clip(rng.beta(2, 3, n) + 0.2 * labels, 0, 1).round(2)


@pytest.fixture(scope="module")
def curve():
    return smroc_curve(*rows(), mid=0.5, name="forest")


@pytest.fixture(scope="module")
def outside():
    """A curve of few positives and many high scores: Mid is above 1."""
    return smroc_curve([1] + [0] * 9, [0.9, 0.8, 0.9, 0.7, 0.95, 0.6, 0.2, 0.1, 0.9, 0.5])


def xy(axes, label: str) -> np.ndarray:
    (found,) = [each for each in axes.lines if str(each.get_label()).startswith(label)]
    return np.asarray(found.get_xydata())


def texts(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


@settings(max_examples=6)
@given(st.integers(0, 50), st.sampled_from([0.2, 0.5, "paper", "clipped"]), st.booleans())
def test_the_curve_its_chance_curve_and_the_roc_curve_are_drawn(seed, mid, is_weighted):
    labels, scores = rows(seed)
    weights = np.linspace(1, 3, labels.size) if is_weighted else None
    curve = smroc_curve(labels, scores, mid=mid, sample_weight=weights)
    axes = plots.smroc(curve)
    np.testing.assert_array_equal(xy(axes, "smAUC"), np.c_[curve.fpr, curve.tpr])
    ordinary = rs.roc_curve(labels, scores, sample_weight=weights)
    np.testing.assert_allclose(xy(axes, "ordinary ROC"), np.c_[ordinary.fpr, ordinary.tpr], atol=1e-12)
    by_chance = xy(axes, "chance:")
    area = np.sum(np.diff(by_chance[:, 0]) * (by_chance[1:, 1] + by_chance[:-1, 1]) / 2)
    assert area == pytest.approx(curve.chance_auc, abs=1e-12)
    assert (by_chance[0].tolist(), by_chance[-1].tolist()) == ([0, 0], [1, 1])


def test_the_key_has_the_area_its_chance_level_and_mid(curve):
    axes = plots.smroc(curve)
    assert texts(axes) == [
        f"smAUC {curve.auc:.3f}, chance {curve.chance_auc:.3f}, AUC {curve.roc_auc:.3f}, Mid 0.5",
        "chance: labels dealt at random",
        "ordinary ROC curve",
    ]
    assert axes.get_title(loc="left") == "forest"
    assert axes.get_xlabel() == "share of debit (ROC: false positive rate)"
    bare = plots.smroc(curve, roc=False, chance=False, title="here")
    assert len(texts(bare)) == 1
    assert bare.get_title(loc="left") == "here"
    assert bare.get_ylabel() == "share of credit"
    assert axes.get_legend().get_title().get_text() == ""


def test_a_mid_outside_is_said(curve, outside):
    assert outside.mid > 1
    heading = plots.smroc([curve, outside]).get_legend().get_title().get_text()
    assert heading == "Mid lies outside (0, 1]: read smAUC beside its chance level"


def test_several_curves_are_named_and_coloured_apart(curve):
    others = [smroc_curve(*rows(seed), mid=0.5, name=f"fold {seed}") for seed in range(1, 4)]
    axes = plots.smroc([curve, *others])
    drawn = [line for line in axes.lines if "smAUC" in str(line.get_label())]
    assert [line.get_color() for line in drawn] == [look.colour for look in CURVE_LOOKS[:4]]
    assert len({str(line._dash_pattern) for line in drawn}) == 4  # told apart without colours
    assert [line.get_label().split(":")[0] for line in drawn] == ["forest", "fold 1", "fold 2", "fold 3"]
    assert not [text for text in texts(axes) if text.startswith("chance")]  # too many lines
    assert "chance: labels dealt at random" in texts(plots.smroc([curve, *others], chance=True))
    assert (
        len([line for line in plots.smroc(others[:2]).lines if "_chance: labels" in str(line.get_label())])
        == 2
    )
    folds = rs.ScoreSet.from_folds([rows(1), rows(2)], design="independent")
    assert len(texts(plots.smroc(smroc_curve(folds, mid=0.5)))) == 4


def test_long_names_get_a_line_of_their_own_and_longer_ones_are_cut(curve):
    names = ["x", "a classifier", "y" * 200]
    axes = plots.smroc([smroc_curve(*rows(), mid=0.5, name=name) for name in names])
    assert [text.count("\n") for text in texts(axes)[:3]] == [0, 1, 1]
    assert max(len(line) for text in texts(axes) for line in text.split("\n")) <= LONGEST
    assert cut("naive\x1b[2J", 40) == "naive\\x1b[2J"


@pytest.mark.parametrize("size", [8, 16])
def test_a_figure_that_is_made_holds_all_of_its_key(curve, outside, size):
    for axes in (
        plots.smroc([curve] * 7, text_size=size),
        plots.smroc([curve, outside], text_size=size, title="two"),
        plots.smroc(curve, text_size=size),
        plots.mid_profile(curve.mid_profile(), text_size=size),
    ):
        figure = axes.figure
        figure.draw_without_rendering()
        inside, page = axes.get_legend().get_window_extent(), figure.bbox
        assert inside.x0 >= 0
        assert inside.y0 >= 0
        assert inside.x1 <= page.x1
        # On paper under the label of the axis; on a slide, which is wide, beside the axes.
        if size == 8:
            assert inside.y1 <= axes.xaxis.label.get_window_extent().y0
            assert axes.get_window_extent().width > 0.7 * page.width  # the axes have not made room for it
        else:
            assert inside.x0 >= axes.get_window_extent().x1
            assert axes.get_window_extent().height > 0.7 * page.height


def test_an_exact_profile_is_drawn_in_steps(curve):
    profile = curve.mid_profile()
    axes = plots.mid_profile(profile)
    for label, values in (("smAUC", profile.auc), ("chance", profile.chance_auc)):
        drawn = xy(axes, label)
        np.testing.assert_array_equal(drawn[::2, 0], profile.after)
        np.testing.assert_array_equal(drawn[1::2, 0], profile.mid)
        np.testing.assert_array_equal(drawn[::2, 1], values)
        np.testing.assert_array_equal(drawn[1::2, 1], values)
    np.testing.assert_array_equal(xy(axes, "the curve itself"), [[curve.mid, curve.auc]])
    np.testing.assert_array_equal(xy(axes, "ordinary AUC")[:, 1], [curve.roc_auc] * 2)
    assert axes.get_xlim() == (0, 1)
    assert axes.get_title(loc="left") == "forest"
    assert texts(axes)[-1] == f"the curve itself: Mid 0.5, smAUC {curve.auc:.3f}"


def test_a_profile_at_chosen_mids_has_a_dot_at_each(curve):
    profile = curve.mid_profile([0.7, 0.2, 0.4])
    axes = plots.mid_profile(profile, title="three")
    np.testing.assert_array_equal(xy(axes, "smAUC"), np.c_[[0.2, 0.4, 0.7], profile.auc[[1, 2, 0]]])
    (line,) = [each for each in axes.lines if each.get_label() == "smAUC"]
    assert line.get_marker() == "o"
    assert axes.get_title(loc="left") == "three"


def test_a_mid_that_the_profile_does_not_reach_is_said_and_not_drawn(outside):
    axes = plots.mid_profile(outside.mid_profile())
    assert xy(axes, "the curve itself").size == 0
    assert texts(axes)[-1].endswith(f"smAUC {outside.auc:.3f} (outside)")


def test_the_four_kinds_have_their_counts_and_mean_steps(curve):
    found = curve.appropriateness
    axes = plots.appropriateness(curve)
    words = [text.get_text() for text in axes.texts]
    for letters, count, others in (
        ("H+", found.high_positives, curve.n_positives),
        ("H−", found.high_negatives, curve.n_negatives),
        ("L+", found.low_positives, curve.n_positives),
        ("L−", found.low_negatives, curve.n_negatives),
    ):
        assert words[words.index(letters) + 1] == f"{count} of {others}"
    arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    steps = [np.diff(np.array(arrow._posA_posB), axis=0)[0] for arrow in arrows]
    wanted = [
        found.credits[name] / getattr(found, name)
        for name in ("high_positives", "high_negatives", "low_positives", "low_negatives")
    ]
    np.testing.assert_allclose([up / (right + up) for right, up in steps], wanted)
    tiles = {
        patch.get_label(): patch.get_facecolor()[:3] for patch in axes.patches if patch.get_label()[0] == "_"
    }
    assert (
        tiles["_high_positives"]
        == tiles["_low_negatives"]
        != tiles["_high_negatives"]
        == tiles["_low_positives"]
    )
    same = plots.appropriateness(found, title="mine")
    assert same.get_title(loc="left") == "mine"
    assert axes.get_title(loc="left").endswith("of scores appropriate (Mid 0.5)")


def test_kinds_without_cases_have_no_arrow(outside):
    axes = plots.appropriateness(outside)
    assert len([patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]) == 2


def test_axes_that_are_given_are_drawn_on_and_sizes_follow_the_text(curve):
    def draw(function, value):
        axes = Figure().add_subplot()
        assert function(value, ax=axes, text_size=16) is axes
        assert axes.xaxis.label.get_fontsize() == 16
        small = function(value)
        assert small.figure.get_size_inches()[0] == pytest.approx(8.5 / 2.54)
        assert axes.lines[1].get_linewidth() == 2 * small.lines[1].get_linewidth()

    draw(plots.smroc, curve)
    draw(plots.mid_profile, curve.mid_profile())
    draw(plots.appropriateness, curve.appropriateness)


def test_nothing_global_is_touched(curve):
    before = dict(mpl.rcParams)
    picture = rendered(plots.smroc(curve).figure, "svg").decode()
    assert dict(mpl.rcParams) == before
    assert "share of credit" in picture
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or pyplot.get_fignums() == []


def test_what_cannot_be_drawn_is_said(curve):
    ordinary = rs.roc_curve(*rows())
    wrong = [
        ("RS002", lambda: plots.smroc(ordinary)),
        ("RS002", lambda: plots.smroc([curve, ordinary])),
        ("RS042", lambda: plots.smroc([])),
        ("RS042", lambda: plots.smroc([curve] * 8)),
        ("RS042", lambda: plots.smroc(curve, text_size=0)),
        ("RS001", lambda: plots.smroc(curve, roc="no")),
        ("RS001", lambda: plots.smroc(curve, chance="no")),
        ("RS002", lambda: plots.smroc(curve, ax=3)),
        ("RS002", lambda: plots.mid_profile(curve)),
        ("RS002", lambda: plots.appropriateness(ordinary)),
        ("RS002", lambda: plots.appropriateness(curve, ax=Figure().add_subplot(projection="3d"))),
    ]
    for code, call in wrong:
        with pytest.raises(UsageError, match=code):
            call()
