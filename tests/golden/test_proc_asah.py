"""pROC's numbers for its aSAH data (113 patients, three markers), to 1e-9.

golden/proc_asah.json says how they were made (pROC 1.18.0). The unpaired tests are the values in pROC's own test suite,
tests/testthat/test-roc.test.R at 0bc764d2: roc.test(r.wfns, r.s100b, paired = FALSE) and the like.
"""

import csv
import json

import numpy as np
import pytest

import rocsteady as rs

MARKERS = ("s100b", "wfns", "ndka")
close = pytest.approx


@pytest.fixture(scope="module")
def asah(data_folder):
    with open(data_folder / "scores" / "proc_asah.csv") as file:
        rows = list(csv.DictReader(file))
    columns = {name: np.array([float(row[name]) for row in rows]) for name in MARKERS}
    return np.array([row["outcome"] for row in rows]), columns


@pytest.fixture(scope="module")
def golden(data_folder):
    return json.loads((data_folder / "golden" / "proc_asah.json").read_text())


@pytest.fixture(params=MARKERS)
def marker(request, asah, golden):
    outcome, columns = asah
    return rs.roc_curve(outcome, columns[request.param], positive="Poor"), golden[request.param]


def test_auc_variance_and_interval(marker):
    curve, expected = marker
    assert curve.auc == close(expected["auc"], abs=1e-12)
    assert curve.auc_standard_error() ** 2 == close(expected["delong_var"], abs=1e-12)
    interval = curve.auc_interval(method="delong")
    assert (interval.low, interval.high) == close(expected["delong_ci95"], abs=1e-9)


def test_partial_areas(marker):
    curve, expected = marker
    # pROC: specificity 1 to 0.9 is FPR 0 to 0.1.
    assert curve.partial_auc(fpr=(0, 0.1)) == close(expected["pauc_sp_1_0.9"], abs=1e-9)
    assert curve.partial_auc(tpr=(0.9, 1)) == close(expected["pauc_se_1_0.9"], abs=1e-9)
    standardized = curve.partial_auc(fpr=(0, 0.1), standardized=True)
    assert standardized == close(expected["pauc_sp_1_0.9_mcclish"], abs=1e-9)


def test_every_rate_at_pROCs_midpoint_thresholds(marker):
    curve, expected = marker
    thresholds = np.array([np.nan if t is None else t for t in expected["thresholds"]])[1:-1]
    for rule in (">=", ">"):
        rates = curve.rates_at(thresholds, rule=rule)
        np.testing.assert_allclose(rates.tpr, expected["sensitivities"][1:-1], atol=1e-12)
        np.testing.assert_allclose(1 - rates.fpr, expected["specificities"][1:-1], atol=1e-12)
    np.testing.assert_allclose(curve.coordinates().cutoffs[1:-1], thresholds, rtol=1e-12)


@pytest.mark.parametrize(("a", "b"), [("s100b", "wfns"), ("s100b", "ndka"), ("wfns", "ndka")])
def test_paired_tests(asah, golden, a, b):
    outcome, columns = asah
    found = rs.compare_auc(outcome, columns[a], columns[b], positive="Poor", reference="normal")
    expected = golden["tests"][f"{a}_vs_{b}"]
    assert found.statistic == close(expected["z"], abs=1e-9)
    assert found.pvalue == close(expected["p"], abs=1e-9)
    assert found.covariance[0, 1] == close(expected["cov"], abs=1e-12)
    assert (found.interval.low, found.interval.high) == close(expected["diff_ci95"], abs=1e-9)


UNPAIRED = [
    ("wfns", "s100b", 1.43490640926908, 0.152825378808796),
    ("wfns", "ndka", 3.10125096778969, 0.00220950791756457),
    ("ndka", "s100b", -1.55995743389685, 0.120192832430845),
]


@pytest.mark.parametrize(("a", "b", "statistic", "pvalue"), UNPAIRED)
def test_unpaired_tests(asah, golden, a, b, statistic, pvalue):
    outcome, columns = asah
    found = rs.compare_auc(
        (outcome, outcome), columns[a], columns[b], paired=False, positive="Poor", reference="normal"
    )
    assert found.statistic == close(statistic, abs=1e-9)
    assert found.pvalue == close(pvalue, abs=1e-9)
    variances = np.array([golden[a]["delong_var"], golden[b]["delong_var"]])
    assert found.df == close(variances.sum() ** 2 / (variances**2 / 112).sum(), rel=1e-9)


def test_three_markers_at_once_agree_with_the_paired_tests(asah, golden):
    outcome, columns = asah
    found = rs.compare_auc(outcome, *(columns[m] for m in MARKERS), positive="Poor", reference="normal")
    expected = golden["tests"]["s100b_vs_ndka"]
    assert found.df == 2
    assert found.difference[0, 2] / found.standard_error[0, 2] == close(expected["z"], abs=1e-9)
    assert found.interval.high[0, 2] == close(expected["diff_ci95"][1], abs=1e-9)
    # DeLong et al. (1988), eq. 6, with the contrasts written out.
    contrasts = np.array([[1, -1, 0], [0, 1, -1]])
    gap = contrasts @ found.aucs
    chi_square = gap @ np.linalg.solve(contrasts @ found.covariance @ contrasts.T, gap)
    assert found.statistic == close(chi_square, rel=1e-10)
