"""Cut-offs, rates and intervals as short texts."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING, Any

from rocsteady.words import percent

if TYPE_CHECKING:
    from rocsteady.statistics.limits import Interval

BEYOND = "beyond every score"
_ROUNDING = 1e-9
_FEWEST_DIGITS, _MOST_DIGITS = 4, 17


def cutoff_number(threshold: float, alike: Any = None) -> str:
    """A threshold in as few digits as still decide alike: whoever types what is shown gets what is shown.

    Without thresholds that decide alike it is written in full.
    """
    if not math.isfinite(threshold):
        return f"{threshold:g}"
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS):
        short = f"{threshold:.{digits}g}"
        if float(short) == threshold or (alike is not None and float(short) in alike):
            return short
    return repr(float(threshold))


def decision(rule: str, threshold: float, alike: Any = None) -> str:
    """``>= 0.22``."""
    return f"{rule} {cutoff_number(threshold, alike)}"


def calls_nothing(threshold: float, tpr: float, fpr: float) -> bool:
    """Whether a threshold lies beyond every score; an infinite one may also be a score."""
    return tpr == fpr == 0 and math.isinf(threshold)


def apart(*numbers: float) -> list[str]:
    """Numbers in as few digits as tell them apart, four or more.

    >>> apart(0.2, 0.25), apart(2.32812, 2.32815)
    (['0.2', '0.25'], ['2.32812', '2.32815'])
    """
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS):
        short = [f"{number:.{digits}g}" for number in numbers]
        if len(set(short)) == len(set(numbers)):
            return short
    return [repr(float(number)) for number in numbers]


def limits_alike(alike: Any, *within: float) -> tuple[str, str]:
    """Both ends of the thresholds that decide alike, rounded inwards: all between what is shown do.

    There are as many digits as the numbers in ``within`` need to stay within, as they are shown.

    >>> from rocsteady.points.cutoffs import ThresholdInterval
    >>> limits_alike(ThresholdInterval(0.76259, 0.7627584))
    ('0.7626', '0.7627')
    >>> limits_alike(ThresholdInterval(0.76259, 0.7627584), 0.762758)
    ('0.76259', '0.762758')
    """
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS - 1):
        low = _rounded(alike.low, digits, ROUND_CEILING)
        high = _rounded(alike.high, digits, ROUND_FLOOR)
        if float(low) < float(high) and all(float(low) <= number <= float(high) for number in within):
            return low, high
    return repr(float(alike.low)), repr(float(alike.high))


def _rounded(number: float, digits: int, direction: str) -> str:
    """A number in so many digits, not beyond itself; one that needs fewer is written in those."""
    short = f"{number:.{digits}g}"
    if not math.isfinite(number) or float(short) == number:
        return short
    return f"{float(Context(prec=digits, rounding=direction).create_decimal(Decimal(number))):.{digits}g}"


def near(number: float) -> str:
    """A number where four digits do: ends of intervals, midpoints, values."""
    return f"{number:.4g}"


def ratio(number: float) -> str:
    """A likelihood ratio."""
    return "" if math.isnan(number) else f"{number:.3g}"


def share(number: float) -> str:
    """A rate; nothing where it is undefined."""
    return "" if math.isnan(number) else percent(number)


def limits(interval: Interval | None, write: Any) -> str:
    """``48.1 to 76.4 %``; nothing where there is no interval."""
    if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
        return ""
    low, high = write(interval.low), write(interval.high)
    if low.endswith(" %") and high.endswith(" %"):
        low = low.removesuffix(" %")
    return f"{low} to {high}"


def threshold_limits(interval: Interval) -> str:
    """The interval of a threshold."""
    return "" if math.isnan(interval.low) else " to ".join(apart(interval.low, interval.high))


def has_width(interval: Interval) -> bool:
    """Whether the interval of a rate is one: of groups that agree only rounding is left (or nothing)."""
    return not interval.high - interval.low < _ROUNDING


def rate_limits(interval: Interval | None) -> str:
    """The interval of a rate, within 0 and 1; nothing where it has no width, since no rate is that sure."""
    if interval is not None and not has_width(interval):
        return ""
    return limits(interval, lambda limit: percent(min(max(limit, 0.0), 1.0)))


def level_words(confidence_level: float) -> str:
    """``95 %``."""
    return f"{100 * confidence_level:g} %"
