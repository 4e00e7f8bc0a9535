"""What became of thresholds on new rows, in plain words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady.averaging.sentences import joined, within
from rocsteady.operating_points.cutoffs.criteria import MinimumCost, TargetRate
from rocsteady.words import class_cases, counted, percent, plural

if TYPE_CHECKING:
    from rocsteady.operating_points.realised.realising import Realised
    from rocsteady.uncertainty.intervals import Interval


_ROUNDING = 1e-9


def reading_of(realised: Realised) -> str:
    """A paragraph: what was set, what came of it, what had been promised, what is random."""
    return joined(
        _set(realised),
        _came(realised),
        _missed(realised),
        _promised(realised),
        _by_chance(realised),
        _random(realised),
    )


def _some(n_parts: int, whole: str) -> str:
    return f"half of {whole}" if n_parts == 2 else f"{n_parts - 1} of {n_parts} parts of {whole}"


def _set(r: Realised) -> str:
    aim = r.target.aim
    if r.threshold == "own":
        return f"Every {r.unit} sets its own threshold for {aim}, on {_some(r.n_parts, 'its rows')}."
    whole = f"the {plural(r.unit)}" if r.split == "groups" else f"the rows of every {r.unit}"
    over = f"the average {r.unit}" if r.weigh == "groups" else "all rows together"
    return f"One threshold for all {plural(r.unit)} is set on {_some(r.n_parts, whole)}, for {aim} in {over}."


def _within(interval: Interval) -> str:
    """Nothing where all groups are alike: that they agree does not make it certain."""
    return "" if interval.high - interval.low < _ROUNDING else within(interval)


def _came(r: Realised) -> str:
    subject = f"the average {r.unit}" if r.weigh == "groups" else f"the average {r.unit}, weighted by rows,"
    where = "On its other rows" if r.split == "rows" else "Where it is held out,"
    positives = class_cases(r.classes.positive, is_positive=True)
    negatives = class_cases(r.classes.negative, is_positive=False)
    rates = (
        f"raises false alarms on {percent(r.fpr.mean)} of its {negatives}{_within(r.fpr.interval)} "
        f"and catches {percent(r.tpr.mean)} of its {positives}{_within(r.tpr.interval)}"
    )
    cost = ""
    if isinstance(r.target, MinimumCost):
        low, high = r.value.interval.low, r.value.interval.high
        level = f"{100 * r.confidence_level:g} %"
        limits = (
            ""
            if math.isnan(low) or high - low <= _ROUNDING * abs(high)
            else f" ({level} CI {low:.4g} to {high:.4g})"
        )
        cost = f", at a cost of {r.value.mean:.4g} per case{limits}"
    return f"{where} {subject} {rates}{cost}."


def _missed(r: Realised) -> str:
    share = f"{percent(r.share_over_budget)} of {plural(r.unit)}{within(r.share_over_budget_interval)}"
    if not isinstance(r.target, TargetRate):
        what = "pay more" if isinstance(r.target, MinimumCost) else "do worse"
        return f"{share} {what} there than promised."
    held = (
        f"above {percent(r.target.fpr or 0.0)}" if r.target.tpr is None else f"below {percent(r.target.tpr)}"
    )
    rate = "false positive rate" if r.target.tpr is None else "true positive rate"
    return f"{share} miss the target there: their {rate} is {held}."


def _promised(r: Realised) -> str:
    def said(fpr: float, tpr: float, value: float) -> str:
        cost = f", cost {value:.4g}" if isinstance(r.target, MinimumCost) else ""
        return f"FPR {percent(fpr)}, TPR {percent(tpr)}{cost}"

    part, whole = r.promise_on_part, r.promise
    rows = "rows" if r.split == "rows" else plural(r.unit)
    return (
        f"The {rows} used for setting had promised {said(part.fpr, part.tpr, part.value)}; "
        f"all {rows} promise {said(whole.fpr, whole.tpr, whole.value)}."
    )


def _by_chance(r: Realised) -> str:
    """Only own thresholds at a target have it."""
    if math.isnan(r.exchangeable_rate) or not isinstance(r.target, TargetRate):
        return ""
    name, bound = ("FPR", "at most") if r.target.tpr is None else ("TPR", "at least")
    return (
        f"Chance alone makes {bound} {percent(r.exchangeable_rate)} the {name} to be expected here, and "
        f"{bound} {percent(r.exchangeable_rate_all_rows)} that of a threshold set on all rows."
    )


def _random(r: Realised) -> str:
    n = len(r.groups)
    if n < 2:
        return f"With a single {r.unit} there is no spread between {plural(r.unit)} to judge by."
    given = "" if r.threshold == "own" else ", at the thresholds that were set"
    return (
        f"Intervals are for the mean over all {plural(r.unit)} of which these {counted(n, r.unit)} are a "
        f"sample{given}."
    )
