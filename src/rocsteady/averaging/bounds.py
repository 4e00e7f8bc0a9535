"""An average of counts in cells: between which averages that of all rows certainly lies."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Floats
from rocsteady.curves.readings import Bounds, bounds_of_rate, scalar_or_array
from rocsteady.errors import RocsteadyWarning
from rocsteady.options import How, rates, real_numbers
from rocsteady.statistics.groups import covariance_of_means, t_limits, two_sided_quantile
from rocsteady.statistics.intervals import Interval

_SLACK = 2.0**-46
"""What the sums and products of an average of many curves may round away, generously."""
_BESIDE = 2.0**-46
"""How far the rates of an average may be off for the same reason: where it jumps, that makes a difference."""


@dataclass(frozen=True, eq=False, repr=False)
class AverageBounds:
    """The averages of the groups' lowest and of their highest curves, and what lies between them.

    Attributes
    ----------
    lower, upper : Average
        By the same method, with the same weights; made when they are how for.
    rounding : float
        What may have been rounded away.
    """

    _make: Callable[[bool], Any]  # the average of the lowest curves (False), or of the highest (True)
    _lost: float  # what sums over rows or cells may have rounded away

    @cached_property
    def lower(self) -> Any:
        """The lowest average that the counts allow."""
        return self._make(False)

    @cached_property
    def upper(self) -> Any:
        """The highest average that the counts allow."""
        return self._make(True)

    @property
    def rounding(self) -> float:
        """What may have been rounded away."""
        return self._lost + _SLACK

    def at(self, name: str, value: ArrayLike) -> dict[str, Bounds | None]:
        """Between which values both rates lie where ``name`` (fpr, tpr, threshold or alerts) has a value.

        None for the rate that is held.
        """
        with warnings.catch_warnings():  # the average itself says what there is to say
            warnings.simplefilter("ignore", RocsteadyWarning)
            holds = self.lower._group_rates_at(name, np.array([0.5])) is not None
            found = self._where_held(name, value) if holds else self._across(name, value)
        bounds: dict[str, Bounds | None] = {}
        for own in ("fpr", "tpr"):
            low, high = (np.reshape(end, np.shape(value)) for end in found[own])
            bounds[own] = None if own == name else bounds_of_rate(low, high, self.rounding)
        return bounds

    def _where_held(self, name: str, value: ArrayLike) -> dict[str, tuple[Any, Any]]:
        """Read beside the place by as much as rounding may have moved it: both rates rise along a curve."""
        before = after = real_numbers(name, value).ravel()
        if name != "threshold":
            moved = 2 * self._lost + (_BESIDE if name == "alerts" else 0.0)
            before, after = np.maximum(before - moved, 0.0), np.minimum(after + moved, 1.0)
        lower, upper = ([own.at(**{name: at}) for at in (before, after)] for own in (self.lower, self.upper))
        return {"fpr": (upper[0].fpr, lower[1].fpr), "tpr": (lower[0].tpr, upper[1].tpr)}

    def _across(self, held: str, value: ArrayLike) -> dict[str, tuple[Any, Any]]:
        """Where one rate is held that the average does not hold, read off both curves."""
        at, moved = rates(held, value), self._lost + _BESIDE
        before, after = np.maximum(at - moved, 0.0), np.minimum(at + moved, 1.0)
        least, most = (self.lower, self.upper) if held == "fpr" else (self.upper, self.lower)
        ends = least._read_between(held, before)[0], most._read_between(held, after)[1]
        return {held: (at, at), "tpr" if held == "fpr" else "fpr": ends}

    def widened(self, average: Any, point: Any, name: str, value: ArrayLike, how: How) -> Any:
        """A point of the average with its bounds; its intervals hold those of all that lies between them."""
        bounds = self.at(name, value)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocsteadyWarning)
            linear = average._at(name, value, replace(how, scale="linear"))
            places = np.ravel(real_numbers(name, value))
            groups = [own._group_rates_at(name, places) for own in (self.lower, self.upper)]
        if groups[0] is not None:
            how = replace(how, scale=average._scale(how))
        found: dict[str, Any] = {f"{own}_bounds": bounds[own] for own in bounds}
        for i, own in enumerate(("fpr", "tpr")):
            interval, within = getattr(point, f"{own}_interval"), bounds[own]
            if interval is None or within is None:
                continue
            off = within.half_width
            if groups[0] is not None:
                apart = np.abs(groups[1][i] - groups[0][i]) + self._lost
                off = np.reshape(_error_of_mean(apart, average._cases_behind(own)[0]), np.shape(value))
            plain = getattr(linear, f"{own}_interval")
            found[f"{own}_interval"] = _widened(average, own, interval, plain, within, off, how)
        if point.kept is not None:
            kept = point.kept
            found["kept"] = self.widened(average, kept, "threshold", kept.threshold, how)
        return replace(point, **found)


def _widened(
    average: Any, rate: str, interval: Interval, linear: Interval, bounds: Bounds, off: Any, how: How
) -> Interval:
    """An interval that holds that of the average of all rows.

    Its middle lies within the bounds, and its standard error is no more than ``off`` larger than that of the
    ``linear`` one. Where groups are not read one by one that is not known; then it is taken as if all that is
    uncertain were in one group. On the logit scale, too, limits are furthest out at an end of the bounds;
    where something is uncertain, groups may agree, and their cases speak.
    """
    factor = two_sided_quantile(how.quantile, how.confidence_level, average.degrees_of_freedom)
    half = (np.asarray(linear.high) - linear.low) / 2 + factor * off
    may_agree = np.asarray(bounds.half_width) > 0
    limits: list[Any] = []
    for end in (bounds.low, bounds.high):
        limits.append(t_limits(end, half, how.scale))
        if how.scale == "logit" and may_agree.any():
            own = average._limits(rate, end, 0.0, how, alike=True)
            limits.append([np.where(may_agree, new, np.asarray(end)) for new in own])
    low = np.fmin.reduce([own[0] for own in limits] + [np.asarray(interval.low)])
    high = np.fmax.reduce([own[1] for own in limits] + [np.asarray(interval.high)])
    unknown = np.isnan(half)
    ends = (scalar_or_array(np.where(unknown, np.nan, end), bounds.low) for end in (low, high))
    return replace(interval, low=next(ends), high=next(ends))


def _error_of_mean(gaps: Floats, weights: Floats) -> Floats:
    """The largest standard error of a mean whose groups have values no further from 0 than these.

    Standard errors are norms of deviations: of a sum they are at most the sum of both. So this is how far one
    can be off if every group is off by as much.
    """
    away = gaps
    if (weights != weights[0]).any():  # else values are no nearer to 0 than to their mean, in sum
        away = gaps + weights @ gaps
    return np.sqrt(covariance_of_means(away, away, weights, weights))
