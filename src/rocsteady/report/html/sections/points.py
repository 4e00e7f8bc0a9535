"""Operating points: the table, what was promised and what came of it, which cut-offs would do as well."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from rocsteady.report.html.cells import bracketed, capital, coloured
from rocsteady.report.html.parts import (
    Column,
    Row,
    declared,
    reaching,
    sentence,
    table,
)
from rocsteady.report.html.sections.point_extras import coordinates, cutoffs, det, realised, two_by_twos
from rocsteady.report.html.tags import NOTHING, Child, Markup, joined, named, tag
from rocsteady.report.summary.points.points import PointBlock, PointRow, PointsPart

if TYPE_CHECKING:
    from rocsteady.report.summary.vocabulary import RateWord, Wording

_MARKS = "¹²³⁴⁵⁶⁷⁸⁹"
_LONGEST_CELL = 12
"""Letters of a cut-off that stays on its line."""


def render(summary: Any, drawing: Any, wording: Wording) -> Markup:
    """The section."""
    part: PointsPart | None = summary.operating_points
    if part is None:
        return NOTHING
    models = tuple(summary.about.models or ("",))
    return tag(
        "div",
        [_block(block, models, wording) for block in part.blocks],
        sentence(part.note, "sm mut"),
        det(summary, models, wording),
        two_by_twos(part, models, wording),
        realised(part.realised, models, wording),
        cutoffs(part.cutoffs, models, wording),
        coordinates(part.coordinates, models, wording),
    )


def _block(block: PointBlock, models: Sequence[str], wording: Wording) -> Markup:
    notes = _numbered(block.rows)
    has_worst = any(math.isfinite(row.worst_fpr) for row in block.rows)
    columns = _columns(block, models, wording, has_worst=has_worst)
    rows = [
        Row(_cells(row, models, wording, notes, _reach(block.rows, i), has_worst=has_worst), _class(row))
        for i, row in enumerate(block.rows)
    ]
    return tag(
        "div",
        tag("h3", block.title) if block.title else None,
        sentence(block.explanation, "mut"),
        table(block.title or "Operating points", columns, rows, class_="points"),
        [tag("p", joined(f"{_mark(k)} {note}"), class_="sm mut") for note, k in notes.items()],
    )


def _columns(
    block: PointBlock, models: Sequence[str], wording: Wording, *, has_worst: bool
) -> list[Column | str]:
    columns: list[Column | str] = [Column("Operating point", is_text=True)]
    if len(models) > 1:
        columns.append(Column("Model", is_text=True))
    word = capital(wording.cutoff_word)
    columns.append(f"{word}s, lowest to highest" if block.question == "own" else word)
    mean = "" if block.question == "single" else "Mean "
    if all(row.key == "pooled" for row in block.rows):  # of all rows together, which is no mean over groups
        mean = "Overall "
    rates = (wording.fpr, wording.tpr)
    columns += [capital(f"{mean}{rate.short} %") for rate in rates]
    if has_worst:
        columns += [f"Worst {wording.unit}, {rate.short} %" for rate in rates]
    return columns


def _cells(
    row: PointRow,
    models: Sequence[str],
    wording: Wording,
    notes: dict[str, int],
    n_rows: int,
    *,
    has_worst: bool,
) -> list[Child]:
    marks = ", ".join(_mark(notes[note]) for note in row.notes)
    label: Child = [row.label, " ", declared()] if row.is_declared else row.label
    cells: list[Child] = [label]
    if len(models) > 1:
        cells = [reaching(label, n_rows) if n_rows else None]
    if len(models) > 1:
        cells.append(coloured(row.model, models, longest=28))
    # A cut-off between two others is a long word; it may take several lines, its limits stay together.
    cells.append(
        tag(
            "td",
            joined(row.cell or "–"),
            bracketed(row.cell_limits),
            tag("sup", marks) if marks else None,
            class_="long" if len(row.cell) > _LONGEST_CELL else None,
        )
    )
    for rate, value, limits, is_held in (
        (wording.fpr, row.fpr, row.fpr_limits, row.fpr_is_held),
        (wording.tpr, row.tpr, row.tpr_limits, row.tpr_is_held),
    ):
        cells.append(_rate(rate, value, limits, is_held=is_held))
    if has_worst:
        for rate, value, group, is_held in (
            (wording.fpr, row.worst_fpr, row.worst_fpr_group, row.fpr_is_held),
            (wording.tpr, row.worst_tpr, row.worst_tpr_group, row.tpr_is_held),
        ):
            # Where every group holds a rate by a threshold of its own, none is worse than the others.
            is_known = math.isfinite(value) and not (is_held and math.isnan(row.threshold))
            # A bare number beside a rate would be taken for another rate.
            is_word = any(letter.isalpha() for letter in group)
            whose = tag(
                "span", " ", "" if is_word else f"{wording.unit} ", named(group, longest=18), class_="ci"
            )
            cells.append([rate.bare(value), whose] if is_known else "–")
    return cells


def _rate(rate: RateWord, value: float, limits: tuple[float, float], *, is_held: bool) -> Child:
    if not math.isfinite(value):
        return "–"
    beside = tag("span", " held", class_="ci") if is_held else bracketed(rate.bare_interval(*limits))
    return [rate.bare(value), beside]


def _reach(rows: Sequence[PointRow], i: int) -> int:
    """How many rows an operating point has, at its first row; 0 at the others."""
    if i and rows[i].label == rows[i - 1].label:
        return 0
    return len(list(takewhile(lambda row: row.label == rows[i].label, rows[i:])))


def _class(row: PointRow) -> str:
    return "declared" if row.is_declared else ""


def _numbered(rows: Sequence[PointRow]) -> dict[str, int]:
    """Every note once, with its number."""
    return {note: k for k, note in enumerate(dict.fromkeys(note for row in rows for note in row.notes))}


def _mark(k: int) -> str:
    return _MARKS[k] if k < len(_MARKS) else f"({k + 1})"
