"""Who is better where: the difference with limits for the whole range at once, and a strip of winners.

Sections pass :func:`picture` a :class:`~rocsteady.inference.winner_map.WinnerMap`, and the declared place on
its axis: below 2 % the axis is logarithmic.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import of_kind
from rocsteady.figures.spec import (
    LOOKS,
    QUIET,
    Axis,
    Band,
    Entry,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Rule,
    Span,
    even_ticks,
    rounded,
    short_names,
)
from rocsteady.figures.style import GROUND, TEXT_SIZE
from rocsteady.inference.winner_map import WinnerMap
from rocsteady.text import (
    ALERTS,
    FPR,
    PREVALENCE,
    TPR,
    Count,
    Item,
    Level,
    Model,
    Name,
    Quantity,
    Quote,
    Range,
    Rate,
    Ratio,
    Text,
    joined,
    phrase,
    say,
    words_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

_STRIP = 0.075
"""Height of the strip of winners, as a share of the axes."""
_THINNEST = 0.004
"""Width of a region of a single position, as a share of the axes; else nobody would see it."""
_CROWD = 4
"""Of more models only the one that is ahead has a band."""
_RUNAWAY = 6.0
"""Limits that are so many times as far off as the difference ever is are not all in the picture."""
_LOG_BELOW = 0.02
_ALONG = {"fpr": FPR, "tpr": TPR, "alerts": ALERTS}
_GAIN = {
    "fpr": phrase("{gain:axis} gained (points)", gain=Name(TPR)),
    "tpr": phrase("{gain:axis} saved (points)", gain=Name(FPR)),
    "alerts": phrase("{gain:axis} gained (points)", gain=Name(TPR)),
    "costs": phrase("Cost per case saved"),
}


def winner_map(
    found: WinnerMap,
    *,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw the difference of two models along the range, its limits, and who is better where.

    The strip along the bottom has the colour of the better model, and is white where that is undecided.
    Diamonds are where the means cross. Of three or more models every line is a model's lead over the best of
    the others; of more than four, only the one that is ahead has limits.

    Parameters
    ----------
    found : WinnerMap
        From :func:`rocsteady.winner_map`, of up to six models.
    words : {"ml", "medical", "biometric"}
        What the rates are called.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but a winner map; RS001 for words not known; RS042 for more models than can
        be distinguished, or a size that is none.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> sick = np.tile([1] * 40 + [0] * 40, 8)
    >>> scores = {"old": rng.normal(size=640) + sick, "new": rng.normal(size=640) + 2 * sick}
    >>> both = rs.ScoreSet.from_arrays(sick, scores, np.repeat(np.arange(8), 80))
    >>> axes = winner_map(rs.winner_map(both, fpr=(0.1, 0.4)))
    >>> axes.get_legend().get_texts()[2].get_text()
    'new is better'
    """
    of_kind(WinnerMap, found, "a winner map", "rs.plot.winner_map(rs.winner_map(score_set))")
    if len(found.models) > len(LOOKS):
        two = f"of two of them:  rs.winner_map(score_set, {found.models[0]!r}, {found.models[1]!r})"
        raise fail("RS042.room", most=len(LOOKS), what="models", n=len(found.models), ways=[two])
    return draw(picture(found).titled(title), words_of(found, words), text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(found: WinnerMap, *, at: float | None = None) -> Picture:
    """The figure as a description; ``at`` is the declared place along the range, where there is one."""
    across = _across(found, at)
    is_pair = len(found.models) == 2
    lines, values, named, notes = _pair(found) if is_pair else _leads(found)
    low, high = _reach(values)
    floor = low - (high - low) * _STRIP / (1 - _STRIP)
    per = 1.0 if found.over == "costs" else 100.0
    marks: list[Mark] = [Rule(y=0.0, look=QUIET, name="zero"), *_clipped(lines, low, high)]
    if at is not None and found.position[0] <= at <= found.position[-1]:
        marks += [
            Rule(x=at, width=1.1, name="declared"),
            Label(at, high, phrase("declared"), up="top", is_bold=True, off=(3, 0)),
        ]
    if found.crossings:
        few = 4.5 if len(found.crossings) <= 8 else 3.0
        diamonds = Points(
            found.crossings,
            np.zeros(len(found.crossings)),
            size=few,
            marker="D",
            is_open=True,
            name="crossing",
        )
        marks.append(diamonds)
        word = (
            "the leader changes"
            if found.n_groups == 1
            else "the means cross"
            if is_pair
            else "the best mean changes"
        )
        notes.append(Entry(phrase(word), diamonds))
    strip, winners = _strip(found, across)
    marks += strip
    if is_pair:
        marks += _sides(found)
    y = Axis(_GAIN[found.over], floor, high, per=per, ticks=_kept_ticks(low, high, per))
    panel = Panel(
        across, y, tuple(marks), key=Key(tuple(named), (*notes, *winners, *_notes(found)), corners=())
    )
    return Picture(
        (panel,),
        description=phrase("{gain} along the range, and which model is better", gain=_GAIN[found.over]),
    )


def _across(found: WinnerMap, at: float | None) -> Axis:
    """The range: ratios of costs are logarithmic, and so are rates where the declared one is small."""
    low, high = float(found.position[0]), float(found.position[-1])
    if found.over == "costs":
        ticks = _ratios(low, high)
        label = phrase("costs, {costs}")
        names = tuple(Ratio(1.0, own) if own >= 1 else Ratio(1 / own, 1.0) for own in ticks)
        return Axis(label, low, high, "log", ticks=ticks, names=names)
    is_log = low > 0 and (low < _LOG_BELOW if at is None else at < _LOG_BELOW) and high > 4 * low
    label = phrase("{rate:axis} (%)", rate=Name(_ALONG[found.over]))
    return Axis(label, low, high, "log" if is_log else "linear", per=100.0)


def _ratios(low: float, high: float) -> tuple[float, ...]:
    """1 : 2, 1 : 5, 1 : 10 ...; both ends where nothing round is inside."""
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    every = [step * 10.0**power for power in powers for step in (1, 2, 5)]
    every += [1 / ratio for ratio in every]
    ticks = sorted({rounded(ratio, 6) for ratio in every if low <= ratio <= high})
    while len(ticks) > 7:
        ticks = ticks[::2]
    return tuple(ticks) if len(ticks) > 1 else (low, high)


def _limits_words(found: WinnerMap) -> Text:
    level = Level(found.confidence_level)
    if found.over not in ("fpr", "tpr"):
        return phrase("{level} CI, the whole range at once", level=level)
    quantity: Quantity = _ALONG[found.over]
    whole = Range(quantity, float(found.position[0]), float(found.position[-1]))
    return phrase("{level} CI, {rate} {range} at once", level=level, rate=Name(quantity), range=whole)


def _pair(found: WinnerMap) -> tuple[list[Mark], list[Floats], list[Entry], list[Entry]]:
    """The difference of two models, in ink: below zero a model's colour would be that of the loser."""
    (pair,) = found.pairs
    line = Line(found.position, pair.advantage, width=1.6, name="difference")
    band = Band(
        (found.position, pair.lower), (found.position, pair.upper), look=QUIET, alpha=0.2, name="limits"
    )
    a, b = map(Quote, short_names([pair.a, pair.b], 22))
    mean = phrase(", mean of the {units}") if found.n_groups > 1 else None
    notes = [Entry(phrase("advantage of {a} over {b}{mean}", a=a, b=b, mean=mean), line)]
    if np.isfinite(pair.lower).any():
        notes.append(Entry(_limits_words(found), band))
    return [band, line], [pair.advantage, pair.lower, pair.upper], [], notes


def _leads(found: WinnerMap) -> tuple[list[Mark], list[Floats], list[Entry], list[Entry]]:
    """Every model's lead over the best of the others."""
    marks: list[Mark] = []
    values: list[Floats] = []
    entries, notes = [], []
    is_crowded = len(found.models) > _CROWD
    for name, short in zip(found.models, short_names(found.models, 30), strict=True):
        lead = found.lead(name)
        # Bands of many would hide each other; only who is ahead can be better than all others.
        is_shown = lead.advantage >= 0 if is_crowded else np.ones(lead.advantage.shape, dtype=bool)
        low, high = (np.where(is_shown, limit, np.nan) for limit in (lead.lower, lead.upper))
        band = Band(
            (found.position, low), (found.position, high), look=Model(name), alpha=0.14, name="limits"
        )
        line = Line(found.position, lead.advantage, look=Model(name), width=1.5, name="lead")
        marks += [band, line]
        values += [lead.advantage, low, high]
        entries.append(Entry(Quote(short), line))
    if any(np.isfinite(own).any() for own in values[1::3]):
        ahead = phrase(
            "{limits}, of the one ahead" if is_crowded else "{limits}", limits=_limits_words(found)
        )
        notes.append(Entry(ahead, Span(0, 0, look=QUIET, alpha=0.25)))
    return marks, values, entries, notes


def _reach(values: list[Floats]) -> tuple[float, float]:
    """Ends of the upright axis: zero, all differences, and limits that do not run away."""
    lines = np.concatenate([own[np.isfinite(own)] for own in values[::3]])
    far = _RUNAWAY * float(np.max(np.abs(lines), initial=0.0)) or math.inf
    known = np.concatenate([own[np.isfinite(own) & (np.abs(own) <= far)] for own in values])
    low, high = float(np.min(known, initial=0.0)), float(np.max(known, initial=0.0))
    room = 0.14 * ((high - low) or 0.1)
    return low - room, high + room


def _clipped(marks: list[Mark], low: float, high: float) -> list[Mark]:
    """Bands as far as the axis goes: an infinite limit reaches its end, two of them are no limits."""
    found: list[Mark] = []
    for own in marks:
        if isinstance(own, Band):
            is_known = np.isfinite(own.lower[1]) | np.isfinite(own.upper[1])
            sides = [
                (side[0], np.where(is_known, np.clip(side[1], low, high), np.nan))
                for side in (own.lower, own.upper)
            ]
            found.append(Band(*sides, look=own.look, alpha=own.alpha, name=own.name))
        else:
            found.append(own)
    return found


def _kept_ticks(low: float, high: float, per: float) -> tuple[float, ...]:
    """Ticks above the strip, where the axis has numbers."""
    return tuple(own / per for own in even_ticks(low * per, high * per, 5))


def _strip(found: WinnerMap, across: Axis) -> tuple[list[Mark], list[Entry]]:
    """Winners along the bottom, each in its colour; their names, and what white means."""
    names = dict(zip(found.models, short_names(found.models, 30), strict=True))
    marks: list[Mark] = [
        Span(
            found.position[0],
            found.position[-1],
            within=(0, _STRIP),
            look=GROUND,
            outline=0.6,
            name="undecided",
        )
    ]
    entries: dict[str | None, Entry] = {}
    ends = across.forward(np.array([found.position[0], found.position[-1]]))
    least = _THINNEST * float(ends[1] - ends[0])
    for region in (own for own in found.regions if own.winner is not None):
        low, high = (float(own) for own in across.forward(np.array([region.low, region.high])))
        stop = region.high if high - low >= least else float(across.backward(low + least))
        span = Span(
            region.low,
            stop,
            within=(0, _STRIP),
            look=Model(str(region.winner)),
            is_hatched=True,
            name="winner",
        )
        marks.append(span)
        better = phrase("{model} is better", model=Quote(names[str(region.winner)]))
        entries.setdefault(region.winner, Entry(better, span))
    if None in found.winner:
        few = "undecided" if found.can_decide else "undecided: too few {units}"
        entries[None] = Entry(phrase(few), marks[0])
    return marks, list(entries.values())


def _sides(found: WinnerMap) -> list[Mark]:
    """Who is better above the line, and who below it."""
    (pair,) = found.pairs
    short = short_names([pair.a, pair.b], 30)
    places: tuple[tuple[str, str, float, Any], ...] = (
        (pair.a, short[0], 0.985, "top"),
        (pair.b, short[1], _STRIP + 0.015, "bottom"),
    )
    return [
        Label(
            0.985,
            y,
            phrase("{model} better", model=Quote(name)),
            across="right",
            up=up,
            space="share",
            look=Model(own),
        )
        for own, name, y, up in places
    ]


def _notes(found: WinnerMap) -> tuple[Entry, ...]:
    """Which average of how many groups, what is random; where there are no limits."""
    parts: list[Item] = []
    if found.n_groups > 1:  # every average of one curve is that curve
        parts = [phrase("{method} average", method=Quote(found.method)), Count(found.n_groups, found.unit)]
    if found.random == "cases":
        parts.append(phrase("cases random"))
    if found.prevalence is not None:
        parts.append(phrase("prevalence {share}", share=Rate(PREVALENCE, found.prevalence)))
    notes: list[Item] = [joined(parts)]
    if len(found.models) > 2:
        notes.insert(0, phrase("lines: lead over the best of the others"))
    quantity = _ALONG.get(found.over)
    if found.excluded and quantity is not None:
        spans = [Range(quantity, *own) for own in found.excluded[:3]]
        notes.append(say("no limits where nothing varies: {spans}", spans=joined(spans)))
    return tuple(map(Entry, notes))
