"""smROC curves: what the magnitudes of scores add."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.report.html.cells import bracketed, place_of, titled
from rocsteady.report.html.figures.plane import band, curve, plane
from rocsteady.report.html.parts import (
    Column,
    figure,
    model_key,
    sentence,
    table,
    twin,
)
from rocsteady.report.html.tags import NOTHING, Markup, tag
from rocsteady.report.summary.smroc import MOST_GROUPS, ModelSmroc, SmrocPart
from rocsteady.words import grouped, plural

if TYPE_CHECKING:
    from rocsteady.report.summary.vocabulary import Wording

_MOST_BANDS = 3
"""Models whose bands can be told apart."""
_MOST_SENTENCES = 2
"""Of more models the table says the same in less room."""
_EVERY = 10
"""Of the positions in the table beside the figure."""


def render(summary: Any, drawing: Any, wording: Wording) -> Markup:
    """The section; empty where scores are no shares of 1."""
    part: SmrocPart | None = summary.smroc
    if part is None:
        return NOTHING
    own = [(place_of(each.model, summary.about.models), each) for each in part.models]
    said = part.models if len(part.models) <= _MOST_SENTENCES else ()
    return tag(
        "div",
        tag("p", part.explanation, class_="lead-in"),
        tag(
            "div",
            _figure(own, part.confidence_level, wording),
            tag("div", [sentence(each.sentence) for each in said], _areas(own, part)),
            class_="grid gx",
        ),
        [tag("p", problem, class_="sm mut") for problem in part.problems],
    )


def _figure(own: list[tuple[int, ModelSmroc]], level: float, wording: Wording) -> Markup:
    has_bands = len(own) <= _MOST_BANDS
    drawn: list[Markup] = []
    for k, each in own:
        drawn += [band(each.debit, each.credit_low, each.credit_high, k)] if has_bands else []
        drawn.append(curve((each.debit, each.chance_credit), k, "model-chance"))
    drawn += [curve((each.debit, each.credit), k) for k, each in own]
    label = f"Averaged smROC curve{'s of each model' if len(own) > 1 else ''} with chance curves"
    keys = tag("p", [model_key(k, each.model) for k, each in own], class_="keys") if len(own) > 1 else None
    has_limits = any(np.isfinite(each.credit_low).any() for _, each in own)
    limits = f" Band: {100 * level:g} % at each point." if has_bands and has_limits else ""
    first = own[0][1]
    lot = (
        f" ({grouped(first.n_groups)} of {grouped(first.n_all)}, drawn by lot)"
        if first.n_all > MOST_GROUPS
        else ""
    )
    over = f" Averaged at equal shares of debit over {wording.units}{lot}." if wording.is_grouped else ""
    said = f"Thick: the smROC curve. Thin, dotted: its chance curve, of labels dealt at random.{limits}{over}"
    picture = plane("Share of debit (%)", "Share of credit (%)", *drawn, label=label, has_diagonal=False)
    return figure([keys, picture], said, twin=twin(_numbers(own)))


def _numbers(own: list[tuple[int, ModelSmroc]]) -> Markup:
    models = [each.model for _, each in own]
    columns: list[Column | str] = ["Share of debit %"]
    for _, each in own:
        columns.append(Column(titled("credit %", each.model, models)))
        columns.append(Column(titled("chance %", each.model, models)))
    rows = []
    for place in range(0, own[0][1].debit.size, _EVERY):
        cells: list[Any] = [f"{100 * own[0][1].debit[place]:g}"]
        for _, each in own:
            low, high = each.credit_low[place], each.credit_high[place]
            limits = f"{100 * low:.1f} to {100 * high:.1f}" if np.isfinite(low) and low < high else ""
            cells.append([f"{100 * each.credit[place]:.1f}", bracketed(limits)])
            cells.append(f"{100 * each.chance_credit[place]:.1f}")
        rows.append(cells)
    return table("smROC curves at every tenth of debit", columns, rows)


def _areas(own: list[tuple[int, ModelSmroc]], part: SmrocPart) -> Markup:
    """The areas of all models side by side; of one or two the sentences have them."""
    if len(own) <= _MOST_SENTENCES:
        return NOTHING
    level = f"{100 * part.confidence_level:g} %"
    columns: list[Column | str] = [Column("Model", is_text=True), "smAUC", "chance", "AUC"]
    rows = []
    for k, each in own:
        has_limits = each.smauc_low < each.smauc_high
        limits = f"{each.smauc_low:.3f} to {each.smauc_high:.3f}" if has_limits else ""
        area = [f"{each.smauc:.3f}", bracketed(limits)]
        rows.append([model_key(k, each.model), area, f"{each.chance:.3f}", f"{each.auc:.3f}"])
    caption = "Mean areas: smAUC, what labels dealt at random would give, and the ordinary AUC"
    note = tag("p", f"Brackets: {level} interval over {plural(part.unit)}.", class_="sm mut")
    return tag(
        "div", table(caption, columns, rows), note if own[0][1].n_groups > 1 else None, class_="card soft"
    )
