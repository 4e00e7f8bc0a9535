"""The measure of the tree: import cycles are found however a module is imported."""

from __future__ import annotations

import importlib.util
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
