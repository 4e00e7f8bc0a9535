"""The rows of a value, as columns by name: results, several of them, data frames, mappings."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.from_scores import described
from rocsteady.errors import RocsteadyError, fail
from rocsteady.results import Result, TableResult
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.limits import Interval
from rocsteady.words import listed

Columns = dict[str, Any]

_SENTENCES = ("reading", "methods", "random", "held", "note", "lower_is_better", "confidence_level")
"""Fields of a single result that are sentences, or are said elsewhere: in the heading, by the quantity."""
_MEASURES = {
    "ppv": "positive predictive value",
    "npv": "negative predictive value",
    "lr_positive": "positive likelihood ratio",
    "lr_negative": "negative likelihood ratio",
    "fpr": "FPR",
    "tpr": "TPR",
}
_LEVEL_OF_A_FRAME = 0.95
"""Of the intervals that a set of curves puts into its frame."""


def columns_of(value: Any) -> Columns:
    """The columns of whatever has rows; RS002 for anything else."""
    if isinstance(value, type):
        raise fail("RS002.table-rows", found=described(value))
    inner = getattr(value, "table", None)
    if not hasattr(value, "_columns") and isinstance(inner, TableResult):
        value = inner  # a plan, whose frame is that of its table
    if callable(getattr(value, "_columns", None)):
        found = _of_equal_length(dict(value._columns()))
    elif isinstance(value, ScoreSet):
        found = value._columns()
    elif isinstance(value, Mapping):
        found = _of_mapping(value)
    elif dataclasses.is_dataclass(value) and isinstance(value, Result):
        found = _joined([_one_result(value)])
    elif isinstance(value, list | tuple) and value:
        found = _of_sequence(value)
    else:
        found = _of_frame(value) or {}
    if not found:
        raise fail("RS002.table-rows", found=described(value))
    return found


def is_ours(value: Any) -> bool:
    """Whether the names of the columns are ours, and not the user's own."""
    if isinstance(value, Mapping | list | tuple):
        entries = list(value.values()) if isinstance(value, Mapping) else value
        return bool(entries) and all(isinstance(own, Result) for own in entries)
    return isinstance(value, Result) or callable(getattr(value, "_columns", None))


def names_from_data(value: Any) -> set[str]:
    """What groups, models and classes are called, where a result says so: columns may have these names."""
    if isinstance(value, Mapping | list | tuple):
        entries = value.values() if isinstance(value, Mapping) else value
        return {name for own in entries for name in names_from_data(own)}
    held = [_held(value, name) for name in ("unit", "a", "b", "models", "classes")]
    listed_names = [
        [own] if isinstance(own, str) else own for own in held if isinstance(own, str | list | tuple)
    ]
    return {str(name) for names in listed_names for name in names if str(name)}


def columns_for_papers(value: Any, found: Columns) -> Columns:
    """The columns that are printed where nobody has chosen: without what a class keeps for its frame.

    The two models of a single pair, and the system that all rows are about, stand in the headings.
    """
    left_out = {name for own in _entries(value) for name in getattr(type(own), "_not_for_papers", ())}
    if not left_out:
        return found
    if "a_value" in found and _only(found, "a") and _only(found, "b"):
        left_out |= {"a", "b"}
    if "standalone_value" in found and _only(found, "standalone"):
        left_out |= {"standalone"}
    adjusted = found.get("adjusted_pvalue")
    if adjusted is not None and np.array_equal(
        np.asarray(adjusted, dtype=float), np.asarray(found["pvalue"], dtype=float), equal_nan=True
    ):
        left_out |= {"adjusted_pvalue"}
    return {name: column for name, column in found.items() if name not in left_out}


def names_in_headings(value: Any, found: Columns) -> dict[str, str]:
    """Headings with the names of two models, or of a system, where all rows are about the same."""
    if "a_value" in found:
        a, b = _only(found, "a"), _only(found, "b")
        values = (a, b) if a and b else ("first value", "second value")
        return {"a": "first", "b": "second", "a_value": values[0], "b_value": values[1]}
    alone = _held(value, "standalone") if "standalone_value" in found else ""
    return {"standalone_value": alone} if isinstance(alone, str) else {}


def measures_in_words(found: Columns) -> Columns:
    """Measures of ours spelled out; those of the user stay as they are."""
    if "measure" not in found:
        return found
    words = [_MEASURES.get(own, own) if isinstance(own, str) else own for own in found["measure"]]
    return {**found, "measure": words}


def _only(found: Columns, name: str) -> str:
    """What stands in all rows of a column, if it is the same; else nothing."""
    cells = list(found.get(name, ()))
    return str(cells[0]) if cells and all(own == cells[0] for own in cells) else ""


def _entries(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else [value]


def _held(value: Any, name: str) -> Any:
    try:
        return getattr(value, name, ())
    except RocsteadyError:  # a map of three models has no first and second
        return ()


def level_of(value: Any) -> float | None:
    """The confidence level of the intervals in a table, where all of them have the same one."""
    if isinstance(value, CurveSet):
        return _LEVEL_OF_A_FRAME
    if isinstance(value, Result):
        inside = getattr(value, "__dict__", {}).values()
        found = {own for own in (getattr(value, "confidence_level", None), *map(_own_level, inside)) if own}
    elif isinstance(value, Mapping | list | tuple) and is_ours(value):
        found = {level_of(own) for own in (value.values() if isinstance(value, Mapping) else value)} - {None}
    else:
        return None
    return found.pop() if len(found) == 1 else None


def _own_level(inside: Any) -> float | None:
    """Of an interval, or of results that a result holds (the differences of a comparison)."""
    if isinstance(inside, Interval):
        return inside.confidence_level
    if isinstance(inside, Result) or (isinstance(inside, tuple) and is_ours(inside)):
        return level_of(inside)
    return None


def _of_mapping(value: Mapping[Any, Any]) -> Columns:
    """Columns by name; or results by name, a row (or several) for each."""
    if all(isinstance(own, Result) for own in value.values()):
        rows = zip(value, _rows_of_each(list(value.values())), strict=True)
        return _joined([{"": str(name), **row} for name, own in rows for row in own])
    return _of_equal_length(_by_name([str(name) for name in value], list(value.values())))


def _of_sequence(value: Sequence[Any]) -> Columns:
    """Several results, or one mapping for each row."""
    if all(isinstance(own, Result) for own in value):
        return _joined([row for own in _rows_of_each(value) for row in own])
    if all(isinstance(own, Mapping) for own in value):
        return _joined([{str(name): cell for name, cell in own.items()} for own in value])
    raise fail("RS002.table-rows", found=described(value))


def _rows_of_each(results: Sequence[Any]) -> list[list[dict[str, Any]]]:
    """The rows of each result, with the level of its intervals where that differs between them."""
    levels = [level_of(own) for own in results]
    rows = [_rows_of(own) for own in results]
    if len({level for level in levels if level is not None}) < 2:
        return rows
    return [
        [{**row, "confidence_level": level} for row in own] for own, level in zip(rows, levels, strict=True)
    ]


def _rows_of(result: Any) -> list[dict[str, Any]]:
    columns = columns_of(result)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _one_result(result: Any) -> dict[str, Any]:
    """The fields of a result that fit into a row; of an interval its two limits."""
    row: dict[str, Any] = {}
    names = [field.name for field in dataclasses.fields(result) if field.name not in result._untold]
    if result._untold:  # facts, and what is written from them
        names = [*result._told, *names]
    for name in names:
        value = getattr(result, name)
        if name.startswith("_") or name in _SENTENCES:
            continue
        if isinstance(value, Interval):
            stem = name.removesuffix("interval")
            stem = f"{stem}_" if stem and not stem.endswith("_") else stem
            row |= {f"{stem}low": value.low, f"{stem}high": value.high}
        elif value is not None and not isinstance(value, Mapping | list | tuple | Result):
            row[name] = value
    return row


def _joined(rows: Sequence[Mapping[str, Any]]) -> Columns:
    """Rows as columns, in the order in which names appear; what a row does not have is None.

    A result read at several places has arrays: then each place is a row.
    """
    rows = [row for own in rows for row in _places(own)]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _places(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    arrays = {name: np.asarray(cell) for name, cell in row.items() if np.ndim(cell)}
    plain = {name: cell for name, cell in row.items() if name not in arrays}
    if not arrays or any(isinstance(cell, float | np.floating) for cell in plain.values()):
        return [plain]  # a list beside a single number, as of all optima, is no column
    n = max(array.shape[0] for array in arrays.values())
    fits = {name: array for name, array in arrays.items() if array.shape == (n,)}
    order = [name for name in row if name in plain or name in fits]
    return [{name: fits[name][i] if name in fits else plain[name] for name in order} for i in range(n)]


def _of_equal_length(columns: Columns) -> Columns:
    """The same columns; RS002 if one has more entries than another, or no entries at all."""
    if not all(_is_column(own) for own in columns.values()):
        raise fail("RS002.table-rows", found=described(columns))
    lengths = {name: len(own) for name, own in columns.items()}
    if len(set(lengths.values())) > 1:
        sizes = listed([f"{name}: {n}" for name, n in lengths.items()])
        raise fail("RS002.table-lengths", sizes=sizes)
    return columns


def _is_column(own: Any) -> bool:
    """Whether it has entries in order; a text and an array of no dimension have none."""
    return hasattr(own, "__len__") and not isinstance(own, str | bytes) and getattr(own, "shape", None) != ()


def _of_frame(value: Any) -> Columns | None:
    """The columns of a data frame; None if it is none."""
    pandas: Any = sys.modules.get("pandas")
    series, frames = (getattr(pandas, name, ()) for name in ("Series", "DataFrame"))
    if isinstance(value, series):
        value = value.to_frame()
    if isinstance(value, frames):
        return _of_pandas(value, has_names=not isinstance(value.index, pandas.RangeIndex))
    import narwhals.stable.v2 as nw

    frame = nw.from_native(value, pass_through=True, allow_series=True)
    if isinstance(frame, nw.Series):
        frame = frame.to_frame()
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        return None
    return {name: frame.get_column(name).to_list() for name in frame.columns}


def _of_pandas(frame: Any, *, has_names: bool) -> Columns:
    """The columns by name, whatever a name is; an index that names the rows, as of grouped frames, first."""
    index = frame.index
    unnamed = [""] if index.nlevels == 1 else [f"level {i}" for i in range(index.nlevels)]
    given = zip(index.names, unnamed, strict=True)
    names = [own if name is None else name for name, own in given] if has_names else []
    columns = [index.get_level_values(level).tolist() for level in range(len(names))]
    names += list(frame.columns)
    columns += [frame.iloc[:, i].tolist() for i in range(frame.shape[1])]
    words = [" ".join(map(str, name)) if isinstance(name, tuple) else str(name) for name in names]
    return _by_name(words, columns)


def _by_name(names: Sequence[str], columns: Sequence[Any]) -> Columns:
    """RS002 if two columns have one name, as 1 and "1" have, when they are printed."""
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        raise fail("RS002.table-names", names=sorted(doubled))
    return dict(zip(names, columns, strict=True))
