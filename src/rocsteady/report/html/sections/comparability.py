"""Do scores mean the same in every group: level shift, price of one threshold, size balance, the ridge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocsteady.report.html.cells import capital, coloured, place_of
from rocsteady.report.html.figures.ridge import ridge_figure
from rocsteady.report.html.parts import LONGEST_NAME, Column, figure, model_key, sentence, table, twin
from rocsteady.report.html.tags import NOTHING, Child, Markup, joined, named, tag
from rocsteady.report.summary.material import MOST_SHOWN
from rocsteady.report.summary.vocabulary import percent
from rocsteady.words import grouped

if TYPE_CHECKING:
    from rocsteady.report.summary.comparability import ComparabilityPart, Level
    from rocsteady.report.summary.vocabulary import Wording

_TAGS = {"small": "ok", "large": "warn"}
_QUANTILES = ("5 %", "25 %", "median", "75 %", "95 %")
_MOST_BIG = 3
"""Models whose numbers stand side by side in a card; more have a table."""


def render(summary: Any, drawing: Any, wording: Wording) -> Markup:
    """The section; empty for one dataset."""
    part: ComparabilityPart | None = summary.comparability
    if part is None:
        return NOTHING
    models = tuple(summary.about.models)
    return tag(
        "div",
        sentence(part.sentence),
        sentence(part.hint) if part.hint else None,
        _cards(part, models, wording),
        _ridges(part, models, wording),
    )


def _cards(part: ComparabilityPart, models: Sequence[str], wording: Wording) -> Markup:
    cards = [_balance(part)]
    if part.models and len(part.models) <= _MOST_BIG:
        shifts = [
            _value(own, models, f"{own.shift:.2f}" if math.isfinite(own.shift) else "∞")
            for own in part.models
        ]
        prices = [_value(own, models, _area(own.price), _limits(own)) for own in part.models]
        cards = [
            _card("Level shift", shifts, part.shift_explanation),
            _card(f"Price of one shared {wording.cutoff_word}", prices, part.price_explanation),
            *cards,
        ]
    shown = [card for card in cards if card]
    below = _table_of(part, models) if len(part.models) > _MOST_BIG else NOTHING
    wide = "grid g3" if len(shown) > 1 else "grid g2"
    return tag("div", below, tag("div", shown, class_=wide))


def _card(title: str, values: list[Markup], explanation: str) -> Markup:
    return tag(
        "div",
        tag("h3", title),
        tag("div", values, class_="values"),
        tag("p", joined(explanation), class_="sm mut"),
        class_="card",
    )


def _value(own: Level, models: Sequence[str], shown: str, limits: str = "") -> Markup:
    """A number with its model above and its judgement below."""
    name = None
    if own.model:
        name = tag("div", coloured(own.model, models, longest=24), class_="sm")
    return tag(
        "div",
        name,
        tag("div", shown, class_="big"),
        tag("div", limits, class_="ci") if limits else None,
        _judgement(own.judgement),
    )


def _judgement(judgement: str) -> Markup:
    words = {"unsure": "may be chance"}.get(judgement, judgement)
    return tag("span", words, class_=f"tag {_TAGS.get(judgement, 'dec')}")


def _limits(own: Level) -> str:
    if not (math.isfinite(own.price_low) and math.isfinite(own.price_high)):
        return ""
    return f"{_area(own.price_low)} to {_area(own.price_high)}"


def _area(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}".replace("-0.000", "0.000").replace("-", "−")


def _balance(part: ComparabilityPart) -> Markup:
    if part.balance is None:
        return NOTHING
    return tag(
        "div",
        tag("h3", "Size balance"),
        tag("div", percent(part.balance.share), class_="big"),
        sentence(part.balance.sentence, "sm mut"),
        class_="card",
    )


def _table_of(part: ComparabilityPart, models: Sequence[str]) -> Markup:
    columns: list[Column | str] = [
        Column("Model", is_text=True),
        "Level shift",
        "Price (AUC)",
        "Interval",
        "AUC, own",
        "AUC, shared",
    ]
    columns.append(Column("Judgement", is_text=True))
    rows = []
    for own in part.models:
        k = place_of(own.model, models)
        shift = f"{own.shift:.2f}" if math.isfinite(own.shift) else "∞"
        areas = [f"{own.own_auc:.3f}", f"{own.shared_auc:.3f}"]
        rows.append(
            [
                model_key(k, own.model),
                shift,
                _area(own.price),
                _limits(own) or "–",
                *areas,
                _judgement(own.judgement),
            ]
        )
    said = tag("p", joined(f"{part.shift_explanation} {part.price_explanation}"), class_="sm mut")
    return tag("div", table("Level shift and price of one threshold for all", columns, rows), said)


def _ridges(part: ComparabilityPart, models: Sequence[str], wording: Wording) -> Markup:
    """One picture per model, the groups in the same order in all of them."""
    pictures = []
    for own in part.models:
        k = place_of(own.model, models)
        label = f"Scores of {wording.negatives} in each {wording.unit}{f', {own.model}' if own.model else ''}"
        picture = ridge_figure(own.quantiles, part.groups, k, own.threshold, wording, label=label)
        key = tag("p", model_key(k, own.model), class_="keys") if own.model else None
        if picture:
            pictures.append(figure([key, picture], twin=twin(_quantiles(own, part.groups, wording))))
    if not pictures:
        return NOTHING
    return tag(
        "div",
        tag("div", pictures, class_="grid g2"),
        tag("p", joined(_caption(part, wording)), class_="sm mut"),
        class_="apart",
    )


def _caption(part: ComparabilityPart, wording: Wording) -> str:
    n, shown = part.n_groups, len(part.groups)
    which = f"each {wording.unit}"
    if shown < n:  # the others were not drawn, or lack a class
        which = f"the {grouped(shown)} {wording.units} with both classes"
        which = f"{shown} of {grouped(n)} {wording.units}, drawn by lot" if shown >= MOST_SHOWN else which
    said = f"Scores of {wording.negatives} in {which}: median, middle half and 5 to 95 % range."
    if any(math.isfinite(own.threshold) for own in part.models):
        side = "right" if wording.higher_is_positive else "left"
        said += f" The upright line is the shared {wording.cutoff_word}; what lies {side} of it is a "
        said += f"{wording.errors[0]}."
    if len(part.models) > 1:
        said += f" {capital(wording.units)} are in the same order in all pictures."
    return said


def _quantiles(own: Level, groups: Sequence[str], wording: Wording) -> Markup:
    columns: list[Column | str] = [Column(capital(wording.unit), is_text=True), *_QUANTILES]
    rows: list[list[Child]] = [
        [named(name, longest=LONGEST_NAME), *(_score(float(v), wording) for v in values)]
        for name, values in zip(groups, own.quantiles, strict=True)
    ]
    return table(f"Scores of {wording.negatives}, {wording.unit} by {wording.unit}", columns, rows)


def _score(value: float, wording: Wording) -> str:
    if math.isnan(value):
        return "–"
    return wording.threshold(value) if math.isfinite(value) else ("∞" if value > 0 else "−∞")
