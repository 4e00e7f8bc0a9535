"""Figure 1: two datasets, one fixed threshold, and what the three ways of averaging make of it.

The paper says how many scores there are and that the fixed threshold gives an FPR of 0.12. The means are
chosen here: logits are N(-center, 1) and N(center, 1), so that scores lie between 0 and 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocsteady as rs
from papers.paper import Check, Claim, Figure, Table, exact, simulated
from rocsteady.averaging.methods import MethodName
from rocsteady.curves.curve_set import CurveSet
from rocsteady.figures.densities import picture as densities_picture
from rocsteady.figures.roc_space import View
from rocsteady.figures.spec import Axis, Entry, Key, Line, Mark, Panel, Picture, Points, Rule
from rocsteady.figures.style import GUIDE, INK, LOOKS, Look
from rocsteady.simulate import binormal_auc, binormal_auc_variance
from rocsteady.text import Quote

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
SECTION = "Figure 1"
FPR = 0.12
METHODS: tuple[MethodName, ...] = ("pooled", "vertical", "threshold")
SEED = 264
"""No positive of this drawing lies between a marked threshold and the next negative below it, so the marked
points are the highest ones at their FPR, which vertical averaging reads."""


@dataclass(frozen=True)
class Separable:
    """A dataset: ``n_false_positives`` of its negatives are an FPR of 0.12."""

    name: str
    center: float
    n_per_class: int
    n_false_positives: int


WELL = Separable("well separable", 1.174987, 150, 18)
POORLY = Separable("poorly separable", 0.4, 75, 9)
SHARE = WELL.n_per_class / (WELL.n_per_class + POORLY.n_per_class)
OWN_LOGIT = -POORLY.center - float(ndtri(FPR))
"""The threshold that gives the poorly separable dataset the same FPR."""


@dataclass(frozen=True)
class Figure1:
    """The drawn scores, the curves and the points of Figure 1.

    The shared, fixed threshold is midway between two negatives of dataset 1, so that exactly 18 of 150 exceed
    it; its own threshold gives dataset 2 the same FPR, 9 of 75. Points (FPR, TPR) are by name.
    """

    score_set: rs.ScoreSet
    curves: CurveSet
    averages: Mapping[str, Any]
    shared_threshold: float
    own_threshold: float
    points: Mapping[str, tuple[float, float]]


def figure_1(seed: int = SEED) -> Figure1:
    """Draw the scores and average the two curves in the three ways."""
    pairs = [_draw(dataset, [seed, i]) for i, dataset in enumerate((WELL, POORLY))]
    score_set = rs.ScoreSet.from_folds(
        pairs, names=[WELL.name, POORLY.name], unit="dataset", design="independent"
    )
    shared, own = (
        _between(scores[~labels], dataset.n_false_positives)
        for (labels, scores), dataset in zip(pairs, (WELL, POORLY), strict=True)
    )
    curves = rs.roc_curves(score_set)
    averages: dict[str, Any] = {name: rs.average(score_set, name) for name in METHODS}
    found = {
        "dataset 1": curves[0].rates_at(shared),
        "dataset 2": curves[1].rates_at(shared),
        "dataset 2, own threshold": curves[1].rates_at(own),
        "pooled": averages["pooled"].rates_at(shared),
        "threshold": averages["threshold"].rates_at(shared),
    }
    points = {name: (rates.fpr, rates.tpr) for name, rates in found.items()}
    # Read at the two marked points: on a jump of a curve other TPRs have the same FPR.
    tprs = [points[name][1] for name in ("dataset 1", "dataset 2, own threshold")]
    points["vertical"] = (FPR, sum(tprs) / 2)
    return Figure1(score_set, curves, averages, shared, own, points)


def _draw(dataset: Separable, seed: list[int]) -> tuple[Bools, Floats]:
    n = dataset.n_per_class
    labels = np.arange(2 * n) < n
    logits = np.random.default_rng(seed).standard_normal(2 * n) + np.where(labels, 1, -1) * dataset.center
    return labels, 1 / (1 + np.exp(-logits))


def _between(negatives: Floats, n_above: int) -> float:
    """A threshold with exactly so many negatives above it."""
    strictest_first = np.sort(negatives)[::-1]
    return float((strictest_first[n_above - 1] + strictest_first[n_above]) / 2)


# What should be found -----------------------------------------------------------------------------------


def expected() -> dict[str, float]:
    """Rates of the two populations at the fixed threshold, and their averages."""
    (fpr_1, tpr_1), (fpr_2, tpr_2) = _rates(WELL, 0.0), _rates(POORLY, 0.0)
    own_tpr = _rates(POORLY, OWN_LOGIT)[1]
    return {
        "threshold": 0.5,
        "own threshold of dataset 2": _score(OWN_LOGIT),
        "fpr 1": fpr_1,
        "tpr 1": tpr_1,
        "fpr 2": fpr_2,
        "tpr 2": tpr_2,
        "pooled fpr": SHARE * fpr_1 + (1 - SHARE) * fpr_2,
        "pooled tpr": SHARE * tpr_1 + (1 - SHARE) * tpr_2,
        "threshold fpr": (fpr_1 + fpr_2) / 2,
        "threshold tpr": (tpr_1 + tpr_2) / 2,
        "tpr 2 at own threshold": own_tpr,
        "vertical tpr": (tpr_1 + own_tpr) / 2,
        "auc 1": binormal_auc(2 * WELL.center),
        "auc 2": binormal_auc(2 * POORLY.center),
    }


def _score(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def _rates(dataset: Separable, logit: float) -> tuple[float, float]:
    return float(ndtr(-dataset.center - logit)), float(ndtr(dataset.center - logit))


def found(figure: Figure1) -> dict[str, float]:
    """What the drawing has of the numbers that :func:`expected` names."""
    points, numbers = figure.points, {"threshold": figure.shared_threshold}
    numbers["own threshold of dataset 2"] = figure.own_threshold
    for i in (1, 2):
        numbers[f"fpr {i}"], numbers[f"tpr {i}"] = points[f"dataset {i}"]
    for name in ("pooled", "threshold"):
        numbers[f"{name} fpr"], numbers[f"{name} tpr"] = points[name]
    numbers["tpr 2 at own threshold"] = points["dataset 2, own threshold"][1]
    numbers["vertical tpr"] = points["vertical"][1]
    numbers["auc 1"], numbers["auc 2"] = map(float, figure.curves.auc)
    return numbers


def standard_errors() -> dict[str, float]:
    """How far the points of one drawing scatter, to first order.

    The fixed threshold is where a given share of dataset 1's negatives ends, so it scatters, and with it
    every rate that is read there; the rates also scatter because cases are counted.
    """
    fixed, own = _threshold_error(WELL, 0.0), _threshold_error(POORLY, OWN_LOGIT)
    tpr_1, fpr_2, tpr_2 = _rate(WELL, 1, 0.0), _rate(POORLY, -1, 0.0), _rate(POORLY, 1, 0.0)
    own_tpr = _rate(POORLY, 1, OWN_LOGIT)

    def together(weight: float, first: tuple[float, float], second: tuple[float, float]) -> float:
        # What the threshold does to both rates adds up before it is squared: it is one threshold.
        moved = (weight * first[0] + (1 - weight) * second[0]) * fixed
        return math.hypot(moved, weight * first[1], (1 - weight) * second[1])

    still = (0.0, 0.0)  # the FPR of dataset 1 is held
    own_score = _score(OWN_LOGIT)
    return {
        "threshold": 0.25 * fixed,
        "own threshold of dataset 2": own_score * (1 - own_score) * own,
        "fpr 1": 0.0,
        "tpr 1": together(1.0, tpr_1, still),
        "fpr 2": together(0.0, still, fpr_2),
        "tpr 2": together(0.0, still, tpr_2),
        "pooled fpr": together(SHARE, still, fpr_2),
        "pooled tpr": together(SHARE, tpr_1, tpr_2),
        "threshold fpr": together(0.5, still, fpr_2),
        "threshold tpr": together(0.5, tpr_1, tpr_2),
        "tpr 2 at own threshold": math.hypot(own_tpr[0] * own, own_tpr[1]),
        "vertical tpr": math.hypot(together(1.0, tpr_1, still), own_tpr[0] * own, own_tpr[1]) / 2,
        "auc 1": _area_error(WELL),
        "auc 2": _area_error(POORLY),
    }


def _rate(dataset: Separable, side: int, logit: float) -> tuple[float, float]:
    """How fast a rate falls with the threshold, and its own error from counting cases."""
    rate = float(ndtr(side * dataset.center - logit))
    density = math.exp(-((logit - side * dataset.center) ** 2) / 2) / math.sqrt(2 * math.pi)
    return density, math.sqrt(rate * (1 - rate) / dataset.n_per_class)


def _threshold_error(dataset: Separable, logit: float) -> float:
    """The error of the threshold that a fixed number of negatives exceeds, on the scale of logits."""
    slope, counting = _rate(dataset, -1, logit)
    return counting / slope


def _area_error(dataset: Separable) -> float:
    n = dataset.n_per_class
    return math.sqrt(binormal_auc_variance(2 * dataset.center, n_positives=n, n_negatives=n))


def checks(figure: Figure1) -> list[Check]:
    """The identities that hold in every sample, and the points against their populations."""
    (fpr_1, tpr_1), (fpr_2, tpr_2) = figure.points["dataset 1"], figure.points["dataset 2"]
    own_fpr, own_tpr = figure.points["dataset 2, own threshold"]
    (pooled_fpr, pooled_tpr), (mean_fpr, mean_tpr) = figure.points["pooled"], figure.points["threshold"]
    mean_area = float(figure.curves.auc.mean())
    identities = (
        ("FPR of dataset 1 at the fixed threshold is 18/150", FPR, fpr_1),
        ("FPR of dataset 2 at its own threshold is 9/75", FPR, own_fpr),
        ("pooled FPR weighs by negatives", SHARE * fpr_1 + (1 - SHARE) * fpr_2, pooled_fpr),
        ("pooled TPR weighs by positives", SHARE * tpr_1 + (1 - SHARE) * tpr_2, pooled_tpr),
        ("threshold average: mean FPR", (fpr_1 + fpr_2) / 2, mean_fpr),
        ("threshold average: mean TPR", (tpr_1 + tpr_2) / 2, mean_tpr),
        (
            "vertical average at FPR 0.12: mean TPR",
            (tpr_1 + own_tpr) / 2,
            figure.averages["vertical"].tpr_at(FPR),
        ),
        ("area under the vertical average is the mean area", mean_area, figure.averages["vertical"].auc),
    )
    wanted, error, drawn, source = expected(), standard_errors(), found(figure), "delta method at these sizes"
    return [exact(SECTION, *identity) for identity in identities] + [
        exact(SECTION, name, wanted[name], drawn[name], tolerance=1e-6)  # the center has six digits
        if name == "fpr 1"
        else simulated(SECTION, name, wanted[name], drawn[name], error[name], source)
        for name in wanted
    ]


# What is shown ------------------------------------------------------------------------------------------


def claims(figure: Figure1) -> list[Claim]:
    """Sections 3.2 and 3.3."""
    points = figure.points
    (fpr, tpr), (own_fpr, own_tpr) = points["dataset 1"], points["dataset 2, own threshold"]
    own, pooled, threshold = (points[name] for name in ("dataset 1", "pooled", "threshold"))
    away = [math.dist(own, point) for point in (pooled, threshold)]
    return [
        Claim(
            claim="The fixed threshold has an FPR of 0.12 on the well separable dataset; on the other one "
            "another threshold has that FPR.",
            where="section 3.2, Figure 1",
            measured=f"Threshold {figure.shared_threshold:.3f}: FPR {fpr:.3f}, TPR {tpr:.3f}. The poorly "
            f"separable dataset has FPR {own_fpr:.3f} at {figure.own_threshold:.3f}, with TPR "
            f"{own_tpr:.3f}. The means were chosen to fit.",
            chosen_here=True,
            holds=abs(fpr - FPR) <= 1e-9
            and abs(own_fpr - FPR) <= 1e-9
            and figure.own_threshold > figure.shared_threshold,
        ),
        Claim(
            claim="At the fixed threshold the mean rates are not the pooled ones: the larger, well separable "
            "dataset dominates those and draws the pooled curve closer.",
            where="section 3.3, Figure 1",
            measured=f"Pooled ({pooled[0]:.3f}, {pooled[1]:.3f}), mean ({threshold[0]:.3f}, "
            f"{threshold[1]:.3f}), well separable ({own[0]:.3f}, {own[1]:.3f}): {away[0]:.3f} and "
            f"{away[1]:.3f} away from it.",
            chosen_here=True,
            holds=away[0] < away[1] - 1e-9,
        ),
    ]


def table(figure: Figure1) -> Table:
    """The numbers of the figure, beside those of the population."""
    wanted = expected()
    columns = (found(figure), wanted, standard_errors())
    words = {name: name.replace("fpr", "FPR").replace("tpr", "TPR").replace("auc", "AUC") for name in wanted}
    rows = tuple((word, *(f"{own[name]:.3f}" for own in columns)) for name, word in words.items())
    caption = (
        "The numbers of Figure 1: the drawing, its population, and how far a drawing of this size scatters. "
        "1 is the well separable dataset, 2 the poorly separable one."
    )
    return Table(caption, ("", "drawn", "population", "standard error"), rows)


CAPTION = (
    "Illustration of three methods of averaging ROC curves. (a) Simulated classification scores for two "
    "datasets (top and middle) with density estimates of the negative and positive score distributions. The "
    "bottom plot shows density estimates of the pooled score distributions. (b) ROC curve pooling. (c) "
    "Vertical averaging. (d) Threshold averaging. In (b)–(d), coloured markers correspond to the fixed "
    "thresholds in (a); a split-colour marker indicates an average of the rates at the corresponding "
    "thresholds."
)
DIFFERS = (
    "The paper gives the numbers of scores and the FPR of 0.12, but neither means nor spreads: these are "
    "chosen here, so the curves are not those of the paper. The three plots of (a) stand side by side; a "
    "marker within a marker takes the place of the split colour."
)
FIXED, OWN = LOOKS[1], LOOKS[2]
"""Of the two thresholds."""


def figure(drawn: Figure1) -> Figure:
    """Figure 1 as a picture."""
    return Figure("figure_1", CAPTION, DIFFERS, lambda: picture(drawn))


def picture(drawn: Figure1) -> Picture:
    """(a) the scores, (b) pooling, (c) vertical averaging, (d) threshold averaging."""
    datasets = [(member.is_positive, member.scores) for member in drawn.score_set]
    labels, scores = (np.concatenate(own) for own in zip(*datasets, strict=True))
    names = (*drawn.score_set.groups, "pooled")
    cuts, own_cut = {drawn.shared_threshold: FIXED}, {drawn.own_threshold: OWN}
    densities = [
        _densities(f"{'(a) ' if not i else ''}{names[i]}", *own, cuts | own_cut if i == 1 else cuts)
        for i, own in enumerate([*datasets, (labels, scores)])
    ]
    (fixed_1, fixed_2, own_2) = (
        drawn.points[name] for name in ("dataset 1", "dataset 2", "dataset 2, own threshold")
    )
    held, fixed = Rule(x=FPR, look=GUIDE), [_dot(own, FIXED) for own in (fixed_1, fixed_2)]
    between = Line((fixed_1[0], fixed_2[0]), (fixed_1[1], fixed_2[1]), look=FIXED, width=0.8, name="between")
    return Picture(
        (
            *densities,
            _curves("(b) pooling", drawn, "pooled", fixed),
            _curves("(c) vertical", drawn, "vertical", [held, fixed[0], _dot(own_2, OWN)]),
            _curves("(d) threshold", drawn, "threshold", [between, *fixed]),
        ),
        columns=3,
        width=7.2,
        description=Quote(CAPTION),
    )


def _densities(title: str, labels: Bools, scores: Floats, cuts: Mapping[float, Look]) -> Panel:
    """Smooth densities of both classes, with thresholds in their colours."""
    spread = rs.score_densities(labels, scores)
    panel = densities_picture(spread, curve=False, kind="smooth", is_explained=False).panels[0]
    rules = [Rule(x=at, look=look, width=1.4, dash=()) for at, look in cuts.items()]
    entries = [Entry(Quote(f"{at:.2f}"), rule) for at, rule in zip(cuts, rules, strict=True)]
    key = Key((*(panel.key.entries if panel.key else ()), *entries), corners=("upper right", "upper left"))
    y = Axis(low=0.0, is_shown=False)
    return replace(panel, y=y, marks=(*panel.marks, *rules), title=Quote(title), key=key, aspect=0.9)


def _dot(point: tuple[float, float], look: Look, size: float = 5.5, marker: str = "o") -> Points:
    return Points([point[0]], [point[1]], look=look, size=size, marker=marker, name="mark")


def _curves(title: str, drawn: Figure1, name: str, marks: Sequence[Mark]) -> Panel:
    average = drawn.averages[name]
    lines = [
        Line(curve.fpr, curve.tpr, look=look, width=1.0, dash=dash, name="curve")
        for curve, look, dash in zip(drawn.curves, (LOOKS[0], LOOKS[4]), ((), (4, 1.5)), strict=True)
    ]
    mean = Line(average.fpr, average.tpr, look=INK, width=1.8, name="average")
    entries = [Entry(Quote(str(curve.name)), line) for curve, line in zip(drawn.curves, lines, strict=True)]
    entries.append(Entry(Quote(name), mean, Quote(f"AUC {average.auc:.3f}")))
    means = [_dot(drawn.points[name], FIXED, 7, "D")]
    if name == "vertical":
        means.append(_dot(drawn.points[name], OWN, 4, "D"))
    panel = View().panel([*lines, mean, *marks, *means])
    return Panel(panel.x, panel.y, panel.marks, Quote(title), Key(tuple(entries)), aspect=1.0)
