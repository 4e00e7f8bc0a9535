"""Names come from files: whatever they are, they are shown, written and never obeyed."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import duckdb
import numpy as np
import pytest

from rocsteady.cli.files import safe_cell

GROUPS = [
    "<script>alert(1)</script>",
    "</script><!--",
    "=cmd()",
    "-2+3",
    "@SUM(A1)",
    "\tTab",
    '"quoted" it\'s',
    "\U0001f9a0 \u05e9\u05dc\u05d5\u05dd \u202eevil",
    "\x1b[2J\x07 bell",
    "two\nlines",
    "[red]markup[/red] [/x] {0} %s $x^2$ :smile:",
    ("long " + 99 * "name ").strip(),
]
MODELS = ["=HYPERLINK(1)", "<b>TPR</b> [/new]"]
POSITIVE, NEGATIVE = "+fraud\x1b[31m", "a,b\n</td>"
HEADER = {"group": "=gr\x1b]0;x\x07oup", "label": "<i>label", "score": "FPR [/score]", "model": "model\u202e"}
COLUMNS = [
    "-g", HEADER["group"], "-y", HEADER["label"], "-s", HEADER["score"], "-m", HEADER["model"],
    "-p", POSITIVE,
]  # fmt: skip
COMMANDS = {
    "check": [],
    "report": ["--deploy", "own", "--at", "fpr=0.1", "--boot", "100", "--overwrite"],
    "average": ["--method", "vertical", "--grid", "11", "--at", "fpr=0.1"],
    "compare": ["--method", "vertical", "--boot", "100", "--at", "fpr=0.1"],
    "cutoff": ["--deploy", "own", "--at", "youden", "--boot", "0"],
    "plan": ["--models", MODELS[0]],
    "advise": ["--deploy", "shared"],
    "plot": ["--figure", "curves", "--models", MODELS[0], "--band", "none", "--dpi", "50", "--overwrite"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def file(folder: Path) -> str:
    rng = np.random.default_rng(5)
    name = "<b>[red] it's.csv"
    with Path(name).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(HEADER.values())
        for group in GROUPS:
            for model in MODELS:
                for i in range(24):
                    label = POSITIVE if i < 12 else NEGATIVE
                    writer.writerow([group, label, f"{rng.normal() + 2 * (label == POSITIVE):.3f}", model])
    return name


def is_harmless(text: str) -> bool:
    return all(c.isprintable() or c == "\n" for c in text)


@pytest.mark.parametrize("name", list(COMMANDS))
def test_a_terminal_sees_letters_only(call, file, name: str) -> None:
    shown = call(name, file, *COLUMNS, *COMMANDS[name])
    assert shown.code == 0, shown.err
    assert is_harmless(shown.out)
    assert is_harmless(shown.err)


@pytest.mark.parametrize("name", ["compare", "cutoff", "plan", "advise"])
@pytest.mark.parametrize("words", ["medical", "biometric"])
def test_names_keep_their_letters_in_any_words(call, file, name: str, words: str) -> None:
    shown = call(name, file, *COLUMNS, *COMMANDS[name], "--words", words)
    assert shown.code == 0
    said = " ".join(f"{shown.out} {shown.err}".split())
    assert "<b>TPR</b>" in said
    assert "<b>sensitivity" not in said
    assert "<b>1 - FNMR" not in said


@pytest.mark.parametrize("name", list(COMMANDS))
def test_json_has_the_names_themselves(call, file, name: str) -> None:
    shown = call(name, file, *COLUMNS, *COMMANDS[name], "--json")
    assert (shown.code, shown.err) == (0, "")
    assert is_harmless(shown.out)
    data = json.loads(shown.out)
    about = data["data"]
    assert sorted(about["groups"]) == sorted(GROUPS)
    assert about["source"] == file


@pytest.mark.parametrize("name", ["average", "compare", "cutoff", "plan"])
def test_csv_is_safe_for_a_spreadsheet_and_a_terminal(call, file, name: str) -> None:
    shown = call(name, file, *COLUMNS, *COMMANDS[name], "-o", "out.csv", "-q")
    assert shown.code == 0, shown.err
    text = Path("out.csv").read_text(encoding="utf-8")
    assert not any(ord(c) < 32 and c not in "\n\t\r" for c in text)
    cells = [cell for row in csv.reader(text.splitlines(keepends=True)) for cell in row]
    for cell in cells:
        if cell.lstrip().startswith(("=", "+", "-", "@")) or cell.startswith(("\t", "\r", "\n")):
            float(cell)  # a number may have a sign; text may not
    if name in ("average", "compare", "cutoff"):
        assert f"'{MODELS[0]}" in cells
    if name == "cutoff":
        assert {"'=cmd()", "'-2+3", "'@SUM(A1)", "'\tTab"} <= set(cells)


def test_parquet_keeps_every_name_as_it_is(call, file) -> None:
    assert call("cutoff", file, *COLUMNS, *COMMANDS["cutoff"], "-o", "out.parquet", "-q").code == 0
    groups = {row[0] for row in duckdb.sql("SELECT DISTINCT \"group\" FROM 'out.parquet'").fetchall()}
    assert groups - {None} == set(GROUPS)


def test_messages_about_hostile_names(call, file) -> None:
    for options in (["-p", "\x1b[2J"], ["-g", "\x1b[2J[/x]"], ["--models", "[/x]\x07"]):
        shown = call("compare", file, *COLUMNS, *options)
        assert shown.code == 2
        assert shown.out == ""
        assert is_harmless(shown.err)
    odd = call("check", "no\x1b[2J[x].csv")
    assert odd.code == 3
    assert is_harmless(odd.err)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=1+1", "'=1+1"),
        ("  =1+1", "'  =1+1"),
        ("+1", "'+1"),
        ("-", "'-"),
        ("@x", "'@x"),
        ("\rx", "'\rx"),
        ("\uff1dx", "'\uff1dx"),
        ("host-1", "host-1"),
        ("a=b", "a=b"),
        ("", ""),
        ("\x00\x9b", "\\x00\\x9b"),
    ],
)
def test_the_one_rule(text: str, written: str) -> None:
    assert safe_cell(text) == written
