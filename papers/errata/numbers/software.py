"""The numbers behind T1 to T5: what other programs compute, by their rules and by the definition."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

import rocsteady as rs
from papers.errata.erratum import Numbers
from papers.errata.numbers.averaging_roc import trapezium
from rocsteady.averaging.shared_threshold import ThresholdAverage
from rocsteady.simulate import ShiftedDatasets

Floats = NDArray[np.float64]

POSITIVES, NEGATIVES = (0.9, 0.8, 0.7, 0.4), (0.6, 0.5, 0.3, 0.2)


def t1() -> Numbers:
    """Three positives lead: the TPR at FPR 0 and the area, by the highest and by the mean of the vertices."""
    curve = _small_curve()
    fpr = np.unique(curve.fpr)
    means = np.array([curve.tpr[curve.fpr == one].mean() for one in fpr])
    return {
        "highest": float(curve.tpr_at(0.0)),
        "mean": float(means[0]),
        "area": curve.auc,
        "mean_area": trapezium(fpr, means),
    }


def _small_curve() -> rs.RocCurve:
    labels = np.repeat([1, 0], [len(POSITIVES), len(NEGATIVES)])
    return rs.roc_curve(labels, np.array(POSITIVES + NEGATIVES))


def t2() -> Numbers:
    """Rates at 0.65, between the scores 0.7 and 0.6: as they are, and by a line through both neighbours."""
    curve = _small_curve()
    between = [np.interp(0.65, curve.thresholds[:0:-1], rate[:0:-1]) for rate in (curve.fpr, curve.tpr)]
    rates = curve.rates_at(0.65)
    return {
        "fpr": float(rates.fpr),
        "tpr": float(rates.tpr),
        "line_fpr": float(between[0]),
        "line_tpr": float(between[1]),
    }


def t3() -> Numbers:
    """The recipe on six folds: its area, the mean area, and its band beside a standard error."""
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
        "recipe": trapezium(grid, tpr),
        "mean": float(curves.auc.mean()),
        "exact": rs.average(curves, "vertical").auc,
        "band": float(read[:, at].std()),
        "error": float(error),
    }


def _folds() -> rs.ScoreSet:
    return ShiftedDatasets("C-1", separation=1.5).draw(6, 25, 25, seed=3, unit="fold")


def t4() -> Numbers:
    """The spread of both rates between six folds at one threshold."""
    average = cast("ThresholdAverage", rs.average(_folds(), "threshold"))
    rates = average.rates_at(2.0)
    return {"fpr_sd": float(rates.fpr_sd), "tpr_sd": float(rates.tpr_sd)}


def t5() -> Numbers:
    """The midpoint of two neighbouring floats is one of them; the library's cut-off still divides them."""
    low = 0.6
    high = float(np.nextafter(low, 1.0))
    cutoffs = rs.roc_curve([1, 0], [high, low]).coordinates().cutoffs
    return {
        "collides": int((low + high) / 2 in (low, high)),
        "divides": int(low < cutoffs[1] <= high),
    }
