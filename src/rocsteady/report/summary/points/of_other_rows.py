"""Operating points whose thresholds were found on other rows, so that nothing flatters them on these."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import fail, warn
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.points.places import kind_of, own_place, prevalence_of, shared_threshold
from rocsteady.report.summary.points.reading import Reading, at_own_thresholds, limits_of
from rocsteady.report.summary.points.readings import readings_on_rows

if TYPE_CHECKING:
    from rocsteady.report.summary.settings import Place


def elsewhere_of(material: Material) -> Material | None:
    """The rows that thresholds are found on, used as these are; None where thresholds come from these."""
    found: Material | None = material.once(("elsewhere",), lambda: _elsewhere(material))
    return found


def material_elsewhere(material: Material) -> Material:
    """The same where it is known that there are such rows."""
    found = elsewhere_of(material)
    assert found is not None
    return found


def given_threshold(material: Material, name: str, key: str = "threshold") -> float | None:
    """The shared threshold for the declared place that the other rows gave; None where there are none."""
    found = given_thresholds(material, [material.declared_place], name, key)
    return None if found is None else found[0]


def given_thresholds(
    material: Material, places: Sequence[Place], name: str, key: str | None
) -> list[float] | None:
    """The same for several places."""
    other = elsewhere_of(material)
    return None if other is None else _given(material, other, places, name, key)


def _given(
    material: Material, other: Material, places: Sequence[Place], name: str, key: str | None
) -> list[float]:
    """One threshold for every place, found on the other rows."""
    prevalence, _ = prevalence_of(material, name)
    curve = _shared_curve(other, name, key)
    return [shared_threshold(curve, place, prevalence) for place in places]


def _shared_curve(other: Material, name: str, key: str | None) -> Any:
    """The curve of the other rows that one threshold is found on."""
    theirs = _theirs(other, name)
    if len(other.curves(theirs)) > 1:
        return other.average(key or "threshold", theirs)
    return other.curves(theirs)[0]


def _theirs(other: Material, name: str) -> str:
    return name if len(other.names) > 1 else other.names[0]


def _elsewhere(material: Material) -> Material | None:
    other = material.settings.cutoff_from
    if other is None:
        return None
    missing = [name for name in material.names if name and name not in other.models]
    if missing and len(material.names) > 1:
        raise fail("RS002.models-elsewhere", missing=missing)
    settings = replace(material.settings, cutoff_from=None, progress=None)
    return Material(other, material.deployment, settings)


def readings_elsewhere(
    material: Material, other: Material, places: Sequence[Place], name: str, key: str | None
) -> list[Reading]:
    """For every place what the thresholds of the other rows do on these."""
    if key is None and len(material.curves(name)) > 1:
        theirs = _theirs(other, name)
        return [_own(material, other, place, name, theirs) for place in places]
    given: list[Place] = [{"threshold": at} for at in _given(material, other, places, name, key)]
    return readings_on_rows(material, given, name, key)


def promised_rates(other: Material, here: Reading, name: str) -> tuple[float, float]:
    """The FPR and the TPR that the thresholds in use have on the rows that they were found on."""
    if here.problem or here.own is None:
        return math.nan, math.nan
    if here.is_shared:
        rates = _shared_curve(other, name, here.key).rates_at(here.threshold)
        return float(rates.fpr), float(rates.tpr)
    average = other.average(here.key, _theirs(other, name))
    by_name = dict(zip(here.groups, here.own.thresholds[:, 0].tolist(), strict=True))
    found = at_own_thresholds(average, [by_name.get(group, math.nan) for group in average.members])
    return found.fpr, found.tpr


def _own(material: Material, other: Material, place: Place, name: str, theirs: str) -> Reading:
    """Every group with the threshold that its namesake found."""
    if kind_of(place) == "threshold":
        return readings_on_rows(material, [place], name, "threshold")[0]
    prevalence, _ = prevalence_of(material, name)
    key, position = own_place(place, prevalence)
    problem = material.problem(key)
    if problem:
        return Reading(key, is_shared=False, problem=problem)
    average, elsewhere = material.average(key, name), other.average(key, theirs)
    found = elsewhere.group_points([position]).thresholds[:, 0]
    by_name = dict(zip(elsewhere.members, found.tolist(), strict=True))
    at = np.array([by_name.get(group, math.nan) for group in average.members])
    if np.isnan(at).all():
        raise fail("RS002.groups-elsewhere", units=material.wording.units, groups=elsewhere.members)
    _warn_of_missing(material, name, [average.members[i] for i in np.flatnonzero(np.isnan(at)).tolist()])
    rates = at_own_thresholds(average, at, confidence_level=material.settings.confidence_level)
    return Reading(
        key=key,
        is_shared=False,
        threshold_limits=(float(np.nanmin(at)), float(np.nanmax(at))),
        fpr=rates.fpr,
        fpr_limits=limits_of(rates.fpr_interval),
        tpr=rates.tpr,
        tpr_limits=limits_of(rates.tpr_interval),
        is_frozen=True,
        groups=average.members,
        own=rates.points,
    )


def _warn_of_missing(material: Material, name: str, missing: Sequence[str]) -> None:
    """RS254 for groups that the other rows gave no threshold."""
    if not missing:
        return
    with material.catching():
        warn(
            "RS254.elsewhere",
            n=len(missing),
            n_groups=len(material.curves(name)),
            unit=material.unit,
            model=name if len(material.names) > 1 else None,
            missing=missing,
            cutoff=material.wording.cutoff_word,
            units=material.wording.units,
        )
