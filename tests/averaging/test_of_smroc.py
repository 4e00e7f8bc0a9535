"""Averages of smROC curves: along directions, in words of credit; nothing that needs rates."""

import json

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import UsageError


@pytest.fixture(scope="module")
def curves():
    rng = np.random.default_rng(1)
    labels = np.repeat([1, 0], [15, 25])
    folds = [(labels, np.clip(rng.normal(0.35 + 0.3 * labels, 0.25), 0, 1)) for _ in range(10)]
    return rs.smroc_curve(rs.ScoreSet.from_folds(folds, design="independent"))


@pytest.mark.parametrize("method", ["vertical", "horizontal", "diagonal", rs.AtAngle(0.3)])
def test_area_interval_and_bands(curves, method):
    average = rs.average(curves, method)
    assert average.auc == pytest.approx(curves.auc.mean(), abs=1e-15)
    assert average.chance_auc == pytest.approx(curves.chance_auc.mean(), abs=1e-15)
    error = curves.auc.std(ddof=1) / 10**0.5
    interval = average.auc_interval(scale="linear")
    assert interval.high - average.auc == pytest.approx(2.262157 * error, rel=1e-6)
    for kind in ("pointwise", "simultaneous", "prediction"):
        band = average.band(kind=kind, n_resamples=200)
        assert (np.isnan(band.lower.tpr) | (band.lower.tpr <= band.upper.tpr + 1e-12)).all()
        assert "FPR" not in band.reading


def test_a_point_of_the_vertical_average_is_the_mean_of_the_curves(curves):
    point = rs.average(curves, "vertical").at(fpr=0.1, scale="linear")
    heights = [curve.tpr_at(0.1) for curve in curves]
    assert point.tpr == pytest.approx(np.mean(heights), abs=1e-13)
    assert point.tpr_interval.high - point.tpr == pytest.approx(
        2.262157 * np.std(heights, ddof=1) / 10**0.5, rel=1e-6
    )
    assert point.reading.startswith(
        "Where each fold has spent 10.0 % of its debit, the average fold has earned "
    )
    assert "The scores there run from" in point.reading


def test_the_chance_curve_has_the_chance_level_as_its_area(curves):
    average = rs.average(curves, "vertical")
    edges = np.linspace(0, 1, 20_001)
    heights = average.chance_tpr_at((edges[1:] + edges[:-1]) / 2)
    assert heights.mean() == pytest.approx(average.chance_auc, abs=1e-4)
    assert isinstance(average.chance_tpr_at(0.3), float)
    alone = rs.average([curves[0]], "vertical")
    debit, credit = curves[0].chance_path
    assert alone.chance_tpr_at(debit[5]) == pytest.approx(credit[5], abs=1e-12)
    with pytest.raises(UsageError, match="RS089"):
        rs.average(curves, "horizontal").chance_tpr_at(0.3)


@pytest.mark.filterwarnings("ignore:RS210")
@pytest.mark.parametrize("method", ["vertical", "horizontal", "diagonal"])
@pytest.mark.parametrize("at", ["fpr", "tpr"])
def test_points_are_called_what_their_axes_are(curves, method, at):
    point = rs.average(curves, method).at(**{at: 0.25})
    said = repr(point)
    assert "fpr" not in said
    assert "tpr" not in said
    assert f"debit share {point.fpr:.4f}" in said
    assert f"credit share {point.tpr:.4f}" in said
    ordinary = rs.average([curve.roc() for curve in curves], method).at(**{at: 0.25})
    assert f"fpr {ordinary.fpr:.4f}" in repr(ordinary)
    assert point.to_dict().keys() == ordinary.to_dict().keys()


def test_readings_speak_of_credit(curves):
    vertical, horizontal = (rs.average(curves, method) for method in ("vertical", "horizontal"))
    said = [vertical.reading, horizontal.reading, rs.average(curves, "diagonal").reading]
    said += [vertical.at(fpr=0.2).reading, vertical.at(tpr=0.5).reading, vertical.at(fpr=[0.1, 0.2]).reading]
    said += [horizontal.at(tpr=0.5).reading, horizontal.at(fpr=0.2).reading]
    assert horizontal.at(tpr=0.5).reading.startswith("Where each fold has earned 50.0 % of its credit, ")
    for sentence in said:
        assert "credit" in sentence
        for word in ("catch", "false alarm", "positive rate", "FPR", "TPR", "tuned to that rate"):
            assert word not in sentence
    assert f"{vertical.chance_auc:.3f}" in vertical.reading


@pytest.mark.parametrize(
    ("method", "why"),
    [
        ("pooled", "no counts to pool"),
        (rs.Pooled(balanced=True), "no counts to pool"),
        ("binormal", "two normal distributions"),
        ("threshold", "not the rate of a decision"),
        ("radial", "no error rates"),
        ("tangent", "could have a cost"),
        (rs.AtCosts(1, 20, 0.03), "could have a cost"),
        (rs.AtAlarmRate(prevalence=0.1), "called positive"),
    ],
)
@pytest.mark.filterwarnings("ignore:RS230")
def test_methods_that_need_rates_are_refused(curves, method, why):
    with pytest.raises(rs.RocsteadyError, match="RS089") as caught:
        rs.average(curves, method)
    assert why in str(caught.value)
    assert "average([curve.roc() for curve in curves], " in str(caught.value)
    ordinary = rs.average([curve.roc() for curve in curves], method)  # what to type does work
    assert 0.5 < ordinary.auc < 1


def test_readings_that_need_rates_are_refused(curves):
    average = rs.average(curves, "diagonal")
    refused = {
        "RS084": [lambda: average.at(rate=0.1), lambda: average.at(threshold=0.5)],
        "RS089": [
            lambda: average.equal_error_rate,
            lambda: average.minimum_cost(false_positive=1, false_negative=1, prevalence=0.1),
            average.expected_cost,
        ],
        "RS071": [lambda: rs.choose_cutoff(average, "youden")],
    }
    for code, calls in refused.items():
        for call in calls:
            with pytest.raises(rs.RocsteadyError, match=code):
                call()


def test_group_weights(curves):
    some = [curves[0], curves[1]]
    by_size = rs.average(
        [*some, rs.smroc_curve([1, 0, 0], [0.9, 0.6, 0.1])], "vertical", group_weights="positives"
    )
    assert by_size.weights.tolist() == pytest.approx([15 / 31, 15 / 31, 1 / 31])
    one = rs.average(some, "vertical", group_weights=[0, 2])
    assert one.members == ("fold 2",)
    assert one.auc == curves[1].auc
    assert one.chance_auc == curves[1].chance_auc


@pytest.mark.filterwarnings("ignore:RS26")
def test_curves_without_an_area_are_named_or_left_out(curves):
    broken = rs.smroc_curve([1, 0, 0, 0], [0, 1, 1, 1], name="broken")
    with pytest.raises(rs.RocsteadyError, match=r"RS036.*\n.*broken"):
        rs.average([curves[0], broken], "vertical")
    average = rs.average([curves[0], broken], "vertical", undefined="drop")
    assert average.undefined == ("broken: no debit",)
    assert average.auc == curves[0].auc


@pytest.mark.filterwarnings("ignore:RS26")
@pytest.mark.parametrize("undefined", ["raise", "drop"])
def test_where_no_curve_has_an_area_there_is_none_to_leave_out(undefined):
    broken = rs.smroc_curve([1, 0, 0], [0.0, 1.0, 1.0], mid=2)
    with pytest.raises(rs.RocsteadyError, match="RS036") as caught:
        rs.average([broken], "vertical", undefined=undefined)
    assert "drop" not in str(caught.value)
    assert "[curve.with_mid(0.5) for curve in curves]" in str(caught.value)


def test_what_it_says_of_itself(curves):
    average = rs.average(list(curves), "vertical")
    assert repr(average).startswith("SmrocAverage(vertical, 10 curves, smAUC 0.7")
    data = json.loads(json.dumps(average.to_dict(), allow_nan=False))
    assert (data["smauc"], data["chance_smauc"]) == (average.auc, average.chance_auc)
    assert "auc" not in data
    assert len(data["members"]) == 10
    assert rs.average(curves[0], "vertical").auc == curves[0].auc


def test_curves_of_several_models_are_averaged_one_by_one():
    labels, scores = [1, 0, 1, 0], [0.9, 0.1, 0.8, 0.3]
    score_set = rs.ScoreSet.from_arrays(labels, scores, ["f"] * 4, models=["a", "a", "b", "b"])
    curves = rs.smroc_curve(score_set)
    assert list(curves.to_frame().columns)[:2] == ["model", "group"]
    with pytest.raises(rs.RocsteadyError, match="RS044"):
        rs.average(curves, "vertical")
    assert rs.average(rs.smroc_curve(score_set.model("a")), "vertical").auc == curves[0].auc


def test_high_and_low_scores_are_not_mixed(curves):
    low = rs.smroc_curve([1, 0], [0.1, 0.9], higher_is_positive=False)
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        rs.average([curves[0], low], "vertical")
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        rs.average([curves[0], curves[0].roc()], "vertical")
