"""scikit-learn: the scores of fitted classifiers on rows that they have not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import ColumnError, DataError, LabelError, MissingPackageError, UsageError, counted
from rocsteady.scores.arrays import Column, read_column, require_equal_lengths
from rocsteady.scores.building import set_from_arrays
from rocsteady.scores.grouping import factorize, word
from rocsteady.scores.score_set import ScoreSet

DECISION_FIRST = ("decision_function", "predict_proba")
"""Probabilities that are rounded to 0 or 1 tie cases that decision values tell apart."""


def set_from_estimator(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    groups: object = None,
    positive: object = None,
    sample_weight: object = None,
    responses: Sequence[str],
    unit: str | None = None,
) -> ScoreSet:
    """Score rows by a fitted classifier, which is tried on groups of them, or by several fitted classifiers.

    Parameters
    ----------
    estimator : fitted classifier, or a sequence or dict of them
        Of several, each scores all rows, and each is a group of its own.
    X, y : array-like
        Features and the two classes.
    groups : array-like, optional
        The group of each row; for one classifier only.
    positive : label, optional
        The positive class; ``classes_[1]`` of the (first) classifier if not given.
    sample_weight : array-like, optional
        One weight for each row.
    responses : sequence of str
        Methods to ask for scores; the first that a classifier has is used.
    unit : str, optional
        The word for a group.
    """
    scikit_learn()
    labels, weights = labels_and_weights(X, y, sample_weight)
    found = classes_among(labels)
    named = _by_name(estimator)
    fitted = [estimator] if named is None else list(named.values())
    for each in fitted:
        require_own_labels(each, found)
    if positive is None:
        positive = classes_of(fitted[0])[1]
    if named is None:
        scores = scores_of(estimator, X, positive, responses)
        return set_from_arrays(labels, scores, groups, sample_weight=weights, positive=positive, unit=unit)
    if groups is not None:
        raise UsageError(
            "RS002",
            "several estimators are groups themselves, so there are no groups of rows beside them.",
            f"found: {counted(len(named), 'estimator')} and groups",
            "one estimator, tried on every group:  from_estimator(estimator, X, y, groups=groups)",
            "one estimator for each group:  score its rows, and pass lists to from_predictions",
        )
    return _of_several(named, X, labels, positive, weights, responses, unit or "estimator")


def _by_name(estimator: Any) -> dict[object, Any] | None:
    """Several estimators by name; None for one alone. A Pipeline has a length, and is one."""
    if isinstance(estimator, Mapping):
        named = dict(estimator)
    elif isinstance(estimator, list | tuple):
        named = {f"estimator {i}": each for i, each in enumerate(estimator, start=1)}
    else:
        return None
    if not named:
        raise UsageError("RS002", "there are no estimators.", "found: none", "pass at least one, fitted")
    if len({str(name) for name in named}) < len(named):
        found = f"found: {', '.join(map(repr, named))}"
        raise UsageError("RS002", "two estimators have the same name.", found, "pass them under other names")
    return named


def _of_several(
    named: Mapping[object, Any],
    X: Any,
    labels: Column,
    positive: object,
    weights: Column | None,
    responses: Sequence[str],
    unit: str,
) -> ScoreSet:
    """Every row once for each estimator."""
    scores = [scores_of(each, X, positive, responses) for each in named.values()]
    n_rows, n_estimators = len(labels), len(named)
    rows = np.tile(np.arange(n_rows), n_estimators)
    return set_from_arrays(
        labels[rows],
        np.concatenate(scores),
        np.repeat(np.array([str(name) for name in named], dtype=object), n_rows),
        cases=rows,
        sample_weight=None if weights is None else weights[rows],
        positive=positive,
        unit=unit,
    )


def scikit_learn() -> Any:
    """Its ``clone``; RS061 if it is not installed."""
    try:
        from sklearn.base import clone
    except ImportError as error:
        raise MissingPackageError(
            "RS061", "this needs scikit-learn.", "it is not installed", "pip install 'rocsteady[sklearn]'"
        ) from error
    return clone


def labels_and_weights(X: Any, y: object, sample_weight: object) -> tuple[Column, Column | None]:
    """Both as columns; RS013 unless they have an entry for each row of X."""
    labels = read_column(y, "label")
    require_rows(X, labels)
    if sample_weight is None:
        return labels, None
    weights = read_column(sample_weight, "weight")
    require_equal_lengths({"label": labels, "weight": weights})
    return labels, weights


def require_rows(X: Any, labels: Column) -> None:
    """RS013 unless X has one row for each label."""
    shape = getattr(X, "shape", None)
    try:
        n_rows = int(shape[0]) if shape else len(X)
    except TypeError as error:
        raise DataError(
            "RS034", "X has no rows.", f"type {type(X).__name__}", "pass one row of features per label"
        ) from error
    if n_rows != len(labels):
        raise ColumnError(
            "RS013",
            "X and y have different lengths.",
            f"X: {counted(n_rows, 'row')}, y: {counted(len(labels), 'row')}",
            "pass one label for each row of X",
        )


def classes_among(labels: Column) -> Sequence[Any]:
    """The classes of rows, in order of appearance; RS022 if there are more than two."""
    found = factorize(labels).values
    if len(found) > 2:
        raise LabelError(
            "RS022",
            f"y has {len(found)} classes; a ROC curve needs two.",
            f"classes: {', '.join(map(word, found[:12]))}",
            "make y binary first, for example  y == 'attack',  or use rs.MulticlassScores",
        )
    return found


def classes_of(estimator: Any, fold: int | None = None) -> Any:
    """The ``classes_`` of a fitted classifier, at least two."""
    classes = getattr(estimator, "classes_", None)
    kind = estimator.__name__ if isinstance(estimator, type) else type(estimator).__name__
    if classes is None:
        raise UsageError(
            "RS045",
            f"{kind} is not a fitted classifier.",
            "it has no classes_",
            "fit it first:  estimator.fit(X, y)" if fold is None else "cross-validate a classifier",
        )
    if len(classes) and np.ndim(classes[0]):
        problem = f"{kind} has several outputs; a ROC curve is of one."
        found = f"{len(classes)} lists of classes"
        raise UsageError("RS045", problem, found, "train one classifier for each output")
    if len(classes) < 2:
        raise LabelError(
            "RS024",
            f"{kind if fold is None else f'fold {fold + 1}'} was trained on one class only.",
            f"class: {word(classes[0])}",
            "train it on both classes" if fold is None else "use stratified folds, or fewer of them",
        )
    return classes


def require_own_labels(estimator: Any, found: Sequence[Any], fold: int | None = None) -> None:
    """RS021 if a classifier was trained on none of the classes that were found among the labels."""
    classes = np.asarray(classes_of(estimator, fold)).tolist()
    if len(found) and not any(own in classes for own in found):
        raise LabelError(
            "RS021",
            f"y has none of the classes that {type(estimator).__name__} was trained on.",
            f"trained on: {', '.join(map(word, classes[:12]))}; y: {', '.join(map(word, found[:12]))}",
            "pass y with the labels of the training",
        )


def scores_of(
    estimator: Any, X: Any, positive: object, responses: Sequence[str], fold: int | None = None
) -> NDArray[Any]:
    """What a fitted classifier says for the positive class, by the first of the methods that it has."""
    classes = np.asarray(classes_of(estimator, fold)).tolist()  # numbers and text of Python
    owner = type(estimator).__name__ if fold is None else f"the estimator of fold {fold + 1}"
    known = f"classes: {', '.join(map(word, classes[:12]))}"
    if len(classes) > 2:
        remedy = "train it on two classes, for example  y == 'attack',  or use rs.MulticlassScores"
        problem = f"{owner} knows {len(classes)} classes; a ROC curve needs two."
        raise LabelError("RS022", problem, known, remedy)
    if positive not in classes:
        problem = f'{owner} knows no class "{word(positive)}".'
        raise LabelError("RS021", problem, known, f"use  positive={classes[1]!r}")
    index = classes.index(positive)
    found = next((name for name in responses if hasattr(estimator, name)), None)
    if found is None:
        either = "it has neither " if len(responses) > 1 else "it has no "
        others = [name for name in DECISION_FIRST if hasattr(estimator, name)]
        raise UsageError(
            "RS045",
            f"{type(estimator).__name__} gives no scores{' of this kind' if others else ''}.",
            either + " nor ".join(responses),
            f"use its {others[0]}" if others else "use a classifier that has one of them",
        )
    response = _response(estimator, found, X, owner)
    if found == "predict_proba":
        return response[:, index]
    return response if index == 1 else -response  # it speaks for classes_[1]


def _response(estimator: Any, method: str, X: Any, owner: str) -> NDArray[Any]:
    """What the method gives for rows; RS045 if it fails, or gives something else than it should."""
    try:
        response = np.asarray(getattr(estimator, method)(X))
    except Exception as error:  # whatever an estimator of somebody else raises
        said = str(error).strip().partition("\n")[0] or type(error).__name__
        raise UsageError(
            "RS045",
            f"{owner} cannot score these rows.",
            f"its {method} says: {said:.160}",
            "pass X with the columns that it was trained on",
        ) from error
    is_share = method == "predict_proba"
    if response.shape[1:] != ((2,) if is_share else ()):
        problem = f"{method} of {owner} does not give what scikit-learn's classifiers give."
        asked = "one column for each of two classes" if is_share else "one number for each row"
        remedy = "score the rows yourself, and pass labels and scores"
        raise UsageError("RS045", problem, f"shape {response.shape}, needed: {asked}", remedy)
    return response
