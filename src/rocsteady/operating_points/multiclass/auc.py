"""AUCs of several classes: each class against the rest, and Hand and Till's mean over pairs of classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady import _kernels
from rocsteady.errors import counted
from rocsteady.operating_points.multiclass.averaging import folds_with_all_classes, lacks_classes
from rocsteady.operating_points.multiclass.class_errors import class_rows_needed, require_multiclass
from rocsteady.operating_points.multiclass.deciding import Floats, Integers
from rocsteady.operating_points.tables.table import over_folds
from rocsteady.options import one_of
from rocsteady.results import TableResult, read_only
from rocsteady.scores.multiclass import MulticlassScores

METHODS = ("hand-till", "one-versus-rest")
_ELSEWHERE = {
    "hand_till": "hand-till", "handtill": "hand-till", "ovo": "hand-till", "one-versus-one": "hand-till",
    "ovr": "one-versus-rest", "one-vs-rest": "one-versus-rest", "one_versus_rest": "one-versus-rest",
    "macro": "one-versus-rest", "ova": "one-versus-rest",
}  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class MulticlassAuc(TableResult):
    """An AUC of several classes in each fold, and how it varies from fold to fold.

    Attributes
    ----------
    method, weigh : str
        How the AUCs of single classes or pairs make one.
    classes : tuple
    folds : tuple of str
        Names of the folds that count.
    mean, sd, standard_error : float
        Over folds; spreads are NaN for a single fold.
    per_fold : (n_folds,) float64 array
    stacked : float
        Of all folds taken as one. That compares outputs of different folds with each other.
    parts : (C,) or (C, C) float64 array
        What the mean over folds is made of. One versus rest: the AUC of each class. Hand and Till:
        ``[i, j]`` is the chance that output i is larger for a case of class i than for one of class j, ties
        half; NaN on the diagonal. Means over folds.
    parts_per_fold : (n_folds, ...) float64 array
    undefined : tuple of str
        Folds that were left out, and why.
    """

    method: str
    weigh: str
    classes: tuple[Any, ...]
    folds: tuple[str, ...]
    mean: float
    sd: float
    standard_error: float
    per_fold: Floats
    stacked: float
    parts: Floats
    parts_per_fold: Floats
    undefined: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"MulticlassAuc({self.method}: {self.mean:.4g}, {counted(len(self.classes), 'class')}, "
            f"{counted(len(self.folds), 'fold')})"
        )

    def _columns(self) -> dict[str, Any]:
        return {"fold": list(self.folds), "auc": self.per_fold}


def multiclass_auc(
    multiclass_scores: MulticlassScores,
    method: str = "hand-till",
    *,
    weigh: str = "classes",
    undefined: str = "raise",
    threads: int | None = None,
) -> MulticlassAuc:
    """One AUC for several classes, in each fold.

    Parameters
    ----------
    multiclass_scores : MulticlassScores
        Only the order within each column of outputs matters; they may be negative.
    method : {"hand-till", "one-versus-rest"}
        Hand and Till's M: the mean over pairs of classes of how well the two outputs tell the two classes
        apart. It does not depend on how frequent classes are. One versus rest: how well each output tells its
        class from all others; there frequent classes dominate the rest.
    weigh : {"classes", "rows"}
        Whether every class (every pair) counts alike, or by its rows in the fold (both classes of a pair).
    undefined : {"raise", "drop"}
        What to do about folds that lack a class.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    MulticlassAuc

    Raises
    ------
    DataError
        RS078 if a fold lacks a class.

    Notes
    -----
    For posteriors of two classes all of these are the AUC. scikit-learn's ``roc_auc_score`` with
    ``multi_class="ovo"`` and ``"ovr"`` gives the same numbers for one fold, ``average="weighted"`` those of
    ``weigh="rows"``.

    References
    ----------
    D. J. Hand, R. J. Till, A simple generalisation of the area under the ROC curve for multiple class
    classification problems, Machine Learning 45 (2001).

    Examples
    --------
    >>> import rocsteady as rs
    >>> outputs = [[0.6, 0.3, 0.1], [0.3, 0.5, 0.2], [0.4, 0.3, 0.3], [0.7, 0.2, 0.1]]
    >>> scores = rs.MulticlassScores(["a", "b", "c", "b"], outputs)
    >>> rs.multiclass_auc(scores)
    MulticlassAuc(hand-till: 0.75, 3 classes, 1 fold)
    >>> rs.multiclass_auc(scores, "one-versus-rest").parts.round(3).tolist()
    [0.667, 0.5, 1.0]
    """
    scores = require_multiclass("multiclass_auc", multiclass_scores)
    method = one_of("method", method, METHODS, elsewhere=_ELSEWHERE)
    one_of("weigh", weigh, ("classes", "rows"))
    one_of("undefined", undefined, ("raise", "drop"))
    class_rows_needed(scores)
    lacking = scores.undefined
    if lacking and undefined == "raise":
        raise lacks_classes(lacking, "leave them out:  undefined='drop'")
    if lacking:
        scores = scores.select(folds_with_all_classes(scores))
    parts = _aucs(scores, scores.fold_index, len(scores.folds), method, threads)
    per_fold = _one_auc(parts, scores.class_counts, weigh)
    together = _aucs(scores, np.zeros(scores.n_rows, dtype=np.int64), 1, method, threads)
    stacked = _one_auc(together, scores.class_counts.sum(axis=0, keepdims=True), weigh)[0]
    mean, sd, n = over_folds(per_fold)
    return MulticlassAuc(
        method,
        weigh,
        scores.classes,
        scores.folds,
        float(mean),
        float(sd),
        float(sd / np.sqrt(n)),
        read_only(per_fold),
        float(stacked),
        read_only(over_folds(parts)[0]),
        read_only(parts),
        lacking,
    )


def _aucs(
    scores: MulticlassScores, folds: Integers, n_folds: int, method: str, threads: int | None
) -> Floats:
    """The AUCs of classes or pairs in each fold: (n_folds, C), or (n_folds, C, C)."""
    n_classes = scores.n_classes
    if method == "one-versus-rest":
        aucs = np.empty((n_folds, n_classes))
        order = np.argsort(folds, kind="stable")
        offsets = np.concatenate([[0], np.cumsum(np.bincount(folds, minlength=n_folds))])
        for one in range(n_classes):
            aucs[:, one] = _share_won(scores, one, order, offsets, threads)
        return aucs
    pairs = np.full((n_folds, n_classes, n_classes), np.nan)
    by_cell = np.argsort(folds * n_classes + scores.label_index, kind="stable")
    sizes = np.bincount(folds * n_classes + scores.label_index, minlength=n_folds * n_classes)
    rows = np.split(by_cell, np.cumsum(sizes)[:-1])  # of every class of every fold
    for one in range(n_classes):
        others = [c for c in range(n_classes) if c != one]
        groups = [
            np.concatenate([rows[f * n_classes + one], rows[f * n_classes + other]])
            for f in range(n_folds)
            for other in others
        ]
        offsets = np.concatenate([[0], np.cumsum([group.size for group in groups])])
        won = _share_won(scores, one, np.concatenate(groups), offsets, threads)
        pairs[:, one, others] = won.reshape(n_folds, -1)
    return pairs


def _share_won(
    scores: MulticlassScores, one: int, rows: Integers, offsets: Integers, threads: int | None
) -> Floats:
    """The AUC of one class's output in each group of rows, that class against whatever else is there."""
    wins, n_positives, n_negatives = _kernels.kernels.count_wins(
        np.ascontiguousarray(scores.outputs[rows, one]),
        scores.label_index[rows] == one,
        offsets.astype(np.int64),
        1.0,
        0.0,
        True,
        _kernels.thread_count(threads),
    )
    return np.asarray(wins / (2 * n_positives * n_negatives))


def _one_auc(parts: Floats, sizes: Integers, weigh: str) -> Floats:
    """The mean over classes, or over pairs of classes; both directions of a pair count alike."""
    n_classes = sizes.shape[1]
    if parts.ndim == 2:
        shares = np.ones_like(parts) if weigh == "classes" else sizes.astype(np.float64)
        return np.asarray((parts * shares).sum(axis=1) / shares.sum(axis=1))
    first, second = np.triu_indices(n_classes, k=1)
    pairs = (parts[:, first, second] + parts[:, second, first]) / 2
    shares = (
        np.ones_like(pairs) if weigh == "classes" else (sizes[:, first] + sizes[:, second]).astype(np.float64)
    )
    return np.asarray((pairs * shares).sum(axis=1) / shares.sum(axis=1))
