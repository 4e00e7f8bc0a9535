"""The answer: one sentence with the setting, what each model does there, and how sure the difference is."""

from __future__ import annotations

from dataclasses import dataclass

from rocsteady.report.summary.answer.other_uses import other_use, other_use_of_one, undeclared
from rocsteady.report.summary.answer.values import (
    both_rates,
    by_lot,
    condition_of,
    has_other_point,
    of_one,
    rates_of,
    value_of,
)
from rocsteady.report.summary.answer.verdict import verdict_of
from rocsteady.report.summary.comparing.comparison import ComparisonPart
from rocsteady.report.summary.comparing.measure import line_of, measure_of, model_name
from rocsteady.report.summary.comparing.setting import Setting, setting_of, wording_of
from rocsteady.report.summary.comparing.words import several_do
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import Phrase, Text, phrase, sentences
from rocsteady.results import Result

ONE_DATASET = (
    "There is one dataset, so nothing is averaged. Intervals are about other cases like these, not about "
    "other datasets.",
)


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
    if not is_declared and not material.is_alone:
        return Answer(undeclared(material, comparison), None, False)
    setting = setting_of(material, line_of(material))
    if comparison is None:
        sentence = sentences(of_one(material, setting), by_lot(material, setting))
        other = other_use_of_one(material, setting)
    else:
        values = _values(material, setting, comparison)
        verdict = verdict_of(material, comparison)
        sentence = sentences(values, verdict, by_lot(material, setting), _common(material, comparison))
        other = other_use(material, setting, comparison)
    return Answer(sentence, ONE_DATASET if material.is_alone else other, is_declared)


def _common(material: Material, comparison: ComparisonPart) -> str:
    """That models are compared on groups they have in common, where some have others besides."""
    for pair in comparison.pairs:
        most = max(len(material.curves(name)) for name in (pair.a, pair.b))
        is_over_groups = pair.is_paired and pair.random != "cases"
        if is_over_groups and isinstance(pair.n_groups, int) and pair.n_groups < most:
            units = wording_of(material).units
            return f"Models are compared on {units} that both have; tables have all {units} of each model."
    return ""


def _values(material: Material, setting: Setting, comparison: ComparisonPart) -> Phrase:
    """The setting, and what every model does there."""
    wording, rows = wording_of(material), setting.weighs_rows
    start = phrase(condition_of(material, setting), ", ")
    if setting.is_frozen or has_other_point(material):
        found: list[Text] = []
        for name in material.names:
            said = both_rates(material, rates_of(material, setting, name), rows=rows, is_first=not found)
            found += ["; " if found else "", ("", model_name(name)), said]
        return phrase(start, *found, ".")
    measure = comparison.measure
    values = {own.model: own.value for own in comparison.standings}
    if not values or (setting.place is not None and measure.kind == "auc"):
        # Compared by AUC for want of anything better; what was declared is told all the same.
        measure = measure_of(material, setting.place, setting.key)
        values = {name: value_of(material, setting, name, measure) for name in material.names}
    sign = 1 if measure.lower_is_better else -1
    shown = [(name, values[name]) for name in material.names]
    if len(shown) > 2:
        shown.sort(key=lambda own: sign * own[1])
    return phrase(start, several_do(measure, wording, shown, weighs_rows=rows), ".")
