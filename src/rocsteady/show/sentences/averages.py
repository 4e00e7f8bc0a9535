"""What averages and their points mean: what is set equal in all groups, what varies, what is random."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.methods import (
    AlongDirection,
    AtAlarmRate,
    AtCosts,
    Binormal,
    Method,
    Pooled,
    Radial,
    Tangent,
    Threshold,
)
from rocsteady.text import (
    AREA,
    COST,
    FPR,
    SMAUC,
    THRESHOLD,
    TPR,
    At,
    Count,
    Cut,
    Item,
    Level,
    Name,
    Number,
    Quantity,
    Quote,
    Range,
    Rate,
    Ratio,
    Text,
    joined,
    paragraph,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.averaging.base import Average, Averaged, AveragePoint
    from rocsteady.averaging.binormal import BinormalFit
    from rocsteady.averaging.radial_tangent import CostPoint, ErrorRatioRates
    from rocsteady.curves.intervals import Band
    from rocsteady.scores.design import Design

_QUANTITIES = {"fpr": FPR, "tpr": TPR}
_OTHER = {"fpr": "tpr", "tpr": "fpr"}

# The whole curve
# ---------------


def curve(average: Average) -> Text:
    """What is set equal in all groups, and what the curve shows."""
    return curve_of(average.averaged)


def curve_of(own: Averaged) -> Text:
    """The same from the facts of an average, and how certain it is."""
    certain = None
    if own.area_off is not None:
        template = "Rows were counted in cells; the area is exact to within ± {off}."
        certain = say(template, off=Number(own.area_off, 2))
    return paragraph(_curve(own), certain)


def _curve(own: Averaged) -> Text:
    groups = Count(own.n_groups, own.unit)
    if own.smroc_areas is not None:
        area, chance = own.smroc_areas
        return say(
            "Mean over the smROC curves of {groups} at {held}, as shares of debit and credit. Its area is "
            "the mean smAUC, {area}; random labels would give about {chance}.",
            groups=groups,
            held=_smroc_position(own.method),
            area=Rate(SMAUC, area),
            chance=Rate(SMAUC, chance),
        )
    if isinstance(own.method, Pooled):
        counts = "every row counts the same, so large {units} count more"
        if own.method.balanced:
            counts = "every {unit} counts the same in each class"
        across = "scores of different {units} are compared with each other"
        template = f"All rows of {{groups}} together under one {{threshold}}; {counts}, and {across}."
        return say(template, groups=groups)
    said = say("Mean over {groups}: {how}", groups=groups, how=set_by_groups(own.method, own.is_weighted))
    return paragraph(said, below_chance(own.hook))


def _smroc_position(method: Any) -> Text:
    direction = method.direction
    if direction.is_vertical or direction.is_horizontal:
        return phrase(f"the same share of {'debit' if direction.is_vertical else 'credit'}")
    parts = {"debit": Number(direction.cosine), "credit": Number(direction.sine)}
    return phrase("the same {debit} × share of debit + {credit} × share of credit", **parts)


def set_by_groups(method: Method, is_weighted: bool = False) -> Text:
    """What groups have in common under an average, and what is averaged: the end of a sentence."""
    if isinstance(method, Threshold):
        weights = ", every {unit} counting its weight" if is_weighted else ""
        return phrase(f"all {{units}} use one {{threshold}}, and both rates are averaged{weights}.")
    if isinstance(method, Radial):
        return phrase(
            "each {unit} sets its own {threshold} to the same {ratio}, and both error rates are averaged. "
            "The area is larger than the mean of the {units}' areas unless all curves are the same."
        )
    if isinstance(method, Tangent):
        return phrase(
            "each {unit} sets its own {threshold} to its lowest expected cost, and both rates are averaged. "
            "This is optimistic: each {unit} is judged on the rows that set its {threshold}. The average "
            "along the cost direction (AtCosts) is pessimistic."
        )
    if isinstance(method, Binormal):
        return phrase(
            "a binormal curve is fitted to each {unit}, and its parameters a and b are averaged. The area is "
            "not the mean of the {units}' areas, and the curve is only as good as the model."
        )
    if isinstance(method, AlongDirection):
        return phrase("each {unit} sets its own {threshold} to the same {held}.", held=_held(method))
    return phrase("all rows count under one {threshold}.")


def _held(method: AlongDirection) -> Text:
    direction, both = method.direction, "both rates are averaged"
    if isinstance(method, AtAlarmRate):
        share = Level(method.prevalence)
        return phrase(f"{{alerts}} at a prevalence of {{share}}, and {both}", share=share)
    if isinstance(method, AtCosts):
        return phrase("position along the lines of equal expected cost, and the expected cost is averaged")
    if direction.is_vertical:
        return phrase("{fpr}, and the {tpr} is averaged")
    if direction.is_horizontal:
        return phrase("{tpr}, and the {fpr} is averaged")
    if direction.cosine == direction.sine:
        return phrase(f"{{balance}}, and {both}")
    parts = {"a": Number(direction.cosine), "b": Number(direction.sine)}
    return phrase(f"{{a}} × false positive rate + {{b}} × true positive rate, and {both}", **parts)


def below_chance(hook: tuple[float, float] | None) -> Text | None:
    """Where a binormal curve lies below the chance line, if anywhere."""
    if hook is None:
        return None
    return say("It lies below the chance line at {fpr} {where}.", where=Range(FPR, *hook))


# A point of it
# -------------


def point(found: AveragePoint) -> Text:
    """What a point means; for several points at once, what the curve means."""
    if np.ndim(found.fpr):
        return curve_of(found.averaged)
    bounds = {"fpr": found.fpr_bounds, "tpr": found.tpr_bounds}
    sides = [
        phrase(f"{{{rate}}} {{ends}}", ends=Range(_QUANTITIES[rate], own.low, own.high))
        for rate, own in bounds.items()
        if own is not None
    ]
    certain = None
    if sides:
        certain = say("Rows were counted in cells; certain are {sides}.", sides=joined(sides))
    return paragraph(_point(found), certain)


def _point(found: AveragePoint) -> Text:
    own, held = found.averaged, found.held
    if held == "eer":
        return say(
            "The {method} average has both error rates at {rate}; the mean of the {units}' own equal error "
            "rates is that of the diagonal average.",
            method=Quote(own.method.label),
            rate=Rate(FPR, found.fpr),
        )
    if isinstance(own.method, Binormal):
        text = (
            "At {at:a} the curve with the mean parameters has {rate}. This is not the mean of the {units}' "
        )
        text += "rates."
        return paragraph(say(text, at=_at(found), rate=_free(found)), random(own))
    if held in ("threshold", "thresholds"):
        said = _at_threshold(found) if held == "threshold" else _at_given(found)
        return paragraph(*said, random(own))
    if own.is_smroc:
        return paragraph(_of_credit(found), thresholds(found), random(own))
    if own.method.holds(held):
        return paragraph(_where_held(found), thresholds(found), random(own))
    return paragraph(*_across(found), random(own))


def _where_held(found: AveragePoint) -> Text:
    own = found.averaged
    values: dict[str, Item] = {"at": _at(found), "who": average_unit(own)}
    template = "If each {unit} sets its own {threshold} to {at:a}, {who} has {rate}."
    if found.held in ("fpr", "tpr"):
        return say(template, rate=_free(found), **values)
    direction = own.method.direction  # type: ignore[attr-defined]
    if direction.cosine == direction.sine:
        gap = At("eer") if found.rate == 0.5 else At("balance", 2 * float(found.rate) - 1)
        return say(template.replace("{at:a}", "{at}"), rate=both(found), **values | {"at": gap})
    prevalence = Level(round(direction.sine / direction.length, 6))
    template = template.replace("{at:a}", "{at:a} (prevalence {prevalence})")
    return say(template, rate=both(found), prevalence=prevalence, **values)


def _of_credit(found: AveragePoint) -> Text:
    """Shares of credit and debit are no rates of cases, whatever the vocabulary."""
    held, free = ("debit", "credit") if found.held == "fpr" else ("credit", "debit")
    values = {"debit": (found.fpr, found.fpr_interval), "credit": (found.tpr, found.tpr_interval)}
    template = "Where each {unit} has spent {debit} of its debit, {who} has earned {credit} of its credit."
    if held == "credit":
        template = (
            "Where each {unit} has earned {credit} of its credit, {who} has spent {debit} of its debit."
        )
    shares: dict[str, Item] = {held: Rate(_SHARE, values[held][0]), free: Rate(_SHARE, *values[free])}
    return say(template, who=average_unit(found.averaged), **shares)


_SHARE = Quantity("share", TPR.scale)


def _at_threshold(found: AveragePoint) -> list[Text | None]:
    """The rates at one threshold for all, and how far single groups lie apart there."""
    own = found.averaged
    is_pooled = isinstance(own.method, Pooled)
    who = phrase("all {units} together have") if is_pooled else phrase("{who} has", who=average_unit(own))
    said = say("With {one}, {who} {rates}.", one=_one_threshold(found), who=who, rates=both(found))
    if is_pooled:
        more = None if own.method.balanced else say("Large {units} count more.")  # type: ignore[attr-defined]
        return [said, more]
    if own.n_groups < 2 or found.group_range is None:
        return [said]
    fpr, tpr = found.group_range
    spread = say(
        "Single {units} range over {tpr} {of_tpr} and {fpr} {of_fpr}.",
        of_tpr=Range(TPR, *tpr),
        of_fpr=Range(FPR, *fpr),
    )
    return [said, spread]


def _at_given(found: AveragePoint) -> list[Text | None]:
    """The rates where each group keeps a threshold that was set beforehand."""
    given = "With the {threshold} that was set for each {unit} beforehand, {who} has {rates}."
    return [say(given, who=average_unit(found.averaged), rates=both(found)), thresholds(found)]


def _one_threshold(found: AveragePoint) -> Text:
    """What one threshold means; beyond all scores, who is called positive."""
    if math.isinf(float(found.threshold or 0)):
        return phrase(
            "nobody called positive" if found.fpr == found.tpr == 0 else "everybody called positive"
        )
    return phrase("one {threshold} of {cut}", cut=Cut(found.threshold, found.beside))


def _across(found: AveragePoint) -> list[Text | None]:
    """A reading that the average does not hold fixed."""
    kept = found.kept
    if found.held == "alerts":
        said = say(
            "One {threshold} for all {units}, set to {at:a}, has {rates}.", at=_at(found), rates=both(found)
        )
    else:
        said = say(
            "Where the mean {held} is {at}, the mean {rate}.", **_held_rate(found), rate=_free(found, "is")
        )
    if kept is None:
        which = "vertical" if found.held == "fpr" else "horizontal"
        template = f"No {{unit}} is tuned to this here; the {which} average is for that."
        return [said, None if found.held == "alerts" else say(template)]
    return [
        said,
        say(
            "The {threshold} {cut} gives this on average; the interval allows for setting it again on other "
            "data. Kept as it is, it has {rates}.",
            cut=Cut(kept.threshold, found.beside),
            rates=both(kept),
        ),
    ]


def error_ratio(found: ErrorRatioRates) -> Text:
    """What the point at a ratio of error rates means."""
    own = found.averaged
    if np.ndim(found.fpr):
        return curve_of(own)
    fpr, fnr = found.parts
    goal = phrase("{ratio} = {parts}", parts=Ratio(float(fpr), float(fnr)))
    if fpr == 0 or fnr == 0:
        goal = phrase("no {alarms}" if fpr == 0 else "no {misses}")
    said = say(
        "If each {unit} sets its own {threshold} to {goal}, {who} has {rates}.",
        goal=goal,
        who=average_unit(own),
        rates=both(found),
    )
    return paragraph(said, thresholds(found), random(own))


def costs(found: CostPoint) -> Text:
    """What the point at given costs means."""
    own, asked = found.averaged, found.costs
    return paragraph(
        say(
            "If each {unit} sets its own {threshold} to {at} at a prevalence of {prevalence}, {who} has "
            "{rates}; the expected cost is {cost} per case.",
            at=At("costs", (asked.false_positive, asked.false_negative)),
            prevalence=Level(asked.prevalence),
            who=average_unit(own),
            rates=both(found),
            cost=Rate(COST, found.cost, found.cost_interval),
        ),
        thresholds(found),
        say("This is optimistic: each {unit} is judged on the rows that set its {threshold}."),
        random(own),
    )


def binormal_fit(fit: BinormalFit) -> Text:
    """The area and its interval, and what they rest on."""
    return paragraph(
        say(
            "A binormal curve with AUC {area}; the empirical curve has {empirical}. a = {a}, b = {b}, by "
            "maximum likelihood. The cases are treated as random samples, and the result holds if some "
            "increasing transform makes both classes normal.",
            area=Rate(AREA, fit.auc, fit.auc_interval),
            empirical=Rate(AREA, fit.empirical_auc),
            a=Number(fit.a, 4),
            b=Number(fit.b, 4),
        ),
        below_chance(fit.hook),
    )


# Bands
# -----


def band(found: Band) -> Text:
    """What limits around an average promise, and where there are none."""
    own, level = found._about, Level(found.confidence_level)
    if own.n_groups < 2:
        return random(own)
    if found.kind == "prediction":
        template = "At each position, the curve of one more {unit} lies in the band with {level} probability."
        return say(template, level=level)
    sample = groups_are(own.design, own.n_groups, own.unit)
    if found.kind == "pointwise":
        return say(
            "At each position by itself, the mean over {units} lies in the band with {level} confidence; "
            "{sample}.",
            level=level,
            sample=sample,
        )
    return say(
        "The whole mean curve from {axis} {low} to {high} lies in the band with {level} confidence; "
        "{sample}{left_out}.",
        **_ends(found, own.is_smroc),
        level=level,
        sample=sample,
        left_out=_left_out(found, "most curves coincide there"),
    )


def _ends(found: Band, is_smroc: bool) -> dict[str, Item]:
    """The declared range; on an axis, where numbers are never turned."""
    low, high = found.fpr or (0.0, 1.0)
    axis: Item = phrase("debit share") if is_smroc else phrase("false positive rate")
    return {"axis": axis, "low": Number(low, 2), "high": Number(high, 2)}


def _left_out(found: Band, why: str) -> Text | None:
    """Stretches of the axis without limits."""
    if not found.excluded:
        return None
    stretches = joined(Range(THRESHOLD, *own) for own in found.excluded)
    return phrase(f"; left out, because {why}: {{stretches}}", stretches=stretches)


def binormal_band(found: Band) -> Text:
    """What limits around a fitted curve promise."""
    what = "the whole curve" if found.kind == "simultaneous" else "at each position by itself, the curve"
    return say(
        f"{what} of the population lies in the band with {{level}} confidence if it is binormal; the cases "
        "are treated as random samples of both classes.",
        level=Level(found.confidence_level),
    )


# Parts of sentences
# ------------------


def both(found: Any) -> Text:
    """``a TPR of 71.2 % (95 % CI 65.0 to 77.4 %) and an FPR of 5.0 % (95 % CI 3.1 to 6.9 %)``."""
    return phrase("{tpr} and {fpr}", tpr=_rate(found, "tpr"), fpr=_rate(found, "fpr"))


def _rate(found: Any, rate: str) -> Text:
    value = Rate(_QUANTITIES[rate], getattr(found, rate), getattr(found, f"{rate}_interval"))
    return phrase("{name:a} of {value}", name=Name(_QUANTITIES[rate]), value=value)


def _free(found: AveragePoint, verb: str = "") -> Text:
    """The rate that is not held, with its interval."""
    rate = _OTHER[found.held]
    if not verb:
        return _rate(found, rate)
    value = Rate(_QUANTITIES[rate], getattr(found, rate), getattr(found, f"{rate}_interval"))
    return phrase(f"{{name}} {verb} {{value}}", name=Name(_QUANTITIES[rate]), value=value)


def _held_rate(found: AveragePoint) -> dict[str, Item]:
    quantity = _QUANTITIES[found.held]
    return {"held": Name(quantity), "at": Rate(quantity, getattr(found, found.held))}


def _at(found: AveragePoint) -> At:
    value = found.rate if found.held == "alerts" else getattr(found, found.held)
    return At(found.held, float(value))


def average_unit(own: Averaged) -> Text:
    """``the average host``, with what it is weighted by."""
    return phrase("the weighted average of the {units}" if own.is_weighted else "the average {unit}")


def random(own: Averaged) -> Text:
    """Why there is an interval, or why there is none."""
    if own.n_groups < 2:
        return say("With one {unit}, the spread between {units} and the interval are unknown.")
    return what_is_random(own.design, own.n_groups, own.unit)


def groups_are(design: Design, n_groups: int, unit: str) -> Text:
    """What groups are, for the end of a sentence.

    >>> from rocsteady.scores.design import Design
    >>> from rocsteady.text import ML
    >>> groups_are(Design.cross_validation(10, repeats=5), 50, "fold").plain()
    'the 50 folds are those of a cross-validation of 10 folds, repeated 5 times'
    >>> groups_are(Design("independent"), 23, "host").plain(ML.about(unit="host"))
    'the 23 hosts are treated as a random sample of hosts'
    """
    groups = Count(n_groups, unit)
    if design.kind == "cross-validation":
        again = "" if design.repeats == 1 else f", repeated {design.repeats} times"
        folds = Count(design.folds, "fold")
        return phrase(
            f"the {{groups}} are those of a cross-validation of {{folds}}{again}", groups=groups, folds=folds
        )
    if design.kind == "hold-out":
        return phrase("the {groups} are random splits of the same cases", groups=groups)
    return phrase("the {groups} are treated as a random sample of {units}", groups=groups)


def what_is_random(design: Design, n_groups: int, unit: str) -> Text:
    """What is random, in a sentence."""
    shared = "; the intervals allow for the training cases that they share" if design.shares_training else ""
    return say(f"{{groups}}{shared}.", groups=groups_are(design, n_groups, unit))


def thresholds(found: Any) -> Text | None:
    """``Their thresholds run from 1.2 to 3.4.``"""
    if found.thresholds is None:
        return None
    low, high = found.thresholds
    if found.averaged.is_smroc:
        if low == high:
            return say("The score there is {low}.", low=_threshold(low))
        return say("The scores there run from {low} to {high}.", low=_threshold(low), high=_threshold(high))
    if low == high:
        return say("The {threshold} needed is {low}.", low=_threshold(low))
    return say("The {thresholds} run from {low} to {high}.", low=_threshold(low), high=_threshold(high))


def _threshold(threshold: float) -> Item:
    """A threshold in a sentence; an infinite one lies beyond every score."""
    return Number(threshold, 4) if math.isfinite(threshold) else phrase("beyond every score")
