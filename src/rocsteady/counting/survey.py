"""The first look at a table: its members, how many rows of each label, which labels are positive.

Rows that cannot be counted are told, or left out and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Integers
from rocsteady.counting.cells import BAD_WEIGHT, MISSING_LABEL, MISSING_SCORE
from rocsteady.counting.engines import EngineTable
from rocsteady.counting.plan import (
    ZERO_WEIGHT,
    Question,
    labels,
)
from rocsteady.errors import RocsteadyError, counted, fail, warn
from rocsteady.scores.columns import Dropped, Factor, Source, no_rows, role_kind
from rocsteady.scores.labels import Classes, classes_among, typed_labels

_CAUSES = {
    MISSING_SCORE: "no score",
    MISSING_LABEL: "no label",
    BAD_WEIGHT: "no weight",
    ZERO_WEIGHT: "weight zero",
}


@dataclass
class Faults:
    """How many rows cannot be counted, by cause."""

    causes: Counter[str] = field(default_factory=Counter)

    @property
    def n_rows(self) -> int:
        """All of them."""
        return sum(self.causes.values())

    def note(
        self, codes: NDArray[Any], rows: NDArray[np.int64], members: NDArray[np.int64], keys: Any
    ) -> None:
        """Note the rows of cells with negative numbers, and of no member."""
        for code, cause in _CAUSES.items():
            n = int(rows[codes == code].sum())
            if n:
                self.causes[cause] += n
        homeless = int(rows[(codes >= 0) & (members < 0)].sum())
        if homeless:
            self.causes["no group" if "group_" in keys else "no model"] += homeless

    def settle(self, on_missing: str, source: Source, n_rows: int) -> Dropped:
        """What was left out; a coded error where rows lack a value and nobody said to drop them."""
        zero = self.causes.get("weight zero", 0)
        lacking = {cause: n for cause, n in self.causes.items() if cause != "weight zero"}
        if lacking and on_missing == "raise":
            cause = next(iter(lacking))
            raise _lacking(cause, lacking[cause], n_rows, source)
        if lacking:
            rows = ", ".join(f"{counted(n, 'row')} without a {cause[3:]}" for cause, n in lacking.items())
            warn("RS102.counted", rows=rows, place=source.place)
        return Dropped(sum(lacking.values()) + zero, dict(self.causes))


def _lacking(cause: str, n: int, n_rows: int, source: Source) -> RocsteadyError:
    role = cause[3:]
    column, place = source.column(role), source.place
    if role == "label":
        return fail("RS023.counting", n=n, n_rows=n_rows, column=column, place=place)
    if role == "score":
        return fail("RS031.counting", n=n, n_rows=n_rows, column=column, place=place)
    if role == "weight":
        return fail("RS037.counting", n=n, n_rows=n_rows, column=column, place=place)
    return fail("RS035.counting", n=n, n_rows=n_rows, role=role, column=column, place=place)


# Who the rows belong to: pairs of model and group, found in what an engine handed over
# -------------------------------------------------------------------------------------


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
        raise fail("RS034.entry", kind=str(whole.type))
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


# The first look at a table: which members it has, how many rows of each label, which labels are positive
# -------------------------------------------------------------------------------------------------------

_LOOKED_AT, _MOST_LABELS = 2000, 100


@dataclass(frozen=True, eq=False)
class Survey:
    """What a table holds.

    Attributes
    ----------
    question : Question
        What to ask of it from now on.
    members : MemberIndex
        Who its rows belong to.
    n_positives, n_negatives : int64 arrays
        Rows of each class of every member, unusable scores included.
    n_rows : int
        All rows.
    classes : Classes
        The words for the two classes.
    """

    question: Question
    members: MemberIndex
    n_positives: Integers
    n_negatives: Integers
    n_rows: int
    classes: Classes

    @property
    def n_rarer(self) -> int:
        """Rows of the rarer class of every member, all together."""
        return int(np.minimum(self.n_positives, self.n_negatives).sum())


def surveyed(table: EngineTable, roles: tuple[str, ...], positive: object) -> Survey:
    """Look at labels and members; RS020 to RS022 if the labels do not say which rows are positive."""
    import pyarrow as pa

    keys = tuple(f"{role}_" for role in ("model", "group") if role in roles)
    _require_few_labels(table, positive)
    found = table.collect(labels(table.frame().select("label_", *keys), keys), "Counting labels")
    n_rows = int(found.column("rows").to_numpy().sum()) if found.num_rows else 0
    if n_rows == 0:
        raise no_rows(table.source)
    spelled, counts, places = _distinct_labels(found)
    if not spelled:
        raise fail("RS023.all", n=n_rows, column=table.source.column("label"), place=table.source.place)
    # 1.0 and 1 are one class, with one name.
    values = [int(own) if isinstance(own, float) and own.is_integer() else own for own in spelled]
    if table.source.text_labels and all(isinstance(value, str) for value in spelled):
        values = list(typed_labels(spelled))
    source = _plain_source(table.source)
    is_positive, classes = classes_among(
        Factor(np.arange(len(values)), tuple(values), counts), positive, source
    )
    positives = tuple(value for value, yes in zip(spelled, is_positive, strict=True) if yes)
    members = members_in(found, keys)
    place = members.places(found)
    own = np.append(np.asarray(is_positive, dtype=np.int64), -1)[places]
    rows = found.column("rows").to_numpy()
    per_class = [
        np.bincount(place[(own == side) & (place >= 0)], rows[(own == side) & (place >= 0)], len(members))
        for side in (1, 0)
    ]
    question = Question(
        keys=members.keys,
        positives=positives or (_impossible(spelled),),
        is_weighted="weight" in roles,
        float_labels=pa.types.is_floating(found.schema.field("label_").type),
    )
    n_positives, n_negatives = (own.astype(np.int64) for own in per_class)
    return Survey(question, members, n_positives, n_negatives, n_rows, classes)


def _require_few_labels(table: EngineTable, positive: object) -> None:
    """RS022 at once where a column of names or numbers was taken for labels: all of them would be counted."""
    head = table.collect(table.frame().select("label_").head(_LOOKED_AT), "Looking at the first rows")
    present = head.column("label_").drop_null().value_counts().to_pylist()
    if len(present) > _MOST_LABELS:
        counts = np.array([own["counts"] for own in present], dtype=np.int64)
        values = tuple(own["values"] for own in present)
        classes_among(Factor(np.arange(len(values)), values, counts), positive, _plain_source(table.source))


def _plain_source(source: Source) -> Source:
    return Source(source.name, source.columns, text_labels=source.text_labels)


def _distinct_labels(found: Any) -> tuple[list[Any], Integers, Integers]:
    """Labels in order, how many rows each has, and for every row of the table which it is; -1 if missing."""
    listed = found.column("label_").to_pylist()
    rows = found.column("rows").to_numpy()
    present = [v for v in dict.fromkeys(listed) if v is not None and v == v]  # noqa: PLR0124 (NaN)
    present.sort(key=str)
    place = {value: i for i, value in enumerate(present)}
    places = np.array([place.get(value, -1) if value == value else -1 for value in listed], dtype=np.int64)  # noqa: PLR0124
    counts = np.bincount(places[places >= 0], rows[places >= 0], len(present)).astype(np.int64)
    return present, counts, places


def _impossible(labels_found: list[Any]) -> Any:
    """A label of the same type that no row has: all rows are negative."""
    first = labels_found[0]
    if isinstance(first, bool):
        return not first
    if isinstance(first, str):
        return "".join(map(str, labels_found)) + "?"
    return max(labels_found) + 1


def survey_columns(survey: Survey, **columns: Any) -> Any:
    """The members as an Arrow table: their keys, and columns with one entry for each."""
    import pyarrow as pa

    members = np.arange(len(survey.members))
    named = {"member_": members, **columns}
    return pa.table(survey.members.columns(members) | {name: pa.array(own) for name, own in named.items()})


def rows_of(table: EngineTable, question: Question, score: str) -> Any:
    """The columns that a pass reads, the score called ``score_``."""
    weights = ["weight_"] if question.is_weighted else []
    frame = table.frame()
    own = nw.col(f"{score}_")
    others = [role for role in table.source.columns if role_kind(role) == "score" and role != score]
    if others:  # models are compared on the same rows: one that lacks a score lacks all
        numbers = [nw.col(f"{other}_").cast(nw.Float64) for other in others]
        missing = reduce(or_, [number.is_null() | number.is_nan() for number in numbers])
        own = nw.when(~missing).then(own)
    return frame.select("label_", own.alias("score_"), *question.keys, *weights)
