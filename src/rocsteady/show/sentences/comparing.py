"""What comparisons say: the size of a difference first, its p-value second; what is random, what is held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.averaging.methods import AtAlarmRate, Pooled
from rocsteady.curves.intervals import runs_of
from rocsteady.inference.differences import Budget, Measure, Test, leader
from rocsteady.scores.design import Random
from rocsteady.words import (
    CANNOT_BE_TOLD,
    counted,
    grouped,
    listed,
    number,
    p_words,
    percent,
    plural,
    printable,
    what_groups_are,
)

if TYPE_CHECKING:
    from rocsteady.arrays import Floats, Mask
    from rocsteady.inference.differences import (
        Compared,
        Comparison,
        Comparisons,
        Difference,
        DifferenceCurve,
    )


_MOST_RANGES = 3


# What a difference is of, what is held, which test, what is random
# -----------------------------------------------------------------


def measured(of: Compared) -> str:
    """What was measured, without where."""
    if of.measure is Measure.AREA:
        return f"area under the {of.method.label} average"
    is_mean = of.measure is Measure.AUC and not (of.random != Random.GROUPS and of.is_one_dataset)
    return f"mean {of.measure}" if is_mean else str(of.measure)


def quantity(of: Compared) -> str:
    """What was measured, and where."""
    if of.measure in (Measure.AUC, Measure.AREA):
        return measured(of)
    if of.place is None:
        return f"{of.measure} at own thresholds"
    where, at_thresholds = _where(of)
    if of.place.kind == "threshold":
        return f"{of.measure} at {at_thresholds}"
    return f"{of.measure} at {_HELD[of.place.kind]} {where}"


def quantity_at_thresholds(of: Compared) -> str:
    """The same for pairs of models whose thresholds are not all alike."""
    return f"{of.measure} at thresholds"


_HELD = {"fpr": "FPR", "tpr": "TPR", "alerts": "alert rate"}


def _where(of: Compared) -> tuple[str, str]:
    """The value of a place, and after the word for a threshold, or for two."""
    assert of.place is not None
    a, b = of.a, of.b
    one, other = of.place.of(a), of.place.of(b)
    if one == other:
        return f"{one:.6g}", f"threshold {one:.6g}"
    where = f"{one:.6g} ({printable(a)}) and {other:.6g} ({printable(b)})"
    return where, f"thresholds {where}"


def held(of: Compared) -> str:
    """What is held and who meets it; empty for areas."""
    if of.budget is None:
        return ""
    if of.place is None:
        return f"at thresholds of every {of.unit} that stay"
    where, at_thresholds = _where(of)
    if of.budget is Budget.KEPT:
        return f"at the frozen {at_thresholds}"
    name, is_again = _HELD[of.place.kind], of.random != Random.GROUPS
    if of.budget is Budget.SHARED:
        mean = "an overall" if isinstance(of.method, Pooled) else "a mean"
        how = f"one threshold for all {plural(of.unit)}; that it would be chosen again is counted"
        if is_again:
            how = "one threshold, chosen again in every resample of cases"
        return f"at {mean} {name} of {where} ({how})"
    if is_again:
        who = "it is met" if of.is_one_dataset else f"every {of.unit} meets it"
        return f"at {name} {where} ({who} again in every resample of cases)"
    how = f"every {of.unit} meets it with its own threshold"
    if of.place.kind == "alerts" and isinstance(of.method, AtAlarmRate):
        how += f", in a population with {percent(of.method.prevalence)} positives"
    return f"at {name} {where} ({how})"


def test(of: Compared) -> str:
    """Which test."""
    kind = "z" if np.isinf(of.df) else "t"
    if of.test is Test.DELONG:
        return "paired DeLong" if of.paired else "unpaired DeLong"
    if of.test is Test.PROPORTIONS:
        return f"{kind} of {'paired' if of.paired else 'independent'} proportions"
    if of.test is Test.BOOTSTRAP:
        drawn = "a paired" if of.paired else "an unpaired"
        return f"{kind} with the spread of {drawn} bootstrap of {of.random}"
    corrected = ", corrected for shared training cases" if of.test_train_ratio else ""
    kind = "paired t" if of.paired else "Welch's t"
    return f"{kind} over {plural(of.unit)}{corrected}"


def test_of_curve(of: Compared) -> str:
    """Where the simultaneous limits of a difference curve come from."""
    if of.test is Test.BOOTSTRAP:
        return f"max-t, {'paired ' if of.paired else ''}bootstrap of {of.random}"
    how = f"{grouped(of.n_flips)} times at random" if of.n_flips else "in every way"
    if of.test is Test.NORMAL_MAXIMA:
        return f"max-t of normal values, corrected for shared training cases, drawn {how}"
    return f"max-t, signs {'' if of.paired else 'of residuals '}flipped {how}"


def random(of: Compared) -> str:
    """What is random: a sample of datasets, or the cases of fixed ones."""
    unit, n = of.unit, of.n_groups
    if of.random is Random.GROUPS:
        if of.paired:
            return f"{what_groups_are(of.design, n, unit)}, and each is its own control"
        sizes = " and ".join(counted(own, unit) for own in n)
        return f"{sizes}, which are not paired, are taken as two random samples"
    cases = "the cases are taken as a random sample"
    if of.random is Random.CLUSTERS:
        clusters = counted(of.n_clusters, of.cluster_unit)
        cases = f"the {clusters} are taken as a random sample, each with all its rows"
    if not of.paired:
        return f"{cases} for each model apart, and the {plural(unit)} as fixed"
    cases += ", scored by both models" + ("" if of.by_name else " and paired by their order")
    if n == 1:
        return f"{cases}; there is one {unit}, so nothing is said of others"
    return f"{cases}, and the {counted(n, unit)} as fixed: nothing is said of other {plural(unit)}"


# One difference, one curve, one comparison, several
# --------------------------------------------------


def difference(found: Difference) -> str:
    """One quantity: who has more of it, by how much, how sure, and under what."""
    a, b = printable(found.a), printable(found.b)
    level = f"{100 * found.interval.confidence_level:g} %"
    what = f"{found._said('measured')} {found.held}" if found.held else found.quantity
    limits = _limits(found, level)
    if found.difference == 0:
        said = f"{a} and {b} have the same {what}, {number(found.a_value)}"
        return f"{said}{f' ({limits})' if limits else ''}; {_test(found)}."
    better, worse = (a, b) if found.better == found.a else (b, a)
    unsure = ("", "") if found.is_decided else ("On these data ", f", {_doubt(found)}")
    sizes = sorted((found.a_value, found.b_value), reverse=not found.lower_is_better)
    way = "lower" if found.lower_is_better else "higher"
    return (
        f"{unsure[0]}{better} has a {way} {what} than {worse}, by {number(abs(found.difference))} "
        f"({number(sizes[0])} against {number(sizes[1])}{f'; {limits}' if limits else ''}){unsure[1]}; "
        f"{_test(found)}."
    )


def _doubt(found: Difference) -> str:
    """Why a difference is no finding: it may be chance, or only one of two tests says that it is not."""
    alpha = 1 - found.interval.confidence_level
    disagree = found.pvalue > alpha >= found.flip_pvalue
    return "of which only one of two tests is sure" if disagree else CANNOT_BE_TOLD


def _limits(found: Difference, level: str) -> str:
    low, high = found.interval.low, found.interval.high
    if np.isnan(low):
        return ""
    if found.difference < 0:
        low, high = -high, -low  # said of how much the better is better
    return f"{level} CI of the difference {number(low)} to {number(high)}"


def _test(found: Difference) -> str:
    said = f"{p_words(found.pvalue)} ({found.method}"
    if not np.isnan(found.flip_pvalue):
        said += f"; {p_words(found.flip_pvalue)} by flipping signs"
    said += ")"
    if found.adjusted_pvalue != found.pvalue and not np.isnan(found.adjusted_pvalue):
        said += f", {p_words(found.adjusted_pvalue)} adjusted for the number of pairs"
    return said


def curve(curve: DifferenceCurve) -> str:
    """Where one model is better at the confidence level, the largest difference, the p-value."""
    a, b = printable(curve.a), printable(curve.b)
    axis = {"fpr": "FPR", "tpr": "TPR"}.get(curve.over, "position")
    low, high = curve.range
    span = f"from {axis} {low:.3g} to {high:.3g}"
    gains = {"fpr": "TPR", "tpr": "FPR"}.get(curve.over, "value along the direction")
    usable = np.isfinite(curve.difference)
    if not curve.difference[usable].any():
        return f"{a} and {b} have the same curve {span}; {p_words(curve.pvalue)}."
    largest = int(np.nanargmax(np.abs(curve.difference)))
    better, worse = (a, b) if curve.difference[largest] > 0 else (b, a)
    way = "lower" if curve.over == "tpr" else "higher"
    said = (
        f"The largest difference {span} is at {axis} {curve.position[largest]:.3g}: {better} has a {way} "
        f"{gains} than {worse} by {number(abs(float(curve.difference[largest])))}."
    )
    level = f"{100 * curve.confidence_level:g} %"
    if np.isinf(curve.factor):
        sizes = (curve.n_groups,) if isinstance(curve.n_groups, int) else curve.n_groups
        groups = " and ".join(counted(n, curve.unit) for n in sizes)
        said += f" {groups} are too few for a band that holds over the whole range at {level}"
        if np.isnan(curve.pvalue):
            return f"{said}, and for a test."
        return f"{said}; {p_words(curve.pvalue)}, and none below {curve.smallest_pvalue:.2g} can be had."
    parts = [
        f"{name} is better {_ranges_words(curve.position, chosen, axis)}"
        for name, chosen in ((a, curve.simultaneous_lower > 0), (b, curve.simultaneous_upper < 0))
        if chosen.any()
    ]
    sure = " and ".join(parts) if parts else "neither is shown to be better anywhere"
    said += f" At {level} confidence over the whole range, {sure}; {p_words(curve.pvalue)} ({curve.method})."
    if curve.excluded:
        left = ", ".join(f"{x:.3g} to {y:.3g}" for x, y in curve.excluded[:_MOST_RANGES])
        said += f" Left out, because nothing varies there: {left}."
    return said


def _ranges_words(position: Floats, chosen: Mask, axis: str) -> str:
    found = runs_of(position, chosen)
    if len(found) > _MOST_RANGES:
        share, ends = (
            percent(float(chosen.mean())),
            f"between {axis} {found[0][0]:.3g} and {found[-1][1]:.3g}",
        )
        return f"on {share} of the range, in {len(found)} parts {ends}"
    words = [f"{x:.3g} to {y:.3g}" if x < y else f"{x:.3g}" for x, y in found]
    return f"at {axis} {listed(words)}"


def comparison(found: Comparison) -> str:
    """Areas, operating points, the curve, then what all of it rests on."""
    parts = [own.reading for own in found.differences]
    parts.append(of_ranks(found))
    if found.curve is not None:
        parts.append(found.curve.reading)
    parts.append(basis(found))
    if found.method is None:
        parts.append(
            "How the scores will be used has not been said, so AUCs are compared and no rates; for those "
            "name an average or a Deployment:  method=..."
        )
    return " ".join(part for part in parts if part)


def of_ranks(found: Comparison) -> str:
    """The signed-rank test of the groups' AUCs; empty where there is none."""
    w = found.wilcoxon
    if w is None or not w.n:
        return ""
    ranked = "exact" if w.is_exact else "normal approximation"
    ties = ", ties share ranks" if w.has_ties else ""
    zeros = f", {w.n_zeros} without a difference left out" if w.n_zeros else ""
    how = f"{p_words(w.pvalue)} (Wilcoxon signed ranks, {ranked}{ties}{zeros})"
    if w.estimate == 0:
        return f"By ranks, the typical difference in AUC is 0; {how}."
    names = (found.a, found.b) if w.estimate > 0 else (found.b, found.a)
    better, worse = map(printable, names)
    said = f"By ranks, the AUC of {better} is typically higher than of {worse} by {number(abs(w.estimate))}"
    unsure = "" if w.pvalue <= 1 - found.auc.interval.confidence_level else f", {CANNOT_BE_TOLD}"
    return f"{said}{unsure}; {how}."


def basis(found: Comparison) -> str:
    """What is random, what was paired, what was left out."""
    said = found.auc.random[0].upper() + found.auc.random[1:] + "."
    if found.random == Random.GROUPS and found.design.shares_training:
        known = "the standard errors allow for" if found.test_train_ratio else "these tests do not allow for"
        said += f" {plural(found.unit).capitalize()} share training cases, which {known}."
    if found.undefined:
        said += f" Left out: {'; '.join(map(printable, found.undefined[:4]))}"
        said += f" and {len(found.undefined) - 4} more." if len(found.undefined) > 4 else "."
    return said


def comparisons(found: Comparisons) -> str:
    """Who leads, every pair by its AUC, the largest difference first, and what all rest on."""
    ordered = sorted(found, key=lambda pair: -abs(pair.auc.difference))
    parts = [of_leader(list(found)), *(own.reading for pair in ordered for own in pair.differences)]
    return " ".join(part for part in [*parts, basis(ordered[0])] if part)


def of_leader(pairs: Sequence[Comparison]) -> str:
    """Who has the highest AUC, and whom it is not told apart from; empty where a model has several values."""
    ordered, near = leader(pairs)
    if not ordered:
        return ""
    first, *others = ordered
    quantity, best = first.quantity, printable(first.model)
    if first.value == others[0].value:
        alike = [printable(own.model) for own in ordered if own.value == first.value]
        return f"{listed(alike)} share the highest {quantity}, {number(first.value)}."
    said = f"{best} has the highest {quantity}, {number(first.value)}, before "
    said += listed([f"{printable(own.model)} ({number(own.value)})" for own in others])
    if len(others) == 1:
        said = f"{best} has the higher {quantity}, {number(first.value)} against {number(others[0].value)}"
        said += f" of {printable(others[0].model)}"
    if near:
        return f"{said}; its lead over {listed(list(map(printable, near)))} cannot be told from chance."
    level = f"{100 * pairs[0].auc.interval.confidence_level:g} %"
    is_first_of_all = all(
        any({first.model, own.model} == {pair.a, pair.b} for pair in pairs) for own in others
    )
    return f"{said}; its lead is beyond chance at {level} confidence." if is_first_of_all else f"{said}."
