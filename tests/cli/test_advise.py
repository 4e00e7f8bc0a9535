"""`rocsteady advise`: two questions, the average that answers, and what others would have said."""

from __future__ import annotations

import json
import os
import pty
import select
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.results import plain

COLUMNS = ["-g", "host", "-p", "attack", "-m", "model"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def rivals(folder: Path) -> str:
    """Two models on ten hosts: the new one separates better, at a level of its own on every host."""
    rng = np.random.default_rng(7)
    lines = ["host,label,score,model"]
    for i in range(10):
        for model, separation, shift in (("old", 1.2, 0.0), ("new", 2.0, 1.5 * rng.normal())):
            for label in ["attack"] * 23 + ["normal"] * 41:  # no rate that rounds half way
                score = rng.normal() + shift + separation * (label == "attack")
                lines.append(f"h{i},{label},{score:.4f},{model}")
    (folder / "hosts.csv").write_text("\n".join(lines) + "\n")
    return "hosts.csv"


def read(**options: object) -> rs.ScoreSet:
    roles = {"group": "host", "label": "label", "score": "score", "model": "model", "positive": "attack"}
    return rs.read_scores("hosts.csv", **roles)


# The page


def test_without_data(call, snapshot) -> None:
    shown = call("advise", "--deploy", "shared")
    assert (shown.code, shown.err) == (0, "")
    snapshot("advise_shared", shown.out)


@pytest.mark.parametrize("words", ["ml", "medical"])
def test_with_data(call, rivals, snapshot, words) -> None:
    shown = call("advise", rivals, *COLUMNS, "--deploy", "own", "--at", "fpr=0.1", "--words", words)
    assert shown.code == 0
    snapshot(f"advise_{words}", shown.out + shown.err)


def test_a_range_of_costs(call, rivals) -> None:
    options = ["--deploy", "own", "--hold", "cost", "--costs", "1:2..1:50", "--prevalence", "0.1"]
    shown = call("advise", rivals, *COLUMNS, *options)
    assert shown.code == 0
    assert "Between the ends of the costs, every host tuned to them" in " ".join(shown.out.split())
    assert "nan" not in shown.out


def test_models_that_score_alike_are_equal(call, folder) -> None:
    rows = [f"h{i % 9},{(i // 9) % 2},{(i * 37) % 101}" for i in range(360)]
    lines = [f"{row},{model}" for model in "AB" for row in rows]
    (folder / "twins.csv").write_text("host,label,score,model\n" + "\n".join(lines) + "\n")
    shown = call("advise", "twins.csv", "-g", "host", "-m", "model", "--deploy", "own", "--hold", "fpr")
    assert shown.code == 0
    assert "A and B are equal in AUC" in shown.out
    assert "not significant" not in shown.out


def test_one_group_has_no_intervals(call, folder) -> None:
    scores = ((m, i < 20, (i * 7) % 40 + (i < 20) * (15 if m == "x" else 9)) for m in "xy" for i in range(60))
    rows = [f"{m},{int(is_positive)},{score}" for m, is_positive, score in scores]
    (folder / "one.csv").write_text("model,label,score\n" + "\n".join(rows) + "\n")
    options = ["--deploy", "own", "--hold", "cost", "--costs", "1:2..1:50", "--prevalence", "0.1"]
    shown = call("advise", "one.csv", *options)
    assert shown.code == 0
    assert "nan" not in shown.out + shown.err
    assert "warning RS312 only 1 group has a curve." in shown.err


def test_quiet_says_nothing(call) -> None:
    shown = call("advise", "--deploy", "shared", "--folds", "--quiet")
    assert (shown.code, shown.out, shown.err) == (0, "", "")


# The facts


def test_json_is_all_there_is_on_stdout(call, rivals) -> None:
    shown = call("advise", rivals, *COLUMNS, "--deploy", "shared", "--at", "t=1", "--json")
    assert (shown.code, shown.err) == (0, "")
    data = json.loads(shown.out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    found = rs.advise(rs.Deployment("shared", at=1.0), read())
    assert (data["schema_version"], data["recommended"]) == (2, "threshold")
    assert data["advice"] == plain(found.to_dict())
    assert "RS301" in [warning["code"] for warning in data["warnings"]]


def test_a_method_that_does_not_fit_is_warned_of(call) -> None:
    options = ["--deploy", "own", "--hold", "ratio", "--method", "diagonal"]
    shown = call("advise", *options)
    assert shown.code == 0
    assert shown.err.startswith("warning RS315 ")
    assert call("advise", *options, "--strict").code == 4
    assert call("advise", "--deploy", "shared", "--folds").err.startswith("warning RS311 ")


@pytest.mark.parametrize(
    ("options", "at"),
    [
        (["--deploy", "own", "--hold", "fpr", "--at", "fpr=0.05"], 0.05),
        (["--deploy", "own", "--at", "fpr=0.05"], 0.05),
        (["--deploy", "own", "--at", "specificity=0.95"], 0.05),
        (["--deploy", "own", "--hold", "alerts", "--prevalence", "0.1", "--at", "rate=0.02"], 0.02),
        (["--deploy", "own", "--hold", "balance", "--at", "eer"], 0.0),
        (["--deploy", "own", "--hold", "ratio", "--at", "1:2"], [1.0, 2.0]),
        (["--deploy", "shared", "--at", "tpr=0.9"], {"tpr": 0.9}),
        (["--deploy", "shared", "--at", "t=-1.5"], -1.5),
        (["--deploy", "shared", "--hold", "fpr", "--at", "0.05"], {"fpr": 0.05}),
        (["--deploy", "shared", "--hold", "tpr"], None),
        (["--deploy", "own", "--hold", "cost"], None),
    ],
)
def test_operating_points(call, options, at) -> None:
    assert json.loads(call("advise", *options, "--json").out)["deployment"]["at"] == at


# Misuse


def test_nobody_to_ask(call, snapshot) -> None:
    shown = call("advise")
    assert (shown.code, shown.out) == (2, "")
    snapshot("advise_undeclared", shown.err)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--hold", "fpr"], "RS002"),
        (["--deploy", "own"], "RS09"),
        (["--deploy", "shared", "--hold", "cost"], "RS090"),
        (["--deploy", "shared", "--hold", "fpr", "--at", "t=3"], "RS092"),
        (["--deploy", "own", "--at", "specifity=.9"], 'RS092 "specifity=.9"'),
        (["--deploy", "own", "--hold", "alerts"], "RS091"),
        (["--deploy", "own", "--hold", "cost", "--costs", "cheap", "--prevalence", "0.1"], "RS094"),
        (["--deploy", "own", "--hold", "fpr", "--at", "tpr=0.9"], "RS092"),
        (["--deploy", "own", "--hold", "fpr", "--at", "5"], "RS042"),
        (["--deploy", "both"], "RS002"),
        (["--deploy", "shared", "--method", "verticle"], "RS001"),
    ],
)
def test_misuse_is_told(call, options, code) -> None:
    shown = call("advise", *options)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error {code}")


COMMANDS = {
    "advise": ["-q"],
    "average": ["-q", "-o", "f.csv", "--overwrite"],
    "compare": ["-q"],
    "plot": ["-q", "-o", "f.png", "--overwrite", "--band", "none"],
    "report": ["-q", "--boot", "100", "-o", "f.html"],
}


@pytest.fixture
def pair(folder: Path) -> str:
    """Two columns of scores, or one model, on five hosts."""
    rng = np.random.default_rng(3)
    lines = ["host,label,score,other"]
    for i in range(200):
        lines.append(f"h{i // 40},{i % 2},{rng.normal() + i % 2:.4f},{rng.normal() + i % 2:.4f}")
    (folder / "pair.csv").write_text("\n".join(lines) + "\n")
    return "pair.csv"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--at", "fpr=0.05"], ""),
        (["--at", "alerts=2%", "--prevalence", "3%"], ""),
        (["--at", "specifity=.9"], 'RS092 "specifity=.9" is not a place to'),
        (["--hold", "fpr", "--at", "tpr=0.9"], "RS092 tpr=0.9 is not an operating point with --hold fpr."),
        ([], "RS09"),
    ],
)
def test_every_command_takes_what_is_held_from_the_point(call, pair, command, options, said) -> None:
    scores = ["-s", "score", "-s", "other"] if command == "compare" else ["-s", "score"]
    shown = call(command, pair, "-g", "host", *scores, *COMMANDS[command], "--deploy", "own", *options)
    assert shown.code == (2 if said else 0), shown.err
    assert said in shown.err


# Questions on a terminal


def on_a_terminal(arguments: list[str], answers: list[str], folder: Path) -> tuple[int, str]:
    """Run in a pseudo-terminal and type the answers when a question ends with a colon."""
    child, handle = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(COLUMNS="90", TERM="dumb", NO_COLOR="1")
        os.execv(sys.executable, [sys.executable, "-m", "rocsteady", *arguments])
    seen, deadline = b"", time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([handle], [], [], 0.5)[0]:
            continue
        try:
            part = os.read(handle, 4096)
        except OSError:  # the other side has gone
            break
        if not part:
            break
        seen += part
        if answers and seen.rstrip().endswith(b":"):
            os.write(handle, answers.pop(0).encode() + b"\n")
    _, status = os.waitpid(child, 0)
    os.close(handle)
    return os.waitstatus_to_exitcode(status), seen.decode().replace("\r\n", "\n")


def test_a_terminal_is_asked_two_questions_in_the_words_of_a_trade(folder) -> None:
    code, seen = on_a_terminal(["advise", "--words", "medical"], ["what?", "2", "tpr"], folder)
    assert code == 0, seen
    flat = " ".join(seen.split())
    assert "use the same cut-off?" in flat
    assert "2 The sensitivity So many positive cases have to be found" in flat
    assert "Use the horizontal average" in flat
    assert "advise --words medical --deploy own --hold tpr" in flat
    assert "TPR" not in flat


def test_the_questions_use_the_word_for_a_group(folder, rivals) -> None:
    code, seen = on_a_terminal(["advise", rivals, *COLUMNS], ["yes", "1"], folder)
    assert code == 0, seen
    assert "Do all hosts use the same threshold?" in seen
    assert "What should count equally?" in seen
    assert "Use the threshold average" in seen


def test_costs_are_asked_for_where_they_are_needed(folder) -> None:
    code, seen = on_a_terminal(["advise"], ["no", "cost", "1:20", "0.05"], folder)
    assert code == 0, seen
    assert "--costs 1:20 --prevalence 0.05" in seen
    assert "Use the tangent average" in seen
