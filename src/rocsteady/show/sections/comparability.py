"""Whether scores mean the same in all groups: level shift, the price of one threshold, size balance."""

from __future__ import annotations

import math

from rocsteady.figures.densities import ridge
from rocsteady.inference.comparability import Comparability
from rocsteady.places import ON_AVERAGES
from rocsteady.show.document import Block, Figure, Table
from rocsteady.show.sentences import comparability as sentences
from rocsteady.study import Study
from rocsteady.text import AUC, Item, Level, Model, Number, P, Rate, phrase, say

_MOST_DRAWN = 60
"""Groups in a picture: more lines cannot be told from each other."""


def make(study: Study) -> list[Block]:
    """The section; none of one dataset."""
    if study.is_alone:
        return []
    found = {name: own for name in study.models if (own := study.comparability(name)) is not None}
    if not found:
        return [sentences.unknown(study.scores.columns.are_counts)]
    is_shared = study.is_shared or study.deployment is None
    blocks: list[Block] = [sentences.verdict(found, is_shared=is_shared), _table(study, found)]
    balance = sentences.balance(next(iter(found.values())), is_pooled=study.method == "pooled")
    if balance is not None:
        blocks.append(balance)
    return [*blocks, *ridges(study)]


def _table(study: Study, found: dict[str, Comparability]) -> Table:
    heads = [phrase("model")] if len(study.models) > 1 else []
    heads += [phrase("level shift"), phrase("price of one {threshold} (AUC)")]
    heads += [
        phrase("AUC within {units}"),
        phrase("AUC, one {threshold}"),
        phrase("p"),
        phrase("seen to shift"),
    ]
    rows: list[tuple[Item, ...]] = [
        (
            *([Model(name)] if len(study.models) > 1 else []),
            Number(own.level_shift.overall, 2),
            sentences.price(own),
            Rate(AUC, own.own_auc),
            Rate(AUC, own.shared_auc),
            P(own.pvalue),
            sentences.moving(own),
        )
        for name, own in found.items()
    ]
    caption = say(
        "Level shift: standard deviation of the level between {units} over that within one. Price: AUC lost "
        "by one {threshold} for all, with its {level} CI.",
        level=Level(study.confidence_level),
    )
    columns = tuple(say("{head}", head=head) for head in heads)
    return Table(caption, columns, tuple(rows), name="comparability")


def ridges(study: Study) -> list[Block]:
    """Where the scores of negatives lie in every group, a picture for each model."""
    if len(study.scores.groups) > _MOST_DRAWN:
        return []
    place = study.place
    has_line = study.is_shared and place is not None and place.kind in ON_AVERAGES
    blocks: list[Block] = []
    for model in study.models:
        at = study.threshold(model) if has_line else math.nan
        caption = sentences.ridge(model if len(study.models) > 1 else "", has_line=has_line)
        blocks.append(Figure(ridge(study.quantiles(model), threshold=at, model=model), caption))
    return blocks
