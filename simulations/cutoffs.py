"""How often the intervals of a chosen cut-off and of its rates cover the population's.

    python simulations/cutoffs.py [--replicates 2000] [--resamples 400] [--seed 1]

Cases: the slides' example of hepatitis, a normal marker with standard deviations 0.16 and 0.18 and a
difference of 0.4, whose best thresholds are known. Groups: the same, each group shifted and with a marker of
its own strength; what is random is the groups. The 2x2 table: at a threshold that was not chosen on the
rows. Every number is a share of independent replicates; its Monte-Carlo standard error is printed at the end.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import ndtr

import rocsteady as rs
from rocsteady.operating_points.cutoffs.choosing import choose_cutoff
from rocsteady.operating_points.cutoffs.criteria import Criterion, MinimumCost, TargetRate, criterion_of
from rocsteady.operating_points.cutoffs.two_by_two import Cells, two_by_two

MEANS, SDS = (1.32, 1.72), (0.16, 0.18)
CRITERIA: tuple[Criterion, ...] = (
    criterion_of("youden"),
    criterion_of("closest"),
    criterion_of("eer"),
    MinimumCost(false_positive=1, false_negative=5, prevalence=0.3),
    TargetRate(fpr=0.05),
    TargetRate(tpr=0.9),
)
SIZES = ((50, 50), (300, 300), (20, 200))
GROUPS = (8, 20, 50)
SHIFT, STRENGTH = 0.05, 0.05  # standard deviations between groups


def rates(threshold: float, extra: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
    """FPR and TPR of the population at a threshold; groups widen both distributions."""
    fpr, tpr = (
        float(ndtr((mean - threshold) / np.hypot(sd, more)))
        for mean, sd, more in zip(MEANS, SDS, extra, strict=True)
    )
    return fpr, tpr


def population(criterion: Criterion, extra: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """The best threshold of the population, its FPR and its TPR."""
    if isinstance(criterion, TargetRate):
        held, at = (0, criterion.fpr) if criterion.tpr is None else (1, criterion.tpr)
        best = brentq(lambda t: rates(t, extra)[held] - at, 0.5, 2.5, xtol=1e-12)
    elif criterion == "eer":
        best = brentq(lambda t: sum(rates(t, extra)) - 1, 0.5, 2.5, xtol=1e-12)
    else:
        sign = -1 if criterion == "youden" else 1
        found = minimize_scalar(
            lambda t: sign * float(criterion.value(*rates(t, extra))),
            bounds=(1.2, 1.8),
            method="bounded",
            options={"xatol": 1e-10},
        )
        best = found.x
    return np.array([best, *rates(best, extra)])


def covered(intervals: object, truth: np.ndarray) -> list[float]:
    """Whether each interval holds its truth; NaN where there is none."""
    held = [getattr(intervals, name) for name in ("threshold", "fpr", "tpr")]
    pairs = zip(held, truth, strict=True)
    return [np.nan if own is None else float(own.low <= value <= own.high) for own, value in pairs]


def case_coverage(
    criterion: Criterion, sizes: tuple[int, int], method: str, *, replicates: int, resamples: int, seed: int
) -> np.ndarray:
    """Shares of samples whose 95 % intervals hold the population's threshold, FPR and TPR."""
    rng = np.random.default_rng(seed)
    truth = population(criterion)
    labels = np.repeat([False, True], sizes)
    held = []
    for replicate in range(replicates):
        scores = np.concatenate([rng.normal(m, s, n) for m, s, n in zip(MEANS, SDS, sizes, strict=True)])
        cutoff = choose_cutoff(rs.roc_curve(labels, scores, threads=1), criterion)
        held.append(covered(cutoff.intervals(n_resamples=resamples, seed=replicate, method=method), truth))
    return np.mean(held, axis=0)


def group_coverage(
    criterion: Criterion, n_groups: int, *, replicates: int, resamples: int, seed: int, n: int = 40
) -> np.ndarray:
    """The same for the threshold average of groups of n + n cases, groups being random."""
    rng = np.random.default_rng(seed)
    truth = population(criterion, (SHIFT, float(np.hypot(SHIFT, STRENGTH))))
    held = []
    for replicate in range(replicates):
        shift, more = rng.normal(0, SHIFT, n_groups), rng.normal(0, STRENGTH, n_groups)
        folds = [
            (
                np.repeat([False, True], n),
                np.concatenate(
                    [rng.normal(MEANS[0] + a, SDS[0], n), rng.normal(MEANS[1] + a + b, SDS[1], n)]
                ),
            )
            for a, b in zip(shift, more, strict=True)
        ]
        cutoff = choose_cutoff(rs.average(rs.ScoreSet.from_folds(folds), "threshold", threads=1), criterion)
        held.append(covered(cutoff.intervals(n_resamples=resamples, seed=replicate), truth))
    return np.mean(held, axis=0)


def table_coverage(
    sizes: tuple[int, int], prevalence: float | None, *, replicates: int, seed: int, method: str = "wilson"
) -> dict[str, float]:
    """Shares of 95 % intervals of the 2x2 table that hold the truth, at the population's Youden threshold.

    Without a prevalence the rows are a cross-section: the number of positives among them is random.
    """
    rng = np.random.default_rng(seed)
    _, fpr, tpr = population(criterion_of("youden"))
    share = sizes[1] / sum(sizes) if prevalence is None else prevalence
    right = share * tpr + (1 - share) * (1 - fpr)
    truth = {
        "sensitivity": tpr,
        "specificity": 1 - fpr,
        "ppv": share * tpr / (share * tpr + (1 - share) * fpr),
        "npv": (1 - share) * (1 - fpr) / ((1 - share) * (1 - fpr) + share * (1 - tpr)),
        "lr_positive": tpr / fpr,
        "lr_negative": (1 - tpr) / (1 - fpr),
        "accuracy": right,
    }
    held = dict.fromkeys(truth, 0)
    for _ in range(replicates):
        positives = sizes[1] if prevalence is not None else int(rng.binomial(sum(sizes), share))
        negatives = sum(sizes) - positives
        tp, fp = int(rng.binomial(positives, tpr)), int(rng.binomial(negatives, fpr))
        table = two_by_two(
            Cells(tp, fp, positives - tp, negatives - fp),
            fpr=fp / negatives,
            tpr=tp / positives,
            sample_prevalence=positives / sum(sizes),
            prevalence=prevalence,
            confidence_level=0.95,
            method=method,
        )
        for name, value in truth.items():
            interval = getattr(table, f"{name}_interval")
            held[name] += interval.low <= value <= interval.high
    return {name: count / replicates for name, count in held.items()}


def optimism(criterion: Criterion, sizes: tuple[int, int], *, replicates: int, seed: int) -> np.ndarray:
    """Mean value on the rows a threshold was chosen on, of it in the population, and the best there."""
    rng = np.random.default_rng(seed)
    labels = np.repeat([False, True], sizes)
    values = []
    for _ in range(replicates):
        scores = np.concatenate([rng.normal(m, s, n) for m, s, n in zip(MEANS, SDS, sizes, strict=True)])
        cutoff = choose_cutoff(rs.roc_curve(labels, scores, threads=1), criterion)
        values.append([cutoff.value, float(criterion.value(*rates(cutoff.threshold)))])
    return np.append(np.mean(values, axis=0), float(criterion.value(*population(criterion)[1:])))


def print_optimism(replicates: int, seed: int) -> None:
    """Table 5."""
    print(
        "what choosing adds: mean value on the rows, of the same threshold in the population, the best there"
    )
    for sizes in SIZES:
        for criterion in (CRITERIA[0], CRITERIA[3]):
            found = optimism(criterion, sizes, replicates=replicates, seed=seed)
            print(f"  {sizes[0]} + {sizes[1]}  {criterion.name:<7} " + "  ".join(f"{v:.4f}" for v in found))


def print_tables(replicates: int, seed: int) -> None:
    """Table 4."""
    print("2x2 table, 95 % intervals (Wilson; Simel; Mercaldo at a prevalence that is given)")
    for sizes in SIZES:
        for prevalence in (None, 0.02):
            found = table_coverage(sizes, prevalence, replicates=replicates, seed=seed)
            row = "  ".join(f"{name} {share:.3f}" for name, share in found.items())
            print(f"  {sizes[0]} + {sizes[1]}, prevalence {prevalence or 'of the rows'}: {row}")


def print_population() -> None:
    """Table 1."""
    print("population       threshold   FPR      TPR")
    for criterion in CRITERIA:
        threshold, fpr, tpr = population(criterion)
        print(f"  {criterion.name:<13} {threshold:10.6f}  {fpr:.6f} {tpr:.6f}   {criterion.aim}")


def print_rows(title: str, found: dict[str, np.ndarray]) -> None:
    """Coverage of the three intervals."""
    print(title)
    print("                                            threshold    FPR    TPR")
    for name, shares in found.items():
        print(f"  {name:<42} {shares[0]:8.3f} {shares[1]:7.3f} {shares[2]:6.3f}", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--criteria", type=int, default=len(CRITERIA), help="only the first so many")
    parser.add_argument("--sizes", type=int, default=len(SIZES), help="only the first so many")
    options = parser.parse_args()
    run = {"replicates": options.replicates, "resamples": options.resamples, "seed": options.seed}
    warnings.filterwarnings("ignore", message="RS24")
    print_population()
    criteria = CRITERIA[: options.criteria]
    for sizes in SIZES[: options.sizes]:
        found = {
            f"{criterion.aim[:30]:<30} {method}": case_coverage(criterion, sizes, method, **run)
            for criterion in criteria
            for method in ("smoothed", "percentile")
        }
        print_rows(f"{sizes[0]} negatives and {sizes[1]} positives, 95 % intervals", found)
    found = {
        f"{criterion.aim[:28]:<28} {n_groups} groups": group_coverage(criterion, n_groups, **run)
        for criterion in criteria
        for n_groups in GROUPS
    }
    print_rows("threshold average, groups of 40 + 40 cases, 95 % intervals", found)
    print_tables(options.replicates, options.seed)
    print_optimism(options.replicates, options.seed)
    error = np.sqrt(0.05 * 0.95 / options.replicates)
    print(f"Monte-Carlo standard error: {error:.4f} ({options.replicates} replicates)")


if __name__ == "__main__":
    main()
