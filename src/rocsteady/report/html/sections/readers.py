"""A reader study: means of readers, what is random, where the variance comes from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady.report.html.cells import capital, p_cell, place_of, titled
from rocsteady.report.html.figures.plane import band, curve, plane, thread
from rocsteady.report.html.figures.reader_values import reader_values
from rocsteady.report.html.parts import (
    LONGEST_NAME,
    Column,
    figure,
    folded,
    model_key,
    sentence,
    table,
    twin,
)
from rocsteady.report.html.tags import NOTHING, Child, Markup, named, tag
from rocsteady.report.summary.readers import MOST_LINES, Modality, ReadersPart
from rocsteady.report.summary.vocabulary import MINUS
from rocsteady.words import p_words, plural

if TYPE_CHECKING:
    from rocsteady.report.summary.vocabulary import Wording

_MOST_BANDS = 3


def render(summary: Any, drawing: Any, wording: Wording) -> Markup:
    """The section; empty where no case was read by several groups."""
    part: ReadersPart | None = summary.readers
    if part is None:
        return NOTHING
    if part.problem:
        return tag("p", f"These ratings could not be analysed as a reader study: {part.problem}")
    own = [(place_of(each.model, summary.about.models), each) for each in part.modalities]
    return tag(
        "div",
        sentence(part.sentence),
        tag("div", _curves(own, part, wording), _values(own, part), class_="grid g2"),
        _means(own, part),
        _differences(part) if len(part.differences) > 1 else None,
        tag("h3", "What these numbers rest on"),
        tag("ul", [tag("li", each) for each in part.assumptions], class_="sm"),
        folded("Where the variance comes from", _components(part)) if part.components else None,
    )


def _curves(own: list[tuple[int, Modality]], part: ReadersPart, wording: Wording) -> Markup:
    has_bands = len(own) <= _MOST_BANDS
    drawn: list[Markup] = []
    for k, each in own:
        drawn += [band(each.band_fpr, each.tpr_low, each.tpr_high, k)] if has_bands else []
        drawn.append(thread(each.lines, k))
    drawn += [curve((each.fpr, each.tpr), k) for k, each in own]
    units = wording.units
    label = f"ROC curves of single {units} and the average curve{' of each model' if len(own) > 1 else ''}"
    picture = plane(f"{wording.fpr.axis} (%)", f"{wording.tpr.axis} (%)", *drawn, label=label)
    shown = f"the first {MOST_LINES} of each" if len(part.readers) > MOST_LINES else f"one per {wording.unit}"
    level = f"{100 * part.confidence_level:g} %"
    limits = f" Band: {level} at each point, for other {units} and cases;" if has_bands else ""
    gap = " none where too few cases decide." if has_bands else ""
    said = f"Thin: {shown}. Thick: their average at equal {_held(wording)}.{limits}{gap}"
    return figure([_keys(own), picture], said, twin=twin(_curve_numbers(own, wording)))


def _held(wording: Wording) -> str:
    return f"{wording.fpr.name}" if wording.fpr.is_rest else f"{wording.fpr.name}s"


def _keys(own: list[tuple[int, Modality]]) -> Child:
    if len(own) < 2:
        return None
    return tag("p", [model_key(k, each.model) for k, each in own], class_="keys")


def _curve_numbers(own: list[tuple[int, Modality]], wording: Wording) -> Markup:
    columns: list[Column | str] = [f"{wording.fpr.axis} %"]
    models = [each.model for _, each in own]
    columns += [Column(titled(f"{wording.tpr.axis} %", each.model, models)) for _, each in own]
    rows = [
        [f"{10 * tenth}", *(f"{100 * float(each.tenths[tenth]):.1f}" for _, each in own)]
        for tenth in range(own[0][1].tenths.size)
    ]
    return table("Average curves at every tenth", columns, rows)


def _values(own: list[tuple[int, Modality]], part: ReadersPart) -> Markup:
    level = f"{100 * part.confidence_level:g} %"
    said = f"AUC of every {part.unit}; filled, the mean with its {level} interval. "
    if len(own) > 1:
        said += f"Lines join the same {part.unit}. Whether models differ is told by the difference, not by "
        said += "whether these intervals overlap."
    columns: list[Column | str] = [Column(capital(part.unit), is_text=True)]
    models = [each.model for _, each in own]
    columns += [Column(titled("AUC", each.model, models)) for _, each in own]
    rows = [
        [
            named(name, longest=LONGEST_NAME),
            *("–" if math.isnan(v) else f"{v:.3f}" for v in part.values[:, j]),
        ]
        for j, name in enumerate(part.readers)
    ]
    numbers = table(f"AUC of every {part.unit}", columns, rows)
    return figure(reader_values(own, part), said, twin=twin(numbers))


def _means(own: list[tuple[int, Modality]], part: ReadersPart) -> Markup:
    units, level = plural(part.unit), f"{100 * part.confidence_level:g} %"
    columns: list[Column | str] = [Column("Model", is_text=True)] if len(own) > 1 else []
    columns += [
        Column(capital(units)),
        "Cases",
        "Mean AUC",
        f"{level} interval",
        f"sd of {units}",
    ]
    rows = []
    for k, each in own:
        cells: list[Child] = [model_key(k, each.model)] if len(own) > 1 else []
        sd = "–" if math.isnan(each.reader_sd) else f"{each.reader_sd:.3f}"
        cells += [each.n_readers, each.n_cases, f"{each.mean:.3f}", _interval(each.low, each.high), sd]
        rows.append(cells)
    caption = f"Mean AUC of each model for other {units} and cases; sd between {units}, "
    caption += "chance of the cases taken out"
    return table(caption, columns, rows, shows_caption=True)


def _differences(part: ReadersPart) -> Markup:
    columns: list[Column | str] = [
        Column("Difference", is_text=True),
        "Mean AUC",
        "Interval",
        "p",
        "p (Holm)",
    ]
    rows = []
    for own in part.differences:
        pair = [named(own.a, longest=LONGEST_NAME), " minus ", named(own.b, longest=LONGEST_NAME)]
        pvalues = [p_cell(own.pvalue), p_cell(own.adjusted_pvalue)]
        rows.append([pair, _signed(own.difference), _interval(own.low, own.high, signed=True), *pvalues])
    test = f"; all models at once: {part.test}, {p_words(part.pvalue)}" if part.test else ""
    return table(f"Differences of all pairs{test}", columns, rows, shows_caption=True)


def _components(part: ReadersPart) -> Markup:
    columns: list[Column | str] = [Column("Part", is_text=True), "Variance"]
    columns.append(Column("What it is", is_text=True))
    rows = [[own.symbol, f"{own.value:.3g}".replace("-", MINUS), own.meaning] for own in part.components]
    return table("Variance components and covariances of the error", columns, rows)


def _interval(low: float, high: float, *, signed: bool = False) -> str:
    if math.isnan(low) or math.isnan(high):
        return "–"
    return " to ".join(_signed(end) if signed else f"{end:.3f}" for end in (low, high))


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", MINUS)
