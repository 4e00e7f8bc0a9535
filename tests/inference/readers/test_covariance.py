"""Measures of readers and their covariances over cases: values, literal leave-one-out, draws, refusals."""

from __future__ import annotations

import csv
import json
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.curves.statistics import Auc, PartialAuc, RateAt, statistic_of
from rocsteady.errors import UsageError
from rocsteady.readers.study import (
    COVARIANCES,
    ReaderRatings,
    default_covariance,
    error_covariance,
    measure_of,
    values,
)
from rocsteady.scores.labels import Classes

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS152", "ignore:RS217", "ignore:RS218")

MEASURES = [
    Auc(),
    PartialAuc(fpr=(0, 0.3)),
    PartialAuc(tpr=(0.5, 0.9), standardized=True),
    statistic_of({"fpr": 0.2}),
    statistic_of({"tpr": 0.7}),
    statistic_of({"specificity": 0.75}),
    statistic_of({"sensitivity": 0.6}),
    statistic_of({"threshold": 3, "rate": "sensitivity"}),
    statistic_of({"threshold": 2, "rate": "specificity"}),
]
LABELS = [measure.label for measure in MEASURES]


def study_of(ratings, truth, clusters=None, *, higher=True):
    """A study whose ratings are given as they were typed, ``(t, r, c)``."""
    ratings = np.asarray(ratings, dtype=float)
    t, r, c = ratings.shape
    return ReaderRatings(
        modalities=tuple(f"m{i}" for i in range(t)),
        readers=tuple(f"r{i}" for i in range(r)),
        cases=tuple(f"c{i}" for i in range(c)),
        truth=np.asarray(truth, dtype=bool),
        ratings=ratings if higher else 0.0 - ratings,
        clusters=clusters,
        unit="reader",
        classes=Classes("cancer", "benign"),
        higher_is_positive=higher,
    )


@st.composite
def studies(draw, *, missing=True, clusters=False):
    """Two modalities, one or two readers, every cell with three cases of each class at least."""
    sizes = [draw(st.integers(3, 6)) for _ in range(2)]
    truth = np.array(draw(st.permutations([True] * sizes[0] + [False] * sizes[1])))
    r = draw(st.integers(1, 2))
    flat = st.lists(st.integers(1, 5).map(float), min_size=truth.size, max_size=truth.size)
    ratings = np.array([[draw(flat) for _ in range(r)] for _ in range(2)])
    if missing:
        for row in ratings.reshape(-1, truth.size):
            for of in (truth, ~truth):
                own = np.flatnonzero(of)
                row[draw(st.permutations(own.tolist()))[: draw(st.integers(0, own.size - 3))]] = np.nan
    patients = None
    if clusters:
        drawn = draw(st.lists(st.integers(0, 4), min_size=truth.size, max_size=truth.size))
        patients = np.unique(drawn, return_inverse=True)[1].reshape(-1)
    return study_of(ratings, truth, patients, higher=draw(st.booleans()))


def read(study, measure, cell, kept):
    """The measure of one cell by a curve of its own; NaN without a class."""
    own = study.ratings.reshape(-1, study.truth.size)[cell]
    kept = kept & ~np.isnan(own)
    truth = study.truth[kept]
    if truth.all() or not truth.any():
        return np.nan
    typed = own[kept] if study.higher_is_positive else 0.0 - own[kept]
    return measure.read(rs.roc_curve(truth, typed, higher_is_positive=study.higher_is_positive))


@pytest.mark.parametrize("measure", MEASURES, ids=LABELS)
@settings(max_examples=25)
@given(study=studies())
def test_values_are_those_of_the_curves(measure, study):
    everything = np.ones(study.truth.size, dtype=bool)
    found = values(study, measure).ravel()
    assert found.tolist() == [read(study, measure, cell, everything) for cell in range(found.size)]


def of_its_cases(measure, study):
    """The cases that are read and that a measure depends on, ``(cells, cases)``."""
    is_read = study.is_read.reshape(-1, study.truth.size)
    if measure.hold != "threshold":
        return is_read
    return is_read & (study.truth if measure.rate == "sensitivity" else ~study.truth)


@pytest.mark.parametrize("measure", [*MEASURES, measure_of(lambda c: c.partial_auc(fpr=(0, 0.3)))])
@settings(max_examples=12)
@given(study=studies())
def test_the_jackknife_is_literal(measure, study):
    is_read = of_its_cases(measure, study)
    n_cells, n = is_read.shape
    kept = ~np.eye(n, dtype=bool)[is_read.any(axis=0)]
    less = np.array([[read(study, measure, cell, own) for own in kept] for cell in range(n_cells)])
    around = less - less.mean(axis=1, keepdims=True)
    expected = (len(kept) - 1) / len(kept) * around @ around.T
    expected[~((is_read[:, None] & is_read).any(axis=2))] = 0
    found = error_covariance(study, measure, "jackknife").reshape(n_cells, n_cells)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-15)


@pytest.mark.parametrize("measure", MEASURES[1:6:2], ids=LABELS[1:6:2])
@settings(max_examples=25)
@given(study=studies(clusters=True))
def test_the_jackknife_leaves_whole_patients_out(measure, study):
    is_read = study.is_read.reshape(-1, study.truth.size)
    of_class = [
        np.unique(study.clusters[row & c]).size for row in is_read for c in (study.truth, ~study.truth)
    ]
    if min(of_class) < 2:
        with pytest.raises(UsageError, match="RS030"):
            error_covariance(study, measure, "jackknife")
        return
    is_read = of_its_cases(measure, study)
    patients = [p for p in range(study.clusters.max() + 1) if is_read[:, study.clusters == p].any()]
    less = np.array(
        [[read(study, measure, cell, study.clusters != p) for p in patients] for cell in range(len(is_read))]
    )
    around = less - less.mean(axis=1, keepdims=True)
    expected = (len(patients) - 1) / len(patients) * around @ around.T
    touched = np.array([[row[study.clusters == p].any() for p in patients] for row in is_read])
    expected[~((touched[:, None] & touched).any(axis=2))] = 0
    found = error_covariance(study, measure, "jackknife").reshape(expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-15)


@settings(max_examples=25)
@given(study=studies(missing=False))
def test_the_jackknife_of_a_share_is_its_covariance(study):
    """Only cases of its class are left out: the others do not enter it."""
    up = study.ratings if study.higher_is_positive else 0.0 - study.ratings
    called = up >= 3 if study.higher_is_positive else up <= 3
    for measure, of in (
        (statistic_of({"threshold": 3, "rate": "sensitivity"}), study.truth),
        (statistic_of({"threshold": 3, "rate": "specificity"}), ~study.truth),
    ):
        calls = called[..., of].reshape(-1, of.sum())
        expected = np.cov(calls, ddof=1).reshape(error_covariance(study, measure).shape) / of.sum()
        np.testing.assert_allclose(error_covariance(study, measure), expected, rtol=1e-10, atol=1e-15)


def continuous(n=60, *, seed=2, higher=True):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2 == 0
    case = rng.normal(size=n)
    ratings = 3 + 1.2 * truth + 0.7 * case + 0.7 * rng.normal(size=(2, 2, n))
    study = study_of(ratings if higher else -ratings, truth, higher=higher)
    study.__dict__["ratings"] = study.ratings.copy()  # some are taken out below
    return study


def changed(study, **fields):
    given = {name: getattr(study, name) for name in study.__dataclass_fields__}
    return ReaderRatings(**given | fields)


@pytest.mark.parametrize("method", COVARIANCES)
def test_the_order_of_cases_readers_and_modalities_does_not_matter(method):
    study = continuous()
    study.ratings[0, 0, :6] = np.nan
    rng = np.random.default_rng(0)
    found = error_covariance(study, Auc(), method, n_resamples=100)
    cases = rng.permutation(60)
    shuffled = changed(
        study,
        ratings=study.ratings[::-1, ::-1][..., cases],
        truth=study.truth[cases],
        cases=tuple(study.cases[i] for i in cases),
    )
    again = error_covariance(shuffled, Auc(), method, n_resamples=100)[::-1, ::-1, ::-1, ::-1]
    np.testing.assert_allclose(again, found, rtol=1e-12, atol=1e-18)
    assert np.array_equal(found, found.transpose(2, 3, 0, 1))


@pytest.mark.parametrize("measure", MEASURES, ids=LABELS)
@pytest.mark.parametrize("method", ["jackknife", "bootstrap"])
def test_ratings_that_run_the_other_way_are_the_same_study(measure, method):
    if measure.hold == "threshold":
        measure = replace(measure, at=-measure.at)
    down = continuous(higher=False)
    up = changed(down, higher_is_positive=True)
    opposite = replace(measure, at=-measure.at) if measure.hold == "threshold" else measure
    found, expected = (
        error_covariance(*one, method, n_resamples=100) for one in ((down, measure), (up, opposite))
    )
    assert np.array_equal(found, expected)
    assert np.array_equal(values(down, measure), values(up, opposite))
    assert found[0, 0, 0, 0] > 0


@pytest.mark.parametrize("measure", [*MEASURES[:3], MEASURES[-1]], ids=[*LABELS[:3], LABELS[-1]])
@pytest.mark.parametrize("clusters", [None, np.arange(400) // 2], ids=["cases", "patients"])
def test_the_bootstrap_agrees_with_the_jackknife_where_that_is_right(measure, clusters):
    study = changed(continuous(400), clusters=clusters)
    drawn, left = (error_covariance(study, measure, m, n_resamples=1000) for m in ("bootstrap", "jackknife"))
    np.testing.assert_allclose(drawn, left, atol=0.25 * left.max())


def test_the_bootstrap_has_the_same_draws_for_all_cells_whatever_the_threads():
    study = continuous()
    study.ratings[1] = study.ratings[0]
    study.ratings[0, 1, :20] = np.nan
    found = error_covariance(study, statistic_of({"fpr": 0.2}), "bootstrap", n_resamples=200, seed=3)
    assert np.array_equal(
        found,
        error_covariance(study, statistic_of({"fpr": 0.2}), "bootstrap", n_resamples=200, seed=3, threads=2),
    )
    assert found[0, 0, 1, 0] == found[0, 0, 0, 0] == found[1, 0, 1, 0]
    assert not np.array_equal(
        found, error_covariance(study, statistic_of({"fpr": 0.2}), "bootstrap", n_resamples=200)
    )


@pytest.mark.parametrize("measure", MEASURES, ids=LABELS)
@pytest.mark.parametrize("method", ["jackknife", "bootstrap"])
def test_rounding_is_no_variance(measure, method):
    """Readers who say the same of every case have the same curve without any one of them."""
    study = study_of(np.ones((2, 2, 46)), np.arange(46) % 2 == 0)
    assert not error_covariance(study, measure, method, n_resamples=100).any()


def test_cells_that_share_no_case_do_not_covary():
    study = continuous()
    study.ratings[:, 0, :30] = np.nan
    study.ratings[:, 1, 30:] = np.nan
    for measure, methods in ((Auc(), COVARIANCES), (statistic_of({"fpr": 0.2}), ("jackknife", "bootstrap"))):
        for method in methods:
            found = error_covariance(study, measure, method, n_resamples=100)
            assert not found[:, 0, :, 1].any()
            assert found[0, 0, 1, 0] != 0


def test_cells_without_ratings_are_nan():
    """Readers nested in modalities: the other cells are as if there were no more."""
    study = continuous()
    study.ratings[0, 1] = study.ratings[1, 0] = np.nan
    for method in COVARIANCES:
        found = error_covariance(study, Auc(), method, n_resamples=100)
        assert np.isnan(found).sum() == 16 - 4
        assert np.isfinite(found[0, 0, 1, 1])
    assert np.isnan(values(study, Auc())).tolist() == [[False, True], [True, False]]
    assert np.isnan(values(study, statistic_of({"fpr": 0.1}))).tolist() == [[False, True], [True, False]]


@pytest.mark.parametrize("method", ["delong", "jackknife", "bootstrap"])
def test_patients_count_as_one(method):
    """A case of every patient twice over has the variance of the patients, not of twice as many cases."""
    once = continuous(80)
    twice = changed(
        once,
        cases=tuple(f"{name}{copy}" for copy in "ab" for name in once.cases),
        truth=np.tile(once.truth, 2),
        ratings=np.tile(once.ratings, 2),
        clusters=np.tile(np.arange(80), 2),
    )
    a, b = (error_covariance(one, Auc(), method, n_resamples=2000) for one in (once, twice))
    if method == "bootstrap":  # patients are drawn whatever their class, and cases within it
        np.testing.assert_allclose(b, a, rtol=0.2)
    else:
        np.testing.assert_allclose(b, a, rtol=1e-10)


def test_patients_of_one_case_are_none():
    study = continuous()
    for method in COVARIANCES:
        found, expected = (
            error_covariance(one, Auc(), method, n_resamples=100)
            for one in (changed(study, clusters=np.random.default_rng(1).permutation(60)), study)
        )
        assert np.array_equal(found, expected)


def test_defaults():
    assert [default_covariance(measure) for measure in MEASURES] == [
        "delong",
        *["jackknife"] * 2,
        *["bootstrap"] * 4,
        *["jackknife"] * 2,
    ]
    study = continuous()
    found, expected = (error_covariance(study, Auc(), method) for method in (None, "delong"))
    assert np.array_equal(found, expected)


def codes_of(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function()
    return [warning.message.code for warning in caught]


def test_cautions():
    few = continuous(18)
    assert codes_of(lambda: error_covariance(few, Auc(), "delong")) == ["RS218"]
    study = continuous()
    assert codes_of(lambda: error_covariance(study, statistic_of({"specificity": 0.9}), "jackknife")) == [
        "RS217"
    ]
    assert (
        codes_of(
            lambda: error_covariance(
                study, statistic_of({"threshold": 3, "rate": "sensitivity"}), "jackknife"
            )
        )
        == []
    )


@pytest.mark.parametrize("method", ["delong", "unbiased"])
def test_some_covariances_are_for_the_auc_alone(method):
    with pytest.raises(UsageError, match="is for the AUC alone") as caught:
        error_covariance(continuous(), statistic_of({"fpr": 0.1}), method)
    assert caught.value.code == "RS030"
    assert "covariance='bootstrap'" in str(caught.value)


def test_refusals():
    study = continuous()
    patients = np.arange(60) // 2
    with pytest.raises(UsageError, match="60 cases of 30 patients"):
        error_covariance(changed(study, clusters=patients), Auc(), "unbiased")
    with pytest.raises(UsageError, match="not read off resamples"):
        error_covariance(study, measure_of(lambda curve: curve.auc), "bootstrap")
    with pytest.raises(UsageError, match="covariance='unbiased'"):
        error_covariance(study, Auc(), "gallas")
    lonely = continuous()
    lonely.ratings[1, 0, np.flatnonzero(study.truth)[1:]] = np.nan
    with pytest.raises(UsageError, match="reader r0 with m1: 1 case of class cancer"):
        error_covariance(lonely, Auc(), "delong")
    one = changed(study, clusters=np.where(study.truth, 0, np.arange(60)))
    with pytest.raises(UsageError, match="30 cases of class cancer, all of one patient"):
        error_covariance(one, Auc(), "jackknife")
    thin = continuous()
    thin.ratings[0, 0, np.flatnonzero(study.truth)[2:]] = np.nan
    with pytest.raises(UsageError, match="too often for a bootstrap"):
        error_covariance(thin, Auc(), "bootstrap")


@pytest.mark.parametrize("method", COVARIANCES)
def test_lonely_cells_may_be_left_undefined(method):
    study = continuous()
    study.ratings[1, 0, np.flatnonzero(study.truth)[1:]] = np.nan
    found = error_covariance(study, Auc(), method, undefined="nan", n_resamples=100)
    others = np.array([[True, True], [False, True]])
    alone = changed(study, ratings=np.where(others[..., None], study.ratings, np.nan))
    expected = error_covariance(alone, Auc(), method, n_resamples=100)
    assert np.array_equal(found, expected, equal_nan=True)
    assert np.isnan(found).sum() == 16 - 9


@pytest.mark.parametrize("given", [{"threshold": 3}, {"fpr": [0.1, 0.2]}, RateAt, "sensitivity", 0.9, None])
def test_what_is_no_measure(given):
    with pytest.raises(UsageError) as caught:
        measure_of(given)
    assert caught.value.code in ("RS001", "RS002")
    assert "->" in str(caught.value)


def test_functions_are_measures():
    def youden_index(curve):
        return np.max(curve.tpr - curve.fpr)

    measure = measure_of(youden_index)
    assert measure.label == "youden index"
    assert measure_of(lambda curve: curve.auc).label == "measure"
    assert values(continuous(), measure).shape == (2, 2)
    with pytest.raises(UsageError, match="must give one number"):
        values(continuous(), measure_of(lambda curve: curve.tpr))
    with pytest.raises(UsageError, match="must give one number"):
        values(continuous(), measure_of(lambda curve: None))


@pytest.mark.parametrize("name", ["VanDyke", "Franken"])
@pytest.mark.parametrize("method", ["DeLong", "jackknife", "unbiased"])
def test_components_of_published_studies(name, method, data_folder):
    """As MRMCaov 0.3.0 prints them: means over the pairs of cells that share reader, modality or neither."""
    with (data_folder / "scores" / f"mrmc_{name.lower()}.csv").open() as file:
        rows = list(csv.DictReader(file))
    columns = [sorted({row[key] for row in rows}) for key in ("treatment", "reader", "case")]
    ratings, truth = (
        np.full([len(column) for column in columns], np.nan),
        np.zeros(len(columns[2]), dtype=bool),
    )
    for row in rows:
        place = tuple(
            column.index(row[key])
            for column, key in zip(columns, ("treatment", "reader", "case"), strict=True)
        )
        ratings[place], truth[place[2]] = float(row["rating"]), float(row["truth"]) == 1
    found = error_covariance(study_of(ratings, truth), Auc(), method.lower())
    golden = json.loads((data_folder / "golden" / "mrmc.json").read_text())[name]["MRMCaov"][method]
    t, r = ratings.shape[:2]
    same_modality = np.eye(t, dtype=bool)[:, None, :, None] & np.ones(found.shape, dtype=bool)
    same_reader = np.eye(r, dtype=bool)[None, :, None, :] & np.ones(found.shape, dtype=bool)
    for key, of in {
        "Error": same_modality & same_reader,
        "Cov1": ~same_modality & same_reader,
        "Cov2": same_modality & ~same_reader,
        "Cov3": ~same_modality & ~same_reader,
    }.items():
        assert found[of].mean() == pytest.approx(golden[key], abs=6e-10)
