"""Which plan is made for a report, and which interval of the page it starts from."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rocsteady.advice.deployment import Line
from rocsteady.planning.groups import Plan, plan_given_thresholds, plan_shared_budget
from rocsteady.planning.plan import plan
from rocsteady.report.summary.answer.values import area_of, read_value, reading_of
from rocsteady.report.summary.comparing.at_point import compared_at
from rocsteady.report.summary.comparing.comparison import ComparisonPart
from rocsteady.report.summary.comparing.given import given_reading, is_given
from rocsteady.report.summary.comparing.measure import Measure, line_of
from rocsteady.report.summary.comparing.setting import Setting, setting_of
from rocsteady.report.summary.material import SHARED_KEYS, Material
from rocsteady.scores.score_set import ScoreSet

POWER = 0.8
_MANY_GROUPS = 1000
"""Of more, variances are taken from a random sample of so many."""


def planned(material: Material, rows: ScoreSet, place: Line | None, models: tuple[str, ...]) -> Plan:
    """For the declared reading where a plan for it is known, else for the AUC."""
    level = material.settings.confidence_level
    pair = (models[0], models[1]) if len(models) == 2 else None
    given = rows if pair is not None or len(rows.models) < 2 else rows.model(models[0])
    at = None if place is None else {place.held: place.target}
    key = material.declared_key
    if is_given(material):
        return _planned_at_given(material, given, pair)
    if at is not None and not material.is_alone and key in SHARED_KEYS:
        return plan_shared_budget(given, at, method=key, models=pair, power=POWER, confidence_level=level)
    found: Plan = plan(
        given,
        measure=at or "auc",
        models=pair,
        power=POWER,
        confidence_level=level,
        undefined="drop",
        unmatched="drop",
    )
    return found


def _planned_at_given(material: Material, rows: ScoreSet, pair: tuple[str, str] | None) -> Plan:
    """For the rate that the declared point leaves free, at thresholds that other rows gave."""
    thresholds = {}
    for name in pair or material.names[:1]:
        read = given_reading(material, name)
        if read.own is None:
            thresholds[name] = dict.fromkeys(rows.groups, read.threshold)
        else:
            thresholds[name] = dict(zip(read.groups, read.own.thresholds[:, 0].tolist(), strict=True))
    return plan_given_thresholds(
        rows,
        thresholds,
        given_rate(material),
        method="pooled" if material.declared_key == "pooled" else "threshold",
        models=pair,
        power=POWER,
        confidence_level=material.settings.confidence_level,
    )


def given_rate(material: Material) -> str:
    """The rate that is planned for at thresholds of other rows: the one that the point leaves free."""
    place = line_of(material)
    return "fpr" if place is not None and place.held == "tpr" else "tpr"


def width_now(
    material: Material, comparison: ComparisonPart | None, measure: Measure, models: tuple[str, ...]
) -> float:
    """The half-width that the page has of the same number, from which all designs start; NaN for none."""
    if len(models) == 1:
        setting = setting_of(material, line_of(material))
        if setting.is_given:
            _, low, high = read_value(given_reading(material, models[0]), measure)
        elif measure.kind == "auc":
            _, low, high = area_of(material, replace(setting, key="vertical"), models[0])
        else:
            _, low, high = read_value(reading_of(material, setting, models[0]), measure)
        return (high - low) / 2
    assert comparison is not None
    pair = next(
        (own for own in comparison.pairs if own.measure == measure and (own.a, own.b) == models), None
    )
    if pair is not None:
        gap, low, high = pair.difference, pair.low, pair.high
    elif measure.kind == "auc":
        areas = Setting("vertical", None, setting_of(material, None).test_train_ratio)
        found = compared_at(material, areas, models[0], models[1], None).differences[0]
        gap, low, high = found.difference, found.interval.low, found.interval.high
    else:
        return math.nan
    return _half_of(gap, low, high, measure)


def _half_of(gap: float, low: float, high: float, measure: Measure) -> float:
    """Half an interval; of one that was cut at what there can be its longer side, NaN if at both ends."""
    is_cut = [measure.kind != "cost" and low <= -1, measure.kind != "cost" and high >= 1]
    if all(is_cut):
        return math.nan
    return max(gap - low, high - gap) if any(is_cut) else (high - low) / 2


def planned_place(material: Material) -> Line | None:
    """Where the number is read that is planned for: a rate where the other is held; None for the AUC."""
    place = line_of(material)
    if place is None or place.held not in ("fpr", "tpr") or is_given(material):
        return None
    return place if material.is_alone or material.deployment is not None else None


def sampled(material: Material) -> tuple[ScoreSet, int | None]:
    """The rows, or of very many groups a random part; and how many groups there are if it is a part."""
    rows = material.score_set
    n = len(rows.groups)
    if n <= _MANY_GROUPS:
        return rows, None
    rng = np.random.default_rng(material.settings.seed)
    return rows.take(np.sort(rng.choice(n, _MANY_GROUPS, replace=False))), n
