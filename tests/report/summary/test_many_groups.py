"""Warnings are those that hold here: about very many groups once, and none that speak of other intervals."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from report.summary.made_hosts import hosts, material
from rocsteady.report.summary import flow
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.settings import Settings

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


def codes(own: Material) -> list[str]:
    return [finding.warning.code for finding in own.warnings]


def test_very_many_coarse_groups_are_told_once() -> None:
    rng = np.random.default_rng(3)
    labels = np.tile(["attack"] * 3 + ["normal"] * 7, 301)
    scores = rng.normal(size=labels.size) + (labels == "attack")
    names = [f"host-{i}" for i in np.repeat(np.arange(301), 10)]
    own = material(rs.ScoreSet.from_arrays(labels, scores, names, positive="attack", unit="host"))
    assert codes(own).count("RS205") == 1
    assert "RS203" not in codes(own)
    finding = next(each for each in own.warnings if each.warning.code == "RS205")
    assert finding.warning.problem == (
        "of 301 hosts 301 have fewer than 10 attack cases and 301 have fewer than 10 normal cases."
    )
    assert len(finding.groups) == 301


def test_large_numbers_of_groups_can_be_printed_anywhere() -> None:
    labels = np.tile(["attack"] * 2 + ["normal"] * 2, 1001)
    names = [f"host-{i}" for i in np.repeat(np.arange(1001), 4)]
    own = rs.ScoreSet.from_arrays(labels, np.arange(4004) % 7, names, positive="attack", unit="host")
    (told,) = (each.warning.problem for each in material(own).warnings if each.warning.code == "RS205")
    assert told.startswith("of 1 001 hosts 1 001 have")  # plain blanks: a terminal shows escapes of others


def test_few_groups_are_told_one_by_one() -> None:
    own = material(hosts(4, sizes=[8, 48, 48, 48]))
    assert "RS203" in codes(own)
    assert "RS205" not in codes(own)


def test_one_dataset_is_not_told_that_it_has_no_intervals() -> None:
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 0], [30, 60])
    one = rs.ScoreSet.from_arrays(labels, rng.normal(size=90) + labels)
    own = Material(one, rs.Deployment("own", hold="fpr", at=0.1), Settings(n_resamples=100))
    assert "RS312" in [warning.code for warning in own.advice.warnings]
    assert "RS312" not in codes(own)
    few = material(hosts(3), rs.Deployment("own", hold="fpr", at=0.1))
    assert "RS312" in codes(few)


def test_the_contests_of_the_advice_bring_no_second_interval() -> None:
    own = material(hosts(10), rs.Deployment("shared", at={"fpr": 0.1}))
    told = [each.warning for each in own.warnings if each.warning.code == "RS319"]
    assert len(told) == 1
    assert told[0].found == ""


def test_rows_without_a_curve_are_said_to_be_pooled() -> None:
    labels = np.array([1, 0, 1, 0, 0, 0] * 5)
    names = np.tile(["a", "a", "b", "b", "c", "c"], 5)
    rows = rs.ScoreSet.from_arrays(labels, np.arange(30.0), names, unit="host")
    pooled = material(rows, rs.Deployment("shared", weigh="rows", at=3.0))
    told = next(each.warning.problem for each in pooled.warnings if each.warning.code == "RS201")
    assert told.endswith("; it has no curve, but its rows are in the pooled one.")
    shared = material(rows, rs.Deployment("shared", at=3.0))
    told = next(each.warning.problem for each in shared.warnings if each.warning.code == "RS201")
    assert told.endswith("; left out of every average.")


def test_coarse_rates_are_called_as_in_the_report() -> None:
    own = material(hosts(4, sizes=[8, 48, 48, 48]), words="medical")
    told = " ".join(row.problem for row in flow.make(own).warnings if row.code == "RS203")
    assert "sensitivity moves in steps" in told
    assert "TPR" not in told
