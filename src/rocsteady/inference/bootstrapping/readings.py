"""Where frozen thresholds are, and the value of a statistic in every group."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.members import Members
from rocsteady.averaging.methods import AlongDirection, Horizontal, Method, Vertical
from rocsteady.averaging.shared import rates_of_groups
from rocsteady.curves.measures import Auc, FprAt, PartialAuc, RatesAt, Statistic, TprAt
from rocsteady.curves.readings import read_path, vertex_at

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def own_vertices(members: Members, statistic: Statistic) -> Integers | None:
    """Where every group has the frozen thresholds, ``(n_groups, n)``; None for other statistics."""
    if not isinstance(statistic.raw, RatesAt):
        return None
    table, at = members.table, np.atleast_1d(statistic.raw.threshold)
    blocks = zip(table.offsets[:-1], table.offsets[1:], strict=True)
    found = [vertex_at(table.thresholds[i:j], at, None, table.higher_is_positive)[0] for i, j in blocks]
    return np.array(found, dtype=np.int64)


def shared_vertices(thresholds: Floats, statistic: Statistic, *, higher_is_positive: bool) -> Integers | None:
    """Where the one curve of all groups has the frozen thresholds."""
    if not isinstance(statistic.raw, RatesAt):
        return None
    vertex, _ = vertex_at(thresholds, np.atleast_1d(statistic.raw.threshold), None, higher_is_positive)
    return np.asarray(vertex, dtype=np.int64)


def group_values(members: Members, statistic: Statistic) -> Floats:
    """The statistic of every group's own curve, ``(n_groups, n)``."""
    if statistic.raw is not statistic:
        return statistic.resampled(group_values(members, statistic.raw))
    if isinstance(statistic, Auc):
        return members.auc[:, None]
    if isinstance(statistic, TprAt):
        return values_along(members, Vertical(), np.atleast_1d(statistic.fpr))
    if isinstance(statistic, FprAt):
        return 0.0 - values_along(members, Horizontal(), np.atleast_1d(statistic.tpr))
    if isinstance(statistic, RatesAt):
        return np.concatenate(
            rates_of_groups(members.table, np.atleast_1d(statistic.threshold), None), axis=1
        )
    return np.array([np.ravel(statistic.read(curve)) for curve in members.curves])


def values_along(members: Members, method: AlongDirection, at: Floats) -> Floats:
    """What every group is worth at positions along a direction."""
    weights = np.full(len(members), 1 / len(members))
    return DirectionalAverage(method, weights, members)._values(at)


def is_mean_of_groups(statistic: Statistic, method: Method | None) -> bool:
    """Whether the average's statistic is the mean of the groups' own."""
    statistic = statistic.raw
    if method is None:
        return True
    if not isinstance(method, AlongDirection):
        return False
    if isinstance(statistic, Auc):
        return True
    is_held = {
        "fpr": isinstance(statistic, TprAt) or (isinstance(statistic, PartialAuc) and statistic.tpr is None),
        "tpr": isinstance(statistic, FprAt) or (isinstance(statistic, PartialAuc) and statistic.fpr is None),
    }
    if isinstance(statistic, TprAt | FprAt) and method.jumps_to_mid:
        return False
    return (method.direction.is_vertical and is_held["fpr"]) or (
        method.direction.is_horizontal and is_held["tpr"]
    )


class Polyline:
    """A resampled average: what a statistic is read off."""

    def __init__(self, fpr: Floats, tpr: Floats) -> None:
        self.fpr, self.tpr = fpr, tpr

    @property
    def auc(self) -> float:
        """Area under it."""
        return float(np.sum(np.diff(self.fpr) * (self.tpr[1:] + self.tpr[:-1])) / 2)

    def tpr_at(self, fpr: Any) -> Floats:
        """The upper end of a jump."""
        return read_path(self.fpr, self.tpr, np.asarray(fpr), end="last")

    def fpr_at(self, tpr: Any) -> Floats:
        """The left end of a jump."""
        return read_path(self.tpr, self.fpr, np.asarray(tpr), end="first")
