"""How often the interval of a mean AUC over hospitals covers, on either scale, and how often it warns.

    python simulations/mean_aucs.py [--replicates 600] [--seed 1]

Scores are normal; the separation varies from hospital to hospital with the standard deviation of the second
column. The truth is the mean true AUC over the population of hospitals. Each cell: coverage of 95 % intervals
by Student's t for the logit of the mean (the default) / for the mean itself (``scale="linear"``), and the
share of replicates with RS289, which tells that AUCs near 1 differ too much for so few hospitals.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.special import ndtr, stdtrit

from rocsteady.inference.summaries.skewness import is_skewed
from rocsteady.uncertainty.mean_rates import case_limits, t_limits

SEPARATIONS = {0.85: 1.466, 0.96: 2.476, 0.99: 3.29}
SPREADS = (0.2, 0.5, 0.8, 1.2)
SIZES = (20, 100)
HOSPITALS = (3, 5, 8, 12, 30)


def drawn_aucs(
    rng: np.random.Generator, shape: tuple[int, int], n: int, separation: float, spread: float
) -> np.ndarray:
    """AUCs of hospitals with n cases of each class, ``(replicates, hospitals)``."""
    apart = rng.normal(separation, spread, (*shape, 1))
    positives = apart + rng.normal(size=(*shape, n))
    negatives = np.sort(rng.normal(size=(*shape, n)), axis=2)
    found = np.empty(shape)
    for place in np.ndindex(shape):
        found[place] = np.searchsorted(negatives[place], positives[place]).mean() / n
    return found


def cell(aucs: np.ndarray, truth: float, n: int) -> str:
    """Coverage on both scales, and the share that warns."""
    n_hospitals = aucs.shape[1]
    mean, error = aucs.mean(axis=1), aucs.std(axis=1, ddof=1) / np.sqrt(n_hospitals)
    half = stdtrit(n_hospitals - 1, 0.975) * error
    low, high = t_limits(mean, half)
    weights, sizes = np.full(n_hospitals, 1 / n_hospitals), np.full(n_hospitals, n)
    least, most = case_limits(mean, weights, sizes, 0.95, df=n_hospitals - 1)
    low, high = np.where(error == 0, least, low), np.where(error == 0, most, high)
    logit = np.mean((low <= truth) & (truth <= high))
    linear = np.mean(np.abs(mean - truth) <= half)
    warned = np.mean([is_skewed(own) for own in aucs])
    return f"{logit:.3f} / {linear:.3f} ({warned:.2f})"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    print("AUC   spread  cases  " + "".join(f"{m:<3} hospitals         " for m in HOSPITALS))
    for auc, separation in SEPARATIONS.items():
        for spread in SPREADS:
            truth = float(ndtr(separation / np.sqrt(2 + spread**2)))
            for n in SIZES:
                cells = [
                    cell(drawn_aucs(rng, (given.replicates, m), n, separation, spread), truth, n)
                    for m in HOSPITALS
                ]
                print(f"{auc:.2f}  {spread:<6}  {n:<5}  " + "  ".join(cells), flush=True)
    print(f"Monte-Carlo standard error near 0.95: {np.sqrt(0.95 * 0.05 / given.replicates):.3f}")


if __name__ == "__main__":
    main()
