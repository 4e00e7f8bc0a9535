"""Comparing classifiers: anomaly detectors on devices of very unequal activity, under one threshold.

Every device counts alike, so pooling, where the busy ones outvote the others, answers another question.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocsteady as rs
from papers.averaging_roc import averages
from papers.averaging_roc.stories.story import Answer, Story, chosen
from papers.checks import Check, simulated
from rocsteady.averaging.methods import MethodName
from rocsteady.words import grouped

Floats = NDArray[np.float64]
SECTION = "Devices"
N_DEVICES, N_BUSY, FPR, SEED = 40, 6, 0.02, 3
N_NEGATIVES = np.round(40 * 200 ** (np.arange(N_DEVICES) / (N_DEVICES - 1))).astype(int)
N_POSITIVES = np.maximum(10, N_NEGATIVES // 8)
SEPARATIONS = {
    "per-device profile": np.full(N_DEVICES, 2.3),
    # Trained mostly on the six busiest devices, and good there.
    "traffic volume": np.where(np.arange(N_DEVICES) < N_DEVICES - N_BUSY, 1.7, 3.1),
}
"""How far an anomaly stands out on each device; usual traffic is N(0, 1) everywhere."""


def devices(seed: int = SEED) -> Story:
    """Two algorithms on forty devices."""
    score_set = draw(seed)
    answers = {method: _answer(score_set, method) for method in ("threshold", "pooled")}
    busy = N_NEGATIVES[-N_BUSY:].sum() / N_NEGATIVES.sum()
    checks = [
        *(_check(answer, name) for answer in answers.values() for name in SEPARATIONS),
        chosen(SECTION, answers["threshold"], "per-device profile"),
        chosen(SECTION, answers["pooled"], "traffic volume"),
    ]
    return Story(
        "Devices",
        f"Two anomaly detectors are tried on {N_DEVICES} devices, with {N_NEGATIVES.min()} to "
        f"{grouped(int(N_NEGATIVES.max()))} usual events each. One threshold will be set for all of "
        "them. Which detector finds more anomalies on the average device, with false alarms on "
        f"{100 * FPR:g} % of its events?",
        f"One threshold, and every device counts once. Pooling counts events: the {N_BUSY} busiest devices "
        f"have {100 * busy:.0f} % of them.",
        answers["threshold"],
        averages.threshold(score_set.model(answers["threshold"].choice)).at(fpr=FPR).reading,
        (answers["pooled"],),
        tuple(checks),
    )


def draw(seed: int) -> rs.ScoreSet:
    """The scores of both algorithms on the same events, with noise of their own."""
    labels = np.concatenate([np.arange(p + n) < p for p, n in zip(N_POSITIVES, N_NEGATIVES, strict=True)])
    device = np.repeat(np.arange(N_DEVICES), N_POSITIVES + N_NEGATIVES)
    scores = {
        name: np.random.default_rng([seed, i]).standard_normal(labels.size) + separation[device] * labels
        for i, (name, separation) in enumerate(SEPARATIONS.items())
    }
    names = np.array([f"device-{i + 1:02d}" for i in range(N_DEVICES)])
    return rs.ScoreSet.from_arrays(labels, scores, names[device], unit="device")


def _answer(score_set: rs.ScoreSet, method: MethodName) -> Answer:
    values = {name: float(rs.average(score_set.model(name), method).tpr_at(FPR)) for name in SEPARATIONS}
    best = max(values, key=lambda name: values[name])
    other = min(values, key=lambda name: values[name])
    return Answer(
        method,
        values,
        best,
        f"{best} finds {100 * values[best]:.0f} %, {other} {100 * values[other]:.0f} %; choose {best}.",
    )


def _weights(method: str) -> tuple[Floats, Floats]:
    """What a device counts in the mean of the FPRs and of the TPRs."""
    if method == "pooled":
        return N_NEGATIVES / N_NEGATIVES.sum(), N_POSITIVES / N_POSITIVES.sum()
    return np.full(N_DEVICES, 1 / N_DEVICES), np.full(N_DEVICES, 1 / N_DEVICES)


def _check(answer: Answer, name: str) -> Check:
    """The TPR against its population; usual traffic is alike, so both averages have the same threshold."""
    by_negatives, by_positives = _weights(answer.method)
    t = -float(ndtri(FPR))
    rates = ndtr(SEPARATIONS[name] - t)
    density = np.exp(-((t - SEPARATIONS[name]) ** 2) / 2) @ by_positives
    slope = density / math.exp(-(t**2) / 2)
    counted = (by_positives**2 / N_POSITIVES) @ (rates * (1 - rates))
    counted += slope**2 * (by_negatives**2 / N_NEGATIVES).sum() * FPR * (1 - FPR)
    return simulated(
        SECTION,
        f"{answer.method} TPR at FPR {FPR:g}, {name}",
        float(rates @ by_positives),
        answer.values[name],
        math.sqrt(counted),
        "binomial counts, delta method",
    )
