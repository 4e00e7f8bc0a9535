"""What the reproduction should find, from closed forms alone: no simulated number enters.

    python -m papers.averaging_roc.closed_forms

prints ``expected.json``. A test holds the stored file against these functions.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from papers.averaging_roc.parameters import (
    DESIGNS,
    FIGURE_1_FPR,
    FPRS,
    KINDS,
    LOWEST_FPR,
    N_DATASETS,
    N_PER_CLASS,
    POORLY,
    READING_FPR,
    SHARED_THRESHOLD,
    WELL,
    Design,
)
from papers.rounding import rounded
from rocsteady.simulate import ShiftedDatasets, binormal_auc

STORED = Path(__file__).with_name("expected.json")


def stored() -> dict[str, Any]:
    """The numbers that come with the package."""
    numbers: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return numbers


def expected() -> dict[str, Any]:
    """The numbers again, from the closed forms."""
    return {
        "figure 1": figure_1(),
        "figure 2": {design.name: figure_2(design) for design in DESIGNS},
        "decisions": {design.name: differences(design) for design in DESIGNS},
        "errata": errata(),
    }


def figure_1() -> dict[str, float]:
    """Rates of the two datasets at the fixed threshold, and their averages."""
    share = WELL.n_per_class / (WELL.n_per_class + POORLY.n_per_class)
    fpr_1, tpr_1 = _rates(WELL.center, 0.0)
    fpr_2, tpr_2 = _rates(POORLY.center, 0.0)
    own = -POORLY.center - float(ndtri(FIGURE_1_FPR))  # the logit threshold that gives dataset 2 the same FPR
    own_tpr = _rates(POORLY.center, own)[1]
    return {
        "threshold": _score(0.0),
        "own threshold of dataset 2": _score(own),
        "fpr 1": fpr_1,
        "tpr 1": tpr_1,
        "fpr 2": fpr_2,
        "tpr 2": tpr_2,
        "pooled fpr": share * fpr_1 + (1 - share) * fpr_2,
        "pooled tpr": share * tpr_1 + (1 - share) * tpr_2,
        "threshold fpr": (fpr_1 + fpr_2) / 2,
        "threshold tpr": (tpr_1 + tpr_2) / 2,
        "tpr 2 at own threshold": own_tpr,
        "vertical tpr": (tpr_1 + own_tpr) / 2,
        "auc 1": binormal_auc(2 * WELL.center),
        "auc 2": binormal_auc(2 * POORLY.center),
    }


def _score(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def _rates(center: float, logit: float) -> tuple[float, float]:
    return float(ndtr(-center - logit)), float(ndtr(center - logit))


def figure_2(design: Design) -> dict[str, Any]:
    """Both averages of the three classifiers, at infinite and at the simulated sizes."""
    curves: dict[str, Any] = {}
    for kind in KINDS:
        population = design.population(kind)
        sd = np.sqrt(
            np.diag(
                population.rate_covariance(SHARED_THRESHOLD, n_positives=N_PER_CLASS, n_negatives=N_PER_CLASS)
            )
        )
        curves[kind] = {
            "vertical tpr": {f"{fpr:g}": population.vertical_tpr(fpr) for fpr in FPRS},
            "vertical tpr of finite datasets": {
                f"{fpr:g}": population.expected_vertical_tpr(round(fpr * N_PER_CLASS), N_PER_CLASS)
                for fpr in FPRS
            },
            "threshold tpr": {f"{fpr:g}": population.threshold_tpr(fpr) for fpr in FPRS},
            "vertical auc": population.vertical_auc,
            "threshold auc": population.threshold_auc,
            "threshold auc of finite datasets": population.expected_threshold_auc(N_DATASETS),
            "fpr beyond the shared threshold": population.fpr_beyond(SHARED_THRESHOLD),
            "tpr beyond the shared threshold": population.tpr_beyond(SHARED_THRESHOLD),
            "fpr sd": float(sd[0]),
            "tpr sd": float(sd[1]),
        }
    first, shifted, wider = (design.population(kind) for kind in KINDS)
    curves["largest differences"] = {
        "C-2b threshold and C-1": largest_difference(wider.threshold_tpr, first.threshold_tpr),
        "C-2b vertical over C-1": largest_difference(wider.vertical_tpr, first.vertical_tpr),
        "C-1 over C-2a threshold": largest_difference(first.threshold_tpr, shifted.threshold_tpr),
    }
    return curves


def largest_difference(a: Callable[[Any], Any], b: Callable[[Any], Any]) -> float:
    """The largest absolute difference of two curves at FPR 0.001 and above."""
    fprs: NDArray[np.float64] = ndtr(np.linspace(ndtri(LOWEST_FPR), 8.0, 100_001))
    return float(np.max(np.abs(a(fprs) - b(fprs))))


def differences(design: Design) -> dict[str, dict[str, float]]:
    """C-2a and C-2b against C-1: by how much, under both averages and both readings."""
    first = design.population("C-1")
    k = round(READING_FPR * N_PER_CLASS)
    found = {}
    for kind in KINDS[1:]:
        other = design.population(kind)
        found[kind] = {
            "vertical tpr": other.expected_vertical_tpr(k, N_PER_CLASS)
            - first.expected_vertical_tpr(k, N_PER_CLASS),
            "vertical auc": other.vertical_auc - first.vertical_auc,
            "threshold tpr": other.threshold_tpr(READING_FPR) - first.threshold_tpr(READING_FPR),
            "threshold auc": other.expected_threshold_auc(N_DATASETS)
            - first.expected_threshold_auc(N_DATASETS),
        }
    return found


def errata() -> dict[str, dict[str, float]]:
    """Numbers behind what the paper says differently."""
    finite = ShiftedDatasets("C-1", separation=1.5)
    plain = {kind: ShiftedDatasets(kind, separation=1.0) for kind in KINDS}
    return {
        "H2": cost_counter_example(),
        "H8": {
            "vertical tpr of finite datasets": finite.expected_vertical_tpr(1, 50),
            "population tpr": finite.vertical_tpr(1 / 50),
        },
        "H13": {
            "C-2b over C-1 at fpr 0.25": plain["C-2b"].threshold_tpr(0.25) - plain["C-1"].threshold_tpr(0.25),
            "largest": largest_difference(plain["C-2b"].threshold_tpr, plain["C-1"].threshold_tpr),
        },
    }


def cost_counter_example() -> dict[str, float]:
    """Normal scores one standard deviation apart, false positives four times as dear in all (1 : 4).

    The cost is 0.2 (1 - TPR) + 0.8 FPR. It is least where the likelihood ratio is 4, not where the curve
    meets the line from (0, 1) with slope -1/4.
    """
    from scipy.optimize import brentq

    best = 0.5 + math.log(4.0)  # log likelihood ratio t - 1/2 = log 4

    def off_the_line(t: float) -> float:
        return float(ndtr(1 - t) - (1 - ndtr(-t) / 4))

    met = float(brentq(off_the_line, -8.0, 8.0, xtol=1e-14))
    numbers: dict[str, float] = {}
    for name, t in (("optimum", best), ("intersection", met)):
        fpr, tpr = float(ndtr(-t)), float(ndtr(1 - t))
        numbers |= {
            f"{name} fpr": fpr,
            f"{name} tpr": tpr,
            f"{name} cost": 0.2 * (1 - tpr) + 0.8 * fpr,
        }
    return numbers


if __name__ == "__main__":
    print(json.dumps(rounded(expected()), indent=1))
