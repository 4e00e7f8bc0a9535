"""Rows dealt into parts at random: within every group and class, or whole cases or groups at a time.

Every group has a stream of random numbers of its own, made of the seed and the group's name. How its rows
are dealt does then not depend on the other groups, nor on the order of groups or rows; and since rows are
dealt by rank, it does not change when all scores are transformed alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.scores.columns import Columns

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]
Parts = NDArray[np.unsignedinteger[Any]]

_BLOCK = 2**21
"""Cells held at once; bounds the memory and does not change the answer."""
_MOVES = 20
"""For each class of each group, how many cases are moved before it is said that cases cannot be dealt."""


@dataclass(frozen=True, eq=False)
class RankedRows:
    """The rows of one group, or of all of them, strictest score first.

    Attributes
    ----------
    thresholds : float64 array
        Every distinct score in the user's units, led by an infinite one.
    ends : int64 array
        How many rows are at or beyond each threshold.
    is_positive : bool array
        One per row.
    weights : array or None
        What each row counts, if not 1.
    """

    thresholds: Floats
    ends: Integers
    is_positive: Mask
    weights: NDArray[Any] | None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.is_positive.size)

    def beyond(self, chosen: Mask) -> tuple[NDArray[Any], NDArray[Any]]:
        """True and false positives among chosen rows ``(n_splits, n_rows)`` at every threshold."""
        return self._running(chosen & self.is_positive), self._running(chosen & ~self.is_positive)

    def _running(self, chosen: Mask) -> NDArray[Any]:
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
