"""Rates, predictive values and likelihood ratios of a cut-off, with their intervals, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocsteady.cli.console import console, dash, plain_table, show_first_fitting
from rocsteady.cli.cutoff.words import cutoff_number, limits, rate_limits, ratio, share, threshold_limits

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.cli.cutoff.making import Shown


@dataclass(frozen=True)
class _Row:
    name: str
    explained: str
    value: str
    interval: str = ""
    anew: str = ""


def show_measures(one: Shown, level: str, *, is_elsewhere: bool) -> None:
    """The table, in the widest layout that the terminal has room for.

    Where other rows judge the cut-off, the rates of choosing anew are not about them and are left out.
    """
    rows = _rows(one, is_elsewhere=is_elsewhere)
    has_anew = one.anew is not None
    show_first_fitting(
        _side_by_side(rows, level, has_anew=has_anew, explains=True),
        _side_by_side(rows, level, has_anew=has_anew, explains=False),
        _below_each_other(rows, level),
    )


def _rows(one: Shown, *, is_elsewhere: bool) -> list[_Row]:
    t, anew = one.table, one.anew
    of_threshold = threshold_limits(anew.threshold) if anew is not None else ""
    of_rates = {"tpr": "", "fpr": ""}
    if anew is not None and not is_elsewhere:
        of_rates = {name: rate_limits(getattr(anew, name)) for name in of_rates}
    return [
        _Row("cut-off", "", cutoff_number(one.threshold, one.alike), "", of_threshold),
        _Row("TPR", "sensitivity", share(one.tpr), rate_limits(one.tpr_interval), of_rates["tpr"]),
        _Row("FPR", "1 - specificity", share(one.fpr), rate_limits(one.fpr_interval), of_rates["fpr"]),
        _Row("PPV", "calls of positive that are right", share(t.ppv), rate_limits(t.ppv_interval)),
        _Row("NPV", "calls of negative that are right", share(t.npv), rate_limits(t.npv_interval)),
        _Row("LR+", "TPR / FPR", ratio(t.lr_positive), limits(t.lr_positive_interval, ratio)),
        _Row("LR-", "FNR / TNR", ratio(t.lr_negative), limits(t.lr_negative_interval, ratio)),
        _Row("accuracy", "", share(t.accuracy), rate_limits(t.accuracy_interval)),
    ]


def _side_by_side(rows: list[_Row], level: str, *, has_anew: bool, explains: bool) -> Table:
    table = plain_table("", "", f"{level} interval", *(["chosen anew"] if has_anew else []))
    missing = dash(console())
    for row in rows:
        name = f"{row.name} ({row.explained})" if explains and row.explained else row.name
        cells = [row.value, row.interval, *([row.anew] if has_anew else [])]
        table.add_row(name, *(cell or missing for cell in cells))
    return table


def _below_each_other(rows: list[_Row], level: str) -> Table:
    """For terminals as narrow as a phone: what is missing is left out."""
    table = plain_table("", "")
    table.show_header = False
    for row in rows:
        table.add_row(row.name, row.value or dash(console()))
        for name, interval in ((f"{level} interval", row.interval), ("chosen anew", row.anew)):
            if interval:
                table.add_row(f"  {name}", interval)
    return table
