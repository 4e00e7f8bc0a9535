"""Winner maps in words: who wins where and by how much, then how sure that is and what is random."""

from __future__ import annotations

import numpy as np

from rocsteady.averaging.methods import Horizontal, Vertical
from rocsteady.curves.intervals import runs_of
from rocsteady.inference.winner_map import Axis, Region, WinnerMap
from rocsteady.words import cost_ratio, counted, listed, percent, plural, printable

_MOST = 4
"""Regions, or crossings, that are named one by one."""
_UNITS = {"fpr": "FPR", "tpr": "TPR", "costs": "costs", "alerts": "alerts"}
"""What positions are."""
_BETTER = {"fpr": "TPR higher", "tpr": "FPR lower", "costs": "cost per case lower", "alerts": "TPR higher"}
"""What is good about the winner."""


def _number(axis: Axis, position: float) -> str:
    """A position without its unit."""
    shown = {"costs": cost_ratio, "alerts": percent}
    return shown[axis.over](position) if axis.over in shown else f"{position:.3g}"


def winner_map(made: WinnerMap) -> str:
    """All sentences."""
    axis = made._axis
    parts = [_who(axis, made), _means(axis, made), _how_sure(axis, made)]
    if axis.over == "costs":
        who = "thresholds were" if axis.is_shared else f"every {made.unit} was"
        rows = "on which they are judged" if axis.is_shared else "on which it is judged"
        parts.append(f"Optimistic for all models: {who} tuned on the rows {rows}.")
    return " ".join(part for part in parts if part)


def _span(axis: Axis, low: float, high: float) -> str:
    """A part of the range in a sentence; the unit is said once.

    Examples
    --------
    >>> from rocsteady.averaging.methods import Tangent, Vertical
    >>> _span(Axis("fpr", 0.02, 0.5, Vertical()), 0.02, 0.114)
    'from FPR 0.02 to 0.114'
    >>> _span(Axis("costs", 2, 20, Tangent(), 0.1), 7.389, 7.389)
    'at costs 1 : 7.39'
    """
    if _number(axis, low) == _number(axis, high):
        return f"at {_at(axis, low)}"
    return f"from {_at(axis, low)} to {_number(axis, high)}"


def _who(axis: Axis, made: WinnerMap) -> str:
    """Who wins where, and by how much at most."""
    head = f"{_on_what(made)}, {_held(axis)}:"
    won = [region for region in made.regions if region.winner]
    if not won:
        return f"{head} undecided {_span(axis, axis.low, axis.high)}. {_why_open(axis, made)}"
    winners = made.winners
    said = [_wins(axis, name, [region for region in won if region.winner == name], made) for name in winners]
    left = [region for region in made.regions if region.winner is None]
    if left:
        is_long = max(len(left), *(len([r for r in won if r.winner == name]) for name in winners)) > _MOST
        said.append("undecided on the rest" if is_long else f"undecided {_spans(axis, left)}")
    elif len(winners) == 1:
        said.append("the winner does not change")
    return f"{head} {'; '.join(said)}."


def _on_what(made: WinnerMap) -> str:
    if made.random == "groups":
        return f"Over {counted(made.n_groups, made.unit)}"
    if made.n_groups == 1:
        return f"On the cases of this {made.unit}"
    return f"On the cases of these {counted(made.n_groups, made.unit)}"


def _mean(made: WinnerMap) -> str:
    """There is no mean of one."""
    return "mean " if made.n_groups > 1 else ""


def _spans(axis: Axis, regions: list[Region]) -> str:
    whole = [_span(axis, region.low, region.high) for region in regions]
    return listed([whole[0], *(part.replace(f"{_UNITS[axis.over]} ", "") for part in whole[1:])])


def _wins(axis: Axis, name: str, regions: list[Region], made: WinnerMap) -> str:
    gain, position = _largest_gain(name, regions, made)
    than = "" if len(made.models) == 2 else " than of the next best"
    at = "" if len(regions) == 1 and regions[0].low == regions[0].high else f" at {_at(axis, position)}"
    by = f"{_BETTER[axis.over]}{than} by {'up to ' if at else ''}{gain:.3g}{at}"
    return f"{printable(name)} wins {_places(axis, name, regions, made)} ({by})"


def _places(axis: Axis, name: str, regions: list[Region], made: WinnerMap) -> str:
    """The regions of a winner one by one; of many, on how much of the range, and between which ends."""
    if len(regions) <= _MOST:
        return _spans(axis, regions)
    share = made.winner.count(name) / len(made.winner)
    ends = f"between {_at(axis, regions[0].low)} and {_number(axis, regions[-1].high)}"
    return f"on {share:.0%} of the range, in {len(regions)} parts {ends}".replace("%", " %")


def _largest_gain(name: str, regions: list[Region], made: WinnerMap) -> tuple[float, float]:
    """By how much a model leads the next best where it leads most, and where that is."""
    at, gains = made.position, made.lead(name).advantage
    inside = np.any([(at >= region.low) & (at <= region.high) for region in regions], axis=0)
    best = int(np.argmax(np.where(inside, gains, -np.inf)))
    return float(gains[best]), float(at[best])


def _why_open(axis: Axis, made: WinnerMap) -> str:
    """The largest mean difference where none was decided, and why it was not."""
    sizes = [np.abs(pair.advantage) for pair in made.pairs]
    if not np.any(sizes):
        return "The models do not differ."
    known = [~np.isnan(pair.lower) for pair in made.pairs]
    if not np.any(known):
        return "The models differ, but without a spread there is nothing to judge that by."
    sizes = [np.where(where, own, 0.0) for own, where in zip(sizes, known, strict=True)]
    largest = int(np.argmax([own.max() for own in sizes]))
    best = int(np.argmax(sizes[largest]))
    if any(pair.decided.any() for pair in made.pairs):
        return f"No model is better than all others, but {listed(_partial_wins(made))}."
    pair = made.pairs[largest]
    ahead = pair.a if pair.advantage[best] > 0 else pair.b
    why = "has limits that include 0"
    if made.pvalue <= 1 - made.confidence_level:
        # The test of no difference flips the differences, the limits what is left without their means.
        why += ": some difference there is, but at no single place can it be shown"
    if not made.can_decide:
        level = f"{100 * made.confidence_level:g} %"
        why = f"may be chance: flipping signs of so few {plural(made.unit)} cannot decide anything at {level}"
    by = f"{_BETTER[axis.over]} by {sizes[largest][best]:.3g} for {printable(ahead)}"
    return f"The largest {_mean(made)}difference, {by} at {_at(axis, made.position[best])}, {why}."


def _partial_wins(made: WinnerMap) -> list[str]:
    """Who is better than whom somewhere, though nobody is better than all."""
    found = []
    for pair in made.pairs:
        for side, better, worse in ((1, pair.a, pair.b), (-1, pair.b, pair.a)):
            if (pair.decided == side).any():
                found.append(f"{printable(better)} is better than {printable(worse)} in places")
    return found


def _means(axis: Axis, made: WinnerMap) -> str:
    """Where the best mean changes."""
    crossings, several = made.crossings, len(made.models) > 2
    if not crossings:
        if all(not pair.advantage.any() for pair in made.pairs):
            return ""
        if made.n_groups == 1:
            return "On these cases the same model is ahead all the way."
        return "By its mean the same model is best all the way." if several else "The means do not cross."
    what = "The best mean changes" if several else "The means cross"
    if made.n_groups == 1:
        what = "On these cases the leader changes"
    if len(crossings) <= _MOST:
        return f"{what} at {_UNITS[axis.over]} {listed([_number(axis, place) for place in crossings])}."
    return f"{what} {len(crossings)} times {_span(axis, crossings[0], crossings[-1])}."


def _how_sure(axis: Axis, made: WinnerMap) -> str:
    level = f"{100 * made.confidence_level:g} %"
    pairs = " and pairs of models" if len(made.pairs) > 1 else ""
    test = "" if np.isnan(made.pvalue) else f"; a test of no difference anywhere has p = {made.pvalue:.3g}"
    return (
        f"{level} confidence for all positions{pairs} at once{test}. What is random is {_random(made)}."
        f"{_shared_training(made)}{_without_width(axis, made)}{_left_out(axis, made.excluded)}"
    )


def _random(made: WinnerMap) -> str:
    if made.random == "groups":
        return f"the {counted(made.n_groups, made.unit)}"
    how = "" if made._has_cases else ", paired by their order"
    if made.n_groups == 1:
        return f"the cases{how}; there is one {made.unit}, so nothing is said of others"
    these = f"the {counted(made.n_groups, made.unit)} are fixed"
    return f"the cases{how}; {these}, and nothing is said of other {plural(made.unit)}"


def _without_width(axis: Axis, made: WinnerMap) -> str:
    """That limits are the difference itself where no group differs by more or less."""
    flat = np.any([pair.lower == pair.upper for pair in made.pairs], axis=0)
    if not flat.any():
        return ""
    parts = [Region(low, high, None) for low, high in runs_of(made.position, np.asarray(flat))]
    where = _spans(axis, parts)
    if len(parts) > _MOST:
        where = f"in {len(parts)} parts {_span(axis, parts[0].low, parts[-1].high)}"
    return f" All {plural(made.unit)} differ by the same, and limits have no width, {where}."


def _shared_training(made: WinnerMap) -> str:
    """That folds of a cross-validation share training cases, and whether the limits allow for that."""
    if not made.design.shares_training or made.random == "cases":
        return ""
    known = "the limits allow for" if made.test_train_ratio else "the limits do not allow for"
    return f" {plural(made.unit).capitalize()} share training cases, which {known}."


def _left_out(axis: Axis, excluded: tuple[tuple[float, float], ...]) -> str:
    if not excluded:
        return ""
    where = f"{len(excluded)} parts {_span(axis, excluded[0][0], excluded[-1][1])}"
    if len(excluded) <= _MOST:
        where = _spans(axis, [Region(low, high, None) for low, high in excluded])
    return f" Left out, because no spread was seen: {where}."


def _at(axis: Axis, position: float) -> str:
    return f"{_UNITS[axis.over]} {_number(axis, position)}"


def _held(axis: Axis) -> str:
    """What is the same for both models."""
    prevalence = f"at a prevalence of {percent(axis.prevalence or 0.0)}"
    if axis.over == "costs":
        who = "each tuned to the costs"
        if axis.is_shared:
            who = "under one threshold for all, set to the costs"
        return f"{who}, {prevalence}, a false positive costing {axis.false_positive:g}"
    if axis.over == "alerts":
        if axis.is_shared:
            return f"at the same mean share of alerts under one threshold for all, {prevalence}"
        return f"at the same share of alerts and {prevalence.removeprefix('at ')}"
    if axis.is_shared:
        return f"at the same mean {_UNITS[axis.over]} under one threshold for all"
    if isinstance(axis.method, Vertical | Horizontal):
        return f"at the same {_UNITS[axis.over]}"
    return f"at the same mean {_UNITS[axis.over]} of the {axis.method.label} averages"
