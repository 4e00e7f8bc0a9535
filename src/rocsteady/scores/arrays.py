"""Anything column-like becomes a flat NumPy array and a mask of what is missing.

Lists, ranges, masked arrays, pandas, Polars and Arrow columns end here; nothing after this module knows
where an array came from. Floats are not searched for NaN: the counting kernels meet every score anyway.
Decimals become the nearest float64, in labels, scores and weights; as names they stay what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import ColumnError, DataError, counted
from rocsteady.scores.rounding import warn_of_rounded_items
from rocsteady.words import printable

Array = NDArray[Any]
Mask = NDArray[np.bool_]

_PLURALS = {
    "label": "labels",
    "score": "scores",
    "weight": "weights",
    "group": "groups",
    "model": "models",
    "case": "cases",
    "cluster": "clusters",
    "repeat": "repeats",
    "outcome": "outputs",
    "fold": "folds",
}
_ARGUMENTS = {"weight": "sample_weight"}
NUMERIC = frozenset({"label", "score", "weight"})
"""Roles whose decimals and other objects are read as numbers."""
_NUMBERS = (Decimal, int, float, np.integer, np.floating, np.bool_)


@dataclass(frozen=True)
class Source:
    """Where the rows came from, so that messages can name columns and lines.

    Attributes
    ----------
    name : str
        The file, as the reader named it; empty for arrays and frames.
    columns : mapping
        Role (``"label"``, ``"score"``, ...) to column name; empty for arrays.
    row : callable
        Spells the position of a row: ``row 3``, ``line 5``, ``row 0 of fold 2``.
    text_labels : bool
        Whether ``positive="1"`` may also mean the number 1: the rows were text once.
    """

    name: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    row: Callable[[int], str] = "row {}".format
    text_labels: bool = False

    def column(self, role: str) -> str:
        """How a message calls the column: ``column "stage"``, or ``labels`` for an array."""
        if role in self.columns:
            return f'column "{printable(str(self.columns[role]))}"'
        return _PLURALS.get(role, role)

    def not_numeric(self, role: str) -> str:
        """``column "rating" is not numeric``, ``scores are not numeric``."""
        return f"{self.column(role)} {'is' if role in self.columns else 'are'} not numeric{self.place}."

    @property
    def place(self) -> str:
        """`` in scores.csv``, or nothing."""
        return f" in {printable(self.name)}" if self.name else ""


ARRAYS = Source()


@dataclass(frozen=True, eq=False)
class Column:
    """A flat array; ``missing`` marks rows known to be missing (NaN among floats is not looked for).

    ``index`` is that of the pandas Series it came from: columns of one table must have the same.
    """

    array: Array
    missing: Mask | None = None
    index: Any = None

    def __len__(self) -> int:
        return int(self.array.size)

    def __getitem__(self, rows: Any) -> Column:
        missing = None if self.missing is None else self.missing[rows]
        return Column(self.array[rows], missing if missing is not None and missing.any() else None)


def read_column(values: object, role: str, source: Source = ARRAYS) -> Column:
    """Read any one-dimensional column.

    Raises
    ------
    DataError
        RS034 if it is not one-dimensional, RS033 if it cannot be read as an array.
    """
    if isinstance(values, Column):
        return values
    if type(values) is np.ndarray:
        column = Column(values)
    else:
        column = replace(_convert(values, role, source), index=index_of(values))
    if column.array.ndim != 1:
        raise _wrong_shape(values, column.array.shape, role, source)
    if column.array.dtype.kind == "O" and column.missing is None:
        column = replace(column, missing=missing_objects(column.array))
    if isinstance(values, list | tuple):
        warn_of_rounded_items(values, column.array, role, source, decimals=False)
    return objects_as_numbers(column, role, source)


def index_of(values: Any) -> Any:
    """The index of a pandas Series or frame; None of anything else. pandas is not imported for it."""
    if hasattr(values, "to_native"):  # narwhals
        values = values.to_native()
    index = getattr(values, "index", None)
    return index if callable(getattr(index, "equals", None)) else None


def objects_as_numbers(column: Column, role: str, source: Source = ARRAYS) -> Column:
    """The column with Python's numbers as an array of numbers, where they stand for some; else as it is."""
    if column.array.dtype.kind != "O" or role not in NUMERIC:
        return column
    present = column.array if column.missing is None else column.array[~column.missing]
    if present.size == 0 or not isinstance(present[0], _NUMBERS):
        return column  # text, mostly: not worth a look at every row
    kinds = set(map(type, present))
    if not all(issubclass(kind, _NUMBERS) for kind in kinds):
        return column
    items = present.tolist()
    decimals = any(issubclass(kind, Decimal) for kind in kinds)
    numbers = _from_list([float(v) for v in items] if decimals else items)
    if numbers.dtype.kind not in "biuf":
        return column  # integers of more than 64 bits
    warn_of_rounded_items(items, numbers, role, source, decimals=decimals)
    filled = np.zeros(column.array.size, dtype=numbers.dtype)
    filled[... if column.missing is None else ~column.missing] = numbers
    return replace(column, array=filled)


def require_equal_lengths(columns: Mapping[str, Sized], source: Source = ARRAYS) -> int:
    """The common number of rows; RS013 if there is none, RS010 if it is zero, RS015 for other indexes."""
    sizes = {len(column) for column in columns.values()}
    if len(sizes) > 1:
        lengths = {source.column(role): len(column) for role, column in columns.items()}
        raise ColumnError(
            "RS013",
            " and ".join(lengths) + " have different lengths.",
            ", ".join(f"{name}: {counted(n, 'row')}" for name, n in lengths.items()),
            "pass one entry per row in each of them",
        )
    n_rows = sizes.pop()
    if n_rows == 0:
        raise no_rows(source)
    require_one_index(
        {role: column.index for role, column in columns.items() if isinstance(column, Column)}, source
    )
    return n_rows


def require_one_index(indexes: Mapping[str, Any], source: Source = ARRAYS) -> None:
    """RS015 if columns came with different indexes: rows would be paired by their places alone.

    ``indexes`` are those of :func:`index_of` by role; None, for a column without one, fits all others.
    """
    known = [(role, index) for role, index in indexes.items() if index is not None]
    for role, index in known[1:]:
        first_role, first = known[0]
        if index is first or len(index) != len(first) or first.equals(index):
            continue
        own, other = (np.asarray(each, dtype=object) for each in (first, index))
        differs = np.array(
            [a != b and not (_is_missing(a) and _is_missing(b)) for a, b in zip(own, other, strict=True)]
        )
        if differs.any():
            raise _other_index((first_role, first), (role, index), int(np.flatnonzero(differs)[0]), source)


def _other_index(one: tuple[str, Any], other: tuple[str, Any], row: int, source: Source) -> ColumnError:
    names = [source.column(role) for role, _ in (one, other)]
    labels = [
        printable(repr(getattr(index[row], "item", lambda i=index[row]: i)())) for _, index in (one, other)
    ]
    typed = [_ARGUMENTS.get(role, _PLURALS.get(role, role)) for role, _ in (one, other)]
    align = f"{typed[1]} = {typed[1]}.loc[{typed[0]}.index]"
    by_place = f"{typed[1]}.to_numpy()"
    if source.columns:
        align, by_place = "pandas.DataFrame(columns)", "column.to_numpy()"
    remedies = [f"if the rows stand in the same order, leave the index out:  {by_place}"]
    found = f"first at row {row}: {labels[0]} in the index of {names[0]}, {labels[1]} in that of {names[1]}"
    if one[1].is_unique and other[1].is_unique and set(one[1]) == set(other[1]):
        found = f"the same labels in another order; {found}"
        remedies.insert(0, f"align them by label:  {align}")
    return ColumnError(
        "RS015", f"{names[0]} and {names[1]} have different indexes{source.place}.", found, *remedies
    )


def in_one_piece(array: Array) -> Array:
    """Contiguous and aligned, as the kernels read it; copied only if it is not."""
    if array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.require(array, requirements=["C_CONTIGUOUS", "ALIGNED"])


def thousands(n: int) -> str:
    """``18 590``."""
    return f"{n:,}".replace(",", " ")


def no_rows(source: Source = ARRAYS, found: str = "0 rows", *remedies: str) -> DataError:
    """RS010, with advice for a file if that is what the source is, else for a filter."""
    what = f"{printable(source.name)} has no rows." if source.name else "there are no rows."
    usual = CHECK_FILE if source.name and source.columns else "check the filter before this call"
    return DataError("RS010", what, found, *(remedies or (usual,)))


CHECK_FILE = "check that what wrote the file has finished, and wrote rows below the column names"


def missing_objects(array: Array) -> Mask | None:
    """Which Python objects mean "missing": None, NaN, NaT, pandas.NA; None if there are none."""
    # NaN and NaT differ from themselves; pandas.NA refuses to be a truth value.
    mask = np.fromiter((_is_missing(value) for value in array), dtype=np.bool_, count=array.size)
    return mask if mask.any() else None


def _is_missing(value: object) -> bool:
    if value is None:
        return True
    if isinstance(value, str | int):
        return False
    try:
        return bool(value != value)  # noqa: PLR0124 (NaN)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"
    except ArithmeticError:
        return True  # a signalling NaN among decimals, which may not even be compared


def _convert(values: object, role: str, source: Source) -> Column:
    try:
        if isinstance(values, np.ma.MaskedArray):
            mask = np.ma.getmaskarray(values)
            return Column(np.asarray(values.data), mask if mask.any() else None)
        if isinstance(values, range):
            return Column(np.arange(values.start, values.stop, values.step, dtype=np.int64))
        if isinstance(values, list | tuple):
            return _without_gaps(_from_list(values))
        return _from_series(values, role)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        raise DataError(
            "RS034",
            f"{source.column(role)} cannot be read as one flat array{source.place}.",
            f"{type(values).__name__}: {str(error).splitlines()[0] if str(error) else type(error).__name__}",
            "pass a list, a NumPy array or a Series with one entry per row",
        ) from error


def _from_list(values: list[Any] | tuple[Any, ...]) -> Array:
    array = np.asarray(values)
    if array.ndim != 1:
        return array
    if array.dtype.kind in "US":
        return as_objects(values)  # NumPy spells the number 1 beside text as '1', and cuts zero characters
    if array.dtype.kind == "f" and all(isinstance(value, int | np.integer) for value in values):
        fits = all(0 <= value < 2**64 for value in values)  # NumPy rounds 2**63 beside 1 to floats
        return np.array(values, dtype=np.uint64) if fits else as_objects(values)
    return array


def as_objects(values: Iterable[Any]) -> Array:
    """Values as they are, one entry each, whatever NumPy would make of them."""
    items = list(values)
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def _from_series(values: object, role: str) -> Column:
    if isinstance(values, np.ndarray) or (
        isinstance(getattr(values, "dtype", None), np.dtype) and hasattr(values, "__array__")
    ):
        return Column(np.asarray(values))  # a subclass, or a pandas Series that holds a NumPy array
    import narwhals.stable.v2 as nw

    series = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        return from_narwhals(series, role)
    if hasattr(values, "__array__"):
        return Column(np.asarray(values))
    if isinstance(values, str | bytes | dict | set | frozenset) or not isinstance(values, Iterable):
        raise TypeError("it has no rows in order")
    return _without_gaps(_from_list(list(values)))


def _without_gaps(array: Array) -> Column:
    """Numbers stay numbers in a list where None or pandas.NA stands for the missing ones."""
    missing = missing_objects(array) if array.ndim == 1 and array.dtype.kind == "O" else None
    if missing is None:
        return Column(array)
    present = _from_list(array[~missing].tolist())
    if present.dtype.kind not in "biuf" or present.size == 0:
        return Column(array, missing)
    filled = np.zeros(array.size, dtype=present.dtype)
    filled[~missing] = present
    return Column(filled, missing)


def from_narwhals(series: Any, role: str, source: Source = ARRAYS) -> Column:
    """A narwhals Series; what its back end calls null is marked, and the others keep their type."""
    import narwhals.stable.v2 as nw

    native = series.to_native()
    if isinstance(getattr(native, "dtype", None), np.dtype):
        array = np.asarray(native)
        column = Column(array, missing_objects(array) if array.dtype.kind == "O" else None)
        return objects_as_numbers(column, role, source)
    if series.dtype in (nw.Int128, nw.UInt128):  # NumPy has no such integers, Python has
        return _without_gaps(_from_list(series.to_list()))
    if series.dtype == nw.Decimal and role in NUMERIC:
        texts = series.cast(nw.String)
        series = texts.cast(nw.Float64)  # Arrow's own cast is off by a bit now and then
        if role == "score":
            texts = texts.drop_nulls().unique()
            warn_of_rounded_items(
                texts.to_list(), texts.cast(nw.Float64).to_numpy(), role, source, decimals=True
            )
    missing = np.asarray(series.is_null().to_numpy(), dtype=np.bool_)
    if not missing.any():
        return Column(series.to_numpy())
    # Through drop_nulls: to_numpy would turn integers with nulls into floats and round them.
    present = series.drop_nulls().to_numpy()
    array = np.zeros(missing.size, dtype=present.dtype)
    array[~missing] = present
    return Column(array, missing)


def _wrong_shape(values: object, shape: tuple[int, ...], role: str, source: Source) -> DataError:
    word = _PLURALS.get(role, role)
    remedy = "pass one entry per row: a flat list or array"
    if len(shape) > 1 and max(shape) == np.prod(shape):
        remedy = f"make it flat:  numpy.ravel({word})"
    elif role == "score" and len(shape) == 2:
        matrix = word if isinstance(values, np.ndarray) else f"numpy.asarray({word})"
        remedy = f"of predict_proba take the column of the positive class:  {matrix}[:, 1]"
        if shape[1] > 2:
            remedy += ",  or use rs.MulticlassScores"
    return DataError(
        "RS034",
        f"{source.column(role)} must have one dimension, not {len(shape)}.",
        f"shape {shape}",
        remedy,
    )
