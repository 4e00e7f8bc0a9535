"""Weights of groups as a pandas Series: taken by its labels, and refused where these are not the groups."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocsteady as rs
from rocsteady.errors import UsageError

ROWS = {
    "label": [1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0],
    "score": [0.9, 0.4, 0.3, 0.2, 0.8, 0.6, 0.5, 0.1, 0.7, 0.3, 0.2, 0.1],
    "host": ["a"] * 4 + ["b"] * 4 + ["c"] * 4,
}
WEIGHTS = {"a": 1.0, "b": 2.0, "c": 5.0}


def given(kind, names=("a", "b", "c")):
    """The rows as something that can be averaged, the groups under other names."""
    called = dict(zip("abc", names, strict=True))
    hosts = [called[host] for host in ROWS["host"]]
    rows = pd.DataFrame({**ROWS, "host": hosts})
    if kind == "counts":
        return rs.count_scores(rows, label="label", score="score", group="host")
    if kind == "cells":
        many = pd.concat([rows.assign(score=rows.score + i) for i in np.arange(0, 500, 0.25)])
        return rs.count_scores(
            many, label="label", score="score", group="host", engine="duckdb", most_cells=1000
        )
    scores = rs.ScoreSet.from_frame(rows, label="label", score="score", group="host")
    return {"scores": scores, "curves": rs.roc_curves(scores), "smroc": rs.smroc_curve(scores, mid=0.5)}[kind]


KINDS = ("scores", "curves", "counts", "smroc")


@pytest.mark.parametrize("kind", KINDS)
def test_a_series_is_taken_by_its_labels(kind):
    x = given(kind)
    shuffled = pd.Series(WEIGHTS)[["c", "a", "b"]]
    expected = rs.average(x, "vertical", group_weights=[1.0, 2.0, 5.0])
    found = rs.average(x, "vertical", group_weights=shuffled)
    assert found.weights.tolist() == expected.weights.tolist()
    assert found.auc == expected.auc
    assert found.auc != rs.average(x, "vertical", group_weights=shuffled.to_numpy()).auc


def test_averages_of_cells_take_a_series_by_its_labels():
    counts = given("cells")
    assert not counts.is_exact
    for method in ("vertical", "threshold"):
        by_label = rs.average(counts, method, group_weights=pd.Series(WEIGHTS)[["c", "a", "b"]])
        in_order = rs.average(counts, method, group_weights=[1.0, 2.0, 5.0])
        assert by_label.auc == in_order.auc
        assert by_label.auc_bounds == in_order.auc_bounds


@pytest.mark.parametrize("kind", KINDS)
def test_a_default_index_is_an_order(kind):
    found = rs.average(given(kind), "vertical", group_weights=pd.Series([1.0, 2.0, 5.0]))
    assert found.weights.tolist() == [1 / 8, 2 / 8, 5 / 8]


def test_a_default_index_is_names_where_groups_are_called_so():
    x = given("scores", names=(2, 0, 1))
    found = rs.average(x, "vertical", group_weights=pd.Series([1.0, 2.0, 5.0]))
    assert dict(zip(found.members, (found.weights * 8).tolist(), strict=True)) == {"2": 5, "0": 1, "1": 2}


@pytest.mark.parametrize(
    ("names", "index"),
    [
        (("a", "b", "c"), ["x", "y", "z"]),
        (("a", "b", "c"), ["a", "b", "d"]),
        (("a", "b", "c"), [1, 2, 3]),
        (("a", "b", "c"), [2, 1, 0]),
        ((1, 2, 3), [0, 1, 2]),  # folds 1 to 3 beside the default index: two of its labels are folds
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_labels_that_are_not_the_groups_are_refused(kind, names, index):
    with pytest.raises(UsageError, match="RS083") as caught:
        rs.average(given(kind, names), "vertical", group_weights=pd.Series([1.0, 2.0, 5.0], index=index))
    assert "the index of group_weights must name every" in str(caught.value)
    assert "group_weights.to_numpy()" in str(caught.value)


def test_a_label_that_occurs_twice_is_refused():
    weights = pd.Series([1.0, 2.0, 5.0, 9.0], index=["a", "b", "c", "a"])
    with pytest.raises(UsageError, match=r"RS083.*\n.*occurs twice: a"):
        rs.average(given("scores"), "vertical", group_weights=weights)


@pytest.mark.parametrize("made", [rs.ScoreSet.from_frame, rs.count_scores])
@pytest.mark.parametrize(
    "weights",
    [
        pd.Series({"c": 5.0, "d": 7.0, "b": 2.0, "a": 1.0}),
        pd.Series([1.0, 2.0, 5.0, 7.0]),
        [1.0, 2.0, 5.0, 7.0],
    ],
    ids=["by label", "default index", "list"],
)
def test_weights_of_groups_without_a_curve_fall_away(made, weights):
    rows = {name: [*values, extra] for (name, values), extra in zip(ROWS.items(), (1, 5, "d"), strict=True)}
    found = rs.average(
        made(rows, label="label", score="score", group="host"),
        "vertical",
        group_weights=weights,
        undefined="drop",
    )
    assert found.weights.tolist() == [1 / 8, 2 / 8, 5 / 8]


def test_dates_are_names_of_groups():
    days = pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03"])
    x = given("scores", names=days)
    found = rs.average(x, "vertical", group_weights=pd.Series([5.0, 2.0, 1.0], index=days[::-1]))
    assert found.weights.tolist() == [1 / 8, 2 / 8, 5 / 8]


@pytest.mark.parametrize("method", ["vertical", "horizontal", "threshold", "pooled"])
@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")
def test_rows_that_weigh_alike_have_the_limits_of_rows_without_weights(method: str) -> None:
    """Groups are alike, so that limits come from their cases; with weights they had no width."""
    labels, groups = np.tile([0] * 10 + [1] * 10, 4), np.repeat(list("abcd"), 20)
    scores = np.tile(np.r_[np.arange(10), np.arange(5, 15)], 4).astype(float)
    plain, alike, uneven = (
        rs.ScoreSet.from_arrays(labels, scores, groups, sample_weight=weights)
        for weights in (None, np.full(80, 3.7), np.where(np.arange(80) % 2, 1.0, 5.0))
    )
    of = [rs.average(own, method) for own in (plain, alike, uneven)]
    for read in (lambda made: made.at(fpr=0.1).tpr_interval, lambda made: made.auc_interval()):
        expected, found, wider = map(read, of)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
        assert wider.low < found.low < found.high < wider.high
    expected, found = (rs.summarize_auc(own).interval for own in (plain, alike))
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
