"""Rows that come in batches, counted as they pass: in the leaves of a tree of cells, or among anchors.

This runs where the rows are: in this process for DuckDB, in the workers for Dask and Spark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady import _kernels
from rocsteady.counting.cells.table import CellTable, Counts, cells_of
from rocsteady.counting.engines.binning import BAD_WEIGHT, MISSING_LABEL, MISSING_SCORE, Binning
from rocsteady.counting.engines.faults import Faults
from rocsteady.counting.engines.plan import LARGEST_WEIGHT, NO_CLASS, ZERO_WEIGHT
from rocsteady.counting.engines.splitting import Level
from rocsteady.scores.columns import SMALLEST_WEIGHT

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Batch:
    """Usable rows: scores, members, classes (1 and 0) and, if rows have them, weights."""

    scores: Floats
    members: Integers
    classes: NDArray[np.int8]
    weights: Floats | None

    def taken(self, rows: Any) -> Batch:
        """Some of the rows, or all in another order."""
        weights = None if self.weights is None else self.weights[rows]
        return Batch(self.scores[rows], self.members[rows], self.classes[rows], weights)

    def by_member(self, n_members: int) -> Batch:
        """The rows of each member together: what they are counted in then stays at hand."""
        return self.taken(_kernels.kernels.order_by_group(self.members, n_members))


def batch_of(arrow: Any, faults: Faults, *, is_weighted: bool, keys: Any = ()) -> Batch:
    """The usable rows of a record batch (member_, class_, score_, maybe weight_); others are noted."""
    scores = _numbers(arrow, "score_", np.nan, np.float64) + 0.0
    members = _numbers(arrow, "member_", -1, np.int64)
    classes = _numbers(arrow, "class_", NO_CLASS, np.int8)
    weights = _numbers(arrow, "weight_", np.nan, np.float64) if is_weighted else None
    fault = np.zeros(scores.size, dtype=np.int64)
    fault[np.isnan(scores)] = MISSING_SCORE
    fault[classes == NO_CLASS] = MISSING_LABEL
    if weights is not None:
        fault[~((weights >= SMALLEST_WEIGHT) & (weights <= LARGEST_WEIGHT))] = BAD_WEIGHT
        fault[weights == 0] = ZERO_WEIGHT
    batch = Batch(scores, members, classes, weights)
    bad = (fault < 0) | (members < 0)
    if not bad.any():
        return batch
    faults.note(fault[bad], np.ones(int(bad.sum()), dtype=np.int64), members[bad], keys)
    return batch.taken(~bad)


def _numbers(arrow: Any, name: str, missing: Any, kind: Any) -> Any:
    column = arrow.column(name)
    if column.null_count:
        column = column.fill_null(missing)
    return np.ascontiguousarray(column.to_numpy(zero_copy_only=False), dtype=kind)


# -- cells ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class CellTree:
    """The cells of all members, and those that some of them were split into; leaves are counted."""

    binning: Binning
    n_members: int
    nodes: Floats  # start, scale, first part and number of parts of every slot

    @classmethod
    def of(cls, binning: Binning, n_members: int) -> CellTree:
        """The cells of a binning, none of them split."""
        return cls(binning, n_members, np.zeros((n_members * binning.n_cells, 4)))

    @property
    def n_slots(self) -> int:
        """Cells and their parts."""
        return int(self.nodes.shape[0])

    def split(self, slots: Integers, level: Level) -> CellTree:
        """The tree in which these leaves have parts."""
        more = level.parts > 1
        slots, parts = slots[more], level.parts[more]
        nodes = np.concatenate([self.nodes, np.zeros((int(parts.sum()), 4))])
        first = self.n_slots + np.cumsum(parts) - parts
        nodes[slots] = np.stack([level.starts[more], level.scales[more], first, parts], axis=1)
        return CellTree(self.binning, self.n_members, nodes)

    @property
    def members(self) -> Integers:
        """The member of every slot."""
        found = np.repeat(np.arange(self.n_members), self.binning.n_cells)
        found = np.concatenate([found, np.zeros(self.n_slots - found.size, dtype=np.int64)])
        for slot in np.flatnonzero(self.nodes[:, 3]):  # a cell comes before its parts
            first, n = self.nodes[slot, 2:].astype(np.int64)
            found[first : first + n] = found[slot]
        return found

    def slots(self, batch: Batch) -> Integers:
        """The leaf of every row."""
        found: Integers = _kernels.kernels.cell_slots(
            batch.scores, batch.members, *self.binning.arrays, self.binning.n_cells, self.nodes
        )
        return found

    def count(self, batches: Iterator[Batch], *, is_weighted: bool) -> CellTable:
        """The cells of all leaves that have rows."""
        sums, rows = new_sums(self.n_slots), np.zeros(0, dtype=np.int64)
        if is_weighted:
            rows = np.zeros(self.n_slots, dtype=np.int64)
        for batch in batches:
            slots = self.slots(batch)
            _kernels.kernels.add_to_slots(slots, batch.classes, batch.scores, batch.weights, sums)
            if is_weighted:
                rows += np.bincount(slots, minlength=rows.size)
        return cells_of_sums(sums, rows if is_weighted else None, self.members, self.n_members)


def new_sums(n_slots: int) -> Floats:
    """Nothing counted yet: positives, negatives, lowest and highest score of every slot."""
    return np.tile(np.array([0.0, 0.0, np.inf, -np.inf]), (n_slots, 1))


def cells_of_sums(sums: Floats, rows: Integers | None, member: Integers, n_members: int) -> CellTable:
    """The cells of slots that have rows; their numbers are those of the slots."""
    positives: Counts
    negatives: Counts
    if rows is None:
        counts = sums[:, :2].astype(np.int64)  # whole numbers below 2**53 are exact as floats
        rows = counts.sum(axis=1)
        positives, negatives = counts[:, 0], counts[:, 1]
    else:
        positives, negatives = sums[:, 0], sums[:, 1]
    used = np.flatnonzero(rows)
    return cells_of(
        member[used],
        n_members,
        used,
        positives[used],
        negatives[used],
        rows[used],
        sums[used, 2],
        sums[used, 3],
    )


# -- score by score ------------------------------------------------------------------------------------------


def by_score(
    tree: CellTree, heavy: Integers, batches: Iterator[Batch], most: int, *, is_weighted: bool
) -> CellTable | None:
    """Every distinct score of some leaves as a cell of its own; None if there are more than so many."""
    is_heavy = np.zeros(tree.n_slots, dtype=np.bool_)
    is_heavy[heavy] = True
    member, rows = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    scores, sums = np.empty(0), np.empty((0, 2))
    for batch in batches:
        own = batch.taken(is_heavy[tree.slots(batch)])
        one = np.ones(own.scores.size) if own.weights is None else own.weights
        weights = np.stack(
            [np.where(own.classes == 1, one, 0.0), np.where(own.classes == 1, 0.0, one)], axis=1
        )
        member = np.concatenate([member, own.members])
        scores = np.concatenate([scores, own.scores])
        sums = np.concatenate([sums, weights])
        rows = np.concatenate([rows, np.ones(own.scores.size, dtype=np.int64)])
        order = np.lexsort((scores, member))
        member, scores = member[order], scores[order]
        is_new = np.append(True, (member[1:] != member[:-1]) | (scores[1:] != scores[:-1]))[: member.size]
        starts = np.flatnonzero(is_new)
        if starts.size > most:
            return None
        if starts.size:
            sums, rows = np.add.reduceat(sums[order], starts), np.add.reduceat(rows[order], starts)
        member, scores = member[starts], scores[starts]
    kind: Any = np.float64 if is_weighted else np.int64
    numbers = np.arange(scores.size) + tree.n_slots
    positives, negatives = sums[:, 0].astype(kind), sums[:, 1].astype(kind)
    return cells_of(member, tree.n_members, numbers, positives, negatives, rows, scores, scores.copy())
