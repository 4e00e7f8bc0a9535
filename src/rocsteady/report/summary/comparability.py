"""Do scores mean the same in every group? How far levels shift, and what one shared threshold costs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.inference.comparability import (
    LEAST_PRICE,
    LEAST_RELATIVE_PRICE,
    LEAST_SMALL_PRICE,
    Comparability,
    Moving,
    matters,
)
from rocsteady.report.summary.comparing.groups import shared_threshold_of
from rocsteady.report.summary.comparing.measure import line_of, model_name
from rocsteady.report.summary.comparing.words import threshold_word
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import Phrase, Text, phrase, sentences
from rocsteady.report.summary.unit_words import on
from rocsteady.report.summary.vocabulary import percent, short_name
from rocsteady.results import Result
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.groups import effective_number
from rocsteady.words import listed, named

Floats = NDArray[np.float64]

_ALMOST = 0.05
"""How far an effective number may be below the number that there is, and still be written alike."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, eq=False)
class Level(Result):
    """How the scores of one model lie in the groups.

    Attributes
    ----------
    model : str
    shift : float
        Standard deviation of the level between groups over that within one; infinite where rows of a group
        all score alike.
    price, price_low, price_high : float
        The AUC that one shared threshold costs, with its interval over groups; NaN where not known.
    judgement : {"small", "large", "unsure"}
        Large if the price is large enough to matter and beyond chance; unsure if it may be chance.
    own_auc, shared_auc, pvalue : float
        The mean AUC of the groups, the AUC under one threshold; whether rows could be exchanged.
    movement : str
        Which class moves, in words.
    threshold : float
        The shared one at the declared point; NaN where every group has its own.
    quantiles : (n_shown, 5) float64 array
        Of the negatives' scores in the groups that are shown: 5, 25, 50, 75 and 95 %.
    """

    model: str
    shift: float
    price: float
    price_low: float
    price_high: float
    judgement: str
    own_auc: float
    shared_auc: float
    pvalue: float
    movement: str
    threshold: float
    quantiles: Floats


@dataclass(frozen=True)
class SizeBalance(Result):
    """How unequally the rows are spread.

    Attributes
    ----------
    share : float
        Of all rows that the largest group has.
    group : str
        Which one.
    effective : float
        How many groups of equal size would share the rows as unequally: what pooling acts on.
    n_groups : int
    sentence : Phrase
    """

    share: float
    group: str
    effective: float
    n_groups: int
    sentence: Phrase


@dataclass(frozen=True, eq=False)
class ComparabilityPart(Result):
    """Whether scores mean the same in every group.

    Attributes
    ----------
    models : tuple of Level
        Empty where it cannot be told: one group, or weighted rows.
    groups : tuple of str
        Those that are shown, in order of the median of the last model's negatives, highest first.
    n_groups : int
        How many have both classes.
    balance : SizeBalance or None
    sentence : Phrase
        What follows for the declared use.
    hint : str
        What bringing scores to one scale could win back; empty where nothing.
    shift_explanation, price_explanation : str
    problem : str
        Why it cannot be told.
    """

    models: tuple[Level, ...]
    groups: tuple[str, ...]
    n_groups: int
    balance: SizeBalance | None
    sentence: Phrase
    hint: str
    shift_explanation: str
    price_explanation: str
    problem: str = ""


def make(material: Material) -> ComparabilityPart | None:
    """How scores compare between groups; None without groups."""
    if not material.is_grouped:
        return None
    material.settings.say("scores compared between groups")
    found = {name: material.comparability(name) for name in material.names}
    known = {name: own for name, own in found.items() if own is not None}
    groups = [material.score_set.groups[i] for i in material.shown]
    levels = [_level(material, name, own, groups) for name, own in known.items()]
    order = np.argsort(-levels[-1].quantiles[:, 2], kind="stable") if levels else np.arange(len(groups))
    return ComparabilityPart(
        models=tuple(_reordered(level, order) for level in levels),
        groups=tuple(groups[i] for i in order),
        n_groups=_n_groups(material),
        balance=_balance(material),
        sentence=_sentence(material, levels, moves=any(map(_moves, known.values()))),
        hint=_hint(material, levels),
        shift_explanation=_shift_words(material),
        price_explanation=_price_words(material),
        problem="" if levels else _problem(material),
    )


def _n_groups(material: Material) -> int:
    """How many groups have a curve of some model: the others are in no average."""
    return len(set().union(*(material.curves(name).names for name in material.names)))


def _problem(material: Material) -> str:
    if material.score_set.columns.are_counts:
        return "Rows were counted, and exchanging them between groups needs single rows."
    if material.score_set.columns.weights is not None:
        return "Rows have weights, and exchanging rows between groups needs rows that count alike."
    return f"Only one {material.unit} has both classes, so there is nothing to compare its scores with."


def _level(material: Material, name: str, own: Comparability, groups: list[str]) -> Level:
    return Level(
        model=name,
        shift=own.level_shift.overall,
        price=own.price,
        price_low=own.price_interval.low,
        price_high=own.price_interval.high,
        judgement=judged(own),
        own_auc=own.own_auc,
        shared_auc=own.shared_auc,
        pvalue=own.pvalue,
        movement=own.movement,
        threshold=_threshold(material, name),
        quantiles=_quantiles(material.of_model(name), groups),
    )


def judged(own: Comparability) -> str:
    """Whether a shift is small: as the price of one threshold is judged, by its size and by a test.

    The warning RS301 is what makes it large; a price that would matter, but may be chance, is unsure.
    """
    if own.warnings:
        return "large"
    return "unsure" if matters(own.price, own.own_auc) else "small"


def _threshold(material: Material, name: str) -> float:
    key = material.declared_key
    if key not in ("threshold", "pooled") or line_of(material) is None:
        return math.nan
    return shared_threshold_of(material, key, name)


def _quantiles(own: ScoreSet, groups: list[str]) -> Floats:
    """Of the negatives; a score that was given, never one between an infinite one and another."""
    columns, place = own.columns, {group: i for i, group in enumerate(own.groups)}
    found = np.full((len(groups), len(QUANTILES)), np.nan)
    for row, group in enumerate(groups):
        if group not in place:
            continue
        start, stop = columns.offsets[place[group] : place[group] + 2]
        is_negative = columns.labels[start:stop] != columns.positive
        scores = np.asarray(columns.scores[start:stop], dtype=np.float64)[is_negative]
        if scores.size:
            found[row] = np.quantile(scores, QUANTILES, method="inverted_cdf")
    return found


def _reordered(level: Level, order: NDArray[np.intp]) -> Level:
    fields = {name: getattr(level, name) for name in level.__dataclass_fields__}
    return Level(**{**fields, "quantiles": level.quantiles[order]})


def _balance(material: Material) -> SizeBalance | None:
    """From the first model: all score the same cases as a rule."""
    own = material.of_model(material.names[0])
    sizes = _sizes(own)
    # Groups of one class are in no average, but their rows are pooled where that is the declared use.
    used = np.flatnonzero((sizes > 0) & (own.has_curve | (material.declared_key == "pooled")))
    sizes = sizes[used]
    if sizes.size < 2:
        return None
    what = "weight comes" if own.columns.has_weights else "rows come"
    shares = sizes / sizes.sum()
    largest = int(np.argmax(shares))
    effective = effective_number(shares)
    group, n = own.groups[used[largest]], int(sizes.size)
    units, unit = material.wording.units, material.unit
    if sizes.min() == sizes.max():
        said: Text = f"of all {what} from each {unit}: all have the same number."
        if own.columns.has_weights:
            said = f"of all weight comes from each {unit}: all have the same."
        return SizeBalance(float(shares[largest]), group, effective, n, phrase(said))
    if effective > n - _ALMOST:
        who = short_name(named(unit, group))
        said = f"of all {what} from {who}: all {units} are about equally large."
        return SizeBalance(float(shares[largest]), group, effective, n, phrase(said))
    said = phrase(
        f"of all {what} from {short_name(named(unit, group))}. Pooling would act as if there were ",
        ("", f"{effective:.1f}"),
        f" {units}, not {n}.",
    )
    key = material.declared_key
    if key == "pooled":
        most = "weight" if own.columns.has_weights else "rows"
        end = f"The declared use pools: it follows the {units} with most {most}."
    else:
        end = f"An average in which every {unit} counts once is not affected."
    return SizeBalance(float(shares[largest]), group, effective, n, sentences(said, end))


def has_equal_groups(material: Material) -> bool:
    """Whether all groups have the same number of rows, so that nobody need speak of their sizes."""
    sizes = _sizes(material.of_model(material.names[0]))
    return bool(sizes.min() == sizes.max())


def _sizes(own: ScoreSet) -> Floats:
    """Rows of every group; with row weights their sums."""
    columns = own.columns
    if columns.weights is None:
        return np.asarray(own.n_positives + own.n_negatives, dtype=np.float64)
    ends = np.concatenate([[0.0], np.cumsum(columns.weights, dtype=np.float64)])
    return np.diff(ends[columns.offsets])


def _moves(own: Comparability) -> bool:
    return own.moving not in (Moving.NEITHER, Moving.UNKNOWN)


def _sentence(material: Material, levels: list[Level], *, moves: bool) -> Phrase:
    wording, units = material.wording, material.wording.units
    word = threshold_word(wording)
    if not levels:
        return (_problem(material),)
    start = (
        f"A shared {word} only works when a score means the same {on(material.unit)} every {material.unit}."
    )
    large = [model_name(own.model) for own in levels if own.judgement == "large"]
    unsure = [model_name(own.model) for own in levels if own.judgement == "unsure"]
    is_own = material.deployment is not None and not material.deployment.is_shared
    if not large and not unsure:
        if moves:
            return sentences(start, f"Here scores move between {units}, but one {word} costs little AUC.")
        return sentences(start, f"Here it does, as far as these {units} show: one {word} costs little.")
    said: list[Text] = [start]
    if large:
        who = "The scores" if len(material.names) == 1 else f"The scores of {listed(large)}"
        said.append(phrase(f"{who} shift between {units} so much that one {word} costs AUC beyond chance."))
    if unsure:
        who = "The scores" if len(material.names) == 1 else f"Those of {listed(unsure)}"
        said.append(f"{who} seem to shift, but that may be chance.")
    if is_own:
        said.append(
            f"Every {material.unit} has {wording.its} own {word} in the declared use, so this costs nothing "
            "there."
        )
    return sentences(*said)


def _hint(material: Material, levels: list[Level]) -> str:
    """What calibration in every group could win back."""
    large = [own for own in levels if own.judgement == "large"]
    if not large or (material.deployment is not None and not material.deployment.is_shared):
        return ""
    parts = [
        f"{own.price:.3f} AUC" + (f" for {model_name(own.model)}" if len(material.names) > 1 else "")
        for own in large
    ]
    return f"Bringing the scores of every {material.unit} to one scale could win back up to {listed(parts)}."


def _shift_words(material: Material) -> str:
    units, unit = material.wording.units, material.unit
    return (
        f"Spread of the levels of {units}, in units of the spread within a {unit}. It is called large "
        "where it costs enough AUC to matter, beyond chance."
    )


def _price_words(material: Material) -> str:
    more = percent(LEAST_RELATIVE_PRICE)
    return (
        f"AUC lost by one {threshold_word(material.wording)} for all, against one for each. It matters "
        f"from {LEAST_PRICE:g}, or from {LEAST_SMALL_PRICE:g} where it adds {more} to the pairs in the wrong "
        "order."
    )
