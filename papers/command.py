"""``python -m papers``: the figures and claims of the papers, computed again and checked.

Messages and exit codes are those of ``rocsteady``: 0 done, 1 a number is not what it should be, 2 usage,
3 data that are missing or damaged, 70 a bug, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from papers import pages
from papers.files import (
    CLAIMS,
    RESULTS,
    held_back,
    is_interrupt,
    refuse_to_replace,
    require_writable,
    write_all,
    write_paper,
)
from papers.paper import Reproduction, picture_files
from rocsteady.cli import outcome
from rocsteady.cli.console import say, show_blocks, show_message, working
from rocsteady.errors import MissingPackageError, RocsteadyError, fail
from rocsteady.text import ML
from rocsteady.words import listed, shell

NAME = "python -m papers"
EXTRA = "pip install 'rocsteady[plot,sklearn]'"
_PACKAGES = {"sklearn": "scikit-learn", "matplotlib": "Matplotlib", "joblib": "joblib", "pandas": "pandas"}
MOST_FAILED = 10
"""Numbers that are off which a summary names; results.json has all."""


# The papers ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Paper:
    """A paper, and how it is reproduced; its code is loaded when it is asked for.

    ``module``, which names its ``FIGURES``, has the ``function`` that computes it, and ``takes`` some of
    data, cache and progress; ``own`` is what else the function is given. ``quick`` and ``full`` say about how
    long it takes; nothing where that is not known.
    """

    name: str
    title: str
    module: str
    function: str
    takes: str
    quick: str
    full: str
    own: Mapping[str, Any] = field(default_factory=dict)

    def picture_names(self) -> tuple[str, ...]:
        """The files its figures are written to; none where a package is missing, which its turn says."""
        try:
            return picture_files(import_module(self.module).FIGURES)
        except (MissingPackageError, ModuleNotFoundError):
            return ()

    def reproduced(self, *, quick: bool, options: Mapping[str, Any]) -> Reproduction:
        """Compute it; options that it does not take are left out. RS061 if a package is not installed."""
        try:
            function = getattr(import_module(self.module), self.function)
            used = {name: value for name, value in options.items() if name in self.takes.split()}
            found: Reproduction = function(quick=quick, **used, **self.own)
        except MissingPackageError as error:
            raise with_extra(error) from error
        except ModuleNotFoundError as error:
            package = _PACKAGES.get((error.name or "").partition(".")[0])
            if package is None:
                raise
            raise fail("RS061.paper", paper=self.name, package=package, extra=EXTRA) from error
        return replace(found, name=self.name)


def with_extra(error: MissingPackageError) -> MissingPackageError:
    """The same error, with the one line that installs whatever a reproduction needs."""
    return MissingPackageError(error.code, error.problem, error.found, EXTRA)


PAPERS = {
    own.name: own
    for own in (
        Paper(
            "averaging", "Hogan and Adams, On Averaging ROC Curves",
            "papers.averaging_roc.run", "reproduce_averaging", "progress", "ten seconds", "a minute",
        ),
        Paper(
            "operating-points", "Paclik and others, operating points with variances",
            "papers.operating_points.run", "reproduce_operating_points", "data progress",
            "ten seconds", "a minute",
        ),
        Paper(
            "smroc", "Klement and others, smooth ROC curves",
            "papers.smroc.run", "reproduce_smroc", "data cache progress", "half a minute", "three minutes",
        ),
        Paper(
            "slides", "Sakellaropoulos, lecture slides",
            "papers.slides.run", "reproduce_slides", "", "five seconds", "five seconds",
        ),
    )
}  # fmt: skip
"""By name, in the order in which ``all`` goes through them."""


class Choice(StrEnum):
    """What a user can name."""

    AVERAGING = "averaging"
    OPERATING_POINTS = "operating-points"
    SMROC = "smroc"
    SLIDES = "slides"
    ALL = "all"


_HELP = " ".join(f"{own.name}: {own.title}." for own in PAPERS.values())
_HELP += " all: one after the other (default)."


# The command --------------------------------------------------------------------------------------------


def run(arguments: Sequence[str]) -> int:
    """Compute papers in this process and return the exit code."""
    return outcome.run(arguments, command, NAME)


@cache
def command() -> Any:
    """The one command, made once."""
    from rocsteady.cli.careful_command import CarefulCommand

    app = typer.Typer(rich_markup_mode="rich", add_completion=False)
    app.command(cls=CarefulCommand, context_settings={"help_option_names": ["--help", "-h"]})(reproduce)
    return typer.main.get_command(app)


def reproduce(
    paper: Annotated[Choice, typer.Argument(metavar="PAPER", help=_HELP, show_default=False)] = Choice.ALL,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "--output", "-o", metavar="DIR",
            help="Folder to write figures, claims and results into (default: rocsteady-PAPER).",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="DIR",
            help="operating-points and smroc: folder that holds uci/ (default: $ROCSTEADY_DATA).",
        ),
    ] = None,
    cache_in: Annotated[
        Path | None,
        typer.Option(
            "--cache", metavar="DIR",
            help="smroc: folder that keeps finished runs, so that a run that was stopped goes on "
            "(default: $ROCSTEADY_CACHE, else nothing is kept).",
        ),
    ] = None,
    data_set: Annotated[
        list[Path] | None,
        typer.Option(
            "--data-set", metavar="FILE",
            help="smroc: run the paper's experiment on this CSV or TSV file instead; may be repeated.",
        ),
    ] = None,
    label: Annotated[
        str, typer.Option("--class", metavar="COLUMN", help="The column of its class.", show_default=False)
    ] = "",
    positive: Annotated[
        str, typer.Option("--positive", metavar="LABEL", help="Its positive class.", show_default=False)
    ] = "",
    quick: Annotated[
        bool, typer.Option("--quick", metavar="", help="Fewer replicates: all papers in a minute or two.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", metavar="", help="Replace figures and results in the folder.")
    ] = False,
) -> None:  # fmt: skip
    """Compute a paper's figures and claims again, check every number, write figures and claims.

    Exit 1 if a number is not what it should be, 3 if data are missing or damaged.
    """
    papers = list(PAPERS.values()) if paper is Choice.ALL else [PAPERS[paper.value]]
    if data_set or label or positive:
        if paper is Choice.SMROC and data_set and not label:
            raise fail("RS002.no-class", n=len(data_set), file=shell([str(data_set[0])]))
        if paper is not Choice.SMROC or not data_set:
            raise fail("RS002.set-of-smroc", paper=paper.value, n=len(data_set or ()))
        mine = {"files": data_set, "label": label, "positive": positive or None}
        own_study = replace(papers[0], module="papers.smroc.own", function="study_of_files", own=mine)
        papers = [replace(own_study, takes="cache progress", quick="", full="")]
    for option, given in (("data", data), ("cache", cache_in)):
        if given is not None and not any(option in own.takes for own in papers):
            other = next(own.name for own in PAPERS.values() if option in own.takes)
            raise fail(
                "RS002.paper-data" if option == "data" else "RS002.paper-cache",
                papers=[own.name for own in papers],
                folder=given,
                other=other,
            )
    folder = out if out is not None else Path(f"rocsteady-{paper.value}")
    places = {own.name: folder / own.name if paper is Choice.ALL else folder for own in papers}
    written = {folder: [RESULTS, *CLAIMS]}
    for own in papers:
        written[places[own.name]] = [RESULTS, *CLAIMS, *own.picture_names()]
    for place in written:
        require_writable(place)
    names = [place.relative_to(folder) / name for place, own_names in written.items() for name in own_names]
    refuse_to_replace(folder, names, overwrite=overwrite)
    if cache_in is None and os.environ.get("ROCSTEADY_CACHE"):
        cache_in = Path(os.environ["ROCSTEADY_CACHE"])
    raise typer.Exit(Run(papers, places, folder, quick).through({"data": data, "cache": cache_in}))


@dataclass
class Run:
    """Papers one after the other, each written to its place as soon as it is there.

    Papers whose places are not the ``folder`` itself have one page for all in it.
    """

    papers: Sequence[Paper]
    places: Mapping[str, Path]
    folder: Path
    quick: bool
    done: list[Reproduction] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)

    @property
    def is_of_several(self) -> bool:
        """Whether one page is for all."""
        return self.folder not in self.places.values()

    def through(self, options: Mapping[str, Any]) -> int:
        """Compute, write and show; the exit code.

        An error in one of several papers is said and does not stop the others. What is written when an
        interrupt comes stays.
        """
        try:
            for paper in self.papers:
                self._attempt(paper, options)
        except KeyboardInterrupt:
            with held_back():  # whoever presses it twice gets the message too
                say(self._interrupted(self.papers[len(self.done) :], is_kept=options["cache"] is not None))
            return outcome.INTERRUPTED
        _show([*(pages.overall(self.done) if self.is_of_several else ()), self._written()])
        for error in self.errors:
            if not isinstance(error, RocsteadyError):
                raise error  # a fault of ours; everything else is written
        if any(own.failed for own in self.done):
            return outcome.REQUIREMENT_FAILED
        damaged = outcome.DATA if any(own.damaged for own in self.done) else outcome.DONE
        return damaged or max((getattr(own, "exit_code", 0) for own in self.errors), default=0)

    def _attempt(self, paper: Paper, options: Mapping[str, Any]) -> None:
        """Compute a paper, write it to its folder and note it; where that fails, say so or raise."""
        pictures: dict[str, bytes] = {}
        try:
            found, pictures = self._computed(paper, options)
        except Exception as error:
            if is_interrupt(error):
                raise KeyboardInterrupt from error
            if not self.is_of_several:
                raise
            found = self._failed(paper, error)
        with held_back():  # a Ctrl-C comes before all of a paper's files or after them
            if not found.error:
                write_paper(self.places[paper.name], found, pictures, paper.picture_names())
            self.done.append(found)
            if self.is_of_several and any(not own.error for own in self.done):
                write_all(self.folder, self.done, is_quick=self.quick)
        if self.is_of_several:
            _show(_in_short(found))
        else:
            show_blocks(pages.on_terminal(found), ML)

    def _computed(self, paper: Paper, options: Mapping[str, Any]) -> tuple[Reproduction, dict[str, bytes]]:
        """The reproduction with those figures that could be drawn, and their files.

        The numbers are worth writing without figures: where Matplotlib is missing that is said once.
        """
        patience = paper.quick if self.quick else paper.full
        if patience:
            say(f"{paper.name}: about {patience}.")
        with working(f"{paper.name}: about {patience}" if patience else paper.name) as tell:

            def progress(done: int, total: int, doing: str) -> None:
                tell(f"{paper.name}: {done} of {total}, {doing}")

            found = paper.reproduced(quick=self.quick, options={**options, "progress": progress})
            pictures: dict[str, bytes] = {}
            drawn = []
            try:
                for figure in found.figures:
                    tell(f"{paper.name}: drawing {figure.title}")
                    pictures |= dict(figure.pictures())
                    drawn.append(figure)
            except MissingPackageError as error:
                if error.problem not in self.missing:
                    self.missing.add(error.problem)
                    show_message(with_extra(error))
            except Exception as error:
                if is_interrupt(error):
                    raise
                self.errors.append(error)
        return replace(found, figures=tuple(drawn)), pictures

    def _failed(self, paper: Paper, error: Exception) -> Reproduction:
        self.errors.append(error)
        reason = f"{type(error).__name__}: {error}"
        if isinstance(error, RocsteadyError):
            show_message(error)
            reason = f"{error.code}: {' '.join(' '.join(error.lines(shell=True)).split())}"
        return Reproduction(name=paper.name, paper=paper.title, is_quick=self.quick, error=reason)

    def _written(self) -> str:
        """Where everything is."""
        names = [*CLAIMS, RESULTS]
        if not self.is_of_several:
            names += [name for figure in self.done[0].figures for name in figure.files]
        else:
            names += [f"{own.name}/" for own in self.done if not own.error]
        return f"Written to {self.folder}: {listed(names, most=10)}."

    def _interrupted(self, left: Sequence[Paper], *, is_kept: bool) -> str:
        """What is there, what is not, and how to go on."""
        written = [own.name for own in self.done if not own.error]
        sentences = ["Interrupted."]
        sentences.append(f"{self.folder} holds {listed(written)}." if written else "Nothing was written.")
        if left:
            sentences.append(f"Not finished: {listed([paper.name for paper in left])}.")
            if "cache" in left[0].takes:
                kept = "kept: run it again and it goes on from there."
                lost = "lost; with --cache DIR it is kept."
                sentences.append(f"What {left[0].name} has computed is {kept if is_kept else lost}")
            if written:
                sentences.append("The same folder can be used again with --overwrite.")
        return " ".join(sentences)


def _in_short(found: Reproduction) -> list[str]:
    """One of several papers: what came out, what failed and what is missing."""
    # Standard error has the whole message of an error already.
    said = [f"Not computed: {found.error.partition(':')[0]}."] if found.error else pages.outcome(found)
    failed = [f"FAILED: {check.in_words}" for check in found.failed]
    more = [f"... and {len(failed) - MOST_FAILED} more."] if len(failed) > MOST_FAILED else []
    damaged = [f"Damaged or missing: {line}" for line in found.damaged]
    left = [f"Left out: {line}" for line in found.skipped]
    return [f"{found.name}: {found.paper}", *said, *failed[:MOST_FAILED], *more, *damaged, *left, ""]


def _show(lines: Sequence[str]) -> None:
    show_blocks(list(map(pages.own_words, lines)), ML, is_apart=False)
