"""JSON lines: the keys of the objects, and their values as the text that was written."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from rocsteady.errors import DataError, FileError
from rocsteady.scores.arrays import Source
from rocsteady.scores.locating import File
from rocsteady.scores.text import Dialect, find_fault

_HAS_LONG = "regexp_matches(CAST(json AS VARCHAR), '[1-9][0-9]*[.]?[0-9]{17}|[eE]-[0-9]{3}')"
"""A line with a number of 18 digits or more, 17 of them behind the point if it has one; or below 1e-99."""


def json_keys(database: Any, table: str, arguments: list[Any]) -> list[str] | None:
    """The keys of all objects, those of the first line first; None if there are no lines.

    A key that an object has twice is listed twice.
    """
    first = database.execute(f"SELECT json_keys(json) FROM {table} LIMIT 1", arguments).fetchall()
    if not first:
        return None
    # Most lines have the same keys, so lists of keys are made distinct before they are taken apart.
    lists = database.execute(f"SELECT DISTINCT json_keys(json) FROM {table}", arguments).fetchall()
    others = Counter[str]()
    for (keys,) in lists:
        others |= Counter(keys)
    ordered = dict.fromkeys([*first[0][0], *sorted(others)])
    return [key for key in ordered for _ in range(others[key])]


def require_objects(database: Any, table: str, arguments: list[Any], file: File, dialect: Dialect) -> None:
    """RS053 if a line holds something else than an object."""
    query = f"SELECT 1 FROM {table} WHERE json_type(json) <> 'OBJECT' LIMIT 1"
    if database.execute(query, arguments).fetchall():
        raise FileError(
            "RS053",
            f"{file.name} cannot be read as {file.kind}.",
            find_fault(file.path, dialect, 0),
            "each line must be one complete JSON object, in UTF-8",
        )


def value_of_key(key: str) -> str:
    """SQL for the value of a key as text, exactly as long numbers are written; NULL for null."""
    return f"json_extract_string(json, {_pointer(key)})"


def has_long_numbers(database: Any, table: str, arguments: list[Any]) -> bool:
    """Whether a line has a number of more digits than DuckDB keeps, or one too small for a float."""
    query = f"SELECT 1 FROM {table} WHERE {_HAS_LONG} LIMIT 1"
    return bool(database.execute(query, arguments).fetchall())


def number_of_key(key: str) -> str:
    """SQL for the number of a key as text, also where DuckDB rounds it.

    It is looked for in the line, and taken only if what is found is the same number as a float.
    """
    value = value_of_key(key)
    pattern = re.escape(json.dumps(key, ensure_ascii=False)) + r"\s*:\s*(-?[0-9][0-9.eE+-]*)"
    found = f"regexp_extract(CAST(json AS VARCHAR), '{pattern.replace(chr(39), chr(39) * 2)}', 1)"
    is_same = f"TRY_CAST({found} AS DOUBLE) = TRY_CAST({value} AS DOUBLE)"
    return f"CASE WHEN {_HAS_LONG} AND {is_same} THEN {found} ELSE {value} END"


def _pointer(key: str) -> str:
    pointer = "/" + key.replace("~", "~0").replace("/", "~1")
    return "'" + pointer.replace("'", "''") + "'"


def require_single_values(
    database: Any, table: str, arguments: list[Any], roles: Mapping[str, str], source: Source
) -> None:
    """RS034 if a label or a name is a list or an object."""
    for role in ("label", "group", "model", "case", "cluster"):
        if role not in roles:
            continue
        bracket = f"SELECT min(rowid) FROM clean WHERE {role}_[1] IN ('[', '{{')"
        if database.execute(bracket).fetchall()[0][0] is None:
            continue  # only such text can be one: a look at every type would read the file again
        kinds = f"SELECT json_type(json, {_pointer(roles[role])}) AS kind FROM {table}"
        numbered = f"SELECT row_number() OVER () - 1 AS row, kind FROM ({kinds})"
        found = f"SELECT min(row), arg_min(kind, row) FROM ({numbered}) WHERE kind IN ('ARRAY', 'OBJECT')"
        row, kind = database.execute(found, arguments).fetchall()[0]
        if row is not None:
            raise DataError(
                "RS034",
                f"{source.column(role)} must hold single values{source.place}.",
                f"{'a list' if kind == 'ARRAY' else 'an object'}, first at {source.row(int(row))}",
                "write one text or number per row",
            )
