"""Numbers as the tables of comparisons show them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady.cli.console import console, dash

if TYPE_CHECKING:
    from rocsteady.statistics.limits import Interval


def limits(interval: Interval) -> str:
    """An interval."""
    return missing() if math.isnan(interval.low) else f"{interval.low:.3f} to {interval.high:.3f}"


def signed_limits(interval: Interval) -> str:
    """An interval of differences."""
    low, high = interval.low, interval.high
    return missing() if math.isnan(low) else f"{signed(low)} to {signed(high)}"


def signed(value: float) -> str:
    """A difference."""
    if math.isnan(value):
        return missing()
    for places in range(3, 7):  # more where less would hide on which side of 0 it lies
        text = f"{value:+.{places}f}"
        if float(text) != 0:
            return text
    return "0.000"


def number(value: float) -> str:
    """A rate or an area."""
    return missing() if math.isnan(value) else f"{value:.3f}"


def pvalue(value: float) -> str:
    """A p-value, with two digits where it is small."""
    if math.isnan(value):
        return missing()
    return "< 0.0001" if value < 1e-4 else f"{value:.2g}" if value < 0.1 else f"{value:.2f}"


def missing() -> str:
    """What stands where there is nothing."""
    return dash(console())
