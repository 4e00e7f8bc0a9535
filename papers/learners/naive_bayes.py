"""Naive Bayes for numeric and nominal features with missing values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from papers.learners.classifier import MixedClassifier
from papers.learners.nominal import Floats, Integers, Levels, split_columns

# Beyond this many standard deviations the square would overflow; every class is then equally far away.
_FARTHEST = 1e150
# A class's standard deviation is at least this part of the mean gap between neighbouring values (as in Weka).
_FLOOR_IN_GAPS = 1 / 6


class NaiveBayes(MixedClassifier):
    """Naive Bayes: Gaussian numeric features, Laplace-smoothed nominal ones.

    Given the class, features are taken as independent.

    - A numeric feature is normal with the mean and the standard deviation (divisor n) of the class's observed
      values. A missing value says nothing: it is left out of both fitting and prediction.
    - A level of a nominal feature has probability (count + 1) / (rows of the class + levels). Missing is a
      level like any other. A level that training has not seen says nothing.
    - The classes have their shares of the training rows as prior probabilities.

    A standard deviation is never taken below a sixth of the mean gap between neighbouring distinct values of
    the feature (the floor that Weka uses): a class in which the feature does not vary would otherwise
    have none. A feature with one distinct value says nothing and is left out. A class without any observed
    value of a feature gets the mean and the standard deviation of all classes together.

    Sums are of logarithms, so many features cannot underflow. Probabilities may still reach exactly 0 and 1,
    and with many dependent features most do.

    Parameters
    ----------
    nominal_features : sequence of int, optional
        The nominal columns of ``X``; their cells are codes of which only equality matters. All others are
        numeric.

    Attributes
    ----------
    classes_ : array
        The classes in ascending order.
    class_prior_ : array
        The share of each class in training.
    means_, sds_ : array of shape (n_classes, n_numeric)
        What was fitted to the numeric columns, in their order; NaN for a feature that is left out.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0], [2.0, 0], [np.nan, 1], [4.0, 1], [5.0, np.nan]])
    >>> model = NaiveBayes(nominal_features=[1]).fit(X, [0, 0, 0, 1, 1])
    >>> model.means_.ravel()
    array([1.5, 4.5])
    >>> model.predict_proba([[np.nan, 0]]).round(3)  # .6 · 3/6 against .4 · 1/5
    array([[0.789, 0.211]])
    """

    def __init__(self, *, nominal_features: Sequence[int] | None = None) -> None:
        self.nominal_features = nominal_features

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to rows ``X`` (NaN is missing) and their classes ``y``."""
        features, classes = self._read_training(X, y)
        self._numeric, self._nominal = split_columns(self.nominal_features, self.n_features_in_)
        self.class_prior_ = np.bincount(classes) / len(classes)
        self.means_, self.sds_ = _normal_by_class(features[:, self._numeric], classes, len(self.classes_))
        self._levels = [Levels.of(features[:, column]) for column in self._nominal]
        self._log_shares = [
            _log_shares(levels.positions(features[:, column]), len(levels), classes, len(self.classes_))
            for column, levels in zip(self._nominal, self._levels, strict=True)
        ]
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """The probability of each class, one column for each of ``classes_``."""
        features = self._read(X)
        joint = np.log(self.class_prior_) + self._log_densities(features[:, self._numeric])
        for column, levels, log_shares in zip(self._nominal, self._levels, self._log_shares, strict=True):
            joint += log_shares[levels.positions(features[:, column])]
        # Subtracting the logarithm of the sum instead would round what is close to 1 to 1, or above it.
        likelihood = np.exp(joint - joint.max(axis=1, keepdims=True))
        probabilities: Floats = likelihood / likelihood.sum(axis=1, keepdims=True)
        return probabilities

    def _log_densities(self, numeric: Floats) -> Floats:
        """The log density of each row under each class, up to a constant of the row."""
        total = np.zeros((len(numeric), len(self.classes_)))
        for position, (mean, sd) in enumerate(zip(self.means_, self.sds_, strict=True)):
            with np.errstate(over="ignore"):
                distance = np.clip((numeric - mean) / sd, -_FARTHEST, _FARTHEST)
            # NaN where the value is missing or the feature is left out, and the same for every class.
            total[:, position] = np.nansum(-0.5 * distance**2 - np.log(sd), axis=1)
        return total


def _normal_by_class(numeric: Floats, classes: Integers, n_classes: int) -> tuple[Floats, Floats]:
    """Means and standard deviations, one row for each class."""
    unit = _unit(numeric)
    scaled = numeric / unit
    floor = _FLOOR_IN_GAPS * _mean_gap(scaled)
    mean_of_all, sd_of_all = _normal(scaled)
    means, sds = np.empty((2, n_classes, numeric.shape[1]))
    for position in range(n_classes):
        mean, sd = _normal(scaled[classes == position])
        unobserved = np.isnan(mean)
        means[position] = np.where(unobserved, mean_of_all, mean)
        sds[position] = np.maximum(np.where(unobserved, sd_of_all, sd), floor)
    means[:, np.isnan(floor)] = np.nan
    return means * unit, np.maximum(sds * unit, np.finfo(float).tiny)


def _unit(numeric: Floats) -> Floats:
    """The largest size of each feature's values: in such units no square overflows."""
    largest = np.abs(numeric).max(axis=0, initial=0.0, where=~np.isnan(numeric))
    return np.where(largest > 0, largest, 1.0)


def _mean_gap(numeric: Floats) -> Floats:
    """The mean gap between neighbouring distinct values of each feature; NaN if there are not two of them."""
    gaps = np.full(numeric.shape[1], np.nan)
    for position, column in enumerate(numeric.T):
        distinct = np.unique(column[~np.isnan(column)])
        if len(distinct) > 1:
            gaps[position] = (distinct[-1] - distinct[0]) / (len(distinct) - 1)
    return gaps


def _normal(numeric: Floats) -> tuple[Floats, Floats]:
    """The mean and the standard deviation of each feature's observed values; NaN if there is none."""
    observed = ~np.isnan(numeric)
    n_observed = np.where(observed.any(axis=0), observed.sum(axis=0), np.nan)
    mean = np.sum(numeric, axis=0, where=observed) / n_observed
    variance = np.sum((numeric - mean) ** 2, axis=0, where=observed) / n_observed
    return mean, np.sqrt(variance)


def _log_shares(positions: Integers, n_levels: int, classes: Integers, n_classes: int) -> Floats:
    """Log probabilities in each class, one row for each level and a last one, 0, for unseen levels."""
    counts = np.zeros((n_levels, n_classes))
    np.add.at(counts, (positions, classes), 1)
    log_shares = np.log((counts + 1) / (counts.sum(axis=0) + n_levels))
    return np.vstack([log_shares, np.zeros(n_classes)])
