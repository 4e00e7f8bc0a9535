"""Bands around every average: each point by itself, and the whole curve at once."""

from __future__ import annotations

from typing import Any

from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.curves.bands import Band
from rocsteady.curves.roc import RocCurve
from rocsteady.report.summary.material import Material

Bands = tuple[Band | None, Band | None]
"""Pointwise and simultaneous."""

_MANY_GROUPS, _MANY_CASES = 1000, 20_000
_EVERYWHERE = (0.0, 1.0)


def bands_of(material: Material, key: str, name: str) -> Bands:
    """The bands of one model's average over groups; of a single curve over cases."""
    curves, settings = material.curves(name), material.settings
    if len(curves) == 1:
        found: Bands = material.once(("bands", name), lambda: _of_one_curve(material, curves[0]))
        return found
    average, level = material.average(key, name), settings.confidence_level
    asked: dict[str, Any] = {"n_resamples": settings.n_resamples, "seed": settings.seed}
    pointwise = average.band(level, fpr=_EVERYWHERE, **asked)
    # Of very many groups the two lie close together, and the second takes long.
    is_wanted = average.n_groups <= _MANY_GROUPS or key == material.key
    if average.n_groups < FEWEST_GROUPS or not is_wanted:
        return pointwise, None
    return pointwise, average.band(level, "simultaneous", **asked)


def _of_one_curve(material: Material, curve: RocCurve) -> Bands:
    settings = material.settings
    pointwise: Any = curve.band(settings.confidence_level, fpr=_EVERYWHERE)
    if curve.is_weighted or curve.n_positives + curve.n_negatives > _MANY_CASES:
        return pointwise, None
    drawn: dict[str, Any] = {"n_resamples": settings.n_resamples, "seed": settings.seed}
    simultaneous: Any = curve.band(settings.confidence_level, "simultaneous", **drawn)
    return pointwise, simultaneous
