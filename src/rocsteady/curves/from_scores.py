"""From labels and scores straight to a curve, an AUC or its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import replace
from os import PathLike
from typing import Any, TypeGuard

import numpy as np

from rocsteady.calling import welcomes
from rocsteady.counting.table import cluster_counts, count_table, count_wins, delong_moments
from rocsteady.curves import intervals as curve_intervals
from rocsteady.curves.readings import require_both_classes
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Remedy, fail
from rocsteady.options import one_of, open_share, yes_or_no
from rocsteady.results import Result
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores, warn_of_decisions
from rocsteady.statistics.limits import Interval
from rocsteady.words import counted, grouped

_OURS, _SMROC = (Scores, ScoreSet, Result), ("SmrocCurve", "SmrocCurves")
_OF_ALL_GROUPS = {
    "roc_curve": "roc_curves(score_set)",
    "auc": "roc_curves(score_set).auc",
    "auc_interval": "roc_curves(score_set).auc_interval()",
    "smroc_curve": "smroc_curve(score_set)",
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
    positive: object,
    sample_weight: object,
    higher_is_positive: bool,
    name: str | None = None,
) -> Scores:
    """The scores of one group: labels and scores, or a Scores (or a set of one) alone; else RS002."""
    labels = only_scores(labels)
    if isinstance(labels, Scores) and scores is None:
        higher_is_positive = yes_or_no("higher_is_positive", higher_is_positive)
        require_nothing_said_twice(labels, positive, sample_weight, higher_is_positive)
        return labels
    if scores is None or isinstance(labels, _OURS) or isinstance(scores, _OURS):
        raise fail(
            "RS002.of-one-group" if isinstance(labels, ScoreSet) else "RS002.labels-and-scores",
            function=function,
            found=described(labels) + ("" if scores is None else f" and {described(scores)}"),
            ways=_ways_to_one_group(function, labels),
        )
    return Scores.in_place(
        labels,
        scores,
        positive=positive,
        sample_weight=sample_weight,
        higher_is_positive=higher_is_positive,
        name=name,
    )


def only_scores(value: object) -> object:
    """The scores of a set that holds one group of one model; anything else as it is."""
    return value[0] if isinstance(value, ScoreSet) and len(value) == 1 else value


def warn_if_decisions(given: Scores) -> None:
    """RS101 at the caller's line if the scores are hard decisions; ten of them mostly show they are not."""
    scores = given.columns.scores
    if np.unique(scores[:10]).size <= 2:
        warn_of_decisions(scores)


def is_score_set(value: object) -> TypeGuard[ScoreSet]:
    """Whether it is a ScoreSet."""
    return isinstance(value, ScoreSet)


def refuse_counts(value: object, function: str) -> None:
    """RS406 for counts, where single rows are needed."""
    if type(value).__name__ == "CountedScores":  # whose module need not be loaded
        raise fail("RS406.rows", function=function, found=value)


def require_score_set(value: object) -> ScoreSet:
    """``value`` if it is a set of scores; else RS406 or RS002, with the call that makes one of it."""
    if isinstance(value, ScoreSet):
        return value
    refuse_counts(value, "roc_curves")
    facts = {"function": "roc_curves", "found": described(value)}
    raise fail("RS002.set-of-scores", ways=_ways_to_a_set(value), **facts)


def described(value: object) -> str:
    """A few words about any value."""
    if isinstance(value, _OURS):
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
        raise fail("RS002.said-twice", options=repeated, first=repeated[0], scores=scores)


def _ways_to_one_group(function: str, labels: Any) -> list[Remedy]:
    if isinstance(labels, ScoreSet):
        return [
            f"of every group:  {_OF_ALL_GROUPS.get(function, f'[{function}(own) for own in score_set]')}",
            f"of one group:  {function}(score_set[{labels.names[0]!r}])",
        ]
    if isinstance(labels, Result):
        ways = _OF_SMROC if type(labels).__name__ in _SMROC else _OF_A_CURVE
        return [ways.get(function, "use it as it is")]
    if is_table(labels):
        return [
            f"name its columns:  {function}(frame['label'], frame['score'])",
            "with groups:  roc_curves(ScoreSet.from_frame(frame, label='...', score='...', group='...'))",
        ]
    return [f"{function}(labels, scores)"]


def _ways_to_a_set(value: Any) -> list[Remedy]:
    if isinstance(value, Scores):
        return ["for one group:  roc_curve(scores)"]
    if isinstance(value, Result):
        ordinary = "the ordinary curves of the same cases:  [curve.roc() for curve in curves]"
        return [ordinary if type(value).__name__ in _SMROC else "it holds curves already: use it as it is"]
    if isinstance(value, str | PathLike):
        return ["read the file:  roc_curves(read_scores(path))"]
    if is_table(value):
        return ["name its columns:  ScoreSet.from_frame(frame, label='...', score='...', group='...')"]
    pairs = value if isinstance(value, list | tuple) else []
    if pairs and all(isinstance(own, list | tuple) and len(own) == 2 for own in pairs):
        parts = [part for own in pairs for part in own]
        if all(hasattr(part, "__len__") and not isinstance(part, str | bytes) for part in parts):
            return ["one pair (labels, scores) for each fold:  roc_curves(ScoreSet.from_folds(pairs))"]
    return [
        "one group:  roc_curve(labels, scores)",
        "many:  roc_curves(ScoreSet.from_arrays(labels, scores, groups))",
    ]


@welcomes("roc_curve(labels, scores)")
def roc_curve(
    labels: object,
    scores: object = None,
    *,
    positive: object = None,
    sample_weight: object = None,
    higher_is_positive: bool = True,
    name: str | None = None,
    threads: int | None = None,
) -> RocCurve:
    """The exact ROC curve of one set of scores.

    Parameters
    ----------
    labels : array-like, or Scores
        The true class of each row: bool, 0/1 or -1/1; any other labels need ``positive``. A
        :class:`Scores` as the only argument brings its labels, scores, weights, direction and name along.
    scores : array-like of real numbers
        One per row. Infinite scores are legal, NaN is not. Integers are compared as integers.
    positive : label or list of labels, optional
        Which labels are positive.
    sample_weight : array-like, optional
        Finite and not negative; the counts become sums of weights.
    higher_is_positive : bool
        False where low scores speak for the positive class. Thresholds stay in your units.
    name : str, optional
        What tables and messages call the curve.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores. The answer does not depend on it.

    Returns
    -------
    RocCurve

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve(["sick", "well", "sick", "well"], [2.4, 1.9, 1.9, 0.3], positive="sick")
    >>> curve.thresholds.tolist()
    [inf, 2.4, 1.9, 0.3]
    >>> curve.tpr_at(0.0), curve.tpr_at(0.0, side="lower")
    (0.5, 0.0)
    >>> rs.roc_curve(rs.Scores([1, 0, 1], [3, 2, 1], name="reader 1"))
    RocCurve(reader 1: 2 positives, 1 negative, 3 thresholds, AUC 0.500)
    """
    given = given_scores("roc_curve", labels, scores, positive, sample_weight, higher_is_positive, name)
    return _curve(given, given.name if name is None else name, threads, is_checked=given is labels)


def _curve(given: Scores, name: str | None, threads: int | None, *, is_checked: bool) -> RocCurve:
    table = count_table(given, threads=threads)
    require_both_classes(table.true_positives[-1], table.false_positives[-1], name)
    if table.thresholds.size == 3 and not is_checked:  # the leading one and two scores
        warn_if_decisions(given)
    return RocCurve._of_table(table, name, given)


@welcomes(
    "auc(labels, scores)",
    instead={
        "multi_class": "MulticlassScores(labels, outputs).auc()",
        "max_fpr": "roc_curve(labels, scores).partial_auc(fpr=(0, {}), standardized=True)",
    },
)
def auc(
    labels: object,
    scores: object = None,
    *,
    positive: object = None,
    sample_weight: object = None,
    higher_is_positive: bool = True,
    threads: int | None = None,
) -> float:
    """The area under the ROC curve, without building the curve.

    The share of pairs in which the positive case outranks the negative one, a tie counting half; exact. It is
    never flipped: below 1/2 means that the scores rank negatives higher. Arguments as in :func:`roc_curve`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.auc([1, 0, 0, 1], [2, 5, 10, 10])
    0.375
    """
    given = given_scores("auc", labels, scores, positive, sample_weight, higher_is_positive)
    if given.columns.has_weights:
        return _curve(given, given.name, threads, is_checked=given is labels).auc
    (wins,), (n_positives,), (n_negatives,) = (
        counts.tolist() for counts in count_wins(given, threads=threads)
    )
    require_both_classes(n_positives, n_negatives, given.name)
    if given is not labels:
        warn_if_decisions(given)
    return float(wins / (2 * n_positives * n_negatives))


@welcomes("auc_interval(labels, scores)")
def auc_interval(
    labels: object,
    scores: object = None,
    *,
    positive: object = None,
    sample_weight: object = None,
    higher_is_positive: bool = True,
    confidence_level: float = 0.95,
    method: str = "guarded",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> Interval:
    """Confidence interval of an AUC; what is random is the cases.

    Parameters
    ----------
    labels, scores, positive, sample_weight, higher_is_positive, threads
        As in :func:`roc_curve`. With weights only the bootstrap is defined.
    confidence_level, method, n_resamples, seed
        As in :meth:`RocCurve.auc_interval`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.auc_interval([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    Interval(0.1499 to 0.9808, confidence level 0.95, guarded)
    """
    one_of("method", method, curve_intervals.INTERVAL_METHODS, elsewhere=curve_intervals.ELSEWHERE)
    open_share("confidence_level", confidence_level)
    given = given_scores("auc_interval", labels, scores, positive, sample_weight, higher_is_positive)
    if method == "bootstrap" or given.columns.has_weights:
        curve = _curve(given, given.name, threads, is_checked=given is labels)
        return curve.auc_interval(confidence_level, method, n_resamples=n_resamples, seed=seed)
    moments = replace(delong_moments(given, threads=threads), clusters=cluster_counts(given, threads=threads))
    require_both_classes(moments.n_positives[0], moments.n_negatives[0], given.name)
    if given is not labels:
        warn_if_decisions(given)
    return curve_intervals.single_interval(method, moments, confidence_level)
