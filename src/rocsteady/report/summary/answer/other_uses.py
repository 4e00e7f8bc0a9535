"""What another use would change, and what can be said where none was declared."""

from __future__ import annotations

from collections.abc import Sequence

from rocsteady.report.summary.answer.values import (
    area_of,
    condition_of,
    lower,
    read_value,
    reading_of,
    value_of,
    with_limits,
)
from rocsteady.report.summary.comparing.comparison import ComparisonPart
from rocsteady.report.summary.comparing.given import is_given
from rocsteady.report.summary.comparing.measure import (
    Measure,
    example_line,
    line_of,
    measure_of,
    model_name,
)
from rocsteady.report.summary.comparing.other_averages import Row
from rocsteady.report.summary.comparing.setting import Setting, wording_of
from rocsteady.report.summary.comparing.words import (
    does,
    interval_words,
    several_do,
    threshold_word,
    within,
)
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import Phrase, Text, phrase, sentences
from rocsteady.report.summary.unit_words import on
from rocsteady.words import listed

NOT_DECLARED = "How the scores will be used was not declared, so no average is recommended."


def _contrast(material: Material, setting: Setting) -> str:
    """The average of the other answer to the first question."""
    if not setting.is_shared:
        return "threshold"
    return "horizontal" if setting.place is not None and setting.place.held == "tpr" else "vertical"


def _shifting(material: Material) -> list[str]:
    """Models whose scores shift between groups so much that one threshold costs enough to matter."""
    found = []
    for name in material.names:
        levels = material.comparability(name)
        if levels is not None and levels.warnings:
            found.append(name)
    return found


def _why(material: Material, shifting: Sequence[str]) -> Text:
    unit = material.unit
    if not shifting:
        return ""
    who = listed([model_name(name) for name in shifting])
    if len(material.names) == 1:
        return f"Its scores sit at a different level {on(unit)} each {unit}."
    return f"The scores of {who} sit at a different level {on(unit)} each {unit}."


def _other_start(material: Material, setting: Setting) -> str:
    word = threshold_word(wording_of(material))
    if setting.is_shared:
        return f"If each {material.unit} had {material.wording.its} own {word}, "
    return f"With one {word} for all {wording_of(material).units} instead, "


def other_use(material: Material, setting: Setting, comparison: ComparisonPart) -> Phrase | None:
    """What the other answer to the first question would change."""
    costs = _over_costs(material)
    key = _contrast(material, setting)
    row = next((own for own in comparison.others if own.key == key), None)
    if row is None or not comparison.pairs or setting.key == key:
        return phrase(costs) if costs else None
    shifting = _shifting(material)
    here, there = _said_of(comparison, row), _winner(row, comparison.others_measure)
    if (_declared_winner(comparison) if here is None else here) == there and not shifting:
        return phrase(costs) if costs else None
    said = _row_verdict(material, comparison.others_measure, row, still=here == there)
    return sentences(costs, phrase(_other_start(material, setting), said, "."), _why(material, shifting))


def _over_costs(material: Material) -> str:
    """That the cheapest model changes within a declared range of costs, by the means."""
    deployment = material.deployment
    if deployment is None or deployment.cost_range is None or material.advice is None or is_given(material):
        return ""
    found = material.advice.cost_range
    return found.reading if found is not None and found.changes else ""


def _declared_winner(comparison: ComparisonPart) -> str:
    """The model that is shown to be better; empty where none is."""
    if len(comparison.models) == 2 and comparison.pairs:
        decided = {pair.better for pair in comparison.pairs if pair.is_decided}
        return decided.pop() if len(decided) == 1 else ""
    row = next((own for own in comparison.others if own.is_declared), None)
    return "" if row is None else _winner(row, comparison.others_measure)


def _said_of(comparison: ComparisonPart, row: Row) -> str | None:
    """Whom the answer calls better of a row's two models: empty for neither, None if it is about others."""
    if len(comparison.models) == 2:
        return _declared_winner(comparison)
    best, kinds = comparison.standings[0].model, {pair.measure.kind for pair in comparison.pairs}
    if best not in (row.a, row.b) or len(kinds) > 1:
        return None
    for pair in comparison.pairs:
        if {pair.a, pair.b} == {row.a, row.b}:
            return pair.better if pair.is_decided else ""
    declared = next((own for own in comparison.others if own.is_declared), None)
    if declared is None or {declared.a, declared.b} != {row.a, row.b}:
        return None
    return _winner(declared, comparison.others_measure)


def _winner(row: Row, measure: Measure) -> str:
    if not row.is_decided:
        return ""
    gain = -row.difference if measure.lower_is_better else row.difference
    return row.a if gain > 0 else row.b


def _row_verdict(material: Material, measure: Measure, row: Row, *, still: bool) -> Phrase:
    level = material.settings.confidence_level
    best_two = f"{model_name(row.a)} and {model_name(row.b)}, the best two,"
    two = "the two" if len(material.names) == 2 else best_two
    again, what = "still " if still else "", " in AUC" if measure.kind == "auc" else ""
    if not row.is_decided:
        limits = measure.limits(row.low, row.high)
        inside = f", {interval_words(limits, level, '')})" if limits else ")"
        gap = measure.signed(row.difference, row.low, row.high)
        return phrase(f"{two} could {again}not be told apart (difference{what} ", ("", gap), inside)
    low, high = sorted((abs(row.low), abs(row.high)))
    gap = measure.size(row.difference, row.low, row.high) + measure.points
    inside = within(measure, low, high, level, "", signed=False)
    winner = _winner(row, measure)
    rival = "" if len(material.names) == 2 else f" than {model_name(row.b if winner == row.a else row.a)}"
    return phrase(("", model_name(winner)), f" would {again}be better{rival}{what}, by ", ("", gap), inside)


def other_use_of_one(material: Material, setting: Setting) -> Phrase | None:
    """The same for one model, where its scores shift between groups."""
    shifting = _shifting(material)
    if not shifting or material.is_alone:
        return None
    name, key = material.names[0], _contrast(material, setting)
    place = None if setting.is_frozen else setting.place
    other = Setting(key, place, None)
    measure = measure_of(material, place, key)
    value = (
        area_of(material, other, name)[0]
        if place is None
        else read_value(reading_of(material, other, name), measure)[0]
    )
    said = does(measure, wording_of(material), value, would=True)
    return sentences(
        phrase(_other_start(material, setting), ("", model_name(name)), said, "."),
        _why(material, shifting),
    )


def undeclared(material: Material, comparison: ComparisonPart | None) -> Phrase:
    """One threshold and own thresholds beside each other, at an example."""
    place = line_of(material) or example_line(material)
    if material.settings.cutoff_from is not None or (place is not None and place.threshold is not None):
        place = None  # an example of these rows would be no example of thresholds found on others
    start: Text = NOT_DECLARED
    if comparison is not None and comparison.problem:
        return sentences(start, f"The models could not be compared: {comparison.problem}")
    own_key = "horizontal" if place is not None and place.held == "tpr" else "vertical"
    said = [_under(material, comparison, Setting(key, place, None)) for key in ("threshold", own_key)]
    example = "" if material.place_is_declared or place is None else "As an example: "
    return sentences(
        start,
        phrase(example, lower(said[0]) if example else said[0], "; ", lower(said[1]), "."),
        _pick(material, comparison, own_key),
    )


def _under(material: Material, comparison: ComparisonPart | None, setting: Setting) -> Phrase:
    measure = measure_of(material, setting.place, setting.key)
    names = material.names
    row = (
        None
        if comparison is None
        else next((own for own in comparison.others if own.key == setting.key), None)
    )
    start = phrase(condition_of(material, setting), ", ")
    if row is None and len(names) == 1:
        return phrase(start, ("", model_name(names[0])), *with_limits(material, setting, names[0]))
    if row is None:  # models without a group in common
        each = [(name, value_of(material, setting, name, measure)) for name in names]
        return phrase(start, several_do(measure, wording_of(material), each))
    said = several_do(measure, wording_of(material), list(zip(names, row.values, strict=True)))
    level = material.settings.confidence_level
    gap = measure.signed(row.difference, row.low, row.high)
    inside = within(measure, row.low, row.high, level, "", signed=True).removeprefix(" (").removesuffix(")")
    of = "" if len(names) == 2 else f", {model_name(row.a)} minus {model_name(row.b)}"
    return phrase(start, said, f" (difference{of} ", ("", gap), f", {inside})" if inside else ")")


def _pick(material: Material, comparison: ComparisonPart | None, own_key: str) -> Text:
    """Whether the answer to the first question matters here."""
    if comparison is None:
        return ""
    rows = {row.key: row for row in comparison.others}
    if "threshold" not in rows or own_key not in rows:
        return ""
    shared, own = (_winner(rows[key], comparison.others_measure) for key in ("threshold", own_key))
    if shared == own:
        if not shared:
            return "Either way the difference cannot be told from none."
        return phrase("Either way ", ("", model_name(shared)), " is better.")
    if shared and own:
        return "Which model is better depends on that choice."
    wording, word = wording_of(material), threshold_word(wording_of(material))
    own_word = f"a {word} of {wording.its} own for each {material.unit}"
    where = f"one {word} for all {wording.units}" if shared else own_word
    return phrase(f"Only with {where} is ", ("", model_name(shared or own)), " shown to be better.")
