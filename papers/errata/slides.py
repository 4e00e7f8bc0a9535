"""Sakellaropoulos, slides on ROC curves: S1 to S5."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import ndtri

import rocsteady as rs
from papers.errata.erratum import Chapter, Numbers
from papers.errata.samples import TEN_LABELS, TEN_SCORES
from papers.paper import stored
from papers.slides import run
from papers.slides.cutoffs import in_population, in_rows
from papers.slides.example import FITS, TRUE_ERROR
from papers.slides.lessons import COMMON, FIRST, LAST, ONE_STEP, RARE, ten_areas
from papers.slides.normals import EXAMPLE
from papers.slides.printed import (
    AREA,
    CORNER_ROWS,
    FIRST_ROWS,
    N_PER_GROUP,
    implied_standard_error,
    printed_counts,
)
from rocsteady.statistics.delong import hanley_mcneil_variance

RULES = {"youden": "youden", "closest": "closest", "equal": "eer"}

CHAPTER = Chapter(
    "S",
    "Sakellaropoulos, slides on ROC curves",
    "G. C. Sakellaropoulos, ROC (Receiver Operating Characteristic) curves, lecture slides.",
)


@CHAPTER.entry
def s1() -> Numbers:
    """Tied scores are one step (checked)

    Where: How to construct an ROC curve, the table
    Says: the table steps through three tied scores of 0.85 one at a time, the positive first, though the
        slide before says "Apply threshold at each unique value"
    Instead: One threshold, one step: from (1, 2) to (3, 3) in counts of false and true positives, along a
        straight line.
    Because: The area is {together:.2f}; positives first make it {positives_first:.2f}, negatives first
        {negatives_first:.2f}: by sorting tied cases any classifier can be improved.
    Here: `rs.roc_curve` makes tied scores one vertex.
    """
    areas = ten_areas()
    return {"positives_first": areas[FIRST], "together": areas[ONE_STEP], "negatives_first": areas[LAST]}


@CHAPTER.entry
def s2() -> Numbers:
    """Which standard error SPSS prints (checked)

    Where: Area Under the Curve
    Says: area .955, standard error .007, 300 + 300 cases
    Instead: The "nonparametric" one, with counted pairs of pairs, as its footnote says. Hanley and McNeil's
        formula from the area alone (exponential scores) is another, and too large here.
    Because: At an area of .955 normal scores have a standard error of {nonparametric:.4f}; the printed
        interval implies {least:.4f} to {most:.4f}, which {fits:.0f} % of {samples:grouped} such samples
        have. The exponential formula gives {exponential:.4f} and would print {exponential:.3f}. The
        population's area is {population_auc:.4f}, its standard error {population_se:.4f}.
    Here: `curve.auc_standard_error("nonparametric")`, `"delong"`, `"hanley-mcneil"`.
    """
    # Patients so much further off that the population has the area that was printed.
    apart = ndtri(AREA["area"]) * math.hypot(EXAMPLE.negative_sd, EXAMPLE.positive_sd)
    as_printed = replace(EXAMPLE, positive_mean=EXAMPLE.negative_mean + float(apart))
    least, most = implied_standard_error()
    given = stored(run.__file__)["repeated"]["given_area"]  # samples whose area prints as .955
    exponential = hanley_mcneil_variance(np.array(AREA["area"]), N_PER_GROUP, N_PER_GROUP)
    return {
        "nonparametric": as_printed.auc_standard_error(N_PER_GROUP, N_PER_GROUP),
        "exponential": float(np.sqrt(exponential)),
        "least": least,
        "most": most,
        "fits": 100 * given[FITS],
        "samples": int(given["samples"]),
        "population_auc": EXAMPLE.auc,
        "population_se": TRUE_ERROR,
    }


@CHAPTER.entry
def s3() -> Numbers:
    """The tangent is not the closest point (checked)

    Where: Finding the best cut-off value
    Says: "the tangent at 45 degrees parallel to the no-discrimination line that is closest to the
        error-free point (0,1)"
    Instead: The tangent at 45 degrees is Youden's cut-off (largest TPR - FPR). The point closest to (0, 1)
        is another one, and so is the point of equal errors, which the rows shown do not reach.
    Because: In the rows shown Youden's is {youden:.4f} (index {youden_j:.3f}), the closest is
        {closest:.4f}; it takes the counts of 300 to see it, three digits mislead. In the population:
        {population_youden:.4f} and {population_closest:.4f}, and {population_equal:.4f} for equal errors.
        In {above} of the {rows} rows FPR is above 1 - TPR, in the last by {fpr:.3f} to {fnr:.3f}.
    Here: `rs.choose_cutoff(curve, "youden")`, `"closest"`, `"eer"`.
    """
    tp, fp = map(np.array, printed_counts(CORNER_ROWS))
    shown, population = in_rows(), in_population()
    return {
        "youden": shown["youden"].threshold,
        "youden_j": shown["youden"].youden,
        "closest": shown["closest"].threshold,
        **{f"population_{name}": population[rule].threshold for name, rule in RULES.items()},
        "rows": len(CORNER_ROWS),
        "above": int(np.sum(fp > N_PER_GROUP - tp)),
        "fpr": float(fp[-1] / N_PER_GROUP),
        "fnr": float(1 - tp[-1] / N_PER_GROUP),
    }


@CHAPTER.entry
def s4() -> Numbers:
    """Cut-offs that nobody scored (checked)

    Where: Coordinates of the Curve
    Says: "Positive if Greater Than or Equal To", from -.1701 on
    Instead: SPSS's cut-offs are midpoints of consecutive scores; the first is the least score less 1, the
        last the greatest plus 1. So ≥ or > makes no difference there.
    Because: The least score was {least_score:.4f}. Of the ten instances, whose cut-offs run from
        {first:.2f} to {last:.2f}, {on_a_score} are scores.
    Here: `curve.coordinates()` is that table.
    """
    cutoffs = rs.roc_curve(TEN_LABELS, TEN_SCORES).coordinates().cutoffs
    return {
        "printed": FIRST_ROWS[0][0],
        "least_score": FIRST_ROWS[0][0] + 1,
        "first": float(cutoffs[0]),
        "last": float(cutoffs[-1]),
        "on_a_score": int(np.isin(cutoffs, TEN_SCORES).sum()),
    }


@CHAPTER.entry
def s5() -> Numbers:
    """Guessing is a straight line (proved)

    Where: ROC analyses
    Says: "All points lying on the curve connecting the two points ((0,0) and (1,1)) represent random
        guessing", and "would recognize equal amounts of TP and FP"
    Instead: On the straight line. Every ROC curve connects the two points. On that line the rates are
        equal, as the slide also says; the amounts are equal only if there are as many positives as
        negatives.
    Because: The ten instances' curve does, and passes through ({fpr:.1f}, {tpr:.1f}). At the point
        ({half:.1f}, {half:.1f}) of {positives} positives and {negatives} negatives there are {tp:.0f} TP
        and {fp:.0f} FP.
    """
    curve = rs.roc_curve(TEN_LABELS, TEN_SCORES)
    fpr = 0.2
    half = 0.5
    counts = {"positives": RARE, "negatives": COMMON, "tp": half * RARE, "fp": half * COMMON}
    return {"fpr": fpr, "tpr": float(curve.tpr_at(fpr)), "half": half, **counts}
