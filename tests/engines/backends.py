"""The libraries that a table may come from: one Arrow table in, the same rows as a frame of each."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

from conftest import skip_unless_required
from rocsteady.counting.engines import EngineTable, FrameTable, opened, say_nothing
from rocsteady.scores.columns import Source

_DATABASE = duckdb.connect()
"""Open as long as the tests run: before DuckDB 1.4 a relation does not keep its connection."""


@dataclass(frozen=True)
class Backend:
    """A library by name; what it needs, how it takes rows, and how the engines open it."""

    name: str
    package: str
    session: Any = None  # of Spark

    def require(self) -> None:
        """Skip where its package is missing."""
        if importlib.util.find_spec(self.package) is None:
            skip_unless_required(f"{self.package} is not installed")

    def frame(self, table: pa.Table, *, parts: int = 3) -> Any:
        """The rows as a frame of this library, in several parts where it has parts."""
        if self.name == "pandas":
            return table.to_pandas()
        if self.name == "arrow":
            return table
        if self.name.startswith("polars"):
            import polars as pl

            frame = pl.from_arrow(table)
            return frame.lazy() if self.name == "polars-lazy" else frame
        if self.name == "duckdb":
            return _DATABASE.from_arrow(table)
        if self.name == "dask":
            import dask.dataframe as dd

            return dd.from_pandas(table.to_pandas(), npartitions=parts, sort=False)
        return self.session.createDataFrame(table).repartition(2)

    def table(self, frame: Any, roles: dict[str, str]) -> EngineTable:
        """The frame as the plan sees it. Eager frames, too, stay in their library here."""
        if self.name in ("pandas", "arrow"):
            import narwhals.stable.v2 as nw

            own = nw.from_native(frame).select(
                *(nw.col(name).alias(f"{role}_") for role, name in roles.items())
            )
            return FrameTable(self.name, Source(columns=roles), native=frame, own=own)
        with opened(frame, roles, engine=None, memory=10**9, tell=say_nothing) as table:
            return table


BACKENDS = (
    Backend("pandas", "pandas"),
    Backend("polars", "polars"),
    Backend("polars-lazy", "polars"),
    Backend("arrow", "pyarrow"),
    Backend("duckdb", "duckdb"),
    Backend("dask", "dask"),
)
IN_MEMORY = ("pandas", "polars", "arrow")
"""Frames that count_scores reads whole unless an engine is named."""
