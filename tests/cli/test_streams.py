"""Closed streams, interrupts, terminals without columns, labels with commas: in real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rocsteady.cli import outcome, run
from rocsteady.errors import Option

ROWS = 'label,score\n"a,b",0.9\nc,0.2\n"a,b",0.6\nc,0.7\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text(ROWS)
    return path


def in_shell(command: str, file: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    program = f"{sys.executable} -m rocsteady"
    return subprocess.run(
        ["sh", "-c", command.format(program=program, file=file)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("{program} check {file} -p c --allow-reversed >&-", 0),
        ("{program} check {file} -p c --allow-reversed --json >&- 2>&-", 0),
        ("{program} check {file} -p c --allow-reversed <&- >&- 2>&-", 0),
        ("{program} check no-such-file.csv >&-", 3),
        ("{program} check {file} >&-", 2),
        ("{program} --help >&-", 0),
        ("{program} check - <&-", 3),
    ],
)
def test_closed_streams_change_no_exit_code(file: Path, command: str, code: int) -> None:
    done = in_shell(command, file)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "RS070" not in done.stderr


def test_a_terminal_without_columns_gets_80(file: Path) -> None:
    check = "{program} check {file} -p c --allow-reversed"
    usual, *narrow = (in_shell(check, file, COLUMNS=columns).stdout for columns in ("80", "0", "1", "19"))
    assert "Read 4 rows" in usual
    assert narrow == [usual] * 3
    usual, none = (in_shell("{program} --help", file, COLUMNS=columns).stdout for columns in ("80", "0"))
    assert "Usage: rocsteady" in usual
    assert none == usual


def test_an_interrupt_during_imports_exits_with_130() -> None:
    script = (
        "import builtins, os, signal, sys\n"
        "load = builtins.__import__\n"
        "def interrupted(name, *rest):\n"
        "    if name == WHERE:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return load(name, *rest)\n"
        "builtins.__import__ = interrupted\n"
        "sys.argv = ['rocsteady', 'explain', 'RS022']\n"
        "from rocsteady.cli import main\n"
        "main()\n"
    )
    for module in ("rocsteady.cli.outcome", "rocsteady.cli.console", "typer", "rocsteady.cli.app"):
        program = script.replace("WHERE", repr(module))
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (130, ""), module


def test_what_fails_after_an_interrupt_is_no_bug(monkeypatch) -> None:
    """An extension that is interrupted while it is loaded raises an ImportError of its own."""

    def fail(*arguments: object) -> int:
        with pytest.raises(KeyboardInterrupt):
            outcome._interrupt(signal.SIGINT, None)
        raise ImportError("numpy._core.multiarray failed to import")

    monkeypatch.setattr(outcome, "_call", fail)
    monkeypatch.setattr(outcome, "_interrupts", [])
    assert run(["check"]) == 130


@pytest.mark.parametrize("options", ["-p a,b", "-p a,b -p a,b"])
def test_a_label_with_a_comma(call, file: Path, options: str) -> None:
    shown = call("check", file, *options.split())
    assert shown.code == 0, shown.err
    assert "Positive: a,b, where" in shown.out


def test_a_label_with_a_comma_in_what_comes_as_standard_input(file: Path) -> None:
    done = in_shell("{program} check - -p a,b < {file}", file)
    assert done.returncode == 0, done.stderr
    assert "Positive: a,b, where" in done.stdout


def test_labels_given_one_by_one_are_taken_literally(call, file: Path) -> None:
    file.write_text(ROWS + "a,0.4\nb,0.3\n")
    assert "Positive: a or b, where" in call("check", file, "-p", "a,b", "--allow-reversed").out
    assert "Positive: a,b or b, where" in call("check", file, "-p", "a,b", "-p", "b").out


def test_advice_about_labels_with_commas_can_be_typed() -> None:
    assert Option("positive", ["a,b", "c"]).shell() == "--positive a,b --positive c"
    assert Option("positive", ["b", "c d"]).shell() == "--positive 'b,c d'"
