"""The three deployments of Hogan & Adams, sections 1 and 4.2, with the simulated data of the reproduction."""

from __future__ import annotations

import rocsteady as rs
from papers.averaging_roc.stories import DEVICES_FPR as FPR
from papers.averaging_roc.stories import READERS_TPR as TPR
from papers.averaging_roc.stories import draw_devices, draw_ratings
from rocsteady.advice.advise import Advice
from rocsteady.simulate import ShiftedDatasets, draw_together


def codes(advice: Advice) -> set[str]:
    return {warning.code for warning in advice.warnings}


def test_devices() -> None:
    devices = draw_devices(3)
    advice = rs.advise(rs.Deployment("shared", weigh="groups", at={"fpr": FPR}), devices)
    assert advice.method == "threshold"
    winners = {str(contest.method): contest.winner for contest in advice.contests}
    assert winners["threshold"] == "per-device profile"
    assert winners["pooled"] == "traffic volume"
    assert advice.contests[0].is_decided
    assert "RS319" in codes(advice)
    pooled = rs.advise(rs.Deployment("shared", weigh="groups"), devices, method="pooled")
    assert {"RS310", "RS314"} <= codes(pooled)


def test_radiologists() -> None:
    readers = draw_ratings(2)
    advice = rs.advise(rs.Deployment("own", hold="tpr", at=TPR), readers)
    assert advice.method == "horizontal"
    winners = {str(contest.method): contest.winner for contest in advice.contests}
    assert winners["horizontal"] == "new"
    assert winners["threshold"] == winners["pooled"] == "old"
    assert codes(advice) == {"RS319"}
    (warning,) = advice.warnings  # to be ahead is not to be picked
    assert warning.problem == (
        "under the pooled and threshold averages another model is ahead; under the declared one new is."
    )
    shared = rs.advise(rs.Deployment("shared"), readers)
    assert {"RS313", "RS301"} <= codes(shared)


def test_churn() -> None:
    """Ten folds; the light penalty separates better, but its scores move from fold to fold."""
    models = {
        "light": ShiftedDatasets("C-2a", separation=1.8, shift_sd=1.0),
        "heavy": ShiftedDatasets("C-2a", separation=1.5, shift_sd=0.1),
    }
    folds = draw_together(models, 10, 100, 400, seed=5)
    own = rs.advise(rs.Deployment("own", hold="fpr", at=0.1), folds, folds=True)
    assert own.method == "vertical"
    assert "RS311" not in codes(own)
    assert {str(c.method): c.winner for c in own.contests}["vertical"] == "light"
    assert {str(c.method): c.winner for c in own.contests}["pooled"] == "heavy"
    for method in ("pooled", "threshold"):
        assert "RS311" in codes(rs.advise(rs.Deployment("own", hold="fpr"), folds, folds=True, method=method))
