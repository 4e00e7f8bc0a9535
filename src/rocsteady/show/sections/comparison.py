"""Is one model better? The verdict for the declared use, the same question for other uses, who wins where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocsteady.averaging.methods import AtAlarmRate, Method, method_of
from rocsteady.errors import RocsteadyError
from rocsteady.figures.pairs import picture as pair_picture
from rocsteady.figures.reader_values import picture as readers_picture
from rocsteady.figures.winner_map import picture as map_picture
from rocsteady.inference.differences import Budget, Comparison, Comparisons, Difference, Lead, leader
from rocsteady.inference.differences import Measure as Measured
from rocsteady.places import ON_AVERAGES, Place
from rocsteady.readers.compare import ReaderComparison
from rocsteady.show.document import Beside, Block, Figure, Heading, Note, Table
from rocsteady.show.sentences import comparing, readers, winner_maps
from rocsteady.show.sentences.points import cut_of
from rocsteady.study import Study
from rocsteady.text import (
    At,
    Gap,
    Item,
    Level,
    Model,
    Name,
    P,
    Quote,
    Rate,
    Text,
    paragraph,
    phrase,
    say,
)

_MOST_PAIRS, _MOST_REGIONS = 15, 6


def make(study: Study, *models: str) -> list[Block]:
    """The comparison of two models, of all, or of the modalities of a reader study; nothing for one model."""
    try:
        found = study.comparison if not models else study.compare(*models)
    except RocsteadyError as error:
        return [comparing.refused(error)]
    if isinstance(found, ReaderComparison):
        return of_readers(found)
    if isinstance(found, Comparisons):
        return _of_several(study, found)
    return [] if found is None else _of_two(study, found)


# Two models, and several -------------------------------------------------------------------------------


def _of_two(study: Study, found: Comparison) -> list[Block]:
    main = declared(found)
    told: tuple[Block, ...] = (
        *by_what(study, main[0]),
        *comparing.verdicts(main),
        paragraph(comparing.setting(main[0]), *comparing.basis(found)),
        _models(study, main),
    )
    picture = Figure(_picture(study, found, main[-1]), _caption(study, main[-1]))
    return [Beside((told, (picture,))), *_elsewhere(study, found), *_where(study, found)]


def _of_several(study: Study, found: Comparisons) -> list[Block]:
    """Who leads, all models, all pairs; then the best two as a pair, under other uses and along the range."""
    order, main = standings(found), [declared(pair) for pair in found]
    first = main[0][-1]
    blocks: list[Block] = [*by_what(study, first)]
    if order is None:
        blocks.append(say("The models were compared on different {units}, so they have no common order."))
        return [*blocks, _pairs(found, main)]
    ordered = list(order.ordered)
    blocks += [
        comparing.leads(order, comparing.measure(first)),
        paragraph(comparing.setting(first), *comparing.basis(found[0])),
        _models(study, main[0] if len(main[0]) == 1 else (first,), [own.model for own in ordered], ordered),
        _pairs(found, main),
    ]
    best = of_the_first(found, order)[0]
    of_best = declared(best)[-1]
    picture = Figure(_picture(study, best, of_best), _caption(study, of_best))
    return [Beside((tuple(blocks), (picture,))), *_elsewhere(study, best), *_where(study, best)]


def declared(found: Comparison) -> tuple[Difference, ...]:
    """What the declared use asks: the difference at its place (at a threshold two), else of the areas."""
    if not found.at:
        return (found.area or found.auc,)
    first = found.at[0]
    is_kept = first.facts.budget is Budget.KEPT and len(found.at) > 1
    return found.at[:2] if is_kept else (first,)


def standings(found: Comparisons) -> Lead | None:
    """The models by what was declared, best first, and those over which the lead is not significant."""
    return leader(list(found), lambda pair: declared(pair)[-1])


def of_the_first(found: Comparisons, lead: Lead) -> list[Comparison]:
    """The pairs of the first model, with the next best first; all were compared with one, if not with it."""
    names = [own.model for own in lead.ordered]
    pairs = [own for name in names[1:] for own in found if {own.a, own.b} == {names[0], name}]
    return pairs or list(found)


def by_what(study: Study, found: Difference) -> list[Text]:
    """What models are compared by, where that is not the declared point."""
    place = study.place
    if study.method is not None and study.deployment is None and not study.is_alone:
        return [say("No use is declared; here {use}.", use=comparing.use(study.method))]
    if found.facts.place is not None:
        return []
    if study.method is None and not study.is_alone:
        return [say("No use is declared, so the models are compared by their mean AUC.")]
    if place is not None and place.kind not in ON_AVERAGES:
        text = "A difference at {at} cannot be tested, so the models are compared by their areas."
        return [say(text, at=At.of(place))]
    return []


def _models(
    study: Study, found: Sequence[Difference], order: Sequence[str] = (), ordered: Sequence[Any] = ()
) -> Table:
    """Each model by itself: its threshold where one is shared, and what was compared."""
    of, at = found[0].facts, comparing.measure(found[0]).at
    place = study.place if of.place is not None and _is_shared(of) else None
    values = {(own.a, i): (own.a_value, own.a_interval) for i, own in enumerate(found)}
    values |= {(own.b, i): (own.b_value, own.b_interval) for i, own in enumerate(found)}
    values |= {(own.model, 0): (own.value, own.interval) for own in ordered}
    quantities = [comparing.measure(own).quantity for own in found]
    heads = [say("model"), *(say("{rate}", rate=Name(what)) for what in quantities)]
    rows: list[list[Item]] = []
    names, cuts = order or (found[0].a, found[0].b), {}
    if place is not None and place.kind != "threshold":
        points = {name: _point(study, name, place) for name in names}
        if all(own.threshold is not None for own in points.values()):  # some averages share none
            cuts = {name: [cut_of(own)] for name, own in points.items()}
    for name in names:
        rates: list[Item] = [Rate(what, *values[name, i]) for i, what in enumerate(quantities)]
        rows.append([Model(name), *cuts.get(name, ()), *rates])
    if len(rows[0]) > len(heads):
        heads.insert(1, say("{threshold}"))
    where = phrase(" at {at}", at=at) if at is not None else None
    template = "Each model{where} ({level} CI). Intervals that overlap may belong to models that differ."
    caption = say(template, where=where, level=Level(found[0].interval.confidence_level))
    return Table(caption, tuple(heads), tuple(map(tuple, rows)), name="models")


def _is_shared(of: Any) -> bool:
    return of.budget is Budget.SHARED or of.is_one_dataset


def _point(study: Study, model: str, place: Place) -> Any:
    is_chosen = study.is_alone or place.kind == "alerts"
    return study.cutoff(model, place) if is_chosen else study.point(model, place)


def _pairs(found: Comparisons, main: Sequence[Sequence[Difference]]) -> Table:
    """All pairs, with p-values that allow for their number."""
    rows: list[tuple[Item, ...]] = []
    for own in (own for pair in main for own in pair):
        gap = Gap(comparing.measure(own).quantity, own.difference, own.interval)
        pair = _minus(own.a, own.b)
        if len(main[0]) > 1:
            pair = phrase("{pair}, {rate}", pair=pair, rate=Name(gap.quantity))
        rows.append((pair, gap, P(own.pvalue), P(own.adjusted_pvalue)))
    how = {"holm": "Holm", "bh": "Benjamini-Hochberg"}.get(found.adjust or "", "adjusted")
    heads = (say("pair"), say("difference"), phrase("p"), phrase("p ({how})", how=Quote(how)))
    what, level = comparing.measure(main[0][-1]), Level(main[0][0].interval.confidence_level)
    caption = say("All pairs: difference in {what} ({level} CI).", what=what, level=level)
    return Table(caption, heads, tuple(rows), name="pairs", sorts=True, most=_MOST_PAIRS)


def _minus(a: str, b: str) -> Text:
    return phrase("{a} − {b}", a=Model(a), b=Model(b))


# The figure of a pair ----------------------------------------------------------------------------------


def _picture(study: Study, found: Comparison, own: Difference) -> Any:
    groups: Sequence[str] = ()
    a: Any = ()
    b: Any = ()
    if not found.paired or study.is_alone or own.facts.measure is Measured.AREA:
        pass
    elif own.facts.measure is Measured.AUC:
        if found.per_group is not None:
            groups, a, b = found.per_group.groups, found.per_group.a_auc, found.per_group.b_auc
    else:
        groups, a, b = _rates(study, own)
    return pair_picture(own, groups=groups, a=a, b=b, unit=study.unit)


def _rates(study: Study, own: Difference) -> tuple[list[str], list[float], list[float]]:
    """What the groups that both models have show at the declared place."""
    of: list[dict[str, float]] = []
    for name in (own.a, own.b):
        point = study.group_points(name, own.facts.place)
        if point is None:
            return [], [], []
        rates = point.fpr if own.facts.measure is Measured.FPR else point.tpr
        of.append(dict(zip(study.average(name).members, rates[:, 0].tolist(), strict=True)))
    common = [group for group in of[0] if group in of[1]]
    return common, [of[0][group] for group in common], [of[1][group] for group in common]


def _caption(study: Study, own: Difference) -> Text:
    is_each = not study.is_alone and own.facts.measure is not Measured.AREA and own.facts.paired
    each = "one line per {unit}" if is_each else "each model"
    return say(
        f"{{measure}}: {each}, and {{pair}} with its {{level}} CI on the same scale.",
        measure=comparing.measure(own),
        pair=_minus(own.a, own.b),
        level=Level(own.interval.confidence_level),
    )


# Other uses --------------------------------------------------------------------------------------------


def contrasts(study: Study, a: str, b: str) -> list[tuple[Method, Difference]]:
    """The same question under one threshold for all groups, for all rows, and under thresholds of groups."""
    if study.is_alone:
        return []
    place = study.shown_place if study.method is None or study.place is not None else None
    found: list[tuple[Method, Difference]] = []
    areas: list[tuple[Method, Difference]] = []
    for method in _methods(study, place):
        compared = _asked(study, a, b, method, place)
        if compared is None:
            continue
        found += [(method, own) for own in declared(compared)[-1:] if compared.at]
        if compared.area is not None:
            areas.append((method, compared.area))
        elif not any(own.facts.measure is Measured.AUC for _, own in areas):
            areas.append((method, compared.auc))
    return found + areas


def _methods(study: Study, place: Place | None) -> list[Method]:
    """The declared use first, then the others that can be read there."""
    kind = "fpr" if place is None else place.kind
    own: dict[str, str | Method] = {"fpr": "vertical", "tpr": "horizontal"}
    if kind == "alerts":
        own["alerts"] = AtAlarmRate(prevalence=study.prevalence)
    others = [method_of(each) for each in ("threshold", own.get(kind), "pooled") if each is not None]
    first = [] if study.method is None else [study.method]
    kinds = {type(each) for each in first}  # however it reads jumps
    return [*first, *(each for each in others if type(each) not in kinds)]


def _asked(study: Study, a: str, b: str, method: Method, place: Place | None) -> Comparison | None:
    """None where models cannot be compared so."""
    is_here = place is not None and place.kind in ON_AVERAGES
    try:
        if method == study.method:
            return study.compare(a, b)
        return study.compare(a, b, method, [place] if is_here else [])
    except RocsteadyError:
        return None


def changed(study: Study, found: Comparison) -> Text | None:
    """Where thresholds set otherwise would change the answer at the same place."""
    main = declared(found)[-1]
    for method, own in contrasts(study, found.a, found.b):
        is_other = method != study.method and own.facts.measure is main.facts.measure
        if is_other and _winner(own) != _winner(main):
            text = "The answer depends on the deployment. With {use}, {verdict}"
            return say(text, use=comparing.use(method), verdict=comparing.within(comparing.verdict(own)))
    return None


def _winner(own: Difference) -> str | None:
    return own.better if own.is_decided else None


def _elsewhere(study: Study, found: Comparison) -> list[Block]:
    """The same question for other uses; the declared row is the evidence."""
    every = contrasts(study, found.a, found.b)
    if len(every) < 2:
        return []
    rows = []
    for method, own in every:
        what = comparing.measure(own)
        a, b = (Rate(what.quantity, value) for value in (own.a_value, own.b_value))
        gap = Gap(what.quantity, own.difference, own.interval)
        rows.append((comparing.use(method), what, a, b, gap, P(own.pvalue)))
    mark = 0 if study.method is not None else None
    told: Text | None = say("Which row answers your question depends on how the scores will be used.")
    if mark == 0:
        told = changed(study, found)
        if told is None and len({_winner(own) for _, own in every}) == 1:
            told = say("The other deployments give the same answer.")
    only = " Only the marked row is evidence for the declared one." if mark == 0 else ""
    only += " These p-values are not adjusted for the number of pairs." if len(study.models) > 2 else ""
    return [
        Heading(say("In other deployments")),
        *([] if told is None else [told]),
        Table(
            say(
                f"{{pair}} in other deployments ({{level}} CI; differences of rates in points).{only}",
                pair=_minus(found.a, found.b),
                level=Level(study.confidence_level),
            ),
            (
                say("deployment"),
                say("measure"),
                phrase("{a}", a=Model(found.a)),
                phrase("{b}", b=Model(found.b)),
                say("difference"),
                phrase("p"),
            ),
            tuple(rows),
            marked=mark,
            name="deployments",
        ),
    ]


# Where is it better ------------------------------------------------------------------------------------


def _where(study: Study, found: Comparison) -> list[Block]:
    """Who wins along the range of the declared place."""
    try:
        made = study.winner_map(found.a, found.b)
    except RocsteadyError:
        return []
    place = study.place
    is_on_it = place is not None and place.kind == made.over and isinstance(place.value, float)
    at = place.value if place is not None and is_on_it else None
    told: list[Block] = [winner_maps.who_wins(made), winner_maps.how_sure(made)]
    regions = made.regions
    if 1 < len(regions) <= _MOST_REGIONS:
        rows = tuple(
            (
                comparing.span(made.over, own.low, own.high),
                Model(own.winner) if own.winner else phrase("not decided"),
            )
            for own in regions
        )
        heads = (say("{axis}", axis=comparing.axis(made.over)), say("better model"))
        told.append(Table(None, heads, rows, name="regions"))
    head = Heading(say("Where is it better?"))
    if not made.winners and not made.can_decide:
        return [head, *told]
    return [head, Beside((tuple(told), (Figure(map_picture(made, at=at)),)))]


# Reader studies ----------------------------------------------------------------------------------------


def of_readers(found: ReaderComparison) -> list[Block]:
    """What the analysis of readers and cases says, and no other test."""
    what = comparing.measure(found.differences[0])
    told: list[Block] = [
        readers.of_answer(found, most=0),
        paragraph(readers.random_sentence(found), readers.analysis(found)),
    ]
    told += [Note("RS215", own) for own in readers.partly_paired(found)]
    has_several = len(found.differences) > 1
    rows = []
    for own in found.differences:
        adjusted: tuple[Item, ...] = (P(own.adjusted_pvalue),) if has_several else ()
        gap = Gap(what.quantity, own.difference, own.interval)
        rows.append((_minus(own.a, own.b), gap, P(own.pvalue), *adjusted))
    how = (phrase("p, adjusted"),) if has_several else ()
    caption = say("Differences in {what} ({level} CI).", what=what, level=Level(found.confidence_level))
    heads = (say("pair"), say("difference"), phrase("p"), *how)
    told.append(Table(caption, heads, tuple(rows), name="differences"))
    return [Beside((tuple(told), (Figure(readers_picture(found)),)))]
