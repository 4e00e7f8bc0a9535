"""Whether ratings of a reader study seem to run the other way: AUCs that are clearly below one half."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.measures import Auc, Statistic
from rocsteady.errors import warn
from rocsteady.inference.readers.study import ReaderRatings, with_modality
from rocsteady.words import listed, named, printable

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

CLEARLY = 3.0
"""Standard errors over cases below 1/2: of readers who guess, one in 700 is so far off."""
FEWEST = 5
"""Cases of the rarer class at an AUC of 0, which has no error: fewer are told apart by guessing, too."""


def warn_of_reversed(ratings: ReaderRatings, values: Floats, covariances: Floats, measure: Statistic) -> None:
    """RS219 where the AUC of a cell, or the mean of a modality, is clearly below 1/2.

    Parameters
    ----------
    ratings : ReaderRatings
        Of t modalities and r readers.
    values, covariances : (t, r) and (t, r, t, r) arrays
        Of the measure, over cases; NaN where unknown.
    measure : Statistic
        Nothing is said of others than the AUC.
    """
    found = reversed_in(ratings, values, covariances, measure)
    if not found:
        return
    if _means_below(ratings, values, covariances).all():
        warn("RS219.all", cells=found, turned=not ratings.higher_is_positive)
    else:
        warn("RS219.some", cells=found)


def notes_of_reversed(
    ratings: ReaderRatings, values: Floats, covariances: Floats, measure: Statistic
) -> tuple[str, ...]:
    """The same as a sentence that stays with the result."""
    found = reversed_in(ratings, values, covariances, measure)
    return (f"Ratings may run the other way: {listed(list(found))}, clearly below 1/2.",) if found else ()


def reversed_in(
    ratings: ReaderRatings, values: Floats, covariances: Floats, measure: Statistic
) -> tuple[str, ...]:
    """Which AUCs are clearly below 1/2, in words: means of modalities, and readers of the other ones."""
    if not isinstance(measure, Auc):
        return ()
    of_mean = _means_below(ratings, values, covariances)
    what = "mean AUC" if len(ratings.readers) > 1 else "AUC"
    found = [
        f"{what} {np.nanmean(values[i]):.3f}{with_modality(ratings.modalities[i])}"
        for i in np.flatnonzero(of_mean).tolist()
    ]
    cells = _cells_below(ratings, values, covariances) & ~of_mean[:, None]
    found += [
        f"AUC {values[i, j]:.3f} of {printable(named(ratings.unit, ratings.readers[j]))}"
        f"{with_modality(ratings.modalities[i])}"
        for i, j in np.argwhere(cells)
    ]
    return tuple(found)


def _means_below(ratings: ReaderRatings, values: Floats, covariances: Floats) -> Mask:
    """Modalities whose mean is clearly below 1/2 for these very readers."""
    found = np.zeros(len(values), dtype=np.bool_)
    for i, own in enumerate(~np.isnan(values)):
        if not own.any():
            continue
        variance = covariances[i, own][:, i, own].mean()
        found[i] = _is_below(values[i, own].mean(), variance, _fewest(ratings)[i, own].min())
    return found


def _cells_below(ratings: ReaderRatings, values: Floats, covariances: Floats) -> Mask:
    """Readers and modalities whose AUC is clearly below 1/2."""
    return np.asarray(_is_below(values, np.einsum("ijij->ij", covariances), _fewest(ratings)))


def _is_below(value: Floats, variance: Floats, n_rarer: NDArray[np.int64]) -> Mask:
    error = np.sqrt(np.maximum(variance, 0.0))
    with np.errstate(invalid="ignore"):  # NaN: not known to be below
        return np.asarray(
            np.where(variance > 0, value < 0.5 - CLEARLY * error, (value == 0) & (n_rarer >= FEWEST))
        )


def _fewest(ratings: ReaderRatings) -> NDArray[np.int64]:
    """Cases of the rarer class in every cell."""
    sides = [(ratings.is_read & side).sum(axis=2) for side in (ratings.truth, ~ratings.truth)]
    return np.asarray(np.minimum(*sides), dtype=np.int64)
