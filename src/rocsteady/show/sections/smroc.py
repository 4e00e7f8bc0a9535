"""Averaged smROC curves beside their chance curves, where scores are shares of 1; folded."""

from __future__ import annotations

from rocsteady.averaging.directional import SmrocAverage
from rocsteady.figures.average import picture as average_picture
from rocsteady.show.document import Block, Figure, Fold, Table
from rocsteady.show.sentences import smroc as sentences
from rocsteady.study import Study
from rocsteady.text import Item, Model, say

_MOST_DRAWN = 3
"""Models that have a picture each; of more the table says the same in less room."""


def make(study: Study) -> list[Block]:
    """The section; none where some score is no probability."""
    found = {name: own for name in study.models if (own := study.smroc(name)) is not None}
    if not found:
        return []
    blocks: list[Block] = [_areas(study, found)]
    for name, own in list(found.items())[:_MOST_DRAWN]:
        is_grouped = own.n_groups > 1
        bands = [own.band(kind="pointwise", confidence_level=study.confidence_level)] if is_grouped else []
        picture = average_picture(own, bands=bands, look=Model(name), label=name)
        blocks.append(Figure(picture, sentences.about_picture(name, own)))
    return [sentences.EXPLANATION, Fold(sentences.TITLE, (*blocks, *sentences.notes(found)))]


def _areas(study: Study, found: dict[str, SmrocAverage]) -> Table:
    """The mean area of each model beside what labels at random would give, and the ordinary AUC."""
    rows: list[tuple[Item, ...]] = []
    for name, own in found.items():
        row = sentences.areas(own, study.smroc_area(name), study.area(name)[0])
        rows.append((*([Model(name)] if len(study.models) > 1 else []), *row))
    heads = [*([say("model")] if len(study.models) > 1 else []), *sentences.HEADS]
    caption = sentences.about_areas(study.confidence_level, is_alone=study.is_alone)
    return Table(caption, tuple(heads), tuple(rows), name="smroc")
