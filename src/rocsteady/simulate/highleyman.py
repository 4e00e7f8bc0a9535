"""Highleyman's two classes, and the ROC curve of a Gaussian detector on the first of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.simulate.normal_integrals import normal_below

Floats = NDArray[np.float64]

MEANS = ((1.0, 1.0), (2.0, 0.0))
STANDARD_DEVIATIONS = ((1.0, 0.5), (0.1, 2.0))
"""Of both features in both classes; the features are independent within a class."""
_NODES = 200
_FURTHEST = 10.0  # standard deviations of the narrow feature: no double sees what lies beyond


def highleyman(n_per_class: int, *, seed: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Draw Highleyman's classes: two normal classes that cross each other.

    Class 1 has mean (1, 1) and variances (1, 0.25), class 2 mean (2, 0) and variances (0.01, 4).

    Parameters
    ----------
    n_per_class : int
        Cases of each class.
    seed : int
        The same seed gives the same cases.

    Returns
    -------
    features : float array, (2 * n_per_class, 2)
        Class 1 first.
    is_first : bool array
        Which rows are of class 1.

    Examples
    --------
    >>> features, is_first = highleyman(1000, seed=0)
    >>> features.shape, int(is_first.sum())
    ((2000, 2), 1000)
    >>> features[is_first].mean(axis=0).round(1).tolist()
    [1.0, 1.0]
    """
    normals = np.random.default_rng(seed).standard_normal((2, n_per_class, 2))
    drawn = np.asarray(MEANS)[:, None] + np.asarray(STANDARD_DEVIATIONS)[:, None] * normals
    return drawn.reshape(-1, 2), np.arange(2 * n_per_class) < n_per_class


def highleyman_rates(radius: ArrayLike) -> tuple[Any, Any]:
    """FPR and TPR of the detector that accepts what lies within a Mahalanobis distance of class 1.

    It is the limit of a normal density fitted to ever more cases of class 1 and cut off at some value. Of
    class 1 a share 1 - exp(-radius**2 / 2) is accepted. Of class 2 it is an integral over the first feature,
    since at each value of it an interval of the second is accepted.

    Parameters
    ----------
    radius : array-like of float
        In standard deviations of class 1.

    Returns
    -------
    fpr, tpr : float or array

    Examples
    --------
    >>> fpr, tpr = highleyman_rates(1.5)
    >>> round(fpr, 6), round(tpr, 6)
    (0.193444, 0.675348)
    """
    r = np.asarray(radius, dtype=np.float64)[..., None]
    means, sds = np.asarray(MEANS), np.asarray(STANDARD_DEVIATIONS)
    (x1, y1), (x2, y2) = means
    (x1_sd, y1_sd), (x2_sd, y2_sd) = sds
    # x = x1 + x1_sd r sin(angle): the ends of the ellipse, where its height falls like a root, become smooth.
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = [
            np.arcsin(np.clip((x2 + sign * _FURTHEST * x2_sd - x1) / (x1_sd * r), -1.0, 1.0))
            for sign in (-1, 1)
        ]
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    half = (ends[1] - ends[0]) / 2
    angle = ends[0] + half * (nodes + 1)
    x = x1 + x1_sd * r * np.sin(angle)
    height = y1_sd * r * np.cos(angle)
    accepted = normal_below((y1 + height - y2) / y2_sd) - normal_below((y1 - height - y2) / y2_sd)
    density = np.exp(-(((x - x2) / x2_sd) ** 2) / 2) / (x2_sd * np.sqrt(2 * np.pi))
    fpr = (density * accepted * x1_sd * r * np.cos(angle) * weights * half).sum(axis=-1)
    tpr = -np.expm1(-(r[..., 0] ** 2) / 2)
    fpr = np.where(r[..., 0] == 0, 0.0, fpr)
    return (float(fpr), float(tpr)) if r.ndim == 1 else (fpr, tpr)


def highleyman_fpr(tpr: ArrayLike) -> Any:
    """FPR of the detector of :func:`highleyman_rates` where it has this TPR.

    Parameters
    ----------
    tpr : array-like of float
        At least 0, below 1.

    Examples
    --------
    >>> highleyman_fpr([0.5, 0.9]).round(6).tolist()
    [0.102619, 0.324475]
    """
    return highleyman_rates(np.sqrt(-2 * np.log1p(-np.asarray(tpr, dtype=np.float64))))[0]
