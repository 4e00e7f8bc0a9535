"""What a comparison of score levels says: the price of one threshold, which class moves, what is random."""

from __future__ import annotations

import math

from rocsteady.inference.comparability import Comparability, Moving
from rocsteady.text import AUC, Count, Item, Number, P, Quantity, Rate, Scale, Text, paragraph, phrase, say

PRICE = Quantity("price", Scale.AREA, lower_is_better=True)


def reading(found: Comparability) -> Text:
    """The price and p, how far which class moves, what is random."""
    n = len(found.members)
    if n == 1:
        return say("Only one {unit} has both classes; its scores can be compared with nothing.")
    first = say(
        "One {threshold} for all {units} costs {price} AUC, {p} (mean AUC {own} within {units}, {shared} "
        "under one {threshold}).",
        price=price(found),
        p=P(found.pvalue),
        own=Rate(AUC, found.own_auc),
        shared=Rate(AUC, found.shared_auc),
    )
    shift = say("{shift}; {movement}.", shift=_shift(found), movement=movement(found))
    return paragraph(first, shift, sample(found))


def price(found: Comparability) -> Rate:
    """The AUC that one threshold costs."""
    return Rate(PRICE, found.price, found.price_interval)


def movement(found: Comparability) -> Text:
    """Which class moves between groups."""
    return phrase(
        {
            Moving.BOTH: "scores of {positives} and of {negatives} shift",
            Moving.POSITIVES: "only scores of {positives} shift significantly",
            Moving.NEGATIVES: "only scores of {negatives} shift significantly",
            Moving.EITHER: "whether {positives} or {negatives} shift is unclear",
            Moving.NEITHER: "neither {positives} nor {negatives} shift significantly",
            Moving.UNKNOWN: "there is nothing to compare with",
        }[found.moving]
    )


def _shift(found: Comparability) -> Text:
    shift = found.level_shift
    if math.isnan(shift.overall):
        return phrase("how far levels shift between {units} cannot be estimated from one row each")
    if math.isinf(shift.overall):
        return phrase("rows of a class score alike within a {unit} and differ between {units}")
    return phrase(
        "levels shift between {units} by {overall} standard deviations within a {unit} ({positives} {up}, "
        "{negatives} {down})",
        overall=Number(shift.overall, 2),
        up=_size(shift.positives),
        down=_size(shift.negatives),
    )


def _size(shift: float) -> Item:
    if math.isinf(shift):
        return phrase("alike within")
    return Number(shift, 2)


def sample(found: Comparability) -> Text:
    """What the interval and the test take as random."""
    test = say("The p-value is from exchanging rows of a class between {units}.")
    if math.isnan(found.price_interval.low):
        why = (
            "fewer than three {units}" if len(found.members) < 3 else "leaving out any {unit} changes nothing"
        )
        return paragraph(say(f"There is no interval: {why}."), test)
    if found._shares_training:
        text = "The interval is from leaving out {units}; models trained on other cases may differ more."
        return paragraph(say(text), test)
    return paragraph(
        say("The {n} are treated as a random sample of {units}.", n=Count(len(found.members), found.unit)),
        test,
    )
