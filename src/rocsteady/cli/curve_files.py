"""Points of curves, and other tables, as CSV and Parquet."""

from __future__ import annotations

import csv
import io
import math
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

from rocsteady.cli.writing import require_folder
from rocsteady.errors import fail
from rocsteady.words import printable

KINDS = ("csv", "json", "parquet")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # some spreadsheets take wide ones too
_BREAKS = ("\t", "\r", "\n")


def kind_of(path: Path | None) -> str:
    """What a file's ending says; CSV where there is no file.

    RS054 for an unknown ending, RS055 where there is no folder.
    """
    kind = "csv" if path is None else path.suffix.removeprefix(".").casefold()
    if kind not in KINDS:
        known = ", ".join(f".{own}" for own in KINDS)
        raise fail("RS054.ending", path=path, known=known, ways=["--output curve.csv"])
    if path is not None:
        require_folder(path)
    return kind


def as_csv(table: dict[str, list[Any]]) -> str:
    """Rows under a header; numbers keep every digit, missing ones are empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([safe_cell(name) for name in table])
    for row in zip(*table.values(), strict=True):
        writer.writerow([_cell(value) for value in row])
    return text.getvalue()


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return repr(value) if isinstance(value, int | float) else safe_cell(value)


def safe_cell(text: str) -> str:
    r"""Text for a CSV file: marked as text where a spreadsheet would take it for a formula.

    Names come from files. What steers a terminal (an escape, a bell) is spelled out, since CSV is looked at
    with ``cat`` too. Numbers do not come here: they keep their sign.

    >>> safe_cell("=cmd()"), safe_cell(" -1+2"), safe_cell("host-1"), safe_cell("\x1b[2J")
    ("'=cmd()", "' -1+2", 'host-1', '\\x1b[2J')
    """
    harmless = "".join(c if c in _BREAKS or not _is_control(c) else printable(c) for c in text)
    is_formula = harmless.startswith(_BREAKS) or harmless.lstrip().startswith(_FORMULA)
    return f"'{harmless}" if is_formula else harmless


def _is_control(character: str) -> bool:
    return unicodedata.category(character) == "Cc"


def as_parquet(table: dict[str, list[Any]]) -> bytes:
    """The same as Parquet, written by DuckDB."""
    import duckdb
    import numpy as np

    arrays = {
        name: np.array([math.nan if v is None else v for v in values], dtype=np.float64)
        if all(value is None or isinstance(value, int | float) for value in values)
        else np.array(values, dtype=object)
        for name, values in table.items()
    }
    chosen = ", ".join(
        f'CASE WHEN isnan("{name}") THEN NULL ELSE "{name}" END AS "{name}"'
        if array.dtype == np.float64
        else f'"{name}"'
        for name, array in arrays.items()
    )
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        path = Path(folder) / "curve.parquet"
        connection.register("points", arrays)
        connection.execute(f"COPY (SELECT {chosen} FROM points) TO '{path}' (FORMAT parquet)")
        return path.read_bytes()
