"""What a split of the tree may ask about a feature, as columns of numbers without missing values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papers.learners.nominal import UNSEEN, Floats, Levels

Answers = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class NumericQuestions:
    """Is the value at most a threshold? Asked of ranks among the distinct training values.

    scikit-learn's trees take numbers closer than 1e-7 for equal and refuse those that float32 cannot hold;
    ranks have neither trouble. If training missed some values, the ranks come twice, with missing below all
    values and above all: so a split can send missing to either side, or part it from the rest. scikit-learn
    does the same by itself, but its versions differ in how.
    """

    values: Floats
    some_missing: bool

    @classmethod
    def of(cls, column: Floats) -> NumericQuestions:
        """The questions about a column of training data."""
        missing = np.isnan(column)
        return cls(np.unique(column[~missing]), bool(missing.any()))

    def answers(self, column: Floats) -> Answers:
        """One or two columns of ranks, in proportion between two training values; NaN if missing is new."""
        n_values = len(self.values)
        ranks = np.interp(column, self.values, np.arange(n_values)) if n_values else np.zeros(len(column))
        if not self.some_missing:
            return ranks[:, np.newaxis].astype(np.float32)
        missing = np.isnan(column)
        both = [np.where(missing, outside, ranks) for outside in (-1, n_values)]
        return np.column_stack(both).astype(np.float32)


@dataclass(frozen=True, eq=False)
class NominalQuestions:
    """Does the feature have this level?"""

    levels: Levels

    @classmethod
    def of(cls, column: Floats) -> NominalQuestions:
        """The questions about a column of training data."""
        return cls(Levels.of(column))

    def answers(self, column: Floats) -> Answers:
        """One column for each level, 1 in the rows that have it; NaN in the rows of an unseen level."""
        n_levels = len(self.levels)
        positions = self.levels.positions(column)
        asked = np.arange(1 if n_levels == 2 else n_levels)  # two levels are one question
        answers: Answers = (positions[:, np.newaxis] == asked).astype(np.float32)
        answers[positions == UNSEEN] = np.nan
        return answers
