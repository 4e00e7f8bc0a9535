"""Thresholds of other rows: everything said of the declared point is at them, with one interval each."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from report.summary.made_hosts import hosts, material, said, two_models
from rocsteady.inference.compare import compare_at
from rocsteady.report.summary import planning
from rocsteady.report.summary.answer import answer
from rocsteady.report.summary.comparing import comparison as comparing
from rocsteady.report.summary.points import points

USES = {
    "shared": rs.Deployment("shared", at={"fpr": 0.1}),
    "pooled": rs.Deployment("shared", weigh="rows", at={"tpr": 0.8}),
    "own": rs.Deployment("own", hold="fpr", at=0.1),
}


@cache
def other_rows() -> rs.ScoreSet:
    return hosts(seed=60)


@cache
def made(use: str) -> tuple[Any, Any, Any]:
    own = material(two_models(), USES[use], cutoff_from=other_rows())
    part = comparing.make(own)
    assert part is not None
    return own, part, points.make(own)


@pytest.mark.parametrize("use", USES)
def test_the_pair_is_the_table_of_operating_points(use: str) -> None:
    _, part, table = made(use)
    rows = {row.model: row for row in table.rows if row.is_declared}
    assert [pair.measure.kind for pair in part.pairs] == ["fpr", "tpr"]
    for pair in part.pairs:
        for name, value, limits in (
            (pair.a, pair.value_a, pair.a_limits),
            (pair.b, pair.value_b, pair.b_limits),
        ):
            assert value == pytest.approx(getattr(rows[name], pair.measure.kind))
            shown = getattr(rows[name], f"{pair.measure.kind}_limits")
            np.testing.assert_allclose(limits, np.clip(shown, 0, 1))
        assert pair.difference == pytest.approx(pair.value_a - pair.value_b)
    assert {own.model for own in part.standings} == set(rows)


def test_a_shared_threshold_is_compared_frozen() -> None:
    _, part, table = made("shared")
    at = {row.model: row.threshold for row in table.rows if row.is_declared}
    found = compare_at(two_models(), "baseline", "candidate", method="threshold", at={"threshold": at})
    for pair, own in zip(part.pairs, found.differences, strict=True):
        assert (pair.low, pair.high) == pytest.approx((own.interval.low, own.interval.high))


def test_own_thresholds_are_compared_within_groups() -> None:
    _, part, _ = made("own")
    pair = part.pairs[1]
    gaps = pair.values_a - pair.values_b
    assert pair.difference == pytest.approx(gaps.mean())
    half = 2.262157 * gaps.std(ddof=1) / np.sqrt(gaps.size)
    assert (pair.high - pair.low) / 2 == pytest.approx(half, rel=1e-5)


@pytest.mark.parametrize("use", USES)
def test_sentences_say_where_thresholds_come_from(use: str) -> None:
    own, part, _ = made(use)
    text = said(answer.make(own, part).sentence)
    assert "the thresholds found on other rows and kept, baseline catches" in text
    assert "met again" not in text
    assert "With the thresholds found on other rows the difference" in said(part.sentence)
    assert "The thresholds stay as they are." in said(part.sentence)


@pytest.mark.parametrize("use", USES)
def test_the_plan_is_for_them(use: str) -> None:
    own, part, _ = made(use)
    plan = planning.make(own, part)
    free = "fpr" if use == "pooled" else "tpr"
    (pair,) = (each for each in part.pairs if each.measure.kind == free)
    assert plan.measure == pair.measure
    assert plan.rows[0].half_width == pytest.approx((pair.high - pair.low) / 2)
    widths = [row.half_width for row in plan.rows[:3]]
    assert widths == sorted(widths, reverse=True)


def test_one_model_and_one_dataset() -> None:
    one, other = hosts(models=1), hosts(models=1, seed=60)
    own = material(one, USES["shared"], cutoff_from=other)
    (row,) = (each for each in points.make(own).rows if each.is_declared)
    assert f"{100 * row.fpr:.1f} %" in said(answer.make(own, None).sentence)
    single = material(hosts(1), rs.Deployment("own", hold="fpr", at=0.1), cutoff_from=hosts(1, seed=60))
    part = comparing.make(single)
    rows = {each.model: each for each in points.make(single).rows if each.is_declared}
    assert part is not None
    assert part.pairs[1].value_a == pytest.approx(rows[part.pairs[1].a].tpr)


def test_no_average_at_another_threshold_is_set_beside_them() -> None:
    _, part, _ = made("shared")
    assert part.others_measure.kind == "auc"
    assert "areas, which take no threshold" in said(part.note)
    assert np.isnan(part.winner.at)
