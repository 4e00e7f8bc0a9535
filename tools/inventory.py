"""List what the package offers and what keeps its users safe, one line each.

    python tools/inventory.py             what is lacking from tests/inventory/inventory.txt, and what is new
    python tools/inventory.py --update    add what is new; nothing is ever taken out
    python tools/inventory.py --write     write the file anew: only before a restructuring begins

Lines begin with their kind:

    name        a public name                            name rocsteady.auc
    parameter   one of its parameters, with its default  parameter rocsteady.auc(positive=None)
    field       what a result has: field or property     field Difference.pvalue
    method      what a result can be asked               method RocCurve.tpr_at
    figure      a figure of rocsteady.plot               figure winner_map
    command     of the shell                             command report
    option      of a command                             option report --group
    argument    of a command                             argument report FILE
    section     of the report: page, or key of its JSON  section page answer
    code        of a message                             code RS011
    safety      a test that must never be lost           safety tests/cli/test_hostile.py::test_the_one_rule

tests/inventory/safety.toml says which tests are about safety; tests/inventory/accounts.toml says where lines
went that are there no more. Nothing is computed here: signatures and annotations are read, no result is made.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import dataclasses
import importlib
import inspect
import re
import sys
import tomllib
from collections.abc import Collection, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
STORED = ROOT / "tests" / "inventory" / "inventory.txt"
SAFETY = ROOT / "tests" / "inventory" / "safety.toml"

SUBMODULES = ("plot", "simulate")
"""Public names that are modules: their names are public, too."""
INNER = {
    *(
        "About",
        "Binning",
        "CellTable",
        "Columns",
        "Confusion",
        "CountTable",
        "Piece",
        "RateWord",
        "ReaderRatings",
    ),
    *("Readings", "ReportSummary", "Staircases", "Use", "Vocabulary", "Wording"),
}
"""Tables, plain data of the report and words that values carry inside: none of them is handed to anybody."""


def present() -> list[str]:
    """Every line of the tree as it is, sorted."""
    kinds = (names_and_results, commands, sections, codes, safety)
    return sorted({line for kind in kinds for line in kind()})


def stored() -> list[str]:
    """Every line of the file."""
    return STORED.read_text(encoding="utf-8").splitlines()


# Public names, what they take, and what they give


def names_and_results() -> Iterator[str]:
    """Names, their parameters, figures; then every class that can be reached from them by annotations."""
    package = importlib.import_module("rocsteady")
    waiting: list[type] = []
    for name in package.__all__:
        value = getattr(package, name)
        if name in SUBMODULES:
            waiting += yield from _module(f"rocsteady.{name}", value)
        else:
            waiting += yield from _name(f"rocsteady.{name}", value)
    seen: set[type] = set()
    while waiting:
        own = waiting.pop()
        if own not in seen and own.__name__ not in INNER and not own.__name__.startswith("_"):
            seen.add(own)
            waiting += [*(yield from _class(own)), *_subclasses(own)]


def _module(path: str, module: Any) -> Any:
    reached: list[type] = []
    for name in module.__all__:
        if path.endswith(".plot"):
            yield f"figure {name}"
        reached += yield from _name(f"{path}.{name}", getattr(module, name))
    return reached


def _name(path: str, value: Any) -> Any:
    yield f"name {path}"
    if isinstance(value, type):
        return [value]
    yield from _parameters(path, value)
    return _classes_named(inspect.unwrap(value).__annotations__.get("return"), value.__module__)


def _class(own: type) -> Any:
    """The fields, properties and methods of a class; the classes that these give."""
    reached: list[type] = []
    ours = [base for base in own.__mro__ if base.__module__.startswith("rocsteady")]
    if not dataclasses.is_dataclass(own) and any("__init__" in vars(base) for base in ours):
        yield from _parameters(own.__name__, own.__init__, skip=1)
    if dataclasses.is_dataclass(own):
        for field in dataclasses.fields(own):
            if not field.name.startswith("_"):
                yield f"field {own.__name__}.{field.name}"
                reached += _classes_named(field.type, _home(own, field.name))
    for name, value, home in _members(own):
        if isinstance(value, property | cached_property):
            function = value.fget if isinstance(value, property) else value.func
            yield f"field {own.__name__}.{name}"
        else:
            function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            yield f"method {own.__name__}.{name}"
            skip = 0 if isinstance(value, staticmethod) else 1
            yield from _parameters(f"{own.__name__}.{name}", function, skip=skip)
        given = getattr(inspect.unwrap(function), "__annotations__", {}).get("return")
        reached += _classes_named(given, home)
    return reached


def _subclasses(own: type) -> list[type]:
    """Our classes that are made from this one, wherever they are written: averages are of many kinds."""
    written = _written_subclasses().get(own.__name__, [])
    found = [getattr(importlib.import_module(module), name) for module, name in written]
    return [kind for kind in found if issubclass(kind, own)]


@cache
def _written_subclasses() -> dict[str, list[tuple[str, str]]]:
    """By the name of a class: module and name of those that name it among their bases."""
    found: dict[str, list[tuple[str, str]]] = {}
    source = ROOT / "src"
    for path in sorted(source.rglob("*.py")):
        module = ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
        for name, bases in re.findall(
            r"^class (\w+)\(([^)]*)\)", path.read_text(encoding="utf-8"), re.MULTILINE
        ):
            for base in re.findall(r"\w+", bases):
                found.setdefault(base, []).append((module, name))
    return found


def _members(own: type) -> Iterator[tuple[str, Any, str]]:
    """Public methods and properties, inherited ones too, with the module in which each was written."""
    kinds = property | cached_property | classmethod | staticmethod
    seen: set[str] = set()
    for base in own.__mro__:
        if not base.__module__.startswith("rocsteady"):
            continue
        for name, value in vars(base).items():
            is_asked_for = inspect.isfunction(value) or isinstance(value, kinds)
            if is_asked_for and not name.startswith("_") and name not in seen:
                seen.add(name)
                yield name, value, base.__module__


def _home(own: type, field: str) -> str:
    """The module of the class in which a field was written: there its annotation has a meaning."""
    for base in own.__mro__:
        if field in vars(base).get("__annotations__", {}):
            return base.__module__
    return own.__module__


def _parameters(path: str, function: Any, skip: int = 0) -> Iterator[str]:
    for own in list(inspect.signature(function).parameters.values())[skip:]:
        kind = re.fullmatch(r"Unpack\[(Where|Chosen)\]", str(own.annotation))
        if own.kind is own.VAR_KEYWORD and kind:  # keywords that name a place
            yield from (f"parameter {path}({name}=None)" for name in _places(kind[1]))
            continue
        star = {own.VAR_POSITIONAL: "*", own.VAR_KEYWORD: "**"}.get(own.kind, "")
        yield f"parameter {path}({star}{own.name}{_default(own)})"


@cache
def _places(kind: str) -> tuple[str, ...]:
    return tuple(getattr(importlib.import_module("rocsteady.places"), kind).__annotations__)


def _default(own: inspect.Parameter) -> str:
    if own.default is own.empty:
        return ""
    plain = isinstance(own.default, None.__class__ | bool | int | float | str | tuple)
    return f"={own.default!r}" if plain else f"={type(own.default).__name__}"


def _classes_named(annotation: Any, module: str) -> list[type]:
    """Our classes that an annotation names, also where it is text that no interpreter has looked at."""
    if isinstance(annotation, type):
        return [annotation] if _is_ours(annotation) else []
    found = (_resolved(name, module) for name in re.findall(r"[A-Za-z_][\w.]*", str(annotation or "")))
    return [own for own in found if isinstance(own, type) and _is_ours(own)]


def _is_ours(own: type) -> bool:
    return own.__module__.startswith("rocsteady.")


def _resolved(name: str, module: str) -> Any:
    first, _, rest = name.partition(".")
    if rest:
        return getattr(_resolved(first, module), rest, None)
    known = vars(sys.modules[module])
    if name in known or hasattr(builtins, name):
        return known.get(name)
    home = _imports(module).get(name, "")
    return getattr(importlib.import_module(home), name, None) if home.startswith("rocsteady.") else None


@cache
def _imports(module: str) -> dict[str, str]:
    """Where the names of a module come from, imports for type checkers included."""
    source = inspect.getsource(sys.modules[module])
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name: str(node.module) for node in nodes for alias in node.names}


# The command line, the report, messages


def commands() -> Iterator[str]:
    """Commands with their options and arguments."""
    import typer

    from rocsteady.cli.app import app

    group: Any = typer.main.get_command(app)
    for name, command in group.commands.items():
        yield f"command {name}"
        for own in command.params:
            if own.param_type_name == "option":
                yield from (f"option {name} {spelled}" for spelled in (*own.opts, *own.secondary_opts))
            else:
                yield f"argument {name} {str(own.metavar or own.name.upper()).strip('[]')}"
    yield from (f"option {spelled}" for own in group.params for spelled in own.opts)


def sections() -> Iterator[str]:
    """Sections of the page, and keys of the report's JSON as its schema has them."""
    from rocsteady.show.report import SECTIONS
    from rocsteady.show.schema import schema as schema_of

    yield from (f"section page {place.ident}" for place in SECTIONS)
    schema = schema_of()
    yield from (f"section json {path}" for path in _keys(schema, ""))
    for name, own in schema["$defs"].items():
        yield from (f"section json {name}: {path}" for path in _keys(own, ""))


def _keys(schema: Any, path: str) -> Iterator[str]:
    """The paths of all keys of a schema: ``answer.sentences[].text``."""
    if not isinstance(schema, dict):  # true: anything may stand there
        return
    for name, own in schema.get("properties", {}).items():
        yield f"{path}{name}"
        yield from _keys(own, f"{path}{name}.")
    yield from _keys(schema.get("items"), f"{path.removesuffix('.')}[].")
    for word in ("anyOf", "oneOf", "allOf"):
        for own in schema.get(word, []):
            yield from _keys(own, path)


def codes() -> Iterator[str]:
    """Codes of messages."""
    from rocsteady.errors import catalogue

    yield from (f"code {code}" for code in catalogue())


# Tests about safety


def safety() -> Iterator[str]:
    """Every test that safety.toml names, by itself or with its whole file, and that is there."""
    there = tests()
    for listed in tomllib.loads(SAFETY.read_text(encoding="utf-8")).values():
        for own in listed:
            yield from (f"safety {name}" for name in there if name == own or name.startswith(f"{own}::"))


@cache
def tests() -> dict[str, None]:
    """Every test of the tree as ``tests/file.py::test_name``."""
    found = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        where = path.relative_to(ROOT).as_posix()
        written = re.findall(r"^ *def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
        found += [f"{where}::{name}" for name in written]
    return dict.fromkeys(found)


def is_there(line: str, now: Collection[str]) -> bool:
    """Whether a line of the file still holds; a test may be there although safety.toml does not name it."""
    kind, _, rest = line.partition(" ")
    return line in now or (kind == "safety" and rest in tests())


def main(arguments: list[str] | None = None) -> int:
    """Compare, add, or write."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--update", action="store_true", help="add what is new")
    how.add_argument("--write", action="store_true", help="write the file anew")
    asked = parser.parse_args(arguments)
    now = set(present())
    before = set(stored()) if STORED.exists() and not asked.write else set()
    gone = sorted(line for line in before if not is_there(line, now))
    for sign, lines in (("-", gone), ("+", sorted(now - before))):
        for line in lines:
            print(sign, line)
    if asked.update or asked.write:
        STORED.write_text("".join(f"{line}\n" for line in sorted(before | now)), encoding="utf-8")
    print(
        f"{len(now)} lines, {len(now - before)} of them not in {STORED.name}; {len(gone)} in it that are gone"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
