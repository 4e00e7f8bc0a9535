"""Both learners on real data against Weka 3.6.14 (NaiveBayes; J48 -U -A), ten runs of 10-fold cross-validation.

Weka's numbers are the means over ten runs; ours come from one run of other folds. They are of
golden/weka_table1_auc_smauc.json of the data folder.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from papers.learners import NaiveBayes, ProbabilityTree
from rocsteady.curves.smroc import smroc_curve
from rocsteady.errors import RocsteadyWarning

# Sets whose features are all numeric: AUC and smAUC of naive Bayes, then of the tree.
WEKA = {
    "iono": (0.935, 0.930, 0.926, 0.907),
    "wisc": (0.983, 0.983, 0.977, 0.966),
    "diab": (0.814, 0.781, 0.778, 0.731),
    "prks": (0.858, 0.854, 0.836, 0.811),
    "spam": (0.940, 0.939, 0.967, 0.953),
}


@cache
def table(path: Path) -> tuple[np.ndarray, np.ndarray]:
    rows = np.genfromtxt(path, delimiter=",", skip_header=1)
    return rows[:, :-1], rows[:, -1].astype(int)


def cross_validated(learner, path: Path, **options):
    X, y = table(path)
    folds = StratifiedKFold(10, shuffle=True, random_state=1)
    scores = cross_val_predict(learner, X, y, cv=folds, method="predict_proba")[:, 1]
    return smroc_curve(y, scores, **options)


@pytest.mark.parametrize("name", WEKA)
def test_naive_bayes_ranks_as_weka_does(name, data_folder) -> None:
    auc, smauc, _, _ = WEKA[name]
    curve = cross_validated(NaiveBayes(), data_folder / "uci" / f"{name}.csv")
    assert curve.roc_auc == pytest.approx(auc, abs=0.012)
    assert curve.auc == pytest.approx(smauc, abs=0.012)


@pytest.mark.parametrize("name", WEKA)
def test_the_tree_ranks_about_as_weka_does(name, data_folder) -> None:
    # Gain ratio and the least gain of a numeric split, which ours does not have, are worth this much.
    _, _, auc, smauc = WEKA[name]
    curve = cross_validated(ProbabilityTree(), data_folder / "uci" / f"{name}.csv")
    assert curve.roc_auc == pytest.approx(auc, abs=0.04)
    assert curve.auc == pytest.approx(smauc, abs=0.04)


def test_naive_bayes_on_ozone_days_puts_the_midpoint_outside_the_scores(data_folder) -> None:
    path = data_folder / "uci" / "oz8h.csv"
    with pytest.warns(RocsteadyWarning, match="RS260"):
        curve = cross_validated(NaiveBayes(), path)
    assert curve.mid == pytest.approx(2.92, abs=0.05)
    assert curve.auc == pytest.approx(0.940, abs=0.005)
    assert curve.roc_auc == pytest.approx(0.827, abs=0.012)
    assert cross_validated(NaiveBayes(), path, mid=0.5).auc < curve.roc_auc
