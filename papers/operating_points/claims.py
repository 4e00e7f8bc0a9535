"""What Paclik and others claim, and what came out; claims on Figure 3 only where its data are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import rocsteady as rs
from papers.operating_points.digits import GREEDY, START, Digits
from papers.operating_points.two_classes import (
    CORRECTED,
    DIFFER,
    FIGURE_1_SIZE,
    HOLM,
    LEVEL,
    N_FOLDS,
    N_POINTS,
    NEIGHBOURS,
    PLAIN,
    PRINTED,
    UNEQUAL_SIZE,
    Floats,
    Replicates,
    Sample,
    level,
    sample_checks,
    uneven_gap,
)
from papers.paper import Claim, tiny
from rocsteady.simulate import highleyman_fpr
from rocsteady.statistics.paired_t import paired_tests
from rocsteady.words import grouped

SAME = 1e-12
N_TESTS = 20_000
FAIR, NEARLY = 0.02, 0.15
"""How far a spread may be off, as a share of it, to be called right; to be called nearly right."""
OFTEN = 0.95
"""What is so in more than this share of studies is so."""


def claims(
    samples: Mapping[int, Sample], repeated: Sequence[Replicates], digits: Digits | None
) -> tuple[Claim, ...]:
    """All of them, in the order of the paper."""
    small, large = repeated
    first = samples[FIGURE_1_SIZE]
    return (
        *_method(samples, first),
        _variances(small, large),
        *_equation_3(first),
        *_figure_2(samples, small, large),
        *([] if digits is None else _figure_3(digits)),
    )


def _method(samples: Mapping[int, Sample], first: Sample) -> list[Claim]:
    gap = max(abs(check.found) for check in sample_checks(samples.values()))
    fpr, tpr = first.table.measure("fpr"), first.table.measure("tpr")
    even, uneven = float(np.abs(fpr.mean - fpr.stacked).max()), uneven_gap()
    errors = np.concatenate([fpr.standard_error, tpr.standard_error])
    inside = (tpr.mean > 0.02) & (tpr.mean < 0.98)
    furthest = float(np.abs(fpr.mean[inside] - highleyman_fpr(tpr.mean[inside])).max())
    n_unlike, n_moved = _weighted()
    return [
        Claim(
            claim="Operating point averaging generalises threshold averaging.",
            where="abstract, section 1",
            measured=f"Two classes: means and standard deviations at {N_POINTS} thresholds differ from those "
            f"of the threshold average, with folds as datasets, by at most {tiny(gap)}.",
            holds=gap <= SAME,
            erratum="P7",
        ),
        Claim(
            claim="Weights for classes (equation 2) extend the decision by a threshold (equation 1), for "
            "probabilities and for distances to the decision boundary.",
            where="section 2",
            measured=f"500 cases, 20 pairs of weights. Two posteriors: {n_unlike} decisions differ from "
            f"those by the threshold w2 / (w1 + w2). A signed distance and its negative: {n_moved} decisions "
            "differ from those without weights.",
            holds=n_unlike == 0 and n_moved > 0,
            caveat="Of outputs that are not negative. No weight moves the threshold of a signed distance.",
            holds_with_caveat=n_unlike == 0,
            erratum="P9",
        ),
        Claim(
            claim="The curve of the stacked outputs and the means over folds are one and the same ROC.",
            where="section 3, algorithm 1",
            measured=f"Largest gap between the mean FPR of ten folds and the FPR of all rows: {tiny(even)} "
            f"with {first.n_per_class} per class, {uneven:.4f} with {UNEQUAL_SIZE}, which folds cannot share "
            "evenly.",
            holds=max(even, uneven) <= SAME,
            caveat="Where the folds have equally many cases of each class, as those of the paper's figures.",
            holds_with_caveat=even <= SAME < uneven,
            erratum="P7",
        ),
        Claim(
            claim="One cross-validation gives the ROC curve and, at each of 30 points, means with standard "
            "deviations of the mean.",
            where="section 4.1, Figure 1",
            measured=f"{first.table.n_points} points with standard errors of up to {errors.max():.3f}; the "
            f"mean curve is within {furthest:.3f} of FPR of its limit for many cases.",
            holds=first.table.n_points == N_POINTS and bool(np.isfinite(errors).all()) and furthest < 0.1,
        ),
    ]


def _weighted() -> tuple[int, int]:
    """Decisions that no threshold makes; decisions about signed distances that weights change (P9)."""
    random = np.random.default_rng(0)
    posteriors, weights = random.uniform(size=500), random.uniform(0.05, 1, size=(20, 2))
    decided = np.asarray(rs.decide(np.column_stack([posteriors, 1 - posteriors]), weights))
    thresholded = np.where(posteriors > (weights[:, 1] / weights.sum(axis=1))[:, None], 0, 1)
    distances = (posteriors - 0.5)[None, :, None] * np.array([1.0, -1.0])  # rs.decide refuses them: RS076
    moved = (distances * weights[:, None, :]).argmax(axis=2) != distances.argmax(axis=2)
    return int((decided != thresholded).sum()), int(moved.sum())


def _variances(small: Replicates, large: Replicates) -> Claim:
    ratios = [own.understatement for own in (small, large)]
    factor = float(np.sqrt(1 + N_FOLDS / (N_FOLDS - 1)))
    return Claim(
        claim="The spread over folds gives the variance of the performance at an operating point.",
        where="section 3",
        measured=f"At one fixed threshold the FPR varies {ratios[0]:.2f} times ({small.n_per_class} per "
        f"class) and {ratios[1]:.2f} times ({large.n_per_class}) as much from study to study as the folds "
        f"of one study say ({small.n_replicates} studies).",
        holds=all(abs(ratio - 1) <= FAIR for ratio in ratios),
        caveat="Nearly: folds share training cases, so their spread says a little too little for this "
        f"detector. The usual correction (Nadeau and Bengio, a factor of {factor:.2f}) is on the safe side.",
        holds_with_caveat=all(abs(ratio - 1) <= NEARLY for ratio in ratios),
        instead="Folds share training cases, and their spread says too little.",
        erratum="P4",
    )


def _equation_3(first: Sample) -> list[Claim]:
    fpr = first.table.measure("fpr")
    moving = np.flatnonzero(fpr.sd > 1e-9)
    pair = fpr.per_fold[:, moving[[0, -1]]].T
    paired = float(paired_tests(*pair).statistic)
    by_sd, by_error = _printed_t(pair, 1.0), _printed_t(pair, N_FOLDS)
    random = np.random.default_rng(2).standard_normal((2, N_FOLDS))
    centered = random[0] - random[0].mean()
    unrelated = random[1] - centered * (centered @ random[1]) / (
        centered @ centered
    )  # no correlation is left
    both = np.array([random[0], unrelated])
    related = float(paired_tests(*both).statistic)
    independent = float((both[0].mean() - both[1].mean()) / np.sqrt(both.var(axis=1, ddof=1).sum() / N_FOLDS))
    drawn = np.random.default_rng(3).standard_normal((2, N_FOLDS, N_TESTS))
    printed, plain = (
        float((np.asarray(paired_tests(*drawn, df=df).pvalue) <= LEVEL).mean()) for df in ("2n-2", "n-1")
    )
    error = float(np.sqrt(LEVEL * (1 - LEVEL) / N_TESTS))
    return [
        Claim(
            claim="The statistic of equation 3, with standard deviations s, is that of the t test for two "
            "dependent samples.",
            where="section 4.2, equation 3",
            measured=f"Two points of Figure 1: equation 3 gives {by_sd:.3f} with standard deviations of the "
            f"folds and {by_error:.3f} with standard errors of the means; the paired t test {paired:.3f}. At "
            f"{N_POINTS - moving.size} of {N_POINTS} points the FPR is the same in every fold, and the "
            "correlation is 0 / 0.",
            holds=abs(by_sd - paired) <= 1e-9,
            caveat="With each s read as the standard deviation of the mean, as the caption of Figure 1 has "
            "it, and where both points vary over folds. The variance of the differences needs no "
            "correlation.",
            holds_with_caveat=abs(by_error - paired) <= 1e-9,
            erratum="P2, P3",
        ),
        Claim(
            claim="If the correlation is 0, the statistic is that of the t test for independent samples.",
            where="section 4.2",
            measured=f"Two uncorrelated samples of ten: {related:.6f} and {independent:.6f}.",
            holds=abs(related - independent) <= 1e-9,
        ),
        Claim(
            claim="The test has 2n - 2 degrees of freedom, n being the number of folds.",
            where="section 4.2",
            measured=f"{grouped(N_TESTS)} true hypotheses, ten folds, level 5 %: rejected are "
            f"{100 * printed:.1f} % with 2n - 2 (by formula {100 * level(N_FOLDS):.1f} %, with five folds "
            f"{100 * level(5):.1f} %) and {100 * plain:.1f} % with n - 1.",
            holds=abs(printed - LEVEL) <= 4 * error,
            instead="n - 1: it is a paired t test.",
            erratum="P1",
        ),
    ]


def _printed_t(pair: Floats, divisor: float) -> float:
    """Equation 3, with each s squared divided by so much (P2)."""
    s1, s2 = pair.std(axis=1, ddof=1) / np.sqrt(divisor)
    r = np.corrcoef(*pair)[0, 1]
    return float((pair[0].mean() - pair[1].mean()) / np.sqrt(s1**2 + s2**2 - 2 * r * s1 * s2))


def _figure_2(samples: Mapping[int, Sample], small: Replicates, large: Replicates) -> list[Claim]:
    differ = [own.mean[DIFFER] for own in (small, large)]
    kept = [own.mean[PLAIN.name] for own in (small, large)]
    as_printed = [own.mean[PRINTED.name] for own in (small, large)]
    printed, plain, corrected = (large.mean[NEIGHBOURS[test.name]] for test in (PRINTED, PLAIN, CORRECTED))
    n_kept = int(samples[large.n_per_class].comparisons[PRINTED.name].indistinguishable.sum()) - 1
    holm = small.mean[HOLM.name]
    return [
        Claim(
            claim="At the circled points the hypothesis of equal FPRs is accepted.",
            where="section 4.2, Figure 2",
            measured=f"Of the points that are not rejected (9 degrees of freedom), {differ[0]:.2f} of "
            f"{kept[0]:.2f} have another FPR in the sample itself at {small.n_per_class} per class, "
            f"{differ[1]:.2f} of {kept[1]:.2f} at {large.n_per_class}.",
            holds=all(share < 0.5 * n for share, n in zip(differ, kept, strict=True)),
            instead="Not rejected: the sample cannot size the difference. Of two thresholds the stricter "
            "accepts no case that the other refuses, so the FPRs are known to differ.",
            erratum="P5",
        ),
        Claim(
            claim="With more cases fewer points are indistinguishable from the selected one.",
            where="section 4.2, Figure 2",
            measured=f"Of 29 other points {as_printed[0]:.1f} are not rejected at {small.n_per_class} per "
            f"class, {as_printed[1]:.1f} at {large.n_per_class} (means of {small.n_replicates} studies, 18 "
            f"degrees of freedom; {kept[0]:.1f} and {kept[1]:.1f} with 9).",
            holds=as_printed[0] > 1 > as_printed[1],
        ),
        Claim(
            claim="With 200 examples per class the selected operating point is significantly different from "
            "the neighbouring points.",
            where="section 4.2, Figure 2b",
            measured=f"Both neighbours are told apart in {100 * printed:.0f} % of {large.n_replicates} "
            f"studies with 18 degrees of freedom, in {100 * plain:.0f} % with 9, in {100 * corrected:.0f} % "
            f"with the correction of Nadeau and Bengio. In the sample drawn for the figure {n_kept} points "
            "are not rejected.",
            holds=printed > OFTEN,
            caveat="In most samples of that size, by the test as printed; a test that keeps its level tells "
            "them apart less often.",
            holds_with_caveat=0.5 < printed <= OFTEN,
            instead="In the smaller part of the samples of that size.",
            erratum="P1, P4",
        ),
        Claim(
            claim="The points are compared at the confidence level of 95 %.",
            where="section 4.2, Figure 2",
            measured=f"There are 29 tests. At {small.n_per_class} per class {kept[0]:.1f} points are not "
            f"rejected one by one, {holm:.1f} if the 95 % are to hold for all 29 (Holm). With 18 degrees of "
            f"freedom the level of one test is {100 * (1 - level(N_FOLDS)):.1f} %, with 9 it is "
            f"{100 * (1 - LEVEL):.0f} %.",
            holds=holm - kept[0] < 0.5 and level(N_FOLDS) <= LEVEL,
            caveat="One test at a time, with 9 degrees of freedom; not for all tests of a figure at once.",
            holds_with_caveat=holm - kept[0] >= 0.5,
            erratum="P1, P6",
        ),
    ]


def _figure_3(digits: Digits) -> list[Claim]:
    greedy, start = digits.surfaces[GREEDY], digits.surfaces[START]
    near, others = start.n_indistinguishable(PRINTED), start.other_choices()
    n_greedy, n_start = greedy.search.n_distinct, start.search.n_distinct
    return [
        Claim(
            claim="For three classes the test marks out a neighbourhood of points that the sample cannot "
            "tell from the selected one.",
            where="section 4.3, Figure 3",
            measured=f"Among the 100 best of 1 000 random weight vectors {near} of 99 cannot be told from "
            f"the first by any of the three class errors ({others.min()} to {others.max()}, median "
            f"{np.median(others):g}, had another been selected).",
            holds=0 < near < 99,
            chosen_here=True,
        ),
        Claim(
            claim="Five greedy steps from 1 000 random weight vectors, each keeping the best 100, give the "
            "100 points of the figure.",
            where="section 4.3, Figure 3",
            measured=f"With the best of parents and children kept, {n_greedy} different error vectors are "
            f"left, and {greedy.n_indistinguishable(PRINTED)} of 99 points cannot be told from the "
            f"first. Before any step there are {n_start}, and {near} of 99.",
            holds=n_greedy >= 50,
            instead="A surface as in the figure is there before the greedy steps; as read here, they shrink "
            "it to almost a point. How vectors are drawn, moved and kept is not printed.",
            erratum="P10",
            chosen_here=True,
        ),
        Claim(
            claim="The errors at the returned points are estimated by cross-validation.",
            where="section 4.3",
            measured=f"The largest class error at the best point is {digits.chosen_error:.2f} as estimated, "
            f"{digits.nested_error:.2f} if each fold is decided by weights that were chosen without it.",
            holds=digits.nested_error <= digits.chosen_error,
            instead="The points are chosen on the cases that judge them, so their errors are too small; "
            "choose without the fold that is judged.",
            erratum="P10",
            chosen_here=True,
        ),
    ]
