"""What the paper says differently, in our words, with numbers where there are any (P1 to P11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocsteady.inference.comparability import comparability
from rocsteady.operating_points.tables.significance import paired_tests
from rocsteady.reproductions.checks import Check, binomial
from rocsteady.reproductions.operating_points.detector import detector_scores, thirty_points
from rocsteady.reproductions.operating_points.figure_3 import GREEDY, START, Digits, other_choices
from rocsteady.reproductions.operating_points.figures import SEED, Sample
from rocsteady.reproductions.operating_points.parameters import (
    CORRECTED,
    FIGURE_1_SIZE,
    HOLM,
    LEVEL,
    N_FOLDS,
    N_POINTS,
    PLAIN,
    PRINTED,
)
from rocsteady.reproductions.operating_points.replicates import NEIGHBOURS, Replicates, understatement

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


def notes(
    expected: Mapping[str, Any],
    samples: Mapping[int, Sample],
    repeated: Sequence[Replicates],
    digits: Digits | None,
    scaled: Digits | None,
) -> list[str]:
    """All of them, in order."""
    small, large = repeated
    return [
        _p1(expected, large),
        "P2 (equation 3). The s of the two points must be standard errors of the means, not standard "
        "deviations of the folds, or the statistic would be too small by the root of the number of folds.",
        _p3(samples[FIGURE_1_SIZE]),
        _p4(small, large),
        _p5(small, large),
        _p6(small),
        _p7(expected),
        _p8(samples[FIGURE_1_SIZE]),
        "P9 (equation 2). Weights multiply outputs, so outputs must not be negative: of a log-density or a "
        "distance a larger weight would say the opposite. Only ratios of weights matter, and what happens "
        "on a tie is not said (here: the lowest class). For two posteriors weights (w1, w2) are the "
        "threshold w2 / (w1 + w2).",
        *([] if digits is None or scaled is None else [_p10(digits), _scaling(digits, scaled)]),
        "P11 (section 4.1). Whether equation 1 has > or >= cannot be read. It makes no difference here: "
        "the points of a curve are the same under both, only their thresholds are named otherwise. The 200 "
        "outputs of Figure 1 are 100 of each class.",
    ]


def _p1(expected: Mapping[str, Any], large: Replicates) -> str:
    ten, five = (expected["level of 2n - 2"][n] for n in ("10", "5"))
    return (
        "P1 (section 4.2). The test is a paired t test, whatever its formula looks like, so with n folds "
        "it has n - 1 degrees of freedom, not 2n - 2. With 2n - 2 a test at 5 % rejects true hypotheses "
        f"{100 * ten:.1f} % of the time with ten folds and {100 * five:.1f} % with five. That the chosen "
        f"point differs from both its neighbours at {large.n_per_class} per class comes out in "
        f"{100 * large.mean[NEIGHBOURS[PRINTED.name]]:.0f} % of samples with 18 degrees of freedom, in "
        f"{100 * large.mean[NEIGHBOURS[PLAIN.name]]:.0f} % with 9."
    )


def _p3(sample: Sample) -> str:
    fpr = sample.table.measure("fpr")
    n_constant = int((fpr.sd < 1e-12).sum())
    return (
        "P3 (equation 3). The correlation of two points is 0 / 0 where one of them performs the same in "
        f"every fold: at {n_constant} of the {N_POINTS} points of Figure 1 the FPR does. The variance of "
        "the differences is the same number and needs no correlation; it is 0 only if all differences are "
        "equal."
    )


def _p4(small: Replicates, large: Replicates) -> str:
    factor = float(np.sqrt(1 + N_FOLDS / (N_FOLDS - 1)))
    return (
        "P4 (section 4.2). Folds share training cases, so their spread tells too little. At one fixed "
        f"threshold the FPR varies from sample to sample {understatement(small):.2f} times "
        f"({small.n_per_class} per class) and {understatement(large):.2f} times ({large.n_per_class}) as "
        "much as the folds of one sample say. The usual correction (Nadeau and Bengio) is a factor of "
        f"{factor:.2f}, more than this detector needs; under it {small.mean[CORRECTED.name]:.1f} and "
        f"{large.mean[CORRECTED.name]:.1f} points cannot be told apart. No estimate of this variance is "
        "unbiased."
    )


def _p5(small: Replicates, large: Replicates) -> str:
    told = [f"{own.mean['known to differ']:.2f} of {own.mean[PLAIN.name]:.2f}" for own in (small, large)]
    return (
        "P5 (section 4.2). The hypothesis is false from the start: of two thresholds the stricter accepts "
        "no case that the other refuses, so the FPRs differ unless no negative at all lies between. Of the "
        f"points not rejected (9 degrees of freedom) {told[0]} have another FPR in the sample itself at "
        f"{small.n_per_class} per class, {told[1]} at {large.n_per_class}. Not rejected means that the "
        "sample cannot size the difference, not that there is none; nothing is accepted."
    )


def _p6(small: Replicates) -> str:
    return (
        "P6 (Figures 2 and 3). There are 29 tests in a figure of two classes and 297 in that of three, "
        "none of them adjusted, and the point was chosen on the same cases. Adjusted by Holm, "
        f"{small.mean[HOLM.name]:.1f} instead of {small.mean[PLAIN.name]:.1f} points are not rejected at "
        f"{small.n_per_class} per class."
    )


def _p7(expected: Mapping[str, Any]) -> str:
    return (
        "P7 (section 3). For two classes this is threshold averaging with folds as datasets, to the last "
        "digit. The mean over folds is the rate of all rows only if the folds have equally many cases of "
        f"the class: with {UNEQUAL_SIZE} per class in ten folds the FPRs differ by up to "
        f"{expected['gap of unequal folds']:.4f}."
    )


def _p8(sample: Sample) -> str:
    found = comparability(sample.score_set)
    interval = found.delta_interval
    return (
        "P8 (section 3). Stacking takes outputs of ten detectors to be on one scale, as pooling does. That "
        f"can be looked at: the AUC within folds less that between folds is {found.delta:+.4f} at "
        f"{sample.n_per_class} per class ({100 * interval.confidence_level:g} % interval "
        f"{interval.low:+.4f} to {interval.high:+.4f})."
    )


def _p10(digits: Digits) -> str:
    greedy, start = digits.surfaces[GREEDY], digits.surfaces[START]
    choices = other_choices(start)
    return (
        "P10 (section 4.3). The search is only named. As specified here (the best of parents and children "
        f"stay) it ends with {greedy.search.n_distinct} different error vectors among its 100 points, and "
        f"{greedy.n_indistinguishable(PRINTED.name)} of the 99 others cannot be told from the first. A "
        "neighbourhood as in Figure 3 appears among the 100 best of the 1 000 random vectors, before any "
        f"step: {start.n_indistinguishable(PRINTED.name)} of 99 (18 degrees of freedom; {choices.min()} to "
        f"{choices.max()}, median {np.median(choices):g}, had another of the 100 been chosen). Errors at "
        "the chosen point are optimistic, since it was chosen on these cases: the largest is "
        f"{greedy.search.best.max_error:.2f}, but {digits.nested.max_error:.2f} if every fold is decided by "
        "weights chosen without it."
    )


def _scaling(digits: Digits, scaled: Digits) -> str:
    largest = [own.surfaces[GREEDY].search.best.max_error for own in (digits, scaled)]
    return (
        "Scaling (section 4.3). Nothing is said about the scales of the six features, which differ by a "
        "factor of 40 000. Components of the raw features, as here, are in effect the sixth, the fourth, "
        "and the sum of the second and third; the largest class error at the chosen point is "
        f"{largest[0]:.2f}. With every feature divided by its standard deviation first it is "
        f"{largest[1]:.2f}: the third component is then a feature that is constant but for a case or two. "
        "Without components there is no quadratic classifier, because that feature has no variance within "
        "two of the classes."
    )
