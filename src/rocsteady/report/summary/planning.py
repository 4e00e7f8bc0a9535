"""What more groups, or more cases in each, would buy."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace

import numpy as np

from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.planning.groups import Plan, rescaled
from rocsteady.report.summary.comparing.comparison import ComparisonPart
from rocsteady.report.summary.comparing.given import is_given
from rocsteady.report.summary.comparing.measure import Measure, measure_of, model_name, rate_measure
from rocsteady.report.summary.comparing.pairs import Pair
from rocsteady.report.summary.comparing.setting import told
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import Phrase, Text, phrase, sentences
from rocsteady.report.summary.plan_start import POWER, given_rate, planned, planned_place, sampled, width_now
from rocsteady.report.summary.plan_words import (
    chance_words,
    enough_words,
    not_declared_words,
    note_words,
    promise_words,
    range_words,
    times_words,
    width_words,
)
from rocsteady.report.summary.planning_readers import (
    ReaderDesigns,
    reader_designs,
    readers_for,
    times_cases_for,
)
from rocsteady.report.summary.vocabulary import count, percent
from rocsteady.results import Result

_TIMES = (1.0, 2.0, 4.0)
_ROUNDED = 0.005
"""A chance that is written as the wanted one is enough."""


@dataclass(frozen=True)
class PlanRow(Result):
    """One design.

    Attributes
    ----------
    n_groups : int
    times_cases : float
        How many times the present cases in each group.
    positives, negatives : float
        Cases of each class in a group of mean size.
    half_width : float
        Of the interval: of the difference of two models, or of one model's number.
    low, high : float
        The same at the limits of what is known about the spread between groups; NaN for one dataset.
    power : float
        The chance to tell the models apart if the difference is what was seen; NaN for one model.
    is_now : bool
        Whether this is what there is.
    """

    n_groups: int
    times_cases: float
    positives: float
    negatives: float
    half_width: float
    low: float
    high: float
    power: float
    is_now: bool


@dataclass(frozen=True, eq=False)
class PlanPart(Result):
    """What more data would buy.

    Attributes
    ----------
    measure : Measure or None
        What is planned for; half-widths are in its units.
    models : tuple of str
        The two whose difference it is, or one.
    rows : tuple of PlanRow
        Now, twice and four times the groups, with once, twice and four times the cases.
    target : str
        What the plan aims at.
    sentence : Phrase
    note : Text
        How rough it is.
    problem : str
        Why there is no plan; empty where there is one.
    """

    measure: Measure | None
    models: tuple[str, ...]
    rows: tuple[PlanRow, ...]
    target: str
    sentence: Phrase
    note: Text
    problem: str = ""


def make(material: Material, comparison: ComparisonPart | None) -> PlanPart:
    """A plan for the difference of two models, or for the interval of one."""
    material.settings.say("what more data would buy")
    models = _models(material, comparison)
    if material.score_set.columns.are_counts:
        return _none(models, "A plan draws single cases, and here rows were counted.")
    by_readers = _of_readers(material, comparison, models)
    if by_readers is not None:
        return by_readers
    place = planned_place(material)
    rows, n_groups = sampled(material)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocsteadyWarning)  # the note has what they say
            made = planned(material, rows, place, models)
    except RocsteadyError as error:
        return _none(models, told(error))
    if not made.half_width > 0:
        return _none(models, "There is no spread in these data to plan with.")
    n_groups = made.n_groups if n_groups is None else n_groups
    key = material.declared_key if place is not None or material.is_alone else "vertical"
    measure = measure_of(material, place, key)
    if is_given(material):
        measure = rate_measure(given_rate(material), material.wording)
    promised, width = _designs(made, n_groups)[0].half_width, width_now(material, comparison, measure, models)
    if width > 0 and promised > 0:
        made = rescaled(made, width, None if made.plans_cases else n_groups)
    designs = tuple(_possible(row, measure) for row in _designs(made, n_groups))
    return PlanPart(
        measure=measure,
        models=models,
        rows=designs,
        target=_target(measure, made.estimate, has_models=bool(made.models)),
        sentence=_sentence(material, measure, made, designs, n_groups, comparison),
        note=sentences(promise_words(measure, width, promised), note_words(material, made, place, n_groups)),
    )


def _of_readers(
    material: Material, comparison: ComparisonPart | None, models: tuple[str, ...]
) -> PlanPart | None:
    """Of readers who share cases; None elsewhere."""
    pairs = () if comparison is None else comparison.pairs
    pair = next((own for own in pairs if (own.a, own.b) == models), None)
    if pair is None or pair.random != "readers and cases":
        return None
    made = reader_designs(material, pair)
    if made is None:
        return _none(models, "There is no spread in these data to plan with.")
    measure, n = pair.measure, made.n_readers
    own = material.of_model(pair.a)
    positives, negatives = (float(np.mean(each)) for each in (own.n_positives, own.n_negatives))
    rows = tuple(
        PlanRow(
            n_groups=k * n,
            times_cases=times,
            positives=times * positives,
            negatives=times * negatives,
            half_width=min(made.half_width(k * n, times), 1.0),
            low=math.nan,
            high=math.nan,
            power=made.power(k * n, times),
            is_now=k == times == 1,
        )
        for k in (1, 2, 4)
        for times in _TIMES
    )
    units = material.wording.units
    return PlanPart(
        measure=measure,
        models=models,
        rows=rows,
        target=_target(measure, pair.difference, has_models=True),
        sentence=_readers_sentence(material, measure, made, rows, pair, comparison),
        note=(
            f"{units.capitalize()} and cases are random (Obuchowski & Rockette). All {units} see the same "
            f"cases, and more {units} do not average out the chance in these. New {units} and cases are "
            f"taken to be like these. Plans from few {units} are rough."
        ),
    )


def _readers_sentence(
    material: Material,
    measure: Measure,
    made: ReaderDesigns,
    rows: tuple[PlanRow, ...],
    pair: Pair,
    comparison: ComparisonPart | None,
) -> Phrase:
    units, n = material.wording.units, made.n_readers
    level = f"{100 * material.settings.confidence_level:g} %"
    names = f"{model_name(pair.a)} minus {model_name(pair.b)}"
    start = phrase(
        f"The {level} interval of the difference in {measure.name}, {names}, now reaches ",
        ("", width_words(measure, rows[0].half_width)),
        " to either side.",
    )
    said = phrase(
        f"With twice the {units} ({count(2 * n)}) it would be ",
        ("", width_words(measure, _of(rows, 2 * n, 1.0))),
        ", with twice the cases ",
        ("", width_words(measure, _of(rows, n, 2.0))),
        ".",
    )
    seen = measure.size(pair.difference) + measure.points
    chance = phrase(
        f"If the true difference is the {seen} seen here, data like these show it with a chance of ",
        ("", chance_words(rows[0].power)),
        ".",
    )
    if rows[0].power >= POWER - _ROUNDED:
        return sentences(start, said, chance, enough_words(material, comparison))
    readers, times = readers_for(made), times_cases_for(made)
    ways = [f"about {count(readers)} {units} of these cases"] if math.isfinite(readers) else []
    ways += [f"{times_words(times)} times the cases for these {units}"] if math.isfinite(times) else []
    needed = f"For {percent(POWER)}, {' or '.join(ways)} are needed." if ways else ""
    none = f"Neither more {units} nor more cases alone would raise it to {percent(POWER)}."
    return sentences(start, said, chance, needed or none)


def _possible(row: PlanRow, measure: Measure) -> PlanRow:
    """No rate and no area is further off than 1."""
    if measure.kind == "cost":
        return row
    return replace(row, **{name: min(getattr(row, name), 1.0) for name in ("half_width", "low", "high")})


def _none(models: tuple[str, ...], problem: str) -> PlanPart:
    return PlanPart(None, models, (), "", (problem,), "", problem)


def _models(material: Material, comparison: ComparisonPart | None) -> tuple[str, ...]:
    """The first model and the best of the others; one model by itself."""
    if comparison is None or not comparison.pairs:
        return material.names[:1]
    pair = next((own for own in comparison.pairs if own.b == _rival(comparison)), comparison.pairs[0])
    return pair.a, pair.b


def _rival(comparison: ComparisonPart) -> str:
    first = comparison.pairs[0].a
    return next(own.model for own in comparison.standings if own.model != first)


def _designs(made: Plan, n_groups: int) -> tuple[PlanRow, ...]:
    groups = [made.n_groups] if made.plans_cases else [n_groups * k for k in (1, 2, 4)]
    table = made.table(groups=groups, times_cases=_TIMES)
    found = []
    for i in range(len(table)):
        n, times = int(table.n_groups[i]), float(table.times_cases[i])
        found.append(
            PlanRow(
                n_groups=n,
                times_cases=times,
                positives=float(table.n_positives[i]),
                negatives=float(table.n_negatives[i]),
                half_width=float(table.half_width[i]),
                low=float(table.half_width_low[i]),
                high=float(table.half_width_high[i]),
                power=float(table.power[i]),
                is_now=n == groups[0] and times == 1,
            )
        )
    return tuple(found)


def _target(measure: Measure, difference: float, *, has_models: bool) -> str:
    if not has_models:
        return "the interval"
    seen = measure.size(difference) + measure.points
    chance = f"a chance of {percent(POWER)}"
    return f"telling the two apart with {chance}, if the true difference is the {seen} seen here"


def _sentence(
    material: Material,
    measure: Measure,
    made: Plan,
    rows: tuple[PlanRow, ...],
    n_groups: int,
    comparison: ComparisonPart | None,
) -> Phrase:
    """What there is now, what more groups and more cases would give."""
    now = rows[0]
    level = f"{100 * made.confidence_level:g} %"
    what = measure.name
    if made.models:
        a, b = map(model_name, made.models)
        what = f"difference in {measure.name}, {a} minus {b},"
    other = not_declared_words(material, measure)
    start = phrase(
        f"{f'{other}: the' if other else 'The'} {level} interval of the {what} now reaches ",
        ("", width_words(measure, now.half_width)),
        " to either side.",
    )
    cases = ("", width_words(measure, _of(rows, now.n_groups, 2.0)))
    if made.plans_cases:
        said = phrase("With twice the cases it would be ", cases, ".")
        return sentences(start, said, _needed(material, measure, made, n_groups, comparison))
    groups = _of(rows, 2 * n_groups, 1.0)
    said = phrase(
        f"With twice the {material.wording.units} ({count(2 * n_groups)}) it would be ",
        ("", width_words(measure, groups)),
        f", with twice the cases per {material.unit} ",
        cases,
        ".",
    )
    return sentences(start, said, _needed(material, measure, made, n_groups, comparison))


def _of(rows: tuple[PlanRow, ...], n_groups: int, times: float) -> float:
    return next(row.half_width for row in rows if row.n_groups == n_groups and row.times_cases == times)


def _needed(
    material: Material, measure: Measure, made: Plan, n_groups: int, comparison: ComparisonPart | None
) -> Text:
    """How much it takes to tell the models apart; nothing for one model."""
    if not made.models or made.difference is None:
        return ""
    units = material.wording.units
    if made.difference == 0:
        return "Models that do not differ cannot be told apart by any amount of data."
    power = made.power_at() if made.plans_cases else made.power_at(n_groups)
    seen = measure.size(made.difference) + measure.points
    chance = phrase(
        f"If the true difference is the {seen} seen here, data like these show it with a chance of ",
        ("", chance_words(power)),
        ".",
    )
    if power >= POWER - _ROUNDED:
        is_other = bool(not_declared_words(material, measure))
        return sentences(chance, "" if is_other else enough_words(material, comparison))
    if made.plans_cases:
        factor = math.inf if made.cases_needed is None else made.cases_needed.factor
        enough = (
            f"For {percent(POWER)}, {times_words(factor)} times the cases are needed."
            if 1 < factor < math.inf
            else ""
        )
        return sentences(chance, enough)
    needed = made.groups_needed or math.inf
    if not math.isfinite(needed):
        return sentences(chance, f"No number of {units} would raise it to {percent(POWER)}.")
    about, rough = range_words(needed, *(made.groups_range or (math.nan, math.nan)))
    return sentences(
        chance,
        phrase(
            f"For {percent(POWER)}, {about} ",
            ("", f"{count(needed)} {units}"),
            f" like these are needed ({rough}, as far as the spread is known).",
        ),
        _by_cases(material, made),
    )


def _by_cases(material: Material, made: Plan) -> str:
    factor = math.inf if made.cases_needed is None else made.cases_needed.factor
    if math.isfinite(factor):
        return f"Or {times_words(factor)} times the cases per {material.unit}." if factor > 1 else ""
    units = material.wording.units
    return f"With these {units} alone no number of cases suffices: they differ too much among themselves."
