"""Paclík, Lai, Novovičová and Duin, operating point averaging: P1 to P11."""

from __future__ import annotations

from typing import Any

import numpy as np

import rocsteady as rs
from papers.errata.erratum import Chapter, Numbers
from papers.operating_points import run
from papers.operating_points.two_classes import (
    FIGURE_1_SIZE,
    FIGURE_2_SIZES,
    HOLM,
    N_FOLDS,
    N_POINTS,
    PLAIN,
    UNEQUAL_SIZE,
    level,
    sample,
    uneven_gap,
)
from papers.paper import stored
from rocsteady.scores import stratified_folds
from rocsteady.statistics.paired_t import paired_tests

SMALL, LARGE = (str(size) for size in FIGURE_2_SIZES)

CHAPTER = Chapter(
    "P",
    "Paclik and others, operating point averaging",
    "P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin, Variance estimation for two-class and multi-class "
    "ROC analysis using operating point averaging, *ICPR*, 2008.",
)


@CHAPTER.entry
def p1() -> Numbers:
    """Degrees of freedom (proved)

    Where: Section 4.2
    Says: "The degree of freedom for the t-test is 2n - 2"
    Instead: n - 1. Equation 3 is the paired t statistic in another notation.
    Because: s₁² + s₂² - 2 r s₁ s₂ is the variance of the difference, so t is the mean difference over its
        standard error: {printed:.3f} both ways for two random columns of ten. With 2n - 2 a test at 5 %
        rejects true hypotheses {ten:.1f} % of the time with ten folds, {five:.1f} % with five.
    Here: `rs.paired_t(x1, x2)` and `table.compare_to(...)`; `df="2n-2"` for the paper's.
    """
    first, second = np.random.default_rng(1).random((2, N_FOLDS))
    errors = [x.std(ddof=1) / np.sqrt(N_FOLDS) for x in (first, second)]
    r = np.corrcoef(first, second)[0, 1]
    printed = (first.mean() - second.mean()) / np.sqrt(
        errors[0] ** 2 + errors[1] ** 2 - 2 * r * errors[0] * errors[1]
    )
    return {
        "ten": 100 * level(N_FOLDS),
        "five": 100 * level(5),
        "printed": float(printed),
        "paired": float(rs.paired_t(first, second).statistic),
    }


@CHAPTER.entry
def p2() -> Numbers:
    """Standard deviation of what (a reading)

    Where: Equation 3
    Says: s denotes "the estimated mean and standard deviation computed for the operating point"
    Instead: The standard error of the mean over folds; the caption of Figure 1 says so (standard deviations
        of the mean).
    Because: With standard deviations of single folds, t would be too small by √n, {factor:.2f} for ten
        folds, and hardly anything would be significant.
    Here: `table.measure(name)` has `.sd` and `.standard_error`.
    """
    return {"factor": float(np.sqrt(N_FOLDS))}


@CHAPTER.entry
def p3() -> Numbers:
    """No correlation where nothing varies (proved)

    Where: Equation 3
    Says: the statistic needs the correlation r of two points' performances over folds
    Instead: r is 0 / 0 where one point performs the same in all folds. Take the variance of the
        differences, which is the same number. If that is 0 too: p = 1 for a mean difference of 0, else p =
        0.
    Because: At {constant} of the {points} points of our sample for Figure 1 the FPR is the same in all
        folds. Differences that are all 0 give p = {p_equal:.0f}, differences that are all 0.1 give p =
        {p_shifted:.0f}, with a warning.
    Here: `rs.paired_t` never forms r; RS245 is the warning.
    """
    fpr = sample(FIGURE_1_SIZE).table.measure("fpr")
    same, shifted = np.full(N_FOLDS, 0.2), np.full(N_FOLDS, 0.3)
    pvalues = [float(paired_tests(same, other).pvalue) for other in (same, shifted)]
    return {
        "constant": int((fpr.sd < 1e-12).sum()),
        "points": N_POINTS,
        "p_equal": pvalues[0],
        "p_shifted": pvalues[1],
    }


@CHAPTER.entry
def p4() -> Numbers:
    """Folds are not independent (checked)

    Where: Section 4.2
    Says: the folds' values are tested as a sample of independent ones
    Instead: Folds share training cases, so their spread understates the variance, and no estimate of it is
        unbiased (Bengio & Grandvalet 2004). The usual repair (Nadeau & Bengio 2003) replaces 1/n by 1/n +
        n_test/n_train.
    Because: For ten folds that is a standard error {factor:.2f} times as large. It is more than this
        detector needs: in {studies:grouped} repeated studies the FPR at a fixed threshold varied
        {small:.2f} (50 per class) and {large:.2f} times (200) as much as the folds of one study say.
    Here: `rs.paired_t(..., test_train_ratio=1 / 9)` for ten folds; `table.compare_to` knows it.
    """
    return {
        "factor": float(np.sqrt(1 + N_FOLDS / (N_FOLDS - 1))),
        "small": _understatement(_long_run(SMALL)),
        "large": _understatement(_long_run(LARGE)),
        "studies": _long_run(SMALL)["n_replicates"],
    }


def _long_run(size: str) -> dict[str, Any]:
    """Figure 2 repeated many times: computed in full, stored in expected.json."""
    found: dict[str, Any] = stored(run.__file__)["figure 2"]["long run"][size]
    return found


def _understatement(found: dict[str, Any]) -> float:
    """As replicates.understatement has it."""
    return float(found["sd"]["fpr at a fixed threshold"] / np.sqrt(found["mean"]["its variance by folds"]))


@CHAPTER.entry
def p5() -> Numbers:
    """A hypothesis that is false from the start (proved)

    Where: Section 4.2, Figure 2
    Says: points "for which the null hypothesis was accepted at the confidence level of 95%"
    Instead: Not rejected. It cannot be true for two thresholds of one detector: what the stricter accepts,
        the other accepts too, so one negative between them proves that the FPRs differ. Not rejected means:
        this sample cannot size the difference.
    Because: At 50 per class {kept:.1f} of 29 points are not rejected on average over {studies:grouped}
        repeated studies, and {known:.1f} of these have another FPR in the very sample.
    Here: `.indistinguishable` is worded so; `comparison.cases_to_separate(i)` says what would tell them
        apart.
    """
    found = _long_run(SMALL)
    kept, known = (found["mean"][name] for name in (PLAIN.name, "known to differ"))
    return {"kept": kept, "known": known, "studies": found["n_replicates"]}


@CHAPTER.entry
def p6() -> Numbers:
    """Many tests (checked)

    Where: Figures 2 and 3
    Says: the test is made "comparing the selected point to every other point on the same curve"
    Instead: A test for every other point, with three classes one for each class error, none of them
        adjusted, around a point chosen on the same cases. That no error may be rejected (AND) marks fewer
        points than any one test.
    Because: That is {tests} tests in a plot of two classes and {three_class_tests} in that of three.
        Adjusted by Holm, {holm:.1f} instead of {plain:.1f} points are not rejected at 50 per class, on
        average over {studies:grouped} repeated studies.
    Here: `table.compare_to(..., adjust="holm")` or `"bh"`.
    """
    found = _long_run(SMALL)
    return {
        "tests": N_POINTS - 1,
        "three_class_tests": 99 * 3,
        "plain": found["mean"][PLAIN.name],
        "holm": found["mean"][HOLM.name],
        "studies": found["n_replicates"],
    }


@CHAPTER.entry
def p7() -> Numbers:
    """Means of folds and rates of all rows (proved)

    Where: Section 3
    Says: "Averaging the error estimates of each fold, we compute the mean ROC with variances"
    Instead: For two classes that *is* threshold averaging with folds as datasets. The mean of the folds'
        rates is the rate of the stacked rows only if all folds have equally many cases of the class.
    Because: On our sample for Figure 1 the two methods differ by {identity:.3f}. With {size} cases per
        class in ten folds, the mean over folds and the rate of all rows differ by up to {gap:.4f} in FPR.
    Here: `table.measure(name)` has `.mean` and `.stacked`.
    """
    own = sample(FIGURE_1_SIZE)
    average: Any = rs.average(own.score_set, "threshold")
    rates = average.rates_at(own.table.thresholds)
    gaps = [np.abs(own.table.measure(name).mean - getattr(rates, name)).max() for name in ("fpr", "tpr")]
    return {"size": UNEQUAL_SIZE, "gap": uneven_gap(), "identity": float(max(gaps))}


@CHAPTER.entry
def p8() -> Numbers:
    """Stacking assumes one scale (checked)

    Where: Sections 1 and 3
    Says: cross-validation gives "a single set of unbiased soft output estimates"
    Instead: Stacked outputs come from ten classifiers. One threshold for all of them assumes that their
        outputs are commensurate, exactly as pooling does (Parker, Günter & Bedő 2007). It can be looked at.
    Because: On our sample for Figure 1 the AUC within folds less that between folds is {delta:+.4f}, 95 %
        interval {low:+.4f} to {high:+.4f} (0 lies within).
    Here: `rs.comparability(x)`.
    """
    found = rs.comparability(sample(FIGURE_1_SIZE).score_set)
    interval = found.delta_interval
    return {"delta": found.delta, "low": float(interval.low), "high": float(interval.high)}


@CHAPTER.entry
def p9() -> Numbers:
    """What can be weighted (proved)

    Where: Section 2, equation 2
    Says: decide for the arg max of w_c y_c; outputs may be probabilities "or distances to the decision
        boundary"
    Instead: Weights multiply, so outputs must not be negative: of a signed distance or a log-density a
        larger weight says the opposite. Only ratios of weights matter. Ties are not settled (here: the
        first class). For two posteriors (w₁, w₂) is the threshold w₂ / (w₁ + w₂).
    Because: Outputs (-1, -2) go to class {plain:d}; with three times the weight on class 1 they go to class
        {heavier:d}. With weights (3, 1) the least posterior, on a grid of 0.005, 0.015, ..., that is
        decided for class 1 is {least:.3f}.
    Here: `rs.decide(outputs, class_weights)` refuses negative outputs (RS076).
    """
    outputs = np.array([-1.0, -2.0])
    plain, heavier = (int(np.argmax(np.array([weight, 1.0]) * outputs)) + 1 for weight in (1.0, 3.0))
    posterior = np.linspace(0.005, 0.995, 100)
    decided = rs.decide(np.column_stack([posterior, 1 - posterior]), [3.0, 1.0]) == 0
    return {"plain": plain, "heavier": heavier, "least": float(posterior[decided].min())}


@CHAPTER.entry
def p10() -> Numbers:
    """A search that is only named (a reading)

    Where: Section 4.3
    Says: "five greedy steps are run each retaining the top 100 operating points"
    Instead: How the 1 000 vectors are drawn, what a step does and whether parents survive is not said; here
        Dirichlet draws, log-normal moves that shrink, the best of parents and children. The errors of the
        chosen point are optimistic: it was chosen on the outputs that judge it.
    Because: Three normal classes of 50 (simulated here; the paper has digits), ten folds: the largest class
        error of the chosen weights is {chosen:.2f}, but {honest:.2f} if every fold is decided by weights
        chosen without it; the 100 points kept have only {distinct} different error vectors.
    Here: `rs.search_class_weights`, also `nested=True`; `exact=True` needs no search.
    """
    random, n = np.random.default_rng(10), 50
    classes = np.repeat([0, 1, 2], n)
    outputs = np.exp(random.standard_normal((3 * n, 3)) + 1.2 * np.eye(3)[classes])
    folds = stratified_folds(classes, N_FOLDS, seed=0)
    scores = rs.MulticlassScores(classes, outputs, folds=folds)
    found = rs.search_class_weights(scores, seed=0, nested=True)
    assert found.nested is not None
    return {
        "chosen": found.best.max_error,
        "honest": found.nested.max_error,
        "distinct": found.n_distinct,
    }


@CHAPTER.entry
def p11() -> Numbers:
    """What cannot be read (a reading)

    Where: Equation 1, section 4.1
    Says: equation 1 decides by y > θ or y ≥ θ (not legible in our copy); "the 200 soft outputs"
    Instead: Either will do: the points are the same, a threshold apart. The 200 outputs are 100 of each
        class.
    Because: Our stacked sample for Figure 1 has {points} points under each rule; {differing} of them
        differ.
    Here: `rule=">="` or `">"` in `average_operating_points`.
    """
    rows = sample(FIGURE_1_SIZE).score_set.columns
    curve = rs.roc_curve(rows.labels == rows.positive, rows.scores)
    points = []
    for rule in (">", ">="):
        rates = curve.rates_at(np.concatenate([[np.inf], curve.thresholds, [-np.inf]]), rule=rule)
        points.append(set(zip(rates.fpr.tolist(), rates.tpr.tolist(), strict=True)))
    return {"points": len(points[0]), "differing": len(points[0] ^ points[1])}
