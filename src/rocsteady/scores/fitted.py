"""scikit-learn: the scores of fitted classifiers on rows that they have not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocsteady.errors import UsageError, counted
from rocsteady.scores.arrays import Column, read_column, require_equal_lengths
from rocsteady.scores.building import set_from_arrays
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.sklearn import classes_among, classes_of, require_rows, scikit_learn, scores_of


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
    labels = read_column(y, "label")
    require_rows(X, labels)
    classes_among(labels)
    weights = None if sample_weight is None else read_column(sample_weight, "weight")
    if weights is not None:
        require_equal_lengths({"label": labels, "weight": weights})
    named = _by_name(estimator)
    if named is None:
        if positive is None:
            positive = classes_of(estimator)[1]
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
    if positive is None:
        positive = classes_of(next(iter(named.values())))[1]
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
