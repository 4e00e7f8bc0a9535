"""What cannot be averaged: coded errors in three parts, never what NumPy or Python happen to say."""

import math

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.averaging.methods import Diagonal, Threshold
from rocsteady.errors import DataError, RocsteadyError, UsageError

PAIRS = [([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1]), ([0, 1, 1, 0], [4, 3, 2, 1])]
METHODS = ("vertical", "horizontal", "diagonal", rs.AtAngle(0.3), "threshold", "pooled")


@pytest.fixture
def folds():
    return rs.ScoreSet.from_folds(PAIRS, design="independent")


def refused(code, call, *, kind=UsageError, found=True):
    """The error of a call, which has all its parts."""
    with pytest.raises(kind) as caught:
        call()
    error = caught.value
    assert isinstance(error, RocsteadyError)
    assert error.code == code
    assert error.problem.endswith((".", "?"))
    assert error.remedies
    if found:
        assert error.found
    assert str(error).startswith(f"{code}: ")
    return error


# Methods


@pytest.mark.parametrize("angle", [-0.1, -1e-9, 1.6, math.pi, 45, 90, math.nan, math.inf, [0.1, 0.2]])
def test_angles_outside_the_first_quarter(angle):
    refused("RS080", lambda: rs.AtAngle(angle))


def test_an_angle_in_degrees_is_recognised():
    assert "math.radians(45)" in str(refused("RS080", lambda: rs.AtAngle(45)))


@pytest.mark.parametrize("angle", ["a", None, 1j, "0.5"])
def test_angles_that_are_no_numbers(angle):
    refused("RS042" if angle is not None else "RS080", lambda: rs.AtAngle(angle))


@pytest.mark.parametrize(
    ("angle", "name"), [(0, "vertical"), (math.pi / 4, "diagonal"), (math.pi / 2, "horizontal")]
)
def test_angles_a_rounding_error_away_are_the_exact_ones(folds, angle, name):
    expected = rs.average(folds, name)
    for off in (-1e-13, 0, 1e-13):
        average = rs.average(folds, rs.AtAngle(angle + off))
        assert average.angle == angle
        np.testing.assert_array_equal(average.tpr, expected.tpr)
        np.testing.assert_array_equal(average.fpr, expected.fpr)


def test_both_costs_zero():
    refused("RS081", lambda: rs.AtCosts(false_positive=0, false_negative=0, prevalence=0.5))


@pytest.mark.parametrize("cost", [-1, math.nan, math.inf, [1, 2]])
@pytest.mark.parametrize("which", ["false_positive", "false_negative"])
def test_costs_that_are_none(cost, which):
    costs = {"false_positive": 1, "false_negative": 1, "prevalence": 0.5} | {which: cost}
    refused("RS081", lambda: rs.AtCosts(**costs))


def test_one_cost_may_be_zero(folds):
    """Then the average is vertical (false alarms are free) or horizontal: only misses or only alarms count."""
    no_alarms = rs.AtCosts(false_positive=0, false_negative=1, prevalence=0.2)
    np.testing.assert_array_equal(rs.average(folds, no_alarms).tpr, rs.average(folds, "vertical").tpr)
    no_misses = rs.AtCosts(false_positive=1, false_negative=0, prevalence=0.2)
    np.testing.assert_array_equal(rs.average(folds, no_misses).fpr, rs.average(folds, "horizontal").fpr)


@pytest.mark.parametrize("prevalence", [0, 1, -0.1, 1.5, 20, math.nan, "0.1", None, [0.1, 0.2]])
def test_prevalences_outside_the_open_interval(prevalence):
    refused("RS042", lambda: rs.AtAlarmRate(prevalence=prevalence))
    refused("RS042", lambda: rs.AtCosts(false_positive=1, false_negative=1, prevalence=prevalence))


@pytest.mark.parametrize("at_jumps", ["lower", "middle", "Mid", None, 0.5])
def test_rules_at_jumps(at_jumps):
    for method in (rs.Vertical, rs.Horizontal):
        refused("RS001", lambda method=method: method(at_jumps=at_jumps))


def test_balance_is_yes_or_no():
    refused("RS001", lambda: rs.Pooled(balanced="yes"))


@pytest.mark.parametrize(
    ("method", "meant"),
    [("verticle", "vertical"), ("Vertical", "vertical"), ("treshold", "threshold"), ("pool", "pooled")],
)
def test_near_misses_of_a_method_s_name(folds, method, meant):
    error = refused("RS001", lambda: rs.average(folds, method))
    assert f"method='{meant}'" in str(error)


@pytest.mark.parametrize("method", ["macro", None, 0.5, rs.Vertical, rs.AtAngle, ["vertical"]])
def test_methods_that_are_none(folds, method):
    refused("RS001", lambda: rs.average(folds, method), found=not isinstance(method, type))


# What is averaged


def test_no_curves():
    for nothing in ([], ()):
        for method in METHODS:
            refused("RS082", lambda m=method, x=nothing: rs.average(x, m), kind=DataError)


def test_things_that_hold_no_curves(tmp_path):
    import pandas as pd

    path = tmp_path / "scores.csv"
    frame = pd.DataFrame({"label": [1, 0], "score": [2, 1]})
    for x in (
        frame, str(path), path, PAIRS, (pair for pair in PAIRS), np.zeros((3, 2)), None, 5,
        {"a": PAIRS[0]}, [1, 2], "vertical", [rs.roc_curve(*PAIRS[0]), rs.Scores(*PAIRS[0])],
    ):  # fmt: skip
        for method in ("vertical", "pooled"):
            refused("RS002", lambda x=x, m=method: rs.average(x, m))
    assert "read_scores" in str(refused("RS002", lambda: rs.average(str(path), "vertical")))
    assert "from_frame" in str(refused("RS002", lambda: rs.average(frame, "vertical")))
    assert "from_folds" in str(refused("RS002", lambda: rs.average(PAIRS, "vertical")))


def test_all_groups_undefined():
    score_set = rs.ScoreSet.from_folds([([1, 1], [2, 1]), ([1, 1], [2, 3])], positive=1, design="independent")
    for method in METHODS[:-1]:
        for undefined in ("raise", "drop"):
            refused(
                "RS032", lambda m=method, u=undefined: rs.average(score_set, m, undefined=u), kind=DataError
            )
    refused("RS032", lambda: rs.average(score_set, "pooled"), kind=DataError)
    refused("RS032", lambda: rs.average(score_set, rs.Pooled(balanced=True)), kind=DataError)


def test_groups_of_one_class_each_can_be_pooled_but_not_averaged():
    score_set = rs.ScoreSet.from_folds([([1, 1], [2, 3]), ([0, 0], [1, 2])], positive=1, design="independent")
    pooled = rs.average(score_set, "pooled")
    assert pooled.auc == 3.5 / 4
    assert pooled.members == ("fold 1", "fold 2")
    assert pooled.undefined == ("fold 1: no negatives", "fold 2: no positives")
    assert rs.average(score_set, rs.Pooled(balanced=True)).auc == 3.5 / 4
    assert pooled.fpr.tolist() == [0, 0, 0.5, 1]
    rates = pooled.rates_at(2)
    assert (rates.fpr, rates.tpr) == (0.5, 1)
    assert math.isnan(rates.covariance)
    pooled.band(n_resamples=100)
    assert math.isnan(pooled.at(fpr=0.5).tpr_interval.low)  # one group has all there is of a class
    refused("RS032", lambda: rs.average(score_set, "vertical", undefined="drop"), kind=DataError)


def test_several_models():
    score_set = rs.ScoreSet.from_arrays(
        [1, 0] * 4, [2, 1] * 4, list("aabbaabb"), models=["svm"] * 4 + ["nn"] * 4
    )
    for source in (score_set, rs.roc_curves(score_set)):
        for method in METHODS:
            error = refused("RS044", lambda s=source, m=method: rs.average(s, m))
            assert ".model('svm')" in str(error)
            assert "nn" in error.found
    assert rs.average(score_set.model("nn"), "vertical").auc == 1


def test_curves_of_two_directions():
    up, down = rs.roc_curve([1, 0], [2, 1]), rs.roc_curve([1, 0], [1, 2], higher_is_positive=False)
    refused("RS002", lambda: rs.average([up, down], "vertical"))
    mixed = [rs.Scores([1, 0], [2, 1]), rs.Scores([1, 0], [1, 2], higher_is_positive=False)]
    refused("RS002", lambda: rs.average(mixed, "vertical"), found=False)


@pytest.mark.parametrize("undefined", ["keep", None, True, "Drop"])
def test_what_to_do_about_undefined_groups(folds, undefined):
    for method in ("vertical", "pooled"):
        refused("RS001", lambda m=method: rs.average(folds, m, undefined=undefined))


# Weights


@pytest.mark.parametrize(
    "weights", [[1, 2], [1, 2, 3, 4], 1.0, [[1, 2, 3]], [0, 0, 0], [1, -1, 1], [1, math.nan, 1], [1, math.inf, 1], [1e308] * 3, []]
)  # fmt: skip
def test_weights_that_do_not_match(folds, weights):
    for method in ("vertical", "threshold"):
        refused("RS083", lambda m=method: rs.average(folds, m, group_weights=weights))


def test_weights_by_name_must_name_every_group(folds):
    error = refused("RS083", lambda: rs.average(folds, "vertical", group_weights={"fold 1": 1, "fold 3": 2}))
    assert "fold 2" in error.found


@pytest.mark.parametrize("weights", ["size", "positive", "Positives"])
def test_words_for_weights(folds, weights):
    refused("RS001", lambda: rs.average(folds, "vertical", group_weights=weights))


@pytest.mark.parametrize("weights", [["a", "b", "c"], [None, object(), 1], object()])
def test_weights_that_are_no_numbers(folds, weights):
    refused("RS042", lambda: rs.average(folds, "vertical", group_weights=weights))


def test_pooling_takes_no_weights(folds):
    for method in ("pooled", rs.Pooled(balanced=True)):
        for weights in ("positives", [1, 1, 1]):
            error = refused("RS083", lambda m=method, w=weights: rs.average(folds, m, group_weights=w))
            assert "Pooled(balanced=True)" in str(error)


def test_weights_may_count_the_groups_without_a_curve():
    score_set = rs.ScoreSet.from_folds(
        [([1, 0], [2, 1]), ([1, 1], [2, 1]), ([0, 1], [2, 1])], design="independent"
    )
    for weights in ([1, 5, 3], [1, 3]):
        average = rs.average(score_set, "vertical", group_weights=weights, undefined="drop")
        assert average.weights.tolist() == [0.25, 0.75]
        assert average.auc == 0.25
    named = {"fold 1": 1, "fold 2": 9, "fold 3": 3}
    assert rs.average(score_set, "vertical", group_weights=named, undefined="drop").auc == 0.25


@pytest.mark.parametrize("threads", [-1, 1.5, "two"])
def test_threads(folds, threads):
    for method in ("vertical", "threshold"):
        with pytest.raises(RocsteadyError):
            rs.average(folds, method, threads=threads)


# Readings


@pytest.mark.parametrize("method", METHODS)
def test_a_point_needs_one_place(folds, method):
    average = rs.average(folds, method)
    error = refused("RS002", average.at)
    assert "none of them" in error.found
    error = refused("RS002", lambda: average.at(fpr=0.1, tpr=0.2))
    assert "fpr, tpr" in error.found


@pytest.mark.parametrize(
    "method", ["vertical", "horizontal", "diagonal", rs.AtAngle(0.3), rs.AtAlarmRate(prevalence=0.1)]
)
def test_averages_with_own_thresholds_cannot_be_read_at_one(folds, method):
    error = refused("RS084", lambda: rs.average(folds, method).at(threshold=2.5))
    assert "every fold has its own threshold" in error.found
    assert "run from " in error.found  # the range in use


def test_the_range_of_thresholds_in_use_is_that_of_the_groups():
    """At FPR 0.05 each group keeps its only negative out: the thresholds are its lowest positive above it."""
    score_set = rs.ScoreSet.from_folds(
        [([1, 1, 0], [30, 20, 10]), ([1, 1, 0], [3, 2, 1])], design="independent"
    )
    error = refused("RS084", lambda: rs.average(score_set, "vertical").at(threshold=5))
    assert "from 2 to 20" in error.found


@pytest.mark.parametrize("method", ["vertical", "horizontal"])
def test_averages_that_hold_no_rate_of_alarms(folds, method):
    error = refused("RS084", lambda: rs.average(folds, method).at(rate=0.2))
    assert "AtAlarmRate" in str(error)


def test_costs_are_no_share_called_positive(folds):
    costs = rs.AtCosts(false_positive=1, false_negative=4, prevalence=0.2)
    refused("RS084", lambda: rs.average(folds, costs).at(rate=0.2))


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, "a", [[0.1], [0.2, 0.3]], 1j])
@pytest.mark.parametrize("method", METHODS)
def test_rates_that_are_none(folds, method, value):
    average = rs.average(folds, method)
    for name in ("fpr", "tpr"):
        refused("RS042", lambda name=name: average.at(**{name: value}))
    refused("RS042", lambda: average.tpr_at(value))
    refused("RS042", lambda: average.fpr_at(value))


@pytest.mark.parametrize("position", [-1e-6, 1.5, math.nan, "a", math.inf])
def test_positions_beyond_the_ends(folds, position):
    for method in ("vertical", "diagonal"):
        refused("RS042", lambda m=method: rs.average(folds, m).at_position(position))


def test_positions_a_rounding_error_beyond_the_ends_are_the_ends(folds):
    average = rs.average(folds, rs.AtAngle(0.7))
    length = math.cos(0.7) + math.sin(0.7)
    assert average.at_position(length + 5e-13).fpr == pytest.approx(1, abs=1e-12)
    assert average.at_position(-5e-13).tpr == 0


@pytest.mark.parametrize("threshold", [math.nan, "a", 1j])
def test_thresholds_that_are_none(folds, threshold):
    for method in ("threshold", "pooled"):
        average = rs.average(folds, method)
        refused("RS042", lambda a=average: a.rates_at(threshold))
        refused("RS042", lambda a=average: a.at(threshold=threshold))


@pytest.mark.parametrize("threshold", [[1, 2], "a", math.nan, None])
def test_an_ellipse_is_around_one_threshold(folds, threshold):
    refused("RS042", lambda: rs.average(folds, "threshold").ellipse(threshold))


@pytest.mark.parametrize("rule", ["<=", "=>", None.__class__, ""])
def test_rules_of_the_other_direction(folds, rule):
    refused("RS001", lambda: rs.average(folds, "threshold").rates_at(2, rule))


def test_sides(folds):
    average = rs.average(folds, "vertical")
    refused("RS001", lambda: average.tpr_at(0.1, side="left"))
    refused("RS001", lambda: average.fpr_at(0.1, side="right"))


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"confidence_level": 95}, "RS042"),
        ({"confidence_level": 1}, "RS042"),
        ({"confidence_level": "0.9"}, "RS042"),
        ({"quantile": "z"}, "RS001"),
        ({"quantile": None}, "RS001"),
        ({"scale": "log"}, "RS001"),
    ],
)
def test_how_an_interval_is_wanted(folds, options, code):
    for method in METHODS:
        average = rs.average(folds, method)
        refused(code, lambda a=average: a.at(fpr=0.1, **options))
        refused(code, lambda a=average: a.auc_interval(**options))
        refused(code, lambda a=average: a.band(**options))


@pytest.mark.parametrize("options", [{"n_resamples": 1}, {"n_resamples": 10.5}, {"seed": -1}, {"seed": None}])
def test_how_a_band_is_drawn(folds, options):
    for method in METHODS:
        average = rs.average(folds, method)
        refused("RS042", lambda a=average: a.band(**options))


@pytest.mark.parametrize(
    "fpr", [(0.5, 0.1), (0.1, 0.1), (-0.1, 0.5), (0.1, 1.5), 0.5, (0.1, 0.2, 0.3), "all", None, (2, 50)]
)
def test_ranges_of_bands(folds, fpr):
    for method in METHODS:
        for kind in ("pointwise", "simultaneous"):
            refused("RS042", lambda m=method, k=kind: rs.average(folds, m).band(kind=k, fpr=fpr))


def test_kinds_of_bands(folds):
    error = refused("RS001", lambda: rs.average(folds, "vertical").band(kind="simultanous"))
    assert "kind='simultaneous'" in str(error)


def test_no_prediction_band_under_a_shared_threshold(folds):
    for method in ("threshold", "pooled"):
        error = refused("RS086", lambda m=method: rs.average(folds, m).band(kind="prediction"))
        assert "vertical" in str(error)


@pytest.mark.parametrize("n_points", [1, 0, 2.5, "ten", None])
def test_numbers_of_grid_points(folds, n_points):
    for method in ("vertical", "threshold"):
        refused("RS042", lambda m=method: rs.average(folds, m).grid(n_points))


def test_grids_by_value_need_finite_scores():
    score_set = rs.ScoreSet.from_folds([([1, 0], [math.inf, 1])], design="independent")
    average = rs.average(score_set, "threshold")
    refused("RS085", lambda: average.grid(5, by="value"), kind=DataError)
    assert average.grid(5).fpr[-1] == 1
    refused("RS001", lambda: average.grid(5, by="score"))


def test_expected_costs_only_where_there_are_costs(folds):
    refused("RS084", rs.average(folds, "vertical").expected_cost, found=False)


def test_results_are_not_tuples(folds):
    average = rs.average(folds, "threshold")
    for result in (
        average,
        average.rates_at(2),
        average.ellipse(2),
        average.grid(3),
        average.band(n_resamples=100),
    ):
        with pytest.raises(TypeError, match="by name"):
            iter(result)


def test_methods_are_values():
    assert rs.Vertical() == "vertical" == str(rs.Vertical())
    assert rs.Vertical(at_jumps="mid") != rs.Vertical()
    assert rs.AtAngle(0.5) == rs.AtAngle(0.5)
    assert len({rs.AtAngle(0.5), rs.AtAngle(0.5), rs.AtAngle(0.6), Diagonal(), Diagonal()}) == 3
    assert Threshold() != Diagonal()
    with pytest.raises(AttributeError):
        rs.AtAngle(0.5).angle = 1
    assert repr(rs.AtAlarmRate(prevalence=0.1)) == "AtAlarmRate(prevalence=0.1)"
    assert repr(rs.Pooled(balanced=True)) == "Pooled(balanced=True)"
