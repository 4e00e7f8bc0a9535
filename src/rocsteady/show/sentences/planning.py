"""What plans say: what is known now, what more data would give, and how approximate that is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.planning.readers import of_each_class
from rocsteady.readers.design import ReaderDesign
from rocsteady.show.sentences.inference import measured, quantity_of
from rocsteady.text import (
    AUC,
    At,
    Cases,
    Count,
    Gap,
    Item,
    Level,
    Model,
    Number,
    Quantity,
    Quote,
    Rate,
    Scale,
    Text,
    Width,
    joined,
    listed,
    nouns,
    paragraph,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.planning.groups import Plan, PlanTable
    from rocsteady.planning.plan import AucPlan
    from rocsteady.planning.readers import ReaderPlan

# Groups, and cases in each
# -------------------------


def plan(own: Plan) -> Text:
    """What is known now, what more would give, and how approximate that is."""
    said: list[Text | None] = [_now(own), plan_random(own)]
    if own.n_groups == 1:
        if not math.isnan(own.correlation):
            r = Number(own.correlation, 2)
            said.append(say("Over samples of cases the two numbers correlate at {r}.", r=r))
        said.append(needed(own))
        said.append(say("One {unit} does not show how much {units} differ.", **_of_one(own)))
    elif own.plans_cases:
        word = "repeats" if own.design.kind == "cross-validation" else "{units}"
        said.append(needed(own))
        said.append(
            say(
                f"More {{units}} do not help, because they are parts of the same cases; more cases do. With "
                f"any number of {word} the half-width stays above {{limit:bare}}.",
                **nouns(own.unit),
                limit=Width(_quantity(own), own.half_width_of_repeats),
            )
        )
    else:
        said += [_split(own), needed(own) if own.groups_needed is not None else None, rough(own)]
    if own.is_assumed_average:  # which use of the scores the plan is for, where nobody declared one
        use = "every {unit} sets its own {threshold}"
        if own.average in ("threshold", "pooled"):
            use = "one {threshold} is used for all {units}"
        average = Quote(own.average)
        assumed = f"No deployment was declared; the plan assumes that {use} ({{average}} average)."
        said.append(say(assumed, **nouns(own.unit), average=average))
    return paragraph(*said)


def _of_one(own: Plan) -> dict[str, Item]:
    return nouns("dataset" if own.unit == "group" else own.unit)  # who named no group has a dataset


def _quantity(own: Plan) -> Quantity:
    return quantity_of(own._statistic)


def _now(own: Plan) -> Text:
    """What there is: the mean over groups, or the number of the only one."""
    is_one = own.n_groups == 1
    facts: dict[str, Item] = {
        "measure": measured(own._statistic),
        "where": sizes(own) if is_one else Count(own.n_groups, own.unit),
        "level": Level(own.confidence_level),
        "width": Width(_quantity(own), own.half_width),
        "mean": None if is_one else phrase("mean "),
    }
    if not own.models:
        value = Rate(_quantity(own), own.estimate)
        return say("The {mean}{measure} of {where} is {value} ({level} CI {width}).", value=value, **facts)
    a, b = own.models
    if own.estimate == 0:
        return say(
            "{a} and {b} have the same {mean}{measure} over {where} ({level} CI of the difference {width}).",
            a=Model(a),
            b=Model(b),
            **facts,
        )
    best, other, gap = (a, b, own.estimate) if own.estimate > 0 else (b, a, -own.estimate)
    return say(
        "The {mean}{measure} of {best} is {gap:compared} than that of {other} over {where} "
        "({level} CI {width}).",
        best=Model(best),
        other=Model(other),
        gap=Gap(_quantity(own), gap),
        **facts,
    )


def plan_random(own: Plan) -> Text:
    """What is treated as random."""
    if own.n_groups == 1:
        return say("The cases are treated as a random sample.")
    n = Count(own.n_groups, own.unit)
    if own.plans_cases:
        return say(
            "The cases that models are trained and tested on are treated as random; the interval is "
            "corrected for the training cases that the {n} share.",
            n=n,
        )
    return say("The {n} and their cases are treated as a random sample of {units}.", **nouns(own.unit), n=n)


def sizes(own: Plan, times: float = 1.0) -> Text:
    """Cases of a group of mean size, of the classes that the number depends on."""
    found = (
        Cases(math.ceil(times * n * (1 - 1e-12)), is_positive)
        for n, is_positive, name in (
            (own.n_positives, True, "positives"),
            (own.n_negatives, False, "negatives"),
        )
        if name in own.classes_that_matter
    )
    return joined(found, between=" and ")


def _split(own: Plan) -> Text:
    """How much of the variance lies between groups."""
    whole, facts = own.between + own.within, {**nouns(own.unit), "sizes": sizes(own)}
    if whole == 0:
        return say("There is no variance to plan with: all {units} show the same.", **facts)
    share = own.between / whole
    if share == 0:
        return say(
            "The differences between {units} are within sampling error: all variance can come from the "
            "limited number of cases ({sizes} per {unit}).",
            **facts,
        )
    return say(
        "{share} of the variance lies between {units}; the rest comes from the limited number of cases "
        "({sizes} per {unit}).",
        **facts,
        share=chance(share),
    )


def needed(own: Plan) -> Text | None:
    """How many groups, or cases, reach what is wanted; None where nothing is."""
    if own.half_width_wanted is None and own.difference is None:
        return None
    if own.half_width_wanted is None and own.difference == 0:
        return say("The models do not differ, so no number of cases shows a difference.")
    if own.plans_cases:
        return _needed_cases(own)
    wanted, n = _wanted(own), float(own.groups_needed or 0)
    facts: dict[str, Item] = {**nouns(own.unit), "wanted": wanted}
    if math.isinf(n):
        return say("{wanted}, no number of {units} is enough.", **facts)
    facts |= {"n": Count(int(n), own.unit), "range": _range(own.groups_range)}
    more = "{wanted}, {n} like these are needed{range}, {more} more than now."
    if n <= own.n_groups:
        more = "{wanted}, these {units} are enough: {n} like them would do{range}."
    elif own.half_width_wanted is not None and own.half_width <= own.half_width_wanted:
        more = "{wanted}, these {units} are just enough; a new study needs {n} for an even chance{range}."
    else:
        facts["more"] = Count(int(n) - own.n_groups)
    return paragraph(say(more, **facts), _by_cases(own) if "more" in facts else None)


def _needed_cases(own: Plan) -> Text | None:
    cases, each = own.cases_needed, "" if own.n_groups == 1 else " in each {unit}"
    if own.within == 0:
        return say("There is no variance to plan with: no case contradicts it.")
    if cases is None:
        return None
    facts: dict[str, Item] = {**nouns(own.unit), "wanted": _wanted(own)}
    facts |= {"times": Number(cases.factor), "sizes": sizes(own, cases.factor)}
    enough = cases.factor <= 1
    how = "these cases are enough: {sizes}" if enough else "{times} times the cases are needed: {sizes}"
    first = say(f"{{wanted}}, {how}{each}{' would do' if enough else ''}.", **facts)
    if own.half_width_wanted is not None or own.detectable is None:
        return first
    found = say(
        "With these cases a true difference of {gap} is found with a chance of {chance}.",
        gap=_bare(own, own.detectable),
        chance=Level(own.power_wanted),
    )
    return paragraph(first, found, half_as_large() if own.is_seen_difference else None)


def half_as_large() -> Text:
    """A seen difference is no wish."""
    return say(
        "The planned difference is the one observed; if the true one is half as large, about four times the "
        "data are needed."
    )


def _bare(own: Plan, width: float) -> Text:
    return phrase("{width:bare}", width=Width(_quantity(own), width))


def _wanted(own: Plan) -> Text:
    if own.half_width_wanted is not None:
        width = Width(_quantity(own), own.half_width_wanted)
        if own.assurance is None:
            return say("For an interval of {width}", width=width)
        sure = Level(own.assurance)
        return say("For an interval of {width} with a chance of {sure}", width=width, sure=sure)
    return say(
        "A true difference of {gap} is found with a chance of {now} (test at {alpha}); for {wanted}",
        gap=_bare(own, abs(own.difference or 0.0)),
        now=chance(own.power or 0.0),
        alpha=Level(1 - own.confidence_level),
        wanted=Level(own.power_wanted),
    )


def _range(limits: tuple[float, float] | None) -> Text | None:
    if limits is None:
        return None
    return phrase(" (range {low} to {high})", low=Number(limits[0], 1), high=Number(limits[1], 1))


def _by_cases(own: Plan) -> Text:
    """What more cases in the same groups would do."""
    cases, facts = own.cases_needed, {**nouns(own.unit), "n": Count(own.n_groups, own.unit)}
    if cases is not None and math.isfinite(cases.factor):
        more: dict[str, Item] = {"times": Number(cases.factor), "sizes": sizes(own, cases.factor)}
        return say("Alternatively {times} times the cases in each of these {n}: {sizes}.", **facts, **more)
    limit = phrase("the differences between {units} alone are too large", **facts)
    if own.half_width_wanted is not None:
        limit = phrase("their half-width stays above {limit}", limit=_bare(own, own.floor))
    first = say("With these {n} no number of cases is enough: {limit}.", **facts, limit=limit)
    least = own.groups_at_least or math.inf
    if math.isinf(least):
        return first
    return paragraph(first, say("At least {least} are needed.", least=Count(int(least), own.unit)))


def rough(own: Plan) -> Text:
    """How approximate the plan is."""
    low, high = (math.sqrt(limit) for limit in (own.between_interval.low, own.between_interval.high))
    first = say(
        "The plan is approximate: the standard deviation between {units} is {sd} ({level} CI {low:limits} to "
        "{high}), estimated from {n}.",
        **nouns(own.unit),
        sd=_bare(own, math.sqrt(own.between)),
        level=Level(own.confidence_level),
        low=Width(_quantity(own), low),
        high=_bare(own, high),
        n=Count(own.n_groups, own.unit),
    )
    is_seen = own.half_width_wanted is None and own.difference and own.is_seen_difference
    return paragraph(first, half_as_large() if is_seen else None)


def chance(share: float, *, is_brief: bool = False) -> Text:
    """A chance in whole per cent; neither end unless it is exact.

    >>> [chance(own).plain() for own in (0.8054, 0.9996, 0.0)], chance(0.9996, is_brief=True).plain()
    (['81 %', 'more than 99 %', '0 %'], '> 99 %')
    """
    if 0.995 <= share < 1 - 1e-9:  # a rounding error below 1 is 1
        return phrase("> {n}" if is_brief else "more than {n}", n=Level(0.99))
    if 0 < share < 0.005:
        return phrase("< {n}" if is_brief else "less than {n}", n=Level(0.01))
    return phrase("{n}", n=Level(round(share, 2)))


_METHODS = {
    "delong": "DeLong's variance",
    "paired": "DeLong's variance of paired cases",
    "frozen": "binomial variance",
    "slope": "binomial variance and slope of the curve",
    "average slope": "binomial variance and slope of the average",
    "bootstrap": "bootstrap of the cases",
}


def method(own: Plan) -> Text:
    """Where the variance within groups comes from."""
    return phrase(_METHODS[own._luck])


# On the page

DESIGNS = say("Other numbers of {units} and of cases")
DESIGNS_OF_CASES = say("Other numbers of cases")
DESIGNS_OF_READERS = say("Other numbers of {units}")


def brief(own: Plan, table: PlanTable) -> Text:
    """What there is, what twice the data would give, and what is needed."""
    sizes_of = zip(
        table.n_groups.tolist(), table.times_cases.tolist(), table.half_width.tolist(), strict=True
    )
    widths = {(n, times): Width(_quantity(own), width) for n, times, width in sizes_of}
    facts: dict[str, Item] = {"now": widths[own.n_groups, 1.0], "cases": widths[own.n_groups, 2.0]}
    if own.plans_cases:
        return paragraph(_now(own), say("Twice the cases would give {cases}.", **facts), needed(own))
    facts |= {"n": Count(2 * own.n_groups), "groups": widths[2 * own.n_groups, 1.0]}
    twice = (
        "A new study of this size is expected to give {now}, one with twice the {units} ({n}) {groups}, one "
        "with twice the cases per {unit} {cases}."
    )
    return paragraph(_now(own), say(twice, **facts), needed(own))


def of_area(place: Any) -> Text:
    """That the declared point has no plan of its own."""
    return say("For {place} itself there is no plan; this one is for the AUC.", place=At.of(place))


def times(n: float) -> Text:
    """How many times the cases there are."""
    if math.isinf(n):
        return phrase("any number of cases")
    return phrase("these cases") if n == 1 else phrase("{n} × the cases", n=Number(n, is_declared=True))


def width(own: Plan, half_width: float) -> Width:
    """Of the interval that a design gives."""
    return Width(_quantity(own), half_width)


def design(own: Plan, half_width: float, power: float) -> Item:
    """What a design gives."""
    if math.isnan(power):
        return width(own, half_width)
    return phrase("{width:cell}; {chance}", width=width(own, half_width), chance=chance(power, is_brief=True))


def about_designs(own: Plan) -> Text:
    """What the cells are."""
    facts: dict[str, Item] = {"level": Level(own.confidence_level), "measure": measured(own._statistic)}
    facts["mean"] = None if own.n_groups == 1 else phrase("mean ")
    facts["sizes"] = None if own.plans_cases else phrase("; now {n} per {unit}", n=sizes(own))
    facts["unit_"] = phrase(", in points") if _quantity(own).scale is Scale.SHARE else None
    if not own.models:
        return say("Half-width of the {level} CI of the {mean}{measure}{unit_}{sizes}", **facts)
    gap = _bare(own, abs(own.difference or 0.0))
    return say(
        "Half-width of the {level} CI of the difference in {mean}{measure}{unit_}, and the chance to find a "
        "true difference of {gap}{sizes}",
        **facts,
        gap=gap,
    )


def size(n: float) -> Item:
    """A number of cases in a cell."""
    return Number(n) if math.isinf(n) or math.isnan(n) else Count(n)


def brief_of_readers(own: ReaderPlan) -> Text:
    """The chance of this study, and what is needed."""
    return paragraph(_now_of_study(own), *_needed_of_study(own)[:2])


def about_readers(own: ReaderPlan, *, has_cases: bool) -> Text:
    """What the rows are."""
    if has_cases:
        return say("The chance with {cases}", cases=Count(own.n_cases, "case"))
    return say("Cases for a chance of {power}, each read by every {unit}", power=chance(own.power_wanted))


# An AUC, from numbers alone
# --------------------------


def _typed(number: float) -> Number:
    return Number(number, is_declared=True)


_WHOSE = {
    "binormal": "that of normal scores with equal spread",
    "hanley-mcneil": "Hanley and McNeil's",
    "obuchowski": "Obuchowski's",
}


def auc(own: AucPlan) -> Text:
    """What a plan from numbers alone means."""
    what = phrase("an AUC of {a} against {b}", a=_typed(own.auc), b=_typed(own.other))
    if own.is_paired:
        gap = _typed(abs(own.auc - own.other))
        what = phrase("a difference of {gap} between two AUCs on the same cases", gap=gap)
    return paragraph(
        say(
            "With {positives} and {negatives}, {what} is found with a chance of {power} (two-sided test at "
            "{alpha}); the {level} interval is {width}.",
            positives=Cases(int(own.n_positives), True),
            negatives=Cases(int(own.n_negatives), False),
            what=what,
            power=chance(own.power),
            alpha=Level(1 - own.confidence_level),
            level=Level(own.confidence_level),
            width=Width(AUC, own.half_width),
        ),
        auc_random(own),
        say(f"The variance is {_WHOSE[own.variance]}."),
    )


def auc_random(own: AucPlan) -> Text:
    """What is treated as random."""
    return say("The cases of one dataset are treated as a random sample.")


# Reader studies
# --------------

_NESTED = {
    ReaderDesign.READERS_IN_MODALITIES: "each {unit} reads with one modality only",
    ReaderDesign.CASES_IN_READERS: "cases nested in {units}: each {unit} reads cases of their own",
    ReaderDesign.CASES_IN_MODALITIES: "cases nested in modalities",
    ReaderDesign.SPLIT_PLOT: "split-plot",
    ReaderDesign.ALL_APART: "each modality has {units} and cases of its own",
    ReaderDesign.PARTLY: "partly crossed",
}
_COMPONENTS = {
    "modality_reader": "the variance of modalities within readers",
    "case_gain": "Cov2 − Cov3",
    "own_error": "Var − Cov1 − (Cov2 − Cov3)",
}


def readers(own: ReaderPlan) -> Text:
    """What is shown with which chance, what is needed, what is random, what the plan rests on."""
    return paragraph(_now_of_study(own), *_needed_of_study(own), readers_random(own), *notes_of_readers(own))


def readers_random(own: ReaderPlan) -> Text:
    """What is treated as random, and so what the result is about."""
    has_patients = own._pilot is not None and own._pilot.ratings.clusters is not None
    drawn, facts = "patients" if has_patients else "cases", nouns(own.unit)
    if own.cases_are == "fixed":
        return say("Only {units} are treated as a random sample; the cases are fixed.", **facts)
    if own.readers_are == "fixed":
        n = Count(own.n_readers or 2, own.unit)
        return say(f"The {drawn} are treated as a random sample; the {{n}} are fixed.", n=n)
    return say(f"Both {{units}} and {drawn} are treated as random samples.", **facts)


def set_to_zero(own: ReaderPlan) -> Iterator[Text]:
    """Components that came out negative."""
    return (phrase(_COMPONENTS[name]) for name in own.components.below_zero)


def notes_of_readers(own: ReaderPlan) -> Iterator[Text]:
    """How approximate the plan is, and what was done to the components."""
    pilot, zero, facts = own._pilot, list(set_to_zero(own)), nouns(own.unit)
    if zero:
        verb = "was" if len(zero) == 1 else "were"
        yield say(f"{{which}} came out negative and {verb} set to 0.", which=listed(zero))
    if own.power_range is not None and own._pilot_readers is not None:
        low, high = (chance(limit) for limit in own.power_range)
        if low != high:
            yield say(
                "The plan is approximate: how much modalities differ within {units} is estimated from {n}; "
                "at its 95 % limits the chance is {low} to {high}.",
                **facts,
                n=Count(own._pilot_readers, own.unit),
                low=low,
                high=high,
            )
    if own.is_seen_difference:
        yield say(
            "The planned difference is the one observed in the pilot; say what difference would matter."
        )
    if pilot is None:
        return
    clusters = pilot.ratings.clusters
    if own.cases_are == "random" and clusters is not None:
        each = Number(clusters.size / np.unique(clusters).size)
        yield say("The planned study has as many cases for each patient as the pilot: {n}.", n=each)
    if len(pilot.modalities) > 2:
        yield say(
            "The components are those of all {n} modalities of the pilot; the chance is that of one pair, "
            "not adjusted for others.",
            n=len(pilot.modalities),
        )
    if pilot.design != ReaderDesign.CROSSED:
        yield say(
            f"The planned study has the pilot's design ({_NESTED[ReaderDesign(pilot.design)]}); its number "
            "of cases is what one {unit} reads in one modality.",
            **facts,
        )


def _shown_by(own: ReaderPlan) -> Text:
    """What the study is to show; a sentence goes on with "with a chance of"."""
    what = Quote(own.quantity)
    if own.test == "difference":
        gap = _typed(abs(own.difference))
        return phrase("a true difference of {gap} in {what} is found", gap=gap, what=what)
    if own.difference == 0:
        truth = phrase("the two do not differ")
    elif own.test == "equivalence":
        truth = phrase("the true difference is {gap}", gap=_typed(abs(own.difference)))
    else:
        side = "better" if own.gain > 0 else "worse"
        truth = phrase(f"the new modality is {side} by {{gap}}", gap=_typed(abs(own.gain)))
    return phrase(
        f"{own.test} in {{what}} within a margin of {{margin}} is shown, if {{truth}},",
        what=what,
        margin=_typed(own.margin),
        truth=truth,
    )


def _test(own: ReaderPlan) -> Text:
    """The test and its level, as it is carried out."""
    if own.test == "difference":
        return phrase("two-sided test at {alpha}", alpha=Level(own.alpha))
    tests = "one-sided test" if own.test == "non-inferiority" else "two one-sided tests"
    return phrase(f"{tests} at {{alpha}}", alpha=Level(own.alpha / 2))


def cases_of(own: ReaderPlan, n_cases: float, of_each: tuple[Any, Any]) -> Text:
    """A number of cases, and how many of each class where the ratio is known."""
    if math.isinf(n_cases):
        return phrase("any number of cases")
    whole = Count(int(n_cases), "case")
    if math.isnan(of_each[0]):
        return phrase("{n}", n=whole)
    positives, negatives = Cases(int(of_each[0]), True), Cases(int(of_each[1]), False)
    return phrase("{n} ({a} and {b})", n=whole, a=positives, b=negatives)


def _now_of_study(own: ReaderPlan) -> Text:
    facts: dict[str, Item] = {"goal": _shown_by(own), "test": _test(own)}
    if own.n_readers is None:
        wanted = chance(own.power_wanted)
        return say("The study is planned so that {goal} with a chance of {wanted} ({test}).", **facts,
                   wanted=wanted)  # fmt: skip
    return say(
        "With {who} and {cases} {goal} with a chance of {power} ({test}).",
        **facts,
        who=Count(own.n_readers, own.unit),
        cases=cases_of(own, own.n_cases, of_each_class(own.n_cases, own.ratio)),
        power=chance(own.power),
    )


def _needed_of_study(own: ReaderPlan) -> list[Text]:
    facts: dict[str, Item] = {**nouns(own.unit), "wanted": chance(own.power_wanted)}
    said: list[Text] = []
    if own.n_readers is not None:
        facts["who"] = Count(own.n_readers, own.unit)
        if math.isinf(own.cases_needed):
            said.append(say("For {wanted}, no number of cases is enough with {who}.", **facts))
        else:
            cases = cases_of(own, own.cases_needed, of_each_class(own.cases_needed, own.ratio))
            verb = "needs" if own.n_readers == 1 else "need"
            said.append(say(f"For {{wanted}}, {{who}} {verb} {{cases}}.", **facts, cases=cases))
    if math.isnan(own.readers_needed):
        return said
    facts["cases"] = Count(int(own.n_cases), "case")
    if math.isfinite(own.readers_needed):
        n = Count(int(own.readers_needed), own.unit)
        said.append(say("For {wanted}, {cases} need {n}.", **facts, n=n))
    else:
        said.append(say("With {cases} no number of {units} is enough.", **facts))
    least = own.readers_at_least
    if math.isfinite(least) and least > (1 if own.readers_are == "fixed" else 2):
        fewer = Count(int(least) - 1, own.unit)
        said.append(say("With {fewer} or fewer no number of cases is enough.", fewer=fewer))
    return said
