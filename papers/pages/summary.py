"""What a page of claims shows of one paper, as plain data that results.json can carry."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from papers.claims import Claim, verdicts_in_words
from papers.errata.collection import errata as all_errata
from rocsteady.results import Result
from rocsteady.words import counted

SHOWN = ".png"
"""Of the files of a figure a page shows this one and links the others."""
_MARKUP = re.compile(r"\[([^\]]*)\]\([^)]*\)|\*(\w[\w -]*)\*")
_CODE = re.compile(r"[HPKS]\d+\b")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PaperSummary(Result):
    """One paper on a page of claims.

    Attributes
    ----------
    name : str
        What it is called on the command line.
    paper : str
        Authors and title.
    is_quick : bool
        Whether fewer replicates were drawn.
    claims : tuple of Claim
        With their verdicts.
    n_checks : int
        How many numbers were held against what they should be.
    failed : tuple of str
        Those that were off, in words.
    skipped, damaged : tuple of str
        What was left out, and what it needs; files that are damaged or missing.
    notes : tuple of str
        What a reader has to know.
    figures : tuple of str
        Files, relative to the page.
    error : str
        Why nothing was computed; empty where it was.
    """

    name: str
    paper: str
    is_quick: bool
    claims: tuple[Claim, ...] = ()
    n_checks: int = 0
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    error: str = ""

    @property
    def outcome(self) -> tuple[str, ...]:
        """Two sentences: the claims; the checks and what is missing."""
        if self.error:
            return ("Not computed.",)
        return _in_sentences([self])

    @property
    def errata(self) -> tuple[str, ...]:
        """The entries that claims name, in order, in short."""
        named = {code for claim in self.claims for code in _CODE.findall(claim.erratum)}
        return tuple(
            without_markup(f"{entry.code} ({entry.where}). {entry.title}. {entry.instead}")
            for entry in all_errata()
            if entry.code in named
        )

    def pictures(self) -> dict[str, list[str]]:
        """The figures by name: the file that is shown first, then the others."""
        found: dict[str, list[str]] = {}
        for file in self.figures:
            found.setdefault(PurePosixPath(file).stem, []).append(file)
        return {
            name: sorted(files, key=lambda file: not file.endswith(SHOWN)) for name, files in found.items()
        }

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data."""
        passed = not self.failed and not self.error
        return {**super().to_dict(), "passed": passed, "claims": [claim.to_dict() for claim in self.claims]}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> PaperSummary:
        """The summary again, from what :meth:`to_dict` made."""
        values: dict[str, Any] = {
            key: plain[key] for key in ("name", "paper", "is_quick", "n_checks", "error")
        }
        values |= {key: tuple(plain[key]) for key in ("failed", "skipped", "damaged", "notes", "figures")}
        return cls(**values, claims=tuple(Claim.from_dict(claim) for claim in plain["claims"]))

    @classmethod
    def from_results(cls, name: str, results: Mapping[str, Any], figures: Sequence[str] = ()) -> PaperSummary:
        """The summary of what a reproduction's ``to_dict`` made."""
        checks = results["checks"]
        return cls(
            name=name,
            paper=results["paper"],
            is_quick=results["is_quick"],
            claims=tuple(Claim.from_dict(claim) for claim in results["claims"]),
            n_checks=len(checks),
            failed=tuple(_in_words(check) for check in checks if not check["passed"]),
            skipped=tuple(results["skipped"]),
            damaged=tuple(results["damaged"]),
            notes=tuple(results["notes"]),
            figures=tuple(figures),
        )

    def __repr__(self) -> str:
        return f"PaperSummary({self.name}: {' '.join(self.outcome)})"


def without_markup(text: str) -> str:
    """The text of an erratum without links, which lead nowhere but in the documentation, and emphasis.

    >>> without_markup("that *is* so, see [claims](claims.md)")
    'that is so, see claims'
    """
    return _MARKUP.sub(lambda found: found[1] or found[2], text)


def _in_words(check: Mapping[str, Any]) -> str:
    expected, found = ("NaN" if check[key] is None else check[key] for key in ("expected", "found"))
    return (
        f"{check['section']}, {check['name']}: expected {expected}, found {found} ({check['tolerance_from']})"
    )


def read_summaries(results: Mapping[str, Any]) -> list[PaperSummary]:
    """The papers in a results.json: of one paper, or of all."""
    if "papers" in results:
        return [PaperSummary.from_dict(paper) for paper in results["papers"]]
    return [PaperSummary.from_results(results["reproduction"], results)]


def overall(papers: Sequence[PaperSummary]) -> tuple[str, ...]:
    """All papers together, in sentences: what a reader sees first."""
    missing = [paper.name for paper in papers if paper.error]
    lost = (f"Not computed: {', '.join(missing)}.",) if missing else ()
    return *_in_sentences(papers), *lost


def _in_sentences(papers: Sequence[PaperSummary]) -> tuple[str, str]:
    """The claims; the checks, and what is missing from them."""
    n_failed = sum(len(paper.failed) for paper in papers)
    n_skipped = sum(len(paper.skipped) for paper in papers)
    checks = counted(sum(paper.n_checks for paper in papers), "check")
    parts = [f"{checks}, {f'{n_failed} failed' if n_failed else 'all passed'}"]
    if n_skipped:
        parts.append(f"{counted(n_skipped, 'part')} left out")
    if any(paper.damaged for paper in papers):
        parts.append("data damaged or missing")  # one entry may name several files
    claims = [claim for paper in papers for claim in paper.claims]
    return f"{verdicts_in_words(claims)}.", f"{'; '.join(parts)}."
