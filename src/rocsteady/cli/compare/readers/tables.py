"""The tables of a reader study: modalities, their differences, the readers one by one, what is random."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady.cli.compare.cells import limits, missing, number, pvalue, signed, signed_limits
from rocsteady.cli.console import fitting_name, plain_table, show, show_first_fitting
from rocsteady.statistics.limits import Interval
from rocsteady.words import plural, printable

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.cli.compare.readers.making import Assumption, StudyFound
    from rocsteady.readers.compare import ReaderComparison

_NAME, _SHORT_NAME = 20, 10


def show_study_tables(found: StudyFound) -> None:
    """Modalities, differences, readers, and the test under other assumptions."""
    if found.comparison is None:
        from rocsteady.cli.compare.readers.standalone_tables import show_standalone_tables

        show_standalone_tables(found.standalone)
        return
    from rocsteady.readers.compare import near_ends

    own = found.comparison
    by_logit = near_ends(own).size > 0
    heads = ((own.per_modality.quantity, True), ("mean", True), ("mean", False))
    tables = [_modalities(own, heading, errors=errors, by_logit=by_logit) for heading, errors in heads]
    if by_logit:
        tables.append(_modalities(own, "mean", errors=False, by_logit=True, plain=False))
    show_first_fitting(*tables)
    show()
    shapes = ((True, _NAME), (False, _NAME), (False, _SHORT_NAME))
    show_first_fitting(
        *(_differences(own, errors=wide, most=most) for wide, most in shapes), tall_differences(own)
    )
    if len(own.readers) > 1:
        show()
        show_first_fitting(*_readers_tables(own))
    if len(found.assumptions) > 1:
        from rich.text import Text

        show()
        lines = [f"- {assumption_words(row, own.unit)}" for row in found.assumptions]
        show_first_fitting(_assumptions(found.assumptions, own), Text("\n".join(lines)))


def _modalities(
    own: ReaderComparison, heading: str, *, errors: bool, by_logit: bool, plain: bool = True
) -> Table:
    """Every modality's own mean; by logit too where plain intervals cover too little, or alone."""
    per = own.per_modality
    heading = per.quantity if len(per.quantity) < _NAME else heading
    kinds = {f"{level_of(own)} interval": per.intervals} if plain else {}
    if by_logit:
        kinds["by logit" if plain else f"{level_of(own)} by logit"] = per.logit_intervals
    table = plain_table("modality", heading, *error_headings(errors), *kinds)
    for i, modality in enumerate(per.modalities):
        cells = error_cells(per.standard_error[i], per.df[i]) if errors else []
        shown = [limits(intervals[i]) for intervals in kinds.values()]
        table.add_row(fitting_name(printable(modality), _NAME), number(float(per.value[i])), *cells, *shown)
    return table


def _differences(own: Any, *, errors: bool, most: int) -> Table:
    """Every pair of modalities."""
    is_adjusted = any(row.adjusted_pvalue != row.pvalue for row in own.differences)
    headings = ["", "difference", *error_headings(errors), f"{level_of(own)} interval", "p"]
    table = plain_table(*headings, *(["adjusted"] if is_adjusted else []))
    for row in own.differences:
        pair = " less ".join(fitting_name(printable(name), most) for name in (row.a, row.b))
        cells = [signed(row.difference), *(error_cells(row.standard_error, row.df) if errors else [])]
        cells += [signed_limits(row.interval), pvalue(row.pvalue)]
        table.add_row(pair, *cells, *([pvalue(row.adjusted_pvalue)] if is_adjusted else []))
    return table


def tall_differences(own: Any) -> Table:
    """The differences with a line for each number, where there is little room."""
    from rich.table import Table

    tall = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for row in own.differences:
        tall.add_row(f"{printable(row.a)} less {printable(row.b)}")
        rows = [
            ("difference", signed(row.difference)),
            (f"{level_of(own)} interval", signed_limits(row.interval)),
        ]
        rows += [("p", pvalue(row.pvalue))]
        rows += [("adjusted", pvalue(row.adjusted_pvalue))] if row.adjusted_pvalue != row.pvalue else []
        for name, value in rows:
            tall.add_row(f"  {name}", value)
    return tall


def _readers_tables(own: ReaderComparison) -> list[Table]:
    """Every reader's values; of two modalities with the difference, as wide as there is room for."""
    if len(own.differences) == 1 and len(own.per_reader):
        return [_readers(own, parts) for parts in (("interval", "p"), ("interval",), ())]
    names = [printable(name) for name in own.modalities]
    wide = plain_table(printable(own.unit), *(fitting_name(name, _NAME) for name in names))
    tall = plain_table(printable(own.unit), "modality", "value")
    for j, reader in enumerate(own.readers):
        shown = fitting_name(printable(reader), _NAME)
        wide.add_row(shown, *(number(float(value)) for value in own.values[:, j]))
        for i, name in enumerate(names):
            cells = [fitting_name(name, _NAME), number(float(own.values[i, j]))]
            tall.add_row("" if i else shown, *cells)
    return [wide, tall]


def _readers(own: ReaderComparison, parts: tuple[str, ...]) -> Table:
    per = own.per_reader
    names = [fitting_name(printable(name), _NAME) for name in (per.a[0], per.b[0])]
    headings = [f"{level_of(own)} interval"] if "interval" in parts else []
    table = plain_table(
        printable(own.unit), *names, "difference", *headings, *(["p"] if "p" in parts else [])
    )
    for j, reader in enumerate(own.readers):
        cells = [number(float(value)) for value in own.values[:, j]]
        if reader not in per.reader:  # who read one modality only is in its mean all the same
            table.add_row(fitting_name(printable(reader), _NAME), *cells, *[missing()] * (1 + len(parts)))
            continue
        i = per.reader.index(reader)
        cells.append(signed(float(per.difference[i])))
        if "interval" in parts:
            low, high = float(per.low[i]), float(per.high[i])
            cells.append(signed_limits(Interval(low, high, per.confidence_level, "z")))
        if "p" in parts:
            cells.append(pvalue(float(per.pvalue[i])))
        table.add_row(fitting_name(printable(reader), _NAME), *cells)
    return table


def _assumptions(told: list[Assumption], own: ReaderComparison) -> Table:
    """The same question with other things random; the one that was asked is marked."""
    from rocsteady.show.sentences.readers import statistic_words

    table = plain_table("random", "test", "p", "")
    for row in told:
        is_asked = (row.readers, row.cases) == (own.readers_are, own.cases_are)
        what = [plural(printable(own.unit))] * (row.readers == "random") + ["cases"] * (row.cases == "random")
        cells = [statistic_words(row.statistic, row.df), pvalue(row.pvalue), "used above" if is_asked else ""]
        table.add_row(" and ".join(what), *cells, style="bold" if is_asked else None)
    return table


def assumption_words(row: Assumption, unit: str) -> str:
    """One assumption and its p-value, in a line."""
    from rocsteady.show.sentences.readers import statistic_words
    from rocsteady.words import p_words

    units = plural(printable(unit))
    who = {
        ("random", "random"): f"other {units} and other cases",
        ("fixed", "random"): f"these {units}, other cases",
        ("random", "fixed"): f"other {units}, these cases",
    }[row.readers, row.cases]
    return f"{who}: {p_words(row.pvalue)} ({statistic_words(row.statistic, row.df)})"


def error_headings(wanted: bool) -> list[str]:
    """Over standard errors and their degrees of freedom."""
    return ["SE", "df"] if wanted else []


def error_cells(standard_error: float, df: float) -> list[str]:
    """A standard error and its degrees of freedom; a normal test has none."""
    if math.isnan(df):
        return [number(float(standard_error)), missing()]
    return [number(float(standard_error)), "z" if math.isinf(df) else f"{float(df):.1f}"]


def level_of(own: Any) -> str:
    """The confidence level in per cent."""
    return f"{100 * own.differences[0].interval.confidence_level:g} %"
