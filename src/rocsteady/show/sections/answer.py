"""The first screen: the answer for the declared use, the threshold to deploy, and a small curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsteady.averaging.base import AveragePoint
from rocsteady.errors import RocsteadyError
from rocsteady.figures.averages import picture as curves_picture
from rocsteady.figures.reader_curves import picture as readers_picture
from rocsteady.figures.roc import picture as curve_picture
from rocsteady.figures.roc_space import points_of_curve
from rocsteady.inference.differences import Comparison, Comparisons
from rocsteady.places import ON_AVERAGES, RATES, Place
from rocsteady.readers.study import NO_NAME
from rocsteady.show.document import Beside, Block, Facts, Figure
from rocsteady.show.sections import comparison
from rocsteady.show.sections.readers import at_place
from rocsteady.show.sentences import answer as sentences
from rocsteady.show.sentences import comparing, readers
from rocsteady.show.sentences.points import cut_of
from rocsteady.study import Study
from rocsteady.text import (
    AREA,
    AUC,
    FPR,
    MEAN_AUC,
    THRESHOLD,
    TPR,
    At,
    Group,
    Item,
    Level,
    Model,
    Name,
    Quantity,
    Range,
    Rate,
    Text,
    listed,
    paragraph,
    phrase,
    say,
)

_MOST_MODELS = 6
"""Whose thresholds stand on the first screen."""
_MOST_VERDICTS = 2
"""Of the best model over those that are not second."""
_WORST = 3

Row = tuple[Text, Item, Text | None]


def make(study: Study) -> list[Block]:
    """The answer in one sentence, the numbers to act on, and beside them the curve."""
    if study.is_reader_study:
        return _of_readers(study)
    rows = (*_thresholds(study), *_budgets(study))
    blocks = [*_lead(study), *([Facts(rows)] if rows else [])]
    return [Beside((tuple(blocks), (Figure(_curve(study)),)))]


# The sentence ------------------------------------------------------------------------------------------


def _lead(study: Study) -> list[Block]:
    told = _undeclared(study) if study.method is None and not study.is_alone else _declared(study)
    if study.is_alone:
        told.append(say("There is one dataset: intervals are for other cases like these."))
    return [own for own in told if own is not None]


def _where(study: Study) -> Text:
    """The declared use, after "with"."""
    use, place = study.method, study.place
    method = study.average(study.models[0]).method if use is None else use
    return sentences.used(method, place, is_shared=study.is_shared, is_alone=study.is_alone)


def _declared(study: Study) -> list[Text | None]:
    if len(study.models) == 1:
        return [_of_one(study, study.models[0])]
    try:
        found = study.comparison
    except RocsteadyError as error:
        return [*(_of_one(study, name) for name in study.models), comparing.refused(error)]
    if isinstance(found, Comparisons):
        return _of_several(study, found)
    assert isinstance(found, Comparison)
    main = comparison.declared(found)
    where = _where(study) if found.at else comparing.held(main[0].facts)
    if not found.at and study.place is not None and study.place.kind not in ON_AVERAGES:
        each = [_of_one(study, name) for name in study.models]
        return [
            *each,
            *comparison.by_what(study, main[0]),
            comparing.verdict(main[0]),
            comparison.changed(study, found),
        ]
    if not found.at:
        return [comparing.verdict(main[0]), comparison.changed(study, found)]
    return [sentences.compared(where, main), comparison.changed(study, found)]


def _of_several(study: Study, found: Comparisons) -> list[Text | None]:
    order = comparison.standings(found)
    if order is None:
        return [_of_one(study, name) for name in study.models]
    what = comparing.measure(comparison.declared(found[0])[-1])
    best, *others = comparison.of_the_first(found, order)
    told = [comparing.verdict(comparison.declared(own)[-1], is_brief=True) for own in others[:_MOST_VERDICTS]]
    return [
        sentences.led(_where(study) if what.at is not None else None, order, what),
        paragraph(*told) if told else None,
        comparison.changed(study, best),
    ]


def _of_one(study: Study, model: str) -> Text:
    """One model at the declared place, or its area."""
    if study.place is None:
        return _area(study, model)
    return sentences.of_one(_where(study), model, _rates(study, model, study.place))


def _area(study: Study, model: str) -> Text:
    value, interval = study.area(model)
    if study.is_alone:
        return sentences.of_area(model, AUC, value, interval)
    if study.is_shared:
        average = study.average(model)
        return sentences.of_area(model, AREA, average.auc, study.average_area(model))
    return sentences.of_area(model, MEAN_AUC, value, interval)


def _undeclared(study: Study) -> list[Text | None]:
    """Areas, and an operating point under both uses: nothing of it is recommended."""
    told: list[Text | None] = [sentences.NOT_DECLARED]
    place, names = study.shown_place, study.models
    if len(names) == 1:
        told.append(_area(study, names[0]))
        if place.kind in RATES:
            own = "vertical" if place.kind == "fpr" else "horizontal"
            parts = [_free(study, place, how) for how in ("threshold", own)]
            told.append(sentences.example(place, *parts, is_asked=study.place is not None))
        return told
    try:
        found = study.comparison
    except RocsteadyError as error:
        return [*told, *(_area(study, name) for name in names), comparing.refused(error)]
    if isinstance(found, Comparisons):
        order = comparison.standings(found)
        what = comparing.measure(comparison.declared(found[0])[-1])
        return [*told, None if order is None else sentences.led(None, order, what)]
    assert isinstance(found, Comparison)
    told += comparing.verdicts(comparison.declared(found))
    if found.at:
        return told
    every = comparison.contrasts(study, found.a, found.b)
    told += [
        say("With {use}, {verdict}", use=comparing.use(how), verdict=comparing.within(comparing.verdict(own)))
        for how, own in every[:2]
        if own.facts.place
    ]
    return told


def _free(study: Study, place: Place, method: str) -> Rate:
    found: Any = study.point(study.models[0], place, method)
    if place.kind == "fpr":
        return Rate(TPR, found.tpr, found.tpr_interval)
    return Rate(FPR, found.fpr, found.fpr_interval)


def _rates(study: Study, model: str, place: Place) -> list[Rate]:
    """What is read at a place: the rate that is free, or both."""
    found: Any = study.point(model, place)
    if isinstance(found, AveragePoint):
        limits = {TPR: found.tpr_interval, FPR: found.fpr_interval}
    else:
        own: Any = study.cutoff_intervals(model, place)
        limits = {TPR: None, FPR: None} if own is None else {TPR: own.tpr, FPR: own.fpr}
    rates = {TPR: found.tpr, FPR: found.fpr}
    asked: dict[str, list[Quantity]] = {"fpr": [TPR], "tpr": [FPR]}
    free = asked.get(place.kind, [TPR, FPR]) if study.cutoff_from is None else [TPR, FPR]
    return [Rate(what, rates[what], limits[what]) for what in free]


# What to act on ----------------------------------------------------------------------------------------


def _thresholds(study: Study) -> list[Row]:
    """The threshold of each model with the rates for keeping it; of own thresholds those that are needed.

    Where no use was declared, the one that all groups would share at the point that is shown.
    """
    place, names = study.shown_place, study.models[:_MOST_MODELS]
    is_declared = study.place is not None and (study.method is not None or study.is_alone)
    if place.kind == "alerts" or not (is_declared or place.kind in RATES):
        return []
    if is_declared:
        return [own for name in names if (own := _threshold(study, name, place)) is not None]
    return [_example(study, name, place) for name in names]


def _example(study: Study, model: str, place: Place) -> Row:
    shared = "" if study.is_alone else " if all {units} share it"
    label = _labelled(study, model, phrase(f"{{threshold}} at {{at}}{shared}", at=At.of(place)))
    if study.is_alone:
        own = study.corrected(model, place)
        return label, cut_of(study.cutoff(model, place)), None if own is None else sentences.kept(own)
    found: Any = study.point(model, place, "threshold")
    return label, cut_of(found), sentences.kept(found.kept or found, told="if kept")


def _threshold(study: Study, model: str, place: Place) -> Row | None:
    found: Any = study.point(model, place)
    if not study.is_shared:
        if getattr(found, "thresholds", None) is None:
            return None
        rates = _rates(study, model, place)
        needed = phrase("{thresholds} of single {units} {range}", range=Range(THRESHOLD, *found.thresholds))
        return _labelled(study, model, listed(Name(own.quantity) for own in rates)), listed(rates), needed
    label = _labelled(study, model, phrase("{threshold}"))
    if study.cutoff_from is not None:
        given = study.cutoff(model, place)
        kept: Any = study.point(model, {"threshold": given.threshold})
        return label, cut_of(given), sentences.kept(kept, told="chosen on other rows")
    if isinstance(found, AveragePoint):
        return (
            label,
            cut_of(found),
            sentences.kept(found.kept or found, told="if kept" if found.kept else "there"),
        )
    own = study.corrected(model, place)
    return label, cut_of(study.cutoff(model, place)), None if own is None else sentences.kept(own)


def _labelled(study: Study, model: str, what: Text) -> Text:
    several = ", {model:short}" if len(study.models) > 1 else ""
    return say(f"{{what}}{several}", what=comparing.capital(what), model=Model(model))


def _budgets(study: Study) -> list[Row]:
    """Budgets of alerts: how many there are, how many of them are right, what they find, and where least."""
    places = [own for own in study.places if own.kind == "alerts"] if study.is_shared else []
    rows: list[Row] = []
    for place in places:
        for model in study.models[:_MOST_MODELS]:
            table = study.two_by_two(model, place)
            at: Item = At.of(place)
            if place.count is None:
                at = phrase("{share} of the cases", share=Level(float(place.value)))
            cut = cut_of(study.cutoff(model, place))
            label = _labelled(study, model, phrase("at most {at}", at=at))
            rows.append((label, cut, sentences.budget(table, _worst(study, model, cut.value))))
    return rows


def _worst(study: Study, model: str, threshold: float) -> Text | None:
    """The groups where least is found."""
    points = None if study.is_alone else study.group_points(model, {"threshold": threshold}, "pooled")
    if points is None:
        return None
    names, tpr = study.average(model, "pooled").members, points.tpr[:, 0]
    order = [i for i in np.argsort(tpr, kind="stable").tolist() if tpr[i] == tpr[i]][:_WORST]
    found = zip([names[i] for i in order], tpr[order].tolist(), strict=True)
    return listed(phrase("{name} {rate}", name=Group(name), rate=Rate(TPR, own)) for name, own in found)


# The curve ---------------------------------------------------------------------------------------------


def _curve(study: Study) -> Any:
    """The curve of each model with the operating point."""
    names = study.models
    if not study.is_alone:
        points = {name: [_marked(study, name)] for name in names}
        areas = {name: study.average_area(name) for name in names}
        return curves_picture({name: study.average(name) for name in names}, points=points, areas=areas)
    curves, limits = {name: study.curves(name)[0] for name in names}, [study.area(name)[1] for name in names]
    level = study.confidence_level
    own = {name: points_of_curve(curves[name], _spot(study, name), level) for name in names}
    return curve_picture(curves, points=list(own.values()), areas=limits)


def _marked(study: Study, model: str) -> Any:
    """The operating point on an average; one that is found there by its threshold."""
    found: Any = study.point(model)
    return found if isinstance(found, AveragePoint) else study.point(model, {"threshold": found.threshold})


def _spot(study: Study, model: str) -> dict[str, Any]:
    """The operating point on the curve of one dataset; one that is found there by its threshold."""
    place = study.shown_place
    if place.kind in RATES:
        return {place.kind: place.value}
    return {"threshold": study.threshold(model)}


# Reader studies ----------------------------------------------------------------------------------------


def _of_readers(study: Study) -> list[Block]:
    """Which modality is better for other readers and cases, and the mean of each."""
    told: list[Block] = []
    found, summary = None, None
    try:
        found = study.readers
        summary = study.reader_summary
    except RocsteadyError as error:
        told.append(comparing.refused(error))
    if found is not None:
        told += [readers.of_answer(found, most=0), readers.random_sentence(found)]
    elif summary is not None:
        told += [readers.of_modality(summary, 0), readers.random_sentence(summary)]
    if summary is None:
        return told
    what, measured = readers.mean_of(summary), readers.measure_of_values(summary)
    per = summary.per_modality
    rows = []
    for name, value, own in zip(per.modalities, per.value, per.intervals, strict=True):
        rate, place = at_place(study, name), study.place
        more = None
        if measured.at is None and rate is not None and place is not None:
            more = phrase("{rate} at {at}: {value}", rate=Name(rate.quantity), at=At.of(place), value=rate)
        where = phrase("" if measured.at is None else " at {at}", at=measured.at)
        mean = phrase(
            "{what}{where} {value}", what=Name(what), where=where, value=Rate(what, float(value), own)
        )
        rows.append((say("{name}", name=readers.modality(name)), mean, more))
    curves = [study.reader_curve("" if name == NO_NAME else name) for name in per.modalities]
    picture = readers_picture(
        [curve for curve in curves if curve], areas=readers.areas_of(summary), readers=False
    )
    return [Beside(((*told, Facts(tuple(rows))), (Figure(picture),)))]
