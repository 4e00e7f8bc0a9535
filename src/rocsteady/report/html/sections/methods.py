"""What was done, in words that can be pasted into a paper, and how to do it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady.report.html.parts import folded
from rocsteady.report.html.tags import Child, Markup, phrase, tag, text

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.methods.methods import MethodsPart
    from rocsteady.report.summary.vocabulary import Wording

PASTED, COMMAND, BIBTEX = "methods-text", "methods-command", "methods-bibtex"
"""Elements whose text is copied."""


def render(summary: ReportSummary, drawing: Drawing, wording: Wording) -> Markup:
    """The text, what it leaves to its writer, its references, buttons, and the exact command."""
    part = summary.methods
    said = [own for own in (*part.paragraphs, part.results) if own]
    pasted = tag("div", [tag("p", phrase(own)) for own in said], class_="card soft paste", id=PASTED)
    to_add = tag("p", phrase(part.to_add), class_="mut sm") if part.to_add else None
    return text([pasted, _buttons(), to_add, _references(part), _again(part)])


def _buttons() -> Markup:
    """What the script can do; without it they are not there."""
    copy = tag("button", "Copy text", type="button", data_copy=PASTED, hidden=True)
    csv = tag("button", "Download curve points (CSV)", type="button", data_csv="curves", hidden=True)
    paper = tag("button", "Print or save as PDF", type="button", data_print=True, hidden=True)
    return tag("p", copy, csv, paper, tag("span", role="status", data_status=True), class_="buttons noprint")


def _references(part: MethodsPart) -> Child:
    if not part.references:
        return None
    entries = [tag("li", own.text) for own in part.references]
    bibtex = folded("BibTeX", tag("pre", part.bibtex, id=BIBTEX)) if part.bibtex else None
    return [tag("h3", "References"), tag("ul", entries, class_="references"), bibtex]


def _again(part: MethodsPart) -> Markup:
    """How to make this page again."""
    made = f"Made by rocsteady {part.version} with seed {part.seed}."
    if not part.command:
        return tag("p", made, class_="sm mut")
    return text([tag("p", f"{made} Reproduce:", class_="sm mut"), tag("pre", part.command, id=COMMAND)])
