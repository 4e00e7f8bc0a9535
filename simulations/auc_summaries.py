"""Summaries of AUCs over datasets: where intervals miss, whether that is said, what to do with AUCs of 1.

    python simulations/auc_summaries.py [--replicates 1000] [--seed 1]

Logits of the datasets' true AUCs are normal around a centre with standard deviation tau; scores within a
dataset are binormal with equal variances. The numbers behind RS285, RS288 and RS289 are printed here, and how
often the true AUC of a new dataset is where it is predicted.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtr, ndtri, stdtrit

import rocsteady as rs
from rocsteady.curves.curve_set import CurveSet
from rocsteady.inference.summaries.random_effects import random_effects

Floats = NDArray[np.float64]

NUMBERS = (5, 10, 30, 100)
SIZES = ((20, 20), (50, 50), (20, 200), (200, 200))
AREAS = (0.7, 0.9, 0.95, 0.99)


def drawn(
    k: int, sizes: tuple[int, int] | None, center: float, tau: float, rng: np.random.Generator
) -> CurveSet:
    """The curves of k datasets; without sizes each has 20 to 200 cases of either class."""
    apart = np.sqrt(2) * ndtri(expit(logit(center) + tau * rng.standard_normal(k)))
    both = np.array([sizes] * k if sizes else np.exp(rng.uniform(np.log(20), np.log(200), (k, 2))).round())
    n_cases = both.sum(axis=1).astype(int)
    group = np.repeat(np.arange(k), n_cases)
    place = np.arange(group.size) - np.repeat(n_cases.cumsum() - n_cases, n_cases)
    labels = place < both[group, 0]
    scores = rng.standard_normal(group.size) + labels * apart[group]
    return rs.roc_curves(rs.ScoreSet.from_arrays(labels, scores, group))


def content(low: float, high: float, center: float, tau: float) -> float:
    """The share of datasets whose true AUC lies between two limits."""
    low, high = (logit(min(max(limit, 0.0), 1.0)) for limit in (low, high))
    return float(ndtr((high - logit(center)) / tau) - ndtr((low - logit(center)) / tau))


def cell(k: int, sizes: tuple[int, int], center: float, replicates: int, seed: int) -> dict[str, float]:
    """Coverage of the centre, content of the prediction interval, and how often what was said."""
    rng, tau = np.random.default_rng([seed, k, *sizes, int(1000 * center)]), 0.3
    found = dict.fromkeys(("covered", "content", "RS285", "RS288", "RS289"), 0.0)
    for _ in range(replicates):
        curves = drawn(k, sizes, center, tau, rng)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            summary = rs.summarize_auc(curves, "random-effects", interval="hartung-knapp")
        found["covered"] += summary.interval.low <= center <= summary.interval.high
        prediction = summary.prediction_interval
        assert prediction is not None
        found["content"] += content(prediction.low, prediction.high, center, tau)
        for code in {getattr(note.message, "code", "") for note in caught} & found.keys():
            found[code] += 1
    return {name: total / replicates for name, total in found.items()}


def corrections(
    k: int, sizes: tuple[int, int], center: float, tau: float, replicates: int, seed: int
) -> dict[str, tuple[float, float]]:
    """Coverage and bias (on the logit scale) of three ways to treat perfect datasets."""
    rng = np.random.default_rng([seed, k, *sizes, int(1000 * center)])
    pairs, rarer = sizes[0] * sizes[1], min(sizes)
    ways = {"left out": None, "half a pair": 0.5 / (pairs + 1), "median bound": 1 - 0.5 ** (1 / rarer)}
    found: dict[str, list[tuple[bool, float]]] = {name: [] for name in ways}
    for _ in range(replicates):
        curves = drawn(k, sizes, center, tau, rng)
        variance = curves.auc_standard_error() ** 2
        for name, off in ways.items():
            auc, own = _corrected(curves.auc, variance, off, sizes)
            if auc.size > 1:
                fitted = random_effects(logit(auc), own / (auc * (1 - auc)) ** 2, "reml")
                low, high = fitted.limits(0.95)
                found[name].append((low <= logit(center) <= high, fitted.center - logit(center)))
    means = {name: np.mean(values, axis=0) for name, values in found.items()}
    return {name: (float(mean[0]), float(mean[1])) for name, mean in means.items()}


def _corrected(
    auc: Floats, variance: Floats, off: float | None, sizes: tuple[int, int]
) -> tuple[Floats, Floats]:
    """AUCs and variances after what is done to those without a variance."""
    has_none = variance == 0
    if off is None:
        return auc[~has_none], variance[~has_none]
    auc = np.where(has_none, np.clip(auc, off, 1 - off), auc)
    better = np.maximum(auc, 1 - auc)
    q1, q2 = better * (1 - better) ** 2 / (2 - better), better**2 * (1 - better) / (1 + better)
    instead = (better * (1 - better) + (sizes[0] - 1) * q1 + (sizes[1] - 1) * q2) / (sizes[0] * sizes[1])
    return auc, np.where(has_none, instead, variance)


def by_i_squared(k: int, share: float, replicates: int, seed: int) -> tuple[float, float, float]:
    """Content of prediction intervals where the estimate of I squared is below one half, else, and overall.

    A normal model with variances that differ a little, in which ``share`` of the variance is between groups.
    """
    rng = np.random.default_rng([seed, k, int(100 * share)])
    below: list[float] = []
    above: list[float] = []
    for _ in range(replicates):
        variances = (1 - share) / share * rng.gamma(8, 1 / 8, k)
        fitted = random_effects(rng.standard_normal(k) * np.sqrt(1 + variances), variances, "reml")
        low, high = fitted.prediction_limits(0.95)
        (below if fitted.i_squared < 0.5 else above).append(float(ndtr(high) - ndtr(low)))
    means = [float(np.mean(values)) if values else float("nan") for values in (below, above, below + above)]
    return means[0], means[1], means[2]


WAYS = {
    "guarded": {"method": "random-effects"},
    "hartung-knapp": {"method": "random-effects", "interval": "hartung-knapp"},
    "t": {"method": "t"},
}


def new_group(
    k: int, sizes: tuple[int, int] | None, center: float, tau: float, replicates: int, seed: int
) -> dict[str, tuple[float, float]]:
    """The chance that the true AUC of a new dataset is where it is predicted, and its Monte-Carlo error."""
    rng = np.random.default_rng([seed, k, *(sizes or ()), int(1000 * center), int(100 * tau)])
    found: dict[str, list[float]] = {name: [] for name in WAYS}
    for _ in range(replicates):
        curves = drawn(k, sizes, center, tau, rng)
        for name, way in WAYS.items():
            predicted = rs.summarize_auc(curves, **way).prediction_interval
            found[name].append(content(predicted.low, predicted.high, center, tau))
    return {
        name: (float(np.mean(own)), float(np.std(own) / np.sqrt(replicates))) for name, own in found.items()
    }


def print_new_groups(replicates: int, seed: int) -> None:
    """Table 5."""
    print(f"true AUC of a new dataset within its 95 % prediction interval ({replicates} replicates)")
    print("  datasets  cases      AUC   tau   " + "".join(f"{name:>20}" for name in WAYS))
    worst = dict.fromkeys(WAYS, (1.0, 0.0))
    all_sizes = ((20, 20), (50, 50), (20, 200), None)
    settings = [*product((5, 10, 30), all_sizes, (0.75, 0.9, 0.96), (0.15, 0.4, 0.8))]
    for k, sizes, center, tau in settings:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            row = new_group(k, sizes, center, tau, replicates, seed)
        worst = {name: min(worst[name], row[name]) for name in WAYS}
        cases = f"{sizes[0]} + {sizes[1]}" if sizes else "20 to 200"
        shown = "".join(f"{share:12.3f} ({error:.3f}) " for share, error in row.values())
        print(f"  {k:<8}  {cases:<9}  {center:<4}  {tau:<4}  {shown}", flush=True)
    print(
        "  lowest                              " + "".join(f"{s:12.3f} ({e:.3f}) " for s, e in worst.values())
    )


def t_coverage(k: int, center: float, tau: float, replicates: int, seed: int) -> float:
    """Coverage of the t interval of the mean AUC of k datasets with normal logits and very many cases."""
    rng = np.random.default_rng([seed, k, int(1000 * center), int(10 * tau)])
    quantiles = ndtri((np.arange(20_000) + 0.5) / 20_000)
    mean = expit(logit(center) + tau * quantiles).mean()
    aucs = expit(logit(center) + tau * rng.standard_normal((replicates, k)))
    half = stdtrit(k - 1, 0.975) * aucs.std(axis=1, ddof=1) / np.sqrt(k)
    return float(np.mean(np.abs(aucs.mean(axis=1) - mean) <= half))


def print_cells(replicates: int, seed: int) -> None:
    """Table 1."""
    print(f"95 % intervals of the median AUC, tau 0.3 ({replicates} replicates)")
    print("  datasets  cases      AUC   covered  prediction holds   said: RS285  RS288  RS289")
    for k, sizes, center in product(NUMBERS, SIZES, AREAS):
        row = cell(k, sizes, center, replicates, seed)
        said = "  ".join(f"{row[code]:5.2f}" for code in ("RS285", "RS288", "RS289"))
        cases = f"{sizes[0]} + {sizes[1]}"
        print(
            f"  {k:<8}  {cases:<9}  {center:<4}  {row['covered']:7.3f}  {row['content']:16.3f}   {said:>24}"
        )


def print_corrections(replicates: int, seed: int) -> None:
    """Table 2."""
    print("datasets with an AUC of 1: coverage and bias of the centre on the logit scale")
    print(
        "  datasets  cases      AUC   tau   "
        + "".join(f"{name:>20}" for name in ("left out", "half a pair", "median bound"))
    )
    settings = [(10, (20, 20), 0.95, 0.5), (10, (20, 20), 0.98, 0.5), (30, (20, 20), 0.98, 0.5)]
    settings += [(5, (10, 10), 0.95, 0.5), (30, (10, 10), 0.9, 0.3), (10, (20, 20), 0.98, 0.0)]
    for k, sizes, center, tau in settings:
        found = corrections(k, sizes, center, tau, replicates, seed)
        row = "".join(f"{covered:12.3f} {bias:+.3f} " for covered, bias in found.values())
        cases = f"{sizes[0]} + {sizes[1]}"
        print(f"  {k:<8}  {cases:<9}  {center:<4}  {tau:<4}  {row}")


def print_predictions(replicates: int, seed: int) -> None:
    """Table 3."""
    print("what 95 % prediction intervals hold, by the estimate of I squared")
    print("  groups  I squared  below 1/2  above  all")
    for k, share in product((4, 5, 10, 20, 50), (0.2, 0.5, 0.8, 0.95)):
        below, above, everything = by_i_squared(k, share, replicates, seed)
        print(f"  {k:<6}  {share:<9}  {below:9.3f}  {above:.3f}  {everything:.3f}")


def print_skewed(replicates: int, seed: int) -> None:
    """Table 4."""
    numbers = (3, 5, 10, 20, 30, 50)
    print(f"95 % t intervals of the mean AUC of datasets with normal logits ({replicates} replicates)")
    print("  median  tau   " + "  ".join(f"{k:>5}" for k in numbers) + "  datasets")
    for center, tau in product((0.8, 0.9, 0.95, 0.98), (0.2, 0.4, 0.7, 1.0)):
        shares = (t_coverage(k, center, tau, replicates, seed) for k in numbers)
        print(f"  {center:<6}  {tau:<4}  " + "  ".join(f"{share:.3f}" for share in shares))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-new-groups", action="store_true", help="the last table alone")
    options = parser.parse_args()
    if options.only_new_groups:
        print_new_groups(options.replicates, options.seed + 4)
        return
    print_cells(options.replicates, options.seed)
    print_corrections(options.replicates, options.seed + 1)
    print_predictions(options.replicates, options.seed + 2)
    print_skewed(10 * options.replicates, options.seed + 3)
    print_new_groups(options.replicates, options.seed + 4)
    error = np.sqrt(0.05 * 0.95 / options.replicates)
    print(f"Monte-Carlo standard error of a coverage of 0.95: {error:.4f}")


if __name__ == "__main__":
    main()
