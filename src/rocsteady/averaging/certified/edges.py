"""The edges of a certified average: between them lies the average of all rows.

Along a direction, a ray or a cost the edges are the averages of the groups' own lowest and highest curves:
all of these readings grow with the curve. Under one threshold for all groups they are made of all cells.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging.base import Average
from rocsteady.averaging.certified.rays import between_rays
from rocsteady.averaging.radial import RadialAverage
from rocsteady.counting.arguments import rates, real_numbers
from rocsteady.counting.cells.certainty import ROUNDING
from rocsteady.counting.cells.staircases import shared_steps
from rocsteady.counting.cells.table import CellTable
from rocsteady.counting.results import TableResult, read_only
from rocsteady.curves.certified.curve import counts_at_thresholds
from rocsteady.curves.reading import read_path
from rocsteady.uncertainty.spread import covariance_of_means
from rocsteady.words import counted

Floats = NDArray[np.float64]
Pair = tuple[Any, Any]

_SLACK = 2.0**-46
"""What the sums and products of an average of many curves may round away, generously."""
_BESIDE = 2.0**-46
"""How far the rates of an average may be off for the same reason."""


@dataclass(frozen=True, eq=False, repr=False)
class Edge(TableResult):
    """One edge, as a polyline."""

    fpr: Floats
    tpr: Floats

    def _columns(self) -> dict[str, Any]:
        return {"fpr": self.fpr, "tpr": self.tpr}

    def __repr__(self) -> str:
        return f"Edge({counted(self.fpr.size, 'point')})"


class Edges(ABC):
    """What is certain about an average."""

    @property
    @abstractmethod
    def lower(self) -> Edge:
        """The lowest curve."""

    @property
    @abstractmethod
    def upper(self) -> Edge:
        """The highest curve."""

    @property
    @abstractmethod
    def areas(self) -> tuple[float, float]:
        """The least and the largest area."""

    @abstractmethod
    def bounds(self, name: str, value: ArrayLike) -> dict[str, Pair]:
        """The least and the largest FPR and TPR where ``name`` has a value."""

    @abstractmethod
    def errors(self, name: str, value: ArrayLike) -> dict[str, Floats] | None:
        """How far the standard errors of FPR and TPR can be off there; None if groups are not read there."""

    def across(self, name: str, value: ArrayLike, slack: float) -> dict[str, Pair]:
        """The bounds where one rate is held, read off the edges.

        The edges are read a rounding error beside: where they jump, that makes a difference.
        """
        at = real_numbers(name, value)
        below, above = np.maximum(at - _BESIDE, 0.0), np.minimum(at + _BESIDE, 1.0)
        if name == "fpr":
            low = read_path(self.lower.fpr, self.lower.tpr, below, end="last")
            high = read_path(self.upper.fpr, self.upper.tpr, above, end="last")
            return {"fpr": (at, at), "tpr": _out(low, high, slack)}
        low = read_path(self.upper.tpr, self.upper.fpr, below, end="first")
        high = read_path(self.lower.tpr, self.lower.fpr, above, end="first")
        return {"tpr": (at, at), "fpr": _out(low, high, slack)}


@dataclass(frozen=True, eq=False)
class OwnEdges(Edges):
    """Of an average in which every group has its own threshold.

    Attributes
    ----------
    make : callable
        Gives the average of the groups' lowest curves (False) or of their highest (True).
    aucs : pair of arrays
        The least and the largest AUC of every group.
    weights : array
        What every group counts.
    slack : float
        What weights of rows may have rounded away.
    """

    make: Callable[[bool], Average]
    aucs: tuple[Floats, Floats]
    weights: Floats
    slack: float
    preserves_area: bool

    @cached_property
    def _averages(self) -> tuple[Average, Average]:
        return self.make(False), self.make(True)

    @property
    def lower(self) -> Edge:
        """The lowest curve."""
        return Edge(self._averages[0].fpr, self._averages[0].tpr)

    @property
    def upper(self) -> Edge:
        """The highest curve."""
        return Edge(self._averages[1].fpr, self._averages[1].tpr)

    @property
    def areas(self) -> tuple[float, float]:
        """The least and the largest area."""
        if self.preserves_area:  # the area of such an average is the mean of the areas
            low, high = (float(self.weights @ own) for own in self.aucs)
        else:
            low, high = self._averages[0].auc, self._averages[1].auc
        return max(low - self.slack - _SLACK, 0.0), min(high + self.slack + _SLACK, 1.0)

    def bounds(self, name: str, value: ArrayLike) -> dict[str, Pair]:
        """The least and the largest FPR and TPR where ``name`` has a value."""
        slack = self.slack + _SLACK
        if self._holds(name):
            return self._where_held(name, value, slack)
        found = self.across(name, value, slack)
        if isinstance(self._averages[0], RadialAverage):
            self._widen_by_rays(found, name, value, slack)
        return found

    def _where_held(self, name: str, value: ArrayLike, slack: float) -> dict[str, Pair]:
        """Read beside the place by as much as rounding may have moved it: both rates rise along a curve."""
        moved = 2 * self.slack + (0.0 if name in ("fpr", "tpr") else _BESIDE)
        at = rates(name, value)
        places = np.maximum(at - moved, 0.0), np.minimum(at + moved, 1.0)
        points = [
            [own.at(**{name: np.ravel(place)}) for own in self._averages]  # type: ignore[arg-type]
            for place in places
        ]
        (lower_before, upper_before), (lower_after, upper_after) = points
        found = {
            "fpr": (upper_before.fpr, lower_after.fpr),
            "tpr": (lower_before.tpr, upper_after.tpr),
        }
        return {
            own: _out(low.reshape(at.shape), high.reshape(at.shape), slack)
            for own, (low, high) in found.items()
        }

    def _widen_by_rays(self, found: dict[str, Pair], name: str, value: ArrayLike, slack: float) -> None:
        """The curve of a radial average is known at some rays only; between them it is no straight line."""
        free = "tpr" if name == "fpr" else "fpr"
        at = rates(name, value)
        places = np.maximum(at - _BESIDE, 0.0), np.minimum(at + _BESIDE, 1.0)
        lower, upper = self._averages if name == "fpr" else self._averages[::-1]
        low, _ = between_rays(lower, name, places[0])
        _, high = between_rays(upper, name, places[1])
        low, high = _out(low, high, slack)
        found[free] = np.minimum(low, found[free][0]), np.maximum(high, found[free][1])

    def errors(self, name: str, value: ArrayLike) -> dict[str, Floats] | None:
        """How far the standard errors of FPR and TPR can be off there; None if groups are not read there."""
        if not self._holds(name):
            return None
        lower, upper = self._averages
        position = lower._held(name, value)  # type: ignore[attr-defined]
        low, high = (own._values(position.ravel()) for own in (lower, upper))  # type: ignore[attr-defined]
        off = _error_of_mean(high - low + self.slack, lower.weights).reshape(position.shape)
        direction = lower.direction  # type: ignore[attr-defined]
        return {"fpr": direction.sine * off, "tpr": direction.cosine * off}

    def _holds(self, name: str) -> bool:
        """Whether the average holds this itself, so that groups are read at it."""
        held = getattr(self._averages[0], "_held", None)
        return held is not None and held(name, 0.5) is not None


@dataclass(frozen=True, eq=False)
class SharedEdges(Edges):
    """Of an average under one threshold for all groups.

    Attributes
    ----------
    cells : CellTable
        Of the groups, as they were counted.
    positive_shares, negative_shares : arrays
        What one positive, and one negative, of every group counts; or integers 1 for plain pooling.
    higher_is_positive : bool
        Whether high scores speak for the positive class.
    slack : float
        What weights of rows may have rounded away.
    """

    cells: CellTable
    positive_shares: NDArray[Any]
    negative_shares: NDArray[Any]
    higher_is_positive: bool
    slack: float

    @cached_property
    def _oriented(self) -> CellTable:
        return self.cells if self.higher_is_positive else self.cells.reversed()

    @cached_property
    def _rounding(self) -> float:
        is_exact = self.positive_shares.dtype.kind != "f" and not self.cells.is_weighted
        return 0.0 if is_exact else self.slack + 4 * ROUNDING * (len(self.cells) + 4)

    def _edge(self, *, upper: bool) -> Edge:
        steps = shared_steps(self._oriented, upper=upper)
        paths = []
        for counts, shares, sign in (
            (steps.negatives, self.negative_shares, -1),
            (steps.positives, self.positive_shares, 1),
        ):
            reached = np.cumsum(counts * shares[steps.member])
            # Ties of several groups are one oblique step: only where all of them are counted is a vertex.
            rate = np.concatenate([[0.0], reached[steps.is_vertex] / reached[-1], [1.0]])
            off = self._rounding if upper else -self._rounding
            moved = np.clip(rate + sign * off, 0.0, 1.0) if off else rate
            moved[0], moved[-1] = 0.0, 1.0
            paths.append(read_only(moved))
        return Edge(*paths)

    @cached_property
    def lower(self) -> Edge:
        """The lowest curve."""
        return self._edge(upper=False)

    @cached_property
    def upper(self) -> Edge:
        """The highest curve."""
        return self._edge(upper=True)

    @cached_property
    def areas(self) -> tuple[float, float]:
        """The least and the largest area."""
        low, high = (
            float(np.sum(np.diff(edge.fpr) * (edge.tpr[1:] + edge.tpr[:-1])) / 2)
            for edge in (self.lower, self.upper)
        )
        lost = ROUNDING * self.lower.fpr.size + _SLACK
        return max(low - lost, 0.0), min(high + lost, 1.0)

    def bounds(self, name: str, value: ArrayLike) -> dict[str, Pair]:
        """The least and the largest FPR and TPR where ``name`` has a value."""
        if name != "threshold":
            return self.across(name, value, _SLACK)
        at = real_numbers("threshold", value)
        rule = ">=" if self.higher_is_positive else "<="
        found = counts_at_thresholds(self.cells, at.ravel(), rule)
        sides = (
            (self.negative_shares, self.cells.n_negatives),
            (self.positive_shares, self.cells.n_positives),
        )
        ends = []
        for i, counts in enumerate(found):
            shares, totals = sides[i // 2]
            ends.append(((shares[:, None] * counts).sum(axis=0) / (shares * totals).sum()).reshape(at.shape))
        return {
            "fpr": _out(ends[0], ends[1], self._rounding),
            "tpr": _out(ends[2], ends[3], self._rounding),
        }

    def errors(self, name: str, value: ArrayLike) -> dict[str, Floats] | None:
        """How far the standard errors of FPR and TPR can be off there; None if groups are not read there."""
        if name != "threshold":
            return None
        at = real_numbers("threshold", value)
        found = counts_at_thresholds(self.cells, at.ravel(), ">=" if self.higher_is_positive else "<=")
        gaps = {"fpr": found[1] - found[0], "tpr": found[3] - found[2]}
        sides = {
            "fpr": (self.negative_shares, self.cells.n_negatives),
            "tpr": (self.positive_shares, self.cells.n_positives),
        }
        errors = {}
        for own, (shares, totals) in sides.items():
            rates_apart = gaps[own] / np.where(totals > 0, totals, 1)[:, None] + self._rounding
            weights = shares * totals / (shares * totals).sum()
            errors[own] = _error_of_mean(rates_apart, weights).reshape(at.shape)
        return errors


def _error_of_mean(gaps: Floats, weights: Floats) -> Floats:
    """The largest standard error of a mean whose groups have values no further from 0 than these.

    Standard errors are norms of deviations: of a sum they are at most the sum of both. So this is how far one
    can be off if every group is off by as much.
    """
    away = gaps
    if (weights != weights[0]).any():  # else values are no nearer to 0 than to their mean, in sum
        away = gaps + weights @ gaps
    return np.sqrt(covariance_of_means(away, away, weights, weights))


def _out(low: Any, high: Any, slack: float) -> Pair:
    """Bounds moved outwards by what was rounded."""
    return np.maximum(np.asarray(low) - slack, 0.0), np.minimum(np.asarray(high) + slack, 1.0)
