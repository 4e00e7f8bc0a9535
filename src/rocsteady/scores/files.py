"""Files: one row per scored case, in CSV, TSV, Parquet or JSON lines, read by DuckDB.

What a file says is taken literally. Text becomes a number only where a number is needed, and then all of
it must be one; names of groups stay text, so that "007" is not 7.
"""

from __future__ import annotations

import csv
import glob
import os
import sys
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rocsteady.errors import FileError, UsageError, near_match
from rocsteady.scores.arrays import CHECK_FILE, NUMERIC, Column, Source, no_rows
from rocsteady.scores.column_names import choose_columns, list_columns, read_names, role_kind
from rocsteady.scores.database import fetch_coded, fetch_columns, interruptible, quoted
from rocsteady.scores.frames import require_known_handling, set_from_columns
from rocsteady.scores.grouping import Factor
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.text import (
    AS_TABLE,
    Dialect,
    find_fault,
    line_of_record,
    number_type,
    read_header,
    typed_labels,
)

_KINDS = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".parquet": "Parquet",
    ".jsonl": "JSON lines",
    ".ndjson": "JSON lines",
}
_MISSING_WORDS = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None")
_OTHER_KINDS = {
    **dict.fromkeys((".xlsx", ".xls", ".xlsm", ".ods"), AS_TABLE),
    **dict.fromkeys((".zip", ".bz2", ".xz", ".zst"), "unpack it first"),
    ".json": "write one JSON object per line, and call the file .jsonl",
}


@dataclass(frozen=True)
class _File:
    """A file on disk, what to call it, and how to read it."""

    path: Path
    name: str
    kind: str
    gzipped: bool = False

    @property
    def pattern(self) -> str:
        """The path for DuckDB, which would expand ``*``, ``?`` and ``[``."""
        return glob.escape(str(self.path.absolute()))


def read_scores(
    path: str | os.PathLike[str],
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    group: str | None = None,
    model: str | None = None,
    case: str | None = None,
    weight: str | None = None,
    positive: object = None,
    higher_is_positive: bool = True,
    on_missing: str = "raise",
) -> ScoreSet:
    r"""Read scores from a file with one row per scored case.

    Parameters
    ----------
    path : str or path
        CSV, TSV, Parquet (.parquet) or JSON lines (.jsonl, .ndjson); text may be gzipped (.csv.gz).
        "-" reads CSV from standard input.
    label, score, group, model, case, weight : str, optional
        Column names. A label, score, group or model column that is not named is taken only if exactly
        one has a conventional name (label, y_true, target; score, y_score, y_prob; fold, group, dataset,
        reader; model); ``.columns_chosen`` tells which. A list of score columns is a list of models, see
        :meth:`ScoreSet.from_frame`.
    positive : label or list of labels, optional
        As for :class:`Scores`; in files ``"1"`` and ``1`` are the same label.
    higher_is_positive : bool
        False where low scores speak for the positive class.
    on_missing : {"raise", "drop"}
        What to do with rows that lack a value; what was dropped is in ``.dropped``. In text files an
        empty field, NA, N/A, NaN, NULL and None are missing scores, labels and weights; a group, model or
        case is missing only where the field is empty.

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
    given = read_names(
        {"label": label, "score": score, "group": group, "model": model, "case": case, "weight": weight}
    )
    with _located(path) as file:
        read = (
            _read_parquet
            if file.kind == "Parquet"
            else _read_json
            if file.kind == "JSON lines"
            else _read_text
        )
        columns, source, chosen = read(file, given)
        scores = set_from_columns(
            columns,
            positive=positive,
            higher_is_positive=higher_is_positive,
            on_missing=on_missing,
            source=source,
        )
    return replace(scores, columns_chosen=chosen)


# -- finding the file ---------------------------------------------------------------------------------


@contextmanager
def _located(path: str | os.PathLike[str]) -> Iterator[_File]:
    if not isinstance(path, str | os.PathLike):
        raise UsageError(
            "RS001",
            "path must be the name of a file.",
            f"type {type(path).__module__}.{type(path).__qualname__}",
            "for a table in memory:  rs.ScoreSet.from_frame(frame, label=..., score=...)",
        )
    if str(path) != "-":
        yield _find(Path(path))
        return
    # DuckDB reads files, and messages look back at lines: standard input is written down first.
    with tempfile.TemporaryDirectory(prefix="rocsteady-") as folder:
        copy = Path(folder, "input.csv")
        stream = getattr(sys.stdin, "buffer", None)
        with copy.open("wb") as target:
            for block in iter(lambda: (stream or sys.stdin).read(1 << 20), b"" if stream else ""):
                target.write(block if isinstance(block, bytes) else block.encode())
        yield _File(copy, "standard input", "CSV")


def _find(path: Path) -> _File:
    try:
        is_directory, exists = path.is_dir(), path.exists()
    except OSError as error:  # a name that no file can have
        name = str(path) if len(str(path)) <= 60 else f"{str(path)[:60]}..."
        raise FileError("RS051", f"{name} does not exist.", str(error.strerror), "pass a path") from error
    if is_directory:
        inside = sorted(entry.name for entry in path.iterdir() if _kind_of(entry) is not None)
        found = f"score files in it: {list_columns(inside)}"
        raise FileError("RS052", f"{path} is a directory.", found, "name one file in it")
    if not exists:
        raise _not_found(path)
    kind = _kind_of(path)
    if kind is None:
        rename = "rename it:  .csv  .tsv  .parquet  .jsonl  .ndjson;  gzipped text:  .csv.gz"
        raise FileError(
            "RS054",
            f"{path.name} is not of a kind that can be read."
            if path.suffix.lower() in _OTHER_KINDS
            else f"{path.name} does not say what kind of file it is.",
            f'its ending is "{"".join(path.suffixes[-2:])}"',
            _OTHER_KINDS.get(path.suffix.lower(), rename).format(name=str(path)),
        )
    return _File(path, path.name, kind, gzipped=path.suffix.lower() == ".gz")


def _kind_of(path: Path) -> str | None:
    gzipped = path.suffix.lower() == ".gz"
    kind = _KINDS.get(Path(path.stem).suffix.lower() if gzipped else path.suffix.lower())
    return None if gzipped and kind == "Parquet" else kind


def _not_found(path: Path) -> FileError:
    folder = path.parent
    if not folder.is_dir():
        return FileError(
            "RS051", f"{path} does not exist.", f"there is no folder {folder}", "check the folder"
        )
    names = sorted(os.listdir(folder))
    close = near_match(path.name, names)
    remedy = f"did you mean  {folder / close} ?" if close else "check the spelling and the folder"
    score_files = [name for name in names if _kind_of(Path(name)) is not None]
    found = f"score files in {folder.absolute()}: {list_columns(score_files)}"
    return FileError("RS051", f"{path} does not exist.", found, remedy)


# -- reading ------------------------------------------------------------------------------------------

_Read = tuple[dict[str, Column | Factor], Source, dict[str, str]]


@contextmanager
def _database(file: _File, dialect: Dialect | None = None, n_columns: int = 0) -> Iterator[Any]:
    """A DuckDB of its own, whose complaints become RS053 with the line at fault."""
    import duckdb

    # What a file can cause; any other complaint is about our SQL, and must not be blamed on the file.
    faults = (duckdb.InvalidInputException, duckdb.IOException, duckdb.ConversionException)
    with interruptible(), duckdb.connect() as database:
        try:
            yield database
        except faults as error:
            reason = str(error).split("Error: ", 1)[-1].splitlines() or ["no reason given"]
            try:
                found = find_fault(file.path, dialect, n_columns) if dialect else ""
            except (OSError, EOFError, zlib.error, csv.Error) as fault:
                found = str(fault)
            raise FileError(
                "RS053", f"{file.name} cannot be read as {file.kind}.", found or reason[0], _MEND[file.kind]
            ) from error


_MEND = {
    "CSV": "give each line as many fields as the first, quote fields that hold the separator, save as UTF-8",
    "TSV": "give each line as many fields as the first, quote fields that hold a tab, save as UTF-8",
    "JSON lines": "each line must be one complete JSON object, in UTF-8",
    "Parquet": "write the file again; a Parquet file that was cut short cannot be read",
}


def _read_parquet(file: _File, given: Mapping[str, str]) -> _Read:
    with _database(file) as database:
        relation = database.sql("SELECT * FROM read_parquet(?)", params=[file.pattern])
        schema = database.execute(
            "SELECT name, num_children FROM parquet_schema(?)", [file.pattern]
        ).fetchall()
        names = _top_level(schema)
        roles, chosen = choose_columns(names, given, file.name)
        # DuckDB renames doubles and names that differ only in case, so its names are found by position.
        own_names = {role: relation.columns[names.index(name)] for role, name in roles.items()}
        source = Source(name=file.name, columns=roles, text_labels=True)
        kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
        if "VARCHAR" not in {kinds[name] for name in own_names.values()}:
            return dict(fetch_columns(relation, own_names)), source, chosen
        picked = ", ".join(f"{quoted(name)} AS {role}_" for role, name in own_names.items())
        database.execute(f"CREATE TEMP TABLE clean AS SELECT {picked} FROM read_parquet(?)", [file.pattern])
        columns = fetch_coded(database, {role: f"{role}_" for role in roles})
        if isinstance(columns["label"], Factor):
            columns["label"] = columns["label"].column()
        return columns, source, chosen


def _top_level(schema: list[tuple[str, int | None]]) -> list[str]:
    """The names of the columns in a flattened Parquet schema, whose first entry is the root."""
    names, position = [], 1

    def skip(index: int) -> int:
        after = index + 1
        for _ in range(schema[index][1] or 0):
            after = skip(after)
        return after

    while position < len(schema):
        names.append(schema[position][0])
        position = skip(position)
    return names


def _read_text(file: _File, given: Mapping[str, str]) -> _Read:
    names, dialect = read_header(file.path, file.name, file.kind, gzipped=file.gzipped)
    roles, chosen = choose_columns(names, given, file.name)
    types = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(names)))
    table = (
        "read_csv(?, auto_detect = false, header = true, delim = ?, quote = '\"', escape = '\"', "
        f"compression = ?, columns = {{{types}}})"
    )
    arguments = [file.pattern, dialect.delimiter, "gzip" if file.gzipped else "none"]
    own_names = {role: f"c{names.index(name)}" for role, name in roles.items()}
    source = _text_source(file, roles, dialect)
    kinds = dict.fromkeys(own_names, "VARCHAR")
    with _database(file, dialect, len(names)) as database:
        return _fetch_text(database, table, arguments, own_names, kinds, source), source, chosen


def _read_json(file: _File, given: Mapping[str, str]) -> _Read:
    table = "read_json(?, format = 'newline_delimited', sample_size = -1, compression = ?)"
    arguments = [file.pattern, "gzip" if file.gzipped else "uncompressed"]
    dialect = Dialect(None, file.gzipped)
    with _database(file, dialect) as database:
        relation = database.sql(f"SELECT * FROM {table}", params=arguments)
        if not relation.limit(1).fetchall():
            raise no_rows(Source(name=file.name), "it is empty", CHECK_FILE)
        roles, chosen = choose_columns(relation.columns, given, file.name)
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        kinds = {role: types[name] for role, name in roles.items()}
        source = _text_source(file, roles, dialect)
        return _fetch_text(database, table, arguments, roles, kinds, source), source, chosen


def _text_source(file: _File, roles: dict[str, str], dialect: Dialect) -> Source:
    return Source(
        name=file.name,
        columns=roles,
        row=lambda row: f"line {line_of_record(file.path, row, dialect)}",
        text_labels=True,
    )


def _fetch_text(
    database: Any,
    table: str,
    arguments: list[Any],
    own_names: Mapping[str, str],
    kinds: Mapping[str, str],
    source: Source,
) -> dict[str, Column | Factor]:
    """Columns of a text file by role; text becomes numbers where they are needed."""
    cleaned = {role: _cleaned(quoted(name), kinds[role], role) for role, name in own_names.items()}
    listed = ", ".join(f"{sql} AS {role}_" for role, (sql, _) in cleaned.items())
    database.execute(f"CREATE TEMP TABLE clean AS SELECT {listed} FROM {table}", arguments)
    expressions = {}
    for role, (_, is_text) in cleaned.items():
        is_number = is_text and role_kind(role) in ("score", "weight")
        kind = number_type(database, role, source) if is_number else None
        expressions[role] = f"TRY_CAST({role}_ AS {kind})" if kind else f"{role}_"
    columns = fetch_coded(database, expressions)
    if isinstance(columns["label"], Factor):
        columns["label"] = typed_labels(columns["label"])
    return columns


def _cleaned(column: str, kind: str, role: str) -> tuple[str, bool]:
    """SQL that trims text and makes NULL of what means "missing"; and whether it is text."""
    if kind == "JSON":  # values of several types
        column, kind = f"({column} ->> '$')", "VARCHAR"
    if kind != "VARCHAR":
        return column, False
    words = _MISSING_WORDS if role_kind(role) in NUMERIC else ("",)
    is_missing = " OR ".join(f"trim({column}) = '{word}'" for word in words)
    return f"CASE WHEN {is_missing} THEN NULL ELSE trim({column}) END", True
