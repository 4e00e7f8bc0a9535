"""The bootstrap of a cut-off on an average: groups are random, and are drawn whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.averaging.shared import rates_of_groups
from rocsteady.errors import warn
from rocsteady.operating_points.cutoffs.case_resamples import percentiles, some_vertices
from rocsteady.operating_points.cutoffs.criteria import strictest_optima
from rocsteady.operating_points.cutoffs.vertices import group_table
from rocsteady.statistics.groups import error_factor
from rocsteady.statistics.intervals import t_quantile
from rocsteady.statistics.resampling import drawn_counts, drawn_means

if TYPE_CHECKING:
    from rocsteady.averaging.shared import SharedThresholdAverage
    from rocsteady.operating_points.cutoffs.choosing import Cutoff

Floats = NDArray[np.float64]

_BLOCK = 2**22  # cells held at once; bounds the memory and does not change the answer
_MOST_THRESHOLDS, _FEWEST_THRESHOLDS = 4000, 500
_MOST_RATES = 10_000_000  # of all groups at all thresholds, in each class: 80 MB
_PLACES = 12  # of the rates of resampled groups: sums in another order, on another machine, are the same


def group_limits(
    average: SharedThresholdAverage, cutoffs: Sequence[Cutoff], level: float, n_resamples: int, seed: int
) -> list[Floats]:
    """Limits of cut-offs from resampled groups, the same for all of them; RS242 where groups are few."""
    n_groups = len(group_table(average))
    if n_groups < FEWEST_GROUPS:
        warn_of_few_groups(average)
    if n_groups < 2:
        return [np.full((2, 3), np.nan) for _ in cutoffs]
    expanded = _expanded(average, level)
    drawn = [rows[:, :3] for rows in drawn_groups(average, cutoffs, n_resamples, seed)]
    return [_stretched(average, rows, percentiles(iter([rows]), expanded)) for rows in drawn]


def warn_of_few_groups(average: SharedThresholdAverage) -> None:
    """RS242, with the number of groups."""
    warn("RS242.few", unit=average.unit, n=len(group_table(average)), needed=FEWEST_GROUPS)


def drawn_groups(
    average: SharedThresholdAverage, cutoffs: Sequence[Cutoff], n_resamples: int, seed: int
) -> list[Floats]:
    """Every cut-off in every resample: threshold, FPR and TPR there, both rates in all groups; kept."""
    key = n_resamples, seed
    missing = [cutoff for cutoff in cutoffs if key not in cutoff._drawn]
    if missing:
        blocks = list(_resampled_groups(average, missing, n_resamples, seed))
        for i, cutoff in enumerate(missing):
            cutoff._drawn[key] = np.concatenate([block[i] for block in blocks])
    return [cutoff._drawn[key] for cutoff in cutoffs]


def _stretched(average: SharedThresholdAverage, rows: Floats, limits: Floats) -> Floats:
    """Limits further from the median, where groups share training cases; infinite ones stay."""
    if not average.design.test_train_ratio:
        return limits
    middle = np.median(rows, axis=0)
    with np.errstate(invalid="ignore"):
        further = middle + error_factor(average.effective_groups, average.design.test_train_ratio) * (
            limits - middle
        )
    further[:, 1:] = np.clip(further[:, 1:], 0.0, 1.0)  # rates
    return np.where(np.isfinite(further), further, limits)


def _expanded(average: SharedThresholdAverage, level: float) -> float:
    """The level at which percentiles are taken: further out for few groups, whose resamples are too alike.

    That of the t quantile times the root of M / (M - 1) in a normal distribution (Hesterberg 2015, expanded
    percentile interval).
    """
    from scipy.special import ndtr

    n_groups = average.effective_groups
    if not n_groups > 1:
        return level
    factor = t_quantile(average.degrees_of_freedom, level) * np.sqrt(n_groups / (n_groups - 1))
    return float(1 - 2 * ndtr(-factor))


def _resampled_groups(
    average: SharedThresholdAverage, cutoffs: Sequence[Cutoff], n_resamples: int, seed: int
) -> Iterator[Floats]:
    """Every cut-off of the average of every resample of groups, in blocks.

    Averaging the groups again takes most of the time, and serves all cut-offs.
    """
    table = group_table(average)
    most = int(np.clip(_MOST_RATES // len(table), _FEWEST_THRESHOLDS, _MOST_THRESHOLDS))
    vertex = some_vertices(average.fpr + average.tpr, [cutoff.index for cutoff in cutoffs], most)
    fpr, tpr = rates_of_groups(table, average.thresholds[vertex], None)
    fpr[:, 0] = tpr[:, 0] = 0.0  # beyond everything, also beyond a score that is itself infinite
    fpr_weights, tpr_weights = average._axis_weights
    n_groups = len(table)
    per_block = max(1, _BLOCK // vertex.size)
    for counts in drawn_counts(n_groups, n_resamples, seed):
        for start in range(0, counts.shape[0], per_block):
            drawn = counts[start : start + per_block]
            x, y = drawn_means(fpr, fpr_weights, drawn), drawn_means(tpr, tpr_weights, drawn)
            usable = np.isfinite(x[:, 0]) & np.isfinite(y[:, 0])  # a class may not have been drawn at all
            x, y = (np.clip(np.round(rate[usable], _PLACES), 0.0, 1.0) for rate in (x, y))
            own, found = np.arange(x.shape[0]), []
            for cutoff in cutoffs:
                best = strictest_optima(cutoff.criterion, y, x)
                at = vertex[best]
                here, everywhere = (x[own, best], y[own, best]), (average.fpr[at], average.tpr[at])
                found.append(np.stack([average.thresholds[at], *here, *everywhere], axis=1))
            yield np.stack(found)
