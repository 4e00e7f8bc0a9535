"""What every command has in common: help, exit codes, streams, terminals, failures."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import rocsteady.cli.explain
from rocsteady.cli import outcome
from rocsteady.cli.app import app
from rocsteady.cli.console import arrow, console, show_message, working
from rocsteady.cli.outcome import installed_version
from rocsteady.errors import DataError, LabelError, Option, RocsteadyWarning, warn

LIGHT = "numpy scipy duckdb narwhals pandas polars pyarrow matplotlib sklearn"


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], [], ["explain", "RS011"], ["check", "--help"]]
)
def test_help_version_and_explain_load_neither_numpy_nor_duckdb(arguments: list[str]) -> None:
    script = (
        "import sys\nfrom rocsteady.cli import run\n"
        f"code = run({arguments!r})\n"
        f"loaded = sorted(set('{LIGHT}'.split()) & set(sys.modules))\n"
        "sys.exit(f'loaded {loaded}' if loaded else code)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_help_names_every_command(call) -> None:
    for arguments in (["--help"], ["-h"], []):
        shown = call(*arguments)
        assert shown.code == 0
        assert shown.err == ""
        for command in ("check", "demo", "explain"):
            assert command in shown.out


def test_help_through_typer_itself() -> None:
    shown = CliRunner().invoke(app, ["check", "--help"])
    assert shown.exit_code == 0
    for option in (
        "--group",
        "-g",
        "--label",
        "-y",
        "--score",
        "-s",
        "--model",
        "-m",
        "--case",
        "--weight",
        "-w",
    ):
        assert option in shown.output
    for option in ("--positive", "-p", "--low-is-positive", "--on-missing", "--json", "--strict", "--quiet"):
        assert option in shown.output


def test_version(call) -> None:
    shown = call("--version")
    assert shown.code == 0
    assert shown.out == f"rocsteady {installed_version('rocsteady')}\n"


def test_python_dash_m(spawn) -> None:
    shown = spawn("--version")
    assert shown.code == 0
    assert shown.out.startswith("rocsteady ")
    assert shown.err == ""


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("unknown_command", ["chek"]),
        ("unknown_option", ["check", "--colour"]),
        ("missing_argument", ["check"]),
        ("bad_choice", ["check", "scores.csv", "--on-missing", "ignore"]),
    ],
)
def test_usage_errors_exit_with_2(call, name: str, arguments: list[str]) -> None:
    shown = call(*arguments)
    assert shown.code == 2
    assert shown.out == ""
    # The first words are typer's and change with its releases.
    first, last = shown.err.splitlines()[0], shown.err.splitlines()[-1]
    assert first.startswith("error RS002 ")
    assert last.startswith("  → see  rocsteady")
    assert last.endswith(" --help")


EXAMPLE = LabelError(
    "RS021",
    'no row of column "is_attack" has the label "positive".',
    "labels found: attack (2 664 rows), normal (15 889 rows)",
    ["use  ", Option("positive", "attack"), "   or   ", Option("positive", "normal")],
)


def fail_with(error: BaseException):
    def fail(*arguments: object, **options: object) -> None:
        raise error

    return fail


def test_an_error_looks_like_the_design(call, monkeypatch, snapshot) -> None:
    monkeypatch.setattr(rocsteady.cli.explain, "show_blocks", fail_with(EXAMPLE))
    shown = call("explain")
    assert (shown.code, shown.out) == (2, "")
    snapshot("error_plain", shown.err)


def test_an_error_in_colour(call, monkeypatch, snapshot) -> None:
    monkeypatch.setattr(rocsteady.cli.explain, "show_blocks", fail_with(EXAMPLE))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    shown = call("explain")
    assert "\x1b[1;31merror\x1b[0m" in shown.err
    snapshot("error_colour", shown.err.replace("\x1b", "<ESC>"))


def test_no_color_is_honoured(call, monkeypatch) -> None:
    monkeypatch.setattr(rocsteady.cli.explain, "show_blocks", fail_with(EXAMPLE))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    shown = call("explain")
    assert "[31m" not in shown.err
    assert "[1;31m" not in shown.err


def test_data_errors_exit_with_3(call, monkeypatch) -> None:
    monkeypatch.setattr(
        rocsteady.cli.explain, "show_blocks", fail_with(DataError("RS010", "there are no rows."))
    )
    assert call("explain").code == 3


def test_names_from_a_file_cannot_steer_the_terminal(capsys) -> None:
    show_message(DataError("RS035", "host \x1b[2J\x07 has no name.", "\u202etxt.exe"))
    shown = capsys.readouterr().err
    assert "\\x1b[2J\\x07" in shown
    assert "\\u202etxt" in shown
    assert not any(ord(c) < 32 and c != "\n" for c in shown)


def test_long_warnings_hang_under_their_text(capsys, monkeypatch, snapshot) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    for columns in (40, 64):
        monkeypatch.setenv("COLUMNS", str(columns))
        show_message(
            RocsteadyWarning(
                "RS201", "host-23 has no attack cases; left out of every average.", "", "look at it"
            )
        )
        snapshot(f"warning_{columns}_columns", capsys.readouterr().err)


def test_long_advice_is_wrapped_and_nothing_in_it_broken(capsys, monkeypatch) -> None:
    option, path = "--on-missing drop", "/a/folder-with-a-long-name/" + 8 * "and-another/"
    error = DataError("RS031", "scores are missing.", "", f"drop those rows of {path} by typing {option}")
    show_message(error)
    assert capsys.readouterr().err.splitlines()[1:] == [
        "  → drop those rows of",
        f"    {path}",
        f"    by typing {option}",
    ]
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    show_message(DataError("RS031", "scores are missing.", "", "a remedy " + 8 * "of words "))
    assert max(map(len, capsys.readouterr().err.splitlines())) <= 60


def test_a_number_is_never_broken(capsys, monkeypatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    for columns in range(24, 40):
        monkeypatch.setenv("COLUMNS", str(columns))
        show_message(DataError("RS010", "26 932 of 200 000 rows are here, 1 234 567 are not."))
        shown = capsys.readouterr().err
        assert all(number in shown for number in ("26 932", "200 000", "1 234 567"))


@pytest.mark.parametrize("command", ["check", "demo", "explain"])
def test_help_shows_what_can_be_typed(call, command: str) -> None:
    shown = call(command, "--help").out
    assert "[[" not in shown
    flags = [line for line in shown.splitlines() if "<bool>" in line]
    assert all("--help" in line for line in flags)  # typer's own


def test_a_bug_exits_with_70_and_leaves_a_file_to_send(call, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(rocsteady.cli.explain, "show_blocks", fail_with(ZeroDivisionError("half a host")))
    shown = call("explain")
    assert (shown.code, shown.out) == (70, "")
    (report,) = tmp_path.glob("rocsteady-bug-*.txt")
    assert (
        shown.err.split()
        == (
            "error RS070 rocsteady itself failed; this is not a fault of your data. "
            f"ZeroDivisionError: half a host → please send the file {report}"
        ).split()
    )
    text = report.read_text()
    for piece in ("command   rocsteady explain", "python    3.", "numpy     ", "Traceback", "half a host"):
        assert piece in text


def test_a_bug_without_a_temporary_folder_is_printed(call, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.mkstemp", fail_with(PermissionError("no")))
    monkeypatch.setattr(rocsteady.cli.explain, "show_blocks", fail_with(OSError("odd")))
    shown = call("explain")
    assert shown.code == 70
    assert "Traceback" in shown.err
    assert "please send the text above" in shown.err


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("Query interrupted")])
def test_an_interrupt_is_quiet(call, monkeypatch, error) -> None:
    monkeypatch.setattr(rocsteady.cli.explain, "show_blocks", fail_with(error))
    shown = call("explain")
    assert (shown.code, shown.out, shown.err) == (130, "", "")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_in_a_real_process(tmp_path: Path) -> None:
    """The command waits for standard input; Ctrl-C ends it with 130 and not a word."""
    script = (
        "import sys, time, rocsteady.cli.explain as e\nfrom rocsteady.cli import main\n"
        "e.show_blocks = lambda *given, **how: (print('ready', flush=True), time.sleep(60))\n"
        "sys.argv = ['rocsteady', 'explain']\nmain()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "")


@pytest.mark.skipif(os.name != "posix", reason="a shell with pipes")
@pytest.mark.parametrize("arguments", ["explain", "--help"])
def test_a_closed_pipe_is_quiet(arguments: str) -> None:
    command = f"{sys.executable} -m rocsteady {arguments} | true"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said_once() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rocsteady", "explain"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == "error RS055 the output cannot be written: No space left on device.\n"


def test_an_ascii_terminal_gets_ascii(spawn) -> None:
    environment = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    shown = spawn("explain", "RS9é9", **environment)
    assert shown.code == 2
    assert shown.err.isascii()
    assert "  -> " in shown.err
    assert spawn("--help", **environment).out.isascii()


def test_the_demo_on_an_ascii_terminal(spawn) -> None:
    shown = spawn("demo", "readers", PYTHONIOENCODING="ascii")
    assert shown.code == 0
    assert shown.out.isascii()
    assert "  -> " in shown.out
    assert "rocsteady check" in shown.out


def test_long_work_is_announced_on_a_terminal_only(capsys, monkeypatch) -> None:
    monkeypatch.setattr("rocsteady.cli.console.PATIENCE", 0.0)
    for expected in (False, True):
        if expected:
            monkeypatch.setenv("FORCE_COLOR", "1")
        with working("Reading scores.csv"):
            time.sleep(0.3)
        shown = capsys.readouterr()
        assert shown.out == ""
        assert ("Reading scores.csv" in shown.err) is expected


def test_the_arrow_depends_on_the_encoding() -> None:
    screen = console()
    assert arrow(screen) == "\N{RIGHTWARDS ARROW}"
    assert arrow(SimpleNamespace(encoding="ascii")) == "->"


def test_warnings_are_collected_in_order_and_others_let_through() -> None:
    collected: list[RocsteadyWarning] = []

    def collect() -> None:
        with outcome.collected_warnings() as found:
            for lack in ("no positives", "no positives", "no negatives"):
                warn("RS201.alone", lack=lack)
            warnings.warn("old", DeprecationWarning, stacklevel=1)
        collected.extend(found)

    with pytest.warns(DeprecationWarning, match="old"):
        collect()
    assert [w.facts["lack"] for w in collected] == ["no positives", "no negatives"]
