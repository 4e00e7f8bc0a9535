"""Where the scores of one class lie in every group: one row each, the shared threshold across them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from rocsteady.report.html.figures.axes import (
    WIDTH,
    Scale,
    fitting,
    line,
    rectangle,
    round_ticks,
    tick_words,
    words,
)
from rocsteady.report.html.parts import look
from rocsteady.report.html.tags import NOTHING, Markup, svg, tag
from rocsteady.report.summary.vocabulary import Wording

Floats = NDArray[np.float64]

_LEFT, _FOOT = 72, 56
_ABOVE = 28
"""Room for the words of the threshold, if there is one."""
_ROWS = ((30, 13.5), (45, 12.2))
"""Up to so many groups, a row is so high and has its name."""
_CROWD = 300.0
"""The height of all rows where there are more of them."""
_ROOM = _LEFT - 10


def ridge_figure(
    quantiles: Floats, names: Sequence[str], model: int, threshold: float, wording: Wording, *, label: str
) -> Markup:
    """One row per group: 5 to 95 % thin, the middle half thick, the median a dot.

    Parameters
    ----------
    quantiles : (n, 5) array
        5, 25, 50, 75 and 95 % of the scores of each group, in the order of the rows.
    names : sequence of str
        Of the groups.
    model : int
        Its place among the models.
    threshold : float
        The shared one; NaN if there is none.
    wording, label
        Words of the report, and what the picture shows.
    """
    quantiles = np.asarray(quantiles, dtype=np.float64)
    across = _scale(quantiles, threshold)
    if across is None:
        return NOTHING
    n = len(quantiles)
    is_named = n <= _ROWS[-1][0]
    row = next((own for most, own in _ROWS if n <= most), _CROWD / n)
    top = _ABOVE if np.isfinite(threshold) else 4
    bottom = top + n * row
    drawn = [
        _threshold(across, threshold, model, bottom, wording),
        _bars(quantiles, across, row, top),
        _labels(names, row, top) if is_named else None,
        _axis(across, bottom + 4),
    ]
    return svg(WIDTH, bottom + _FOOT, drawn, label=label, class_="figure")


def short_names(names: Sequence[str]) -> list[str]:
    """Names without what they all start with, if something is left of each.

    >>> short_names(["host-01", "host-02"]), short_names(["ann", "bob"]), short_names(["a", "ab"])
    (['01', '02'], ['ann', 'bob'], ['a', 'ab'])
    """
    # What the first and the last in order start with, all names between them start with too.
    ends = zip(min(names), max(names), strict=False) if len(names) > 1 else ()
    start = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    while start and start[-1].isalnum():  # a name is cut between words, not within one
        start = start[:-1]
    return (
        [name[len(start) :] for name in names]
        if all(len(name) > len(start) for name in names)
        else list(names)
    )


def _scale(quantiles: Floats, threshold: float) -> Scale | None:
    known = quantiles[np.isfinite(quantiles)]
    if not known.size:
        return None
    low, high = float(known.min()), float(known.max())
    if np.isfinite(threshold):
        low, high = min(low, threshold), max(high, threshold)
    room = 0.03 * (high / 2 - low / 2) * 2 or abs(high) * 0.05 or 1.0
    return Scale(low - room, high + room, _LEFT, WIDTH - 8)


def _threshold(across: Scale, threshold: float, model: int, bottom: float, wording: Wording) -> Markup:
    """The shared threshold, and the side on which a score is an alarm."""
    if not np.isfinite(threshold):
        return NOTHING
    x, is_high = across(threshold), wording.higher_is_positive
    start, end = (x, across.end) if is_high else (across.start, x)
    is_right = x < (across.start + across.end) / 2
    said = f"{wording.cutoff_word} {wording.threshold(threshold)}"
    arrow = f"{said} →" if is_high else f"← {said}"
    return tag(
        "g",
        rectangle(start, _ABOVE - 6, end - start, bottom - _ABOVE + 8, "model-tint"),
        line(x, _ABOVE - 6, x, bottom + 2, "model-edge", stroke_width=2.4),
        words(
            arrow, x + (2 if is_right else -2), 16, class_="model-word", anchor="start" if is_right else "end"
        ),
        class_=look(model),
    )


def _bars(quantiles: Floats, across: Scale, row: float, top: float) -> Markup:
    """All rows in three paths: thin lines, thick lines, dots."""
    thin, thick, dots = [], [], []
    for i, own in enumerate(across.many(quantiles)):
        y = top + (i + 0.5) * row
        if np.isfinite(own).all():
            thin.append(f"M{own[0]:.1f} {y:.1f}H{own[4]:.1f}")
            thick.append(f"M{own[1]:.1f} {y:.1f}H{own[3]:.1f}")
            dots.append(f"M{own[2]:.1f} {y:.1f}h0")
    size = min(row / 2.6, 4.4)
    return tag(
        "g",
        tag("path", d="".join(thin), class_="bar", stroke_width=min(row / 4, 1.2)),
        tag("path", d="".join(thick), class_="bar", stroke_width=size),
        tag(
            "path",
            d="".join(dots),
            class_="ink-line",
            stroke_width=max(1.5 * size, 2.6),
            stroke_linecap="round",
        ),
    )


def _labels(names: Sequence[str], row: float, top: float) -> Markup:
    said = [
        words(
            fitting(own, _ROOM, 7.0),
            _LEFT - 8,
            top + (i + 0.5) * row + 4,
            class_="ax small",
            anchor="end",
            title=name,
        )
        for i, (own, name) in enumerate(zip(short_names(names), names, strict=True))
    ]
    return tag("g", said, class_="rows")


def _axis(across: Scale, y: float) -> Markup:
    ticks = round_ticks(across.low, across.high, 5)
    said = [
        words(word, across(tick), y + 20, class_="ax", anchor="middle")
        for tick, word in zip(ticks, tick_words(ticks), strict=True)
    ]
    rule = line(across.start, y, across.end, y, "axis-line")
    title = words("Score", (across.start + across.end) / 2, y + 42, anchor="middle")
    return tag("g", rule, [line(across(t), y, across(t), y + 4, "axis-line") for t in ticks], said, title)
