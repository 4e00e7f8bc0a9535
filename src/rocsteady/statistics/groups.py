"""Inference over groups: weighted means, their errors, degrees of freedom and limits.

Groups that share training cases, as folds do, come with a ``ratio``, and :mod:`rocsteady.statistics.folds`
says what it does to an error. Tests that exchange groups:
:mod:`rocsteady.statistics.group_permutation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Mask
from rocsteady.statistics.folds import share_of_variance
from rocsteady.statistics.limits import Interval, clopper_pearson, logit_limits, t_quantile

_OUTLINE = 181
"""Points of an ellipse, first and last the same; the ends of its axes are among them."""


@dataclass(frozen=True, eq=False)
class Spread:
    """Mean, standard deviation between groups and standard error of the mean, one for each column."""

    mean: Floats
    sd: Floats
    standard_error: Floats


def spread(values: Floats, weights: Floats, ratio: float = 0.0) -> Spread:
    """The spread of ``(n_groups, n)`` values; NaN where fewer than two groups have weight.

    The variance between groups is ``sum(w (v - mean)**2) / (1 - S)``. The variance of the mean is
    ``sum(w**2 (v - mean)**2)``, which also holds where some groups scatter more than others, times the factor
    that makes it unbiased where they do not. Equal weights give the divisors M - 1 and M (M - 1). ``ratio``
    is what a design adds to S: test cases over training cases, where groups share training cases.

    >>> import numpy as np
    >>> found = spread(np.array([[0.7], [0.8], [0.9]]), np.full(3, 1 / 3))
    >>> found.sd.round(12).tolist(), found.standard_error.round(6).tolist()
    ([0.1], [0.057735])
    """
    mean = weighted_mean(values, weights)
    deviations = values - mean
    between = covariance_between(deviations, deviations, weights)
    of_mean = covariance_of_means(deviations, deviations, weights, weights, ratio)
    return Spread(mean, np.sqrt(between), np.sqrt(of_mean))


def weighted_mean(values: Floats, weights: Floats) -> Floats:
    """The mean of each column; exactly the value that all groups share, if they do."""
    return np.asarray(values[0] + weights @ (values - values[0]))


def covariance_between(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Covariance between groups, of deviations ``(n_groups, n)``; equal weights have the divisor M - 1."""
    if np.count_nonzero(weights) < 2:
        return np.full(x.shape[1:], np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):  # one weight may be all there is but for rounding
        return np.asarray((weights @ (x * y)) / (1 - (weights**2).sum()))


def covariance_of_means(
    x: Floats, y: Floats, x_weights: Floats, y_weights: Floats, ratio: float = 0.0
) -> Floats:
    """Covariance of two weighted means over the same groups, from deviations ``(n_groups, n)``."""
    if np.count_nonzero(x_weights) < 2 or np.count_nonzero(y_weights) < 2:
        return np.full(x.shape[1:], np.nan)
    product = x_weights * y_weights
    overlap = product.sum()
    expected = (product * (1 - x_weights - y_weights + overlap)).sum()
    with np.errstate(invalid="ignore", divide="ignore"):  # no group may have both classes, or share enough
        return np.asarray((product @ (x * y)) * np.divide(share_of_variance(overlap, ratio), expected))


def effective_number(weights: Floats) -> float:
    """How many groups of equal weight would do: 1 / sum(w**2)."""
    return float(1 / (weights**2).sum())


def degrees_of_freedom(weights: Floats) -> float:
    """Degrees of freedom of the standard error of a weighted mean; M - 1 at equal weights.

    Those of the chi-square distribution with the same mean and variance as the squared standard error of
    normal values (Bell & McCaffrey 2002): ``tr(A)**2 / tr(A**2)`` with ``A = H' diag(w**2) H``.
    """
    if np.count_nonzero(weights) < 2:
        return float("nan")
    # The traces are sums of powers of the weights. Written so that one dominant weight, whose distance from 1
    # would cancel, enters through the sum of all others.
    falling = np.sort(weights)[::-1]
    top, others = falling[0], falling[1:]
    rest, q2, q3, q4 = (float((others**k).sum()) for k in (1, 2, 3, 4))
    p2, own = top**2 + q2, rest**2 + q2
    trace = top**2 * own + (others**2 * (1 - 2 * others + p2)).sum()
    of_square = top**4 * own**2 + 2 * top**2 * (others**2 * (q2 - top * rest - others) ** 2).sum()
    of_square += p2**2 * q2**2 - 4 * p2 * q2 * q3 + 2 * q2 * q4 + 2 * q3**2
    of_square += (others**4 * (1 + 2 * (p2 - 2 * others))).sum()
    return float(trace**2 / of_square) if of_square > 0 else 1.0  # shares whose squares are too small to see


def mostly_alike(values: Floats, share: float = 0.5) -> Mask:
    """For each column of ``(n_groups, n)``, whether more than a share of two or more groups are alike."""
    n_groups = values.shape[0]
    if n_groups < 2:
        return np.zeros(values.shape[1], dtype=np.bool_)
    rising = np.sort(values, axis=0)
    # One less than the length of a run that is too long; two of three may be alike by chance.
    run = max(min(2, n_groups - 1), int(n_groups * share))
    return np.asarray((rising[: n_groups - run] == rising[run:]).any(axis=0))


def ellipse_radius(n_groups: float, effective_groups: float, confidence_level: float) -> float:
    """Half-axes of Hotelling's region in units of the root of the covariance between groups.

    The region is ``(p - mean)' S**-1 (p - mean) <= radius**2``; NaN for fewer than three groups. ``n_groups``
    says how well the covariance is known, ``effective_groups`` how much the mean gains by them; with equal
    weights the two are the same.
    """
    v = n_groups - 2
    if not v > 0:
        return float("nan")
    quantile = v / 2 * ((1 - confidence_level) ** (-2 / v) - 1)  # of the F distribution with 2 and v
    return float(np.sqrt(2 * (n_groups - 1) / (effective_groups * v) * quantile))


def ellipse_outline(center: Floats, covariance: Floats, radius: float) -> Floats:
    """Points of ``(p - center)' covariance**-1 (p - center) = radius**2``, the first one again at the end.

    Of shape (2, 181); a segment or a point where the covariance has no second dimension, NaN where something
    is not known.

    >>> outline = ellipse_outline(np.zeros(2), np.diag([4.0, 1.0]), 0.5)
    >>> outline.min(axis=1).round(2).tolist(), outline.max(axis=1).round(2).tolist()
    ([-1.0, -0.5], [1.0, 0.5])
    """
    if np.isnan(covariance).any() or np.isnan(center).any() or np.isnan(radius):
        return np.full((2, _OUTLINE), np.nan)
    values, axes = np.linalg.eigh(covariance)
    angle = np.linspace(0, 2 * np.pi, _OUTLINE)
    circle = np.array([np.cos(angle), np.sin(angle)])
    outline = center[:, None] + axes @ (radius * np.sqrt(np.maximum(values, 0))[:, None] * circle)
    outline[:, -1] = outline[:, 0]
    return np.asarray(outline)


def mean_and_error(differences: Floats, ratio: float = 0.0) -> tuple[Floats, Floats]:
    """Mean and standard error of every column; exactly 0 where all groups agree. ``ratio`` as in `spread`."""
    n_groups = differences.shape[0]
    with np.errstate(invalid="ignore"):  # infinite values have no mean here
        mean = differences[0] + (differences - differences[0]).mean(axis=0)
        if n_groups < 2:
            return mean, np.full(mean.shape, np.nan)
        squares = ((differences - mean) ** 2).sum(axis=0)
        error = np.sqrt(squares / (n_groups - 1) * share_of_variance(1 / n_groups, ratio))
        # Rates k / m leave rounding errors where all groups agree.
        error[error <= 1e-12 * np.abs(differences).max(axis=0)] = 0.0
    return mean, error


# The interval of a mean rate or a mean AUC over groups
# -----------------------------------------------------


def t_limits(mean: Any, half_width: Any, scale: str = "logit") -> tuple[Floats, Floats]:
    """``mean ± half_width`` on this scale; just the mean without a spread, and at logits of 0 and 1."""
    mean, half = np.broadcast_arrays(np.asarray(mean, np.float64), np.asarray(half_width, np.float64))
    if scale == "linear":
        return mean - half, mean + half
    outside = ~((mean > 0) & (mean < 1) & (half != 0))
    low, high = logit_limits(np.where(outside, 0.5, mean), half)
    low, high = np.where(outside, mean, low), np.where(outside, mean, high)
    return np.where(np.isnan(half), np.nan, low), np.where(np.isnan(half), np.nan, high)


def limits_of_mean(
    mean: Any,
    error: Any,
    alike: Any,
    weights: Floats,
    n_cases: Floats | None,
    confidence_level: float,
    *,
    df: float,
    quantile: str = "t",
    scale: str = "logit",
    repeats: int = 1,
) -> tuple[Floats, Floats]:
    """Limits of a mean with this standard error; on the logit scale cases speak, too, where groups are alike.

    ``n_cases`` is None where sums of weights tell no numbers of cases.
    """
    factor = t_quantile(df, confidence_level, quantile)
    low, high = t_limits(mean, factor * np.asarray(error), scale)
    if scale == "linear" or n_cases is None or not np.any(alike):
        return low, high
    least, most = case_limits(
        mean, weights, n_cases, confidence_level, df=df, quantile=quantile, repeats=repeats
    )
    return np.where(alike, np.fmin(low, least), low), np.where(alike, np.fmax(high, most), high)


_SKEWED = {"linear": 0.13, "logit": 0.4, "widened": 1.0}
"""Squared skewness per group from which Student's t was measured to be off by 0.02 (RS289); the interval of
groups that share training cases is about half as wide again."""


def is_skewed(values: Floats, *, is_widened: bool = False, scale: str = "logit") -> bool:
    """Whether AUCs near 0 or 1 differ so much that intervals from their mean and spread miss (RS289)."""
    n, mean = values.size, float(values.mean())
    if n < 3 or not 0 < mean < 1:
        return False
    sd = float(values.std(ddof=1))
    skewness = 3 * abs(2 * mean - 1) * sd / (mean * (1 - mean))  # of normal logits, nearly
    return skewness**2 > _SKEWED["widened" if is_widened else scale] * max(n, 10)


def case_limits(
    mean: Any,
    weights: Floats,
    n_cases: Floats,
    confidence_level: float,
    *,
    df: float,
    quantile: str = "t",
    repeats: int = 1,
) -> tuple[Floats, Floats]:
    """Clopper & Pearson's limits of a mean rate, from the cases of all groups.

    ``1 / sum(w**2 / n)`` cases are what the groups stand for, over the ``repeats`` of a cross-validation;
    times ``(t_cases / t_groups)**2``, because few groups may agree by chance.
    """
    mean = np.asarray(mean, dtype=np.float64)
    counts = weights > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        n = float(1 / (weights[counts] ** 2 / n_cases[counts]).sum()) / repeats
    of_groups = t_quantile(df, confidence_level, quantile)
    if not n > 0 or np.isnan(of_groups):
        return np.full(mean.shape, np.nan), np.full(mean.shape, np.nan)
    of_cases = t_quantile(n - 1, confidence_level)
    if of_cases < of_groups:
        n *= (of_cases / of_groups) ** 2
    return clopper_pearson(mean, n, 1 - confidence_level)


_DRAWS = 20_000
"""Weights of groups that are drawn for the interval of a share."""
_BEYOND = 0.5
"""How many groups are imagined at the far end of a share: more would cover more, and say less."""


def weighted_mean_interval(
    values: Floats, weights: Floats, confidence_level: float, ratio: float = 0.0, scale: str = "logit"
) -> tuple[float, Interval, float]:
    """The mean over groups, its t interval and its standard error."""
    found = spread(values[:, None], weights, ratio)
    mean, error = float(found.mean[0]), float(found.standard_error[0])
    half = t_quantile(degrees_of_freedom(weights), confidence_level) * error
    low, high = (float(limit) for limit in t_limits(mean, half, scale))
    return mean, Interval(low, high, confidence_level, "logit t" if scale == "logit" else "t"), error


def mean_share_interval(shares: Floats, confidence_level: float) -> Interval:
    """An interval for the mean over groups of what share of trials something happened in.

    Such shares are skewed, and with halves mostly one of two: a t interval is far too narrow where all groups
    happen to agree, down to no width at all. So the groups are weighed at random (the Bayesian bootstrap),
    with half a group of share 0 among them for the lower limit, and of share 1 for the upper. Of groups that
    all have 0 or 1 that lies between the intervals of Jeffreys and of Clopper and Pearson.

    Examples
    --------
    >>> import numpy as np
    >>> mean_share_interval(np.zeros(10), 0.95)
    Interval(0.0000 to 0.2269, confidence level 0.95, bayesian bootstrap)
    """
    tail = (1 - confidence_level) / 2
    method = "bayesian bootstrap"
    if shares.size < 2:
        return Interval(np.nan, np.nan, confidence_level, method)
    stream = np.random.default_rng(0)  # of its own: the limits depend on the shares only, in any order
    weight = beyond = np.zeros(_DRAWS)
    for share, n_groups in zip(*np.unique(shares, return_counts=True), strict=True):
        drawn = stream.standard_gamma(n_groups, size=_DRAWS)
        weight, beyond = weight + drawn, beyond + share * drawn
    imagined = stream.standard_gamma(_BEYOND, size=_DRAWS)
    low = np.quantile(beyond / (weight + imagined), tail)
    high = np.quantile((beyond + imagined) / (weight + imagined), 1 - tail)
    return Interval(float(low), float(high), confidence_level, method)


def spread_over_groups(of_trial: Floats, sizes: Floats | None) -> tuple[float, float, float]:
    """Standard deviation of ``(n_groups, n_trials)`` rates over groups, the part of test rows, what is left.

    Without ``sizes``, the test rows behind each rate, only the first number is known. Of very many rows all
    of the spread is real:

    >>> import numpy as np
    >>> spread_over_groups(np.array([[0.1], [0.3]]), np.array([[1e12], [1e12]]))[2].__round__(6)
    0.141421
    """
    n_groups, unknown = len(of_trial), float("nan")
    if n_groups < 2:
        return unknown, unknown, unknown
    whole = float(of_trial.var(axis=0, ddof=1).mean())
    # One test row is 0 or 1 whatever its rate, and tells nothing of its own scatter.
    is_known = np.zeros(n_groups, dtype=np.bool_) if sizes is None else ~(sizes < 2).any(axis=1)
    if sizes is None or is_known.sum() < 2:
        return float(np.sqrt(whole)), unknown, unknown
    known, n = of_trial[is_known], sizes[is_known]
    of_rows = float(np.mean(known * (1 - known) / (n - 1)))
    between = max(float(known.var(axis=0, ddof=1).mean()) - of_rows, 0.0)
    return float(np.sqrt(whole)), float(np.sqrt(of_rows)), float(np.sqrt(between))
