"""What more groups, or more cases in each, would buy."""

from __future__ import annotations

import math
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from rocsteady.report.html.parts import LONGEST_NAME, Column, Row, headed, sentence, table
from rocsteady.report.html.tags import NOTHING, Child, Markup, named, tag, text
from rocsteady.report.summary.vocabulary import count, percent

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.planning import PlanPart, PlanRow
    from rocsteady.report.summary.vocabulary import Wording

_NEARLY_SURE = 0.999


def render(summary: ReportSummary, drawing: Drawing, wording: Wording) -> Markup:
    """A sentence and the table behind it; or why there is no plan."""
    part = summary.plan
    if part is None:
        return NOTHING
    if part.problem:
        return text(
            [tag("p", "No plan can be made from these data.", class_="lead-in"), sentence(part.problem)]
        )
    designs = _designs(part, wording, summary.about.confidence_level)
    return text([sentence(part.sentence, models=part.models), designs, sentence(part.note, "sm mut")])


def _designs(part: PlanPart, wording: Wording, level: float) -> Markup:
    """Groups down, cases across."""
    rows = [list(own) for _, own in groupby(part.rows, key=lambda row: row.n_groups)]
    n_groups = [own[0].n_groups for own in rows]
    units = headed(wording.units) if wording.is_grouped else "Datasets"
    columns = [Column(units, is_text=True), *(Column(_cases(row, wording)) for row in rows[0])]
    cells = [
        Row(
            [
                [count(n), tag("span", " now", class_="ci") if n == n_groups[0] else None],
                *map(partial(_cell, part), own),
            ]
        )
        for n, own in zip(n_groups, rows, strict=True)
    ]
    return table(_caption(part, level), columns, cells, shows_caption=True)


def _cases(row: PlanRow, wording: Wording) -> Child:
    """The heading of a column: how many times the cases, and how many those are."""
    times = "The same cases" if row.times_cases == 1 else f"{row.times_cases:g} × the cases"
    positives, negatives = (
        named(own, longest=LONGEST_NAME) for own in (wording.positives, wording.negatives)
    )
    each = [f"{count(round(row.positives))} ", positives, f", {count(round(row.negatives))} ", negatives]
    return [times, tag("br"), tag("span", each, class_="ci")]


def _cell(part: PlanPart, row: PlanRow) -> Child:
    measure = part.measure
    width = measure.size(row.half_width) + measure.points if measure else f"{row.half_width:.3g}"
    chance = None if math.isnan(row.power) else tag("span", f"chance {_chance(row.power)}", class_="ci")
    return [f"± {width}", tag("br") if chance else None, chance]


def _chance(power: float) -> str:
    """A chance in per cent; one that is all but certain is not spelled out to the last digit.

    >>> _chance(0.83), _chance(0.99999), _chance(1.0)
    ('83 %', 'over 99.9 %', 'over 99.9 %')
    """
    return f"over {percent(_NEARLY_SURE, 1)}" if power > _NEARLY_SURE else percent(power)


def _caption(part: PlanPart, level: float) -> str:
    what = part.measure.name if part.measure else "number"
    of = f"the difference in {what}" if len(part.models) > 1 else f"the {what}"
    chance = "; below, the chance to tell the two models apart if they differ as much as seen here"
    has_power = any(not math.isnan(row.power) for row in part.rows)
    reach = f"How far the {100 * level:g} % interval of {of} would reach to either side"
    return reach + (chance if has_power else "")
