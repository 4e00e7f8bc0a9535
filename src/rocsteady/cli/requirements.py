"""``--require "tpr@fpr=0.05 >= 0.6"``: what a study must answer, and whether it does."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rocsteady.errors import RocsteadyError, UsageError, fail
from rocsteady.words import near_match, number_of

if TYPE_CHECKING:
    from rocsteady.averaging.methods import Method
    from rocsteady.curves.roc import RocCurve
    from rocsteady.places import Place
    from rocsteady.statistics.limits import Interval
    from rocsteady.study import Study
    from rocsteady.text import Quantity, Text

_SHAPE = re.compile(r"(?P<what>.*?)\s*(?P<sign>>=|<=|≥|≤|=>|=<|<|>)\s*(?P<bound>[^<>=≤≥]+)", re.DOTALL)
_WHAT = re.compile(r"(?:(?P<whose>.*):\s*)?(?P<measure>[A-Za-z-]+)\s*(?:@\s*(?P<point>.+))?", re.DOTALL)
_SIGNS = {">=": ">=", "≥": ">=", "=>": ">=", ">": ">", "<=": "<=", "≤": "<=", "=<": "<=", "<": "<"}


# What was typed -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Requirement:
    """What was typed: of whom, which measure, where it is read, and the bound it must keep.

    Attributes
    ----------
    text : str
        As it was typed.
    whose : str
        A model, ``"a - b"``, or nothing, which means every model.
    measure : str
        As it was named; ``quantity`` is what it is read from, and ``is_rest`` whether it is 1 less that.
    place : Place or None
        Where rates are read; an area has none.
    sign : {">=", ">", "<=", "<"}
    bound : float
    """

    text: str
    whose: str
    measure: str
    quantity: str
    is_rest: bool
    place: Place | None
    sign: str
    bound: float

    @property
    def wants_more(self) -> bool:
        """Whether the value must lie above the bound."""
        return self.sign in (">=", ">")

    def allows(self, value: float) -> bool:
        """Whether a value keeps the bound; NaN never does."""
        if self.wants_more:
            return value >= self.bound if self.sign == ">=" else value > self.bound
        return value <= self.bound if self.sign == "<=" else value < self.bound


def requirements_of(given: Sequence[str] | None) -> list[Requirement]:
    """The requirements that were typed; RS004 for what cannot be read, before a large file is."""
    return [_requirement(" ".join(text.split())) for text in given or []]


def _requirement(text: str) -> Requirement:
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        raise fail("RS004.parts", text=text)
    bound = number_of(shape["bound"], may_be_percent=True)
    if math.isnan(bound):
        raise fail("RS004.number", text=text, bound=shape["bound"])
    what, measures = _WHAT.fullmatch(shape["what"]), _measures()
    measure = what["measure"].casefold() if what is not None else ""
    if what is None or measure not in measures:
        meant = near_match(measure, measures) if measure else None
        raise fail("RS004.measure", text=text, meant=meant)
    quantity, is_rest = measures[measure]
    place = _place(text, measure, quantity, what["point"])
    whose = (what["whose"] or "").strip()
    first, minus, second = whose.partition(" - ")
    if minus and first.strip() == second.strip():
        raise fail("RS004.less-itself", text=text)
    return Requirement(text, whose, measure, quantity, is_rest, place, _SIGNS[shape["sign"]], bound)


def _measures() -> dict[str, tuple[str, bool]]:
    """What each measure is read from, and whether it is the rest of that to 1: rates by all their names."""
    from rocsteady.places import NAMES, RATES, RESTS

    rates = {name: (kind, name in RESTS) for name, kind in NAMES.items() if kind in RATES}
    return {"auc": ("auc", False), **rates, "eer": ("fpr", False)}


def _place(text: str, measure: str, quantity: str, point: str | None) -> Place | None:
    """Where it is read; an area and an equal error rate say that themselves."""
    from rocsteady.places import place_of

    if measure in ("auc", "eer"):
        if point is not None:
            raise fail("RS004.no-point", text=text, measure=measure)
        return None if measure == "auc" else _place(text, "", quantity, "eer")
    if point is None:
        raise fail("RS004.nowhere", text=text, measure=measure)
    among: Any = ("fpr", "tpr", "threshold", "alerts", "eer", "ratio", "costs")
    try:
        place = place_of(point.strip(), among=among)
    except UsageError as error:
        raise fail("RS004.place", text=text, reason=f"{error.problem} {error.found}") from None
    if place.kind == quantity:
        raise fail("RS004.held", text=text, measure=measure, place=place.said)
    return place


# What is found ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """What was found, and whether that is enough.

    Attributes
    ----------
    requirement : Requirement
    whose : str
        The model, or the pair; empty where models have no names.
    value, low, high : float
        NaN limits where there is no interval. A difference is the first less the second.
    confidence_level : float
    n, unit : int, str
        What is random: 23 hosts.
    is_difference : bool
    """

    requirement: Requirement
    whose: str
    value: float
    low: float
    high: float
    confidence_level: float
    n: int
    unit: str
    is_difference: bool = False

    @property
    def judged_on(self) -> float:
        """The bound of the interval that makes it hardest."""
        return self.low if self.requirement.wants_more else self.high

    @property
    def holds(self) -> bool:
        """Whether the interval keeps the requirement."""
        return self.requirement.allows(self.judged_on)

    @property
    def found(self) -> Text:
        """The value as it was asked for, its interval and what that rests on."""
        from rocsteady.text import Count, Gap, Limits, Quantity, Quote, Rate, Scale, phrase

        scale = Scale.AREA if self.requirement.quantity == "auc" else Scale.SHARE
        measure: Quantity = Quantity(self.requirement.measure, scale)  # as typed, in whatever words
        limits = Limits(self.low, self.high, self.confidence_level)
        value = (Gap if self.is_difference else Rate)(measure, self.value, limits)
        facts: dict[str, Any] = {"measure": Quote(self.requirement.measure), "value": value}
        facts["over"] = Count(self.n, self.unit)
        if math.isnan(self.judged_on):
            return phrase("{measure} {value}, without an interval ({over})", **facts)
        side = "lower" if self.requirement.wants_more else "upper"
        return phrase(f"{{measure}} {{value}}, over {{over}}; the {side} limit counts", **facts)

    @property
    def sentence(self) -> Text:
        """That it holds."""
        from rocsteady.text import Model, Quote, say

        text, who = Quote(self.requirement.text), Model(self.whose) if self.whose else None
        head = "{who} meets" if who else "Met:"
        return say(f'{head} "{{text}}": {{found}}.', who=who, text=text, found=self.found)

    def message(self) -> RocsteadyError:
        """RS005 with what was found; shown, and never raised: the other requirements are told too."""
        ways = []
        if self.requirement.allows(self.value) and not math.isnan(self.judged_on):
            ways.append("the value meets it, its interval does not: more data would make that narrower")
        facts = {"text": self.requirement.text, "model": self.whose, "is_named": bool(self.whose)}
        return fail("RS005.not-met", found=self.found.plain(), ways=ways, **facts)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON can carry them."""
        from rocsteady.results import plain

        numbers = {name: plain(getattr(self, name)) for name in ("value", "low", "high")}
        return {"requirement": self.requirement.text, "model": self.whose, **numbers, "holds": self.holds}


def judge(requirements: Sequence[Requirement], study: Study, method: Method | None = None) -> list[Verdict]:
    """What each requirement finds, model by model, in the answers of a study.

    ``method`` is the average that it is asked of; by default that of the declared use.

    Raises
    ------
    UsageError
        RS004 if a requirement names a model that is not there, or a place that the average has not.
    """
    return [own for one in requirements for own in _verdicts(one, study, method)]


def _verdicts(one: Requirement, study: Study, method: Method | None) -> list[Verdict]:
    known = study.scores.models
    if not one.whose:
        return [_of_model(one, study, name, method) for name in study.models]
    if one.whose in known:
        return [_of_model(one, study, one.whose, method)]
    pair = _pair(one.whose, known)
    if pair is None:
        raise fail("RS004.no-model", text=one.text, models=known if any(known) else ["one, without a name"])
    return [_of_pair(one, study, *pair, method)]


def _of_model(one: Requirement, study: Study, name: str, method: Method | None) -> Verdict:
    shown = name if len(study.models) > 1 else ""  # the only model needs no name
    if len(study.curves(name)) == 1:
        curve = study.curves(name)[0]
        n = round(curve.n_positives + curve.n_negatives)
        return _verdict(one, study, shown, *_on_curve(one, study, name, curve, method), n, "case")
    average = study.average(name, method)
    n, unit = average.n_groups, study.unit
    if one.place is None:
        return _verdict(one, study, shown, average.auc, study.average_area(name, method), n, unit)
    read = _read(one, study, name, method)
    value, interval = getattr(read, one.quantity), getattr(read, f"{one.quantity}_interval", None)
    return _verdict(one, study, shown, value, interval, n, unit)


_EXAMPLES = {
    "threshold": "tpr@t=0.5 >= 0.6",
    "pooled": "tpr@t=0.5 >= 0.6",
    "vertical": "tpr@fpr=0.05 >= 0.6",
    "horizontal": "fpr@tpr=0.9 <= 0.1",
}
"""What every average of that name can be asked."""


def _read(one: Requirement, study: Study, name: str, method: Method | None) -> Any:
    assert one.place is not None
    try:
        return study.point(name, one.place, method)
    except UsageError as error:
        if one.place.kind == "eer":  # one that is no mean over groups has no interval
            raise fail("RS004.equal-error-rate", text=one.text) from error
        label = study.average(name, method).method.label
        example = _EXAMPLES.get(label, "auc >= 0.8")
        raise fail("RS004.unjudgeable", text=one.text, reason=error.problem, example=example) from error


def _on_curve(
    one: Requirement, study: Study, name: str, curve: RocCurve, method: Method | None
) -> tuple[float, Interval | None]:
    """One dataset has no spread over datasets; its cases are what is random."""
    level = study.confidence_level
    drawn: dict[str, Any] = {"n_resamples": study.n_resamples, "seed": study.seed}
    if one.place is None:
        return study.area(name)
    how, at = "bootstrap" if curve.is_weighted else "score", one.place.value
    if one.place.kind in ("fpr", "tpr"):
        read, limits = (
            (curve.tpr_at, curve.tpr_interval)
            if one.place.kind == "fpr"
            else (curve.fpr_at, curve.fpr_interval)
        )
        return read(at), limits(at, level, how, **drawn)
    if one.place.kind == "threshold":
        from rocsteady.points.cutoffs import choose_cutoff

        found = choose_cutoff(curve, threshold=at)
        value = float(getattr(found, one.quantity))
        table: Any = None if curve.is_weighted else found.two_by_two(confidence_level=level)
        if table is None or one.quantity == "tpr":
            return value, getattr(table, "sensitivity_interval", None)
        return value, _rest(table.specificity_interval)
    return float(getattr(_read(one, study, name, method), one.quantity)), None


def _rest(interval: Interval | None) -> Interval | None:
    return None if interval is None else replace(interval, low=1 - interval.high, high=1 - interval.low)


def _of_pair(one: Requirement, study: Study, a: str, b: str, method: Method | None) -> Verdict:
    place = one.place
    found: Any = None
    if place is None or place == study.place:
        found = study.compare(a, b, method)
    elif place.kind in ("fpr", "tpr", "alerts", "threshold"):
        found = study.compare(a, b, method, at=place)
    for own in () if found is None else found.differences:
        is_area = own.facts.measure in ("AUC", "area")
        if (
            is_area
            if place is None
            else own.facts.place == place and own.facts.measure.lower() == one.quantity
        ):
            is_groups = found.random == "groups"
            n = found.n_groups if isinstance(found.n_groups, int) else sum(found.n_groups)
            over = (n, study.unit) if is_groups else (study.n_cases, "case")
            interval = own.interval
            return _verdict(one, study, f"{a} - {b}", own.difference, interval, *over, is_difference=True)
    where = "" if place is None else place.said
    raise fail("RS004.of-difference", text=one.text, place=where, a=a, b=b)


def _verdict(
    one: Requirement,
    study: Study,
    whose: str,
    value: float,
    interval: Interval | None,
    n: int,
    unit: str,
    *,
    is_difference: bool = False,
) -> Verdict:
    """Of a model, or of the difference of a pair of them."""
    whole = 0.0 if is_difference else 1.0  # what a rate and its rest add up to
    low, high = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
    value, low, high = float(value), float(low), float(high)
    if one.is_rest:
        value, low, high = whole - value, whole - high, whole - low
    return Verdict(one, whose, value, low, high, study.confidence_level, n, unit, is_difference)


def _pair(text: str, known: Sequence[str]) -> tuple[str, str] | None:
    """``a - b`` as two known models; a name may have a dash in it."""
    pieces = text.split(" - ")
    for cut in range(1, len(pieces)):
        first, second = " - ".join(pieces[:cut]).strip(), " - ".join(pieces[cut:]).strip()
        if first in known and second in known:
            return first, second
    return None
