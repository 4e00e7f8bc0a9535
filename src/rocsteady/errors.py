"""Errors and warnings: few kinds, stable codes, three parts.

Every message says what is wrong, what was found and what to type. What to type depends on where
the reader types: an :class:`Option` is spelled ``positive='attack'`` in Python and
``--positive attack`` on the command line, so one message serves both.
"""

from __future__ import annotations

import errno
import shlex
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rocsteady.codes import CODES as CODES  # noqa: PLC0414 - the catalogue is part of this module's face
from rocsteady.words import counted as counted  # noqa: PLC0414 - messages are written with it
from rocsteady.words import near_match as near_match  # noqa: PLC0414 - as is this
from rocsteady.words import printable


@dataclass(frozen=True)
class Option:
    """An argument as the reader would type it, in Python or in a shell."""

    name: str
    value: object

    def python(self) -> str:
        """The keyword argument, for example ``positive='attack'``."""
        return f"{self.name}={self.value!r}"

    def shell(self) -> str:
        """The command-line option, for example ``--positive attack``."""
        if self.name == "higher_is_positive":
            return "--low-is-positive"
        several = [str(v) for v in (self.value if isinstance(self.value, list | tuple) else [self.value])]
        if not any("," in text for text in several):
            several = [",".join(several)]
        return " ".join(f"--{self.name.replace('_', '-')} {shlex.quote(text)}" for text in several)


Remedy = str | Option | Sequence[str | Option]
"""One line of advice; a sequence is joined without blanks."""


def _spell(remedy: Remedy, *, shell: bool) -> str:
    parts = [remedy] if isinstance(remedy, str | Option) else remedy
    return "".join(p if isinstance(p, str) else p.shell() if shell else p.python() for p in parts)


class _Message:
    """The three parts, shared by errors and warnings."""

    code: str
    problem: str
    found: str
    remedies: tuple[Remedy, ...]

    def _compose(self, code: str, problem: str, found: str, remedies: tuple[Remedy, ...]) -> None:
        if code not in CODES:
            raise LookupError(f"message code {code} is not in the catalogue")
        self.code, self.problem, self.found, self.remedies = code, problem, found, remedies

    def lines(self, *, shell: bool = False) -> list[str]:
        """The message as lines: the problem, what was found, what to type."""
        body = [self.problem]
        body += [f"  {line}" for line in self.found.splitlines()]
        body += [f"  -> {_spell(remedy, shell=shell)}" for remedy in self.remedies]
        return [printable(line) for line in body]  # names come from files, and go to terminals

    def __str__(self) -> str:
        return f"{self.code}: " + "\n".join(self.lines())

    def __reduce__(self) -> tuple[Any, ...]:
        # OSError keeps only some of its arguments, and a worker process sends its errors pickled.
        return type(self), (self.code, self.problem, self.found, *self.remedies), self.__dict__


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

    def __init__(self, code: str, problem: str, found: str = "", *remedies: Remedy) -> None:
        self._compose(code, problem, found, remedies)
        super().__init__(code, problem, found, *remedies)


class UsageError(RocsteadyError, ValueError):
    """An argument that cannot be understood (RS00x) or does not fit the data (RS04x)."""

    exit_code = 2


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

    def __init__(self, code: str, problem: str, found: str = "", *remedies: Remedy) -> None:
        self._compose(code, problem, found, remedies)
        super().__init__(code, problem, found, *remedies)


def warn(code: str, problem: str, found: str = "", *remedies: Remedy, stacklevel: int = 3) -> None:
    """Issue a coded warning."""
    warnings.warn(RocsteadyWarning(code, problem, found, *remedies), stacklevel=stacklevel)
