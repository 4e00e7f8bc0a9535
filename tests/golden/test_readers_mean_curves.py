"""MRMCaov's mean curves of VanDyke's study (its R sources, version 0.3.0, run under R 4.2.2).

``mean(roc_curves(truth, rating, groups = list(reader, ...)), metric = "specificity")`` averages sensitivities at
every false positive rate of any reader: ours to the last digits. ``metric = "sensitivity"`` averages false
positive rates at sensitivities, with ``approx(TPR, FPR, ties = max)``: where a reader's curve runs level at a
sensitivity, only the right end of that run is kept, and the curve is led there along a straight line that the
reader does not have. The area under it is then not the mean AUC. Ours keeps both ends; it is the same up to the
first such run, and its area is the mean AUC.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.readers.curves import average_curve

MEANS = {"1": 0.8970370370370371, "2": 0.9408373590982287}


@pytest.fixture(scope="module")
def golden(data_folder):
    found = json.loads((data_folder / "golden" / "mrmcaov_mean_curves.json").read_text())["VanDyke"]
    return {
        (name, way): {rate: np.array(values) for rate, values in found[f"treatment_{name}"][way].items()}
        for name in MEANS
        for way in ("vertical", "horizontal")
    }


@pytest.fixture(scope="module")
def study(data_folder):
    return rs.read_scores(
        data_folder / "scores" / "mrmc_vandyke.csv",
        label="truth",
        score="rating",
        group="reader",
        model="treatment",
        case="case",
    )


@pytest.mark.parametrize("name", MEANS)
def test_the_vertical_average_is_mrmcaovs(study, golden, name):
    curve, want = average_curve(study, name), golden[name, "vertical"]
    assert (want["fpr"][0], want["tpr"][0], want["fpr"][1]) == (0, 0, 0)  # it starts with a jump
    np.testing.assert_allclose(curve.tpr_at(want["fpr"][1:]), want["tpr"][1:], rtol=0, atol=2e-14)
    # It has a point at every false positive rate of any reader, ours where the average bends.
    assert np.abs(curve.fpr[:, None] - want["fpr"]).min(axis=1).max() < 2e-14
    assert curve.auc == pytest.approx(MEANS[name], abs=1e-15)
    assert np.diff(curve.fpr) @ (curve.tpr[1:] + curve.tpr[:-1]) / 2 == pytest.approx(curve.auc, abs=1e-14)


@pytest.mark.parametrize("name", MEANS)
def test_the_horizontal_average_is_mrmcaovs_until_a_curve_runs_level(study, golden, name):
    curve, want = average_curve(study, name, hold="tpr"), golden[name, "horizontal"]
    before = want["tpr"] < 0.83
    assert before.sum() > 7
    np.testing.assert_allclose(curve.fpr_at(want["tpr"][before]), want["fpr"][before], rtol=0, atol=2e-14)
    # From there on its numbers come from curves whose level runs were cut down to their right ends.
    cut = [_right_ends(own) for own in curve.reader_curves]
    led = np.mean([np.interp(want["tpr"], tpr, fpr) for tpr, fpr in cut], axis=0)
    later = (want["tpr"] > 0.83) & (want["tpr"] < 0.89)
    assert later.sum() >= 2
    np.testing.assert_allclose(led[later], want["fpr"][later], rtol=0, atol=2e-14)
    assert (curve.fpr_at(want["tpr"][later]) < want["fpr"][later] - 0.002).all()
    order = np.argsort(want["tpr"], kind="stable")
    x, y = want["fpr"][order], want["tpr"][order]
    assert np.diff(y) @ (2 - x[1:] - x[:-1]) / 2 < MEANS[name] - 0.003
    assert curve.auc == pytest.approx(MEANS[name], abs=1e-15)
    assert np.diff(curve.fpr) @ (curve.tpr[1:] + curve.tpr[:-1]) / 2 == pytest.approx(curve.auc, abs=1e-14)


def _right_ends(curve):
    """Every sensitivity of a curve, and the largest false positive rate it has there."""
    tpr = np.unique(curve.tpr)
    return tpr, np.array([curve.fpr[curve.tpr == own].max() for own in tpr])
