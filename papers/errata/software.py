"""What other programs do, where it differs from the definitions: T1 to T5."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

import rocsteady as rs
from papers.errata.erratum import Chapter, Numbers
from rocsteady.averaging.shared_threshold import ThresholdAverage
from rocsteady.simulate import ShiftedDatasets
from rocsteady.statistics.limits import trapezoids

Floats = NDArray[np.float64]

POSITIVES, NEGATIVES = (0.9, 0.8, 0.7, 0.4), (0.6, 0.5, 0.3, 0.2)

CHAPTER = Chapter(
    "T",
    "Other programs",
    "What widely used programs do where averages are concerned, by their source code and their issues.",
    verb="Does",
)


@CHAPTER.entry
def t1() -> Numbers:
    """ROCR, vertical averages (checked)

    Where: ROCR 1.0-11, plot(perf, avg = "vertical")
    Says: where a curve rises straight up, the *mean* TPR of its vertices there is taken (approxfun with
        ties = mean), and points are joined by lines
    Instead: The maximum, as Provost, Fawcett & Kohavi (1998) and the paper above define it, or openly the
        middle of the jump; and the jumps belong to the curve.
    Because: Positives .9, .8, .7, .4 and negatives .6, .5, .3, .2: at FPR 0 the curve reaches
        {highest:.2f}, ROCR's rule reads {mean:.3f}. The area falls from {area:.3f} to {mean_area:.3f}.
    Here: `rs.average(x, "vertical")`, `rs.Vertical(at_jumps="mid")`.
    """
    curve = _small_curve()
    fpr = np.unique(curve.fpr)
    means = np.array([curve.tpr[curve.fpr == one].mean() for one in fpr])
    return {
        "highest": float(curve.tpr_at(0.0)),
        "mean": float(means[0]),
        "area": curve.auc,
        "mean_area": trapezoids(fpr, means),
    }


def _small_curve() -> rs.RocCurve:
    labels = np.repeat([1, 0], [len(POSITIVES), len(NEGATIVES)])
    return rs.roc_curve(labels, np.array(POSITIVES + NEGATIVES))


@CHAPTER.entry
def t2() -> Numbers:
    """ROCR, threshold averages (checked)

    Where: ROCR 1.0-11, plot(perf, avg = "threshold")
    Says: rates between two scores are interpolated linearly, on thresholds evenly spaced by value; the
        default places of the error bars are taken from the range of the x axis, then used as thresholds
    Instead: Rates are step functions of the threshold: between two scores nothing changes. Error bars
        belong at thresholds.
    Because: The curve of T1 at the threshold 0.65: FPR {fpr:.3f}, TPR {tpr:.2f}; a line between its
        neighbours 0.7 and 0.6 says FPR {line_fpr:.3f}. And thresholds between 0 and 1 mean nothing for
        scores on another scale.
    Here: `rs.average(x, "threshold")`, `.rates_at(t)`.
    """
    curve = _small_curve()
    between = [np.interp(0.65, curve.thresholds[:0:-1], rate[:0:-1]) for rate in (curve.fpr, curve.tpr)]
    rates = curve.rates_at(0.65)
    return {
        "fpr": float(rates.fpr),
        "tpr": float(rates.tpr),
        "line_fpr": float(between[0]),
        "line_tpr": float(between[1]),
    }


@CHAPTER.entry
def t3() -> Numbers:
    """scikit-learn, the cross-validation example (checked)

    Where: gallery example "ROC with cross-validation"
    Says: curves are read on 100 FPRs with np.interp, TPR 0 is written over FPR 0, the trapezium rule gives
        the area, and the grey band is one standard deviation of the curves
    Instead: The area of that polygon is not the mean AUC, and the band is not a confidence band: it does
        not narrow as folds are added.
    Because: {folds} simulated folds of 25 + 25: the recipe's area is {recipe:.4f}, the mean area
        {mean:.4f}, that of the exact average {exact:.4f}. At FPR 0.1 the band is ±{band:.3f}, the standard
        error {error:.3f}.
    Here: `rs.average(x, "vertical")` and `.band()`.
    """
    curves = rs.roc_curves(_folds())
    grid = np.linspace(0, 1, 100)
    read = np.array([np.interp(grid, curve.fpr, curve.tpr) for curve in curves])
    read[:, 0] = 0.0
    tpr = read.mean(axis=0)
    tpr[-1] = 1.0
    at = int(np.argmin(np.abs(grid - 0.1)))
    error = read[:, at].std(ddof=1) / np.sqrt(len(read))
    return {
        "folds": len(read),
        "recipe": trapezoids(grid, tpr),
        "mean": float(curves.auc.mean()),
        "exact": rs.average(curves, "vertical").auc,
        "band": float(read[:, at].std()),
        "error": float(error),
    }


def _folds() -> rs.ScoreSet:
    return ShiftedDatasets("C-1", separation=1.5).draw(6, 25, 25, seed=3, unit="fold")


@CHAPTER.entry
def t4() -> Numbers:
    """Orange, error bars of threshold averages (checked)

    Where: biolab/orange3 #7013, repaired by #7014 in early 2025
    Says: the standard deviation of the FPR stood in for that of the TPR
    Instead: Each rate has its own spread, and the two are correlated.
    Because: The folds of T3 at the threshold 2: the sd of the FPR is {fpr_sd:.3f}, that of the TPR
        {tpr_sd:.3f}.
    Here: `.rates_at(t)` has both and their covariance.
    """
    average = cast("ThresholdAverage", rs.average(_folds(), "threshold"))
    rates = average.rates_at(2.0)
    return {"fpr_sd": float(rates.fpr_sd), "tpr_sd": float(rates.tpr_sd)}


@CHAPTER.entry
def t5() -> Numbers:
    """pROC, averages and midpoints (proved)

    Where: xrobin/pROC #41 and #25
    Says: averages of curves are an open request (#41); thresholds are midpoints of consecutive scores
    Instead: Midpoints of nearly equal scores can coincide with one of them in floating point (#25), and
        then > and ≥ count it differently.
    Because: Between 0.6 and the next float there is no other, so their midpoint rounds to one of the two.
        Here the threshold is then the upper score itself, with ≥, which still divides them.
    Here: `curve.thresholds` are the scores themselves; `curve.coordinates()` are midpoints that divide.
    """
    low = 0.6
    high = float(np.nextafter(low, 1.0))
    cutoffs = rs.roc_curve([1, 0], [high, low]).coordinates().cutoffs
    return {
        "collides": int((low + high) / 2 in (low, high)),
        "divides": int(low < cutoffs[1] <= high),
    }
