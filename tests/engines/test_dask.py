"""Dask loses tasks and workers: the right answer after another try, or RS402; never what is left."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from conftest import package
from engines import tables
from engines.backends import BACKENDS, Backend
from engines.checks import assert_exact, counted, in_memory
from rocsteady.errors import DataError, LabelError, RocsteadyWarning

READ = {"label": "truth", "score": "said", "group": "host", "memory": "100MB"}
ROWS = tables.clean()
# Dask speaks about its own workers, and opens sockets that it closes later.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index"),
]


@pytest.fixture
def dask() -> Backend:
    (backend,) = (own for own in BACKENDS if own.name == "dask")
    backend.require()
    return backend


@pytest.fixture
def cluster(dask: Backend, tmp_path: Path) -> Iterator[Any]:
    """Two workers, processes of their own."""
    distributed = package("distributed")
    import dask as settings

    quick = {"distributed.scheduler.allowed-failures": 1, "distributed.comm.timeouts.connect": "20s"}
    with (
        settings.config.set(quick),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50,
            local_directory=str(tmp_path),
        ) as workers,
        distributed.Client(workers) as client,
    ):  # fmt: skip
        yield client


def with_task(dask: Backend, work: Callable[[Any], Any]) -> Any:
    """The rows, of which every partition goes through ``work`` first."""
    frame = dask.frame(ROWS)
    return frame.map_partitions(work, meta=frame._meta)


@pytest.mark.parametrize("rung", ["distinct", "anchored", "cells"])
def test_a_task_that_raises(dask: Backend, force: Callable[..., None], rung: str) -> None:
    def breaks(rows: Any) -> Any:
        if (rows["said"] == np.inf).any():
            raise RuntimeError("the disk of this worker is gone")
        return rows

    if rung != "distinct":
        force(cells=50, anchors=1000 if rung == "anchored" else 0)
    with pytest.raises(DataError, match="RS402") as caught:
        rs.count_scores(with_task(dask, breaks), **READ)
    assert "the disk of this worker is gone" in str(caught.value)


def dies_once(rows: Any, mark: str) -> Any:
    """Kill the worker the first time that anybody comes here."""
    if len(rows) and not os.path.exists(mark):
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return rows


def test_a_worker_that_is_killed_in_the_middle(
    dask: Backend, cluster: Any, tmp_path: Path, force: Callable[..., None]
) -> None:
    mark = tmp_path / "killed"
    force(cells=50, anchors=1000)
    rows = with_task(dask, lambda rows: dies_once(rows, str(mark)))
    counts = rs.count_scores(rows, tolerance=0, **READ)
    assert mark.exists()
    assert counts.how.rung == "anchored"
    assert_exact(counts, in_memory(ROWS))

    def dies(rows: Any) -> Any:
        if len(rows):
            os.kill(os.getpid(), signal.SIGKILL)
        return rows

    with pytest.raises(DataError, match="RS402"):
        rs.count_scores(with_task(dask, dies), tolerance=0, **READ)


def test_gaps_raise_by_default_and_are_dropped_if_asked(dask: Backend, force: Callable[..., None]) -> None:
    force(cells=10)
    with pytest.raises((DataError, LabelError), match=r"RS023|RS031|RS035"):
        counted(dask, tables.with_gaps())
    with pytest.warns(RocsteadyWarning, match="RS102"):
        counts = counted(dask, tables.with_gaps(), on_missing="drop")
    assert counts.how.rung == "cells"
    assert dict(counts.dropped.causes) == {"no score": 4, "no label": 3, "no group": 1}


def test_integers_above_the_exact_ones(dask: Backend) -> None:
    import pyarrow as pa

    table = ROWS.append_column("other", pa.array(2**60 + np.arange(240)))
    with pytest.raises(DataError, match='RS403: column "other"'):
        counted(dask, table, score=["said", "other"])


def test_partitions_without_rows(dask: Backend, force: Callable[..., None]) -> None:
    force(cells=50, anchors=1000)
    frame = dask.frame(ROWS, parts=4)
    few = frame[frame["host"] == "host-1"].partitions[[0, 1, 2, 3]]
    rows = few[(few["said"] > 0) | (few["truth"] == 1)]
    import dask.dataframe as dd

    empty = frame[frame["said"] > np.inf]
    counts = rs.count_scores(dd.concat([empty, rows, empty]), tolerance=0, **READ)
    host = ROWS.to_pandas()
    host = host[(host["host"] == "host-1") & ((host["said"] > 0) | (host["truth"] == 1))]
    assert_exact(counts, rs.ScoreSet.from_frame(host, label="truth", score="said", group="host"))
