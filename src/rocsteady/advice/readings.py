"""An average read on a line, while the same groups are drawn again for every average.

What is random is the groups. A reading that is a mean over groups (an AUC or a held rate of an average along
a direction) has a t interval from the groups' own values; any other is made anew in every resample, and all
averages, also those of other models, see the same resamples: differences between averages are paired.
``simulations/advice.py`` measures how often their intervals cover.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocsteady.advice.deployment import Floats, Line, crossing
from rocsteady.averaging.base import Average
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import Radial, Tangent
from rocsteady.averaging.shared import PooledAverage, SharedThresholdAverage, rates_of_groups
from rocsteady.statistics.folds import error_factor
from rocsteady.statistics.groups import degrees_of_freedom, spread, t_limits
from rocsteady.statistics.limits import Interval, t_quantile
from rocsteady.statistics.resampling import drawn_counts, drawn_means

N_RESAMPLES, N_RESAMPLES_OF_MANY, MANY_GROUPS = 1000, 400, 1000
"""Enough for a standard error that is sure to two per cent; to four, where there are many groups."""
ROUNDING = 1e-12
"""What is nearer than this is the same."""
_FAR = 10.0
"""Standard errors within which all resamples are looked for first."""
_MOST_KEPT = 2**22
"""Draws that are kept for the next average: 32 MB of them, and once more without groups of one class."""


@dataclass(frozen=True)
class Draws:
    """Which groups were drawn how often: the same for every average with this many groups and this seed."""

    n_groups: int
    seed: int
    n_resamples: int
    _kept: dict[bytes, list[Floats]] = field(default_factory=dict, compare=False, repr=False)

    def of(self, members: NDArray[np.intp]) -> Iterable[Floats]:
        """How often each of these groups was drawn, in blocks of ``(resamples, members)``."""
        is_all = members.size == self.n_groups
        made = drawn_counts(self.n_groups, self.n_resamples, self.seed)
        if self.n_groups * self.n_resamples > _MOST_KEPT:
            return made if is_all else (counts.take(members, axis=1) for counts in made)
        every = self._kept.get(b"") or self._kept.setdefault(b"", list(made))
        which = b"" if is_all else members.tobytes()
        if which not in self._kept:
            self._kept.clear()
            blocks = [counts.take(members, axis=1) for counts in every]
            self._kept.update({b"": every, which: blocks})
        return self._kept[which]


def draws_of(n_groups: int, seed: int, n_resamples: int | None = None) -> Draws:
    """The draws for so many groups."""
    usual = N_RESAMPLES if n_groups <= MANY_GROUPS else N_RESAMPLES_OF_MANY
    return Draws(n_groups, seed, usual if n_resamples is None else n_resamples)


@dataclass(frozen=True, eq=False)
class Quantity:
    """One number read off an average, and how it scatters when groups are drawn again."""

    value: float
    resampled: Floats  # NaN where the groups drawn have no curve
    own: Floats | None  # values of the groups, where the number is their weighted mean
    weights: Floats
    effective_groups: float  # what an interval may rely on; fewer where weights are unequal
    degrees_of_freedom: float
    ratio: float = 0.0  # what the design adds to the variance of a mean
    is_share: bool = True  # rates and areas are, costs are not


@dataclass(frozen=True, eq=False)
class Difference:
    """One quantity less another, with its interval."""

    value: float
    interval: Interval


def difference(of: Quantity, less: Quantity | None, confidence_level: float) -> Difference:
    """``of - less`` (or ``of`` itself) with a paired interval over groups."""
    value = of.value - (less.value if less else 0.0)
    own = of.own
    if less is not None:
        same = of.own is not None and less.own is not None and np.array_equal(of.weights, less.weights)
        own = of.own - less.own if same else None  # type: ignore[operator]
    both = [of, less] if less else [of]
    if own is not None:
        error, how = float(spread(own[:, None], of.weights, of.ratio).standard_error[0]), "t over groups"
    else:
        resampled = of.resampled - (less.resampled if less else 0.0)
        n_groups = min(each.effective_groups for each in both)
        error = _resampled_error(resampled, n_groups) * error_factor(n_groups, of.ratio)
        how = "paired bootstrap of groups, t"
    df = min(each.degrees_of_freedom for each in both)
    half = t_quantile(df, confidence_level) * error
    if abs(value) < ROUNDING and half < ROUNDING:  # the same by theorem, but for the last digit
        value = half = 0.0
    scale = "logit" if less is None and of.is_share else "linear"
    low, high = (float(limit) for limit in t_limits(value, half, scale))
    return Difference(value, Interval(low, high, confidence_level, how))


def _resampled_error(resampled: Floats, n_groups: float) -> float:
    """Standard error from resamples, whose variance is too small by the factor (M - 1) / M."""
    usable = resampled[np.isfinite(resampled)]
    if usable.size < 2 or not n_groups > 1:
        return float("nan")
    return float(np.std(usable, ddof=1) * np.sqrt(n_groups / (n_groups - 1)))


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads one average; its resampled curves are made once, when something needs them."""

    average: Average
    draws: Draws

    def auc(self) -> Quantity:
        """The area under the average."""
        average = self.average
        if isinstance(average, DirectionalAverage):
            return self._mean_of(average.auc, average._groups.auc)
        areas = [np.sum(np.diff(f, axis=1) * (t[:, 1:] + t[:, :-1]), axis=1) / 2 for f, t in self._curves]
        own = average.auc + average._linearised_area()
        return self._linearised(average.auc, np.concatenate(areas), own)

    def value(self, line: Line, base: Average) -> Quantity:
        """What the average has at a line; ``base`` is the one that a shared threshold is set on."""
        average = self.average
        own = _own_values(average, line)
        if own is not None:
            return self._mean_of(float(average.weights @ own), own)
        if line.threshold is not None and base is average and isinstance(base, SharedThresholdAverage):
            weights = base._axis_weights[1]
            own = rates_of_groups(base._groups.table, [line.threshold], None)[1][:, 0]
            value = float(base.rates_at(line.threshold).tpr)
            return self._quantity(value, _drawn(base, own, weights, self.draws), own, weights)
        target, targets = _targets(line, base, self.draws)
        value = float(line.read(average.fpr[None], average.tpr[None], target)[0])
        if isinstance(average, DirectionalAverage) and line.costs is None and not np.ndim(targets):
            near = self._near(line)
            if near is not None:
                return self._quantity(value, near)
        read, start = [], 0
        for fpr, tpr in self._curves:
            stop = start + fpr.shape[0]
            read.append(line.read(fpr, tpr, targets[start:stop] if np.ndim(targets) else targets))  # type: ignore[index]
            start = stop
        resampled = np.concatenate(read)
        if line.costs is None and line.held in ("fpr", "tpr") and not np.ndim(targets):
            own = value + average._linearised(np.array([target]), line.held)[:, 0]
            return self._linearised(value, resampled, own)
        return self._quantity(value, resampled, is_share=line.costs is None)

    @cached_property
    def _curves(self) -> list[tuple[Floats, Floats]]:
        """The average of every resample, in blocks; NaN where none of its groups was drawn."""
        members = _members(self.average, self.draws)
        fpr, tpr, fpr_weights, tpr_weights = self.average._points
        return [
            (_rising(drawn_means(fpr, fpr_weights, drawn)), _rising(drawn_means(tpr, tpr_weights, drawn)))
            for drawn in self.draws.of(members)
        ]

    def _near(self, line: Line) -> Floats | None:
        """What every resample has at a line, from the positions around it; None if they do not reach it.

        Enough where nothing else is read off the curves: that of an average along a direction is its line.
        """
        fpr, tpr, fpr_weights, tpr_weights = self.average._points
        (a, b), target = line.along, line.target
        weights = fpr_weights / fpr_weights.sum()
        mean = _rising(weights @ (a * fpr + b * tpr))
        middle = int(np.searchsorted(mean, target).clip(0, mean.size - 1))
        error = spread((a * fpr[:, middle] + b * tpr[:, middle])[:, None], weights).standard_error[0]
        reach = _FAR * error + (mean[-1] - mean[0]) / mean.size
        first = max(int(np.searchsorted(mean, target - reach)) - 1, 0)
        last = int(np.searchsorted(mean, target + reach, side="right")) + 1
        near, read = slice(first, last), []
        x, y = np.ascontiguousarray(fpr[:, near]), np.ascontiguousarray(tpr[:, near])
        for drawn in self.draws.of(_members(self.average, self.draws)):
            own = _rising(drawn_means(x, fpr_weights, drawn)), _rising(drawn_means(y, tpr_weights, drawn))
            position = a * own[0] + b * own[1]
            starts = first == 0 or (position[:, 0] < target - ROUNDING).all()
            if not starts or not (last >= mean.size or (position[:, -1] > target + ROUNDING).all()):
                return None
            read.append(line.read(*own, target))
        return np.concatenate(read)

    def _mean_of(self, value: float, own: Floats) -> Quantity:
        return self._quantity(value, _drawn(self.average, own, self.average.weights, self.draws), own)

    def _linearised(self, value: float, resampled: Floats, own: Floats) -> Quantity:
        """A reading that every group adds something to, each counting the same."""
        equal = np.full(own.size, 1 / max(own.size, 1))
        return self._quantity(value, resampled, own, equal, self.average.degrees_of_freedom)

    def _quantity(
        self,
        value: float,
        resampled: Floats,
        own: Floats | None = None,
        weights: Floats | None = None,
        df: float | None = None,
        *,
        is_share: bool = True,
    ) -> Quantity:
        average = self.average
        if df is None:
            df = average.degrees_of_freedom if weights is None else degrees_of_freedom(weights)
        weights, ratio = average.weights if weights is None else weights, average.design.test_train_ratio
        return Quantity(value, resampled, own, weights, average.effective_groups, df, ratio, is_share)


def _targets(line: Line, base: Average, draws: Draws) -> tuple[float, Floats | float]:
    """The target of the full sample and of every resample: a frozen threshold gives each its own FPR."""
    if line.threshold is None or not isinstance(base, SharedThresholdAverage):
        return line.target, line.target
    own = rates_of_groups(base._groups.table, [line.threshold], None)[0][:, 0]
    drawn = _drawn(base, own, base._axis_weights[0], draws)
    return float(base.rates_at(line.threshold).fpr), drawn


def _own_values(average: Average, line: Line) -> Floats | None:
    """What the groups themselves have at the line, if the average is their mean there."""
    if isinstance(average, DirectionalAverage):
        return _held_values(average, line)
    if isinstance(average.method, Tangent) and line.costs is not None:
        return least_costs(average, *line.costs.expected)
    if isinstance(average.method, Radial) and line.held == "ratio":
        table, values = average._groups.table, []
        for start, stop in zip(table.offsets[:-1], table.offsets[1:], strict=True):
            fp, tp = table.false_positives[start:stop], table.true_positives[start:stop]
            fpr, tpr = (fp / fp[-1])[None], (tp / tp[-1])[None]
            position = line.along[0] * fpr + line.along[1] * tpr
            values.append(crossing(position, fpr, line.target, first=True)[0])
        return np.array(values)
    return None


def _held_values(average: DirectionalAverage, line: Line) -> Floats | None:
    (a, b), direction = line.along, average.direction
    length = np.hypot(a, b)
    is_held = length > 0 and abs(a * direction.sine - b * direction.cosine) < 1e-12 * length
    if not is_held or line.threshold is not None:
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


def _members(average: Average, draws: Draws) -> NDArray[np.intp]:
    """Which of the groups drawn are in the average: those of one class are in the pooled curve only."""
    if isinstance(average, PooledAverage):
        return np.arange(average.n_groups)
    return average._groups.chosen if average.n_groups < draws.n_groups else np.arange(draws.n_groups)


def _drawn(average: Average, own: Floats, weights: Floats, draws: Draws) -> Floats:
    blocks = draws.of(_members(average, draws))
    return np.concatenate([drawn_means(own[:, None], weights, drawn)[:, 0] for drawn in blocks])


def _rising(rates: Floats) -> Floats:
    """Rates freed from falls of a rounding error."""
    return np.asarray(np.maximum.accumulate(rates, axis=-1))
