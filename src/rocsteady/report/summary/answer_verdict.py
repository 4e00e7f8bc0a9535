"""Whether models differ: decided, not told apart, or no telling; never that they are equal."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rocsteady.report.summary.comparing import ComparisonPart, Standing
from rocsteady.report.summary.comparing_measure import model_name
from rocsteady.report.summary.comparing_pairs import Pair
from rocsteady.report.summary.comparing_words import these, within
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
    return verdict(material, comparison.pairs[0])


def verdict(material: Material, pair: Pair) -> Phrase:
    """Whether two models differ: decided, not told apart, or no telling."""
    level, wording, measure = material.settings.confidence_level, material.wording, pair.measure
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
        inside = within(measure, low, high, level, pair.how, signed=False)
        return phrase(
            "Of the two, ", ("", model_name(pair.better)), " is better by ", ("", gap), f"{inside}."
        )
    inside = within(measure, pair.low, pair.high, level, pair.how, signed=True)
    return phrase(
        "The two ",
        ("", "cannot be told apart"),
        f" with {basis}: the difference, {model_name(pair.a)} less {model_name(pair.b)}, is ",
        ("", measure.signed(pair.difference, pair.low, pair.high)),
        f"{inside}.",
    )


def _unsure(material: Material, pair: Pair) -> str:
    if material.score_set.columns.weights is not None and pair.random == "cases":
        return "; how sure that is cannot be said of weighted rows of one dataset."
    basis = these(material.wording, pair.n_groups, pair.random)
    return f"; how sure that is cannot be said, because {basis} show no spread."


def _verdict_of_rates(material: Material, pairs: Sequence[Pair]) -> Phrase:
    """At a threshold both rates count, and a model may be better in one and worse in the other."""
    said: list[Text] = []
    level = material.settings.confidence_level
    for i, pair in enumerate(reversed(pairs)):
        inside = within(pair.measure, pair.low, pair.high, level, pair.how if i == 0 else "", signed=True)
        value = pair.measure.signed(pair.difference, pair.low, pair.high)
        said.append(phrase(" and " if i else "", f"{pair.measure.name} ", ("", value), inside))
    first, second = (model_name(name) for name in (pairs[0].a, pairs[0].b))
    start = f"The differences, {first} less {second}: "
    decided = {pair.better for pair in pairs if pair.is_decided}
    basis = these(material.wording, pairs[0].n_groups, pairs[0].random)
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
    kind = comparison.pairs[-1].measure.kind
    pairs = [pair for pair in comparison.pairs if pair.measure.kind == kind]
    best, reference = comparison.standings[0].model, pairs[0].a
    basis = these(material.wording, pairs[0].n_groups, pairs[0].random)
    unsure = [model_name(pair.b) for pair in pairs if not pair.is_decided]
    if best == reference:
        lead: Text = _ahead(material, reference, "the others")
        if not unsure:
            return phrase(("", model_name(reference)), f" is better than each of the others, {_holm(pairs)}.")
        return phrase(lead, f", but cannot be told apart from {listed(unsure)} with {basis}, {_holm(pairs)}.")
    (chosen,) = (pair for pair in pairs if pair.b == best)
    first = _against(material, chosen)
    second = _over_next(comparison, comparison.standings)
    return sentences(first, second)


def _ahead(material: Material, name: str, others: str) -> Phrase:
    return phrase(("", model_name(name)), f" is ahead of {others}")


def _holm(pairs: Sequence[Pair]) -> str:
    return f"allowing for {counted(len(pairs), 'comparison')}"


def _against(material: Material, pair: Pair) -> Phrase:
    """The best model against the one that all are set against."""
    level, measure = material.settings.confidence_level, pair.measure
    name, first = model_name(pair.b), model_name(pair.a)
    basis = these(material.wording, pair.n_groups, pair.random)
    if pair.is_decided:
        low, high = sorted((abs(pair.low), abs(pair.high)))
        gap = measure.size(pair.difference, pair.low, pair.high) + measure.points
        inside = within(measure, low, high, level, pair.how, signed=False)
        return phrase(("", name), f" is better than {first}, the first model, by ", ("", gap), f"{inside}.")
    gap = measure.signed(-pair.difference, pair.low, pair.high)
    inside = within(measure, -pair.high, -pair.low, level, pair.how, signed=True)
    return phrase(
        ("", name), f" is ahead of {first}, the first model, by ", ("", gap), f"{inside}: the two ",
        ("", "cannot be told apart"), f" with {basis}.",
    )  # fmt: skip


def _over_next(comparison: ComparisonPart, standings: Sequence[Standing]) -> Text:
    """Whether the best is told from the next; never more sure than an interval that favours it."""
    row = next((own for own in comparison.others if own.is_declared), None)
    best, second = standings[0].model, standings[1].model
    if row is None or (row.a, row.b) != (best, second) or second == comparison.pairs[0].a:
        return ""
    if row.is_decided:
        return f"It is ahead of {model_name(second)} too, before allowing for having picked the best."
    return f"From {model_name(second)} it cannot be told apart."
