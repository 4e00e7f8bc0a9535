"""Where an average, and every single group of it, stands at the declared point; no interval is made here."""

from __future__ import annotations

import math
from typing import Any

from rocsteady.advice.readings import least_costs
from rocsteady.averaging.base import Average, GroupPoints
from rocsteady.report.summary.comparing.given import given_reading, is_given
from rocsteady.report.summary.comparing.setting import Setting
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.points.places import own_place, prevalence_of, shared_threshold
from rocsteady.report.summary.points.readings import readings_on_rows


def shared_threshold_of(material: Material, key: str, name: str, average: Average | None = None) -> float:
    """The one threshold of a model at the declared point; on other groups than its own, found there."""
    if average is None and is_given(material):
        return given_reading(material, name).threshold
    prevalence, _ = prevalence_of(material, name)
    own = material.average(key, name) if average is None else average
    return shared_threshold(own, material.declared_place, prevalence)


def _groups_at(material: Material, setting: Setting, name: str) -> tuple[tuple[str, ...], GroupPoints | None]:
    """The groups that are read, and the point of each there."""
    if setting.is_given:
        given = given_reading(material, name)
        return given.groups, given.own
    if setting.is_shared:
        reading = readings_on_rows(material, [material.declared_place], name, setting.key)[0]
        return reading.groups, reading.own
    average: Any
    prevalence, _ = prevalence_of(material, name)
    key, position = own_place(material.declared_place, prevalence)
    average = material.average(key, name)
    return average.members, average.group_points([position])


def group_values(material: Material, setting: Setting, kind: str, name: str) -> dict[str, float]:
    """What every group has by itself of what models are compared by."""
    if kind == "auc":
        curves = material.curves(name)
        return dict(zip(curves.names, curves.auc.tolist(), strict=True))
    if kind == "cost" and setting.place is not None and setting.place.costs is not None:
        average = material.average(setting.key, name)
        costs = least_costs(average, *setting.place.costs.expected)
        return dict(zip(average.members, costs.tolist(), strict=True))
    members, points = _groups_at(material, setting, name)
    if points is None:
        return {}
    rates = (points.tpr if kind == "tpr" else points.fpr)[:, 0].tolist()
    found = zip(members, rates, strict=True)
    return {group: rate for group, rate in found if not math.isnan(rate)}


def rates_at(material: Material, setting: Setting, name: str) -> tuple[float, float]:
    """Both rates of a model at thresholds that stay, or of one dataset at its threshold."""
    if setting.is_given:
        given = given_reading(material, name)
        return given.fpr, given.tpr
    threshold = setting.place.threshold if setting.place is not None else None
    assert threshold is not None
    of: Any = material.average(setting.key, name) if not material.is_alone else material.curves(name)[0]
    rates = of.rates_at(threshold)
    return float(rates.fpr), float(rates.tpr)
