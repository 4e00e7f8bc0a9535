"""What tests and summaries say: what was found, how sure it is, and what was taken as random."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.scores.design import Random
from rocsteady.words import counted, grouped, p_words, percent, plural, printable

if TYPE_CHECKING:
    from rocsteady.curves.intervals import Band, NullTest
    from rocsteady.inference.bootstrap import Bootstrap
    from rocsteady.inference.summarize import AucSummary
    from rocsteady.inference.tests_on_cases import AucComparison, BootstrapTest, VenkatramanTest
    from rocsteady.statistics.limits import Interval
    from rocsteady.statistics.paired_t import SignificanceResult


# Resamples
# ---------


def bootstrap(found: Bootstrap) -> str:
    """What was found, how sure it is, and what is random."""
    interval, label, (n_groups, unit) = found.interval, found.statistic.label, found._groups
    subject, groups = f"The {label}", counted(n_groups, unit)
    if n_groups > 1 and found._method is None:
        subject = f"The mean {label} over {groups}"
    elif n_groups > 1 and found._method is not None:
        subject = f"The {label} of the {found._method.label} average of {groups}"
    how = f"{interval.method}, {grouped(found.n_resamples)} resamples"
    level = f"{100 * interval.confidence_level:g} %"
    if np.ndim(found.estimate):
        values = counted(np.size(found.estimate), "value")
        what = f"{subject}: {values} with {level} confidence intervals, each by itself ({how})."
    else:
        within = f"{level} CI {interval.low:.4f} to {interval.high:.4f}"
        within = f"no {level} CI" if np.isnan(interval.low) else within
        what = f"{subject} is {found.estimate:.4f} ({within}; {how})."
    return f"{what} What is random: {drawn(found)}."


def drawn(found: Bootstrap) -> str:
    """What was drawn again, and what stays as it is."""
    n_groups, unit = found._groups
    groups, units = counted(n_groups, unit), plural(unit)
    if found._clusters is not None:
        clusters = f"the {counted(*found._clusters)}"
        if found._are_crossed is None:
            return f"{clusters}, each drawn with all its rows"
        where = f"the same in every {unit}" if found._are_crossed else f"drawn within each {unit}"
        return f"{clusters}, {where}, each with all its rows"
    if found._random is Random.GROUPS:
        return (
            f"the {groups}, drawn whole, as a sample of all {units}; their cases are not drawn again, "
            "because the spread between groups holds their noise already"
        )
    if n_groups == 1:
        return "the cases, drawn within each class"
    return (
        f"the cases, drawn within each class of each {unit}; the {groups} themselves are fixed, so this "
        f"is about them and no other {units}"
    )


def bootstrap_band(found: Band) -> str:
    """What limits from resamples promise."""
    sure = f"{100 * found.confidence_level:g} % confidence"
    first = f"At each place by itself the curve lies in the band with {sure}."
    if found.kind != "pointwise":
        at, free = (found.middle.fpr, found.lower.tpr) if found.fpr else (found.middle.tpr, found.lower.fpr)
        first = f"From {at.min():g} to {at.max():g} the whole curve lies in the band with {sure}."
        if np.isnan(free).any():
            first += f" {counted(int(np.isnan(free).sum()), 'place')} without spread left out."
    return f"{first} What is random: {drawn(found._about)}."


# Two curves of one dataset, or of two
# ------------------------------------


def delong_test(found: AucComparison) -> str:
    """Which of DeLong's tests."""
    kind = "paired DeLong" if found.paired else "unpaired DeLong"
    return kind if found.aucs.size == 2 else f"{kind}, {'F' if found.reference == 't' else 'chi-square'}"


def auc_comparison(found: AucComparison) -> str:
    """The AUCs, the test, and of two classifiers how sure the difference is."""
    areas = found.aucs
    test = f"{p_words(found.pvalue)}, {found.method}"
    if areas.size > 2:
        return (
            f"The AUCs of {counted(areas.size, 'classifier')} lie between {areas.min():.3f} and "
            f"{areas.max():.3f}. Hypothesis that all are equal: {test}."
        )
    within = f"{100 * found.interval.confidence_level:g} % interval"
    limits = f"{within} {found.interval.low:+.3f} to {found.interval.high:+.3f}"
    limits = f"no {within}" if np.isnan(found.interval.low) else limits
    return (
        f"AUC {areas[0]:.3f} and {areas[1]:.3f}, a difference of {found.difference:+.3f} ({limits}; {test})."
    )


def null_test(found: NullTest) -> str:
    """The AUC, and whether it could be that of a score without information."""
    how = "DeLong" if found.method == "delong" else found.method
    return (
        f"AUC {found.auc:.3f}, tested against 0.5, that of a score without information: "
        f"{p_words(found.pvalue)} (two-sided, {how} standard error)."
    )


def paired_t(found: SignificanceResult) -> str:
    """The mean difference and its test; of many tests how many there are, and their p-values."""
    shared = ""
    if found.test_train_ratio:
        shared = f" Standard errors allow for shared training data (1/n + {found.test_train_ratio:.4g})."
    if np.ndim(found.statistic):
        return _paired_ts(found) + shared
    pairs = counted(found.n, "pair")
    if math.isnan(found.pvalue):
        return f"No t test: {pairs} with a difference, two are needed."
    return (
        f"The mean difference of {pairs} is {found.difference:+.4g} (standard error "
        f"{found.standard_error:.3g}; t = {found.statistic:.4g}, df = {found.df:g}, "
        f"{p_words(found.pvalue)}).{shared}"
    )


def _paired_ts(found: SignificanceResult) -> str:
    pvalues = np.ravel(found.pvalue)
    known = pvalues[np.isfinite(pvalues)]
    tests = counted(pvalues.size, "paired t test")
    if not known.size:
        return f"{tests}, none with two differences, so there is no p-value."
    below = int(np.count_nonzero(known <= 0.05))
    n_missing = pvalues.size - known.size
    missing = f" {counted(n_missing, 'test')} had too few pairs." if n_missing else ""
    return (
        f"{tests}: p-values from {known.min():.3g} to {known.max():.3g}, {grouped(below)} of them at most "
        f"0.05, not adjusted for the number of tests.{missing}"
    )


def bootstrap_test(found: BootstrapTest) -> str:
    """The difference, how sure it is, and what is random."""
    a, b = found.values
    both = "drawn together for both" if found.paired else "drawn for each by itself"
    within = " within each class" if np.isinf(found.df) else ""
    sides = {"greater": ", for the first being larger", "less": ", for the first being smaller"}
    return (
        f"{found.measure}: {a:.3f} and {b:.3f}, a difference of {found.difference:+.3f} "
        f"({100 * found.interval.confidence_level:g} % interval {found.interval.low:+.3f} to "
        f"{found.interval.high:+.3f}; p = {found.pvalue:.3g}{sides.get(found.alternative, '')}). What is "
        f"random is {found.random}: {grouped(found.n_resamples)} resamples{within}, {both}."
    )


def drawn_for_both(clusters: tuple[tuple[int, str], ...]) -> str:
    """What was drawn for two classifiers: cases, or clusters of both, or of either."""
    if not clusters:
        return "the cases"
    said = " and ".join(counted(n, unit) for n, unit in clusters)
    if len({unit for _, unit in clusters}) < len(clusters):
        said = f"{grouped(clusters[0][0])} and {counted(*clusters[1])}"
    return f"the {said}, each with all its rows"


def venkatraman_test(found: VenkatramanTest) -> str:
    """How far the curves are apart, how sure that is, and what is random."""
    exchanged = "the cases of each class were dealt out to the two samples again"
    if found.paired:
        exchanged = "the two scores of each case were exchanged or not, by chance"
    return (
        f"At thresholds of equal rank the two error rates are {100 * found.difference:.2g} percentage points "
        f"apart on average (AUC {found.aucs[0]:.3f} and {found.aucs[1]:.3f}). Of "
        f"{grouped(found.n_permutations)} permutations, in which {exchanged}, a share of {found.pvalue:.3g} "
        f"was as far apart (p). What is tested is whether the two curves are the same everywhere, not "
        f"whether their areas are; what is random is the cases."
    )


# One AUC for many groups
# -----------------------


def auc_summary(s: AucSummary) -> str:
    """The effect first, then the test, then what is random, then what to beware of."""
    sentences = {
        "t": _of_means,
        "random-effects": _of_effects,
        "cv-influence": _of_cases,
        "nadeau-bengio": _of_splits,
    }[s.method](s)
    sentences.append(f"Random: {s.random}.")
    if s.interval.low < 0 or s.interval.high > 1:
        limit, end = (s.interval.high, 1) if s.interval.high > 1 else (s.interval.low, 0)
        sentences.append(
            f"The formula's limit is {limit:.4f}: it is symmetric, which AUCs near {end} are not."
        )
    if s.method == "random-effects" and s.design.shares_training:
        sentences.append("Folds that share training data are not independent; method='t' allows for that.")
    if s.method == "t" and s._all_share:
        sentences.append("With other cases all AUCs would move together, which this interval does not show.")
    if s.method in ("t", "random-effects") and s.prediction_interval is None:
        sentences.append(
            f"The {plural(s.unit)} are parts of one data set, so no other {s.unit} is predicted."
        )
    return printable(" ".join(sentences))


def random_of_summary(s: AucSummary) -> str:
    """What the interval of a method takes as random."""
    units = plural(s.unit)
    if s._random is Random.SPLITS:
        return "the cases that models are trained and tested on"
    if s._random is Random.CASES:
        return "the cases, the trained models being fixed"
    if s.method == "t" and s._all_share:
        return f"the {units}, the cases being fixed"
    return f"the {units} and the cases in them"


def _of_means(s: AucSummary) -> list[str]:
    if s.test_train_ratio:
        return _of_splits(s)
    first = f"The mean AUC of {counted(s.n_groups, s.unit)} is {_with_limits(s.estimate, s.interval)}."
    return [first, *_prediction(s, f"The AUC seen in another {s.unit}")]


def _of_effects(s: AucSummary) -> list[str]:
    assert s.i_squared is not None
    assert s.heterogeneity_pvalue is not None
    units = plural(s.unit)
    limits = _with_limits(s.estimate, s.interval)
    first = (
        f"The median AUC of {units} like these {s.n_groups} is {limits}: half of such {units} have a higher "
        "true AUC."
    )
    differ = "differ" if s.heterogeneity_pvalue < 0.05 else "are not shown to differ"
    share = percent(round(s.i_squared, 3))
    second = (
        f"Their true AUCs {differ} (p = {s.heterogeneity_pvalue:.3g}); {share} of the variance is between "
        f"{units}."
    )
    return [first, second, *_prediction(s, f"The true AUC of another {s.unit}")]


def _of_cases(s: AucSummary) -> list[str]:
    limits = _with_limits(s.estimate, s.interval)
    return [f"The mean AUC of the models of {counted(s.n_groups, s.unit)} is {limits}."]


def _of_splits(s: AucSummary) -> list[str]:
    assert s.test_train_ratio is not None
    n = s.n_groups
    limits = _with_limits(s.estimate, s.interval)
    first = f"The mean AUC of {counted(n, s.unit)}, as an estimate for new data of this size, is {limits}."
    wider = math.sqrt(1 + n * s.test_train_ratio)
    second = (
        f"As training data are shared, the interval is {wider:.2f} times as wide as for independent "
        f"{plural(s.unit)} (1/{n} + {s.test_train_ratio:.4g} in place of 1/{n})."
    )
    return [first, second]


def _with_limits(estimate: float, interval: Interval) -> str:
    level = f"{100 * interval.confidence_level:g} % interval"
    return f"{estimate:.3f} ({level} {_shown(interval.low)} to {_shown(interval.high)})"


def _prediction(s: AucSummary, what: str) -> list[str]:
    interval = s.prediction_interval
    if interval is None:
        return []
    if math.isnan(interval.low):
        return [f"{what} cannot be foretold from two {plural(s.unit)}."]
    level = f"{100 * interval.confidence_level:g} %"
    return [f"{what} is expected between {_shown(interval.low)} and {_shown(interval.high)} ({level})."]


def _shown(limit: float) -> str:
    """A limit in a sentence: no AUC is below 0 or above 1, whatever a formula says."""
    return f"{min(max(limit, 0.0), 1.0):.3f}" if 0 < limit < 1 else f"{min(max(limit, 0.0), 1.0):g}"
