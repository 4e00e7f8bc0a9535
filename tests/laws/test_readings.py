"""Laws of reading a curve: thresholds, and each rate at the other."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute_force
import rocsteady as rs
from strategies import labelled_scores, rates_near, weighted_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101")


@given(labelled_scores(kinds=("tied floats", "any floats", "special floats", "integers")), st.data())
def test_rates_at_a_threshold_are_what_the_rule_says(data, draw):
    labels, scores = data
    own = float(draw.draw(st.sampled_from(scores.tolist())))
    threshold = draw.draw(
        st.sampled_from([own, math.nextafter(own, math.inf), math.nextafter(own, -math.inf), np.inf, -np.inf])
    )
    for higher, rules in ((True, (">=", ">")), (False, ("<=", "<"))):
        curve = rs.roc_curve(labels, scores, higher_is_positive=higher)
        for rule in rules:
            read = curve.rates_at(threshold, rule=rule)
            assert (read.fpr, read.tpr) == tuple(
                map(float, brute_force.rates_at(labels, scores, threshold, rule))
            )
        default = curve.rates_at(threshold)
        assert default.rule == rules[0]


@given(weighted_scores(kinds=("tied floats", "special floats")), st.data())
def test_weighted_rates_at_a_threshold(data, draw):
    labels, scores, weights = data
    threshold = float(draw.draw(st.sampled_from(scores.tolist())))
    read = rs.roc_curve(labels, scores, sample_weight=weights).rates_at(threshold)
    exact = brute_force.rates_at(labels, scores, threshold, ">=", weights)
    assert (read.fpr, read.tpr) == pytest.approx(tuple(map(float, exact)), rel=1e-15)


def points_at(path, axis, value):
    """Every exact point of a polyline whose coordinate ``axis`` is ``value``, as the range of the other one."""
    found = []
    for start, stop in pairwise(path):
        a, b = start[axis], stop[axis]
        if a <= value <= b:
            if a == b:
                found += [start[1 - axis], stop[1 - axis]]
            else:
                share = (value - a) / (b - a)
                found.append(start[1 - axis] + share * (stop[1 - axis] - start[1 - axis]))
    return min(found), max(found)


def exact_path(curve):
    """The polyline through the rates as floats have them (a reading is asked for with a float, too)."""
    return [(Fraction(x), Fraction(y)) for x, y in zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True)]


@given(labelled_scores(), st.data())
def test_both_one_sided_readings_are_the_ends_of_the_jump(data, draw):
    curve = rs.roc_curve(*data)
    x = draw.draw(rates_near(curve.fpr))
    low, high = points_at(exact_path(curve), 0, Fraction(x))
    assert curve.tpr_at(x, side="lower") == pytest.approx(float(low), abs=2e-15)
    assert curve.tpr_at(x) == pytest.approx(float(high), abs=2e-15)
    y = draw.draw(rates_near(curve.tpr))
    low, high = points_at(exact_path(curve), 1, Fraction(y))
    assert curve.fpr_at(y) == pytest.approx(float(low), abs=2e-15)
    assert curve.fpr_at(y, side="upper") == pytest.approx(float(high), abs=2e-15)


@given(labelled_scores())
def test_at_a_vertex_the_readings_are_the_vertex_exactly(data):
    curve = rs.roc_curve(*data)
    for x, y in zip(curve.fpr, curve.tpr, strict=True):
        assert curve.tpr_at(x) == max(curve.tpr[curve.fpr == x])
        assert curve.tpr_at(x, side="lower") == min(curve.tpr[curve.fpr == x])
        assert curve.fpr_at(y) == min(curve.fpr[curve.tpr == y])
        assert curve.fpr_at(y, side="upper") == max(curve.fpr[curve.tpr == y])


@given(labelled_scores(), st.data())
def test_the_two_readings_are_generalised_inverses(data, draw):
    curve = rs.roc_curve(*data)
    x, y = draw.draw(rates_near(curve.fpr)), draw.draw(rates_near(curve.tpr))
    # H(y) is the least x whose R(x) reaches y; R(x) the greatest y that x affords.
    assert curve.tpr_at(curve.fpr_at(y)) >= y - 1e-12
    assert curve.fpr_at(curve.tpr_at(x)) <= x + 1e-12


@given(labelled_scores(), st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_readings_do_not_fall(data, xs):
    curve = rs.roc_curve(*data)
    xs = np.sort(xs)
    for read in (curve.tpr_at, curve.fpr_at):
        for side in ("upper", "lower"):
            assert (np.diff(read(xs, side=side)) >= 0).all()


@given(labelled_scores(), st.lists(st.floats(0, 1), min_size=1, max_size=4))
def test_an_array_is_read_as_its_numbers(data, xs):
    curve = rs.roc_curve(*data)
    assert curve.tpr_at(np.array(xs)).tolist() == [curve.tpr_at(x) for x in xs]
    assert curve.fpr_at(xs).tolist() == [curve.fpr_at(x) for x in xs]
    assert curve.rates_at(xs).tpr.tolist() == [curve.rates_at(x).tpr for x in xs]
    assert isinstance(curve.tpr_at(xs[0]), float)
    assert isinstance(curve.rates_at(xs[0]).fpr, float)


@given(labelled_scores(kinds=("tied floats", "any floats", "special floats", "float32")))
def test_every_spss_cutoff_gives_its_own_row(data):
    labels, scores = data
    for higher in (True, False):
        curve = rs.roc_curve(labels, scores, higher_is_positive=higher)
        table = curve.coordinates()
        assert table.cutoffs.size == curve.thresholds.size
        assert not np.isnan(table.cutoffs).any()
        assert (table.cutoffs[1:] >= table.cutoffs[:-1]).all()
        for cutoff, sensitivity, false_alarms in zip(
            table.cutoffs, table.sensitivity, table.one_minus_specificity, strict=True
        ):
            if np.isinf(cutoff) and (sensitivity, false_alarms) == (0, 0):
                continue  # beyond an infinite score there is no number
            fpr, tpr = brute_force.rates_at(labels, scores, cutoff, table.rule)
            assert (float(tpr), float(fpr)) == (sensitivity, false_alarms)
