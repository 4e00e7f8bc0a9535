"""The sentences about averages: what is held fixed, what varies, in the reader's words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady.words import class_cases, percent, plural

if TYPE_CHECKING:
    from rocsteady.averaging.base import Average
    from rocsteady.uncertainty.intervals import Interval


def catches(average: Average, tpr: float, interval: Interval | None) -> str:
    """``catches 71.2 % of its attack cases (95 % CI 65.0 % to 77.4 %)``."""
    return f"catches {percent(tpr)} of its {positives(average)}{within(interval)}"


def false_alarms(average: Average, fpr: float, interval: Interval | None) -> str:
    """``raises false alarms on 5.0 % of its normal cases (95 % CI 3.1 % to 6.9 %)``."""
    return f"raises false alarms on {percent(fpr)} of its {negatives(average)}{within(interval)}"


def positives(average: Average) -> str:
    """The word for positive cases."""
    return class_cases(average.classes.positive, is_positive=True)


def negatives(average: Average) -> str:
    """The word for negative cases."""
    return class_cases(average.classes.negative, is_positive=False)


def average_unit(average: Average) -> str:
    """``the average host``, with what it is weighted by."""
    is_plain = bool((average.weights == average.weights[0]).all())
    return (
        f"the average {average.unit}" if is_plain else f"the weighted average of the {plural(average.unit)}"
    )


def within(interval: Interval | None) -> str:
    """The interval in brackets; nothing for what is held fixed or cannot be known."""
    if interval is None or interval.low != interval.low:
        return ""
    level = f"{100 * interval.confidence_level:g} %"
    low, high = (min(max(limit, 0.0), 1.0) for limit in (interval.low, interval.high))  # said of rates
    return f" ({level} CI {percent(low)} to {percent(high)})"


def what_is_random(average: Average) -> str:
    """Why there is an interval, or why there is none."""
    if average.n_groups < 2:
        return f"With a single {average.unit} there is no spread between {plural(average.unit)} to judge by."
    return average.design.sentence(average.n_groups, average.unit)


def thresholds_run(average: Average, thresholds: tuple[float, float] | None) -> str:
    """``The thresholds needed run from 1.2 to 3.4.``"""
    if thresholds is None:
        return ""
    low, high = map(threshold_word, thresholds)
    return (
        f"The threshold needed is {low}."
        if low == high
        else f"The thresholds needed run from {low} to {high}."
    )


def threshold_word(threshold: float) -> str:
    """A threshold in a sentence; an infinite one lies beyond every score.

    >>> threshold_word(0.51234), threshold_word(float("inf"))
    ('0.5123', 'beyond every score')
    """
    return f"{threshold:.4g}" if math.isfinite(threshold) else "beyond every score"


def joined(*sentences: str) -> str:
    """Sentences in a row, empty ones left out."""
    return " ".join(sentence for sentence in sentences if sentence)
