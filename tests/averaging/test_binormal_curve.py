"""The binormal fit of one set of scores, with its intervals."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

import rocsteady as rs
from rocsteady.errors import UsageError
from strategies import labelled_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS231", "ignore:RS232", "ignore:RS233")
LABELS = [1] * 10 + [0] * 10
RATINGS = [5, 5, 4, 4, 4, 3, 3, 2, 2, 5, 3, 3, 2, 2, 1, 1, 1, 2, 4, 1]


@given(labelled_scores(min_per_class=3, kinds=("tied floats", "integers")), st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_only_the_order_of_the_scores_matters(data, random):
    labels, scores = data
    order = list(range(labels.size))
    random.shuffle(order)
    fit, other = (
        rs.fit_binormal(labels, scores),
        rs.fit_binormal(labels[order], np.exp(scores[order].astype(float))),
    )
    assert (fit.a, fit.b, fit.status) == (other.a, other.b, other.status)
    assert fit.auc == pytest.approx(float(ndtr(fit.a / math.sqrt(1 + fit.b**2))))


@given(labelled_scores(min_per_class=3), st.floats(0.5, 0.99))
@settings(max_examples=15)
def test_intervals_hold_their_estimates(data, level):
    fit = rs.fit_binormal(*data, confidence_level=level)
    at = np.array([0.05, 0.5, 0.9])
    pairs = [
        (fit.a, fit.a_interval),
        (fit.b, fit.b_interval),
        (fit.auc, fit.auc_interval),
        (fit.tpr_at(at), fit.tpr_interval(at)),
        (fit.fpr_at(at), fit.fpr_interval(at)),
    ]
    for value, interval in pairs:
        known = ~np.isnan(interval.low)
        assert (np.asarray(interval.low <= value + 1e-12) | ~known).all()
        assert (np.asarray(value - 1e-12 <= interval.high) | ~known).all()
    assert fit.fpr_at(fit.tpr_at(0.3)) == pytest.approx(0.3, abs=1e-6)


def test_the_errors_are_those_of_the_inverse_information():
    """By numerical second derivatives of the likelihood of the categories, cut-offs and all."""
    rng = np.random.default_rng(1)
    labels = np.arange(4000) % 2 == 0
    ratings = np.digitize(
        rng.normal(size=4000) * np.where(labels, 1.4, 1.0) + 1.5 * labels, [-0.5, 0.4, 1.2, 2.4]
    )
    fit = rs.fit_binormal(labels, ratings)

    def minus_log_likelihood(state):
        a, log_b, z = state[0], state[1], state[2:]
        total = 0.0
        for own, edges in ((~labels, z), (labels, a + math.exp(log_b) * z)):
            cells = np.diff(np.concatenate([[0.0], ndtr(edges), [1.0]]))
            total -= np.sum(np.bincount(4 - ratings[own], minlength=5) * np.log(cells))
        return total

    from scipy.optimize import minimize

    start = np.array([fit.a, math.log(fit.b), *ndtri([0.05, 0.2, 0.4, 0.7])])
    best = minimize(
        minus_log_likelihood,
        start,
        method="Nelder-Mead",
        options={"maxiter": 20000, "xatol": 1e-9, "fatol": 1e-11, "adaptive": True},
    ).x
    assert (fit.a, fit.b) == pytest.approx((best[0], math.exp(best[1])), abs=1e-4)
    step, n = 1e-3, best.size
    hessian = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            signs = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
            unit = np.eye(n) * step
            values = [minus_log_likelihood(best + s * unit[i] + t * unit[j]) for s, t in signs]
            hessian[i, j] = (values[0] - values[1] - values[2] + values[3]) / (4 * step**2)
    observed = np.linalg.inv(hessian)[:2, :2]
    np.testing.assert_allclose(fit.covariance, observed, rtol=0.06, atol=1e-5)  # expected against observed


def test_intervals_keep_their_level_on_binormal_scores():
    """120 samples of 40 + 40; a, b, the area and the TPR at FPR .1; the whole curve in the simultaneous band."""
    rng = np.random.default_rng(3)
    labels, n_samples = np.arange(80) % 2 == 0, 120
    a, b = 1.4, 0.8
    truths = (a, b, ndtr(a / math.sqrt(1 + b**2)), ndtr(a + b * ndtri(0.1)))
    held, whole = np.zeros(4), 0
    for _ in range(n_samples):
        fit = rs.fit_binormal(labels, np.where(labels, rng.normal(size=80) + a, b * rng.normal(size=80)))
        intervals = (fit.a_interval, fit.b_interval, fit.auc_interval, fit.tpr_interval(0.1))
        held += [i.low <= truth <= i.high for i, truth in zip(intervals, truths, strict=True)]
        band = fit.band(kind="simultaneous")
        truth = ndtr(a + b * ndtri(band.lower.fpr))
        whole += ((band.lower.tpr <= truth) & (truth <= band.upper.tpr)).all()
    least = 0.95 - 4 * math.sqrt(0.05 * 0.95 / n_samples)
    assert (held / n_samples > least).all()
    assert whole / n_samples > least


def test_pointwise_and_simultaneous_bands():
    fit = rs.fit_binormal(LABELS, RATINGS)
    point, whole = fit.band(), fit.band(kind="simultaneous")
    intervals = fit.tpr_interval(point.middle.fpr)
    np.testing.assert_allclose(point.lower.tpr, intervals.low)
    np.testing.assert_allclose(point.upper.tpr, intervals.high)
    assert (whole.lower.tpr <= point.lower.tpr).all()
    assert (whole.upper.tpr >= point.upper.tpr).all()
    assert whole.upper.tpr[0] > point.upper.tpr[0] > fit.band(0.5).upper.tpr[0]
    assert (fit.tpr_interval([0, 1]).low.tolist(), fit.tpr_interval([0, 1]).high.tolist()) == ([0, 1], [0, 1])


def test_fits_that_need_help_say_so():
    with pytest.warns(UserWarning, match="RS231"):
        rs.fit_binormal([1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1])
    with pytest.warns(UserWarning, match="RS232"):
        one = rs.fit_binormal([1, 1, 1, 0, 0, 0, 1, 0], [1, 1, 0, 0, 0, 1, 1, 0])
    assert one.b == 1
    assert math.isnan(one.b_interval.low)
    assert one.auc_interval.low < one.auc < one.auc_interval.high  # with b = 1 taken as known
    rng = np.random.default_rng(0)
    labels = np.arange(400) % 2 == 0
    with pytest.warns(UserWarning, match="RS233"):
        hooked = rs.fit_binormal(labels, np.where(labels, 3.0, 1.0) * rng.normal(size=400) + 0.5 * labels)
    assert "below the chance line" in hooked.reading


def test_refusals_and_plain_data():
    fit = rs.fit_binormal(rs.roc_curve(LABELS, RATINGS))
    assert fit.a == rs.fit_binormal(LABELS, RATINGS).a
    plain = json.loads(json.dumps(fit.to_dict(), allow_nan=False))
    assert plain["auc"] == fit.auc
    assert "random samples" in plain["reading"]
    assert "\n" not in repr(fit)
    with pytest.raises(UsageError, match="RS038"):
        rs.fit_binormal(rs.roc_curve(LABELS, RATINGS, sample_weight=np.linspace(1, 2, 20)))
    with pytest.raises(UsageError, match="RS002"):
        rs.fit_binormal(rs.roc_curve(LABELS, RATINGS).hull())
    with pytest.raises(UsageError, match="RS042"):
        rs.fit_binormal(LABELS, RATINGS, confidence_level=95)


def test_scores_that_are_all_the_same_are_said_to_fit_nothing():
    with pytest.warns(UserWarning, match="RS232: all scores are the same"):
        fit = rs.fit_binormal([1, 1, 0, 0], [2.0] * 4)
    assert fit.auc == 0.5
    assert np.isnan(fit.auc_interval.low)
