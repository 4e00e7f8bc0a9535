"""``python -m papers``: the figures and claims of the papers, computed again and checked.

Messages and exit codes are those of ``rocsteady``: 0 done, 1 a number is not what it should be, 2 usage,
3 data that are missing or damaged, 70 a bug, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NoReturn

__all__ = ["main", "run"]

NAME = "python -m papers"


def main() -> NoReturn:
    """Run what the process was started with, and exit."""
    import sys

    try:  # imports take most of the time of a short command: that is when an interrupt comes
        from rocsteady.cli.outcome import run_process

        code = run_process(_command, NAME)
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Compute papers in this process and return the exit code."""
    from rocsteady.cli import outcome

    return outcome.run(arguments, _command, NAME)


@cache
def _command() -> Any:
    """The one command, made once."""
    import typer

    from papers.cli.command import reproduce
    from rocsteady.cli.careful_command import CarefulCommand

    app = typer.Typer(rich_markup_mode="rich", add_completion=False)
    app.command(cls=CarefulCommand, context_settings={"help_option_names": ["--help", "-h"]})(reproduce)
    return typer.main.get_command(app)
