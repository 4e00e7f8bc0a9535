"""Averages of several models in one plot, or each in a plot of its own beside the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocsteady.averaging.base import Average, AveragePoint
from rocsteady.curves.from_scores import described
from rocsteady.curves.intervals import Band as Limits
from rocsteady.errors import Option, Remedy, fail
from rocsteady.figures.average import area_entry, area_of, axes_of, members_of
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import (
    BANDS,
    View,
    band_marks,
    band_notes,
    bands_of_average,
    hues_of,
    kind_text,
    missing_band_notes,
    place_text,
    point_marks,
    points_of_average,
    unit_of,
)
from rocsteady.figures.spec import Entry, Key, Line, Mark, Panel, Picture, Points, evenly, short_names
from rocsteady.figures.style import COLUMN, GUIDE, LOOKS, MOST_FAINT, QUIET, TEXT_SIZE, Hue
from rocsteady.options import one_of, yes_or_no
from rocsteady.places import NAMES
from rocsteady.statistics.limits import Interval
from rocsteady.text import (
    AREA,
    SMAUC,
    Count,
    Item,
    Level,
    Model,
    Name,
    Quote,
    Rate,
    Text,
    joined,
    phrase,
    words_of,
)

MOST_TOGETHER = 4
"""Averages in one plot; more have a plot each."""
MOST_PANELS = 24
_FEW = 2
"""Averages in one plot whose members and wide bands can be distinguished."""
_ACROSS = 3
"""Plots beside each other."""
_PAGE = 17.4 / 2.54
"""Inches: both columns of a journal."""


def averages(
    averages: Mapping[str, Average] | Sequence[Average],
    *,
    names: Sequence[str] | None = None,
    curves: bool | None = None,
    band: Any = "auto",
    at: Any = (),
    panels: bool | None = None,
    confidence_level: float = 0.95,
    seed: int = 0,
    words: str = "ml",
    zoom: float | tuple[float, float] | None = None,
    xscale: str = "linear",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Any = None,
) -> Any:
    """Draw the averages of several models, to be compared.

    Every model has a colour, a dash and a marker of its own. The key has the area under each average with its
    interval, the kind of average and the number of groups. Up to four models share a plot; more have one
    each, in which the others are thin and grey.

    Parameters
    ----------
    averages : mapping of str to Average, or sequence of Average
        From :func:`rocsteady.average`, by name. All of one kind and over the same sort of groups. Averages of
        different kinds are drawn together only if their names say which is which: ``{"vertical": a,
        "threshold": b}``.
    names : sequence of str, optional
        Of averages in a sequence; those of different kinds are else named by these.
    curves : bool, optional
        Whether the groups' own curves are drawn, faintly; 300 of them at most. By default they are where a
        plot has one or two averages: those of more would hide each other.
    band : {"auto", "both", "pointwise", "simultaneous", "prediction", "none"} or None
        Around every average: each point by itself (darker), a whole range at once (lighter), or both.
        ``"auto"`` is both where a plot has one or two averages, and each point by itself where it has more.
        Fewer than eight groups have no band of a range, fewer than three have none.
    at : dict, sequence of dict, or mapping of str to these or AveragePoint
        Points to mark with their intervals: ``{"fpr": 0.05}`` or ``{"specificity": 0.95}``, read on every
        average; or by the name of the average. Markers are on their curves; bars that would hide each other
        stand up to two points aside.
    panels : bool, optional
        Whether every average has a plot of its own; by default where there are more than four.
    confidence_level, seed, words, zoom, xscale, title, text_size
        As in every figure, see :mod:`rocsteady.plot`.
    ax : matplotlib Axes, or sequence of them, optional
        Where to draw, with ``panels`` one for each average; without it a figure is made.

    Returns
    -------
    matplotlib Axes, or tuple of them
        A tuple, in the order of the averages, where each has a plot of its own.

    Raises
    ------
    UsageError
        RS002 for anything but named averages that belong together; RS042 for more than can be distinguished,
        or a size that is none.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> sick = np.tile([1] * 40 + [0] * 40, 9)
    >>> scores = {"old": rng.normal(size=720) + sick, "new": rng.normal(size=720) + 2 * sick}
    >>> both = rs.ScoreSet.from_arrays(sick, scores, np.repeat(np.arange(9), 80), unit="site")
    >>> axes = averages({name: rs.average(both.model(name), "vertical") for name in scores}, at={"fpr": 0.1})
    >>> [text.get_text() for text in axes.get_legend().get_texts()[:3]]
    ['old  0.751 (0.697 to 0.798)', 'new  0.910 (0.896 to 0.922)', 'vertical average, 9 sites']
    """
    found = given_averages(averages, names)
    is_apart = _have_panels(panels, len(found))
    is_few = is_apart or len(found) <= _FEW
    curves = is_few if curves is None else yes_or_no("curves", curves)
    if band is not None:
        band = one_of("band", band, ("auto", *BANDS))
        band = ("both" if is_few else "pointwise") if band == "auto" else band
    first = next(iter(found.values()))
    view = View.of(zoom, xscale, [np.max(own._groups.n_negatives) for own in found.values()])
    level: Any = {"confidence_level": confidence_level}
    places = places_of(at, tuple(found))
    points = {name: points_of_average(own, places[name], **level) for name, own in found.items()}
    bands = {name: bands_of_average(own, band, view, seed=seed, **level) for name, own in found.items()}
    missing = [note for own in found.values() for note in missing_band_notes(own, band)]
    made = picture(
        found,
        points=points,
        bands=bands,
        areas={name: own.auc_interval(confidence_level) for name, own in found.items()},
        curves=curves,
        view=view,
        is_apart=is_apart,
        notes=missing[:1],
    )
    said = replace(words_of(first, words), models=tuple(found))
    return draw(made.titled(title), said, text_size=text_size, ax=ax)


def picture(
    averages: Mapping[str, Average],
    *,
    points: Mapping[str, Sequence[Any]] | None = None,
    bands: Mapping[str, Sequence[Limits]] | None = None,
    areas: Mapping[str, Interval | None] | None = None,
    curves: bool = False,
    view: View | None = None,
    is_apart: bool = False,
    notes: Sequence[Entry] = (),
) -> Picture:
    """Averages by model, with points, bands and intervals of their areas that were made before.

    Without a `view` it follows the points: the axis of false positive rates is a log axis where one of them
    lies below 2 %.
    """
    points, bands, areas = points or {}, bands or {}, areas or {}
    if view is None:
        negatives = [np.max(own._groups.n_negatives) for own in averages.values()]
        view = View.at([own for several in points.values() for own in several], negatives)
    hues = dict(zip(averages, hues_of(list(averages)), strict=True))
    seen = [own for several in bands.values() for own in several]
    unit = unit_of(next(iter(averages.values())))
    shared = (
        *band_notes(seen, unit, QUIET if len(averages) > 1 else LOOKS[0]),
        *notes,
        *_point_notes(points),
    )
    described_as = phrase(
        "ROC curves of {models}: {kind}",
        models=joined([Model(name) for name in averages]),
        kind=joined([note.text for note in _kind_notes(averages)]),
    )
    if is_apart:
        made = [
            _panel({name: own}, averages, points, bands, areas, hues, view, curves)
            for name, own in averages.items()
        ]
        other = Entry(phrase("the other averages"), Line((), (), look=GUIDE, width=0.6, dash=()))
        across = 2 if len(averages) == 4 else min(len(averages), _ACROSS)
        key = Key(notes=(*shared, *([other] if len(averages) > 1 else [])))
        width = _PAGE * across / _ACROSS
        return Picture(tuple(made), key=key, columns=across, width=width, description=described_as)
    panel = view.panel(
        _marks(averages, points, bands, hues, curves), axes=axes_of(next(iter(averages.values())))
    )
    key = Key(
        _entries(averages, areas, hues),
        (*_kind_notes(averages), *_few_notes(averages, curves), *shared),
        _heading(areas, averages),
        view.corners,
    )
    return Picture((replace(panel, key=key),), width=COLUMN, description=described_as)


def _marks(
    averages: Mapping[str, Average],
    points: Mapping[str, Sequence[Any]],
    bands: Mapping[str, Sequence[Limits]],
    hues: Mapping[str, Hue],
    curves: bool,
) -> list[Mark]:
    """Curves of groups, bands, averages and points, each over those before."""
    marks: list[Mark] = []
    drawn: list[Average] = []
    for name, own in averages.items():
        if curves and own.n_groups > 1 and not any(_has_same_curves(own, other) for other in drawn):
            marks.append(members_of(own, hues[name], most=MOST_FAINT // len(averages))[0])
            drawn.append(own)
    for name in averages:
        marks += band_marks(bands.get(name, ()), hues[name])
    for name, own in averages.items():
        marks.append(Line(own.fpr, own.tpr, look=hues[name], width=2.0, name="average"))
    several = [list(points.get(name, ())) for name in averages]
    return [*marks, *point_marks(several, [hues[name] for name in averages])]


def _has_same_curves(one: Average, other: Average) -> bool:
    """Of one model averaged in two ways the groups' curves are the same."""
    return one.members == other.members and np.array_equal(
        [own.auc for own in one.curves], [own.auc for own in other.curves]
    )


def _panel(
    alone: Mapping[str, Average],
    averages: Mapping[str, Average],
    points: Mapping[str, Sequence[Any]],
    bands: Mapping[str, Sequence[Limits]],
    areas: Mapping[str, Interval | None],
    hues: Mapping[str, Hue],
    view: View,
    curves: bool,
) -> Panel:
    """One average, in which the others are thin and grey."""
    ((name, own),) = alone.items()
    others = [
        Line(other.fpr, other.tpr, look=GUIDE, width=0.6, dash=(), name="other")
        for other_name, other in averages.items()
        if other_name != name
    ]
    marks = [*others, *_marks(alone, points, bands, hues, curves)]
    line = Line((), (), look=hues[name], width=2.0)
    entry = area_entry(own, areas.get(name), "", line)
    key = Key((entry,), (Entry(kind_text(own)),), corners=view.corners)
    return replace(view.panel(marks, axes=axes_of(own)), key=key, title=Model(name))


def _entries(
    averages: Mapping[str, Average], areas: Mapping[str, Interval | None], hues: Mapping[str, Hue]
) -> tuple[Entry, ...]:
    """The area under each average with its interval, and what the others do not share with it."""
    sizes_differ = len({own.n_groups for own in averages.values()}) > 1
    entries = []
    for (name, own), short in zip(averages.items(), short_names(list(averages), 60), strict=True):
        told: list[Text] = []
        if hasattr(own, "chance_auc"):
            told.append(phrase("chance {area}", area=Rate(SMAUC, own.chance_auc)))
        if is_mixed(averages) and name.casefold() != own.method.label:
            told.append(phrase("{kind} average", kind=Quote(own.method.label)))
        if sizes_differ:
            told.append(phrase("{n}", n=Count(own.n_groups, unit_of(own))))
        text = phrase("{name}  {area:cell}", name=Quote(short), area=area_of(own, areas.get(name)))
        line = Line((), (), look=hues[name], width=2.0)
        entries.append(Entry(text, line, joined(told) if told else None))
    return tuple(entries)


def _heading(areas: Mapping[str, Interval | None], averages: Mapping[str, Average]) -> Text:
    """What the numbers in the key are."""
    word: Item = Name(SMAUC) if next(iter(averages.values())).averaged.is_smroc else Name(AREA)
    levels = {own.confidence_level for own in areas.values() if own is not None}
    if not levels or all(own.n_groups < 2 for own in averages.values()):
        return phrase("{area}", area=word)
    return phrase("{area}, {level} CI", area=word, level=Level(min(levels)))


def _kind_notes(averages: Mapping[str, Average]) -> list[Entry]:
    """The kind of average, over how many groups; what they do not share is said beside each."""
    first, *others = averages.values()
    same_size = all(other.n_groups == first.n_groups for other in others)
    if is_mixed(averages):
        over = phrase("averages over {groups}", groups=Count(first.n_groups, unit_of(first)))
        return [Entry(over)] if same_size else []
    if same_size:
        return [Entry(kind_text(first))]
    return [Entry(phrase("{kind} averages", kind=Quote(first.method.label)))]


def _few_notes(averages: Mapping[str, Average], curves: bool) -> list[Entry]:
    """Where not all curves of the groups are drawn."""
    most = MOST_FAINT // len(averages)
    first = next(iter(averages.values()))
    if not curves or first.n_groups <= most:
        return []
    few = len(evenly(range(first.n_groups), most))
    return [Entry(phrase("thin: {n}", n=Count(few, unit_of(first), of=first.n_groups)))]


def _point_notes(points: Mapping[str, Sequence[Any]]) -> list[Entry]:
    """Where the markers are: the places that all averages share, else that they were chosen."""
    marked = [list(own) for own in points.values() if own]
    if not marked:
        return []
    every = [own for several in marked for own in several]
    levels = {own.confidence_level for own in every if own.fpr_interval or own.tpr_interval}
    places = [[place_text(own) if np.ndim(own.fpr) == 0 else None for own in several] for several in marked]
    if all(own == places[0] for own in places) and None not in places[0]:
        where: Item = joined(places[0])
    elif all(own.threshold is not None for own in every):
        where = phrase("a {threshold} each")
    else:
        where = phrase("chosen points")
    text = phrase("markers: {where}", where=where)
    if len(levels) == 1:
        text = phrase("{text}, {level} CI", text=text, level=Level(levels.pop()))
    return [Entry(text, Points((), (), look=QUIET))]


# What was handed over -----------------------------------------------------------------------------------


def given_averages(averages: object, names: object = None) -> dict[str, Average]:
    """The averages by name; RS002 if there are none, have no names, or do not belong together.

    Averages of one kind need names; those of different kinds are named by these.
    """
    found = _by_name(averages, names)
    units = list(dict.fromkeys(own.unit for own in found.values()))
    if len(units) > 1:
        raise fail("RS002.units-drawn", units=units)
    if len({own.averaged.is_smroc for own in found.values()}) > 1:  # shares of credit are no rates
        raise fail(
            "RS002.planes-drawn", averages=[f"{name}: {repr(own)[:60]}" for name, own in found.items()]
        )
    if is_mixed(found) and not all(own.method.keyword in name.casefold() for name, own in found.items()):
        kinds = [f"{name}: {own.method.label}" for name, own in found.items()]
        raise fail("RS002.kinds-drawn", kinds=kinds)
    return found


def is_mixed(averages: Mapping[str, Average]) -> bool:
    """Whether they are of different kinds."""
    return len({own.method.label for own in averages.values()}) > 1


def _by_name(averages: object, names: object) -> dict[str, Average]:
    if isinstance(averages, Mapping):
        keys, values = list(averages), list(averages.values())
        if names is not None:
            raise fail("RS002.named-already", names=names)
    elif isinstance(averages, Average):
        keys, values = _names_of([averages], names), [averages]
    elif isinstance(averages, Sequence) and not isinstance(averages, str | bytes):
        values = list(averages)
        keys = _names_of(values, names)
    else:
        keys, values = [], []
    if not values or not all(isinstance(own, Average) for own in values):
        wrong = next((own for own in values if not isinstance(own, Average)), averages)
        way = "rs.plot.averages({'baseline': average_a, 'candidate': average_b})"
        raise fail("RS002.drawn-from", what="averages and their names", found=described(wrong), ways=[way])
    if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(values):
        raise fail("RS002.average-names", names=keys)
    return dict(zip(keys, values, strict=True))


def _names_of(values: list[Any], names: object) -> list[Any]:
    """Those given; without any, averages of different kinds are named by these."""
    if names is None:
        kinds = [own.method.label for own in values if isinstance(own, Average)]
        if len(set(kinds)) < len(kinds):
            raise fail("RS002.average-names", names=kinds)
        return kinds
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != len(values):
        raise fail("RS002.average-names", names=names)
    return list(names)


def _have_panels(panels: object, n: int) -> bool:
    """Whether every average has a plot of its own; RS042 if there are too many either way."""
    apart = n > MOST_TOGETHER if panels is None else yes_or_no("panels", panels)
    most = MOST_PANELS if apart else MOST_TOGETHER
    if n > most:
        ways: list[Remedy] = [] if apart else [("each in a plot of its own:  ", Option("panels", True))]
        ways.append("some of them:  rs.plot.averages({name: found[name] for name in chosen})")
        raise fail("RS042.room", most=most, what="averages", n=n, ways=ways)
    return apart


def places_of(at: object, names: Sequence[str]) -> dict[str, Any]:
    """What to mark, for each average: the same for all, or a mapping from their names."""
    if isinstance(at, Mapping) and not _is_place(at):
        unknown = [name for name in at if name not in names]
        if unknown:
            raise fail("RS002.points-by-name", unknown=unknown, first=names[0])
        return {name: at.get(name, ()) for name in names}
    several = [at] if isinstance(at, AveragePoint) else at
    if len(names) > 1 and isinstance(several, Sequence):
        own = [point for point in several if isinstance(point, AveragePoint)]
        if own:
            raise fail("RS002.point-of-average", point=own[0], first=names[0])
    return dict.fromkeys(names, at)


def _is_place(at: Mapping[Any, Any]) -> bool:
    """Whether it is one place, such as ``{"fpr": 0.05}``, and no mapping from names."""
    return all(str(key) in NAMES for key in at) and not any(
        isinstance(value, Mapping | AveragePoint) for value in at.values()
    )
