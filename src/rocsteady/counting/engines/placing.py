"""Anchored counting: every row of the commoner class is placed among its group's rows of the rarer class.

Between two neighbouring scores of the rarer class a curve runs straight, however many rows of the other class
lie there. So the curve is exact as soon as these rows are counted, and they need not be kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady import _kernels
from rocsteady.counting.cells.table import CellTable
from rocsteady.counting.engines.faults import Faults
from rocsteady.counting.engines.streaming import Batch, batch_of, new_sums

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

BYTES_PER_ANCHOR = 200
"""Memory of one row of the rarer class: its score, its two slots, and these once more as cells."""


@dataclass(frozen=True, eq=False)
class Anchors:
    """Distinct scores of the rarer class of every member, rising.

    Attributes
    ----------
    scores, rows, weights : arrays
        One entry per anchor: its score, how many rows have it, and their weight (None without weights).
    offsets : int64 array
        Member ``m`` owns the anchors ``offsets[m]:offsets[m + 1]``.
    are_positive : bool array
        For each member, whether its positives are the rarer class.
    """

    scores: Floats
    rows: Integers
    weights: Floats | None
    offsets: Integers
    are_positive: NDArray[np.bool_]

    @property
    def n_slots(self) -> int:
        """Two for each anchor, and one more for each member."""
        return 2 * self.scores.size + self.offsets.size - 1

    def __call__(self, batches: Iterator[Any]) -> Any:
        """Place the rows of record batches; slots in use, as an Arrow table. This is what workers do."""
        import pyarrow as pa

        is_weighted = self.weights is not None
        placed = self.placed(batch_of(arrow, Faults(), is_weighted=is_weighted) for arrow in batches)
        used = np.flatnonzero(placed.sums[:, 1])
        sums = placed.sums[used]
        rows = sums[:, 1].astype(np.int64) if placed.rows is None else placed.rows[used]
        ends = {"lowest": sums[:, 2].copy(), "highest": sums[:, 3].copy()}
        return pa.table({"slot_": used, "rows": rows, "weight": sums[:, 1].copy()} | ends)

    def placed(self, batches: Iterator[Batch]) -> Placed:
        """Place those rows that are of the commoner class of their member."""
        n_members = self.offsets.size - 1
        sums = new_sums(self.n_slots)
        rows = None if self.weights is None else np.zeros(self.n_slots, dtype=np.int64)
        rarer = self.are_positive.astype(np.int8)
        for batch in batches:
            own = batch.taken(batch.classes != rarer[batch.members]).by_member(n_members)
            slots = _kernels.kernels.anchor_slots(own.scores, own.members, self.scores, self.offsets)
            _kernels.kernels.add_to_slots(slots, np.zeros_like(own.classes), own.scores, own.weights, sums)
            if rows is not None:
                rows += np.bincount(slots, minlength=self.n_slots)
        return Placed(sums, rows)

    def joined(self, parts: list[Any]) -> Placed:
        """What several workers placed, as one."""
        sums = new_sums(self.n_slots)
        rows = None if self.weights is None else np.zeros(self.n_slots, dtype=np.int64)
        for part in parts:
            column = {name: part.column(name).to_numpy() for name in part.schema.names}
            slot = column["slot_"]
            sums[slot, 1] += column["weight"]
            sums[slot, 2] = np.minimum(sums[slot, 2], column["lowest"])
            sums[slot, 3] = np.maximum(sums[slot, 3], column["highest"])
            if rows is not None:
                rows[slot] += column["rows"]
        return Placed(sums, rows)


@dataclass(frozen=True, eq=False)
class Placed:
    """Rows of commoner classes in their slots (see ``add_to_slots``); ``rows`` only if there are weights."""

    sums: Floats
    rows: Integers | None


def anchors_of(
    member: Integers, scores: Floats, weights: Floats | None, are_positive: NDArray[np.bool_]
) -> Anchors:
    """The anchors of all members, from the rows of their rarer classes in any order."""
    n_members = are_positive.size
    order = np.lexsort((scores, member))
    member, scores = member[order], scores[order]
    is_new = np.append(True, (member[1:] != member[:-1]) | (scores[1:] != scores[:-1]))[: scores.size]
    starts = np.flatnonzero(is_new)
    rows = np.diff(np.append(starts, scores.size))
    sums = None
    if weights is not None:
        sums = np.add.reduceat(weights[order], starts) if starts.size else weights[:0]
    counts = np.bincount(member[starts], minlength=n_members)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Anchors(np.ascontiguousarray(scores[starts]), rows, sums, offsets, are_positive)


def placed_cells(anchors: Anchors, placed: Placed) -> CellTable:
    """The cells of anchors and of the rows that were placed among them, which are used up by it."""
    sums, rows = placed.sums, placed.rows
    n_anchors = np.diff(anchors.offsets)
    on_anchor = 2 * np.arange(anchors.scores.size) + 1 + np.repeat(np.arange(n_anchors.size), n_anchors)
    sums[on_anchor, 0] = anchors.rows if anchors.weights is None else anchors.weights
    sums[on_anchor, 2] = sums[on_anchor, 3] = anchors.scores
    if rows is not None:
        rows[on_anchor] += anchors.rows
    # Slots rise with the scores of their member; cells fall.
    stops = np.cumsum(2 * n_anchors + 1)
    member = np.repeat(np.arange(n_anchors.size), 2 * n_anchors + 1)
    order = (stops - (2 * n_anchors + 1) + stops - 1)[member] - np.arange(sums.shape[0])
    used = (sums[:, 0] + sums[:, 1])[order] > 0
    order, member = order[used], member[used]
    kind: Any = np.int64 if rows is None else np.float64
    rare, common = sums[order, 0].astype(kind), sums[order, 1].astype(kind)
    is_positive = anchors.are_positive[member]
    counts = np.bincount(member, minlength=n_anchors.size)
    return CellTable(
        cell=order,
        positives=np.where(is_positive, rare, common),
        negatives=np.where(is_positive, common, rare),
        rows=rare + common if rows is None else rows[order],
        lowest=sums[order, 2],
        highest=sums[order, 3],
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
    )
