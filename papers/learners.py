"""The two learners of the smROC paper's experiments, as scikit-learn classifiers.

Features may be numeric or nominal, and cells may be missing (NaN).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from operator import index
from typing import Any, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import ArrayLike, NDArray

from rocsteady.errors import fail
from rocsteady.options import whole_number

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.tree import DecisionTreeClassifier
    from sklearn.utils import validation
    from sklearn.utils.multiclass import check_classification_targets
except ImportError as error:
    raise fail("RS061.learners") from error

__all__ = ["NaiveBayes", "ProbabilityTree"]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

_UNSEEN = -1
_FARTHEST = 1e150  # standard deviations: beyond them squares overflow, and every class is equally far away
_FLOOR_IN_GAPS = 1 / 6


class _Classifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """What both share: reading ``X``, the classes, and scikit-learn's way to say that NaN is welcome."""

    classes_: NDArray[Any]
    nominal_features: Sequence[int] | None

    @abstractmethod
    def predict_proba(self, X: ArrayLike) -> Floats:
        """The probability of each class, one column for each of ``classes_``."""

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The most probable class of each row; of equally probable ones the first."""
        best = np.argmax(self.predict_proba(X), axis=1)  # first, so that an unfitted learner says so
        predicted: NDArray[Any] = self.classes_[best]
        return predicted

    def _read_training(self, X: ArrayLike, y: ArrayLike) -> tuple[Floats, Integers]:
        """The features, and the place of each row's class among ``classes_``, which this sets."""
        features, labels = self._validated(X, y, reset=True)
        check_classification_targets(labels)
        self.classes_, classes = np.unique(labels, return_inverse=True)
        return features, classes

    def _read(self, X: ArrayLike) -> Floats:
        validation.check_is_fitted(self)
        features: Floats = self._validated(X, reset=False)
        return features

    def _validated(self, X: ArrayLike, *y: ArrayLike, reset: bool) -> Any:
        if hasattr(validation, "validate_data"):
            return validation.validate_data(
                self, X, *y, dtype=np.float64, ensure_all_finite="allow-nan", reset=reset
            )
        # scikit-learn before 1.6 has the same under other names.
        return self._validate_data(X, *y, dtype=np.float64, force_all_finite="allow-nan", reset=reset)

    def _is_nominal(self) -> NDArray[np.bool_]:
        """Which columns are nominal; RS042 for one that is not there."""
        given, n_features = self.nominal_features, self.n_features_in_
        try:
            columns = [] if given is None else [index(column) for column in given]
        except TypeError as error:
            raise fail("RS042.columns", given=given) from error
        if any(
            isinstance(column, bool) for column in given or ()
        ):  # a mask would be taken for columns 0 and 1
            raise fail("RS042.columns", given=given)
        if any(not 0 <= column < n_features for column in columns):
            raise fail("RS042.columns-there", last=n_features - 1, given=given, n_features=n_features)
        return np.isin(np.arange(n_features), columns)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _more_tags(self) -> dict[str, bool]:
        """The tags of scikit-learn before 1.6."""
        return {"allow_nan": True}


def _places(levels: Floats, column: Floats) -> Integers:
    """Where each code stands among the levels, of which NaN may be one; ``_UNSEEN`` where it does not."""
    places = np.searchsorted(levels, column).clip(max=len(levels) - 1)
    found = levels[places]
    return np.where((found == column) | (np.isnan(found) & np.isnan(column)), places, _UNSEEN)


class NaiveBayes(_Classifier):
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

    Probabilities may reach exactly 0 and 1, and with many dependent features most do.

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
        is_nominal, n_classes = self._is_nominal(), len(self.classes_)
        self._numeric = ~is_nominal
        self.class_prior_ = np.bincount(classes) / len(classes)
        self.means_, self.sds_ = _normal_by_class(features[:, self._numeric], classes, n_classes)
        self._levels = {place: np.unique(features[:, place]) for place in np.flatnonzero(is_nominal)}
        self._log_shares = {}
        for place, levels in self._levels.items():
            counts = np.zeros((len(levels), n_classes))
            np.add.at(counts, (_places(levels, features[:, place]), classes), 1)
            shares = (counts + 1) / (counts.sum(axis=0) + len(levels))
            self._log_shares[place] = np.vstack([np.log(shares), np.zeros(n_classes)])  # the last row: unseen
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """The probability of each class, one column for each of ``classes_``."""
        features = self._read(X)
        joint = np.log(self.class_prior_) + self._log_densities(features[:, self._numeric])
        for place, levels in self._levels.items():
            joint += self._log_shares[place][_places(levels, features[:, place])]
        # Subtracting the logarithm of the sum instead would round what is close to 1 to 1, or above it.
        likelihood = np.exp(joint - joint.max(axis=1, keepdims=True))
        probabilities: Floats = likelihood / likelihood.sum(axis=1, keepdims=True)
        return probabilities

    def _log_densities(self, numeric: Floats) -> Floats:
        """The log density of each row under each class, up to a constant of the row."""
        total = np.zeros((len(numeric), len(self.classes_)))
        for place, (mean, sd) in enumerate(zip(self.means_, self.sds_, strict=True)):
            with np.errstate(over="ignore"):
                distance = np.clip((numeric - mean) / sd, -_FARTHEST, _FARTHEST)
            # NaN where the value is missing or the feature is left out, and the same for every class.
            total[:, place] = np.nansum(-0.5 * distance**2 - np.log(sd), axis=1)
        return total


def _normal_by_class(numeric: Floats, classes: Integers, n_classes: int) -> tuple[Floats, Floats]:
    """Means and standard deviations of each feature, one row for each class."""
    largest = np.abs(numeric).max(axis=0, initial=0.0, where=~np.isnan(numeric))
    unit = np.where(largest > 0, largest, 1.0)  # in such units no square overflows
    scaled = numeric / unit
    floor = np.full(numeric.shape[1], np.nan)
    for place, column in enumerate(scaled.T):
        distinct = np.unique(column[~np.isnan(column)])
        if len(distinct) > 1:
            floor[place] = _FLOOR_IN_GAPS * ((distinct[-1] - distinct[0]) / (len(distinct) - 1))
    means, sds = np.empty((2, n_classes, numeric.shape[1]))
    of_all = _normal(scaled)
    for place in range(n_classes):
        mean, sd = _normal(scaled[classes == place])
        observed = ~np.isnan(mean)
        means[place] = np.where(observed, mean, of_all[0])
        sds[place] = np.maximum(np.where(observed, sd, of_all[1]), floor)
    means[:, np.isnan(floor)] = np.nan
    return means * unit, np.maximum(sds * unit, np.finfo(float).tiny)


def _normal(numeric: Floats) -> tuple[Floats, Floats]:
    """The mean and the standard deviation of each feature's observed values; NaN if there is none."""
    observed = ~np.isnan(numeric)
    n_observed = np.where(observed.any(axis=0), observed.sum(axis=0), np.nan)
    mean = np.sum(numeric, axis=0, where=observed) / n_observed
    return mean, np.sqrt(np.sum((numeric - mean) ** 2, axis=0, where=observed) / n_observed)


class ProbabilityTree(_Classifier):
    """Probability estimation tree (PET): an unpruned entropy tree with Laplace-corrected leaves.

    A leaf that holds n training rows, n_c of them of class c, gives class c the probability
    (n_c + 1) / (n + number of classes). So a small pure leaf is less sure than a large one, and no
    probability is 0 or 1.

    The tree itself is scikit-learn's. Each split asks one question with two answers: is a numeric feature at
    most a threshold, or does a nominal feature have a certain level? Missing is a level of a nominal feature.
    Rows that miss a numeric feature go together to the side that gains more information; where both gain the
    same, ``random_state`` chooses. A level that training has not seen goes to the larger side, and so does a
    missing number of a feature that training has always seen.

    Splits depend on a numeric feature's values through their order only, so its unit does not matter.

    C4.5 and Weka's J48 differ in three ways: they split a nominal feature into all its levels at once, choose
    by gain ratio, and ask for a least gain of a numeric split. None of these belongs to the idea of the tree.
    ``min_samples_leaf`` is theirs, 2.

    Parameters
    ----------
    nominal_features : sequence of int, optional
        The nominal columns of ``X``; their cells are codes of which only equality matters, up to ties
        between equally good splits. All others are numeric.
    min_samples_leaf : int, default 2
        A split leaves at least so many training rows on each side.
    random_state : int, RandomState or None, default 0
        Chooses between equally good splits.

    Attributes
    ----------
    classes_ : array
        The classes in ascending order.
    decision_tree_ : sklearn.tree.DecisionTreeClassifier
        The tree, over the ranks of numeric features and one column for each nominal level.

    References
    ----------
    Provost & Domingos (2003), "Tree induction for probability-based ranking", Machine Learning 52.

    Examples
    --------
    Rows with a missing value or a small one hold no case of class 1; of the other two rows, both are.

    >>> X = [[1.0], [2.0], [3.0], [4.0], [float("nan")], [float("nan")]]
    >>> tree = ProbabilityTree().fit(X, [0, 0, 1, 1, 0, 0])
    >>> tree.predict_proba([[0.0], [9.0], [float("nan")]]).round(3)
    array([[0.833, 0.167],
           [0.25 , 0.75 ],
           [0.833, 0.167]])
    """

    def __init__(
        self,
        *,
        nominal_features: Sequence[int] | None = None,
        min_samples_leaf: int = 2,
        random_state: int | RandomState | None = 0,
    ) -> None:
        self.nominal_features = nominal_features
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to rows ``X`` (NaN is missing) and their classes ``y``."""
        features, classes = self._read_training(X, y)
        fewest = whole_number("min_samples_leaf", self.min_samples_leaf, least=1, example=2)
        self._asked = [
            (
                is_nominal,
                np.unique(column if is_nominal else column[~np.isnan(column)]),
                np.isnan(column).any(),
            )
            for is_nominal, column in zip(self._is_nominal(), features.T, strict=True)
        ]
        self.decision_tree_ = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=fewest, random_state=self.random_state
        ).fit(self._answers(features), classes)
        counts = np.zeros((self.decision_tree_.tree_.node_count, len(self.classes_)))
        np.add.at(counts, (self._leaves(features), classes), 1)
        self._probabilities = (counts + 1) / (counts + 1).sum(axis=1, keepdims=True)
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:
        """The probability of each class, one column for each of ``classes_``."""
        leaves = self._leaves(self._read(X))
        probabilities: Floats = self._probabilities[leaves]
        return probabilities

    def _leaves(self, features: Floats) -> Integers:
        """The number of each row's leaf."""
        leaves: Integers = self.decision_tree_.apply(self._answers(features))
        return leaves

    def _answers(self, features: Floats) -> NDArray[np.float32]:
        """The rows as the tree sees them: columns of numbers that a threshold can ask about."""
        return np.hstack(
            [
                _levels_asked(values, column) if is_nominal else _ranks_asked(values, column, some_missing)
                for (is_nominal, values, some_missing), column in zip(self._asked, features.T, strict=True)
            ]
        )


def _ranks_asked(values: Floats, column: Floats, some_missing: bool) -> NDArray[np.float32]:
    """Ranks among the distinct training values, in proportion between two of them; NaN if missing is new.

    scikit-learn's trees take numbers closer than 1e-7 for equal and refuse those that float32 cannot hold;
    ranks have neither trouble. If training missed some values, the ranks come twice, with missing below all
    values and above all: so a split can send missing to either side, or part it from the rest. scikit-learn
    does the same by itself, but its versions differ in how.
    """
    ranks = np.interp(column, values, np.arange(len(values))) if len(values) else np.zeros(len(column))
    if not some_missing:
        return ranks[:, np.newaxis].astype(np.float32)
    missing = np.isnan(column)
    return np.column_stack([np.where(missing, outside, ranks) for outside in (-1, len(values))]).astype(
        np.float32
    )


def _levels_asked(levels: Floats, column: Floats) -> NDArray[np.float32]:
    """One column for each level, 1 in the rows that have it; NaN in the rows of an unseen level."""
    places = _places(levels, column)
    asked = np.arange(1 if len(levels) == 2 else len(levels))  # two levels are one question
    answers: NDArray[np.float32] = (places[:, np.newaxis] == asked).astype(np.float32)
    answers[places == _UNSEEN] = np.nan
    return answers
