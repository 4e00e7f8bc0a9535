"""What the report is about, above everything else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rocsteady.report.html.parts import LONGEST_NAME, look
from rocsteady.report.html.tags import Child, Markup, named, tag, text
from rocsteady.report.summary.phrases import plain_text
from rocsteady.report.summary.vocabulary import count
from rocsteady.words import class_word, splits

if TYPE_CHECKING:
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.vocabulary import Wording

LONGEST_FILE = 80


def masthead(summary: ReportSummary, wording: Wording) -> Markup:
    """The title, and in one line what was read and how sure it is."""
    facts = [tag("div", tag("dt", term), tag("dd", fact)) for term, fact in _facts(summary, wording)]
    title = tag("h1", named(summary.about.title))
    return tag("header", title, tag("dl", facts, class_="meta"), class_="masthead")


def _facts(summary: ReportSummary, wording: Wording) -> Iterator[tuple[str, Child]]:
    about = summary.about
    if about.source:
        yield "File", named(about.source, longest=LONGEST_FILE)
    if about.design.kind == "cross-validation":
        yield (
            "Cross-validation",
            [f"{count(about.n_cases)} cases, {splits(about.design)}", _left_out(summary)],
        )
    elif wording.is_grouped:
        yield (
            "Datasets",
            [f"{count(about.n_groups)} ", named(wording.units, longest=LONGEST_NAME), _left_out(summary)],
        )
    if any(about.models):
        yield "Models" if len(about.models) > 1 else "Model", models_in_words(about.models)
    yield f"{_counted(summary)} used", count(about.n_rows)
    if summary.data is not None and summary.data.counting is not None:
        yield "Counted", summary.data.counting.short
    yield "Positive label", named(wording.positive, longest=LONGEST_NAME)
    is_high = wording.higher_is_positive
    higher = class_word(wording.positive if is_high else wording.negative, is_positive=is_high)
    yield "Higher score means", named(higher, longest=LONGEST_NAME)
    yield "Intervals", [f"{100 * about.confidence_level:g} %, over ", named(about.random)]


def _counted(summary: ReportSummary) -> str:
    """Rows; scores, where a row of the file has one for each model."""
    read = "" if summary.data is None else plain_text(summary.data.steps[0].text)
    return "Scores" if read.startswith("scores") else "Rows"


def _left_out(summary: ReportSummary) -> Child:
    n_left_out = summary.about.n_groups_left_out
    return tag("span", f" ({count(n_left_out)} left out)", class_="mut") if n_left_out else None


def models_in_words(names: tuple[str, ...]) -> Markup:
    """All models, each in its colour."""
    listed: list[Child] = []
    for k, name in enumerate(names):
        own = tag("span", named(name, longest=LONGEST_NAME), class_=f"model {look(k)}")
        listed += [", ", own] if k else [own]
    return text(listed)
