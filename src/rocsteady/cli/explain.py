"""``rocsteady explain RS203``: what a message means."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from rocsteady.cli import program
from rocsteady.cli.completion import complete_codes
from rocsteady.cli.console import show
from rocsteady.errors import RocsteadyError, catalogue, fail, near_match

SCHEMA_VERSION = 1


def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            help="A code such as RS203. Without one, all are listed.",
            show_default=False,
            autocompletion=complete_codes,
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print JSON on standard output, nothing else.")
    ] = False,
) -> None:
    """Say what the code of an error or a warning means."""
    if as_json:
        _print_json(code)
    elif code is None:
        _list_all()
    else:
        _explain_one(code)


def kind(code: str) -> str:
    """Codes below RS100, and RS400 to RS409 of large tables, are errors; with others there is a result."""
    number = int(code.removeprefix("RS"))
    return "error" if number < 100 or 400 <= number < 410 else "warning"


def _print_json(code: str | None) -> None:
    """One message, or all of them, for programs."""
    if code is not None:
        code = code.strip().upper()
        if code not in catalogue():
            raise _unknown(code)
    messages = [
        {"code": known, "kind": kind(known), "title": entry.title, "explanation": entry.explanation}
        for known, entry in catalogue().items()
        if code in (None, known)
    ]
    print(json.dumps({"schema_version": SCHEMA_VERSION, "messages": messages}, indent=2))


def _unknown(code: str) -> RocsteadyError:
    known = code.strip().upper()
    padded = f"RS{known.removeprefix('RS').zfill(3)}"  # a zero is easily forgotten
    likely = padded if padded in catalogue() else near_match(known, catalogue())
    again = f"{program.typed()} explain"
    remedy = f"did you mean  {again} {likely} ?" if likely else f"see them all:  {again}"
    return fail("RS001.none", what="message with the code", name=code, known=None, ways=[remedy])


def _explain_one(code: str) -> None:
    known = code.strip().upper()
    if known not in catalogue():
        raise _unknown(code)
    from rich.text import Text

    entry = catalogue()[known]
    show(Text.assemble((known, "bold"), f" {kind(known)}: {entry.title}"))
    show()
    show(entry.explanation)


def _list_all() -> None:
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for code, entry in catalogue().items():
        table.add_row(code, kind(code), entry.title)
    show(table)
