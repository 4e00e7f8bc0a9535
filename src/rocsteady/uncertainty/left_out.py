"""A measure of a curve without each of its cases, or without each patient, whatever the measure is.

Cases of one class with equal ratings leave the same curve behind, so each rating is left out once per class:
ordinal ratings are cheap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

_BLOCK = 2**20
"""Counts held at once; bounds the memory and does not change the answer."""


@dataclass(frozen=True, eq=False)
class Leveled:
    """The cases of one curve at their distinct ratings.

    Attributes
    ----------
    levels : (n,) float64 array
        The distinct ratings, highest first.
    level, is_positive : arrays, one entry for each case
        The number of its rating, and its class.
    """

    levels: Floats
    level: Integers
    is_positive: Mask

    @classmethod
    def of(cls, ratings: Floats, truth: Mask) -> Leveled:
        """Of cases that were all read."""
        rising, place = np.unique(ratings, return_inverse=True)
        return cls(rising[::-1], rising.size - 1 - place.reshape(-1), truth)

    def counts(self) -> tuple[Integers, Integers]:
        """Positives and negatives at or beyond every level, led by 0: the whole curve, ``(1, n + 1)``."""
        nothing = np.zeros((1, self.levels.size), dtype=np.int64)
        return self._less(nothing, nothing)

    def without(self, units: Integers, n_units: int) -> Iterator[tuple[slice, Integers, Integers]]:
        """The same counts without the cases of each unit, in blocks of units."""
        n = self.levels.size
        cells = units * n + self.level
        size = max(1, _BLOCK // n)
        for start in range(0, n_units, size):
            stop = min(start + size, n_units)
            here = (units >= start) & (units < stop)
            lost = [
                np.bincount(cells[here & c] - start * n, minlength=(stop - start) * n).reshape(-1, n)
                for c in (self.is_positive, ~self.is_positive)
            ]
            yield slice(start, stop), *self._less(*lost)

    def _less(self, positives: Integers, negatives: Integers) -> tuple[Integers, Integers]:
        found = []
        for lost, which in ((positives, self.is_positive), (negatives, ~self.is_positive)):
            own = np.bincount(self.level[which], minlength=self.levels.size)
            counts = np.zeros((len(lost), self.levels.size + 1), dtype=np.int64)
            np.cumsum(own - lost, axis=1, out=counts[:, 1:])
            found.append(counts)
        return found[0], found[1]


Read = Callable[[Leveled, Integers, Integers], Floats]
"""The measure of curves of counts, ``(v, n + 1)`` each, at the levels of the cell."""


def values_without_each(ratings: Floats, truth: Mask, read: Read, clusters: Integers | None = None) -> Floats:
    """The measure of every cell without each unit, ``(k, units)``; as it is without a unit it does not have.

    Parameters
    ----------
    ratings, truth
        As in :mod:`rocsteady.uncertainty.reader_covariance`.
    read : callable
        Reads the measure off counts.
    clusters : (c,) int64 array, optional
        Numbers of the patients, who are then left out with all their cases; else every case is a unit.

    Examples
    --------
    >>> import numpy as np
    >>> def sensitivity(cell, tp, fp):
    ...     return tp[:, 1] / tp[:, -1]
    >>> ratings, truth = np.array([[2.0, 1.0, 1.0, np.nan]]), np.array([True, True, False, True])
    >>> values_without_each(ratings, truth, sensitivity).tolist()
    [[0.0, 1.0, 0.5, 0.5]]
    """
    units = np.arange(truth.size) if clusters is None else clusters
    n_units = int(units.max()) + 1
    found = np.empty((len(ratings), n_units))
    for row, own in zip(found, ratings, strict=True):
        is_read = ~np.isnan(own)
        cell = Leveled.of(own[is_read], truth[is_read])
        row[:] = read(cell, *cell.counts())[0]
        if clusters is None:
            row[is_read] = _without_each_case(cell, read)
        else:
            present, numbers = np.unique(units[is_read], return_inverse=True)
            row[present] = _read_all(cell, read, numbers.reshape(-1), present.size)
    return found


def _without_each_case(cell: Leveled, read: Read) -> Floats:
    alike, first, place = np.unique(2 * cell.level + cell.is_positive, return_index=True, return_inverse=True)
    values = np.empty(alike.size)
    size = max(1, _BLOCK // cell.levels.size)
    whole = cell.counts()
    for start in range(0, alike.size, size):
        own = first[start : start + size]
        beyond = np.arange(cell.levels.size + 1) > cell.level[own, None]
        is_positive = cell.is_positive[own, None]
        counts = whole[0] - (beyond & is_positive), whole[1] - (beyond & ~is_positive)
        values[start : start + size] = read(cell, *counts)
    return values[place.reshape(-1)]


def _read_all(cell: Leveled, read: Read, units: Integers, n_units: int) -> Floats:
    values = np.empty(n_units)
    for where, tp, fp in cell.without(units, n_units):
        values[where] = read(cell, tp, fp)
    return values
