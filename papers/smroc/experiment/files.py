"""The files of the experiment: where they are, whether they are the right ones, what they hold."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from papers.smroc.sets import FOLDER, Set
from rocsteady.errors import fail
from rocsteady.words import listed

VARIABLE = "ROCSTEADY_DATA"
WEKA = ("scores", "weka_cv_scores.parquet")
"""Scores of other learners: a folder and the name of the file in it."""
FETCHING = "python -m papers.smroc.fetching DIR"


@dataclass(frozen=True)
class Table:
    """A data set as the learners take it.

    Attributes
    ----------
    features : array (n_rows, n_features)
        Numbers; NaN where a cell is empty. The cells of nominal features are numbered in sorted order.
    nominal : tuple of int
        The places of the nominal features.
    is_positive : array of bool
        The class of each row.
    """

    features: NDArray[np.float64]
    nominal: tuple[int, ...]
    is_positive: NDArray[np.bool_]


@dataclass(frozen=True)
class Found:
    """What a folder holds.

    Attributes
    ----------
    paths : dict
        The files whose contents are as they should be, by the name of the set.
    missing : tuple of str
        Sets whose file is not there.
    damaged : tuple of str
        What is wrong with files that are there, in a sentence each.
    folder : Path or None
        The folder that was named.
    """

    paths: dict[str, Path]
    missing: tuple[str, ...]
    damaged: tuple[str, ...]
    folder: Path | None


def named_folder(data: str | os.PathLike[str] | None) -> Path | None:
    """The folder that the caller named, else that of the environment; None where neither did."""
    folder = data or os.environ.get(VARIABLE)  # an empty name, as of a variable that is not set, is none
    return Path(folder) if folder else None


def find(sets: Sequence[Set], data: str | os.PathLike[str] | None) -> Found:
    """The files of these sets, as ``DIR/uci/x.csv`` or ``DIR/x.csv``, each held against its checksum.

    Raises
    ------
    MissingFileError
        RS051 if a folder is named that does not exist or holds none of the files.
    """
    folder = named_folder(data)
    if folder is None:
        return Found({}, tuple(own.abbr for own in sets), (), None)
    if not folder.is_dir():
        found = "it does not exist" if not folder.exists() else "it is not a folder"
        raise fail(
            "RS051.data-sets", folder=folder, found=found, within=FOLDER, how=FETCHING, variable=VARIABLE
        )
    paths: dict[str, Path] = {}
    missing: list[str] = []
    damaged: list[str] = []
    for own in sets:
        path = place_of(folder, FOLDER, str(own.file))
        if path is None:
            missing.append(own.abbr)
        elif problem := _problem(own, path):
            damaged.append(problem)
        else:
            paths[own.abbr] = path
    if len(missing) == len(sets) and place_of(folder, *WEKA) is None:
        found = f"it holds none of {listed([str(own.file) for own in sets], most=4)}"
        raise fail(
            "RS051.data-sets", folder=folder, found=found, within=FOLDER, how=FETCHING, variable=VARIABLE
        )
    return Found(paths, tuple(missing), tuple(damaged), folder)


def place_of(folder: Path, inner: str, name: str) -> Path | None:
    """Where a file is, in the inner folder or in the folder itself."""
    for path in (folder / inner / name, folder / name):
        if path.exists():
            return path
    return None


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
    names = [f"{FOLDER}/{own.file}" for own in sets if own.abbr in found.missing]
    how = f"They are made from the originals of the UCI repository by  {FETCHING}"
    if found.folder is not None:
        are = "is" if len(names) == 1 else "are"
        return (f"{listed(names, most=26)} {are} not in {found.folder}; left out of figures 4 to 7. {how}",)
    return (
        f"Figures 4 to 7 need the data sets of Table 1: {listed(names, most=26)}. Name the folder that holds "
        f"them with --data DIR or the environment variable {VARIABLE}. {how}",
    )


def read_table(own: Set, path: Path) -> Table:
    """The rows of a set.

    Raises
    ------
    FileError
        RS053 if the file does not hold the columns and the rows of the set.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            heading, *rows = csv.reader(file)
        columns = dict(zip(heading, zip(*rows, strict=True), strict=True))
        features = [_column(columns[name], is_nominal=name in own.nominal) for name in own.features]
        is_positive = np.array([{"0": False, "1": True}[cell] for cell in columns["class"]])
    except (OSError, ValueError, KeyError) as error:
        raise fail(
            "RS053.table", path=path, set=own.name, kind=type(error).__name__, error=error, how=FETCHING
        ) from error
    return Table(np.column_stack(features), own.nominal_columns, is_positive)


def _column(cells: Sequence[str], *, is_nominal: bool) -> NDArray[np.float64]:
    if not is_nominal:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    codes = {level: float(code) for code, level in enumerate(sorted(set(cells) - {""}))}
    return np.array([codes.get(cell, np.nan) for cell in cells])
