"""The bootstrap of a reader study: the same draws of cases, or of patients, for every cell.

Cases are drawn within their class, patients whole. A case that a reader did not read is drawn all the same
and counts for nothing there, so that cells with any cases in common stay together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.uncertainty.resampling import (
    RankedCases,
    Readings,
    ResampledGroups,
    resampled_cases,
    resampled_groups,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


def drawn_readings(
    ratings: Floats,
    truth: Mask,
    readings: Readings,
    *,
    clusters: Integers | None = None,
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ResampledGroups:
    """Readings of one cell's resampled curves.

    Cells of one study, given the same ``truth``, ``clusters`` and ``seed``, meet the same draws, in every
    resample of which equally many draws were thrown away. Draws depend on the order of the cases: bring them
    into an order of their own (:func:`case_order`) and a shuffled file is drawn alike.

    Parameters
    ----------
    ratings : (c,) float64 array
        Of all cases of the study; NaN where a case was not read. Higher speaks for the positive class.
    truth : (c,) bool array
        Whether a case is positive.
    readings : Readings
        What is read off every curve.
    clusters : (c,) int64 array, optional
        Numbers of the patients.

    Returns
    -------
    ResampledGroups
        ``values``, ``(n_resamples, readings)``, NaN where no drawn case of a class was read;
        ``redrawn``, how many draws of patients were thrown away for that reason in each resample.

    Examples
    --------
    >>> import numpy as np
    >>> ratings, truth = np.array([3.0, 1.0, 2.0, 1.0]), np.array([True, True, False, False])
    >>> drawn_readings(ratings, truth, Readings(auc=True), n_resamples=3).values.shape
    (3, 1)
    """
    is_read = ~np.isnan(ratings)
    ranks = np.zeros(ratings.size, dtype=np.int64)
    distinct, place = np.unique(ratings[is_read], return_inverse=True)
    ranks[is_read] = distinct.size - 1 - place.reshape(-1)
    how: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "threads": threads}
    if clusters is not None:
        return resampled_groups(_by_patient(ranks, truth, is_read, clusters), readings, **how)
    weights = None if is_read.all() else is_read.astype(np.float64)
    own = [None if weights is None else weights[c] for c in (truth, ~truth)]
    cases = RankedCases.of_one(ranks[truth], ranks[~truth], *own)
    values = resampled_cases(cases, readings, **how)
    return ResampledGroups(values, np.zeros(n_resamples, dtype=np.int64))


def case_order(names: tuple[str, ...]) -> Integers:
    """Cases in the order of their names, short ones first.

    >>> case_order(("10", "9", "a")).tolist()
    [1, 2, 0]
    """
    return np.array(sorted(range(len(names)), key=lambda i: (len(names[i]), names[i])), dtype=np.int64)


def _by_patient(ranks: Integers, truth: Mask, is_read: Mask, clusters: Integers) -> RankedCases:
    n = int(clusters.max()) + 1
    columns, offsets = [], []
    for which in (truth & is_read, ~truth & is_read):
        order = np.argsort(clusters[which], kind="stable")
        columns.append(ranks[which][order])
        sizes = np.bincount(clusters[which], minlength=n)
        offsets.append(np.append(0, np.cumsum(sizes)).astype(np.int64))
    return RankedCases(columns[0], columns[1], offsets[0], offsets[1])
