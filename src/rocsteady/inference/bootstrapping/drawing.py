"""Resamples of cases, and of whole groups.

Never of both: the spread between groups already holds the noise of the cases in them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.members import Members
from rocsteady.averaging.methods import Method, Pooled, Threshold
from rocsteady.averaging.shared import SharedThresholdAverage
from rocsteady.curves.measures import PartialAuc, RatesAt, Statistic
from rocsteady.errors import fail
from rocsteady.inference.bootstrapping.given import cases_of
from rocsteady.inference.bootstrapping.limits import Resamples
from rocsteady.inference.bootstrapping.readings import (
    Polyline,
    group_values,
    is_mean_of_groups,
    own_vertices,
    shared_vertices,
)
from rocsteady.options import How
from rocsteady.statistics.groups import weighted_mean
from rocsteady.statistics.resampling import (
    Progress,
    RankedCases,
    drawn_counts,
    drawn_means,
    resampled_cases,
    resampled_groups,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Wanted:
    """What is read, off which average (None: the mean of the groups' own values), how often."""

    statistic: Statistic
    method: Method | None
    n_resamples: int
    seed: int
    threads: int | None = None
    progress: Progress | None = None

    @property
    def how(self) -> dict[str, Any]:
        """What the kernels are told."""
        names = ("n_resamples", "seed", "threads", "progress")
        return {name: getattr(self, name) for name in names}

    @property
    def width(self) -> float:
        """The largest value that the statistic can have."""
        raw = isinstance(self.statistic, PartialAuc) and not self.statistic.standardized
        return self.statistic.range[1] - self.statistic.range[0] if raw else 1.0  # type: ignore[attr-defined]


@dataclass(frozen=True, eq=False)
class Drawn:
    """Resamples, how many draws of each lacked a class, and what groups add to the readings, if known."""

    resamples: Resamples
    redrawn: NDArray[np.int64] | None = None
    parts: Floats | None = None

    @property
    def n_redrawn(self) -> int:
        """Draws of all resamples that were thrown away for lack of a class."""
        return 0 if self.redrawn is None else int(self.redrawn.sum())


def drawn_cases(members: Members, wanted: Wanted) -> Drawn:
    """Cases drawn within their group and class; the groups stay as they are."""
    statistic, method = wanted.statistic, wanted.method
    if len(members) == 1 or is_mean_of_groups(statistic, method):
        cases = cases_of(members, shared=False)
        readings = statistic.readings(own_vertices(members, statistic))
        values = resampled_cases(cases, readings, **wanted.how)
        parts = group_values(members, statistic)
        estimate = weighted_mean(parts, np.full(len(members), 1 / len(members)))
        return Drawn(Resamples(estimate, statistic.resampled(values), width=wanted.width))
    if not isinstance(method, Pooled | Threshold):
        raise fail("RS002.drawn-cases", average="this" if method is None else f"the {method.label}")
    whole = _shared_average(members, method)
    cases = cases_of(members, shared=True)
    if isinstance(method, Threshold) or method.balanced:
        cases = _counting_alike(cases)
    vertices = shared_vertices(whole.thresholds, statistic, higher_is_positive=members.higher_is_positive)
    values = resampled_cases(cases, statistic.readings(vertices), shared=True, **wanted.how)
    estimate = np.ravel(statistic.read(whole))
    return Drawn(Resamples(estimate, statistic.resampled(values), width=wanted.width))


def drawn_groups(members: Members, wanted: Wanted) -> Drawn:
    """Whole groups drawn with replacement, and the average made anew."""
    statistic, method = wanted.statistic, wanted.method
    if is_mean_of_groups(statistic, method):
        return _means_of_groups(group_values(members, statistic), wanted)
    if isinstance(method, Pooled | Threshold):
        return shared_curve_of_groups(members, method, wanted)
    assert method is not None
    if isinstance(statistic.raw, RatesAt):
        raise fail("RS084.bootstrap", method=method.label, unit=members.unit)
    return _any_average(members, method, wanted)


def _means_of_groups(values: Floats, wanted: Wanted) -> Drawn:
    """Means of the groups' own values."""
    n_groups = values.shape[0]
    weights = np.full(n_groups, 1 / n_groups)
    blocks, done = [], 0
    for counts in drawn_counts(n_groups, wanted.n_resamples, wanted.seed):
        blocks.append(values[0] + drawn_means(values - values[0], weights, counts))  # exact where all agree
        done += counts.shape[0]
        if wanted.progress is not None:
            wanted.progress(done, wanted.n_resamples)
    resamples = Resamples(
        weighted_mean(values, weights), np.concatenate(blocks), float(n_groups), n_groups - 1.0, wanted.width
    )
    return Drawn(resamples, parts=values)


def shared_curve_of_groups(members: Members, method: Pooled | Threshold, wanted: Wanted) -> Drawn:
    """The one curve of all groups drawn; a budget is met again in every resample."""
    statistic = wanted.statistic
    whole = _shared_average(members, method)
    vertices = shared_vertices(whole.thresholds, statistic, higher_is_positive=members.higher_is_positive)
    is_pooled = isinstance(method, Pooled) and not method.balanced
    found = resampled_groups(
        cases_of(members, shared=True, drawn_singly=False),
        statistic.readings(vertices),
        average="pooled" if is_pooled else "threshold",
        **wanted.how,
    )
    resamples = Resamples(
        np.ravel(statistic.read(whole)),
        statistic.resampled(found.values),
        whole.effective_groups,
        whole.degrees_of_freedom,
        wanted.width,
        whole.design.test_train_ratio,
    )
    return Drawn(resamples, found.redrawn)


def _any_average(members: Members, method: Method, wanted: Wanted) -> Drawn:
    """An average whose curve is made anew from the points that its groups have."""
    statistic, whole = wanted.statistic, average_of(members, method)
    exact = np.ravel(statistic.read(whole))
    # Resampled curves know some positions only. What that changes in the average itself it changes in them.
    shift = exact - np.ravel(statistic.read(Polyline(*whole._sampled())))
    values: list[Any] = []
    for fpr, tpr in whole._resampled(How(n_resamples=wanted.n_resamples, seed=wanted.seed)):
        values += [np.ravel(statistic.read(Polyline(x, y))) for x, y in zip(fpr, tpr, strict=True)]
        if wanted.progress is not None:
            wanted.progress(len(values), wanted.n_resamples)
    least = -np.inf if getattr(statistic, "standardized", False) else 0.0
    read = np.clip(np.array(values) + shift, least, wanted.width)
    read = read[~np.isnan(read).any(axis=1)]
    resamples = Resamples(
        exact,
        read,
        whole.effective_groups,
        whole.degrees_of_freedom,
        wanted.width,
        whole.design.test_train_ratio,
    )
    return Drawn(resamples)


def average_of(members: Members, method: Method) -> Average:
    """The average of groups that are known already."""
    given = members.curves if members.score_set is None else members.score_set
    return average(given, method, undefined="drop", threads=members.threads)


def _shared_average(members: Members, method: Pooled | Threshold) -> SharedThresholdAverage:
    whole = average_of(members, method)
    assert isinstance(whole, SharedThresholdAverage)
    return whole


def _counting_alike(cases: RankedCases) -> RankedCases:
    """Weights of the cases that make every group count the same in each class."""
    made = {}
    for side in ("positive", "negative"):
        offsets, weights = getattr(cases, f"{side}_offsets"), getattr(cases, f"{side}_weights")
        groups = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
        weights = np.ones(groups.size) if weights is None else weights
        made[f"{side}_weights"] = weights / np.bincount(groups, weights, minlength=offsets.size - 1)[groups]
    return replace(cases, **made)
