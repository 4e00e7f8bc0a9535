"""scikit-learn: the scores of cross-validated estimators on their test rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.calling import welcomes
from rocsteady.errors import ColumnError, LabelError, UsageError, counted
from rocsteady.scores.arrays import Column, as_objects, read_column
from rocsteady.scores.building import set_from_arrays
from rocsteady.scores.design import Design, of_test_cases
from rocsteady.scores.fitted import (
    DECISION_FIRST,
    classes_among,
    classes_of,
    labels_and_weights,
    require_own_labels,
    require_rows,
    scikit_learn,
    scores_of,
)
from rocsteady.scores.folds import stratified_folds
from rocsteady.scores.grouping import factorize, word
from rocsteady.scores.score_set import ScoreSet

Integers = NDArray[np.int64]
_CALL = "cross_validate(..., return_estimator=True, return_indices=True)"


@welcomes(
    "cross_validated_scores(estimator, X, y)",
    instead={"repeats": "cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=5)  of scikit-learn"},
)
def cross_validated_scores(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    folds: int = 10,
    seed: int = 0,
    positive: object = None,
    cv: Any = None,
    groups: object = None,
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
    cv : int, splitter of scikit-learn, or an iterable of (training rows, test rows), optional
        Other splits than our stratified folds: a number of scikit-learn's own, RepeatedStratifiedKFold,
        GroupKFold, ShuffleSplit ...
    groups : array-like, optional
        For splitters that keep groups of rows together; rows of one group belong together in the set, too
        (its clusters).

    Returns
    -------
    ScoreSet
        One group for each fold; cases are the row numbers of X. Its design is that of the splits.

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
    _require_two_classes(labels)
    trains, tests = _splits(X, labels, folds, seed, cv, groups)
    fitted = {
        name: ([clone(own).fit(take_rows(X, train), labels.array[train]) for train in trains], tests)
        for name, own in models.items()
    }
    design = of_test_cases(tests, [own.size for own in trains])
    return _scored(fitted, X, labels, positive, design=design, clusters=groups)


def _splits(
    X: Any, labels: Column, folds: int, seed: int, cv: Any, groups: object
) -> tuple[list[Integers], list[Integers]]:
    """Training and test rows of every fold."""
    if cv is None:
        if groups is not None:
            raise UsageError(
                "RS002",
                "groups of rows need a splitter that keeps them together.",
                "found: groups without cv",
                "cv=StratifiedGroupKFold(10)  of scikit-learn",
            )
        fold_of_row = stratified_folds(labels, folds, seed=seed)
        return tuple(  # type: ignore[return-value]
            [np.flatnonzero((fold_of_row == fold) == is_test) for fold in range(folds)]
            for is_test in (False, True)
        )
    n_rows = len(labels)
    try:
        if isinstance(cv, Integral):  # as scikit-learn's own cross_validate takes it
            from sklearn.model_selection import check_cv

            cv = check_cv(int(cv), labels.array, classifier=True)
        pairs = cv.split(X, labels.array, groups) if hasattr(cv, "split") else cv
        listed = [(_row_numbers(train, n_rows), _row_numbers(test, n_rows)) for train, test in pairs]
    except (TypeError, ValueError) as error:
        if isinstance(error, UsageError | ColumnError):
            raise
        raise UsageError(
            "RS045",
            "cv gives no pairs of training and test rows.",
            f"found: {type(cv).__name__}; {error}",
            "cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=5, random_state=0)  of scikit-learn",
        ) from error
    if not listed:
        raise _unusable("cv has no folds.", f"found: {type(cv).__name__}")
    return [train for train, _ in listed], [test for _, test in listed]


def set_from_cv_results(
    cv_results: Mapping[Any, Any],
    X: Any,
    y: Any,
    *,
    positive: object = None,
    sample_weight: object = None,
    responses: Sequence[str] = DECISION_FIRST,
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
    labels, weights = labels_and_weights(X, y, sample_weight)
    _require_two_classes(labels)
    fitted = {name: _fitted(results, name, len(labels)) for name, results in runs.items()}
    for name, (_, tests) in fitted.items():
        _require_all_rows(runs[name], tests, len(labels))
    name, (_, tests) = next(iter(fitted.items()))
    trains = runs[name]["indices"].get("train") if isinstance(runs[name]["indices"], Mapping) else None
    sizes = [len(labels) - own.size for own in tests]
    if isinstance(trains, list | tuple) and len(trains) == len(tests):
        sizes = [_row_numbers(own, len(labels)).size for own in trains]
    design = of_test_cases(tests, sizes) if len(tests) > 1 else None
    return _scored(fitted, X, labels, positive, weights, responses, design=design)


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


def _scored(
    runs: Mapping[Any, tuple[list[Any], list[Integers]]],
    X: Any,
    labels: Column,
    positive: object,
    weights: Column | None = None,
    responses: Sequence[str] = DECISION_FIRST,
    *,
    design: Design | None = None,
    clusters: object = None,
) -> ScoreSet:
    """Stack the scores of all test folds of all runs."""
    scores, groups, models, cases = [], [], [], []
    found = factorize(labels).values
    for model, (estimators, tests) in runs.items():
        for fold, (estimator, rows) in enumerate(zip(estimators, tests, strict=True)):
            require_own_labels(estimator, found, fold)
            if positive is None:
                positive = classes_of(estimator, fold)[1]
            scores.append(scores_of(estimator, take_rows(X, rows), positive, responses, fold))
            groups.append(np.full(rows.size, fold))
            models.append([model] * rows.size)
            cases.append(rows)
    stacked = np.concatenate(cases)
    named = None if list(runs) == [None] else Column(as_objects(m for part in models for m in part))
    fold_set = set_from_arrays(
        labels[stacked],
        np.concatenate(scores),
        np.concatenate(groups),
        models=named,
        cases=stacked,
        clusters=None if clusters is None else read_column(clusters, "cluster")[stacked],
        sample_weight=None if weights is None else weights[stacked],
        positive=positive,
        unit="fold",
        design=design,
    )
    names = tuple(f"fold {i + 1}" for i in fold_set.group_values)
    return replace(fold_set, groups=names, group_values=names)
