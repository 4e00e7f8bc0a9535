"""Spark runs the same checks: one session for all of them, and few jobs, because each takes a while to start."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest

import rocsteady as rs
from conftest import skip_unless_required
from engines import tables
from engines.backends import Backend
from engines.checks import Case, assert_contains, assert_exact, check_plan, counted, in_memory
from rocsteady.errors import DataError, RocsteadyWarning


@pytest.fixture(scope="module")
def spark() -> Iterator[Backend]:
    """Spark on two threads of this machine, as small as it goes."""
    backend = Backend("spark", "pyspark")
    backend.require()
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        skip_unless_required("Java is not installed, and Spark needs it")
    before = os.environ.get("PYSPARK_PYTHON")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    options = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "512m",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.python.worker.reuse": "true",
        "spark.task.maxFailures": "1",
        "spark.log.level": "OFF",
    }
    builder = SparkSession.builder.master("local[2]").appName("rocsteady")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield Backend("spark", "pyspark", session)
    session.stop()
    if before is None:
        del os.environ["PYSPARK_PYTHON"]
    else:
        os.environ["PYSPARK_PYTHON"] = before


CASES = {
    "clean": Case(tables.clean()),
    "gaps": Case(tables.with_gaps()),
    "integers": Case(tables.integers(), positive="attack"),
    "weights": Case(tables.weighted(), weight="times"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_plan_counts_the_same_cells(spark: Backend, name: str) -> None:
    check_plan(spark, CASES[name])


def test_every_distinct_score_gives_the_curves_of_memory(spark: Backend) -> None:
    table = tables.clean().append_column(
        "other", pa.array(np.random.default_rng(5).normal(size=240).round(1))
    )
    counts = counted(spark, table, score=["said", "other"], higher_is_positive=False)
    assert_exact(counts, in_memory(table, score=["said", "other"], higher_is_positive=False))


def test_placing_the_commoner_class_gives_the_curves_of_memory(spark: Backend, force) -> None:
    force(cells=50, anchors=1000)
    counts = counted(spark, tables.clean(), tolerance=0)
    assert counts.how.rung == "anchored"
    assert counts.how.engine == "spark"
    assert_exact(counts, in_memory(tables.clean()))


def test_splitting_reaches_the_tolerance(spark: Backend, force) -> None:
    force(cells=500)
    table = tables.clean(900, groups=2)
    counts = counted(spark, table, tolerance={"auc": 1e-3, "rate": 2e-2})
    assert counts.how.rung == "cells"
    assert counts.auc_bound <= 1e-3
    assert counts.rate_bound <= 2e-2
    assert_contains(counts, in_memory(table))


def test_weights_are_placed(spark: Backend, force) -> None:
    force(cells=50, anchors=1000)
    counts = counted(spark, tables.weighted(), weight="times", tolerance=1e-9)
    assert counts.how.rung == "anchored"
    truth = rs.roc_curves(in_memory(tables.weighted(), weight="times"))
    assert counts.n_positives.tolist() == np.asarray(truth.n_positives).tolist()
    assert_contains(counts, in_memory(tables.weighted(), weight="times"))


def test_gaps_are_told_or_dropped_and_counted(spark: Backend, force) -> None:
    force(cells=10, anchors=1000)
    with pytest.raises(DataError, match="RS03"):
        counted(spark, tables.with_gaps(), tolerance=0)
    with pytest.warns(RocsteadyWarning, match="RS102"):
        counts = counted(spark, tables.with_gaps(), on_missing="drop", tolerance=0)
    assert counts.how.rung == "anchored"
    assert dict(counts.dropped.causes) == {"no score": 4, "no label": 3, "no group": 1}


@pytest.mark.parametrize("rung", ["distinct", "anchored"])
def test_a_partition_that_fails_fails_the_result(spark: Backend, force, rung: str) -> None:
    from pyspark.sql.functions import udf

    if rung == "anchored":
        force(cells=50, anchors=1000)

    @udf("double")
    def breaks_at_the_highest(score):  # PySpark reads hints of types in its own way
        if score == np.inf:
            raise RuntimeError("the disk of this worker is gone")
        return score

    frame = spark.frame(tables.clean())
    broken = frame.withColumn("said", breaks_at_the_highest("said"))
    with pytest.raises(DataError, match="RS402") as caught:
        rs.count_scores(broken, label="truth", score="said", group="host", tolerance=0, memory="100MB")
    assert "the disk of this worker is gone" in str(caught.value.__cause__)


def test_files_are_read_by_spark(spark: Backend, tmp_path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(tables.clean(), tmp_path / "rows.parquet")
    read = {"label": "truth", "score": "said", "group": "host", "engine": "spark", "memory": "100MB"}
    counts = rs.count_scores(tmp_path / "rows.parquet", **read)
    assert counts.how.engine == "spark"
    assert_exact(counts, in_memory(tables.clean()))
    said = tables.clean().column("said").to_numpy().copy()
    said[[3, 100]] = np.nan
    pq.write_table(tables.clean().set_column(1, "said", pa.array(said)), tmp_path / "rows.parquet")
    with pytest.raises(DataError, match="RS031: 2 of 240"):
        rs.count_scores(tmp_path / "rows.parquet", **read)
