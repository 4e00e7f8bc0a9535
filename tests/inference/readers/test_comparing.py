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
from rocsteady.inference.readers.comparing import compare_readers
from rocsteady.scores.score_set import ScoreSet
from rocsteady.uncertainty.obuchowski_rockette import (
    components,
    difference_error,
    each_modality,
    global_test,
    mean_error,
    single_modality,
    t_quantile,
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
        for name in ("statistic", "df2", "pvalue", "error_term"):
            assert getattr(test, name)[k] == pytest.approx(getattr(alone, name), rel=1e-12)
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
    for name in ("statistic", "df2", "pvalue"):
        assert getattr(other, name) == pytest.approx(getattr(one, name), rel=1e-6)


@settings(max_examples=30)
@given(SEEDS, st.integers(2, 4), st.integers(3, 6))
def test_hillis_degrees_of_freedom(seed, t, r):
    of = components(*drawn(seed, t, r))
    test = global_test(of)
    more = r * max(of.cov2 - of.cov3, 0)
    ms = of.ms_modality_reader
    assert test.df2 == pytest.approx((ms + more) ** 2 / (ms**2 / ((t - 1) * (r - 1))))
    assert test.df2 >= (t - 1) * (r - 1) * (1 - 1e-12)
    assert test.statistic == pytest.approx(of.ms_modality / (ms + more))
    assert test.pvalue == pytest.approx(stats.f.sf(test.statistic, t - 1, test.df2), rel=1e-9)


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
    assert df == pytest.approx(test.df2)


def test_nested_readers_of_three_modalities_are_an_analysis_of_variance():
    cells = nested_cells(4, 4, 4)
    theta, covariance = drawn(5, 3, 12, cells=cells)
    test = global_test(components(theta, covariance), cases="fixed")
    wanted = stats.f_oneway(*(row[~np.isnan(row)] for row in theta))
    assert (test.statistic, test.pvalue) == pytest.approx((wanted.statistic, wanted.pvalue))
    assert test.df2 == pytest.approx(9)


def test_nested_readers_and_random_cases():
    """Hillis (2014): MS[R(T)] + max(r (Cov2 - Cov3), 0), on its own degrees of freedom; no Cov1."""
    theta, covariance = drawn(6, 3, 9, cells=nested_cells(3, 3, 3))
    of = components(theta, covariance)
    assert np.isnan([of.cov1, of.ms_modality_reader, of.modality_reader]).all()
    more = 3 * max(of.cov2 - of.cov3, 0)
    test = global_test(of)
    assert test.error_term == pytest.approx(of.ms_reader + more)
    assert test.df2 == pytest.approx((of.ms_reader + more) ** 2 / (of.ms_reader**2 / 6))
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
    assert global_test(of, readers="fixed").error_term == pytest.approx(max(rest, 0.0), abs=1e-12)
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


def test_identical_readers_are_one_reader():
    """Their spread is nothing, so the luck of the cases is all: DeLong's test."""
    ratings, truth = ratings_of(r=1)
    with pytest.warns(RocsteadyWarning, match="RS214"):
        found = compare_readers(study(np.repeat(ratings, 4, axis=1), truth))
    alone = rs.compare_auc(truth, *ratings[:, 0])
    assert found.difference == pytest.approx(alone.difference)
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
    assert found.per_modality.low[0] == found.per_modality.high[0] == 1
    assert 0 < found.pvalue < 1
    with pytest.warns(RocsteadyWarning, match="RS151"):
        compare_readers(study(ratings, truth), readers="fixed")


def test_no_error_at_all_is_said():
    _, truth = ratings_of()
    ratings = np.stack([np.tile(separated(truth), (4, 1)), np.tile(-separated(truth), (4, 1))])
    with pytest.warns(RocsteadyWarning, match="RS214"):
        found = compare_readers(study(ratings, truth))
    assert found.difference == 1.0
    assert found.pvalue == 0.0
    assert found.interval.low == found.interval.high == 1.0


# What is random, and what can be asked


def test_few_readers_are_warned_of():
    ratings, truth = ratings_of(r=3)
    with pytest.warns(RocsteadyWarning, match="RS213"):
        compare_readers(study(ratings, truth))
    compare_readers(study(ratings, truth), readers="fixed")


def test_one_reader_cannot_be_random():
    ratings, truth = ratings_of(r=1)
    with pytest.raises(DataError, match="RS027") as caught:
        compare_readers(study(ratings, truth))
    assert "readers='fixed'" in str(caught.value)


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


def test_partly_read_studies_are_warned_of():
    ratings, truth = ratings_of(per_class=15)
    ratings[0, 0, :5] = np.nan
    with pytest.warns(RocsteadyWarning, match="RS215") as caught:
        found = compare_readers(study(ratings, truth))
    assert "5 of 240 ratings missing; 25 to 30 cases in a cell" in str(caught[0].message)
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
    found = compare_readers(study(*ratings_of()), measure=rs.FprAt(0.8), n_resamples=200)
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
    assert f"A less B has a standard error of {raw.standard_error:.4f}" in note
    assert not any("iMRMC" in note for note in raw.notes)
