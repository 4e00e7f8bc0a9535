"""Winner maps of fixed groups, or of one: cases are resampled within group and class, in all models together.

The limits are those of the difference curve of :func:`rocsteady.compare`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rocsteady.inference.comparing.case_influence import largest_deviations
from rocsteady.inference.comparing.over_cases import cases_for, fewest_cases, judged
from rocsteady.inference.comparing.sides import Side
from rocsteady.inference.winner_map.axes import Axis
from rocsteady.inference.winner_map.judging import Judged
from rocsteady.inference.winner_map.paired import PairedAverages
from rocsteady.statistics.resampling import Readings, resampled_cases

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Drawing:
    """How cases are drawn."""

    n_resamples: int
    seed: int
    threads: int | None


def judged_over_cases(models: PairedAverages, drawing: Drawing, level: float) -> Judged:
    """The differences of all pairs, each with the share of the error that is its own (Bonferroni)."""
    axis = models.axis
    sides = [
        Side(name, own, axis.method, drawing.threads)
        for name, own in zip(models.names, models.sets, strict=True)
    ]
    worth = [axis.worth(own).mean(axis=0) for own in models.averages]
    drawn = [_drawn(axis, side, drawing) for side in sides]
    pairs = list(combinations(range(len(sides)), 2))
    found = []
    for i, j in pairs:
        largest = largest_deviations(
            (sides[i], sides[j]),
            axis.positions,
            axis.over,
            paired=True,
            n_draws=drawing.n_resamples,
            seed=drawing.seed,
        )
        found.append(
            judged(
                worth[i] - worth[j],
                drawn[i] - drawn[j],
                largest,
                1 - (1 - level) / len(pairs),
                fewest_cases=fewest_cases((sides[i], sides[j])),
            )
        )
    difference, half = (np.array([getattr(own, name) for own in found]) for name in ("mean", "half_width"))
    pvalue = _least(np.array([own.adjusted for own in found]), np.isfinite(half), difference)
    return Judged(
        "cases",
        difference,
        difference - half,
        difference + half,
        pvalue if math.isnan(pvalue) else min(1.0, len(pairs) * pvalue),
        min(1.0, len(pairs) * found[0].smallest_pvalue),
    )


def _drawn(axis: Axis, side: Side, drawing: Drawing) -> Floats:
    """What resampled cases make a model worth at all positions; the same seed draws the same cases."""
    at = axis.positions
    rates = resampled_cases(
        cases_for(side),
        Readings(tpr_at=at) if axis.over == "fpr" else Readings(fpr_at=at),
        shared=axis.is_shared,
        n_resamples=drawing.n_resamples,
        seed=drawing.seed,
        threads=drawing.threads,
    )
    return rates if axis.over == "fpr" else -rates


def _least(pvalues: Floats, kept: NDArray[np.bool_], difference: Floats) -> float:
    """The least of the positions that have limits; cases without a spread say nothing of a difference."""
    if kept.any():
        return float(pvalues[kept].min())
    return float("nan") if difference.any() else 1.0
