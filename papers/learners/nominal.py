"""Nominal features: which columns they are, and the levels that training has seen."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import fail

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

UNSEEN = -1


@dataclass(frozen=True, eq=False)
class Levels:
    """The distinct codes of a nominal feature, ascending; missing (NaN) is a level too, the last."""

    values: Floats

    @classmethod
    def of(cls, column: Floats) -> Levels:
        """The levels of a column of training data."""
        return cls(np.unique(column))

    def __len__(self) -> int:
        return len(self.values)

    def positions(self, column: Floats) -> Integers:
        """Where each code stands among the levels; ``UNSEEN`` where training had no such level."""
        places = np.searchsorted(self.values, column).clip(max=len(self) - 1)
        found = self.values[places]
        known = (found == column) | (np.isnan(found) & np.isnan(column))
        return np.where(known, places, UNSEEN)


def split_columns(nominal_features: Any, n_features: int) -> tuple[Integers, Integers]:
    """The numbers of the numeric columns and of the nominal columns; RS042 for a column that is not there."""
    try:
        given = [] if nominal_features is None else list(nominal_features)
        columns = [index(column) for column in given]
    except TypeError as error:
        raise fail("RS042.columns", given=nominal_features) from error
    if any(isinstance(column, bool) for column in given):  # a mask would be taken for columns 0 and 1
        raise fail("RS042.columns", given=nominal_features)
    if any(not 0 <= column < n_features for column in columns):
        raise fail("RS042.columns-there", last=n_features - 1, given=nominal_features, n_features=n_features)
    is_nominal = np.zeros(n_features, dtype=bool)
    is_nominal[columns] = True
    return np.flatnonzero(~is_nominal), np.flatnonzero(is_nominal)
