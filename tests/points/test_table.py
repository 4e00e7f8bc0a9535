"""The table itself: finding points, pairs of measures, frames, plain data."""

import json
import math

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.arrays import over_folds
from rocsteady.errors import UsageError
from rocsteady.points.measures import MulticlassConfusion
from rocsteady.points.tables import OperatingPointTable


@pytest.fixture
def table():
    folds = rs.ScoreSet.from_folds(
        [(["sick", "well", "sick", "well"], [4, 3, 2, 1]), (["sick", "sick", "well", "well"], [4, 3, 2, 1])],
        positive="sick",
        design="independent",
    )
    return rs.average_operating_points(folds)


@pytest.fixture
def weights():
    return np.array([[1, 1, 1], [2, 1, 1], [1, 2, 1.0]]) / 4


@pytest.fixture
def several(weights):
    counts = np.random.default_rng(0).integers(1, 5, size=(4, 3, 3, 3))
    confusion = MulticlassConfusion(("a", "b", "c"), counts)
    return OperatingPointTable(confusion, points=tuple(weights), folds=tuple("wxyz"), class_weights=weights)


def test_the_nearest_point(table):
    assert table.measure("tpr").mean.tolist() == [0, 0.5, 0.75, 1, 1]
    assert table.nearest(tpr=0.9) == 3
    assert table.nearest(tpr=1) == 3  # of several the strictest
    assert table.nearest(fpr=0) == 0
    assert table.nearest(precision=1) == 1  # undefined means are never nearest
    assert table.nearest(tpr=0.625) == 1


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ({}, "RS002"),
        ({"tpr": 1, "fpr": 0}, "RS002"),
        ({"tprr": 1}, "RS001"),
        ({"tpr": "x"}, "RS042"),
        ({"tpr": [1, 2]}, "RS042"),
        ({"class_error": 0.1}, "RS042"),
        ({"tpr": math.nan}, "RS042"),
    ],
)
def test_targets_that_cannot_be_found(table, target, code):
    with pytest.raises(UsageError) as caught:
        table.nearest(**target)
    assert caught.value.code == code


def test_two_measures_with_their_errors(table):
    pair = table.between("recall", "precision")
    assert (pair.x.name, pair.y.name) == ("recall", "precision")
    np.testing.assert_array_equal(pair.x.mean, table.measure("tpr").mean)
    np.testing.assert_array_equal(pair.y.standard_error, table.measure("precision").standard_error)
    values = [table.measure(name).per_fold[:, 2] for name in ("tpr", "precision")]
    assert pair.covariance[2] == pytest.approx(np.cov(values)[0, 1])
    assert math.isnan(pair.covariance[0])
    assert len(pair.to_frame()) == 5
    costs = table.between(rs.Cost(false_positive=1, false_negative=9), lambda c: c.tp - c.fp)
    assert costs.x.name == "cost (1 : 9)"
    assert not costs.x.is_share
    assert table.measure("fpr").is_share
    with pytest.raises(UsageError, match="each class"):
        table.between("fpr", "class_error")


def test_an_interval_of_every_mean_is_student_s(several):
    measure = several.measure("class_error")
    found = measure.interval(0.9, scale="linear")
    half = 2.353363 * measure.standard_error  # t with 3 degrees of freedom
    np.testing.assert_allclose(found.low, measure.mean - half, rtol=1e-6)
    np.testing.assert_allclose(found.high, measure.mean + half, rtol=1e-6)
    assert (found.confidence_level, found.method) == (0.9, "t")


def test_intervals_of_shares_are_made_on_the_logit_scale(several):
    measure = several.measure("class_error")
    found, plain = measure.interval(0.9), measure.interval(0.9, scale="linear")
    is_inside = (measure.mean > 0) & (measure.mean < 1) & (measure.standard_error > 0)
    assert is_inside.any()
    assert (found.low[is_inside] > 0).all()
    assert (found.high[is_inside] < 1).all()
    width = np.log(found.high / (1 - found.high)) - np.log(found.low / (1 - found.low))
    slope = measure.mean * (1 - measure.mean)
    np.testing.assert_allclose((width * slope)[is_inside], (plain.high - plain.low)[is_inside], rtol=1e-9)
    assert found.method == "logit t"


def test_an_interval_knows_in_how_many_folds_a_measure_is_defined(table):
    precision = table.measure("precision")
    found = precision.interval(scale="linear")
    assert math.isnan(found.low[0])  # in none
    assert found.high[2] - precision.mean[2] == pytest.approx(12.7062 * precision.standard_error[2], rel=1e-5)


def test_the_region_of_two_measures_is_that_of_the_threshold_average():
    rng = np.random.default_rng(0)
    labels, hosts = np.tile([0, 1], 60), np.repeat(np.arange(6), 20)
    scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=120) + labels, hosts)
    table = rs.average_operating_points(scores, thresholds=9)
    average = rs.average(scores, "threshold")
    for place in (2, 5, -3):
        found = table.between().ellipse(place, 0.8)
        expected = average.ellipse(table.thresholds[place], 0.8)
        np.testing.assert_allclose([found.x, found.y], [expected.fpr, expected.tpr], atol=1e-12)
        np.testing.assert_allclose(found.center, expected.center)
    swapped = table.between("tpr", "fpr").ellipse(2, 0.8)
    assert swapped.x.max() == pytest.approx(table.between().ellipse(2, 0.8).y.max())


def test_a_region_needs_three_folds_and_a_point(table):
    pair = table.between("recall", "precision")
    assert np.isnan(pair.ellipse(2).x).all()
    np.testing.assert_allclose(pair.ellipse(2).center, [pair.x.mean[2], pair.y.mean[2]])
    assert np.isnan(pair.ellipse(0).center).all()  # precision is defined in no fold
    for wrong in (5, 1.5, "tpr", True):
        with pytest.raises(UsageError, match="RS042"):
            pair.ellipse(wrong)
    with pytest.raises(UsageError, match="RS042"):
        pair.ellipse(2, 95)
    assert (
        repr(pair.ellipse(2))
        == "MeasureEllipse(around recall 0.7500, precision 0.7500, confidence level 0.95)"
    )


def test_covariance_leaves_out_folds_where_one_is_undefined():
    folds = rs.ScoreSet.from_folds(
        [([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 0, 1, 0], [1, 4, 2, 1]), ([1, 0, 1, 0], [2, 2, 1, 1])],
        design="independent",
    )
    table = rs.average_operating_points(folds, thresholds=[3.0])
    pair = table.between("accuracy", "precision")
    assert pair.n_defined.tolist() == [2]
    values = [table.measure(name).per_fold[:2, 0] for name in ("accuracy", "precision")]
    assert pair.covariance[0] == pytest.approx(np.cov(values)[0, 1])


def test_frames(table, several):
    frame = table.to_frame()
    assert list(frame.columns) == ["threshold", "fpr", "fpr standard error", "tpr", "tpr standard error"]
    assert frame["tpr"].tolist() == [0, 0.5, 0.75, 1, 1]
    named = table.to_frame("accuracy", rs.Cost(false_positive=1, false_negative=2))
    assert list(named.columns)[1::2] == ["accuracy", "cost (1 : 2)"]
    own = table.to_frame(lambda c: c.tp, lambda c: c.fp, "class_error", "class_error")
    assert len(own.columns) == 1 + 2 * 2 + 2 * 4
    assert own["<lambda> 2"].tolist() == table.confusion.fp.mean(axis=0).tolist()
    frame = several.to_frame()
    assert list(frame.columns)[:4] == ["weight a", "weight b", "weight c", "class_error a"]
    assert len(several.measure("class_error").to_frame()) == 3
    assert len(table.measure("fpr").to_frame()) == 5


def test_plain_data(table, several):
    data = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    assert data["thresholds"] == ["inf", 4.0, 3.0, 2.0, 1.0]
    assert data["rule"] == ">="
    assert data["classes"] == ["well", "sick"]
    assert data["tpr"]["mean"] == [0, 0.5, 0.75, 1, 1]
    data = json.loads(json.dumps(several.to_dict(), allow_nan=False))
    assert data["class_weights"][1] == data["points"][1] == [0.5, 0.25, 0.25]
    numbered = OperatingPointTable(
        MulticlassConfusion((0, 1, 2), several.confusion.matrix), points=several.points, folds=several.folds
    )
    assert numbered.classes == (0, 1, 2)
    assert json.loads(json.dumps(numbered.to_dict(), allow_nan=False))["classes"] == [0, 1, 2]
    compared = numbered.compare_to(0, "class_error")
    assert compared.measures == ("class_error 0", "class_error 1", "class_error 2")
    assert set(compared.cases_to_separate(1).cases) <= {"0", "1", "2"}
    anything = OperatingPointTable(
        several.confusion, points=(object(), (np.int64(3), math.nan), None), folds=several.folds
    )
    json.dumps(anything.to_dict(), allow_nan=False)
    json.dumps(table.measure("precision").to_dict(), allow_nan=False)
    json.dumps(table.between().to_dict(), allow_nan=False)


def test_one_line_each(table, several):
    assert repr(table) == "OperatingPointTable(5 points, 2 folds, 2 classes)"
    assert repr(several) == "OperatingPointTable(3 points, 4 folds, 3 classes)"
    assert repr(several.measure("class_error")) == "PointMeasure(class_error: 3 points × 3 classes, 4 folds)"
    assert repr(table.confusion.one(0, 1)) == "TwoClassConfusion(one matrix, 2 classes)"
    for result in (table, table.measure("fpr"), table.between()):
        with pytest.raises(TypeError, match="not a tuple"):
            iter(result)


def test_results_do_not_change(table):
    for array in (
        table.thresholds,
        table.confusion.tp,
        table.measure("fpr").mean,
        table.measure("fpr").per_fold,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_given_thresholds_are_the_caller_s_to_change():
    at = np.array([1.0, 2.0])
    folds = rs.ScoreSet.from_folds([([1, 0], [2, 1])], design="independent")
    table = rs.average_operating_points(folds, thresholds=at)
    at[0] = 99
    assert table.thresholds.tolist() == [1, 2]


def test_alike_values_have_exactly_their_mean_and_no_spread():
    mean, sd, n = over_folds(np.full((7, 3), 0.1))
    assert (mean.tolist(), sd.tolist(), n.tolist()) == ([0.1] * 3, [0.0] * 3, [7] * 3)


@pytest.mark.parametrize("value", [np.nan, np.inf, 5, -0.1])
def test_nearest_wants_a_number_that_the_measure_can_have(value):
    folds = rs.ScoreSet.from_folds(
        [([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])], design="independent"
    )
    with pytest.raises(rs.RocsteadyError, match="RS042: tpr must be between 0 and 1"):
        rs.average_operating_points(folds).nearest(tpr=value)


def test_nearest_by_threshold():
    folds = rs.ScoreSet.from_folds(
        [([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])], design="independent"
    )
    table = rs.average_operating_points(folds)
    assert [table.nearest(threshold=t) for t in (np.inf, 9, 3.2, -7)] == [0, 1, 2, 4]
    with pytest.raises(rs.RocsteadyError, match="RS042"):
        table.nearest(threshold="x")


@pytest.mark.parametrize("weights", [[1, 1, 1], [1, 2, 3]])
def test_errors_of_classes_that_are_alike_in_all_folds_have_intervals_of_their_cases(weights):
    labels, folds = np.repeat([0, 1, 2], [50, 100, 150]), np.arange(300) % 5
    outputs = np.full((300, 3), 0.1)
    outputs[np.arange(300), labels] = 0.8
    table = rs.average_multiclass_points(rs.MulticlassScores(labels, outputs, folds=folds), weights)
    errors, recall = table.measure("class_error").interval(), table.measure("class_recall").interval()
    assert errors.low.tolist() == [[0, 0, 0]]
    assert recall.high.tolist() == [[1, 1, 1]]
    assert 0.3 > errors.high[0, 0] > errors.high[0, 1] > errors.high[0, 2] > 0.01
    np.testing.assert_allclose(1 - recall.low, errors.high)


def test_errors_of_two_classes_have_the_limits_of_their_rates():
    folds = rs.ScoreSet.from_folds([([1, 1, 0, 0, 0] * 4, list(range(20)))] * 3)
    table = rs.average_operating_points(folds)
    both = table.measure("class_error").interval()
    for c, name in enumerate(("fpr", "fnr")):
        own = table.measure(name).interval()
        np.testing.assert_array_equal(both.low[:, c], own.low)
        np.testing.assert_array_equal(both.high[:, c], own.high)
