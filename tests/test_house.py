"""The measure of the tree: import cycles are found however a module is imported."""

from __future__ import annotations

import ast
import importlib.util
import re
from pathlib import Path

import pytest

from conftest import skip_unless_required

TOOL = Path(__file__).resolve().parents[1] / "tools" / "house.py"


@pytest.fixture
def house():
    if not TOOL.exists():
        skip_unless_required("the tools are not part of a source distribution")
    spec = importlib.util.spec_from_file_location("house", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "imported",
    [
        "from p.a import x",
        "import p.a",
        "from . import a",
        "from .a import x",
        "def f():\n    from p.a import x",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.a import x",
        "import importlib\nimportlib.import_module('p.a')",
    ],
)
def test_every_kind_of_import_closes_a_circle(house, tmp_path, imported):
    texts = {"p": "", "p.a": "from p import b", "p.b": imported, "p.c": "from p import a"}
    known = {}
    for name, text in texts.items():
        known[name] = tmp_path / (f"{name}.py" if name != "p" else "__init__.py")
        known[name].write_text(text)
    found = house.cycles(house.imports(known))
    assert found == [["p.a", "p.b"]]
    known["p.b"].write_text("import os")
    assert house.cycles(house.imports(known)) == []


def test_the_tree_is_counted_whole(house):
    known = house.modules()
    found = house.mass(known)
    assert found["whole"]["files"] == len(known)
    assert found["whole"]["lines"] == sum(map(house.lines_of, known.values()))
    assert known.keys() >= {"rocsteady", "rocsteady.averaging.base"}


CORE = (
    "scores",
    "counting",
    "statistics",
    "curves",
    "averaging",
    "points",
    "inference",
    "readers",
    "planning",
    "advice",
)
"""What computes: no prose in it."""
FACE = ("figures", "show", "cli")
"""What shows: it computes nothing, draws nothing at random, and formats no number."""


def test_no_circle_of_imports(house):
    assert house.cycles(house.imports(house.modules())) == []


def of_the_face(house) -> dict[str, ast.Module]:
    """Every module of the face as a tree."""
    return {
        name: ast.parse(path.read_text(encoding="utf-8"))
        for name, path in house.modules().items()
        if name.split(".")[1:2] and name.split(".")[1] in FACE
    }


def test_the_face_computes_nothing(house):
    reached = house.imports({name: house.modules()[name] for name in of_the_face(house)} | house.modules())
    statistics = {
        name: [own for own in reached[name] if own.split(".")[1:2] == ["statistics"] and own not in PLAIN]
        for name in of_the_face(house)
    }
    assert {name: own for name, own in statistics.items() if own} == {}
    drawing = [
        name
        for name, tree in of_the_face(house).items()
        if any(isinstance(node, ast.Attribute) and node.attr == "default_rng" for node in ast.walk(tree))
    ]
    assert drawing == []


PLAIN = {"rocsteady.statistics.limits", "rocsteady.statistics.paired_t"}
"""Classes of results: an interval, a paired t test."""


def formats(tree: ast.Module) -> list[str]:
    """Fields that say how a number is written: ``{x:.3f}``, ``{x:,}``, ``"%.2f"``."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            spec = ast.unparse(node.format_spec)
            if re.search(r"[.\d,][\dfgeEn%,]|[fgeEn%]'$", spec):
                found.append(ast.unparse(node))
    return found


NOT_FOR_PEOPLE = {
    "rocsteady.figures.svg": "coordinates",
    "rocsteady.show.sections.reading_geometry": "coordinates",
    "rocsteady.show.html": "the lengths of dashes in a style sheet",
    "rocsteady.show.tables": "the start of what was handed over, in a message",
    "rocsteady.cli.options": "a number as it is typed again",
    "rocsteady.cli.compare": "a number as it is typed again",
    "rocsteady.cli.plan": "a number as it is typed again",
}


def test_numbers_are_formatted_for_people_in_one_place(house):
    found = {name: formats(tree) for name, tree in of_the_face(house).items()}
    assert {name: own for name, own in found.items() if own and name not in NOT_FOR_PEOPLE} == {}


def test_nobody_rewrites_what_was_said(house):
    """No regular expression changes a text; tables escape markup and know the names of columns."""
    users = {
        name
        for name, tree in of_the_face(house).items()
        if any(isinstance(node, ast.Call) and called(node) in ("sub", "subn") for node in ast.walk(tree))
    }
    assert users == {"rocsteady.show.tables"}


def called(call: ast.Call) -> str:
    return getattr(call.func, "attr", None) or getattr(call.func, "id", "")


def outside_help(tree: ast.Module) -> str:
    """A module of commands without the texts of its options, which are its manual."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            node.keywords = [own for own in node.keywords if own.arg not in ("help", "epilog")]
            node.args = [] if called(node) == "written" else node.args
    return ast.unparse(tree)


def test_only_sentences_write_sentences(house):
    written = {
        name: said
        for name, tree in of_the_face(house).items()
        if name.split(".")[1] != "show" and (said := sentences(outside_help(tree)))
    }
    assert written == {}


def sentences(source: str) -> list[str]:
    """Literals that read as a sentence: a capital, four words or more, a full stop; docstrings apart."""
    tree = ast.parse(source)
    apart = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    apart += [part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values]
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(p.value if isinstance(p, ast.Constant) else "it" for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in apart:
            text = node.value
        else:
            continue
        if re.search(r"[A-Z]\w* (\S+ ){2,}\S+\.(\s|$)", text):
            found.append(text)
    return found


def test_the_core_writes_no_sentence(house):
    written = {
        name: said
        for name, path in house.modules().items()
        if name.split(".")[1:2] and name.split(".")[1] in CORE
        if (said := sentences(path.read_text(encoding="utf-8")))
    }
    assert written == {}


@pytest.mark.parametrize(
    "source",
    [
        "words = 'The 23 hosts are a random sample.'",
        "words = f'The {n} hosts are a random sample.'",
        "def f(n):\n    return f'{n} folds. What is random is the folds.'",
    ],
)
def test_a_sentence_would_be_seen(source):
    assert len(sentences(source)) == 1
    assert sentences(f'"""Made of what was read here."""\n{source.replace(".", "")}') == []
