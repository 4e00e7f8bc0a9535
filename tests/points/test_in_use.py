"""Operating points in use: new rows are decided as the rows that chose the point were, from a file too."""

from __future__ import annotations

import json
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from class_problems import small_problems
from rocsteady.errors import ColumnError, DataError, FileError, UsageError
from rocsteady.points.in_use import OperatingPoint

CLASSES = ("cat", "dog", "eel")


def again(point: OperatingPoint, folder) -> OperatingPoint:
    point.save(folder / "point.json")
    return rs.open_operating_point(folder / "point.json")


@pytest.fixture
def folds() -> rs.ScoreSet:
    rng = np.random.default_rng(2)
    labels = np.tile([0, 1], 100)
    return rs.ScoreSet.from_arrays(
        labels, rng.normal(size=200).round(1) + labels, np.repeat(np.arange(10), 20)
    )


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("criterion", ["youden", "mcc", rs.TargetRate(fpr=0.1), rs.TargetRate(tpr=0.9), 0.4])
def test_a_cutoff_decides_as_its_table_counts(tmp_path, higher, criterion):
    rng = np.random.default_rng(3)
    labels = rng.random(300) < 0.4
    scores = (rng.normal(size=300) + labels).round(1) * (1 if higher else -1)
    chosen = rs.choose_cutoff(rs.roc_curve(labels, scores, higher_is_positive=higher), criterion)
    for point in (rs.operating_point(chosen), again(rs.operating_point(chosen), tmp_path)):
        called = point.decide(scores)
        table = chosen.two_by_two()
        assert called.dtype == bool
        assert (int((called & labels).sum()), int((called & ~labels).sum())) == (table.tp, table.fp)


def test_the_threshold_of_a_corrected_cutoff_is_the_same(folds):
    chosen = rs.choose_cutoff(rs.roc_curves(folds)[0], "youden")
    assert rs.operating_point(chosen.corrected()).threshold == chosen.threshold


@pytest.mark.parametrize("rule", [">=", ">"])
def test_a_point_of_a_table_decides_every_fold_as_it_did(folds, rule):
    table = rs.average_operating_points(folds, thresholds=30, rule=rule)
    chosen = rs.choose_cutoff(table, "mcc")
    point = rs.operating_point(chosen)
    assert (point.threshold, point.rule) == (chosen.threshold, rule)
    called = point.decide(folds.columns.scores).sum()
    assert called == table.confusion_matrix(chosen.index).column_totals[1]


@pytest.mark.filterwarnings("ignore:RS250")
@settings(max_examples=30)
@given(small_problems(), st.integers(0, 9))
def test_weights_decide_as_the_search_counts(scores, seed):
    found = rs.search_class_weights(scores, n_start=20, n_steps=1, keep=5, seed=seed)
    table = rs.average_multiclass_points(scores, found, undefined="drop")
    for chosen in (found, found.best, rs.choose_cutoff(table, "accuracy")):
        point = rs.operating_point(chosen)
        index = getattr(chosen, "index", 0)
        decided = point.decide(scores)
        names = np.array(scores.classes)
        wrong = [(decided[scores.label_index == c] != names[c]).sum() for c in range(len(names))]
        matrix = table.confusion_matrix(index)
        assert wrong == (matrix.row_totals - np.diag(matrix.counts)).tolist()


@pytest.mark.parametrize("classes", [CLASSES, (2, 3, 5), (0.5, 1.5, 2.5), (True, "yes", 3)])
def test_a_file_keeps_every_digit_and_every_type(tmp_path, classes):
    weights = [0.1 + 0.2, 1e-100, 7 / 3]
    point = again(rs.operating_point(weights, classes=classes), tmp_path)
    assert point.class_weights.tolist() == weights
    assert [(own, type(own)) for own in point.classes] == [(own, type(own)) for own in classes]
    assert point.decide([[1, 0, 0], [0, 1, 0], [0, 0, 1]]).tolist() == list(classes)
    for threshold in (0.1 + 0.2, float("inf"), -float("inf"), 5e-324, 3):
        assert again(rs.operating_point(threshold, rule="<"), tmp_path).threshold == threshold


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, dict])
def test_columns_of_a_table_are_found_by_name(frame):
    point = rs.operating_point([1, 1, 1], classes=CLASSES)
    table = frame({"eel": [0.1, 0.7], "id": [7, 8], "cat": [0.6, 0.1], "dog": [0.3, 0.2]})
    assert point.decide(table).tolist() == ["cat", "eel"]
    table = frame({"p_eel": [0.1, 0.7], "id": [7, 8], "p_cat": [0.6, 0.1], "p_dog": [0.3, 0.2]})
    assert point.decide(table, outputs="p_*").tolist() == ["cat", "eel"]
    named = {"cat": "p_cat", "dog": "p_dog", "eel": "p_eel"}
    assert point.decide(table, outputs=named).tolist() == ["cat", "eel"]
    with pytest.raises(ColumnError, match='"cat"'):
        point.decide(table)
    with pytest.raises(ColumnError, match="RS011"):
        rs.operating_point([1, 1, 1, 1], classes=(*CLASSES, "fox")).decide(table, outputs="p_*")


def test_what_is_missing_is_not_decided():
    with pytest.raises(DataError, match="RS031"):
        rs.operating_point(0.5).decide([0.2, np.nan])
    weights = rs.operating_point([1, 1], classes="ab")
    for new in ([[0.2, np.nan]], {"a": [0.2], "b": [np.nan]}):
        with pytest.raises(DataError, match="RS031"):
            weights.decide(new)
    with pytest.raises(DataError, match="RS033"):
        rs.operating_point(0.5).decide(["high"])
    with pytest.raises(UsageError, match="RS077"):
        weights.decide([[0.2, 0.3, 0.5]])


@pytest.mark.parametrize("chosen", [None, "youden", True, object(), rs.TargetRate(fpr=0.1)])
def test_what_is_no_operating_point_is_refused(chosen):
    with pytest.raises(UsageError, match="RS002"):
        rs.operating_point(chosen)


def test_points_of_a_function_are_no_operating_points(folds):
    given = rs.average_operating_points(folds, points=[0.3, 0.5], decide=lambda s, p: s >= np.quantile(s, p))
    with pytest.raises(UsageError, match="RS002"):
        rs.operating_point(rs.choose_cutoff(given, "mcc"))
    with pytest.raises(UsageError, match="RS077"):
        rs.operating_point([1, 2, 3], classes="ab")
    with pytest.raises(UsageError, match=r"RS00\d"):
        rs.operating_point(0.5, rule="=")


@pytest.mark.parametrize(
    "content",
    [
        "", "{", "[]", "3", "{}", '{"operating_point": 2, "threshold": 1, "rule": ">="}',
        '{"operating_point": 1}', '{"operating_point": 1, "threshold": "x", "rule": ">="}',
        '{"operating_point": 1, "threshold": 1, "rule": "="}',
        '{"operating_point": 1, "classes": ["a"], "class_weights": [1, 2]}',
        '{"operating_point": 1, "classes": ["a", "b"], "class_weights": [1, -2]}', "\x1b[2J",
    ],
)  # fmt: skip
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "point.json"
    path.write_text(content)
    with pytest.raises(FileError, match="RS053") as caught:
        rs.open_operating_point(path)
    assert "\x1b" not in str(caught.value)


def test_files_that_cannot_be_read_or_written(tmp_path):
    with pytest.raises(FileError, match="RS053"):
        rs.open_operating_point(tmp_path / "none.json")
    point = rs.operating_point([1, 2], classes=[date(2020, 1, 1), date(2021, 1, 1)])
    with pytest.raises(FileError, match="RS055"):
        point.save(tmp_path / "point.json")
    with pytest.raises(FileError, match="RS055"):
        rs.operating_point(1).save(tmp_path / "none" / "point.json")
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_plain_json(tmp_path):
    again(rs.operating_point(np.inf), tmp_path)
    facts = json.loads((tmp_path / "point.json").read_text())
    assert facts == {"operating_point": 1, "threshold": "inf", "rule": ">="}
