"""`rocsteady report --at`: which point the answer is about, and which points fit no deployment."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from rocsteady.cli import runner

QUICK = ("--boot", "100", "-g", "host")


def table_of(seed: int, n_hosts: int = 8, *, decimals: int = 6) -> str:
    rng = np.random.default_rng(seed)
    labels = np.tile(np.repeat([1, 0], [15, 25]), n_hosts)
    groups = np.repeat(np.arange(n_hosts), 40)
    scores = np.round(rng.normal(size=labels.size) + 1.2 * labels + 0.1 * groups, decimals)
    rows = zip(groups, labels, scores, strict=True)
    return "host,label,score\n" + "".join(f"h{g},{y},{s}\n" for g, y, s in rows)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "scores.csv").write_text(table_of(0))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("hold", "at", "other"),
    [
        ("fpr", "t=0.5", ""),
        ("fpr", "t=inf", ""),
        ("fpr", "youden", ""),
        ("fpr", "rate=0.02", "--deploy own --hold alerts --prevalence 0.02"),
        ("tpr", "fpr=0.05", "--deploy own --hold fpr"),
        ("balance", "tpr=0.9", "--deploy own --hold tpr"),
        ("fpr", "eer", "--deploy own --hold balance"),
    ],
)
def test_a_point_that_is_not_held_is_refused(call, folder, hold, at, other) -> None:
    shown = call("report", "scores.csv", *QUICK, "--deploy", "own", "--hold", hold, "--at", at)
    assert shown.code == 2
    assert f"RS092 {at} is not an operating point with --hold {hold}" in shown.err
    assert (other in shown.err) if other else ("--deploy own" not in shown.err)
    if other:  # what is to be typed works
        again = call("report", "scores.csv", *QUICK, *shlex.split(other), "--at", at, "-q")
        assert (again.code, again.err) == (0, "")


def test_points_beside_one_that_fits_are_read_too(call, folder) -> None:
    asked = ("--at", "t=0.5", "--at", "rate=0.02", "--at", "youden", "--at", "fpr=0.1")
    shown = call("report", "scores.csv", *QUICK, "--deploy", "own", "--hold", "fpr", *asked, "--json")
    assert shown.code == 0
    found = json.loads(shown.out)
    assert found["places"][0] == {"fpr": 0.1}
    points = next(iter(found["models"].values()))["points"]
    assert points[0]["at"] == {"fpr": 0.1}
    assert {"threshold": 0.5} in found["places"]


@pytest.mark.parametrize("at", ["t=inf", "rate=0.02", "youden", "tpr=0.9", "eer"])
def test_what_is_offered_to_the_undeclared_can_be_typed(call, folder, at) -> None:
    shown = call("report", "scores.csv", *QUICK, "--at", at)
    assert shown.code == 0
    offered = shown.out.split("share a threshold:")[1].split("→")[1:]
    assert offered
    for command in offered:
        again = call(*shlex.split(command.strip())[1:], "-q")
        assert (again.code, again.err) == (0, "")


def test_a_requirement_is_judged_on_thresholds_of_the_other_rows(call, folder) -> None:
    (folder / "before.csv").write_text(table_of(1))
    given = ("--deploy", "shared", "--at", "fpr=0.1", "--cutoff-from", "before.csv")
    shown = call("report", "scores.csv", *QUICK, *given, "--require", "tpr@fpr=0.1 >= 0.01", "--json")
    found = json.loads(shown.out)
    (judged,) = found["requirements"]
    point = next(iter(found["models"].values()))["points"][0]["point"]
    assert (judged["value"], judged["low"]) == (point["tpr"], point["tpr_interval"]["low"])


def test_columns_that_may_be_groups_are_named_where_nothing_is_divided(call, folder) -> None:
    shown = call("report", "scores.csv", "--boot", "100")
    assert "Not used: host." in shown.out
    assert "Not used" not in call("report", "scores.csv", *QUICK, "--deploy", "shared").out


def test_readers_without_cases_are_asked_for_them(call, folder) -> None:
    rows = [
        f"r{reader},P{case},{case % 2},{(7 * case + 3 * reader) % 11 + 4 * (case % 2)}"
        for reader in range(4)
        for case in range(30)
    ]
    (folder / "study.csv").write_text("reader,Patient ID,label,score\n" + "\n".join(rows) + "\n")
    use = ("-g", "reader", "--deploy", "own", "--hold", "fpr", "--at", "fpr=0.2", "--boot", "100")
    shown = call("report", "study.csv", *use)
    assert "RS266 if these readers saw the same cases" in shown.err
    assert "--case COLUMN" in (folder / "report.html").read_text()
    assert "RS266" not in call("report", "study.csv", *use, "--case", "Patient ID").err


def test_a_wrong_share_is_asked_again(call, folder, monkeypatch) -> None:
    monkeypatch.setattr(runner, "can_ask", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n5\n8\n2%\n"))
    shown = call("report", "scores.csv", *QUICK)
    assert shown.code == 0
    assert "Type a share between 0 and 1" in shown.err
    assert "--hold alerts --prevalence 2%" in shown.out
