"""``--require "tpr@fpr=0.05 >= 0.6"``: what a result must reach, and whether it does."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from rocsteady.cli.columns import panel_option
from rocsteady.cli.deployment import Declared
from rocsteady.cli.outcome import DONE, REQUIREMENT_FAILED, STRICT
from rocsteady.cli.points import places_of
from rocsteady.errors import RocsteadyError, UsageError, fail
from rocsteady.words import near_match, number_of

if TYPE_CHECKING:
    from rocsteady.places import Place

_SHAPE = re.compile(r"(?P<what>.*?)\s*(?P<sign>>=|<=|≥|≤|=>|=<|<|>)\s*(?P<bound>[^<>=≤≥]+)", re.DOTALL)
_WHAT = re.compile(r"(?:(?P<whose>.*):\s*)?(?P<measure>[A-Za-z-]+)\s*(?:@\s*(?P<point>.+))?", re.DOTALL)
_SIGNS = {">=": ">=", "≥": ">=", "=>": ">=", ">": ">", "<=": "<=", "≤": "<=", "=<": "<=", "<": "<"}
RequireOption = Annotated[
    list[str] | None,
    panel_option(
        "--require",
        panel="Output",
        metavar="REQUIREMENT",
        help='Exit 1 unless this holds, e.g. "tpr@fpr=0.05 >= 0.6": judged on the lower bound of the '
        'interval (the upper one for <=). Of one model: "new: auc >= 0.8"; of a difference: '
        '"new - old: auc >= 0". Repeatable.',
    ),
]


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
    basis : str
        What is random, for example ``"23 hosts"``.
    pair : (str, str) or None
        The two models of a difference.
    """

    requirement: Requirement
    whose: str
    value: float
    low: float
    high: float
    confidence_level: float
    basis: str
    pair: tuple[str, str] | None = None

    @property
    def judged_on(self) -> float:
        """The bound of the interval that makes it hardest."""
        return self.low if self.requirement.wants_more else self.high

    @property
    def holds(self) -> bool:
        """Whether the interval keeps the requirement."""
        return self.requirement.allows(self.judged_on)

    @property
    def found(self) -> str:
        """The value, its interval and what that rests on."""
        value = f"{self.requirement.measure} {self.value:.3f}"
        if math.isnan(self.judged_on):
            return f"{value}, without an interval ({self.basis}), so nothing says how sure it is"
        level = f"{100 * self.confidence_level:g} %"
        side = "lower" if self.requirement.wants_more else "upper"
        interval = f"{level} interval {self.low:.3f} to {self.high:.3f} over {self.basis}"
        return f"{value}, {interval}; the {side} bound counts"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON can carry them."""
        from rocsteady.results import plain

        numbers = {name: plain(getattr(self, name)) for name in ("value", "low", "high")}
        return {"requirement": self.requirement.text, "model": self.whose, **numbers, "holds": self.holds}

    def message(self) -> RocsteadyError:
        """RS005 with what was found; shown, and never raised: the other requirements are told too."""
        ways = []
        if self.requirement.allows(self.value) and not math.isnan(self.judged_on):
            ways.append("the value meets it, its interval does not: more data would make that narrower")
        text, model = self.requirement.text, self.whose
        facts = {"text": text, "model": model, "is_named": bool(model)}
        return fail("RS005.not-met", found=self.found, ways=ways, **facts)


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
    if measure in ("auc", "eer"):
        if point is not None:
            raise fail("RS004.no-point", text=text, measure=measure)
        return None if measure == "auc" else _place(text, "", quantity, "eer")
    if point is None:
        raise fail("RS004.nowhere", text=text, measure=measure)
    try:
        (place,) = places_of([point.strip()], Declared(None, None, None, None, None))
    except UsageError as error:
        raise fail("RS004.place", text=text, reason=f"{error.problem} {error.found}") from None
    if place.kind == quantity:
        raise fail("RS004.held", text=text, measure=measure, place=place.said)
    return place


def show_verdicts(verdicts: Sequence[Verdict], *, quiet: bool) -> None:
    """What holds in a sentence each, what does not as an error; only those if ``quiet``."""
    from rocsteady.cli.console import say, show_message

    for own in verdicts:
        if not own.holds:
            show_message(own.message())
        elif not quiet:
            whose = f"{own.whose} meets" if own.whose else "met:"
            say(f'{whose} "{own.requirement.text}": {own.found}.')


def exit_code(verdicts: Sequence[Verdict], *, is_strict: bool, has_warnings: bool) -> int:
    """1 if a requirement failed, 4 for warnings where none may be, else 0."""
    if not all(own.holds for own in verdicts):
        return REQUIREMENT_FAILED
    return STRICT if is_strict and has_warnings else DONE
