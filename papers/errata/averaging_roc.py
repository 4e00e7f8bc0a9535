"""Hogan and Adams, "On averaging ROC curves": H1 to H14."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

import rocsteady as rs
from papers.averaging_roc.figure_1 import POORLY, WELL
from papers.averaging_roc.figure_2 import DESIGNS, PLAIN, largest_gaps, normal_coverage
from papers.averaging_roc.section_4 import (
    COSTS,
    H8_FPR,
    H8_POPULATION,
    H8_SIZE,
    cost,
    expected_h2,
    expected_h8,
    pooled_gap,
)
from papers.errata.erratum import Chapter, Numbers
from papers.errata.samples import two_datasets
from rocsteady.averaging.methods import MethodName
from rocsteady.averaging.shared_threshold import ThresholdAverage
from rocsteady.simulate import binormal_auc
from rocsteady.statistics.limits import t_quantile, trapezoids

Floats = NDArray[np.float64]

BALANCE = -0.2
"""FPR less FNR, for H1."""

CHAPTER = Chapter(
    "H",
    "Hogan and Adams, averaging ROC curves",
    "J. Hogan, N. M. Adams, On averaging ROC curves, *Transactions on Machine Learning Research*, "
    "2023; and the anonymous version that was reviewed.",
)


@CHAPTER.entry
def h1() -> Numbers:
    """What diagonal averaging holds fixed (proved)

    Where: Section 4.1
    Says: "for performance with respect to fixed error rate ratios, averaging should take place diagonally"
    Instead: Diagonal averaging holds the *difference* FPR - FNR fixed; among balanced classes, the share
        that is called positive. A fixed *ratio* needs rays from (0, 1), and averages along rays gain area.
    Because: The diagonal position is FPR + TPR = 1 + FPR - FNR. Where two normal datasets (quantiles in
        place of Figure 1's draws) both have FPR - FNR = -0.2, their FPR : FNR is {first:.2f} and
        {second:.2f}. Only at 1 : 1 do the two agree: the diagonal average has the mean equal error rate,
        {diagonal_eer:.3f}. The area above a curve is half the integral of the squared ray, so by convexity
        the radial average has at least the mean area: {radial:.3f} against {mean:.3f}.
    Here: `rs.average(x, "radial")` for a ratio, `"diagonal"` for a difference or an equal error rate
        ([averages](averages.md)).
    """
    from scipy.optimize import brentq

    ratios = []
    for dataset in (WELL, POORLY):

        def off(t: float, c: float = dataset.center) -> float:
            return float(ndtr(-c - t) - ndtr(t - c)) - BALANCE

        t = brentq(off, -8.0, 8.0, xtol=1e-14)
        ratios.append(float(ndtr(-dataset.center - t) / ndtr(t - dataset.center)))
    curves = rs.roc_curves(two_datasets())
    return {
        "first": ratios[0],
        "second": ratios[1],
        "radial": rs.average(curves, "radial").auc,
        "mean": float(curves.auc.mean()),
        "diagonal_eer": rs.average(curves, "diagonal").equal_error_rate,
        "mean_eer": float(np.mean([curve.equal_error_rate for curve in curves])),
    }


@CHAPTER.entry
def h2() -> Numbers:
    """The threshold of least cost (proved)

    Where: Section 4.1
    Says: "the threshold that minimises cost corresponds to the point of intersection of the ROC curve and a
        line originating from the point (0,1)"
    Instead: Costs are least where the convex hull has a supporting line of slope (π_N c_N) / (π_P c_P). The
        line in the paper is perpendicular to the lines of equal cost: what counts is where a point
        *projects* onto it, not where the curve crosses it.
    Because: Normal scores one sd apart, weights π_P c_P : π_N c_N = 1 : 4. The optimum ({optimum_fpr:.3f},
        {optimum_tpr:.3f}) costs {optimum_cost:.3f}; the crossing ({intersection_fpr:.3f},
        {intersection_tpr:.3f}) costs {intersection_cost:.3f}, more than calling everything negative
        ({all_negative_cost:.1f}). At 1 : 1 both agree on concave curves that are symmetric about the other
        diagonal, not in general: with N(0, 1) and N(2, 2) the optimum costs {even_optimum_cost:.3f}, the
        crossing {even_intersection_cost:.3f}.
    Here: `rs.choose_cutoff(curve, rs.MinimumCost(...))` ([operating points](operating_points.md)).
    """
    from scipy.optimize import brentq, minimize_scalar

    stated = {name.replace(" ", "_"): value for name, value in expected_h2().items()}

    def even_cost(t: float) -> float:  # negatives N(0, 1), positives N(2, 2)
        return float(ndtr(-t) + ndtr((t - 2) / 2)) / 2

    def off_the_line(t: float) -> float:
        return float(ndtr(-t) - ndtr((t - 2) / 2))

    best = minimize_scalar(even_cost, bounds=(-4, 4), method="bounded", options={"xatol": 1e-10})
    equal = brentq(off_the_line, -4.0, 4.0, xtol=1e-14)
    return stated | {
        "all_negative_cost": cost(0.0, 0.0),
        "even_optimum_cost": float(best.fun),
        "even_intersection_cost": even_cost(equal),
    }


@CHAPTER.entry
def h3() -> Numbers:
    """What averaging at fixed costs means (proved)

    Where: Section 4.1
    Says: "ROC curves can also be averaged with respect to fixed costs" with θ = arctan(π_N c_N / π_P c_P)
    Instead: The angle is right, for this: the average is of expected costs at equal positions along the
        lines of equal cost. It is not what classifiers cost that are each tuned to the costs; for that,
        average the cost-optimal points.
    Because: In rotated axes the cost is K (cos θ - tp'), K = √((π_P c_P)² + (π_N c_N)²), so tp' is a cost.
        A minimum of a mean is at least the mean of the minima: with false positives at four times the cost
        of misses the average of the datasets of H1 says {along:.3f}, while the datasets at their own optima
        cost {own:.3f} on average. The mean of the optima (the Minkowski mean of the hulls) says
        {tangent:.3f}, and is exact for all costs.
    Here: `rs.average(x, "tangent")` for tuned classifiers, `rs.AtCosts(...)` for the paper's direction.
    """
    curves = rs.roc_curves(two_datasets())
    own = [rs.choose_cutoff(curve, rs.MinimumCost(**COSTS)).value for curve in curves]
    return {
        "along": rs.average(curves, rs.AtCosts(**COSTS)).minimum_cost(**COSTS),
        "own": float(np.mean(own)),
        "tangent": rs.average(curves, "tangent").minimum_cost(**COSTS),
    }


@CHAPTER.entry
def h4() -> Numbers:
    """When the area of the average is the mean area (proved)

    Where: Section 4
    Says: for vertical averaging and its variants "the AUC of the average curve equals the average of the
        individual AUCs"
    Instead: True for every angle from 0 to π/2, of the exact curve with its end segments. Not true of a
        coarse grid joined by lines, of a curve forced to start at (0, 0) on such a grid, of angles beyond
        (fp' is not monotone there), nor of threshold, pooled, radial and tangent averages.
    Because: Area less 1/2 is the integral of tp' above the chord, whatever the rotation, and that is linear
        in tp'. Two datasets, mean area {mean:.4f}: vertical {vertical:.4f}, diagonal {diagonal:.4f},
        horizontal {horizontal:.4f}; threshold {threshold:.3f}, radial {radial:.3f}, tangent {tangent:.3f};
        a grid of 11 FPRs {grid:.3f}, with TPR 0 at FPR 0 {overwritten:.3f}.
    Here: Directional averages are exact polylines; `average.grid(n)` is for output only.
    """
    curves = rs.roc_curves(two_datasets())
    names: tuple[MethodName, ...] = ("vertical", "diagonal", "horizontal", "threshold", "radial", "tangent")
    areas = {name: rs.average(two_datasets(), name).auc for name in names}
    grid = np.linspace(0, 1, 11)
    tpr = np.asarray(rs.average(curves, "vertical").tpr_at(grid))
    from_origin = np.concatenate([[0.0], tpr[1:]])
    return areas | {
        "mean": float(curves.auc.mean()),
        "grid": trapezoids(grid, tpr),
        "overwritten": trapezoids(grid, from_origin),
    }


@CHAPTER.entry
def h5() -> Numbers:
    """A pooled curve is not an average of curves (proved)

    Where: Section 4
    Says: the pooled curve "can be considered as a weighted average of the individual ROC curves, weighted
        by the number of instances scored in each"
    Instead: Only threshold by threshold, and with different weights on the two axes: n_Pi / n_P for TPR,
        n_Ni / n_N for FPR. In ROC space it is no average: it compares scores across datasets.
    Because: A perfect dataset (positive 4, negative 3) and another one below it (2, 1): both areas are
        {own:.0f}, and so is every average in ROC space, but the pooled area is {pooled:.2f}. It is the sum
        over i, j of (n_Pi / n_P)(n_Nj / n_N) A_ij, A_ij the AUC of the positives of i against the negatives
        of j; here the terms i ≠ j are {across:.2f} on average.
    Here: `rs.cross_auc(x)` is A; `rs.comparability(x)` says whether its off-diagonal terms are lower.
    """
    stacked = rs.ScoreSet.from_folds([([1, 0], [4, 3]), ([1, 0], [2, 1])], design="independent")
    matrix = rs.cross_auc(stacked)
    return {
        "own": float(rs.roc_curves(stacked).auc.min()),
        "pooled": rs.average(stacked, "pooled").auc,
        "from_pairs": float(matrix.mean()),
        "across": float((matrix.sum() - np.trace(matrix)) / 2),
    }


@CHAPTER.entry
def h6() -> Numbers:
    """When pooled and threshold average agree (proved)

    Where: Sections 3.3 and 4
    Says: with equal class sizes "the threshold average curve and the pooled curve would in fact be
        identical"; for folds pooling "and equivalently, threshold averaging" are one
    Instead: True, for any number of datasets and with ties, as whole curves. For folds it needs equally
        many positives in all folds and equally many negatives, not just folds of equal size.
    Because: n_P = M n_P1 turns the pooled rate into the mean of the rates. The largest gap over all
        thresholds of two datasets is {equal:.3f}; with half as many cases in the second it is
        {unequal:.3f}.
    Here: `rs.average(x, "pooled")`, `"threshold"`; `rs.Pooled(balanced=True)` weighs datasets equally.
    """
    return {"equal": pooled_gap(two_datasets()), "unequal": pooled_gap(two_datasets(n_second=60))}


@CHAPTER.entry
def h7() -> Numbers:
    """Uncertainty of a pooled curve (checked)

    Where: Section 4
    Says: "Pooling produces only a single curve and so provides no information regarding uncertainty"
    Instead: The curve alone does not; the datasets do. Resample whole datasets and pool again.
    Because: Twenty datasets of 50 + 50 cases whose levels shift: pooled area {auc:.2f}, 95 % interval
        {low:.2f} to {high:.2f} over datasets.
    Here: `.at(...)`, `.band()` and `.auc_interval()` of a pooled average do this.
    """
    score_set = DESIGNS[0].population("C-2a").draw(20, 50, 50, seed=7)
    pooled = rs.average(score_set, "pooled")
    interval = pooled.auc_interval()
    return {"auc": pooled.auc, "low": float(interval.low), "high": float(interval.high)}


@CHAPTER.entry
def h8() -> Numbers:
    """The highest TPR at an FPR (proved)

    Where: Section 3.2
    Says: a curve becomes a function "by choosing the maximum tp for each fp"
    Instead: A usable convention, but too good at finite n, and no number of datasets mends it. The area is
        unbiased all the same. At FPR 0 the maximum is what the curve reaches there, not 0.
    Because: With continuous scores the expected reading at k / n is that of the population at a Beta(k + 1,
        n - k) FPR. Normal scores 1.5 sd apart, 50 negatives, FPR 0.02: {upper:.3f} on average over all
        samples, where the population has {truth:.3f} (the middle of the jump: {mid:.3f}). With 100 datasets
        a 95 % interval covered the population's TPR in {covers_truth:.0f} % and the biased mean in
        {covers_mean:.0f} % of {studies} simulated studies.
    Here: `rs.Vertical(at_jumps="mid")`; `rs.realise(...)` measures what a tuned threshold attains.
    """
    n, n_datasets, n_studies = H8_SIZE, 100, 400
    upper, lower = (expected_h8(side=side) for side in ("upper", "lower"))
    truth = H8_POPULATION.vertical_tpr(H8_FPR)
    random = np.random.default_rng(8)
    scores = random.standard_normal((n_studies, n_datasets, 2 * n))
    second = np.sort(scores[..., n:], axis=-1)[..., -2]  # above it lies one negative of 50
    tpr = (scores[..., :n] + H8_POPULATION.separation > second[..., None]).mean(axis=-1)
    center, error = tpr.mean(axis=1), tpr.std(axis=1, ddof=1) / np.sqrt(n_datasets)
    half = t_quantile(n_datasets - 1, 0.95) * error
    return {
        "upper": upper,
        "mid": (upper + lower) / 2,
        "truth": truth,
        "covers_truth": 100 * float((np.abs(center - truth) <= half).mean()),
        "covers_mean": 100 * float((np.abs(center - upper) <= half).mean()),
        "studies": n_studies,
    }


@CHAPTER.entry
def h9() -> Numbers:
    """Which quantile (a reading)

    Where: Section 5
    Says: intervals were built "at each point using the assumption of normality"
    Instead: Whether with z or t is not said. With few datasets z is too short: take t with M - 1 degrees of
        freedom. Both are pointwise; and under one threshold both rates vary, so that a region is needed.
    Because: With normal values a 95 % z interval covers the mean in {m3:.0f} % of cases for M = 3, {m5:.0f}
        % for 5, {m10:.0f} % for 10. With t it is 95 %.
    Here: t everywhere; `quantile="normal"` for the paper's; `average.ellipse(t)` for both rates at once.
    """
    return {f"m{m}": 100 * covered for m, covered in zip((3, 5, 10), normal_coverage(3, 5, 10), strict=True)}


@CHAPTER.entry
def h10() -> Numbers:
    """Uniform in what (a reading)

    Where: Section 3.3
    Says: threshold averaging "samples uniformly from the threshold values t"
    Instead: By value or by rank is not said; Fawcett's algorithm goes by rank. Only ranks survive a
        monotone change of scale. Best take every distinct score.
    Because: Eleven thresholds, even by value: area {value:.3f}, but {value_raised:.3f} once all scores are
        passed through exp. Even by rank: {rank:.3f} and {rank_raised:.3f}. All scores: {exact:.3f}.
    Here: `rs.average(x, "threshold")` takes every score; its `.grid(n)` takes n by rank.
    """
    score_set = two_datasets()
    raised = rs.ScoreSet.from_folds(
        [(one.is_positive, np.exp(one.scores)) for one in score_set], design="independent"
    )
    averages = {
        name: cast("ThresholdAverage", rs.average(own, "threshold"))
        for name, own in (("", score_set), ("_raised", raised))
    }
    areas = {}
    for name, average in averages.items():
        for by in ("value", "rank"):
            grid = average.grid(11, by=by)
            areas[by + name] = trapezoids(grid.fpr, grid.tpr)
    return areas | {"exact": averages[""].auc}


@CHAPTER.entry
def h11() -> Numbers:
    """Strict or not (proved)

    Where: Section 2.1, and the anonymous earlier version
    Says: tp = p(s > t | P); the earlier version has fn = p(s < t | P)
    Instead: As sets of points, curves, pooled curves and threshold averages are the same under > and ≥. The
        rates *at* a threshold differ where it is an observed score. fn must be p(s ≤ t | P), so that tp +
        fn = 1; the slip may be the conversion's.
    Because: Positives 1, 2, 2, 3 and t = 2: {above:.2f} lie above, {at_least:.2f} at or above, {below:.2f}
        below. {above:.2f} + {below:.2f} is not 1.
    Here: `curve.rates_at(t, rule=">")`; ≥ is the default.
    """
    curve = rs.roc_curve([1, 1, 1, 1, 0, 0], [1, 2, 2, 3, 0, 2])
    above, at_least = (float(curve.rates_at(2.0, rule=rule).tpr) for rule in (">", ">="))
    return {"above": above, "at_least": at_least, "below": 1 - at_least}


@CHAPTER.entry
def h12() -> Numbers:
    """Letters (a reading)

    Where: Sections 3.1 and 3.3
    Says: "where P and N are the total number of positive and negative instances"; in 3.3 the pooled rates
        carry bars
    Instead: n_P and n_N are the numbers; P and N are the populations. The pooled rates of 3.3 have tildes,
        as in 3.1; the bars belong to the threshold average. The earlier version has tildes in both places.
    Because: With bars the sentence would say that the threshold average differs from itself.
    """
    return {}


@CHAPTER.entry
def h13() -> Numbers:
    """C-2b under one threshold (proved)

    Where: Section 5, Figure 2
    Says: of C-2b "the threshold average ROC curve remains approximately equal" to that of C-1
    Instead: Not a property of the construction: it depends on means and spreads, which the paper does not
        give, and equality is impossible. That C-2b's vertical average dominates *is* a theorem.
    Because: The positives of C-2b, over datasets, are skew-normal, those of C-1 normal. The largest
        difference in TPR is {A:.3f} for N(0, 1.3) and N(3, 1), {B:.3f} for N(0, 1.5) and N(4, 1), but
        {plain:.3f} for N(0, 1) and N(1, 1), where the areas are {plain_auc_1:.2f} and {plain_auc_2:.2f}.
        Vertically, a dataset's separation grows by |ε| - ε ≥ 0.
    Here: `python -m papers averaging` uses the first two designs; `simulate.ShiftedDatasets` has all closed
        forms.
    """
    found = {
        name: largest_gaps(design)["C-2b threshold and C-1"]
        for name, design in zip(("A", "B", "plain"), (*DESIGNS, PLAIN), strict=True)
    }
    areas = [PLAIN.population(kind).threshold_auc for kind in ("C-1", "C-2b")]
    return found | {"plain_auc_1": areas[0], "plain_auc_2": areas[1]}


@CHAPTER.entry
def h14() -> Numbers:
    """The second number of N (a reading)

    Where: Section 5
    Says: scores are drawn from N(μ, σ)
    Instead: σ is taken as a standard deviation, as the letter suggests, not as a variance.
    Because: It matters: N(0, 1.3) and N(3, 1) have an AUC of {as_sd:.3f} in one reading and
        {as_variance:.3f} in the other. The noise ε ~ N(0, 1) is the same in both.
    Here: `simulate.ShiftedDatasets` takes standard deviations by name.
    """
    design = DESIGNS[0]
    sd, variance = design.negative_sd, np.sqrt(design.negative_sd)
    return {
        "as_sd": binormal_auc(design.separation / sd, 1 / sd),
        "as_variance": binormal_auc(design.separation / variance, 1 / variance),
    }
