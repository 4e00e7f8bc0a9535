"""What a reproduction consists of: checks, claims, tables, figures, passages; and how all of it becomes data.

A paper's module computes, and fills a :class:`Reproduction` with values of these kinds. Pages and the command
(:mod:`papers.pages`, :mod:`papers.command`) show them; they compute nothing. A verdict follows from numbers.

>>> rain = Claim(claim="It rains.", where="p. 1", measured="It does, on one roof of ours.", holds=True)
>>> shade = Claim(claim="It is dark.", where="p. 1", measured="At night.", holds=False, caveat="At night.",
...     holds_with_caveat=True)
>>> print(rain.verdict, "|", shade.verdict)
reproduced | holds with a caveat
>>> found = Reproduction(name="rain", paper="On Rain", claims=(rain, shade),
...     checks=(exact("roof", "drops", 3, 3), exact("roof", "litres", 1, 2)))
>>> found
Reproduction(rain: 2 claims, 1 of 2 checks failed)
>>> [check.name for check in found.failed]
['litres']
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rocsteady.results import Result, plain
from rocsteady.words import counted

# Checks -------------------------------------------------------------------------------------------------

MONTE_CARLO_FACTOR = 4.0
"""Standard errors that a simulated number may be off: one check in 16 000 fails by chance."""


@dataclass(frozen=True, eq=False, repr=False)
class Check(Result):
    """A number ``found`` and what it should be, under a section (a figure, a claim) and a name.

    ``tolerance`` is the largest difference that passes, ``tolerance_from`` where that comes from.
    """

    section: str
    name: str
    expected: float
    found: float
    tolerance: float
    tolerance_from: str

    _told: ClassVar[tuple[str, ...]] = ("passed",)

    @property
    def passed(self) -> bool:
        """Whether the number is as close as it has to be; NaN never is."""
        return bool(abs(self.found - self.expected) <= self.tolerance)

    @property
    def in_words(self) -> str:
        """One line, for those that are off."""
        numbers = f"expected {self.expected:.9g}, found {self.found:.9g}"
        return f"{self.section}, {self.name}: {numbers} ({self.tolerance_from})"

    def __repr__(self) -> str:
        verdict = "passed" if self.passed else "FAILED"
        return (
            f"Check({self.section}, {self.name}: found {self.found:.6g}, expected {self.expected:.6g} "
            f"within {self.tolerance:.2g}, {verdict})"
        )


def simulated(
    section: str,
    name: str,
    expected: float,
    found: float,
    standard_error: float,
    source: str,
    df: float = np.inf,
) -> Check:
    """A check of a simulated number, whose tolerance is four of its Monte-Carlo standard errors.

    Where the standard error is itself estimated from few replicates, ``df`` says how well, and Student's t
    takes the place of the four so that chance fails the check no more often.
    """
    from scipy.special import ndtr, stdtrit

    factor = MONTE_CARLO_FACTOR if np.isinf(df) else float(-stdtrit(df, ndtr(-MONTE_CARLO_FACTOR)))
    tolerance, source = factor * float(standard_error), f"{factor:.3g} standard errors, {source}"
    return Check(section, name, float(expected), float(found), tolerance, source)


def binomial(section: str, name: str, expected: float, found: float, n: int) -> Check:
    """A check of a share of n independent replicates, as strict as four standard errors of a normal number.

    Near 0 and 1 a share is not normal, so the limits are those of the binomial distribution itself.
    """
    from scipy.special import bdtr, bdtrc, ndtr

    counts, chance = np.arange(n + 1), ndtr(-MONTE_CARLO_FACTOR)
    possible = (bdtr(counts, n, expected) >= chance) & (bdtrc(counts - 1, n, expected) >= chance)
    tolerance = float(np.abs(counts[possible] / n - expected).max())
    return Check(section, name, expected, found, tolerance, f"binomial limits, {n} replicates")


def exact(section: str, name: str, expected: float, found: float, tolerance: float = 1e-12) -> Check:
    """A check of an identity: only rounding may separate the two numbers."""
    return Check(section, name, float(expected), float(found), tolerance, "identity; rounding only")


# Claims -------------------------------------------------------------------------------------------------

REPRODUCED = "reproduced"
CONSISTENT = "consistent with"
CAVEAT = "holds with a caveat"
FALSE = "false as printed"
VERDICTS = (REPRODUCED, CONSISTENT, CAVEAT, FALSE)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Claim(Result):
    """One claim of a paper and what was measured, in a sentence each.

    ``holds`` is whether the numbers bear it out as it is printed, ``holds_with_caveat`` whether they do under
    a condition, the ``caveat``; the negation of a claim is none. ``instead`` is what is true of a claim that
    is false as printed, ``erratum`` the entry that says more, such as ``"H3"``. What is ``chosen_here`` rests
    on data or parameters that were chosen here, because the paper gives none.
    """

    claim: str
    where: str
    measured: str
    holds: bool
    caveat: str = ""
    holds_with_caveat: bool = False
    instead: str = ""
    erratum: str = ""
    chosen_here: bool = False

    _told: ClassVar[tuple[str, ...]] = ("verdict",)

    @property
    def verdict(self) -> str:
        """One of :data:`VERDICTS`: it follows from the numbers."""
        if self.holds:
            return CONSISTENT if self.chosen_here else REPRODUCED
        return CAVEAT if self.caveat and self.holds_with_caveat else FALSE

    @property
    def remark(self) -> str:
        """What belongs beside the verdict: the caveat, or what is true instead."""
        return {CAVEAT: self.caveat, FALSE: self.instead}.get(self.verdict, "")

    def __repr__(self) -> str:
        return f"Claim({self.where}: {self.claim} {self.verdict})"


def verdict_counts(claims: Iterable[Claim]) -> dict[str, int]:
    """How many claims have each verdict; all four are named."""
    found = [claim.verdict for claim in claims]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def tiny(gap: float) -> str:
    """A gap that should be nothing, in words that do not pretend to digits.

    >>> tiny(0.0), tiny(1.3e-16), tiny(0.0022)
    ('0', '1e-16', '0.0022')
    """
    return f"{gap:.4f}" if gap >= 0.001 else f"{gap:.0e}" if gap else "0"


# What is shown ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A table of words and of numbers that are already spelled; a column of numbers is set right.

    >>> Table("Areas", ("set", "AUC"), (("iris", "0.987"), ("wine", "–"))).numeric
    (False, True)
    """

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if any(len(row) != len(self.headings) for row in self.rows):
            raise ValueError(f"every row of {self.caption!r} has a cell for each of {self.headings}")

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns hold numbers."""
        columns = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.headings)
        return tuple(any(column) and all(map(_is_number, column)) for column in columns)


def _is_number(cell: str) -> bool:
    return cell in ("", "–") or cell.lstrip("+-−±.<≤≥ ")[:1].isdigit()


@dataclass(frozen=True)
class Passage:
    """A heading with paragraphs: a story, a table in words."""

    heading: str
    paragraphs: tuple[str, ...]


PICTURE_FORMATS = ("png", "pdf")


@dataclass(frozen=True)
class Figure:
    """A figure of the paper, drawn again, under the paper's caption.

    ``name`` is that of its files, such as ``"figure_1"``; ``differs`` says what is different here: data,
    design, something added. ``draw`` makes a :class:`rocsteady.figures.spec.Picture`.
    """

    name: str
    caption: str
    differs: str
    draw: Callable[[], Any] = field(repr=False)

    @property
    def title(self) -> str:
        """The name in words: ``Figure 1``."""
        words = self.name.replace("_", " ")
        return words[:1].upper() + words[1:]

    @property
    def files(self) -> tuple[str, ...]:
        """What it is written to; pages show the first."""
        return picture_files([self.name])

    def pictures(self) -> Iterator[tuple[str, bytes]]:
        """The figure as files: name and content."""
        from rocsteady.figures.matplotlib import figure, rendered
        from rocsteady.text import ML

        drawing = figure(self.draw(), ML)
        for kind, name in zip(PICTURE_FORMATS, self.files, strict=True):
            yield name, rendered(drawing, kind)


def picture_files(names: Sequence[str]) -> tuple[str, ...]:
    """The files that figures of these names are written to."""
    return tuple(f"{name}.{kind}" for name in names for kind in PICTURE_FORMATS)


# The whole ----------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """What comes of one subject of a paper: a :class:`Reproduction` is put together of several."""

    checks: Iterable[Check] = ()
    claims: Iterable[Claim] = ()
    tables: Iterable[Table] = ()
    figures: Iterable[Figure] = ()
    numbers: Mapping[str, Any] = {}

    @classmethod
    def joined(cls, parts: Sequence[Part]) -> Part:
        """All of them, in order."""
        lists: Any = (
            tuple(chain.from_iterable(own)) for own in zip(*(part[:4] for part in parts), strict=True)
        )
        checks, claims, tables, figures = lists
        numbers = {name: own for part in parts for name, own in part.numbers.items()}
        return cls(checks, claims, tables, figures, numbers)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Reproduction(Result):
    """A paper, computed again: its name on the command line, authors and title, and what came of it.

    Claims are in the order of the paper. ``skipped`` is what could not be computed, and what it needs;
    ``damaged`` are files that differ or that a named folder does not hold; the others were used. ``numbers``
    are results for those who compute with them, by name; ``results.json`` carries them as plain data.
    ``error`` says why nothing was computed.
    """

    name: str
    paper: str
    is_quick: bool = False
    checks: tuple[Check, ...] = ()
    claims: tuple[Claim, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    passages: tuple[Passage, ...] = ()
    notes: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    numbers: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that did not pass."""
        return tuple(check for check in self.checks if not check.passed)

    def pictures(self) -> Iterator[tuple[str, bytes]]:
        """The figures as files: name and content."""
        for own in self.figures:
            yield from own.pictures()

    def to_dict(self, *, numbers: bool = True) -> dict[str, Any]:
        """Everything as plain data; pages are made from it, without the ``numbers``."""
        shown = [
            {"name": own.name, "caption": own.caption, "differs": own.differs, "files": list(own.files)}
            for own in self.figures
        ]
        names = [own.name for own in fields(self) if own.name not in ("figures", "numbers")]
        found = {name: plain(getattr(self, name)) for name in names}
        found |= {"figures": shown, "passed": not self.failed and not self.error}
        return found | ({"numbers": plain(dict(self.numbers))} if numbers else {})

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Reproduction:
        """What pages show, from what :meth:`to_dict` made; its figures are files and are not drawn again."""
        kinds: dict[str, Any] = {"checks": Check, "claims": Claim, "tables": Table, "passages": Passage}
        values: dict[str, Any] = {
            name: tuple(_again(kind, own) for own in found[name]) for name, kind in kinds.items()
        }
        values["figures"] = tuple(
            Figure(own["name"], own["caption"], own["differs"], _not_again) for own in found["figures"]
        )
        values |= {name: tuple(found[name]) for name in ("notes", "skipped", "damaged")}
        values |= {name: found[name] for name in ("name", "paper", "is_quick", "error")}
        return cls(**values)

    def __repr__(self) -> str:
        checks = counted(len(self.checks), "check")
        of = f"{len(self.failed)} of {checks} failed" if self.failed else f"{checks} passed"
        quick = ", quick" if self.is_quick else ""
        return f"Reproduction({self.name}: {counted(len(self.claims), 'claim')}, {of}{quick})"


def _again(kind: Any, found: Mapping[str, Any]) -> Any:
    """A value from its plain data."""
    values = {own.name: _tuples(found[own.name]) for own in fields(kind)}
    if kind is Check:  # NaN is None in JSON, infinities are words
        for name in ("expected", "found", "tolerance"):
            values[name] = float("nan") if values[name] is None else float(values[name])
    return kind(**values)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _not_again() -> Any:
    raise TypeError("a figure that was read from results.json is a file; compute the paper to draw it")


# While it is computed -----------------------------------------------------------------------------------

Progress = Callable[[int, int, str], None]
"""Told how many steps are done, how many there are, and what is being done."""


class Steps:
    """Counts the steps of a computation, and tells whoever wants to know."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.total, self.done, self._progress = total, 0, progress

    def step(self, doing: str) -> None:
        """One more step is done; what comes next is ``doing``."""
        self.done += 1
        if self._progress is not None:
            self._progress(min(self.done, self.total), self.total, doing)


# What should be found -----------------------------------------------------------------------------------


def stored(module: str) -> dict[str, Any]:
    """The numbers to be found, from ``expected.json`` beside a module; of ``__file__``."""
    numbers: dict[str, Any] = json.loads(Path(module).with_name("expected.json").read_text(encoding="utf-8"))
    return numbers


def rounded(value: Any) -> Any:
    """The floats of a tree of dictionaries with nine digits; the last bits of a machine do not show.

    >>> rounded({"mean": {"area": 1 / 3}, "source": "closed form"})
    {'mean': {'area': 0.333333333}, 'source': 'closed form'}
    """
    if isinstance(value, dict):
        return {name: rounded(inner) for name, inner in value.items()}
    return float(f"{value:.9g}") if isinstance(value, float) else value
