"""Finding a file of scores: the path, what kind of file it is, and whether it can be read at all."""

from __future__ import annotations

import errno
import glob
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rocsteady.errors import FileError, MissingFileError, UsageError, near_match
from rocsteady.scores.column_names import list_columns
from rocsteady.scores.text import AS_TABLE

_KINDS = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".parquet": "Parquet",
    ".jsonl": "JSON lines",
    ".ndjson": "JSON lines",
    ".imrmc": "iMRMC",
}
_OTHER_KINDS = {
    **dict.fromkeys((".xlsx", ".xls", ".xlsm", ".ods"), AS_TABLE),
    **dict.fromkeys((".zip", ".bz2", ".xz", ".zst"), "unpack it first"),
    ".json": "write one JSON object per line, and call the file .jsonl",
}


@dataclass(frozen=True)
class File:
    """A file on disk, what to call it, and how to read it."""

    path: Path
    name: str
    kind: str
    gzipped: bool = False

    @property
    def pattern(self) -> str:
        """The path for DuckDB, which would expand ``*``, ``?`` and ``[``."""
        return glob.escape(str(self.path.absolute()))


@contextmanager
def located(path: str | bytes | os.PathLike[str] | os.PathLike[bytes]) -> Iterator[File]:
    """The file of that name, or a copy of standard input for ``-``.

    Raises
    ------
    FileError
        RS051 to RS054 if there is no such file, or none that can be read.
    UsageError
        RS001 if ``path`` is not the name of a file.
    """
    if not isinstance(path, str | bytes | os.PathLike):
        raise UsageError(
            "RS001",
            "path must be the name of a file.",
            f"type {type(path).__module__}.{type(path).__qualname__}",
            "for a table in memory:  rs.ScoreSet.from_frame(frame, label=..., score=...)",
        )
    name = os.fsdecode(path)
    if name != "-":
        yield _find(Path(name))
        return
    # DuckDB reads files, and messages look back at lines: standard input is written down first.
    with tempfile.TemporaryDirectory(prefix="rocsteady-") as folder:
        copy = Path(folder, "input.csv")
        stream = getattr(sys.stdin, "buffer", None)
        with copy.open("wb") as target:
            for block in iter(lambda: (stream or sys.stdin).read(1 << 20), b"" if stream else ""):
                target.write(block if isinstance(block, bytes) else block.encode())
        yield File(copy, "standard input", "CSV")


def _find(path: Path) -> File:
    try:
        mode = os.stat(path).st_mode
        os.stat(path.absolute())  # DuckDB is told the whole path, which a deleted folder does not have
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise _not_found(path, error) from error
    if stat.S_ISDIR(mode):
        inside = [name for name in _listed(path) if _kind_of(Path(name)) is not None]
        found = f"score files in it: {list_columns(inside)}"
        raise FileError("RS052", f"{path} is a directory.", found, "name one file in it")
    if not stat.S_ISREG(mode):
        raise FileError(
            "RS052",
            f"{path} is not a file that stays.",
            "a pipe or a device, which can be read only once",
            "write its rows to a file, or read them from standard input:  -",
        )
    kind = _kind_of(path)
    if kind is None:
        raise _unknown_kind(path)
    try:
        path.open("rb").close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileError(
            "RS053", f"{path.name} cannot be opened.", reason, "ask for permission to read it"
        ) from error
    return File(path, path.name, kind, gzipped=path.suffix.lower() == ".gz")


def _unknown_kind(path: Path) -> FileError:
    rename = "rename it:  .csv  .tsv  .parquet  .jsonl  .ndjson  .imrmc;  gzipped text:  .csv.gz"
    return FileError(
        "RS054",
        f"{path.name} is not of a kind that can be read."
        if path.suffix.lower() in _OTHER_KINDS
        else f"{path.name} does not say what kind of file it is.",
        f'its ending is "{"".join(path.suffixes[-2:])}"',
        _OTHER_KINDS.get(path.suffix.lower(), rename).format(name=str(path)),
    )


def _kind_of(path: Path) -> str | None:
    gzipped = path.suffix.lower() == ".gz"
    kind = _KINDS.get(Path(path.stem).suffix.lower() if gzipped else path.suffix.lower())
    return None if gzipped and kind == "Parquet" else kind


def _listed(folder: Path) -> list[str]:
    """What is in a folder; nothing if it may not be listed."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _not_found(path: Path, error: OSError | ValueError) -> FileError:
    """RS051, or RS053 if the file may exist but the way to it is closed."""
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return FileError(
            "RS053",
            f"{path} cannot be reached.",
            str(error.args[-1]),
            "ask for permission to enter its folder",
        )
    if number not in (errno.ENOENT, errno.ENOTDIR):  # a name that no file can have
        name = str(path) if len(str(path)) <= 60 else f"{str(path)[:60]}..."
        return MissingFileError("RS051", f"{name} does not exist.", str(error.args[-1]), "pass a path")
    try:
        folder, whole = path.parent, path.parent.absolute()
    except OSError:  # the working folder is gone
        return MissingFileError(
            "RS051", f"{path} does not exist.", "the working folder was deleted", "go to another folder"
        )
    if not folder.is_dir():
        return MissingFileError(
            "RS051", f"{path} does not exist.", f"there is no folder {folder}", "check the folder"
        )
    names = _listed(folder)
    # Endings are alike in any case; what was misspelled stands before them.
    likely = {Path(name).stem: name for name in reversed(names)}
    close = likely.get(near_match(path.stem, likely) or "")
    remedy = f"did you mean  {folder / close} ?" if close else "check the spelling and the folder"
    score_files = [name for name in names if _kind_of(Path(name)) is not None]
    found = f"score files in {whole}: {list_columns(score_files)}"
    return MissingFileError("RS051", f"{path} does not exist.", found, remedy)
