"""Run a command and turn however it ends into an exit code and a message."""

from __future__ import annotations

import errno
import os
import re
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, NoReturn

from rocsteady.cli import program
from rocsteady.errors import RocsteadyError, RocsteadyWarning, fail
from rocsteady.words import near_match

DONE, REQUIREMENT_FAILED, USAGE, DATA, STRICT, BUG, INTERRUPTED, TERMINATED = 0, 1, 2, 3, 4, 70, 130, 143


_OF_DATA = ("RS048",)
"""An argument's fault in Python, and one of the data where scores come from a file."""
_NARROWEST, _USUAL = 20, 80  # columns of a terminal
_interrupts: list[int] = []
"""Signals that came in; whatever fails after one failed because of it."""


def run_process(commands: Callable[[], Any], name: str = program.NAME) -> int:
    """Run the command that the process was started with, as ``run`` does; its exit code."""
    import signal

    if hasattr(signal, "SIGPIPE"):  # `rocsteady check scores.csv | head -1` ends as quietly as cat would
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where a shell has it ignored
        signal.signal(signal.SIGINT, _interrupt)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:  # ends as on Ctrl-C, with nothing half written
        signal.signal(signal.SIGTERM, _interrupt)
    _replace_closed_streams()
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns) < _NARROWEST:  # some job runners say 0, where nothing would fit
        os.environ["COLUMNS"] = str(_USUAL)
    code = run(sys.argv[1:], commands, name)
    try:
        sys.stdout.flush()
    except OSError as error:
        code = _unwritable(error)
    return TERMINATED if code == INTERRUPTED and signal.SIGTERM in _interrupts else code


def _interrupt(signal_number: int, frame: object) -> NoReturn:
    # An extension module that is interrupted while it is loaded passes that on as an error of its own.
    _interrupts.append(signal_number)
    raise KeyboardInterrupt


def end_if_interrupted() -> None:
    """Raise once more what a signal raised: an extension that was being loaded may have kept it to itself."""
    if _interrupts:
        raise KeyboardInterrupt


def _replace_closed_streams() -> None:
    """Give the streams that a shell closed (``>&-``) to the null device before a file gets their number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - until the end


def run(arguments: Sequence[str], commands: Callable[[], Any], name: str = program.NAME) -> int:
    """Run one command in this process and return its exit code.

    ``commands`` makes them, and ``name`` is typed to run them. A command finds what runs another one as the
    object of its context.
    """
    try:
        from rocsteady.cli.console import never_fail_to_encode, show_message

        never_fail_to_encode()
        return _call(arguments, commands, name)
    except KeyboardInterrupt:
        return INTERRUPTED
    except RocsteadyError as error:
        show_message(error)
        return DATA if error.code in _OF_DATA else error.exit_code
    except Exception as error:
        return _unexpected(error, [*name.split(), *arguments])


def _unexpected(error: Exception, typed: Sequence[str]) -> int:
    if _interrupts or str(error) == "Query interrupted":  # how DuckDB passes on Ctrl-C
        return INTERRUPTED
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        return _unwritable(error)
    return _report_bug(error, typed)


def _call(arguments: Sequence[str], commands: Callable[[], Any], name: str) -> int:
    """Let typer parse and call; its own complaints become ours."""
    import typer

    from rocsteady.cli.console import is_colourless

    again = partial(run, commands=commands, name=name)
    options: dict[str, Any] = {"prog_name": name, "standalone_mode": False, "obj": again}
    if is_colourless():
        from typer import rich_utils

        rich_utils.COLOR_SYSTEM = None  # of the help, which would be bold without colours
        options["color"] = False
    try:
        code = commands().main(list(arguments), **options)
    except typer.Abort as abort:  # how a question passes on Ctrl-C, and that the input ended
        if not isinstance(abort.__context__, EOFError):
            return INTERRUPTED
        print(file=sys.stderr)  # the question is still on its line
        raise fail("RS093.unanswered") from None
    except Exception as complaint:
        # Which module defines the exception depends on the release of typer; what it can do does not.
        if not hasattr(complaint, "format_message"):
            raise
        raise _usage_error(complaint, name) from None
    return code if isinstance(code, int) else DONE


def _usage_error(complaint: Any, name: str) -> RocsteadyError:
    context = getattr(complaint, "ctx", None)
    path = context.command_path if context else name
    if name == program.NAME:
        path = program.typed() + path.removeprefix(name)
    problem = " ".join(complaint.format_message().split()).replace("Value error, ", "")
    remedies = [*_meant(problem), f"see  {path} --help"]
    return fail("RS002.typed", complaint=problem[:1].lower() + problem[1:], ways=remedies)


def _meant(problem: str) -> list[str]:
    """The choice that was probably meant, where one of several was misspelled."""
    typed = re.search(r"'([\w-]+)'[^:]*: '(.*)' is not one of (.*)\.", problem)
    if "unexpected extra argument" in problem and ".parquet" in problem:
        return ["several files are named by their folder, or by a pattern in quotes:  'days/*.parquet'"]
    if typed is None:
        return []
    close = near_match(typed[2], re.findall(r"'([^']*)'", typed[3]))
    where = f"{typed[1]} " if typed[1].startswith("--") else ""
    return [] if close is None else [f"did you mean  {where}{close} ?"]


@contextmanager
def collected_warnings() -> Iterator[list[RocsteadyWarning]]:
    """Collect the coded warnings of a block, each once and in order; all others are issued when it ends."""
    collected: list[RocsteadyWarning] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RocsteadyWarning)
        yield collected
    for entry in caught:
        if isinstance(entry.message, RocsteadyWarning):
            if str(entry.message) not in map(str, collected):
                collected.append(entry.message)
        else:
            warnings.warn_explicit(entry.message, entry.category, entry.filename, entry.lineno)


def _unwritable(error: OSError) -> int:
    from rocsteady.cli.console import show_message

    # The interpreter flushes once more on its way out; let that succeed.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    problem = fail("RS055.stream", reason=error.strerror or error)
    # Standard error may be what cannot be written; then the exit code has to do.
    with suppress(OSError):
        show_message(problem)
    return problem.exit_code


def _report_bug(error: Exception, typed: Sequence[str]) -> int:
    from rocsteady.cli.console import show_message

    place = write_bug_report(error, typed)
    summary = f"{type(error).__name__}: {error}".splitlines()[0]
    remedy = f"please send the file  {place}" if place else "please send the text above"
    show_message(fail("RS070.bug", summary=summary, ways=[remedy]))
    return BUG


# What to send when rocsteady itself fails
# ----------------------------------------

_PACKAGES = (
    "rocsteady",
    "numpy",
    "scipy",
    "narwhals",
    "duckdb",
    "typer",
    "rich",
    "pandas",
    "polars",
    "pyarrow",
)


def write_bug_report(error: BaseException, typed: Sequence[str]) -> str | None:
    """Write a report into the temporary folder and name it; print it where that cannot be done."""
    import tempfile

    report = bug_report(error, typed)
    try:
        handle, path = tempfile.mkstemp(prefix="rocsteady-bug-", suffix=".txt", text=True)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(report)
    except OSError:
        sys.stderr.write(report)
        return None
    return path


def bug_report(error: BaseException, typed: Sequence[str]) -> str:
    """The command, the versions and the place in the code."""
    import platform
    import traceback

    lines = [
        "rocsteady bug report",
        "",
        f"command   {shlex.join(typed)}",
        f"python    {platform.python_version()} ({platform.platform()})",
        *(f"{package:<9} {installed_version(package)}" for package in _PACKAGES),
        "",
        "".join(traceback.format_exception(error)),
    ]
    return "\n".join(lines)


def installed_version(package: str) -> str:
    """The version of an installed package, found without importing it."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and seldom needed

    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
