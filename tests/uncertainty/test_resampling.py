"""The bootstrap draws what it should."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

import rocsteady as rs
from rocsteady._kernels.resample import drawn_below, stream_start
from rocsteady.errors import UsageError
from rocsteady.statistics.resampling import (
    RankedCases,
    Readings,
    ranked_cases,
    resampled_cases,
    resampled_groups,
)


def data(n=120, seed=4):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3 == 0
    return labels, np.round(rng.normal(size=n) + labels, 1)


def test_resampled_areas_scatter_as_delong_says():
    labels, scores = data(600)
    curve = rs.roc_curve(labels, scores)
    steps = np.arange(curve.thresholds.size - 1)
    ranks = [np.repeat(steps, np.diff(c)) for c in (curve.true_positives, curve.false_positives)]
    areas = resampled_cases(RankedCases.of_one(*ranks), n_resamples=4000, seed=1)[:, 0]
    assert abs(areas.mean() - curve.auc) < 4 * areas.std() / np.sqrt(4000)
    # DeLong divides by n - 1 where the bootstrap divides by n; 5 % covers that and the Monte-Carlo error.
    np.testing.assert_allclose(areas.std(), curve.auc_standard_error(), rtol=0.05)


def test_two_models_with_the_same_seed_see_the_same_cases():
    """The second ranks the cases the other way round: its AUC is one minus the first's, resample by resample."""
    labels, scores = data(200)
    first, second = (ranked_cases(rs.Scores(labels, s)) for s in (scores, -scores))
    areas = [resampled_cases(cases, n_resamples=50, seed=4)[:, 0] for cases in (first, second)]
    np.testing.assert_allclose(areas[0] + areas[1], 1, rtol=0, atol=1e-15)
    assert np.unique(areas[0]).size > 40
    other = resampled_cases(second, n_resamples=50, seed=5)[:, 0]
    assert np.abs(areas[0] + other - 1).max() > 0.01


def test_two_models_see_the_same_groups():
    labels, scores = data(200)
    groups = np.arange(200) // 20
    sets = [rs.ScoreSet.from_arrays(labels, s, groups) for s in (scores, -scores)]
    for average in ("pooled", "threshold"):
        areas = [
            resampled_groups(ranked_cases(s, shared=True), average=average, n_resamples=50, seed=4).values[
                :, 0
            ]
            for s in sets
        ]
        np.testing.assert_allclose(areas[0] + areas[1], 1, rtol=0, atol=1e-12)
        assert np.unique(areas[0]).size > 40


def test_the_threshold_average_of_drawn_groups_is_the_public_one():
    """Seven groups of unlike sizes; every resample is averaged anew from the groups that were drawn."""
    labels, scores = data(240)
    groups = np.sort(np.arange(240) % 21 // 3)
    made = rs.ScoreSet.from_arrays(labels, scores, groups)
    fprs = [0.05, 0.3]
    readings = Readings(auc=True, tpr_at=fprs)
    cases = ranked_cases(made, shared=True)
    found = resampled_groups(cases, readings, average="threshold", n_resamples=5, seed=8)
    bounds = np.full(7, 7, dtype=np.uint64)
    for replicate, values in enumerate(found.values):
        drawn = drawn_below(stream_start(8, replicate), 0, bounds)
        rows = np.concatenate([np.flatnonzero(groups == g) for g in drawn])
        copies = np.repeat(np.arange(7), np.bincount(groups)[drawn])
        again = rs.ScoreSet.from_arrays(labels[rows], scores[rows], copies)
        average = rs.average(again, "threshold")
        np.testing.assert_allclose(values, [average.auc, *average.tpr_at(fprs)], rtol=0, atol=1e-12)


@pytest.mark.parametrize("exponent", [509, 1000, -535, -1000])
@pytest.mark.parametrize("average", ["pooled", "threshold"])
def test_the_scale_of_the_weights_does_not_matter(average, exponent):
    labels, scores = data(60)
    rng = np.random.default_rng(1)
    groups, weights = np.arange(60) // 6, rng.uniform(0.5, 2, 60)

    def resampled(scale):
        made = rs.ScoreSet.from_arrays(labels, scores, groups, sample_weight=weights * scale)
        cases = ranked_cases(made, shared=True)
        return resampled_groups(
            cases, Readings(auc=True, tpr_at=[0.2]), average=average, n_resamples=50
        ).values

    assert resampled(2.0**exponent).tolist() == resampled(1.0).tolist()


def test_groups_of_tiny_weights_alone_have_a_curve():
    """Weights of 1e200 in one group and of 1e-200 in the others: most products of the small ones vanish."""
    labels, scores = data(30)
    groups = np.arange(30) // 6
    weights = np.where(groups == 0, 1e100, 1e-200)
    made = rs.ScoreSet.from_arrays(labels, scores, groups, sample_weight=weights)
    found = resampled_groups(
        ranked_cases(made, shared=True), Readings(auc=True, tpr_at=[0.2]), n_resamples=200
    )
    assert np.isfinite(found.values).all()


def test_an_unknown_average_is_refused():
    with pytest.raises(UsageError, match="RS001"):
        resampled_groups(RankedCases.of_one([0], [1]), average="vertical")


def test_columns_come_in_the_order_of_the_fields():
    """Many cases: resamples scatter little around what the curve itself says."""
    labels, scores = data(20_000)
    curve = rs.roc_curve(labels, scores)
    readings = Readings(
        auc=True,
        partial_fpr=[(0, 0.1), (0.3, 0.4)],
        partial_tpr=[(0.8, 1)],
        tpr_at=[0.05, 0.5],
        fpr_at=[0.9],
        frozen=[20, 50],
    )
    found = resampled_cases(ranked_cases(rs.Scores(labels, scores)), readings, n_resamples=20)
    expected = [
        curve.auc,
        *(curve.partial_auc(fpr=at) for at in readings.partial_fpr),
        curve.partial_auc(tpr=(0.8, 1)),
        *curve.tpr_at([0.05, 0.5]),
        curve.fpr_at(0.9),
        *curve.fpr[[20, 50]],
        *curve.tpr[[20, 50]],
    ]
    assert found.shape == (20, len(expected))
    np.testing.assert_allclose(found.mean(axis=0), expected, rtol=0, atol=0.01)


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
    cases = RankedCases.of_one(positives, negatives, *weights)
    areas = resampled_cases(cases, n_resamples=20_000, seed=3)[:, 0]
    found = Counter(areas.round(9).tolist())
    assert set(found) == set(expected)
    for area, share in expected.items():
        assert abs(found[area] / 20_000 - share) < 5 * np.sqrt(share * (1 - share) / 20_000)
