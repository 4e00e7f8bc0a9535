"""Compute one paper, or all of them one after the other, and write what came out as soon as it is there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import typer

from rocsteady.cli.console import say, show, show_message
from rocsteady.cli.outcome import DATA, DONE, INTERRUPTED, REQUIREMENT_FAILED
from rocsteady.cli.reproduce.files import (
    CLAIMS,
    RESULTS,
    plain_results,
    plain_together,
    write_paper,
    write_together,
)
from rocsteady.cli.reproduce.papers import Paper
from rocsteady.cli.reproduce.progress import progress_bar
from rocsteady.cli.reproduce.showing import show_overall, show_reproduction, show_summary
from rocsteady.errors import RocsteadyError
from rocsteady.reproductions.pages.summary import PaperSummary
from rocsteady.reproductions.reproduction import Reproduction
from rocsteady.words import listed


@dataclass(frozen=True)
class Asked:
    """What the user asked for."""

    folder: Path
    quick: bool
    data: Path | None
    cache: Path | None
    as_json: bool


def run_one(paper: Paper, asked: Asked) -> int:
    """Compute, write and print one paper; the exit code."""
    try:
        found = _computed(paper, asked)
    except KeyboardInterrupt:
        _interrupted(f"{paper.name} was not finished, and nothing was written.", paper)
    plain = plain_results(paper, found)
    figures = write_paper(asked.folder, paper, found, plain, [])
    if asked.as_json:
        print(json.dumps(plain, indent=2, allow_nan=False))
    else:
        show_reproduction(found, PaperSummary.from_results(paper.name, plain))
        show(f"Written to {asked.folder}: {listed([*CLAIMS, RESULTS, *figures], most=10)}.")
    return _exit_code([PaperSummary.from_results(paper.name, plain)])


def run_all(papers: Sequence[Paper], asked: Asked) -> int:
    """All papers, each in a folder of its own, with one page for their claims; the exit code.

    An error in one paper is said and does not stop the others. What is written when an interrupt comes stays.
    """
    done: list[PaperSummary] = []
    errors: list[Exception] = []
    said: list[str] = []
    try:
        for paper in papers:
            done.append(_attempted(paper, asked, errors, said))
            if not asked.as_json:
                show_summary(done[-1])
    except KeyboardInterrupt:
        left = list(papers[len(done) :])
        if done:
            write_together(asked.folder, done, quick=asked.quick)
        kept = f"{asked.folder} holds {listed([p.name for p in done])}" if done else "Nothing was written"
        _interrupted(f"{kept}; not finished: {listed([paper.name for paper in left])}.", left[0])
    write_together(asked.folder, done, quick=asked.quick)
    if asked.as_json:
        print(json.dumps(plain_together(done, quick=asked.quick), indent=2, allow_nan=False))
    else:
        show_overall(done)
        show(f"Written to {asked.folder}: claims.html, claims.md, results.json, and a folder for each paper.")
    for error in errors:
        if not isinstance(error, RocsteadyError):
            raise error  # a fault of ours; everything else is written
    codes = [error.exit_code for error in errors if isinstance(error, RocsteadyError)]
    return _exit_code(done) or max(codes, default=DONE)


def _attempted(paper: Paper, asked: Asked, errors: list[Exception], said: list[str]) -> PaperSummary:
    """Compute a paper and write it to its folder; where that fails, say so and note it."""
    try:
        found = _computed(paper, asked)
        plain = plain_results(paper, found)
        figures = write_paper(asked.folder / paper.name, paper, found, plain, said)
    except Exception as error:
        if _from_interrupt(error):
            raise KeyboardInterrupt from error
        errors.append(error)
        if isinstance(error, RocsteadyError):
            show_message(error)
            reason = f"{error.code}: {' '.join(' '.join(error.lines(shell=True)).split())}"
        else:
            reason = f"{type(error).__name__}: {error}"
        return PaperSummary(name=paper.name, paper=paper.title, is_quick=asked.quick, error=reason)
    return PaperSummary.from_results(paper.name, plain, [f"{paper.name}/{name}" for name in figures])


def _computed(paper: Paper, asked: Asked) -> Reproduction:
    with progress_bar(paper.name, paper.quick if asked.quick else paper.full) as progress:
        options = {"data": asked.data, "cache": asked.cache, "progress": progress}
        return paper.reproduced(quick=asked.quick, options=options)


def _from_interrupt(error: BaseException) -> bool:
    """Whether an error is how a library passes on Ctrl-C."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    return cause is not None or str(error) == "Query interrupted"  # DuckDB's words


def _interrupted(what: str, current: Paper) -> NoReturn:
    kept = f" What {current.name} has computed is kept: run it again and it goes on from there."
    say(f"Interrupted. {what}{kept if 'cache' in current.takes else ''}")
    raise typer.Exit(INTERRUPTED)


def _exit_code(papers: Sequence[PaperSummary]) -> int:
    if any(paper.failed for paper in papers):
        return REQUIREMENT_FAILED
    return DATA if any(paper.damaged for paper in papers) else DONE
