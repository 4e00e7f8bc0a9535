"""Hogan and Adams, "On averaging ROC curves": H1 to H14."""

from __future__ import annotations

from papers.errata.erratum import CHECKED, PROVED, READING, Erratum
from papers.errata.numbers import averaging_roc as numbers

ENTRIES = (
    Erratum(
        code="H1",
        title="What diagonal averaging holds fixed",
        where="Section 4.1",
        says='"for performance with respect to fixed error rate ratios, averaging should take place '
        'diagonally"',
        instead="Diagonal averaging holds the *difference* FPR - FNR fixed; among balanced classes, the "
        "share that is called positive. A fixed *ratio* needs rays from (0, 1), and averages along rays "
        "gain area.",
        template="The diagonal position is FPR + TPR = 1 + FPR - FNR. Where two normal datasets (quantiles "
        "in place of Figure 1's draws) both have FPR - FNR = -0.2, their FPR : FNR is {first:.2f} and "
        "{second:.2f}. Only at 1 : 1 do the two agree: the diagonal average has the mean equal error rate, "
        "{diagonal_eer:.3f}. The area above a curve is half the integral of the squared ray, so by "
        "convexity the radial average has at least the mean area: {radial:.3f} against {mean:.3f}.",
        status=PROVED,
        here='`rs.average(x, "radial")` for a ratio, `"diagonal"` for a difference or an equal error rate '
        "([averages](averages.md)).",
        compute=numbers.h1,
    ),
    Erratum(
        code="H2",
        title="The threshold of least cost",
        where="Section 4.1",
        says='"the threshold that minimises cost corresponds to the point of intersection of the ROC curve '
        'and a line originating from the point (0,1)"',
        instead="Costs are least where the convex hull has a supporting line of slope (π_N c_N) / (π_P "
        "c_P). The line in the paper is perpendicular to the lines of equal cost: what counts is where a "
        "point *projects* onto it, not where the curve crosses it.",
        template="Normal scores one sd apart, weights π_P c_P : π_N c_N = 1 : 4. The optimum "
        "({optimum_fpr:.3f}, {optimum_tpr:.3f}) costs {optimum_cost:.3f}; the crossing "
        "({intersection_fpr:.3f}, {intersection_tpr:.3f}) costs {intersection_cost:.3f}, more than calling "
        "everything negative ({all_negative_cost:.1f}). At 1 : 1 both agree on concave curves that are "
        "symmetric about the other diagonal, not in general: with N(0, 1) and N(2, 2) the optimum costs "
        "{even_optimum_cost:.3f}, the crossing {even_intersection_cost:.3f}.",
        status=PROVED,
        here="`rs.choose_cutoff(curve, rs.MinimumCost(...))` ([operating points](operating_points.md)).",
        compute=numbers.h2,
    ),
    Erratum(
        code="H3",
        title="What averaging at fixed costs means",
        where="Section 4.1",
        says='"ROC curves can also be averaged with respect to fixed costs" with θ = arctan(π_N c_N / π_P '
        "c_P)",
        instead="The angle is right, for this: the average is of expected costs at equal positions along "
        "the lines of equal cost. It is not what classifiers cost that are each tuned to the costs; for "
        "that, average the cost-optimal points.",
        template="In rotated axes the cost is K (cos θ - tp'), K = √((π_P c_P)² + (π_N c_N)²), so tp' is a "
        "cost. A minimum of a mean is at least the mean of the minima: with false positives at four times "
        "the cost of misses the average of the datasets of H1 says {along:.3f}, while the datasets at their "
        "own optima cost {own:.3f} on average. The mean of the optima (the Minkowski mean of the hulls) "
        "says {tangent:.3f}, and is exact for all costs.",
        status=PROVED,
        here='`rs.average(x, "tangent")` for tuned classifiers, `rs.AtCosts(...)` for the paper\'s '
        "direction.",
        compute=numbers.h3,
    ),
    Erratum(
        code="H4",
        title="When the area of the average is the mean area",
        where="Section 4",
        says='for vertical averaging and its variants "the AUC of the average curve equals the average of '
        'the individual AUCs"',
        instead="True for every angle from 0 to π/2, of the exact curve with its end segments. Not true of "
        "a coarse grid joined by lines, of a curve forced to start at (0, 0) on such a grid, of angles "
        "beyond (fp' is not monotone there), nor of threshold, pooled, radial and tangent averages.",
        template="Area less 1/2 is the integral of tp' above the chord, whatever the rotation, and that is "
        "linear in tp'. Two datasets, mean area {mean:.4f}: vertical {vertical:.4f}, diagonal "
        "{diagonal:.4f}, horizontal {horizontal:.4f}; threshold {threshold:.3f}, radial {radial:.3f}, "
        "tangent {tangent:.3f}; a grid of 11 FPRs {grid:.3f}, with TPR 0 at FPR 0 {overwritten:.3f}.",
        status=PROVED,
        here="Directional averages are exact polylines; `average.grid(n)` is for output only.",
        compute=numbers.h4,
    ),
    Erratum(
        code="H5",
        title="A pooled curve is not an average of curves",
        where="Section 4",
        says='the pooled curve "can be considered as a weighted average of the individual ROC curves, '
        'weighted by the number of instances scored in each"',
        instead="Only threshold by threshold, and with different weights on the two axes: n_Pi / n_P for "
        "TPR, n_Ni / n_N for FPR. In ROC space it is no average: it compares scores across datasets.",
        template="A perfect dataset (positive 4, negative 3) and another one below it (2, 1): both areas "
        "are {own:.0f}, and so is every average in ROC space, but the pooled area is {pooled:.2f}. It is "
        "the sum over i, j of (n_Pi / n_P)(n_Nj / n_N) A_ij, A_ij the AUC of the positives of i against the "
        "negatives of j; here the terms i ≠ j are {across:.2f} on average.",
        status=PROVED,
        here="`rs.cross_auc(x)` is A; `rs.comparability(x)` says whether its off-diagonal terms are lower.",
        compute=numbers.h5,
    ),
    Erratum(
        code="H6",
        title="When pooled and threshold average agree",
        where="Sections 3.3 and 4",
        says='with equal class sizes "the threshold average curve and the pooled curve would in fact be '
        'identical"; for folds pooling "and equivalently, threshold averaging" are one',
        instead="True, for any number of datasets and with ties, as whole curves. For folds it needs "
        "equally many positives in all folds and equally many negatives, not just folds of equal size.",
        template="n_P = M n_P1 turns the pooled rate into the mean of the rates. The largest gap over all "
        "thresholds of two datasets is {equal:.3f}; with half as many cases in the second it is "
        "{unequal:.3f}.",
        status=PROVED,
        here='`rs.average(x, "pooled")`, `"threshold"`; `rs.Pooled(balanced=True)` weighs datasets equally.',
        compute=numbers.h6,
    ),
    Erratum(
        code="H7",
        title="Uncertainty of a pooled curve",
        where="Section 4",
        says='"Pooling produces only a single curve and so provides no information regarding uncertainty"',
        instead="The curve alone does not; the datasets do. Resample whole datasets and pool again.",
        template="Twenty datasets of 50 + 50 cases whose levels shift: pooled area {auc:.2f}, 95 % interval "
        "{low:.2f} to {high:.2f} over datasets.",
        status=CHECKED,
        here="`.at(...)`, `.band()` and `.auc_interval()` of a pooled average do this.",
        compute=numbers.h7,
    ),
    Erratum(
        code="H8",
        title="The highest TPR at an FPR",
        where="Section 3.2",
        says='a curve becomes a function "by choosing the maximum tp for each fp"',
        instead="A usable convention, but too good at finite n, and no number of datasets mends it. The "
        "area is unbiased all the same. At FPR 0 the maximum is what the curve reaches there, not 0.",
        template="With continuous scores the expected reading at k / n is that of the population at a "
        "Beta(k + 1, n - k) FPR. Normal scores 1.5 sd apart, 50 negatives, FPR 0.02: {upper:.3f} on average "
        "over all samples, where the population has {truth:.3f} (the middle of the jump: {mid:.3f}). With "
        "100 datasets a 95 % interval covered the population's TPR in {covers_truth:.0f} % and the biased "
        "mean in {covers_mean:.0f} % of {studies} simulated studies.",
        status=PROVED,
        here='`rs.Vertical(at_jumps="mid")`; `rs.realise(...)` measures what a tuned threshold attains.',
        compute=numbers.h8,
    ),
    Erratum(
        code="H9",
        title="Which quantile",
        where="Section 5",
        says='intervals were built "at each point using the assumption of normality"',
        instead="Whether with z or t is not said. With few datasets z is too short: take t with M - 1 "
        "degrees of freedom. Both are pointwise; and under one threshold both rates vary, so that a region "
        "is needed.",
        template="With normal values a 95 % z interval covers the mean in {m3:.0f} % of cases for M = 3, "
        "{m5:.0f} % for 5, {m10:.0f} % for 10. With t it is 95 %.",
        status=READING,
        here='t everywhere; `quantile="normal"` for the paper\'s; `average.ellipse(t)` for both rates at '
        "once.",
        compute=numbers.h9,
    ),
    Erratum(
        code="H10",
        title="Uniform in what",
        where="Section 3.3",
        says='threshold averaging "samples uniformly from the threshold values t"',
        instead="By value or by rank is not said; Fawcett's algorithm goes by rank. Only ranks survive a "
        "monotone change of scale. Best take every distinct score.",
        template="Eleven thresholds, even by value: area {value:.3f}, but {value_raised:.3f} once all "
        "scores are passed through exp. Even by rank: {rank:.3f} and {rank_raised:.3f}. All scores: "
        "{exact:.3f}.",
        status=READING,
        here='`rs.average(x, "threshold")` takes every score; its `.grid(n)` takes n by rank.',
        compute=numbers.h10,
    ),
    Erratum(
        code="H11",
        title="Strict or not",
        where="Section 2.1, and the anonymous earlier version",
        says="tp = p(s > t | P); the earlier version has fn = p(s < t | P)",
        instead="As sets of points, curves, pooled curves and threshold averages are the same under > and "
        "≥. The rates *at* a threshold differ where it is an observed score. fn must be p(s ≤ t | P), so "
        "that tp + fn = 1; the slip may be the conversion's.",
        template="Positives 1, 2, 2, 3 and t = 2: {above:.2f} lie above, {at_least:.2f} at or above, "
        "{below:.2f} below. {above:.2f} + {below:.2f} is not 1.",
        status=PROVED,
        here='`curve.rates_at(t, rule=">")`; ≥ is the default.',
        compute=numbers.h11,
    ),
    Erratum(
        code="H12",
        title="Letters",
        where="Sections 3.1 and 3.3",
        says='"where P and N are the total number of positive and negative instances"; in 3.3 the pooled '
        "rates carry bars",
        instead="n_P and n_N are the numbers; P and N are the populations. The pooled rates of 3.3 have "
        "tildes, as in 3.1; the bars belong to the threshold average. The earlier version has tildes in "
        "both places.",
        template="With bars the sentence would say that the threshold average differs from itself.",
        status=READING,
    ),
    Erratum(
        code="H13",
        title="C-2b under one threshold",
        where="Section 5, Figure 2",
        says='of C-2b "the threshold average ROC curve remains approximately equal" to that of C-1',
        instead="Not a property of the construction: it depends on means and spreads, which the paper does "
        "not give, and equality is impossible. That C-2b's vertical average dominates *is* a theorem.",
        template="The positives of C-2b, over datasets, are skew-normal, those of C-1 normal. The largest "
        "difference in TPR is {A:.3f} for N(0, 1.3) and N(3, 1), {B:.3f} for N(0, 1.5) and N(4, 1), but "
        "{plain:.3f} for N(0, 1) and N(1, 1), where the areas are {plain_auc_1:.2f} and {plain_auc_2:.2f}. "
        "Vertically, a dataset's separation grows by |ε| - ε ≥ 0.",
        status=PROVED,
        here="`python -m papers averaging` uses the first two designs; `simulate.ShiftedDatasets` has "
        "all closed forms.",
        compute=numbers.h13,
    ),
    Erratum(
        code="H14",
        title="The second number of N",
        where="Section 5",
        says="scores are drawn from N(μ, σ)",
        instead="σ is taken as a standard deviation, as the letter suggests, not as a variance.",
        template="It matters: N(0, 1.3) and N(3, 1) have an AUC of {as_sd:.3f} in one reading and "
        "{as_variance:.3f} in the other. The noise ε ~ N(0, 1) is the same in both.",
        status=READING,
        here="`simulate.ShiftedDatasets` takes standard deviations by name.",
        compute=numbers.h14,
    ),
)
