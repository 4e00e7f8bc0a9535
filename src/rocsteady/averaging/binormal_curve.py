"""The binormal curve of one set of scores: two parameters by maximum likelihood, and how sure they are.

``tpr = Phi(a + b * Phi^-1(fpr))``. Only the order of the scores enters
(:mod:`rocsteady.averaging.binormal_fit`). Intervals come from the expected information, on scales on which
the estimates scatter nearly normally: a, log b, and normal quantiles of the area and of the rates; with
quantiles of Student's t for the size of the rarer class, which hold .93 to .98 of 95 % intervals from 20
cases in a class upwards, if the curve is binormal.

References
----------
Dorfman & Alf (1969), Journal of Mathematical Psychology 6, 487-496. Ma & Hall (1993), Medical Decision
Making 13, 191-197 (the band). Metz, Herman & Shen (1998), Statistics in Medicine 17, 1033-1053 (continuous
scores).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging.binormal import binormal_area
from rocsteady.averaging.binormal_fit import (
    CORRECTED,
    CORRECTED_EQUAL,
    EQUAL_VARIANCES,
    NO_INFORMATION,
    categories,
)
from rocsteady.averaging.binormal_fit import fit_binormal as fit_tables
from rocsteady.caller import caller_level
from rocsteady.counting.arguments import one_of, open_share, rates
from rocsteady.counting.results import Result
from rocsteady.curves.bands import Band, BandEdge
from rocsteady.curves.cases import require_no_hull
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.reading import scalar_or_array
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import UsageError, warn
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.spread import two_sided_quantile
from rocsteady.words import counted, percent

Floats = NDArray[np.float64]

_HOOK = 0.01  # the range of FPR below chance that is worth a warning
_GRID = 200
_METHOD = "binormal"


@dataclass(frozen=True, eq=False, repr=False)
class BinormalFit(Result):
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

    def tpr_at(self, fpr: ArrayLike) -> Any:
        """The true positive rate of the fitted curve at false positive rates."""
        from scipy.special import ndtr

        return scalar_or_array(ndtr(self._at_fpr(rates("fpr", fpr))[0]), fpr)

    def fpr_at(self, tpr: ArrayLike) -> Any:
        """The false positive rate of the fitted curve at true positive rates."""
        from scipy.special import ndtr

        return scalar_or_array(ndtr(self._at_tpr(rates("tpr", tpr))[0]), tpr)

    def tpr_interval(self, fpr: ArrayLike, confidence_level: float | None = None) -> Interval:
        """Interval of the true positive rate at false positive rates."""
        return self._interval(self._at_fpr(rates("fpr", fpr)), fpr, confidence_level)

    def fpr_interval(self, tpr: ArrayLike, confidence_level: float | None = None) -> Interval:
        """Interval of the false positive rate at true positive rates."""
        return self._interval(self._at_tpr(rates("tpr", tpr)), tpr, confidence_level)

    def band(self, confidence_level: float | None = None, kind: str = "pointwise") -> Band:
        """Limits of the true positive rate at every false positive rate.

        Parameters
        ----------
        confidence_level : float, optional
            That of the fit by default.
        kind : {"pointwise", "simultaneous"}
            Each point by itself, or the whole curve at once (Ma & Hall 1993).
        """
        from scipy.special import ndtr

        one_of("kind", kind, ("pointwise", "simultaneous"))
        level = self._level(confidence_level)
        at = np.linspace(0, 1, _GRID + 2)[1:-1]
        value, error = self._at_fpr(at)
        factor = self._factor(level) if kind == "pointwise" else _joint_factor(level, self.degrees_of_freedom)
        sides = [BandEdge(at, np.asarray(ndtr(value + sign * factor * error))) for sign in (-1, 1, 0)]
        what = "The whole curve" if kind == "simultaneous" else "At each FPR by itself, the TPR"
        reading = (
            f"{what} of all such cases lies in the band with {100 * level:g} % confidence, if the curve is "
            f"binormal; the cases are taken as random samples of both classes."
        )
        return Band(
            lower=sides[0],
            upper=sides[1],
            middle=sides[2],
            kind=kind,
            confidence_level=level,
            factor=factor,
            fpr=None,
            excluded=(),
            reading=reading,
        )

    @property
    def reading(self) -> str:
        """The area and its interval, and what they rest on."""
        interval = self.auc_interval
        ends = f"{interval.low:.3f} to {interval.high:.3f}"
        sure = "" if np.isnan(interval.low) else f" ({100 * self.confidence_level:g} % interval {ends})"
        hook = self._hook()
        return (
            f"A binormal curve with AUC {self.auc:.3f}{sure}; the scores' own curve has "
            f"{self.empirical_auc:.3f}. a = {self.a:.3f}, b = {self.b:.3f}, by maximum likelihood. What is "
            f"random is the cases; all of it holds only as far as some increasing transform makes both "
            f"classes normal." + ("" if hook is None else f" {hook}")
        )

    def to_dict(self) -> dict[str, Any]:
        """The fit as plain data that JSON can carry."""
        return super().to_dict() | {"reading": self.reading}

    def __repr__(self) -> str:
        cases = f"{counted(self.n_positives, 'positive')}, {counted(self.n_negatives, 'negative')}"
        return f"BinormalFit({cases}: a {self.a:.3f}, b {self.b:.3f}, AUC {self.auc:.3f})"

    def _level(self, confidence_level: float | None) -> float:
        if confidence_level is None:
            return self.confidence_level
        return open_share("confidence_level", confidence_level)

    def _factor(self, level: float) -> float:
        return two_sided_quantile("t", level, self.degrees_of_freedom)

    def _at_fpr(self, fpr: Floats) -> tuple[Floats, Floats]:
        """The normal quantile of the TPR and its standard error."""
        from scipy.special import ndtri

        z = ndtri(fpr)
        return self.a + self.b * z, self._error(np.ones_like(z), self.b * z)

    def _at_tpr(self, tpr: Floats) -> tuple[Floats, Floats]:
        """The normal quantile of the FPR and its standard error."""
        from scipy.special import ndtri

        z = (ndtri(tpr) - self.a) / self.b
        return z, self._error(np.full_like(z, -1 / self.b), -z)

    def _error(self, of_a: Floats, of_log_b: Floats) -> Floats:
        """Standard error of what moves by these amounts with a and log b (delta method)."""
        return _delta(self.covariance, of_a, of_log_b)

    def _interval(self, estimate: tuple[Floats, Floats], like: ArrayLike, level: float | None) -> Interval:
        from scipy.special import ndtr

        level = self._level(level)
        value, error = estimate
        half = self._factor(level) * np.where(np.isinf(value), 0.0, error)  # at 0 and 1 all curves meet
        low, high = (scalar_or_array(np.asarray(ndtr(value + side)), like) for side in (-half, half))
        return Interval(low, high, level, _METHOD)

    def _hook(self) -> str | None:
        from scipy.special import ndtr

        if self.b == 1:
            return None
        crossing = float(ndtr(self.a / (1 - self.b)))
        low, high = (crossing, 1.0) if self.b < 1 else (0.0, crossing)
        if high - low < _HOOK:
            return None
        return f"From an FPR of {percent(low)} to {percent(high)} it lies below the chance line."


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
        raise UsageError(
            "RS038",
            "a binormal fit counts cases and does not take weights.",
            "found: a weighted curve",
            "leave the weights out, or use  rs.average(score_set, 'binormal')  for the parameters alone",
        )
    table = categories(curve.true_positives.astype(np.float64), curve.false_positives.astype(np.float64))
    fits = fit_tables([table])
    a, b, covariance = float(fits.a[0]), float(fits.b[0]), fits.covariance[0]
    df = max(min(curve.n_positives, curve.n_negatives) - 2, 1)
    fit = BinormalFit(
        a=a,
        b=b,
        auc=float(binormal_area(np.array(a), np.array(b))),
        empirical_auc=curve.auc,
        **_intervals(a, b, covariance, level, df),
        covariance=covariance,
        n_positives=curve.n_positives,
        n_negatives=curve.n_negatives,
        n_categories=int(fits.n_categories[0]),
        confidence_level=level,
        degrees_of_freedom=df,
        status=fits.status[0],
    )
    _warn_of(fit)
    return fit


def _intervals(a: float, b: float, covariance: Floats, level: float, df: int) -> dict[str, Interval]:
    from scipy.special import ndtr

    z = two_sided_quantile("t", level, df)
    of_a, of_log_b = (float(np.sqrt(covariance[k, k])) for k in (0, 1))
    spread = np.sqrt(1 + b**2)
    quantile = a / spread
    error = float(_delta(covariance, np.array(1 / spread), np.array(-a * b**2 / spread**3)))
    with np.errstate(over="ignore"):  # a slope that hardly anything bounds
        of_b = (b * np.exp(-z * of_log_b), b * np.exp(z * of_log_b))
    limits = {
        "a": (a - z * of_a, a + z * of_a),
        "b": of_b,
        "auc": (ndtr(quantile - z * error), ndtr(quantile + z * error)),
    }
    return {
        f"{name}_interval": Interval(float(low), float(high), level, _METHOD)
        for name, (low, high) in limits.items()
    }


def _joint_factor(level: float, df: int) -> float:
    """Standard errors that hold all combinations of two parameters: the root of twice an F quantile."""
    return float(np.sqrt(df * ((1 - level) ** (-2 / df) - 1)))


def _delta(covariance: Floats, of_a: Floats, of_log_b: Floats) -> Floats:
    """Standard error of what moves by these amounts with a and log b; a slope that was set has none."""
    known = np.isnan(covariance[1, 1])
    shared, own = (0.0, 0.0) if known else (covariance[0, 1], covariance[1, 1])
    with np.errstate(invalid="ignore"):  # at the rates 0 and 1
        variance = of_a**2 * covariance[0, 0] + 2 * of_a * of_log_b * shared + of_log_b**2 * own
        return np.asarray(np.sqrt(variance))


def _warn_of(fit: BinormalFit) -> None:
    """RS231, RS232 and RS233 where they apply."""
    level = caller_level()
    empirical = "the curve without a model:  roc_curve(labels, scores).auc_interval()"
    if fit.status in (CORRECTED, CORRECTED_EQUAL):
        warn(
            "RS231",
            "the fit has no maximum of the likelihood; one case of each class was added.",
            f"found: AUC {fit.empirical_auc:.4g} from {counted(fit.n_categories, 'category')}",
            empirical,
            stacklevel=level,
        )
    if fit.status == EQUAL_VARIANCES:
        warn(
            "RS232",
            "there is one cut-off; equal variances were assumed.",
            "found: scores in two categories",
            empirical,
            stacklevel=level,
        )
    if fit.status == NO_INFORMATION:
        warn(
            "RS232",
            "all scores are the same; there is no curve to fit, and no interval.",
            "found: scores in one category",
            "pass scores that differ between cases",
            stacklevel=level,
        )
    hook = fit._hook()
    if hook is not None:
        warn(
            "RS233",
            "part of the binormal curve lies below the chance line.",
            f"a = {fit.a:.3f}, b = {fit.b:.3f}. {hook}",
            empirical,
            stacklevel=level,
        )
