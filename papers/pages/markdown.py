"""Claims as Markdown: one table for each paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from papers.claims import Claim
from papers.errata.collection import errata
from papers.pages.summary import PaperSummary, overall
from rocsteady.words import counted, printable

HEADINGS = ("claim", "where", "measured", "verdict", "correction or remark")
TITLE = "What the papers claim, computed again"
QUICK = "This was a quick run, with fewer replicates."
_CODES = re.compile(r"\b[HPKS]\d+\b")
_MARKED = re.compile(r"([\\`*_\[\]<>|~#$])")


def claims_page(papers: Sequence[PaperSummary], *, introduction: str = "", alone: bool = True) -> str:
    """The page, ending in a newline.

    A page that is not ``alone``, as that of the documentation, has neither figures nor the text of errata.
    """
    blocks = [f"# {TITLE}"]
    blocks += [escaped(introduction)] if introduction else []
    blocks += [f"**{escaped(' '.join(overall(papers)))}**", escaped(legend(papers))]
    for paper in papers:
        blocks += _paper(paper, alone)
    return "\n\n".join(blocks) + "\n"


def legend(papers: Sequence[PaperSummary]) -> str:
    """What the verdicts mean, and how many claims rest on parameters of ours."""
    ours = sum(claim.chosen_here for paper in papers for claim in paper.claims)
    rest = (
        f" {counted(ours, 'claim')} {'rests' if ours == 1 else 'rest'} on data or parameters chosen here, "
        "because the paper gives none; what was measured then ends in saying so."
    )
    return (
        "Reproduced: holds as printed. Reproduced with a correction: does not hold as printed, holds as the "
        "last column says. Not reproduced: neither. Beside a claim that is reproduced the last column may "
        f"have a remark.{rest if ours else ''}"
    )


def measured_words(claim: Claim) -> str:
    """What was measured, and whether with parameters of ours."""
    return f"{claim.measured} (Parameters chosen here.)" if claim.chosen_here else claim.measured


def titled_remark(claim: Claim) -> str:
    """The correction or remark; codes of errata have their titles beside them."""
    return _CODES.sub(lambda found: f"{found[0]}: {_title(found[0])}", claim.remark)


def _title(code: str) -> str:
    return next((entry.title for entry in errata() if entry.code == code), "see the errata")


def escaped(text: str) -> str:
    r"""Text that Markdown shows as it is, also in a cell of a table.

    >>> print(escaped("a|b, 5 * 3 < 16 & C_1"))
    a\|b, 5 \* 3 \< 16 &amp; C\_1
    """
    return _MARKED.sub(r"\\\1", printable(" ".join(text.split())).replace("&", "&amp;"))


def claim_cells(claim: Claim, *, alone: bool = False) -> tuple[str, ...]:
    """The cells of a claim, under ``HEADINGS``; on a page that is ``alone`` errata have their titles."""
    remark = titled_remark(claim) if alone else claim.remark
    texts = (claim.claim, claim.where, measured_words(claim), claim.verdict, remark)
    return tuple(escaped(text) for text in texts)


def lists(paper: PaperSummary, *, alone: bool = True) -> list[tuple[str, Sequence[str]]]:
    """What follows the table: headings and lines; lists without lines are left out."""
    found = (
        ("Numbers that are off", paper.failed),
        ("Left out", paper.skipped),
        ("Damaged or missing", paper.damaged),
        ("Notes", paper.notes),
        ("Errata", paper.errata if alone else ()),
    )
    return [(heading, lines) for heading, lines in found if lines]


def _paper(paper: PaperSummary, alone: bool) -> list[str]:
    quick = (QUICK,) if paper.is_quick else ()
    blocks = [f"## {escaped(paper.paper)}", escaped(" ".join((*paper.outcome, *quick)))]
    if paper.error:
        return [*blocks, escaped(paper.error)]
    if paper.claims:
        own = [claim_cells(claim, alone=alone) for claim in paper.claims]
        rows = [HEADINGS, ("---",) * len(HEADINGS), *own]
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
    for heading, lines in lists(paper, alone=alone):
        blocks += [f"### {heading}", "\n".join(f"- {escaped(line)}" for line in lines)]
    if alone and paper.figures:
        links = [f"[{escaped(name)}]({quote(files[0])})" for name, files in paper.pictures().items()]
        blocks += ["### Figures", ", ".join(links)]
    return blocks
