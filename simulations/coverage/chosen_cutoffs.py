"""Rates at the very threshold that was chosen on the same rows; the samples are those of cutoffs.py."""

from __future__ import annotations

import warnings

import numpy as np
from simulations import cutoffs
from simulations.coverage.cells import Question, Shares, grid

RESAMPLES = 200
COLUMNS = {"FPR": 0, "TPR": 1, "FPR, threshold given": 6, "TPR, threshold given": 7}
"""Of the rows of cutoffs.judged."""


def _shares(rows: np.ndarray) -> Shares:
    return {name: rows[:, column].astype(bool) for name, column in COLUMNS.items()}


def one_dataset(
    criterion: str, area: float, n_negatives: int, n_positives: int, *, replicates: int, seed: int
) -> Shares:
    """Which corrected intervals hold the population's rates, and which that take the threshold for given."""
    of = cutoffs.ATTAINED[criterion]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _shares(
            cutoffs.attained(
                of, (n_negatives, n_positives), area, replicates=replicates, resamples=RESAMPLES, seed=seed
            )
        )


def over_groups(criterion: str, area: float, n_groups: int, *, replicates: int, seed: int) -> Shares:
    """The same for a threshold average of hospitals."""
    of = cutoffs.ATTAINED[criterion]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _shares(
            cutoffs.attained_over_groups(
                of, n_groups, area, replicates=replicates, resamples=RESAMPLES, seed=seed
            )
        )


CRITERIA = tuple(cutoffs.ATTAINED)
QUESTIONS = (
    Question(
        "chosen_cutoffs",
        0.95,
        grid(
            criterion=CRITERIA,
            area=(0.75, 0.95),
            n_negatives__n_positives=((20, 20), (50, 50), (200, 200), (500, 20)),
        ),
        one_dataset,
        replicates=400,
    ),
    Question(
        "chosen_cutoffs_groups",
        0.95,
        grid(criterion=CRITERIA, area=(0.75, 0.95), n_groups=(4, 8, 30)),
        over_groups,
        replicates=200,
    ),
)
