"""RocCurve: what it is, what it says, what it refuses."""

import dataclasses
import json
import math

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import DataError, UsageError


@pytest.fixture
def curve():
    return rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1], name="fold 3")


def test_one_line_when_printed(curve):
    assert repr(curve) == "RocCurve(fold 3: 3 positives, 2 negatives, 4 thresholds, AUC 0.917)"
    weighted = rs.roc_curve([1, 0], [2, 1], sample_weight=[0.5, 2.25])
    assert repr(weighted) == "RocCurve(weights 0.5 positive and 2.25 negative, 2 thresholds, AUC 1.000)"
    for result in (
        curve.rates_at(0.5),
        curve.rates_at([0.5, 0.6]),
        curve.eer(),
        curve.det(),
        curve.cost_curve(),
        curve.precision_recall(),
        curve.coordinates(),
        curve.auc_interval(),
        curve.auc_null_test(),
    ):
        assert "\n" not in repr(result)
        with pytest.raises(TypeError, match=f"{type(result).__name__} is not a tuple"):
            iter(result)
        json.dumps(result.to_dict(), allow_nan=False)


def test_a_result_that_is_unpacked_says_its_names(curve):
    with pytest.raises(TypeError, match=r"take its values by name:  \.low, \.high, \.confidence_level"):
        _, _ = curve.auc_interval()
    with pytest.raises(TypeError, match=r"\.threshold, \.fpr, \.tpr, \.rule"):
        _, _ = curve.rates_at(0.5)


def test_frozen(curve):
    with pytest.raises(dataclasses.FrozenInstanceError):
        curve.name = "other"
    for array in (curve.thresholds, curve.true_positives, curve.fpr, curve.tpr, curve.fnr):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_given_arrays_stay_the_callers():
    thresholds = np.array([2.0, 1.0])
    curve = rs.RocCurve.from_counts(thresholds, [1, 1], [0, 1])
    thresholds[0] = 9
    assert curve.thresholds[1] == 2


def test_rates_are_computed_once(curve):
    assert curve.fpr is curve.fpr
    assert "tpr" not in vars(curve)  # not before they are read


@pytest.mark.parametrize(
    "result", ["self", "rates_at", "det", "cost_curve", "precision_recall", "coordinates"]
)
def test_tables_become_frames(curve, result):
    table = (
        curve
        if result == "self"
        else curve.rates_at([0.1, 0.2])
        if result == "rates_at"
        else getattr(curve, result)()
    )
    frame = table.to_frame()
    assert len(frame) > 0
    assert {"fpr", "recall", "sensitivity"} & set(frame.columns)


def test_low_scores_positive_keep_their_units():
    curve = rs.roc_curve([1, 1, 0], [0.01, 0.2, 0.7], higher_is_positive=False)
    assert curve.thresholds.tolist() == [-math.inf, 0.01, 0.2, 0.7]
    assert curve.auc == 1
    assert curve.rates_at(0.2).tpr == 1
    assert curve.rates_at(0.2).rule == "<="
    assert curve.rates_at(0.2, rule="<").tpr == 0.5
    table = curve.coordinates()
    assert table.rule == "<="
    assert table.cutoffs[[0, -1]].tolist() == [0.01 - 1, 1.7]
    assert table.sensitivity.tolist() == [0, 0.5, 1, 1]
    with pytest.raises(UsageError, match="RS001"):
        curve.rates_at(0.2, rule=">=")


def test_the_bottom_of_the_curve_has_two_readings(curve):
    assert curve.tpr_at(0) == 2 / 3
    assert curve.tpr_at(0, side="lower") == 0
    assert curve.fpr_at(1) == 0.5
    assert curve.fpr_at(1, side="upper") == 1


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan, [0.2, 2]])
def test_rates_outside_the_unit_interval_are_refused(curve, bad):
    for read in (curve.tpr_at, curve.fpr_at, curve.cost_curve().at):
        with pytest.raises(UsageError, match="RS042"):
            read(bad)


def test_bad_arguments_are_refused_with_what_to_type(curve):
    with pytest.raises(UsageError, match=r"RS001.*\n.*\n.*side='upper'"):
        curve.tpr_at(0.1, side="uper")
    with pytest.raises(UsageError, match="RS042"):
        curve.rates_at(math.nan)
    with pytest.raises(UsageError, match="RS001"):
        curve.rates_at(0.5, rule="==")
    with pytest.raises(UsageError, match="RS001"):
        curve.auc_interval(method="wald")
    with pytest.raises(UsageError, match="RS001"):
        curve.auc_standard_error("bootstrap")
    with pytest.raises(UsageError, match="RS001"):
        curve.auc_null_test("hanley-mcneil")
    for level in (0, 1, 95, math.nan):
        with pytest.raises(UsageError, match="RS042"):
            curve.auc_interval(level)
    with pytest.raises(UsageError, match="RS042"):
        curve.auc_interval(method="bootstrap", n_resamples=0)


@pytest.mark.parametrize("span", [(0.2, 0.1), (0.1, 0.1), (-0.1, 0.5), (0.5, 1.2), (0.1,), 0.1])
def test_bad_ranges_of_a_partial_area_are_refused(curve, span):
    with pytest.raises(UsageError, match="RS042"):
        curve.partial_auc(fpr=span)
    with pytest.raises(UsageError, match="RS042"):
        curve.partial_auc(tpr=span)


def test_a_partial_area_needs_one_range(curve):
    for spans in ({}, {"fpr": (0, 0.1), "tpr": (0.9, 1)}):
        with pytest.raises(UsageError, match="RS002"):
            curve.partial_auc(**spans)


@pytest.mark.parametrize(
    "counts",
    [
        ([1, 2], [0, 1], [1, 1]),  # thresholds rise
        ([2, 2], [0, 1], [1, 1]),  # or stand still
        ([2, math.nan], [0, 1], [1, 1]),
        ([math.nan], [1], [1]),
        ([2, 1], [1, 0], [1, 1]),  # counts fall
        ([2, 1], [0, 1], [2, 1]),
        ([2, 1], [-1, 1], [1, 1]),
        ([2, 1], [0, 1], [1, 1, 1]),
        ([], [], []),
        ([[2, 1]], [[0, 1]], [[1, 1]]),
        ([2, 1], ["0", "1"], [1, 1]),
        ([2, 1], [0.5, math.inf], [1.0, 1.0]),
    ],
)
def test_counts_that_form_no_curve_are_refused(counts):
    with pytest.raises(UsageError, match="RS043"):
        rs.RocCurve.from_counts(*counts)


def test_counts_of_one_class_are_refused():
    with pytest.raises(DataError, match="RS024"):
        rs.RocCurve.from_counts([2, 1], [1, 2], [0, 0])


def test_counts_may_start_with_infinite_scores():
    curve = rs.RocCurve.from_counts([math.inf, 1], [1, 1], [0, 1])
    assert curve.thresholds.tolist() == [math.inf, math.inf, 1]
    low = rs.RocCurve.from_counts([1, 2], [1, 1], [0, 1], higher_is_positive=False)
    assert low.thresholds.tolist() == [-math.inf, 1, 2]


def test_thresholds_without_cases_do_no_harm():
    curve = rs.RocCurve.from_counts([5, 4, 3, 2, 1], [0, 1, 1, 2, 2], [0, 0, 0, 1, 1])
    assert curve.auc == 0.75
    assert curve.hull().true_positives.tolist() == [0, 1, 2]
    assert curve.equal_error_rate == pytest.approx(1 / 3)
    assert curve.auc_standard_error("nonparametric") > 0


def test_weights_are_refused_where_cases_are_counted():
    curve = rs.roc_curve([1, 1, 0, 0], [4, 2, 3, 1], sample_weight=[1, 2, 3, 4])
    for call in (curve.auc_standard_error, curve.auc_interval, curve.auc_null_test):
        with pytest.raises(UsageError, match="RS038"):
            call()
    with pytest.raises(UsageError, match="RS038"):
        rs.auc_interval([1, 1, 0, 0], [4, 2, 3, 1], sample_weight=[1, 2, 3, 4])
    assert curve.auc_interval(method="bootstrap").low < curve.auc


def test_sums_of_weights_alone_cannot_be_resampled():
    curve = rs.RocCurve.from_counts([3, 2, 1], [0.5, 0.5, 2.0], [0.0, 1.5, 1.5])
    with pytest.raises(UsageError, match=r"RS038.*cannot be resampled"):
        curve.auc_interval(method="bootstrap")


def test_null_test_as_spss_and_as_delong():
    labels, scores = [1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    curve = rs.roc_curve(labels, scores)
    spss = curve.auc_null_test()
    assert spss.standard_error == pytest.approx(math.sqrt(9 / (12 * 16)))
    assert spss.statistic == pytest.approx((curve.auc - 0.5) / spss.standard_error)
    delong = curve.auc_null_test("delong")
    assert delong.standard_error == curve.auc_standard_error()
    # A constant score is no evidence at all.
    constant = rs.roc_curve(labels, [1] * 8)
    for method in ("nonparametric", "delong"):
        assert (constant.auc_null_test(method).statistic, constant.auc_null_test(method).pvalue) == (0, 1)


def test_precision_where_nothing_is_called_positive_is_nan(curve):
    pr = curve.precision_recall()
    assert math.isnan(pr.precision[0])
    assert pr.to_dict()["precision"][0] is None
    assert pr.precision[1] == 1


def test_expected_cost_of_the_best_threshold(curve):
    cost = curve.cost_curve()
    # (0, 2/3): 1/3 of the positives missed; (1/2, 1): half of the negatives alarmed.
    assert cost.expected_cost(false_positive=1, false_negative=1, prevalence=0.5) == pytest.approx(1 / 6)
    assert cost.expected_cost(false_positive=1, false_negative=9, prevalence=0.5) == pytest.approx(0.25)
    assert cost.expected_cost(false_positive=0, false_negative=0, prevalence=0.5) == 0
    assert cost.threshold_at(0.1) == 0.8
    for bad in (
        {"false_positive": -1, "false_negative": 1},
        {"false_positive": 1, "false_negative": math.inf},
    ):
        with pytest.raises(UsageError, match="RS042"):
            cost.expected_cost(**bad, prevalence=0.5)
    with pytest.raises(UsageError, match="RS042"):
        cost.expected_cost(false_positive=1, false_negative=1, prevalence=2)
