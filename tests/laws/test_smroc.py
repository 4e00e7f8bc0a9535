"""Laws of smROC curves, against the definitions in exact fractions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocsteady as rs
from strategies import ANGLES

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS26")

EIGHTHS = st.integers(0, 8).map(lambda k: k / 8)  # one minus such a score is exact
DECISIONS = st.sampled_from([0.0, 1.0])
ANY = st.one_of(EIGHTHS, st.floats(0, 1), st.sampled_from([5e-324, 1e-17, 0.1, 1 - 2**-53]))
MIDS = st.one_of(st.sampled_from(["paper", "clipped", 0.5, 0.0, 1.0, -1.0, 1.5]), EIGHTHS, st.floats(0, 1))


@st.composite
def cases(draw, values=EIGHTHS, max_per_class=7, balanced=False):
    """Labels with both classes, and scores from 0 to 1."""
    n_positives = draw(st.integers(1, max_per_class))
    n_negatives = n_positives if balanced else draw(st.integers(1, max_per_class))
    n = n_positives + n_negatives
    labels = np.array(draw(st.permutations([True] * n_positives + [False] * n_negatives)))
    return labels, np.array(draw(st.lists(values, min_size=n, max_size=n)))


def exact_mid(labels, scores, mid, times):
    if not isinstance(mid, str):
        return Fraction(mid)
    total = sum(w * Fraction(s) for s, w in zip(scores.tolist(), times, strict=True))
    paper = total / (2 * sum(w for w, y in zip(times, labels, strict=True) if y))
    return paper if mid == "paper" else min(paper, Fraction(1))


def exact_credit(labels, scores, mid, times=None):
    """Theta of Definition 1, and Mid, as fractions."""
    times = [Fraction(1)] * len(labels) if times is None else [Fraction(w) for w in times]
    mid = exact_mid(labels, scores, mid, times)
    exact = [Fraction(s) for s in scores.tolist()]
    appropriate = [(s >= mid) == bool(y) for s, y in zip(exact, labels, strict=True)]
    return mid, [s if good else 1 - s for s, good in zip(exact, appropriate, strict=True)], times


def exact_area(scores, credit, times):
    """The corrected pair formula over all ordered pairs, each case with itself included; None if undefined."""
    rows = list(zip(scores.tolist(), credit, times, strict=True))
    up, right = sum(w * c for _, c, w in rows), sum(w * (1 - c) for _, c, w in rows)
    if not up or not right:
        return None
    won = sum(
        w * c * v * (1 - d) * (1 if s > t else Fraction(1, 2))
        for (s, c, w), (t, d, v) in itertools.product(rows, rows)
        if s >= t
    )
    return won / (up * right)


def assert_area(found, exact):
    if exact is None:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(float(exact), rel=1e-12, abs=1e-14)


@given(cases(ANY), MIDS)
def test_area_is_the_trapezium_and_the_corrected_pair_formula(data, mid):
    labels, scores = data
    curve = rs.smroc_curve(labels, scores, mid=mid)
    exact, credit, times = exact_credit(labels, scores, mid)
    assert curve.mid == pytest.approx(float(exact), rel=1e-15)
    assert curve.credit == pytest.approx([float(c) for c in credit], rel=1e-15)
    assert_area(curve.auc, exact_area(scores, credit, times))
    if not math.isnan(curve.auc):
        trapezium = np.sum(np.diff(curve.fpr) * (curve.tpr[1:] + curve.tpr[:-1])) / 2
        assert curve.auc == pytest.approx(trapezium, abs=1e-12)


@given(cases(ANY), MIDS)
def test_tied_cases_move_together_along_a_monotone_curve(data, mid):
    labels, scores = data
    curve = rs.smroc_curve(labels, scores, mid=mid)
    _, credit, _ = exact_credit(labels, scores, mid)
    assert curve.thresholds.tolist() == [np.inf, *sorted(set(scores.tolist()), reverse=True)]
    for threshold, up, right in zip(curve.thresholds, curve.credit_up, curve.credit_right, strict=True):
        own = [c for s, c in zip(scores.tolist(), credit, strict=True) if s >= threshold]
        assert up == pytest.approx(float(sum(own)), rel=1e-13)
        assert right == pytest.approx(float(sum(1 - c for c in own)), rel=1e-13)
    for axis in (curve.fpr, curve.tpr):
        assert np.isnan(axis).all() or (axis[0] == 0 and axis[-1] == 1 and (np.diff(axis) >= 0).all())
    assert curve.total_credit + curve.total_debit == pytest.approx(labels.size)


@given(cases(DECISIONS), st.one_of(st.just("paper"), st.floats(0, 1, exclude_min=True)))
def test_of_decisions_it_is_the_roc_curve_while_mid_is_in_0_1(data, mid):
    labels, scores = data
    curve, roc = rs.smroc_curve(labels, scores, mid=mid), rs.roc_curve(labels, scores)
    if 0 < curve.mid <= 1:
        assert mid != "paper" or 1 <= scores.sum() <= 2 * labels.sum()
        np.testing.assert_array_equal(curve.fpr, roc.fpr)
        np.testing.assert_array_equal(curve.tpr, roc.tpr)
        assert curve.auc == roc.auc == curve.roc_auc


@given(cases(DECISIONS))
def test_of_decisions_beyond_that_it_is_the_roc_curve_only_if_all_are_alike(data):
    labels, scores = data
    curve, roc = rs.smroc_curve(labels, scores), rs.roc_curve(labels, scores)
    if 0 < curve.mid <= 1:
        return
    alike = np.array_equal(curve.fpr, roc.fpr) and np.array_equal(curve.tpr, roc.tpr)
    assert alike == (np.unique(scores).size == 1)


@given(cases(ANY), MIDS)
def test_there_is_credit_and_debit_whenever_mid_is_in_0_1(data, mid):
    curve = rs.smroc_curve(*data, mid=mid)
    if 0 < curve.mid <= 1:
        assert curve.total_credit > 0 < curve.total_debit
        assert 0 <= curve.auc <= 1
        assert 0 <= curve.chance_auc <= 1


@given(cases(balanced=True))
def test_swapping_classes_of_equal_size_changes_nothing_unless_a_score_is_at_mid(data):
    labels, scores = data
    curve, swapped = rs.smroc_curve(labels, scores), rs.smroc_curve(~labels, 1 - scores)
    assume(curve.mid == 0.5 or curve.mid not in scores)
    assert swapped.mid == pytest.approx(1 - curve.mid, abs=1e-15)
    assert swapped.auc == pytest.approx(curve.auc, abs=1e-13, nan_ok=True)


@given(cases())
def test_swapping_classes_changes_nothing_if_mid_is_one_half(data):
    labels, scores = data
    curve = rs.smroc_curve(labels, scores, mid=0.5)
    assert rs.smroc_curve(~labels, 1 - scores, mid=0.5).auc == pytest.approx(curve.auc, abs=1e-13)


@given(cases(ANY), MIDS, st.randoms())
def test_the_order_of_cases_does_not_matter(data, mid, random):
    labels, scores = data
    order = list(range(labels.size))
    random.shuffle(order)
    curve, other = (rs.smroc_curve(labels[rows], scores[rows], mid=mid) for rows in (..., order))
    assert (curve.mid, curve.chance_auc) == (other.mid, other.chance_auc) or math.isnan(curve.chance_auc)
    np.testing.assert_array_equal(curve.credit[order], other.credit)
    np.testing.assert_array_equal(curve.credit_up, other.credit_up)
    np.testing.assert_array_equal(curve.credit_right, other.credit_right)
    assert curve.auc == other.auc or math.isnan(curve.auc)


@given(cases(ANY), MIDS, st.data())
def test_a_whole_weight_is_a_number_of_repetitions(data, mid, draw):
    labels, scores = data
    times = np.array(draw.draw(st.lists(st.integers(1, 3), min_size=labels.size, max_size=labels.size)))
    weighted = rs.smroc_curve(labels, scores, mid=mid, sample_weight=times)
    repeated = rs.smroc_curve(np.repeat(labels, times), np.repeat(scores, times), mid=mid)
    assert weighted.mid == repeated.mid
    np.testing.assert_array_equal(np.repeat(weighted.credit, times), repeated.credit)
    for name in ("fpr", "tpr", "auc", "chance_auc", "roc_auc"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), atol=1e-13)
    counts = [dict(curve.appropriateness.to_dict()) for curve in (weighted, repeated)]
    assert counts[0]["high_positives"] == counts[1]["high_positives"]
    assert counts[0]["share"] == pytest.approx(counts[1]["share"])


@given(cases(ANY), MIDS, st.data())
def test_weighted_area_is_the_weighted_pair_formula(data, mid, draw):
    labels, scores = data
    weight = st.one_of(st.sampled_from([0.25, 1.0, 3.0]), st.floats(1e-3, 1e3))
    weights = np.array(draw.draw(st.lists(weight, min_size=labels.size, max_size=labels.size)))
    _, credit, times = exact_credit(labels, scores, mid, weights)
    found = rs.smroc_curve(labels, scores, mid=mid, sample_weight=weights).auc
    exact = exact_area(scores, credit, times)
    if exact is not None:
        assert found == pytest.approx(float(exact), rel=1e-11, abs=1e-13)


@given(cases())
def test_low_scores_may_speak_for_the_positive_class(data):
    labels, scores = data
    low, high = rs.smroc_curve(labels, scores, higher_is_positive=False), rs.smroc_curve(labels, 1 - scores)
    np.testing.assert_array_equal(low.credit, high.credit)
    np.testing.assert_array_equal(low.fpr, high.fpr)
    np.testing.assert_array_equal(low.thresholds[1:], 1 - high.thresholds[1:])
    assert low.thresholds[0] == -np.inf
    assert (low.mid, low.chance_auc) == (high.mid, high.chance_auc)


@given(cases(ANY, max_per_class=5), MIDS)
def test_chance_level_is_the_area_of_the_credit_that_cases_earn_on_average(data, mid):
    labels, scores = data
    exact, _, times = exact_credit(labels, scores, mid)
    share = Fraction(int(labels.sum()), labels.size)
    as_positive = [Fraction(s) if s >= exact else 1 - Fraction(s) for s in scores.tolist()]
    mean_credit = [share * c + (1 - share) * (1 - c) for c in as_positive]
    assert_area(rs.smroc_curve(labels, scores, mid=mid).chance_auc, exact_area(scores, mean_credit, times))


@given(cases(balanced=True, values=ANY))
def test_chance_is_one_half_for_balanced_classes_and_mid_one_half(data):
    assert rs.smroc_curve(*data, mid=0.5).chance_auc == pytest.approx(0.5, abs=1e-15)


@given(cases(max_per_class=3), st.sampled_from(["clipped", 0.25, 0.5]))
def test_chance_level_is_the_mean_over_all_permutations_up_to_1_over_n(data, mid):
    labels, scores = data
    curve = rs.smroc_curve(labels, scores, mid=mid)
    assume(curve.mid > 0)
    n, areas = labels.size, []
    for chosen in itertools.combinations(range(n), int(labels.sum())):
        dealt = np.isin(np.arange(n), chosen)
        areas.append(rs.smroc_curve(dealt, scores, mid=curve.mid).auc)
    assert abs(np.mean(areas) - curve.chance_auc) <= 0.5 / n


@given(cases(ANY, max_per_class=4), st.data())
def test_profile_is_constant_between_scores_and_exact_everywhere(data, draw):
    curve = rs.smroc_curve(*data)
    profile = curve.mid_profile()
    assert profile.after[0] == 0
    assert profile.mid[-1] == 1
    np.testing.assert_array_equal(profile.after[1:], profile.mid[:-1])
    for after, mid, auc, chance in zip(
        profile.after, profile.mid, profile.auc, profile.chance_auc, strict=True
    ):
        inside = draw.draw(st.floats(after, mid, exclude_min=True), label="Mid")
        for own in (inside, mid):
            there = curve.with_mid(own)
            assert there.auc == pytest.approx(auc, abs=1e-13)
            assert there.chance_auc == pytest.approx(chance, abs=1e-13)


@given(cases(ANY), st.lists(st.one_of(EIGHTHS, st.floats(-1, 2)), min_size=1, max_size=5))
def test_profile_at_chosen_mids_is_that_of_their_curves(data, mids):
    curve = rs.smroc_curve(*data)
    profile = curve.mid_profile(mids)
    assert profile.mid.tolist() == mids
    expected = [curve.with_mid(mid) for mid in mids]
    np.testing.assert_allclose(profile.auc, [own.auc for own in expected], atol=1e-13)
    np.testing.assert_allclose(profile.chance_auc, [own.chance_auc for own in expected], atol=1e-13)


@given(cases(ANY), MIDS)
def test_appropriateness_counts_every_case_once_and_holds_all_credit(data, mid):
    labels, scores = data
    curve = rs.smroc_curve(labels, scores, mid=mid)
    exact, credit, _ = exact_credit(labels, scores, mid)
    found, is_high = curve.appropriateness, np.array([Fraction(s) >= exact for s in scores.tolist()])
    for cell, chosen in {
        "high_positives": labels & is_high,
        "low_negatives": ~labels & ~is_high,
        "low_positives": labels & ~is_high,
        "high_negatives": ~labels & is_high,
    }.items():
        assert getattr(found, cell) == chosen.sum()
        own = sum(c for c, mine in zip(credit, chosen, strict=True) if mine)
        assert found.credits[cell] == pytest.approx(float(own), rel=1e-13)
    together = (found.appropriate + found.inappropriate).tolist()
    assert [sum(column) for column in zip(*together, strict=True)] == [labels.sum(), (~labels).sum()]
    assert found.share == pytest.approx((labels == is_high).mean())


@given(st.lists(cases(max_per_class=5), min_size=1, max_size=4), ANGLES)
def test_area_under_an_average_is_the_mean_area(groups, angle):
    curves = [rs.smroc_curve(*group, mid="clipped") for group in groups]
    assume(all(curve.mid > 0 for curve in curves))
    average = rs.average(curves, rs.AtAngle(angle))
    mean = np.mean([curve.auc for curve in curves])
    assert average.auc == pytest.approx(mean, abs=1e-14)
    trapezium = np.sum(np.diff(average.fpr) * (average.tpr[1:] + average.tpr[:-1])) / 2
    assert trapezium == pytest.approx(mean, abs=1e-12)


@given(st.lists(cases(max_per_class=5), min_size=1, max_size=4), st.floats(0, 1))
def test_vertical_average_is_the_mean_height(groups, fpr):
    curves = [rs.smroc_curve(*group, mid=0.5) for group in groups]
    found = rs.average(curves, "vertical").at_position(fpr)
    assert found.tpr == pytest.approx(np.mean([curve.tpr_at(fpr) for curve in curves]), abs=1e-12)
