"""smROC curves beside their chance curves, smAUCs compared: where scores are shares of 1."""

from __future__ import annotations

from collections.abc import Sequence

from rocsteady.figures.studies import smroc_of
from rocsteady.inference.smauc import SmaucComparisons
from rocsteady.show.document import Block, Figure, Fold, Table
from rocsteady.show.sentences import comparing
from rocsteady.show.sentences import smroc as sentences
from rocsteady.study import Study
from rocsteady.text import Item, Model, Text, say


def make(study: Study) -> list[Block]:
    """The section; none where some score is no probability, or Mid is not within (0, 1]."""
    blocks = opened(study)
    return [sentences.EXPLANATION, Fold(sentences.TITLE, tuple(blocks))] if blocks else []


def why_empty(study: Study) -> Text:
    """Why there is no section, for who asked for it."""
    return sentences.left_out(study.smroc_left_out) or sentences.NO_SHARES


def opened(study: Study) -> list[Block]:
    """The areas with intervals and permutations, the curves, the comparison, and what to know about Mid."""
    found = {name: own for name in study.smroc_models if (own := study.smroc(name)) is not None}
    if not found:
        return []
    picture = Figure(smroc_of(study, found), sentences.about_picture(list(found.values())))
    names = list(found)
    dealt = sentences.about_chance(study.smroc_area(names[0]))
    areas = {name: area for name in names if (area := study.smroc_area(name))}
    about = [sentences.about_mid(areas), dealt, sentences.left_out(study.smroc_left_out)]
    blocks: list[Block] = [_areas(study, names), *(own for own in about if own is not None), picture]
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
        exchanged = comparing.exchange(found)
        return [
            comparing.larger_smauc(found),
            comparing.verdict(found.auc),
            *([] if exchanged is None else [exchanged]),
            *comparing.basis_of_smauc(found),
        ]
    rows = tuple(sentences.pair(own) for own in found)
    areas = {name: own for name in found.models if (own := study.smroc_area(name)) is not None}
    return [
        Table(sentences.PAIRS, sentences.PAIR_HEADS, rows, name="smauc"),
        *([said] if (said := sentences.at_chance(areas)) else []),
        *comparing.basis_of_smauc(found[0]),
    ]
