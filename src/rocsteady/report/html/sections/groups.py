"""Every group by itself: how many cases, how well each model does there, and what to be careful about."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.report.html.parts import LONGEST_NAME, Column, Row, headed, look, sentence, table
from rocsteady.report.html.tags import NOTHING, Child, Markup, named, phrase, tag, text
from rocsteady.report.summary.vocabulary import count
from rocsteady.words import listed

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.groups import GroupsOfModel, GroupsPart
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.vocabulary import Wording

N_STATIC = 300
"""Rows that stand in the page; the script shows the others on demand."""
LONGEST_HEADING, LONGEST_RATE, LONGEST_ON_PAPER = 24, 8, 10
N_PRINTED = 60
"""Rows on paper; the style sheet hides the others there."""
MOST_DRAWN = 3
"""Models whose intervals are drawn in one row."""
MOST_WITH_RATES, ROOM_ON_PAPER = 5, 8
"""Models whose rates stand on paper; columns of models for which there is room."""
UNKNOWN = "\N{EN DASH}"
OUTSIDE = -99.0
"""Where what is not known is drawn: beyond the edge of the picture."""
_WIDTH, _STEP = 100, 9
Cell = str | tuple[float, ...]


def render(summary: ReportSummary, drawing: Drawing, wording: Wording) -> Markup:
    """A table that can be sorted, and how to read it."""
    part = summary.groups
    if part is None or not part.groups:
        return NOTHING
    models = tuple(own.model for own in part.models)
    n = len(part.groups)
    is_cut = n > N_STATIC
    shown = table(
        ["Cases, area under the curve and rates of every ", named(wording.unit, longest=LONGEST_NAME)],
        list(_columns(summary, part, wording)),
        [_row(row, part) for row in islice(_rows(part, wording), N_STATIC)],
        above=_above(part) if any(models) else (),
        class_=f"groups {_width(part)}".rstrip(),
        data_sortable=True,
        data_rest=is_cut,
    )
    more = _more(n, wording) if is_cut else None
    below = sentence(part.explanation, "sm mut")
    return text([_lead(part, n), shown, more, _on_paper(part, wording), below])


def rest(summary: ReportSummary, wording: Wording) -> tuple[tuple[Cell, ...], ...]:
    """The cells of all rows, in the order of the columns, after the class of the row.

    The script writes those that do not stand in the page from these, and sorts over all of them. A tuple of
    numbers is the places in the small picture of a row.
    """
    part = summary.groups
    return () if part is None else tuple(_rows(part, wording))


def _rows(part: GroupsPart, wording: Wording) -> Iterator[tuple[Cell, ...]]:
    """The cells of one row after the other."""
    has_notes, is_drawn = any(part.flags), _is_drawn(part)
    of_models = [_of_model(own, part, wording) for own in part.models]
    counts = zip(part.n_positives.tolist(), part.n_negatives.tolist(), strict=True)
    for name, flags, (n_positives, n_negatives), places, *own in zip(
        part.groups, part.flags, counts, _places(part), *of_models, strict=True
    ):
        cells: list[Cell] = ["flag" if flags else "", name, count(n_positives), count(n_negatives)]
        for cells_of_model in own:
            cells += cells_of_model
        cells += [places] if is_drawn else []
        cells += [", ".join(flags)] if has_notes else []
        yield tuple(cells)


def _columns(summary: ReportSummary, part: GroupsPart, wording: Wording) -> Iterator[Column]:
    number = partial(Column, sort="number")
    cutoff = headed(wording.cutoff_word).replace("-", "\N{NON-BREAKING HYPHEN}")
    yield Column(_heading(wording.unit), is_text=True, sort="text")
    yield number(_heading(wording.positives))
    yield number(_heading(wording.negatives))
    is_widest = "widest" in _width(part)
    for k, own in enumerate(part.models):
        yield number(_named_area(k, own.model) if is_widest else "AUC")
        yield Column(f"{100 * summary.about.confidence_level:g} %", kind="limits")
        if _thresholds_differ(part):
            yield number(cutoff, kind="threshold")
        yield number(_rate(wording.fpr.short), kind="rate")
        yield number(_rate(wording.tpr.short), kind="rate")
    if _is_drawn(part):
        yield Column(f"AUC, {_axis(part):g} to 1", kind="drawn")
    if any(part.flags):
        yield Column("Note", is_text=True, sort="text")


def _named_area(model: int, name: str) -> Child:
    """The heading of an area where paper has no other column of its model."""
    short = named(name, longest=LONGEST_ON_PAPER)
    return [tag("span", short, class_=f"print-only model {look(model)}"), "AUC"]


def _rate(short: str) -> Child:
    """The name of a rate over its column; a long one is abbreviated, as physicians do."""
    word = headed(short)
    return f"{word} %" if len(word) <= LONGEST_RATE else [tag("abbr", f"{word[:4]}.", title=word), " %"]


def _width(part: GroupsPart) -> str:
    """The class of a table too wide for paper, where the more models, the more columns are left out."""
    n = len(part.models)
    if n > MOST_DRAWN:
        return "wide wider widest" if n > MOST_WITH_RATES else "wide wider"
    return "wide" if n * (5 if _thresholds_differ(part) else 4) > ROOM_ON_PAPER else ""


def _heading(words: str) -> Markup:
    """A word from the data over a column."""
    return named(headed(words), longest=LONGEST_HEADING)


def _above(part: GroupsPart) -> list[tuple[Child, int]]:
    """The models over their columns."""
    n = 5 if _thresholds_differ(part) else 4
    names = [
        tag("span", named(own.model, longest=LONGEST_NAME), class_=f"model {look(k)}")
        for k, own in enumerate(part.models)
    ]
    after = int(_is_drawn(part)) + int(any(part.flags))
    return [(None, 3), *((name, n) for name in names), *([(None, after)] if after else [])]


def _of_model(own: GroupsOfModel, part: GroupsPart, wording: Wording) -> Iterator[list[Cell]]:
    """The cells of one model in each row."""
    has_thresholds = _thresholds_differ(part)
    for auc, low, high, fpr, tpr, threshold in zip(
        *(column.tolist() for column in (own.auc, own.low, own.high, own.fpr, own.tpr, own.threshold)),
        strict=True,
    ):
        cells: list[Cell] = [_area(auc), "" if math.isnan(low) else f"{_area(low)}\N{EN DASH}{_area(high)}"]
        if has_thresholds:
            cells.append(UNKNOWN if math.isnan(threshold) else wording.cutoff(threshold))
        yield [*cells, wording.fpr.bare(fpr) or UNKNOWN, wording.tpr.bare(tpr) or UNKNOWN]


def _row(row: tuple[Cell, ...], part: GroupsPart) -> Row:
    class_, name, *cells = row
    shown = [cell if isinstance(cell, str) else _tiny(cell, len(part.models)) for cell in cells]
    return Row([named(str(name), longest=LONGEST_NAME), *shown], str(class_))


def _thresholds_differ(part: GroupsPart) -> bool:
    """Whether groups have thresholds of their own; one that all share stands above the table."""
    return any(np.unique(own.threshold[~np.isnan(own.threshold)]).size > 1 for own in part.models)


def _is_drawn(part: GroupsPart) -> bool:
    return len(part.models) <= MOST_DRAWN


def _axis(part: GroupsPart) -> float:
    """Where the small pictures start: the tenth below every area."""
    areas = [auc for own in part.models for auc in own.auc.tolist() if not math.isnan(auc)]
    return min(math.floor(10 * min(areas, default=0.5)) / 10, 0.9)


def _places(part: GroupsPart) -> Iterator[tuple[float, ...]]:
    """Of each row: the ends of the interval and the area, model by model."""
    start = _axis(part)

    def place(area: float) -> float:
        if math.isnan(area):
            return OUTSIDE
        share = min(max((area - start) / (1 - start), 0.0), 1.0)
        return round(4 + (_WIDTH - 8) * share, 1)

    for i in range(len(part.groups)):
        ends = [(own.low[i], own.high[i], own.auc[i]) for own in part.models]
        yield tuple(place(float(value)) for of_model in ends for value in of_model)


def _tiny(places: tuple[float, ...], n_models: int) -> Markup:
    """A line from limit to limit with a mark at the area, for each model."""
    drawn = []
    for k in range(n_models):
        low, high, auc = places[3 * k : 3 * k + 3]
        y = _STEP * k + _STEP / 2
        drawn.append(tag("line", class_=f"line {look(k)}", data_x="x1 x2", x1=low, x2=high, y1=y, y2=y))
        at: dict[str, float | str] = {"class_": f"model-fill {look(k)}"}
        if k % 2:
            mark = tag(
                "rect", data_x="x", x=auc, y=y - 3, width=6, height=6, transform="translate(-3 0)", **at
            )
        else:
            mark = tag("circle", data_x="cx", cx=auc, cy=y, r=3.2, **at)
        drawn.append(mark)
    return tag("svg", drawn, class_="tiny", viewBox=f"0 0 {_WIDTH} {_STEP * n_models}", aria_hidden="true")


def _lead(part: GroupsPart, n: int) -> Markup:
    sorting = tag("span", "Choose a heading to sort. ", class_="noprint") if n > 1 else None
    care = "Rows with a tint need care; the note says why. " if any(part.flags) else None
    return tag("p", sorting, care, phrase(part.setting), class_="lead-in")


def _more(n: int, wording: Wording) -> Markup:
    units = named(wording.units, longest=LONGEST_NAME)
    seen = tag(
        "p", f"The first {N_STATIC} of {count(n)} ", units, ".", class_="mut sm noprint", data_shown=True
    )
    button = tag("button", f"Show all {count(n)} ", units, type="button", data_show_all=True, hidden=True)
    return text([seen, tag("p", button, class_="noprint")])


def _on_paper(part: GroupsPart, wording: Wording) -> Child:
    """What a sheet has no room for: rows, and columns of many models."""
    said: list[Child] = []
    n = len(part.groups)
    if n > N_PRINTED:
        units = named(wording.units, longest=LONGEST_NAME)
        said += [f"On paper the first {N_PRINTED} of {count(n)} ", units, "; the page has more. "]
    width = _width(part)
    if width:
        left_out = ["limits of the AUC"]
        if "wider" in width:
            left_out += [f"{wording.cutoff_word}s"] if _thresholds_differ(part) else []
            left_out += ["rates"] if "widest" in width else []
        said.append(f"Not on paper for want of room: {listed(left_out)}; the page has them.")
    return tag("p", said, class_="print-only sm mut") if said else None


def _area(value: float) -> str:
    return UNKNOWN if math.isnan(value) else f"{value:.3f}"
