"""The range a winner map is wanted over, as an axis; what does not belong to it is refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsteady.averaging.methods import (
    AtAlarmRate,
    Horizontal,
    Method,
    Pooled,
    Tangent,
    Threshold,
    Vertical,
    method_of,
)
from rocsteady.errors import fail
from rocsteady.inference.winner_map.axes import AlongAlerts, AlongCosts, AlongFpr, AlongTpr, Axis
from rocsteady.options import one_of, open_share, rate_range, real_numbers

OVER = ("fpr", "tpr", "costs", "alerts")
_USUAL = {"fpr": (0.02, 0.5), "tpr": (0.5, 0.98), "costs": ((1.0, 2.0), (1.0, 20.0))}
_NEEDS_PREVALENCE = ("costs", "alerts")


def axis_of(over: str, ranges: dict[str, Any], prevalence: float | None, method: str | Method | None) -> Axis:
    """The axis; RS001, RS042, RS065, RS081, RS091 or RS094 if the range is none.

    ``ranges`` has what was given for each of :data:`OVER`, None where nothing was.
    """
    over = one_of("over", over, OVER)
    _refuse_others(over, ranges, prevalence)
    given = ranges[over] if ranges[over] is not None else _USUAL.get(over)
    if over in _NEEDS_PREVALENCE:
        prevalence = _needed(over, prevalence)
    if over == "costs":
        low, high, unit = _ratios(given)
        return AlongCosts(low, high, _chosen(over, method, Tangent()), prevalence, unit)
    if given is None:
        raise fail("RS065.alerts")
    if over == "alerts" and np.ndim(np.asarray(given, dtype=object)) == 0:
        raise fail("RS042.one-budget", given=given)
    low, high = rate_range(over, given)
    if over == "alerts":
        own = AtAlarmRate(prevalence=prevalence or 0.0)
        return AlongAlerts(low, high, _chosen(over, method, own), prevalence)
    usual: Method = Vertical() if over == "fpr" else Horizontal()
    chosen = usual if method is None else method_of(method)
    return (AlongFpr if over == "fpr" else AlongTpr)(low, high, chosen)


def _refuse_others(over: str, ranges: dict[str, Any], prevalence: float | None) -> None:
    """RS065 for a range of something else: it would be ignored without a word."""
    said = [name for name, value in ranges.items() if value is not None and name != over]
    if said:
        raise fail("RS065.other-range", over=over, name=said[0], value=ranges[said[0]])
    if prevalence is not None and over not in _NEEDS_PREVALENCE:
        raise fail("RS065.prevalence", over=over, prevalence=prevalence)


def _needed(over: str, prevalence: float | None) -> float:
    if prevalence is None:
        raise fail("RS091.map", over=over)
    return open_share("prevalence", prevalence)


def _chosen(over: str, method: str | Method | None, own: Method) -> Method:
    """The average in which every group is tuned to what the map runs over, or one with a shared threshold."""
    chosen = own if method is None else method_of(method)
    if chosen != own and not isinstance(chosen, Threshold | Pooled):
        raise fail("RS065.method", over=over, label=own.label, method=method)
    return chosen


def _ratios(given: Any) -> tuple[float, float, float]:
    """The smallest and largest ratio, false negative to false positive, and what a false positive costs."""
    numbers = real_numbers("costs", given, example=((1, 2), (1, 20)))
    if numbers.shape != (2, 2):
        raise fail("RS094.range", given=given)
    if not ((numbers > 0) & (numbers < float("inf"))).all():
        raise fail("RS081.range", given=given)
    pairs = numbers[:, 0].tolist(), (numbers[:, 1] / numbers[:, 0]).tolist()
    low, high = sorted(pairs[1])
    if low == high:
        raise fail("RS094.range", given=given)
    return low, high, float(pairs[0][0])
