"""How often the intervals of radial, tangent and binormal averages cover.

    python simulations/tuned_averages.py [--replicates 2000] [--seed 1]

Groups of binormal scores whose separations differ, N(1.5, 0.3^2). The truth of an average is what it is for
very many such groups, here 20,000. At a ratio of error rates and at costs the interval is made by formula
(t), as are those of the binormal average; at an FPR, which radial and tangent averages do not hold fixed, by
resampling groups. Every number is a share of independent replicates; its Monte-Carlo standard error is
printed beside the table.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np

import rocsteady as rs
from rocsteady.curves.curve_set import CurveSet
from rocsteady.statistics.limits import Interval

N_POSITIVES, N_NEGATIVES = 30, 50
MANY = 20_000
COSTS = {"false_positive": 1.0, "false_negative": 4.0, "prevalence": 0.2}


def draw(n_groups: int, rng: np.random.Generator) -> CurveSet:
    """Curves of groups with their own separations."""
    n = N_POSITIVES + N_NEGATIVES
    labels = np.tile(np.arange(n) < N_POSITIVES, n_groups)
    separations = np.repeat(rng.normal(1.5, 0.3, size=n_groups), n)
    scores = rng.normal(size=n * n_groups) + separations * labels
    return rs.roc_curves(rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(n_groups), n)))


def readings(curves: object) -> dict[str, tuple[float, Interval]]:
    """Values and intervals of one set of groups."""
    found: dict[str, tuple[float, Interval]] = {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS2")
        averages = {name: rs.average(curves, name) for name in ("radial", "tangent", "binormal")}
        ratio = averages["radial"].at_error_ratio(1, 2)
        point = averages["tangent"].at_costs(**COSTS)
        found["radial, FPR at 1 : 2"] = ratio.fpr, ratio.fpr_interval
        found["tangent, cost"] = point.cost, point.cost_interval
        found["tangent, TPR at costs"] = point.tpr, point.tpr_interval
        for name, average in averages.items():
            at = average.at(fpr=0.1)
            found[f"{name}, TPR at FPR 0.1"] = at.tpr, at.tpr_interval
    return found


def truths(seed: int) -> dict[str, float]:
    """The readings of very many groups."""
    curves = draw(MANY, np.random.default_rng(seed))
    return {name: value for name, (value, _) in readings(curves).items()}


def coverage(n_groups: int, replicates: int, seed: int, true: dict[str, float]) -> dict[str, float]:
    """Share of replicates whose 95 % intervals hold the truth."""
    rng = np.random.default_rng(seed)
    held = dict.fromkeys(true, 0)
    for _ in range(replicates):
        for name, (_, interval) in readings(draw(n_groups, rng)).items():
            held[name] += interval.low <= true[name] <= interval.high
    return {name: count / replicates for name, count in held.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    error = np.sqrt(0.05 * 0.95 / options.replicates)
    print(f"{options.replicates} replicates; Monte-Carlo standard error of a share near 0.95: {error:.4f}")
    true = truths(options.seed)
    sizes = (3, 5, 10, 30)
    shares = [coverage(n, options.replicates, options.seed + n, true) for n in sizes]
    print(f"{'coverage of 95 % intervals, groups':<36}" + "".join(f"{n:>8}" for n in sizes))
    for name in true:
        print(f"{name:<36}" + "".join(f"{share[name]:8.3f}" for share in shares))


if __name__ == "__main__":
    main()
