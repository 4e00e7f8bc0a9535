"""The numbers behind H1 to H14."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

import rocsteady as rs
from papers.averaging_roc.closed_forms import cost_counter_example, largest_difference
from papers.averaging_roc.errata import cost
from papers.averaging_roc.parameters import DESIGNS, POORLY, WELL
from papers.errata.erratum import Numbers
from papers.errata.samples import two_datasets
from rocsteady.averaging.methods import MethodName
from rocsteady.averaging.shared_threshold import ThresholdAverage
from rocsteady.simulate import ShiftedDatasets, binormal_auc

Floats = NDArray[np.float64]

BALANCE = -0.2
"""FPR less FNR, for H1."""
FPR = 0.02
"""One false positive among 50 negatives, for H8."""


def h1() -> Numbers:
    """Two curves at one difference of the error rates: their ratios differ. Radial averages gain area."""
    from scipy.optimize import brentq

    ratios = []
    for dataset in (WELL, POORLY):

        def off(t: float, c: float = dataset.center) -> float:
            return float(ndtr(-c - t) - ndtr(t - c)) - BALANCE

        t = brentq(off, -8.0, 8.0, xtol=1e-14)
        ratios.append(float(ndtr(-dataset.center - t) / ndtr(t - dataset.center)))
    curves = rs.roc_curves(two_datasets())
    return {
        "first": ratios[0],
        "second": ratios[1],
        "radial": rs.average(curves, "radial").auc,
        "mean": float(curves.auc.mean()),
        "diagonal_eer": rs.average(curves, "diagonal").equal_error_rate,
        "mean_eer": float(np.mean([curve.equal_error_rate for curve in curves])),
    }


def h2() -> Numbers:
    """The cheapest point and the intersection, for costs 1 : 4 and, with unequal variances, 1 : 1."""
    from scipy.optimize import brentq, minimize_scalar

    stated = {name.replace(" ", "_"): value for name, value in cost_counter_example().items()}

    def even_cost(t: float) -> float:  # negatives N(0, 1), positives N(2, 2)
        return float(ndtr(-t) + ndtr((t - 2) / 2)) / 2

    def off_the_line(t: float) -> float:
        return float(ndtr(-t) - ndtr((t - 2) / 2))

    best = minimize_scalar(even_cost, bounds=(-4, 4), method="bounded", options={"xatol": 1e-10})
    equal = brentq(off_the_line, -4.0, 4.0, xtol=1e-14)
    return stated | {
        "all_negative_cost": cost(0.0, 0.0),
        "even_optimum_cost": float(best.fun),
        "even_intersection_cost": even_cost(equal),
    }


def h3() -> Numbers:
    """What the cost direction says of tuned classifiers, and what they achieve."""
    curves = rs.roc_curves(two_datasets())
    costs = {"false_positive": 4.0, "false_negative": 1.0, "prevalence": 0.5}
    own = [rs.choose_cutoff(curve, rs.MinimumCost(**costs)).value for curve in curves]
    return {
        "along": rs.average(curves, rs.AtCosts(**costs)).minimum_cost(**costs),
        "own": float(np.mean(own)),
        "tangent": rs.average(curves, "tangent").minimum_cost(**costs),
    }


def h4() -> Numbers:
    """Areas under averages of one pair of curves, and of a grid of 11 points through the vertical one."""
    curves = rs.roc_curves(two_datasets())
    names: tuple[MethodName, ...] = ("vertical", "diagonal", "horizontal", "threshold", "radial", "tangent")
    areas = {name: rs.average(two_datasets(), name).auc for name in names}
    grid = np.linspace(0, 1, 11)
    tpr = np.asarray(rs.average(curves, "vertical").tpr_at(grid))
    from_origin = np.concatenate([[0.0], tpr[1:]])
    return areas | {
        "mean": float(curves.auc.mean()),
        "grid": trapezium(grid, tpr),
        "overwritten": trapezium(grid, from_origin),
    }


def trapezium(x: Floats, y: Floats) -> float:
    """The area under a polyline."""
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)


def h5() -> Numbers:
    """Two perfect datasets, one above the other: no average of their curves in ROC space is below 1."""
    stacked = rs.ScoreSet.from_folds([([1, 0], [4, 3]), ([1, 0], [2, 1])], design="independent")
    matrix = rs.cross_auc(stacked)
    return {
        "own": float(rs.roc_curves(stacked).auc.min()),
        "pooled": rs.average(stacked, "pooled").auc,
        "from_pairs": float(matrix.mean()),
        "across": float((matrix.sum() - np.trace(matrix)) / 2),
    }


def h6() -> Numbers:
    """Pooled and threshold average at every score, with equal and with unequal datasets."""
    return {"equal": _pooled_gap(two_datasets()), "unequal": _pooled_gap(two_datasets(n_second=60))}


def _pooled_gap(score_set: rs.ScoreSet) -> float:
    one, other = (cast("ThresholdAverage", rs.average(score_set, name)) for name in ("threshold", "pooled"))
    thresholds = score_set.columns.scores
    a, b = one.rates_at(thresholds), other.rates_at(thresholds)
    return float(max(np.abs(a.fpr - b.fpr).max(), np.abs(a.tpr - b.tpr).max()))


def h7() -> Numbers:
    """A pooled curve of twenty datasets with an interval: datasets are resampled."""
    score_set = DESIGNS[0].population("C-2a").draw(20, 50, 50, seed=7)
    pooled = rs.average(score_set, "pooled")
    interval = pooled.auc_interval()
    return {"auc": pooled.auc, "low": float(interval.low), "high": float(interval.high)}


def h8() -> Numbers:
    """The upper end of jumps, on average over samples; and how often its interval covers the population."""
    from scipy.special import stdtrit

    population, n, n_datasets, n_studies = ShiftedDatasets("C-1", separation=1.5), 50, 100, 400
    upper, lower = (population.expected_vertical_tpr(1, n, side=side) for side in ("upper", "lower"))
    truth = population.vertical_tpr(FPR)
    random = np.random.default_rng(8)
    scores = random.standard_normal((n_studies, n_datasets, 2 * n))
    second = np.sort(scores[..., n:], axis=-1)[..., -2]  # above it lies one negative of 50
    tpr = (scores[..., :n] + population.separation > second[..., None]).mean(axis=-1)
    center, error = tpr.mean(axis=1), tpr.std(axis=1, ddof=1) / np.sqrt(n_datasets)
    half = stdtrit(n_datasets - 1, 0.975) * error
    return {
        "upper": upper,
        "mid": (upper + lower) / 2,
        "truth": truth,
        "covers_truth": 100 * float((np.abs(center - truth) <= half).mean()),
        "covers_mean": 100 * float((np.abs(center - upper) <= half).mean()),
        "studies": n_studies,
    }


def h9() -> Numbers:
    """How often a mean of M normal numbers lies within 1.96 of its estimated standard errors."""
    from scipy.special import ndtri, stdtr

    return {f"m{m}": 100 * float(1 - 2 * stdtr(m - 1, -ndtri(0.975))) for m in (3, 5, 10)}


def h10() -> Numbers:
    """The threshold average through 11 thresholds, evenly by value or by rank, before and after exp."""
    score_set = two_datasets()
    raised = rs.ScoreSet.from_folds(
        [(one.is_positive, np.exp(one.scores)) for one in score_set], design="independent"
    )
    averages = {
        name: cast("ThresholdAverage", rs.average(own, "threshold"))
        for name, own in (("", score_set), ("_raised", raised))
    }
    areas = {}
    for name, average in averages.items():
        for by in ("value", "rank"):
            grid = average.grid(11, by=by)
            areas[by + name] = trapezium(grid.fpr, grid.tpr)
    return areas | {"exact": averages[""].auc}


def h11() -> Numbers:
    """Four positives, two of them on the threshold: the shares above it, at it or above, and below."""
    curve = rs.roc_curve([1, 1, 1, 1, 0, 0], [1, 2, 2, 3, 0, 2])
    above, at_least = (float(curve.rates_at(2.0, rule=rule).tpr) for rule in (">", ">="))
    return {"above": above, "at_least": at_least, "below": 1 - at_least}


def h13() -> Numbers:
    """How far C-2b's threshold average is from C-1's: two fitting designs, and N(0, 1) with N(1, 1)."""
    plain = [ShiftedDatasets(kind, separation=1.0) for kind in ("C-1", "C-2b")]
    found = {"plain": largest_difference(plain[1].threshold_tpr, plain[0].threshold_tpr)}
    found |= {f"plain_auc_{number}": one.threshold_auc for number, one in enumerate(plain, start=1)}
    for design in DESIGNS:
        first, wider = (design.population(kind) for kind in ("C-1", "C-2b"))
        found[design.name] = largest_difference(wider.threshold_tpr, first.threshold_tpr)
    return found


def h14() -> Numbers:
    """The AUC of N(0, 1.3) and N(3, 1) with the second number as a standard deviation, and as a variance."""
    design = DESIGNS[0]
    sd, variance = design.negative_sd, np.sqrt(design.negative_sd)
    return {
        "as_sd": binormal_auc(design.separation / sd, 1 / sd),
        "as_variance": binormal_auc(design.separation / variance, 1 / variance),
    }
