"""compare_readers: the arithmetic against brute force and textbook tests, then what degenerates, then words."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import rocsteady as rs
from rocsteady.errors import DataError, RocsteadyWarning, UsageError
from rocsteady.readers.compare import compare_readers
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.limits import t_quantile
from rocsteady.statistics.obuchowski_rockette import (
    components,
    difference_error,
    each_modality,
    global_test,
    mean_error,
    single_modality,
)

KINDS = [("random", "random"), ("fixed", "random"), ("random", "fixed")]
SEEDS = st.integers(0, 2**32 - 1)


def drawn(seed, t, r, *, cells=None):
    """Values and a covariance of the usual order: Var > Cov1, Cov2 > Cov3."""
    rng = np.random.default_rng(seed)
    theta = 0.8 + 0.05 * rng.normal(size=(t, r))
    parts = [np.kron(a, b) for a in (np.ones((t, t)), np.eye(t)) for b in (np.ones((r, r)), np.eye(r))]
    covariance = sum(rng.uniform(1e-4, 4e-4) * part for part in parts)
    noise = 0.01 * rng.normal(size=(t * r, t * r))
    covariance = (covariance + noise @ noise.T * 1e-2).reshape(t, r, t, r)
    if cells is not None:
        theta[~cells] = np.nan
        covariance[~cells] = np.nan
        covariance[:, :, ~cells] = np.nan
    return theta, covariance


def nested_cells(*n_readers):
    cells = np.zeros((len(n_readers), sum(n_readers)), dtype=bool)
    ends = np.cumsum(n_readers)
    for i, (n, end) in enumerate(zip(n_readers, ends, strict=True)):
        cells[i, end - n : end] = True
    return cells


# The arithmetic


@settings(max_examples=30)
@given(SEEDS, st.integers(2, 4), st.integers(2, 5))
def test_components_are_what_the_books_say(seed, t, r):
    theta, covariance = drawn(seed, t, r)
    of = components(theta, covariance)
    sums = {"var": [], "cov1": [], "cov2": [], "cov3": []}
    for i, j, k, m in np.ndindex(t, r, t, r):
        name = {(True, True): "var", (False, True): "cov1", (True, False): "cov2"}.get(
            (i == k, j == m), "cov3"
        )
        sums[name].append(covariance[i, j, k, m])
    for name, values in sums.items():
        assert getattr(of, name) == pytest.approx(np.mean(values), rel=1e-12)
    mean, of_modality, of_reader = theta.mean(), theta.mean(axis=1), theta.mean(axis=0)
    rest = theta - of_modality[:, None] - of_reader + mean
    assert of.ms_modality == pytest.approx(r * ((of_modality - mean) ** 2).sum() / (t - 1))
    assert of.ms_reader == pytest.approx(t * ((of_reader - mean) ** 2).sum() / (r - 1))
    assert of.ms_modality_reader == pytest.approx((rest**2).sum() / ((t - 1) * (r - 1)))
    assert of.ms_reader_each == pytest.approx(theta.var(axis=1, ddof=1))


def expected(theta_like, covariance, of_readers):
    """The components with every mean square replaced by what it is expected to be.

    A mean square is a quadratic form, whose expectation under the covariance ``L L'`` is its sum over the
    columns of L.
    """
    cells = ~np.isnan(theta_like)
    at = np.argwhere(cells)
    inner = covariance[cells][:, cells] + of_readers(at[:, None], at[None])
    columns = np.full((len(at), *cells.shape), np.nan)
    columns[:, cells] = np.linalg.cholesky(inner).T
    each = components(columns, np.broadcast_to(covariance, (len(at), *covariance.shape)))
    of = components(theta_like, covariance)
    squares = ("ms_reader", "ms_modality_reader", "ms_reader_each")
    return replace(of, **{name: np.sum(getattr(each, name), axis=0) for name in squares}), inner, at


@settings(max_examples=40)
@given(SEEDS, st.sampled_from([None, (3, 3), (2, 4), (2, 5)]), st.integers(2, 5))
def test_the_squared_error_is_expected_to_be_the_variance(seed, nested, r):
    """Whatever the covariances are, for two modalities; for nested readers also where they are not equal."""
    cells = None if nested is None else nested_cells(*nested)
    theta, covariance = drawn(seed, 2, r if cells is None else cells.shape[1], cells=cells)

    def of_readers(x, y):
        same_reader, same_modality = (x[..., 1] == y[..., 1]), (x[..., 0] == y[..., 0])
        return 1e-3 * same_reader + 5e-4 * (same_reader & same_modality)

    of, inner, at = expected(theta, covariance, of_readers)
    assume((of.cov2_each > of.cov3).all())  # else it is more, on purpose
    weights = np.where(at[:, 0] == 0, 1 / of.n_readers[0], -1 / of.n_readers[1])
    error, _ = difference_error(of, 0, 1)
    assert error**2 == pytest.approx(weights @ inner @ weights, rel=1e-9)


@settings(max_examples=30)
@given(SEEDS, st.integers(2, 4), st.integers(2, 5), st.sampled_from(KINDS))
def test_many_studies_at_once_are_each_by_itself(seed, t, r, kind):
    readers, cases = kind
    pairs = [drawn(seed + k, t, r) for k in range(3)]
    both = components(np.stack([p[0] for p in pairs]), np.stack([p[1] for p in pairs]))
    test = global_test(both, readers=readers, cases=cases)
    error, df = difference_error(both, 0, 1, readers=readers, cases=cases)
    means = each_modality(both, readers=readers, cases=cases)
    for k, pair in enumerate(pairs):
        own = components(*pair)
        alone = global_test(own, readers=readers, cases=cases)
        for name in ("statistic", "pvalue", "error_term"):
            assert getattr(test, name)[k] == pytest.approx(getattr(alone, name), rel=1e-12)
        if readers == "random":
            assert test.df[1][k] == pytest.approx(alone.df[1], rel=1e-12)
        assert (error[k], df[k]) == pytest.approx(difference_error(own, 0, 1, readers=readers, cases=cases))
        for i in range(t):
            covariance = pair[1][i, :, i, :]
            single = single_modality(pair[0][i], covariance, readers=readers, cases=cases)
            assert [value[k, i] for value in means] == pytest.approx(single, rel=1e-12)


@settings(max_examples=40)
@given(SEEDS, st.integers(2, 4), st.integers(2, 5), st.sampled_from(KINDS), st.floats(0.01, 100))
def test_the_scale_of_the_measure_does_not_matter(seed, t, r, kind, factor):
    theta, covariance = drawn(seed, t, r)
    readers, cases = kind
    one = global_test(components(theta, covariance), readers=readers, cases=cases)
    other = global_test(components(factor * theta, factor**2 * covariance), readers=readers, cases=cases)
    for name in ("statistic", "df", "pvalue"):
        assert getattr(other, name) == pytest.approx(getattr(one, name), rel=1e-6)


@settings(max_examples=30)
@given(SEEDS, st.integers(2, 4), st.integers(3, 6))
def test_hillis_degrees_of_freedom(seed, t, r):
    of = components(*drawn(seed, t, r))
    test = global_test(of)
    more = r * max(of.cov2 - of.cov3, 0)
    ms = of.ms_modality_reader
    assert test.df[1] == pytest.approx((ms + more) ** 2 / (ms**2 / ((t - 1) * (r - 1))))
    assert test.df[1] >= (t - 1) * (r - 1) * (1 - 1e-12)
    assert test.statistic == pytest.approx(of.ms_modality / (ms + more))
    assert test.pvalue == pytest.approx(stats.f.sf(test.statistic, t - 1, test.df[1]), rel=1e-9)


def test_fixed_cases_of_two_modalities_are_a_paired_t_test():
    theta, covariance = drawn(3, 2, 6)
    of = components(theta, covariance)
    test, wanted = global_test(of, cases="fixed"), stats.ttest_rel(*theta)
    assert test.statistic == pytest.approx(wanted.statistic**2)
    assert test.pvalue == pytest.approx(wanted.pvalue)
    assert difference_error(of, 0, 1, cases="fixed") == pytest.approx(
        ((theta[0] - theta[1]).std(ddof=1) / np.sqrt(6), 5)
    )


@pytest.mark.parametrize("n_readers", [(4, 4), (3, 6)])
def test_nested_readers_of_fixed_cases_are_two_samples(n_readers):
    """Equally many: Student's test. Not equally many: Welch's."""
    cells = nested_cells(*n_readers)
    theta, covariance = drawn(4, 2, sum(n_readers), cells=cells)
    of = components(theta, covariance)
    wanted = stats.ttest_ind(*(row[~np.isnan(row)] for row in theta), equal_var=n_readers[0] == n_readers[1])
    test = global_test(of, cases="fixed")
    assert test.statistic == pytest.approx(wanted.statistic**2)
    assert test.pvalue == pytest.approx(wanted.pvalue)
    error, df = difference_error(of, 0, 1, cases="fixed")
    assert (of.means[0] - of.means[1]) / error == pytest.approx(wanted.statistic)
    assert df == pytest.approx(test.df[1])


def test_nested_readers_of_three_modalities_are_an_analysis_of_variance():
    cells = nested_cells(4, 4, 4)
    theta, covariance = drawn(5, 3, 12, cells=cells)
    test = global_test(components(theta, covariance), cases="fixed")
    wanted = stats.f_oneway(*(row[~np.isnan(row)] for row in theta))
    assert (test.statistic, test.pvalue) == pytest.approx((wanted.statistic, wanted.pvalue))
    assert test.df[1] == pytest.approx(9)


def welch(samples):
    """Welch (1951): F of means with unequal variances, its second degrees of freedom and p-value."""
    n, means, variances = (
        np.array([f(own) for own in samples]) for f in (len, np.mean, lambda x: np.var(x, ddof=1))
    )
    weights, t = n / variances, len(samples)
    away = (1 - weights / weights.sum()) ** 2 / (n - 1)
    centre = (weights * means).sum() / weights.sum()
    above = (weights * (means - centre) ** 2).sum() / (t - 1)
    statistic, df = above / (1 + 2 * (t - 2) / (t**2 - 1) * away.sum()), (t**2 - 1) / (3 * away.sum())
    return statistic, df, stats.f.sf(statistic, t - 1, df)


@pytest.mark.parametrize("n_readers", [(3, 6), (3, 4, 6), (2, 5, 5, 9)])
def test_unequally_many_nested_readers_of_fixed_cases_are_welchs_analysis_of_variance(n_readers):
    cells = nested_cells(*n_readers)
    theta, covariance = drawn(8, len(n_readers), sum(n_readers), cells=cells)
    test = global_test(components(theta, covariance), cases="fixed")
    expected = welch([row[~np.isnan(row)] for row in theta])
    assert (test.statistic, test.df[1], test.pvalue) == pytest.approx(expected)


@pytest.mark.parametrize("n_readers", [(3, 4, 6), (3, 5, 7, 9)])
def test_unequally_many_nested_readers_hold_the_level(n_readers):
    """20,000 studies without a difference: 4.8 % and 6.3 % were rejected (without Welch's 6.9 % and 9.4 %)."""
    cells = nested_cells(*n_readers)
    theta = np.where(cells, 0.8 + 0.03 * np.random.default_rng(1).normal(size=(4000, *cells.shape)), np.nan)
    nothing = np.broadcast_to(0.0, theta.shape + cells.shape)
    rejected = global_test(components(theta, nothing), cases="fixed").pvalue < 0.05
    assert 0.04 < rejected.mean() < 0.072


def test_a_nested_modality_without_spread_is_what_others_are_compared_with():
    """As for the difference of two: no infinite statistic because one mean has no error."""
    theta, covariance = drawn(9, 2, 9, cells=nested_cells(4, 5))
    theta[0, :4] = 0.8
    test = global_test(components(theta, covariance), cases="fixed")
    wanted = stats.ttest_1samp(theta[1, 4:], 0.8)
    assert (test.statistic, test.df[1], test.pvalue) == pytest.approx((wanted.statistic**2, 4, wanted.pvalue))


@pytest.mark.parametrize("n_readers", [(1, 1), (1, 3), (3, 3)])
def test_fixed_nested_readers_share_cases(n_readers):
    """Straight from the covariances of the cells, also with one reader in a modality."""
    cells = nested_cells(*n_readers)
    theta, covariance = drawn(10, 2, sum(n_readers), cells=cells)
    of = components(theta, covariance)
    weights = np.where(cells, np.array([1.0, -1.0])[:, None] / np.array(n_readers)[:, None], 0.0)
    variance = np.einsum("tr,trus,us->", weights, np.nan_to_num(covariance), weights)
    assert difference_error(of, 0, 1, readers="fixed")[0] == pytest.approx(np.sqrt(variance))


def test_nested_readers_and_random_cases():
    """Hillis (2014): MS[R(T)] + max(r (Cov2 - Cov3), 0), on its own degrees of freedom; no Cov1."""
    theta, covariance = drawn(6, 3, 9, cells=nested_cells(3, 3, 3))
    of = components(theta, covariance)
    assert np.isnan([of.cov1, of.ms_modality_reader, of.modality_reader]).all()
    more = 3 * max(of.cov2 - of.cov3, 0)
    test = global_test(of)
    assert test.error_term == pytest.approx(of.ms_reader + more)
    assert test.df[1] == pytest.approx((of.ms_reader + more) ** 2 / (of.ms_reader**2 / 6))
    fixed = global_test(of, readers="fixed")
    assert fixed.error_term == pytest.approx(of.var + 2 * of.cov2 - 3 * of.cov3)
    assert fixed.pvalue == pytest.approx(stats.chi2.sf(fixed.statistic, 2))


def test_a_variance_below_the_covariance_is_not_cut_by_itself():
    """Unbiased estimates may have Var < Cov1; the sum of both parts is what counts."""
    theta, covariance = drawn(7, 2, 4)
    same_reader = np.eye(4, dtype=bool)
    covariance[0, :, 1, :][same_reader] = covariance[1, :, 0, :][same_reader] = 3e-3
    of = components(theta, covariance)
    assert of.var < of.cov1
    rest = of.var - of.cov1 + 3 * (of.cov2 - of.cov3)
    assert rest < 0  # no variance is below 0: the estimate says nothing
    assert np.isnan(global_test(of, readers="fixed").error_term)
    assert np.isnan(difference_error(of, 0, 1, readers="fixed")[0])
    more = covariance.copy()
    for i in range(2):
        more[i, :, i, :][~same_reader] += 2e-3
    of = components(theta, more)
    rest = of.var - of.cov1 + 3 * (of.cov2 - of.cov3)
    assert rest > 0 > of.var - of.cov1
    assert global_test(of, readers="fixed").error_term == pytest.approx(rest)


def test_half_empty_tables_are_refused():
    theta, covariance = drawn(0, 2, 3)
    theta[0, 0] = np.nan
    with pytest.raises(ValueError, match="exactly one"):
        components(theta, covariance)


def test_quantiles_and_errors_of_means_take_any_shape():
    assert t_quantile(np.nan, 0.95) is not None
    assert np.isnan(t_quantile(np.nan, 0.95))
    error, df = mean_error(np.full((2, 3), 0.003), 8e-4, 4e-4, 5)
    assert error.shape == df.shape == (2, 3)
    assert mean_error(np.nan, 1e-4, 0.0, 1, readers="fixed") == (pytest.approx(0.01), np.inf)


# Studies that degenerate


def study(ratings, truth, *, modalities=("A", "B", "C"), readers="xyzwv"):
    """A set of ratings (t, r, c); NaN for none."""
    at = np.argwhere(~np.isnan(ratings))
    return ScoreSet.from_arrays(
        [int(truth[k]) for k in at[:, 2]],
        ratings[tuple(at.T)],
        [readers[j] for j in at[:, 1]],
        models=[modalities[i] for i in at[:, 0]],
        cases=at[:, 2],
        unit="reader",
    )


def ratings_of(seed=0, t=2, r=4, per_class=12):
    rng = np.random.default_rng(seed)
    truth = np.arange(2 * per_class) < per_class
    return rng.normal(size=(t, r, truth.size)) + truth * rng.normal(1.2, 0.2, size=(t, r, 1)), truth


def separated(truth):
    """Ratings that tell the classes apart without a fault."""
    return 100.0 * truth + np.arange(truth.size)


@pytest.mark.parametrize(("readers", "cases"), KINDS)
def test_identical_modalities(readers, cases):
    ratings, truth = ratings_of()
    ratings[1] = ratings[0]
    with pytest.warns(RocsteadyWarning, match="RS214"):
        found = compare_readers(study(ratings, truth), readers=readers, cases=cases)
    assert (found.difference, found.standard_error, found.statistic) == (0.0, 0.0, 0.0)
    assert found.pvalue == found.differences[0].pvalue == found.differences[0].adjusted_pvalue == 1.0
    assert (found.interval.low, found.interval.high) == (0.0, 0.0)
    assert (found.per_reader.pvalue == 1).all()
    assert any("nothing behind it" in note and "error term" in note for note in found.notes)
    assert "the error term of the test is 0" in found.reading
    if readers == "random":
        assert found.df == (1, 3)  # (t - 1) (r - 1): nothing was added, and nothing gained


def test_identical_readers_are_one_reader():
    """Their spread is nothing, so the luck of the cases is all: DeLong's test."""
    ratings, truth = ratings_of(r=1)
    with pytest.warns(RocsteadyWarning, match="RS214"):
        found = compare_readers(study(np.repeat(ratings, 4, axis=1), truth))
    alone = rs.compare_auc(truth, *ratings[:, 0], reference="normal")
    assert found.difference == pytest.approx(alone.difference)
    assert "The readers all show the same difference, so they add nothing to the error." in found.notes
    assert found.pvalue == pytest.approx(alone.pvalue)
    assert np.isinf(found.differences[0].df)
    assert np.isinf(found.df[1])
    one = compare_readers(study(ratings, truth), readers="fixed")
    assert one.pvalue == pytest.approx(alone.pvalue)
    assert one.differences[0].quantity == "AUC"


@pytest.mark.parametrize(("readers", "cases"), KINDS)
@pytest.mark.filterwarnings("ignore:RS151")
def test_perfect_readers(readers, cases):
    _, truth = ratings_of()
    perfect = np.broadcast_to(separated(truth), (2, 4, truth.size))
    with pytest.warns(RocsteadyWarning, match="RS214"):
        found = compare_readers(study(perfect, truth), readers=readers, cases=cases)
    assert (found.values == 1).all()
    assert found.pvalue == 1.0
    assert found.difference == 0.0


def test_one_perfect_modality():
    ratings, truth = ratings_of()
    ratings[0] = truth
    found = compare_readers(study(ratings, truth))
    assert found.per_modality.standard_error[0] == 0
    bound = 0.05 ** (1 / 12)  # what one reader has who told 12 and 12 cases apart
    per = found.per_modality
    assert (per.low[0], per.high[0]) == pytest.approx((bound, 1.0))
    assert [own.method for own in per.intervals] == ["separated", "t"]
    assert [own.method for own in per.logit_intervals] == ["separated", "logit"]
    assert found.differences[0].a_interval.low == pytest.approx(bound)
    assert 0 < found.pvalue < 1
    assert "Nothing varies in the mean of A: its limits are the bound" in found.reading
    fixed = compare_readers(study(ratings, truth), cases="fixed")
    assert np.isnan(fixed.per_modality.low[0])
    assert fixed.per_modality.intervals[0].method == "none"
    assert "Nothing varies in the mean of A, so it has no interval." in fixed.reading
    with pytest.warns(RocsteadyWarning, match="RS151"):
        compare_readers(study(ratings, truth), readers="fixed")


@pytest.mark.filterwarnings("ignore:RS219")
def test_no_error_at_all_is_said():
    _, truth = ratings_of()
    ratings = np.stack([np.tile(separated(truth), (4, 1)), np.tile(-separated(truth), (4, 1))])
    with pytest.warns(RocsteadyWarning, match="RS214"):
        found = compare_readers(study(ratings, truth))
    assert found.difference == 1.0
    assert np.isinf(found.statistic)
    (own,) = found.differences
    for value in (found.pvalue, own.pvalue, own.adjusted_pvalue, own.interval.low, own.interval.high):
        assert np.isnan(value)
    assert not own.is_decided
    assert np.isnan([found.per_reader.pvalue, found.per_reader.low]).all()
    assert "there is no p-value" in found.reading
    json.dumps(found.to_dict())


@pytest.mark.parametrize(
    "measure", ["auc", {"threshold": 1.0, "rate": "specificity"}, rs.PartialAuc(fpr=(0, 0.2))]
)
@pytest.mark.filterwarnings("ignore:RS214")
def test_one_case_of_each_class_may_be_fixed(measure):
    ratings, truth = ratings_of(per_class=1)
    found = compare_readers(study(ratings, truth), measure=measure, cases="fixed")
    assert np.isnan(found.covariances).all()
    assert np.isfinite(found.means).all()


def test_an_unknown_variance_is_not_zero():
    """One positive case: readers by themselves have no error over cases that could be known."""
    truth = np.array([True, False, False])
    ratings = np.array([[[3.0, 1, 2], [3.0, 1, 2]], [[2.0, 1, 3], [3.0, 1, 2]]])
    with pytest.warns(RocsteadyWarning, match="RS213"):
        found = compare_readers(study(ratings, truth), cases="fixed")
    own = found.per_reader
    for name in ("standard_error", "low", "high", "statistic", "pvalue"):
        assert np.isnan(getattr(own, name)).all()
    assert any("2 of 2 differences of single readers have no standard error" in note for note in found.notes)


@pytest.mark.filterwarnings("ignore:RS215", "ignore:RS218", "ignore:RS151")
def test_a_negative_unbiased_variance_is_no_certainty():
    """With some ratings missing Var may come out below Cov1: NaN for a reader, a refusal for the study."""
    ratings, truth = ratings_of(30)
    ratings += truth
    ratings[np.random.default_rng(30).random(ratings.shape) < 0.2] = np.nan
    data = study(ratings, truth)
    found = compare_readers(data, covariance="unbiased")
    assert 0 < found.pvalue < 1
    assert np.isnan(found.per_reader.standard_error).all()
    assert np.isnan(found.per_reader.pvalue).all()
    with pytest.raises(UsageError, match="RS030") as caught:
        compare_readers(data, covariance="unbiased", readers="fixed")
    assert "covariance='delong'" in str(caught.value)
    assert compare_readers(data, readers="fixed").pvalue > 0


def test_cases_or_readers_of_their_own_that_are_fixed_are_said():
    ratings, truth = ratings_of(r=4, per_class=20)
    ratings[0, :, ::2] = ratings[1, :, 1::2] = np.nan
    apart = study(ratings, truth)
    note = "modalities and cases are confounded"
    assert note in compare_readers(apart, cases="fixed").reading
    assert note not in compare_readers(apart).reading
    ratings, truth = ratings_of(r=4)
    ratings[0, :2] = ratings[1, 2:] = np.nan
    nested = study(ratings, truth)
    assert "modalities and readers are confounded" in compare_readers(nested, readers="fixed").reading


def test_patients_are_random_where_cases_are():
    ratings, truth = ratings_of()
    made = study(ratings, truth)
    data = ScoreSet.from_arrays(
        np.tile(truth.astype(int), 8),
        ratings.ravel(),
        np.tile(np.repeat(list("xyzw"), truth.size), 2),
        models=np.repeat(["A", "B"], 4 * truth.size),
        cases=np.tile(np.arange(truth.size), 8),
        clusters=np.tile(np.arange(truth.size) // 2, 8),
        unit="reader",
    )
    drawn_patients = compare_readers(data)
    assert "12 patients; patients are treated as the random sample" in drawn_patients.reading
    assert "patients are treated" in drawn_patients.random
    fixed = compare_readers(data, cases="fixed")
    assert "patients" not in fixed.reading
    assert "cases are treated" in compare_readers(made).random


def test_no_covariance_is_named_where_none_is_used():
    data = study(*ratings_of())
    assert compare_readers(data).differences[0].method == "Obuchowski-Rockette, DeLong covariance"
    fixed = compare_readers(data, cases="fixed")
    assert fixed.differences[0].method == "Obuchowski-Rockette"
    assert "covariance" not in fixed.reading


def test_average_curves_have_the_confidence_level_of_the_comparison():
    data = study(*ratings_of())
    narrow, wide = (
        compare_readers(data, confidence_level=level, n_resamples=200).average_curve("A").at(fpr=0.3).interval
        for level in (0.8, 0.95)
    )
    assert (narrow.confidence_level, wide.confidence_level) == (0.8, 0.95)
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize("options", [{}, {"cases": "fixed"}, {"method": "u-statistics"}])
def test_ratings_that_run_the_other_way_are_warned_of(options):
    ratings, truth = ratings_of(per_class=30)
    with pytest.warns(RocsteadyWarning, match="RS219") as caught:
        found = compare_readers(study(-ratings, truth), **options)
    (said,) = (str(own.message) for own in caught)
    assert f"mean AUC {found.means[0]:.3f} with A and mean AUC {found.means[1]:.3f} with B" in said
    assert "higher_is_positive=False" in said
    assert "Ratings may run the other way" in found.reading


def test_one_reader_who_took_the_scale_the_other_way_is_named():
    ratings, truth = ratings_of(per_class=30)
    ratings[1, 2] *= -1
    with pytest.warns(RocsteadyWarning, match="RS219") as caught:
        found = compare_readers(study(ratings, truth))
    (said,) = (str(own.message) for own in caught)
    assert f"found: AUC {found.values[1, 2]:.3f} of reader z with B\n" in said
    assert "higher_is_positive" not in said
    separate = np.where(np.arange(4)[:, None] == 2, -separated(truth), separated(truth))
    with pytest.warns(RocsteadyWarning, match="RS219"):
        compare_readers(study(np.stack([separate, ratings[0]]), truth))


def test_one_modality_that_runs_the_other_way_needs_no_name():
    ratings, truth = ratings_of(t=1, r=4, per_class=30)
    at = np.argwhere(np.isfinite(ratings))
    one = ScoreSet.from_arrays(
        truth[at[:, 2]].astype(int),
        -ratings[tuple(at.T)],
        [f"r{j}" for j in at[:, 1]],
        cases=at[:, 2],
        unit="reader",
    )
    with pytest.warns(RocsteadyWarning, match=r"found: mean AUC 0\.\d+\n"):
        rs.summarize_readers(one)


def test_guessing_and_other_measures_are_not_the_other_way():
    rng = np.random.default_rng(5)
    _, truth = ratings_of(per_class=30)
    ratings = rng.normal(size=(2, 4, truth.size))
    assert (compare_readers(study(ratings, truth)).values < 0.5).any()
    reversed_rates = {"threshold": 0.0, "rate": "sensitivity"}
    compare_readers(study(ratings - 2 * truth, truth), measure=reversed_rates)


# What is random, and what can be asked


def test_few_readers_are_warned_of():
    ratings, truth = ratings_of(r=3)
    with pytest.warns(RocsteadyWarning, match="RS213"):
        compare_readers(study(ratings, truth))
    compare_readers(study(ratings, truth), readers="fixed")


def test_few_readers_of_u_statistics_cannot_be_fixed():
    ratings, truth = ratings_of(r=3)
    with pytest.warns(RocsteadyWarning, match="RS213") as caught:
        compare_readers(study(ratings, truth), method="u-statistics")
    assert "readers='fixed'" not in str(caught[0].message)


def test_a_system_as_a_modality_is_pointed_to_its_own_comparison():
    ratings, truth = ratings_of(r=5)
    ratings[0, 4] = ratings[1, :4] = np.nan
    with pytest.raises(DataError, match="RS027") as caught:
        compare_readers(study(ratings, truth))
    assert "standalone='B'" in str(caught.value)


def test_one_reader_cannot_be_random():
    ratings, truth = ratings_of(r=1)
    with pytest.raises(DataError, match="RS027") as caught:
        compare_readers(study(ratings, truth))
    assert "readers='fixed'" in str(caught.value)
    for options, what in (
        ({"cases": "fixed"}, "readers='fixed', cases='random'"),
        ({"method": "u-statistics"}, "readers='fixed', method='obuchowski-rockette'"),
    ):
        with pytest.raises(DataError, match="RS027") as caught:
            compare_readers(study(ratings, truth), **options)
        assert what in str(caught.value)


def test_nested_readers_through_the_front_door():
    ratings, truth = ratings_of(r=4)
    ratings[0, :2] = ratings[1, 2:] = np.nan
    with pytest.warns(RocsteadyWarning, match="RS213"):
        found = compare_readers(study(ratings, truth))
    assert found.design == "readers nested in modalities"
    assert len(found.per_reader) == 0
    assert found.per_modality.n_readers.tolist() == [2, 2]
    ratings[0, 2] = np.nan
    with pytest.raises(DataError, match="RS027") as caught:
        compare_readers(study(ratings, truth))
    assert "one reader with A" in str(caught.value)
    assert compare_readers(study(ratings, truth), readers="fixed").pvalue > 0


def split_plot(ratings):
    """Two blocks of two readers, each with half of the cases."""
    ratings[:, :2, 1::2] = ratings[:, 2:, ::2] = np.nan


def nested_in_readers(ratings):
    for j in range(4):
        ratings[:, j, np.arange(ratings.shape[2]) % 4 != j] = np.nan


def nested_in_modalities(ratings):
    ratings[0, :, ::2] = ratings[1, :, 1::2] = np.nan


def by_two_of_four(ratings):
    """Every case by two of the readers, the pairs by turns: all readers have cases in common."""
    for case in range(ratings.shape[2]):
        ratings[:, [case % 4, (case + 1 + case // 4 % 2) % 4], case] = np.nan
    ratings[:, 3, :12] = np.nan


@pytest.mark.filterwarnings("ignore:RS151", "ignore:RS155", "ignore:RS218")
@pytest.mark.parametrize(
    ("plan", "n_read"),
    [(split_plot, 240), (nested_in_readers, 120), (nested_in_modalities, 240), (lambda ratings: None, 480)],
)
def test_a_rating_is_missing_only_where_the_case_was_to_be_read(plan, n_read):
    """Cases that other readers or other modalities were to read are none that this one lacks."""
    ratings, truth = ratings_of(per_class=30)
    plan(ratings)
    at = np.argwhere(~np.isnan(ratings))
    assert len(at) == n_read
    for place in at[[0, len(at) // 3, -1]]:
        ratings[tuple(place)] = np.nan
    with pytest.warns(RocsteadyWarning, match="RS215") as caught:
        found = compare_readers(study(ratings, truth))
    assert any(f"found: 3 of {n_read} ratings missing" in str(own.message) for own in caught)
    assert f"(partly crossed). 3 of {n_read} ratings were missing; every value" in found.methods


def test_a_case_that_nobody_read_with_one_modality_is_missing_where_modalities_share_cases():
    ratings, truth = ratings_of(per_class=15)
    ratings[0, :, 7] = np.nan
    with pytest.warns(RocsteadyWarning, match="found: 4 of 240 ratings missing"):
        compare_readers(study(ratings, truth))


@pytest.mark.filterwarnings("ignore:RS151", "ignore:RS155", "ignore:RS218")
def test_no_rating_is_missing_where_every_case_was_given_to_a_few_readers():
    ratings, truth = ratings_of(per_class=30)
    by_two_of_four(ratings)
    with pytest.warns(RocsteadyWarning, match="RS215") as caught:
        compare_readers(study(ratings, truth))
    assert not any("missing" in str(own.message) for own in caught)
    ratings[0, 0, np.flatnonzero(~np.isnan(ratings[0, 0]))[0]] = np.nan
    with pytest.warns(RocsteadyWarning, match="RS215") as caught:
        compare_readers(study(ratings, truth))
    assert any("found: 1 of " in str(own.message) for own in caught)


def test_partly_read_studies_are_warned_of():
    ratings, truth = ratings_of(per_class=15)
    ratings[0, 0, :5] = np.nan
    with pytest.warns(RocsteadyWarning, match="RS215") as caught:
        found = compare_readers(study(ratings, truth))
    assert "5 of 240 ratings missing; 25 to 30 cases for a reader and modality" in str(caught[0].message)
    assert found.design == "partly crossed"
    assert any("counts the same" in note for note in found.notes)
    own = rs.auc(truth[5:], ratings[0, 0, 5:])
    assert found.values[0, 0] == pytest.approx(own)


def test_clean_designs_are_not_warned_of():
    ratings, truth = ratings_of(per_class=20)
    ratings[0, :, ::2] = ratings[1, :, 1::2] = np.nan
    found = compare_readers(study(ratings, truth))
    assert found.design == "cases nested in modalities"
    assert found.components.cov1 == found.components.cov3 == 0


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"readers": "fixed", "cases": "fixed"}, "RS002"),
        ({"readers": "rand"}, "RS001"),
        ({"cases": None}, "RS001"),
        ({"method": "dbm"}, "RS001"),
        ({"covariance": "obuchowski"}, "RS001"),
        ({"adjust": "bonferroni"}, "RS001"),
        ({"missing": "skip"}, "RS001"),
        ({"confidence_level": 95}, "RS042"),
        ({"seed": -1}, "RS042"),
        ({"measure": 3}, "RS001"),
        ({"method": "u-statistics", "covariance": "delong"}, "RS002"),
        ({"method": "u-statistics", "readers": "fixed"}, "RS002"),
    ],
)
def test_what_cannot_be_asked(options, code):
    with pytest.raises(UsageError) as caught:
        compare_readers(study(*ratings_of()), **options)
    assert caught.value.code == code


def test_names_of_other_programs_are_translated():
    with pytest.raises(UsageError, match="method='obuchowski-rockette'"):
        compare_readers(study(*ratings_of()), method="DBM")


# What comes out


def test_three_modalities():
    found = compare_readers(study(*ratings_of(t=3)))
    assert [(own.a, own.b) for own in found.differences] == [("A", "B"), ("A", "C"), ("B", "C")]
    raw = np.array([own.pvalue for own in found.differences])
    holm = [own.adjusted_pvalue for own in found.differences]
    order = np.argsort(raw)
    assert holm[order[0]] == pytest.approx(min(3 * raw[order[0]], 1))
    assert all(own.standard_error == found.differences[0].standard_error for own in found.differences)
    assert np.isnan([found.difference, found.standard_error, found.interval.low]).all()
    assert len(found.per_reader) == 12
    plain = compare_readers(study(*ratings_of(t=3)), adjust=None)
    assert [own.adjusted_pvalue for own in plain.differences] == raw.tolist()


def test_everything_becomes_plain_data_and_tables():
    found = compare_readers(study(*ratings_of(t=3)))
    data = json.loads(json.dumps(found.to_dict()))
    assert "ratings" not in data
    assert data["modalities"] == ["A", "B", "C"]
    assert data["components"]["cov2"] == found.components.cov2
    assert data["reading"] == found.reading
    assert data["methods"] == found.methods
    assert len(found.to_frame()) == 3
    assert list(found.per_modality.to_frame()["modality"]) == ["A", "B", "C"]
    assert len(found.per_reader.to_frame()) == 12
    for result in (found, found.per_modality, found.per_reader, found.components):
        assert "\n" not in repr(result)
        with pytest.raises(TypeError):
            iter(result)


def test_results_cannot_be_changed():
    found = compare_readers(study(*ratings_of()))
    for array in (found.values, found.means, found.covariances):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_false_positive_rate_is_better_when_lower():
    found = compare_readers(study(*ratings_of()), measure={"tpr": 0.8}, n_resamples=200)
    (own,) = found.differences
    assert own.lower_is_better
    assert own.better == (own.a if own.difference < 0 else own.b)
    assert found.covariance == "bootstrap"


def test_u_statistics_of_a_crossed_study_have_the_same_means():
    data = study(*ratings_of())
    found, usual = compare_readers(data, method="u-statistics"), compare_readers(data)
    assert found.means == pytest.approx(usual.means)
    assert found.difference == pytest.approx(usual.difference)
    assert found.covariance == "centred"
    assert found.per_reader.difference == pytest.approx(usual.per_reader.difference)


def test_u_statistics_take_missing_cells():
    ratings, truth = ratings_of(r=5)
    ratings[0, 3] = np.nan
    with pytest.raises(DataError, match="RS028"):
        compare_readers(study(ratings, truth))
    with pytest.warns(RocsteadyWarning, match="RS215") as caught:
        found = compare_readers(study(ratings, truth), method="u-statistics")
    assert "no ratings of reader w with A" in str(caught[0].message)
    assert found.components is None
    assert np.isnan(found.values[0, found.readers.index("w")])
    assert len(found.per_reader) == 4
    assert 0 < found.pvalue <= 1
    dropped = compare_readers(study(ratings, truth), missing="drop", readers="fixed")
    assert dropped.readers == ("x", "y", "z", "v")
    assert "reader w: no ratings with A" in dropped.notes[0]


def test_means_near_one_are_noted_and_have_logit_intervals():
    ratings, truth = ratings_of(per_class=60)
    plain = compare_readers(study(ratings, truth))
    far = compare_readers(study(ratings + 2 * truth, truth))
    assert not any("logit" in note for note in plain.notes)
    assert any("per_modality.logit_intervals" in note for note in far.notes)
    for found in (plain, far):
        per = found.per_modality
        assert [own.method for own in per.intervals] == ["t", "t"]
        for mean, own in zip(found.means, per.logit_intervals, strict=True):
            assert 0 < own.low < mean < own.high < 1


@pytest.mark.parametrize(
    "measure", [rs.PartialAuc(fpr=(0, 0.1)), lambda curve: 0.97 * curve.auc], ids=["partial AUC", "function"]
)
def test_notes_of_logit_intervals_are_for_what_they_were_measured_for(measure):
    ratings, truth = ratings_of(per_class=60)
    found = compare_readers(study(ratings + 2 * truth, truth), measure=measure)
    assert not any("logit" in note for note in found.notes)
    largest = 0.1 if isinstance(measure, rs.PartialAuc) else np.inf
    assert all(own.high <= largest for own in found.per_modality.logit_intervals)


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_measures_that_cannot_be_squared_are_refused(factor):
    with pytest.raises(UsageError, match="RS002"):
        compare_readers(study(*ratings_of()), measure=lambda curve: factor * curve.auc)


def test_u_statistics_of_readers_without_a_fault_are_warned_of():
    _, truth = ratings_of()
    perfect = np.broadcast_to(separated(truth), (2, 4, truth.size))
    with pytest.warns(RocsteadyWarning, match="RS214"):
        found = compare_readers(study(perfect, truth), method="u-statistics")
    assert found.pvalue == 1.0
    assert "the error term of the test is 0" in found.reading


def test_u_statistics_without_centring_are_another_analysis_of_unbalanced_studies():
    """In a crossed study both are the same; elsewhere the note says what the other would print."""
    ratings, truth = ratings_of(r=5, per_class=30)
    whole = study(ratings, truth)
    centred, raw = (compare_readers(whole, method="u-statistics", covariance=c) for c in (None, "unbiased"))
    assert (centred.covariance, raw.covariance) == ("centred", "unbiased")
    assert raw.standard_error == pytest.approx(centred.standard_error, rel=1e-9)
    assert raw.pvalue == pytest.approx(centred.pvalue, rel=1e-9)
    ratings[0, 0, :3] = ratings[1, 2, 40:42] = np.nan
    holed = study(ratings, truth)
    with pytest.warns(RocsteadyWarning, match="RS215"):
        centred = compare_readers(holed, method="u-statistics")
    with pytest.warns(RocsteadyWarning, match="RS215"):
        raw = compare_readers(holed, method="u-statistics", covariance="unbiased")
    assert centred.means == pytest.approx(raw.means)
    assert centred.standard_error != pytest.approx(raw.standard_error, rel=1e-4)
    (note,) = (note for note in centred.notes if "iMRMC" in note)
    assert f"A − B has a standard error of {raw.standard_error:.3g}" in note
    assert not any("iMRMC" in note for note in raw.notes)


@pytest.mark.parametrize("unit", ["difference", "value", "low"])
def test_a_reader_called_like_a_column_loses_none(unit):

    from rocsteady.simulate import reader_study

    columns = {"label": "truth", "score": "rating", "group": unit, "model": "modality", "case": "case"}
    table = reader_study()
    table[unit] = table.pop("reader")
    study = ScoreSet.from_frame(table, **columns, positive="cancer")
    assert study.unit == unit
    alone = rs.compare_readers(study, standalone="AI", modalities=["film"])
    readers = alone.per_reader._columns()
    assert list(readers.get("reader", readers[unit])) == list(alone.readers)
    np.testing.assert_array_equal(readers["difference"], alone.per_reader.difference)
