"""Integrals over normal distributions that have closed forms, through Owen's T function.

T(h, a) is the chance that one standard normal exceeds h while another lies between 0 and a times it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def normal_below(x: ArrayLike) -> Any:
    """The chance that a standard normal lies below x."""
    from scipy.special import ndtr

    return ndtr(x)


def normal_quantile_at(p: ArrayLike) -> Any:
    """Where a standard normal lies below with chance p."""
    from scipy.special import ndtri

    return ndtri(p)


def both_below(h: ArrayLike, correlation: float) -> Any:
    """The chance that two standard normals with this correlation, at least 0, both lie below h.

    >>> float(both_below(0.0, 0.0).round(12)), float(both_below(0.0, 0.5).round(12))
    (0.25, 0.333333333333)
    """
    from scipy.special import ndtr, owens_t

    return ndtr(h) - 2 * owens_t(h, np.sqrt((1 - correlation) / (1 + correlation)))


def below_moved_up(level: ArrayLike, size: float) -> Any:
    """The mean of Phi(level + size * abs(z)) over standard normal z: a positive shift of random size.

    >>> float(below_moved_up(0.0, 0.0)), round(float(below_moved_up(0.0, 1.0)), 12)
    (0.5, 0.75)
    """
    from scipy.special import ndtr, owens_t

    h = np.asarray(level, dtype=np.float64) / np.hypot(1.0, size)
    return ndtr(h) + 2 * owens_t(h, size)


def standard_normal_nodes(n: int = 160, furthest: float = 9.0) -> tuple[Floats, Floats]:
    """Points and weights that integrate over a standard normal; a kink at zero does no harm.

    >>> points, weights = standard_normal_nodes()
    >>> float(weights.sum().round(12)), float((weights * points**2).sum().round(12))
    (1.0, 1.0)
    """
    nodes, weights = np.polynomial.legendre.leggauss(n)
    half = furthest * (nodes + 1) / 2
    density = np.exp(-(half**2) / 2) / np.sqrt(2 * np.pi) * weights * furthest / 2
    return np.concatenate([-half, half]), np.concatenate([density, density])
