"""ROCR's and pROC's numbers for ROCR's data sets (how they were made: golden/rocr_*.json)."""

import csv
import json

import numpy as np
import pytest

import rocsteady as rs


def read(path, **where):
    with open(path) as file:
        rows = [row for row in csv.DictReader(file) if all(row[k] == v for k, v in where.items())]
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0] if name != "model"}


SETS = {
    "hiv_svm": ("rocr_hiv.csv", {"model": "svm"}),
    "hiv_nn": ("rocr_hiv.csv", {"model": "nn"}),
    "xval": ("rocr_xval.csv", {}),
}


@pytest.fixture(scope="module", params=SETS)
def folds(request, data_folder):
    file, where = SETS[request.param]
    columns = read(data_folder / "scores" / file, **where)
    score_set = rs.ScoreSet.from_arrays(columns["label"], columns["score"], columns["fold"].astype(int))
    return request.param, rs.roc_curves(score_set)


def test_auc_of_every_fold(folds, data_folder):
    name, curves = folds
    expected = json.loads((data_folder / "golden" / "rocr_averages.json").read_text())[name]
    np.testing.assert_allclose(curves.auc, expected["auc_per_fold"], atol=1e-12, rtol=0)
    assert curves.auc.mean() == pytest.approx(expected["auc_mean"], abs=1e-12)


def test_delong_variance_of_every_fold(folds, data_folder):
    name, curves = folds
    expected = json.loads((data_folder / "golden" / "rocr_delong_per_fold.json").read_text())[name]
    np.testing.assert_array_equal(curves.n_positives, [fold["n_pos"] for fold in expected])
    np.testing.assert_array_equal(curves.n_positives + curves.n_negatives, [fold["n"] for fold in expected])
    variances = curves.auc_standard_error() ** 2
    np.testing.assert_allclose(variances, [fold["delong_var"] for fold in expected], rtol=1e-11)


def test_aucs_of_xval_to_the_last_digit(data_folder):
    columns = read(data_folder / "scores" / "rocr_xval.csv")
    expected = json.loads((data_folder / "golden" / "exact_xval.json").read_text())["aucs"]
    for fold, area in enumerate(expected, start=1):
        own = columns["fold"] == fold
        labels, scores = columns["label"][own], columns["score"][own]
        assert rs.auc(labels, scores) == pytest.approx(area, abs=2e-16)


def test_simple_curve_and_its_hull(data_folder):
    columns = read(data_folder / "scores" / "rocr_simple.csv")
    expected = json.loads((data_folder / "golden" / "rocr_averages.json").read_text())["simple"]
    curve = rs.roc_curve(columns["label"], columns["score"])
    assert curve.auc == pytest.approx(expected["auc"], abs=1e-12)
    np.testing.assert_allclose(curve.fpr, expected["fpr"], atol=1e-12)
    np.testing.assert_allclose(curve.tpr, expected["tpr"], atol=1e-12)
    np.testing.assert_allclose(curve.hull().fpr, expected["rch"]["fpr"], atol=1e-12)
    np.testing.assert_allclose(curve.hull().tpr, expected["rch"]["tpr"], atol=1e-12)
