"""What smROC curves say: numbers that tell what is wrong, ways that can be gone."""

from fractions import Fraction

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.curves.smroc import telling

outside = pytest.mark.filterwarnings("ignore:RS26")


@pytest.mark.parametrize("mid", [1.00001, np.nextafter(1, 2)])
def test_a_mid_just_above_1_does_not_look_like_1(mid):
    with pytest.warns(rs.RocsteadyWarning, match="RS260") as caught:
        curve = rs.smroc_curve([1, 0, 1], [0.9, 0.5, 0.25], mid=mid)
    said = (str(caught[0].message), curve.reading, repr(curve), repr(curve.appropriateness))
    assert all(repr(float(mid)) in text for text in said)


@pytest.mark.parametrize("beyond", [1 + 2**-52, -(2.0**-60)])
@pytest.mark.parametrize("function", [rs.smroc_curve, rs.scored_auc])
def test_a_score_just_beyond_the_scale_is_shown_to_be(function, beyond):
    with pytest.raises(rs.RocsteadyError, match="RS087: scores must lie between 0 and 1") as caught:
        function([1, 0, 1], [beyond, 0.25, 0.5])
    low, high = str(caught.value).split("found: scores from ")[1].split("\n")[0].split(" to ")
    assert (float(low), float(high)) == pytest.approx((min(beyond, 0.25), max(beyond, 0.5)), rel=1e-5)
    assert float(low) < 0 or float(high) > 1


@pytest.mark.parametrize(("word", "meant"), [("half", "paper"), ("clip", "clipped")])
def test_a_mid_may_also_be_a_number(word, meant):
    with pytest.raises(rs.RocsteadyError, match="RS001: mid cannot be") as caught:
        rs.smroc_curve([1, 0], [0.9, 0.2], mid=word)
    assert "or a number" in caught.value.found
    assert str(caught.value).splitlines()[2:] == [f"  -> mid={meant!r}", "  -> mid=0.5"]


def test_digits_are_few_where_they_suffice():
    assert telling(1.2345678, 0, 1, digits=4) == "1.235"
    assert telling(0.9999999, 0, 1, digits=4) == "0.9999999"
    assert telling(np.inf, 0, 1) == "inf"


def folds_of(*folds):
    return rs.ScoreSet.from_folds(list(folds), design="independent")


@pytest.mark.parametrize(
    ("folds", "mid", "words"),
    [
        ([([1, 0], [0.9, 0.1])] * 2, -2, "it is -2."),
        ([([1, 0, 0, 0], [1, 1, 1, 0]), ([1, 0, 0, 0], [1, 1, 0.5, 0])], "paper", "it goes up to 1.5."),
        ([([1, 0, 0, 0], [1, 1, 1, 0]), ([1, 0, 1], [0, 0, 0])], "paper", "it goes from 0 to 1.5."),
    ],
)
def test_mids_of_a_set_are_told_by_their_ends(folds, mid, words):
    with pytest.warns(rs.RocsteadyWarning, match="RS260") as caught:
        rs.smroc_curve(folds_of(*folds), mid=mid, undefined="drop")
    assert words in str(caught[0].message)


@outside
@pytest.mark.parametrize("undefined", ["raise", "drop"])
def test_leaving_out_is_offered_only_if_something_is_left(undefined):
    broken, whole = ([1, 0, 0], [0.0, 1.0, 1.0]), ([1, 0, 0], [0.5, 0.75, 1.0])
    with pytest.raises(rs.RocsteadyError, match="RS036") as caught:
        rs.smroc_curve(folds_of(broken), mid=2, undefined=undefined)
    assert "drop" not in str(caught.value)
    assert "mid=0.5" in str(caught.value)
    with pytest.raises(rs.RocsteadyError, match="undefined='drop'"):
        rs.smroc_curve(folds_of(broken, whole), mid=2)


@pytest.mark.parametrize("of", ["auc", "mid", "chance_auc", "roc_auc"])
def test_numbers_of_a_set_cannot_be_changed(of):
    curves = rs.smroc_curve(folds_of(([1, 0], [0.9, 0.1])))
    with pytest.raises(ValueError, match="read-only"):
        getattr(curves, of)[0] = 9


@pytest.mark.parametrize("weights", [(1e17, 1), (1, 1e17), (1000, 0.001)])
def test_chance_level_of_a_class_that_weighs_next_to_nothing(weights):
    labels, scores = [1, 0, 0], [1.0, 0.75, 0.0]
    heavy, light = weights
    curve = rs.smroc_curve(labels, scores, mid=0.5, sample_weight=[heavy, light, light])
    a, b = Fraction(heavy), Fraction(light)
    share = a / (a + 2 * b)
    steps = []  # up and right, from the highest score
    for score, weight in zip(map(Fraction, scores), (a, b, b), strict=True):
        high = score if score >= Fraction(1, 2) else 1 - score
        steps.append(weight * np.array([share * high + (1 - share) * (1 - high)] * 2))
        steps[-1][1] = weight - steps[-1][0]
    up, right = (sum(step[axis] for step in steps) for axis in (0, 1))
    met, won = Fraction(0), Fraction(0)
    for step in steps:
        won += step[1] * (met + step[0] / 2)
        met += step[0]
    assert curve.chance_auc == pytest.approx(float(won / (up * right)), rel=1e-14)


def test_a_class_of_weights_that_floats_cannot_multiply_is_refused():
    with pytest.raises(rs.RocsteadyError, match=r"RS037.*weighs too little"):
        rs.smroc_curve([1, 0], [0.9, 0.2], sample_weight=[1e-295, 1])


def test_a_mid_beyond_all_numbers_is_infinite():
    with pytest.warns(rs.RocsteadyWarning, match="RS260.*Mid is inf"):
        curve = rs.smroc_curve([1, 0], [0.9, 0.25], sample_weight=[1e-280, 1e100])
    assert curve.mid == np.inf
    assert curve.credit.tolist() == pytest.approx([0.1, 0.25])


def test_stretching_goes_as_far_as_numbers_do():
    far = rs.smroc_curve([1, 0, 1], [1e308, -1e308, 0.0], rescale="min-max")
    near = rs.smroc_curve([1, 0, 1], [1.0, 0.0, 0.5])
    assert far.scores.tolist() == near.scores.tolist()
    assert far.auc == near.auc
