"""The first look at a table, and the ladder.

Every distinct score, else the commoner class among the rarer, else cells, ever narrower. Rows that cannot be
counted are told, or left out and counted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsteady import _kernels
from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.counting import plan
from rocsteady.counting.cells import (
    Binning,
    CellTable,
    Tolerance,
    areas_of,
    binning_of,
    cells_of,
    largest,
    rate_half_widths,
    runs_of,
)
from rocsteady.counting.engines import EngineTable
from rocsteady.counting.plan import (
    BAD_WEIGHT,
    LARGEST_WEIGHT,
    MISSING_LABEL,
    MISSING_SCORE,
    NO_CLASS,
    ZERO_WEIGHT,
    Question,
)
from rocsteady.errors import fail, warn
from rocsteady.scores.columns import (
    NAMES,
    SMALLEST_WEIGHT,
    Cause,
    Dropped,
    Factor,
    Source,
    gathering_order,
    is_missing,
    no_rows,
    offsets_of,
    role_kind,
)
from rocsteady.scores.labels import Classes, classes_among, typed_labels, whole
from rocsteady.words import counted

_CAUSES = {
    MISSING_SCORE: Cause.NO_SCORE,
    MISSING_LABEL: Cause.NO_LABEL,
    BAD_WEIGHT: Cause.NO_WEIGHT,
    ZERO_WEIGHT: Cause.WEIGHT_ZERO,
}


class Faults(Counter[Cause]):
    """How many rows cannot be counted, and why."""

    def note(self, codes: NDArray[Any], rows: Integers, members: Integers, keys: Sequence[str]) -> None:
        """Note the rows of cells with negative numbers, and of no member."""
        found = {cause: rows[codes == code] for code, cause in _CAUSES.items()}
        found[Cause.NO_GROUP if "group_" in keys else Cause.NO_MODEL] = rows[(codes >= 0) & (members < 0)]
        self.update({cause: int(own.sum()) for cause, own in found.items() if own.any()})

    def settle(self, on_missing: str, source: Source, n_rows: int) -> Dropped:
        """What was left out; a coded error where rows lack a value and nobody said to drop them."""
        lacking = {cause: n for cause, n in self.items() if cause.role}
        if lacking and on_missing == "raise":
            cause, n = next(iter(lacking.items()))
            facts = {"n": n, "n_rows": n_rows, "column": source.column(cause.role), "place": source.place}
            if cause.role in NAMES:
                raise fail("RS035.counting", role=cause.role, **facts)
            if cause is Cause.NO_WEIGHT:
                raise fail("RS037.counting", **facts)
            raise fail("RS023.counting" if cause is Cause.NO_LABEL else "RS031.counting", **facts)
        if lacking:
            rows = ", ".join(f"{counted(n, 'row')} without a {cause.role}" for cause, n in lacking.items())
            warn("RS102", causes=rows, place=source.place, in_all=None, for_all_models=False, owner="")
        return Dropped(self.total(), {**lacking, **self})  # a weight of zero comes last


# Who the rows belong to: pairs of model and group, found in what an engine handed over
# -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MemberIndex:
    """The members of a table, models first, each in order."""

    keys: tuple[str, ...]  # of model_ and group_: which member a row belongs to
    values: tuple[tuple[Any, ...], ...]  # for every key its distinct values
    codes: Integers  # (n_members, n_keys): the place of its value among those of each key
    types: tuple[Any, ...]  # Arrow types of the keys, to write them down as they came

    def __len__(self) -> int:
        return int(self.codes.shape[0])

    def places(self, table: Any) -> Integers:
        """The member of every row of an Arrow table; -1 where a key is missing or unknown."""
        if not self.keys or not len(self):
            return np.full(table.num_rows, len(self) - 1, dtype=np.int64)
        own = np.empty((len(self.keys), table.num_rows), dtype=np.int64)
        for i, (key, known) in enumerate(zip(self.keys, self.values, strict=True)):
            codes, found = _coded(table.column(key))
            place = {value: k for k, value in enumerate(known)}
            own[i] = np.array([place.get(value, -1) for value in found] + [-1])[codes]
        sizes = tuple(map(len, self.values))
        combined = np.ravel_multi_index(tuple(self.codes.T), sizes)  # rises: members are in order
        whole = np.ravel_multi_index(tuple(own), sizes, mode="clip")
        place_of = np.searchsorted(combined, whole).clip(0, len(self) - 1)
        return np.where((own < 0).any(axis=0) | (combined[place_of] != whole), -1, place_of)

    def table(self, members: Integers, columns: dict[str, Any]) -> Any:
        """An Arrow table with the keys of these members, and columns with one entry for each."""
        import pyarrow as pa

        keys = {
            key: pa.array([known[code] for code in self.codes[members, i].tolist()], type=kind)
            for i, (key, known, kind) in enumerate(zip(self.keys, self.values, self.types, strict=True))
        }
        return pa.table(keys | {name: pa.array(values) for name, values in columns.items()})


def members_in(table: Any, keys: Sequence[str]) -> MemberIndex:
    """The members that have rows in an Arrow table of counts."""
    ordered = tuple(key for key in ("model_", "group_") if key in keys)
    if not ordered:
        return MemberIndex((), (), np.zeros((1, 0), dtype=np.int64), ())
    values, codes, types = [], [], []
    for key in ordered:
        own, found = _coded(table.column(key))
        order = in_order(found, np.unique(own[own >= 0]))
        rank = np.full(len(found) + 1, -1, dtype=np.int64)
        rank[order] = np.arange(order.size)
        values.append(tuple(found[i] for i in order))
        codes.append(rank[own])
        types.append(table.schema.field(key).type)
    pairs = np.stack(codes, axis=1)
    present = np.unique(pairs[(pairs >= 0).all(axis=1)], axis=0)
    return MemberIndex(ordered, tuple(values), present.reshape(-1, len(ordered)), tuple(types))


def _coded(column: Any) -> tuple[Integers, list[Any]]:
    """Codes of a column and its distinct values; -1 for null and NaN."""
    import pyarrow as pa

    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_nested(whole.type):
        raise fail("RS034.entry", kind=str(whole.type))
    encoded = whole if pa.types.is_dictionary(whole.type) else whole.dictionary_encode()
    listed = encoded.dictionary
    if pa.types.is_timestamp(listed.type) and listed.type.tz is not None:
        listed = listed.cast(pa.timestamp(listed.type.unit, "UTC"))  # an hour that comes twice a year is two
    values = listed.to_pylist()
    indices = encoded.indices.cast(pa.int64())  # those of categories have no sign
    codes = indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    first: dict[Any, int] = {}
    same = [-1 if is_missing(value) else first.setdefault(value, i) for i, value in enumerate(values)]
    return np.array([*same, -1], dtype=np.int64)[codes], values  # 0.0 and -0.0 are one group


def in_order(values: Sequence[Any], present: Integers) -> Integers:
    """Those that have rows: numbers by size, text by its letters; what cannot be compared by its spelling.

    A dictionary may hold more: categories that nobody belongs to, and in Polars those of all other columns.
    """
    kept = present.tolist()
    try:
        kept.sort(key=lambda i: values[i])
    except TypeError:
        kept.sort(key=lambda i: str(values[i]))
    return np.array(kept, dtype=np.int64)


# The first look at a table: which members it has, how many rows of each label, which labels are positive
# -------------------------------------------------------------------------------------------------------

_LOOKED_AT, _MOST_LABELS = 2000, 100


@dataclass(frozen=True, eq=False)
class Survey:
    """What a table holds."""

    question: Question  # to ask of it from now on
    members: MemberIndex
    n_positives: Integers  # of every member, unusable scores included
    n_negatives: Integers
    n_rows: int
    classes: Classes

    def columns(self, **columns: Any) -> Any:
        """The members as an Arrow table: their keys, ``member_``, and columns with one entry for each."""
        members = np.arange(len(self.members))
        return self.members.table(members, {"member_": members, **columns})


def surveyed(table: EngineTable, roles: tuple[str, ...], positive: object) -> Survey:
    """Look at labels and members; RS020 to RS022 if the labels do not say which rows are positive."""
    import pyarrow as pa

    keys = tuple(f"{role}_" for role in ("model", "group") if role in roles)
    source = Source(table.source.name, table.source.columns, text_labels=table.source.text_labels)
    head = table.collect(table.frame().select("label_").head(_LOOKED_AT), "Looking at the first rows")
    present = head.column("label_").drop_null().value_counts().to_pylist()
    if len(present) > _MOST_LABELS:  # names or numbers taken for labels are refused before they are counted
        rows = np.array([own["counts"] for own in present], dtype=np.int64)
        factor = Factor(np.arange(rows.size), tuple(own["values"] for own in present), rows)
        classes_among(factor, positive, source)
    found = table.collect(plan.labels(table.frame().select("label_", *keys), keys), "Counting labels")
    rows = found.column("rows").to_numpy() if found.num_rows else np.zeros(0, dtype=np.int64)
    n_rows = int(rows.sum())
    if n_rows == 0:
        raise no_rows(source)
    listed = found.column("label_").to_pylist()
    spelled = sorted((value for value in dict.fromkeys(listed) if not is_missing(value)), key=str)
    if not spelled:
        raise fail("RS023.all", n=n_rows, column=source.column("label"), place=source.place)
    place_of = {value: i for i, value in enumerate(spelled)}
    label = np.array([place_of.get(value, -1) for value in listed], dtype=np.int64)
    counts = np.bincount(label[label >= 0], rows[label >= 0], len(spelled)).astype(np.int64)
    values = list(map(whole, spelled))
    if source.text_labels and all(isinstance(value, str) for value in spelled):
        values = list(typed_labels(spelled))
    factor = Factor(np.arange(len(values)), tuple(values), counts)
    is_positive, classes = classes_among(factor, positive, source)
    positives = tuple(value for value, yes in zip(spelled, is_positive, strict=True) if yes)
    members = members_in(found, keys)
    place = members.places(found)
    side = np.append(np.asarray(is_positive, dtype=np.int64), -1)[label]
    of_class = [(side == own) & (place >= 0) for own in (1, 0)]
    n_positives, n_negatives = (
        np.bincount(place[own], rows[own], len(members)).astype(np.int64) for own in of_class
    )
    question = Question(
        keys=members.keys,
        positives=positives,
        is_weighted="weight" in roles,
        float_labels=pa.types.is_floating(found.schema.field("label_").type),
    )
    return Survey(question, members, n_positives, n_negatives, n_rows, classes)


# How cells are split
# -------------------

_MARGIN = 0.7
"""Scores are not spread evenly within a cell: aim below what is asked."""


@dataclass(frozen=True, eq=False)
class Level:
    """How cells are split: part ``floor((score - start) * scale)`` of so many; one part is left as it is."""

    chosen: Mask  # which cells of the table; what follows is of each of them
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


def _parts_wanted(cells: CellTable, tolerance: Tolerance) -> Floats:
    """Into how many cells each is to be split, 1 where it may stay."""
    mixed, parts = cells.is_mixed, np.ones(len(cells))
    of_positives, of_negatives = (
        np.where(mixed, counts / np.maximum(totals.astype(np.float64), 1e-300)[cells.member], 0.0)
        for counts, totals in ((cells.positives, cells.n_positives), (cells.negatives, cells.n_negatives))
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


class Batch(NamedTuple):
    """Usable rows: scores, members, classes (1 and 0) and, if rows have them, weights."""

    scores: Floats
    members: Integers
    classes: NDArray[np.int8]
    weights: Floats | None

    def taken(self, rows: Any) -> Batch:
        """Some of the rows, or all in another order."""
        return Batch(*(None if own is None else own[rows] for own in self))  # type: ignore[arg-type]


def batch_of(arrow: Any, faults: Faults, keys: Sequence[str] = ()) -> Batch:
    """The usable rows of a record batch (member_, class_, score_, maybe weight_); others are noted."""

    def numbers(name: str, missing: Any, kind: Any) -> Any:
        column = arrow.column(name)
        if column.null_count:
            column = column.fill_null(missing)
        return np.ascontiguousarray(column.to_numpy(zero_copy_only=False), dtype=kind)

    scores = numbers("score_", np.nan, np.float64) + 0.0
    members = numbers("member_", -1, np.int64)
    classes = numbers("class_", NO_CLASS, np.int8)
    weights = numbers("weight_", np.nan, np.float64) if "weight_" in arrow.schema.names else None
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


class Slots:
    """What was counted in slots: positives, negatives, lowest and highest score (see ``add_to_slots``)."""

    def __init__(self, n: int, *, is_weighted: bool) -> None:
        self.sums = np.tile(np.array([0.0, 0.0, np.inf, -np.inf]), (n, 1))
        # Weights do not tell how many rows there are.
        self.rows = np.zeros(n, dtype=np.int64) if is_weighted else None

    def add(self, slots: Integers, batch: Batch) -> None:
        """Count the rows of a batch."""
        _kernels.kernels.add_to_slots(slots, batch.classes, batch.scores, batch.weights, self.sums)
        if self.rows is not None:
            self.rows[:] += np.bincount(slots, minlength=self.rows.size)

    def columns(self, slots: Integers) -> tuple[Any, ...]:
        """Counts, rows and ends of some slots; whole numbers below 2**53 are exact as floats."""
        positives, negatives = self.sums[slots, 0], self.sums[slots, 1]
        ends = self.sums[slots, 2], self.sums[slots, 3]
        if self.rows is not None:
            return positives, negatives, self.rows[slots], *ends
        positives, negatives = positives.astype(np.int64), negatives.astype(np.int64)
        return positives, negatives, positives + negatives, *ends


class CellTree:
    """The cells of all members, and those that some of them were split into; leaves are counted."""

    def __init__(self, binning: Binning, n_members: int, *, is_weighted: bool) -> None:
        self.binning, self.n_members, self.is_weighted = binning, n_members, is_weighted
        # Start, scale, first part and number of parts of every slot: cells, then their parts.
        self.nodes = np.zeros((n_members * binning.n_cells, 4))

    def split(self, slots: Integers, level: Level) -> None:
        """Give parts to these leaves."""
        more = level.parts > 1
        slots, parts = slots[more], level.parts[more]
        first = len(self.nodes) + np.cumsum(parts) - parts
        self.nodes[slots] = np.stack([level.starts[more], level.scales[more], first, parts], axis=1)
        self.nodes = np.concatenate([self.nodes, np.zeros((int(parts.sum()), 4))])

    def slots(self, batch: Batch) -> Integers:
        """The leaf of every row."""
        found: Integers = _kernels.kernels.cell_slots(
            batch.scores, batch.members, *self.binning.arrays, self.binning.n_cells, self.nodes
        )
        return found

    def count(self, batches: Iterator[Batch]) -> CellTable:
        """The cells of all leaves that have rows; their numbers are those of the slots."""
        found = Slots(len(self.nodes), is_weighted=self.is_weighted)
        for batch in batches:
            found.add(self.slots(batch), batch)
        members = np.arange(len(self.nodes)) // self.binning.n_cells
        for slot in np.flatnonzero(self.nodes[:, 3]):  # a cell comes before its parts
            first, n = self.nodes[slot, 2:].astype(np.int64)
            members[first : first + n] = members[slot]
        used = np.flatnonzero(found.sums[:, 0] + found.sums[:, 1])
        return cells_of(members[used], self.n_members, used, *found.columns(used))

    def by_score(self, heavy: Integers, batches: Iterator[Batch], most: int) -> CellTable | None:
        """Every distinct score of some leaves as a cell of its own; None if there are more than so many."""
        is_heavy = np.zeros(len(self.nodes), dtype=np.bool_)
        is_heavy[heavy] = True
        member, scores = np.empty(0, dtype=np.int64), np.empty(0)
        sums = np.empty((0, 3))  # of positives, negatives and rows; exact as floats without weights
        for batch in batches:
            own = batch.taken(is_heavy[self.slots(batch)])
            one = np.ones(own.scores.size)
            worth = one if own.weights is None else own.weights
            of_positives = np.where(own.classes == 1, worth, 0.0)
            new = np.stack([of_positives, worth - of_positives, one], axis=1)
            member = np.concatenate([member, own.members])
            scores = np.concatenate([scores, own.scores])
            sums = np.concatenate([sums, new])
            order, starts = runs_of(member, scores)
            if starts.size > most:
                return None
            sums = np.add.reduceat(sums[order], starts)
            member, scores = member[order][starts], scores[order][starts]
        kind: Any = np.float64 if self.is_weighted else np.int64
        counts = sums[:, 0].astype(kind), sums[:, 1].astype(kind), sums[:, 2].astype(np.int64)
        numbers = np.arange(scores.size) + len(self.nodes)
        return cells_of(member, self.n_members, numbers, *counts, scores, scores.copy())


# Anchored counting: every row of the commoner class is placed among its group's rows of the rarer class
# ------------------------------------------------------------------------------------------------------

BYTES_PER_ANCHOR = 200
"""Memory of one row of the rarer class: its score, its two slots, and these once more as cells."""


class Anchors:
    """Distinct scores of the rarer class of every member, rising, from its rows in any order."""

    def __init__(self, member: Integers, scores: Floats, weights: Floats | None, are_positive: Mask) -> None:
        order, starts = runs_of(member, scores)
        self.scores = np.ascontiguousarray(scores[order][starts])
        self.rows = np.diff(np.append(starts, scores.size))  # with this score
        self.weights = None if weights is None else np.add.reduceat(weights[order], starts)
        self.offsets = offsets_of(np.bincount(member[order][starts], minlength=are_positive.size))
        self.are_positive = are_positive  # for each member, whether its positives are the rarer class

    def _empty(self) -> Slots:
        """Two for each anchor, and one more for each member."""
        return Slots(2 * self.scores.size + self.are_positive.size, is_weighted=self.weights is not None)

    def __call__(self, batches: Iterator[Any]) -> Any:
        """Place the rows of record batches; slots in use, as an Arrow table. This is what workers do."""
        import pyarrow as pa

        placed = self.placed(batch_of(arrow, Faults()) for arrow in batches)
        used = np.flatnonzero(placed.sums[:, 1])
        _, _, rows, lowest, highest = placed.columns(used)
        weight = placed.sums[used, 1]
        return pa.table({"slot_": used, "rows": rows, "weight": weight, "lowest": lowest, "highest": highest})

    def placed(self, batches: Iterator[Batch]) -> Slots:
        """Place those rows that are of the commoner class of their member."""
        found, rarer = self._empty(), self.are_positive.astype(np.int8)
        for batch in batches:
            own = batch.taken(batch.classes != rarer[batch.members])
            # The rows of each member together: what they are counted in then stays at hand.
            order = gathering_order(own.members, self.are_positive.size)
            own = own if order is None else own.taken(order)
            slots = _kernels.kernels.anchor_slots(own.scores, own.members, self.scores, self.offsets)
            found.add(slots, own._replace(classes=np.zeros_like(own.classes)))
        return found

    def joined(self, parts: list[Any]) -> Slots:
        """What several workers placed, as one."""
        found = self._empty()
        for part in parts:
            column = {name: part.column(name).to_numpy() for name in part.schema.names}
            slot = column["slot_"]
            found.sums[slot, 1] += column["weight"]
            found.sums[slot, 2] = np.minimum(found.sums[slot, 2], column["lowest"])
            found.sums[slot, 3] = np.maximum(found.sums[slot, 3], column["highest"])
            if found.rows is not None:
                found.rows[slot] += column["rows"]
        return found

    def cells(self, placed: Slots) -> CellTable:
        """The cells of anchors and of the rows that were placed among them, which are used up by it."""
        sums, n_slots = placed.sums, 2 * np.diff(self.offsets) + 1
        member = np.repeat(np.arange(n_slots.size), n_slots)
        stops = np.cumsum(n_slots)
        inside = np.arange(member.size) - (stops - n_slots)[member]
        on_anchor = np.flatnonzero(inside % 2)
        sums[on_anchor, 0] = self.rows if self.weights is None else self.weights
        sums[on_anchor, 2] = sums[on_anchor, 3] = self.scores
        if placed.rows is not None:
            placed.rows[on_anchor] += self.rows
        # Slots rise with the scores of their member; cells fall.
        order = (stops - 1)[member] - inside
        used = (sums[:, 0] + sums[:, 1])[order] > 0
        order, member = order[used], member[used]
        rare, common, rows, lowest, highest = placed.columns(order)
        is_positive = self.are_positive[member]
        positives, negatives = np.where(is_positive, rare, common), np.where(is_positive, common, rare)
        counts = np.bincount(member, minlength=n_slots.size)
        return CellTable(order, positives, negatives, rows, lowest, highest, offsets_of(counts))


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
    cell_limit: int | None = None
    faults: Faults = field(default_factory=Faults)
    rung: str = ""
    n_passes: int = 1
    is_split: bool = False
    ends: tuple[float, float] = (np.inf, -np.inf)
    _has_noted: bool = False  # faults are noted in the first pass that counts, and only then

    @property
    def most_cells(self) -> int:
        """Cells that fit the memory, or as few as were asked for."""
        fitting = self.memory // BYTES_PER_CELL
        return fitting if self.cell_limit is None else min(fitting, self.cell_limit)

    def count(self) -> CellTable:
        """The cells, exact if that was asked or costs nothing, else within the tolerance if that can be.

        Unless cells were split they are numbered alike in every member and on every day.
        """
        found, survey, tolerance = None, self.survey, self.tolerance
        n_rarer = int(np.minimum(survey.n_positives, survey.n_negatives).sum())
        if self.binning is not None:
            pass
        elif survey.n_rows <= self.most_cells:
            found = self._distinct(survey.n_rows)
        elif (
            tolerance.is_asked
            and n_rarer * BYTES_PER_ANCHOR <= self.memory
            and (tolerance.is_exact or n_rarer <= _MOST_ANCHORS * len(survey.members))
        ):
            found = self._anchored()
        elif np.unique(self._sample[1]).size <= min(_FEW_DISTINCT, self._sample[1].size // 4):
            found = self._distinct(self.most_cells)
        if found is None:
            found = self._in_cells()
        self._check(found)
        if self.is_split:
            self.binning = None
        return found if self.binning is None else replace(found, cell=found.cell % self.binning.n_cells)

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
        # An engine may trust a footer and not look for NaN.
        fault[(fault == 0) & np.isnan(score)] = MISSING_SCORE
        return self._cells(found, fault, score, score)

    def _anchored(self) -> CellTable:
        survey = self.survey
        are_positive = survey.n_positives <= survey.n_negatives
        members = self.table.small(survey.columns(rarer_=are_positive.astype(np.int64)))
        rows = plan.of_rarer_class(self._rows(), survey.question, members)
        rare = columns_of(self._collect(rows, "Reading the rarer class"))
        known = ~np.isnan(rare["score_"])  # an engine may trust a footer and not look for NaN
        rare = {name: values[known] for name, values in rare.items()}
        scores = rare["score_"] + 0.0  # once more: Polars takes adding nothing for nothing, and -0.0 stays
        anchors = Anchors(rare["member_"], scores, rare.get("weight_"), are_positive)
        del rare
        self.rung = "anchored"
        cells = anchors.cells(self._placed(anchors))
        self._widen(cells.lowest, cells.highest)
        return cells

    @abstractmethod
    def _placed(self, anchors: Anchors) -> Slots:
        """Place the rows of the commoner classes, and note faults."""

    # -- in cells ----------------------------------------------------------------------------------------

    def _in_cells(self) -> CellTable:
        self.rung, n_members = "cells", len(self.survey.members)
        if self.binning is None:
            is_positive, scores = self._sample
            usual = CELLS_OF_ALL if n_members == 1 else CELLS_OF_A_GROUP
            n_cells = int(np.clip(self.most_cells // max(n_members, 1), 64, usual))
            self.binning = binning_of(scores[is_positive], scores[~is_positive], n_cells)
        elif self.binning.n_cells * n_members * _BYTES_PER_SLOT > 2 * self.memory:
            # Cells that were made for few groups are asked for of many.
            raise fail("RS400.like", n_cells=self.binning.n_cells, n_groups=n_members)
        cells = self._counted(self.binning)
        for _ in range(_MOST_SPLITS):
            if self._is_met(cells):
                return cells
            level = next_level(cells, self.tolerance, self.most_cells)
            if level is None:
                break
            self.is_split = True
            cells = self._split(cells, level)
        if not self._is_met(cells):
            heavy = np.asarray(cells.is_mixed & (_parts_wanted(cells, self.tolerance) > 1))
            finished = self._by_score(cells, heavy) if heavy.any() else None
            if finished is not None:
                self.is_split = True
                cells = cells.chosen(~heavy).beside(finished)
        return cells

    @abstractmethod
    def _counted(self, binning: Binning) -> CellTable:
        """The cells of a binning, and note faults."""

    @abstractmethod
    def _split(self, cells: CellTable, level: Level) -> CellTable:
        """All cells, after some were split."""

    @abstractmethod
    def _by_score(self, cells: CellTable, heavy: Mask) -> CellTable | None:
        """Every score of some cells as a cell of its own; None where there are too many."""

    def _is_met(self, cells: CellTable) -> bool:
        if not self.tolerance.is_asked:
            return True
        return self.tolerance.is_met(largest(areas_of(cells).half), largest(rate_half_widths(cells)))

    # -- common ------------------------------------------------------------------------------------------

    @cached_property
    def _sample(self) -> tuple[Any, Any]:
        """Whether each row of a sample is positive, and its score."""
        rows = self.table.sample(f"{self.score}_", self.survey.n_rows)
        wanted = set(self.survey.question.positives)
        is_positive = np.array([own in wanted for own in rows.column("label_").to_pylist()], dtype=np.bool_)
        # Unsafe: integers that floats cannot tell apart are told later, with a code.
        scores = rows.column("score_").cast("float64", safe=False).fill_null(np.nan).to_numpy() + 0.0
        usable = ~np.isnan(scores)
        return is_positive[usable], scores[usable]

    def _rows(self) -> Any:
        roles = [role for role in self.table.source.columns if role_kind(role) == "score"]
        others = [f"{role}_" for role in roles if role != self.score]
        return plan.rows_of(self.table.frame(), self.survey.question, f"{self.score}_", others)

    def _streamed(self) -> Any:
        """All rows with their members, to be counted one by one; a pass."""
        self.n_passes += 1
        question = self.survey.question
        members = self.table.small(self.survey.columns()) if question.keys else None
        return plan.streamed(self._rows(), question, members)

    def _collect(self, frame: Any, what: str) -> Any:
        self.n_passes += 1
        return self.table.collect(frame, what)

    def _cells(self, rows: Any, number: Any, lowest: Any, highest: Any) -> CellTable:
        """The cells in what an engine counted."""
        survey, column = self.survey, columns_of(rows)
        place = survey.members.places(rows)
        if not self._has_noted:
            self._has_noted = True
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
        """RS401 to RS403: what was counted must be what is there, in every pass, and be told apart."""
        survey, table, (low, high) = self.survey, self.table, self.ends
        n_counted, n_expected = int(cells.rows.sum()), survey.n_rows - self.faults.total()
        if n_counted != n_expected:
            raise fail("RS402.rows", engine=table.engine, n=n_counted, expected=n_expected)
        more = (cells.n_positives > survey.n_positives) | (cells.n_negatives > survey.n_negatives)
        if more.any() and not survey.question.is_weighted:
            raise fail("RS402.classes", engine=table.engine, n_groups=int(more.sum()))
        table.check(self.score, self.ends, survey.n_rows, are_all=not self.faults)
        scale = table.integers.get(self.score)
        if scale is not None and max(abs(low), abs(high)) * 10.0**scale >= _LARGEST_INTEGER:
            column, kind = table.source.column(self.score), "decimals" if scale else "integers"
            raise fail("RS403", column=column, kind=kind, low=low, high=high)


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

    tree: CellTree = field(init=False)

    def _batches(self, what: str) -> Iterator[Batch]:
        """The usable rows."""
        n_rows = self.survey.n_rows
        faults = Faults() if self._has_noted else self.faults
        self._has_noted = True
        n_seen = 0
        for arrow in self.table.stream(self._streamed()):
            n_seen += arrow.num_rows
            self.table.tell(what, min(n_seen / max(n_rows, 1), 1.0))
            yield batch_of(arrow, faults, self.survey.question.keys)

    def _placed(self, anchors: Anchors) -> Slots:
        return anchors.placed(self._batches("Placing the commoner class"))

    def _counted(self, binning: Binning) -> CellTable:
        survey = self.survey
        self.tree = CellTree(binning, len(survey.members), is_weighted=survey.question.is_weighted)
        cells = self.tree.count(self._batches("Counting cells"))
        self._widen(cells.lowest, cells.highest)
        return cells

    def _split(self, cells: CellTable, level: Level) -> CellTable:
        self.tree.split(cells.cell[level.chosen], level)
        return self.tree.count(self._batches("Splitting cells"))

    def _by_score(self, cells: CellTable, heavy: Mask) -> CellTable | None:
        return self.tree.by_score(cells.cell[heavy], self._batches("Counting scores"), self.most_cells)


@dataclass
class EngineClimb(Climb):
    """The engine groups and adds; what comes back has a row for each cell."""

    levels: list[Any] = field(default_factory=list)
    first_free: int = 0

    def _placed(self, anchors: Anchors) -> Slots:
        survey, question = self.survey, self.survey.question
        faults = plan.counts_by(plan.coded(self._rows(), question), question, by=("fault_", "positive_"))
        found = self._collect(faults, "Looking for gaps")
        column = columns_of(found)
        self.faults.note(column["fault_"], column["rows"], survey.members.places(found), question.keys)
        return anchors.joined(self.table.place(self._streamed(), anchors))

    def _numbered(self) -> Any:
        assert self.binning is not None
        frame = plan.numbered(plan.coded(self._rows(), self.survey.question), self.binning)
        for level in self.levels:
            frame = plan.split(frame, level, self.survey.question.keys)
        return frame

    def _leaves(self, what: str) -> CellTable:
        rows = self._collect(plan.counts_by(self._numbered(), self.survey.question), what)
        column = columns_of(rows)
        return self._cells(rows, column["cell_"], column["lowest"], column["highest"])

    def _counted(self, binning: Binning) -> CellTable:
        self.first_free = binning.n_cells
        return self._leaves("Counting cells")

    def _split(self, cells: CellTable, level: Level) -> CellTable:
        own, fresh = cells.cell[level.chosen], self.first_free + np.cumsum(level.parts) - level.parts
        self.first_free += int(level.parts.sum())
        self._add_level(cells, level, np.where(level.parts == 1, own, fresh))
        return cells.chosen(~level.chosen).beside(self._leaves("Splitting cells"))

    def _by_score(self, cells: CellTable, heavy: Mask) -> CellTable | None:
        none = np.zeros(int(heavy.sum()))
        level = Level(heavy, none, none, np.ones(none.size, dtype=np.int64))
        self._add_level(cells, level, cells.cell[heavy])
        rows = plan.counts_by(self._numbered(), self.survey.question, by=("score_",))
        found = self._collect(rows.head(self.most_cells + 1), "Counting scores")
        if found.num_rows > self.most_cells:
            return None
        score = columns_of(found)["score_"]
        return self._cells(found, self.first_free + np.arange(score.size), score, score)

    def _add_level(self, cells: CellTable, level: Level, first: Integers) -> None:
        """Rows of other cells fall out of every later pass."""
        columns = {
            "cell_": cells.cell[level.chosen],
            "start_": level.starts,
            "scale_": level.scales,
            "last_": (level.parts - 1).astype(np.float64),
            "first_": first.astype(np.float64),
        }
        table = self.survey.members.table(cells.member[level.chosen], columns)
        self.levels.append(self.table.small(table))
