"""The numbers behind S1 to S5."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

import rocsteady as rs
from papers.errata.erratum import Numbers
from papers.errata.numbers.averaging_roc import trapezium
from papers.errata.samples import TEN_LABELS, TEN_SCORES
from papers.slides.expectations import stored
from papers.slides.parameters import COMMON, EXAMPLE, RARE
from papers.slides.printed import AREA, CORNER_ROWS, FIRST_ROWS, N_PER_GROUP
from papers.slides.replicates import FITS
from papers.slides.spss import implied_standard_error, printed_counts
from rocsteady.statistics.delong import hanley_mcneil_variance


def s1() -> Numbers:
    """The area with the tied scores taken one at a time, positives first or last, and together."""
    return {
        "positives_first": _one_at_a_time(-TEN_LABELS),
        "together": rs.auc(TEN_LABELS, TEN_SCORES),
        "negatives_first": _one_at_a_time(TEN_LABELS),
    }


def _one_at_a_time(order_of_ties: NDArray[np.int64]) -> float:
    labels = TEN_LABELS[np.lexsort((order_of_ties, -TEN_SCORES))]
    tpr, fpr = (np.concatenate([[0], np.cumsum(one)]) / one.sum() for one in (labels, 1 - labels))
    return trapezium(fpr, tpr)


def s2() -> Numbers:
    """Standard errors at the printed area, by both formulas; what the printed interval says; the truth."""
    # Patients so much further off that the population has the area that was printed.
    apart = ndtri(AREA["area"]) * math.hypot(EXAMPLE.negative_sd, EXAMPLE.positive_sd)
    as_printed = replace(EXAMPLE, positive_mean=EXAMPLE.negative_mean + float(apart))
    least, most = implied_standard_error()
    given = stored()["repeated"]["given_area"]  # the samples of a long run whose area prints as .955
    exponential = hanley_mcneil_variance(np.array(AREA["area"]), N_PER_GROUP, N_PER_GROUP)
    return {
        "nonparametric": as_printed.auc_standard_error(N_PER_GROUP, N_PER_GROUP),
        "exponential": float(np.sqrt(exponential)),
        "least": least,
        "most": most,
        "fits": 100 * given[FITS],
        "samples": int(given["samples"]),
        "population_auc": EXAMPLE.auc,
        "population_se": EXAMPLE.auc_standard_error(N_PER_GROUP, N_PER_GROUP),
    }


def s3() -> Numbers:
    """Youden's cut-off and the one closest to the corner: in the printed rows, and in the population."""
    cutoffs = [cutoff for cutoff, _, _ in CORNER_ROWS]
    true_positives, false_positives = (np.array(counts) for counts in printed_counts(CORNER_ROWS))
    from_corner = false_positives**2 + (N_PER_GROUP - true_positives) ** 2
    best = int(np.argmax(true_positives - false_positives))
    youden, closest = EXAMPLE.youden_cutoff(), EXAMPLE.closest_cutoff()
    return {
        "youden": cutoffs[best],
        "youden_j": float((true_positives - false_positives)[best] / N_PER_GROUP),
        "closest": cutoffs[int(np.argmin(from_corner))],
        "population_youden": youden.threshold,
        "population_closest": closest.threshold,
        "population_equal": EXAMPLE.equal_errors_cutoff().threshold,
        "rows": len(CORNER_ROWS),
        "above": int(np.sum(false_positives > N_PER_GROUP - true_positives)),
        "fpr": float(false_positives[-1] / N_PER_GROUP),
        "fnr": float(1 - true_positives[-1] / N_PER_GROUP),
    }


def s4() -> Numbers:
    """The least score behind the first row; the ten instances' cut-offs, and how many of them are scores."""
    cutoffs = rs.roc_curve(TEN_LABELS, TEN_SCORES).coordinates().cutoffs
    return {
        "printed": FIRST_ROWS[0][0],
        "least_score": FIRST_ROWS[0][0] + 1,
        "first": float(cutoffs[0]),
        "last": float(cutoffs[-1]),
        "on_a_score": int(np.isin(cutoffs, TEN_SCORES).sum()),
    }


def s5() -> Numbers:
    """A point of the ten instances' curve, which also connects (0, 0) with (1, 1); a guesser's counts."""
    curve = rs.roc_curve(TEN_LABELS, TEN_SCORES)
    fpr = 0.2
    half = 0.5
    counts = {"positives": RARE, "negatives": COMMON, "tp": half * RARE, "fp": half * COMMON}
    return {"fpr": fpr, "tpr": float(curve.tpr_at(fpr)), "half": half, **counts}
