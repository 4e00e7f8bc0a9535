"""`--words`: rates in the words of a field, with the numbers that belong to them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.cli.console import plain_table, show
from rocsteady.cli.vocabulary import Words, speaking, speech_of

COLUMNS = ["hosts.csv", "-g", "host", "-p", "attack"]


@pytest.fixture(autouse=True)
def hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    lines = ["host,label,score"]
    for host in range(8):
        for label in ["attack"] * 20 + ["normal"] * 30:
            lines.append(f"h{host},{label},{rng.normal() + 1.5 * (label == 'attack'):.3f}")
    Path("hosts.csv").write_text("\n".join(lines) + "\n")


def test_ml_words_change_nothing(call) -> None:
    assert speech_of(Words.ML) is None
    for name, options in (("cutoff", ["--at", "fpr=0.1", "--boot", "0"]), ("plan", ["--at", "fpr=0.1"])):
        assert call(name, *COLUMNS, *options, "--words", "ml") == call(name, *COLUMNS, *options)


@pytest.mark.parametrize(
    ("text", "medical", "biometric"),
    [
        ("TPR at FPR 0.05", "sensitivity at specificity 0.95", "1 - FNMR at FMR 0.05"),
        ("FPR at TPR 90.0 %", "1 - specificity at sensitivity 90.0 %", "FMR at FNMR 10.0 %"),
        ("FPR 0.08 to 0.2 and 0.24 to 0.36.", "specificity 0.8 to 0.92 and 0.64 to 0.76.", "FMR 0.08 to 0.2 and 0.24 to 0.36."),
        ("at FPR 0.05 and 3 hosts", "at 1 - specificity 0.05 and 3 hosts", "at FMR 0.05 and 3 hosts"),
        ("at TPR 0.9, 95 % confidence", "at sensitivity 0.9, 95 % confidence", "at 1 - FNMR 0.9, 95 % confidence"),
        ("FPR 0.02 lower", "1 - specificity 0.02 lower", "FMR 0.02 lower"),
        ("FPR - FNR = 0.1", "(1 - specificity) - (1 - sensitivity) = 0.1", "FMR - FNMR = 0.1"),
        ("0.6 FPR + 0.8 TPR", "0.6 (1 - specificity) + 0.8 sensitivity", "0.6 FMR + 0.8 (1 - FNMR)"),
        ("From an FPR of 0.1 % on", "From a specificity of 99.9 % on", "From an FMR of 0.1 % on"),
        ("The false positive rate is held", "The specificity is held", "The false match rate is held"),
        ("--at fpr=0.05", "--at fpr=0.05", "--at fpr=0.05"),
        ("TPR 2", "sensitivity 2", "1 - FNMR 2"),
    ],
)  # fmt: skip
def test_sentences(text: str, medical: str, biometric: str) -> None:
    for words, expected in ((Words.MEDICAL, medical), (Words.BIOMETRIC, biometric)):
        speech = speech_of(words)
        assert speech is not None
        assert speech(text) == expected
        assert speech(expected) == expected  # said twice, it is the same


@given(st.integers(0, 1000), st.sampled_from(["FPR {}", "at FPR {}.", "(TPR 1, FPR {})", "FPR of {}"]))
def test_a_number_is_turned_round_exactly_or_left_alone(thousandth: int, form: str) -> None:
    speech = speech_of(Words.MEDICAL)
    assert speech is not None
    said = speech(form.format(f"{thousandth / 1000:.3f}"))
    is_rest = re.search(r"(?<!1 - )specificity", said) is not None
    number = float(re.findall(r"\d\.\d{3}", said)[-1])
    assert number == pytest.approx(1 - thousandth / 1000 if is_rest else thousandth / 1000, abs=1e-12)


@pytest.mark.parametrize("words", ["medical", "biometric"])
def test_the_table_of_a_cutoff_says_the_same_numbers(call, words: str) -> None:
    options = ["--at", "fpr=0.1", "--boot", "200"]
    (cutoff,) = json.loads(call("cutoff", *COLUMNS, *options, "--json").out)["cutoffs"]
    shown = call("cutoff", *COLUMNS, *options, "--words", words).out
    name, rate = ("specificity", "fpr") if words == "medical" else ("FNMR", "tpr")
    (row,) = [line for line in shown.splitlines() if re.match(rf"{name}  ", line)]
    value, _, low, high = (float(number) for number in re.findall(r"\d+(?:\.\d+)?", row)[:4])
    interval = cutoff[f"{rate}_interval"]
    assert value == pytest.approx(100 * (1 - cutoff[rate]), abs=0.06)
    assert (low, high) == pytest.approx(
        (100 * (1 - interval["high"]), 100 * (1 - max(interval["low"], 0))), abs=0.06
    )
    assert not re.search(r"\b[FT]PR\b", shown)


@pytest.mark.parametrize("name", ["average", "compare", "cutoff", "plan", "advise"])
def test_no_command_forgets_a_word(call, name: str) -> None:
    Path("two.csv").write_text(
        "host,label,score,model\n"
        + "".join(
            f"{line},{model}\n"
            for line in Path("hosts.csv").read_text().split("\n")[1:-1]
            for model in ("a", "b")
        )
    )
    options = {
        "average": ["--deploy", "own", "--hold", "fpr", "--at", "spec=90%", "-o", "x.csv"],
        "compare": ["--method", "vertical", "--at", "fpr=0.1", "--boot", "100"],
        "cutoff": ["--at", "tpr=0.9", "--boot", "100"],
        "plan": ["--models", "a", "--at", "fpr=0.1"],
        "advise": ["--deploy", "own", "--hold", "tpr", "--at", "0.9"],
    }[name]
    shown = call(name, "two.csv", "-g", "host", "-p", "attack", "-m", "model", *options, "--words", "medical")
    assert shown.code == 0, shown.err
    assert not re.search(r"\b[FT][PN]Rs?\b|(?:false|true) positive rate", shown.out + shown.err)
    if name != "average":  # its sentences speak of attacks caught and false alarms
        assert "sensitivity" in shown.out


@pytest.mark.parametrize(
    ("headings", "row"),
    [
        (("", "FPR", "difference"), ["a", "0.100", "0.050 to 0.200"]),
        (("", "FPR", "95 % interval"), ["a", "0.900", "0.800 to 0.950"]),
    ],
)
def test_numbers_beside_differences_are_not_turned_round(capsys, headings, row) -> None:
    with speaking(Words.MEDICAL):
        table = plain_table(*headings)
        table.add_row("a", "0.100", "0.050 to 0.200")
        show(table)
    heading, shown = capsys.readouterr().out.splitlines()
    assert re.split(r"\s{2,}", shown) == row
    assert ("1 - specificity" in heading) is ("difference" in headings)


def test_names_of_the_data_stay(capsys) -> None:
    with speaking(Words.MEDICAL, ["TPR", "the FPR model"]):
        show("TPR has a lower FPR than the FPR model.")
        table = plain_table("", "TPR")
        table.add_row("FPR", "0.1")
        show(table)
    out = capsys.readouterr().out
    assert "TPR has a lower 1 - specificity than the FPR model." in out
    assert re.search(r"specificity\s+0\.9", out)
