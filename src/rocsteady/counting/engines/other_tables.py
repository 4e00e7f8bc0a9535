"""Polars, Dask and Spark: frames that stay where they are, and eager frames for tests of the plan."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rocsteady.counting.engines.tables import SAMPLE_ROWS, EngineTable, strided
from rocsteady.errors import DataError, RocsteadyError


@dataclass
class FrameTable(EngineTable):
    """Any frame that narwhals knows, its columns called by their roles."""

    native: Any = None
    own: Any = None

    def frame(self) -> Any:
        """The frame, with columns called by their roles."""
        return self.own

    def small(self, table: Any) -> Any:
        """The table in the same library, lazy where the frame is."""
        import narwhals.stable.v2 as nw

        frame = nw.from_native(_alike(table, self.native))
        return frame.lazy() if isinstance(self.own, nw.LazyFrame) else frame

    def place(self, frame: Any, work: Callable[[Iterator[Any]], Any]) -> list[Any]:
        """Collect the rows, and give them to ``work``."""
        return [work(iter(self.collect(frame, "Reading the rows").to_batches()))]


def _alike(table: Any, native: Any) -> Any:
    """An Arrow table in the library of another frame."""
    library = type(native).__module__.split(".")[0]
    if library == "polars":
        import polars as pl

        return pl.from_arrow(table)
    if library == "pyarrow":
        return table
    return table.to_pandas()


@dataclass
class PolarsTable(FrameTable):
    """A Polars frame, lazy or not; what it reads is read in streams."""

    def collect(self, frame: Any, what: str) -> Any:
        """Let Polars stream."""
        self.tell(what, None)
        native = frame.to_native()
        if not hasattr(native, "collect"):
            return native.to_arrow()
        with engine_failures("Polars"):
            return native.collect(engine="streaming").to_arrow()

    def sample(self, score: str) -> Any:
        """Every so many-th row."""
        import polars as pl

        rows = (
            self.own.to_native().lazy().select("label_", pl.col(score).alias("score_")).with_row_index("row_")
        )
        some = rows.filter(pl.col("row_") % strided(self.n_rows or 0) == 0).drop("row_").head(SAMPLE_ROWS)
        with engine_failures("Polars"):
            return some.collect().to_arrow()


@dataclass
class DaskTable(FrameTable):
    """A Dask frame: partitions are counted where they are."""

    def small(self, table: Any) -> Any:
        """One partition."""
        import dask.dataframe
        import narwhals.stable.v2 as nw

        frames: Any = dask.dataframe  # has no types
        return nw.from_native(frames.from_pandas(table.to_pandas(), npartitions=1))

    def collect(self, frame: Any, what: str) -> Any:
        """Compute; a task that fails fails all."""
        self.tell(what, None)
        with engine_failures("Dask"):
            return super().collect(frame, what)

    def sample(self, score: str) -> Any:
        """Some rows of every partition."""
        import pyarrow as pa

        share = min(1.0, SAMPLE_ROWS / max(self.n_rows or SAMPLE_ROWS, 1))
        with engine_failures("Dask"):
            rows = self.own.to_native()[["label_", score]].sample(frac=share, random_state=0).compute()
        rows.columns = ["label_", "score_"]
        return pa.Table.from_pandas(rows, preserve_index=False)

    def place(self, frame: Any, work: Callable[[Iterator[Any]], Any]) -> list[Any]:
        """Each partition by itself, in the workers; their tables come back."""
        import dask

        tasks: Any = dask  # has no types

        def of_partition(rows: Any) -> Any:
            import pyarrow as pa

            return work(iter(pa.Table.from_pandas(rows, preserve_index=False).to_batches()))

        self.tell("Placing the rows", None)
        with engine_failures("Dask"):
            parts = [tasks.delayed(of_partition)(part) for part in frame.to_native().to_delayed()]
            return list(tasks.compute(*parts))


@dataclass
class SparkTable(FrameTable):
    """A Spark frame: work is done in the cluster, and only cells travel."""

    def small(self, table: Any) -> Any:
        """A frame of the same session, sent to every executor."""
        import narwhals.stable.v2 as nw
        from pyspark.sql.functions import broadcast

        session = self.native.sparkSession
        names = {f.name: f.name for f in table.schema}
        try:
            frame = session.createDataFrame(table)
        except Exception:  # before Spark 4, which takes no Arrow tables
            frame = session.createDataFrame(table.to_pandas()[list(names)])
        return nw.from_native(broadcast(frame))

    def collect(self, frame: Any, what: str) -> Any:
        """Run a job; a partition that is lost for good fails it."""
        with spark_settings(), engine_failures("Spark"):
            return super().collect(frame, what)

    def sample(self, score: str) -> Any:
        """Rows of all partitions."""
        import narwhals.stable.v2 as nw

        share = min(1.0, 1.2 * SAMPLE_ROWS / max(self.n_rows or SAMPLE_ROWS, 1))
        some = nw.from_native(self.own.to_native().sample(fraction=share, seed=0))
        rows = some.select("label_", nw.col(score).alias("score_"))
        return self.collect(rows, "Looking at some rows")

    def place(self, frame: Any, work: Callable[[Iterator[Any]], Any]) -> list[Any]:
        """Each partition in its executor; their tables are added up before they travel."""
        import narwhals.stable.v2 as nw

        def of_partition(batches: Iterator[Any]) -> Iterator[Any]:
            yield from work(batches).to_batches()

        schema = "slot_ bigint, rows bigint, weight double, lowest double, highest double"
        parts = nw.from_native(frame.to_native().mapInArrow(of_partition, schema))
        added = parts.group_by("slot_").agg(
            nw.col("rows").sum(), nw.col("weight").sum(), nw.col("lowest").min(), nw.col("highest").max()
        )
        return [self.collect(added, "Placing the rows")]


@contextmanager
def spark_settings() -> Iterator[None]:
    """Executors on this machine must be the Python that runs now, which has NumPy and Arrow.

    A session that starts takes Ctrl-C for itself, and its jobs fail then as if a worker had; it stays with
    whoever had it.
    """
    before, on_interrupt = os.environ.get("PYSPARK_PYTHON"), signal.getsignal(signal.SIGINT)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("PYSPARK_PYTHON", None)
        if threading.current_thread() is threading.main_thread() and on_interrupt is not None:
            signal.signal(signal.SIGINT, on_interrupt)


@contextmanager
def engine_failures(engine: str) -> Iterator[None]:
    """Whatever an engine raises is RS402: a result without a lost part would be a wrong one."""
    try:
        yield
    except (RocsteadyError, ImportError):
        raise
    except Exception as error:
        behind = error.__context__
        while behind is not None:  # Spark cleans up after Ctrl-C, and fails at that
            if isinstance(behind, KeyboardInterrupt):
                raise behind from None
            behind = behind.__context__
        lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
        reason = next((line for line in lines if "Error" in line or "Exception" in line), lines[0])
        remedies = ["look into the log of its workers; then count again"]
        lacking = [line for line in lines if "ModuleNotFoundError" in line]
        if engine == "Spark" and lacking:
            reason = lacking[-1]
            remedies = [
                "exact curves need rocsteady where Spark runs Python; before the session starts:  "
                "os.environ['PYSPARK_PYTHON'] = sys.executable"
            ]
        raise DataError(
            "RS402",
            f"{engine} could not finish, so there is no result.",
            f"{type(error).__name__}: {reason[:300]}",
            *remedies,
        ) from error
