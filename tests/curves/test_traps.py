"""Traps that other tools fall into, numbered as in docs/comparison.md."""

import json
import math

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import DataError, UsageError


def test_T7_no_threshold_is_dropped():
    """scikit-learn's drop_intermediate deletes 0.8, and a look-up there gives 1/3."""
    curve = rs.roc_curve([1, 1, 1, 0], [0.9, 0.8, 0.7, 0.1])
    assert curve.rates_at(0.8).tpr == 2 / 3
    assert 0.8 in curve.thresholds


def test_T14_only_equal_scores_are_tied():
    """scikit-learn once merged scores closer than a tolerance; 3.4 and 3.4000000000000004 are two scores."""
    labels, scores = [1, 0, 1, 0], np.array([4, 3, 2, 1.0])
    assert rs.auc(labels, scores * 1e-300) == rs.auc(labels, scores) == 0.75
    near = rs.roc_curve([0, 1], [3.4, 3.4000000000000004])
    assert near.auc == 1
    assert near.thresholds.size == 3


def test_T15_the_infinite_threshold_survives_json():
    curve = rs.roc_curve([1, 0], [0.7, 0.2])
    assert curve.thresholds[0] == math.inf  # not max + 1, which is no probability
    text = json.dumps(curve.to_dict(), allow_nan=False)
    assert [float(t) for t in json.loads(text)["thresholds"]] == [math.inf, 0.7, 0.2]
    low = rs.roc_curve([1, 0], [0.2, 0.7], higher_is_positive=False)
    assert json.loads(json.dumps(low.to_dict(), allow_nan=False))["thresholds"][0] == "-inf"
    json.dumps(curve.precision_recall().to_dict(), allow_nan=False)
    json.dumps(curve.det().to_dict(), allow_nan=False)


def test_T16_a_tie_is_half_a_win():
    assert rs.auc([1, 0, 0, 1], [2, 5, 10, 10]) == 0.375


@pytest.mark.parametrize(("labels", "missing"), [([1, 1], "negatives"), ([0, 0], "positives")])
def test_T17_one_class_is_an_error_never_a_number(labels, missing):
    for call in (rs.auc, rs.roc_curve, rs.auc_interval):
        with pytest.raises(DataError, match=f"RS024.*no {missing}"):
            call(labels, [0.1, 0.2])


def test_T17_a_one_class_fold_is_named_and_never_averaged_as_zero():
    folds = rs.ScoreSet.from_folds(
        [([1, 0], [2, 1]), ([1, 1], [2, 1]), ([0, 1], [2, 1])], design="independent"
    )
    with pytest.raises(DataError, match="RS036") as caught:
        rs.roc_curves(folds)
    assert "fold 2: no negatives" in str(caught.value)
    curves = rs.roc_curves(folds, undefined="drop")
    assert curves.auc.tolist() == [1, 0]
    assert curves.undefined == ("fold 2: no negatives",)
    assert curves.names == ("fold 1", "fold 3")
    with pytest.raises(DataError, match="RS032"):
        rs.roc_curves(
            rs.ScoreSet.from_folds([([1, 1], [2, 1])], positive=1, design="independent"), undefined="drop"
        )


def test_T18_infinite_scores_are_scores():
    """ROCR drops the rows silently and gets 0, pROC gives NaN, scikit-learn raises."""
    curve = rs.roc_curve([1, 0, 1, 0], [np.inf, 0.5, 0.2, -np.inf])
    assert curve.auc == 0.75
    assert curve.thresholds.tolist() == [np.inf, np.inf, 0.5, 0.2, -np.inf]
    assert curve.rates_at(np.inf).tpr == 0.5  # counts the case that scores +inf
    assert curve.rates_at(np.inf, rule=">").tpr == 0
    assert curve.rates_at(-np.inf).fpr == 1
    assert curve.coordinates().cutoffs.tolist() == [-np.inf, 0.2, 0.35, np.inf, np.inf]


def test_T20_a_curve_is_never_flipped():
    """pROC turns these into 0.889."""
    labels, scores = [0, 0, 0, 1, 1, 1], [0.9, 0.8, 0.3, 0.2, 0.4, 0.1]
    assert rs.auc(labels, scores) == pytest.approx(1 / 9)
    assert rs.roc_curve(labels, scores).auc == rs.auc(labels, scores)


def test_T23_rows_of_weight_zero_drop_out_and_negative_weights_are_refused():
    labels, scores = [1, 0, 1, 0], [4, 3, 2, 1]
    assert rs.auc(labels, scores, sample_weight=[1, 0, 1, 1]) == 1
    curve = rs.roc_curve(labels, scores, sample_weight=[1, 0, 1, 1])
    assert curve.thresholds.tolist() == [np.inf, 4, 2, 1]
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(DataError, match="RS037"):
            rs.roc_curve(labels, scores, sample_weight=[1, bad, 1, 1])


def test_T23_hard_labels_as_scores_are_warned_about():
    labels = np.arange(20) % 2
    for call in (rs.roc_curve, rs.auc):
        with pytest.warns(UserWarning, match="RS101"):
            call(labels, (labels + (np.arange(20) > 15)) % 2)


def test_T25_float32_scores_stay_at_most_one():
    labels = np.arange(1000) % 2
    scores = (labels + np.arange(1000) * 1e-4).astype(np.float32)
    assert rs.auc(labels, scores) == 1.0
    with pytest.warns(UserWarning, match="RS151"):
        assert rs.auc_interval(labels, scores).high == 1.0


def test_T26_pair_counts_do_not_wrap():
    """pROC's DeLong once overflowed at 144,000 rows and printed the interval 1-1."""
    n = 200_000
    labels = np.arange(n) % 2 == 0
    scores = np.sin(np.arange(n)) + labels
    curve = rs.roc_curve(labels, scores)
    area = curve.auc
    interval = curve.auc_interval()
    assert 0.5 < interval.low < area < interval.high < 1
    error = curve.auc_standard_error()
    assert error == pytest.approx(curve.auc_standard_error("nonparametric"), rel=1e-3)


def test_T26_a_single_case_gives_nan_and_says_so():
    curve = rs.roc_curve([1, 0, 0, 0], [2, 3, 1, 0])
    with pytest.warns(UserWarning, match="RS153"):
        assert math.isnan(curve.auc_standard_error())
    with pytest.warns(UserWarning, match="RS153"):
        assert math.isnan(curve.auc_interval(method="logit").low)
    with pytest.warns(UserWarning, match="RS153"):
        interval = curve.auc_interval()
    assert interval.low < 0.02 < 0.98 < interval.high
    assert curve.auc_standard_error("hanley-mcneil") > 0
    with pytest.warns(UserWarning, match="RS153"):
        assert curve.auc_interval(method="bootstrap").low >= 0


@pytest.mark.parametrize("method", ["guarded", "logit", "delong", "bootstrap"])
def test_T26_a_perfect_curve_has_a_usable_interval(method):
    labels, scores = [1] * 20 + [0] * 50, list(range(70, 0, -1))
    with pytest.warns(UserWarning, match="RS151"):
        interval = rs.auc_interval(labels, scores, method=method)
    assert interval.low == pytest.approx(0.05 ** (1 / 20))
    assert interval.high == 1
    assert interval.method == "separated"
    with pytest.warns(UserWarning, match="RS151"):
        mirrored = rs.auc_interval(labels, scores, method=method, higher_is_positive=False)
    assert (mirrored.low, mirrored.high) == (0, pytest.approx(1 - 0.05 ** (1 / 20)))


def test_T30_mcclish_is_right_for_ranges_that_do_not_start_at_zero():
    diagonal = rs.roc_curve([1, 0], [1, 1])
    perfect = rs.roc_curve([1, 0], [2, 1])
    for span in ((0, 0.1), (0.2, 0.5), (0.9, 1)):
        for axis in ("fpr", "tpr"):
            assert diagonal.partial_auc(**{axis: span}, standardized=True) == pytest.approx(0.5, abs=1e-15)
            assert perfect.partial_auc(**{axis: span}, standardized=True) == pytest.approx(1, abs=1e-15)


def test_T30_below_the_diagonal_there_is_a_number_and_a_warning():
    """pROC gives NA there."""
    worst = rs.roc_curve([1, 0], [1, 2])
    assert worst.partial_auc(fpr=(0, 0.2)) == 0
    with pytest.warns(UserWarning, match="RS152"):
        standardized = worst.partial_auc(fpr=(0, 0.2), standardized=True)
    assert standardized == pytest.approx((1 - 0.02 / 0.18) / 2)


def test_T31_every_meaning_of_the_equal_error_rate_has_a_name():
    labels = [1, 0, 1, 1, 0, 1, 0, 0, 1, 0]
    scores = [9, 8, 7, 7, 7, 6, 5, 4, 3, 2]
    curve = rs.roc_curve(labels, scores)
    assert curve.eer("polyline").value == curve.equal_error_rate == 0.4
    assert curve.hull().equal_error_rate == pytest.approx(0.32)
    assert curve.eer("closest-vertex").value == 0.4
    coarse = rs.roc_curve([1] * 5 + [0] * 5, [3, 3, 3, 3, 2, 3, 3, 2, 2, 1])
    assert (coarse.eer("closest-vertex").fpr, coarse.eer("closest-vertex").fnr) == (0.4, 0.2)
    assert coarse.eer("closest-vertex").value == 0.4
    assert coarse.eer("polyline").value == pytest.approx(1 / 3)
    assert not coarse.eer("polyline").attainable
    with pytest.raises(UsageError, match=r"RS001.*closest"):
        curve.eer("closest")
