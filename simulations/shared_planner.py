"""Whether the half-widths that a plan for one shared threshold promises are met.

    python simulations/shared_planner.py [--replicates 1000] [--seed 1]

Groups have normal scores of two models on the same cases, 40 positives and 100 negatives; separations and
levels differ between groups, the levels of the second model more. One threshold for all groups is set to a
mean FPR of 0.1, for each model, and the difference of the mean TPRs is what is planned for. What pilots of 10
and 20 groups promise for a study as large, and for one with four times the cases, is held against Student's t
times the standard deviation of the difference over studies of that size.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from scipy.special import stdtrit

import rocsteady as rs
from rocsteady.planning.groups import plan_shared_budget

LEVEL, BUDGET = 0.95, 0.1
SIZES = (40, 100)
LEVEL_SD = {"a": 0.3, "b": 0.8}


def draw(n_groups: int, times: int, rng: np.random.Generator) -> rs.ScoreSet:
    """Groups of both models on the same cases."""
    n_positives, n_negatives = (times * n for n in SIZES)
    n = n_positives + n_negatives
    labels = np.tile(np.arange(n) < n_positives, n_groups)
    group = np.repeat(np.arange(n_groups), n)
    shared = rng.normal(size=labels.size) * 0.6
    scores = {}
    for name, level_sd in LEVEL_SD.items():
        separation = 1.6 + 0.3 * rng.normal(size=n_groups)
        level = level_sd * rng.normal(size=n_groups)
        own = 0.8 * rng.normal(size=labels.size)
        scores[name] = shared + own + separation[group] * labels + level[group]
    return rs.ScoreSet.from_arrays(labels, scores, group)


def difference(study: rs.ScoreSet) -> float:
    """Of the mean TPRs, each where its model's mean FPR is the budget."""
    first, second = (rs.average(study.model(name), "threshold").tpr_at(BUDGET) for name in LEVEL_SD)
    return float(first - second)


def promises(n_groups: int, replicates: int, seed: int) -> dict[int, tuple[float, float, float]]:
    """Promised over met: the median and the middle 80 % of pilots, by how many times the cases."""
    rng = np.random.default_rng([seed, n_groups])
    planned: dict[int, list[float]] = {1: [], 4: []}
    seen: dict[int, list[float]] = {1: [], 4: []}
    for _ in range(replicates):
        pilot = draw(n_groups, 1, rng)
        plan = plan_shared_budget(pilot, {"fpr": BUDGET}, models=("a", "b"), confidence_level=LEVEL)
        for times, widths in planned.items():
            widths.append(float(plan.half_width_at(n_groups, times_cases=times)))
            seen[times].append(difference(pilot if times == 1 else draw(n_groups, times, rng)))
    factor = float(stdtrit(n_groups - 1, (1 + LEVEL) / 2))
    found = {}
    for times, widths in planned.items():
        ratios = np.array(widths) / (factor * np.std(seen[times], ddof=1))
        low, middle, high = np.quantile(ratios, [0.1, 0.5, 0.9])
        found[times] = float(middle), float(low), float(high)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore", rs.RocsteadyWarning)  # few groups: that is the question
    print(f"{options.replicates} pilots: half-width promised over that of studies, mean FPR {BUDGET}")
    print("  groups  cases   median   10 % to 90 %")
    for n_groups in (10, 20):
        for times, (middle, low, high) in promises(n_groups, options.replicates, options.seed).items():
            print(f"  {n_groups:<6}  x{times:<4}   {middle:.3f}    {low:.2f} to {high:.2f}")


if __name__ == "__main__":
    main()
