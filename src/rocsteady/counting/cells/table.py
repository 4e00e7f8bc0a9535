"""The cell table: rows of a group whose scores lie between two values, counted together.

A cell knows its smallest and its largest score, so whatever computed its number does not matter: what is
certain about the curve follows from the counts and these two. Cells merge by addition. Those of one group may
overlap; that costs certainty, never correctness.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.table import CountTable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Counts = NDArray[Any]  # int64, or float64 sums of weights
Mask = NDArray[np.bool_]

_COLUMNS = ("cell", "positives", "negatives", "rows", "lowest", "highest")


@dataclass(frozen=True, eq=False)
class CellTable:
    """Cells of many members (groups, or pairs of model and group), those of highest scores first.

    Attributes
    ----------
    cell : int64 array
        A number that is its own within the member; it has no other meaning.
    positives, negatives : int64 arrays (float64 sums of weights)
        Cases of each class.
    rows : int64 array
        Rows of the table; the sum of both classes unless rows have weights.
    lowest, highest : float64 arrays
        The scores in the cell run from one to the other; where they are equal all rows are tied.
    offsets : int64 array
        Member ``m`` owns the cells ``offsets[m]:offsets[m + 1]``.
    """

    cell: Integers
    positives: Counts
    negatives: Counts
    rows: Integers
    lowest: Floats
    highest: Floats
    offsets: Integers

    def __len__(self) -> int:
        return int(self.cell.size)

    @property
    def n_members(self) -> int:
        """Groups, or pairs of model and group."""
        return int(self.offsets.size - 1)

    @property
    def is_weighted(self) -> bool:
        """Whether the counts are sums of weights."""
        return self.positives.dtype.kind == "f"

    @cached_property
    def member(self) -> Integers:
        """The member of every cell."""
        return np.repeat(np.arange(self.n_members), np.diff(self.offsets))

    @cached_property
    def is_tied(self) -> Mask:
        """Cells whose rows all have one score."""
        return np.asarray(self.lowest == self.highest)

    @cached_property
    def is_mixed(self) -> Mask:
        """Cells that hold both classes in an order that is not known."""
        return ~self.is_tied & (self.positives > 0) & (self.negatives > 0)

    @cached_property
    def n_positives(self) -> Counts:
        """Positives of every member."""
        return self.sums(self.positives)

    @cached_property
    def n_negatives(self) -> Counts:
        """Negatives of every member."""
        return self.sums(self.negatives)

    @cached_property
    def n_rows(self) -> Integers:
        """Rows of every member."""
        return self.sums(self.rows)

    def sums(self, values: Counts) -> Counts:
        """The sum over the cells of every member; 0 for a member without cells."""
        found = np.zeros(self.n_members, dtype=values.dtype)
        has_cells = np.diff(self.offsets) > 0
        if has_cells.any():  # reduceat gives nonsense for empty members, so it sees only the others
            found[has_cells] = np.add.reduceat(values, self.offsets[:-1][has_cells])
        return found

    @cached_property
    def are_apart(self) -> bool:
        """Whether no two cells of a member overlap or touch."""
        same = self.member[1:] == self.member[:-1]
        return bool((self.highest[1:][same] < self.lowest[:-1][same]).all())

    def of_members(self, start: int, stop: int) -> CellTable:
        """The cells of the members ``start:stop``, as views."""
        first, last = int(self.offsets[start]), int(self.offsets[stop])
        columns = {name: getattr(self, name)[first:last] for name in _COLUMNS}
        return CellTable(**columns, offsets=self.offsets[start : stop + 1] - first)

    def chosen(self, cells: Mask) -> CellTable:
        """Some of the cells; a member may be left with none."""
        columns = {name: getattr(self, name)[cells] for name in _COLUMNS}
        counts = np.bincount(self.member[cells], minlength=self.n_members)
        return CellTable(**columns, offsets=_offsets(counts))

    def with_members(self, members: Integers) -> CellTable:
        """The same cells, member ``m`` called ``members[m]``; no two may get one name."""
        columns = [getattr(self, name) for name in _COLUMNS]
        return cells_of(members[self.member], self.n_members, *columns)

    def spread(self) -> CellTable:
        """The same counts, the rows of cells of one class half at each end, an odd one between the two.

        Curves of single members stay as they are. At a threshold inside such a cell half of its rows are
        counted then, which no truth is further from than by the other half.
        """
        whole = self.is_tied | self.is_mixed
        if whole.all():
            return self
        kept, wide = self.chosen(whole), self.chosen(~whole)
        half, odd = wide._divided(2)
        with np.errstate(invalid="ignore"):
            between = wide.lowest / 2 + wide.highest / 2
        between = np.where(np.isnan(between), wide.lowest, between)  # two infinities have no middle
        parts = [(half, wide.highest), (odd, between), (half, wide.lowest)]
        columns: list[tuple[Any, ...]] = [
            (kept.cell, kept.positives, kept.negatives, kept.rows, kept.lowest, kept.highest)
        ]
        columns += [(wide.cell, *counts, at, at) for counts, at in parts]
        member = np.concatenate([kept.member, *[wide.member] * len(parts)])
        return cells_of(
            member,
            self.n_members,
            *(np.concatenate([own[i] for own in columns]) for i in range(len(_COLUMNS))),
        )

    def _divided(self, n: int) -> tuple[tuple[Counts, ...], tuple[Counts, ...]]:
        """Counts and rows of an n-th part of every cell, and what is left over; weights leave nothing."""
        both: tuple[Counts, ...] = (self.positives, self.negatives)
        if self.is_weighted:
            return (*(own / n for own in both), self.rows // n), (*both, np.zeros_like(self.rows))
        both = (*both, self.rows)
        return tuple(own // n for own in both), tuple(own % n for own in both)

    def reversed(self) -> CellTable:
        """The same rows with all scores negated: for scores that are low where the class is positive."""
        return cells_of(
            self.member, self.n_members, self.cell, self.positives, self.negatives, self.rows,
            0.0 - self.highest, 0.0 - self.lowest,
        )  # fmt: skip


def cells_of(
    member: Integers,
    n_members: int,
    cell: Integers,
    positives: Counts,
    negatives: Counts,
    rows: Integers,
    lowest: Floats,
    highest: Floats,
) -> CellTable:
    """A table from cells in any order; cells of no row are left out."""
    order = np.lexsort((-highest, -lowest, member))
    order = order[rows[order] > 0]
    counts = np.bincount(member[order], minlength=n_members)
    columns = (cell, positives, negatives, rows, lowest, highest)
    sorted_columns = {
        name: np.ascontiguousarray(column[order]) for name, column in zip(_COLUMNS, columns, strict=True)
    }
    return CellTable(**sorted_columns, offsets=_offsets(counts))


def joined(
    tables: Sequence[CellTable], members: Sequence[Integers], n_members: int, *, by_number: bool
) -> CellTable:
    """All cells of several tables as one; ``members`` says who the members of each table are in it.

    Where numbers mean the same in all tables (``by_number``), cells of one number become one. Else only ties
    of one score do, and all other cells stay as they are.
    """
    columns = {name: np.concatenate([getattr(table, name) for table in tables]) for name in _COLUMNS}
    member = np.concatenate([own[table.member] for table, own in zip(tables, members, strict=True)])
    is_one = np.ones(member.size, dtype=np.bool_) if by_number else columns["lowest"] == columns["highest"]
    key = columns["cell"] if by_number else columns["lowest"]
    one = _added(member[is_one], key[is_one], {name: own[is_one] for name, own in columns.items()})
    left = {name: own[~is_one] for name, own in columns.items()}
    columns = {name: np.concatenate([one[1][name], left[name]]) for name in _COLUMNS}
    if not by_number:
        columns["cell"] = np.arange(columns["cell"].size)
    return cells_of(np.concatenate([one[0], member[~is_one]]), n_members, **columns)


def _added(member: Integers, key: Any, columns: dict[str, Any]) -> tuple[Integers, dict[str, Any]]:
    """Cells of the same member and key as one."""
    order = np.lexsort((key, member))
    member, key = member[order], key[order]
    is_new = np.append(True, (member[1:] != member[:-1]) | (key[1:] != key[:-1]))[: member.size]
    starts = np.flatnonzero(is_new)
    reduced = {"lowest": np.minimum, "highest": np.maximum, "cell": np.minimum}
    added = {
        name: reduced.get(name, np.add).reduceat(own[order], starts) if starts.size else own[order]
        for name, own in columns.items()
    }
    return member[starts], added


def from_counts(table: CountTable, rows: Integers | None = None) -> CellTable:
    """The cells of exact counts: every distinct score is one.

    Sums of weights do not tell how many rows have a score; ``rows`` does, one entry for each.
    """
    first = np.zeros(table.thresholds.size, dtype=np.bool_)
    first[table.offsets[:-1]] = True
    member = np.repeat(np.arange(len(table)), np.diff(table.offsets))[~first]
    positives, negatives = (
        np.diff(counts, prepend=counts[:1])[~first]
        for counts in (table.true_positives, table.false_positives)
    )
    scores = table.thresholds[~first]
    if rows is None:
        rows = (positives + negatives).astype(np.int64)
    return cells_of(
        member, len(table), np.arange(scores.size), positives, negatives, rows, scores, scores.copy()
    )


def _offsets(counts: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
