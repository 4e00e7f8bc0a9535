"""Whether models differ: decided, not told apart, or no telling; never that they are equal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from rocsteady.report.summary.answer.values import has_other_point
from rocsteady.report.summary.comparing.comparison import ComparisonPart, Standing
from rocsteady.report.summary.comparing.measure import line_of, model_name
from rocsteady.report.summary.comparing.pairs import Pair, are_cases_fixed
from rocsteady.report.summary.comparing.setting import wording_of
from rocsteady.report.summary.comparing.words import these, threshold_word, within
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import Phrase, Text, phrase, sentences
from rocsteady.words import counted, listed


def verdict_of(material: Material, comparison: ComparisonPart) -> Phrase:
    """The verdict on all models."""
    if comparison.problem:
        return (f"They could not be compared: {comparison.problem}",)
    if len(comparison.models) > 2:
        return _verdict_of_many(material, comparison)
    if len(comparison.pairs) == 2:
        return _verdict_of_rates(material, comparison.pairs)
    (pair,) = comparison.pairs
    place = line_of(material)
    if has_other_point(material) and pair.measure.kind == "auc":
        why = "That point is found on every curve by itself, and no test of a difference there is known, so "
        return sentences(f"{why}the two are compared by {pair.measure.name}.", verdict(material, pair))
    if pair.measure.kind == "auc" and place is not None and material.is_alone:
        why = "How that varies with the cases is not known, so the two are compared by AUC."
        return sentences(why, verdict(material, pair))
    return verdict(material, pair)


def verdict(material: Material, pair: Pair) -> Phrase:
    """Whether two models differ: decided, not told apart, or no telling."""
    level, wording, measure = material.settings.confidence_level, wording_of(material), pair.measure
    basis = these(wording, pair.n_groups, pair.random)
    if pair.difference == 0 and not (pair.high - pair.low > 0):
        return (f"On {basis} the two do not differ in this at all.",)
    if math.isnan(pair.low):
        gap = measure.size(pair.difference) + measure.points
        return phrase(
            "Of the two, ", ("", model_name(pair.better)), " is ahead by ", ("", gap), _unsure(material, pair)
        )
    if pair.is_decided:
        low, high = sorted((abs(pair.low), abs(pair.high)))
        gap = measure.size(pair.difference, pair.low, pair.high) + measure.points
        inside = within(measure, low, high, level, _scope(material, pair), signed=False)
        return phrase(
            "Of the two, ", ("", model_name(pair.better)), " is better by ", ("", gap), f"{inside}."
        )
    inside = within(measure, pair.low, pair.high, level, _scope(material, pair), signed=True)
    return phrase(
        "The two ",
        ("", "cannot be told apart"),
        f" with {basis}: the difference, {model_name(pair.a)} minus {model_name(pair.b)}, is ",
        ("", measure.signed(pair.difference, pair.low, pair.high)),
        f"{inside}.",
    )


def _scope(material: Material, pair: Pair) -> str:
    """What nobody would guess of an interval; all else stands in the comparison."""
    if pair.random == "readers and cases":
        return f"over {wording_of(material).units} and cases"
    return "for these cases only" if are_cases_fixed(material, pair) else ""


def _unsure(material: Material, pair: Pair) -> str:
    if material.score_set.columns.has_weights and pair.random == "cases":
        return "; how sure that is cannot be said of weighted rows of one dataset."
    basis = these(wording_of(material), pair.n_groups, pair.random)
    return f"; how sure that is cannot be said, because {basis} show no spread."


def _verdict_of_rates(material: Material, pairs: Sequence[Pair]) -> Phrase:
    """At a threshold both rates count, and a model may be better in one and worse in the other."""
    said: list[Text] = []
    level = material.settings.confidence_level
    for i, pair in enumerate(reversed(pairs)):
        inside = within(
            pair.measure, pair.low, pair.high, level, _scope(material, pair) if i == 0 else "", signed=True
        )
        value = pair.measure.signed(pair.difference, pair.low, pair.high)
        said.append(phrase(" and " if i else "", f"{pair.measure.name} ", ("", value), inside))
    first, second = (model_name(name) for name in (pairs[0].a, pairs[0].b))
    start = f"The differences, {first} minus {second}: "
    decided = {pair.better for pair in pairs if pair.is_decided}
    basis = these(wording_of(material), pairs[0].n_groups, pairs[0].random)
    if not decided:
        end: Text = phrase("The two ", ("", "cannot be told apart"), f" with {basis} in either rate.")
    elif len(decided) == 2:
        end = "One has more of both: which is better depends on what the two kinds of errors cost."
    else:
        (best,) = decided
        other = [pair for pair in pairs if not pair.is_decided]
        if other:
            sure = next(pair for pair in pairs if pair.is_decided).measure.name
            rest = f" has the better {sure}; in the {other[0].measure.name} the two cannot be told apart."
        else:
            rest = " is better in both rates."
        end = phrase("Of the two, ", ("", model_name(best)), rest)
    return sentences(phrase(start, *said, "."), end)


def _verdict_of_many(material: Material, comparison: ComparisonPart) -> Phrase:
    """The best against the first model, and whom it is not told from."""
    pairs = comparison.pairs
    if len({pair.measure.kind for pair in pairs}) > 1:
        word = threshold_word(wording_of(material))
        start = f"At one {word} both rates count: every other model is set against "
        return phrase(start, ("", model_name(pairs[0].a)), " in both.")
    best, reference = comparison.standings[0].model, pairs[0].a
    basis = these(wording_of(material), pairs[0].n_groups, pairs[0].random)
    unsure = [model_name(pair.b) for pair in pairs if not pair.is_decided]
    if best == reference:
        if not unsure:
            end = f" is better than each other, {_holm(len(pairs))}."
            return phrase("Of all, ", ("", model_name(reference)), end)
        end = f" is ahead, but cannot be told apart from {listed(unsure)} with {basis}, {_holm(len(pairs))}."
        return phrase("Of all, ", ("", model_name(reference)), end)
    (chosen,) = (pair for pair in pairs if pair.b == best)
    first = _against(material, chosen, len(pairs))
    second = _over_next(comparison, comparison.standings)
    return sentences(first, second)


def _holm(n_pairs: int) -> str:
    return f"allowing for {counted(n_pairs, 'comparison')}"


def _against(material: Material, pair: Pair, n_pairs: int) -> Phrase:
    """The best model against the one that all are set against."""
    level, measure = material.settings.confidence_level, pair.measure
    name, first = model_name(pair.b), model_name(pair.a)
    basis = these(wording_of(material), pair.n_groups, pair.random)
    if pair.is_decided:
        low, high = sorted((abs(pair.low), abs(pair.high)))
        gap = measure.size(pair.difference, pair.low, pair.high) + measure.points
        inside = within(measure, low, high, level, _scope(material, pair), signed=False)
        start = phrase("Of all, ", ("", name), f" is better than {first}, the first model, by ")
        return phrase(start, ("", gap), f"{inside}.")
    # How far the best is ahead, whichever way the number runs.
    ahead = replace(measure, is_rest=False)
    low, high = (pair.low, pair.high) if measure.lower_is_better else (-pair.high, -pair.low)
    gap = measure.size(pair.difference, low, high) + measure.points
    inside = within(ahead, low, high, level, _scope(material, pair), signed=True)
    allowing = f", {_holm(n_pairs)}" if low > 0 else ""
    return phrase(
        "Of all, ",
        ("", name),
        f" is ahead of {first}, the first model, by ",
        ("", gap),
        f"{inside}, but the two ",
        ("", "cannot be told apart"),
        f" with {basis}{allowing}.",
    )


def _over_next(comparison: ComparisonPart, standings: Sequence[Standing]) -> Text:
    """Whether the best is told from the next, allowing for having picked the two."""
    row = next((own for own in comparison.others if own.is_declared), None)
    best, second = standings[0].model, standings[1].model
    if row is None or (row.a, row.b) != (best, second) or second == comparison.pairs[0].a:
        return ""
    if row.is_decided:
        return f"It is better than {model_name(second)}, the next, too."
    return f"From {model_name(second)} it cannot be told apart."
