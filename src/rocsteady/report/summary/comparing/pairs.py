"""Two models at the declared point: values, difference, interval, and every group by itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.advice.deployment import Line
from rocsteady.advice.readings import Quantity, difference
from rocsteady.errors import RocsteadyError, fail
from rocsteady.inference.compare import compare_own_rates
from rocsteady.inference.differences import Budget, Difference, PointComparison
from rocsteady.inference.matching import is_like_a_reader_study
from rocsteady.readers.compare import ReaderComparison, compare_readers
from rocsteady.report.summary.comparing.at_point import asked, compared_at, point_of
from rocsteady.report.summary.comparing.given import given_reading
from rocsteady.report.summary.comparing.groups import group_values, shared_threshold_of
from rocsteady.report.summary.comparing.measure import Measure, measure_of, rate_measure
from rocsteady.report.summary.comparing.other_averages import clipped, common_averages, quantities
from rocsteady.report.summary.comparing.setting import Setting, catching
from rocsteady.report.summary.comparing.words import met_words, threshold_word
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import Phrase
from rocsteady.results import Result
from rocsteady.statistics.limits import Interval, upper_tail
from rocsteady.statistics.multiplicity import adjusted
from rocsteady.statistics.paired_t import paired_t

Floats = NDArray[np.float64]
_NO_NUMBERS = np.empty(0)
_N_DENSITY, _FAR = 81, 4.0
"""Points of a drawn density, and how many standard errors it reaches to either side."""


@dataclass(frozen=True, eq=False)
class Pair(Result):
    """Two models, and how sure their difference is; ``measure`` says how its numbers are shown.

    Attributes
    ----------
    a, b : str
        The models.
    measure : Measure
        What was compared.
    value_a, value_b, difference : float
        Of each model; the first less the second.
    a_limits, b_limits : (float, float)
        Of each model's own value.
    low, high : float
        The interval of the difference; NaN where none is known.
    pvalue, adjusted_pvalue : float
        The second allows for the number of pairs.
    flip_pvalue : float
        Of the test that flips the signs of the groups' differences; NaN where groups are not what is random.
    frozen_low, frozen_high : float
        The interval if today's thresholds stayed as they are; NaN where that is no question.
    n_groups : int or (int, int)
        Groups that were compared; of each model where they are not paired.
    random : {"groups", "cases", "readers and cases"}
        What the interval takes as a random sample.
    is_paired, is_decided : bool
        Whether differences are taken within groups or cases; whether the difference is told from none.
    better : str
        The model with the better value, however unsure; empty where they are alike.
    how : str
        What the interval takes as given, in words.
    is_met_again : bool
        Whether thresholds are set anew in every resample.
    groups : tuple of str
        Those of ``values_a`` and ``values_b``: what every group has by itself.
    density_x, density_y : float64 arrays
        How likely differences are, to be drawn; the highest is 1.
    sentence : Phrase
        What was found.
    """

    a: str
    b: str
    measure: Measure
    value_a: float
    value_b: float
    difference: float
    a_limits: tuple[float, float]
    b_limits: tuple[float, float]
    low: float
    high: float
    pvalue: float
    adjusted_pvalue: float
    frozen_low: float
    frozen_high: float
    n_groups: Any
    random: str
    is_paired: bool
    is_decided: bool
    better: str
    how: str
    is_met_again: bool
    groups: tuple[str, ...] = ()
    values_a: Floats = field(default_factory=lambda: _NO_NUMBERS)
    values_b: Floats = field(default_factory=lambda: _NO_NUMBERS)
    density_x: Floats = field(default_factory=lambda: _NO_NUMBERS)
    density_y: Floats = field(default_factory=lambda: _NO_NUMBERS)
    flip_pvalue: float = math.nan
    sentence: Phrase = ()


def pairs_of(material: Material, setting: Setting) -> tuple[Pair, ...]:
    """Every model against the first; p-values allow for their number (Holm)."""
    first, *others = material.names
    pairs: list[Pair] = []
    with catching(material):
        for other in others:
            pairs += _compared(material, setting, first, other)
    return _adjusted([_clipped(pair) for pair in pairs], 1 - material.settings.confidence_level)


def _clipped(pair: Pair) -> Pair:
    """With limits that a difference can have: no two rates, and no two areas, are further apart than 1."""
    if pair.measure.kind == "cost":
        return pair
    low, high = clipped(pair.low, pair.high)
    frozen_low, frozen_high = clipped(pair.frozen_low, pair.frozen_high)
    return replace(
        pair,
        low=low,
        high=high,
        frozen_low=frozen_low,
        frozen_high=frozen_high,
        a_limits=clipped(*pair.a_limits, least=0.0),
        b_limits=clipped(*pair.b_limits, least=0.0),
    )


def _compared(material: Material, setting: Setting, a: str, b: str) -> list[Pair]:
    place = setting.place
    if setting.is_given:
        found = _with_given_thresholds(material, setting, a, b)
        return [_pair(material, setting, found, own) for own in found.differences]
    by_readers = _of_readers(material, setting, a, b)
    if by_readers is not None:
        return [_pair(material, setting, by_readers, own) for own in by_readers.differences]
    if place is not None and place.held in ("balance", "ratio", "cost") and not material.is_alone:
        return [_of_quantities(material, setting, a, b)]
    if place is not None and place.held in ("balance", "ratio", "cost", "alerts") and setting.key != "alerts":
        setting = replace(setting, place=None)  # nobody knows how such a reading varies with the cases
    found = compared_at(material, setting, a, b, point_of(setting))
    return [
        _with_frozen(material, setting, _pair(material, setting, found, own)) for own in found.differences
    ]


def _with_given_thresholds(material: Material, setting: Setting, a: str, b: str) -> PointComparison:
    """Both rates with thresholds that other rows gave: one for all groups, or one for each."""
    read = {name: given_reading(material, name) for name in (a, b)}
    if setting.is_shared or material.is_alone:
        return compared_at(
            material, setting, a, b, [{"threshold": {name: own.threshold for name, own in read.items()}}]
        )
    rates = {
        kind: [group_values(material, setting, kind, name) for name in (a, b)] for kind in ("fpr", "tpr")
    }
    groups = tuple(name for name in rates["fpr"][0] if name in rates["fpr"][1])
    if len(groups) < 2:
        raise fail("RS068.thresholds-elsewhere", unit=material.unit, n=len(groups))
    each: Any = {kind: tuple([own[g] for g in groups] for own in values) for kind, values in rates.items()}
    return compare_own_rates(
        (a, b),
        each,
        groups,
        unit=material.unit,
        design=material.score_set.design,
        confidence_level=material.settings.confidence_level,
        test_train_ratio=setting.test_train_ratio,
    )


def _with_frozen(material: Material, setting: Setting, pair: Pair) -> Pair:
    """With the interval at today's thresholds, where a shared one is set to reach a rate."""
    place = setting.place
    if place is None or place.held not in ("fpr", "tpr") or not setting.is_shared or pair.random != "groups":
        return pair
    models = pair.a, pair.b
    try:
        averages = common_averages(material, setting.key, models)
    except RocsteadyError:  # no group in common
        return pair
    today = {name: shared_threshold_of(material, setting.key, name, own) for name, own in averages.items()}
    found = compared_at(material, setting, *models, [{"threshold": today}]).differences
    (own,) = (each for each in found if each.lower_is_better == pair.measure.lower_is_better)
    return replace(pair, frozen_low=own.interval.low, frozen_high=own.interval.high)


def readers_compared(material: Material, setting: Setting, a: str, b: str) -> ReaderComparison | None:
    """Readers and cases random at once, where most cases were seen by several; None where that cannot be."""
    place = setting.place
    if not is_like_a_reader_study(material.score_set) or setting.is_shared or setting.is_given:
        return None
    if place is not None and place.held not in ("fpr", "tpr"):
        return None
    found: ReaderComparison | None = material.once(
        ("readers compared", str(place), a, b), lambda: _readers_compared(material, place, a, b)
    )
    return found


def _readers_compared(material: Material, place: Line | None, a: str, b: str) -> ReaderComparison | None:
    measure: Any = "auc" if place is None else {place.held: place.target}
    try:
        return compare_readers(
            material.score_set, measure=measure, modalities=(a, b), standalone=None, **asked(material)
        )
    except RocsteadyError:
        return None  # a cell of the design is missing, or a case was rated twice


def are_cases_fixed(material: Material, pair: Pair) -> bool:
    """Whether all groups saw the same cases, and the interval takes these as they are."""
    return pair.random == "groups" and is_like_a_reader_study(material.score_set)


def _of_readers(material: Material, setting: Setting, a: str, b: str) -> PointComparison | None:
    found = readers_compared(material, setting, a, b)
    if found is None:
        return None
    own = dict(zip(found.modalities, found.per_modality.logit_intervals, strict=True))
    told = tuple(replace(each, a_interval=own[each.a], b_interval=own[each.b]) for each in found.differences)
    return PointComparison(told, len(found.readers), "readers and cases", True, found.readers)


def _pair(material: Material, setting: Setting, found: PointComparison, own: Difference) -> Pair:
    place, random = setting.place, found.random
    measure = measure_of(material, place, setting.key)
    if setting.is_frozen:
        measure = rate_measure("fpr" if own.lower_is_better else "tpr", material.wording)
    low, high = own.interval.low, own.interval.high
    made = Pair(
        a=own.a,
        b=own.b,
        measure=measure,
        value_a=own.a_value,
        value_b=own.b_value,
        difference=own.difference,
        a_limits=_limits(own.a_interval),
        b_limits=_limits(own.b_interval),
        low=low,
        high=high,
        pvalue=own.pvalue,
        adjusted_pvalue=own.pvalue,
        frozen_low=math.nan,
        frozen_high=math.nan,
        n_groups=_n_groups(material, setting, found, (own.a, own.b)),
        random=random,
        is_paired=found.paired,
        is_decided=bool(low > 0 or high < 0),
        better=own.better or "",
        how=_how(material, setting, random),
        is_met_again=_is_met_again(setting, random, own),
        flip_pvalue=own.flip_pvalue,
    )
    return _with_density(_with_groups(material, setting, made), own.standard_error, own.df)


def _is_met_again(setting: Setting, random: str, own: Difference) -> bool:
    """Whether the interval counts that a threshold would be set again to meet the rate."""
    if random == "cases":
        return own.facts.budget not in (None, Budget.KEPT)
    place = setting.place
    return setting.is_shared and not setting.is_frozen and place is not None and place.held in ("fpr", "tpr")


def _n_groups(material: Material, setting: Setting, found: PointComparison, models: tuple[str, str]) -> Any:
    """Groups whose rows count: pooling takes those of one class, too, which have no curve."""
    if not setting.weighs_rows or found.random != "groups" or not found.paired:
        return found.n_groups
    return common_averages(material, setting.key, models)[models[0]].n_groups


def _limits(interval: Interval) -> tuple[float, float]:
    return float(interval.low), float(interval.high)


def _how(material: Material, setting: Setting, random: str) -> str:
    """What the interval takes as given, after its limits."""
    wording, place = material.wording, setting.place
    if random == "readers and cases":
        return f"{wording.units} and cases random"
    beside = ", corrected for training cases that folds share" if setting.test_train_ratio else ""
    if random == "groups" and is_like_a_reader_study(material.score_set):
        beside += ", for these very cases"
    over = "over cases" if random == "cases" else f"over {wording.units}"
    word = threshold_word(wording)
    if setting.is_frozen:
        kept = f"{word}s as they are" if setting.is_given else f"{word} as it is"
        return f"{over}{beside}, the {kept}"
    if place is None:
        return over + beside
    budget = met_words(place, wording)
    if random == "cases":
        return f"{budget} met again in every resample of cases{beside}"
    if setting.is_shared:
        return f"{over}{beside}, allowing for a {word} that is set again"
    met = "tuned to the costs" if place.held == "cost" else f"meets {budget} itself"
    return f"every {wording.unit} {met}{beside}"


def _with_groups(material: Material, setting: Setting, made: Pair) -> Pair:
    """Every group by itself, where both models have it; an area under one threshold is no mean of theirs."""
    if not made.is_paired or material.is_alone or (made.measure.kind == "auc" and setting.is_shared):
        return made
    values = [group_values(material, setting, made.measure.kind, name) for name in (made.a, made.b)]
    groups = tuple(name for name in values[0] if name in values[1])
    first, second = (np.array([own[name] for name in groups]) for own in values)
    return replace(made, groups=groups, values_a=first, values_b=second)


def _of_quantities(material: Material, setting: Setting, a: str, b: str) -> Pair:
    """At a point that only single groups' own readings, or resampled groups, tell the spread of."""
    level = material.settings.confidence_level
    found = quantities(material, setting.key, setting.place, (a, b))
    first, second = found[a], found[b]
    gap, interval = difference(first, second, level)
    measure = measure_of(material, setting.place, setting.key)
    own = [difference(quantity, None, level)[1] for quantity in (first, second)]
    n_groups = int(first.weights.size)
    pvalue, error, df = _tested(first, second, setting.test_train_ratio)
    gain = -gap if measure.lower_is_better else gap
    made = Pair(
        a=a,
        b=b,
        measure=measure,
        value_a=first.value,
        value_b=second.value,
        difference=gap,
        a_limits=_limits(own[0]),
        b_limits=_limits(own[1]),
        low=interval.low,
        high=interval.high,
        pvalue=pvalue,
        adjusted_pvalue=pvalue,
        frozen_low=math.nan,
        frozen_high=math.nan,
        n_groups=n_groups,
        random="groups",
        is_paired=True,
        is_decided=bool(interval.low > 0 or interval.high < 0),
        better=a if gain > 0 else b if gain < 0 else "",
        how=_how(material, setting, "groups"),
        is_met_again=False,
    )
    return _with_density(_with_groups(material, setting, made), error, df)


def _tested(first: Quantity, second: Quantity, ratio: float | None) -> tuple[float, float, float]:
    """The paired t of the groups' own readings; NaN where the number is no mean of such."""
    if first.own is None or second.own is None or first.own.size < 2:
        return math.nan, math.nan, math.nan
    found = paired_t(first.own, second.own, test_train_ratio=ratio)
    mean, statistic = float(np.mean(first.own - second.own)), float(found.statistic)
    return float(found.pvalue), mean / statistic if statistic else math.nan, float(found.df)


def _with_density(made: Pair, error: float, df: float) -> Pair:
    """How likely differences are around the one that was found, by the distribution of the interval."""
    if not (error > 0 and df > 0):
        return made
    steps = np.linspace(-_FAR, _FAR, _N_DENSITY + 1)
    mass = np.diff(upper_tail(-steps, df))
    middle = (steps[1:] + steps[:-1]) / 2
    return replace(made, density_x=made.difference + middle * error, density_y=mass / mass.max())


def _adjusted(pairs: Sequence[Pair], alpha: float) -> tuple[Pair, ...]:
    """With p-values for the number of pairs, each quantity by itself."""
    found = list(pairs)
    for kind in dict.fromkeys(pair.measure.kind for pair in pairs):
        chosen = [i for i, pair in enumerate(pairs) if pair.measure.kind == kind]
        if len(chosen) < 2:
            continue
        pvalues = adjusted(np.array([pairs[i].pvalue for i in chosen]), "holm")
        for i, pvalue in zip(chosen, pvalues.tolist(), strict=True):
            is_decided = found[i].is_decided and not pvalue > alpha * (1 + 1e-12)
            found[i] = replace(found[i], adjusted_pvalue=pvalue, is_decided=is_decided)
    return tuple(found)
