"""What every command promises alike: help, exit codes, JSON alone on standard output, quiet, strict, plain text."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import typer

from rocsteady.cli.app import app
from rocsteady.cli.console import working

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
COLUMNS = ["-g", "host", "-y", "label", "-s", "score", "-m", "model", "--case", "case", "-p", "attack"]
READING = {
    "check": [],
    "average": ["--method", "vertical", "--grid", "11", "--band", "none"],
    "compare": ["--method", "vertical", "--boot", "100"],
    "cutoff": ["--at", "youden", "--boot", "100"],
    "plan": ["--models", "new"],
    "advise": ["--deploy", "own", "--hold", "fpr", "--at", "0.1"],
    "plot": ["--figure", "curves", "--band", "none", "--models", "new", "--dpi", "50", "--overwrite"],
}
"""What each command that reads a file is called with here."""


def write_hosts(path: Path, *, lonely: bool = False) -> Path:
    """Six hosts, two models; ``lonely``: one more host, without attacks."""
    rng = np.random.default_rng(3)
    lines = ["host,case,label,score,model"]
    for host in range(6 + lonely):
        for case in range(40):
            label = "attack" if case < 15 and host < 6 else "normal"
            common = rng.normal() + 1.5 * (label == "attack")
            lines += [
                f"h{host},{host}-{case},{label},{common + (1 + k) * 0.5 * rng.normal():.3f},{model}"
                for k, model in enumerate(("new", "old"))
            ]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def hosts(folder: Path) -> str:
    return write_hosts(folder / "hosts.csv").name


@pytest.fixture
def lonely(folder: Path) -> str:
    return write_hosts(folder / "lonely.csv", lonely=True).name


def test_every_command_that_reads_a_file_is_tried_here() -> None:
    takes_columns = {name for name, own in COMMANDS.items() if any("--group" in p.opts for p in own.params)}
    assert takes_columns - {"report", "count", "teach", "classes", "smroc"} == set(
        READING
    )  # those have files of their own


@pytest.mark.parametrize("name", list(COMMANDS))
@pytest.mark.parametrize("columns", ["80", "40"])
def test_help(call, monkeypatch, name: str, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    shown = call(name, "--help")
    assert (shown.code, shown.err) == (0, "")
    assert max(map(len, shown.out.splitlines())) <= int(columns)
    if columns == "80":
        for parameter in COMMANDS[name].params:
            assert all(option in shown.out for option in parameter.opts if option.startswith("--"))


@pytest.mark.parametrize("name", list(COMMANDS))
def test_an_unknown_option_exits_with_2(call, name: str) -> None:
    shown = call(name, "--no-such-option")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS002 ")


@pytest.mark.parametrize("name", list(READING))
def test_a_missing_file_exits_with_3_and_a_missing_column_with_2(call, hosts, name: str) -> None:
    shown = call(name, "no.csv", *COLUMNS, *READING[name])
    assert (shown.code, shown.out) == (3, "")
    assert shown.err.startswith("error RS051 ")
    shown = call(name, hosts, *COLUMNS[2:], "-g", "hots", *READING[name])
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS011 ")
    assert "did you mean  --group host" in shown.err


@pytest.mark.parametrize("name", list(READING))
def test_json_is_valid_and_alone_on_standard_output(call, lonely, name: str) -> None:
    shown = call(name, lonely, *COLUMNS, *READING[name], "--json")
    assert (shown.code, shown.err) == (0, "")
    data = json.loads(shown.out)
    assert data["schema_version"] == 2
    assert "RS201" in {warning["code"] for warning in data["warnings"]}


@pytest.mark.parametrize("name", list(READING))
def test_quiet_is_quiet_and_leaves_what_a_script_reads(call, lonely, name: str) -> None:
    shown = call(name, lonely, *COLUMNS, *READING[name], "-q")
    assert (shown.code, shown.err) == (0, "")
    if name in ("check", "advise", "plot"):
        assert shown.out == ""
    elif name == "average":
        assert shown.out.splitlines()[0] == "model,line,fpr,tpr,threshold" or "fpr,tpr" in shown.out
    elif name == "cutoff":
        assert [float(line) for line in shown.out.splitlines()]
    elif name == "plan":
        assert re.fullmatch(r"\d+|inf|\S*\n?", shown.out.strip())
    else:
        assert "mean AUC" in shown.out
        assert "Read " not in shown.out


def test_quiet_is_quiet_with_a_file_too(call, hosts) -> None:
    for name in ("average", "compare", "cutoff", "plan"):
        shown = call(name, hosts, *COLUMNS, *READING[name], "-q", "-o", f"{name}.csv")
        assert (shown.code, shown.err) == (0, "")
        assert Path(f"{name}.csv").stat().st_size > 0


@pytest.mark.parametrize("name", list(READING))
def test_strict_exits_with_4_only_if_there_are_warnings(call, hosts, lonely, name: str) -> None:
    found = call(name, lonely, *COLUMNS, *READING[name], "--strict")
    assert found.code == 4
    assert "warning RS201 " in found.err
    clean = call(name, hosts, *COLUMNS, *READING[name], "--strict")
    assert clean.code == (4 if "warning" in clean.err else 0)
    assert "RS201" not in clean.err


@pytest.mark.parametrize("name", ["average", "compare"])
def test_a_requirement_is_judged_on_the_bound_of_the_interval(call, hosts, name: str) -> None:
    given = [name, hosts, *COLUMNS, *READING[name]]
    data = json.loads(call(*given, "--json", "--require", "new: auc >= 0.5").out)
    (verdict,) = data["requirements"]
    assert verdict["holds"] is True
    between = (verdict["value"] + verdict["low"]) / 2
    for bound, code in ((verdict["low"] - 1e-6, 0), (between, 1), (verdict["high"] + 1e-6, 1)):
        shown = call(*given, "-q", "--require", f"new: auc >= {bound:.6f}")
        assert shown.code == code
        assert ("error RS005 " in shown.err) is (code == 1)
    assert call(*given, "-q", "--require", "auc >= 0.5", "--require", "old: auc >= 0.999").code == 1
    wrong = call(*given, "--require", "auc")
    assert (wrong.code, wrong.out) == (2, "")
    assert "RS004" in wrong.err


def test_nothing_is_required_of_a_reader_study(call, folder) -> None:
    rng = np.random.default_rng(2)
    rows = [
        f"r{reader},{case},{int(case < 20)},{rng.normal() + 2 * (case < 20):.2f},{model}"
        for reader in range(4)
        for case in range(40)
        for model in ("film", "digital")
    ]
    Path("study.csv").write_text("\n".join(["reader,case,label,score,model", *rows]) + "\n")
    given = ["compare", "study.csv", "-p", "1", "--case", "case", "--require", "auc >= 0.5"]
    shown = call(*given)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS002 --require ")
    assert call(*given, "--method", "vertical", "-q", "--boot", "100").code == 0


def test_what_takes_long_may_have_brackets_in_its_name(capsys, monkeypatch) -> None:
    monkeypatch.setattr("rocsteady.cli.console.PATIENCE", 0.0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with working("Reading [/x] [red]") as tell:
        time.sleep(0.2)
        tell("Averaging over every [/host]")
        time.sleep(0.2)
    shown = capsys.readouterr().err
    assert "Reading [/x] [red]" in shown
    assert "Averaging over every [/host]" in shown


def test_a_failed_requirement_comes_before_strict(call, lonely) -> None:
    given = ["average", lonely, *COLUMNS, *READING["average"], "--strict", "-q"]
    assert call(*given, "--require", "auc >= 0.99999").code == 1
    assert call(*given, "--require", "auc >= 0.1").code == 4


@pytest.mark.parametrize("name", [own for own in READING if own not in ("check", "plot", "plan")])
def test_the_seed_is_all_there_is_to_chance(call, hosts, name: str) -> None:
    given = [name, hosts, *COLUMNS, *READING[name], "--json"]
    assert call(*given, "--seed", "5").out == call(*given, "--seed", "5").out


def test_explain_as_json(call) -> None:
    (message,) = json.loads(call("explain", "rs203", "--json").out)["messages"]
    assert message["code"] == "RS203"
    assert message["kind"] == "warning"
    everything = json.loads(call("explain", "--json").out)["messages"]
    assert message in everything
    assert call("explain", "RS999", "--json").code == 2


# -- a real terminal ----------------------------------------------------------------------------------

SCRIPT = """
import sys
import rocsteady.cli.console
from rocsteady.cli import run
rocsteady.cli.console.PATIENCE = 0.0
for command in {commands!r}:
    print("==", *command[:1], flush=True)
    run(command)
"""


def in_terminal(commands: list[list[str]], columns: int, **environment: str) -> str:
    """What a terminal of so many columns sees of several commands."""
    import fcntl
    import pty
    import struct
    import termios

    own, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "TERM")}
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(commands=commands)],
        stdin=subprocess.DEVNULL,
        stdout=other,
        stderr=other,
        env={**kept, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment},
    )
    os.close(other)
    seen, until = b"", time.monotonic() + 100
    while time.monotonic() < until:
        if select.select([own], [], [], 0.5)[0]:
            try:
                piece = os.read(own, 65536)
            except OSError:  # how Linux says that the other side is closed
                break
            if not piece:
                break
            seen += piece
    process.wait(timeout=10)
    os.close(own)
    return seen.decode().replace("\r\n", "\n")


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_no_color_sends_no_escape_codes(lonely) -> None:
    given = [*COLUMNS, "--strict"]
    commands = [[name, lonely, *given, *options] for name, options in READING.items() if name != "plot"]
    commands += [
        ["--help"],
        ["check", "--help"],
        ["explain", "RS203"],
        ["check", "no.csv"],
        ["average", lonely],
    ]
    plain = in_terminal(commands, 80, NO_COLOR="1")
    assert "\x1b" not in plain
    assert plain.count("\n== ") + 1 >= len(commands)
    for words in ("warning RS201", "error RS051", "Usage: rocsteady", "Reading lonely.csv ..."):
        assert words in plain
    assert "RS070" not in plain
    coloured = in_terminal(commands[:1] + commands[-3:], 80)
    assert "\x1b[33mwarning" in coloured


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_prose_fits_a_narrow_terminal(lonely) -> None:
    commands = [[name, lonely, *COLUMNS, *READING[name]] for name in ("check", "compare", "cutoff", "advise")]
    seen = in_terminal(commands, 40, NO_COLOR="1")
    # What is to be typed stays on one line; it is copied.
    broken = [line for line in seen.splitlines() if len(line) > 40 and "rocsteady" not in line]
    assert broken == []
    # A table that is too wide has a line for each number; no name and no interval is cut.
    advice = seen[seen.index("== advise") :]
    assert "(95" in advice or "to" in advice
