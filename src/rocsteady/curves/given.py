"""What a caller handed over: labels and scores, a Scores, or something that belongs elsewhere.

Most wrong calls are right calls of a neighbouring function, so the message says which.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sized
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from rocsteady.caller import caller_level
from rocsteady.counting.arguments import yes_or_no
from rocsteady.counting.results import Result
from rocsteady.errors import DataError, Remedy, UsageError
from rocsteady.scores.scores import Scores, warn_of_decisions
from rocsteady.words import counted, grouped

if TYPE_CHECKING:
    from rocsteady.scores.score_set import ScoreSet

_OF_ALL_GROUPS = {
    "roc_curve": "roc_curves(score_set)",
    "auc": "roc_curves(score_set).auc",
    "auc_interval": "roc_curves(score_set).auc_interval()",
    "smroc_curve": "smroc_curves(score_set)",
}
_OF_A_CURVE = {
    "auc": "a curve has it:  curve.auc",
    "auc_interval": "a curve has it:  curve.auc_interval()",
    "smroc_curve": "it takes the scores themselves:  smroc_curve(labels, scores)",
}
_OF_SMROC = {
    "roc_curve": "the ordinary curve of the same cases:  curve.roc()",
    "auc": "the ordinary AUC of the same cases:  curve.roc_auc",
    "auc_interval": "of the ordinary AUC of the same cases:  curve.roc().auc_interval()",
    "smroc_curve": "with another Mid:  curve.with_mid(0.5)",
}


def given_scores(
    function: str,
    labels: object,
    scores: object,
    *,
    positive: object,
    sample_weight: object,
    higher_is_positive: bool,
    name: str | None = None,
) -> Scores:
    """The scores of one group: labels and scores, or a Scores (or a set of a single one) alone.

    Raises
    ------
    UsageError
        RS002 for anything else, with the call that was probably meant.
    """
    higher_is_positive = yes_or_no("higher_is_positive", higher_is_positive)
    labels = only_scores(labels)
    if isinstance(labels, Scores) and scores is None:
        require_nothing_said_twice(labels, positive, sample_weight, higher_is_positive)
        return labels
    if scores is None or any(_is_ours(value) for value in (labels, scores)):
        raise _not_labels_and_scores(function, labels, scores)
    return Scores.deferred(
        labels,
        scores,
        positive=positive,
        sample_weight=sample_weight,
        higher_is_positive=higher_is_positive,
        name=name,
    )


def only_scores(value: object) -> object:
    """The scores of a set that holds one group of one model; anything else as it is."""
    return value[0] if is_score_set(value) and len(value) == 1 else value


def warn_if_decisions(given: Scores) -> None:
    """RS101 at the caller's line if the scores are hard decisions; ten of them mostly show they are not."""
    scores = given.columns.scores
    if np.unique(scores[:10]).size <= 2:
        warn_of_decisions(scores, stacklevel=caller_level() + 1)  # one more: the function in between


def is_score_set(value: object) -> TypeGuard[ScoreSet]:
    """Whether it is a ScoreSet; it can be one only if the module of that class has been loaded.

    Another thread may be loading it: without the class there is no instance.
    """
    return isinstance(value, getattr(sys.modules.get("rocsteady.scores.score_set"), "ScoreSet", ()))


def _is_smroc(value: object) -> bool:
    """Whether it is a smROC curve or a set of them, by the same token."""
    homes = (("curve", "SmrocCurve"), ("curve_set", "SmrocCurves"))
    modules = ((sys.modules.get(f"rocsteady.curves.smroc.{module}"), name) for module, name in homes)
    return any(isinstance(value, getattr(module, name, ())) for module, name in modules)


def _is_ours(value: object) -> bool:
    return isinstance(value, Scores | Result) or is_score_set(value)


def refuse_counts(value: object, function: str) -> None:
    """RS406 for counts, where single rows are needed."""
    if isinstance(value, getattr(sys.modules.get("rocsteady.counting.counted"), "CountedScores", ())):
        raise DataError(
            "RS406",
            f"{function} needs the scores of single rows; these are counts.",
            f"found: {value!r}",
            "read them, if they fit:  read_scores(path, ...)",
        )


def require_score_set(value: object, function: str = "roc_curves") -> ScoreSet:
    """``value`` if it is a set of scores; else RS406 or RS002, with the call that makes one of it."""
    if is_score_set(value):
        return value
    refuse_counts(value, function)
    raise UsageError(
        "RS002",
        f"{function} takes a ScoreSet.",
        f"found: {described(value)}",
        *_ways_to_a_set(value, function),
    )


def described(value: object) -> str:
    """A few words about any value."""
    if _is_ours(value):
        return repr(value)  # one line
    kind = type(value).__name__
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"{kind} of shape ({' × '.join(map(grouped, shape))})"
    if isinstance(value, Sized) and not isinstance(value, str | bytes):
        return f"{kind} of {counted(len(value), 'entry')}"
    return f"{value!r:.60}" if isinstance(value, str) else kind


def is_table(value: object) -> bool:
    """Whether ``value`` has named columns: a dict or any data frame."""
    # Of the class: asking a lazy frame for its columns would make it look for them.
    return isinstance(value, Mapping) or hasattr(type(value), "columns")


def require_nothing_said_twice(
    scores: Scores, positive: object, sample_weight: object, higher_is_positive: bool
) -> None:
    """RS002 if an option repeats, and might contradict, what a Scores holds."""
    said = {"positive": positive is not None, "sample_weight": sample_weight is not None}
    said["higher_is_positive"] = scores.higher_is_positive and not higher_is_positive
    repeated = [name for name, is_said in said.items() if is_said]
    if repeated:
        raise UsageError(
            "RS002",
            f"a Scores knows its {' and '.join(repeated)} already.",
            f"found: {scores!r}",
            f"say it where the scores are made:  Scores(labels, scores, {repeated[0]}=...)",
        )


def _not_labels_and_scores(function: str, labels: object, scores: object) -> UsageError:
    problem = f"{function} needs labels and scores, or a Scores alone."
    if is_score_set(labels):
        problem = f"{function} takes the scores of one group, and this is a set of them."
    found = described(labels) + ("" if scores is None else f" and {described(scores)}")
    return UsageError("RS002", problem, f"found: {found}", *_ways_to_one_group(function, labels))


def _ways_to_one_group(function: str, labels: Any) -> list[Remedy]:
    if is_score_set(labels):
        return [
            f"of every group:  {_OF_ALL_GROUPS.get(function, f'[{function}(own) for own in score_set]')}",
            f"of one group:  {function}(score_set[{labels.names[0]!r}])",
        ]
    if isinstance(labels, Result):
        return [(_OF_SMROC if _is_smroc(labels) else _OF_A_CURVE).get(function, "use it as it is")]
    if is_table(labels):
        return [
            f"name its columns:  {function}(frame['label'], frame['score'])",
            "with groups:  roc_curves(ScoreSet.from_frame(frame, label='...', score='...', group='...'))",
        ]
    return [f"{function}(labels, scores)"]


def _ways_to_a_set(value: Any, function: str) -> list[Remedy]:
    of_one = function.removesuffix("s")
    if isinstance(value, Scores):
        return [f"for one group:  {of_one}(scores)"]
    if isinstance(value, Result):
        other = _is_smroc(value) and function == "roc_curves"
        ordinary = "the ordinary curves of the same cases:  [curve.roc() for curve in curves]"
        return [ordinary if other else "it holds curves already: use it as it is"]
    if isinstance(value, str | PathLike):
        return [f"read the file:  {function}(read_scores(path))"]
    if is_table(value):
        return ["name its columns:  ScoreSet.from_frame(frame, label='...', score='...', group='...')"]
    if isinstance(value, list | tuple) and value and all(_is_pair(entry) for entry in value):
        return [f"one pair (labels, scores) for each fold:  {function}(ScoreSet.from_folds(pairs))"]
    return [
        f"one group:  {of_one}(labels, scores)",
        f"many:  {function}(ScoreSet.from_arrays(labels, scores, groups))",
    ]


def _is_pair(entry: Any) -> bool:
    if not isinstance(entry, list | tuple) or len(entry) != 2:
        return False
    return all(hasattr(part, "__len__") and not isinstance(part, str | bytes) for part in entry)
