"""Make the data files of Table 1, and the digits of Paclik and others, from the originals at UCI.

    python -m papers.smroc.fetching DIR [SET ...]

downloads the originals, makes ``DIR/uci/<set>.csv`` of each and checks it against its stored checksum.
``python -m papers all --data DIR`` then reads them. With ``--from FOLDER`` the originals are taken from
a folder instead. It returns 0 if every set asked for is there, 1 if a file differs from what is expected, 2
if the command cannot be understood, and 3 if an original could not be had. It needs the network; the tests
give it short pieces of the originals and a network of their own making.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import io
import math
import os
import shlex
import signal
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from papers.smroc.sets import FOLDER, Address, DataFile, Set, all_of_table_1, others, table_1, unavailable
from rocsteady.errors import FileError, RocsteadyError, fail, near_match
from rocsteady.whole_files import write_whole
from rocsteady.words import grouped, printable

# Layouts: what separates the fields of an original, which are features, which is the class --------------

MISSING = "?"


@dataclass(frozen=True)
class Layout:
    """The layout of one original; fields are named by their places, from 0."""

    n_fields: int  # in a row
    label: int | None  # the field of the class; None if rows come class by class
    positive: str = ""  # how the two classes are written
    negative: str = ""
    rows_of_each: int = 0  # where rows come class by class: how many there are of each; classes count from 0
    dropped: tuple[int, ...] = ()  # fields that are no features
    separator: str | None = ","  # None for blanks (commas there count as blanks)
    header: bool = False  # the first row names the fields
    spelled: bool = False  # the one feature field is a word, each letter of which is a feature
    stray_comma: bool = False  # a row may start with a comma too many
    unlabelled_dropped: bool = False  # rows without a class are left out; otherwise they are refused
    left_out: dict[int, frozenset[str]] = field(default_factory=dict)  # rows with these values of a field
    names: dict[int, dict[str, str]] = field(default_factory=dict)  # fields whose codes get names

    @property
    def features(self) -> tuple[int, ...]:
        """The places of the feature fields."""
        return tuple(i for i in range(self.n_fields) if i != self.label and i not in self.dropped)


_HUNGARIAN_NAMES = {
    1: {"0": "female", "1": "male"},
    2: {"1": "typ_angina", "2": "atyp_angina", "3": "non_anginal", "4": "asympt"},
    5: {"0": "f", "1": "t"},
    6: {"0": "normal", "1": "st_t_wave_abnormality", "2": "left_vent_hyper"},
    8: {"0": "no", "1": "yes"},
    10: {"1": "up", "2": "flat", "3": "down"},
    12: {"3": "normal", "6": "fixed_defect", "7": "reversable_defect"},
}
_OZONE = Layout(74, 73, "1", "0", dropped=(0,))  # the date

LAYOUTS: dict[str, Layout] = {
    "prom": Layout(3, 0, "+", "-", dropped=(1,), spelled=True),
    # survival comes first and alive-at-1 last: both tell the class. Line 50 starts with a comma.
    "echo": Layout(13, 1, "1", "0", dropped=(0, 9, 10, 11, 12), stray_comma=True, unlabelled_dropped=True),
    "hepa": Layout(20, 0, "1", "2"),
    "prks": Layout(24, 17, "1", "0", dropped=(0,), header=True),
    "hart": Layout(14, 13, "2", "1", separator=None),
    "hrth": Layout(14, 13, "0", "1", names=_HUNGARIAN_NAMES),
    # the hospital number; then the outcome, the types of lesion and whether pathology data exist
    "hors": Layout(28, 23, "1", "2", dropped=(2, 22, 24, 25, 26, 27), separator=None),
    "habr": Layout(4, 3, "2", "1"),
    "iono": Layout(35, 34, "g", "b"),
    "vots": Layout(17, 0, "republican", "democrat"),
    "jcrx": Layout(16, 15, "+", "-"),
    "aust": Layout(15, 14, "1", "0", separator=None),
    "wisc": Layout(11, 10, "4", "2", dropped=(0,)),
    "blod": Layout(5, 4, "1", "0", header=True),
    "diab": Layout(9, 8, "1", "0"),
    # assessments go from 1 to 5; without those of 0 and 6 the counts are those of Table 1
    "mamo": Layout(6, 5, "1", "0", left_out={0: frozenset("06")}),
    "tic": Layout(10, 9, "positive", "negative"),
    "ger": Layout(21, 20, "1", "2", separator=None),
    "oz8h": _OZONE,
    "oz1h": _OZONE,
    "chss": Layout(37, 36, "won", "nowin"),
    "spam": Layout(58, 57, "1", "0"),
    "mush": Layout(23, 0, "p", "e"),
    "mgic": Layout(11, 10, "g", "h"),
    "adlt": Layout(15, 14, ">50K", "<=50K"),
    "mfeat-mor": Layout(6, None, rows_of_each=200, separator=None),
}
"""By the abbreviations; internet-ad has none, for want of a copy to check against."""


# From the text of an original to the CSV file -----------------------------------------------------------

_BYTE_ORDER_MARKS = "ï»¿\ufeff"
_TESTED = {"tested_positive": "1", "tested_negative": "0"}  # one copy of the diabetes data spells it out


def normalised(content: bytes, of: DataFile) -> bytes:
    """The CSV file, made from the original; RS053 if that is not laid out as expected.

    Column by column: a column of whole numbers is written without decimal points, another column of numbers
    as Python writes floats, anything else as it is. Rows keep their order, "?" becomes an empty cell, and the
    class becomes 0 or 1 (of digits, the digit).
    """
    # Latin 1 reads any bytes: a page of another kind is refused for its layout, with the line at fault.
    rows, labels = _features_and_labels(content.decode("latin-1"), LAYOUTS[of.abbr], of)
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
            found = f"line {number} has {len(fields)} fields, not {layout.n_fields}: {line:.60}"
            raise _unexpected(of, found)
        written = "" if layout.label is None else fields[layout.label]
        label = _label(written, layout, n_before=len(rows))
        if label is None:
            if written == MISSING and layout.unlabelled_dropped:
                continue
            raise _unexpected(of, f"line {number}: {written!r:.40} is no class")
        if any(fields[place] in values for place, values in layout.left_out.items()):
            continue
        named = [layout.names.get(place, {}).get(fields[place], fields[place]) for place in layout.features]
        row = list(named[0]) if layout.spelled else named
        rows.append(["" if cell == MISSING else cell for cell in row])
        labels.append(label)
    if not rows:
        raise _unexpected(of, "no rows")
    if len({len(row) for row in rows}) > 1:
        raise _unexpected(of, "rows of different lengths")
    return rows, labels


def _data_lines(text: str, *, header: bool) -> list[tuple[int, str]]:
    """The lines that hold data, with their numbers; of an ARFF file those after ``@data``."""
    lines = text.lstrip(_BYTE_ORDER_MARKS).splitlines()
    numbered = [(n, line.strip()) for n, line in enumerate(lines, start=1)]
    marks = [place for place, (_, line) in enumerate(numbered) if line.lower() == "@data"]
    data = numbered[marks[0] + 1 :] if marks else numbered
    rows = [(n, line) for n, line in data if line and not line.startswith("%")]
    return rows[1:] if header else rows


def _fields(line: str, layout: Layout) -> list[str]:
    if layout.separator is None:
        return line.replace(",", " ").split()
    parts = line.split(layout.separator)
    if layout.stray_comma and len(parts) == layout.n_fields + 1 and parts[0] == "":
        parts = parts[1:]
    return [part.strip().strip("'\"") for part in parts]


def _label(cell: str, layout: Layout, n_before: int) -> str | None:
    """The class as "0" or "1", or by the number of rows before it; None where it is no class."""
    if layout.label is None:
        return str(n_before // layout.rows_of_each)
    number = _number(cell)  # the ozone files write 0. and 1.
    written = _TESTED.get(cell, cell) if number is None else f"{number:g}"
    return {layout.positive: "1", layout.negative: "0"}.get(written)


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


# Originals: from their public addresses, or from a folder that somebody filled by hand ------------------

LARGEST = 32 * 2**20
"""Bytes; the largest original has 4 MB."""
SECONDS_OF_SILENCE, SECONDS_IN_ALL = 30, 300
_CHUNK = 2**16
_HEADERS = {"User-Agent": "rocsteady (python urllib)"}

Opener = Callable[..., Any]
"""As ``urllib.request.urlopen``: takes a request and ``timeout``, gives what can be read."""


class Original(NamedTuple):
    """The contents of an original and where they are from."""

    content: bytes
    place: str


def downloaded(address: Address, opener: Opener | None = None) -> Original:
    """The original at a public address.

    RS098 if it cannot be reached, is cut short, is too large, or is no archive where one was expected.
    """
    request = urllib.request.Request(address.url, headers=_HEADERS)
    try:
        with (opener or urllib.request.urlopen)(request, timeout=SECONDS_OF_SILENCE) as answer:
            content = _read(answer, address.url)
    except FileError:
        raise
    except (OSError, http.client.HTTPException) as error:
        raise fail("RS098.not-had", place=address.url, reason=_reason(error)) from error
    if address.member is not None:
        content = _member(content, address.member, address.url)
    return Original(content, address.url)


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"the server answered {error.code} {error.reason}"
    if isinstance(error, urllib.error.URLError):
        return f"no answer: {error.reason}"
    if isinstance(error, TimeoutError):
        return f"no answer for {SECONDS_OF_SILENCE} seconds"
    return f"the connection broke: {error or type(error).__name__}"


def in_folder(folder: Path, of: DataFile) -> Original:
    """The original in a folder or below it, as it is or in its archive, whatever the case of its name.

    RS051 if it is not there, RS098 if its archive does not hold it, RS053 if it cannot be read.
    """
    wanted: dict[str, str | None] = {of.raw: None}
    wanted |= {name: own.member for own in of.addresses if (name := _last_part(own.url)) not in wanted}
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for name, member in wanted.items():
        for path in files:
            if path.name.lower() != name.lower():
                continue
            try:
                content = path.read_bytes()
            except OSError as error:
                reason = error.strerror or str(error)
                raise fail("RS053.original", path=path, reason=reason) from error
            inner = content if member is None else _member(content, member, str(path))
            return Original(inner, str(path))
    raise fail(
        "RS051.original",
        folder=folder,
        abbr=of.abbr,
        name=of.name,
        names=", ".join(wanted),
        url=of.addresses[0].url,
    )


def _last_part(url: str) -> str:
    return url.rsplit("/", maxsplit=1)[-1]


def _read(answer: Any, url: str) -> bytes:
    """All of the answer, unless it is too large, too slow or cut short."""
    announced = answer.headers.get("Content-Length") if getattr(answer, "headers", None) else None
    until = time.monotonic() + SECONDS_IN_ALL
    content = bytearray()
    while part := answer.read(_CHUNK):
        content += part
        if len(content) > LARGEST:
            reason = f"more than {LARGEST} bytes; nothing so large was expected"
            raise fail("RS098.not-had", place=url, reason=reason)
        if time.monotonic() > until:
            raise fail("RS098.not-had", place=url, reason=f"not complete after {SECONDS_IN_ALL} seconds")
    if announced is not None and announced.isdigit() and len(content) != int(announced):
        raise fail("RS098.not-had", place=url, reason=f"cut short: {len(content)} of {announced} bytes")
    return bytes(content)


def _member(content: bytes, name: str, place: str) -> bytes:
    """The member of an archive with this name, in whatever folder of it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found = [own for own in archive.infolist() if _last_part(own.filename).lower() == name.lower()]
            if not found:
                raise fail("RS098.not-had", place=place, reason=f"the archive does not hold {name}")
            if found[0].file_size > LARGEST:
                reason = f"{name} has {found[0].file_size} bytes in the archive"
                raise fail("RS098.not-had", place=place, reason=reason)
            return archive.read(found[0])
    except FileError:
        raise
    except Exception as error:  # every way of compressing has its own for damaged bytes
        reason = f"it is no archive that can be read: {error}"
        raise fail("RS098.not-had", place=place, reason=reason) from error


# Set by set: what goes wrong with one does not stop the others ------------------------------------------

UNVERIFIED = ".unverified"
WIDTH = 9
"""Letters of the longest abbreviation."""


@dataclass(frozen=True)
class Outcome:
    """What happened with one set: its file, if there is one now; words; why no file is known to be right."""

    abbr: str
    path: Path | None
    words: str
    error: RocsteadyError | None = None

    @property
    def differs(self) -> bool:
        """Whether a file could be made, but not the one that was expected."""
        return self.error is not None and self.error.code == "RS099"

    def lines(self) -> list[str]:
        """The outcome as lines for a terminal."""
        first = printable(f"{self.abbr:<{WIDTH}} {self.words}")
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
            remedies = [f"did you mean {near}?"] if near else []
            raise fail("RS001.set", abbr=abbr, known=", ".join(known), ways=remedies)
    return tuple(known[abbr] for abbr in wanted) if wanted else (*table_1(), *others())


def fetch(
    directory: str | os.PathLike[str],
    sets: Iterable[DataFile],
    *,
    source: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    keep_unverified: bool = False,
    opener: Opener | None = None,
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
    keep_unverified : bool
        Write a file that differs from what is expected under another name, ending in ``.unverified``.
    opener : callable, optional
        Opens an address, as ``urllib.request.urlopen`` does.
    """
    for one in sets:
        path = Path(directory) / FOLDER / str(one.file)
        ways: list[Callable[[], Original]] = [partial(downloaded, own, opener) for own in one.addresses]
        if source is not None:
            ways = [partial(in_folder, Path(source), one)]
        try:
            yield _fetched(one, path, ways, overwrite=overwrite, keep_unverified=keep_unverified)
        except RocsteadyError as error:
            yield Outcome(one.abbr, None, "not fetched", error)


def _fetched(
    of: DataFile,
    path: Path,
    ways: Sequence[Callable[[], Original]],
    *,
    overwrite: bool,
    keep_unverified: bool,
) -> Outcome:
    if not of.available:
        raise fail("RS098.unavailable", name=of.name, reason=of.differs)
    if _there(path, of, overwrite=overwrite):
        return Outcome(of.abbr, path, f"was there already: {path} (checksum agrees)")
    failures: list[RocsteadyError] = []
    unlike: list[bytes] = []
    for way in ways:
        try:
            original = way()
            content = normalised(original.content, of)
        except RocsteadyError as error:
            failures.append(error)
            continue
        if of.holds(content):
            _write(path, content)
            return Outcome(of.abbr, path, f"written to {path} ({grouped(of.n)} rows, checksum agrees)")
        failures.append(_other_contents(of, content, original.place))
        unlike.append(content)
    aside, words = None, "not fetched"
    if unlike and keep_unverified:
        aside = path.with_name(path.name + UNVERIFIED)
        _write(aside, unlike[0])
        words = f"NOT VERIFIED, written to {aside}"
    return Outcome(of.abbr, aside, words, _worst(of, failures))


def _there(path: Path, of: DataFile, *, overwrite: bool) -> bool:
    """Whether the right file is there; RS003 if another one is in the way."""
    try:
        if not path.exists():
            return False
        if not path.is_file():
            raise fail("RS003.folder", path=path)
        is_right = of.holds(path.read_bytes())
    except OSError as error:
        raise fail("RS053.data-file", path=path, reason=error) from error
    if not is_right and not overwrite:
        raise fail("RS003.holds-else", path=path)
    return is_right


def _other_contents(of: DataFile, content: bytes, place: str) -> RocsteadyError:
    rows = content.decode("utf-8").splitlines()[1:]
    facts: dict[str, object] = {"place": place, "n_rows": len(rows), "expected_rows": of.n}
    facts |= {"sha256": hashlib.sha256(content).hexdigest()[:16], "expected_sha256": of.sha256[:16]}
    facts["aside"] = f"{of.file}{UNVERIFIED}"
    if not isinstance(of, Set):
        return fail("RS099.rows", **facts)
    n_positives = sum(row.endswith(",1") for row in rows)
    return fail("RS099.classes", n_positives=n_positives, expected_positives=of.n_positives, **facts)


def _worst(of: DataFile, failures: Sequence[RocsteadyError]) -> RocsteadyError:
    """One error for all that was tried: a file that differs says most, else all reasons are listed."""
    unlike = [failure for failure in failures if failure.code == "RS099"]
    if unlike or len(failures) == 1:
        return (unlike or failures)[0]
    reasons = "\n".join(f"{failure.problem} {failure.found}" for failure in failures)
    return fail("RS098.addresses", raw=of.raw, name=of.name, n=len(failures), reasons=reasons)


def _write(path: Path, content: bytes) -> None:
    """A whole file or none, in a folder that is made where it is missing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        raise fail("RS055.data-file", path=path, reason=error.strerror or str(error)) from error


# The command --------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None, opener: Opener | None = None) -> int:
    """Fetch the sets, say what happened with each, and return the exit code."""
    options = _parser().parse_args(arguments)
    if options.source is not None and not Path(options.source).is_dir():
        print(f"--from: {printable(options.source)} is no folder", file=sys.stderr)
        return 2
    try:
        sets = named(options.sets)
    except RocsteadyError as error:
        lines = [f"error {error.code}: {error.problem}", *error.lines(shell=True)[1:]]
        print("\n".join(lines), file=sys.stderr)
        return error.exit_code
    more = {name: getattr(options, name) for name in ("source", "overwrite", "keep_unverified")}
    outcomes: list[Outcome] = []
    for outcome in fetch(options.directory, sets, opener=opener, **more):
        print("\n".join(outcome.lines()), flush=True)  # at once: the next one may take a while
        outcomes.append(outcome)
    for one in () if options.sets else unavailable():
        print(f"{one.abbr:<{WIDTH}} left out. {one.differs}")
    n_right = sum(outcome.error is None for outcome in outcomes)
    print(f"{n_right} of {len(outcomes)} sets are in place and checked.")
    if n_right:
        print(f"use them:  python -m papers all --data {printable(shlex.quote(options.directory))}")
    if any(outcome.differs for outcome in outcomes):
        return 1
    return 3 if n_right < len(outcomes) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m papers.smroc.fetching",
        description="Make the data files of the smROC paper's Table 1, and the digits of Paclik and others, "
        "from the originals at UCI.",
        epilog="Exit code: 0 all there, 1 a file differs from what is expected, 2 wrong use, 3 not had.",
    )
    add = parser.add_argument
    add("directory", metavar="DIR", help="the files go to DIR/uci")
    add(
        "sets",
        metavar="SET",
        nargs="*",
        default=[],
        help="abbreviations of Table 1, or mfeat-mor (default: all)",
    )
    add("--from", dest="source", metavar="FOLDER", help="take the originals from this folder")
    add("--overwrite", action="store_true", help="replace files that hold something else")
    add(
        "--keep-unverified",
        action="store_true",
        help="write a file whose checksum differs as SET.csv.unverified",
    )
    return parser


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # into `head` it ends as quietly as `rocsteady` does
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
