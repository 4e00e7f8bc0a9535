"""The answer: one sentence with the setting, what each model does there, and how sure the difference is."""

from __future__ import annotations

from dataclasses import dataclass

from rocsteady.counting.results import Result
from rocsteady.report.summary.answer_other import other_use, other_use_of_one, undeclared
from rocsteady.report.summary.answer_values import both_rates, condition_of, of_one, value_of
from rocsteady.report.summary.answer_verdict import verdict_of
from rocsteady.report.summary.comparing import ComparisonPart
from rocsteady.report.summary.comparing_measure import line_of, model_name
from rocsteady.report.summary.comparing_pairs import Setting, reading_of, setting_of
from rocsteady.report.summary.comparing_words import several_do
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import Phrase, Text, phrase, sentences


@dataclass(frozen=True)
class Answer(Result):
    """What a reader should take away.

    Attributes
    ----------
    sentence : Phrase
        Setting, what every model does, the difference and its interval.
    other : Phrase or None
        What another deployment would change, where it would.
    is_declared : bool
        Whether the deployment was declared.
    """

    sentence: Phrase
    other: Phrase | None
    is_declared: bool


def make(material: Material, comparison: ComparisonPart | None) -> Answer:
    """The answer; ``comparison`` is the part that compares the models, None for one."""
    is_declared = material.deployment is not None
    if not is_declared and material.is_grouped:
        return Answer(undeclared(material, comparison), None, False)
    setting = setting_of(material, line_of(material))
    if comparison is None:
        return Answer(of_one(material, setting), other_use_of_one(material, setting), is_declared)
    sentence = sentences(_values(material, setting, comparison), verdict_of(material, comparison))
    return Answer(sentence, other_use(material, setting, comparison), is_declared)


def _values(material: Material, setting: Setting, comparison: ComparisonPart) -> Phrase:
    """The setting, and what every model does there."""
    wording, rows = material.wording, setting.key == "pooled"
    start = phrase(condition_of(material, setting), ", ")
    if setting.place is not None and setting.place.threshold is not None:
        found: list[Text] = []
        for name in material.names:
            own = reading_of(material, setting, name)
            found += [", " if found else "", ("", model_name(name)), both_rates(material, own, rows=rows)]
        return phrase(start, *found, ".")
    values = {own.model: own.value for own in comparison.standings}
    if not values:
        values = {name: value_of(material, setting, name, comparison.measure) for name in material.names}
    shown = [(name, values[name]) for name in material.names]
    if len(shown) > 2:
        shown = [(own.model, own.value) for own in comparison.standings] or shown
    return phrase(start, several_do(comparison.measure, wording, shown, weighs_rows=rows), ".")
