"""What a comparison of score levels says: the price of one threshold, which class moves, what is random."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rocsteady.inference.comparability import Comparability, Moving, matters
from rocsteady.text import (
    AUC,
    Count,
    Item,
    Model,
    Number,
    P,
    Quantity,
    Rate,
    Scale,
    Text,
    listed,
    paragraph,
    phrase,
    say,
)

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
        return paragraph(say(f"The interval is unknown: {why}."), test)
    if found._shares_training:
        text = "The interval is from leaving out {units}; models trained on other cases may differ more."
        return paragraph(say(text), test)
    return paragraph(
        say("The {n} are treated as a random sample of {units}.", n=Count(len(found.members), found.unit)),
        test,
    )


# Of all models
# -------------


def verdict(found: Mapping[str, Comparability], *, is_shared: bool) -> Text:
    """Whether one threshold is fair to all groups, and what to do about it if not."""
    named = len(found) > 1
    large = {name: own for name, own in found.items() if own.warnings}
    unsure = [name for name, own in found.items() if not own.warnings and matters(own.price, own.own_auc)]
    if not large and not unsure:
        return say("One {threshold} for all {units} costs little AUC.")
    parts: list[Text | None] = []
    if large:
        of_each = "{price:bare} AUC ({model})" if named else "{price:bare} AUC"
        prices = [phrase(of_each, price=price(own), model=Model(name)) for name, own in large.items()]
        who = phrase("scores of {models}" if named else "scores", models=listed(map(Model, large)))
        text = "{who} shift between {units}: one {threshold} for all costs {prices}."
        parts.append(say(text, who=who, prices=listed(prices)))
        text = "Scaling the scores of each {unit} could win this back."
        if not is_shared:
            text = "Each {unit} has {its} own {threshold} in the declared use, so this costs nothing there."
        parts.append(say(text))
    if unsure:
        who = phrase("the shift of {models}" if named else "the shift", models=listed(map(Model, unsure)))
        parts.append(say("{who} is within sampling error.", who=who))
    return paragraph(*parts)


def moving(found: Comparability) -> Text:
    """Which class moves, in a cell."""
    return phrase(
        {
            Moving.BOTH: "both classes",
            Moving.POSITIVES: "{positives}",
            Moving.NEGATIVES: "{negatives}",
            Moving.EITHER: "unclear which class",
            Moving.NEITHER: "neither class",
            Moving.UNKNOWN: "–",
        }[found.moving]
    )


def balance(found: Comparability, *, is_pooled: bool) -> Text | None:
    """How many groups of equal size would share the rows as unequally; nothing where they are about equal."""
    n, effective = len(found.members), found.balance.rows
    if effective > 0.95 * n:
        return None
    end = "Averages that count every {unit} once are not affected."
    if is_pooled:
        end = "The declared use pools: large {units} dominate."
    text = f"Pooling acts as if there were {{effective}} {{units}}, not {{n}}. {end}"
    return say(text, effective=Number(effective), n=n)


def ridge(model: str, *, has_line: bool) -> Text:
    """What a picture of the groups' scores shows."""
    who = "{model}: scores" if model else "scores"
    line = " The upright line is the shared {threshold}." if has_line else ""
    text = f"{who} of {{negatives}} in each {{unit}}: median, middle half and 5 to 95 % range.{line}"
    return say(text, model=Model(model))


def unknown(are_counts: bool) -> Text:
    """Why scores of groups cannot be compared."""
    if are_counts:
        return say("Rows were counted; comparing scores between {units} needs single rows.")
    return say("Rows have weights; comparing scores between {units} needs rows that count alike.")
