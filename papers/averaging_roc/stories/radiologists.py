"""Comparing datasets: two imaging devices, and radiologists who use ratings from 1 to 10 in their own ways.

With the old device everybody has learned to use the scale alike. With the new one some give 1s and 9s, some
4s to 6s, some only high and some only low ratings, and all see more. Ratings of different readers are then
not to be compared, but each reader's own are. (Readers of 1s and 9s and of 4s and 6s alone would hardly
disturb a shared threshold: both begin to suspect in the middle of the scale. Those who use another part of
it do.)
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

import rocsteady as rs
from papers.averaging_roc.stories.story import Answer, Story, chosen
from papers.checks import Check, simulated
from rocsteady.averaging.base import Average
from rocsteady.text import FPR, ML, Rate

Floats = NDArray[np.float64]
SECTION = "Radiologists"
N_TUMOURS, N_HEALTHY, TPR, SEED = 120, 120, 0.9, 2
SEPARATIONS = {"old": 1.5, "new": 1.8}
"""How far a tumour stands out, for every reader."""
COMMON = tuple(np.linspace(-1.4, 2.6, 9).tolist())
EXTREME = (*np.linspace(0.1, 1.0, 8).tolist(), 3.2)
"""Cuts so close together that most ratings are 1 or 9."""
MIDDLE = (-3.4, -3.0, -2.6, 0.1, 0.8, 3.8, 4.2, 4.6, 5.0)
"""Cuts that leave little but 4, 5 and 6."""
HIGH = (-4.0, -3.8, -3.6, -3.4, -3.2, -0.1, 0.6, 1.5, 3.0)
LOW = (-0.1, 0.6, 1.5, 3.0, 4.0, 4.2, 4.4, 4.6, 4.8)
HABITS = {"old": (COMMON,) * 8, "new": (EXTREME, MIDDLE, HIGH, LOW) * 2}
"""For each reader the impressions at which the next higher rating begins."""


def radiologists(seed: int = SEED) -> Story:
    """Eight readers, two imaging devices."""
    score_set = draw(seed)
    averages = {name: rs.average(score_set.model(name), "horizontal") for name in SEPARATIONS}
    horizontal = _answer("horizontal", {name: float(a.fpr_at(TPR)) for name, a in averages.items()})
    threshold = _answer(
        "threshold",
        {name: float(rs.average(score_set.model(name), "threshold").fpr_at(TPR)) for name in SEPARATIONS},
    )
    spread = {name: _own_fprs(score_set.model(name)) for name in SEPARATIONS}
    checks = [
        *(_check(name, averages[name], spread[name]) for name in SEPARATIONS),
        chosen(SECTION, horizontal, "new"),
        chosen(SECTION, threshold, "old"),
    ]
    extreme, middle = _ratings_used(score_set)
    return Story(
        "Radiologists",
        f"Eight radiologists rate images from an old and from a new device, from 1 to 10. With the new one, "
        f"reader 1 gives mostly {extreme}, reader 2 mostly {middle}; they see equally well. Each will recall "
        f"patients so as to find {100 * TPR:g} % of the tumours. Which device sends fewer healthy people to "
        "be recalled?",
        "A rating means what its reader means by it, so every reader has their own threshold; what is held "
        "is the TPR.",
        horizontal,
        _in_full(averages[horizontal.choice]),
        (threshold,),
        tuple(checks),
    )


def draw(seed: int) -> rs.ScoreSet:
    """Ratings of both devices by every reader."""
    n_readers = len(HABITS["old"])
    truth = np.tile(np.arange(N_TUMOURS + N_HEALTHY) < N_TUMOURS, n_readers)
    ratings = {}
    for i, (name, habits) in enumerate(HABITS.items()):
        seen = np.random.default_rng([seed, i]).standard_normal(truth.size) + SEPARATIONS[name] * truth
        per_reader = zip(habits, seen.reshape(n_readers, -1), strict=True)
        ratings[name] = np.concatenate([rate(seen_by, habit) for habit, seen_by in per_reader])
    readers = np.repeat(np.arange(1, n_readers + 1), N_TUMOURS + N_HEALTHY)
    labels = np.where(truth, "tumour", "healthy")
    return rs.ScoreSet.from_arrays(labels, ratings, readers, unit="reader", positive="tumour")


def rate(seen: Floats, cuts: tuple[float, ...]) -> NDArray[np.int64]:
    """Ratings from 1 to 10."""
    return np.asarray(1 + np.searchsorted(np.array(cuts), seen, side="right"), dtype=np.int64)


def _ratings_used(score_set: rs.ScoreSet) -> tuple[str, str]:
    """The two ratings that readers 1 and 2 give most with the new device."""
    words = []
    for reader in score_set.model("new")[:2]:
        values, counts = np.unique(reader.scores, return_counts=True)
        first, second = sorted(values[np.argsort(counts)[-2:]].tolist())
        words.append(f"{first:g}s and {second:g}s")
    return words[0], words[1]


def _answer(method: str, values: Mapping[str, float]) -> Answer:
    best, other = sorted(values, key=lambda name: values[name])
    sentence = f"the {best} device recalls {100 * values[best]:.0f} % of the healthy, the {other} one "
    return Answer(method, values, best, f"{sentence}{100 * values[other]:.0f} %; choose the {best} one.")


def _in_full(average: Average) -> str:
    point = average.at(tpr=TPR)
    return (
        f"With own thresholds that catch {100 * TPR:g} % of the tumour cases, the average reader recalls "
        f"of the healthy {Rate(FPR, point.fpr, point.fpr_interval).spell(ML)}. The interval is for the mean "
        f"over all readers of which these {average.n_groups} are a sample."
    )


def _own_fprs(ratings: rs.ScoreSet) -> Floats:
    return np.array([curve.fpr_at(TPR) for curve in rs.roc_curves(ratings)])


def _check(name: str, average: Average, own: Floats) -> Check:
    return simulated(
        SECTION,
        f"horizontal FPR at TPR {TPR:g}, {name} device",
        float(np.mean([population_fpr(SEPARATIONS[name], habit) for habit in HABITS[name]])),
        float(average.fpr_at(TPR)),
        float(np.sqrt(_spread_within_habits(name, own) / own.size)),
        "spread over readers of one habit",
        df=own.size - len(set(HABITS[name])),
    )


def _spread_within_habits(name: str, own: Floats) -> float:
    """The variance between readers who use the scale alike; which habits there are is not left to chance."""
    habits = HABITS[name]
    parts = [own[[other == habit for other in habits]] for habit in dict.fromkeys(habits)]
    return float(sum((part.size - 1) * part.var(ddof=1) for part in parts) / (own.size - len(parts)))


def population_fpr(separation: float, cuts: tuple[float, ...]) -> float:
    """FPR at the TPR on the curve that these cuts give, its points joined by straight lines."""
    strictest_first = np.array(cuts)[::-1]
    fpr = np.concatenate([[0.0], ndtr(-strictest_first), [1.0]])
    tpr = np.concatenate([[0.0], ndtr(separation - strictest_first), [1.0]])
    return float(np.interp(TPR, tpr, fpr))
