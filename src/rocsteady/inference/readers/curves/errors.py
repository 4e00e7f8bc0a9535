"""How a rate at the other rate varies with the cases, for all readers of one modality together.

Cases (or patients) are drawn with replacement, the same ones for every reader, and every reader's curve is
read again at many positions at once. The draws are those of ``covariance="bootstrap"``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.inference.readers.covariance import Cells, Draws
from rocsteady.inference.readers.study import ReaderRatings
from rocsteady.statistics.reader_covariance import case_order, drawn_readings, have_common, sums_of_patients
from rocsteady.statistics.resampling import Readings

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ModalityCases:
    """The ratings of one modality, cases in an order of their own: that of a file does not matter.

    Attributes
    ----------
    ratings : (r, c) float64 array
        Of the readers who read with this modality, higher for the positive class; NaN where there is none.
        All cases of the study are there, so that every modality meets the same draws.
    truth : (c,) bool array
        Whether a case is positive.
    clusters : (c,) int64 array or None
        The patient of each case.
    readers : tuple of str
        Who they are.
    names : tuple of str
        Of the cases.
    """

    ratings: Floats
    truth: Mask
    clusters: Integers | None
    readers: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, study: ReaderRatings, modality: int) -> ModalityCases:
        """The cases of a study as one modality saw them."""
        cells, n_readers = Cells.of(study), len(study.readers)
        number = np.flatnonzero(cells.is_cell)
        own = number // n_readers == modality
        readers = tuple(study.readers[i % n_readers] for i in number[own].tolist())
        names = tuple(study.cases[i] for i in case_order(study.cases).tolist())
        return cls(cells.ratings[own], cells.truth, cells.clusters, readers, names)

    def is_of(self, other: ModalityCases) -> bool:
        """Whether both are of the same cases and patients."""
        if self.names != other.names or not np.array_equal(self.truth, other.truth):
            return False
        if self.clusters is None or other.clusters is None:
            return self.clusters is other.clusters
        return np.array_equal(self.clusters, other.clusters)

    @property
    def is_read(self) -> Mask:
        """Whether there is a rating, ``(r, c)``."""
        return ~np.isnan(self.ratings)

    def fewest(self, *, positive: bool) -> int:
        """Cases of a class (patients with one, if there are clusters) that the reader with fewest has."""
        of_class = self.is_read & (self.truth == positive)
        if self.clusters is None:
            return int(of_class.sum(axis=1).min())
        return min(int(np.unique(self.clusters[own]).size) for own in of_class)

    def drawn(self, readings: Readings, draws: Draws) -> Floats:
        """Readings of resampled cases, ``(r, n_resamples, n)``; NaN where a reader has no case of a class."""
        drawn = [
            drawn_readings(own, self.truth, readings, clusters=self.clusters, **vars(draws))
            for own in self.ratings
        ]
        return np.stack([own.values for own in drawn])

    def covariance(self, readings: Readings, draws: Draws) -> Floats:
        """Covariances ``(n, r, r)`` between readers, at n positions; 0 for readers without a common case."""
        found = covariance_of(self.drawn(readings, draws))
        is_touched = self.is_read
        if self.clusters is not None:
            n_patients = int(self.clusters.max()) + 1
            is_touched = sums_of_patients(self.is_read.astype(np.int64), self.clusters, n_patients) > 0
        return np.where(have_common(is_touched), found, 0.0)


def covariance_of(drawn: Floats) -> Floats:
    """Covariances ``(n, r, r)`` between readers at n positions, from draws of ``(r, n_resamples, n)``.

    A resample in which some reader has no case of a class is left out.

    Examples
    --------
    >>> import numpy as np
    >>> first = np.array([[0.5], [0.7], [0.6]])
    >>> covariance_of(np.stack([first, 1 - first])).round(12).tolist()
    [[[0.01, -0.01], [-0.01, 0.01]]]
    """
    lost = np.isnan(drawn).any(axis=(0, 2))
    if lost.any():
        drawn = drawn[:, ~lost]
    around = np.moveaxis(drawn - drawn.mean(axis=1, keepdims=True), 2, 0)  # (n, r, n_resamples)
    return np.asarray(around @ around.swapaxes(1, 2) / (around.shape[2] - 1))
