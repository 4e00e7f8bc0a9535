"""Whether the half-widths and the power that rs.plan promises are met.

    python simulations/planner.py [--replicates 2000] [--seed 1]

Groups have normal scores. Their separation is N(1.5, 0.3), the level of their scores moves by N(0, 0.3), and
a second model, whose scores go along with the first's (correlation 0.6 within a class), is behind by
N(0.25, 0.2). A pilot has groups of 40 positives and 100 negatives.

1. Known variances. Between and within come from a pilot of very many groups. What is promised for other
   numbers of groups and cases is held against the mean and the root mean square of the half-widths that
   studies of that size have. Before it: how far the formula for the luck of the cases is from the scatter of
   groups that do not differ, and how far the bootstrap is.
2. Pilots. What every single pilot of 5, 10 or 30 groups promises: the median over pilots against the
   half-width of studies, the middle 80 % of promises, and how often the range that a plan states holds it.
3. Power. How often a t test over groups finds the difference, once there are as many groups as a plan from
   known variances asks for; and how often the tests of an AUC do, with as many cases.
4. One dataset. What every single dataset promises for its present cases and for four times as many, against
   1.96 standard deviations of the readings of such datasets; and how often a normal test on one dataset finds
   the difference, once there are as many cases as a plan from the mean variance asks for.

5. Assurance. How often a study is no wider than wanted, once it has as many groups as a pilot of 5, 10 or 20
   groups asks for with an assurance of 0.8; and how often, were the variance that the pilot shows the true
   one. The width wanted is that of 30 groups.

Monte-Carlo standard errors are printed beside the numbers.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

import rocsteady as rs
from rocsteady.curves.curve_set import roc_curves
from rocsteady.curves.statistics import Statistic
from rocsteady.planning.groups import measure_of, read_groups
from rocsteady.statistics.delong import rank_sum_null_variance
from rocsteady.statistics.power import (
    Components,
    Target,
    between_range,
    half_width,
    planned_components,
    split_variance,
)

Floats = NDArray[np.float64]

LEVEL = 0.95
SIZES = (40, 100)
MEASURES: dict[str, tuple[Statistic, bool]] = {
    "AUC": (measure_of("auc"), False),
    "TPR at FPR 0.1": (measure_of({"fpr": 0.1}), False),
    "FPR at TPR 0.8": (measure_of({"tpr": 0.8}), False),
    "TPR at threshold 1": (measure_of({"threshold": 1.0}), False),
    "AUC, difference": (measure_of("auc"), True),
    "TPR at FPR 0.1, diff.": (measure_of({"fpr": 0.1}), True),
    "FPR at TPR 0.8, diff.": (measure_of({"tpr": 0.8}), True),
}
DESIGNS = ((10, 1.0), (30, 1.0), (10, 4.0), (30, 4.0), (5, 2.0))
"""Groups, and times the cases of a pilot."""
_BLOCK = 2000


@dataclass(frozen=True)
class Population:
    """How much groups differ."""

    separation_sd: float = 0.3
    level_sd: float = 0.3
    gap: float = 0.25
    gap_sd: float = 0.2
    correlation: float = 0.6


DIFFERING = Population()
ALIKE = Population(separation_sd=0.0, level_sd=0.0, gap_sd=0.0)


def draw(n_groups: int, times: float, rng: np.random.Generator, of: Population = DIFFERING) -> rs.ScoreSet:
    """Groups of both models on the same cases."""
    n_positives, n_negatives = (round(times * n) for n in SIZES)
    n = n_positives + n_negatives
    labels = np.tile(np.arange(n) < n_positives, n_groups)
    group = np.repeat(np.arange(n_groups), n)
    separation = 1.5 + of.separation_sd * rng.normal(size=n_groups)
    behind = separation - of.gap - of.gap_sd * rng.normal(size=n_groups)
    level = of.level_sd * rng.normal(size=n_groups)[group]
    shared, *own = rng.normal(size=(3, labels.size))
    noise = [math.sqrt(of.correlation) * shared + math.sqrt(1 - of.correlation) * each for each in own]
    scores = {
        name: level + labels * gap[group] + each
        for name, gap, each in zip(("a", "b"), (separation, behind), noise, strict=True)
    }
    return rs.ScoreSet.from_arrays(labels, scores, group)


def blocks(n_groups: int) -> Iterator[int]:
    """Groups drawn at once."""
    for start in range(0, n_groups, _BLOCK):
        yield min(_BLOCK, n_groups - start)


def readings(
    n_groups: int,
    times: float,
    seed: int,
    names: tuple[str, ...] = tuple(MEASURES),
    *,
    of: Population = DIFFERING,
    drawing: dict[str, int] | None = None,
) -> dict[str, tuple[Floats, Floats]]:
    """Values and variances of every measure in very many groups."""
    rng = np.random.default_rng([seed, round(1000 * times)])
    found: dict[str, list[tuple[Floats, Floats]]] = {name: [] for name in names}
    for n in blocks(n_groups):
        both = draw(n, times, rng, of)
        sets = [both.model(name) for name in ("a", "b")]
        curves = [roc_curves(own) for own in sets]
        for name in names:
            measure, is_difference = MEASURES[name]
            used = slice(0, 2 if is_difference else 1)
            values, variances, *_ = read_groups(sets[used], curves[used], measure, drawing)
            found[name].append((values, variances))
    return {name: _joined(parts) for name, parts in found.items()}


def _joined(parts: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    values, variances = zip(*parts, strict=True)
    return np.concatenate(values), np.concatenate(variances)


def widths_seen(values: Floats, n_groups: int) -> Floats:
    """Half-widths of studies of so many groups."""
    studies = values[: values.size // n_groups * n_groups].reshape(-1, n_groups)
    factor = float(stdtrit(n_groups - 1, (1 + LEVEL) / 2)) / math.sqrt(n_groups)
    return np.asarray(factor * studies.std(axis=1, ddof=1))


def promised(values: Floats, variances: Floats, n_groups: int, times: float) -> tuple[float, float, float]:
    """What one pilot promises for a design, and the range it states."""
    within = split_variance(values, variances).within
    limits = (planned_components(values, within).between, *between_range(values, within, LEVEL))
    widths = [
        half_width(Components(between, within).variance(times), n_groups, LEVEL, None) for between in limits
    ]
    return widths[0], widths[1], widths[2]


def print_noise(n_groups: int, seed: int) -> None:
    """Table 1a."""
    print(f"luck of the cases: variance stated over variance seen, {n_groups} groups that do not differ")
    print("  measure                  formula  bootstrap   (standard error of the scatter seen)")
    alike = readings(n_groups, 1.0, seed, of=ALIKE)
    few = min(n_groups, 500)  # one number serves all groups of a block
    drawn = readings(few, 1.0, seed + 1, of=ALIKE, drawing={"n_resamples": 1000, "seed": seed})
    for name, (values, variances) in alike.items():
        seen = float(values.var(ddof=1))
        shares = [float(np.nanmean(each)) / seen for each in (variances, drawn[name][1])]
        error = math.sqrt(2 / values.size)
        print(f"  {name:<22}   {shares[0]:.3f}    {shares[1]:.3f}       ({error:.3f})")


def print_known(studies: dict[tuple[int, float], dict[str, Floats]], pilots: dict[str, Components]) -> None:
    """Table 1b."""
    print("\nknown variances: half-width promised, and what studies have over it")
    print("  measure                  groups  cases   promised   mean over it   root mean square over it")
    for name, parts in pilots.items():
        for (n, times), seen in studies.items():
            width = half_width(parts.variance(times), n, LEVEL, None)
            ratios = seen[name] / width
            error = ratios.std(ddof=1) / math.sqrt(ratios.size)
            square = math.sqrt(float(np.mean(ratios**2)))
            print(
                f"  {name:<22}   {n:<6}  x{times:<4g}   {width:.4f}     {ratios.mean():.3f} ({error:.3f})  "
                f"{square:.3f}"
            )


def pilot_promises(
    found: tuple[Floats, Floats], n_pilot: int, design: tuple[int, float], seen: Floats
) -> dict[str, float]:
    """Medians and quantiles of promises over studies, and how often the stated range holds."""
    values, variances = (each[: each.size // n_pilot * n_pilot].reshape(-1, n_pilot) for each in found)
    made = np.array([promised(v, w, *design) for v, w in zip(values, variances, strict=True)])
    truth = math.sqrt(float(np.mean(seen**2)))
    ratios = made[:, 0] / truth
    low, high = np.quantile(ratios, (0.1, 0.9))
    held = np.mean((made[:, 1] <= truth) & (truth <= made[:, 2]))
    return {"median": float(np.median(ratios)), "low": low, "high": high, "held": float(held)}


def print_pilots(
    found: dict[str, tuple[Floats, Floats]],
    studies: dict[tuple[int, float], dict[str, Floats]],
    replicates: int,
) -> None:
    """Table 2."""
    print(f"\n{replicates} pilots: half-width promised over that of studies")
    print("  measure                  pilot  groups  cases   median   10 % to 90 %     range holds")
    for name, both in found.items():
        for n_pilot in (5, 10, 30):
            own = both[0][: n_pilot * replicates], both[1][: n_pilot * replicates]
            for (n, times), seen in studies.items():
                if (n, times) in ((30, 1.0), (10, 4.0), (30, 4.0)):
                    row = pilot_promises(own, n_pilot, (n, times), seen[name])
                    print(
                        f"  {name:<22}   {n_pilot:<5}  {n:<6}  x{times:<4g}   {row['median']:.3f}    "
                        f"{row['low']:.2f} to {row['high']:.2f}     {row['held']:.3f}"
                    )
    print(f"Monte-Carlo standard error of a share of 0.95: {math.sqrt(0.05 * 0.95 / replicates):.4f}")


def rejections(values: Floats, n_groups: int) -> Floats:
    """Whether a paired t test over groups finds a difference, study by study."""
    studies = values[: values.size // n_groups * n_groups].reshape(-1, n_groups)
    t = studies.mean(axis=1) / (studies.std(axis=1, ddof=1) / math.sqrt(n_groups))
    return np.asarray(np.abs(t) > stdtrit(n_groups - 1, (1 + LEVEL) / 2), dtype=np.float64)


def print_power(
    found: dict[str, tuple[Floats, Floats]], pilots: dict[str, Components], replicates: int, seed: int
) -> None:
    """Table 3."""
    print("\npower promised 0.8: share of studies that find the difference")
    print("  test                                          size                     share (standard error)")
    for name in ("AUC, difference", "TPR at FPR 0.1, diff."):
        difference = abs(float(found[name][0].mean()))
        for times in (1.0, 4.0):
            target = Target(None, difference, 0.8, LEVEL, None)
            n = int(target.groups(pilots[name], 10, times))
            values = readings(n * replicates, times, seed, (name,))[name][0]
            _print_share(f"{name}, x{times:g} cases", f"{n} groups", rejections(values, n))
    for auc in (0.6, 0.7, 0.8, 0.9):
        wanted = rs.plan(auc)
        cases = int(wanted.n_positives), int(wanted.n_negatives)
        promise = f"{cases[0]} + {cases[1]} (promised {wanted.power:.3f})"
        _print_share(f"AUC {auc} against 0.5, rank sum", promise, rank_sum(auc, cases, replicates, seed))
    for r in (0.3, 0.8):
        correlation = auc_correlation(0.85, 0.8, r, seed)
        wanted = rs.plan(0.85, other_auc=0.8, correlation=correlation, ratio=2)
        cases = int(wanted.n_positives), int(wanted.n_negatives)
        size = f"{cases[0]} + {cases[1]} (correlation {correlation:.2f})"
        _print_share("AUC 0.85 against 0.80, DeLong", size, delong(0.85, 0.8, r, cases, replicates, seed))


def _print_share(what: str, size: str, found: Floats) -> None:
    share = float(found.mean())
    print(f"  {what:<44}  {size:<32}  {share:.3f} ({math.sqrt(share * (1 - share) / found.size):.3f})")


def two_models(aucs: tuple[float, float], r: float, cases: tuple[int, int], n: int, seed: int) -> rs.ScoreSet:
    """Samples of cases that two models score, correlated within a class."""
    rng = np.random.default_rng(seed)
    labels = np.tile(np.arange(sum(cases)) < cases[0], n)
    shared, *own = rng.normal(size=(3, labels.size))
    gaps = [math.sqrt(2) * float(ndtri(auc)) for auc in aucs]
    scores = {
        name: labels * gap + math.sqrt(r) * shared + math.sqrt(1 - r) * each
        for name, gap, each in zip("ab", gaps, own, strict=True)
    }
    return rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(n), sum(cases)))


def rank_sum(auc: float, cases: tuple[int, int], replicates: int, seed: int) -> Floats:
    """Whether the rank-sum test rejects an AUC of 0.5."""
    curves = roc_curves(two_models((auc, auc), 0.5, cases, replicates, seed).model("a"))
    z = (curves.auc - 0.5) / math.sqrt(float(rank_sum_null_variance(*cases)))
    return np.asarray(np.abs(z) > ndtri((1 + LEVEL) / 2), dtype=np.float64)


def auc_correlation(auc: float, other: float, r: float, seed: int) -> float:
    """Correlation of two AUCs over samples of cases."""
    both = two_models((auc, other), r, (100, 200), 2000, seed)
    areas = [roc_curves(both.model(name)).auc for name in "ab"]
    return float(np.corrcoef(*areas)[0, 1])


def delong(auc: float, other: float, r: float, cases: tuple[int, int], replicates: int, seed: int) -> Floats:
    """Whether DeLong's paired test tells the two apart."""
    both = two_models((auc, other), r, cases, replicates, seed)
    sets = [both.model(name) for name in "ab"]
    values, variances, *_ = read_groups(sets, [roc_curves(own) for own in sets], measure_of("auc"))
    z = values / np.sqrt(variances)
    return np.asarray(np.abs(z) > ndtri((1 + LEVEL) / 2), dtype=np.float64)


def one_dataset_readings(
    measure: Statistic, *, of_two: bool, times: float, replicates: int, seed: int
) -> tuple[Floats, Floats]:
    """Values and variances of single datasets: AUC 0.85, or 0.85 against 0.80 on the same cases."""
    cases = math.ceil(SIZES[0] * times), math.ceil(SIZES[1] * times)
    both = two_models((0.85, 0.8), 0.6, cases, replicates, seed)
    sets = [both.model(name) for name in ("ab" if of_two else "a")]
    values, variances, *_ = read_groups(sets, [roc_curves(own) for own in sets], measure)
    return values, variances


def print_one_dataset(replicates: int, seed: int) -> None:
    """Promises of single datasets."""
    z = float(ndtri((1 + LEVEL) / 2))
    print("\nOne dataset of 40 + 100 cases: half-width promised over 1.96 standard deviations of readings")
    print(f"  {'':<24}  {'now: median, 10 to 90 %':<26}  four times the cases")
    for name, (measure, of_two) in MEASURES.items():
        pilots = one_dataset_readings(measure, of_two=of_two, times=1, replicates=replicates, seed=seed)
        later = one_dataset_readings(measure, of_two=of_two, times=4, replicates=replicates, seed=seed + 1)
        cells = []
        for times, values in ((1, pilots[0]), (4, later[0])):
            ratio = z * np.sqrt(pilots[1] / times) / (z * values.std(ddof=1))
            low, middle, high = np.quantile(ratio, [0.1, 0.5, 0.9])
            cells.append(f"{middle:.3f} ({low:.2f} to {high:.2f})")
        print(f"  {name:<24}  {cells[0]:<26}  {cells[1]}")
    print("One dataset: power where 0.8 is promised")
    for name, (measure, of_two) in MEASURES.items():
        if not of_two:
            continue
        values, variances = one_dataset_readings(
            measure, of_two=True, times=1, replicates=replicates, seed=seed
        )
        gap, within = abs(float(values.mean())), float(variances.mean())
        times = Target(None, gap, 0.8, LEVEL, None).times_cases(Components(0.0, within), 1)
        study = one_dataset_readings(measure, of_two=True, times=times, replicates=replicates, seed=seed + 2)
        found = np.abs(study[0]) > z * np.sqrt(study[1])
        _print_share(name, f"{times:.2f} times the cases", found.astype(np.float64))


def assured(
    pilots: tuple[Floats, Floats], studies: Floats, n_pilot: int, times: float, wanted: float, seed: int
) -> tuple[Floats, Floats]:
    """Whether a study is no wider than wanted, pilot by pilot: counting the pilot's uncertainty, and not."""
    rng = np.random.default_rng([seed, n_pilot, round(1000 * times)])
    values, variances = (each[: each.size // n_pilot * n_pilot].reshape(-1, n_pilot) for each in pilots)
    target = Target(wanted, math.nan, 0.8, LEVEL, 0.8)
    met = []
    for own, noise in zip(values, variances, strict=True):
        parts = planned_components(own, split_variance(own, noise).within)
        row = []
        for known in (parts, Components(parts.between, parts.within)):
            n = min(int(target.groups(known, n_pilot, times)), 5000)
            row.append(widths_seen(rng.choice(studies, n), n)[0] <= wanted)
        met.append(row)
    return tuple(np.array(met, dtype=np.float64).T)  # type: ignore[return-value]


def print_assurance(replicates: int, seed: int) -> None:
    """Table 5."""
    print("\nassurance 0.8: share of studies no wider than wanted (standard error)")
    print("  measure                  pilot  cases   counting the pilot   its variance as known")
    names = ("AUC", "TPR at FPR 0.1", "AUC, difference")
    pilots = readings(20 * replicates, 1.0, seed, names)
    for times in (1.0, 4.0):
        studies = readings(10 * replicates, times, seed + 1, names)
        for name in names:
            wanted = math.sqrt(float(np.mean(widths_seen(studies[name][0], 30) ** 2)))
            for n_pilot in (5, 10, 20):
                own = pilots[name][0][: n_pilot * replicates], pilots[name][1][: n_pilot * replicates]
                met = assured(own, studies[name][0], n_pilot, times, wanted, seed + 2)
                cells = [f"{each.mean():.3f} ({each.std() / math.sqrt(each.size):.3f})" for each in met]
                print(f"  {name:<22}   {n_pilot:<5}  x{times:<4g}   {cells[0]:<19}  {cells[1]}", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-assurance", action="store_true", help="the last table alone")
    options = parser.parse_args()
    replicates, seed = options.replicates, options.seed
    if options.only_assurance:
        print_assurance(replicates, seed + 50)
        return
    print_noise(10 * replicates, seed)
    found = readings(30 * replicates, 1.0, seed + 10)
    pilots = {name: split_variance(*both) for name, both in found.items()}
    drawn = {
        times: found if times == 1 else readings(30 * replicates, times, seed + 20) for times in (1.0, 4.0)
    }
    drawn[2.0] = readings(5 * replicates, 2.0, seed + 20)
    studies = {
        (n, times): {name: widths_seen(drawn[times][name][0][: n * replicates], n) for name in MEASURES}
        for n, times in DESIGNS
    }
    print_known(studies, pilots)
    print_pilots(found, studies, replicates)
    print_power(found, pilots, replicates, seed + 30)
    print_one_dataset(replicates, seed + 40)
    print_assurance(replicates, seed + 50)


if __name__ == "__main__":
    main()
