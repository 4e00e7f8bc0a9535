"""What more groups, or more cases in each, would buy."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace

import numpy as np

from rocsteady.advice.places import Place
from rocsteady.counting.results import Result
from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.inference.comparing.shared_cases import is_like_a_reader_study
from rocsteady.inference.planning.plan import Plan, plan
from rocsteady.inference.planning.shared_budget import plan_shared_budget
from rocsteady.report.summary.comparing.comparison import ComparisonPart
from rocsteady.report.summary.comparing.measure import Measure, line_of, measure_of, model_name
from rocsteady.report.summary.comparing.setting import test_train_ratio, told
from rocsteady.report.summary.enough_cases import only_groups
from rocsteady.report.summary.material import SHARED_KEYS, Material
from rocsteady.report.summary.phrases import Phrase, Text, phrase, sentences
from rocsteady.report.summary.vocabulary import count, percent
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import counted

POWER = 0.8
_TIMES = (1.0, 2.0, 4.0)
_MANY_GROUPS = 1000
"""Of more, variances are taken from a random sample of so many."""


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
    place = _place(material)
    rows, n_groups = _sampled(material)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocsteadyWarning)  # the note has what they say
            made = _planned(material, rows, place, models)
    except RocsteadyError as error:
        return _none(models, told(error))
    if not made.half_width > 0:
        return _none(models, "There is no spread in these data to plan with.")
    n_groups = made.n_groups if n_groups is None else n_groups
    key = material.declared_key if place is not None or material.is_alone else "vertical"
    measure = measure_of(material, place, key)
    designs = _designs(made, n_groups)
    promised = designs[0].half_width
    designs = (replace(designs[0], half_width=_now(comparison, measure, models, promised)), *designs[1:])
    return PlanPart(
        measure=measure,
        models=models,
        rows=designs,
        target=_target(measure, made),
        sentence=_sentence(material, measure, made, designs, n_groups),
        note=sentences(_promise(measure, designs[0], promised), _note(material, made, place, n_groups)),
    )


def _now(
    comparison: ComparisonPart | None, measure: Measure, models: tuple[str, ...], promised: float
) -> float:
    """The half-width that the page has of the same difference; for one model what the plan has."""
    pairs = () if comparison is None else comparison.pairs
    for pair in pairs:
        if pair.measure == measure and (pair.a, pair.b) == models and pair.high > pair.low:
            return (pair.high - pair.low) / 2
    return promised


def _promise(measure: Measure, now: PlanRow, promised: float) -> str:
    """What a new study as large as this one may expect, where that is not what was found."""
    if abs(now.half_width - promised) < 0.1 * promised:
        return ""
    width = _width(measure, promised)
    return f"A new study of this size may expect {width} to either side: how lucky this one was is not known."


def _planned(material: Material, rows: ScoreSet, place: Place | None, models: tuple[str, ...]) -> Plan:
    """For the declared reading where a plan for it is known, else for the AUC."""
    level = material.settings.confidence_level
    pair = (models[0], models[1]) if len(models) == 2 else None
    given = rows if pair is not None or len(rows.models) < 2 else rows.model(models[0])
    at = None if place is None else {place.held: place.target}
    key = material.declared_key
    if at is not None and not material.is_alone and key in SHARED_KEYS:
        return plan_shared_budget(given, at, method=key, models=pair, power=POWER, confidence_level=level)
    return plan(
        given,
        measure=at or "auc",
        models=pair,
        power=POWER,
        confidence_level=level,
        undefined="drop",
        unmatched="drop",
    )


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


def _place(material: Material) -> Place | None:
    """Where the number is read that is planned for: a rate where the other is held; None for the AUC."""
    place = line_of(material)
    if place is None or place.held not in ("fpr", "tpr"):
        return None
    return place if material.is_alone or material.deployment is not None else None


def _sampled(material: Material) -> tuple[ScoreSet, int | None]:
    """The rows, or of very many groups a random part; and how many groups there are if it is a part."""
    rows = material.score_set
    n = len(rows.groups)
    if n <= _MANY_GROUPS:
        return rows, None
    rng = np.random.default_rng(material.settings.seed)
    chosen = np.zeros(n, dtype=np.bool_)
    chosen[rng.choice(n, _MANY_GROUPS, replace=False)] = True
    return only_groups(rows, chosen), n


def _designs(made: Plan, n_groups: int) -> tuple[PlanRow, ...]:
    groups = [1] if made.n_groups == 1 else [n_groups * k for k in (1, 2, 4)]
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


def _target(measure: Measure, made: Plan) -> str:
    if not made.models:
        return "the interval"
    seen = measure.size(made.estimate) + measure.points
    chance = f"a chance of {percent(POWER)}"
    return f"telling the two apart with {chance}, if the true difference is the {seen} seen here"


def _sentence(
    material: Material, measure: Measure, made: Plan, rows: tuple[PlanRow, ...], n_groups: int
) -> Phrase:
    """What there is now, what more groups and more cases would give."""
    now = rows[0]
    unit = material.unit if not material.is_alone else "dataset"
    level = f"{100 * made.confidence_level:g} %"
    what = measure.name
    if made.models:
        a, b = map(model_name, made.models)
        what = f"difference in {measure.name}, {a} less {b},"
    start = phrase(
        f"The {level} interval of the {what} now reaches ",
        ("", _width(measure, now.half_width)),
        " to either side.",
    )
    cases = _of(rows, n_groups if made.n_groups > 1 else 1, 2.0)
    more_cases = phrase(
        "twice the cases ", f"in each {unit} " if made.n_groups > 1 else "", ("", _width(measure, cases))
    )
    if made.n_groups == 1:
        return sentences(start, phrase("With ", more_cases, "."), _needed(material, measure, made, n_groups))
    groups = _of(rows, 2 * n_groups, 1.0)
    said = phrase(
        f"With twice the {material.wording.units} ({count(2 * n_groups)}) it would be ",
        ("", _width(measure, groups)),
        ", with ",
        more_cases,
        ".",
    )
    return sentences(start, said, _needed(material, measure, made, n_groups))


def _of(rows: tuple[PlanRow, ...], n_groups: int, times: float) -> float:
    return next(row.half_width for row in rows if row.n_groups == n_groups and row.times_cases == times)


def _width(measure: Measure, width: float) -> str:
    if measure.is_share:
        return f"{100 * width:.{1 if width >= 0.005 else 2}f} points"
    return f"{width:.3f}" if width >= 0.0095 else f"{width:.2g}"


def _times(factor: float) -> str:
    return f"{count(math.ceil(factor))}" if factor >= 10 else f"{factor:.2g}"


def _chance(power: float) -> str:
    return "more than 99 %" if power > 0.99 else percent(power)


def _needed(material: Material, measure: Measure, made: Plan, n_groups: int) -> Text:
    """How much it takes to tell the models apart; nothing for one model."""
    if not made.models or made.difference is None:
        return ""
    units = material.wording.units
    if made.difference == 0:
        return "Models that do not differ cannot be told apart by any amount of data."
    power = made.power_at(n_groups) if made.n_groups > 1 else made.power_at()
    seen = measure.size(made.difference) + measure.points
    chance = phrase(
        f"If the true difference is the {seen} seen here, data like these show it with a chance of ",
        ("", _chance(power)),
        ".",
    )
    if power >= POWER:
        return sentences(chance, "More data are not needed for that.")
    if made.n_groups == 1:
        factor = math.inf if made.cases_needed is None else made.cases_needed.factor
        enough = (
            f"For {percent(POWER)}, {_times(factor)} times the cases are needed."
            if math.isfinite(factor)
            else ""
        )
        return sentences(chance, enough)
    needed = made.groups_needed or math.inf
    if not math.isfinite(needed):
        return sentences(chance, f"No number of {units} would raise it to {percent(POWER)}.")
    low, high = made.groups_range or (math.nan, math.nan)
    rough = f" (from {_whole(low)} to {_whole(high)}, as far as the spread is known)"
    by_cases = _by_cases(material, made)
    return sentences(
        chance,
        phrase(
            f"For {percent(POWER)}, about ",
            ("", f"{count(needed)} {units}"),
            f" like these are needed{rough}.",
        ),
        by_cases,
    )


def _whole(number: float) -> str:
    return count(number) if math.isfinite(number) else "more than can be had"


def _by_cases(material: Material, made: Plan) -> str:
    factor = math.inf if made.cases_needed is None else made.cases_needed.factor
    if math.isfinite(factor):
        return f"Or {_times(factor)} times the cases in each."
    units = material.wording.units
    return f"With these {units} alone no number of cases suffices: they differ too much among themselves."


def _note(material: Material, made: Plan, place: Place | None, n_groups: int) -> Text:
    """What the plan is for and how rough it is."""
    said = []
    asked, units = line_of(material), material.wording.units
    if asked is not None and place is None and not material.is_alone:
        said.append(f"Planned for the mean AUC of {units}: no plan is known for the declared reading itself.")
    elif place is not None and material.declared_key in SHARED_KEYS and not material.is_alone:
        said.append(
            f"Planned for the declared point, to which one threshold is set again with other {units}."
        )
    elif place is not None and not material.is_alone:
        said.append(f"Planned for the declared point, which every {material.unit} meets itself.")
    if is_like_a_reader_study(material.score_set):
        said.append(
            f"All {units} saw the same cases, whose luck more {units} do not average out: they buy less."
        )
    if test_train_ratio(material):
        said.append(f"{units.capitalize()} share training cases, so a plan with more of them is too hopeful.")
    if n_groups > made.n_groups:
        said.append(f"Spreads were taken from {counted(made.n_groups, material.unit)}, drawn at random.")
    if made.n_groups > 1:
        said.append(f"New {units} are taken to be like these. Plans from few {units} are rough.")
    else:
        said.append("This is for more cases like these: one dataset does not show how much datasets differ.")
    return " ".join(said)
