"""Columns: the flat arrays that every kernel reads, and the rules for scores and weights in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import DataError, Option, Remedy, counted
from rocsteady.scores.arrays import ARRAYS, Array, Column, Mask, Source, in_one_piece, thousands

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

SMALLEST_WEIGHT = 1e-305
"""Shares of a class divide by its weight: with less the quotient, times a few, leaves the range of floats."""
_KERNEL_SCORES = frozenset(map(np.dtype, (np.float64, np.float32, np.int64, np.uint64)))


@dataclass(frozen=True, eq=False)
class Columns:
    """Scores and labels of one or many groups, ready for the kernels.

    Attributes
    ----------
    scores : array
        Contiguous float64, float32, int64 or uint64.
    labels : array
        Contiguous, of a type the kernels compare with ``positive`` and ``negative``.
    offsets : int64 array
        Group ``g`` owns the rows ``offsets[g]:offsets[g + 1]``.
    positive, negative : float
        The two codes in ``labels``.
    weights : float64 array or None
        Strictly positive; rows of weight zero are gone.
    higher_is_positive : bool
        Whether high scores speak for the positive class.
    are_counts : bool
        Whether ``weights`` are numbers of cases: each row stands for so many that have its score and label.
    """

    scores: Array
    labels: Array
    offsets: Integers
    positive: float
    negative: float
    weights: Floats | None
    higher_is_positive: bool
    are_counts: bool = False

    @property
    def has_weights(self) -> bool:
        """Whether cases count differently; rows that stand for several cases do not."""
        return self.weights is not None and not self.are_counts

    @property
    def n_cases(self) -> int:
        """The cases that the rows stand for: one each, or as many as were counted."""
        return int(self.weights.sum()) if self.are_counts and self.weights is not None else self.n_rows

    @property
    def n_rows(self) -> int:
        """Rows of all groups together."""
        return int(self.scores.size)

    @property
    def n_groups(self) -> int:
        """Number of groups, empty ones included."""
        return int(self.offsets.size - 1)

    def sums_of_labels(self) -> Integers:
        """The sum of the labels of each group: its positive rows, where labels are 1 and 0."""
        return self._sums(self.labels)

    def cases_of_groups(self) -> Integers:
        """The cases of each group."""
        if not self.are_counts:
            return np.asarray(np.diff(self.offsets), dtype=np.int64)
        return self._sums(np.ones(self.n_rows, dtype=np.int64))

    def _sums(self, values: Array) -> Integers:
        """The sum of the values of each group, over the cases that its rows stand for."""
        counts = np.zeros(self.n_groups, dtype=np.int64)
        starts, sizes = self.offsets[:-1], np.diff(self.offsets)
        if self.are_counts and self.weights is not None:
            values = values * self.weights.astype(np.int64)
        if self.n_rows:
            # reduceat gives nonsense for empty groups, so it sees only the others.
            counts[sizes > 0] = np.add.reduceat(values, starts[sizes > 0], dtype=np.int64)
        return counts

    def part(self, start: int, stop: int) -> Columns:
        """The groups ``start:stop`` as a view; no row is copied."""
        first, last = int(self.offsets[start]), int(self.offsets[stop])
        return Columns(
            scores=self.scores[first:last],
            labels=self.labels[first:last],
            offsets=self.offsets[start : stop + 1] - first,
            positive=self.positive,
            negative=self.negative,
            weights=None if self.weights is None else self.weights[first:last],
            higher_is_positive=self.higher_is_positive,
            are_counts=self.are_counts,
        )


def require_single_cases(columns: Columns, what: str) -> None:
    """RS406 where rows stand for several cases each, which cannot be told apart."""
    if columns.are_counts:
        raise DataError(
            "RS406",
            f"{what} single cases; these are counts of cases between scores.",
            f"found: {counted(columns.n_rows, 'count')} of {counted(columns.n_cases, 'case')}",
            "ask for it with the scores themselves:  read_scores(path, ...)",
        )


def owned(columns: Columns, given: Iterable[Column]) -> Columns:
    """The columns in memory of their own: what may be the caller's, and could change, is copied."""
    theirs = [column.array for column in given]

    def own(array: Array) -> Array:
        return array.copy() if any(np.may_share_memory(array, other) for other in theirs) else array

    weights = None if columns.weights is None else own(columns.weights)
    return replace(columns, scores=own(columns.scores), labels=own(columns.labels), weights=weights)


def score_array(column: Column, source: Source = ARRAYS) -> Array:
    """Scores in a type the kernels take, without a copy where they already are.

    Raises
    ------
    DataError
        RS033 if they are not real numbers of at most 64 bits, RS031 if a row is marked as missing.
    """
    array = column.array
    if array.dtype not in _KERNEL_SCORES or not array.dtype.isnative:
        array = array.astype(_kernel_type(column, source))
    if column.missing is not None:
        raise missing_scores(column.missing, source)
    return in_one_piece(array)


def _kernel_type(column: Column, source: Source) -> np.dtype[Any]:
    kind, size = column.array.dtype.kind, column.array.dtype.itemsize
    if kind in "bi" or (kind == "u" and size < 8):
        return np.dtype(np.int64)
    if kind == "u":
        return np.dtype(np.uint64)
    if kind == "f" and size <= 8:
        return np.dtype(np.float64 if size == 8 else np.float32)
    if kind == "O" and column.missing is not None and _only_numbers(column):
        raise missing_scores(column.missing, source)
    raise _not_numbers(column, source)


def _only_numbers(column: Column) -> bool:
    present = column.array if column.missing is None else column.array[~column.missing]
    return all(isinstance(value, int | float | np.integer | np.floating) for value in present)


def _not_numbers(column: Column, source: Source) -> DataError:
    array, dtype = column.array, column.array.dtype
    remedy = "pass numbers; to convert them yourself:  numpy.asarray(scores, dtype=float)"
    if source.columns:
        remedy = "name the column that holds the score, or make its values numbers first"
    if dtype.kind == "O":
        strange = next(
            (i for i, v in enumerate(array) if not isinstance(v, int | float | np.number | Decimal)), None
        )
        kind = "text" if strange is not None and isinstance(array[strange], str) else "type object"
        found = f"{kind}, first at {source.row(strange or 0)}: {array[strange or 0]!r}"
        if strange is None and any(isinstance(v, int) and not -(2**63) <= v < 2**64 for v in array):
            found = f"integers of more than 64 bits, the largest {max(array)}"
            remedy = "rank them first, or convert:  numpy.asarray(scores, dtype=float)"
    elif dtype.kind in "US":
        found = f"text, first at {source.row(0)}: {array[0]!r}" if array.size else "text"
    elif dtype.kind == "c":
        found = f"type {dtype}"
        remedy = "pass the part that orders the cases:  scores.real  or  abs(scores)"
    else:
        found = f"type {dtype}"
    return DataError("RS033", source.not_numeric("score"), found, remedy)


def missing_scores(missing: Mask, source: Source = ARRAYS, where: str = "") -> DataError:
    """RS031: how many scores are missing, and the first of them."""
    rows = np.flatnonzero(missing)
    verb = "is" if rows.size == 1 else "are"
    return DataError(
        "RS031",
        f"{thousands(rows.size)} of {counted(missing.size, 'score')} {verb} missing (NaN){source.place}.",
        f"{where}first at {source.row(int(rows[0]))}",
        *_drop_remedy(source),
    )


def _drop_remedy(source: Source) -> tuple[Remedy, ...]:
    if source.columns:
        return (["drop those rows:  ", Option("on_missing", "drop"), "   (they are counted)"],)
    return ("drop those rows:  keep = ~numpy.isnan(scores)",)


def check_missing_scores(scores: Array, source: Source = ARRAYS) -> None:
    """Raise RS031 if a score is NaN."""
    if scores.dtype.kind == "f":
        missing = np.isnan(scores)
        if missing.any():
            raise missing_scores(missing, source)


def weight_array(column: Column, source: Source = ARRAYS) -> Floats:
    """Weights as float64, checked but with their zeros.

    Raises
    ------
    DataError
        RS037 if they are not numbers, or negative, missing, infinite, all zero, or of a size that floats
        cannot multiply.
    """
    array = column.array
    if array.dtype.kind not in "biuf":
        raise DataError(
            "RS037", source.not_numeric("weight"), f"type {array.dtype}", "pass one finite number per row"
        )
    if column.missing is not None:
        raise _bad_weights(column.missing, "missing", array, source)
    weights = np.ascontiguousarray(array, dtype=np.float64)
    # Two fast passes tell whether anything is wrong; NaN makes both comparisons false.
    if weights.min() >= 0 and weights.max() < np.inf:
        _require_a_sum(weights, source)
        return weights
    for word, bad in (
        ("missing (NaN)", np.isnan(weights)),
        ("negative", weights < 0),
        ("infinite", np.isinf(weights)),
    ):
        if bad.any():
            raise _bad_weights(bad, word, weights, source)
    raise AssertionError("unreachable: a weight is NaN, negative or infinite")


def _require_a_sum(weights: Floats, source: Source) -> None:
    """RS037 unless the weights have a sum, neither zero nor infinite, and each can be divided by."""
    with np.errstate(over="ignore"):
        largest, total = weights.max(), weights.sum()
    if largest == 0:
        raise DataError(
            "RS037",
            f"all weights are zero{source.place}.",
            counted(weights.size, "row"),
            "leave the weights out",
        )
    if np.isinf(total):
        raise DataError(
            "RS037",
            f"the weights are too large to be summed{source.place}.",
            f"the largest is {largest:g}",
            "only their ratios matter: divide all of them by the largest",
        )
    tiny = (weights > 0) & (weights < SMALLEST_WEIGHT)
    if tiny.any():
        row = int(np.flatnonzero(tiny)[0])
        verb = "is" if tiny.sum() == 1 else "are"
        remedies = ["only their ratios matter: divide all of them by the largest"]
        if largest >= SMALLEST_WEIGHT:
            remedies = ["weigh such rows 0, and they drop out, or give them a weight that counts"]
        how_many = f"{thousands(int(tiny.sum()))} of {counted(weights.size, 'weight')}"
        raise DataError(
            "RS037",
            f"{how_many} {verb} too small to be divided by{source.place}.",
            f"first at {source.row(row)}: {weights[row]:g}; the smallest that can is {SMALLEST_WEIGHT:g}",
            *remedies,
        )


def _bad_weights(bad: Mask, word: str, weights: Array, source: Source) -> DataError:
    rows = np.flatnonzero(bad)
    verb = "is" if rows.size == 1 else "are"
    remedies: tuple[Remedy, ...] = ("weights must be finite and not negative; a row of weight 0 drops out",)
    value = f": {weights[rows[0]]}"
    if word.startswith("missing"):
        value = ""
        remedies += _drop_remedy(source) if source.columns else ()
    return DataError(
        "RS037",
        f"{thousands(rows.size)} of {counted(bad.size, 'weight')} {verb} {word}{source.place}.",
        f"first at {source.row(int(rows[0]))}{value}",
        *remedies,
    )


def looks_like_decisions(scores: Array) -> bool:
    """Whether at least ten scores take exactly two values; reads on only while they might."""
    if scores.size < 10:
        return False
    head = np.unique(scores[:1000])
    if head.size > 2:
        return False
    others = scores[~np.isin(scores, head)]
    if head.size == 2:
        return others.size == 0
    return bool(others.size) and bool((others == others[0]).all())
