"""What a comparison of score levels says: the price of one threshold, which class moves, what is random."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady.inference.comparability import Comparability, Moving
from rocsteady.words import class_word, counted, plural, printable

if TYPE_CHECKING:
    from rocsteady.statistics.limits import Interval


def reading(found: Comparability) -> str:
    """Three sentences: the price and p, how far which class moves, what is random."""
    unit, units, n = found.unit, plural(found.unit), len(found.members)
    if n == 1:
        lonely = f"Only one {unit} has both classes, so there is nothing to compare its scores with"
        return printable(f"{lonely}; give scores of at least two {units}.")
    price = found.price
    cost = f"costs {price:.3f} AUC" if round(price, 3) > 0 else f"costs no AUC: {_three_places(price)}"
    first = f"A shared threshold {cost}{_limits(found.price_interval)}; p = {found.pvalue:.2g}"
    first += f" (mean AUC {found.own_auc:.3f} within {units}, {found.shared_auc:.3f} under one threshold)."
    third = f"The interval takes the {units} as a random sample of such {units}; "
    if math.isnan(found.price_interval.low):
        why = f"With {counted(n, unit)}" if n < 3 else f"As leaving out any {unit} changes nothing,"
        third = f"{why} there is no interval; "
    elif found._shares_training:
        third = f"The interval is from leaving out {units}; "
    third += f"p is how often exchanging rows of a class between {units} by chance costs as much."
    if found._shares_training:
        third += (
            f" Models of {units} that share training cases are alike; what a threshold costs models that are "
            "trained on other cases may be more."
        )
    return printable(" ".join((first, _levels(found), third)))


def movement(found: Comparability) -> str:
    """Which class moves between groups."""
    positives, negatives = _nouns(found)
    return {
        Moving.BOTH: f"both {positives} and {negatives} move",
        Moving.POSITIVES: f"only {positives} are seen to move",
        Moving.NEGATIVES: f"only {negatives} are seen to move",
        Moving.EITHER: f"whether {positives} or {negatives} move cannot be told",
        Moving.NEITHER: f"neither {positives} nor {negatives} are seen to move by more than chance",
        Moving.UNKNOWN: "there is nothing to compare with",
    }[found.moving]


def _limits(interval: Interval) -> str:
    """Of a price, in brackets; nothing where there are none."""
    if math.isnan(interval.low):
        return ""
    low, high = _three_places(interval.low), _three_places(interval.high)
    return f" ({100 * interval.confidence_level:g} % CI {low} to {high})"


def _levels(found: Comparability) -> str:
    """How far the levels move, and which class does."""
    shift, unit, units = found.level_shift, found.unit, plural(found.unit)
    if math.isnan(shift.overall):
        return f"How far levels shift between {units} cannot be told from one row each; {found.movement}."
    if math.isinf(shift.overall):
        return f"Rows of a class score alike within a {unit} and not between {units}; {found.movement}."
    nouns = _nouns(found)
    sizes = f"{nouns[0]} {_size(shift.positives)}, {nouns[1]} {_size(shift.negatives)}"
    return (
        f"Levels shift between {units} by {shift.overall:.2f} standard deviations within a {unit} "
        f"({sizes}); {found.movement}."
    )


def _nouns(found: Comparability) -> list[str]:
    labels = (found._classes.positive, True), (found._classes.negative, False)
    return [f"{class_word(label, is_positive=is_positive)} cases" for label, is_positive in labels]


def _size(shift: float) -> str:
    if math.isnan(shift):
        return "unknown"
    return "alike within" if math.isinf(shift) else f"{shift:.2f}"


def _three_places(number: float) -> str:
    return f"{round(number, 3) + 0.0:.3f}"  # + 0.0: no -0.000
