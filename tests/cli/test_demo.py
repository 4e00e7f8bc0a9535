"""`rocsteady demo` writes an example and shows its curves, without ever harming a file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from rocsteady.cli import writing
from rocsteady.cli.writing import write_file
from rocsteady.errors import FileError, UsageError
from rocsteady.simulate import hosts


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_demo(call, folder, snapshot) -> None:
    shown = call("demo")
    assert shown.code == 0
    snapshot("demo", shown.out + shown.err)
    lines = (folder / "rocsteady-demo" / "hosts.csv").read_text().splitlines()
    assert lines[0] == "host,event,model,label,score"
    assert len(lines) == 1 + len(hosts()["host"])


def test_the_demo_in_a_narrow_terminal(call, folder, monkeypatch, snapshot) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = call("demo")
    table = [line for line in shown.out.splitlines() if line.startswith(("host", "mean"))]
    assert max(map(len, table)) <= 40
    snapshot("demo_40_columns", shown.out)


def test_what_the_demo_says_next_works(call, folder) -> None:
    next_line = next(line for line in call("demo").out.splitlines() if "rocsteady check" in line)
    command = next_line.split("rocsteady ", 1)[1].split()
    shown = call(*command)
    assert shown.code == 0
    assert "24 hosts, 2 models (current and candidate)" in shown.out
    assert "46 of 48 curves can be drawn." in shown.out


def test_a_second_run_changes_nothing(call, folder) -> None:
    first = call("demo", "--output", "here")
    path = folder / "here" / "hosts.csv"
    before = path.stat()
    second = call("demo", "--output", "here")
    assert "written" in first.out
    assert "was there already" in second.out
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert os.listdir(folder / "here") == ["hosts.csv"]


def test_a_file_of_the_user_is_never_overwritten_silently(call, folder) -> None:
    path = folder / "rocsteady-demo" / "hosts.csv"
    path.parent.mkdir()
    path.write_text("mine")
    shown = call("demo")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS003 rocsteady-demo/hosts.csv exists and holds something else")
    assert path.read_text() == "mine"
    assert call("demo", "--overwrite").code == 0
    assert path.read_text().startswith("host,")


def test_a_folder_in_the_way(call, folder) -> None:
    (folder / "rocsteady-demo" / "hosts.csv").mkdir(parents=True)
    for options in ([], ["--overwrite"]):
        shown = call("demo", *options)
        assert shown.code == 2
        assert "is a folder" in shown.err


def test_a_file_where_the_folder_should_be(call, folder) -> None:
    (folder / "rocsteady-demo").write_text("mine")
    shown = call("demo")
    assert shown.code == 3
    assert shown.err.startswith("error RS055 ")
    assert (folder / "rocsteady-demo").read_text() == "mine"


def test_an_interrupted_write_leaves_nothing_behind(folder, monkeypatch) -> None:
    def interrupted(source: str, target: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(folder / "new.txt", b"text", overwrite=False)
    assert os.listdir(folder) == []


def test_a_failed_write_is_coded(folder, monkeypatch) -> None:
    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing.os, "replace", full)
    with pytest.raises(FileError, match=r"RS055.*No space left"):
        write_file(folder / "new.txt", b"text", overwrite=False)
    assert os.listdir(folder) == []


def test_written_files_have_ordinary_rights(folder) -> None:
    assert write_file(folder / "new.txt", b"text", overwrite=False)
    (folder / "other.txt").write_text("text")
    assert stat.S_IMODE((folder / "new.txt").stat().st_mode) == stat.S_IMODE(
        (folder / "other.txt").stat().st_mode
    )
    with pytest.raises(UsageError, match="RS003"):
        write_file(folder / "other.txt", b"else", overwrite=False)
