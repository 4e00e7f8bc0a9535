"""Files in and out: scores are read, or counted where they do not fit; what is written is whole or absent."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import os
import sys
import tempfile
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady.cli.console import keep_standard_input, say
from rocsteady.cli.options import ClassColumns, Classes, Columns, Large, Rows
from rocsteady.cli.outcome import end_if_interrupted
from rocsteady.errors import LabelError, Option, Remedy, RocsteadyError, fail, warn
from rocsteady.whole_files import write_whole
from rocsteady.words import counted, number_of, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocsteady.counting.counted import CountedScores
    from rocsteady.scores import ScoreSet
    from rocsteady.scores.files import File
    from rocsteady.scores.multiclass import MulticlassScores

# Scores in ----------------------------------------------------------------------------------------------

_COUNTED = ("label", "score", "group", "model", "weight")
"""Columns that can be counted."""
LARGE = 1_000_000
"""Rows from which on a file is announced."""
_SMALL = 500_000
"""Bytes; so many rows are in no smaller file, even packed as Parquet."""
_SAMPLE = 1 << 18


def read(
    file: str,
    columns: Columns,
    rows: Rows,
    large: Large | None = None,
    *,
    tell: Callable[[str], None] | None = None,
) -> ScoreSet:
    """The scores in a file; RS041 if they run the other way.

    Where the command knows how to deal with ``large`` files, what does not fit into memory is counted.
    """
    from rocsteady.curves.curve_set import reversed_scores

    named = columns.named()
    tolerance = None if large is None else large.most_uncertain()  # refuses what is none before a long read
    if large is None or not is_counted(file, large, named):
        require_rows(file)
        announce(file, named, tell=tell)
        scores = _read_rows(file, columns.positive_readings(), named | {"on_missing": rows.on_missing})
    else:
        announce(file, named, memory=large.memory, tell=tell)
        if columns.weight and not _is_counts(file):
            raise fail("RS406.weight", column=columns.weight, file=None, ways=_in_memory(file))
        counts = count(file, columns, rows, large, tolerance=tolerance, tell=tell)
        if counts.is_weighted:
            raise fail("RS406.weight", column=None, file=file, ways=[])
        scores = _as_rows(counts, is_read=_is_counts(file), design=columns.design)
    problem = reversed_scores(scores)  # raises if there is no curve at all
    if problem is not None and not rows.allow_reversed:
        raise problem
    return scores


def _read_rows(file: str, readings: list[Any], options: dict[str, Any]) -> ScoreSet:
    """Read the file with the first meaning of ``--positive`` that its labels allow."""
    from rocsteady.scores.files import read_scores

    if file == "-" and len(readings) > 1:
        keep_standard_input()
    try:
        return read_scores(file, positive=readings[0], **options)
    except LabelError as error:
        if error.code != "RS021" or len(readings) == 1:
            raise
        try:
            if file == "-":
                sys.stdin.seek(0)
            return read_scores(file, positive=readings[1], **options)
        except LabelError as other:
            raise (error if other.code == "RS021" else other) from None


def read_outputs(
    file: str, columns: ClassColumns, classes: Classes, *, tell: Callable[[str], None] | None = None
) -> MulticlassScores:
    """The outputs of several classes in a file."""
    from rocsteady.scores.files import read_scores

    require_rows(file)
    announce(file, columns.named(), tell=tell)
    return read_scores(file, outputs=classes.columns(), **columns.named())


def is_counted(file: str, large: Large, named: Mapping[str, Any]) -> bool:
    """Whether rows are counted: that is asked, files are many, or they do not fit into memory."""
    from rocsteady.counting.cells import memory_of
    from rocsteady.counting.count import fits
    from rocsteady.counting.engines import files_named

    if file == "-" or named.get("repeat"):
        return False
    if _is_counts(file):
        return True
    if not os.path.exists(file):
        return has_magic(file) and len(files_named(file)) > 0
    if os.path.isdir(file) or large.is_asked:
        return True
    if large.engine == "memory" or named.get("case") or named.get("cluster"):
        return False
    return not fits(file, len([role for role in _COUNTED if named.get(role)]), memory_of(large.memory))


def require_rows(file: str) -> None:
    """Refuse what only counting commands take, where single rows are read: counts, a folder, a pattern."""
    if file == "-":
        return
    report = _typed(["report", file])
    if _is_counts(file):
        raise fail("RS406.single-rows", file=file, report=report)
    is_pattern = has_magic(file) and not os.path.exists(file)
    if os.path.isdir(file) or is_pattern:
        raise fail("RS052.pattern", file=file, is_pattern=is_pattern, report=report)


def _typed(arguments: Sequence[str]) -> str:
    from rocsteady.cli import program
    from rocsteady.text import shell

    return shell([*program.arguments(), *arguments])


def _is_counts(file: str) -> bool:
    from rocsteady.counting.counted import is_counts

    return is_counts(file)


def _in_memory(file: str) -> list[Remedy]:
    """What can be read whole: one file."""
    return [["or read all rows, if they fit:  ", Option("engine", "memory")]] if os.path.isfile(file) else []


def _as_rows(counts: CountedScores, *, is_read: bool, design: str | None) -> ScoreSet:
    """Counts as scores; RS411 tells within which bounds they are right."""
    from rocsteady.counting.counted import scores_of_counts

    if not counts.knows_thresholds:
        facts: dict[str, Any] = {"unit": counts.unit, "n_rows": counts.n_rows, "n_cells": len(counts.cells)}
        facts["is_read"] = is_read
        if counts.is_exact:
            warn("RS411.thresholds", bound=counts.threshold_bound, **facts)
        else:  # the middle curve need not halve the distance between the bounds of a rate
            warn("RS411.cells", auc_bound=counts.auc_bound, rate_bound=2 * counts.rate_bound, **facts)
    scores = scores_of_counts(counts)
    return scores if design is None else scores.with_design(design)


def count(
    file: str,
    columns: Columns,
    rows: Rows,
    large: Large,
    *,
    tolerance: Any = None,
    tell: Callable[[str], None] | None = None,
    like: Any = None,
    most_cells: int | None = None,
) -> CountedScores:
    """The counts in a file of counts, or of the rows in a file; the first meaning of --positive that fits."""
    from rocsteady.counting.count import count_scores

    if columns.case:
        ways: list[Remedy] = ["or name the file that was counted"] if _is_counts(file) else _in_memory(file)
        raise fail("RS406.cases", column=printable(columns.case), ways=ways)
    if _is_counts(file):
        return _opened(file, columns, tolerance)
    named = columns.named()
    asked = {role: named[role] for role in (*_COUNTED, "higher_is_positive")}
    readings = columns.positive_readings()
    for reading in readings:
        try:
            counts = count_scores(
                file, positive=reading, tolerance=tolerance, memory=large.memory, engine=large.engine,
                like=like, most_cells=most_cells, progress=_progress(tell), on_missing=rows.on_missing,
                **asked,
            )  # fmt: skip
        except LabelError as error:
            if error.code != "RS021" or reading is readings[-1]:
                raise
        else:
            # Sums, of several columns of scores, do not know their passes; only counts made before have none.
            how = replace(counts.how, n_passes=max(counts.how.n_passes, 1))
            sources = counts.sources if os.path.isfile(file) or file == "-" else (file,)
            return replace(counts, how=how, sources=sources)
    raise AssertionError("unreachable: the last meaning was read or raised")


def _opened(file: str, columns: Columns, tolerance: Any) -> CountedScores:
    """Counts made before; RS002 if something else is asked of them than what was counted."""
    from rocsteady.counting.counted import open_counts

    counts = open_counts(file)
    others = _others(counts, columns)
    if others:
        raise fail(
            "RS002.counted",
            file=file,
            asked=others,
            n_groups=len(counts.groups),
            n_models=len(counts.models) or None,
            unit=counts.unit,
            positive=printable(counts.classes.positive),
            is_high=counts.higher_is_positive,
            options=[own.split()[0] for own in others],
        )
    if tolerance is not None and not tolerance.is_met(counts.auc_bound, counts.rate_bound):
        warn(
            "RS410.counted-before",
            asked=tolerance,
            file=file,
            unit=printable(counts.unit),
            auc_bound=counts.auc_bound,
            rate_bound=counts.rate_bound,
        )
    return counts


def _others(counts: CountedScores, columns: Columns) -> list[str]:
    """Options that ask for something else than what was counted; names of columns that agree do no harm."""
    found = []
    if columns.group not in (None, counts.unit):
        found.append(f"--group {columns.group}")
    if columns.model and not counts.models:
        found.append(f"--model {columns.model}")
    if columns.weight and not counts.is_weighted:
        found.append(f"--weight {columns.weight}")
    scores = columns.score or []
    if len(scores) > 1 and tuple(scores) != counts.models:
        found += [f"--score {name}" for name in scores]
    elif len(scores) == 1 and counts.score and scores[0] != counts.score:
        found.append(f"--score {scores[0]}")
    readings = columns.positive_readings()
    labels = [" or ".join(own) if isinstance(own, list) else str(own) for own in readings]
    if readings != [None] and counts.classes.positive not in labels:
        found.append(f"--positive {labels[-1]}")
    if columns.low_is_positive and counts.higher_is_positive:
        found.append("--low-is-positive")
    return [printable(own) for own in found]


def _progress(tell: Callable[[str], None] | None) -> Callable[[str, float | None], None]:
    """Tells what is done; counting ends here if a signal came in."""

    def progress(what: str, share: float | None) -> None:
        end_if_interrupted()
        if tell is not None:
            tell(what if share is None else f"{what} ({round(100 * share)} %)")

    return progress


_MOST_LOOKED_AT = 2_000
"""Rows, for columns that may be meant: often all cases of one class stand first."""


def guessed_columns(file: str, columns: Columns) -> dict[str, str]:
    """Which columns may have the label and the scores, from the first rows of a file: a suggestion only."""
    from rocsteady.scores.frames import CONVENTIONS

    try:
        rows = _first_rows(file, _MOST_LOOKED_AT)
    except (OSError, RocsteadyError, ValueError):
        return {}
    named = {own for own in columns.named().values() if isinstance(own, str)} | {*(columns.score or [])}
    values = {name: [row.get(name) for row in rows] for name in rows[0] if name} if rows else {}
    free = {name: own for name, own in values.items() if name not in named}
    usual = {role: {name for tier in tiers for name in tier} for role, tiers in CONVENTIONS.items()}
    found: dict[str, str] = {}
    two = [name for name, own in free.items() if len({x for x in own if x not in (None, "")}) == 2]
    numeric = {name: len(set(own)) for name, own in free.items() if _are_numbers(own) and not _count_up(own)}
    if columns.label is None and not usual["label"] & {*values} and two:
        found["label"] = min(two, key=lambda name: (name in numeric, two.index(name)))
    elif columns.label is None and not usual["label"] & {*values}:
        return {}  # half a command would fail, too
    others = {name: n for name, n in numeric.items() if name != found.get("label") and n > 2}
    if not columns.score and not usual["score"] & {*values} and others:
        found["score"] = max(others, key=lambda name: others[name])
    return found


def guessed_outputs(file: str, columns: ClassColumns) -> str:
    """Columns of numbers that may be outputs: those called like the labels, also with something around."""
    from rocsteady.scores.frames import CONVENTIONS

    try:
        rows = _first_rows(file)
    except (OSError, RocsteadyError, ValueError):
        return ""
    values = {name: [row.get(name) for row in rows] for name in rows[0] if name} if rows else {}
    usual = [name for tier in CONVENTIONS["label"] for name in tier]
    numeric = [name for name, own in values.items() if _are_numbers(own)]
    for label in [columns.label] if columns.label else [own for own in usual if own in values] or values:
        labels = {str(own) for own in values.get(str(label), ()) if own not in (None, "")}
        for column in numeric if 1 < len(labels) <= len(numeric) else ():
            for own in labels:
                start, found, end = column.partition(own)
                if found and {f"{start}{each}{end}" for each in labels} <= {*numeric}:
                    own_columns = (name for name in numeric if not _count_up(values[name]))
                    return f"{start}*{end}" if start or end else ",".join(own_columns)
    return ""


def _are_numbers(values: Sequence[Any]) -> bool:
    return all(not math.isnan(number_of(str(own), may_be_percent=False)) for own in values)


def _count_up(values: Sequence[Any]) -> bool:
    """Whether they number the rows."""
    numbers = [number_of(str(own), may_be_percent=False) for own in values]
    return len(numbers) > 2 and all(b - a == 1 for a, b in itertools.pairwise(numbers))


def _first_rows(path: str, most: int = 200) -> list[dict[str, Any]]:
    """The first rows of a file of text; none of others."""
    from rocsteady.scores.files import first_rows, located

    if path == "-":
        return []
    with located(path) as file:
        return first_rows(file, most)


def require_other_file(file: str, cutoff_from: str) -> None:
    """RS002 if both names mean the same file; before anything is read."""
    if file == cutoff_from == "-":
        raise fail("RS002.both-standard-input")
    try:
        is_same = Path(file).samefile(cutoff_from)
    except (OSError, ValueError):  # whatever is wrong with a file is said when it is read
        return
    if is_same:
        raise fail("RS002.same-rows", file=file, cutoff_from=cutoff_from, n_rows=None)


def require_other_rows(scores: ScoreSet, chosen_on: ScoreSet) -> None:
    """RS002 if both files hold the same rows, in whatever order: a copy flatters as the file itself does."""
    import numpy as np

    def ordered(columns: Any) -> tuple[Any, Any, Any]:
        is_positive = columns.labels == columns.positive
        order = np.lexsort((is_positive, columns.scores))
        weights = columns.weights if columns.are_counts else is_positive
        return is_positive[order], columns.scores[order], weights[order]

    ours, theirs = scores.columns, chosen_on.columns
    if ours.n_rows != theirs.n_rows or ours.are_counts != theirs.are_counts:
        return
    if all(np.array_equal(one, other) for one, other in zip(ordered(ours), ordered(theirs), strict=True)):
        raise fail("RS002.same-rows", file=None, cutoff_from=None, n_rows=ours.n_rows)


# Before a large file is read ----------------------------------------------------------------------------


def announce(
    file: str,
    named: Mapping[str, Any],
    *,
    memory: str | None = None,
    tell: Callable[[str], None] | None = None,
) -> None:
    """Say what reading a large file takes, nothing about others; only where somebody is told (``tell``).

    With ``memory`` rows are counted in place, within so much. What is wrong with the file, reading it says.
    """
    try:
        if tell is None or file == "-" or (os.path.isfile(file) and os.path.getsize(file) < _SMALL):
            return
        told = _read_in_memory(file, named) if memory is None else _counted_in_place(file, memory)
    except (OSError, RocsteadyError, UnicodeError):
        return
    if told:
        say(told)


def _read_in_memory(path: str, given: Mapping[str, Any]) -> str:
    from rocsteady.counting.count import BASE_BYTES, BYTES_PER_VALUE
    from rocsteady.scores.files import located
    from rocsteady.scores.frames import choose_columns, read_names
    from rocsteady.show.sentences import commands

    with located(path) as file:
        rows, names, is_exact = _shape(file)
        if rows < LARGE:
            return ""
        has = f"{printable(file.name)} has {_many(rows, is_exact)} ({_bytes(os.path.getsize(file.path))})."
        if not names:
            return has
        roles, _ = choose_columns(names, read_names({role: given.get(role) for role in _ROLES}), file.name)
        memory = _bytes(BASE_BYTES + BYTES_PER_VALUE * rows * len(roles))
        columns = f"{len(roles)} of {counted(len(names), 'column')}"
        return commands.takes_memory(has, columns, memory)


_ROLES = ("label", "score", "group", "model", "case", "cluster", "repeat", "weight")


def _counted_in_place(path: str, memory: str) -> str:
    """Rows and size of one file or of many, that are counted where they are."""
    from rocsteady.counting.engines import files_named
    from rocsteady.scores.files import located
    from rocsteady.show.sentences import commands

    if _is_counts(path):
        return ""
    paths = files_named(path)
    rows, size, is_exact = 0, 0, True
    for name in paths:
        with located(name) as file:
            own, _, is_counted = _shape(file)
            rows, size, is_exact = rows + own, size + os.path.getsize(file.path), is_exact and is_counted
    if rows < LARGE and size < _SMALL:
        return ""
    where = printable(path) if len(paths) == 1 else f"{printable(path)}: {counted(len(paths), 'file')},"
    verb = " has" if len(paths) == 1 else ""
    many = _many(rows, is_exact) if rows else "many rows"
    has = f"{where}{verb} {many} ({_bytes(size)})."
    return commands.counted_in_place(has, memory)


def _many(rows: int, is_exact: bool) -> str:
    from rocsteady.text import digits

    return counted(rows, "row") if is_exact else f"about {digits(rows / 1e6, 2)} million rows"


def _shape(file: File) -> tuple[int, list[str], bool]:
    """The rows of a file, the names of its columns, and whether the former were counted or estimated."""
    from rocsteady.scores.files import read_header
    from rocsteady.scores.frames import interruptible

    if file.kind == "Parquet":
        import duckdb

        try:
            with interruptible(), duckdb.connect() as database:
                table = "SELECT {} FROM read_parquet(?, hive_partitioning = false)"
                ((rows,),) = database.execute(table.format("count(*)"), [file.pattern]).fetchall()
                names = database.execute(f"DESCRIBE {table.format('*')}", [file.pattern]).fetchall()
                return int(rows), [str(own[0]) for own in names], True
        except duckdb.Error as error:
            raise OSError(str(error)) from error
    if file.gzipped or file.kind == "iMRMC":
        return 0, [], False  # how much is in it shows when it is unpacked
    if file.kind == "JSON lines":
        return _estimated(file.path), [], False
    return _estimated(file.path), read_header(file), False


def _estimated(path: Path) -> int:
    """Rows of a text file, from the lines at its beginning, in its middle and at its end."""
    size = os.path.getsize(path)
    samples = []
    with path.open("rb") as stream:
        for start in (0, size // 2, max(size - _SAMPLE, 0)):
            stream.seek(start)
            samples.append(stream.read(_SAMPLE))
    return round(size * sum(sample.count(b"\n") for sample in samples) / max(sum(map(len, samples)), 1))


def _bytes(n: float) -> str:
    """A size.

    >>> _bytes(37_240_170), _bytes(4.14e9), _bytes(414e6)
    ('37.2 MB', '4.1 GB', '414 MB')
    """
    from rocsteady.text import ML, Size

    return Size(int(n)).spell(ML)


# Results out --------------------------------------------------------------------------------------------

TABLES = ("csv", "json", "parquet")
FIGURES = ("png", "pdf", "svg")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # some spreadsheets take wide ones too
_BREAKS = ("\t", "\r", "\n")


def require_output(
    path: Path, known: Sequence[str], *, example: str, overwrite: bool, ways: Sequence[Remedy] = ()
) -> str:
    """What a file's ending says, before a long work is done in vain.

    RS054 for an unknown ending, RS055 without a folder, RS003 for something in the way.
    """
    kind = path.suffix.removeprefix(".").casefold()
    if kind not in known:
        endings = ", ".join(f".{own}" for own in known)
        raise fail("RS054.ending", path=path, known=endings, ways=[Option("output", example), *ways])
    require_folder(path)
    require_free(path, overwrite=overwrite)
    return kind


def require_folder(path: Path) -> None:
    """RS055 if the folder of a file to be written does not exist: a misspelt one should not be made."""
    from rocsteady.text import shell

    if not path.parent.is_dir():
        typed = shell([str(path.parent)])
        raise fail("RS055.output-folder", path=path, folder=path.parent, typed=typed, here=path.name)
    if not os.access(path.parent, os.W_OK):
        raise fail("RS055.locked-folder", path=path, folder=path.parent)


def require_free(path: Path, *, overwrite: bool) -> None:
    """RS003 if something is in the way."""
    with _coded(path):
        if path.exists() and not (overwrite and path.is_file()):
            raise fail("RS003.output", path=path, is_file=path.is_file())


def write_file(path: Path, content: bytes, *, overwrite: bool) -> bool:
    """Write a file under a temporary name, then rename it; False if it was there already, byte for byte.

    Raises
    ------
    UsageError
        RS003 if another file is in the way and ``overwrite`` is not set.
    FileError
        RS055 if the folder or the file cannot be written.
    """
    end_if_interrupted()
    with _coded(path):
        if path.exists() and path.is_file() and path.read_bytes() == content:
            return False
        require_free(path, overwrite=overwrite)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    return True


@contextmanager
def _coded(path: Path) -> Iterator[None]:
    """What the system says against a file, as RS055: no room, no right to it, a name that is too long."""
    try:
        yield
    except OSError as error:
        if isinstance(error, RocsteadyError):
            raise
        raise fail("RS055.output-system", path=path, reason=error.strerror or error) from error


def table_bytes(table: Mapping[str, Sequence[Any]], kind: str) -> bytes:
    """A table as CSV or Parquet."""
    return as_parquet(table) if kind == "parquet" else as_csv(table).encode()


def as_csv(table: Mapping[str, Sequence[Any]]) -> str:
    """Rows under a header; numbers keep every digit, missing ones are empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([safe_cell(name) for name in table])
    for row in zip(*table.values(), strict=True):
        writer.writerow([_cell(value) for value in row])
    return text.getvalue()


def _cell(value: Any) -> str:
    value = getattr(value, "item", lambda: value)()  # a number of NumPy's
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return repr(value) if isinstance(value, int | float) else safe_cell(str(value))


def safe_cell(text: str) -> str:
    r"""Text for a CSV file: marked as text where a spreadsheet would take it for a formula.

    Names come from files. What steers a terminal (an escape, a bell) is spelled out, since CSV is looked at
    with ``cat`` too. Numbers do not come here: they keep their sign.

    >>> safe_cell("=cmd()"), safe_cell(" -1+2"), safe_cell("host-1"), safe_cell("\x1b[2J")
    ("'=cmd()", "' -1+2", 'host-1', '\\x1b[2J')
    """
    is_control = {c: unicodedata.category(c) == "Cc" for c in set(text)}
    harmless = "".join(c if c in _BREAKS or not is_control[c] else printable(c) for c in text)
    is_formula = harmless.startswith(_BREAKS) or harmless.lstrip().startswith(_FORMULA)
    return f"'{harmless}" if is_formula else harmless


def as_parquet(table: Mapping[str, Sequence[Any]]) -> bytes:
    """The same as Parquet, written by DuckDB."""
    import duckdb
    import numpy as np

    arrays = {
        name: np.array([math.nan if v is None else v for v in values], dtype=np.float64)
        if all(value is None or isinstance(value, int | float | np.number) for value in values)
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
        path = Path(folder) / "table.parquet"
        connection.register("rows", arrays)
        connection.execute(f"COPY (SELECT {chosen} FROM rows) TO '{path}' (FORMAT parquet)")
        return path.read_bytes()


def as_json(value: Any, indent: str = "") -> str:
    """JSON with a line for each name, and lists of numbers or words on one line.

    >>> print(as_json({"a": [1, 2.5, None], "b": {"c": []}}))
    {
      "a": [1, 2.5, null],
      "b": {
        "c": []
      }
    }
    """
    inner = f"{indent}  "
    if isinstance(value, dict) and value:
        lines = [f"{inner}{json.dumps(name)}: {as_json(own, inner)}" for name, own in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(own, dict) for own in value):
        lines = [f"{inner}{as_json(own, inner)}" for own in value]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"
    return json.dumps(value, allow_nan=False)
