"""Data engines: tables of any size, asked for rows, counts and samples.

DuckDB reads files, and frames that are in memory; frames of Polars, Dask and Spark stay where they are.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import narwhals.stable.v2 as nw
import numpy as np

from rocsteady.errors import RocsteadyError, fail, first_line
from rocsteady.options import one_of
from rocsteady.scores.columns import Source, index_of, require_one_index, role_kind
from rocsteady.scores.files import (
    File,
    cleaned_text,
    located,
    open_database,
    parquet_table,
    require_sound_pages,
)
from rocsteady.scores.frames import choose_columns, interruptible, quoted, require_columns, sql_text
from rocsteady.words import printable

# What engines complain about, in our codes
# -----------------------------------------


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
        kind, lacking = type(error).__name__, [line for line in lines if "ModuleNotFoundError" in line]
        if engine == "Spark" and lacking:
            raise fail("RS402.spark-python", kind=kind, reason=lacking[-1]) from error
        raise fail("RS402.unfinished", engine=engine, kind=kind, reason=reason) from error


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
def our_database(file: File | None, memory: int, *, place: str = ":memory:") -> Iterator[Any]:
    """A DuckDB of our own with a budget, whose complaints about room are RS400."""
    import duckdb

    named = file or File(None, "the table", "Parquet")  # type: ignore[arg-type]
    with (
        tempfile.TemporaryDirectory(prefix="rocsteady-") as spilled,
        open_database(named, place=place) as database,
    ):
        database.execute(f"SET memory_limit = '{max(memory // 2, 200_000_000)}B'")
        database.execute(f"SET temp_directory = '{spilled}'")
        database.execute("SET preserve_insertion_order = false")
        with suppress(duckdb.Error):  # the bar is ours
            database.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
        try:
            yield database
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:  # columns of a kind that it does not know, folders of other keys
            not_read = fail("RS402.not-read", reason=first_line(error))
            raise _no_room(error, spilled) or not_read from error


@contextmanager
def coded_failures() -> Iterator[None]:
    """RS400 where room is short, else RS402: in a stream DuckDB's complaints come as errors of Arrow."""
    with engine_failures("DuckDB"):
        try:
            yield
        except Exception as error:
            raise _no_room(error, tempfile.gettempdir()) or error from error


def _no_room(error: Exception, folder: str) -> RocsteadyError | None:
    text = str(error)
    complaints = ("Out of Memory", "No space left", "offload", "quota exceeded")
    if not any(complaint in text for complaint in complaints):
        return None
    with suppress(OSError):
        free = shutil.disk_usage(folder).free
        text = f"{text.splitlines()[0]}; free in the folder of temporary files: {free / 1e9:.1f} GB"
    return fail("RS400.duckdb", found=text)


# What Parquet files say about themselves
# ---------------------------------------

_Ends = tuple[float | None, float | None]


@dataclass(frozen=True)
class Footers:
    """Rows and ranges of the scores, over all files."""

    n_rows: int  # one file that is named twice counts twice
    ends: Mapping[str, _Ends]  # by role; None where a file keeps no statistics, or only of some rows
    rows_of: Mapping[str, int]  # by path


def metadata_of(files: list[File]) -> list[Any] | None:
    """The footer of every file, RS053 if one has none; None where only an engine may be able to read them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = []
    for file in files:
        try:
            found.append(pq.read_metadata(file.path))
        except pa.ArrowInvalid as error:
            raise fail("RS053.footer", name=file.name, reason=first_line(error)) from error
        except (pa.ArrowException, OSError):
            return None
    return found


def footers_of(files: list[File], metadata: list[Any] | None, columns: Mapping[str, str]) -> Footers | None:
    """What the footers say about columns, by role; RS054 if a column has another type in another file."""
    if metadata is None:
        return None
    ends = {}
    for role, column in columns.items():
        positions, kinds = [], []
        for own in metadata:
            found = {own.schema.column(i).path: i for i in range(own.num_columns)}
            positions.append(found.get(column))
            kinds.append("" if column not in found else _kind(own.schema.column(found[column])))
        other = next((i for i, kind in enumerate(kinds) if kind != kinds[0]), None)
        if other is not None:  # alike in all, or in none: a folder called key=value has it then
            shown = [f"{kinds[i] or 'missing'} in {printable(files[i].name)}" for i in (0, other)]
            raise fail("RS054.types", column=printable(column), shown=", ".join(shown))
        if role_kind(role) == "score":
            ends[role] = _ends(metadata, positions)
    rows_of = {str(file.path): own.num_rows for file, own in zip(files, metadata, strict=True)}
    return Footers(sum(own.num_rows for own in metadata), ends, rows_of)


def _kind(column: Any) -> str:
    logical = str(column.logical_type)
    return f"{column.physical_type} ({logical})" if logical not in ("None", "") else str(column.physical_type)


def _ends(metadata: list[Any], positions: list[int | None]) -> _Ends:
    """The lowest and the highest value of a column of plain numbers by the statistics of all blocks."""
    ends = []
    for own, position in zip(metadata, positions, strict=True):
        for i in range(own.num_row_groups if position is not None else 0):
            statistics = own.row_group(i).column(position).statistics
            if statistics is None or not statistics.has_min_max:
                return None, None
            if not all(isinstance(end, int | float) for end in (statistics.min, statistics.max)):
                return None, None  # decimals are rounded on their way
            ends.append((float(statistics.min), float(statistics.max)))
    # A file without NaN keeps exact limits; one with NaN may keep none, and then nothing is compared.
    if not ends or np.isnan(ends).any():
        return None, None
    return min(low for low, _ in ends), max(high for _, high in ends)


# A table in its engine: what the ladder asks of every one of them
# ----------------------------------------------------------------

SAMPLE_ROWS = 200_000
"""Rows of a sample: enough to see where the cells of one in a thousand rows begin."""
Tell = Callable[[str, float | None], None]
"""Is told what is done, and how far it is (0 to 1, or None where nobody knows)."""


def say_nothing(what: str, share: float | None) -> None:
    """What is told to nobody."""


@dataclass
class EngineTable(ABC):
    """Rows that an engine can read as often as it is asked, with columns called by their roles.

    ``integers`` has the role of scores that are whole numbers, and the power of ten they are divided by:
    0, or the scale of decimals. Floats cannot tell them apart from 2**53 on.
    """

    engine: str
    source: Source  # how messages call the table and its columns
    chosen: Mapping[str, str] = field(default_factory=dict)  # role to column, where nobody named it
    integers: Mapping[str, int] = field(default_factory=dict)
    tell: Tell = say_nothing
    footers: Footers | None = None  # of Parquet files
    own: Any = None  # the narwhals frame, its columns called by their roles
    streams: ClassVar[bool] = False

    def frame(self) -> Any:
        """The table as a narwhals frame, to be read once."""
        return self.own

    @abstractmethod
    def small(self, table: Any) -> Any:
        """A small Arrow table as a narwhals frame of this engine."""

    @abstractmethod
    def collect(self, frame: Any, what: str) -> Any:
        """Let the engine do its work; the result as an Arrow table."""

    def some(self, n_rows: int) -> Any:
        """Some of so many rows as a frame; the more alike to all the better."""
        return self.frame().head(SAMPLE_ROWS)

    def sample(self, score: str, n_rows: int) -> Any:
        """Some of so many rows as an Arrow table, label_ and score_."""
        rows = self.some(n_rows).select("label_", nw.col(score).alias("score_"))
        return self.collect(rows, "Looking at some rows")

    def stream(self, frame: Any) -> Iterator[Any]:
        """The record batches of a frame, as the engine makes them."""
        yield from self.collect(frame, "Reading the rows").to_batches()

    def place(self, frame: Any, work: Callable[[Iterator[Any]], Any]) -> list[Any]:
        """Give the record batches of a frame to ``work``, where they are; what it returned, one by one."""
        return [work(self.stream(frame))]

    def check(self, score: str, ends: tuple[float, float], n_rows: int, *, are_all: bool) -> None:
        """RS401 unless as many rows were read, and the scores lie where the footers say.

        Where all scores were read they reach from one end to the other; where some were left out (``are_all``
        is false) they only lie between.
        """
        if self.footers is None:
            return
        found, n_said = [], self.footers.n_rows
        if n_rows != n_said:
            found.append(f"rows read: {n_rows}; rows by the footers: {n_said}")
        said = self.footers.ends.get(score, (None, None))
        for end, sign, own, limit in zip(("lowest", "highest"), (1.0, -1.0), ends, said, strict=True):
            if limit is not None and (sign * own < sign * limit or (are_all and own != limit)):
                found.append(f"{end} score read: {own!r}; by the footers: {limit!r}")
        if found:
            raise fail("RS401.footers", name=printable(self.source.name), found="; ".join(found))


# Polars, Dask and Spark: frames that stay where they are, and eager frames for tests of the plan
# -----------------------------------------------------------------------------------------------


@dataclass
class FrameTable(EngineTable):
    """Any frame that narwhals knows, its columns called by their roles."""

    native: Any = None

    def small(self, table: Any) -> Any:
        """The table in the same library, lazy where the frame is."""
        library = type(self.native).__module__.split(".")[0]
        if library == "polars":
            import polars as pl

            table = pl.from_arrow(table)
        elif library != "pyarrow":
            table = table.to_pandas()
        frame = nw.from_native(table)
        return frame.lazy() if isinstance(self.own, nw.LazyFrame) else frame

    def collect(self, frame: Any, what: str) -> Any:
        """Compute; what fails in a part of the rows fails all."""
        self.tell(what, None)
        with engine_failures(self.engine.capitalize()):
            if isinstance(frame, nw.LazyFrame):
                return frame.collect("pyarrow").to_native()
            return frame.to_arrow()


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

    def some(self, n_rows: int) -> Any:
        """Every so many-th row."""
        every = max(1, n_rows // SAMPLE_ROWS)
        return nw.from_native(self.own.to_native().lazy().gather_every(every).head(SAMPLE_ROWS))


@dataclass
class DaskTable(FrameTable):
    """A Dask frame: partitions are counted where they are."""

    def small(self, table: Any) -> Any:
        """One partition."""
        import dask.dataframe

        frames: Any = dask.dataframe  # has no types
        return nw.from_native(frames.from_pandas(table.to_pandas(), npartitions=1))

    def some(self, n_rows: int) -> Any:
        """Some rows of every partition."""
        share = min(1.0, SAMPLE_ROWS / n_rows)
        return nw.from_native(self.own.to_native().sample(frac=share, random_state=0))

    def place(self, frame: Any, work: Callable[[Iterator[Any]], Any]) -> list[Any]:
        """Each partition by itself, in the workers; their tables come back."""
        import dask
        import pyarrow as pa

        tasks: Any = dask  # has no types

        def of_partition(rows: Any) -> Any:
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
        from pyspark.sql.functions import broadcast

        session = self.native.sparkSession
        try:
            frame = session.createDataFrame(table)
        except Exception:  # before Spark 4, which takes no Arrow tables
            frame = session.createDataFrame(table.to_pandas())
        return nw.from_native(broadcast(frame))

    def collect(self, frame: Any, what: str) -> Any:
        """Run a job; a partition that is lost for good fails it."""
        with spark_settings():
            return super().collect(frame, what)

    def some(self, n_rows: int) -> Any:
        """Rows of all partitions."""
        share = min(1.0, 1.2 * SAMPLE_ROWS / n_rows)
        return nw.from_native(self.own.to_native().sample(fraction=share, seed=0))

    def place(self, frame: Any, work: Callable[[Iterator[Any]], Any]) -> list[Any]:
        """Each partition in its executor; their tables are added up before they travel."""

        def of_partition(batches: Iterator[Any]) -> Iterator[Any]:
            yield from work(batches).to_batches()

        schema = "slot_ bigint, rows bigint, weight double, lowest double, highest double"
        parts = nw.from_native(frame.to_native().mapInArrow(of_partition, schema))
        added = parts.group_by("slot_").agg(
            nw.col("rows").sum(), nw.col("weight").sum(), nw.col("lowest").min(), nw.col("highest").max()
        )
        return [self.collect(added, "Placing the rows")]


# DuckDB, the engine for one machine: files, and frames that are in memory already
# --------------------------------------------------------------------------------

_BATCH = 1 << 20
_PATIENCE = 0.1
"""Seconds between two looks at how far a query is."""


@dataclass
class RelationTable(EngineTable):
    """A relation of somebody else's DuckDB: everything happens in their connection."""

    _views: list[Any] = field(default_factory=list)
    streams: ClassVar[bool] = True

    def small(self, table: Any) -> Any:
        """A relation of the same connection: DuckDB finds the table by the name that it has here."""
        rocsteady_table = table
        self._views.append(rocsteady_table)  # DuckDB reads it where it is, later
        with coded_failures():  # settings of a connection may forbid it
            relation = self.own.to_native()
            return nw.from_native(relation.query("rocsteady_rows", "SELECT * FROM rocsteady_table"))

    def collect(self, frame: Any, what: str) -> Any:
        """Run the query in the thread that has the connection."""
        self.tell(what, None)
        with coded_failures(), interruptible():
            return _method(frame.to_native(), "to_arrow_table", "fetch_arrow_table")()

    def stream(self, frame: Any) -> Iterator[Any]:
        """Batches as DuckDB makes them; it reads ahead, in threads of its own."""
        reader = _method(frame.to_native(), "to_arrow_reader", "fetch_arrow_reader")
        with coded_failures(), interruptible():
            yield from reader(_BATCH)


@dataclass
class DuckdbTable(RelationTable):
    """Rows that SQL over a DuckDB of our own gives, as often as asked."""

    database: Any = None
    sql: str = ""
    sampled: str = ""

    def frame(self) -> Any:
        """A relation that is read when it is collected."""
        return nw.from_native(self.database.sql(self.sql))

    def small(self, table: Any) -> Any:
        """A relation over an Arrow table."""
        self._views.append(table)
        return nw.from_native(self.database.from_arrow(table))

    def some(self, n_rows: int) -> Any:
        """Rows from all over the table."""
        every = max(1, n_rows // SAMPLE_ROWS)
        numbered = f"SELECT *, row_number() OVER () AS row_ FROM ({self.sql})"
        some = f"SELECT * FROM ({numbered}) WHERE row_ % {every} = 0 LIMIT {SAMPLE_ROWS}"
        return nw.from_native(self.database.sql(self.sampled or some))

    def collect(self, frame: Any, what: str) -> Any:
        """Run the query in a thread, telling how far it is; Ctrl-C stops it."""
        read = _method(frame.to_native(), "to_arrow_table", "fetch_arrow_table")
        self.tell(what, None)
        # Not Thread.join: after Ctrl-C in it, Python 3.11 takes a thread for finished that is not.
        result: Future[Any] = Future()

        def run() -> None:
            try:
                result.set_result(read())
            except BaseException as error:
                result.set_exception(error)

        threading.Thread(target=run, daemon=True).start()
        try:
            while not wait([result], _PATIENCE).done:
                percent = -1.0
                with suppress(Exception):
                    percent = float(self.database.query_progress())
                self.tell(what, percent / 100 if 0 <= percent <= 100 else None)
        except BaseException:
            while not result.done():  # again and again: the query may not have begun
                with suppress(Exception):
                    self.database.interrupt()
                wait([result], _PATIENCE)
            raise
        return result.result()


def _method(relation: Any, name: str, before: str) -> Any:
    """A method of a relation by the name that it has, or had before."""
    return getattr(relation, name, None) or getattr(relation, before)


@contextmanager
def of_parquet(
    files: list[File], given: Mapping[str, str], *, memory: int, tell: Tell
) -> Iterator[DuckdbTable]:
    """Parquet files, read in place; folders called key=value are columns."""
    metadata = metadata_of(files)
    with our_database(files[0], memory) as database:
        options = _beware_of_nan(database, files[0])
        table, relation, own, source, chosen = parquet_table(database, files, given, options)
        integers, picked = _integers(relation, own, source), _picked(relation, own)
        footers = footers_of(files, metadata, source.columns)
        sampled = _sampled_row_groups(files, picked, footers)
        yield DuckdbTable(
            "duckdb", source, chosen, integers, tell, footers,
            database=database, sql=f"SELECT {picked} FROM {table}", sampled=sampled,
        )  # fmt: skip


@contextmanager
def of_text(files: list[File], given: Mapping[str, str], *, memory: int, tell: Tell) -> Iterator[DuckdbTable]:
    """A CSV, TSV or JSON lines file: parsed once into a temporary file, so that later passes are quick."""
    if len(files) > 1:
        raise fail("RS054.several", n=len(files), kind=files[0].kind)
    (file,) = files
    with (
        tempfile.TemporaryDirectory(prefix="rocsteady-") as folder,
        our_database(file, memory, place=f"{folder}/rows.duckdb") as database,
    ):
        tell(f"Reading {printable(file.name)}", None)
        values, source, chosen = cleaned_text(database, file, given, storage="TABLE")
        picked = ", ".join(f"{sql} AS {role}_" for role, sql in values.items())
        integers = {role: 0 for role, sql in values.items() if role_kind(role) == "score" and "BIGINT" in sql}
        sql = f"SELECT {picked} FROM clean"
        yield DuckdbTable("duckdb", source, chosen, integers, tell, database=database, sql=sql)


def _picked(relation: Any, columns: Mapping[str, str]) -> str:
    """SQL for columns called by their roles.

    DuckDB takes it from the footer of a Parquet file that a column has no NaN, while footers do not speak of
    NaN; then ``isnan`` is false without a look. Behind a condition it knows nothing of the column, and looks.
    """
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
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

    try:
        database.sql(f"SELECT * FROM read_parquet({sql_text(file.pattern)}, can_have_nan = true)")
    except duckdb.BinderException:
        return ""
    return ", can_have_nan = true"


def _sampled_row_groups(files: list[File], picked: str, footers: Footers | None) -> str:
    """SQL for rows of up to eight files, in up to eight blocks each: nothing else of them is read."""
    some = [files[i * len(files) // min(len(files), 8)] for i in range(min(len(files), 8))]
    each, rows_of = SAMPLE_ROWS // len(some), {} if footers is None else footers.rows_of
    if footers is not None and footers.n_rows <= SAMPLE_ROWS:
        return ""
    parts = []
    for file in some:
        n_rows = rows_of.get(str(file.path), 0)
        blocks = 8 if n_rows > each else 1  # all over a file, which may be sorted
        for i in range(blocks):
            start = i * (n_rows // blocks)
            parts.append(
                f"(SELECT {picked} FROM read_parquet({sql_text(file.pattern)}, file_row_number = true) "
                f"WHERE file_row_number >= {start} AND file_row_number < {start + each // blocks})"
            )
    return " UNION ALL ".join(parts)


# Which files and frames there are, and which engine has them
# -----------------------------------------------------------

ENGINES = ("memory", "duckdb", "polars", "dask", "spark")
"""Which can be asked for; a frame that is given stays in its own unless another is named."""
_TEXT_FILES = (".csv", ".tsv", ".jsonl", ".ndjson")
_ENDINGS = (".parquet", *_TEXT_FILES, *(f"{ending}.gz" for ending in _TEXT_FILES))
_LIBRARIES = {"pyspark": "spark", "dask": "dask", "dask_expr": "dask", "polars": "polars"}
_TABLES = {"polars": PolarsTable, "dask": DaskTable, "spark": SparkTable}


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
            raise fail("RS001.no-file")
        return [path for part in source for path in files_named(part)]
    name = os.fsdecode(source)
    if os.path.isdir(name):
        # Spark leaves _SUCCESS and .crc files beside its parts.
        inside = sorted(
            str(path)
            for path in Path(name).rglob("*")
            if path.is_file()
            and path.name.lower().endswith(_ENDINGS)
            and not any(part.startswith((".", "_")) for part in path.relative_to(name).parts)
        )
        if not inside:
            raise fail("RS052.no-scores", name=name)
        return _once(inside)
    if os.path.exists(name) or not glob.has_magic(name):
        return [name]
    found = [own for own in sorted(glob.glob(name, recursive=True)) if not _is_left_behind(own, name)]
    if not found:
        raise fail("RS051.pattern", pattern=name)
    return _once([path for part in found for path in files_named(part)])


def _once(paths: list[str]) -> list[str]:
    """Each file once, whatever links lead to it."""
    return list({os.path.realpath(path): path for path in reversed(paths)}.values())[::-1]


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
    with ExitStack() as stack:
        if not is_path(source):
            yield stack.enter_context(_opened_frame(source, given, engine=engine, memory=memory, tell=tell))
            return
        files = [stack.enter_context(located(path)) for path in files_named(source)]
        kinds = sorted({file.kind for file in files})
        if len(kinds) > 1 or kinds == ["iMRMC"]:
            raise fail("RS054.kinds", kinds=", ".join(kinds))
        is_parquet = kinds == ["Parquet"]
        if engine in (None, "duckdb"):
            read = of_parquet if is_parquet else of_text
            yield stack.enter_context(read(files, given, memory=memory, tell=tell))
            return
        if not is_parquet:
            raise fail("RS002.only-parquet", asked=engine, kind=kinds[0])
        metadata = metadata_of(files)
        with engine_failures(engine.capitalize()):
            frame = _scanned([str(file.path.absolute()) for file in files], engine)
            names = nw.from_native(frame).collect_schema().names()
        roles, chosen = choose_columns(names, given, files[0].name)
        footers = footers_of(files, metadata, roles)
        for file in files:
            with open_database(file) as database:
                require_sound_pages(database, file, roles.values())
        table = stack.enter_context(_opened_frame(frame, roles, engine=None, memory=memory, tell=tell))
        table.chosen, table.footers = chosen, footers
        table.source = replace(table.source, name=files[0].name)
        yield table


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
        raise fail("RS061.engine", engine=engine) from error


@contextmanager
def _opened_frame(
    frame: Any, named: Mapping[str, str], *, engine: str | None, memory: int, tell: Tell
) -> Iterator[EngineTable]:
    import pyarrow as pa
    from narwhals.exceptions import DuplicateError

    if hasattr(frame, "to_native"):  # a narwhals frame, of whichever of its versions
        frame = frame.to_native()
    library = _LIBRARIES.get(type(frame).__module__.split(".")[0], "duckdb")
    source = Source(columns=named)
    if isinstance(frame, Mapping):
        indexes = {role: index_of(frame[name]) for role, name in named.items() if name in frame}
        require_one_index(indexes, source)
        try:
            frame = pa.table({str(name): pa.array(values) for name, values in frame.items()})
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            raise fail("RS034.columns", reason=first_line(error)) from error
    if engine not in (None, library, "duckdb") or (engine == "duckdb" and library in ("dask", "spark")):
        raise fail("RS002.other-engine", engine=engine, kind=type(frame), library=library)
    # Never imported to look at it. While another thread imports it, it may lack the class: then this is none.
    relation: Any = getattr(sys.modules.get("duckdb"), "DuckDBPyRelation", ())
    if isinstance(frame, relation):
        require_columns(frame.columns, named)
        integers, own = _integers(frame, named, source), frame.project(_picked(frame, named))
        yield RelationTable("duckdb", source, {}, integers, tell, own=nw.from_native(own))
        return
    try:
        whole = nw.from_native(frame)
        names = whole.collect_schema().names()
    except TypeError as error:
        raise fail("RS001.no-table", kind=type(frame)) from error
    except DuplicateError as error:
        raise fail("RS012.engine", reason=" ".join(str(error).split())) from error
    require_columns(names, named)
    if library == "duckdb" or engine == "duckdb":
        with our_database(None, memory) as database:
            if type(frame).__module__.split(".")[0] == "pandas":
                names = list(dict.fromkeys(named.values()))
                try:  # of columns of objects DuckDB looks at some rows, and casts the others
                    frame = pa.Table.from_pandas(frame[names], preserve_index=False)
                except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
                    raise fail("RS034.mixed", reason=first_line(error)) from error
            database.register("given", frame)
            relation = database.sql("SELECT * FROM given")
            # Of names that differ only in case, one is another here.
            own = {role: relation.columns[names.index(name)] for role, name in named.items()}
            integers, sql = _integers(relation, own, source), f"SELECT {_picked(relation, own)} FROM given"
            yield DuckdbTable("duckdb", source, {}, integers, tell, database=database, sql=sql)
        return
    integers = _integers(frame, named, source)
    for name in named.values():  # an engine may take them for something else: fields of a column, patterns
        is_read_so = "." in name or "`" in name
        if (library == "spark" and is_read_so) or (library == "polars" and name[:1] + name[-1:] == "^$"):
            raise fail("RS034.column-name", engine=library.capitalize(), name=name)
    own = whole.select(*(nw.col(name).alias(f"{role}_") for role, name in named.items()))
    yield _TABLES[library](library, source, {}, integers, tell, native=frame, own=own)


def _integers(frame: Any, columns: Mapping[str, str], source: Source) -> dict[str, int]:
    """Scores that are integers or decimals, and how many digits the latter have behind the point.

    RS033 if scores are no numbers, RS037 if weights are none.
    """
    schema, found = nw.from_native(frame).collect_schema(), {}
    for role, column in columns.items():
        own, kind = role_kind(role), schema[column]
        if own not in ("score", "weight"):
            continue
        if not kind.is_numeric():
            raise fail(
                "RS033.engine" if own == "score" else "RS037.engine",
                column=source.column(role),
                place=source.place,
                kind=str(kind),
            )
        if own == "score" and kind.is_decimal():
            found[role] = _scale(frame, column, kind)
        elif own == "score" and kind.is_integer():
            found[role] = 0
    return found


def _scale(frame: Any, column: str, kind: Any) -> int:
    """Digits of decimals behind the point; older versions of narwhals do not tell, Polars and DuckDB do."""
    if not hasattr(kind, "scale") and hasattr(frame, "collect_schema"):
        kind = frame.collect_schema()[column]
    elif not hasattr(kind, "scale") and hasattr(frame, "types"):
        return int(re.findall(r"\d+", str(frame.types[frame.columns.index(column)]))[-1])
    return int(getattr(kind, "scale", 0) or 0)
