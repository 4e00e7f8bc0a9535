"""What section 4 says about the averages, tried on the two datasets of Figure 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

import rocsteady as rs
from papers.averaging_roc import averages
from papers.averaging_roc.errata import cost
from papers.claims import Claim, tiny
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.radial_tangent import RadialAverage, TangentAverage
from rocsteady.points.criteria import MinimumCost
from rocsteady.scores import stratified_folds

Floats = NDArray[np.float64]
SAME = 1e-12
"""Numbers closer than this are the same but for rounding."""
N_FOLDS = 10
ANGLES = np.linspace(0, np.pi / 2, 9)
RATIO = 0.25
"""FPR over FNR, where a fixed ratio is tried."""
FALSE_POSITIVE, FALSE_NEGATIVE, PREVALENCE = 4.0, 1.0, 0.5
N_QUANTILES = 4000


def equal_sizes(score_set: rs.ScoreSet) -> Claim:
    """H6: with as many cases in each dataset, pooling is threshold averaging."""
    n = min(len(scores.scores) for scores in score_set) // 2
    halved = _subset(score_set, [(n, n)] * len(score_set))
    rounded = _subset(score_set, [(n, n)] * len(score_set), digits=1)
    gaps = [_pooled_gap(each) for each in (halved, rounded)]
    return Claim(
        claim="With equally many cases of each class in every dataset, the pooled curve and the threshold "
        "average are identical.",
        where="section 3.3",
        measured=f"Figure 1 with {n} cases of each class in both datasets: the largest gap between the two "
        f"is {tiny(gaps[0])}; with scores rounded to one digit, so that most are tied, {tiny(gaps[1])}.",
        holds=max(gaps) <= SAME,
        erratum="H6",
    )


def folds_pool_alike(score_set: rs.ScoreSet) -> Claim:
    """H6: folds of equal size need equal classes too."""
    scores = score_set[0]
    gaps = []
    for n in (scores.n_positives, scores.n_positives - 7):
        rows = _rows(scores, n, scores.n_negatives)
        labels, values = scores.is_positive[rows], scores.scores[rows]
        folds = stratified_folds(labels.astype(int), N_FOLDS, seed=0)
        gaps.append(
            _pooled_gap(
                rs.ScoreSet.from_arrays(labels, values, folds, unit="fold", design="cross-validation")
            )
        )
    return Claim(
        claim="In k-fold cross-validation pooling and threshold averaging are equivalent, as folds are "
        "typically of the same size.",
        where="section 4",
        measured=f"Ten stratified folds of 150 + 150 cases: largest gap {tiny(gaps[0])}. Of 143 + 150 cases, "
        f"where folds differ by one case: {gaps[1]:.4f}.",
        holds=max(gaps) <= SAME,
        correction="They are if every fold has equally many cases of each class; one case more or less is "
        "enough to part them.",
        holds_corrected=gaps[0] <= SAME < gaps[1],
        erratum="H6",
    )


def pooled_is_weighted(score_set: rs.ScoreSet) -> Claim:
    """H5: in ROC space no weights make the pooled curve; at one threshold two sets of weights do."""
    unlike = _subset(score_set, [(150, 30), (40, 75)])
    pooled = averages.pooled(unlike)
    by_rows = rs.average(unlike, "vertical", group_weights="rows")
    grid = np.linspace(0, 1, 201)
    in_space = float(np.abs(pooled.tpr_at(grid) - by_rows.tpr_at(grid)).max())
    rates = [curve.rates_at(pooled.thresholds) for curve in rs.roc_curves(unlike)]
    positives, negatives = (
        np.array([getattr(s, f"n_{c}") for s in unlike]) for c in ("positives", "negatives")
    )
    tpr = sum(n * r.tpr for n, r in zip(positives / positives.sum(), rates, strict=True))
    fpr = sum(n * r.fpr for n, r in zip(negatives / negatives.sum(), rates, strict=True))
    by_class = float(max(np.abs(tpr - pooled.tpr).max(), np.abs(fpr - pooled.fpr).max()))
    return Claim(
        claim="The pooled curve can be considered as a weighted average of the individual curves, weighted "
        "by the number of instances scored in each.",
        where="section 4",
        measured="Figure 1 with 150 + 30 and 40 + 75 cases: the average weighted by instances is up to "
        f"{in_space:.3f} of TPR away from the pooled curve. Rates at each threshold, weighted class by "
        f"class, are {tiny(by_class)} away.",
        holds=in_space <= SAME,
        correction="Threshold by threshold, with weights of its own on each axis: shares of the positives on "
        "TPR, of the negatives on FPR. It is no average in ROC space.",
        holds_corrected=by_class <= SAME,
        erratum="H5",
    )


def area_is_kept(score_set: rs.ScoreSet) -> Claim:
    """H4: along every direction, if the curve is exact."""
    mean = float(rs.roc_curves(score_set).auc.mean())
    gap = max(abs(_along(score_set, angle).auc - mean) for angle in ANGLES)
    grid = np.linspace(0, 1, 101)
    read = np.asarray(averages.vertical(score_set).tpr_at(grid)).copy()
    read[0] = 0.0  # as is often done
    coarse = float(np.sum((read[1:] + read[:-1]) / 2) / (grid.size - 1))
    return Claim(
        claim="The AUC of the average curve equals the average of the AUCs, for vertical averaging and its "
        "variants in other directions.",
        where="section 4",
        measured="Figure 1: at nine angles from 0 to 90 degrees the largest gap between the two is "
        f"{tiny(gap)}. "
        "Read on 101 points that start at (0, 0), the vertical average is off by "
        f"{tiny(abs(coarse - mean))}.",
        holds=gap <= SAME,
        correction="For the exact curve and angles from 0 to 90 degrees; a grid, or a curve forced to begin "
        "at (0, 0), misses it.",
        holds_corrected=gap <= SAME < abs(coarse - mean),
        erratum="H4",
    )


def diagonal_holds_ratio(score_set: rs.ScoreSet) -> Claim:
    """H1: a difference of error rates is held; they agree only at equal error rates."""
    curves = rs.roc_curves(score_set)
    diagonal, vertical = _along(score_set, np.pi / 4), averages.vertical(score_set)
    radial = rs.average(score_set, "radial")
    assert isinstance(radial, RadialAverage)
    wanted = float(np.mean([_at_ratio(curve.fpr, curve.tpr, RATIO) for curve in curves]))
    equal = float(np.mean([_at_ratio(curve.fpr, curve.tpr, 1.0) for curve in curves]))
    read = _at_ratio(diagonal.fpr, diagonal.tpr, RATIO)
    on_ray = float(radial.at_error_ratio(RATIO, 1.0).fpr)
    met = _at_ratio(diagonal.fpr, diagonal.tpr, 1.0)
    of_vertical = _at_ratio(vertical.fpr, vertical.tpr, 1.0)
    return Claim(
        claim="For performance at fixed ratios of the error rates, averaging should take place diagonally.",
        where="section 4.1",
        measured=f"Figure 1, FPR : FNR = 1 : 4: the datasets have FPR {wanted:.4f} on average, the diagonal "
        f"average {read:.4f}, the radial one {on_ray:.4f}. At equal error rates: {equal:.4f}, diagonal "
        f"{met:.4f} (vertical {of_vertical:.4f}).",
        holds=abs(read - wanted) <= SAME,
        correction="Diagonal averaging holds the difference of the error rates. That is the ratio only at "
        "equal error rates, which it averages exactly; a ratio is held along rays from (0, 1).",
        holds_corrected=abs(met - equal) <= 1e-9 and abs(on_ray - wanted) <= 1e-9,
        erratum="H1",
    )


def vertical_misleads_on_eer(score_set: rs.ScoreSet) -> Claim:
    """The equal error rate of the vertical average is not the mean of those of the datasets."""
    equal = float(np.mean([_at_ratio(curve.fpr, curve.tpr, 1.0) for curve in rs.roc_curves(score_set)]))
    vertical = averages.vertical(score_set)
    met = _at_ratio(vertical.fpr, vertical.tpr, 1.0)
    return Claim(
        claim="The vertical average misleads about the equal error rate.",
        where="section 4.1",
        measured=f"Figure 1: it has {met:.4f}, the datasets have {equal:.4f} on average.",
        holds=abs(met - equal) > 1e-3,
    )


def cheapest_on_line() -> Claim:
    """H2: costs are least where a line touches the curve, not where one crosses it."""
    quantiles = ndtri((np.arange(N_QUANTILES) + 0.5) / N_QUANTILES)
    labels = np.arange(2 * N_QUANTILES) < N_QUANTILES
    curve = rs.roc_curve(labels, np.concatenate([quantiles + 1, quantiles]))
    above = curve.tpr + curve.fpr / 4 - 1
    crossing = cost(*(float(np.interp(0.0, above, rates)) for rates in (curve.fpr, curve.tpr)))
    least = float((0.2 * (1 - curve.tpr) + 0.8 * curve.fpr).min())
    costs = MinimumCost(false_positive=FALSE_POSITIVE, false_negative=FALSE_NEGATIVE, prevalence=PREVALENCE)
    touching = rs.choose_cutoff(curve, costs)
    touched = cost(touching.fpr, touching.tpr)
    return Claim(
        claim="The threshold of least cost is where the curve meets a line from (0, 1) with slope "
        "-pi_P c_P / (pi_N c_N).",
        where="section 4.1",
        measured="Normal scores one sd apart, false positives weighing four times as much: the crossing "
        f"costs {crossing:.3f}, the point where a line of slope 4 touches the curve {touched:.3f}, the "
        f"cheapest of all points {least:.3f}; calling everything negative costs 0.200.",
        holds=abs(crossing - least) <= 1e-3,
        correction="It is where a line of slope pi_N c_N / (pi_P c_P) touches the curve from above.",
        holds_corrected=abs(touched - least) <= 1e-9,
        erratum="H2",
    )


def angle_fixes_costs(score_set: rs.ScoreSet) -> Claim:
    """H3: the angle averages costs at equal positions, not at each classifier's own best point."""
    costs = rs.AtCosts(false_positive=FALSE_POSITIVE, false_negative=FALSE_NEGATIVE, prevalence=PREVALENCE)
    along = rs.average(score_set, costs)
    tangent = rs.average(score_set, "tangent")
    assert isinstance(along, DirectionalAverage)
    assert isinstance(tangent, TangentAverage)
    of_misses, of_alarms = costs.expected
    own = [float((of_misses * (1 - c.tpr) + of_alarms * c.fpr).min()) for c in rs.roc_curves(score_set)]
    least, tuned = float(along.expected_cost().min()), float(np.mean(own))
    touched = float((of_misses * (1 - tangent.tpr) + of_alarms * tangent.fpr).min())
    return Claim(
        claim="ROC curves can be averaged with respect to fixed costs, at the angle "
        "arctan(pi_N c_N / (pi_P c_P)).",
        where="section 4.1",
        measured="Figure 1, false positives four times as dear: the cheapest point of that average costs "
        f"{least:.4f}; the datasets' own cheapest points cost {tuned:.4f} on average, and so does the "
        f"tangent average ({touched:.4f}).",
        holds=abs(least - tuned) <= 1e-9,
        correction="The angle averages costs at equal positions along the lines of equal cost, which is "
        "dearer than what classifiers reach that are each tuned to the costs. The mean of the points where "
        "lines of that slope touch the curves has the mean of the least costs.",
        holds_corrected=abs(touched - tuned) <= 1e-9 and least >= tuned - SAME,
        erratum="H3",
    )


def _along(score_set: rs.ScoreSet, angle: float) -> DirectionalAverage:
    found = rs.average(score_set, rs.AtAngle(angle))
    assert isinstance(found, DirectionalAverage)
    return found


def _at_ratio(fpr: Floats, tpr: Floats, ratio: float) -> float:
    """The FPR where FPR is ``ratio`` times FNR; the curve meets that ray once."""
    return float(np.interp(0.0, fpr - ratio * (1 - tpr), fpr))


def _pooled_gap(score_set: rs.ScoreSet) -> float:
    """The largest gap between pooled rates and mean rates, over all thresholds."""
    pooled, threshold = averages.pooled(score_set), averages.threshold(score_set)
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
