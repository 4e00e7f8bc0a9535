"""How values of some groups scatter around their weighted mean, and how sure that mean is.

Groups are what is random. With weights w that sum to one, S = sum(w**2), and 1 / S is the number of groups
that equal weights would need for the same standard error (Kish).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

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

    Examples
    --------
    >>> import numpy as np
    >>> found = spread(np.array([[0.7], [0.8], [0.9]]), np.full(3, 1 / 3))
    >>> found.sd.round(12).tolist(), found.standard_error.round(6).tolist()
    ([0.1], [0.057735])
    >>> spread(np.array([[0.7], [0.8], [0.9]]), np.full(3, 1 / 3), ratio=0.5).standard_error.round(6).tolist()
    [0.091287]
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
        return np.asarray((product @ (x * y)) * np.divide(overlap + ratio, expected))


def error_factor(n_groups: float, ratio: float) -> float:
    """What groups that share training cases multiply the standard error of a mean by.

    >>> round(error_factor(50, 1 / 9), 3), error_factor(50, 0)
    (2.56, 1.0)
    """
    return float(np.sqrt(1 + n_groups * ratio))


def effective_number(weights: Floats) -> float:
    """How many groups of equal weight would do: 1 / sum(w**2).

    >>> import numpy as np
    >>> effective_number(np.array([0.25, 0.25, 0.25, 0.25])), effective_number(np.array([1.0, 0.0]))
    (4.0, 1.0)
    """
    return float(1 / (weights**2).sum())


def degrees_of_freedom(weights: Floats) -> float:
    """Degrees of freedom of the standard error of a weighted mean; M - 1 at equal weights.

    Those of the chi-square distribution with the same mean and variance as the squared standard error of
    normal values (Bell & McCaffrey 2002): ``tr(A)**2 / tr(A**2)`` with ``A = H' diag(w**2) H``.

    >>> import numpy as np
    >>> round(degrees_of_freedom(np.full(10, 0.1)), 9), round(degrees_of_freedom(np.array([0.6, 0.4])), 9)
    (9.0, 1.0)
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


def two_sided_quantile(kind: str, confidence_level: float, df: float) -> float:
    """The factor of a two-sided interval: Student's t, or the normal one; NaN without degrees of freedom."""
    from scipy.special import ndtri, stdtrit

    if not df > 0:
        return float("nan")
    tail = (1 + confidence_level) / 2
    return float(ndtri(tail) if kind == "normal" else stdtrit(df, tail))


def ellipse_radius(n_groups: float, effective_groups: float, confidence_level: float) -> float:
    """Half-axes of Hotelling's region in units of the root of the covariance between groups.

    The region is ``(p - mean)' S**-1 (p - mean) <= radius**2``; NaN for fewer than three groups. ``n_groups``
    says how well the covariance is known, ``effective_groups`` how much the mean gains by them; with equal
    weights the two are the same.

    >>> round(ellipse_radius(10, 10, 0.95), 4)
    1.0016
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
