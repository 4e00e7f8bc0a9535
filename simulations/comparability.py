"""How often the comparability test rejects, what its intervals cover, and when it warns.

    python simulations/comparability.py [--replicates 2000] [--seed 1]

Groups of binormal scores. Level shifts, N(0, tau^2), move both classes of a group together, so the price of
one shared threshold is known for very many groups: Phi(d / sqrt 2) - Phi(d / sqrt(2 + 2 tau^2)), d the
separation; for M groups it is (M - 1) / M of that. Every number is a share of independent replicates; its
Monte-Carlo standard error is printed beside the tables.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np
from scipy.special import ndtr

from rocsteady.inference.comparability import Comparability, comparability
from rocsteady.scores.score_set import ScoreSet

PERMUTATIONS = 199  # 0.05 is one of the p-values that these can give
DESIGNS = ("equal sizes", "unequal sizes", "ratings 1 to 5")
SHIFTS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.1)


def draw(
    rng: np.random.Generator, n_groups: int, *, separation: float, shift: float, n: int, design: str
) -> ScoreSet:
    """One set of groups with n positives and n negatives each (unequal sizes: n on average)."""
    sizes = np.full((n_groups, 2), n)
    if design == "unequal sizes":
        sizes = 2 + rng.geometric(1 / (n - 1), size=(n_groups, 2)) - 1
    counts = sizes.ravel()
    groups = np.repeat(np.repeat(np.arange(n_groups), 2), counts)
    labels = np.repeat(np.tile([True, False], n_groups), counts)
    scores = rng.normal(size=groups.size) + separation * labels + shift * rng.normal(size=n_groups)[groups]
    if design == "ratings 1 to 5":
        scores = 1.0 + np.digitize(scores, [-0.5, 0.5, 1.5, 2.5])
    return ScoreSet.from_arrays(labels, scores, groups)


def results(
    n_groups: int,
    replicates: int,
    seed: int,
    *,
    separation: float = 1.5,
    shift: float = 0.0,
    n: int = 20,
    design: str = "equal sizes",
) -> list[Comparability]:
    """The findings in independent replicates."""
    rng = np.random.default_rng(seed)
    found = []
    for replicate in range(replicates):
        drawn = draw(rng, n_groups, separation=separation, shift=shift, n=n, design=design)
        found.append(comparability(drawn, n_permutations=PERMUTATIONS, seed=replicate, threads=1))
    return found


def rejections(found: list[Comparability]) -> float:
    """Share of replicates whose p-value is at most 0.05."""
    return float(np.mean([own.pvalue <= 0.05 for own in found]))


def warned(found: list[Comparability]) -> float:
    """Share of replicates with RS301."""
    return float(np.mean([bool(own.warnings) for own in found]))


def true_delta(separation: float, shift: float) -> float:
    """The price of one shared threshold for very many groups."""
    return float(ndtr(separation / np.sqrt(2)) - ndtr(separation / np.sqrt(2 + 2 * shift**2)))


def coverage(found: list[Comparability], delta: float) -> float:
    """Share of replicates whose interval holds the true difference."""
    return float(np.mean([own.delta_interval.low <= delta <= own.delta_interval.high for own in found]))


def print_levels(replicates: int, seed: int) -> None:
    """Table 1."""
    print(f"rejections at 5 % where all groups are alike ({PERMUTATIONS} permutations), and RS301")
    print("  groups  per class  design           rejected  warned")
    for i, (n_groups, n, design) in enumerate(product((2, 5, 20), (5, 20), DESIGNS)):
        found = results(n_groups, replicates, seed + i, n=n, design=design)
        print(f"  {n_groups:<6}  {n:<9}  {design:<15}  {rejections(found):8.3f}  {warned(found):6.3f}")


def print_coverage(replicates: int, seed: int) -> None:
    """Table 2."""
    print("coverage of the 95 % interval of the price, groups random")
    print("  groups  shift  true delta  equal sizes  unequal sizes")
    for i, (n_groups, shift) in enumerate(product((3, 5, 10, 30), (0.0, 0.3, 1.1))):
        delta = true_delta(1.5, shift)
        shares = [
            coverage(results(n_groups, replicates, seed + 2 * i + j, shift=shift, design=design), delta)
            for j, design in enumerate(DESIGNS[:2])
        ]
        print(f"  {n_groups:<6}  {shift:<5}  {delta:10.4f}  {shares[0]:11.3f}  {shares[1]:13.3f}")


def print_warnings(replicates: int, seed: int) -> None:
    """Table 3."""
    print("shares of rejections and of RS301 as levels shift (20 groups, 50 rows per class)")
    print("  separation  shift  true delta  mean price  level shift  rejected  warned")
    for i, (separation, shift) in enumerate(product((1.0, 2.0, 3.5), SHIFTS)):
        found = results(20, replicates, seed + i, separation=separation, shift=shift, n=50)
        price = np.mean([own.price for own in found])
        level = np.mean([own.level_shift.overall for own in found])
        shares = f"{rejections(found):8.3f}  {warned(found):6.3f}"
        truth = true_delta(separation, shift)
        print(f"  {separation:<10}  {shift:<5}  {truth:10.4f}  {price:10.4f}  {level:11.3f}  {shares}")


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    error = np.sqrt(0.05 * 0.95 / options.replicates)
    print(f"{options.replicates} replicates; Monte-Carlo standard error of a share near 5 %: {error:.4f}")
    print_levels(options.replicates, options.seed)
    print_coverage(options.replicates, options.seed + 100)
    print_warnings(max(options.replicates // 4, 1), options.seed + 200)
    error = np.sqrt(0.25 / max(options.replicates // 4, 1))
    print(f"Monte-Carlo standard error of a share in the last table: at most {error:.3f}")


if __name__ == "__main__":
    main()
