"""`rocsteady demo` writes an example and its report, tells its story, and never harms a file."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import rocsteady
from rocsteady import whole_files
from rocsteady.cli import program
from rocsteady.cli.files import write_file
from rocsteady.errors import FileError, UsageError
from rocsteady.simulate import hosts

SOURCE = str(Path(rocsteady.__file__).parents[1])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The reports that were asked for; none is made."""
    asked: list[list[str]] = []

    def run(arguments: list[str]) -> int:
        asked.append(arguments)
        return 0

    monkeypatch.setattr("rocsteady.cli.outcome.partial", lambda *_, **__: run)  # what runs another command
    return asked


def next_commands(printed: str) -> list[str]:
    return [line.split("→ ", 1)[1] for line in printed.splitlines() if "→" in line]


NEXT = {
    "devices": ["check", "advise", "average", "compare", "cutoff", "plot", "plan", "explain"],
    "readers": ["check", "compare", "compare", "plot", "plan"],
    "churn": ["check", "advise", "compare", "plot"],
}
FILES = {"devices": "hosts", "readers": "readers", "churn": "subscribers"}


@pytest.mark.parametrize("example", NEXT)
def test_the_demo_and_what_it_says_next(call, folder, example) -> None:
    shown = call("demo", example)
    assert shown.code == 0, shown.err
    own = folder / "rocsteady-demo"
    table = own / f"{FILES[example]}.csv"
    if example == "devices":
        assert len(table.read_text().splitlines()) == 1 + len(hosts()["host"])
    assert sorted(os.listdir(own)) == [table.name, f"{FILES[example]}.html"]
    typed = [shlex.split(command)[1:] for command in next_commands(shown.out)]
    assert [command[0] for command in typed] == ["report", *NEXT[example]]
    answers = [call(*command) for command in typed[1:]]
    assert [answer.code for answer in answers] == [0] * len(answers), answers
    written = {"devices": ["curves.csv", "hosts.pdf"], "readers": ["readers.pdf"], "churn": ["folds.pdf"]}
    assert all((own / name).stat().st_size > 5000 for name in written[example])


@pytest.mark.parametrize(
    ("example", "file_name", "words"),
    [
        ("devices", "hosts.csv", "the threshold average"),
        ("readers", "readers.csv", "the horizontal average"),
        ("churn", "subscribers.csv", "the vertical average"),
    ],
)
def test_three_stories(call, folder, reported, example, file_name, words) -> None:
    first, second = call("demo", example), call("demo", example)
    assert words in " ".join(first.out.split())
    assert f"{file_name}  written" in first.out
    assert "was there already, the same" in second.out
    path = Path("rocsteady-demo", file_name)
    assert reported[0][:2] == ["report", str(path)]
    assert reported[0][-2:] == ["--output", str(path.with_suffix(".html"))]
    assert shlex.split(next_commands(first.out)[0]) == ["rocsteady", *reported[0]]
    assert reported[0] == reported[1]


def test_a_file_of_the_user_is_never_overwritten_silently(call, folder, reported) -> None:
    path = folder / "rocsteady-demo" / "hosts.csv"
    path.parent.mkdir()
    path.write_text("mine")
    shown = call("demo")
    assert (shown.code, shown.out, reported) == (2, "", [])
    assert shown.err.startswith("error RS003 rocsteady-demo/hosts.csv already exists; nothing was written.")
    assert path.read_text() == "mine"
    assert call("demo", "--overwrite").code == 0
    assert path.read_text().startswith("host,")
    assert reported[0][-1] == "--overwrite"


def test_a_report_that_fails_fails_the_demo(call, folder) -> None:
    page = folder / "rocsteady-demo" / "hosts.html"
    page.parent.mkdir()
    page.write_text("mine")
    shown = call("demo")
    assert shown.code == 2
    assert "RS003 rocsteady-demo/hosts.html already exists" in shown.err
    assert "Next:" not in shown.out
    assert page.read_text() == "mine"


@pytest.fixture
def environment(folder: Path) -> dict[str, str]:
    """A folder with a program of this name in .venv/bin, as `make demo` leaves it, and a PATH without it."""
    script = folder / ".venv" / "bin" / "rocsteady"
    script.parent.mkdir(parents=True)
    script.write_text(f"#!{sys.executable}\nfrom rocsteady.cli import main\nmain()\n")
    script.chmod(0o755)
    one = folder / "one.csv"
    one.write_text("label,score,fold\n1,2,a\n0,1,a\n0,3,a\n1,4,a\n1,2,b\n0,1,b\n")
    own = {"PATH": "/usr/bin:/bin", "PYTHONIOENCODING": "utf-8", "PYTHONPATH": SOURCE, "ONE": str(one)}
    return {**os.environ, **own}


def shell(command: str, environment: dict[str, str], folder: Path) -> str:
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, encoding="utf-8", env=environment, cwd=folder, check=True
    )
    return done.stdout


def told(program: str, environment: dict[str, str], folder: Path) -> str:
    """How an error of this program calls it."""
    file = shlex.quote(environment["ONE"])
    return next_commands(shell(f"{program} average {file} 2>&1 || true", environment, folder))[0].split()[0]


def test_what_the_demo_says_next_works_as_typed(environment, folder) -> None:
    script = folder / ".venv" / "bin" / "rocsteady"
    text = script.read_text()
    no_report = "from rocsteady import cli\ncli.run = lambda asked: 0\ncli.main()\n"  # others make it
    script.write_text(text.partition("\n")[0] + "\n" + no_report)
    report, check, *_ = next_commands(shell(".venv/bin/rocsteady demo readers", environment, folder))
    script.write_text(text)
    assert report.startswith(".venv/bin/rocsteady report rocsteady-demo/readers.csv ")
    assert "6 readers" in shell(check, environment, folder)


def test_a_program_on_the_path_is_called_by_its_name(environment, folder) -> None:
    environment["PATH"] = f"{folder}/.venv/bin:{environment['PATH']}"
    assert told("rocsteady", environment, folder) == "rocsteady"
    # Another program of that name, found first, is not this one.
    other = folder / "other" / "rocsteady"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    environment["PATH"] = f"{other.parent}:{environment['PATH']}"
    assert told(".venv/bin/rocsteady", environment, folder) == ".venv/bin/rocsteady"


def test_a_program_beside_the_reader_or_far_away(environment, folder) -> None:
    assert told("./rocsteady", environment, folder / ".venv" / "bin") == "./rocsteady"
    deep = folder.joinpath(*"abcdefghijklmnop")
    deep.mkdir(parents=True)
    program = told(f"{folder}/.venv/bin/rocsteady", environment, deep)
    assert "RS201" in shell(f"{program} explain RS201", environment, deep)


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


def test_a_folder_in_the_way(call, folder) -> None:
    (folder / "rocsteady-demo" / "hosts.csv").mkdir(parents=True)
    for options in ([], ["--overwrite"]):
        shown = call("demo", *options)
        assert shown.code == 2
        assert "is not a file" in shown.err


def test_a_file_where_the_folder_should_be(call, folder) -> None:
    (folder / "rocsteady-demo").write_text("mine")
    shown = call("demo")
    assert shown.code == 3
    assert shown.err.startswith("error RS055 ")
    assert (folder / "rocsteady-demo").read_text() == "mine"


def test_an_interrupted_write_leaves_nothing_behind(folder, monkeypatch) -> None:
    def interrupted(source: str, target: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(whole_files.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(folder / "new.txt", b"text", overwrite=False)
    assert os.listdir(folder) == []


def test_a_failed_write_is_coded(folder, monkeypatch) -> None:
    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole_files.os, "replace", full)
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
