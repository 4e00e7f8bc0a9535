"""What both learners share: reading ``X``, the classes, and scikit-learn's way to say that NaN is welcome."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papers.learners.nominal import Floats, Integers
from rocsteady.errors import fail

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils import validation
    from sklearn.utils.multiclass import check_classification_targets
except ImportError as error:
    raise fail("RS061.learners") from error


class MixedClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A classifier of rows with numeric and nominal features, some of them missing (NaN)."""

    classes_: NDArray[Any]

    @abstractmethod
    def predict_proba(self, X: ArrayLike) -> Floats:
        """The probability of each class, one column for each of ``classes_``."""

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The most probable class of each row; of equally probable ones the first."""
        best = np.argmax(self.predict_proba(X), axis=1)  # first, so that an unfitted learner says so
        predicted: NDArray[Any] = self.classes_[best]
        return predicted

    def _read_training(self, X: ArrayLike, y: ArrayLike) -> tuple[Floats, Integers]:
        """The features and, for each row, the place of its class among ``classes_``, which this sets."""
        features, labels = self._validated(X, y, reset=True)
        check_classification_targets(labels)
        self.classes_, classes = np.unique(labels, return_inverse=True)
        return features, classes

    def _read(self, X: ArrayLike) -> Floats:
        """The features of rows to predict."""
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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _more_tags(self) -> dict[str, bool]:
        """The tags of scikit-learn before 1.6."""
        return {"allow_nan": True}
