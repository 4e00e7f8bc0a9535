"""From the text of an original to the CSV file that the reproduction reads.

Column by column: a column of whole numbers is written without decimal points, another column of numbers as
Python writes floats, anything else as it is. Rows keep their order, "?" becomes an empty cell, and the class
becomes 0 or 1 (of digits, the digit).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from papers.smroc.fetching.layouts import LAYOUTS, MISSING, Layout
from papers.smroc.sets import DataFile
from rocsteady.errors import RocsteadyError, fail

_BYTE_ORDER_MARKS = "ï»¿\ufeff"
_TESTED = {"tested_positive": "1", "tested_negative": "0"}  # one copy of the diabetes data spells it out


def normalised(content: bytes, of: DataFile) -> bytes:
    """The CSV file, made from the original.

    Parameters
    ----------
    content : bytes
        The original.
    of : DataFile
        Which file is to be made.

    Raises
    ------
    FileError
        RS053 if the original is not laid out as expected.
    """
    layout = LAYOUTS[of.abbr]
    # Latin 1 reads any bytes: a page of another kind is refused for its layout, with the line at fault.
    rows, labels = _features_and_labels(content.decode("latin-1"), layout, of)
    columns = [_written(column) for column in zip(*rows, strict=True)]
    if len(columns) != len(of.features):
        raise _unexpected(of, f"{len(columns)} features, not {len(of.features)}")
    lines = [",".join([*of.features, of.class_column])]
    lines += [",".join(row) for row in zip(*columns, labels, strict=True)]
    return ("\n".join(lines) + "\n").encode("utf-8")


def _features_and_labels(text: str, layout: Layout, of: DataFile) -> tuple[list[list[str]], list[str]]:
    """The features of each row that is kept, and its class."""
    rows: list[list[str]] = []
    labels: list[str] = []
    for number, line in _data_lines(text, header=layout.header):
        fields = _fields(line, layout)
        if len(fields) != layout.n_fields:
            raise _unexpected(
                of, f"line {number} has {len(fields)} fields, not {layout.n_fields}: {line:.60}"
            )
        written = "" if layout.label is None else fields[layout.label]
        label = _label(written, layout, n_before=len(rows))
        if label is None:
            if written == MISSING and layout.unlabelled_dropped:
                continue
            raise _unexpected(of, f"line {number}: {written!r:.40} is no class")
        if any(fields[place] in values for place, values in layout.left_out.items()):
            continue
        rows.append(_features(fields, layout))
        labels.append(label)
    if not rows:
        raise _unexpected(of, "no rows")
    if len({len(row) for row in rows}) > 1:
        raise _unexpected(of, "rows of different lengths")
    return rows, labels


def _data_lines(text: str, *, header: bool) -> Iterator[tuple[int, str]]:
    """The lines that hold data, with their numbers; of an ARFF file those after ``@data``."""
    numbered = [
        (n, line.strip()) for n, line in enumerate(text.lstrip(_BYTE_ORDER_MARKS).splitlines(), start=1)
    ]
    marks = [place for place, (_, line) in enumerate(numbered) if line.lower() == "@data"]
    data = numbered[marks[0] + 1 :] if marks else numbered
    rows = [(n, line) for n, line in data if line and not line.startswith("%")]
    yield from rows[1:] if header else rows


def _fields(line: str, layout: Layout) -> list[str]:
    if layout.separator is None:
        return line.replace(",", " ").split()
    parts = line.split(layout.separator)
    if layout.stray_comma and len(parts) == layout.n_fields + 1 and parts[0] == "":
        parts = parts[1:]
    return [part.strip().strip("'\"") for part in parts]


def _label(field: str, layout: Layout, n_before: int) -> str | None:
    """The class as "0" or "1", or by the number of rows before it; None where it is no class."""
    if layout.label is None:
        return str(n_before // layout.rows_of_each)
    number = _number(field)  # the ozone files write 0. and 1.
    written = _TESTED.get(field, field) if number is None else f"{number:g}"
    return {layout.positive: "1", layout.negative: "0"}.get(written)


def _features(fields: Sequence[str], layout: Layout) -> list[str]:
    """The features of a row, with "" for what is missing."""
    named = [layout.names.get(place, {}).get(fields[place], fields[place]) for place in layout.features]
    row = list(named[0]) if layout.spelled else named
    return ["" if cell == MISSING else cell for cell in row]


def _written(column: Sequence[str]) -> list[str]:
    """The cells of a column as the CSV file has them."""
    numbers = [_number(cell) for cell in column]
    if any(number is None and cell for number, cell in zip(numbers, column, strict=True)):
        return list(column)
    whole = all(number is None or number.is_integer() for number in numbers)
    return ["" if number is None else str(int(number)) if whole else repr(number) for number in numbers]


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _unexpected(of: DataFile, found: str) -> RocsteadyError:
    return fail("RS053.layout", raw=of.raw, name=of.name, found=found)
