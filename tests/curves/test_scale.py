"""Only ratios of weights matter, and counts may be as large as integers are."""

from fractions import Fraction

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.counting.table import count_table
from rocsteady.errors import DataError
from rocsteady.scores.scores import Scores
from rocsteady.statistics.resampling import RankedCases, resampled_cases

LARGE = 2**62 + 5


def weighted_counts(positive_scale=1.0, negative_scale=1.0):
    rng = np.random.default_rng(4)
    positives, negatives = np.cumsum(rng.uniform(0.5, 2, (2, 30)), axis=1)
    thresholds = np.arange(30, 0, -1)
    return rs.RocCurve.from_counts(thresholds, positives * positive_scale, negatives * negative_scale)


@pytest.mark.parametrize("exponent", [509, 665, 1000, -535, -565, -1000])
@pytest.mark.parametrize("which", ["both", "positive", "negative"])
def test_areas_do_not_depend_on_the_scale_of_the_weights(exponent, which):
    scale = 2.0**exponent  # exact, so that every digit must agree
    plain = weighted_counts()
    scaled = weighted_counts(
        scale if which != "negative" else 1.0,
        scale if which != "positive" else 1.0,
    )
    assert scaled.auc == plain.auc
    for bounds in ((0, 0.13), (0.2, 0.21), (0.3, 1)):
        assert scaled.partial_auc(fpr=bounds) == plain.partial_auc(fpr=bounds)
        assert scaled.partial_auc(tpr=bounds) == plain.partial_auc(tpr=bounds)
    assert scaled.equal_error_rate == plain.equal_error_rate
    if which == "both":
        assert scaled.precision_recall().average_precision == plain.precision_recall().average_precision


@pytest.mark.parametrize("scale", [1e153, 1e200, 1e-161, 1e-170, 1e-310])
def test_the_auc_of_huge_and_tiny_weights(scale):
    assert weighted_counts(scale, scale).auc == pytest.approx(weighted_counts().auc, rel=1e-12)


@pytest.mark.parametrize("exponent", [509, 665, 1000, -535, -1000])
def test_the_bootstrap_does_not_depend_on_the_scale_of_the_weights(exponent):
    rng = np.random.default_rng(7)
    ranks = rng.integers(0, 20, (2, 25))
    weights = rng.uniform(0.5, 2, (2, 25))

    def resampled(scale):
        return resampled_cases(RankedCases.of_one(*ranks, *(weights * scale)), n_resamples=50)

    assert resampled(2.0**exponent).tolist() == resampled(1.0).tolist()


def test_a_resample_of_tiny_weights_alone_has_an_auc():
    """Weights 1e200 and 1e-200 in one class: products of the small ones vanish."""
    ranks = np.array([0, 2, 4]), np.array([1, 3, 5])
    weights = np.array([1e200, 1e-200, 1e-200])
    aucs = resampled_cases(RankedCases.of_one(*ranks, weights, weights), n_resamples=200)
    assert np.isfinite(aucs).all()


def test_sums_of_weights_that_overflow_are_refused(monkeypatch):
    scores = Scores([1, 0, 1], [3, 2, 1], sample_weight=[1.0, 1.0, 1.0])
    monkeypatch.setattr(
        "rocsteady.counting.table._over_rows",
        lambda *_: (np.array([np.inf, 1]), np.array([0, np.inf]), np.array([0, 1.0]), np.array([0, 2])),
    )
    with pytest.raises(DataError, match=r"RS037.*added up"):
        count_table(scores)


def test_counts_above_2_to_the_62_are_exact():
    n = 2 * LARGE - 20
    curve = rs.RocCurve.from_counts([3, 2, 1], [LARGE, n, n], [0, LARGE, n])
    wins = Fraction(LARGE * (LARGE + n) + (n - LARGE) * 2 * n, 2 * n * n)
    assert curve.auc == float(wins)
    precision = [float(Fraction(a, a + b)) for a, b in ((LARGE, 0), (n, LARGE), (n, n))]
    assert curve.precision_recall().precision[1:].tolist() == precision
    assert curve.partial_auc(fpr=(0, 1)) == pytest.approx(float(wins), rel=1e-15)
    for method in ("logit", "bootstrap"):
        with pytest.raises(DataError, match="RS047"):
            curve.auc_interval(method=method)


def test_a_single_negative_and_counts_above_2_to_the_62():
    """The product is small enough, the sum of two neighbours is not."""
    n = 2**63 - 1
    assert rs.RocCurve.from_counts([2, 1], [n - 1, n], [0, 1]).auc == (2 * n - 1) / (2 * n)


def test_counts_above_int64_are_refused():
    for count in (2**63, 2**70):
        with pytest.raises(ValueError, match=r"RS043.*2\*\*63"):
            rs.RocCurve.from_counts([2, 1], [1, count], [0, 1])
