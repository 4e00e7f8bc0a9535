"""Text files: the header, the line a row stands on, and numbers and labels written as text."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from rocsteady.errors import DataError, FileError, counted
from rocsteady.scores.arrays import CHECK_FILE, Column, Source, no_rows, thousands
from rocsteady.scores.column_names import role_kind
from rocsteady.scores.grouping import Factor
from rocsteady.scores.rounding import could_be_rounded, warn_of_rounded_text

_DELIMITERS = (",", ";", "\t", "|")
_LOOK_AT = 1 << 16
_ZIPPED = "a zip file, as Excel workbooks are"
AS_TABLE = "export the sheet as CSV, or:  rs.ScoreSet.from_frame(pandas.read_excel({name!r}), ...)"
"""What to do with a workbook."""
MISSING_WORDS = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None")
"""What text files write for a number or a label that is missing."""
_NOTHING = frozenset({"-", "--", ".", "?", "#n/a", "missing", "n.a.", "n/a", "nil", "none", "unknown"})
"""What people write there too; it might be a slip as well, so nobody takes it for missing unasked."""


@dataclass(frozen=True)
class Dialect:
    """How a text file is cut up; without a delimiter each line is a record (JSON lines)."""

    delimiter: str | None
    gzipped: bool


def read_header(path: Path, name: str, kind: str, *, gzipped: bool) -> tuple[list[str], Dialect]:
    """The column names as they are written, and the delimiter.

    DuckDB is not asked: it renames doubled names, and takes one column of "1,0.5" where it finds no sense.

    Raises
    ------
    FileError
        RS053 if the file is not text.
    DataError
        RS010 if it is empty.
    """
    try:
        with open_bytes(path, gzipped) as stream:
            start = stream.read(_LOOK_AT)
    except (OSError, EOFError, zlib.error) as error:
        raise FileError("RS053", f"{name} cannot be read.", str(error), "check the file") from error
    start = start.removeprefix(codecs.BOM_UTF8)
    if not start.strip():
        raise no_rows(Source(name=name), "it is empty", CHECK_FILE)
    found = _not_text(start)
    if found:
        raise FileError(
            "RS053",
            f"{name} cannot be read as {kind}.",
            found,
            AS_TABLE.format(name=name)
            if found.endswith(_ZIPPED)
            else "give the file the ending of what it is, or save it as UTF-8 text",
        )
    lines = re.split(r"\r\n|\r|\n", start.decode("utf-8", errors="ignore"))
    blank_lines, first_line = next((i, line) for i, line in enumerate(lines) if line.strip())
    if blank_lines:  # versions of DuckDB differ in whether they count them
        raise FileError(
            "RS053",
            f"{name} does not start with its column names.",
            f"{counted(blank_lines, 'blank line')} above them",
            "take them out: the names stand in the first line",
        )
    unquoted = re.sub(r'"[^"]*"', "", first_line)
    delimiter = "\t" if kind == "TSV" else next((d for d in _DELIMITERS if d in unquoted), ",")
    dialect = Dialect(delimiter, gzipped)
    try:
        _, header = next(_records(path, dialect))
    except csv.Error as error:
        raise FileError(
            "RS053",
            f"{name} cannot be read as {kind}.",
            f"line 1: {error}",
            "close the quotes in the line of column names",
        ) from error
    return [column.strip() for column in header], dialect


def _not_text(start: bytes) -> str:
    """What the bytes are instead of text, or nothing."""
    for magic, kind in (
        (b"PAR1", "a Parquet file"),
        (b"\x1f\x8b", "gzipped (.gz)"),
        (b"PK\x03\x04", _ZIPPED),
    ):
        if start.startswith(magic):
            return f"it is {kind}"
    if b"\0" in start:
        return f"it is binary: a zero byte at position {start.index(0)}"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)  # a character cut at the end is no error
    except UnicodeDecodeError as error:
        return f"line {start[: error.start].count(10) + 1} is not UTF-8 text"
    return ""


def open_bytes(path: Path, gzipped: bool) -> IO[bytes]:
    """The bytes of a file, unpacked."""
    return cast(IO[bytes], gzip.open(path, "rb") if gzipped else path.open("rb"))


def _records(path: Path, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Each record with the line it starts on, header included; blank lines are none."""
    with open_bytes(path, dialect.gzipped) as stream:
        lines = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
        if dialect.delimiter is None:
            yield from ((i, [line]) for i, line in enumerate(lines, 1) if line.strip())
            return
        reader, start = csv.reader(lines, delimiter=dialect.delimiter), 1
        for fields in reader:
            if fields:
                yield start, fields
            start = reader.line_num + 1


def line_of_record(path: Path, row: int, dialect: Dialect) -> int:
    """The line on which a row of the table starts; quoted fields may span lines, so lines are counted."""
    n_headers = 0 if dialect.delimiter is None else 1
    try:
        for i, (line, _) in enumerate(_records(path, dialect)):
            if i == row + n_headers:
                return line
    except csv.Error:  # a field too long for Python's reader
        pass
    return row + 1 + n_headers


def find_fault(path: Path, dialect: Dialect, n_columns: int) -> str:
    """The first line that is not as it should be, looked for after DuckDB refused the file."""
    ends: set[str] = set()
    with open_bytes(path, dialect.gzipped) as stream:
        for i, line in enumerate(stream, 1):
            if i == 1 and dialect.delimiter is None and line.startswith(codecs.BOM_UTF8):
                return "it starts with a byte order mark, which JSON has not"
            ends.add(r"\r\n" if line.endswith(b"\r\n") else r"\r" if b"\r" in line else r"\n")
            try:
                line.decode()
            except UnicodeDecodeError:
                return f"line {i} is not UTF-8 text"
    for start, fields in _records(path, dialect):
        if dialect.delimiter is None:
            try:
                is_object = isinstance(json.loads(fields[0]), dict)
            except ValueError:
                is_object = False
            if not is_object:
                return f"line {start} is not a JSON object: {fields[0].strip()[:60]}"
        elif len(fields) != n_columns:
            text = dialect.delimiter.join(fields)[:60]
            return f"line {start} has {counted(len(fields), 'column')} instead of {n_columns}: {text}"
    return f"its lines end in different ways, {' and '.join(sorted(ends))}: use one" if len(ends) > 1 else ""


def number_type(database: Any, role: str, source: Source) -> str:
    """The SQL type for a text column of the table ``clean``: of integers if all are, else of floats.

    Raises
    ------
    DataError
        RS033 (scores) or RS037 (weights) if a field is not a number; the first one is shown.
    """
    text = f"{role}_"
    # Most columns are of floats, and then the first row tells: patterns are the slow part of this.
    no_integer = f"SELECT 1 FROM clean WHERE NOT regexp_full_match({text}, '[+-]?[0-9]+') LIMIT 1"
    if database.execute(no_integer).fetchall():
        _require_numbers(database, role, source)
        return "DOUBLE"
    n_rows, no_bigint, no_ubigint = database.execute(
        f"""
        SELECT count(*), count({text}) - count(TRY_CAST({text} AS BIGINT)),
               count({text}) - count(TRY_CAST({text} AS UBIGINT))
        FROM clean
        """
    ).fetchall()[0]
    if no_bigint and no_ubigint:
        raise DataError(
            "RS033",
            f"{source.column(role)} holds integers of more than 64 bits{source.place}.",
            f"{counted(int(no_bigint), 'row')} of {thousands(n_rows)}",
            "write them as decimals (1e20) if their last digits do not matter",
        )
    return "UBIGINT" if no_bigint else "BIGINT"


def _require_numbers(database: Any, role: str, source: Source) -> None:
    text = f"{role}_"
    # DuckDB reads 1_000 as a number.
    is_bad = f"{text} IS NOT NULL AND (TRY_CAST({text} AS DOUBLE) IS NULL OR contains({text}, '_'))"
    n_rows, n_bad, first, value, n_rounded = database.execute(
        f"""
        SELECT count(*), count(*) FILTER ({is_bad}), min(rowid) FILTER ({is_bad}),
               arg_min({text}, rowid) FILTER ({is_bad}), count(*) FILTER ({could_be_rounded(text)})
        FROM clean
        """
    ).fetchall()[0]
    if n_bad:
        found = f"{thousands(n_bad)} of {counted(n_rows, 'row')}; first at {source.row(int(first))}: "
        raise _not_numbers(role, value, found + repr(value[:60]), source)
    if n_rounded and role_kind(role) == "score":
        warn_of_rounded_text(database, role, source)


def _not_numbers(role: str, value: str, found: str, source: Source) -> DataError:
    kind = role_kind(role)
    remedy = f"name the column that holds the {kind}, or mend the file"
    if re.fullmatch(r"[+-]?\d*,\d+", value):
        remedy = "write decimals with a point"
    elif re.fullmatch(r"[+-]?\d*\.?\d+\s*%", value):
        remedy = "write them without the % sign"
    elif value.strip().casefold() in _NOTHING:
        remedy = "leave such cells empty: then they count as missing"
    return DataError(
        "RS033" if kind == "score" else "RS037",
        f"{source.column(role)} is not all numbers{source.place}.",
        found,
        remedy,
    )


def typed_labels(found: Factor) -> Column:
    """Labels read as text: numbers if all are numbers, True and False if all are, else text.

    Numbers that would lose digits stay text: two of them could become one label.
    """
    kinds: list[Any] = [_number(text) for text in found.values]
    if any(kind is None for kind in kinds):
        kinds = [{"true": True, "false": False}.get(text.casefold()) for text in found.values]
    if not kinds or any(kind is None for kind in kinds):
        return found.column()
    if any(abs(kind) > 2**53 for kind in kinds) and not all(isinstance(kind, int) for kind in kinds):
        return found.column()
    missing = found.missing if found.missing.any() else None
    return Column(np.asarray(kinds)[found.codes], missing)  # code -1, a missing label, is any value


def _number(text: str) -> int | float | None:
    """The number that a text spells, None if it spells none or has more digits than a number holds."""
    try:
        number = float(text)
    except ValueError:
        return None
    if "_" in text or not np.isfinite(number) or len(re.findall(r"\d", text.lstrip("+-0."))) > 15:
        is_integer = re.fullmatch(r"[+-]?[0-9]{1,18}", text)
        return int(text) if is_integer else None
    return int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else number
