"""One number per round, how far the rounds differ, and measuring again while they differ too much."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

MOST_SPREAD = 0.15
RERUNS = 3


class NotMeasuredError(Exception):
    """A peer is not installed or the machine cannot tell; says which."""


@dataclass(frozen=True)
class Measurement:
    """What one run of a row found.

    Attributes
    ----------
    rounds : tuple of float
        The value of each round, in the unit of the target.
    best : float
        What an undisturbed machine would show.
    note : str
        The times or bytes behind the value, for the reader.
    scale : float or None
        What the spread is relative to; the median of the rounds unless given.
    raw : dict
        Contestant -> what was measured, for the JSON file.
    """

    rounds: tuple[float, ...]
    best: float
    note: str = ""
    scale: float | None = None
    raw: dict[str, tuple[float, ...]] = field(default_factory=dict)

    @property
    def median(self) -> float:
        """The value the gate is held against."""
        return float(np.median(self.rounds))

    @property
    def spread(self) -> float:
        """The distance between the quartiles of the rounds, relative to the scale."""
        low, high = np.percentile(self.rounds, [25, 75])
        return float((high - low) / abs(self.scale or self.median))

    @property
    def is_steady(self) -> bool:
        """Whether the rounds agree well enough for the median to mean something."""
        return self.spread <= MOST_SPREAD


def measure_until_steady(
    measure: Callable[[], Measurement], has_time: Callable[[float], bool]
) -> tuple[Measurement, int]:
    """Measure, and again while unsteady, three times more at most.

    ``has_time`` is asked before each rerun whether as many seconds as the last run took are left.
    Returns the last measurement, steady or not, and the number of reruns.
    """
    reruns = 0
    while True:
        start = time.perf_counter()
        found = measure()
        took = time.perf_counter() - start
        if found.is_steady or reruns == RERUNS or not has_time(took):
            return found, reruns
        reruns += 1
