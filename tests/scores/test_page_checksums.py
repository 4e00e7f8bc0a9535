"""Parquet pages with checksums: a flipped bit is refused at every door, never read as another number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocsteady as rs
from rocsteady.errors import FileError

NAMES = {"label": "y", "score": "s", "group": "g"}
DOORS = {
    "read_scores": lambda path: rs.read_scores(path, **NAMES),
    "count_scores in memory": lambda path: rs.count_scores(path, **NAMES),
    "count_scores in DuckDB": lambda path: rs.count_scores(path, engine="duckdb", **NAMES),
    "count_scores in Polars": lambda path: rs.count_scores(path, engine="polars", **NAMES),
    "count_scores of two files": lambda path: rs.count_scores([whole_beside(path), path], **NAMES),
}
WAYS: dict[str, dict[str, Any]] = {
    "snappy": {},
    "plain": {"compression": "none", "use_dictionary": False},
    "pages of version 2": {"data_page_version": "2.0", "compression": "zstd"},
    "blocks": {"row_group_size": 500},
}


def table() -> Any:
    rng = np.random.default_rng(7)
    columns = {"y": rng.integers(0, 2, 3000), "s": rng.normal(size=3000), "other": rng.normal(size=3000)}
    return pa.table(columns | {"g": pa.array([f"site {i % 7}" for i in range(3000)])})


def whole_beside(path: Path) -> Path:
    whole = path.with_name("whole.parquet")
    pq.write_table(table(), whole, write_page_checksum=True)
    return whole


def damaged(path: Path, column: str, **ways: Any) -> Path:
    """A file with checksums in which one bit of the last page of a column is another."""
    pq.write_table(table(), path, write_page_checksum=True, **ways)
    metadata = pq.read_metadata(path)
    chunk = metadata.row_group(metadata.num_row_groups - 1).column(metadata.schema.names.index(column))
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    data = bytearray(path.read_bytes())
    data[start + chunk.total_compressed_size - 1] ^= 1
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("column", ["y", "s", "g"])
@pytest.mark.parametrize("door", DOORS)
def test_a_flipped_bit_is_refused(tmp_path, door, column):
    with pytest.raises(FileError, match=r"RS401: rows.parquet.*\n.*checksum") as caught:
        DOORS[door](damaged(tmp_path / "rows.parquet", column))
    assert caught.value.remedies


@pytest.mark.parametrize("ways", WAYS)
def test_pages_of_all_kinds_are_checked(tmp_path, ways):
    path = damaged(tmp_path / "rows.parquet", "s", **WAYS[ways])
    for door in ("read_scores", "count_scores in DuckDB"):
        with pytest.raises(FileError, match="RS401"):
            DOORS[door](path)


def test_an_engine_reads_the_damage_as_another_number(tmp_path):
    """Why we look: DuckDB gives another sum, without a word."""
    path = damaged(tmp_path / "rows.parquet", "s", **WAYS["plain"])
    ((found,),) = duckdb.sql(f"SELECT sum(s) FROM '{path}'").fetchall()
    assert found != pytest.approx(np.sum(table()["s"].to_numpy()), rel=1e-14)


def test_columns_that_are_not_read_are_not_checked(tmp_path):
    path = damaged(tmp_path / "rows.parquet", "other")
    assert len(DOORS["read_scores"](path)) == 7


@pytest.mark.parametrize("ways", WAYS)
def test_sound_files_give_what_files_without_checksums_give(tmp_path, ways):
    pq.write_table(table(), tmp_path / "with.parquet", write_page_checksum=True, **WAYS[ways])
    pq.write_table(table(), tmp_path / "without.parquet", **WAYS[ways])
    for door in DOORS.values():
        found, expected = (
            rs.roc_curves(door(tmp_path / f"{name}.parquet")).auc for name in ("with", "without")
        )
        np.testing.assert_array_equal(found, expected)


def test_files_without_checksums_are_not_read_twice(tmp_path, monkeypatch):
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lambda *given, **options: pytest.fail("read again"))
    pq.write_table(table(), tmp_path / "arrow.parquet")
    pl.from_arrow(table()).write_parquet(tmp_path / "polars.parquet")
    duckdb.from_arrow(table()).write_parquet(str(tmp_path / "duckdb.parquet"))
    for path in tmp_path.iterdir():
        assert len(DOORS["read_scores"](path)) == 7
        DOORS["count_scores in DuckDB"](path)
