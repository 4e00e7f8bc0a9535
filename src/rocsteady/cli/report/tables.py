"""The table of ``rocsteady report``: each model at the declared operating point, in three widths."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocsteady.cli.compare.cells import number, signed
from rocsteady.cli.console import fitting_name, plain_table
from rocsteady.cli.legible import legible
from rocsteady.words import listed, printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from rocsteady.report.summary.comparing.pairs import Pair
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.modes.modes import Mode
    from rocsteady.report.summary.points.points import PointRow
    from rocsteady.report.summary.vocabulary import RateWord

_NAME = 17
"""Columns of a model's name before its numbers."""
_DIM = "bright_black"
DIFFERENCE = "difference"
_FIRST = {"declared": 0, "example": 1}
"""Which operating points the terminal shows: the declared one, or what stands for it."""


@dataclass(frozen=True)
class Column:
    """One quantity: a value and an interval for every row of the table, empty where there is none."""

    heading: str
    cells: tuple[tuple[str, str], ...]

    @property
    def has_intervals(self) -> bool:
        """Whether any row has one."""
        return any(interval for _, interval in self.cells)


@dataclass(frozen=True)
class Shown:
    """What the table says, before it has a shape."""

    corner: str
    names: tuple[str, ...]
    columns: tuple[Column, ...]
    level: str


def shown_of(summary: ReportSummary, scores: str = "scores") -> Shown:
    """Every model at the declared place, or at the example, and the difference of two.

    ``scores`` is what a model without a name is called.
    """
    from rocsteady.report.summary.comparing.measure import model_name

    rows = rows_of(summary)
    pairs = _pairs(summary, rows)
    names = [fitting_name(model_name(row.model) if row.model else printable(scores), _NAME) for row in rows]
    columns = [
        Column(_threshold_word(summary), tuple((row.cell, row.cell_limits) for row in rows)),
        *_rates(summary, rows, pairs),
        *_costs(rows, pairs),
        *_worst(summary, rows),
        _areas(summary, rows, pairs),
    ]
    if pairs:
        names.append(DIFFERENCE)
        columns = [_with_rest(column, len(names)) for column in columns]
    level = f"{100 * summary.about.confidence_level:g} %"
    label = legible(rows[0].label)
    if not summary.deployment.place_is_declared:
        label += " (an example)"
    return Shown(label, tuple(names), tuple(map(_legible, columns)), level)


def is_averaged(summary: ReportSummary) -> bool:
    """Whether there are several curves; a single one is not asked how it will be used."""
    return summary.about.is_grouped and summary.about.n_groups > 1


def _legible(column: Column) -> Column:
    cells = tuple((legible(value), legible(interval)) for value, interval in column.cells)
    return Column(column.heading, cells)


def wide_table(shown: Shown) -> Table:
    """A row for each model, intervals beside their values."""
    headings = [
        heading
        for column in shown.columns
        for heading in (column.heading, *([shown.level] if column.has_intervals else []))
    ]
    table = plain_table(_corner(shown), *headings)
    for index, name in enumerate(shown.names):
        cells: list[RenderableType] = []
        for column in shown.columns:
            value, interval = column.cells[index]
            cells += [value, *([_dim(interval)] if column.has_intervals else [])]
        table.add_row(name, *cells, style="bold" if name == DIFFERENCE else None)
    return table


def caption(shown: Shown) -> str:
    """What stands above a table whose corner is too small for it."""
    return "" if _corner(shown) else f"{shown.corner}:"


def _corner(shown: Shown) -> str:
    return shown.corner if len(shown.corner) <= _NAME else ""


def narrow_table(shown: Shown) -> Table:
    """A row for each model, intervals under their values."""
    table = plain_table(_corner(shown), *(column.heading for column in shown.columns))
    for index, name in enumerate(shown.names):
        values, intervals = zip(*(column.cells[index] for column in shown.columns), strict=True)
        table.add_row(name, *values, style="bold" if name == DIFFERENCE else None)
        if any(intervals):
            table.add_row(_dim(f"  {shown.level} interval"), *map(_dim, intervals))
    return table


def tall_table(shown: Shown) -> Table:
    """A line for each number, where there is little room."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    if _corner(shown):
        table.add_row(_dim(shown.corner))
    for index, name in enumerate(shown.names):
        table.add_row(name, style="bold")
        for column in shown.columns:
            value, interval = column.cells[index]
            if value:
                table.add_row(f"  {column.heading}", value)
            if interval:
                table.add_row(_dim(f"    {shown.level}"), _dim(interval))
    return table


def undeclared_tables(summary: ReportSummary) -> list[Table]:
    """All averages, none of them marked: their areas, in a column or in lines for each model."""
    from rich.table import Table

    models = [fitting_name(printable(own.model), _NAME) for own in summary.averages[0].models]
    wide = plain_table("average", *(f"AUC {name}".strip() for name in models))
    tall = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for modes in _alike(summary):
        name = listed([_short(mode) for mode in modes], most=len(modes))
        areas = [number(own.auc) for own in modes[0].models]
        wide.add_row(name, *areas)
        tall.add_row(name)
        for model, area in zip(models, areas, strict=True):
            tall.add_row(f"  AUC {model}".rstrip(), area)
    return [wide, tall]


def _alike(summary: ReportSummary) -> Iterator[list[Mode]]:
    """Averages that can be made, those with the same areas together: all along a direction share one."""
    together: dict[tuple[str, ...], list[Mode]] = {}
    for mode in summary.averages:
        if not mode.problem:
            together.setdefault(tuple(number(own.auc) for own in mode.models), []).append(mode)
    yield from together.values()


def _short(mode: Mode) -> str:
    """``"vertical"`` of the vertical average."""
    return mode.name.removesuffix(" average").removesuffix(" curve").lower()


def rows_of(summary: ReportSummary) -> list[PointRow]:
    """Of each model, the row at the declared place or at the example; at the first if neither is there."""
    rows = summary.operating_points.rows
    here = min(rows, key=lambda row: _FIRST.get(row.status, len(_FIRST)))
    return [row for row in rows if (row.label, row.place) == (here.label, here.place)]


def _pairs(summary: ReportSummary, rows: list[PointRow]) -> dict[str, Pair]:
    """What two models are compared by, if there are two: a rate or an area, or both rates."""
    found = summary.comparison
    if found is None or len(rows) != 2:
        return {}
    names = (rows[0].model, rows[1].model)
    return {pair.measure.kind: pair for pair in found.pairs if (pair.a, pair.b) == names}


def _threshold_word(summary: ReportSummary) -> str:
    return "cut-off" if summary.about.words == "medical" else "threshold"


def _rates(summary: ReportSummary, rows: list[PointRow], pairs: dict[str, Pair]) -> Iterator[Column]:
    """The rates that are not held, each with its interval; the difference in the one that is compared."""
    wording = summary.wording
    for kind, word in (("tpr", wording.tpr), ("fpr", wording.fpr)):
        if all(getattr(row, f"{kind}_is_held") for row in rows):
            continue
        cells = [
            (_percent(word, getattr(row, kind)), word.bare_interval(*getattr(row, f"{kind}_limits")))
            for row in rows
        ]
        if pairs:
            cells.append(_gap(pairs.get(kind), [getattr(row, kind) for row in rows]))
        yield Column(f"{_whose(summary, rows)}{word.short}", tuple(cells))


def _whose(summary: ReportSummary, rows: list[PointRow]) -> str:
    """A rate of all rows together is no mean over groups."""
    if not is_averaged(summary):
        return ""
    return "overall " if all(row.key == "pooled" for row in rows) else "mean "


def _gap(pair: Pair | None, values: list[float]) -> tuple[str, str]:
    """The difference of two values as it was compared; nothing where something else was."""
    if pair is None or not math.isclose(values[0] - values[1], pair.difference, abs_tol=1e-6):
        return "", ""
    gap = pair.measure.signed(pair.difference).removesuffix(pair.measure.points)
    return gap, pair.measure.limits(pair.low, pair.high)


def _costs(rows: list[PointRow], pairs: dict[str, Pair]) -> Iterator[Column]:
    """The expected cost of a case, where costs are what is held."""
    if all(math.isnan(row.cost) for row in rows):
        return
    pair = pairs.get("cost")
    limits = [(math.nan, math.nan)] * len(rows) if pair is None else [pair.a_limits, pair.b_limits]
    cells = [
        (_cost(row.cost), "" if math.isnan(own[0]) else " to ".join(map(_cost, own)))
        for row, own in zip(rows, limits, strict=True)
    ]
    if pairs:
        cells.append(_gap(pair, [row.cost for row in rows]))
    yield Column("cost", tuple(cells))


def _cost(cost: float) -> str:
    return "" if math.isnan(cost) else f"{cost:.3g}"


def _worst(summary: ReportSummary, rows: list[PointRow]) -> Iterator[Column]:
    """The worst group: of false positives, unless these are what every group holds."""
    if not is_averaged(summary):
        return
    is_own = all(math.isnan(row.threshold) for row in rows)
    kind = "tpr" if is_own and all(row.fpr_is_held for row in rows) else "fpr"
    word = getattr(summary.wording, kind)
    cells = tuple((_percent(word, getattr(row, f"worst_{kind}")), "") for row in rows)
    yield Column(f"worst {word.short}", cells)


def _areas(summary: ReportSummary, rows: list[PointRow], pairs: dict[str, Pair]) -> Column:
    # A single dataset cannot be pooled, whatever was declared; all its averages are one curve.
    made = [own for own in summary.averages if own.models]
    mode = next((own for own in made if own.is_declared), made[0])
    found = {own.model: own for own in mode.models}
    cells = [(number(found[row.model].auc), _limits(found[row.model].auc_interval)) for row in rows]
    if pairs:
        first, second = (found[row.model].auc for row in rows)
        _, interval = _gap(pairs.get("auc"), [first, second])
        cells.append((_signed(first - second), interval))
    return Column("AUC", tuple(cells))


def _signed(difference: float) -> str:
    return signed(difference).replace("-", "\u2212")


def _limits(interval: tuple[float, float]) -> str:
    low, high = interval
    return "" if math.isnan(low) else f"{max(low, 0.0):.3f} to {min(high, 1.0):.3f}"


def _with_rest(column: Column, n: int) -> Column:
    """The same column with nothing in the rows that it has no values for."""
    return Column(column.heading, column.cells + (("", ""),) * (n - len(column.cells)))


def _percent(word: RateWord, rate: float) -> str:
    return "" if math.isnan(rate) else f"{word.bare(rate)} %"


def _dim(text: str) -> RenderableType:
    from rich.text import Text

    return Text(text, style=_DIM)
