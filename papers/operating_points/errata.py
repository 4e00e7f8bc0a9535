"""Numbers behind errata P1 and P7, checked; and what the paper leaves open about Figure 3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from papers.checks import Check, binomial
from papers.operating_points.detector import detector_scores, thirty_points
from papers.operating_points.figure_3 import GREEDY, Digits
from papers.operating_points.figures import SEED
from papers.operating_points.parameters import (
    LEVEL,
    N_FOLDS,
)
from rocsteady.statistics.paired_t import paired_tests

UNEQUAL_SIZE = 55
"""Cases of each class that ten folds cannot share out evenly."""


def level(n_folds: int) -> float:
    """How often a paired t test rejects a true hypothesis if it is given 2n - 2 degrees of freedom."""
    from scipy.special import stdtr, stdtrit

    return float(2 * stdtr(n_folds - 1, -stdtrit(2 * n_folds - 2, 1 - LEVEL / 2)))


def uneven_gap() -> float:
    """The largest gap between the mean FPR of folds and the FPR of all rows, where folds differ in size."""
    fpr = thirty_points(detector_scores(UNEQUAL_SIZE, SEED)).measure("fpr")
    return float(np.abs(fpr.mean - fpr.stacked).max())


def numbers() -> dict[str, Any]:
    """What is stored in expected.json."""
    return {
        "level of 2n - 2": {str(n): level(n) for n in (N_FOLDS, 5)},
        "gap of unequal folds": uneven_gap(),
    }


def checks(expected: Mapping[str, Any], n_tests: int) -> list[Check]:
    """P1 by simulation against its closed form; P7 on one sample."""
    random = np.random.default_rng(1)
    found = []
    for n, wanted in expected["level of 2n - 2"].items():
        first, second = random.standard_normal((2, int(n), n_tests))
        rejected = np.asarray(paired_tests(first, second, df="2n-2").pvalue) <= LEVEL
        name = f"level with 2n - 2, {n} folds"
        found.append(binomial("P1: degrees of freedom", name, wanted, float(rejected.mean()), n_tests))
    name = "mean over folds less all rows"
    source = "the same sample; rounding only"
    gap = Check(
        "P7: largest gap where folds are unequal",
        name,
        expected["gap of unequal folds"],
        uneven_gap(),
        1e-9,
        source,
    )
    return [*found, gap]


def notes(digits: Digits | None, scaled: Digits | None) -> list[str]:
    """What the paper leaves open and the numbers of Figure 3 depend on."""
    if digits is None or scaled is None:
        return []
    largest = [own.surfaces[GREEDY].search.best.max_error for own in (digits, scaled)]
    return [
        "Scaling (section 4.3). Nothing is said about the scales of the six features, which differ by a "
        "factor of 40 000. Components of the raw features, as here, are in effect the sixth, the fourth, "
        "and the sum of the second and third; the largest class error at the chosen point is "
        f"{largest[0]:.2f}. With every feature divided by its standard deviation first it is "
        f"{largest[1]:.2f}: the third component is then a feature that is constant but for a case or two. "
        "Without components there is no quadratic classifier, because that feature has no variance within "
        "two of the classes."
    ]
