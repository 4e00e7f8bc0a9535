"""The classifiers to compare: arrays paired by position, or Scores that know their labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from rocsteady.caller import caller_level
from rocsteady.counting.arguments import yes_or_no
from rocsteady.counting.results import Result
from rocsteady.curves.given import described, is_table, only_scores, require_nothing_said_twice
from rocsteady.errors import ColumnError, DataError, Option, Remedy, UsageError, warn
from rocsteady.scores.pairing import told_of_clusters
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.words import counted, grouped, listed, plural, printable

_TAKES = {"compare_auc": ("to compare AUCs", "DeLong's test"), "": ("to compare curves", "this test")}
"""What a function needs its classifiers for, and what it calls its test."""


def given_classifiers(
    labels: Any,
    scores: Sequence[Any],
    *,
    paired: bool,
    positive: object,
    higher_is_positive: bool,
    function: str = "compare_auc",
    most: int | None = None,
) -> list[Scores]:
    """The scores of each classifier; RS002, RS013 or RS038 if they cannot be compared.

    ``function`` is what the messages tell to type; ``most`` the number of classifiers it takes.
    """
    paired = yes_or_no("paired", paired)
    higher_is_positive = yes_or_no("higher_is_positive", higher_is_positive)
    everything: tuple[Any, ...] = tuple(only_scores(value) for value in (labels, *scores))
    are_scores = [isinstance(value, Scores) for value in everything]
    if all(are_scores):
        _require_number(len(everything), paired, function, most)
        for own in everything:
            require_nothing_said_twice(own, positive, None, higher_is_positive)
        _require_comparable(everything, paired=paired, function=function)
        if not paired:
            _warn_of_same_cases(*everything)
        _warn_of_clusters(everything, function)
        return list(everything)
    for value in everything:
        if isinstance(value, Scores | ScoreSet | Result) or is_table(value):
            raise _not_arrays(value, everything, function)
    if len(scores) == 1:
        _refuse_one_for_all(scores[0], function)
    _require_number(len(scores), paired, function, most)
    pair = _label_pair(labels)
    if paired and pair:
        raise UsageError(
            "RS002",
            "two label arrays mean two sets of cases, which cannot be paired.",
            "found: a pair of arrays as labels",
            ("compare them as independent sets:  ", Option("paired", False)),
            "or give one label array and the scores of both classifiers on it",
        )
    made = []
    for number, (own_labels, own_scores) in enumerate(
        zip(pair or [labels] * len(scores), scores, strict=True), start=1
    ):
        with naming_classifier(number, len(scores)):
            made.append(
                Scores.deferred(
                    own_labels, own_scores, positive=positive, higher_is_positive=higher_is_positive
                )
            )
    return made


@contextmanager
def naming_classifier(number: int, n_classifiers: int) -> Iterator[None]:
    """Say which of several score arrays is wrong where a message speaks of "scores"."""
    try:
        yield
    except (ColumnError, DataError) as error:
        if error.code not in ("RS013", "RS015", "RS031", "RS033"):
            raise
        problem = f"score array {number} of {n_classifiers}: {error.problem}"
        raise type(error)(error.code, problem, error.found, *error.remedies) from None


def _label_pair(labels: Any) -> tuple[Any, Any] | None:
    """The two label arrays if ``labels`` is a pair of them; a list of two labels is not."""
    if not isinstance(labels, list | tuple) or len(labels) != 2:
        return None
    if any(isinstance(part, str | bytes) or not hasattr(part, "__len__") for part in labels):
        return None
    return labels[0], labels[1]


def _require_number(n_classifiers: int, paired: bool, function: str, most: int | None) -> None:
    if not paired:
        most = 2
    if n_classifiers < 2 or (most is not None and n_classifiers > most):
        needed = "two or more" if most is None else "exactly two"
        problem = f"{needed} classifiers are needed {_words(function)[0]}."
        raise UsageError("RS002", problem, f"found: {n_classifiers}", _call(function))


def _words(function: str) -> tuple[str, str]:
    return _TAKES.get(function, _TAKES[""])


def _call(function: str) -> str:
    return f"{function}(labels, scores_a, scores_b)"


def _refuse_one_for_all(scores: Any, function: str) -> None:
    """RS002 if the scores of all classifiers came as one table or list of arrays."""
    remedy = ""
    if isinstance(scores, np.ndarray) and scores.ndim == 2:
        remedy = f"each column by itself:  {function}(labels, *scores.T)"
    elif isinstance(scores, list | tuple) and scores and all(np.ndim(part) == 1 for part in scores[:2]):
        remedy = f"each array by itself:  {function}(labels, *scores)"
    if remedy:
        raise UsageError(
            "RS002",
            f"{function} takes the scores of each classifier as an argument of its own.",
            f"found: {described(scores)}",
            remedy,
        )


def _require_comparable(classifiers: Sequence[Scores], *, paired: bool, function: str) -> None:
    """Scores objects: no weights, one direction and, if paired, the same labels row by row."""
    first = classifiers[0]
    for number, own in enumerate(classifiers, start=1):
        if own.columns.weights is not None:
            raise UsageError(
                "RS038",
                f"{_words(function)[1]} counts cases and does not take weights.",
                f"found: {own!r}",
                "leave the weights out:  Scores(labels, scores)",
            )
        if not paired or number == 1:
            continue
        if own.higher_is_positive != first.higher_is_positive:
            raise UsageError(
                "RS002",
                "in one of the Scores high is positive, in another low.",
                f"found: {first!r} and {own!r}",
                "turn one of them round:  Scores(labels, -scores)",
            )
        if own.columns.n_rows != first.columns.n_rows:
            raise ColumnError("RS013", "Scores to be paired need the same cases.", *_unlike(first, own))
        if own.cases is not None and first.cases is not None and own.cases != first.cases:
            raise UsageError("RS002", "Scores to be paired need the same cases.", *_unlike(first, own))
        differing = np.flatnonzero(own.is_positive != first.is_positive)
        if differing.size:
            raise UsageError(
                "RS002",
                f"Scores to be paired need the same cases in the same order; {grouped(differing.size)} of "
                f"{counted(own.columns.n_rows, 'label')} {'differs' if differing.size == 1 else 'differ'}.",
                *_unlike(first, own, f"; first at row {grouped(int(differing[0]))}"),
            )


def _warn_of_same_cases(first: Scores, second: Scores) -> None:
    """RS279 if cases are named, and both classifiers scored some of the same."""
    names = [set(own.cases or ()) for own in (first, second)]
    told = told_of_same_cases(len(names[0] & names[1]), *map(len, names))
    if told is not None:
        is_all = names[0] == names[1]
        remedy = "pair them: leave out  paired=False"
        if not is_all:
            remedy = (
                "name models and cases in a ScoreSet, and pair those:  compare(score_set, unmatched='drop')"
            )
        warn("RS279", *told, remedy, stacklevel=caller_level())


def told_of_same_cases(n_shared: int, n_first: int, n_second: int) -> tuple[str, str] | None:
    """What RS279 says of cases that both scored, before what to do; None if there are none.

    >>> told_of_same_cases(40, 40, 40)
    ('both scored the same cases, which are tested as two independent samples.', 'found: 40 cases in both')
    >>> told_of_same_cases(39, 40, 39)[1]
    'found: 39 cases in both, of 40 and 39'
    """
    if not n_shared:
        return None
    sizes = "" if n_shared == n_first == n_second else f", of {grouped(n_first)} and {grouped(n_second)}"
    return (
        "both scored the same cases, which are tested as two independent samples.",
        f"found: {counted(n_shared, 'case')} in both{sizes}",
    )


def _warn_of_clusters(classifiers: Sequence[Scores], function: str) -> None:
    """RS104 if patients have several rows, for tests that take rows as cases."""
    if function in ("bootstrap_test", "compare_auc"):
        return
    for own in classifiers:
        told = told_of_clusters(own._clusters, own.columns.offsets, function, "dataset")
        if told is not None:
            warn("RS104", *told, stacklevel=caller_level())
            return


def _unlike(first: Scores, other: Scores, where: str = "") -> tuple[Any, ...]:
    """What was found about two sets of cases that should be one, and what to do."""
    return (
        f"found: {first!r} and {other!r}{where}",
        "name the cases, and all models keep their order:  ScoreSet.from_frame(..., case='...')",
        ("or compare them as independent sets:  ", Option("paired", False)),
    )


def _not_arrays(value: Any, everything: Sequence[Any], function: str) -> UsageError:
    problem = f"{function} takes labels and the scores of each classifier, or Scores alone."
    handed = listed([described(given) for given in everything], most=3)
    return UsageError("RS002", problem, f"found: {handed}", *_ways_to_compare(value, everything, function))


def _ways_to_compare(value: Any, everything: Sequence[Any], function: str) -> list[Remedy]:
    sets = [own for own in everything if isinstance(own, ScoreSet)]
    models = list(dict.fromkeys(model for own in sets for model in own.models))
    if isinstance(value, ScoreSet) and len(models) > 1:
        a, b = (f"score_set[{f'{model} / {value.groups[0]}'!r}]" for model in models[:2])
        whole: list[Remedy] = []
        if len(value.groups) > 1:
            whole = [f"all {printable(plural(value.unit))} at once:  compare(score_set)"]
        return [*whole, f"two models on one {printable(value.unit)}:  {function}({a}, {b})"]
    if isinstance(value, ScoreSet):
        return ["name the models and cases:  ScoreSet.from_frame(..., model='...', case='...')"]
    if isinstance(value, Scores):
        return [
            f"Scores have their labels:  {function}(scores_a, scores_b)",
            f"or arrays:  {_call(function)}",
        ]
    if isinstance(value, Result):
        return [f"a curve does not tell which case is which; give the scores:  {_call(function)}"]
    return [f"name the columns:  {function}(frame['label'], frame['score_a'], frame['score_b'])"]
