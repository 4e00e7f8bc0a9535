"""What is in a file, before any curve is drawn: ``rocsteady check``."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rocsteady.show.document import Block, Table
from rocsteady.study import Study
from rocsteady.text import Count, Item, Model, Number, Quote, Text, joined, listed, phrase, say


def make(study: Study) -> Sequence[Block]:
    """How many rows of which class each model has, between which scores; what is missing."""
    found = study.check
    causes = [
        phrase("{n} ({cause})", n=Count(n, "row"), cause=Quote(own)) for own, n in found.dropped.items()
    ]
    missing = (
        say("Dropped: {rows}; {causes}.", rows=Count(found.n_dropped, "row"), causes=listed(causes))
        if found.n_dropped
        else say("Nothing is missing.")
    )
    left = say(
        "Left out for too few cases of a class: {units} ({names}), {rows}.",
        units=Count(len(found.left_out), found.unit),
        names=listed(map(Quote, found.left_out)),
        rows=Count(found.n_left_out, "row"),
    )
    drawn = say("{n} can be drawn.", n=Count(found.n_curves, "curve", of=found.n_members))
    return [joined([missing, *([left] if found.left_out else []), drawn], " "), _models(study)]


def _models(study: Study) -> Table:
    found = study.check
    ties = phrase("ties in a {unit}") if found.is_grouped else phrase("ties")
    names: tuple[Text, ...] = tuple(
        map(phrase, ("rows", "{positives}", "{negatives}", "lowest", "highest", "distinct"))
    )
    rows: list[tuple[Item, ...]] = []
    for own in found.models:
        numbers = [Count(n) for n in (own.n_rows, own.n_positives, own.n_negatives)]
        scores = [Number(x, 4) if math.isfinite(x) else None for x in (own.lowest, own.highest)]
        first = [Model(own.name)] if (len(found.models) > 1 or bool(found.models[0].name)) else []
        rows.append((*first, *numbers, *scores, Count(own.n_distinct), Count(own.n_ties)))
    heads = (phrase("model"), *names) if (len(found.models) > 1 or bool(found.models[0].name)) else names
    return Table(None, (*heads, ties), tuple(rows), name="data")
