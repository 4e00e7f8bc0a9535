"""Files: one row per scored case, in CSV, TSV, Parquet or JSON lines, read by DuckDB; iMRMC by itself."""

from __future__ import annotations

import codecs
import csv
import errno
import glob
import gzip
import io
import json
import math
import os
import re
import stat
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from rocsteady.errors import Option, Remedy, RocsteadyError, fail, warn
from rocsteady.scores.columns import (
    CHECK_FILE,
    NAMES,
    NUMERIC,
    Column,
    Factor,
    Source,
    no_rows,
    require_known_handling,
    role_kind,
    warn_of_rounding,
)
from rocsteady.scores.design import Design
from rocsteady.scores.frames import (
    choose_columns,
    fetch_coded,
    fetch_columns,
    interruptible,
    list_columns,
    quoted,
    read_names,
)
from rocsteady.scores.labels import MISSING_WORDS, typed_labels
from rocsteady.scores.score_set import ScoreSet, set_from_columns
from rocsteady.words import counted, grouped, listed, near_match, printable


def read_scores(
    path: str | bytes | os.PathLike[str] | os.PathLike[bytes],
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    group: str | None = None,
    model: str | None = None,
    case: str | None = None,
    cluster: str | None = None,
    repeat: str | None = None,
    weight: str | None = None,
    positive: object = None,
    higher_is_positive: bool = True,
    on_missing: str = "raise",
    design: str | Design | None = None,
) -> ScoreSet:
    r"""Read scores from a file with one row per scored case.

    Parameters
    ----------
    path : str or path
        CSV, TSV, Parquet (.parquet) or JSON lines (.jsonl, .ndjson); text may be gzipped (.csv.gz).
        "-" reads CSV from standard input. A reader study of iMRMC (.imrmc) has its own columns, which are
        not named: readers are its groups, modalities its models, and its cases are named.
    label, score, group, model, case, cluster, repeat, weight : str, optional
        Column names. A label, score, group or model column that is not named is taken only if exactly
        one has a conventional name (label, y_true, target, is_positive; score, y_score, y_prob; fold,
        group, dataset, reader; model); ``.columns_chosen`` tells which. A list of score
        columns is a list of models, ``cluster`` is the patient of a case, ``repeat`` the
        repeat of a cross-validation: see :meth:`ScoreSet.from_frame`.
    positive : label or list of labels, optional
        As for :class:`Scores`; in files ``"1"`` and ``1`` are the same label.
    higher_is_positive : bool
        False where low scores speak for the positive class.
    on_missing : {"raise", "drop"}
        What to do with rows that lack a value; what was dropped is in ``.dropped``. In text files an
        empty field, NA, N/A, NaN, NULL and None are missing scores, labels and weights; a group, model,
        case or cluster is missing only where the field is empty.

    Returns
    -------
    ScoreSet
        Its ``.source`` is the file's name.

    Raises
    ------
    FileError, ColumnError, LabelError, DataError
        Coded; text files are blamed by line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import rocsteady as rs
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "scores.csv")
    >>> _ = path.write_text("fold,label,score\n1,1,0.9\n1,0,0.2\n2,1,0.4\n2,0,inf\n")
    >>> scores = rs.read_scores(path)
    >>> scores
    ScoreSet(2 folds, 4 rows, 2 positives)
    >>> scores.columns_chosen
    {'label': 'label', 'score': 'score', 'group': 'fold'}
    >>> folder.cleanup()
    """
    require_known_handling(on_missing)
    roles = {"label": label, "score": score, "group": group, "model": model}
    given = read_names({**roles, "case": case, "cluster": cluster, "repeat": repeat, "weight": weight})
    with located(path) as file:
        if file.kind == "iMRMC":
            columns, source, chosen = _read_imrmc(file, given, on_missing)
        else:
            readers = {"Parquet": _read_parquet, "JSON lines": _read_json}
            columns, source, chosen = readers.get(file.kind, _read_text)(file, given)
        scores = set_from_columns(
            columns,
            positive=positive,
            higher_is_positive=higher_is_positive,
            on_missing=on_missing,
            source=source,
            design="readers" if design is None and file.kind == "iMRMC" else design,
        )
    return replace(scores, columns_chosen=chosen)


_Read = tuple[dict[str, Column | Factor], Source, dict[str, str]]
"""Columns by role, where they came from, and which were taken for their conventional names."""


def columns_of_file(path: str) -> list[str]:
    """The columns of a CSV, TSV or Parquet file, without reading its rows; none of other kinds."""
    with located(path) as file:
        if file.kind in ("CSV", "TSV"):
            return list(read_header(file)[0])
        if file.kind != "Parquet":
            return []
        with open_database(file) as database:
            return parquet_columns(database, file)


# Finding a file: the path, what kind of file it is, and whether it can be read at all
# -----------------------------------------------------------------------------------

_KINDS = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".parquet": "Parquet",
    ".jsonl": "JSON lines",
    ".ndjson": "JSON lines",
    ".imrmc": "iMRMC",
}
_WORKBOOK = "export the sheet as CSV, or:  rs.ScoreSet.from_frame(pandas.read_excel({name!r}), ...)"
_OTHER_KINDS = {
    **dict.fromkeys((".xlsx", ".xls", ".xlsm", ".ods"), _WORKBOOK),
    **dict.fromkeys((".zip", ".bz2", ".xz", ".zst"), "unpack it first"),
    ".json": "write one JSON object per line, and call the file .jsonl",
}


@dataclass(frozen=True)
class File:
    """A file on disk, what to call it, and how to read it."""

    path: Path
    name: str
    kind: str
    gzipped: bool = False

    @property
    def pattern(self) -> str:
        """The path for DuckDB, which would expand ``*``, ``?`` and ``[``."""
        return glob.escape(str(self.path.absolute()))


@contextmanager
def located(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> Iterator[File]:
    """The file of that name, or a copy of standard input for ``-``.

    Raises
    ------
    FileError
        RS051 to RS054 if there is no such file, or none that can be read.
    UsageError
        RS001 if ``path`` is not the name of a file.
    """
    if not isinstance(path, str | bytes | os.PathLike):
        raise fail("RS001.path", kind=f"{type(path).__module__}.{type(path).__qualname__}")
    name = os.fsdecode(path)
    if name != "-":
        yield _find(Path(name))
        return
    # DuckDB reads files, and messages look back at lines: standard input is written down first.
    with tempfile.TemporaryDirectory(prefix="rocsteady-") as folder:
        copy = Path(folder, "input.csv")
        stream = getattr(sys.stdin, "buffer", None)
        with copy.open("wb") as target:
            for block in iter(lambda: (stream or sys.stdin).read(1 << 20), b"" if stream else ""):
                target.write(block if isinstance(block, bytes) else block.encode())
        yield File(copy, "standard input", "CSV")


def _find(path: Path) -> File:
    try:
        mode = os.stat(path).st_mode
        os.stat(path.absolute())  # DuckDB is told the whole path, which a deleted folder does not have
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise _not_found(path, error) from error
    if stat.S_ISDIR(mode):
        raise fail("RS052", path=path, files=_score_files(path))
    if not stat.S_ISREG(mode):
        raise fail("RS052.pipe", path=path)
    kind = _kind_of(path)
    if kind is None:
        other = _OTHER_KINDS.get(path.suffix.lower())
        ending = "".join(path.suffixes[-2:])
        if other is None:
            raise fail("RS054", file=path.name, ending=ending)
        raise fail("RS054.other", file=path.name, ending=ending, ways=[other.format(name=str(path))])
    try:
        path.open("rb").close()
    except OSError as error:
        raise fail("RS053.closed", file=path.name, reason=error.strerror or str(error)) from error
    return File(path, path.name, kind, gzipped=path.suffix.lower() == ".gz")


def _kind_of(path: Path) -> str | None:
    gzipped = path.suffix.lower() == ".gz"
    kind = _KINDS.get(Path(path.stem).suffix.lower() if gzipped else path.suffix.lower())
    return None if gzipped and kind == "Parquet" else kind


def _names_listed(folder: Path) -> list[str]:
    """What is in a folder; nothing if it may not be listed."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _score_files(folder: Path) -> str:
    return list_columns(name for name in _names_listed(folder) if _kind_of(Path(name)) is not None)


def _not_found(path: Path, error: OSError | ValueError) -> RocsteadyError:
    """RS051, or RS053 if the file may exist but the way to it is closed."""
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return fail("RS053.closed-folder", path=path, reason=error.args[-1])
    if number not in (errno.ENOENT, errno.ENOTDIR):  # a name that no file can have
        name = str(path) if len(str(path)) <= 60 else f"{str(path)[:60]}..."
        return fail("RS051", path=name, found=error.args[-1], ways=["pass a path"])
    try:
        folder, whole = path.parent, path.parent.absolute()
    except OSError:  # the working folder is gone
        found = "the working folder was deleted"
        return fail("RS051", path=path, found=found, ways=["go to another folder"])
    if not folder.is_dir():
        return fail("RS051", path=path, found=f"there is no folder {folder}", ways=["check the folder"])
    # Endings are alike in any case; what was misspelled stands before them.
    likely = {Path(name).stem: name for name in reversed(_names_listed(folder))}
    close = likely.get(near_match(path.stem, likely) or "")
    remedy = f"did you mean  {folder / close} ?" if close else "check the spelling and the folder"
    found = f"score files in {whole}: {_score_files(folder)}"
    return fail("RS051", path=path, found=found, ways=[remedy])


# Text: the header, the line a row stands on
# ------------------------------------------

_DELIMITERS = (",", ";", "\t", "|")
_LOOK_AT = 1 << 16
_MEND = {
    "CSV": "give each line as many fields as the first, quote fields that hold the separator, save as UTF-8",
    "TSV": "give each line as many fields as the first, quote fields that hold a tab, save as UTF-8",
    "JSON lines": "each line must be one complete JSON object, in UTF-8",
    "Parquet": "write the file again; a Parquet file that was cut short cannot be read",
}


def _unreadable(file: File, found: str, remedy: str | None = None) -> RocsteadyError:
    """RS053: what is wrong with a file of its kind."""
    return fail("RS053", file=file.name, kind=file.kind, found=found, ways=[remedy or _MEND[file.kind]])


@dataclass(frozen=True)
class Dialect:
    """How a text file is cut up; without a delimiter each line is a record (JSON lines)."""

    delimiter: str | None
    gzipped: bool


def read_header(file: File) -> tuple[list[str], Dialect]:
    """The column names as they are written, and the delimiter.

    DuckDB is not asked: it renames doubled names, and takes one column of "1,0.5" where it finds no sense.

    Raises
    ------
    FileError
        RS053 if the file is not text.
    DataError
        RS010 if it is empty.
    """
    start = _bytes_of(file, _LOOK_AT).removeprefix(codecs.BOM_UTF8)
    if not start.strip():
        raise no_rows(Source(name=file.name), "it is empty", CHECK_FILE)
    magics = {b"PAR1": "a Parquet file", b"\x1f\x8b": "gzipped (.gz)", b"PK\x03\x04": "a zip file"}
    other = next((kind for magic, kind in magics.items() if start.startswith(magic)), None)
    if other == "a zip file":
        raise _unreadable(file, "it is a zip file, as Excel workbooks are", _WORKBOOK.format(name=file.name))
    found = other and f"it is {other}"
    if other is None and b"\0" in start:
        found = f"it is binary: a zero byte at position {start.index(0)}"
    elif other is None:
        try:
            codecs.getincrementaldecoder("utf-8")().decode(start)  # a character cut at the end is no error
        except UnicodeDecodeError as error:
            found = f"line {start[: error.start].count(10) + 1} is not UTF-8 text"
    if found:
        raise _unreadable(file, found, "give the file the ending of what it is, or save it as UTF-8 text")
    lines = re.split(r"\r\n|\r|\n", start.decode("utf-8", errors="ignore"))
    blank_lines, first_line = next((i, line) for i, line in enumerate(lines) if line.strip())
    if blank_lines:  # versions of DuckDB differ in whether they count them
        raise fail("RS053.blank", file=file.name, n=blank_lines)
    unquoted = re.sub(r'"[^"]*"', "", first_line)
    delimiter = "\t" if file.kind == "TSV" else next((d for d in _DELIMITERS if d in unquoted), ",")
    dialect = Dialect(delimiter, file.gzipped)
    try:
        _, header = next(_records(file.path, dialect))
    except csv.Error as error:
        raise _unreadable(file, f"line 1: {error}", "close the quotes in the line of column names") from error
    return [column.strip() for column in header], dialect


def _bytes_of(file: File, n: int = -1) -> bytes:
    try:
        with open_bytes(file.path, file.gzipped) as stream:
            return stream.read(n)
    except (OSError, EOFError, zlib.error) as error:
        raise fail("RS053.read", file=file.name, reason=error) from error


def open_bytes(path: Path, gzipped: bool) -> IO[bytes]:
    """The bytes of a file, unpacked."""
    return cast("IO[bytes]", gzip.open(path, "rb") if gzipped else path.open("rb"))


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


# DuckDB reads the rows
# ---------------------


@contextmanager
def open_database(
    file: File, dialect: Dialect | None = None, n_columns: int = 0, *, place: str = ":memory:"
) -> Iterator[Any]:
    """A DuckDB of its own, whose complaints become RS053 with the line at fault."""
    import duckdb

    # Complaints about our SQL must not be blamed on the file, nor Ctrl-C; all others can come from damage.
    ours = (
        duckdb.ParserException,
        duckdb.BinderException,
        duckdb.CatalogException,
        duckdb.InterruptException,
    )
    with interruptible(), duckdb.connect(place) as database:
        try:
            yield database
        except ours:
            raise
        except (duckdb.Error, UnicodeDecodeError, RuntimeError) as error:
            # Names that are not text are a RuntimeError of the language binding; others are not the file's.
            if type(error) is RuntimeError and "conversion error" not in str(error):
                raise
            reason = str(error).split("Error: ", 1)[-1].splitlines() or ["no reason given"]
            try:
                found = find_fault(file.path, dialect, n_columns) if dialect else ""
            except (OSError, EOFError, zlib.error, csv.Error) as fault:
                found = str(fault)
            raise _unreadable(file, found or reason[0]) from error


def _read_parquet(file: File, given: Mapping[str, str]) -> _Read:
    with open_database(file) as database:
        table = "read_parquet(?, hive_partitioning = false)"
        relation = database.sql(f"SELECT * FROM {table}", params=[file.pattern])
        names = parquet_columns(database, file)
        roles, chosen = choose_columns(names, given, file.name)
        # DuckDB renames doubles and names that differ only in case, so its names are found by position.
        own_names = {role: relation.columns[names.index(name)] for role, name in roles.items()}
        require_sound_pages(database, file, roles.values())
        source = Source(name=file.name, columns=roles, text_labels=True)
        kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
        if "VARCHAR" not in {kinds[name] for name in own_names.values()}:
            return dict(fetch_columns(relation, own_names, source)), source, chosen
        picked = ", ".join(f"{quoted(name)} AS {role}_" for role, name in own_names.items())
        database.execute(f"CREATE TEMP TABLE clean AS SELECT {picked} FROM {table}", [file.pattern])
        return fetch_coded(database, {role: f"{role}_" for role in roles}), source, chosen


def parquet_columns(database: Any, file: File) -> list[str]:
    """The names of the columns of a Parquet file as they are written."""
    schema = database.execute("SELECT name, num_children FROM parquet_schema(?)", [file.pattern]).fetchall()
    names, inside = [], [schema[0][1] or 0]  # the root, and how many of its children are still to come
    for name, n_children in schema[1:]:
        if len(inside) == 1:
            names.append(name)
        inside[-1] -= 1
        inside.append(n_children or 0)
        while len(inside) > 1 and inside[-1] == 0:
            inside.pop()
    return names


def _read_text(file: File, given: Mapping[str, str]) -> _Read:
    text = text_table(file, given)
    with open_database(file, text.dialect, text.n_columns) as database:
        return _fetch_text(database, text), text.source, text.chosen


@dataclass(frozen=True)
class TextTable:
    """How DuckDB reads a file of text: a table of SQL with its arguments, and an expression for each role."""

    table: str
    arguments: list[Any]
    expressions: Mapping[str, str]
    source: Source
    chosen: dict[str, str]
    dialect: Dialect
    n_columns: int = 0


def text_table(file: File, given: Mapping[str, str]) -> TextTable:
    """The columns of a CSV or TSV file, all of them text."""
    names, dialect = read_header(file)
    roles, chosen = choose_columns(names, given, file.name)
    types = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(names)))
    table = (
        "read_csv(?, auto_detect = false, header = true, delim = ?, quote = '\"', escape = '\"', "
        f"compression = ?, hive_partitioning = false, columns = {{{types}}})"
    )
    arguments = [file.pattern, dialect.delimiter, "gzip" if file.gzipped else "none"]
    expressions = {role: quoted(f"c{names.index(name)}") for role, name in roles.items()}
    source = _text_source(file, roles, dialect)
    return TextTable(table, arguments, expressions, source, chosen, dialect, len(names))


def _read_json(file: File, given: Mapping[str, str]) -> _Read:
    with open_database(file, Dialect(None, file.gzipped)) as database:
        text = json_table(database, file, given)
        columns = _fetch_text(database, text)
        require_single_values(database, text.table, text.arguments, text.source.columns, text.source)
        return columns, text.source, text.chosen


def json_table(database: Any, file: File, given: Mapping[str, str]) -> TextTable:
    """The values of a file of JSON lines by their keys.

    Whole objects are read: DuckDB's own columns make dates of text that looks like one, floats of long
    integers, and one column of objects whose keys differ from line to line.
    """
    table = "read_json_objects(?, format = 'newline_delimited', compression = ?, hive_partitioning = false)"
    arguments = [file.pattern, "gzip" if file.gzipped else "uncompressed"]
    dialect = Dialect(None, file.gzipped)
    names = json_keys(database, table, arguments)
    if names is None:
        raise no_rows(Source(name=file.name), "it is empty", CHECK_FILE)
    require_objects(database, table, arguments, file, dialect)
    roles, chosen = choose_columns(names, given, file.name)
    expressions = {role: value_of_key(name) for role, name in roles.items()}
    if has_long_numbers(database, table, arguments):
        scores = {role: number_of_key(name) for role, name in roles.items() if role_kind(role) == "score"}
        expressions |= scores
    return TextTable(table, arguments, expressions, _text_source(file, roles, dialect), chosen, dialect)


def _text_source(file: File, roles: dict[str, str], dialect: Dialect) -> Source:
    return Source(
        name=file.name,
        columns=roles,
        row=lambda row: f"line {line_of_record(file.path, row, dialect)}",
        text_labels=True,
    )


def _fetch_text(database: Any, text: TextTable) -> dict[str, Column | Factor]:
    """Columns of text by role, from one SQL expression each; text becomes numbers where they are needed."""
    columns = fetch_coded(database, cleaned_text(database, text))
    labels = columns["label"]
    if isinstance(labels, Factor):
        columns["label"] = labels.called(typed_labels(labels.values))
    return columns


def cleaned_text(database: Any, text: TextTable, *, storage: str = "TEMP TABLE") -> dict[str, str]:
    """Write the table ``clean``, blanks and words for "missing" gone; SQL for its values, by role."""
    names = [role for role in text.expressions if role in NAMES]
    roles = [*(f"{_cleaned(role)} AS {role}_" for role in text.expressions), *map(_as_it_stood, names)]
    picked = ", ".join(f"{sql} AS {role}_" for role, sql in text.expressions.items())
    database.execute(
        f"CREATE {storage} clean AS SELECT {', '.join(roles)} FROM (SELECT {picked} FROM {text.table})",
        text.arguments,
    )
    values = {}
    for role in text.expressions:
        is_number = role_kind(role) in ("score", "weight")
        kind = number_type(database, role, text.source) if is_number else None
        values[role] = f"TRY_CAST({role}_ AS {kind})" if kind else f"{role}_"
    _warn_of_merged_names(database, names, text.source)
    return values


def _cleaned(role: str) -> str:
    """SQL that trims text and makes NULL of what means "missing"."""
    words = MISSING_WORDS if role_kind(role) in NUMERIC else ("",)
    is_missing = " OR ".join(f"trim({role}_) = '{word}'" for word in words)
    return f"CASE WHEN {is_missing} THEN NULL ELSE trim({role}_) END"


# Numbers that are written as text
# --------------------------------

_NOTHING = frozenset({"-", "--", ".", "?", "#n/a", "missing", "n.a.", "n/a", "nil", "none", "unknown"})
"""What people write for a missing number; it might be a slip, so nobody takes it for missing unasked."""
_SMALLEST = "2.2250738585072014e-308"
"""Below it floats have fewer digits."""
_SOME_ROWS = "rowid < 100000 OR rowid % 97 = 0"


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
        raise fail(
            "RS033.bits", column=source.column(role), place=source.place, n=int(no_bigint), total=n_rows
        )
    return "UBIGINT" if no_bigint else "BIGINT"


def _require_numbers(database: Any, role: str, source: Source) -> None:
    text = f"{role}_"
    # DuckDB reads 1_000 as a number.
    is_bad = f"{text} IS NOT NULL AND (TRY_CAST({text} AS DOUBLE) IS NULL OR contains({text}, '_'))"
    n_rows, n_bad, first, value, n_rounded = database.execute(
        f"""
        SELECT count(*), count(*) FILTER ({is_bad}), min(rowid) FILTER ({is_bad}),
               arg_min({text}, rowid) FILTER ({is_bad}), count(*) FILTER ({_could_be_rounded(text)})
        FROM clean
        """
    ).fetchall()[0]
    if n_bad:
        kind = role_kind(role)
        remedy = f"name the column that holds the {kind}, or mend the file"
        if re.fullmatch(r"[+-]?\d*,\d+", value):
            remedy = "write decimals with a point"
        elif re.fullmatch(r"[+-]?\d*\.?\d+\s*%", value):
            remedy = "write them without the % sign"
        elif value.strip().casefold() in _NOTHING:
            remedy = "leave such cells empty: then they count as missing"
        raise fail(
            "RS033.text" if kind == "score" else "RS037.text",
            column=source.column(role),
            place=source.place,
            n=n_bad,
            total=n_rows,
            first=source.row(int(first)),
            value=value[:60],
            ways=[remedy],
        )
    if n_rounded and role_kind(role) == "score":
        rows = f"SELECT TRY_CAST({text} AS DOUBLE) AS number, {text} AS text FROM clean"
        several = "GROUP BY number HAVING min(hash(text)) <> max(hash(text)) OR isinf(number)"
        query = f"SELECT DISTINCT * FROM ({rows}) WHERE number IN (SELECT number FROM ({rows}) {several})"
        warn_of_rounding(database.execute(query).fetchall(), role, source)


def _could_be_rounded(text: str) -> str:
    """SQL that is true of all texts that may be another number as a float, and of few others.

    Up to 15 digits a float is a number of its own, and so is one that is spelled as the shortest text for it:
    what programs write. Spelling them again is slow, so of ordinary texts of 16 to 18 digits some are looked
    at: those of one program are alike. Texts beyond the range of floats may be short, but have an exponent.
    """
    has_exponent = f"contains({text}, 'e') OR contains({text}, 'E')"
    number = f"TRY_CAST({text} AS DOUBLE)"
    tests = (
        f"strlen({text}) > 15 OR {has_exponent}",
        f"{_SOME_ROWS} OR {has_exponent} OR NOT contains({text}, '.') OR strlen({text}) > 20",
        f"strlen({text}) > 15 OR isinf({number}) OR abs({number}) < {_SMALLEST}",
        f"{text} <> CAST({number} AS VARCHAR)",
        f"regexp_matches({text}, '^[^eE]*[1-9]')",  # not zero
    )
    sql = "true"
    for test in reversed(tests):  # in CASE, later tests see only rows that passed the earlier ones
        sql = f"CASE WHEN {test} THEN {sql} ELSE false END"
    return sql


# Names that differ only by blanks at their ends: taken as one, and said
# ----------------------------------------------------------------------


def _as_it_stood(role: str) -> str:
    """SQL for a name with blanks at its ends, before they were trimmed; NULL for all others."""
    return f"CASE WHEN {role}_ <> trim({role}_) THEN {role}_ END AS {role}_blank"


def _warn_of_merged_names(database: Any, roles: list[str], source: Source) -> None:
    """RS105 for names that only blanks at their ends told apart, from the columns of :func:`_as_it_stood`."""
    for role in roles:
        if not database.execute(f"SELECT 1 FROM clean WHERE {role}_blank IS NOT NULL LIMIT 1").fetchall():
            continue
        forms = (
            f"SELECT {role}_, coalesce({role}_blank, {role}_) AS form, count(*) AS n FROM clean "
            f"WHERE {role}_ IS NOT NULL GROUP BY ALL"
        )
        columns = "array_agg(form ORDER BY n DESC, form), array_agg(n ORDER BY n DESC, form)"
        merged = database.execute(
            f"SELECT {role}_, {columns} FROM ({forms}) GROUP BY {role}_ HAVING count(*) > 1 ORDER BY {role}_"
        ).fetchall()
        if merged:
            shown = [
                listed([f'"{printable(form)}" ({counted(n, "row")})' for form, n in zip(*own, strict=True)])
                for _, *own in merged[:3]
            ]
            more = f"; and {grouped(len(merged) - 3)} more" if len(merged) > 3 else ""
            column = printable(source.columns[role])
            warn("RS105", column=column, place=source.place, names="; ".join(shown) + more)


# JSON lines: the keys of the objects, and their values as the text that was written
# ----------------------------------------------------------------------------------

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
        raise _unreadable(file, find_fault(file.path, dialect, 0))


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
            raise fail(
                "RS034.json",
                column=source.column(role),
                place=source.place,
                kind="a list" if kind == "ARRAY" else "an object",
                first=source.row(int(row)),
            )


# Parquet: pages with checksums are what was written
# --------------------------------------------------

_INTEGER = 0x15
"""How Thrift's compact protocol begins an integer that is the next field of its structure."""


def require_sound_pages(database: Any, file: File, columns: Iterable[str]) -> None:
    """RS401 if a page of one of the columns is not what was written, as far as checksums tell."""
    starts = database.execute(
        "SELECT path_in_schema, coalesce(nullif(dictionary_page_offset, 0), data_page_offset) "
        "FROM parquet_metadata(?)",
        [file.pattern],
    ).fetchall()
    wanted = set(columns)
    with file.path.open("rb") as stream:
        checked = {name for name, start in starts if name in wanted and _has_checksum(stream, start)}
    if checked:
        _verify(file, sorted(checked))


def _has_checksum(stream: IO[bytes], start: int) -> bool:
    """Whether the header of a page, which begins there, has a fourth field: its checksum."""
    if not 0 <= start < os.fstat(stream.fileno()).st_size:  # a damaged footer: the engine will say so
        return False
    stream.seek(start)
    header, place = stream.read(32).ljust(64, b"\0"), 0
    for _ in ("type", "size", "compressed size"):
        if header[place : place + 1] != bytes([_INTEGER]):
            return False
        place += 1
        while header[place] >= 128:  # the bytes of an integer but its last
            place += 1
        place += 1
    return header[place] == _INTEGER


def _verify(file: File, columns: list[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file.path, page_checksum_verification=True) as opened:
            for _ in opened.iter_batches(columns=columns):
                pass
    except pa.ArrowException:
        return  # of a kind that pyarrow does not know: the engine has the word
    except OSError as error:
        reason = (str(error).splitlines() or ["no reason given"])[0]
        raise fail("RS401", file=printable(file.name), reason=reason, columns=columns) from error


# Reader studies as iMRMC keeps them (.imrmc): a line for the truth of each case, and one for every rating
# --------------------------------------------------------------------------------------------------------

COLUMNS = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
"""What the fields are called in messages and tables, by role: the file has no names for them."""
_FIELDS = "reader, case, modality, score"
_BEGIN = "BEGIN DATA"


class _Line(NamedTuple):
    """A line below ``BEGIN DATA:``."""

    number: int
    reader: str
    case: str
    modality: str
    score: str

    @property
    def value(self) -> float | None:
        """Its number; NaN where it is missing, None where it is something else."""
        if self.score in MISSING_WORDS:
            return math.nan
        try:
            return None if "_" in self.score else float(self.score)  # Python reads 1_000 as a number
        except ValueError:
            return None


def _read_imrmc(file: File, given: Mapping[str, object], on_missing: str) -> _Read:
    """Ratings of cases without truth are an error unless ``on_missing`` is "drop": then they lack a label.

    Raises
    ------
    UsageError
        RS002 if columns were named, though there are none to name.
    FileError
        RS053 if there is no ``BEGIN DATA:``, a line has not four fields, or a truth is not 0 or 1.
    LabelError
        RS023 if a case has no truth.
    DataError
        RS010 without ratings, RS026 if a case has two truths, RS033 if a rating is not a number.
    """
    if given:
        options = [Option(role_kind(role), name) for role, name in given.items()]
        leave: list[Remedy] = [["leave out  ", option] for option in options]
        names = listed([str(option.value) for option in options])
        raise fail("RS002.imrmc", file=file.name, fields=_FIELDS, names=names, ways=leave)
    truths: dict[str, _Line] = {}
    ratings: list[_Line] = []
    for line in _lines(file):
        if line.reader.casefold() not in ("-1", "truth"):
            ratings.append(line)
            continue
        if line.value not in (0, 1) and line.score not in MISSING_WORDS:
            found = f'line {line.number}: the truth of case "{line.case}" is {line.score[:60]!r}'
            raise _unreadable(file, found, "write  0  for a negative case,  1  for a positive one")
        before = truths.setdefault(line.case, line)
        if before is not line:
            raise fail("RS026.imrmc", case=line.case, file=file.name, one=before, other=line)
    if not ratings:
        found = f'{counted(len(truths), "line")} of truth below "{_BEGIN}:", and no ratings'
        raise no_rows(Source(name=file.name), found, f"a rating is a line  {_FIELDS}")
    known = {case: int(line.value) for case, line in truths.items() if line.value in (0, 1)}
    lost = [line for line in ratings if line.case not in known]
    if lost and on_missing == "raise":
        case = lost[0].case
        close = None if case.isdigit() else near_match(case, truths)  # 12 is not like 112
        raise fail(
            "RS023.imrmc",
            case=case,
            file=file.name,
            line=lost[0].number,
            n_cases=len({line.case for line in lost}),
            n=len(lost),
            total=len(ratings),
            near=[f'did you mean case "{close}" ?'] if close else [],
        )
    strange = next((line for line in ratings if line.value is None), None)
    if strange is not None:
        raise fail("RS033.imrmc", file=file.name, line=strange, value=strange.score[:60])
    columns: dict[str, Any] = {
        "label": [known.get(line.case) for line in ratings],
        "score": [line.value for line in ratings],
        "group": [line.reader or None for line in ratings],
        "model": [line.modality or None for line in ratings],
        "case": [line.case or None for line in ratings],
    }
    numbers = [line.number for line in ratings]
    source = Source(file.name, COLUMNS, lambda row: f"line {numbers[row]}", text_labels=True)
    return columns, source, dict(COLUMNS)


def _lines(file: File) -> Iterator[_Line]:
    rows = _bytes_of(file).removeprefix(codecs.BOM_UTF8).splitlines()
    begins = (row.strip().upper().startswith(_BEGIN.encode()) for row in rows)
    start = next((i for i, is_begin in enumerate(begins, 1) if is_begin), None)
    if start is None:
        found = f'there is no line "{_BEGIN}:" among its {counted(len(rows), "line")}'
        raise _unreadable(file, found, f"write  {_BEGIN}:  above the first line of data")
    spelled: dict[str, str] = {}
    for number, row in enumerate(rows[start:], start + 1):
        if not row.strip(b" \t,"):  # spreadsheets fill lines up with commas
            continue
        try:
            text = row.decode()
        except UnicodeDecodeError as error:
            raise _unreadable(file, f"line {number} is not UTF-8 text", "save the file as UTF-8") from error
        fields = [field.strip().strip('"').strip() for field in text.split(",")]
        while len(fields) > 4 and not fields[-1]:
            fields.pop()
        if len(fields) != 4:
            found = f"line {number} has {counted(len(fields), 'field')} instead of 4: {text.strip()[:60]}"
            decimals = ", decimals with a point" if len(fields) == 5 else ""
            raise _unreadable(file, found, f"write it as  {_FIELDS}{decimals}")
        *names, score = fields
        # For iMRMC "reader 1" and "reader1" are one reader; it is called as it was written first.
        reader, case, modality = (spelled.setdefault("".join(name.split()), name) for name in names)
        yield _Line(number, reader, case, modality, score)
