"""What a reader sees of the papers: blocks, made once, for the terminal, as a page and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from papers.paper import FALSE, VERDICTS, Check, Claim, Reproduction, Table, verdict_counts
from rocsteady.show import document
from rocsteady.show.document import Block, Fold, Heading, Items
from rocsteady.show.html import Filling, style, templates
from rocsteady.text import ML, Number, Quote, Text, Words, joined, phrase
from rocsteady.words import counted, printable

HEADINGS = ("claim", "where", "measured", "verdict", "remark")
TITLE = "What the papers claim, computed again"
QUICK = "This was a quick run, with fewer replicates."
CODE = re.compile(r"\b[HPKS]\d+\b")
_SIGNS = dict(zip(VERDICTS, "✓≈!✗", strict=True))
_MARKUP = re.compile(r"\[([^\]]*)\]\([^)]*\)|\*(\w[\w -]*)\*")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_MARKED = re.compile(r"([\\`*_\[\]<>|~#$])")


# Sentences ----------------------------------------------------------------------------------------------


def overall(papers: Sequence[Reproduction]) -> tuple[str, ...]:
    """All papers together, in sentences: what a reader sees first."""
    missing = [paper.name for paper in papers if paper.error]
    return *outcome(*papers), *((f"Not computed: {', '.join(missing)}.",) if missing else ())


def outcome(*papers: Reproduction) -> tuple[str, ...]:
    """The claims by verdict; the checks, and what is missing from them; nothing where there are neither."""
    if not any(paper.claims or paper.checks or paper.error for paper in papers):
        return ()
    counts = verdict_counts(claim for paper in papers for claim in paper.claims)
    verdicts = ", ".join(
        f"{n} {verdict if n == 1 else verdict.replace('holds', 'hold')}" for verdict, n in counts.items()
    )
    n_failed, n_skipped = (sum(len(getattr(p, name)) for p in papers) for name in ("failed", "skipped"))
    checks = counted(sum(len(paper.checks) for paper in papers), "check")
    parts = [f"{checks}, {f'{n_failed} failed' if n_failed else 'all passed'}"]
    if n_skipped:
        parts.append(f"{counted(n_skipped, 'part')} left out")
    if any(paper.damaged for paper in papers):
        parts.append("data damaged or missing")  # one entry may name several files
    return f"{counted(sum(counts.values()), 'claim')}: {verdicts}.", f"{'; '.join(parts)}."


def legend(papers: Sequence[Reproduction]) -> str:
    """What the verdicts mean, and how many claims rest on parameters of ours; empty without claims."""
    if not any(paper.claims for paper in papers):
        return ""
    ours = sum(claim.chosen_here for paper in papers for claim in paper.claims)
    rest = (
        f" {counted(ours, 'claim')} {'rests' if ours == 1 else 'rest'} on data or parameters chosen here, "
        "because the paper gives none; what was measured then ends in saying so."
    )
    return (
        "Reproduced: holds as printed, on the paper's own data or for any. Consistent with: holds as printed "
        "on data or parameters chosen here. Holds with a caveat: holds under the condition in the last "
        "column. False as printed: does not hold; the last column says what is true instead."
        f"{rest if ours else ''}"
    )


def title_of(papers: Sequence[Reproduction]) -> str:
    """The first line of a page: a study of one's own data has no claims of a paper."""
    has_claims = any(paper.claims or paper.checks or paper.error for paper in papers)
    return TITLE if has_claims or not papers else papers[0].paper


def without_markup(text: str) -> str:
    """The text of an erratum without links, which lead nowhere but in the documentation, and emphasis.

    >>> without_markup("that *is* so, see [claims](claims.md)")
    'that is so, see claims'
    """
    return _MARKUP.sub(lambda found: found[1] or found[2], text)


def errata_of(paper: Reproduction) -> tuple[str, ...]:
    """The entries that claims name, in order, in short."""
    from papers.errata import errata  # with all that it computes from

    named = {code for claim in paper.claims for code in CODE.findall(claim.erratum)}
    return tuple(
        without_markup(f"{own.code} ({own.where}). {own.title}. {own.instead}")
        for own in errata()
        if own.code in named
    )


def cells(claim: Claim) -> tuple[str, ...]:
    """A claim in the columns of ``HEADINGS``."""
    measured = f"{claim.measured} (Parameters chosen here.)" if claim.chosen_here else claim.measured
    remark = " ".join(filter(None, (claim.remark, claim.erratum and f"({claim.erratum})")))
    return claim.claim, claim.where, measured, claim.verdict, remark


# Blocks -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spelled(Number):
    """A number that is spelled already; it stands right in its column."""

    value: Any

    def spell(self, words: Words, how: str = "") -> str:
        """As it is."""
        return printable(self.value).replace("-", "−") if self.value[:1] == "-" else printable(self.value)


def own_words(text: str) -> Text:
    """A paragraph of ours or of a paper's; nothing in it is a field."""
    return phrase("{text}", text=Quote(" ".join(text.split())))


def table(made: Table) -> document.Table:
    """A table as a block."""
    kinds: list[Any] = [Spelled if numeric else Quote for numeric in made.numeric]
    rows = tuple(
        tuple(kind(cell) if cell else None for kind, cell in zip(kinds, row, strict=True))
        for row in made.rows
    )
    caption = own_words(made.caption) if made.caption else None
    columns = tuple(map(own_words, made.headings))
    return document.Table(caption, columns, rows, most=len(rows))


def checks(found: Iterable[Check]) -> list[Block]:
    """Every check, a table for each section."""
    sections: dict[str, list[Check]] = {}
    for check in found:
        sections.setdefault(check.section, []).append(check)
    headings = ("check", "expected", "found", "tolerance", "", "tolerance from")
    return [table(Table(name, headings, tuple(map(_check, own)))) for name, own in sections.items()]


def _check(check: Check) -> tuple[str, ...]:
    tolerance = f"{check.tolerance:.4f}" if check.tolerance >= 5e-5 else f"{check.tolerance:.0e}"
    passed = "ok" if check.passed else "FAILED"
    return check.name, f"{check.expected:.4f}", f"{check.found:.4f}", tolerance, passed, check.tolerance_from


def claims_table(claims: Sequence[Claim]) -> document.Table:
    """Claims with what was measured, and the verdict with its sign."""
    rows = tuple(tuple(map(own_words, _signed(cells(claim)))) for claim in claims)
    return document.Table(None, tuple(map(own_words, HEADINGS)), rows, name="claims", most=len(rows))


def _signed(row: tuple[str, ...]) -> tuple[str, ...]:
    at = HEADINGS.index("verdict")
    return *row[:at], f"{_SIGNS[row[at]]} {row[at]}", *row[at + 1 :]


def on_terminal(paper: Reproduction) -> list[Block]:
    """Every check, tables, passages, the claims by verdict, what was left out and what was damaged."""
    found: list[Block] = [*checks(paper.checks), *_shown(paper)]
    for verdict in VERDICTS:
        own = [claim for claim in paper.claims if claim.verdict == verdict]
        found += _listed(f"Claims: {verdict}", [_in_words(claim) for claim in own])
    found += _lists(paper, "Errata", "Left out", "Damaged or missing", "Notes")
    return [*found, *map(own_words, outcome(paper))]


def _in_words(claim: Claim) -> str:
    instead = f" Instead: {claim.instead}" if claim.verdict == FALSE and claim.instead else ""
    return f"{claim.where}: {claim.claim}{instead}{f' ({claim.erratum})' if claim.erratum else ''}"


def on_page(paper: Reproduction, *, alone: bool = True) -> list[Block]:
    """A paper on a page: outcome, claims, tables, passages; its figures follow.

    A page that is not ``alone``, as that of the documentation, links the errata and leaves checks out.
    """
    if paper.error:
        return [own_words("Not computed."), own_words(paper.error)]
    quick = (QUICK,) if paper.is_quick else ()
    found: list[Block] = [own_words(line) for line in [" ".join((*outcome(paper), *quick))] if line]
    found += _lists(paper, "Numbers that are off", "Left out", "Damaged or missing")
    found += [claims_table(paper.claims)] if paper.claims else []
    found += _lists(paper, "Notes", *(["Errata"] if alone else []))
    found += _shown(paper)
    if alone and paper.checks:
        found.append(
            Fold(own_words(f"All {counted(len(paper.checks), 'check')}"), tuple(checks(paper.checks)))
        )
    return found


def _shown(paper: Reproduction) -> list[Block]:
    """Tables and passages."""
    found: list[Block] = [table(own) for own in paper.tables]
    for passage in paper.passages:
        found += [Heading(own_words(passage.heading)), *map(own_words, passage.paragraphs)]
    return found


def _lists(paper: Reproduction, *headings: str) -> list[Block]:
    lines = {
        "Numbers that are off": [check.in_words for check in paper.failed],
        "Left out": paper.skipped,
        "Damaged or missing": paper.damaged,
        "Notes": paper.notes,
        "Errata": errata_of(paper),
    }
    return [block for heading in headings for block in _listed(heading, lines[heading])]


def _listed(heading: str, lines: Sequence[str]) -> list[Block]:
    return [Heading(own_words(heading)), Items(tuple(map(own_words, lines)))] if lines else []


# Pages --------------------------------------------------------------------------------------------------


def html(papers: Sequence[Reproduction], *, together: bool = False) -> str:
    """One page, without a script; nothing is fetched but the figures that lie beside it.

    Figures lie in a folder for each paper if the papers are ``together``.
    """
    sections = [
        (
            paper.name,
            own_words(paper.paper),
            on_page(paper),
            [_figure(own, paper, together) for own in paper.figures],
        )
        for paper in papers
    ]
    lead = [own_words(line) for line in (" ".join(overall(papers)), legend(papers)) if line]
    page = templates().from_string(Path(__file__).with_name("page.html").read_text(encoding="utf-8"))
    title, words = own_words(title_of(papers)), ML
    return page.render(
        title=title, words=words, filling=Filling(words), lead=lead, sections=sections, style=_style()
    )


def _figure(figure: Any, paper: Reproduction, together: bool) -> Mapping[str, str]:
    within = f"{paper.name}/" if together else ""
    png, pdf = (quote(f"{within}{name}") for name in figure.files)
    said = {name: printable(getattr(figure, name)) for name in ("title", "caption", "differs")}
    return {"png": png, "pdf": pdf, **said}


def _style() -> Markup:
    return style() + Markup(Path(__file__).with_name("style.css").read_text(encoding="utf-8"))


def markdown(papers: Sequence[Reproduction], *, introduction: str = "", alone: bool = True) -> str:
    """The same in Markdown, ending in a newline; figures are named with their captions."""
    parts = [f"# {escaped(title_of(papers))}", *([escaped(introduction)] if introduction else [])]
    if legend(papers):
        parts += [f"**{escaped(' '.join(overall(papers)))}**", escaped(legend(papers))]
    for paper in papers:
        parts.append(f"## {escaped(paper.paper)}")
        parts += [_in_markdown(block) for block in document.flat(on_page(paper, alone=alone))]
        if paper.figures:
            lines = [
                f"- {escaped(f'{own.title}. {_ended(own.caption)} Here: {own.differs}')}"
                for own in paper.figures
            ]
            parts += ["### Figures", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _ended(caption: str) -> str:
    """A caption as a sentence; captions of papers have no full stop where they are none."""
    return caption if caption[-1:] in ("", *".!?") else f"{caption}."


def _in_markdown(block: Block) -> str:
    match block:
        case Heading(text):
            return f"### {escaped(text.plain(ML))}"
        case Items(texts):
            return "\n".join(f"- {escaped(text.plain(ML))}" for text in texts)
        case document.Table(caption, columns, rows):
            sides = ["---:" if block.is_numeric(i) else "---" for i in range(len(columns))]
            spelled = [
                [escaped(joined([] if own is None else [own]).plain(ML)) for own in row] for row in rows
            ]
            lines = [[escaped(own.plain(ML)) for own in columns], sides, *spelled]
            pipes = "\n".join(f"| {' | '.join(line)} |" for line in lines)
            return f"{escaped(caption.plain(ML))}\n\n{pipes}" if caption else pipes
        case Text():
            return escaped(block.plain(ML))
    raise TypeError(f"Markdown cannot show a {type(block).__name__}")


def escaped(text: str) -> str:
    r"""Text that Markdown shows as it is, also in a cell of a table.

    >>> print(escaped("a|b, 5 * 3 < 16 & C_1, &lt;"))
    a\|b, 5 \* 3 \< 16 & C\_1, &amp;lt;
    """
    return _MARKED.sub(r"\\\1", _ENTITY.sub("&amp;", printable(" ".join(text.split()))))


# Read again ---------------------------------------------------------------------------------------------


def read(results: Mapping[str, Any]) -> list[Reproduction]:
    """The papers in a ``results.json``: of one paper, or of all."""
    return [Reproduction.from_dict(own) for own in results.get("papers", [results])]
