"""The plan is written in few words: those that every engine was seen to understand alike."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from rocsteady.counting import cells as binning
from rocsteady.counting import plan

OF_FRAMES = {"filter", "select", "with_columns", "join", "drop", "head", "group_by", "agg"}
OF_EXPRESSIONS = {"floor", "clip", "cast", "is_null", "is_nan", "alias", "then", "otherwise"}
OF_SUMS = {"sum", "min", "max"}
OF_NARWHALS = {"col", "lit", "when", "len", "Float64", "Int64", "Int8"}
OF_OURS = {"expression"}
"""A binning as an expression: read by the same rules, with ``when`` and ``literal`` handed to it."""
OF_PYTHON = {"list", "float", "reduce", "dataclass", "coded", "counts_by", "_classes", "_weight"}
HOWS = {"inner", "left", "cross"}


def faults_in(source: str) -> list[str]:
    """What a module says to narwhals that is not in the vocabulary."""
    tree = ast.parse(source)
    found = [
        f"nw.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "nw"
        and node.attr not in OF_NARWHALS
    ]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id not in OF_PYTHON:
            found.append(f"{node.func.id}(...)")
        if isinstance(node.func, ast.Attribute):
            found += _of_call(node, node.func, tree)
    return found


def _of_call(call: ast.Call, function: ast.Attribute, tree: ast.Module) -> list[str]:
    name = function.attr
    is_module = isinstance(function.value, ast.Name) and function.value.id == "nw"
    if is_module:
        return []
    if name not in OF_FRAMES | OF_EXPRESSIONS | OF_SUMS | OF_OURS:
        return [f".{name}(...)"]
    if name == "cast" and not _is_of_narwhals(call.args[0]) and not isinstance(call.args[0], ast.Name):
        return ["a cast to something that narwhals has no word for"]
    if name == "join":
        hows = [word.value.value for word in call.keywords if word.arg == "how"]  # type: ignore[attr-defined]
        return [f"join(how={how!r})" for how in hows if how not in HOWS]
    if name == "group_by" and any(not _is_name(key) for key in call.args):
        return ["group_by on something that is not a column"]
    if name == "agg":
        return [f"agg({ast.unparse(own)})" for own in _aggregates(call, tree) if not _is_bare(own)]
    return []


def _is_of_narwhals(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "nw"


def _is_name(node: ast.expr) -> bool:
    inner = node.value if isinstance(node, ast.Starred) else node
    return isinstance(inner, ast.Name | ast.Constant)


def _aggregates(call: ast.Call, tree: ast.Module) -> list[ast.expr]:
    """What stands in ``agg``; lists that were made before are looked up by their names."""
    found: list[ast.expr] = []
    for own in [*call.args, *(word.value for word in call.keywords)]:
        found += _listed(own.value if isinstance(own, ast.Starred) else own, tree)
    return found


def _listed(node: ast.expr, tree: ast.Module) -> list[ast.expr]:
    if isinstance(node, ast.List | ast.Tuple):
        return [part for own in node.elts for part in _listed(own, tree)]
    if isinstance(node, ast.IfExp):
        return _listed(node.body, tree) + _listed(node.orelse, tree)
    if isinstance(node, ast.Name):
        values = [
            own.value
            for own in ast.walk(tree)
            if isinstance(own, ast.Assign | ast.AugAssign)
            for target in (own.targets if isinstance(own, ast.Assign) else [own.target])
            if isinstance(target, ast.Name) and target.id == node.id
        ]
        return [part for value in values for part in _listed(value, tree)] or [node]
    return [node]


def _is_bare(node: ast.expr) -> bool:
    """``nw.col("x").sum()`` (min, max) or ``nw.len()``, called something or not."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "alias":
        node = node.func.value
    text = ast.unparse(node)
    if text == "nw.len()":
        return True
    return isinstance(node, ast.Call) and any(
        ast.unparse(node.func) == f"nw.col({argument}).{name}" and not node.args and not node.keywords
        for name in OF_SUMS
        for argument in _columns(node)
    )


def _columns(node: ast.expr) -> list[str]:
    return [repr(own.value) for own in ast.walk(node) if isinstance(own, ast.Constant)]


def test_the_plan_keeps_to_the_vocabulary() -> None:
    assert faults_in(Path(plan.__file__).read_text(encoding="utf-8")) == []


def test_the_expression_of_a_binning_keeps_to_the_vocabulary() -> None:
    tree = ast.parse(Path(binning.__file__).read_text(encoding="utf-8"))
    methods = {
        own.func.attr
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and function.name == "expression"
        for own in ast.walk(function)
        if isinstance(own, ast.Call) and isinstance(own.func, ast.Attribute)
    }
    assert methods <= OF_EXPRESSIONS


WORDS = """
def counts_by(frame, keys, by):
    grouped = frame.group_by(*keys).agg(SUM)
    return grouped.select(*keys)
"""
PLANTED = {
    "when inside agg": WORDS.replace(
        "SUM", "nw.when(nw.col('y') == 1).then(nw.col('w')).otherwise(0.0).sum()"
    ),
    "comparison inside agg": WORDS.replace("SUM", "(nw.col('y') == 1).sum().alias('n')"),
    "arithmetic around a sum": WORDS.replace("SUM", "nw.col('w').sum() * 2.0"),
    "filter inside agg": WORDS.replace("SUM", "nw.col('w').filter(nw.col('y') == 1).sum()"),
    "mean": WORDS.replace("SUM", "nw.col('w').mean()"),
    "sum of a cast": WORDS.replace("SUM", "nw.col('w').cast(nw.Float64).sum()"),
    "hidden in a list": "sums = [(nw.col('a') + 1).sum()]\n" + WORDS.replace("SUM", "*sums"),
    "added to a list": "sums = []\nsums += [nw.col('a').std()]\n" + WORDS.replace("SUM", "*sums"),
    "over": "x = nw.col('a').sum().over('g')",
    "cumulative": "x = nw.col('a').cum_sum()",
    "sort": "def f(frame): return frame.sort('a')",
    "unsigned": "x = nw.col('a').cast(nw.UInt64)",
    "asof": "def f(frame, other): return frame.join_asof(other, on='a')",
    "outer join": "def f(frame, other): return frame.join(other, on='a', how='full')",
    "computed key": "def f(frame): return frame.group_by(nw.col('a') + 1).agg(nw.len())",
    "quantile": "x = nw.col('a').quantile(0.5, 'linear')",
    "rounding": "x = nw.col('a').round(2)",
    "helper of elsewhere": "x = our_own_expression(3)",
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_violation_is_found(name: str) -> None:
    assert faults_in(PLANTED[name])


@pytest.mark.parametrize(
    "bare", ["nw.col('w').sum()", "nw.col('w').max().alias('most')", "nw.len().alias('rows')"]
)
def test_bare_sums_are_allowed(bare: str) -> None:
    assert faults_in(WORDS.replace("SUM", bare)) == []
