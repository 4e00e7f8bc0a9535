"""One AUC for many datasets: t, random effects, a bootstrap of datasets, and the dataset that comes next.

Datasets have normal scores with separations N(d, spread**2), d such that their mean AUC is ``area``. The t
interval and the bootstrap are for that mean; random effects work on the logit scale, so their interval is for
the AUC at the mean logit, and the prediction interval for the AUC of one more dataset, of very many cases.
The t interval is that of the mean itself (``scale="linear"``; ``hospitals.py`` has the default); random
effects are the plain ones (``interval="hartung-knapp"``). What the default predicts for one more dataset is a
question of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import first_ones, holds, without_notes

import rocsteady as rs
from rocsteady.simulate import standard_normal_nodes

RESAMPLES = 1000


def mean_separation(area: float, spread: float) -> float:
    """The d that gives this mean AUC: E Phi(separation / sqrt(2)) is Phi(d / sqrt(2 + spread**2))."""
    return float(np.sqrt(2 + spread**2) * ndtri(area))


def typical_area(area: float, spread: float) -> float:
    """The AUC at the mean logit of the datasets' AUCs."""
    nodes, weights = standard_normal_nodes()
    areas = ndtr((mean_separation(area, spread) + spread * nodes) / np.sqrt(2))
    return float(expit(weights @ logit(areas)))


def sets_of(
    area: float, spread: float, n_groups: int, n_positives: int, n_negatives: int, replicates: int, seed: int
) -> Iterator[tuple[rs.ScoreSet, float]]:
    """Sets of datasets, each with the true AUC of one more dataset."""
    rng = np.random.default_rng(seed)
    own = first_ones(n_positives, n_negatives)
    labels, groups = np.tile(own, n_groups), np.repeat(np.arange(n_groups), own.size)
    for _ in range(replicates):
        apart = mean_separation(area, spread) + spread * rng.normal(size=n_groups + 1)
        scores = rng.normal(size=labels.size) + apart[groups] * labels
        yield rs.ScoreSet.from_arrays(labels, scores, groups, positive=True), float(ndtr(apart[-1] / 2**0.5))


def summarised(
    area: float,
    spread: float,
    n_positives: int,
    n_negatives: int,
    n_groups: int,
    *,
    replicates: int,
    seed: int,
) -> Shares:
    """Which sets have summaries whose intervals hold what they are for."""
    typical = typical_area(area, spread)
    held: dict[str, list[bool]] = {}
    with without_notes():
        for drawn, new in sets_of(area, spread, n_groups, n_positives, n_negatives, replicates, seed):
            curves = rs.roc_curves(drawn, threads=1)
            found = {"t": bool(holds(rs.summarize_auc(curves, "t", scale="linear").interval, area))}
            for name in ("reml", "dersimonian-laird"):
                summary = rs.summarize_auc(
                    curves, "random-effects", heterogeneity=name, interval="hartung-knapp"
                )
                found[name] = bool(holds(summary.interval, typical))
                if name == "reml":
                    found["next dataset"] = bool(holds(summary.prediction_interval, new))
            for name, value in found.items():
                held.setdefault(name, []).append(value)
    return {name: np.array(values) for name, values in held.items()}


def predicted(*, replicates: int, seed: int, **setting: Any) -> Shares:
    """Which predictions hold the true AUC of one more dataset: the default, and with the spread as known."""
    held: dict[str, list[bool]] = {"guarded": [], "hartung-knapp": []}
    with without_notes():
        for drawn, new in sets_of(**setting, replicates=replicates, seed=seed):
            curves = rs.roc_curves(drawn, threads=1)
            for name, own in held.items():
                summary = rs.summarize_auc(curves, "random-effects", interval=name)
                own.append(bool(holds(summary.prediction_interval, new)))
    return {name: np.array(values) for name, values in held.items()}


def resampled(area: float, *, replicates: int, seed: int, **setting: Any) -> Shares:
    """Percentile intervals of a bootstrap of whole datasets, for the mean AUC."""
    held = []
    with without_notes():
        for i, (drawn, _) in enumerate(sets_of(area, **setting, replicates=replicates, seed=seed)):
            made = rs.bootstrap(
                drawn, random="groups", average="mean", n_resamples=RESAMPLES, seed=i, threads=1
            )
            held.append(bool(holds(made.interval, area)))
    return {"bootstrap of datasets": np.array(held)}


SETTINGS = grid(
    area=(0.8, 0.95),
    spread=(0.0, 0.4),
    n_positives__n_negatives=((20, 20), (20, 200), (200, 200)),
    n_groups=(3, 5, 10, 100),
)
QUESTIONS = (
    Question("mean_auc", 0.95, SETTINGS, summarised),
    Question(
        "new_dataset",
        0.95,
        grid(
            area=(0.8, 0.95),
            spread=(0.2, 0.8),
            n_positives__n_negatives=((20, 20), (20, 200), (200, 200)),
            n_groups=(5, 10, 30),
        ),
        predicted,
        replicates=500,
    ),
    Question(
        "mean_auc_bootstrap",
        0.95,
        grid(
            area=(0.8, 0.95),
            spread=(0.4,),
            n_positives__n_negatives=((20, 20), (200, 200)),
            n_groups=(3, 5, 10, 100),
        ),
        resampled,
    ),
)
