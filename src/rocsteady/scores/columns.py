"""Columns: whatever a caller hands over becomes flat arrays with masks, and names become codes, once."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Array, Floats, Integers, Mask
from rocsteady.errors import MemberError as MemberError  # noqa: PLC0414 - members are looked up here
from rocsteady.errors import RocsteadyError, fail, first_line, warn
from rocsteady.options import LARGEST_EXACT
from rocsteady.results import Frozen, read_only
from rocsteady.words import counted, near_match, printable, spelled

NUMERIC = frozenset({"label", "score", "weight"})
"""Roles whose decimals and other objects are read as numbers."""
NAMES = ("group", "model", "case", "cluster", "repeat")
"""Roles whose values are names."""
_PLURALS = {"outcome": "outputs"} | {role: f"{role}s" for role in (*NUMERIC, *NAMES, "fold")}
SMALLEST_WEIGHT = 1e-305
"""Shares of a class divide by its weight: with less the quotient, times a few, leaves the range of floats."""
_NUMBERS = (Decimal, int, float, np.integer, np.floating, np.bool_)


def role_kind(role: str) -> str:
    """``score`` for ``score_0`` and its like, of which there is one for each model; others as they are."""
    return "score" if role.startswith(("score_", "scores[")) else role


@dataclass(frozen=True)
class Source:
    """Where the rows came from, so that messages can name columns and lines."""

    name: str = ""
    """The file, or the fold."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """The names of columns by role, of files and frames."""
    row: Callable[[int], str] = "row {}".format
    """Spells the position of a row: ``line 5``, ``row 0 of fold 2``."""
    text_labels: bool = False
    """Whether ``positive="1"`` may also mean the number 1: the rows were text once."""

    def column(self, role: str) -> str:
        """How a message calls the column: ``column "stage"``, or ``labels`` for an array."""
        if role in self.columns:
            return f'column "{printable(str(self.columns[role]))}"'
        return _PLURALS.get(role, role)

    @property
    def place(self) -> str:
        """`` in scores.csv``, or nothing."""
        return f" in {printable(self.name)}" if self.name else ""

    def of_scores(self, role: str) -> Source:
        """The source, for messages about the scores of one of several models; itself for other columns."""
        if role_kind(role) == role:
            return self
        if role in self.columns:
            return replace(self, columns={**self.columns, "score": self.columns[role]})
        return replace(self, name=role)

    def of_rows(self, rows: Integers | None) -> Source:
        """The source, for messages about some of its rows: they keep their old numbers."""
        return self if rows is None else replace(self, row=lambda row: self.row(int(rows[row])))


ARRAYS = Source()


# Anything column-like becomes a flat NumPy array and a mask of what is missing
# -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Column:
    """A flat array."""

    array: Array
    missing: Mask | None = None
    """Rows known to be missing; among floats and objects none is looked for."""
    index: Any = None
    """Of the pandas Series it came from: columns of one table must have the same."""

    def __len__(self) -> int:
        return int(self.array.size)

    def __getitem__(self, rows: Any) -> Column:
        return Column(self.array[rows], None if self.missing is None else some(self.missing[rows]))

    @property
    def gaps(self) -> Mask | None:
        """Rows without a value, NaN and NaT included; None if there are none."""
        kind = self.array.dtype.kind
        if kind not in "fcmMO" or (kind == "O" and self.missing is not None):
            return self.missing
        if kind == "O":
            absent = np.fromiter(map(is_missing, self.array), dtype=np.bool_, count=len(self))
        else:
            absent = np.isnat(self.array) if kind in "mM" else np.isnan(self.array)
        return some(absent if self.missing is None else self.missing | absent)


def some(mask: Mask) -> Mask | None:
    """A mask that marks something, else None."""
    return mask if mask.any() else None


def taken(values: Any, rows: Integers | slice | None) -> Any:
    """These rows of an array, a column or names; all of them for None."""
    return values if rows is None or values is None else values[rows]


def read_column(values: object, role: str, source: Source = ARRAYS) -> Column:
    """Read any one-dimensional column; RS034 if it is none."""
    if isinstance(values, Column):
        return values
    try:
        column = Column(values) if type(values) is np.ndarray else _converted(values, role, source)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        raise fail(
            "RS034.flat",
            column=source.column(role),
            place=source.place,
            kind=type(values).__name__,
            reason=first_line(error),
        ) from error
    shape = column.array.shape
    if len(shape) != 1:
        plural = _PLURALS.get(role, role)
        is_flat = len(shape) > 1 and max(shape) == np.prod(shape)
        is_matrix = role == "score" and len(shape) == 2 and not is_flat
        raise fail(
            "RS034.shape",
            column=source.column(role),
            n=len(shape),
            shape=shape,
            flat=plural if is_flat else None,
            matrix=plural if is_matrix else None,
        )
    if column.array.dtype.kind == "O" and role in ("score", "weight"):  # labels and names are numbered
        return _with_numbers(replace(column, missing=column.gaps), role, source)
    return column


def _converted(values: object, role: str, source: Source) -> Column:
    if "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray):  # which takes a while to load
        return Column(np.asarray(values.data), some(np.ma.getmaskarray(values)))
    if isinstance(values, list | tuple):
        return Column(_from_list(values, role, source))
    native: Any = values.to_native() if hasattr(values, "to_native") else values  # of narwhals
    index = index_of(native)
    is_numpy = isinstance(getattr(native, "dtype", None), np.dtype)  # a subclass, or a Series that holds one
    if is_numpy and hasattr(native, "__array__"):
        return Column(np.asarray(native), None, index)
    import narwhals.stable.v2 as nw

    series = nw.from_native(native, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return replace(_from_series(series, role, source), index=index)
    if hasattr(native, "__array__"):
        return Column(np.asarray(native))
    if isinstance(native, str | bytes | dict | set | frozenset) or not isinstance(native, Iterable):
        raise TypeError("it has no rows in order")
    return _converted(list(native), role, source)


def _from_list(values: Sequence[Any], role: str, source: Source) -> Array:
    """Values as NumPy has them; as objects where it would make something else of labels or names."""
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "USf":
        return array
    if array.dtype.kind == "f":
        large = np.flatnonzero(np.abs(array.astype(np.float64)) >= LARGEST_EXACT).tolist()
        are_integers = bool(large) and all(isinstance(value, int | np.integer) for value in values)
        if are_integers and all(0 <= value < 2**64 for value in values):
            return np.array(values, dtype=np.uint64)  # NumPy rounds 2**63 beside 1 to floats
        if not are_integers and not (large and (role == "label" or role in NAMES)):
            warn_of_rounding(((float(array[i]), values[i]) for i in large), role, source)
            return array
    array = np.empty(len(values), dtype=object)  # NumPy spells the number 1 beside text as '1'
    array[:] = values
    return array


def _from_series(series: Any, role: str, source: Source) -> Column:
    """A narwhals Series; what its back end calls null is marked, and the others keep their type."""
    import narwhals.stable.v2 as nw

    if series.dtype in (nw.Int128, nw.UInt128):  # NumPy has no such integers, Python has
        return Column(_from_list(series.to_list(), role, source))
    if series.dtype == nw.Decimal and role in NUMERIC:
        texts = series.cast(nw.String)
        series = texts.cast(nw.Float64)  # Arrow's own cast is off by a bit now and then
        texts = texts.drop_nulls().unique()
        warn_of_rounding(zip(texts.cast(nw.Float64).to_list(), texts.to_list(), strict=True), role, source)
    missing = some(np.asarray(series.is_null().to_numpy(), dtype=np.bool_))
    # Through drop_nulls: to_numpy would turn integers with nulls into floats and round them.
    return Column(_spread((series if missing is None else series.drop_nulls()).to_numpy(), missing), missing)


def _spread(present: Array, missing: Mask | None) -> Array:
    """The values in their rows; any value stands where one is missing."""
    if missing is None:
        return present
    array = np.zeros(missing.size, dtype=present.dtype)
    array[~missing] = present
    return array


def _with_numbers(column: Column, role: str, source: Source) -> Column:
    """Python's numbers as an array of numbers; a column of anything else as it is."""
    missing = column.missing
    items = (column.array if missing is None else column.array[~missing]).tolist()
    if not items or not isinstance(items[0], _NUMBERS):
        return column  # text, mostly: not worth a look at every row
    kinds = set(map(type, items))
    if not all(issubclass(kind, _NUMBERS) for kind in kinds):
        return column
    if any(issubclass(kind, Decimal) for kind in kinds):
        numbers = np.array([float(v) for v in items])
        warn_of_rounding(zip(numbers.tolist(), items, strict=True), role, source)
    else:
        numbers = _from_list(items, role, source)
    return replace(column, array=_spread(numbers, missing)) if numbers.dtype.kind in "biuf" else column


def is_missing(value: object) -> bool:
    """Whether it is None, NaN, NaT or pandas.NA."""
    if value is None:
        return True
    if isinstance(value, str | int):
        return False
    try:
        return bool(value != value)  # noqa: PLR0124 - NaN and NaT differ from themselves
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"  # which refuses to be a truth value
    except ArithmeticError:
        return True  # a signalling NaN among decimals, which may not even be compared


def warn_of_rounding(become: Iterable[tuple[float, Any]], role: str, source: Source) -> None:
    """RS107 if scores that differ become one float, or finite ones an infinite one."""
    if role_kind(role) != "score":
        return
    spelled: dict[float, set[Any]] = {}
    for number, value in become:
        spelled.setdefault(number, set()).add(value)
    facts = {"column": source.column(role), "place": source.place}
    kept = {
        number: _different(values)
        for number, values in sorted(spelled.items())
        if len(values) > 1 or math.isinf(number)
    }
    ties = {number: own for number, own in kept.items() if len(own) > 1 and math.isfinite(number)}
    if ties:
        n, (tied, texts) = sum(map(len, ties.values())), next(iter(ties.items()))
        warn("RS107.ties", n=n, floats=len(ties), tied=tied, pair=texts[:2], **facts)
    infinite = [(number, value) for number, own in kept.items() if math.isinf(number) for value in own]
    if infinite:
        infinity, large = infinite[0]
        warn("RS107.infinite", lost=len(infinite), large=large, infinity=infinity, **facts)


def _different(values: Iterable[Any]) -> list[str]:
    """One text of each finite number among texts, decimals and integers; 0.5 and 0.50 are one."""
    found: dict[Any, str] = {}
    for value in sorted(values, key=str):
        try:
            number = Decimal(str(value))
        except InvalidOperation:  # an exponent that even decimals do not have
            number = value
        if not isinstance(number, Decimal) or number.is_finite():
            found.setdefault(number, str(value))
    return list(found.values())


# Columns of one table: equally long, with one index
# --------------------------------------------------


def read_columns(given: Mapping[str, object], source: Source = ARRAYS) -> dict[str, Any]:
    """The columns of a table by role: names as a :class:`Factor`, others as a :class:`Column`.

    None is a column that was not given; labels and scores always are.

    The one door: arrays, frames, files and folds come through it. RS013 for columns of different lengths,
    RS010 for those without a row, RS015 for other indexes.
    """
    read = {
        role: values
        if isinstance(values, Factor)
        else read_column(values, role_kind(role), source.of_scores(role))
        for role, values in given.items()
        if values is not None or role_kind(role) in ("label", "score")
    }
    sizes = {source.column(role): len(column) for role, column in read.items()}
    if len(set(sizes.values())) > 1:
        lengths = ", ".join(f"{name}: {counted(n, 'row')}" for name, n in sizes.items())
        raise fail("RS013", columns=" and ".join(sizes), lengths=lengths)
    if 0 in sizes.values():
        raise no_rows(source)
    require_one_index({role: getattr(column, "index", None) for role, column in read.items()}, source)
    return {role: factorize(column) if role in NAMES else column for role, column in read.items()}


def no_rows(source: Source = ARRAYS) -> RocsteadyError:
    """RS010, with advice for a file if that is what the source is, else for a filter."""
    if source.name and source.columns:
        return fail("RS010.file", file=printable(source.name), found="0 rows")
    return fail("RS010", what=f"{printable(source.name)} has" if source.name else "there are")


def index_of(values: Any) -> Any:
    """The index of a pandas Series or frame; None of anything else. pandas is not imported for it."""
    if hasattr(values, "to_native"):  # narwhals
        values = values.to_native()
    index = getattr(values, "index", None)
    return index if callable(getattr(index, "equals", None)) else None


def require_one_index(indexes: Mapping[str, Any], source: Source = ARRAYS) -> None:
    """RS015 if columns came with different indexes; None, for a column without one, fits all others."""
    known = [(role, index) for role, index in indexes.items() if index is not None]
    for role, index in known[1:]:
        first_role, first = known[0]
        if index is first or len(index) != len(first) or first.equals(index):
            continue
        pairs = zip(*(np.asarray(each, dtype=object) for each in (first, index)), strict=True)
        differs = (i for i, (a, b) in enumerate(pairs) if a != b and not (is_missing(a) and is_missing(b)))
        row = next(differs, None)
        if row is None:
            continue
        one, other = ("sample_weight" if r == "weight" else _PLURALS.get(r, r) for r in (first_role, role))
        is_shuffled = first.is_unique and index.is_unique and set(first) == set(index)
        aligned = "pandas.DataFrame(columns)" if source.columns else f"{other} = {other}.loc[{one}.index]"
        raise fail(
            "RS015",
            one=source.column(first_role),
            other=source.column(role),
            place=source.place,
            row=row,
            label=first.tolist()[row],
            label_of_other=index.tolist()[row],
            align=aligned if is_shuffled else None,
            values="column.to_numpy()" if source.columns else f"{other}.to_numpy()",
        )


def missing_values(missing: Mask, role: str, source: Source = ARRAYS, *, owner: str = "") -> RocsteadyError:
    """RS023, RS031, RS035 or RS037: how many values are missing, the first of them, whose they all are."""
    rows = np.flatnonzero(missing)
    column = source.column(role)
    facts = {"n": rows.size, "total": missing.size, "place": source.place, "first": source.row(int(rows[0]))}
    facts |= {"drop": "drop", "arrays": None} if source.columns else {"drop": None, "arrays": column}
    if role == "score":
        return fail("RS031", owner=owner, **facts)
    if role in ("label", "weight"):
        return fail("RS023.some" if role == "label" else "RS037.missing", **facts)
    return fail("RS035", role=role, column=column, **facts)


# Names, one per row, become integer codes in order of appearance
# ---------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Factor(Frozen):
    """Codes of each row, -1 for a missing value, and the values they stand for, in order of appearance."""

    codes: Integers
    values: Sequence[Any]
    counts: Integers | None = None
    """How many rows have each value, where it is there only once."""

    def __len__(self) -> int:
        return int(self.codes.size)

    def __getitem__(self, rows: Any) -> Factor:
        return Factor(self.codes[rows], self.values)

    @property
    def gaps(self) -> Mask | None:
        """Rows without a value; None if there are none."""
        return some(self.codes < 0)

    @property
    def names(self) -> tuple[str, ...]:
        """The values as words."""
        return tuple(map(word, self.values))

    def called(self, values: Sequence[Any]) -> Factor:
        """The same rows, each value called otherwise; those that are then alike become one."""
        places = {value: place for place, value in enumerate(dict.fromkeys(values))}
        codes = np.array([*(places[value] for value in values), -1], dtype=np.int64)
        return Factor(codes[self.codes], tuple(places))


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
        return f"an integer of {cast('int', value).bit_length()} bits"


def shown(value: object) -> str:
    """A value as it is written in messages: one line, without control characters."""
    return printable(word(value))


def known_names(column: Column | Factor, role: str) -> Factor:
    """The names of all rows as codes; RS023 or RS035 if one is missing."""
    found = factorize(column)
    if found.gaps is not None:
        raise missing_values(found.gaps, role)
    return found


def factorize(column: Column | Factor) -> Factor:
    """Number the distinct values of a column in order of appearance."""
    if isinstance(column, Factor):
        return column
    array = column.array
    is_unsearched = array.dtype.kind == "O" and column.missing is None
    gaps = None if is_unsearched else column.gaps
    if gaps is not None:
        present = factorize(Column(array[~gaps]))
        codes = np.full(array.size, -1, dtype=np.int64)
        codes[~gaps] = present.codes
        return Factor(codes, present.values)
    if array.size == 0:
        return Factor(np.empty(0, dtype=np.int64), ())
    # Rows of one group usually stand together: then only the heads of the runs have to be looked up.
    try:
        heads = np.flatnonzero(np.concatenate([[True], np.asarray(array[1:] != array[:-1], dtype=np.bool_)]))
    except (TypeError, ValueError, ArithmeticError):  # pandas.NA, or entries that are lists
        return _numbered(array)
    if heads.size > array.size // 2:
        return _numbered(array)
    runs = _numbered(array[heads])
    return Factor(np.repeat(runs.codes, np.diff(np.append(heads, array.size))), runs.values)


def _numbered(array: Array) -> Factor:
    """Objects by a table of the distinct values: only these are looked at for what is missing."""
    kind = array.dtype.kind
    if kind not in "biufcmM":
        items = array.tolist()
        try:
            distinct = dict.fromkeys(items)
        except TypeError as error:
            gaps = Column(array).gaps  # a signalling NaN has no hash
            if gaps is None or kind != "O":
                raise fail("RS034.entry", kind=str(error).rpartition(" ")[2].strip("'")) from error
            return factorize(Column(array, gaps))
        known = [value for value in distinct if not is_missing(value)]
        table = dict.fromkeys(distinct, -1) | {value: code for code, value in enumerate(known)}
        return Factor(np.fromiter(map(table.__getitem__, items), np.int64, array.size), tuple(known))
    low, high = (int(array.min()), int(array.max())) if kind in "biu" else (0, 2**64)
    if high - low <= 4 * array.size + 1000:  # close together: several times faster than to sort them
        shifted = array.astype(np.int64) - low if array.dtype != np.uint64 else array - array.dtype.type(low)
        first = np.full(high - low + 1, -1, dtype=np.int64)
        first[shifted[::-1]] = np.arange(array.size - 1, -1, -1)  # the last one written appears first
        present = np.flatnonzero(first >= 0)
        order = present[np.argsort(first[present])]
        first[order] = np.arange(order.size)
        values = [bool(low + own) if kind == "b" else low + own for own in order.tolist()]
        return Factor(first[shifted], tuple(values))
    distinct_values, first, inverse = np.unique(array, return_index=True, return_inverse=True)
    order = np.argsort(first)
    ordered = distinct_values[order]  # of dates in nanoseconds tolist would make numbers
    return Factor(np.argsort(order)[inverse.ravel()], tuple(ordered if kind in "mM" else ordered.tolist()))


def gathering_order(codes: Integers, n_codes: int) -> Integers | None:
    """The stable order that brings equal codes together, or None if they rise already."""
    if np.all(codes[1:] >= codes[:-1]):
        return None
    # NumPy sorts 16-bit integers by counting, several times faster than wider ones.
    order = np.argsort(codes.astype(np.uint16), kind="stable")
    if n_codes > 2**16:
        high = (codes[order] >> 16).astype(np.uint16 if n_codes <= 2**32 else np.int64)
        order = order[np.argsort(high, kind="stable")]
    return order


# Scores and weights in types that the kernels take
# -------------------------------------------------


def score_array(column: Column, source: Source = ARRAYS) -> Array:
    """Scores in a type the kernels take, in one piece; RS031 or RS033 if they are no real numbers."""
    array = column.array
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind not in "biuf" or size > 8:
        raise _not_numbers(column, source)
    if column.gaps is not None:
        raise missing_values(column.gaps, "score", source)
    if kind == "f":
        wanted: Any = np.float64 if size == 8 else np.float32
    else:
        wanted = np.uint64 if kind == "u" and size == 8 else np.int64
    return np.require(array, dtype=wanted, requirements=["C_CONTIGUOUS", "ALIGNED"])


def _not_numbers(column: Column, source: Source) -> RocsteadyError:
    """RS033, or RS031 where all that there is are numbers."""
    found = f"type {column.array.dtype}"
    if column.array.dtype.kind in "OUS":
        items = enumerate(column.array.tolist())
        present = [(i, v) for i, v in items if column.missing is None or not column.missing[i]]
        strange = [(i, v) for i, v in present if not isinstance(v, _NUMBERS)]
        if not strange and column.missing is not None:
            return missing_values(column.missing, "score", source)
        row, value = strange[0] if strange else max(present, key=lambda own: abs(own[1]))
        kind = "text" if isinstance(value, str) else type(value).__name__
        kind = f"{kind} of more than 64 bits" if not strange else kind
        found = f"{kind}, first at {source.row(row)}: {spelled(value)}"
    n = 1 if "score" in source.columns else 2
    return fail("RS033", column=source.column("score"), n=n, place=source.place, found=found)


def weight_array(column: Column, source: Source = ARRAYS) -> Floats:
    """Weights as float64, checked but with their zeros; RS037."""
    if column.array.dtype.kind not in "biuf":
        facts = {"column": source.column("weight"), "place": source.place}
        raise fail("RS037", n=1 if source.columns else 2, kind=column.array.dtype, **facts)
    if column.gaps is not None:
        raise missing_values(column.gaps, "weight", source)
    weights = np.ascontiguousarray(column.array, dtype=np.float64)
    with np.errstate(over="ignore"):
        largest, is_too_much = weights.max(), np.isinf(weights.sum())
    if largest == 0 and weights.min() == 0:
        raise fail("RS037.zero", place=source.place, n=weights.size)
    for kind, matter, bad in (
        ("negative", None, weights < 0),
        ("infinite", None, np.isinf(weights)),
        ("too large to be summed", "ratios", (weights == largest) & is_too_much),
        ("too small to be divided by", "ratios", (weights > 0) & (weights < SMALLEST_WEIGHT)),
    ):
        if bad.any():
            first, n = int(bad.argmax()), int(np.count_nonzero(bad))
            where = {"place": source.place, "first": source.row(first), "ratios": matter}
            raise fail("RS037.bad", kind=kind, n=n, total=bad.size, value=float(weights[first]), **where)
    return weights


# What has been read: the arrays of the kernels, and what a set remembers about its rows
# --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Columns(Frozen):
    """Scores and labels of one or many groups, ready for the kernels."""

    scores: Array  # contiguous float64, float32, int64 or uint64
    labels: NDArray[np.uint8]  # 1 for a positive row, 0 for a negative one
    offsets: Integers  # group g owns the rows offsets[g]:offsets[g + 1]
    weights: Floats | None  # strictly positive; rows of weight zero are gone
    higher_is_positive: bool
    are_counts: bool = (
        False  # weights are numbers of cases: each row stands for so many with its score and label
    )
    positive: ClassVar[float] = 1.0
    negative: ClassVar[float] = 0.0

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

    def cases_of_groups(self, label: int) -> Integers:
        """The cases of each group that have a label."""
        cases = np.asarray(self.labels == label, dtype=np.int64)
        if self.are_counts and self.weights is not None:
            cases *= self.weights.astype(np.int64)
        return sums_of(cases, self.offsets)

    def cases_worth(self, label: int) -> Floats:
        """How many cases of equal weight those of each group with a label are worth (Kish)."""
        if self.weights is None or self.are_counts:
            return self.cases_of_groups(label).astype(np.float64)
        own = np.where(self.labels == label, self.weights, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = own / np.repeat(sums_of(own, self.offsets), np.diff(self.offsets))
            return np.nan_to_num(1 / sums_of(shares**2, self.offsets), nan=0.0, posinf=0.0)

    def taken(self, rows: Integers | slice | None, offsets: Integers) -> Columns:
        """These rows, in this order, dealt to groups by these offsets; None for all of them."""
        own = {name: taken(getattr(self, name), rows) for name in ("scores", "labels", "weights")}
        return replace(self, offsets=offsets, **own)

    def owned(self, given: Iterable[Column]) -> Columns:
        """The columns in memory of their own: what may be the caller's, and could change, is copied."""
        theirs, own = [column.array for column in given], {"scores": self.scores, "weights": self.weights}
        for name, array in own.items():
            if array is not None and any(np.may_share_memory(array, other) for other in theirs):
                own[name] = array.copy()
        return replace(self, **own)  # type: ignore[arg-type]


def require_single_cases(columns: Columns, what: str) -> None:
    """RS406 where rows stand for several cases each, which cannot be told apart."""
    if columns.are_counts:
        raise fail("RS406", what=what, n_rows=columns.n_rows, n_cases=columns.n_cases)


class Cause(StrEnum):
    """Why a row was left out."""

    NO_LABEL = "no label"
    NO_SCORE = "no score"
    NO_WEIGHT = "no weight"
    NO_GROUP = "no group"
    NO_MODEL = "no model"
    NO_CASE = "no case"
    NO_CLUSTER = "no cluster"
    NO_REPEAT = "no repeat"
    WEIGHT_ZERO = "weight zero"

    @property
    def role(self) -> str:
        """The column that lacks a value; empty for a weight of zero."""
        return "" if self is Cause.WEIGHT_ZERO else self.value.removeprefix("no ")

    def __repr__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class Dropped:
    """Rows that were left out, and why. False when there are none."""

    n_rows: int = 0
    """A row with several causes counts once; a row with scores of several models once for each of them."""
    causes: Mapping[Cause, int] = field(default_factory=dict)
    """Cause to number of rows, for example ``{"no score": 37}``."""

    def __bool__(self) -> bool:
        return self.n_rows > 0

    def __str__(self) -> str:
        parts = [f"{cause}: {counted(n, 'row')}" for cause, n in self.causes.items()]
        return f"{counted(self.n_rows, 'row')} dropped" + (f" ({', '.join(parts)})" if parts else "")

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values."""
        return {"n_rows": self.n_rows, "causes": {cause.value: n for cause, n in self.causes.items()}}


@dataclass(frozen=True, eq=False, repr=False)
class Cases(Frozen):
    """Which case each row is about: the same case is seen by several readers or models."""

    codes: NDArray[np.int64]
    """One per row of the set, in its order."""
    values: Sequence[Any]
    """The case that each code stands for, in order of appearance."""
    unit: str = "case"
    """The word for one."""

    _line = "{values:count {unit}}, {codes:count row}"

    def __len__(self) -> int:
        return len(self.values)

    @property
    def are_named(self) -> bool:
        """Whether a column named them; else rows of a table with several score columns are the cases."""
        return not isinstance(self.values, range)

    def __getitem__(self, rows: Any) -> Self:
        """The cases of these rows; of a slice as a view."""
        return replace(self, codes=self.codes[rows])

    def with_several_rows(self, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Codes of the cases that have several rows in one member, rows ``offsets[i]:offsets[i + 1]``."""
        members = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
        pairs = members * np.int64(max(len(self), 1)) + self.codes
        if np.all(pairs[1:] > pairs[:-1]):  # as they come if no case has two rows
            return np.empty(0, dtype=np.int64)
        pairs.sort()
        again = pairs[1:][pairs[1:] == pairs[:-1]]
        return np.unique(again % max(len(self), 1))

    @property
    def n_present(self) -> int:
        """How many of them have rows."""
        return int(np.unique(self.codes).size)

    def listed(self) -> tuple[Any, ...]:
        """The case of each row."""
        return tuple(map(self.values.__getitem__, self.codes.tolist()))


@dataclass(frozen=True, eq=False, repr=False)
class Clusters(Cases):
    """Which patient, user or site each row comes from: rows of one cluster are not independent.

    A case is in one cluster (RS050); a cluster may have cases of both classes.
    """

    unit: str = "cluster"


def rows_together(clusters: Clusters | None, cases: Cases | None, offsets: NDArray[np.int64]) -> Cases | None:
    """What says which rows belong together: clusters, else cases; None where no two rows of a member do."""
    named = cases if clusters is None else clusters
    return named if named is not None and named.with_several_rows(offsets).size else None


# Members of a set by name
# ------------------------


def require_distinct(names: Sequence[str], what: str) -> None:
    """RS049 if two names are alike: members are asked for by name."""
    double = [f'"{name}"' for name, n in Counter(names).items() if n > 1]
    if double:
        raise fail("RS049", what=printable(what), names=double)


def unknown_name(name: str, known: tuple[str, ...], what: str) -> RocsteadyError:
    """RS001, with the names that are known."""
    close = near_match(name, known)
    facts = {"what": printable(what), "name": printable(name), "known": known or ("none",)}
    return fail("RS001.name", close=close, others=None if close else "these", **facts)


class Lack(StrEnum):
    """What a member has none of."""

    POSITIVES = "positives"
    NEGATIVES = "negatives"
    ROWS = "rows left"
    CREDIT = "credit"
    DEBIT = "debit"


class LeftOut(str):
    """Who has no curve, and what is lacking; as a text ``host-23: no positives``."""

    name: str
    lacks: str

    def __new__(cls, name: str, lacks: str) -> Self:
        """The text, made of both."""
        own = super().__new__(cls, f"{name}: no {lacks}")
        own.name, own.lacks = name, lacks
        return own

    def __getnewargs__(self) -> Any:
        """For copies and pickles."""
        return self.name, self.lacks


class Grouped:
    """What sets of scores and of counts have in common: a member for each group, or model and group."""

    groups: tuple[str, ...]
    group_index: Integers
    models: tuple[str, ...]
    model_index: Integers
    unit: str
    classes: Any
    higher_is_positive: Any
    dropped: Dropped
    n_positives: Any
    n_negatives: Any

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What to call each member: its group, or "model / group" where there are several models."""
        own = [self.groups[i] for i in self.group_index]
        if len(self.models) <= 1:
            return tuple(own)
        return tuple(f"{self.models[i]} / {name}" for i, name in zip(self.model_index, own, strict=True))

    @cached_property
    def has_curve(self) -> Mask:
        """Which members have both classes."""
        return read_only(np.asarray((self.n_positives > 0) & (self.n_negatives > 0)))

    @cached_property
    def undefined(self) -> tuple[LeftOut, ...]:
        """Members without a curve, and why: ``('host-23: no positives',)``; each has ``name``, ``lacks``."""
        lacks = {(False, True): Lack.POSITIVES, (True, False): Lack.NEGATIVES, (False, False): Lack.ROWS}
        return tuple(
            LeftOut(self.names[i], lacks[bool(self.n_positives[i]), bool(self.n_negatives[i])])
            for i in np.flatnonzero(~self.has_curve).tolist()
        )

    def _one_model(self, name: object) -> tuple[slice, dict[str, Any]]:
        """The members of one model, which stand together, and what they are; RS001 for one without any."""
        if str(name) not in self.models:
            raise unknown_name(str(name), self.models, "model")
        chosen = np.flatnonzero(self.model_index == self.models.index(str(name)))
        if chosen.size == 0:
            raise fail("RS001.no-row", model=printable(str(name)), dropped=self.dropped)
        index = {
            "group_index": np.arange(chosen.size, dtype=np.int64),
            "model_index": np.zeros(chosen.size, dtype=np.int64),
        }
        own = self._named(self.group_index[chosen]) | {"models": (str(name),)} | index
        return slice(int(chosen[0]), int(chosen[-1]) + 1), own

    def _named(self, groups: Integers) -> dict[str, Any]:
        """What these groups are called."""
        names = {name: getattr(self, name, ()) for name in ("groups", "group_values")}
        return {name: tuple(own[i] for i in groups) for name, own in names.items() if own}

    def _facts(self) -> dict[str, Any]:
        """What is in it, as plain values."""
        return {
            "unit": self.unit,
            "groups": list(self.groups),
            "models": list(self.models),
            "positive": self.classes.positive,
            "negative": self.classes.negative,
            "higher_is_positive": self.higher_is_positive,
            "dropped": self.dropped.to_dict(),
        }


# Blocks of rows: each owns the rows from its offset to the next
# --------------------------------------------------------------


def offsets_of(sizes: Any) -> Integers:
    """Where each block begins, and the last one ends, if they have so many rows."""
    return np.append(0, np.cumsum(sizes)).astype(np.int64)


def rows_of(offsets: Integers, chosen: Integers) -> tuple[Integers, Integers]:
    """The rows of some blocks, one after the other, and where each block then starts."""
    sizes = np.diff(offsets)[chosen]
    starts = offsets_of(sizes)
    return np.arange(starts[-1]) + np.repeat(offsets[:-1][chosen] - starts[:-1], sizes), starts


def sums_of(values: Array, offsets: Integers) -> Array:
    """The sum over the rows of every block; 0 for one without rows."""
    found = np.zeros(offsets.size - 1, dtype=values.dtype)
    has_rows = np.diff(offsets) > 0  # reduceat gives nonsense for empty blocks
    if has_rows.any():
        found[has_rows] = np.add.reduceat(values, offsets[:-1][has_rows])
    return found
