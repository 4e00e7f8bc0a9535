"""Winner maps in words: who wins where and by how much, how sure that is and what it rests on."""

from __future__ import annotations

import numpy as np

from rocsteady.averaging.methods import AlongDirection
from rocsteady.curves.intervals import runs_of
from rocsteady.inference.winner_map import Axis, WinnerMap
from rocsteady.scores.design import Random
from rocsteady.show.sentences.averages import groups_are
from rocsteady.show.sentences.comparing import axis as axis_name
from rocsteady.show.sentences.comparing import left_out_of_range, span, spot, wins
from rocsteady.text import (
    COST,
    FPR,
    PREVALENCE,
    TPR,
    Count,
    Gap,
    Item,
    Level,
    Model,
    Name,
    Number,
    P,
    Quote,
    Rate,
    Text,
    listed,
    nouns,
    paragraph,
    phrase,
    say,
)

_MOST = 4
"""Regions, or crossings, that are named one by one."""
GAINS = {"fpr": TPR, "tpr": FPR, "costs": COST, "alerts": TPR}
"""What the winner is better in."""


def winner_map(made: WinnerMap) -> Text:
    """All sentences."""
    flattered = None
    if made.over == "costs":
        template = "All models look better than they are: {thresholds} are tuned on the rows that judge them."
        flattered = say(template)
    return paragraph(who_wins(made), _crossings(made), how_sure(made), flattered)


def who_wins(made: WinnerMap) -> Text:
    """Who wins where, and by how much at most; or that nobody does."""
    whole: dict[str, Item] = {
        "use": _held(made._axis, is_alone=made.n_groups == 1),
        "axis": axis_name(made.over),
        "span": span(made.over, float(made.position[0]), float(made.position[-1])),
    }
    if not made.winners:
        return _undecided(made, whole)
    won = [
        phrase("{wins} ({gain})", wins=_wins(made, name), gain=_largest_gain(made, name))
        for name in made.winners
    ]
    rest = "" if made.is_decided else "; elsewhere the difference is not significant"
    return say(f"Over {{axis}} {{span}}{{use}}: {{won}}{rest}.", won=listed(won), **whole)


def _wins(made: WinnerMap, name: str) -> Text:
    parts = [(own.low, own.high) for own in made.regions if own.winner == name]
    return wins(made.over, name, parts, made.winner.count(name) / len(made.winner))


def _largest_gain(made: WinnerMap, name: str) -> Text:
    """By how much a model leads the next best where it leads most, and where that is."""
    gains = np.where([own == name for own in made.winner], made.lead(name).advantage, -np.inf)
    best = int(np.argmax(gains))
    than = "" if len(made.models) == 2 else " than for the next best"
    return _gain(made.over, float(gains[best]), float(made.position[best]), than)


def _gain(over: str, gain: float, position: float, than: str = "") -> Text:
    what = GAINS[over]
    return phrase(
        f"{{rate}} up to {{gap:compared}}{than}, at {{where:short}}",
        rate=Name(what),
        gap=Gap(what, gain if what == TPR else -gain),
        where=spot(over, position),
    )


def _undecided(made: WinnerMap, whole: dict[str, Item]) -> Text:
    """That no model is better than all others, the largest difference, and why it was not decided."""
    none = "neither model is significantly better anywhere"
    if len(made.models) > 2:
        none = "no model is significantly better than all others anywhere"
    first = say(f"Over {{axis}} {{span}}{{use}}: {none}.", **whole)
    sizes = np.abs([pair.advantage for pair in made.pairs])
    if not sizes.any():
        return paragraph(first, say("The models do not differ."))
    known = np.where([~np.isnan(pair.lower) for pair in made.pairs], sizes, 0.0)
    if not known.any():
        return paragraph(first, say("Nothing varies, so there are no limits."))
    which, at = np.unravel_index(int(known.argmax()), known.shape)
    pair = made.pairs[which]
    ahead = pair.a if pair.advantage[at] > 0 else pair.b
    largest = say(
        "The largest difference is that of {model}: {gain}.",
        model=Model(ahead),
        gain=_gain(made.over, float(known[which, at]), float(made.position[at])),
    )
    return paragraph(first, _partly(made), largest, why_none(made))


def _partly(made: WinnerMap) -> Text | None:
    """Who is better than whom somewhere, though nobody is better than all."""
    pairs = [
        phrase("{best} is better than {other}", best=Model(best), other=Model(other))
        for pair in made.pairs
        for side, best, other in ((1, pair.a, pair.b), (-1, pair.b, pair.a))
        if (pair.decided == side).any()
    ]
    return say("In places {pairs}.", pairs=listed(pairs)) if pairs else None


def why_none(made: WinnerMap) -> Text | None:
    """Why nothing is decided, where it is for want of groups, or though a difference is shown."""
    if not made.can_decide:
        template = "{n} are too few for any decision over a whole range at {level} confidence."
        return say(template, n=Count(made.n_groups, made.unit), level=Level(made.confidence_level))
    if made.pvalue <= 1 - made.confidence_level:
        return say("There is a difference somewhere, but not significant at any single position.")
    return None


def _crossings(made: WinnerMap) -> Text | None:
    """Where the best mean changes."""
    crossings = made.crossings
    if not crossings:
        if not any(pair.advantage.any() for pair in made.pairs):
            return None
        return say("The same model leads everywhere.")
    where = listed(spot(made.over, place) for place in crossings)
    if len(crossings) > _MOST:
        template = "{n} times, within {axis} {ends}"
        ends = span(made.over, crossings[0], crossings[-1])
        where = phrase(template, n=len(crossings), axis=axis_name(made.over), ends=ends)
        return say("The leader changes {where}.", where=where)
    return say("The leader changes at {axis} {where}.", axis=axis_name(made.over), where=where)


def how_sure(made: WinnerMap) -> Text:
    """What the limits hold for, what is treated as random, and what has none."""
    p = "" if np.isnan(made.pvalue) else " ({p} for no difference anywhere)"
    pairs = " and all pairs" if len(made.pairs) > 1 else ""
    template = f"The limits hold at {{level}} confidence for the whole range{pairs} at once{p}; {{random}}."
    shared = None
    if made.design.shares_training and made.random != Random.CASES and not made.test_train_ratio:
        shared = say("They do not allow for the training cases that {units} share.", **nouns(made.unit))
    return paragraph(
        say(template, level=Level(made.confidence_level), p=P(made.pvalue), random=_random(made)),
        shared,
        _without_width(made),
        left_out_of_range(made.over, made.excluded),
    )


def _without_width(made: WinnerMap) -> Text | None:
    """That limits are the difference itself where no group differs by more or less."""
    flat = np.any([pair.lower == pair.upper for pair in made.pairs], axis=0)
    if not flat.any():
        return None
    where = listed((span(made.over, *own) for own in runs_of(made.position, flat)), most=_MOST)
    template = "Limits have no width where all {units} differ by the same: {axis} {where}."
    return say(template, axis=axis_name(made.over), where=where, **nouns(made.unit))


def _random(made: WinnerMap) -> Text:
    if made.random == Random.GROUPS:
        return groups_are(made.design, made.n_groups, made.unit)
    order = "" if made._has_cases else ", paired by their order"
    if made.n_groups == 1:
        return phrase(f"the cases are treated as a random sample{order}")
    template = f"the cases are treated as a random sample{order}; the result is about these {{n}} only"
    return phrase(template, n=Count(made.n_groups, made.unit))


def _held(axis: Axis, *, is_alone: bool) -> Text:
    """How thresholds are set, and what a cost or a share of alerts is at."""
    who = " with one {threshold} for all {units}" if axis.is_shared else " with a {threshold} for each {unit}"
    who = "" if is_alone else who
    if not axis.is_shared and axis.over in ("fpr", "tpr") and not isinstance(axis.method, AlongDirection):
        return phrase(f"{who} ({{method}} average)", method=Quote(axis.method.label))
    if axis.prevalence is None:
        return phrase(who)
    values: dict[str, Item] = {"share": Rate(PREVALENCE, axis.prevalence)}
    if axis.over != "costs":
        return phrase(f"{who} at a prevalence of {{share}}", **values)
    price = axis.false_positive
    values["price"] = int(price) if float(price).is_integer() else Number(price)
    return phrase(f" ({{costs}}){who} at a prevalence of {{share}}; one {{alarm}} costs {{price}}", **values)
