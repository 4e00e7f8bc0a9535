"""How a comparison is wanted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocsteady.statistics.groups import error_factor


@dataclass(frozen=True)
class Question:
    """What :func:`rocsteady.compare` was told, checked."""

    confidence_level: float
    n_resamples: int
    seed: int
    fpr: tuple[float, float]
    test_train_ratio: float
    threads: int | None

    def error_factor(self, n_groups: float) -> float:
        """What groups that share training cases multiply standard errors by."""
        return error_factor(n_groups, self.test_train_ratio)

    def seed_of(self, number: int) -> int:
        """A seed of its own for each of several samples that must not be drawn alike."""
        return (
            self.seed
            if number == 0
            else int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0])
        )
