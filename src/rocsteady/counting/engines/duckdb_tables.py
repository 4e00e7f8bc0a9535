"""DuckDB, the engine for one machine: files, and frames that are in memory already."""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rocsteady.counting.engines.duckdb_budget import coded_failures, our_database
from rocsteady.counting.engines.footers import Footers, footers_of, metadata_of
from rocsteady.counting.engines.tables import SAMPLE_ROWS, EngineTable, Tell, say_nothing
from rocsteady.errors import DataError, FileError
from rocsteady.scores.arrays import Source
from rocsteady.scores.column_names import choose_columns, role_kind
from rocsteady.scores.database import interruptible, quoted
from rocsteady.scores.files import cleaned_text, json_table, parquet_columns, text_table
from rocsteady.scores.locating import File
from rocsteady.scores.page_checksums import require_sound_pages
from rocsteady.words import printable

_BATCH = 1 << 20
_PATIENCE = 0.1
"""Seconds between two looks at how far a query is."""
_SIZES = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_INTEGERS = (*_SIZES, *(f"U{size}" for size in _SIZES))
_NUMBERS = (*_INTEGERS, "FLOAT", "DOUBLE", "DECIMAL")


@dataclass
class DuckdbTable(EngineTable):
    """Rows that SQL over a DuckDB of our own gives, as often as asked."""

    database: Any = None
    sql: str = ""
    sampled: str = ""
    _views: list[Any] = field(default_factory=list)
    streams: ClassVar[bool] = True

    def frame(self) -> Any:
        """A relation that is read when it is collected."""
        import narwhals.stable.v2 as nw

        return nw.from_native(self.database.sql(self.sql))

    def small(self, table: Any) -> Any:
        """A relation over an Arrow table."""
        import narwhals.stable.v2 as nw

        self._views.append(table)  # DuckDB reads it where it is, later
        return nw.from_native(self.database.from_arrow(table))

    def collect(self, frame: Any, what: str) -> Any:
        """Run the query, telling how far it is; Ctrl-C stops it."""
        relation = frame.to_native()
        read = _method(relation, "to_arrow_table", "fetch_arrow_table")
        return self._watched(read, what)

    def sample(self, score: str) -> Any:
        """Rows from all over the table."""
        import narwhals.stable.v2 as nw

        frame = nw.from_native(self.database.sql(self.sampled)) if self.sampled else None
        if frame is None:
            every = max(1, (self.n_rows or 0) // SAMPLE_ROWS)
            inner = f"SELECT *, row_number() OVER () AS row_ FROM ({self.sql})"
            some = f"SELECT * FROM ({inner}) WHERE row_ % {every} = 0 LIMIT {SAMPLE_ROWS}"
            frame = nw.from_native(self.database.sql(some))
        rows = frame.select("label_", nw.col(score).alias("score_"))
        return self.collect(rows, "Looking at some rows")

    def stream(self, frame: Any) -> Iterator[Any]:
        """Batches as DuckDB makes them; it reads ahead, in threads of its own."""
        return _streamed(frame)

    def _watched(self, read: Callable[[], Any], what: str) -> Any:
        self.tell(what, None)
        done: list[Any] = []
        failed: list[BaseException] = []
        # Not Thread.join: after Ctrl-C in it, Python 3.11 takes a thread for finished that is not.
        finished = threading.Event()

        def run() -> None:
            try:
                done.append(read())
            except BaseException as error:
                failed.append(error)
            finally:
                finished.set()

        threading.Thread(target=run, daemon=True).start()
        try:
            while not finished.wait(_PATIENCE):
                self.tell(what, self._share())
        except BaseException:
            while not finished.is_set():  # again and again: the query may not have begun
                with suppress(Exception):
                    self.database.interrupt()
                finished.wait(_PATIENCE)
            raise
        if failed:
            raise failed[0]
        return done[0]

    def _share(self) -> float | None:
        with suppress(Exception):
            percent = self.database.query_progress()
            if 0 <= percent <= 100:
                return float(percent) / 100
        return None


@contextmanager
def of_parquet(
    files: list[File], given: Mapping[str, str], *, memory: int, tell: Tell = say_nothing
) -> Iterator[DuckdbTable]:
    """Parquet files, read in place; folders called key=value are columns."""
    first, metadata = files[0], metadata_of(files)
    with our_database(first, memory) as database:
        paths = ", ".join("'" + file.pattern.replace("'", "''") + "'" for file in files)
        names = parquet_columns(database, first)
        keys = {part.split("=")[0] for part in first.path.parts[:-1] if "=" in part}
        # What a file says of its rows goes before what its folder is called.
        hive = str(len(files) > 1 and bool(keys) and not keys & set(names)).lower()
        table = f"read_parquet([{paths}], hive_partitioning = {hive}{_beware_of_nan(database, first)})"
        relation = database.sql(f"SELECT * FROM {table}")
        names += [column for column in relation.columns[len(names) :] if column not in names]
        name = first.name if len(files) == 1 else f"{first.name} and {len(files) - 1} more files"
        roles, chosen = choose_columns(names, given, name)
        own = {role: relation.columns[names.index(column)] for role, column in roles.items()}
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        source = Source(name=name, columns=roles, text_labels=True)
        _require_numbers({role: types[own[role]] for role in own}, source)
        picked = _picked(own, types)
        footers = footers_of(files, metadata, roles)
        for file in files:
            require_sound_pages(database, file, roles.values())
        ((n_rows,),) = database.execute(f"SELECT count(*) FROM {table}").fetchall()
        integers = _whole_numbers({role: types[own[role]] for role in own})
        yield DuckdbTable(
            "duckdb", source, chosen, int(n_rows), integers, tell, footers,
            database=database, sql=f"SELECT {picked} FROM {table}",
            sampled=_sampled_row_groups(files, picked, footers),
        )  # fmt: skip


@contextmanager
def of_text(
    files: list[File], given: Mapping[str, str], *, memory: int, tell: Tell = say_nothing
) -> Iterator[DuckdbTable]:
    """A CSV, TSV or JSON lines file: parsed once into a temporary file, so that later passes are quick."""
    if len(files) > 1:
        raise FileError(
            "RS054",
            "only Parquet files can be counted together.",
            f"found: {len(files)} {files[0].kind} files",
            "count one after the other and add the counts, or write them as Parquet",
        )
    (file,) = files
    with tempfile.TemporaryDirectory(prefix="rocsteady-") as folder:
        text = None if file.kind == "JSON lines" else text_table(file, given)
        dialect, n_columns = (None, 0) if text is None else (text.dialect, text.n_columns)
        with our_database(file, memory, dialect, n_columns, place=f"{folder}/rows.duckdb") as database:
            tell(f"Reading {printable(file.name)}", None)
            text = text or json_table(database, file, given)
            values = cleaned_text(database, text, storage="TABLE")
            picked = ", ".join(f"{sql} AS {role}_" for role, sql in values.items())
            ((n_rows,),) = database.execute("SELECT count(*) FROM clean").fetchall()
            integers = {role: 0 for role in score_roles(values) if "BIGINT" in values[role]}
            yield DuckdbTable(
                "duckdb", text.source, text.chosen, int(n_rows), integers, tell,
                database=database, sql=f"SELECT {picked} FROM clean",
            )  # fmt: skip


@contextmanager
def of_frame(
    frame: Any, names: Sequence[str], named: Mapping[str, str], *, memory: int, tell: Tell = say_nothing
) -> Iterator[DuckdbTable]:
    """A pandas or Arrow table with columns of these names, read where it is."""
    with our_database(None, memory) as database:
        source = Source(columns=named)
        if type(frame).__module__.split(".")[0] == "pandas":
            names = list(dict.fromkeys(named.values()))
            frame = _typed(frame[names])
        database.register("given", frame)
        known, kinds = _described(database, "given")  # of names that differ only in case, one is another here
        own = {role: known[names.index(name)] for role, name in named.items()}
        types = dict(zip(known, kinds, strict=True))
        _require_numbers({role: types[name] for role, name in own.items()}, source)
        picked = _picked(own, types)
        integers = _whole_numbers({role: types[name] for role, name in own.items()})
        sql = f"SELECT {picked} FROM given"
        yield DuckdbTable("duckdb", source, {}, None, integers, tell, database=database, sql=sql)


def _typed(frame: Any) -> Any:
    """A pandas frame as Arrow: of columns of objects DuckDB looks at some rows, and casts the others."""
    import pyarrow as pa

    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise DataError(
            "RS034",
            "a column of the frame holds values of several kinds, or of one that cannot be counted.",
            (str(error).splitlines() or [type(error).__name__])[0],
            "give every column one type:  frame.astype({'column': float})",
        ) from error


@dataclass
class RelationTable(EngineTable):
    """A relation of somebody else's DuckDB: everything happens in their connection."""

    relation: Any = None
    named: Mapping[str, str] = field(default_factory=dict)
    _views: list[Any] = field(default_factory=list)
    streams: ClassVar[bool] = True

    def frame(self) -> Any:
        """The relation, its columns called by their roles."""
        import narwhals.stable.v2 as nw

        types = dict(zip(self.relation.columns, map(str, self.relation.types), strict=True))
        return nw.from_native(self.relation.project(_picked(self.named, types)))

    def small(self, table: Any) -> Any:
        """A relation of the same connection: DuckDB finds the table by the name that it has here."""
        import narwhals.stable.v2 as nw

        rocsteady_table = table
        self._views.append(rocsteady_table)
        with coded_failures():  # settings of a connection may forbid it
            return nw.from_native(self.relation.query("rocsteady_rows", "SELECT * FROM rocsteady_table"))

    def collect(self, frame: Any, what: str) -> Any:
        """Run the query in the thread that has the connection."""
        self.tell(what, None)
        relation = frame.to_native()
        with coded_failures(), interruptible():
            return _method(relation, "to_arrow_table", "fetch_arrow_table")()

    def stream(self, frame: Any) -> Iterator[Any]:
        """Batches as DuckDB makes them; it reads ahead, in threads of its own."""
        return _streamed(frame)


def of_relation(relation: Any, named: Mapping[str, str], *, tell: Tell = say_nothing) -> RelationTable:
    """Somebody else's relation."""
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    source = Source(columns=named)
    _require_numbers({role: types[name] for role, name in named.items()}, source)
    integers = _whole_numbers({role: types[name] for role, name in named.items()})
    return RelationTable("duckdb", source, {}, None, integers, tell, relation=relation, named=named)


def _streamed(frame: Any) -> Iterator[Any]:
    relation = frame.to_native()
    reader = _method(relation, "to_arrow_reader", "fetch_arrow_reader")
    with coded_failures(), interruptible():
        yield from reader(_BATCH)


def _method(relation: Any, name: str, before: str) -> Any:
    """A method of a relation by the name that it has, or had before."""
    return getattr(relation, name, None) or getattr(relation, before)


def score_roles(roles: Mapping[str, str]) -> list[str]:
    """``score``, or all of several."""
    return [role for role in roles if role_kind(role) == "score"]


def _picked(columns: Mapping[str, str], types: Mapping[str, str]) -> str:
    """SQL for columns called by their roles.

    DuckDB takes it from the footer of a Parquet file that a column has no NaN, while footers do not speak of
    NaN; then ``isnan`` is false without a look. Behind a condition it knows nothing of the column, and looks.
    """
    picked = []
    for role, column in columns.items():
        name = quoted(column)
        if types[column] in ("FLOAT", "DOUBLE"):
            name = f"CASE WHEN {name} IS NULL THEN NULL ELSE {name} END"
        picked.append(f"{name} AS {role}_")
    return ", ".join(picked)


def _beware_of_nan(database: Any, file: File) -> str:
    """The option that tells DuckDB the same, where it has it."""
    import duckdb

    path = file.pattern.replace("'", "''")
    try:
        database.sql(f"SELECT * FROM read_parquet('{path}', can_have_nan = true)")
    except duckdb.BinderException:
        return ""
    return ", can_have_nan = true"


def _whole_numbers(types: Mapping[str, str]) -> dict[str, int]:
    """Scores that are integers or decimals, and how many digits the latter have behind the point."""
    found = {role: 0 for role in score_roles(types) if types[role] in _INTEGERS}
    for role in score_roles(types):
        decimal = re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", types[role])
        if decimal:
            found[role] = int(decimal[2])
    return found


def _described(database: Any, table: str) -> tuple[list[str], list[str]]:
    rows = database.execute(f"DESCRIBE {table}").fetchall()
    return [row[0] for row in rows], [row[1] for row in rows]


def _require_numbers(types: Mapping[str, str], source: Source) -> None:
    for role in types:
        kind = role_kind(role)
        if kind in ("score", "weight") and types[role].split("(")[0] not in _NUMBERS:
            raise DataError(
                "RS033" if kind == "score" else "RS037",
                source.not_numeric(role),
                f"type {types[role]}",
                f"name the column that holds the {kind}, or make its values numbers first",
            )


def _sampled_row_groups(files: list[File], picked: str, footers: Footers | None) -> str:
    """SQL for rows of up to eight files, in up to eight blocks each: nothing else of them is read."""
    some = [files[i * len(files) // min(len(files), 8)] for i in range(min(len(files), 8))]
    each = SAMPLE_ROWS // len(some)
    if footers is not None and footers.n_rows <= SAMPLE_ROWS:
        return ""
    parts = []
    for file in some:
        path = file.pattern.replace("'", "''")
        n_rows = 0 if footers is None else footers.rows_of.get(str(file.path), 0)
        blocks = 8 if n_rows > each else 1  # all over a file, which may be sorted
        for i in range(blocks):
            start = i * (n_rows // blocks)
            table = f"read_parquet('{path}', file_row_number = true)"
            parts.append(
                f"(SELECT {picked} FROM {table} "
                f"WHERE file_row_number >= {start} AND file_row_number < {start + each // blocks})"
            )
    return " UNION ALL ".join(parts)
