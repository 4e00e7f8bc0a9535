"""What plans say: what is known now, what more would give, and how rough that is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady.words import class_cases, counted, grouped, plural, printable

if TYPE_CHECKING:
    from rocsteady.inference.plan import Plan
    from rocsteady.inference.sample_size import AucPlan


def plan(plan: Plan) -> str:
    """What is known now, what more would give, and how rough that is."""
    if plan.n_groups == 1:
        return printable(" ".join(_of_one(plan)))
    if plan.plans_cases:
        return printable(" ".join(_of_folds(plan)))
    sentences = [_now(plan), _split(plan)]
    if plan.groups_needed is not None:
        sentences += _needed(plan)
    sentences += [_rough(plan), *_assumed(plan)]
    return printable(" ".join(sentences))


def _assumed(plan: Plan) -> list[str]:
    """Which use of the scores the plan is for, where nobody declared one."""
    if not plan.is_assumed_average:
        return []
    own = f"every {plan.unit} is taken to set a threshold of its own"
    if plan.average in ("threshold", "pooled"):
        own = f"this threshold is taken to be used in every {plan.unit}"
    return [f"No deployment was declared: {own} ({plan.average} average)."]


def _of_folds(plan: Plan) -> list[str]:
    """Of parts of one data set: cases help, more parts do not."""
    units, wide = plural(plan.unit), _short(plan.half_width)
    now = _mean_now(
        plan, f"half-width {wide} ({100 * plan.confidence_level:g} % interval; training cases that"
    )
    word = "repeats" if plan.design.kind == "cross-validation" else units
    return [
        f"{now} {units} share are allowed for).",
        *_needed_cases(plan),
        f"More {units} do not help, because they are parts of the same cases; more cases do.",
        f"More {word} help only to a point: however many, the half-width stays above "
        f"{_short(plan.half_width_of_repeats)}.",
        *_assumed(plan),
    ]


def _of_one(plan: Plan) -> list[str]:
    """The same of a single dataset, whose cases are what is random."""
    level = f"{100 * plan.confidence_level:g} %"
    sizes, width = (
        _sizes(plan, 1.0),
        f"half-width {_short(plan.half_width)} ({level} interval; cases are",
    )
    if not plan.models:
        first = f"The {plan.measure} on {sizes} is {plan.estimate:.3f}, {width} what is random)."
        return [first, *_needed_cases(plan), _one_only(plan)]
    a, b = plan.models
    own = " and ".join(f"{mean:.3f}" for mean in plan.means)
    lead = f"{a} and {b} have the same {plan.measure}"
    if plan.estimate:
        more = "more" if plan.estimate > 0 else "less"
        lead = f"{a} has {abs(plan.estimate):.3f} {more} {plan.measure} than {b}"
    first = f"{lead} on {sizes} ({own}), {width} what is random)."
    return [first, *_together(plan), *_needed_cases(plan), _one_only(plan)]


def _together(plan: Plan) -> list[str]:
    if math.isnan(plan.correlation):
        return []
    return [f"Over samples of cases the two numbers correlate at {plan.correlation:.2f}."]


def _needed_cases(plan: Plan) -> list[str]:
    cases = plan.cases_needed
    if plan.within == 0:
        return ["No case contradicts it: there is no variance to plan with."]
    if cases is None:
        return []
    if math.isinf(cases.factor):
        return ["Models that do not differ cannot be told apart by any number of cases."]
    each = "" if plan.n_groups == 1 else f" in each {plan.unit}"
    wanted, sizes = _wanted(plan), _sizes(plan, cases.factor) + each
    sentences = [f"{wanted}, {cases.factor:.3g} times the cases are needed: {sizes}."]
    if cases.factor <= 1:
        sentences = [f"{wanted}, these cases are enough: {sizes} would do."]
    if plan.half_width_wanted is None and plan.detectable is not None:
        chance = f"{100 * plan.power_wanted:.3g} %"
        sentences.append(
            f"With these cases a true difference of {plan.detectable:.2g} is found with {chance}."
        )
        if plan.is_seen_difference:
            text = "The difference planned with is the one seen: were the true one half as large, about four"
            sentences.append(f"{text} times the cases would be needed.")
    return sentences


def _one_only(plan: Plan) -> str:
    unit = "dataset" if plan.unit == "group" else plan.unit  # who named no group has a dataset
    return (
        f"This is for more cases like these: from one {unit} nobody can tell how much {plural(unit)} differ."
    )


def _share(share: float) -> str:
    """In whole per cent; neither end unless it is exact."""
    return f"{100 * share:.0f} %" if 0.005 <= share < 0.995 else f"{100 * share:.3g} %"


def _now(plan: Plan) -> str:
    level = f"{100 * plan.confidence_level:g} %"
    width = f"half-width {_short(plan.half_width)} ({level} interval by Student's t; {plural(plan.unit)} are"
    return f"{_mean_now(plan, width)} what is random)."


def _mean_now(plan: Plan, width: str) -> str:
    groups = counted(plan.n_groups, plan.unit)
    if not plan.models:
        return f"The mean {plan.measure} over {groups} is {plan.estimate:.3f}, {width}"
    a, b = plan.models
    if plan.estimate == 0:
        return f"{a} and {b} have the same mean {plan.measure} over {groups}, {width}"
    more = "more" if plan.estimate > 0 else "less"
    return (
        f"{a} has {abs(plan.estimate):.3f} {more} {plan.measure} than {b} on average over {groups}, {width}"
    )


def _split(plan: Plan) -> str:
    whole, units = plan.between + plan.within, plural(plan.unit)
    what = f"difference in {plan.measure}" if plan.models else plan.measure
    if whole == 0:
        return f"No {plan.unit} differs and no case contradicts it: there is no variance to plan with."
    share = plan.between / whole
    if share == 0:
        first = f"As far as these {units} show, none of the variance of one {plan.unit}'s {what} lies between"
        return f"{first} {units}: all of it can be the luck of its {_sizes(plan, 1.0)}."
    first = f"{_share(share)} of the variance of one {plan.unit}'s {what} lies between {units}"
    return f"{first}, the rest is the luck of its {_sizes(plan, 1.0)}."


def _sizes(plan: Plan, times: float) -> str:
    """Cases of a group of mean size, of the classes that the number depends on."""
    parts = [
        f"{_amount(times * n)} {class_cases(label, is_positive=is_positive)}"
        for n, label, is_positive, name in (
            (plan.n_positives, plan._classes.positive, True, "positives"),
            (plan.n_negatives, plan._classes.negative, False, "negatives"),
        )
        if name in plan.classes_that_matter
    ]
    return " and ".join(parts)


def _amount(n: float) -> str:
    return grouped(math.ceil(n * (1 - 1e-12)))


def _needed(plan: Plan) -> list[str]:
    """Groups, cases, and what cases cannot do."""
    if plan.half_width_wanted is None and plan.difference == 0:
        return ["Models that do not differ cannot be told apart by any number of groups or cases."]
    wanted = _wanted(plan)
    needed = float(plan.groups_needed or 0)
    if math.isinf(needed):
        return [f"{wanted}, no number of {plural(plan.unit)} suffices."]
    spread = _range(plan.groups_range)
    if needed <= plan.n_groups:
        enough = f"{wanted}, these {plural(plan.unit)} are enough: {grouped(int(needed))} like them would do"
        return [f"{enough}{spread}."]
    if plan.half_width_wanted is not None and plan.half_width <= plan.half_width_wanted:
        lucky = f"{wanted}, these {plural(plan.unit)} are just enough; a new study would need"
        return [f"{lucky} {grouped(int(needed))}{spread} to be as likely to have it as not."]
    more = f"{wanted}, {counted(int(needed), plan.unit)} like these are needed{spread}, "
    more += f"{grouped(int(needed) - plan.n_groups)} more than now."
    return [more, _by_cases(plan)]


def _wanted(plan: Plan) -> str:
    if plan.half_width_wanted is not None:
        sure = "" if plan.assurance is None else f", with a chance of {100 * plan.assurance:.3g} %,"
        return f"For a half-width of {plan.half_width_wanted:g}{sure}".rstrip(",")
    difference = abs(plan.difference or 0.0)
    now = f"A true difference of {difference:.3g} is found with a chance of {_share(plan.power or 0.0)} now"
    return f"{now} (test at {100 * (1 - plan.confidence_level):.3g} %); for {100 * plan.power_wanted:.3g} %"


def _range(limits: tuple[float, float] | None) -> str:
    if limits is None:
        return ""
    low, high = (grouped(int(n)) if math.isfinite(n) else "no number" for n in limits)
    return f" (range {low} to {high})"


def _by_cases(plan: Plan) -> str:
    """What more cases in the same groups would do."""
    cases, these = plan.cases_needed, f"these {counted(plan.n_groups, plan.unit)}"
    if cases is not None and math.isfinite(cases.factor):
        sizes = _sizes(plan, cases.factor)
        return f"Or {cases.factor:.3g} times the cases in each of {these}: {sizes}."
    if plan.half_width_wanted is not None:
        limit = f"their half-width stays above {_short(plan.floor)}"
    else:
        limit = f"the differences between {plural(plan.unit)} alone hide it"
    first = f"With {these} no number of cases suffices: {limit}"
    least = plan.groups_at_least or math.inf
    if math.isinf(least):
        return f"{first}."
    return f"{first}; {counted(int(least), plan.unit)} are needed at least, however many cases each has."


def _rough(plan: Plan) -> str:
    low, high = (math.sqrt(limit) for limit in (plan.between_interval.low, plan.between_interval.high))
    level = f"{100 * plan.confidence_level:g} %"
    first = f"This is rough: from {counted(plan.n_groups, plan.unit)} the standard deviation between"
    text = f"{first} {plural(plan.unit)} is {_short(math.sqrt(plan.between))} ({level} range {_short(low)} to"
    text = f"{text} {_short(high)})"
    if plan.half_width_wanted is None and plan.difference and plan.is_seen_difference:
        text += ", and the difference planned with is the one seen: were the true one half as large, about"
        text += " four times the data would be needed"
    return f"{text}."


def _short(number: float) -> str:
    return f"{number:.2g}"


_WHOSE = {
    "binormal": "that of normal scores with equal spread",
    "hanley-mcneil": "Hanley and McNeil's",
    "obuchowski": "Obuchowski's",
}


def auc(plan: AucPlan) -> str:
    """What a plan from numbers alone means."""
    what = f"an AUC of {plan.auc:g} against {plan.other:g}"
    if plan.is_paired:
        what = f"a difference of {abs(plan.auc - plan.other):.3g} between two AUCs on the same cases"
    level = plan.confidence_level
    return (
        f"With {grouped(int(plan.n_positives))} positives and {grouped(int(plan.n_negatives))} negatives, "
        f"{what} is found with a chance of {100 * plan.power:.0f} % (two-sided test at "
        f"{100 * (1 - level):.3g} %), and its {100 * level:g} % interval has a half-width of "
        f"{plan.half_width:.2g}. Cases of one dataset are what is random; the variance is "
        f"{_WHOSE[plan.variance]}."
    )
