"""scikit-learn: the outputs of cross-validated classifiers of several classes on their test rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import DataError, LabelError, UsageError
from rocsteady.scores.arrays import read_column
from rocsteady.scores.fitted import classes_of, require_rows, scikit_learn
from rocsteady.scores.folds import stratified_folds
from rocsteady.scores.grouping import factorize, shown
from rocsteady.scores.multiclass import MulticlassScores
from rocsteady.scores.sklearn import require_estimator, take_rows
from rocsteady.words import listed


def cross_validated_outputs(
    estimator: Any, X: Any, y: Any, *, folds: int = 10, seed: int = 0
) -> MulticlassScores:
    """The outputs for every row of an estimator that has not seen it: stratified cross-validation.

    Parameters
    ----------
    estimator : scikit-learn classifier
        Cloned and fitted once for each fold. Needs ``predict_proba``, or a ``decision_function`` with one
        column per class and no negative value: class weights multiply outputs.
    X, y : array-like
        Features and the classes, two or more.
    folds : int
        Number of folds, see :func:`rocsteady.scores.stratified_folds`.
    seed : int
        Decides the folds. An estimator with a random part has its own ``random_state``.

    Returns
    -------
    MulticlassScores
        Rows in the order of X; classes, and so the columns, in the order of the estimator's ``classes_``.

    Raises
    ------
    DataError
        RS076 if outputs are negative.
    UsageError
        RS045 if the estimator gives no outputs, RS042 for fewer than two folds.
    LabelError
        RS046 if a class has fewer rows than there are folds, RS024 if there is one class only.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> rs.cross_validated_outputs(GaussianNB(), X, y, folds=5)
    MulticlassScores(3 classes, 150 rows, 5 folds)
    """
    clone = scikit_learn()
    require_estimator(estimator)
    labels = read_column(y, "label")
    require_rows(X, labels)
    fold_of_row = stratified_folds(labels, folds, seed=seed)
    values = factorize(labels).values
    if len(values) < 2:
        raise LabelError(
            "RS024",
            "y has one class only, and nothing can be learnt from it.",
            f"class: {shown(values[0])}",
            "pass rows of several classes",
        )
    outputs = np.empty((len(labels), len(values)))
    classes: list[Any] = []
    for fold in range(folds):
        train, test = np.flatnonzero(fold_of_row != fold), np.flatnonzero(fold_of_row == fold)
        fitted = clone(estimator).fit(take_rows(X, train), labels.array[train])
        own = list(classes_of(fitted, fold))
        classes = classes or own
        if own != classes or len(own) != len(values):
            raise UsageError(
                "RS045",
                f"the estimator of fold {fold + 1} knows other classes than are in y.",
                f"its classes: {listed([shown(c) for c in own])}",
                "use a classifier that learns all classes it is shown",
            )
        outputs[test] = _outputs_of(fitted, take_rows(X, test), (test.size, len(own)), fold)
    names = [f"fold {i + 1}" for i in range(folds)]
    scores = MulticlassScores(
        labels, outputs, folds=[names[i] for i in fold_of_row], classes=np.asarray(classes)
    )
    return scores.select(names)  # in the order of their numbers


def _outputs_of(estimator: Any, X: Any, shape: tuple[int, int], fold: int) -> NDArray[Any]:
    """What predict_proba says, or a decision_function that can stand for it."""
    kind = type(estimator).__name__
    for method in ("predict_proba", "decision_function"):
        if not hasattr(estimator, method):
            continue
        outputs = np.asarray(getattr(estimator, method)(X))
        if method == "decision_function" and (outputs < 0).any():
            raise DataError(
                "RS076",
                f"{kind} has no predict_proba, and its decision_function is negative.",
                f"smallest of fold {fold + 1}: {outputs.min():g}",
                "turn its outputs into posteriors:  sklearn.calibration.CalibratedClassifierCV(estimator)",
            )
        if outputs.shape != shape:
            raise UsageError(
                "RS045",
                f"{method} of {kind} does not give one column per class.",
                f"shape {outputs.shape} for {shape[0]} rows and {shape[1]} classes",
                "use a classifier with predict_proba",
            )
        return outputs
    raise UsageError(
        "RS045",
        f"{kind} gives no outputs.",
        "it has neither predict_proba nor decision_function",
        "use a classifier that has predict_proba",
    )
