"""The first sentences: the answer for the declared use, or what can be said without one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsteady.averaging.methods import Method, Pooled
from rocsteady.inference.differences import Lead
from rocsteady.places import Place
from rocsteady.show.sentences.comparing import both_rates, leads, use, verdict, within
from rocsteady.text import (
    FPR,
    PRECISION,
    TPR,
    At,
    Count,
    Level,
    Measure,
    Model,
    Name,
    Quantity,
    Rate,
    Text,
    listed,
    phrase,
    say,
)

NOT_DECLARED = say("How the scores will be used is not declared, so nothing is recommended.")


def used(method: Method, place: Place | None, *, is_shared: bool, is_alone: bool) -> Text:
    """The use and its place, after "with".

    >>> from rocsteady.averaging.methods import Threshold, Vertical
    >>> from rocsteady.text import MEDICAL, ML
    >>> at = Place("fpr", 0.05)
    >>> used(Threshold(), at, is_shared=True, is_alone=False).plain(ML.about(unit="host"))
    'one threshold for all hosts, set to an FPR of 5 % on average'
    >>> used(Vertical(), at, is_shared=False, is_alone=False).plain(MEDICAL.about(unit="site"))
    'a cut-off for each site, set to a specificity of 95 %'
    """
    if place is None:
        return phrase("any {threshold}") if is_alone else use(method)
    if isinstance(place.value, Mapping):
        return phrase("the {thresholds} kept as given")
    who = "the {threshold}" if is_alone else "one {threshold} for all {units},"
    who = who if is_alone or is_shared else "a {threshold} for each {unit},"
    is_of_rows = isinstance(method, Pooled) or place.kind == "alerts"
    how, over = "set to {at:a}", "over all rows" if is_of_rows else "on average"
    if place.kind == "alerts" and place.count is not None:
        how = "set to at most {at}"
    if place.kind == "threshold":
        how = "kept at {at}"
    mean = f" {over}" if is_shared and not is_alone and place.kind != "threshold" else ""
    return phrase(f"{who} {how}{mean}", at=At.of(place))


def of_one(where: Text, model: str, rates: list[Rate]) -> Text:
    """What one model has under a use: one rate, or both."""
    told = listed(phrase("{name:a} of {rate}", name=Name(own.quantity), rate=own) for own in rates)
    return say("With {where}, {model} has {rates}.", where=where, model=Model(model), rates=told)


def of_area(model: str, quantity: Quantity, value: float, interval: Any) -> Text:
    """The area of one model."""
    rate = Rate(quantity, value, interval)
    return say("{model} has {name:a} of {rate}.", model=Model(model), name=Name(quantity), rate=rate)


def compared(where: Text, found: tuple[Any, ...]) -> Text:
    """Who is better under a use."""
    if len(found) > 1:
        return both_rates(*found)
    told = within(verdict(found[0], is_brief=True))
    return say("With {where}, {verdict}", where=where, verdict=told)


def led(where: Text | None, lead: Lead, what: Measure) -> Text:
    """Who is first of several models."""
    own = leads(lead, what if where is None else Measure(what.quantity))
    return own if where is None else say("With {where}: {led}", where=where, led=own)


def example(place: Place, shared: Rate, own: Rate, *, is_asked: bool) -> Text:
    """One operating point under both uses."""
    such = "" if is_asked else ", for example"
    return say(
        f"At {{at:a}}{such}: {{name}} {{shared}} with one {{threshold}} for all {{units}}, {{own}} with a "
        "{threshold} for each {unit}.",
        at=At.of(place),
        name=Name(shared.quantity),
        shared=shared,
        own=own,
    )


def kept(found: Any, *, told: str = "if kept") -> Text:
    """The rates of a threshold that stays as it is.

    >>> from types import SimpleNamespace
    >>> from rocsteady.text import Limits, MEDICAL
    >>> x, y = Limits(0.041, 0.06, 0.95), Limits(0.607, 0.695, 0.95)
    >>> found = SimpleNamespace(fpr=0.05, tpr=0.652, fpr_interval=x, tpr_interval=y)
    >>> kept(found).plain(MEDICAL)
    'if kept (95 % CI): specificity 95.0 % (94.0 to 95.9), sensitivity 65.2 % (60.7 to 69.5)'
    """
    interval = found.tpr_interval or found.fpr_interval
    return phrase(
        f"{told}{' ({level} CI)' if interval is not None else ''}: {{fpr}} {{x:cell}}, {{tpr}} {{y:cell}}",
        level=None if interval is None else Level(interval.confidence_level),
        fpr=Name(FPR),
        x=Rate(FPR, found.fpr, found.fpr_interval),
        tpr=Name(TPR),
        y=Rate(TPR, found.tpr, found.tpr_interval),
    )


def budget(table: Any, worst: Text | None) -> Text:
    """What a budget of alerts buys."""
    least = "" if worst is None else "; lowest {rate}: {worst}"
    return phrase(
        f"{{n}} {{alert}}s, {{precision}} {{right}}, {{found}} {{positives}} found ({{rate}} {{tpr}}){least}",
        n=Count(table.tp + table.fp),
        precision=Name(PRECISION),
        right=Rate(PRECISION, table.ppv),
        found=Count(table.tp, of=table.tp + table.fn),
        rate=Name(TPR),
        tpr=Rate(TPR, table.sensitivity),
        worst=worst,
    )
