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
from rocsteady.counting.arguments import one_of, open_share, rate_range, real_numbers
from rocsteady.errors import Option, UsageError
from rocsteady.inference.winner_map.axes import AlongAlerts, AlongCosts, AlongFpr, AlongTpr, Axis

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
        raise UsageError(
            "RS065",
            "a map over alerts needs the range of budgets.",
            "a budget is the share of all cases that may be called positive",
            Option("alerts", (0.01, 0.2)),
        )
    if over == "alerts" and np.ndim(np.asarray(given, dtype=object)) == 0:
        raise _one_budget(given)
    low, high = rate_range(over, given)
    if over == "alerts":
        own = AtAlarmRate(prevalence=prevalence or 0.0)
        return AlongAlerts(low, high, _chosen(over, method, own), prevalence)
    usual: Method = Vertical() if over == "fpr" else Horizontal()
    chosen = usual if method is None else method_of(method)
    return (AlongFpr if over == "fpr" else AlongTpr)(low, high, chosen)


def _one_budget(given: Any) -> UsageError:
    return UsageError(
        "RS042",
        "alerts must be a range of budgets, two shares.",
        f"found: {given!r:.60}",
        ("a range:  ", Option("alerts", (0.01, 0.2))),
        "a single budget:  compare(score_set, method=AtAlarmRate(prevalence=0.03), at={'rate': 0.01})",
    )


def _refuse_others(over: str, ranges: dict[str, Any], prevalence: float | None) -> None:
    """RS065 for a range of something else: it would be ignored without a word."""
    said = [name for name, value in ranges.items() if value is not None and name != over]
    if said:
        raise UsageError(
            "RS065",
            f"this map runs over {over}, and {said[0]} has nothing to do with it.",
            f"found: {said[0]}={ranges[said[0]]!r:.60}",
            ("a map of that:  ", Option("over", said[0])),
            f"or leave out  {said[0]}",
        )
    if prevalence is not None and over not in _NEEDS_PREVALENCE:
        raise UsageError(
            "RS065",
            f"a map over {over} does not depend on the prevalence.",
            f"found: prevalence={prevalence!r:.60}",
            "leave out  prevalence",
            ("or ask who is cheaper:  ", Option("over", "costs")),
        )


def _needed(over: str, prevalence: float | None) -> float:
    if prevalence is None:
        what = "an expected cost" if over == "costs" else "a number of alerts"
        problem = f"{what} depends on the prevalence where the models will be used."
        raise UsageError(
            "RS091", problem, f"found: over={over!r} and no prevalence", Option("prevalence", 0.03)
        )
    return open_share("prevalence", prevalence)


def _chosen(over: str, method: str | Method | None, own: Method) -> Method:
    """The average in which every group is tuned to what the map runs over, or one with a shared threshold."""
    chosen = own if method is None else method_of(method)
    if chosen != own and not isinstance(chosen, Threshold | Pooled):
        raise UsageError(
            "RS065",
            f"a map over {over} takes the {own.label} average, or one threshold for all.",
            f"found: method={method!r:.60}",
            "every group with a threshold of its own:  leave out  method",
            ("one for all:  ", Option("method", "threshold")),
            ("or ask over a rate:  ", Option("over", "fpr")),
        )
    return chosen


def _ratios(given: Any) -> tuple[float, float, float]:
    """The smallest and largest ratio, false negative to false positive, and what a false positive costs."""
    example = ("a range:  ", Option("costs", ((1, 2), (1, 20))))
    numbers = real_numbers("costs", given, example=((1, 2), (1, 20)))
    if numbers.shape != (2, 2):
        problem = "costs must be a range, two pairs (false_positive, false_negative)."
        raise UsageError("RS094", problem, f"found: {given!r:.60}", example)
    if not ((numbers > 0) & (numbers < float("inf"))).all():
        raise UsageError(
            "RS081",
            "in a range of ratios every cost must be above 0 and finite.",
            f"found: {given!r:.60}",
            example,
        )
    pairs = numbers[:, 0].tolist(), (numbers[:, 1] / numbers[:, 0]).tolist()
    low, high = sorted(pairs[1])
    if low == high:
        problem = "both ends of the range have the same ratio of costs."
        raise UsageError("RS094", problem, f"found: {given!r:.60}", example)
    return low, high, float(pairs[0][0])
