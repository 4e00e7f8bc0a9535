"""The data sets of the paper's Table 1, the copies of them that are used here, and what these hold.

The data are not part of the package. Each set is one CSV file: a header row, an empty cell where a value is
missing, and the column ``class`` last, 1 for the class that Table 1 counts under "+". ``sets.json`` has the
checksum of each file and where the repository keeps the original;
``python -m papers.smroc.fetching DIR`` makes the files from the originals. Among them are
those of another paper, which are fetched in the same way: `others`.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import fail
from rocsteady.words import listed

STORED, FOLDER, VARIABLE = Path(__file__).with_name("sets.json"), "uci", "ROCSTEADY_DATA"
FETCHING = "python -m papers.smroc.fetching DIR"
WEKA = ("scores", "weka_cv_scores.parquet")
"""Scores of other learners: a folder and the name of the file in it."""


# Table 1 ------------------------------------------------------------------------------------------------


class Printed(NamedTuple):
    """What Table 1 says of a set, misprints included."""

    n: int
    positives: int
    negatives: int
    features: int
    percent_positive: int


class Address(NamedTuple):
    """Where an original may be had; ``member`` is its name inside the archive, if the address is one."""

    url: str
    member: str | None = None


@dataclass(frozen=True)
class Layout:
    """How an original is written; fields are named by their places, from 0."""

    fields: int = 0  # in a row
    label: int | None = None  # the field of the class; None if rows come class by class
    positive: str = ""  # how the two classes are written
    negative: str = ""
    rows_of_each: int = 0  # where rows come class by class: how many of each; classes count from 0
    dropped: tuple[int, ...] = ()  # fields that are no features
    blanks: bool = False  # between the fields, instead of commas
    header: int = 0  # lines before the first row
    spelled: bool = False  # the one feature field is a word, each letter of which is a feature
    left_out: Mapping[str, Sequence[str]] = field(
        default_factory=dict, hash=False
    )  # rows, by a field's value
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)  # of a field's codes


@dataclass(frozen=True, kw_only=True, repr=False)
class DataFile:
    """A file that is made from an original of the repository."""

    abbr: str  # what it is called for short
    name: str
    file: str | None  # the name of the CSV file; None where there is no copy to check against
    sha256: str = ""
    n: int = 0  # its rows
    features: tuple[str, ...] = ()  # its columns before the class
    class_column: str = "class"
    differs: str  # where the copy differs from what the paper says and why; empty where it does not
    raw: str  # the name of the original file
    addresses: tuple[Address, ...]  # where the original may be had, to be tried in this order
    layout: Layout = Layout()

    @property
    def available(self) -> bool:
        """Whether there is a copy to check against."""
        return self.file is not None

    def holds(self, content: bytes) -> bool:
        """Whether these are, byte for byte, the contents of its file."""
        return hashlib.sha256(content).hexdigest() == self.sha256

    def __repr__(self) -> str:
        what = f"{self.n} rows, {len(self.features)} features" if self.available else "not available"
        return f"{type(self).__name__}({self.abbr}: {self.name}, {what})"


@dataclass(frozen=True, kw_only=True, repr=False)
class Set(DataFile):
    """One data set of Table 1; ``abbr`` and ``name`` are as the table has them."""

    printed: Printed
    n_positives: int = 0  # rows with class 1
    n_missing: int = 0  # empty cells
    nominal: tuple[str, ...] = ()  # the features whose cells are names or codes, not numbers

    @property
    def n_negatives(self) -> int:
        """Rows with class 0."""
        return self.n - self.n_positives

    @property
    def nominal_columns(self) -> tuple[int, ...]:
        """The places of the nominal features, from 0."""
        return tuple(place for place, name in enumerate(self.features) if name in self.nominal)


def table_1() -> tuple[Set, ...]:
    """The sets of Table 1 that there is a copy of, in the order of the table.

    >>> sets = table_1()
    >>> len(sets), sets[1]
    (25, Set(echo: echocardiogram, 131 rows, 7 features))
    >>> sets[1].differs
    '131 rows, not 132: the class of one row is missing, and 43 + 88 = 131.'
    """
    return tuple(one for one in all_of_table_1() if one.available)


def unavailable() -> tuple[Set, ...]:
    """The sets of Table 1 that there is no copy of.

    >>> unavailable()
    (Set(ads: internet ad, not available),)
    """
    return tuple(one for one in all_of_table_1() if not one.available)


@cache
def all_of_table_1() -> tuple[Set, ...]:
    """Every row of Table 1, in its order."""
    return tuple(Set(**_read(Set, own), printed=Printed(**own["table_1"])) for own in _stored()["sets"])


@cache
def others() -> tuple[DataFile, ...]:
    """Files of another paper: the digits of Paclik and others.

    >>> others()
    (DataFile(mfeat-mor: multiple features, morphological, 2000 rows, 6 features),)
    """
    return tuple(DataFile(**_read(DataFile, entry)) for entry in _stored()["others"])


def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return stored


def _read(kind: type[DataFile], entry: Mapping[str, Any]) -> dict[str, Any]:
    names = {own.name for own in fields(kind)}
    found = {
        name: tuple(own) if isinstance(own, list) else own for name, own in entry.items() if name in names
    }
    layout = entry.get("layout", {})
    found["addresses"] = tuple(Address(**address) for address in entry["addresses"])
    return found | {"layout": Layout(**{**layout, "dropped": tuple(layout.get("dropped", ()))})}


# Their files --------------------------------------------------------------------------------------------


class Table(NamedTuple):
    """A data set as the learners take it."""

    features: NDArray[np.float64]  # rows x features; NaN where a cell is empty, nominal cells are numbered
    nominal: tuple[int, ...]  # the places of the nominal features
    is_positive: NDArray[np.bool_]


class Found(NamedTuple):
    """What a folder holds."""

    paths: dict[str, Path]  # the files whose contents are as they should be, by the name of the set
    missing: tuple[str, ...]  # sets whose file is not there
    damaged: tuple[str, ...]  # what is wrong with files that are there, in a sentence each
    folder: Path | None  # the folder that was named


def find(sets: Sequence[Set], data: str | os.PathLike[str] | None) -> Found:
    """The files of these sets, as ``DIR/uci/x.csv`` or ``DIR/x.csv``, each held against its checksum.

    RS051 if a folder is named that does not exist or holds none of the files.
    """
    named = data or os.environ.get(VARIABLE)  # an empty name, as of a variable that is not set, is none
    if not named:
        return Found({}, tuple(own.abbr for own in sets), (), None)
    folder = Path(named)
    facts: dict[str, Any] = {"folder": folder, "within": FOLDER, "how": FETCHING, "variable": VARIABLE}
    if not folder.is_dir():
        what = "it does not exist" if not folder.exists() else "it is not a folder"
        raise fail("RS051.data-sets", found=what, **facts)
    paths: dict[str, Path] = {}
    missing, damaged = [], []
    for own in sets:
        path = place_of(folder, FOLDER, str(own.file))
        if path is None:
            missing.append(own.abbr)
        elif problem := _problem(own, path):
            damaged.append(problem)
        else:
            paths[own.abbr] = path
    if len(missing) == len(sets) and place_of(folder, *WEKA) is None:
        what = f"it holds none of {listed([str(own.file) for own in sets], most=4)}"
        raise fail("RS051.data-sets", found=what, **facts)
    return Found(paths, tuple(missing), tuple(damaged), folder)


def place_of(folder: Path, inner: str, name: str) -> Path | None:
    """Where a file is, in the inner folder or in the folder itself."""
    return next((path for path in (folder / inner / name, folder / name) if path.exists()), None)


def _problem(own: Set, path: Path) -> str:
    """What is wrong with a file; empty if nothing is."""
    try:
        content = path.read_bytes()
    except OSError as error:
        return f"{own.abbr}: {path} cannot be read ({error.strerror or error}); the set is left out."
    if own.holds(content):
        return ""
    return (
        f"{own.abbr}: {path} is not the file that the expectations were made with: its sha256 is not "
        f"{own.sha256[:12]}… ({len(content)} bytes); the set is left out."
    )


def needed(found: Found, sets: Sequence[Set]) -> tuple[str, ...]:
    """What has to be said about sets that were left out because their files are not there."""
    if not found.missing:
        return ()
    files = [f"{FOLDER}/{own.file}" for own in sets if own.abbr in found.missing]
    names, how = listed(files, most=26), f"are made from the originals of the UCI repository by  {FETCHING}"
    if found.folder is not None:
        are = "is" if len(files) == 1 else "are"
        return (f"{names} {are} not in {found.folder}; left out of figures 4 to 7. They {how}",)
    return (
        f"Figures 4 to 7 need the data sets of Table 1: {names}. Name the folder that holds them with --data "
        f"DIR or the environment variable {VARIABLE}. They {how}",
    )


def read_table(own: Set, path: Path) -> Table:
    """The rows of a set; RS053 if the file does not hold its columns and its rows."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            heading, *rows = csv.reader(file)
        columns = dict(zip(heading, zip(*rows, strict=True), strict=True))
        features = [numbers_of(columns[name], is_nominal=name in own.nominal) for name in own.features]
        is_positive = np.array([{"0": False, "1": True}[cell] for cell in columns["class"]])
    except (OSError, ValueError, KeyError) as error:
        kind = type(error).__name__
        raise fail("RS053.table", path=path, set=own.name, kind=kind, error=error, how=FETCHING) from error
    return Table(np.column_stack(features), own.nominal_columns, is_positive)


def numbers_of(cells: Sequence[str], *, is_nominal: bool) -> NDArray[np.float64]:
    """A column of cells as numbers, NaN where one is empty; names are numbered in sorted order."""
    if not is_nominal:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    codes = {level: float(code) for code, level in enumerate(sorted(set(cells) - {""}))}
    return np.array([codes.get(cell, np.nan) for cell in cells])
