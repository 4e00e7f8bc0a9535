"""``python -m papers PAPER``: read the options, compute, write, show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from papers.cli.papers import Choice, Paper, chosen
from rocsteady.errors import fail


def reproduce(
    paper: Annotated[
        Choice,
        typer.Argument(
            metavar="PAPER",
            help="averaging: Hogan and Adams, On Averaging ROC Curves. "
            "operating-points: Paclik and others, operating points with variances. "
            "smroc: Klement and others, smooth ROC curves. "
            "slides: Sakellaropoulos, lecture slides. all: one after the other (default).",
            show_default=False,
        ),
    ] = Choice.ALL,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "--output",
            "-o",
            metavar="DIR",
            help="Folder to write figures, claims and results into (default: rocsteady-PAPER).",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="operating-points and smroc: folder that holds uci/ (default: $ROCSTEADY_DATA).",
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            "--cache",
            metavar="DIR",
            help="smroc: folder that keeps finished runs, which may be deleted "
            "(default: $ROCSTEADY_CACHE, else rocsteady/smroc in the user's cache folder).",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", metavar="", help="Fewer replicates: all papers in a minute or two.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", metavar="", help="Replace figures and results in the folder.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print JSON on standard output, nothing else.")
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", metavar="", help="Only errors, and what is not as it should be."),
    ] = False,
) -> None:
    """Compute a paper's figures and claims again, check every number, write figures and claims.

    Exit 1 if a number is not what it should be, 3 if data are missing or damaged.
    """
    from papers.cli.files import refuse_to_replace, require_writable
    from papers.cli.running import Asked, run_all, run_one

    papers, together = chosen(paper), paper is Choice.ALL
    _require_use_of("data", data, papers)
    _require_use_of("cache", cache, papers)
    folder = out if out is not None else Path(f"rocsteady-{paper.value}")
    require_writable(folder, papers, together=together)
    refuse_to_replace(folder, papers, together=together, overwrite=overwrite)
    asked = Asked(folder, quick, data, cache, as_json, quiet)
    raise typer.Exit(run_all(papers, asked) if together else run_one(papers[0], asked))


def _require_use_of(option: str, folder: Path | None, papers: list[Paper]) -> None:
    """RS002 where a folder is named that nothing reads."""
    if folder is None or any(option in paper.takes for paper in papers):
        return
    others = [paper.name for paper in chosen(Choice.ALL) if option in paper.takes]
    names = [paper.name for paper in papers]
    raise fail(
        "RS002.paper-data" if option == "data" else "RS002.paper-cache",
        papers=names,
        folder=folder,
        other=others[0],
    )
