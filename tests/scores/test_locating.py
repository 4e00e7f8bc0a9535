"""Files that cannot be read at all, and names that are no files."""

from __future__ import annotations

import errno
import os
import pickle
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rocsteady.errors import FileError, RocsteadyError
from rocsteady.scores import read_scores

TEXT = "label,score\n1,2\n0,1\n"


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "csv"])
def test_the_folder_does_not_overwrite_the_columns(tmp_path, ending):
    folder = tmp_path / "score=5" / "c1=6"
    folder.mkdir(parents=True)
    path = folder / f"h.{ending}"
    if ending == "parquet":
        pq.write_table(pa.table({"label": [1, 0], "score": [2, 1]}), path)
    else:
        path.write_text(TEXT if ending == "csv" else '{"label":1,"score":2}\n{"label":0,"score":1}\n')
    assert read_scores(path).columns.scores.tolist() == [2, 1]


def test_a_path_of_bytes(tmp_path):
    (tmp_path / "s.csv").write_text(TEXT)
    assert len(read_scores(os.fsencode(tmp_path / "s.csv"))[0].scores) == 2


def test_a_missing_file_is_what_python_calls_it(tmp_path):
    with pytest.raises(FileNotFoundError, match="RS051") as caught:
        read_scores(tmp_path / "none.csv")
    assert isinstance(caught.value, FileError)
    assert caught.value.errno == errno.ENOENT
    twin = pickle.loads(pickle.dumps(caught.value))
    assert (str(twin), twin.errno) == (str(caught.value), errno.ENOENT)


def test_names_that_no_file_can_have():
    for name in ("x" * 5000 + ".csv", "a\0b.csv"):
        with pytest.raises(FileError, match="RS051"):
            read_scores(name)


def test_a_deleted_working_folder(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(FileError, match="RS051"):
        read_scores("s.csv")


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_no_permission_is_no_reason_to_write_the_file_again(tmp_path, monkeypatch, ending):
    path = tmp_path / f"s.{ending}"
    path.write_text(TEXT)

    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)  # whoever runs the tests may be allowed everything
    with pytest.raises(FileError, match="RS053") as caught:
        read_scores(path)
    assert "Permission denied" in str(caught.value)
    assert "write the file again" not in str(caught.value)


def test_a_folder_without_permission(tmp_path, monkeypatch):
    real = os.stat

    def refuse(path, **options):
        if str(path).startswith(str(tmp_path / "closed")):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, **options)

    monkeypatch.setattr(os, "stat", refuse)
    with pytest.raises(FileError, match="RS053") as caught:
        read_scores(tmp_path / "closed" / "s.csv")
    assert "permission" in str(caught.value)


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "x.csv")
    with pytest.raises(FileError, match="RS052"):
        read_scores(tmp_path / "x.csv")


def test_damaged_parquet_is_a_coded_error(tmp_path):
    columns = {"label": [0, 1] * 20, "score": [i / 7 for i in range(40)], "fold": ["a", "b"] * 20}
    path = tmp_path / "s.parquet"
    pq.write_table(pa.table(columns), path)
    content, rng, codes = path.read_bytes(), random.Random(1), set()
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(4):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path.write_bytes(damaged)
        try:
            read_scores(path)
        except RocsteadyError as error:
            codes.add(error.code)
    assert "RS053" in codes


@pytest.mark.parametrize("start", ["\n\n", "\r\n  \r\n", "\ufeff\n\n"])
def test_blank_lines_above_the_names(tmp_path, start):
    path = tmp_path / "s.csv"
    path.write_bytes((start + TEXT).encode())
    with pytest.raises(FileError, match="RS053") as caught:
        read_scores(path)
    assert "2 blank lines above" in str(caught.value)


def test_lines_that_end_in_different_ways_are_named(tmp_path):
    path = tmp_path / "s.csv"
    path.write_bytes(b"label,score\r\n1,2\n0,1\r\n1,5\n")
    with pytest.raises(FileError, match="RS053") as caught:
        read_scores(path)
    assert "end in different ways" in str(caught.value)


def test_a_file_of_nothing_but_a_byte_order_mark(tmp_path):
    (tmp_path / "s.csv").write_bytes(b"\xef\xbb\xbf")
    with pytest.raises(RocsteadyError, match="RS010"):
        read_scores(tmp_path / "s.csv")


def test_an_open_quote_in_the_names(tmp_path):
    (tmp_path / "s.csv").write_text('label,"score\n' + "1,2\n" * 50_000)
    with pytest.raises(FileError, match="RS053"):
        read_scores(tmp_path / "s.csv")


def test_long_labels_keep_their_digits(tmp_path):
    low, high = "12345678901234567890", "12345678901234567891"
    (tmp_path / "s.csv").write_text(f"label,score\n{low},1\n{high},2\n")
    for positive in (high, int(high)):
        assert read_scores(tmp_path / "s.csv", positive=positive)[0].is_positive.tolist() == [False, True]
