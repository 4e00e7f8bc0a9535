"""From names, one per row, to integer codes in order of appearance, and rows brought together by code.

Tables of ten million rows are usual, so no step loops over rows in Python, and rows that already stand
together are not moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import DataError
from rocsteady.scores.arrays import Array, Column, Mask
from rocsteady.words import printable

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Factor:
    """Codes of each row, and the distinct values they stand for, in order of appearance.

    A missing value has the code -1. Where each value is there once for many rows, ``counts`` has how many.
    """

    codes: Integers
    values: Sequence[Any]
    counts: Integers | None = None

    def __len__(self) -> int:
        return int(self.codes.size)

    @property
    def missing(self) -> Mask:
        """Rows without a value."""
        return self.codes < 0

    def column(self) -> Column:
        """The values, row by row."""
        values = np.empty(len(self.values) + 1, dtype=object)
        values[:-1] = self.values
        return Column(values[self.codes], self.missing if self.missing.any() else None)

    @property
    def rows_of_values(self) -> Integers:
        """How many rows have each value."""
        if self.counts is not None:
            return self.counts
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.values))

    @property
    def names(self) -> tuple[str, ...]:
        """The values as words."""
        return tuple(map(word, self.values))


def word(value: object) -> str:
    """A value as text, for names of groups and models."""
    if isinstance(value, datetime) and value.tzinfo is None:
        value = np.datetime64(value)  # the same day has one name, whatever read it
    if isinstance(value, np.datetime64):
        return str(np.datetime_as_string(value, unit="auto"))
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    try:
        return str(value)
    except ValueError:  # Python spells no integer of more than 4300 digits
        return f"an integer of {cast(int, value).bit_length()} bits"


def shown(value: object) -> str:
    """A value as it is written in messages: one line, without control characters."""
    return printable(word(value))


def factorize(column: Column) -> Factor:
    """Number the distinct values of a column in order of appearance."""
    array = column.array
    missing = column.missing
    if array.dtype.kind in "fcmM":
        absent = np.isnat(array) if array.dtype.kind in "mM" else np.isnan(array)
        missing = absent if missing is None else missing | absent
    if missing is not None and missing.any():
        present = factorize(Column(array[~missing]))
        codes = np.full(array.size, -1, dtype=np.int64)
        codes[~missing] = present.codes
        return Factor(codes, present.values)
    if array.size == 0:
        return Factor(np.empty(0, dtype=np.int64), ())

    # Rows of one group usually stand together: then only the heads of the runs have to be looked up.
    heads = np.flatnonzero(np.concatenate([[True], _differs_from_last(array)]))
    if heads.size > array.size // 2:
        return _number(array)
    runs = _number(array[heads])
    lengths = np.diff(np.append(heads, array.size))
    return Factor(np.repeat(runs.codes, lengths), runs.values)


def _differs_from_last(array: Array) -> Mask:
    try:
        return np.asarray(array[1:] != array[:-1], dtype=np.bool_)
    except (TypeError, ValueError) as error:  # entries that are arrays themselves
        raise not_single(type(array[0]).__name__) from error


def not_single(kind: str) -> DataError:
    """RS034 for labels or names that are lists."""
    return DataError(
        "RS034",
        "labels and names must be single values.",
        f"an entry of type {kind}",
        "pass one text or number per row",
    )


def _number(array: Array) -> Factor:
    if array.dtype.kind in "biu":
        low, high = int(array.min()), int(array.max())
        if high - low <= 4 * array.size + 1000:
            return _number_by_table(array, low, high - low + 1)
    if array.dtype.kind in "biufcmM":
        values, first, inverse = np.unique(array, return_index=True, return_inverse=True)
        by_appearance = np.argsort(first)
        rank = np.empty(values.size, dtype=np.int64)
        rank[by_appearance] = np.arange(values.size)
        return Factor(rank[inverse.ravel()], _as_python(values[by_appearance]))
    items = array.tolist()
    try:
        table = {value: code for code, value in enumerate(dict.fromkeys(items))}
    except TypeError as error:
        raise not_single(str(error).rpartition(" ")[2].strip("'")) from error
    codes = np.fromiter(map(table.__getitem__, items), dtype=np.int64, count=array.size)
    return Factor(codes, tuple(table))


def _number_by_table(array: Array, low: int, width: int) -> Factor:
    shifted = array.astype(np.int64) - low if array.dtype != np.uint64 else (array - array.dtype.type(low))
    first = np.full(width, -1, dtype=np.int64)
    first[shifted[::-1]] = np.arange(array.size - 1, -1, -1)  # the last one written is the first to appear
    present = np.flatnonzero(first >= 0)
    by_appearance = present[np.argsort(first[present])]
    first[by_appearance] = np.arange(by_appearance.size)
    kind = bool if array.dtype.kind == "b" else int
    return Factor(first[shifted], tuple(kind(low + offset) for offset in by_appearance.tolist()))


def _as_python(values: Array) -> tuple[Any, ...]:
    """Python values, except for dates: ``tolist`` would make numbers of those in nanoseconds."""
    return tuple(values) if values.dtype.kind in "mM" else tuple(values.tolist())


def gathering_order(codes: Integers, n_codes: int) -> Integers | None:
    """The stable order that brings equal codes together, or None if they rise already."""
    if np.all(codes[1:] >= codes[:-1]):
        return None
    # NumPy sorts 16-bit integers by counting, several times faster than wider ones.
    low = codes.astype(np.uint16)
    order = np.argsort(low, kind="stable")
    if n_codes > 2**16:
        high = (codes[order] >> 16).astype(np.uint16 if n_codes <= 2**32 else np.int64)
        order = order[np.argsort(high, kind="stable")]
    return order
