"""Random effects of estimates with known variances: the centre, the spread around it, how sure both are.

Every group has a true value of its own, normal around a centre with standard deviation tau, and an estimate
that scatters around it with a known variance. Functions of arrays; what the values are is decided elsewhere.

References
----------
DerSimonian & Laird (1986), Controlled Clinical Trials 7, 177-188 (tau by moments).
Viechtbauer (2005), Journal of Educational and Behavioral Statistics 30, 261-293 (tau by REML).
Hartung & Knapp (2001), Statistics in Medicine 20, 3875-3889; Sidik & Jonkman (2002), 21, 3153-3159 (the
standard error).
Higgins & Thompson (2002), Statistics in Medicine 21, 1539-1558 (I squared).
Higgins, Thompson & Spiegelhalter (2009), Journal of the Royal Statistical Society A 172, 137-159 (the
interval of a new group, tau being known).
Viechtbauer (2007), Statistics in Medicine 26, 37-52 (Q profiles); Nagashima, Noma & Furukawa (2019),
Statistical Methods in Medical Research 28, 1689-1702 (the interval of a new group, tau being uncertain).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.statistics.limits import t_quantile

HETEROGENEITY = ("reml", "dersimonian-laird")
INTERVALS = ("guarded", "hartung-knapp")

_N_STARTS = 64
"""Values of tau squared among which the best is looked for before it is refined."""
_NODES = 128
"""Values of tau squared that a prediction is averaged over."""
_NEGLIGIBLE = 1e-13
"""The chance of values of tau squared that are left out on either side."""


@dataclass(frozen=True, eq=False)
class RandomEffects:
    """The centre of many groups and their spread."""

    center: float
    standard_error: float  # Hartung-Knapp-Sidik-Jonkman's, with one degree of freedom less than groups
    common_error: float  # the standard error of the centre if all true values were equal
    tau: float  # standard deviation of the groups' true values
    i_squared: float  # the share of an estimate's variance that is between groups, in a typical group
    q: float  # Cochran's test of whether the groups differ at all
    pvalue: float
    weights: Floats  # what every group counts in the centre; they sum to one

    @property
    def df(self) -> int:
        """Degrees of freedom of the standard error."""
        return self.weights.size - 1

    def guarded(self) -> RandomEffects:
        """The same with a standard error that is never below the common effect's.

        Where groups happen to differ less than by chance (Q below its degrees of freedom), the
        Hartung-Knapp-Sidik-Jonkman error promises more than all cases together know.
        """
        return replace(self, standard_error=max(self.standard_error, self.common_error))

    def limits(self, confidence_level: float) -> tuple[float, float]:
        """Confidence limits of the centre, by Student's t."""
        half = t_quantile(self.df, confidence_level) * self.standard_error
        return self.center - half, self.center + half

    def prediction_limits(self, confidence_level: float) -> tuple[float, float]:
        """Limits for the true value of a new group as if tau were known; NaN for two groups."""
        spread = float(np.hypot(self.tau, self.standard_error))
        half = t_quantile(self.df - 1, confidence_level) * spread
        return self.center - half, self.center + half


def random_effects(values: Floats, variances: Floats, heterogeneity: str) -> RandomEffects:
    """Fit the model to two or more estimates with positive variances.

    ``heterogeneity`` says how tau is estimated: "reml", or "dersimonian-laird".

    >>> import numpy as np
    >>> fitted = random_effects(np.array([1.0, 1.5, 2.6]), np.array([0.1, 0.1, 0.2]), "reml")
    >>> round(fitted.center, 4), round(fitted.standard_error, 4), round(fitted.tau, 4)
    (1.6537, 0.4614, 0.6938)
    """
    from scipy.special import chdtrc

    n = values.size
    around = values - np.median(values)  # so that no digits are lost to a common offset
    fixed = 1 / variances
    q = float(_squares(around, fixed))
    estimate = {"reml": _by_reml, "dersimonian-laird": tau_squared_by_moments}[heterogeneity]
    tau_squared = estimate(around, variances)
    weights = 1 / (variances + tau_squared)
    center = float(weights @ around / weights.sum())
    error = np.sqrt(_squares(around, weights) / (n - 1) / weights.sum())
    typical = (n - 1) / _moment_scale(fixed)
    return RandomEffects(
        center=center + float(np.median(values)),
        standard_error=float(error),
        common_error=float(1 / np.sqrt(fixed.sum())),
        tau=float(np.sqrt(tau_squared)),
        i_squared=float(tau_squared / (tau_squared + typical)),
        q=q,
        pvalue=float(chdtrc(n - 1, q)),
        weights=weights / weights.sum(),
    )


def predicted_limits(values: Floats, variances: Floats, confidence_level: float) -> tuple[float, float]:
    """Limits for the true value of a new group, tau being as uncertain as it is; NaN for two groups.

    ``Q(tau**2) = sum(w (y - mean)**2)`` with ``w = 1 / (variance + tau**2)`` has a chi-square distribution
    whatever tau is, and falls as tau rises. So every quantile of that distribution is a value of tau squared
    (0 where Q never reaches it), and each has its normal prediction: the weighted mean, with the variance
    ``tau**2 + 1 / sum(w)``. The limits are quantiles of the mixture of all of these. With exact values it is
    Student's t with n - 1 degrees of freedom.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr

    if values.size < 3:
        return float("nan"), float("nan")
    offset = float(np.median(values))
    around = values - offset
    tau_squared, chances = _confidence_distribution(around, variances)
    weights = 1 / (variances + tau_squared[:, None])
    totals = weights.sum(axis=1)
    centers, errors = weights @ around / totals, np.sqrt(tau_squared + 1 / totals)

    def below(x: float) -> float:
        return float(chances @ ndtr((x - centers) / errors))

    def quantile(share: float) -> float:
        step = float(errors.min())
        while not below(-step) < share < below(step):
            step *= 2
        return float(brentq(lambda x: below(x) - share, -step, step, xtol=1e-13 * step, rtol=1e-14))

    tail = (1 - confidence_level) / 2
    return offset + quantile(tail), offset + quantile(1 - tail)


def _confidence_distribution(values: Floats, variances: Floats) -> tuple[Floats, Floats]:
    """Values of tau squared and the confidence that each has; 0 comes first."""
    from scipy.special import chdtrc, gammaln

    df = values.size - 1
    q_of_none = float(_squares(values, 1 / variances))
    none = float(chdtrc(df, q_of_none))
    low, high = (_tau_squared_of(share, values, variances) for share in (1 - _NEGLIGIBLE, _NEGLIGIBLE))
    if not high > low:
        return np.zeros(1), np.ones(1)
    # Between them, evenly in the logarithm of what tau adds to a typical variance.
    typical = 1 / float((1 / variances).mean())
    ends = np.log1p(low / typical), np.log1p(high / typical)
    places, lengths = np.polynomial.legendre.leggauss(_NODES)
    steps = ends[0] + (ends[1] - ends[0]) * (places + 1) / 2
    tau_squared = typical * np.expm1(steps)
    weights = 1 / (variances + tau_squared[:, None])
    q = _squares(values, weights)
    centers = weights @ values / weights.sum(axis=1)
    slopes = (weights**2 * (values - centers[:, None]) ** 2).sum(axis=1)  # how fast Q falls
    density = np.exp((df / 2 - 1) * np.log(q / 2) - q / 2 - gammaln(df / 2)) / 2
    chances = lengths * density * slopes * (typical + tau_squared)
    chances *= (1 - none) / chances.sum()
    return np.append(0.0, tau_squared), np.append(none, chances)


def _tau_squared_of(share: float, values: Floats, variances: Floats) -> float:
    """Tau squared at which Q is the quantile of its distribution; 0 where it is not reached."""
    from scipy.optimize import brentq
    from scipy.special import chdtri

    quantile = float(chdtri(values.size - 1, 1 - share))
    if float(_squares(values, 1 / variances)) <= quantile:
        return 0.0
    most = 2 * float(((values - values.mean()) ** 2).sum()) / quantile  # Q is at most squares over tau**2
    return float(brentq(lambda tau: float(_squares(values, 1 / (variances + tau))) - quantile, 0.0, most))


def _squares(values: Floats, weights: Floats) -> Floats:
    """Weighted squares around the weighted mean; weights may have leading axes."""
    total = weights.sum(axis=-1)
    mean = (weights * values).sum(axis=-1) / total
    return np.asarray((weights * (values - mean[..., None]) ** 2).sum(axis=-1))


def _moment_scale(fixed: Floats) -> float:
    """How fast the expectation of Cochran's Q rises with tau squared: ``sum(w) - sum(w**2) / sum(w)``."""
    # The largest weight may be all there is but for rounding; what it leaves is the sum of the others.
    top = int(np.argmax(fixed))
    others = np.delete(fixed, top)
    total = fixed.sum()
    return float(fixed[top] * (others.sum() / total) + (others * (1 - others / total)).sum())


def tau_squared_by_moments(values: Floats, variances: Floats) -> float:
    """By how much Cochran's Q exceeds chance, as tau squared (DerSimonian & Laird); at least 0."""
    fixed = 1 / variances
    excess = float(_squares(values, fixed)) - (values.size - 1)
    return max(0.0, excess / _moment_scale(fixed))


def _by_reml(values: Floats, variances: Floats) -> float:
    """Tau squared of the largest restricted likelihood.

    The likelihood may have several maxima, so it is looked at over the whole range first; the score's root
    near the best is then exact to rounding.
    """
    from scipy.optimize import brentq

    # Beyond the variance of the values the likelihood can only fall.
    top = float(values.var(ddof=1))
    if top == 0:
        return 0.0
    low = min(float(variances.min()), top) * 1e-6
    starts = np.concatenate([[0.0], np.geomspace(low, 2 * top, _N_STARTS)])
    best = int(np.argmax(_restricted_likelihood(starts, values, variances)))
    left, right = starts[max(best - 1, 0)], starts[min(best + 1, starts.size - 1)]
    if _score(left, values, variances) <= 0:  # the likelihood falls from there: at 0, as a rule
        return float(left)
    return float(brentq(_score, left, right, args=(values, variances), xtol=1e-300, rtol=1e-14))


def _restricted_likelihood(tau_squared: Floats, values: Floats, variances: Floats) -> Floats:
    """The restricted log-likelihood at each value of tau squared, but for a constant."""
    weights = 1 / (variances + tau_squared[:, None])
    return np.asarray(
        (np.log(weights).sum(axis=1) - np.log(weights.sum(axis=1)) - _squares(values, weights)) / 2
    )


def _score(tau_squared: float, values: Floats, variances: Floats) -> float:
    """Its derivative by tau squared, times two."""
    weights = 1 / (variances + tau_squared)
    total = weights.sum()
    residuals = values - weights @ values / total
    return float((weights**2 @ residuals**2) - total + (weights @ weights) / total)
