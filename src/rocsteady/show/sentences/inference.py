"""What tests and summaries say: the result first, then its test, then what is treated as random."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.curves.statistics import Auc, Statistic
from rocsteady.scores.design import Random
from rocsteady.text import (
    AUC,
    FPR,
    MEAN_AUC,
    MEAN_SMAUC,
    SMAUC,
    TPR,
    At,
    Count,
    Gap,
    Item,
    Level,
    Limits,
    Measure,
    Number,
    P,
    Quantity,
    Quote,
    Range,
    Rate,
    Scale,
    Text,
    Value,
    nouns,
    paragraph,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.curves.intervals import Band, NullTest
    from rocsteady.inference.bootstrap import Bootstrap
    from rocsteady.inference.smauc import SmaucSummary
    from rocsteady.inference.summarize import AucSummary
    from rocsteady.inference.tests_on_cases import AucComparison, BootstrapTest, VenkatramanTest

_RATES = {"tpr": TPR, "fpr": FPR}
_NUMBER = Quantity("difference")
_SHARE = Quantity("share", Scale.SHARE)


# What is measured
# ----------------


def quantity_of(statistic: Statistic | None) -> Quantity:
    """What a statistic measures; one that no vocabulary knows is a number with its own name."""
    if isinstance(statistic, Auc):
        return AUC
    if statistic is None:
        return _NUMBER
    return _RATES.get(statistic.rate) or Quantity(statistic.label)


def measured(statistic: Statistic) -> Value:
    """What a statistic reads, and where."""
    if isinstance(statistic, Auc):
        return Measure(AUC)
    if statistic.rate in _RATES and np.ndim(statistic.at) == 0:
        return Measure(_RATES[statistic.rate], At(statistic.hold, statistic.at))
    return Quote(statistic.label)


# Resamples
# ---------


def bootstrap(found: Bootstrap) -> Text:
    """What was found, how sure it is, and what is random."""
    interval, (n_groups, unit) = found.interval, found._groups
    what: Text = phrase("the {measure}", measure=measured(found.statistic))
    if n_groups > 1 and found._method is None:
        what = phrase("the mean {measure} of {n}", measure=measured(found.statistic), n=Count(n_groups, unit))
    elif found._method is not None and n_groups > 1:
        facts = {"measure": measured(found.statistic), "n": Count(n_groups, unit)}
        what = phrase("the {measure} of the {average} average of {n}", **facts, average=_label(found._method))
    how = phrase("{n} resamples, {kind} intervals", n=found.n_resamples, kind=Quote(found._kind))
    if np.ndim(found.estimate):
        values = Count(np.size(found.estimate), "value")
        first = say(
            "{what}: {n} with pointwise {level} confidence intervals ({how}).",
            what=what,
            n=values,
            level=Level(interval.confidence_level),
            how=how,
        )
    else:
        value = _sure(Rate(quantity_of(found.statistic), float(found.estimate), interval))
        first = say("{what} is {value}; {how}.", what=what, value=value, how=how)
    return paragraph(first, drawn(found))


def _sure(value: Rate | Gap) -> Text:
    """A number with its interval; that there is none is said."""
    level = Level(value.interval.confidence_level)
    return phrase("{value} (no {level} CI)" if np.isnan(value.interval.low) else "{value}",
                  value=value, level=level)  # fmt: skip


def _label(method: Any) -> Quote:
    return Quote(method.label)


def drawn(found: Bootstrap) -> Text:
    """What is treated as random, and what is fixed."""
    n_groups, unit = found._groups
    facts = {"n": Count(n_groups, unit), **nouns(unit)}
    if found._clusters is not None:
        facts["n"] = Count(*found._clusters)
        where = "" if found._are_crossed is None else " within each {unit}"
        where = " across all {units}" if found._are_crossed else where
        return say(
            f"The {{n}} are treated as a random sample; each is drawn{where} with all its rows.", **facts
        )
    if found._random is Random.GROUPS:
        return say("The {n} are treated as a random sample of {units} and are drawn whole.", **facts)
    if n_groups == 1:
        return say("The cases are treated as a random sample, drawn within each class.")
    return say(
        "The cases are treated as a random sample, drawn within each class of each {unit}; the result is "
        "about these {n} only.",
        **facts,
    )


def bootstrap_band(found: Band) -> Text:
    """What limits from resamples promise."""
    sure = Level(found.confidence_level)
    if found.kind == "pointwise":
        return paragraph(
            say("At each single point the curve lies in the band with {sure} confidence.", sure=sure),
            drawn(found._about),
        )
    at, free = (found.middle.fpr, found.lower.tpr) if found.fpr else (found.middle.tpr, found.lower.fpr)
    first = say(
        "The whole curve from {rate} {span} lies in the band with {sure} confidence.",
        rate=Measure(FPR if found.fpr else TPR),
        span=Range(FPR if found.fpr else TPR, float(at.min()), float(at.max())),
        sure=sure,
    )
    n_missing = int(np.isnan(free).sum())
    missing = say("{n} without spread left out.", n=Count(n_missing, "point")) if n_missing else None
    return paragraph(first, missing, drawn(found._about))


# Two curves of one dataset, or of two
# ------------------------------------


def delong_test(found: AucComparison) -> Text:
    """Which of DeLong's tests."""
    kind = "paired DeLong" if found.paired else "unpaired DeLong"
    if found.aucs.size > 2:
        kind += " F" if found.reference == "t" else " chi-square"
    return phrase(f"{kind} test")


def auc_comparison(found: AucComparison) -> Text:
    """The AUCs, the test, and of two classifiers the interval of the difference."""
    areas = found.aucs
    test: dict[str, Item] = {"p": P(found.pvalue), "test": delong_test(found)}
    if areas.size > 2:
        return say(
            "The AUCs of {n} lie between {low} and {high}. Hypothesis that all are equal: {p} ({test}).",
            n=Count(int(areas.size), "classifier"),
            low=Rate(AUC, float(areas.min())),
            high=Rate(AUC, float(areas.max())),
            **test,
        )
    return say(
        "AUC {a} and {b}: the difference is {gap}, {p} ({test}).",
        a=Rate(AUC, float(areas[0])),
        b=Rate(AUC, float(areas[1])),
        gap=_sure(Gap(AUC, float(found.difference), found.interval)),
        **test,
    )


def null_test(found: NullTest) -> Text:
    """The AUC, and whether it could be that of scores without information."""
    return say(
        "AUC {auc}, tested against 0.5 (no information): {p} (two-sided, {error} standard error).",
        auc=Rate(AUC, found.auc),
        p=P(found.pvalue),
        error=phrase("DeLong" if found.method == "delong" else found.method),
    )


def paired_t(found: Any) -> Text:
    """The mean difference and its test; of many tests how many there are, and their p-values."""
    shared = None
    if found.test_train_ratio:
        shared = say(
            "The tests are corrected for shared training cases (1/n + {ratio}).",
            ratio=Number(found.test_train_ratio),
        )
    if np.ndim(found.statistic):
        return paragraph(_paired_ts(found), shared)
    pairs = Count(int(found.n), "pair")
    if math.isnan(found.pvalue):
        return paragraph(say("No t test: {n} with a difference; two are needed.", n=pairs), shared)
    first = say(
        "The mean difference of {n} is {gap} (standard error {error}), t = {t}, df = {df}, {p}.",
        n=pairs,
        gap=Gap(_NUMBER, float(found.difference)),
        error=Number(float(found.standard_error)),
        t=Number(float(found.statistic)),
        df=Count(float(found.df)),
        p=P(float(found.pvalue)),
    )
    return paragraph(first, shared)


def _paired_ts(found: Any) -> Text:
    pvalues = np.ravel(found.pvalue)
    known, tests = pvalues[np.isfinite(pvalues)], Count(int(pvalues.size), "paired t test")
    if not known.size:
        return say("{tests}; none has two differences, so there are no p-values.", tests=tests)
    n_missing = int(pvalues.size - known.size)
    missing = say("{n} had too few pairs.", n=Count(n_missing, "test")) if n_missing else None
    first = say(
        "{tests}: p-values from {low:bare} to {high:bare}, {below} of them at most 0.05, not adjusted for "
        "the number of tests.",
        tests=tests,
        low=P(float(known.min())),
        high=P(float(known.max())),
        below=int(np.count_nonzero(known <= 0.05)),
    )
    return paragraph(first, missing)


_SIDES = {"greater": ", one-sided: the first is larger", "less": ", one-sided: the first is smaller"}


def bootstrap_test(found: BootstrapTest) -> Text:
    """The difference, how sure it is, and what is random."""
    quantity = quantity_of(found._statistic)
    a, b = (Rate(quantity, float(value)) for value in found.values)
    first = say(
        f"{{measure}} {{a}} and {{b}}: the difference is {{gap}}, {{p}}{_SIDES.get(found.alternative, '')}.",
        measure=Quote(found.measure) if found._statistic is None else measured(found._statistic),
        a=a,
        b=b,
        gap=Gap(quantity, float(found.difference), found.interval),
        p=P(found.pvalue),
    )
    both = "drawn together for both" if found.paired else "drawn separately for each"
    within = ", within each class" if np.isinf(found.df) else ""
    second = say(f"{{n}} were {both}{within}.", n=Count(found.n_resamples, "resample"))
    return paragraph(first, drawn_for_both(found._clusters), second)


def drawn_for_both(clusters: tuple[tuple[int, str], ...]) -> Text:
    """What is treated as random of two classifiers: cases, or clusters of both, or of either."""
    if not clusters:
        return say("The cases are treated as a random sample.")
    if len(clusters) == 1:
        n = Count(*clusters[0])
        return say("The {n} are treated as a random sample; each is drawn with all its rows.", n=n)
    first, second = (Count(*own) for own in clusters)
    return say(
        "The {first} of the first and the {second} of the second are treated as random samples; each is "
        "drawn with all its rows.",
        first=first,
        second=second,
    )


def venkatraman_test(found: VenkatramanTest) -> Text:
    """How far the curves are apart, and the test."""
    exchanged = "the cases of each class were dealt out to the two samples again"
    if found.paired:
        exchanged = "the two scores of each case were exchanged at random"
    return paragraph(
        say(
            "The error rates of the two differ by {gap} points on average over thresholds of equal "
            "rank, {p} (AUC {a} and {b}).",
            gap=Number(100 * found.difference, 2),
            p=P(found.pvalue),
            a=Rate(AUC, found.aucs[0]),
            b=Rate(AUC, found.aucs[1]),
        ),
        say(f"In each of {{n}} permutations {exchanged}.", n=found.n_permutations),
        say(
            "The test asks whether the two curves are equal everywhere, not whether their areas are. "
            "The cases are treated as a random sample."
        ),
    )


# One AUC for many groups
# -----------------------


def auc_summary(s: AucSummary) -> Text:
    """The result first, then what is random, then what to beware of."""
    first = {
        "t": _of_means,
        "random-effects": _of_effects,
        "cv-influence": _of_cases,
        "nadeau-bengio": _of_splits,
    }[s.method](s)
    rest: list[Text] = [random_of_summary(s)]
    if s.interval.low < 0 or s.interval.high > 1:
        limit, end = (s.interval.high, 1) if s.interval.high > 1 else (s.interval.low, 0)
        rest.append(
            say(
                "The formula's limit is {limit}: it is symmetric, which AUCs near {end} are not.",
                limit=Number(limit, 5),
                end=end,
            )
        )
    if s.method == "random-effects" and s.design.shares_training:
        rest.append(say("Folds that share training cases are not independent; method='t' allows for that."))
    if s.method in ("t", "random-effects") and s.prediction_interval is None:
        rest.append(say("The {units} are parts of one data set, so no other {unit} is predicted."))
    return paragraph(*first, *rest)


def smauc_summary(s: SmaucSummary) -> Text:
    """The smAUC and its chance level, the permutation, what is random."""
    n, is_one = Count(s.n_groups, s.unit), s.n_groups == 1
    area = Rate(SMAUC if is_one else MEAN_SMAUC, s.estimate, s.interval)
    facts: dict[str, Item] = {"n": n, "area": area, "chance": Rate(SMAUC, s.chance_smauc)}
    first = say(
        "The smAUC is {area}; labels dealt at random would give about {chance}."
        if is_one
        else "The mean smAUC of {n} is {area}; labels dealt at random would give about {chance}.",
        **facts,
    )
    dealt = None
    if s.permuted is not None:
        within = "" if is_one else " within each {unit}"
        dealt = say(
            f"Permutation of the labels{within} ({{times}}): {{p}}.",
            times=Count(s.n_permutations, "permutation"),
            p=P(s.pvalue),
            **nouns(s.unit),
        )
    return paragraph(first, dealt, random_of_smauc(s))


def random_of_smauc(s: SmaucSummary) -> Text:
    """What the interval of a smAUC treats as random."""
    if s.random is Random.SPLITS:
        return say("The cases that models are trained and tested on are treated as random.")
    if s.random is Random.GROUPS:
        n = Count(s.n_groups, s.unit)
        return say("The {n} and their cases are treated as a random sample of {units}.", n=n, **nouns(s.unit))
    whole = ", each with all its rows" if s.random is Random.CLUSTERS else ""
    return say(
        f"The cases are treated as a random sample{whole}, and Mid as estimated from them."
        if s.mid_rule != "given"
        else f"The cases are treated as a random sample{whole}."
    )


def random_of_summary(s: AucSummary) -> Text:
    """What the interval of a method treats as random."""
    if s._random is Random.SPLITS:
        return say("The cases that models are trained and tested on are treated as random.")
    if s._random is Random.CASES:
        return say("The cases are treated as a random sample; the trained models are fixed.")
    groups = Count(s.n_groups, s.unit)
    if s.method == "t" and s._all_share:
        return say("The {n} are treated as a random sample of {units}; the cases are fixed.", n=groups)
    return say("The {n} and their cases are treated as a random sample of {units}.", n=groups)


def _of_means(s: AucSummary) -> list[Text]:
    if s.test_train_ratio:
        return _of_splits(s)
    first = say("The mean AUC of {n} is {auc}.", n=Count(s.n_groups, s.unit), auc=_area(s))
    return [first, *_prediction(s, "The AUC seen in another {unit}")]


def _of_effects(s: AucSummary) -> list[Text]:
    assert s.i_squared is not None
    assert s.heterogeneity_pvalue is not None
    first = say("The median AUC of {units} like these {n} is {auc}.", n=s.n_groups, auc=_area(s))
    differ = "differ" if s.heterogeneity_pvalue < 0.05 else "do not differ significantly"
    second = say(
        f"Their true AUCs {differ} ({{p}}); {{share}} of the variance lies between {{units}}.",
        p=P(s.heterogeneity_pvalue),
        share=Rate(_SHARE, s.i_squared),
    )
    return [first, second, *_prediction(s, "The true AUC of another {unit}")]


def _of_cases(s: AucSummary) -> list[Text]:
    return [
        say("The mean AUC of the models of {n} is {auc}.", n=Count(s.n_groups, s.unit), auc=_area(s)),
    ]


def _of_splits(s: AucSummary) -> list[Text]:
    assert s.test_train_ratio is not None
    n, wider = s.n_groups, math.sqrt(1 + s.n_groups * s.test_train_ratio)
    first = say(
        "The mean AUC of {n}, as an estimate for new data of this size, is {auc}.",
        n=Count(n, s.unit),
        auc=_area(s),
    )
    second = say(
        "Training cases are shared, so the interval is {wider} times as wide as for independent {units} "
        "(1/{n} + {ratio} in place of 1/{n}).",
        wider=Number(wider),
        n=n,
        ratio=Number(s.test_train_ratio),
    )
    return [first, second]


def _area(s: AucSummary) -> Rate:
    """The estimate with its interval, whose limits lie between 0 and 1, whatever a formula says."""
    return Rate(MEAN_AUC, s.estimate, _possible(s.interval))


def _possible(interval: Any) -> Limits:
    low, high = np.clip([interval.low, interval.high], 0, 1).tolist()
    return Limits(low, high, interval.confidence_level)


def _prediction(s: AucSummary, what: str) -> list[Text]:
    interval = s.prediction_interval
    if interval is None:
        return []
    if math.isnan(interval.low):
        return [say(f"{what} cannot be predicted from two {{units}}.")]
    possible = _possible(interval)
    return [
        say(
            f"{what} is expected between {{low}} and {{high}} ({{level}}).",
            low=Rate(AUC, possible.low),
            high=Rate(AUC, possible.high),
            level=Level(interval.confidence_level),
        )
    ]
