"""What Paclik and others claim, and what came out; claims on Figure 3 only where its data are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from papers.claims import Claim, tiny
from papers.operating_points.errata import UNEQUAL_SIZE, level, uneven_gap
from papers.operating_points.figure_3 import GREEDY, START, Digits, other_choices
from papers.operating_points.figures import Sample, checks
from papers.operating_points.parameters import (
    CORRECTED,
    FIGURE_1_SIZE,
    HOLM,
    LEVEL,
    N_FOLDS,
    N_POINTS,
    PLAIN,
    PRINTED,
)
from papers.operating_points.replicates import NEIGHBOURS, Replicates, understatement
from rocsteady.points.multiclass import decide
from rocsteady.simulate import highleyman_fpr
from rocsteady.statistics.paired_t import paired_tests
from rocsteady.words import grouped

Floats = NDArray[np.float64]
SAME = 1e-12
N_TESTS = 20_000
FAIR = 0.02
"""How far a spread may be off, as a share of it, to be called right."""


def claims(
    samples: Mapping[int, Sample], repeated: Sequence[Replicates], digits: Digits | None
) -> tuple[Claim, ...]:
    """All of them, in the order of the paper."""
    small, large = repeated
    return (
        _is_threshold_averaging(samples),
        _two_weights(),
        _means_are_stacked(samples[FIGURE_1_SIZE]),
        _figure_1(samples[FIGURE_1_SIZE]),
        _variances(small, large),
        _dependent_samples(samples[FIGURE_1_SIZE]),
        _independent_samples(),
        _degrees_of_freedom(),
        _accepted(small, large),
        _larger_samples(small, large),
        _neighbours(samples[large.n_per_class], large),
        _confidence(small),
        *([] if digits is None else _figure_3(digits)),
    )


def _is_threshold_averaging(samples: Mapping[int, Sample]) -> Claim:
    gap = max(abs(check.found) for check in checks(dict(samples)))
    return Claim(
        claim="Operating point averaging generalises threshold averaging.",
        where="abstract, section 1",
        measured=f"Two classes: means and standard deviations at {N_POINTS} thresholds differ from those of "
        f"the threshold average, with folds as datasets, by at most {tiny(gap)}.",
        holds=gap <= SAME,
        erratum="P7",
    )


def _two_weights() -> Claim:
    """P9: of two posteriors, weights are a threshold."""
    random = np.random.default_rng(0)
    posteriors = random.uniform(size=500)
    outputs = np.column_stack([posteriors, 1 - posteriors])
    weights = random.uniform(0.05, 1, size=(20, 2))
    decided = np.asarray(decide(outputs, weights))
    thresholded = np.where(posteriors > (weights[:, 1] / weights.sum(axis=1))[:, None], 0, 1)
    n_unlike = int((decided != thresholded).sum())
    return Claim(
        claim="Weights for classes (equation 2) extend the decision by a threshold (equation 1).",
        where="section 2",
        measured=f"Two posteriors of 500 cases under 20 pairs of weights: {n_unlike} decisions differ from "
        "those by the threshold w2 / (w1 + w2).",
        holds=n_unlike == 0,
        correction="Outputs must not be negative: of a log-density a larger weight says the opposite.",
        holds_corrected=n_unlike == 0,
        erratum="P9",
    )


def _means_are_stacked(sample: Sample) -> Claim:
    fpr = sample.table.measure("fpr")
    even, uneven = float(np.abs(fpr.mean - fpr.stacked).max()), uneven_gap()
    return Claim(
        claim="The curve of the stacked outputs and the means over folds are one and the same ROC.",
        where="section 3, algorithm 1",
        measured=f"Largest gap between the mean FPR of ten folds and the FPR of all rows: {tiny(even)} with "
        f"{sample.n_per_class} per class, {uneven:.4f} with {UNEQUAL_SIZE}, which folds cannot share evenly.",
        holds=max(even, uneven) <= SAME,
        correction="Only where the folds have equally many cases of each class.",
        holds_corrected=even <= SAME < uneven,
        erratum="P7",
    )


def _figure_1(sample: Sample) -> Claim:
    fpr, tpr = sample.table.measure("fpr"), sample.table.measure("tpr")
    errors = np.concatenate([fpr.standard_error, tpr.standard_error])
    inside = (tpr.mean > 0.02) & (tpr.mean < 0.98)
    furthest = float(np.abs(fpr.mean[inside] - highleyman_fpr(tpr.mean[inside])).max())
    return Claim(
        claim="One cross-validation gives the ROC curve and, at each of 30 points, means with standard "
        "deviations of the mean.",
        where="section 4.1, Figure 1",
        measured=f"{sample.table.n_points} points with standard errors of up to {errors.max():.3f}; the "
        f"mean curve is within {furthest:.3f} of FPR of its limit for many cases.",
        holds=sample.table.n_points == N_POINTS and bool(np.isfinite(errors).all()) and furthest < 0.1,
    )


def _variances(small: Replicates, large: Replicates) -> Claim:
    """P4: folds share training cases."""
    ratios = [understatement(own) for own in (small, large)]
    factor = float(np.sqrt(1 + N_FOLDS / (N_FOLDS - 1)))
    return Claim(
        claim="The spread over folds gives the variance of the performance at an operating point.",
        where="section 3",
        measured=f"At one fixed threshold the FPR varies {ratios[0]:.2f} times ({small.n_per_class} per "
        f"class) and {ratios[1]:.2f} times ({large.n_per_class}) as much from study to study as the folds "
        f"of one study say ({small.n_replicates} studies).",
        holds=all(abs(ratio - 1) <= FAIR for ratio in ratios),
        correction="Nearly: folds share training cases, so their spread says too little. The usual "
        f"correction (Nadeau and Bengio, a factor of {factor:.2f}) is on the safe side here.",
        holds_corrected=all(1 + FAIR < ratio < factor for ratio in ratios),
        erratum="P4",
    )


def _dependent_samples(sample: Sample) -> Claim:
    """P2: the s of equation 3 are standard errors."""
    fpr = sample.table.measure("fpr")
    moving = np.flatnonzero(fpr.sd > 1e-9)
    first, second = fpr.per_fold[:, moving[0]], fpr.per_fold[:, moving[-1]]
    r = float(np.corrcoef(first, second)[0, 1])
    sds = np.array([first.std(ddof=1), second.std(ddof=1)])

    def printed(s: Floats) -> float:
        variance = s[0] ** 2 + s[1] ** 2 - 2 * r * s[0] * s[1]
        return float((first.mean() - second.mean()) / np.sqrt(variance))

    paired = float(paired_tests(first, second).statistic)
    by_sd, by_error = printed(sds), printed(sds / np.sqrt(N_FOLDS))
    n_constant = N_POINTS - moving.size
    return Claim(
        claim="The statistic of equation 3, with standard deviations s, is that of the t test for two "
        "dependent samples.",
        where="section 4.2, equation 3",
        measured=f"Two points of Figure 1: equation 3 gives {by_sd:.3f} with standard deviations of the "
        f"folds and {by_error:.3f} with standard errors of the means; the paired t test {paired:.3f}. At "
        f"{n_constant} of {N_POINTS} points the FPR is the same in every fold, and the correlation is 0 / 0.",
        holds=abs(by_sd - paired) <= 1e-9,
        correction="Each s is the standard error of a mean. The variance of the differences says the same "
        "without a correlation.",
        holds_corrected=abs(by_error - paired) <= 1e-9,
        erratum="P2, P3",
    )


def _independent_samples() -> Claim:
    random = np.random.default_rng(2)
    first, second = random.standard_normal((2, N_FOLDS))
    centered = first - first.mean()
    second = second - centered * (centered @ second) / (centered @ centered)  # no correlation is left
    paired = float(paired_tests(first, second).statistic)
    errors = [values.std(ddof=1) / np.sqrt(N_FOLDS) for values in (first, second)]
    independent = float((first.mean() - second.mean()) / np.hypot(*errors))
    return Claim(
        claim="If the correlation is 0, the statistic is that of the t test for independent samples.",
        where="section 4.2",
        measured=f"Two uncorrelated samples of ten: {paired:.6f} and {independent:.6f}.",
        holds=abs(paired - independent) <= 1e-9,
    )


def _degrees_of_freedom() -> Claim:
    """P1: a paired t test has n - 1."""
    first, second = np.random.default_rng(3).standard_normal((2, N_FOLDS, N_TESTS))
    printed, plain = (
        float((np.asarray(paired_tests(first, second, df=df).pvalue) <= LEVEL).mean())
        for df in ("2n-2", "n-1")
    )
    error = float(np.sqrt(LEVEL * (1 - LEVEL) / N_TESTS))
    return Claim(
        claim="The test has 2n - 2 degrees of freedom, n being the number of folds.",
        where="section 4.2",
        measured=f"{grouped(N_TESTS)} true hypotheses, ten folds, level 5 %: rejected are "
        f"{100 * printed:.1f} % with 2n - 2 (by formula {100 * level(N_FOLDS):.1f} %, with five folds "
        f"{100 * level(5):.1f} %) and {100 * plain:.1f} % with n - 1.",
        holds=abs(printed - LEVEL) <= 4 * error,
        correction="n - 1: it is a paired t test.",
        holds_corrected=abs(plain - LEVEL) <= 4 * error < printed - LEVEL,
        erratum="P1",
    )


def _accepted(small: Replicates, large: Replicates) -> Claim:
    """P5: two thresholds have different FPRs unless nothing lies between them."""
    differ = [own.mean["known to differ"] for own in (small, large)]
    kept = [own.mean[PLAIN.name] for own in (small, large)]
    return Claim(
        claim="At the circled points the hypothesis of equal FPRs is accepted.",
        where="section 4.2, Figure 2",
        measured=f"Of the points that are not rejected (9 degrees of freedom), {differ[0]:.2f} of "
        f"{kept[0]:.2f} have another FPR in the sample itself at {small.n_per_class} per class, "
        f"{differ[1]:.2f} of {kept[1]:.2f} at {large.n_per_class}.",
        holds=all(share < 0.5 * n for share, n in zip(differ, kept, strict=True)),
        correction="Not rejected: the sample cannot size the difference. Of two thresholds the stricter "
        "accepts no case that the other refuses, so the FPRs are known to differ.",
        holds_corrected=all(share > 0.5 * n for share, n in zip(differ, kept, strict=True)),
        erratum="P5",
    )


def _larger_samples(small: Replicates, large: Replicates) -> Claim:
    return Claim(
        claim="With more cases fewer points are indistinguishable from the selected one.",
        where="section 4.2, Figure 2",
        measured=f"Of 29 other points {small.mean[PRINTED.name]:.1f} are not rejected at "
        f"{small.n_per_class} per class, {large.mean[PRINTED.name]:.1f} at {large.n_per_class} (means of "
        f"{small.n_replicates} studies, 18 degrees of freedom; {small.mean[PLAIN.name]:.1f} and "
        f"{large.mean[PLAIN.name]:.1f} with 9).",
        holds=small.mean[PRINTED.name] > 1 > large.mean[PRINTED.name],
    )


def _neighbours(sample: Sample, large: Replicates) -> Claim:
    printed, plain, corrected = (large.mean[NEIGHBOURS[test.name]] for test in (PRINTED, PLAIN, CORRECTED))
    n_kept = int(sample.comparisons[PRINTED.name].indistinguishable.sum()) - 1
    return Claim(
        claim="With 200 examples per class the selected operating point is significantly different from the "
        "neighbouring points.",
        where="section 4.2, Figure 2b",
        measured=f"Both neighbours are told apart in {100 * printed:.0f} % of {large.n_replicates} studies "
        f"with 18 degrees of freedom, in {100 * plain:.0f} % with 9, in {100 * corrected:.0f} % with the "
        f"correction of Nadeau and Bengio. In the sample drawn for the figure {n_kept} points are not "
        "rejected.",
        holds=printed > 0.95,
        correction="In part of the samples of that size, and as often as the test is generous.",
        holds_corrected=0.05 < printed <= 0.95 and corrected < 0.5 * printed,
        erratum="P1, P4",
    )


def _confidence(small: Replicates) -> Claim:
    """P6: many tests in a figure."""
    plain, holm = small.mean[PLAIN.name], small.mean[HOLM.name]
    return Claim(
        claim="The points are compared at the confidence level of 95 %.",
        where="section 4.2, Figure 2",
        measured=f"There are 29 tests. At {small.n_per_class} per class {plain:.1f} points are not rejected "
        f"one by one, {holm:.1f} if the 95 % are to hold for all 29 (Holm).",
        holds=holm - plain < 0.5,
        correction="It holds for one test, not for a figure of them.",
        holds_corrected=holm - plain >= 0.5,
        erratum="P6",
    )


def _figure_3(digits: Digits) -> list[Claim]:
    greedy, start = digits.surfaces[GREEDY], digits.surfaces[START]
    near = start.n_indistinguishable(PRINTED.name)
    others = other_choices(start)
    n_distinct = greedy.search.n_distinct
    chosen, nested = greedy.search.best.max_error, digits.nested.max_error
    return [
        Claim(
            claim="For three classes the test marks out a neighbourhood of points that the sample cannot "
            "tell from the selected one.",
            where="section 4.3, Figure 3",
            measured=f"Among the 100 best of 1 000 random weight vectors {near} of 99 cannot be told from "
            f"the first by any of the three class errors ({others.min()} to {others.max()}, median "
            f"{np.median(others):g}, had another been selected).",
            holds=0 < near < 99,
        ),
        Claim(
            claim="Five greedy steps from 1 000 random weight vectors, each keeping the best 100, give the "
            "100 points of the figure.",
            where="section 4.3, Figure 3",
            measured=f"With the best of parents and children kept, {n_distinct} different error vectors are "
            f"left, and {greedy.n_indistinguishable(PRINTED.name)} of 99 points cannot be told from the "
            f"first. Before any step there are {start.search.n_distinct}, and {near} of 99.",
            holds=n_distinct >= 50,
            correction="The search is only named. A surface as in the figure is there before the greedy "
            "steps; they shrink it to almost a point.",
            holds_corrected=start.search.n_distinct >= 50 > n_distinct,
            erratum="P10",
        ),
        Claim(
            claim="The errors at the returned points are estimated by cross-validation.",
            where="section 4.3",
            measured=f"The largest class error at the best point is {chosen:.2f} as estimated, {nested:.2f} "
            "if each fold is decided by weights that were chosen without it.",
            holds=nested <= chosen,
            correction="Points are chosen on the same cases, so their errors are too small; choose without "
            "the fold that is judged.",
            holds_corrected=nested > chosen,
            erratum="P10",
        ),
    ]
