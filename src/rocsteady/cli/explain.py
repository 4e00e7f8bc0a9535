"""``rocsteady explain RS203``: what a message means."""

from __future__ import annotations

from typing import Annotated

import typer

from rocsteady.cli import program
from rocsteady.cli.console import show
from rocsteady.errors import CODES, UsageError, near_match


def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE", help="A code such as RS203. Without one, all are listed.", show_default=False
        ),
    ] = None,
) -> None:
    """Say what the code of an error or a warning means."""
    if code is None:
        _list_all()
    else:
        _explain_one(code)


def kind(code: str) -> str:
    """Codes from RS100 on are warnings: there is a result."""
    return "warning" if int(code.removeprefix("RS")) >= 100 else "error"


def _explain_one(code: str) -> None:
    known = code.strip().upper()
    if known not in CODES:
        padded = f"RS{known.removeprefix('RS').zfill(3)}"  # a zero is easily forgotten
        likely = padded if padded in CODES else near_match(known, CODES)
        again = f"{program.typed()} explain"
        remedy = f"did you mean  {again} {likely} ?" if likely else f"see them all:  {again}"
        raise UsageError("RS001", f'no message has the code "{code}".', "", remedy)
    from rich.text import Text

    entry = CODES[known]
    show(Text.assemble((known, "bold"), f" {kind(known)}: {entry.title}"))
    show()
    show(entry.explanation)


def _list_all() -> None:
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for code, entry in CODES.items():
        table.add_row(code, kind(code), entry.title)
    show(table)
