"""Rates at the very threshold that was chosen on the same rows; the samples are those of cutoffs.py."""

from __future__ import annotations

import warnings

import numpy as np
from simulations import cutoffs
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import without_notes

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


MEASURES = {"FPR": 0, "TPR": 1, "measure": 8}


def _measures(rows: np.ndarray, columns: dict[str, int] = MEASURES) -> Shares:
    """An interval that is unknown, as of groups with the same rate, holds nothing."""
    return {name: rows[:, column] == 1 for name, column in columns.items()}


def measure_of_one_dataset(
    criterion: str, area: float, n_negatives: int, n_positives: int, *, replicates: int, seed: int
) -> Shares:
    """Which corrected intervals hold the population's rates and the measure that was made large."""
    of, sizes = cutoffs.MEASURED[criterion], (n_negatives, n_positives)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        how = {"replicates": replicates, "resamples": RESAMPLES, "seed": seed}
        return _measures(cutoffs.attained(of, sizes, area, **how))


def measure_over_groups(criterion: str, area: float, n_groups: int, *, replicates: int, seed: int) -> Shares:
    """The same for a threshold average of hospitals."""
    how = {"replicates": replicates, "resamples": RESAMPLES, "seed": seed}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _measures(cutoffs.attained_over_groups(cutoffs.MEASURED[criterion], n_groups, area, **how))


def measure_in_tables(criterion: str, area: float, n_groups: int, *, replicates: int, seed: int) -> Shares:
    """The same for the best point of a table of hospitals, by means over these."""
    how = {"replicates": replicates, "resamples": RESAMPLES, "seed": seed}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = cutoffs.attained_in_tables(cutoffs.MEASURED[criterion], n_groups, area, **how)
    return _measures(rows, {"FPR": 0, "TPR": 1, "measure": 2})


def best_of_population(
    criterion: str, of: str, n_negatives: int, n_positives: int, *, replicates: int, seed: int
) -> Shares:
    """Which intervals hold the population's best threshold, and its rates there."""
    with without_notes():
        held = cutoffs.case_coverage(
            cutoffs.MEASURED[criterion],
            (n_negatives, n_positives),
            None,
            replicates=replicates,
            resamples=RESAMPLES,
            seed=seed,
            of=of,
            each=True,
        )
    return _best(held)


def best_of_hospitals(criterion: str, n_groups: int, *, replicates: int, seed: int) -> Shares:
    """The same for a threshold average of hospitals, these being random."""
    how: dict[str, int] = {"replicates": replicates, "resamples": RESAMPLES, "seed": seed}
    with without_notes():
        return _best(cutoffs.group_coverage(cutoffs.MEASURED[criterion], n_groups, **how, each=True))


def _best(held: np.ndarray) -> Shares:
    return {name: held[:, k].astype(bool) for k, name in enumerate(("threshold", "FPR", "TPR"))}


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
MEASURED = tuple(cutoffs.MEASURED)
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
    Question(
        "chosen_measures",
        0.95,
        grid(
            criterion=MEASURED,
            area=(0.75, 0.95),
            n_negatives__n_positives=((20, 20), (50, 50), (200, 200), (500, 20)),
        ),
        measure_of_one_dataset,
        replicates=400,
    ),
    Question(
        "chosen_measures_groups",
        0.95,
        grid(criterion=MEASURED, area=(0.75, 0.95), n_groups=(8, 30)),
        measure_over_groups,
        replicates=200,
    ),
    Question(
        "chosen_points",
        0.95,
        grid(criterion=MEASURED, area=(0.75, 0.95), n_groups=(8, 30)),
        measure_in_tables,
        replicates=400,
    ),
    Question(
        "best_cutoffs",
        0.95,
        grid(
            criterion=MEASURED,
            of=("slides", "weak"),
            n_negatives__n_positives=((50, 50), (300, 300), (200, 20)),
        ),
        best_of_population,
        replicates=200,
    ),
    Question(
        "best_cutoffs_groups",
        0.95,
        grid(criterion=MEASURED, n_groups=(8, 20)),
        best_of_hospitals,
        replicates=200,
    ),
)
