"""Plans for one threshold that all groups share."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import DataError
from rocsteady.planning.groups import plan_given_thresholds, plan_shared_budget, rescaled

T9 = 2.2621571627982053
"""Student's t of 9 degrees of freedom at 97.5 %."""


def scores(n_groups: int = 10, *, size: int = 60, shift: float = 0.5, seed: int = 4) -> rs.ScoreSet:
    rng = np.random.default_rng(seed)
    labels, groups = np.tile([1, 0, 0], size * n_groups // 3), np.repeat(np.arange(n_groups), size)
    both = {
        "a": rng.normal(size=labels.size) + 1.5 * labels,
        "b": rng.normal(size=labels.size) + 1.5 * labels + shift * rng.normal(size=n_groups)[groups],
    }
    return rs.ScoreSet.from_arrays(labels, both, groups, unit="site")


@pytest.mark.parametrize("method", ["threshold", "pooled"])
@pytest.mark.parametrize("at", [{"fpr": 0.1}, {"tpr": 0.8}], ids=str)
def test_the_estimate_is_the_reading_of_the_average(method: str, at: dict[str, float]) -> None:
    own = scores().model("b")
    found = plan_shared_budget(own, at, method=method)
    average = rs.average(own, method)
    point = average.at(**at)  # type: ignore[arg-type]
    assert found.means[0] == pytest.approx(point.tpr if "fpr" in at else point.fpr)
    assert found.estimate == pytest.approx(found.means[0], abs=0.02)
    assert found.half_width == pytest.approx(T9 * found.values.std(ddof=1) / math.sqrt(10))


def test_two_models_are_planned_by_their_difference() -> None:
    both = scores()
    found = plan_shared_budget(both, {"fpr": 0.1}, models=("a", "b"))
    alone = [plan_shared_budget(both.model(name), {"fpr": 0.1}) for name in ("a", "b")]
    np.testing.assert_allclose(found.values, alone[0].values - alone[1].values)
    assert found.power is not None
    assert found.power_at(40) > found.power


def test_now_it_is_as_wide_as_the_interval_of_compare() -> None:
    both = scores(20, size=90)
    found = plan_shared_budget(both, {"fpr": 0.1}, models=("a", "b"))
    (difference,) = rs.compare(both, "a", "b", method="threshold", at={"fpr": 0.1}).at
    half = (difference.interval.high - difference.interval.low) / 2
    assert found.half_width == pytest.approx(half, rel=0.1)


def test_groups_that_differ_by_chance_alone_have_nothing_between_them() -> None:
    between, whole = [], []
    for seed in range(6):
        found = plan_shared_budget(scores(30, shift=0.0, seed=seed).model("a"), {"fpr": 0.1})
        between.append(found.values.var(ddof=1) - found.within)
        whole.append(found.within)
    assert abs(np.mean(between)) < 0.15 * np.mean(whole)


def test_the_luck_of_cases_falls_with_their_number() -> None:
    few = plan_shared_budget(scores(30, size=60).model("b"), {"fpr": 0.1})
    many = plan_shared_budget(scores(30, size=240).model("b"), {"fpr": 0.1})
    assert many.within == pytest.approx(few.within / 4, rel=0.35)


def test_one_group_shares_nothing() -> None:
    with pytest.raises(rs.RocsteadyError, match="RS068"):
        plan_shared_budget(scores(1).model("a"), {"fpr": 0.1})


@pytest.mark.parametrize("method", ["threshold", "pooled"])
@pytest.mark.parametrize("rate", ["tpr", "fpr"])
def test_given_thresholds_are_planned_by_their_rates(method: str, rate: str) -> None:
    both = scores()
    at = {name: dict.fromkeys(both.groups, threshold) for name, threshold in (("a", 1.0), ("b", 1.2))}
    found = plan_given_thresholds(both, at, rate, method=method, models=("a", "b"))
    means = [
        float(getattr(rs.average(both.model(name), method).rates_at(own["0"]), rate))
        for name, own in at.items()
    ]
    assert found.means == pytest.approx(means)
    assert found.estimate == pytest.approx(means[0] - means[1])
    alone = plan_given_thresholds(both.model("a"), {"a": at["a"]}, rate, method=method)
    assert alone.estimate == pytest.approx(means[0])


def test_given_thresholds_must_be_those_of_all_groups() -> None:
    with pytest.raises(DataError, match="RS068"):
        plan_given_thresholds(scores().model("a"), {"a": {"0": 1.0}}, "tpr")


@pytest.mark.parametrize("models", [None, ("a", "b")])
def test_a_plan_can_start_from_a_known_interval(models: tuple[str, str] | None) -> None:
    both = scores()
    made = plan_shared_budget(both if models else both.model("a"), {"fpr": 0.1}, models=models)
    found = rescaled(made, 2 * made.half_width_at())
    for groups, times in ((10, 1.0), (20, 1.0), (10, 4.0)):
        twice = 2 * made.half_width_at(groups, times_cases=times)
        assert found.half_width_at(groups, times_cases=times) == pytest.approx(twice)
    if models:
        assert found.groups_needed is not None
        assert found.power_at(int(found.groups_needed)) >= 0.8 > found.power_at(int(found.groups_needed) - 1)
    same = rescaled(made, made.half_width_at())
    assert (same.groups_needed, same.groups_range) == (made.groups_needed, made.groups_range)
