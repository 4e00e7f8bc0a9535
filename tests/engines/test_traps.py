"""Traps of the engines, one test each: what goes wrong where, and that the plan is not bitten.

The first half of a test documents the trap on the installed versions. If one of these fails, an engine has changed;
read it again, then say so here.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa
import pytest

from engines.backends import BACKENDS, Backend
from engines.checks import Case, assert_contains, check_plan, counted, in_memory
from rocsteady.counting import plan
from rocsteady.counting.plan import Question

BY_NAME = {backend.name: backend for backend in BACKENDS}


def collected(frame: Any) -> pa.Table:
    return frame.collect("pyarrow").to_native() if isinstance(frame, nw.LazyFrame) else frame.to_arrow()


def native(name: str, columns: dict[str, Any]) -> Any:
    backend = BY_NAME[name]
    backend.require()
    return nw.from_native(backend.frame(pa.table(columns), parts=1))


def rows_of(said: list[Any], kind: Any = pa.float64()) -> pa.Table:  # noqa: B008
    truth = [i % 2 for i in range(len(said))]
    return pa.table({"truth": truth, "said": pa.array(said, kind), "host": ["a"] * len(said)})


NUMBER = ["duckdb", "arrow"]


@pytest.mark.parametrize("name", NUMBER)
def test_nan_goes_to_the_top_bin_without_a_word(name: str) -> None:
    frame = native(name, {"score": [0.1, float("nan")]})
    binned = frame.select((nw.col("score") * 10).floor().clip(0.0, 9.0).cast(nw.Int64).alias("bin"))
    assert sorted(collected(binned).column("bin").to_pylist(), key=str)[-1] in (9, None)


def test_nan_has_a_number_of_its_own_in_the_plan(quick: Backend) -> None:
    check_plan(quick, Case(rows_of([0.1, float("nan"), 1e300, None, float("inf"), 0.2])))


def test_sums_of_integers_come_as_decimals() -> None:
    frame = native("duckdb", {"g": [1, 1], "y": [3, 4]})
    (total,) = collected(frame.group_by("g").agg(nw.col("y").sum())).column("y").to_pylist()
    assert isinstance(total, Decimal | int)
    rows = {"label_": [1, 0], "score_": [0.5, 0.5], "positive_": [1, 0], "cell_": [3, 3]}
    counts = collected(plan.counts_by(native("duckdb", rows), Question()))
    assert counts.schema.field("positives").type == pa.int64()
    assert counts.schema.field("rows").type == pa.int64()


def test_the_two_zeros_are_two_groups() -> None:
    frame = native("arrow", {"score": [0.0, -0.0]})
    assert collected(frame.group_by("score").agg(nw.len())).num_rows == 2


@pytest.mark.parametrize("rung", ["distinct", "anchored", "cells"])
def test_the_two_zeros_are_one_score_in_the_ladder(
    quick: Backend, force: Callable[..., None], rung: str
) -> None:
    table = rows_of([0.0, -0.0, -0.0, 0.0, 1.0, -1.0])
    if rung != "distinct":
        force(cells=5, anchors=1000 if rung == "anchored" else 0)
    counts = counted(quick, table, **({"tolerance": 0} if rung == "anchored" else {}))
    assert counts.how.rung == rung
    at_zero = (counts.cells.lowest == 0) & counts.cells.is_tied
    assert counts.cells.rows[at_zero].tolist() == [4]
    assert not np.signbit(counts.cells.lowest[at_zero]).any()
    assert_contains(counts, in_memory(table))


def test_a_cast_of_floats_rounds_here_and_cuts_there() -> None:
    cast = nw.col("score").cast(nw.Int64)
    rounded = collected(native("duckdb", {"score": [1.7, -1.7]}).select(cast)).column(0).to_pylist()
    cut = collected(native("polars", {"score": [1.7, -1.7]}).select(cast)).column(0).to_pylist()
    assert (rounded, cut) == ([2, -2], [1, -1])
    with pytest.raises(pa.ArrowInvalid, match="truncated"):
        native("arrow", {"score": [1.7]}).select(cast)


def test_cells_are_floored_before_they_are_cast(quick: Backend) -> None:
    # Just below and just above the ends of cells, where rounding would move every second row.
    said = [-0.75, -0.5 - 2**-53, -0.5, 0.39999999999999997, 0.4, 0.45, 0.99999999, 1.0 - 2**-53]
    check_plan(quick, Case(rows_of(said)))


def test_integers_are_cast_before_they_are_added_to(quick: Backend) -> None:
    # An unsigned score minus a start below zero, or a small one times a scale, would leave its own type.
    for kind in (pa.int8(), pa.uint8(), pa.int64(), pa.float32()):
        check_plan(quick, Case(rows_of([0, 1, 1, 0, 100, 127], kind)))


def test_null_keys_do_not_join() -> None:
    keys = pa.array(["a", None])
    left, right = (native(name, {"g": keys, "x": [1, 2]}) for name in ("polars", "polars"))
    assert collected(left.join(right, on="g", how="inner")).num_rows == 1
    pandas = native("pandas", {"g": keys, "x": [1, 2]})
    assert collected(pandas.join(pandas, on="g", how="inner")).num_rows in (1, 2)


def test_rows_without_a_group_are_counted_once_and_join_nobody(quick: Backend) -> None:
    table = rows_of([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    hosts = pa.array(["a", None, "a", "a", None, "a"])
    check_plan(quick, Case(table.set_column(2, "host", hosts)))


def test_a_condition_inside_agg_is_ignored() -> None:
    # The reason for the vocabulary: 3 is the sum of both weights, 2 that of the positive one.
    rows = {"g": [1, 1], "y": [1, 0], "w": [2.0, 1.0]}
    inside = nw.when(nw.col("y") == 1).then(nw.col("w")).otherwise(0.0).sum().alias("w")
    answers = {}
    for name in ("pandas", "polars", "duckdb"):
        try:
            answers[name] = collected(native(name, rows).group_by("g").agg(inside)).column("w").to_pylist()
        except Exception as error:  # some versions refuse, which is as good
            answers[name] = type(error).__name__
    assert answers["polars"] == answers["duckdb"] == [2.0]
    assert answers["pandas"] != [2.0]


def test_weights_of_the_classes_are_apart_on_every_engine(quick: Backend) -> None:
    table = rows_of([0.1, 0.1, 0.1, 0.1]).append_column("times", pa.array([2.0, 1.0, 0.25, 8.0]))
    check_plan(quick, Case(table, weight="times"))


def test_a_floor_has_64_bits_somewhere(quick: Backend) -> None:
    # Spark's floor overflows where a product is large; the plan clips first. See test_spark for Spark itself.
    check_plan(quick, Case(rows_of([0.29, 0.2, 1e199, -0.1, 5e-324, 0.1])))


def test_duckdb_believes_that_a_footer_tells_of_nan(tmp_path: Any) -> None:
    import pyarrow.parquet as pq

    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"score": [1.0, float("nan")]}), path)
    database = duckdb.connect()
    folded = database.execute(f"SELECT count(*) FROM '{path}' WHERE isnan(score)").fetchall()
    behind = f"SELECT CASE WHEN score IS NULL THEN NULL ELSE score END AS score FROM '{path}'"
    assert database.execute(f"SELECT count(*) FROM ({behind}) WHERE isnan(score)").fetchall() == [(1,)]
    assert folded in ([(0,)], [(1,)])
