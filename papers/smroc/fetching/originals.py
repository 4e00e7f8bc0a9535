"""Get the originals: from their public addresses, or from a folder that somebody filled by hand."""

from __future__ import annotations

import http.client
import io
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papers.smroc.sets import Address, DataFile
from rocsteady.errors import FileError, fail

LARGEST = 32 * 2**20
"""Bytes; the largest original has 4 MB."""
SECONDS_OF_SILENCE = 30
SECONDS_IN_ALL = 300
_CHUNK = 2**16
_HEADERS = {"User-Agent": "rocsteady (python urllib)"}

Opener = Callable[..., Any]
"""As ``urllib.request.urlopen``: takes a request and ``timeout``, gives what can be read."""


@dataclass(frozen=True)
class Original:
    """The contents of an original and where they are from."""

    content: bytes
    place: str


def downloaded(address: Address, opener: Opener | None = None) -> Original:
    """The original at a public address.

    Raises
    ------
    FileError
        RS098 if it cannot be reached, is cut short, is too large, or is no archive where one was expected.
    """
    request = urllib.request.Request(address.url, headers=_HEADERS)
    try:
        with (opener or urllib.request.urlopen)(request, timeout=SECONDS_OF_SILENCE) as answer:
            content = _read(answer, address.url)
    except urllib.error.HTTPError as error:
        raise fail(
            "RS098.not-had", place=address.url, reason=f"the server answered {error.code} {error.reason}"
        ) from error
    except urllib.error.URLError as error:
        raise fail("RS098.not-had", place=address.url, reason=f"no answer: {error.reason}") from error
    except TimeoutError as error:
        raise fail(
            "RS098.not-had", place=address.url, reason=f"no answer for {SECONDS_OF_SILENCE} seconds"
        ) from error
    except FileError:
        raise
    except (OSError, http.client.HTTPException) as error:
        raise fail(
            "RS098.not-had",
            place=address.url,
            reason=f"the connection broke: {error or type(error).__name__}",
        ) from error
    if address.member is not None:
        content = _member(content, address.member, address.url)
    return Original(content, address.url)


def in_folder(folder: Path, of: DataFile) -> Original:
    """The original in a folder or below it, as it is or in its archive.

    Raises
    ------
    MissingFileError
        RS051 if it is not there.
    FileError
        RS098 if its archive does not hold it; RS053 if it cannot be read.
    """
    for path, member in _candidates(folder, of):
        try:
            content = path.read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            raise fail("RS053.original", path=path, reason=reason) from error
        if member is not None:
            content = _member(content, member, str(path))
        return Original(content, str(path))
    names = dict.fromkeys([of.raw, *(_last_part(address.url) for address in of.addresses)])
    raise fail(
        "RS051.original",
        folder=folder,
        abbr=of.abbr,
        name=of.name,
        names=", ".join(names),
        url=of.addresses[0].url,
    )


def _candidates(folder: Path, of: DataFile) -> Iterator[tuple[Path, str | None]]:
    """The files that may hold the original, the plain one first, whatever the case of their names."""
    wanted: dict[str, str | None] = {of.raw.lower(): None}
    for address in of.addresses:
        wanted.setdefault(_last_part(address.url).lower(), address.member)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for name, member in wanted.items():
        yield from ((path, member) for path in files if path.name.lower() == name)


def _last_part(url: str) -> str:
    return url.rsplit("/", maxsplit=1)[-1]


def _read(answer: Any, url: str) -> bytes:
    """All of the answer, unless it is too large, too slow or cut short."""
    announced = answer.headers.get("Content-Length") if getattr(answer, "headers", None) else None
    until = time.monotonic() + SECONDS_IN_ALL
    parts: list[bytes] = []
    n_bytes = 0
    while part := answer.read(_CHUNK):
        parts.append(part)
        n_bytes += len(part)
        if n_bytes > LARGEST:
            raise fail(
                "RS098.not-had", place=url, reason=f"more than {LARGEST} bytes; nothing so large was expected"
            )
        if time.monotonic() > until:
            raise fail("RS098.not-had", place=url, reason=f"not complete after {SECONDS_IN_ALL} seconds")
    if announced is not None and announced.isdigit() and n_bytes != int(announced):
        raise fail("RS098.not-had", place=url, reason=f"cut short: {n_bytes} of {announced} bytes")
    return b"".join(parts)


def _member(content: bytes, name: str, place: str) -> bytes:
    """The member of an archive with this name, in whatever folder of it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found = [info for info in archive.infolist() if _last_part(info.filename).lower() == name.lower()]
            if not found:
                raise fail("RS098.not-had", place=place, reason=f"the archive does not hold {name}")
            if found[0].file_size > LARGEST:
                raise fail(
                    "RS098.not-had",
                    place=place,
                    reason=f"{name} has {found[0].file_size} bytes in the archive",
                )
            return archive.read(found[0])
    except FileError:
        raise
    except Exception as error:  # every way of compressing has its own for damaged bytes
        raise fail(
            "RS098.not-had", place=place, reason=f"it is no archive that can be read: {error}"
        ) from error
