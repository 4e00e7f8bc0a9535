"""The radial average: every group tuned to the same ratio of its two error rates.

The points of equal ``fpr : fnr`` lie on a ray from the perfect corner (0, 1), and so does their mean. The
mean curve is not a polyline and does not preserve area: its AUC is at least the mean AUC, and equals it only
for identical curves (errata H1). At 1 : 1 it has the mean of the groups' equal error rates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging import sentences
from rocsteady.averaging.across import mostly_alike, warn_if_alike
from rocsteady.averaging.base import MOST_VALUES, Asked, Average, in_blocks, make_monotone
from rocsteady.averaging.methods import Radial
from rocsteady.averaging.rays import ErrorPaths, area_above, error_paths, mean_points, points_on_rays
from rocsteady.counting.arguments import real_numbers
from rocsteady.counting.results import TableResult
from rocsteady.curves.reading import scalar_or_array
from rocsteady.errors import UsageError
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.spread import covariance_between, spread
from rocsteady.words import counted, plural

Floats = NDArray[np.float64]

_N_ANGLES = 401  # of the grid; odd, so that 1 : 1 is one of them
_MOST_RAYS = 1000  # of a bootstrap
_FEWEST_RAYS = 101


@dataclass(frozen=True, eq=False, repr=False)
class ErrorRatioRates(TableResult):
    """The rates at a ratio of the two error rates, and how the groups scatter there.

    Attributes
    ----------
    ratio : float or array
        ``fpr : fnr`` as one number; infinite for no misses.
    fpr, tpr : float or array
        The point of the average.
    fpr_sd, tpr_sd, covariance : float or array
        Between groups (divisor M - 1 at equal weights); NaN for a single group.
    fpr_standard_error, tpr_standard_error : float or array
        Of the average's rates.
    fpr_interval, tpr_interval : Interval
        Confidence intervals of the two mean rates; what is random is the groups.
    thresholds : (float, float) or None
        For a single ratio, the smallest and the largest of the groups' own thresholds. Where a group meets
        the ratio between two of its thresholds, the stricter counts.
    reading : str
        What the point means.
    """

    ratio: Any
    fpr: Any
    tpr: Any
    fpr_sd: Any
    tpr_sd: Any
    fpr_standard_error: Any
    tpr_standard_error: Any
    covariance: Any
    fpr_interval: Interval
    tpr_interval: Interval
    thresholds: tuple[float, float] | None
    reading: str

    def _columns(self) -> dict[str, Any]:
        spreads = ("fpr_sd", "tpr_sd", "fpr_standard_error", "tpr_standard_error", "covariance")
        return {name: np.atleast_1d(getattr(self, name)) for name in ("ratio", "fpr", "tpr", *spreads)}

    def __repr__(self) -> str:
        if np.ndim(self.ratio):
            return f"ErrorRatioRates(at {counted(np.size(self.ratio), 'ratio')})"
        return f"ErrorRatioRates(fpr : fnr = {self.ratio:g}: fpr {self.fpr:.4f}, tpr {self.tpr:.4f})"


@dataclass(frozen=True, eq=False, repr=False)
class RadialAverage(Average):
    """The mean of the groups' points at every ratio of the two error rates.

    ``.fpr`` and ``.tpr`` are samples of the curve, at a grid of directions and at those of the groups'
    vertices where these are not too many; ``.auc`` is the area under the curve itself, exact to about 1e-14.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> average = rs.average(rs.ScoreSet.from_folds(folds), "radial")
    >>> average
    RadialAverage(radial, 2 folds, AUC 0.8196)
    >>> average.at_error_ratio(1, 1)
    ErrorRatioRates(fpr : fnr = 1: fpr 0.3750, tpr 0.6250)
    """

    method: Radial

    @cached_property
    def _paths(self) -> ErrorPaths:
        return error_paths(self._groups.table)

    @cached_property
    def auc(self) -> float:
        """Area under the curve itself, not under its samples; never less than the mean of the areas."""
        return float(1 - area_above(self._paths, self.weights))

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        shares = self._shares(max(MOST_VALUES // len(self.members), _N_ANGLES))
        fpr, fnr = mean_points(self._paths, self.weights, shares)
        return make_monotone(*_with_ends(fpr, 1 - fnr))

    def _shares(self, most: int) -> Floats:
        """Directions to look along, 0 and 1 among them: a grid of angles and vertices' directions."""
        angles = np.linspace(0, np.pi / 2, min(_N_ANGLES, most))
        grid = np.sin(angles) / (np.sin(angles) + np.cos(angles))
        grid[0], grid[-1] = 0.0, 1.0
        own = self._paths.directions()
        room = max(most - grid.size, 0)
        if own.size > room:
            own = own[np.linspace(0, own.size - 1, room).astype(np.intp)]
        return np.unique(np.concatenate([grid, [0.5], own]))

    @cached_property
    def equal_error_rate(self) -> float:
        """The error rate where the average has FPR = FNR: the mean of the groups' equal error rates."""
        return float(mean_points(self._paths, self.weights, np.array([0.5]))[0][0])

    def at_error_ratio(
        self,
        fpr: ArrayLike,
        fnr: ArrayLike,
        *,
        confidence_level: float = 0.95,
        quantile: str = "t",
        scale: str = "logit",
    ) -> ErrorRatioRates:
        """Where every group has ``fpr : fnr`` in this ratio, with the spread between groups.

        Parameters
        ----------
        fpr, fnr : float or array-like
            The ratio of the two error rates (not of costs): ``at_error_ratio(1, 2)`` has twice as high a
            share of misses as of false alarms. ``(0, 1)`` is the most caught without a false alarm,
            ``(1, 0)`` the fewest false alarms without a miss.
        confidence_level : float
            Of the intervals, between 0 and 1.
        quantile : {"t", "normal"}
            Student's t (default), or the normal quantile, which is too narrow for few groups.
        scale : {"logit", "linear"}
            Of the limits, as in :meth:`at`.
        """
        asked = Asked(confidence_level, quantile, scale=scale)
        shares, ratio = _shares_of(fpr, fnr)
        blocks = [self._spreads(block) for block in in_blocks(shares.ravel(), self.n_groups)]
        values = [np.concatenate(parts) for parts in zip(*blocks, strict=True)]
        shaped = [scalar_or_array(value.reshape(shares.shape), shares) for value in values[:7]]
        # Along the outer rays one of the rates is 0 for all.
        alike = [
            np.reshape(values[7], shares.shape) & (shares > 0),
            np.reshape(values[8], shares.shape) & (shares < 1),
        ]
        warn_if_alike(self, asked, np.atleast_1d(alike[0] | alike[1]))
        intervals = []
        for own, i in (("fpr", 0), ("tpr", 1)):
            limits = self._limits(own, shaped[i], shaped[4 + i], asked, alike[i])
            low, high = (scalar_or_array(limit, shares) for limit in limits)
            intervals.append(Interval(low, high, confidence_level, asked.how))
        thresholds, reading = None, self.reading
        if not shares.ndim:
            _, _, before = self._group_points(shares.ravel())
            at = self._groups.table.thresholds[self._paths.offsets[:-1] + before[:, 0]]
            thresholds = float(at.min()), float(at.max())
            reading = self._describe(fpr, fnr, shaped[0], shaped[1], intervals, thresholds)
        columns = (scalar_or_array(ratio, ratio), *shaped)
        return ErrorRatioRates(*columns, *intervals, thresholds=thresholds, reading=reading)  # type: ignore[misc]

    def _spreads(self, shares: Floats) -> tuple[NDArray[Any], ...]:
        """Means, spreads, errors and covariance of FPR and TPR on rays, and where most groups are alike."""
        x, y, _ = self._group_points(shares)
        of_fpr, of_fnr = (spread(own, self.weights, self._ratio) for own in (x, y))
        return (
            of_fpr.mean,
            1 - of_fnr.mean,
            of_fpr.sd,
            of_fnr.sd,
            of_fpr.standard_error,
            of_fnr.standard_error,
            -covariance_between(x - of_fpr.mean, y - of_fnr.mean, self.weights),
            mostly_alike(x),
            mostly_alike(y),
        )

    def _group_points(self, shares: Floats) -> tuple[Floats, Floats, NDArray[np.intp]]:
        """``fpr``, ``fnr`` and the vertex before, of every group on every ray: ``(n_groups, n)``."""
        return points_on_rays(self._paths, shares)

    def _points(self) -> tuple[Floats, Floats, Floats, Floats]:
        most = int(np.clip(MOST_VALUES // len(self.members), _FEWEST_RAYS, _MOST_RAYS))
        x, y, _ = self._group_points(self._shares(most))
        return *_with_ends(x, 1 - y), self.weights, self.weights

    @property
    def reading(self) -> str:
        """What the curve means: what is held fixed and what varies."""
        units = plural(self.unit)
        return (
            f"Mean over {counted(len(self.members), self.unit)}: every {self.unit} sets its own threshold so "
            f"that the ratio of its two error rates, FPR : FNR, is the same for all; both error rates vary "
            f"between {units}, and their means are what the curve shows. Its area is not the mean of the "
            f"areas: it is larger unless all curves are the same."
        )

    def _describe(
        self,
        fpr: Any,
        fnr: Any,
        mean_fpr: float,
        mean_tpr: float,
        intervals: list[Interval],
        thresholds: tuple[float, float],
    ) -> str:
        goal = f"its false positive and false negative rates are as {float(fpr):g} to {float(fnr):g}"
        if fpr == 0:
            goal = f"it catches what it can of its {sentences.positives(self)} without a false alarm"
        elif fnr == 0:
            goal = f"it misses none of its {sentences.positives(self)}"
        caught = sentences.catches(self, mean_tpr, intervals[1])
        alarms = sentences.false_alarms(self, mean_fpr, intervals[0])
        return sentences.joined(
            f"If every {self.unit} tunes its own threshold so that {goal}, {sentences.average_unit(self)} "
            f"{caught} and {alarms}.",
            sentences.thresholds_run(self, thresholds),
            sentences.what_is_random(self),
        )


def _with_ends(fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
    """The points of the rays, led by (0, 0) and closed by (1, 1): along the outer rays a curve may run."""
    width = [(0, 0)] * (fpr.ndim - 1) + [(1, 1)]
    ends = [(0, 0)] * (fpr.ndim - 1) + [(0.0, 1.0)]
    return np.pad(fpr, width, constant_values=ends), np.pad(tpr, width, constant_values=ends)


def _shares_of(fpr: ArrayLike, fnr: ArrayLike) -> tuple[Floats, Floats]:
    """``fpr / (fpr + fnr)`` and ``fpr / fnr`` of a ratio, else RS042."""
    a, b = real_numbers("fpr", fpr, example=1), real_numbers("fnr", fnr, example=1)
    for name, part in (("fpr", a), ("fnr", b)):
        if not ((part >= 0) & (part < np.inf)).all():
            raise UsageError(
                "RS042",
                f"{name} must be finite and not negative.",
                f"found: {part[~((part >= 0) & (part < np.inf))].flat[0]:g}",
                "at_error_ratio(1, 2)",
            )
    try:
        a, b = np.broadcast_arrays(a, b)
    except ValueError:
        raise UsageError(
            "RS042",
            "fpr and fnr must have the same shape.",
            f"found: shapes {a.shape} and {b.shape}",
            "at_error_ratio([1, 2], [1, 1])",
        ) from None
    if ((a == 0) & (b == 0)).any():
        raise UsageError(
            "RS042",
            "a ratio of error rates needs one of them above 0.",
            "found: fpr=0, fnr=0",
            "equal error rates:  at_error_ratio(1, 1)",
        )
    largest = np.maximum(a, b)  # sums of very large or very small parts would leave the range of floats
    a, b = a / largest, b / largest
    with np.errstate(divide="ignore", over="ignore"):
        return a / (a + b), a / b
