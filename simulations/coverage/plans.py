"""Whether planned studies are as precise as assured; pilots and studies are those of planner.py."""

from __future__ import annotations

import math

import numpy as np
from simulations import planner
from simulations.coverage.cells import Question, Shares, grid


def assured(measure: str, times: float, n_pilot: int, *, replicates: int, seed: int) -> Shares:
    """Which studies are no wider than wanted, planned with an assurance of 0.8."""
    pilots = planner.readings(n_pilot * replicates, 1.0, seed, (measure,))[measure]
    studies = planner.readings(10 * replicates, times, seed + 1, (measure,))[measure][0]
    wanted = math.sqrt(float(np.mean(planner.widths_seen(studies, 30) ** 2)))
    counted, known = planner.assured(pilots, studies, n_pilot, times, wanted, seed + 2)
    return {"counting the pilot": counted.astype(bool), "variance as known": known.astype(bool)}


QUESTIONS = (
    Question(
        "plans",
        0.8,
        grid(measure=("AUC", "TPR at FPR 0.1", "AUC, difference"), times=(1.0, 4.0), n_pilot=(5, 10, 20)),
        assured,
        replicates=1000,
    ),
)
