"""The two classifiers of the paper, in plain NumPy: a Gaussian detector, and PCA with a quadratic classifier.

Whatever is estimated is estimated on the training rows of a fold alone, the principal components too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
N_COMPONENTS = 3


def log_density(training: Floats, rows: Floats) -> Floats:
    """The log density at each row of the normal distribution that fits the training rows (divisor n - 1)."""
    covariance = np.cov(training, rowvar=False)
    deviations = rows - training.mean(axis=0)
    distances = np.einsum("ij,ij->i", deviations, np.linalg.solve(covariance, deviations.T).T)
    _, log_determinant = np.linalg.slogdet(covariance)
    return np.asarray(-0.5 * (distances + log_determinant + training.shape[1] * np.log(2 * np.pi)))


def detector_outputs(features: Floats, is_target: NDArray[np.bool_], folds: Integers) -> Floats:
    """Each row's density under the normal model of the target class, fitted without the row's fold."""
    outputs = np.empty(len(features))
    for fold in np.unique(folds):
        is_test = folds == fold
        outputs[is_test] = np.exp(log_density(features[~is_test & is_target], features[is_test]))
    return outputs


def principal_components(training: Floats, n_components: int, *, scale: bool) -> tuple[Floats, Floats]:
    """Where the training rows lie, and the directions in which they vary most, one column each.

    With ``scale`` every feature is divided by its standard deviation first (a constant one is left as it
    is), and the directions take that in.
    """
    center = training.mean(axis=0)
    sd = training.std(axis=0, ddof=1) if scale else np.ones(training.shape[1])
    sd = np.where(sd > 0, sd, 1.0)
    covariance = np.cov((training - center) / sd, rowvar=False)
    _, vectors = np.linalg.eigh(covariance)  # by rising variance
    return center, vectors[:, ::-1][:, :n_components] / sd[:, None]


def quadratic_outputs(
    features: Floats,
    classes: Integers,
    folds: Integers,
    *,
    n_components: int = N_COMPONENTS,
    scale: bool = False,
) -> Floats:
    """Each row's posteriors under one normal model for each class, fitted without the row's fold.

    Classes weigh the same.
    """
    n_classes = int(classes.max()) + 1
    logs = np.empty((len(features), n_classes))
    for fold in np.unique(folds):
        is_test = folds == fold
        training, rows = features[~is_test], features[is_test]
        center, directions = principal_components(training, n_components, scale=scale)
        training, rows = (training - center) @ directions, (rows - center) @ directions
        for c in range(n_classes):
            logs[is_test, c] = log_density(training[classes[~is_test] == c], rows)
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
