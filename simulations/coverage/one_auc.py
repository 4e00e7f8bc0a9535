"""The interval of one AUC: by formula, on the logit scale, by resampling cases."""

from __future__ import annotations

from itertools import islice

import numpy as np
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import Population, holds, samples, without_notes

from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.intervals import is_short
from rocsteady.curves.spss import spss_limits
from rocsteady.statistics.limits import Interval, separated_limits, t_quantile

FORMULAS = ("delong", "logit", "guarded", "hanley-mcneil")
MORE = 5
"""Samples for formulas, for each one that a resampling method would get."""
RESAMPLES = 1000


def wald(curves: CurveSet, method: str) -> Interval:
    """The clipped interval of a standard error that the library has no interval for."""
    half = t_quantile(np.inf, 0.95) * curves.auc_standard_error(method)
    low, high = np.clip(curves.auc - half, 0, 1), np.clip(curves.auc + half, 0, 1)
    is_one = curves.auc == 1
    bounds = separated_limits(np.ones(len(curves)), curves.n_positives, curves.n_negatives, 0.95)
    return Interval(np.where(is_one, bounds[0], low), np.where(is_one, bounds[1], high), 0.95, method)


def by_formula(
    area: float, n_positives: int, n_negatives: int, shape: str = "normal", *, replicates: int, seed: int
) -> Shares:
    """Which samples have intervals that hold the AUC of the population, and how wide these are."""
    held: dict[str, list[bool]] = {name: [] for name in FORMULAS}
    widths: dict[str, list[float]] = {name: [] for name in FORMULAS}
    with without_notes("RS15"):
        for curves in samples(Population(area, shape), n_positives, n_negatives, MORE * replicates, seed):
            for name in FORMULAS:
                made = wald(curves, name) if name == "hanley-mcneil" else curves.auc_interval(0.95, name)
                held[name] += holds(made, area).tolist()
                widths[name] += (np.minimum(made.high, 1.0) - made.low).tolist()  # what lies beyond 1 is free
    return {name: np.array(found) for name, found in held.items()} | {
        f"{name}, width": np.array(found) for name, found in widths.items()
    }


def as_spss(
    area: float, n_positives: int, n_negatives: int, shape: str = "normal", *, replicates: int, seed: int
) -> Shares:
    """The same for the interval that SPSS prints, and where it is said to be short."""
    held: list[bool] = []
    told: list[bool] = []
    for curves in samples(Population(area, shape), n_positives, n_negatives, replicates, seed):
        low, high = spss_limits(curves.auc, curves.auc_standard_error("nonparametric"), 0.95)
        held += ((low <= area) & (area <= high)).tolist()
        told += is_short("nonparametric", n_positives, n_negatives, curves.auc).tolist()
    return {"spss": np.array(held), "RS155": np.array(told)}


def resampled(
    area: float, n_positives: int, n_negatives: int, shape: str = "normal", *, replicates: int, seed: int
) -> Shares:
    """The same for the percentile bootstrap."""
    held: list[bool] = []
    with without_notes("RS15"):
        for curves in samples(Population(area, shape), n_positives, n_negatives, replicates, seed):
            for curve in islice(curves, replicates):
                made = curve.auc_interval(0.95, "bootstrap", n_resamples=RESAMPLES, seed=len(held))
                held.append(bool(holds(made, area)))
    return {"bootstrap": np.array(held)}


SIZES = ((20, 20), (20, 200), (20, 2000), (2000, 20), (50, 50), (200, 200), (2000, 2000))
NORMAL = grid(area=(0.6, 0.8, 0.9, 0.95, 0.99), n_positives__n_negatives=SIZES)
OTHER = grid(
    shape=("spread", "ratings"), area=(0.8, 0.95), n_positives__n_negatives=((20, 20), (20, 200), (200, 200))
)
QUESTIONS = (
    Question("one_auc", 0.95, NORMAL, by_formula),
    Question("one_auc_shapes", 0.95, OTHER, by_formula),
    Question("one_auc_bootstrap", 0.95, NORMAL, resampled),
    Question("one_auc_shapes_bootstrap", 0.95, OTHER, resampled),
    Question("one_auc_spss", 0.95, NORMAL, as_spss),
    Question("one_auc_shapes_spss", 0.95, OTHER, as_spss),
)
