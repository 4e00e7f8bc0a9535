"""scikit-learn: the scores of cross-validated and of fitted estimators on rows that they have not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Integers
from rocsteady.calling import welcomes
from rocsteady.errors import ColumnError, Option, RocsteadyError, UsageError, fail
from rocsteady.scores.columns import (
    Column,
    Factor,
    factorize,
    missing_values,
    no_rows,
    read_column,
    read_columns,
    shown,
    word,
)
from rocsteady.scores.design import Design, of_test_cases
from rocsteady.scores.multiclass import MulticlassScores
from rocsteady.scores.score_set import ScoreSet

DECISION_FIRST = ("decision_function", "predict_proba")
"""Probabilities that are rounded to 0 or 1 tie cases that decision values tell apart."""
_CALL = "cross_validate(..., return_estimator=True, return_indices=True)"


def stratified_folds(labels: object, folds: int = 10, *, seed: int = 0) -> NDArray[np.int64]:
    """The fold of each row, 0 to ``folds - 1``.

    For each class in order, its rows are shuffled and dealt to the folds in turn, and the next class goes
    on where the last one stopped. So both the class counts and the sizes of any two folds differ by at
    most one.

    Parameters
    ----------
    labels : array-like
        The class of each row, two or more classes.
    folds : int
        At least 2.
    seed : int
        Of ``numpy.random.default_rng``.

    Raises
    ------
    LabelError
        RS046 if a class has fewer rows than there are folds, RS023 if labels are missing.

    Examples
    --------
    >>> from rocsteady.scores import stratified_folds
    >>> import numpy as np
    >>> np.bincount(stratified_folds([0, 1, 1] * 5, 3)).tolist()
    [5, 5, 5]
    """
    for name, value, least in (("folds", folds, 2), ("seed", seed, 0)):
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
            where = f"an integer of at least {least}" if least else "an integer, not negative"
            usual = Option(name, 10 if least else 0)
            raise fail("RS042", name=name, where=where, found=value, ways=[["use  ", usual]])
    column = read_column(labels, "label")
    if len(column) == 0:
        raise no_rows()
    classes = factorize(column)
    if classes.gaps is not None:
        raise missing_values(classes.gaps, "label")
    try:
        order = sorted(range(len(classes.values)), key=lambda code: classes.values[code])
    except TypeError:  # values of several kinds have no order
        order = sorted(range(len(classes.values)), key=lambda code: word(classes.values[code]))
    rng = np.random.default_rng(seed)
    fold_of_row = np.empty(len(column), dtype=np.int64)
    pointer = 0
    for code in order:
        rows = rng.permutation(np.flatnonzero(classes.codes == code))
        if rows.size < folds:
            facts = {"name": shown(classes.values[code]), "n": rows.size, "folds": folds}
            raise fail("RS046" if rows.size > 1 else "RS046.one", **facts)
        fold_of_row[rows] = (pointer + np.arange(rows.size)) % folds
        pointer += rows.size
    return fold_of_row


# What is scored, and by whom
# ---------------------------


def scikit_learn() -> Any:
    """Its ``clone``; RS061 if it is not installed."""
    try:
        from sklearn.base import clone
    except ImportError as error:
        raise fail("RS061.sklearn") from error
    return clone


_Rows = tuple[Column, Column | None, Sequence[Any]]
"""Labels, weights, and the classes among the labels."""


def _read_rows(X: Any, y: object, sample_weight: object = None) -> _Rows:
    """Labels, weights, and the classes among the labels; RS013 unless X has a row for each of them."""
    table = read_columns({"label": y, "weight": sample_weight})
    labels: Column = table["label"]
    shape = getattr(X, "shape", None)
    try:
        n_rows = int(shape[0]) if shape else len(X)
    except TypeError as error:
        raise fail("RS034.features", kind=type(X).__name__) from error
    if n_rows != len(labels):
        raise fail("RS013.features", n=n_rows, n_labels=len(labels))
    return labels, table.get("weight"), factorize(labels).values


def _require_two(found: Sequence[Any], *, least: int = 2) -> None:
    """RS022 for more classes than two, RS024 for fewer."""
    if len(found) > 2:
        raise fail("RS022.y", n=len(found), classes=_words(found))
    if len(found) < least:
        raise fail("RS024.y", classes=_words(found) or "none")


def _words(classes: Sequence[Any]) -> str:
    return ", ".join(map(word, classes[:12]))


def _require_estimator(estimator: Any) -> None:
    """RS045 unless it can be cloned and fitted."""
    if not hasattr(estimator, "fit") or not hasattr(estimator, "get_params") or isinstance(estimator, type):
        is_class = isinstance(estimator, type)
        found = f"the class {estimator.__name__}" if is_class else f"type {type(estimator).__name__}"
        raise fail("RS045.estimator", found=found)


def classes_of(estimator: Any, fold: int | None = None) -> Any:
    """The ``classes_`` of a fitted classifier, at least two."""
    classes = getattr(estimator, "classes_", None)
    kind = estimator.__name__ if isinstance(estimator, type) else type(estimator).__name__
    if classes is None:
        raise fail("RS045.unfitted" if fold is None else "RS045.no-classifier", kind=kind)
    if len(classes) and np.ndim(classes[0]):
        raise fail("RS045.several", kind=kind, n=len(classes))
    if len(classes) < 2:
        if fold is None:
            raise fail("RS024", owner=kind, name=word(classes[0]))
        raise fail("RS024.fold", fold=fold + 1, name=word(classes[0]))
    return classes


def scores_of(
    estimator: Any,
    X: Any,
    positive: object,
    responses: Sequence[str],
    found: Sequence[Any],
    fold: int | None = None,
) -> NDArray[Any]:
    """What a fitted classifier says for the positive class, by the first of the methods that it has.

    ``found`` are the classes of the labels: one of them at least must be known to the classifier.
    """
    kind = type(estimator).__name__
    classes = np.asarray(classes_of(estimator, fold)).tolist()  # numbers and text of Python
    owner = kind if fold is None else f"the estimator of fold {fold + 1}"
    if len(found) and not any(own in classes for own in found):
        raise fail("RS021.training", kind=kind, trained=_words(classes), found=_words(found))
    if len(classes) > 2:
        raise fail("RS022.estimator", owner=owner, n=len(classes), classes=_words(classes))
    if positive not in classes:
        raise fail(
            "RS021.estimator", owner=owner, name=word(positive), classes=_words(classes), label=classes[1]
        )
    method = next((name for name in responses if hasattr(estimator, name)), None)
    if method is None:
        lacking = ("neither " if len(responses) > 1 else "no ") + " nor ".join(responses)
        others = [name for name in DECISION_FIRST if hasattr(estimator, name)]
        if others:
            raise fail("RS045.response", kind=kind, lacking=lacking, other=others[0])
        raise fail("RS045.scores", kind=kind, lacking=lacking)
    try:
        response = np.asarray(getattr(estimator, method)(X))
    except Exception as error:  # whatever an estimator of somebody else raises
        said = str(error).strip().partition("\n")[0] or type(error).__name__
        raise fail("RS045.failed", owner=owner, method=method, said=said) from error
    is_share, index = method == "predict_proba", classes.index(positive)
    if response.shape[1:] != ((2,) if is_share else ()):
        needed = "one column for each of two classes" if is_share else "one number for each row"
        raise fail("RS045.shape", owner=owner, method=method, shape=response.shape, needed=needed)
    if is_share:
        return response[:, index]
    return response if index == 1 else -response  # it speaks for classes_[1]


def take_rows(features: Any, rows: Integers) -> Any:
    """Rows of an array, a sparse matrix, a list, or a frame."""
    if hasattr(features, "iloc"):
        return features.iloc[rows]
    if hasattr(features, "tocsr"):
        return features.tocsr()[rows]
    if isinstance(features, list | tuple):
        return [features[row] for row in rows]
    return features[rows]


def _scored(
    runs: Mapping[Any, tuple[Sequence[Any], Sequence[Integers]]],
    X: Any,
    rows: _Rows,
    positive: object,
    *,
    names: Sequence[str] | None = None,
    responses: Sequence[str] = DECISION_FIRST,
    design: Design | None = None,
    clusters: object = None,
    unit: str = "fold",
) -> ScoreSet:
    """The rows that every estimator of every run is tested on, one below the other.

    ``names`` are those of the estimators; without them they are folds, and called so.
    """
    labels, weights, found = rows
    scores, tested, folds = [], [], []
    for estimators, tests in runs.values():
        for fold, (estimator, test) in enumerate(zip(estimators, tests, strict=True)):
            which = fold if names is None else None
            if positive is None:
                positive = classes_of(estimator, which)[1]
            own = X if test.size == len(labels) and names else take_rows(X, test)
            scores.append(scores_of(estimator, own, positive, responses, found, which))
            tested.append(test)
            folds.append(fold)
    sizes = [test.size for test in tested]
    stacked = np.concatenate(tested)
    called = tuple(names or (f"fold {i + 1}" for i in range(max(folds) + 1)))
    models = np.repeat(np.arange(len(runs)), [sum(test.size for test in tests) for _, tests in runs.values()])
    return ScoreSet.from_arrays(
        labels[stacked],
        np.concatenate(scores),
        Factor(np.repeat(folds, sizes), called),
        models=None if list(runs) == [None] else Factor(models, tuple(runs)),
        cases=stacked,
        clusters=None if clusters is None else read_column(clusters, "cluster")[stacked],
        sample_weight=None if weights is None else weights[stacked],
        positive=positive,
        unit=unit,
        design=design,
    )


# Fitted classifiers
# ------------------


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
    rows = _read_rows(X, y, sample_weight)
    labels, weights, found = rows
    _require_two(found, least=0)
    if isinstance(estimator, Mapping):
        several = dict(estimator)
    elif isinstance(estimator, list | tuple):
        several = {f"estimator {i}": each for i, each in enumerate(estimator, start=1)}
    else:  # a Pipeline has a length, and is one
        wanted = classes_of(estimator)[1] if positive is None else positive
        scores = scores_of(estimator, X, wanted, responses, found)
        return ScoreSet.from_arrays(labels, scores, groups, sample_weight=weights, positive=wanted, unit=unit)
    if not several:
        raise fail("RS002.no-estimators")
    names = [str(name) for name in several]
    if len(set(names)) < len(names):
        raise fail("RS002.estimators", names=", ".join(map(repr, several)))
    if groups is not None:
        raise fail("RS002.groups", n=len(several))
    runs = {None: (list(several.values()), [np.arange(len(labels))] * len(several))}
    return _scored(runs, X, rows, positive, names=names, responses=responses, unit=unit or "estimator")


# Cross-validated classifiers
# ---------------------------


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
        _require_estimator(own)
    rows = _read_rows(X, y)
    labels, _, found = rows
    _require_two(found)
    trains, tests = _splits(X, labels, folds, seed, cv, groups)
    fitted = {
        name: ([clone(own).fit(take_rows(X, train), labels.array[train]) for train in trains], tests)
        for name, own in models.items()
    }
    design = of_test_cases(tests, [own.size for own in trains])
    return _scored(fitted, X, rows, positive, design=design, clusters=groups)


def _splits(
    X: Any, labels: Column, folds: int, seed: int, cv: Any, groups: object
) -> tuple[list[Integers], list[Integers]]:
    """Training and test rows of every fold."""
    if cv is None:
        if groups is not None:
            raise fail("RS002.no-cv")
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
        raise fail("RS045.cv", kind=type(cv).__name__, reason=error) from error
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
        problem = "cv_results is not a dictionary of cross-validation results."
        raise _unusable(problem, f"type {type(cv_results).__name__}")
    several = all(isinstance(value, Mapping) for value in cv_results.values())
    runs = dict(cv_results) if several else {None: cv_results}
    rows = _read_rows(X, y, sample_weight)
    labels, _, found = rows
    _require_two(found)
    fitted, designs = {}, []
    for name, results in runs.items():
        estimators, tests, trains = _fitted(results, name, len(labels))
        fitted[name] = estimators, tests
        sizes = [len(labels) - own.size for own in tests] if trains is None else [own.size for own in trains]
        designs.append(of_test_cases(tests, sizes) if len(tests) > 1 else None)
    return _scored(fitted, X, rows, positive, responses=responses, design=designs[0])


def _fitted(
    results: Mapping[str, Any], name: object, n_rows: int
) -> tuple[list[Any], list[Integers], list[Integers] | None]:
    """The estimators, test rows and training rows (None if they are not known) of one ``cross_validate``."""
    options = {"estimator": "return_estimator=True", "indices": "return_indices=True"}
    lacking = [option for key, option in options.items() if key not in results]
    if lacking:
        owner = "" if name is None else f' of "{word(name)}"'
        keys = ", ".join(map(str, results))
        raise fail("RS045.lacking", owner=owner, lacking=" and ".join(lacking), keys=keys, call=_CALL)
    try:
        estimators, tests = list(results["estimator"]), list(results["indices"]["test"])
    except (TypeError, KeyError, IndexError) as error:
        problem = "the cross-validation results hold no estimators and test rows."
        raise _unusable(problem, repr(error)) from error
    if not estimators and not tests:
        raise _unusable("the cross-validation results have no folds.", "0 estimators")
    if len(estimators) != len(tests):
        raise _unusable(
            "estimators and folds differ in number.", f"{len(estimators)} estimators, {len(tests)} folds"
        )
    tests = [_row_numbers(rows, n_rows) for rows in tests]
    indices = results["indices"]
    trains = indices.get("train") if isinstance(indices, Mapping) else None
    if not isinstance(trains, list | tuple) or len(trains) != len(tests):
        return estimators, tests, None
    trains = [_row_numbers(rows, n_rows) for rows in trains]
    dealt = [np.union1d(train, test) for train, test in zip(trains, tests, strict=True)]
    # Every fold deals the same first rows: X and y have more of them than were cross-validated.
    if all(own.size != n_rows and own[-1] == own.size - 1 for own in dealt):
        raise fail("RS013.more", n=n_rows, last=dealt[-1][-1])
    return estimators, tests, trains


def _unusable(problem: str, found: str) -> RocsteadyError:
    return fail("RS045", problem=problem, found=found, call=_CALL)


def _row_numbers(rows: object, n_rows: int) -> Integers:
    """Rows of a fold as numbers; a mask of all rows is as good."""
    array = np.asarray(rows)
    if array.ndim == 1 and array.dtype.kind == "b" and array.size == n_rows:
        return np.flatnonzero(array)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        found = f"type {array.dtype}, shape {array.shape}"
        raise _unusable("a test fold is not a list of row numbers.", found)
    if array.min() < 0 or array.max() >= n_rows:
        raise fail("RS013.rows", n=n_rows, first=array.min(), last=array.max())
    return array.astype(np.int64)


# Classifiers of several classes
# ------------------------------


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
    _require_estimator(estimator)
    labels, _, found = _read_rows(X, y)
    fold_of_row = stratified_folds(labels, folds, seed=seed)
    if len(found) < 2:
        raise fail("RS024.y", classes=_words(found))
    outputs = np.empty((len(labels), len(found)))
    classes: list[Any] = []
    for fold in range(folds):
        train, test = np.flatnonzero(fold_of_row != fold), np.flatnonzero(fold_of_row == fold)
        fitted = clone(estimator).fit(take_rows(X, train), labels.array[train])
        own = list(classes_of(fitted, fold))
        classes = classes or own
        if own != classes or len(own) != len(found):
            raise fail("RS045.classes", fold=fold + 1, classes=[shown(c) for c in own])
        outputs[test] = _outputs_of(fitted, take_rows(X, test), (test.size, len(own)), fold)
    names = [f"fold {i + 1}" for i in range(folds)]
    scores = MulticlassScores(
        labels, outputs, folds=[names[i] for i in fold_of_row], classes=np.asarray(classes)
    )
    return scores.select(names)  # in the order of their numbers


def _outputs_of(estimator: Any, X: Any, shape: tuple[int, int], fold: int) -> NDArray[Any]:
    """What predict_proba says, or a decision_function that can stand for it."""
    kind = type(estimator).__name__
    method = next((name for name in reversed(DECISION_FIRST) if hasattr(estimator, name)), None)
    if method is None:
        raise fail("RS045.outputs", kind=kind)
    outputs = np.asarray(getattr(estimator, method)(X))
    if method == "decision_function" and (outputs < 0).any():
        raise fail("RS076.decisions", kind=kind, fold=fold + 1, least=outputs.min())
    if outputs.shape != shape:
        raise fail(
            "RS045.columns", method=method, kind=kind, shape=outputs.shape, n=shape[0], classes=shape[1]
        )
    return outputs
