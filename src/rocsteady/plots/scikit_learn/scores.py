"""What a display was handed: predictions in several shapes, keywords under their old and new names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from rocsteady.averaging.methods import PLAIN
from rocsteady.curves.from_scores import described
from rocsteady.errors import Option, Remedy, RocsteadyError, fail
from rocsteady.options import one_of
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.sklearn import classes_of
from rocsteady.showing import said
from rocsteady.words import plural

_RESPONSES = ("predict_proba", "decision_function")
_OWN_WORDS = {"positive": "pos_label", "group": "groups"}
_MODELS_OF_CURVES = ("binormal",)
"""Not among the answers: no other question, but another estimate."""


def method_for(score_set: ScoreSet, method: Any, unit: str) -> Any:
    """The average that was asked for; of one group, where nothing is averaged, any."""
    if method is None and len(score_set) == 1:
        return "vertical"
    require_method(method, unit)
    return method


def require_method(method: object, unit: str) -> None:
    """RS093 if no average was named: the two questions, and which average answers what."""
    if method is not None:
        return
    answers: list[Remedy] = [
        [f"{said('advice.question', value, unit)}:  ", Option("method", name)]
        for name, value in PLAIN.items()
        if name not in _MODELS_OF_CURVES
    ]
    raise fail("RS093.undeclared", units=plural(unit), ways=answers)


def require_one_run(cv_results: object, method: object) -> None:
    """RS044 if there are the results of several models: each has its own average."""
    if not isinstance(cv_results, Mapping) or len(cv_results) < 2:
        return
    if all(isinstance(value, Mapping) for value in cv_results.values()):
        names = list(cv_results)
        asked = f"run, X, y, method={method if isinstance(method, str) else 'vertical'!r}, name=name, ax=ax"
        raise fail("RS044.display", n_models=len(names), names=names, asked=asked, first=names[0])


def given_once(name: str, value: Any, other_name: str, other: Any) -> Any:
    """The value of an argument that has two names; RS002 if both were used."""
    if value is not None and other is not None:
        raise fail("RS002.two-names", name=name, other_name=other_name)
    return other if value is None else value


def response_order(response_method: object) -> Sequence[str]:
    """The methods that an estimator is asked for, in scikit-learn's order; RS001 for others."""
    chosen = one_of("response_method", response_method, ("auto", *_RESPONSES))
    return _RESPONSES if chosen == "auto" else (chosen,)


def second_class(fitted: Any) -> Any:
    """``classes_[1]`` of an estimator, of the first of several, or of those of a cross-validation."""
    if isinstance(fitted, Mapping):
        first = next(iter(fitted.values()))
        fitted = fitted["estimator"] if "estimator" in fitted and "indices" in fitted else first
        return second_class(fitted)
    if isinstance(fitted, list | tuple):
        return second_class(fitted[0])
    return classes_of(fitted)[1]


def predictions_of(
    y_true: Any,
    y_score: Any,
    groups: Any,
    *,
    sample_weight: Any,
    positive: Any,
    higher_is_positive: bool,
    unit: str | None,
) -> ScoreSet:
    """The scores, from one entry for each row, or from lists with one array for each fold."""
    if y_score is None:
        raise fail("RS002.no-scores")
    lists = [_holds_arrays(given) for given in (y_true, y_score)]
    if not any(lists):
        return ScoreSet.from_arrays(
            y_true,
            y_score,
            groups,
            sample_weight=sample_weight,
            positive=positive,
            higher_is_positive=higher_is_positive,
            unit=unit,
        )
    if not all(lists) or len(y_true) != len(y_score):
        n_labels, n_scores = (
            len(own) if many else 1 for own, many in zip((y_true, y_score), lists, strict=True)
        )
        raise fail("RS002.fold-arrays", n_labels=n_labels, n_scores=n_scores)
    if sample_weight is not None and not _holds_arrays(sample_weight):
        way, found = "sample_weight=[weights[test] for test in tests]", described(sample_weight)
        raise fail(
            "RS002.kind", name="sample_weight", kind="one array for each fold", found=found, ways=[way]
        )
    return ScoreSet.from_folds(
        zip(y_true, y_score, strict=True),
        names=groups,
        positive=positive,
        sample_weight=sample_weight,
        higher_is_positive=higher_is_positive,
        unit=unit or "fold",
    )


def _holds_arrays(given: object) -> bool:
    """Whether it is a list of arrays, not a list of values."""
    is_array = isinstance(given, np.ndarray) and given.dtype.kind == "O"  # of folds that differ in length
    if not (is_array or isinstance(given, list | tuple)) or not len(given):  # type: ignore[arg-type]
        return False
    first = given[0]  # type: ignore[index]
    return hasattr(first, "__len__") and not isinstance(first, str | bytes)


@contextmanager
def in_words_of_sklearn() -> Iterator[None]:
    """Messages from below say ``positive=`` and ``group=``; here it is ``pos_label=`` and ``groups=``."""
    try:
        yield
    except RocsteadyError as error:
        error.remedies = tuple(_respelled(remedy) for remedy in error.remedies)
        raise


def _respelled(remedy: Remedy) -> Remedy:
    if isinstance(remedy, str):
        for name, own in _OWN_WORDS.items():
            remedy = re.sub(rf"\b{name}=", f"{own}=", remedy)
        return remedy
    if isinstance(remedy, Option):
        return Option(_OWN_WORDS.get(remedy.name, remedy.name), remedy.value)
    return [part if isinstance(part, str) else _respelled(part) for part in remedy]  # type: ignore[misc]
