"""The models of a winner map, each averaged over the groups that all of them have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import Pooled
from rocsteady.curves.curve_set import roc_curves
from rocsteady.errors import DataError, Option, Remedy, UsageError
from rocsteady.inference.comparing.matching import (
    Paired,
    chosen_pairs,
    paired_models,
    refuse_unordered,
    rows_in_order,
    unequal_rows,
)
from rocsteady.inference.winner_map.axes import Axis
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import counted, listed, plural, printable


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
        raise _half_named(named, [name for pair in pairs for name in pair if name != named])
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
        raise UsageError(
            "RS064",
            f"with a single {paired.unit} the {plural(paired.unit)} cannot be random.",
            f"found: {counted(n_groups, paired.unit)} with both classes",
            ("its cases can:  ", Option("random", "cases")),
        )
    return chosen


def _require_cases(paired: Paired, axis: Axis) -> None:
    """RS038, RS063 or RS064 if cases cannot be resampled."""
    groups: list[Remedy] = []
    if len(paired.groups) > 1:
        groups = [(f"or let the {plural(paired.unit)} be random:  ", Option("random", "groups"))]
    if any(own.columns.weights is not None for own in paired.sets):
        raise UsageError(
            "RS038",
            "tests over cases count cases and do not take weights.",
            f"found: {paired.sets[0]!r}",
            "leave the weights out",
            *groups,
        )
    unlike = unequal_rows(paired)
    if unlike:
        raise _without_unpaired(refuse_unordered(paired, unlike), keep_random=bool(groups))
    if axis.over in ("costs", "alerts"):
        raise UsageError(
            "RS064",
            f"a map over {axis.over} needs several random {plural(paired.unit)}; resampled cases do not do.",
            f"found: {counted(len(paired.groups), paired.unit)}, cases random; a threshold that is tuned, or "
            f"a few alerts, rest on too few cases to resample them",
            ("over a rate cases can be random:  ", Option("over", "fpr")),
            "or name thresholds:  compare(score_set, at={'threshold': 0.5})",
            *groups,
        )
    if not axis.takes_cases:
        usual = axis.own_method.label
        raise UsageError(
            "RS064",
            f"a map over {axis.over} under the {axis.method.label} average has no resampled cases.",
            f"cases are resampled under {usual}, threshold and pooled averages",
            Option("method", usual),
            *groups,
        )


def _without_unpaired(error: DataError, *, keep_random: bool = True) -> DataError:
    """The same without remedies that a map has no room for: its models are paired."""
    refused = ("paired",) if keep_random else ("paired", "random")
    kept = [remedy for remedy in error.remedies if not any(_names(own, remedy) for own in refused)]
    if not kept:
        kept = ["a map pairs the models; as independent sets:  compare(score_set, paired=False)"]
    return DataError(error.code, error.problem, error.found, *kept)


def _matched(
    score_set: Any, names: tuple[str, ...], undefined: str, unmatched: str, **options: Any
) -> Paired:
    try:
        return paired_models(score_set, names, undefined=undefined, unmatched=unmatched, **options)
    except DataError as error:
        raise _without_unpaired(error) from None


def _names(option: str, remedy: Remedy) -> bool:
    parts = [remedy] if isinstance(remedy, str | Option) else remedy
    return any(isinstance(part, Option) and part.name == option for part in parts)


def _half_named(named: str, others: list[str]) -> UsageError:
    return UsageError(
        "RS065",
        "a map of one model against several is a map of all of them.",
        f'found: the model "{printable(named)}" and {printable(listed(others))}',
        "all of them:  winner_map(score_set)",
        f"or name another:  winner_map(score_set, {named!r}, {others[0]!r})",
    )
