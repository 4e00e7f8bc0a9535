"""Scenarios 1 and 2: which classifier does each average choose, and how often?

One figure shows one drawing. Here the whole study is repeated: every replicate draws the datasets again and
compares C-2a and C-2b with C-1 by a test at level 5 % under both averages; the choices are counted. The
classifiers have noise of their own, as in the paper; with the same noise C-2a has exactly the curves of C-1.

What is random are the datasets. Own thresholds (vertical average): a dataset has a TPR at the FPR and an AUC,
so the test is a paired t over datasets. One shared threshold (threshold average): a reading is a function of
all datasets together. The area is a mean over pairs of datasets, whose influence values take the place of the
datasets' own areas; the TPR at a mean FPR is tested by resampling whole datasets, for both classifiers alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from papers.averaging_roc.figure_2 import (
    APART,
    DESIGNS,
    KINDS,
    N_DATASETS,
    N_PER_CLASS,
    NEAR,
    Design,
    shared_auc_influence,
)
from papers.paper import Check, Claim, Table, binomial, simulated
from rocsteady.results import Result
from rocsteady.statistics.limits import t_quantile
from rocsteady.words import grouped, listed

Floats = NDArray[np.float64]
READINGS = ("vertical tpr", "vertical auc", "threshold tpr", "threshold auc")
READING_FPR, LEVEL, SEED, OTHER_SHIFTS, N_RESAMPLES = 0.05, 0.05, 100, 10**6, 400
LIKE = "C-2a again"
REFERENCE = {"C-2a": "C-1", "C-2b": "C-1", LIKE: "C-2a"}
"""Who is compared with whom."""
SECTIONS = {
    "C-2a": "Scenario 1, C-1 or C-2a",
    "C-2b": "Scenario 2, C-1 or C-2b",
    LIKE: "Level of the tests, C-2a or C-2a again",
}


# One study ----------------------------------------------------------------------------------------------


class Decision(NamedTuple):
    """Which of two classifiers a test chooses: second less first, with a 95 % interval over datasets."""

    difference: float
    standard_error: float
    low: float
    high: float

    @property
    def choice(self) -> int:
        """-1 for the first, 1 for the second, 0 if the interval holds zero."""
        return int(self.low > 0) - int(self.high < 0)


def decide(design: Design, seed: int, n_resamples: int = N_RESAMPLES) -> dict[tuple[str, str], Decision]:
    """One study: C-2a and C-2b against C-1, and C-2a against its like, by both averages and readings."""
    weights = resampled_weights(N_DATASETS, n_resamples, seed)  # the same for all: pairs stay together
    values = {kind: _values(design, kind, weights, seed, noise=i) for i, kind in enumerate(KINDS)}
    # Shifts and noise of its own, but the same population: whatever a test chooses here is wrong.
    values[LIKE] = _values(design, "C-2a", weights, seed + OTHER_SHIFTS, noise=0)
    tests: dict[str, Callable[[Floats, Floats], Decision]]
    tests = {"threshold tpr": paired_bootstrap, "threshold auc": partial(paired_t, parts=2)}
    return {
        (other, reading): tests.get(reading, paired_t)(values[first][reading], values[other][reading])
        for other, first in REFERENCE.items()
        for reading in READINGS
    }


def _values(design: Design, kind: str, weights: Floats, seed: int, noise: int) -> dict[str, Floats]:
    """What the tests are made on: one number for each dataset, or for each resample of datasets."""
    positives, negatives = design.population(kind).draw_arrays(
        N_DATASETS, N_PER_CLASS, N_PER_CLASS, seed=seed, noise=noise
    )
    return {
        "vertical tpr": own_tpr(positives, negatives, round(READING_FPR * N_PER_CLASS)),
        "vertical auc": own_auc(positives, negatives),
        "threshold tpr": shared_tpr(positives, negatives, READING_FPR, weights),
        "threshold auc": shared_auc_influence(positives, negatives),
    }


def own_tpr(positives: Floats, negatives: Floats, false_positives: int) -> Floats:
    """Each dataset's highest TPR with so many false positives."""
    next_negative = -np.partition(-negatives, false_positives, axis=1)[:, false_positives]
    return np.asarray((positives > next_negative[:, None]).mean(axis=1))


def own_auc(positives: Floats, negatives: Floats) -> Floats:
    """Each dataset's AUC; the scores have no ties."""
    n_positives, n_negatives = positives.shape[1], negatives.shape[1]
    order = np.argsort(np.concatenate([positives, negatives], axis=1), axis=1)
    ranks = np.argsort(order, axis=1)[:, :n_positives] + 1
    return np.asarray((ranks.sum(axis=1) - n_positives * (n_positives + 1) / 2) / (n_positives * n_negatives))


def resampled_weights(n_datasets: int, n_resamples: int, seed: int) -> Floats:
    """How often each dataset is in each resample; the first row is the sample itself."""
    random = np.random.default_rng(seed)
    drawn = random.multinomial(n_datasets, np.full(n_datasets, 1 / n_datasets), size=n_resamples)
    return np.concatenate([np.ones((1, n_datasets)), drawn]) / n_datasets


def shared_tpr(positives: Floats, negatives: Floats, fpr: float, weights: Floats) -> Floats:
    """TPR of the threshold average at a mean FPR, in the sample and in every resample of datasets.

    Every resample has its own threshold, the loosest whose mean FPR does not exceed the given one. Thresholds
    are the negatives with a mean FPR in the sample between a third of it and three times it.
    """
    pooled = np.sort(negatives, axis=None)[::-1]
    thresholds = pooled[int(fpr / 3 * pooled.size) : int(3 * fpr * pooled.size)]
    mean_fpr = weights @ _shares_beyond(negatives, thresholds)
    allowed = (mean_fpr <= fpr + 1e-12).sum(axis=1)  # mean_fpr only rises along a row
    used, where = np.unique(thresholds[np.maximum(allowed - 1, 0)], return_inverse=True)
    return np.asarray(np.einsum("rd,dr->r", weights, _shares_beyond(positives, used)[:, where]))


def _shares_beyond(scores: Floats, thresholds: Floats) -> Floats:
    """The share of each dataset's scores at or above each threshold."""
    below = np.array([np.searchsorted(row, thresholds) for row in np.sort(scores, axis=1)])
    return np.asarray(1 - below / scores.shape[1])


def paired_t(first: Floats, second: Floats, parts: int = 1) -> Decision:
    """Student's t on the differences, one for each dataset; their mean is so many times the difference.

    Influence values of areas under threshold averages are twice the area on average.
    """
    differences = second - first
    estimate = float(np.mean(differences)) / parts
    error = float(differences.std(ddof=1) / np.sqrt(differences.size))
    half = float(t_quantile(differences.size - 1, 1 - LEVEL)) * error
    return Decision(estimate, error, estimate - half, estimate + half)


def paired_bootstrap(first: Floats, second: Floats) -> Decision:
    """Percentiles of the difference over resamples; entry 0 is the sample itself."""
    differences = second - first
    low, high = np.quantile(differences[1:], [LEVEL / 2, 1 - LEVEL / 2])
    return Decision(float(differences[0]), float(differences[1:].std(ddof=1)), float(low), float(high))


# Many studies -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Tally(Result):
    """How often a test under one average chose which classifier, and by how much they differ.

    ``other`` is compared with its ``first`` by a ``reading``: an average, and where it is read. Shares are of
    the replicates; ``typical_error`` is the mean of the standard errors that the test used.
    """

    design: str
    other: str
    reading: str
    n_replicates: int
    chose_first: float
    chose_other: float
    undecided: float
    mean_difference: float
    mean_difference_error: float
    typical_error: float

    _told = ("first", "standard_error")
    _line = (
        "design {design}, {other} against {first} by {reading}: {chose_first:.3f} first, "
        "{chose_other:.3f} other, {undecided:.3f} undecided"
    )

    @property
    def first(self) -> str:
        """The classifier it is compared with."""
        return REFERENCE[self.other]

    @property
    def standard_error(self) -> float:
        """Monte-Carlo error of the largest of the shares."""
        most = max(self.chose_first, self.chose_other, self.undecided)
        return float(np.sqrt(most * (1 - most) / self.n_replicates))

    @property
    def compared_by(self) -> str:
        """The average and where it is read, in words."""
        average, what = self.reading.split()
        return f"{average} {'AUC' if what == 'auc' else f'TPR at FPR {READING_FPR:g}'}"


def tallies(
    design: Design, n_replicates: int, seed: int = SEED, *, after_each: Callable[[], None] = lambda: None
) -> list[Tally]:
    """Repeat the study and count the choices; ``after_each`` is called after every study."""
    studies = []
    for replicate in range(n_replicates):
        studies.append(decide(design, seed + replicate))
        after_each()
    return [_tally(design.name, *compared, [study[compared] for study in studies]) for compared in studies[0]]


def _tally(design: str, other: str, reading: str, decisions: list[Decision]) -> Tally:
    n = len(decisions)
    choices = np.array([decision.choice for decision in decisions])
    shares = [float(np.mean(choices == choice)) for choice in (-1, 1, 0)]
    differences = np.array([decision.difference for decision in decisions])
    return Tally(
        design,
        other,
        reading,
        n,
        **dict(zip(("chose_first", "chose_other", "undecided"), shares, strict=True)),
        mean_difference=float(differences.mean()),
        mean_difference_error=float(differences.std(ddof=1) / np.sqrt(n)),
        typical_error=float(np.mean([decision.standard_error for decision in decisions])),
    )


def expected(design: Design, other: str, reading: str) -> float:
    """By how much a classifier is ahead of the one that it is compared with."""

    def read(kind: str) -> float:
        own, k = design.population(kind), round(READING_FPR * N_PER_CLASS)
        match reading:
            case "vertical tpr":
                return own.expected_vertical_tpr(k, N_PER_CLASS)
            case "vertical auc":
                return own.vertical_auc
            case "threshold tpr":
                return float(own.threshold_tpr(READING_FPR))
            case _:
                return own.expected_threshold_auc(N_DATASETS)

    return 0.0 if other == LIKE else read(other) - read(REFERENCE[other])


def checks(found: Sequence[Tally]) -> list[Check]:
    """Sizes of the differences, and how often each test chooses, against what the sizes foretell.

    Shares are foretold as if every standard error were the typical one. That is good enough for what happens
    nearly always, hardly ever, or at the level of the test; shares in between are reported, not checked.
    """
    results, designs = [], {design.name: design for design in DESIGNS}
    for tally in found:
        section, n = f"{SECTIONS[tally.other]}, design {tally.design}", tally.n_replicates
        truth = expected(designs[tally.design], tally.other, tally.reading)
        name = f"{tally.other} less {tally.first}, {tally.compared_by}"
        error = tally.mean_difference_error
        results.append(
            simulated(section, name, truth, tally.mean_difference, error, f"{n} replicates", df=n - 1)
        )
        in_errors, limit = truth / tally.typical_error, t_quantile(np.inf, 1 - LEVEL)
        choices = ((-1, tally.first, tally.chose_first), (1, tally.other, tally.chose_other))
        for side, chosen, share in choices:
            foretold = float(ndtr(side * in_errors - limit))
            if not 0.05 < foretold < 0.95:
                results.append(binomial(section, f"{tally.compared_by} chooses {chosen}", foretold, share, n))
    return results


# What is shown ------------------------------------------------------------------------------------------


def table(found: Sequence[Tally]) -> Table:
    """The tallies as a table."""
    rows = tuple(
        (
            tally.design,
            f"{tally.first} or {tally.other}",
            tally.compared_by,
            f"{tally.mean_difference:+.4f}",
            f"{tally.mean_difference_error:.4f}",
            *(f"{100 * share:.1f} %" for share in (tally.chose_first, tally.chose_other, tally.undecided)),
            f"{100 * tally.standard_error:.1f} %",
        )
        for tally in found
    )
    caption = (
        "Which classifier does a 5 % test choose, in how many of the repeated studies? (± is the Monte-Carlo "
        "standard error.)"
    )
    headings = ("design", "compared", "compared by", "gap", "±", "first", "other", "neither", "±")
    return Table(caption, headings, rows)


def claims(found: Sequence[Tally]) -> list[Claim]:
    """Scenario 1."""
    c_2a = {(own.design, own.reading): own for own in found if own.other == "C-2a"}
    own = {design.name: c_2a[design.name, "vertical tpr"] for design in DESIGNS}
    shared = {design.name: c_2a[design.name, "threshold tpr"] for design in DESIGNS}
    gaps = {name: (own[name].mean_difference, shared[name].mean_difference) for name in own}
    words = "; ".join(f"design {name} {one:+.3f} and {other:+.3f}" for name, (one, other) in gaps.items())
    neither, first = (
        listed([f"{100 * share:.0f} % (design {name})" for name, share in shares.items()])
        for shares in (
            {name: tally.undecided for name, tally in own.items()},
            {name: tally.chose_first for name, tally in shared.items()},
        )
    )
    n = next(iter(own.values())).n_replicates
    return [
        Claim(
            claim="Scenario 1: if the scores of a dataset are shifted together, the vertical averages remain "
            "approximately equal and the threshold averages differ.",
            where="section 5, Figure 2",
            measured=f"TPR at FPR 0.05, C-2a less C-1, vertical and threshold: {words}.",
            chosen_here=True,
            holds=all(abs(one) < NEAR and -other > APART for one, other in gaps.values()),
        ),
        Claim(
            claim="If one threshold will be fixed but vertical averaging is used, no difference is evident, "
            "and the researcher will choose either.",
            where="section 5, scenario 1",
            measured=f"The study repeated {grouped(n)} times: a 5 % test by the vertical average chooses "
            f"neither in {neither}, by the threshold average C-1 in {first}.",
            chosen_here=True,
            holds=min(tally.undecided for tally in own.values()) > 0.5
            and min(tally.chose_first for tally in shared.values()) > 0.95,
        ),
    ]
