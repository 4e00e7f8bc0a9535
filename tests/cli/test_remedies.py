"""What a message says to type can be typed: in a shell, and it helps."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import Option, RocsteadyWarning, UsageError, caution
from rocsteady.text import vocabulary

PYTHON = re.compile(r"\w\(|\w+='|math\.|\w+=\(")
"""A call, a keyword argument: nothing that a shell would take."""


@pytest.fixture
def hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ten hosts, each with a level of its own."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    lines = ["host,label,score"]
    for i in range(10):
        shift = 2 * rng.normal()
        lines += [
            f"h{i},{label},{rng.normal() + shift + 2 * (label == 'attack'):.3f}"
            for label in ["attack"] * 12 + ["normal"] * 20
        ]
    Path("my hosts.csv").write_text("\n".join(lines) + "\n")
    return ["my hosts.csv", "-g", "host", "-p", "attack"]


def remedies(text: str) -> list[str]:
    """What the message says to type, option by option."""
    joined = re.sub(r"\n {4}(?! )", " ", text)  # lines that were wrapped
    lines = [line.strip().removeprefix("→ ") for line in joined.splitlines() if "→" in line]
    return [line.rsplit("  ", 1)[-1] for line in lines if "--" in line]


@pytest.mark.parametrize(
    ("given", "mistake"),
    [
        (["--method", "vertical"], ["--at", "t=3"]),
        (["--method", "vertical"], ["--at", "fpr=2"]),
        ([], ["--angle", "30"]),
        ([], ["--angle", "-5deg"]),
        ([], ["--angle", "200"]),
        (["--method", "vertical"], ["--grid", "1"]),
        ([], ["--method", "pooled", "--group-weights", "positives"]),
        ([], ["--method", "threshold", "--band", "prediction"]),
        (["--deploy", "own", "--hold", "cost", "--prevalence", "3%"], ["--costs", "1:inf"]),
        (["--deploy", "own", "--hold", "cost", "--prevalence", "3%"], ["--costs", "1:-2"]),
        (["--method", "costs", "--prevalence", "3%"], ["--costs", "0:0"]),
        (["--deploy", "own", "--hold", "cost", "--prevalence", "3%"], ["--costs", "1:2..2:4"]),
        (["--method", "vertical"], ["--prevalence", "2"]),
        (["--method", "vertical"], ["--prevalence", "often"]),
        (["--method", "vertical"], ["--confidence-level", "95"]),
        ([], ["--method", "vertikal"]),
        (["--deploy", "own", "--prevalence", "3%"], []),
        (["--deploy", "own", "--hold", "alerts"], []),
        (["--deploy", "shared"], ["--hold", "alerts"]),
        (["--method", "vertical"], ["-o", "missing folder/x.csv"]),
    ],
)
def test_what_a_message_says_helps(call, hosts, given, mistake) -> None:
    shown = call("average", *hosts, *given, *mistake)
    assert (shown.code in (2, 3), shown.out) == (True, ""), shown
    assert not PYTHON.search(shown.err), shown.err
    found = [remedy for remedy in remedies(shown.err) if "--deploy own" not in remedy]
    assert found
    for remedy in found:
        for one in re.split(r",\s+(?=--)", remedy):
            options = shlex.split(one.split(" (")[0])
            own = given + (["--method", "radial"] if "(radial)" in one else [])
            if "(threshold, pooled)" in one:
                own = ["--method", "threshold"]
            again = call("average", *hosts, *own, *options)
            assert again.code == 0, (one, again.err)


@pytest.mark.parametrize("method", ["threshold", "pooled", "binormal"])
def test_warnings_say_it_too(call, hosts, method) -> None:
    shown = call("average", *hosts, "--method", method)
    assert shown.code == 0
    assert "→" in shown.err
    assert "--method vertical" in shown.err
    arrows = [line for line in shown.err.splitlines() if "→" in line]
    assert not [line for line in arrows if PYTHON.search(line)]


def test_the_same_command_with_the_answers_runs(call, hosts) -> None:
    for command in ("average", "advise"):
        shown = call(command, *hosts, "--seed", "3")
        assert shown.code == 2
        joined = re.sub(r"\n {4}(?! )", " ", shown.err)
        typed = [line[line.index("rocsteady ") :] for line in joined.splitlines() if "rocsteady " in line]
        assert len(typed) >= 2
        for line in typed:
            words = shlex.split(line)
            assert words[:7] == ["rocsteady", command, "my hosts.csv", "-g", "host", "-p", "attack"]
            assert "--seed" in words
            assert call(*words[1:]).code == 0


def test_in_python_it_stays_python() -> None:
    with pytest.raises(UsageError) as caught:
        rs.AtAngle(30)
    assert "AtAngle(math.radians(30))" in str(caught.value)
    with pytest.raises(UsageError) as caught:
        rs.Deployment("own", hold="cost", costs=(1, 2, 3))
    assert "costs=((1, 2), (1, 20))" in str(caught.value)
    assert "--costs 1:2..1:20" in "\n".join(caught.value.lines(shell=True))


def test_a_translated_message_is_otherwise_the_same() -> None:
    """In the words of a trade, and spelled for a shell: code, facts and kind stay, and so do the lines."""
    warning = caution("RS203.group", group="h1", cases="9 attack cases", rate="TPR", steps="moves")
    again = warning.told(vocabulary("medical").rate)
    assert isinstance(again, RocsteadyWarning)
    assert (again.code, again.facts, again.remedies) == (warning.code, warning.facts, warning.remedies)
    assert again.problem == warning.problem.replace("TPR", "sensitivity")
    told = RocsteadyWarning("RS301", "a problem.", "a finding\nin two lines", Option("at", {"fpr": 0.05}))
    assert told.told(vocabulary("medical").rate) is told  # it was made from no template
    assert told.lines(shell=True) == ["a problem.", "  a finding", "  in two lines", "  -> --at fpr=0.05"]
    assert told.lines()[-1] == "  -> at={'fpr': 0.05}"
