"""What is read is never written over, and a command that is ended says what it left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

COMMANDS = {
    "report": ["--boot", "100"],
    "average": ["--method", "vertical"],
    "compare": ["--method", "vertical", "-m", "model"],
    "cutoff": ["--deploy", "own"],
    "plan": [],
    "plot": [],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    lines = ["fold,label,score,model"]
    for row in range(400):
        lines.append(f"{row // 2 % 5},{row % 2},{rng.normal() + row % 2},{'ab'[row % 400 // 200]}")
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("how", ["itself", "symbolic link", "hard link", "other spelling"])
def test_what_is_read_is_never_written_over(call, folder, command: str, how: str) -> None:
    before = (folder / "in.csv").read_bytes()
    output = {"itself": "in.csv", "other spelling": f"../{folder.name}/in.csv"}.get(how, "out.csv")
    if how == "symbolic link":
        os.symlink("in.csv", "out.csv")
    if how == "hard link":
        os.link("in.csv", "out.csv")
    shown = call(command, "in.csv", *COMMANDS[command], "-o", output, "--overwrite")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS003 ")
    said = " ".join(shown.err.split())
    assert "is what is read; it is never written over." in said
    assert "--overwrite" not in said
    assert "--output PATH" in said
    assert (folder / "in.csv").read_bytes() == before
    assert sorted(os.listdir()) == sorted({"in.csv", "out.csv"} & {"in.csv", output} | {"in.csv"})


@pytest.mark.parametrize("command", ["report", "cutoff"])
def test_nor_is_what_cut_offs_are_taken_from(call, folder, command: str) -> None:
    (folder / "other.csv").write_text((folder / "in.csv").read_text().replace("0.", "0.1"))
    shown = call(
        command, "in.csv", "--cutoff-from", "other.csv", *COMMANDS[command], "-o", "other.csv", "--overwrite"
    )
    assert (shown.code, shown.err[:12]) == (2, "error RS003 ")


def test_nor_is_what_comes_as_standard_input(folder) -> None:
    before = (folder / "in.csv").read_bytes()
    given = [sys.executable, "-m", "rocsteady", "average", "-", "--method", "vertical", "-o", "in.csv"]
    with open("in.csv") as stream:
        done = subprocess.run(
            [*given, "--overwrite"], stdin=stream, capture_output=True, text=True, check=False
        )
    assert (done.returncode, done.stderr[:12]) == (2, "error RS003 ")
    assert (folder / "in.csv").read_bytes() == before


def test_another_file_may_be_replaced(call, folder) -> None:
    (folder / "out.csv").write_text("old")
    shown = call("average", "in.csv", "--method", "vertical", "-o", "out.csv", "--overwrite")
    assert shown.code == 0
    assert (folder / "out.csv").read_text().startswith("model,")


@pytest.mark.parametrize("command", COMMANDS)
def test_an_empty_name_is_none(call, command: str) -> None:
    shown = call(command, "in.csv", *COMMANDS[command], "-o", "")
    assert (shown.code, shown.err.splitlines()[0]) == (2, "error RS002 --output names no file.")


SLOW = """
import signal, sys, time
from rocsteady import whole_files
from rocsteady.cli import main

def replace(source, target):
    print("writing", flush=True)
    time.sleep(30)

whole_files.os.replace = replace
sys.argv = ["rocsteady", *sys.argv[1:]]
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(
    ("command", "number", "code"),
    [("average", signal.SIGTERM, 143), ("average", signal.SIGINT, 130), ("report", signal.SIGTERM, 143)],
)
def test_a_signal_leaves_nothing_behind_and_says_so(folder, number: int, code: int, command: str) -> None:
    name = "out.html" if command == "report" else "out.csv"
    given = [sys.executable, "-c", SLOW, command, "in.csv", *COMMANDS[command], "-o", name, "-q"]
    with subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        assert [path for path in os.listdir() if path.endswith(".part")]
        process.send_signal(number)
        began = time.monotonic()
        _, said = process.communicate(timeout=20)
    assert time.monotonic() - began < 15
    assert (process.returncode, said) == (code, f"interrupted; {name} was not changed\n")
    assert os.listdir() == ["in.csv"]


def test_the_library_leaves_signals_alone() -> None:
    program = """
import signal
import rocsteady.cli
from rocsteady.cli import run
run(["explain", "RS001"])
print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True"
