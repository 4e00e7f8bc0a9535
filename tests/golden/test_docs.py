"""The numbers that docs/averages.md quotes are the numbers that the library computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import rocsteady as rs
from rocsteady.simulate import ShiftedDatasets

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "averages.md").read_text(encoding="utf-8")


def test_the_page_quotes_the_folds_of_rocr(data_folder: Path) -> None:
    folds = rs.read_scores(
        data_folder / "scores" / "rocr_xval.csv",
        label="label",
        score="score",
        group="fold",
        design="cross-validation",
    )
    averages = {
        method: rs.average(folds, method) for method in ("vertical", "diagonal", "threshold", "pooled")
    }
    mean_eer = np.mean([curve.equal_error_rate for curve in rs.roc_curves(folds)])
    assert f"a mean equal error rate of {mean_eer:.6f}" in PAGE
    assert f"{averages['diagonal'].equal_error_rate:.6f}" == f"{mean_eer:.6f}"
    assert f"error point at {averages['vertical'].equal_error_rate:.6f}" in PAGE
    assert f"have the AUC {averages['vertical'].auc:.6f}" in PAGE
    assert f"is {averages['threshold'].auc:.6f} with every fold" in PAGE
    assert f"{averages['pooled'].auc:.6f} with every row" in PAGE
    assert f"({folds.columns.n_rows:,} cases)" in PAGE


def test_the_page_quotes_the_bias_of_the_maximum() -> None:
    scores = ShiftedDatasets("C-1", separation=1.5, negative_sd=1, positive_sd=1)
    top, bottom = (scores.expected_vertical_tpr(1, 50, side=side) for side in ("upper", "lower"))
    assert (
        f"{top:.3f} is expected at FPR 0.02 where the truth is {scores.vertical_tpr(0.02):.3f}"
        in PAGE.replace("\n", " ")
    )
    assert f"each jump: {(top + bottom) / 2:.3f}." in PAGE
