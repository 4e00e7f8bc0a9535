"""Run the command line, in this process or in a real one, and compare what it prints with stored text."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from rocsteady.cli import run

SNAPSHOTS = Path(__file__).parent / "snapshots"
UPDATE = "ROCSTEADY_UPDATE_SNAPSHOTS"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal of whoever runs the tests must not show in them."""
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "COLORTERM", "PY_COLORS", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to type depends on how a program was run; here nothing but the tests ran."""
    monkeypatch.setattr("rocsteady.cli.program.typed", lambda: "rocsteady")


@pytest.fixture(autouse=True)
def compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no compiler was available the first count of a process warns (RS103); not the matter here."""
    monkeypatch.setattr("rocsteady._kernels.is_native", True)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run a command in this process."""

    def call(*arguments: str | Path) -> Outcome:
        code = run([str(argument) for argument in arguments])
        return Outcome(code, *capsys.readouterr())

    return call


@pytest.fixture
def spawn(tmp_path: Path) -> Callable[..., Outcome]:
    """Run a command in a process of its own, in an empty folder."""

    def spawn(*arguments: str | Path, stdin: str | None = None, **environment: str) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "rocsteady", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            errors="strict",
            cwd=tmp_path,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
            timeout=60,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return spawn


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare with tests/cli/snapshots/NAME.txt; ROCSTEADY_UPDATE_SNAPSHOTS=1 writes it instead."""

    def compare(name: str, text: str) -> None:
        path = SNAPSHOTS / f"{name}.txt"
        if os.environ.get(UPDATE):
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.is_file(), f"no snapshot {path.name}; write it with {UPDATE}=1 and read it"
        assert text == path.read_text(encoding="utf-8")

    return compare
