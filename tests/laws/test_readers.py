"""What every reader study obeys, whatever the ratings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import UsageError

# Studies this small have every flaw that can be warned of.
pytestmark = pytest.mark.filterwarnings("ignore:RS")

COVARIANCES = ("delong", "jackknife", "unbiased")
RANDOM = ({}, {"readers": "fixed"}, {"cases": "fixed"})
ANALYSES = [
    *({"covariance": name, **random} for name in COVARIANCES for random in RANDOM),
    {"method": "u-statistics"},
]
MEASURES = ("auc", rs.PartialAuc(fpr=(0, 0.5)), {"fpr": 0.25}, {"sensitivity": 0.5})


@st.composite
def studies(draw, *, modalities=(2, 3), readers=(2, 4), per_class=(2, 5)):
    """Truths of the cases and ratings of (modalities, readers, cases), with many ties."""
    shape = (draw(st.integers(*modalities)), draw(st.integers(*readers)))
    sizes = draw(st.tuples(st.integers(*per_class), st.integers(*per_class)))
    n = sum(sizes)
    values = st.lists(st.integers(-2, 3), min_size=shape[0] * shape[1] * n, max_size=shape[0] * shape[1] * n)
    truth = np.array(draw(st.permutations([True] * sizes[0] + [False] * sizes[1])))
    return truth, np.array(draw(values), dtype=np.float64).reshape(*shape, n)


@st.composite
def overlapping(draw, **sizes):
    """Studies in which some ratings are missing; every reader has both classes in every modality."""
    truth, ratings = draw(studies(per_class=(3, 5), **sizes))
    flags = st.lists(st.integers(0, 3), min_size=ratings.size, max_size=ratings.size)
    is_read = np.array(draw(flags)).reshape(ratings.shape) > 0
    for of_class in (truth, ~truth):
        is_read[..., np.flatnonzero(of_class)[:2]] = True
    return truth, np.where(is_read, ratings, np.nan)


def rows(truth, ratings, *, modalities="ABC", readers=("x", "y", "z", "w"), cases=None):
    """One row per rating: columns of a table."""
    modality, reader, case = np.nonzero(~np.isnan(ratings))
    names = np.arange(truth.size) if cases is None else np.asarray(cases)
    return {
        "modality": np.array(list(modalities))[modality],
        "reader": np.array(list(readers))[reader],
        "case": names[case],
        "truth": truth[case],
        "rating": ratings[modality, reader, case],
    }


def compared(table, **options):
    roles = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    kind = {name: options.pop(name) for name in ("positive", "higher_is_positive") if name in options}
    return rs.compare_readers(
        rs.ScoreSet.from_frame(table, **roles, **({"positive": True} | kind)), **options
    )


def answered(table, **options):
    """The same, for studies that have an answer: an unbiased estimate may leave none (a variance below 0)."""
    try:
        return compared(table, **options)
    except UsageError as error:
        if (error.code, options.get("covariance")) != ("RS030", "unbiased"):
            raise
        reject()


def numbers(found):
    """Everything that does not depend on the order in which modalities and readers are named."""
    told = {
        "statistic": found.statistic,
        "df": np.ravel(found.df),
        "pvalue": found.pvalue,
        "error term": found.error_term,
    }
    for i, modality in enumerate(found.modalities):
        told["mean", modality] = found.means[i]
        for j, reader in enumerate(found.readers):
            told["value", modality, reader] = found.values[i, j]
    for own in found.differences:
        sign = 1.0 if own.a < own.b else -1.0
        limits = sorted([sign * own.interval.low, sign * own.interval.high])
        pair = tuple(sorted([own.a, own.b]))
        told["difference", *pair] = [sign * own.difference, own.standard_error, *limits, own.df]
        told["pvalue", *pair] = [own.pvalue, own.adjusted_pvalue]
    own = found.per_modality
    for i, modality in enumerate(own.modalities):
        told["modality", modality] = [own.standard_error[i], own.df[i], own.low[i], own.high[i]]
    each = found.per_reader
    for i, reader in enumerate(each.reader):
        sign = 1.0 if each.a[i] < each.b[i] else -1.0
        told["reader", reader, *sorted([each.a[i], each.b[i]])] = [
            sign * each.difference[i],
            each.standard_error[i],
            sign * each.statistic[i],
            each.pvalue[i],
        ]
    return told


def assert_alike(one, other):
    one, other = numbers(one), numbers(other)
    assert one.keys() == other.keys()
    for key, value in one.items():
        np.testing.assert_allclose(
            np.asarray(value, dtype=float),
            np.asarray(other[key], dtype=float),
            rtol=1e-9,
            atol=1e-12,
            err_msg=str(key),
        )


@settings(max_examples=60)
@given(overlapping(), st.sampled_from(ANALYSES), st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_of_anything_else_matters(study, how, random):
    """Rows in another order name modalities, readers and cases in another order."""
    table = rows(*study)
    order = list(range(table["rating"].size))
    random.shuffle(order)
    shuffled = {name: column[order] for name, column in table.items()}
    assert_alike(answered(table, **how), answered(shuffled, **how))


@settings(max_examples=40)
@given(overlapping(), st.sampled_from(ANALYSES), st.randoms(use_true_random=False))
def test_names_do_not_matter(study, how, random):
    truth, ratings = study
    cases = [f"case {i}" for i in range(truth.size)]
    random.shuffle(cases)
    found = answered(rows(truth, ratings), **how)
    renamed = answered(
        rows(truth, ratings, modalities=("M1", "M10", "M100"), readers="1234", cases=cases), **how
    )
    np.testing.assert_array_equal(found.values, renamed.values)
    np.testing.assert_allclose(
        [found.statistic, found.pvalue, found.error_term],
        [renamed.statistic, renamed.pvalue, renamed.error_term],
        rtol=1e-9,
        atol=1e-12,
    )
    np.testing.assert_allclose(found.covariances, renamed.covariances, rtol=1e-9, atol=1e-12)


@settings(max_examples=40)
@given(studies(modalities=(2, 2)), st.sampled_from(ANALYSES))
def test_swapped_modalities_have_the_opposite_difference(study, how):
    truth, ratings = study
    (found,) = answered(rows(truth, ratings), **how).differences
    (swapped,) = answered(rows(truth, ratings[::-1]), **how).differences
    assert found.difference == pytest.approx(-swapped.difference, abs=1e-14)
    assert found.interval.low == pytest.approx(-swapped.interval.high, rel=1e-9, abs=1e-12, nan_ok=True)
    assert found.interval.high == pytest.approx(-swapped.interval.low, rel=1e-9, abs=1e-12, nan_ok=True)
    assert found.pvalue == pytest.approx(swapped.pvalue, rel=1e-9, nan_ok=True)


@settings(max_examples=40)
@given(overlapping(), st.sampled_from(ANALYSES))
def test_identical_modalities_do_not_differ(study, how):
    truth, ratings = study
    same = np.broadcast_to(ratings[:1], ratings.shape)
    found = compared(rows(truth, same), **how)
    assert (found.statistic, found.pvalue) == (0, 1)
    for own in found.differences:
        assert (own.difference, own.standard_error, own.pvalue, own.adjusted_pvalue) == (0, 0, 1, 1)
        assert (own.interval.low, own.interval.high) == (0, 0)


@settings(max_examples=40)
@given(overlapping(), st.sampled_from(MEASURES), st.lists(st.floats(0.1, 3), min_size=12, max_size=12))
def test_every_reader_may_have_a_scale_of_their_own(study, measure, powers):
    """A scale that rises with the old one changes nothing, in every modality and for every reader."""
    truth, ratings = study
    power = np.array(powers[: ratings.shape[0] * ratings.shape[1]]).reshape(*ratings.shape[:2], 1)
    how = {"measure": measure, "covariance": "jackknife"}
    found = answered(rows(truth, ratings), **how)
    rescaled = answered(rows(truth, np.exp(power * ratings)), **how)
    np.testing.assert_array_equal(found.values, rescaled.values)
    np.testing.assert_equal([found.statistic, found.pvalue], [rescaled.statistic, rescaled.pvalue])


@settings(max_examples=30)
@given(overlapping(), st.sampled_from(ANALYSES))
def test_ratings_may_run_the_other_way(study, how):
    truth, ratings = study
    found = answered(rows(truth, ratings), **how)
    turned = answered(rows(truth, -ratings), **how, higher_is_positive=False)
    assert_alike(found, turned)


@settings(max_examples=30)
@given(studies(), st.sampled_from(ANALYSES))
def test_the_other_class_may_be_the_positive_one(study, how):
    """All AUCs turn over, and so do the differences; nothing else changes.

    Not where cells share some of their cases only: there the unbiased estimate weighs comparisons by how many
    others have no case in common with them, and is another one for the other class, just as unbiased.
    """
    truth, ratings = study
    found, turned = answered(rows(truth, ratings), **how), answered(rows(~truth, ratings), **how)
    np.testing.assert_allclose(found.values, 1 - turned.values, rtol=1e-12)
    for own, other in zip(found.differences, turned.differences, strict=True):
        assert own.difference == pytest.approx(-other.difference, abs=1e-12)
        assert own.standard_error == pytest.approx(other.standard_error, rel=1e-9, abs=1e-12)
    assert found.pvalue == pytest.approx(turned.pvalue, rel=1e-7, nan_ok=True)


@settings(max_examples=30)
@given(studies(per_class=(3, 3)), st.sampled_from(["random", "fixed"]))
def test_cases_read_twice_over_are_more_cases(study, cases):
    """All AUCs stay; DeLong's covariances shrink by (n - 1) / (2 n - 1), what readers differ by does not."""
    truth, ratings = study
    found = answered(rows(truth, ratings), cases=cases)
    twice = answered(rows(np.tile(truth, 2), np.tile(ratings, 2)), cases=cases)
    np.testing.assert_allclose(found.values, twice.values, rtol=1e-12)
    np.testing.assert_allclose(twice.covariances, found.covariances * 2 / 5, rtol=1e-9, atol=1e-15)
    if cases == "fixed":
        assert found.df == twice.df
        assert found.statistic == pytest.approx(twice.statistic, rel=1e-9)
        assert found.pvalue == pytest.approx(twice.pvalue, rel=1e-9, nan_ok=True)
    else:
        assert twice.error_term <= found.error_term * (1 + 1e-9)


@settings(max_examples=40)
@given(studies(modalities=(2, 2), readers=(1, 1)))
def test_one_fixed_reader_is_a_comparison_of_two_curves(study):
    truth, ratings = study
    found = answered(rows(truth, ratings), readers="fixed")
    known = rs.compare_auc(truth, ratings[0, 0], ratings[1, 0], reference="normal")
    assert found.difference == pytest.approx(known.difference, abs=1e-12)
    assert found.standard_error == pytest.approx(known.standard_error, abs=1e-9)
    if found.standard_error == 0 != found.difference:  # nothing to hold the difference against
        assert np.isnan(found.pvalue)
    else:
        assert found.pvalue == pytest.approx(known.pvalue, rel=1e-6)


@settings(max_examples=30)
@given(overlapping(modalities=(2, 2)), st.sampled_from(COVARIANCES))
def test_fixed_readers_have_the_variance_of_a_mean_of_differences(study, covariance):
    """Straight from the covariances, where they do not contradict the model."""
    found = answered(rows(*study), readers="fixed", covariance=covariance)
    of = found.components
    assume(of.cov2 > of.cov3 + 1e-9)
    signs = np.array([1.0, -1.0])[:, None] * np.ones(len(found.readers)) / len(found.readers)
    variance = np.einsum("tr,trus,us->", signs, found.covariances, signs)
    assert found.standard_error == pytest.approx(np.sqrt(max(variance, 0)), rel=1e-6, abs=1e-9)


@settings(max_examples=40)
@given(overlapping(modalities=(2, 2)), st.sampled_from(ANALYSES))
def test_the_test_and_the_interval_agree(study, how):
    found = answered(rows(*study), **how)
    assume(found.standard_error > 0 and abs(found.pvalue - 0.05) > 1e-9)
    excludes = not found.interval.low <= 0 <= found.interval.high
    assert excludes == (found.pvalue < 0.05)
    assert found.differences[0].pvalue == pytest.approx(found.pvalue, rel=1e-7)


@settings(max_examples=25)
@given(studies(), st.sampled_from(["fpr", "tpr"]))
def test_the_area_of_the_average_curve_is_the_mean_auc(study, hold):
    found = answered(rows(*study), n_resamples=20)
    for modality, mean in zip(found.modalities, found.means, strict=True):
        assert found.average_curve(modality, hold=hold).auc == pytest.approx(mean, abs=1e-12)


@settings(max_examples=10)
@given(studies(per_class=(3, 5)), st.integers(0, 3))
def test_a_seed_gives_the_same_numbers_on_any_number_of_threads(study, seed):
    how = {"covariance": "bootstrap", "measure": {"fpr": 0.3}, "n_resamples": 40, "seed": seed}
    one, three = (answered(rows(*study), **how, threads=n) for n in (1, 3))
    np.testing.assert_array_equal(one.covariances, three.covariances)
    np.testing.assert_equal(one.pvalue, three.pvalue)


@settings(max_examples=25)
@given(studies())
def test_a_result_says_everything_once(study):
    found = answered(rows(*study))
    told = found.to_dict()
    assert told["pvalue"] == (None if np.isnan(found.pvalue) else found.pvalue)
    assert "random" in found.random
    assert len(repr(found).splitlines()) == 1
    with pytest.raises(TypeError):
        iter(found)
