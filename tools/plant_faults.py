"""Plants faults one at a time and counts how many the tests notice.

    make faults                                                  a hundred faults
    python tools/plant_faults.py --n 12 --area readers           a few, in one area
    python tools/plant_faults.py --list                          what would be planted
    python tools/plant_faults.py --step "before the rebuild"     and a row in tests/planted_faults.md

A fault is one small change of meaning in the body of a function: an operator, a constant, a bound, the
order of two arguments. Which ones are planted is decided by a seed and by the faults' own text, not by
files or line numbers, so code that is moved unchanged to another file has the same faults planted again,
and the shares before and after can be compared. Each area (AREAS) has its quota, and within it the kinds of
faults take turns.

Nothing is ever planted in the working tree: each process has a copy of its own, with a Python environment of
its own that finds the package there and nowhere else. Before the first fault every test file is run once on
the unchanged tree, to learn which functions it calls and how long it takes; this is kept in build/ until
src/, papers/ or tests/ change. A fault is then shown to the test files that call the function it is in, quick
and narrow ones first, until one fails or until they have used up TIME_FOR_A_FAULT. Golden, frozen and law
tests are asked however long they take. Hypothesis tries few examples, the same every time, so the share is a
little lower than that of the whole suite. A crash, and a run that never ends, count as noticed. A function
that no test calls is a hole in the suite, and its faults survive. So do faults that change nothing; the
remarks in tests/planted_faults.md may say so. C++ is left out, because the kernels would have to be built
again for each fault: tests compare every kernel with its twin in NumPy.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import itertools
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import venv
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import cache_from_source
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "rocsteady"
RECORD = "tests/planted_faults.md"
PLUGIN = "planted_faults_plugin"

# How many of a hundred faults, and where: folders and files in src/rocsteady, the longest match decides.
# Names of today and names to come stand side by side; those that a tree does not have do no harm.
AREAS: dict[str, tuple[int, str]] = {
    "core": (
        42,
        "curves averaging uncertainty statistics operating_points points inference planning study.py",
    ),
    "readers": (15, "readers"),
    "counting": (20, "scores counting"),
    "face": (20, "figures report show cli advice words.py text.py showing.py results.py"),
    "twins": (3, "_kernels kernels"),  # few: tests compare them with C++, case by case
}
NOT_PLANTED = ("cli/demo",)

# Test files that are not asked: browsers are slow, and the papers are beside the package.
NOT_ASKED = (
    "tests/browser/",
    "tests/papers/",
    "tests/test_simulations.py",
    "tests/test_planted_faults.py",
)
# These are asked however long they take, because they look at numbers from outside.
ALWAYS_ASKED = ("tests/frozen/", "tests/golden/", "tests/laws/")

TIME_FOR_A_FAULT = 60.0  # seconds of processor time, as measured on the unchanged tree
FIRST_WAVE = 12.0  # most faults are noticed here, and the files after it need not even be imported
MOST_MEMORY = 12 * 2**20  # kilobytes of address space: a fault may ask for any amount


# ------------------------------------------------------------------------------------------ what can go wrong


def names(text: str) -> tuple[str, ...]:
    """Names that are written with blanks between them."""
    return tuple(text.split())


def both_ways(pairs: str) -> dict[str, str]:
    """Each of a pair stands for the other."""
    one_way = dict(pair.split() for pair in pairs.split(","))
    return one_way | {b: a for a, b in one_way.items()}


def operators(pairs: str) -> dict[type[ast.AST], type[ast.AST]]:
    """The same for operators, by their names in Python's grammar."""
    return {getattr(ast, one): getattr(ast, other) for one, other in both_ways(pairs).items()}


KINDS = names("comparison arithmetic logic condition constant offset arguments counterpart dropped result")
COMPARISONS = operators("Lt LtE, Gt GtE, Eq NotEq, Is IsNot, In NotIn")
ARITHMETIC = operators("Add Sub, Mult Div") | {
    ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
BITS = operators("BitAnd BitOr")
COUNTERPARTS = both_ways(
    "min max, minimum maximum, nanmin nanmax, argmin argmax, any all, floor ceil, startswith endswith,"
    "lstrip rstrip, mean sum, log exp, low high, lower upper, lower_bound upper_bound, fpr tpr,"
    "n_positives n_negatives, positives negatives, false_positives true_positives, is_positive is_negative,"
    "start stop, cdf sf, ppf isf"
)
OPTIONS = both_ways(
    "left right, lower upper, low high, fpr tpr, positive negative, less greater, first last, min max,"
    "start end, before after"
) | {"two-sided": "greater"}
WRAPPERS = names("abs sorted sort sqrt clip unique reversed cumsum round nan_to_num")
ORDER_IS_FREE = names(
    "isinstance issubclass hasattr getattr setattr cast min max minimum maximum hypot gcd isclose allclose"
    " array_equal union1d logical_and logical_or"
)
NO_SWAP_OPERANDS = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)

# What is read by people or only makes things quicker is no place for a fault.
MESSAGES = re.compile(r"(Error|Warning|Exit|Option)$|^(warn|warn_explicit|fail|say|say_once)$")
TUNING = re.compile(r"stacklevel|chunk|batch|block|buffer|thread|cache|maxsize|memory|timeout", re.IGNORECASE)
NOT_SHOWN_FAULTS = {"__repr__", "_repr_html_", "_repr_pretty_", "__dir__"}


@dataclass(frozen=True)
class Fault:
    """One change: these bytes of this file become others."""

    area: str
    kind: str
    path: str  # below src/rocsteady
    function: str
    line: int
    before: str  # the line it stands in, and what becomes of it
    after: str
    start: int
    stop: int
    text: str
    nth: int = 0  # among faults that read the same

    @property
    def id(self) -> str:
        """What the fault is called, wherever its function stands."""
        return self._digest("")[:8]

    def rank(self, seed: int) -> str:
        """Lower is drawn earlier."""
        return self._digest(f"{seed}|")

    def _digest(self, salt: str) -> str:
        parts = (self.kind, self.function, self.before, self.after, self.nth)
        return hashlib.sha256((salt + "|".join(map(str, parts))).encode()).hexdigest()

    def planted_in(self, source: bytes) -> bytes:
        """The file with the fault."""
        return source[: self.start] + self.text.encode() + source[self.stop :]


def area_of(path: str) -> str | None:
    """The area that a file below src/rocsteady belongs to."""

    def holds(folder: str) -> bool:
        return path == folder or path.startswith(folder + "/")

    if any(holds(folder) for folder in NOT_PLANTED):
        return None
    found = [
        (len(folder), area) for area, (_, where) in AREAS.items() for folder in where.split() if holds(folder)
    ]
    return max(found)[1] if found else None


def all_faults(package: Path) -> list[Fault]:
    """Every fault that could be planted in a package, each once."""
    found: list[Fault] = []
    alike: dict[str, int] = {}
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).as_posix()
        area = area_of(inside)
        if area is None:
            continue
        for fault in faults_in(path.read_bytes(), inside, area):
            nth = alike[fault.id] = alike.get(fault.id, -1) + 1
            found.append(replace(fault, nth=nth))
    return found


def faults_in(source: bytes, path: str, area: str) -> Iterator[Fault]:
    """Every fault in one file, from top to bottom."""
    starts = [0, *itertools.accumulate(len(line) + 1 for line in source.split(b"\n"))]
    for function, definition in functions_of(ast.parse(source).body):
        for node, by, kind in changes_below(definition):
            start = starts[node.lineno - 1] + node.col_offset
            stop = starts[node.end_lineno - 1] + node.end_col_offset
            text = written(by, source[start:stop].count(b"\n"))
            first, last = starts[node.lineno - 1], starts[node.end_lineno] - 1  # of the lines it stands in
            before = " ".join(source[first:last].decode().split())
            after = " ".join((source[first:start].decode() + text + source[stop:last].decode()).split())
            yield Fault(area, kind, path, function, node.lineno, before, after, start, stop, text)


def blatant(fault: Fault, source: bytes) -> Fault:
    """A fault in the same function that nobody who calls it can miss: it begins by giving up."""
    begin = dict(functions_of(ast.parse(source).body))[fault.function].body[0]
    start = sum(len(line) + 1 for line in source.split(b"\n")[: begin.lineno - 1]) + begin.col_offset
    return replace(
        fault, start=start, stop=start, text="raise AssertionError('planted')\n" + " " * begin.col_offset
    )


def written(by: ast.AST, n_newlines: int) -> str:
    """Source of a changed node, as many lines long as it was."""
    text = ast.unparse(by)
    plain = (ast.Name, ast.Attribute, ast.Constant, ast.Call, ast.Subscript, ast.stmt)
    return text if isinstance(by, plain) and not n_newlines else "(" + text + "\n" * n_newlines + ")"


def functions_of(body: Sequence[ast.stmt], within: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods by name; functions inside functions belong to them."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from functions_of(node.body, f"{within}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name not in NOT_SHOWN_FAULTS:
            yield within + node.name, node


Change = tuple[ast.AST, ast.AST, str]
"""A node, what becomes of it, and the kind of fault that this is."""


def changes_below(node: ast.AST) -> Iterator[Change]:
    """Every change of a node and of what it holds."""
    if not is_left_alone(node):
        yield from changes_of(node)
        for child in parts_of(node):
            yield from changes_below(child)


def is_left_alone(node: ast.AST) -> bool:
    """Whether nothing in it may change: messages, imports, what only makes things quicker."""
    match node:
        case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=test):
            return "TYPE_CHECKING" in ast.unparse(test)
        case ast.Call():
            return bool(MESSAGES.search(called(node)))
        case ast.keyword(arg=name):
            return bool(name and TUNING.search(name))
        case ast.Assign(targets=[ast.Name(id=name)]):
            return bool(TUNING.search(name))
    return False


def parts_of(node: ast.AST) -> Iterable[ast.AST]:
    """What a node holds, without annotations and decorators."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            of_names = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            defaults = [value for name, value in of_names if value and not TUNING.search(name.arg)]
            return [*node.args.defaults, *defaults, *node.body]
        case ast.AnnAssign(value=value):
            return [value] if value else []
        case ast.Subscript(value=value, slice=where):
            return [value, *(p for p in ast.iter_child_nodes(where) if not is_number(p))]
        case ast.Call(func=ast.Name(id="range") | ast.Attribute(attr="arange")):
            return [part for part in node.args if not is_number(part)]
        case ast.Call() if called(node) in {"isinstance", "cast"}:
            return node.args[:1] if called(node) == "isinstance" else node.args[1:]
    return ast.iter_child_nodes(node)


def changes_of(node: ast.AST) -> Iterator[Change]:  # noqa: PLR0912 (a table of cases)
    """Every change of this node itself."""
    match node:
        case ast.Compare(ops=operators):
            for i, operator in enumerate(operators):
                yield (
                    node,
                    but(node, ops=[*operators[:i], COMPARISONS[type(operator)](), *operators[i + 1 :]]),
                    KINDS[0],
                )
        case ast.BinOp(op=operator, left=left, right=right) if not (is_text(left) or is_text(right)):
            if type(operator) in ARITHMETIC:
                yield node, but(node, op=ARITHMETIC[type(operator)]()), "arithmetic"
            elif type(operator) in BITS:
                yield node, but(node, op=BITS[type(operator)]()), "logic"
        case ast.AugAssign(op=operator, value=value) if type(operator) in ARITHMETIC and not is_text(value):
            yield node, but(node, op=ARITHMETIC[type(operator)]()), "arithmetic"
        case ast.BoolOp(op=operator):
            yield node, but(node, op=ast.And() if isinstance(operator, ast.Or) else ast.Or()), "logic"
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub(), operand=operand) if not is_number(operand):
            yield node, operand, "logic" if not isinstance(node.op, ast.USub) else "arithmetic"
        case ast.Constant() if is_number(node):
            yield node, ast.Constant(another(node.value)), "constant"
        case ast.Constant(value=bool(value)):
            yield node, ast.Constant(not value), "constant"
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in COUNTERPARTS:
            yield node, but(node, attr=COUNTERPARTS[name]), "counterpart"
        case ast.Subscript(slice=where):
            yield from changes_of_bounds(where)
        case ast.Call():
            yield from changes_of_call(node)
        case ast.Return(value=ast.Tuple(elts=[first, second, *rest])) if not same(first, second):
            yield node.value, ast.Tuple([second, first, *rest], ast.Load()), "result"
        case ast.Return(value=ast.BinOp(left=left)) if not is_text(left):
            yield node.value, left, "result"
        case ast.Return(value=ast.IfExp(body=body)):
            yield node.value, body, "result"
        case ast.Return(value=ast.Call(args=[ast.Name() as first, *_])):
            yield node.value, first, "result"
    test = getattr(node, "test", None)
    if isinstance(node, ast.If | ast.IfExp) and isinstance(test, ast.expr):
        yield test, ast.UnaryOp(ast.Not(), test), "condition"
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield test, ast.UnaryOp(ast.Not(), test), "condition"


def changes_of_bounds(where: ast.expr) -> Iterator[Change]:
    """The place beside it, in an index or a slice."""
    for part in where.elts if isinstance(where, ast.Tuple) else [where]:
        match part:
            case ast.Slice(lower=lower, upper=upper):
                for bound in (lower, upper):
                    if bound is not None:
                        yield bound, one_more(bound), "offset"
            case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                if is_number(part) or isinstance(part, ast.UnaryOp):
                    yield part, ast.Constant(0) if same(part, ast.Constant(1)) else one_more(part), "offset"


def changes_of_call(node: ast.Call) -> Iterator[Change]:
    """A call of something else, with other arguments, or not at all."""
    name = called(node)
    if isinstance(node.func, ast.Name) and name in COUNTERPARTS:
        yield node.func, ast.Name(COUNTERPARTS[name], ast.Load()), "counterpart"
    if name in {"range", "arange"} and not any(isinstance(part, ast.Starred) for part in node.args):
        yield from ((part, one_more(part), "offset") for part in node.args[:2])
    if name in WRAPPERS and node.args and not isinstance(node.args[0], ast.Starred | ast.GeneratorExp):
        yield node, node.args[0], "dropped"
    for part in [*node.args, *(option.value for option in node.keywords)]:
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in OPTIONS:
            yield part, ast.Constant(OPTIONS[part.value]), "counterpart"
    if name not in ORDER_IS_FREE:
        for i, (one, two) in enumerate(itertools.pairwise(node.args)):
            if type(one) is type(two) and not isinstance(one, NO_SWAP_OPERANDS) and not same(one, two):
                yield node, but(node, args=[*node.args[:i], two, one, *node.args[i + 2 :]]), "arguments"


def but(node: ast.AST, **changed: object) -> ast.AST:
    """A node with other fields."""
    other = copy.copy(node)
    for name, value in changed.items():
        setattr(other, name, value)
    return other


def called(node: ast.Call) -> str:
    """The last part of the name of what is called."""
    return getattr(node.func, "attr", None) or getattr(node.func, "id", "")


def same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two nodes read alike."""
    return ast.dump(one) == ast.dump(other)


def is_number(node: ast.AST) -> bool:
    """Whether this is a number, written down."""
    return isinstance(node, ast.Constant) and type(node.value) in {int, float}


def is_text(node: ast.AST) -> bool:
    """Whether this is no operand of arithmetic: text, or a list that others are added to."""
    return isinstance(node, NO_SWAP_OPERANDS) and not is_number(node)


def another(value: float) -> float:
    """A number near by: 0 becomes 1, 1 becomes 2, .5 becomes .6, a tiny tolerance ten times as large."""
    if isinstance(value, int) or value == 0 or value >= 1:
        return value + 1
    return round(value + (1 - value) / 5, 6) if value >= 0.001 else value * 10


def one_more(node: ast.expr) -> ast.expr:
    """One more than this."""
    match node:
        case ast.Constant(value=int(value)):
            return ast.Constant(value + 1)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return ast.UnaryOp(ast.USub(), ast.Constant(value + 1))
    return ast.BinOp(node, ast.Add(), ast.Constant(1))


# --------------------------------------------------------------------------------------------------- the draw


def quotas(n: int, areas: Sequence[str]) -> dict[str, int]:
    """How many of n faults each area gets, by largest remainders."""
    total = sum(AREAS[area][0] for area in areas)
    exact = {area: n * AREAS[area][0] / total for area in areas}
    given = {area: int(share) for area, share in exact.items()}
    for area in sorted(areas, key=lambda a: given[a] - exact[a])[: n - sum(given.values())]:
        given[area] += 1
    return given


def draw(faults: Sequence[Fault], n: int, seed: int, areas: Sequence[str] = tuple(AREAS)) -> list[Fault]:
    """The faults to plant: kinds take turns within an area, and no function has two."""
    drawn: list[Fault] = []
    for area, quota in quotas(n, areas).items():
        waiting: dict[str, list[Fault]] = {kind: [] for kind in KINDS}
        for fault in sorted((f for f in faults if f.area == area), key=lambda f: f.rank(seed), reverse=True):
            waiting[fault.kind].append(fault)
        used: set[tuple[str, str]] = set()
        while len(used) < quota and any(waiting.values()):
            for kind in KINDS:
                while waiting[kind] and len(used) < quota:
                    fault = waiting[kind].pop()
                    if (fault.path, fault.function) not in used:
                        used.add((fault.path, fault.function))
                        drawn.append(fault)
                        break
    return drawn


# -------------------------------------------------------------------------------------------- copies and runs


class Stopped(Exception):
    """Someone pressed Ctrl-C."""


@dataclass(frozen=True)
class Outcome:
    """How a run of tests ended."""

    seconds: float
    code: int
    failed: list[str]
    touched: list[str]
    said: str

    @property
    def noticed(self) -> str | None:
        """What noticed the fault, if anything did."""
        if self.failed:
            return self.failed[0]
        if self.code in {0, 5}:  # passed, or nothing was left to run
            return None
        ended = {-signal.SIGXCPU: "it never ends", -signal.SIGKILL: "it never ends"}
        return ended.get(self.code, f"the tests break off (exit code {self.code})")


@dataclass
class Worker:
    """A copy of the tree, and an environment whose package is this copy."""

    folder: Path
    stopping: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def made(cls, folder: Path, root: Path, stopping: threading.Event) -> Worker:
        """Copy the tree and its compiled kernels, and see that the copy is what is imported."""
        worker = cls(folder, stopping)
        for name in tracked(root):
            (worker.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, worker.tree / name)
        sites = [
            p for p in sys.path if Path(p).name in {"site-packages", "dist-packages"} and Path(p).is_dir()
        ]
        for site, suffix in itertools.product(map(Path, [*sites, root / "src"]), EXTENSION_SUFFIXES):
            for kernel in (site / PACKAGE).rglob(f"*{suffix}"):
                place = worker.tree / "src" / kernel.relative_to(site)
                if place.parent.is_dir() and not place.exists():  # the first found is the one imported
                    shutil.copy2(kernel, place)
        venv.create(folder / "environment", with_pip=False, symlinks=True)
        own = next((folder / "environment").glob("lib/python*/site-packages"))
        # Folders named in a .pth file are searched, but their own .pth files are not obeyed: those would lead
        # back to the tree that is installed in place.
        (own / "copy.pth").write_text(
            "\n".join([str(worker.tree / "src"), *sites, f"import {PLUGIN}"]) + "\n"
        )
        shutil.copy2(Path(__file__).with_name(f"{PLUGIN}.py"), own)
        found = worker.run([], code=f"import {PACKAGE}; print({PACKAGE}.__file__)").said
        if str(worker.package.resolve()) not in found:
            raise SystemExit(f"the copy in {worker.package} is not what is imported, but: {found}")
        return worker

    @property
    def tree(self) -> Path:
        """The copy."""
        return self.folder / "tree"

    @property
    def package(self) -> Path:
        """Where the copy has its package."""
        return self.tree / "src" / PACKAGE

    @contextmanager
    def planted(self, fault: Fault) -> Iterator[None]:
        """The copy has a fault meanwhile."""
        path = self.package / fault.path
        sound = path.read_bytes()
        try:
            self._write(path, fault.planted_in(sound))
            yield
        finally:
            self._write(path, sound)

    def _write(self, path: Path, source: bytes) -> None:
        path.write_bytes(source)
        Path(cache_from_source(str(path))).unlink(
            missing_ok=True
        )  # of the same second and size, it would be believed

    def run(
        self,
        arguments: Sequence[str],
        *,
        seconds: float = 600.0,
        trace: bool = False,
        code: str | None = None,
    ) -> Outcome:
        """Run pytest (or a line of code) in the copy, for so many seconds of processor time at most."""
        if self.stopping.is_set():
            raise Stopped
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        for folder in (out, out / "home", out / "temporary"):
            folder.mkdir()
        python = str(self.folder / "environment" / "bin" / "python")
        tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", PLUGIN, *arguments]
        limits = f'ulimit -t {int(seconds) + 1}; ulimit -c 0; ulimit -v {MOST_MEMORY} 2>/dev/null; exec "$@"'
        environment = {
            **{
                name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))
            },
            **{
                "CI": "true",
                "ROCSTEADY_EXAMPLES": "few",
                "OPENBLAS_NUM_THREADS": "1",
                "OMP_NUM_THREADS": "1",
            },
            **{"HOME": str(out / "home"), "TMPDIR": str(out / "temporary"), "PLANTED_FAULTS_OUT": str(out)},
            **({"PLANTED_FAULTS_TRACE": str(self.package)} if trace else {}),
        }
        environment.pop("ROCSTEADY_REQUIRE_ALL", None)  # what is missing here is missing for every fault
        with (out / "said").open("wb") as said:
            process = subprocess.Popen(
                ["sh", "-c", limits, "sh", python, *(tests if code is None else ["-c", code])],
                cwd=self.tree,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            used, code_at_end = self._wait(process, 4 * seconds + 120)
        return Outcome(
            used,
            code_at_end,
            lines_of(out / "failed"),
            sorted({line for path in out.glob("touched-*") for line in lines_of(path)}),
            (out / "said").read_text(encoding="utf-8", errors="replace"),
        )

    def _wait(self, process: subprocess.Popen[bytes], patience: float) -> tuple[float, int]:
        """Processor time and exit code of a process; it is ended, with all it started, when patience ends."""
        deadline = time.monotonic() + patience
        pid = 0
        while not pid:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if not pid and (self.stopping.is_set() or time.monotonic() > deadline):
                end_all_of(process.pid)
                pid, status, used = os.wait4(process.pid, 0)
            if not pid:
                time.sleep(0.05)
        process.returncode = os.waitstatus_to_exitcode(status)
        end_all_of(process.pid)  # what it started and left behind
        if self.stopping.is_set():
            raise Stopped
        return used.ru_utime + used.ru_stime, process.returncode


@contextmanager
def copies(n: int) -> Iterator[list[Worker]]:
    """As many workers, whose copies and processes are gone afterwards, whatever happens."""
    stopping = threading.Event()
    with tempfile.TemporaryDirectory(prefix="planted-faults-", ignore_cleanup_errors=True) as folder:
        try:
            yield [Worker.made(Path(folder) / str(i), ROOT, stopping) for i in range(n)]
        finally:
            stopping.set()


def end_all_of(group: int) -> None:
    """End a process and those it started."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def lines_of(path: Path) -> list[str]:
    """Lines of a file, none if there is no file."""
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def tracked(root: Path) -> list[str]:
    """Files of the working tree as they are now, without what git ignores."""
    if not (root / ".git").exists():
        return [p.relative_to(root).as_posix() for p in sorted(root.rglob("*")) if p.is_file()]
    listed = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted(name for name in names if name and (root / name).is_file())


T = TypeVar("T")
R = TypeVar("R")


def spread(work: Callable[[Worker, T], R], things: Sequence[T], workers: Sequence[Worker]) -> Iterator[R]:
    """Results as they are ready, each worker doing one thing at a time."""
    free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
    done: queue.SimpleQueue[R | BaseException] = queue.SimpleQueue()
    for worker in workers:
        free.put(worker)

    def one(thing: T) -> None:
        worker = free.get()
        try:
            done.put(work(worker, thing))
        except BaseException as error:
            done.put(error)
        finally:
            free.put(worker)

    with ThreadPoolExecutor(len(workers)) as pool:
        try:
            for thing in things:
                pool.submit(one, thing)
            for _ in things:
                result = done.get()
                if isinstance(result, BaseException):
                    raise result
                yield result
        except BaseException:
            workers[0].stopping.set()  # Ctrl-C: the threads end what they run, and begin nothing
            raise


# ---------------------------------------------------------------------------------- which tests should notice


@dataclass(frozen=True)
class Tests:
    """A test file, or the docstrings of a folder: what it calls in the package, and how long it takes."""

    name: str
    seconds: float
    touched: frozenset[str]
    failed: tuple[str, ...]  # without any fault
    is_broken: bool = False

    @property
    def is_always_asked(self) -> bool:
        """Whether its time is not counted."""
        return self.name.startswith(ALWAYS_ASKED)

    @property
    def order(self) -> tuple[float, str]:
        """Quick ones first, and those that look at little."""
        return self.seconds * len(self.touched), self.name


def test_files(root: Path) -> list[str]:
    """Test files, and folders and files of the package whose docstrings hold examples."""
    files = [p.relative_to(root).as_posix() for p in sorted((root / "tests").rglob("test_*.py"))]
    examples = [
        entry.relative_to(root).as_posix()
        for entry in sorted((root / "src" / PACKAGE).iterdir())
        if any(
            ">>>" in path.read_text(encoding="utf-8")
            for path in [entry, *entry.rglob("*.py")]
            if path.suffix == ".py"
        )
    ]
    return [name for name in [*files, *examples] if not name.startswith(NOT_ASKED)]


def learn(worker: Worker, name: str) -> Tests:
    """Run a test file on the unchanged tree."""
    found = worker.run([name], seconds=1800, trace=True)
    touched = frozenset(line for line in found.touched if line)
    ran = found.code in {0, 5} or (found.code == 1 and found.failed)
    if not ran:
        print(found.said[-2000:], flush=True)
    return Tests(name, round(found.seconds, 2), touched, tuple(found.failed), not ran)


def learned(names: Sequence[str], workers: Sequence[Worker], kept: Path) -> list[Tests]:
    """What is known of every test file; what is not known yet is learned and kept."""
    known: dict[str, Tests] = {}
    for line in lines_of(kept):
        entry = json.loads(line)
        known[entry["name"]] = Tests(**{**entry, "touched": frozenset(entry["touched"])})
    missing = [name for name in names if name not in known]
    if missing:
        print(f"{len(missing)} test files are run once without a fault, to learn what they call", flush=True)
    with kept.open("a", encoding="utf-8") as file:
        for i, tests in enumerate(spread(learn, missing, workers), 1):
            known[tests.name] = tests
            file.write(json.dumps({**asdict(tests), "touched": sorted(tests.touched)}) + "\n")
            file.flush()
            print(f"{i:4} of {len(missing)}  {tests.seconds:6.1f} s  {tests.name}", flush=True)
            for name in tests.failed:
                print(f"      fails without any fault, and is not asked: {name}", flush=True)
            if tests.is_broken:
                print("      breaks off without any fault, and is not asked", flush=True)
    return [known[name] for name in names]


def asked(fault: Fault, known: Sequence[Tests]) -> list[list[Tests]]:
    """The test files that should notice, in two waves."""
    place = f"{fault.path}:{fault.function}"
    waves: list[list[Tests]] = [[], []]
    spent = counted = 0.0
    for tests in sorted((t for t in known if place in t.touched and not t.is_broken), key=lambda t: t.order):
        if not tests.is_always_asked:
            if counted + tests.seconds > TIME_FOR_A_FAULT and counted:
                continue
            counted += tests.seconds
        waves[spent + tests.seconds > FIRST_WAVE and spent > 0].append(tests)
        spent += tests.seconds
    return [wave for wave in waves if wave]


def n_asked(fault: Fault, known: Sequence[Tests]) -> int:
    """How many test files should notice."""
    return sum(map(len, asked(fault, known)))


def noticed(worker: Worker, fault: Fault, known: Sequence[Tests], *, planted: bool = True) -> str | None:
    """Which test fails with the fault; None if all pass."""
    with worker.planted(fault) if planted else nullcontext():
        for wave in asked(fault, known):
            without = [f"--deselect={name}" for tests in wave for name in tests.failed]
            limit = 60 + 5 * sum(tests.seconds for tests in wave)
            found = worker.run(["-x", *without, *(tests.name for tests in wave)], seconds=limit)
            if found.noticed:
                return found.noticed
    return None


# ------------------------------------------------------------------------------------------------- the record


@dataclass(frozen=True)
class Trial:
    """A fault, and what noticed it."""

    fault: Fault
    by: str | None
    n_asked: int

    def __str__(self) -> str:
        fault = self.fault
        ending = f"noticed by {self.by}" if self.by else f"SURVIVED {self.n_asked} test files"
        where = f"{fault.id}  {fault.area}, {fault.kind}: {fault.path}:{fault.line} {fault.function}"
        before, after = shown(fault)
        return f"{where}\n    - {before}\n    + {after}\n    {ending}"


def shown(fault: Fault, most: int = 120) -> tuple[str, str]:
    """The line before and after, cut to where they differ."""
    pairs = enumerate(zip(fault.before, fault.after, strict=False))
    same = next((i for i, (one, other) in pairs if one != other), 0)
    begin = same - most // 3 if same > most // 2 else 0

    def cut(line: str) -> str:
        return ("…" if begin else "") + line[begin : begin + most] + ("…" if len(line) > begin + most else "")

    return cut(fault.before), cut(fault.after)


def shares(trials: Sequence[Trial]) -> dict[str, tuple[int, int]]:
    """Noticed and planted, in all and by area."""
    groups = {"all": list(trials)} | {area: [t for t in trials if t.fault.area == area] for area in AREAS}
    return {name: (sum(t.by is not None for t in group), len(group)) for name, group in groups.items()}


def last_share(record: str, seed: int, n: int) -> tuple[str, int] | None:
    """Step and number noticed in the last row for this seed and number of faults."""
    rows = re.findall(r"^\| (.+?) \| (\d+) \| (\d+) \| (\d+) \|", record, re.MULTILINE)
    found = [(step, int(caught)) for step, s, planted, caught in rows if (int(s), int(planted)) == (seed, n)]
    return found[-1] if found else None


def with_row(record: str, step: str, seed: int, trials: Sequence[Trial]) -> str:
    """The record with one more row, and with the survivors of this run; remarks on those still there stay."""
    (caught, planted), *areas = shares(trials).values()
    cells = [step, seed, planted, caught, *(f"{c} of {p}" for c, p in areas)]
    rows, heading, survivors = record.partition("## Survivors")
    told = dict(re.findall(r"^\| `([0-9a-f]{8})` \|.*\| ([^|]*) \|$", survivors, re.MULTILINE))
    about = survivors.partition("|")[0].rstrip()
    table = ["| fault | where | before | after | remark |", "|---|---|---|---|---|"]
    for trial in trials:
        if trial.by is None:
            fault = trial.fault
            remark = told.get(fault.id) or ("no test calls this function" if not trial.n_asked else "")
            place = f"`{fault.path}` {fault.function}, {fault.kind}"
            table.append(
                f"| `{fault.id}` | {place} | {code(fault.before)} | {code(fault.after)} | {remark} |"
            )
    row = "| " + " | ".join(map(str, cells)) + " |\n"
    return f"{rows.rstrip()}\n{row}\n{heading}{about}\n\n" + "\n".join(table) + "\n"


def code(text: str) -> str:
    """A line of code in a cell of a table."""
    return "`" + text.replace("|", "¦").replace("`", "'") + "`"


def digest_of(root: Path) -> str:
    """Changes with any file of the package or the tests, and of the papers, whose examples some tests use."""
    digest = hashlib.sha256()
    for name in tracked(root):
        if name.startswith(("src/", "papers/", "tests/")) and not name.startswith((*NOT_ASKED, RECORD)):
            digest.update(name.encode() + b"\0" + (root / name).read_bytes())
    return digest.hexdigest()[:12]


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, count, and say whether the share fell."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], epilog="See the head of this file.")
    parser.add_argument("--n", type=int, default=100, help="how many faults (100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--area", choices=AREAS, action="append", help="only there; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, help="how many at the same time (2)")
    parser.add_argument("--tests", nargs="+", default=[], help="ask only these test files or folders")
    parser.add_argument("--list", action="store_true", help="only say what would be planted")
    parser.add_argument("--step", help=f"write a row of this name into {RECORD}")
    options = parser.parse_args(arguments)
    if options.step and (options.area or options.tests):
        parser.error("a row of the record has all areas and all tests: leave out --area and --tests")
    if options.step and not os.environ.get("ROCSTEADY_DATA"):
        parser.error("the tests with real data would be skipped: set ROCSTEADY_DATA")
    faults = all_faults(ROOT / "src" / PACKAGE)
    drawn = draw(faults, options.n, options.seed, tuple(options.area or AREAS))
    print(
        f"{len(faults)} possible faults, {len(drawn)} of them are planted (seed {options.seed})", flush=True
    )
    if options.list:
        for fault in drawn:
            print(Trial(fault, "nobody yet", 0))
        return 0
    trials = tried(drawn, options.jobs, tuple(options.tests))
    print("\nnoticed " + ", ".join(f"{name}: {c} of {p}" for name, (c, p) in shares(trials).items() if p))
    record = (ROOT / RECORD).read_text(encoding="utf-8")
    caught = shares(trials)["all"][0]
    before = None if options.area or options.tests else last_share(record, options.seed, len(drawn))
    if options.step:
        (ROOT / RECORD).write_text(with_row(record, options.step, options.seed, trials), encoding="utf-8")
    if before and caught < before[1]:
        print(f"fewer than before: {before[1]} at the step “{before[0]}”")
        return 1
    return 0


def controlled(worker: Worker, fault: Fault, known: Sequence[Tests]) -> str:
    """See that tests pass in the copy, and fail where a fault is blatant; else nothing can be believed."""
    by = noticed(worker, fault, known, planted=False)
    if by:
        raise SystemExit(f"nothing was planted, but this fails: {by}")
    by = noticed(worker, blatant(fault, (worker.package / fault.path).read_bytes()), known)
    if not by:
        raise SystemExit(f"{fault.path} {fault.function} gives up at once, and no test notices")
    return (
        f"{fault.area}: nothing planted, nothing noticed; {fault.function} gives up at once, noticed by {by}"
    )


def tried(drawn: Sequence[Fault], jobs: int, only: tuple[str, ...] = ()) -> list[Trial]:
    """Every fault, planted; those that were tried before on the same tree, with all tests, are remembered."""
    files = [name for name in test_files(ROOT) if not only or name.startswith(only)]
    kept = ROOT / "build" / "planted_faults" / digest_of(ROOT)
    kept.mkdir(parents=True, exist_ok=True)
    with copies(jobs) as workers:
        known = learned(files, workers, kept / "tests.jsonl")
        remembered = kept / ("some.jsonl" if only else "trials.jsonl")
        before = {} if only else {e["id"]: e["by"] for e in map(json.loads, lines_of(remembered))}

        def one(worker: Worker, fault: Fault) -> Trial:
            by = before[fault.id] if fault.id in before else noticed(worker, fault, known)
            return Trial(fault, by, n_asked(fault, known))

        if any(fault.id not in before for fault in drawn):
            # In each area the function that most tests call.
            controls = {f.area: f for f in sorted(drawn, key=lambda f: n_asked(f, known))}
            for said in spread(partial(controlled, known=known), list(controls.values()), workers):
                print(said, flush=True)
        trials = []
        with remembered.open("a", encoding="utf-8") as file:
            for i, trial in enumerate(spread(one, drawn, workers), 1):
                trials.append(trial)
                if trial.fault.id not in before:
                    file.write(json.dumps({"id": trial.fault.id, "by": trial.by}) + "\n")
                    file.flush()
                print(f"{i:4} of {len(drawn)}  {trial}", flush=True)
    order = {fault.id: i for i, fault in enumerate(drawn)}
    return sorted(trials, key=lambda trial: order[trial.fault.id])


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):  # both tidy up, also in the background
        signal.signal(number, signal.default_int_handler)
    try:
        raise SystemExit(main())
    except (KeyboardInterrupt, Stopped):
        raise SystemExit(
            "\nstopped; what was found is kept, and the same command goes on from here"
        ) from None
