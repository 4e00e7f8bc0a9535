"""The shape of the package: data flows one way, and `import rocsteady` stays light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "rocsteady"

# From the bottom up: a module may import from its own layer and from those before it, never from a later one.
# ARCHITECTURE.md says what belongs where.
LAYERS = (
    "arrays",
    "words",
    "references",
    "errors",
    "calling",
    "whole_files",
    "showing",
    "options",
    "text",
    "_kernels",
    "results",
    "scores",
    "places",
    "simulate",
    "counting",
    "statistics",
    "curves",
    "averaging",
    "points",
    "inference",
    "readers",
    "planning",
    "advice",
    "answers",
    "class_study",
    "study",
    "figures",
    "show",
    "cli",
    "__main__",
)
# `from rocsteady import auc` reaches every layer that has public names, so only what stands above them may.
PUBLIC_NAMES_REACH = LAYERS.index("show")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@cache
def imported_names(source: str, package: str) -> tuple[tuple[int, str], ...]:
    """Every dotted name a module imports, wherever the import stands: in functions, under TYPE_CHECKING, by name."""
    return tuple(_imported_names(source, package))


def _imported_names(source: str, package: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and called_name(node) in {"import_module", "__import__"}:
            yield from ((node.lineno, a.value) for a in node.args if isinstance(a, ast.Constant))


def called_name(call: ast.Call) -> str:
    return getattr(call.func, "attr", None) or getattr(call.func, "id", "")


def violations(source: str, layer: str, package: str) -> list[str]:
    """What a module of this layer imports from a later one."""
    found = []
    for line, name in imported_names(source, package):
        parts = str(name).split(".")
        if parts[0] != "rocsteady":
            continue
        target = parts[1] if len(parts) > 1 else ""
        reach = LAYERS.index(target) if target in LAYERS else PUBLIC_NAMES_REACH
        if reach > LAYERS.index(layer):
            found.append(f"line {line}: {layer} imports {name}")
    return found


def place(path: Path) -> tuple[str, str]:
    """The layer of a file and the package that its relative imports start from."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0], ".".join(["rocsteady", *parts[:-1]])


# The public names in __init__.py reach every layer below the command line: that file has its own test. So has the
# one door from a value to how it is shown, which calls later layers by name when a user asks.
LAYERED = [path for path in modules() if path not in (PACKAGE / "__init__.py", PACKAGE / "showing.py")]


def test_a_layer_never_imports_a_later_one() -> None:
    found = {str(path): violations(path.read_text(encoding="utf-8"), *place(path)) for path in LAYERED}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_the_package_does_not_know_of_the_papers() -> None:
    names = {
        name: path
        for path in modules()
        for _, name in imported_names(path.read_text(encoding="utf-8"), place(path)[1])
    }
    assert {name: path for name, path in names.items() if str(name).split(".")[0] == "papers"} == {}


def test_the_public_names_do_not_reach_the_command_line() -> None:
    source = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    words = [str(node.value) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    words += [name for _, name in imported_names(source, "rocsteady")]
    showing = LAYERS[LAYERS.index("cli") :]
    assert [word for word in words if word.removeprefix("rocsteady.").split(".")[0] in showing] == []


def test_the_door_to_later_layers_opens_only_when_asked() -> None:
    tree = ast.parse((PACKAGE / "showing.py").read_text(encoding="utf-8"))
    at_once = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [name for node in at_once for _, name in imported_names(ast.unparse(node), "rocsteady")]
    assert [name for name in names if name.startswith("rocsteady.")] == []
    words = [str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    reached = {word.split(".")[1] for word in words if re.fullmatch(r"rocsteady(\.[a-z_]+)+", word)}
    assert reached <= {"averaging", "curves", "figures", "show", "text"}


def test_every_module_of_the_package_has_a_declared_layer() -> None:
    children = {
        p.stem for p in PACKAGE.iterdir() if p.suffix == ".py" or (p.is_dir() and any(p.rglob("*.py")))
    }
    assert children - {"__init__"} - set(LAYERS) == set()


@pytest.mark.parametrize(
    "source",
    [
        "import rocsteady.curves",
        "import rocsteady.curves.roc as roc",
        "from rocsteady.curves import RocCurve",
        "from rocsteady import curves",
        "from rocsteady import auc",
        "import rocsteady as rs",
        "from ..curves import RocCurve",
        "from .. import curves",
        "def late():\n    from rocsteady.curves.roc import RocCurve",
        "if TYPE_CHECKING:\n    from rocsteady.curves import RocCurve",
        "try:\n    import rocsteady.cli\nexcept ImportError:\n    pass",
        "importlib.import_module('rocsteady.curves')",
        "__import__('rocsteady.show.report')",
    ],
)
def test_the_checker_sees_a_planted_violation(source: str) -> None:
    assert len(violations(source, "scores", "rocsteady.scores")) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import numpy",
        "from rocsteady import errors",
        "from rocsteady._kernels import kernels",
        "from .columns import Columns",
        "from ..errors import DataError",
        "from rocsteady.scores.frames import read_names",
        "import rocsteady_other",
    ],
)
def test_the_checker_lets_earlier_layers_through(source: str) -> None:
    assert violations(source, "scores", "rocsteady.scores") == []


def test_the_command_line_may_use_the_public_names() -> None:
    assert violations("from rocsteady import read_scores", "cli", "rocsteady.cli") == []


HEAVY = {"pandas", "polars", "pyarrow", "duckdb", "matplotlib", "sklearn", "scipy.stats", "typer", "rich"}


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter holds after running this."""
    script = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_and_its_names_loads_nothing_heavy() -> None:
    loaded = loaded_by(
        "import rocsteady\n"
        "assert rocsteady.__all__\n"
        "for name in rocsteady.__all__:\n"
        "    getattr(rocsteady, name)"
    )
    assert loaded & HEAVY == set()


def test_the_test_above_would_notice() -> None:
    assert "scipy.stats" in loaded_by("import scipy.stats") & HEAVY
