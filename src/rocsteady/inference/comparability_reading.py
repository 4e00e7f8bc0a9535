"""What a comparison of score levels says, in sentences, and when it is a warning."""

from __future__ import annotations

import math

from rocsteady.errors import RocsteadyWarning, caution
from rocsteady.inference.level_shift import LevelShift, RankTest
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.intervals import Interval
from rocsteady.words import class_word, counted, plural, printable

_LEAST_SHIFT = 0.005
"""Below it the level stays, and something else about the distributions differs."""
LEAST_PRICE = 0.01
"""A cost in AUC that matters wherever it occurs."""
LEAST_SMALL_PRICE, LEAST_RELATIVE_PRICE = 0.001, 0.25
"""A smaller cost matters too where it adds this share to the pairs in the wrong order within groups."""


def matters(price: float, own_auc: float) -> bool:
    """Whether a price is large enough to be told, whatever the test says.

    Examples
    --------
    >>> matters(0.02, 0.80), matters(0.004, 0.80), matters(0.004, 0.99), matters(0.0005, 1.0)
    (True, False, True, False)
    """
    is_relatively_large = price >= LEAST_RELATIVE_PRICE * (1 - own_auc)
    return price >= LEAST_PRICE or (price >= LEAST_SMALL_PRICE and is_relatively_large)


def reading(
    score_set: ScoreSet,
    n_groups: int,
    *,
    price: float,
    price_interval: Interval,
    pvalue: float,
    own_auc: float,
    shared_auc: float,
    level_shift: LevelShift,
    movement: str,
    **_: object,
) -> str:
    """Three sentences: the price and p, how far which class moves, what is random."""
    unit, units = score_set.unit, plural(score_set.unit)
    if n_groups == 1:
        lonely = f"Only one {unit} has both classes, so there is nothing to compare its scores with"
        return printable(f"{lonely}; give scores of at least two {units}.")
    first = f"A shared threshold {_cost(price)}{_limits(price_interval)}; p = {pvalue:.2g}"
    first += f" (mean AUC {own_auc:.3f} within {units}, {shared_auc:.3f} under one threshold)."
    second = _levels(score_set, level_shift, movement)
    if math.isnan(price_interval.low):
        alike = f"As leaving out any {unit} changes nothing,"
        why = f"With {counted(n_groups, unit)}" if n_groups < 3 else alike
        third = f"{why} there is no interval; "
    else:
        third = f"The interval takes the {units} as a random sample of such {units}; "
        if score_set.design.shares_training:
            third = f"The interval is from leaving out {units}; "
    third += f"p is how often exchanging rows of a class between {units} by chance costs as much."
    if score_set.design.shares_training:
        third += (
            f" Models of {units} that share training cases are alike; what a threshold costs models that are "
            "trained on other cases may be more."
        )
    return printable(" ".join((first, second, third)))


def _cost(price: float) -> str:
    return f"costs {price:.3f} AUC" if round(price, 3) > 0 else f"costs no AUC: {_three_places(price)}"


def _limits(interval: Interval) -> str:
    if math.isnan(interval.low):
        return ""
    low, high = _three_places(interval.low), _three_places(interval.high)
    return f" ({100 * interval.confidence_level:g} % CI {low} to {high})"


def _three_places(number: float) -> str:
    return f"{round(number, 3) + 0.0:.3f}"  # + 0.0: no -0.000


def movement(
    score_set: ScoreSet, positives: RankTest, negatives: RankTest, pvalue: float, level: float
) -> str:
    """Which class moves between groups, in words; ``pvalue`` is that of a cost, whichever class makes it."""
    nouns = [_noun(score_set, positive=True), _noun(score_set, positive=False)]
    if math.isnan(positives.pvalue):
        return "there is nothing to compare with"
    # Two tests, one statement: each has half the share of false alarms.
    moving = [test.pvalue <= (1 - level) / 2 for test in (positives, negatives)]
    if all(moving):
        return f"both {nouns[0]} and {nouns[1]} move"
    if any(moving):
        return f"only {nouns[0 if moving[0] else 1]} are seen to move"
    if pvalue <= 1 - level:
        return f"whether {nouns[0]} or {nouns[1]} move cannot be told"
    return f"neither {nouns[0]} nor {nouns[1]} are seen to move by more than chance"


def _levels(score_set: ScoreSet, shift: LevelShift, movement: str) -> str:
    """How far the levels move, and which class does."""
    units = plural(score_set.unit)
    if math.isnan(shift.overall):
        return f"How far levels shift between {units} cannot be told from one row each; {movement}."
    if math.isinf(shift.overall):
        return f"Rows of a class score alike within a {score_set.unit} and not between {units}; {movement}."
    sizes = f"{_noun(score_set, positive=True)} {_size(shift.positives)}, "
    sizes += f"{_noun(score_set, positive=False)} {_size(shift.negatives)}"
    return (
        f"Levels shift between {units} by {shift.overall:.2f} standard deviations within a {score_set.unit} "
        f"({sizes}); {movement}."
    )


def _size(shift: float) -> str:
    if math.isnan(shift):
        return "unknown"
    return "alike within" if math.isinf(shift) else f"{shift:.2f}"


def _noun(score_set: ScoreSet, *, positive: bool) -> str:
    label = score_set.classes.positive if positive else score_set.classes.negative
    return f"{class_word(label, is_positive=positive)} cases"


def warnings_about(
    score_set: ScoreSet,
    level: float,
    *,
    price: float,
    price_interval: Interval,
    pvalue: float,
    own_auc: float,
    shared_auc: float,
    level_shift: LevelShift,
    **_: object,
) -> tuple[RocsteadyWarning, ...]:
    """RS301 if the test rejects and the price matters."""
    if not (pvalue <= 1 - level and matters(price, own_auc)):  # NaN is neither
        return ()
    return (
        caution(
            "RS301.shift",
            model=score_set.models[0] if score_set.models else None,
            is_shift=level_shift.overall >= _LEAST_SHIFT,
            shift=level_shift.overall if math.isfinite(level_shift.overall) else None,
            own_auc=own_auc,
            shared_auc=shared_auc,
            price=price,
            low=None if math.isnan(price_interval.low) else round(price_interval.low, 3) + 0.0,
            high=round(price_interval.high, 3) + 0.0,
            level=100 * level,
            pvalue=pvalue,
            unit=score_set.unit,
        ),
    )
