"""What more data would buy: the plan is for the declared reading, and its numbers are those of rs.plan."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from report.summary.made_hosts import compared, hosts, material, said, two_models
from rocsteady.inference.compare import compare_at
from rocsteady.report.summary import planning
from rocsteady.report.summary.comparing import comparison as comparing
from rocsteady.report.summary.comparing.measure import Measure
from rocsteady.report.summary.plan_words import promise_words, times_words
from rocsteady.report.summary.planning import PlanPart

pytestmark = pytest.mark.filterwarnings("ignore:RS297")  # pages plan with the difference seen, and say so

SHARED = rs.Deployment("shared", at={"fpr": 0.1})
OWN = rs.Deployment("own", hold="fpr", at=0.1)


_PLANNED: dict[Any, tuple[rs.ScoreSet, PlanPart]] = {}  # scores are kept, so that no other gets their id


def planned(scores: rs.ScoreSet, deployment: rs.Deployment | None) -> PlanPart:
    """The plan, made once for each question."""
    question = (id(scores), str(deployment))
    if question not in _PLANNED:
        if scores is two_models():
            own, part = compared(deployment)
        else:
            own = material(scores, deployment)
            part = comparing.make(own)
        _PLANNED[question] = scores, planning.make(own, part)
    return _PLANNED[question][1]


@pytest.fixture(scope="module")
def scores() -> rs.ScoreSet:
    return two_models()


def test_own_thresholds_are_planned_by_plan(scores: rs.ScoreSet) -> None:
    part = planned(scores, OWN)
    with pytest.warns(rs.RocsteadyWarning, match="RS292"):
        found = rs.plan(scores, measure={"fpr": 0.1}, models=("baseline", "candidate"))
    table = found.table(groups=[10, 20, 40], times_cases=[1, 2, 4])
    (pair,) = compared(OWN)[1].pairs
    now = (pair.high - pair.low) / 2  # as everywhere else on the page; all other rows start from it
    assert part.rows[0].half_width == pytest.approx(now)
    ratios = np.array([row.half_width for row in part.rows]) / table.half_width
    np.testing.assert_allclose(ratios, ratios[0])
    assert [row.is_now for row in part.rows] == [True] + [False] * 8
    assert part.measure is not None
    assert part.measure.kind == "tpr"


def test_a_shared_threshold_is_planned_for_what_was_compared(scores: rs.ScoreSet) -> None:
    own = material(scores, SHARED, n_resamples=2000)
    comparison = comparing.make(own)
    assert comparison is not None
    part = planning.make(own, comparison)
    (pair,) = comparison.pairs
    assert part.measure == pair.measure
    assert part.rows[0].half_width == pytest.approx((pair.high - pair.low) / 2)
    assert "one threshold is set again with other hosts" in said(part.note)


def test_more_groups_and_more_cases_narrow_the_interval(scores: rs.ScoreSet) -> None:
    rows = {(row.n_groups, row.times_cases): row.half_width for row in planned(scores, SHARED).rows}
    assert rows[10, 1.0] > rows[20, 1.0] > rows[40, 1.0]
    assert rows[10, 1.0] > rows[10, 2.0] > rows[10, 4.0]


def test_the_sentence_has_the_rows(scores: rs.ScoreSet) -> None:
    part = planned(scores, OWN)
    rows = {(row.n_groups, row.times_cases): row.half_width for row in part.rows}
    text = said(part.sentence)
    assert f"now reaches {100 * rows[10, 1.0]:.1f} points to either side" in text
    assert f"With twice the hosts (20) it would be {100 * rows[20, 1.0]:.1f} points" in text
    assert f"with twice the cases per host {100 * rows[10, 2.0]:.1f} points" in text
    assert "with a chance of" in text


@pytest.mark.parametrize("deployment", [None, rs.Deployment("own", hold="balance"), rs.Deployment("shared")])
def test_other_readings_are_planned_by_auc(scores: rs.ScoreSet, deployment: rs.Deployment | None) -> None:
    part = planned(scores, deployment)
    found = rs.plan(scores, models=("baseline", "candidate"))
    assert part.measure is not None
    assert part.measure.name == "mean AUC"
    area = compare_at(scores, "baseline", "candidate").differences[0].interval
    assert part.rows[0].half_width == pytest.approx((area.high - area.low) / 2)
    ratio = found.half_width_at(times_cases=2) / found.half_width_at()
    assert part.rows[1].half_width / part.rows[0].half_width == pytest.approx(ratio)
    assert ("no plan is known" in said(part.note)) == (
        deployment is not None and deployment.hold == "balance"
    )


def test_one_model_is_planned_by_its_interval() -> None:
    part = planned(hosts(models=1), OWN)
    assert part.models == ("",)
    assert math.isnan(part.rows[0].power)
    own = rs.average(hosts(models=1), "vertical").at(fpr=0.1).tpr_interval
    assert part.rows[0].half_width == pytest.approx((own.high - own.low) / 2)
    assert "apart" not in said(part.sentence)


def test_one_dataset_is_planned_by_its_cases() -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(200) % 4 == 0
    both = {"a": rng.normal(size=200) + 2 * labels, "b": rng.normal(size=200) + 1.8 * labels}
    part = planned(rs.ScoreSet.from_arrays(labels, both), SHARED)
    assert [row.n_groups for row in part.rows] == [1, 1, 1]
    assert "times the cases are needed" in said(part.sentence)
    widths = [row.half_width for row in part.rows]
    assert widths[0] / widths[1] == pytest.approx(math.sqrt(2))
    assert widths[0] / widths[2] == pytest.approx(2)
    assert math.isnan(part.rows[0].low)


def test_of_very_many_groups_spreads_are_sampled() -> None:
    scores = hosts(1010, sizes=np.full(1010, 16), models=1)
    part = planned(scores, OWN)
    assert part.rows[0].n_groups == 1010
    assert "Spreads were taken from 1 000 hosts, drawn at random." in said(part.note)


def test_what_cannot_be_planned_says_why(scores: rs.ScoreSet) -> None:
    labels, groups = np.tile([1, 0], 80), np.repeat(np.arange(8), 20)
    weighted = rs.ScoreSet.from_arrays(
        labels, labels + np.arange(160) / 100, groups, sample_weight=np.linspace(1, 2, 160)
    )
    assert "weights" in planned(weighted, SHARED).problem
    perfect = rs.ScoreSet.from_arrays(labels, labels + np.tile([0.1, 0.2, 0.3, 0.4], 40), groups)
    assert "no spread" in planned(perfect, SHARED).problem


def test_plain_data_is_json(scores: rs.ScoreSet) -> None:
    assert json.loads(json.dumps(planned(scores, SHARED).to_dict(), allow_nan=False))["problem"] == ""


def test_readers_of_the_same_cases_are_planned_with_their_cases() -> None:
    rng = np.random.default_rng(3)
    n, labels = 5, np.arange(60) % 3 == 0
    signal = rng.normal(size=60) + 1.5 * labels
    scores = {
        name: np.concatenate([signal + noise * rng.normal(size=60) for _ in range(n)])
        for name, noise in (("x", 0.7), ("y", 1.2))
    }
    readers, cases = np.repeat([f"r{i}" for i in range(n)], 60), np.tile(np.arange(60), n)
    study = rs.ScoreSet.from_arrays(np.tile(labels, n), scores, readers, cases=cases, unit="reader")
    part = planned(study, rs.Deployment("own", hold="fpr"))
    rows = {(row.n_groups, row.times_cases): row.half_width for row in part.rows}
    found = rs.compare_readers(study, modalities=("x", "y")).differences[0].interval
    assert rows[5, 1.0] == pytest.approx((found.high - found.low) / 2)
    assert rows[5, 1.0] > rows[10, 1.0] > rows[10, 2.0]
    # Readers share the luck of their cases, so four times as many do not halve an interval.
    assert rows[20, 1.0] > rows[5, 1.0] / 2
    assert "more readers do not average out the chance in these" in said(part.note)


def test_a_plan_for_areas_says_what_it_is_not_for(scores: rs.ScoreSet) -> None:
    cost = rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.05)
    assert said(planned(scores, cost).sentence).startswith("For AUC, not for the declared cost: the 95 % ")
    equal = planned(scores, rs.Deployment("own", hold="balance"))
    assert said(equal.sentence).startswith("For AUC, not for the declared equal error rate: the 95 % ")
    assert said(planned(scores, OWN).sentence).startswith("The 95 % interval of the difference in true ")
    undeclared = planned(scores, None)
    assert said(undeclared.sentence).startswith("The 95 % interval of the difference in mean AUC")
    assert "how the scores will be used was not declared" in said(undeclared.note)
    assert "declared reading" not in said(undeclared.note)


def test_data_are_enough_only_for_the_declared_reading() -> None:
    rng = np.random.default_rng(0)
    labels, host = np.tile([1, 0, 0], 160), np.repeat(np.arange(8), 60)
    both = {"a": rng.normal(size=480) + 4 * labels, "b": rng.normal(size=480) + labels}
    clear = rs.ScoreSet.from_arrays(labels, both, host, unit="host")
    cost = rs.Deployment("own", hold="cost", costs=(1, 5), prevalence=0.2)
    enough = "More data are not needed for that."
    assert enough in said(planned(clear, OWN).sentence)
    for other in (cost, None):
        text = said(planned(clear, other).sentence)
        assert "a chance of more than 99 %" in text
        assert enough not in text
    # Of three models the second is as good as the best.
    three = rs.ScoreSet.from_arrays(
        labels, both | {"c": both["a"] + 0.3 * rng.normal(size=480)}, host, unit="host"
    )
    assert enough not in said(planned(three, OWN).sentence)


def test_numbers_of_a_plan_are_possible() -> None:
    auc = Measure("auc", "mean AUC", "AUC", "", False, False, False)
    assert "may expect 1.000 to either side" in promise_words(auc, 0.5, 1.579)
    assert times_words(1.001) == "1.1"
