"""The three hypothetical deployments of sections 1 and 4.2, each with a small simulated table.

*Devices*: anomaly detectors on devices of very unequal activity, under one threshold. Every device counts
alike, so pooling, where the busy ones outvote the others, answers another question.

*Radiologists*: two imaging devices, and readers who use ratings from 1 to 10 in their own ways. With the old
device everybody has learned to use the scale alike. With the new one some give 1s and 9s, some 4s to 6s, some
only high and some only low ratings, and all see more. Ratings of different readers are then not to be
compared, but each reader's own are. (Readers of 1s and 9s and of 4s and 6s alone would hardly disturb a
shared threshold: both begin to suspect in the middle of the scale. Those who use another part of it do.)

*Churn*: ten folds for each of five penalties; the folds' scores are not comparable. With a light penalty the
model separates better, but the level of its scores moves more from fold to fold. Each fold's model gets its
own threshold, so that costs nothing; pooling the folds counts it all the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocsteady as rs
from papers.paper import Check, Claim, Passage, Table, simulated
from rocsteady.averaging.directional import DirectionalAverage, DirectionPoint
from rocsteady.averaging.methods import MethodName
from rocsteady.results import Result
from rocsteady.simulate import ShiftedDatasets, draw_together
from rocsteady.text import FPR, ML, Rate
from rocsteady.words import grouped

Floats = NDArray[np.float64]
_COMPARING = {
    "Devices": "comparing classifiers",
    "Radiologists": "comparing datasets",
    "Churn": "comparing hyperparameters",
}
"""As the paper calls them."""


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Result):
    """What one average says: what is compared, by name; which it prefers; the same in words."""

    method: str
    values: Mapping[str, float]
    choice: str
    sentence: str

    _line = "{method}: {choice}"


@dataclass(frozen=True, eq=False, repr=False)
class Story(Result):
    """A deployment: the question, and ``because`` of what one average answers it.

    ``right`` is what that says, ``reading`` the same for the winner with its interval, ``wrong`` what other
    averages would have said, ``claim`` what the paper says.
    """

    title: str
    question: str
    because: str
    right: Answer
    reading: str
    wrong: tuple[Answer, ...]
    checks: tuple[Check, ...]
    claim: str

    _line = "{title}: {right.method} says {right.choice}"

    @property
    def passage(self) -> Passage:
        """The story in paragraphs."""
        right = f"The right average: {self.right.method}. {self.because}"
        said = [f"The {answer.method} average would have said: {answer.sentence}" for answer in self.wrong]
        says = f"It says: {self.right.sentence} In full, for {self.right.choice}: {self.reading}"
        return Passage(f"{self.title}: {_COMPARING[self.title]}", (self.question, right, says, *said))

    @property
    def judged(self) -> Claim:
        """The claim with what was measured."""
        others = " ".join(f"The {answer.method} average: {answer.sentence}" for answer in self.wrong)
        return Claim(
            claim=self.claim,
            where=f"section 4.2, {self.title.lower()}",
            measured=f"Simulated. The {self.right.method} average: {self.right.sentence} {others}",
            chosen_here=True,
            holds=all(answer.choice != self.right.choice for answer in self.wrong)
            and all(check.passed for check in self.checks),
        )


def stories() -> list[Story]:
    """All three."""
    return [devices(), radiologists(), churn()]


def table(found: Sequence[Story]) -> Table:
    """What each average says of each candidate."""
    rows = tuple(
        (story.title, f"{answer.method}{' (right)' if answer is story.right else ''}", name, f"{value:.3f}",
         "chosen" if name == answer.choice else "")
        for story in found
        for answer in (story.right, *story.wrong)
        for name, value in answer.values.items()
    )  # fmt: skip
    caption = (
        f"The three stories: TPR at FPR {DEVICES_FPR:g} (devices), FPR at TPR {READERS_TPR:g} "
        f"(radiologists), TPR at FPR {CHURN_FPR:g} (churn), by the right average and by others."
    )
    return Table(caption, ("story", "average", "candidate", "rate", ""), rows)


def _chosen(section: str, answer: Answer, expected: str) -> Check:
    """Whether an average chose what the populations say it chooses."""
    name = f"{answer.method} average chooses {expected}"
    return Check(section, name, 1.0, float(answer.choice == expected), 0.0, "the choice itself")


# Devices ------------------------------------------------------------------------------------------------

N_DEVICES, N_BUSY, DEVICES_FPR = 40, 6, 0.02
N_NEGATIVES = np.round(40 * 200 ** (np.arange(N_DEVICES) / (N_DEVICES - 1))).astype(int)
N_POSITIVES = np.maximum(10, N_NEGATIVES // 8)
DETECTORS = {
    "per-device profile": np.full(N_DEVICES, 2.3),
    # Trained mostly on the six busiest devices, and good there.
    "traffic volume": np.where(np.arange(N_DEVICES) < N_DEVICES - N_BUSY, 1.7, 3.1),
}
"""How far an anomaly stands out on each device; usual traffic is N(0, 1) everywhere."""


def devices(seed: int = 3) -> Story:
    """Two algorithms on forty devices."""
    score_set = draw_devices(seed)
    methods: tuple[MethodName, ...] = ("threshold", "pooled")
    right, wrong = answers = [_of_devices(score_set, method) for method in methods]
    busy = N_NEGATIVES[-N_BUSY:].sum() / N_NEGATIVES.sum()
    return Story(
        "Devices",
        f"Two anomaly detectors are tried on {N_DEVICES} devices, with {N_NEGATIVES.min()} to "
        f"{grouped(int(N_NEGATIVES.max()))} usual events each. One threshold will be set for all of "
        "them. Which detector finds more anomalies on the average device, with false alarms on "
        f"{100 * DEVICES_FPR:g} % of its events?",
        f"One threshold, and every device counts once. Pooling counts events: the {N_BUSY} busiest devices "
        f"have {100 * busy:.0f} % of them.",
        right,
        rs.average(score_set.model(right.choice), "threshold").at(fpr=DEVICES_FPR).reading,
        (wrong,),
        (
            *(_device_check(answer, name) for answer in answers for name in DETECTORS),
            _chosen("Devices", right, "per-device profile"),
            _chosen("Devices", wrong, "traffic volume"),
        ),
        "With datasets of unequal size and one threshold for all, pooling favours the busy ones; compare by "
        "the threshold average.",
    )


def draw_devices(seed: int) -> rs.ScoreSet:
    """The scores of both algorithms on the same events, with noise of their own."""
    labels = np.concatenate([np.arange(p + n) < p for p, n in zip(N_POSITIVES, N_NEGATIVES, strict=True)])
    device = np.repeat(np.arange(N_DEVICES), N_POSITIVES + N_NEGATIVES)
    scores = {
        name: np.random.default_rng([seed, i]).standard_normal(labels.size) + separation[device] * labels
        for i, (name, separation) in enumerate(DETECTORS.items())
    }
    names = np.array([f"device-{i + 1:02d}" for i in range(N_DEVICES)])
    return rs.ScoreSet.from_arrays(labels, scores, names[device], unit="device")


def _of_devices(score_set: rs.ScoreSet, method: MethodName) -> Answer:
    values = {
        name: float(rs.average(score_set.model(name), method).tpr_at(DEVICES_FPR)) for name in DETECTORS
    }
    other, best = sorted(values, key=lambda name: values[name])
    found = f"{best} finds {100 * values[best]:.0f} %, {other} {100 * values[other]:.0f} %; choose {best}."
    return Answer(method, values, best, found)


def _device_check(answer: Answer, name: str) -> Check:
    """The TPR against its population; usual traffic is alike, so both averages have the same threshold."""
    by_negatives, by_positives = np.full((2, N_DEVICES), 1 / N_DEVICES)
    if answer.method == "pooled":
        by_negatives, by_positives = N_NEGATIVES / N_NEGATIVES.sum(), N_POSITIVES / N_POSITIVES.sum()
    t = -float(ndtri(DEVICES_FPR))
    rates = ndtr(DETECTORS[name] - t)
    density = np.exp(-((t - DETECTORS[name]) ** 2) / 2) @ by_positives
    slope = density / math.exp(-(t**2) / 2)
    counted = (by_positives**2 / N_POSITIVES) @ (rates * (1 - rates))
    counted += slope**2 * (by_negatives**2 / N_NEGATIVES).sum() * DEVICES_FPR * (1 - DEVICES_FPR)
    what = f"{answer.method} TPR at FPR {DEVICES_FPR:g}, {name}"
    truth, error = float(rates @ by_positives), math.sqrt(counted)
    return simulated("Devices", what, truth, answer.values[name], error, "binomial counts, delta method")


# Radiologists -------------------------------------------------------------------------------------------

N_TUMOURS, N_HEALTHY, READERS_TPR = 120, 120, 0.9
IMAGING = {"old": 1.5, "new": 1.8}
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


def radiologists(seed: int = 2) -> Story:
    """Eight readers, two imaging devices."""
    score_set = draw_ratings(seed)
    right, wrong = _of_readers(score_set, "horizontal"), _of_readers(score_set, "threshold")
    extreme, middle = _ratings_used(score_set)
    winner = rs.average(score_set.model(right.choice), "horizontal")
    point = winner.at(tpr=READERS_TPR)
    return Story(
        "Radiologists",
        f"Eight radiologists rate images from an old and from a new device, from 1 to 10. With the new one, "
        f"reader 1 gives mostly {extreme}, reader 2 mostly {middle}; they see equally well. Each will recall "
        f"patients so as to find {100 * READERS_TPR:g} % of the tumours. Which device sends fewer healthy "
        "people to be recalled?",
        "A rating means what its reader means by it, so every reader has their own threshold; what is held "
        "is the TPR.",
        right,
        f"With own thresholds that catch {100 * READERS_TPR:g} % of the tumour cases, the average reader "
        f"recalls of the healthy {Rate(FPR, point.fpr, point.fpr_interval).spell(ML)}. The interval is for "
        f"the mean over all readers of which these {winner.n_groups} are a sample.",
        (wrong,),
        (
            *(_reader_check(name, value, score_set) for name, value in right.values.items()),
            _chosen("Radiologists", right, "new"),
            _chosen("Radiologists", wrong, "old"),
        ),
        "Raters who use a scale in their own ways have no common threshold, so pooling and threshold "
        "averaging do not make sense; at a wanted TPR average horizontally.",
    )


def draw_ratings(seed: int) -> rs.ScoreSet:
    """Ratings of both devices by every reader."""
    n_readers = len(HABITS["old"])
    truth = np.tile(np.arange(N_TUMOURS + N_HEALTHY) < N_TUMOURS, n_readers)
    ratings = {}
    for i, (name, habits) in enumerate(HABITS.items()):
        seen = np.random.default_rng([seed, i]).standard_normal(truth.size) + IMAGING[name] * truth
        per_reader = zip(habits, seen.reshape(n_readers, -1), strict=True)
        ratings[name] = np.concatenate(
            [1 + np.searchsorted(np.array(cuts), own, side="right") for cuts, own in per_reader]
        )
    readers = np.repeat(np.arange(1, n_readers + 1), N_TUMOURS + N_HEALTHY)
    labels = np.where(truth, "tumour", "healthy")
    return rs.ScoreSet.from_arrays(labels, ratings, readers, unit="reader", positive="tumour")


def _ratings_used(score_set: rs.ScoreSet) -> tuple[str, str]:
    """The two ratings that readers 1 and 2 give most with the new device."""
    words = []
    for reader in score_set.model("new")[:2]:
        values, counts = np.unique(reader.scores, return_counts=True)
        first, second = sorted(values[np.argsort(counts)[-2:]].tolist())
        words.append(f"{first:g}s and {second:g}s")
    return words[0], words[1]


def _of_readers(score_set: rs.ScoreSet, method: MethodName) -> Answer:
    values = {name: float(rs.average(score_set.model(name), method).fpr_at(READERS_TPR)) for name in IMAGING}
    best, other = sorted(values, key=lambda name: values[name])
    sentence = f"the {best} device recalls {100 * values[best]:.0f} % of the healthy, the {other} one "
    return Answer(method, values, best, f"{sentence}{100 * values[other]:.0f} %; choose the {best} one.")


def _reader_check(name: str, read: float, score_set: rs.ScoreSet) -> Check:
    own = np.array([curve.fpr_at(READERS_TPR) for curve in rs.roc_curves(score_set.model(name))])
    habits = HABITS[name]
    parts = [own[[other == habit for other in habits]] for habit in dict.fromkeys(habits)]
    # Between readers who use the scale alike; which habits there are is not left to chance.
    variance = sum((part.size - 1) * part.var(ddof=1) for part in parts) / (own.size - len(parts))
    return simulated(
        "Radiologists",
        f"horizontal FPR at TPR {READERS_TPR:g}, {name} device",
        float(np.mean([population_fpr(IMAGING[name], habit) for habit in habits])),
        read,
        float(np.sqrt(variance / own.size)),
        "spread over readers of one habit",
        df=own.size - len(set(habits)),
    )


def population_fpr(separation: float, cuts: tuple[float, ...]) -> float:
    """FPR at the TPR on the curve that these cuts give, its points joined by straight lines."""
    strictest_first = np.array(cuts)[::-1]
    fpr = np.concatenate([[0.0], ndtr(-strictest_first), [1.0]])
    tpr = np.concatenate([[0.0], ndtr(separation - strictest_first), [1.0]])
    return float(np.interp(READERS_TPR, tpr, fpr))


# Churn --------------------------------------------------------------------------------------------------

N_FOLDS, N_CHURNED, N_STAYED, CHURN_FPR, CHURN_TPR = 10, 100, 400, 0.1, 0.8
PENALTIES = {
    "penalty 0.01": ShiftedDatasets("C-2a", separation=1.6, shift_sd=1.4),
    "penalty 0.1": ShiftedDatasets("C-2a", separation=1.8, shift_sd=1.0),
    "penalty 1": ShiftedDatasets("C-2a", separation=1.65, shift_sd=0.2),
    "penalty 10": ShiftedDatasets("C-2a", separation=1.4, shift_sd=0.1),
    "penalty 100": ShiftedDatasets("C-2a", separation=1.1, shift_sd=0.05),
}


def churn(seed: int = 5) -> Story:
    """Five penalties, ten folds."""
    score_set = draw_together(PENALTIES, N_FOLDS, N_CHURNED, N_STAYED, seed=seed, unit="fold")

    curves = {
        name: cast("DirectionalAverage", rs.average(score_set.model(name), "vertical")) for name in PENALTIES
    }
    vertical, pooled = (_of_folds(score_set, method) for method in ("vertical", "pooled"))
    fprs = {
        name: float(rs.average(score_set.model(name), "horizontal").fpr_at(CHURN_TPR)) for name in PENALTIES
    }
    cheapest = min(fprs, key=lambda name: fprs[name])
    held = f"To find {100 * CHURN_TPR:g} %, {cheapest} is cheapest, at FPR {fprs[cheapest]:.3f}."
    horizontal = Answer("horizontal", fprs, cheapest, held)
    lost = 100 * (vertical.values[vertical.choice] - vertical.values[pooled.choice])
    gives_away = f"{pooled.sentence} That choice gives away {lost:.1f} points of TPR."
    return Story(
        "Churn",
        f"A model of who will leave is fitted with five penalties, each in {N_FOLDS} folds. Offers also "
        f"reach people who would have stayed; at most {100 * CHURN_FPR:g} % of those shall get one. Which "
        "penalty finds most of the leavers?",
        "Every fold has a model of its own, whose scores need not mean the same, so each gets its own "
        "threshold; what is held is the FPR. Where missing a leaver is what costs, hold the TPR instead: "
        f"the horizontal average. {horizontal.sentence}",
        vertical,
        curves[vertical.choice].at(fpr=CHURN_FPR).reading,
        (Answer("pooled", pooled.values, pooled.choice, gives_away),),
        (
            *(_fold_check(name, own.at_position(CHURN_FPR)) for name, own in curves.items()),
            _chosen("Churn", vertical, "penalty 0.1"),
            _chosen("Churn", horizontal, "penalty 0.1"),
            _chosen("Churn", pooled, "penalty 1"),
        ),
        "Over folds threshold averaging is unlikely to be suitable; average vertically where false positives "
        "cost, horizontally where misses do.",
    )


def _of_folds(score_set: rs.ScoreSet, method: Any) -> Answer:
    values = {name: float(rs.average(score_set.model(name), method).tpr_at(CHURN_FPR)) for name in PENALTIES}
    best = max(values, key=lambda name: values[name])
    listed = ", ".join(f"{value:.3f} ({name})" for name, value in values.items())
    return Answer(method, values, best, f"{best} is best. TPRs: {listed}.")


def _fold_check(name: str, read: DirectionPoint) -> Check:
    truth = PENALTIES[name].expected_vertical_tpr(round(CHURN_FPR * N_STAYED), N_STAYED)
    what, source = f"vertical TPR at FPR {CHURN_FPR:g}, {name}", "spread over folds"
    return simulated("Churn", what, truth, read.tpr, read.standard_error, source, df=N_FOLDS - 1)
