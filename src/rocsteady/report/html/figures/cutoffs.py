"""How much both rates change from the cut-off in use to others, and which cannot be told apart from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.report.html.cells import capital
from rocsteady.report.html.figures.axes import (
    WIDTH,
    Scale,
    line,
    polyline,
    rectangle,
    round_ticks,
    tick_words,
    words,
)
from rocsteady.report.html.parts import look
from rocsteady.report.html.tags import NOTHING, Markup, svg, tag
from rocsteady.report.summary.vocabulary import RateWord, Wording

Floats = NDArray[np.float64]

_LEFT, _TOP, _BOTTOM, _HEIGHT = 58, 50, 260, 316
_MARGIN = 104
"""Right of the lines, for their names."""
_LEAST_APART = 18.0


@dataclass(frozen=True)
class _Line:
    """One rate along the cut-offs, as change in points from the chosen one."""

    rate: RateWord
    change: Floats
    told: tuple[str, ...]
    is_model: bool


def cutoffs_figure(own: Any, model: int, wording: Wording) -> Markup:
    """The picture of one model's neighbours; nothing where fewer than two cut-offs can be drawn."""
    x = np.asarray(own.thresholds, dtype=np.float64)
    known = np.isfinite(x)
    if known.sum() < 2 or not any(own.is_chosen):
        return NOTHING
    order = np.flatnonzero(known)[np.argsort(x[known])]
    lines = [
        _line_of(own, wording.tpr, own.tpr, own.told_tpr, order, is_model=True),
        _line_of(own, wording.fpr, own.fpr, own.told_fpr, order, is_model=False),
    ]
    x = x[order]
    across = Scale(float(x[0]), float(x[-1]), _LEFT, WIDTH - _MARGIN)
    reach = max(float(np.nanmax(np.abs(each.change))) for each in lines) * 1.08 or 1.0
    up = Scale(-reach, reach, _BOTTOM, _TOP)
    drawn = [
        _alike(across, own),
        _axes(across, up),
        *(_drawn(across, up, x, each) for each in lines),
        _chosen(across, own, wording),
        _names(up, lines),
        words("Change (points)", _LEFT, 16, class_="ax"),
        words(capital(wording.cutoff_word), (_LEFT + WIDTH - _MARGIN) / 2, _HEIGHT - 6, anchor="middle"),
    ]
    label = f"Change of {wording.tpr.name} and {wording.fpr.name} around the {wording.cutoff_word} in use"
    return svg(WIDTH, _HEIGHT, tag("g", drawn, class_=look(model)), label=label, class_="figure")


def _line_of(
    own: Any, rate: RateWord, rates: Any, told: Any, order: NDArray[np.intp], *, is_model: bool
) -> _Line:
    values = np.asarray(rates, dtype=np.float64)
    change = 100 * (values - values[list(own.is_chosen).index(True)])
    return _Line(rate, (-change if rate.is_rest else change)[order], tuple(told[i] for i in order), is_model)


def _axes(across: Scale, up: Scale) -> Markup:
    drawn = []
    ticks = round_ticks(up.low, up.high, 5)
    for tick, word in zip(ticks, tick_words(ticks), strict=True):
        drawn.append(line(across.start, up(tick), across.end, up(tick), "grid-line"))
        shown = word if tick <= 0 else f"+{word}"
        drawn.append(words(shown, _LEFT - 8, up(tick) + 4.5, class_="ax", anchor="end"))
    ticks = round_ticks(across.low, across.high, 4)
    for tick, word in zip(ticks, tick_words(ticks), strict=True):
        drawn.append(line(across(tick), _BOTTOM, across(tick), _BOTTOM + 5, "axis-line"))
        drawn.append(words(word, across(tick), _BOTTOM + 21, class_="ax", anchor="middle"))
    return tag("g", drawn)


def _alike(across: Scale, own: Any) -> Markup:
    """The stretch that cannot be told apart, at least as wide as can be seen."""
    if not (np.isfinite(own.low) and np.isfinite(own.high)):
        return NOTHING
    first, last = sorted((across(own.low), across(own.high)))
    return rectangle(first - 1, _TOP, last - first + 2, _BOTTOM - _TOP, "model-tint")


def _drawn(across: Scale, up: Scale, x: Floats, own: _Line) -> Markup:
    """A line, and every cut-off on it: open where its rate differs more than chance explains."""
    places = np.column_stack([across.many(x), up.many(own.change)]).round(1)
    fill, edge = ("model-fill", "mark open") if own.is_model else ("ink-fill", "ink-open")
    path = tag(
        "path",
        d=polyline(places[:, 0], places[:, 1]),
        class_="model-line" if own.is_model else "ink-line",
        stroke_width=2,
    )
    dots = [
        tag("circle", cx=at[0], cy=at[1], r=3.8, class_=edge if told == "yes" else fill)
        for at, told in zip(places.tolist(), own.told, strict=True)
        if np.isfinite(at).all()
    ]
    return tag("g", path, dots)


def _chosen(across: Scale, own: Any, wording: Wording) -> Markup:
    if not np.isfinite(own.threshold):
        return NOTHING
    x = across(own.threshold)
    shown = own.cell or wording.cutoff(own.threshold)
    return tag(
        "g",
        line(x, _TOP - 8, x, _BOTTOM, "ink-line", stroke_width=1.6),
        words(shown, x, _TOP - 14, class_="strong", anchor="start" if x < across.start + 40 else "middle"),
    )


def _names(up: Scale, lines: list[_Line]) -> list[Markup]:
    """Each line's name at its right end, moved apart where they would meet."""
    ends = [up(float(own.change[-1])) for own in lines]
    if abs(ends[0] - ends[1]) < _LEAST_APART:
        middle, sign = sum(ends) / 2, 1 if ends[0] >= ends[1] else -1
        ends = [middle + sign * _LEAST_APART / 2, middle - sign * _LEAST_APART / 2]
    return [
        words(own.rate.short, WIDTH - _MARGIN + 9, y + 4.5, class_="model-word" if own.is_model else "strong")
        for own, y in zip(lines, ends, strict=True)
    ]
