"""What plans say: what is known now, what more would give, and how rough that is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.planning.readers import of_each_class
from rocsteady.readers.design import ReaderDesign
from rocsteady.show.sentences.readers import random_words
from rocsteady.show.sentences.readers import said as sentence
from rocsteady.words import class_case, counted, grouped, listed, plural, printable

if TYPE_CHECKING:
    from rocsteady.planning.groups import CasesNeeded, Plan, PlanTable
    from rocsteady.planning.plan import AucPlan
    from rocsteady.planning.readers import ReaderPlan, ReaderPlanTable


def plan(plan: Plan) -> str:
    """What is known now, what more would give, and how rough that is."""
    units, is_one = plural(plan.unit), plan.n_groups == 1
    level, wide = f"{100 * plan.confidence_level:g} %", _short(plan.half_width)
    of_this = f"half-width {wide} ({level} interval"
    if is_one:
        sentences = [_now(plan, f"{of_this}; cases are what is random)")]
        if not math.isnan(plan.correlation):
            r = plan.correlation
            sentences.append(f"Over samples of cases the two numbers correlate at {r:.2f}.")
        unit = "dataset" if plan.unit == "group" else plan.unit  # who named no group has a dataset
        sentences += [
            *_needed_cases(plan),
            f"This is for more cases like these: from one {unit} nobody can tell how much {plural(unit)} "
            "differ.",
        ]
    elif plan.plans_cases:  # of parts of one data set: cases help, more parts do not
        word = "repeats" if plan.design.kind == "cross-validation" else units
        sentences = [
            _now(plan, f"{of_this}; training cases that {units} share are allowed for)"),
            *_needed_cases(plan),
            f"More {units} do not help, because they are parts of the same cases; more cases do.",
            f"More {word} help only to a point: however many, the half-width stays above "
            f"{_short(plan.half_width_of_repeats)}.",
        ]
    else:
        sentences = [
            _now(plan, f"{of_this} by Student's t; {units} are what is random)"),
            _split(plan),
            *(_needed(plan) if plan.groups_needed is not None else ()),
            _rough(plan),
        ]
    if plan.is_assumed_average:  # which use of the scores the plan is for, where nobody declared one
        own = f"every {plan.unit} is taken to set a threshold of its own"
        if plan.average in ("threshold", "pooled"):
            own = f"this threshold is taken to be used in every {plan.unit}"
        sentences.append(f"No deployment was declared: {own} ({plan.average} average).")
    return printable(" ".join(sentences))


def _now(plan: Plan, width: str) -> str:
    """What there is: the mean over groups, or the number of the only one, on its cases."""
    is_one = plan.n_groups == 1
    mean, where = (
        ("", f"on {_sizes(plan, 1.0)}") if is_one else ("mean ", f"over {counted(plan.n_groups, plan.unit)}")
    )
    if not plan.models:
        return f"The {mean}{plan.measure} {where} is {plan.estimate:.3f}, {width}."
    a, b = plan.models
    own = f" ({' and '.join(f'{value:.3f}' for value in plan.means)})" if is_one else ""
    if plan.estimate == 0:
        return f"{a} and {b} have the same {mean}{plan.measure} {where}{own}, {width}."
    more, average = "more" if plan.estimate > 0 else "less", "" if is_one else "on average "
    return f"{a} has {abs(plan.estimate):.3f} {more} {plan.measure} than {b} {average}{where}{own}, {width}."


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


def _share(share: float) -> str:
    """In whole per cent; neither end unless it is exact."""
    return f"{100 * share:.0f} %" if 0.005 <= share < 0.995 else f"{100 * share:.3g} %"


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
        counted(_whole(times * n), class_case(label, is_positive=is_positive))
        for n, label, is_positive, name in (
            (plan.n_positives, plan._classes.positive, True, "positives"),
            (plan.n_negatives, plan._classes.negative, False, "negatives"),
        )
        if name in plan.classes_that_matter
    ]
    return " and ".join(parts)


def _whole(n: float) -> int:
    return math.ceil(n * (1 - 1e-12))


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
    positives = counted(int(plan.n_positives), "positive")
    negatives = counted(int(plan.n_negatives), "negative")
    return (
        f"With {positives} and {negatives}, {what} is found with a chance of {100 * plan.power:.0f} % "
        f"(two-sided test at {100 * (1 - level):.3g} %), and its {100 * level:g} % interval has a "
        f"half-width of {plan.half_width:.2g}. Cases of one dataset are what is random; the variance is "
        f"{_WHOSE[plan.variance]}."
    )


# In one line, and what is random
# -------------------------------


_METHODS = {
    "delong": "DeLong's variance",
    "paired": "DeLong's variance of paired cases",
    "frozen": "binomial variance",
    "slope": "binomial variance and slope of the curve",
    "average slope": "binomial variance and slope of the average",
    "bootstrap": "bootstrap of the cases",
}


def method(plan: Plan) -> str:
    """Where the variance within groups comes from."""
    return _METHODS[plan._luck]


def plan_random(plan: Plan) -> str:
    """What is random."""
    if plan.plans_cases:
        return "cases" if plan.n_groups == 1 else "cases that models are trained and tested on"
    return f"{plural(plan.unit)}, and cases within each"


def plan_line(plan: Plan) -> str:
    """What is known, from how many groups, and what is needed."""
    models = f", {printable(' less '.join(plan.models))}" if plan.models else ""
    groups, now = counted(plan.n_groups, printable(plan.unit)), f"{plan.estimate:.4f} ± {plan.half_width:.4f}"
    wanted = f"power {plan.power_wanted:g}"
    if plan.half_width_wanted is not None:
        wanted = f"± {plan.half_width_wanted:g}"
    needs = ""
    if plan.groups_needed is not None:
        needed = f"{plan.groups_needed:g}" if math.isfinite(plan.groups_needed) else "no number of"
        needs = f"; for {wanted} {needed} {plural(printable(plan.unit))}"
    elif plan.cases_needed is not None:
        factor = plan.cases_needed.factor
        needs = f"; for {wanted} {f'{factor:.3g} × the' if math.isfinite(factor) else 'no number of'} cases"
    return f"{plan.measure}{models}: {now} from {groups}{needs}"


def cases_line(cases: CasesNeeded) -> str:
    """How many times as many, and how many."""
    if math.isinf(cases.factor):
        return "no number of cases suffices"
    positives = counted(round(cases.positives), "positive")
    negatives = counted(round(cases.negatives), "negative")
    return f"{cases.factor:.3g} × now: {positives}, {negatives}"


def table_line(table: PlanTable) -> str:
    """How many designs, and the half-widths they span."""
    n, cases = np.unique(table.n_groups).size, np.unique(table.times_cases).size
    least, most = table.half_width.min(), table.half_width.max()
    of = f"{counted(n, 'number')} of {plural(printable(table.unit))}, {counted(cases, 'number')} of cases"
    return f"{of}: half-widths {least:.3g} to {most:.3g}"


def auc_random(plan: AucPlan) -> str:
    """What is random."""
    return "cases of one dataset"


def auc_line(plan: AucPlan) -> str:
    """What is held against what, and with how many cases."""
    against = f"{plan.auc:g} against {plan.other:g}{' on the same cases' if plan.is_paired else ''}"
    cases = f"{grouped(int(plan.n_positives))} positives, {grouped(int(plan.n_negatives))} negatives"
    return f"{against}: {cases}; power {plan.power:.3f}, half-width {plan.half_width:.4f}"


# Reader studies
# --------------


def readers_random(plan: ReaderPlan) -> str:
    """What is random."""
    has_patients = plan._pilot is not None and plan._pilot.ratings.clusters is not None
    return random_words(plan.unit, plan.readers_are, plan.cases_are, plan.n_readers or 2, has_patients)


_COMPONENTS = {
    "modality_reader": "the variance of modalities within readers",
    "case_gain": "Cov2 - Cov3",
    "own_error": "Var - Cov1 - (Cov2 - Cov3)",
}


def set_to_zero(plan: ReaderPlan) -> Iterator[str]:
    """Components that came out negative."""
    return (_COMPONENTS[name] for name in plan.components.below_zero)


def readers_line(plan: ReaderPlan) -> str:
    """What is to be shown, and what that needs."""
    what = f"difference {plan.difference:.3g}"
    if plan.test != "difference":
        what = f"{plan.test}, margin {plan.margin:g}"
    if plan.n_readers is None:
        number = "no number of" if math.isinf(plan.readers_needed) else f"{plan.readers_needed:g}"
        needed = f"{number} {plural(printable(plan.unit))} for {plan.n_cases:.0f} cases"
    else:
        who = counted(plan.n_readers, printable(plan.unit))
        needed = f"{who} {'needs' if plan.n_readers == 1 else 'need'} {plan.cases_needed:.0f} cases"
        if math.isinf(plan.cases_needed):
            needed = f"no number of cases is enough with {who}"
    return f"{plan.quantity}, {what}: for power {plan.power_wanted:g}, {needed}"


def readers_table_line(table: ReaderPlanTable) -> str:
    """How many readers, and the cases they span."""
    first, last = int(table.n_readers[0]), int(table.n_readers[-1])
    span = f"{first} to {last}" if last > first else f"{first}"
    enough = table.n_cases[np.isfinite(table.n_cases)]
    most = f"{grouped(int(enough.max()))} to {grouped(int(enough.min()))}" if enough.size else "no number of"
    return f"{span} {plural(printable(table.unit))}: {most} cases"


def readers(found: ReaderPlan) -> str:
    """What is shown with which chance, what is needed, what is random, what the plan rests on."""
    sentences = [_now_of_study(found), *_needed_of_study(found), sentence(found.random)]
    return " ".join([*sentences, *(f"{note}." for note in found.notes)])


def chance(share: float) -> str:
    """A chance in whole per cent; neither end unless it is exact.

    >>> chance(0.8054), chance(0.9996), chance(0.0)
    ('81 %', '> 99 %', '0 %')
    """
    if 0.995 <= share < 1:
        return "> 99 %"
    return "< 1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


def _goal(plan: ReaderPlan) -> str:
    """What the study is to show; a sentence goes on with "with a chance of"."""
    what = printable(plan.quantity)
    if plan.test == "difference":
        return f"a true difference of {abs(plan.difference):.3g} in {what} is found"
    if plan.difference == 0:
        truth = "the two do not differ"
    elif plan.test == "equivalence":
        truth = f"the true difference is {abs(plan.difference):.3g}"
    else:
        gain = plan.gain
        truth = f"the new modality is {'better' if gain > 0 else 'worse'} by {abs(gain):.3g}"
    return f"{plan.test} in {what} within a margin of {plan.margin:g} is shown, if {truth},"


def _level(plan: ReaderPlan) -> str:
    """Of the test, as it is carried out."""
    if plan.test == "difference":
        return f"two-sided test at {100 * plan.alpha:.3g} %"
    tests = "one-sided test" if plan.test == "non-inferiority" else "two one-sided tests"
    return f"{tests} at {100 * plan.alpha / 2:.3g} %"


def _cases_words(n_cases: float, plan: ReaderPlan) -> str:
    """A number of cases, and how many of each class where the ratio is known."""
    if math.isinf(n_cases):
        return "any number of cases"
    whole = counted(int(n_cases), "case")
    if math.isnan(plan.ratio):
        return whole
    positives, negatives = of_each_class(n_cases, plan.ratio)
    labels = ("1", "0")
    if plan._pilot is not None:
        labels = plan._pilot.ratings.classes.positive, plan._pilot.ratings.classes.negative
    of_each = [
        counted(int(n), printable(class_case(label, is_positive=side)))
        for n, label, side in ((positives, labels[0], True), (negatives, labels[1], False))
    ]
    return f"{whole} ({' and '.join(of_each)})"


def _now_of_study(plan: ReaderPlan) -> str:
    if plan.n_readers is None:
        goal = _goal(plan).rstrip(",")
        return f"Planned for a chance of {chance(plan.power_wanted)}: {goal} ({_level(plan)})."
    who = f"{counted(plan.n_readers, printable(plan.unit))} and {_cases_words(plan.n_cases, plan)}"
    return f"With {who} {_goal(plan)} with a chance of {chance(plan.power)} ({_level(plan)})."


def _needed_of_study(plan: ReaderPlan) -> list[str]:
    wanted, unit = chance(plan.power_wanted), printable(plan.unit)
    sentences = []
    if plan.n_readers is not None:
        who = counted(plan.n_readers, unit)
        need = f"{who} {'needs' if plan.n_readers == 1 else 'need'} {_cases_words(plan.cases_needed, plan)}"
        if math.isinf(plan.cases_needed):
            need = f"no number of cases suffices with {who}"
        sentences.append(f"For {wanted}, {need}.")
    if plan.is_of_one_reader:
        return sentences
    n_cases = counted(int(plan.n_cases), "case")
    if math.isfinite(plan.readers_needed):
        sentences.append(f"{n_cases} need {counted(int(plan.readers_needed), unit)}.")
    else:
        sentences.append(f"With {n_cases} no number of {plural(unit)} suffices.")
    least = plan.readers_at_least
    if math.isfinite(least) and least > (1 if plan.readers_are == "fixed" else 2):
        fewer = counted(int(least) - 1, unit)
        sentences.append(f"With {fewer} or fewer no number of cases suffices.")
    return sentences


def notes_of_readers(plan: ReaderPlan) -> Iterator[str]:
    """How rough the plan is, and what was done to the components."""
    pilot, zero, unit = plan._pilot, plan.set_to_zero, printable(plan.unit)
    n_readers = plan._pilot_readers
    if zero:
        verb = "was" if len(zero) == 1 else "were"
        yield f"{sentence(listed(list(zero))).rstrip('.')} came out negative and {verb} set to 0"
    if plan.power_range is not None and n_readers is not None:
        low, high = (chance(limit) for limit in plan.power_range)
        if low != high:
            yield (
                f"This is rough: how much modalities differ within {plural(unit)} comes from "
                f"{counted(n_readers, unit)}, and at its 95 % limits that chance is {low} to {high}"
            )
    if plan.is_seen_difference:
        yield (
            "The difference planned for is the one seen in the pilot, which is luck in part: say what "
            "difference would matter"
        )
    if pilot is None:
        return
    clusters = pilot.ratings.clusters
    if plan.cases_are == "random" and clusters is not None:
        each = clusters.size / np.unique(clusters).size
        yield (
            f"Patients are what is random, and the planned study is to have as many cases for each as the "
            f"pilot: {each:.3g}"
        )
    if len(pilot.modalities) > 2:
        yield (
            f"The components are those of all {len(pilot.modalities)} modalities of the pilot; the chance is "
            "that of one pair, not adjusted for others"
        )
    if pilot.design != ReaderDesign.CROSSED:
        yield (
            f"The planned study has the pilot's design ({pilot.design}), and its number of cases is what one "
            f"{unit} reads in one modality"
        )
