"""What cut-offs, their tables, their neighbours, and thresholds on new rows mean, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.points.criteria import Criterion, GivenThreshold, Maximum, MinimumCost, TargetRate
from rocsteady.points.cutoffs import Limits, Why
from rocsteady.points.measures import Basis
from rocsteady.scores.columns import word
from rocsteady.show.sentences.averages import what_is_random
from rocsteady.text import (
    COST,
    ERROR,
    FPR,
    LR_NEGATIVE,
    LR_POSITIVE,
    MAXIMA,
    NPV,
    PRECISION,
    PREVALENCE,
    TPR,
    At,
    Count,
    Cut,
    Item,
    Level,
    Model,
    Name,
    Number,
    Quantity,
    Quote,
    Range,
    Rate,
    Scale,
    Stretch,
    Text,
    joined,
    listed,
    paragraph,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.places import Place
    from rocsteady.points.chosen_points import ChosenPoint
    from rocsteady.points.cutoffs import AppliedCutoff, CorrectedCutoff, Cutoff, CutoffIntervals
    from rocsteady.points.measures import TwoByTwo
    from rocsteady.points.multiclass import ClassWeightSearch, NestedErrors
    from rocsteady.points.realised import Promised, Realised
    from rocsteady.points.tables import (
        Neighbourhood,
        OperatingPointTable,
        PointMeasure,
        PointTests,
        SeparatingCases,
    )

SHARE = Quantity("share", Scale.SHARE)

# What a cut-off is chosen for
# ----------------------------

_GOALS = {
    "youden": "the largest {youden} = {tpr} − {fpr}",
    "closest": "the point closest to (0, 1)",
    "eer": "the smallest difference between {fpr} and {fnr}",
}


def aim(criterion: Criterion) -> Text:
    """What was optimised: ``the best TPR that keeps to FPR 5 %``."""
    if isinstance(criterion, TargetRate):
        free = "{tpr}" if criterion.is_of_tpr else "{fpr}"
        at = At(criterion.kept, criterion.rate)
        if criterion.held:
            return phrase(f"the best {free} that keeps to {{at}}", at=at)
        text = f"the best {free} with {{at}} or more ({{share}})"
        return phrase(text, at=at, share=_prevalence(criterion))
    if isinstance(criterion, Maximum):
        what = measured(criterion)
        if criterion.measure == "balanced_accuracy":
            return phrase("the largest {what}", what=what)
        return phrase("the largest {what} ({share})", what=what, share=_prevalence(criterion))
    if not isinstance(criterion, MinimumCost):
        return phrase(_GOALS.get(str(criterion), "{goal}"), goal=Quote(criterion.goal))
    at = At("costs", (criterion.false_positive, criterion.false_negative))
    return phrase("the smallest expected cost: {at}, {share}", at=at, share=_prevalence(criterion))


def measured(criterion: Maximum) -> Item:
    """What is made as large as possible."""
    named = isinstance(criterion.measure, str)
    return phrase(MAXIMA[criterion.measure]) if named else Quote(criterion.name)


def scored(criterion: Maximum) -> Quantity:
    """How its values are shown: accuracies as shares, those of a function as they are."""
    if not isinstance(criterion.measure, str):
        return Quantity(criterion.name)
    return Quantity(criterion.measure, Scale.SHARE if "accuracy" in criterion.measure else Scale.AREA)


def _prevalence(criterion: Maximum | MinimumCost | TargetRate) -> Text:
    """The share of positives that a criterion is meant for."""
    if criterion.prevalence is not None:
        return phrase("prevalence {share}", share=Level(criterion.prevalence))
    if criterion.share is None:
        return phrase("the sample's prevalence")
    return phrase("the sample's prevalence of {share}", share=Rate(PREVALENCE, float(criterion.share)))


# A cut-off
# ---------


cut_of = Cut.of
"""The threshold of a cut-off, or of a point of an average."""


def decision(found: Any, *, is_high: bool = True, variable: str = "") -> Text:
    """Who is called positive; a point of an average does not know whether that is who scores high.

    The score is called by the name of its ``variable``, if there is one.
    """
    if found.fpr == found.tpr == 0:
        return phrase("nothing is called positive")
    sign = getattr(found, "rule", ">=" if is_high else "<=").replace(">=", "≥").replace("<=", "≤")
    score = Quote(variable) if variable else phrase("score")
    rule = phrase(f"{{score}} {sign} {{cut:bare}}", score=score, cut=cut_of(found))
    if found.fpr == found.tpr == 1:
        return phrase("everything is called positive ({rule})", rule=rule)
    return phrase("{rule} is called positive", rule=rule)


def rates(found: Any) -> Text:
    """``TPR 66.7 % and FPR 5.0 %``, with the intervals that there are."""
    own = {rate: getattr(found, f"{rate}_interval", None) for rate in ("tpr", "fpr")}
    return phrase(
        "{tpr} {of_tpr} and {fpr} {of_fpr}",
        of_tpr=Rate(TPR, found.tpr, own["tpr"]),
        of_fpr=Rate(FPR, found.fpr, own["fpr"]),
    )


def cutoff(found: Cutoff) -> Text:
    """The cut-off in a sentence."""
    n, ties = found.all_optima.size - 1, None
    if n:
        template = "; {n} as good" if n > 1 else "; {n} is as good"
        ties = phrase(template, n=Count(n, "other threshold"))
    return paragraph(
        say(
            "{decision}: {rates}, on these rows {aim}{ties}.",
            decision=decision(found),
            rates=rates(found),
            aim=aim(found.criterion),
            ties=ties,
        ),
        say("Rates on the rows that chose it are optimistic."),
    )


def value_on_new_rows(found: Cutoff, corrected: CorrectedCutoff | None) -> Text | None:
    """What a measure that is made large is here, and what to expect: ``: 0.412, about 0.380 on new rows``."""
    if not isinstance(found.criterion, Maximum):
        return None
    quantity = scored(found.criterion)
    here = phrase(": {value}", value=Rate(quantity, found.value))
    if corrected is None:
        return here
    there = Rate(quantity, corrected.value, corrected.value_interval)
    return phrase("{here}, about {there} on new rows", here=here, there=there)


def as_good(found: Cutoff) -> Text:
    """What ties with it: ``; 1 other vertex as good``."""
    n = found.all_optima.size - 1
    return phrase("; {n} as good", n=Count(n, "other vertex")) if n else phrase("")


def applied(found: AppliedCutoff) -> Text:
    """The rates of a threshold that these rows had no say in."""
    if isinstance(found.criterion, GivenThreshold):
        said = say("On these rows {decision}: {rates}.", decision=decision(found), rates=rates(found))
        return paragraph(said, say("The {threshold} was given."))
    return say(
        "On these rows {decision}: {rates}. The {threshold} was chosen elsewhere, for {aim}.",
        decision=decision(found),
        rates=rates(found),
        aim=aim(found.criterion),
    )


def corrected(found: CorrectedCutoff) -> Text:
    """Both rates, as they seem and as they are to be expected."""
    value, what = None, "point" if math.isnan(found.threshold) else "{threshold}"
    if isinstance(found.criterion, Maximum):
        value = phrase(
            "; {name} {apparent} and about {value}",
            name=measured(found.criterion),
            apparent=Rate(scored(found.criterion), found.apparent_value),
            value=Rate(scored(found.criterion), found.value, found.value_interval),
        )
    return say(
        f"{{tpr}} {{apparent_tpr}} on the rows that chose the {what}, about {{of_tpr}} expected on new rows; "
        f"{{fpr}} {{apparent_fpr}} and about {{of_fpr}}{{value}}. The {what} is chosen again in each "
        "resample of the {random}.",
        value=value,
        apparent_tpr=Rate(TPR, found.apparent_tpr),
        of_tpr=Rate(TPR, found.tpr, found.tpr_interval),
        apparent_fpr=Rate(FPR, found.apparent_fpr),
        of_fpr=Rate(FPR, found.fpr, found.fpr_interval),
        random=Quote(found.random),
    )


def chosen_point(found: ChosenPoint) -> Text:
    """The point in a sentence."""
    n, ties, where = found.all_optima.size - 1, None, None
    if n:
        ties = phrase("; {n} as good", n=Count(n, "other point"))
    if not math.isnan(found.fpr):
        where = phrase(": mean {rates}", rates=rates(found))
    return paragraph(
        say(
            "Point {index} has on these {units} {aim}{where}{ties}.",
            index=Quote(str(found.index)),
            aim=aim(found.criterion),
            where=where,
            ties=ties,
        ),
        say("Means over the {units} that chose it are optimistic."),
    )


def intervals(found: CutoffIntervals) -> Text:
    """Where the best threshold of the population lies, and what is random."""
    own = [
        phrase(f"{{{name}}} {{ends}}", ends=Range(quantity, each.low, each.high))
        for name, quantity, each in (("tpr", TPR, found.tpr), ("fpr", FPR, found.fpr))
        if each is not None
    ]
    if found.method == Limits.GIVEN:
        level = Level(found.confidence_level)
        if not own:
            return say("The {threshold} was given; sums of weights have no intervals.")
        text = "The {threshold} was given; with {level} confidence it has {rates}."
        return say(text, level=level, rates=joined(own, " and "))
    how = "by order statistics"
    if found.method != Limits.EXACT:
        how = (
            f"chosen again in each resample of the {'{units}' if found.method == Limits.GROUPS else 'cases'}"
        )
    return say(
        f"The best {{threshold}} in the population lies between {{low}} and {{high}} ({{level}} confidence, "
        f"{how}), with {{rates}} there.",
        low=Number(found.threshold.low, 4),
        high=Number(found.threshold.high, 4),
        level=Level(found.confidence_level),
        rates=joined(own, " and "),
    )


_WHY = {
    Why.WEIGHTED: "rows are weighted",
    Why.NONE_EXPECTED: "fewer than one case is expected beyond the target",
    Why.FEW_CASES: "there are only {n} {cases}",
    Why.CLUMP: "{share} of the {cases} share one score",
    Why.SAME_RATES: "all resamples have the same rates: classes are separated, or all scores are equal",
    Why.SAME_RATES_OF_GROUPS: "all resamples have the same rates: groups are alike, or classes are separated",
    Why.EVERYTHING_WITHIN: "calling everything positive is within the limits",
    Why.NOTHING_WITHIN: "calling nothing positive is within the limits",
    Why.NONE_OF_CLASS_EXPECTED: "fewer than one of the {cases} is expected beyond the target",
    Why.TOO_FEW: "{n} {cases} are too few to bound the {threshold} on both sides; {needed} are enough",
    Why.NEVER_ENOUGH: "no number of {cases} shows where the last one ends",
}
_WHY[Why.BOTH_WITHIN] = f"{_WHY[Why.EVERYTHING_WITHIN]}, and {_WHY[Why.NOTHING_WITHIN]}"


def why(of: Why, facts: Mapping[str, Any]) -> Text:
    """Why a cut-off is not smoothed, or not bounded by the sample."""
    cases = phrase("{positives}" if facts.get("is_positive") else "{negatives}")
    numbers = {name: facts[name] for name in ("n", "needed") if name in facts}
    return phrase(_WHY[of], **numbers, cases=cases, share=Rate(SHARE, facts.get("share", math.nan)))


# Around a table of operating points
# ----------------------------------


def kept(level: float, *, is_given: bool = False) -> Text:
    """Of one threshold for all groups, chosen on these rows or given."""
    if is_given:
        return say("One {threshold} for all {units} ({level} CI).", level=Level(level))
    return say(
        "One {threshold} for all {units} ({level} CI). Its rates are those of keeping it; the last interval "
        "allows for setting it again on other data.",
        level=Level(level),
    )


def flattered(corrected: Sequence[Place], n: int) -> Text:
    """What rates of ``n`` thresholds are worth that these rows chose; some of them are corrected for it."""
    if corrected and len(corrected) == n:
        return say("The {thresholds} were chosen on these rows; the rates allow for that.")
    said = say("The {thresholds} were chosen on these rows; expect slightly worse rates on new data.")
    if not corrected:
        return said
    allow = say("The rates at {places} allow for that already.", places=listed(map(At.of, corrected)))
    return paragraph(said, allow)


def own(level: float, *, is_reader_study: bool, is_given: bool = False) -> Text:
    """Of a threshold for each group, set on these rows or given."""
    if is_given:
        return say("Each {unit} keeps its own {threshold} ({level} CI).", level=Level(level))
    random = "; readers and cases are random" if is_reader_study else ""
    text = f"Each {{unit}} sets its own {{threshold}} ({{level}} CI{random}; the rate that is set has none)."
    return say(text, level=Level(level))


def of_one_dataset(level: float, *, is_chosen: bool) -> Text:
    """Of one dataset."""
    if not is_chosen:
        return say("{level} CI; the {threshold} was not chosen on these rows.", level=Level(level))
    return say(
        "{level} CI. Rates on the rows that chose the {threshold} are optimistic; those on new rows allow "
        "for the choice.",
        level=Level(level),
    )


# The 2x2 table
# -------------

_NOTES = {
    Basis.CASES: "cases are random, within each class, and the prevalence is known",
    Basis.CLUSTERS: (
        "rows that belong together are not independent: sensitivity and specificity have Wilson limits for "
        "the number of independent cases with the same variance; for the other measures there are none"
    ),
    Basis.WEIGHTS: "sums of weights are not numbers of cases, so binomial intervals do not apply",
    Basis.ROWS_OF_GROUPS: "rows of one {unit} are not independent, so binomial intervals do not apply",
    Basis.MEAN_RATES: "mean rates of {units} are not shares of cases, so binomial intervals do not apply",
    Basis.CHOSEN_AGAIN: "the {threshold} is chosen again in each resample of the {random}",
    Basis.CHOSEN_AGAIN_IN_GROUPS: (
        "the {threshold} is chosen again in each resample of the {random}; other measures have no interval"
    ),
    Basis.NOT_DRAWN: "nothing was resampled, so intervals that allow for the choice are unknown",
    Basis.CANNOT_BE_DRAWN: "cases cannot be resampled, so intervals that allow for the choice are unknown",
}


def two_by_two(table: TwoByTwo) -> Text:
    """Predictive values, with the prevalence they are for."""
    whose = "that of these rows" if table.is_sample_prevalence else "as given"
    found = [
        phrase("{name} {value}", name=Name(quantity), value=Rate(quantity, value))
        for quantity, value in (
            (PRECISION, table.ppv),
            (NPV, table.npv),
            (LR_POSITIVE, table.lr_positive),
            (LR_NEGATIVE, table.lr_negative),
        )
        if not math.isnan(value)
    ]
    prevalence = Rate(PREVALENCE, table.prevalence)
    return say(f"At a prevalence of {{share}} ({whose}): {{found}}.", share=prevalence, found=joined(found))


def table_note(table: TwoByTwo) -> Text:
    """What the intervals of a table stand for, or why there are none."""
    note = _NOTES[table._basis]
    if table._basis is Basis.CASES and table.is_sample_prevalence:
        note = "cases are random, of either class"
    flattered = "; the rows that chose the {threshold} flatter it" if table._is_flattered else ""
    return phrase(f"{note}{flattered}", random=Quote(table._random))


# Points that are not statistically different
# -------------------------------------------


def comparison(found: PointTests) -> Text:
    """What was tested, what was found, and what it does not mean."""
    table, n = found._table, found.neighbourhood.size - 1
    verb = "is" if n == 1 else "are"
    said = say(
        f"{{n}} {verb} not statistically different from point {{index}} ({{tests}}).",
        n=Count(n, "other point", of=table.n_points - 1),
        index=Number(found.index, 1) if found.index < 10 else Quote(str(found.index)),
        tests=tests(found),
    )
    untested = None
    if found.untested.size:
        untested = say(
            "{n} could not be tested: too few {units} define the measure.",
            n=Count(found.untested.size, "point"),
        )
    nested = None
    if found.is_nested:
        nested = say("The decisions are nested, so the true rates differ unless no case lies between.")
    shared = None
    if table.design.shares_training and not found.test_train_ratio:
        shared = say("The tests ignore that {units} share training cases.")
    return paragraph(said, say("This does not show that they are equal."), nested, untested, shared)


def tests(found: PointTests, *others: PointTests) -> Text:
    """Which tests, over what, at which level; others are of further measures."""
    table, n_tested = found._table, int(found.n_defined.max())
    adjusted = {None: "", "holm": ", adjusted by Holm", "bh": ", adjusted by Benjamini and Hochberg"}
    shared = ", corrected for shared training cases (Nadeau & Bengio 2003)" if found.test_train_ratio else ""
    all_of = ""
    if len(found.measures) > 1:
        all_of = " (all of them)" if found.combine == "and" else " (at least one of them)"
    return phrase(
        f"paired t tests of {{what}}{all_of} over {{folds}}, level {{alpha}}{adjusted[found.adjust]}{shared}",
        what=listed(_tested(own) for test in (found, *others) for own in test.measures),
        folds=Count(n_tested, table.unit, of=table.n_folds if n_tested < table.n_folds else None),
        alpha=Level(found.alpha),
    )


def _tested(measure: str) -> Item:
    """A measure, or that of one class, in a sentence."""
    kind, _, of = measure.partition(" ")
    if kind.startswith("class_") and of:
        return phrase("{what} of class {of}", what=Quote(kind.removeprefix("class_")), of=Quote(of))
    return Name(Quantity(measure))


def neighbours(found: Neighbourhood, model: str = "") -> Text:
    """From where to where cut-offs are not statistically different from the chosen one, in either rate."""
    thresholds = found.table.thresholds
    assert thresholds is not None
    strict, loose = found.alike
    one = Cut(float(thresholds[found.index]), float(thresholds[min(found.index + 1, thresholds.size - 1)]))
    start = "{model}: no" if model else "No"
    who = {"model": Model(model)} if model else {}
    if strict == loose:
        return say(
            f"{start} other {{threshold}} of those compared is as good as {{one}}: all differ "
            "significantly in {tpr} or {fpr}.",
            one=one,
            **who,
        )
    low, high = sorted((strict, loose))
    start = "{model}: " if model else ""
    return say(
        f"{start}{{thresholds}} from {{stretch}} are not statistically different from {{one:bare}} "
        "in {tpr} or {fpr} ({tests}).",
        stretch=Stretch(low, high, (one.value,)),
        one=one,
        tests=tests(found.by_tpr, found.by_fpr),
        **who,
    )


def separating_cases(found: SeparatingCases) -> Text:
    """What a number of cases rests on."""
    return phrase(
        "the same {folds} with more cases in each, the difference as observed, its variance falling like 1 / "
        "(number of cases), one test at level {alpha}",
        folds=Count(found.n_folds, found.unit),
        alpha=Level(found.alpha),
    )


# Tables, their measures, and class weights
# -----------------------------------------


def table(found: OperatingPointTable) -> Text:
    """What was averaged over what."""
    lacking = None
    if found.undefined:
        lacking = say("{n} without a class.", n=Count(len(found.undefined), found.unit))
    said = say(
        "{points} of {folds}: each measure is the mean over the {units} that define it.",
        points=Count(found.n_points, "operating point"),
        folds=Count(found.n_folds, found.unit),
    )
    return paragraph(said, lacking, what_is_random(found.design, found.n_folds, found.unit))


def measure(found: PointMeasure) -> Text:
    """Where the means lie, and how many folds they are of."""
    n_points, n_folds = found.mean.shape[0], found.per_fold.shape[0]
    known, name = found.mean[np.isfinite(found.mean)], Name(Quantity(found.name))
    points, of_each = Count(n_points, "operating point"), " of each class" * (found.mean.ndim > 1)
    if not known.size:
        return say(f"The {{name}}{of_each} is not defined at any of {{points}}.", name=name, points=points)
    quantity = Quantity(found.name, Scale.SHARE if found.is_share else Scale.NUMBER)
    few, fewest = None, int(found.n_defined.min())
    if fewest < n_folds:
        who = (
            phrase("only {n} define it", n=Count(fewest, found.unit)) if fewest else phrase("none defines it")
        )
        few = say("At some points {who}.", who=who)
    said = say(
        f"The mean {{name}}{of_each} over {{folds}} ranges over {{range}} at {{points}}.",
        name=name,
        folds=Count(n_folds, found.unit),
        range=Range(quantity, float(known.min()), float(known.max())),
        points=points,
    )
    return paragraph(said, few)


def class_weights(found: ClassWeightSearch) -> Text:
    """The best vector, its errors where it was chosen, and elsewhere if that is known."""
    best = found.best
    weights = joined(
        phrase("{name}: {weight}", name=Quote(word(name)), weight=Number(own))
        for name, own in zip(best.classes, best.class_weights, strict=True)
    )
    limits = joined(
        phrase("{limit} of class {name}", name=Quote(word(name)), limit=Rate(ERROR, limit))
        for name, limit in found.at_most.items()
    )
    kept = phrase(" with errors of at most {limits}", limits=limits) if found.at_most else None
    said = say(
        "The best class weights{kept} ({weights}) have a largest class error of {most} and a mean of {mean}. "
        "Errors on the rows that chose them are optimistic.",
        kept=kept,
        weights=weights,
        most=Rate(ERROR, best.max_error),
        mean=Rate(ERROR, best.mean_error),
    )
    return paragraph(said, None if found.nested is None else nested_errors(found.nested))


def nested_errors(found: NestedErrors) -> Text:
    """The largest class error on rows that had no say."""
    mean = None
    if not math.isnan(found.mean_max_error):
        mean = phrase(", {mean} in the average fold", mean=Rate(ERROR, found.mean_max_error))
    return say(
        "With weights for each of {folds} chosen on the others, the largest class error is {most} over all "
        "rows{mean}.",
        folds=Count(len(found.folds), "fold"),
        most=Rate(ERROR, found.max_error),
        mean=mean,
    )


# Thresholds on new rows
# ----------------------


def realised(found: Realised) -> Text:
    """A paragraph: what was set, what came of it, what had been promised, what is random."""
    return paragraph(
        *(sentence(found) for sentence in (_set, _came, _missed, _promised, _by_chance, _random))
    )


def too_few_to_split(group: str, few: Mapping[str, int]) -> Text:
    """Why a group is left out: of which class it has too few cases."""
    return phrase(
        "{group}: {few}, too few to split",
        group=Quote(group),
        few=listed(Count(n, side) for side, n in few.items()),
    )


def _set(r: Realised) -> Text:
    part = "half" if r.n_parts == 2 else "{k} of {n} parts"
    often = ", {often}" if r.n_repeats > 1 else ""
    whose = "its rows" if r.threshold == "own" else "the rows of each {unit}"
    if r.by_case:
        whose = "the cases that {units} share"
    elif r.threshold != "own" and r.split == "groups":
        whose = "the {units}"
    start = (
        "Each {unit} sets its own {threshold}"
        if r.threshold == "own"
        else "One {threshold} for all {units} is set"
    )
    over = " over all rows together" if r.threshold != "own" and r.weigh == "rows" else ""
    return say(
        f"{start} for {{aim}}{over}, on {part} of {whose}{often}.",
        aim=aim(r.target),
        k=r.n_parts - 1,
        n=r.n_parts,
        often=Count(r.n_repeats, "random split"),
    )


def _came(r: Realised) -> Text:
    where = "On the others" if r.split == "groups" or r.by_case else "On the other rows"
    who = "the average {unit}, weighted by rows," if r.weigh == "rows" else "the average {unit}"
    cost = None
    if isinstance(r.target, MinimumCost):
        cost = phrase(" and a cost of {cost} per case", cost=Rate(COST, r.value.mean, r.value.interval))
    return say(f"{where} {who} has {{rates}}{{cost}}.", rates=attained(r), cost=cost)


def attained(r: Realised) -> Text:
    """Both rates on rows that had no say."""
    return phrase(
        "{tpr} {of_tpr} and {fpr} {of_fpr}",
        of_tpr=Rate(TPR, r.tpr.mean, with_width(r.tpr.interval)),
        of_fpr=Rate(FPR, r.fpr.mean, with_width(r.fpr.interval)),
    )


def with_width(interval: Any) -> Any:
    """The interval, unless it has no width: that groups agree does not make a rate certain."""
    return interval if interval is not None and interval.high - interval.low > _ROUNDING else None


_ROUNDING = 1e-9


def _missed(r: Realised) -> Text:
    what = "do worse there than on the rows that set the {threshold}"
    if isinstance(r.target, TargetRate):
        what = "miss the target there"
    share = Rate(SHARE, r.share_over_budget, r.share_over_budget_interval)
    return say(f"{{share}} of {{units}} {what}.", share=share)


def _promised(r: Realised) -> Text:
    def said(own: Promised) -> Text:
        cost = phrase(", cost {cost}", cost=Rate(COST, own.value))
        return phrase(
            "{rates}{cost}", rates=rates(own), cost=cost if isinstance(r.target, MinimumCost) else None
        )

    return say(
        "The rows that set the {threshold} had {part}; set on all rows it has {whole}.",
        part=said(r.promise_on_part),
        whole=said(r.promise),
    )


def _by_chance(r: Realised) -> Text | None:
    """Only own thresholds at a target have it."""
    if math.isnan(r.exchangeable_rate) or not isinstance(r.target, TargetRate):
        return None
    quantity = FPR if r.target.held == "fpr" else TPR
    return say(
        "If new rows are like these, sampling error alone bounds the expected {rate} by {here} here and by "
        "{whole} for a {threshold} set on all rows.",
        rate=Name(quantity),
        here=Rate(quantity, r.exchangeable_rate),
        whole=Rate(quantity, r.exchangeable_rate_all_rows),
    )


def _random(r: Realised) -> Text:
    if len(r.groups) < 2:
        return say("With one {unit}, the spread between {units} and the interval are unknown.")
    groups = Count(len(r.groups), r.unit)
    if r.threshold == "own":
        return say("The {groups} are treated as a random sample of {units}.", groups=groups)
    return say(
        "The {groups} are treated as a random sample of {units}; the intervals average over all random "
        "splits and exclude the variability of choosing one {threshold}.",
        groups=groups,
    )
