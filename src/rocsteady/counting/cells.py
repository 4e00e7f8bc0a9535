"""Cells: rows of a group whose scores lie between two values, counted together.

And all that is certain because of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from rocsteady.arrays import Counts, Floats, Indices, Integers, Mask
from rocsteady.counting.table import CountTable
from rocsteady.errors import fail
from rocsteady.scores.columns import offsets_of, rows_of, sums_of

COLUMNS = ("cell", "positives", "negatives", "rows", "lowest", "highest")


@dataclass(frozen=True, eq=False)
class CellTable:
    """Cells of many members (groups, or pairs of model and group), those of highest scores first."""

    cell: Integers  # a number that is its own within the member; it has no other meaning
    positives: Counts  # cases of each class, or sums of their weights
    negatives: Counts
    rows: Integers  # of the table; the sum of both classes unless rows have weights
    lowest: Floats  # the scores in the cell run from one to the other; where they are equal all rows are tied
    highest: Floats
    offsets: Integers  # member m owns the cells offsets[m]:offsets[m + 1]

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
        return sums_of(values, self.offsets)

    @cached_property
    def are_apart(self) -> bool:
        """Whether no two cells of a member overlap or touch."""
        same = self.member[1:] == self.member[:-1]
        return bool((self.highest[1:][same] < self.lowest[:-1][same]).all())

    def keep(self, members: Any) -> CellTable:
        """The cells of some members: of a mask, a slice, or by their numbers; the same table if of all."""
        chosen = np.arange(self.n_members)[members]
        if np.array_equal(chosen, np.arange(self.n_members)):
            return self
        rows, offsets = rows_of(self.offsets, chosen)
        return _table_of((own[rows] for own in self._columns[1:]), offsets)

    def chosen(self, cells: Mask) -> CellTable:
        """Some of the cells; a member may be left with none."""
        member, *columns = (own[cells] for own in self._columns)
        return _table_of(columns, offsets_of(np.bincount(member, minlength=self.n_members)))

    @property
    def _columns(self) -> tuple[Any, ...]:
        """The member of every cell, and its other columns, as ``stacked`` takes them."""
        return self.member, *(getattr(self, name) for name in COLUMNS)

    def with_members(self, members: Integers) -> CellTable:
        """The same cells, member ``m`` called ``members[m]``; no two may get one name."""
        return _stacked([(members[self.member], *self._columns[1:])], self.n_members)

    def beside(self, other: CellTable) -> CellTable:
        """The cells of both tables, which have the same members."""
        return _stacked([self._columns, other._columns], self.n_members)

    def reversed(self) -> CellTable:
        """The same rows with all scores negated: for scores that are low where the class is positive."""
        *others, lowest, highest = self._columns
        return _stacked([(*others, 0.0 - highest, 0.0 - lowest)], self.n_members)

    def spread(self) -> CellTable:
        """The same counts, the rows of cells of one class half at each end, an odd one between the two.

        Curves of single members stay as they are. At a threshold inside such a cell half of its rows are
        counted then, which no truth is further from than by the other half.
        """
        whole = self.is_tied | self.is_mixed
        if whole.all():
            return self
        wide = self.chosen(~whole)
        counts = [wide.positives, wide.negatives, wide.rows]
        half, odd = ([own // 2 for own in counts], [own % 2 for own in counts])
        if self.is_weighted:  # weights leave nothing over
            half[:2], odd[2] = [own / 2 for own in counts[:2]], np.zeros_like(wide.rows)
        with np.errstate(invalid="ignore"):
            between = wide.lowest / 2 + wide.highest / 2
        between = np.where(np.isnan(between), wide.lowest, between)  # two infinities have no middle
        parts = [(half, wide.highest), (odd, between), (half, wide.lowest)]
        split = [(wide.member, wide.cell, *counts, at, at) for counts, at in parts]
        return _stacked([self.chosen(whole)._columns, *split], self.n_members)


def _table_of(columns: Iterable[Any], offsets: Integers) -> CellTable:
    return CellTable(**dict(zip(COLUMNS, columns, strict=True)), offsets=offsets)


def _stacked(parts: Sequence[tuple[Any, ...]], n_members: int) -> CellTable:
    """One table from parts that have members and columns."""
    member, *columns = (np.concatenate(own) for own in zip(*parts, strict=True))
    return cells_of(member, n_members, *columns)


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
    columns = (
        np.ascontiguousarray(own[order]) for own in (cell, positives, negatives, rows, lowest, highest)
    )
    return _table_of(columns, offsets_of(np.bincount(member[order], minlength=n_members)))


def joined(
    tables: Sequence[CellTable], members: Sequence[Integers], n_members: int, *, by_number: bool
) -> CellTable:
    """All cells of several tables as one; ``members`` says who the members of each table are in it.

    Where numbers mean the same in all tables (``by_number``), cells of one number become one. Else only ties
    of one score do, and all other cells stay as they are.
    """
    parts = [(own[table.member], *table._columns[1:]) for table, own in zip(tables, members, strict=True)]
    member, *columns = (np.concatenate(own) for own in zip(*parts, strict=True))
    cell, _, _, _, lowest, highest = columns
    is_one = np.ones(member.size, dtype=np.bool_) if by_number else lowest == highest
    order, starts = runs_of(member[is_one], (cell if by_number else lowest)[is_one])
    reduced = {"cell": np.minimum, "lowest": np.minimum, "highest": np.maximum}
    added = [
        reduced.get(name, np.add).reduceat(own[is_one][order], starts)
        for name, own in zip(COLUMNS, columns, strict=True)
    ]
    left = [own[~is_one] for own in (member, *columns)]
    found = _stacked([(member[is_one][order][starts], *added), tuple(left)], n_members)
    return found if by_number else replace(found, cell=np.arange(len(found)))


def from_counts(table: CountTable, rows: Integers | None = None) -> CellTable:
    """The cells of exact counts: every distinct score is one.

    Sums of weights do not tell how many rows have a score; ``rows`` does, one entry for each.
    """
    inside = np.ones(table.thresholds.size, dtype=np.bool_)
    inside[table.offsets[:-1]] = False
    member = np.repeat(np.arange(len(table)), np.diff(table.offsets))[inside]
    both = (np.diff(own, prepend=own[:1])[inside] for own in (table.true_positives, table.false_positives))
    positives, negatives = both
    scores = table.thresholds[inside]
    rows = (positives + negatives).astype(np.int64) if rows is None else rows
    number = np.arange(scores.size)
    return cells_of(member, len(table), number, positives, negatives, rows, scores, scores.copy())


def runs_of(member: Integers, key: Any) -> tuple[Indices, Indices]:
    """The order by member and rising key, and where in it a new pair of both begins."""
    order = np.lexsort((key, member))
    member, key = member[order], key[order]
    is_new = np.append(True, (member[1:] != member[:-1]) | (key[1:] != key[:-1]))[: order.size]
    return order, np.flatnonzero(is_new)


# What is certain about a curve: the highest and the lowest one that the cells allow, and one between
# ---------------------------------------------------------------------------------------------------


class Staircases(NamedTuple):
    """Counts of the lowest, a middle and the highest curve of every member."""

    lower: CountTable
    middle: CountTable
    upper: CountTable


_Steps = tuple[Integers, Floats, Counts, Counts]
"""Member, score, and what each class adds there, in the order of the path; every step ends in a vertex."""


def path_of(
    cells: CellTable, *, upper: bool | None, shared: bool = False, higher_is_positive: bool = True
) -> CountTable:
    """Running counts on a path of every member (see :func:`steps_of`), led by an infinite threshold and zero.

    Cells of scores that are low where the class is positive were reversed before; ``higher_is_positive`` is
    false then, and thresholds are negated on the way out.
    """
    member, scores, *added = steps_of(cells, upper=upper, shared=shared)
    offsets = offsets_of(np.bincount(member, minlength=cells.n_members) + 1)
    row = np.arange(member.size) + member + 1
    sign = 1.0 if higher_is_positive else -1.0
    thresholds = np.full(int(offsets[-1]), sign * np.inf)
    thresholds[row] = sign * scores + 0.0
    positives, negatives = (_running(np.asarray(counts), row, offsets) for counts in added)
    return CountTable(thresholds, positives, negatives, offsets, higher_is_positive)


def steps_of(cells: CellTable, *, upper: bool | None, shared: bool = False) -> _Steps:
    """The steps of the highest path (``upper``), of the lowest, or of the one between (None).

    On that every cell is as if its rows were tied; those that end at the same score are one step then. With
    ``shared`` as one threshold for all members can meet them: rows of one class, too, lie somewhere in their
    cells, and those of another member may come between.
    """
    if upper is None:
        steps = cells.member, cells.lowest, cells.positives, cells.negatives
        if cells.are_apart:
            return steps
    elif cells.are_apart and not shared:
        # Cells stay in their order; those that are mixed go up first, or right first.
        index = np.repeat(np.arange(len(cells)), 1 + cells.is_mixed)
        is_first = cells.is_mixed[index] & np.append(True, index[1:] != index[:-1])
        is_second = cells.is_mixed[index] & ~is_first
        scores = np.where(is_first, cells.highest[index], cells.lowest[index])
        no_positives, no_negatives = (is_second, is_first) if upper else (is_first, is_second)
        positives = np.where(no_positives, 0, cells.positives[index])
        return cells.member[index], scores, positives, np.where(no_negatives, 0, cells.negatives[index])
    else:
        steps = _loose_steps(cells, upper=upper)
    # From the highest score of each member on, those of the same score added up.
    member, scores, *added = steps
    order, starts = runs_of(member, -scores)
    positives, negatives = (np.add.reduceat(own[order], starts) for own in added)
    return member[order][starts], scores[order][starts], positives, negatives


def _loose_steps(cells: CellTable, *, upper: bool) -> _Steps:
    """Ties as they are; of all other cells one class at their highest score and the other at their lowest.

    No row can lie beyond these, so what then has the same score is tied at best.
    """
    tied, wide = cells.is_tied, ~cells.is_tied
    ups, rights = wide & (cells.positives > 0), wide & (cells.negatives > 0)
    of_ups, of_rights = (cells.highest, cells.lowest) if upper else (cells.lowest, cells.highest)
    none = np.zeros(len(cells), dtype=cells.positives.dtype)
    parts: list[tuple[Any, ...]] = [
        (cells.member[ups], of_ups[ups], cells.positives[ups], none[ups]),
        (cells.member[tied], cells.lowest[tied], cells.positives[tied], cells.negatives[tied]),
        (cells.member[rights], of_rights[rights], none[rights], cells.negatives[rights]),
    ]
    if not upper:  # the class that comes early stands first
        parts.reverse()
    member, scores, positives, negatives = (np.concatenate(own) for own in zip(*parts, strict=True))
    return member, scores, positives, negatives


def shared_area(cells: CellTable, shares: tuple[Floats, Floats], *, upper: bool) -> float:
    """The area under the highest or the lowest path of all members together, under one threshold for all.

    ``shares`` is what one negative, and one positive, of every member counts. Sums of floats: whoever asks
    allows for what they round away.
    """
    # Pooled and threshold averages ask one after the other, and differ in the shares only.
    known = cells.__dict__.setdefault("_in_order", {})
    if upper not in known:
        steps = _loose_steps(cells, upper=upper)
        order = np.argsort(-steps[1])  # ties are one step, in any order
        member, scores, positives, negatives = (own[order] for own in steps)
        # Ties of several members are one oblique step: only where all of them are counted is a vertex.
        known[upper] = member, positives, negatives, np.append(scores[1:] != scores[:-1], True)
    member, positives, negatives, is_vertex = known[upper]
    reached = [
        np.append(0.0, np.cumsum(counts * own[member])[is_vertex])
        for counts, own in zip((negatives, positives), shares, strict=True)
    ]
    fpr, tpr = (own / own[-1] for own in reached)
    return float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2)


def _running(values: Counts, row: Integers, offsets: Integers) -> Counts:
    """Running sums that start again in every member; integers exactly."""
    spread = np.zeros(int(offsets[-1]), dtype=values.dtype)
    spread[row] = values
    if values.dtype.kind != "f":
        total = np.cumsum(spread)
        return np.asarray(total - np.repeat(total[offsets[:-1]], np.diff(offsets)))
    # Sums of weights must not carry the rounding of the members before them.
    for start, stop in pairwise(offsets.tolist()):
        np.cumsum(spread[start:stop], out=spread[start:stop])
    return spread


# Areas under the lowest, the middle and the highest curve, straight from cells
# -----------------------------------------------------------------------------


class Areas(NamedTuple):
    """AUC of the lowest, the middle and the highest curve of every member; NaN for one that lacks a class.

    Without weights pairs are counted as integers and divided once: the true area, rounded, lies between.
    """

    low: Floats
    middle: Floats
    high: Floats
    half: Floats  # how far the true area can be from that of the middle curve; 0 where it is known


def areas_of(cells: CellTable) -> Areas:
    """The areas of all members, where scores are high if the class is positive."""
    middle = _pairs_won(cells, None)
    if cells.are_apart:
        positives, negatives = _countable(cells, cells.member, cells.positives, cells.negatives)
        unknown = cells.sums(np.where(cells.is_mixed, positives * negatives, positives.dtype.type(0)))
        low, high = middle - unknown, middle + unknown
    else:
        low, high = _pairs_won(cells, False), _pairs_won(cells, True)
        low, high = np.minimum(low, middle), np.maximum(high, middle)  # weights are rounded
    half = np.maximum(middle - low, high - middle)
    totals = list(zip(cells.n_positives.tolist(), cells.n_negatives.tolist(), strict=True))
    pairs = [float(p > 0 and n > 0) if cells.is_weighted else p * n for p, n in totals]
    return Areas(
        *(
            np.array([won / (2 * n) if n else np.nan for won, n in zip(own.tolist(), pairs, strict=True)])
            for own in (low, middle, high, half)
        )
    )


def _countable(cells: CellTable, member: Any, positives: Counts, negatives: Counts) -> tuple[Counts, Counts]:
    """Counts whose products are exact; weights as shares of their class, whose products do not overflow."""
    totals = cells.n_positives, cells.n_negatives
    if cells.is_weighted:
        whole = [np.where(own > 0, own, 1.0)[member] for own in totals]
        return positives / whole[0], negatives / whole[1]
    most = np.max(totals[0].astype(np.float64) * totals[1], initial=0.0)
    kind: Any = np.int64 if most < 2.0**60 else object  # Python's integers have no end
    return positives.astype(kind), negatives.astype(kind)


def _pairs_won(cells: CellTable, upper: bool | None) -> Counts:
    """Twice the pairs that positives win on a path of every member, a tie counting half."""
    member, _, *added = steps_of(cells, upper=upper)
    offsets = np.searchsorted(member, np.arange(cells.n_members + 1))
    positives, negatives = _countable(cells, member, *added)
    if cells.is_weighted:
        # Running sums of one member must not carry the rounding of those before it.
        blocks = ((positives[a:b], negatives[a:b]) for a, b in pairwise(offsets.tolist()))
        return np.array([lost @ (2 * np.cumsum(won) - won) for won, lost in blocks], dtype=np.float64)
    reached = np.cumsum(positives)
    before = np.append(np.zeros(1, reached.dtype), reached)[offsets[:-1]]
    doubled = 2 * (reached - before[member]) - positives
    sums = np.append(np.zeros(1, reached.dtype), np.cumsum(negatives * doubled))
    return np.asarray(sums[offsets[1:]] - sums[offsets[:-1]])


# How certain a curve is: how far its area can be off, and how far apart the bounds of a rate are
# -----------------------------------------------------------------------------------------------

ROUNDING = 2.0**-52
"""Of one addition or product; a sum of n weights is known within n times that, relatively."""


def largest(values: Floats) -> float:
    """The largest that is not NaN, or 0."""
    return float(np.max(values[~np.isnan(values)], initial=0.0))


def rate_half_widths(cells: CellTable) -> Floats:
    """Half of how far apart the bounds of a rate are where the other is held, at worst, for every member."""
    if not cells.are_apart:
        members = range(cells.n_members)
        return np.array([_widest_gap(cells.keep([i])) for i in members], dtype=np.float64) / 2
    widest = np.zeros(cells.n_members)
    for counts, totals in ((cells.positives, cells.n_positives), (cells.negatives, cells.n_negatives)):
        whole = np.where(totals > 0, totals, np.nan)
        np.maximum.at(widest, cells.member, np.where(cells.is_mixed, counts / whole[cells.member], 0.0))
    return widest / 2


def rounding_of(cells: CellTable) -> Floats:
    """What sums of weights may have lost, as a share of a class, for every member; 0 without weights."""
    if not cells.is_weighted:
        return np.zeros(cells.n_members)
    # Adding n numbers that are not negative loses at most n roundings; a rate divides two such sums.
    return np.asarray(4.0 * ROUNDING * (cells.n_rows + np.diff(cells.offsets)), dtype=np.float64)


def _widest_gap(cells: CellTable) -> float:
    """The widest gap between the two paths of one member, up or across."""
    if not (cells.n_positives[0] > 0 and cells.n_negatives[0] > 0):
        return np.nan
    paths = []
    for upper in (True, False):
        _, _, positives, negatives = steps_of(cells, upper=upper)
        both = ((negatives, cells.n_negatives[0]), (positives, cells.n_positives[0]))
        paths.append([np.append(0.0, np.cumsum(counts) / total) for counts, total in both])
    (high_x, high_y), (low_x, low_y) = paths
    widest = 0.0
    for better, worse in (((high_x, high_y), (low_x, low_y)), ((low_y, low_x), (high_y, high_x))):
        at = np.unique(np.concatenate([better[0], worse[0]]))  # between them both paths run straight
        for side in ("left", "right"):
            gap = _read(*better, at, side) - _read(*worse, at, side)
            widest = max(widest, float(gap.max()))
    return widest


def _read(held: Floats, free: Floats, at: Floats, side: Literal["left", "right"]) -> Floats:
    """A path where it has reached a rate (left), or is about to leave it (right)."""
    vertex = np.searchsorted(held, at, side=side) - (side == "right")
    vertex = vertex.clip(0, held.size - 1)
    return np.where(held[vertex] == at, free[vertex], np.interp(at, held, free))


# How certain a count must be, and how much memory it may take
# ------------------------------------------------------------

DEFAULT_MEMORY = "2GB"
SMALLEST_MEMORY = 10**8


@dataclass(frozen=True)
class Tolerance:
    """How far areas, and half of how far bounds of rates, may be off; None where nothing was asked."""

    auc: float | None = None
    rate: float | None = None  # where the other is held

    @property
    def is_asked(self) -> bool:
        """Whether anything was asked for."""
        return self.auc is not None or self.rate is not None

    @property
    def is_exact(self) -> bool:
        """Whether nothing but the truth will do."""
        return self.auc == 0 or self.rate == 0

    def is_met(self, auc: float, rate: float) -> bool:
        """Whether these half-widths are narrow enough."""
        return (self.auc is None or auc <= self.auc) and (self.rate is None or rate <= self.rate)

    def __str__(self) -> str:
        asked = {"AUC": self.auc, "rates": self.rate}
        return ", ".join(f"{name} {own:g}" for name, own in asked.items() if own is not None) or "none"


def tolerance_of(value: Any) -> Tolerance:
    """A number for areas and rates alike, or a mapping with one for each, else RS042."""
    if value is None or isinstance(value, Tolerance):
        return value or Tolerance()
    given = value if isinstance(value, Mapping) else {"auc": value, "rate": value}
    is_known = bool(given) and set(given) <= {"auc", "rate"}
    if not is_known or not all(_is_number(own) and 0 <= float(own) < 0.5 for own in given.values()):
        raise fail("RS042.tolerance", value=value)
    return Tolerance(**{name: float(own) for name, own in given.items()})


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def memory_of(value: Any) -> int:
    """Bytes from a number or from text such as ``"2GB"`` or ``"500 MB"``, else RS042.

    >>> memory_of("1.5GB"), memory_of(2_000_000_000), memory_of("1GiB")
    (1500000000, 2000000000, 1073741824)
    """
    number = float(value) if _is_number(value) else None
    if isinstance(value, str):
        read = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(?:([KMGT])(I?B)?|B)?\s*", value.upper())
        base = 1024 if read and read[3] == "IB" else 1000
        number = float(read[1]) * base ** " KMGT".index(read[2] or " ") if read else None
    if number is None or not SMALLEST_MEMORY <= number < 1e18:
        raise fail("RS042.memory", value=value, usual=DEFAULT_MEMORY)
    return int(number)


# From a score to the number of its cell: straight pieces between a few knots, chosen on a sample
# -----------------------------------------------------------------------------------------------

_QUANTILES = (0, 0.002, 0.01, 0.04, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.96, 0.99, 0.998, 1)
"""Where the pieces end, closer towards the ends: tails are long."""
_FEWEST = 4
"""Cells of a piece, however few rows of the sample are in it."""
_MOST_ATOMS = 8


@dataclass(frozen=True)
class Piece:
    """Scores from ``start`` on, up to the next piece: cell ``first + floor((score - start) * scale)``."""

    start: float
    scale: float
    first: int
    n_cells: int


@dataclass(frozen=True)
class Binning:
    """Which cell a score belongs to.

    -inf has 0, scores below the knots 1; then come the pieces, all above them, the atoms and +inf.
    """

    pieces: tuple[Piece, ...]  # from the lowest to the highest score
    stop: float  # where the last piece ends; scores above share one cell
    atoms: tuple[float, ...] = ()  # so frequent that each has a cell of its own

    @property
    def n_cells(self) -> int:
        """All cells: of the pieces, those beyond them, the atoms and the two infinities."""
        return self._above + 2 + len(self.atoms)

    @property
    def _above(self) -> int:
        return self.pieces[-1].first + self.pieces[-1].n_cells if self.pieces else 2

    def to_dict(self) -> dict[str, Any]:
        """Plain values, from which :meth:`from_dict` makes it again, to the last bit."""
        pieces = [[piece.start.hex(), piece.scale.hex(), piece.first, piece.n_cells] for piece in self.pieces]
        return {"pieces": pieces, "stop": self.stop.hex(), "atoms": [atom.hex() for atom in self.atoms]}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Binning:
        """The binning that :meth:`to_dict` wrote down."""
        read = float.fromhex
        pieces = tuple(Piece(read(a), read(k), int(first), int(n)) for a, k, first, n in plain["pieces"])
        return cls(pieces, read(plain["stop"]), tuple(map(read, plain["atoms"])))

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """Starts, scales, first cells and sizes of pieces, where they stop, and the atoms, for a kernel."""
        return (
            np.array([piece.start for piece in self.pieces]),
            np.array([piece.scale for piece in self.pieces]),
            np.array([piece.first for piece in self.pieces], dtype=np.int64),
            np.array([piece.n_cells for piece in self.pieces], dtype=np.int64),
            self.stop,
            np.array(self.atoms),
        )

    def expression(self, score: Any, when: Callable[..., Any], literal: Callable[..., Any]) -> Any:
        """The same as an expression over a column, made of ``when`` and ``literal`` of narwhals.

        A search by halves: each row meets few comparisons, and an engine computes only its own piece.
        """
        pieces = (*self.pieces, Piece(self.stop, 0.0, self._above, 1))

        def search(low: int, high: int) -> Any:
            middle, piece = (low + high) // 2, pieces[low]
            if high - low > 1:
                beyond = search(middle, high)
                return when(score < pieces[middle].start).then(search(low, middle)).otherwise(beyond)
            if piece.n_cells == 1:  # products of infinities would be NaN
                return literal(float(piece.first))
            # Clipped first: Spark's floor gives a whole number of 64 bits, and refuses what does not fit.
            inside = ((score - piece.start) * piece.scale).clip(0.0, float(piece.n_cells - 1))
            return inside.floor() + float(piece.first)

        found = when(score < pieces[0].start).then(literal(1.0)).otherwise(search(0, len(pieces)))
        own = [(-np.inf, 0), *((atom, self._above + 1 + i) for i, atom in enumerate((*self.atoms, np.inf)))]
        for atom, cell in reversed(own):
            found = when(score == atom).then(literal(float(cell))).otherwise(found)
        return found


def binning_of(positives: Floats, negatives: Floats, n_cells: int) -> Binning:
    """About so many cells of equal weight, half of it the positives' and half the negatives', from a sample.

    Infinite scores and NaN are left out.
    """
    samples = [np.sort(own[np.isfinite(own)]) for own in (positives, negatives)]
    samples = [own for own in samples if own.size]
    if not samples:
        return Binning((), 0.0)
    scores = np.concatenate(samples)
    weights = np.concatenate([np.full(own.size, 1.0 / (own.size * len(samples))) for own in samples])
    order = np.argsort(scores, kind="stable")
    scores, weights = scores[order], weights[order]
    atoms = _atoms(scores, weights, n_cells)
    rest = ~np.isin(scores, atoms)
    scores, weights = scores[rest], weights[rest]
    if not scores.size:
        return Binning((), float(atoms[-1]), tuple(atoms))
    reached = np.cumsum(weights) / weights.sum()
    knots = scores[np.searchsorted(reached, _QUANTILES, side="left").clip(0, scores.size - 1)]
    knots[0], knots[-1] = scores[0], scores[-1]
    knots = np.unique(knots)
    below = np.append(0.0, reached)[np.searchsorted(scores, knots, side="left")]
    below[-1] = 1.0
    pieces: list[Piece] = []
    first = 2
    for start, stop, share in zip(knots[:-1].tolist(), knots[1:].tolist(), np.diff(below), strict=True):
        n = max(_FEWEST, round(share * n_cells))
        width = stop - start
        scale = n / width if width > 0 else np.inf
        if not (np.isfinite(scale) and np.isfinite(width)):  # as wide as floats go, or narrower than they can
            n, scale = 1, 0.0
        pieces.append(Piece(start, scale, first, n))
        first += n
    return Binning(tuple(pieces), float(knots[-1]), tuple(atoms))


def _atoms(scores: Floats, weights: Floats, n_cells: int) -> list[float]:
    """Scores that would fill more than a cell by themselves, at most a few."""
    values, first, counts = np.unique(scores, return_index=True, return_counts=True)
    weight = np.add.reduceat(weights, first)
    heavy = (counts >= 4) & (weight > 2.0 / n_cells)
    chosen = np.flatnonzero(heavy)[np.argsort(-weight[heavy], kind="stable")[:_MOST_ATOMS]]
    return sorted(float(value) + 0.0 for value in values[chosen])
