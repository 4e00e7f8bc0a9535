"""Laws of what is derived from a curve: hull, equal error rate, cost curve, precision and recall, DET."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from strategies import labelled_scores, weighted_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101")


def exact_vertices(curve):
    """Vertices as exact rates."""
    n, p = Fraction(curve.n_negatives), Fraction(curve.n_positives)
    pairs = zip(curve.false_positives.tolist(), curve.true_positives.tolist(), strict=True)
    return [(Fraction(x) / n, Fraction(y) / p) for x, y in pairs]


def any_curve():
    plain = labelled_scores().map(lambda d: rs.roc_curve(*d))
    return st.one_of(plain, weighted_scores().map(lambda d: rs.roc_curve(d[0], d[1], sample_weight=d[2])))


@given(any_curve())
def test_the_hull_is_concave_on_vertices_of_the_curve(curve):
    hull = exact_vertices(curve.hull())
    assert set(hull) <= set(exact_vertices(curve))
    assert (hull[0], hull[-1]) == ((0, 0), (1, 1))
    for (x0, y0), (x1, y1), (x2, y2) in zip(hull, hull[1:], hull[2:], strict=False):
        assert (x1 - x0) * (y2 - y1) < (y1 - y0) * (x2 - x1)  # strictly: collinear points are no corners


@given(any_curve())
def test_no_vertex_lies_above_the_hull(curve):
    hull = exact_vertices(curve.hull())
    for x, y in exact_vertices(curve):
        for (x0, y0), (x1, y1) in pairwise(hull):
            if x0 <= x <= x1:
                assert (y - y0) * (x1 - x0) <= (y1 - y0) * (x - x0) or (x0 == x1 and y <= y1)


@given(any_curve())
def test_the_hull_keeps_the_thresholds_of_its_vertices(curve):
    hull = curve.hull()
    known = set(zip(curve.thresholds.tolist(), curve.true_positives.tolist(), strict=True))
    assert set(zip(hull.thresholds.tolist(), hull.true_positives.tolist(), strict=True)) <= known
    assert hull.auc >= curve.auc - 1e-15


def crossing(path):
    """Where a path of exact points meets fpr + tpr = 1."""
    for (x0, y0), (x1, y1) in pairwise(path):
        before, after = x0 + y0 - 1, x1 + y1 - 1
        if before <= 0 <= after and after > before:
            return x0 + (x1 - x0) * -before / (after - before)
    raise AssertionError("the path ends at (1, 1)")


@given(any_curve())
def test_the_equal_error_rate_is_the_point_of_the_polyline_correctly_rounded(curve):
    assert curve.equal_error_rate == float(crossing(exact_vertices(curve)))
    assert curve.hull().equal_error_rate == float(crossing(exact_vertices(curve.hull())))
    assert curve.hull().equal_error_rate <= curve.equal_error_rate


@given(labelled_scores())
def test_vertex_variants_of_the_equal_error_rate_sit_at_the_closest_vertex(data):
    curve = rs.roc_curve(*data)
    gaps = [abs(x - (1 - y)) for x, y in exact_vertices(curve)]
    best = gaps.index(min(gaps))
    x, _ = exact_vertices(curve)[best]
    assert curve.eer("closest-vertex").value == float(x)
    assert curve.eer("closest-vertex").strict_threshold == curve.thresholds[best]
    assert curve.eer("closest-vertex").attainable


@given(labelled_scores(kinds=("tied floats", "any floats", "special floats", "integers")))
def test_the_equal_error_rate_is_attained_where_it_says_so(data):
    curve = rs.roc_curve(*data)
    read = curve.eer()
    if read.attainable and np.isfinite(read.strict_threshold):
        rates = curve.rates_at(read.strict_threshold)
        assert rates.fpr == read.value
        assert 1 - rates.tpr == pytest.approx(read.value, abs=1e-15)


@given(any_curve(), st.floats(0, 1))
def test_the_cost_curve_is_the_minimum_over_all_thresholds(curve, pc):
    cost = curve.cost_curve()
    best = min((1 - y) * Fraction(pc) + x * (1 - Fraction(pc)) for x, y in exact_vertices(curve))
    assert cost.at(pc) == pytest.approx(float(best), rel=1e-12, abs=1e-15)


@given(any_curve())
def test_pieces_of_the_cost_curve_are_straight_and_end_where_the_best_threshold_changes(curve):
    cost = curve.cost_curve()
    ends = cost.probability_cost
    assert (ends[0], ends[-1]) == (0, 1)
    assert (np.diff(ends) > 0).all()
    assert cost.thresholds.size == ends.size - 1
    np.testing.assert_allclose(cost.at(ends), cost.normalized_cost, rtol=1e-12, atol=1e-15)
    for left, right, threshold in zip(ends, ends[1:], cost.thresholds, strict=False):
        assert cost.threshold_at((left + right) / 2) == threshold


@given(any_curve())
def test_precision_and_recall_come_from_the_same_counts(curve):
    pr = curve.precision_recall()
    assert np.isnan(pr.precision[0])
    called = curve.true_positives + curve.false_positives
    np.testing.assert_array_equal(pr.precision[1:], curve.true_positives[1:] / called[1:])
    np.testing.assert_array_equal(pr.recall, curve.tpr)
    area = np.sum(np.diff(pr.recall) * np.nan_to_num(pr.precision[1:]))
    assert pr.average_precision == pytest.approx(area, abs=1e-14)


@given(any_curve())
def test_det_coordinates_are_normal_deviates_of_the_error_rates(curve):
    from scipy.special import ndtr

    det = curve.det()
    np.testing.assert_allclose(ndtr(det.fpr_deviate), curve.fpr, atol=1e-15)
    np.testing.assert_allclose(ndtr(det.fnr_deviate), 1 - curve.tpr, atol=2e-15)
    assert np.isneginf(det.fpr_deviate[0])
    assert np.isneginf(det.fnr_deviate[-1])


@given(labelled_scores())
def test_counts_make_the_same_curve_again(data):
    curve = rs.roc_curve(*data)
    if len(set(curve.thresholds[1:].tolist())) < curve.thresholds.size - 1:
        return  # integers above 2**53 whose float thresholds coincide
    again = rs.RocCurve.from_counts(curve.thresholds, curve.true_positives, curve.false_positives)
    bare = rs.RocCurve.from_counts(curve.thresholds[1:], curve.true_positives[1:], curve.false_positives[1:])
    for made in (again, bare):
        np.testing.assert_array_equal(made.thresholds, curve.thresholds)
        np.testing.assert_array_equal(made.true_positives, curve.true_positives)
        np.testing.assert_array_equal(made.false_positives, curve.false_positives)
