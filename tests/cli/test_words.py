"""`--words`: rates in the words of a trade, with the numbers that belong to them; names and JSON stay."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

COLUMNS = ["hosts.csv", "-g", "host", "-p", "attack", "-m", "model"]
COMMANDS = {
    "check": [],
    "report": ["--deploy", "shared", "--at", "fpr=0.1", "--boot", "100", "--overwrite"],
    "average": ["--deploy", "own", "--at", "fpr=0.1"],
    "compare": ["--deploy", "own", "--at", "fpr=0.1", "--boot", "100"],
    "cutoff": ["--at", "fpr=0.1", "--boot", "100"],
    "advise": ["--deploy", "own", "--hold", "tpr", "--at", "0.9"],
    "plan": ["--models", "a", "--at", "fpr=0.1"],
}
ML_WORDS = r"\b[FT][PN]Rs?\b|(?:false|true) positive rate"


@pytest.fixture(autouse=True)
def hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight hosts; one has few attacks, which is warned of."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    lines = ["host,label,score,model"]
    for host in range(8):
        for label in ["attack"] * (20 if host else 6) + ["normal"] * 30:
            known = rng.normal() + 1.5 * (label == "attack")
            lines += [f"h{host},{label},{known + rng.normal() / 2:.3f},{model}" for model in "ab"]
    Path("hosts.csv").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("words", ["medical", "biometric"])
@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_forgets_a_word(call, name: str, words: str) -> None:
    shown = call(name, *COLUMNS, *COMMANDS[name], "--words", words)
    assert shown.code == 0, shown.err
    # What is to be typed keeps the names of options.
    prose = [line for line in (shown.out + shown.err).splitlines() if "\N{RIGHTWARDS ARROW}" not in line]
    found = re.findall(ML_WORDS, "\n".join(prose))
    assert [own for own in found if words != "biometric" or own not in ("FNR",)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_json_is_the_facts_whatever_the_words(call, name: str) -> None:
    def facts(words: str) -> object:
        data = json.loads(call(name, *COLUMNS, *COMMANDS[name], "--words", words, "--json").out)
        return {own: value for own, value in data.items() if own != "command"}

    assert facts("medical") == facts("ml") == facts("biometric")


def test_a_number_and_its_complement_add_up(call) -> None:
    given = ["average", *COLUMNS, *COMMANDS["average"]]
    ml, medical, biometric = (
        [re.findall(r"(\d+\.\d+) %", line) for line in call(*given, "--words", words).out.splitlines()
         if re.match(r"(FPR|FMR|specificity) \d", line)]
        for words in ("ml", "medical", "biometric")
    )  # fmt: skip
    assert len(ml) == 7
    assert medical == ml  # sensitivities are TPRs
    for own, other in zip(ml, biometric, strict=True):
        assert [float(x) + float(y) for x, y in zip(own, other, strict=True)] == pytest.approx([100, 100])


def test_names_of_the_data_stay(call) -> None:
    text = Path("hosts.csv").read_text().replace(",a\n", ",TPR\n").replace(",b\n", ",the FPR model\n")
    Path("hosts.csv").write_text(text)
    shown = call("compare", *COLUMNS, *COMMANDS["compare"], "--words", "medical")
    assert shown.code == 0
    said = " ".join(shown.out.split())
    assert "TPR − the FPR model" in said
    assert "sensitivity at specificity 90 %" in said
