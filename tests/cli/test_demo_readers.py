"""`rocsteady demo readers` writes a reader study, shows what is in it, and what it says next works."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from rocsteady.simulate import reader_study


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_demo(call, folder, snapshot) -> None:
    shown = call("demo", "readers")
    assert shown.code == 0
    snapshot("demo_readers", shown.out + shown.err)
    lines = (folder / "rocsteady-demo" / "readers.csv").read_text().splitlines()
    assert lines[0] == "reader,modality,case,truth,rating"
    assert len(lines) == 1 + len(reader_study()["reader"])
    again = call("demo", "readers")
    assert "was there already, the same" in again.out


def test_what_the_demo_says_next_works(call, folder) -> None:
    told = [
        line.split("→ rocsteady ", 1)[1] for line in call("demo", "readers").out.splitlines() if "→" in line
    ]
    commands = [shlex.split(line) for line in told]
    assert [command[0] for command in commands] == [*["check"], *3 * ["compare"], "plot", "plan", "explain"]
    answers = [call(*command) for command in commands]
    assert [answer.code for answer in answers] == [0] * len(commands), answers
    check, compare, margin, standalone, plot, plan, explain = (answer.out for answer in answers)
    assert "7 readers, 3 models (film, digital and AI)" in check
    assert "digital has a higher mean AUC than film" in compare
    assert "not inferior within the margin of 0.05" in margin
    assert "By itself, AI has" in standalone
    assert "Drawn: the AUCs and the average curves of 6 readers of digital and film." in plot
    assert (folder / "readers.pdf").read_bytes().startswith(b"%PDF")
    assert "readers" in plan
    assert "RS266" in explain
