"""The models of a winner map, each averaged over the groups that all of them have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import Pooled
from rocsteady.curves.curve_set import roc_curves
from rocsteady.errors import DataError, Option, Remedy, fail
from rocsteady.inference.comparing.matching import (
    Paired,
    chosen_pairs,
    paired_models,
    rows_in_order,
    unequal_rows,
)
from rocsteady.inference.winner_map.axes import Axis
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import plural


@dataclass(frozen=True, eq=False)
class PairedAverages:
    """Averages of several models over the same groups, in the same order.

    Attributes
    ----------
    axis : Axis
        What they are compared along.
    names : tuple of str
        The models.
    sets : tuple of ScoreSet
        Their scores.
    averages : tuple of Average
        One for each.
    aucs : tuple of mapping
        Of each model, the AUC of every group that has a curve.
    undefined : tuple of str
        Groups without one, and why.
    random : str
        "groups" or "cases"; if cases, their rows stand in the same order in all models.
    has_cases : bool
        Whether cases are named.
    """

    axis: Axis
    names: tuple[str, ...]
    sets: tuple[ScoreSet, ...]
    averages: tuple[Average, ...]
    aucs: tuple[dict[str, float], ...]
    undefined: tuple[str, ...]
    random: str
    has_cases: bool


def paired_averages(
    score_set: Any,
    a: str | None,
    b: str | None,
    axis: Axis,
    *,
    random: str | None,
    undefined: str,
    unmatched: str,
    threads: int | None,
) -> PairedAverages:
    """The average of each model; RS060, RS062 or RS063 where they cannot be paired, RS064 over what."""
    pairs = chosen_pairs(score_set, a, b)
    if (a is None) != (b is None) and len(pairs) > 1:
        named = str(b if a is None else a)
        others = [name for pair in pairs for name in pair if name != named]
        raise fail("RS065.half-named", named=named, others=others)
    names = tuple(dict.fromkeys(name for pair in pairs for name in pair))
    is_pooled = isinstance(axis.method, Pooled)
    paired = _matched(score_set, names, undefined, unmatched, all_rows_count=is_pooled)
    chosen = _what_is_random(paired, random)
    if chosen == "cases":
        axis = axis.of_one() if len(paired.groups) == 1 else axis
        _require_cases(paired, axis)
        paired = replace(paired, sets=tuple(rows_in_order(paired.sets, paired.names)))
    drop = "drop" if is_pooled else undefined
    made = tuple(average(own, axis.method, undefined=drop, threads=threads) for own in paired.sets)
    # Pooling keeps groups of one class, which have no curve.
    curves = [
        roc_curves(own, undefined="drop", threads=threads) if is_pooled else None for own in paired.sets
    ]
    aucs = [
        (mean.members, mean._groups.auc) if own is None else (own.names, own.auc)
        for own, mean in zip(curves, made, strict=True)
    ]
    by_group = tuple(dict(zip(groups, values.tolist(), strict=True)) for groups, values in aucs)
    return PairedAverages(
        axis, names, paired.sets, made, by_group, paired.undefined, chosen, paired.has_cases
    )


def _what_is_random(paired: Paired, random: str | None) -> str:
    """Groups if there are several, unless said otherwise; RS064 if they cannot be."""
    n_groups = len(paired.groups)
    chosen = random or ("groups" if n_groups > 1 else "cases")
    if chosen == "groups" and n_groups < 2:
        raise fail("RS064.one-group", n=n_groups, unit=paired.unit)
    return chosen


def _require_cases(paired: Paired, axis: Axis) -> None:
    """RS038, RS063 or RS064 if cases cannot be resampled."""
    is_one = len(paired.groups) < 2
    unit = paired.unit
    if any(own.columns.weights is not None for own in paired.sets):
        raise fail("RS038.cases", scores=paired.sets[0], unit=None if is_one else unit)
    unlike = unequal_rows(paired)
    if unlike:
        random = None if is_one else "groups"
        raise fail("RS063.order", groups=unlike, unit=unit, paired=None, random=random)
    groups = [] if is_one else [(f"or let the {plural(unit)} be random:  ", Option("random", "groups"))]
    if axis.over in ("costs", "alerts"):
        raise fail("RS064.map-over", over=axis.over, unit=unit, n=len(paired.groups), ways=groups)
    if not axis.takes_cases:
        usual, method = axis.own_method.label, axis.method.label
        raise fail("RS064.map-under", over=axis.over, method=method, usual=usual, ways=groups)


def _matched(
    score_set: Any, names: tuple[str, ...], undefined: str, unmatched: str, **options: Any
) -> Paired:
    try:
        return paired_models(score_set, names, undefined=undefined, unmatched=unmatched, **options)
    except DataError as error:
        # Its models are paired: a map has no room for that remedy.
        kept = tuple(remedy for remedy in error.remedies if not _names("paired", remedy))
        error.remedies = kept or (
            "a map pairs the models; as independent sets:  compare(score_set, paired=False)",
        )
        raise


def _names(option: str, remedy: Remedy) -> bool:
    parts = [remedy] if isinstance(remedy, str | Option) else remedy
    return any(isinstance(part, Option) and part.name == option for part in parts)
