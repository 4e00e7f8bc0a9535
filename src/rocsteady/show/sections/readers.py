"""A reader study: how well readers do with each modality, where the variance comes from, what to know."""

from __future__ import annotations

import numpy as np

from rocsteady.errors import RocsteadyError
from rocsteady.figures.reader_curves import picture as curves_picture
from rocsteady.readers.compare import ReaderComparison, ReaderSummary
from rocsteady.readers.curves import ReaderAverageCurve
from rocsteady.readers.study import NO_NAME
from rocsteady.show.document import Beside, Block, Figure, Fold, Items, Table
from rocsteady.show.sentences import comparing
from rocsteady.show.sentences import readers as sentences
from rocsteady.study import Study
from rocsteady.text import (
    FPR,
    TPR,
    At,
    Group,
    Item,
    Level,
    Limits,
    Model,
    Name,
    Number,
    Quote,
    Range,
    Rate,
    Text,
    nouns,
    phrase,
    say,
)

_FREE = {"fpr": TPR, "tpr": FPR}
_MOST_READERS, _MOST_BANDS = 20, 3


def make(study: Study) -> list[Block]:
    """The section; nothing where no case was rated by several groups."""
    if not study.is_reader_study:
        return []
    try:
        summary, found = study.reader_summary, study.readers
    except RocsteadyError as error:
        return [comparing.refused(error)]
    assert summary is not None
    names = summary.modalities
    curves = [own for name in names if (own := _curve(study, name)) is not None]
    few = len(curves) <= _MOST_BANDS
    picture = curves_picture(
        curves, bands=[own.band() for own in curves if few], areas=sentences.areas_of(summary)
    )
    told: list[Block] = [] if found is not None else [sentences.of_modality(summary, 0)]
    blocks = [*told, _modalities(study, summary)]
    blocks.append(Beside(((_readers(summary),), (Figure(picture, _caption(summary)),))))
    blocks.append(Items(tuple(_notes(summary, found))))
    if found is not None and found.components is not None:
        blocks.append(Fold(say("Where the variance comes from"), (_components(found),)))
    return blocks


def _curve(study: Study, modality: str, hold: str = "fpr") -> ReaderAverageCurve | None:
    return study.reader_curve("" if modality == NO_NAME else modality, hold)


def at_place(study: Study, modality: str) -> Rate | None:
    """The rate that is free at the declared place, on the average curve of the readers."""
    place = study.place
    if place is None or place.kind not in _FREE:
        return None
    curve, free = _curve(study, modality, place.kind), _FREE[place.kind]
    point = None if curve is None else curve.at(place.to_dict())
    return None if point is None else Rate(free, getattr(point, free.key), point.interval)


def _modalities(study: Study, found: ReaderSummary) -> Table:
    """The mean of each modality, how much readers differ, and the declared point on their average curve."""
    what, per, place = sentences.mean_of(found), found.per_modality, study.place
    is_there = sentences.measure_of_values(found).at is not None  # what is compared is that already
    free = _FREE.get(place.kind) if place is not None and not is_there else None
    rows: list[tuple[Item, ...]] = []
    for i, name in enumerate(found.modalities):
        own = found.values[i][~np.isnan(found.values[i])]
        row: list[Item] = [
            Model("" if name == NO_NAME else name),
            int(own.size),
            int(found.n_cases[i]),
            Rate(what, float(found.means[i]), per.intervals[i]),
            Number(float(found.reader_sd[i]), 2),
            Range(what, float(own.min()), float(own.max())),
        ]
        if free is not None:
            row.append(at_place(study, name))
        rows.append(tuple(row))
    heads = [
        say("modality"),
        say("{units}", **nouns(found.unit)),
        say("cases"),
        say("{what}", what=Name(what)),
        say("SD of {units}", **nouns(found.unit)),
        say("range"),
    ]
    if free is not None and place is not None:
        heads.append(say("{rate} at {at}", rate=Name(free), at=At.of(place)))
    caption = say(
        "Each modality, for other {units} and other cases ({level} CI); SD of {units} beyond sampling error.",
        level=Level(found.confidence_level),
        **nouns(found.unit),
    )
    return Table(caption, tuple(heads), tuple(rows), name="modalities")


def _readers(found: ReaderSummary) -> Table:
    """Each reader with each modality, for other cases."""
    each, what = found.per_reader, sentences.measure_of_values(found).quantity
    cells = {
        (reader, modality): Rate(what, float(each.value[i]))
        for i, (reader, modality) in enumerate(zip(each.reader, each.modality, strict=True))
    }
    has_limits = len(found.modalities) < 3
    if has_limits:
        limits = zip(each.low, each.high, strict=True)
        cells = {
            key: Rate(
                what, own.value, Limits(max(float(low), 0.0), min(float(high), 1.0), found.confidence_level)
            )
            for (key, own), (low, high) in zip(cells.items(), limits, strict=True)
        }
    rows = tuple(
        (Group(reader), *(cells.get((reader, name)) for name in found.modalities)) for reader in found.readers
    )
    text = "Each {unit}: {what}, for other cases" + (" ({level} CI)." if has_limits else ".")
    caption = say(text, what=Name(what), level=Level(found.confidence_level), **nouns(found.unit))
    heads = (
        say("{unit}", **nouns(found.unit)),
        *(phrase("{name}", name=sentences.modality(own)) for own in found.modalities),
    )
    return Table(caption, heads, rows, name="readers", sorts=True, most=_MOST_READERS)


def _caption(found: ReaderSummary) -> Text:
    return say(
        "Average curve of the {units} at equal {fpr}, with pointwise {level} limits for other {units} and "
        "other cases.",
        level=Level(found.confidence_level),
        **nouns(found.unit),
    )


def _notes(summary: ReaderSummary, found: ReaderComparison | None) -> list[Text]:
    """Who read what, what errors rest on, and what to know about the data."""
    own = summary if found is None else found
    designs = dict.fromkeys(summary.designs) if found is None else [found.design]
    words = [comparing.capital(sentences.of_design(each, own.unit)) for each in designs]
    told = [say("{design}.", design=each) for each in words]
    told += [sentences.random_sentence(own)]
    if found is None:
        told += sentences.notes_of_summary(summary)
    else:
        told += [sentences.analysis(found), *sentences.notes_of_comparison(found, has_plain=False)]
    return told


def _components(found: ReaderComparison) -> Table:
    rows = tuple((Quote(name), Number(value, 2), text) for name, value, text in sentences.components(found))
    heads = (say("component"), say("variance"), say("meaning"))
    return Table(None, heads, rows, name="components")
