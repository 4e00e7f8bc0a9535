"""The house in numbers: how large it is, where imports go round in circles, how far a question has to walk.

    make house                          everything
    python tools/house.py --mass        without the walks: nothing is imported
    python tools/house.py --json FILE   the same numbers for a later comparison

Mass: lines, files and nodes of the syntax tree (which do not change with the formatting) by folder, the
longest functions, and what is not Python. Cycles: strongly connected modules, over imports at the top, inside
functions, for types only, relative, and by name (``importlib.import_module("...")``), but for the one door
from values to their words and pictures. Walks: which files and
functions of the package a warm call goes through, and how often it goes from one file to another.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import csv
import io
import json
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE, PACKAGE = ROOT / "src", "rocsteady"
OTHERS = ("native", "papers", "tests", "docs", "examples", "benchmarks", "simulations", "tools")
TEXTS = (".toml", ".json", ".html", ".css", ".js", ".jinja", ".bib", ".hpp", ".cpp", ".h")
LONGEST = 8
FACES = ("show", "figures", "report", "cli")
"""What shows; all other folders compute."""


# ------------------------------------------------------------------------------------------------------- mass


def modules() -> dict[str, Path]:
    """Every module of the package by its name."""
    found = {}
    for path in sorted((SOURCE / PACKAGE).rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def lines_of(path: Path) -> int:
    """Of a text file."""
    return path.read_text(encoding="utf-8").count("\n")


def mass(known: dict[str, Path]) -> dict[str, Any]:
    """Lines, files and nodes of every folder; the longest functions."""
    folders: dict[str, Counter[str]] = {}
    functions: list[tuple[int, str]] = []
    for name, path in known.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        folder = (
            name.split(".")[1] if name.count(".") > 1 or (path.name == "__init__.py" and "." in name) else "."
        )
        own = folders.setdefault(folder, Counter())
        own.update(files=1, lines=lines_of(path), nodes=sum(1 for _ in ast.walk(tree)))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                own["functions"] += 1
                functions.append(((node.end_lineno or 0) - node.lineno + 1, f"{name}.{node.name}"))
            own["classes"] += isinstance(node, ast.ClassDef)
    return {
        "folders": {name: dict(own) for name, own in sorted(folders.items())},
        "whole": dict(sum(folders.values(), Counter())),
        "longest": sorted(functions, reverse=True)[:LONGEST],
        "not Python": _texts(SOURCE),
        "elsewhere": {
            name: _texts(ROOT / name, (".py", *TEXTS)) for name in OTHERS if (ROOT / name).is_dir()
        },
    }


def _texts(folder: Path, kinds: tuple[str, ...] = TEXTS) -> dict[str, int]:
    paths = [path for path in folder.rglob("*") if path.suffix in kinds and path.is_file()]
    return {"files": len(paths), "lines": sum(map(lines_of, paths))}


# ----------------------------------------------------------------------------------------------------- cycles


DOOR = "rocsteady.showing"
"""The one module that may lead back: from a value to its words and pictures."""


def imports(known: dict[str, Path]) -> dict[str, set[str]]:
    """What every module imports of the package, wherever and however it does; the door leads nowhere."""
    found = {name: set(_imported(name, path, known)) - {name} for name, path in known.items()}
    return {name: set() if name == DOOR else own for name, own in found.items()}


def _imported(name: str, path: Path, known: dict[str, Path]) -> Iterator[str]:
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                full = f"{source}.{alias.name}"
                yield from (own for own in (full if full in known else source,) if own in known)
        elif isinstance(node, ast.Call) and _is_import(node.func) and node.args:
            given = node.args[0]
            if isinstance(given, ast.Constant) and isinstance(given.value, str) and given.value in known:
                yield given.value


def _is_import(function: ast.expr) -> bool:
    word = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return word in {"import_module", "__import__"}


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Modules that can reach each other, the largest circle first (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            circle = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(circle) > 1:
                found.append(sorted(circle))

    sys.setrecursionlimit(10_000)
    for name in graph:
        if name not in index:
            visit(name)
    return sorted(found, key=len, reverse=True)


# ------------------------------------------------------------------------------------------------------ walks


def walk(question: Callable[[], Any]) -> dict[str, int]:
    """The way of one warm call through the package."""
    files: set[str] = set()
    functions: set[tuple[str, str, int]] = set()
    counts: Counter[str] = Counter()
    home = str(SOURCE / PACKAGE)

    def seen(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(home) or code.co_name == "<module>":
            return
        files.add(code.co_filename)
        functions.add((code.co_filename, code.co_name, code.co_firstlineno))
        caller = "" if frame.f_back is None else frame.f_back.f_code.co_filename
        counts["hops"] += caller.startswith(home) and caller != code.co_filename

    question()
    sys.setprofile(seen)
    try:
        question()
    finally:
        sys.setprofile(None)
    return {"files": len(files), "functions": len(functions), "hops": counts["hops"]}


def questions(folder: Path) -> dict[str, Callable[[], Any]]:
    """What is asked: from one curve to a page."""
    import numpy as np

    import rocsteady as rs
    from rocsteady.cli import run
    from rocsteady.simulate import hosts, reader_study

    frame = hosts()
    roles = {"label": "label", "score": "score", "group": "host", "model": "model", "case": "event"}
    both = rs.ScoreSet.from_frame(frame, positive="attack", **roles)
    one = both.model("candidate")
    read_by = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    study = rs.ScoreSet.from_frame(reader_study(standalone=False), positive="cancer", **read_by)
    labels = np.arange(200) % 2
    scores = np.random.default_rng(1).normal(size=200) + labels
    made = rs.average(one, "vertical", undefined="drop")
    table = folder / "hosts.csv"
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(frame)
        writer.writerows(zip(*frame.values(), strict=True))
    read = [str(table), "-g", "host", "-p", "attack", "--at", "fpr=0.05"]

    def typed(*words: str) -> Callable[[], None]:
        def ask() -> None:
            quiet = io.StringIO()
            with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
                run([*words])

        return ask

    page = ["--deploy", "shared", "-o", str(folder / "hosts.html"), "--overwrite"]
    budget = {"fpr": 0.05}
    return {
        "rs.roc_curve(...).auc": lambda: rs.roc_curve(labels, scores).auc,
        "rs.average(...).at(fpr=)": lambda: rs.average(one, "vertical", undefined="drop").at(fpr=0.05),
        "rs.compare(...)": lambda: rs.compare(
            both, "candidate", "current", method="threshold", at=budget, undefined="drop"
        ),
        "rs.compare_readers(...)": lambda: rs.compare_readers(study, modalities=["digital", "film"]),
        "rs.plot.average(a)": lambda: rs.plot.average(made, at=budget),
        "rocsteady compare FILE": typed("compare", *read, "--method", "vertical"),
        "rocsteady report FILE": typed("report", *read, *page),
    }


def walks() -> dict[str, dict[str, int]]:
    """All of them."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: walk(question) for name, question in questions(Path(folder)).items()}


# ----------------------------------------------------------------------------------------------------- saying


def told(found: dict[str, Any]) -> Iterator[str]:
    """The numbers, line by line."""
    whole = found["mass"]["whole"]
    yield (
        f"src: {whole['files']} files, {whole['lines']:,} lines, {whole['nodes']:,} nodes, "
        f"{whole['functions']:,} functions, {whole['classes']} classes"
    )
    folders = found["mass"]["folders"]
    of_both = {
        is_face: [own for name, own in folders.items() if (name in FACES) == is_face] for is_face in (0, 1)
    }
    halves = {
        name: sum(map(Counter, of_both[is_face]), Counter())
        for is_face, name in enumerate(("what computes", "what shows"))
    }
    for name, own in (folders | halves).items():
        yield f"  {name:<18} {own['files']:4} files {own['lines']:7,} lines {own['nodes']:8,} nodes"
    for what, own in {"src, not Python": found["mass"]["not Python"], **found["mass"]["elsewhere"]}.items():
        yield f"  {what:<18} {own['files']:4} files {own['lines']:7,} lines"
    yield "longest functions:"
    yield from (f"  {n:4} lines  {name}" for n, name in found["mass"]["longest"])
    yield f"import cycles: {len(found['cycles'])}, holding {sum(map(len, found['cycles']))} modules"
    yield from (f"  {len(circle):4} modules, {circle[0]} ... {circle[-1]}" for circle in found["cycles"])
    if "walks" in found:
        yield "walks of a warm call:"
    for name, way in found.get("walks", {}).items():
        yield f"  {name:<26} {way['files']:4} files {way['functions']:5} functions {way['hops']:6} hops"


def main() -> None:
    """Print them; write them down if asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mass", action="store_true", help="without the walks")
    parser.add_argument("--json", type=Path, metavar="FILE")
    asked = parser.parse_args()
    known = modules()
    found: dict[str, Any] = {"mass": mass(known), "cycles": cycles(imports(known))}
    if not asked.mass:
        found["walks"] = walks()
    print("\n".join(told(found)))
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
