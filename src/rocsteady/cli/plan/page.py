"""A plan on the screen: what it says, where the variance lies, what other designs would give."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.cli.console import console, dash, plain_table, show, show_first_fitting
from rocsteady.words import grouped, plural, printable

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.planning.groups import Plan, PlanTable


def show_plan(plan: Plan, table: PlanTable) -> None:
    """Sentences first, then the two parts of the variance, then the designs."""
    show(plan.reading)
    show()
    if plan.plans_cases:
        show_first_fitting(_one(plan, table), _one(plan, table, with_cases=False))
        show()
        show(f"Random: {plan.random}, in the ratio of these. Luck of the cases: {plan.method}.")
        return
    show_first_fitting(*(_parts(plan, with_range=is_wide) for is_wide in (True, False)))
    show()
    level, units = f"{100 * plan.confidence_level:g} %", plural(printable(plan.unit))
    show(f"Half-width of the {level} interval, by {units} and times the present cases in each:")
    show()
    _show_grid(plan, table, _half_width, with_range=True)
    if plan.models:
        show()
        show(f"Chance to find a true difference of {plan.difference:.3g}, by the same:")
        show()
        _show_grid(plan, table, _power)
    show()
    show(_footnote(plan))


def _one(plan: Plan, table: PlanTable, *, with_cases: bool = True) -> Table:
    """One dataset: a row for each number of cases."""
    needed = None if plan.cases_needed is None else plan.cases_needed.factor
    matter = plan.classes_that_matter if with_cases else ()
    chance = ["chance to find it"] if plan.models else []
    shown = plain_table("cases", *matter, "half-width", *chance)
    for i, times in enumerate(table.times_cases.tolist()):
        marks = [word for word, at in (("now", 1.0), ("needed", needed)) if times == at]
        sizes = {"positives": table.n_positives[i], "negatives": table.n_negatives[i]}
        cells = [_cases(float(sizes[name])) for name in matter]
        cells += [f"{table.half_width[i]:.4f}", *([_power(table, i)] if plan.models else [])]
        name = f"{_times(times)} ({', '.join(marks)})" if marks else _times(times)
        shown.add_row(name, *cells, style="bold" if marks else None)
    return shown


def _times(factor: float) -> str:
    return "no limit" if math.isinf(factor) else f"x {factor:.3g}"


def _cases(n: float) -> str:
    return "no limit" if math.isinf(n) else grouped(math.ceil(n * (1 - 1e-12)))


def _parts(plan: Plan, *, with_range: bool) -> Table:
    whole = plan.between + plan.within
    unit = printable(plan.unit)
    low, high = (math.sqrt(limit) for limit in (plan.between_interval.low, plan.between_interval.high))
    rows = [
        (f"between {plural(unit)}", plan.between, f"{low:.4f} to {high:.4f}"),
        ("luck of its cases", plan.within, ""),
    ]
    table = plain_table(f"one {unit}", "sd", "share", *(["range of the sd"] if with_range else []))
    for name, part, limits in rows:
        share = f"{100 * part / whole:.0f} %" if whole else dash(console())
        table.add_row(name, f"{math.sqrt(part):.4f}", share, *([limits] if with_range else []))
    return table


def _grid(
    plan: Plan, table: PlanTable, cell: Any, *, with_range: bool = False, ends_only: bool = False
) -> Table:
    """Groups down, cases across; the range for the first number of cases beside them."""
    factors = list(dict.fromkeys(table.times_cases.tolist()))
    if ends_only:
        factors = list(dict.fromkeys([factors[0], factors[-1]]))
    headings = ["no limit" if math.isinf(x) else f"x {x:g}" for x in factors]
    beside = [f"range at {headings[0]}"] if with_range else []
    shown = plain_table(plural(printable(plan.unit)), *headings, *beside)
    for n in dict.fromkeys(table.n_groups.tolist()):
        own = [int(np.flatnonzero((table.n_groups == n) & (table.times_cases == x))[0]) for x in factors]
        marked = (("now", n == plan.n_groups), ("needed", n == plan.groups_needed))
        marks = [word for word, is_so in marked if is_so]
        cells = [cell(table, i) for i in own]
        if with_range:
            cells.append(f"{table.half_width_low[own[0]]:.4f} to {table.half_width_high[own[0]]:.4f}")
        name = f"{grouped(n)} ({', '.join(marks)})" if marks else grouped(n)
        shown.add_row(name, *cells, style="bold" if marks else None)
    return shown


def _show_grid(plan: Plan, table: PlanTable, cell: Any, *, with_range: bool = False) -> None:
    """As much of it as the terminal has room for."""
    grids = [_grid(plan, table, cell), _grid(plan, table, cell, ends_only=True)]
    if with_range:
        grids.insert(0, _grid(plan, table, cell, with_range=True))
    show_first_fitting(*grids)


def _half_width(table: PlanTable, i: int) -> str:
    """Where no difference between groups was seen, cases without limit leave what may have been missed."""
    if table.half_width[i] == 0 and table.half_width_high[i] > 0:
        return f"< {table.half_width_high[i]:.4f}"
    return f"{table.half_width[i]:.4f}"


def _power(table: PlanTable, i: int) -> str:
    return f"{100 * table.power[i]:.0f} %"


def _footnote(plan: Plan) -> str:
    units = plural(printable(plan.unit))
    return (
        f"Random: {printable(plan.random)}; new {units} are taken to be like these. Luck of the "
        f"cases: {plan.method}. Ranges are {100 * plan.confidence_level:g} % chi-square limits for what lies "
        f"between {units}, as if normal."
    )
