"""Finished runs on disk, so that a reproduction that was stopped goes on where it was.

An entry is one JSON file, named by a digest of everything its numbers depend on: the data, the parameters,
the source of the code that made them and the versions of the packages below it. So an entry is never stale;
one that was cut short or changed does not match its own checksum and is computed again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path
from typing import Any

import rocsteady
from rocsteady.errors import fail
from rocsteady.whole_files import write_whole
from rocsteady.words import printable

VARIABLE = "ROCSTEADY_CACHE"
_CODE = {
    Path(rocsteady.__file__).parent: ("curves/smroc.py", "curves/readings.py", "scores/sklearn.py"),
    Path(__file__).parents[2]: (
        "learners",
        "smroc/experiment/files.py",
        "smroc/experiment/run.py",
        "smroc/quiet_curves.py",
    ),
}
"""What the numbers of a run are made by: paths in the package, and beside it in ``papers``."""


@dataclass(frozen=True)
class Cache:
    """A folder of finished runs.

    Attributes
    ----------
    folder : Path or None
        None: nothing is kept.
    note : str
        What has to be said about the place; empty where it is the usual one.
    """

    folder: Path | None
    note: str = ""

    def read(self, key: str) -> dict[str, Any] | None:
        """A finished run; None if there is none, or none that can be trusted."""
        if self.folder is None:
            return None
        try:
            entry = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            content: dict[str, Any] = entry["content"]
            intact = entry["key"] == key and entry["sha256"] == _digest(content)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return content if intact else None

    def write(self, key: str, content: dict[str, Any]) -> None:
        """Keep a finished run: whole or not at all. A full disk loses the entry, not the numbers."""
        if self.folder is None:
            return
        entry = json.dumps({"key": key, "sha256": _digest(content), "content": content})
        with suppress(OSError):
            write_whole(self.folder / f"{key}.json", entry.encode())


def open_cache(named: str | os.PathLike[str] | None = None) -> Cache:
    """The folder named by the caller, else by the environment, else the user's cache folder.

    Where that of the environment cannot be written the next one serves, at last one for temporary files; the
    note says so.

    Raises
    ------
    FileError
        RS055 if the caller named a folder that cannot be written.
    """
    if named:  # an empty name, as of a variable that is not set, is none
        folder = Path(named)
        if not _usable(folder):
            raise fail("RS055.cache", folder=folder)
        return Cache(folder)
    chosen = os.environ.get(VARIABLE)
    if chosen and _usable(Path(chosen) / "smroc"):
        return Cache(Path(chosen) / "smroc")
    unusable = f"{VARIABLE} names {printable(chosen)}, which cannot be written" if chosen else ""
    for folder in _usual_places():
        if _usable(folder):
            return Cache(folder, f"{unusable}: finished runs are kept in {folder}." if unusable else "")
    return _temporary(unusable or f"The cache folder cannot be written (name another with {VARIABLE})")


def _usual_places() -> Iterable[Path]:
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    if Path(xdg).is_absolute():  # the rule for this variable: a relative path is to be ignored
        yield Path(xdg) / "rocsteady" / "smroc"
    with suppress(RuntimeError):  # no home at all
        yield Path.home() / ".cache" / "rocsteady" / "smroc"


def _usable(folder: Path) -> bool:
    """Whether files can be written there; the folder is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except (OSError, ValueError):
        return False


def _temporary(problem: str) -> Cache:
    """A folder among the temporary files that belongs to this user alone."""
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    folder = Path(tempfile.gettempdir()) / f"rocsteady-{owner}" / "smroc"
    nowhere = Cache(None, f"{problem}: finished runs are not kept, and one that is stopped starts anew.")
    try:
        folder.parent.mkdir(mode=0o700, exist_ok=True)
        if hasattr(os, "getuid") and folder.parent.lstat().st_uid != owner:
            raise PermissionError("the folder belongs to somebody else")
    except OSError:
        return nowhere
    return Cache(folder, f"{problem}: finished runs are kept in {folder}.") if _usable(folder) else nowhere


def key_of(parameters: dict[str, Any]) -> str:
    """The name of an entry: a digest of the parameters, the code and the versions below it."""
    return _digest({"parameters": parameters, "code": code_digest(), "versions": versions()})[:40]


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@once
def code_digest() -> str:
    """A digest of the source files behind the numbers of a run."""
    digest = hashlib.sha256()
    for folder, names in _CODE.items():
        for place in (folder / name for name in names):
            for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
                digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@once
def versions() -> dict[str, str]:
    """The packages that the learners and the curves compute with."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in ("numpy", "scipy", "scikit-learn"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = ""
    return found
