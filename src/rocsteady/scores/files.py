"""Files: one row per scored case, in CSV, TSV, Parquet or JSON lines, read by DuckDB; iMRMC by itself.

What a file says is taken literally. Text becomes a number only where a number is needed, and then all of
it must be one; names of groups stay text, so that "007" is not 7.
"""

from __future__ import annotations

import csv
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from rocsteady.errors import FileError
from rocsteady.scores.arrays import CHECK_FILE, NUMERIC, Column, Source, no_rows
from rocsteady.scores.blanks import NAMES, as_it_stood, warn_of_merged_names
from rocsteady.scores.column_names import choose_columns, read_names, role_kind
from rocsteady.scores.database import fetch_coded, fetch_columns, interruptible, quoted
from rocsteady.scores.design import Design
from rocsteady.scores.frames import require_known_handling, set_from_columns
from rocsteady.scores.grouping import Factor
from rocsteady.scores.imrmc import read_imrmc
from rocsteady.scores.json_lines import (
    has_long_numbers,
    json_keys,
    number_of_key,
    require_objects,
    require_single_values,
    value_of_key,
)
from rocsteady.scores.locating import File, located
from rocsteady.scores.page_checksums import require_sound_pages
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.text import (
    MISSING_WORDS,
    Dialect,
    find_fault,
    line_of_record,
    number_type,
    read_header,
    typed_labels,
)


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
        columns, source, chosen = _read(file, given, on_missing)
        scores = set_from_columns(
            columns,
            positive=positive,
            higher_is_positive=higher_is_positive,
            on_missing=on_missing,
            source=source,
            design="readers" if design is None and file.kind == "iMRMC" else design,
        )
    return replace(scores, columns_chosen=chosen)


def columns_of_file(path: str) -> list[str]:
    """The columns of a CSV, TSV or Parquet file, without reading its rows; none of other kinds."""
    with located(path) as file:
        if file.kind in ("CSV", "TSV"):
            return list(read_header(file.path, file.name, file.kind, gzipped=file.gzipped)[0])
        if file.kind != "Parquet":
            return []
        with open_database(file) as database:
            return parquet_columns(database, file)


# -- reading ------------------------------------------------------------------------------------------

_Read = tuple[dict[str, Column | Factor], Source, dict[str, str]]


def _read(file: File, given: Mapping[str, str], on_missing: str) -> _Read:
    if file.kind == "iMRMC":
        columns, source, chosen = read_imrmc(file, given, on_missing=on_missing)
        return dict(columns), source, chosen
    readers = {"Parquet": _read_parquet, "JSON lines": _read_json}
    return readers.get(file.kind, _read_text)(file, given)


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
            raise FileError(
                "RS053", f"{file.name} cannot be read as {file.kind}.", found or reason[0], _MEND[file.kind]
            ) from error


_MEND = {
    "CSV": "give each line as many fields as the first, quote fields that hold the separator, save as UTF-8",
    "TSV": "give each line as many fields as the first, quote fields that hold a tab, save as UTF-8",
    "JSON lines": "each line must be one complete JSON object, in UTF-8",
    "Parquet": "write the file again; a Parquet file that was cut short cannot be read",
}


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
        columns = fetch_coded(database, {role: f"{role}_" for role in roles})
        if isinstance(columns["label"], Factor):
            columns["label"] = columns["label"].column()
        return columns, source, chosen


def parquet_columns(database: Any, file: File) -> list[str]:
    """The names of the columns of a Parquet file as they are written."""
    return _top_level(
        database.execute("SELECT name, num_children FROM parquet_schema(?)", [file.pattern]).fetchall()
    )


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
    names, dialect = read_header(file.path, file.name, file.kind, gzipped=file.gzipped)
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
    if isinstance(columns["label"], Factor):
        columns["label"] = typed_labels(columns["label"])
    return columns


def cleaned_text(database: Any, text: TextTable, *, storage: str = "TEMP TABLE") -> dict[str, str]:
    """Write the table ``clean``, blanks and words for "missing" gone; SQL for its values, by role."""
    names = [role for role in text.expressions if role in NAMES]
    roles = [*(f"{_cleaned(role)} AS {role}_" for role in text.expressions), *map(as_it_stood, names)]
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
    warn_of_merged_names(database, names, text.source)
    return values


def _cleaned(role: str) -> str:
    """SQL that trims text and makes NULL of what means "missing"."""
    words = MISSING_WORDS if role_kind(role) in NUMERIC else ("",)
    is_missing = " OR ".join(f"trim({role}_) = '{word}'" for word in words)
    return f"CASE WHEN {is_missing} THEN NULL ELSE trim({role}_) END"
