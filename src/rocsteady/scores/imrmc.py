"""Reader studies as iMRMC keeps them (.imrmc): a line for the truth of each case, and one for every rating.

After a free text and a line ``BEGIN DATA:`` every line is ``reader, case, modality, score``. Where the reader
is ``-1`` or ``truth``, the score is the truth of the case, 0 or 1, and the modality does not matter.
"""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rocsteady.errors import DataError, FileError, LabelError, Option, Remedy, UsageError, counted, near_match
from rocsteady.scores.arrays import Column, Source, no_rows, read_column, thousands
from rocsteady.scores.column_names import role_kind
from rocsteady.scores.locating import File
from rocsteady.scores.text import MISSING_WORDS, open_bytes
from rocsteady.words import listed

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
    def is_truth(self) -> bool:
        return self.reader.casefold() in ("-1", "truth")


def read_imrmc(
    file: File, given: Mapping[str, object], *, on_missing: str
) -> tuple[dict[str, Column], Source, dict[str, str]]:
    """The columns of a file by role, where its rows stand, and what the columns are called.

    ``given`` are columns that the caller named, though there are none to name. ``on_missing`` says whether
    ratings of cases without truth are an error ("raise"), or rows that lack a label ("drop").

    Raises
    ------
    UsageError
        RS002 if columns were named.
    FileError
        RS053 if there is no ``BEGIN DATA:``, a line has not four fields, or a truth is not 0 or 1.
    LabelError
        RS023 if a case has no truth.
    DataError
        RS010 without ratings, RS026 if a case has two truths, RS033 if a rating is not a number.
    """
    _refuse_columns(file, given)
    lines = list(_lines(file))
    truths = _truths(file, (line for line in lines if line.is_truth))
    ratings = [line for line in lines if not line.is_truth]
    if not ratings:
        found = f'{counted(len(truths), "line")} of truth below "{_BEGIN}:", and no ratings'
        raise no_rows(Source(name=file.name), found, f"a rating is a line  {_FIELDS}")
    if on_missing == "raise":
        _require_truths(file, ratings, truths)
    source = Source(
        name=file.name, columns=COLUMNS, row=lambda row: f"line {ratings[row].number}", text_labels=True
    )
    values = {
        "label": [truths.get(line.case) for line in ratings],
        "score": [_rating(file, line) for line in ratings],
        "group": [line.reader or None for line in ratings],
        "model": [line.modality or None for line in ratings],
        "case": [line.case or None for line in ratings],
    }
    return {role: read_column(column, role, source) for role, column in values.items()}, source, dict(COLUMNS)


def _refuse_columns(file: File, given: Mapping[str, object]) -> None:
    if given:
        options = [Option(role_kind(role), name) for role, name in given.items()]
        remedies: list[Remedy] = [["leave out  ", option] for option in options]
        raise UsageError(
            "RS002",
            f"{file.name} is an iMRMC file, whose columns have no names: they are {_FIELDS}.",
            f"named: {listed([str(option.value) for option in options])}",
            *remedies,
            f'for other columns save the lines below "{_BEGIN}:" as CSV, under a line of names',
        )


# -- lines --------------------------------------------------------------------------------------------


def _lines(file: File) -> Iterator[_Line]:
    try:
        with open_bytes(file.path, file.gzipped) as stream:
            rows = stream.read().removeprefix(codecs.BOM_UTF8).splitlines()
    except (OSError, EOFError, zlib.error) as error:
        raise FileError("RS053", f"{file.name} cannot be read.", str(error), "check the file") from error
    begins = (row.strip().upper().startswith(_BEGIN.encode()) for row in rows)
    start = next((i for i, is_begin in enumerate(begins, 1) if is_begin), None)
    if start is None:
        found = f'there is no line "{_BEGIN}:" among its {counted(len(rows), "line")}'
        raise _unreadable(file, found, f"write  {_BEGIN}:  above the first line of data")
    spelled: dict[str, str] = {}
    for number, row in enumerate(rows[start:], start + 1):
        if row.strip(b" \t,"):  # spreadsheets fill lines up with commas
            *names, score = _fields(file, number, row)
            # For iMRMC "reader 1" and "reader1" are one reader; it is called as it was written first.
            reader, case, modality = (spelled.setdefault("".join(name.split()), name) for name in names)
            yield _Line(number, reader, case, modality, score)


def _fields(file: File, number: int, row: bytes) -> list[str]:
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
    return fields


def _unreadable(file: File, found: str, remedy: str) -> FileError:
    return FileError("RS053", f"{file.name} cannot be read as an iMRMC file.", found, remedy)


# -- truth and ratings --------------------------------------------------------------------------------


def _truths(file: File, lines: Iterable[_Line]) -> dict[str, int | None]:
    """The truth of each case that has a line of it; None where the line leaves it out."""
    truths: dict[str, int | None] = {}
    first: dict[str, _Line] = {}
    for line in lines:
        value = None if line.score in MISSING_WORDS else _number(line.score)
        if value not in (0, 1) and line.score not in MISSING_WORDS:
            found = f'line {line.number}: the truth of case "{line.case}" is {line.score[:60]!r}'
            raise _unreadable(file, found, "write  0  for a negative case,  1  for a positive one")
        before = first.setdefault(line.case, line)
        if before is not line:
            raise DataError(
                "RS026",
                f'case "{line.case}" has two truths in {file.name}.',
                f"{before.score} in line {before.number}, {line.score} in line {line.number}",
                "keep one of the lines; if they are two cases, give them two names",
            )
        truths[line.case] = None if value is None else int(value)
    return truths


def _require_truths(file: File, ratings: list[_Line], truths: Mapping[str, int | None]) -> None:
    """RS023 for the first rating of a case whose truth is not known, with the name that may be meant."""
    lost = [line for line in ratings if truths.get(line.case) is None]
    if not lost:
        return
    first, n_cases = lost[0], len({line.case for line in lost})
    close = None if first.case.isdigit() else near_match(first.case, truths)  # 12 is not like 112
    raise LabelError(
        "RS023",
        f'case "{first.case}" has ratings but no truth in {file.name}.',
        f"first at line {first.number}; in all {counted(n_cases, 'such case')}, "
        f"{thousands(len(lost))} of {counted(len(ratings), 'rating')}",
        *([f'did you mean case "{close}" ?'] if close else []),
        f"add a line  -1,{first.case},0,1  if it is positive,  -1,{first.case},0,0  if it is negative",
        ["or drop such ratings:  ", Option("on_missing", "drop"), "   (they are counted)"],
    )


def _rating(file: File, line: _Line) -> float:
    """The number of a line; NaN where it is missing, RS033 where it is something else."""
    value = float("nan") if line.score in MISSING_WORDS else _number(line.score)
    if value is None:
        raise DataError(
            "RS033",
            f"a rating is not a number in {file.name}.",
            f'line {line.number}, reader "{line.reader}", case "{line.case}": {line.score[:60]!r}',
            "write a number, or NA for a rating that is missing",
        )
    return value


def _number(text: str) -> float | None:
    try:
        return None if "_" in text else float(text)  # Python reads 1_000 as a number
    except ValueError:
        return None
