"""Whether groups are large enough to plan from."""

from __future__ import annotations

import math

import numpy as np

from rocsteady.caller import caller_level
from rocsteady.curves.statistics import FprAt, TprAt
from rocsteady.errors import DataError, warn
from rocsteady.inference.planning.given import Groups
from rocsteady.inference.planning.group_readings import GroupReadings
from rocsteady.inference.planning.measures import Measure
from rocsteady.words import counted, listed, plural, printable

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
        needed = math.ceil(_FEWEST_BEYOND / min(rate, 1 - rate)) if 0 < rate < 1 else None
        each = "" if groups.is_one else f" in a {groups.unit}"
        typical = "" if groups.is_one else f" in a typical {groups.unit}"
        enough = f"plan with {needed} or more {word}{each}" if needed else "plan for another rate"
        warn(
            "RS292",
            f"the {measure.label} is set by few cases, so how much luck is in it is itself unsure.",
            f"found: {float(np.median(sizes)):g} {word}{typical}, {beyond:.2g} of them beyond",
            enough,
            stacklevel=caller_level(),
        )


def warn_of_ends(groups: Groups, found: GroupReadings, measure: Measure) -> None:
    """RS292 if most groups read exactly 0 or 1, where no case shows any luck."""
    at_end = (found.variances == 0) & ((found.values == 0) | (found.values == 1))
    if groups.is_one:
        _warn_of_end(found, measure)
    elif not groups.models and at_end.mean() > 0.5:
        warn(
            "RS292",
            f"the {measure.label} is exactly 0 or 1 in most {plural(groups.unit)}, where their cases show no "
            "luck at all.",
            f"found: {int(at_end.sum())} of {counted(at_end.size, groups.unit)}",
            f"plan with more cases in a {groups.unit}; a half-width near 0 is no certainty",
            stacklevel=caller_level(),
        )


def _warn_of_end(found: GroupReadings, measure: Measure) -> None:
    """The same of a single dataset; of two models too, since both may be perfect."""
    at_end = [mean for mean in found.means if mean in (0, 1)]
    if found.variances[0] == 0 and at_end:
        warn(
            "RS292",
            f"the {measure.label} is exactly {at_end[0]:g}, where cases show no luck at all.",
            f"found: {listed([f'{mean:.4g}' for mean in found.means])}",
            "a half-width near 0 is no certainty; from numbers alone:  plan_auc(0.95)",
            stacklevel=caller_level(),
        )


def require_noise(groups: Groups, found: GroupReadings, measure: Measure) -> None:
    """RS069 if no group tells its own noise, RS290 if some do not."""
    unknown = np.isnan(found.variances)
    if not unknown.any():
        return
    names = printable(
        listed([name for name, is_small in zip(groups.names, unknown, strict=True) if is_small])
    )
    needs = f"two cases of a class are needed in a {groups.unit}"
    if groups.is_one:
        raise DataError(
            "RS069",
            f"a single case of a class does not tell how much luck is in the {measure.label}.",
            f"found: {counted(int(groups.n_positives[0]), 'positive')}, "
            f"{counted(int(groups.n_negatives[0]), 'negative')}",
            "collect more cases; from numbers alone:  plan_auc(0.8)",
        )
    if unknown.all():
        raise DataError(
            "RS069",
            f"no {groups.unit} is large enough to tell how much luck is in its {measure.label}.",
            f"found: a single case of a class in {names}",
            f"{needs}; join {plural(groups.unit)}, or collect more cases",
        )
    warn(
        "RS290",
        f"{counted(int(unknown.sum()), groups.unit)} of {len(unknown)} cannot tell how much luck is in "
        f"the {measure.label}.",
        f"found: a single case of a class in {names}",
        f"{needs}; the others stand for them",
        stacklevel=caller_level(),
    )
