"""Intervals of a TPR at an FPR and of an FPR at a TPR. pROC's bootstrap limits are in tests/golden."""

import json
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.statistics.limits import clopper_pearson, wilson_limits
from strategies import labelled_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS270", "ignore:RS295")
METHODS = ("score", "exact", "bootstrap")


@given(labelled_scores(min_per_class=2), st.floats(0, 1), st.floats(0.5, 0.99))
@settings(max_examples=25)
def test_limits_lie_in_the_unit_interval_around_the_estimate(data, rate, level):
    curve = rs.roc_curve(*data)
    for method in ("score", "exact"):
        found = curve.tpr_interval(rate, level, method)
        assert 0 <= found.low <= curve.tpr_at(rate) <= found.high <= 1
        found = curve.fpr_interval(rate, level, method)
        assert 0 <= found.low <= curve.fpr_at(rate) <= found.high <= 1


def test_an_end_at_the_estimate_is_no_ulp_off():
    """1 - (1 - 1/3) is less than 1/3: the interval would not hold its own estimate."""
    curve = rs.roc_curve([1] * 5 + [0] * 3, [0] * 7 + [1])
    found = curve.fpr_interval(1e-160, 0.5, "score")
    assert curve.fpr_at(1e-160) == found.high == 1 / 3


@given(labelled_scores(min_per_class=2), st.floats(0, 1))
@settings(max_examples=25)
def test_the_fpr_of_a_curve_is_the_tpr_of_its_mirror(data, rate):
    """Classes change names and scores turn round: FPR at TPR y becomes 1 - TPR at FPR 1 - y."""
    labels, scores = data
    places = np.unique(scores, return_inverse=True)[1].reshape(-1)
    curve, mirror = rs.roc_curve(labels, places), rs.roc_curve(~labels, -places)
    for method in ("score", "exact"):
        found, mirrored = (
            curve.fpr_interval(rate, method=method),
            mirror.tpr_interval(1 - rate, method=method),
        )
        assert (found.low, found.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low), abs=1e-9)


@given(labelled_scores(min_per_class=2), st.floats(0.6, 0.98))
@settings(max_examples=15)
def test_a_higher_level_is_wider_and_any_increasing_transform_the_same(data, level):
    labels, scores = data
    curve = rs.roc_curve(labels, scores)
    ranked = rs.roc_curve(labels, np.unique(scores, return_inverse=True)[1].reshape(-1))
    for method in METHODS:
        asked = {"method": method, "n_resamples": 50, "seed": 3}
        narrow, wide = (curve.tpr_interval([0.2, 0.6], of, **asked) for of in (level, (1 + level) / 2))
        assert (wide.low <= narrow.low + 1e-12).all()
        assert (wide.high >= narrow.high - 1e-12).all()
        assert (ranked.tpr_interval([0.2, 0.6], level, **asked).low == narrow.low).all()


def test_more_cases_are_narrower():
    rng = np.random.default_rng(0)
    widths = []
    for n in (100, 400, 1600):
        labels = np.arange(n) % 2 == 0
        curve = rs.roc_curve(labels, rng.normal(size=n) + 1.5 * labels)
        found = [curve.tpr_interval(0.2, method=method) for method in METHODS]
        widths.append([interval.high - interval.low for interval in found])
    assert (np.diff(widths, axis=0) < 0).all()


def binormal_samples(n_positives, n_negatives, distance, n_samples, seed):
    rng = np.random.default_rng(seed)
    labels = np.arange(n_positives + n_negatives) < n_positives
    for _ in range(n_samples):
        yield rs.roc_curve(labels, rng.normal(size=labels.size) + distance * labels)


@pytest.mark.parametrize(("n_positives", "n_negatives", "distance"), [(30, 200, 2.5), (200, 40, 1.0)])
def test_the_usual_interval_keeps_its_level(n_positives, n_negatives, distance):
    """200 samples of binormal scores, four standard errors allowed."""
    from scipy.special import ndtr, ndtri

    at = np.array([0.05, 0.1, 0.3])
    true_tpr, true_fpr = ndtr(distance + ndtri(at)), ndtr(ndtri(1 - at) - distance)
    held = np.zeros((2, 3))
    for curve in binormal_samples(n_positives, n_negatives, distance, 200, seed=1):
        of_tpr, of_fpr = curve.tpr_interval(at), curve.fpr_interval(1 - at)
        held[0] += (of_tpr.low <= true_tpr) & (true_tpr <= of_tpr.high)
        held[1] += (of_fpr.low <= true_fpr) & (true_fpr <= of_fpr.high)
    assert (held / 200 > 0.95 - 4 * math.sqrt(0.05 * 0.95 / 200)).all()


def test_one_negative_beyond_the_threshold_is_enough_but_not_to_resample():
    """n_N * fpr = 1: percentiles cover too little, and a warning says so; the other two methods hold."""
    from scipy.special import ndtr, ndtri

    truth, held = float(ndtr(1.2 + ndtri(0.05))), dict.fromkeys(METHODS, 0)
    for curve in binormal_samples(200, 20, 1.2, 150, seed=2):
        for method in METHODS:
            found = curve.tpr_interval(0.05, method=method, n_resamples=200)
            held[method] += found.low <= truth <= found.high
    assert held["bootstrap"] < 0.85 * 150
    assert min(held["score"], held["exact"]) > (0.95 - 4 * math.sqrt(0.05 * 0.95 / 150)) * 150
    with pytest.warns(UserWarning, match="RS295"):
        curve.tpr_interval(0.05, method="bootstrap")


def test_RS295_is_about_both_rates():
    labels, scores = np.repeat([1, 0], 40), np.concatenate([np.arange(40) + 25, np.arange(40)])
    curve = rs.roc_curve(labels, scores)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for method in ("score", "exact"):
            curve.tpr_interval([0.01, 0.99], method=method)
            curve.fpr_interval([0.01, 0.99], method=method)
        rs.roc_curve(labels, scores % 31).tpr_interval(
            [0.25, 0.75], method="bootstrap"
        )  # 10 of 40 are enough
    for rate in (0.2, 0.8, 0.5):  # 8 of 40 on one side; all positives on one side
        with pytest.warns(UserWarning, match="RS295"):
            curve.tpr_interval(rate, method="bootstrap")


def test_proportions_have_the_usual_limits():
    """Wilson and Clopper-Pearson for 9 of 10: Brown, Cai & DasGupta (2001) and R's binom.test(9, 10)."""
    low, high = wilson_limits(np.array(0.9), 10, 1.959963984540054)
    assert (float(low), float(high)) == pytest.approx((0.5958499739, 0.9821237869), abs=1e-9)
    low, high = clopper_pearson(np.array(0.9), 10, 0.05)
    assert (float(low), float(high)) == pytest.approx((0.5549839, 0.9974714), abs=1e-7)
    assert [float(x) for x in clopper_pearson(np.array(1.0), 10, 0.05)] == pytest.approx(
        [0.6915029, 1.0], abs=1e-7
    )


def test_shapes_and_refusals():
    labels, scores = np.repeat([1, 0], 40), np.concatenate([np.arange(40) + 25, np.arange(40)])
    curve = rs.roc_curve(labels, scores)
    for method in METHODS:
        assert isinstance(curve.tpr_interval(0.2, method=method).low, float)
        assert curve.tpr_interval([[0.2, 0.3]], method=method).low.shape == (1, 2)
        assert json.loads(json.dumps(curve.tpr_interval([0.2], method=method).to_dict()))["method"] == method
    with pytest.raises(UsageError, match="RS001"):
        curve.tpr_interval(0.2, method="delong")
    with pytest.raises(UsageError, match="RS042"):
        curve.tpr_interval(1.2)
    with pytest.raises(UsageError, match="RS042"):
        curve.fpr_interval(0.2, confidence_level=95)
    with pytest.raises(UsageError, match="RS002"):
        curve.hull().tpr_interval(0.2)
    weighted = rs.roc_curve(labels, scores, sample_weight=np.linspace(1, 2, 80))
    with pytest.raises(UsageError, match=r"RS038(.|\n)*fpr_interval\(..., method='bootstrap'\)"):
        weighted.fpr_interval(0.9)
    found = weighted.fpr_interval(0.9, method="bootstrap")
    assert 0 <= found.low < weighted.fpr_at(0.9) < found.high <= 1
