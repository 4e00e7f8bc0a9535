"""What Parquet files say about themselves, to be compared with what was read.

Engines read a damaged page without a word, and a sum of 2e307 looks like any other number to a program. They
also read several files as if all had the columns of the first: floats become integers, text becomes numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.errors import FileError
from rocsteady.scores.column_names import role_kind
from rocsteady.scores.locating import File
from rocsteady.words import printable

_Ends = tuple[float | None, float | None]


@dataclass(frozen=True)
class Footers:
    """Rows and ranges of the scores, over all files.

    Attributes
    ----------
    n_rows : int
        Rows of all files.
    ends : mapping
        Role of every column of scores to its lowest and its highest; None where a file keeps no statistics,
        or only of a part of its rows.
    rows_of : mapping
        Path to the rows of the file.
    """

    n_rows: int
    ends: Mapping[str, _Ends]
    rows_of: Mapping[str, int]

    def check(self, role: str, read: tuple[float, float], n_rows: int, name: str, *, are_all: bool) -> None:
        """RS401 unless as many rows were read, and the scores lie where the footers say.

        Where all scores were read they reach from one end to the other; where some were left out (``are_all``
        is false) they only lie between.
        """
        found = []
        if n_rows != self.n_rows:
            found.append(f"rows read: {n_rows}; rows by the footers: {self.n_rows}")
        said = self.ends.get(role, (None, None))
        for end, sign, own, limit in zip(("lowest", "highest"), (1.0, -1.0), read, said, strict=True):
            if limit is not None and (sign * own < sign * limit or (are_all and own != limit)):
                found.append(f"{end} score read: {own!r}; by the footers: {limit!r}")
        if found:
            raise FileError(
                "RS401",
                f"{name}: what was read is not what the file says about itself.",
                "; ".join(found),
                "the file was damaged, or is being written: write it again, then count again",
            )


def metadata_of(files: list[File]) -> list[Any] | None:
    """The footer of every file, RS053 if one has none; None where only an engine may be able to read them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = []
    for file in files:
        try:
            found.append(pq.read_metadata(file.path))
        except pa.ArrowInvalid as error:
            raise FileError(
                "RS053",
                f"{printable(file.name)} cannot be read as Parquet.",
                (str(error).splitlines() or ["no reason given"])[0],
                "write the file again; a Parquet file that was cut short cannot be read",
            ) from error
        except (pa.ArrowException, OSError):
            return None
    return found


def footers_of(files: list[File], metadata: list[Any] | None, columns: Mapping[str, str]) -> Footers | None:
    """What the footers say about columns, by role; RS054 if a column has another type in another file."""
    if metadata is None:
        return None
    _require_same_types(files, metadata, columns)
    scores = {role: column for role, column in columns.items() if role_kind(role) == "score"}
    return Footers(
        sum(own.num_rows for own in metadata),
        {role: _ends(metadata, column) for role, column in scores.items()},
        {str(file.path): own.num_rows for file, own in zip(files, metadata, strict=True)},
    )


def _require_same_types(files: list[File], metadata: list[Any], columns: Mapping[str, str]) -> None:
    for column in columns.values():
        kinds = [_kind(own, column) for own in metadata]
        other = next((i for i, kind in enumerate(kinds) if kind != kinds[0]), None)
        if other is None:  # alike in all, or in none: a folder called key=value has it then
            continue
        shown = [f"{kinds[i] or 'missing'} in {printable(files[i].name)}" for i in (0, other)]
        raise FileError(
            "RS054",
            "these files cannot be counted together.",
            f'column "{printable(column)}" is {", ".join(shown)}',
            "name files whose columns have the same types, or write them again with one schema",
        )


def _position(metadata: Any, column: str) -> int | None:
    names = [metadata.schema.column(i).path for i in range(metadata.num_columns)]
    return names.index(column) if column in names else None


def _kind(metadata: Any, column: str) -> str:
    """The type of a column in words; empty where the file has no such column."""
    position = _position(metadata, column)
    if position is None:
        return ""
    own = metadata.schema.column(position)
    logical = str(own.logical_type)
    return str(own.physical_type if logical in ("None", "") else f"{own.physical_type} ({logical})")


def _ends(metadata: list[Any], column: str) -> _Ends:
    """The lowest and the highest value of a column of plain numbers by the statistics of all blocks."""
    lows, highs = [], []
    for own in metadata:
        position = _position(own, column)
        for i in range(own.num_row_groups if position is not None else 0):
            statistics = own.row_group(i).column(position).statistics
            if statistics is None or not statistics.has_min_max:
                return None, None
            if not all(isinstance(end, int | float) for end in (statistics.min, statistics.max)):
                return None, None  # decimals are rounded on their way
            lows.append(float(statistics.min))
            highs.append(float(statistics.max))
    # A file without NaN keeps exact limits; one with NaN may keep none, and then nothing is compared.
    if not lows or np.isnan([*lows, *highs]).any():
        return None, None
    return min(lows), max(highs)
