"""What a message says to type can be typed: it is quoted, it is an option of that command, and it works."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

EVIL = "$(touch pwned)"
COLUMNS = ["-g", "host", "-p", "attack"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(8)
    lines = ["host,label,score,model,weight,truth"]
    for row in range(480):
        is_attack = row // 12 % 3 == 0
        label = "attack" if is_attack else "normal"
        model = f'"{EVIL}"' if row % 2 else '"b,c"'
        score = rng.normal() + is_attack
        lines.append(f"h{row // 2 % 6},{label},{score},{model},1e-320,{'NA' if is_attack else 'no'}")
    (tmp_path / "s.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def advised(err: str) -> list[str]:
    """The remedies, each as one line."""
    told: list[str] = []
    for line in err.splitlines():
        if line.startswith("  → "):
            told.append(line.removeprefix("  → "))
        elif told:
            told[-1] += " " + line.strip()
    return told


# -- models -------------------------------------------------------------------------------------------


def test_names_of_models_are_quoted_and_work(call) -> None:
    shown = call("plan", "s.csv", *COLUMNS, "-m", "model")
    assert shown.code != 0
    both, one = (told.partition(":  ")[2] for told in advised(shown.err))
    assert shlex.split(one) == ["--models", "b,c"]
    assert sorted(shlex.split(both)) == sorted(["--models", "b,c", "--models", EVIL])
    for told in (both, one):
        assert call("plan", "s.csv", *COLUMNS, "-m", "model", *shlex.split(told)).code == 0
    for command in (["compare", "s.csv"], ["plot", "s.csv", "--deploy", "shared", "-o", "p.png"]):
        found = call(*command, *COLUMNS, "-m", "model", *shlex.split(both), "-q")
        assert (found.code, found.err) == (0, ""), found.err


@pytest.mark.parametrize("given", [["b,c"], [EVIL, "b,c"]])
def test_a_name_may_have_commas(call, given: list[str]) -> None:
    typed = [word for name in given for word in ("--models", name)]
    shown = call("compare", "s.csv", *COLUMNS, "-m", "model", *typed, "-q")
    assert shown.code == 0
    assert "b,c" in shown.out


def test_a_name_that_was_nearly_typed_is_an_option(call) -> None:
    shown = call("compare", "s.csv", *COLUMNS, "-m", "model", "--models", "b,x")
    assert advised(shown.err) == ["did you mean  --models b,c ?"]


def test_thresholds_for_some_models_only(call, folder) -> None:
    text = (folder / "s.csv").read_text().replace(f'"{EVIL}"', "old").replace('"b,c"', "new")
    (folder / "t.csv").write_text(text)
    command = ["compare", "t.csv", *COLUMNS, "-m", "model", "-q"]
    shown = call(*command, "--at", "t=old:0.5")
    assert (shown.code, shown.err[:12]) == (2, "error RS002 ")
    (told,) = advised(shown.err)
    assert sorted(told.removeprefix("--at t=").split(",")) == ["new:0.5", "old:0.5"]
    assert call(*command, *shlex.split(told)).code == 0


# -- places -------------------------------------------------------------------------------------------

AVERAGES = {
    "report": ["--boot", "100", "-o", "x.html"],
    "average": ["--deploy", "own", "--hold", "cost", "--prevalence", "0.1"],
    "cutoff": ["--boot", "100"],
}


@pytest.mark.parametrize("command", AVERAGES)
def test_costs_that_are_none(call, recwarn, command: str) -> None:
    given = [command, "s.csv", *COLUMNS, *AVERAGES[command], "-q"]
    for costs in ("0:0", "-1:1", "1:nan", "1", "1:1e308", "1:2..1:3"):
        shown = call(*given, "--at", f"cost={costs}")
        assert (shown.code, shown.out) == (2, ""), costs
        told, *_ = advised(shown.err)
        assert told in ("--at cost=1:20", "--costs 1:20"), costs
    assert call(*given, *told.split()).code == 0
    assert not [one for one in recwarn if issubclass(one.category, RuntimeWarning)]


@pytest.mark.parametrize("command", ["average", "report"])
def test_ratios_that_are_none(call, command: str) -> None:
    given = [command, "s.csv", *COLUMNS, "--deploy", "own", "--hold", "ratio", "-q"]
    for ratio in ("0.5", "ratio=1", "ratio=1e308:1", "ratio=0:0"):
        shown = call(*given, "--at", ratio)
        assert (shown.code, shown.err[:12]) == (2, "error RS092 "), ratio
        assert advised(shown.err)[0] == "--at ratio=1:2", ratio
    assert call(*given, "--at", "ratio=1:2").code == 0


@pytest.mark.parametrize("command", ["average", "report", "cutoff"])
def test_a_place_without_its_name(call, command: str) -> None:
    hold = [] if command == "cutoff" else ["--hold", "fpr"]
    shown = call(command, "s.csv", *COLUMNS, "--deploy", "own", *hold, "--at", "=0.5", "-q")
    assert (shown.code, shown.err[:12]) == (2, "error RS092 ")


@pytest.mark.parametrize("method", ["costs"])
def test_an_average_takes_no_costs_beyond_squaring(call, method: str) -> None:
    at = (
        ["--costs", "1:1e308"]
        if method == "costs"
        else ["--deploy", "own", "--hold", "cost", "--costs", "1:1e308"]
    )
    named = ["--method", "costs"] if method == "costs" else []
    shown = call("average", "s.csv", *COLUMNS, *named, *at, "--prevalence", "0.1", "-q")
    assert (shown.code, shown.err[:12]) == (2, "error RS081 ")


# -- options and words --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--boot", "-5"], "--resamples must be a whole number"),
        (["--confidence-level", "95"], "--confidence-level must be strictly between 0 and 1."),
        (["--confidence-level", "0.999999999999"], "--confidence-level must be at most 0.999999."),
    ],
)
def test_options_have_the_names_that_are_typed(call, given: list[str], said: str) -> None:
    shown = call("report", "s.csv", *COLUMNS, *given)
    assert shown.code == 2
    assert said in shown.err


def test_no_level_is_shown_as_all(call) -> None:
    shown = call(
        "average", "s.csv", *COLUMNS, "--method", "pooled", "--confidence-level", "0.999999", "--at", "t=0"
    )
    assert shown.code == 0
    assert "99.9999 %" in shown.out


def test_an_unknown_average_has_something_to_type(call) -> None:
    shown = call("average", "s.csv", *COLUMNS, "--method", "zzz")
    assert advised(shown.err) == ["--method vertical", "what fits:  rocsteady advise"]


@pytest.mark.parametrize("readers", [[], ["--readers", "random"]])
def test_no_value_of_python_is_shown(call, folder, readers: list[str]) -> None:
    text = (folder / "s.csv").read_text().replace("model,", "one,")  # else models are taken by the name
    (folder / "s.csv").write_text(text)
    shown = call("compare", "s.csv", *COLUMNS, *readers)
    assert shown.code != 0
    assert "480 rows" in shown.err
    assert "ScoreSet" not in shown.err


def test_a_model_less_itself_is_no_requirement(call) -> None:
    given = ["compare", "s.csv", *COLUMNS, "-m", "model", "-q", "--require"]
    shown = call(*given, "b,c - b,c: auc >= 0")
    assert (shown.code, shown.err[:12]) == (2, "error RS004 ")


def test_a_case_with_two_truths_is_no_matter_for_python(call, folder) -> None:
    (folder / "c.csv").write_text("host,label,score,case\na,1,1,x\na,0,2,x\nb,1,3,y\nb,0,1,z\n")
    for command in (["report"], ["check"], ["average", "--method", "vertical"]):
        shown = call(*command, "c.csv", "-g", "host", "--case", "case")
        assert shown.err.startswith("error RS026 ")
        assert "bootstrap(" not in shown.err
        assert "--case COLUMN" in " ".join(shown.err.split())


# -- data ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["report", "average", "cutoff", "check", "plot"])
def test_weights_that_nothing_can_be_divided_by(call, recwarn, command: str) -> None:
    named = ["--method", "threshold"] if command in ("average", "plot") else []
    shown = call(command, "s.csv", *COLUMNS, *named, "-w", "weight")
    assert shown.code == 3
    assert shown.err.startswith("error RS037 480 of 480 weights are too small to be divided by in s.csv.")
    assert not [one for one in recwarn if issubclass(one.category, RuntimeWarning)]


def test_a_class_whose_name_means_missing(call) -> None:
    shown = call("check", "s.csv", "-g", "host", "-y", "truth", "-p", "NA")
    assert shown.err.startswith("error RS023 ")
    (told,) = advised(shown.err)
    assert told == 'in a file of text "NA" means a missing label: give that class another name in it'
    others = call("check", "s.csv", "-g", "host", "-y", "truth", "-p", "no")
    assert "--on-missing drop" in others.err


@pytest.mark.parametrize("command", [["report"], ["average", "--method", "threshold"]])
def test_integers_that_floats_cannot_tell_apart_are_data(call, folder, command: list[str]) -> None:
    rows = "".join(f"{i % 2},{10**18 + i},{i // 20}\n" for i in range(40))
    (folder / "big.csv").write_text("label,score,fold\n" + rows)
    shown = call(*command, "big.csv", "-q")
    assert (shown.code, shown.err.splitlines()[0]) == (
        3,
        "error RS048 several scores have the same threshold once it is a float.",
    )


def test_a_cut_off_beyond_every_score_is_no_number(call, folder) -> None:
    (folder / "n.csv").write_text(
        "label,score\n" + "".join(f"{int(i % 3 == 1)},{i}\n" for i in range(60)) + "0,99\n"
    )
    shown = call("cutoff", "n.csv", "--at", "fpr=0", "--at", "youden", "--boot", "0")
    assert "inf" not in shown.out


# -- questions ----------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="terminals")
def test_a_question_that_nobody_answers_says_what_to_type(folder) -> None:
    import os
    import pty
    import subprocess

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "rocsteady", "report", "s.csv", *COLUMNS, "--boot", "100"],
        stdin=theirs, stderr=theirs, stdout=subprocess.DEVNULL, env={**os.environ, "NO_COLOR": "1"},
    ) as process:  # fmt: skip
        os.close(theirs)
        said = b""
        while b"1 to 2:" not in said:
            said += os.read(ours, 1000)
        os.write(ours, b"\x04")
        try:
            while piece := os.read(ours, 1000):
                said += piece
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    assert process.returncode == 2
    told = said.decode().partition("error RS093 ")[2]
    assert "a question was not answered." in told
    assert "--deploy shared --weigh groups" in told
