"""Data engines.

Tables of any size, asked for rows, counts and samples; DuckDB on one machine, Polars, Dask and Spark
where frames are.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from rocsteady.errors import FileError, RocsteadyError, fail
from rocsteady.scores.columns import Source, role_kind
from rocsteady.scores.files import (
    File,
    cleaned_text,
    open_database,
    parquet_columns,
    require_sound_pages,
    text_table,
)
from rocsteady.scores.frames import choose_columns, interruptible, quoted
from rocsteady.words import printable

_Ends = tuple[float | None, float | None]


@dataclass(frozen=True)
class Footers:
    """Rows and ranges of the scores, over all files.

    Attributes
    ----------
    n_rows : int
        Rows of all files.
    ends : mapping
        Role of every column of scores to its lowest and its highest; None where a file keeps no statistics,
        or only of a part of its rows.
    rows_of : mapping
        Path to the rows of the file.
    """

    n_rows: int
    ends: Mapping[str, _Ends]
    rows_of: Mapping[str, int]

    def check(self, role: str, read: tuple[float, float], n_rows: int, name: str, *, are_all: bool) -> None:
        """RS401 unless as many rows were read, and the scores lie where the footers say.

        Where all scores were read they reach from one end to the other; where some were left out (``are_all``
        is false) they only lie between.
        """
        found = []
        if n_rows != self.n_rows:
            found.append(f"rows read: {n_rows}; rows by the footers: {self.n_rows}")
        said = self.ends.get(role, (None, None))
        for end, sign, own, limit in zip(("lowest", "highest"), (1.0, -1.0), read, said, strict=True):
            if limit is not None and (sign * own < sign * limit or (are_all and own != limit)):
                found.append(f"{end} score read: {own!r}; by the footers: {limit!r}")
        if found:
            raise fail("RS401.footers", name=name, found="; ".join(found))


def metadata_of(files: list[File]) -> list[Any] | None:
    """The footer of every file, RS053 if one has none; None where only an engine may be able to read them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = []
    for file in files:
        try:
            found.append(pq.read_metadata(file.path))
        except pa.ArrowInvalid as error:
            reason = (str(error).splitlines() or ["no reason given"])[0]
            raise fail("RS053.footer", name=file.name, reason=reason) from error
        except (pa.ArrowException, OSError):
            return None
    return found


def footers_of(files: list[File], metadata: list[Any] | None, columns: Mapping[str, str]) -> Footers | None:
    """What the footers say about columns, by role; RS054 if a column has another type in another file."""
    if metadata is None:
        return None
    _require_same_types(files, metadata, columns)
    scores = {role: column for role, column in columns.items() if role_kind(role) == "score"}
    return Footers(
        sum(own.num_rows for own in metadata),
        {role: _ends(metadata, column) for role, column in scores.items()},
        {str(file.path): own.num_rows for file, own in zip(files, metadata, strict=True)},
    )


def _require_same_types(files: list[File], metadata: list[Any], columns: Mapping[str, str]) -> None:
    for column in columns.values():
        kinds = [_kind(own, column) for own in metadata]
        other = next((i for i, kind in enumerate(kinds) if kind != kinds[0]), None)
        if other is None:  # alike in all, or in none: a folder called key=value has it then
            continue
        shown = [f"{kinds[i] or 'missing'} in {printable(files[i].name)}" for i in (0, other)]
        raise fail("RS054.types", column=printable(column), shown=", ".join(shown))


def _position(metadata: Any, column: str) -> int | None:
    names = [metadata.schema.column(i).path for i in range(metadata.num_columns)]
    return names.index(column) if column in names else None


def _kind(metadata: Any, column: str) -> str:
    """The type of a column in words; empty where the file has no such column."""
    position = _position(metadata, column)
    if position is None:
        return ""
    own = metadata.schema.column(position)
    logical = str(own.logical_type)
    return str(own.physical_type if logical in ("None", "") else f"{own.physical_type} ({logical})")


def _ends(metadata: list[Any], column: str) -> _Ends:
    """The lowest and the highest value of a column of plain numbers by the statistics of all blocks."""
    lows, highs = [], []
    for own in metadata:
        position = _position(own, column)
        for i in range(own.num_row_groups if position is not None else 0):
            statistics = own.row_group(i).column(position).statistics
            if statistics is None or not statistics.has_min_max:
                return None, None
            if not all(isinstance(end, int | float) for end in (statistics.min, statistics.max)):
                return None, None  # decimals are rounded on their way
            lows.append(float(statistics.min))
            highs.append(float(statistics.max))
    # A file without NaN keeps exact limits; one with NaN may keep none, and then nothing is compared.
    if not lows or np.isnan([*lows, *highs]).any():
        return None, None
    return min(lows), max(highs)


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

    Attributes
    ----------
    engine : str
        Its name.
    source : Source
        How messages call the table and its columns.
    chosen : mapping
        Role to column, for columns that nobody named.
    n_rows : int or None
        If they are known without counting.
    integers : mapping
        Role of those scores that are whole numbers to the power of ten they are divided by, 0 or the scale of
        decimals: floats cannot tell them apart from 2**53 on.
    footers : Footers or None
        What the files say about themselves, if the rows come from Parquet files.
    """

    engine: str
    source: Source
    chosen: Mapping[str, str] = field(default_factory=dict)
    n_rows: int | None = None
    integers: Mapping[str, int] = field(default_factory=dict)
    tell: Tell = say_nothing
    footers: Footers | None = None
    streams: ClassVar[bool] = False

    @abstractmethod
    def frame(self) -> Any:
        """The table as a narwhals frame, to be read once."""

    @abstractmethod
    def small(self, table: Any) -> Any:
        """A small Arrow table as a narwhals frame of this engine."""

    def collect(self, frame: Any, what: str) -> Any:
        """Let the engine do its work; the result as an Arrow table."""
        import narwhals.stable.v2 as nw

        self.tell(what, None)
        if isinstance(frame, nw.LazyFrame):
            return frame.collect("pyarrow").to_native()
        return frame.to_arrow()

    def sample(self, score: str) -> Any:
        """Some rows as an Arrow table, label_ and score_; the more alike to all rows the better."""
        import narwhals.stable.v2 as nw

        rows = self.frame().select("label_", nw.col(score).alias("score_")).head(SAMPLE_ROWS)
        return self.collect(rows, "Looking at some rows")

    def stream(self, frame: Any) -> Iterator[Any]:
        """The record batches of a frame, as the engine makes them."""
        raise TypeError(f"{type(self).__name__} does not stream")

    def place(self, frame: Any, work: Callable[[Iterator[Any]], Any]) -> list[Any]:
        """Give the record batches of a frame to ``work``, where they are; what it returned, one by one."""
        raise TypeError(f"{type(self).__name__} does not place rows")

    def check(self, score: str, ends: tuple[float, float], n_rows: int, *, are_all: bool) -> None:
        """RS401 if what was read is not what the footers of the files say."""
        if self.footers is not None:
            self.footers.check(score, ends, n_rows, printable(self.source.name), are_all=are_all)


def strided(n_rows: int) -> int:
    """Every how many-th row makes a sample."""
    return max(1, n_rows // SAMPLE_ROWS)


# Polars, Dask and Spark: frames that stay where they are, and eager frames for tests of the plan
# -----------------------------------------------------------------------------------------------


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
        kind, lacking = type(error).__name__, [line for line in lines if "ModuleNotFoundError" in line]
        if engine == "Spark" and lacking:
            raise fail("RS402.spark-python", kind=kind, reason=lacking[-1]) from error
        raise fail("RS402.unfinished", engine=engine, kind=kind, reason=reason) from error


# A DuckDB of our own, within a budget; what it complains about, and other DuckDBs do, in our codes
# -------------------------------------------------------------------------------------------------


@contextmanager
def our_database(file: File | None, memory: int, *, place: str = ":memory:") -> Iterator[Any]:
    """A DuckDB with a budget, whose complaints about room are RS400."""
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
        except duckdb.Error as error:
            raise _no_room(error, spilled) or _not_read(error) or error from error
        except FileError as error:
            if file is None and error.code == "RS053":  # there is no file to blame
                raise _not_read(error.__cause__ or error) or error from error
            raise


def first_line(error: BaseException) -> str:
    """What somebody else's error says, in one line."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def _not_read(error: BaseException) -> RocsteadyError | None:
    """RS402 for what DuckDB makes nothing of: columns of a kind it does not know, folders of other keys."""
    import duckdb

    if isinstance(error, duckdb.InterruptException):
        return None
    return fail("RS402.not-read", reason=first_line(error))


def _no_room(error: Exception, folder: str) -> RocsteadyError | None:
    text = str(error)
    complaints = ("Out of Memory", "No space left", "offload", "quota exceeded")
    if not any(complaint in text for complaint in complaints):
        return None
    with suppress(OSError):
        free = shutil.disk_usage(folder).free
        text = f"{text.splitlines()[0]}; free in the folder of temporary files: {free / 1e9:.1f} GB"
    return fail("RS400.duckdb", found=text)


@contextmanager
def coded_failures() -> Iterator[None]:
    """RS400 where room is short, else RS402: in a stream DuckDB's complaints come as errors of Arrow."""
    with engine_failures("DuckDB"):
        try:
            yield
        except Exception as error:
            raise _no_room(error, tempfile.gettempdir()) or error from error


# DuckDB, the engine for one machine: files, and frames that are in memory already
# --------------------------------------------------------------------------------

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
        raise fail("RS054.several", n=len(files), kind=files[0].kind)
    (file,) = files
    with (
        tempfile.TemporaryDirectory(prefix="rocsteady-") as folder,
        our_database(file, memory, place=f"{folder}/rows.duckdb") as database,
    ):
        tell(f"Reading {printable(file.name)}", None)
        text = text_table(database, file, given)
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
        raise fail("RS034.mixed", reason=first_line(error)) from error


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
            raise not_numeric(source, role, types[role])


def not_numeric(source: Source, role: str, kind: str) -> RocsteadyError:
    """RS033 for scores, RS037 for weights of another type."""
    told = f"{source.column(role)} is not numeric{source.place}."
    if role_kind(role) == "score":
        return fail("RS033.engine", problem=told, kind=kind)
    return fail("RS037.engine", problem=told, kind=kind)


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
