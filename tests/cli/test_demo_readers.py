"""`rocsteady demo readers` and `demo churn`: the table, its report, and what they say next works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pandas as pd
import pytest

from rocsteady.simulate import reader_study, subscribers


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def next_commands(printed: str) -> list[list[str]]:
    return [shlex.split(line.split("→ rocsteady ", 1)[1]) for line in printed.splitlines() if "→" in line]


def test_readers(call, folder) -> None:
    shown = call("demo", "readers")
    assert shown.code == 0
    assert "over readers and cases" in " ".join(shown.out.split())
    assert re.search(r"difference +−24\.3 +−0\.072", shown.out)
    lines = (folder / "rocsteady-demo" / "readers.csv").read_text().splitlines()
    assert lines[0] == "reader,modality,case,truth,rating"
    assert len(lines) == 1 + len(reader_study(standalone=False)["reader"])
    assert (folder / "rocsteady-demo" / "readers.html").is_file()
    commands = next_commands(shown.out)[1:]
    assert [command[0] for command in commands] == ["check", "compare", "compare", "plot", "plan"]
    answers = [call(*command) for command in commands]
    assert [answer.code for answer in answers] == [0] * len(commands), answers
    check, compare, margin, plot, plan = (answer.out for answer in answers)
    assert "6 readers, 2 models (film and digital)" in check
    assert "digital has a higher mean AUC than film" in compare
    assert "not inferior within the margin of 0.05" in margin
    assert "Drawn: the AUCs and the average curves of 6 readers of digital and film." in plot
    assert (folder / "rocsteady-demo" / "readers.pdf").read_bytes().startswith(b"%PDF")
    assert "readers" in plan


def test_churn(call, folder) -> None:
    shown = call("demo", "churn")
    assert shown.code == 0
    assert "depth 5 is better than" in " ".join(shown.out.split())
    lines = (folder / "rocsteady-demo" / "subscribers.csv").read_text().splitlines()
    assert lines[0] == "fold,subscriber,model,outcome,score"
    assert len(lines) == 1 + len(subscribers()["fold"])
    answers = [call(*command) for command in next_commands(shown.out)[1:]]
    assert [answer.code for answer in answers] == [0] * 4, answers


def test_the_ai_of_the_documentation_can_be_tried(call, tmp_path) -> None:
    pd.DataFrame(reader_study()).to_csv(tmp_path / "with_ai.csv", index=False)
    columns = [
        "-g",
        "reader",
        "-m",
        "modality",
        "--case",
        "case",
        "-y",
        "truth",
        "-s",
        "rating",
        "-p",
        "cancer",
    ]
    shown = call("compare", tmp_path / "with_ai.csv", *columns, "--standalone", "AI")
    assert shown.code == 0, shown.err
    assert "AI" in shown.out
