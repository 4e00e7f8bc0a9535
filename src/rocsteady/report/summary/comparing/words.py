"""The sentences about models: how they are used, what each of them does, which one is better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rocsteady.advice.deployment import Line
from rocsteady.report.summary.comparing.measure import Measure, model_name
from rocsteady.report.summary.phrases import Phrase, Text, phrase
from rocsteady.report.summary.unit_words import on
from rocsteady.report.summary.vocabulary import Wording
from rocsteady.words import counted, p_words


def exact(share: float) -> str:
    """A share that was declared, without a digit more than it has.

    >>> exact(0.05), exact(0.025), exact(1 - 0.0001)
    ('5 %', '2.5 %', '99.99 %')
    """
    return f"{100 * share:.10g} %"


def threshold_word(wording: Wording) -> str:
    """What a threshold is called."""
    return "cut-off" if wording.words == "medical" else "threshold"


def condition(
    wording: Wording,
    place: Line | None,
    *,
    is_shared: bool,
    weighs_rows: bool = False,
    is_weighted: bool = False,
) -> Phrase:
    """How the scores are used, as the start of a sentence."""
    if not wording.is_grouped:
        return _of_one_dataset(wording, place)
    word = threshold_word(wording)
    if not is_shared:
        return _own_condition(wording, place, word)
    counting = "by its weight" if is_weighted else "once"
    every = f", every case counting {counting}," if weighs_rows else ""
    start = f"With one {word} for all {wording.units}{every}"
    if place is None:
        return (start.rstrip(","),)
    if place.threshold is not None:
        of = " of" if math.isfinite(place.threshold) else ""
        end = f" for all {wording.units}{every.rstrip(',')}"
        return (f"With one {word}{of} ", wording.threshold(place.threshold), end)
    return phrase(start, _set_to(wording, place, mean="" if weighs_rows else " on average"))


def _of_one_dataset(wording: Wording, place: Line | None) -> Phrase:
    if place is None:
        return ("On this dataset",)
    if place.threshold is not None:
        of = " of" if math.isfinite(place.threshold) else ""
        return (f"With a {threshold_word(wording)}{of} ", wording.threshold(place.threshold))
    word = threshold_word(wording)
    if place.held == "fpr" and wording.words == "ml":
        return (f"With a {word} set to ", exact(place.target), " false alarms")
    return phrase(f"With a {word}", _set_to(wording, place, mean=""))


def _set_to(wording: Wording, place: Line, *, mean: str) -> Phrase:
    """What one threshold is set to."""
    if place.held == "fpr" and wording.words == "ml":
        return (
            " and a budget of ",
            exact(place.target),
            f" false alarms{mean}" if not mean else " false alarms",
        )
    if place.held == "tpr" and wording.words == "ml":
        return (" set to catch ", exact(place.target), f" of {wording.positives}{mean}")
    return phrase(" set to ", _aim(wording, place, "a mean " if mean else "a "))


def _aim(wording: Wording, place: Line, article: str) -> Phrase:
    """A point in the words of the field: ``a specificity of 95 %``."""
    first, second = wording.error_names
    if place.held in ("fpr", "tpr"):
        rate = wording.fpr if place.held == "fpr" else wording.tpr
        return (f"{article}{rate.name} of ", exact(rate.shown(place.target)))
    if place.held == "balance":
        if place.target == 1:
            return ("equal error rates",)
        gap = place.target - 1
        more = "above" if gap > 0 else "below"
        return (
            f"a {first} rate ",
            exact(abs(gap)).replace(" %", " points"),
            f" {more} {wording.its} {second} rate",
        )
    if place.held == "ratio":
        return (f"error rates ({first} to {second}) of ", f"{place.target:g} : {place.along[0]:g}")
    if place.held == "alerts":
        start, end = ("raise alerts on ", "") if wording.words == "ml" else ("call ", " positive")
        return (start, exact(place.target), f" of cases{end}, at a prevalence of {exact(place.along[1])}")
    assert place.costs is not None
    costs = f"{place.costs.false_positive:.3g} : {place.costs.false_negative:.3g}"
    at = f", at a prevalence of {exact(place.costs.prevalence)}"
    return (f"costs ({first} to {second}) of ", costs, at)


def _own_condition(wording: Wording, place: Line | None, word: str) -> Phrase:
    if place is None:
        return (f"If every {wording.unit} has {wording.its} own {word}",)
    start = f"If every {wording.unit} {wording.tunes} to "
    if wording.words == "ml" and place.held == "fpr":
        return (start, exact(place.target), " false alarms")
    if wording.words == "ml" and place.held == "tpr":
        return (f"{start}catch ", exact(place.target), f" of {wording.its} {wording.positives}")
    return phrase(start, _aim(wording, place, "a "))


def does(
    measure: Measure,
    wording: Wording,
    value: float,
    *,
    weighs_rows: bool = False,
    would: bool = False,
    places: int | None = None,
) -> Phrase:
    """What a model does, after its name: ``catches 68 % of attack cases on the average host``."""
    shown = measure.text(value, places)
    where = (
        f" {on(wording.unit)} the average {wording.unit}" if wording.is_grouped and not weighs_rows else ""
    )
    every = "all " if weighs_rows else ""
    if wording.words == "ml" and measure.kind == "tpr":
        return (" would catch " if would else " catches ", shown, f" of {every}{wording.positives}{where}")
    if wording.words == "ml" and measure.kind == "fpr":
        verb = " would raise" if would else " raises"
        return (f"{verb} false alarms on ", shown, f" of {every}{wording.negatives}{where}")
    if measure.kind == "cost":
        return (" would cost " if would else " costs ", shown, f" per case{where}")
    kind = ""
    if wording.is_grouped and measure.kind != "auc":
        kind = "overall " if weighs_rows else "mean "
    noun = kind + measure.name
    return (f"{' would have' if would else ' has'} {'an' if noun[0] in 'aeiouA' else 'a'} {noun} of ", shown)


def met_words(place: Line, wording: Wording) -> str:
    """What it is that a threshold meets: ``the budget``, ``the specificity``."""
    if wording.words != "ml" and place.held in ("fpr", "tpr"):
        return f"the {(wording.fpr if place.held == 'fpr' else wording.tpr).name}"
    words = {"fpr": "budget", "balance": "balance", "ratio": "ratio", "alerts": "share of alerts"}
    if wording.words != "ml":
        words["alerts"] = "share called positive"
    return f"the {words.get(place.held, 'target')}"


def several_do(
    measure: Measure, wording: Wording, found: Sequence[tuple[str, float]], *, weighs_rows: bool = False
) -> Phrase:
    """What each model does; the verb is said once."""
    (name, value), *others = found
    said: list[Text] = [("", model_name(name)), does(measure, wording, value, weighs_rows=weighs_rows)]
    for i, (other, its) in enumerate(others):
        joint = " and " if i == len(others) - 1 else ", "
        said.append(phrase(joint, ("", model_name(other)), " ", ("", measure.text(its))))
    return phrase(*said)


def these(wording: Wording, n_groups: Any, random: str) -> str:
    """What a verdict rests on: ``these 23 hosts``, ``these cases``."""
    if random == "cases":
        return "these cases"
    if isinstance(n_groups, tuple):
        counts = f"{n_groups[0]} and {n_groups[1]} {wording.units}"
    else:
        counts = counted(int(n_groups), wording.unit)
    return f"these {counts} and their cases" if random != "groups" else f"these {counts}"


def within(measure: Measure, low: float, high: float, level: float, how: str, *, signed: bool) -> str:
    """An interval of a difference in brackets, with what it takes as given; nothing where unknown."""
    if math.isnan(low) or math.isnan(high):
        return ""
    return (
        f" ({interval_words(measure.limits(low, high) if signed else measure.sizes(low, high), level, how)})"
    )


def interval_words(limits: str, level: float, how: str) -> str:
    """Limits after what they are.

    >>> interval_words("7 to 22", 0.95, "over hosts, the threshold as it is")
    '95 % interval over hosts 7 to 22, the threshold as it is'
    >>> interval_words("7 to 22", 0.95, "the budget met again")
    '95 % interval 7 to 22; the budget met again'
    """
    start = f"{100 * level:g} % interval"
    if how.startswith("over "):
        over, _, rest = how.partition(", ")
        return f"{start} {over} {limits}{', ' + rest if rest else ''}"
    return f"{start} {limits}{'; ' + how if how else ''}"


def p_value_words(pvalue: float, adjusted: float) -> str:
    """``p = 0.031``, with what the number of pairs makes of it; nothing where there is none."""
    if math.isnan(pvalue):
        return ""
    said = p_words(pvalue)
    if not math.isnan(adjusted) and adjusted != pvalue:
        said += f", {p_words(adjusted)} adjusted for the number of pairs"
    return said
