"""Pooled curves and threshold averages: spreads, ellipse, grids."""

import math
import warnings

import numpy as np
import pytest
from scipy.stats import f as f_distribution

import rocsteady as rs
from rocsteady.averaging.shared_threshold import ranks


@pytest.fixture(scope="module")
def readers():
    rng = np.random.default_rng(2)
    groups = np.repeat(np.arange(9), 30 + 5 * np.arange(9))
    labels = rng.random(groups.size) < 0.5
    scores = np.clip(
        np.round(3 + rng.normal(size=groups.size) + 1.5 * labels + rng.normal(size=9)[groups]), 1, 7
    )
    return rs.ScoreSet.from_arrays(labels, scores, groups, unit="reader")


def own_rates(score_set, threshold):
    rates = [curve.rates_at(threshold) for curve in rs.roc_curves(score_set)]
    return np.array([(own.fpr, own.tpr) for own in rates])


def test_the_ellipse_is_hotelling_s_region(readers):
    """Its outline is at one distance from the middle, that of the F distribution."""
    average = rs.average(readers, "threshold")
    values = own_rates(readers, 4)
    m, covariance = len(values), np.cov(values.T)
    for level in (0.5, 0.95):
        ellipse = average.ellipse(4, level)
        np.testing.assert_allclose(ellipse.center, values.mean(axis=0), atol=1e-14)
        np.testing.assert_allclose(ellipse.covariance, covariance, atol=1e-14)
        off = np.array([ellipse.fpr, ellipse.tpr]) - ellipse.center[:, None]
        distance = np.einsum("xk,xk->k", off, np.linalg.solve(covariance, off))
        limit = 2 * (m - 1) / (m * (m - 2)) * f_distribution.ppf(level, 2, m - 2)
        np.testing.assert_allclose(distance, limit, rtol=1e-9)
        assert (ellipse.fpr[0], ellipse.tpr[0]) == (ellipse.fpr[-1], ellipse.tpr[-1])
        # not a circle walked twice, nor half of one
        assert ellipse.fpr.min() < ellipse.center[0] < ellipse.fpr.max()
        assert ellipse.tpr.min() < ellipse.center[1] < ellipse.tpr.max()


def test_the_ellipse_reaches_further_than_either_interval(readers):
    """Both rates at once need more than each by itself; so two bars are no region."""
    average = rs.average(readers, "threshold")
    ellipse, point = average.ellipse(4), average.at(threshold=4)
    assert ellipse.fpr.max() > point.fpr_interval.high
    assert ellipse.tpr.min() < point.tpr_interval.low


def test_an_ellipse_without_spread_is_a_point_and_one_with_one_direction_is_a_segment():
    pair = ([1, 1, 0, 0], [4, 3, 2, 1])
    point = rs.average(rs.ScoreSet.from_folds([pair] * 4, design="independent"), "threshold").ellipse(2.5)
    np.testing.assert_allclose(point.fpr, 0, atol=1e-15)
    np.testing.assert_allclose(point.tpr, 1, atol=1e-15)
    pairs = [pair, ([1, 1, 0, 0], [4, 2, 2.4, 1]), ([1, 1, 0, 0], [2, 2, 2.4, 1]), pair]
    segment = rs.average(rs.ScoreSet.from_folds(pairs, design="independent"), "threshold").ellipse(2.5)
    np.testing.assert_allclose(segment.fpr, segment.center[0], atol=1e-8)
    assert segment.tpr.max() - segment.tpr.min() > 0.5


def test_spreads_of_the_pooled_curve(readers):
    """Rows count: the standard error is that of a ratio of sums over groups."""
    average, values = rs.average(readers, "pooled"), own_rates(readers, 4)
    sizes = np.array([[(~own.is_positive).sum(), own.is_positive.sum()] for own in readers])
    weights = sizes / sizes.sum(axis=0)
    rates = average.rates_at(4)
    pooled = (weights * values).sum(axis=0)
    np.testing.assert_allclose([rates.fpr, rates.tpr], pooled, atol=1e-14)
    for found, w, column, mean in zip(
        (rates.fpr_standard_error, rates.tpr_standard_error), weights.T, values.T, pooled, strict=True
    ):
        raw = math.sqrt((w**2) @ (column - mean) ** 2)
        assert raw < found < 1.15 * raw
    np.testing.assert_allclose([rates.fpr_sd, rates.tpr_sd], values.std(axis=0, ddof=1), atol=1e-13)
    assert rates.covariance == pytest.approx(np.cov(values.T)[0, 1], abs=1e-13)


def test_at_equal_sizes_pooled_and_threshold_averages_have_one_spread():
    rng = np.random.default_rng(6)
    labels = np.tile(np.arange(40) < 15, 7)
    score_set = rs.ScoreSet.from_arrays(labels, rng.normal(size=280) + labels, np.repeat(np.arange(7), 40))
    a, b = (rs.average(score_set, method) for method in ("pooled", "threshold"))
    for threshold in (-0.5, 0.3, 1.2):
        one, other = a.rates_at(threshold).to_dict(), b.rates_at(threshold).to_dict()
        for name, value in one.items():
            assert value == (pytest.approx(other[name], abs=1e-13) if name != "rule" else other[name])
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "RS210")
            one, other = a.at(threshold=threshold), b.at(threshold=threshold)
        assert one.tpr_interval.low == pytest.approx(other.tpr_interval.low, abs=1e-12)
    one, other = (x.band(n_resamples=200, seed=3) for x in (a, b))
    np.testing.assert_allclose(one.upper.tpr, other.upper.tpr, atol=1e-9)


def test_a_group_counted_twice_moves_the_spread_not_the_rates(readers):
    average = rs.average(readers, "threshold", group_weights=[2, 1, 1, 1, 1, 1, 1, 1, 1])
    values = own_rates(readers, 4)
    w = np.array([2, 1, 1, 1, 1, 1, 1, 1, 1]) / 10
    rates = average.rates_at(4)
    np.testing.assert_allclose([rates.fpr, rates.tpr], w @ values, atol=1e-14)
    around = values - w @ values
    covariance = (w * around.T) @ around / (1 - (w**2).sum())
    assert rates.covariance == pytest.approx(covariance[0, 1], abs=1e-14)
    assert rates.fpr_sd == pytest.approx(math.sqrt(covariance[0, 0]), abs=1e-14)


def test_rules(readers):
    average = rs.average(readers, "threshold")
    at_least, above = average.rates_at(4), average.rates_at(4, rule=">")
    assert at_least.tpr > above.tpr  # ratings of 4 are there
    assert above.tpr == average.rates_at(4.5).tpr
    assert (at_least.rule, above.rule) == (">=", ">")


# Grids


@pytest.mark.parametrize(("n", "n_points"), [(10, 4), (7, 7), (5, 101), (3500, 30), (2, 2), (1, 5), (6, 3)])
def test_ranks_are_even_and_rounded_half_up(n, n_points):
    from fractions import Fraction

    exact = [Fraction(j * (n - 1), n_points - 1) for j in range(n_points)]
    expected = sorted({math.floor(x + Fraction(1, 2)) for x in exact})
    assert ranks(n, n_points).tolist() == expected
    assert expected[0] == 0
    assert expected[-1] == n - 1


def test_grids_by_rank_do_not_change_with_the_scale_of_the_scores(readers):
    stretched = rs.ScoreSet.from_folds(
        [(own.is_positive, np.exp(own.scores)) for own in readers], design="independent"
    )
    a, b = (rs.average(x, "threshold").grid(5) for x in (readers, stretched))
    np.testing.assert_array_equal(a.fpr, b.fpr)
    np.testing.assert_array_equal(a.tpr, b.tpr)
    assert (a.fpr[0], a.tpr[0], a.fpr[-1], a.tpr[-1]) == (0, 0, 1, 1)
    by_value = [rs.average(x, "threshold").grid(5, by="value") for x in (readers, stretched)]
    assert (by_value[0].fpr != by_value[1].fpr).any()


def test_grids_hold_points_of_the_exact_average(readers):
    average = rs.average(readers, "threshold")
    for by in ("rank", "value"):
        grid = average.grid(4, by=by)
        rates = average.rates_at(grid.thresholds[1:])
        np.testing.assert_array_equal(grid.fpr[1:], rates.fpr)
        np.testing.assert_array_equal(grid.tpr[1:], rates.tpr)
        assert (grid.fpr[0], grid.tpr[0], grid.fpr[-1], grid.tpr[-1]) == (0, 0, 1, 1)
    value = average.grid(4, by="value").thresholds[1:]
    np.testing.assert_allclose(np.diff(value), value[1] - value[0])
    everything = average.grid(10_000)
    np.testing.assert_array_equal(everything.thresholds, average.thresholds)


def test_low_scores_may_be_positive(readers):
    low = rs.ScoreSet.from_folds(
        [(own.is_positive, -own.scores) for own in readers], higher_is_positive=False, design="independent"
    )
    up, down = rs.average(readers, "threshold"), rs.average(low, "threshold")
    assert down.thresholds[0] == -math.inf
    assert (down.rates_at(-4).tpr, down.rates_at(-4, rule="<").tpr) == (
        up.rates_at(4).tpr,
        up.rates_at(4, rule=">").tpr,
    )
    for by in ("rank", "value"):
        np.testing.assert_array_equal(up.grid(5, by=by).tpr, down.grid(5, by=by).tpr)
    assert down.at(threshold=-4).tpr_interval.low == up.at(threshold=4).tpr_interval.low
    assert down.ellipse(-4).fpr[7] == up.ellipse(4).fpr[7]
    a, b = (x.band(n_resamples=100).lower.tpr for x in (up, down))
    np.testing.assert_array_equal(a, b)


def test_integers_beyond_floats_are_ordered_exactly_but_not_looked_up():
    """2**53 and 2**53 + 1 are two scores with one float."""
    big = 2**53
    score_set = rs.ScoreSet.from_folds(
        [(np.array([1, 0]), np.array([big + 1, big]))] * 2, design="independent"
    )
    average = rs.average(score_set, "threshold")
    assert average.auc == 1
    with pytest.raises(rs.RocsteadyError, match="RS048"):
        average.rates_at(float(big))


@pytest.mark.parametrize("weights", [None, [np.ones(3), np.full(2, 2.0)]])
@pytest.mark.parametrize("made", ["scores", "curves", "list"])
@pytest.mark.parametrize("method", ["threshold", "pooled"])
@pytest.mark.parametrize("high", [True, False])
@pytest.mark.filterwarnings("ignore:RS210")
def test_integers_above_2_to_the_53_are_looked_up_as_integers(method, made, weights, high):
    big = 2**53
    pairs = [([1, 0, 0], np.array([big + 1, big, 7])), ([0, 1], np.array([big + 3, big + 2]))]
    scores = rs.ScoreSet.from_folds(
        pairs, sample_weight=weights, higher_is_positive=high, design="independent"
    )
    curves = rs.roc_curves(scores)
    average = rs.average({"scores": scores, "curves": curves, "list": list(curves)}[made], method)
    shifted = [(labels, own - big) for labels, own in pairs]  # the same, where floats are exact
    small = rs.ScoreSet.from_folds(
        shifted, sample_weight=weights, higher_is_positive=high, design="independent"
    )
    same = rs.average(small, method)
    for rule in (">=", ">") if high else ("<=", "<"):
        for at in (7, big - 1, big, big + 1, big + 2, big + 3, big + 4):
            found, expected = average.rates_at(at, rule), same.rates_at(at - big, rule)
            for name in ("fpr", "tpr", "fpr_sd", "tpr_sd", "covariance", "tpr_standard_error"):
                assert getattr(found, name) == getattr(expected, name), (at, rule, name)
            assert found.threshold == at
    assert average.auc == same.auc
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "RS210")  # two groups that agree
        point = average.at(threshold=big + 1)
    assert (point.fpr, point.tpr) == (same.at(threshold=1).fpr, same.at(threshold=1).tpr)
    alone = rs.average([rs.roc_curve(*pairs[0]), rs.roc_curve([1, 0], [8, 7])], "threshold")
    assert alone.rates_at(big).fpr == 0.25
    assert alone.rates_at(big + 1).fpr == 0
    if method == "threshold":
        assert average.ellipse(big + 1).center.tolist() == same.ellipse(1).center.tolist()


def uneven_hosts(seed=3, n_hosts=8):
    """Hosts of very different sizes and shares of attacks."""
    rng = np.random.default_rng(seed)
    sizes = 60 * 2 ** rng.integers(0, 4, n_hosts)
    groups = np.repeat(np.arange(n_hosts), sizes)
    labels = rng.random(groups.size) < np.repeat(rng.uniform(0.1, 0.5, n_hosts), sizes)
    scores = rng.normal(size=groups.size) + 1.3 * labels + 0.4 * rng.normal(size=n_hosts)[groups]
    return rs.ScoreSet.from_arrays(labels, scores, groups, unit="host")


@pytest.mark.parametrize("method", ["threshold", "pooled"])
@pytest.mark.parametrize("share", [0.05, 0.1, 0.37])
def test_a_budget_of_alerts_is_kept_by_these_cases_each_counting_once(method, share):
    given = uneven_hosts()
    average = rs.average(given, method)
    scores = given.columns.scores
    point = average.at(alerts=share)
    called = scores >= point.threshold
    assert called.mean() <= share < (scores >= np.max(scores[~called])).mean()
    assert point.kept.tpr == average.at(threshold=point.threshold).tpr
    assert point.kept.tpr <= point.tpr + 1e-12 <= 1e-9 + average.at(threshold=np.max(scores[~called])).tpr
    n_alerts = int(share * scores.size)
    assert average.at(alerts=n_alerts).threshold == average.at(alerts=n_alerts / scores.size).threshold


@pytest.mark.parametrize("method", ["threshold", "pooled"])
def test_the_error_at_a_budget_of_alerts_is_that_of_hosts_left_out_one_by_one(method):
    given = uneven_hosts(seed=9, n_hosts=24)
    everywhere = rs.average(given, method)
    left_out = [
        rs.average(given.take([name for name in given.groups if name != out]), method).at(alerts=0.2)
        for out in given.groups
    ]
    for name in ("fpr", "tpr"):
        values = np.array([getattr(own, name) for own in left_out])
        jackknife = np.sqrt((values.size - 1) * values.var())
        assert everywhere.at(alerts=0.2)._errors[name] == pytest.approx(jackknife, rel=0.12)


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")  # few cases, for many ties
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("method", ["threshold", "pooled"])
def test_the_threshold_of_a_rate_keeps_to_it(method, seed):
    """It is that of choose_cutoff: the best TPR within an FPR, the least FPR that reaches a TPR."""
    rng = np.random.default_rng(seed)
    labels, groups = np.arange(120) % 3 == 0, np.arange(120) % 5
    scores = rs.ScoreSet.from_arrays(labels, np.round(rng.normal(size=120) + labels, 1), groups)
    average = rs.average(scores, method)
    for rate in (0.05, 0.2, 0.5, 0.8, 0.9):
        budget, found = average.at(fpr=rate), average.at(tpr=rate)
        assert budget.kept.fpr <= rate + 1e-12
        assert budget.threshold == rs.choose_cutoff(average, fpr=rate).threshold
        assert found.threshold == rs.choose_cutoff(average, tpr=rate).threshold
        assert found.kept.tpr >= rate - 1e-12
