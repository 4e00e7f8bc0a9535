"""``python -m papers``: the figures and claims of the papers, computed again and checked.

Messages and exit codes are those of ``rocsteady``: 0 done, 1 a number is not what it should be, 2 usage,
3 data that are missing or damaged, 70 a bug, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from papers import pages
from papers.files import (
    CLAIMS,
    RESULTS,
    SCHEMA_VERSION,
    held_back,
    is_interrupt,
    plain_results,
    refuse_to_replace,
    require_writable,
    write_claims,
    write_json,
    write_paper,
)
from papers.paper import Progress, Reproduction, picture_files
from rocsteady.cli import outcome
from rocsteady.cli.console import PATIENCE, console, is_colourless, say, show_blocks, show_message, working
from rocsteady.errors import MissingPackageError, RocsteadyError, fail
from rocsteady.text import ML
from rocsteady.words import listed, printable

NAME = "python -m papers"
EXTRA = "pip install 'rocsteady[plot,sklearn]'"
_PACKAGES = {"sklearn": "scikit-learn", "matplotlib": "Matplotlib", "joblib": "joblib", "pandas": "pandas"}
MOST_FAILED = 10
"""Numbers that are off which a summary names; results.json has all."""


# The papers ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Paper:
    """A paper, and how it is reproduced; its code is loaded when it is asked for.

    Attributes
    ----------
    name, title : str
        On the command line; in a few words.
    module, function : str
        What computes it. The module names its ``FIGURES``.
    takes : frozenset of str
        Which of ``data``, ``cache`` and ``progress`` the function has.
    quick, full : str
        About how long it takes, in words.
    own : mapping
        What else the function is given: data of the user's.
    """

    name: str
    title: str
    module: str
    function: str
    takes: frozenset[str]
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
            used = {name: value for name, value in options.items() if name in self.takes}
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


_TITLES = {
    "averaging": ("Hogan and Adams, On Averaging ROC Curves", "ten seconds", "a minute"),
    "operating-points": ("Paclik and others, operating points with variances", "ten seconds", "a minute"),
    "smroc": ("Klement and others, smooth ROC curves", "half a minute", "three minutes"),
    "slides": ("Sakellaropoulos, lecture slides", "five seconds", "five seconds"),
}
_FOLDERS = {"averaging": "averaging_roc"}
_TAKES = {"averaging": "progress", "operating-points": "data progress", "smroc": "data cache progress"}


def _paper(name: str) -> Paper:
    own = name.replace("-", "_")
    title, quick, full = _TITLES[name]
    takes = frozenset(_TAKES.get(name, "").split())
    return Paper(name, title, f"papers.{_FOLDERS.get(name, own)}.run", f"reproduce_{own}", takes, quick, full)


PAPERS = {name: _paper(name) for name in _TITLES}
"""By name, in the order in which ``all`` goes through them."""


def _on_own_data(paper: Paper, files: Sequence[Path], label: str, positive: str | None) -> Paper:
    """The experiment of a paper on data of the user's."""
    own = {"files": files, "label": label, "positive": positive}
    takes = frozenset({"cache", "progress"})
    return replace(paper, module="papers.smroc.own", function="study_of_files", takes=takes, own=own)


class Choice(StrEnum):
    """What a user can name."""

    AVERAGING = "averaging"
    OPERATING_POINTS = "operating-points"
    SMROC = "smroc"
    SLIDES = "slides"
    ALL = "all"


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


_HELP = " ".join(f"{own.name}: {own.title}." for own in PAPERS.values())
_HELP += " all: one after the other (default)."


def reproduce(
    paper: Annotated[
        Choice,
        typer.Argument(metavar="PAPER", help=_HELP, show_default=False),
    ] = Choice.ALL,
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
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print JSON on standard output, nothing else.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", metavar="", help="Only errors, and what is not as it should be.")
    ] = False,
) -> None:  # fmt: skip
    """Compute a paper's figures and claims again, check every number, write figures and claims.

    Exit 1 if a number is not what it should be, 3 if data are missing or damaged.
    """
    papers = list(PAPERS.values()) if paper is Choice.ALL else [PAPERS[paper.value]]
    if data_set or label or positive:
        if paper is not Choice.SMROC or not data_set or not label:
            found = f"{paper.value}, {len(data_set or ())} data sets, class {label!r}"
            raise fail("RS002.set-of-smroc", found=found)
        papers = [_on_own_data(PAPERS[paper.value], data_set, label, positive or None)]
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
    together = paper is Choice.ALL
    places = {own.name: folder / own.name if together else folder for own in papers}
    for place in dict.fromkeys([folder, *places.values()]):
        require_writable(place)
    files = [
        place.relative_to(folder) / name
        for own in papers
        for place in [places[own.name]]
        for name in (RESULTS, *CLAIMS, *own.picture_names())
    ]
    refuse_to_replace(folder, [*map(Path, (RESULTS, *CLAIMS)), *files], overwrite=overwrite)
    if cache_in is None and os.environ.get("ROCSTEADY_CACHE"):
        cache_in = Path(os.environ["ROCSTEADY_CACHE"])
    asked = Asked(folder, quick, data, cache_in, as_json, quiet, together)
    raise typer.Exit(Run(papers, asked).through())


@dataclass(frozen=True)
class Asked:
    """What the user asked for; papers that are ``together`` have a folder each, and one page for all."""

    folder: Path
    quick: bool
    data: Path | None
    cache: Path | None
    as_json: bool
    quiet: bool
    together: bool


class Run:
    """Papers one after the other, each written as soon as it is there."""

    def __init__(self, papers: Sequence[Paper], asked: Asked) -> None:
        self.papers, self.asked = papers, asked
        self.done: list[Reproduction] = []
        self.errors: list[Exception] = []
        self._said: set[str] = set()

    def through(self) -> int:
        """Compute, write and show; the exit code.

        An error in one paper is said and does not stop the others. What is written when an interrupt comes
        stays.
        """
        try:
            for paper in self.papers:
                self._attempt(paper)
            with held_back():
                self._write_together()
        except KeyboardInterrupt:
            with held_back():  # whoever presses it twice gets the page and the message too
                if any(not own.error for own in self.done):
                    self._write_together()
                self._interrupted()
        if self.asked.as_json:
            print(json.dumps(self._plain(), indent=2, allow_nan=False))
        elif not self.asked.quiet:
            self._say_what_is_written()
        for error in self.errors:
            if not isinstance(error, RocsteadyError):
                raise error  # a fault of ours; everything else is written
        failed = any(own.failed for own in self.done)
        damaged = any(own.damaged for own in self.done)
        code = outcome.REQUIREMENT_FAILED if failed else outcome.DATA if damaged else outcome.DONE
        return code or max(
            (own.exit_code for own in self.errors if isinstance(own, RocsteadyError)), default=0
        )

    def _attempt(self, paper: Paper) -> None:
        """Compute a paper, write it to its folder and note it; where that fails, say so or raise."""
        place = self.asked.folder / paper.name if self.asked.together else self.asked.folder
        try:
            found, pictures = self._drawn(paper, self._computed(paper))
            with held_back():  # a Ctrl-C comes before all of a paper's files or after them
                write_paper(place, found, pictures, paper.picture_names())
                self.done.append(found)
        except Exception as error:
            if is_interrupt(error):
                raise KeyboardInterrupt from error
            if not self.asked.together:
                raise
            self._failed(paper, error)
        if not self.asked.as_json:
            self._show(self.done[-1])

    def _computed(self, paper: Paper) -> Reproduction:
        patience = paper.quick if self.asked.quick else paper.full
        with progress_bar(paper.name, patience, quiet=self.asked.quiet) as progress:
            options = {"data": self.asked.data, "cache": self.asked.cache, "progress": progress}
            return paper.reproduced(quick=self.asked.quick, options=options)

    def _drawn(self, paper: Paper, found: Reproduction) -> tuple[Reproduction, dict[str, bytes]]:
        """The reproduction with those figures that could be drawn, and their files.

        The numbers are worth writing without figures: where Matplotlib is missing that is said once.
        """
        pictures: dict[str, bytes] = {}
        drawn = []
        try:
            with working(f"{paper.name}: drawing the figures"):
                for figure in found.figures:
                    pictures |= dict(figure.pictures())
                    drawn.append(figure)
        except MissingPackageError as error:
            missing = with_extra(error)
            if str(missing) not in self._said:
                self._said.add(str(missing))
                show_message(missing)
        except Exception as error:
            if is_interrupt(error):
                raise KeyboardInterrupt from error
            self.errors.append(error)
        return replace(found, figures=tuple(drawn)), pictures

    def _failed(self, paper: Paper, error: Exception) -> None:
        self.errors.append(error)
        if isinstance(error, RocsteadyError):
            show_message(error)
            reason = f"{error.code}: {' '.join(' '.join(error.lines(shell=True)).split())}"
        else:
            reason = f"{type(error).__name__}: {error}"
        found = Reproduction(name=paper.name, paper=paper.title, is_quick=self.asked.quick, error=reason)
        self.done.append(found)

    def _write_together(self) -> None:
        """The claims of all papers on one page, and what became of each."""
        if self.asked.together:
            write_json(self.asked.folder / RESULTS, self._plain())
            write_claims(self.asked.folder, self.done, together=True)

    def _plain(self) -> dict[str, Any]:
        """What is written for all papers together, and printed."""
        if not self.asked.together:
            return plain_results(self.done[0])
        return {
            "schema_version": SCHEMA_VERSION,
            "reproduction": "all",
            "is_quick": self.asked.quick,
            "passed": not any(own.failed or own.error for own in self.done),
            "summary": " ".join(pages.overall(self.done)),
            "papers": [own.to_dict(numbers=False) for own in self.done],
        }

    def _show(self, found: Reproduction) -> None:
        """One paper in full; of several what came out, what failed and what is missing."""
        failed = [f"FAILED: {check.in_words}" for check in found.failed]
        lines = failed[:MOST_FAILED]
        lines += [f"... and {len(failed) - MOST_FAILED} more."] if len(failed) > MOST_FAILED else []
        lines += [f"Damaged or missing: {line}" for line in found.damaged]
        if not self.asked.quiet:
            if not self.asked.together:
                show_blocks(pages.on_terminal(found), ML)
                return
            # Standard error has the whole message of an error already.
            said = (
                [f"Not computed: {found.error.partition(':')[0]}."] if found.error else pages.outcome(found)
            )
            left = [f"Left out: {line}" for line in found.skipped]
            lines = [f"{found.name}: {found.paper}", *said, *lines, *left, ""]
        show_blocks(list(map(pages.own_words, lines)), ML, is_apart=False)

    def _say_what_is_written(self) -> None:
        folder, names = self.asked.folder, [*CLAIMS, RESULTS]
        lines = []
        if self.asked.together:
            names += [f"{own.name}/" for own in self.done if not own.error]
            old = [
                f"{own.name}/" for own in self.done if own.error and (folder / own.name / RESULTS).exists()
            ]
            lines = [*pages.overall(self.done), *([f"Of an earlier run: {listed(old)}."] if old else [])]
        else:
            names += [name for figure in self.done[0].figures for name in figure.files]
        lines.append(f"Written to {folder}: {listed(names, most=10)}.")
        show_blocks(list(map(pages.own_words, lines)), ML, is_apart=False)

    def _interrupted(self) -> NoReturn:
        """Say what is there, what is not, and how to go on."""
        written = [own.name for own in self.done if not own.error]
        left = self.papers[len(self.done) :]
        sentences = [
            "Interrupted.",
            f"{self.asked.folder} holds {listed(written)}." if written else "Nothing was written.",
        ]
        if left:
            sentences.append(f"Not finished: {listed([paper.name for paper in left])}.")
            if "cache" in left[0].takes:
                has = f"What {left[0].name} has computed is"
                on = f"{has} kept: run it again and it goes on from there."
                sentences.append(on if self.asked.cache else f"{has} lost; with --cache DIR it is kept.")
            if written:
                sentences.append("The same folder can be used again with --overwrite.")
        say(" ".join(sentences))
        raise typer.Exit(outcome.INTERRUPTED)


@contextmanager
def progress_bar(name: str, patience: str, *, quiet: bool = False) -> Iterator[Progress | None]:
    """A function to be told ``(done, total, what is being done)``; None where nobody would see it.

    ``patience`` says how long it may take, until that can be seen. The bar appears after two seconds, and it
    leaves nothing behind. Until it is told how much there is to do, it only moves.
    """
    screen = console(stderr=True)
    if quiet or is_colourless() or not screen.is_terminal:  # a bar moves by escape codes
        if not quiet:
            say(f"{name}: about {patience}.")
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.table import Column

    # Words are of any length: on a narrow terminal they are cut, and the bar stays as it is.
    words = Column(ratio=1, no_wrap=True, overflow="crop")
    columns = (
        BarColumn(bar_width=20, table_column=Column(min_width=20)),
        TextColumn("{task.percentage:>3.0f} %", table_column=Column(min_width=5, no_wrap=True)),
        TimeElapsedColumn(table_column=Column(min_width=7, no_wrap=True)),
        TimeRemainingColumn(compact=True, table_column=Column(min_width=5, no_wrap=True)),
        TextColumn("{task.description}", markup=False, table_column=words),
    )
    bar = Progress(*columns, console=screen, transient=True, expand=True)
    task = bar.add_task(f"{name}, about {patience}", total=None)

    def tell(done: int, total: int, doing: str) -> None:
        bar.update(
            task, completed=done, total=total, description=f"{name}: {printable(doing)}" if doing else name
        )

    timer = threading.Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        timer.cancel()
        timer.join()  # it may be just about to start what is stopped here
        bar.stop()
