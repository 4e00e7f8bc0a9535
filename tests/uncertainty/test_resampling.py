"""The bootstrap draws what it should."""

from collections import Counter
from itertools import product

import numpy as np

import rocsteady as rs
from rocsteady.uncertainty import resampling
from rocsteady.uncertainty.resampling import bootstrap_aucs


def data(n=120, seed=4):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3 == 0
    return labels, np.round(rng.normal(size=n) + labels, 1)


def test_resampled_areas_scatter_as_delong_says():
    labels, scores = data(600)
    curve = rs.roc_curve(labels, scores)
    steps = np.arange(curve.thresholds.size - 1)
    ranks = [np.repeat(steps, np.diff(c)) for c in (curve.true_positives, curve.false_positives)]
    areas = bootstrap_aucs(*ranks, n_resamples=4000, seed=1)
    assert abs(areas.mean() - curve.auc) < 4 * areas.std() / np.sqrt(4000)
    # DeLong divides by n - 1 where the bootstrap divides by n; 5 % covers that and the Monte-Carlo error.
    np.testing.assert_allclose(areas.std(), curve.auc_standard_error(), rtol=0.05)


def test_how_the_work_is_cut_does_not_matter(monkeypatch):
    ranks = np.array([0, 0, 1, 2, 4]), np.array([0, 1, 1, 3, 4, 4])
    whole = bootstrap_aucs(*ranks, n_resamples=50, seed=9)
    monkeypatch.setattr(resampling, "_BLOCK", 32)
    np.testing.assert_array_equal(bootstrap_aucs(*ranks, n_resamples=50, seed=9), whole)


def test_seeds_differ():
    labels, scores = data()
    a, b = (rs.auc_interval(labels, scores, method="bootstrap", seed=seed) for seed in (1, 2))
    assert (a.low, a.high) != (b.low, b.high)
    assert abs(a.low - b.low) < 0.03


def test_weighted_resamples_are_those_of_the_enumeration():
    """Two rows per class have 4 x 4 equally likely resamples; count how often each area comes up."""
    positives, negatives = np.array([0, 2]), np.array([1, 2])  # ranks, strictest first
    weights = np.array([1.0, 5.0]), np.array([2.0, 0.5])
    expected = Counter()
    for p in product((0, 1), repeat=2):
        for n in product((0, 1), repeat=2):
            won = sum(
                weights[0][i]
                * weights[1][j]
                * (1 if positives[i] < negatives[j] else 0.5 * (positives[i] == negatives[j]))
                for i in p
                for j in n
            )
            expected[round(won / (weights[0][list(p)].sum() * weights[1][list(n)].sum()), 9)] += 1 / 16
    areas = bootstrap_aucs(
        positives,
        negatives,
        positive_weights=weights[0],
        negative_weights=weights[1],
        n_resamples=20_000,
        seed=3,
    )
    found = Counter(areas.round(9).tolist())
    assert set(found) == set(expected)
    for area, share in expected.items():
        assert abs(found[area] / 20_000 - share) < 5 * np.sqrt(share * (1 - share) / 20_000)
