"""CurveSet: many curves in flat arrays."""

import json

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import UsageError


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


def test_columns_agree_with_the_single_curves(curves):
    assert curves.n_positives.tolist() == [curve.n_positives for curve in curves]
    assert curves.n_negatives.tolist() == [curve.n_negatives for curve in curves]
    for method in ("delong", "nonparametric", "hanley-mcneil"):
        single = [curve.auc_standard_error(method) for curve in curves]
        np.testing.assert_allclose(curves.auc_standard_error(method), single, rtol=1e-14)
        limits = [
            (curve.auc_interval(method=method).low, curve.auc_interval(method=method).high)
            for curve in curves
        ]
        interval = curves.auc_interval(method=method)
        np.testing.assert_allclose(np.column_stack([interval.low, interval.high]), limits, rtol=1e-13)
    with pytest.raises(UsageError, match="RS001"):
        curves.auc_interval(method="bootstrap")


def test_one_row_per_curve(curves):
    pytest.importorskip("pandas")
    frame = curves.to_frame()
    assert list(frame.columns) == [
        "name",
        "n_positives",
        "n_negatives",
        "n_thresholds",
        "auc",
        "auc_standard_error",
    ]
    assert len(frame) == 5


def test_plain_data(curves):
    plain = json.loads(json.dumps(curves.to_dict(), allow_nan=False))
    assert plain["unit"] == "host"
    assert [curve["name"] for curve in plain["curves"]] == list(curves.names)


def test_one_line_when_printed(curves):
    assert repr(curves) == f"CurveSet(5 hosts, mean AUC {curves.auc.mean():.3f})"


def test_weighted_curves_remember_their_rows():
    folds = [([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 1, 3, 1])]
    weights = [[1.0, 2.0, 3.0, 4.0], [0.5, 1.0, 1.0, 2.0]]
    curves = rs.roc_curves(rs.ScoreSet.from_folds(folds, sample_weight=weights))
    assert curves.is_weighted
    for curve, fold, weight in zip(curves, folds, weights, strict=True):
        alone = rs.roc_curve(*fold, sample_weight=weight)
        assert curve.auc == alone.auc
        a, b = curve.auc_interval(method="bootstrap"), alone.auc_interval(method="bootstrap")
        assert (a.low, a.high) == (b.low, b.high)
    assert curves.auc.tolist() == [curve.auc for curve in curves]
    for refused in (curves.auc_standard_error, curves.auc_interval):
        with pytest.raises(UsageError, match="RS038"):
            refused()


def test_perfect_and_tiny_folds_are_answered_and_noted():
    folds = [([1, 1, 0, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 0, 0], [2, 3, 1])]
    curves = rs.roc_curves(rs.ScoreSet.from_folds(folds))
    with pytest.warns(UserWarning, match="RS15[13]") as caught:
        interval = curves.auc_interval()
    assert sorted(w.message.code for w in caught) == ["RS151", "RS153"]
    assert interval.low[0] == pytest.approx(0.05**0.5)
    assert interval.high[0] == 1
    assert 0 < interval.low[1] < 0.75 < interval.high[1] < 1
    assert np.isnan(interval.low[2])
    with pytest.warns(UserWarning, match="RS153"):
        assert np.isnan(curves.auc_standard_error()).tolist() == [False, False, True]


def test_several_models_stay_apart():
    both = rs.ScoreSet.from_arrays([1, 0, 1, 0], [3, 1, 2, 5], ["a"] * 4, models=["x", "x", "y", "y"])
    curves = rs.roc_curves(both)
    assert curves.names == ("x / a", "y / a")
    assert curves.models == ("x", "y")
    assert curves.auc.tolist() == [1, 0]


def test_undefined_must_be_a_known_word(curves):
    with pytest.raises(UsageError, match="RS001"):
        rs.roc_curves(rs.ScoreSet.from_folds([([1, 0], [1, 2])]), undefined="skip")
