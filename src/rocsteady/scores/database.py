"""DuckDB: columns of a relation, or of the table that a file was read into, straight into NumPy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from rocsteady.errors import DataError
from rocsteady.scores.arrays import ARRAYS, NUMERIC, Column, Source
from rocsteady.scores.column_names import role_kind
from rocsteady.scores.grouping import Factor, gathering_order
from rocsteady.scores.rounding import warn_of_rounding

_CODED = ("label", "group", "model", "case", "cluster", "repeat")


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C be what it is everywhere else: DuckDB makes a RuntimeError of it."""
    try:
        yield
    except Exception as error:
        if str(error) == "Query interrupted" or type(error).__name__ == "InterruptException":
            raise KeyboardInterrupt from error
        raise


def quoted(name: str) -> str:
    """A column name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def fetch_columns(relation: Any, columns: Mapping[str, str], source: Source = ARRAYS) -> dict[str, Column]:
    """Columns of a DuckDB relation, by role, straight into NumPy: narwhals would need pyarrow here."""
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    chosen = [
        f"{_readable(quoted(name), types[name], role_kind(role))} AS c{i}"
        for i, (role, name) in enumerate(columns.items())
    ]
    for role, name in columns.items():
        if types[name].startswith("DECIMAL") and role_kind(role) == "score":
            _warn_of_rounded_decimals(relation, name, role, source)
    try:
        with interruptible():
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


def _warn_of_rounded_decimals(relation: Any, name: str, role: str, source: Source) -> None:
    text = f"CAST({quoted(name)} AS VARCHAR)"
    with interruptible():
        pairs = relation.project(f"CAST({text} AS DOUBLE) AS number, {text} AS value")
        found = pairs.aggregate("number, array_agg(DISTINCT value) AS own", "number").filter("len(own) > 1")
        warn_of_rounding(dict(found.fetchall()), role, source)


def _readable(column: str, kind: str, role: str) -> str:
    """SQL for a column in a type that NumPy has."""
    if kind in ("HUGEINT", "UHUGEINT"):  # sums of integers; NumPy would get rounded floats
        return f"CAST({column} AS BIGINT)"
    if kind.startswith("ENUM"):
        return f"CAST({column} AS VARCHAR)"
    if kind.startswith("DECIMAL"):  # through text: DuckDB's own cast is off by a bit now and then
        text = f"CAST({column} AS VARCHAR)"
        return f"CAST({text} AS DOUBLE)" if role in NUMERIC else text
    return column


def _fetched(array: Any) -> Column:
    """A column from DuckDB, whose mask tells all that is missing: objects need not be searched."""
    mask = np.ma.getmaskarray(array)
    return Column(np.ma.getdata(array), mask if mask.any() else None)


def fetch_coded(database: Any, expressions: Mapping[str, str]) -> dict[str, Column | Factor]:
    """Columns of the table ``clean`` by role, in the order of the file; text comes as codes.

    Parameters
    ----------
    expressions : mapping
        Role to SQL; the columns of the table are called ``label_``, ``score_`` and so on.

    Notes
    -----
    Rows and the order of groups are told from the order of rows. DuckDB keeps it in the plain scan that
    made the table, and loses it in a join; so the row numbers that come with the columns have the last word.
    """
    table = database.table("clean")
    types = dict(zip(table.columns, map(str, table.types), strict=True))
    coded = [role for role in _CODED if types.get(f"{role}_") == "VARCHAR"]
    values = {role: _distinct(database, role) for role in coded}
    picked, joins = ["clean.rowid AS row_"], ["clean"]
    for role, expression in expressions.items():
        if role in values:
            picked.append(f"code_of_{role}.code AS {role}_")
            joins.append(f"code_of_{role} ON clean.{role}_ = code_of_{role}.value")
        else:
            picked.append(f"{expression} AS {role}_")
    relation = database.sql(f"SELECT {', '.join(picked)} FROM {' LEFT JOIN '.join(joins)}")
    columns = fetch_columns(relation, {role: f"{role}_" for role in ("row", *expressions)})
    order = gathering_order(columns["row"].array, len(columns["row"]))
    ordered = {role: columns[role] if order is None else columns[role][order] for role in expressions}
    return {role: _as_codes(c, values[role]) if role in values else c for role, c in ordered.items()}


def _distinct(database: Any, role: str) -> tuple[str, ...]:
    """The distinct values of a column of text in order of appearance, numbered in a table of their own.

    DuckDB numbers the names of a million rows several times faster than Python, which would need an object
    for each row.
    """
    database.execute(
        f"""
        CREATE TEMP TABLE code_of_{role} AS
        SELECT value, CAST(row_number() OVER (ORDER BY first) - 1 AS BIGINT) AS code
        FROM (SELECT {role}_ AS value, min(rowid) AS first FROM clean WHERE {role}_ IS NOT NULL GROUP BY ALL)
        """
    )
    rows = database.execute(f"SELECT value FROM code_of_{role} ORDER BY code").fetchnumpy()
    return tuple(rows["value"].tolist())


def _as_codes(column: Column, values: tuple[str, ...]) -> Factor:
    codes = column.array if column.missing is None else np.where(column.missing, -1, column.array)
    return Factor(np.asarray(codes, dtype=np.int64), values)
