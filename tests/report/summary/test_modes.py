"""Readings at every position of the slider are those of the library, and their sentences say them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from report.summary.made_hosts import hosts, material
from rocsteady.report.summary.material import KEYS, Material
from rocsteady.report.summary.modes import modes
from rocsteady.report.summary.modes.modes import Mode
from rocsteady.report.summary.modes.reading import ModeReading
from rocsteady.report.summary.phrases import plain_text

COSTS = rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.03)
HELD = {"threshold": "threshold", "pooled": "threshold", "vertical": "fpr", "horizontal": "tpr"}


@pytest.fixture(scope="module")
def gathered() -> Material:
    return material(hosts(9), COSTS, at=({"fpr": 0.0123}, {"tpr": 0.77}, "eer"))


@pytest.fixture(scope="module")
def made(gathered: Material) -> dict[str, Mode]:
    return {mode.key: mode for mode in modes.make(gathered)}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsteadyWarning)
        yield


def of(mode: Mode, name: str = "candidate") -> ModeReading:
    return next(own for own in mode.models if own.model == name)


def test_all_keys_are_there_in_order(made: dict[str, Mode]) -> None:
    assert tuple(made) == KEYS
    assert [key for key, mode in made.items() if mode.is_declared] == ["cost"]


@pytest.mark.parametrize("key", HELD)
def test_readings_are_those_of_the_average(key: str, gathered: Material, made: dict[str, Mode]) -> None:
    own = of(made[key])
    average = rs.average(gathered.score_set.model("candidate"), key, undefined="drop")
    point = average.at(**{HELD[key]: own.positions})
    for rate in ("fpr", "tpr"):
        assert np.array_equal(getattr(own, rate), getattr(point, rate))
        interval = getattr(point, f"{rate}_interval")
        if interval is None:
            assert np.isnan(getattr(own, f"{rate}_low")).all()
        else:
            assert np.array_equal(getattr(own, f"{rate}_low"), np.clip(interval.low, 0, 1))
            assert np.array_equal(getattr(own, f"{rate}_high"), np.clip(interval.high, 0, 1))


def test_readings_of_slanted_averages(gathered: Material, made: dict[str, Mode]) -> None:
    scores = gathered.score_set.model("candidate")
    diagonal, alerts, radial, cost = (of(made[key]) for key in ("diagonal", "alerts", "radial", "cost"))
    point: Any = rs.average(scores, "diagonal").at(rate=(diagonal.positions + 1) / 2)
    assert np.array_equal(diagonal.tpr_low, np.clip(point.tpr_interval.low, 0, 1))
    point = rs.average(scores, rs.AtAlarmRate(prevalence=0.03)).at(rate=alerts.positions)
    assert np.array_equal(alerts.fpr_high, np.clip(point.fpr_interval.high, 0, 1))
    point = rs.average(scores, "radial").at_error_ratio(radial.positions, 1)
    assert np.allclose(radial.fpr, point.fpr, atol=1e-12)
    assert np.allclose(radial.tpr_high, np.clip(point.tpr_interval.high, 0, 1), atol=1e-12)
    tangent: Any = rs.average(scores, "tangent")
    for i in range(0, cost.positions.size, 10):
        ratio = cost.positions[i]
        point = tangent.at_costs(false_positive=1, false_negative=ratio, prevalence=0.03)
        assert cost.tpr[i] == pytest.approx(point.tpr, abs=1e-12)
        assert cost.fpr_low[i] == pytest.approx(max(point.fpr_interval.low, 0.0), abs=1e-12)
        assert (cost.threshold_low[i], cost.threshold_high[i]) == point.thresholds


def test_the_cost_direction_starts_at_its_least_cost(gathered: Material, made: dict[str, Mode]) -> None:
    own = of(made["cost-direction"])
    average: Any = rs.average(gathered.score_set.model("candidate"), COSTS.cost_direction)
    misses, alarms = average.method.expected
    found = misses * (1 - own.tpr[own.start]) + alarms * own.fpr[own.start]
    assert found == pytest.approx(average.expected_cost().min(), abs=1e-9)


@pytest.mark.parametrize("key", ["vertical", "horizontal"])
def test_thresholds_run_as_the_library_says(key: str, gathered: Material, made: dict[str, Mode]) -> None:
    own = of(made[key])
    average = rs.average(gathered.score_set.model("candidate"), key)
    for i in (3, own.start, own.positions.size - 2):
        point = average.at(**{HELD[key]: float(own.positions[i])})
        assert (own.threshold_low[i], own.threshold_high[i]) == point.thresholds


@pytest.mark.parametrize("key", KEYS)
def test_positions_rise_and_hold_what_was_asked_for(key: str, made: dict[str, Mode]) -> None:
    for own in made[key].models:
        assert (np.diff(own.positions) > 0).all()
        assert 60 <= own.positions.size <= 150
        assert len(own.labels) == len(own.sentences) == own.positions.size
        assert (own.fpr_least <= own.fpr_most).all()
        along = -1 if made[key].question == "shared" else 1  # a higher threshold calls fewer positive
        assert (along * np.diff(own.fpr) > -1e-12).all()
        assert (along * np.diff(own.tpr) > -1e-12).all()


def test_places_asked_for_are_met_exactly(made: dict[str, Mode]) -> None:
    assert 0.0123 in of(made["vertical"]).positions
    assert 0.77 in of(made["horizontal"]).positions
    assert of(made["cost"]).positions[of(made["cost"]).start] == 20.0
    assert of(made["diagonal"]).positions[of(made["diagonal"]).start] == 0.0


def test_single_groups_bound_the_average(made: dict[str, Mode]) -> None:
    own = of(made["threshold"])
    assert (own.fpr_least <= own.fpr + 1e-12).all()
    assert (own.tpr <= own.tpr_most + 1e-12).all()
    assert np.array_equal(own.threshold_low, own.threshold_high)


def test_the_sentence_says_the_numbers() -> None:
    made = material(hosts(9), rs.Deployment("shared", at={"fpr": 0.05}))
    mode = modes.make(made)[0]
    own = of(mode)
    said = plain_text(own.sentences[own.start])
    words = made.wording
    assert f"one threshold of {words.threshold(own.positions[own.start])} on every host" in said
    # Both rates with as many places.
    assert f"catches {words.tpr.percent(own.tpr[own.start], 1)} of its attack cases" in said
    assert words.tpr.interval(own.tpr_low[own.start], own.tpr_high[own.start], 1) in said
    assert "this threshold kept" in said
    # ... and which interval it is where the budget is met again.
    again = rs.average(made.score_set.model("candidate"), "threshold").at(fpr=0.05)
    assert f"is {words.tpr.interval(again.tpr_interval.low, again.tpr_interval.high, 1)}." in said
    assert "set again to 5.0 % false alarms" in said
    elsewhere = plain_text(own.sentences[own.start - 5])
    assert "set again" not in elsewhere


def test_every_vocabulary_keeps_to_its_words() -> None:
    for words, known, foreign in (
        ("medical", "sensitivity", ("TPR", "true positive rate", "false alarms on")),
        ("biometric", "false non-match rate", ("true positive rate", "sensitivity", "false alarms on")),
    ):
        made = material(hosts(4, models=1), words=words)
        for mode in modes.make(made):
            for own in mode.models:
                said = plain_text(own.sentences[own.start])
                assert known in said or mode.key in ("vertical", "horizontal")
                assert not [word for word in foreign if word in said]


def test_one_dataset_has_no_average_and_intervals_over_cases() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 200)
    scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=200) + labels)
    made = {mode.key: mode for mode in modes.make(material(scores))}
    curve = rs.roc_curve(labels, scores[0].scores)
    assert made["threshold"].name == "ROC curve"
    assert made["pooled"].models == ()
    own = made["vertical"].models[0]
    assert np.allclose(own.tpr, curve.tpr_at(own.positions))
    assert np.allclose(own.tpr_low, curve.tpr_interval(own.positions).low)
    assert own.auc_interval == pytest.approx((curve.auc_interval().low, curve.auc_interval().high))
    said = plain_text(own.sentences[own.start])
    assert "intervals over cases" in said
    assert "group" not in said


def test_one_weighted_dataset() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 120)
    weight = rng.random(120) + 0.1
    scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=120) + labels, sample_weight=weight)
    own = modes.make(material(scores))[2].models[0]
    assert own.tpr_low[own.start] < own.tpr[own.start] < own.tpr_high[own.start]
    assert own.auc_interval[0] < own.auc < own.auc_interval[1]


def test_all_scores_tied_says_nothing_it_does_not_know() -> None:
    scores = rs.ScoreSet.from_arrays([1, 0] * 30, np.zeros(60), np.repeat(range(3), 20))
    for mode in modes.make(material(scores, rs.Deployment("shared", at={"fpr": 0.05}))):
        for own in mode.models:
            said = plain_text(own.sentences[own.start])
            assert "0 to 0 %" not in said
            assert "100 to 100 %" not in said


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.booleans(), st.booleans())
def test_readings_hold_for_any_data(seed: int, ties: bool, weights: bool, infinite: bool) -> None:
    rng = np.random.default_rng(seed)
    n, n_groups = 60, int(rng.integers(2, 5))
    labels, group = rng.integers(0, 2, n), np.arange(n) % n_groups
    labels[: 2 * n_groups] = np.repeat([0, 1], n_groups)
    scores = rng.normal(size=n) + labels
    if ties:
        scores = np.round(scores)
    if infinite:
        scores[rng.integers(0, n, 3)] = rng.choice([-np.inf, np.inf], 3)
    weight = rng.integers(1, 4, n) / 2 if weights else None
    held = rs.ScoreSet.from_arrays(
        labels, scores, group, sample_weight=weight, higher_is_positive=bool(rng.integers(0, 2))
    )
    own = Material(held)
    for key in ("threshold", "vertical", "horizontal"):
        reading = modes.read(own, key, "").reading
        point = rs.average(held, key).at(**{HELD[key]: reading.positions})
        assert np.array_equal(reading.fpr, point.fpr)
        assert np.array_equal(reading.tpr, point.tpr)
        assert not any("nan" in plain_text(said) for said in reading.sentences)


@pytest.mark.parametrize("prevalence", [1e-300, 1e-20, 1 - 1e-12])
def test_a_class_may_be_very_rare(prevalence: float) -> None:
    own = material(hosts(4), rs.Deployment("own", hold="alerts", at=0.02, prevalence=prevalence))
    made = {mode.key: mode for mode in modes.make(own)}
    assert made["cost"].models[0].positions.size >= 1
    assert made["alerts"].models[0].positions[made["alerts"].models[0].start] == 0.02


def test_no_limit_lies_beyond_0_and_1() -> None:
    rng = np.random.default_rng(8)
    labels = np.tile(np.repeat([1, 0], 20), 2)
    shift = np.repeat([3.0, 0.5], 40)
    two = rs.ScoreSet.from_arrays(labels, rng.normal(size=80) + shift * labels, np.repeat(["a", "b"], 40))
    own = material(two, rs.Deployment("own", hold="tpr", at=0.9))
    assert rs.average(two, "horizontal").auc_interval(scale="linear").high > 1
    for mode in modes.make(own):
        for reading in mode.models:
            limits = [reading.fpr_low, reading.fpr_high, reading.tpr_low, reading.tpr_high]
            every = np.concatenate([*limits, reading.auc_interval])
            assert np.nanmin(every) >= 0
            assert np.nanmax(every) <= 1


def test_groups_that_agree_are_said_to_agree() -> None:
    own = modes.read(material(hosts(6)), "threshold", "baseline").reading
    strict, loose = (plain_text(own.sentences[i]) for i in (-1, 0))
    assert "0 to 0 %" not in strict
    assert "100 to 100 %" not in loose
    assert "all have 100 % caught" in loose or "All hosts are alike" in loose
