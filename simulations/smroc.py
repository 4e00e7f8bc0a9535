"""What smAUC is by chance, and how often the permutation test of it rejects a true hypothesis.

    python simulations/smroc.py [--replicates 4000] [--seed 1]

1. The chance level. Scores as they are, labels dealt at random: the plug-in level of every curve beside the
   mean of many permutations. The difference should shrink as 1/n.
2. The level of the test. Labels are dealt at random: how often ``permuted().pvalue`` is at most 5 %.
   What is random is which cases are positive; tied smAUCs count as better, so it may reject less often.
3. The power. The same test where positives score a little higher.

Every number is a share or a mean of independent replicates; its Monte-Carlo standard error is printed.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from numpy.typing import NDArray

import rocsteady as rs
from rocsteady.curves.smroc import SmrocCurve

Floats = NDArray[np.float64]
SHAPES: dict[str, tuple[float, float]] = {
    "uniform": (1.0, 1.0),
    "timid": (6.0, 6.0),
    "polarised": (0.1, 0.1),
    "polarised, mostly high": (0.3, 0.1),
}
"""Parameters of beta distributions; with few positives the last has a Mid far above 1."""


def scores_of(shape: str, n: int, rng: np.random.Generator) -> Floats:
    """Scores of a shape, to three digits so that some are tied."""
    return np.round(rng.beta(*SHAPES[shape], size=n), 3)


def labels_of(n: int, prevalence: float) -> NDArray[np.bool_]:
    """The first cases are the positives; two of each class at least."""
    n_positives = min(max(2, round(n * prevalence)), n - 2)
    return np.arange(n) < n_positives


def curve_of(labels: NDArray[np.bool_], scores: Floats, mid: str | float) -> SmrocCurve:
    """The curve, without the warning that Mid lies outside (0, 1]: here that is on purpose."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS26")
        return rs.smroc_curve(labels, scores, mid=mid)


def chance_levels(
    shape: str, n: int, prevalence: float, mid: str | float, permutations: int, seed: int
) -> tuple[float, float, float]:
    """Plug-in level, mean of permutations, and the standard error of that mean."""
    rng = np.random.default_rng(seed)
    curve = curve_of(labels_of(n, prevalence), scores_of(shape, n, rng), mid)
    dealt = curve.permuted(permutations, seed=seed)
    return curve.chance_auc, dealt.mean, dealt.sd / np.sqrt(permutations)


def rejections(
    shape: str, n: int, prevalence: float, mid: str | float, shift: float, replicates: int, seed: int
) -> float:
    """Share of 5 % tests that reject, the scores of positives raised by a share of the way to 1."""
    rng = np.random.default_rng(seed)
    labels, rejected = labels_of(n, prevalence), 0
    for i in range(replicates):
        scores = scores_of(shape, n, rng)
        scores = np.where(labels, scores + shift * (1 - scores), scores)
        rejected += curve_of(labels, scores, mid).permuted(199, seed=seed + i).pvalue <= 0.05
    return rejected / replicates


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=4_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print("chance level: plug-in, permuted (standard error), difference times n")
    for i, shape in enumerate(SHAPES):
        for prevalence, mid in ((0.5, 0.5), (0.1, "paper"), (0.1, "clipped"), (0.1, 0.5)):
            for n in (20, 100, 1000):
                plug_in, mean, error = chance_levels(
                    shape, n, prevalence, mid, 5 * asked.replicates, asked.seed + i
                )
                print(
                    f"  {shape:22}  prevalence {prevalence:g}  Mid {mid!s:7}  n {n:4}  "
                    f"{plug_in:.4f}  {mean:.4f} ({error:.4f})  {n * (mean - plug_in):+.2f}"
                )
    print("rejections at 5 %, 199 permutations: labels at random, then scores raised by a tenth")
    for i, shape in enumerate(SHAPES):
        for mid in ("paper", 0.5):
            for n in (20, 100):
                found = [
                    rejections(shape, n, 0.3, mid, shift, asked.replicates, asked.seed + 10_000 * i)
                    for shift in (0.0, 0.1)
                ]
                print(f"  {shape:22}  Mid {mid!s:7}  n {n:4}  {found[0]:.4f}  {found[1]:.4f}")
    print(f"Monte-Carlo standard error at 5 %: {np.sqrt(0.05 * 0.95 / asked.replicates):.4f}")


if __name__ == "__main__":
    main()
