"""Laws of variances, intervals and comparisons of AUCs."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import brute_force
import rocsteady as rs
from strategies import labelled_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS151", "ignore:RS154")


@given(labelled_scores(min_per_class=2))
def test_delong_from_counts_is_delong_from_the_definition(data):
    labels, scores = data
    exact = float(brute_force.delong_covariance(labels, scores, scores))
    curve = rs.roc_curve(labels, scores)
    assert curve.auc_standard_error() ** 2 == pytest.approx(exact, rel=1e-12, abs=0)


@given(labelled_scores())
def test_spss_variance_from_counts_is_the_counted_definition(data):
    labels, scores = data
    exact = float(brute_force.nonparametric_variance(labels, scores))
    error = rs.roc_curve(labels, scores).auc_standard_error("nonparametric")
    assert error**2 == pytest.approx(exact, rel=1e-12, abs=1e-18)


@given(labelled_scores())
def test_hanley_mcneil_needs_only_the_auc(data):
    labels, scores = data
    curve = rs.roc_curve(labels, scores)
    a, n_p, n_n = curve.auc, curve.n_positives, curve.n_negatives
    q1, q2 = a / (2 - a), 2 * a**2 / (1 + a)
    variance = (a * (1 - a) + (n_p - 1) * (q1 - a**2) + (n_n - 1) * (q2 - a**2)) / (n_p * n_n)
    assert curve.auc_standard_error("hanley-mcneil") ** 2 == pytest.approx(variance, abs=1e-15)


@given(labelled_scores(min_per_class=2), st.floats(0.5, 0.99))
def test_the_fast_interval_is_the_curves_interval(data, level):
    labels, scores = data
    for method in ("logit", "delong"):
        fast = rs.auc_interval(labels, scores, method=method, confidence_level=level)
        slow = rs.roc_curve(labels, scores).auc_interval(level, method)
        assert (fast.low, fast.high, fast.method) == (slow.low, slow.high, slow.method)


@given(labelled_scores(min_per_class=2))
def test_intervals_lie_in_the_unit_interval_and_hold_the_auc(data):
    labels, scores = data
    curve = rs.roc_curve(labels, scores)
    for method in ("logit", "delong", "guarded"):
        interval = curve.auc_interval(method=method)
        # Rounding of expit(logit(A)) may move a limit of width zero by an ulp.
        assert 0 <= interval.low <= curve.auc + 1e-15
        assert curve.auc - 1e-15 <= interval.high <= 1


@given(labelled_scores(min_per_class=2))
def test_intervals_of_swapped_classes_are_mirrored(data):
    labels, scores = data
    for method in ("logit", "delong"):
        interval = rs.auc_interval(labels, scores, method=method)
        mirrored = rs.auc_interval(~labels, scores, method=method)
        assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx(
            (interval.low, interval.high), abs=1e-12
        )


@given(labelled_scores(min_per_class=2), st.integers(0, 2**32))
def test_the_bootstrap_depends_on_the_seed_alone(data, seed):
    labels, scores = data
    options = {"method": "bootstrap", "seed": seed, "n_resamples": 100}
    first = rs.auc_interval(labels, scores, threads=1, **options)
    second = rs.auc_interval(labels, scores, threads=3, **options)
    assert (first.low, first.high) == (second.low, second.high)
    assert 0 <= first.low <= first.high <= 1


@given(labelled_scores(min_per_class=2))
def test_weights_of_one_bootstrap_like_no_weights(data):
    labels, scores = data
    options = {"method": "bootstrap", "n_resamples": 100}
    plain = rs.auc_interval(labels, scores, **options)
    weighted = rs.auc_interval(labels, scores, sample_weight=np.ones(labels.size), **options)
    # The same rows are drawn when they are in the same order, so put them in the curve's order.
    order = np.argsort(scores, kind="stable")[::-1]
    sorted_rows = rs.auc_interval(labels[order], scores[order], sample_weight=np.ones(labels.size), **options)
    assert (sorted_rows.low, sorted_rows.high) == pytest.approx((plain.low, plain.high), abs=1e-12)
    assert 0 <= weighted.low <= weighted.high <= 1


@given(labelled_scores(min_per_class=2), st.randoms(use_true_random=False))
def test_paired_comparison_is_delong_from_the_definition(data, random):
    labels, scores = data
    other = scores.copy()
    random.shuffle(other)
    found = rs.compare_auc(labels, scores, other)
    pairs = [(scores, scores), (scores, other), (other, scores), (other, other)]
    exact = [brute_force.delong_covariance(labels, a, b) for a, b in pairs]
    np.testing.assert_allclose(found.covariance.ravel(), [float(c) for c in exact], rtol=1e-12, atol=1e-18)
    assert found.difference == float(brute_force.auc(labels, scores) - brute_force.auc(labels, other))
    variance = exact[0] + exact[3] - 2 * exact[1]
    assert found.standard_error**2 == pytest.approx(float(variance), rel=1e-9, abs=1e-16)


@given(labelled_scores(min_per_class=2), st.randoms(use_true_random=False))
def test_changing_places_changes_the_sign(data, random):
    labels, scores = data
    other = scores.copy()
    random.shuffle(other)
    for paired in (True, False):
        ab = rs.compare_auc(labels, scores, other, paired=paired)
        ba = rs.compare_auc(labels, other, scores, paired=paired)
        assert ab.statistic == -ba.statistic
        assert ab.pvalue == ba.pvalue
        assert (ab.interval.low, ab.interval.high) == (-ba.interval.high, -ba.interval.low)


@given(labelled_scores(min_per_class=3, kinds=("tied floats", "integers")), st.randoms(use_true_random=False))
def test_the_chi_square_of_two_distinct_curves_is_z_squared_whatever_is_repeated(data, random):
    labels, scores = data
    other = scores.copy()
    random.shuffle(other)
    two = rs.compare_auc(labels, scores, other)
    assume(two.standard_error > 1e-3)
    three = rs.compare_auc(labels, scores, other, scores)  # rank-deficient: two of the three are one
    assert three.df == 1
    assert three.statistic == pytest.approx(two.statistic**2, rel=1e-7, abs=1e-12)
    assert three.pvalue == pytest.approx(two.pvalue, rel=1e-6)


@given(labelled_scores(min_per_class=2), st.permutations(range(3)), st.randoms(use_true_random=False))
def test_the_order_of_the_classifiers_does_not_matter_to_the_chi_square(data, order, random):
    labels, scores = data
    vectors = [scores, scores.copy(), scores.copy()]
    for v in vectors[1:]:
        random.shuffle(v)
    for reference in ("t", "normal"):
        a = rs.compare_auc(labels, *vectors, reference=reference)
        b = rs.compare_auc(labels, *(vectors[i] for i in order), reference=reference)
        assert a.df == b.df
        # Too few cases for so many contrasts: no p-value.
        assert a.pvalue == pytest.approx(b.pvalue, rel=1e-5, abs=1e-12, nan_ok=True)


@given(labelled_scores(min_per_class=3), st.randoms(use_true_random=False))
def test_degrees_of_freedom_are_those_of_the_two_classes(data, random):
    """Satterthwaite's, from placements by definition; Student's t never rejects where z does not."""
    labels, scores = data
    other = scores.copy()
    random.shuffle(other)
    found = rs.compare_auc(labels, scores, other)
    assume(found.standard_error > 1e-6)
    sick = np.asarray(labels, dtype=bool)
    wins = [(s[sick, None] > s[~sick]) + (s[sick, None] == s[~sick]) / 2 for s in (scores, other)]
    beyond = wins[0] - wins[1]
    parts = [beyond.mean(axis=axis).var(ddof=1) / beyond.shape[1 - axis] for axis in (1, 0)]
    freedom = [n - 1 for n in beyond.shape]
    df = sum(parts) ** 2 / sum(v**2 / f for v, f in zip(parts, freedom, strict=True))
    assert found.df == found.error_df == pytest.approx(df, rel=1e-9)
    assert min(freedom) * 0.999999 <= found.df <= sum(freedom) * 1.000001
    normal = rs.compare_auc(labels, scores, other, reference="normal")
    assert (normal.statistic, normal.standard_error) == (found.statistic, found.standard_error)
    assert math.isinf(normal.df)
    assert normal.pvalue <= found.pvalue
