"""Columns that come as pandas Series: rows are paired by place only where the indexes agree."""

from __future__ import annotations

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import pytest

import rocsteady as rs
from rocsteady.errors import ColumnError

INDEX = ["e", "f", "g", "h", "i", "j"]
LABELS = pd.Series([1, 0, 1, 0, 1, 0], index=INDEX)
SCORES = pd.Series([0.9, 0.8, 0.7, 0.1, 0.3, 0.2], index=INDEX)
OTHERS = {
    "another order": SCORES[::-1],
    "the default index": SCORES.reset_index(drop=True),
    "other labels": SCORES.set_axis(list("uvwxyz")),
    "narwhals": nw.from_native(SCORES[::-1], series_only=True),
}


def refused(call):
    with pytest.raises(ColumnError) as caught:
        call()
    assert caught.value.code == "RS015"
    assert caught.value.found
    assert "to_numpy()" in str(caught.value)
    return str(caught.value)


DOORS = {
    "auc": lambda other: rs.auc(LABELS, other),
    "auc_interval": lambda other: rs.auc_interval(LABELS, other),
    "roc_curve": lambda other: rs.roc_curve(LABELS, other),
    "Scores": lambda other: rs.Scores(LABELS, other),
    "smroc_curve": lambda other: rs.smroc_curve(LABELS, other, mid=0.5),
    "compare_auc": lambda other: rs.compare_auc(LABELS, SCORES, other),
    "from_arrays": lambda other: rs.ScoreSet.from_arrays(LABELS, other, np.arange(6) // 2),
    "models": lambda other: rs.ScoreSet.from_arrays(LABELS, {"a": SCORES, "b": other}),
    "groups": lambda other: rs.ScoreSet.from_arrays(LABELS, SCORES, other),
    "cases": lambda other: rs.ScoreSet.from_arrays(LABELS, SCORES, np.arange(6) // 2, cases=other),
    "sample_weight": lambda other: rs.Scores(LABELS, SCORES, sample_weight=other),
    "from_folds": lambda other: rs.ScoreSet.from_folds([(LABELS, SCORES), (LABELS, other)]),
    "from_frame of a dict": lambda other: rs.ScoreSet.from_frame(
        {"label": LABELS, "score": other}, label="label", score="score"
    ),
    "count_scores": lambda other: rs.count_scores(
        {"label": LABELS, "score": other}, label="label", score="score"
    ),
    "count_scores in DuckDB": lambda other: rs.count_scores(
        {"label": LABELS, "score": other}, label="label", score="score", engine="duckdb"
    ),
    "folds of several classes": lambda other: rs.MulticlassScores(
        LABELS, pd.DataFrame({0: 1 - SCORES, 1: SCORES}), folds=other
    ),
    "paired_t": lambda other: rs.paired_t(SCORES, other),
    "clusters": lambda other: rs.bootstrap_test(LABELS, SCORES, 1 - SCORES, clusters=other),
    "from_counts": lambda other: rs.RocCurve.from_counts(
        pd.Series([0.9, 0.8, 0.7, 0.3, 0.2, 0.1], index=INDEX),
        np.arange(6),
        pd.Series(
            np.arange(6), index=other.to_native().index if hasattr(other, "to_native") else other.index
        ),
    ),
    "rater_agreement": lambda other: rs.rater_agreement((LABELS, LABELS), (SCORES, other)),
}


@pytest.mark.parametrize("door", DOORS)
def test_series_whose_index_differs_are_refused(door):
    for other in OTHERS.values():
        refused(lambda other=other: DOORS[door](other))


def test_the_outputs_of_several_classes_have_the_index_of_the_labels():
    refused(lambda: rs.MulticlassScores(LABELS, pd.DataFrame({0: 1 - SCORES, 1: SCORES})[::-1]))


def test_the_same_labels_in_another_order_say_how_to_align():
    told = refused(lambda: rs.auc(LABELS, SCORES[::-1]))
    assert "the same labels in another order" in told
    assert "scores = scores.loc[labels.index]" in told
    aligned = SCORES[::-1].loc[LABELS.index]
    assert rs.auc(LABELS, aligned) == rs.auc(LABELS.to_numpy(), SCORES.to_numpy())


def test_other_labels_do_not_say_how_to_align():
    assert ".loc" not in refused(lambda: rs.auc(LABELS, SCORES.reset_index(drop=True)))


def test_of_several_score_arrays_the_one_at_fault_is_named():
    assert "score array 2 of 2" in refused(lambda: rs.compare_auc(LABELS, SCORES, SCORES[::-1]))


def test_a_dict_of_series_becomes_a_frame_by_its_labels():
    columns = {"label": LABELS, "score": SCORES[::-1]}
    told = refused(lambda: rs.ScoreSet.from_frame(columns, label="label", score="score"))
    assert "pandas.DataFrame(columns)" in told
    aligned = rs.ScoreSet.from_frame(pd.DataFrame(columns), label="label", score="score")
    assert rs.roc_curves(aligned).auc[0] == rs.auc(LABELS, SCORES)


@pytest.mark.parametrize(
    "labels",
    [
        LABELS,
        LABELS.to_numpy(),
        LABELS.to_list(),
        LABELS.set_axis(pd.Index(INDEX, dtype="string")),
        LABELS.set_axis(pd.CategoricalIndex(INDEX)),
    ],
    ids=["Series", "array", "list", "string index", "categorical index"],
)
def test_equal_indexes_and_columns_without_one_go_together(labels):
    assert rs.auc(labels, SCORES) == rs.auc(LABELS.to_numpy(), SCORES.to_numpy())


@pytest.mark.parametrize("index", [[1, 1, 2, 2, 3, 3], [1.0, 2.0, np.nan, 4.0, 5.0, np.nan]])
def test_labels_of_an_index_may_be_doubled_or_missing(index):
    assert rs.auc(LABELS.set_axis(index), SCORES.set_axis(index)) == rs.auc(LABELS, SCORES)


def test_a_range_and_the_same_integers_are_one_index():
    assert rs.auc(LABELS.set_axis(range(6)), SCORES.set_axis([0, 1, 2, 3, 4, 5])) == rs.auc(LABELS, SCORES)
