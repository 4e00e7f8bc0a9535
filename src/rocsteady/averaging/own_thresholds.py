"""What groups do with thresholds that each of them was given: found on earlier rows, and kept on these."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Floats
from rocsteady.averaging.base import Average, AveragePoint, GroupPoints
from rocsteady.counting.table import CountTable
from rocsteady.errors import fail
from rocsteady.options import open_share, real_numbers
from rocsteady.statistics.groups import degrees_of_freedom, spread, t_limits
from rocsteady.statistics.limits import Interval, t_quantile


def at_own_thresholds(
    average: Average, thresholds: ArrayLike, *, confidence_level: float = 0.95
) -> tuple[AveragePoint, GroupPoints]:
    """The mean rates of groups at thresholds of their own, and where each group stands.

    Parameters
    ----------
    average : Average
        Whose groups, with their weights.
    thresholds : array-like
        One for each of ``average.members``; NaN for a group that has none, which does not count.
    confidence_level : float
        Of the intervals, by Student's t: groups are random, with the thresholds that come with them.

    Raises
    ------
    UsageError
        RS013 unless there is one for each group.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [9, 4, 3, 2]), ([1, 1, 0, 0], [8, 6, 6, 1])])
    >>> point, groups = at_own_thresholds(rs.average(folds, "vertical"), [4, 7])
    >>> point.fpr, point.tpr, groups.fpr.ravel().tolist()
    (0.25, 0.5, [0.5, 0.0])
    """
    level = open_share("confidence_level", confidence_level)
    at = real_numbers("thresholds", thresholds).ravel()
    table, has_one = average._groups.table, ~np.isnan(at)
    if at.size != len(table):
        ways = ["[cutoff.threshold for cutoff in cutoffs]"]
        raise fail("RS013.one-each", name="thresholds", of="group", n=len(table), found=at.size, ways=ways)
    rates = _rates_at(table, at)
    found = {"fpr": np.nan, "tpr": np.nan}
    intervals = dict.fromkeys(found, Interval(np.nan, np.nan, level, "logit t"))
    if has_one.any():
        weights = average.weights[has_one] / average.weights[has_one].sum()
        factor = t_quantile(degrees_of_freedom(weights), level)
        for name, own in rates.items():
            of_all = spread(own[has_one], weights, average.design.test_train_ratio)
            found[name] = float(of_all.mean[0])
            low, high = t_limits(of_all.mean[0], factor * of_all.standard_error[0])
            intervals[name] = Interval(float(low), float(high), level, "logit t")
    known = at[has_one]
    point = AveragePoint(
        fpr=found["fpr"],
        tpr=found["tpr"],
        fpr_interval=intervals["fpr"],
        tpr_interval=intervals["tpr"],
        confidence_level=level,
        held="thresholds",
        thresholds=(float(known.min()), float(known.max())) if known.size else None,
        _averaged=replace(average.averaged, n_groups=int(has_one.sum())),
    )
    return point, GroupPoints(rates["fpr"], rates["tpr"], at[:, None])


def _rates_at(table: CountTable, at: Floats) -> dict[str, Floats]:
    """FPR and TPR of every group at a threshold of its own, ``(n_groups, 1)``; NaN where it has none."""
    own = np.repeat(at, np.diff(table.offsets))
    beyond = table.thresholds >= own if table.higher_is_positive else table.thresholds <= own
    beyond[table.offsets[:-1]] = False  # the first is no score: it leads to the vertex 0
    rows = table.offsets[:-1] + np.add.reduceat(beyond.astype(np.int64), table.offsets[:-1])
    found = {
        "fpr": table.false_positives[rows] / table.n_negatives,
        "tpr": table.true_positives[rows] / table.n_positives,
    }
    return {name: np.where(np.isnan(at), np.nan, own)[:, None] for name, own in found.items()}
