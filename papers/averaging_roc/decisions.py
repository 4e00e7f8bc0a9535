"""Scenarios 1 and 2: which classifier does each average choose, and how often?

One figure shows one drawing. Here the whole study is repeated: every replicate draws the datasets anew and
compares C-2a and C-2b with C-1 by a test at level 5 % under both averages; the choices are counted. The
classifiers have noise of their own, as in the paper; with the same noise C-2a has exactly the curves of C-1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from papers.averaging_roc import paired
from papers.averaging_roc.paired import LEVEL, Decision
from papers.averaging_roc.parameters import (
    KINDS,
    N_DATASETS,
    N_PER_CLASS,
    READING_FPR,
    Design,
)
from papers.checks import Check, binomial, simulated
from papers.reproduction import Tabulated
from rocsteady.results import Result
from rocsteady.statistics.limits import t_quantile

Floats = NDArray[np.float64]
READINGS = ("vertical tpr", "vertical auc", "threshold tpr", "threshold auc")
SEED = 100
OTHER_SHIFTS = 10**6
N_RESAMPLES = 400
LIKE = "C-2a again"
REFERENCE = {"C-2a": "C-1", "C-2b": "C-1", LIKE: "C-2a"}
"""Who is compared with whom."""
SECTIONS = {
    "C-2a": "Scenario 1, C-1 or C-2a",
    "C-2b": "Scenario 2, C-1 or C-2b",
    LIKE: "Level of the tests, C-2a or C-2a again",
}


@dataclass(frozen=True, eq=False, repr=False)
class Tally(Result):
    """How often a test under one average chose which classifier.

    Attributes
    ----------
    design, other, reading : str
        Which design; which classifier is compared (see ``REFERENCE``); which average, read where.
    n_replicates : int
        How often the study was repeated.
    chose_first, chose_other, undecided : float
        Shares of the replicates.
    standard_error : float
        Monte-Carlo error of the largest of these shares.
    mean_difference, mean_difference_error : float
        Mean over replicates of other less first, and its Monte-Carlo error.
    typical_error : float
        Mean over replicates of the standard error that the test used.
    """

    design: str
    other: str
    reading: str
    n_replicates: int
    chose_first: float
    chose_other: float
    undecided: float
    standard_error: float
    mean_difference: float
    mean_difference_error: float
    typical_error: float

    @property
    def first(self) -> str:
        """The classifier it is compared with."""
        return REFERENCE[self.other]

    @property
    def compared_by(self) -> str:
        """The average and where it is read, in words."""
        average, what = self.reading.split()
        return f"{average} {'AUC' if what == 'auc' else f'TPR at FPR {READING_FPR:g}'}"

    def to_dict(self) -> dict[str, Any]:
        """The tally as plain data."""
        return {"first": self.first, **super().to_dict()}

    def __repr__(self) -> str:
        return (
            f"Tally(design {self.design}, {self.other} against {self.first} by {self.reading}: "
            f"{self.chose_first:.3f} first, {self.chose_other:.3f} other, {self.undecided:.3f} undecided)"
        )


def decide(design: Design, seed: int, n_resamples: int = N_RESAMPLES) -> dict[tuple[str, str], Decision]:
    """One study: C-2a and C-2b against C-1, and C-2a against its like, by both averages and readings."""
    weights = paired.resampled_weights(N_DATASETS, n_resamples, seed)  # the same for all: pairs stay together
    values = {kind: _values(design, kind, weights, seed, noise=i) for i, kind in enumerate(KINDS)}
    # Shifts and noise of its own, but the same population: whatever a test chooses here is wrong.
    values[LIKE] = _values(design, "C-2a", weights, seed + OTHER_SHIFTS, noise=0)
    tests = {"threshold tpr": paired.paired_bootstrap, "threshold auc": paired.paired_influence}
    return {
        (other, reading): tests.get(reading, paired.paired_t)(
            values[REFERENCE[other]][reading], values[other][reading]
        )
        for other in REFERENCE
        for reading in READINGS
    }


def _values(design: Design, kind: str, weights: Floats, seed: int, noise: int) -> dict[str, Floats]:
    """What the tests are made on: one number for each dataset, or for each resample of datasets."""
    positives, negatives = design.population(kind).draw_arrays(
        N_DATASETS, N_PER_CLASS, N_PER_CLASS, seed=seed, noise=noise
    )
    return {
        "vertical tpr": paired.own_tpr(positives, negatives, round(READING_FPR * N_PER_CLASS)),
        "vertical auc": paired.own_auc(positives, negatives),
        "threshold tpr": paired.shared_tpr(positives, negatives, READING_FPR, weights),
        "threshold auc": paired.shared_auc_influence(positives, negatives),
    }


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
        chose_first=shares[0],
        chose_other=shares[1],
        undecided=shares[2],
        standard_error=float(np.sqrt(max(shares) * (1 - max(shares)) / n)),
        mean_difference=float(differences.mean()),
        mean_difference_error=float(differences.std(ddof=1) / np.sqrt(n)),
        typical_error=float(np.mean([decision.standard_error for decision in decisions])),
    )


def tabulated(found: Sequence[Tally]) -> Tabulated:
    """The tallies as a table to print."""
    sections: dict[str, list[tuple[str, ...]]] = {}
    for tally in found:
        shares = (tally.chose_first, tally.chose_other, tally.undecided)
        row = (
            tally.compared_by,
            f"{tally.mean_difference:+.4f}",
            f"{tally.mean_difference_error:.4f}",
            *(f"{100 * share:.1f} %" for share in shares),
            f"{100 * tally.standard_error:.1f} %",
        )
        sections.setdefault(f"design {tally.design}, {tally.first} or {tally.other}", []).append(row)
    return Tabulated(
        "Which classifier does a 5 % test choose, in how many of the repeated studies? (± is the Monte-Carlo "
        "standard error.)",
        ("compared by", "gap", "±", "first", "other", "neither", "±"),
        tuple((heading, tuple(rows)) for heading, rows in sections.items()),
    )


def checks(found: list[Tally], expected: Mapping[str, Any]) -> list[Check]:
    """Sizes of the differences, and how often each test chooses, against what the sizes foretell.

    Shares are foretold as if every standard error were the typical one. That is good enough for what happens
    nearly always, hardly ever, or at the level of the test; shares in between are reported, not checked.
    """
    results = []
    for tally in found:
        section = f"{SECTIONS[tally.other]}, design {tally.design}"
        truth = 0.0 if tally.other == LIKE else expected[tally.design][tally.other][tally.reading]
        name = f"{tally.other} less {tally.first}, {tally.compared_by}"
        results.append(
            simulated(
                section,
                name,
                truth,
                tally.mean_difference,
                tally.mean_difference_error,
                f"{tally.n_replicates} replicates",
                df=tally.n_replicates - 1,
            )
        )
        shares = [_share(section, tally, truth, choice) for choice in (-1, 1)]
        results += [share for share in shares if not 0.05 < share.expected < 0.95]
    return results


def _share(section: str, tally: Tally, truth: float, choice: int) -> Check:
    """A share of choices; foretold by the true difference in units of its standard error."""
    share = float(ndtr(choice * truth / tally.typical_error - t_quantile(np.inf, 1 - LEVEL)))
    found = tally.chose_other if choice == 1 else tally.chose_first
    n = tally.n_replicates
    name = f"{tally.compared_by} chooses {tally.other if choice == 1 else tally.first}"
    return binomial(section, name, share, found, n)
