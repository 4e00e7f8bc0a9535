"""One suite over all libraries: the plan counts the same cells everywhere, and the ladder the same curves."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from engines import tables
from engines.backends import Backend
from engines.checks import Case, assert_contains, assert_exact, check_plan, counted, in_memory
from rocsteady.counting import ladder
from rocsteady.errors import DataError, RocsteadyWarning

CASES = {
    "clean": Case(tables.clean()),
    "one class": Case(tables.one_class()),
    "gaps": Case(tables.with_gaps()),
    "integers": Case(tables.integers(), positive="attack"),
    "booleans": Case(tables.yes_and_no(), positive=True),
    "weights": Case(tables.weighted(), weight="times"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_plan_counts_the_same_cells(backend: Backend, name: str) -> None:
    # Dask takes seconds for the graph of a split, whatever the rows are.
    check_plan(backend, CASES[name], splits=backend.name != "dask" or name in ("gaps", "weights"))


ANY_ROW = st.tuples(
    st.sampled_from(["a", "b", None]),
    st.sampled_from([0, 1, 1, 0, None]),
    st.one_of(st.none(), st.sampled_from([*tables.HOSTILE, float("nan")]), st.floats(width=64)),
)


def test_the_plan_counts_the_same_cells_of_any_rows(backend: Backend) -> None:
    @settings(
        max_examples=2 if backend.name == "dask" else 20
    )  # Dask takes a second for a graph of this size
    @given(rows=st.lists(ANY_ROW, min_size=1, max_size=30))
    def check(rows: list[tuple]) -> None:
        # At least one usable row of each class, so that there is something to ask.
        hosts, truth, said = zip(*[*rows, ("a", 1, 0.5), ("a", 0, 0.25)], strict=True)
        columns = {"truth": pa.array(truth, pa.int64()), "said": pa.array(said, pa.float64())}
        check_plan(backend, Case(pa.table(columns | {"host": pa.array(hosts, pa.string())})))

    check()


# -- the ladder -----------------------------------------------------------------------------------------------


def test_every_distinct_score_gives_the_curves_of_memory(backend: Backend) -> None:
    counts = counted(backend, tables.clean())
    assert counts.how.rung == "distinct"
    assert counts.knows_thresholds
    assert_exact(counts, in_memory(tables.clean()))


def test_placing_the_commoner_class_gives_the_curves_of_memory(backend: Backend, force) -> None:
    force(cells=50, anchors=1000)
    counts = counted(backend, tables.clean(), tolerance=0)
    assert counts.how.rung == "anchored"
    assert_exact(counts, in_memory(tables.clean()))


def test_cells_contain_the_truth(backend: Backend, force) -> None:
    force(cells=200)
    table = tables.clean(600, groups=2)
    counts = counted(backend, table)
    assert counts.how.rung == "cells"
    assert counts.how.n_passes <= 4
    assert not counts.is_exact
    assert_contains(counts, in_memory(table))


@pytest.mark.parametrize(
    ("n_distinct", "few", "rung"),
    [(100, 2000, "distinct"), (101, 2000, "cells"), (60, 60, "distinct"), (61, 60, "cells")],
)
def test_few_distinct_scores_are_counted_one_by_one(
    way: Backend, force, monkeypatch: pytest.MonkeyPatch, n_distinct: int, few: int, rung: str
) -> None:
    # Of 400 rows a quarter may be distinct, and no more than are called few.
    force(cells=150)
    monkeypatch.setattr(ladder, "_FEW_DISTINCT", few)
    row = np.arange(400)
    table = pa.table({"truth": row // 7 % 2, "said": row % n_distinct * 0.25, "host": ["a"] * 400})
    counts = counted(way, table)
    assert counts.how.rung == rung
    if rung == "distinct":
        assert_exact(counts, in_memory(table))


def test_splitting_reaches_the_tolerance(backend: Backend, force) -> None:
    force(cells=500)
    table = tables.clean(900, groups=2)
    counts = counted(backend, table, tolerance={"auc": 1e-3, "rate": 2e-2})
    assert counts.how.rung == "cells"
    assert counts.auc_bound <= 1e-3
    assert counts.rate_bound <= 2e-2
    assert_contains(counts, in_memory(table))


@pytest.mark.parametrize("rung", ["distinct", "anchored", "cells"])
def test_gaps_are_dropped_and_counted_on_every_rung(backend: Backend, force, rung: str) -> None:
    if rung != "distinct":
        force(cells=10, anchors=1000 if rung == "anchored" else 0)
    asked = {"tolerance": 0} if rung == "anchored" else {}
    with pytest.warns(RocsteadyWarning, match="RS102"):
        counts = counted(backend, tables.with_gaps(), on_missing="drop", **asked)
    assert counts.how.rung == rung
    assert dict(counts.dropped.causes) == {"no score": 4, "no label": 3, "no group": 1}
    with pytest.warns(RocsteadyWarning, match="RS102"):
        scores = in_memory(tables.with_gaps(), on_missing="drop")
    assert counts.n_positives.tolist() == list(scores.n_positives)
    assert counts.n_negatives.tolist() == list(scores.n_negatives)


def test_several_score_columns_are_models(backend: Backend) -> None:
    table = tables.clean().append_column(
        "other", pa.array(np.random.default_rng(5).normal(size=240).round(1))
    )
    counts = counted(backend, table, score=["said", "other"])
    assert counts.models == ("said", "other")
    assert_exact(counts, in_memory(table, score=["said", "other"]))


def test_a_column_of_models(backend: Backend) -> None:
    table = tables.clean().append_column("name", pa.array(np.where(np.arange(240) < 120, "old", "new")))
    counts = counted(backend, table, model="name")
    truth = in_memory(table, model="name")
    assert sorted(counts.models) == sorted(truth.models)
    for name in counts.models:
        mine, theirs = rs.roc_curves(counts.model(name)), rs.roc_curves(truth.model(name))
        assert dict(zip(mine.names, mine.auc, strict=True)) == dict(
            zip(theirs.names, theirs.auc, strict=True)
        )


@pytest.mark.parametrize("rung", ["distinct", "anchored"])
def test_low_scores_may_be_positive(backend: Backend, force, rung: str) -> None:
    if rung == "anchored":
        force(cells=50, anchors=1000)
    counts = counted(backend, tables.clean(), higher_is_positive=False, tolerance=0)
    assert counts.how.rung == rung
    assert_exact(counts, in_memory(tables.clean(), higher_is_positive=False))


def test_several_labels_may_be_positive(backend: Backend) -> None:
    stages = np.array(["I", "II", "III", "IV"])[np.arange(240) % 4 - np.arange(240) // 4 % 3]
    table = tables.clean().drop_columns("truth").append_column("truth", pa.array(stages))
    counts = counted(backend, table, positive=["III", "IV"])
    assert_exact(counts, in_memory(table, positive=["III", "IV"]))


@pytest.mark.parametrize("rung", ["distinct", "anchored", "cells"])
def test_weights_are_summed(backend: Backend, force, rung: str) -> None:
    if rung != "distinct":
        force(cells=150, anchors=1000 if rung == "anchored" else 0)
    table = tables.weighted()
    asked = {"tolerance": 1e-9} if rung == "anchored" else {}
    counts = counted(backend, table, weight="times", **asked)
    assert counts.how.rung == rung
    truth = in_memory(table, weight="times")
    assert counts.n_positives.tolist() == np.asarray(rs.roc_curves(truth).n_positives).tolist()
    assert_contains(counts, truth)
    assert counts.dropped.causes == {"weight zero": int((table.column("times").to_numpy() == 0).sum())}


def test_a_table_without_groups(backend: Backend, force) -> None:
    truth = rs.roc_curves(in_memory(tables.clean(), group=None)).auc
    for rung, room in (("distinct", {}), ("anchored", {"cells": 50, "anchors": 1000})):
        if room:
            force(**room)
        counts = counted(backend, tables.clean(), group=None, tolerance=0)
        assert counts.how.rung == rung
        assert rs.roc_curves(counts).auc.tolist() == truth.tolist()


def test_groups_of_one_class_are_told(backend: Backend) -> None:
    counts = counted(backend, tables.one_class())
    assert counts.undefined == in_memory(tables.one_class()).undefined
    with pytest.raises(DataError, match="RS036"):
        rs.roc_curves(counts)
    drawn = rs.roc_curves(counts, undefined="drop")
    assert drawn.auc.tolist() == rs.roc_curves(in_memory(tables.one_class()), undefined="drop").auc.tolist()
