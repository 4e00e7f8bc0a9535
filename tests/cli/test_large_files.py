"""Before a large file is read a line says how large; after it, nothing is different."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from rocsteady.cli import files

COLUMNS = ["-g", "host", "-p", "1"]


@pytest.fixture(autouse=True)
def few_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files, "LARGE", 100)
    monkeypatch.setattr(files, "_SMALL", 0)
    rows = "".join(f"h{i // 2 % 4},{i % 2},{i / 7 + i % 2:.4f},note {i}\n" for i in range(400))
    Path("big.csv").write_text(f"host,label,score,note\n{rows}")
    duckdb.sql("COPY (SELECT * FROM 'big.csv') TO 'big.parquet'")
    Path("small.csv").write_text("host,label,score\n" + "a,1,2\na,0,1\n" * 4)


def test_rows_size_columns_and_memory(call) -> None:
    shown = call("check", "big.csv", *COLUMNS, "--allow-reversed")
    assert shown.code == 0
    first = shown.err.splitlines()[0]
    assert re.fullmatch(
        r"big\.csv has about 0\.00040 million rows \([\d.]+ kB\)\. Reading 3 of 4 columns takes about 120 MB of",
        first,
    )
    assert "Read 400 rows" in shown.out


def test_parquet_says_how_many_exactly(call) -> None:
    shown = call("check", "big.parquet", *COLUMNS, "--allow-reversed")
    assert shown.err.splitlines()[0].startswith(
        "big.parquet has 400 rows (3.8 kB). Reading 3 of 4 columns takes"
    )


def test_who_asked_for_quiet_gets_it_and_small_files_need_no_words(call) -> None:
    assert call("check", "big.csv", *COLUMNS, "--allow-reversed", "-q").err == ""
    assert "million" not in call("check", "small.csv", *COLUMNS).err


@pytest.mark.parametrize("content", ["", "host\n", "a,b\n\xff\n" * 200])
def test_what_is_wrong_with_a_file_is_said_by_reading_it(call, content: str) -> None:
    Path("odd.csv").write_text(content, encoding="latin-1")
    shown = call("check", "odd.csv", *COLUMNS)
    assert shown.code in (2, 3)
    assert shown.err.startswith("error RS0")
