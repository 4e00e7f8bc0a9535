"""Operating points of a single dataset: its own curve is read, and the cases are what is random."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.base import GroupPoints
from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.points.cutoffs import choose_cutoff, table_at
from rocsteady.report.summary.points.between_thresholds import between
from rocsteady.report.summary.points.places import (
    criterion_at,
    kind_of,
    prevalence_of,
    shared_threshold,
    value_of,
)
from rocsteady.report.summary.points.reading import (
    UNKNOWN,
    Limits,
    Reading,
    around,
    cost_at,
    limits_of,
)

if TYPE_CHECKING:
    from rocsteady.points.cutoffs import CorrectedCutoff
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.settings import Place

_MANY_CASES, _FEWER_RESAMPLES = 20_000, 500
"""Cut-offs of so many cases are sure enough; to choose them anew 2000 times takes long."""


def reading_of_curve(material: Material, place: Place, name: str) -> Reading:
    """One place of one model on its only curve."""
    curve = material.curves(name)[0]
    prevalence, _ = prevalence_of(material, name)
    threshold = shared_threshold(curve, place, prevalence)
    kind, level = kind_of(place), material.settings.confidence_level
    rates: Any = curve.rates_at(threshold)
    fpr, tpr, limits = float(rates.fpr), float(rates.tpr), (UNKNOWN, UNKNOWN)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        anew, new = _of_choice(material, curve, place, prevalence)
        if kind == "fpr":
            fpr, tpr = value_of(place), float(curve.tpr_at(value_of(place)))
            limits = (UNKNOWN, _limits_where_held(curve.tpr_interval, fpr, level))
        elif kind == "tpr":
            fpr, tpr = float(curve.fpr_at(value_of(place))), value_of(place)
            limits = (_limits_where_held(curve.fpr_interval, tpr, level), UNKNOWN)
        elif new is not None:
            limits = (limits_of(new.fpr_interval), limits_of(new.tpr_interval))
        else:
            limits = _of_shares(curve, threshold, level)
    at = (np.full((1, 1), number) for number in (fpr, tpr, threshold))
    return Reading(
        key="threshold",
        is_shared=True,
        held=kind if kind in ("fpr", "tpr") else "",
        threshold=threshold,
        threshold_limits=around(threshold, anew),
        fpr=fpr,
        fpr_limits=limits[0],
        tpr=tpr,
        tpr_limits=limits[1],
        is_frozen=kind not in ("fpr", "tpr"),
        corrected=new,
        cost=cost_at(place, prevalence, {"fpr": fpr, "tpr": tpr}),
        equal_error_rate=curve.equal_error_rate if kind == "eer" else math.nan,
        groups=material.curves(name).names,
        own=GroupPoints(*at),
        between=between(curve, kind, fpr, tpr) if kind in ("fpr", "tpr") else None,
    )


def _limits_where_held(interval: Any, rate: float, level: float) -> Limits:
    """Limits of the free rate; none of weighted rows, which are no cases that could be counted."""
    try:
        return limits_of(interval(rate, level))
    except RocsteadyError:
        return UNKNOWN


def _of_choice(
    material: Material, curve: Any, place: Place, prevalence: float
) -> tuple[Any | None, CorrectedCutoff | None]:
    """The limits of a chosen threshold, and what it attains on new rows; nothing of one that was given."""
    criterion = criterion_at(place, prevalence)
    if criterion is None:
        return None, None
    settings = material.settings
    is_many = curve.thresholds.size > _MANY_CASES
    n_resamples = min(settings.n_resamples, _FEWER_RESAMPLES) if is_many else settings.n_resamples
    asked = settings.confidence_level, n_resamples, settings.seed
    try:
        cutoff = choose_cutoff(curve, criterion)
        return cutoff.intervals(*asked), cutoff.corrected(*asked)
    except RocsteadyError:  # sums of weights cannot be drawn again
        return None, None


def _of_shares(curve: Any, threshold: float, level: float) -> tuple[Limits, Limits]:
    """Limits of both rates at a threshold that was given: shares of cases."""
    rule = ">=" if curve.higher_is_positive else "<="
    table = table_at(curve, threshold, rule, None, level, "wilson")
    if table.specificity_interval is None or table.sensitivity_interval is None:
        return UNKNOWN, UNKNOWN
    low, high = limits_of(table.specificity_interval)
    return (1 - high, 1 - low), limits_of(table.sensitivity_interval)
