"""An average between bounds: an ordinary one in the middle, and the two edges that the counts allow."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging.base import Asked, Average, AveragePoint
from rocsteady.averaging.certified.edges import Edge, Edges
from rocsteady.averaging.methods import Method
from rocsteady.counting.results import TableResult, plain
from rocsteady.curves.certified.curve import Bounds
from rocsteady.curves.reading import scalar_or_array
from rocsteady.errors import RocsteadyWarning
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.mean_rates import t_limits
from rocsteady.uncertainty.spread import two_sided_quantile
from rocsteady.words import counted, percent, printable

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class CertifiedPoint(TableResult):
    """One point of an average that is known within bounds.

    Attributes
    ----------
    fpr, tpr, threshold : float (or array)
        The point of the middle curve.
    fpr_bounds, tpr_bounds : Bounds or None
        Between which values the point of the average of all rows certainly lies; None for the coordinate that
        was held fixed.
    fpr_interval, tpr_interval : Interval or None
        Confidence intervals of the mean over groups, widened by the bounds; what is random is the groups.
    confidence_level : float
        Of the intervals.
    reading : str
        What the point means.
    """

    fpr: Any
    tpr: Any
    threshold: Any
    fpr_bounds: Bounds | None
    tpr_bounds: Bounds | None
    fpr_interval: Interval | None
    tpr_interval: Interval | None
    confidence_level: float
    reading: str

    def _columns(self) -> dict[str, Any]:
        columns = {"fpr": self.fpr, "tpr": self.tpr, "threshold": self.threshold}
        for name in ("fpr", "tpr"):
            bounds, interval = getattr(self, f"{name}_bounds"), getattr(self, f"{name}_interval")
            if bounds is not None:
                columns |= {f"{name}_at_least": bounds.low, f"{name}_at_most": bounds.high}
            if interval is not None:
                columns |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
        return {name: np.atleast_1d(value) for name, value in columns.items() if value is not None}

    def __repr__(self) -> str:
        if np.ndim(self.fpr):
            return f"CertifiedPoint(at {counted(np.size(self.fpr), 'position')})"
        parts = []
        for name in ("fpr", "tpr"):
            bounds = getattr(self, f"{name}_bounds")
            value = f"{getattr(self, name):.4f}"
            parts.append(f"{name} {value if bounds is None else f'{bounds.low:.6f} to {bounds.high:.6f}'}")
        return f"CertifiedPoint({', '.join(parts)})"


@dataclass(frozen=True, eq=False, repr=False)
class CertifiedAverage(TableResult):
    """An average of counts that are not exact: the average of all rows certainly lies between two edges.

    Attributes
    ----------
    middle : Average
        The average of the curves in the middle of their bounds; use it where an ordinary average is wanted.
    """

    middle: Average
    _edges: Edges

    @property
    def method(self) -> Method:
        """What was averaged along what."""
        return self.middle.method

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the groups in the average."""
        return self.middle.members

    @property
    def undefined(self) -> tuple[str, ...]:
        """Groups without a curve and why."""
        return self.middle.undefined

    @property
    def unit(self) -> str:
        """The word for a group."""
        return self.middle.unit

    @property
    def fpr(self) -> Floats:
        """False positive rates of the middle curve."""
        return self.middle.fpr

    @property
    def tpr(self) -> Floats:
        """True positive rates of the middle curve."""
        return self.middle.tpr

    @property
    def auc(self) -> float:
        """Area under the middle curve."""
        return self.middle.auc

    @property
    def lower(self) -> Edge:
        """The lowest curve that the counts allow."""
        return self._edges.lower

    @property
    def upper(self) -> Edge:
        """The highest curve that the counts allow."""
        return self._edges.upper

    @cached_property
    def auc_bounds(self) -> Bounds:
        """Between which values the area lies."""
        return Bounds(*self._edges.areas)

    @property
    def reading(self) -> str:
        """What the curve means, and how certain it is."""
        half = float(self.auc_bounds.half_width)
        return f"{self.middle.reading} Rows were counted in cells; the area is certain within ± {half:.2g}."

    def at(
        self,
        *,
        fpr: ArrayLike | None = None,
        tpr: ArrayLike | None = None,
        threshold: ArrayLike | None = None,
        rate: ArrayLike | None = None,
        confidence_level: float = 0.95,
        quantile: str = "t",
        scale: str = "logit",
    ) -> CertifiedPoint:
        """A point of the average, its bounds and its intervals; arguments as those of :meth:`Average.at`."""
        place = {"fpr": fpr, "tpr": tpr, "threshold": threshold, "rate": rate}
        options = {"confidence_level": confidence_level, "quantile": quantile, "scale": scale}
        point = self.middle.at(**place, **options)  # type: ignore[arg-type]
        plain = self._quietly(place, options | {"scale": "linear"})
        ((name, value),) = ((name, value) for name, value in place.items() if value is not None)
        bounds = self.bounds_at(name, value)
        with warnings.catch_warnings():  # the middle has said what there is to say
            warnings.simplefilter("ignore", RocsteadyWarning)
            errors = self._edges.errors(name, value)
        factor = two_sided_quantile(quantile, confidence_level, self.middle.degrees_of_freedom)
        intervals = {
            own: self._widened(
                own,
                getattr(point, f"{own}_interval"),
                getattr(plain, f"{own}_interval"),
                bounds[own],
                None if errors is None else factor * errors[own],
                Asked(confidence_level, quantile, scale=scale),
            )
            for own in ("fpr", "tpr")
        }
        return CertifiedPoint(
            point.fpr, point.tpr, point.threshold, bounds["fpr"], bounds["tpr"], intervals["fpr"],
            intervals["tpr"], confidence_level, _told(point, bounds),
        )  # fmt: skip

    def _widened(
        self,
        rate: str,
        interval: Interval | None,
        plain: Interval | None,
        bounds: Bounds | None,
        more: Any,
        asked: Asked,
    ) -> Interval | None:
        """An interval that holds that of the average of all rows.

        Its middle lies within the bounds, and ``more`` is how much longer than the ``plain`` one half of it
        can be. Where groups are not read one by one that is not known; then it is taken as if all that is
        uncertain were in one group. On the logit scale, too, limits are furthest out at an end of the bounds;
        where something is uncertain, groups may agree, and their cases speak.
        """
        if interval is None or plain is None or bounds is None:
            return interval
        middle = self.middle
        factor = two_sided_quantile(asked.quantile, asked.confidence_level, middle.degrees_of_freedom)
        half = (np.asarray(plain.high) - plain.low) / 2
        half = half + (factor * bounds.half_width if more is None else more)
        scale = "logit" if interval.method.startswith("logit") else "linear"
        may_agree = np.asarray(bounds.half_width) > 0
        limits: list[Any] = []
        for end in (bounds.low, bounds.high):
            limits.append(t_limits(end, half, scale))
            if scale == "logit" and may_agree.any():
                own = middle._limits(rate, end, 0.0, asked, alike=True)
                limits.append([np.where(may_agree, new, np.asarray(end)) for new in own])
        low = np.fmin.reduce([own[0] for own in limits] + [np.asarray(interval.low)])
        high = np.fmax.reduce([own[1] for own in limits] + [np.asarray(interval.high)])
        unknown = np.isnan(half)
        ends = [scalar_or_array(np.where(unknown, np.nan, end), bounds.low) for end in (low, high)]
        return replace(interval, low=ends[0], high=ends[1])

    def _quietly(self, place: dict[str, Any], options: dict[str, Any]) -> AveragePoint:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocsteadyWarning)
            return self.middle.at(**place, **options)

    def bounds_at(self, name: str, value: Any) -> dict[str, Bounds | None]:
        """Between which values both rates lie where ``name`` (fpr, tpr, threshold or rate) has a value.

        None for the rate that is held.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocsteadyWarning)
            found = self._edges.bounds(name, value)
        return {
            own: None
            if own == name
            else Bounds(*(scalar_or_array(np.asarray(end), value) for end in found[own]))
            for own in ("fpr", "tpr")
        }

    def plot(self, **options: Any) -> Any:
        """The figure of the middle curve; see :meth:`Average.plot`."""
        return self.middle.plot(**options)

    def to_dict(self) -> dict[str, Any]:
        """The average as plain data that JSON can carry, with its bounds."""
        bounds = {"auc_bounds": [self.auc_bounds.low, self.auc_bounds.high]}
        return self.middle.to_dict() | {name: plain(value) for name, value in bounds.items()}

    def _columns(self) -> dict[str, Any]:
        return self.middle._columns()

    def __repr__(self) -> str:
        groups = counted(len(self.members), printable(self.unit))
        left_out = f", {len(self.undefined)} without a curve" if self.undefined else ""
        bounds = self.auc_bounds
        area = f"AUC {bounds.low:.6f} to {bounds.high:.6f}"
        return f"CertifiedAverage({self.method}, {groups}{left_out}, {area})"


def _told(point: AveragePoint, bounds: dict[str, Bounds | None]) -> str:
    if np.ndim(point.fpr):
        return point.reading
    sides = [
        f"{'FPR' if name == 'fpr' else 'TPR'} {percent(own.low)} to {percent(own.high)}"
        for name, own in bounds.items()
        if own is not None
    ]
    return f"{point.reading} Rows were counted in cells; certain are {', '.join(sides)}."
