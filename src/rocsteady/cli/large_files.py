"""Before a large file is read: how many rows it has, which columns are read, and what memory that takes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady.cli.console import say
from rocsteady.errors import RocsteadyError
from rocsteady.words import counted, printable

if TYPE_CHECKING:
    from rocsteady.scores.files import File

LARGE = 1_000_000
"""Rows from which on a file is announced."""
_SAMPLE = 1 << 18
_SMALL = 500_000
"""Bytes; so many rows are in no smaller file, even packed as Parquet."""
_ROLES = ("label", "score", "group", "model", "case", "cluster", "repeat", "weight")


def announce(file: str, options: Mapping[str, Any], *, memory: str | None = None) -> None:
    """Say on standard error what reading a large file takes; nothing about others.

    ``options`` are those of :func:`rocsteady.read_scores`. With ``memory`` rows are counted in place, within
    so much. What is wrong with the file, reading it will say.
    """
    try:
        if file == "-" or (os.path.isfile(file) and os.path.getsize(file) < _SMALL):
            return
        named = {role: options.get(role) for role in _ROLES}
        told = _told(file, named) if memory is None else _told_of_counting(file, memory)
    except (OSError, RocsteadyError, UnicodeError):
        return
    if told:
        say(told)


def _told(path: str, given: Mapping[str, Any]) -> str:
    from rocsteady.counting.count import BASE_BYTES, BYTES_PER_VALUE
    from rocsteady.scores.files import located
    from rocsteady.scores.frames import choose_columns, read_names

    with located(path) as file:
        rows, names, is_exact = _shape(file)
        if rows < LARGE:
            return ""
        size = _bytes(os.path.getsize(file.path))
        many = counted(rows, "row") if is_exact else f"about {rows / 1e6:.2g} million rows"
        has = f"{printable(file.name)} has {many} ({size})."
        if not names:
            return has
        roles, _ = choose_columns(names, read_names(given), file.name)
        memory = _bytes(BASE_BYTES + BYTES_PER_VALUE * rows * len(roles))
        columns = f"{len(roles)} of {counted(len(names), 'column')}"
        return f"{has} Reading {columns} takes about {memory} of memory."


def _told_of_counting(path: str, memory: str) -> str:
    """Rows and size of one file or of many, that are counted where they are."""
    from rocsteady.counting.counted import is_counts
    from rocsteady.counting.engines import files_named
    from rocsteady.scores.files import located

    if is_counts(path):
        return ""
    paths = files_named(path)
    rows, size, is_exact = 0, 0, True
    for name in paths:
        with located(name) as file:
            own, _, is_counted = _shape(file)
            rows, size, is_exact = rows + own, size + os.path.getsize(file.path), is_exact and is_counted
    if rows < LARGE and size < _SMALL:
        return ""
    many = (
        counted(rows, "row") if is_exact else f"about {rows / 1e6:.2g} million rows" if rows else "many rows"
    )
    what = printable(path) if len(paths) == 1 else f"{printable(path)}: {counted(len(paths), 'file')},"
    has = f"{what} has {many}" if len(paths) == 1 else f"{what} {many}"
    return f"{has} ({_bytes(size)}). Rows are counted in place, within {memory} of memory (--memory)."


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
                columns = database.execute(f"DESCRIBE {table.format('*')}", [file.pattern]).fetchall()
                return int(rows), [str(column[0]) for column in columns], True
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
    """A size in megabytes or gigabytes.

    >>> _bytes(37_240_170), _bytes(4.14e9)
    ('37 MB', '4.1 GB')
    """
    return f"{n / 1e6:.0f} MB" if n < 1e9 else f"{n / 1e9:.1f} GB"
