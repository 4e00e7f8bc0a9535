"""The spread between groups and the standard error of their weighted mean, against the textbook and by exact moments."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, f, norm, t

from rocsteady.statistics.groups import (
    covariance_between,
    covariance_of_means,
    degrees_of_freedom,
    effective_number,
    ellipse_radius,
    spread,
)
from rocsteady.statistics.limits import t_quantile

VALUES = st.lists(st.floats(-1, 1), min_size=2, max_size=8)


def shares(*weights):
    return np.array(weights, dtype=float) / sum(weights)


@given(VALUES)
def test_with_equal_weights_it_is_the_textbook(values):
    v = np.array(values)[:, None]
    found = spread(v, np.full(len(values), 1 / len(values)))
    assert found.mean[0] == pytest.approx(np.mean(values), abs=1e-14)
    assert found.sd[0] == pytest.approx(np.std(values, ddof=1), abs=1e-12)
    assert found.standard_error[0] == pytest.approx(
        np.std(values, ddof=1) / math.sqrt(len(values)), abs=1e-12
    )


@pytest.mark.parametrize(
    "weights", [shares(1, 1, 1), shares(1, 2, 5), shares(10, 1, 1, 1), shares(3, 0, 1, 1)]
)
def test_both_variances_are_unbiased_where_groups_scatter_alike(weights):
    """Every group is 0 or 1 with probability 1/2, all outcomes enumerated: variance 1/4, of the mean S / 4."""
    outcomes = np.array(list(product([0.0, 1.0], repeat=weights.size))).T
    found = spread(outcomes, weights)
    assert np.mean(found.sd**2) == pytest.approx(1 / 4, abs=1e-14)
    assert np.mean(found.standard_error**2) == pytest.approx((weights**2).sum() / 4, abs=1e-14)
    assert np.var(found.mean) == pytest.approx((weights**2).sum() / 4, abs=1e-14)


def test_the_standard_error_follows_groups_that_scatter_more():
    """Many groups, half of them small and noisy: the plain formula would be wrong by a third."""
    rng = np.random.default_rng(0)
    sizes = np.tile([10.0, 90.0], 200)
    weights = sizes / sizes.sum()
    values = rng.normal(size=(400, 3000)) / np.sqrt(sizes)[:, None]
    found = spread(values, weights)
    true = math.sqrt((weights**2 / sizes).sum())
    assert np.sqrt(np.mean(found.standard_error**2)) == pytest.approx(true, rel=0.01)
    assert np.std(found.mean) == pytest.approx(true, rel=0.05)
    plain = np.sqrt(np.mean(found.sd**2) * (weights**2).sum())
    assert plain > 1.2 * true


@given(VALUES, st.integers(0, 7))
def test_a_group_of_weight_zero_is_not_there(values, place):
    weights = np.arange(1.0, len(values) + 1)
    place = min(place, len(values))
    more, with_zero = np.insert(values, place, 0.3)[:, None], np.insert(weights, place, 0.0)
    one = spread(np.array(values)[:, None], weights / weights.sum())
    other = spread(more, with_zero / with_zero.sum())
    assert other.sd[0] == pytest.approx(one.sd[0], abs=1e-12)
    assert other.standard_error[0] == pytest.approx(one.standard_error[0], abs=1e-12)


@pytest.mark.parametrize("weights", [np.array([1.0]), np.array([0.0, 1.0, 0.0])])
def test_one_group_has_no_spread(weights):
    found = spread(np.full((weights.size, 2), 0.5), weights)
    assert np.isnan(found.sd).all()
    assert np.isnan(found.standard_error).all()
    assert found.mean.tolist() == [0.5, 0.5]
    assert math.isnan(degrees_of_freedom(weights))
    assert math.isnan(t_quantile(degrees_of_freedom(weights), 0.95))


def test_no_group_with_both_classes_has_no_covariance():
    x, y = shares(1, 1, 0, 0), shares(0, 0, 1, 1)
    deviations = np.ones((4, 1))
    assert np.isnan(covariance_of_means(deviations, deviations, x, y)).all()


def test_covariances_of_equal_weights_are_numpy_s():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 9, 1))
    w = np.full(9, 1 / 9)
    dx, dy = x - x.mean(), y - y.mean()
    expected = np.cov(x.ravel(), y.ravel())[0, 1]
    assert covariance_between(dx, dy, w)[0] == pytest.approx(expected, abs=1e-14)
    assert covariance_of_means(dx, dy, w, w)[0] == pytest.approx(expected / 9, abs=1e-14)


@pytest.mark.parametrize(
    "pair", [(shares(1, 2, 3), shares(3, 1, 1)), (shares(1, 1, 1, 1), shares(5, 1, 1, 1))]
)
def test_the_covariance_of_two_weighted_means_is_unbiased(pair):
    """x and y of a group are equal, 0 or 1 with probability 1/2: Cov of the means is sum(w_x w_y) / 4."""
    wx, wy = pair
    outcomes = np.array(list(product([0.0, 1.0], repeat=wx.size))).T
    found = covariance_of_means(outcomes - wx @ outcomes, outcomes - wy @ outcomes, wx, wy)
    assert np.mean(found) == pytest.approx((wx * wy).sum() / 4, abs=1e-14)


def exact_degrees_of_freedom(weights):
    """Bell & McCaffrey (2002): tr(A)**2 / tr(A A), A = H' diag(w**2) H, H = I - 1 w', in fractions."""
    raw = [Fraction(float(w)) for w in weights]
    w = [own / sum(raw) for own in raw]
    total = sum(own**2 for own in w)
    g = [[(i == j) - a - b + total for j, b in enumerate(w)] for i, a in enumerate(w)]
    trace = sum(a**2 * g[i][i] for i, a in enumerate(w))
    squared = sum(a**2 * b**2 * g[i][j] ** 2 for i, a in enumerate(w) for j, b in enumerate(w))
    return float(trace**2 / squared)


@given(st.lists(st.floats(0.01, 10), min_size=2, max_size=8))
def test_the_degrees_of_freedom_are_those_of_the_quadratic_form(raw):
    w = np.array(raw) / sum(raw)
    assert degrees_of_freedom(w) == pytest.approx(exact_degrees_of_freedom(w), rel=1e-9)
    assert 1 - 1e-9 <= degrees_of_freedom(w) <= w.size - 1 + 1e-9


@pytest.mark.parametrize("raw", [(1, 1e-4), (1, 1e-8), (1e8, 1, 1, 2), (1e6, 1e6, 1, 1), (1e5, *[1] * 50)])
def test_one_group_may_outweigh_all_others(raw):
    w = shares(*raw)
    assert degrees_of_freedom(w) == pytest.approx(exact_degrees_of_freedom(w), rel=1e-9)


@pytest.mark.parametrize("n", [2, 3, 10, 1000])
def test_equal_groups_are_n_effective_groups(n):
    w = np.full(n, 1 / n)
    assert effective_number(w) == pytest.approx(n)
    assert degrees_of_freedom(w) == pytest.approx(n - 1, rel=1e-9)


@pytest.mark.parametrize("df", [1, 2.5, 30])
def test_quantiles(df):
    assert t_quantile(df, 0.9) == pytest.approx(t.ppf(0.95, df), rel=1e-10)
    assert t_quantile(df, 0.9, "normal") == pytest.approx(norm.ppf(0.95), rel=1e-12)


@pytest.mark.parametrize("n", [3, 4, 10, 200])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_ellipse_has_hotelling_s_radius(n, level):
    expected = 2 * (n - 1) / (n * (n - 2)) * f.ppf(level, 2, n - 2)
    assert ellipse_radius(n, n, level) ** 2 == pytest.approx(expected, rel=1e-10)


def test_the_ellipse_of_few_and_of_very_many_groups():
    assert math.isnan(ellipse_radius(2, 2, 0.95))
    assert math.isnan(ellipse_radius(1, 1, 0.95))
    assert ellipse_radius(10**6, 10**6, 0.95) ** 2 * 10**6 == pytest.approx(chi2.ppf(0.95, 2), rel=1e-4)


def test_shares_whose_squares_are_too_small_to_see_leave_one_degree_of_freedom() -> None:
    assert degrees_of_freedom(np.array([1.0, 1e-200])) == 1.0
