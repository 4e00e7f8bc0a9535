"""A probability estimation tree: unpruned, with Laplace-corrected leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import ArrayLike, NDArray
from sklearn.tree import DecisionTreeClassifier

from papers.learners.classifier import MixedClassifier
from papers.learners.nominal import Floats, split_columns
from papers.learners.questions import Answers, NominalQuestions, NumericQuestions
from rocsteady.options import whole_number


class ProbabilityTree(MixedClassifier):
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
        _, nominal = split_columns(self.nominal_features, self.n_features_in_)
        self._questions = [
            NominalQuestions.of(column) if position in nominal else NumericQuestions.of(column)
            for position, column in enumerate(features.T)
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

    def _answers(self, features: Floats) -> Answers:
        """The rows as the tree sees them."""
        columns = zip(self._questions, features.T, strict=True)
        return np.hstack([questions.answers(column) for questions, column in columns])

    def _leaves(self, features: Floats) -> NDArray[np.intp]:
        """The number of each row's leaf."""
        leaves: NDArray[np.intp] = self.decision_tree_.apply(self._answers(features))
        return leaves
