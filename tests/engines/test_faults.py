"""What goes wrong with files and tables: a code and the right reason, or rows dropped and counted. Never a number."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocsteady as rs
from conftest import package
from engines import tables
from engines.backends import BACKENDS, Backend
from engines.checks import counted
from rocsteady.counting import engines
from rocsteady.counting.ladder import members_in
from rocsteady.errors import DataError, FileError, LabelError, RocsteadyWarning, UsageError

FILE_ENGINES = ("duckdb", "polars", "dask")
READ = {"label": "truth", "score": "said", "group": "host", "memory": "100MB"}
pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index")  # within Dask


def continuous(n: int = 20_000) -> pa.Table:
    random = np.random.default_rng(0)
    truth = (random.random(n) < 0.3).astype(np.int64)
    return pa.table({"truth": truth, "said": random.normal(size=n) + truth, "host": np.arange(n) % 3})


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Uncompressed, without dictionaries: the bytes of the scores stand there as they are."""
    path = tmp_path / "rows.parquet"
    pq.write_table(continuous(), path, compression="none", use_dictionary=False)
    return path


# -- files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", FILE_ENGINES)
def test_a_file_that_was_cut_short(written: Path, engine: str) -> None:
    package(engine)
    written.write_bytes(written.read_bytes()[: written.stat().st_size // 2])
    with pytest.raises(FileError, match="RS053") as caught:
        rs.count_scores(written, engine=engine, **READ)
    assert "rows.parquet" in str(caught.value)


def test_the_file_that_was_cut_short_is_named_among_others(written: Path) -> None:
    (written.parent / "z.parquet").write_bytes(written.read_bytes()[:5000])
    with pytest.raises(FileError, match=r"RS053: z\.parquet"):
        rs.count_scores(written.parent, **READ)


def overwrite(path: Path, new: bytes, *, column: int = 1) -> None:
    """Write bytes into the middle of a column."""
    chunk = pq.read_metadata(path).row_group(0).column(column)
    place = chunk.data_page_offset + chunk.total_compressed_size // 16 * 8
    place -= (place - path.read_bytes().index(continuous()["said"].to_numpy()[:8].tobytes())) % 8
    raw = bytearray(path.read_bytes())
    raw[place : place + len(new)] = new
    path.write_bytes(bytes(raw))


@pytest.mark.parametrize("rung", ["distinct", "anchored", "cells"])
@pytest.mark.parametrize("engine", FILE_ENGINES)
def test_bytes_that_were_overwritten_are_noticed(written: Path, force, engine: str, rung: str) -> None:
    package(engine)
    overwrite(written, np.full(250, 2.2e307).tobytes())
    if rung != "distinct":
        force(cells=500, anchors=100_000 if rung == "anchored" else 0)
    asked = {"tolerance": 0} if rung == "anchored" else {}
    with pytest.raises(FileError, match="RS401") as caught:
        rs.count_scores(written, engine=engine, **READ, **asked)
    assert "2.2e+307" in str(caught.value)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinity_that_the_footer_does_not_know(written: Path, value: float) -> None:
    overwrite(written, np.full(3, value).tobytes())
    with pytest.raises(FileError, match="RS401"):
        rs.count_scores(written, engine="duckdb", **READ)


def test_damage_is_noticed_when_rows_are_dropped_as_well(written: Path) -> None:
    overwrite(written, np.array([np.nan, np.nan, 1e200]).tobytes())
    with pytest.raises((FileError, DataError), match=r"RS401|RS031"):
        rs.count_scores(written, engine="duckdb", **READ)
    with pytest.raises(FileError, match="RS401"):
        rs.count_scores(written, engine="duckdb", on_missing="drop", **READ)


def test_damage_to_the_second_of_two_scores_is_noticed(written: Path) -> None:
    table = continuous().append_column("other", pa.array(np.arange(20_000) / 7))
    pq.write_table(table, written, compression="none", use_dictionary=False)
    chunk = pq.read_metadata(written).row_group(0).column(3)
    raw = bytearray(written.read_bytes())
    raw[chunk.data_page_offset + 40_000 : chunk.data_page_offset + 42_000] = b"\xfe" * 2000
    written.write_bytes(bytes(raw))
    with pytest.raises(FileError, match="RS401"):
        rs.count_scores(written, engine="duckdb", **READ | {"score": ["said", "other"]})


def test_a_whole_file_is_no_false_alarm(written: Path) -> None:
    for scores in (
        pa.array(np.append(np.arange(19_999.0), np.nan)),
        pa.array(np.append(np.arange(19_998.0), [np.inf, -np.inf])),
        pa.array(np.append(np.full(19_999, -0.0), 0.0)),
        pa.array(np.linspace(0, 1, 20_000).astype(np.float32)),
        pa.array(np.arange(20_000)).cast(pa.decimal128(25, 2)),
        pa.array([None, *range(19_999)]),
    ):
        pq.write_table(continuous().set_column(1, "said", scores), written, row_group_size=7000)
        has_gap = scores.null_count or bool(
            np.isnan(scores.cast("float64").fill_null(np.nan).to_numpy()).any()
        )
        with pytest.warns(RocsteadyWarning, match="RS102") if has_gap else _quiet():
            counts = rs.count_scores(written, engine="duckdb", on_missing="drop", **READ)
        assert counts.n_rows == 20_000 - int(has_gap)


@contextmanager
def _quiet() -> Iterator[None]:
    yield


OTHER_SCHEMAS = {
    "integers first": (lambda t: t.set_column(1, "said", pa.array(np.arange(20_000))), 0),
    "integers last": (lambda t: t.set_column(1, "said", pa.array(np.arange(20_000))), 1),
    "text": (lambda t: t.set_column(1, "said", pa.array([f"{i}.5" for i in range(20_000)])), 1),
    "another name": (lambda t: t.rename_columns(["truth", "points", "host"]), 1),
    "labels as text": (lambda t: t.set_column(0, "truth", t["truth"].cast(pa.string())), 1),
}


@pytest.mark.parametrize("engine", FILE_ENGINES)
@pytest.mark.parametrize("name", OTHER_SCHEMAS)
def test_one_file_of_a_folder_has_another_schema(tmp_path: Path, name: str, engine: str) -> None:
    # DuckDB casts the second file to the types of the first: floats to integers, without a word.
    package(engine)
    change, place = OTHER_SCHEMAS[name]
    pair = [continuous(), continuous()]
    pair[place] = change(pair[place])
    for i, table in enumerate(pair):
        pq.write_table(table, tmp_path / f"{i}.parquet")
    with pytest.raises(FileError, match="RS054") as caught:
        rs.count_scores(tmp_path, engine=engine, **READ)
    assert "0.parquet" in str(caught.value)
    assert "1.parquet" in str(caught.value)


def test_files_alike_are_one_table(tmp_path: Path) -> None:
    whole = continuous()
    for i in range(3):
        pq.write_table(whole.slice(i * 7000, 7000), tmp_path / f"{i}.parquet")
    counts = rs.count_scores(tmp_path, **READ)
    truth = rs.roc_curves(rs.ScoreSet.from_frame(whole, label="truth", score="said", group="host"))
    assert rs.roc_curves(counts).auc.tolist() == truth.auc.tolist()


# -- rows that lack a value -----------------------------------------------------------------------------------

GAPS = {
    "no label": (LabelError, "RS023", "truth", pa.int64()),
    "no score": (DataError, "RS031", "said", pa.float64()),
    "no group": (DataError, "RS035", "host", pa.string()),
}


@pytest.mark.parametrize("rung", ["distinct", "cells"])
@pytest.mark.parametrize("cause", GAPS)
def test_gaps_raise_by_default_and_are_dropped_if_asked(way: Backend, force, cause: str, rung: str) -> None:
    error, code, column, kind = GAPS[cause]
    if rung == "cells":
        force(cells=10)
    rows = tables.clean()
    values = rows.column(column).to_pylist()
    values[17] = values[101] = None
    broken = rows.set_column(rows.schema.get_field_index(column), column, pa.array(values, kind))
    with pytest.raises(error, match=f"{code}: 2 of 240"):
        counted(way, broken)
    with pytest.warns(RocsteadyWarning, match="RS102: 2 rows"):
        counts = counted(way, broken, on_missing="drop")
    assert counts.how.rung == rung
    assert dict(counts.dropped.causes) == {cause: 2}
    assert counts.n_rows == 238


def test_weights_that_are_none(way: Backend, force) -> None:
    rows = tables.weighted().drop_columns("times")
    for cells in (10**9, 10):
        force(cells=cells)
        for value in (None, -1.0, float("nan"), float("inf")):
            broken = rows.append_column("times", pa.array([2.0] * 179 + [value]))
            with pytest.raises(DataError, match="RS037: 1 of 180"):
                counted(way, broken, weight="times")


def test_integers_as_weights_may_lack_some(way: Backend, force) -> None:
    force(cells=10)
    rows = tables.weighted().drop_columns("times").append_column("times", pa.array([None, *([2] * 179)]))
    with pytest.warns(RocsteadyWarning, match="RS102: 1 row"):
        counts = counted(way, rows, weight="times", on_missing="drop")
    assert counts.n_positives.sum() + counts.n_negatives.sum() == 2 * 179


def test_categories_as_groups_and_labels(way: Backend, force) -> None:
    rows = tables.integers()
    for name in ("truth", "host"):
        own = rows.column(name).cast(pa.string()).combine_chunks().dictionary_encode()
        rows = rows.set_column(rows.schema.get_field_index(name), name, own)
    for cells in (10**9, 10):
        force(cells=cells)
        counts = counted(way, rows, positive="attack")
        assert counts.groups == ("0", "1", "2")
        assert counts.n_rows == 120


def test_categories_that_nobody_belongs_to_are_no_groups(way: Backend, force) -> None:
    rows = tables.integers()
    hosts = pa.DictionaryArray.from_arrays(rows.column("host").combine_chunks(), ["h0", "h1", "h2", "never"])
    rows = rows.set_column(rows.schema.get_field_index("host"), "host", hosts)
    for cells in (10**9, 10):
        force(cells=cells)
        assert counted(way, rows, positive="attack").groups == ("h0", "h1", "h2")


def test_a_dictionary_larger_than_its_column() -> None:
    """Polars 1.32 hands over one dictionary for the categories of all columns."""
    hosts = pa.DictionaryArray.from_arrays([4, 0, 0, None], ["b", "attack", "fine", None, "a"])
    table = pa.table({"group_": hosts})
    members = members_in(table, ["group_"])
    assert members.values == (("a", "b"),)
    assert members.places(table).tolist() == [0, 1, 1, -1]


@pytest.mark.parametrize("kind", ["arrow", "pandas", "polars-lazy", "dask", "a file"])
def test_names_that_differ_only_in_case(tmp_path: Path, force, kind: str) -> None:
    force(cells=60)
    rows = tables.clean().rename_columns(["Said", "said", "SAID"])
    names = {"label": "Said", "score": "said", "group": "SAID"}
    pq.write_table(rows, tmp_path / "rows.parquet")
    source = str(tmp_path / "rows.parquet")
    if kind != "a file":
        own = next(own for own in BACKENDS if own.name == kind)
        own.require()
        source = own.frame(rows)
    engine = "duckdb" if kind in ("arrow", "pandas", "a file") else None
    counts = rs.count_scores(source, **names, engine=engine, tolerance=1e-9)
    expected = rs.roc_curves(rs.ScoreSet.from_frame(rows, **names))
    assert counts.groups == tuple(sorted(expected.names))
    for name, low, high in zip(counts.groups, *counts.auc_bounds, strict=True):
        assert low <= expected[name].auc <= high


# -- scores that floats cannot tell apart ---------------------------------------------------------------------


@pytest.mark.parametrize("rung", ["distinct", "anchored", "cells"])
def test_integers_above_the_exact_ones(way: Backend, force, rung: str) -> None:
    if rung != "distinct":
        force(cells=50, anchors=1000 if rung == "anchored" else 0)
    asked = {"tolerance": 0} if rung == "anchored" else {}
    said = 2**53 + np.random.default_rng(0).integers(0, 9, 240)
    table = tables.clean().set_column(1, "said", pa.array(said))
    with pytest.raises(DataError, match="RS403"):
        counted(way, table, **asked)
    small = table.set_column(1, "said", pa.array(said - 2**53))
    assert counted(way, small, **asked).n_rows == 240


def test_integers_above_the_exact_ones_in_the_second_model(way: Backend) -> None:
    table = tables.clean().append_column("other", pa.array(2**60 + np.arange(240)))
    with pytest.raises(DataError, match='RS403: column "other"'):
        counted(way, table, score=["said", "other"])


# -- tables that change ---------------------------------------------------------------------------------------


def test_rows_that_appear_between_two_passes(force) -> None:
    force(cells=500)
    database = duckdb.connect()
    database.execute("CREATE TABLE rows AS SELECT i % 3 = 0 AS truth, sin(i) AS said FROM range(20000) t(i)")
    told: list[str] = []

    def add(what: str, share: float | None) -> None:
        if what == "Looking at some rows" and what not in told:
            database.cursor().execute("INSERT INTO rows VALUES (true, 7.0)")
        told.append(what)

    with pytest.raises(DataError, match="RS402"):
        rs.count_scores(database.table("rows"), label="truth", score="said", memory="100MB", progress=add)
    assert "Looking at some rows" in told


@pytest.mark.parametrize("change", ["truth = NOT truth", "host = 'b'"])
def test_rows_that_change_their_class_or_group_between_two_passes(force, change: str) -> None:
    force(cells=50, anchors=100_000)
    database = duckdb.connect()
    database.execute(
        "CREATE TABLE rows AS SELECT i % 3 = 0 AS truth, sin(i) AS said, chr((97 + i % 2)::INTEGER) AS host FROM range(9000) t(i)"
    )
    first_pass: list[str] = []

    def flip(what: str, share: float | None) -> None:
        if what == "Reading the rarer class" and not first_pass:
            database.cursor().execute(f"UPDATE rows SET {change} WHERE said > 0.5")
            first_pass.append(what)

    with pytest.raises(DataError, match="RS402"):
        rs.count_scores(database.table("rows"), tolerance=0, progress=flip, **READ)
    assert first_pass


def test_a_relation_that_fails_has_no_result(force) -> None:
    database = duckdb.connect()
    fails = "CASE WHEN i = 15000 THEN error('the disk is gone') ELSE sin(i) END"
    rows = database.sql(
        f"SELECT i % 3 = 0 AS truth, ({fails})::DOUBLE AS said, i % 2 AS host FROM range(20000) t(i)"
    )
    for cells in (10**9, 500):
        force(cells=cells)
        with pytest.raises(DataError, match="RS402") as caught:
            rs.count_scores(rows, **READ)
        assert "the disk is gone" in str(caught.value)


def test_a_lazy_frame_that_fails_has_no_result(force) -> None:
    pl = package("polars")
    rows = (
        pl.from_arrow(continuous())
        .lazy()
        .with_columns(pl.col("host").cast(pl.String).cast(pl.Int8, strict=True))
    )
    broken = rows.with_columns(pl.col("said").cast(pl.String) + "x").with_columns(
        pl.col("said").cast(pl.Float64)
    )
    for cells in (10**9, 500):
        force(cells=cells)
        with pytest.raises(DataError, match="RS402"):
            rs.count_scores(broken, **READ)


def test_an_engine_that_cannot_have_the_frame() -> None:
    dd = package("dask.dataframe")
    frame = dd.from_pandas(tables.clean().to_pandas(), npartitions=2)
    with pytest.raises(UsageError, match="RS002"):
        rs.count_scores(frame, engine="duckdb", **READ)


# -- memory, disks, interrupts --------------------------------------------------------------------------------


def test_less_memory_than_anything_takes() -> None:
    with pytest.raises(UsageError, match="RS042"):
        rs.count_scores(tables.clean(), **READ | {"memory": "10MB"})


class Cramped:
    """A connection that allows itself less than it is told."""

    def __init__(self, database: Any) -> None:
        self._database = database

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    def execute(self, sql: str, *arguments: Any) -> Any:
        if sql.startswith("SET memory_limit"):
            sql = "SET threads = 1; SET memory_limit = '24MB'; SET max_temp_directory_size = '1MB'"
        return self._database.execute(sql, *arguments)


@pytest.fixture
def cramped(monkeypatch: pytest.MonkeyPatch) -> None:
    real = engines.open_database

    @contextmanager
    def opened(*arguments: Any, **options: Any) -> Iterator[Any]:
        with real(*arguments, **options) as database:
            yield Cramped(database)

    monkeypatch.setattr(engines, "open_database", opened)


@pytest.mark.usefixtures("cramped")
def test_a_database_that_runs_out_of_memory_and_of_room() -> None:
    n = 400_000
    table = pa.table({"truth": np.arange(n) % 3 == 0, "said": np.sin(np.arange(n)), "host": np.arange(n) % 3})
    with pytest.raises(DataError, match="RS400") as caught:
        rs.count_scores(table, engine="duckdb", **READ)
    assert "free in the folder of temporary files" in str(caught.value)


@pytest.fixture
def small_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of two megabytes, as the folder of temporary files."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a small disk can be mounted by nobody but root, on Linux")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_full(tmp_path: Path, small_disk: Path) -> None:
    path = tmp_path / "rows.csv"
    random = np.random.default_rng(0)
    said = random.random(200_000)
    path.write_text("truth,said\n" + "\n".join(f"{i % 3 == 0:d},{s!r}" for i, s in enumerate(said.tolist())))
    with pytest.raises(DataError, match="RS400"):
        rs.count_scores(path, label="truth", score="said", memory="100MB")
    assert not list(small_disk.iterdir())


INTERRUPTED = """
import os, signal, sys, tempfile, threading
import rocsteady as rs
from rocsteady.counting import ladder
what, path = sys.argv[1:]
if what == "Counting cells":
    ladder.BYTES_PER_CELL = 10**6
def stop(told, share):
    if told == what and not stopped:
        stopped.append(told)
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
stopped = []
try:
    rs.count_scores(path, label="truth", score="said", engine="duckdb", memory="4GB" if what == "Counting every score"
        else "100MB", progress=stop)
except KeyboardInterrupt:
    print("stopped", len(os.listdir(tempfile.gettempdir())))
"""


@pytest.mark.parametrize("what", ["Counting every score", "Counting cells"])
def test_control_c_stops_a_query_and_leaves_nothing_behind(tmp_path: Path, what: str) -> None:
    if not hasattr(signal, "SIGKILL"):
        pytest.skip("Ctrl-C is another thing on Windows")
    path, folder = tmp_path / "rows.parquet", tmp_path / "temporary"
    folder.mkdir()
    duckdb.execute(
        f"COPY (SELECT i % 3 = 0 AS truth, sin(i) AS said FROM range(4000000) t(i)) TO '{path}' (FORMAT parquet)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, what, str(path)],
        capture_output=True, text=True, check=True, timeout=120, env=os.environ | {"TMPDIR": str(folder)},
    )  # fmt: skip
    assert ran.stdout == "stopped 0\n"


# -- NaN in Parquet files -------------------------------------------------------------------------------------

RUNGS = {"distinct": {}, "anchored": {"cells": 500, "anchors": 100_000}, "cells": {"cells": 500}}


OPENED = ("a file", "a relation over the file", "polars")
WAYS = [*((opened, rung) for opened in OPENED for rung in RUNGS), ("dask", "anchored")]


@pytest.mark.parametrize(("opened", "rung"), WAYS)
@pytest.mark.parametrize("column", ["said", "truth", "times"])
def test_nan_that_the_footer_does_not_tell(written: Path, force, column: str, opened: str, rung: str) -> None:
    # The statistics of a footer leave NaN out, and DuckDB takes them for all that there is.
    table = continuous().append_column("times", pa.array(np.full(20_000, 2.0)))
    values = table.column(column).to_numpy().astype(float).copy()
    values[[5, 4000]] = np.nan
    table = table.set_column(table.schema.get_field_index(column), column, pa.array(values))
    pq.write_table(table, written)
    assert pq.read_metadata(written).row_group(0).column(1).statistics.has_min_max
    force(**RUNGS[rung])
    engine = opened if opened in ("polars", "dask") else None
    database = duckdb.connect()
    source = database.read_parquet(str(written)) if opened == "a relation over the file" else written
    asked = {"tolerance": 1e-9} if rung == "anchored" else {}
    asked |= {"weight": "times"} if column == "times" else {}
    code = {"said": "RS031: 2 of", "truth": "RS023: 2 of", "times": "RS037: 2 of"}[column]
    with pytest.raises((DataError, LabelError), match=code):
        rs.count_scores(source, engine=engine or ("duckdb" if source is written else None), **READ, **asked)


# -- what goes by another name -------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", FILE_ENGINES)
def test_a_name_with_brackets_is_no_pattern(tmp_path: Path, engine: str) -> None:
    package(engine)
    truth = continuous()
    other = truth.set_column(0, "truth", pa.array(1 - truth.column("truth").to_numpy()))
    pq.write_table(truth, tmp_path / "rows[1].parquet")
    pq.write_table(other, tmp_path / "rows1.parquet")
    counts = rs.count_scores(str(tmp_path / "rows[1].parquet"), **READ, engine=engine)
    assert counts.auc_bounds[0].min() > 0.6


def test_a_file_is_counted_once_whatever_leads_to_it(tmp_path: Path) -> None:
    rows = continuous(3000)
    (tmp_path / "day.parquet" / "_temporary").mkdir(parents=True)
    pq.write_table(rows, tmp_path / "day.parquet" / "part-0.parquet")
    pq.write_table(rows, tmp_path / "day.parquet" / "_temporary" / "part-1.parquet")
    pq.write_table(rows, tmp_path / "next.parquet")
    (tmp_path / "latest.parquet").symlink_to(tmp_path / "next.parquet")
    for source in (tmp_path, tmp_path / "*.parquet", tmp_path / "**" / "*.parquet", tmp_path / "**"):
        assert rs.count_scores(str(source), **READ).n_rows == 6000, source


def test_a_column_of_the_files_goes_before_the_name_of_their_folder(tmp_path: Path) -> None:
    for day in ("a", "b"):
        (tmp_path / f"host=lab-{day}").mkdir()
        pq.write_table(continuous(3000), tmp_path / f"host=lab-{day}" / "rows.parquet")
    assert rs.count_scores(str(tmp_path), **READ).groups == ("0", "1", "2")


def test_objects_of_which_most_are_integers(force) -> None:
    """DuckDB looks at some rows of a column of objects, takes it for integers, and cuts the others."""
    pd = package("pandas")
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 5000)
    said = ((random.random(5000) + 0.2 * truth) / 1.2).astype(object)
    said[:2000] = [int(own > 0.5) for own in said[:2000]]
    frame = pd.DataFrame({"truth": truth, "said": said})
    found = rs.count_scores(frame, label="truth", score="said", engine="duckdb")
    expected = rs.auc(truth, said.astype(float))
    assert found.auc_bounds[0][0] == expected
    frame["said"] = [*said[:-1], "much"]
    with pytest.raises(DataError, match="RS034"):
        rs.count_scores(frame, label="truth", score="said", engine="duckdb")


@pytest.mark.parametrize("given", ["arrow", "polars-lazy"])
def test_decimals_that_floats_cannot_tell_apart(given: str) -> None:
    own = next(own for own in BACKENDS if own.name == given)
    own.require()
    kind = pa.decimal128(38, 2)
    near = pa.array([2**60, 2**60 + 1, 3, 4], pa.decimal128(38, 0)).cast(kind)
    far = pa.array([1, 2, 3, 4], pa.decimal128(38, 0)).cast(kind)
    for said, is_fine in ((near, False), (far, True)):
        frame = own.frame(pa.table({"truth": [0, 1, 0, 1], "said": said}))
        asked = {"label": "truth", "score": "said", "engine": "duckdb" if given == "arrow" else None}
        if is_fine:
            assert rs.count_scores(frame, **asked).n_rows == 4
        else:
            with pytest.raises(DataError, match=r"RS403.*decimals"):
                rs.count_scores(frame, **asked)


def test_a_row_that_lacks_one_of_two_scores_lacks_both(way: Backend, force) -> None:
    rows = tables.clean().append_column("more", pa.array(np.where(np.arange(240) % 7 == 0, np.nan, 1.0)))
    table = rows.set_column(1, "said", pa.array([None if i % 5 == 0 else 1.0 * i for i in range(240)]))
    columns = {"label": "truth", "score": ["said", "more"], "group": "host", "on_missing": "drop"}
    with pytest.warns(RocsteadyWarning, match="RS102"):
        expected = rs.ScoreSet.from_frame(table, **columns)
    for cells in (10**9, 20):
        force(cells=cells)
        with pytest.warns(RocsteadyWarning, match="RS102"):
            counts = rs.count_scores(way.frame(table), **columns, memory="100MB", engine=_named(way))
        assert counts.n_rows == expected.columns.n_rows
        assert counts.dropped.n_rows == np.count_nonzero([i % 5 == 0 or i % 7 == 0 for i in range(240)])


def _named(way: Backend) -> str | None:
    return "duckdb" if way.name == "arrow" else None


def test_an_hour_that_comes_twice_a_year_is_two_groups() -> None:
    pl = package("polars")
    hours = pa.array([1603585800, 1603589400] * 40, pa.timestamp("s", tz="Europe/Berlin"))
    table = pa.table({"truth": [0, 0, 1, 1] * 20, "said": np.arange(80.0), "hour": hours})
    counts = rs.count_scores(pl.from_arrow(table).lazy(), label="truth", score="said", group="hour")
    assert counts.cells.n_rows.tolist() == [40, 40]


@pytest.mark.parametrize("value", [0.0, -0.0])
def test_the_two_zeros_are_one_group(way: Backend, force, value: float) -> None:
    rows = tables.clean().drop_columns("host")
    table = rows.append_column("host", pa.array([value, -value, 1.0] * 80))
    for cells in (10**9, 20):
        force(cells=cells)
        assert len(counted(way, table).groups) == 2


def test_days_have_one_name_and_classes_too() -> None:
    day = pa.array([np.datetime64("2020-01-01", "us")] * 4)
    table = pa.table({"truth": [0.0, 1.0, 0.0, 1.0], "said": [1.0, 2.0, 3.0, 4.0], "host": day})
    asked = {"label": "truth", "score": "said", "group": "host"}
    one, other = (rs.count_scores(table, **asked, engine=engine) for engine in ("memory", "duckdb"))
    assert (one.groups, one.classes) == (other.groups, other.classes)
    assert (one + other).groups == ("2020-01-01",)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_labels_that_are_all_missing(engine: str) -> None:
    table = pa.table({"truth": pa.array([None, None], pa.int64()), "said": [1.0, 2.0]})
    with pytest.raises(LabelError, match="RS02"):
        rs.count_scores(table, label="truth", score="said", engine=engine)


def test_lists_as_groups(force) -> None:
    table = tables.clean().drop_columns("host").append_column("host", pa.array([[1]] * 240))
    with pytest.raises(DataError, match="RS034"):
        rs.count_scores(table, label="truth", score="said", group="host", engine="duckdb")


def test_weights_that_sum_to_the_number_of_their_rows(force) -> None:
    """They were taken for no weights at all, and cut."""
    force(cells=300)
    random = np.random.default_rng(0)
    n = 2000
    said = np.repeat(10.0 ** random.uniform(-300, 300, n), 2)
    truth = np.tile([1, 0], n)
    share = np.repeat(random.choice([0.25, 0.5, 0.75], n), 2)
    weight = np.where(truth == 1, share, 2 - share)
    table = pa.table({"truth": truth, "said": said, "times": weight})
    asked = {"label": "truth", "score": "said", "weight": "times", "engine": "duckdb", "memory": "100MB"}
    with pytest.warns(RocsteadyWarning):
        counts = rs.count_scores(table, **asked, tolerance=1e-9)
    exact = rs.auc(truth, said, sample_weight=weight)
    assert counts.n_positives[0] == weight[truth == 1].sum()
    low, high = counts.auc_bounds
    assert low[0] <= exact <= high[0]


def test_rows_that_are_all_dropped_are_no_counts(way: Backend, force) -> None:
    rows = tables.clean()
    table = rows.set_column(1, "said", pa.array([float("nan")] * 240))
    for cells in (10**9, 20):
        force(cells=cells)
        with pytest.warns(RocsteadyWarning, match="RS102"), pytest.raises(DataError, match="RS010"):
            counted(way, table, on_missing="drop")


def test_columns_that_make_no_table() -> None:
    asked = {"label": "truth", "score": "said", "engine": "duckdb"}
    with pytest.raises(DataError, match="RS034"):
        rs.count_scores({"truth": [1, 0], "said": [1.0, 2.0, 3.0]}, **asked)
    pd = package("pandas")
    with pytest.raises(DataError, match="RS012"):
        rs.count_scores(pd.DataFrame([[1, 2.0, 3.0]], columns=["truth", "said", "said"]), **asked)


def test_a_connection_that_reads_no_tables_of_python() -> None:
    with duckdb.connect() as database:
        database.execute(
            "CREATE TABLE rows AS SELECT i % 2 AS truth, i AS said, i % 3 AS host FROM range(5000) r(i)"
        )
        database.execute("SET python_enable_replacements = false")
        with pytest.raises(DataError, match="RS402"):
            rs.count_scores(database.table("rows"), **READ, most_cells=1000)


def test_a_name_that_polars_takes_for_a_pattern() -> None:
    pl = package("polars")
    frame = pl.DataFrame({"truth": [0, 1], "a": [1.0, 2.0], "^a$": [2.0, 1.0]}).lazy()
    with pytest.raises(DataError, match="RS034"):
        rs.count_scores(frame, label="truth", score="^a$")


def test_cells_of_one_group_for_many_groups() -> None:
    random = np.random.default_rng(0)
    n = 20_000
    table = pa.table({"truth": np.arange(n) % 2, "said": random.normal(size=n), "host": np.arange(n) // 10})
    asked = {"label": "truth", "score": "said", "engine": "duckdb", "memory": "100MB"}
    alone = rs.count_scores(table, **asked, most_cells=10_000)
    with pytest.raises(DataError, match="RS400"):
        rs.count_scores(table, **asked, group="host", like=alone)
