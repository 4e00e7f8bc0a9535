"""What smROC curves say of a study: what they are, how large their areas are, and what to know about Mid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.text import (
    AUC,
    SMAUC,
    THRESHOLD,
    Count,
    Item,
    Level,
    Model,
    Range,
    Rate,
    Text,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.averaging.directional import SmrocAverage

TITLE = say("Areas and smROC curves")
EXPLANATION = say(
    "A smROC curve (Klement et al. 2011) uses the size of the scores, not only their order: a score that "
    "agrees with its label counts as credit, one that disagrees as debit. No operating point can be read "
    "from it, and it is compared with its own chance level, not with the diagonal."
)
HEADS = phrase("smAUC"), say("chance level"), say("AUC")


def areas(own: SmrocAverage, interval: Any, auc: float) -> tuple[Item, ...]:
    """The area, that of labels at random, and the ordinary one."""
    return Rate(SMAUC, own.auc, interval), Rate(SMAUC, own.chance_auc), Rate(AUC, auc)


def about_areas(level: float, *, is_alone: bool) -> Text:
    """What stands in the table."""
    over = None if is_alone else phrase(" ({level} CI over {units})", level=Level(level))
    return say("Areas{over}; chance level: labels at random", over=over)


def about_picture(name: str, own: SmrocAverage) -> Text:
    """Whose curve it is, and of how many groups."""
    of = phrase(" of {model}", model=Model(name)) if name else None
    if own.n_groups == 1:
        return say("smROC curve{of}", of=of)
    return say("Average smROC curve{of} over {n}", of=of, n=Count(own.n_groups, own.unit))


def notes(found: Mapping[str, SmrocAverage]) -> Iterator[Text]:
    """Groups in which all scores count alike, and groups without a curve."""
    for name, own in found.items():
        mids = np.array([curve.mid for curve in own.curves])
        n_outside = int(np.count_nonzero((mids <= 0) | (mids > 1)))
        whose = phrase("{model}: ", model=Model(name)) if name else None
        if n_outside:
            yield say(
                "{whose}in {n} Mid lies outside 0 to 1 (Mid: {range}), so all scores there count as "
                f"{'low' if mids.max() > 1 else 'high'}.",
                whose=whose,
                n=Count(n_outside, own.unit),
                range=Range(THRESHOLD, float(mids.min()), float(mids.max())),
            )
        if own.undefined:
            yield say("{whose}{n} without a smROC curve.", whose=whose, n=Count(len(own.undefined), own.unit))
