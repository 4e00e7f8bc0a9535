"""The classifiers to compare: arrays paired by position, or Scores that know their labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from rocsteady.curves.from_scores import described, is_table, only_scores, require_nothing_said_twice
from rocsteady.errors import ColumnError, DataError, Remedy, RocsteadyError, fail, warn
from rocsteady.options import yes_or_no
from rocsteady.results import Result
from rocsteady.scores.score_set import ScoreSet, told_of_clusters
from rocsteady.scores.scores import Scores
from rocsteady.words import plural, printable


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
        raise fail("RS002.paired-labels")
    made = []
    for number, (own_labels, own_scores) in enumerate(
        zip(pair or [labels] * len(scores), scores, strict=True), start=1
    ):
        with naming_classifier(number, len(scores)):
            made.append(
                Scores.in_place(
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
        error.problem = f"score array {number} of {n_classifiers}: {error.problem}"
        raise


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
        raise fail(
            "RS002.number-of-classifiers",
            needed="two or more" if most is None else "exactly two",
            what="AUCs" if function == "compare_auc" else "curves",
            n=n_classifiers,
            function=function,
        )


def _refuse_one_for_all(scores: Any, function: str) -> None:
    """RS002 if the scores of all classifiers came as one table or list of arrays."""
    part = ""
    if isinstance(scores, np.ndarray) and scores.ndim == 2:
        part, parts = "column", "scores.T"
    elif isinstance(scores, list | tuple) and scores and all(np.ndim(part) == 1 for part in scores[:2]):
        part, parts = "array", "scores"
    if part:
        raise fail("RS002.scores-in-one", function=function, given=described(scores), part=part, parts=parts)


def _require_comparable(classifiers: Sequence[Scores], *, paired: bool, function: str) -> None:
    """Scores objects: no weights, one direction and, if paired, the same labels row by row."""
    first = classifiers[0]
    for number, own in enumerate(classifiers, start=1):
        if own.columns.weights is not None:
            raise fail("RS038.counted", function=function, scores=own)
        if not paired or number == 1:
            continue
        if own.higher_is_positive != first.higher_is_positive:
            raise fail("RS002.two-directions", first=first, other=own)
        if own.columns.n_rows != first.columns.n_rows:
            raise fail("RS013.paired", first=first, other=own)
        if own.cases is not None and first.cases is not None and own.cases != first.cases:
            raise fail("RS002.other-cases", first=first, other=own)
        differing = np.flatnonzero(own.is_positive != first.is_positive)
        if differing.size:
            raise fail(
                "RS002.other-order",
                n=differing.size,
                n_rows=own.columns.n_rows,
                first=first,
                other=own,
                row=int(differing[0]),
            )


def _warn_of_same_cases(first: Scores, second: Scores) -> None:
    """RS279 if cases are named, and both classifiers scored some of the same."""
    names = [set(own.cases or ()) for own in (first, second)]
    n_shared = len(names[0] & names[1])
    if not n_shared:
        return
    way = "pair them: leave out  paired=False"
    if names[0] != names[1]:
        way = "name models and cases in a ScoreSet, and pair those:  compare(score_set, unmatched='drop')"
    warn("RS279.same", n=n_shared, n_first=len(names[0]), n_second=len(names[1]), ways=[way])


def _warn_of_clusters(classifiers: Sequence[Scores], function: str) -> None:
    """RS104 if patients have several rows, for tests that take rows as cases."""
    if function in ("bootstrap_test", "compare_auc"):
        return
    for own in classifiers:
        told = told_of_clusters(own._clusters, own.columns.offsets, function, "dataset")
        if told is not None:
            warn("RS104.clusters", **told)
            return


def _not_arrays(value: Any, everything: Sequence[Any], function: str) -> RocsteadyError:
    ways = _ways_to_compare(value, everything, function)
    return fail("RS002.classifiers", function=function, given=[*map(described, everything)], ways=ways)


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
            f"or arrays:  {function}(labels, scores_a, scores_b)",
        ]
    if isinstance(value, Result):
        call = f"{function}(labels, scores_a, scores_b)"
        return [f"a curve does not tell which case is which; give the scores:  {call}"]
    return [f"name the columns:  {function}(frame['label'], frame['score_a'], frame['score_b'])"]
