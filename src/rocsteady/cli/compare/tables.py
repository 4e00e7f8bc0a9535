"""The tables of ``rocsteady compare``: what each model is worth, and how they differ."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from rocsteady.cli.compare.cells import limits, number, pvalue, signed, signed_limits
from rocsteady.cli.console import fitting_name, plain_table, show, show_first_fitting
from rocsteady.cli.vocabulary import spoken
from rocsteady.words import printable

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.cli.compare.making import Compared

_NAME, _INDENTED_NAME = 16, 15
"""Columns of a model's name over its numbers, or before them."""
_QUANTITY = 16
"""Columns of what was measured, where four numbers stand beside it."""


def show_table(found: Compared) -> None:
    """Two models side by side; of more, every model by itself and then every pair."""
    if len(found.pairs) == 1:
        wide, narrow = (_side_by_side(found, tests=tests) for tests in (True, False))
        show_first_fitting(wide, narrow, _tall_table(found))
        return
    standings = _standings_table(found)
    if standings is not None:
        show(standings)
        show()
    wide, narrow = (_pairs_table(found, tests=tests) for tests in (True, False))
    show_first_fitting(wide, narrow, _tall_table(found))


def _standings_table(found: Compared) -> Table | None:
    """Every model's own values, the best first."""
    from rocsteady.inference.differences import standings_of

    standings = standings_of(found.pairs)
    if not standings:
        return None
    table = plain_table("", "value", f"{_level(found)} interval")
    quantity = ""
    for own in standings:
        if own.quantity != quantity:
            quantity = own.quantity
            table.add_row(quantity)
        name = fitting_name(printable(own.model), _INDENTED_NAME)
        table.add_row(f"  {name}", number(own.value), limits(own.interval))
    return table


def _side_by_side(found: Compared, *, tests: bool) -> Table:
    """A row for each quantity; under the numbers their intervals, under p that by flips."""
    (pair,) = found.pairs
    names = [fitting_name(printable(name), _NAME) for name in (pair.a, pair.b)]
    has_flips = tests and _has_flips(found)
    table = plain_table("", *names, "difference", "p")
    for own in pair.differences:
        quantity = "\n".join(textwrap.wrap(spoken(own.quantity), _QUANTITY))
        cells = [number(own.a_value), number(own.b_value), signed(own.difference), pvalue(own.pvalue)]
        table.add_row(quantity, *cells)
        own_limits = [limits(own.a_interval), limits(own.b_interval), signed_limits(own.interval)]
        is_flipped = has_flips and not math.isnan(own.flip_pvalue)
        flips = f"flips {pvalue(own.flip_pvalue)}" if is_flipped else ""
        table.add_row(f"  {_level(found)} interval", *own_limits, flips)
    return table


def _pairs_table(found: Compared, *, tests: bool) -> Table:
    """A row for each pair and quantity."""
    is_adjusted = any(own.adjusted_pvalue != own.pvalue for pair in found.pairs for own in pair.differences)
    has_flips = tests and _has_flips(found)
    headings = ["", "difference", f"{_level(found)} interval", "p"]
    headings += [*(["adjusted"] if is_adjusted else []), *(["p by flips"] if has_flips else [])]
    table = plain_table(*headings)
    for pair in found.pairs:
        a, b = (fitting_name(printable(model), _NAME) for model in (pair.a, pair.b))
        for own in pair.differences:
            cells = [f"{a} less {b}, {own.quantity}", signed(own.difference), signed_limits(own.interval)]
            cells += [pvalue(own.pvalue), *([pvalue(own.adjusted_pvalue)] if is_adjusted else [])]
            table.add_row(*cells, *([pvalue(own.flip_pvalue)] if has_flips else []))
    return table


def _tall_table(found: Compared) -> Table:
    """The differences with a line for each number, where there is little room."""
    tall = plain_table("", "")
    tall.show_header = False
    tall.columns[1].justify = "left"
    for pair in found.pairs:
        for own in pair.differences:
            tall.add_row(own.quantity)
            rows = [(printable(own.a), number(own.a_value)), ("", limits(own.a_interval))]
            rows += [(printable(own.b), number(own.b_value)), ("", limits(own.b_interval))]
            rows += [("difference", signed(own.difference)), ("", signed_limits(own.interval))]
            rows += [("p", pvalue(own.pvalue))]
            rows += [("adjusted", pvalue(own.adjusted_pvalue))] if len(found.pairs) > 1 else []
            for name, value in rows:
                tall.add_row(f"  {fitting_name(name or f'  {_level(found)} interval', _NAME)}", value)
    return tall


def _level(found: Compared) -> str:
    return f"{100 * found.pairs[0].auc.interval.confidence_level:g} %"


def _has_flips(found: Compared) -> bool:
    return any(not math.isnan(own.flip_pvalue) for pair in found.pairs for own in pair.differences)
