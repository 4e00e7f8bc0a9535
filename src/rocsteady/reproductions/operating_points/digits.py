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

from rocsteady.errors import FileError, MissingFileError, Option

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

DIGITS = (2, 3, 5)
N_OF_EACH = 100
FILE = Path("uci") / "mfeat-mor.csv"
VARIABLE = "ROCSTEADY_DATA"
NEEDED = (
    f"Figure 3 needs {FILE.as_posix()}: the 2000 digits of Multiple Features (UCI), columns mor1 to mor6 and "
    f"digit. Name the folder that holds it with --data DIR or the environment variable {VARIABLE}."
)
_N_FEATURES, _N_ROWS, _N_OF_EACH_DIGIT = 6, 2000, 200


def digits_file(data: str | os.PathLike[str] | None) -> Path | None:
    """The file in the named folder, else in that of the environment; None where neither has it.

    Raises
    ------
    MissingFileError
        RS051 if a folder was named and does not hold the file.
    """
    folder = data if data is not None else os.environ.get(VARIABLE) or None
    if folder is None:
        return None
    for name in (FILE, Path(FILE.name)):
        if (Path(folder) / name).is_file():
            return Path(folder) / name
    if data is None:
        return None
    raise MissingFileError(
        "RS051",
        f"{Path(folder) / FILE} does not exist.",
        "the digits of Figure 3 are read from it; columns mor1 to mor6 and digit",
        ["name the folder that holds it:  ", Option("data", "DIR")],
        "or leave it out: all but Figure 3 is computed",
    )


def read_digits(path: Path) -> tuple[Floats, Integers]:
    """The features of digits 2, 3 and 5, 200 of each in the order of the file, and each row's class, 0 to 2.

    Raises
    ------
    FileError
        RS053 if the file holds something else.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of NumPy, about a file without rows: refused below
            numbers = np.loadtxt(path, delimiter=",", skiprows=1)
    except (OSError, ValueError) as error:
        raise _unreadable(path, str(error)) from error
    if numbers.shape != (_N_ROWS, _N_FEATURES + 1):
        raise _unreadable(path, f"{numbers.shape} rows and columns instead of {(_N_ROWS, _N_FEATURES + 1)}")
    rows = [np.flatnonzero(numbers[:, -1] == digit) for digit in DIGITS]
    if any(of_digit.size != _N_OF_EACH_DIGIT for of_digit in rows):
        raise _unreadable(path, f"not {_N_OF_EACH_DIGIT} rows of each digit in the last column")
    return numbers[np.concatenate(rows), :-1], np.repeat(np.arange(len(DIGITS)), _N_OF_EACH_DIGIT)


def _unreadable(path: Path, found: str) -> FileError:
    return FileError("RS053", f"{path} is not the table of the digits.", found, NEEDED)


def first_of_each(classes: Integers) -> Integers:
    """The rows of the first 100 of each class."""
    return np.concatenate([np.flatnonzero(classes == c)[:N_OF_EACH] for c in range(len(DIGITS))])


def drawn_of_each(classes: Integers, seed: int) -> Integers:
    """The rows of 100 of each class, drawn without replacement."""
    random = np.random.default_rng(seed)
    return np.concatenate(
        [random.choice(np.flatnonzero(classes == c), N_OF_EACH, replace=False) for c in range(len(DIGITS))]
    )
