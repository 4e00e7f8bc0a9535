"""Averages under one threshold for all groups: what the threshold average and the pooled curve share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging.across import mostly_alike, warn_if_alike
from rocsteady.averaging.base import MOST_VALUES, Asked, Average, AveragePoint, in_blocks
from rocsteady.averaging.merging import Rates, rates_of_groups
from rocsteady.counting.arguments import one_of, real_numbers, whole_number
from rocsteady.counting.results import TableResult
from rocsteady.curves.reading import scalar_or_array, thresholds_told, vertex_at
from rocsteady.errors import DataError
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.spread import covariance_between, covariance_of_means
from rocsteady.words import counted

Floats = NDArray[np.float64]

_MOST_THRESHOLDS = 2000


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdRates(TableResult):
    """The rates at a shared threshold, and how the groups scatter there.

    Attributes
    ----------
    threshold, fpr, tpr : float or array
        The threshold asked for, and the two rates of the average.
    fpr_sd, tpr_sd, covariance : float or array
        Between groups (divisor M - 1 at equal weights); NaN for a single group.
    fpr_standard_error, tpr_standard_error : float or array
        Of the average's rates.
    rule : str
        What calls a score positive.
    """

    threshold: Any
    fpr: Any
    tpr: Any
    fpr_sd: Any
    tpr_sd: Any
    fpr_standard_error: Any
    tpr_standard_error: Any
    covariance: Any
    rule: str

    def _columns(self) -> dict[str, Any]:
        spreads = ("fpr_sd", "tpr_sd", "fpr_standard_error", "tpr_standard_error", "covariance")
        return {name: np.atleast_1d(getattr(self, name)) for name in ("threshold", "fpr", "tpr", *spreads)}

    def __repr__(self) -> str:
        if np.ndim(self.threshold):
            return f"ThresholdRates(at {counted(np.size(self.threshold), 'threshold')})"
        return f"ThresholdRates(score {self.rule} {self.threshold:g}: fpr {self.fpr:.4f}, tpr {self.tpr:.4f})"


@dataclass(frozen=True, eq=False, repr=False)
class ThresholdGrid(TableResult):
    """Some points of a threshold average, led by (0, 0) and closed by (1, 1)."""

    thresholds: Floats
    fpr: Floats
    tpr: Floats

    def _columns(self) -> dict[str, Any]:
        return {"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}

    def __repr__(self) -> str:
        return f"ThresholdGrid({counted(self.fpr.size, 'point')})"


@dataclass(frozen=True, eq=False, repr=False)
class SharedThresholdAverage(Average):
    """What the threshold average and the pooled curve have in common."""

    _curve: tuple[Floats, Floats, Floats]  # thresholds, tpr, fpr

    @property
    def thresholds(self) -> Floats:
        """Every distinct score, strictest first, led by an infinite one."""
        return self._curve[0]

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        return self._curve[2], self._curve[1]

    @cached_property
    def auc(self) -> float:
        """Area under the curve."""
        fpr, tpr = self._polyline
        return float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2)

    @cached_property
    def _axis_weights(self) -> tuple[Floats, Floats]:
        """What every group with a rate counts on the FPR and on the TPR axis."""
        return self.weights, self.weights

    def _cases_behind(self, rate: str) -> tuple[Floats, NDArray[Any]]:
        _, n_cases = super()._cases_behind(rate)
        return self._axis_weights[rate == "tpr"], n_cases

    @property
    def _given_weights(self) -> tuple[Floats, Floats]:
        """The same as they were given: shares of one are rounded."""
        return self._weights, self._weights

    @cached_property
    def _spread_weights(self) -> Floats:
        """What every group counts in the spread between groups."""
        return self.weights

    @cached_property
    def _exact(self) -> NDArray[Any] | None:
        """The thresholds as integers, where floats cannot tell these apart (see CountTable)."""
        table = self._groups.table
        if table.exact is None:
            return None
        is_score = np.ones(table.exact.size, dtype=np.bool_)
        is_score[table.offsets[:-1]] = False
        rising = np.unique(table.exact[is_score])
        return np.append(rising[:1], rising[::-1] if table.higher_is_positive else rising)

    def _group_rates(self, thresholds: ArrayLike, rule: str | None) -> Rates:
        return rates_of_groups(self._groups.table, thresholds, rule)

    def rates_at(self, threshold: ArrayLike, rule: str | None = None) -> ThresholdRates:
        """The rates of the average at a threshold, and their spread between groups.

        Parameters
        ----------
        threshold : float or array-like
            Any number, observed or not; integers are compared with integer scores as integers.
        rule : {">=", ">"}
            What calls a score positive, ``">="`` by default; where low scores are positive ``"<="``
            (default) or ``"<"``.
        """
        high, exact = self._groups.higher_is_positive, self._exact
        vertex, rule = vertex_at(self.thresholds, threshold, rule, high, exact)
        at = real_numbers("threshold", threshold) if exact is None else np.asarray(threshold, dtype=object)
        values = {"fpr": self.fpr[vertex], "tpr": self.tpr[vertex]}
        blocks = [self._spreads(block, rule) for block in in_blocks(at.ravel(), self.n_groups)]
        values |= {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
        shaped = {name: scalar_or_array(value.reshape(at.shape), threshold) for name, value in values.items()}
        return ThresholdRates(threshold=thresholds_told(threshold, exact), **shaped, rule=rule)

    def _spreads(self, thresholds: Floats, rule: str) -> dict[str, Floats]:
        """How the groups, and how the average's rates, scatter at thresholds."""
        groups, weights, (wx, wy) = (
            self._group_rates(thresholds, rule),
            self._spread_weights,
            self._axis_weights,
        )
        x, y = (rates - own @ rates for rates, own in ((groups.fpr, wx), (groups.tpr, wy)))
        around_x, around_y = (rates - weights @ rates for rates in (groups.fpr, groups.tpr))
        return {
            "fpr_sd": np.sqrt(covariance_between(around_x, around_x, weights)),
            "tpr_sd": np.sqrt(covariance_between(around_y, around_y, weights)),
            "fpr_standard_error": np.sqrt(covariance_of_means(x, x, wx, wx, self._ratio)),
            "tpr_standard_error": np.sqrt(covariance_of_means(y, y, wy, wy, self._ratio)),
            "covariance": covariance_between(around_x, around_y, weights),
        }

    def grid(self, n_points: int = 101, *, by: str = "rank") -> ThresholdGrid:
        """Some of the points, chosen evenly by rank of the distinct scores or evenly by value.

        (0, 0) is always added. Ranks do not change when all scores are rescaled; values do, and infinite
        scores have no even spacing (RS085).
        """
        one_of("by", by, ("rank", "value"))
        n_points = whole_number("n_points", n_points, least=2, example=101)
        observed = self.thresholds[1:]
        if by == "value":
            if not np.isfinite(observed[[0, -1]]).all():
                raise DataError(
                    "RS085",
                    "thresholds cannot be evenly spaced between infinite scores.",
                    f"found: scores from {observed[-1]:g} to {observed[0]:g}",
                    "grid(by='rank')",
                )
            chosen = np.linspace(observed[0], observed[-1], n_points)
            vertex, _ = vertex_at(self.thresholds, chosen, None, self._groups.higher_is_positive)
            chosen = np.append(self.thresholds[0], chosen)
            vertex = np.append(0, vertex)
        else:
            vertex = np.append(0, 1 + ranks(observed.size, n_points))
            chosen = self.thresholds[vertex]
        return ThresholdGrid(chosen, self.fpr[vertex], self.tpr[vertex])

    def _at(self, name: str, value: ArrayLike, asked: Asked) -> AveragePoint:
        if name != "threshold":
            return super()._at(name, value, asked)
        rates = self.rates_at(value)
        at = np.asarray(rates.threshold)
        groups = self._group_rates(at.ravel(), rates.rule)
        is_score = np.isfinite(np.asarray(at, dtype=np.float64))
        intervals = {}
        for own in ("fpr", "tpr"):
            weights, _ = self._cases_behind(own)
            alike = mostly_alike(getattr(groups, own)[weights > 0]).reshape(at.shape) & is_score
            warn_if_alike(self, asked, alike, at)
            middle, error = getattr(rates, own), getattr(rates, f"{own}_standard_error")
            limits = self._limits(own, middle, error, asked, alike)
            low, high = (scalar_or_array(limit, value) for limit in limits)
            intervals[own] = Interval(low, high, asked.confidence_level, asked.how)
        return AveragePoint(
            fpr=rates.fpr,
            tpr=rates.tpr,
            threshold=rates.threshold,
            fpr_interval=intervals["fpr"],
            tpr_interval=intervals["tpr"],
            confidence_level=asked.confidence_level,
            reading=self.reading if np.ndim(value) else self._describe(rates, intervals),
        )

    def _describe(self, rates: ThresholdRates, intervals: dict[str, Interval]) -> str:
        raise TypeError(f"{type(self).__name__} does not say what a threshold means")

    def _shared_threshold(self, fpr: float, tpr: float) -> float:
        """The loosest threshold whose rates are not beyond this point of the curve."""
        vertex = int(np.searchsorted(self.fpr + self.tpr, fpr + tpr, side="right")) - 1
        return float(self.thresholds[max(vertex, 0)])

    def _points(self) -> tuple[Floats, Floats, Floats, Floats]:
        most = int(np.clip(MOST_VALUES // max(len(self.members), 1), 200, _MOST_THRESHOLDS))
        vertex = np.arange(self.thresholds.size)
        if vertex.size > most:  # evenly along the curve, where it has length
            along = self.fpr + self.tpr
            vertex = np.unique(np.searchsorted(along, np.linspace(0, 2, most)).clip(0, along.size - 1))
            vertex = np.unique(np.append([0, along.size - 1], vertex))
        groups = self._group_rates(self.thresholds[vertex], None)
        fpr, tpr = groups.fpr.copy(), groups.tpr.copy()
        # The first threshold is beyond everything, also beyond a score that is itself infinite.
        fpr[:, vertex == 0] = tpr[:, vertex == 0] = 0.0
        return fpr, tpr, *self._axis_weights

    def _columns(self) -> dict[str, Any]:
        return {"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}


def ranks(n: int, n_points: int) -> NDArray[np.int64]:
    """Indices 0 to n - 1, evenly chosen: ``j (n - 1) / (n_points - 1)``, rounded half up in integers.

    >>> ranks(10, 4).tolist()
    [0, 3, 6, 9]
    """
    j = np.arange(n_points, dtype=np.int64)
    return np.unique((2 * j * (n - 1) + (n_points - 1)) // (2 * (n_points - 1)))
