"""What a reproduction writes, whole or not at all: results.json, figures, claims as Markdown and as HTML."""

from __future__ import annotations

import json
import signal
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from papers import pages
from papers.paper import Reproduction
from rocsteady.cli.files import write_file
from rocsteady.errors import FileError, fail

SCHEMA_VERSION = 2
RESULTS, CLAIMS = "results.json", ("claims.md", "claims.html")


# Before the work ----------------------------------------------------------------------------------------


def refuse_to_replace(folder: Path, names: Sequence[Path], *, overwrite: bool) -> None:
    """RS003 where files are there already; folders in the place of files are never replaced."""
    present = [str(name) for name in dict.fromkeys(names) if (folder / name).exists()]
    if folders := [name for name in present if (folder / name).is_dir()]:
        raise fail("RS003.folders", folder=folder, names=folders)
    if present and not overwrite:
        raise fail("RS003.results", folder=folder, names=present)


def require_writable(folder: Path) -> None:
    """RS055 if a folder cannot be made or written to; what that makes is removed."""
    try:
        made = [own for own in (folder, *folder.parents) if not own.exists()]
        existing = made[-1].parent if made else folder
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


# After it -----------------------------------------------------------------------------------------------


def write_paper(folder: Path, found: Reproduction, pictures: Mapping[str, bytes], old: Sequence[str]) -> None:
    """Write results, figures and claims; `old` pictures do not stay beside other numbers."""
    _write_json(folder / RESULTS, {"reproduction": found.name, **found.to_dict()})
    for name, picture in pictures.items():
        write_file(folder / name, picture, overwrite=True)
    for name in set(old) - set(pictures):
        (folder / name).unlink(missing_ok=True)
    _write_claims(folder, [found])


def write_all(folder: Path, papers: Sequence[Reproduction], *, is_quick: bool) -> None:
    """Write the claims of several papers on one page, and what became of each."""
    passed = not any(own.failed or own.error for own in papers)
    all_of_them = {"reproduction": "all", "is_quick": is_quick, "passed": passed}
    all_of_them["summary"] = " ".join(pages.overall(papers))
    _write_json(folder / RESULTS, {**all_of_them, "papers": [own.to_dict(numbers=False) for own in papers]})
    _write_claims(folder, papers, together=True)


def _write_claims(folder: Path, papers: Sequence[Reproduction], *, together: bool = False) -> None:
    """The page of claims, twice."""
    made = (pages.markdown(papers), pages.html(papers, together=together))
    for name, page in zip(CLAIMS, made, strict=True):
        write_file(folder / name, page.encode("utf-8"), overwrite=True)


def _write_json(path: Path, plain: Mapping[str, Any]) -> None:
    """Plain data as JSON; a folder's name may hold bytes that are no text, which are escaped as JSON does."""
    versioned = {"schema_version": SCHEMA_VERSION, **plain}
    content = json.dumps(versioned, indent=1, allow_nan=False, ensure_ascii=False) + "\n"
    write_file(path, content.encode("utf-8", errors="backslashreplace"), overwrite=True)


# Interrupts ---------------------------------------------------------------------------------------------


@contextmanager
def held_back() -> Iterator[None]:
    """Let a few files be written as a whole: a Ctrl-C that comes in between counts when they are there."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    handlers = {number: handler for number, handler in before.items() if callable(handler)}
    if threading.current_thread() is not threading.main_thread():
        handlers = {}
    came: list[int] = []
    for number in handlers:
        signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if came:
            handlers[signal.Signals(came[0])](came[0], None)


def is_interrupt(error: BaseException) -> bool:
    """Whether an error is how a library passes on Ctrl-C."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    return cause is not None or str(error) == "Query interrupted"  # DuckDB's words
