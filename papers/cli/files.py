"""What a reproduction writes: results.json, figures, the table of claims as Markdown and as HTML."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from papers.cli.interrupts import is_interrupt
from papers.cli.papers import Paper, with_extra
from papers.pages.html import claims_html
from papers.pages.markdown import claims_page
from papers.pages.summary import PaperSummary, overall
from papers.reproduction import Reproduction
from rocsteady.cli.console import show_message, working
from rocsteady.cli.files import write_file
from rocsteady.errors import FileError, MissingPackageError, fail

SCHEMA_VERSION = 1
RESULTS = "results.json"
CLAIMS = ("claims.md", "claims.html")


def refuse_to_replace(folder: Path, papers: Sequence[Paper], *, together: bool, overwrite: bool) -> None:
    """RS003 before the work, not after it; folders in the place of files are never replaced."""
    names = [RESULTS, *CLAIMS] if together else []
    for paper in papers:
        within = f"{paper.name}/" if together else ""
        names += [f"{within}{name}" for name in (RESULTS, *CLAIMS, *_picture_names(paper))]
    present = [name for name in names if (folder / name).exists()]
    if folders := [name for name in present if (folder / name).is_dir()]:
        raise fail("RS003.folders", folder=folder, names=folders)
    if present and not overwrite:
        raise fail("RS003.results", folder=folder, names=present)


def require_writable(folder: Path, papers: Sequence[Paper], *, together: bool) -> None:
    """RS055 before the work if a folder cannot be made or written to; what that makes is removed."""
    _require_writable(folder)
    for paper in papers if together else ():
        _require_writable(folder / paper.name)


def _require_writable(folder: Path) -> None:
    made: list[Path] = []
    existing = folder
    try:
        while not existing.exists():
            made.append(existing)
            existing = existing.parent
        if not existing.is_dir():
            raise fail("RS055.results-file", path=existing)
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
        raise fail("RS055.results", folder=folder, reason=error.strerror or error) from error


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


def drawn(paper: Paper, found: Reproduction, said: list[str]) -> tuple[dict[str, bytes], Exception | None]:
    """A paper's figures, and what went wrong with them: the numbers are worth writing all the same.

    Where Matplotlib is not installed there are none. That is said, unless ``said`` has it already.
    """
    pictures: dict[str, bytes] = {}
    try:
        with working(f"{paper.name}: drawing the figures"):
            for name, picture in found.pictures():
                pictures[name] = picture
    except MissingPackageError as error:
        missing = with_extra(error)
        if str(missing) not in said:
            said.append(str(missing))
            show_message(missing)
    except Exception as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        return pictures, error
    return pictures, None


def write_paper(folder: Path, paper: Paper, plain: dict[str, Any], pictures: dict[str, bytes]) -> None:
    """Write results, figures and claims; pictures of an earlier run do not stay beside other numbers."""
    _write_json(folder / RESULTS, plain)
    for name, picture in pictures.items():
        write_file(folder / name, picture, overwrite=True)
    for name in set(_picture_names(paper)) - set(pictures):
        (folder / name).unlink(missing_ok=True)
    write_claims(folder, [PaperSummary.from_results(paper.name, plain, list(pictures))])


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
    # A folder's name may hold bytes that are no text; what stands for them is escaped as JSON does it.
    write_file(path, content.encode("utf-8", errors="backslashreplace"), overwrite=True)
