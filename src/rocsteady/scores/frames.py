"""Tables: any data frame in, through narwhals; pandas or Polars out.

Only the columns that are needed leave the table. Null and NaN are alike: a row that lacks a value.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import (
    ColumnError,
    DataError,
    MissingPackageError,
    Option,
    UsageError,
    counted,
    near_match,
    warn,
)
from rocsteady.scores.arrays import Column, Source, from_narwhals, no_rows, read_column
from rocsteady.scores.building import set_from_arrays
from rocsteady.scores.columns import missing_scores
from rocsteady.scores.grouping import word
from rocsteady.scores.records import Dropped
from rocsteady.scores.score_set import ScoreSet

Mask = NDArray[np.bool_]
_COLUMNS_SHOWN = 30


def to_frame(columns: Mapping[str, Any]) -> Any:
    """A pandas frame, or a Polars one where pandas is not installed.

    Raises
    ------
    MissingPackageError
        RS061 if neither is installed.
    """
    try:
        import pandas as pd

        return pd.DataFrame(dict(columns))
    except ImportError:
        pass
    try:
        import polars as pl
    except ImportError as error:
        raise MissingPackageError(
            "RS061",
            "a table needs pandas or Polars.",
            "neither is installed",
            "pip install 'rocsteady[pandas]'   or   pip install 'rocsteady[polars]'",
        ) from error
    # Polars would keep an object array as opaque objects; from a list it finds the type.
    lists = {name: list(v) for name, v in columns.items() if np.asarray(v).dtype.kind == "O"}
    return pl.DataFrame(dict(columns) | lists)


def set_from_frame(
    frame: object,
    roles: Mapping[str, str | None],
    *,
    positive: object,
    higher_is_positive: bool,
    on_missing: str,
) -> ScoreSet:
    """See :meth:`ScoreSet.from_frame`; ``roles`` maps "label", "score", ... to column names."""
    require_known_handling(on_missing)
    named = {role: name for role, name in roles.items() if name is not None}
    return set_from_columns(
        read_table(frame, named),
        positive=positive,
        higher_is_positive=higher_is_positive,
        on_missing=on_missing,
        source=Source(columns=named),
    )


def require_known_handling(on_missing: str) -> None:
    """RS001 unless ``on_missing`` is "raise" or "drop"."""
    if on_missing not in ("raise", "drop"):
        raise UsageError(
            "RS001",
            f"on_missing={on_missing!r} is not known.",
            "known: raise, drop",
            ["use  ", Option("on_missing", "drop"), "  to leave out rows that lack a value"],
        )


def set_from_columns(
    columns: Mapping[str, Column],
    *,
    positive: object,
    higher_is_positive: bool,
    on_missing: str,
    source: Source,
) -> ScoreSet:
    """Build a set from columns by role, after dealing with rows that lack a value."""
    missing = {role: mask for role, column in columns.items() if (mask := _missing(column)) is not None}
    keep, dropped = None, Dropped()
    if missing and on_missing == "drop":
        keep = ~np.logical_or.reduce(list(missing.values()))
        dropped = Dropped(
            int(keep.size - np.count_nonzero(keep)),
            {f"no {role}": int(np.count_nonzero(mask)) for role, mask in missing.items()},
        )
        warn("RS102", _dropped_sentence(missing, keep, columns, source), "", stacklevel=5)
    elif "score" in missing and columns["score"].array.dtype.kind != "O":
        raise missing_scores(missing["score"], source, _common_owner(missing["score"], columns))
    return set_from_arrays(
        columns["label"],
        columns["score"],
        columns.get("group"),
        models=columns.get("model"),
        cases=columns.get("case"),
        sample_weight=columns.get("weight"),
        positive=positive,
        higher_is_positive=higher_is_positive,
        unit=source.columns.get("group", "group"),
        source=source,
        dropped=dropped,
        keep=keep,
    )


def _missing(column: Column) -> Mask | None:
    """Rows without a value, NaN and NaT included; None if there are none."""
    mask, array = column.missing, column.array
    if array.dtype.kind in "fcmM":
        absent = np.isnat(array) if array.dtype.kind in "mM" else np.isnan(array)
        if absent.any():
            mask = absent if mask is None else mask | absent
    return mask if mask is not None and mask.any() else None


def _common_owner(mask: Mask, columns: Mapping[str, Column]) -> str:
    """``all in model "candidate"; `` if the rows have a model or group in common, and others exist."""
    for role in ("model", "group"):
        if role in columns:
            inside = {word(v) for v in columns[role].array[mask]}
            if len(inside) == 1 and (columns[role].array != columns[role].array[mask][0]).any():
                return f'all in {role} "{inside.pop()}"; '
    return ""


def _dropped_sentence(
    missing: Mapping[str, Mask], keep: Mask, columns: Mapping[str, Column], source: Source
) -> str:
    causes = ", ".join(
        f"{counted(int(mask.sum()), 'row')} without a {role}" for role, mask in missing.items()
    )
    owner = _common_owner(~keep, columns).removesuffix("; ")
    sentence = f"{causes} dropped{source.place}"
    if len(missing) > 1:
        sentence += f" ({counted(int(keep.size - keep.sum()), 'row')} in all)"
    return sentence + (f", {owner}." if owner else ".")


# -- reading ------------------------------------------------------------------------------------------


def read_table(frame: object, named: Mapping[str, str]) -> dict[str, Column]:
    """The needed columns of any table, by role.

    Parameters
    ----------
    frame : table
        pandas, Polars, Arrow, DuckDB, anything else narwhals reads, or a dict of arrays.
    named : mapping
        Role to column name.
    """
    if isinstance(frame, Mapping):
        require_columns(list(frame), named)
        source = Source(columns=named)
        return {role: read_column(frame[name], role, source) for role, name in named.items()}
    import narwhals.stable.v2 as nw

    if hasattr(frame, "to_native"):  # a narwhals frame, of whichever of its versions
        frame = frame.to_native()
    if _is_duckdb_relation(frame):
        relation: Any = frame
        require_columns(relation.columns, named)
        return fetch_columns(relation, named)
    names = list(dict.fromkeys(named.values()))
    table = _from_native(frame, named, names)
    lazy = isinstance(table, nw.LazyFrame)
    require_columns(table.collect_schema().names() if lazy else table.columns, named)
    chosen = table.select(nw.col(name) for name in names)
    if lazy:
        chosen = chosen.collect()
    return {role: from_narwhals(chosen.get_column(name)) for role, name in named.items()}


def _is_duckdb_relation(frame: object) -> bool:
    duckdb = sys.modules.get("duckdb")  # never imported to look at it
    return duckdb is not None and isinstance(frame, duckdb.DuckDBPyRelation)


def _from_native(frame: Any, named: Mapping[str, str], names: list[str]) -> Any:
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        return nw.from_native(frame)
    except DuplicateError:
        columns = list(frame.column_names if hasattr(frame, "column_names") else frame.columns)
        require_columns(columns, named)
        # The double is none of ours: leave it behind before narwhals sees it.
        return nw.from_native(frame.select(names) if hasattr(frame, "column_names") else frame[names])
    except TypeError as error:
        raise UsageError(
            "RS001",
            "this is not a table that can be read.",
            f"type {type(frame).__module__}.{type(frame).__qualname__}",
            "pass a pandas, Polars, Arrow or DuckDB table, or a dict of arrays",
        ) from error


def fetch_columns(relation: Any, columns: Mapping[str, str]) -> dict[str, Column]:
    """Columns of a DuckDB relation, by role, straight into NumPy: narwhals would need pyarrow here."""
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    chosen = []
    for i, name in enumerate(columns.values()):
        expression = quoted(name)
        if types[name] in ("HUGEINT", "UHUGEINT"):  # sums of integers; NumPy would get rounded floats
            expression = f"CAST({expression} AS BIGINT)"
        elif types[name].startswith("ENUM"):
            expression = f"CAST({expression} AS VARCHAR)"
        chosen.append(f"{expression} AS c{i}")
    try:
        arrays = relation.project(", ".join(chosen)).fetchnumpy()
    except Exception as error:
        if type(error).__name__ != "ConversionException":
            raise
        raise DataError(
            "RS033",
            "integers of more than 64 bits cannot be read.",
            str(error).splitlines()[0],
            "cast the column to DOUBLE",
        ) from error
    return {role: _fetched(arrays[f"c{i}"]) for i, role in enumerate(columns)}


def _fetched(array: Any) -> Column:
    """A column from DuckDB, whose mask tells all that is missing: objects need not be searched."""
    mask = np.ma.getmaskarray(array)
    return Column(np.ma.getdata(array), mask if mask.any() else None)


def quoted(name: str) -> str:
    """A column name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def require_columns(present: Sequence[Any], named: Mapping[str, str], file: str = "") -> None:
    """RS011 for a column that is not there, RS012 for one that is there twice."""
    counts = Counter(present)
    place = f" in {file}" if file else ""
    for role, name in named.items():
        if counts[name] > 1:
            raise ColumnError(
                "RS012",
                f'{counts[name]} columns are called "{name}"{place}.',
                f"columns: {list_columns(present)}",
                "rename all but one of them",
            )
        if name not in counts:
            close = near_match(str(name), map(str, counts))
            remedy: list[str | Option] = ["name one of these columns:  ", Option(role, "...")]
            if close is not None:
                remedy = ["did you mean  ", Option(role, close), " ?"]
            raise ColumnError(
                "RS011", f'no column "{name}"{place}.', f"columns: {list_columns(present)}", remedy
            )
    if not counts:
        raise no_rows()


def list_columns(columns: Iterable[Any]) -> str:
    """``fold, y_true, y_prob``; a long list is cut."""
    names = list(map(str, columns))
    more = len(names) - _COLUMNS_SHOWN
    return ", ".join(names[:_COLUMNS_SHOWN]) + (f" and {more} more" if more > 0 else "") or "none"
