"""What one model does at the declared point, with its interval and the range of the groups."""

from __future__ import annotations

import math

from rocsteady.advice.readings import difference
from rocsteady.report.summary.comparing.groups import group_values, rates_at
from rocsteady.report.summary.comparing.measure import (
    Measure,
    example_line,
    line_of,
    measure_of,
    model_name,
    rate_measure,
)
from rocsteady.report.summary.comparing.other_averages import quantities
from rocsteady.report.summary.comparing.setting import Setting, wording_of
from rocsteady.report.summary.comparing.words import (
    condition,
    does,
    exact,
    interval_words,
    threshold_word,
)
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.modes import modes
from rocsteady.report.summary.phrases import Phrase, Text, phrase, sentences
from rocsteady.report.summary.points.reading import Reading
from rocsteady.report.summary.points.readings import readings_on_rows
from rocsteady.report.summary.settings import Place as AskedPlace
from rocsteady.report.summary.vocabulary import Wording


def condition_of(material: Material, setting: Setting) -> Phrase:
    """How the scores are used."""
    said = condition(
        wording_of(material),
        setting.place,
        is_shared=setting.is_shared,
        weighs_rows=setting.weighs_rows,
        is_weighted=material.score_set.columns.has_weights,
    )
    if setting.place is None and has_other_point(material):
        said = phrase(said, f" {_other_point(material.declared_place, material.wording)}")
    if setting.is_given:
        said = phrase(said, f", the {threshold_word(wording_of(material))}s found on other rows and kept")
    ends = None if material.deployment is None else material.deployment.cost_range
    if ends is None or setting.place is None or setting.place.costs is None:
        return said
    first, last = (f"{false_positive:g} : {false_negative:g}" for false_positive, false_negative in ends)
    return phrase(said, f" (the costs in the middle of the declared range, {first} to {last})")


def has_other_point(material: Material) -> bool:
    """Whether a point was declared that is no line which all curves cross, so that areas are compared."""
    is_used = material.deployment is not None or material.is_alone
    return is_used and material.place_is_declared and line_of(material) is None


def _other_point(place: AskedPlace, wording: Wording) -> str:
    if isinstance(place, str):
        most = {
            "ml": "TPR \u2212 FPR is highest",
            "medical": "sensitivity + specificity is highest",
            "biometric": "FMR + FNMR is lowest",
        }
        return f"where {most[wording.words]} (Youden)"
    ((kind, value),) = place.items()
    if kind == "costs":
        return f"at costs ({' to '.join(wording.error_names)}) of {value[0]:g} : {value[1]:g}"
    return f"that calls {exact(value)} of these cases positive"


def both_rates(
    material: Material, rates: tuple[float, float], *, rows: bool, is_first: bool = True
) -> Phrase:
    """Both rates at a threshold; the words are said once."""
    wording = wording_of(material)
    tpr, fpr, places = rate_measure("tpr", wording), rate_measure("fpr", wording), wording.both_places
    alarms = ("", fpr.text(rates[0], places))
    if not is_first:
        return phrase(" ", ("", tpr.text(rates[1], places)), " and ", alarms)
    caught = does(tpr, wording, rates[1], weighs_rows=rows, places=places)
    if wording.words == "ml":
        return phrase(caught, " and has false alarms on ", alarms, f" of {wording.negatives}")
    return phrase(caught, f" and a {fpr.name} of ", alarms)


def of_one(material: Material, setting: Setting) -> Phrase:
    """The answer of a report on one model."""
    name = material.names[0]
    start = phrase(condition_of(material, setting), ", ", ("", model_name(name)))
    if setting.is_frozen or has_other_point(material):
        said = both_rates(material, rates_of(material, setting, name), rows=setting.weighs_rows)
        return sentences(phrase(start, said, "."), _range_of_groups(material, setting, "tpr"))
    first = phrase(start, *with_limits(material, setting, name), ".")
    if setting.place is None:
        return sentences(first, _example(material, setting, name))
    measure = measure_of(material, setting.place, setting.key)
    return sentences(first, _range_of_groups(material, setting, measure.kind))


def rates_of(material: Material, setting: Setting, name: str) -> tuple[float, float]:
    """Both rates at thresholds that stay, or at a point that was chosen on these rows."""
    if setting.is_frozen:
        return rates_at(material, setting, name)
    own = reading_of(material, setting, name)
    return own.fpr, own.tpr


def with_limits(material: Material, setting: Setting, name: str) -> tuple[Phrase, str]:
    """What a model does, and the interval of that in brackets."""
    measure = measure_of(material, setting.place, setting.key)
    if setting.place is None:
        value, low, high = area_of(material, setting, name)
    elif measure.kind == "cost" and not material.is_alone:
        value, low, high = _cost_of(material, setting, name)
    else:
        value, low, high = read_value(reading_of(material, setting, name), measure)
    said = does(measure, wording_of(material), value, weighs_rows=setting.weighs_rows)
    return said, _limits(material, measure, low, high)


def _cost_of(material: Material, setting: Setting, name: str) -> tuple[float, float, float]:
    """The least expected cost with its interval over groups, as pairs have it."""
    own = quantities(material, setting.key, setting.place, (name,))[name]
    _, limits = difference(own, None, material.settings.confidence_level)
    return own.value, float(limits.low), float(limits.high)


def read_value(own: Reading, measure: Measure) -> tuple[float, float, float]:
    """The number that a measure is about, with its limits; NaN where these are not known."""
    if measure.kind == "cost":
        return own.cost, math.nan, math.nan
    if measure.kind == "eer":
        limits = (math.nan, math.nan) if own.is_shared else own.fpr_limits
        return own.equal_error_rate, *limits
    return (own.tpr, *own.tpr_limits) if measure.kind == "tpr" else (own.fpr, *own.fpr_limits)


def value_of(material: Material, setting: Setting, name: str, measure: Measure) -> float:
    """The same without limits."""
    if measure.kind == "auc":
        return area_of(material, setting, name)[0]
    return read_value(reading_of(material, setting, name), measure)[0]


def area_of(material: Material, setting: Setting, name: str) -> tuple[float, float, float]:
    """The area under an average with its limits; of one dataset the AUC, over cases."""
    own = modes.read(material, setting.key, name).reading  # as section 2 has it: one area, one interval
    return own.auc, *own.auc_interval


def _limits(material: Material, measure: Measure, low: float, high: float) -> str:
    """The interval of one model's value in brackets; what it takes as given stands where curves are read."""
    limits = measure.interval(low, high)
    return f" ({interval_words(limits, material.settings.confidence_level, '')})" if limits else ""


def _range_of_groups(material: Material, setting: Setting, kind: str) -> Text:
    """How far single groups of one model are apart."""
    if material.is_alone or kind not in ("tpr", "fpr", "eer"):
        return ""
    rates = list(group_values(material, setting, kind, material.names[0]).values())
    if len(rates) < 2:
        return ""
    measure = rate_measure("tpr" if kind == "tpr" else "fpr", wording_of(material))
    low, high = sorted((measure.shown(min(rates)), measure.shown(max(rates))))
    plain = Measure(kind, "", "", "", True, False, False)
    if plain.text(low) == plain.text(high):
        return f"Single {wording_of(material).units} all have {plain.text(low)}."
    return f"Single {wording_of(material).units} range from {plain.text(low)} to {plain.text(high)}."


def reading_of(material: Material, setting: Setting, name: str) -> Reading:
    """One model at the declared place, with its limits."""
    key = setting.key if setting.is_shared else None
    found: Reading = material.once(
        ("reading", str(key), name),
        lambda: readings_on_rows(material, [material.declared_place], name, key)[0],
    )
    return found


def by_lot(material: Material, setting: Setting) -> str:
    """That no threshold has these rates, where scores are few and far apart."""
    if setting.place is None or setting.is_frozen:
        return ""
    found = [reading_of(material, setting, name) for name in material.names]
    if not any(own.is_coarse or own.between is not None for own in found):
        return ""
    word = threshold_word(wording_of(material))
    return f"Scores are few: such rates lie between two {word}s, which only deciding by lot reaches."


def _example(material: Material, setting: Setting, name: str) -> Text:
    """What that means at one point, where none was declared."""
    place = example_line(material)
    if place is None:
        return ""
    is_kept = material.settings.cutoff_from is not None
    shown = Setting(setting.key, place, None, is_kept)
    start = "No operating point was declared. As an example: "
    if is_kept:
        kept = both_rates(material, rates_at(material, shown, name), rows=setting.weighs_rows)
        return phrase(start, lower(condition_of(material, shown)), ", it", kept, ".")
    measure = measure_of(material, place, setting.key)
    value = read_value(reading_of(material, shown, name), measure)[0]
    said = does(measure, wording_of(material), value, weighs_rows=setting.weighs_rows)
    at = condition_of(material, shown)
    return phrase(start, lower(at), ", it", said, ".")


def lower(text: Phrase) -> Phrase:
    """The same inside a sentence."""
    return (text[0][:1].lower() + text[0][1:], *text[1:])
