"""Fetch sets one after the other: what goes wrong with one does not stop the others."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from papers.smroc.fetching.normalising import normalised
from papers.smroc.fetching.originals import Opener, Original, downloaded, in_folder
from papers.smroc.sets import FOLDER, DataFile, Set, all_of_table_1, others, table_1
from rocsteady.errors import RocsteadyError, fail, near_match
from rocsteady.whole_files import write_whole
from rocsteady.words import grouped, printable

UNVERIFIED = ".unverified"
WIDTH = 9
"""Letters of the longest abbreviation."""


@dataclass(frozen=True)
class Outcome:
    """What happened with one set.

    Attributes
    ----------
    abbr : str
        The set.
    path : Path or None
        Its file, if there is one now.
    words : str
        What happened, in words.
    error : RocsteadyError or None
        Why there is no file that is known to be right.
    """

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

    Raises
    ------
    UsageError
        RS001 for a name that is neither in Table 1 nor among the files of the other paper.

    Examples
    --------
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
    folder = Path(directory) / FOLDER
    for one in sets:
        try:
            yield _fetched(
                one,
                folder / str(one.file),
                _originals(one, None if source is None else Path(source), opener),
                overwrite=overwrite,
                keep_unverified=keep_unverified,
            )
        except RocsteadyError as error:
            yield Outcome(one.abbr, None, "not fetched", error)


def _originals(of: DataFile, source: Path | None, opener: Opener | None) -> list[Callable[[], Original]]:
    """Ways to get the original, to be tried in this order."""
    if source is not None:
        return [partial(in_folder, source, of)]
    return [partial(downloaded, address, opener) for address in of.addresses]


def _fetched(
    of: DataFile, path: Path, ways: list[Callable[[], Original]], *, overwrite: bool, keep_unverified: bool
) -> Outcome:
    if not of.available:
        raise fail("RS098.unavailable", name=of.name, reason=of.differs)
    if _there(path, of, overwrite=overwrite):
        return Outcome(of.abbr, path, f"was there already: {path} (checksum agrees)")
    failures: list[RocsteadyError] = []
    others: list[bytes] = []
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
        others.append(content)
    aside = None
    if others and keep_unverified:
        aside = path.with_name(path.name + UNVERIFIED)
        _write(aside, others[0])
    words = "not fetched" if aside is None else f"NOT VERIFIED, written to {aside}"
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


def _worst(of: DataFile, failures: list[RocsteadyError]) -> RocsteadyError:
    """One error for all that was tried: a file that differs says most, else all reasons are listed."""
    for failure in failures:
        if failure.code == "RS099":
            return failure
    if len(failures) == 1:
        return failures[0]
    return fail(
        "RS098.addresses",
        raw=of.raw,
        name=of.name,
        n=len(failures),
        reasons="\n".join(f"{failure.problem} {failure.found}" for failure in failures),
    )


def _write(path: Path, content: bytes) -> None:
    """A whole file or none, in a folder that is made where it is missing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise fail("RS055.data-file", path=path, reason=reason) from error
