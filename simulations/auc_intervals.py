"""How often AUC intervals cover, and how often AUC tests reject a true hypothesis.

    python simulations/auc_intervals.py [--replicates 10000] [--seed 1]

Scores are binormal with equal variances, so the true AUC is known: Phi(d' / sqrt 2). Every number is a share
of independent replicates; its Monte-Carlo standard error is printed beside the tables.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import numpy as np
from scipy.special import ndtri

import rocsteady as rs
from rocsteady.curves.curve_set import CurveSet

METHODS = ("logit", "guarded", "delong")
SIZES = (10, 20, 50, 100, 200)
AREAS = (0.6, 0.8, 0.95)


@contextmanager
def without_notes() -> Iterator[None]:
    """Separated samples and few misplaced cases are expected here: no note about each of thousands."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS151|RS155")
        yield


def separation(area: float) -> float:
    """The distance d' between the class means that gives this AUC."""
    return float(np.sqrt(2) * ndtri(area))


def replicates_of(area: float, n_positives: int, n_negatives: int, replicates: int, seed: int) -> CurveSet:
    """The curves of many samples from one population."""
    rng = np.random.default_rng(seed)
    n = n_positives + n_negatives
    labels = np.tile(np.arange(n) < n_positives, replicates)
    scores = rng.normal(size=n * replicates) + separation(area) * labels
    return rs.roc_curves(rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(replicates), n)))


def coverage(area: float, n: int, replicates: int, seed: int) -> dict[str, float]:
    """Share of samples (n per class) whose 95 % interval holds the true AUC, by method."""
    curves = replicates_of(area, n, n, replicates, seed)
    shares = {}
    with without_notes():
        for method in METHODS:
            interval = curves.auc_interval(0.95, method)
            shares[method] = float(np.mean((interval.low <= area) & (area <= interval.high)))
    shares["separated"] = float(np.mean(curves.auc == 1))
    return shares


def separated_noncoverage(
    n_positives: int, n_negatives: int, replicates: int, seed: int
) -> tuple[float, float]:
    """The bound reported at AUC = 1, and how often a population with just that AUC gives a separated sample.

    The bound depends on the sizes alone, so this is where the interval misses most often: at any higher AUC
    it covers every time.
    """
    bound = 0.05 ** (1 / min(n_positives, n_negatives))
    curves = replicates_of(bound, n_positives, n_negatives, replicates, seed)
    return bound, float(np.mean(curves.auc == 1))


def rejections(
    n: int, replicates: int, seed: int, *, area: float = 0.8, correlation: float = 0.5
) -> dict[str, float]:
    """Share of 5 % tests that reject although all AUCs are equal (n per class)."""
    rng = np.random.default_rng(seed)
    labels = np.arange(2 * n) < n
    rejected = dict.fromkeys(("paired", "three", "unpaired"), 0)
    with without_notes():
        for _ in range(replicates):
            common = rng.normal(size=2 * n)
            own = rng.normal(size=(3, 2 * n))
            mixed = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own + separation(area) * labels
            apart = rng.normal(size=(2, 2 * n)) + separation(area) * labels
            rejected["paired"] += rs.compare_auc(labels, mixed[0], mixed[1], threads=1).pvalue < 0.05
            rejected["three"] += rs.compare_auc(labels, *mixed, threads=1).pvalue < 0.05
            rejected["unpaired"] += rs.compare_auc(labels, *apart, paired=False, threads=1).pvalue < 0.05
    return {name: count / replicates for name, count in rejected.items()}


def print_coverage(replicates: int, seed: int) -> None:
    """Table 1."""
    print(f"coverage of 95 % intervals ({replicates} replicates)")
    print(
        "  AUC    n per class  " + "  ".join(f"{method:>13}" for method in METHODS) + "   samples separated"
    )
    for i, (area, n) in enumerate(product(AREAS, SIZES)):
        shares = coverage(area, n, replicates, seed + i)
        row = "  ".join(f"{shares[method]:13.3f}" for method in METHODS)
        print(f"  {area:<6} {n:<11}  {row}   {shares['separated']:17.3f}")


def print_separated(replicates: int, seed: int) -> None:
    """Table 2."""
    print(
        "interval at AUC = 1: share of separated samples from a population at its lower limit (allowed: 0.05)"
    )
    print("  positives  negatives  lower limit  separated")
    for i, sizes in enumerate([(2, 2), (2, 50), (5, 5), (5, 50), (10, 10), (10, 100), (20, 20), (50, 50)]):
        bound, share = separated_noncoverage(*sizes, replicates, seed + i)
        print(f"  {sizes[0]:<9}  {sizes[1]:<9}  {bound:11.4f}  {share:9.4f}")


def print_levels(replicates: int, seed: int) -> None:
    """Table 3."""
    print(f"rejections at 5 % when AUCs are equal (AUC 0.8, correlation 0.5, {replicates} replicates)")
    print("  n per class  paired of two  paired of three  unpaired")
    for i, n in enumerate(SIZES):
        shares = rejections(n, replicates, seed + i)
        print(f"  {n:<11}  {shares['paired']:13.3f}  {shares['three']:15.3f}  {shares['unpaired']:8.3f}")


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tests = max(options.replicates // 2, 1)
    print_coverage(options.replicates, options.seed)
    print_separated(options.replicates, options.seed + 100)
    print_levels(tests, options.seed + 200)
    errors = [np.sqrt(0.05 * 0.95 / n) for n in (options.replicates, tests)]
    print(f"Monte-Carlo standard error: {errors[0]:.4f} of a coverage, {errors[1]:.4f} of a level")


if __name__ == "__main__":
    main()
