"""What a summary of AUCs says, in sentences: the effect first, then the test, then what is random."""

from __future__ import annotations

import math

from rocsteady.inference.summaries.folds import SharedCases
from rocsteady.inference.summaries.results import AucSummary
from rocsteady.statistics.intervals import Interval
from rocsteady.words import counted, percent, plural, printable


def random_words(method: str, unit: str, *, all_share: bool, shares_training: bool = False) -> str:
    """What the interval of a method takes as random."""
    if method == "t" and shares_training:
        method = "nadeau-bengio"
    units = plural(unit)
    return {
        "t": f"the {units}" + (", the cases being fixed" if all_share else " and the cases in them"),
        "random-effects": f"the {units} and the cases in them",
        "cv-influence": "the cases, the trained models being fixed",
        "nadeau-bengio": "the cases that models are trained and tested on",
    }[method]


def reading_of(summary: AucSummary, shared: SharedCases | None) -> str:
    """The sentences of a summary."""
    sentences = {
        "t": _of_means,
        "random-effects": _of_effects,
        "cv-influence": _of_cases,
        "nadeau-bengio": _of_splits,
    }[summary.method](summary)
    random = f"Random: {summary.random}."
    return printable(" ".join([*sentences, random, *_cautions(summary, shared)]))


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


def _cautions(s: AucSummary, shared: SharedCases | None) -> list[str]:
    return [*_beyond(s), *_about_cases(s, shared), *_about_new_groups(s)]


def _about_new_groups(s: AucSummary) -> list[str]:
    if s.method not in ("t", "random-effects") or s.prediction_interval is not None:
        return []
    return [f"The {plural(s.unit)} are parts of one data set, so no other {s.unit} is predicted."]


def _beyond(s: AucSummary) -> list[str]:
    """Limits that no AUC has."""
    if s.interval.low >= 0 and s.interval.high <= 1:
        return []
    limit, end = (s.interval.high, 1) if s.interval.high > 1 else (s.interval.low, 0)
    return [f"The formula's limit is {limit:.4f}: it is symmetric, which AUCs near {end} are not."]


def _about_cases(s: AucSummary, shared: SharedCases | None) -> list[str]:
    if s.method == "random-effects" and s.design.shares_training:
        return ["Folds that share training data are not independent; method='t' allows for that."]
    if s.method == "t" and shared is not None and shared.fewest == s.n_groups > 1:
        return ["With other cases all AUCs would move together, which this interval does not show."]
    return []


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
