"""Figure 2: three classifiers on a hundred datasets, under vertical and under threshold averaging."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocsteady as rs
from papers.averaging_roc import averages
from papers.averaging_roc.paired import shared_auc_influence
from papers.averaging_roc.parameters import (
    DESIGNS,
    FPRS,
    KINDS,
    LOWEST_FPR,
    N_DATASETS,
    N_PER_CLASS,
    SHARED_THRESHOLD,
    Design,
)
from papers.checks import Check, exact, simulated
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.shared_threshold import ThresholdAverage
from rocsteady.curves.curve_set import CurveSet
from rocsteady.results import Result
from rocsteady.simulate import ShiftedDatasets, standard_normal_nodes

Floats = NDArray[np.float64]
SEED = 1


@dataclass(frozen=True, eq=False, repr=False)
class Panel(Result):
    """One classifier of Figure 2.

    Attributes
    ----------
    design : Design
        Means and spreads.
    kind : str
        "C-1", "C-2a" or "C-2b".
    positives, negatives : float arrays
        The drawn scores, one row for each dataset.
    curves : CurveSet
        The curve of every dataset.
    vertical, threshold : Average
        The two averages.
    """

    design: Design
    kind: str
    positives: Floats
    negatives: Floats
    curves: CurveSet
    vertical: DirectionalAverage
    threshold: ThresholdAverage

    @property
    def population(self) -> ShiftedDatasets:
        """What the scores were drawn from."""
        return self.design.population(self.kind)

    @property
    def section(self) -> str:
        """Under which heading its checks stand."""
        return f"Figure 2, design {self.design.name}, {self.kind}"

    def __repr__(self) -> str:
        return (
            f"Panel({self.section}: vertical AUC {self.vertical.auc:.4f}, threshold {self.threshold.auc:.4f})"
        )


def figure_2(design: Design, seed: int = SEED, n_datasets: int = N_DATASETS) -> list[Panel]:
    """Draw the three classifiers on the same datasets, with the same noise, and average."""
    panels = []
    for kind in KINDS:
        population = design.population(kind)
        sizes = (n_datasets, N_PER_CLASS, N_PER_CLASS)
        positives, negatives = population.draw_arrays(*sizes, seed=seed)
        score_set = population.draw(*sizes, seed=seed)
        curves = rs.roc_curves(score_set)
        vertical, threshold = averages.vertical(score_set), averages.threshold(score_set)
        panels.append(Panel(design, kind, positives, negatives, curves, vertical, threshold))
    return panels


def checks(panels: list[Panel], expected: Mapping[str, Any]) -> list[Check]:
    """Both averages of each classifier at six FPRs, their areas, and the spread under one threshold."""
    found = []
    for panel in panels:
        wanted = expected[panel.kind]
        found += [*_vertical(panel, wanted), *_threshold(panel, wanted), *_spread(panel, wanted)]
    first, shifted = panels[0], panels[1]
    gap = np.abs(first.vertical.tpr_at(np.array(FPRS)) - shifted.vertical.tpr_at(np.array(FPRS)))
    found.append(
        exact(shifted.section, "vertical average less that of C-1 (same noise)", 0.0, float(gap.max()))
    )
    return found


def _vertical(panel: Panel, wanted: Mapping[str, Any]) -> list[Check]:
    source = "spread over the datasets"
    read = panel.vertical.at_position(np.array(FPRS))
    found = [
        simulated(
            panel.section,
            f"vertical TPR at FPR {fpr:g}",
            wanted["vertical tpr of finite datasets"][f"{fpr:g}"],
            read.tpr[i],
            read.standard_error[i],
            source,
        )
        for i, fpr in enumerate(FPRS)
    ]
    areas = panel.curves.auc
    error = areas.std(ddof=1) / np.sqrt(areas.size)
    area = simulated(panel.section, "vertical AUC", wanted["vertical auc"], panel.vertical.auc, error, source)
    return [*found, area]


def _threshold(panel: Panel, wanted: Mapping[str, Any]) -> list[Check]:
    population, source = panel.population, "influence of each dataset"
    tprs = panel.threshold.tpr_at(np.array(FPRS))
    rates = panel.threshold.rates_at(population.threshold_at(np.array(FPRS)))
    found = []
    for i, fpr in enumerate(FPRS):
        slope = slope_at(population, fpr)
        variance = (
            rates.tpr_sd[i] ** 2 + (slope * rates.fpr_sd[i]) ** 2 - 2 * slope * rates.covariance[i]
        ) / len(panel.curves)
        name, expected = f"threshold TPR at mean FPR {fpr:g}", wanted["threshold tpr"][f"{fpr:g}"]
        found.append(simulated(panel.section, name, expected, tprs[i], np.sqrt(variance), source))
    influence = shared_auc_influence(panel.positives, panel.negatives)
    error = influence.std(ddof=1) / np.sqrt(influence.size)
    area = wanted["threshold auc of finite datasets"]
    return [*found, simulated(panel.section, "threshold AUC", area, panel.threshold.auc, error, source)]


def slope_at(population: ShiftedDatasets, fpr: float) -> float:
    """The slope of the threshold average."""
    step = fpr / 1000
    return float((population.threshold_tpr(fpr + step) - population.threshold_tpr(fpr - step)) / (2 * step))


def _spread(panel: Panel, wanted: Mapping[str, Any]) -> list[Check]:
    """Rates under one threshold: means and, because the intervals rest on them, standard deviations."""
    read = panel.threshold.rates_at(SHARED_THRESHOLD)
    found = []
    for name, scores in (("fpr", panel.negatives), ("tpr", panel.positives)):
        rates = (scores >= SHARED_THRESHOLD).mean(axis=1)
        mean, sd = getattr(read, name), getattr(read, f"{name}_sd")
        at = f"at threshold {SHARED_THRESHOLD:g}"
        found += [
            simulated(
                panel.section,
                f"mean {name.upper()} {at}",
                wanted[f"{name} beyond the shared threshold"],
                mean,
                rates.std(ddof=1) / np.sqrt(rates.size),
                "spread over the datasets",
            ),
            simulated(
                panel.section,
                f"sd of {name.upper()} {at}",
                wanted[f"{name} sd"],
                sd,
                sd_error(rates) / sd * wanted[f"{name} sd"],  # relative: a small sd has a small error too
                "fourth moment of the datasets",
            ),
        ]
    return found


def sd_error(values: Floats) -> float:
    """The standard error of a standard deviation, from the fourth moment."""
    centered = values - values.mean()
    variance, fourth = np.mean(centered**2), np.mean(centered**4)
    return float(np.sqrt((fourth - variance**2) / values.size / variance) / 2)


def population_checks(expected: Mapping[str, Any]) -> list[Check]:
    """The closed forms against integrals over the shifts that know nothing of them."""
    found = []
    for design in DESIGNS:
        curves, section = expected[design.name], f"Closed forms and integrals, design {design.name}"
        for kind in KINDS:
            population = design.population(kind)
            tprs, areas = integrated(population, np.array(FPRS)), integrated_areas(population)
            for average, values, area in zip(("vertical", "threshold"), tprs, areas, strict=True):
                stored = np.array([curves[kind][f"{average} tpr"][f"{fpr:g}"] for fpr in FPRS])
                gap = float(np.abs(stored - values).max())
                name, source = f"{kind} {average}", "digits that are stored"
                found.append(Check(section, f"{name}: largest error of the TPRs", 0.0, gap, 1e-8, source))
                stored_area = curves[kind][f"{average} auc"]
                found.append(Check(section, f"{name}: AUC", stored_area, area, 1e-8, source))
        found += _largest_differences(section, design, curves["largest differences"])
    return found


def _largest_differences(section: str, design: Design, wanted: Mapping[str, float]) -> list[Check]:
    fprs = ndtr(np.linspace(ndtri(LOWEST_FPR), 3.0, 1201))
    curves = {kind: integrated(design.population(kind), fprs) for kind in KINDS}
    pairs = {
        "C-2b threshold and C-1": (curves["C-2b"][1], curves["C-1"][1]),
        "C-2b vertical over C-1": (curves["C-2b"][0], curves["C-1"][0]),
        "C-1 over C-2a threshold": (curves["C-1"][1], curves["C-2a"][1]),
    }
    return [
        Check(
            section, f"largest gap, {name}", wanted[name], float(np.abs(a - b).max()), 1e-5, "steps of a grid"
        )
        for name, (a, b) in pairs.items()
    ]


def integrated(population: ShiftedDatasets, fpr: Floats) -> tuple[Floats, Floats]:
    """TPRs of the vertical and of the threshold average, as integrals over the shifts of the datasets."""
    shifts, weights = standard_normal_nodes()
    shifts = shifts[:, None] * (0.0 if population.kind == "C-1" else population.shift_sd)
    moved = np.abs(shifts) if population.kind == "C-2b" else shifts
    own = shifts - population.negative_sd * ndtri(fpr)  # thresholds that give each this FPR
    shared = population.threshold_at(fpr)
    above = population.separation + moved
    return (
        weights @ ndtr((above - own) / population.positive_sd),
        weights @ ndtr((above - shared) / population.positive_sd),
    )


def integrated_areas(population: ShiftedDatasets) -> tuple[float, float]:
    """Areas under both averages: over the shift of one dataset, and over those of two that are compared."""
    shifts, weights = standard_normal_nodes()
    shifts = shifts * (0.0 if population.kind == "C-1" else population.shift_sd)
    above = population.separation + (np.abs(shifts) if population.kind == "C-2b" else shifts)
    spread = np.hypot(population.negative_sd, population.positive_sd)
    own = weights @ ndtr((above - shifts) / spread)
    shared = weights @ ndtr((above[:, None] - shifts) / spread) @ weights
    return float(own), float(shared)
