"""U-statistics of reader studies against the program iMRMC.

The printed results are those of iMRMC 4.0.0 (Java) for a pilot with 300 cases, kept with its input in
DIDSR/iMRMC (commit c3695c2d, Accudata/home/fakepilot2*). The others come from the moments, variances and
degrees of freedom of its R package (doAUCMRMC.R, commit 8dccd8e1), retyped in base R 4.2.2 with a missing
comma put in, and run on the studies of reader_studies.py, on VanDyke and on Franken; the package itself was
not run. iMRMC rounds degrees of freedom down for p-values.
"""

import csv

import numpy as np
import pytest
from scipy.stats import t as student

import rocsteady as rs
from reader_studies import STUDIES
from rocsteady.errors import DataError
from rocsteady.statistics.u_statistics import reader_moments, variances

pytestmark = pytest.mark.filterwarnings("ignore:RS213", "ignore:RS215")

# Variance of the difference and its degrees of freedom; then of the modalities: mean, variance, df.
CROSSED_OR_NESTED = {
    "three_ordinal": (
        (0.001052949971, 4.0),
        ((0.7564166667, 0.001433193947, 22.565494), (0.81625, 0.0010473111, 24.375073)),
    ),
    "five_continuous": (
        (0.0006211377778, 3.0),
        ((0.8132, 0.002446554815, 16.51033), (0.8288, 0.001946014074, 16.96041)),
    ),
    "cases_in_readers": ((0.001695, 4.0), ((0.723, 0.000409, 4.0), (0.898, 0.000864, 4.0))),
    "cases_in_modalities": (
        (0.00255479386, 25.649778),
        ((0.7565, 0.001995466374, 21.548998), (0.892, 0.0008533274854, 6.0017784)),
    ),
    "split_plot": (
        (0.001956241328, 5.9957535),
        ((0.671875, 0.001882868729, 11.689526), (0.834375, 0.0006919163794, 13.0655)),
    ),
    "readers_in_modalities": (
        (0.002490102378, 5.7252734),
        ((0.7176388889, 0.002918443124, 7.82085), (0.9222222222, 0.0004552927878, 9.3480399)),
    ),
}
UNBALANCED = {
    "partly_paired": (
        (0.001063346445, 5.0),
        ((0.8324404762, 0.0009974205005, 11.560116), (0.9223214286, 0.0001503223806, 5.0)),
    ),
    "partly_paired_ordinal": (
        (0.0008548400144, 5.0592726),
        ((0.7213541667, 0.002541088145, 25.009184), (0.8012152778, 0.001252311936, 29.614607)),
    ),
    "some_cells": (
        (-0.005087960357, None),
        ((0.816, 0.0006419038706, 4.9469698), (0.8568, 0.0007287540571, 11.877648)),
    ),
}


def arrays(rows):
    """Ratings of modality, reader and case, NaN where there is none; who read what; the truth."""
    readers, modalities, cases, truth, _ = (list(dict.fromkeys(column)) for column in zip(*rows, strict=True))
    ratings = np.full((len(modalities), len(readers), len(cases)), np.nan)
    truth = np.zeros(len(cases), dtype=bool)
    for reader, modality, case, positive, rating in rows:
        place = modalities.index(modality), readers.index(reader), cases.index(case)
        ratings[place] = rating
        truth[place[2]] = positive
    order = np.argsort(modalities)
    return ratings[order], ~np.isnan(ratings[order]), truth


def score_set(rows):
    readers, modalities, cases, truth, ratings = zip(*rows, strict=True)
    return rs.ScoreSet.from_arrays(
        np.array(truth), np.array(ratings), groups=readers, models=modalities, cases=cases, unit="reader"
    )


def test_the_printed_results_of_imrmc_4():
    # Called abnormal are the first so many of 300 cases, of which the first 150 are: modality by reader.
    called = np.array([[171, 204, 138], [282, 288, 282]])
    ratings = (np.arange(300) < called[..., None]).astype(float)
    found = reader_moments(ratings, np.full(ratings.shape, True), np.arange(300) < 150)
    np.testing.assert_allclose(found.means, [9.03333333e-1, 5.53333333e-1], rtol=1e-8)
    variance, dfs, _ = variances(found)
    np.testing.assert_allclose(np.diag(variance), [1.86122297e-3, 1.82252051e-4], rtol=1e-8)
    np.testing.assert_allclose(np.diag(dfs), [2.11212165, 29.4284717], rtol=1e-8)
    assert variance[0, 1] == pytest.approx(1.42393736e-3, rel=1e-8)
    assert dfs[0, 1] == pytest.approx(2.39887433, rel=1e-8)
    statistic = (found.means[0] - found.means[1]) / np.sqrt(variance[0, 1])
    assert 2 * student.sf(statistic, np.floor(dfs[0, 1])) == pytest.approx(1.14251514e-2, rel=1e-7)


@pytest.mark.parametrize("name", CROSSED_OR_NESTED)
def test_crossed_and_nested_studies(name):
    study = score_set(STUDIES[name])
    found = rs.compare_readers(study, method="u-statistics", modalities=sorted(study.models))
    (variance, df), modalities = CROSSED_OR_NESTED[name]
    first = found.differences[0]
    assert (first.a, first.b) == ("M1", "M2")
    assert (first.standard_error**2, first.df) == pytest.approx((variance, df), rel=1e-7)
    assert first.difference == pytest.approx(modalities[0][0] - modalities[1][0], rel=1e-7)
    for i, (mean, own_variance, own_df) in enumerate(modalities):
        assert found.means[i] == pytest.approx(mean, rel=1e-9)
        assert found.per_modality.standard_error[i] ** 2 == pytest.approx(own_variance, rel=1e-7)
        assert found.per_modality.df[i] == pytest.approx(own_df, rel=1e-7)


@pytest.mark.parametrize("name", [*CROSSED_OR_NESTED, *UNBALANCED])
def test_comparisons_as_they_are_in_every_design(name):
    (variance, df), modalities = (CROSSED_OR_NESTED | UNBALANCED)[name]
    found = reader_moments(*arrays(STUDIES[name]), centred=False)
    own = found.covariance[0, 0] + found.covariance[1, 1] - 2 * found.covariance[0, 1]
    assert own == pytest.approx(variance, rel=1e-7)
    variances_of, dfs, _ = variances(found)
    if df is not None:
        assert dfs[0, 1] == pytest.approx(df, rel=1e-7)
    for i, (mean, own_variance, own_df) in enumerate(modalities):
        assert found.means[i] == pytest.approx(mean, rel=1e-9)
        assert (variances_of[i, i], dfs[i, i]) == pytest.approx((own_variance, own_df), rel=1e-7)


@pytest.mark.parametrize("name", ["partly_paired", "partly_paired_ordinal"])
def test_unbalanced_studies_on_request(name):
    study = score_set(STUDIES[name])
    asked = {"method": "u-statistics", "modalities": sorted(study.models)}
    found = rs.compare_readers(study, covariance="unbiased", **asked)
    (variance, df), modalities = UNBALANCED[name]
    first = found.differences[0]
    assert (first.standard_error**2, first.df) == pytest.approx((variance, df), rel=1e-7)
    for i, (mean, own_variance, own_df) in enumerate(modalities):
        assert found.means[i] == pytest.approx(mean, rel=1e-9)
        assert found.per_modality.standard_error[i] ** 2 == pytest.approx(own_variance, rel=1e-7)
        assert found.per_modality.df[i] == pytest.approx(own_df, rel=1e-7)
    assert rs.compare_readers(study, **asked).differences[0].standard_error != first.standard_error


def test_a_study_that_imrmc_has_no_variance_for():
    study = score_set(STUDIES["some_cells"])
    with pytest.raises(DataError, match="without centring"):
        rs.compare_readers(study, method="u-statistics", covariance="unbiased")


@pytest.mark.parametrize("name", UNBALANCED)
def test_unbalanced_studies_have_a_usable_standard_error(name):
    """Centred comparisons: near the jackknife of Obuchowski and Rockette where that can be had."""
    study = score_set(STUDIES[name])
    found = rs.compare_readers(study, method="u-statistics", modalities=sorted(study.models))
    errors = [d.standard_error for d in found.differences]
    assert all(0.02 < error < 0.05 for error in errors)
    if name != "some_cells":
        theirs = rs.compare_readers(study, covariance="jackknife", modalities=sorted(study.models))
        np.testing.assert_allclose(found.means, theirs.means, atol=0.01)
        squares = np.mean(np.square(errors)), np.mean([d.standard_error**2 for d in theirs.differences])
        assert np.sqrt(squares[0] / squares[1]) == pytest.approx(1, abs=0.1)


def read(data_folder, name):
    with open(data_folder / "scores" / f"mrmc_{name}.csv") as file:
        return [
            (row["reader"], row["treatment"], row["case"], int(float(row["truth"])), float(row["rating"]))
            for row in csv.DictReader(file)
        ]


def test_vandyke(data_folder):
    found = rs.compare_readers(score_set(read(data_folder, "vandyke")), method="u-statistics")
    assert found.means == pytest.approx([0.897037037, 0.9408373591], rel=1e-9)
    assert found.difference == pytest.approx(-0.04380032206, rel=1e-9)
    assert found.standard_error**2 == pytest.approx(0.0004273125167, rel=1e-9)
    assert found.df == (1, pytest.approx(12.813411, rel=1e-7))
    assert found.per_modality.standard_error**2 == pytest.approx([0.00109370449, 0.0004618715914], rel=1e-8)
    assert found.per_modality.df == pytest.approx([11.757308, 11.523346], rel=1e-7)
    # With as many degrees of freedom as iMRMC takes, rounded down, this is its p-value.
    assert 2 * student.sf(np.sqrt(found.statistic), 12) == pytest.approx(0.055646664, rel=1e-7)


def test_franken_has_a_negative_variance(data_folder):
    """iMRMC gives none and offers the biased one, which stands in here."""
    with pytest.warns(rs.RocsteadyWarning, match="RS262"):
        found = rs.compare_readers(score_set(read(data_folder, "franken")), method="u-statistics")
    assert found.standard_error**2 == pytest.approx(0.000615386985, rel=1e-8)
    assert found.per_modality.standard_error**2 == pytest.approx([0.0005900405831, 0.0005505049376], rel=1e-8)
    moments = reader_moments(*arrays(read(data_folder, "franken")))
    variance = moments.covariance[0, 0] + moments.covariance[1, 1] - 2 * moments.covariance[0, 1]
    assert variance == pytest.approx(-3.161370706e-05, rel=1e-7)
