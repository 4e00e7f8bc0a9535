"""Numerical traps, each with the answer that exact arithmetic gives."""

from fractions import Fraction

import numpy as np
import pytest

import rocsteady as rs
from rocsteady import _kernels
from rocsteady._kernels import reference
from rocsteady.errors import DataError


@pytest.mark.filterwarnings("ignore:RS155")
def test_delong_near_one_keeps_its_digits():
    """One of 500,000 positives loses to 4 of 500,000 negatives; naive moments give 2.2e-22 for 3.2e-22."""
    n, lost = 500_000, 4
    thresholds = [4, 3, 2, 1]
    curve = rs.RocCurve.from_counts(thresholds, [n - 1, n - 1, n, n], [0, lost, lost, n])
    of_positives = Fraction(lost**2, n**4)
    of_negatives = Fraction(lost * (n - lost), n**4 * (n - 1))
    variance = curve.auc_standard_error() ** 2
    assert variance == pytest.approx(float(of_positives + of_negatives), rel=1e-14)
    assert variance == pytest.approx(3.2e-22, rel=1e-4)
    interval = curve.auc_interval(method="logit")
    assert 0 < 1 - interval.low < 1e-9
    assert interval.high > curve.auc


def test_delong_near_one_from_scores():
    n = 50_000
    labels = np.repeat([1, 0], n)
    scores = np.concatenate([np.arange(n) + n + 10, np.arange(n)]).astype(float)
    scores[0], scores[-4:] = 5e4, 5e4 + np.arange(1, 5)  # one positive below four negatives
    curve = rs.roc_curve(labels, scores)
    exact = Fraction(16, n**4) + Fraction(4 * (n - 4), n**4 * (n - 1))
    assert curve.auc_standard_error() ** 2 == pytest.approx(float(exact), rel=1e-13)
    fast, slow = rs.auc_interval(labels, scores), curve.auc_interval()
    assert (fast.low, fast.high) == (slow.low, slow.high)


def test_pair_counts_pass_int32():
    n = 100_000
    assert rs.auc(np.repeat([1, 0], n), np.repeat([1.0, 0.0], n) + np.tile([0, 0.25], n)) == 1


def test_counts_from_a_data_engine_pass_int64():
    n = 4_000_000_000
    curve = rs.RocCurve.from_counts([3, 2, 1], [n, n, n], [0, 1, n])
    assert curve.auc == 1
    half = rs.RocCurve.from_counts([3, 2, 1], [n // 2, n // 2, n], [0, n, n])
    assert half.auc == 0.5
    assert half.hull().true_positives.tolist() == [0, n // 2, n]
    assert half.cost_curve().probability_cost.size > 2
    with pytest.raises(DataError, match="RS047"):  # rather than a wrapped variance
        half.auc_standard_error()


def test_negative_zero_ties_with_zero():
    assert rs.auc([1, 0], [-0.0, 0.0]) == rs.auc([1, 0], [0.0, -0.0]) == 0.5
    assert not np.signbit(rs.roc_curve([1, 0], [-0.0, 1.0]).thresholds[2])


def test_float32_is_widened_exactly():
    scores = np.array([0.1, 0.2, 0.3], dtype=np.float32)
    curve = rs.roc_curve([0, 1, 1], scores)
    assert curve.thresholds[1:].tolist() == [float(s) for s in scores[::-1]]
    assert curve.rates_at(scores[1]).tpr == 1


def test_integers_above_2_to_the_53_keep_their_order():
    big = 2**53
    assert rs.auc([0, 1], np.array([big, big + 1])) == 1
    assert rs.auc([1, 0], np.array([big, big + 1])) == 0
    assert rs.roc_curve([0, 1], np.array([big, big + 1])).true_positives.tolist() == [0, 1, 1]


def test_unsigned_scores_reversed():
    scores = np.array([0, 1, 255], dtype=np.uint8)
    assert rs.auc([1, 0, 0], scores, higher_is_positive=False) == 1
    assert rs.roc_curve([1, 0, 0], scores, higher_is_positive=False).thresholds.tolist() == [
        -np.inf,
        0,
        1,
        255,
    ]


@pytest.mark.parametrize("value", [0.3, np.inf, -np.inf])
def test_a_constant_score_is_exactly_one_half(value):
    labels = np.arange(1001) % 3 == 0
    assert rs.auc(labels, np.full(1001, value)) == 0.5
    assert rs.auc(labels, np.full(1001, value), sample_weight=np.linspace(0.1, 7, 1001)) == 0.5


def test_weights_over_many_orders_of_magnitude():
    rng = np.random.default_rng(1)
    weights = 10.0 ** rng.uniform(-4, 12, 400)
    labels, scores = rng.random(400) < 0.5, rng.integers(0, 40, 400)
    curve = rs.roc_curve(labels, scores, sample_weight=weights)
    for cut in (5, 20, 35):
        share = sum(map(Fraction, weights[labels & (scores >= cut)])) / sum(map(Fraction, weights[labels]))
        assert curve.rates_at(cut).tpr == pytest.approx(float(share), rel=1e-15)


def test_threads_do_not_change_a_bit():
    rng = np.random.default_rng(5)
    labels, scores = rng.random(30_000) < 0.3, np.round(rng.normal(size=30_000), 2)
    weights = rng.exponential(size=30_000)
    first = rs.roc_curve(labels, scores, sample_weight=weights, threads=1)
    for threads in (2, 3, 7):
        other = rs.roc_curve(labels, scores, sample_weight=weights, threads=threads)
        np.testing.assert_array_equal(first.true_positives, other.true_positives)
        assert rs.auc(labels, scores, threads=threads) == rs.auc(labels, scores, threads=1)


def test_the_numpy_kernels_give_the_same_curves(monkeypatch):
    rng = np.random.default_rng(6)
    labels, scores = rng.random(500) < 0.3, np.round(rng.normal(size=500), 1)
    weights = rng.exponential(size=500)

    def everything():
        curve, weighted = rs.roc_curve(labels, scores), rs.roc_curve(labels, scores, sample_weight=weights)
        compared = rs.compare_auc(labels, scores, scores**2, np.abs(scores))
        interval = rs.auc_interval(labels, scores)
        return [
            curve.true_positives,
            weighted.true_positives,
            compared.covariance,
            interval.low,
            rs.auc(labels, scores),
        ]

    here = everything()
    monkeypatch.setattr(_kernels, "kernels", reference)
    for a, b in zip(here, everything(), strict=True):
        np.testing.assert_array_equal(a, b)
