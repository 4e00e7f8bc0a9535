"""How often the intervals of advice cover: differences between averages, and between models.

    python simulations/advice.py [--replicates 2000] [--seed 1]

Groups of binormal scores whose level shifts from group to group (C-2a), so that averages differ. What an
interval shall cover is the mean of the difference over all replicates: the difference expected of as many
groups as there are. Every number is a share of independent replicates; its Monte-Carlo standard error is
printed.

The difference in AUC between a threshold average and one along a direction is the price of comparability,
whose own simulation measures the interval that advice shows. A difference in AUC between a radial or tangent
average and another is a kind of variance between groups: with few groups it is skewed, and its interval too
narrow, as the table shows.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from rocsteady.advice.advise import read_all
from rocsteady.advice.deployment import Deployment, Line
from rocsteady.advice.readings import Draws, difference
from rocsteady.averaging.methods import PLAIN
from rocsteady.simulate import ShiftedDatasets, draw_together

METHODS = [PLAIN[name] for name in ("vertical", "threshold", "horizontal", "diagonal", "radial", "tangent")]
MODELS = {
    "steady": ShiftedDatasets("C-2a", separation=1.5, shift_sd=0.3, separation_sd=0.3),
    "shifting": ShiftedDatasets("C-2a", separation=1.8, shift_sd=0.8, separation_sd=0.3),
}
LEVEL = 0.95


def coverage(
    n_groups: int, replicates: int, seed: int, *, n: int = 50, n_resamples: int | None = None
) -> dict[tuple[str, str], float]:
    """Share of intervals that cover, by method and by what is compared ("auc", "value" or "models")."""
    line = Deployment("own", hold="fpr", at=0.1).line
    if line is None:
        raise ValueError("the deployment has no operating point")
    found: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    for replicate in range(replicates):
        for key, entry in _once(n_groups, seed + replicate, n, line, n_resamples):
            found.setdefault(key, []).append(entry)
    covered = {}
    for key, entries in found.items():
        value, low, high = np.array(entries).T
        truth = value.mean()
        covered[key] = float(np.mean((low <= truth) & (truth <= high)))
    return covered


def _once(
    n_groups: int, seed: int, n: int, line: Line, n_resamples: int | None
) -> list[tuple[tuple[str, str], tuple[float, float, float]]]:
    score_set = draw_together(MODELS, n_groups, n, n, seed=seed)
    draws = Draws(n_groups, 0, n_resamples)
    read = {name: read_all(score_set.model(name), METHODS, line, draws) for name in MODELS}
    entries = []
    steady, shifting = read["steady"], read["shifting"]
    for method in METHODS:
        auc, value = shifting[method]
        pairs = [("models", difference(value, steady[method][1], LEVEL))]
        if method is not METHODS[0]:
            pairs.append(("value", difference(value, shifting[METHODS[0]][1], LEVEL)))
            pairs.append(("auc", difference(auc, shifting[METHODS[0]][0], LEVEL)))
        for what, (gap, interval) in pairs:
            entries.append(((str(method), what), (gap, interval.low, interval.high)))
    return entries


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--groups", type=int, nargs="*", default=[5, 10, 20, 50])
    given = parser.parse_args(arguments)
    error = np.sqrt(LEVEL * (1 - LEVEL) / given.replicates)
    print(
        f"Coverage of {LEVEL:.0%} intervals, {given.replicates} replicates (Monte-Carlo error {error:.4f})."
    )
    print(
        "value, auc: the method less the vertical average, at FPR 0.1; models: two models under the method."
    )
    for n_groups in given.groups:
        covered = coverage(n_groups, given.replicates, given.seed)
        print(f"\n{n_groups} groups of 50 + 50     value     auc  models")
        for method in map(str, METHODS):
            cells = [covered.get((method, what)) for what in ("value", "auc", "models")]
            shown = "".join(f"{'' if cell is None else f'{cell:.3f}':>8}" for cell in cells)
            print(f"{method:<22}{shown}")


if __name__ == "__main__":
    main()
