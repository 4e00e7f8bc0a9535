"""``rocsteady explain RS203``: what a message means."""

from __future__ import annotations

import json as plain
from typing import Annotated

import typer

from rocsteady.cli import program
from rocsteady.cli.completion import complete_codes
from rocsteady.cli.console import show_blocks
from rocsteady.errors import Entry, RocsteadyError, catalogue, fail, near_match

SCHEMA_VERSION = 2


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
    json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print JSON on standard output, nothing else.")
    ] = False,
) -> None:
    """Say what the code of an error or a warning means."""
    found = dict(catalogue()) if code is None else _one(code)
    if json:
        messages = [
            {"code": own, "kind": kind(own), "title": entry.title, "explanation": entry.explanation}
            for own, entry in found.items()
        ]
        print(plain.dumps({"schema_version": SCHEMA_VERSION, "messages": messages}, indent=2))
        return
    from rocsteady.show.document import Facts, Heading
    from rocsteady.text import ML, Reference, phrase

    if code is None:
        rows = [(phrase(f"{own}  {kind(own)}"), Reference(entry.title), None) for own, entry in found.items()]
        show_blocks([Facts(tuple(rows))], ML, is_apart=False)
        return
    ((own, entry),) = found.items()
    title = phrase(f"{own} {kind(own)}: {{title}}", title=Reference(entry.title))
    show_blocks([Heading(title)], ML)
    show_blocks([phrase("{text}", text=Reference(entry.explanation))], ML, is_apart=False)


def kind(code: str) -> str:
    """Codes below RS100, and RS400 to RS409 of large tables, are errors; with others there is a result."""
    number = int(code.removeprefix("RS"))
    return "error" if number < 100 or 400 <= number < 410 else "warning"


def _one(code: str) -> dict[str, Entry]:
    """The message with this code; RS001 with the likely one."""
    known = code.strip().upper()
    if known in catalogue():
        return {known: catalogue()[known]}
    padded = f"RS{known.removeprefix('RS').zfill(3)}"  # a zero is easily forgotten
    likely = padded if padded in catalogue() else near_match(known, catalogue())
    raise _unknown(code, likely)


def _unknown(code: str, likely: str | None) -> RocsteadyError:
    from rocsteady.text import shell

    again = shell([*program.arguments(), "explain"])
    remedy = f"did you mean  {again} {likely} ?" if likely else f"see them all:  {again}"
    return fail("RS001.none", what="message with the code", name=code, known=None, ways=[remedy])
