"""What cut-offs, their tables, points that are not told apart, and thresholds on new rows mean, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.points.criteria import Criterion, MinimumCost, TargetRate
from rocsteady.points.cutoffs import Limits, Why
from rocsteady.points.measures import Basis
from rocsteady.scores.columns import word
from rocsteady.words import class_cases, counted, grouped, listed, percent, plural, printable

if TYPE_CHECKING:
    from rocsteady.points.cutoffs import AppliedCutoff, CorrectedCutoff, Cutoff, CutoffIntervals
    from rocsteady.points.measures import TwoByTwo
    from rocsteady.points.multiclass import ClassWeightSearch, NestedErrors
    from rocsteady.points.realised import Promised, Realised
    from rocsteady.points.tables import OperatingPointTable, PointMeasure, PointTests, SeparatingCases
    from rocsteady.statistics.limits import Interval

_ROUNDING = 1e-9
_MOST_PLACES = 7

# What a cut-off is chosen for
# ----------------------------


def aim(criterion: Criterion) -> str:
    """What was optimised: "the largest TPR - FPR"."""
    if isinstance(criterion, TargetRate):
        if criterion.held == "fpr":
            return f"the largest TPR with FPR at most {criterion.rate:g}"
        return f"the smallest FPR with TPR at least {criterion.rate:g}"
    if not isinstance(criterion, MinimumCost):
        return criterion.goal
    share = f"prevalence {criterion.prevalence:g}" if criterion.prevalence is not None else ""
    if criterion.prevalence is None:
        known = "" if criterion.share is None else f" ({float(criterion.share):.3g})"
        share = f"the sample's prevalence{known}"
    costs = f"{criterion.false_positive:g} for a false positive and {criterion.false_negative:g} for a miss"
    return f"the smallest expected cost ({costs}, {share})"


# A cut-off
# ---------


def cutoff(found: Cutoff) -> str:
    """The cut-off in a sentence."""
    n, ties = found.all_optima.size - 1, ""
    if n:
        most, more = float(found._curve.tpr[found.all_optima[-1]]), ""
        if isinstance(found.criterion, TargetRate) and found.criterion.held == "tpr" and most > found.tpr:
            more = f", up to TPR {percent(most)}"  # what a looser vertex has for the same price
        ties = f" (so {'does' if n == 1 else 'do'} {_other_vertices(n)}{more})"
    return (
        f"{_decision(found).capitalize()}: TPR {percent(found.tpr)} and FPR {percent(found.fpr)}; on these "
        f"rows that gives {found.criterion.aim}{ties}, and the rows that a cut-off is chosen on flatter it."
    )


def as_good(found: Cutoff) -> str:
    """What ties with it: "; 1 other vertex as good"."""
    n = found.all_optima.size - 1
    return f"; {_other_vertices(n)} as good" if n else ""


def _other_vertices(n: int) -> str:
    return f"{grouped(n)} other {'vertex' if n == 1 else 'vertices'}"


def applied(found: AppliedCutoff) -> str:
    """The rates on other rows."""
    return (
        f"On these rows {_decision(found)}: TPR {percent(found.tpr)}, "
        f"FPR {percent(found.fpr)}; the threshold was chosen elsewhere, for {found.criterion.aim}."
    )


def _decision(found: Cutoff | AppliedCutoff) -> str:
    if found.fpr == found.tpr == 0:
        return "nothing is called positive"
    rule = f"score {found.rule} {found.threshold:.6g}"
    if found.fpr == found.tpr == 1:
        return f"everything is called positive ({rule})"
    return f"{rule} is called positive"


def corrected(found: CorrectedCutoff) -> str:
    """Both rates, as they seem and as they are to be expected."""
    rates = []
    for name, apparent, expected, own in (
        ("TPR", found.apparent_tpr, found.tpr, found.tpr_interval),
        ("FPR", found.apparent_fpr, found.fpr, found.fpr_interval),
    ):
        limits = "" if own is None else f", {percent(own.low)} to {percent(own.high)}"
        rates.append(
            f"{name} {percent(apparent)} on the rows the cut-off was chosen on, about {percent(expected)} "
            f"expected on new rows{limits}"
        )
    return (
        f"{'; '.join(rates)} ({100 * found.confidence_level:g} % confidence; {found.random} are random, and "
        f"the cut-off is chosen again in every resample)."
    )


def intervals(found: CutoffIntervals) -> str:
    """Where the best threshold of the population lies, and what is random."""
    rates = " and ".join(
        f"{name} {percent(own.low)} to {percent(own.high)}"
        for name, own in (("TPR", found.tpr), ("FPR", found.fpr))
        if own is not None
    )
    random = plural(found.unit) if found.method == Limits.GROUPS else "cases of both classes"
    is_exact = found.method == Limits.EXACT
    made = "limits by order statistics" if is_exact else "the cut-off is chosen anew in every resample"
    return (
        f"The best threshold of the population lies between {found.threshold.low:.4g} and "
        f"{found.threshold.high:.4g}, and has {rates} there ({100 * found.confidence_level:g} % confidence, "
        f"each by itself; {random} are random, {made})."
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
    Why.TOO_FEW: "{n} {cases} are too few to bound the threshold on both sides; {needed} are enough",
    Why.NEVER_ENOUGH: "no number of {cases} shows where the last one ends",
}
_WHY[Why.BOTH_WITHIN] = f"{_WHY[Why.EVERYTHING_WITHIN]}, and {_WHY[Why.NOTHING_WITHIN]}"


def why(of: Why, facts: Mapping[str, Any]) -> str:
    """Why a cut-off is not smoothed, or not bounded by the sample."""
    cases = "positives" if facts.get("is_positive") else "negatives"
    return _WHY[of].format(**{**facts, "cases": cases, "share": percent(facts.get("share", 0))})


# The 2x2 table
# -------------

_CHOSEN = "the cut-off is chosen again in every resample, and intervals are without what choosing adds"
_NOTES = {
    Basis.CLUSTERS: (
        "rows that belong together are not independent: sensitivity and specificity have Wilson's limits of "
        "as many independent cases as would have the same variance; of the other measures no such limits are "
        "known"
    ),
    Basis.WEIGHTS: "sums of weights are no numbers of cases, so there are no binomial intervals",
    Basis.ROWS_OF_GROUPS: (
        "rows of one group are no independent cases; intervals over groups are in average.at(threshold=...)"
    ),
    Basis.MEAN_RATES: (
        "mean rates of groups are no shares of cases; their intervals are in average.at(threshold=...)"
    ),
    Basis.CHOSEN_AGAIN: _CHOSEN,
    Basis.CHOSEN_AGAIN_IN_GROUPS: f"{_CHOSEN}; of other measures of groups there are none",
    Basis.NOT_DRAWN: "nothing was drawn again, so there are no intervals that know of the choice",
    Basis.CANNOT_BE_DRAWN: "cases cannot be drawn again, so there are no intervals that know of the choice",
}


def two_by_two(table: TwoByTwo) -> str:
    """Predictive values, with the prevalence they are for."""
    whose = "that of these rows" if table.is_sample_prevalence else "as given"
    found = f"At a prevalence of {percent(table.prevalence)} ({whose})"
    if table.sensitivity == 0 and table.specificity == 1:
        return f"{found}, nobody is called positive; {percent(table.npv)} of negative calls are right."
    if table.sensitivity == 1 and table.specificity == 0:
        return f"{found}, nobody is called negative; {percent(table.ppv)} of positive calls are right."
    found += (
        f", {percent(table.ppv)} of positive calls and {percent(table.npv)} of negative calls are right; "
    )
    by_negative = f"multiplies the odds by {table.lr_negative:.3g}"
    if table.specificity == 1:
        return f"{found}no negative is called positive, and a negative call {by_negative}."
    by_positive = f"a positive call multiplies the odds by {table.lr_positive:.3g}"
    if table.specificity == 0:
        return f"{found}{by_positive}, and no negative is called negative."
    return f"{found}{by_positive}, a negative one by {table.lr_negative:.3g}."


def table_note(table: TwoByTwo) -> str:
    """What the intervals of a table stand for, or why there are none."""
    if table._basis is Basis.CASES:
        note = "cases are random, of each class as many as there are; the prevalence is taken as known"
        if table.is_sample_prevalence:
            note = "cases are random; predictive values hold where positives are as frequent as in these rows"
    else:
        note = _NOTES[table._basis]
    if table._basis in (Basis.CHOSEN_AGAIN, Basis.CHOSEN_AGAIN_IN_GROUPS):
        note = f"{table._random} are random; {note}"
    flattered = "; the rows that the cut-off was chosen on flatter it" if table._is_flattered else ""
    return note + flattered


# Points that cannot be told apart
# --------------------------------


def comparison(found: PointTests) -> str:
    """What was tested, what was found, and what it does not mean."""
    table = found._table
    alike = (
        f"{grouped(found.neighbourhood.size - 1)} of {counted(table.n_points - 1, 'other point')} cannot be "
        f"told apart from point {found.index} by this sample."
    )
    if found.untested.size:
        defined = f"too few {plural(table.unit)} define the measure"
        alike += f" {counted(found.untested.size, 'point')} could not be tested: {defined}."
    return f"{_tested(found)}: {alike} {_caveats(found)}"


def _tested(found: PointTests) -> str:
    table, what = found._table, listed(list(found.measures))
    if len(found.measures) > 1:
        what += " (all of them)" if found.combine == "and" else " (at least one of them)"
    n_tested = int(found.n_defined.max())
    folds = counted(table.n_folds, table.unit)
    if n_tested < table.n_folds:  # the others lack a class, and with it the measure
        folds = f"{grouped(n_tested)} of {folds}"
    adjusted = {
        None: " for each point by itself",
        "holm": ", adjusted by Holm",
        "bh": ", adjusted by Benjamini and Hochberg",
    }[found.adjust]
    shared = ""
    if found.test_train_ratio:
        ratio = f"(Nadeau and Bengio, {found.test_train_ratio:.3g})"
        shared = f", with a correction for shared training data {ratio}"
    return f"Paired t tests of {what} over {folds}, at level {found.alpha:g}{adjusted}{shared}"


def _caveats(found: PointTests) -> str:
    """What a test that does not reject does not say (errata P4, P5)."""
    said = "Not rejected is not equal: it means that this sample cannot size the difference."
    if found.is_nested:
        said = (
            "Not rejected is not equal: the decisions are nested, so the rates do differ unless no case "
            "lies between; this sample cannot size the difference."
        )
    if found._table.design.shares_training and not found.test_train_ratio:
        said += " The folds count as independent here, though they share training data."
    return said


def separating_cases(found: SeparatingCases) -> str:
    """What a number of cases rests on."""
    return (
        f"the same {counted(found.n_folds, found.unit)} with more cases in each, the difference as seen, its "
        f"variance falling like 1 / (number of cases), one test at level {found.alpha:g}"
    )


# Tables, their measures, and class weights
# -----------------------------------------


def table(found: OperatingPointTable) -> str:
    """What was averaged over what."""
    units = plural(found.unit)
    said = (
        f"{counted(found.n_points, 'operating point')} of {counted(found.n_folds, found.unit)}: every "
        f"measure is averaged over the {units} that define it. The {units} are random."
    )
    if found.undefined:
        lack = "lacks" if len(found.undefined) == 1 else "lack"
        said += f" {counted(len(found.undefined), found.unit)} {lack} a class."
    if found.design.shares_training:
        said += f" The {units} share training data, which standard errors allow for."
    return printable(said)


def measure(found: PointMeasure) -> str:
    """Where the means lie, and how many folds they are of."""
    n_points, n_folds = found.mean.shape[0], found.per_fold.shape[0]
    folds, of_each = counted(n_folds, found.unit), " of each class" * (found.mean.ndim > 1)
    known = found.mean[np.isfinite(found.mean)]
    if not known.size:
        return printable(f"The {found.name}{of_each} is defined at none of {counted(n_points, 'point')}.")
    ends = [percent(own) if found.is_share else f"{own:.4g}" for own in (known.min(), known.max())]
    few = ""
    fewest = int(found.n_defined.min())
    if fewest < n_folds:
        few = f" At some points {f'only {grouped(fewest)}' if fewest else 'none'} of them define it."
    return printable(
        f"The mean {found.name}{of_each} over {folds} lies between {ends[0]} and {ends[1]} at "
        f"{counted(n_points, 'operating point')}.{few} The {plural(found.unit)} are random."
    )


def class_weights(found: ClassWeightSearch) -> str:
    """The best vector, its errors where it was chosen, and elsewhere if that is known."""
    best = found.best
    shown = ", ".join(
        f"{printable(word(name))}: {own:.3g}"
        for name, own in zip(best.classes, best.class_weights, strict=True)
    )
    said = (
        f"The best class weights ({shown}) have a largest class error of {percent(best.max_error)} and a "
        f"mean of {percent(best.mean_error)}. They were chosen on these rows, so these errors are too low."
    )
    return said if found.nested is None else f"{said} {nested_errors(found.nested)}"


def nested_errors(found: NestedErrors) -> str:
    """The largest class error on rows that had no say."""
    mean = f", {percent(found.mean_max_error)} in the mean fold"
    mean = "" if math.isnan(found.mean_max_error) else mean
    return (
        f"With each of {counted(len(found.folds), 'fold')} judged by weights chosen without it, the largest "
        f"class error is {percent(found.max_error)} in all folds together{mean}."
    )


# Thresholds on new rows
# ----------------------


def realised(found: Realised) -> str:
    """A paragraph: what was set, what came of it, what had been promised, what is random."""
    sentences = (_set, _came, _missed, _promised, _by_chance, _random)
    return " ".join(filter(None, (sentence(found) for sentence in sentences)))


def too_few_to_split(group: str, few: Mapping[str, int]) -> str:
    """Why a group is left out: of which class it has too few cases."""
    return f"{group}: {' and '.join(counted(n, side) for side, n in few.items())}, too few to split"


def in_short(found: Realised) -> str:
    """Groups, rates and misses in one line."""
    groups = counted(len(found.groups), printable(found.unit))
    missed = (
        f"{percent(found.share_over_budget)} {'over budget' if found.target.held else 'worse than promised'}"
    )
    return f"{groups}: fpr {found.fpr.mean:.4f}, tpr {found.tpr.mean:.4f}, {missed}"


def _some(n_parts: int, whole: str) -> str:
    return f"half of {whole}" if n_parts == 2 else f"{n_parts - 1} of {n_parts} parts of {whole}"


def _set(r: Realised) -> str:
    goal = r.target.aim
    if isinstance(r.target, TargetRate) and r.target.held == "fpr":
        goal += " (the loosest that keeps to it)"
    often = "" if r.n_repeats == 1 else f" (dealt {r.n_repeats} times)"
    if r.threshold == "own":
        return f"Every {r.unit} sets its own threshold for {goal}, on {_some(r.n_parts, 'its rows')}{often}."
    whole = f"the {plural(r.unit)}" if r.split == "groups" else f"the rows of every {r.unit}"
    if r.by_case:
        whole = f"the cases that {plural(r.unit)} share"
    over = f"the average {r.unit}" if r.weigh == "groups" else "all rows together"
    set_on = f"{_some(r.n_parts, whole)}{often}"
    return f"One threshold for all {plural(r.unit)} is set on {set_on}, for {goal} in {over}."


def with_limits(share: float, interval: Interval) -> str:
    """A share in per cent with its interval, in as many places as tell the limits from the share.

    No interval where all groups are alike: that they agree does not make it certain.

    Examples
    --------
    >>> from rocsteady.statistics.limits import Interval
    >>> with_limits(0.712, Interval(0.65, 0.774, 0.95, "t"))
    '71.2 % (95 % CI 65.0 % to 77.4 %)'
    >>> with_limits(0.005, Interval(0.0049, 0.0051, 0.95, "t"))
    '0.50 % (95 % CI 0.49 % to 0.51 %)'
    """
    if math.isnan(interval.low) or interval.high - interval.low < _ROUNDING:
        return percent(share)
    numbers = (share, *(min(max(limit, 0.0), 1.0) for limit in (interval.low, interval.high)))
    shown, places = [percent(number) for number in numbers], 2
    while places <= _MOST_PLACES and any(
        own == shown[0] and abs(limit - share) > _ROUNDING
        for own, limit in zip(shown[1:], numbers[1:], strict=True)
    ):
        shown = [f"{100 * n:g} %" if n in (0, 1) else f"{100 * n:.{places}f} %" for n in numbers]
        places += 1
    return f"{shown[0]} ({100 * interval.confidence_level:g} % CI {shown[1]} to {shown[2]})"


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
        low, high, limits = r.value.interval.low, r.value.interval.high, ""
        if high - low > _ROUNDING * abs(high):  # neither NaN nor certain
            limits = f" ({100 * r.confidence_level:g} % CI {low:.4g} to {high:.4g})"
        cost = f", at a cost of {r.value.mean:.4g} per case{limits}"
    return f"{where} {subject} {rates}{cost}."


def _missed(r: Realised) -> str:
    share = f"{with_limits(r.share_over_budget, r.share_over_budget_interval)} of {plural(r.unit)}"
    if not isinstance(r.target, TargetRate):
        what = "pay more" if isinstance(r.target, MinimumCost) else "do worse"
        return f"{share} {what} there than promised."
    rate, side = (
        ("false positive rate", "above") if r.target.held == "fpr" else ("true positive rate", "below")
    )
    return f"{share} miss the target there: their {rate} is {side} {percent(r.target.rate)}."


def _promised(r: Realised) -> str:
    def said(own: Promised) -> str:
        cost = f", cost {own.value:.4g}" if isinstance(r.target, MinimumCost) else ""
        return f"FPR {percent(own.fpr)}, TPR {percent(own.tpr)}{cost}"

    rows = "rows" if r.split == "rows" else plural(r.unit)
    return (
        f"The {rows} used for setting had promised {said(r.promise_on_part)}; "
        f"all {rows} promise {said(r.promise)}."
    )


def _by_chance(r: Realised) -> str:
    """Only own thresholds at a target have it."""
    if math.isnan(r.exchangeable_rate) or not isinstance(r.target, TargetRate):
        return ""
    name, bound = ("FPR", "at most") if r.target.held == "fpr" else ("TPR", "at least")
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
