"""From labels and scores straight to a curve, an AUC or its interval."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from rocsteady.calling import welcomes
from rocsteady.counting.arguments import one_of, open_share
from rocsteady.counting.table import cluster_counts, count_table, count_wins, delong_moments
from rocsteady.curves import auc_uncertainty
from rocsteady.curves.area import require_both_classes
from rocsteady.curves.given import given_scores, warn_if_decisions
from rocsteady.curves.roc import RocCurve
from rocsteady.scores.scores import Scores
from rocsteady.uncertainty.intervals import Interval


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
    given = given_scores(
        "roc_curve",
        labels,
        scores,
        positive=positive,
        sample_weight=sample_weight,
        higher_is_positive=higher_is_positive,
        name=name,
    )
    return _curve(given, given.name if name is None else name, threads, is_checked=given is labels)


def _curve(given: Scores, name: str | None, threads: int | None, *, is_checked: bool) -> RocCurve:
    table = count_table(given, threads=threads)
    require_both_classes(table.true_positives[-1], table.false_positives[-1], name)
    if table.thresholds.size == 3 and not is_checked:  # the leading one and two scores
        warn_if_decisions(given)
    return RocCurve(
        table.thresholds,
        table.true_positives,
        table.false_positives,
        higher_is_positive=table.higher_is_positive,
        name=name,
        _exact=table.exact,
        _rows=given if given.columns.has_weights or given._together is not None else None,
    )


@welcomes("auc(labels, scores)", instead={"multi_class": "multiclass_auc(MulticlassScores(labels, outputs))"})
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
    given = given_scores(
        "auc",
        labels,
        scores,
        positive=positive,
        sample_weight=sample_weight,
        higher_is_positive=higher_is_positive,
    )
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
    one_of("method", method, auc_uncertainty.INTERVAL_METHODS, elsewhere=auc_uncertainty.ELSEWHERE)
    open_share("confidence_level", confidence_level)
    given = given_scores(
        "auc_interval",
        labels,
        scores,
        positive=positive,
        sample_weight=sample_weight,
        higher_is_positive=higher_is_positive,
    )
    if method not in ("guarded", "logit", "delong") or given.columns.has_weights:
        curve = _curve(given, given.name, threads, is_checked=given is labels)
        return curve.auc_interval(confidence_level, method, n_resamples=n_resamples, seed=seed)
    moments = replace(delong_moments(given, threads=threads), clusters=cluster_counts(given, threads=threads))
    require_both_classes(moments.n_positives[0], moments.n_negatives[0], given.name)
    if given is not labels:
        warn_if_decisions(given)
    counted = partial(_curve, given, given.name, threads, is_checked=True)  # built only where ties matter
    return auc_uncertainty.single_interval(method, moments, lambda: counted()._ties(), confidence_level)
