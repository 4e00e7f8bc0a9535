"""What every average has: a polyline, its area, its words, points with intervals, bands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging.given import Members
from rocsteady.averaging.methods import AtCosts, Method
from rocsteady.averaging.own_thresholds import own_thresholds
from rocsteady.calling import welcomes
from rocsteady.counting.arguments import as_rate, one_of, open_share, rates, resamples_asked, whole_number
from rocsteady.counting.results import TableResult, plain, read_only
from rocsteady.curves.reading import read_path, scalar_or_array
from rocsteady.errors import UsageError
from rocsteady.scores.design import Design
from rocsteady.scores.labels import Classes
from rocsteady.showing import Drawn
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.mean_rates import SCALES, limits_of_mean
from rocsteady.uncertainty.spread import degrees_of_freedom, effective_number
from rocsteady.words import counted, printable

if TYPE_CHECKING:
    from rocsteady.averaging.bands import Band
    from rocsteady.curves.curve_set import CurveSet

Floats = NDArray[np.float64]

QUANTILES = ("t", "normal")
FEWEST_GROUPS = 8
"""Below which resampled groups are too few and too much alike."""
MOST_VALUES = 4_000_000
"""Values of all groups that an interval looks at; more positions than that give no finer answer."""


@dataclass(frozen=True, eq=False, repr=False)
class AveragePoint(TableResult):
    """One point of an average, with its intervals and what it means.

    Attributes
    ----------
    fpr, tpr : float (or array)
        The point.
    threshold : float or None
        The shared threshold, if there is one.
    fpr_interval, tpr_interval : Interval or None
        Confidence intervals of the mean over groups; None for the coordinate that was held fixed. What is
        random is the groups.
    confidence_level : float
        Of the intervals.
    reading : str
        What the point means.
    thresholds : (float, float) or None
        Where every group has its own threshold: the smallest and the largest of them.
    kept : AveragePoint or None
        Where one threshold is shared and was set to meet a rate: the same threshold taken as a constant, with
        an interval for either rate. The intervals above count that it would be set again.
    """

    fpr: Any
    tpr: Any
    threshold: Any
    fpr_interval: Interval | None
    tpr_interval: Interval | None
    confidence_level: float
    reading: str
    thresholds: tuple[float, float] | None = None
    kept: AveragePoint | None = None
    _words: tuple[str, str] = ("fpr", "tpr")

    def _columns(self) -> dict[str, Any]:
        columns = {"fpr": self.fpr, "tpr": self.tpr, "threshold": self.threshold}
        for name, own in (("fpr", self.fpr_interval), ("tpr", self.tpr_interval)):
            if own is not None:
                columns |= {f"{name}_low": own.low, f"{name}_high": own.high}
        return {name: np.atleast_1d(value) for name, value in columns.items() if value is not None}

    def __repr__(self) -> str:
        if np.ndim(self.fpr):
            return f"AveragePoint(at {counted(np.size(self.fpr), 'position')})"
        fpr, tpr = _with_interval(self.fpr, self.fpr_interval), _with_interval(self.tpr, self.tpr_interval)
        return f"AveragePoint({self._words[0]} {fpr}, {self._words[1]} {tpr})"


def _with_interval(value: float, interval: Interval | None) -> str:
    return f"{value:.4f}" if interval is None else f"{value:.4f} ({interval.low:.4f} to {interval.high:.4f})"


@dataclass(frozen=True)
class Asked:
    """How an interval is wanted."""

    confidence_level: float = 0.95
    quantile: str = "t"
    n_resamples: int = 2000
    seed: int = 0
    scale: str = "logit"

    def __post_init__(self) -> None:
        open_share("confidence_level", self.confidence_level)
        one_of("quantile", self.quantile, QUANTILES)
        one_of("scale", self.scale, SCALES)
        resamples_asked(self.n_resamples)
        whole_number("seed", self.seed, least=0, example=0)

    @property
    def how(self) -> str:
        """The name of an interval over groups."""
        return f"logit {self.quantile}" if self.scale == "logit" else self.quantile


@dataclass(frozen=True, eq=False, repr=False)
class Average(Drawn, TableResult, figure="average"):
    """One curve from many, made by :func:`rocsteady.average`.

    Attributes
    ----------
    method : Method
        What was averaged along what; a plain method equals its name, ``average.method == "vertical"``.
    """

    method: Method
    _weights: Floats  # as they were given; shares of one would be rounded
    _groups: Members
    _axes: ClassVar[dict[str, str]] = {"fpr": "false positive rate", "tpr": "true positive rate"}
    _fpr_word: ClassVar[str] = "FPR"
    _words_of_points: ClassVar[tuple[str, str]] = ("fpr", "tpr")

    @cached_property
    def weights(self) -> Floats:
        """What every group counts; they sum to one."""
        return read_only(self._weights / self._weights.sum())

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the groups in the average; those of one class are in the pooled curve only."""
        return self._groups.names

    @property
    def undefined(self) -> tuple[str, ...]:
        """Groups without a curve and why, for example ``("host-23: no positives",)``."""
        return self._groups.undefined

    @property
    def curves(self) -> CurveSet:
        """The curves of the groups in the average, in the order of ``members``; one class makes no curve."""
        return self._groups.curves

    @property
    def unit(self) -> str:
        """The word for a group."""
        return self._groups.unit

    @property
    def classes(self) -> Classes:
        """The words for the two classes."""
        return self._groups.classes

    @property
    def n_groups(self) -> int:
        """How many groups are in the average."""
        return len(self.members)

    @property
    def design(self) -> Design:
        """How the groups came about: what is random follows from it."""
        return self._groups.design

    @property
    def _ratio(self) -> float:
        """What the design adds to ``sum(weights**2)`` in the variance of the mean."""
        return self.design.test_train_ratio

    @property
    def effective_groups(self) -> float:
        """How many groups of equal weight would be as sure: ``1 / sum(weights**2)``."""
        return effective_number(self.weights)

    @property
    def degrees_of_freedom(self) -> float:
        """Of the t intervals: one less than the groups if all weigh the same, fewer otherwise."""
        return degrees_of_freedom(self.weights)

    @property
    def fpr(self) -> Floats:
        """False positive rate at every vertex."""
        return self._polyline[0]

    @property
    def tpr(self) -> Floats:
        """True positive rate at every vertex."""
        return self._polyline[1]

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        """``fpr`` and ``tpr`` from (0, 0) to (1, 1), neither falling."""
        raise TypeError(f"{type(self).__name__} does not draw its curve")

    @property
    def auc(self) -> float:
        """Area under the average."""
        raise TypeError(f"{type(self).__name__} does not know its area")

    def auc_interval(
        self,
        confidence_level: float = 0.95,
        *,
        quantile: str = "t",
        scale: str = "logit",
    ) -> Interval:
        """Confidence interval of the area; what is random is the groups.

        Student's t for the logit of the area (``scale="linear"``: of the area itself). The area under an
        average along a direction is the mean of the groups' areas; of other averages the spread is that of
        what every group adds to the area. Of groups that agree the cases speak (Clopper & Pearson, RS210).
        """
        from rocsteady.averaging.across import area_interval

        return area_interval(self, Asked(confidence_level, quantile, scale=scale))

    @property
    def reading(self) -> str:
        """What the curve means: what is held fixed and what varies."""
        raise TypeError(f"{type(self).__name__} does not say what it means")

    @cached_property
    def equal_error_rate(self) -> float:
        """The error rate where the average has FPR = FNR.

        Only the diagonal and the radial average read the mean of the groups' own equal error rates there.
        """
        position = self.fpr + self.tpr
        return float(read_path(position, self.fpr, np.array(1.0), end="last"))

    def tpr_at(self, fpr: ArrayLike, side: str = "upper") -> Any:
        """The true positive rate of the average at a false positive rate; on a jump its top or bottom."""
        end = {"upper": "last", "lower": "first"}[one_of("side", side, ("upper", "lower"))]
        return scalar_or_array(read_path(self.fpr, self.tpr, rates("fpr", fpr), end=end), fpr)

    def fpr_at(self, tpr: ArrayLike, side: str = "lower") -> Any:
        """The false positive rate of the average at a true positive rate; on a jump its left or right end."""
        end = {"lower": "first", "upper": "last"}[one_of("side", side, ("lower", "upper"))]
        return scalar_or_array(read_path(self.tpr, self.fpr, rates("tpr", tpr), end=end), tpr)

    @welcomes("average.at(fpr=0.05)", "average.at(threshold=0.7)")
    def at(
        self,
        *,
        fpr: ArrayLike | None = None,
        tpr: ArrayLike | None = None,
        threshold: ArrayLike | None = None,
        rate: ArrayLike | None = None,
        sensitivity: ArrayLike | None = None,
        specificity: ArrayLike | None = None,
        confidence_level: float = 0.95,
        quantile: str = "t",
        scale: str = "logit",
    ) -> AveragePoint:
        """A point of the average, how sure it is and what it means.

        Parameters
        ----------
        fpr, tpr, threshold, rate, sensitivity, specificity : float or array-like
            Where; give one of them. ``rate`` is the share of cases called positive. Where a shared threshold
            would be set again to meet a rate, that is counted in the interval of the other one.
        confidence_level : float
            Between 0 and 1.
        quantile : {"t", "normal"}
            Student's t (default), or the normal quantile, which is too narrow for few groups.
        scale : {"logit", "linear"}
            Limits are made for the logit of a mean rate and stay between 0 and 1, or for the mean itself, as
            in the papers. Oblique directions are linear.

        Returns
        -------
        AveragePoint
            The coordinate held fixed has no interval. Of groups that agree the cases speak (RS210).
        """
        given = {"fpr": fpr, "tpr": tpr, "threshold": threshold, "rate": rate}
        given |= {"sensitivity": sensitivity, "specificity": specificity}
        said = {name: value for name, value in given.items() if value is not None}
        if len(said) != 1:
            raise UsageError(
                "RS002",
                "a point needs one place: fpr, tpr, threshold or rate.",
                f"found: {', '.join(said) or 'none of them'}",
                "average.at(fpr=0.05)",
            )
        asked = Asked(confidence_level, quantile, scale=scale)
        ((name, value),) = said.items()
        return self._at(*as_rate(name, value), asked)

    def _at(self, name: str, value: ArrayLike, asked: Asked) -> AveragePoint:
        """The point where ``name`` has this value."""
        if name in ("fpr", "tpr"):
            from rocsteady.averaging.across import read_across

            return read_across(self, name, value, asked)
        raise UsageError(
            "RS084",
            f"the {self.method.label} average cannot be read at a {name}.",
            self._why_not(name),
            "average.at(fpr=0.05)",
        )

    def _why_not(self, name: str) -> str:
        if name == "threshold":
            return f"every {self.unit} has its own threshold; {self._thresholds_in_use()}"
        return "the share called positive depends on the prevalence; AtAlarmRate(prevalence=...) holds it"

    def _thresholds_in_use(self) -> str:
        # In the middle of the curve, where a user would look first.
        fpr = 0.05
        low, high = own_thresholds(self._groups, fpr=fpr)
        return f"at FPR {fpr:g} they run from {low:.4g} to {high:.4g}"

    def band(
        self,
        confidence_level: float = 0.95,
        kind: str = "pointwise",
        quantile: str = "t",
        fpr: tuple[float, float] = (0.02, 0.5),
        *,
        at: ArrayLike | None = None,
        scale: str = "logit",
        n_resamples: int = 2000,
        seed: int = 0,
    ) -> Band:
        """Limits around the whole curve.

        Parameters
        ----------
        confidence_level : float
            Between 0 and 1.
        kind : {"pointwise", "simultaneous", "prediction"}
            Around the mean, each point by itself; around the mean, the whole curve over the declared range at
            once; for the curve of one more group.
        quantile : {"t", "normal"}
            Of pointwise and prediction bands.
        fpr : (float, float)
            The declared range of false positive rates: of simultaneous bands, and of averages that are read
            at false positive rates.
        at : array-like, optional
            False positive rates where limits are wanted, for example on a log scale; an even grid by default.
            Where the range is declared, only those in it.
        scale : {"logit", "linear"}
            Of a pointwise band, as in :meth:`at`.
        n_resamples, seed : int
            Of a simultaneous band.
        """
        from rocsteady.averaging.bands import KINDS, band_of

        one_of("kind", kind, KINDS)
        return band_of(self, kind, fpr, at, Asked(confidence_level, quantile, n_resamples, seed, scale))

    def _points(self) -> tuple[Floats, Floats, Floats, Floats]:
        """The points whose mean is the average, and what each group counts on either axis.

        ``fpr`` and ``tpr`` of ``(n_groups, n)``: column ``k`` is one threshold, position, ray or cost for all
        groups. Weights are ``(n_groups,)`` each; they need not sum to one.
        """
        raise TypeError(f"{type(self).__name__} is not a mean of points")

    def _shared_threshold(self, fpr: float, tpr: float) -> float | None:
        """The threshold that all groups share at a point of the average, if they share one."""
        return None

    def _resampled(self, asked: Asked) -> Iterator[tuple[Floats, Floats]]:
        """Averages of resampled groups, in blocks: ``fpr`` and ``tpr`` of ``(resamples, n)``, or NaN."""
        from rocsteady.averaging.across import resampled_curves

        return resampled_curves(self, asked)

    def _sampled(self) -> tuple[Floats, Floats]:
        """The average through the points that resampled ones go through."""
        from rocsteady.averaging.across import sampled_curve

        return sampled_curve(self)

    def _linearised(self, at: Floats, held: str = "fpr") -> Floats:
        """What every group adds to one rate of the average where the other is held, ``(n_groups, n)``."""
        from rocsteady.averaging.across import linearised

        return linearised(self, at, held)

    def _linearised_area(self) -> Floats:
        """What every group adds to the area, ``(n_groups,)``."""
        from rocsteady.averaging.across import linearised_area

        return linearised_area(self)

    def _cases_behind(self, rate: str) -> tuple[Floats, NDArray[Any]]:
        """What every group counts in a mean, and its number of cases: for areas of the rarer class."""
        groups = self._groups
        sizes = {"fpr": groups.n_negatives, "tpr": groups.n_positives}
        return self.weights, sizes[rate] if rate in sizes else np.minimum(*sizes.values())

    def _limits(
        self,
        rate: str,
        mean: Any,
        error: Any,
        asked: Asked,
        alike: NDArray[np.bool_] | bool,
        df: float | None = None,
    ) -> tuple[Floats, Floats]:
        """Limits of a mean rate or area; where groups are ``alike`` also their cases speak."""
        weights, n_cases = self._cases_behind(rate)
        return limits_of_mean(
            mean,
            error,
            alike,
            weights,
            None if self._groups.is_weighted else n_cases,
            asked.confidence_level,
            df=degrees_of_freedom(weights) if df is None else df,
            quantile=asked.quantile,
            scale=asked.scale,
            repeats=self.design.repeats,
        )

    def minimum_cost(self, *, false_positive: float, false_negative: float, prevalence: float) -> float:
        """The expected cost per case of the average's best point at these costs."""
        of_misses, of_alarms = AtCosts(false_positive, false_negative, prevalence).expected
        return float(np.min(of_misses * (1 - self.tpr) + of_alarms * self.fpr))

    def to_dict(self) -> dict[str, Any]:
        """The average as plain data that JSON can carry."""
        words = {"method": str(self.method), "unit": self.unit, "auc": self.auc, "reading": self.reading}
        groups = {"members": self.members, "weights": self.weights, "undefined": self.undefined}
        groups |= {"design": self.design.to_dict()}
        return plain_values(words | groups | dict(self._columns()))

    def _columns(self) -> dict[str, Any]:
        return {"fpr": self.fpr, "tpr": self.tpr}

    def __repr__(self) -> str:
        groups = counted(len(self.members), printable(self.unit))
        left_out = f", {len(self.undefined)} without a curve" if self.undefined else ""
        return f"{type(self).__name__}({self.method}, {groups}{left_out}, AUC {self.auc:.4f})"


def plain_values(values: dict[str, Any]) -> dict[str, Any]:
    """All values as JSON can carry them."""
    return {name: plain(value) for name, value in values.items()}


def in_blocks(values: Floats, n_groups: int) -> list[Floats]:
    """Values in pieces, of which each times the number of groups fits the memory of a small machine."""
    n_blocks = -(-values.size * n_groups // MOST_VALUES)
    return np.array_split(values, max(n_blocks, 1))


def make_monotone(fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
    """The polyline from exactly (0, 0) to exactly (1, 1), freed from falls of a rounding error."""
    return _rising(fpr), _rising(tpr)


def _rising(rate: Floats) -> Floats:
    rate = np.clip(np.maximum.accumulate(rate), 0.0, 1.0)
    rate[0], rate[-1] = 0.0, 1.0
    return read_only(rate)
