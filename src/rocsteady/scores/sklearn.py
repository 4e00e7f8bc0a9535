"""scikit-learn: what cross-validated and fitted estimators say of rows that they have not seen.

Rows are handed on as the arguments of :meth:`ScoreSet.from_arrays`: nothing here knows what a set is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Array, Floats, Integers
from rocsteady.errors import ColumnError, UsageError, fail
from rocsteady.options import whole_number
from rocsteady.scores.columns import (
    Column,
    Factor,
    factorize,
    known_names,
    read_column,
    read_columns,
    shown,
    taken,
    word,
)
from rocsteady.scores.design import of_test_cases

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

    Examples
    --------
    >>> from rocsteady.scores import stratified_folds
    >>> import numpy as np
    >>> np.bincount(stratified_folds([0, 1, 1] * 5, 3)).tolist()
    [5, 5, 5]
    """
    whole_number("folds", folds, least=2, example=10)
    whole_number("seed", seed, least=0, example=0)
    classes = known_names(read_columns({"label": labels})["label"], "label")
    try:
        order = sorted(range(len(classes.values)), key=classes.values.__getitem__)
    except TypeError:  # values of several kinds have no order
        order = sorted(range(len(classes.values)), key=classes.names.__getitem__)
    rng, dealt = np.random.default_rng(seed), []
    for code in order:
        rows = rng.permutation(np.flatnonzero(classes.codes == code))
        if rows.size < folds:
            facts = {"name": shown(classes.values[code]), "n": rows.size, "folds": folds}
            raise fail("RS046" if rows.size > 1 else "RS046.one", **facts)
        dealt.append(rows)
    fold_of_row = np.empty(len(classes), dtype=np.int64)
    fold_of_row[np.concatenate(dealt)] = np.arange(len(classes)) % folds
    return fold_of_row


# What is scored, and by whom
# ---------------------------

_Rows = tuple[Column, Column | None, Sequence[Any]]
"""Labels, weights, and the classes among the labels."""
_Tested = list[tuple[Any, Integers]]
"""Fitted estimators, each with the rows that it is tested on."""


def _require_sklearn() -> None:
    """RS061 if scikit-learn is not installed."""
    try:
        import sklearn.base  # noqa: F401
    except ImportError as error:
        raise fail("RS061.sklearn") from error


def _read_rows(X: Any, y: object, sample_weight: object = None, *, classes: tuple[int, float]) -> _Rows:
    """Labels, weights, and so many classes among the labels; RS013 unless X has a row for each of them."""
    _require_sklearn()
    table = read_columns({"label": y, "weight": sample_weight})
    labels: Column = table["label"]
    shape = getattr(X, "shape", None)
    try:
        n_rows = int(shape[0]) if shape else len(X)
    except TypeError as error:
        raise fail("RS034.features", kind=type(X).__name__) from error
    if n_rows != len(labels):
        raise fail("RS013.features", n=n_rows, n_labels=len(labels))
    found = factorize(labels).values
    fewest, most = classes
    if len(found) > most:
        raise fail("RS022.classes", owner="y", n=len(found), classes=_words(found))
    if len(found) < fewest:
        raise fail("RS024.y", classes=_words(found) or "none")
    return labels, table.get("weight"), found


def _words(classes: Sequence[Any]) -> str:
    return ", ".join(map(word, classes[:12]))


def _fit(estimator: Any, X: Any, labels: Column, trains: Sequence[Integers]) -> list[Any]:
    """The estimator fitted on each of the training sets; RS045 unless it can be cloned and fitted."""
    from sklearn.base import clone

    is_class = isinstance(estimator, type)
    if is_class or not hasattr(estimator, "fit") or not hasattr(estimator, "get_params"):
        raise fail("RS045.estimator", is_class=is_class, name=_name(estimator))
    return [clone(estimator).fit(take_rows(X, train), labels.array[train]) for train in trains]


def classes_of(estimator: Any, fold: int | None = None) -> list[Any]:
    """The ``classes_`` of a fitted classifier, at least two, as numbers and text of Python."""
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        raise fail("RS045.unfitted", owner=_name(estimator))
    if len(classes) and np.ndim(classes[0]):
        raise fail("RS045.several", owner=_name(estimator), n=len(classes))
    if len(classes) < 2:
        raise fail("RS024", owner=_name(estimator, fold), name=word(classes[0]))
    array = np.asarray(classes)
    return list(array) if array.dtype.kind in "mM" else array.tolist()


def _name(estimator: Any, fold: int | None = None) -> str:
    if fold is not None:
        return f"the estimator of fold {fold + 1}"
    return estimator.__name__ if isinstance(estimator, type) else type(estimator).__name__


def _response(estimator: Any, X: Any, methods: Sequence[str], fold: int | None) -> tuple[str, Array]:
    """The first of the methods that a classifier has, and what it says of the rows; RS045 if it fails."""
    method = next((name for name in methods if hasattr(estimator, name)), None)
    if method is None:
        other = next((name for name in DECISION_FIRST if hasattr(estimator, name)), None)
        raise fail("RS045.scores", owner=_name(estimator), lacking=" and no ".join(methods), other=other)
    try:
        return method, np.asarray(getattr(estimator, method)(X))
    except Exception as error:  # whatever an estimator of somebody else raises
        said = str(error).strip().partition("\n")[0] or type(error).__name__
        raise fail("RS045.failed", owner=_name(estimator, fold), method=method, said=said) from error


def _scores_of(
    estimator: Any, X: Any, positive: object, methods: Sequence[str], found: Sequence[Any], fold: int | None
) -> Array:
    """What a fitted classifier says for the positive class; ``found`` are the classes of the labels."""
    classes = classes_of(estimator, fold)
    facts = {"owner": _name(estimator, fold), "classes": _words(classes)}
    if len(found) and not any(own in classes for own in found):
        raise fail("RS021.training", kind=_name(estimator), trained=_words(classes), found=_words(found))
    if len(classes) > 2:
        raise fail("RS022.classes", n=len(classes), **facts)
    if positive not in classes:
        raise fail("RS021.estimator", name=word(positive), label=classes[1], **facts)
    method, response = _response(estimator, X, methods, fold)
    is_share, index = method == "predict_proba", classes.index(positive)
    needed = (len(response), 2) if is_share else (len(response),)
    if response.shape != needed:
        raise fail("RS045.shape", owner=facts["owner"], method=method, shape=response.shape, needed=needed)
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
    models: Mapping[Any, _Tested],
    X: Any,
    rows: _Rows,
    positive: object,
    *,
    names: Sequence[str] | None = None,
    responses: Sequence[str] = DECISION_FIRST,
    **known: Any,
) -> dict[str, Any]:
    """The rows that every estimator of every model is tested on, one below the other.

    ``names`` are those of the estimators; without them they are folds, and called so.
    """
    labels, weights, found = rows
    scores, tested, pairs = [], [], []
    for model, estimators in enumerate(models.values()):
        for fold, (estimator, test) in enumerate(estimators):
            which = fold if names is None else None
            if positive is None:
                positive = classes_of(estimator, which)[1]
            own = X if names else take_rows(X, test)
            scores.append(_scores_of(estimator, own, positive, responses, found, which))
            tested.append(test)
            pairs.append(np.tile([[model], [fold]], test.size))
    stacked, (of_model, of_fold) = np.concatenate(tested), np.concatenate(pairs, axis=1)
    called = tuple(names or (f"fold {i + 1}" for i in range(of_fold.max() + 1)))
    return known | {
        "labels": labels[stacked],
        "scores": np.concatenate(scores),
        "groups": Factor(of_fold, called),
        "models": None if list(models) == [None] else Factor(of_model, tuple(models)),
        "cases": stacked,
        "sample_weight": None if weights is None else weights[stacked],
        "positive": positive,
    }


def rows_of_estimator(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    groups: object = None,
    positive: object = None,
    sample_weight: object = None,
    responses: Sequence[str],
    unit: str | None = None,
) -> dict[str, Any]:
    """Rows scored by a fitted classifier, tried on groups of them; or by several, each a group of its own.

    ``positive`` is ``classes_[1]`` of the (first) classifier if it is not given.
    """
    rows = _read_rows(X, y, sample_weight, classes=(0, 2))
    labels, weights, found = rows
    if isinstance(estimator, Mapping):
        several = dict(estimator)
    elif isinstance(estimator, list | tuple):
        several = {f"estimator {i}": each for i, each in enumerate(estimator, start=1)}
    else:  # a Pipeline has a length, and is one
        wanted = classes_of(estimator)[1] if positive is None else positive
        scores = _scores_of(estimator, X, wanted, responses, found, None)
        known = {"labels": labels, "scores": scores, "groups": groups, "sample_weight": weights}
        return known | {"positive": wanted, "unit": unit}
    names = [str(name) for name in several]
    if not names or len(set(names)) < len(names):
        raise fail("RS002.estimators", names=names)
    if groups is not None:
        raise fail("RS002.groups", n=len(several))
    tested = {None: [(each, np.arange(len(labels))) for each in several.values()]}
    return _scored(tested, X, rows, positive, names=names, responses=responses, unit=unit or "estimator")


def cross_validated_rows(
    estimator: Any, X: Any, y: Any, *, folds: int, seed: int, positive: object, cv: Any, groups: object
) -> dict[str, Any]:
    """Rows scored by an estimator, or a dict of them, that has not seen them."""
    models = dict(estimator) if isinstance(estimator, Mapping) and estimator else {None: estimator}
    rows = _read_rows(X, y, classes=(2, 2))
    labels = rows[0]
    if cv is None:
        if hasattr(folds, "split"):
            raise fail("RS002.kind", name="folds", kind="a number", found=repr(folds), ways=[f"cv={folds!r}"])
        if groups is not None:
            raise fail("RS002.no-cv")
        fold_of_row = stratified_folds(labels, folds, seed=seed)
        cv = [(fold_of_row != fold, fold_of_row == fold) for fold in range(folds)]
    try:
        if isinstance(cv, Integral):  # as scikit-learn's own cross_validate takes it
            from sklearn.model_selection import check_cv

            cv = check_cv(int(cv), labels.array, classifier=True)
        pairs = cv.split(X, labels.array, groups) if hasattr(cv, "split") else cv
        splits = [tuple(_row_numbers(own, len(labels)) for own in (train, test)) for train, test in pairs]
    except (TypeError, ValueError) as error:
        if isinstance(error, UsageError | ColumnError):
            raise
        raise fail("RS045.cv", kind=type(cv).__name__, reason=error) from error
    if not splits:
        raise fail("RS045.cv", kind=type(cv).__name__, reason="no folds")
    trains, tests = zip(*splits, strict=True)
    models = {
        name: list(zip(_fit(own, X, labels, trains), tests, strict=True)) for name, own in models.items()
    }
    design = of_test_cases(tests, [own.size for own in trains])
    clusters = None if groups is None else read_column(groups, "cluster")
    found = _scored(models, X, rows, positive, unit="fold", design=design)
    return found | {"clusters": taken(clusters, found["cases"])}


def rows_of_cv_results(
    cv_results: Mapping[Any, Any],
    X: Any,
    y: Any,
    *,
    positive: object = None,
    sample_weight: object = None,
    responses: Sequence[str] = DECISION_FIRST,
) -> dict[str, Any]:
    """Rows of :meth:`ScoreSet.from_cv_results`; the first of the ``responses`` that there is is used."""
    _require_sklearn()
    if hasattr(cv_results, "cv_results_") or (isinstance(cv_results, Mapping) and "params" in cv_results):
        raise fail("RS045.search")
    if not isinstance(cv_results, Mapping) or not cv_results:
        raise fail("RS045", found=f"type {type(cv_results).__name__}", call=_CALL)
    several = all(isinstance(value, Mapping) for value in cv_results.values())
    runs = dict(cv_results) if several else {None: cv_results}
    rows = _read_rows(X, y, sample_weight, classes=(2, 2))
    found = {name: _run(results, name, len(rows[0])) for name, results in runs.items()}
    models = {name: tested for name, (tested, _) in found.items()}
    tested, n_train = next(iter(found.values()))
    design = of_test_cases([test for _, test in tested], n_train) if len(tested) > 1 else None
    return _scored(models, X, rows, positive, responses=responses, unit="fold", design=design)


def _run(results: Mapping[str, Any], name: object, n_rows: int) -> tuple[_Tested, list[int]]:
    """The estimators and test rows of one ``cross_validate``, and how many rows each was trained on."""
    options = {"estimator": "return_estimator=True", "indices": "return_indices=True"}
    lacking = [option for key, option in options.items() if key not in results]
    if lacking:
        model, keys = None if name is None else word(name), ", ".join(map(str, results))
        raise fail("RS045.lacking", model=model, lacking=lacking, keys=keys, call=_CALL)
    indices = results["indices"]
    try:
        estimators, tests = list(results["estimator"]), list(indices["test"])
    except (TypeError, KeyError, IndexError) as error:
        raise fail("RS045", found=repr(error), call=_CALL) from error
    if not tests or len(estimators) != len(tests):
        found = f"{len(estimators)} estimators, {len(tests)} folds"
        raise fail("RS045", found=found, call=_CALL)
    tests = [_row_numbers(rows, n_rows) for rows in tests]
    tested = list(zip(estimators, tests, strict=True))
    if "train" not in indices or len(indices["train"]) != len(tests):
        return tested, [n_rows - own.size for own in tests]
    trains = [_row_numbers(rows, n_rows) for rows in indices["train"]]
    dealt = [np.union1d(train, test) for train, test in zip(trains, tests, strict=True)]
    # Every fold deals the same first rows: X and y have more of them than were cross-validated.
    if all(own.size != n_rows and own[-1] == own.size - 1 for own in dealt):
        raise fail("RS013.more", n=n_rows, last=dealt[-1][-1])
    return tested, [own.size for own in trains]


def _row_numbers(rows: object, n_rows: int) -> Integers:
    """Rows of a fold as numbers; a mask of all rows is as good."""
    array = np.asarray(rows)
    if array.ndim == 1 and array.dtype.kind == "b" and array.size == n_rows:
        return np.flatnonzero(array)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise fail("RS045", found=f"rows of type {array.dtype}, shape {array.shape}", call=_CALL)
    if array.min() < 0 or array.max() >= n_rows:
        raise fail("RS013.rows", n=n_rows, first=array.min(), last=array.max())
    return array.astype(np.int64)


def cross_validated_matrix(
    estimator: Any, X: Any, y: Any, *, folds: int, seed: int
) -> tuple[Column, Floats, Factor, list[Any]]:
    """Labels, the outputs for every row of an estimator that has not seen it, folds, and classes."""
    labels, _, found = _read_rows(X, y, classes=(2, np.inf))
    fold_of_row = stratified_folds(labels, folds, seed=seed)
    fitted = _fit(estimator, X, labels, [np.flatnonzero(fold_of_row != fold) for fold in range(folds)])
    classes = classes_of(fitted[0], 0)
    outputs = np.empty((len(labels), len(found)))
    for fold, own in enumerate(fitted):
        known = classes_of(own, fold)
        if known != classes or len(known) != len(found):
            raise fail("RS045.classes", fold=fold + 1, classes=[shown(c) for c in known])
        test = np.flatnonzero(fold_of_row == fold)
        method, said = _response(own, take_rows(X, test), DECISION_FIRST[::-1], fold)
        facts = {"owner": _name(own), "method": method}
        if method == "decision_function" and (said < 0).any():
            raise fail("RS076.decisions", kind=facts["owner"], fold=fold + 1, least=said.min())
        if said.shape != (test.size, len(known)):
            raise fail("RS045.shape", shape=said.shape, needed=(test.size, len(known)), **facts)
        outputs[test] = said
    return labels, outputs, Factor(fold_of_row, tuple(f"fold {i + 1}" for i in range(folds))), classes
