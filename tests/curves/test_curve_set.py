"""CurveSet: many curves in flat arrays."""

import json

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import DataError, UsageError

NUMBERS = ["n_positives", "n_negatives", "auc", "standard_error", "low", "high"]


@pytest.fixture
def curves():
    rng = np.random.default_rng(2)
    n = 300
    labels, groups = rng.random(n) < 0.4, rng.integers(0, 5, n)
    scores = np.round(rng.normal(size=n) + labels, 1)
    return rs.roc_curves(rs.ScoreSet.from_arrays(labels, scores, [f"host-{g}" for g in groups], unit="host"))


def test_a_sequence_of_views(curves):
    assert len(curves) == len(list(curves)) == 5
    first = curves[0]
    assert np.shares_memory(first.true_positives, curves.table.true_positives)
    assert curves[-1].name == curves.names[-1]
    assert curves[curves.names[2]].auc == curves[2].auc
    assert [curve.name for curve in curves[1:3]] == list(curves.names[1:3])
    with pytest.raises(IndexError):
        curves[5]
    with pytest.raises(UsageError, match=r"RS001.*host-9"):
        curves["host-9"]


@pytest.mark.filterwarnings("ignore:RS155")
def test_columns_agree_with_the_single_curves(curves):
    assert curves.n_positives.tolist() == [curve.n_positives for curve in curves]
    assert curves.n_negatives.tolist() == [curve.n_negatives for curve in curves]
    for method in ("delong", "nonparametric", "hanley-mcneil"):
        single = [curve.auc_standard_error(method) for curve in curves]
        np.testing.assert_allclose(curves.auc_standard_error(method), single, rtol=1e-14)
    for method in ("guarded", "logit", "delong"):
        limits = [
            (curve.auc_interval(method=method).low, curve.auc_interval(method=method).high)
            for curve in curves
        ]
        interval = curves.auc_interval(method=method)
        np.testing.assert_allclose(np.column_stack([interval.low, interval.high]), limits, rtol=1e-13)
    with pytest.raises(UsageError, match="RS001"):
        curves.auc_interval(method="bootstrap")


def test_one_row_per_curve(curves):
    frame = curves.to_frame()
    assert list(frame.columns) == ["host", *NUMBERS]
    assert frame["host"].tolist() == list(curves.names)
    np.testing.assert_array_equal(frame["auc"], curves.auc)
    np.testing.assert_array_equal(frame["standard_error"], curves.auc_standard_error())
    interval = curves.auc_interval()
    np.testing.assert_array_equal(frame[["low", "high"]], np.column_stack([interval.low, interval.high]))


def test_a_table_of_awkward_curves_is_quiet():
    folds = [([1, 1, 0, 0], [4, 3, 2, 1]), ([1, 0, 0], [2, 3, 1])]
    frame = rs.roc_curves(
        rs.ScoreSet.from_folds(folds, design="independent")
    ).to_frame()  # a warning would be an error here
    assert frame["low"][0] == pytest.approx(0.05**0.5)
    assert frame["high"][0] == 1
    assert np.isnan(frame["standard_error"][1])
    assert frame["low"][1] < 0.001 < 0.999 < frame["high"][1]  # one positive says next to nothing
    weighted = rs.roc_curves(
        rs.ScoreSet.from_folds(folds[:1], sample_weight=[[1, 2, 3, 4]], design="independent")
    ).to_frame()
    assert list(weighted.columns) == ["fold", *NUMBERS]
    assert weighted[["standard_error", "low", "high"]].isna().all(axis=None)


@pytest.mark.parametrize(("unit", "heading"), [("fold", "fold"), ("auc", "group"), ("model", "group")])
def test_the_word_for_a_group_never_hides_a_number(unit, heading):
    curves = rs.roc_curves(rs.ScoreSet.from_folds([([1, 0], [2, 1])], unit=unit, design="independent"))
    assert list(curves.to_frame().columns) == [heading, *NUMBERS]


def test_plain_data(curves):
    plain = json.loads(json.dumps(curves.to_dict(), allow_nan=False))
    assert plain["unit"] == "host"
    assert [curve["name"] for curve in plain["curves"]] == list(curves.names)


def test_one_line_when_printed(curves):
    assert repr(curves) == f"CurveSet(5 hosts, mean AUC {curves.auc.mean():.3f})"


def test_weighted_curves_remember_their_rows():
    folds = [([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 1, 3, 1])]
    weights = [[1.0, 2.0, 3.0, 4.0], [0.5, 1.0, 1.0, 2.0]]
    curves = rs.roc_curves(rs.ScoreSet.from_folds(folds, sample_weight=weights, design="independent"))
    assert curves.is_weighted
    for curve, fold, weight in zip(curves, folds, weights, strict=True):
        alone = rs.roc_curve(*fold, sample_weight=weight)
        assert curve.auc == alone.auc
        a, b = curve.auc_interval(method="bootstrap"), alone.auc_interval(method="bootstrap")
        assert (a.low, a.high) == (b.low, b.high)
    assert curves.auc.tolist() == [curve.auc for curve in curves]
    with_gap = rs.ScoreSet.from_folds(
        [([0, 0], [1, 2]), *folds], sample_weight=[[1, 1], *weights], design="independent"
    )
    later = rs.roc_curves(with_gap, undefined="drop")[1].auc_interval(method="bootstrap")
    assert (later.low, later.high) == (b.low, b.high)  # of its own rows, not of those before it
    for refused in (curves.auc_standard_error, curves.auc_interval):
        with pytest.raises(UsageError, match="RS038"):
            refused()


def test_perfect_and_tiny_folds_are_answered_and_noted():
    folds = [([1, 1, 0, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 0, 0], [2, 3, 1])]
    curves = rs.roc_curves(rs.ScoreSet.from_folds(folds, design="independent"))
    with pytest.warns(UserWarning, match="RS15[13]") as caught:
        interval = curves.auc_interval()
    assert sorted(w.message.code for w in caught) == ["RS151", "RS153"]
    assert interval.low[0] == pytest.approx(0.05**0.5)
    assert interval.high[0] == 1
    assert 0 < interval.low[1] < 0.75 < interval.high[1] < 1
    assert interval.low[2] < 0.001 < 0.999 < interval.high[2]
    with pytest.warns(UserWarning, match="RS15[13]"):
        assert np.isnan(curves.auc_interval(method="logit").low[2])
    with pytest.warns(UserWarning, match="RS153"):
        assert np.isnan(curves.auc_standard_error()).tolist() == [False, False, True]


def test_several_models_stay_apart():
    both = rs.ScoreSet.from_arrays([1, 0, 1, 0], [3, 1, 2, 5], ["a"] * 4, models=["x", "x", "y", "y"])
    curves = rs.roc_curves(both)
    assert curves.names == ("x / a", "y / a")
    assert curves.models == ("x", "y")
    assert curves.auc.tolist() == [1, 0]


@pytest.fixture
def models():
    """Three groups, of which c has no curve, scored by two models that disagree."""
    labels = [1, 0, 1, 0, 0, 0] * 2
    groups = ["a", "a", "b", "b", "c", "c"] * 2
    scores = [4, 3, 2, 1, 1, 1, 1, 2, 3, 4, 1, 1]
    return rs.ScoreSet.from_arrays(labels, scores, groups, models=["lr"] * 6 + ["rf"] * 6, unit="fold")


def test_several_models_are_never_averaged_into_one(models):
    curves = rs.roc_curves(models, undefined="drop")
    assert repr(curves) == "CurveSet(2 models x 2 folds, 2 curves undefined, mean AUC lr 1.000, rf 0.000)"
    assert repr(rs.roc_curves(models.model("rf"), undefined="drop")) == (
        "CurveSet(2 folds, 1 without a curve, mean AUC 0.000)"
    )
    many = rs.ScoreSet.from_arrays([1, 0] * 6, [3, 1] * 5 + [2, 1], models=np.repeat([*"abcdef"], 2))
    assert repr(rs.roc_curves(many)).endswith("a 1.000, b 1.000, c 1.000, d 1.000, ...)")


def test_a_model_without_some_group_is_no_rectangle():
    part = rs.ScoreSet.from_arrays([1, 0] * 3, [2, 1] * 3, ["a", "a", "b", "b", "a", "a"], models=[*"xxxxyy"])
    assert repr(rs.roc_curves(part)) == "CurveSet(3 curves, 2 models, 2 groups, mean AUC x 1.000, y 1.000)"


def test_a_curve_is_found_by_model_and_group(models):
    curves = rs.roc_curves(models, undefined="drop")
    assert curves["rf", "b"].name == "rf / b" == curves["rf / b"].name
    assert curves["lr", "a"].auc == 1
    with pytest.raises(UsageError, match='RS001: there is no curve "rf / d"'):
        curves["rf", "d"]
    with pytest.raises(KeyError, match='RS001: "rf / c" has no curve'):
        curves["rf", "c"]
    one = rs.roc_curves(models.model("lr"), undefined="drop")
    assert one["lr", "b"].name == one["b"].name == "b"


def test_models_have_a_column_where_there_are_several(models):
    frame = rs.roc_curves(models, undefined="drop").to_frame()
    assert list(frame.columns) == ["model", "fold", *NUMBERS]
    assert frame["model"].tolist() == ["lr", "lr", "rf", "rf"]
    assert frame["fold"].tolist() == ["a", "b", "a", "b"]
    one = rs.roc_curves(models.model("lr"), undefined="drop").to_frame()
    assert list(one.columns) == ["fold", *NUMBERS]


def test_missing_curves_are_counted_as_what_they_are(models):
    def problem(score_set):
        with pytest.raises(DataError, match="RS036") as caught:
            rs.roc_curves(score_set)
        return caught.value.problem

    assert problem(models) == "2 of 6 curves (2 models, 3 folds) cannot be drawn: one class only."
    assert problem(models.model("lr")) == "1 of 3 folds has no curve."


def test_no_curve_at_all_says_what_to_try():
    apart = rs.ScoreSet.from_arrays(["y", "n"], [1, 2], ["a", "b"], positive="y", unit="site")
    with pytest.raises(DataError, match="RS032: no site has both classes") as caught:
        rs.roc_curves(apart, undefined="drop")
    assert "a: no negatives; b: no positives" in str(caught.value)
    assert "positive: y (1 row), negative: n (1 row)" in str(caught.value)
    assert [line.strip()[:3] for line in caught.value.lines(shell=True)].count("-> ") == 2
    with pytest.raises(DataError, match="RS032: there are no negatives") as caught:
        rs.roc_curves(rs.ScoreSet.from_arrays([1, 1], [1, 2], positive=1))
    assert "group" not in caught.value.problem
    assert caught.value.remedies


def test_undefined_must_be_a_known_word(curves):
    with pytest.raises(UsageError, match="RS001"):
        rs.roc_curves(rs.ScoreSet.from_folds([([1, 0], [1, 2])], design="independent"), undefined="skip")


def test_no_curve_at_all_is_a_set_of_none() -> None:
    """Pooled rows have a curve also where no group has both classes; those of groups crashed when printed."""
    folds = rs.ScoreSet.from_folds([([1], [3]), ([0], [2])], design="independent")
    curves = rs.average(folds, "pooled").curves
    assert repr(curves) == "CurveSet(0 folds, 2 without a curve)"
    assert curves.auc.tolist() == curves.auc_standard_error().tolist() == []
    assert curves.to_frame().empty
