"""Thresholds set on some rows and tried on the others: in every group by itself, or one for all groups.

Rows are dealt into parts at random: within every group and class, or whole cases or groups at a time. Every
group has a stream of random numbers of its own, made of the seed and the group's name. How its rows are dealt
does then not depend on the other groups, nor on the order of groups or rows; and since rows are dealt by
rank, it does not change when all scores are transformed alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Array, Floats, Indices, Integers, Mask
from rocsteady.points.criteria import Criterion, MinimumCost, TargetRate, strictest_optima
from rocsteady.results import read_only
from rocsteady.scores.columns import Columns

Parts = NDArray[np.unsignedinteger[Any]]

_BLOCK = 2**21
"""Cells held at once; bounds the memory and does not change the answer."""
_MOVES = 20
"""For each class of each group, how many cases are moved before it is said that cases cannot be dealt."""


@dataclass(frozen=True, eq=False)
class RankedRows:
    """The rows of one group, or of all of them, strictest score first.

    ``thresholds`` are the distinct scores in the user's units, led by an infinite one; ``ends`` says how many
    rows are at or beyond each.
    """

    thresholds: Floats
    ends: Integers
    is_positive: Mask
    weights: Array | None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.is_positive.size)

    def beyond(self, chosen: Mask) -> tuple[Array, Array]:
        """True and false positives among chosen rows ``(n_splits, n_rows)`` at every threshold."""
        return self._running(chosen & self.is_positive), self._running(chosen & ~self.is_positive)

    def _running(self, chosen: Mask) -> Array:
        counted = chosen if self.weights is None else np.where(chosen, self.weights, 0)
        kind: Any = np.int64 if self.weights is None else self.weights.dtype
        running = np.zeros((chosen.shape[0], self.n_rows + 1), dtype=kind)
        np.cumsum(counted, axis=1, dtype=kind, out=running[:, 1:])
        # Without ties every row ends a threshold, and nothing has to be picked.
        return running if self.ends.size == running.shape[1] else running[:, self.ends]


def rank_rows(columns: Columns, rows: slice | Integers) -> tuple[RankedRows, Integers]:
    """Some rows by falling strictness, and the place among them that each had."""
    scores = columns.scores[rows]
    weights = None if columns.weights is None else columns.weights[rows]
    # Tied rows are not alike if their weights are not: then their order must not be the table's.
    order = np.argsort(scores, kind="stable") if weights is None else np.lexsort((weights, scores))
    if columns.higher_is_positive:
        order = order[::-1]
    ranked = scores[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)) + 1
    beyond_all = np.inf if columns.higher_is_positive else -np.inf
    # 0.0 is added because a score may be -0.0.
    thresholds = np.append(beyond_all, ranked[ends - 1].astype(np.float64) + 0.0)
    is_positive = columns.labels[rows][order] == columns.positive
    own_weights = None if weights is None else weights[order]
    return RankedRows(thresholds, np.append(0, ends), is_positive, own_weights), order


def stream_of(seed: int, name: str) -> np.random.Generator:
    """The random numbers of a group: the same whatever other groups there are."""
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    words = [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4)]
    return np.random.default_rng(np.random.SeedSequence([seed, *words]))


def deal(n: int, n_parts: int, n_repeats: int, stream: np.random.Generator) -> Parts:
    """The part of each of n cases in every repeat, ``(n_repeats, n)``.

    The parts of a repeat differ in size by one case at most; chance decides which are the larger ones.

    Examples
    --------
    >>> import numpy as np
    >>> dealt = deal(5, 2, 3, np.random.default_rng(0))
    >>> np.sort([np.bincount(parts) for parts in dealt], axis=1).tolist()
    [[2, 3], [2, 3], [2, 3]]
    """
    first = stream.integers(n_parts, size=(n_repeats, 1))
    parts = (np.arange(n) + first) % n_parts
    return stream.permuted(parts.astype(np.min_scalar_type(n_parts)), axis=1)


def deal_rows(is_positive: Mask, n_parts: int, n_repeats: int, stream: np.random.Generator) -> Parts:
    """The part of each row of a group in every repeat; each class is dealt by itself."""
    parts = np.empty((n_repeats, is_positive.size), dtype=np.min_scalar_type(n_parts))
    n_positives = int(np.count_nonzero(is_positive))
    parts[:, is_positive] = deal(n_positives, n_parts, n_repeats, stream)
    parts[:, ~is_positive] = deal(is_positive.size - n_positives, n_parts, n_repeats, stream)
    return parts


def deal_groups(names: Sequence[str], n_parts: int, n_repeats: int, seed: int) -> Parts:
    """The part of each group in every repeat, whatever their order."""
    parts = np.empty((n_repeats, len(names)), dtype=np.min_scalar_type(n_parts))
    by_name = sorted(range(len(names)), key=names.__getitem__)
    parts[:, by_name] = deal(len(names), n_parts, n_repeats, stream_of(seed, ""))
    return parts


def deal_cases(
    cases: Integers, cells: Integers, n_parts: int, n_repeats: int, stream: np.random.Generator
) -> Parts | None:
    """The part of each row in every repeat where all rows of a case share one; None if that cannot be.

    Cases are dealt by class. Where that leaves a group without a class in some part, cases of it are moved
    there, one by one.

    Parameters
    ----------
    cases : int64 array
        The case of each row, from 0.
    cells : int64 array
        Twice the group of each row, and one more for a positive.

    Examples
    --------
    >>> import numpy as np
    >>> cases, is_positive = np.tile(np.arange(6), 2), np.tile([0, 0, 0, 1, 1, 1], 2)
    >>> dealt = deal_cases(cases, 2 * np.repeat([0, 1], 6) + is_positive, 2, 5, np.random.default_rng(0))
    >>> bool((dealt[:, :6] == dealt[:, 6:]).all())
    True
    """
    has_positive = np.bincount(cases, weights=cells % 2) > 0
    of_cases = deal_rows(has_positive, n_parts, n_repeats, stream)
    if all(_mended(parts, cases, cells, n_parts, stream) for parts in of_cases):
        return np.asarray(of_cases[:, cases])
    return None


def _mended(
    parts: Parts, cases: Integers, cells: Integers, n_parts: int, stream: np.random.Generator
) -> bool:
    """Move cases until every cell has rows in every part; False if that was not found."""
    n_cells = int(cells.max()) + 1
    for _ in range(_MOVES * n_cells):
        counts = np.bincount(cells * n_parts + parts[cases], minlength=n_cells * n_parts)
        table = counts.reshape(n_cells, n_parts)
        lacking = np.argwhere(table == 0)
        if not lacking.size:
            return True
        cell, part = lacking[stream.integers(len(lacking))]
        of_cell = np.unique(cases[cells == cell])
        # From any part that can spare one: always from the fullest, moves could go round in a circle.
        movable = of_cell[table[cell, parts[of_cell]] > 1]
        if not movable.size:
            return False
        parts[stream.choice(movable)] = part
    return False


def trials_in_blocks(parts: Parts, n_parts: int) -> Iterator[tuple[slice, Mask]]:
    """Which rows are tried in each split ``(n_splits, n_rows)``: part 0 of a repeat, part 1, ...

    In blocks of whole repeats, so that a group of very many rows needs no more memory than many small ones.
    """
    n_repeats, n = parts.shape
    at_once = max(1, _BLOCK // max(n * n_parts, 1))
    each = np.arange(n_parts, dtype=parts.dtype)[:, None]
    for start in range(0, n_repeats, at_once):
        block = parts[start : start + at_once]
        tried = (block[:, None, :] == each).reshape(-1, n)
        yield slice(start * n_parts, start * n_parts + len(tried)), tried


_MOST_SHARES = 2**31
"""Shares of groups are counted in integers if they add up to no more: products of two sums fit 64 bits."""
_PLACES = 12
"""Decimals of a sum of shares that is a float: a target of 0.1 is met by shares that add up to 0.1."""


@dataclass(frozen=True)
class Plan:
    """What is tried, and how often.

    Attributes
    ----------
    criterion : Criterion
        What thresholds are set for.
    weigh : str
        "groups" or "rows": what counts equally when one threshold is set for all.
    n_parts, n_repeats, seed : int
        A threshold is set on all parts but one, and tried on that one; each part in turn.
    """

    criterion: Criterion
    weigh: str
    n_parts: int
    n_repeats: int
    seed: int


@dataclass(frozen=True, eq=False)
class Tried:
    """What happened in every group (row) at every trial (column); NaN where it was not tried.

    Attributes
    ----------
    thresholds : float64 array
        Set on the other rows.
    promised_fpr, promised_tpr, promised_value : float64 arrays
        What the rows say that the threshold was set on.
    true_positives, false_positives, n_positives, n_negatives : float64 arrays
        Of the rows it was tried on: counts, or sums of weights.
    effective_positives, effective_negatives : float64 arrays
        Their numbers; with weights, how many rows of equal weight would scatter as much (Kish).
    """

    thresholds: Floats
    promised_fpr: Floats
    promised_tpr: Floats
    promised_value: Floats
    true_positives: Floats
    false_positives: Floats
    n_positives: Floats
    n_negatives: Floats
    effective_positives: Floats
    effective_negatives: Floats


def values_of(criterion: Criterion, fpr: Floats, tpr: Floats, prevalence: Floats) -> Floats:
    """What the criterion reports at these rates; ``prevalence`` is that of the rows."""
    if not isinstance(criterion, MinimumCost):
        return np.asarray(criterion.value(fpr, tpr))
    share = prevalence if criterion.share is None else float(criterion.share)
    return np.asarray(
        share * (criterion.false_negative * (1 - tpr)) + (1 - share) * (criterion.false_positive * fpr)
    )


def vertices_to_set(criterion: Criterion, true_positives: Array, false_positives: Array) -> Indices:
    """The best vertex of many curves at once; a false-alarm budget is used up, else the strictest best.

    Who has a budget of false alarms sets the threshold by the negatives: as loose as the budget allows. The
    strictest threshold with as many hits would be the score of the last positive within the budget, and with
    few positives leave most of it unused. Who has to reach a TPR sets it by the positives: as strict as that
    allows. Both come as close to the rate that is held as the rows allow.

    A vertex may be that of a row that is not counted; the one returned is the first with these counts, which
    is the score of a counted row.

    Examples
    --------
    >>> import numpy as np
    >>> tp, fp = np.array([[0, 0, 1, 1, 1, 1, 2]]), np.array([[0, 1, 1, 2, 3, 4, 4]])
    >>> vertices_to_set(TargetRate(fpr=0.75), tp, fp).tolist()
    [4]
    >>> vertices_to_set(TargetRate(tpr=0.5), tp, fp).tolist()
    [2]
    """
    tp, fp = true_positives, false_positives
    if not isinstance(criterion, TargetRate):
        return strictest_optima(criterion, tp, fp)
    slack = 0.0 if fp.dtype.kind in "iu" else 2 * 10.0**-_PLACES  # as where the strictest is looked for
    if criterion.held == "tpr":
        return np.asarray(criterion.permits(0.0, tp / tp[:, -1:] + slack).argmax(axis=1))
    last = np.count_nonzero(criterion.permits(fp / fp[:, -1:] - slack, 1.0), axis=1) - 1
    each = np.arange(last.size)
    before = (tp < tp[each, last, None]) | (fp < fp[each, last, None])
    return np.asarray(np.count_nonzero(before, axis=1))


# Own thresholds


def try_own(
    columns: Columns, offsets: list[tuple[int, int]], names: tuple[str, ...], plan: Plan
) -> tuple[Tried, Floats]:
    """Every group sets a threshold of its own, on some of its rows; and what it promises if set on all."""
    found = np.empty((10, len(names), plan.n_repeats * plan.n_parts))
    promised = np.empty((3, len(names)))
    for i, ((start, stop), name) in enumerate(zip(offsets, names, strict=True)):
        rows, _ = rank_rows(columns, slice(start, stop))
        promised[:, i] = _set_on(rows, np.ones((1, rows.n_rows), dtype=np.bool_), plan.criterion)[1][:, 0]
        parts = deal_rows(rows.is_positive, plan.n_parts, plan.n_repeats, stream_of(plan.seed, name))
        for trials, tested in trials_in_blocks(parts, plan.n_parts):
            best, promises = _set_on(rows, ~tested, plan.criterion)
            tp, fp = rows.beyond(tested)
            each, whole = np.arange(best.size), (tp[:, -1], fp[:, -1])
            sizes = whole if rows.weights is None else _effective_sizes(rows, tested)
            fields = (*promises, tp[each, best], fp[each, best], *whole, *sizes)
            found[:, i, trials] = np.stack([rows.thresholds[best], *fields])
    return Tried(*map(read_only, found)), promised


def _set_on(rows: RankedRows, chosen: Mask, criterion: Criterion) -> tuple[Indices, Floats]:
    """The vertex that chosen rows ``(n_splits, n_rows)`` of a group set; FPR, TPR and value there."""
    tp, fp = rows.beyond(chosen)
    best = vertices_to_set(criterion, tp, fp)
    each, n_positives, n_negatives = np.arange(best.size), tp[:, -1], fp[:, -1]
    fpr, tpr = fp[each, best] / n_negatives, tp[each, best] / n_positives
    value = values_of(criterion, fpr, tpr, n_positives / (n_positives + n_negatives))
    return best, np.stack([fpr, tpr, value])


def _effective_sizes(rows: RankedRows, tested: Mask) -> tuple[Floats, Floats]:
    """``sum(w)**2 / sum(w**2)`` of the positives and of the negatives; 0 where there are none."""
    assert rows.weights is not None
    found = []
    for of_class in (rows.is_positive, ~rows.is_positive):
        scaled = np.where(of_class, rows.weights / rows.weights.max(), 0.0)
        squares = tested @ scaled**2
        sums = tested @ scaled
        found.append(np.divide(sums**2, squares, out=np.zeros_like(sums), where=squares > 0))
    return found[0], found[1]


# One threshold for all


class CasesApart(Exception):
    """Cases cannot be dealt as wholes: some group would lack a class in some part."""


class SharedRows:
    """The rows of all groups under one threshold, strictest score first."""

    def __init__(
        self, columns: Columns, offsets: list[tuple[int, int]], plan: Plan, cases: Integers | None
    ) -> None:
        sizes = [stop - start for start, stop in offsets]
        whole = np.concatenate([np.arange(start, stop) for start, stop in offsets])
        self.rows, order = rank_rows(columns, whole)
        self.n_groups = len(offsets)
        self.group = np.repeat(np.arange(self.n_groups), sizes)[order]
        self.cell = 2 * self.group + self.rows.is_positive  # negatives of group 0, its positives, ...
        self.case = None if cases is None else np.unique(cases[whole], return_inverse=True)[1][order]
        self.plan = plan

    def sizes(self, chosen: Mask, stop: int | None = None) -> Floats:
        """Rows (or weight) in every cell among the chosen of the first ``stop``: ``(n_groups, 2)``."""
        return self._summed(self.rows.weights, chosen, stop)

    def effective_sizes(self, chosen: Mask) -> Floats:
        """``sum(w)**2 / sum(w**2)`` in every cell; 0 where there is no row."""
        assert self.rows.weights is not None
        scaled = self.rows.weights / self.rows.weights.max()
        sums, squares = (self._summed(numbers, chosen, None) for numbers in (scaled, scaled**2))
        return np.divide(sums**2, squares, out=np.zeros_like(sums), where=squares > 0)

    def _summed(self, weights: Floats | None, chosen: Mask, stop: int | None) -> Floats:
        among = chosen[:stop]
        of_chosen = None if weights is None else weights[:stop][among]
        counted = np.bincount(self.cell[:stop][among], of_chosen, minlength=2 * self.n_groups)
        return counted.reshape(-1, 2).astype(np.float64)

    def set_on(self, chosen: Mask) -> tuple[int, Floats, Floats, Floats]:
        """The best vertex on the chosen rows; the mean FPR, TPR and value there."""
        sizes = self.sizes(chosen)
        tp, fp = self._curve(chosen, sizes)
        best = int(vertices_to_set(self.plan.criterion, tp[None], fp[None])[0])
        beyond = self.sizes(chosen, int(self.rows.ends[best]))
        return best, *self._means(beyond, sizes)

    def _curve(self, chosen: Mask, sizes: Floats) -> tuple[Array, Array]:
        """What the criterion sees at every threshold: counts, or sums of the groups' shares."""
        shares = self._shares(sizes)
        alike = shares[sizes.all(axis=1)]
        if (alike == alike[0]).all():  # what a row of a class counts is the same in all groups
            tp, fp = self.rows.beyond(chosen[None])
            running = [tp[0] * alike[0, 1], fp[0] * alike[0, 0]]
        else:
            of_row = shares.ravel()[self.cell] * (1 if self.rows.weights is None else self.rows.weights)
            rows = replace(self.rows, weights=np.where(chosen, of_row, 0))
            running = [counts[0] for counts in rows.beyond(chosen[None])]
        if running[0].dtype.kind == "f" and isinstance(self.plan.criterion, TargetRate):
            running = [np.round(sums / sums[-1], _PLACES) for sums in running]
        return running[0], running[1]

    def _shares(self, sizes: Floats) -> Array:
        """What a row of each cell counts."""
        if self.plan.weigh == "rows":
            return np.ones(sizes.shape, dtype=np.int64)
        whole = sizes
        if isinstance(self.plan.criterion, MinimumCost) and self.plan.criterion.share is None:
            whole = np.repeat(sizes.sum(axis=1, keepdims=True), 2, axis=1)
        is_set = whole > 0
        if self.rows.weights is None:
            common = lcm(*np.unique(whole[is_set]).astype(np.int64).tolist())
            if common * self.n_groups < _MOST_SHARES:
                exact = np.zeros(whole.shape, dtype=np.int64)
                exact[is_set] = common // whole[is_set].astype(np.int64)
                return exact
        return np.divide(1.0, whole, out=np.zeros_like(whole), where=is_set)

    def _means(self, beyond: Floats, sizes: Floats) -> tuple[Floats, Floats, Floats]:
        """FPR, TPR and value of the average group, or of all rows together."""
        criterion = self.plan.criterion
        if self.plan.weigh == "rows":
            beyond, sizes = (counts.sum(axis=0, keepdims=True) for counts in (beyond, sizes))
        is_set = sizes.sum(axis=1) > 0
        fpr, tpr = (beyond[is_set] / sizes[is_set]).T
        prevalence = sizes[is_set, 1] / sizes[is_set].sum(axis=1)
        if isinstance(criterion, MinimumCost):  # linear in the rates of every group
            value = values_of(criterion, fpr, tpr, prevalence).mean()
        else:
            value = values_of(criterion, fpr.mean(), tpr.mean(), prevalence.mean())
        return fpr.mean(), tpr.mean(), value


def try_shared(
    columns: Columns,
    offsets: list[tuple[int, int]],
    names: tuple[str, ...],
    plan: Plan,
    *,
    split: str,
    cases: Integers | None = None,
) -> tuple[Tried, Floats]:
    """One threshold for all groups: set on some rows of each, or on some of the groups.

    Where the cases of rows are given, all rows of a case go to the same part.
    """
    shared = SharedRows(columns, offsets, plan, cases)
    whole = shared.set_on(np.ones(shared.rows.n_rows, dtype=np.bool_))[1:]
    by_rows = split == "rows"
    found = np.full((10, len(names), plan.n_repeats * (plan.n_parts if by_rows else 1)), np.nan)
    for repeat, part, tested in _shared_tests(shared, names, split):
        best, *promised = shared.set_on(~tested)
        sizes = shared.sizes(tested)
        beyond = shared.sizes(tested, int(shared.rows.ends[best]))
        effective = sizes if shared.rows.weights is None else shared.effective_sizes(tested)
        tried = sizes.any(axis=1)
        column = repeat * plan.n_parts + part if by_rows else repeat
        fields = [shared.rows.thresholds[best], *promised, beyond[tried, 1], beyond[tried, 0]]
        fields += [sizes[tried, 1], sizes[tried, 0], effective[tried, 1], effective[tried, 0]]
        for field, numbers in zip(found, fields, strict=True):
            field[tried, column] = numbers
    return Tried(*map(read_only, found)), np.repeat(np.array(whole)[:, None], len(names), axis=1)


def _shared_tests(shared: SharedRows, names: tuple[str, ...], split: str) -> Iterator[tuple[int, int, Mask]]:
    """Repeat, part, and which rows are tried there."""
    plan = shared.plan
    parts: Parts
    if split == "groups":
        of_groups = deal_groups(names, plan.n_parts, plan.n_repeats, plan.seed)
        for repeat in range(plan.n_repeats):
            parts = of_groups[repeat][shared.group]
            yield from ((repeat, part, parts == part) for part in range(plan.n_parts))
        return
    parts = _parts_of_rows(shared, names)
    for repeat in range(plan.n_repeats):
        yield from ((repeat, part, parts[repeat] == part) for part in range(plan.n_parts))


def _parts_of_rows(shared: SharedRows, names: tuple[str, ...]) -> Parts:
    """The part of each row in every repeat."""
    plan = shared.plan
    if shared.case is not None:
        stream = stream_of(plan.seed, "")
        # Numbered by their names: cases are moved for one group after the other, whichever came first.
        by_name = np.empty(shared.n_groups, dtype=np.int64)
        by_name[sorted(range(shared.n_groups), key=names.__getitem__)] = np.arange(shared.n_groups)
        cells = 2 * by_name[shared.group] + shared.rows.is_positive
        dealt = deal_cases(shared.case, cells, plan.n_parts, plan.n_repeats, stream)
        if dealt is None:
            raise CasesApart
        return dealt
    by_group = np.argsort(shared.group, kind="stable")
    ends = np.cumsum(np.bincount(shared.group, minlength=shared.n_groups))
    parts: Parts = np.empty((plan.n_repeats, by_group.size), dtype=np.min_scalar_type(plan.n_parts))
    for name, own in zip(names, np.split(by_group, ends[:-1]), strict=True):
        stream = stream_of(plan.seed, name)
        parts[:, own] = deal_rows(shared.rows.is_positive[own], plan.n_parts, plan.n_repeats, stream)
    return parts
