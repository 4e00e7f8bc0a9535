"""MulticlassScores: outputs of several classes, checked and kept."""

from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import ColumnError, DataError, LabelError, UsageError
from rocsteady.scores import MulticlassScores


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2)), min_size=1, max_size=20))
def test_rows_keep_their_class_and_fold(rows):
    labels, folds = (list(column) for column in zip(*rows, strict=True))
    outputs = np.arange(3.0 * len(rows)).reshape(-1, 3)
    scores = MulticlassScores(labels, outputs, folds=folds, classes=["c", "a", "b"])
    assert [scores.classes[i] for i in scores.label_index] == labels
    assert [scores.folds[i] for i in scores.fold_index] == list(map(str, folds))
    assert scores.outputs.tolist() == outputs.tolist()
    for f, fold in enumerate(scores.folds):
        for c, name in enumerate(scores.classes):
            assert scores.class_counts[f, c] == sum((x, str(g)) == (name, fold) for x, g in rows)


def test_classes_are_the_sorted_labels_or_the_names_of_the_columns():
    assert MulticlassScores(["b", "a"], np.eye(2)).classes == ("a", "b")
    assert MulticlassScores([10, 2], np.eye(2)).classes == (2, 10)
    for frame in (pd.DataFrame, pl.DataFrame):
        scores = MulticlassScores(["b", "a"], frame({"b": [0.9, 0.2], "a": [0.1, 0.8]}))
        assert scores.classes == ("b", "a")
        assert scores.label_index.tolist() == [0, 1]


def test_a_class_may_be_absent_from_the_labels():
    assert MulticlassScores(["a", "a"], np.eye(2), classes=["a", "b"]).class_counts.tolist() == [[2, 0]]


def test_outputs_are_a_copy_of_their_own():
    outputs = np.eye(2, dtype=np.float32)
    scores = MulticlassScores([0, 1], outputs)
    outputs[0, 0] = 7
    assert scores.outputs[0, 0] == 1
    assert scores.outputs.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        scores.outputs[0, 0] = 3


def test_printing_and_plain_values():
    scores = MulticlassScores(["a", "b"], [[0.5, 1], [2, 3]], folds=["x", "y"])
    assert repr(scores) == "MulticlassScores(2 classes, 2 rows, 2 folds)"
    assert len(scores) == scores.n_rows == 2
    assert scores.to_dict() == {
        "classes": ["a", "b"],
        "folds": ["x", "y"],
        "label_index": [0, 1],
        "fold_index": [0, 1],
        "outputs": [[0.5, 1.0], [2.0, 3.0]],
    }
    assert scores.to_frame().to_dict("list") == {
        "fold": ["x", "y"],
        "label": ["a", "b"],
        "output a": [0.5, 2.0],
        "output b": [1.0, 3.0],
    }
    with pytest.raises(AttributeError):
        scores.classes = ()
    assert copy.deepcopy(scores).to_dict() == scores.to_dict()


def test_real_outputs(data_folder):
    table = pd.read_csv(data_folder / "scores" / "yardstick_hpc_cv.csv")
    scores = MulticlassScores(table["obs"], table[["VF", "F", "M", "L"]], folds=table["Resample"])
    assert scores.classes == ("VF", "F", "M", "L")
    assert (scores.n_rows, len(scores.folds)) == (3467, 10)


def test_masked_outputs_are_missing():
    outputs = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    with pytest.raises(DataError, match="RS031") as caught:
        MulticlassScores([0, 1], outputs)
    assert "row 0, column 1" in str(caught.value)


def test_classes_without_an_order_have_to_be_named():
    with pytest.raises(LabelError, match="RS025"):
        MulticlassScores([1j, 2j], [[1, 2], [3, 4]])
    assert MulticlassScores([1j, 2j], [[1, 2], [3, 4]], classes=[2j, 1j]).label_index.tolist() == [1, 0]


def test_names_that_are_alike_are_refused():
    outputs = [[1.0, 2.0], [3.0, 4.0]]
    with pytest.raises(ColumnError, match="RS012"):
        MulticlassScores(["a", "b"], pd.DataFrame(outputs, columns=["a", "a"]))
    with pytest.raises(UsageError, match="RS049"):
        MulticlassScores([1, "1"], outputs)
    with pytest.raises(UsageError, match="RS049"):
        MulticlassScores([1, 2], outputs, folds=[1, "1"])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), min_size=1, max_size=20), st.randoms())
def test_some_folds(rows, random):
    labels, folds = (list(column) for column in zip(*rows, strict=True))
    outputs = np.arange(3.0 * len(rows)).reshape(-1, 3)
    scores = MulticlassScores(labels, outputs, folds=folds, classes=["c", "a", "b"])
    asked = random.sample(scores.folds, random.randint(1, len(scores.folds)))
    some = scores.select(asked)
    kept = [i for i, fold in enumerate(folds) if str(fold) in asked]
    assert some.folds == tuple(asked)
    assert some.classes == scores.classes
    assert some.outputs.tolist() == outputs[kept].tolist()
    assert [some.classes[i] for i in some.label_index] == [labels[i] for i in kept]
    assert [some.folds[i] for i in some.fold_index] == [str(folds[i]) for i in kept]
    with pytest.raises(ValueError, match="read-only"):
        some.outputs[0, 0] = 3


def test_folds_that_cannot_be_selected():
    scores = MulticlassScores([0, 1], np.eye(2), folds=["fold 1", "fold 2"])
    with pytest.raises(UsageError, match=r"(?s)RS001: there is no fold .fold1..*'fold 1'"):
        scores.select(["fold1"])
    for asked in ([], ["fold 1", "fold 1"]):
        with pytest.raises(UsageError, match="RS001: name each fold once"):
            scores.select(asked)
    assert scores.select("fold 2").folds == ("fold 2",)


def test_folds_that_lack_a_class_say_which():
    outputs = np.ones((5, 3))
    scores = MulticlassScores(list("abcaa"), outputs, folds=["x", "x", "x", "y", "fold z"])
    assert scores.undefined == ("fold y: no b and c", "fold z: no b and c")
    assert MulticlassScores([0, 1], np.eye(2)).undefined == ()


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 2)), min_size=1, max_size=12))
def test_one_class_against_the_rest(rows):
    labels, folds = (list(column) for column in zip(*rows, strict=True))
    outputs = np.random.default_rng(0).random((len(rows), 2))
    scores = MulticlassScores(labels, outputs, folds=folds, classes=["a", "b"])
    own = scores.one_versus_rest("b")
    assert own.names == scores.folds
    assert own.unit == "fold"
    for fold in own:
        chosen = [str(f) == fold.name for f in folds]
        assert fold.scores.tolist() == outputs[chosen, 1].tolist()
        assert fold.is_positive.tolist() == [x == "b" for x, c in zip(labels, chosen, strict=True) if c]


def test_a_class_that_is_not_there_has_no_scores():
    with pytest.raises(LabelError, match=r'(?s)RS021: there is no class "c".*a and b'):
        MulticlassScores(["a", "b"], np.eye(2)).one_versus_rest("c")


def test_columns_that_look_exchanged_are_pointed_out():
    rng = np.random.default_rng(0)
    labels = rng.choice(["F", "L", "M", "VF"], 400)
    order = ["VF", "F", "M", "L"]
    outputs = rng.dirichlet(np.ones(4), 400) + 2 * (labels[:, None] == np.array(order))
    with pytest.warns(rs.RocsteadyWarning, match="RS251: outputs of 3 classes"):
        rs.MulticlassScores(labels, outputs)
    assert rs.MulticlassScores(labels, outputs, classes=order).classes == tuple(order)
    frame = pd.DataFrame(outputs, columns=order)
    assert rs.MulticlassScores(labels, frame).classes == tuple(order)
    with pytest.raises(rs.RocsteadyError, match="RS025: classes= has another order than the columns"):
        rs.MulticlassScores(labels, frame, classes=["F", "L", "M", "VF"])


def test_outputs_that_know_nothing_do_not_look_exchanged():
    rng = np.random.default_rng(1)
    for _ in range(20):
        rs.MulticlassScores(rng.integers(0, 5, 200), rng.dirichlet(np.ones(5), 200))
