"""Make the data files of Table 1, and the digits of Paclik and others, from the originals at UCI.

    python -m papers.smroc.fetching DIR [SET ...]

downloads the originals, makes ``DIR/uci/<set>.csv`` of each and writes it if it has the checksum that is
stored. ``python -m papers all --data DIR`` then reads them. With ``--from FOLDER`` the originals, or their
archives, are taken from a folder. It returns 0 if every set asked for is there, 1 if a file differs from what
is expected, 2 if the command cannot be understood, and 3 if an original could not be had. ``sets.json`` has
the addresses, the layouts and the checksums.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import os
import shlex
import signal
import sys
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from papers.smroc.sets import FOLDER, Address, DataFile, all_of_table_1, others, table_1, unavailable
from rocsteady.errors import FileError, RocsteadyError, fail, near_match
from rocsteady.whole_files import write_whole
from rocsteady.words import grouped, printable

# From an original to the CSV file -----------------------------------------------------------------------

MISSING = "?"


def normalised(content: bytes, of: DataFile) -> bytes:
    """The CSV file, made from the original; RS053 if that is not laid out as expected.

    Columns of whole numbers are written without decimal points, other columns of numbers as Python writes
    floats, anything else as it is. Rows keep their order, "?" becomes an empty cell, and the class becomes 0
    or 1 (of digits, the digit).
    """
    try:
        rows, labels = _rows(content.decode("latin-1").splitlines(), of)
        columns = [_written(column) for column in zip(*rows, strict=True)]
        if len(columns) != len(of.features):
            raise ValueError(f"{len(columns)} features, not {len(of.features)}")
    except (ValueError, csv.Error) as error:
        raise fail("RS053.layout", raw=of.raw, name=of.name, found=error) from error
    lines = [[*of.features, of.class_column], *zip(*columns, labels, strict=True)]
    return "".join(",".join(line) + "\n" for line in lines).encode("utf-8")


def _rows(lines: Sequence[str], of: DataFile) -> tuple[list[list[str]], list[str]]:
    """The features of each row that is kept, and its class; ValueError for a line of another kind."""
    layout = of.layout
    classes = {layout.positive: "1", layout.negative: "0"}
    places = [i for i in range(layout.fields) if i != layout.label and i not in layout.dropped]
    rows: list[list[str]] = []
    labels: list[str] = []
    split = map(str.split, lines) if layout.blanks else csv.reader(lines, skipinitialspace=True)
    for number, row in enumerate(split, start=1):
        if not row or number <= layout.header:
            continue
        cells = [cell.strip() for cell in row]
        if len(cells) == layout.fields + 1 and not cells[0]:
            del cells[0]  # a line of echocardiogram starts with a comma too many
        if len(cells) != layout.fields:
            raise ValueError(f"line {number} has {len(cells)} fields, not {layout.fields}")
        if layout.label is None:
            label: str | None = str(len(labels) // layout.rows_of_each)
        else:
            written = cells[layout.label].rstrip(".")  # the ozone files write 0. and 1.
            label = classes.get(written)
            if label is None and written != MISSING:
                raise ValueError(f"line {number}: {written!r:.40} is no class")
        if label is None or any(cells[int(place)] in own for place, own in layout.left_out.items()):
            continue
        named = [layout.names.get(str(i), {}).get(cells[i], cells[i]) for i in places]
        rows.append(["" if cell == MISSING else cell for cell in (named[0] if layout.spelled else named)])
        labels.append(label)
    return rows, labels


def _written(column: Sequence[str]) -> Sequence[str]:
    """The cells of a column as the CSV file has them."""
    try:
        numbers = [float(cell) if cell else None for cell in column]
    except ValueError:
        return column
    whole = all(number is None or number.is_integer() for number in numbers)
    return ["" if number is None else str(int(number)) if whole else repr(number) for number in numbers]


# Originals ----------------------------------------------------------------------------------------------

LARGEST = 32 * 2**20
"""Bytes; the largest original has 4 MB."""
SECONDS = 30
"""Of silence."""

Opener = Callable[..., Any]
"""As ``urllib.request.urlopen``: takes a request and ``timeout``, gives what can be read."""


def original(address: Address, folder: Path | None, opener: Opener) -> bytes:
    """What is at a public address, or in a folder under the last part of its name; RS098 if it is not."""
    place = address.url if folder is None else str(folder / address.url.rsplit("/", maxsplit=1)[-1])
    request = urllib.request.Request(address.url, headers={"User-Agent": "rocsteady (python urllib)"})
    try:
        with opener(request, timeout=SECONDS) if folder is None else open(place, "rb") as file:
            content: bytes = _read(file)
        if address.member is None:
            return content
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            inner = [name for name in archive.namelist() if name.split("/")[-1] == address.member]
            if not inner:
                raise ValueError(f"the archive does not hold {address.member}")
            with archive.open(inner[0]) as file:
                return _read(file)
    except Exception as error:  # of the network, of the disk; every way of compressing has its own
        raise fail("RS098.not-had", place=place, reason=error or type(error).__name__) from error


def _read(file: Any) -> bytes:
    content: bytes = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"more than {LARGEST} bytes; nothing so large was expected")
    return content


# Set by set: what goes wrong with one does not stop the others ------------------------------------------


class Outcome(NamedTuple):
    """What happened with one set, in words; why its file is not there."""

    abbr: str
    words: str
    error: RocsteadyError | None = None

    @property
    def differs(self) -> bool:
        """Whether a file could be made, but not the one that was expected."""
        return self.error is not None and self.error.code == "RS099"

    def lines(self) -> list[str]:
        """The outcome as lines for a terminal."""
        first = printable(f"{self.abbr:<9} {self.words}")
        if self.error is None:
            return [first]
        problem, *rest = self.error.lines(shell=True)
        return [first, *(f"      {line}" for line in [f"{self.error.code}: {problem}", *rest])]


def named(abbrs: Iterable[str]) -> tuple[DataFile, ...]:
    """The sets with these abbreviations; every one that there is a copy of where none is named.

    RS001 for a name that is neither in Table 1 nor among the files of the other paper.

    >>> named(["tic", "habr"])
    (Set(tic: tic-tac-toe, 958 rows, 9 features), Set(habr: haberman, 306 rows, 3 features))
    """
    known: dict[str, DataFile] = {one.abbr: one for one in (*all_of_table_1(), *others())}
    wanted = list(dict.fromkeys(abbrs))
    for abbr in wanted:
        if abbr not in known:
            near = near_match(abbr, list(known))
            ways = [f"did you mean {near}?"] if near else []
            raise fail("RS001.set", abbr=abbr, known=", ".join(known), ways=ways)
    return tuple(known[abbr] for abbr in wanted) if wanted else (*table_1(), *others())


def fetch(
    directory: str | os.PathLike[str],
    sets: Iterable[DataFile],
    *,
    source: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    opener: Opener = urllib.request.urlopen,
) -> Iterator[Outcome]:
    """Make the file of each set in ``directory/uci``, and say what happened after each.

    Parameters
    ----------
    directory : path
        Where the folder ``uci`` is, or is made.
    sets : iterable of DataFile
        The sets; see `named`.
    source : path, optional
        A folder with the originals. Without it they are downloaded.
    overwrite : bool
        Replace files that are there and differ from what is expected.
    opener : callable, optional
        Opens an address, as ``urllib.request.urlopen`` does.
    """
    folder = None if source is None else Path(source)
    for one in sets:
        path = Path(directory) / FOLDER / str(one.file)
        try:
            if not one.available:
                raise fail("RS098.unavailable", name=one.name, reason=one.differs)
            if _is_there(path, one, overwrite=overwrite):
                yield Outcome(one.abbr, f"was there already: {path} (checksum agrees)")
                continue
            content = _made(one, folder, opener)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, content)
            except OSError as error:
                raise fail("RS055.data-file", path=path, reason=error.strerror or str(error)) from error
            yield Outcome(one.abbr, f"written to {path} ({grouped(one.n)} rows, checksum agrees)")
        except RocsteadyError as error:
            yield Outcome(one.abbr, "not fetched", error)


def _is_there(path: Path, of: DataFile, *, overwrite: bool) -> bool:
    """Whether the right file is there; RS003 if another one is in the way."""
    try:
        is_right = path.exists() and of.holds(path.read_bytes())
    except OSError as error:
        raise fail("RS053.data-file", path=path, reason=error) from error
    if path.exists() and not is_right and not overwrite:
        raise fail("RS003.holds-else", path=path)
    return is_right


def _made(of: DataFile, folder: Path | None, opener: Opener) -> bytes:
    """The file with the checksum that is stored, from the first address that has it."""
    failures: list[RocsteadyError] = []
    for address in of.addresses:
        try:
            content = normalised(original(address, folder, opener), of)
        except FileError as error:
            failures.append(error)
            continue
        if of.holds(content):
            return content
        found, wanted = hashlib.sha256(content).hexdigest()[:16], of.sha256[:16]
        n_rows = content.count(b"\n") - 1
        facts = {"n_rows": n_rows, "expected_rows": of.n, "sha256": found, "expected_sha256": wanted}
        failures.append(fail("RS099.rows", place=address.url, **facts))
    for failure in failures:
        if failure.code == "RS099":  # a file that differs says most
            raise failure
    reasons = "\n".join(f"{failure.problem} {failure.found}" for failure in failures)
    raise fail("RS098.addresses", raw=of.raw, name=of.name, n=len(failures), reasons=reasons)


# The command --------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None, opener: Opener = urllib.request.urlopen) -> int:
    """Fetch the sets, say what happened with each, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m papers.smroc.fetching",
        description="Make the data files of the smROC paper's Table 1, and the digits of Paclik and others, "
        "from the originals at UCI.",
        epilog="Exit code: 0 all there, 1 a file differs from what is expected, 2 wrong use, 3 not had.",
    )
    add = parser.add_argument
    add("directory", metavar="DIR", help="the files go to DIR/uci")
    add("sets", metavar="SET", nargs="*", help="abbreviations of Table 1, or mfeat-mor (default: all)")
    add("--from", dest="source", metavar="FOLDER", help="take the originals from this folder")
    add("--overwrite", action="store_true", help="replace files that hold something else")
    options = parser.parse_args(arguments)
    if options.source is not None and not Path(options.source).is_dir():
        print(f"--from: {printable(options.source)} is no folder", file=sys.stderr)
        return 2
    try:
        sets = named(options.sets)
    except RocsteadyError as error:
        lines = [f"error {error.code}: {error.problem}", *error.lines(shell=True)[1:]]
        print("\n".join(lines), file=sys.stderr)
        return error.exit_code
    outcomes: list[Outcome] = []
    for outcome in fetch(
        options.directory, sets, source=options.source, overwrite=options.overwrite, opener=opener
    ):
        print("\n".join(outcome.lines()), flush=True)  # at once: the next one may take a while
        outcomes.append(outcome)
    for one in () if options.sets else unavailable():
        print(f"{one.abbr:<9} left out. {one.differs}")
    n_right = sum(outcome.error is None for outcome in outcomes)
    print(f"{n_right} of {len(outcomes)} sets are in place and checked.")
    if n_right:
        print(f"use them:  python -m papers all --data {printable(shlex.quote(options.directory))}")
    if any(outcome.differs for outcome in outcomes):
        return 1
    return 3 if n_right < len(outcomes) else 0


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # into `head` it ends as quietly as `rocsteady` does
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
