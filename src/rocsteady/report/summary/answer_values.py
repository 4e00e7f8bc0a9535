"""What one model does at the declared point, with its interval and the range of the groups."""

from __future__ import annotations

import math

import numpy as np

from rocsteady.report.summary.comparing_measure import (
    Measure,
    example_line,
    measure_of,
    model_name,
    rate_measure,
)
from rocsteady.report.summary.comparing_pairs import Setting, reading_of
from rocsteady.report.summary.comparing_words import condition, does, interval_words, met_words
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import Phrase, Text, phrase, sentences
from rocsteady.report.summary.point_readings import Reading


def condition_of(material: Material, setting: Setting) -> Phrase:
    """How the scores are used."""
    return condition(
        material.wording,
        setting.place,
        is_shared=setting.is_shared,
        weighs_rows=setting.key == "pooled",
    )


def both_rates(material: Material, own: Reading, *, rows: bool) -> Phrase:
    """Both rates at a threshold."""
    wording = material.wording
    tpr = does(rate_measure("tpr", wording), wording, own.tpr, weighs_rows=rows)
    alarms = rate_measure("fpr", wording).text(own.fpr)
    if wording.words == "ml":
        return phrase(tpr, ", with false alarms on ", ("", alarms), f" of {wording.negatives}")
    return phrase(tpr, f" and a {wording.fpr.name} of ", ("", alarms))


def of_one(material: Material, setting: Setting) -> Phrase:
    """The answer of a report on one model."""
    wording, name = material.wording, material.names[0]
    rows = setting.key == "pooled"
    start = phrase(condition_of(material, setting), ", ", ("", model_name(name)))
    if setting.place is None:
        value, low, high = area_of(material, setting, name)
        measure = measure_of(material, None, setting.key)
        said = does(measure, wording, value, weighs_rows=rows)
        return sentences(
            phrase(start, said, _limits(material, measure, low, high, setting), "."),
            _example(material, setting, name),
        )
    own = reading_of(material, setting, name)
    if setting.place.threshold is not None:
        return sentences(
            phrase(start, both_rates(material, own, rows=rows), "."), _range_of_groups(material, own, "tpr")
        )
    measure = measure_of(material, setting.place, setting.key)
    value, low, high = read_value(own, measure)
    said = does(measure, wording, value, weighs_rows=rows)
    return sentences(
        phrase(start, said, _limits(material, measure, low, high, setting), "."),
        _range_of_groups(material, own, measure.kind),
    )


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
    settings = material.settings
    with material.catching():
        if not material.is_grouped or len(material.curves(name)) == 1:
            curve = material.curves(name)[0]
            is_weighted = material.score_set.columns.weights is not None
            limits = None if is_weighted else curve.auc_interval(settings.confidence_level)
            low, high = (math.nan, math.nan) if limits is None else (limits.low, limits.high)
            return float(curve.auc), float(low), float(high)
        own = material.average(setting.key, name)
        limits = own.auc_interval(
            settings.confidence_level, n_resamples=settings.n_resamples, seed=settings.seed
        )
    return float(own.auc), float(limits.low), float(limits.high)


def _limits(material: Material, measure: Measure, low: float, high: float, setting: Setting) -> str:
    """The interval of one model's value in brackets, and what it takes as given."""
    if math.isnan(low) or math.isnan(high):
        return ""
    if measure.is_share:
        shown = sorted(measure.shown(min(max(limit, 0.0), 1.0)) for limit in (low, high))
        plain = Measure(measure.kind, "", "", "", True, False, False)
        limits = " to ".join(plain.text(limit).removesuffix(" %") for limit in shown) + " %"
    else:
        limits = f"{measure.text(low)} to {measure.text(high)}"
    return f" ({interval_words(limits, material.settings.confidence_level, _given(material, setting))})"


def _given(material: Material, setting: Setting) -> str:
    place, units = setting.place, material.wording.units
    if not material.is_grouped:
        met = place is not None and place.held in ("fpr", "tpr")
        return f"over cases, {met_words(place)} met again" if met and place is not None else "over cases"
    if place is None or place.held == "cost":
        return f"over {units}"
    if setting.is_shared:
        return f"{met_words(place)} met again in other {units}"
    return f"every {material.unit} meets {met_words(place)} itself"


def _range_of_groups(material: Material, own: Reading, kind: str) -> Text:
    """How far single groups are apart."""
    if not material.is_grouped or own.own is None or kind not in ("tpr", "fpr", "eer"):
        return ""
    rates = (own.own.tpr if kind == "tpr" else own.own.fpr)[:, 0]
    rates = rates[~np.isnan(rates)]
    if rates.size < 2:
        return ""
    measure = rate_measure("tpr" if kind == "tpr" else "fpr", material.wording)
    low, high = sorted((measure.shown(float(rates.min())), measure.shown(float(rates.max()))))
    plain = Measure(kind, "", "", "", True, False, False)
    if plain.text(low) == plain.text(high):
        return f"Single {material.wording.units} all have {plain.text(low)}."
    return f"Single {material.wording.units} range from {plain.text(low)} to {plain.text(high)}."


def _example(material: Material, setting: Setting, name: str) -> Text:
    """What that means at one point, where none was declared."""
    place = example_line(material)
    if place is None:
        return ""
    shown = Setting(setting.key, place, None)
    measure = measure_of(material, place, setting.key)
    value = read_value(reading_of(material, shown, name), measure)[0]
    said = does(measure, material.wording, value, weighs_rows=setting.key == "pooled")
    at = condition(material.wording, place, is_shared=setting.is_shared, weighs_rows=setting.key == "pooled")
    return phrase("No operating point was declared. As an example: ", lower(at), ", it", said, ".")


def lower(text: Phrase) -> Phrase:
    """The same inside a sentence."""
    return (text[0][:1].lower() + text[0][1:], *text[1:])
