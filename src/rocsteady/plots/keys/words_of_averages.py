"""What the key of several averages says: the area under each; and kind, bands and markers of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.averaging.base import FEWEST_GROUPS, Average, AveragePoint
from rocsteady.averaging.directional import SmrocAverage
from rocsteady.plots.given.named_averages import is_mixed
from rocsteady.plots.given.of_average import area_words, band_words, kind_words, rate_in_words, unit_of
from rocsteady.plots.keys.average_key import KeyEntry, KeyNote, band_patch
from rocsteady.plots.keys.words_of_bands import at_once
from rocsteady.plots.parts.marks import scale_of
from rocsteady.plots.parts.points_apart import held_at
from rocsteady.plots.parts.style import LOOKS
from rocsteady.plots.parts.vocabulary import vocabulary
from rocsteady.words import counted, plural

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

    from rocsteady.curves.intervals import Band
    from rocsteady.plots.parts.curve_lines import HowMany
    from rocsteady.plots.parts.vocabulary import Vocabulary


_BRIEFLY = {"pointwise": "each point", "prediction": "one more"}
_ON_ONE_LINE = 41
"""Letters of a name, an area and an interval that fit under axes as wide as a column."""
_AREA = 7
"""Letters of an area, and before it."""


@dataclass(frozen=True)
class Asked:
    """How averages are wanted in a figure."""

    curves: bool
    band: object
    confidence_level: float
    seed: int
    words: str
    zoom: object
    xscale: str
    text_size: float

    @property
    def scale(self) -> float:
        """Of lines and markers."""
        return scale_of(self.text_size)


def heading_of(averages: Mapping[str, Average], asked: Asked) -> str:
    """What the numbers in the key are."""
    first = next(iter(averages.values()))
    has_interval = any(own.n_groups > 1 for own in averages.values())
    level = f", {100 * asked.confidence_level:g} %" if has_interval else ""
    return f"{'smAUC' if isinstance(first, SmrocAverage) else 'AUC'} of the average{level}"


def entries_of(
    averages: Mapping[str, Average], lines: Sequence[Line2D], asked: Asked, *, is_named: bool = True
) -> tuple[KeyEntry, ...]:
    """The area under each average, and below it its interval and what the others do not share with it."""
    tell_size = len({own.n_groups for own in averages.values()}) > 1
    entries = []
    for (name, own), line, look in zip(averages.items(), lines, LOOKS, strict=False):
        area, value, interval = area_words(own, asked.confidence_level)
        tell_kind = is_mixed(averages) and name.casefold() != own.method.label
        kind = f"{own.method.label} average" if tell_kind else ""
        size = counted(own.n_groups, unit_of(own)) if tell_size else ""
        chance = f"chance {own.chance_auc:.3f}" if isinstance(own, SmrocAverage) else ""
        below = ", ".join(part for part in (interval, chance, kind, size) if part)
        entries.append(KeyEntry(line, name if is_named else area, value, look.text, below))
    return tuple(entries)


def on_one_line(entries: Sequence[KeyEntry]) -> tuple[KeyEntry, ...]:
    """The same with nothing below, for a key that has more room to the side than upward.

    Where names are too long for that, they have the room of the intervals.
    """
    values = [f"{own.value} ({own.below})" if own.below else own.value for own in entries]
    if any(len(own.name) > _ON_ONE_LINE - len(value) for own, value in zip(entries, values, strict=True)):
        return tuple(replace(own, longest=_ON_ONE_LINE - _AREA) for own in entries)
    longest = max((len(own.name) for own in entries), default=1)
    return tuple(
        replace(own, value=value, below="", longest=longest)
        for own, value in zip(entries, values, strict=True)
    )


def notes_of(
    averages: Mapping[str, Average],
    bands: Sequence[Band],
    faint: Sequence[HowMany],
    points: Sequence[Sequence[AveragePoint]],
    asked: Asked,
    *,
    is_brief: bool = False,
) -> list[KeyNote]:
    """Kind, curves, bands and markers: what holds for all averages of a plot."""
    unit = unit_of(next(iter(averages.values())))
    some = [KeyNote(f"thin: {own.words(unit)}") for own in faint if own.n < own.n_all]
    of_bands = _on_bands(averages, bands, asked)
    if is_brief and bands and not any("\n" in note.text for note in of_bands):
        kinds = [_briefly(band, vocabulary(asked.words)) for band in _one_of_each_kind(bands)]
        of_bands = [KeyNote(f"{100 * asked.confidence_level:g} % bands: {', '.join(kinds)}")]
    missing = [note for own in averages.values() for note in too_few_groups(own, asked.band)]
    of_points = _on_points(points, asked, is_brief=is_brief)
    notes = [*notes_on_kind(averages), *some, *of_bands, *missing, *of_points]
    return list({note.text: note for note in notes}.values())


def notes_on_kind(averages: Mapping[str, Average]) -> list[KeyNote]:
    """The kind of average, over how many groups; what they do not share is said beside each."""
    first, *others = averages.values()
    same_size = all(other.n_groups == first.n_groups for other in others)
    if is_mixed(averages):
        groups = counted(first.n_groups, unit_of(first))
        return [KeyNote(f"averages over {groups}")] if same_size else []
    return [KeyNote(kind_words(first) if same_size else f"{first.method.label} averages")]


def too_few_groups(average: Average, band: object) -> list[KeyNote]:
    """Why a band that was asked for is missing."""
    if band not in ("both", "simultaneous", "pointwise", "prediction"):
        return []
    units = plural(unit_of(average))
    if average.n_groups < 2:
        return [KeyNote(f"one {unit_of(average)}: no band")]
    if average.n_groups < FEWEST_GROUPS and band in ("both", "simultaneous"):
        return [KeyNote(f"too few {units} for a band over a range")]
    return []


def _on_bands(averages: Mapping[str, Average], bands: Sequence[Band], asked: Asked) -> list[KeyNote]:
    """What the bands hold, once for all averages."""
    unit = unit_of(next(iter(averages.values())))
    colour = LOOKS[0].colour if len(averages) == 1 else "0.3"
    return [
        KeyNote(band_words(band, unit, vocabulary(asked.words)), band_patch(band.kind, colour))
        for band in _one_of_each_kind(bands)
    ]


def _one_of_each_kind(bands: Sequence[Band]) -> list[Band]:
    """A band for each kind, which leaves out what any of that kind leaves out."""
    by_kind = {band.kind: band for band in bands}
    left_out = {
        kind: [own for band in bands if band.kind == kind for own in band.excluded] for kind in by_kind
    }
    return [replace(band, excluded=tuple(left_out[kind])) for kind, band in sorted(by_kind.items())]


def _briefly(band: Band, said: Vocabulary) -> str:
    """A band in a few words."""
    if band.kind != "simultaneous":
        return _BRIEFLY[band.kind]
    return at_once(said.fpr_short, band.fpr)


def _on_points(
    points: Sequence[Sequence[AveragePoint]], asked: Asked, *, is_brief: bool = False
) -> list[KeyNote]:
    """Where the markers are."""
    marked = [own for own in points if own]
    if not marked:
        return []
    words = f"markers: {_places_in_words(marked, vocabulary(asked.words))}"
    intervals = [
        own
        for points in marked
        for point in points
        for own in (point.fpr_interval, point.tpr_interval)
        if own
    ]
    levels = {100 * own.confidence_level for own in intervals if np.isfinite(own.low).any()}
    if levels and not is_brief:
        words += f", {levels.pop():g} % intervals" if len(levels) == 1 else ", with intervals"
    return [KeyNote(words)]


def _places_in_words(marked: Sequence[Sequence[AveragePoint]], said: Vocabulary) -> str:
    """The same places on all averages, or the rate that their thresholds have in common."""
    places = [[held_at(point) for point in own] for own in marked]
    if all(own == places[0] for own in places) and all(held for held, _ in places[0]):
        return ", ".join(
            f"threshold {value:.4g}" if held == "threshold" else rate_in_words(said, held, value)
            for held, value in places[0]
        )
    have_thresholds = all(held == "threshold" for own in places for held, _ in own)
    for rate in ("fpr", "tpr") if have_thresholds else ():
        rates = {rate_in_words(said, rate, getattr(point, rate)) for own in marked for point in own}
        if len(rates) == 1:
            return f"mean {rates.pop()}"
    return "a threshold each" if have_thresholds else "chosen points"
