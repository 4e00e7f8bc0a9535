"""Write files so that nobody ever sees half of one, and nobody loses one."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rocsteady.cli.outcome import end_if_interrupted
from rocsteady.errors import fail
from rocsteady.whole_files import write_whole


def require_folder(path: Path) -> None:
    """RS055 if the folder of a file to be written does not exist: a misspelt one should not be made."""
    if not path.parent.is_dir():
        typed = shlex.quote(str(path.parent))
        raise fail("RS055.output-folder", path=path, folder=path.parent, typed=typed, here=path.name)
    if not os.access(path.parent, os.W_OK):
        raise fail("RS055.locked-folder", path=path, folder=path.parent)


def require_free(path: Path, *, overwrite: bool) -> None:
    """RS003 if something is in the way, before a long work is done in vain."""
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
        if path.exists() and not (overwrite and path.is_file()):
            raise fail("RS003.output", path=path, is_file=path.is_file())
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    return True


@contextmanager
def _coded(path: Path) -> Iterator[None]:
    """What the system says against a file, as RS055: no room, no right to it, a name that is too long."""
    try:
        yield
    except OSError as error:
        raise fail("RS055.output-system", path=path, reason=error.strerror or error) from error
