"""The bootstrap of whole groups: what is drawn, and what a resample's mean and standard error are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.statistics import resampling as clusters
from rocsteady.statistics.groups import spread
from rocsteady.statistics.resampling import drawn_counts, drawn_means, drawn_standard_errors


def all_counts(n_groups, n_resamples, seed=0):
    return np.concatenate(list(drawn_counts(n_groups, n_resamples, seed)))


def test_every_resample_has_as_many_groups_as_there_are():
    counts = all_counts(7, 500)
    assert counts.shape == (500, 7)
    assert (counts.sum(axis=1) == 7).all()
    assert counts.min() == 0


def test_groups_are_drawn_evenly_and_with_replacement():
    """Counts are multinomial: mean 1, variance (M - 1) / M, covariance -1 / M."""
    counts = all_counts(5, 40_000)
    np.testing.assert_allclose(counts.mean(axis=0), 1, atol=0.03)
    covariance = np.cov(counts.T)
    np.testing.assert_allclose(np.diag(covariance), 0.8, atol=0.03)
    np.testing.assert_allclose(covariance[~np.eye(5, dtype=bool)], -0.2, atol=0.03)


def test_seeds():
    assert (all_counts(5, 100, seed=1) == all_counts(5, 100, seed=1)).all()
    assert (all_counts(5, 100, seed=1) != all_counts(5, 100, seed=2)).any()


def test_blocks_do_not_change_the_draws(monkeypatch):
    whole = all_counts(6, 50)
    monkeypatch.setattr(clusters, "_BLOCK", 40)
    blocks = list(drawn_counts(6, 50, 0))
    assert len(blocks) > 5
    np.testing.assert_array_equal(np.concatenate(blocks), whole)


@given(st.integers(0, 1000))
def test_means_are_those_of_the_groups_drawn(seed):
    rng = np.random.default_rng(seed)
    values, raw = rng.random((4, 3)), rng.random(4)
    weights = raw / raw.sum()
    counts = all_counts(4, 20, seed)
    means = drawn_means(values, weights, counts)
    for count, mean in zip(counts.astype(int), means, strict=True):
        drawn = np.repeat(np.arange(4), count)
        np.testing.assert_allclose(mean, np.average(values[drawn], axis=0, weights=raw[drawn]), atol=1e-13)


def test_a_resample_without_any_weight_has_no_mean():
    means = drawn_means(np.ones((3, 2)), np.array([0.0, 0.0, 1.0]), np.array([[2.0, 1, 0], [1, 1, 1]]))
    assert np.isnan(means[0]).all()
    assert means[1].tolist() == [1, 1]


@given(st.integers(0, 1000))
def test_at_equal_weights_standard_errors_are_the_textbook_s(seed):
    rng = np.random.default_rng(seed)
    values = rng.random((5, 3))
    weights = np.full(5, 0.2)
    counts = all_counts(5, 20, seed)
    means, errors = drawn_standard_errors(values - values.mean(axis=0), weights, counts)
    for count, mean, error in zip(counts.astype(int), means, errors, strict=True):
        drawn = values[np.repeat(np.arange(5), count)]
        np.testing.assert_allclose(mean, drawn.mean(axis=0) - values.mean(axis=0), atol=1e-14)
        np.testing.assert_allclose(error, drawn.std(axis=0, ddof=1) / np.sqrt(5), atol=1e-7)


def test_with_weights_they_are_near_those_of_the_groups_drawn():
    rng = np.random.default_rng(3)
    values, raw = rng.random((40, 2)), rng.random(40) + 0.5
    weights = raw / raw.sum()
    counts = all_counts(40, 200, 3)
    _, errors = drawn_standard_errors(values - weights @ values, weights, counts)
    expected = []
    for count in counts.astype(int):
        drawn = np.repeat(np.arange(40), count)
        expected.append(spread(values[drawn], raw[drawn] / raw[drawn].sum()).standard_error)
    np.testing.assert_allclose(errors, expected, rtol=0.02)


def test_a_resample_of_one_group_has_no_spread():
    values = np.array([[0.2], [0.7]])
    _, errors = drawn_standard_errors(values - 0.45, np.array([0.5, 0.5]), np.array([[2.0, 0.0]]))
    assert errors[0, 0] == pytest.approx(0, abs=1e-9)
