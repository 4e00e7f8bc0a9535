"""Is one model better? Pairs at the declared point, the same under other averages, who wins where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rocsteady.advice.deployment import Line
from rocsteady.errors import RocsteadyError
from rocsteady.report.summary.answer.values import area_of, read_value, reading_of
from rocsteady.report.summary.comparing import winner
from rocsteady.report.summary.comparing.at_point import ALONG_DIRECTIONS
from rocsteady.report.summary.comparing.given import given_reading
from rocsteady.report.summary.comparing.measure import (
    Measure,
    example_line,
    line_of,
    measure_of,
    model_name,
    place_words,
)
from rocsteady.report.summary.comparing.other_averages import Row, clipped, rows_of
from rocsteady.report.summary.comparing.pairs import Pair, are_cases_fixed, pairs_of
from rocsteady.report.summary.comparing.setting import Setting, setting_of, told
from rocsteady.report.summary.comparing.winner import Winner
from rocsteady.report.summary.comparing.words import (
    met_words,
    p_value_words,
    these,
    threshold_word,
)
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import Phrase, Text, phrase, sentences
from rocsteady.results import Result
from rocsteady.words import counted

ONLY_DECLARED = (
    "The averages answer different questions, so they may disagree. Only the row marked ",
    "declared",
    " is evidence for this deployment.",
)
NONE_DECLARED = (
    "The averages answer different questions, so they may disagree. How the scores will be used was not "
    "declared, so none of them is recommended."
)


@dataclass(frozen=True, eq=False)
class Standing(Result):
    """One model's own value of what is compared, with its limits; NaN where they are not known."""

    model: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class ComparisonPart(Result):
    """Which model is better.

    Attributes
    ----------
    models : tuple of str
    measure : Measure
        What the pairs are compared by.
    pairs : tuple of Pair
        Every model against the first; at a threshold two for each, of both rates.
    standings : tuple of Standing
        The models, best first, by ``standings_measure``.
    others : tuple of Row
        The same question under every average; empty for one dataset.
    others_measure : Measure
        What the rows are about.
    place : str
        Where the rows are read, in words, for a table's head: "TPR at FPR 5 %".
    winner : Winner or None
        Who wins where.
    sentence : Phrase
        What was found at the declared point.
    note : Text
        How the rows are to be read.
    problem : str
        Why models could not be compared; empty where they were.
    """

    models: tuple[str, ...]
    measure: Measure
    pairs: tuple[Pair, ...]
    standings: tuple[Standing, ...]
    others: tuple[Row, ...]
    others_measure: Measure
    place: str
    winner: Winner | None
    sentence: Phrase
    note: Text
    problem: str = ""

    @property
    def standings_measure(self) -> Measure:
        """What the standings are about: at a threshold the second of two rates, else what is compared."""
        return self.pairs[-1].measure if self.pairs else self.measure


def make(material: Material) -> ComparisonPart | None:
    """The comparison of all models; None for one."""
    if len(material.names) < 2:
        return None
    material.settings.say("models compared")
    place = line_of(material)
    setting = setting_of(material, place)
    problem = ""
    pairs: tuple[Pair, ...] = ()
    try:
        found = (_with_own_limits(material, setting, pair) for pair in pairs_of(material, setting))
        pairs = tuple(_told(material, setting, pair) for pair in found)
    except RocsteadyError as error:
        problem = told(error)
    rows, rows_place = _rows(material, place, pairs)
    measure = pairs[0].measure if pairs else measure_of(material, setting.place, setting.key)
    others_measure = measure_of(material, rows_place, material.declared_key)
    return ComparisonPart(
        models=material.names,
        measure=measure,
        pairs=pairs,
        standings=_standings(pairs),
        others=rows,
        others_measure=others_measure,
        place=_head(material, others_measure, rows_place),
        winner=winner.make(material),
        sentence=_sentence(material, pairs, problem),
        note=_note(material, setting),
        problem=problem,
    )


PICKED = (
    "Every row has its own best two. Their intervals are not widened for having been picked among several; "
    "where this page calls a model better than the next, that was allowed for."
)


def _note(material: Material, setting: Setting) -> Text:
    picked = PICKED if len(material.names) > 2 else ""
    if material.deployment is None:
        return sentences(NONE_DECLARED, picked)
    word, areas = threshold_word(material.wording), ""
    if setting.is_given:
        areas = f"These are areas, which take no {word}: what the {word}s of other rows do is told above."
    return sentences(areas, ONLY_DECLARED, picked)


def _with_own_limits(material: Material, setting: Setting, pair: Pair) -> Pair:
    """With the intervals that the page has of each model by itself, where they are about the same number."""
    if pair.measure.kind == "cost" or pair.random == "readers and cases":
        return pair
    limits: dict[str, tuple[float, float]] = {}
    for name, value, known in ((pair.a, pair.value_a, pair.a_limits), (pair.b, pair.value_b, pair.b_limits)):
        if pair.measure.kind == "auc":
            own = area_of(material, setting, name)
        elif setting.is_given:
            own = read_value(given_reading(material, name), pair.measure)
        else:
            own = read_value(reading_of(material, setting, name), pair.measure)
        limits[name] = clipped(*own[1:], least=0.0) if math.isclose(own[0], value, abs_tol=1e-9) else known
    return replace(pair, a_limits=limits[pair.a], b_limits=limits[pair.b])


def _rows(
    material: Material, place: Line | None, pairs: Sequence[Pair]
) -> tuple[tuple[Row, ...], Line | None]:
    """Every average, and where it was read: at an example where no deployment was declared."""
    if material.is_alone:
        return (), None
    if place is None and material.deployment is None:
        place = example_line(material)
    if place is not None and (place.threshold is not None or material.settings.cutoff_from is not None):
        place = None  # thresholds that are given say nothing about another average
    rows = rows_of(material, place)
    if len(pairs) != 1:
        return rows, place
    # What the pair is about is told as the pair tells it, to the last digit.
    (pair,) = pairs
    return tuple(
        _as_pair(row, pair) if _is_told_by(material, row, pair, place) else row for row in rows
    ), place


def _is_told_by(material: Material, row: Row, pair: Pair, place: Line | None) -> bool:
    """Whether a row is about the pair's difference: averages along all directions have one area."""
    if pair.measure != measure_of(material, place, row.key):
        return False
    one_area = pair.measure.name == "mean AUC" and row.key in ALONG_DIRECTIONS
    return row.is_declared or (one_area and place is None)


def _as_pair(row: Row, pair: Pair) -> Row:
    return replace(
        row,
        values=(pair.value_a, pair.value_b),
        difference=pair.difference,
        low=pair.low,
        high=pair.high,
        is_decided=pair.is_decided,
    )


def _head(material: Material, measure: Measure, place: Line | None) -> str:
    short = measure.short if measure.kind != "auc" else "Area under the curve"
    if place is None or measure.kind in ("auc", "eer"):
        return short
    example = "" if material.place_is_declared else ", an example"
    return f"{short} at {place_words(place, material.wording).removeprefix('costs of ')}{example}"


def _standings(pairs: Sequence[Pair]) -> tuple[Standing, ...]:
    """The models, best first; of both rates at a threshold, by the TPR."""
    if not pairs:
        return ()
    kept = [pair for pair in pairs if pair.measure.kind == pairs[-1].measure.kind]
    measure = kept[0].measure
    found = [Standing(kept[0].a, kept[0].value_a, *kept[0].a_limits)]
    found += [Standing(pair.b, pair.value_b, *pair.b_limits) for pair in kept]
    sign = 1 if measure.lower_is_better else -1
    return tuple(sorted(found, key=lambda own: sign * own.value))


def _told(material: Material, setting: Setting, pair: Pair) -> Pair:
    """The pair with its sentence."""
    wording, measure = material.wording, pair.measure
    place = setting.place
    head = "The"
    if measure.at:
        head = f"At {measure.at} the"
    elif setting.is_given:
        head = f"With the {threshold_word(wording)}s found on other rows the"
    elif place is not None and place.threshold is not None:
        head = f"At a {threshold_word(wording)} of {wording.threshold(place.threshold)} the"
    names = f", {model_name(pair.a)} minus {model_name(pair.b)},"
    level = f"{100 * material.settings.confidence_level:g} %"
    limits = measure.limits(pair.low, pair.high)
    paired = "paired over" if pair.is_paired else "not paired, over"
    over = these(wording, pair.n_groups, pair.random).removeprefix("these ")
    test = p_value_words(pair.pvalue, pair.adjusted_pvalue)
    if pair.low == pair.high:
        limits = f"no interval: the same in every {material.unit}"
    else:
        limits = f"{level} interval {limits}" if limits else "no interval is known"
    inside = [limits, f"{paired} {over}", test]
    found = phrase(
        f"{head} difference in {measure.name}{names} is ",
        ("", measure.signed(pair.difference, pair.low, pair.high)),
        f" ({', '.join(filter(None, inside))}).",
    )
    met, frozen = _what_is_met(material, setting, pair), _frozen(material, pair)
    return replace(pair, sentence=sentences(found, _by_flips(material, pair), met, frozen))


def _by_flips(material: Material, pair: Pair) -> str:
    """What the other test says, where it does not agree."""
    alpha = 1 - material.settings.confidence_level
    if math.isnan(pair.flip_pvalue) or (pair.flip_pvalue < alpha) == (pair.pvalue < alpha):
        return ""
    whose = f"the differences of single {material.wording.units}"
    return f"A test that flips the signs of {whose} has p = {pair.flip_pvalue:.2g}: the two do not agree."


def _what_is_met(material: Material, setting: Setting, pair: Pair) -> str:
    """Which interval it is: a budget met again, or thresholds that stay."""
    wording, place = material.wording, None if pair.measure.kind == "auc" else setting.place
    word = threshold_word(wording)
    folds = ""
    if setting.test_train_ratio and pair.random == "groups":
        folds = f"{wording.units.capitalize()} share training cases, which the interval allows for."
    if are_cases_fixed(material, pair):
        folds += (
            f" All {wording.units} saw the same cases, and the interval is for these cases: it allows for "
            f"other {wording.units}, not for other cases."
        )
    if setting.is_frozen and pair.measure.kind != "auc":  # said once, of both rates
        stays = f"The {word}s stay as they are." if setting.is_given else f"The {word} stays as it is."
        return "" if pair.measure.kind == "fpr" else f"{stays} {folds}".strip()
    if place is None or place.held == "cost":
        return folds.strip()
    budget = met_words(place, wording)
    if pair.random == "readers and cases":
        return f"Every {wording.unit} meets {budget} again in every resample of cases."
    if pair.is_met_again and pair.random == "cases":
        return f"{budget.capitalize()} is met again in every resample of cases. {folds}".strip()
    if setting.is_shared:
        return f"The interval allows for a {word} that is set again to meet {budget}. {folds}".strip()
    return f"Every {wording.unit} meets {budget} itself, with a {word} of {wording.its} own. {folds}".strip()


def _frozen(material: Material, pair: Pair) -> str:
    if math.isnan(pair.frozen_low) or pair.frozen_low == pair.frozen_high:
        return ""
    limits = pair.measure.limits(pair.frozen_low, pair.frozen_high)
    word = threshold_word(material.wording)
    return f"If instead today's two {word}s were frozen, the interval would be {limits}."


def _sentence(material: Material, pairs: Sequence[Pair], problem: str) -> Phrase:
    if problem:
        return (f"The models could not be compared: {problem}",)
    start: Text = ""
    if material.deployment is None and not material.is_alone:
        start = "How the scores will be used was not declared, so the models are compared by their mean AUC."
    if len(pairs) <= 2 and len(material.names) == 2:
        return sentences(start, *(pair.sentence for pair in pairs))
    first = model_name(pairs[0].a)
    n = counted(len(material.names) - 1, "comparison")
    how = phrase("Every model is set against the first, ", ("", first), f"; p-values allow for {n} (Holm).")
    return sentences(start, how, _what_is_met(material, setting_of(material, line_of(material)), pairs[0]))
