"""smROC curves beside their chance curves, smAUCs compared: where scores are shares of 1."""

from __future__ import annotations

from collections.abc import Sequence

from rocsteady.figures.studies import smroc_of
from rocsteady.inference.smauc import SmaucComparisons
from rocsteady.show.document import Block, Figure, Fold, Table
from rocsteady.show.sentences import comparing
from rocsteady.show.sentences import smroc as sentences
from rocsteady.study import Study
from rocsteady.text import Item, Model, say


def make(study: Study) -> list[Block]:
    """The section; none where some score is no probability, or Mid is not within (0, 1]."""
    blocks = opened(study)
    return [sentences.EXPLANATION, Fold(sentences.TITLE, tuple(blocks))] if blocks else []


def opened(study: Study) -> list[Block]:
    """The areas with intervals and permutations, the curves, the comparison, and what to know about Mid."""
    found = {name: own for name in study.smroc_models if (own := study.smroc(name)) is not None}
    if not found:
        return []
    picture = Figure(smroc_of(study, found), sentences.about_picture(list(found.values())))
    names = list(found)
    dealt = sentences.about_chance(study.smroc_area(names[0]))
    blocks: list[Block] = [_areas(study, names), *([] if dealt is None else [dealt]), picture]
    return [*blocks, *_compared(study), *sentences.notes(found)]


def _areas(study: Study, models: Sequence[str]) -> Table:
    """The area of each model beside what labels at random would give, and the ordinary AUC."""
    rows: list[tuple[Item, ...]] = []
    for name in models:
        own = study.smroc_area(name)
        assert own is not None
        row = sentences.areas(own)
        rows.append((*([Model(name)] if len(study.models) > 1 else []), *row))
    heads = [*([say("model")] if len(study.models) > 1 else []), *sentences.HEADS]
    caption = sentences.about_areas(study.confidence_level, is_alone=study.is_alone)
    return Table(caption, tuple(heads), tuple(rows), name="smroc")


def _compared(study: Study) -> list[Block]:
    """Who has the larger smAUC; of several pairs a table."""
    found = study.smroc_comparison
    if found is None:
        refused = study.refused.get("smroc")
        return [] if refused is None else [comparing.refused(refused)]
    if not isinstance(found, SmaucComparisons):
        both = [comparing.verdict(own) for own in found.differences]
        return [
            *both,
            *([own] if (own := comparing.exchange(found)) else []),
            *comparing.basis_of_smauc(found),
        ]
    rows = tuple(sentences.pair(own) for own in found)
    return [
        Table(sentences.PAIRS, sentences.PAIR_HEADS, rows, name="smauc"),
        *comparing.basis_of_smauc(found[0]),
    ]
