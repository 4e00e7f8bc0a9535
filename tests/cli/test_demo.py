"""`rocsteady demo` writes an example and shows its curves, without ever harming a file."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import rocsteady
from rocsteady.cli import program, writing
from rocsteady.cli.writing import write_file
from rocsteady.errors import FileError, UsageError
from rocsteady.simulate import hosts

SOURCE = str(Path(rocsteady.__file__).parents[1])


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


@pytest.fixture
def environment(folder: Path) -> dict[str, str]:
    """A folder with a program of this name in .venv/bin, as `make demo` leaves it, and a PATH without it."""
    script = folder / ".venv" / "bin" / "rocsteady"
    script.parent.mkdir(parents=True)
    script.write_text(f"#!{sys.executable}\nfrom rocsteady.cli import main\nmain()\n")
    script.chmod(0o755)
    return {**os.environ, "PATH": "/usr/bin:/bin", "PYTHONIOENCODING": "utf-8", "PYTHONPATH": SOURCE}


def shell(command: str, environment: dict[str, str], folder: Path) -> str:
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, encoding="utf-8", env=environment, cwd=folder, check=True
    )
    return done.stdout


def next_commands(printed: str) -> list[str]:
    return [line.split("→ ", 1)[1] for line in printed.splitlines() if "→" in line]


def test_what_the_demo_says_next_works_as_typed(environment, folder) -> None:
    commands = next_commands(shell(".venv/bin/rocsteady demo", environment, folder))
    names = ["check", "advise", "average", "compare", "cutoff", "plot", "plan", "explain"]
    assert [command.split()[:2] for command in commands] == [[".venv/bin/rocsteady", name] for name in names]
    check, advise, average, compare, cutoff, plot, plan, explain = (
        shell(command, environment, folder) for command in commands
    )
    assert "24 hosts" in check
    assert "Use the threshold average" in advise
    assert average == ""
    assert (folder / "curves.csv").stat().st_size > 10_000
    assert "candidate wins" in compare
    assert "fpr=0.05: call positive when score >=" in cutoff
    assert "Drawn: the threshold averages of current and candidate over 23 hosts" in plot
    assert (folder / "hosts.pdf").read_bytes().startswith(b"%PDF")
    assert "For a half-width of 0.02" in plan
    assert "RS201" in explain


def test_a_program_on_the_path_is_called_by_its_name(environment, folder) -> None:
    environment["PATH"] = f"{folder}/.venv/bin:{environment['PATH']}"
    commands = next_commands(shell("rocsteady demo", environment, folder))
    assert {command.split()[0] for command in commands} == {"rocsteady"}
    # Another program of that name, found first, is not this one.
    other = folder / "other" / "rocsteady"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    environment["PATH"] = f"{other.parent}:{environment['PATH']}"
    commands = next_commands(shell(".venv/bin/rocsteady demo", environment, folder))
    assert commands[0].startswith(".venv/bin/rocsteady check")


def test_a_program_beside_the_reader_or_far_away(environment, folder) -> None:
    command = next_commands(shell("./rocsteady demo", environment, folder / ".venv" / "bin"))[0]
    assert command.startswith("./rocsteady check")
    deep = (
        folder / "a" / "b" / "c" / "d" / "e" / "f" / "g" / "h" / "i" / "j" / "k" / "l" / "m" / "n" / "o" / "p"
    )
    deep.mkdir(parents=True)
    command = next_commands(shell(f"{folder}/.venv/bin/rocsteady demo", environment, deep))[0]
    assert shell(command, environment, deep).startswith("Read 23 802 rows")


def test_without_a_script_it_is_run_as_a_module(folder, monkeypatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(sys, "argv", ["/somewhere/rocsteady/__main__.py"])
    monkeypatch.setattr(sys, "executable", str(folder / "bin" / "python3"))
    monkeypatch.chdir(folder)
    assert program.typed() == "bin/python3 -m rocsteady"
    (folder / "bin").mkdir()
    (folder / "bin" / "python3").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    assert program.typed() == "python3 -m rocsteady"


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
    assert shown.err.startswith("error RS003 rocsteady-demo/hosts.csv is in the way; nothing was written.")
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
    with pytest.raises(FileError, match=r"(?s)RS055.*No space left"):
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
