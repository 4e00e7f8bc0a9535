"""``rocsteady reproduce PAPER``: the figures and claims of a paper, computed again and checked."""

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

    from rocsteady.reproductions.checks import Check, Checks
    from rocsteady.reproductions.reproduction import Reproduction, Tabulated

SCHEMA_VERSION = 1
RESULTS = "results.json"


class Paper(StrEnum):
    """What can be reproduced."""

    AVERAGING = "averaging"
    OPERATING_POINTS = "operating-points"


def reproduce(
    paper: Annotated[
        Paper,
        typer.Argument(
            metavar="PAPER",
            help="averaging: Hogan and Adams, On Averaging ROC Curves. "
            "operating-points: Paclik and others, operating points with variances.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Folder to write figures and results into. [default: rocsteady-PAPER]",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="operating-points: folder that holds uci/mfeat-mor.csv. [default: $ROCSTEADY_DATA]",
        ),
    ] = None,
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
    folder = output if output is not None else Path(f"rocsteady-{paper.value}")
    _require_use_of(data, paper)
    _refuse_to_replace(folder, _picture_names(paper), overwrite)
    with working(f"Computing {paper.value}; about {'ten seconds' if quick else 'a minute'}"):
        found = _computed(paper, quick, data)
        plain = {"schema_version": SCHEMA_VERSION, "reproduction": paper.value, **found.to_dict()}
        written = _write(folder, found, plain)
    if as_json:
        print(json.dumps(plain, indent=2, allow_nan=False))
    else:
        _print(found)
        show(f"Written to {folder}: {listed(written, most=10)}.")
    raise typer.Exit(REQUIREMENT_FAILED if found.checks.failed else DONE)


def _computed(paper: Paper, quick: bool, data: Path | None) -> Reproduction:
    if paper is Paper.AVERAGING:
        from rocsteady.reproductions.averaging_roc import run as averaging

        return averaging.reproduce_averaging(quick=quick)
    from rocsteady.reproductions.operating_points import run as operating_points

    return operating_points.reproduce_operating_points(quick=quick, data=data)


def _picture_names(paper: Paper) -> list[str]:
    if paper is Paper.AVERAGING:
        from rocsteady.reproductions.averaging_roc import run as averaging

        return averaging.picture_names()
    from rocsteady.reproductions.operating_points import run as operating_points

    return operating_points.picture_names()


def _require_use_of(data: Path | None, paper: Paper) -> None:
    """RS002 where data are named that nothing reads."""
    if data is not None and paper is Paper.AVERAGING:
        raise UsageError(
            "RS002",
            f"{paper.value} reads no data.",
            f"--data {data}",
            "leave --data out",
            f"or did you mean  rocsteady reproduce {Paper.OPERATING_POINTS.value}",
        )


def _refuse_to_replace(folder: Path, pictures: list[str], overwrite: bool) -> None:
    """RS003 before the work, not after it."""
    present = [name for name in (RESULTS, *pictures) if (folder / name).exists()]
    if present and not overwrite:
        raise UsageError(
            "RS003",
            f"{folder} holds results already; nothing was computed.",
            f"found: {listed(present)}",
            ["choose another folder:  ", Option("output", "DIR")],
            "or replace them:  --overwrite",
        )


def _write(folder: Path, found: Reproduction, plain: dict[str, Any]) -> list[str]:
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


def _print(found: Reproduction) -> None:
    from rich.text import Text

    show_first_fitting(_check_table(found.checks, with_sources=True), _check_table(found.checks))
    for tabulated in found.tables():
        show()
        show(tabulated.caption)
        show()
        show(_table(tabulated))
    left_out = [("Left out", found.skipped)] if found.skipped else []
    for heading, lines in (*found.passages(), *left_out):
        show()
        show(Text(heading, style="bold"))
        for line in lines:
            show(line)
    show()
    n_failed = len(found.checks.failed)
    verdict = f"{n_failed} failed" if n_failed else "all passed"
    incomplete = f"; {counted(len(found.skipped), 'part')} left out" if found.skipped else ""
    show(f"{counted(len(found.checks.entries), 'check')}, {verdict}{incomplete}.")


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


def _table(tabulated: Tabulated) -> Table:
    table = plain_table(*tabulated.headings)
    for heading, rows in tabulated.sections:
        if heading:
            table.add_row(heading, style="bold")
        for first, *numbers in rows:
            table.add_row(f"  {first}" if heading else first, *numbers)
    return table
