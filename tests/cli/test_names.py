"""Names of models and groups are values: what they are called changes no number and no sentence around them."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest

PLAIN = ("m-one", "m-two")
HOSTILE = {
    "in parentheses": ("CNN (v1)", "CNN (v2)"),
    "like differences": ("a - b", "b - a"),
    "like reasons": ("x: no positives", "y: no positives (x)"),
    "like rates": ("TPR at 0.05", "TPR at FPR 0.1"),
    "like lists": ("p, q and r", "q, r"),
}
COMMANDS = {
    "compare": ["--at", "fpr=0.05", "--boot", "200", "--json"],
    "report": [
        "--deploy",
        "shared",
        "--at",
        "fpr=0.05",
        "--boot",
        "100",
        "--json",
        "-o",
        "page.html",
        "--overwrite",
    ],
    "cutoff": ["--at", "tpr=0.9", "--boot", "100", "--json"],
    "plot": ["--figure", "points", "--at", "youden", "-o", "figure.svg", "--overwrite"],
    "advise": ["--deploy", "shared", "--json"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")


def write(models: tuple[str, ...], groups: tuple[str, ...] = tuple(f"h{i}" for i in range(9))) -> None:
    """Scores of two models in nine groups; the fifth has no positives."""
    rng = np.random.default_rng(1)
    with Path("scores.csv").open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["host", "model", "y", "s"])
        for g, group in enumerate(groups):
            labels = np.arange(30) % 2 if g != 4 else np.zeros(30, dtype=int)
            for k, model in enumerate(models):
                scores = rng.normal(size=30) + (1 + 0.5 * k % 1.2) * labels
                lines.writerows(zip([group] * 30, [model] * 30, labels, scores.round(3), strict=True))


def said(call, command: str, models: tuple[str, str]) -> list[str]:
    """Exit code, output and messages, with the plain names in place of these."""
    columns = ["-g", "host", "-y", "y", "-s", "s", "-m", "model", "--positive", "1"]
    named = ["--models", models[0], "--models", models[1]] if command in ("compare", "plot") else []
    found = call(command, "scores.csv", *columns, *named, *COMMANDS[command])
    texts = [str(found.code), found.out, found.err]
    for own, plain in sorted(zip(models, PLAIN, strict=True), key=lambda pair: -len(pair[0])):
        texts = [text.replace(own, plain) for text in texts]
    # A shell needs quotes around some names, and lines are broken elsewhere; time passes.
    return [re.sub(r"\d+\.\d s", "", " ".join(text.replace("'", "").split())) for text in texts]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_models_are_called_changes_nothing_else(call, command):
    write(PLAIN)
    expected = said(call, command, PLAIN)
    assert expected[0] == "0"
    for kind, models in HOSTILE.items():
        write(models)
        assert said(call, command, models) == expected, kind


def test_a_required_difference_is_that_of_its_pair_though_another_pair_reads_alike(call):
    """zq less "zz - zy" reads like "zq - zz" less zy."""
    found = []
    for models in (("m1", "m2", "m3", "m4"), ("zq - zz", "zy", "zq", "zz - zy")):
        write(models)
        columns = ["-g", "host", "-y", "y", "-s", "s", "-m", "model", "--positive", "1"]
        required = f"{models[2]} - {models[3]}: tpr@fpr=0.05 >= 0.9"
        shown = call("report", "scores.csv", *columns, *COMMANDS["report"], "--require", required)
        assert shown.code == 1
        (verdict,) = json.loads(shown.out)["requirements"]
        found.append([verdict[name] for name in ("value", "low", "high")])
    assert found[0] == found[1]
