"""Bands around every average: each point by itself, and the whole curve at once."""

from __future__ import annotations

from typing import Any

from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.curves.intervals import Band
from rocsteady.curves.roc import RocCurve
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.reader_study import curve_of_all

Bands = tuple[Band | None, Band | None]
"""Pointwise and simultaneous."""

MANY_CASES = 20_000
"""Of a single curve: drawing so many again takes long."""
_MANY_GROUPS = 1000
_EVERYWHERE = (0.0, 1.0)


def bands_of(material: Material, key: str, name: str) -> Bands:
    """The bands of one model's average over groups; of a single curve over cases."""
    curves, settings = material.curves(name), material.settings
    if len(curves) == 1:
        found: Bands = material.once(("bands", name), lambda: _of_one_curve(material, curves[0]))
        return found
    average, level = material.average(key, name), settings.confidence_level
    of_readers = curve_of_all(material, key, name)
    if of_readers is not None:  # cases are random, too; nobody knows a band for the whole curve then
        return of_readers.band(level), None
    asked: dict[str, Any] = {"n_resamples": settings.n_resamples, "seed": settings.seed}
    pointwise = average.band(level, fpr=_EVERYWHERE, **asked)
    # Of very many groups the two lie close together, and the second takes long.
    is_wanted = average.n_groups <= _MANY_GROUPS or key == material.key
    if average.n_groups < FEWEST_GROUPS or not is_wanted:
        return pointwise, None
    return pointwise, average.band(level, "simultaneous", **asked)


def _of_one_curve(material: Material, curve: RocCurve) -> Bands:
    settings = material.settings
    level, is_many = settings.confidence_level, curve.thresholds.size > MANY_CASES
    drawn: dict[str, Any] = {"n_resamples": settings.n_resamples, "seed": settings.seed}
    pointwise: Any = None
    if not curve.is_weighted:
        pointwise = curve.band(level, fpr=_EVERYWHERE)
    elif not is_many:  # formulas count cases, which sums of weights are not
        pointwise = curve.band(level, method="bootstrap", fpr=_EVERYWHERE, **drawn)
    simultaneous: Any = None if is_many else curve.band(level, "simultaneous", **drawn)
    return pointwise, simultaneous
