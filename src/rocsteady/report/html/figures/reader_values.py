"""Every reader's value with every modality, and the means with their intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocsteady.plots.parts.short_names import told_apart
from rocsteady.report.html.figures.axes import WIDTH, Scale, line, polyline, round_ticks, tick_words, words
from rocsteady.report.html.parts import look, marker
from rocsteady.report.html.tags import Markup, svg, tag
from rocsteady.report.summary.readers import Modality, ReadersPart

_LEFT, _TOP, _BOTTOM, _HEIGHT = 58, 32, 40, 412
_ASIDE = 16
"""How far beside the readers' values a mean stands."""
_MOST_NAMED = 6
"""Modalities whose names have room below their columns; more are named by the key."""


def reader_values(own: Sequence[tuple[int, Modality]], part: ReadersPart) -> Markup:
    """A line for each reader across modalities; of one modality, a column of dots."""
    ends = [part.values.ravel(), [each.low for _, each in own], [each.high for _, each in own]]
    known = np.concatenate([np.asarray(each, dtype=np.float64) for each in ends])
    known = known[np.isfinite(known)]
    low, high = float(known.min()), float(known.max())
    room = max(0.05 * (high - low), 0.01)
    up = Scale(max(low - room, 0.0), min(high + room, 1.0), _HEIGHT - _BOTTOM, _TOP)
    step = (WIDTH - _LEFT) / len(own)
    across = [_LEFT + step * (i + 0.5) for i in range(len(own))]
    drawn = [_axis(up), _readers(part, across, up)]
    names = told_apart([each.model for _, each in own], max(int(step / 8.2), 4))
    for place, name, (k, each) in zip(across, names, own, strict=True):
        if len(own) <= _MOST_NAMED and each.model:
            drawn.append(
                words(
                    name,
                    place,
                    _HEIGHT - 12,
                    class_=f"model-word {look(k)}",
                    anchor="middle",
                    title=each.model,
                )
            )
        drawn.append(_mean(k, each, place + _ASIDE, up))
    label = f"AUC of every {part.unit} and the mean{' of each model' if len(own) > 1 else ''}"
    return svg(WIDTH, _HEIGHT, drawn, label=label, class_="figure")


def _axis(up: Scale) -> Markup:
    ticks = round_ticks(up.low, up.high, 6)
    drawn = [line(_LEFT, up(tick), WIDTH, up(tick), "grid-line") for tick in ticks]
    said = [
        words(word, _LEFT - 8, up(tick) + 4, class_="ax", anchor="end")
        for tick, word in zip(ticks, tick_words(ticks), strict=True)
    ]
    return tag("g", drawn, said, words("AUC", _LEFT, 16, class_="ax"))


def _readers(part: ReadersPart, across: Sequence[float], up: Scale) -> Markup:
    """Each reader's line with its dots; the name shows where the mouse rests."""
    drawn = []
    for name, values in zip(part.readers, part.values.T, strict=True):
        y = up.many(values)
        dots = [
            tag("circle", cx=round(x, 1), cy=round(float(own), 1), r=3.4, class_="hollow")
            for x, own in zip(across, y, strict=True)
            if np.isfinite(own)
        ]
        drawn.append(tag("g", tag("title", name), tag("path", d=polyline(across, y), class_="thread"), dots))
    return tag("g", drawn)


def _mean(k: int, own: Modality, x: float, up: Scale) -> Markup:
    bar = None
    if np.isfinite(own.low) and np.isfinite(own.high):
        bar = line(x, up(own.low), x, up(own.high), f"model-edge {look(k)}", stroke_width=2.4)
    return tag("g", bar, marker(k, x, up(own.mean), size=11))
