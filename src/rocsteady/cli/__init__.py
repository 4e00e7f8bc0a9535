"""The command line: one file per command, no maths.

A command reads its options, calls the library and prints what came back. Results go to standard
output; errors and warnings, coded, to standard error. Exit codes: 0 done, 1 a requirement failed,
2 usage, column or label, 3 the data cannot be analysed, 4 warnings under ``--strict``, 70 a bug,
130 interrupted, 143 terminated.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NoReturn

__all__ = ["main", "run"]


def main() -> NoReturn:
    """Run the command that the process was started with, and exit."""
    import sys

    try:  # imports take most of the time of a short command: that is when an interrupt comes
        from rocsteady.cli.outcome import run_process

        code = run_process(_commands)
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command in this process and return its exit code."""
    from rocsteady.cli.outcome import run as run_commands

    return run_commands(arguments, _commands)


@cache
def _commands() -> Any:
    """All commands, made once: that takes longer than most of them."""
    import typer

    from rocsteady.cli.app import app

    return typer.main.get_command(app)
