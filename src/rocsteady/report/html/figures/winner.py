"""Who wins where: the advantage of one model along a range, with limits for the whole range at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.report.html.figures.axes import (
    WIDTH,
    Scale,
    between,
    line,
    polyline,
    rectangle,
    round_ticks,
    tick_words,
    words,
)
from rocsteady.report.html.parts import look, marker
from rocsteady.report.html.tags import NOTHING, Markup, svg, tag
from rocsteady.words import cost_ratio

Floats = NDArray[np.float64]

_LEFT, _TOP, _BOTTOM, _HEIGHT = 62, 32, 240, 324
_STRIP, _THICK = 254, 18
_THINNEST = 2.0
"""Width of a region of a single position; else nobody would see it."""
_ROOM = 18.0
"""Width of a region that its model's marker fits into."""
_RATIOS = (1.0, 2.0, 5.0)


def winner_figure(winner: Any, models: Sequence[str]) -> Markup:
    """The picture of a winner map; of many models, the lead of the best one."""
    factor = 100.0 if winner.is_share else 1.0
    line_y, low, high = (
        factor * np.asarray(own, dtype=np.float64) for own in (winner.advantage, winner.lower, winner.upper)
    )
    is_ratio = winner.over == "costs"
    x = np.asarray(winner.x, dtype=np.float64)
    place = np.log10(x) if is_ratio else 100 * x
    across = Scale(float(place[0]), float(place[-1]), _LEFT, WIDTH - 12)
    up = _scale(line_y, low, high)
    at = across.many(place)
    drawn = [
        _axes(up, winner),
        _band(at, low, high, up),
        line(_LEFT, up(0), WIDTH - 12, up(0), "guide"),
        _declared(winner, across, is_ratio=is_ratio),
        # In no model's colour: below zero it would be that of the one that loses.
        tag("path", d=polyline(at, up.many(line_y)), class_="ink-line", stroke_width=2.2),
        _strip(winner, across, models, is_ratio=is_ratio),
        _ticks(across, is_ratio=is_ratio),
        words(
            winner.axis if is_ratio else f"{winner.axis} (%)",
            (_LEFT + WIDTH) / 2,
            _HEIGHT - 8,
            anchor="middle",
        ),
    ]
    label = f"Advantage along {winner.axis}, with limits for the whole range at once, and who wins where"
    return svg(WIDTH, _HEIGHT, drawn, label=label, class_="figure")


def _band(at: Floats, low: Floats, high: Floats, up: Scale) -> Markup:
    """Limits; an infinite one reaches to the edge of the picture, and two of them are no limits."""
    known = np.isfinite(low) | np.isfinite(high)
    low, high = np.where(known, low, np.nan), np.where(known, high, np.nan)
    return tag("path", d=between(at, up.many(low), up.many(high)), class_="soft-fill")


def _declared(winner: Any, across: Scale, *, is_ratio: bool) -> Markup:
    """The declared point on the axis."""
    if not np.isfinite(winner.at):
        return NOTHING
    at = float(np.log10(winner.at) if is_ratio else 100 * winner.at)
    if not across.low <= at <= across.high:
        return NOTHING
    x = across(at)
    return tag(
        "g",
        line(x, _TOP - 2, x, _STRIP + _THICK, "ink-line", stroke_width=1.4),
        words("declared", x + 5, _TOP + 8, class_="strong"),
    )


def _scale(advantage: Floats, low: Floats, high: Floats) -> Scale:
    """Zero is always in it; limits that run away do not squeeze the line."""
    known = np.concatenate([[0.0], advantage[np.isfinite(advantage)]])
    reach = 4 * float(np.abs(known).max()) or 1.0
    ends = np.concatenate([own[np.isfinite(own) & (np.abs(own) <= max(reach, 1e-9))] for own in (low, high)])
    known = np.concatenate([known, ends])
    first, last = float(known.min()), float(known.max())
    room = 0.06 * (last - first) or 1.0
    return Scale(first - room, last + room, _BOTTOM, _TOP)


def _axes(up: Scale, winner: Any) -> Markup:
    ticks = round_ticks(up.low, up.high, 6)
    rules = [line(_LEFT, up(tick), WIDTH - 12, up(tick), "grid-line") for tick in ticks]
    said = [
        words(word if tick <= 0 else f"+{word}", _LEFT - 8, up(tick) + 4.5, class_="ax", anchor="end")
        for tick, word in zip(ticks, tick_words(ticks), strict=True)
    ]
    return tag("g", rules, said, words(winner.gain, _LEFT, 16, class_="ax"))


def _strip(winner: Any, across: Scale, models: Sequence[str], *, is_ratio: bool) -> Markup:
    """Winners along the bottom, each in its colour and marked where there is room."""
    drawn: list[Markup] = [rectangle(across.start, _STRIP, across.end - across.start, _THICK, "hollow")]
    for region in winner.regions:
        if not region.winner:
            continue
        ends = [np.log10(v) if is_ratio else 100 * v for v in (region.low, region.high)]
        first, last = across(float(ends[0])), across(float(ends[1]))
        wide = max(last - first, _THINNEST)
        k = models.index(region.winner) if region.winner in models else 0
        drawn.append(
            tag(
                "g",
                tag("title", f"{region.winner} wins"),
                rectangle(first, _STRIP, wide, _THICK, f"model-fill {look(k)}"),
                marker(k, first + wide / 2, _STRIP + _THICK / 2, class_="paper-fill")
                if wide > _ROOM
                else None,
            )
        )
    return tag("g", drawn)


def _ticks(across: Scale, *, is_ratio: bool) -> Markup:
    if is_ratio:
        decades = range(int(np.floor(across.low)) - 1, int(np.ceil(across.high)) + 2)
        every = sorted(
            {float(f"{r:.6g}") for p in decades for s in _RATIOS for r in (s * 10.0**p, 1 / (s * 10.0**p))}
        )
        own = [r for r in every if across.low - 1e-9 <= np.log10(r) <= across.high + 1e-9]
        while len(own) > 6:
            own = own[::2]
        placed = [(float(np.log10(r)), cost_ratio(r)) for r in own]
    else:
        ticks = round_ticks(across.low, across.high, 6)
        placed = list(zip(ticks, tick_words(ticks), strict=True))
    bottom = _STRIP + _THICK
    return tag(
        "g",
        [line(across(at), bottom, across(at), bottom + 5, "axis-line") for at, _ in placed],
        [words(word, across(at), bottom + 21, class_="ax", anchor="middle") for at, word in placed],
    )
