"""What every reproduction can do, whatever its paper: be checked, be printed, be drawn, become plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from papers.checks import Checks
from papers.claims import Claim
from papers.drawing import rendered
from rocsteady.results import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURE_FORMATS = ("png", "pdf")
Progress = Callable[[int, int, str], None]
"""Told how many steps are done, how many there are, and what is being done."""


class Steps:
    """Counts the steps of a computation for whoever wants to know.

    Parameters
    ----------
    total : int
        How many there are.
    progress : callable, optional
        Told ``(done, total, what)`` at every step.
    """

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.total, self.done, self._progress = total, 0, progress

    def step(self, doing: str) -> None:
        """One more step is done; what comes next is ``doing``."""
        self.done += 1
        if self._progress is not None:
            self._progress(min(self.done, self.total), self.total, doing)


@dataclass(frozen=True)
class Tabulated:
    """A table to be printed: a caption, headings, and rows in sections.

    Attributes
    ----------
    caption : str
        What the table shows.
    headings : tuple of str
        The first column is text, the others are numbers.
    sections : tuple of (heading, rows)
        A heading may be empty.
    """

    caption: str
    headings: tuple[str, ...]
    sections: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Reproduction(Result):
    """A paper, computed again.

    Attributes
    ----------
    paper : str
        Which one.
    is_quick : bool
        Whether fewer replicates were drawn.
    checks : Checks
        Every number against what it should be.
    notes : tuple of str
        What a reader has to know; where the paper is wrong is in the errata that claims name.
    skipped : tuple of str
        What could not be computed, and what it needs.
    claims : tuple of Claim
        What the paper claims, with what was measured and the verdict.
    damaged : tuple of str
        Files that could not be used, and why: they differ, or a named folder does not hold them. The others
        were used.
    """

    paper: ClassVar[str]
    is_quick: bool
    checks: Checks
    notes: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    damaged: tuple[str, ...] = ()
    _drawings: dict[str, Callable[[], Figure]] = field(default_factory=dict)

    def tables(self) -> list[Tabulated]:
        """What is printed as tables, after the checks."""
        return []

    def passages(self) -> list[tuple[str, Sequence[str]]]:
        """What is printed as text, after the tables: headings and paragraphs."""
        return [("Notes", self.notes)] if self.notes else []

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "paper": self.paper,
            "is_quick": self.is_quick,
            "passed": not self.checks.failed,
            "skipped": list(self.skipped),
            "damaged": list(self.damaged),
            "claims": [claim.to_dict() for claim in self.claims],
            "checks": [check.to_dict() for check in self.checks.entries],
            "notes": list(self.notes),
        }

    def pictures(self) -> Iterator[tuple[str, bytes]]:
        """The figures as files: name and content."""
        for name, draw in self._drawings.items():
            drawing = draw()
            for kind in PICTURE_FORMATS:
                yield f"{name}.{kind}", rendered(drawing, kind)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.checks!r}{', quick' if self.is_quick else ''})"


def picture_files(figures: Sequence[str]) -> list[str]:
    """The files that figures of these names are written to."""
    return [f"{name}.{kind}" for name in figures for kind in PICTURE_FORMATS]


def modern(found: Reproduction, name: str) -> Any:
    """The same as :mod:`papers.paper` has it."""
    from papers import paper

    return paper.Reproduction(
        name=name,
        paper=found.paper,
        is_quick=found.is_quick,
        checks=found.checks.entries,
        claims=tuple(
            paper.Claim(
                claim=own.claim, where=own.where, measured=own.measured, holds=own.holds, caveat=own.correction,
                holds_with_caveat=own.holds_corrected, erratum=own.erratum, chosen_here=own.chosen_here,
            )
            for own in found.claims
        ),
        tables=tuple(
            paper.Table(own.caption, ("", *own.headings), tuple((head, *row) for head, rows in own.sections for row in rows))
            for own in found.tables()
        ),
        figures=tuple(paper.Figure(n, "", "", draw) for n, draw in found._drawings.items()),
        passages=tuple(paper.Passage(h, tuple(p)) for h, p in found.passages() if h != "Notes"),
        notes=found.notes, skipped=found.skipped, damaged=found.damaged,
        numbers=found.to_dict(),
    )  # fmt: skip
