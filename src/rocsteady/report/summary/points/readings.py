"""Operating points of one model: what an average, or a single curve, has at each of them.

One threshold for all groups is read off a threshold or pooled average; with a threshold for every group each
place has an average of its own, the one that holds it. Of a single dataset the curve itself is read, and the
cases are what is random.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.base import FEWEST_GROUPS, GroupPoints
from rocsteady.errors import RocsteadyWarning
from rocsteady.points.cutoffs import (
    CorrectedCutoff,
    Cutoff,
    choose_cutoff,
    corrected_together,
    intervals_together,
)
from rocsteady.report.summary.points.between_thresholds import Between, between
from rocsteady.report.summary.points.of_one_curve import reading_of_curve
from rocsteady.report.summary.points.places import (
    criterion_at,
    kind_of,
    own_place,
    prevalence_of,
    shared_threshold,
    value_of,
    wanted_places,
)
from rocsteady.report.summary.points.reading import (
    UNKNOWN,
    Limits,
    around,
    at_own_thresholds,
    cost_at,
    limits_of,
    within_range,
)
from rocsteady.report.summary.points.reading import Reading as Reading  # noqa: PLC0414 - what they are
from rocsteady.report.summary.reader_study import rate_limits

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.settings import Place

_MANY_GROUPS, _FEWER_RESAMPLES = 200, 500
"""Cut-offs of so many groups are sure enough; to choose them anew 2000 times takes long."""
_COARSE = 0.02
"""How far off the median group may be."""
_COARSE_SHARE = 0.1
"""How far off an error rate may be, as a share of itself."""


def readings_on_rows(
    material: Material, places: Sequence[Place], name: str, key: str | None
) -> list[Reading]:
    """All places of one model: under one threshold, on the average ``key``, or, if None, under own ones.

    Whoever asks first has those of the report read with them: they share resamples, and are kept.
    """
    kept: dict[Any, Reading] = material.once(("readings", str(key), name), dict)
    missing = [place for place in places if _known_as(place) not in kept]
    if missing and any(kind_of(place) != "threshold" for place in missing):
        others = [place for place in wanted_places(material) if place not in missing]
        missing += [place for place in others if _known_as(place) not in kept]
    found = _readings(material, missing, name, key) if missing else []
    kept.update(zip(map(_known_as, missing), found, strict=True))
    return [kept[_known_as(place)] for place in places]


def _known_as(place: Place) -> tuple[str, Any]:
    return kind_of(place), value_of(place)


def _readings(material: Material, places: Sequence[Place], name: str, key: str | None) -> list[Reading]:
    if len(material.curves(name)) == 1:
        return [reading_of_curve(material, place, name) for place in places]
    if key is not None:
        return _shared(material, places, name, key)
    alone = [place for place in places if kind_of(place) == "threshold"]
    given = iter(_shared(material, alone, name, "threshold"))
    return [next(given) if place in alone else _own(material, place, name) for place in places]


def _at(limits: Any, index: int) -> Limits:
    return within_range(float(limits.low[index]), float(limits.high[index]))


# One threshold for all groups


def _shared(material: Material, places: Sequence[Place], name: str, key: str) -> list[Reading]:
    if not places:
        return []
    average: Any = material.average(key, name)
    prevalence, _ = prevalence_of(material, name)
    chosen = _chosen(average, places, prevalence)
    at = np.array([_threshold(average, place, prevalence, chosen.get(i)) for i, place in enumerate(places)])
    own = average.group_points(at)
    anew = _chosen_anew(material, average, chosen)
    attained = _corrected(material, average, chosen)
    found = []
    with material.catching():
        warnings.filterwarnings("ignore", "RS210")  # most rows are places that nobody asked for
        fixed = average.at(threshold=at, **_asked(material))
        met = {kind: _rates_met(material, average, kind, places) for kind in ("fpr", "tpr")}
    for i, place in enumerate(places):
        kind, again, new = kind_of(place), anew.get(i), attained.get(i)
        if kind in met:
            fields = _fields_where_met(kind, value_of(place), met, again)
        else:
            fields = {name: float(getattr(fixed, name)[i]) for name in ("fpr", "tpr")}
            limits = [_at(each, i) for each in (fixed.fpr_interval, fixed.tpr_interval)]
            if new is not None:
                limits = [limits_of(new.fpr_interval), limits_of(new.tpr_interval)]
            fields |= {"fpr_limits": limits[0], "tpr_limits": limits[1]}
        apart = between(average, kind, fields["fpr"], fields["tpr"]) if kind in met else None
        found.append(
            Reading(
                key=key,
                is_shared=True,
                held=kind if kind in met else "",
                threshold=float(at[i]),
                threshold_limits=around(at[i], again),
                is_frozen=kind not in met,
                corrected=new,
                cost=cost_at(place, prevalence, fields),
                equal_error_rate=average.equal_error_rate if kind == "eer" else math.nan,
                groups=average.members,
                own=_groups_at(average, apart, fields, own, i),
                between=apart,
                **fields,
            )
        )
    return found


def _groups_at(
    average: Any, apart: Between | None, fields: dict[str, Any], own: GroupPoints, index: int
) -> GroupPoints:
    """Where single groups stand: at the threshold, or as often on either side of it as the average is."""
    at = GroupPoints(own.fpr[:, [index]], own.tpr[:, [index]], own.thresholds[:, [index]])
    if apart is None:
        return at
    ends = average.group_points([apart.strict, apart.loose])
    share = apart.share(fields["fpr"], fields["tpr"])
    fpr, tpr = ((1 - share) * rates[:, [0]] + share * rates[:, [1]] for rates in (ends.fpr, ends.tpr))
    return replace(at, fpr=fpr, tpr=tpr)


def _fields_where_met(held: str, rate: float, met: Any, again: Any | None) -> dict[str, Any]:
    """Both rates where one is met, and the limits of the other."""
    free = "tpr" if held == "fpr" else "fpr"
    number, limits = met[held][rate]
    if limits is None:
        limits = limits_of(getattr(again, free))
    return {held: rate, free: number, f"{free}_limits": limits}


def _asked(material: Material) -> dict[str, Any]:
    return {"confidence_level": material.settings.confidence_level}


def _drawn(material: Material, n_groups: int) -> dict[str, Any]:
    return {"n_resamples": resamples_of_cutoffs(material, n_groups), "seed": material.settings.seed}


def _rates_met(
    material: Material, average: Any, kind: str, places: Sequence[Place]
) -> dict[float, tuple[float, Limits | None]]:
    """The free rate where the other is met, with its interval."""
    wanted = sorted({value_of(place) for place in places if kind_of(place) == kind})
    free = "tpr" if kind == "fpr" else "fpr"
    if not wanted:
        return {}
    point = average.at(**{kind: np.array(wanted)}, **_asked(material))
    limits = getattr(point, f"{free}_interval")
    return {each: (float(getattr(point, free)[i]), _at(limits, i)) for i, each in enumerate(wanted)}


def _chosen(average: Any, places: Sequence[Place], prevalence: float) -> dict[int, Cutoff]:
    """The cut-offs of the places that are aims, by their number."""
    aims = {i: criterion_at(place, prevalence) for i, place in enumerate(places)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        return {i: choose_cutoff(average, aim) for i, aim in aims.items() if aim is not None}


def _threshold(average: Any, place: Place, prevalence: float, chosen: Cutoff | None) -> float:
    """The threshold that is shown; of rates that are met it is the loosest one, not the first of the best."""
    if chosen is not None and kind_of(place) not in ("fpr", "tpr"):
        return chosen.threshold
    return shared_threshold(average, place, prevalence)


def _chosen_anew(material: Material, average: Any, chosen: dict[int, Cutoff]) -> dict[int, Any]:
    """Intervals of thresholds that are chosen anew in every resample; none of too few groups."""
    if average.n_groups < FEWEST_GROUPS or not chosen:
        return {}
    asked = _asked(material) | _drawn(material, average.n_groups)
    with warnings.catch_warnings():  # that a target nobody asked for is out of reach is a note of its row
        warnings.simplefilter("ignore", RocsteadyWarning)
        found = intervals_together(tuple(chosen.values()), **asked)
    return dict(zip(chosen, found, strict=True))


def _corrected(material: Material, average: Any, chosen: dict[int, Cutoff]) -> dict[int, CorrectedCutoff]:
    """What chosen thresholds attain on new rows, from the same resamples; none of a single group."""
    if average.n_groups < 2 or not chosen:
        return {}
    asked = _asked(material) | _drawn(material, average.n_groups)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        return dict(zip(chosen, corrected_together(tuple(chosen.values()), **asked), strict=True))


def resamples_of_cutoffs(material: Material, n_groups: int) -> int:
    """How often groups are drawn again to choose thresholds anew."""
    n_resamples = material.settings.n_resamples
    return n_resamples if n_groups <= _MANY_GROUPS else min(n_resamples, _FEWER_RESAMPLES)


# A threshold for every group


def _own(material: Material, place: Place, name: str) -> Reading:
    prevalence, _ = prevalence_of(material, name)
    key, position = own_place(place, prevalence)
    problem = material.problem(key)
    if problem:
        return Reading(key, is_shared=False, problem=problem)
    average: Any = material.average(key, name)
    own = average.group_points([position])
    kind, value = kind_of(place), value_of(place)
    level = material.settings.confidence_level
    limits = rate_limits(material, key, name, [position])
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
            held = kind if kind in ("fpr", "tpr") else "alerts"
            point = average.at(**{held: position}, confidence_level=level)
    fpr_limits, tpr_limits = limits_of(point.fpr_interval), limits_of(point.tpr_interval)
    if limits is not None:  # readers and cases are random
        both = within_range(float(limits[0][0]), float(limits[1][0]))
        fpr_limits, tpr_limits = (UNKNOWN, both) if kind == "fpr" else (both, UNKNOWN)
    return Reading(
        key=key,
        is_shared=False,
        held=kind if kind in ("fpr", "tpr") else "",
        threshold_limits=(float(own.thresholds.min()), float(own.thresholds.max())),
        fpr=float(point.fpr),
        fpr_limits=fpr_limits,
        tpr=float(point.tpr),
        tpr_limits=tpr_limits,
        cost=float(point.cost) if kind == "costs" else math.nan,
        equal_error_rate=float(point.fpr) if kind == "eer" else math.nan,
        groups=average.members,
        own=own,
        is_coarse=_is_coarse(average, point, own, kind),
    )


def _is_coarse(average: Any, point: Any, own: GroupPoints, held: str) -> bool:
    """Whether points lie between thresholds: by points for most groups, or by a tenth of an error rate.

    Error rates of few per cent are off by much of themselves where they are off by little.
    """
    found = at_own_thresholds(average, own.thresholds[:, 0])
    names = [{"fpr": "tpr", "tpr": "fpr"}[held]] if held in ("fpr", "tpr") else ["fpr", "tpr"]
    gaps = [np.abs(getattr(found.points, name) - getattr(own, name)) for name in names]
    if np.median(np.maximum.reduce(gaps)) > _COARSE:
        return True
    errors = {"fpr": (point.fpr, found.fpr), "tpr": (1 - point.tpr, 1 - found.tpr)}
    return any(abs(at - shown) > _COARSE_SHARE * shown for shown, at in map(errors.__getitem__, names))
