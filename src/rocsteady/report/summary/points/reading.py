"""What one model has at one operating point, however it was read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.averaging.bands import GroupPoints
from rocsteady.report.summary.points.between_thresholds import Between
from rocsteady.report.summary.points.places import expected, kind_of, value_of

if TYPE_CHECKING:
    from rocsteady.points.cutoff_intervals import CorrectedCutoff
    from rocsteady.report.summary.settings import Place
    from rocsteady.statistics.intervals import Interval

Limits = tuple[float, float]

UNKNOWN: Limits = (math.nan, math.nan)


@dataclass(frozen=True, eq=False)
class Reading:
    """One model at one place.

    Attributes
    ----------
    key : str
        The average it was read off.
    is_shared : bool
        Whether one threshold serves all groups.
    held : {"fpr", "tpr", ""}
        The rate that is met by design.
    threshold : float
        The shared one; NaN where every group has its own.
    threshold_limits : (float, float)
        The interval of the shared threshold, or the smallest and the largest of the groups' own.
    fpr, tpr : float
    fpr_limits, tpr_limits : (float, float)
        NaN for a rate that is held, and where nothing is known.
    is_frozen : bool
        Whether the limits are for this very threshold, and not for one that is found anew.
    corrected : CorrectedCutoff or None
        What a threshold that was chosen on these rows attains on new ones.
    cost : float
        Expected cost per case, where costs are the place.
    equal_error_rate : float
        Where equal errors are the place.
    groups : tuple of str
        The groups in the average.
    own : GroupPoints
        Where each of them stands: ``(n_groups, 1)`` arrays.
    between : Between or None
        Where no threshold has the rate that is held: the two that it lies between.
    is_coarse : bool
        Whether most groups have no threshold at their point, but one on either side of it.
    problem : str
        Why the place cannot be read here; all else is NaN then.
    """

    key: str
    is_shared: bool
    held: str = ""
    threshold: float = math.nan
    threshold_limits: Limits = UNKNOWN
    fpr: float = math.nan
    fpr_limits: Limits = UNKNOWN
    tpr: float = math.nan
    tpr_limits: Limits = UNKNOWN
    is_frozen: bool = False
    corrected: CorrectedCutoff | None = None
    cost: float = math.nan
    equal_error_rate: float = math.nan
    groups: tuple[str, ...] = ()
    own: GroupPoints | None = None
    between: Between | None = None
    is_coarse: bool = False
    problem: str = ""


def limits_of(interval: Interval | None) -> Limits:
    """Both ends of the interval of a rate, none beyond 0 and 1; NaN where there is none."""
    return UNKNOWN if interval is None else within_range(float(interval.low), float(interval.high))


def within_range(low: float, high: float) -> Limits:
    """Limits of a rate or an area, none beyond what it can be.

    >>> within_range(-0.1, 0.4), within_range(math.nan, math.nan)
    ((0.0, 0.4), (nan, nan))
    """
    first, last = (end if math.isnan(end) else min(max(end, 0.0), 1.0) for end in (low, high))
    return first, last


def around(threshold: float, anew: Any | None) -> Limits:
    """The interval of a threshold, which holds the one that is shown."""
    if anew is None:
        return UNKNOWN
    return min(float(anew.threshold.low), threshold), max(float(anew.threshold.high), threshold)


def cost_at(place: Place, prevalence: float, rates: dict[str, Any]) -> float:
    """Expected cost per case, where costs are the place; NaN elsewhere."""
    if kind_of(place) != "costs":
        return math.nan
    of_misses, of_alarms = expected(value_of(place), prevalence)
    return float(of_misses * (1 - rates["tpr"]) + of_alarms * rates["fpr"])
