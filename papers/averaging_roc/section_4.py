"""What sections 3.2 and 4 say about the averages, tried on the datasets of Figures 1 and 2.

H2, the cheapest threshold is not where the curve meets a line from (0, 1), and H8, reading the highest TPR at
an FPR is too good however many datasets are averaged, are checked against closed forms too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocsteady as rs
from papers.averaging_roc.figure_1 import Figure1
from papers.averaging_roc.figure_2 import N_DATASETS, N_PER_CLASS, Classifier, integrated
from papers.paper import Check, Claim, simulated, tiny
from rocsteady.points.criteria import MinimumCost
from rocsteady.scores import stratified_folds
from rocsteady.simulate import ShiftedDatasets
from rocsteady.statistics.limits import trapezoids
from rocsteady.words import grouped

Floats = NDArray[np.float64]
SAME = 1e-12
"""Numbers closer than this are the same but for rounding."""
N_FOLDS, N_QUANTILES, N_FRESH, H8_SEED = 10, 4000, 200, 7
"""Folds; cases that stand for a population; studies drawn again to see how far a pooled TPR scatters."""
ANGLES = np.linspace(0, np.pi / 2, 9)
RATIO = 0.25
"""FPR over FNR, where a fixed ratio is tried."""
COSTS = {"false_positive": 4.0, "false_negative": 1.0, "prevalence": 0.5}
H2, H8 = "H2: the cheapest threshold", "H8: the highest TPR"
H8_POPULATION = ShiftedDatasets("C-1", separation=1.5)
H8_FPR, H8_SIZE = 0.02, 50


# Checks -------------------------------------------------------------------------------------------------


@cache
def expected_h2() -> dict[str, float]:
    """Normal scores one standard deviation apart, false positives four times as dear in all (1 : 4).

    The cost is 0.2 (1 - TPR) + 0.8 FPR. It is least where the likelihood ratio is 4, not where the curve
    meets the line from (0, 1) with slope -1/4.
    """
    from scipy.optimize import brentq

    best = 0.5 + math.log(4.0)  # log likelihood ratio t - 1/2 = log 4
    met = float(brentq(lambda t: float(ndtr(1 - t) - (1 - ndtr(-t) / 4)), -8.0, 8.0, xtol=1e-14))
    numbers: dict[str, float] = {}
    for name, t in (("optimum", best), ("intersection", met)):
        fpr, tpr = _rates(t)
        numbers |= {f"{name} fpr": fpr, f"{name} tpr": tpr, f"{name} cost": cost(fpr, tpr)}
    return numbers


def expected_h8(*, side: str = "upper") -> float:
    """The highest TPR on average over samples; or the lowest."""
    return H8_POPULATION.expected_vertical_tpr(round(H8_FPR * H8_SIZE), H8_SIZE, side=side)


def cost(fpr: float, tpr: float) -> float:
    """Expected cost where missing all positives costs 0.2 and calling all negatives positive costs 0.8."""
    return 0.2 * (1 - tpr) + 0.8 * fpr


def _rates(threshold: float) -> tuple[float, float]:
    return float(ndtr(-threshold)), float(ndtr(1 - threshold))


def h2_checks() -> list[Check]:
    """The optimum by search, the intersection on a curve of normal quantiles."""
    from scipy.optimize import minimize_scalar

    searched = minimize_scalar(lambda t: cost(*_rates(t)), bounds=(-5, 5), method="bounded")
    optimum = (*_rates(float(searched.x)), float(searched.fun))
    met, wanted = _on_the_line(_quantile_curve()), expected_h2()
    steps = f"steps of a curve with {grouped(N_QUANTILES)} cases of each class"
    return [
        Check(H2, f"{name}: {label}", wanted[f"{name} {label.lower()}"], float(value), tolerance, source)
        for name, values, tolerance, source in (
            ("optimum", optimum, 1e-5, "search for the minimum"),
            ("intersection", (*met, cost(*met)), 1 / N_QUANTILES, steps),
        )
        for label, value in zip(("FPR", "TPR", "cost"), values, strict=True)
    ]


@cache
def _quantile_curve() -> rs.RocCurve:
    """What normal scores one sd apart would give if chance had no part in it."""
    quantiles = ndtri((np.arange(N_QUANTILES) + 0.5) / N_QUANTILES)
    labels = np.arange(2 * N_QUANTILES) < N_QUANTILES
    return rs.roc_curve(labels, np.concatenate([quantiles + 1, quantiles]))


def _on_the_line(curve: rs.RocCurve) -> tuple[float, float]:
    """Where a curve meets the line from (0, 1) with slope -1/4; above = TPR + FPR / 4 - 1 only rises."""
    above = curve.tpr + curve.fpr / 4 - 1
    return float(np.interp(0.0, above, curve.fpr)), float(np.interp(0.0, above, curve.tpr))


def h8_checks(n_datasets: int) -> list[Check]:
    """The vertical average of many datasets, which reads too high a TPR, and the population's own."""
    average = _average(H8_POPULATION.draw(n_datasets, H8_SIZE, H8_SIZE, seed=H8_SEED), "vertical")
    read = average.at_position(H8_FPR)
    name, source = "vertical TPR at FPR 0.02, 50 + 50 cases", f"{n_datasets} datasets"
    again = float(integrated(H8_POPULATION, np.array([H8_FPR]))[0][0])
    truth, digits = H8_POPULATION.vertical_tpr(H8_FPR), "nine digits of the integral"
    return [
        simulated(H8, name, expected_h8(), float(read.tpr), float(read.standard_error), source),
        Check(H8, "TPR of the population", truth, again, 1e-8, digits),
    ]


# Claims -------------------------------------------------------------------------------------------------


def claims(
    figure: Figure1, figures: Mapping[str, Sequence[Classifier]], checks: Sequence[Check]
) -> list[Claim]:
    """Sections 3.3, 4 and 4.1, in their order."""
    score_set = figure.score_set
    return [
        _equal_sizes(score_set),
        _pooled_is_weighted(score_set),
        _without_uncertainty(figures["A"][1]),
        _folds_pool_alike(score_set),
        _pessimistic(figures),
        *_without_bias(checks),
        _area_is_kept(score_set),
        _vertical_misleads_on_eer(score_set),
        _diagonal_holds_ratio(score_set),
        _cheapest_on_line(),
        _angle_fixes_costs(score_set),
    ]


def _equal_sizes(score_set: rs.ScoreSet) -> Claim:
    """H6: with as many cases in each dataset, pooling is threshold averaging."""
    n = min(len(scores.scores) for scores in score_set) // 2
    gaps = [pooled_gap(_subset(score_set, [(n, n)] * len(score_set), digits)) for digits in (None, 1)]
    return Claim(
        claim="With equally many cases of each class in every dataset, the pooled curve and the threshold "
        "average are identical.",
        where="section 3.3",
        measured=f"Figure 1 with {n} cases of each class in both datasets: the largest gap between the two "
        f"is {tiny(gaps[0])}; with scores rounded to one digit, so that most are tied, {tiny(gaps[1])}.",
        holds=max(gaps) <= SAME,
        erratum="H6",
    )


def _pooled_is_weighted(score_set: rs.ScoreSet) -> Claim:
    """H5: at one threshold two sets of weights make the pooled rates; in ROC space none do."""
    unlike = _subset(score_set, [(150, 30), (40, 75)])
    pooled = _average(unlike, "pooled")
    by_rows = rs.average(unlike, "vertical", group_weights="rows")
    grid = np.linspace(0, 1, 201)
    in_space = float(np.abs(pooled.tpr_at(grid) - by_rows.tpr_at(grid)).max())
    balanced = _weighted_gap(score_set, "n_cases")
    by_cases, by_class = (_weighted_gap(unlike, weights) for weights in ("n_cases", "of each class"))
    return Claim(
        claim="The pooled curve can be considered as a weighted average of the individual curves, weighted "
        "by the number of instances scored in each.",
        where="section 4",
        measured="Figure 1, whose classes are balanced: rates at each threshold, weighted by instances, are "
        f"{tiny(balanced)} away from the pooled ones. With 150 + 30 and 40 + 75 cases they are "
        f"{by_cases:.3f} away, weighted class by class {tiny(by_class)}; the vertical average weighted by "
        f"instances is up to {in_space:.3f} of TPR away from the pooled curve.",
        holds=max(by_cases, in_space) <= SAME,
        caveat="Threshold by threshold, each class weighted by its own cases; by instances where datasets "
        "have the same class shares. Not an average along any direction of ROC space.",
        holds_with_caveat=max(balanced, by_class) <= SAME < in_space,
        erratum="H5",
    )


def _weighted_gap(score_set: rs.ScoreSet, weights: str) -> float:
    """The largest gap between pooled rates and weighted means of rates, at any threshold."""
    pooled = _average(score_set, "pooled")
    rates = [curve.rates_at(pooled.thresholds) for curve in rs.roc_curves(score_set)]
    sizes = np.array([(own.n_negatives, own.n_positives) for own in score_set], dtype=float)
    if weights == "n_cases":
        sizes[:] = sizes.sum(axis=1, keepdims=True)
    by_fpr, by_tpr = (sizes / sizes.sum(axis=0)).T
    fpr, tpr = by_fpr @ [own.fpr for own in rates], by_tpr @ [own.tpr for own in rates]
    return float(max(np.abs(fpr - pooled.fpr).max(), np.abs(tpr - pooled.tpr).max()))


def _without_uncertainty(drawn: Classifier) -> Claim:
    """H7: datasets are the units, and how far they scatter is known after pooling too."""
    score_set = drawn.population.draw(N_DATASETS, N_PER_CLASS, N_PER_CLASS, seed=1)
    threshold = drawn.population.threshold_at(0.1)
    error = float(_average(score_set, "pooled").rates_at(threshold).tpr_standard_error)
    scatter = _scatter(drawn.population, threshold)
    # Standard errors of the two: that of a standard deviation, by normal theory.
    errors = [error / math.sqrt(2 * (N_DATASETS - 1)), scatter / math.sqrt(2 * (N_FRESH - 1))]
    return Claim(
        claim="Pooling produces only a single curve and so provides no information regarding uncertainty.",
        where="section 4",
        measured="C-2a of Figure 2, TPR at one threshold: standard error "
        f"{error:.4f} ± {errors[0]:.4f} by the spread of the pooled datasets; {N_FRESH} studies drawn again "
        f"scatter by {scatter:.4f} ± {errors[1]:.4f}.",
        holds=not 0.5 < error / scatter < 2,
        instead="The datasets are still known after pooling, and their spread says how sure the curve is: "
        "resample whole datasets and pool again.",
        erratum="H7",
    )


@cache
def _scatter(population: ShiftedDatasets, threshold: float) -> float:
    """The standard deviation of the pooled TPR over studies that are drawn again."""
    seeds = range(1000, 1000 + N_FRESH)
    drawn = (population.draw_arrays(N_DATASETS, N_PER_CLASS, N_PER_CLASS, seed=seed)[0] for seed in seeds)
    return float(np.std([(positives >= threshold).mean() for positives in drawn], ddof=1))


def _folds_pool_alike(score_set: rs.ScoreSet) -> Claim:
    """H6: folds of equal size need equal classes too."""
    scores = score_set[0]
    gaps = []
    for n in (scores.n_positives, scores.n_positives - 7):
        rows = _rows(scores, n, scores.n_negatives)
        labels, values = scores.is_positive[rows], scores.scores[rows]
        folds = stratified_folds(labels.astype(int), N_FOLDS, seed=0)
        split = rs.ScoreSet.from_arrays(labels, values, folds, unit="fold", design="cross-validation")
        gaps.append(pooled_gap(split))
    return Claim(
        claim="In k-fold cross-validation pooling and threshold averaging are equivalent, as folds are "
        "typically of the same size.",
        where="section 4",
        measured=f"Ten stratified folds of 150 + 150 cases: largest gap {tiny(gaps[0])}. Of 143 + 150 cases, "
        f"where folds differ by one case: {gaps[1]:.4f}.",
        holds=max(gaps) <= SAME,
        caveat="Where every fold has equally many cases of each class; one case more or less is enough to "
        "part them.",
        holds_with_caveat=gaps[0] <= SAME < gaps[1],
        erratum="H6",
    )


def _pessimistic(figures: Mapping[str, Sequence[Classifier]]) -> Claim:
    shifted = {name: drawn[1] for name, drawn in figures.items()}
    areas = {name: (float(own.curves.auc.mean()), own.threshold.auc) for name, own in shifted.items()}
    words = "; ".join(f"design {name} {own:.3f} and {shared:.3f}" for name, (own, shared) in areas.items())
    return Claim(
        claim="Where outputs are not comparable across folds or datasets, pooling and threshold averaging "
        "are pessimistic about the AUC.",
        where="section 4 (Parker and others, 2007)",
        measured=f"C-2a of Figure 2, mean AUC and AUC of the pooled scores: {words}.",
        chosen_here=True,
        holds=all(own - shared > 0.01 for own, shared in areas.values()),
    )


def _without_bias(checks: Sequence[Check]) -> list[Claim]:
    """H8: the area is not biased, the curve is."""
    read = next(check for check in checks if check.section == H8 and check.name.startswith("vertical"))
    areas = [c for c in checks if c.name == "vertical AUC" and c.section.startswith("Figure 2")]
    truth = H8_POPULATION.vertical_tpr(H8_FPR)
    return [
        Claim(
            claim="Vertical averaging does not suffer such biases in the estimation of the AUC.",
            where="section 4",
            measured="The area under the vertical average is within "
            f"{max(abs(c.found - c.expected) for c in areas):.4f} of that of the populations of Figure 2.",
            chosen_here=True,
            holds=all(check.passed for check in areas),
        ),
        Claim(
            claim="Vertical averaging does not suffer such biases in the shape of the curve.",
            where="section 4",
            measured=f"TPR {read.found:.3f} at FPR 0.02 with 50 + 50 cases and normal scores 1.5 sd apart, "
            f"where the population has {truth:.3f}.",
            holds=abs(read.found - truth) <= read.tolerance,
            instead="Not pessimistic, but too good: so is reading the highest TPR at an FPR where a dataset "
            "has few negatives, however many datasets are averaged.",
            erratum="H8",
        ),
    ]


def _area_is_kept(score_set: rs.ScoreSet) -> Claim:
    """H4: along every direction, if the curve is exact."""
    mean = float(rs.roc_curves(score_set).auc.mean())
    gap = max(abs(_average(score_set, rs.AtAngle(angle)).auc - mean) for angle in ANGLES)
    grid = np.linspace(0, 1, 101)
    read = np.asarray(_average(score_set, "vertical").tpr_at(grid)).copy()
    read[0] = 0.0  # as is often done
    coarse = trapezoids(grid, read)
    return Claim(
        claim="The AUC of the average curve equals the average of the AUCs, for vertical averaging and its "
        "variants in other directions.",
        where="section 4",
        measured="Figure 1: at nine angles from 0 to 90 degrees the largest gap between the two is "
        f"{tiny(gap)}. Read on 101 points that start at (0, 0), the vertical average is off by "
        f"{tiny(abs(coarse - mean))}.",
        holds=gap <= SAME,
        erratum="H4",
    )


def _vertical_misleads_on_eer(score_set: rs.ScoreSet) -> Claim:
    """The equal error rate of the vertical average is not the mean of those of the datasets."""
    equal = float(np.mean([_at_ratio(curve.fpr, curve.tpr, 1.0) for curve in rs.roc_curves(score_set)]))
    vertical = _average(score_set, "vertical")
    met = _at_ratio(vertical.fpr, vertical.tpr, 1.0)
    return Claim(
        claim="The vertical average misleads about the equal error rate.",
        where="section 4.1",
        measured=f"Figure 1: it has {met:.4f}, the datasets have {equal:.4f} on average.",
        chosen_here=True,
        holds=abs(met - equal) > 1e-3,
    )


def _diagonal_holds_ratio(score_set: rs.ScoreSet) -> Claim:
    """H1: a difference of error rates is held; they agree only at equal error rates."""
    curves = rs.roc_curves(score_set)
    diagonal, vertical = _average(score_set, rs.AtAngle(np.pi / 4)), _average(score_set, "vertical")
    radial = _average(score_set, "radial")
    wanted, equal = (
        float(np.mean([_at_ratio(curve.fpr, curve.tpr, ratio) for curve in curves])) for ratio in (RATIO, 1.0)
    )
    read, met = (_at_ratio(diagonal.fpr, diagonal.tpr, ratio) for ratio in (RATIO, 1.0))
    on_ray = float(radial.at_error_ratio(RATIO, 1.0).fpr)
    return Claim(
        claim="For performance at fixed ratios of the error rates, averaging should take place diagonally.",
        where="section 4.1",
        measured=f"Figure 1, FPR : FNR = 1 : 4: the datasets have FPR {wanted:.4f} on average, the diagonal "
        f"average {read:.4f}, the radial one {on_ray:.4f}. At equal error rates: {equal:.4f}, diagonal "
        f"{met:.4f} (vertical {_at_ratio(vertical.fpr, vertical.tpr, 1.0):.4f}).",
        holds=abs(read - wanted) <= 1e-9,
        instead="Diagonal averaging holds the difference of the error rates. That is the ratio only at equal "
        "error rates, which it averages exactly; a ratio is held along rays from (0, 1).",
        erratum="H1",
    )


def _cheapest_on_line() -> Claim:
    """H2: costs are least where a line touches the curve, not where one crosses it."""
    curve = _quantile_curve()
    crossing = cost(*_on_the_line(curve))
    least = float((0.2 * (1 - curve.tpr) + 0.8 * curve.fpr).min())
    touching = rs.choose_cutoff(curve, MinimumCost(**COSTS))
    touched = cost(touching.fpr, touching.tpr)
    return Claim(
        claim="The threshold of least cost is where the curve meets a line from (0, 1) with slope "
        "-pi_P c_P / (pi_N c_N).",
        where="section 4.1",
        measured="Normal scores one sd apart, false positives weighing four times as much: the crossing "
        f"costs {crossing:.3f}, the point where a line of slope 4 touches the curve {touched:.3f}, the "
        f"cheapest of all points {least:.3f}; calling everything negative costs 0.200.",
        holds=abs(crossing - least) <= 1e-3,
        instead="It is where a line of slope pi_N c_N / (pi_P c_P) touches the curve from above.",
        erratum="H2",
    )


def _angle_fixes_costs(score_set: rs.ScoreSet) -> Claim:
    """H3: the angle averages costs at equal positions, not at each classifier's own best point."""
    costs = rs.AtCosts(**COSTS)
    along = _average(score_set, costs)
    tangent = _average(score_set, "tangent")
    of_misses, of_alarms = costs.expected
    curves = rs.roc_curves(score_set)
    own = [float((of_misses * (1 - c.tpr) + of_alarms * c.fpr).min()) for c in curves]
    least, tuned = float(along.expected_cost().min()), float(np.mean(own))
    touched = float((of_misses * (1 - tangent.tpr) + of_alarms * tangent.fpr).min())
    # Along a line of equal cost the position grows by what the cost does not depend on.
    places = np.linspace(0.01, of_misses + of_alarms - 0.01, 99)
    at_places = [np.interp(places, *_turned(c.fpr, c.tpr, of_misses, of_alarms)) for c in (*curves, along)]
    gap = float(np.abs(np.mean(at_places[:-1], axis=0) - at_places[-1]).max())
    return Claim(
        claim="ROC curves can be averaged with respect to fixed costs, at the angle "
        "arctan(pi_N c_N / (pi_P c_P)).",
        where="section 4.1",
        measured="Figure 1, false positives four times as dear: at 99 positions the cost on that average is "
        f"the mean of the datasets' costs there, but for {tiny(gap)}. Its cheapest point costs {least:.4f}; "
        f"the datasets' own cheapest points cost {tuned:.4f} on average, and so does the tangent average "
        f"({touched:.4f}).",
        holds=abs(least - tuned) <= 1e-9,
        caveat="It averages costs at equal positions along the lines of equal cost. Classifiers that are "
        "each tuned to the costs do better: of those, average the cost-optimal points.",
        holds_with_caveat=gap <= 1e-9 and abs(touched - tuned) <= 1e-9 and least >= tuned - SAME,
        erratum="H3",
    )


def _turned(fpr: Floats, tpr: Floats, of_misses: float, of_alarms: float) -> tuple[Floats, Floats]:
    """Position along the lines of equal cost, and cost, of the points of a curve."""
    return of_misses * fpr + of_alarms * tpr, of_misses * (1 - tpr) + of_alarms * fpr


# Of averages and of rows --------------------------------------------------------------------------------


def _average(score_set: rs.ScoreSet, method: Any) -> Any:
    """An average, whose kind whoever names the method knows."""
    return rs.average(score_set, method)


def _at_ratio(fpr: Floats, tpr: Floats, ratio: float) -> float:
    """The FPR where FPR is ``ratio`` times FNR; the curve meets that ray once."""
    return float(np.interp(0.0, fpr - ratio * (1 - tpr), fpr))


def pooled_gap(score_set: rs.ScoreSet) -> float:
    """The largest gap between pooled rates and mean rates, over all thresholds."""
    pooled, threshold = _average(score_set, "pooled"), _average(score_set, "threshold")
    rates = threshold.rates_at(pooled.thresholds)
    return float(max(np.abs(rates.fpr - pooled.fpr).max(), np.abs(rates.tpr - pooled.tpr).max()))


def _rows(scores: rs.Scores, n_positives: int, n_negatives: int) -> NDArray[np.intp]:
    """The first so many rows of each class."""
    is_positive = scores.is_positive
    kept = np.flatnonzero(is_positive)[:n_positives], np.flatnonzero(~is_positive)[:n_negatives]
    return np.concatenate(kept)


def _subset(score_set: rs.ScoreSet, sizes: list[tuple[int, int]], digits: int | None = None) -> rs.ScoreSet:
    pairs = []
    for scores, size in zip(score_set, sizes, strict=True):
        rows = _rows(scores, *size)
        values = scores.scores[rows]
        pairs.append((scores.is_positive[rows], values if digits is None else np.round(values, digits)))
    return rs.ScoreSet.from_folds(pairs, unit="dataset", design="independent")
