"""The models of a winner map, each averaged over the groups that all of them have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import Method, Pooled
from rocsteady.curves.curve_set import roc_curves
from rocsteady.errors import DataError, Option, Remedy, UsageError
from rocsteady.inference.comparing.matching import Paired, chosen_pairs, paired_models
from rocsteady.words import listed, printable


@dataclass(frozen=True, eq=False)
class PairedAverages:
    """Averages of several models over the same groups, in the same order.

    Attributes
    ----------
    names : tuple of str
        The models.
    averages : tuple of Average
        One for each.
    aucs : tuple of mapping
        Of each model, the AUC of every group that has a curve.
    undefined : tuple of str
        Groups without one, and why.
    """

    names: tuple[str, ...]
    averages: tuple[Average, ...]
    aucs: tuple[dict[str, float], ...]
    undefined: tuple[str, ...]


def paired_averages(
    score_set: Any,
    a: str | None,
    b: str | None,
    method: Method,
    *,
    undefined: str,
    unmatched: str,
    threads: int | None,
) -> PairedAverages:
    """The average of each model; RS060, RS062 or RS063 where they cannot be paired."""
    pairs = chosen_pairs(score_set, a, b)
    if (a is None) != (b is None) and len(pairs) > 1:
        named = str(b if a is None else a)
        raise _half_named(named, [name for pair in pairs for name in pair if name != named])
    names = tuple(dict.fromkeys(name for pair in pairs for name in pair))
    is_pooled = isinstance(method, Pooled)
    paired = _matched(score_set, names, undefined, unmatched, all_rows_count=is_pooled)
    drop = "drop" if is_pooled else undefined
    made = tuple(average(own, method, undefined=drop, threads=threads) for own in paired.sets)
    # Pooling keeps groups of one class, which have no curve.
    curves = [
        roc_curves(own, undefined="drop", threads=threads) if is_pooled else None for own in paired.sets
    ]
    aucs = [
        (mean.members, mean._groups.auc) if own is None else (own.names, own.auc)
        for own, mean in zip(curves, made, strict=True)
    ]
    by_group = tuple(dict(zip(groups, values.tolist(), strict=True)) for groups, values in aucs)
    return PairedAverages(names, made, by_group, paired.undefined)


def _matched(
    score_set: Any, names: tuple[str, ...], undefined: str, unmatched: str, **options: Any
) -> Paired:
    try:
        return paired_models(score_set, names, undefined=undefined, unmatched=unmatched, **options)
    except DataError as error:
        # A map takes differences within groups; models on other groups cannot be independent sets here.
        kept = [remedy for remedy in error.remedies if not _names("paired", remedy)]
        raise DataError(error.code, error.problem, error.found, *kept) from None


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
