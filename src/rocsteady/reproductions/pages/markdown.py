"""Claims as Markdown: one table for each paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from rocsteady.reproductions.claims import Claim
from rocsteady.reproductions.pages.summary import PaperSummary, overall

HEADINGS = ("claim", "where", "measured", "verdict", "correction or erratum")
QUICK = "This was a quick run, with fewer replicates."
_MARKED = re.compile(r"([\\`*_\[\]<>|~#$])")


def claims_page(papers: Sequence[PaperSummary], *, introduction: str = "", with_figures: bool = True) -> str:
    """The page, ending in a newline."""
    blocks = ["# What the papers claim, computed again"]
    blocks += [escaped(introduction)] if introduction else []
    blocks.append(f"**{escaped(' '.join(overall(papers)))}**")
    for paper in papers:
        blocks += _paper(paper, with_figures)
    return "\n\n".join(blocks) + "\n"


def escaped(text: str) -> str:
    r"""Text that Markdown shows as it is, also in a cell of a table.

    >>> print(escaped("a|b, 5 * 3 < 16 & C_1"))
    a\|b, 5 \* 3 \< 16 &amp; C\_1
    """
    return _MARKED.sub(r"\\\1", " ".join(text.split()).replace("&", "&amp;"))


def claim_cells(claim: Claim) -> tuple[str, ...]:
    """The cells of a claim, under ``HEADINGS``."""
    texts = (claim.claim, claim.where, claim.measured, claim.verdict, claim.remark)
    return tuple(escaped(text) for text in texts)


def _paper(paper: PaperSummary, with_figures: bool) -> list[str]:
    quick = (QUICK,) if paper.is_quick else ()
    blocks = [f"## {escaped(paper.paper)}", escaped(" ".join((*paper.outcome, *quick)))]
    if paper.error:
        return [*blocks, escaped(paper.error)]
    if paper.claims:
        rows = [HEADINGS, ("---",) * len(HEADINGS), *map(claim_cells, paper.claims)]
        blocks.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
    for heading, lines in (
        ("Numbers that are off", paper.failed),
        ("Left out", paper.skipped),
        ("Damaged or missing", paper.damaged),
    ):
        if lines:
            blocks += [f"### {heading}", "\n".join(f"- {escaped(line)}" for line in lines)]
    if with_figures and paper.figures:
        links = [f"[{escaped(name)}]({quote(files[0])})" for name, files in paper.pictures().items()]
        blocks += ["### Figures", ", ".join(links)]
    return blocks
