"""Areas under the lowest, the middle and the highest curve, straight from cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.cells.staircases import Steps, bound_steps, middle_steps
from rocsteady.counting.cells.table import CellTable, Counts

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Areas:
    """AUC of the lowest, the middle and the highest curve of every member; NaN for one that lacks a class.

    Without weights pairs are counted as integers and divided once: the true area, rounded, lies between.

    Attributes
    ----------
    half : float64 array
        How far the true area can be from that of the middle curve; 0 where the curve is known.
    """

    low: Floats
    middle: Floats
    high: Floats
    half: Floats


def areas_of(cells: CellTable) -> Areas:
    """The areas of all members, where scores are high if the class is positive."""
    middle = _won_on(cells, middle_steps(cells))
    if cells.are_apart:
        positives, negatives = _countable(cells, cells.member, cells.positives, cells.negatives)
        unknown = cells.sums(np.where(cells.is_mixed, positives * negatives, positives.dtype.type(0)))
        low, high = middle - unknown, middle + unknown
    else:
        low, high = (_won_on(cells, bound_steps(cells, upper=upper)) for upper in (False, True))
        low, high = np.minimum(low, middle), np.maximum(high, middle)  # weights are rounded
    half = np.maximum(middle - low, high - middle)
    totals = cells.n_positives.tolist(), cells.n_negatives.tolist()
    return Areas(*(_divided(own, *totals, shares=cells.is_weighted) for own in (low, middle, high, half)))


def _countable(cells: CellTable, member: Any, positives: Counts, negatives: Counts) -> tuple[Counts, Counts]:
    """Counts whose products are exact; weights as shares of their class, whose products do not overflow."""
    totals = cells.n_positives, cells.n_negatives
    if cells.is_weighted:
        whole = [np.where(own > 0, own, 1.0)[member] for own in totals]
        return positives / whole[0], negatives / whole[1]
    most = np.max(totals[0].astype(np.float64) * totals[1], initial=0.0)
    kind: Any = np.int64 if most < 2.0**60 else object  # Python's integers have no end
    return positives.astype(kind), negatives.astype(kind)


def _won_on(cells: CellTable, steps: Steps) -> Counts:
    """Twice the pairs that positives win on a path of every member."""
    offsets = np.searchsorted(steps.member, np.arange(cells.n_members + 1))
    counts = _countable(cells, steps.member, steps.positives, steps.negatives)
    return _pairs_won(steps.member, *counts, offsets)


def _pairs_won(member: Any, positives: Counts, negatives: Counts, offsets: Any) -> Counts:
    """Twice the pairs that positives win on a path, a tie counting half; of every member."""
    n_members = offsets.size - 1
    if positives.dtype.kind == "f":
        won = np.zeros(n_members)
        # Running sums of one member must not carry the rounding of those before it.
        for i, (start, stop) in enumerate(zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)):
            own = positives[start:stop]
            won[i] = negatives[start:stop] @ (2 * np.cumsum(own) - own)
        return won
    reached = np.cumsum(positives)
    before = np.append(np.zeros(1, reached.dtype), reached)[offsets[:-1]]
    doubled = 2 * (reached - before[member]) - positives
    sums = np.append(np.zeros(1, reached.dtype), np.cumsum(negatives * doubled))
    return np.asarray(sums[offsets[1:]] - sums[offsets[:-1]])


def _divided(doubled: Counts, n_positives: list[Any], n_negatives: list[Any], *, shares: bool) -> Floats:
    found = zip(doubled.tolist(), n_positives, n_negatives, strict=True)
    pairs = ((won, p * n if not shares else float(p > 0 and n > 0)) for won, p, n in found)
    return np.array([won / (2 * whole) if whole else np.nan for won, whole in pairs])
