"""Tab in a shell: commands, options, choices, columns of the file; and nothing that a shell would run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rocsteady.averaging.methods import PLAIN
from rocsteady.cli.completion import METHODS, complete_codes, complete_columns

HEADER = "host,label,score,$(touch run),`touch run`,a;touch run,b c,it's,-x,../y,модель"
PROTOCOLS = {
    "bash": lambda words: {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)},
    "zsh": lambda words: {"_TYPER_COMPLETE_ARGS": " ".join(words)},
    "fish": lambda words: {
        "_TYPER_COMPLETE_ARGS": " ".join(words),
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    },
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text(f"{HEADER}\n")
    return tmp_path


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("_TYPER_COMPLETE")}
    return subprocess.run(
        [sys.executable, "-m", "rocsteady", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=kept | {"PYTHONIOENCODING": "utf-8"} | environment,
    )


@pytest.mark.parametrize("shell", list(PROTOCOLS))
def test_a_shell_gets_commands_and_columns(shell: str) -> None:
    def offered(*words: str) -> str:
        done = run(_ROCSTEADY_COMPLETE=f"complete_{shell}", **PROTOCOLS[shell](words))
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    commands = offered("rocsteady", "c")
    assert all(name in commands for name in ("check", "compare", "cutoff"))
    assert "average" not in commands
    columns = offered("rocsteady", "check", "scores.csv", "-g", "")
    assert all(name in columns for name in ("host", "label", "score"))
    assert "touch" not in columns


def test_only_names_that_no_shell_takes_for_something_else(monkeypatch) -> None:
    for typed in ("rocsteady check scores.csv -g ", "rocsteady check 'scores.csv' -g "):
        monkeypatch.setenv("COMP_WORDS", typed)
        assert complete_columns("") == ["host", "label", "score", "модель"]
        assert complete_columns("la") == ["label"]
    for typed in ("rocsteady check", "rocsteady check no.csv -g ", "rocsteady check 'scores.csv -g "):
        monkeypatch.setenv("COMP_WORDS", typed)
        assert complete_columns("") == []
    Path("scores.csv").write_bytes(b"\xff\xfe\x00")
    monkeypatch.setenv("COMP_WORDS", "rocsteady check scores.csv -g ")
    complete_columns("")  # whatever is in there, no traceback


def test_methods_and_codes() -> None:
    assert set(METHODS) == {*PLAIN, "alarm-rate", "costs"}
    assert dict(complete_codes("rs20"))["RS203"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_in_bash_itself(folder: Path) -> None:
    program = folder / "rocsteady"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m rocsteady "$@"\n')
    program.chmod(0o755)
    shown = run("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert shown.returncode == 0
    Path("completion.sh").write_text(shown.stdout)
    asked = (
        "source completion.sh; complete -p rocsteady; "
        "COMP_WORDS=(rocsteady check scores.csv -g ''); COMP_CWORD=4; _rocsteady_completion rocsteady; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", asked],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PATH": path},
    )
    first, *columns = done.stdout.splitlines()
    assert "_rocsteady_completion" in first
    assert sorted(columns) == ["host", "label", "score", "модель"]
    assert not Path("run").exists()


@pytest.mark.parametrize(
    ("shell", "file", "line"),
    [
        ("bash", ".bash_completions/rocsteady.sh", "complete -o default -F"),
        ("zsh", ".zfunc/_rocsteady", "#compdef rocsteady"),
        ("fish", ".config/fish/completions/rocsteady.fish", "complete --command rocsteady"),
    ],
)
def test_installing(folder: Path, shell: str, file: str, line: str) -> None:
    detection = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1", "HOME": str(folder)}
    done = run("--install-completion", shell, **detection)
    assert (done.returncode, done.stderr) == (0, "")
    assert line in (folder / file).read_text()
