"""``rocsteady reproduce averaging``: the figures and claims of a paper, computed again and checked."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli.console import plain_table, show, show_first_fitting, show_message, working
from rocsteady.cli.outcome import DONE, REQUIREMENT_FAILED
from rocsteady.cli.writing import write_file
from rocsteady.errors import MissingPackageError, Option, UsageError
from rocsteady.words import counted, listed

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.reproductions.averaging_roc.decisions import Tally
    from rocsteady.reproductions.averaging_roc.run import AveragingReproduction
    from rocsteady.reproductions.checks import Check, Checks

SCHEMA_VERSION = 1
RESULTS = "results.json"


class Paper(StrEnum):
    """What can be reproduced."""

    AVERAGING = "averaging"


def reproduce(
    paper: Annotated[
        Paper,
        typer.Argument(
            metavar="PAPER", help="averaging: Hogan and Adams, On Averaging ROC Curves.", show_default=False
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write figures and results into.")
    ] = Path("rocsteady-averaging"),
    quick: Annotated[
        bool, typer.Option("--quick", metavar="", help="Fewer replicates: seconds instead of a minute.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", metavar="", help="Replace figures and results in the folder.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print JSON on standard output, nothing else.")
    ] = False,
) -> None:
    """Compute a paper's figures and claims again, check every number, write figures and results.

    Exit 1 if a number is not what it should be.
    """
    from rocsteady.reproductions.averaging_roc.run import reproduce_averaging

    _refuse_to_replace(output, overwrite)
    with working(f"Computing {paper.value}; about {'ten seconds' if quick else 'a minute'}"):
        found = reproduce_averaging(quick=quick)
        plain = {"schema_version": SCHEMA_VERSION, "reproduction": paper.value, **found.to_dict()}
        written = _write(output, found, plain)
    if as_json:
        print(json.dumps(plain, indent=2, allow_nan=False))
    else:
        _print(found)
        show(f"Written to {output}: {listed(written, most=10)}.")
    raise typer.Exit(REQUIREMENT_FAILED if found.checks.failed else DONE)


def _refuse_to_replace(folder: Path, overwrite: bool) -> None:
    """RS003 before the work, not after it."""
    from rocsteady.reproductions.averaging_roc.run import picture_names

    present = [name for name in (RESULTS, *picture_names()) if (folder / name).exists()]
    if present and not overwrite:
        raise UsageError(
            "RS003",
            f"{folder} holds results already; nothing was computed.",
            f"found: {listed(present)}",
            ["choose another folder:  ", Option("output", "DIR")],
            "or replace them:  --overwrite",
        )


def _write(folder: Path, found: AveragingReproduction, plain: dict[str, Any]) -> list[str]:
    """Write the results and, where Matplotlib is installed, the figures; the names of the files."""
    content = json.dumps(plain, indent=1, allow_nan=False) + "\n"
    write_file(folder / RESULTS, content.encode("utf-8"), overwrite=True)
    written = [RESULTS]
    try:
        for name, picture in found.pictures():
            write_file(folder / name, picture, overwrite=True)
            written.append(name)
    except MissingPackageError as error:  # the numbers do not need it
        show_message(error)
    return written


def _print(found: AveragingReproduction) -> None:
    from rich.text import Text

    show_first_fitting(_check_table(found.checks, with_sources=True), _check_table(found.checks))
    show()
    show(
        "Which classifier does a 5 % test choose, in how many of the repeated studies? (± is the Monte-Carlo "
        "standard error.)"
    )
    show()
    show(_tally_table(found.tallies))
    for heading, lines in (*((s.title, s.lines()) for s in found.stories), ("Errata", found.notes)):
        show()
        show(Text(heading, style="bold"))
        for line in lines:
            show(line)
    show()
    n_failed = len(found.checks.failed)
    verdict = f"{n_failed} failed" if n_failed else "all passed"
    show(f"{counted(len(found.checks.entries), 'check')}, {verdict}.")


def _check_table(checks: Checks, *, with_sources: bool = False) -> Table:
    table = plain_table("check", "expected", "found", "tolerance", "", *(["tolerance from"] * with_sources))
    for section, entries in checks.sections().items():
        table.add_row(section, style="bold")
        for check in entries:
            cells = [f"  {check.name}", *_check_cells(check), *([check.tolerance_from] * with_sources)]
            table.add_row(*cells, style=None if check.passed else "red")
    return table


def _check_cells(check: Check) -> list[str]:
    return [
        f"{check.expected:.4f}",
        f"{check.found:.4f}",
        f"{check.tolerance:.4f}" if check.tolerance >= 5e-5 else f"{check.tolerance:.0e}",
        "ok" if check.passed else "FAILED",
    ]


def _tally_table(tallies: tuple[Tally, ...]) -> Table:
    table = plain_table("compared by", "gap", "±", "first", "other", "neither", "±")
    section = ""
    for tally in tallies:
        heading = f"design {tally.design}, {tally.first} or {tally.other}"
        if heading != section:
            table.add_row(heading, style="bold")
            section = heading
        shares = (tally.chose_first, tally.chose_other, tally.undecided)
        table.add_row(
            f"  {tally.compared_by}",
            f"{tally.mean_difference:+.4f}",
            f"{tally.mean_difference_error:.4f}",
            *(f"{100 * share:.1f} %" for share in shares),
            f"{100 * tally.standard_error:.1f} %",
        )
    return table
