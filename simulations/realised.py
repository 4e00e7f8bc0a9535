"""What a false-alarm budget becomes on new rows, and how often the intervals of rs.realise cover.

    python simulations/realised.py [--replicates 2000] [--seed 1]

Groups have 200 negatives and 100 positives with normal scores, d' = 3; the budget is an FPR of 1 %. The first
table has groups of 1000 negatives and 4 positives besides, as where fraud is looked for. Without shifts a
score means the same in every group; with them the level of a group's scores moves by N(0, 1). An own
threshold is set on half of a group's rows and tried on the other half. A shared one is set on half of the
rows of all groups, or on half of the groups. Own thresholds have the mean of very many groups as their truth;
shared ones the population's mean rate (or share over budget) at the thresholds that were set, which is known
in closed form. Every coverage is a share of independent replicates; its Monte-Carlo standard error is printed
below the table.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri
from scipy.stats import binom

import rocsteady as rs
from rocsteady.points.criteria import TargetRate
from rocsteady.points.realised import Realised, realise
from rocsteady.simulate import ShiftedDatasets
from rocsteady.statistics.groups import mean_share_interval, weighted_mean_interval

Floats = NDArray[np.float64]

BUDGET = TargetRate(fpr=0.01)
N_POSITIVES, N_NEGATIVES = 100, 200
SIZES = ((N_POSITIVES, N_NEGATIVES), (4, 1000))
POPULATIONS = {
    "none": ShiftedDatasets("C-1", separation=3.0),
    "N(0, 1)": ShiftedDatasets("C-2a", separation=3.0, shift_sd=1.0),
}
WAYS: dict[str, dict[str, Any]] = {
    "own": {},
    "shared, other rows": {"threshold": "shared"},
    "shared, other groups": {"threshold": "shared", "split": "groups"},
}
LEVEL = 0.95


@contextmanager
def without_notes() -> Iterator[None]:
    """That few groups have most false alarms (RS258) need not be printed thousands of times."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS25")
        yield


def draw(
    shift: str,
    n_groups: int,
    rng: np.random.Generator,
    *,
    sizes: tuple[int, int] = (N_POSITIVES, N_NEGATIVES),
) -> rs.ScoreSet:
    """Groups of one of the populations."""
    population = POPULATIONS[shift]
    n = sum(sizes)
    labels = np.tile(np.arange(n) < sizes[0], n_groups)
    levels = np.repeat(rng.normal(size=n_groups) * (population.shift_sd if shift != "none" else 0.0), n)
    scores = levels + population.separation * labels + rng.normal(size=labels.size)
    return rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(n_groups), n))


def expected_fpr(false_positive_rates: Floats, n: int, fpr: float) -> float:
    """Expected FPR on new rows if the positives lie at these FPRs: the sum in the notes of rs.realise."""
    k = int(np.floor(n * fpr + 1e-9))
    rising = np.sort(false_positive_rates)
    rising = rising[rising > 0]
    reached = 1 - (np.append(0.0, rising[:-1]) / rising) ** (k + 1)
    return float(k / (n + 1) + binom.pmf(k, n, rising) @ (rising * reached) / (k + 1))


def own_means(
    shift: str, n_groups: int, replicates: int, seed: int, *, n_repeats: int = 10
) -> dict[str, Floats]:
    """What every group attained, ``(replicates, n_groups)``; with own thresholds no group knows another."""
    drawn = draw(shift, n_groups * replicates, np.random.default_rng(seed))
    with without_notes():
        found = realise(drawn, BUDGET, n_repeats=n_repeats, seed=seed)
    over = np.asarray(found.to_frame()["share_over_budget"])
    per_group = {"fpr": found.fpr.per_group, "tpr": found.tpr.per_group, "share over": over}
    return {name: rates.reshape(replicates, n_groups) for name, rates in per_group.items()}


def own_coverage(shift: str, n_groups: int, replicates: int, seed: int, **options: int) -> dict[str, float]:
    """Share of replicates whose interval holds the mean over all groups that were drawn."""
    shares = {}
    for name, means in own_means(shift, n_groups, replicates, seed, **options).items():
        truth, held = means.mean(), 0
        for of_groups in means:
            if name == "share over":
                interval = mean_share_interval(of_groups, LEVEL)
            else:
                _, interval, _ = weighted_mean_interval(of_groups, np.full(n_groups, 1 / n_groups), LEVEL)
            held += interval.low <= truth <= interval.high
        shares[name] = held / replicates
    return shares


def share_over(shift: str, thresholds: Floats, n: int) -> float:
    """Share of all groups that raise too many false alarms among n negatives, at these shared thresholds."""
    population, allowed = POPULATIONS[shift], np.floor(n * 0.01 + 1e-9)
    levels = ndtri((np.arange(200) + 0.5) / 200) * (population.shift_sd if shift != "none" else 0.0)
    values, counts = np.unique(thresholds, return_counts=True)
    of_group = binom.sf(allowed, n, ndtr(levels - values[:, None]))
    return float(counts @ of_group.mean(axis=1) / counts.sum())


def shared_coverage(
    shift: str, split: str, n_groups: int, replicates: int, seed: int, *, n_repeats: int = 10
) -> dict[str, float]:
    """Share of replicates whose interval holds what the population has at the thresholds that were set."""
    rng, population = np.random.default_rng(seed), POPULATIONS[shift]
    held = {"fpr": 0, "tpr": 0, "share over": 0}
    n_tested = N_NEGATIVES if split == "groups" else N_NEGATIVES // 2
    for i in range(replicates):
        drawn = draw(shift, n_groups, rng)
        with without_notes():
            found = realise(drawn, BUDGET, threshold="shared", split=split, n_repeats=n_repeats, seed=i)
        thresholds = found.thresholds
        truths = {"fpr": population.fpr_beyond(thresholds), "tpr": population.tpr_beyond(thresholds)}
        for name, truth in truths.items():
            interval = getattr(found, name).interval
            held[name] += interval.low <= truth.mean() <= interval.high
        interval = found.share_over_budget_interval
        held["share over"] += interval.low <= share_over(shift, thresholds, n_tested) <= interval.high
    return {name: count / replicates for name, count in held.items()}


def print_budgets(n_groups: int, seed: int, sizes: tuple[int, int]) -> None:
    """Table 1, for groups of so many positives and negatives."""
    print(
        f"a budget of 1 % false positives, {sizes[0]} positives and {sizes[1]} negatives per group "
        f"({n_groups} groups)"
    )
    print(
        "  shift     threshold              promised fpr tpr (all rows)   attained fpr  tpr     over budget  "
        "sd of fpr = test rows + groups"
    )
    for (i, shift), (name, options) in product(enumerate(POPULATIONS), WAYS.items()):
        drawn = draw(shift, n_groups, np.random.default_rng(seed + i), sizes=sizes)
        with without_notes():
            found: Realised = realise(drawn, BUDGET, seed=seed, **options)
        parts = f"{found.fpr.sd:.4f}      {found.fpr.sd_of_test_rows:.4f}      {found.fpr.sd_between:.4f}"
        print(
            f"  {shift:<8}  {name:<20}   {found.promise.fpr:.4f}  {found.promise.tpr:.4f}              "
            f"  {found.fpr.mean:.4f}       {found.tpr.mean:.4f}  {found.share_over_budget:.3f}        {parts}"
        )
        if name == "own":
            bounds = f"{found.exchangeable_rate:.4f}, set on all rows {found.exchangeable_rate_all_rows:.4f}"
            print(f"            chance alone: at most {bounds}")


def print_coverages(replicates: int, seed: int) -> None:
    """Table 2."""
    print(f"coverage of {LEVEL:.0%} intervals for the mean over groups ({replicates} replicates)")
    print("  shift     threshold              groups   fpr     tpr     share over")
    for i, (shift, n_groups) in enumerate(product(POPULATIONS, (5, 10, 50))):
        found = own_coverage(shift, n_groups, replicates, seed + i)
        print(
            f"  {shift:<8}  {'own':<20}   {n_groups:<6}   " + "   ".join(f"{s:.3f}" for s in found.values())
        )
        for name in ("rows", "groups"):
            found = shared_coverage(shift, name, n_groups, replicates, seed + 100 + i)
            rates = "   ".join(f"{share:.3f}" for share in found.values())
            print(f"  {shift:<8}  {'shared, other ' + name:<20}   {n_groups:<6}   {rates}", flush=True)


def main() -> None:
    """Print the two tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--groups", type=int, default=2000, help="groups of the first table")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for sizes in SIZES:
        print_budgets(options.groups, options.seed, sizes)
    print_coverages(options.replicates, options.seed + 100)
    error = np.sqrt(0.05 * 0.95 / options.replicates)
    print(f"Monte-Carlo standard error of a coverage: {error:.4f}")


if __name__ == "__main__":
    main()
