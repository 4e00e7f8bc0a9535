"""Traps that other tools fall into when they average, numbered as in docs/comparison.md.

T7 and those from T14 on concern single curves (tests/curves/test_traps.py); what they mean for an average is
here too.
"""

import json
import math

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import DataError

METHODS = ("vertical", "horizontal", "diagonal", rs.AtAngle(0.3), "threshold", "pooled")


def area(average):
    return math.fsum(np.diff(average.fpr) * (average.tpr[1:] + average.tpr[:-1]) / 2)


@pytest.fixture(scope="module")
def folds():
    """Ten folds, their sizes unequal, their scores rounded so that there are ties."""
    rng = np.random.default_rng(11)
    pairs = []
    for i in range(10):
        labels = np.arange(30 + 7 * i) % 3 == 0
        pairs.append((labels, (rng.normal(size=labels.size) + 1.2 * labels).round(1)))
    return rs.ScoreSet.from_folds(pairs, design="independent")


@pytest.mark.parametrize("method", METHODS)
def test_T1_an_average_starts_at_zero_and_ends_at_one_and_keeps_its_jumps(folds, method):
    """ROCR halves vertical rises: its averages start above (0, 0) and end below (1, 1)."""
    average = rs.average(folds, method)
    assert (average.fpr[0], average.tpr[0], average.fpr[-1], average.tpr[-1]) == (0, 0, 1, 1)


def test_T1_the_jump_at_zero_is_not_halved():
    score_set = rs.ScoreSet.from_folds([([1, 1, 0], [3, 2, 1]), ([1, 1, 0], [3, 1, 2])], design="independent")
    average = rs.average(score_set, "vertical")
    assert average.fpr.tolist() == [0, 0, 1, 1]
    assert average.tpr.tolist() == [0, 0.75, 0.75, 1]
    assert average.tpr_at(0) == 0.75
    assert average.tpr_at(0, side="lower") == 0


def test_T2_the_horizontal_average_reaches_the_corner_and_keeps_its_area(folds):
    """ROCR's ends at FPR 0.9775 on its own data, and misses two hundredths of the area."""
    average = rs.average(folds, "horizontal")
    assert average.fpr[-1] == 1
    assert area(average) == pytest.approx(rs.roc_curves(folds).auc.mean(), abs=1e-12)


def test_T2_the_right_angle_is_no_rotation_of_floats(folds):
    """cos(pi/2) is 6e-17: rotating and interpolating reads flat runs at their wrong end."""
    average, curves = rs.average(folds, rs.AtAngle(math.pi / 2)), rs.roc_curves(folds)
    c, s = math.cos(math.pi / 2), math.sin(math.pi / 2)
    at = np.unique(np.concatenate([curve.tpr for curve in curves]))
    rotated = [np.interp(at, c * k.fpr + s * k.tpr, c * k.tpr - s * k.fpr) for k in curves]
    naive, exact = -np.mean(rotated, axis=0), np.mean([curve.fpr_at(at) for curve in curves], axis=0)
    assert np.abs(naive - exact).max() > 0.02
    np.testing.assert_allclose(average.at_position(at).fpr, exact, atol=1e-14)
    assert average.fpr.tobytes() == rs.average(folds, "horizontal").fpr.tobytes()


def test_T2_a_single_flat_run_read_naively_is_wrong_by_one():
    """All negatives above the only positive: at TPR 0 the naive reading may be 1, the curve's is 0."""
    average = rs.average(
        rs.ScoreSet.from_folds([([0, 0, 1], [3, 2, 1])] * 2, design="independent"), "horizontal"
    )
    assert average.at_position(0.0).fpr == 0
    assert average.at_position(1e-300).fpr == 1


def test_T3_equal_sizes_make_threshold_average_and_pooling_one_curve():
    """ROCR interpolates between cut-offs, where the truth is a step, and breaks the identity."""
    pairs = [([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.6]), ([0, 1, 0, 1], [0.15, 0.5, 0.55, 0.9])]
    score_set = rs.ScoreSet.from_folds(pairs, design="independent")
    threshold, pooled = rs.average(score_set, "threshold"), rs.average(score_set, "pooled")
    np.testing.assert_array_equal(threshold.fpr, pooled.fpr)
    np.testing.assert_array_equal(threshold.tpr, pooled.tpr)
    np.testing.assert_array_equal(threshold.thresholds, pooled.thresholds)
    assert threshold.auc == pooled.auc == 14 / 16
    between = threshold.rates_at([0.51, 0.53, 0.55])
    assert between.tpr.tolist() == [0.5, 0.5, 0.5]  # of no score in between


def test_T4_a_constant_fold_does_not_move_the_ends():
    """ROCR replaces an infinite cut-off by max + mean gap: its average starts and ends at (.5, .5)."""
    score_set = rs.ScoreSet.from_folds(
        [([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 0, 1, 0], [7, 7, 7, 7])], design="independent"
    )
    for method in METHODS:
        average = rs.average(score_set, method)
        assert (average.fpr[0], average.tpr[0], average.fpr[-1], average.tpr[-1]) == (0, 0, 1, 1)
    threshold = rs.average(score_set, "threshold")
    assert threshold.thresholds.tolist() == [math.inf, 7, 4, 3, 2, 1]
    assert threshold.rates_at(5).tpr == 0.5
    assert rs.average(score_set, "vertical").auc == (0.75 + 0.5) / 2


def test_T4_infinite_scores_are_thresholds():
    score_set = rs.ScoreSet.from_folds(
        [([1, 0], [math.inf, 0]), ([1, 0], [2, -math.inf])], design="independent"
    )
    average = rs.average(score_set, "threshold")
    assert average.thresholds.tolist() == [math.inf, math.inf, 2, 0, -math.inf]
    assert (average.fpr.tolist(), average.tpr.tolist()) == ([0, 0, 0, 0.5, 1], [0, 0.5, 1, 1, 1])
    assert average.rates_at(math.inf).tpr == 0.5
    assert average.rates_at(math.inf, rule=">").tpr == 0
    assert average.at(threshold=math.inf).tpr == 0.5


def test_T5_spreads_of_a_threshold_average_are_at_thresholds_not_at_false_positive_rates(folds):
    """With scores near 10, ROCR's default bars all stand at (1, 1) and have no width."""
    pairs = [(np.array(own.is_positive), own.scores + 10) for own in folds]
    average = rs.average(rs.ScoreSet.from_folds(pairs, design="independent"), "threshold")
    rates = average.rates_at(np.array([10, 10.5, 11]))
    assert (rates.fpr_sd > 0).all()
    assert (rates.tpr_sd > 0).all()
    assert ((rates.fpr > 0) & (rates.fpr < 1)).all()
    assert average.rates_at(0.5).fpr == 1  # below every score all are called positive
    band = average.band(kind="pointwise", n_resamples=200)
    assert (band.upper.tpr - band.lower.tpr > 0.01).all()


def test_T6_no_grid_no_forced_zero_no_population_standard_deviation():
    """scikit-learn's example: 100 points, tpr[0] = 0, mean[-1] = 1, and np.std as the band."""
    rng = np.random.default_rng(0)
    labels = np.arange(220) < 20
    score_set = rs.ScoreSet.from_folds(
        [(labels, rng.normal(size=220) + 3.5 * labels) for _ in range(5)], design="independent"
    )
    curves = rs.roc_curves(score_set)
    grid = np.linspace(0, 1, 100)
    tprs = np.array([np.interp(grid, curve.fpr, curve.tpr) for curve in curves])
    tprs[:, 0] = 0.0
    recipe = tprs.mean(axis=0)
    recipe[-1] = 1.0
    recipe_area = float(np.sum(np.diff(grid) * (recipe[1:] + recipe[:-1]) / 2))
    average = rs.average(score_set, "vertical")
    assert abs(recipe_area - curves.auc.mean()) > 1e-3
    assert average.auc == pytest.approx(curves.auc.mean(), abs=1e-15)
    assert area(average) == pytest.approx(curves.auc.mean(), abs=1e-12)
    place = average.at_position(0.1)
    values = np.array([curve.tpr_at(0.1) for curve in curves])
    assert place.sd == pytest.approx(values.std(ddof=1), abs=1e-14)
    assert place.standard_error == pytest.approx(values.std(ddof=1) / math.sqrt(5), abs=1e-14)


def test_T7_no_threshold_of_any_fold_is_dropped():
    """Dropping "intermediate" points of a fold loses thresholds that the other folds need."""
    score_set = rs.ScoreSet.from_folds(
        [([1, 1, 1, 0], [0.9, 0.8, 0.7, 0.1]), ([1, 0], [0.85, 0.75])], design="independent"
    )
    for source in (score_set, rs.roc_curves(score_set)):
        average = rs.average(source, "threshold")
        assert average.thresholds.tolist() == [math.inf, 0.9, 0.85, 0.8, 0.75, 0.7, 0.1]
        assert average.rates_at(0.8).tpr == pytest.approx((2 / 3 + 1) / 2, abs=1e-15)


def test_T8_few_folds_get_student_s_t_and_intervals_may_leave_the_square():
    """precrec uses the normal quantile and divides by zero at one fold."""
    from scipy.stats import norm, t

    score_set = rs.ScoreSet.from_folds(
        [([1, 1, 0, 0], s) for s in ([4, 3, 2, 1], [4, 2, 3, 1], [4, 1, 3, 2])], design="independent"
    )
    average = rs.average(score_set, "vertical")
    point, place = average.at(fpr=0), average.at_position(0.0)
    values = [1, 0.5, 0.5]
    assert place.standard_error == pytest.approx(np.std(values, ddof=1) / math.sqrt(3), abs=1e-15)
    for quantile, q in (("t", t.ppf(0.975, 2)), ("normal", norm.ppf(0.975))):
        interval = average.at(fpr=0, quantile=quantile, scale="linear").tpr_interval
        assert interval.high - point.tpr == pytest.approx(q * place.standard_error, rel=1e-12)
        assert point.tpr - interval.low == pytest.approx(q * place.standard_error, rel=1e-12)
    assert average.at(fpr=0, scale="linear").tpr_interval.high > 1  # clipped it would not cover as promised
    assert point.tpr_interval.high < 1  # on the logit scale nothing leaves the square


def test_T8_one_fold_has_no_spread_and_says_so():
    average = rs.average(rs.ScoreSet.from_folds([([1, 0, 1], [3, 2, 1])], design="independent"), "vertical")
    assert math.isnan(average.at_position(0.5).standard_error)
    point = average.at(fpr=0.5)
    assert math.isnan(point.tpr_interval.low)
    assert "With one fold" in point.reading


def test_T9_each_rate_has_its_own_spread():
    """Orange drew the FPR's standard deviation as the TPR's bar."""
    score_set = rs.ScoreSet.from_folds(
        [([1, 1, 0, 0, 0, 0], [8, 7, 6, 3, 2, 1]), ([1, 1, 0, 0, 0, 0], [8, 4, 6, 3, 2, 1])],
        design="independent",
    )
    rates = rs.average(score_set, "threshold").rates_at(5)
    assert rates.fpr_sd == 0
    assert rates.tpr_sd == pytest.approx(math.sqrt(0.125))
    assert rates.covariance == 0
    with pytest.warns(rs.RocsteadyWarning, match="RS210"):
        point = rs.average(score_set, "threshold").at(threshold=5, scale="linear")
    assert point.fpr_interval.low == point.fpr_interval.high == 0.25
    assert point.tpr_interval.low < 0 < 1 < point.tpr_interval.high


def test_T9_thresholds_are_neither_clipped_nor_sampled(folds):
    """Orange takes about eleven thresholds, clipped to [0, 1]."""
    average = rs.average(folds, "threshold")
    scores = np.unique(np.concatenate([own.scores for own in folds]))
    np.testing.assert_array_equal(average.thresholds[1:], scores[::-1])
    assert average.thresholds[1] > 1
    assert average.thresholds[-1] < 0


def test_T10_a_model_s_name_is_compared_as_a_whole():
    """iMRMC's grepl takes A10 for A1."""
    score_set = rs.ScoreSet.from_arrays(
        [1, 0] * 4, [2, 1, 2, 1, 1, 2, 1, 2], list("aabbaabb"), models=["A1"] * 4 + ["A10"] * 4
    )
    average = rs.average(score_set.model("A1"), "vertical")
    assert average.auc == 1
    assert average.n_groups == 2
    assert rs.average(score_set.model("A10"), "vertical").auc == 0


def test_T10_no_jitter_and_no_invented_threshold(folds):
    """iMRMC moves points by 9 epsilon, so x has near-duplicates; its first threshold is max + 100."""
    for method, held in (("vertical", "fpr"), ("horizontal", "tpr")):
        steps = np.diff(getattr(rs.average(folds, method), held))
        assert (steps[steps > 0] > 1e-6).all()  # distinct rates differ by at least 1 / (n_1 n_2)
    assert rs.average(folds, "threshold").thresholds[0] == math.inf
    low = rs.average(
        rs.ScoreSet.from_folds([([1, 0], [1, 2])], higher_is_positive=False, design="independent"),
        "threshold",
    )
    assert low.thresholds[0] == -math.inf


@pytest.mark.parametrize("method", [*METHODS, rs.Vertical(at_jumps="mid"), rs.Pooled(balanced=True)])
def test_T11_an_average_never_falls(folds, method):
    """Smoothed averages do."""
    average = rs.average(folds, method)
    assert (np.diff(average.fpr) >= 0).all()
    assert (np.diff(average.tpr) >= 0).all()
    at = np.linspace(0, 1, 1001)
    assert (np.diff(average.tpr_at(at)) >= 0).all()


@pytest.mark.parametrize("angle", np.linspace(0, math.pi / 2, 19))
def test_T12_the_area_is_the_mean_area_at_every_angle_and_off_on_any_grid(folds, angle):
    mean = rs.roc_curves(folds).auc.mean()
    average = rs.average(folds, rs.AtAngle(angle))
    assert average.auc == pytest.approx(mean, abs=1e-14)
    assert area(average) == pytest.approx(mean, abs=1e-12)
    grid = average.grid(101)
    assert abs(area(grid) - mean) > 1e-6  # an output choice, not the curve
    assert grid.fpr.size == 101


def test_T13_pooling_weighs_rows_and_threshold_averages_weigh_groups(folds):
    pooled, threshold = rs.average(folds, "pooled"), rs.average(folds, "threshold")
    assert abs(pooled.auc - threshold.auc) > 1e-4
    cross = rs_cross_auc(folds)
    assert threshold.auc == pytest.approx(cross.mean(), abs=1e-12)
    positives = np.array([own.is_positive.sum() for own in folds])
    negatives = np.array([(~own.is_positive).sum() for own in folds])
    by_rows = np.outer(positives / positives.sum(), negatives / negatives.sum())
    assert pooled.auc == pytest.approx((cross * by_rows).sum(), abs=1e-12)


def rs_cross_auc(score_set):
    """AUC of every group's positives against every group's negatives."""
    rows = [(own.scores[own.is_positive], own.scores[~own.is_positive]) for own in score_set]
    return np.array([[np.mean((p[:, None] > n) + (p[:, None] == n) / 2) for _, n in rows] for p, _ in rows])


def test_T15_infinite_thresholds_of_averages_survive_json(folds):
    for method in METHODS:
        average = rs.average(folds, method)
        back = json.loads(json.dumps(average.to_dict(), allow_nan=False))
        assert back["auc"] == average.auc
        assert back["tpr"] == average.tpr.tolist()
    back = json.loads(json.dumps(rs.average(folds, "threshold").to_dict(), allow_nan=False))
    assert back["threshold"][0] == "inf"


def test_T17_a_one_class_fold_is_named_and_never_averaged_as_zero():
    score_set = rs.ScoreSet.from_folds(
        [([1, 0], [2, 1]), ([1, 1], [2, 1]), ([0, 1], [2, 1])], design="independent"
    )
    for method in METHODS[:-1]:
        with pytest.raises(DataError, match="RS036") as caught:
            rs.average(score_set, method)
        assert "fold 2: no negatives" in str(caught.value)
        average = rs.average(score_set, method, undefined="drop")
        assert average.auc == pytest.approx(0.5)
        assert average.undefined == ("fold 2: no negatives",)
        assert average.members == ("fold 1", "fold 3")
    pooled = rs.average(score_set, "pooled")
    assert pooled.undefined == ("fold 2: no negatives",)
    assert pooled.n_groups == 3


def test_T18_infinite_scores_are_averaged_like_any_others():
    finite = [([1, 0, 1, 0], [9, 5, 2, -9]), ([1, 0], [9, -9])]
    infinite = [([1, 0, 1, 0], [math.inf, 5, 2, -math.inf]), ([1, 0], [math.inf, -math.inf])]
    for method in METHODS:
        a, b = (
            rs.average(rs.ScoreSet.from_folds(pairs, design="independent"), method)
            for pairs in (finite, infinite)
        )
        np.testing.assert_array_equal(a.fpr, b.fpr)
        np.testing.assert_array_equal(a.tpr, b.tpr)


def test_T20_no_fold_is_flipped():
    """pROC's automatic direction makes averages of chance optimistic."""
    score_set = rs.ScoreSet.from_folds([([1, 0], [2, 1]), ([1, 0], [1, 2])], design="independent")
    for method in METHODS:
        assert rs.average(score_set, method).auc == 0.5


def test_T28_a_standard_error_is_not_a_standard_deviation_nor_half_of_it(folds):
    place = rs.average(folds, "vertical").at_position(0.2)
    assert place.standard_error == pytest.approx(place.sd / math.sqrt(10), rel=1e-14)
    band = rs.average(folds, "vertical").band(kind="prediction")
    assert "one more fold" in band.reading
