"""A few points of the average curves and what they mean: ``rocsteady average``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocsteady.averaging.base import Average
from rocsteady.curves.intervals import Band
from rocsteady.show.document import Block, Table
from rocsteady.show.sentences import averages as sentences
from rocsteady.show.sentences import text_of
from rocsteady.study import Study
from rocsteady.text import AREA, AUC, TPR, At, Item, Model, Name, Rate, Text, paragraph, phrase, say

_FPRS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)


def make(
    study: Study,
    averages: Mapping[str, Average],
    bands: Mapping[str, Band | None],
    points: Sequence[Any] = (),
) -> Sequence[Block]:
    """What was averaged, its area and its points, and what was asked of it.

    ``points`` are models with what each has at a place, and the place.
    """
    first = next(iter(averages.values()))
    blocks: list[Block] = [sentences.curve(first), _areas(study, averages), _curves(study, averages)]
    blocks += [_point(study, *own) for own in points]
    band = next(iter(bands.values()), None)
    return [*blocks, *([text_of(band)] if band is not None else [])]


def _areas(study: Study, averages: Mapping[str, Average]) -> Text:
    quantity = AUC if study.is_alone else AREA
    each: list[Text | None] = []
    for name, own in averages.items():
        area = Rate(quantity, own.auc, own.auc_interval(study.confidence_level) if own.n_groups > 1 else None)
        whose = phrase(" of {model}", model=Model(name)) if len(averages) > 1 else None
        each.append(say("{what}{whose}: {area}.", what=Name(quantity), whose=whose, area=area))
    return paragraph(*each)


def _curves(study: Study, averages: Mapping[str, Average]) -> Table:
    """The curves at a few rates; those that were asked for among them."""
    asked = {float(own.value) for own in study.places if own.kind == "fpr"}
    rates = sorted({*_FPRS, *asked})
    columns = [np.asarray(own.tpr_at(np.array(rates))) for own in averages.values()]
    heads = [phrase("{model}, {rate}", model=Model(name), rate=Name(TPR)) for name in averages]
    if len(averages) == 1:
        heads = [phrase("{rate}", rate=Name(TPR))]
    rows: list[tuple[Item, ...]] = [
        (At("fpr", rate), *(Rate(TPR, float(own)) for own in each))
        for rate, *each in zip(rates, *columns, strict=True)
    ]
    marked = next((i for i, rate in enumerate(rates) if rate in asked), None)
    return Table(None, (phrase("at"), *heads), tuple(rows), marked=marked, name="points")


def _point(study: Study, model: str, place: Any, found: Any) -> Text:
    whose = phrase("{model}: ", model=Model(model)) if len(study.models) > 1 else None
    return phrase("{whose}{said}", whose=whose, said=text_of(found))
