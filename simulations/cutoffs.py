"""How often the intervals of a chosen cut-off and of its rates cover the population's.

    python simulations/cutoffs.py [--replicates 2000] [--resamples 400] [--seed 1]
    python simulations/cutoffs.py --only cases --populations weak,t3 --sizes 50+50 --criteria youden,fpr=0.05
    python simulations/cutoffs.py --only attained --replicates 1000 --resamples 200

Cases: four populations whose best thresholds are known. "slides" is the slides' example of hepatitis, normal
with standard deviations 0.16 and 0.18 and a difference of 0.4 (d' about 2.4). "weak" is N(0, 1) and N(1, 1).
"lognormal" has logarithms N(0, 0.5) and N(1, 0.8). "t3" is t with 3 degrees of freedom, and the same shifted
by 2. Sizes are negatives + positives. Groups: the slides' example, each group shifted and with a marker of
its own strength; what is random is the groups. The 2x2 table: at a threshold that was not chosen on the rows.
Attained: the population's rates at the very threshold that was chosen (``cutoff.corrected()``), beside
Wilson's intervals, which take it for given; normal scores with an AUC of 0.75 to 0.95, hospitals that differ,
folds of a cross-validation (nearest means, 5 repeats of 10 folds of 200 cases), scores heaped at few values.
Measures (F1, accuracy, MCC, kappa, a predictive value that is kept) are chosen for on curves, on threshold
averages and on tables of operating points, with the interval of the measure itself.
Every number is a share of independent replicates; its Monte-Carlo standard error is printed at the end.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import stats
from scipy.optimize import brentq, minimize_scalar

import rocsteady as rs
from rocsteady.points.chosen_points import ChosenPoint
from rocsteady.points.criteria import Criterion, Maximum, MinimumCost, TargetRate, criterion_of
from rocsteady.points.cutoffs import Cutoff, choose_cutoff
from rocsteady.points.measures import two_by_two

MEANS, SDS = (1.32, 1.72), (0.16, 0.18)
POPULATIONS = {
    "slides": (stats.norm(MEANS[0], SDS[0]), stats.norm(MEANS[1], SDS[1])),
    "weak": (stats.norm(0, 1), stats.norm(1, 1)),
    "lognormal": (stats.lognorm(0.5), stats.lognorm(0.8, scale=np.exp(1))),
    "t3": (stats.t(3), stats.t(3, loc=2)),
}
NAMED: dict[str, Criterion] = {
    "youden": criterion_of("youden"),
    "closest": criterion_of("closest"),
    "eer": criterion_of("eer"),
    "cost5": MinimumCost(false_positive=1, false_negative=5, prevalence=0.3),
    "cost20": MinimumCost(false_positive=1, false_negative=20, prevalence=0.5),
    "fpr=0.05": TargetRate(fpr=0.05),
    "fpr=0.01": TargetRate(fpr=0.01),
    "tpr=0.9": TargetRate(tpr=0.9),
    "tpr=0.95": TargetRate(tpr=0.95),
}
MEASURED: dict[str, Criterion] = {
    "f1": Maximum("f1"),
    "accuracy": Maximum("accuracy"),
    "mcc": Maximum("mcc"),
    "kappa": Maximum("kappa"),
    "ppv=0.7 at 0.3": TargetRate(ppv=0.7, prevalence=0.3),
    "npv=0.9 at 0.3": TargetRate(npv=0.9, prevalence=0.3),
}
NAMED |= MEASURED
SIZES = ((50, 50), (300, 300), (20, 200), (200, 20))
AREAS = (0.75, 0.85, 0.95)
ATTAINED = {
    "youden": criterion_of("youden"),
    "tpr=0.9": TargetRate(tpr=0.9),
    "fpr=0.1": TargetRate(fpr=0.1),
    "cost5": MinimumCost(false_positive=1, false_negative=5, prevalence=0.3),
}
ATTAINED_SIZES = ((20, 20), (50, 50), (200, 200), (500, 20))
HOSPITALS = (4, 8, 12, 30)
FEATURES, TRAINED = 10, 180
GROUPS = (8, 20, 50)
SHIFT, STRENGTH = 0.05, 0.05  # standard deviations between groups
WIDENED = tuple(
    stats.norm(mean, np.hypot(sd, more))
    for mean, sd, more in zip(MEANS, SDS, (SHIFT, np.hypot(SHIFT, STRENGTH)), strict=True)
)
"""The slides' example over all groups."""


def rates(threshold: float, classes: tuple = POPULATIONS["slides"]) -> tuple[float, float]:
    """FPR and TPR of a population at a threshold."""
    fpr, tpr = (float(own.sf(threshold)) for own in classes)
    return fpr, tpr


def population(criterion: Criterion, classes: tuple = POPULATIONS["slides"]) -> np.ndarray:
    """The best threshold of a population, its FPR and its TPR."""
    ends = [own.ppf(share) for own in classes for share in (1e-6, 1 - 1e-6)]
    low, high = min(ends), max(ends)
    if isinstance(criterion, TargetRate) and not criterion.held:
        best = _last_that_keeps(criterion, classes, low, high)
    elif isinstance(criterion, TargetRate):
        best = classes[0].isf(criterion.fpr) if criterion.tpr is None else classes[1].isf(criterion.tpr)
    elif criterion == "eer":
        best = brentq(lambda t: sum(rates(t, classes)) - 1, low, high, xtol=1e-12)
    else:
        sign = -1 if criterion.is_gain else 1

        def loss(threshold: float) -> float:
            return sign * float(criterion.value(*rates(threshold, classes)))

        grid = np.linspace(low, high, 4001)
        at = int(np.argmin([loss(t) for t in grid]))
        around = grid[max(at - 1, 0)], grid[min(at + 1, 4000)]
        best = minimize_scalar(loss, bounds=around, method="bounded", options={"xatol": 1e-10}).x
    return np.array([best, *rates(best, classes)])


def _last_that_keeps(criterion: TargetRate, classes: tuple, low: float, high: float) -> float:
    """The loosest threshold with a PPV, or the strictest with an NPV."""

    def off(threshold: float) -> float:
        return float(criterion.attained(*map(np.array, rates(threshold, classes)))) - criterion.rate

    grid = np.linspace(low, high, 4001)
    kept = np.flatnonzero(np.array([off(t) for t in grid]) >= 0)
    at = int(kept[0]) if criterion.kept == "ppv" else int(kept[-1]) + 1
    return float(brentq(off, grid[at - 1], grid[at]))


def covered(intervals: object, truth: np.ndarray) -> list[float]:
    """Whether each interval holds its truth; NaN where there is none."""
    held = [getattr(intervals, name) for name in ("threshold", "fpr", "tpr")]
    pairs = zip(held, truth, strict=True)
    return [np.nan if own is None else float(own.low <= value <= own.high) for own, value in pairs]


def case_coverage(
    criterion: Criterion,
    sizes: tuple[int, int],
    method: str | None,
    *,
    replicates: int,
    resamples: int,
    seed: int,
    of: str = "slides",
    each: bool = False,
) -> np.ndarray:
    """Shares of samples whose 95 % intervals hold the population's threshold, FPR and TPR.

    The last number is the share of samples that leave an end of the threshold open. ``each`` gives the rows.
    """
    rng = np.random.default_rng(seed)
    classes = POPULATIONS[of]
    truth = population(for_shares(criterion, sizes), classes)
    labels = np.repeat([False, True], sizes)
    held = []
    for replicate in range(replicates):
        cutoff = None
        while cutoff is None:
            scores = np.concatenate([c.rvs(n, random_state=rng) for c, n in zip(classes, sizes, strict=True)])
            cutoff = chosen(rs.roc_curve(labels, scores, threads=1), criterion)
        found = cutoff.intervals(n_resamples=resamples, seed=replicate, method=method)
        is_open = not np.isfinite([found.threshold.low, found.threshold.high]).all()
        held.append([*covered(found, truth), float(is_open)])
    return np.array(held) if each else np.mean(held, axis=0)


def for_shares(criterion: Criterion, sizes: tuple[int, int]) -> Criterion:
    """The criterion for the share of positives that samples of these sizes have."""
    return criterion.at_prevalence(Fraction(sizes[1], sum(sizes)), sum(sizes))


def chosen(of: object, criterion: Criterion) -> Any:
    """The cut-off; None where the sample attains no such predictive value, and is drawn again."""
    try:
        return choose_cutoff(of, criterion)
    except rs.RocsteadyError as error:
        if error.code != "RS007":
            raise
        return None


def group_coverage(
    criterion: Criterion,
    n_groups: int,
    *,
    replicates: int,
    resamples: int,
    seed: int,
    n: int = 40,
    each: bool = False,
) -> np.ndarray:
    """The same for the threshold average of groups of n + n cases, groups being random."""
    rng = np.random.default_rng(seed)
    truth = population(for_shares(criterion, (n, n)), WIDENED)
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
        cutoff = choose_cutoff(
            rs.average(rs.ScoreSet.from_folds(folds, design="independent"), "threshold", threads=1), criterion
        )
        held.append(covered(cutoff.intervals(n_resamples=resamples, seed=replicate), truth))
    return np.array(held) if each else np.mean(held, axis=0)


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
            (tp, fp, positives - tp, negatives - fp),
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


def holds(intervals: Sequence[object], truth: Sequence[float]) -> list[float]:
    """Whether each interval holds its truth; NaN where there is none."""
    pairs = zip(intervals, truth, strict=True)
    return [np.nan if own is None else float(own.low <= value <= own.high) for own, value in pairs]


def valued(cutoff: Cutoff | ChosenPoint, value: float, *, resamples: int, seed: int) -> list[float]:
    """Coverage of what the criterion gives, its apparent and its corrected error."""
    found = cutoff.corrected(n_resamples=resamples, seed=seed)
    interval = found.value_interval
    held = np.nan if interval is None else float(interval.low <= value <= interval.high)
    return [held, cutoff.value - value, found.value - value]


def judged(cutoff: Cutoff, truth: tuple[float, float], *, resamples: int, seed: int) -> list[float]:
    """Coverage of FPR and TPR, apparent and corrected error of both; coverage if the threshold were given."""
    found = cutoff.corrected(n_resamples=resamples, seed=seed)
    row = holds([found.fpr_interval, found.tpr_interval], truth)
    row += [cutoff.fpr - truth[0], found.fpr - truth[0], cutoff.tpr - truth[1], found.tpr - truth[1]]
    if isinstance(cutoff._curve, rs.RocCurve):
        table = cutoff.two_by_two(method="wilson")
        given = [table.specificity_interval, table.sensitivity_interval]
        return row + holds(given, [1 - truth[0], truth[1]])
    point = cutoff._curve.at(threshold=cutoff.threshold)
    return row + holds([point.fpr_interval, point.tpr_interval], truth)


def attained(
    criterion: Criterion,
    sizes: tuple[int, int],
    auc: float,
    *,
    replicates: int,
    resamples: int,
    seed: int,
    steps: float = 0.0,
) -> np.ndarray:
    """:func:`judged` for samples of normal scores; ``steps`` is the width of heaps of scores."""
    rng = np.random.default_rng(seed)
    apart = np.sqrt(2) * stats.norm.ppf(auc)
    labels = np.repeat([False, True], sizes)
    rows = []
    for replicate in range(replicates):
        cutoff = None
        while cutoff is None:
            scores = rng.normal(size=labels.size) + apart * labels
            scores = np.floor(scores / steps) * steps if steps else scores
            cutoff = chosen(rs.roc_curve(labels, scores, threads=1), criterion)
        truth = stats.norm.sf(cutoff.threshold), stats.norm.sf(cutoff.threshold - apart)
        row = judged(cutoff, truth, resamples=resamples, seed=replicate)
        value = float(cutoff.criterion.value(*truth))
        rows.append(row + valued(cutoff, value, resamples=resamples, seed=replicate))
    return np.array(rows)


def attained_over_groups(
    criterion: Criterion, n_groups: int, auc: float, *, replicates: int, resamples: int, seed: int
) -> np.ndarray:
    """The same for the threshold average of hospitals of 40 + 40 cases, shifted, each of its own strength."""
    rng = np.random.default_rng(seed)
    apart, between = np.sqrt(2) * stats.norm.ppf(auc), 0.3
    labels = np.repeat([False, True], 40)
    rows = []
    for replicate in range(replicates):
        cutoff = None
        while cutoff is None:
            shifts, more = rng.normal(0, between, (2, n_groups))
            folds = [
                (labels, rng.normal(size=80) + a + (apart + b) * labels)
                for a, b in zip(shifts, more, strict=True)
            ]
            scores = rs.ScoreSet.from_folds(folds, design="independent")
            cutoff = chosen(rs.average(scores, "threshold", threads=1), criterion)
        truth = (
            stats.norm.sf(cutoff.threshold, 0, np.hypot(1, between)),
            stats.norm.sf(cutoff.threshold, apart, np.sqrt(1 + 2 * between**2)),
        )
        row = judged(cutoff, truth, resamples=resamples, seed=replicate)
        value = float(cutoff.criterion.value(*truth))
        rows.append(row + valued(cutoff, value, resamples=resamples, seed=replicate))
    return np.array(rows)


POINTS = np.linspace(3.0, -2.0, 41)


def attained_in_tables(
    criterion: Criterion, n_groups: int, auc: float, *, replicates: int, resamples: int, seed: int
) -> np.ndarray:
    """Coverage of FPR, TPR and the mean value of the point that is best in a table, of such hospitals.

    The truth are means over very many hospitals of as many cases each.
    """
    apart, between = np.sqrt(2) * stats.norm.ppf(auc), 0.3
    labels = np.repeat([False, True], 40)

    def table(rng: np.random.Generator, n: int) -> rs.OperatingPointTable:
        shifts, more = rng.normal(0, between, (2, n))
        folds = [
            (labels, rng.normal(size=80) + a + (apart + b) * labels)
            for a, b in zip(shifts, more, strict=True)
        ]
        return rs.average_operating_points(
            rs.ScoreSet.from_folds(folds, design="independent"), thresholds=POINTS, threads=1
        )

    many = table(np.random.default_rng(10**6), 5000)
    truth = [many.measure(name).mean for name in ("fpr", "tpr")]
    values = None
    if isinstance(criterion, Maximum):
        fpr, tpr = (many.measure(name).per_fold for name in ("fpr", "tpr"))
        values = np.nanmean(criterion.values(fpr, tpr, np.array(0.5)), axis=0)
    rng = np.random.default_rng(seed)
    rows = []
    for replicate in range(replicates):
        point = None
        while point is None:
            point = chosen(table(rng, n_groups), criterion)
        found = point.corrected(n_resamples=resamples, seed=replicate)
        row = holds([found.fpr_interval, found.tpr_interval], [own[point.index] for own in truth])
        value = truth[1 if point.criterion.is_gain else 0] if values is None else values
        rows.append(row + valued(point, float(value[point.index]), resamples=resamples, seed=replicate))
    return np.array(rows)


def attained_over_folds(
    criterion: Criterion, *, replicates: int, resamples: int, seed: int, folds: int = 10, repeats: int = 5
) -> np.ndarray:
    """The same for folds: 100 + 100 cases, a classifier by nearest means trained on all but one fold.

    The truth are the mean rates of classifiers that were trained on as many cases.
    """
    rng = np.random.default_rng(seed)
    means = np.zeros(FEATURES)
    means[:3] = 0.8
    labels = np.repeat([False, True], 100)
    many = [_nearest_means(rng.normal(size=(TRAINED, FEATURES)), means) for _ in range(2000)]
    weights = np.array([own for own, _ in many])
    offsets = np.array([offset for _, offset in many])
    lengths = np.linalg.norm(weights, axis=1)
    rows = []
    for replicate in range(replicates):
        features = rng.normal(size=(200, FEATURES)) + means * labels[:, None]
        tested, repeat = [], []
        for r in range(repeats):
            fold = np.concatenate([rng.permutation(np.arange(100) % folds) for _ in range(2)])
            for k in range(folds):
                own = fold == k
                w, offset = _fitted(features[~own], labels[~own])
                tested.append((labels[own], features[own] @ w - offset))
                repeat.append(r)
        scores = rs.ScoreSet.from_folds(tested, design=rs.Design.cross_validation(folds, repeats=repeats))
        cutoff = choose_cutoff(rs.average(scores, "threshold", threads=1), criterion)
        at = cutoff.threshold + offsets
        truth = (
            float(stats.norm.sf(at / lengths).mean()),
            float(stats.norm.sf((at - weights @ means) / lengths).mean()),
        )
        rows.append(judged(cutoff, truth, resamples=resamples, seed=replicate))
    return np.array(rows)


def _nearest_means(noise: np.ndarray, means: np.ndarray) -> tuple[np.ndarray, float]:
    is_positive = np.arange(len(noise)) % 2 == 1
    return _fitted(noise + means * is_positive[:, None], is_positive)


def _fitted(features: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights and offset of the classifier by nearest means."""
    above, below = features[labels].mean(axis=0), features[~labels].mean(axis=0)
    return above - below, float((above - below) @ (above + below) / 2)


def print_attained(run: dict[str, int]) -> None:
    """Coverage of the rates of the very threshold that was chosen."""
    print("rates of the chosen threshold, 95 %: FPR, TPR; error of FPR and TPR, apparent -> corrected;")
    print("last two columns: the same if the threshold were given (Wilson; t over groups)")

    def show(name: str, rows: np.ndarray) -> None:
        fpr, tpr, *errors, of_fpr, of_tpr = rows.mean(axis=0)[:8]
        gaps = "  ".join(f"{errors[i]:+.3f} -> {errors[i + 1]:+.3f}" for i in (0, 2))
        print(f"  {name:<44}{fpr:.3f}  {tpr:.3f}   {gaps}   {of_fpr:.3f}  {of_tpr:.3f}", flush=True)

    for name, criterion in ATTAINED.items():
        for auc in AREAS:
            for sizes in ATTAINED_SIZES:
                show(f"{name:<8} AUC {auc}  {sizes[0]} + {sizes[1]}", attained(criterion, sizes, auc, **run))
        for sizes in ((5, 5), (10, 10)):
            show(f"{name:<8} AUC 0.75  {sizes[0]} + {sizes[1]}", attained(criterion, sizes, 0.75, **run))
        for steps in (1.0, 0.5):
            found = attained(criterion, (50, 50), 0.75, steps=steps, **run)
            show(f"{name:<8} AUC 0.75  50 + 50, heaps of {steps}", found)
        for n_groups in HOSPITALS:
            for auc in AREAS:
                found = attained_over_groups(criterion, n_groups, auc, **run)
                show(f"{name:<8} AUC {auc}  {n_groups} hospitals", found)
    for name in ("youden", "fpr=0.1"):
        few = run | {"replicates": max(run["replicates"] // 4, 1)}
        show(f"{name:<8} 5 x 10 folds ({few['replicates']})", attained_over_folds(ATTAINED[name], **few))


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
    """What choosing adds."""
    print(
        "what choosing adds: mean value on the rows, of the same threshold in the population, the best there"
    )
    for sizes in SIZES:
        for name in ("youden", "cost5"):
            found = optimism(NAMED[name], sizes, replicates=replicates, seed=seed)
            print(f"  {sizes[0]} + {sizes[1]}  {name:<7} " + "  ".join(f"{v:.4f}" for v in found))


def print_tables(replicates: int, seed: int) -> None:
    """Intervals of the 2x2 table."""
    print("2x2 table, 95 % intervals (Wilson; Simel; Mercaldo at a prevalence that is given)")
    for sizes in SIZES:
        for prevalence in (None, 0.02):
            found = table_coverage(sizes, prevalence, replicates=replicates, seed=seed)
            row = "  ".join(f"{name} {share:.3f}" for name, share in found.items())
            print(f"  {sizes[0]} + {sizes[1]}, prevalence {prevalence or 'of the rows'}: {row}")


def print_populations(names: list[str], criteria: list[str]) -> None:
    """What is to be covered."""
    print("population             threshold   FPR      TPR")
    for of in names:
        for name in criteria:
            threshold, fpr, tpr = population(NAMED[name], POPULATIONS[of])
            print(f"  {of:<10} {name:<9} {threshold:9.5f}  {fpr:.5f} {tpr:.5f}")


def print_row(name: str, shares: np.ndarray) -> None:
    """Coverage of the three intervals, and the share of thresholds with an open end."""
    told = "".join("      -" if np.isnan(share) else f"{share:7.3f}" for share in shares)
    print(f"  {name:<44}{told}", flush=True)


def print_cases(options: argparse.Namespace, run: dict[str, int]) -> None:
    """Coverage on curves, by population, size, criterion and method."""
    print_populations(options.populations, options.criteria)
    print(f"curves, 95 % intervals {'':<23}threshold  FPR    TPR   open")
    for of in options.populations:
        for sizes in options.sizes:
            for name in options.criteria:
                for method in options.methods:
                    own = None if method == "default" else method
                    found = case_coverage(NAMED[name], sizes, own, of=of, **run)
                    print_row(f"{of:<10} {sizes[0]:>3} + {sizes[1]:<3}  {name:<9} {method}", found)


def print_groups(options: argparse.Namespace, run: dict[str, int]) -> None:
    """Coverage on threshold averages, groups being random."""
    print(f"threshold average, groups of 40 + 40 cases, {'':<2}threshold  FPR    TPR")
    for name in options.criteria:
        for n_groups in GROUPS:
            print_row(f"{name:<10} {n_groups} groups", group_coverage(NAMED[name], n_groups, **run))


def sizes_of(text: str) -> list[tuple[int, int]]:
    """``50+50,20+200`` as pairs of negatives and positives."""
    pairs = [part.split("+") for part in text.split(",")]
    return [(int(negatives), int(positives)) for negatives, positives in pairs]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", choices=("cases", "groups", "tables", "attained"), help="one part; by default all"
    )
    listed = {"type": lambda text: text.split(",")}
    parser.add_argument("--populations", **listed, default=list(POPULATIONS), help=f"of {list(POPULATIONS)}")
    parser.add_argument("--criteria", **listed, default=list(NAMED), help=f"of {list(NAMED)}")
    parser.add_argument("--methods", **listed, default=["default", "percentile"])
    parser.add_argument("--sizes", type=sizes_of, default=list(SIZES), help="such as 50+50,20+200")
    options = parser.parse_args()
    run = {"replicates": options.replicates, "resamples": options.resamples, "seed": options.seed}
    warnings.filterwarnings("ignore", message="RS24")
    if options.only in (None, "cases"):
        print_cases(options, run)
    if options.only in (None, "groups"):
        print_groups(options, run)
    if options.only in (None, "tables"):
        print_tables(options.replicates, options.seed)
        print_optimism(options.replicates, options.seed)
    if options.only in (None, "attained"):
        print_attained(run)
    error = np.sqrt(0.05 * 0.95 / options.replicates)
    print(f"Monte-Carlo standard error: {error:.4f} ({options.replicates} replicates)")


if __name__ == "__main__":
    main()
