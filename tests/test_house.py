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
"""What computes: one way through it, and no prose in it. (The faces are next.)"""


def test_no_circle_of_imports_in_the_core(house):
    in_circles = {name for circle in house.cycles(house.imports(house.modules())) for name in circle}
    assert [name for name in in_circles if name.split(".")[1] not in {"report", "cli"}] == []


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
