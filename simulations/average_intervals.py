"""How often intervals and bands around averages cover.

    python simulations/average_intervals.py [--replicates 2000] [--seed 1] [--processes 2]

Groups are random, so every interval is for the mean over the population of groups. Curves along a direction
are of binormal scores with d' = 1.5: what an interval is for is the mean curve of finite groups, E[R^], known
from a Beta distribution; it lies above the curve of very many cases (errata H8). Shared thresholds are tried
where the score level shifts from group to group (C-2a). Every number is a share of independent replicates;
its Monte-Carlo standard error is printed beside the tables.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rocsteady as rs
from rocsteady import _kernels
from rocsteady.simulate import ShiftedDatasets
from rocsteady.statistics.groups import degrees_of_freedom, ellipse_radius, spread
from rocsteady.statistics.limits import t_quantile

Floats = NDArray[np.float64]

SEPARATION = 1.5
POPULATION = ShiftedDatasets("C-1", separation=SEPARATION)
SHIFTED = ShiftedDatasets("C-2a", separation=SEPARATION, shift_sd=0.5)
PLACES = (0.02, 0.1, 0.3)
GROUPS = (3, 5, 10, 100)
RANGE = (0.02, 0.5)
RESAMPLES = 400
LEVEL = 0.95


@contextmanager
def without_notes() -> Iterator[None]:
    """That curves coincide (RS210), are few (RS212) or small (RS317) need not be printed every time."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="RS21|RS317")
        yield


# Drawing


def draw(
    rng: np.random.Generator, n_positives: NDArray[np.int64], n: int, *, separation_sd: float = 0.0
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.int64]]:
    """Scores, labels and offsets of groups with these numbers of positives and n negatives each."""
    sizes = np.asarray(n_positives) + n
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
    labels = within < np.repeat(n_positives, sizes)
    apart = SEPARATION + separation_sd * rng.normal(size=sizes.size)
    return rng.normal(size=labels.size) + labels * np.repeat(apart, sizes), labels, offsets


def jumps_at(places: Floats, scores: Floats, labels: NDArray[np.bool_], offsets: NDArray[np.int64]) -> Floats:
    """The lower and the upper TPR of every group at places, ``(2, n_groups, n)``."""
    counted = _kernels.kernels.count_curves(scores, labels, offsets, 1.0, 0.0, None, True, 1)
    _, true_positives, false_positives, vertices = counted
    ends = _kernels.kernels.read_paths(true_positives, false_positives, vertices, 1.0, 0.0, places, 1)
    return np.stack(ends)


def drawn_jumps(
    n_groups: int,
    replicates: int,
    seed: int,
    *,
    n: int = 50,
    n_positives: tuple[int, ...] = (),
    separation_sd: float = 0.0,
) -> Floats:
    """Ends of the groups' curves at PLACES in many replicates, ``(2, n_groups, replicates, n_places)``."""
    rng = np.random.default_rng(seed)
    sizes = np.resize(n_positives or (n,), n_groups)
    at_once = max(1, 4_000_000 // int(sizes.sum() + n * n_groups))  # bounds the memory
    found = []
    for start in range(0, replicates, at_once):
        drawn = draw(rng, np.tile(sizes, min(at_once, replicates - start)), n, separation_sd=separation_sd)
        found.append(jumps_at(np.array(PLACES), *drawn).reshape(2, -1, n_groups, len(PLACES)))
    return np.ascontiguousarray(np.concatenate(found, axis=1).swapaxes(1, 2))


def read(jumps: Floats, rule: str = "upper") -> Floats:
    """What the groups are worth on jumps: the upper end, or the middle."""
    return np.asarray(jumps[1] if rule == "upper" else jumps.mean(axis=0))


def expected(
    place: float, n: int = 50, *, population: ShiftedDatasets = POPULATION, rule: str = "upper"
) -> float:
    """E[R^] at a place of the vertical average of groups with n negatives."""
    false_positives = round(place * n) if np.isclose(place * n, round(place * n)) else int(place * n)
    if rule == "mid":
        ends = [expected(place, n, population=population, rule=side) for side in ("upper", "lower")]
        return sum(ends) / 2
    return population.expected_vertical_tpr(false_positives, n, side=rule)


# Shares of replicates


def covered(values: Floats, weights: Floats, targets: Floats, quantile: str = "t") -> Floats:
    """Share of replicates whose interval holds the target, for each place."""
    found = spread(values.reshape(len(values), -1), weights)
    factor = t_quantile(degrees_of_freedom(weights), LEVEL, quantile)
    off = np.abs(found.mean.reshape(values.shape[1:]) - targets)
    held = off <= factor * found.standard_error.reshape(values.shape[1:])
    return np.asarray(held.mean(axis=0))


def pointwise(n_groups: int, replicates: int, seed: int) -> dict[str, Floats]:
    """Coverage at PLACES of vertical intervals, by what they are made of and by what they are to hold."""
    weights = np.full(n_groups, 1 / n_groups)
    truth = np.array([POPULATION.vertical_tpr(place) for place in PLACES])
    jumps, shares = drawn_jumps(n_groups, replicates, seed), {}
    for rule in ("upper", "mid"):
        values = read(jumps, rule)
        own = np.array([expected(place, rule=rule) for place in PLACES])
        shares[f"{rule}, t"] = covered(values, weights, own)
        shares[f"{rule}, normal"] = covered(values, weights, own, "normal")
        shares[f"{rule}, t, population"] = covered(values, weights, truth)
    return shares


POSITIVES = {"10 to 160": (10, 20, 40, 80, 160), "10 or 200": (10, 10, 10, 200)}
SEPARATION_SD = 0.3


def weighted(sizes: str, n_groups: int, replicates: int, seed: int) -> Floats:
    """Coverage at PLACES where groups count by their positives and small groups scatter more."""
    positives = POSITIVES[sizes]
    jumps = drawn_jumps(n_groups, replicates, seed, n_positives=positives, separation_sd=SEPARATION_SD)
    weights = np.resize(positives, n_groups)
    population = ShiftedDatasets("C-1", separation=SEPARATION, separation_sd=SEPARATION_SD)
    targets = np.array([expected(place, population=population) for place in PLACES])
    return covered(read(jumps), weights / weights.sum(), targets)


def predicted(n_groups: int, replicates: int, seed: int, *, n: int = 50) -> Floats:
    """Share of replicates in which one more group lies between the limits of the prediction band."""
    values = read(drawn_jumps(n_groups + 1, replicates, seed, n=n, separation_sd=SEPARATION_SD))
    known, new = values[:-1], values[-1]
    found = spread(known.reshape(n_groups, -1), np.full(n_groups, 1 / n_groups))
    half = t_quantile(n_groups - 1, LEVEL) * found.sd * np.sqrt(1 + 1 / n_groups)
    off = np.abs(found.mean.reshape(new.shape) - new)
    return np.asarray((off <= half.reshape(new.shape)).mean(axis=0))


def shared_threshold(
    n_groups: int, replicates: int, seed: int, *, threshold: float = 0.75, n: int = 50
) -> dict[str, float]:
    """Coverage at one threshold under shifts: both t intervals, and Hotelling's region."""
    rng = np.random.default_rng(seed)
    shift = SHIFTED.shift_sd * rng.normal(size=(n_groups, replicates, 1))
    fpr, tpr = (
        (rng.normal(size=(n_groups, replicates, n)) + shift + mean >= threshold).mean(axis=2)
        for mean in (0.0, SEPARATION)
    )
    truth = np.array([SHIFTED.fpr_beyond(threshold), SHIFTED.tpr_beyond(threshold)])
    rates = np.stack([fpr, tpr], axis=2)
    shares = covered(rates, np.full(n_groups, 1 / n_groups), truth)
    result = {"fpr": float(shares[0]), "tpr": float(shares[1])}
    if n_groups > 2:  # the pseudo-inverse, because a few groups may happen to lie on one line
        off = rates.mean(axis=0) - truth
        around = rates - rates.mean(axis=0)
        covariance = np.einsum("grx,gry->rxy", around, around) / (n_groups - 1)
        distance = np.einsum("rx,rx->r", off, (np.linalg.pinv(covariance) @ off[..., None])[..., 0])
        result["both"] = float(np.mean(distance <= ellipse_radius(n_groups, n_groups, LEVEL) ** 2))
    return result


# Through the front door: bands and bootstraps, one average for each replicate


def simultaneous(n_groups: int, n: int, first: int, last: int, seed: int) -> list[bool]:
    """Whether each band of replicates ``first`` to ``last`` holds the whole of E[R^] over its range."""
    curve = np.array([expected(k / n, n) for k in range(n // 2 + 1)])
    held = []
    for replicate in range(first, last):
        rng = np.random.default_rng([seed, replicate])
        scores, labels, _ = draw(rng, np.full(n_groups, n), n)
        drawn = rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(n_groups), 2 * n))
        average = rs.average(drawn, "vertical", threads=1)
        with without_notes():
            band = average.band(LEVEL, "simultaneous", fpr=RANGE, n_resamples=RESAMPLES, seed=replicate)
        truth = curve[np.floor(band.middle.fpr * n + 1e-9).astype(int)]
        kept = np.isfinite(band.lower.tpr)
        held.append(bool(((band.lower.tpr <= truth) & (truth <= band.upper.tpr))[kept].all()))
    return held


def shifted(n_groups: int, method: str, first: int, last: int, seed: int) -> list[list[bool]]:
    """Whether readings across hold the population's curve: at each of PLACES, and over the whole range.

    For the pooled curve groups have 20 to 80 rows in each class, whatever their shift; for the threshold
    average all have 50.
    """
    truth = np.array([SHIFTED.threshold_tpr(place) for place in PLACES])
    held = []
    for replicate in range(first, last):
        rng = np.random.default_rng([seed, replicate])
        sizes = rng.integers(20, 81, size=n_groups) if method == "pooled" else np.full(n_groups, 50)
        groups = np.repeat(np.arange(n_groups), 2 * sizes)
        labels = np.arange(groups.size) % 2 == 0
        scores = rng.normal(size=groups.size) + SEPARATION * labels
        scores += SHIFTED.shift_sd * rng.normal(size=n_groups)[groups]
        average = rs.average(rs.ScoreSet.from_arrays(labels, scores, groups), method, threads=1)
        options: dict[str, Any] = {"n_resamples": RESAMPLES, "seed": replicate}
        with without_notes():
            interval = average.at(fpr=np.array(PLACES)).tpr_interval
            band = average.band(LEVEL, "simultaneous", fpr=RANGE, **options)
        whole = SHIFTED.threshold_tpr(band.middle.fpr)
        kept = np.isfinite(band.lower.tpr)
        inside = ((band.lower.tpr <= whole) & (whole <= band.upper.tpr))[kept].all()
        held.append([*((interval.low <= truth) & (truth <= interval.high)).tolist(), bool(inside)])
    return held


def areas(n_groups: int, method: str, first: int, last: int, seed: int) -> list[bool]:
    """Whether the interval of the area holds the mean area of such averages, under shifts."""
    truth = SHIFTED.vertical_auc if method == "vertical" else SHIFTED.expected_threshold_auc(n_groups)
    held = []
    for replicate in range(first, last):
        scores = SHIFTED.draw(n_groups, 50, 50, seed=seed + 1_000_003 * replicate)
        average = rs.average(scores, method, threads=1)
        interval = average.auc_interval(LEVEL)
        held.append(bool(interval.low <= truth <= interval.high))
    return held


def share_of(
    task: Callable[..., list[Any]], *arguments: Any, replicates: int, seed: int, processes: int
) -> Floats:
    """The mean of what a task finds in its replicates, which may be spread over processes."""
    ends = np.linspace(0, replicates, 4 * processes + 1).astype(int)
    parts = list(pairwise(ends))
    if processes == 1:
        found = [task(*arguments, first, last, seed) for first, last in parts]
    else:
        with ProcessPoolExecutor(processes) as pool:
            waiting = [pool.submit(task, *arguments, first, last, seed) for first, last in parts]
            found = [part.result() for part in waiting]
    return np.asarray(np.mean([row for part in found for row in part], axis=0))


# Tables


def row(shares: Floats) -> str:
    """Shares side by side."""
    return "  ".join(f"{share:6.3f}" for share in shares)


def print_pointwise(replicates: int, seed: int) -> None:
    """Table 1."""
    print("pointwise intervals of the vertical average, 50 + 50 cases; FPR .02, .1, .3")
    print("  groups  made and read                 held")
    for i, n_groups in enumerate(GROUPS):
        for name, shares in pointwise(n_groups, replicates, seed + i).items():
            target = "" if "population" in name else ", E[R^]"
            print(f"  {n_groups:<6}  {name + target:<28}  {row(shares)}")


def print_weighted(replicates: int, seed: int) -> None:
    """Table 2."""
    print("groups that count by their positives, t; FPR .02, .1, .3")
    for i, (sizes, n_groups) in enumerate(product(POSITIVES, (5, 10, 30, 100))):
        print(f"  {n_groups:<6}  {sizes} positives  {row(weighted(sizes, n_groups, replicates, seed + i))}")


def print_predicted(replicates: int, seed: int) -> None:
    """Table 3."""
    print("one more group inside the prediction band; FPR .02, .1, .3")
    for i, (n_groups, n) in enumerate(product((5, 20, 100), (50, 500))):
        print(f"  {n_groups:<6}  n {n:<4}  {row(predicted(n_groups, replicates, seed + i, n=n))}")


def print_shared(replicates: int, seed: int) -> None:
    """Table 4."""
    print("one threshold under shifts (C-2a), t: FPR, TPR, Hotelling's region of both")
    for i, n_groups in enumerate((3, 5, 10, 30, 100)):
        shares = shared_threshold(n_groups, replicates, seed + i)
        print(f"  {n_groups:<6}  {row(np.array(list(shares.values())))}")


def print_simultaneous(replicates: int, seed: int, processes: int) -> None:
    """Table 5."""
    print(f"simultaneous band of the vertical average over FPR {RANGE[0]:g} to {RANGE[1]:g}")
    for i, (n_groups, n) in enumerate(product((20, 100), (50, 500))):
        how = {"replicates": replicates, "seed": seed + i, "processes": processes}
        print(f"  {n_groups:<6}  n {n:<4}  {share_of(simultaneous, n_groups, n, **how):6.3f}")


def print_shifted(replicates: int, seed: int, processes: int) -> None:
    """Table 6."""
    print("TPR under shifts (C-2a): at FPR .02, .1, .3 by themselves; the simultaneous band")
    for i, (method, n_groups) in enumerate(product(("threshold", "pooled"), (3, 5, 10, 20))):
        how = {"replicates": replicates, "seed": seed + i, "processes": processes}
        print(f"  {method:<9}  {n_groups:<6}  {row(share_of(shifted, n_groups, method, **how))}")


def print_areas(replicates: int, seed: int, processes: int) -> None:
    """Table 7."""
    print("area under shifts (C-2a)")
    for i, (method, n_groups) in enumerate(product(("vertical", "threshold"), (3, 5, 10, 20))):
        how = {"replicates": replicates, "seed": seed + i, "processes": processes}
        print(f"  {method:<9}  {n_groups:<6}  {share_of(areas, n_groups, method, **how):6.3f}")


def main() -> None:
    """Print the seven tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    many, few, seed, processes = 5 * options.replicates, options.replicates, options.seed, options.processes
    print(f"nominal coverage {LEVEL:g}")
    print_pointwise(many, seed)
    print_weighted(many, seed + 100)
    print_predicted(few, seed + 200)
    print_shared(few, seed + 300)
    print_simultaneous(few, seed + 400, processes)
    print_shifted(few, seed + 500, processes)
    print_areas(few, seed + 600, processes)
    errors = [np.sqrt(LEVEL * (1 - LEVEL) / n) for n in (many, few)]
    print(
        f"Monte-Carlo standard error: {errors[0]:.4f} of the first two tables, {errors[1]:.4f} of the others"
    )


if __name__ == "__main__":
    main()
