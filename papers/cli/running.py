"""Compute one paper, or all of them one after the other, and write what came out as soon as it is there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import typer

from papers.cli.files import (
    CLAIMS,
    RESULTS,
    drawn,
    plain_results,
    plain_together,
    write_paper,
    write_together,
)
from papers.cli.interrupts import held_back, is_interrupt
from papers.cli.papers import Paper
from papers.cli.printing import show
from papers.cli.progress import progress_bar
from papers.cli.showing import show_failed, show_overall, show_reproduction, show_summary
from papers.pages.summary import PaperSummary
from papers.reproduction import Reproduction
from rocsteady.cli.console import say, show_message
from rocsteady.cli.outcome import DATA, DONE, INTERRUPTED, REQUIREMENT_FAILED
from rocsteady.errors import RocsteadyError
from rocsteady.words import listed


@dataclass(frozen=True)
class Asked:
    """What the user asked for."""

    folder: Path
    quick: bool
    data: Path | None
    cache: Path | None
    as_json: bool
    quiet: bool = False


def run_one(paper: Paper, asked: Asked) -> int:
    """Compute, write and print one paper; the exit code."""
    done: list[PaperSummary] = []
    try:
        found = _computed(paper, asked)
        plain = plain_results(paper, found)
        pictures, fault = drawn(paper, found, [])
        with held_back():
            write_paper(asked.folder, paper, plain, pictures)
            done.append(PaperSummary.from_results(paper.name, plain))
    except (KeyboardInterrupt, Exception) as error:
        if not is_interrupt(error):
            raise
        _interrupted(asked, done, [] if done else [paper])
    if fault is not None:
        raise fault
    if asked.as_json:
        print(json.dumps(plain, indent=2, allow_nan=False))
    elif asked.quiet:
        show_failed(done[0])
    else:
        show_reproduction(found, done[0])
        show(f"Written to {asked.folder}: {listed([*CLAIMS, RESULTS, *pictures], most=10)}.")
    return _exit_code(done)


def run_all(papers: Sequence[Paper], asked: Asked) -> int:
    """All papers, each in a folder of its own, with one page for their claims; the exit code.

    An error in one paper is said and does not stop the others. What is written when an interrupt comes stays.
    """
    done: list[PaperSummary] = []
    errors: list[Exception] = []
    said: list[str] = []
    try:
        for paper in papers:
            _attempt(paper, asked, done, errors, said)
            if asked.quiet and not asked.as_json:
                show_failed(done[-1])
            elif not asked.as_json:
                show_summary(done[-1])
        with held_back():
            write_together(asked.folder, done, quick=asked.quick)
    except KeyboardInterrupt:
        with held_back():  # whoever presses it twice gets the page and the message too
            if any(not paper.error for paper in done):
                write_together(asked.folder, done, quick=asked.quick)
            _interrupted(asked, done, papers[len(done) :])
    if asked.as_json:
        print(json.dumps(plain_together(done, quick=asked.quick), indent=2, allow_nan=False))
    elif not asked.quiet:
        show_overall(done)
        _show_what_is_written(asked.folder, done)
    for error in errors:
        if not isinstance(error, RocsteadyError):
            raise error  # a fault of ours; everything else is written
    codes = [error.exit_code for error in errors if isinstance(error, RocsteadyError)]
    return _exit_code(done) or max(codes, default=DONE)


def _attempt(
    paper: Paper, asked: Asked, done: list[PaperSummary], errors: list[Exception], said: list[str]
) -> None:
    """Compute a paper, write it to its folder and note it in ``done``; where that fails, say so."""
    try:
        found = _computed(paper, asked)
        plain = plain_results(paper, found)
        pictures, fault = drawn(paper, found, said)
        errors += [] if fault is None else [fault]
        files = [f"{paper.name}/{name}" for name in pictures]
        with held_back():  # a Ctrl-C comes before all of a paper's files or after them
            write_paper(asked.folder / paper.name, paper, plain, pictures)
            done.append(PaperSummary.from_results(paper.name, plain, files))
    except Exception as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        errors.append(error)
        if isinstance(error, RocsteadyError):
            show_message(error)
            reason = f"{error.code}: {' '.join(' '.join(error.lines(shell=True)).split())}"
        else:
            reason = f"{type(error).__name__}: {error}"
        done.append(PaperSummary(name=paper.name, paper=paper.title, is_quick=asked.quick, error=reason))


def _computed(paper: Paper, asked: Asked) -> Reproduction:
    patience = paper.quick if asked.quick else paper.full
    with progress_bar(paper.name, patience, quiet=asked.quiet) as progress:
        options = {"data": asked.data, "cache": asked.cache, "progress": progress}
        return paper.reproduced(quick=asked.quick, options=options)


def _show_what_is_written(folder: Path, papers: Sequence[PaperSummary]) -> None:
    written = [f"{paper.name}/" for paper in papers if not paper.error]
    show(f"Written to {folder}: {listed([*CLAIMS, RESULTS, *written], most=10)}.")
    old = [f"{paper.name}/" for paper in papers if paper.error and (folder / paper.name / RESULTS).exists()]
    if old:
        show(f"Of an earlier run: {listed(old)}.")


def _interrupted(asked: Asked, done: Sequence[PaperSummary], left: Sequence[Paper]) -> NoReturn:
    """Say what is there, what is not, and how to go on."""
    written = [paper.name for paper in done if not paper.error]
    sentences = ["Interrupted."]
    if written:
        sentences.append(f"{asked.folder} holds {listed(written)}.")
    else:
        sentences.append("Nothing was written.")
    if left:
        sentences.append(f"Not finished: {listed([paper.name for paper in left])}.")
        if "cache" in left[0].takes:
            kept = f"What {left[0].name} has computed is kept"
            sentences.append(f"{kept}: run it again and it goes on from there.")
        if written:
            sentences.append("The same folder can be used again with --overwrite.")
    say(" ".join(sentences))
    raise typer.Exit(INTERRUPTED)


def _exit_code(papers: Sequence[PaperSummary]) -> int:
    if any(paper.failed for paper in papers):
        return REQUIREMENT_FAILED
    return DATA if any(paper.damaged for paper in papers) else DONE
