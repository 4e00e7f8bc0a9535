"""scikit-learn: the scores of cross-validated estimators on their test rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import ColumnError, DataError, LabelError, MissingPackageError, UsageError, counted
from rocsteady.scores.arrays import Column, read_column, require_equal_lengths
from rocsteady.scores.building import set_from_arrays
from rocsteady.scores.folds import stratified_folds
from rocsteady.scores.grouping import factorize, word
from rocsteady.scores.score_set import ScoreSet

Integers = NDArray[np.int64]
_CALL = "cross_validate(..., return_estimator=True, return_indices=True)"
_DECISION_FIRST = ("decision_function", "predict_proba")
"""Probabilities that are rounded to 0 or 1 tie cases that decision values tell apart."""


def cross_validated_scores(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    folds: int = 10,
    seed: int = 0,
    positive: object = None,
) -> ScoreSet:
    """Score every row by an estimator that has not seen it: stratified cross-validation.

    Parameters
    ----------
    estimator : scikit-learn classifier, or a dict of them
        Cloned and fitted once for each fold; needs ``decision_function`` or ``predict_proba``. Of a dict
        ``{name: estimator}`` each is a model, on the same folds, ready for :func:`compare`.
    X, y : array-like
        Features and the two classes.
    folds : int
        Number of folds, see :func:`rocsteady.scores.stratified_folds`.
    seed : int
        Decides the folds. An estimator with a random part has its own ``random_state``.
    positive : label, optional
        The positive class; ``classes_[1]`` of the estimator if not given, as scikit-learn has it.

    Returns
    -------
    ScoreSet
        One group for each fold; cases are the row numbers of X.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> rs.cross_validated_scores(GaussianNB(), X, y, folds=5)
    ScoreSet(5 folds, 569 rows, 357 positives)
    >>> tried = {"narrow": GaussianNB(), "wide": GaussianNB(var_smoothing=1e-3)}
    >>> rs.cross_validated_scores(tried, X, y, folds=5)
    ScoreSet(5 folds, 2 models, 1 138 rows, 714 positives)
    """
    clone = scikit_learn()
    several = isinstance(estimator, Mapping) and len(estimator) > 0
    models = dict(estimator) if several else {None: estimator}
    for own in models.values():
        require_estimator(own)
    labels = read_column(y, "label")
    require_rows(X, labels)
    fold_of_row = stratified_folds(labels, folds, seed=seed)
    _require_two_classes(labels)
    tests = [np.flatnonzero(fold_of_row == fold) for fold in range(folds)]
    trains = [np.flatnonzero(fold_of_row != fold) for fold in range(folds)]
    fitted = {
        name: ([clone(own).fit(take_rows(X, train), labels.array[train]) for train in trains], tests)
        for name, own in models.items()
    }
    return _scored(fitted, X, labels, positive)


def set_from_cv_results(
    cv_results: Mapping[Any, Any],
    X: Any,
    y: Any,
    *,
    positive: object = None,
    sample_weight: object = None,
    responses: Sequence[str] = _DECISION_FIRST,
) -> ScoreSet:
    """See :meth:`ScoreSet.from_cv_results`; ``responses`` are methods of estimators, the first is best."""
    scikit_learn()
    if not isinstance(cv_results, Mapping) or not cv_results:
        raise UsageError(
            "RS045",
            "cv_results is not a dictionary of cross-validation results.",
            f"type {type(cv_results).__name__}",
            f"pass what  {_CALL}  returns",
        )
    several = all(isinstance(value, Mapping) for value in cv_results.values())
    runs = dict(cv_results) if several else {None: cv_results}
    labels = read_column(y, "label")
    require_rows(X, labels)
    _require_two_classes(labels)
    fitted = {name: _fitted(results, name, len(labels)) for name, results in runs.items()}
    for name, (_, tests) in fitted.items():
        _require_all_rows(runs[name], tests, len(labels))
    weights = None if sample_weight is None else read_column(sample_weight, "weight")
    if weights is not None:
        require_equal_lengths({"label": labels, "weight": weights})
    return _scored(fitted, X, labels, positive, weights, responses)


def take_rows(features: Any, rows: Integers) -> Any:
    """Rows of an array, a sparse matrix, a list, or a frame."""
    if hasattr(features, "iloc"):
        return features.iloc[rows]
    if hasattr(features, "tocsr"):
        return features.tocsr()[rows]
    if isinstance(features, list | tuple):
        return [features[row] for row in rows]
    return features[rows]


def require_estimator(estimator: Any) -> None:
    """RS045 unless it can be cloned and fitted."""
    if hasattr(estimator, "fit") and hasattr(estimator, "get_params") and not isinstance(estimator, type):
        return
    found = (
        f"the class {estimator.__name__}"
        if isinstance(estimator, type)
        else f"type {type(estimator).__name__}"
    )
    problem = "estimator must be a classifier of scikit-learn, made but not fitted."
    raise UsageError("RS045", problem, f"found: {found}", "pass one, for example  LogisticRegression()")


def scikit_learn() -> Any:
    """Its ``clone``; RS061 if it is not installed."""
    try:
        from sklearn.base import clone
    except ImportError as error:
        raise MissingPackageError(
            "RS061", "this needs scikit-learn.", "it is not installed", "pip install 'rocsteady[sklearn]'"
        ) from error
    return clone


def _fitted(results: Mapping[str, Any], name: object, n_rows: int) -> tuple[list[Any], list[Integers]]:
    """The estimators and the test rows of one call of ``cross_validate``."""
    lacking = [
        option
        for key, option in (("estimator", "return_estimator=True"), ("indices", "return_indices=True"))
        if key not in results
    ]
    if lacking:
        owner = "" if name is None else f' of "{word(name)}"'
        raise UsageError(
            "RS045",
            f"the cross-validation results{owner} lack {' and '.join(lacking)}.",
            f"keys: {', '.join(map(str, results))}",
            f"call  {_CALL}",
        )
    try:
        estimators, tests = list(results["estimator"]), list(results["indices"]["test"])
    except (TypeError, KeyError, IndexError) as error:
        raise _unusable(
            "the cross-validation results hold no estimators and test rows.", repr(error)
        ) from error
    if not estimators and not tests:
        raise _unusable("the cross-validation results have no folds.", "0 estimators")
    if len(estimators) != len(tests):
        found = f"{counted(len(estimators), 'estimator')}, {counted(len(tests), 'fold')}"
        raise _unusable("estimators and folds differ in number.", found)
    return estimators, [_row_numbers(rows, n_rows) for rows in tests]


def _unusable(problem: str, found: str) -> UsageError:
    return UsageError("RS045", problem, found, f"pass what  {_CALL}  returns")


def _row_numbers(rows: object, n_rows: int) -> Integers:
    """Rows of a test fold as numbers; a mask of all rows is as good."""
    array = np.asarray(rows)
    if array.ndim == 1 and array.dtype.kind == "b" and array.size == n_rows:
        return np.flatnonzero(array)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise _unusable(
            "a test fold is not a list of row numbers.", f"type {array.dtype}, shape {array.shape}"
        )
    if array.min() < 0 or array.max() >= n_rows:
        raise ColumnError(
            "RS013",
            "X and y have other rows than were cross-validated.",
            f"{counted(n_rows, 'row')}, but a fold has rows {array.min()} to {array.max()}",
            "pass the same X and y as to cross_validate",
        )
    return array.astype(np.int64)


def _require_all_rows(results: Mapping[str, Any], tests: list[Integers], n_rows: int) -> None:
    """RS013 if every fold deals the same number of rows to training and test, and X and y have more."""
    indices = results["indices"]
    trains = indices.get("train") if isinstance(indices, Mapping) else None
    if not isinstance(trains, list | tuple) or len(trains) != len(tests):
        return
    for train, test in zip(trains, tests, strict=True):
        if np.asarray(train).dtype.kind not in "iu":
            return
        dealt = np.union1d(train, test)
        if dealt.size in (0, n_rows) or dealt[-1] != dealt.size - 1:
            return  # all rows, or folds that leave rows out on purpose
    raise ColumnError(
        "RS013",
        "X and y have more rows than were cross-validated.",
        f"{counted(n_rows, 'row')}; every fold deals rows 0 to {dealt[-1]}",
        "pass the same X and y as to cross_validate",
    )


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


def _require_two_classes(labels: Column) -> None:
    """RS022 for more classes than two, RS024 for fewer."""
    found = classes_among(labels)
    if len(found) < 2:
        raise LabelError(
            "RS024",
            "y has one class only, and nothing can be learnt from it.",
            f"class: {', '.join(map(word, found)) or 'none'}",
            "pass rows of both classes",
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


def _scored(
    runs: Mapping[Any, tuple[list[Any], list[Integers]]],
    X: Any,
    labels: Column,
    positive: object,
    weights: Column | None = None,
    responses: Sequence[str] = _DECISION_FIRST,
) -> ScoreSet:
    """Stack the scores of all test folds of all runs."""
    scores, groups, models, cases = [], [], [], []
    for model, (estimators, tests) in runs.items():
        for fold, (estimator, rows) in enumerate(zip(estimators, tests, strict=True)):
            if positive is None:
                positive = classes_of(estimator, fold)[1]
            scores.append(scores_of(estimator, take_rows(X, rows), positive, responses, fold))
            groups.append(np.full(rows.size, fold))
            models.append([model] * rows.size)
            cases.append(rows)
    stacked = np.concatenate(cases)
    named = None if list(runs) == [None] else Column(_objects(m for part in models for m in part))
    fold_set = set_from_arrays(
        labels[stacked],
        np.concatenate(scores),
        np.concatenate(groups),
        models=named,
        cases=stacked,
        sample_weight=None if weights is None else weights[stacked],
        positive=positive,
        unit="fold",
    )
    names = tuple(f"fold {i + 1}" for i in fold_set.group_values)
    return replace(fold_set, groups=names, group_values=names)


def _objects(values: Iterable[Any]) -> NDArray[Any]:
    items = list(values)
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


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
        others = [name for name in _DECISION_FIRST if hasattr(estimator, name)]
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
