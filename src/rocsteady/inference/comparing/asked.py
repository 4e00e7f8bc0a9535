"""How a comparison is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.operating_points.tables.significance import ratio_of


@dataclass(frozen=True)
class Question:
    """What :func:`rocsteady.compare` was told, checked."""

    confidence_level: float
    n_resamples: int
    seed: int
    fpr: tuple[float, float]
    test_train_ratio: Any
    threads: int | None

    def ratio(self, n_groups: int) -> float:
        """What is added to 1 / n for folds that share training cases."""
        return ratio_of(self.test_train_ratio, n_groups)

    def error_factor(self, n_groups: int) -> float:
        """What that multiplies standard errors by."""
        return float(np.sqrt(1 + n_groups * self.ratio(n_groups)))

    def seed_of(self, number: int) -> int:
        """A seed of its own for each of several samples that must not be drawn alike."""
        return (
            self.seed
            if number == 0
            else int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0])
        )
