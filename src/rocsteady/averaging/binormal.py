"""The binormal average: a fitted curve for every group, and the curve with the mean of their parameters.

``tpr = Phi(a + b * Phi^-1(fpr))``. The parameters are fitted to the order of the scores alone; their mean
(Metz 1989) gives a smooth curve whose area is not the mean of the areas (Chen & Samuelson 2014), which is
warned of.

References
----------
Metz (1989), Investigative Radiology 24, 234-245.
Chen & Samuelson (2014), British Journal of Radiology 87, 20140016.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging import sentences
from rocsteady.averaging.base import Asked, Average, AveragePoint, make_monotone, plain_values
from rocsteady.averaging.binormal_fit import BinormalFits, categories, fit_binormal
from rocsteady.averaging.binormal_warnings import warn_of
from rocsteady.averaging.given import Members
from rocsteady.averaging.methods import AtCosts, Binormal
from rocsteady.counting.arguments import one_of, rates
from rocsteady.counting.results import TableResult
from rocsteady.curves.reading import scalar_or_array
from rocsteady.uncertainty.clusters import drawn_counts, drawn_means
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.spread import Spread, spread, two_sided_quantile
from rocsteady.words import counted, percent, plural

Floats = NDArray[np.float64]

_N_SAMPLES = 401  # of either rate, evenly on the scale of normal quantiles
_REACH = 6.0
_HOOK = 0.01  # the range of FPR below chance that is worth a warning


@dataclass(frozen=True, eq=False, repr=False)
class BinormalParameters(TableResult):
    """The fitted parameters of every group.

    Attributes
    ----------
    names : tuple of str
        The groups.
    a, b : float64 array
        Of ``tpr = Phi(a + b * Phi^-1(fpr))``.
    a_standard_error, b_standard_error : float64 array
        Within the group, from the expected information; for large groups. NaN for a parameter that was not
        estimated, and for weighted rows.
    auc, empirical_auc : float64 array
        Area under the fitted curve, and under the group's own.
    n_categories : int64 array
        How many categories the scores were put into.
    status : tuple of str
        "fitted", or what stood in the way.
    """

    names: tuple[str, ...]
    a: Floats
    b: Floats
    a_standard_error: Floats
    b_standard_error: Floats
    auc: Floats
    empirical_auc: Floats
    n_categories: NDArray[np.int64]
    status: tuple[str, ...]

    def _columns(self) -> dict[str, Any]:
        numbers = ("a", "b", "a_standard_error", "b_standard_error", "auc", "empirical_auc", "n_categories")
        named = {name: getattr(self, name) for name in numbers}
        return {"group": list(self.names)} | named | {"status": list(self.status)}

    def __repr__(self) -> str:
        fitted = sum(status == "fitted" for status in self.status)
        return f"BinormalParameters({counted(len(self.names), 'group')}, {fitted} fitted as they are)"


@dataclass(frozen=True, eq=False, repr=False)
class BinormalAverage(Average):
    """The binormal curve with the mean of the groups' parameters.

    ``.fpr`` and ``.tpr`` are a fine sample; ``tpr_at``, ``fpr_at``, ``auc``, ``equal_error_rate`` and
    ``minimum_cost`` are exact.

    Examples
    --------
    >>> import warnings
    >>> import rocsteady as rs
    >>> ratings = [5, 4, 4, 3, 2, 5, 3, 3, 2, 1, 1, 1]
    >>> readers = [([1] * 6 + [0] * 6, ratings), ([1] * 6 + [0] * 6, [5, 5, 2, 4, 1, 4, 3, 2, 2, 1, 1, 5])]
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # not area preserving, RS230
    ...     average = rs.average(rs.ScoreSet.from_folds(readers), "binormal")
    >>> average
    BinormalAverage(binormal, 2 folds, AUC 0.8267)
    >>> print(f"{average.a:.3f} {average.b:.3f} {average.tpr_at(0.1):.3f}")
    1.209 0.806 0.570
    """

    method: Binormal
    _fits: BinormalFits

    @cached_property
    def _spread(self) -> Spread:
        return spread(np.column_stack([self._fits.a, self._fits.b]), self.weights, self._ratio)

    @property
    def a(self) -> float:
        """Mean of the groups' ``a``: the distance of the classes, in standard deviations of the positives."""
        return float(self._spread.mean[0])

    @property
    def b(self) -> float:
        """Mean of the groups' ``b``: standard deviation of the negatives over that of the positives."""
        return float(self._spread.mean[1])

    @property
    def a_sd(self) -> float:
        """Standard deviation of ``a`` between groups; NaN for a single group."""
        return float(self._spread.sd[0])

    @property
    def b_sd(self) -> float:
        """Standard deviation of ``b`` between groups; NaN for a single group."""
        return float(self._spread.sd[1])

    @property
    def a_standard_error(self) -> float:
        """Standard error of the mean ``a``; what is random is the groups."""
        return float(self._spread.standard_error[0])

    @property
    def b_standard_error(self) -> float:
        """Standard error of the mean ``b``; what is random is the groups."""
        return float(self._spread.standard_error[1])

    @cached_property
    def parameters(self) -> BinormalParameters:
        """The fitted parameters of every group and how the fits went."""
        fits = self._fits
        return BinormalParameters(
            names=self.members,
            a=fits.a,
            b=fits.b,
            a_standard_error=fits.a_standard_error,
            b_standard_error=fits.b_standard_error,
            auc=binormal_area(fits.a, fits.b),
            empirical_auc=np.asarray(self._groups.auc),
            n_categories=fits.n_categories,
            status=fits.status,
        )

    @property
    def auc(self) -> float:
        """Area under the average, ``Phi(a / sqrt(1 + b**2))``; not the mean of the areas."""
        return float(binormal_area(np.array(self.a), np.array(self.b)))

    @property
    def equal_error_rate(self) -> float:
        """The error rate where the average has FPR = FNR: ``Phi(-a / (1 + b))``."""
        from scipy.special import ndtr

        return float(ndtr(-self.a / (1 + self.b)))

    @cached_property
    def below_chance(self) -> tuple[float, float] | None:
        """The range of FPR in which the curve lies below the chance line; None for b = 1 and a >= 0."""
        from scipy.special import ndtr

        if self.b == 1:
            return None if self.a >= 0 else (0.0, 1.0)
        crossing = float(ndtr(self.a / (1 - self.b)))
        return (crossing, 1.0) if self.b < 1 else (0.0, crossing)

    @cached_property
    def _quantiles(self) -> Floats:
        """Where the curve is sampled: normal quantiles of the FPR, evenly in those of either rate."""
        even = np.linspace(-_REACH, _REACH, _N_SAMPLES)
        return np.unique(np.concatenate([even, (even - self.a) / self.b]))

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        fpr, tpr = self._curves(np.array([self.a]), np.array([self.b]))
        return make_monotone(fpr[0], tpr[0])

    def _curves(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Samples of the curves with these parameters, ends included: ``(a.size, n)`` each."""
        from scipy.special import ndtr

        z = np.concatenate([[-np.inf], self._quantiles, [np.inf]])
        tpr = ndtr(a[:, None] + b[:, None] * z)
        return np.broadcast_to(ndtr(z), tpr.shape).copy(), tpr

    def tpr_at(self, fpr: ArrayLike, side: str = "upper") -> Any:
        """The true positive rate at a false positive rate, by the formula; the curve has no jumps."""
        from scipy.special import ndtr, ndtri

        one_of("side", side, ("upper", "lower"))
        return scalar_or_array(np.asarray(ndtr(self.a + self.b * ndtri(rates("fpr", fpr)))), fpr)

    def fpr_at(self, tpr: ArrayLike, side: str = "lower") -> Any:
        """The false positive rate at a true positive rate, by the formula; the curve has no jumps."""
        from scipy.special import ndtr, ndtri

        one_of("side", side, ("lower", "upper"))
        return scalar_or_array(np.asarray(ndtr((ndtri(rates("tpr", tpr)) - self.a) / self.b)), tpr)

    def _at(self, name: str, value: ArrayLike, asked: Asked) -> AveragePoint:
        if name not in ("fpr", "tpr"):
            return super()._at(name, value, asked)
        from scipy.special import ndtr, ndtri

        given = rates(name, value)
        fpr, tpr = (given, self.tpr_at(given)) if name == "fpr" else (self.fpr_at(given), given)
        # On the scale of normal quantiles a group is the line a + b z. At a fixed TPR the z of the mean line
        # varies with the groups' lines at it, divided by the mean slope.
        z = ndtri(np.ravel(fpr))
        with np.errstate(invalid="ignore"):  # at 0 and 1 all lines meet
            lines = self._fits.a[:, None] + self._fits.b[:, None] * z
            error = spread(lines, self.weights, self._ratio).standard_error
        half = two_sided_quantile(asked.quantile, asked.confidence_level, self.degrees_of_freedom) * error
        middle, half = (self.a + self.b * z, half) if name == "fpr" else (z, half / self.b)
        half = np.where(np.isfinite(z) | (self.n_groups < 2), half, 0.0)
        low, high = (
            scalar_or_array(np.reshape(ndtr(middle + sign * half), given.shape), value) for sign in (-1, 1)
        )
        interval = Interval(low, high, asked.confidence_level, f"normal quantiles, {asked.quantile}")
        fpr, tpr = (scalar_or_array(np.asarray(rate), value) for rate in (fpr, tpr))
        return AveragePoint(
            fpr=fpr,
            tpr=tpr,
            threshold=None,
            fpr_interval=interval if name == "tpr" else None,
            tpr_interval=interval if name == "fpr" else None,
            confidence_level=asked.confidence_level,
            reading=self.reading if given.ndim else self._describe(name, fpr, tpr, interval),
        )

    def _describe(self, name: str, fpr: float, tpr: float, interval: Interval) -> str:
        said = (
            f"At a false positive rate of {percent(fpr)} the curve with the mean parameters has a true "
            f"positive rate of {percent(tpr)}{sentences.within(interval)}."
        )
        if name == "tpr":
            said = (
                f"At a true positive rate of {percent(tpr)} the curve with the mean parameters has a false "
                f"positive rate of {percent(fpr)}{sentences.within(interval)}."
            )
        plainly = "vertical" if name == "fpr" else "horizontal"
        return sentences.joined(
            said,
            f"It is not the mean of the {plural(self.unit)}' rates: that is the {plainly} average.",
            sentences.what_is_random(self),
        )

    def minimum_cost(self, *, false_positive: float, false_negative: float, prevalence: float) -> float:
        """The expected cost per case of the average's best point at these costs."""
        from scipy.special import ndtr

        of_misses, of_alarms = AtCosts(false_positive, false_negative, prevalence).expected
        if of_misses == 0 or of_alarms == 0:
            return 0.0
        # Where the slope of the curve is that of equal costs: a quadratic in z, linear for b = 1.
        offset = np.log(of_misses * self.b / of_alarms) - self.a**2 / 2
        roots = np.roots([(1 - self.b**2) / 2, -self.a * self.b, offset])
        z = np.concatenate([[-np.inf, np.inf], roots.real, self._quantiles])
        return float(np.min(of_misses * ndtr(-self.a - self.b * z) + of_alarms * ndtr(z)))

    def _points(self) -> tuple[Floats, Floats, Floats, Floats]:
        return *self._curves(self._fits.a, self._fits.b), self.weights, self.weights

    def _sampled(self) -> tuple[Floats, Floats]:
        fpr, tpr = self._curves(np.array([self.a]), np.array([self.b]))
        return fpr[0], tpr[0]

    def _linearised(self, at: Floats, held: str = "fpr") -> Floats:
        """What a group's parameters add, by the slope of the curve in them."""
        from scipy.special import ndtri

        rate = at if held == "fpr" else np.asarray(self.fpr_at(at))
        z = ndtri(rate)
        with np.errstate(invalid="ignore", over="ignore"):
            shift = (self._fits.a[:, None] - self.a) + z * (self._fits.b[:, None] - self.b)
            density = np.exp(-((self.a + self.b * z) ** 2) / 2)
            if held == "tpr":  # along the curve, d fpr / d tpr is the ratio of the densities over b
                density = -np.exp(-(z**2) / 2) / self.b
            values = len(self.weights) * self.weights[:, None] * shift * density / np.sqrt(2 * np.pi)
        return np.where(np.isfinite(values), values, 0.0)  # at 0 and 1 all curves meet

    def _linearised_area(self) -> Floats:
        """What a group's parameters add to ``Phi(a / sqrt(1 + b**2))``."""
        length = np.sqrt(1 + self.b**2)
        density = np.exp(-((self.a / length) ** 2) / 2) / np.sqrt(2 * np.pi)
        slopes = density / length, -density * self.a * self.b / length**3
        shift = slopes[0] * (self._fits.a - self.a) + slopes[1] * (self._fits.b - self.b)
        return np.asarray(len(self.weights) * self.weights * shift)

    def _resampled(self, asked: Asked) -> Iterator[tuple[Floats, Floats]]:
        """Curves with the mean parameters of resampled groups."""
        both = np.column_stack([self._fits.a, self._fits.b])
        for counts in drawn_counts(len(self.members), asked.n_resamples, asked.seed):
            drawn = drawn_means(both, self.weights, counts)  # NaN where no group with weight was drawn
            yield self._curves(drawn[:, 0], drawn[:, 1])

    @property
    def reading(self) -> str:
        """What the curve means: what is held fixed and what varies."""
        said = (
            f"Mean over {counted(len(self.members), self.unit)}: a binormal curve is fitted to every "
            f"{self.unit} and the parameters a and b are averaged. At a fixed false positive rate the normal "
            f"quantile of the true positive rate varies between {plural(self.unit)}, and its mean is what "
            f"the curve shows. The area under this curve is not the mean of the areas, and the curve is only "
            f"as good as the model."
        )
        hook = self._hook()
        return said if hook is None else f"{said} {hook}"

    def _hook(self) -> str | None:
        if self.below_chance is None or self.below_chance[1] - self.below_chance[0] < _HOOK:
            return None
        low, high = self.below_chance
        return f"From an FPR of {percent(low)} to {percent(high)} it lies below the chance line."

    def to_dict(self) -> dict[str, Any]:
        """The average as plain data that JSON can carry."""
        own = {name: getattr(self, name) for name in ("a", "b", "a_sd", "b_sd")}
        errors = {name: getattr(self, name) for name in ("a_standard_error", "b_standard_error")}
        return super().to_dict() | plain_values(own | errors | {"parameters": self.parameters})


def binormal_area(a: Floats, b: Floats) -> Floats:
    """Area under a binormal curve.

    >>> import numpy as np
    >>> round(float(binormal_area(np.array(1.5), np.array(1.0))), 6)
    0.855578
    """
    from scipy.special import ndtr

    return np.asarray(ndtr(a / np.sqrt(1 + b**2)))


def binormal_average(method: Binormal, weights: Floats, groups: Members) -> BinormalAverage:
    """Fit every group, average the parameters, and warn of what that means."""
    table = groups.table
    tables = []
    for start, stop in zip(table.offsets[:-1], table.offsets[1:], strict=True):
        tp, fp = (counts[start:stop] for counts in (table.true_positives, table.false_positives))
        if tp.dtype.kind == "f":  # only ratios of weights matter: a group weighs what it has distinct scores
            scale = (stop - start - 1) / (tp[-1] + fp[-1])
            tp, fp = tp * scale, fp * scale
        tables.append(categories(tp.astype(np.float64), fp.astype(np.float64)))
    fits = fit_binormal(tables)
    if table.true_positives.dtype.kind == "f":
        fits.a_standard_error[:] = fits.b_standard_error[:] = np.nan
    average = BinormalAverage(method, weights, groups, fits)
    warn_of(average)
    return average
