"""The data sets of the paper's Table 1, and the copies of them that are used here.

The data are not part of the package. Each set is one CSV file: a header row, an empty cell where a value is
missing, and the column ``class`` last, 1 for the class that Table 1 counts under "+". ``sets.json`` has the
checksum of each file and where the repository keeps the original;
``python -m papers.smroc.fetching DIR`` makes the files from the originals. Among them are
those of another paper, which are fetched in the same way: `others`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

STORED = Path(__file__).with_name("sets.json")
FOLDER = "uci"


@dataclass(frozen=True)
class Printed:
    """What Table 1 says of a set, misprints included."""

    n: int
    positives: int
    negatives: int
    features: int
    percent_positive: int


@dataclass(frozen=True)
class Address:
    """Where an original may be had; ``member`` is its name inside the archive, if the address is one."""

    url: str
    member: str | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class DataFile:
    """A file that is made from an original of the repository.

    Attributes
    ----------
    abbr, name : str
        What it is called for short, and at length.
    file : str or None
        The name of the CSV file; None where there is no copy to check against.
    sha256 : str
        Its checksum.
    n : int
        Its rows.
    features : tuple of str
        Its columns before the class.
    class_column : str
        The name of its last column.
    differs : str
        Where the copy differs from what the paper says and why; empty where it does not.
    remark : str
        What else to know about it.
    raw : str
        The name of the original file.
    addresses : tuple of Address
        Where the original may be had, to be tried in this order.
    """

    abbr: str
    name: str
    file: str | None
    sha256: str
    n: int
    features: tuple[str, ...]
    class_column: str = "class"
    differs: str
    remark: str
    raw: str
    addresses: tuple[Address, ...]

    @property
    def available(self) -> bool:
        """Whether there is a copy to check against."""
        return self.file is not None

    def holds(self, content: bytes) -> bool:
        """Whether these are, byte for byte, the contents of its file."""
        return hashlib.sha256(content).hexdigest() == self.sha256

    def __repr__(self) -> str:
        kind = type(self).__name__
        if not self.available:
            return f"{kind}({self.abbr}: {self.name}, not available)"
        return f"{kind}({self.abbr}: {self.name}, {self.n} rows, {len(self.features)} features)"


@dataclass(frozen=True, kw_only=True, repr=False)
class Set(DataFile):
    """One data set of Table 1; ``abbr`` and ``name`` are as the table has them.

    Attributes
    ----------
    row : int
        Its place in Table 1, from 1.
    positive : str
        What the class is that Table 1 counts under "+".
    printed : Printed
        The numbers of Table 1.
    n_positives, n_missing : int
        Its rows with class 1, and its empty cells.
    nominal : tuple of str
        The features whose cells are names or codes, not numbers.
    """

    row: int
    positive: str
    printed: Printed
    n_positives: int
    n_missing: int
    nominal: tuple[str, ...]

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

    Examples
    --------
    >>> sets = table_1()
    >>> len(sets)
    25
    >>> sets[1]
    Set(echo: echocardiogram, 131 rows, 7 features)
    >>> sets[1].differs
    '131 rows, not 132: the class of one row is missing, and 43 + 88 = 131.'
    """
    return tuple(one for one in all_of_table_1() if one.available)


def unavailable() -> tuple[Set, ...]:
    """The sets of Table 1 that there is no copy of.

    Examples
    --------
    >>> unavailable()
    (Set(ads: internet ad, not available),)
    """
    return tuple(one for one in all_of_table_1() if not one.available)


@cache
def all_of_table_1() -> tuple[Set, ...]:
    """Every row of Table 1, in its order."""
    return tuple(_set(row, entry) for row, entry in enumerate(_stored()["sets"], start=1))


@cache
def others() -> tuple[DataFile, ...]:
    """Files of another paper: the digits of Paclik and others.

    Examples
    --------
    >>> others()
    (DataFile(mfeat-mor: multiple features, morphological, 2000 rows, 6 features),)
    """
    return tuple(
        DataFile(**_common(entry), class_column=entry["class_column"]) for entry in _stored()["others"]
    )


def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return stored


def _common(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        "abbr": entry["abbr"],
        "name": entry["name"],
        "file": entry["file"],
        "sha256": entry.get("sha256", ""),
        "n": entry.get("n", 0),
        "features": tuple(entry.get("features", ())),
        "differs": entry["differs"],
        "remark": entry["remark"],
        "raw": entry["raw"],
        "addresses": tuple(Address(**address) for address in entry["addresses"]),
    }


def _set(row: int, entry: dict[str, Any]) -> Set:
    return Set(
        **_common(entry),
        row=row,
        positive=entry["positive"],
        printed=Printed(**entry["table_1"]),
        n_positives=entry.get("n_positives", 0),
        n_missing=entry.get("n_missing", 0),
        nominal=tuple(entry.get("nominal", ())),
    )
