"""The averages of the paper, with the types that belong to their names."""

from __future__ import annotations

from typing import cast

import rocsteady as rs
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.shared_threshold import PooledAverage, ThresholdAverage


def vertical(score_set: rs.ScoreSet) -> DirectionalAverage:
    """Own thresholds, the FPR held."""
    return cast("DirectionalAverage", rs.average(score_set, "vertical"))


def horizontal(score_set: rs.ScoreSet) -> DirectionalAverage:
    """Own thresholds, the TPR held."""
    return cast("DirectionalAverage", rs.average(score_set, "horizontal"))


def threshold(score_set: rs.ScoreSet) -> ThresholdAverage:
    """One threshold, every group counts once."""
    return cast("ThresholdAverage", rs.average(score_set, "threshold"))


def pooled(score_set: rs.ScoreSet) -> PooledAverage:
    """One threshold, every row counts once."""
    return cast("PooledAverage", rs.average(score_set, "pooled"))
