"""Limits, p-values and the bound for separated classes."""

import numpy as np
import pytest
from scipy import stats

import rocsteady as rs
from rocsteady.statistics.delong import hanley_mcneil_variance, rank_sum_null_variance
from rocsteady.statistics.limits import (
    Interval,
    logit_limits,
    mean_limits,
    ratio_to_error,
    separated_limits,
    t_quantile,
    two_sided_pvalue,
)


def test_quantiles_and_pvalues_are_scipys():
    assert t_quantile(np.inf, 0.95) == pytest.approx(stats.norm.ppf(0.975), rel=1e-14)
    assert two_sided_pvalue(1.7) == pytest.approx(2 * stats.norm.sf(1.7), rel=1e-13)
    assert two_sided_pvalue(-1.7, df=6.3) == pytest.approx(2 * stats.t.sf(1.7, 6.3), rel=1e-10)
    assert two_sided_pvalue(np.inf) == 0


def test_the_interval_of_a_mean_is_students():
    values = np.array([0.7, 0.75, 0.71, 0.9])
    expected = stats.t.interval(0.9, 3, values.mean(), stats.sem(values))
    assert mean_limits(values, 0.9) == pytest.approx(expected, rel=1e-12)
    assert np.isnan(mean_limits(values[:1], 0.9)).all()


def test_wald_limits_are_clipped():
    curve = rs.roc_curve([1, 1, 1, 0, 0, 0], [5, 4, 1, 3, 2, 0])
    interval, error = curve.auc_interval(method="delong"), curve.auc_standard_error()
    assert interval.high == 1
    assert interval.low == pytest.approx(curve.auc - 1.959963984540054 * error)


def test_logit_limits_are_the_back_transformed_ones():
    auc, error = np.array(0.9), np.array(0.03)
    low, high = logit_limits(auc, t_quantile(np.inf, 0.9) * error, 1 - auc)
    half = stats.norm.ppf(0.95) * 0.03 / (0.9 * 0.1)
    center = np.log(9)
    assert (low, high) == pytest.approx((1 / (1 + np.exp(half - center)), 1 / (1 + np.exp(-half - center))))


def test_the_separated_bound_is_the_probability_of_no_inversion():
    low, high = separated_limits(np.array([1.0, 0.0]), np.array([20, 7]), np.array([50, 9]), 0.9)
    assert low[0] ** 20 == pytest.approx(0.1)
    assert high[0] == 1
    assert low[1] == 0
    assert (1 - high[1]) ** 7 == pytest.approx(0.1)


def test_no_difference_over_no_error_is_no_evidence():
    assert ratio_to_error(0.0, 0.0) == 0
    assert ratio_to_error(-0.1, 0.0) == -np.inf
    assert ratio_to_error(0.3, 0.1) == pytest.approx(3)


def test_variances_from_summaries():
    # SPSS would print .009 for the slides' 300 + 300 cases with AUC .955 under the exponential model.
    assert np.sqrt(hanley_mcneil_variance(np.array(0.955), 300, 300)) == pytest.approx(0.0087, abs=5e-5)
    scores = stats.mannwhitneyu([5, 6, 9, 8], [1, 2, 7], method="asymptotic", use_continuity=False)
    z = (scores.statistic / 12 - 0.5) / np.sqrt(rank_sum_null_variance(4, 3))
    assert two_sided_pvalue(float(z)) == pytest.approx(scores.pvalue)


def test_an_interval_is_one_line():
    assert (
        repr(Interval(0.6, 0.8, 0.95, "logit")) == "Interval(0.6000 to 0.8000, confidence level 0.95, logit)"
    )
    assert "2 intervals" in repr(Interval(np.zeros(2), np.ones(2), 0.95, "logit"))


def test_many_intervals_are_counted_in_the_usual_way():
    limits = np.zeros(2000)
    assert repr(Interval(limits, limits, 0.95, "logit")) == (
        "Interval(2 000 intervals, confidence level 0.95, logit)"
    )
