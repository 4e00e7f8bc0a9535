"""How often paired tests between operating points reject a true hypothesis, and a false one.

    python simulations/paired_tests.py [--replicates 20000] [--seed 1]

1. Independent folds. Two equally good sets of decisions, each a coin of its own for every case: the
   hypothesis of equal false positive rates is true, and folds share nothing.
2. Folds of a cross-validation. Two nearest-mean classifiers look at one half of the features each. The halves
   have the same distribution, so both classifiers have the same expected error; but their folds share
   training data.
3. Many points. All are equally good; how often one at least of 29 is told apart.
4. The planned number of cases. How often a test rejects once there are as many cases as
   ``PointTests.cases_to_separate`` asks for, the difference being what it was taken to be.

Every number is a share of independent replicates; its Monte-Carlo standard error is printed at the end.
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

import rocsteady as rs
from rocsteady.statistics.multiplicity import adjusted
from rocsteady.statistics.power import noncentrality

Floats = NDArray[np.float64]
TESTS: dict[str, dict[str, Any]] = {
    "n-1": {},
    "2n-2": {"df": "2n-2"},
    "Nadeau-Bengio": {"test_train_ratio": 1 / 9},
}


def pvalues(x1: Floats, x2: Floats, **options: Any) -> Floats:
    """P-values of many tests at once, without the note about differences that do not vary."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS245")
        return np.asarray(rs.paired_t(x1, x2, **options).pvalue)  # type: ignore[arg-type]


def exact_level(n_folds: int, alpha: float = 0.05) -> float:
    """The level of a test that takes n - 1 degrees of freedom for 2n - 2, for normal differences."""
    return float(2 * stdtr(n_folds - 1, stdtrit(2 * n_folds - 2, alpha / 2)))


def independent_levels(n_folds: int, n_cases: int, replicates: int, seed: int) -> dict[str, float]:
    """Share of 5 % tests that reject, ``n_cases`` negatives in each of the folds, both rates 0.3."""
    rng = np.random.default_rng(seed)
    x1, x2 = (rng.binomial(n_cases, 0.3, size=(n_folds, replicates)) / n_cases for _ in range(2))
    return {name: float(np.mean(pvalues(x1, x2, **TESTS[name]) <= 0.05)) for name in ("n-1", "2n-2")}


def fold_errors(
    n_cases: int, n_features: int, n_folds: int, replicates: int, rng: np.random.Generator
) -> Floats:
    """Errors of a nearest-mean classifier in every fold of a cross-validation, ``(n_folds, replicates)``."""
    per_fold = n_cases // (2 * n_folds)
    shift = np.array([-0.5, 0.5])[:, None, None, None] / np.sqrt(n_features) * 2
    x = rng.normal(size=(replicates, 2, n_folds, per_fold, n_features)) + shift
    sums = x.sum(axis=3)  # of each class and fold
    means = (sums.sum(axis=2, keepdims=True) - sums) / (per_fold * (n_folds - 1))
    middle, axis = means.mean(axis=1), means[:, 1] - means[:, 0]
    score = np.einsum("rcfnd,rfd->rcfn", x, axis) - np.einsum("rfd,rfd->rf", middle, axis)[:, None, :, None]
    wrong = (score[:, 0] > 0).sum(axis=2) + (score[:, 1] <= 0).sum(axis=2)
    return np.asarray(wrong.T / (2 * per_fold))


def cross_validated_levels(
    n_cases: int, n_features: int, replicates: int, seed: int, n_folds: int = 10
) -> dict[str, float]:
    """Share of 5 % tests that reject although both classifiers have the same expected error."""
    rng = np.random.default_rng(seed)
    blocks = [min(500, replicates - start) for start in range(0, replicates, 500)]
    both = [
        np.concatenate([fold_errors(n_cases, n_features, n_folds, size, rng) for size in blocks], axis=1)
        for _ in range(2)
    ]
    return {name: float(np.mean(pvalues(*both, **options) <= 0.05)) for name, options in TESTS.items()}


def any_rejection(n_points: int, n_folds: int, replicates: int, seed: int) -> dict[str, float]:
    """Share of replicates in which at least one of many equally good points is told apart from the first."""
    rng = np.random.default_rng(seed)
    x = rng.binomial(100, 0.3, size=(n_folds, replicates, n_points)) / 100
    raw = pvalues(x[..., 1:], np.broadcast_to(x[..., :1], x[..., 1:].shape))
    shares = {}
    for name in (None, "holm", "bh"):
        found = np.array([adjusted(own, name) for own in raw])
        shares[name or "none"] = float(np.mean((found <= 0.05).any(axis=1)))
    return shares


def attained_power(n_folds: int, power: float, replicates: int, seed: int) -> tuple[int, float]:
    """Negatives per fold that are asked for to tell rates of 0.30 and 0.36 apart, and the power they give."""
    rng = np.random.default_rng(seed)
    rates, present = (0.30, 0.36), 100
    spread = np.sqrt(sum(rate * (1 - rate) for rate in rates) / present)
    seen = (rates[1] - rates[0]) / (spread / np.sqrt(n_folds))
    needed = int(np.ceil((noncentrality(n_folds - 1, 0.05, power) / seen) ** 2 * present))
    x1, x2 = (rng.binomial(needed, rate, size=(n_folds, replicates)) / needed for rate in rates)
    return needed, float(np.mean(pvalues(x1, x2) <= 0.05))


def print_independent(replicates: int, seed: int) -> None:
    """Table 1."""
    print(f"rejections at 5 %, independent folds, equal rates ({replicates} replicates)")
    print("  folds  negatives per fold    df n-1   df 2n-2   2n-2 for normal differences")
    for i, (n_folds, n_cases) in enumerate(
        [(5, 5), (5, 20), (5, 200), (10, 5), (10, 20), (10, 200), (30, 200)]
    ):
        found = independent_levels(n_folds, n_cases, replicates, seed + i)
        row = f"{found['n-1']:8.4f}  {found['2n-2']:8.4f}   {exact_level(n_folds):8.4f}"
        print(f"  {n_folds:5}  {n_cases:18}  {row}")


def print_cross_validated(replicates: int, seed: int) -> None:
    """Table 2."""
    print(f"rejections at 5 %, ten folds of one cross-validation, equal errors ({replicates} replicates)")
    print("  cases  features    df n-1   df 2n-2   Nadeau-Bengio, df n-1")
    for i, (n_cases, n_features) in enumerate([(40, 2), (40, 20), (100, 2), (100, 20), (400, 20)]):
        found = cross_validated_levels(n_cases, n_features, replicates, seed + i)
        print(f"  {n_cases:5}  {n_features:8}  " + "  ".join(f"{found[name]:8.4f}" for name in TESTS))


def print_many(replicates: int, seed: int) -> None:
    """Tables 3 and 4."""
    found = any_rejection(30, 10, replicates, seed)
    print(f"at least one of 29 equally good points told apart, ten folds ({replicates} replicates)")
    print("  " + ", ".join(f"{name}: {share:.4f}" for name, share in found.items()))
    print("power attained with the planned number of cases (rates 0.30 and 0.36, independent)")
    for i, (n_folds, power) in enumerate([(5, 0.8), (10, 0.5), (10, 0.8), (10, 0.95)]):
        needed, attained = attained_power(n_folds, power, replicates, seed + i)
        print(f"  {n_folds} folds, wanted {power}: {needed} negatives per fold, attained {attained:.4f}")


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print_independent(asked.replicates, asked.seed)
    print_cross_validated(asked.replicates, asked.seed + 100)
    print_many(asked.replicates // 4, asked.seed + 200)
    error = np.sqrt(0.05 * 0.95 / asked.replicates)
    print(f"Monte-Carlo standard error at 5 %: {error:.4f} (tables 1 and 2), {2 * error:.4f} (the others)")


if __name__ == "__main__":
    main()
