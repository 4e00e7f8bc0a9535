"""Files: one row per scored case, in CSV, TSV, Parquet or JSON lines, read by DuckDB; iMRMC by itself."""

from __future__ import annotations

import codecs
import csv
import errno
import glob
import gzip
import io
import itertools
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
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, cast, overload

from rocsteady.errors import Option, RocsteadyError, fail, first_line, warn
from rocsteady.options import one_of
from rocsteady.scores.columns import NAMES, NUMERIC, Column, Factor, Source, role_kind, warn_of_rounding
from rocsteady.scores.design import Design
from rocsteady.scores.frames import (
    UNSURE,
    choose_columns,
    fetch_coded,
    fetch_columns,
    interruptible,
    list_columns,
    output_columns,
    quoted,
    read_names,
    sql_text,
)
from rocsteady.scores.labels import MISSING_WORDS, typed_labels
from rocsteady.scores.multiclass import MulticlassScores, multiclass_from_columns
from rocsteady.scores.score_set import ScoreSet, set_from_columns
from rocsteady.words import counted, grouped, listed, near_match, printable

PathLike = str | bytes | os.PathLike[str] | os.PathLike[bytes]
"""What names a file."""


@overload
def read_scores(
    path: PathLike,
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
) -> ScoreSet: ...
@overload
def read_scores(
    path: PathLike,
    *,
    outputs: str | Sequence[str] | Mapping[Any, str],
    label: str | None = None,
    group: str | None = None,
    repeat: str | None = None,
    on_missing: str = "raise",
    design: str | Design | None = None,
) -> MulticlassScores: ...
def read_scores(
    path: PathLike,
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    outputs: str | Sequence[str] | Mapping[Any, str] | None = None,
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
) -> ScoreSet | MulticlassScores:
    r"""Read scores from a file with one row per scored case.

    Parameters
    ----------
    path : str or path
        CSV, TSV, Parquet (.parquet) or JSON lines (.jsonl, .ndjson); text may be gzipped (.csv.gz).
        "-" reads CSV from standard input. A reader study of iMRMC (.imrmc) has its own columns, which are
        not named: readers are its groups, modalities its models, and its cases are named.
    label, score, group, model, case, cluster, repeat, weight : str, optional
        Column names, as for :meth:`ScoreSet.from_frame`. A label, score, group or model column that is not
        named is taken only if exactly one has a conventional name (label, y_true, target, is_positive, else
        truth, is_*; score, y_score, y_prob, else rating, proba; fold, group, dataset, reader, else site,
        hospital; model); ``.columns_chosen`` tells which. RS110 warns where pred or split was taken.
    outputs : str, list of str, or dict, optional
        Instead of a score: the outputs of a classifier of several classes, one column for each, as for
        :meth:`MulticlassScores.from_frame`.
    positive, higher_is_positive, on_missing, design
        As for :meth:`ScoreSet.from_frame`. In files ``"1"`` and ``1`` are the same label. In text files an
        empty field, NA, N/A, NaN, NULL and None are missing scores, labels and weights; a group, model,
        case or cluster is missing only where the field is empty.

    Returns
    -------
    ScoreSet, or MulticlassScores where ``outputs`` are named
        Its ``.source`` is the file's name.

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
    >>> _ = path.write_text("fold,animal,p_cat,p_dog\n1,cat,0.9,0.1\n1,dog,0.2,0.8\n")
    >>> rs.read_scores(path, label="animal", outputs="p_*")
    MulticlassScores(2 classes, 2 rows, 1 fold)
    >>> folder.cleanup()
    """
    one_of("on_missing", on_missing, ("raise", "drop"))
    roles = {"label": label, "score": score, "group": group, "model": model, "case": case}
    given: dict[str, Any] = read_names(roles | {"cluster": cluster, "repeat": repeat, "weight": weight})
    if outputs is not None:
        own: dict[str, object] = {
            "score": score,
            "model": model,
            "case": case,
            "cluster": cluster,
            "weight": weight,
        }
        own |= {"positive": positive, "higher_is_positive": None if higher_is_positive else False}
        if foreign := [name for name, value in own.items() if value is not None]:
            raise fail("RS002.outputs-with", names=foreign)
        given["outputs"] = outputs
    with located(path) as file:
        if file.kind == "iMRMC":
            columns, source, chosen = _read_imrmc(file, given, on_missing)
            design = "readers" if design is None else design
        else:
            columns, source, chosen = _read_rows(file, given)
        if outputs is not None:
            names = [source.columns[role] for role in columns if role_kind(role) != role]
            classes = tuple(output_columns(names, outputs, file=file.name))
            several = multiclass_from_columns(
                columns, source, classes, outputs, on_missing=on_missing, design=design, chosen=chosen
            )
            _warn_of_unsure(several.folds, [], chosen)
            return several
        scores = set_from_columns(
            columns,
            positive=positive,
            higher_is_positive=higher_is_positive,
            on_missing=on_missing,
            source=source,
            design=design,
        )
    _warn_of_unsure(scores.groups, _first_values(scores), chosen)
    return replace(scores, columns_chosen=chosen)


def _warn_of_unsure(groups: Sequence[str], scores: Sequence[float], chosen: Mapping[str, str]) -> None:
    """RS110 for columns whose names may mean something else, with their values."""
    for role, names in UNSURE.items():
        if chosen.get(role) not in names:
            continue
        values = groups if role == "group" else [f"{own:g}" for own in scores]
        ways = [["if it is, name it:  ", Option(role, chosen[role])]]
        warn("RS110", role=role, column=chosen[role], values=values, is_score=role == "score", ways=ways)


def _first_values(scores: ScoreSet, most: int = 7) -> list[float]:
    """Some of the scores, each once."""
    return list(dict.fromkeys(scores.columns.scores[:1000].tolist()))[:most]


_Read = tuple[dict[str, Column | Factor], Source, dict[str, str]]
"""Columns by role, where they came from, and which were taken for their conventional names."""


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
_WORKBOOKS = (".xlsx", ".xls", ".xlsm", ".ods")


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

    def open(self) -> IO[bytes]:
        """Its bytes, unpacked."""
        return cast("IO[bytes]", gzip.open(self.path, "rb") if self.gzipped else self.path.open("rb"))

    def read(self, n: int = -1) -> bytes:
        """So many bytes without the mark at their beginning; RS053 if they cannot be read."""
        try:
            with self.open() as stream:
                return stream.read(n).removeprefix(codecs.BOM_UTF8)
        except (OSError, EOFError, zlib.error) as error:
            raise fail("RS053.read", file=self.name, reason=error) from error

    def refused(self, found: str) -> RocsteadyError:
        """RS053: what is wrong with a file of its kind."""
        if self.kind in ("CSV", "TSV"):
            return fail("RS053", file=self.name, kind=self.kind, found=found)
        is_json = self.kind == "JSON lines"
        return fail("RS053.json" if is_json else "RS053.parquet", file=self.name, found=found)


@contextmanager
def located(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> Iterator[File]:
    """The file of that name, or a copy of standard input for ``-``; RS001, RS051 to RS054."""
    if not isinstance(path, str | bytes | os.PathLike):
        raise fail("RS001.path", kind=f"{type(path).__module__}.{type(path).__qualname__}")
    found = Path(os.fsdecode(path))
    if os.fsdecode(path) == "-":
        # DuckDB reads files, and messages look back at lines: standard input is written down first.
        with tempfile.TemporaryDirectory(prefix="rocsteady-") as folder:
            copy = Path(folder, "input.csv")
            stream = getattr(sys.stdin, "buffer", None)
            with copy.open("wb") as target:
                for block in iter(lambda: (stream or sys.stdin).read(1 << 20), b"" if stream else ""):
                    target.write(block if isinstance(block, bytes) else block.encode())
            yield File(copy, "standard input", "CSV")
        return
    try:
        mode = os.stat(found).st_mode
        os.stat(found.absolute())  # DuckDB is told the whole path, which a deleted folder does not have
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise _not_found(found, error) from error
    if stat.S_ISDIR(mode):
        raise fail("RS052", path=found, files=_listed(found)[1])
    if not stat.S_ISREG(mode):
        raise fail("RS052.pipe", path=found)
    kind = _kind_of(found)
    if kind is None:
        workbook = str(found) if found.suffix.lower() in _WORKBOOKS else None
        raise fail("RS054", file=found.name, ending="".join(found.suffixes[-2:]), workbook=workbook)
    try:
        found.open("rb").close()
    except OSError as error:
        raise fail("RS053.closed", file=found.name, reason=error.strerror or str(error)) from error
    yield File(found, found.name, kind, gzipped=found.suffix.lower() == ".gz")


def _kind_of(path: Path) -> str | None:
    gzipped = path.suffix.lower() == ".gz"
    kind = _KINDS.get(Path(path.stem).suffix.lower() if gzipped else path.suffix.lower())
    return None if gzipped and kind == "Parquet" else kind


def _listed(folder: Path) -> tuple[list[str], str]:
    """What is in a folder, nothing if it may not be listed; and those that are files of scores, as text."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        names = []
    return names, list_columns(name for name in names if _kind_of(Path(name)) is not None)


def _not_found(path: Path, error: OSError | ValueError) -> RocsteadyError:
    """RS051, or RS053 if the file may exist but the way to it is closed."""
    number, reason = getattr(error, "errno", None), error.args[-1]
    if number in (errno.EACCES, errno.EPERM):
        return fail("RS053.closed-folder", path=path, reason=reason)
    try:
        folder = path.parent.absolute()
    except OSError:
        number, reason = None, "the working folder was deleted"
    if number not in (errno.ENOENT, errno.ENOTDIR):  # a name that no file can have
        name = str(path) if len(str(path)) <= 60 else f"{str(path)[:60]}..."
        return fail("RS051.name", path=name, reason=reason)
    if not folder.is_dir():
        return fail("RS051.folder", path=path, folder=path.parent)
    # Endings are alike in any case; what was misspelled stands before them.
    names, files = _listed(folder)
    likely = {Path(name).stem: name for name in reversed(names)}
    close = likely.get(near_match(path.stem, likely) or "")
    return fail("RS051", path=path, folder=folder, files=files, close=path.parent / close if close else None)


# Text: the header, the line a row stands on
# ------------------------------------------

_DELIMITERS = (",", ";", "\t", "|")
_ZIP = b"PK\x03\x04"
_OTHERS = {
    b"PAR1": "it is a Parquet file",
    b"\x1f\x8b": "it is gzipped (.gz)",
    _ZIP: "it is a zip file, as Excel workbooks are",
}


def read_header(file: File) -> list[str]:
    """The column names of a CSV or TSV file as they are written; DuckDB would rename doubled ones."""
    try:
        _, header = next(_records(file))
    except csv.Error as error:
        raise file.refused(f"line 1: {error}") from error
    return [column.strip() for column in header]


def first_rows(file: File, most: int) -> list[dict[str, str]]:
    """The first rows of a CSV or TSV file, as text by column; none of files of another kind."""
    if file.kind not in ("CSV", "TSV"):
        return []
    names = read_header(file)
    records = itertools.islice(_records(file), 1, most + 1)
    return [dict(zip(names, own, strict=False)) for _, own in records]


def _delimiter(file: File) -> str:
    """What stands between columns; RS053 if the file is not text, RS010 if it is empty."""
    start = file.read(1 << 16)
    if not start.strip():
        raise fail("RS010.file", file=printable(file.name), found="it is empty")
    found = next((kind for magic, kind in _OTHERS.items() if start.startswith(magic)), None)
    if found is None and b"\0" in start:
        found = f"it is binary: a zero byte at position {start.index(0)}"
    elif found is None:
        try:
            codecs.getincrementaldecoder("utf-8")().decode(start)  # a character cut at the end is no error
        except UnicodeDecodeError as error:
            found = f"line {start[: error.start].count(10) + 1} is not UTF-8 text"
    if found:
        workbook = file.name if start.startswith(_ZIP) else None
        raise fail("RS053.other", file=file.name, kind=file.kind, found=found, workbook=workbook)
    lines = re.split(r"\r\n|\r|\n", start.decode("utf-8", errors="ignore"))
    if not lines[0].strip():  # versions of DuckDB differ in whether they count them
        n_blank = next(i for i, line in enumerate(lines) if line.strip())
        raise fail("RS053.blank", file=file.name, n=n_blank)
    unquoted = re.sub(r'"[^"]*"', "", lines[0])
    return "\t" if file.kind == "TSV" else next((d for d in _DELIMITERS if d in unquoted), ",")


def _records(file: File) -> Iterator[tuple[int, list[str]]]:
    """Each record with the line it starts on, header included; blank lines are none."""
    delimiter = None if file.kind == "JSON lines" else _delimiter(file)
    with file.open() as stream:
        lines = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
        if delimiter is None:
            yield from ((i, [line]) for i, line in enumerate(lines, 1) if line.strip())
            return
        reader, start = csv.reader(lines, delimiter=delimiter), 1
        for fields in reader:
            if fields:
                yield start, fields
            start = reader.line_num + 1


def _line_of_record(file: File, row: int) -> int:
    """The line on which a row of the table starts; quoted fields may span lines, so lines are counted."""
    n_headers = 0 if file.kind == "JSON lines" else 1
    try:
        for i, (line, _) in enumerate(_records(file)):
            if i == row + n_headers:
                return line
    except csv.Error:  # a field too long for Python's reader
        pass
    return row + 1 + n_headers


def _fault(file: File) -> str:
    """The first line that is not as it should be, looked for after DuckDB refused the file."""
    if file.kind == "Parquet":
        return ""
    is_json = file.kind == "JSON lines"
    ends: set[str] = set()
    with file.open() as stream:
        for i, line in enumerate(stream, 1):
            if i == 1 and is_json and line.startswith(codecs.BOM_UTF8):
                return "it starts with a byte order mark, which JSON has not"
            ends.add(r"\r\n" if line.endswith(b"\r\n") else r"\r" if b"\r" in line else r"\n")
            try:
                line.decode()
            except UnicodeDecodeError:
                return f"line {i} is not UTF-8 text"
    n_columns, delimiter = None, "" if is_json else _delimiter(file)
    for start, fields in _records(file):
        n_columns = n_columns or len(fields)
        text = delimiter.join(fields).strip()[:60]
        if is_json:
            try:
                is_object = isinstance(json.loads(fields[0]), dict)
            except ValueError:
                is_object = False
            if not is_object:
                return f"line {start} is not a JSON object: {text}"
        elif len(fields) != n_columns:
            return f"line {start} has {counted(len(fields), 'column')} instead of {n_columns}: {text}"
    return f"its lines end in different ways, {' and '.join(sorted(ends))}: use one" if len(ends) > 1 else ""


# DuckDB reads the rows
# ---------------------


@contextmanager
def open_database(file: File, *, place: str = ":memory:") -> Iterator[Any]:
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
                found = _fault(file)
            except (OSError, EOFError, zlib.error, csv.Error) as fault:
                found = str(fault)
            raise file.refused(found or reason[0]) from error


def _read_rows(file: File, given: Mapping[str, str]) -> _Read:
    """Columns by role; of text as numbers where they are needed."""
    with open_database(file) as database:
        if file.kind == "Parquet":
            table, relation, names, source, chosen = parquet_table(database, [file], given)
            kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
            if "VARCHAR" not in {kinds[name] for name in names.values()}:
                return dict(fetch_columns(relation, names, source)), source, chosen
            picked = ", ".join(f"{quoted(name)} AS {role}_" for role, name in names.items())
            database.execute(f"CREATE TEMP TABLE clean AS SELECT {picked} FROM {table}")
            return fetch_coded(database, {role: f"{role}_" for role in names}), source, chosen
        values, source, chosen = cleaned_text(database, file, given)
        columns = fetch_coded(database, values)
        labels = cast("Factor", columns["label"])
        return columns | {"label": labels.called(typed_labels(labels.values))}, source, chosen


def parquet_table(
    database: Any, files: Sequence[File], given: Mapping[str, str], options: str = ""
) -> tuple[str, Any, dict[str, str], Source, dict[str, str]]:
    """Parquet files as SQL and as a relation, its names by role, where it is from, and what nobody named."""
    first = files[0]
    schema = database.execute("SELECT name, num_children FROM parquet_schema(?)", [first.pattern]).fetchall()
    names, n_inside = [], 0  # how many are still to come that stand inside the last one
    for name, n_children in schema[1:]:
        if n_inside == 0:
            names.append(name)
        n_inside = max(n_inside - 1, 0) + (n_children or 0)
    keys = {part.split("=")[0] for part in first.path.parts[:-1] if "=" in part}
    # What a file says of its rows goes before what its folder is called.
    hive = str(len(files) > 1 and bool(keys) and not keys & set(names)).lower()
    paths = ", ".join(sql_text(file.pattern) for file in files)
    table = f"read_parquet([{paths}], hive_partitioning = {hive}{options})"
    relation = database.sql(f"SELECT * FROM {table}")
    names += [column for column in relation.columns[len(names) :] if column not in names]
    called = first.name if len(files) == 1 else f"{first.name} and {len(files) - 1} more files"
    roles, chosen = choose_columns(names, given, called, unsure=len(files) == 1)
    # DuckDB renames doubles and names that differ only in case, so its names are found by position.
    own = {role: relation.columns[names.index(name)] for role, name in roles.items()}
    for file in files:
        require_sound_pages(database, file, roles.values())
    return table, relation, own, Source(name=called, columns=roles, text_labels=True), chosen


_Table = tuple[str, list[Any], dict[str, str], dict[str, str], dict[str, str]]
"""A file of text as a table of SQL with its arguments; expressions and names by role; which were chosen."""


def _csv_table(file: File, given: Mapping[str, str]) -> _Table:
    """The columns of a CSV or TSV file, all of them text."""
    names = read_header(file)
    roles, chosen = choose_columns(names, given, file.name, unsure=True)
    types = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(names)))
    table = (
        "read_csv(?, auto_detect = false, header = true, delim = ?, quote = '\"', escape = '\"', "
        f"compression = ?, hive_partitioning = false, columns = {{{types}}})"
    )
    arguments = [file.pattern, _delimiter(file), "gzip" if file.gzipped else "none"]
    expressions = {role: quoted(f"c{names.index(name)}") for role, name in roles.items()}
    return table, arguments, expressions, roles, chosen


def _json_table(database: Any, file: File, given: Mapping[str, str]) -> _Table:
    """The values of JSON lines by their keys, of whole objects.

    DuckDB's own columns make dates of text, and floats of long integers.
    """
    table = "read_json_objects(?, format = 'newline_delimited', compression = ?, hive_partitioning = false)"
    arguments = [file.pattern, "gzip" if file.gzipped else "uncompressed"]

    def rows(what: str, rest: str = "") -> Any:
        return database.execute(f"SELECT {what} FROM {table} {rest}", arguments).fetchall()

    first = rows("json_keys(json)", "LIMIT 1")
    if not first:
        raise fail("RS010.file", file=printable(file.name), found="it is empty")
    if rows("1", "WHERE json_type(json) <> 'OBJECT' LIMIT 1"):
        raise file.refused(_fault(file))
    # Most lines have the same keys, so lists of keys are made distinct before they are taken apart.
    others = Counter[str]()
    for (keys,) in rows("DISTINCT json_keys(json)"):
        others |= Counter(keys)
    # Those of the first line first; a key that an object has twice is listed twice.
    names = [key for key in dict.fromkeys([*first[0][0], *sorted(others)]) for _ in range(others[key])]
    roles, chosen = choose_columns(names, given, file.name, unsure=True)
    expressions = {role: f"json_extract_string(json, {_pointer(name)})" for role, name in roles.items()}
    if rows("1", f"WHERE {_HAS_LONG} LIMIT 1"):
        for role, name in roles.items():
            if role_kind(role) == "score":  # the number as it stands in the line, unless it is another one
                pattern = re.escape(json.dumps(name, ensure_ascii=False)) + r"\s*:\s*(-?[0-9][0-9.eE+-]*)"
                text = f"regexp_extract(CAST(json AS VARCHAR), {sql_text(pattern)}, 1)"
                value = expressions[role]
                is_same = f"TRY_CAST({text} AS DOUBLE) = TRY_CAST({value} AS DOUBLE)"
                expressions[role] = f"CASE WHEN {_HAS_LONG} AND {is_same} THEN {text} ELSE {value} END"
    return table, arguments, expressions, roles, chosen


_HAS_LONG = "regexp_matches(CAST(json AS VARCHAR), '[1-9][0-9]*[.]?[0-9]{17}|[eE]-[0-9]{3}')"
"""A line with a number of 18 digits or more, 17 of them behind the point if it has one; or below 1e-99."""


def _pointer(key: str) -> str:
    return sql_text("/" + key.replace("~", "~0").replace("/", "~1"))


def cleaned_text(
    database: Any, file: File, given: Mapping[str, str], *, storage: str = "TEMP TABLE"
) -> tuple[dict[str, str], Source, dict[str, str]]:
    """Write the table ``clean`` of a file of text, blanks and words for "missing" gone.

    Its values as SQL by role, where they came from, and which columns nobody named.
    """
    is_json = file.kind == "JSON lines"
    found = _json_table(database, file, given) if is_json else _csv_table(file, given)
    table, arguments, expressions, columns, chosen = found
    source = Source(file.name, columns, lambda row: f"line {_line_of_record(file, row)}", text_labels=True)
    picked = ", ".join(f"{sql} AS {role}_" for role, sql in expressions.items())
    roles = []
    for role in expressions:
        words = MISSING_WORDS if role_kind(role) in NUMERIC else ("",)
        is_missing = " OR ".join(f"trim({role}_) = '{word}'" for word in words)
        roles.append(f"CASE WHEN {is_missing} THEN NULL ELSE trim({role}_) END AS {role}_")
        if role in NAMES:  # as it stood before its blanks were trimmed, NULL for all others
            roles.append(f"CASE WHEN {role}_ <> trim({role}_) THEN {role}_ END AS {role}_blank")
    clean = f"CREATE {storage} clean AS SELECT {', '.join(roles)} FROM (SELECT {picked} FROM {table})"
    database.execute(clean, arguments)
    values = {role: f"{role}_" for role in expressions}
    for role in expressions:
        if role_kind(role) in ("score", "weight"):
            values[role] = f"TRY_CAST({role}_ AS {_number_type(database, role, source)})"
    for role in expressions:
        if role in NAMES:
            _warn_of_merged_names(database, role, source)
    if is_json:
        _require_single_values(database, source, table, arguments)
    return values, source, chosen


def _require_single_values(database: Any, source: Source, table: str, arguments: list[Any]) -> None:
    """RS034 if a label or a name in JSON is a list or an object."""
    for role in ("label", *NAMES):
        if role not in source.columns:
            continue
        bracket = f"SELECT min(rowid) FROM clean WHERE {role}_[1] IN ('[', '{{')"
        if database.execute(bracket).fetchall()[0][0] is None:
            continue  # only such text can be one: a look at every type would read the file again
        kinds = f"SELECT json_type(json, {_pointer(source.columns[role])}) AS kind FROM {table}"
        numbered = f"SELECT row_number() OVER () - 1 AS row, kind FROM ({kinds})"
        found = f"SELECT min(row), arg_min(kind, row) FROM ({numbered}) WHERE kind IN ('ARRAY', 'OBJECT')"
        row, kind = database.execute(found, arguments).fetchall()[0]
        if row is not None:
            facts = {"column": source.column(role), "place": source.place}
            what = "a list" if kind == "ARRAY" else "an object"
            raise fail("RS034.json", kind=what, first=source.row(int(row)), **facts)


# Numbers that are written as text, names that differ only by blanks
# ------------------------------------------------------------------


def _number_type(database: Any, role: str, source: Source) -> str:
    """The SQL type for a text column of the table ``clean``: of integers if all are, else of floats.

    RS033 (scores) or RS037 (weights) if a field is not a number; the first one is shown.
    """
    text = f"{role}_"
    number, facts = f"TRY_CAST({text} AS DOUBLE)", {"column": source.column(role), "place": source.place}
    # Most columns are of floats, and then the first row tells.
    no_integer = f"SELECT 1 FROM clean WHERE NOT regexp_full_match({text}, '[+-]?[0-9]+') LIMIT 1"
    if not database.execute(no_integer).fetchall():
        n_rows, no_bigint, no_ubigint = database.execute(
            f"""
            SELECT count(*), count({text}) - count(TRY_CAST({text} AS BIGINT)),
                   count({text}) - count(TRY_CAST({text} AS UBIGINT))
            FROM clean
            """
        ).fetchall()[0]
        if no_bigint and no_ubigint:
            raise fail("RS033.bits", n=int(no_bigint), total=n_rows, **facts)
        return "UBIGINT" if no_bigint else "BIGINT"
    # DuckDB reads 1_000 as a number.
    is_bad = f"{text} IS NOT NULL AND ({number} IS NULL OR contains({text}, '_'))"
    # Up to 15 digits a float is a number of its own, and so is one that is spelled as the shortest text for
    # it: what programs write. Texts beyond the range of floats may be short, but have an exponent.
    is_long = f"strlen({text}) > 15 OR contains({text}, 'e') OR contains({text}, 'E')"
    may_be_rounded = f"CASE WHEN {is_long} THEN {text} <> CAST({number} AS VARCHAR) END"
    n_rows, n_bad, first, value, n_rounded = database.execute(
        f"""
        SELECT count(*), count(*) FILTER ({is_bad}), min(rowid) FILTER ({is_bad}),
               arg_min({text}, rowid) FILTER ({is_bad}), count(*) FILTER ({may_be_rounded})
        FROM clean
        """
    ).fetchall()[0]
    if n_bad:
        facts |= {"n": n_bad, "total": n_rows, "first": source.row(int(first)), "value": value[:60]}
        raise fail("RS033.text" if role_kind(role) == "score" else "RS037.text", **facts)
    if n_rounded and role_kind(role) == "score":
        rows = f"SELECT {number} AS number, {text} AS text FROM clean"
        several = "GROUP BY number HAVING min(hash(text)) <> max(hash(text)) OR isinf(number)"
        query = f"SELECT DISTINCT * FROM ({rows}) WHERE number IN (SELECT number FROM ({rows}) {several})"
        warn_of_rounding(database.execute(query).fetchall(), role, source)
    return "DOUBLE"


def _warn_of_merged_names(database: Any, role: str, source: Source) -> None:
    """RS105 for names that only blanks at their ends told apart: they are taken as one."""
    if not database.execute(f"SELECT 1 FROM clean WHERE {role}_blank IS NOT NULL LIMIT 1").fetchall():
        return
    forms = (
        f"SELECT {role}_, coalesce({role}_blank, {role}_) AS form, count(*) AS n FROM clean "
        f"WHERE {role}_ IS NOT NULL GROUP BY ALL"
    )
    columns = "array_agg(form ORDER BY n DESC, form), array_agg(n ORDER BY n DESC, form)"
    merged = database.execute(
        f"SELECT {columns} FROM ({forms}) GROUP BY {role}_ HAVING count(*) > 1 ORDER BY {role}_"
    ).fetchall()
    if merged:
        shown = [
            listed([f'"{printable(form)}" ({counted(n, "row")})' for form, n in zip(*own, strict=True)])
            for own in merged[:3]
        ]
        more = f"; and {grouped(len(merged) - 3)} more" if len(merged) > 3 else ""
        column = printable(source.columns[role])
        warn("RS105", column=column, place=source.place, names="; ".join(shown) + more)


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
    if not checked:
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    with suppress(pa.ArrowException):  # of a kind that pyarrow does not know: the engine has the word
        try:
            with pq.ParquetFile(file.path, page_checksum_verification=True) as opened:
                for _ in opened.iter_batches(columns=sorted(checked)):
                    pass
        except OSError as error:
            facts = {"reason": first_line(error), "columns": sorted(checked)}
            raise fail("RS401", file=printable(file.name), **facts) from error


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


# Reader studies as iMRMC keeps them (.imrmc): a line for the truth of each case, and one for every rating
# --------------------------------------------------------------------------------------------------------

_IMRMC = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
"""What the fields are called in messages and tables, by role: the file has no names for them."""


def _read_imrmc(file: File, given: Mapping[str, object], on_missing: str) -> _Read:
    """Ratings by column; those of cases without truth are RS023, or lack a label if they may be dropped."""
    if given:
        leave = [["leave out  ", Option(role_kind(role), name)] for role, name in given.items()]
        raise fail("RS002.imrmc", file=file.name, names=listed(list(map(str, given.values()))), ways=leave)
    truths: dict[str, tuple[int, str]] = {}
    ratings = []
    for number, reader, case, modality, score in _lines(file):
        if reader.casefold() not in ("-1", "truth"):
            ratings.append((number, reader, case, modality, score))
            continue
        if _value(score) not in (0, 1) and score not in MISSING_WORDS:
            found = f'line {number}: the truth of case "{case}" is {score[:60]!r}'
            raise fail("RS053.imrmc", file=file.name, found=found)
        line, before = truths.setdefault(case, (number, score))
        if line != number:
            lines = {"one": before, "line": line, "other": score, "other_line": number}
            raise fail("RS026.imrmc", case=case, file=file.name, **lines)
    if not ratings:
        raise fail("RS010.imrmc", file=printable(file.name), n=len(truths))
    known = {case: int(float(score)) for case, (_, score) in truths.items() if _value(score) in (0, 1)}
    numbers, readers, cases, modalities, scores = zip(*ratings, strict=True)
    lost = [i for i, case in enumerate(cases) if case not in known]
    if lost and on_missing == "raise":
        case = cases[lost[0]]
        raise fail(
            "RS023.imrmc",
            case=case,
            file=file.name,
            line=numbers[lost[0]],
            n_cases=len({cases[i] for i in lost}),
            n=len(lost),
            total=len(ratings),
            close=None if case.isdigit() else near_match(case, truths),  # 12 is not like 112
        )
    for number, reader, case, _, score in ratings:
        if _value(score) is None:
            facts = {"line": number, "reader": reader, "case": case, "value": score[:60]}
            raise fail("RS033.imrmc", file=file.name, **facts)
    columns: dict[str, Any] = {"label": list(map(known.get, cases)), "score": list(map(_value, scores))}
    for role, names in (("group", readers), ("model", modalities), ("case", cases)):
        columns[role] = [name or None for name in names]
    source = Source(file.name, _IMRMC, lambda row: f"line {numbers[row]}", text_labels=True)
    return columns, source, dict(_IMRMC)


def _value(score: str) -> float | None:
    """The number of a line; NaN where it is missing, None where it is something else."""
    if score in MISSING_WORDS:
        return math.nan
    try:
        return None if "_" in score else float(score)  # Python reads 1_000 as a number
    except ValueError:
        return None


def _lines(file: File) -> Iterator[tuple[int, str, str, str, str]]:
    """The number, reader, case, modality and score of every line below ``BEGIN DATA:``."""
    rows = file.read().splitlines()
    begins = (row.strip().upper().startswith(b"BEGIN DATA") for row in rows)
    start = next((i for i, is_begin in enumerate(begins, 1) if is_begin), None)
    if start is None:
        found = f'there is no line "BEGIN DATA:" among its {counted(len(rows), "line")}'
        raise fail("RS053.imrmc", file=file.name, found=found)
    spelled: dict[str, str] = {}
    for number, row in enumerate(rows[start:], start + 1):
        if not row.strip(b" \t,"):  # spreadsheets fill lines up with commas
            continue
        try:
            text = row.decode()
        except UnicodeDecodeError as error:
            raise fail("RS053.imrmc", file=file.name, found=f"line {number} is not UTF-8 text") from error
        fields = [field.strip().strip('"').strip() for field in text.split(",")]
        while len(fields) > 4 and not fields[-1]:
            fields.pop()
        if len(fields) != 4:
            found = f"line {number} has {counted(len(fields), 'field')} instead of 4: {text.strip()[:60]}"
            raise fail("RS053.imrmc", file=file.name, found=found)
        *names, score = fields
        # For iMRMC "reader 1" and "reader1" are one reader; it is called as it was written first.
        reader, case, modality = (spelled.setdefault("".join(name.split()), name) for name in names)
        yield number, reader, case, modality, score
