"""Binormal curves: fits by maximum likelihood, of one set of scores and of many groups, and their average."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.averaging.base import Average, Averaged, AveragePoint, Members, Points, rising
from rocsteady.averaging.methods import AtCosts, Binormal
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.intervals import Band, BandEdge
from rocsteady.curves.readings import scalar_or_array
from rocsteady.curves.roc import RocCurve, require_no_hull
from rocsteady.errors import fail, warn
from rocsteady.options import How, one_of, open_share, rates
from rocsteady.results import Result, TableResult, plain
from rocsteady.showing import Told
from rocsteady.statistics.groups import spread
from rocsteady.statistics.limits import Interval, t_quantile
from rocsteady.statistics.resampling import drawn_counts, drawn_means
from rocsteady.words import counted

MOST_CATEGORIES = 20
"""More categories than this are merged; the fit would hardly change."""
_MOST_STEPS = 200
_MOST_HALVINGS = 30
_CLOSE = 1e-13  # gain of log-likelihood that another step promises
_MOST_SLOPE = 20.0  # a slope beyond this, or below its inverse, runs away


class Status(StrEnum):
    """How a fit came about."""

    FITTED = "fitted"
    EQUAL_VARIANCES = "one cut-off, b = 1"
    NO_INFORMATION = "one score, chance"
    CORRECTED = "degenerate, one case added"
    CORRECTED_EQUAL = "degenerate, one case added, b = 1"


@dataclass(frozen=True, eq=False)
class BinormalFits:
    """Parameters of every group, their covariance within the group, and how they came about."""

    a: Floats
    b: Floats
    covariance: Floats  # (n, 2, 2) of a and log b; NaN for what was not estimated
    n_categories: Integers
    status: tuple[Status, ...]


_Fit = tuple[Floats, Floats, Floats, Mask]  # a, b, their covariance, and whether a maximum exists


def maximum_likelihood(groups: Iterable[tuple[Floats, Floats]]) -> BinormalFits:
    """Fit every group, given as ``fpr``-side and ``tpr``-side counts per category, strictest first."""
    tables = list(groups)
    sizes = np.array([negatives.size for negatives, _ in tables], dtype=np.int64)
    a, b, covariance = np.zeros(sizes.size), np.ones(sizes.size), np.full((sizes.size, 2, 2), np.nan)
    status = np.full(sizes.size, Status.NO_INFORMATION, dtype=object)
    for size in np.unique(sizes[sizes > 1]).tolist():
        chosen = np.flatnonzero(sizes == size)
        negatives, positives = (np.array([tables[i][side] for i in chosen]) for side in (0, 1))
        a[chosen], b[chosen], covariance[chosen], exists = _fit(negatives, positives)
        is_equal = np.isnan(covariance[chosen, 1, 1])
        corrected = np.where(is_equal, Status.CORRECTED_EQUAL, Status.CORRECTED)
        status[chosen] = np.where(exists, Status.FITTED if size > 2 else Status.EQUAL_VARIANCES, corrected)
    return BinormalFits(a, b, covariance, sizes, tuple(map(Status, status)))


def categories(
    true_positives: Floats, false_positives: Floats, most: int = MOST_CATEGORIES
) -> tuple[Floats, Floats]:
    """Negatives and positives in ordered categories, strictest first, from a path of counts.

    A cut-off inside a run of one class carries no information on the curve, so runs are merged without loss;
    then, if there are still too many categories, those are kept whose cut-offs lie evenly along the curve.
    """
    x, y = np.diff(false_positives), np.diff(true_positives)
    kind = np.where(y > 0, np.where(x > 0, 3, 1), np.where(x > 0, 2, 0))
    filled = np.flatnonzero(kind)
    kind = kind[filled]
    ends_run = np.append((kind[1:] != kind[:-1]) | (kind[1:] == 3), True)
    cuts = filled[ends_run] + 1
    if cuts.size > most:
        along = true_positives[cuts] / true_positives[-1] + false_positives[cuts] / false_positives[-1]
        even = np.arange(1, most) * (2 / most)
        after = np.searchsorted(along, even).clip(1, cuts.size - 1)
        nearest = np.where(even - along[after - 1] < along[after] - even, after - 1, after)
        cuts = cuts[np.unique(np.append(nearest, cuts.size - 1))]
    cuts = np.append(0, cuts)
    return np.diff(false_positives[cuts]), np.diff(true_positives[cuts])


def _fit(negatives: Floats, positives: Floats) -> _Fit:
    """Fit; where the likelihood has no maximum, add one case of each class and fit again."""
    a, b, variance, exists = _score(negatives, positives)
    again = np.flatnonzero(~exists)
    if again.size:
        share = negatives[again] + positives[again]
        share = share / share.sum(axis=1, keepdims=True)
        added = negatives[again] + share, positives[again] + share
        new_a, new_b, new_variance, is_fitted = _score(*added)
        # Where even that runs away, the slope is given up and the area under the points decides.
        shares = [counts / counts.sum(axis=1, keepdims=True) for counts in added]
        area = (shares[0] * (np.cumsum(shares[1], axis=1) - shares[1] / 2)).sum(axis=1)
        a[again] = np.where(is_fitted, new_a, np.sqrt(2) * ndtri(area))
        b[again] = np.where(is_fitted, new_b, 1.0)
        variance[again] = np.where(is_fitted[:, None, None], new_variance, np.nan)
    return a, b, variance, exists


@np.errstate(all="ignore")  # fits that run away leave the range of floats, and are noticed by where they end
def _score(negatives: Floats, positives: Floats) -> _Fit:
    """The method of scoring for ``(n, K)`` counts; with two categories the slope stays 1."""
    state = _start(negatives, positives)
    free_slope = negatives.shape[1] > 2
    value = log_likelihood(state, negatives, positives)
    active = np.isfinite(value)
    variance = np.full((len(state), 2, 2), np.nan)
    done = np.zeros(len(state), dtype=np.bool_)
    for _ in range(_MOST_STEPS):
        k = np.flatnonzero(active)
        if not k.size:
            break
        gradient, information = _derivatives(state[k], negatives[k], positives[k])
        if not free_slope:
            gradient[:, 1], information[:, 1, :], information[:, :, 1] = 0.0, 0.0, 0.0
            information[:, 1, 1] = 1.0
        scale = 1 / np.sqrt(np.diagonal(information, axis1=1, axis2=2))
        usable = np.isfinite(scale).all(axis=1)
        active[k[~usable]] = False
        k, gradient, information, scale = k[usable], gradient[usable], information[usable], scale[usable]
        scaled = information * scale[:, :, None] * scale[:, None, :]
        scaled += 1e-12 * np.eye(scaled.shape[1])  # nearly singular where a fit runs away
        inverse = np.linalg.inv(scaled)
        step = scale * (inverse @ (scale * gradient)[:, :, None])[:, :, 0]
        variance[k] = (inverse * scale[:, :, None] * scale[:, None, :])[:, :2, :2]
        gain = (gradient * step).sum(axis=1)
        step /= np.maximum(np.abs(step[:, 1:2]), 1.0)  # the slope at most by a factor of e at once
        state[k], value[k], moved = _halved(state[k], value[k], step, negatives[k], positives[k])
        settled = (gain < _CLOSE) | (~moved & (gain < 1e-8))
        done[k] |= settled
        runs_away = np.abs(state[k, 1]) > np.log(_MOST_SLOPE)
        active[k] = ~settled & moved & ~runs_away
    if not free_slope:
        variance[:, 1, :] = variance[:, :, 1] = np.nan
    inside = np.abs(state[:, 1]) <= np.log(_MOST_SLOPE)
    # None where the classes are separated, or where one of the two rates is 0 or 1 at every cut-off.
    below, above = (np.cumsum(counts, axis=1)[:, :-1] for counts in (negatives, positives))
    fpr, tpr = below / negatives.sum(axis=1, keepdims=True), above / positives.sum(axis=1, keepdims=True)
    ends = (fpr == 0, tpr == 1), (fpr == 1, tpr == 0), (fpr == 0, fpr == 1), (tpr == 0, tpr == 1)
    runs_off = np.any([(one | other).all(axis=1) for one, other in ends], axis=0)
    return state[:, 0], np.exp(state[:, 1]), variance, done & inside & ~runs_off


def _start(negatives: Floats, positives: Floats) -> Floats:
    """Cut-offs of the two classes together, and the line that fits the points best; all within reason."""
    rates = []
    for counts in (negatives, positives):
        total = counts.sum(axis=1, keepdims=True)
        share = 0.5 / negatives.shape[1]  # keeps every cut-off apart from its neighbours and from the ends
        rates.append(np.cumsum((counts + share) / (total + 0.5), axis=1)[:, :-1])
    z, u = ndtri(rates[0]), ndtri(rates[1])
    zc, uc = z - z.mean(axis=1, keepdims=True), u - u.mean(axis=1, keepdims=True)
    slope = np.ones(len(z))
    if z.shape[1] > 1:
        slope = np.clip(np.sqrt((uc**2).sum(axis=1) / (zc**2).sum(axis=1)), 0.2, 5.0)
    a = u.mean(axis=1) - slope * z.mean(axis=1)
    joint = (z + (u - a[:, None]) / slope[:, None]) / 2
    return np.column_stack([a, np.log(slope), joint])


def log_likelihood(state: Floats, negatives: Floats, positives: Floats) -> Floats:
    """Of states ``(a, log b, z_1, ...)``, one row for each group; -inf where cut-offs are out of order."""
    z = state[:, 2:]
    ordered = (np.diff(z, axis=1) > 0).all(axis=1)
    total = np.zeros(len(state))
    with np.errstate(divide="ignore", invalid="ignore"):
        for counts, edges in ((negatives, z), (positives, _of_positives(state))):
            logs = np.log(_cells(edges))
            total += np.where(counts > 0, counts * logs, 0.0).sum(axis=1)
    return np.where(ordered & np.isfinite(total), total, -np.inf)


def _of_positives(state: Floats) -> Floats:
    """Cut-offs on the scale of the positives: ``u = a + b z``."""
    return state[:, :1] + np.exp(state[:, 1:2]) * state[:, 2:]


def _cells(edges: Floats) -> Floats:
    """Normal probabilities between neighbouring edges, and beyond the outer ones, without cancellation."""
    outer = np.full((len(edges), 1), np.inf)
    low, high = np.hstack([-outer, edges]), np.hstack([edges, outer])
    above = low > 0
    return np.asarray(np.where(above, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low)))


def _derivatives(state: Floats, negatives: Floats, positives: Floats) -> tuple[Floats, Floats]:
    """Gradient and expected information of ``(a, log b, z)``."""
    b, z = np.exp(state[:, 1]), state[:, 2:]
    of_z, info_z = _of_edges(z, negatives)
    of_u, info_u = _of_edges(_of_positives(state), positives)
    n, n_edges = z.shape
    # How the cut-offs of the positives move with every parameter
    jacobian = np.zeros((n, n_edges, n_edges + 2))
    jacobian[:, :, 0] = 1.0
    jacobian[:, :, 1] = b[:, None] * z
    jacobian[:, np.arange(n_edges), np.arange(2, n_edges + 2)] = b[:, None]
    transposed = jacobian.transpose(0, 2, 1)
    gradient = (transposed @ of_u[:, :, None])[:, :, 0]
    information = transposed @ info_u @ jacobian
    gradient[:, 2:] += of_z
    information[:, 2:, 2:] += info_z
    return gradient, information


def _of_edges(edges: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Gradient and expected information of a class with respect to its own cut-offs."""
    density = np.exp(-(edges**2) / 2) / np.sqrt(2 * np.pi)
    cells = np.maximum(_cells(edges), 1e-300)
    ratio = counts / cells
    gradient = density * (ratio[:, :-1] - ratio[:, 1:])
    total = counts.sum(axis=1)[:, None]
    k = np.arange(edges.shape[1])
    information = np.zeros((*edges.shape, edges.shape[1]))
    information[:, k, k] = total * density**2 * (1 / cells[:, :-1] + 1 / cells[:, 1:])
    beside = -total * density[:, 1:] * density[:, :-1] / cells[:, 1:-1]
    information[:, k[:-1], k[1:]] = information[:, k[1:], k[:-1]] = beside
    return gradient, information


def _halved(
    state: Floats, value: Floats, step: Floats, negatives: Floats, positives: Floats
) -> tuple[Floats, Floats, Mask]:
    """Each state moved by the first of step, step / 2, ... that does not lose likelihood."""
    moved = np.zeros(len(state), dtype=np.bool_)
    state, value, factor = state.copy(), value.copy(), 1.0
    for _ in range(_MOST_HALVINGS):
        k = np.flatnonzero(~moved)
        if not k.size:
            break
        tried = state[k] + factor * step[k]
        tried_value = log_likelihood(tried, negatives[k], positives[k])
        better = tried_value >= value[k] - 1e-13 * np.abs(value[k])
        state[k[better]], value[k[better]] = tried[better], tried_value[better]
        moved[k[better]] = True
        factor /= 2
    return state, value, moved


# The binormal average: a fitted curve for every group, and the curve with the mean of their parameters
# -----------------------------------------------------------------------------------------------------

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
    n_categories: Integers
    status: tuple[str, ...]

    _in_frame = (
        "group=names, a, b, a_standard_error, b_standard_error, auc, empirical_auc, n_categories, status"
    )

    def __repr__(self) -> str:
        fitted = sum(status == Status.FITTED for status in self.status)
        return f"BinormalParameters({counted(len(self.names), 'group')}, {fitted} fitted as they are)"


class BinormalLine:
    """What is a straight line ``a + b z`` in normal quantiles: a fitted curve, and the average of several."""

    a: float
    b: float

    def tpr_at(self, fpr: ArrayLike, side: str = "upper") -> Any:
        """The true positive rate at a false positive rate, by the formula; the curve has no jumps."""
        one_of("side", side, ("upper", "lower"))
        return scalar_or_array(ndtr(self.a + self.b * ndtri(rates("fpr", fpr))), fpr)

    def fpr_at(self, tpr: ArrayLike, side: str = "lower") -> Any:
        """The false positive rate at a true positive rate, by the formula; the curve has no jumps."""
        one_of("side", side, ("lower", "upper"))
        return scalar_or_array(ndtr((ndtri(rates("tpr", tpr)) - self.a) / self.b), tpr)

    @property
    def below_chance(self) -> tuple[float, float] | None:
        """The range of FPR in which the curve lies below the chance line; None for b = 1 and a >= 0."""
        if self.b == 1:
            return None if self.a >= 0 else (0.0, 1.0)
        crossing = float(ndtr(self.a / (1 - self.b)))
        return (crossing, 1.0) if self.b < 1 else (0.0, crossing)

    @property
    def hook(self) -> tuple[float, float] | None:
        """The same where it is wide enough to be worth a word."""
        found = self.below_chance
        return None if found is None or found[1] - found[0] < _HOOK else found


@dataclass(frozen=True, eq=False, repr=False)
class BinormalAverage(BinormalLine, Average):
    """The binormal curve with the mean of the groups' parameters.

    ``.fpr`` and ``.tpr`` are a fine sample; ``tpr_at``, ``fpr_at``, ``auc``, ``equal_error_rate`` and
    ``minimum_cost`` are exact.

    Attributes
    ----------
    a, b : float
        Means of the groups' parameters: the distance of the classes in standard deviations of the positives,
        and the standard deviation of the negatives over that of the positives.
    a_sd, b_sd : float
        Standard deviations between groups; NaN for a single group.
    a_standard_error, b_standard_error : float
        Of the means; what is random is the groups.

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
    a: float
    b: float
    a_sd: float
    b_sd: float
    a_standard_error: float
    b_standard_error: float

    @cached_property
    def parameters(self) -> BinormalParameters:
        """The fitted parameters of every group and how the fits went."""
        fits, a, b = self._fits, self._fits.a, self._fits.b
        errors = np.sqrt(fits.covariance[:, 0, 0]), b * np.sqrt(fits.covariance[:, 1, 1])
        areas, status = (binormal_area(a, b), self._groups.auc), tuple(own.value for own in fits.status)
        return BinormalParameters(self.members, a, b, *errors, *areas, fits.n_categories, status)

    @property
    def auc(self) -> float:
        """Area under the average, ``Phi(a / sqrt(1 + b**2))``; not the mean of the areas."""
        return float(binormal_area(self.a, self.b))

    @property
    def equal_error_rate(self) -> float:
        """The error rate where the average has FPR = FNR: ``Phi(-a / (1 + b))``."""
        return float(ndtr(-self.a / (1 + self.b)))

    @cached_property
    def averaged(self) -> Averaged:
        """What was averaged, for sentences."""
        return replace(super().averaged, hook=self.hook)

    @cached_property
    def _quantiles(self) -> Floats:
        """Where the curve is sampled: normal quantiles of the FPR, evenly in those of either rate."""
        even = np.linspace(-_REACH, _REACH, _N_SAMPLES)
        return np.unique(np.concatenate([even, (even - self.a) / self.b]))

    @cached_property
    def _polyline(self) -> tuple[Floats, Floats]:
        fpr, tpr = self._sampled()
        return rising(fpr), rising(tpr)

    def _curves(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Samples of the curves with these parameters, ends included: ``(a.size, n)`` each."""
        z = np.concatenate([[-np.inf], self._quantiles, [np.inf]])
        tpr = ndtr(a[:, None] + b[:, None] * z)
        return np.broadcast_to(ndtr(z), tpr.shape).copy(), tpr

    def _at(self, name: str, value: ArrayLike, how: How) -> AveragePoint:
        if name not in ("fpr", "tpr"):
            return super()._at(name, value, how)
        at = rates(name, value).ravel()
        fpr, tpr = (at, self.tpr_at(at)) if name == "fpr" else (self.fpr_at(at), at)
        # On the scale of normal quantiles a group is the line a + b z. At a fixed TPR the z of the mean line
        # varies with the groups' lines at it, divided by the mean slope.
        z = ndtri(fpr)
        with np.errstate(invalid="ignore"):  # at 0 and 1 all lines meet
            lines = self._fits.a[:, None] + self._fits.b[:, None] * z
            error = spread(lines, self.weights, self.design.test_train_ratio).standard_error
        half = t_quantile(self.degrees_of_freedom, how.confidence_level, how.quantile) * error
        middle, half = (self.a + self.b * z, half) if name == "fpr" else (z, half / self.b)
        half = np.where(np.isfinite(z) | (self.n_groups < 2), half, 0.0)
        ends = [np.reshape(ndtr(middle + sign * half), np.shape(value)) for sign in (-1, 1)]
        low, high = (scalar_or_array(end, value) for end in ends)
        interval = Interval(low, high, how.confidence_level, f"normal quantiles, {how.quantile}")
        free = {"tpr_interval" if name == "fpr" else "fpr_interval": interval}
        return self._point(how, name, value, {"fpr": fpr, "tpr": tpr}, **free)  # type: ignore[arg-type]

    def minimum_cost(self, *, false_positive: float, false_negative: float, prevalence: float) -> float:
        """The expected cost per case of the average's best point at these costs."""
        of_misses, of_alarms = AtCosts(false_positive, false_negative, prevalence).expected
        if of_misses == 0 or of_alarms == 0:
            return 0.0
        # Where the slope of the curve is that of equal costs: a quadratic in z, linear for b = 1.
        offset = np.log(of_misses * self.b / of_alarms) - self.a**2 / 2
        roots = np.roots([(1 - self.b**2) / 2, -self.a * self.b, offset])
        z = np.concatenate([[-np.inf, np.inf], roots.real, self._quantiles])
        return float(np.min(of_misses * ndtr(-self.a - self.b * z) + of_alarms * ndtr(z)))

    @cached_property
    def _points(self) -> Points:
        return *self._curves(self._fits.a, self._fits.b), self.weights, self.weights

    def _sampled(self) -> tuple[Floats, Floats]:
        fpr, tpr = self._curves(np.array([self.a]), np.array([self.b]))
        return fpr[0], tpr[0]

    def _linearised(
        self, at: Floats, held: str = "fpr", *, free: str = "", prevalence: float | None = None
    ) -> Floats:
        """What a group's parameters add, by the slope of the curve in them."""
        if held == "alerts":
            raise self._refused(held)
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

    def _resampled(self, how: How) -> Iterator[tuple[Floats, Floats]]:
        """Curves with the mean parameters of resampled groups."""
        both = np.column_stack([self._fits.a, self._fits.b])
        for counts in drawn_counts(len(self.members), how.n_resamples, how.seed):
            drawn = drawn_means(both, self.weights, counts)  # NaN where no group with weight was drawn
            yield self._curves(drawn[:, 0], drawn[:, 1])

    def to_dict(self) -> dict[str, Any]:
        """The average as plain data that JSON can carry."""
        names = ("a", "b", "a_sd", "b_sd", "a_standard_error", "b_standard_error", "parameters")
        return super().to_dict() | {name: plain(getattr(self, name)) for name in names}


def binormal_area(a: Any, b: Any) -> Any:
    """Area under a binormal curve."""
    return ndtr(a / np.sqrt(1 + b**2))


def binormal_average(method: Binormal, weights: Floats, groups: Members) -> BinormalAverage:
    """Fit every group, average the parameters, and warn of what that means."""
    table = groups.table
    is_weighted = table.true_positives.dtype.kind == "f"
    tables = []
    for start, stop in itertools.pairwise(table.offsets.tolist()):
        tp, fp = (counts[start:stop] for counts in (table.true_positives, table.false_positives))
        if is_weighted:  # only ratios of weights matter: a group weighs what it has distinct scores
            scale = (stop - start - 1) / (tp[-1] + fp[-1])
            tp, fp = tp * scale, fp * scale
        tables.append(categories(tp.astype(np.float64), fp.astype(np.float64)))
    fits = maximum_likelihood(tables)
    if is_weighted:
        fits.covariance[:] = np.nan
    shares, both = weights / weights.sum(), np.column_stack([fits.a, fits.b])
    found = spread(both, shares, groups.design.test_train_ratio)
    means, sds, errors = (own.tolist() for own in (found.mean, found.sd, found.standard_error))
    average = BinormalAverage(method, weights, groups, fits, *means, *sds, *errors)
    mean_auc = float(shares @ groups.auc)
    warn("RS230", unit=groups.unit, auc=average.auc, mean_auc=mean_auc)
    how = list(zip(groups.names, fits.status, strict=True))
    degenerate = [name for name, own in how if own in (Status.CORRECTED, Status.CORRECTED_EQUAL)]
    if degenerate:
        warn("RS231.groups", unit=groups.unit, names=degenerate, total=len(groups))
    one_point = [name for name, own in how if own is Status.EQUAL_VARIANCES]
    if one_point:
        warn("RS232.groups", unit=groups.unit, names=one_point, total=len(groups))
    if average.averaged.hook is not None:
        low, high = average.averaged.hook
        warn("RS233.average", a=average.a, b=average.b, low=low, high=high)
    return average


# The binormal curve of one set of scores: two parameters by maximum likelihood, and how sure they are
# ----------------------------------------------------------------------------------------------------

_GRID = 200
_METHOD = "binormal"


@dataclass(frozen=True, eq=False, repr=False)
class BinormalFit(BinormalLine, Told, Result, sentence="averages.binormal_fit"):
    """A binormal curve and its uncertainty; what is random is the cases.

    Attributes
    ----------
    a, b : float
        Distance of the classes in standard deviations of the positives; standard deviation of the negatives
        over that of the positives.
    auc, empirical_auc : float
        Area under the fitted curve, ``Phi(a / sqrt(1 + b**2))``, and under the curve of the scores.
    a_interval, b_interval, auc_interval : Interval
        NaN for what was not estimated.
    covariance : (2, 2) float64 array
        Of a and log b.
    n_positives, n_negatives, n_categories : int
        Cases, and the categories that the scores were put into.
    confidence_level : float
        Of the intervals.
    degrees_of_freedom : int
        Of Student's t: cases of the rarer class, less the two parameters.
    status : str
        "fitted", or what stood in the way.
    """

    a: float
    b: float
    auc: float
    empirical_auc: float
    a_interval: Interval
    b_interval: Interval
    auc_interval: Interval
    covariance: Floats
    n_positives: int
    n_negatives: int
    n_categories: int
    confidence_level: float
    degrees_of_freedom: int
    status: str

    _line = "{n_positives:count positive}, {n_negatives:count negative}: a {a:.3f}, b {b:.3f}, AUC {auc:.3f}"

    def tpr_interval(self, fpr: ArrayLike, confidence_level: float | None = None) -> Interval:
        """Interval of the true positive rate at false positive rates."""
        z = ndtri(rates("fpr", fpr))
        return self._interval(self.a + self.b * z, 1.0, self.b * z, fpr, confidence_level)

    def fpr_interval(self, tpr: ArrayLike, confidence_level: float | None = None) -> Interval:
        """Interval of the false positive rate at true positive rates."""
        z = (ndtri(rates("tpr", tpr)) - self.a) / self.b
        return self._interval(z, -1 / self.b, -z, tpr, confidence_level)

    def band(self, confidence_level: float | None = None, kind: str = "pointwise") -> Band:
        """Limits of the true positive rate at every false positive rate.

        Parameters
        ----------
        confidence_level : float, optional
            That of the fit by default.
        kind : {"pointwise", "simultaneous"}
            Each point by itself, or the whole curve at once (Ma & Hall 1993).
        """
        one_of("kind", kind, ("pointwise", "simultaneous"))
        level, factor = self._factor(confidence_level)
        at = np.linspace(0, 1, _GRID + 2)[1:-1]
        z = ndtri(at)
        value, error = self.a + self.b * z, _delta(self.covariance, 1.0, self.b * z)
        if kind == "simultaneous":  # all combinations of two parameters: the root of twice an F quantile
            df = self.degrees_of_freedom
            factor = float(np.sqrt(df * ((1 - level) ** (-2 / df) - 1)))
        lower, upper, middle = (BandEdge(at, ndtr(value + sign * factor * error)) for sign in (-1, 1, 0))
        return Band(
            lower, upper, middle, kind, level, factor, fpr=None, excluded=(),
            _sentence="averages.binormal_band", _about=self,
        )  # fmt: skip

    def _factor(self, confidence_level: float | None) -> tuple[float, float]:
        """The level, that of the fit by default, and its quantile."""
        level = self.confidence_level
        if confidence_level is not None:
            level = open_share("confidence_level", confidence_level)
        return level, t_quantile(self.degrees_of_freedom, level)

    def _interval(
        self, value: Floats, of_a: float, of_log_b: Floats, like: ArrayLike, level: float | None
    ) -> Interval:
        """Of a rate with this normal quantile, which moves by so much with a and log b."""
        level, factor = self._factor(level)
        error = np.where(
            np.isinf(value), 0.0, _delta(self.covariance, of_a, of_log_b)
        )  # there all curves meet
        low, high = (scalar_or_array(ndtr(value + sign * factor * error), like) for sign in (-1, 1))
        return Interval(low, high, level, _METHOD)


def fit_binormal(
    labels: object,
    scores: object = None,
    *,
    confidence_level: float = 0.95,
    positive: object = None,
    higher_is_positive: bool = True,
) -> BinormalFit:
    """Fit a binormal curve by maximum likelihood, with intervals.

    For ratings in few categories, or where a smooth curve is wanted and the model is believed. The scores
    are put into at most 20 ordered categories (Metz, Herman & Shen 1998), so any increasing transform of
    them gives the same fit. It is another estimator than pROC's ``smooth(method="binormal")``, which draws
    a straight line through the normal quantiles of the rates.

    Parameters
    ----------
    labels, scores, positive, higher_is_positive
        As in :func:`rocsteady.roc_curve`; or a :class:`RocCurve` alone.
    confidence_level : float
        Of the intervals.

    Returns
    -------
    BinormalFit

    Warns
    -----
    RocsteadyWarning
        RS231 where the likelihood has no maximum, RS232 where one cut-off leaves b open, RS233 where the
        curve falls below chance.

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels = [1] * 10 + [0] * 10
    >>> ratings = [5, 5, 4, 4, 4, 3, 3, 2, 2, 5, 3, 3, 2, 2, 1, 1, 1, 2, 4, 1]
    >>> fit = rs.fit_binormal(labels, ratings)
    >>> fit
    BinormalFit(10 positives, 10 negatives: a 1.677, b 1.065, AUC 0.875)
    >>> fit.auc_interval
    Interval(0.6040 to 0.9789, confidence level 0.95, binormal)
    """
    level = open_share("confidence_level", confidence_level)
    if isinstance(labels, RocCurve) and scores is None:
        curve = labels
    else:
        curve = roc_curve(labels, scores, positive=positive, higher_is_positive=higher_is_positive)
    require_no_hull(curve)
    if curve.is_weighted:
        raise fail("RS038.binormal")
    table = categories(curve.true_positives.astype(np.float64), curve.false_positives.astype(np.float64))
    fits = maximum_likelihood([table])
    status, covariance = fits.status[0], fits.covariance[0]
    a, b = float(fits.a[0]), float(fits.b[0])
    df = max(min(curve.n_positives, curve.n_negatives) - 2, 1)
    z, length = t_quantile(df, level), np.sqrt(1 + b**2)
    of_a, of_log_b = (float(np.sqrt(covariance[k, k])) for k in (0, 1))
    of_area = float(_delta(covariance, 1 / length, -a * b**2 / length**3))
    with np.errstate(over="ignore"):  # a slope that hardly anything bounds
        least_b, most_b = (float(b * np.exp(sign * z * of_log_b)) for sign in (-1, 1))
    least_area, most_area = (float(ndtr(a / length + sign * z * of_area)) for sign in (-1, 1))
    fit = BinormalFit(
        a=a,
        b=b,
        auc=float(binormal_area(a, b)),
        empirical_auc=curve.auc,
        a_interval=Interval(a - z * of_a, a + z * of_a, level, _METHOD),
        b_interval=Interval(least_b, most_b, level, _METHOD),
        auc_interval=Interval(least_area, most_area, level, _METHOD),
        covariance=covariance,
        n_positives=curve.n_positives,
        n_negatives=curve.n_negatives,
        n_categories=int(fits.n_categories[0]),
        confidence_level=level,
        degrees_of_freedom=df,
        status=status.value,
    )
    if status in (Status.CORRECTED, Status.CORRECTED_EQUAL):
        warn("RS231.fit", auc=fit.empirical_auc, n=fit.n_categories)
    if status in (Status.EQUAL_VARIANCES, Status.NO_INFORMATION):
        warn("RS232.one-cut" if status is Status.EQUAL_VARIANCES else "RS232.one-score")
    if fit.hook is not None:
        warn("RS233.fit", a=a, b=b, low=fit.hook[0], high=fit.hook[1])
    return fit


def _delta(covariance: Floats, of_a: Any, of_log_b: Any) -> Floats:
    """Standard error of what moves by these amounts with a and log b; a slope that was set has none."""
    known = np.isnan(covariance[1, 1])
    shared, own = (0.0, 0.0) if known else (covariance[0, 1], covariance[1, 1])
    with np.errstate(invalid="ignore"):  # at the rates 0 and 1
        variance = of_a**2 * covariance[0, 0] + 2 * of_a * of_log_b * shared + of_log_b**2 * own
        return np.asarray(np.sqrt(variance))
