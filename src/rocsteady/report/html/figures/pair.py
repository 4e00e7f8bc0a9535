"""Two models side by side: one line per group, and their mean difference on the same scale.

The right-hand axis is the left-hand one counted from the second model's value, so that the length of the
difference can be compared with the spread of the groups by eye (Gardner and Altman).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.plots.parts.short_names import told_apart
from rocsteady.report.html.cells import capital
from rocsteady.report.html.figures.axes import (
    WIDTH,
    Scale,
    line,
    polyline,
    round_ticks,
    tick_words,
    words,
)
from rocsteady.report.html.parts import look, marker
from rocsteady.report.html.tags import NOTHING, Markup, svg, tag
from rocsteady.report.summary.vocabulary import MINUS

Floats = NDArray[np.float64]

MOST_LINES = 300
"""Groups that are drawn; of more, a sample that is the same every time."""
_MOST_DOTS, _MOST_TITLES = 100, 60
_TOP, _BOTTOM, _HEIGHT = 34, 312, 350
_LEFT, _FIRST, _SECOND, _STEM, _FAR = 56, 112, 236, 348, WIDTH
_BULGE = 92
"""Width of the density."""


def pair_figure(pair: Any, first: int, second: int, unit: str) -> Markup:
    """The picture of a comparison; nothing where there is nothing to draw.

    Parameters
    ----------
    pair : Pair
        What was compared.
    first, second : int
        Places of the two models among all, for their colours.
    unit : str
        The word for a group.
    """
    measure, factor = pair.measure, 100.0 if pair.measure.is_share else 1.0
    a, b = (factor * measure.shown(value) for value in (pair.value_a, pair.value_b))
    if not np.isfinite([a, b]).all():
        return NOTHING
    values = [factor * _shown(measure, own) for own in (pair.values_a, pair.values_b)]
    low, high = (factor * end for end in measure.gap_limits(pair.low, pair.high))
    bulge_x = factor * _gaps(measure, pair.density_x)
    up = _scale([a, b, *values, b + bulge_x, b + low, b + high], most=100.0 if measure.is_share else None)
    shown = sampled(len(values[0]), MOST_LINES)
    drawn = [
        _left_axis(up, measure),
        _threads(values, pair.groups, shown, up),
        line(
            _FIRST + 12, up(a), _STEM, up(a), f"model-edge {look(first)}", stroke_width=1, stroke_opacity=0.6
        ),
        line(_SECOND + 12, up(b), _FAR - 42, up(b), "guide"),
        _dots(values[0], _FIRST, first, shown, up, a),
        _dots(values[1], _SECOND, second, shown, up, b),
        _difference(up, a, b, low, high, bulge_x, np.asarray(pair.density_y), measure),
        _names(pair, first, second),
    ]
    lines = f", one line per {unit}," if len(values[0]) else ""
    label = f"{measure.name} of both models{lines} and the difference with its interval"
    return svg(WIDTH, _HEIGHT, drawn, label=label, class_="figure")


def sampled(n: int, most: int) -> NDArray[np.intp]:
    """Which of n groups are drawn: all, or a sample that is the same every time.

    >>> sampled(3, 300).tolist(), sampled(1000, 300).size
    ([0, 1, 2], 300)
    """
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, most, replace=False))


def _shown(measure: Any, values: Any) -> Floats:
    own = np.asarray(values, dtype=np.float64)
    return 1 - own if measure.is_rest else own


def _gaps(measure: Any, differences: Any) -> Floats:
    own = np.asarray(differences, dtype=np.float64)
    return -own if measure.is_rest else own


def _scale(parts: list[Any], most: float | None) -> Scale:
    known = np.concatenate([np.ravel(np.asarray(part, dtype=np.float64)) for part in parts])
    known = known[np.isfinite(known)]
    low, high = float(known.min()), float(known.max())
    room = 0.04 * (high - low) or 0.05 * (most or 1.0)
    low, high = low - room, high + room
    if most is not None and low < 0 <= known.min():
        low = -0.01 * most
    if most is not None and high > most >= known.max():
        high = 1.01 * most
    return Scale(low, high, _BOTTOM, _TOP)


def _left_axis(up: Scale, measure: Any) -> Markup:
    ends = (max(up.low, 0.0), min(up.high, 100.0)) if measure.is_share else (up.low, up.high)
    ticks = round_ticks(*ends, 6)
    rules = [line(_LEFT, up(tick), _SECOND + 30, up(tick), "grid-line") for tick in ticks]
    said = [
        words(word, _LEFT - 8, up(tick) + 4.5, class_="ax", anchor="end")
        for tick, word in zip(ticks, tick_words(ticks), strict=True)
    ]
    title = capital(f"{measure.short} (%)" if measure.is_share else measure.short)
    return tag("g", rules, said, words(title, _LEFT, 16, class_="ax"))


def _threads(values: list[Floats], groups: Any, shown: NDArray[np.intp], up: Scale) -> Markup:
    """One line per group; named where the mouse rests, if they are few."""
    if len(shown) > _MOST_TITLES:
        data = "".join(
            polyline([_FIRST, _SECOND], [up(values[0][i]), up(values[1][i])]) for i in shown.tolist()
        )
        return tag("path", d=data, class_="thread many")
    return tag(
        "g",
        [
            tag(
                "path",
                tag("title", groups[i]),
                d=polyline([_FIRST, _SECOND], [up(values[0][i]), up(values[1][i])]),
                class_="thread",
            )
            for i in shown.tolist()
        ],
    )


def _dots(values: Floats, x: float, model: int, shown: NDArray[np.intp], up: Scale, mean: float) -> Markup:
    """Groups as small marks of their model; without groups, the value itself."""
    if not len(shown):
        return marker(model, x, up(mean), size=12)
    places = [round(up(values[i]), 1) for i in shown.tolist() if np.isfinite(values[i])]
    if len(shown) <= _MOST_DOTS:
        return tag("g", [marker(model, x, y, size=7.5) for y in places])
    # A crowd is one path of dots: a mark of its own for each would be half of the page.
    data = "".join(f"M{x} {y:g}h0" for y in places)
    return tag("path", d=data, class_=f"model-edge {look(model)}", stroke_width=3.6, stroke_linecap="round")


def _difference(
    up: Scale, a: float, b: float, low: float, high: float, x: Floats, height: Floats, measure: Any
) -> Markup:
    drawn: list[Markup] = []
    if x.size:
        across = np.concatenate([[_STEM], _STEM + _BULGE * height, [_STEM]])
        along = np.concatenate([x[:1], x, x[-1:]])
        drawn.append(tag("path", d=polyline(across, up.many(b + along), is_closed=True), class_="soft-fill"))
    if np.isfinite([low, high]).all():
        drawn.append(line(_STEM, up(b + low), _STEM, up(b + high), "ink-line", stroke_width=3))
    drawn.append(tag("circle", cx=_STEM, cy=round(up(a), 1), r=5.5, class_="ink-fill"))
    ticks = round_ticks(up.low - b, up.high - b, 7)
    for tick, word in zip(ticks, tick_words(ticks), strict=True):
        signed = word if tick <= 0 else f"+{word}"
        drawn.append(words(signed, _FAR - 4, up(b + tick) + 4.5, class_="ax", anchor="end"))
    unit = "Difference (points)" if measure.is_share else "Difference"
    drawn.append(words(unit, _FAR - 4, 16, class_="ax", anchor="end"))
    return tag("g", drawn)


def _names(pair: Any, first: int, second: int) -> list[Markup]:
    shown = told_apart([pair.a, pair.b], 14)
    places = ((_FIRST, first), (_SECOND, second))
    return [
        words(own, x, _BOTTOM + 26, class_=f"model-word {look(k)}", anchor="middle", title=name)
        for own, name, (x, k) in zip(shown, (pair.a, pair.b), places, strict=True)
    ]


def signed_points(value: float) -> str:
    """A difference in a cell.

    >>> signed_points(14.74), signed_points(-0.3), signed_points(0.0)
    ('+14.7', '−0.3', '0.0')
    """
    word = f"{value:+.1f}".replace("-", MINUS)
    return word[1:] if float(f"{value:.1f}") == 0 else word
