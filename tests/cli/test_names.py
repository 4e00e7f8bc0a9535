"""Names of models and groups are values: what they are called changes no number and no sentence around them."""

from __future__ import annotations

import csv
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


def write(models: tuple[str, str], groups: tuple[str, ...] = tuple(f"h{i}" for i in range(9))) -> None:
    """Scores of two models in nine groups; the fifth has no positives."""
    rng = np.random.default_rng(1)
    with Path("scores.csv").open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["host", "model", "y", "s"])
        for g, group in enumerate(groups):
            labels = np.arange(30) % 2 if g != 4 else np.zeros(30, dtype=int)
            for k, model in enumerate(models):
                scores = rng.normal(size=30) + (1 + 0.5 * k) * labels
                lines.writerows(zip([group] * 30, [model] * 30, labels, scores.round(3), strict=True))


def said(call, command: str, models: tuple[str, str], *more: str) -> list[str]:
    """Exit code, output and messages, with the plain names in place of these."""
    columns = ["-g", "host", "-y", "y", "-s", "s", "-m", "model", "--positive", "1"]
    named = ["--models", models[0], "--models", models[1]] if command in ("compare", "plot") else []
    found = call(command, "scores.csv", *columns, *named, *COMMANDS[command], *more)
    texts = [str(found.code), found.out, found.err]
    for own, plain in sorted(zip(models, PLAIN, strict=True), key=lambda pair: -len(pair[0])):
        texts = [text.replace(own, plain) for text in texts]
    # A shell needs quotes around some names, and lines are broken elsewhere.
    return [" ".join(text.replace("'", "").split()) for text in texts]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_models_are_called_changes_nothing_else(call, command):
    write(PLAIN)
    expected = said(call, command, PLAIN)
    assert expected[0] == "0"
    for kind, models in HOSTILE.items():
        write(models)
        assert said(call, command, models) == expected, kind


@pytest.mark.parametrize("command", ["compare", "report"])
def test_a_requirement_of_models_whose_names_have_dashes(call, command):
    found = []
    for models in (PLAIN, ("zq - zz", "zz")):
        write(models)
        code, out, err = said(
            call, command, models, "--require", f"{models[1]} - {models[0]}: tpr@fpr=0.05 >= 0.9"
        )
        assert code == "1"
        found.append((out, err))
    assert found[0] == found[1]
