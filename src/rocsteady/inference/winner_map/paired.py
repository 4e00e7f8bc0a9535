"""The models of a winner map, each averaged over the groups that all of them have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import Method, Pooled
from rocsteady.errors import DataError, Option, Remedy, UsageError
from rocsteady.inference.comparing.matching import Paired, chosen_pairs, paired_models
from rocsteady.words import listed, printable


@dataclass(frozen=True, eq=False)
class PairedAverages:
    """Averages of several models over the same groups, in the same order."""

    names: tuple[str, ...]
    averages: tuple[Average, ...]
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
    return PairedAverages(names, made, paired.undefined)


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
