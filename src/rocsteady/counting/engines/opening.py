"""What was handed over, opened in the engine that reads it."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rocsteady.counting.arguments import one_of
from rocsteady.counting.engines import duckdb_tables
from rocsteady.counting.engines.footers import footers_of, metadata_of
from rocsteady.counting.engines.other_tables import (
    DaskTable,
    FrameTable,
    PolarsTable,
    SparkTable,
    engine_failures,
    spark_settings,
)
from rocsteady.counting.engines.tables import EngineTable, Tell
from rocsteady.errors import DataError, FileError, MissingPackageError, Option, UsageError
from rocsteady.scores.arrays import Source, index_of, require_one_index
from rocsteady.scores.column_names import choose_columns, list_columns, require_columns, role_kind
from rocsteady.scores.files import open_database
from rocsteady.scores.locating import File, located
from rocsteady.scores.page_checksums import require_sound_pages
from rocsteady.words import printable

ENGINES = ("memory", "duckdb", "polars", "dask", "spark")
"""Which can be asked for; a frame that is given stays in its own unless another is named."""
_TEXT = (".csv", ".tsv", ".jsonl", ".ndjson")
_ENDINGS = (".parquet", *_TEXT, *(f"{ending}.gz" for ending in _TEXT))
_LIBRARIES = {"pyspark": "spark", "dask": "dask", "dask_expr": "dask", "polars": "polars"}


def is_path(source: object) -> bool:
    """Whether files were named: a path, a pattern, a folder or a list of paths."""
    if isinstance(source, str | bytes | os.PathLike):
        return True
    return isinstance(source, list | tuple) and all(isinstance(part, str | os.PathLike) for part in source)


def files_named(source: Any) -> list[str]:
    """The paths that a path, a pattern, a folder or a list of them stands for.

    A pattern may name a folder and what is in it: each file is counted once. One that is named twice in a
    list is no accident of a pattern, and is counted as often.
    """
    if isinstance(source, list | tuple):
        if not source:
            raise UsageError("RS001", "no file is named.", "found: an empty list", "name at least one")
        return [path for part in source for path in files_named(part)]
    name = os.fsdecode(source)
    if os.path.isdir(name):
        inside = sorted(
            str(path)
            for path in Path(name).rglob("*")
            if path.is_file() and path.name.lower().endswith(_ENDINGS) and not _is_hidden(path, Path(name))
        )
        if not inside:
            raise FileError(
                "RS052", f"{name} is a directory.", "no score files in it", "name a folder of Parquet files"
            )
        return _once(inside)
    if os.path.exists(name) or not glob.has_magic(name):
        return [name]
    found = [own for own in sorted(glob.glob(name, recursive=True)) if not _is_left_behind(own, name)]
    if not found:
        raise FileError("RS051", f"no file fits {name}.", "found: none", "check the pattern and the folder")
    return _once([path for part in found for path in files_named(part)])


def _once(paths: list[str]) -> list[str]:
    """Each file once, whatever links lead to it."""
    return list({os.path.realpath(path): path for path in reversed(paths)}.values())[::-1]


def _is_hidden(path: Path, folder: Path) -> bool:
    """Spark leaves _SUCCESS and .crc files beside its parts."""
    return any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)


def _is_left_behind(path: str, pattern: str) -> bool:
    """Whether a pattern met what nobody named: files that are being written, and notes beside them."""
    asked = pattern.split("/")
    return any(part.startswith(("_", ".")) and part not in asked for part in path.split("/")) or (
        os.path.isfile(path) and not path.lower().endswith(_ENDINGS) and "**" in pattern
    )


@contextmanager
def opened(
    source: Any, given: Mapping[str, str], *, engine: str | None, memory: int, tell: Tell
) -> Iterator[EngineTable]:
    """The table in its engine, until the block ends."""
    engine = None if engine is None else one_of("engine", engine, ENGINES)
    if is_path(source):
        with _opened_files(
            files_named(source), given, engine=engine or "duckdb", memory=memory, tell=tell
        ) as table:
            yield table
        return
    with _opened_frame(source, given, engine=engine, memory=memory, tell=tell) as table:
        yield table


@contextmanager
def _opened_files(
    paths: list[str], given: Mapping[str, str], *, engine: str, memory: int, tell: Tell
) -> Iterator[EngineTable]:
    with ExitStack() as stack:
        files = [stack.enter_context(located(path)) for path in paths]
        _require_one_kind(files)
        is_parquet = files[0].kind == "Parquet"
        if engine == "duckdb":
            read = duckdb_tables.of_parquet if is_parquet else duckdb_tables.of_text
            yield stack.enter_context(read(files, given, memory=memory, tell=tell))
            return
        if not is_parquet:
            raise UsageError(
                "RS002",
                f"{engine} is given Parquet files here, nothing else.",
                f"found: {files[0].kind}",
                ["let DuckDB read them:  ", Option("engine", "duckdb")],
            )
        metadata = metadata_of(files)
        with engine_failures(engine.capitalize()):
            frame = _scanned([str(file.path.absolute()) for file in files], engine)
            names = _columns_of(frame)
        roles, chosen = choose_columns(names, given, files[0].name)
        footers = footers_of(files, metadata, roles)
        for file in files:
            with open_database(file) as database:
                require_sound_pages(database, file, roles.values())
        table = stack.enter_context(_opened_frame(frame, roles, engine=None, memory=memory, tell=tell))
        table.chosen, table.footers = chosen, footers
        table.source = replace(table.source, name=files[0].name)
        yield table


def _require_one_kind(files: Sequence[File]) -> None:
    kinds = sorted({file.kind for file in files})
    if len(kinds) > 1 or kinds == ["iMRMC"]:
        raise FileError(
            "RS054",
            "these files cannot be counted together." if len(kinds) > 1 else "a reader study is not counted.",
            f"found: {', '.join(kinds)}",
            "name files of one kind: Parquet, or one CSV, TSV or JSON lines file",
        )


def _scanned(paths: list[str], engine: str) -> Any:
    try:
        if engine == "polars":
            import polars as pl

            return pl.scan_parquet(paths, glob=False)
        if engine == "dask":
            import dask.dataframe as dd

            return dd.read_parquet([glob.escape(path) for path in paths])
        from pyspark.sql import SparkSession

        with spark_settings():
            session = SparkSession.builder.getOrCreate()
            return session.read.parquet(*(re.sub(r"([\\*?\[\]{},])", r"\\\1", path) for path in paths))
    except ImportError as error:
        raise _not_installed(engine) from error


def _not_installed(engine: str) -> MissingPackageError:
    return MissingPackageError(
        "RS061", f"{engine} is not installed.", "", f"pip install 'rocsteady[{engine}]'"
    )


def _columns_of(frame: Any) -> list[str]:
    import narwhals.stable.v2 as nw

    return list(nw.from_native(frame).collect_schema().names())


@contextmanager
def _opened_frame(
    frame: Any, named: Mapping[str, str], *, engine: str | None, memory: int, tell: Tell
) -> Iterator[EngineTable]:
    import narwhals.stable.v2 as nw

    if hasattr(frame, "to_native"):  # a narwhals frame, of whichever of its versions
        frame = frame.to_native()
    library = _LIBRARIES.get(type(frame).__module__.split(".")[0], "duckdb")
    if isinstance(frame, Mapping):
        indexes = {role: index_of(frame[name]) for role, name in named.items() if name in frame}
        require_one_index(indexes, Source(columns=named))
        frame, library = _as_arrow(frame), "duckdb"
    if engine not in (None, library, "duckdb") or (engine == "duckdb" and library in ("dask", "spark")):
        raise UsageError(
            "RS002",
            f"this frame cannot be handed to {engine}.",
            f"type {type(frame).__module__}.{type(frame).__qualname__}",
            f"leave the engine out: it stays in {library}",
        )
    if library == "duckdb" or engine == "duckdb":
        names = _frame_columns(frame)
        require_columns(names, named)
        if _is_relation(frame):
            yield duckdb_tables.of_relation(frame, named, tell=tell)
            return
        with duckdb_tables.of_frame(frame, names, named, memory=memory, tell=tell) as table:
            yield table
        return
    try:
        whole = nw.from_native(frame)
    except TypeError as error:
        raise _no_table(frame) from error
    schema = whole.collect_schema()
    require_columns(schema.names(), named)
    source = Source(columns=named)
    _require_numeric(schema, named, source)
    _require_plain_names(named, library)
    own = whole.select(*(nw.col(name).alias(f"{role}_") for role, name in named.items()))
    kinds = {"polars": PolarsTable, "dask": DaskTable, "spark": SparkTable}
    yield kinds.get(library, FrameTable)(
        library,
        source,
        {},
        None,
        _whole_numbers(schema, named, frame),
        tell,
        native=frame,
        own=own,
    )


def _require_plain_names(named: Mapping[str, str], library: str) -> None:
    """RS034 for names that an engine takes for something else: fields of a column, patterns of names."""
    for name in named.values():
        is_read_so = "." in name or "`" in name
        if (library == "spark" and is_read_so) or (library == "polars" and name[:1] + name[-1:] == "^$"):
            raise DataError(
                "RS034",
                f'{library.capitalize()} does not take "{printable(name)}" for the name of a column.',
                "a dot is a field in Spark, ^...$ a pattern in Polars",
                "rename the column first",
            )


def _whole_numbers(schema: Any, named: Mapping[str, str], frame: Any) -> dict[str, int]:
    """Scores that are integers or decimals, and how many digits the latter have behind the point."""
    found = {}
    for role in duckdb_tables.score_roles(named):
        kind = schema[named[role]]
        if kind.is_decimal() and not hasattr(kind, "scale") and hasattr(frame, "collect_schema"):
            kind = frame.collect_schema()[named[role]]  # Polars knows; older versions of narwhals do not tell
            found[role] = int(kind.scale)
        elif kind.is_integer() or kind.is_decimal():
            found[role] = int(getattr(kind, "scale", 0) or 0)
    return found


def _frame_columns(frame: Any) -> list[Any]:
    if _is_relation(frame):
        return list(frame.columns)
    from narwhals.exceptions import DuplicateError

    try:
        return _columns_of(frame)
    except TypeError as error:
        raise _no_table(frame) from error
    except DuplicateError as error:
        reason = " ".join(str(error).split())
        raise DataError(
            "RS012", "two columns have one name.", reason, "rename all but one of them"
        ) from error


def _is_relation(frame: Any) -> bool:
    # Never imported to look at it. While another thread imports it, it may lack the class: then this is none.
    return isinstance(frame, getattr(sys.modules.get("duckdb"), "DuckDBPyRelation", ()))


def _no_table(frame: Any) -> UsageError:
    return UsageError(
        "RS001",
        "this is not a table that can be counted.",
        f"type {type(frame).__module__}.{type(frame).__qualname__}",
        "pass a path, or a pandas, Polars, Arrow, DuckDB, Dask or Spark table",
    )


def _as_arrow(columns: Mapping[str, Any]) -> Any:
    import pyarrow as pa

    try:
        return pa.table({str(name): pa.array(values) for name, values in columns.items()})
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise DataError(
            "RS034",
            "the columns do not make a table: each needs values of one type, all as many.",
            (str(error).splitlines() or [type(error).__name__])[0],
            "pass arrays of one length",
        ) from error


def _require_numeric(schema: Any, named: Mapping[str, str], source: Source) -> None:
    for role in named:
        if role_kind(role) in ("score", "weight") and not schema[named[role]].is_numeric():
            raise DataError(
                "RS033" if role_kind(role) == "score" else "RS037",
                source.not_numeric(role),
                f"type {schema[named[role]]}; columns: {list_columns(schema.names())}",
                f"name the column that holds the {role}, or make its values numbers first",
            )
