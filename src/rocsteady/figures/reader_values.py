"""What every reader has with every modality, and the mean of each modality with its interval.

Sections pass :func:`picture` what ``study.readers`` or ``study.reader_summary`` holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.from_scores import described
from rocsteady.errors import fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.spec import (
    INK,
    QUIET,
    Axis,
    Entry,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Segments,
    short_names,
)
from rocsteady.figures.style import COLUMN, TEXT_SIZE
from rocsteady.readers.compare import ReaderComparison, ReaderSummary, StandaloneComparison
from rocsteady.readers.study import NO_NAME
from rocsteady.text import (
    AUC,
    Count,
    Gap,
    Item,
    Level,
    Model,
    P,
    Quantity,
    Quote,
    Scale,
    joined,
    noun,
    phrase,
    words_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Found = ReaderComparison | ReaderSummary | StandaloneComparison

_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""Of the readers in turn."""
_MOST_NAMED = 12
"""Readers whose names stand beside their lines."""
_LONGEST = 14
"""Letters of a name beside a line, or under the axes."""
_ASIDE = 0.13
"""How far beside the readers' values a mean stands: left, but of the last modality right."""


def reader_values(
    found: Found,
    *,
    words: str = "medical",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw a line for every reader across the modalities, and the mean of each with its interval.

    Lines that all run the same way show a difference that readers share; lines that cross show readers who
    differ in what a modality does for them. Intervals are of each mean by itself: whether two modalities
    differ is read from the interval of the difference, in the key if there is one.

    Parameters
    ----------
    found : ReaderComparison, ReaderSummary or StandaloneComparison
        From :func:`rocsteady.compare_readers` (a standalone system is drawn beside the readers) or
        :func:`rocsteady.summarize_readers`.
    words : {"ml", "medical", "biometric"}
        As :func:`rocsteady.plot.reader_curves` has it. No rate stands at these axes, so nothing changes.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything else; RS042 for a size that is none; RS001 for unknown words.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import reader_study
    >>> columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    >>> table = reader_study(standalone=False)
    >>> study = rs.ScoreSet.from_frame(table, **columns, case="case", positive="cancer")
    >>> axes = reader_values(rs.compare_readers(study))
    >>> axes.get_ylabel(), [text.get_text() for text in axes.get_xticklabels()]
    ('AUC', ['film', 'digital'])
    """
    if not isinstance(found, Found):
        way = "rs.plot.reader_values(rs.compare_readers(score_set))"
        raise fail("RS002.drawn-from", what="a reader study", found=described(found), ways=[way])
    return draw(picture(found).titled(title), words_of(found, words), text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(found: Found) -> Picture:
    """The figure as a description."""
    n, few = len(found.modalities), len(found.readers) <= _MOST_NAMED
    place = np.arange(n, dtype=np.float64)
    beside = np.where((place == n - 1) & (n > 1), place + _ASIDE, place - _ASIDE)
    is_named = found.modalities != (NO_NAME,)
    short = [Quote(own) for own in short_names(found.modalities, _LONGEST)]
    readers, aspect = _readers(found, place, few), 0.8
    means, entries = _means(found, beside)
    low, high, labels = _named(found, [*readers, *means], aspect) if few else (None, None, [])
    ends = (0.45, 0.4) if not isinstance(found, StandaloneComparison) else (0.55, 0.5)
    width = COLUMN * max(1.0, (2 + n) / 5)
    across = Axis(
        phrase("modality") if is_named else None,
        -ends[0],
        n - 1 + ends[1] + (0.35 + 0.12 * (n - 1)) * few,
        ticks=tuple(place.tolist()),
        names=tuple(short) if is_named else (None,) * n,
    )
    each = Entry(phrase("each {unit}", unit=Quote(noun(found.unit))), readers[1])
    panel = Panel(
        across,
        Axis(Quote(found.measure), low, high),
        (*readers, *means, *labels),
        key=Key(notes=(*entries, each, *map(Entry, _notes(found))), corners=()),
        aspect=aspect * COLUMN / width,
    )
    return Picture(
        (panel,), width=width, description=phrase("{measure} of every reader", measure=Quote(found.measure))
    )


def _readers(found: Any, place: Floats, few: bool) -> list[Mark]:
    """A line and open marks for each; of one modality, marks alone."""
    marks: list[Mark] = []
    for order, values in enumerate(found.values.T):
        marker = _MARKERS[order % len(_MARKERS)] if few else "o"
        marks.append(Line(place, values, look=QUIET, width=0.8, alpha=0.7, name="reader"))
        marks.append(Points(place, values, look=QUIET, size=3.4, marker=marker, is_open=True, name="reader"))
    return marks


def _means(found: Any, beside: Floats) -> tuple[list[Mark], list[Entry]]:
    """The mean of every modality with its interval, in the colour that the modality has in all figures."""
    level = Level(found.confidence_level)
    if isinstance(found, StandaloneComparison):
        values, intervals = found.means, [own.b_interval for own in found.differences]
    else:
        per = found.per_modality  # plain limits near 1 cover too little, and may lie beyond it
        is_compared = isinstance(found, ReaderComparison)
        values, intervals = per.value, per.logit_intervals if is_compared else per.intervals
    marks: list[Mark] = [_mean(at, value, own, Model(name)) for at, value, own, name in zip(
        beside.tolist(), np.asarray(values).tolist(), intervals, found.modalities, strict=True
    )]  # fmt: skip
    entries = [Entry(phrase("mean, {level} CI", level=level), _mean(0, 0, None, INK, marker="o"))]
    if isinstance(found, StandaloneComparison):
        aside = beside + np.where(beside > np.round(beside), _ASIDE, -_ASIDE)
        own = [
            _mean(at, value, each.a_interval, INK, marker="X")
            for at, value, each in zip(
                aside.tolist(), np.asarray(found.standalone_values).tolist(), found.differences, strict=True
            )
        ]
        marks += own
        name = Quote(short_names([found.standalone], 20)[0])
        entries.append(Entry(phrase("{name}, {level} CI", name=name, level=level), own[0]))
    return marks, entries


def _mean(at: float, value: float, interval: Any, look: Any, marker: str | None = None) -> Points:
    limits = None if interval is None else ([interval.low], [interval.high])
    return Points(
        [at],
        [value],
        y_limits=limits,
        look=look,
        marker=marker,
        size=6,
        bar_width=1.6,
        capsize=2.5,
        name="mean",
    )


def _named(found: Any, marks: list[Any], aspect: float) -> tuple[float, float, list[Mark]]:
    """Limits of the upright axis, and names right of each line's last value, moved apart where they meet."""
    ends: list[tuple[int, float, str]] = []
    for values, name in zip(found.values.T, short_names(found.readers, _LONGEST), strict=True):
        known = np.flatnonzero(np.isfinite(values))
        ends += [(int(last), float(values[last]), name) for last in known[-1:]]
    parts = [np.ravel(own.y) for own in marks]
    parts += [
        np.ravel(side) for own in marks if isinstance(own, Points) and own.y_limits for side in own.y_limits
    ]
    numbers = np.concatenate(parts).astype(float)
    numbers = numbers[np.isfinite(numbers)]
    room = 0.04 * float(np.ptp(numbers)) or 0.02
    low, high = float(numbers.min()) - room, float(numbers.max()) + room
    aside = (3 if isinstance(found, StandaloneComparison) else 2) * _ASIDE
    labels: list[Mark] = []
    for last in sorted({end[0] for end in ends}):
        own = sorted((value, name) for number, value, name in ends if number == last)
        step = 7.5 / 72 * (high - low) / (aspect * COLUMN * 0.85)
        spots = spread_apart(np.array([value for value, _ in own]), step)
        low, high = min(low, spots[0] - step / 2), max(high, spots[-1] + step / 2)
        ends_of = [last + aside] * len(own), spots
        leaders = Segments(
            [last + 0.03] * len(own), [value for value, _ in own], *ends_of, look=QUIET, width=0.4
        )
        labels.append(leaders)
        labels += [
            Label(last + aside, spot, Quote(name), smaller=2.0, off=(1.5, 0), look=QUIET)
            for spot, (_, name) in zip(spots.tolist(), own, strict=True)
        ]
    return low, high, labels


def spread_apart(rising: Floats, step: float) -> Floats:
    """Places at least a step apart, as near to the given ones as a run of neighbours allows.

    Examples
    --------
    >>> import numpy as np
    >>> spread_apart(np.array([0.0, 0.1, 5.0]), 1.0).round(3).tolist()
    [-0.45, 0.55, 5.0]
    """
    # Less a step for each one before it, places may not fall; the nearest such ones are pooled means.
    shifted = [[value - step * number] for number, value in enumerate(rising.tolist())]
    runs: list[list[float]] = []
    for own in shifted:
        runs.append(own)
        while len(runs) > 1 and np.mean(runs[-2]) > np.mean(runs[-1]):
            runs[-2:] = [runs[-2] + runs[-1]]
    pooled = np.concatenate([np.full(len(run), np.mean(run)) for run in runs])
    return np.asarray(pooled + step * np.arange(rising.size))


def _notes(found: Any) -> list[Item]:
    """How many readers and cases, what is random, and the difference if there is one."""
    sizes = sorted(set(np.ravel(found.n_cases).tolist()))
    cases: Item = Count(sizes[-1], "case")
    if len(sizes) > 1:
        cases = phrase("{least} to {cases}", least=int(sizes[0]), cases=cases)
    readers = Count(len(found.readers), found.unit)
    are = {"readers_are": Quote(str(found.readers_are)), "cases_are": Quote(str(found.cases_are))}
    notes: list[Item] = [
        phrase("{readers} ({readers_are}), {cases} ({cases_are})", readers=readers, cases=cases, **are)
    ]
    differences: Any = getattr(found, "differences", ())
    if len(differences) == 1:
        own = differences[0]
        gap = Gap(_quantity(found), own.difference, own.interval)
        gap, (a, b) = (gap, (own.a, own.b)) if own.difference >= 0 else (-gap, (own.b, own.a))
        first, second = map(Quote, short_names([a, b], 20))
        p = [P(own.pvalue)] if np.isfinite(own.pvalue) else []
        notes.append(joined([phrase("{a} − {b}: {gap}", a=first, b=second, gap=gap), *p]))
    return notes


def _quantity(found: Any) -> Quantity:
    return AUC if found.measure == "AUC" else Quantity(str(found.measure), Scale.AREA)
