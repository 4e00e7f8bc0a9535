"""What is certain about a curve: the highest and the lowest one that the cells allow, and one between.

In the highest, the positives of a cell all come with its highest score and its negatives with its lowest; in
the lowest it is the other way round. Rows that are tied come together, as one oblique step, and nothing is
uncertain about them. Whatever order the rows of a cell really have, the true curve lies between the two, and
so does every reading that grows with the curve: an area, a rate at the other, any average along a direction.

Scores here are always high where the class is positive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.cells.table import CellTable, Counts, Floats, Integers
from rocsteady.counting.results import read_only
from rocsteady.counting.table import CountTable


@dataclass(frozen=True, eq=False)
class Staircases:
    """Counts of the lowest, a middle and the highest curve of every member."""

    lower: CountTable
    middle: CountTable
    upper: CountTable


@dataclass(frozen=True, eq=False)
class Steps:
    """What each class adds at which score, in the order of the path.

    Rows that are tied may be several steps, of several members; ``is_vertex`` says where all of them are
    counted. In paths of single members every step ends in a vertex.
    """

    member: Integers
    scores: Floats
    positives: Counts
    negatives: Counts
    is_vertex: NDArray[np.bool_] | None = None


def staircases(cells: CellTable, *, higher_is_positive: bool = True) -> Staircases:
    """The curves between which those of all members lie.

    Parameters
    ----------
    cells : CellTable
        Of members that have both classes.
    higher_is_positive : bool
        If not, scores are negated on the way in and thresholds on the way out.
    """
    if not higher_is_positive:
        cells = cells.reversed()
    members = np.arange(cells.n_members)
    ends = middle_steps(cells)
    paths = [ends] * 3
    if cells.is_mixed.any() or not cells.are_apart:
        paths = [bound_steps(cells, upper=False), ends, bound_steps(cells, upper=True)]
    return Staircases(*(_counted(steps, members, higher_is_positive) for steps in paths))


def middle_counts(cells: CellTable, *, higher_is_positive: bool = True) -> CountTable:
    """The middle curves of all members."""
    if not higher_is_positive:
        cells = cells.reversed()
    return _counted(middle_steps(cells), np.arange(cells.n_members), higher_is_positive)


def bound_steps(cells: CellTable, *, upper: bool) -> Steps:
    """The steps of the highest or of the lowest path, members apart."""
    if cells.are_apart:
        return _two_steps_where_mixed(cells, upper=upper)
    steps = _loose_steps(cells, upper=upper)
    return _as_one(steps, np.lexsort((-steps.scores, steps.member)))


def shared_steps(cells: CellTable, *, upper: bool) -> Steps:
    """The steps of the highest or of the lowest path of all members under one threshold."""
    steps = _loose_steps(cells, upper=upper)
    order = np.argsort(-steps.scores, kind="stable")
    scores = steps.scores[order]
    is_vertex = np.append(scores[1:] != scores[:-1], True)[: scores.size]
    return Steps(steps.member[order], scores, steps.positives[order], steps.negatives[order], is_vertex)


def middle_steps(cells: CellTable) -> Steps:
    """Every cell as if its rows were tied; those that end at the same score are one step then."""
    steps = Steps(cells.member, cells.lowest, cells.positives, cells.negatives)
    if cells.are_apart:
        return steps
    return _as_one(steps, np.arange(len(cells)))


def _as_one(steps: Steps, order: NDArray[np.intp]) -> Steps:
    """The steps in this order, those of a member that have the same score added up."""
    member, scores = steps.member[order], steps.scores[order]
    is_new = np.append(True, (member[1:] != member[:-1]) | (scores[1:] != scores[:-1]))[: order.size]
    starts = np.flatnonzero(is_new)
    counts = (steps.positives[order], steps.negatives[order])
    positives, negatives = (np.add.reduceat(own, starts) if starts.size else own for own in counts)
    return Steps(member[starts], scores[starts], positives, negatives)


def _two_steps_where_mixed(cells: CellTable, *, upper: bool) -> Steps:
    """Cells that are apart stay in their order; those that are mixed go up first, or right first."""
    mixed = cells.is_mixed
    index = np.repeat(np.arange(len(cells)), 1 + mixed)
    is_first = mixed[index] & np.append(True, index[1:] != index[:-1])
    is_second = mixed[index] & ~is_first
    scores = np.where(is_first, cells.highest[index], cells.lowest[index])
    early, late = (cells.positives, cells.negatives) if upper else (cells.negatives, cells.positives)
    early, late = np.where(is_second, 0, early[index]), np.where(is_first, 0, late[index])
    positives, negatives = (early, late) if upper else (late, early)
    return Steps(cells.member[index], scores, positives, negatives)


def _loose_steps(cells: CellTable, *, upper: bool) -> Steps:
    """Ties as they are; of all other cells one class at their highest score and the other at their lowest.

    No row can lie beyond these, so what then has the same score is tied at best.
    """
    tied, wide = cells.is_tied, ~cells.is_tied
    early, late = (cells.positives, cells.negatives) if upper else (cells.negatives, cells.positives)
    begins, ends = wide & (early > 0), wide & (late > 0)
    none = np.zeros(len(cells), dtype=cells.positives.dtype)
    parts: list[tuple[Any, ...]] = [
        (cells.member[begins], cells.highest[begins], early[begins], none[begins]),
        (cells.member[tied], cells.lowest[tied], early[tied], late[tied]),
        (cells.member[ends], cells.lowest[ends], none[ends], late[ends]),
    ]
    member, scores, early, late = (np.concatenate([part[i] for part in parts]) for i in range(4))
    positives, negatives = (early, late) if upper else (late, early)
    return Steps(member, scores, positives, negatives)


def _counted(steps: Steps, members: Integers, higher_is_positive: bool) -> CountTable:
    """Running counts of every member, led by an infinite threshold and zero."""
    n_steps = np.bincount(steps.member, minlength=members.size)
    offsets = np.concatenate([[0], np.cumsum(n_steps + 1)]).astype(np.int64)
    row = np.arange(steps.member.size) + steps.member + 1
    sign = 1.0 if higher_is_positive else -1.0
    thresholds = np.full(int(offsets[-1]), sign * np.inf)
    thresholds[row] = sign * steps.scores + 0.0
    counts = [
        read_only(running(np.asarray(values), row, offsets)) for values in (steps.positives, steps.negatives)
    ]
    return CountTable(read_only(thresholds), counts[0], counts[1], offsets, higher_is_positive)


def running(values: Counts, row: Integers, offsets: Integers) -> Counts:
    """Running sums that start again in every member; integers exactly."""
    spread = np.zeros(int(offsets[-1]), dtype=values.dtype)
    spread[row] = values
    if values.dtype.kind != "f":
        total = np.cumsum(spread)
        return np.asarray(total - np.repeat(total[offsets[:-1]], np.diff(offsets)))
    # Sums of weights must not carry the rounding of the members before them.
    for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        np.cumsum(spread[start:stop], out=spread[start:stop])
    return spread
