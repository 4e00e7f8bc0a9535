"""The tool that plants faults: what it draws, that tests notice, that the tree is never touched."""

from __future__ import annotations

import ast
import importlib.util
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "tools" / "plant_faults.py"

TOY = '''"""A toy: ranks 1 < 2."""

def area(heights, width: int = 1):
    """Area under steps, 1 < 2."""
    if width < 0:
        raise ValueError("width < 0", 1 + 1)
    total = 0.5
    for i in range(len(heights)):
        total += abs(heights[i]) * width
    return total - 0.5

def clipped(value, low, high):
    return max(low, min(
        value, high,
    ))

def nobody_calls(a, b, names):
    found = [name for name in names[1:] if name and not name.startswith("a")]
    return ordered(a, b, side="left"), a.low

class Shape:
    sides = 3

    def __repr__(self):
        return str(self.sides + 1)

    def corners(self):
        return self.sides == 3 or self.sides == 4
'''

TESTS = """from rocsteady.curves.toy import area, clipped

def test_area():
    assert area([1, -2], 2) == 6

def test_clipped():
    assert clipped(5, 0, 3) == 3
"""


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("plant_faults", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A tree with one module and its tests."""
    root = tmp_path / "toy"
    for name, text in {
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = ['--import-mode=importlib']\n",
        "src/rocsteady/__init__.py": "",
        "src/rocsteady/curves/__init__.py": "",
        "src/rocsteady/curves/toy.py": TOY,
        "tests/curves/test_toy.py": TESTS,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_every_fault_is_valid_python_of_as_many_lines_that_means_something_else(tool):
    source = TOY.encode()
    faults = list(tool.faults_in(source, "curves/toy.py", "core"))
    assert {fault.kind for fault in faults} == set(tool.KINDS)
    for fault in faults:
        planted = fault.planted_in(source)
        assert ast.dump(ast.parse(planted)) != ast.dump(ast.parse(source)), fault
        assert planted.count(b"\n") == source.count(b"\n"), fault


def test_messages_docstrings_annotations_and_reprs_have_no_faults(tool):
    planted = [
        fault.planted_in(TOY.encode()).decode() for fault in tool.faults_in(TOY.encode(), "a.py", "core")
    ]
    kept = ('"""A toy: ranks 1 < 2."""', '"""Area under steps, 1 < 2."""', 'ValueError("width < 0", 1 + 1)')
    for text in (*kept, "width: int", "str(self.sides + 1)", "sides = 3\n"):
        assert all(text in source for source in planted), text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x < 1", "x <= 1"),
        ("x < 1", "x < 2"),
        ("x + y", "x - y"),
        ("x * y", "x / y"),
        ("x and y", "x or y"),
        ("not x", "x"),
        ("x[1:]", "x[2:]"),
        ("x[1]", "x[0]"),
        ("range(n)", "range(n + 1)"),
        ("min(x, y)", "max(x, y)"),
        ("f(x, y)", "f(y, x)"),
        ("f(x, ddof=1)", "f(x, ddof=2)"),
        ("f(x, side='left')", "f(x, side='right')"),
        ("abs(x)", "x"),
        ("0.5 if x else y", "0.5 if not x else y"),
        ("f(0.5)", "f(0.6)"),
        ("(x, y)", "(y, x)"),
        ("x.low", "x.high"),
    ],
)
def test_the_changes_are_those_that_people_make(tool, before, after):
    source = f"def g(x, y, n):\n    return {before}\n".encode()
    changed = [ast.unparse(ast.parse(f.planted_in(source))) for f in tool.faults_in(source, "a.py", "core")]
    assert f"def g(x, y, n):\n    return {ast.unparse(ast.parse(after))}" in changed


def test_the_draw_depends_on_the_seed_and_not_on_the_file(tool, toy):
    package = toy / "src" / "rocsteady"
    drawn = tool.draw(tool.all_faults(package), 4, 1, ["core"])
    assert drawn == tool.draw(tool.all_faults(package), 4, 1, ["core"])
    assert any(tool.draw(tool.all_faults(package), 4, seed, ["core"]) != drawn for seed in range(2, 6))
    assert len({fault.function for fault in drawn}) == 4
    (package / "averaging").mkdir()
    (package / "curves" / "toy.py").rename(package / "averaging" / "other.py")
    text = (package / "averaging" / "other.py").read_text()
    (package / "averaging" / "other.py").write_text("NEW = 1\n\n" + text)
    moved = tool.draw(tool.all_faults(package), 4, 1, ["core"])
    assert [fault.id for fault in moved] == [fault.id for fault in drawn]
    assert [fault.line for fault in moved] == [fault.line + 2 for fault in drawn]


def test_every_area_has_its_quota_and_readers_are_no_part_of_the_core(tool):
    assert sum(tool.quotas(100, list(tool.AREAS)).values()) == 100
    assert tool.quotas(100, list(tool.AREAS)) == {area: quota for area, (quota, _) in tool.AREAS.items()}
    assert sum(tool.quotas(12, list(tool.AREAS)).values()) == 12
    found = {path: tool.area_of(path) for path in ("readers/a.py", "inference/a.py", "codes/a.py")}
    assert found == {"readers/a.py": "readers", "inference/a.py": "core", "codes/a.py": None}


def test_planted_faults_are_noticed_in_a_copy_and_the_tree_is_never_touched(tool, toy, tmp_path):
    before = {path: path.read_bytes() for path in toy.rglob("*") if path.is_file()}
    worker = tool.Worker.made(tmp_path / "worker", toy, threading.Event())
    known = [tool.learn(worker, name) for name in tool.test_files(toy)]
    (tests,) = known
    assert tests.name == "tests/curves/test_toy.py"
    assert {"curves/toy.py:area", "curves/toy.py:clipped"} <= tests.touched
    assert tests.failed == ()
    assert not tests.is_broken
    faults = tool.all_faults(toy / "src" / "rocsteady")

    def after(text: str):
        return next(fault for fault in faults if fault.after == text)

    assert (
        tool.noticed(worker, after("total -= abs(heights[i]) * width"), known) == f"{tests.name}::test_area"
    )
    too_far = after("for i in range((len(heights) + 1)):")
    assert tool.noticed(worker, too_far, known, planted=False) is None
    assert tool.noticed(worker, too_far, known) == f"{tests.name}::test_area"
    assert "planted" in tool.blatant(too_far, TOY.encode()).planted_in(TOY.encode()).decode()
    assert tool.controlled(worker, too_far, known).endswith(f"noticed by {tests.name}::test_area")
    # Nothing calls the one, and no test is near the bound of the other.
    assert (
        tool.asked(after('found = [name for name in names[2:] if name and not name.startswith("a")]'), known)
        == []
    )
    assert tool.noticed(worker, after("if (width <= 0):"), known) is None
    assert {path: path.read_bytes() for path in toy.rglob("*") if path.is_file()} == before
    assert (worker.package / "curves" / "toy.py").read_text() == TOY


def test_a_run_that_never_ends_and_one_that_breaks_off_are_noticed(tool, toy, tmp_path):
    worker = tool.Worker.made(tmp_path / "worker", toy, threading.Event())
    assert worker.run([], code="while True: pass", seconds=1).noticed == "it never ends"
    assert "exit code 3" in worker.run([], code="import os; os._exit(3)").noticed
    assert worker.run([], code="pass").noticed is None


def test_the_record_gets_a_row_and_keeps_remarks(tool):
    faults = list(tool.faults_in(TOY.encode(), "curves/toy.py", "core"))[:3]
    trials = [
        tool.Trial(faults[0], "a test", 2),
        tool.Trial(faults[1], None, 2),
        tool.Trial(faults[2], None, 0),
    ]
    record = (SCRIPT.parents[1] / tool.RECORD).read_text(encoding="utf-8")
    once = tool.with_row(record, "first", 7, trials)
    assert tool.last_share(once, 7, 3) == ("first", 1)
    assert tool.last_share(once, 8, 3) is None
    line = next(line for line in once.splitlines() if line.startswith(f"| `{faults[1].id}` |"))
    remarked = once.replace(line, line[: line.rindex("|  |")] + "| equivalent: it is a toy |")
    twice = tool.with_row(remarked, "second", 7, trials[:2])
    assert tool.last_share(twice, 7, 2) == ("second", 1)
    assert tool.last_share(twice, 7, 3) == ("first", 1)
    assert "equivalent: it is a toy" in twice
    assert faults[2].id not in twice.partition("## Survivors")[2]
