"""A threshold for every group: what each chose on its own rows."""

from __future__ import annotations

from rocsteady.places import Place
from rocsteady.points.cutoffs import AppliedCutoff
from rocsteady.show.document import Block, Table
from rocsteady.show.sections.points import places, tried
from rocsteady.show.sentences import points as sentences
from rocsteady.study import Study
from rocsteady.text import FPR, TPR, At, Group, Model, Quote, Rate, Text, phrase, say

_MOST_GROUPS = 30


def make(study: Study) -> list[Block]:
    """A table of groups for each model, and how such thresholds did on rows that had no say in them."""
    blocks: list[Block] = [_of(study, model) for model in study.models]
    asked = places(study)
    if study.cutoff_from is not None:
        source = study.cutoff_from.source
        where = phrase(" ({file})", file=Quote(source)) if source else None
        blocks.append(say("The {thresholds} were chosen on other rows{where}.", where=where))
    elif any(own.kind != "threshold" for own in asked):
        blocks.append(
            say("Each {unit} chose on these rows; expect slightly worse rates on new data.")
        )
    return [*blocks, *tried(study)]


def _of(study: Study, model: str) -> Table:
    asked = places(study)
    chosen = [study.own_cutoffs(model, place) for place in asked]
    columns: list[Text] = [say("{unit}")]
    for place in asked:
        columns += [_head(place), say("{fpr}"), say("{tpr}")]
    rows = []
    for name in chosen[0]:
        cells = [Group(name)]
        for own in chosen:
            found = own[name]
            calls_nothing = found.fpr == found.tpr == 0 and not isinstance(found, AppliedCutoff)
            cut = phrase("calls nothing") if calls_nothing else sentences.cut_of(found)
            cells += [cut, Rate(FPR, found.fpr), Rate(TPR, found.tpr)]
        rows.append(tuple(cells))
    whose = say("{model}: each {unit} has {its} own {threshold}.", model=Model(model))
    caption = whose if len(study.models) > 1 else say("Each {unit} has {its} own {threshold}.")
    return Table(caption, tuple(columns), tuple(rows), name="own-cut-offs", most=_MOST_GROUPS)


def _head(place: Place) -> Text:
    return say("{Threshold} for {at}", at=At.of(place))
