"""Rates, predictive values and likelihood ratios of a cut-off, with their intervals, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.cli.console import console, dash, plain_table, show_first_fitting
from rocsteady.cli.cutoff.words import cutoff_number, limits, rate_limits, ratio, share, threshold_limits

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.cli.cutoff.making import Shown


CORRECTED = "on new rows"


@dataclass(frozen=True)
class _Row:
    name: str
    explained: str
    value: str
    corrected: str = ""
    interval: str = ""
    anew: str = ""


def show_measures(one: Shown, level: str, *, is_elsewhere: bool) -> None:
    """The table, in the widest layout that the terminal has room for.

    Where other rows judge the cut-off, the rates of choosing anew are not about them and are left out.
    """
    rows = _rows(one, is_elsewhere=is_elsewhere)
    columns = {
        CORRECTED: [row.corrected for row in rows] if one.corrected is not None else None,
        f"{level} interval": [row.interval for row in rows] if any(row.interval for row in rows) else None,
        "chosen anew": [row.anew for row in rows] if one.anew is not None else None,
    }
    present = {name: cells for name, cells in columns.items() if cells is not None}
    show_first_fitting(
        _side_by_side(rows, present, explains=True),
        _side_by_side(rows, present, explains=False),
        _below_each_other(rows, present),
    )


def _rows(one: Shown, *, is_elsewhere: bool) -> list[_Row]:
    t, anew = one.table, one.anew
    of_threshold = threshold_limits(anew.threshold) if anew is not None else ""
    of_rates = {"tpr": "", "fpr": ""}
    if anew is not None and not is_elsewhere:
        of_rates = {name: rate_limits(getattr(anew, name)) for name in of_rates}
    new = getattr(t, "corrected", None)

    def row(name: str, explained: str, measure: str, write: Any) -> _Row:
        interval = getattr(t, f"{measure}_interval")
        written = rate_limits(interval) if write is share else limits(interval, write)
        expected = "" if new is None else write(getattr(new, measure))
        return _Row(name, explained, write(getattr(t, measure)), expected, written)

    def rate(name: str, explained: str) -> _Row:
        expected = "" if one.corrected is None else share(getattr(one.corrected, name))
        own = rate_limits(getattr(one, f"{name}_interval"))
        return _Row(name.upper(), explained, share(getattr(one, name)), expected, own, of_rates[name])

    return [
        _Row("cut-off", "", cutoff_number(one.threshold, one.alike), anew=of_threshold),
        rate("tpr", "sensitivity"),
        rate("fpr", "1 - specificity"),
        row("PPV", "calls of positive that are right", "ppv", share),
        row("NPV", "calls of negative that are right", "npv", share),
        row("LR+", "TPR / FPR", "lr_positive", ratio),
        row("LR-", "FNR / TNR", "lr_negative", ratio),
        row("accuracy", "", "accuracy", share),
    ]


def _side_by_side(rows: list[_Row], columns: dict[str, list[str]], *, explains: bool) -> Table:
    table = plain_table("", "", *columns)
    missing = dash(console())
    for row, *cells in zip(rows, *columns.values(), strict=True):
        name = f"{row.name} ({row.explained})" if explains and row.explained else row.name
        table.add_row(name, *(cell or missing for cell in (row.value, *cells)))
    return table


def _below_each_other(rows: list[_Row], columns: dict[str, list[str]]) -> Table:
    """For terminals as narrow as a phone: what is missing is left out."""
    table = plain_table("", "")
    table.show_header = False
    for row, *cells in zip(rows, *columns.values(), strict=True):
        table.add_row(row.name, row.value or dash(console()))
        for name, cell in zip(columns, cells, strict=True):
            if cell:
                table.add_row(f"  {name}", cell)
    return table
