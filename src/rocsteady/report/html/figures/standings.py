"""All models one below the other, each with its value and its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocsteady.report.html.figures.axes import WIDTH, Scale, fitting, line, round_ticks, tick_words, words
from rocsteady.report.html.parts import look, marker
from rocsteady.report.html.tags import NOTHING, Markup, svg, tag

_LEFT, _TOP, _ROW, _FOOT = 150, 14, 34, 48


def standings_figure(standings: Sequence[Any], models: Sequence[str], measure: Any) -> Markup:
    """The picture; nothing where no value is known."""
    factor = 100.0 if measure.is_share else 1.0
    numbers = [
        [factor * measure.shown(own) for own in (each.value, each.low, each.high)] for each in standings
    ]
    known = np.array(numbers, dtype=np.float64)
    known = known[np.isfinite(known)]
    if not known.size:
        return NOTHING
    low, high = float(known.min()), float(known.max())
    room = 0.06 * (high - low) or 0.02 * factor
    across = Scale(low - room, high + room, _LEFT, WIDTH - 14)
    bottom = _TOP + _ROW * len(standings)
    drawn = [_axis(across, bottom, measure)]
    for i, (each, (value, first, last)) in enumerate(zip(standings, numbers, strict=True)):
        k, y = models.index(each.model), _TOP + _ROW * (i + 0.5)
        if np.isfinite([first, last]).all():
            drawn.append(line(across(first), y, across(last), y, f"model-edge {look(k)}", stroke_width=2.4))
        if np.isfinite(value):
            drawn.append(marker(k, across(value), y, size=11))
        name = fitting(each.model, _LEFT - 16)
        drawn.append(
            words(name, _LEFT - 12, y + 5, class_=f"model-word {look(k)}", anchor="end", title=each.model)
        )
    label = f"{measure.name} of every model with its interval"
    return svg(WIDTH, bottom + _FOOT, drawn, label=label, class_="figure")


def _axis(across: Scale, bottom: float, measure: Any) -> Markup:
    ticks = round_ticks(across.low, across.high, 5)
    rules = [line(across(tick), _TOP, across(tick), bottom, "grid-line") for tick in ticks]
    said = [
        words(word, across(tick), bottom + 18, class_="ax", anchor="middle")
        for tick, word in zip(ticks, tick_words(ticks), strict=True)
    ]
    title = words(measure.axis, (across.start + across.end) / 2, bottom + 40, anchor="middle")
    return tag("g", rules, said, title)
