"""Figures 1 and 2: one sample of Highleyman's classes each, its 30 operating points and their tests."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

import rocsteady as rs
from papers.checks import Check, exact
from papers.operating_points.detector import chosen_point, detector_scores, thirty_points
from papers.operating_points.parameters import (
    FIGURE_1_SIZE,
    FIGURE_2_SIZES,
    LEVEL,
    TESTS,
    Test,
)
from rocsteady.averaging.average import average
from rocsteady.averaging.shared_threshold import ThresholdAverage
from rocsteady.errors import RocsteadyWarning
from rocsteady.points.tables import OperatingPointTable, PointTests
from rocsteady.results import Result

SEED = 1


@dataclass(frozen=True, eq=False, repr=False)
class Sample(Result):
    """One sample: both classes drawn once, the detector cross-validated.

    Attributes
    ----------
    n_per_class : int
        Cases of each class.
    score_set : ScoreSet
        The detector's densities, fold by fold.
    table : OperatingPointTable
        At 30 thresholds.
    comparisons : dict
        The chosen point against the others, by the name of the test.
    """

    n_per_class: int
    score_set: rs.ScoreSet
    table: OperatingPointTable
    comparisons: dict[str, PointTests]

    def __repr__(self) -> str:
        return f"Sample({self.n_per_class} per class, {self.table!r})"


def sample(n_per_class: int, seed: int = SEED) -> Sample:
    """Draw, score, take 30 points, choose one, test."""
    score_set = detector_scores(n_per_class, seed)
    table = thirty_points(score_set)
    chosen = chosen_point(table.measure("tpr").mean)
    comparisons = {test.name: _compared(table, chosen, test) for test in TESTS}
    return Sample(n_per_class, score_set, table, comparisons)


def _compared(table: OperatingPointTable, chosen: int, test: Test) -> PointTests:
    with warnings.catch_warnings():
        # Where all folds have an FPR of 1, a difference can be the same in each: RS245, of no concern here.
        warnings.simplefilter("ignore", RocsteadyWarning)
        return table.compare_to(
            chosen,
            "fpr",
            alpha=LEVEL,
            df=test.df,
            test_train_ratio=test.test_train_ratio,
            adjust=test.adjust,
        )


def samples() -> dict[int, Sample]:
    """The samples of both figures, by size; the same seed for all."""
    return {size: sample(size) for size in sorted({FIGURE_1_SIZE, *FIGURE_2_SIZES})}


def checks(found: dict[int, Sample]) -> list[Check]:
    """For two classes the method is threshold averaging with folds as datasets (P7)."""
    results = []
    for size, own in found.items():
        averaged = average(own.score_set, "threshold")
        assert isinstance(averaged, ThresholdAverage)
        assert own.table.thresholds is not None
        rates = averaged.rates_at(own.table.thresholds)
        for name in ("fpr", "tpr"):
            measure = own.table.measure(name)
            for what, values in (("mean", getattr(rates, name)), ("sd", getattr(rates, f"{name}_sd"))):
                gap = float(np.abs(getattr(measure, what) - values).max())
                label = f"{size} per class: {what} of {name.upper()}, largest gap"
                results.append(exact("Operating points are the threshold average", label, 0.0, gap))
    return results
