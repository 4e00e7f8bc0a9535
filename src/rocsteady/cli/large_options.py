"""Options of commands that take tables of any size, and what is typed behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli.columns import panel_option
from rocsteady.errors import fail

if TYPE_CHECKING:
    from rocsteady.counting.cells import Tolerance

_PANEL = "Large tables"


LargeFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="CSV, TSV, Parquet or JSON lines of any size, one row per scored case; a folder or a quoted "
        'pattern of Parquet files; what "rocsteady count" wrote; .imrmc, a reader study (report and '
        'average). "-" reads CSV from standard input.',
        show_default=False,
    ),
]


class Engine(StrEnum):
    """What reads the rows."""

    MEMORY = "memory"
    DUCKDB = "duckdb"
    POLARS = "polars"
    DASK = "dask"
    SPARK = "spark"


EngineOption = Annotated[
    Engine | None,
    panel_option(
        "--engine",
        panel=_PANEL,
        metavar="ENGINE",
        help="What reads the rows: memory, duckdb, polars, dask or spark. Without it: memory if they fit, "
        "else duckdb.",
    ),
]
ToleranceOption = Annotated[
    list[str] | None,
    panel_option(
        "--tolerance",
        panel=_PANEL,
        metavar="X",
        help="How far areas and rates of any group may be from the truth where rows are counted: 0.001, or "
        "auc=1e-6, rate=1e-3; 0 asks for exact curves. Without it cells are counted once, and their bounds "
        "are told.",
    ),
]
MemoryOption = Annotated[
    str,
    panel_option(
        "--memory",
        panel=_PANEL,
        metavar="SIZE",
        help="Memory that may be used; what needs more is counted in place.",
        show_default=True,
    ),
]
MEMORY = "2GB"


@dataclass(frozen=True)
class Large:
    """How a table that does not fit is dealt with."""

    engine: str | None = None
    tolerance: Any = None
    memory: str = MEMORY
    tell: Any = field(default=None, repr=False)

    @property
    def is_asked(self) -> bool:
        """Whether rows are to be counted in any case."""
        return self.engine not in (None, "memory") or self.tolerance is not None


def large_of(engine: Engine | None, tolerance: list[str] | None, memory: str) -> Large:
    """The options together; RS042 for what is no tolerance or no size."""
    from rocsteady.counting.cells import memory_of

    memory_of(memory)
    return Large(None if engine is None else engine.value, _tolerance(tolerance), memory)


def _tolerance(given: list[str] | None) -> Tolerance | None:
    from rocsteady.counting.cells import tolerance_of

    if not given:
        return None
    parts = [part for text in given for part in text.split(",")]
    asked: dict[str, float] = {}
    for part in parts:
        name, _, value = part.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        for own in ("auc", "rate") if not name else (name.strip().casefold(),):
            asked[own] = number
    if not set(asked) <= {"auc", "rate"} or any(value != value for value in asked.values()):  # noqa: PLR0124
        where = "a number from 0 to below 0.5, for areas (auc=) and rates (rate=) or for both"
        ways = ["--tolerance 0.001", "--tolerance auc=1e-6"]
        raise fail("RS042", name="--tolerance", where=where, found=", ".join(given), ways=ways)
    return tolerance_of(asked)
