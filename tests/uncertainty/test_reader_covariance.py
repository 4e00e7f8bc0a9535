"""Covariances of the AUCs of a reader study, against formulas written out case by case."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocsteady.counting.table import delong_covariance
from rocsteady.scores.scores import Scores
from rocsteady.statistics.delong import delong_components
from rocsteady.statistics.reader_covariance import delong, jackknife, placed, products, unbiased

ALL = [delong, jackknife, unbiased]
FEW = settings(max_examples=25)  # many tests, each of many cells


@st.composite
def studies(draw, *, missing=True, max_cells=4, max_per_class=6, values=None):
    """Ratings of some cells, every one with two cases of each class at least, and the truth."""
    sizes = [draw(st.integers(2, max_per_class)) for _ in range(2)]
    truth = np.array(draw(st.permutations([True] * sizes[0] + [False] * sizes[1])))
    k = draw(st.integers(1, max_cells))
    value = values or st.one_of(st.integers(1, 4).map(float), st.sampled_from([-np.inf, 0.5, np.inf]))
    ratings = np.array([draw(st.lists(value, min_size=truth.size, max_size=truth.size)) for _ in range(k)])
    if missing:
        for row in ratings:
            for of in (truth, ~truth):
                own = np.flatnonzero(of)
                lost = draw(st.permutations(own.tolist()))[: draw(st.integers(0, own.size - 2))]
                row[lost] = np.nan
    return ratings, truth


def psi(a, b):
    return Fraction(int(a > b) + int(a >= b), 2)


def auc_of(row, truth, kept=None):
    """The AUC by counting pairs."""
    kept = ~np.isnan(row) if kept is None else kept & ~np.isnan(row)
    positives, negatives = row[kept & truth], row[kept & ~truth]
    if not positives.size or not negatives.size:
        return None
    return sum(psi(a, b) for a in positives for b in negatives) / (positives.size * negatives.size)


def influence(row, truth):
    """What every case adds to the AUC: its placement less the AUC; 0 where it was not read."""
    is_read, auc = ~np.isnan(row), auc_of(row, truth)
    found = []
    for i in range(row.size):
        others = row[is_read & (truth != truth[i])]
        share = sum(psi(row[i], b) if truth[i] else psi(b, row[i]) for b in others) / others.size
        found.append(share - auc if is_read[i] else Fraction(0))
    return found


@FEW
@given(studies())
def test_the_auc_is_the_share_of_pairs_won(study):
    ratings, truth = study
    assert placed(ratings, truth).auc.tolist() == [float(auc_of(row, truth)) for row in ratings]


@FEW
@given(studies(missing=False))
def test_delong_is_delong_where_all_cases_are_read(study):
    ratings, truth = study
    co = delong_covariance([Scores(truth, row) for row in ratings])
    parts = delong_components(co.positive_spread, co.negative_spread, co.n_positives, co.n_negatives)
    expected = parts.sum(axis=0)
    np.testing.assert_allclose(delong(ratings, truth), expected, rtol=1e-13, atol=1e-17)


@FEW
@given(studies())
def test_delong_sums_over_the_cases_in_common(study):
    ratings, truth = study
    added = [influence(row, truth) for row in ratings]
    found = delong(ratings, truth)
    for k, m in itertools.product(range(len(ratings)), repeat=2):
        expected = 0.0
        for of in (truth, ~truth):
            sizes = [int((~np.isnan(ratings[cell]) & of).sum()) for cell in (k, m)]
            common = sum(added[k][i] * added[m][i] for i in np.flatnonzero(of))
            expected += float(common) / np.sqrt(float(np.prod([n * (n - 1) for n in sizes])))
        assert found[k, m] == pytest.approx(expected, rel=1e-12, abs=1e-17)


@FEW
@given(studies())
def test_the_jackknife_leaves_every_case_of_the_study_out(study):
    ratings, truth = study
    n = int((~np.isnan(ratings)).any(axis=0).sum())
    whole = [auc_of(row, truth) for row in ratings]
    less = []
    for i in np.flatnonzero((~np.isnan(ratings)).any(axis=0)):
        kept = np.arange(truth.size) != i
        less.append([auc_of(row, truth, kept) for row in ratings])
    means = [sum(column) / n for column in zip(*less, strict=True)]
    assert means == whole  # of AUCs, exactly
    for k, m in itertools.product(range(len(ratings)), repeat=2):
        total = sum((row[k] - means[k]) * (row[m] - means[m]) for row in less)
        expected = float(Fraction(n - 1, n) * total)
        assert jackknife(ratings, truth)[k, m] == pytest.approx(expected, rel=1e-12, abs=1e-17)


KINDS = [(1.0, 2.0, 0.2), (2.0, 2.0, 0.5), (3.0, 1.0, 0.3)], [(0.0, 2.0, 0.6), (2.0, 1.0, 0.4)]
"""Cases of each class: the rating in either cell, and how frequent such cases are."""
READ = {
    "all cases": ([1, 1, 0, 0], ["11", "11", "11", "11"]),
    "one in common": ([1, 1, 1, 0, 0, 0], ["10", "11", "01", "10", "11", "01"]),
    "two in common": ([1, 1, 1, 0, 0, 0, 0], ["11", "11", "01", "10", "11", "11", "01"]),
    "one class in common": ([1, 1, 0, 0, 0, 0], ["11", "11", "10", "10", "01", "01"]),
    "none in common": ([1, 1, 1, 1, 0, 0, 0, 0], ["10", "10", "01", "01", "10", "10", "01", "01"]),
}
"""The truth of the cases, and by which of the two cells each is read."""


@pytest.mark.parametrize(("truth", "read"), READ.values(), ids=READ)
def test_unbiased_is_unbiased(truth, read):
    """All samples of a small population, with their chances: the mean estimate is the covariance."""
    truth = np.array(truth, dtype=bool)
    is_read = np.array([[int(cell) for cell in case] for case in read], dtype=bool).T
    kinds = [KINDS[0] if positive else KINDS[1] for positive in truth]
    aucs, estimates, chances = [], [], []
    for sample in itertools.product(*kinds):
        ratings = np.where(is_read, np.array([case[:2] for case in sample]).T, np.nan)
        aucs.append([float(auc_of(row, truth)) for row in ratings])
        estimates.append(unbiased(ratings, truth))
        chances.append(np.prod([case[2] for case in sample]))
    weights = np.array(chances)
    around = np.array(aucs) - weights @ np.array(aucs)
    assert weights.sum() == pytest.approx(1)
    expected = (weights[:, None] * around).T @ around
    np.testing.assert_allclose(np.tensordot(weights, estimates, 1), expected, rtol=1e-10, atol=1e-16)


@pytest.mark.parametrize("estimate", [delong, jackknife])
def test_the_others_are_not(estimate):
    """The test above can fail."""
    truth = np.arange(4) < 2
    kinds = [KINDS[0] if positive else KINDS[1] for positive in truth]
    samples = list(itertools.product(*kinds))
    weights = np.array([np.prod([case[2] for case in sample]) for sample in samples])
    ratings = [np.array([case[:2] for case in sample]).T for sample in samples]
    aucs = np.array([[float(auc_of(row, truth)) for row in own] for own in ratings])
    mean = np.tensordot(weights, [estimate(own, truth) for own in ratings], 1)
    around = aucs - weights @ aucs
    assert mean[0, 0] > 1.1 * (weights[:, None] * around).T.dot(around)[0, 0]


@pytest.mark.parametrize("estimate", ALL)
@FEW
@given(study=studies(), seed=st.integers(0, 2**32 - 1))
def test_neither_order_nor_scale_matters(estimate, study, seed):
    ratings, truth = study
    found = estimate(ratings, truth)
    assert np.array_equal(found, found.T)
    cases, cells = (np.random.default_rng(seed).permutation(n) for n in (truth.size, len(ratings)))
    shuffled = estimate(ratings[cells][:, cases], truth[cases])
    np.testing.assert_allclose(shuffled, found[np.ix_(cells, cells)], rtol=1e-12, atol=1e-18)
    stretched = ratings.copy()
    stretched[0] = np.arctan(stretched[0])  # one cell's own scale
    assert np.array_equal(estimate(stretched, truth), found)


@pytest.mark.parametrize("estimate", ALL)
@FEW
@given(study=studies())
def test_the_other_class_is_as_good(estimate, study):
    ratings, truth = study
    np.testing.assert_allclose(estimate(-ratings, ~truth), estimate(ratings, truth), rtol=1e-12, atol=1e-18)


@pytest.mark.parametrize("estimate", ALL)
@FEW
@given(data=st.data())
def test_a_cell_turned_round_covaries_the_other_way(estimate, data):
    """Its AUC is then 1 less what it was. Only unbiased does not follow where cells share some cases."""
    ratings, truth = data.draw(studies(missing=estimate is not unbiased))
    turned = ratings.copy()
    turned[0] = -turned[0]
    sign = np.where(np.arange(len(ratings)) == 0, -1, 1)
    expected = np.outer(sign, sign) * estimate(ratings, truth)
    np.testing.assert_allclose(estimate(turned, truth), expected, rtol=1e-12, atol=1e-18)


@pytest.mark.parametrize("estimate", ALL)
@FEW
@given(study=studies())
def test_equal_cells_are_equal_to_the_last_digit(estimate, study):
    ratings, truth = study
    found = estimate(np.concatenate([ratings, ratings]), truth)
    k = len(ratings)
    blocks = found[:k, :k], found[:k, k:], found[k:, k:]
    assert all(np.array_equal(block, blocks[0]) for block in blocks)


@pytest.mark.parametrize("estimate", ALL)
def test_cells_without_common_cases_do_not_covary(estimate):
    rng = np.random.default_rng(3)
    ratings, truth = rng.normal(size=(2, 24)), np.arange(24) % 2 == 0
    ratings[0, :12] = np.nan
    ratings[1, 12:] = np.nan
    found = estimate(ratings, truth)
    assert found[0, 1] == 0
    assert found[0, 0] > 0


@pytest.mark.parametrize("estimate", [delong, unbiased])
@FEW
@given(study=studies())
def test_a_variance_is_that_of_the_cell_alone(estimate, study):
    ratings, truth = study
    alone = [estimate(row[None], truth)[0, 0] for row in ratings]
    assert np.array_equal(np.diag(estimate(ratings, truth)), alone)


@pytest.mark.parametrize("estimate", ALL)
def test_perfect_readers_do_not_vary(estimate):
    truth = np.arange(200) < 77
    ratings = np.stack([truth + 0.0, 5 * truth + np.arange(200) / 300])
    assert not estimate(ratings, truth).any()


@FEW
@given(studies(), st.data())
def test_delong_with_patients_is_obuchowski(study, data):
    """Biometrics 53 (1997), written out: S10, S01 and S11 of sums within patients."""
    ratings, truth = study
    n = data.draw(st.integers(2, 5))
    clusters = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=truth.size, max_size=truth.size)))
    found = delong(ratings, truth, clusters)
    added = [influence(row, truth) for row in ratings]

    def sums(cell, of):
        kept = np.flatnonzero(of & ~np.isnan(ratings[cell]))
        own = [[i for i in kept if clusters[i] == patient] for patient in range(n)]
        return np.array([float(sum(added[cell][i] for i in part)) for part in own]), kept

    def factor(k, m, of):
        sizes = [np.unique(clusters[of & ~np.isnan(ratings[cell])]).size for cell in (k, m)]
        return np.sqrt(np.prod([i / (i - 1) for i in sizes])) if min(sizes) > 1 else np.nan

    every = np.ones(truth.size, dtype=bool)
    for k, m in itertools.product(range(len(ratings)), repeat=2):
        (xk, pk), (xm, pm) = sums(k, truth), sums(m, truth)
        (yk, qk), (ym, qm) = sums(k, ~truth), sums(m, ~truth)
        expected = factor(k, m, truth) * (xk @ xm) / (pk.size * pm.size)
        expected += factor(k, m, ~truth) * (yk @ ym) / (qk.size * qm.size)
        crossed = (xk @ ym) / (pk.size * qm.size) + (yk @ xm) / (qk.size * pm.size)
        expected += factor(k, m, every) * crossed
        assert found[k, m] == pytest.approx(expected, rel=1e-10, abs=1e-15, nan_ok=True)


@FEW
@given(studies(), st.data())
def test_the_jackknife_leaves_every_patient_out(study, data):
    ratings, truth = study
    n = data.draw(st.integers(2, 5))
    drawn = data.draw(st.lists(st.integers(0, n - 1), min_size=truth.size, max_size=truth.size))
    clusters = np.unique(drawn, return_inverse=True)[1].reshape(-1)
    found = jackknife(ratings, truth, clusters)
    is_read = ~np.isnan(ratings)
    patients = [p for p in range(clusters.max() + 1) if is_read[:, clusters == p].any()]
    less = [[auc_of(row, truth, clusters != p) for row in ratings] for p in patients]
    for k, m in itertools.product(range(len(ratings)), repeat=2):
        touched = [is_read[cell][clusters == p].any() for p in patients for cell in (k, m)]
        if not any(a and b for a, b in zip(touched[::2], touched[1::2], strict=True)):
            assert found[k, m] == 0
            continue
        columns = [[row[cell] for row in less] for cell in (k, m)]
        if None in columns[0] + columns[1]:
            assert np.isnan(found[k, m])
            continue
        means = [sum(column) / len(patients) for column in columns]
        total = sum((a - means[0]) * (b - means[1]) for a, b in zip(*columns, strict=True))
        expected = float(Fraction(len(patients) - 1, len(patients)) * total)
        assert found[k, m] == pytest.approx(expected, rel=1e-11, abs=1e-16)


@pytest.mark.parametrize("estimate", [delong, jackknife])
@FEW
@given(study=studies(), data=st.data())
def test_patients_with_one_case_are_cases(estimate, study, data):
    ratings, truth = study
    clusters = np.array(data.draw(st.permutations(range(truth.size))))
    found = estimate(ratings, truth, clusters)
    np.testing.assert_allclose(found, estimate(ratings, truth), rtol=1e-11, atol=1e-16)


def test_one_case_of_a_class_has_no_variance():
    ratings, truth = np.array([[3.0, 1.0, 2.0, 1.0]]), np.array([True, False, False, False])
    assert all(np.isnan(estimate(ratings, truth)).all() for estimate in ALL)


def test_large_integers_do_not_overflow():
    rows = np.full((2, 8), 2**40, dtype=np.int64)
    assert np.array_equal(products(rows), np.full((2, 2), 8.0 * 2.0**80))
