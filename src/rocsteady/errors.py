"""Errors and warnings: few kinds, stable codes, three parts, one catalogue.

Every message says what is wrong, what was found and what to type. Its words are in ``messages.toml``; a call
names the entry and its facts: ``raise fail("RS083.no-weight", missing=names, unit="host")``. What to type
depends on where the reader types: an :class:`Option` is spelled ``positive='attack'`` in Python and
``--positive attack`` on the command line, so one message serves both.

Templates are those of :func:`rocsteady.words.filled`, and a remedy has two words of its own::

    {positive=label}     the option positive with a fact as its value; {scale='linear'} with this value
    {ways:each}          as a whole remedy: one line for each of these

What is typed differently in Python and in a shell is a table, ``{ python = "...", shell = "..." }``. A remedy
that names a fact which is None, or says nothing, is left out.
"""

from __future__ import annotations

import errno
import shlex
import string
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any, ClassVar, Self

from rocsteady.words import Speak, filled, filled_parts, plainly, printable, shell, spelled
from rocsteady.words import counted as counted  # noqa: PLC0414 - messages are written with it
from rocsteady.words import near_match as near_match  # noqa: PLC0414 - as is this


@dataclass(frozen=True)
class Entry:
    """What the catalogue has of a code: what ``rocsteady explain`` prints, and its messages by name."""

    title: str
    explanation: str
    kind: str = "usage"
    messages: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@cache
def catalogue() -> Mapping[str, Entry]:
    """All codes, in order; read when the first message is made."""
    import tomllib

    read = tomllib.loads(Path(__file__).with_name("messages.toml").read_text("utf-8"))
    found = {}
    for code, entry in sorted(read.items()):
        messages = {name: own for name, own in entry.items() if isinstance(own, dict)}
        if "problem" in entry:
            messages[""] = entry
        found[code] = Entry(entry["title"], entry["explanation"], entry.get("error", "usage"), messages)
    return MappingProxyType(found)


@dataclass(frozen=True)
class Option:
    """An argument as the reader would type it, in Python or in a shell."""

    name: str
    value: object

    def python(self) -> str:
        """The keyword argument, for example ``positive='attack'``."""
        return f"{self.name}={spelled(self.value)}"

    def shell(self) -> str:
        """The command-line option, for example ``--positive attack``.

        >>> Option("at", {"fpr": 0.05}).shell(), Option("tpr", 0.9).shell(), Option("costs", (1, 20)).shell()
        ('--at fpr=0.05', '--at tpr=0.9', '--costs 1:20')
        >>> Option("positive", ["II"]).shell(), Option("fpr", (0.02, 0.5)).shell()
        ('--positive II,', '--fpr 0.02..0.5')
        >>> Option("class_weights", {"a": 1, "b": 2.5}).shell(), Option("nested", False).shell()
        ('--class-weights a=1,b=2.5', '--no-nested')
        >>> Option("cluster", "...").shell(), Option("models", ["a", "b,c"]).shell()
        ('--patient COLUMN', '--models a --models b,c')
        """
        name, value = self.name, self.value
        option = f"--{_OPTIONS.get(name, name.replace('_', '-'))}"
        if (special := _flag_or_classes(option, name, value)) is not None:
            return special
        if value == "...":  # the library cannot know; here it has the name that --help gives it
            return f"{option} {'LABEL' if name == 'positive' else 'COLUMN'}"
        if isinstance(value, dict) and name in ("at", "measure"):
            return _place_typed(option, value)
        if name in _PLACES and not isinstance(value, tuple) and not (name == "threshold" and value in _WHOSE):
            return f"--at {_PLACES[name]}={typed(value)}"
        if isinstance(value, tuple) and name in _TUPLES:
            return (
                f"{option} {_TUPLES[name]}{_pairs(value) if name in ('at', 'costs') else typed(value, '..')}"
            )
        texts = [str(v) for v in (value if isinstance(value, list | tuple) else [value])]
        if (
            name == "positive" and isinstance(value, list) and len(value) == 1
        ):  # that label against all others
            texts = texts * 2 if "," in texts[0] else [f"{texts[0]},"]
        elif name in _COSTS:
            texts = [_COSTS[name].format(value)]
        elif not any("," in text for text in texts):
            texts = [",".join(texts)]
        return " ".join(f"{option} {shlex.quote(text)}" for text in texts)


def _flag_or_classes(option: str, name: str, value: object) -> str | None:
    """A flag, or numbers by class, ``--class-weights a=1,b=2``; None of what is neither."""
    if name in _FLAGS:
        return _FLAGS[name]
    if isinstance(value, bool):
        return option if value else f"--no-{option.removeprefix('--')}"
    if not isinstance(value, dict) or name not in _BY_CLASS:
        return None
    pairs = [f"{own}={typed(number)}" for own, number in value.items()]
    each = pairs if any("," in str(own) for own in value) else [",".join(pairs)]
    return " ".join(f"{option} {shlex.quote(own)}" for own in each)


def typed(value: object, between: str = ":") -> str:
    """A number as it is typed, or several of them.

    >>> typed(0.05), typed((1, 20)), typed((0.02, 0.5), "..")
    ('0.05', '1:20', '0.02..0.5')
    """
    if isinstance(value, tuple | list):
        return between.join(map(typed, value))
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)


def _pairs(value: tuple[Any, ...]) -> str:
    """A pair, or a range from one to another: ``1:2..1:20``."""
    return "..".join(map(typed, value if isinstance(value[0], tuple) else (value,)))


def _place_typed(option: str, place: Mapping[str, Any]) -> str:
    """``--at fpr=0.05``; of what readers are measured by ``--measure sens@spec=0.9``."""
    if option == "--at":
        return " ".join(f"--at {name}={typed(own)}" for name, own in place.items())
    own = {_SHORT.get(name, name): value for name, value in place.items()}
    if "rate" in own:
        return f"{option} {_SHORT[own['rate']]}@t={typed(own['t'])}"
    ((held, value),) = own.items()
    return f"{option} {_FREE[held]}@{held}={typed(value)}"


_SHORT = {"specificity": "spec", "sensitivity": "sens", "threshold": "t"}
_FREE = {"spec": "sens", "sens": "spec", "fpr": "tpr", "tpr": "fpr"}
_FLAGS = {"higher_is_positive": "--low-is-positive", "paired": "--unpaired"}
_WHOSE = ("shared", "own")
_BY_CLASS = ("class_weights", "at_most", "outputs")
_COSTS = {"false_positive": "{}:20", "false_negative": "1:{}"}
_TUPLES = {"at": "ratio=", "costs": "", "fpr": "", "tpr": "", "alerts": ""}
_OPTIONS = {
    "n_resamples": "resamples",
    "n_points": "grid",
    "thresholds": "points",
    "cluster": "patient",
    "missing": "unmatched",
    "modalities": "models",
    "threshold": "deploy",
    "false_positive": "costs",
    "false_negative": "costs",
}
"""Arguments that have another name on the command line; all others have their own."""
_PLACES = {
    name: "t" if name == "threshold" else name
    for name in (
        *("fpr", "fmr", "far", "specificity", "spec", "tnr", "selectivity", "alerts", "threshold"),
        *("tpr", "sensitivity", "sens", "recall", "tar", "fnr", "fnmr", "frr", "miss"),
    )
}


@dataclass(frozen=True)
class Either:
    """What to type in Python, and what to type in a shell."""

    in_python: Remedy
    in_shell: Remedy


@dataclass(frozen=True)
class Line:
    """A whole command to copy, which is never broken into lines."""

    arguments: tuple[str, ...]
    before: str = ""

    def shell(self) -> str:
        """As it is typed."""
        return f"{self.before}{shell(self.arguments)}"


Remedy = str | Option | Either | Line | Sequence[str | Option]
"""One line of advice; a sequence is joined without blanks."""


def _spell(remedy: Remedy, *, shell: bool) -> str:
    if isinstance(remedy, Line):
        return remedy.shell()
    if isinstance(remedy, Either):
        return _spell(remedy.in_shell if shell else remedy.in_python, shell=shell)
    parts = [remedy] if isinstance(remedy, str | Option) else remedy
    return "".join(p if isinstance(p, str) else p.shell() if shell else p.python() for p in parts)


def in_shell(remedy: Remedy) -> str:
    """A remedy as it is typed in a shell: the one function that spells it so."""
    return _spell(remedy, shell=True)


_LONGEST = 2000
"""Characters of a line: a label may be a whole text."""


class _Message:
    """The three parts, shared by errors and warnings."""

    code: str
    problem: str
    found: str
    remedies: tuple[Remedy, ...]
    facts: Mapping[str, Any] = MappingProxyType({})
    """What the message was made from, by name: nobody has to read the sentence."""
    entry: str = ""
    """Of the catalogue, such as ``"RS083.no-weight"``; with other facts it makes the message anew."""

    def __init__(self, code: str, problem: str, found: str = "", *remedies: Remedy) -> None:
        if code not in catalogue():
            raise LookupError(f"message code {code} is not in the catalogue")
        self.code, self.problem, self.found, self.remedies = code, problem, found, remedies
        super().__init__(code, problem, found, *remedies)  # type: ignore[call-arg]  # an exception comes next

    def but(self, **parts: Any) -> Self:
        """The same message, made from the same facts, with another ``problem``, ``found`` or ``remedies``."""
        kept = {"problem": self.problem, "found": self.found, "remedies": self.remedies} | parts
        other = type(self)(self.code, kept["problem"], kept["found"], *kept["remedies"])
        other.facts, other.entry = self.facts, self.entry
        return other

    def told(self, speak: Speak) -> Self:
        """The same message with rates by the names of a field; parts that were changed stay as they are."""
        if not self.entry:
            return self
        usual, own = (_written(self.entry, self.facts, how)[1] for how in (plainly, speak))
        found = [mine if mine != was else now for mine, was, now in zip(
            (self.problem, self.found), usual[:2], own[:2], strict=True
        )]  # fmt: skip
        return self.but(problem=found[0], found=found[1])

    def lines(self, *, shell: bool = False) -> list[str]:
        """The message as lines: the problem, what was found, what to type."""
        body = [self.problem]
        body += [f"  {line}" for line in self.found.splitlines()]
        body += [f"  -> {_spell(remedy, shell=shell)}" for remedy in self.remedies]
        # Names come from files, and go to terminals.
        return [printable(line if len(line) <= _LONGEST else f"{line[:_LONGEST]}...") for line in body]

    def __str__(self) -> str:
        return f"{self.code}: " + "\n".join(self.lines())

    def __reduce__(self) -> tuple[Any, ...]:
        # OSError keeps only some of its arguments, and a worker process sends its errors pickled.
        state = {name: own for name, own in self.__dict__.items() if name != "facts"}
        return type(self), (self.code, self.problem, self.found, *self.remedies), state


class RocsteadyError(_Message, Exception):
    """Every error raised on purpose is one of these.

    Attributes
    ----------
    code : str
        Stable, for example ``"RS022"``; ``rocsteady explain RS022`` tells more.
    problem, found : str
        What is wrong; what was found.
    remedies : tuple
        What to type, one line each.
    exit_code : int
        What the command line returns: 2 for usage, columns and labels, 3 for data.
    """

    exit_code: ClassVar[int] = 3


class UsageError(RocsteadyError, ValueError):
    """An argument that cannot be understood (RS00x) or does not fit the data (RS04x)."""

    exit_code = 2


class MemberError(UsageError, IndexError, KeyError):
    """A position or name that is not in a set; also what Python expects of a sequence and a mapping."""


class CallError(RocsteadyError, TypeError):
    """A call that no function here answers, as it is made elsewhere (RS002)."""

    exit_code = 2


class MissingNameError(RocsteadyError, AttributeError):
    """A name that the package does not have (RS002)."""

    exit_code = 2


class ColumnError(RocsteadyError, ValueError):
    """A column or array that is missing, doubled or of the wrong length (RS01x)."""

    exit_code = 2


class LabelError(RocsteadyError, ValueError):
    """Labels that do not say which rows are positive (RS02x)."""

    exit_code = 2


class DataError(RocsteadyError, ValueError):
    """Scores, weights or groups that cannot be analysed (RS010, RS03x)."""


class FileError(RocsteadyError, OSError):
    """A file that cannot be read (RS05x)."""

    def __init__(self, code: str, problem: str, found: str = "", *remedies: Remedy) -> None:
        super().__init__(code, problem, found, *remedies)
        # OSError takes its first arguments for a number and a file name, which they are not.
        self.errno = {"RS051": errno.ENOENT, "RS052": errno.EISDIR}.get(code)
        self.strerror, self.filename, self.filename2 = problem, None, None

    def __str__(self) -> str:  # OSError would print its own arguments
        return _Message.__str__(self)


class MissingFileError(FileError, FileNotFoundError):
    """A file that does not exist (RS051)."""


class MissingPackageError(RocsteadyError, ImportError):
    """An optional package that is not installed (RS06x)."""

    exit_code = 2


class RocsteadyWarning(_Message, UserWarning):
    """A coded warning: the result is right, but read this before you use it."""


# From the catalogue
# ------------------

_RATES = {"FPR": "fpr", "TPR": "tpr"}
"""Facts that every template has: ``{FPR:rate}`` is what a field calls that rate."""

KINDS: dict[str, type[RocsteadyError]] = {
    "usage": UsageError,
    "member": MemberError,
    "call": CallError,
    "name": MissingNameError,
    "column": ColumnError,
    "label": LabelError,
    "data": DataError,
    "file": FileError,
    "missing file": MissingFileError,
    "package": MissingPackageError,
    "other": RocsteadyError,
}


def first_line(error: BaseException) -> str:
    """What somebody else's error says, in one line."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def fail(code: str, /, **facts: Any) -> RocsteadyError:
    """The error of an entry of the catalogue, with these facts; the caller raises it.

    >>> print(fail("RS042", name="tpr", where="between 0 and 1", found=2, ways=[Option("tpr", 0.1)]))
    RS042: tpr must be between 0 and 1.
      found: 2
      -> tpr=0.1
    """
    kind, parts = _written(code, facts)
    error = KINDS[kind](code.partition(".")[0], *parts)
    error.facts, error.entry = facts, code
    return error


def warn(code: str, /, **facts: Any) -> None:
    """Issue the warning of an entry of the catalogue, with these facts, at the line of the user's code."""
    warnings.warn(caution(code, **facts), stacklevel=caller_level())


def caution(code: str, /, **facts: Any) -> RocsteadyWarning:
    """The warning of an entry of the catalogue, with these facts, for a result that keeps its warnings."""
    warning = RocsteadyWarning(code.partition(".")[0], *_written(code, facts)[1])
    warning.facts, warning.entry = facts, code
    return warning


def _written(code: str, facts: Mapping[str, Any], speak: Speak = plainly) -> tuple[str, tuple[Any, ...]]:
    """The kind of an entry, and its three parts with the facts filled in."""
    number, _, name = code.partition(".")
    entry = catalogue()[number]
    template = entry.messages[name]
    remedies: list[Remedy] = []
    for remedy in template.get("remedies", ()):
        if isinstance(remedy, dict):
            ways = [_remedy(remedy[where], facts) for where in ("python", "shell")]
            remedies += [Either(*ways)] if None not in ways else []  # type: ignore[arg-type]
        elif remedy.startswith("{") and remedy.endswith(":each}"):
            remedies += facts[remedy[1:-6]]
        elif (made := _remedy(remedy, facts)) is not None:
            remedies.append(made)
    texts = [filled(template.get(part, ""), {**_RATES, **facts}, speak) for part in ("problem", "found")]
    return template.get("error", entry.kind), (*texts, *remedies)


def _remedy(template: str, facts: Mapping[str, Any]) -> Remedy | None:
    """A remedy with its facts; None where it names one that is None, or says nothing."""
    if _lacks(template, facts) or not (parts := filled_parts(template, facts, Option)):
        return None
    if len(parts) == 1 and isinstance(parts[0], str | Option):
        return parts[0]
    return parts if any(isinstance(part, Option) for part in parts) else "".join(map(str, parts))


def _lacks(remedy: str, facts: Mapping[str, Any]) -> bool:
    """Whether a fact that a remedy names is None."""
    parsed = string.Formatter().parse(remedy)
    fields = [name or "" for _, name, spec, _ in parsed if not (spec or "").startswith("?")]
    return any(facts.get(name.partition("=")[2] or name, name) is None for name in fields)


# Where a warning belongs: at the line of the caller's code, however deep in the package it was found
# --------------------------------------------------------------------------------------------------


def caller_level() -> int:
    """The ``stacklevel`` for :func:`warn` that names the first line outside the package.

    Python shows a warning once per line. A line of the package would stand for all callers, and only the
    first of them would ever see it.
    """
    level = 2  # 1 would be warn itself
    for frame in _frames(sys._getframe(1)):
        name = frame.f_globals.get("__name__", "")
        if not name.startswith(("rocsteady.", "contextlib", "dataclasses")):
            break
        level += name != __name__
    return level


_DOORS = ("rocsteady.calling", "rocsteady.showing", "rocsteady.scores.score_set")
"""Modules through which a user's call passes on its way to a function."""


def is_asked_by_the_user() -> bool:
    """Whether whoever called the function that asks this is no part of the package."""
    for frame in _frames(sys._getframe(2).f_back):
        if frame.f_globals.get("__name__", "") not in _DOORS:
            return not frame.f_globals.get("__name__", "").startswith("rocsteady.")
    return True


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
