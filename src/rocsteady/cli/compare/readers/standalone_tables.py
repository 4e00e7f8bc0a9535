"""The tables of a standalone system against readers: the means, then every reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.cli.compare.cells import limits, number, pvalue, signed, signed_limits
from rocsteady.cli.compare.readers.tables import error_cells, error_headings, level_of, tall_differences
from rocsteady.cli.console import fitting_name, plain_table, show, show_first_fitting
from rocsteady.readers.study import spoken
from rocsteady.statistics.limits import Interval
from rocsteady.words import plural, printable

if TYPE_CHECKING:
    from rich.table import Table

_NAME = 20


def show_standalone_tables(own: Any) -> None:
    """What the system and the readers are worth, how they differ, and every reader against the system."""
    show_first_fitting(*(_values(own, heading) for heading in (own.measure, "value")))
    show()
    show_first_fitting(
        *(_differences(own, errors=is_wide) for is_wide in (True, False)), tall_differences(own)
    )
    show()
    shapes = (
        (own.measure, True, True),
        ("value", True, True),
        ("value", True, False),
        ("value", False, False),
    )
    show_first_fitting(*(_readers(own, *shape) for shape in shapes))


def _values(own: Any, heading: str) -> Table:
    """The system by itself, and the mean of the readers of each modality."""
    table = plain_table("", heading, f"{level_of(own)} interval")
    system = fitting_name(printable(own.standalone), _NAME)
    are_alike = len({float(value) for value in own.standalone_values}) == 1
    for i, row in enumerate(own.differences):
        modality = _modality(own.modalities[i])
        if i == 0 or not are_alike:  # else it has one value, whatever the readers looked at
            on = "" if are_alike else f", cases of {modality}"
            table.add_row(f"{system}{on}", number(row.a_value), limits(row.a_interval))
        readers = f"mean of {plural(printable(own.unit))}, {modality}"
        table.add_row(readers, number(row.b_value), limits(row.b_interval))
    return table


def _modality(name: str) -> str:
    return fitting_name(spoken(name), _NAME)


def _differences(own: Any, *, errors: bool) -> Table:
    is_adjusted = any(row.adjusted_pvalue != row.pvalue for row in own.differences)
    system = fitting_name(printable(own.standalone), _NAME)
    headings = [f"{system} less", "difference", *error_headings(errors), f"{level_of(own)} interval", "p"]
    table = plain_table(*headings, *(["adjusted"] if is_adjusted else []))
    for modality, row in zip(own.modalities, own.differences, strict=True):
        cells = [signed(row.difference), *(error_cells(row.standard_error, row.df) if errors else [])]
        cells += [signed_limits(row.interval), pvalue(row.pvalue)]
        cells += [pvalue(row.adjusted_pvalue)] if is_adjusted else []
        table.add_row(f"{plural(printable(own.unit))}, {_modality(modality)}", *cells)
    return table


def _readers(own: Any, heading: str, interval: bool, test: bool) -> Table:
    per = own.per_reader
    headings = [heading, "difference", *([f"{level_of(own)} interval"] if interval else [])]
    table = plain_table(printable(own.unit), *headings, *(["p"] if test else []))
    for i, reader in enumerate(per.reader):
        modality = f", {_modality(per.b[i])}" if len(own.modalities) > 1 else ""
        cells = [number(float(per.b_value[i])), signed(float(per.difference[i]))]
        if interval:
            low, high = float(per.low[i]), float(per.high[i])
            cells.append(signed_limits(Interval(low, high, per.confidence_level, "z")))
        cells += [pvalue(float(per.pvalue[i]))] if test else []
        table.add_row(f"{fitting_name(printable(reader), _NAME)}{modality}", *cells)
    return table
