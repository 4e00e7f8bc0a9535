"""Is one model better: pairs, the same question under other deployments, who wins where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.report.html.cells import capital, coloured, over, p_cell
from rocsteady.report.html.figures.pair import MOST_LINES, pair_figure
from rocsteady.report.html.figures.standings import standings_figure
from rocsteady.report.html.figures.winner import winner_figure
from rocsteady.report.html.parts import (
    LONGEST_NAME,
    Column,
    Row,
    declared,
    figure,
    folded,
    look,
    marker,
    model_key,
    sentence,
    table,
    twin,
)
from rocsteady.report.html.tags import NOTHING, Child, Markup, named, tag
from rocsteady.report.summary.comparing.measure import model_name
from rocsteady.words import cost_ratio, grouped, listed

if TYPE_CHECKING:
    from rocsteady.report.summary.comparing.comparison import ComparisonPart
    from rocsteady.report.summary.comparing.pairs import Pair
    from rocsteady.report.summary.comparing.winner import Winner
    from rocsteady.report.summary.vocabulary import Wording

_MOST_ROWS = 100
"""Groups in the table beside a figure; all of them stand in the table of groups."""
_MOST_BESIDE = 3
"""Models whose columns are few enough for letters of the usual size on paper."""
_MOST_REGIONS = 5
"""Parts of a winner map that are listed in sight."""
_POSITIONS = 11


def render(summary: Any, drawing: Any, wording: Wording) -> Markup:
    """The section; empty for one model."""
    part: ComparisonPart | None = summary.comparison
    if part is None:
        return NOTHING
    models = tuple(part.models)
    is_pooled = any(mode.is_declared and mode.key == "pooled" for mode in summary.averages)
    whole = _whole(wording, is_pooled=is_pooled)
    made = _of_two if len(models) == 2 else _of_many
    found = made(part, models, wording, whole)
    return tag("div", sentence(part.sentence), found, _winner(part.winner, models, wording))


def _whole(wording: Wording, *, is_pooled: bool) -> str:
    """Whose value is compared: that of the average group, of all rows, of the only dataset."""
    if not wording.is_grouped:
        return "All cases"
    return f"All {wording.units} together" if is_pooled else capital(wording.average_unit())


def _of_two(part: ComparisonPart, models: Sequence[str], wording: Wording, whole: str) -> Markup:
    """The picture of the pair; at a threshold two, one for either rate."""
    pictures = tag("div", [_pair(pair, models, wording, whole) for pair in part.pairs])
    return tag("div", pictures, _elsewhere(part, models), class_="grid gx")


def _of_many(part: ComparisonPart, models: Sequence[str], wording: Wording, whole: str) -> Child:
    """All models, every one against the first, and the pictures of the pairs to open."""
    pictures = [_pair(pair, models, wording, whole) for pair in part.pairs]
    unfold = folded(
        f"Each comparison, {wording.unit} by {wording.unit}", tag("div", pictures, class_="grid g2")
    )
    return [
        tag("div", _standings(part, models), _pairs(part, models), class_="grid gx"),
        unfold if any(pictures) else None,
        _elsewhere(part, models),
    ]


def _pair(pair: Pair, models: Sequence[str], wording: Wording, whole: str) -> Markup:
    first, second = (models.index(name) for name in (pair.a, pair.b))
    picture = pair_figure(pair, first, second, wording.unit)
    if not picture:
        return NOTHING
    return figure(picture, _caption(pair, wording), twin=twin(_group_values(pair, models, wording, whole)))


def _caption(pair: Pair, wording: Wording) -> Child:
    n, measure = len(pair.groups), pair.measure
    what = f"{measure.name}{f' at {measure.at}' if measure.at else ''}"
    lines = f"One line per {wording.unit}. " if n else ""
    if n > MOST_LINES:
        lines = f"{MOST_LINES} of {grouped(n)} {wording.units}, drawn by lot; all of them count. "
    bulge = "; grey, the distribution behind that interval" if len(pair.density_x) else ""
    return [
        f"{capital(what)}. {lines}Right, on the same scale: ",
        named(model_name(pair.a)),
        " minus ",
        named(model_name(pair.b)),
        f" with its interval{bulge}.",
    ]


def _group_values(pair: Pair, models: Sequence[str], wording: Wording, whole: str) -> Markup:
    """Every group with both models; first of all the values that are compared."""
    measure = pair.measure
    if wording.is_grouped and measure.kind == "auc" and not len(pair.groups):
        whole = "The average curve"  # whose area is no mean over groups
    columns = [
        Column(capital(wording.unit) if len(pair.groups) else "Read on", is_text=True),
        *(_head(name, models) for name in (pair.a, pair.b)),
    ]
    columns.append(Column("difference"))
    rows: list[Row | list[Child]] = [
        Row(
            [
                whole,
                measure.bare(pair.value_a),
                measure.bare(pair.value_b),
                measure.signed(pair.difference),
            ],
            "declared",
        )
    ]
    for name, a, b in list(zip(pair.groups, pair.values_a, pair.values_b, strict=True))[:_MOST_ROWS]:
        gap = float(a) - float(b)
        rows.append(
            [
                named(name, longest=LONGEST_NAME),
                measure.bare(float(a)),
                measure.bare(float(b)),
                measure.signed(gap),
            ]
        )
    more = len(pair.groups) - _MOST_ROWS
    caption = f"{measure.axis} of every {wording.unit}" if len(pair.groups) else measure.axis
    caption += f" (the first {_MOST_ROWS} of {grouped(len(pair.groups))})" if more > 0 else ""
    return table(caption, columns, rows)


def _elsewhere(part: ComparisonPart, models: Sequence[str]) -> Markup:
    """The same question under other averages; the declared row is the evidence."""
    if not part.others:
        return NOTHING
    measure = part.others_measure
    columns: list[Column | str] = [Column(part.place or measure.short, is_text=True)]
    columns += [_head(name, models) for name in models]
    columns.append("diff." if len(models) == 2 else "best minus next")
    rows = []
    for row in part.others:
        name: Child = [row.name, " ", declared()] if row.is_declared else row.name
        gap: Child = (
            "–" if math.isnan(row.difference) else measure.signed(row.difference).removesuffix(measure.points)
        )
        limits = measure.limits(row.low, row.high)
        cells: list[Child] = [name, *(measure.bare(value) or "–" for value in row.values)]
        rows.append(Row([*cells, over(gap, limits)], "declared" if row.is_declared else ""))
    wide = "points" if len(models) > _MOST_BESIDE else ""
    title = (
        "The same question under other deployments"
        if any(r.is_declared for r in part.others)
        else "Under every average"
    )
    return tag(
        "div",
        tag("h3", title),
        table(f"{part.place or measure.axis} under every average", columns, rows, class_=wide),
        sentence(part.note, "sm mut") if part.note else None,
        class_="card soft",
    )


def _standings(part: ComparisonPart, models: Sequence[str]) -> Markup:
    if not part.pairs:
        return NOTHING
    measure = part.standings_measure
    picture = standings_figure(part.standings, models, measure)
    if not picture:
        return NOTHING
    rows = []
    for own in part.standings:
        ends = (own.high, own.low) if measure.is_rest else (own.low, own.high)
        limits = " to ".join(map(measure.bare, ends)) if math.isfinite(own.low) else "–"
        rows.append([model_key(models.index(own.model), own.model), measure.bare(own.value), limits])
    numbers = table(
        f"{measure.axis} of every model", [Column("Model", is_text=True), measure.axis, "Interval"], rows
    )
    at = f" at {measure.at}" if measure.at else ""
    said = (
        f"{capital(measure.name)}{at} of every model with its own interval. Two that overlap may still "
        "differ: the table of differences tells."
    )
    return figure(picture, said, twin=twin(numbers))


def _pairs(part: ComparisonPart, models: Sequence[str]) -> Markup:
    """Every model against the first."""
    if not part.pairs:
        return NOTHING
    measure = part.measure
    kinds = list(dict.fromkeys(pair.measure.name for pair in part.pairs))
    columns = [Column("Compared with", is_text=True), Column("diff."), Column("p"), Column("p (Holm)")]
    rows = []
    for pair in part.pairs:
        gap = pair.measure.signed(pair.difference, pair.low, pair.high).removesuffix(pair.measure.points)
        limits = pair.measure.limits(pair.low, pair.high)
        who: list[Child] = [model_key(models.index(pair.b), pair.b)]
        who += [f", {pair.measure.short}"] if len(kinds) > 1 else []
        rows.append([who, over(gap, limits), p_cell(pair.pvalue), p_cell(pair.adjusted_pvalue)])
    unit = ", in points" if measure.is_share else ""
    first = named(model_name(models[0]))
    return tag(
        "div",
        tag("h3", first, " minus each of the others"),
        table(f"The first model minus each of the others{unit}", columns, rows),
        tag(
            "p",
            f"Differences in {listed(kinds)}{unit}. p (Holm) allows for the number of comparisons.",
            class_="sm mut",
        ),
        class_="card soft",
    )


def _winner(winner: Winner | None, models: Sequence[str], wording: Wording) -> Markup:
    if winner is None:
        return NOTHING
    whom: Child = named(model_name(winner.b)) if len(models) == 2 else "the best of the others"
    band = "There are no limits; the text says why."
    if np.isfinite(winner.lower).any() or np.isfinite(winner.upper).any():
        band = "Band: limits that hold over the whole range at once."
    said = [
        "Line: advantage of ",
        named(model_name(winner.a)),
        " over ",
        whom,
        f". {band} Strip: who wins where.",
    ]
    picture = [_winner_keys(winner, models), winner_figure(winner, models)]
    drawn = figure(picture, said, twin=twin(_positions(winner)))
    beside = tag("div", sentence(winner.sentence), _regions(winner, models))
    return tag("div", tag("h3", "Where is it better?"), tag("div", drawn, beside, class_="grid gx"))


def _winner_keys(winner: Winner, models: Sequence[str]) -> Markup:
    """The colours of the strip."""
    won = [name for name in models if any(region.winner == name for region in winner.regions)]
    keys = [
        tag("span", _swatch(f"model-fill {look(k)}", k), " ", coloured(models[k], models), " wins")
        for k in map(models.index, won)
    ]
    if any(not region.winner for region in winner.regions):
        keys.append(tag("span", _swatch("hollow"), " undecided", class_="mut"))
    return tag("p", keys, class_="keys")


def _swatch(class_: str, model: int | None = None) -> Markup:
    """A piece of the strip."""
    box = tag("rect", x=1, y=0, width=26, height=12, class_=class_)
    sign = None if model is None else marker(model, 14, 6, size=7, class_="paper-fill")
    return tag("svg", box, sign, viewBox="0 0 28 12", width=28, height=12, class_="key", aria_hidden="true")


def _regions(winner: Winner, models: Sequence[str]) -> Markup:
    """The range in parts; a single part is in the sentence."""
    if len(winner.regions) < 2:
        return NOTHING
    many = len(winner.regions) > _MOST_REGIONS
    rows: list[list[Child]] = []
    for region in winner.regions:
        who = model_key(models.index(region.winner), region.winner) if region.winner else "undecided"
        rows.append([f"{_place(winner, region.low)} to {_place(winner, region.high)}", who])
    columns = [Column(winner.axis, is_text=True), Column("Winner", is_text=True)]
    parts = table("Who wins where", columns, rows)
    return (
        folded(f"All {len(rows)} parts of the range", parts)
        if many
        else tag("div", parts, class_="card soft")
    )


def _positions(winner: Winner) -> Markup:
    chosen = np.unique(np.linspace(0, len(winner.x) - 1, _POSITIONS).astype(int))
    factor, places = (100, 1) if winner.is_share else (1, 4)
    rows = []
    for i in chosen.tolist():
        numbers = [factor * float(own[i]) for own in (winner.advantage, winner.lower, winner.upper)]
        shown = [f"{own:+.{places}f}".replace("-", "−") if math.isfinite(own) else "–" for own in numbers]
        rows.append([_place(winner, float(winner.x[i])), *shown])
    return table("The map at some places", [winner.axis, winner.gain, "lowest", "highest"], rows)


def _place(winner: Winner, at: float) -> str:
    return cost_ratio(at) if winner.over == "costs" else f"{100 * at:.3g} %"


def _head(name: str, models: Sequence[str]) -> Column:
    return Column(coloured(name, models, longest=24))
