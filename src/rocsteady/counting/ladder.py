"""The ladder: every distinct score, else the commoner class among the rarer, else cells, ever narrower."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady import _kernels
from rocsteady.arrays import Counts, Floats, Integers, Mask
from rocsteady.counting import plan
from rocsteady.counting.cells import (
    BAD_WEIGHT,
    COLUMNS,
    MISSING_LABEL,
    MISSING_SCORE,
    Binning,
    CellTable,
    Tolerance,
    areas_of,
    binning_of,
    cells_of,
    largest,
    offsets_of,
    rate_half_widths,
    runs_of,
)
from rocsteady.counting.engines import EngineTable
from rocsteady.counting.plan import LARGEST_WEIGHT, NO_CLASS, ZERO_WEIGHT
from rocsteady.counting.survey import Faults, Survey, rows_of, survey_columns
from rocsteady.errors import fail
from rocsteady.scores.columns import SMALLEST_WEIGHT

_MARGIN = 0.7
"""Scores are not spread evenly within a cell: aim below what is asked."""


@dataclass(frozen=True, eq=False)
class Level:
    """How cells are split: part ``floor((score - start) * scale)`` of ``parts``; one part is left as it is.

    Attributes
    ----------
    chosen : bool array
        Which cells of the table.
    starts, scales, parts : arrays
        Of each of them.
    """

    chosen: Mask
    starts: Floats
    scales: Floats
    parts: Integers


def next_level(cells: CellTable, tolerance: Tolerance, most_cells: int) -> Level | None:
    """What to split so that the tolerance is met; None where there is nothing to split, or no room.

    All mixed cells are in it, those that need not be split in one part.
    """
    mixed = cells.is_mixed
    if not mixed.any():
        return None
    parts = np.minimum(_parts_wanted(cells, tolerance)[mixed], 2.0 * cells.rows[mixed])
    room, total = max(most_cells - len(cells), 0), float(parts.sum())
    if total > room:  # as far as it goes; what is reached will be told
        parts = np.maximum(parts * (room / total), 1.0)
    whole = np.maximum(np.floor(parts), 1).astype(np.int64)
    low, high = cells.lowest[mixed], cells.highest[mixed]
    with np.errstate(over="ignore", divide="ignore"):
        widths = high - low
        scales = whole / widths
    # A cell may be narrower than floats can be divided by, or wider than they go.
    stays = (whole == 1) | ~np.isfinite(scales) | ~np.isfinite(widths)
    whole[stays] = 1
    if stays.all():
        return None
    return Level(mixed, np.where(stays, 0.0, low), np.where(stays, 0.0, scales), whole)


def heaviest(cells: CellTable, tolerance: Tolerance) -> Mask:
    """The cells that have to go for the tolerance to be met."""
    return np.asarray(cells.is_mixed & (_parts_wanted(cells, tolerance) > 1))


def _parts_wanted(cells: CellTable, tolerance: Tolerance) -> Floats:
    """Into how many cells each is to be split, 1 where it may stay."""
    mixed, parts = cells.is_mixed, np.ones(len(cells))
    of_positives, of_negatives = (
        np.where(mixed, counts / np.maximum(totals, 1e-300)[cells.member], 0.0)
        for counts, totals in (
            (cells.positives, cells.n_positives.astype(np.float64)),
            (cells.negatives, cells.n_negatives.astype(np.float64)),
        )
    )
    if tolerance.auc is not None:
        root = np.sqrt(of_positives * of_negatives)
        target = max(2 * _MARGIN * tolerance.auc, 1e-300)
        # Least cells for a given sum of e / parts: parts go with the root of e.
        factor, is_needed = cells.sums(root) / target, cells.sums(root**2) > target
        parts = np.where(is_needed[cells.member], np.maximum(parts, root * factor[cells.member]), parts)
    if tolerance.rate is not None:
        share = np.maximum(of_positives, of_negatives)
        parts = np.maximum(parts, share / max(2 * _MARGIN * tolerance.rate, 1e-300))
    return np.ceil(np.minimum(parts, 1e15))


# Rows that come in batches, counted as they pass: in the leaves of a tree of cells, or among anchors
# ---------------------------------------------------------------------------------------------------


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
        order, starts = runs_of(member, scores)
        if starts.size > most:
            return None
        if starts.size:
            sums, rows = np.add.reduceat(sums[order], starts), np.add.reduceat(rows[order], starts)
        member, scores = member[order][starts], scores[order][starts]
    kind: Any = np.float64 if is_weighted else np.int64
    numbers = np.arange(scores.size) + tree.n_slots
    positives, negatives = sums[:, 0].astype(kind), sums[:, 1].astype(kind)
    return cells_of(member, tree.n_members, numbers, positives, negatives, rows, scores, scores.copy())


# Anchored counting: every row of the commoner class is placed among its group's rows of the rarer class
# ------------------------------------------------------------------------------------------------------

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
    order, starts = runs_of(member, scores)
    rows = np.diff(np.append(starts, scores.size))
    sums = None
    if weights is not None:
        sums = np.add.reduceat(weights[order], starts) if starts.size else weights[:0]
    offsets = offsets_of(np.bincount(member[order][starts], minlength=are_positive.size))
    return Anchors(np.ascontiguousarray(scores[order][starts]), rows, sums, offsets, are_positive)


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
        offsets=offsets_of(counts),
    )


# The ladder: every distinct score, else the commoner class among the rarer, else cells, ever narrower
# ----------------------------------------------------------------------------------------------------

BYTES_PER_CELL = 250
"""Memory of one cell, from the engine's own table to the curves made of it."""
_BYTES_PER_SLOT = 64
"""Memory of a place for a cell, in use or not."""
CELLS_OF_A_GROUP, CELLS_OF_ALL = 1024, 65_536
"""Cells of a member where there are several, and where there is one."""
_MOST_ANCHORS = 200_000
"""Anchors of a member on average above which placing a row costs more than splitting its cell."""
_FEW_DISTINCT = 2000
"""So few distinct scores in a sample may be all there are."""
_MOST_SPLITS = 4
"""Passes; then what is left is finished score by score, or told."""
_LARGEST_INTEGER = 2.0**53


@dataclass
class Climb(ABC):
    """One table, one column of scores, on its way up the ladder."""

    table: EngineTable
    survey: Survey
    score: str
    tolerance: Tolerance
    memory: int
    binning: Binning | None = None
    faults: Faults = field(default_factory=Faults)
    rung: str = ""
    n_passes: int = 1
    is_split: bool = False
    cell_limit: int | None = None
    ends: tuple[float, float] = (np.inf, -np.inf)
    _sample: tuple[Any, Any] | None = None

    @property
    def most_cells(self) -> int:
        """Cells that fit the memory, or as few as were asked for."""
        fitting = self.memory // BYTES_PER_CELL
        return fitting if self.cell_limit is None else min(fitting, self.cell_limit)

    def count(self) -> CellTable:
        """The cells, exact if that was asked or costs nothing, else within the tolerance if that can be."""
        found = None
        if self.binning is None:
            if self.survey.n_rows <= self.most_cells:
                found = self._distinct(self.survey.n_rows)
            elif self._should_anchor():
                found = self._anchored()
            elif self._has_few_distinct():
                found = self._distinct(self.most_cells)
        if found is None:
            found = self._in_cells()
        self._check(found)
        return found

    # -- exactly -----------------------------------------------------------------------------------------

    def _distinct(self, most: int) -> CellTable | None:
        """Every distinct score as a cell of its own, counted by the engine; None if they are too many."""
        question = self.survey.question
        coded = plan.coded(self._rows(), question)
        rows = plan.counts_by(coded, question, by=("fault_", "score_")).head(most + 1)
        found = self._collect(rows, "Counting every score")
        if found.num_rows > most:
            return None
        column = columns_of(found)
        self.rung = "distinct"
        fault, score = column["fault_"].astype(np.int64), column["score_"]
        fault[(fault == 0) & np.isnan(score)] = (
            MISSING_SCORE  # an engine may trust a footer and not look for NaN
        )
        return self._cells(found, fault, score, score)

    def _should_anchor(self) -> bool:
        n_rarer = self.survey.n_rarer
        if not self.tolerance.is_asked or n_rarer * BYTES_PER_ANCHOR > self.memory:
            return False
        return self.tolerance.is_exact or n_rarer <= _MOST_ANCHORS * len(self.survey.members)

    def _anchored(self) -> CellTable:
        survey = self.survey
        are_positive = survey.n_positives <= survey.n_negatives
        members = self.table.small(survey_columns(survey, rarer_=are_positive.astype(np.int64)))
        rare = columns_of(
            self._collect(
                plan.of_rarer_class(self._rows(), survey.question, members), "Reading the rarer class"
            )
        )
        known = ~np.isnan(rare["score_"])  # an engine may trust a footer and not look for NaN
        rare = {name: values[known] for name, values in rare.items()}
        scores = rare["score_"] + 0.0  # once more: Polars takes adding nothing for nothing, and -0.0 stays
        anchors = anchors_of(rare["member_"], scores, rare.get("weight_"), are_positive)
        del rare
        self.rung = "anchored"
        cells = placed_cells(anchors, self._placed(anchors))
        self._widen(cells.lowest, cells.highest)
        return cells

    @abstractmethod
    def _placed(self, anchors: Anchors) -> Placed:
        """Place the rows of the commoner classes, and note faults."""

    # -- in cells ----------------------------------------------------------------------------------------

    def _in_cells(self) -> CellTable:
        self.rung = "cells"
        if self.binning is not None:
            self._require_room(self.binning)
        self.binning = self.binning or self._chosen_binning()
        cells = self._counted(self.binning)
        for _ in range(_MOST_SPLITS):
            if self._is_met(cells):
                return cells
            level = next_level(cells, self.tolerance, self.most_cells)
            if level is None:
                break
            self.is_split = True
            self.n_passes += 1
            cells = self._split(cells, level)
        if not self._is_met(cells):
            heavy = heaviest(cells, self.tolerance)
            finished = self._by_score(cells, heavy) if heavy.any() else None
            if finished is not None:
                self.is_split = True
                cells = together(cells.chosen(~heavy), finished)
        return cells

    def _require_room(self, binning: Binning) -> None:
        """RS400 if cells that were made for few groups are asked for of many."""
        n_cells = binning.n_cells * len(self.survey.members)
        if n_cells * _BYTES_PER_SLOT > 2 * self.memory:
            raise fail("RS400.like", n_cells=binning.n_cells, n_groups=len(self.survey.members))

    @abstractmethod
    def _counted(self, binning: Binning) -> CellTable:
        """The cells of a binning, and note faults."""

    @abstractmethod
    def _split(self, cells: CellTable, level: Level) -> CellTable:
        """All cells, after some were split."""

    @abstractmethod
    def _by_score(self, cells: CellTable, heavy: NDArray[np.bool_]) -> CellTable | None:
        """Every score of some cells as a cell of its own; None where there are too many."""

    def _is_met(self, cells: CellTable) -> bool:
        if not self.tolerance.is_asked:
            return True
        return self.tolerance.is_met(largest(areas_of(cells).half), largest(rate_half_widths(cells)))

    # -- the sample --------------------------------------------------------------------------------------

    def _has_few_distinct(self) -> bool:
        scores = self._sampled()[1]
        return bool(np.unique(scores).size <= min(_FEW_DISTINCT, scores.size // 4))

    def _chosen_binning(self) -> Binning:
        is_positive, scores = self._sampled()
        n_members = len(self.survey.members)
        usual = CELLS_OF_ALL if n_members == 1 else CELLS_OF_A_GROUP
        n_cells = int(np.clip(self.most_cells // max(n_members, 1), 64, usual))
        return binning_of(scores[is_positive], scores[~is_positive], n_cells)

    def _sampled(self) -> tuple[Any, Any]:
        """Whether each row of a sample is positive, and its score."""
        if self._sample is None:
            self.table.n_rows = self.survey.n_rows
            rows = self.table.sample(f"{self.score}_")
            wanted = set(self.survey.question.positives)
            is_positive = np.array(
                [own in wanted for own in rows.column("label_").to_pylist()], dtype=np.bool_
            )
            # Unsafe: integers that floats cannot tell apart are told later, with a code.
            scores = rows.column("score_").cast("float64", safe=False).fill_null(np.nan).to_numpy() + 0.0
            usable = ~np.isnan(scores)
            self._sample = is_positive[usable], scores[usable]
        return self._sample

    # -- common ------------------------------------------------------------------------------------------

    def _rows(self) -> Any:
        return rows_of(self.table, self.survey.question, self.score)

    def _collect(self, frame: Any, what: str) -> Any:
        self.n_passes += 1
        return self.table.collect(frame, what)

    def _cells(self, rows: Any, number: Any, lowest: Any, highest: Any, *, again: bool = False) -> CellTable:
        """The cells in what an engine counted; faults are noted the first time."""
        survey, column = self.survey, columns_of(rows)
        place = survey.members.places(rows)
        if not again:
            self.faults.note(number, column["rows"], place, survey.question.keys)
            seen = number != MISSING_SCORE
            self._widen(lowest[seen], highest[seen])
        usable = (number >= 0) & (place >= 0)
        positives = column["positives"]
        negatives = column["negatives"] if survey.question.is_weighted else column["rows"] - positives
        picked = (place, number, positives, negatives, column["rows"], lowest + 0.0, highest + 0.0)
        member, *others = (values[usable] for values in picked)
        return cells_of(member, len(survey.members), *others)

    def _widen(self, lowest: Any, highest: Any) -> None:
        lowest, highest = lowest[~np.isnan(lowest)], highest[~np.isnan(highest)]
        if lowest.size:
            self.ends = min(self.ends[0], float(lowest.min())), max(self.ends[1], float(highest.max()))

    def _check(self, cells: CellTable) -> None:
        """RS401 to RS403: what was counted must be what is there, and be told apart."""
        self._require_same_rows(cells)
        self.table.check(self.score, self.ends, self.survey.n_rows, are_all=not self.faults.n_rows)
        scale = self.table.integers.get(self.score)
        furthest = max(abs(self.ends[0]), abs(self.ends[1]))
        if scale is not None and furthest * 10.0**scale >= _LARGEST_INTEGER:
            column, kind = self.table.source.column(self.score), "decimals" if scale else "integers"
            low, high = self.ends
            raise fail("RS403.engine", column=column, kind=kind, low=low, high=high)

    def _require_same_rows(self, cells: CellTable) -> None:
        """RS402 unless every pass saw the rows, and the classes, that the first one saw."""
        survey = self.survey
        n_counted, n_expected = int(cells.rows.sum()), survey.n_rows - self.faults.n_rows
        if n_counted != n_expected:
            raise fail("RS402.rows", engine=self.table.engine, n=n_counted, expected=n_expected)
        more = (cells.n_positives > survey.n_positives) | (cells.n_negatives > survey.n_negatives)
        if more.any() and not survey.question.is_weighted:
            raise fail("RS402.classes", engine=self.table.engine, n_groups=int(more.sum()))


def together(first: CellTable, second: CellTable) -> CellTable:
    """The cells of two tables of the same members."""
    columns = [np.concatenate([getattr(first, name), getattr(second, name)]) for name in COLUMNS]
    return cells_of(np.concatenate([first.member, second.member]), first.n_members, *columns)


def columns_of(table: Any) -> dict[str, Any]:
    """The numbers of an Arrow table as NumPy arrays; null is NaN, or 0 among integers."""
    import pyarrow as pa

    columns = {}
    for name in table.schema.names:
        kind = table.schema.field(name).type
        if pa.types.is_floating(kind):
            columns[name] = table.column(name).fill_null(np.nan).to_numpy().astype(np.float64)
        elif pa.types.is_integer(kind):
            columns[name] = table.column(name).fill_null(0).to_numpy().astype(np.int64)
    return columns


# Two ways up the ladder: rows stream by and are counted here, or the engine counts and only cells travel
# -------------------------------------------------------------------------------------------------------


@dataclass
class StreamClimb(Climb):
    """Rows stream through our own kernels: the engine decodes, joins and sends them on."""

    tree: CellTree | None = None
    _counts_faults: bool = True

    def _batches(self, what: str) -> Iterator[Batch]:
        """The usable rows; faults are noted in the first pass only."""
        survey = self.survey
        members = self.table.small(survey_columns(survey)) if survey.question.keys else None
        frame = plan.streamed(self._rows(), survey.question, members)
        faults = self.faults if self._counts_faults else type(self.faults)()
        self._counts_faults = False
        n_seen = 0
        for arrow in self.table.stream(frame):
            n_seen += arrow.num_rows
            self.table.tell(what, min(n_seen / max(survey.n_rows, 1), 1.0))
            yield batch_of(arrow, faults, is_weighted=survey.question.is_weighted, keys=survey.question.keys)

    def _placed(self, anchors: Anchors) -> Placed:
        self.n_passes += 1
        return anchors.placed(self._batches("Placing the commoner class"))

    def _counted(self, binning: Binning) -> CellTable:
        self.tree = CellTree.of(binning, len(self.survey.members))
        cells = self._leaves("Counting cells")
        self._widen(cells.lowest, cells.highest)
        return cells

    def count(self) -> CellTable:
        """The cells; unless they were split, numbered alike in every member and on every day."""
        found = super().count()
        if self.rung != "cells" or self.is_split or self.binning is None:
            return found
        return replace(found, cell=found.cell % self.binning.n_cells)

    def _leaves(self, what: str) -> CellTable:
        assert self.tree is not None
        self.n_passes += what == "Counting cells"
        return self.tree.count(self._batches(what), is_weighted=self.survey.question.is_weighted)

    def _split(self, cells: CellTable, level: Level) -> CellTable:
        assert self.tree is not None
        self.tree = self.tree.split(cells.cell[level.chosen], level)
        return self._leaves("Splitting cells")

    def _by_score(self, cells: CellTable, heavy: Mask) -> CellTable | None:
        assert self.tree is not None
        self.n_passes += 1
        return by_score(
            self.tree,
            cells.cell[heavy],
            self._batches("Counting scores"),
            self.most_cells,
            is_weighted=self.survey.question.is_weighted,
        )


@dataclass
class EngineClimb(Climb):
    """The engine groups and adds; what comes back has a row for each cell."""

    levels: list[Any] = field(default_factory=list)
    first_free: int = 0

    def _placed(self, anchors: Anchors) -> Placed:
        survey, question = self.survey, self.survey.question
        coded = plan.coded(self._rows(), question)
        faults = plan.counts_by(coded, question, by=("fault_", "positive_"))
        found = self._collect(faults, "Looking for gaps")
        column = columns_of(found)
        self.faults.note(column["fault_"], column["rows"], survey.members.places(found), question.keys)
        self.n_passes += 1
        members = self.table.small(survey_columns(survey)) if question.keys else None
        return anchors.joined(self.table.place(plan.streamed(self._rows(), question, members), anchors))

    def _numbered(self, binning: Binning) -> Any:
        frame = plan.numbered(plan.coded(self._rows(), self.survey.question), binning)
        for level in self.levels:
            frame = plan.split(frame, level, self.survey.question.keys)
        return frame

    def _counted(self, binning: Binning) -> CellTable:
        self.first_free = binning.n_cells
        rows = self._collect(plan.counts_by(self._numbered(binning), self.survey.question), "Counting cells")
        column = columns_of(rows)
        return self._cells(rows, column["cell_"], column["lowest"], column["highest"])

    def _split(self, cells: CellTable, level: Level) -> CellTable:
        assert self.binning is not None
        stays = level.parts == 1
        first = np.where(
            stays, cells.cell[level.chosen], self.first_free + np.cumsum(level.parts) - level.parts
        )
        self.first_free += int(level.parts.sum())
        self._add_level(cells, level.chosen, level.starts, level.scales, level.parts, first)
        frame = plan.counts_by(self._numbered(self.binning), self.survey.question)
        rows = self.table.collect(frame, "Splitting cells")
        column = columns_of(rows)
        smaller = self._cells(rows, column["cell_"], column["lowest"], column["highest"], again=True)
        return together(cells.chosen(~level.chosen), smaller)

    def _by_score(self, cells: CellTable, heavy: Mask) -> CellTable | None:
        assert self.binning is not None
        n = int(heavy.sum())
        one, none = np.ones(n, dtype=np.int64), np.zeros(n)
        self._add_level(cells, heavy, none, none, one, cells.cell[heavy])
        counted = plan.counts_by(self._numbered(self.binning), self.survey.question, by=("score_",))
        rows = self._collect(counted.head(self.most_cells + 1), "Counting scores")
        if rows.num_rows > self.most_cells:
            return None
        score = columns_of(rows)["score_"]
        numbers = self.first_free + np.arange(score.size)
        return self._cells(rows, numbers, score, score, again=True)

    def _add_level(
        self, cells: CellTable, chosen: Mask, starts: Any, scales: Any, parts: Any, first: Any
    ) -> None:
        """Rows of other cells fall out of every later pass."""
        import pyarrow as pa

        columns = {
            "cell_": cells.cell[chosen],
            "start_": starts,
            "scale_": scales,
            "last_": (parts - 1).astype(np.float64),
            "first_": first.astype(np.float64),
        }
        keys = self.survey.members.columns(cells.member[chosen])
        table = pa.table(keys | {name: pa.array(values) for name, values in columns.items()})
        self.levels.append(self.table.small(table))


def climb_of(table: Any, *arguments: Any) -> Climb:
    """The way up that an engine takes."""
    return (StreamClimb if table.streams else EngineClimb)(table, *arguments)
