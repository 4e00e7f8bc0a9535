"""Three places where the numbers say something else than the paper, shown beside its figures.

H2, the cheapest threshold is not where the curve meets a line from (0, 1). H8, reading the highest TPR at an
FPR is too good, however many datasets are averaged. H13, that C-2b's threshold average is about that of C-1
depends on means and spreads which the paper does not give.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocsteady as rs
from papers.averaging_roc.averages import threshold, vertical
from papers.averaging_roc.figure_2 import integrated, slope_at
from papers.averaging_roc.parameters import DESIGNS, N_DATASETS, N_PER_CLASS
from papers.checks import Check, simulated
from rocsteady.simulate import ShiftedDatasets
from rocsteady.words import grouped, listed

Floats = NDArray[np.float64]
SEED = 7
H2, H8, H13 = "H2: the cheapest threshold", "H8: the highest TPR", "H13: C-2b under one threshold"
H13_FPR = 0.25


def notes() -> list[str]:
    """What the names of designs and classifiers stand for, which claims and checks use."""
    made = [
        f"in design {design.name} negatives are N(0, {design.negative_sd:g}) and positives "
        f"N({design.separation:g}, 1)"
        for design in DESIGNS
    ]
    return [
        "Figure 2 has three classifiers. C-1 scores alike in every dataset; C-2a moves all scores of a "
        "dataset by a shift that is N(0, 1); C-2b moves the negatives by it and the positives by its "
        f"absolute value. The paper gives no means and spreads. Here {listed(made)}, with {N_DATASETS} "
        f"datasets of {N_PER_CLASS} + {N_PER_CLASS} cases."
    ]


def checks(expected: Mapping[str, Mapping[str, float]], n_datasets: int) -> list[Check]:
    """All three."""
    return [
        *_cheapest(expected["H2"]),
        *_highest_tpr(expected["H8"], n_datasets),
        *_unlike_c1(expected["H13"], n_datasets),
    ]


def _cheapest(expected: Mapping[str, float]) -> list[Check]:
    """The optimum by search, the intersection on a curve of normal quantiles."""
    from scipy.optimize import minimize_scalar

    searched = minimize_scalar(lambda t: cost(*_rates(t)), bounds=(-5, 5), method="bounded")
    optimum = (*_rates(float(searched.x)), float(searched.fun))
    n = 4000
    quantiles = ndtri((np.arange(n) + 0.5) / n)
    curve = rs.roc_curve(np.arange(2 * n) < n, np.concatenate([quantiles + 1, quantiles]))
    met = _on_the_line(curve.fpr, curve.tpr)
    found = []
    for name, values, tolerance, source in (
        ("optimum", optimum, 1e-5, "search for the minimum"),
        ("intersection", met, 1 / n, f"steps of a curve with {grouped(n)} cases of each class"),
    ):
        for what, value in zip(("fpr", "tpr", "cost"), values, strict=True):
            key = f"{name} {what}"
            label = f"{name}: {what if what == 'cost' else what.upper()}"
            found.append(Check(H2, label, expected[key], float(value), tolerance, source))
    return found


def cost(fpr: float, tpr: float) -> float:
    """Expected cost where missing all positives costs 0.2 and calling all negatives positive costs 0.8."""
    return 0.2 * (1 - tpr) + 0.8 * fpr


def _rates(threshold: float) -> tuple[float, float]:
    return float(ndtr(-threshold)), float(ndtr(1 - threshold))


def _on_the_line(fpr: Floats, tpr: Floats) -> tuple[float, float, float]:
    """Where a curve meets the line from (0, 1) with slope -1/4; above = TPR + FPR / 4 - 1 only rises."""
    above = tpr + fpr / 4 - 1
    x, y = float(np.interp(0.0, above, fpr)), float(np.interp(0.0, above, tpr))
    return x, y, cost(x, y)


def _highest_tpr(expected: Mapping[str, float], n_datasets: int) -> list[Check]:
    population = ShiftedDatasets("C-1", separation=1.5)
    average = vertical(population.draw(n_datasets, 50, 50, seed=SEED))
    read = average.at_position(0.02)
    name = "vertical TPR at FPR 0.02, 50 + 50 cases"
    key = "vertical tpr of finite datasets"
    truth = float(integrated(population, np.array([0.02]))[0][0])
    return [
        simulated(H8, name, expected[key], read.tpr, read.standard_error, f"{n_datasets} datasets"),
        Check(H8, "TPR of the population", expected["population tpr"], truth, 1e-8, "digits that are stored"),
    ]


def _unlike_c1(expected: Mapping[str, float], n_datasets: int) -> list[Check]:
    """Means 0 and 1, all standard deviations 1: C-2b wins under one threshold too."""
    populations = [ShiftedDatasets(kind, separation=1.0) for kind in ("C-1", "C-2b")]
    influence, tpr = [], []
    for population in populations:
        score_set = population.draw(n_datasets, 100, 100, seed=SEED)
        tpr.append(threshold(score_set).tpr_at(H13_FPR))
        influence.append(_influence(population, n_datasets))
    error = (influence[1] - influence[0]).std(ddof=1) / np.sqrt(n_datasets)
    fprs = ndtr(np.linspace(-3, 3, 1201))
    curves = [integrated(population, fprs)[1] for population in populations]
    largest = float(np.abs(curves[1] - curves[0]).max())
    return [
        simulated(
            H13,
            f"threshold TPR at FPR {H13_FPR:g}, C-2b less C-1",
            expected["C-2b over C-1 at fpr 0.25"],
            tpr[1] - tpr[0],
            error,
            f"influence of each of {n_datasets} datasets",
        ),
        Check(H13, "largest difference", expected["largest"], largest, 1e-5, "steps of the grid"),
    ]


def _influence(population: ShiftedDatasets, n_datasets: int) -> Floats:
    """What each dataset adds to the TPR of the threshold average at the given mean FPR, to first order."""
    positives, negatives = population.draw_arrays(n_datasets, 100, 100, seed=SEED)
    t = population.threshold_at(H13_FPR)
    slope = slope_at(population, H13_FPR)
    return np.asarray((positives >= t).mean(axis=1) - slope * (negatives >= t).mean(axis=1))
