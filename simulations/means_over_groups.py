"""How often the intervals of means over groups cover, on either scale, scored against the true curves.

    python simulations/means_over_groups.py [--replicates 1000] [--seed 1] [--quick]

Groups are hospitals: binormal scores whose separation varies from group to group (moderately or much) and
whose level shifts (sd 0.5). What an interval is for is the mean over the population of groups of TRUE curves:

1. mean AUC, of the vertical average;
2. area under the threshold average;
3. TPR of the threshold average where its FPR is 0.1, the threshold being set again on other data;
4. both rates at a threshold that is kept;
5. TPR of the vertical average at FPR 0.1, every group with its own threshold (RS317: optimistic in small
   groups).

For each: coverage of the logit scale (the default), of the linear scale of the papers, and the share of
replicates that warned. Scores are continuous, or rounded to halves. Monte-Carlo standard errors at the end.
"""

from __future__ import annotations

import argparse
import warnings
from collections import defaultdict

import numpy as np
from scipy.special import ndtr, ndtri

import rocsteady as rs

SHIFT, FPR, STEP = 0.5, 0.1, 0.5
SEPARATIONS = {0.85: 1.466, 0.96: 2.476}
SPREADS = {"moderate": 0.3, "large": 0.8}


def drawn(
    rng: np.random.Generator, n_groups: int, n: int, separation: float, spread: float, *, is_coarse: bool
) -> rs.ScoreSet:
    """Groups of n positives and n negatives each."""
    shift = rng.normal(0, SHIFT, (n_groups, 1))
    apart = rng.normal(separation, spread, (n_groups, 1))
    scores = np.hstack([shift + apart, shift]).repeat(n, axis=1) + rng.normal(size=(n_groups, 2 * n))
    if is_coarse:
        scores = np.floor(scores / STEP) * STEP
    labels = np.tile(np.repeat([1, 0], n), n_groups)
    groups = np.repeat([f"h{i}" for i in range(n_groups)], 2 * n)
    return rs.ScoreSet.from_arrays(labels, scores.ravel(), groups, unit="hospital", design="independent")


def truths(separation: float, spread: float, *, is_coarse: bool) -> dict[str, float]:
    """What the intervals are for."""
    t = np.arange(-8, 12, STEP if is_coarse else 0.001)[::-1]
    fpr, tpr = ndtr(-t / np.hypot(1, SHIFT)), ndtr((separation - t) / np.sqrt(1 + SHIFT**2 + spread**2))
    x, y = np.concatenate([[0], fpr, [1]]), np.concatenate([[0], tpr, [1]])
    kept = round(separation / 2 / STEP) * STEP
    mean = float(ndtr(separation / np.sqrt(2 + spread**2)))
    vertical = float(ndtr((separation + ndtri(FPR)) / np.hypot(1, spread)))
    if is_coarse:  # the mean over hospitals of polylines through the grid
        rng = np.random.default_rng(0)
        own = rng.normal(separation, spread, 2000)[:, None], rng.normal(0, SHIFT, 2000)[:, None]
        xs, ys = ndtr(-(t - own[1])), ndtr(own[0] - (t - own[1]))
        mean = float(np.mean([np.trapezoid(b, a) for a, b in zip(xs, ys, strict=True)]))
        vertical = float(np.mean([np.interp(FPR, a, b) for a, b in zip(xs, ys, strict=True)]))
    return {
        "mean AUC": mean,
        "area, threshold": float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2),
        "TPR set again": float(np.interp(FPR, fpr, tpr)),
        "FPR kept": float(ndtr(-kept / np.hypot(1, SHIFT))),
        "TPR kept": float(ndtr((separation - kept) / np.sqrt(1 + SHIFT**2 + spread**2))),
        "TPR, own thresholds": vertical,
        "_kept": kept,
    }


def intervals(score_set: rs.ScoreSet, kept: float, scale: str) -> dict[str, tuple[rs.Interval, bool]]:
    """Every interval, and whether it warned."""
    by_threshold, vertical = rs.average(score_set, "threshold"), rs.average(score_set, "vertical")
    asked = {
        "mean AUC": lambda: vertical.auc_interval(scale=scale),
        "area, threshold": lambda: by_threshold.auc_interval(scale=scale),
        "TPR set again": lambda: by_threshold.at(fpr=FPR, scale=scale).tpr_interval,
        "FPR kept": lambda: by_threshold.at(threshold=kept, scale=scale).fpr_interval,
        "TPR kept": lambda: by_threshold.at(threshold=kept, scale=scale).tpr_interval,
        "TPR, own thresholds": lambda: vertical.at(fpr=FPR, scale=scale).tpr_interval,
    }
    found = {}
    for name, ask in asked.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found[name] = (ask(), bool(caught))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="fewer settings")
    given = parser.parse_args()
    print("AUC   spread    n    M  scores      quantity              logit  linear  warned")
    sizes, groups = ((20, 100), (3, 5, 8, 12, 30)) if not given.quick else ((20, 100), (3, 8, 30))
    for auc, separation in SEPARATIONS.items():
        for word, spread in SPREADS.items():
            for n in sizes:
                for n_groups in groups:
                    for is_coarse in (False, True):
                        row(given, auc, separation, word, spread, n, n_groups, is_coarse=is_coarse)
    error = np.sqrt(0.95 * 0.05 / given.replicates)
    print(f"Monte-Carlo standard error of a coverage near 0.95: {error:.3f}")


def row(
    given: argparse.Namespace,
    auc: float,
    separation: float,
    word: str,
    spread: float,
    n: int,
    n_groups: int,
    *,
    is_coarse: bool,
) -> None:
    """One setting: every quantity on both scales."""
    rng = np.random.default_rng([given.seed, n, n_groups, int(100 * auc), is_coarse])
    truth = truths(separation, spread, is_coarse=is_coarse)
    held: dict[tuple[str, str], list[bool]] = defaultdict(list)
    warned: dict[str, list[bool]] = defaultdict(list)
    for _ in range(given.replicates):
        score_set = drawn(rng, n_groups, n, separation, spread, is_coarse=is_coarse)
        for scale in ("logit", "linear"):
            for name, (interval, has_warned) in intervals(score_set, truth["_kept"], scale).items():
                held[name, scale].append(interval.low <= truth[name] <= interval.high)
                if scale == "logit":
                    warned[name].append(has_warned)
    kind = "rounded" if is_coarse else "continuous"
    for name, notes in warned.items():
        logit, linear = (np.mean(held[name, scale]) for scale in ("logit", "linear"))
        print(
            f"{auc:.2f}  {word:8} {n:4} {n_groups:3}  {kind:10}  {name:20}  {logit:.3f}   {linear:.3f}   "
            f"{np.mean(notes):.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
