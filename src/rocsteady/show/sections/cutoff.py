"""Thresholds by themselves, as `rocsteady cutoff` prints them: one for all groups, or one for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocsteady.places import Place
from rocsteady.points.cutoffs import AppliedCutoff, Cutoff
from rocsteady.show.document import Block, Command, Items, Table
from rocsteady.show.sections import points
from rocsteady.show.sentences import points as sentences
from rocsteady.study import Study
from rocsteady.text import FPR, TPR, At, Group, Item, Model, Quote, Rate, Text, phrase, say

_MOST_GROUPS = 30


def shared(study: Study) -> list[Block]:
    """One threshold for all: who is called positive, its rates, the 2 x 2 table, and what is as good."""
    rest = (points.budgets, points.two_by_twos, points.tried, points.neighbours)
    decided = Items(
        tuple(_decided(study, model, place) for place in points.places(study) for model in study.models)
    )
    best = Items(tuple(_best(study))) if not study.is_alone else Items(())
    tables = [*points.tables(study), *([best] if best.texts else [])]
    return [decided, *tables, *(own for part in rest for own in part(study))]


def overview(study: Study, again: Sequence[str]) -> list[Block]:
    """The usual criteria side by side, and what to type for one of them."""
    share = () if "--prevalence" in again else ("--prevalence", "0.03")
    return [
        *points.tables(study),
        say("They answer different questions. All about one of them:"),
        Command((*again, "--at", "youden")),
        say("If errors have costs, or a rate must be kept, say so:"),
        Command((*again, "--costs", "1:20", *share)),
        Command((*again, "--at", "fpr=0.05")),
    ]


def _decided(study: Study, model: str, place: Place) -> Text:
    """Who is called positive, and what else the criterion likes as much."""
    found = study.chosen(model, place)
    aim = ties = value = None
    if isinstance(found, Cutoff):
        aim = phrase(", {aim}", aim=sentences.aim(found.criterion))
        ties = sentences.as_good(found)
        value = sentences.value_on_new_rows(found, study.corrected(model, place))
    return say(
        "{model}{at}: {decision}{aim}{value}{ties}.",
        value=value,
        model=phrase("{model}, ", model=Model(model)) if len(study.models) > 1 else None,
        at=At.of(place),
        decision=sentences.decision(found, is_high=study.scores.higher_is_positive),
        aim=aim,
        ties=ties,
    )


def _best(study: Study) -> Iterator[Text]:
    """Where the best threshold of all such groups may lie."""
    for place in points.places(study):
        for model in study.models:
            found = study.cutoff_intervals(model, place)
            if found is None:
                continue
            at = At.of(place)
            who = phrase("{model}, {at}", model=Model(model), at=at) if len(study.models) > 1 else at
            yield say("{who}: {text}", who=who, text=sentences.intervals(found))


def own(study: Study) -> list[Block]:
    """A table of groups for each model, and how such thresholds did on rows that had no say in them."""
    blocks: list[Block] = [_of(study, model) for model in study.models]
    asked = points.places(study)
    if study.cutoff_from is not None:
        source = study.cutoff_from.source
        where = phrase(" ({file})", file=Quote(source)) if source else None
        blocks.append(say("The {thresholds} were chosen on other rows{where}.", where=where))
    elif any(own.kind != "threshold" for own in asked):
        blocks.append(say("Each {unit} chose on these rows; expect slightly worse rates on new data."))
    return [*blocks, *points.tried(study)]


def _of(study: Study, model: str) -> Table:
    asked = points.places(study)
    chosen = [study.own_cutoffs(model, place) for place in asked]
    columns: list[Text] = [say("{unit}")]
    for place in asked:
        columns += [_head(place), say("{fpr}"), say("{tpr}")]
    rows = []
    for name in chosen[0]:
        cells: list[Item] = [Group(name)]
        for each in chosen:
            found = each[name]
            calls_nothing = found.fpr == found.tpr == 0 and not isinstance(found, AppliedCutoff)
            cut = phrase("calls nothing") if calls_nothing else sentences.cut_of(found)
            cells += [cut, Rate(FPR, found.fpr), Rate(TPR, found.tpr)]
        rows.append(tuple(cells))
    whose = say("{model}: each {unit} has {its} own {threshold}.", model=Model(model))
    caption = whose if len(study.models) > 1 else say("Each {unit} has {its} own {threshold}.")
    return Table(caption, tuple(columns), tuple(rows), name="own-cut-offs", most=_MOST_GROUPS)


def _head(place: Place) -> Text:
    return say("{Threshold} for {at}", at=At.of(place))
