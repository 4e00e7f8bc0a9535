"""Seeded scores: N(0, 1) + label, 30 % positive, float64 scores and int64 labels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

SEED = 20_260_901
GROUP_SIZE = 1_000
N_CLASSES = 10
N_RESAMPLES = 2_000
LOOP_TIMES, CLUSTER_TIMES = 10, 100
"""A loop of resamples takes so much longer for 2,000 than for the few that it is given to do."""


@dataclass(frozen=True)
class Sample:
    """Columns that are drawn when first read, each from its own stream, so no row depends on another."""

    size: int

    def _stream(self, column: int) -> np.random.Generator:
        return np.random.default_rng([SEED, self.size, column])

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """1 for about 30 % of the rows, else 0."""
        return (self._stream(0).random(self.size) < 0.3).astype(np.int64)

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """Noise plus label."""
        return self._stream(1).standard_normal(self.size) + self.labels

    @cached_property
    def rival_scores(self) -> NDArray[np.float64]:
        """A second classifier: the same distribution, noise correlated by one half with the first."""
        noise = self.scores - self.labels
        return 0.5 * noise + np.sqrt(0.75) * self._stream(2).standard_normal(self.size) + self.labels

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """One positive weight per row."""
        return self._stream(3).uniform(0.5, 2.0, self.size)

    @cached_property
    def class_outputs(self) -> NDArray[np.float64]:
        """Posteriors of ten classes."""
        return self._stream(4).dirichlet(np.ones(N_CLASSES), self.size)

    @cached_property
    def class_labels(self) -> NDArray[np.int64]:
        """The true one of ten classes: the most likely one for about half of the rows."""
        drawn = self._stream(5).integers(N_CLASSES, size=self.size)
        return np.where(self._stream(6).random(self.size) < 0.5, self.class_outputs.argmax(axis=1), drawn)

    @cached_property
    def class_weights(self) -> NDArray[np.float64]:
        """One hundred weight vectors."""
        return self._stream(7).dirichlet(np.ones(N_CLASSES), 100)

    @cached_property
    def groups(self) -> NDArray[np.int64]:
        """Consecutive groups of 1,000 rows."""
        return np.arange(self.size) // GROUP_SIZE
