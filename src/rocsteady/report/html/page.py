"""The page: head, masthead, the sections that have something to show, the data and the script.

One file that asks nothing of anybody. Its security policy lets in the style sheet and the script by their
hashes and nothing else, so whatever a name in the data says, it stays a name.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from rocsteady.report.html import island
from rocsteady.report.html.masthead import masthead
from rocsteady.report.html.parts import section
from rocsteady.report.html.sections import (
    answer,
    comparability,
    comparison,
    data,
    deployment,
    groups,
    methods,
    plan,
    points,
    readers,
    reading,
    smroc,
)
from rocsteady.report.html.tags import Child, Markup, named, tag

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.vocabulary import Wording

STYLE_SHEETS = ("style.css", "reading.css", "print.css")
Render = Callable[["ReportSummary", "Drawing", "Wording"], Markup]
Words = Callable[["Wording"], Child]


@dataclass(frozen=True)
class Place:
    """A section of the page: how it is reached, named and rendered."""

    ident: str
    render: Render
    link: Words
    title: Words


def _always(words: str) -> Words:
    return lambda wording: words


def _unit(wording: Wording) -> Markup:
    return named(wording.unit, longest=32)


def _group_by_group(wording: Wording) -> Child:
    if not wording.is_grouped:
        return "The dataset"
    unit = wording.unit[:1].upper() + wording.unit[1:]
    return [named(unit, longest=32), " by ", _unit(wording)]


def _same_everywhere(wording: Wording) -> Child:
    return [f"Do scores mean the same {wording.on} every ", _unit(wording), "?"]


SECTIONS = (
    Place("answer", answer.render, _always("Answer"), _always("Answer")),
    Place("deploy", deployment.render, _always("Deployment"), _always("How will the scores be used?")),
    Place("read", reading.render, _always("Curves"), _always("Reading the curve")),
    Place("compare", comparison.render, _always("Comparison"), _always("Is one model better?")),
    Place("readers", readers.render, _always("Readers and cases"), _always("Readers and cases")),
    Place("diag", comparability.render, _always("Comparability"), _same_everywhere),
    Place("ops", points.render, _always("Operating points"), _always("Operating points")),
    Place("smroc", smroc.render, _always("smROC"), _always("Curves that use the size of the scores")),
    Place("groups", groups.render, _group_by_group, _group_by_group),
    Place("data", data.render, _always("Data"), _always("Data and warnings")),
    Place("plan", plan.render, _always("More data"), _always("What more data would buy")),
    Place("methods", methods.render, _always("Methods"), _always("Methods, ready to paste")),
)
"""In the order of the page; one that has nothing to show is left out, and the numbers close up."""


def render(summary: ReportSummary, drawing: Drawing) -> str:
    """The report as one HTML page.

    Parameters
    ----------
    summary : ReportSummary
        Every number and sentence.
    drawing : Drawing
        What is drawn.

    Returns
    -------
    str
        The same bytes for the same summary and drawing: neither the time nor the machine is in it.
    """
    wording = summary.wording
    bodies = [(place, place.render(summary, drawing, wording)) for place in SECTIONS]
    shown = [(place, body) for place, body in bodies if body]
    style, script = _style(), island.script()
    body = tag(
        "body",
        tag("a", "Skip to the answer", class_="skip", href="#answer"),
        _navigation([place for place, _ in shown], wording),
        masthead(summary, wording),
        tag("main", [_section(place, body, wording) for place, body in shown]),
        island.render(summary, drawing, wording),
        _raw("script", script),
    )
    head = _head(summary, style, script)
    return "<!doctype html>\n" + tag("html", head, "\n", body, "\n", lang="en") + "\n"


def _section(place: Place, body: Markup, wording: Wording) -> Markup:
    is_answer = place.ident == SECTIONS[0].ident  # it stands right below the title of the page
    return section(place.ident, place.title(wording), body, is_titled=not is_answer)


def _navigation(places: list[Place], wording: Wording) -> Markup:
    links = [tag("li", tag("a", place.link(wording), href=f"#{place.ident}")) for place in places]
    return tag("nav", tag("div", tag("b", "rocsteady"), tag("ul", links)), aria_label="Sections")


def _head(summary: ReportSummary, style: str, script: str) -> Markup:
    about = summary.about
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="generator", content=f"rocsteady {about.version}"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", f"ROC report: {about.title}"),
        _raw("style", style),
    )


@cache
def _style() -> str:
    """The style sheets in one, as they stand in the package."""
    here = files("rocsteady.report.html")
    return "\n".join(here.joinpath(name).read_text(encoding="utf-8") for name in STYLE_SHEETS)


def _raw(name: str, content: str) -> Markup:
    """A style sheet or a script, which is not escaped: so it must not hold the end of its own element.

    >>> _raw("script", "let a = 1 < 2")
    '<script>let a = 1 < 2</script>'
    """
    if f"</{name}" in content.lower() or "<!--" in content:
        raise ValueError(f"the {name} of the page would end before its end")
    return Markup(f"<{name}>{content}</{name}>")


def _hash(content: str) -> str:
    """What lets an inline style sheet or script through the policy."""
    return "sha256-" + b64encode(hashlib.sha256(content.encode()).digest()).decode()
