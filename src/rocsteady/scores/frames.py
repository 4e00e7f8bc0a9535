"""Tables: any data frame in, through narwhals; pandas or Polars out.

Only the columns that are needed leave the table. Null and NaN are alike: a row that lacks a value.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.caller import caller_level
from rocsteady.errors import MissingPackageError, Option, UsageError, counted, warn
from rocsteady.scores.arrays import (
    Column,
    Source,
    from_narwhals,
    index_of,
    no_rows,
    read_column,
    require_one_index,
)
from rocsteady.scores.building import set_from_arrays
from rocsteady.scores.column_names import read_names, require_columns, role_kind
from rocsteady.scores.columns import missing_scores
from rocsteady.scores.database import fetch_columns
from rocsteady.scores.design import Design
from rocsteady.scores.grouping import Factor, factorize, shown
from rocsteady.scores.records import Dropped
from rocsteady.scores.score_set import ScoreSet

Mask = NDArray[np.bool_]
Columns = Mapping[str, Column | Factor]


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


def set_columns(scores: ScoreSet) -> dict[str, Any]:
    """One row per scored case: the columns of :meth:`ScoreSet.to_frame`."""
    sizes = np.diff(scores.columns.offsets)
    columns: dict[str, Any] = {}
    if scores.models:
        columns["model"] = np.repeat(np.array(scores.models, dtype=object)[scores.model_index], sizes)
    taken = ("model", "case", "cluster", "is_positive", "score", "weight")
    unit = "group" if scores.unit in taken else scores.unit
    columns[unit] = np.repeat(np.array(scores.groups, dtype=object)[scores.group_index], sizes)
    if scores.cases is not None:
        columns["case"] = scores.cases.listed()
    if scores.clusters is not None:
        columns["cluster"] = scores.clusters.listed()
    columns["is_positive"] = scores.columns.labels == scores.columns.positive
    columns["score"] = scores.columns.scores
    if scores.columns.weights is not None:
        columns["weight"] = scores.columns.weights
    return columns


def set_to_frame(scores: ScoreSet) -> Any:
    """See :meth:`ScoreSet.to_frame`."""
    return to_frame(set_columns(scores))


def set_from_frame(
    frame: object,
    roles: Mapping[str, object],
    *,
    positive: object,
    higher_is_positive: bool,
    on_missing: str,
    design: str | Design | None = None,
) -> ScoreSet:
    """See :meth:`ScoreSet.from_frame`; ``roles`` maps "label", "score", ... to column names."""
    require_known_handling(on_missing)
    named = read_names(roles, required=("label", "score"))
    return set_from_columns(
        read_table(frame, named),
        positive=positive,
        higher_is_positive=higher_is_positive,
        on_missing=on_missing,
        source=Source(columns=named),
        design=design,
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
    columns: Columns,
    *,
    positive: object,
    higher_is_positive: bool,
    on_missing: str,
    source: Source,
    design: str | Design | None = None,
) -> ScoreSet:
    """Build a set from columns by role, after dealing with rows that lack a value."""
    columns = {role: _as_names(column, role) for role, column in columns.items()}
    missing = {role: mask for role, column in columns.items() if (mask := _missing(column)) is not None}
    keep, dropped = None, Dropped()
    if missing and on_missing == "drop":
        causes = _by_kind(missing)
        keep = ~np.logical_or.reduce(list(causes.values()))
        dropped = Dropped(
            int(keep.size - np.count_nonzero(keep)),
            {f"no {role}": int(np.count_nonzero(mask)) for role, mask in causes.items()},
        )
        warn("RS102", _dropped_sentence(causes, keep, columns, source), "", stacklevel=caller_level())
    else:
        _require_scores(missing, columns, source)
    several = {source.columns[role]: column for role, column in columns.items() if role_kind(role) != role}
    return set_from_arrays(
        columns["label"],
        several or columns["score"],
        columns.get("group"),
        models=columns.get("model"),
        cases=columns.get("case"),
        clusters=columns.get("cluster"),
        repeats=columns.get("repeat"),
        sample_weight=columns.get("weight"),
        positive=positive,
        higher_is_positive=higher_is_positive,
        unit=str(source.columns.get("group", "group")),
        design=design,
        source=source,
        dropped=dropped,
        keep=keep,
    )


def _as_names(column: Column | Factor, role: str) -> Column | Factor:
    is_name = role_kind(role) in ("group", "model", "case", "cluster", "repeat")
    return factorize(column) if is_name and isinstance(column, Column) else column


def _missing(column: Column | Factor) -> Mask | None:
    """Rows without a value, NaN and NaT included; None if there are none."""
    if isinstance(column, Factor):
        return column.missing if column.missing.any() else None
    mask, array = column.missing, column.array
    if array.dtype.kind in "fcmM":
        absent = np.isnat(array) if array.dtype.kind in "mM" else np.isnan(array)
        if absent.any():
            mask = absent if mask is None else mask | absent
    return mask if mask is not None and mask.any() else None


def _by_kind(missing: Mapping[str, Mask]) -> dict[str, Mask]:
    """Where each model has a score column of its own, a row that lacks one score lacks the score.

    It is dropped for all models: otherwise they would not be compared on the same cases.
    """
    kinds: dict[str, Mask] = {}
    for role, mask in missing.items():
        kind = role_kind(role)
        kinds[kind] = kinds[kind] | mask if kind in kinds else mask
    return kinds


def _require_scores(missing: Mapping[str, Mask], columns: Columns, source: Source) -> None:
    """RS031 with the model, group or column that the missing scores have in common."""
    for role, mask in missing.items():
        column = columns[role]
        if role_kind(role) == "score" and isinstance(column, Column) and column.array.dtype.kind != "O":
            where = f"all in {source.column(role)}; " if role != "score" else _common_owner(mask, columns)
            raise missing_scores(mask, source, where)


def _common_owner(mask: Mask, columns: Columns) -> str:
    """``all in model "candidate"; `` if the rows have a model or group in common, and others exist."""
    for role in ("model", "group"):
        names = columns.get(role)
        if isinstance(names, Factor):
            inside = np.unique(names.codes[mask])
            if inside.size == 1 and inside[0] >= 0 and (names.codes != inside[0]).any():
                return f'all in {role} "{shown(names.values[inside[0]])}"; '
    return ""


def _dropped_sentence(missing: Mapping[str, Mask], keep: Mask, columns: Columns, source: Source) -> str:
    causes = ", ".join(
        f"{counted(int(mask.sum()), 'row')} without a {role}" for role, mask in missing.items()
    )
    owner = _common_owner(~keep, columns).removesuffix("; ")
    sentence = f"{causes} dropped{source.place}"
    if len(missing) > 1:
        sentence += f" ({counted(int(keep.size - keep.sum()), 'row')} in all)"
    if "score_0" in columns:
        sentence += " for all models"
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
        require_one_index({role: index_of(frame[name]) for role, name in named.items()}, source)
        return {role: read_column(frame[name], role_kind(role), source) for role, name in named.items()}
    import narwhals.stable.v2 as nw

    if hasattr(frame, "to_native"):  # a narwhals frame, of whichever of its versions
        frame = frame.to_native()
    if _is_duckdb_relation(frame):
        relation: Any = frame
        require_columns(relation.columns, named)
        return fetch_columns(relation, named, Source(columns=named))
    names = list(dict.fromkeys(named.values()))
    table = _from_native(_arrow_table(frame, named, names), named, names)
    lazy = isinstance(table, nw.LazyFrame)
    require_columns(table.collect_schema().names() if lazy else table.columns, named)
    chosen = table.select(nw.col(name) for name in names)
    if lazy:
        chosen = chosen.collect()
    source = Source(columns=named)
    return {
        role: from_narwhals(chosen.get_column(name), role_kind(role), source) for role, name in named.items()
    }


def _is_duckdb_relation(frame: object) -> bool:
    # Never imported to look at it. While another thread imports it, it may lack the class: then this is none.
    return isinstance(frame, getattr(sys.modules.get("duckdb"), "DuckDBPyRelation", ()))


def _arrow_table(frame: Any, named: Mapping[str, str], names: list[str]) -> Any:
    """Arrow's batches, and readers of them, as a table of the needed columns; others as they are."""
    arrow: Any = sys.modules.get("pyarrow")
    kinds = tuple(getattr(arrow, name, ()) for name in ("RecordBatch", "RecordBatchReader"))
    if not isinstance(frame, kinds):
        return frame
    require_columns(frame.schema.names, named)
    batches = [frame] if isinstance(frame, arrow.RecordBatch) else frame
    schema = arrow.schema([frame.schema.field(name) for name in names])
    table = arrow.Table.from_batches([batch.select(names) for batch in batches], schema)
    if table.num_rows == 0 and isinstance(frame, arrow.RecordBatchReader):
        raise no_rows(
            Source(), "0 rows", "a reader gives its rows once: keep them,  table = reader.read_all()"
        )
    return table


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
        remedy = "pass a pandas, Polars, Arrow or DuckDB table, or a dict of arrays"
        if isinstance(frame, str | os.PathLike):
            remedy = f"to read a file:  rs.read_scores({str(frame)!r}, ...)"
        raise UsageError(
            "RS001",
            "this is not a table that can be read.",
            f"type {type(frame).__module__}.{type(frame).__qualname__}",
            remedy,
        ) from error
