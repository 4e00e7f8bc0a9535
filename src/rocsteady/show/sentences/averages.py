"""What averages and their points mean: what is held fixed, what varies, in the reader's words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.methods import (
    AlongDirection,
    AtAlarmRate,
    AtCosts,
    Binormal,
    Direction,
    Pooled,
    Radial,
    Tangent,
    Threshold,
)
from rocsteady.words import class_cases, counted, percent, plural, what_groups_are
from rocsteady.words import what_is_random as random_groups

if TYPE_CHECKING:
    from rocsteady.averaging.base import Average, Averaged, AveragePoint
    from rocsteady.averaging.binormal import BinormalFit
    from rocsteady.averaging.radial_tangent import CostPoint, ErrorRatioRates
    from rocsteady.curves.intervals import Band
    from rocsteady.statistics.limits import Interval

Range = tuple[float, float]


# The whole curve
# ---------------


def curve(average: Average) -> str:
    """One sentence: what is held fixed and what varies."""
    return curve_of(average.averaged)


def curve_of(own: Averaged) -> str:
    """The same from the facts of an average, and how certain it is."""
    if own.area_off is None:
        return _curve(own)
    return f"{_curve(own)} Rows were counted in cells; the area is certain within ± {own.area_off:.2g}."


def _curve(own: Averaged) -> str:
    method, unit, units, groups = own.method, own.unit, plural(own.unit), counted(own.n_groups, own.unit)
    if own.smroc_areas is not None:
        return _of_smroc(own, own.smroc_areas)
    if not isinstance(method, Pooled):
        return f"Mean over {groups}: {_mean_over_groups(own)}"
    counts = f"every row counts the same, so large {units} count more"
    if method.balanced:
        counts = f"every {unit} counts the same in each class"
    return (
        f"All rows of {groups} together under one threshold; {counts}, and scores of different {units} are "
        f"compared with each other."
    )


def _mean_over_groups(own: Averaged) -> str:
    method, unit, units = own.method, own.unit, plural(own.unit)
    if isinstance(method, AlongDirection):
        held, free = _held_and_free(method)
        return (
            f"every {unit} sets its own threshold so that {held} is the same for all; {free} between "
            f"{units}, and the mean is what the curve shows."
        )
    if isinstance(method, Threshold):
        counts = f"every {unit} counting {'its weight' if own.is_weighted else 'once'}"
        return (
            f"all {units} use one threshold; both rates vary between {units}, and their means, {counts}, are "
            f"what the curve shows."
        )
    if isinstance(method, Radial):
        return (
            f"every {unit} sets its own threshold so that the ratio of its two error rates, FPR : FNR, is "
            f"the same for all; both error rates vary between {units}, and their means are what the curve "
            f"shows. Its area is not the mean of the areas: it is larger unless all curves are the same."
        )
    if isinstance(method, Tangent):
        return (
            f"every {unit} sets its own threshold to what costs it least, at the same costs and prevalence "
            f"for all; both rates vary between {units}, and their means are what the curve shows. It is "
            f"optimistic: the best threshold of each {unit} was found on the rows on which it is judged. The "
            f"average along the cost direction (AtCosts) errs the other way: it understates what tuned "
            f"{units} reach."
        )
    return joined(
        f"a binormal curve is fitted to every {unit} and the parameters a and b are averaged. At a fixed "
        f"false positive rate the normal quantile of the true positive rate varies between {units}, and its "
        f"mean is what the curve shows. The area under this curve is not the mean of the areas, and the "
        f"curve is only as good as the model.",
        below_chance(own.hook),
    )


def _held_and_free(method: AlongDirection) -> tuple[str, str]:
    direction, both = method.direction, "both rates vary along one direction"
    if isinstance(method, AtAlarmRate):
        return f"the share called positive, at a prevalence of {percent(method.prevalence)},", both
    if isinstance(method, AtCosts):
        return "the position along the lines of equal expected cost", "the expected cost varies"
    if direction.is_vertical:
        return "the false positive rate", "the true positive rate varies"
    if direction.is_horizontal:
        return "the true positive rate", "the false positive rate varies"
    if direction.cosine == direction.sine:
        return "FPR + TPR (the difference of the two error rates)", both
    return f"{direction.cosine:.3f} FPR + {direction.sine:.3f} TPR", both


def _of_smroc(own: Averaged, areas: Range) -> str:
    direction: Direction = own.method.direction  # type: ignore[attr-defined]
    held, free = "the share of debit", "the share of credit varies"
    if direction.is_horizontal:
        held, free = "the share of credit", "the share of debit varies"
    elif not direction.is_vertical:
        parts = f"{direction.cosine:.3f} times the share of debit plus {direction.sine:.3f} times"
        held, free = f"{parts} the share of credit", "both shares vary along one direction"
    return (
        f"Mean over the smROC curves of {counted(own.n_groups, own.unit)}: every {own.unit} is read where "
        f"{held} is the same for all; {free} between {plural(own.unit)}, and the mean is what the curve "
        f"shows. Its area is the mean smAUC, {areas[0]:.3f}; labels dealt at random would give about "
        f"{areas[1]:.3f}."
    )


def below_chance(hook: Range | None) -> str:
    """Where a binormal curve lies below the chance line, if anywhere."""
    if hook is None:
        return ""
    return f"From an FPR of {percent(hook[0])} to {percent(hook[1])} it lies below the chance line."


# A point of it
# -------------


def point(found: AveragePoint) -> str:
    """What a point means; for several points at once, what the curve means."""
    if np.ndim(found.fpr):
        return curve_of(found.averaged)
    bounds = {"FPR": found.fpr_bounds, "TPR": found.tpr_bounds}
    sides = [
        f"{of} {percent(own.low)} to {percent(own.high)}" for of, own in bounds.items() if own is not None
    ]
    certain = f"Rows were counted in cells; certain are {', '.join(sides)}." if sides else ""
    return joined(_point(found), certain)


def _point(found: AveragePoint) -> str:
    own, held = found.averaged, found.held
    if held == "eer":
        return (
            f"The {own.method.label} average has both error rates at {percent(found.fpr)}; this is not the "
            f"mean of the equal error rates of every {own.unit}, which the diagonal average has."
        )
    if isinstance(own.method, Binormal):
        said, free = _by_parameters(found), "vertical" if held == "fpr" else "horizontal"
        plainly = f"It is not the mean of the {plural(own.unit)}' rates: that is the {free} average."
        return joined(said, plainly, what_is_random(own))
    if held == "threshold":
        return _pooled(found) if isinstance(own.method, Pooled) else _at_threshold(found)
    if own.method.holds(held):
        said = _of_credit(found) if own.is_smroc else _where_held(found)
        return joined(said, _thresholds(found), what_is_random(own))
    return joined(*_across(found), what_is_random(own))


def _where_held(found: AveragePoint) -> str:
    own, who = found.averaged, _average_unit(found.averaged)
    every = f"If every {own.unit} tunes its own threshold"
    if found.held == "fpr":
        alarms = f"{percent(found.fpr)} of its {_negatives(own)} raise false alarms"
        return f"{every} so that {alarms}, {who} {_catches(found)}."
    if found.held == "tpr":
        return f"{every} to catch {percent(found.tpr)} of its {_positives(own)}, {who} {_alarms(found)}."
    called = _share_called(own.method.direction, float(found.rate))  # type: ignore[attr-defined]
    return f"{every} so that {called}, {who} {_catches(found)} and {_alarms(found)}."


def _share_called(direction: Direction, rate: float) -> str:
    prevalence = direction.sine / direction.length
    called = f"{percent(rate)} of all cases are called positive at a prevalence of {percent(prevalence)}"
    if direction.cosine == direction.sine:
        gap = 2 * rate - 1
        balance = "both error rates are equal" if gap == 0 else f"FPR - FNR = {gap:+.3g}"
        return f"{balance} ({called})"
    return called


def _of_credit(found: AveragePoint) -> str:
    own = found.averaged
    spent, earned = f"{percent(found.fpr)} of its debit", f"{percent(found.tpr)} of its credit"
    who = _average_unit(own)
    if found.held == "fpr":
        said = f"Where every {own.unit} has spent {spent}, {who} has earned {earned}"
        return f"{said}{within(found.tpr_interval)}."
    return f"Where every {own.unit} has earned {earned}, {who} has spent {spent}{within(found.fpr_interval)}."


def _at_threshold(found: AveragePoint) -> str:
    own = found.averaged
    fpr, tpr = found.group_range or ((0.0, 0.0), (0.0, 0.0))
    span = f"{percent(tpr[0])} to {percent(tpr[1])} caught and {percent(fpr[0])} to {percent(fpr[1])}"
    return joined(
        f"{_shared_by(found, own.unit)}, {_average_unit(own)} {_catches(found)} and {_alarms(found)}.",
        f"Single {plural(own.unit)} range from {span} false alarms." if own.n_groups > 1 else "",
        what_is_random(own),
    )


def _shared_by(found: AveragePoint, unit: str = "") -> str:
    """What one threshold means; beyond all scores, who is called positive."""
    if math.isinf(float(found.threshold or 0)):
        return f"With {'nobody' if found.fpr == found.tpr == 0 else 'everybody'} called positive"
    return f"With one threshold of {found.threshold:.4g}{f' on every {unit}' if unit else ''}"


def _pooled(found: AveragePoint) -> str:
    own, units = found.averaged, plural(found.averaged.unit)
    caught = f"{percent(found.tpr)} of all {_positives(own)} are caught{within(found.tpr_interval)}"
    alarms = f"{percent(found.fpr)} of all {_negatives(own)} raise false alarms{within(found.fpr_interval)}"
    return joined(
        f"{_shared_by(found)}, {caught} and {alarms}, all {units} together.",
        "" if own.method.balanced else f"Large {units} count more.",  # type: ignore[attr-defined]
        what_is_random(own),
    )


def _by_parameters(found: AveragePoint) -> str:
    of_fpr = f"false positive rate of {percent(found.fpr)}"
    of_tpr = f"true positive rate of {percent(found.tpr)}"
    held, free = (of_fpr, of_tpr) if found.held == "fpr" else (of_tpr, of_fpr)
    interval = found.tpr_interval if found.held == "fpr" else found.fpr_interval
    return f"At a {held} the curve with the mean parameters has a {free}{within(interval)}."


def _across(found: AveragePoint) -> tuple[str, str]:
    """A reading that the average does not hold fixed."""
    own, kept = found.averaged, found.kept
    kind, names = "rate", {"fpr": "false positive rate", "tpr": "true positive rate"}
    if own.is_smroc:
        kind, names = "share", {"fpr": "debit share", "tpr": "credit share"}
    held, free = (found.held, "tpr" if found.held == "fpr" else "fpr")
    interval = found.tpr_interval if held == "fpr" else found.fpr_interval
    said = (
        f"The {own.method.label} average has a mean {names[free]} of {percent(getattr(found, free))}"
        f"{within(interval)} where its mean {names[held]} is {percent(getattr(found, held))}."
    )
    if kept is None:
        each = "vertical" if held == "fpr" else "horizontal"
        return said, (
            f"No {own.unit} is tuned to that {kind} here: for {names[free]}s at a fixed {names[held]} "
            f"use the {each} average."
        )
    return said, (
        f"The one threshold for all that gives this is about {_threshold(kept.threshold)}; the interval "
        f"counts that it would be set again on other data. Kept, it has a mean {names['fpr']} of "
        f"{percent(kept.fpr)}{within(kept.fpr_interval)} and a mean {names['tpr']} of {percent(kept.tpr)}"
        f"{within(kept.tpr_interval)}."
    )


def error_ratio(found: ErrorRatioRates) -> str:
    """What the point at a ratio of error rates means."""
    own = found.averaged
    if np.ndim(found.fpr):
        return curve_of(own)
    fpr, fnr = found.parts
    goal = f"its false positive and false negative rates are as {float(fpr):g} to {float(fnr):g}"
    if fpr == 0:
        goal = f"it catches what it can of its {_positives(own)} without a false alarm"
    elif fnr == 0:
        goal = f"it misses none of its {_positives(own)}"
    return joined(
        f"If every {own.unit} tunes its own threshold so that {goal}, {_average_unit(own)} "
        f"{_catches(found)} and {_alarms(found)}.",
        _thresholds(found),
        what_is_random(own),
    )


def costs(found: CostPoint) -> str:
    """What the point at given costs means."""
    own, asked, interval = found.averaged, found.costs, found.cost_interval
    sure = ""
    if interval.low == interval.low:
        sure = f" ({100 * interval.confidence_level:g} % CI {interval.low:.4g} to {interval.high:.4g})"
    return joined(
        f"If every {own.unit} tunes its own threshold to costs of {asked.false_positive:g} for a false "
        f"alarm and {asked.false_negative:g} for a miss at a prevalence of {percent(asked.prevalence)}, "
        f"{_average_unit(own)} {_catches(found)} and {_alarms(found)}, at an expected cost of "
        f"{found.cost:.4g} per case{sure}.",
        _thresholds(found),
        f"This is optimistic: each {own.unit} was tuned on the rows on which it is judged.",
        what_is_random(own),
    )


def binormal_fit(fit: BinormalFit) -> str:
    """The area and its interval, and what they rest on."""
    interval = fit.auc_interval
    ends = f"{interval.low:.3f} to {interval.high:.3f}"
    sure = "" if math.isnan(interval.low) else f" ({100 * fit.confidence_level:g} % interval {ends})"
    return joined(
        f"A binormal curve with AUC {fit.auc:.3f}{sure}; the scores' own curve has "
        f"{fit.empirical_auc:.3f}. a = {fit.a:.3f}, b = {fit.b:.3f}, by maximum likelihood. What is "
        f"random is the cases; all of it holds only as far as some increasing transform makes both "
        f"classes normal.",
        below_chance(fit.hook),
    )


# Bands
# -----


def band(found: Band) -> str:
    """What limits around an average promise, and where there are none."""
    own, kind, level = found._about, found.kind, f"{100 * found.confidence_level:g} %"
    if own.n_groups < 2:
        return what_is_random(own)
    if kind == "prediction":
        return (
            f"At each position, the curve of one more {own.unit} like these lies in the band with {level} "
            f"probability."
        )
    random = what_groups_are(own.design, own.n_groups, own.unit)
    if kind == "pointwise":
        each = "At each position by itself, the mean over"
        return f"{each} {plural(own.unit)} lies in the band with {level} confidence; {random}."
    low, high = found.fpr or (0.0, 1.0)
    axis = "debit share" if own.is_smroc else "FPR"
    ranges = ", ".join(f"{a:.3g} to {b:.3g}" for a, b in found.excluded)
    left = f"; left out, because most curves coincide there: {ranges}" if ranges else ""
    return (
        f"The whole mean curve from {axis} {low:g} to {high:g} lies in the band with {level} "
        f"confidence; {random}{left}."
    )


def binormal_band(found: Band) -> str:
    """What limits around a fitted curve promise."""
    what = "The whole curve" if found.kind == "simultaneous" else "At each FPR by itself, the TPR"
    return (
        f"{what} of all such cases lies in the band with {100 * found.confidence_level:g} % confidence, if "
        f"the curve is binormal; the cases are taken as random samples of both classes."
    )


# Parts of sentences
# ------------------


def _catches(found: Any) -> str:
    """``catches 71.2 % of its attack cases (95 % CI 65.0 % to 77.4 %)``."""
    return f"catches {percent(found.tpr)} of its {_positives(found.averaged)}{within(found.tpr_interval)}"


def _alarms(found: Any) -> str:
    """``raises false alarms on 5.0 % of its normal cases (95 % CI 3.1 % to 6.9 %)``."""
    of = f"{percent(found.fpr)} of its {_negatives(found.averaged)}"
    return f"raises false alarms on {of}{within(found.fpr_interval)}"


def _positives(own: Averaged) -> str:
    return class_cases(own.classes.positive, is_positive=True)


def _negatives(own: Averaged) -> str:
    return class_cases(own.classes.negative, is_positive=False)


def _average_unit(own: Averaged) -> str:
    """``the average host``, with what it is weighted by."""
    return f"the weighted average of the {plural(own.unit)}" if own.is_weighted else f"the average {own.unit}"


def within(interval: Interval | None) -> str:
    """The interval in brackets; nothing for what is held fixed or cannot be known."""
    if interval is None or interval.low != interval.low:
        return ""
    level = f"{100 * interval.confidence_level:g} %"
    low, high = (min(max(limit, 0.0), 1.0) for limit in (interval.low, interval.high))  # said of rates
    return f" ({level} CI {percent(low)} to {percent(high)})"


def what_is_random(own: Averaged) -> str:
    """Why there is an interval, or why there is none."""
    if own.n_groups < 2:
        return f"With a single {own.unit} there is no spread between {plural(own.unit)} to judge by."
    return random_groups(own.design, own.n_groups, own.unit)


def _thresholds(found: Any) -> str:
    """``The thresholds needed run from 1.2 to 3.4.``"""
    if found.thresholds is None:
        return ""
    low, high = map(_threshold, found.thresholds)
    one, several = "The threshold needed is", "The thresholds needed run from"
    if found.averaged.is_smroc:
        one, several = "The score met there is", "Scores met there run from"
    return f"{one} {low}." if low == high else f"{several} {low} to {high}."


def _threshold(threshold: float) -> str:
    """A threshold in a sentence; an infinite one lies beyond every score.

    >>> _threshold(0.51234), _threshold(float("inf"))
    ('0.5123', 'beyond every score')
    """
    return f"{threshold:.4g}" if math.isfinite(threshold) else "beyond every score"


def joined(*sentences: str) -> str:
    """Sentences in a row, empty ones left out."""
    return " ".join(sentence for sentence in sentences if sentence)
