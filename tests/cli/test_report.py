"""`rocsteady report`: what is printed, what is written, what is refused, and what is left as it was."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.cli import deployment as deploying
from rocsteady.cli import run
from rocsteady.cli.report.page import show_page
from rocsteady.cli.report.tables import shown_of
from rocsteady.cli.report.words import for_report
from rocsteady.errors import RocsteadyWarning
from rocsteady.report.summary.making import schema, summarize
from rocsteady.simulate import hosts

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


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory, table: str) -> Any:
    path = tmp_path_factory.mktemp("summary") / "hosts.csv"
    path.write_text(table)
    return summarize(rs.read_scores(path, **READ), rs.Deployment("shared", at={"fpr": 0.05}), n_resamples=100)


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch, summary: Any) -> list[Any]:
    """Reports whose numbers were made before: for tests of what becomes of a page, whatever is on it."""
    seen: list[Any] = []

    def page_of(material: Any, summary: Any) -> bytes:
        seen.append(material)
        return f'<meta name="generator" content="rocsteady"> {material.settings.seed}'.encode()

    monkeypatch.setattr("rocsteady.report.writing.page_of", page_of)
    monkeypatch.setattr("rocsteady.report.summary.making.summarize_material", lambda material: summary)
    return seen


def without_time(text: str) -> str:
    """Sizes and seconds differ from run to run and from version to version."""
    return re.sub(r"\d+ kB, opens offline\. [\d.]+ s\.", "SIZE, opens offline. TIME.", text)


def test_two_models_under_one_threshold(call, folder, snapshot) -> None:
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED, *QUICK)
    assert shown.code == 0
    snapshot("report_shared", without_time(shown.out) + shown.err)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert '<meta name="generator" content="rocsteady' in page[:1000]
    assert sorted(os.listdir(folder)) == ["hosts.csv", "report.html"]
    scores = rs.read_scores("hosts.csv", **READ)
    for model in scores.models:  # the numbers are those of the library
        average = rs.average(scores.model(model), "threshold", undefined="drop")
        row = next(line for line in shown.out.splitlines() if line.startswith(f"{model} "))
        assert f"{100 * average.at(fpr=0.05).tpr:.1f} %" in row
        assert f"{average.auc:.3f}" in row


@pytest.mark.parametrize("columns", ["40", "120"])
def test_other_widths(summary, capsys, monkeypatch, snapshot, columns) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    show_page(summary, ["rocsteady report hosts.csv"])
    table = capsys.readouterr().out.split("\n\n")[1]
    assert max(map(len, table.splitlines())) <= int(columns)
    snapshot(f"report_{columns}_columns", table + "\n")


def test_undeclared_nothing_is_recommended(call, folder, snapshot) -> None:
    shown = call("report", "hosts.csv", *COLUMNS, *QUICK)
    assert shown.code == 0
    snapshot("report_undeclared", without_time(shown.out))


def test_what_to_type_next_declares(call, folder, instant, summary, capsys) -> None:
    typed = f"rocsteady report hosts.csv {' '.join(COLUMNS)}"
    show_page(replace(summary, recommended=None), [f"{typed} {own}" for own in deploying.answers_at([])])
    commands = [line.split("rocsteady ")[1] for line in capsys.readouterr().out.splitlines() if "→" in line]
    assert [call(*shlex.split(command)).code for command in commands] == [0, 0]
    assert [own.declared_key for own in instant] == ["threshold", "vertical"]


def test_on_a_terminal_it_asks(call, folder, monkeypatch, instant) -> None:
    monkeypatch.setattr(deploying, "can_ask", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n1\n"))
    shown = call("report", "hosts.csv", *COLUMNS, "--at", "fpr=0.1")
    assert shown.code == 0
    assert "Is one threshold shared by all hosts?" in shown.err
    (material,) = instant
    assert material.deployment == rs.Deployment("own", hold="fpr", at=0.1)
    assert material.settings.command.endswith("--at fpr=0.1 --deploy own --hold fpr")


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
    assert len(instant[0].settings.at) == typed.count("--at")


def test_the_command_on_the_page_makes_the_page_again(call, folder) -> None:
    odd = folder / "it's my file.csv"
    (folder / "hosts.csv").rename(odd)
    options = ("-s", "score", *COLUMNS, "--deploy", "own", "--hold", "tpr", "--at", "tpr=0.8", "--at", "eer")
    shown = call(
        "report", odd.name, *options, "--title", "<b>&", "--seed", "3", *QUICK, "--json", "-o", "a.html"
    )
    assert (shown.code, shown.err) == (0, "")
    first = (folder / "a.html").read_bytes()
    (folder / "a.html").unlink()
    program, *words = shlex.split(json.loads(shown.out)["about"]["command"])
    assert program == "rocsteady"
    assert call(*words).code == 0
    assert (folder / "a.html").read_bytes() == first


def test_json_and_nothing_else(call, folder, instant) -> None:
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED, "--json", "--require", "auc >= 0.5")
    assert (shown.code, shown.err) == (0, "")
    found = json.loads(shown.out)
    assert [own["holds"] for own in found.pop("requirements")] == [True, True]
    assert (found["schema_version"], found["recommended"]) == (1, "threshold")
    assert set(found) == set(schema()["properties"]) - {"requirements"}
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


def test_several_classes_point_to_the_one_meant(call, folder, instant) -> None:
    random = np.random.default_rng(0)
    rows = [f"{random.choice(list('abc'))},{random.random():.3f}" for _ in range(60)]
    (folder / "classes.csv").write_text("obs,b\n" + "\n".join(rows) + "\n")
    shown = call("report", "classes.csv", "-y", "obs", "-s", "b")
    assert shown.code == 2
    first, *others = [line.strip() for line in shown.err.splitlines() if "→" in line]
    assert (
        first
        == '→ column "b" is the score of that class; a list of one sets it against all others:  --positive b,'
    )
    assert "rs.average_multiclass_points" in others[-1]
    assert call("report", "classes.csv", "-y", "obs", "-s", "b", "-p", "b,", "--allow-reversed").code == 0


def test_one_dataset_is_not_asked_about(call, folder, monkeypatch) -> None:
    monkeypatch.setattr(deploying, "can_ask", lambda: True)
    random = np.random.default_rng(0)
    rows = [f"{label},{label + random.normal():.3f}" for label in [0, 1] * 40]
    (folder / "one.csv").write_text("label,score\n" + "\n".join(rows) + "\n")
    shown = call(
        "report", "one.csv", *QUICK, "--require", "auc >= 0.5", "--deploy", "shared", "--weigh", "rows"
    )
    assert shown.code == 0
    shown = call("report", "one.csv", *QUICK, "--require", "auc >= 0.5")
    assert shown.code == 0
    assert "There is one dataset, so there is no average" in shown.out
    assert 'met: "auc >= 0.5"' in shown.err


def test_medical_words(call, folder) -> None:
    options = ("--deploy", "own", "--hold", "tpr", "--at", "sens=90%", "--words", "medical")
    shown = call("report", "hosts.csv", *COLUMNS, *options, *QUICK)
    assert shown.code == 0
    assert "Every host at sensitivity 90 %:" in shown.out
    assert "mean specificity" in shown.out
    assert not re.search(r"\b[FT]PR\b", shown.out + shown.err)


def test_thresholds_from_other_rows(call, folder, instant) -> None:
    (folder / "before.csv").write_text(table_of(9))
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED, "--cutoff-from", "before.csv")
    assert shown.code == 0
    assert instant[0].settings.cutoff_from.source == "before.csv"
    (folder / "copy.csv").write_text((folder / "hosts.csv").read_text())
    assert call("report", "hosts.csv", *COLUMNS, *SHARED, "--cutoff-from", "copy.csv").code == 2


def test_what_was_met_while_reading_is_on_the_page(folder, instant) -> None:
    lines = (folder / "hosts.csv").read_text().splitlines()
    lines[7] = lines[7].rpartition(",")[0] + ","
    (folder / "hosts.csv").write_text("\n".join(lines) + "\n")
    assert run(["report", "hosts.csv", *COLUMNS, *SHARED, "--on-missing", "drop", "-q"]) == 0
    assert "RS102" in [finding.warning.code for finding in instant[0].warnings]


@pytest.mark.parametrize("hold", ["balance", "ratio", "alerts", "cost"])
def test_an_example_is_shown_where_no_point_was_declared(summary, capsys, table, tmp_path, hold) -> None:
    path = tmp_path / "hosts.csv"
    path.write_text(table)
    use = rs.Deployment("own", hold=hold, prevalence=0.1)
    found = summarize(rs.read_scores(path, **READ).model("current"), use, n_resamples=100)
    show_page(found, "rocsteady report hosts.csv")
    shown = capsys.readouterr().out
    assert ("(an example):" in shown) == (not found.deployment.place_is_declared)
    assert "current" in shown


def test_advice_names_options_that_a_report_has() -> None:
    told = RocsteadyWarning("RS301", "x", "", "at a fixed rate:  average(score_set, 'vertical')")
    assert for_report(told).lines(shell=True)[1] == "  -> at a fixed rate:  --deploy own --hold fpr"


def test_terminals_without_such_signs(summary, capsys, monkeypatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="backslashreplace")
    monkeypatch.setattr("sys.stdout", stream)
    show_page(summary, ["rocsteady report hosts.csv"])
    stream.flush()
    shown = stream.buffer.getvalue().decode("ascii")
    assert "\\u" not in shown
    assert re.search(r"difference .* \+21\.\d", shown)


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
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rocsteady.report.writing.page_of", interrupted)
    shown = call("report", "hosts.csv", *COLUMNS, *SHARED)
    assert (shown.code, shown.err) == (130, "interrupted; report.html was not changed\n")


def test_only_the_open_question_is_asked(call, folder, monkeypatch, instant) -> None:
    monkeypatch.setattr(deploying, "can_ask", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n"))
    shown = call("report", "hosts.csv", *COLUMNS, "--deploy", "own")
    assert shown.code == 0
    assert "Is one threshold shared" not in shown.err
    assert instant[0].deployment == rs.Deployment("own", hold="tpr")
    assert "To have the same without questions:" in shown.out
    assert "--deploy own --hold tpr\n" in shown.out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--deploy sharde", "→ did you mean  --deploy shared ?"),
        ("--deploy own --hold fpr --weigh rows", "→ leave out  --weigh\n"),
        ("--deploy own --hold fpr --require tpr@t=0.5>=0.1", '→ --require "tpr@fpr=0.05 >= 0.6"'),
        ("--deploy own --hold fpr --require eer<=0.5", "→ --deploy own --hold balance"),
        ("--at height=3", "costs, eer, youden"),
    ],
)
def test_remedies_are_what_a_report_takes(call, folder, instant, options, told) -> None:
    shown = call("report", "hosts.csv", *COLUMNS, *options.split())
    assert shown.code == 2
    assert told in shown.err
    assert "Value error" not in shown.err


def test_the_terminal_shows_what_is_compared(capsys, table, tmp_path) -> None:
    path = tmp_path / "hosts.csv"
    path.write_text(table)
    scores = rs.read_scores(path, **READ)
    use = rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.05)
    found = summarize(scores, use, n_resamples=100)
    columns = {column.heading: column.cells for column in shown_of(found).columns}
    rows = [row for row in found.operating_points.rows if row.is_declared]
    assert [value for value, _ in columns["cost"][:2]] == [f"{row.cost:.3g}" for row in rows]
    (pair,) = found.comparison.pairs
    assert columns["cost"][2][1] == pair.measure.limits(pair.low, pair.high)


def test_a_difference_that_is_not_of_the_rows_is_not_shown(summary) -> None:
    (pair,) = summary.comparison.pairs
    other = replace(summary.comparison, pairs=(replace(pair, difference=pair.difference + 0.1),))
    shown = {own.heading: own.cells for own in shown_of(replace(summary, comparison=other)).columns}
    assert shown["mean TPR"][2] == ("", "")


def test_a_model_without_a_name_is_its_column(summary) -> None:
    (first, *_) = summary.operating_points.blocks
    nameless = replace(first, rows=tuple(replace(row, model="") for row in first.rows[:1]))
    made = [own for own in summary.averages if own.models]
    means = [replace(own, models=(replace(own.models[0], model=""),)) for own in made]
    points = replace(summary.operating_points, blocks=(nameless,))
    own = replace(summary, operating_points=points, averages=tuple(means), comparison=None)
    assert shown_of(own, "gbm").names == ("gbm",)
