"""Operating points of one model: what an average, or a single curve, has at each of them.

One threshold for all groups is read off a threshold or pooled average; with a threshold for every group each
place has an average of its own, the one that holds it. Of a single dataset the curve itself is read, and the
cases are what is random.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.group_points import GroupPoints, group_points
from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.operating_points.cutoffs.choosing import Cutoff, choose_cutoff
from rocsteady.operating_points.cutoffs.intervals import of_groups
from rocsteady.operating_points.cutoffs.two_by_two import table_at
from rocsteady.report.summary.point_places import (
    criterion_at,
    expected,
    kind_of,
    own_place,
    prevalence_of,
    shared_threshold,
    value_of,
)

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.settings import Place
    from rocsteady.uncertainty.intervals import Interval

Floats = NDArray[np.float64]
Limits = tuple[float, float]

UNKNOWN: Limits = (math.nan, math.nan)
_MANY_CASES, _FEWER_RESAMPLES = 20_000, 500
"""Resamples of so many cases take long, and so many of them lie close together."""
_EVERY_WARNING = "RS242"
"""Too few groups to be drawn again: said once. That a target nobody asked for is out of reach is a note."""


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
    cost : float
        Expected cost per case, where costs are the place.
    equal_error_rate : float
        Where equal errors are the place.
    groups : tuple of str
        The groups in the average.
    own : GroupPoints
        Where each of them stands: ``(n_groups, 1)`` arrays.
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
    cost: float = math.nan
    equal_error_rate: float = math.nan
    groups: tuple[str, ...] = ()
    own: GroupPoints | None = None
    problem: str = ""


def readings_on_rows(
    material: Material, places: Sequence[Place], name: str, key: str | None
) -> list[Reading]:
    """All places of one model: under one threshold, on the average ``key``, or, if None, under own ones."""
    if len(material.curves(name)) == 1:
        return [_of_curve(material, place, name) for place in places]
    if key is not None:
        return _shared(material, places, name, key)
    alone = [place for place in places if kind_of(place) == "threshold"]
    given = iter(_shared(material, alone, name, "threshold"))
    return [next(given) if place in alone else _own(material, place, name) for place in places]


def limits_of(interval: Interval | None) -> Limits:
    """Both ends of an interval; NaN where there is none."""
    return UNKNOWN if interval is None else (float(interval.low), float(interval.high))


def _at(limits: Any, index: int) -> Limits:
    return float(limits.low[index]), float(limits.high[index])


# One threshold for all groups


def _shared(material: Material, places: Sequence[Place], name: str, key: str) -> list[Reading]:
    if not places:
        return []
    average: Any = material.average(key, name)
    prevalence, _ = prevalence_of(material, name)
    at = np.array([shared_threshold(average, place, prevalence) for place in places])
    own = group_points(average, at)
    anew = _chosen_anew(material, average, places, prevalence)
    asked = _asked(material)
    found = []
    with material.catching():
        fixed = average.at(threshold=at, **asked)
        met = {kind: _rates_met(average, kind, places, asked) for kind in ("fpr", "tpr")}
    for i, place in enumerate(places):
        kind, value = kind_of(place), value_of(place)
        fields: dict[str, Any] = {"fpr": fixed.fpr[i], "tpr": fixed.tpr[i]}
        if kind in met:
            free = "tpr" if kind == "fpr" else "fpr"
            fields = {kind: value, free: met[kind][value][0], f"{free}_limits": met[kind][value][1]}
        elif anew[i] is not None:
            fields |= {"fpr_limits": limits_of(anew[i].fpr), "tpr_limits": limits_of(anew[i].tpr)}
        else:
            fields |= {"fpr_limits": _at(fixed.fpr_interval, i), "tpr_limits": _at(fixed.tpr_interval, i)}
        found.append(
            Reading(
                key=key,
                is_shared=True,
                held=kind if kind in met else "",
                threshold=float(at[i]),
                threshold_limits=_around(at[i], anew[i]),
                is_frozen=kind not in met and anew[i] is None,
                cost=_cost(place, prevalence, fields),
                equal_error_rate=average.equal_error_rate if kind == "eer" else math.nan,
                groups=average.members,
                own=GroupPoints(own.fpr[:, [i]], own.tpr[:, [i]], own.thresholds[:, [i]]),
                **{field: _plain(number) for field, number in fields.items()},
            )
        )
    return found


def _plain(number: Any) -> Any:
    return number if isinstance(number, tuple) else float(number)


def _asked(material: Material) -> dict[str, Any]:
    settings = material.settings
    return {
        "confidence_level": settings.confidence_level,
        "n_resamples": settings.n_resamples,
        "seed": settings.seed,
    }


def _rates_met(
    average: Any, kind: str, places: Sequence[Place], asked: dict[str, Any]
) -> dict[float, tuple[float, Limits]]:
    """The free rate where the other is met, with its interval: all places from the same resamples."""
    wanted = sorted({value_of(place) for place in places if kind_of(place) == kind})
    if not wanted:
        return {}
    point = average.at(**{kind: np.array(wanted)}, **asked)
    free = "tpr" if kind == "fpr" else "fpr"
    limits, values = getattr(point, f"{free}_interval"), getattr(point, free)
    return {each: (float(values[i]), _at(limits, i)) for i, each in enumerate(wanted)}


def _chosen_anew(material: Material, average: Any, places: Sequence[Place], prevalence: float) -> list[Any]:
    """Intervals of thresholds that are chosen anew in every resample; None where none is chosen."""
    chosen: dict[int, Cutoff] = {}
    if average.n_groups < 2:
        return [None] * len(places)
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        for i, place in enumerate(places):
            criterion = criterion_at(place, prevalence)
            if criterion is not None:
                chosen[i] = choose_cutoff(average, criterion)
        found = (
            dict(zip(chosen, of_groups(tuple(chosen.values()), **_asked(material)), strict=True))
            if (chosen)
            else {}
        )
    with material.catching():
        for each in met:
            if getattr(each.message, "code", _EVERY_WARNING) == _EVERY_WARNING:
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    return [found.get(i) for i in range(len(places))]


def _around(threshold: float, anew: Any | None) -> Limits:
    """The interval of a threshold, which holds the one that is shown."""
    if anew is None:
        return UNKNOWN
    return min(float(anew.threshold.low), threshold), max(float(anew.threshold.high), threshold)


def _cost(place: Place, prevalence: float, rates: dict[str, Any]) -> float:
    if kind_of(place) != "costs":
        return math.nan
    of_misses, of_alarms = expected(value_of(place), prevalence)
    return float(of_misses * (1 - rates["tpr"]) + of_alarms * rates["fpr"])


# A threshold for every group


def _own(material: Material, place: Place, name: str) -> Reading:
    prevalence, _ = prevalence_of(material, name)
    key, position = own_place(place, prevalence)
    problem = material.problem(key)
    if problem:
        return Reading(key, is_shared=False, problem=problem)
    average: Any = material.average(key, name)
    own = group_points(average, [position])
    kind, value = kind_of(place), value_of(place)
    level = material.settings.confidence_level
    with material.catching():
        if key == "radial":
            point = average.at_error_ratio(*value, confidence_level=level)
        elif key == "cost":
            costs = (1.0, 1.0) if kind == "youden" else value
            share = 0.5 if kind == "youden" else prevalence
            point = average.at_costs(
                false_positive=costs[0], false_negative=costs[1], prevalence=share, confidence_level=level
            )
        else:
            held = kind if kind in ("fpr", "tpr") else "rate"
            point = average.at(**{held: position}, confidence_level=level)
    return Reading(
        key=key,
        is_shared=False,
        held=kind if kind in ("fpr", "tpr") else "",
        threshold_limits=(float(own.thresholds.min()), float(own.thresholds.max())),
        fpr=float(point.fpr),
        fpr_limits=limits_of(point.fpr_interval),
        tpr=float(point.tpr),
        tpr_limits=limits_of(point.tpr_interval),
        cost=float(point.cost) if kind == "costs" else math.nan,
        equal_error_rate=float(point.fpr) if kind == "eer" else math.nan,
        groups=average.members,
        own=own,
    )


# A single curve


def _of_curve(material: Material, place: Place, name: str) -> Reading:
    curve = material.curves(name)[0]
    prevalence, _ = prevalence_of(material, name)
    threshold = shared_threshold(curve, place, prevalence)
    kind, level = kind_of(place), material.settings.confidence_level
    rates: Any = curve.rates_at(threshold)
    fpr, tpr, limits = float(rates.fpr), float(rates.tpr), (UNKNOWN, UNKNOWN)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        anew = _limits_of_choice(material, curve, place, prevalence)
        if kind == "fpr":
            fpr, tpr = value_of(place), float(curve.tpr_at(value_of(place)))
            limits = (UNKNOWN, limits_of(curve.tpr_interval(fpr, level)))
        elif kind == "tpr":
            fpr, tpr = float(curve.fpr_at(value_of(place))), value_of(place)
            limits = (limits_of(curve.fpr_interval(tpr, level)), UNKNOWN)
        elif anew is not None:
            limits = (limits_of(anew.fpr), limits_of(anew.tpr))
        else:
            limits = _of_shares(curve, threshold, level)
    at = (np.full((1, 1), number) for number in (fpr, tpr, threshold))
    return Reading(
        key="threshold",
        is_shared=True,
        held=kind if kind in ("fpr", "tpr") else "",
        threshold=threshold,
        threshold_limits=_around(threshold, anew),
        fpr=fpr,
        fpr_limits=limits[0],
        tpr=tpr,
        tpr_limits=limits[1],
        is_frozen=kind not in ("fpr", "tpr") and anew is None,
        cost=_cost(place, prevalence, {"fpr": fpr, "tpr": tpr}),
        equal_error_rate=curve.equal_error_rate if kind == "eer" else math.nan,
        groups=material.curves(name).names,
        own=GroupPoints(*at),
    )


def _limits_of_choice(material: Material, curve: Any, place: Place, prevalence: float) -> Any | None:
    criterion = criterion_at(place, prevalence)
    if criterion is None:
        return None
    settings = material.settings
    is_many = curve.thresholds.size > _MANY_CASES
    n_resamples = min(settings.n_resamples, _FEWER_RESAMPLES) if is_many else settings.n_resamples
    try:
        return choose_cutoff(curve, criterion).intervals(
            settings.confidence_level, n_resamples, settings.seed
        )
    except RocsteadyError:  # sums of weights cannot be drawn again
        return None


def _of_shares(curve: Any, threshold: float, level: float) -> tuple[Limits, Limits]:
    """Limits of both rates at a threshold that was given: shares of cases."""
    rule = ">=" if curve.higher_is_positive else "<="
    table = table_at(curve, threshold, rule, None, level, "wilson")
    if table.specificity_interval is None or table.sensitivity_interval is None:
        return UNKNOWN, UNKNOWN
    low, high = limits_of(table.specificity_interval)
    return (1 - high, 1 - low), limits_of(table.sensitivity_interval)
