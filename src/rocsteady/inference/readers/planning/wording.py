"""The sentences of a plan: what the design shows, what it needs, and how rough that is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocsteady.words import class_cases, counted, grouped, listed, plural, printable

if TYPE_CHECKING:
    from rocsteady.inference.readers.planning.pilots import Pilot
    from rocsteady.inference.readers.planning.results import ReaderPlan


def reading(plan: ReaderPlan, pilot: Pilot) -> str:
    """What is shown with which chance, what is needed, what is random, what the plan rests on."""
    sentences = [_now(plan, pilot), *_needed(plan, pilot), f"{plan.random[:1].upper()}{plan.random[1:]}."]
    sentences += [f"{note}." for note in plan.notes]
    return " ".join(sentence for sentence in sentences if sentence)


def chance(share: float) -> str:
    """A chance in whole per cent; neither end unless it is exact.

    >>> chance(0.8054), chance(0.9996), chance(0.0)
    ('81 %', '> 99 %', '0 %')
    """
    if 0.995 <= share < 1:
        return "> 99 %"
    return "< 1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


def goal(plan: ReaderPlan) -> str:
    """What the study is to show.

    A sentence goes on with "with a chance of".
    """
    what = printable(plan.quantity)
    if plan.test == "difference":
        return f"a true difference of {abs(plan.difference):.3g} in {what} is found"
    if plan.difference == 0:
        truth = "the two do not differ"
    elif plan.test == "equivalence":
        truth = f"the true difference is {abs(plan.difference):.3g}"
    else:
        gain = plan._question.gain
        truth = f"the new modality is {'better' if gain > 0 else 'worse'} by {abs(gain):.3g}"
    shown = "non-inferiority" if plan.test == "non-inferiority" else "equivalence"
    return f"{shown} in {what} within a margin of {plan.margin:g} is shown, if {truth},"


def level(plan: ReaderPlan) -> str:
    """Of the test, as it is carried out."""
    if plan.test == "difference":
        return f"two-sided test at {100 * plan.alpha:.3g} %"
    if plan.test == "non-inferiority":
        return f"one-sided test at {100 * plan.alpha / 2:.3g} %"
    return f"two one-sided tests at {100 * plan.alpha / 2:.3g} %"


def cases_words(n_cases: float, plan: ReaderPlan, pilot: Pilot) -> str:
    """A number of cases, and how many of each class where the ratio is known."""
    if math.isinf(n_cases):
        return "any number of cases"
    whole = counted(int(n_cases), "case")
    if math.isnan(plan.ratio):
        return whole
    positives, negatives = of_each_class(n_cases, plan.ratio)
    named = [
        f"{grouped(n)} {printable(class_cases(label, is_positive=side))}"
        for n, label, side in ((positives, pilot.positive, True), (negatives, pilot.negative, False))
    ]
    return f"{whole} ({' and '.join(named)})"


def of_each_class(n_cases: float, ratio: float) -> tuple[int, int]:
    """Positives and negatives that make so many cases, one of each at least.

    >>> of_each_class(165, 69 / 45)
    (65, 100)
    """
    positives = min(max(round(n_cases / (1 + ratio)), 1), int(n_cases) - 1)
    return positives, int(n_cases) - positives


def _now(plan: ReaderPlan, pilot: Pilot) -> str:
    if plan.n_readers is None:
        return (
            f"Planned for a chance of {chance(plan.power_wanted)}: {goal(plan).rstrip(',')} ({level(plan)})."
        )
    who = f"{counted(plan.n_readers, printable(pilot.unit))} and {cases_words(plan.n_cases, plan, pilot)}"
    return f"With {who} {goal(plan)} with a chance of {chance(plan.power)} ({level(plan)})."


def _needed(plan: ReaderPlan, pilot: Pilot) -> list[str]:
    wanted, units = chance(plan.power_wanted), plural(printable(pilot.unit))
    sentences = []
    if plan.n_readers is not None:
        who = counted(plan.n_readers, printable(pilot.unit))
        verb = "needs" if plan.n_readers == 1 else "need"
        if math.isfinite(plan.cases_needed):
            sentences.append(f"For {wanted}, {who} {verb} {cases_words(plan.cases_needed, plan, pilot)}.")
        else:
            sentences.append(f"For {wanted}, no number of cases suffices with {who}.")
    if pilot.is_single:
        return sentences
    cases = counted(int(plan.n_cases), "case")
    if math.isfinite(plan.readers_needed):
        sentences.append(f"{cases} need {counted(int(plan.readers_needed), printable(pilot.unit))}.")
    else:
        sentences.append(f"With {cases} no number of {units} suffices.")
    least = plan.readers_at_least
    if math.isfinite(least) and least > (1 if plan.readers_are == "fixed" else 2):
        fewer = counted(int(least) - 1, printable(pilot.unit))
        sentences.append(f"With {fewer} or fewer no number of cases suffices.")
    return sentences


def notes_of(
    plan_is_seen: bool, pilot: Pilot, power_range: tuple[float, float] | None, cases_are: str
) -> list[str]:
    """How rough the plan is, and what was done to the components."""
    notes = []
    zero = pilot.parts.set_to_zero
    if zero:
        verb = "was" if len(zero) == 1 else "were"
        notes.append(f"{_capital(listed(list(zero)))} came out negative and {verb} set to 0")
    if power_range is not None and pilot.n_readers is not None:
        low, high = (chance(limit) for limit in power_range)
        rough = (
            f"This is rough: how much modalities differ within {plural(printable(pilot.unit))} comes from "
            f"{counted(pilot.n_readers, printable(pilot.unit))}, and at its 95 % limits that chance is "
            f"{low} to {high}"
        )
        notes += [rough] if low != high else []
    if plan_is_seen:
        notes.append(
            "The difference planned for is the one seen in the pilot, which is luck in part: say what "
            "difference would matter"
        )
    if cases_are == "random" and not math.isnan(pilot.cases_per_patient):
        notes.append(
            f"Patients are what is random, and the planned study is to have as many cases for each as the "
            f"pilot: {pilot.cases_per_patient:.3g}"
        )
    if pilot.n_modalities > 2:
        notes.append(
            f"The components are those of all {pilot.n_modalities} modalities of the pilot; the chance is "
            "that of one pair, not adjusted for others"
        )
    if pilot.design:
        notes.append(
            f"The planned study has the pilot's design ({pilot.design}), and its number of cases is what one "
            f"{printable(pilot.unit)} reads in one modality"
        )
    return notes


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
