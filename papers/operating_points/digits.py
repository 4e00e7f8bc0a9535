"""The handwritten digits 2, 3 and 5 of the Multiple Features data, six morphological features of each.

The data are not part of the package. They are read from a folder that the user names, or that the
environment variable ROCSTEADY_DATA names.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import fail

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

DIGITS = (2, 3, 5)
N_OF_EACH = 100
FILE = Path("uci") / "mfeat-mor.csv"
VARIABLE = "ROCSTEADY_DATA"
FETCHING = "python -m papers.smroc.fetching DIR mfeat-mor"
HOW = f"the file is made from the original of the UCI repository by  {FETCHING}"
NEEDED = (
    f"Figure 3 needs {FILE.as_posix()}: the 2 000 digits of Multiple Features (UCI), columns mor1 to mor6 "
    f"and digit. Name the folder that holds it with --data DIR or the environment variable {VARIABLE}; {HOW}"
)
_N_FEATURES, _N_ROWS, _N_OF_EACH_DIGIT = 6, 2000, 200


def digits_file(data: str | os.PathLike[str] | None) -> Path | None:
    """Where the file is, or should be, in the named folder, else that of the environment; None without one.

    Raises
    ------
    MissingFileError
        RS051 if the folder that was named does not exist.
    """
    named = data or os.environ.get(VARIABLE)  # an empty name, as of a variable that is not set, is none
    if not named:
        return None
    folder = Path(named)
    if not folder.is_dir():
        raise fail(
            "RS051.digits-file" if folder.exists() else "RS051.digits-folder",
            folder=folder,
            file=FILE.as_posix(),
            variable=VARIABLE,
        )
    places = (folder / FILE, folder / FILE.name)
    return next((path for path in places if path.exists()), places[0])


def read_digits(path: Path) -> tuple[Floats, Integers]:
    """The features of digits 2, 3 and 5, 200 of each in the order of the file, and each row's class, 0 to 2.

    Raises
    ------
    MissingFileError
        RS051 if there is no such file.
    FileError
        RS053 if the file holds something else.
    """
    if not path.exists():
        raise fail("RS051.digits", path=path, how=HOW)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of NumPy, about a file without rows: refused below
            numbers = np.loadtxt(path, delimiter=",", skiprows=1)
    except (OSError, ValueError) as error:
        raise fail("RS053.digits", path=path, found=str(error), needed=NEEDED) from error
    if numbers.shape != (_N_ROWS, _N_FEATURES + 1):
        raise fail(
            "RS053.digits",
            path=path,
            found=f"{numbers.shape} rows and columns instead of {(_N_ROWS, _N_FEATURES + 1)}",
            needed=NEEDED,
        )
    rows = [np.flatnonzero(numbers[:, -1] == digit) for digit in DIGITS]
    if any(of_digit.size != _N_OF_EACH_DIGIT for of_digit in rows):
        raise fail(
            "RS053.digits",
            path=path,
            found=f"not {_N_OF_EACH_DIGIT} rows of each digit in the last column",
            needed=NEEDED,
        )
    return numbers[np.concatenate(rows), :-1], np.repeat(np.arange(len(DIGITS)), _N_OF_EACH_DIGIT)


def first_of_each(classes: Integers) -> Integers:
    """The rows of the first 100 of each class."""
    return np.concatenate([np.flatnonzero(classes == c)[:N_OF_EACH] for c in range(len(DIGITS))])


def drawn_of_each(classes: Integers, seed: int) -> Integers:
    """The rows of 100 of each class, drawn without replacement."""
    random = np.random.default_rng(seed)
    return np.concatenate(
        [random.choice(np.flatnonzero(classes == c), N_OF_EACH, replace=False) for c in range(len(DIGITS))]
    )
