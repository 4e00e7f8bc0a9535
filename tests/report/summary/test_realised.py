"""Promised and realised, and thresholds that cannot be told apart."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import plain_text
from rocsteady.report.summary.points import cutoffs, realised
from rocsteady.report.summary.settings import Settings
from rocsteady.simulate import ShiftedDatasets


@pytest.fixture(scope="module")
def hosts() -> rs.ScoreSet:
    return ShiftedDatasets("C-2a", separation=3).draw(10, 20, 60, seed=2, unit="host")


@pytest.mark.filterwarnings("ignore:RS258")
def test_a_shared_threshold_is_tried_on_other_rows_and_in_other_groups(hosts) -> None:
    material = Material(hosts, rs.Deployment("shared", at={"fpr": 0.1}), Settings(seed=3))
    part = realised.make(material)
    assert [row.split for row in part.rows] == ["rows", "groups"]
    for row in part.rows:
        found = rs.realise(hosts, rs.TargetRate(fpr=0.1), threshold="shared", split=row.split, seed=3)
        assert (row.fpr, row.tpr, row.missed) == (found.fpr.mean, found.tpr.mean, found.share_over_budget)
        assert row.promised_tpr == found.promise_on_part.tpr
        assert row.fpr_limits == (max(found.fpr.interval.low, 0.0), found.fpr.interval.high)
    assert "on other rows of the same hosts" in plain_text(part.rows[0].sentence)
    assert "on hosts that were held out" in plain_text(part.rows[1].sentence)
    assert "of hosts miss the target there" in plain_text(part.rows[0].sentence)


def test_own_thresholds_are_tried_in_every_group(hosts) -> None:
    material = Material(hosts, rs.Deployment("own", hold="balance"), Settings())
    (row,) = realised.make(material).rows
    found = rs.realise(hosts, "eer")
    assert (row.fpr, row.tpr) == (found.fpr.mean, found.tpr.mean)
    assert np.isnan(row.missed)  # equal errors are never quite equal again
    assert "hosts" not in plain_text(row.sentence).split("the true positive rate")[1]


def test_costs_of_groups_may_be_higher_than_promised(hosts) -> None:
    use = rs.Deployment("own", hold="cost", costs=(1, 5), prevalence=0.2)
    (row,) = realised.make(Material(hosts, use, Settings())).rows
    assert 0 < row.missed < 1
    assert "do worse there than promised" in plain_text(row.sentence)


@pytest.mark.parametrize(
    "use",
    [
        rs.Deployment("shared", at=1.0),
        rs.Deployment("own", hold="ratio", at=(1, 2)),
        rs.Deployment("own", hold="alerts", at=0.1, prevalence=0.2),
    ],
)
def test_nothing_is_tried_where_nothing_is_chosen(hosts, use) -> None:
    assert realised.make(Material(hosts, use)) is None


def test_groups_of_one_case_cannot_be_halved() -> None:
    rows = rs.ScoreSet.from_arrays([1, 0, 0] * 4, np.arange(12.0), np.repeat(list("abcd"), 3))
    assert realised.make(Material(rows, rs.Deployment("own", hold="fpr", at=0.5))) is None


def test_one_dataset_has_no_share_of_groups() -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat([1, 0], [30, 50])
    rows = rs.ScoreSet.from_arrays(labels, rng.normal(size=80) + 2 * labels)
    (row,) = realised.make(Material(rows)).rows
    assert math.isnan(row.missed)
    assert row.where == "other rows"
    assert plain_text(row.sentence).startswith("Set for FPR 5 %, thresholds promised")


def test_very_many_groups_are_tried_in_some(monkeypatch, hosts) -> None:
    monkeypatch.setattr(realised, "_MOST_GROUPS", 6)
    material = Material(hosts, rs.Deployment("own", hold="fpr", at=0.1), Settings(seed=1))
    part = realised.make(material)
    drawn = sorted(np.random.default_rng(1).permutation(10)[:6].tolist())
    some = rs.ScoreSet.from_folds(
        [(hosts[i].is_positive, hosts[i].scores) for i in drawn],
        names=[hosts.groups[i] for i in drawn],
        design="independent",
    )
    assert part.rows[0].tpr == pytest.approx(
        rs.realise(some, rs.TargetRate(fpr=0.1), seed=1).tpr.mean, abs=0.02
    )
    assert "Tried in 6 hosts, drawn at random." in part.explanation


def test_thresholds_that_cannot_be_told_apart_are_those_of_the_tests(hosts) -> None:
    material = Material(hosts, rs.Deployment("shared", at={"fpr": 0.1}))
    (found,) = cutoffs.make(material).models
    assert found.threshold == rs.average(hosts, "threshold").at(fpr=0.1).threshold
    assert sum(found.is_chosen) == 1
    table = rs.average_operating_points(hosts, thresholds=found.thresholds)
    index = found.is_chosen.index(True)
    for told, rate in ((found.told_fpr, "fpr"), (found.told_tpr, "tpr")):
        comparison = table.compare_to(index, rate)
        assert [each == "cannot" for each in told] == comparison.indistinguishable.tolist()
        assert getattr(found, rate) == pytest.approx(table.measure(rate).mean)
    assert len(set(found.cells)) == len(found.cells)
    assert found.low <= found.threshold <= found.high
    assert "can be told apart from" in plain_text(found.sentence)


def test_own_thresholds_have_no_neighbours(hosts) -> None:
    assert cutoffs.make(Material(hosts, rs.Deployment("own", hold="fpr", at=0.1))) is None
    assert cutoffs.make(Material(rs.ScoreSet.from_arrays([1, 0, 1, 0], [4, 3, 2, 1]))) is None


def test_folds_are_told_of_their_shared_training_data() -> None:
    folds = ShiftedDatasets("C-1", separation=2).draw(5, 10, 10, seed=2, unit="fold")
    folds = folds.with_design("cross-validation")
    part = cutoffs.make(Material(folds, rs.Deployment("shared", at={"fpr": 0.1})))
    assert "Nadeau & Bengio" in part.explanation
    hosts = ShiftedDatasets("C-1", separation=2).draw(5, 10, 10, seed=2, unit="host")
    plain = cutoffs.make(Material(hosts, rs.Deployment("shared", at={"fpr": 0.1})))
    assert plain.models[0].told_fpr.count("yes") >= part.models[0].told_fpr.count("yes")
