"""`rocsteady report`: what is printed, what is written, what is refused, and what is left as it was."""

from __future__ import annotations

import html
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.cli import run, runner
from rocsteady.simulate import hosts
from rocsteady.study import Study

COLUMNS = ("-g", "host", "-m", "model", "--case", "event", "-p", "attack")
SHARED = ("--deploy", "shared", "--at", "fpr=0.05")
QUICK = ("--boot", "100")
READ: dict[str, Any] = {
    "label": "label", "score": "score", "group": "host", "model": "model", "case": "event",
    "positive": "attack",
}  # fmt: skip


def table_of(n_hosts: int) -> str:
    table = hosts(n_hosts=n_hosts)
    rows = zip(*table.values(), strict=True)
    return "\n".join([",".join(table), *(",".join(map(str, row)) for row in rows)]) + "\n"


@pytest.fixture(scope="module")
def table() -> str:
    return table_of(10)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str) -> Path:
    (tmp_path / "hosts.csv").write_text(table)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch) -> list[Study]:
    """Reports whose page is a line: for tests of what becomes of a page, whatever is on it."""
    seen: list[Study] = []

    def page_of(study: Study, **_: object) -> str:
        seen.append(study)
        return f'<meta name="generator" content="rocsteady"> {study.seed}'

    monkeypatch.setattr("rocsteady.show.report.page_of", page_of)
    return seen


def said(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("words", ["ml", "medical", "biometric"])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_answer_and_the_table_at_the_declared_point(call, folder, monkeypatch, words, width) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED, *QUICK, "--words", words)
    assert shown.code == 0
    assert max(map(len, shown.out.splitlines())) <= width
    scores = rs.read_scores("hosts.csv", **READ)
    text = said(shown.out)
    names = {"ml": "TPR", "medical": "Sensitivity", "biometric": "FNMR"}
    for model in scores.models:  # the numbers are those of the library
        point = rs.average(scores.model(model), "threshold", undefined="drop").at(fpr=0.05)
        kept = f"{100 * point.kept.tpr:.1f} %"
        if words == "biometric":
            kept = f"{100 - round(100 * point.kept.tpr, 1):.1f} %"
        assert kept in text
    assert names[words] in text
    if words != "ml":
        assert not re.search(r"\b[FT]PR\b", shown.out + shown.err)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert sorted(os.listdir(folder)) == ["hosts.csv", "report.html"]
    assert shown.err.count("RS301") <= 1  # each warning once, not once a model


def test_undeclared_nothing_is_recommended(call, folder, instant) -> None:
    shown = call("report", "hosts.csv", *COLUMNS, *QUICK)
    assert shown.code == 0
    assert "nothing is recommended" in said(shown.out)
    commands = [
        line.split("rocsteady ")[1] for line in shown.out.splitlines() if "\N{RIGHTWARDS ARROW}" in line
    ]
    assert [call(*shlex.split(command), "-q").code for command in commands] == [0, 0]
    assert [str(own.method) for own in instant[1:]] == ["threshold", "vertical"]


def test_a_terminal_without_such_signs(spawn, folder) -> None:
    given = ["report", folder / "hosts.csv", *COLUMNS, *SHARED, *QUICK]
    done = subprocess.run(
        [sys.executable, "-m", "rocsteady", *map(str, given)], capture_output=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "80"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"\\u" not in done.stdout + done.stderr


def test_a_budget_of_alerts_is_an_operating_point(call, folder, instant) -> None:
    for at, n in (("alerts=1%", 0.01), ("alerts=200", None)):
        shown = call("report", "hosts.csv", *COLUMNS, "--deploy", "shared", "--at", at, *QUICK)
        assert shown.code == 0, shown.err
        assert instant[-1].place.kind == "alerts"
        assert n is None or instant[-1].place.value == n
        assert "alert" in shown.out


def test_sections_and_a_short_page(call, folder) -> None:
    given = ["report", "hosts.csv", *COLUMNS, *SHARED, *QUICK, "-q", "-o"]
    assert call(*given, "a.html", "--sections", "answer, comparison").code == 0
    assert call(*given, "b.html", "--short").code == 0
    assert call(*given, "c.html").code == 0
    some, short, whole = (len((folder / f"{name}.html").read_bytes()) for name in "abc")
    assert max(some, short) < whole
    shown = call(*given, "d.html", "--sections", "answers")
    assert (shown.code, shown.err[:12]) == (2, "error RS001 ")
    assert "--sections answer" in shown.err


def test_on_a_terminal_it_asks(call, folder, monkeypatch, instant) -> None:
    monkeypatch.setattr(runner, "can_ask", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n1\n"))
    shown = call("report", "hosts.csv", *COLUMNS, "--at", "fpr=0.1")
    assert shown.code == 0
    assert "Do all hosts use the same threshold?" in shown.err
    (study,) = instant
    assert study.deployment == rs.Deployment("own", hold="fpr", at=0.1)
    assert study.command.endswith("--at fpr=0.1 --deploy own --hold fpr")


@pytest.mark.parametrize(
    ("words", "asked"),
    [("medical", ["cut-off", "specificity", "sensitivity"]), ("biometric", ["FMR", "FNMR"])],
)
def test_it_asks_in_the_words_of_a_trade(call, folder, monkeypatch, instant, words, asked) -> None:
    monkeypatch.setattr(runner, "can_ask", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n1\n"))
    shown = call("report", "hosts.csv", *COLUMNS, "--words", words)
    assert shown.code == 0
    assert all(own in shown.err for own in asked)
    assert not re.search(r"\b[FT]PR\b", shown.err)


@pytest.mark.parametrize(
    ("typed", "deployment"),
    [
        ("--deploy shared --at t=1.5 --at fpr=0.05", rs.Deployment("shared", at=1.5)),
        ("--deploy shared --hold fpr --at 5%", rs.Deployment("shared", hold="fpr", at=0.05)),
        ("--deploy shared --weigh rows --at youden", rs.Deployment("shared", weigh="rows")),
        ("--deploy own --hold fpr --at tpr=0.9 --at spec=0.9", rs.Deployment("own", hold="fpr", at=0.1)),
        ("--deploy own --hold balance --at eer", rs.Deployment("own", hold="balance")),
        ("--deploy own --hold ratio --at 1:2", rs.Deployment("own", hold="ratio", at=(1, 2))),
        (
            "--deploy own --hold alerts --prevalence 3% --at rate=0.02",
            rs.Deployment("own", hold="alerts", prevalence=0.03, at=0.02),
        ),
        (
            "--deploy own --hold cost --prevalence 0.1 --at cost=1:20",
            rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.1),
        ),
    ],
)
def test_the_first_point_that_fits_is_the_declared_one(call, folder, instant, typed, deployment) -> None:
    assert call("report", "hosts.csv", *COLUMNS, *typed.split(), "-q").code == 0
    assert instant[0].deployment == deployment
    assert len(instant[0].places) == len({own.strip() for own in typed.split("--at ")[1:]})


def test_the_command_on_the_page_makes_the_page_again(call, folder) -> None:
    odd = folder / "it's my file.csv"
    (folder / "hosts.csv").rename(odd)
    options = ("-s", "score", *COLUMNS, "--deploy", "own", "--hold", "tpr", "--at", "tpr=0.8", "--at", "eer")
    shown = call("report", odd.name, *options, "--title", "<b>&", "--seed", "3", *QUICK, "-q", "-o", "a.html")
    assert (shown.code, shown.err) == (0, "")
    first = (folder / "a.html").read_bytes()
    (folder / "a.html").unlink()
    (command,) = [
        html.unescape(own) for own in re.findall(r"rocsteady report [^<]*-o a\.html[^<]*", first.decode())[:1]
    ]
    program, *words = shlex.split(command)
    assert program == "rocsteady"
    assert call(*words).code == 0
    assert (folder / "a.html").read_bytes() == first


def test_json_and_nothing_else(call, folder, instant) -> None:
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED, "--json", "--require", "auc >= 0.5")
    assert (shown.code, shown.err) == (0, "")
    found = json.loads(shown.out)
    assert [own["holds"] for own in found.pop("requirements")] == [True, True]
    assert (found["schema_version"], found["recommended"]) == (2, "threshold")
    assert {"data", "models", "comparison", "warnings"} <= set(found)
    assert sorted(os.listdir(folder)) == ["hosts.csv"]


def test_quiet_and_strict(call, folder, instant) -> None:
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED, "-q", "--strict")
    assert (shown.code, shown.out) == (4, "")
    assert "warning RS" in shown.err  # where none may be, a warning is an error
    assert (folder / "report.html").is_file()


def test_a_requirement_that_fails(call, folder, instant) -> None:
    required = ("--require", "candidate: tpr@fpr=0.05 >= 0.9", "--require", "current: auc > 0.5")
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED, *QUICK, *required, "--strict")
    assert shown.code == 1
    assert 'error RS005 candidate does not meet "candidate: tpr@fpr=0.05 >= 0.9".' in shown.err
    assert 'current meets "current: auc > 0.5"' in shown.err
    assert (folder / "report.html").is_file()


def test_a_requirement_needs_an_average(call, folder) -> None:
    shown = call("report", "hosts.csv", *COLUMNS, "--require", "auc >= 0.9")
    assert shown.code == 2
    assert shown.err.startswith("error RS093 ")
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["-o", "report.pdf"], 2, "RS054"),
        (["-o", "-"], 2, "RS054"),
        (["-o", "no/such/folder/report.html"], 3, "RS055"),
        (["-o", "folder.html"], 2, "RS003"),
        (["-o", "mine.html"], 2, "RS003"),
        (["--require", "tpr >= 0.5"], 2, "RS004"),
        (["--at", "height=3"], 2, "RS092"),
        (["--hold", "fpr"], 2, "RS002"),
        (["--deploy", "own"], 2, "RS090"),
        (["--deploy", "own", "--hold", "alerts"], 2, "RS091"),
        (["--confidence-level", "95"], 2, "RS042"),
        (["--min-per-class", "0"], 2, "RS042"),
        (["--cutoff-from", "hosts.csv"], 2, "RS002"),
        (["--words", "legal"], 2, "RS002"),
    ],
)
def test_what_is_refused_before_any_work(call, folder, options, code, message) -> None:
    (folder / "folder.html").mkdir()
    (folder / "mine.html").write_text("mine")
    shown = call("report", "hosts.csv", *COLUMNS, *options)
    assert shown.code == code
    assert shown.err.startswith(f"error {message}")
    assert (folder / "mine.html").read_text() == "mine"
    assert not (folder / "report.html").exists()


def test_an_earlier_report_is_replaced_and_another_file_only_if_told(call, folder, instant) -> None:
    path = folder / "report.html"
    path.write_text("<html>mine")
    assert call("report", "hosts.csv", *COLUMNS, *SHARED).code == 2
    assert path.read_text() == "<html>mine"
    assert call("report", "hosts.csv", *COLUMNS, *SHARED, "--overwrite").code == 0
    first = path.read_bytes()
    assert call("report", "hosts.csv", *COLUMNS, *SHARED, "--seed", "5").code == 0
    assert path.read_bytes() != first


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_earlier_report(call, folder, monkeypatch, instant, failure) -> None:
    assert call("report", "hosts.csv", *COLUMNS, *SHARED).code == 0
    first = (folder / "report.html").read_bytes()

    def fails(source: object, target: object) -> None:
        raise failure

    monkeypatch.setattr("rocsteady.whole_files.os.replace", fails)
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED, "--seed", "5")
    if isinstance(failure, OSError):
        assert shown.code == 3
        assert "RS055 report.html cannot be written.\n  the system says: No space left on device" in shown.err
    else:
        assert shown.code == 130
    assert (folder / "report.html").read_bytes() == first
    assert sorted(os.listdir(folder)) == ["hosts.csv", "report.html"]


def test_one_dataset_is_not_asked_about(call, folder, monkeypatch) -> None:
    monkeypatch.setattr(runner, "can_ask", lambda: True)
    random = np.random.default_rng(0)
    rows = [f"{label},{label + random.normal():.3f}" for label in [0, 1] * 40]
    (folder / "one.csv").write_text("label,score\n" + "\n".join(rows) + "\n")
    shown = call(
        "report", "one.csv", *QUICK, "--require", "auc >= 0.5", "--deploy", "shared", "--weigh", "rows"
    )
    assert shown.code == 0
    shown = call("report", "one.csv", *QUICK, "--require", "auc >= 0.5")
    assert shown.code == 0
    assert "There is one dataset" in said(shown.out)
    assert 'Met: "auc >= 0.5"' in shown.err
    shown = call("report", "one.csv", *QUICK, "--at", "fpr=0.1")
    assert "FPR 10 %" in shown.out  # the table stands at the declared point
    assert "Threshold" in shown.out


def test_thresholds_from_other_rows(call, folder, instant) -> None:
    (folder / "before.csv").write_text(table_of(9))
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED, "--cutoff-from", "before.csv")
    assert shown.code == 0
    assert instant[0].cutoff_from.source == "before.csv"
    (folder / "copy.csv").write_text((folder / "hosts.csv").read_text())
    assert call("report", "hosts.csv", *COLUMNS, *SHARED, "--cutoff-from", "copy.csv").code == 2


def test_what_was_met_while_reading_is_on_the_page(folder, instant) -> None:
    lines = (folder / "hosts.csv").read_text().splitlines()
    lines[7] = lines[7].rpartition(",")[0] + ","
    (folder / "hosts.csv").write_text("\n".join(lines) + "\n")
    assert run(["report", "hosts.csv", *COLUMNS, *SHARED, "--on-missing", "drop", "-q"]) == 0
    assert "RS102" in [own.code for own in instant[0].warnings]


def test_a_pipe_in_the_way_is_not_waited_for(call, folder) -> None:
    os.mkfifo(folder / "pipe.html")
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED, "-o", "pipe.html", "--overwrite")
    assert shown.code == 2
    assert "RS003 pipe.html already exists and is not a file" in shown.err


def test_a_link_stays_one(call, folder, instant) -> None:
    (folder / "link.html").symlink_to("real.html")
    assert call("report", "hosts.csv", *COLUMNS, *SHARED, "-o", "link.html").code == 0
    assert (folder / "link.html").is_symlink()
    assert "rocsteady" in (folder / "real.html").read_text()


def test_an_interrupt_says_what_it_left(call, folder, monkeypatch, instant) -> None:
    def interrupted(*given: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rocsteady.show.report.page_of", interrupted)
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED)
    assert (shown.code, shown.err) == (130, "interrupted; report.html was not changed\n")


def test_only_the_open_question_is_asked(call, folder, monkeypatch, instant) -> None:
    monkeypatch.setattr(runner, "can_ask", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n"))
    shown = call("report", "hosts.csv", *COLUMNS, "--deploy", "own")
    assert shown.code == 0
    assert "the same threshold?" not in shown.err
    assert instant[0].deployment == rs.Deployment("own", hold="tpr")
    assert "The same without questions:" in shown.out
    assert "--deploy own --hold tpr\n" in shown.out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--deploy sharde", "→ did you mean  --deploy shared ?"),
        ("--deploy own --hold fpr --weigh rows", "→ leave out  --weigh\n"),
        ("--at height=3", "costs, eer, youden"),
    ],
)
def test_remedies_are_what_a_report_takes(call, folder, instant, options, told) -> None:
    shown = call("report", "hosts.csv", *COLUMNS, *options.split())
    assert shown.code == 2
    assert told in shown.err
    assert "Value error" not in shown.err
