"""The settings of the reproduction: what the paper gives, and what it leaves open and was chosen here.

The paper says how many scores Figure 1 has and that its fixed threshold gives an FPR of 0.12; section 5 gives
neither means nor spreads. Both designs below make C-2b's threshold average nearly that of C-1, which holds
only for such choices (see :mod:`.errata`).
"""

from __future__ import annotations

from dataclasses import dataclass

from rocsteady.simulate import ShiftedDatasets

KINDS = ("C-1", "C-2a", "C-2b")
FPRS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
"""Where the average curves are read."""
READING_FPR = 0.05
"""Where the classifiers are compared."""
N_DATASETS, N_PER_CLASS = 100, 100
SHARED_THRESHOLD = 2.5
"""Where the spread of the rates under one threshold is looked at."""
LOWEST_FPR = 0.001
"""Largest differences between curves are looked for from here on."""


@dataclass(frozen=True)
class Design:
    """For Figure 2: negatives N(0, negative_sd), positives N(separation, 1), shifts N(0, 1)."""

    name: str
    separation: float
    negative_sd: float

    def population(self, kind: str) -> ShiftedDatasets:
        """The datasets of one of the three classifiers."""
        return ShiftedDatasets(kind, separation=self.separation, negative_sd=self.negative_sd)


DESIGNS = (Design("A", separation=3.0, negative_sd=1.3), Design("B", separation=4.0, negative_sd=1.5))


@dataclass(frozen=True)
class Separable:
    """A dataset of Figure 1: logits N(-center, 1) and N(center, 1), scores between 0 and 1."""

    name: str
    center: float
    n_per_class: int
    n_false_positives: int
    """False positives that are an FPR of 0.12."""


WELL = Separable("well separable", 1.174987, 150, 18)
POORLY = Separable("poorly separable", 0.4, 75, 9)
FIGURE_1_FPR = 0.12
