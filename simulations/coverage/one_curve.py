"""One curve, whose cases are random: the TPR at an FPR, and bands around the whole of it."""

from __future__ import annotations

from itertools import islice

import numpy as np
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import Population, holds, samples, without_notes

from rocsteady.curves.intervals import Band

PLACES = (0.05, 0.1, 0.3)
RESAMPLES = 1000
RESAMPLES_OF_BANDS = 400


def at_rates(area: float, n_positives: int, n_negatives: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals of the TPR hold that of the population, at the FPRs of PLACES."""
    population = Population(area)
    truth = population.tpr(PLACES)
    found: dict[str, list[list[bool]]] = {name: [] for name in ("score", "exact", "bootstrap")}
    with without_notes():
        for curves in samples(population, n_positives, n_negatives, replicates, seed):
            for curve in curves:
                for name, held in found.items():
                    options = {"n_resamples": RESAMPLES, "seed": len(held)} if name == "bootstrap" else {}
                    interval = curve.tpr_interval(np.array(PLACES), method=name, **options)
                    held.append(holds(interval, truth).tolist())
    return {
        f"{name} at {place:g}": column
        for name, held in found.items()
        for place, column in zip(PLACES, np.array(held).T, strict=True)
    }


def is_inside(band: Band, population: Population) -> bool:
    """Whether the curve of the population lies in a band of steps.

    A curve that rises is below a flight of steps if it is at every corner; and above likewise.
    """
    lower, upper = (
        edge.tpr - population.tpr(np.clip(edge.fpr, 0.0, 1.0)) for edge in (band.lower, band.upper)
    )
    # NaN: left out. Beyond the unit square there is nothing to hold.
    inside = (upper >= -1e-9) | (band.upper.tpr >= 1) | np.isnan(upper)
    return bool(inside.all() and ((lower <= 1e-9) | (band.lower.fpr >= 1) | np.isnan(lower)).all())


def whole(area: float, n_positives: int, n_negatives: int, *, replicates: int, seed: int) -> Shares:
    """Which simultaneous bands hold the whole curve of the population."""
    population = Population(area)
    found: dict[str, list[bool]] = {"fixed-width": [], "rectangle": []}
    with without_notes():
        for curves in samples(population, n_positives, n_negatives, replicates, seed):
            for curve in islice(curves, replicates):
                for name, held in found.items():
                    band = curve.band(
                        0.95, "simultaneous", method=name, n_resamples=RESAMPLES_OF_BANDS, seed=len(held)
                    )
                    held.append(is_inside(band, population))
    return {name: np.array(held) for name, held in found.items()}


SIZES = ((20, 20), (50, 50), (20, 200), (200, 20), (200, 200))
QUESTIONS = (
    Question("tpr_at_fpr", 0.95, grid(area=(0.6, 0.8, 0.95, 0.99), n_positives__n_negatives=SIZES), at_rates),
    Question(
        "curve_band",
        0.95,
        grid(area=(0.8, 0.95, 0.99), n_positives__n_negatives=((20, 20), (50, 50), (20, 200), (200, 200))),
        whole,
    ),
)
