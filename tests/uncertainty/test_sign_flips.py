"""Sign flips, residuals of two samples, signed ranks: laws, brute force, other programs, level."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rocsteady.statistics import group_permutation as module
from rocsteady.statistics.group_permutation import sign_flips, signed_ranks, two_sample_flips

ALPHA = 0.05


@st.composite
def differences(draw, *, min_groups=1, max_groups=7, max_positions=3):
    """Few distinct values: zeros, ties and constant columns are where such tests go wrong."""
    shape = draw(st.integers(min_groups, max_groups)), draw(st.integers(1, max_positions))
    values = st.lists(st.integers(-3, 3), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    return np.array(draw(values), dtype=np.float64).reshape(shape) / 8


def largest_t(rows):
    """By the textbook, infinite where all are alike and not 0."""
    mean, sd = rows.mean(axis=0), rows.std(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean) / (np.where(sd < 1e-12, 0.0, sd) / np.sqrt(len(rows)))
    return np.where(np.abs(mean) < 1e-15, 0.0, t).max()


@given(differences(min_groups=2))
def test_the_pvalue_counts_every_pattern_of_signs(rows):
    found = sign_flips(rows)
    every = np.array(
        [largest_t(rows * np.array(signs)[:, None]) for signs in product((1, -1), repeat=len(rows))]
    )
    observed = largest_t(rows)
    as_large = every >= observed * (1 - 1e-9) if np.isfinite(observed) else np.isinf(every)
    assert found.pvalue == pytest.approx(as_large.mean(), abs=1e-12)
    assert found.statistic == pytest.approx(observed, rel=1e-9)
    assert found.is_exact
    assert found.n_flips == 2 ** (len(rows) - 1)


@given(differences(), st.randoms(use_true_random=False))
def test_order_sign_and_scale_do_not_matter(rows, random):
    order = list(range(len(rows)))
    random.shuffle(order)
    found = sign_flips(rows)
    for other in (rows[order], -rows, 4 * rows):
        again = sign_flips(other)
        assert again.pvalue == found.pvalue
        np.testing.assert_array_equal(again.adjusted, found.adjusted)
        np.testing.assert_array_equal(again.left_out, found.left_out)
    np.testing.assert_allclose(sign_flips(-rows).mean, -found.mean, atol=1e-15)


@given(differences(min_groups=2))
def test_the_family_is_its_smallest_adjusted_pvalue_and_none_is_below_its_own(rows):
    found = sign_flips(rows)
    assert found.pvalue == found.adjusted.min()
    for own, column in zip(found.adjusted, rows.T, strict=True):
        assert own >= sign_flips(column).pvalue - 1e-12
    assert found.smallest_pvalue <= found.pvalue <= 1


@given(differences(min_groups=6, max_groups=8, max_positions=4))
def test_a_band_without_zero_implies_a_small_pvalue(rows):
    found = sign_flips(rows)
    with np.errstate(invalid="ignore"):
        if (np.abs(found.mean) > found.half_width * (1 + 1e-9)).any():
            assert found.pvalue <= ALPHA


def test_no_difference_has_pvalue_one_and_a_constant_one_the_smallest():
    nothing = sign_flips(np.zeros((9, 4)))
    assert nothing.pvalue == 1
    assert nothing.statistic == 0
    assert nothing.left_out.all()
    constant = sign_flips(np.full(9, 0.1))
    assert constant.pvalue == constant.smallest_pvalue == 2**-8
    assert constant.statistic == np.inf


@pytest.mark.parametrize("n_groups", range(1, 9))
def test_fewer_than_six_groups_have_no_band(n_groups):
    found = sign_flips(np.random.default_rng(n_groups).normal(3, 1, (n_groups, 5)))
    assert found.smallest_pvalue == 2.0 ** (1 - n_groups)
    assert np.isfinite(found.factor) == (n_groups >= 6)
    assert (found.pvalue <= ALPHA) <= (n_groups >= 6)


def test_where_a_group_has_no_value_there_is_no_test():
    rows = np.random.default_rng(1).normal(1, 1, (8, 3))
    rows[2, 1] = np.nan
    found, others = sign_flips(rows), sign_flips(rows[:, [0, 2]])
    assert np.isnan(found.adjusted[1])
    assert found.left_out.tolist() == [False, True, False]
    assert found.pvalue == others.pvalue
    assert found.factor == others.factor


def test_random_flips_come_near_all_flips_and_are_the_same_in_any_blocks(monkeypatch):
    rows = np.random.default_rng(2).normal(0.35, 1, (16, 4))
    exact = sign_flips(rows, n_resamples=2**15)
    assert exact.is_exact
    found = sign_flips(rows, n_resamples=4000, seed=3)
    assert not found.is_exact
    assert found.n_flips == 4001
    assert abs(found.pvalue - exact.pvalue) < 4 * np.sqrt(exact.pvalue / 4000)
    assert found.factor == pytest.approx(exact.factor, rel=0.05)
    monkeypatch.setattr(module, "MOST_CELLS", 100)
    again = sign_flips(rows, n_resamples=4000, seed=3)
    assert (again.pvalue, again.factor) == (found.pvalue, found.factor)
    assert sign_flips(rows, n_resamples=4000, seed=4).factor != found.factor


def correlated(rng, n_groups, n_positions=30):
    """Curves whose neighbouring positions go together."""
    steps = rng.normal(size=(n_groups, n_positions))
    for j in range(1, n_positions):
        steps[:, j] = 0.8 * steps[:, j - 1] + 0.6 * steps[:, j]
    return steps


@pytest.mark.parametrize("effect", [0.0, 5.0])
def test_the_band_holds_with_and_without_an_effect(effect):
    """A large common difference makes all flipped positions move together: residuals keep the band wide."""
    rng, n, shape = np.random.default_rng(4), 500, effect * np.sin(np.linspace(0, 4, 30))
    held = rejected = 0
    for _ in range(n):
        found = sign_flips(correlated(rng, 8) + shape)
        held += bool((np.abs(found.mean - shape) <= found.half_width).all())
        rejected += found.pvalue <= ALPHA
    tolerance = 4 * np.sqrt(ALPHA * (1 - ALPHA) / n)
    assert held / n > 1 - ALPHA - tolerance
    if effect == 0:
        assert rejected / n < ALPHA + tolerance


@pytest.mark.parametrize("sizes", [(4, 4), (12, 6)])
def test_two_samples_keep_their_level_where_one_scatters_more(sizes):
    rng, n = np.random.default_rng(5), 400
    rejected = 0
    for i in range(n):
        first, second = correlated(rng, sizes[0]), 3 * correlated(rng, sizes[1])
        rejected += two_sample_flips(first, second, n_resamples=199, seed=i).pvalue <= ALPHA
    assert rejected / n < ALPHA + 4 * np.sqrt(ALPHA * (1 - ALPHA) / n)


def test_two_samples_are_compared_by_welch():
    rng = np.random.default_rng(6)
    first, second = rng.normal(1, 1, 9), rng.normal(0, 3, 5)
    found = two_sample_flips(first, second)
    assert found.statistic == pytest.approx(abs(stats.ttest_ind(first, second, equal_var=False).statistic))
    assert found.mean[0] == pytest.approx(first.mean() - second.mean())
    swapped = two_sample_flips(second, first)
    assert swapped.pvalue == found.pvalue
    assert swapped.mean[0] == -found.mean[0]


def test_two_samples_count_every_pattern_of_their_residuals():
    rng = np.random.default_rng(7)
    first, second = rng.normal(0.7, 1, (4, 3)), rng.normal(0, 2, (6, 3))
    scaled = [(own - own.mean(axis=0)) * np.sqrt(len(own) / (len(own) - 1)) for own in (first, second)]
    observed = np.abs(stats.ttest_ind(first, second, equal_var=False).statistic).max()
    every = []
    for signs in product((1, -1), repeat=9):  # the first keeps its sign: the opposite pattern counts as much
        flips = np.array([1, *signs])[:, None]
        flipped = scaled[0] * flips[:4], scaled[1] * flips[4:]
        every.append(np.abs(stats.ttest_ind(*flipped, equal_var=False).statistic).max())
    wanted = (1 + np.sum(np.array(every) >= observed)) / (1 + len(every))
    assert two_sample_flips(first, second).pvalue == pytest.approx(wanted, rel=1e-12)


def test_two_samples_that_are_too_small_have_no_test():
    found = two_sample_flips(np.array([1.0, 2, 3]), np.array([4.0, 6, 5, 7]))
    assert np.isnan(found.pvalue)
    assert found.factor == np.inf
    assert two_sample_flips(np.zeros(2), np.zeros(2)).pvalue == 1


@pytest.mark.parametrize("n", [1, 2, 5, 25, 50])
def test_signed_ranks_without_ties_are_those_of_scipy(n):
    values = np.random.default_rng(n).normal(0.3, 1, n)
    wanted = stats.wilcoxon(values, method="exact").pvalue
    found = signed_ranks(values)
    assert found.pvalue == pytest.approx(wanted, rel=1e-10)
    assert found.is_exact
    with_zeros = signed_ranks(np.append(values, [0.0, 0.0]))
    assert with_zeros.pvalue == found.pvalue
    assert (with_zeros.n, with_zeros.n_zeros) == (n, 2)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9))
def test_signed_ranks_with_ties_and_zeros_count_every_pattern(values):
    given_values = np.array(values, dtype=np.float64)
    own = given_values[given_values != 0]
    ranks = stats.rankdata(np.abs(own))
    sums = [ranks[np.array(signs, dtype=bool)].sum() for signs in product((0, 1), repeat=own.size)]
    least = min(ranks[own > 0].sum(), ranks[own < 0].sum())
    found = signed_ranks(given_values)
    assert found.pvalue == pytest.approx(min(1.0, 2 * np.mean(np.array(sums) <= least)), rel=1e-12)
    assert signed_ranks(-given_values).pvalue == found.pvalue
    assert signed_ranks(-given_values).estimate == -found.estimate


def test_many_signed_ranks_with_ties_are_normal_as_in_scipy():
    tied = np.round(np.random.default_rng(3).normal(0.1, 1, 90), 1)
    tied = tied[tied != 0]
    found = signed_ranks(tied)
    assert found.pvalue == pytest.approx(stats.wilcoxon(tied).pvalue, rel=1e-9)
    assert not found.is_exact
    assert found.has_ties
    assert np.isnan(signed_ranks(np.empty(0)).pvalue)


def test_thousands_of_groups_are_no_matter():
    found = sign_flips(np.random.default_rng(8).normal(0.1, 1, (1100, 2)), n_resamples=99)
    assert not found.is_exact
    assert found.pvalue == found.smallest_pvalue == 0.01
    assert two_sample_flips(np.arange(1100.0), np.arange(1100.0) + 1, n_resamples=99).pvalue > 0.5
