"""What a reproduction writes: results.json, figures, the table of claims as Markdown and as HTML."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rocsteady.cli.console import show_message, working
from rocsteady.cli.reproduce.papers import Paper, with_extra
from rocsteady.cli.writing import write_file
from rocsteady.errors import FileError, MissingPackageError, Option, UsageError
from rocsteady.reproductions.pages.html import claims_html
from rocsteady.reproductions.pages.markdown import claims_page
from rocsteady.reproductions.pages.summary import PaperSummary, overall
from rocsteady.reproductions.reproduction import Reproduction
from rocsteady.words import listed

SCHEMA_VERSION = 1
RESULTS = "results.json"
CLAIMS = ("claims.md", "claims.html")


def refuse_to_replace(folder: Path, papers: Sequence[Paper], *, together: bool, overwrite: bool) -> None:
    """RS003 before the work, not after it."""
    names = [RESULTS, *CLAIMS] if together else []
    for paper in papers:
        within = f"{paper.name}/" if together else ""
        names += [f"{within}{name}" for name in (RESULTS, *CLAIMS, *_picture_names(paper))]
    present = [name for name in names if (folder / name).exists()]
    if present and not overwrite:
        raise UsageError(
            "RS003",
            f"{folder} holds results already; nothing was computed.",
            f"found: {listed(present)}",
            ["choose another folder:  ", Option("out", "DIR")],
            "or replace them:  --overwrite",
        )


def require_writable(folder: Path) -> None:
    """RS055 before the work if the folder cannot be made or written to; what that makes is removed."""
    made: list[Path] = []
    existing = folder
    try:
        while not existing.exists():
            made.append(existing)
            existing = existing.parent
        if not existing.is_dir():
            raise _unwritable(f"{existing} is a file, not a folder.")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        finally:
            for parent in made:
                if parent.is_dir():
                    parent.rmdir()
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise _unwritable(f"{folder} cannot be written to: {error.strerror or error}.") from error


def _unwritable(problem: str) -> FileError:
    return FileError(
        "RS055", problem, "nothing was computed", ["choose another folder:  ", Option("out", "DIR")]
    )


def _picture_names(paper: Paper) -> list[str]:
    try:
        return paper.picture_names()
    except MissingPackageError:  # said when the paper's turn comes
        return []


def plain_results(paper: Paper, found: Reproduction) -> dict[str, Any]:
    """A paper's results as they are written and printed."""
    return {"schema_version": SCHEMA_VERSION, "reproduction": paper.name, **found.to_dict()}


def plain_together(papers: Sequence[PaperSummary], *, quick: bool) -> dict[str, Any]:
    """The papers together; each paper's own results.json has its numbers."""
    return {
        "schema_version": SCHEMA_VERSION,
        "reproduction": "all",
        "is_quick": quick,
        "passed": not any(paper.failed or paper.error for paper in papers),
        "summary": " ".join(overall(papers)),
        "papers": [paper.to_dict() for paper in papers],
    }


def write_paper(
    folder: Path, paper: Paper, found: Reproduction, plain: dict[str, Any], said: list[str]
) -> list[str]:
    """Write a paper's results, then its figures, then its claims with links to them; the figures' files.

    Where Matplotlib is not installed there are no figures. That is said, unless ``said`` has it already.
    """
    _write_json(folder / RESULTS, plain)
    figures: list[str] = []
    missing = None
    with working(f"{paper.name}: drawing the figures"):
        try:
            for name, picture in found.pictures():
                write_file(folder / name, picture, overwrite=True)
                figures.append(name)
        except MissingPackageError as error:  # the numbers do not need it
            missing = with_extra(error)
    if missing is not None and str(missing) not in said:
        said.append(str(missing))
        show_message(missing)
    write_claims(folder, [PaperSummary.from_results(paper.name, plain, figures)])
    return figures


def write_together(folder: Path, papers: Sequence[PaperSummary], *, quick: bool) -> None:
    """Write the claims of all papers on one page, and what became of each."""
    _write_json(folder / RESULTS, plain_together(papers, quick=quick))
    write_claims(folder, papers)


def write_claims(folder: Path, papers: Sequence[PaperSummary]) -> None:
    """The page of claims, twice."""
    for name, page in zip(CLAIMS, (claims_page(papers), claims_html(papers)), strict=True):
        write_file(folder / name, page.encode("utf-8"), overwrite=True)


def _write_json(path: Path, plain: dict[str, Any]) -> None:
    content = json.dumps(plain, indent=1, allow_nan=False, ensure_ascii=False) + "\n"
    write_file(path, content.encode("utf-8"), overwrite=True)
