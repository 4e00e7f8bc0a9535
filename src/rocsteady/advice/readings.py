"""An average read on a line, while the same groups are drawn again for every average.

What is random is the groups. A reading that is a mean over groups (an AUC or a held rate of an average along
a direction) has a t interval from the groups' own values, and one across a shared threshold from what every
group adds to it; any other is made anew in every resample, and all averages, also those of other models, see
the same resamples: differences between averages are paired. ``simulations/advice.py`` measures how often
their intervals cover.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

import numpy as np

from rocsteady.advice.deployment import Line
from rocsteady.arrays import Floats
from rocsteady.averaging.base import Average
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import Radial, Tangent
from rocsteady.averaging.shared_threshold import SharedThresholdAverage, rates_of_groups
from rocsteady.places import RATES
from rocsteady.statistics.folds import error_factor
from rocsteady.statistics.groups import degrees_of_freedom, spread, t_limits
from rocsteady.statistics.limits import Interval, t_quantile
from rocsteady.statistics.resampling import drawn_counts, drawn_means

N_RESAMPLES, N_RESAMPLES_OF_MANY, MANY_GROUPS = 1000, 400, 1000
"""Enough for a standard error that is sure to two per cent; to four, where there are many groups."""
ROUNDING = 1e-12
"""What is nearer than this is the same."""


class Draws(NamedTuple):
    """Which groups are drawn how often: the same for every average of so many groups, by a seed."""

    n_groups: int
    seed: int
    n_resamples: int | None = None

    def of(self, average: Average) -> Iterable[Floats]:
        """How often every group of an average is drawn, in blocks of ``(resamples, groups)``."""
        usual = N_RESAMPLES if self.n_groups <= MANY_GROUPS else N_RESAMPLES_OF_MANY
        made = drawn_counts(self.n_groups, self.n_resamples or usual, self.seed)
        if average.n_groups == self.n_groups:
            return made
        return (counts.take(average._groups.chosen, axis=1) for counts in made)  # some have one class


@dataclass(frozen=True, eq=False)
class Quantity:
    """One number read off an average, and how it scatters when groups are drawn again."""

    value: float
    average: Average
    drawn: Callable[[], Iterator[Floats]]  # the same in every resample of groups, in blocks
    own: Floats | None  # what groups have, or add, where the number is their weighted mean
    weights: Floats
    degrees_of_freedom: float
    is_share: bool = True  # rates and areas are, costs are not

    @cached_property
    def resampled(self) -> Floats:
        """The number in every resample; NaN where the groups drawn have no curve."""
        return np.concatenate(list(self.drawn()))


def difference(of: Quantity, less: Quantity | None, confidence_level: float) -> tuple[float, Interval]:
    """``of - less`` (or ``of`` itself), and its paired interval over groups."""
    both = [of] if less is None else [of, less]
    value, own, ratio = of.value, of.own, of.average.design.test_train_ratio
    if less is not None:
        value -= less.value
        same = own is not None and less.own is not None and np.array_equal(of.weights, less.weights)
        own = own - less.own if same else None  # type: ignore[operator]
    if own is not None:
        error, how = float(spread(own[:, None], of.weights, ratio).standard_error[0]), "t over groups"
    else:
        resampled = of.resampled - (0.0 if less is None else less.resampled)
        usable, error = resampled[np.isfinite(resampled)], float("nan")
        n_groups = min(each.average.effective_groups for each in both)
        if usable.size > 1 and n_groups > 1:  # the variance of resamples is too small by (M - 1) / M
            error = float(np.std(usable, ddof=1) * np.sqrt(n_groups / (n_groups - 1)))
        error, how = error * error_factor(n_groups, ratio), "paired bootstrap of groups, t"
    half = t_quantile(min(each.degrees_of_freedom for each in both), confidence_level) * error
    if abs(value) < ROUNDING and half < ROUNDING:  # the same by theorem, but for the last digit
        value = half = 0.0
    scale = "logit" if less is None and of.is_share else "linear"
    low, high = (float(limit) for limit in t_limits(value, half, scale))
    return value, Interval(low, high, confidence_level, how)


def area_of(average: Average, draws: Draws) -> Quantity:
    """The area under an average."""
    if isinstance(average, DirectionalAverage):
        return _mean_of(average, draws, average.auc, average._groups.auc)

    def areas() -> Iterator[Floats]:
        for fpr, tpr in _drawn_curves(average, draws):
            yield np.sum(np.diff(fpr, axis=1) * (tpr[:, 1:] + tpr[:, :-1]), axis=1) / 2

    return _sum_of(average, average.auc, areas, average._linearised_area())


def read_at(line: Line, average: Average, base: Average, draws: Draws) -> Quantity:
    """What an average has on a line; ``base`` is the one that a shared threshold is set on."""
    held = _held_values(average, line)
    if held is not None:
        is_share = line.costs is None
        return _mean_of(average, draws, float(average.weights @ held), held, is_share=is_share)
    target, frozen = line.target, None
    if line.threshold is not None and isinstance(base, SharedThresholdAverage):
        at, weights = base.rates_at(line.threshold), base._axis_weights
        fpr, tpr = rates_of_groups(base._groups.table, [line.threshold], None)
        if base is average:
            return _mean_of(average, draws, float(at.tpr), tpr[:, 0], weights[1])
        target, frozen = float(at.fpr), (fpr, weights[0])  # every resample has an FPR of its own there

    def readings() -> Iterator[Floats]:
        targets: Iterable[Floats | float] = repeat(target)
        if frozen is not None:  # the groups of the other average may be others
            targets = (drawn_means(*frozen, counts)[:, 0] for counts in draws.of(base))
        for (fpr, tpr), own in zip(_drawn_curves(average, draws), targets, strict=False):
            yield line.read(fpr, tpr, own)

    value = float(line.read(average.fpr[None], average.tpr[None], target)[0])
    # A resampled curve along a direction may stop short of a corner.
    is_resampled = isinstance(average, DirectionalAverage) and 0 < target < 1
    if line.held in RATES and not is_resampled:
        added = average._linearised(np.array([target]), line.held)[:, 0]
        return _sum_of(average, value, readings, added)
    how = average.weights, average.degrees_of_freedom, line.costs is None
    return Quantity(value, average, readings, None, *how)


def _mean_of(
    average: Average,
    draws: Draws,
    value: float,
    own: Floats,
    weights: Floats | None = None,
    *,
    is_share: bool = True,
) -> Quantity:
    """A weighted mean of what the groups have; they may count otherwise than in the average."""
    df = average.degrees_of_freedom if weights is None else degrees_of_freedom(weights)
    counted = average.weights if weights is None else weights

    def means() -> Iterator[Floats]:
        return (drawn_means(own[:, None], counted, counts)[:, 0] for counts in draws.of(average))

    return Quantity(value, average, means, own, counted, df, is_share)


def _sum_of(average: Average, value: float, drawn: Callable[[], Iterator[Floats]], added: Floats) -> Quantity:
    """A reading that every group adds something to, each counting the same."""
    equal = np.full(added.size, 1 / max(added.size, 1))
    return Quantity(value, average, drawn, value + added, equal, average.degrees_of_freedom)


def _drawn_curves(average: Average, draws: Draws) -> Iterator[tuple[Floats, Floats]]:
    """The average of every resample, freed from falls of a rounding error; NaN where no group was drawn."""
    fpr, tpr, *weights = average._points
    for counts in draws.of(average):
        x, y = drawn_means(fpr, weights[0], counts), drawn_means(tpr, weights[1], counts)
        yield np.maximum.accumulate(x, axis=-1), np.maximum.accumulate(y, axis=-1)


def _held_values(average: Average, line: Line) -> Floats | None:
    """What the groups themselves have on a line, if the average is their mean there."""
    if isinstance(average.method, Tangent) and line.costs is not None:
        return least_costs(average, *line.costs.expected)
    if isinstance(average.method, Radial) and line.held == "ratio":
        return average.group_points([line.target / (line.target + line.along[0])]).fpr[:, 0]
    if not isinstance(average, DirectionalAverage) or line.threshold is not None:
        return None
    (a, b), direction = line.along, average.direction
    length = np.hypot(a, b)
    if not length or abs(a * direction.sine - b * direction.cosine) >= 1e-12 * length:
        return None
    position = np.clip(np.array([line.target / length]), 0.0, direction.length)
    fpr, tpr = average._turned_back(position, average._values(position))
    values = np.broadcast_to(fpr if line.free == "fpr" else tpr, (average.n_groups, 1))
    return np.asarray(values[:, 0])


def least_costs(average: Average, of_misses: float, of_alarms: float) -> Floats:
    """The least expected cost of every group, each at its own best threshold."""
    table = average._groups.table
    starts, ends = table.offsets[:-1], table.offsets[1:] - 1
    sizes = np.diff(table.offsets)
    fpr = table.false_positives / np.repeat(table.false_positives[ends], sizes)
    tpr = table.true_positives / np.repeat(table.true_positives[ends], sizes)
    return np.asarray(np.minimum.reduceat(of_misses * (1 - tpr) + of_alarms * fpr, starts))
