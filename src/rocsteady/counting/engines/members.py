"""Who the rows belong to: pairs of model and group, found in what an engine handed over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.scores.grouping import not_single

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MemberIndex:
    """The members of a table, models first, each in order.

    Attributes
    ----------
    keys : tuple of str
        The columns that say which member a row belongs to, of ``model_`` and ``group_``.
    values : tuple of tuples
        For every key its distinct values.
    codes : int64 array, (n_members, n_keys)
        For every member the place of its value in those of each key.
    types : tuple
        Arrow types of the keys, to write them down as they came.
    """

    keys: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]
    codes: Integers
    types: tuple[Any, ...]

    def __len__(self) -> int:
        return int(self.codes.shape[0])

    def places(self, table: Any) -> Integers:
        """The member of every row of an Arrow table; -1 where a key is missing or unknown."""
        if not self.keys:
            return np.zeros(table.num_rows, dtype=np.int64)
        whole = np.zeros(table.num_rows, dtype=np.int64)
        missing = np.zeros(table.num_rows, dtype=np.bool_)
        for key, known in zip(self.keys, self.values, strict=True):
            codes, found = _coded(table.column(key))
            place = {value: i for i, value in enumerate(known)}
            own = np.array([place.get(value, -1) for value in found] + [-1], dtype=np.int64)[codes]
            missing |= own < 0
            whole = whole * len(known) + own
        combined = np.zeros(len(self), dtype=np.int64)  # rises: members are in order
        for i, known in enumerate(self.values):
            combined = combined * len(known) + self.codes[:, i]
        if not len(self):
            return np.full(table.num_rows, -1, dtype=np.int64)
        place_of = np.searchsorted(combined, whole).clip(0, len(self) - 1)
        return np.where(missing | (combined[place_of] != whole), -1, place_of)

    def columns(self, members: Integers) -> dict[str, Any]:
        """The keys of these members as Arrow arrays."""
        import pyarrow as pa

        return {
            key: pa.array([known[code] for code in self.codes[members, i].tolist()], type=kind)
            for i, (key, known, kind) in enumerate(zip(self.keys, self.values, self.types, strict=True))
        }


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
        raise not_single(str(whole.type))
    encoded = whole if pa.types.is_dictionary(whole.type) else whole.dictionary_encode()
    listed = encoded.dictionary
    if pa.types.is_timestamp(listed.type) and listed.type.tz is not None:
        listed = listed.cast(pa.timestamp(listed.type.unit, "UTC"))  # an hour that comes twice a year is two
    values = listed.to_pylist()
    indices = encoded.indices.cast(pa.int64())  # those of categories have no sign
    codes = indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    absent = [i for i, value in enumerate(values) if value is None or value != value]  # noqa: PLR0124 (NaN)
    if absent:
        codes[np.isin(codes, absent)] = -1
    first: dict[Any, int] = {}
    same = [first.setdefault(value, i) for i, value in enumerate(values)]  # 0.0 and -0.0 are one group
    if len(first) < len(values):
        codes = np.append(np.array(same, dtype=np.int64), -1)[codes]
    return codes, values


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
