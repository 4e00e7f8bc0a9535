"""Beside the operating points: 2x2 tables, promised and realised, cut-offs like the chosen one, DET axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.report.html.cells import bracketed, capital, coloured, place_of
from rocsteady.report.html.figures.cutoffs import cutoffs_figure
from rocsteady.report.html.figures.det import det_figure
from rocsteady.report.html.parts import (
    Column,
    Row,
    figure,
    folded,
    model_key,
    sentence,
    table,
    twin,
)
from rocsteady.report.html.tags import NOTHING, Child, Markup, joined, named, phrase, tag
from rocsteady.report.summary.vocabulary import bare_percent, count, number

if TYPE_CHECKING:
    from rocsteady.report.summary.points.coordinates import Coordinates
    from rocsteady.report.summary.points.counted import Measure, TwoByTwoPart
    from rocsteady.report.summary.points.cutoffs import CutoffsPart, Neighbours
    from rocsteady.report.summary.points.points import PointRow, PointsPart
    from rocsteady.report.summary.points.realised import RealisedPart
    from rocsteady.report.summary.vocabulary import RateWord, Wording

_CANNOT = "cannot"
_OPENED = {"declared": 0, "example": 1}
"""Rows whose 2x2 table is in sight: those at the declared place, or at what stands for it."""
_MOST_OPENED = 2
_AT_PREVALENCE = frozenset({"positive predictive value", "negative predictive value", "accuracy"})
"""Measures that hold for one prevalence."""


def two_by_twos(part: PointsPart, models: Sequence[str], wording: Wording) -> Markup:
    """The 2x2 table of every row, with likelihood ratios and predictive values, folded away."""
    rows = [row for row in part.rows if row.two_by_two is not None]
    if not rows:
        return NOTHING
    first = min(rows, key=lambda row: _OPENED.get(row.status, len(_OPENED)))
    opened = [row for row in rows if (row.label, row.key) == (first.label, first.key)][:_MOST_OPENED]
    others = [row for row in rows if all(row is not each for each in opened)]
    return tag(
        "div",
        tag("h3", "2 × 2 table, likelihood ratios and predictive values"),
        _side_by_side([_two_by_two(row, models, wording) for row in opened]),
        folded(
            f"The same at the other {len(others)} rows",
            _side_by_side([_two_by_two(row, models, wording) for row in others]),
        )
        if others
        else None,
    )


def _side_by_side(tables: list[Markup]) -> Markup:
    """Two to a line; one alone keeps the line."""
    return tag("div", tables, class_="grid g2 top" if len(tables) > 1 else None)


def _two_by_two(row: PointRow, models: Sequence[str], wording: Wording) -> Markup:
    own = row.two_by_two
    assert own is not None  # two_by_twos
    # A cut-off that was asked for is the label already.
    title: list[Child] = [row.label if "threshold" in row.place else f"{row.label}, cut-off {own.cell}"]
    if len(models) > 1:
        title += [" · ", coloured(row.model, models)]
    sides = [["Truth: ", named(name, longest=24)] for name in (wording.positive, wording.negative)]
    counts = table(
        ["Decisions against the truth: ", *title],
        [Column("Test", is_text=True), Column(sides[0]), Column(sides[1])],
        [
            [f"positive ({_counted_at(own)})", count(own.tp), count(own.fp)],
            ["negative", count(own.fn), count(own.tn)],
        ],
    )
    has_limits = any(each.limits_text for each in own.measures)
    has_new = any(each.corrected_text for each in own.measures)
    measures = table(
        ["Measures: ", *title],
        [
            Column("Measure", is_text=True),
            "Value",
            *(["On new rows"] if has_new else []),
            *(["Interval"] if has_limits else []),
        ],
        [
            [
                _measure(each, own),
                each.text,
                *([each.corrected_text or "–"] if has_new else []),
                *([each.limits_text or "–"] if has_limits else []),
            ]
            for each in own.measures
        ],
    )
    return tag(
        "div",
        tag("p", tag("strong", title), class_="sm"),
        counts,
        measures,
        tag("p", joined(f"{_prevalence(own)} {own.note}"), class_="sm mut"),
    )


def _counted_at(own: TwoByTwoPart) -> str:
    """The cut-off as it follows the word positive; each group has one of its own, or they share it."""
    return f"cut-off {own.cell}" if own.cell.startswith("of ") else own.cell


def _measure(measure: Measure, own: TwoByTwoPart) -> Child:
    """Its name; what depends on the prevalence says at which."""
    if measure.name not in _AT_PREVALENCE:
        return measure.name
    return [measure.name, tag("span", f" at a prevalence of {_share(own.prevalence)}", class_="ci")]


def _prevalence(own: TwoByTwoPart) -> str:
    """Where the prevalence comes from."""
    whence = "as in these rows, since no other was declared" if own.is_sample_prevalence else "as declared"
    return f"Predictive values and accuracy are for a prevalence of {_share(own.prevalence)}, {whence}."


def _share(prevalence: float) -> str:
    """With the digits that it has: prevalences may be small."""
    return f"{float(f'{100 * prevalence:.3g}'):g} %"


def realised(part: RealisedPart | None, models: Sequence[str], wording: Wording) -> Markup:
    """What thresholds promised on the rows they were set on, and what they did on others."""
    if part is None or not part.rows:
        return NOTHING
    columns: list[Column | str] = [Column("Operating point", is_text=True)]
    columns += [Column("Model", is_text=True)] if len(models) > 1 else []
    columns.append(Column("Tried on", is_text=True))
    for rate in (wording.fpr, wording.tpr):
        columns += [f"Promised {rate.short} %", f"Realised {rate.short} %"]
    has_missed = any(math.isfinite(row.missed) for row in part.rows)
    columns += [f"{capital(wording.units)} that miss it %"] if has_missed else []
    rows = []
    for row in part.rows:
        cells: list[Child] = [row.label]
        cells += [coloured(row.model, models)] if len(models) > 1 else []
        cells.append(row.where)
        cells += [_bare(wording.fpr, row.promised_fpr), _with_limits(wording.fpr, row.fpr, row.fpr_limits)]
        cells += [_bare(wording.tpr, row.promised_tpr), _with_limits(wording.tpr, row.tpr, row.tpr_limits)]
        cells += [bare_percent(row.missed) or "–"] if has_missed else []
        rows.append(cells)
    said = list(dict.fromkeys(row.sentence for row in part.rows if row.sentence))
    return tag(
        "div",
        tag("h3", "Promised and realised"),
        sentence(part.explanation, "mut"),
        table("Promised and realised rates", columns, rows, class_="points"),
        folded("The same in words", [sentence(own, "sm") for own in said]) if said else None,
    )


def cutoffs(part: CutoffsPart | None, models: Sequence[str], wording: Wording) -> Markup:
    """Which other cut-offs the data cannot tell apart from the shared one."""
    if part is None or not part.models:
        return NOTHING
    shown = [_neighbours(own, models, wording) for own in part.models]
    return tag(
        "div",
        tag("h3", f"Which other {wording.cutoff_word}s would do as well?"),
        sentence(part.explanation, "mut"),
        tag("div", shown, class_="grid g2") if len(shown) > 1 else shown,
    )


def _neighbours(own: Neighbours, models: Sequence[str], wording: Wording) -> Markup:
    place = place_of(own.model, models)
    key = tag("p", model_key(place, own.model), class_="keys") if len(models) > 1 else None
    picture = cutoffs_figure(own, place, wording)
    said = (
        f"How much either rate would change; the upright line is the {wording.cutoff_word} in use. Filled "
        "dots cannot be told apart from it by that rate, open ones can; tinted, the stretch where neither "
        "rate can tell."
    )
    if not picture:
        return tag("div", key, sentence(own.sentence))
    return tag(
        "div", figure([key, picture], [phrase(own.sentence), " ", said], twin=twin(_rows_of(own, wording)))
    )


def _rows_of(own: Neighbours, wording: Wording) -> Markup:
    columns: list[Column | str] = [capital(wording.cutoff_word)]
    columns += [f"{capital(rate.short)} %" for rate in (wording.tpr, wording.fpr)]
    columns += [Column("Told apart by", is_text=True)]
    rows = []
    for i, cell in enumerate(own.cells):
        by = [
            rate.short
            for rate, told in ((wording.tpr, own.told_tpr[i]), (wording.fpr, own.told_fpr[i]))
            if told not in (_CANNOT, "")
        ]
        told = f"the {wording.cutoff_word} in use" if own.is_chosen[i] else " and ".join(by) or "neither rate"
        cells = [cell, wording.tpr.bare(float(own.tpr[i])), wording.fpr.bare(float(own.fpr[i])), told]
        rows.append(Row(cells, "declared" if own.is_chosen[i] else ""))
    return table(f"{capital(wording.cutoff_word)}s around the one in use", columns, rows)


def coordinates(parts: Sequence[Coordinates], models: Sequence[str], wording: Wording) -> Markup:
    """The curve as a table, as statistical packages print it."""
    if not parts:
        return NOTHING
    tables = []
    for own in parts:
        has_cutoffs = any(own.cells)  # each group has its own where thresholds are not shared
        columns = [
            *(["Cut-off"] if has_cutoffs else []),
            "Sensitivity",
            "1 − specificity",
            "Youden",
            "LR+",
            "LR−",
        ]
        name = [" · ", coloured(own.model, models)] if len(models) > 1 else []
        numbers = np.column_stack([own.tpr, own.fpr, own.youden, own.lr_positive, own.lr_negative])
        rows = [
            [*([cell] if has_cutoffs else []), *map(_cell, values)]
            for cell, values in zip(own.cells, numbers.tolist(), strict=True)
        ]
        tables.append(table([own.heading, *name], columns, rows, shows_caption=True))
    return folded("Coordinates of the curve", tables)


def det(summary: Any, models: Sequence[str], wording: Wording) -> Markup:
    """Both error rates on normal-deviate axes, where biometrics reads them."""
    part = getattr(summary, "det", None)
    if part is None:
        return NOTHING
    picture = det_figure(part, models, wording)
    if not picture:
        return NOTHING
    keys = None
    if len(part.models) > 1:
        places = [place_of(own.model, models) for own in part.models]
        keys = tag(
            "p", [model_key(k, own.model) for k, own in zip(places, part.models, strict=True)], class_="keys"
        )
    columns = [Column(coloured(own.model, models) if own.model else "FNMR %") for own in part.models]
    rows = [
        [_error(at), *(_error(float(own.tabled[i])) for own in part.models)]
        for i, at in enumerate(part.tabled_at)
    ]
    numbers = table(f"FNMR % at an FMR, {part.average}", ["FMR %", *columns], rows)
    return tag(
        "div",
        tag("h3", "Both error rates (DET)"),
        tag(
            "div",
            figure([keys, picture], phrase(part.sentence)),
            tag("div", tag("h3", "FNMR at some FMRs"), numbers, class_="card soft"),
            class_="grid gx top",
        ),
    )


def _error(rate: float) -> str:
    return "–" if not math.isfinite(rate) else f"{100 * rate:.4g}"


def _bare(rate: RateWord, value: float) -> str:
    return rate.bare(value) if math.isfinite(value) else "–"


def _with_limits(rate: RateWord, value: float, limits: tuple[float, float]) -> Child:
    return [_bare(rate, value), bracketed(rate.bare_interval(*limits))]


def _cell(value: float) -> str:
    if math.isnan(value):
        return "–"
    return number(float(value), 3) if np.isfinite(value) else "∞"
