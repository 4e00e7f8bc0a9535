"""``--criterion``, ``--at`` and ``--costs``: which cut-offs were asked for."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.cli.deployment import costs_of
from rocsteady.errors import UsageError, fail, near_match
from rocsteady.words import number_of

if TYPE_CHECKING:
    from rocsteady.places import Kind
    from rocsteady.points.criteria import Criterion

NAMED: tuple[Kind, ...] = ("youden", "closest", "eer")
"""The criteria that are shown side by side, and are places."""
_RATES: tuple[Kind, ...] = ("fpr", "tpr")
_LARGEST_COST = 1e100  # costs are squared, for their spread between groups


@dataclass(frozen=True)
class Wanted:
    """One cut-off that was asked for: by a criterion, or as a number that is given."""

    text: str
    name: str
    value: Any = None

    @property
    def is_given(self) -> bool:
        """Whether the threshold itself was typed, so that nothing is left to choose."""
        return self.name == "threshold"

    def criterion(self, prevalence: float | None) -> Criterion:
        """The same as a value that the library chooses by."""
        from rocsteady.points.criteria import MinimumCost, TargetRate, criterion_of

        if self.name in _RATES:
            return TargetRate(**{self.name: self.value})
        if self.name == "cost":
            false_positive, false_negative = self.value
            return MinimumCost(
                false_positive=false_positive, false_negative=false_negative, prevalence=prevalence
            )
        return criterion_of(self.name)


def wanted_cutoffs(criterion: str | None, at: list[str], costs: str | None) -> list[Wanted]:
    """Everything that was asked for, each once; the usual criteria are left to the caller."""
    found = [] if criterion is None else [_named(criterion)]
    found += [_wanted(text) for text in at]
    if costs is not None:
        found.append(_cost(costs, costs))
    by_meaning = {(one.name, one.value): one for one in reversed(found)}
    return [one for one in found if by_meaning[one.name, one.value] is one]


def usual() -> list[Wanted]:
    """What is shown side by side where nothing was asked for."""
    return [Wanted(name, name) for name in NAMED]


def _named(text: str) -> Wanted:
    from rocsteady.points.criteria import PLAIN

    name = text.strip().casefold()
    if name in PLAIN:
        return Wanted(name, name)
    close = near_match(name, PLAIN)
    remedies = [f"did you mean  --criterion {close} ?"] if close else ["--criterion youden"]
    if "=" in text:
        remedies = [f"a rate, costs or a threshold:  --at {shlex.quote(text)}"]
    raise fail("RS092.cutoff", text=text, known=[*PLAIN], ways=remedies)


def _wanted(text: str) -> Wanted:
    from rocsteady.places import NAMES, place_of

    name, equals, value = (part.strip() for part in text.partition("="))
    if equals and NAMES.get(name.casefold()) == "costs":
        return _cost(text, value)
    number = number_of(name, may_be_percent=False)
    if not equals and math.isfinite(number):
        ways = [f"a cut-off of your own:  --at t={number:g}"]
        ways += [f"or a rate to keep:  --at fpr={number:g}"] if 0 <= number <= 1 else []
        raise fail("RS092.cutoff", text=text, known=[*NAMED, "fpr=", "tpr=", "cost=", "t="], ways=ways)
    place = place_of(text, among=(*_RATES, "threshold", *NAMED, "costs"), task="choose a cut-off")
    return Wanted(place.kind if place.value is None else text, place.kind, place.value)


def _like(text: str) -> str:
    """Costs as they were asked for: at a place, or by their own option."""
    return "--at cost=1:20" if "=" in text else "--costs 1:20"


def _cost(text: str, costs: str) -> Wanted:
    try:
        pair: Any = costs_of(costs)
    except UsageError:
        pair = None
    if pair is None or isinstance(pair[0], tuple):
        raise fail("RS094.one-pair", text=text, example=_like(text))
    if not all(0 <= cost <= _LARGEST_COST for cost in pair) or not any(pair):
        raise fail("RS081.cutoff-costs", largest=_LARGEST_COST, text=text, example=_like(text))
    return Wanted(f"cost={pair[0]:g}:{pair[1]:g}", "cost", pair)
