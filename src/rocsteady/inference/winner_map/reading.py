"""A winner map in words: who wins where and by how much, then how sure that is and what is random."""

from __future__ import annotations

import numpy as np

from rocsteady.inference.winner_map.axes import Axis
from rocsteady.inference.winner_map.result import Region, WinnerMap
from rocsteady.words import counted, listed, plural, printable

_MOST = 4
"""Regions, or crossings, that are named one by one."""


def read_map(made: WinnerMap) -> str:
    """All sentences."""
    axis = made._axis
    parts = [_who(axis, made), _means(axis, made), _how_sure(axis, made)]
    if axis.over == "costs":
        parts.append(
            f"Optimistic for all models: every {made.unit} was tuned on the rows on which it is judged."
        )
    return " ".join(part for part in parts if part)


def span(axis: Axis, low: float, high: float) -> str:
    """A part of the range in a sentence; the unit is said once.

    Examples
    --------
    >>> from rocsteady.averaging.methods import Tangent, Vertical
    >>> from rocsteady.inference.winner_map.axes import AlongCosts, AlongFpr
    >>> span(AlongFpr(0.02, 0.5, Vertical()), 0.02, 0.114)
    'from FPR 0.02 to 0.114'
    >>> span(AlongCosts(2, 20, Tangent(), 0.1), 7.389, 7.389)
    'at costs 1 : 7.39'
    """
    if axis.number(low) == axis.number(high):
        return f"at {axis.says(low)}"
    return f"from {axis.says(low)} to {axis.number(high)}"


def _who(axis: Axis, made: WinnerMap) -> str:
    """Who wins where, and by how much at most."""
    groups = counted(made.n_groups, made.unit)
    head = f"Over {groups}, {axis.held}:"
    won = [region for region in made.regions if region.winner]
    if not won:
        return f"{head} undecided {span(axis, axis.low, axis.high)}. {_why_open(axis, made)}"
    winners = made.winners
    said = [_wins(axis, name, [region for region in won if region.winner == name], made) for name in winners]
    left = [region for region in made.regions if region.winner is None]
    if left:
        is_long = max(len(left), *(len([r for r in won if r.winner == name]) for name in winners)) > _MOST
        said.append("undecided on the rest" if is_long else f"undecided {_spans(axis, left)}")
    elif len(winners) == 1:
        said.append("the winner does not change")
    return f"{head} {'; '.join(said)}."


def _spans(axis: Axis, regions: list[Region]) -> str:
    whole = [span(axis, region.low, region.high) for region in regions]
    return listed([whole[0], *(part.replace(f"{axis.unit} ", "") for part in whole[1:])])


def _wins(axis: Axis, name: str, regions: list[Region], made: WinnerMap) -> str:
    gain, position = _largest_gain(name, regions, made)
    than = "" if len(made.models) == 2 else " than of the next best"
    at = "" if len(regions) == 1 and regions[0].low == regions[0].high else f" at {axis.says(position)}"
    by = f"{axis.better}{than} by {'up to ' if at else ''}{gain:.3g}{at}"
    return f"{printable(name)} wins {_places(axis, name, regions, made)} ({by})"


def _places(axis: Axis, name: str, regions: list[Region], made: WinnerMap) -> str:
    """The regions of a winner one by one; of many, on how much of the range, and between which ends."""
    if len(regions) <= _MOST:
        return _spans(axis, regions)
    share = made.winner.count(name) / len(made.winner)
    ends = f"between {axis.says(regions[0].low)} and {axis.number(regions[-1].high)}"
    return f"on {share:.0%} of the range, in {len(regions)} parts {ends}".replace("%", " %")


def _largest_gain(name: str, regions: list[Region], made: WinnerMap) -> tuple[float, float]:
    """By how much a model leads the next best where it leads most, and where that is."""
    own = [pair for pair in made.pairs if name in (pair.a, pair.b)]
    gains = np.min([pair.difference if pair.a == name else -pair.difference for pair in own], axis=0)
    at = made.position
    inside = np.any([(at >= region.low) & (at <= region.high) for region in regions], axis=0)
    best = int(np.argmax(np.where(inside, gains, -np.inf)))
    return float(gains[best]), float(at[best])


def _why_open(axis: Axis, made: WinnerMap) -> str:
    """The largest mean difference where none was decided, and why it was not."""
    sizes = [np.abs(pair.difference) for pair in made.pairs]
    largest = int(np.argmax([own.max() for own in sizes]))
    best = int(np.argmax(sizes[largest]))
    if sizes[largest][best] == 0:
        return "The models do not differ."
    if any(pair.decided.any() for pair in made.pairs):
        return f"No model is better than all others, but {listed(_partial_wins(made))}."
    pair = made.pairs[largest]
    ahead = pair.a if pair.difference[best] > 0 else pair.b
    why = "has limits that include 0"
    if is_too_few(made.smallest_pvalue, made.confidence_level):
        level = f"{100 * made.confidence_level:g} %"
        why = f"may be chance: so few {plural(made.unit)} cannot decide anything at {level}"
    return (
        f"The largest mean difference, {axis.better} by {sizes[largest][best]:.3g} for {printable(ahead)} at "
        f"{axis.says(made.position[best])}, {why}."
    )


def _partial_wins(made: WinnerMap) -> list[str]:
    """Who is better than whom somewhere, though nobody is better than all."""
    found = []
    for pair in made.pairs:
        for side, better, worse in ((1, pair.a, pair.b), (-1, pair.b, pair.a)):
            if (pair.decided == side).any():
                found.append(f"{printable(better)} is better than {printable(worse)} in places")
    return found


def is_too_few(smallest_pvalue: float, confidence_level: float) -> bool:
    """Whether no p-value that so many groups can give is small enough.

    >>> is_too_few(0.0625, 0.95), is_too_few(0.03125, 0.95)
    (True, False)
    """
    return smallest_pvalue > 1 - confidence_level + 1e-12


def _means(axis: Axis, made: WinnerMap) -> str:
    """Where the best mean changes."""
    crossings, several = made.crossings, len(made.models) > 2
    if not crossings:
        if all(not pair.difference.any() for pair in made.pairs):
            return ""
        return "By its mean the same model is best all the way." if several else "The means do not cross."
    what = "The best mean changes" if several else "The means cross"
    if len(crossings) <= _MOST:
        return f"{what} at {axis.unit} {listed([axis.number(place) for place in crossings])}."
    return f"{what} {len(crossings)} times {span(axis, crossings[0], crossings[-1])}."


def _how_sure(axis: Axis, made: WinnerMap) -> str:
    level = f"{100 * made.confidence_level:g} %"
    pairs = " and pairs of models" if len(made.pairs) > 1 else ""
    return (
        f"{level} confidence for all positions{pairs} at once; a test of no difference anywhere "
        f"has p = {made.pvalue:.3g}. What is random is the {counted(made.n_groups, made.unit)}."
        f"{_shared_training(made)}{_left_out(axis, made.excluded)}"
    )


def _shared_training(made: WinnerMap) -> str:
    """That folds of a cross-validation share training cases, and whether the limits allow for that."""
    if "fold" not in made.unit:
        return ""
    known = "the limits allow for" if made.test_train_ratio else "test_train_ratio='cv' would allow for"
    return f" {plural(made.unit).capitalize()} of a cross-validation share training cases, which {known}."


def _left_out(axis: Axis, excluded: tuple[tuple[float, float], ...]) -> str:
    if not excluded:
        return ""
    where = f"{len(excluded)} parts {span(axis, excluded[0][0], excluded[-1][1])}"
    if len(excluded) <= _MOST:
        where = _spans(axis, [Region(low, high, None) for low, high in excluded])
    return f" Left out, because no spread was seen: {where}."
