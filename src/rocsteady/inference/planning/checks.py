"""Whether groups are large enough to plan from."""

from __future__ import annotations

import math

import numpy as np

from rocsteady.curves.measures import FprAt, TprAt
from rocsteady.errors import fail, warn
from rocsteady.inference.planning.given import Groups
from rocsteady.inference.planning.group_readings import GroupReadings
from rocsteady.inference.planning.measures import Measure
from rocsteady.words import listed

_FEWEST_BEYOND = 5


def warn_of_fineness(groups: Groups, measure: Measure) -> None:
    """RS292 if a handful of cases set the threshold."""
    statistic = measure.statistic
    if not isinstance(statistic, TprAt | FprAt):
        return
    is_fpr = isinstance(statistic, TprAt)
    rate = statistic.fpr if isinstance(statistic, TprAt) else statistic.tpr
    sizes, word = (groups.n_negatives, "negatives") if is_fpr else (groups.n_positives, "positives")
    beyond = float(np.median(sizes)) * min(rate, 1 - rate)
    if beyond < _FEWEST_BEYOND:
        is_end = not 0 < rate < 1
        warn(
            "RS292.beyond",
            measure=measure.label,
            n=float(np.median(sizes)),
            cases=word,
            beyond=beyond,
            unit=None if groups.is_one else groups.unit,
            needed=None if is_end else math.ceil(_FEWEST_BEYOND / min(rate, 1 - rate)),
            is_end=is_end,
        )


def warn_of_ends(groups: Groups, found: GroupReadings, measure: Measure) -> None:
    """RS292 if most groups read exactly 0 or 1, where no case shows any luck."""
    at_end = (found.variances == 0) & ((found.values == 0) | (found.values == 1))
    if groups.is_one:
        _warn_of_end(found, measure)
    elif not groups.models and at_end.mean() > 0.5:
        warn("RS292.ends", measure=measure.label, unit=groups.unit, n=int(at_end.sum()), n_groups=at_end.size)


def _warn_of_end(found: GroupReadings, measure: Measure) -> None:
    """The same of a single dataset; of two models too, since both may be perfect."""
    at_end = [mean for mean in found.means if mean in (0, 1)]
    if found.variances[0] == 0 and at_end:
        warn(
            "RS292.perfect",
            measure=measure.label,
            end=at_end[0],
            means=listed([f"{mean:.4g}" for mean in found.means]),
        )


def require_noise(groups: Groups, found: GroupReadings, measure: Measure) -> None:
    """RS069 if no group tells its own noise, RS290 if some do not."""
    unknown = np.isnan(found.variances)
    if not unknown.any():
        return
    names = [name for name, is_small in zip(groups.names, unknown, strict=True) if is_small]
    if groups.is_one:
        raise fail(
            "RS069.one-case",
            measure=measure.label,
            n_positives=int(groups.n_positives[0]),
            n_negatives=int(groups.n_negatives[0]),
        )
    if unknown.all():
        raise fail("RS069.small", unit=groups.unit, measure=measure.label, names=names)
    n_groups = len(unknown)
    warn("RS290.small", unit=groups.unit, n_groups=n_groups, measure=measure.label, names=names)
