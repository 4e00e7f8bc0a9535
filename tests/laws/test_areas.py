"""Laws of the area under a curve."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute_force
import rocsteady as rs
from strategies import FLOAT_KINDS, labelled_scores, rates_near, weighted_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS152")


@given(labelled_scores())
def test_auc_is_the_share_of_pairs_won_correctly_rounded(data):
    labels, scores = data
    exact = float(brute_force.auc(labels, scores))
    assert rs.auc(labels, scores) == exact
    assert rs.roc_curve(labels, scores).auc == exact


@given(weighted_scores())
def test_weighted_auc_is_the_weighted_share_of_pairs_won(data):
    labels, scores, weights = data
    exact = float(brute_force.auc(labels, scores, weights))
    assert rs.auc(labels, scores, sample_weight=weights) == pytest.approx(exact, rel=1e-13, abs=1e-15)


@given(labelled_scores(), st.data())
def test_a_whole_weight_is_a_number_of_repetitions(data, draw):
    labels, scores = data
    times = np.array(draw.draw(st.lists(st.integers(0, 3), min_size=labels.size, max_size=labels.size)))
    times[np.argmax(labels)] = times[np.argmin(labels)] = 2  # keep both classes
    weighted = rs.roc_curve(labels, scores, sample_weight=times)
    repeated = rs.roc_curve(np.repeat(labels, times), np.repeat(scores, times))
    np.testing.assert_array_equal(weighted.thresholds, repeated.thresholds)
    np.testing.assert_array_equal(weighted.true_positives, repeated.true_positives)
    np.testing.assert_array_equal(weighted.false_positives, repeated.false_positives)
    assert weighted.auc == pytest.approx(repeated.auc, rel=1e-15)


@given(labelled_scores(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(data, random):
    labels, scores = data
    order = list(range(labels.size))
    random.shuffle(order)
    a, b = rs.roc_curve(labels, scores), rs.roc_curve(labels[order], scores[order])
    np.testing.assert_array_equal(a.thresholds, b.thresholds)
    np.testing.assert_array_equal(a.true_positives, b.true_positives)
    np.testing.assert_array_equal(a.false_positives, b.false_positives)


@given(labelled_scores(kinds=FLOAT_KINDS))
def test_reversing_the_scores_and_the_direction_is_the_same_curve(data):
    labels, scores = data
    a, b = rs.roc_curve(labels, scores), rs.roc_curve(labels, -scores, higher_is_positive=False)
    np.testing.assert_array_equal(a.true_positives, b.true_positives)
    np.testing.assert_array_equal(a.false_positives, b.false_positives)
    np.testing.assert_array_equal(a.thresholds, -b.thresholds)
    assert a.auc == b.auc


@given(labelled_scores())
def test_the_other_direction_has_the_complementary_area(data):
    labels, scores = data
    complement = 1 - brute_force.auc(labels, scores)
    assert rs.auc(labels, scores, higher_is_positive=False) == float(complement)


@given(labelled_scores())
def test_swapping_the_classes_gives_the_complement(data):
    labels, scores = data
    assert rs.auc(~labels, scores) == float(1 - brute_force.auc(labels, scores))


@given(labelled_scores(kinds=("tied floats", "integers", "unsigned")))
def test_a_rising_transform_changes_only_the_thresholds(data):
    labels, scores = data
    a, b = rs.roc_curve(labels, scores), rs.roc_curve(labels, np.exp(scores.astype(float)))
    np.testing.assert_array_equal(a.true_positives, b.true_positives)
    np.testing.assert_array_equal(a.false_positives, b.false_positives)


@given(labelled_scores())
def test_the_area_of_the_polyline_is_the_auc(data):
    curve = rs.roc_curve(*data)
    strips = np.diff(curve.fpr) * (curve.tpr[1:] + curve.tpr[:-1]) / 2
    assert math.fsum(strips) == pytest.approx(curve.auc, abs=1e-14)


@given(labelled_scores())
def test_vertices_run_from_corner_to_corner_one_per_distinct_score(data):
    labels, scores = data
    curve = rs.roc_curve(labels, scores)
    assert curve.thresholds.size == 1 + len(set(scores.tolist()))
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    assert np.isposinf(curve.thresholds[0])


@given(labelled_scores())
def test_partial_areas_over_everything_are_the_auc(data):
    curve = rs.roc_curve(*data)
    assert curve.partial_auc(fpr=(0, 1)) == curve.auc
    assert curve.partial_auc(tpr=(0, 1)) == curve.auc
    assert curve.partial_auc(fpr=(0, 1), standardized=True) == pytest.approx(curve.auc, abs=1e-15)


@given(labelled_scores(), st.data())
def test_partial_areas_add_up(data, draw):
    curve = rs.roc_curve(*data)
    for axis in ("fpr", "tpr"):
        low, middle, high = sorted(draw.draw(rates_near(getattr(curve, axis))) for _ in range(3))
        if low < middle < high:
            whole = curve.partial_auc(**{axis: (low, high)})
            parts = curve.partial_auc(**{axis: (low, middle)}) + curve.partial_auc(**{axis: (middle, high)})
            assert whole == pytest.approx(parts, abs=1e-14)


@given(labelled_scores(), st.data())
def test_partial_areas_are_integrals_of_the_readings(data, draw):
    curve = rs.roc_curve(*data)
    for axis, read in (("fpr", curve.tpr_at), ("tpr", lambda y: 1 - curve.fpr_at(y))):
        low, high = sorted(draw.draw(rates_near(getattr(curve, axis))) for _ in range(2))
        if high - low < 1e-9:
            continue
        knots = getattr(curve, axis)
        ends = np.unique(np.concatenate([[low, high], knots[(knots > low) & (knots < high)]]))
        middles = (ends[1:] + ends[:-1]) / 2  # linear in between: the midpoint rule is exact
        integral = math.fsum(np.diff(ends) * read(middles))
        assert curve.partial_auc(**{axis: (low, high)}) == pytest.approx(integral, abs=1e-13)


@given(weighted_scores())
def test_weighted_areas_stay_in_range_and_are_exact_at_the_ends(data):
    labels, _, weights = data
    apart = np.arange(labels.size) + 1000 * labels  # many vertices, so rounding could add up
    assert rs.auc(labels, apart, sample_weight=weights) == 1.0
    assert rs.auc(labels, apart, sample_weight=weights, higher_is_positive=False) == 0.0
    assert rs.auc(labels, np.zeros(labels.size), sample_weight=weights) == 0.5


@given(labelled_scores())
def test_one_set_and_single_curves_agree_to_the_bit(data):
    labels, scores = data
    score_set = rs.ScoreSet.from_folds(
        [(labels, scores), (~labels, scores), (labels, scores[::-1].copy())], design="independent"
    )
    curves = rs.roc_curves(score_set)
    for curve, (own_labels, own_scores) in zip(
        curves, [(labels, scores), (~labels, scores), (labels, scores[::-1])], strict=True
    ):
        alone = rs.roc_curve(own_labels, own_scores.copy())
        np.testing.assert_array_equal(curve.thresholds, alone.thresholds)
        np.testing.assert_array_equal(curve.true_positives, alone.true_positives)
        assert curve.auc == alone.auc
    assert curves.auc.tolist() == [curve.auc for curve in curves]


def test_rates_are_one_division():
    curve = rs.roc_curve([1] * 49 + [0] * 10, list(range(59, 0, -1)))
    assert [Fraction(rate) for rate in curve.tpr[:50].tolist()] == [Fraction(k / 49) for k in range(50)]
