"""Write files so that nobody ever sees half of one, and nobody loses one."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rocsteady.cli.outcome import end_if_interrupted
from rocsteady.errors import FileError, Option, Remedy, UsageError
from rocsteady.whole_files import write_whole


def require_folder(path: Path) -> None:
    """RS055 if the folder of a file to be written does not exist: a misspelt one should not be made."""
    if not path.parent.is_dir():
        raise FileError(
            "RS055",
            f"{path} cannot be written.",
            f"there is no folder {path.parent}",
            f"mkdir -p {shlex.quote(str(path.parent))}",
            ["or write here:  ", Option("output", path.name)],
        )
    if not os.access(path.parent, os.W_OK):
        raise _unwritable(path, f"the folder {path.parent} may not be written to")


def require_free(path: Path, *, overwrite: bool) -> None:
    """RS003 if something is in the way, before a long work is done in vain."""
    with _coded(path):
        if path.exists() and not (overwrite and path.is_file()):
            raise _in_the_way(path, "it exists")


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
        if path.exists() and not (overwrite and path.is_file()):
            raise _in_the_way(path, "it exists and holds something else")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    return True


@contextmanager
def _coded(path: Path) -> Iterator[None]:
    """What the system says against a file, as RS055: no room, no right to it, a name that is too long."""
    try:
        yield
    except OSError as error:
        raise _unwritable(path, f"the system says: {error.strerror or error}") from error


def _unwritable(path: Path, why: str) -> FileError:
    remedy: Remedy = ["choose another place:  ", Option("output", "PATH")]
    return FileError("RS055", f"{path} cannot be written.", why, remedy)


def _in_the_way(path: Path, what: str) -> UsageError:
    if not path.is_file():
        what = "it is a folder" if path.is_dir() else "it is no file"
    remedies: list[Remedy] = [["choose another place:  ", Option("output", "PATH")]]
    if path.is_file():
        remedies.append("or replace it:  --overwrite")
    return UsageError("RS003", f"{path} is in the way; nothing was written.", what, *remedies)
