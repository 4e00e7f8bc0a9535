"""A DuckDB of our own, within a budget; what it complains about, and other DuckDBs do, in our codes."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from rocsteady.counting.engines.other_tables import engine_failures
from rocsteady.errors import DataError, FileError, Option
from rocsteady.scores.files import open_database
from rocsteady.scores.locating import File


@contextmanager
def our_database(
    file: File | None, memory: int, dialect: Any = None, n_columns: int = 0, *, place: str = ":memory:"
) -> Iterator[Any]:
    """A DuckDB with a budget, whose complaints about room are RS400."""
    import duckdb

    named = file or File(None, "the table", "Parquet")  # type: ignore[arg-type]
    with (
        tempfile.TemporaryDirectory(prefix="rocsteady-") as spilled,
        open_database(named, dialect, n_columns, place=place) as database,
    ):
        database.execute(f"SET memory_limit = '{max(memory // 2, 200_000_000)}B'")
        database.execute(f"SET temp_directory = '{spilled}'")
        database.execute("SET preserve_insertion_order = false")
        with suppress(duckdb.Error):  # the bar is ours
            database.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
        try:
            yield database
        except duckdb.Error as error:
            raise _no_room(error, spilled) or _not_read(error) or error from error
        except FileError as error:
            if file is None and error.code == "RS053":  # there is no file to blame
                raise _not_read(error.__cause__ or error) or error from error
            raise


def _not_read(error: BaseException) -> DataError | None:
    """RS402 for what DuckDB makes nothing of: columns of a kind it does not know, folders of other keys."""
    import duckdb

    if isinstance(error, duckdb.InterruptException):
        return None
    reason = (str(error).splitlines() or [type(error).__name__])[0]
    remedy = "give columns plain types, and files of a folder the same columns and key=value folders"
    return DataError("RS402", "DuckDB cannot read this table.", reason, remedy)


def _no_room(error: Exception, folder: str) -> DataError | None:
    text = str(error)
    complaints = ("Out of Memory", "No space left", "offload", "quota exceeded")
    if not any(complaint in text for complaint in complaints):
        return None
    with suppress(OSError):
        free = shutil.disk_usage(folder).free
        text = f"{text.splitlines()[0]}; free in the folder of temporary files: {free / 1e9:.1f} GB"
    return DataError(
        "RS400",
        "DuckDB ran out of memory, or of room for its temporary files.",
        text,
        ["allow more memory:  ", Option("memory", "4GB")],
        "or more room: set TMPDIR to a folder on another disk",
    )


@contextmanager
def coded_failures() -> Iterator[None]:
    """RS400 where room is short, else RS402: in a stream DuckDB's complaints come as errors of Arrow."""
    with engine_failures("DuckDB"):
        try:
            yield
        except Exception as error:
            raise _no_room(error, tempfile.gettempdir()) or error from error
