"""Intervals and bands around averages of many curves; the samples are those of average_intervals.py."""

from __future__ import annotations

import numpy as np
from simulations import average_intervals as single
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import without_notes

from rocsteady.statistics.groups import limits_of_mean, mostly_alike, spread

MORE = 5


def pointwise(n_groups: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which t intervals of the vertical average hold E[R^], at the FPRs of single.PLACES."""
    values = single.read(single.drawn_jumps(n_groups, MORE * replicates, seed, n=n))
    targets = np.array([single.expected(place, n) for place in single.PLACES])
    found = spread(values.reshape(n_groups, -1), np.full(n_groups, 1 / n_groups))
    mean, error = (each.reshape(values.shape[1:]) for each in (found.mean, found.standard_error))
    alike = mostly_alike(values.reshape(n_groups, -1)).reshape(values.shape[1:])
    weights, cases = np.full(n_groups, 1 / n_groups), np.full(n_groups, n)
    shares = {}
    for name, quantile, scale in (
        ("t", "t", "logit"),
        ("linear", "t", "linear"),
        ("normal", "normal", "linear"),
    ):
        low, high = limits_of_mean(
            mean, error, alike, weights, cases, single.LEVEL, df=n_groups - 1, quantile=quantile, scale=scale
        )
        held = (low <= targets) & (targets <= high)
        for place, column in zip(single.PLACES, held.T, strict=True):
            shares[f"{name} at {place:g}"] = column
    return shares


def whole(n_groups: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which simultaneous bands of the vertical average hold the whole of E[R^] over FPR 0.02 to 0.5."""
    with without_notes("RS21"):
        return {"band": np.array(single.simultaneous(n_groups, n, 0, replicates, seed))}


def shared(method: str, n_groups: int, *, replicates: int, seed: int) -> Shares:
    """Averages that share a threshold, while score levels shift (C-2a)."""
    with without_notes("RS21"):
        held = np.array(single.shifted(n_groups, method, 0, replicates, seed))
    names = [f"interval at {place:g}" for place in single.PLACES]
    return dict(zip([*names, "band"], held.T, strict=True))


QUESTIONS = (
    Question("average_pointwise", 0.95, grid(n=(20, 50, 500), n_groups=(3, 5, 10, 30, 100)), pointwise),
    Question(
        "average_band",
        0.95,
        grid(n__n_groups=((50, 3), (50, 5), (50, 8), (50, 20), (50, 100), (500, 3), (500, 5), (500, 20))),
        whole,
    ),
    Question(
        "shared_threshold",
        0.95,
        grid(
            method__n_groups=(
                ("threshold", 3),
                ("threshold", 5),
                ("threshold", 10),
                ("pooled", 3),
                ("pooled", 5),
            )
        ),
        shared,
    ),
)
