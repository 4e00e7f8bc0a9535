"""Group by group: what each has is what the library says of it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.report.summary import groups
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.settings import Settings

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")


@pytest.fixture(scope="module")
def hosts() -> rs.ScoreSet:
    rng = np.random.default_rng(4)
    names = np.repeat([f"host-{i}" for i in range(6)], 40)
    labels = np.where(rng.random(240) < 0.4, "attack", "normal")
    labels[names == "host-2"] = "normal"
    labels[names == "host-4"] = np.repeat(["attack", "normal"], [3, 37])
    signal = np.where(labels == "attack", 1.5, 0.0)
    scores = {"old": rng.normal(size=240) + signal, "new": rng.normal(size=240) + signal}
    return rs.ScoreSet.from_arrays(labels, scores, names, positive="attack", unit="host")


def test_rates_are_those_of_the_shared_threshold(hosts) -> None:
    part = groups.make(Material(hosts, rs.Deployment("shared", at={"fpr": 0.1})))
    for own in part.models:
        only = hosts.model(own.model)
        threshold = rs.average(only, "threshold", undefined="drop").at(fpr=0.1).threshold
        assert (own.threshold == threshold).all()
        for i, group in enumerate(part.groups):
            scores, is_positive = only[group].scores, only[group].is_positive
            assert own.n_positives[i] == is_positive.sum()
            assert own.fpr[i] == np.mean(scores[~is_positive] >= threshold)
            if is_positive.any():
                curve = rs.roc_curve(only[group])
                interval = curve.auc_interval(0.95, "guarded")
                assert own.auc[i] == curve.auc
                assert (own.low[i], own.high[i]) == (interval.low, interval.high)
                assert own.tpr[i] == np.mean(scores[is_positive] >= threshold)
            else:  # a host without attacks still has false alarms
                assert np.isnan([own.auc[i], own.tpr[i]]).all()
    assert "mean FPR 10 %" in part.setting
    assert "as an example" not in part.setting


def test_own_thresholds_are_those_of_each_group(hosts) -> None:
    part = groups.make(Material(hosts, rs.Deployment("own", hold="tpr", at=0.8)))
    only = hosts.model("new")
    for i, group in enumerate(part.groups):
        if group == "host-2":
            assert np.isnan(part.models[1].threshold[i])
            continue
        curve = rs.roc_curve(only[group])
        assert part.models[1].fpr[i] == pytest.approx(curve.fpr_at(0.8))
        assert curve.rates_at(part.models[1].threshold[i]).tpr >= 0.8
    assert part.setting == "Rates at: every host at TPR 80 %."


def test_groups_that_call_for_care_are_flagged(hosts) -> None:
    part = groups.make(Material(hosts, None, Settings(words="medical")))
    flags = dict(zip(part.groups, part.flags, strict=True))
    assert flags["host-2"] == ("no attack cases",)
    assert flags["host-4"] == ("few attack cases",)
    assert flags["host-0"] == ()
    assert "cut-off" in part.setting
    assert "as an example" in part.setting


def test_a_group_that_a_model_did_not_score() -> None:
    labels, scores = np.tile([1, 0], 40), np.arange(80.0)
    names = np.repeat(["a", "b", "a", "b"], 20)
    names[60:] = "a"
    rows = rs.ScoreSet.from_arrays(labels, scores, names, models=np.repeat(["x", "y"], 40))
    part = groups.make(Material(rows, rs.Deployment("shared")))
    assert dict(zip(part.groups, part.flags, strict=True))["b"] == ("not scored by y",)
    assert part.n_positives.tolist() == [20, 10]
    assert part.models[1].n_positives.tolist() == [20, 0]


def test_weighted_rows_have_no_interval(hosts) -> None:
    rng = np.random.default_rng(0)
    rows = rs.ScoreSet.from_arrays(
        rng.integers(0, 2, 60), rng.normal(size=60), np.repeat(list("abc"), 20), sample_weight=rng.random(60)
    )
    part = groups.make(Material(rows))
    assert np.isnan(part.models[0].low).all()
    assert not np.isnan(part.models[0].auc).any()
    assert "no interval" in part.explanation


def test_no_groups_no_part(hosts) -> None:
    assert groups.make(Material(rs.ScoreSet.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]))) is None
    part = groups.make(Material(hosts))
    data = json.loads(json.dumps(part.to_dict(), allow_nan=False))
    assert len(data["models"][0]["fpr"]) == len(data["groups"]) == 6
    assert data["models"][0]["auc"][2] is None
