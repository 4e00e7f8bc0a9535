"""Checksums of Parquet pages: looked at where they were written, because engines do not.

A page begins with a header that may hold the CRC-32 of the bytes behind it. Of a file without checksums only
one header of every block of a column is read; of a file with them pyarrow reads the needed columns once more,
and checks.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import IO, Any

from rocsteady.errors import FileError
from rocsteady.scores.locating import File
from rocsteady.words import listed, printable

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
        raise FileError(
            "RS401",
            f"{printable(file.name)}: what was read is not what the file says about itself.",
            f"{(str(error).splitlines() or ['no reason given'])[0]}; columns: {listed(columns)}",
            "the file was damaged: write it again from its source",
        ) from error
