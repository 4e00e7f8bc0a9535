"""What more data would show: more groups, more cases in each, more readers."""

from __future__ import annotations

import math
from typing import Any

from rocsteady.curves.statistics import Auc
from rocsteady.planning.groups import Plan, PlanTable
from rocsteady.planning.readers import ReaderPlan, ReaderPlanTable
from rocsteady.show.document import Block, Fold, Table
from rocsteady.show.sentences import planning as sentences
from rocsteady.show.sentences.comparing import refused
from rocsteady.study import Study
from rocsteady.text import Count, Item, say

_TIMES = (1.0, 2.0, 4.0)
"""How many times the present groups, and the present cases, are shown on the page."""


def make(study: Study) -> list[Block]:
    """One sentence on what there is and what is needed; the designs behind a title."""
    found = study.plan
    if found is None:
        error = study.refused.get("plan")
        return [] if error is None else [refused(error)]
    if isinstance(found, ReaderPlan):
        designs: list[Block] = [_of_readers(found, found.table)]
        return [sentences.brief_of_readers(found), Fold(sentences.DESIGNS_OF_READERS, tuple(designs))]
    groups = [found.n_groups] if found.plans_cases else [int(k * found.n_groups) for k in _TIMES]
    table = found.table(groups, _TIMES)
    rest = [] if found.plans_cases else [sentences.rough(found)]
    title = sentences.DESIGNS_OF_CASES if found.plans_cases else sentences.DESIGNS
    is_other = study.place is not None and isinstance(found._statistic, Auc)
    note = [sentences.of_area(study.place)] if is_other else []
    return [*note, sentences.brief(found, table), Fold(title, (_designs(found, table), *rest))]


def blocks(found: Plan | ReaderPlan, table: Any = None, *, has_cases: bool = False) -> list[Block]:
    """All sentences and all designs; `has_cases` of a reader study for a given number of cases."""
    if isinstance(found, ReaderPlan):
        designs = _of_readers(found, found.table if table is None else table, has_cases=has_cases)
        return [sentences.readers(found), designs]
    return [sentences.plan(found), _designs(found, found.table() if table is None else table)]


def _designs(found: Plan, table: PlanTable) -> Table:
    return _of_cases(found, table) if found.plans_cases else _of_groups(found, table)


def _of_cases(found: Plan, table: PlanTable) -> Table:
    """A row for each number of cases, where more groups are not planned."""
    known = [own for own in ("positives", "negatives") if own in found.classes_that_matter]
    columns = [say("cases"), *(say(f"{{{own}}}") for own in known), say("half-width")]
    rows: list[tuple[Item, ...]] = []
    for k in range(len(table)):
        sizes = (sentences.size(math.ceil(getattr(table, f"n_{own}")[k])) for own in known)
        row = sentences.times(float(table.times_cases[k])), *sizes
        width, power = sentences.width(found, float(table.half_width[k])), float(table.power[k])
        rows.append((*row, width, *([sentences.chance(power, is_brief=True)] if found.models else [])))
    heads = (*columns, *([say("chance")] if found.models else []))
    return Table(sentences.about_designs(found), heads, tuple(rows), marked=0)


def _of_groups(found: Plan, table: PlanTable) -> Table:
    """Groups down, cases across: the half-width, and for two models the chance to find the difference."""
    times = list(dict.fromkeys(table.times_cases.tolist()))
    columns = (say("{units}"), *(say("{times}", times=sentences.times(own)) for own in times))
    rows: list[tuple[Item, ...]] = []
    for start in range(0, len(table), len(times)):
        n = int(table.n_groups[start])
        cells = (
            sentences.design(found, float(table.half_width[k]), float(table.power[k]))
            for k in range(start, start + len(times))
        )
        rows.append((Count(n), *cells))
    return Table(sentences.about_designs(found), columns, tuple(rows), marked=0)


def _of_readers(found: ReaderPlan, table: ReaderPlanTable, *, has_cases: bool = False) -> Table:
    """A row for each number of readers: the cases they need, or the chance that they have."""
    by_class = [] if found.ratio != found.ratio else [say("{positives}"), say("{negatives}")]
    columns = (say("{units}"), say("cases"), *by_class, say("chance"), say("most with any cases"))
    rows: list[tuple[Item, ...]] = []
    for k, n in enumerate(table.n_readers.tolist()):
        sizes = [table.n_cases[k], *((table.n_positives[k], table.n_negatives[k]) if by_class else ())]
        chances = (sentences.chance(float(own[k]), is_brief=True) for own in (table.power, table.most_power))
        rows.append((Count(n), *(sentences.size(float(own)) for own in sizes), *chances))
    known = [k for k, n in enumerate(table.n_readers.tolist()) if n == found.n_readers]
    caption = sentences.about_readers(found, has_cases=has_cases)
    return Table(caption, columns, tuple(rows), marked=known[0] if known else None)
