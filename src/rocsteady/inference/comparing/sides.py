"""One model of a comparison: what each of its groups is worth, at a point or along the curve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import AtAlarmRate, Horizontal, Method, Vertical
from rocsteady.averaging.shared import SharedThresholdAverage, rates_of_groups
from rocsteady.counting.table import count_table
from rocsteady.curves.curve_set import roc_curves
from rocsteady.errors import fail
from rocsteady.inference.comparing.matching import members_only
from rocsteady.options import rates
from rocsteady.places import Place
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import printable

Floats = NDArray[np.float64]

N_POSITIONS = 200


@dataclass(frozen=True, eq=False)
class Reading:
    """One quantity of one model.

    ``values`` has an entry for each group; their plain mean is ``mean`` and their spread that of the mean:
    what the groups themselves are worth, or, under a threshold for all, what each adds to the whole.
    """

    rate: str
    mean: float
    values: Floats

    @property
    def lower_is_better(self) -> bool:
        """Of false positive rates."""
        return self.rate == "FPR"


@dataclass(frozen=True, eq=False)
class Side:
    """The scores of one model and the average that is made of them."""

    name: str
    scores: ScoreSet
    method: Method
    threads: int | None = None
    defined: NDArray[np.intp] | None = None

    @cached_property
    def curved(self) -> ScoreSet:
        """The groups that have a curve; paired, those that have one of both models."""
        own = self.scores
        defined = np.flatnonzero((own.n_positives > 0) & (own.n_negatives > 0))
        return members_only(own, defined if self.defined is None else self.defined)

    @cached_property
    def average(self) -> Average:
        """Of all groups with a curve; pooled, of all groups."""
        return average(self.scores, self.method, undefined="drop", threads=self.threads)

    @property
    def each_meets(self) -> bool:
        """Whether every group meets a budget with a threshold of its own."""
        return isinstance(self.average, DirectionalAverage)

    @cached_property
    def aucs(self) -> Floats:
        """AUC of every group that has a curve."""
        return roc_curves(self.curved, threads=self.threads).auc

    @property
    def n_cases(self) -> float:
        """All cases of the average, or the sum of their weights."""
        groups = self.average._groups
        return float(groups.n_positives.sum() + groups.n_negatives.sum())

    def degrees_of_freedom(self, n_groups: int) -> float:
        """Of the spread of values; fewer than groups less one where they count differently."""
        return n_groups - 1.0 if self.each_meets else min(n_groups - 1.0, self.average.degrees_of_freedom)

    def read(self, place: Place) -> list[Reading]:
        """The rate that is free where the other, the rate of alerts or the threshold is held."""
        at = np.array([place.of(self.name)])
        if place.kind == "threshold":
            return self._at_threshold(at)
        if place.kind == "alerts":
            return [self._at_rate(float(at[0]))]
        free = "TPR" if place.kind == "fpr" else "FPR"
        if self.each_meets:
            values = self._own_rates(place.kind, at)
            return [Reading(free, float(values.mean()), values)]
        read = self.average.tpr_at if place.kind == "fpr" else self.average.fpr_at
        mean = np.asarray(read(at))
        values = (mean + self.average._linearised(at, place.kind))[:, 0]
        return [Reading(free, float(mean[0]), values)]

    def held_average(self, held: str) -> DirectionalAverage:
        """The average in which every group holds this rate."""
        if held == "fpr":
            method: Method = self.method if isinstance(self.method, Vertical) else Vertical()
        else:
            method = self.method if isinstance(self.method, Horizontal) else Horizontal()
        own: Any = self.average if method == self.method else average(self.scores, method, undefined="drop")
        return own  # type: ignore[no-any-return]

    def _own_rates(self, held: str, at: Floats) -> Floats:
        values = self.held_average(held)._values(at)[:, 0]
        return np.asarray(values if held == "fpr" else 0.0 - values)

    def _at_rate(self, rate: float) -> Reading:
        own = self.average
        # A diagonal can be read at a rate, too, but of a population with as many positives as negatives.
        is_of_alerts = isinstance(self.method, AtAlarmRate) and isinstance(own, DirectionalAverage)
        if not is_of_alerts:
            name = None if self.each_meets else self.method.name
            raise fail("RS084.alerts", method=self.method.label, name=name)
        at = np.atleast_1d(rates("alerts", rate)) * own.direction.length  # type: ignore[attr-defined]
        values = own._turned_back(at, own._values(at))[1][:, 0]  # type: ignore[attr-defined]
        return Reading("TPR", float(values.mean()), np.asarray(values))

    def _at_threshold(self, threshold: Floats) -> list[Reading]:
        if isinstance(self.average, SharedThresholdAverage):
            table, weights = self.average._groups.table, self.average._axis_weights
        else:
            table = count_table(self.scores, threads=self.threads)
            weights = (np.full(len(self.scores), 1 / len(self.scores)),) * 2
        readings, groups = [], rates_of_groups(table, threshold, None)
        for rate, values, own in zip(("FPR", "TPR"), groups, weights, strict=True):
            column = values[:, 0]
            mean = float(column[0] + own @ (column - column[0]))
            readings.append(Reading(rate, mean, mean + column.size * own * (column - mean)))
        return readings

    def gains(self, position: Floats) -> tuple[Floats, Floats]:
        """The average along the curve, more being better, and what every group adds: ``(n_groups, n)``."""
        own = self.average
        if isinstance(own, DirectionalAverage):
            values = own._values(position)
            return values.mean(axis=0), values
        mean = np.asarray(own.tpr_at(position))
        return mean, mean + own._linearised(position)


def value_words(place: Place, a: str, b: str) -> str:
    """The value of a place in a sentence."""
    one, other = place.of(a), place.of(b)
    return f"{one:.6g}" if one == other else f"{one:.6g} ({printable(a)}) and {other:.6g} ({printable(b)})"


def positions(sides: tuple[Side, Side], fpr: tuple[float, float]) -> tuple[Floats, str]:
    """Evenly spaced positions over the declared range of FPR, and what a position is.

    Along another direction than the vertical one, from where the two averages, on the mean, have these FPRs.
    """
    first = sides[0].average
    if not isinstance(first, DirectionalAverage) or first.direction.is_vertical:
        return np.linspace(*fpr, N_POSITIONS), "fpr"
    c, s = first.direction.cosine, first.direction.sine
    low, high = (c * x + s * sum(float(side.average.tpr_at(x)) for side in sides) / 2 for x in fpr)
    return np.linspace(low, high, N_POSITIONS), "tpr" if first.direction.is_horizontal else "position"
