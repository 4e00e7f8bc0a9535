"""Operating points as places on a curve: which threshold, or which average, each of them means."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import RocsteadyWarning
from rocsteady.points.criteria import Criterion, MinimumCost, TargetRate, criterion_of
from rocsteady.points.cutoffs import choose_cutoff
from rocsteady.report.summary.points.between_thresholds import used_vertex

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.settings import Place

_TOLERANCE = 1e-12
_USUAL: tuple[Place, ...] = ({"fpr": 0.01}, {"fpr": 0.05}, {"fpr": 0.1}, "youden", {"tpr": 0.9})
_BIOMETRIC: tuple[Place, ...] = ({"fpr": 0.01}, {"fpr": 0.001}, {"fpr": 0.0001}, "eer")
_ORDER = ("fpr", "youden", "eer", "tpr", "balance", "ratio", "alerts", "costs", "threshold")
_OF_RATES = {"fpr": "vertical", "tpr": "horizontal", "alerts": "alerts"}


def kind_of(place: Place) -> str:
    """What a place is: "fpr", "threshold", "youden"."""
    return place if isinstance(place, str) else next(iter(place))


def value_of(place: Place) -> Any:
    """Where it is; nothing for a place that has only a name."""
    return None if isinstance(place, str) else next(iter(place.values()))


def prevalence_of(material: Material, name: str) -> tuple[float, bool]:
    """The share of positives that costs are for, and whether it was said; else that of the rows."""
    deployment = material.deployment
    if deployment is not None and deployment.prevalence is not None:
        return deployment.prevalence, True
    return float(material.once(("share of positives", name), lambda: _share_of_rows(material, name))), False


def _share_of_rows(material: Material, name: str) -> float:
    """The share of positives among the rows of an average, by their weights."""
    own = material.of_model(name)
    columns = own.columns
    weights = np.ones(columns.n_rows) if columns.weights is None else columns.weights
    is_used = own.has_curve | (material.declared_key == "pooled")  # groups with one class are in no other
    counted = np.where(np.repeat(is_used, np.diff(columns.offsets)), weights, 0.0)
    return float(counted[columns.labels == columns.positive].sum() / max(counted.sum(), np.finfo(float).tiny))


def criterion_at(place: Place, prevalence: float) -> Criterion | None:
    """What a threshold is chosen for, where the place is such an aim."""
    kind, value = kind_of(place), value_of(place)
    if kind in ("fpr", "tpr"):
        return TargetRate(**{kind: value})
    if kind in ("youden", "eer"):
        return criterion_of(kind)
    if kind == "costs":
        return MinimumCost(false_positive=value[0], false_negative=value[1], prevalence=prevalence)
    return None


def shared_threshold(curve: Any, place: Place, prevalence: float) -> float:
    """The one threshold for a place, on an average of groups that share one or on a single curve.

    The loosest that does not go beyond what is to be met; where that is the TPR, the strictest that
    reaches it.
    """
    kind, value = kind_of(place), value_of(place)
    if kind == "threshold":
        return float(value)
    fpr, tpr = curve.fpr, curve.tpr
    if kind in ("youden", "costs", "eer"):
        criterion = criterion_at(place, prevalence)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocsteadyWarning)
            return float(choose_cutoff(curve, criterion).threshold)
    if kind in ("fpr", "tpr"):
        point = (value, curve.tpr_at(value)) if kind == "fpr" else (curve.fpr_at(value), value)
        return float(curve.thresholds[used_vertex(curve, kind, *point)])
    if kind == "alerts":
        along, target = (1 - prevalence) * fpr + prevalence * tpr, value
    elif kind == "balance":
        along, target = fpr + tpr, 1 + value
    else:  # fpr : fnr = a : b
        along, target = value[1] * fpr + value[0] * tpr, value[0]
    vertex = int(np.searchsorted(along, target + _TOLERANCE, side="right")) - 1
    return float(curve.thresholds[max(vertex, 0)])


def own_place(place: Place, prevalence: float) -> tuple[str, float]:
    """The average whose groups all have this place in common, and its position there."""
    kind, value = kind_of(place), value_of(place)
    if kind in ("eer", "balance"):
        return "diagonal", (1 + (value or 0.0)) / 2
    if kind == "ratio":
        return "radial", value[0] / (value[0] + value[1])
    if kind in ("costs", "youden"):
        of_misses, of_alarms = (1.0, 1.0) if kind == "youden" else expected(value, prevalence)
        return "cost", of_misses / (of_misses + of_alarms)
    return _OF_RATES[kind], float(value)


def expected(costs: tuple[float, float], prevalence: float) -> tuple[float, float]:
    """Expected cost of missing every positive, and of a false alarm on every negative."""
    return prevalence * costs[1], (1 - prevalence) * costs[0]


def wanted_places(material: Material) -> tuple[Place, ...]:
    """The usual places, the declared one and those that were asked for, each once, by what is held."""
    usual = _BIOMETRIC if material.settings.words == "biometric" else _USUAL
    found: list[Place] = [*usual, *(material.settings.at)]
    if material.place_is_declared or material.deployment is not None:  # else the example is among the usual
        found.append(material.declared_place)
    once = [place for i, place in enumerate(found) if place not in found[:i]]
    return tuple(sorted(once, key=_order(-1 if usual is _BIOMETRIC else 1)))


def _order(sign: int) -> Callable[[Place], tuple[int, float]]:
    """By what is held, rising; biometrics goes from the frequent error to the rare one."""

    def key(place: Place) -> tuple[int, float]:
        value = value_of(place)
        return _ORDER.index(kind_of(place)), sign * float(value) if isinstance(value, float) else 0.0

    return key
