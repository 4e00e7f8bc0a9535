"""Laws of averages of curves, for ties, infinities, one-case classes, identical, perfect and worst curves."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import brute_force
import rocsteady as rs
from strategies import ANGLES, equal_sized_groups, group_weights, grouped_scores, rates_near

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS210")

DIRECTIONAL = ("vertical", "horizontal", "diagonal")
ALL = (*DIRECTIONAL, "threshold", "pooled")


def together(groups, **options):
    return rs.ScoreSet.from_folds(groups, positive=True, **options, design="independent")


def area(average):
    """By the trapezium rule."""
    return math.fsum(np.diff(average.fpr) * (average.tpr[1:] + average.tpr[:-1]) / 2)


def areas(groups):
    return [brute_force.auc(*group) for group in groups]


def along(average):
    """Points of a polyline by how far along the path they are; two polylines are one if these agree."""
    return average.fpr + average.tpr, average.fpr


def assert_same_path(a, b, atol=1e-12):
    """As point sets: fpr is a continuous function of fpr + tpr, whatever the vertices."""
    at = np.union1d(along(a)[0], along(b)[0])
    np.testing.assert_allclose(np.interp(at, *along(a)), np.interp(at, *along(b)), atol=atol, rtol=0)


# Areas


@given(grouped_scores(), ANGLES)
def test_the_area_under_an_average_along_any_direction_is_the_mean_area(groups, angle):
    average = rs.average(together(groups), rs.AtAngle(angle))
    mean = float(sum(areas(groups)) / len(groups))
    assert average.auc == pytest.approx(mean, abs=1e-14)
    assert area(average) == pytest.approx(mean, abs=1e-12)


@given(st.data())
def test_with_weights_it_is_the_weighted_mean_area(data):
    groups = data.draw(grouped_scores())
    weights = data.draw(group_weights(len(groups)))
    average = rs.average(together(groups), rs.AtAngle(data.draw(ANGLES)), group_weights=weights)
    mean = float(np.average([float(own) for own in areas(groups)], weights=weights))
    assert average.auc == pytest.approx(mean, abs=1e-13)
    assert area(average) == pytest.approx(mean, abs=1e-12)
    counting = weights[weights > 0]  # a group of weight zero is not in the average
    np.testing.assert_allclose(average.weights, counting / weights.sum(), rtol=1e-15)
    assert average.n_groups == len(average.members) == counting.size


@given(
    grouped_scores(),
    st.floats(0.01, 0.99),
    st.floats(0, 50),
    st.floats(0, 50),
)
def test_averages_at_alarm_rates_and_at_costs_keep_the_area_too(groups, prevalence, of_alarm, of_miss):
    assume(of_alarm > 1e-6 or of_miss > 1e-6)
    costs = rs.AtCosts(false_positive=of_alarm, false_negative=of_miss, prevalence=prevalence)
    for method in (rs.AtAlarmRate(prevalence=prevalence), costs):
        average = rs.average(together(groups), method)
        assert area(average) == pytest.approx(float(sum(areas(groups)) / len(groups)), abs=1e-12)


@given(grouped_scores())
def test_the_area_under_the_threshold_average_is_the_mean_cross_auc(groups):
    average = rs.average(together(groups), "threshold")
    exact = float(brute_force.cross_auc(groups))
    assert average.auc == pytest.approx(exact, abs=1e-12)
    assert area(average) == pytest.approx(exact, abs=1e-12)


@given(grouped_scores())
def test_the_area_under_the_pooled_curve_is_the_mean_cross_auc_weighted_by_rows(groups):
    sizes = [(int(labels.sum()), int((~labels).sum())) for labels, _ in groups]
    totals = [sum(column) for column in zip(*sizes, strict=True)]
    shares = [[Fraction(n[side], totals[side]) for n in sizes] for side in (0, 1)]
    average = rs.average(together(groups), "pooled")
    exact = float(brute_force.cross_auc(groups, *shares))
    assert average.auc == pytest.approx(exact, abs=1e-12)
    everything = [np.concatenate(column) for column in zip(*groups, strict=True)]
    assert average.auc == pytest.approx(rs.auc(*everything), abs=1e-12)


@given(st.data())
def test_the_weighted_threshold_average_has_the_weighted_cross_auc(data):
    groups = data.draw(grouped_scores())
    weights = data.draw(group_weights(len(groups)))
    average = rs.average(together(groups), "threshold", group_weights=weights)
    total = sum(Fraction(w) for w in weights)
    shares = [Fraction(w) / total for w in weights]
    assert average.auc == pytest.approx(float(brute_force.cross_auc(groups, shares, shares)), abs=1e-12)


# Shape


@given(grouped_scores(), st.sampled_from([*ALL, rs.AtAngle(0.3), rs.AtAngle(1.4), rs.Pooled(balanced=True)]))
def test_averages_rise_from_corner_to_corner(groups, method):
    average = rs.average(together(groups), method)
    assert (average.fpr[0], average.tpr[0], average.fpr[-1], average.tpr[-1]) == (0, 0, 1, 1)
    assert (np.diff(average.fpr) >= 0).all()
    assert (np.diff(average.tpr) >= 0).all()
    assert average.fpr.size == average.tpr.size


@given(grouped_scores())
def test_the_equal_error_rate_of_the_diagonal_average_is_the_mean_one(groups):
    average = rs.average(together(groups), "diagonal")
    own = [rs.roc_curve(labels, scores).equal_error_rate for labels, scores in groups]
    assert average.equal_error_rate == pytest.approx(math.fsum(own) / len(own), abs=1e-12)


@given(st.data())
def test_the_weighted_diagonal_average_has_the_weighted_mean_equal_error_rate(data):
    groups = data.draw(grouped_scores())
    weights = data.draw(group_weights(len(groups)))
    average = rs.average(together(groups), "diagonal", group_weights=weights)
    own = [rs.roc_curve(labels, scores).equal_error_rate for labels, scores in groups]
    assert average.equal_error_rate == pytest.approx(np.average(own, weights=weights), abs=1e-12)


@given(grouped_scores(max_groups=1))
def test_a_single_group_is_its_own_average(groups):
    curve = rs.roc_curve(*groups[0])
    for method in (*ALL, rs.AtAngle(0.4)):
        assert_same_path(rs.average(together(groups[:1]), method), curve)


@given(grouped_scores(max_groups=1), st.integers(2, 5), ANGLES)
def test_the_average_of_identical_curves_is_that_curve(groups, times, angle):
    curve = rs.roc_curve(*groups[0])
    for method in (*ALL, rs.AtAngle(angle)):
        average = rs.average(together([groups[0]] * times), method)
        assert_same_path(average, curve)


# The exact vertical average


@given(st.data())
def test_the_vertical_average_is_the_mean_of_the_curves_at_every_breakpoint_and_between(data):
    groups = data.draw(grouped_scores())
    weights = data.draw(group_weights(len(groups)))
    average = rs.average(together(groups), "vertical", group_weights=weights)
    total = sum(Fraction(w) for w in weights)
    shares = [Fraction(w) / total for w in weights]
    breaks = sorted({x for group in groups for x, _ in brute_force.vertices(*group)})
    places = breaks + [(a + b) / 2 for a, b in itertools.pairwise(breaks)]
    for at in places:
        lower, upper = (float(mean) for mean in brute_force.vertical_average(groups, shares, at))
        read = float(at)  # correctly rounded, as the one division of a curve's rates is
        assert average.tpr_at(read) == pytest.approx(upper, abs=1e-12)
        assert average.tpr_at(read, side="lower") == pytest.approx(lower, abs=1e-12)
        assert average.at_position(read).value == pytest.approx(upper, abs=1e-12)


@given(grouped_scores())
def test_the_middle_of_a_jump_is_the_mean_of_its_ends(groups):
    score_set = together(groups)
    middle = rs.average(score_set, rs.Vertical(at_jumps="mid"))
    curves = rs.roc_curves(score_set)
    at = np.unique(np.concatenate([curve.fpr for curve in curves]))
    expected = np.mean([(c.tpr_at(at) + c.tpr_at(at, side="lower")) / 2 for c in curves], axis=0)
    np.testing.assert_allclose(middle.at_position(at).value, expected, atol=1e-13, rtol=0)
    np.testing.assert_allclose(middle.at(fpr=at).tpr, expected, atol=1e-13, rtol=0)
    across = rs.average(score_set, rs.Horizontal(at_jumps="mid"))
    at = np.unique(np.concatenate([curve.tpr for curve in curves]))
    expected = np.mean([(c.fpr_at(at) + c.fpr_at(at, side="upper")) / 2 for c in curves], axis=0)
    np.testing.assert_allclose(across.at(tpr=at).fpr, expected, atol=1e-13, rtol=0)


@given(st.data())
def test_points_and_spreads_are_those_of_the_single_curves(data):
    groups = data.draw(grouped_scores(min_groups=2))
    score_set = together(groups)
    curves = rs.roc_curves(score_set)
    for method, own_rate, held in (("vertical", "fpr", "tpr_at"), ("horizontal", "tpr", "fpr_at")):
        average = rs.average(score_set, method)
        at = np.array([data.draw(rates_near(getattr(average, own_rate))) for _ in range(3)])
        values = np.array([getattr(curve, held)(at) for curve in curves])
        point, place = average.at(**{own_rate: at}), average.at_position(at)
        free = "tpr" if own_rate == "fpr" else "fpr"
        np.testing.assert_allclose(getattr(point, free), values.mean(axis=0), atol=1e-13, rtol=0)
        np.testing.assert_array_equal(getattr(point, own_rate), at)
        np.testing.assert_allclose(place.sd, values.std(axis=0, ddof=1), atol=1e-12, rtol=0)
        error = values.std(axis=0, ddof=1) / np.sqrt(len(groups))
        np.testing.assert_allclose(place.standard_error, error, atol=1e-12, rtol=0)
        sign = 1 if free == "tpr" else -1
        np.testing.assert_allclose(sign * place.value, values.mean(axis=0), atol=1e-13, rtol=0)
        np.testing.assert_allclose(getattr(place, free), values.mean(axis=0), atol=1e-13, rtol=0)


@given(grouped_scores())
def test_readings_of_the_polyline_are_the_means_of_the_readings(groups):
    """At the average's own breakpoints, where a curve of floats can be read without rounding the place."""
    score_set = together(groups)
    curves = rs.roc_curves(score_set)
    vertical, horizontal = rs.average(score_set, "vertical"), rs.average(score_set, "horizontal")
    for side in ("upper", "lower"):
        at = np.unique(vertical.fpr)
        expected = np.mean([curve.tpr_at(at, side=side) for curve in curves], axis=0)
        np.testing.assert_allclose(vertical.tpr_at(at, side=side), expected, atol=1e-12, rtol=0)
        at = np.unique(horizontal.tpr)
        expected = np.mean([curve.fpr_at(at, side=side) for curve in curves], axis=0)
        np.testing.assert_allclose(horizontal.fpr_at(at, side=side), expected, atol=1e-12, rtol=0)


@given(grouped_scores(), st.sampled_from([math.pi / 4, math.pi / 6, 1.0]), st.floats(0, 1))
def test_every_point_along_a_direction_is_the_mean_of_points_at_the_same_position(groups, angle, share):
    score_set = together(groups)
    average = rs.average(score_set, rs.AtAngle(angle))
    c, s = math.cos(angle), math.sin(angle)
    at = share * (c + s)
    found = average.at_position(at)
    assert c * found.fpr + s * found.tpr == pytest.approx(at, abs=1e-14)
    values = []
    for curve in rs.roc_curves(score_set):
        u, v = c * curve.fpr + s * curve.tpr, c * curve.tpr - s * curve.fpr
        values.append(np.interp(at, u, v))  # u rises strictly, so there is one value
    assert found.value == pytest.approx(np.mean(values), abs=1e-12)
    assert c * found.tpr - s * found.fpr == pytest.approx(found.value, abs=1e-14)


# Pooling and thresholds


@given(equal_sized_groups())
def test_pooled_and_threshold_averages_are_one_curve_at_equal_sizes(groups):
    score_set = together(groups)
    pooled, threshold = rs.average(score_set, "pooled"), rs.average(score_set, "threshold")
    np.testing.assert_array_equal(pooled.thresholds, threshold.thresholds)
    np.testing.assert_allclose(pooled.fpr, threshold.fpr, atol=1e-14, rtol=0)
    np.testing.assert_allclose(pooled.tpr, threshold.tpr, atol=1e-14, rtol=0)


@given(grouped_scores())
def test_balanced_pooling_is_the_threshold_average(groups):
    balanced = rs.average(together(groups), rs.Pooled(balanced=True))
    threshold = rs.average(together(groups), "threshold")
    np.testing.assert_array_equal(balanced.thresholds, threshold.thresholds)
    np.testing.assert_allclose(balanced.fpr, threshold.fpr, atol=1e-14, rtol=0)
    np.testing.assert_allclose(balanced.tpr, threshold.tpr, atol=1e-14, rtol=0)


@given(grouped_scores())
def test_the_pooled_curve_is_the_curve_of_all_rows(groups):
    pooled = rs.average(together(groups), "pooled")
    curve = rs.roc_curve(*(np.concatenate(column) for column in zip(*groups, strict=True)))
    np.testing.assert_array_equal(pooled.thresholds, curve.thresholds)
    np.testing.assert_array_equal(pooled.fpr, curve.fpr)
    np.testing.assert_array_equal(pooled.tpr, curve.tpr)


@given(grouped_scores(), st.sampled_from([">=", ">"]), st.data())
def test_rates_at_a_threshold_are_the_means_of_the_rates(groups, rule, data):
    average = rs.average(together(groups), "threshold")
    observed = data.draw(st.sampled_from(np.concatenate([scores for _, scores in groups]).tolist()))
    with np.errstate(over="ignore"):
        near = [observed, *(float(np.nextafter(observed, side)) for side in (-np.inf, np.inf)), 0.5]
    for at in near:
        own = [brute_force.rates_at(*group, at, rule) for group in groups]
        found = average.rates_at(at, rule)
        for mean, sd, error, column in (
            (found.fpr, found.fpr_sd, found.fpr_standard_error, [float(x) for x, _ in own]),
            (found.tpr, found.tpr_sd, found.tpr_standard_error, [float(y) for _, y in own]),
        ):
            assert mean == pytest.approx(math.fsum(column) / len(groups), abs=1e-13)
            if len(groups) > 1:
                assert sd == pytest.approx(np.std(column, ddof=1), abs=1e-12)
                assert error == pytest.approx(np.std(column, ddof=1) / math.sqrt(len(groups)), abs=1e-12)
            else:
                assert math.isnan(sd)
                assert math.isnan(error)
        if len(groups) > 1:
            expected = np.cov(np.array(own, dtype=float).T)[0, 1]
            assert found.covariance == pytest.approx(expected, abs=1e-12)


@given(grouped_scores())
def test_the_curve_of_the_threshold_average_is_its_rates_at_its_thresholds(groups):
    average = rs.average(together(groups), "threshold")
    distinct = np.unique(np.concatenate([scores for _, scores in groups]))[::-1]
    np.testing.assert_array_equal(average.thresholds, np.append(np.inf, distinct))
    rates = average.rates_at(distinct)
    np.testing.assert_allclose(rates.fpr, average.fpr[1:], atol=1e-13, rtol=0)
    np.testing.assert_allclose(rates.tpr, average.tpr[1:], atol=1e-13, rtol=0)


# Symmetries


def reflected(groups):
    """Swap the classes and reverse the scores: the curves are mirrored at the falling diagonal."""
    return [(~labels, -scores) for labels, scores in groups]


@given(grouped_scores())
def test_the_horizontal_average_is_the_vertical_one_of_the_reflected_curves(groups):
    horizontal = rs.average(together(groups), "horizontal")
    vertical = rs.average(together(reflected(groups)), "vertical")
    # (fpr, tpr) becomes (1 - tpr, 1 - fpr), walked from the other end.
    mirrored_fpr, mirrored_tpr = 1 - vertical.tpr[::-1], 1 - vertical.fpr[::-1]
    at = np.union1d(horizontal.fpr + horizontal.tpr, mirrored_fpr + mirrored_tpr)
    np.testing.assert_allclose(
        np.interp(at, *along(horizontal)),
        np.interp(at, mirrored_fpr + mirrored_tpr, mirrored_fpr),
        atol=1e-12,
        rtol=0,
    )


@given(grouped_scores())
def test_the_diagonal_average_is_its_own_reflection(groups):
    one, other = rs.average(together(groups), "diagonal"), rs.average(together(reflected(groups)), "diagonal")
    at = np.union1d(one.fpr + one.tpr, 2 - other.fpr - other.tpr)
    mirrored_fpr, mirrored_tpr = 1 - other.tpr[::-1], 1 - other.fpr[::-1]
    np.testing.assert_allclose(
        np.interp(at, *along(one)), np.interp(at, mirrored_fpr + mirrored_tpr, mirrored_fpr), atol=1e-12
    )


@given(grouped_scores(), st.sampled_from([*ALL, rs.AtAngle(0.4), rs.Vertical(at_jumps="mid")]))
def test_reversing_the_scores_and_their_direction_changes_only_the_thresholds(groups, method):
    up = rs.average(together(groups), method)
    down = rs.average(
        together([(labels, -scores) for labels, scores in groups], higher_is_positive=False), method
    )
    np.testing.assert_array_equal(up.fpr, down.fpr)
    np.testing.assert_array_equal(up.tpr, down.tpr)
    if method in ("threshold", "pooled"):
        np.testing.assert_array_equal(up.thresholds, -down.thresholds)
        a, b = up.rates_at(1.0), down.rates_at(-1.0)
        assert (a.fpr, a.tpr, a.rule, b.rule) == (b.fpr, b.tpr, ">=", "<=")


@given(st.data())
def test_the_order_of_the_groups_does_not_matter(data):
    groups = data.draw(grouped_scores(min_groups=2))
    order = data.draw(st.permutations(range(len(groups))))
    weights = data.draw(group_weights(len(groups)))
    for method in (*ALL, rs.AtAngle(data.draw(ANGLES))):
        options = {} if method == "pooled" else {"group_weights": weights}
        moved = {} if method == "pooled" else {"group_weights": weights[list(order)]}
        one = rs.average(together(groups), method, **options)
        other = rs.average(together([groups[i] for i in order]), method, **moved)
        assert one.auc == pytest.approx(other.auc, abs=1e-12)
        assert_same_path(one, other)


def rank_transformed(groups):
    """A rising injective transform of all scores at once, whatever they are."""
    distinct = np.unique(np.concatenate([scores for _, scores in groups]))
    return [(labels, np.searchsorted(distinct, scores) ** 3 - 7.0) for labels, scores in groups]


@given(grouped_scores(), st.sampled_from([*ALL, rs.AtAngle(0.4)]))
def test_a_rising_transform_of_all_scores_changes_nothing(groups, method):
    one = rs.average(together(groups), method)
    other = rs.average(together(rank_transformed(groups)), method)
    np.testing.assert_array_equal(one.fpr, other.fpr)
    np.testing.assert_array_equal(one.tpr, other.tpr)


@given(grouped_scores(kinds=("tied floats",)), st.data())
def test_a_transform_of_each_group_changes_no_average_along_a_direction(groups, data):
    moved = [
        (labels, scores * data.draw(st.sampled_from([0.5, 1.0, 4.0])) + data.draw(st.integers(-20, 20)))
        for labels, scores in groups
    ]
    for method in (*DIRECTIONAL, rs.AtAngle(0.4), rs.AtAlarmRate(prevalence=0.1)):
        one, other = rs.average(together(groups), method), rs.average(together(moved), method)
        np.testing.assert_array_equal(one.fpr, other.fpr)
        np.testing.assert_array_equal(one.tpr, other.tpr)


def test_a_transform_of_each_group_changes_pooled_and_threshold_averages():
    """Two perfect groups, one of them 10 points higher."""
    groups = [
        (np.array([True, False]), np.array([2.0, 1.0])),
        (np.array([True, False]), np.array([12.0, 11.0])),
    ]
    for method in ("pooled", "threshold"):
        assert rs.average(together(groups), method).auc == 0.75
    assert rs.average(together(groups), "vertical").auc == 1


# Weights


@given(st.data())
def test_a_weight_of_two_is_the_group_twice(data):
    groups = data.draw(grouped_scores())
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(groups), max_size=len(groups)))
    repeated = [group for group, n in zip(groups, times, strict=True) for _ in range(n)]
    for method in (*DIRECTIONAL, rs.AtAngle(0.7), "threshold"):
        weighted = rs.average(together(groups), method, group_weights=times)
        assert_same_path(weighted, rs.average(together(repeated), method))


@given(grouped_scores())
def test_a_weight_of_zero_leaves_a_group_out(groups):
    assume(len(groups) > 1)
    weights = [0] + [1] * (len(groups) - 1)
    for method in (*DIRECTIONAL, "threshold"):
        weighted = rs.average(together(groups), method, group_weights=weights)
        assert_same_path(weighted, rs.average(together(groups[1:]), method))


@given(grouped_scores(), st.sampled_from([*DIRECTIONAL, "threshold"]))
def test_weights_can_be_given_in_many_ways(groups, method):
    score_set = together(groups)
    sizes = [int(labels.sum()) for labels, _ in groups]
    expected = rs.average(score_set, method, group_weights="positives")
    np.testing.assert_allclose(expected.weights, np.array(sizes) / sum(sizes), rtol=1e-15)
    for weights in (sizes, np.array(sizes) * 2.5, dict(zip(score_set.names, sizes, strict=True))):
        other = rs.average(score_set, method, group_weights=weights)
        np.testing.assert_allclose(other.tpr, expected.tpr, atol=1e-14, rtol=0)
    curves = rs.average(rs.roc_curves(score_set), method, group_weights="positives")
    np.testing.assert_allclose(curves.tpr, expected.tpr, atol=1e-14, rtol=0)
    negatives = rs.average(score_set, method, group_weights="negatives").weights
    np.testing.assert_allclose(
        negatives, [(~y).sum() / sum((~z).sum() for z, _ in groups) for y, _ in groups]
    )
    rows = rs.average(score_set, method, group_weights="rows").weights
    np.testing.assert_allclose(rows, [y.size / sum(z.size for z, _ in groups) for y, _ in groups])


@given(grouped_scores(), st.data())
def test_whole_row_weights_are_repeated_rows(groups, data):
    times = []
    for labels, _ in groups:
        own = np.array(data.draw(st.lists(st.integers(0, 3), min_size=labels.size, max_size=labels.size)))
        own[np.argmax(labels)] = own[np.argmin(labels)] = 2  # keep both classes
        times.append(own)
    repeated = [(np.repeat(y, n), np.repeat(s, n)) for (y, s), n in zip(groups, times, strict=True)]
    weighted = together(groups, sample_weight=times)
    for method in (*ALL, rs.Pooled(balanced=True), rs.AtAngle(0.7)):
        one, other = rs.average(weighted, method), rs.average(together(repeated), method)
        assert one.auc == pytest.approx(other.auc, abs=1e-12)
        assert_same_path(one, other)
        if method in ("threshold", "pooled"):
            np.testing.assert_array_equal(one.thresholds, other.thresholds)


@given(grouped_scores(), st.data())
def test_the_case_weighted_vertical_average_is_the_covariate_adjusted_roc(groups, data):
    """Janes & Pepe (2009): the share of cases whose placement among their own group's controls is at most t.

    A case at a tie is spread evenly over the ranks it may have, as on the curve.
    """
    average = rs.average(together(groups), "vertical", group_weights="positives")
    at = Fraction(data.draw(st.integers(0, 60)), 60)
    shares = []
    for labels, scores in groups:
        negatives = scores[~labels]
        for score in scores[labels]:
            low = Fraction(int((negatives > score).sum()), negatives.size)
            high = Fraction(int((negatives >= score).sum()), negatives.size)
            inside = Fraction(1) if at >= high else Fraction(0) if at < low else (at - low) / (high - low)
            shares.append(inside)
    expected = float(sum(shares) / len(shares))
    assert average.at(fpr=float(at)).tpr == pytest.approx(expected, abs=1e-12)


# Where the curves come from


@given(grouped_scores(), st.sampled_from([*ALL, rs.AtAngle(0.4), rs.Pooled(balanced=True)]))
def test_scores_curves_and_lists_of_them_have_one_average(groups, method):
    score_set = together(groups)
    curves = rs.roc_curves(score_set)
    expected = rs.average(score_set, method)
    singles = [rs.Scores(labels, scores, positive=True) for labels, scores in groups]
    for other in (curves, list(curves), tuple(curves), singles):
        average = rs.average(other, method)
        assert average.auc == pytest.approx(expected.auc, abs=1e-14)
        np.testing.assert_allclose(average.fpr, expected.fpr, atol=1e-14, rtol=0)
        np.testing.assert_allclose(average.tpr, expected.tpr, atol=1e-14, rtol=0)
        if method in ("threshold", "pooled"):
            np.testing.assert_array_equal(average.thresholds, expected.thresholds)


@given(grouped_scores(kinds=("integers", "unsigned", "float32")), st.sampled_from([*ALL, rs.AtAngle(0.4)]))
def test_the_type_of_the_scores_does_not_matter(groups, method):
    floats = [(labels, scores.astype(float)) for labels, scores in groups]
    one, other = rs.average(together(groups), method), rs.average(together(floats), method)
    np.testing.assert_array_equal(one.fpr, other.fpr)
    np.testing.assert_array_equal(one.tpr, other.tpr)


@pytest.mark.parametrize("method", [*ALL, rs.AtAngle(0.4), rs.Pooled(balanced=True)])
@pytest.mark.parametrize("weights", [None, "positives"])
def test_any_number_of_threads_gives_the_same_bits(method, weights):
    rng = np.random.default_rng(4)
    labels = rng.random(60_000) < 0.2
    scores = (rng.normal(size=labels.size) + labels).round(2)
    score_set = rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(200), 300))
    options = {} if isinstance(method, rs.Pooled) or method == "pooled" else {"group_weights": weights}
    alone = rs.average(score_set, method, threads=1, **options)
    for threads in (2, 3, 7):
        many = rs.average(score_set, method, threads=threads, **options)
        assert many.fpr.tobytes() == alone.fpr.tobytes()
        assert many.tpr.tobytes() == alone.tpr.tobytes()
        assert many.auc == alone.auc
        a, b = (x.band(kind="pointwise", n_resamples=100) for x in (alone, many))
        assert a.lower.tpr.tobytes() == b.lower.tpr.tobytes()


def test_integers_above_two_to_the_53_keep_their_order():
    """As floats the four scores are two."""
    big = 2**53
    groups = [
        (np.array([True, False]), np.array([big + 1, big])),
        (np.array([True, False]), np.array([big + 3, big + 2])),
    ]
    for method in DIRECTIONAL:
        assert rs.average(together(groups), method).auc == 1
    assert rs.average(together(groups), "pooled").auc == 0.75
    assert rs.average(together(groups), "threshold").auc == 0.75
