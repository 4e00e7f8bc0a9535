"""Numbers of a plan as they are written."""

from __future__ import annotations

import math

from rocsteady.report.summary.comparing.measure import Measure
from rocsteady.report.summary.vocabulary import count, percent


def width_words(measure: Measure, width: float) -> str:
    """A half-width with its unit."""
    if measure.is_share:
        return f"{100 * width:.{1 if width >= 0.005 else 2}f} points"
    return f"{width:.3f}" if width >= 0.0095 else f"{width:.2g}"


def times_words(factor: float) -> str:
    """A factor."""
    return f"{count(math.ceil(factor))}" if factor >= 10 else f"{factor:.2g}"


def chance_words(power: float) -> str:
    """A chance, never more sure than 99 %."""
    return "more than 99 %" if power > 0.99 else percent(power)


def whole_words(number: float) -> str:
    """A number of groups."""
    return count(number) if math.isfinite(number) else "more than can be had"
