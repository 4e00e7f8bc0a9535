"""A measure at every operating point, and how it varies from fold to fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.errors import counted
from rocsteady.operating_points.tables.comparing import point_index
from rocsteady.options import SCALES, one_of, open_share
from rocsteady.results import Result, TableResult, read_only
from rocsteady.statistics.groups import (
    ellipse_outline,
    ellipse_radius,
    limits_of_mean,
    mostly_alike,
    t_limits,
)
from rocsteady.statistics.intervals import Interval, t_quantile
from rocsteady.words import printable

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class PointMeasure(TableResult):
    """One measure at every operating point, and how it varies from fold to fold.

    Attributes
    ----------
    name : str
        Of the measure.
    mean, sd, standard_error : (n_points,) arrays
        Over the folds where the measure is defined; the sd has the divisor n - 1, and the standard error of
        the mean is sd / sqrt(n). Spreads are NaN for fewer than two folds. Measures with one value per class
        have a further axis, also below.
    per_fold : (n_folds, n_points) array
        NaN where undefined (0 / 0).
    n_defined : (n_points,) int array
        Number of folds where the measure is defined.
    stacked : (n_points,) array
        The measure of all folds that count, taken as one; the mean over folds is another number, unless all
        folds have the same class sizes.
    is_share : bool
        Whether the measure lies between 0 and 1 by its definition.
    unit : str
        The word for a fold.
    class_words : tuple of str
        What the last axis of a measure with one value per class stands for.
    n_cases : array or None
        Of a rate of one class: how many cases of it every fold has.
    repeats : int
        Of a cross-validation, in which every case is counted as often.
    """

    name: str
    mean: Floats
    sd: Floats
    standard_error: Floats
    per_fold: Floats
    n_defined: NDArray[np.int64]
    stacked: Floats
    is_share: bool = False
    unit: str = "fold"
    class_words: tuple[str, ...] = ()
    n_cases: Floats | None = None
    repeats: int = 1

    def interval(self, confidence_level: float = 0.95, *, scale: str = "logit") -> Interval:
        """Student's t interval of every mean by itself, limits as arrays; what is random is the folds.

        Of shares it is made for the logit of the mean, and stays between 0 and 1, unless ``scale`` is
        "linear". Where most folds have the same rate of a class, the cases speak, as in an average. NaN for
        fewer than two folds.
        """
        level = open_share("confidence_level", confidence_level)
        n, place = np.unique(self.n_defined, return_inverse=True)
        quantiles = np.array([t_quantile(own - 1, level) for own in n.tolist()])
        half = quantiles[place.reshape(self.n_defined.shape)] * self.standard_error
        if one_of("scale", scale, SCALES) == "logit" and not self.is_share:
            scale = "linear"
        low, high = t_limits(self.mean, half, scale)
        if scale == "logit" and self.n_cases is not None and np.count_nonzero(self.n_cases) > 1:
            has = self.n_cases > 0  # a rate of a class is defined in the folds that have it, at every point
            k, alike = int(has.sum()), mostly_alike(self.per_fold[has])
            low, high = limits_of_mean(
                self.mean, self.standard_error, alike, np.full(k, 1 / k), self.n_cases[has], level,
                df=k - 1, repeats=self.repeats,
            )  # fmt: skip
        return Interval(read_only(low), read_only(high), level, "logit t" if scale == "logit" else "t")

    def _columns(self) -> dict[str, Any]:
        names = ("mean", "sd", "standard_error", "n_defined", "stacked")
        if self.mean.ndim == 1:
            return {name: getattr(self, name) for name in names}
        words = self.class_words or tuple(map(str, range(self.mean.shape[1])))
        return {f"{name} {word}": getattr(self, name)[:, c] for c, word in enumerate(words) for name in names}

    def __repr__(self) -> str:
        per_class = f" × {counted(self.mean.shape[1], 'class')}" if self.mean.ndim > 1 else ""
        folds = counted(self.per_fold.shape[0], printable(self.unit))
        return f"PointMeasure({self.name}: {counted(self.mean.shape[0], 'point')}{per_class}, {folds})"


@dataclass(frozen=True, eq=False, repr=False)
class MeasureEllipse(Result):
    """A confidence region for the means of two measures at once (Hotelling).

    Attributes
    ----------
    center : (2,) array
        Means over the folds where both are defined.
    covariance : (2, 2) array
        Between folds; that of the means is this over the number of folds.
    x, y : arrays
        The outline, closed; a segment or a point where folds do not scatter in two dimensions; NaN for fewer
        than three.
    confidence_level : float
        Of the region.
    names : (str, str)
        The two measures.
    """

    center: Floats
    covariance: Floats
    x: Floats
    y: Floats
    confidence_level: float
    names: tuple[str, str]

    def __repr__(self) -> str:
        where = ", ".join(f"{name} {mean:.4f}" for name, mean in zip(self.names, self.center, strict=True))
        return f"MeasureEllipse(around {where}, confidence level {self.confidence_level:g})"


@dataclass(frozen=True, eq=False, repr=False)
class MeasurePair(TableResult):
    """Two measures at the same operating points: what a figure of one against the other shows.

    Attributes
    ----------
    x, y : PointMeasure
        In the order of the points.
    covariance : (n_points,) array
        Between folds (divisor n - 1), over those where both are defined; NaN for fewer than two.
    n_defined : (n_points,) int array
        Number of those folds.
    """

    x: PointMeasure
    y: PointMeasure
    covariance: Floats
    n_defined: NDArray[np.int64]

    def ellipse(self, index: int, confidence_level: float = 0.95) -> MeasureEllipse:
        """The confidence region of both means at one point; what is random is the folds.

        Folds count where both measures are defined.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> rng = np.random.default_rng(0)
        >>> labels, folds = np.tile([0, 1], 100), np.repeat(np.arange(10), 20)
        >>> scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=200) + labels, folds)
        >>> table = rs.average_operating_points(scores, thresholds=30)
        >>> table.between("fpr", "tpr").ellipse(table.nearest(tpr=0.9))
        MeasureEllipse(around fpr 0.5500, tpr 0.8800, confidence level 0.95)
        """
        level = open_share("confidence_level", confidence_level)
        place = point_index(index, self.covariance.size, "index")
        values = np.stack([self.x.per_fold[:, place], self.y.per_fold[:, place]])
        values = values[:, np.isfinite(values).all(axis=0)]
        n = values.shape[1]
        center = values.mean(axis=1) if n else np.full(2, np.nan)
        covariance = np.cov(values) if n > 1 else np.full((2, 2), np.nan)
        x, y = ellipse_outline(center, covariance, ellipse_radius(n, n, level))
        return MeasureEllipse(center, covariance, x, y, level, (self.x.name, self.y.name))

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        for side, measure in (("x", self.x), ("y", self.y)):
            columns |= {f"{side}_{name}": getattr(measure, name) for name in ("mean", "sd", "standard_error")}
        return columns | {"covariance": self.covariance, "n_defined": self.n_defined}

    def __repr__(self) -> str:
        return f"MeasurePair({self.y.name} against {self.x.name}: {counted(self.covariance.size, 'point')})"


def over_folds(per_fold: ArrayLike) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Mean, sd (divisor n - 1) and number of the values that are defined, over the first axis.

    Examples
    --------
    >>> mean, sd, n = over_folds([[0.1, 1.0, float("nan")], [0.3, float("nan"), float("nan")]])
    >>> mean.tolist(), sd.round(6).tolist(), n.tolist()
    ([0.2, 1.0, nan], [0.141421, nan, nan], [2, 1, 0])
    """
    values = np.asarray(per_fold, dtype=np.float64)
    defined = ~np.isnan(values)
    n = defined.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # Measured from a value of their own, so that values that are all alike have exactly that mean.
        first = np.take_along_axis(values, defined.argmax(axis=0)[None], axis=0)[0]
        mean = first + np.where(defined, values - first, 0.0).sum(axis=0) / n
        has_infinite = np.isinf(values).any(axis=0)
        mean = np.where(has_infinite, np.where(defined, values, 0.0).sum(axis=0) / n, mean)
        squares = np.where(defined, values - mean, 0.0) ** 2
        sd = np.where(n > 1, np.sqrt(squares.sum(axis=0) / (n - 1)), np.nan)
    return np.where(n > 0, mean, np.nan), sd, n.astype(np.int64)


def covariance_over_folds(x: Floats, y: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Covariance (divisor n - 1) of two measures over the folds where both are defined, and their number."""
    both = np.isfinite(x) & np.isfinite(y)
    n = both.sum(axis=0).astype(np.int64)
    around = [
        values - over_folds(values)[0] for values in (np.where(both, x, np.nan), np.where(both, y, np.nan))
    ]
    with np.errstate(divide="ignore", invalid="ignore"):
        covariance = np.where(n > 1, np.nansum(around[0] * around[1], axis=0) / (n - 1), np.nan)
    return covariance, n
