"""Which rows were read, which were used, and what to know about them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rocsteady.report.html.parts import LONGEST_NAME, Column, folded, headed, model_key, table
from rocsteady.report.html.tags import Child, Markup, named, phrase, tag, text
from rocsteady.report.summary.vocabulary import count

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.counting import CountingPart
    from rocsteady.report.summary.flow import DataPart, ModelFlow, Step, WarningRow
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.vocabulary import Wording

MOST_GROUPS = 200
"""Names of groups that one warning lists."""


def render(summary: ReportSummary, drawing: Drawing, wording: Wording) -> Markup:
    """The flow of rows, from those read to those used, and the coded warnings."""
    part = summary.data
    apart = _per_model(summary, part) if part.per_model else None
    return text([_flow(part.steps), apart, _counting(summary, part.counting), _warnings(part, summary)])


def _counting(summary: ReportSummary, counting: CountingPart | None) -> Child:
    """How rows were counted, and how certain that leaves the averages."""
    if counting is None:
        return None
    said = [tag("h3", "Rows were counted"), tag("p", phrase(counting.sentence))]
    if not counting.areas:
        return said
    names = {mode.key: mode.name for mode in summary.averages}
    models = summary.about.models
    columns: list[Column | str] = [Column("Average", is_text=True), "AUC", "At least", "At most"]
    if len(models) > 1:
        columns.insert(1, Column("Model", is_text=True))
    rows = []
    for own in counting.areas:
        model = [model_key(models.index(own.model), own.model)] if len(models) > 1 else []
        rows.append([names[own.key], *model, *(f"{area:.6f}" for area in (own.auc, own.low, own.high))])
    caption = "Between which values the AUC of all rows certainly lies"
    return [*said, table(caption, columns, rows, shows_caption=True), _point_bounds(summary, counting)]


def _point_bounds(summary: ReportSummary, counting: CountingPart) -> Child:
    """Between which values the operating points of the average that is shown first certainly lie."""
    if not counting.points:
        return None
    models = summary.about.models
    rates = summary.wording.fpr, summary.wording.tpr
    columns: list[Column | str] = [Column("Operating point", is_text=True), *(rate.short for rate in rates)]
    if len(models) > 1:
        columns.insert(1, Column("Model", is_text=True))
    rows = []
    for own in counting.points:
        model = [model_key(models.index(own.model), own.model)] if len(models) > 1 else []
        both = zip(rates, (own.fpr, own.tpr), strict=True)
        ends = ["held" if ends is None else rate.interval(*_outwards(*ends), places=2) for rate, ends in both]
        rows.append([own.label, *model, *ends])
    return table("Between which values operating points certainly lie", columns, rows, shows_caption=True)


def _outwards(low: float, high: float) -> tuple[float, float]:
    """Bounds as they are shown, in hundredths of a percent: rounded, they must still hold."""
    return math.floor(low * 1e4) / 1e4, math.ceil(high * 1e4) / 1e4


def _per_model(summary: ReportSummary, part: DataPart) -> Markup:
    """What each model used, where they differ."""
    wording = summary.wording
    columns: list[Column | str] = [
        Column("Model", is_text=True),
        "Rows used",
        headed(wording.positives),
        headed(wording.negatives),
        headed(wording.units),
        f"Rows in {wording.units} of one class",
    ]
    rows = [
        [model_key(summary.about.models.index(own.model), own.model), *map(count, _counts(own))]
        for own in part.per_model
    ]
    return table("What each model used", columns, rows)


def _counts(own: ModelFlow) -> tuple[int, ...]:
    return own.n_rows, own.n_positives, own.n_negatives, own.n_groups, own.n_one_class


def _flow(steps: Sequence[Step]) -> Markup:
    return tag("ol", [_step(step, is_last=step is steps[-1]) for step in steps], class_="flow")


def _step(step: Step, *, is_last: bool) -> Markup:
    n = tag("strong", count(step.n))
    return tag(
        "li", n, " ", phrase(step.text), class_="used" if is_last else "lost" if step.is_loss else None
    )


def _warnings(part: DataPart, summary: ReportSummary) -> Markup:
    if not part.warnings:
        return tag("p", "There is nothing to warn about.", class_="mut")
    rows = [_warning(row, summary) for row in part.warnings]
    return text([tag("h3", "Warnings"), tag("ul", rows, class_="warnings")])


def _warning(row: WarningRow, summary: ReportSummary) -> Markup:
    """The code, what is the matter, what was found, what to do."""
    names = [f"{name} " for name in (*row.groups, *summary.about.models) if name]
    starts_with_name = row.problem.startswith(tuple(names))
    problem = row.problem if starts_with_name else headed(row.problem)
    found = tag("p", phrase(row.found.removeprefix("found: ")), class_="mut sm") if row.found else None
    remedies = [tag("p", "→ ", remedy, class_="sm") for remedy in row.remedies]
    groups = _groups(row.groups, summary.wording)
    return tag(
        "li",
        tag("code", row.code),
        tag("div", tag("p", tag("strong", phrase(problem))), found, remedies, groups),
    )


def _groups(names: Sequence[str], wording: Wording) -> Child:
    """All groups that a warning is about, where its sentence has no room for them."""
    n = len(names)
    if n < 2:
        return None
    listed: list[Child] = []
    for name in names[:MOST_GROUPS]:
        listed += [", " if listed else "", named(name, longest=LONGEST_NAME)]
    more = f" and {count(n - MOST_GROUPS)} more" if n > MOST_GROUPS else "."
    title = [f"These {count(n)} ", named(wording.units, longest=LONGEST_NAME)]
    return folded(title, tag("p", listed, more, class_="sm"))
