"""Averages of ROCR's cross-validation and of a reader study, against exact numbers and other programs.

How each number was made stands in the golden files themselves.
"""

import csv
import json
import math

import numpy as np
import pytest

import rocsteady as rs

EPSILON = 2.0**-52


def columns_of(path):
    with open(path) as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


@pytest.fixture(scope="module")
def xval(data_folder):
    columns = columns_of(data_folder / "scores" / "rocr_xval.csv")
    return rs.ScoreSet.from_arrays(columns["label"], columns["score"], columns["fold"].astype(int))


@pytest.fixture(scope="module")
def exact(data_folder):
    return json.loads((data_folder / "golden" / "exact_xval.json").read_text())


@pytest.fixture(scope="module")
def rocr(data_folder):
    return json.loads((data_folder / "golden" / "rocr_averages.json").read_text())["xval"]


def area(fpr, tpr):
    return math.fsum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2)


METHODS = {
    "auc_vertical": "vertical",
    "auc_horizontal": "horizontal",
    "auc_diagonal": "diagonal",
    "auc_theta30": rs.AtAngle(math.radians(30)),
    "auc_threshold": "threshold",
    "auc_pooled": "pooled",
}


@pytest.mark.parametrize("name", METHODS)
def test_areas_under_averages_of_xval(xval, exact, name):
    average = rs.average(xval, METHODS[name])
    assert average.auc == pytest.approx(exact[name], abs=1e-14)
    assert area(average.fpr, average.tpr) == pytest.approx(exact[name], abs=1e-12)


def test_the_areas_to_the_digits_that_documents_print(xval):
    for name in ("auc_vertical", "auc_horizontal", "auc_diagonal", "auc_theta30"):
        assert rs.average(xval, METHODS[name]).auc == pytest.approx(0.896667238461403, abs=5e-16)
    assert rs.average(xval, "threshold").auc == pytest.approx(0.895765770555321, abs=2e-15)
    assert rs.average(xval, "pooled").auc == pytest.approx(0.895724641019283, abs=2e-15)


def test_the_vertical_average_of_xval_just_right_of_each_rate(xval, exact):
    average = rs.average(xval, "vertical")
    for fpr, tpr in exact["vertical_max_at"].items():
        assert average.tpr_at(float(fpr)) == pytest.approx(tpr, abs=1e-12)
        assert average.at(fpr=float(fpr)).tpr == pytest.approx(tpr, abs=1e-12)
    at = [0, 0.01, 0.05, 0.1, 0.2, 0.5]
    printed = [0.0770404, 0.0966242, 0.5231140, 0.7879217, 0.9052409, 0.9430038]
    np.testing.assert_allclose(average.tpr_at(at), printed, atol=6e-8)


def test_every_score_of_xval_is_a_threshold(xval, exact):
    assert rs.average(xval, "threshold").thresholds.size - 1 == exact["n_thresholds"]


def test_the_mean_equal_error_rate_is_not_that_of_the_vertical_average(xval):
    own = [curve.equal_error_rate for curve in rs.roc_curves(xval)]
    assert np.mean(own) == pytest.approx(0.106886, abs=5e-7)
    assert rs.average(xval, "diagonal").equal_error_rate == pytest.approx(np.mean(own), abs=1e-13)
    assert rs.average(xval, "vertical").equal_error_rate == pytest.approx(0.139054, abs=5e-7)


# iMRMC's doROCavg keeps every breakpoint too; jumps are a step of 9 epsilon apart, so its points lie on our
# polyline up to that and our vertices on its.


@pytest.mark.parametrize(("file", "method"), [("Se", "vertical"), ("Sp", "horizontal"), ("SeSp", "diagonal")])
def test_the_curves_of_imrmc_are_ours(xval, data_folder, file, method):
    theirs = columns_of(data_folder / "golden" / f"imrmc_xval_{file}.csv")
    average = rs.average(xval, method)
    along, their_way = average.fpr + average.tpr, theirs["fpf"] + theirs["tpf"]
    jitter = 9 * EPSILON + 1e-14  # the file has 15 digits
    on_ours = np.interp(their_way, along, average.fpr)
    np.testing.assert_allclose(on_ours, theirs["fpf"], atol=jitter, rtol=0)
    np.testing.assert_allclose(their_way - on_ours, theirs["tpf"], atol=jitter, rtol=0)
    order = np.maximum.accumulate(their_way)  # the jitter may step back by an epsilon
    np.testing.assert_allclose(np.interp(along, order, theirs["fpf"]), average.fpr, atol=jitter, rtol=0)
    assert average.fpr.size < theirs["fpf"].size  # the same curve, fewer points
    assert area(theirs["fpf"], theirs["tpf"]) == pytest.approx(average.auc, abs=1e-13)


# MRMCaov: mean() of the readers' curves of the Van Dyke study.


def readers(data_folder, name):
    columns = columns_of(data_folder / "scores" / "mrmc_vandyke.csv")
    group = (columns["reader"] + 10 * columns["treatment"]).astype(int)
    own = np.ones(group.size, bool) if name == "all_curves" else columns["treatment"] == int(name[-1])
    return rs.ScoreSet.from_arrays(columns["truth"][own], columns["rating"][own], group[own], unit="reader")


@pytest.fixture(params=["treatment_1", "treatment_2", "all_curves"])
def study(request, data_folder):
    golden = json.loads((data_folder / "golden" / "mrmcaov_mean_curves.json").read_text())["VanDyke"]
    return readers(data_folder, request.param), golden[request.param]


def test_the_vertical_curves_of_mrmcaov_are_ours(study):
    score_set, golden = study
    average = rs.average(score_set, "vertical")
    fpr, tpr = np.array(golden["vertical"]["fpr"]), np.array(golden["vertical"]["tpr"])
    assert (fpr[0], tpr[0]) == (0, 0)
    np.testing.assert_allclose(average.tpr_at(fpr[1:]), tpr[1:], atol=1e-12, rtol=0)
    assert average.auc == pytest.approx(area(fpr, tpr), abs=1e-12)


def ties_to_the_right(curve, tpr):
    """The FPR at TPRs if every flat run is taken for its right end before reading, R's ``ties = max``."""
    distinct = np.unique(curve.tpr)
    return np.interp(tpr, distinct, [curve.fpr[curve.tpr == own].max() for own in distinct])


def test_the_horizontal_curves_of_mrmcaov_are_ours_until_a_curve_runs_flat(study):
    """MRMCaov reads flat runs at their worse end, so its curves bend off before a reader reaches TPR 1."""
    score_set, golden = study
    average, curves = rs.average(score_set, "horizontal"), rs.roc_curves(score_set)
    fpr = np.array(golden["horizontal"]["fpr"])
    tpr = np.round(np.array(golden["horizontal"]["tpr"]) * 45) / 45  # 45 positives; the file has 15 digits
    theirs = np.mean([ties_to_the_right(curve, tpr) for curve in curves], axis=0)
    unaffected = np.abs(theirs - average.fpr_at(tpr)) < 1e-12
    assert unaffected.sum() >= 8
    np.testing.assert_allclose(average.fpr_at(tpr[unaffected]), fpr[unaffected], atol=1e-12, rtol=0)
    assert (average.fpr_at(tpr) <= theirs + 1e-12).all()
    assert average.auc == pytest.approx(curves.auc.mean(), abs=1e-14)


# ROCR differs on purpose (traps T1, T2, T3, T5 of docs/comparison.md).


def test_rocr_starts_its_vertical_average_in_the_middle_of_the_first_jump(xval, rocr):
    average = rs.average(xval, "vertical")
    assert (average.fpr[0], average.tpr[0]) == (0, 0)
    assert rocr["vertical"]["tpr"][0] == pytest.approx(average.tpr_at(0) / 2, abs=1e-12)
    middle = rs.average(xval, rs.Vertical(at_jumps="mid"))
    assert rocr["vertical"]["tpr"][0] == pytest.approx(middle.at(fpr=0).tpr, abs=1e-12)
    assert rocr["vertical"]["tpr"][-1] < 1 == average.tpr[-1]
    assert abs(rocr["vertical"]["area_trapezoid"] - average.auc) > 1e-4


def ties_to_the_mean(held, free, at):
    """A reading after every jump is shrunk to the mean of its vertices, R's ``ties = mean``."""
    distinct = np.unique(held)
    return np.interp(at, distinct, [free[held == own].mean() for own in distinct])


def test_the_averages_of_rocr_are_the_readings_of_shrunken_jumps(xval, rocr):
    """So the whole difference to the exact averages is this rule."""
    curves = rs.roc_curves(xval)
    for method, held, free in (("vertical", "fpr", "tpr"), ("horizontal", "tpr", "fpr")):
        at, theirs = np.array(rocr[method][held]), np.array(rocr[method][free])
        rule = np.mean([ties_to_the_mean(getattr(c, held), getattr(c, free), at) for c in curves], axis=0)
        np.testing.assert_allclose(theirs, rule, atol=1e-9, rtol=0)
        average = rs.average(xval, method)
        ours = average.tpr_at(at) if method == "vertical" else average.fpr_at(at)
        assert 0.005 < np.abs(ours - theirs)[1:-1].max() < 0.2


def test_rocr_stops_its_horizontal_average_short_of_the_corner(xval, rocr):
    average = rs.average(xval, "horizontal")
    assert rocr["horizontal"]["fpr"][-1] < 0.98
    assert (average.fpr[-1], average.tpr[-1]) == (1, 1)
    assert rocr["horizontal"]["area_trapezoid"] == pytest.approx(0.874135, abs=1e-6)
    assert area(average.fpr, average.tpr) == pytest.approx(0.896667238461403, abs=1e-12)


def test_rocr_interpolates_rates_between_thresholds(xval, rocr):
    """Rates are steps in the threshold; between two scores nothing changes."""
    average = rs.average(xval, "threshold")
    at = np.array(rocr["threshold"]["threshold"])
    rates = average.rates_at(at)
    off = np.abs(rates.tpr - rocr["threshold"]["tpr"])
    assert 1e-4 < off.max() < 0.02
    exact = [curve.rates_at(at) for curve in rs.roc_curves(xval)]
    np.testing.assert_allclose(rates.tpr, np.mean([own.tpr for own in exact], axis=0), atol=1e-14)


def test_spreads_of_xval_at_exact_rates(xval, rocr):
    """ROCR's bars are standard deviations of TPRs read from the middle of jumps: near ours, not equal."""
    average = rs.average(xval, "vertical")
    (bars,) = rocr["vertical"]["spread"]
    at = np.array(bars["x"])[1:-1]
    ours = average.at_position(at)
    values = np.array([curve.tpr_at(at) for curve in rs.roc_curves(xval)])
    np.testing.assert_allclose(ours.sd, values.std(axis=0, ddof=1), atol=1e-13)
    np.testing.assert_allclose(ours.standard_error, ours.sd / math.sqrt(10), rtol=1e-12)
