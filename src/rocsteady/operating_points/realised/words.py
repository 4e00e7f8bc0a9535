"""What became of thresholds on new rows, in plain words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady.operating_points.cutoffs.criteria import MinimumCost, TargetRate
from rocsteady.words import class_cases, counted, percent, plural

if TYPE_CHECKING:
    from rocsteady.operating_points.realised.results import Realised
    from rocsteady.statistics.intervals import Interval


_ROUNDING = 1e-9
_MOST_PLACES = 7


def reading_of(realised: Realised) -> str:
    """A paragraph: what was set, what came of it, what had been promised, what is random."""
    sentences = (_set, _came, _missed, _promised, _by_chance, _random)
    return " ".join(filter(None, (sentence(realised) for sentence in sentences)))


def _some(n_parts: int, whole: str) -> str:
    return f"half of {whole}" if n_parts == 2 else f"{n_parts - 1} of {n_parts} parts of {whole}"


def _set(r: Realised) -> str:
    aim = r.target.aim
    if isinstance(r.target, TargetRate) and r.target.tpr is None:
        aim += " (the loosest that keeps to it)"
    often = "" if r.n_repeats == 1 else f" (dealt {r.n_repeats} times)"
    if r.threshold == "own":
        return f"Every {r.unit} sets its own threshold for {aim}, on {_some(r.n_parts, 'its rows')}{often}."
    whole = f"the {plural(r.unit)}" if r.split == "groups" else f"the rows of every {r.unit}"
    if r.by_case:
        whole = f"the cases that {plural(r.unit)} share"
    over = f"the average {r.unit}" if r.weigh == "groups" else "all rows together"
    set_on = f"{_some(r.n_parts, whole)}{often}"
    return f"One threshold for all {plural(r.unit)} is set on {set_on}, for {aim} in {over}."


def with_limits(share: float, interval: Interval) -> str:
    """A share in per cent with its interval, in as many places as tell the limits from the share.

    No interval where all groups are alike: that they agree does not make it certain.

    Examples
    --------
    >>> from rocsteady.statistics.intervals import Interval
    >>> with_limits(0.712, Interval(0.65, 0.774, 0.95, "t"))
    '71.2 % (95 % CI 65.0 % to 77.4 %)'
    >>> with_limits(0.005, Interval(0.0049, 0.0051, 0.95, "t"))
    '0.50 % (95 % CI 0.49 % to 0.51 %)'
    """
    if math.isnan(interval.low) or interval.high - interval.low < _ROUNDING:
        return percent(share)
    low, high = (min(max(limit, 0.0), 1.0) for limit in (interval.low, interval.high))
    said = [percent(number) for number in (share, low, high)]
    places = 2
    while _alike(said, (share, low, high)) and places <= _MOST_PLACES:
        said = [f"{100 * n:g} %" if n in (0, 1) else f"{100 * n:.{places}f} %" for n in (share, low, high)]
        places += 1
    return f"{said[0]} ({100 * interval.confidence_level:g} % CI {said[1]} to {said[2]})"


def _alike(said: list[str], numbers: tuple[float, float, float]) -> bool:
    """Whether a limit reads like the share though it is another number."""
    return any(said[i] == said[0] and abs(numbers[i] - numbers[0]) > _ROUNDING for i in (1, 2))


def _came(r: Realised) -> str:
    subject = f"the average {r.unit}" if r.weigh == "groups" else f"the average {r.unit}, weighted by rows,"
    where = "On the other cases" if r.by_case else "On its other rows"
    if r.split == "groups":
        where = "Where it is held out,"
    positives = class_cases(r.classes.positive, is_positive=True)
    negatives = class_cases(r.classes.negative, is_positive=False)
    rates = (
        f"raises false alarms on {with_limits(r.fpr.mean, r.fpr.interval)} of its {negatives} "
        f"and catches {with_limits(r.tpr.mean, r.tpr.interval)} of its {positives}"
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
    share = f"{with_limits(r.share_over_budget, r.share_over_budget_interval)} of {plural(r.unit)}"
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
