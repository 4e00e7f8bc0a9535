"""Paclík, Lai, Novovičová and Duin, operating point averaging: P1 to P11."""

from __future__ import annotations

from papers.errata.erratum import CHECKED, PROVED, READING, Erratum
from papers.errata.numbers import operating_points as numbers

ENTRIES = (
    Erratum(
        code="P1",
        title="Degrees of freedom",
        where="Section 4.2",
        says='"The degree of freedom for the t-test is 2n - 2"',
        instead="n - 1. Equation 3 is the paired t statistic in another notation.",
        template="s₁² + s₂² - 2 r s₁ s₂ is the variance of the difference, so t is the mean difference over "
        "its standard error: {printed:.3f} both ways for two random columns of ten. With 2n - 2 a test at 5 "
        "% rejects true hypotheses {ten:.1f} % of the time with ten folds, {five:.1f} % with five.",
        status=PROVED,
        here='`rs.paired_t(x1, x2)` and `table.compare_to(...)`; `df="2n-2"` for the paper\'s.',
        compute=numbers.p1,
    ),
    Erratum(
        code="P2",
        title="Standard deviation of what",
        where="Equation 3",
        says='s denotes "the estimated mean and standard deviation computed for the operating point"',
        instead="The standard error of the mean over folds; the caption of Figure 1 says so (standard "
        "deviations of the mean).",
        template="With standard deviations of single folds, t would be too small by √n, {factor:.2f} for "
        "ten folds, and hardly anything would be significant.",
        status=READING,
        here="`table.measure(name)` has `.sd` and `.standard_error`.",
        compute=numbers.p2,
    ),
    Erratum(
        code="P3",
        title="No correlation where nothing varies",
        where="Equation 3",
        says="the statistic needs the correlation r of two points' performances over folds",
        instead="r is 0 / 0 where one point performs the same in all folds. Take the variance of the "
        "differences, which is the same number. If that is 0 too: p = 1 for a mean difference of 0, else p "
        "= 0.",
        template="At {constant} of the {points} points of our sample for Figure 1 the FPR is the same in "
        "all folds. Differences that are all 0 give p = {p_equal:.0f}, differences that are all 0.1 give p "
        "= {p_shifted:.0f}, with a warning.",
        status=PROVED,
        here="`rs.paired_t` never forms r; RS245 is the warning.",
        compute=numbers.p3,
    ),
    Erratum(
        code="P4",
        title="Folds are not independent",
        where="Section 4.2",
        says="the folds' values are tested as a sample of independent ones",
        instead="Folds share training cases, so their spread understates the variance, and no estimate of "
        "it is unbiased (Bengio & Grandvalet 2004). The usual repair (Nadeau & Bengio 2003) replaces 1/n by "
        "1/n + n_test/n_train.",
        template="For ten folds that is a standard error {factor:.2f} times as large. It is more than this "
        "detector needs: in {studies:grouped} repeated studies the FPR at a fixed threshold varied "
        "{small:.2f} (50 per class) and {large:.2f} times (200) as much as the folds of one study say.",
        status=CHECKED,
        here="`rs.paired_t(..., test_train_ratio=1 / 9)` for ten folds; `table.compare_to` knows it.",
        compute=numbers.p4,
    ),
    Erratum(
        code="P5",
        title="A hypothesis that is false from the start",
        where="Section 4.2, Figure 2",
        says='points "for which the null hypothesis was accepted at the confidence level of 95%"',
        instead="Not rejected. It cannot be true for two thresholds of one detector: what the stricter "
        "accepts, the other accepts too, so one negative between them proves that the FPRs differ. Not "
        "rejected means: this sample cannot size the difference.",
        template="At 50 per class {kept:.1f} of 29 points are not rejected on average over "
        "{studies:grouped} repeated studies, and {known:.1f} of these have another FPR in the very sample.",
        status=PROVED,
        here="`.indistinguishable` is worded so; `comparison.cases_to_separate(i)` says what would tell "
        "them apart.",
        compute=numbers.p5,
    ),
    Erratum(
        code="P6",
        title="Many tests",
        where="Figures 2 and 3",
        says='the test is made "comparing the selected point to every other point on the same curve"',
        instead="A test for every other point, with three classes one for each class error, none of them "
        "adjusted, around a point chosen on the same cases. That no error may be rejected (AND) marks fewer "
        "points than any one test.",
        template="That is {tests} tests in a plot of two classes and {three_class_tests} in that of three. "
        "Adjusted by Holm, {holm:.1f} instead of {plain:.1f} points are not rejected at 50 per class, on "
        "average over {studies:grouped} repeated studies.",
        status=CHECKED,
        here='`table.compare_to(..., adjust="holm")` or `"bh"`.',
        compute=numbers.p6,
    ),
    Erratum(
        code="P7",
        title="Means of folds and rates of all rows",
        where="Section 3",
        says='"Averaging the error estimates of each fold, we compute the mean ROC with variances"',
        instead="For two classes that *is* threshold averaging with folds as datasets. The mean of the "
        "folds' rates is the rate of the stacked rows only if all folds have equally many cases of the "
        "class.",
        template="On our sample for Figure 1 the two methods differ by {identity:.3f}. With {size} cases "
        "per class in ten folds, the mean over folds and the rate of all rows differ by up to {gap:.4f} in "
        "FPR.",
        status=PROVED,
        here="`table.measure(name)` has `.mean` and `.stacked`.",
        compute=numbers.p7,
    ),
    Erratum(
        code="P8",
        title="Stacking assumes one scale",
        where="Sections 1 and 3",
        says='cross-validation gives "a single set of unbiased soft output estimates"',
        instead="Stacked outputs come from ten classifiers. One threshold for all of them assumes that "
        "their outputs are commensurate, exactly as pooling does (Parker, Günter & Bedő 2007). It can be "
        "looked at.",
        template="On our sample for Figure 1 the AUC within folds less that between folds is {delta:+.4f}, "
        "95 % interval {low:+.4f} to {high:+.4f} (0 lies within).",
        status=CHECKED,
        here="`rs.comparability(x)`.",
        compute=numbers.p8,
    ),
    Erratum(
        code="P9",
        title="What can be weighted",
        where="Section 2, equation 2",
        says='decide for the arg max of w_c y_c; outputs may be probabilities "or distances to the decision '
        'boundary"',
        instead="Weights multiply, so outputs must not be negative: of a signed distance or a log-density a "
        "larger weight says the opposite. Only ratios of weights matter. Ties are not settled (here: the "
        "first class). For two posteriors (w₁, w₂) is the threshold w₂ / (w₁ + w₂).",
        template="Outputs (-1, -2) go to class {plain:d}; with three times the weight on class 1 they go to "
        "class {heavier:d}. With weights (3, 1) the least posterior, on a grid of 0.005, 0.015, ..., that "
        "is decided for class 1 is {least:.3f}.",
        status=PROVED,
        here="`rs.decide(outputs, class_weights)` refuses negative outputs (RS076).",
        compute=numbers.p9,
    ),
    Erratum(
        code="P10",
        title="A search that is only named",
        where="Section 4.3",
        says='"five greedy steps are run each retaining the top 100 operating points"',
        instead="How the 1 000 vectors are drawn, what a step does and whether parents survive is not said; "
        "here Dirichlet draws, log-normal moves that shrink, the best of parents and children. The errors "
        "of the chosen point are optimistic: it was chosen on the outputs that judge it.",
        template="Three normal classes of 50 (simulated here; the paper has digits), ten folds: the largest "
        "class error of the chosen weights is {chosen:.2f}, but {honest:.2f} if every fold is decided by "
        "weights chosen without it; the 100 points kept have only {distinct} different error vectors.",
        status=READING,
        here="`rs.search_class_weights`, also `nested=True`; `exact=True` needs no search.",
        compute=numbers.p10,
    ),
    Erratum(
        code="P11",
        title="What cannot be read",
        where="Equation 1, section 4.1",
        says='equation 1 decides by y > θ or y ≥ θ (not legible in our copy); "the 200 soft outputs"',
        instead="Either will do: the points are the same, a threshold apart. The 200 outputs are 100 of "
        "each class.",
        template="Our stacked sample for Figure 1 has {points} points under each rule; {differing} of them "
        "differ.",
        status=READING,
        here='`rule=">="` or `">"` in `average_operating_points`.',
        compute=numbers.p11,
    ),
)
