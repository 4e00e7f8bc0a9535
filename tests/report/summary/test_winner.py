"""Who wins where: the map is that of rs.winner_map, along what the deployment holds."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from report.summary.made_hosts import hosts, material, said
from rocsteady.report.summary.comparing import winner

SHARED = rs.Deployment("shared", at={"fpr": 0.1})


def quiet_map(scores: rs.ScoreSet, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsteadyWarning)
        return rs.winner_map(scores, n_resamples=200, **options)


@pytest.fixture(scope="module")
def scores() -> rs.ScoreSet:
    return hosts()


@pytest.mark.parametrize(
    ("deployment", "options"),
    [
        (SHARED, {"method": "threshold"}),
        (rs.Deployment("own", hold="fpr", at=0.1), {}),
        (rs.Deployment("own", hold="tpr", at=0.9), {"over": "tpr"}),
        (
            rs.Deployment("own", hold="alerts", at=0.2, prevalence=0.1),
            {"over": "alerts", "alerts": (0.05, 0.8), "prevalence": 0.1},
        ),
        (
            rs.Deployment("own", hold="cost", costs=((1, 2), (1, 20)), prevalence=0.1),
            {"over": "costs", "costs": ((1, 2), (1, 20)), "prevalence": 0.1},
        ),
    ],
    ids=["shared", "fpr", "tpr", "alerts", "costs"],
)
def test_the_map_is_that_of_winner_map(scores: rs.ScoreSet, deployment: Any, options: Any) -> None:
    made = winner.make(material(scores, deployment))
    found = quiet_map(scores, **options)
    assert made is not None
    assert made.over == found.over
    for name in ("advantage", "lower", "upper"):
        np.testing.assert_array_equal(getattr(made, name), getattr(found, name))
    np.testing.assert_array_equal(made.x, found.position)
    assert [(r.low, r.high, r.winner) for r in made.regions] == [
        (r.low, r.high, r.winner or "") for r in found.regions
    ]


def test_the_sentence_names_the_regions(scores: rs.ScoreSet) -> None:
    made = winner.make(material(scores, SHARED))
    assert made is not None
    won = {region.winner for region in made.regions} - {""}
    assert won == {"baseline"}
    assert said(made.sentence).startswith("baseline is better ")
    # RS283: ten hosts of different levels share a threshold.
    assert "they do so less often than at 95 % (RS283)" in said(made.sentence)
    assert "Limits for the whole range at once are wider than those at one point." in said(made.sentence)
    assert made.at == 0.1
    own = winner.make(material(scores, rs.Deployment("own", hold="fpr", at=0.1)))
    assert own is not None
    assert (
        "These limits hold over the whole range at once, at 95 % confidence, for other hosts like these."
        in (said(own.sentence))
    )


@pytest.mark.parametrize(
    ("n", "apart", "why"),
    [
        (4, 1.0, "There are too few hosts for limits over a whole range"),
        (8, 9.0, "There are no limits: the models do not differ on any host anywhere in this range."),
    ],
)
def test_why_there_are_no_limits_is_said(n: int, apart: float, why: str) -> None:
    rng = np.random.default_rng(0)
    labels, groups = np.tile([1, 0, 0], 20 * n), np.repeat(np.arange(n), 60)
    both = {name: rng.normal(size=60 * n) + apart * labels for name in "ab"}
    rows = rs.ScoreSet.from_arrays(labels, both, groups, unit="host")
    made = winner.make(material(rows, rs.Deployment("own", hold="fpr", at=0.1)))
    assert made is not None
    assert not np.isfinite(made.upper).any()
    assert why in said(made.sentence)


def test_undecided_is_said() -> None:
    made = winner.make(material(hosts(), rs.Deployment("own", hold="fpr", at=0.1)))
    assert made is not None
    assert {region.winner for region in made.regions} == {""}
    assert "neither model is shown to be better" in said(made.sentence)


def test_a_rate_below_the_usual_range_is_inside_the_map(scores: rs.ScoreSet) -> None:
    made = winner.make(material(scores, rs.Deployment("own", hold="fpr", at=0.004)))
    assert made is not None
    assert made.x[0] < 0.004 < made.x[-1] <= 0.05


@pytest.mark.parametrize("words", ["medical", "biometric"])
def test_axes_have_the_words_of_the_field(scores: rs.ScoreSet, words: str) -> None:
    made = winner.make(material(scores, SHARED, words=words))
    assert made is not None
    assert made.axis == {"medical": "1 − specificity", "biometric": "False match rate"}[words]
    assert made.gain == {"medical": "sensitivity gained (points)", "biometric": "FNMR saved (points)"}[words]


def test_many_models_have_the_lead_of_the_best() -> None:
    many = hosts(models=4)
    made = winner.make(material(many, SHARED))
    found = quiet_map(many, method="threshold")
    assert made is not None
    np.testing.assert_array_equal(made.lower, found.lead(made.a).lower)
    best = max(many.models, key=lambda name: float(found.lead(name).advantage.mean()))
    assert made.a == best


def test_no_map_without_a_deployment_or_a_second_model(scores: rs.ScoreSet) -> None:
    assert winner.make(material(scores, None)) is None
    assert winner.make(material(hosts(models=1), SHARED)) is None


def test_no_map_of_costs_over_cases() -> None:
    labels = np.arange(80) % 2 == 0
    both = {"a": np.arange(80.0), "b": np.arange(80.0)[::-1]}
    one = rs.ScoreSet.from_arrays(labels, both)
    assert winner.make(material(one, rs.Deployment("own", hold="cost", costs=(1, 5), prevalence=0.1))) is None


def test_fewer_resamples_are_said() -> None:
    scores = hosts(1001, sizes=np.full(1001, 8))
    made = winner.make(material(scores, SHARED, n_resamples=600))
    assert made is not None
    assert made.n_resamples == 500
    assert "(500 resamples)" in said(made.sentence)
    assert not math.isnan(made.advantage[0])


def test_without_limits_none_are_spoken_of() -> None:
    found = winner.make(material(hosts(3), rs.Deployment("own", hold="fpr", at=0.1)))
    assert found is not None
    assert not np.isfinite(found.upper - found.lower).any()
    assert "hold over the whole range" not in said(found.sentence)
    assert "too few hosts for limits" in said(found.sentence)
