"""One run: a stratified 10-fold cross-validation of both learners on one set, over the same folds.

The scores of the ten test folds are stacked, which makes one curve per learner and space: 2 x 2 curves x 10
runs x 26 sets are the paper's "over one thousand".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers.smroc.experiment.files import Table, read_table
from papers.smroc.parameters import MIDS, N_FOLDS, N_PERMUTATIONS, NB, PAPER, PET
from papers.smroc.quiet_curves import quiet_curve, rows_of
from papers.smroc.sets import Set
from rocsteady.curves.smroc import curve_of
from rocsteady.scores.sklearn import stratified_folds

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Task:
    """A run to be done.

    Attributes
    ----------
    of : Set
        The data set.
    path : Path
        Its file.
    seed : int
        Of the folds, and of what else is random: nothing depends on which process does the run, or when.
    keeps_scores : bool
        Whether the scores are kept beside the areas, for Figure 6.
    """

    of: Set
    path: Path
    seed: int
    keeps_scores: bool = False

    @property
    def size(self) -> int:
        """About how much work it is."""
        return self.of.n * max(len(self.of.features), 1)

    def parameters(self) -> dict[str, Any]:
        """Everything the numbers depend on, besides the code and the packages."""
        return {
            "data": self.of.sha256,
            "nominal": list(self.of.nominal_columns),
            "seed": self.seed,
            "keeps_scores": self.keeps_scores,
            "n_folds": N_FOLDS,
            "n_permutations": N_PERMUTATIONS,
            "mids": dict(MIDS),
        }


def do(task: Task) -> dict[str, Any]:
    """The areas of both learners in one run, as plain data."""
    table = _table(task.of, task.path)
    folds = stratified_folds(table.is_positive, N_FOLDS, seed=task.seed)
    found = {}
    for name, learner in _learners(table).items():
        scores = cross_validated(learner, table, folds)
        found[name] = measured(table.is_positive, scores, folds, task.seed)
        if task.keeps_scores:
            found[name] |= {"scores": scores.tolist(), "is_positive": table.is_positive.tolist()}
    return found


@lru_cache(maxsize=1)  # a process often does several runs of one set, one after the other
def _table(of: Set, path: Path) -> Table:
    return read_table(of, path)


def _learners(table: Table) -> dict[str, Callable[[], Any]]:
    from papers.learners import NaiveBayes, ProbabilityTree

    nominal = list(table.nominal)
    return {
        NB: lambda: NaiveBayes(nominal_features=nominal),
        PET: lambda: ProbabilityTree(nominal_features=nominal),
    }


def cross_validated(learner: Callable[[], Any], table: Table, folds: NDArray[np.int64]) -> Floats:
    """The probability that each row is positive, by a model that was fitted without its fold."""
    scores = np.empty(len(folds))
    for fold in np.unique(folds):
        is_tested = folds == fold
        model = learner().fit(table.features[~is_tested], table.is_positive[~is_tested])
        scores[is_tested] = model.predict_proba(table.features[is_tested])[:, 1]
    return scores


def measured(
    is_positive: NDArray[np.bool_], scores: Floats, folds: NDArray[np.int64] | None, seed: int
) -> dict[str, Any]:
    """AUC, and smAUC with its chance levels under each Mid; both again fold by fold.

    Folds keep the Mid of the whole run, so that a case has the same credit in both.
    """
    rows = rows_of(is_positive, scores)
    curves = {name: curve_of(rows, mid, None) for name, mid in MIDS.items()}
    first = curves[PAPER]
    own = [] if folds is None else [folds == fold for fold in np.unique(folds)]
    of_folds = [quiet_curve(is_positive[chosen], scores[chosen], first.mid) for chosen in own]
    agreeing = first.appropriateness
    return {
        "auc": first.roc_auc,
        "mid": first.mid,
        "smauc": {name: curve.auc for name, curve in curves.items()},
        "chance": {name: curve.chance_auc for name, curve in curves.items()},
        "permuted": {
            name: curve.permuted(n_permutations=N_PERMUTATIONS, seed=seed).mean
            for name, curve in curves.items()
        },
        "fold_auc": [curve.roc_auc for curve in of_folds],
        "fold_smauc": [curve.auc for curve in of_folds],
        "agreeing": {"positives": agreeing.share_of_positives, "negatives": agreeing.share_of_negatives},
    }
