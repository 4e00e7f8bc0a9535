"""A deployment says how scores will be used: what fits together, and which average that asks for."""

from __future__ import annotations

import pytest

import rocsteady as rs
from rocsteady.advice.deployment import HOLDS
from rocsteady.errors import Option, UsageError

MAPPING = [
    ({"threshold": "shared"}, "threshold"),
    ({"threshold": "shared", "weigh": "groups"}, "threshold"),
    ({"threshold": "shared", "weigh": "rows"}, "pooled"),
    ({"threshold": "own", "hold": "fpr"}, "vertical"),
    ({"threshold": "own", "hold": "tpr"}, "horizontal"),
    ({"threshold": "own", "hold": "balance"}, "diagonal"),
    ({"threshold": "own", "hold": "ratio"}, "radial"),
    ({"threshold": "own", "hold": "cost", "costs": (1, 20), "prevalence": 0.03}, "tangent"),
    ({"threshold": "own", "hold": "alerts", "prevalence": 0.03}, "AtAlarmRate(prevalence=0.03)"),
]


@pytest.mark.parametrize(("answers", "method"), MAPPING)
def test_the_answers_decide_the_average(answers, method) -> None:
    advice = rs.advise(rs.Deployment(**answers))
    assert advice.method == method
    assert rs.Deployment(**answers).method == method


def test_every_thing_that_can_be_held_has_an_average() -> None:
    assert {answers["hold"] for answers, _ in MAPPING if "hold" in answers} == set(HOLDS)


def test_an_equal_deployment_is_equal() -> None:
    assert rs.Deployment("own", hold="fpr", at=0.05) == rs.Deployment(threshold="own", hold="fpr", at=0.05)
    assert rs.Deployment("own", hold="fpr", at=0.05) != rs.Deployment("own", hold="fpr", at=0.1)


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("RS001", {"threshold": "both"}),
        ("RS001", {"threshold": "shared", "weigh": "events"}),
        ("RS001", {"threshold": "own", "hold": "auc"}),
        ("RS090", {"threshold": "own"}),
        ("RS090", {"threshold": "shared", "hold": "cost"}),
        ("RS090", {"threshold": "shared", "hold": "balance", "at": 0}),
        ("RS090", {"threshold": "own", "hold": "fpr", "weigh": "rows"}),
        ("RS091", {"threshold": "own", "hold": "alerts"}),
        ("RS042", {"threshold": "own", "hold": "alerts", "prevalence": 3}),
        ("RS042", {"threshold": "own", "hold": "fpr", "at": 5}),
        ("RS042", {"threshold": "own", "hold": "alerts", "prevalence": 0.1, "at": 1.5}),
        ("RS042", {"threshold": "shared", "at": {"fpr": 5}}),
        ("RS092", {"threshold": "shared", "at": {"rate": 0.05}}),
        ("RS092", {"threshold": "shared", "at": float("nan")}),
        ("RS042", {"threshold": "shared", "hold": "fpr", "at": 5}),
        ("RS092", {"threshold": "shared", "hold": "fpr", "at": {"tpr": 0.9}}),
        ("RS092", {"threshold": "own", "hold": "ratio", "at": 2.0}),
        ("RS092", {"threshold": "own", "hold": "ratio", "at": (0, 1)}),
        ("RS092", {"threshold": "own", "hold": "balance", "at": 2}),
        ("RS092", {"threshold": "own", "hold": "cost", "costs": (1, 2), "prevalence": 0.1, "at": 0.1}),
        ("RS081", {"threshold": "own", "hold": "cost", "costs": (0, 0), "prevalence": 0.1}),
        ("RS081", {"threshold": "own", "hold": "cost", "costs": (-1, 2), "prevalence": 0.1}),
        ("RS081", {"threshold": "own", "hold": "cost", "costs": (1, float("inf")), "prevalence": 0.1}),
        ("RS094", {"threshold": "own", "hold": "cost", "costs": (1, 2, 3), "prevalence": 0.1}),
        ("RS094", {"threshold": "own", "hold": "cost", "costs": ((1, 2), (2, 4)), "prevalence": 0.1}),
        ("RS042", {"threshold": "own", "hold": "cost", "costs": "cheap", "prevalence": 0.1}),
    ],
)
def test_what_does_not_fit_together_is_refused(code, answers) -> None:
    with pytest.raises(UsageError, match=code):
        rs.Deployment(**answers)


def test_what_is_refused_for_costs_comes_with_costs_that_are_taken() -> None:
    for costs in ((-1, 2), (0, 0), (1, 2, 3), ((1, 2), (2, 4))):
        with pytest.raises(UsageError) as caught:
            rs.Deployment("own", hold="cost", costs=costs, prevalence=0.1)
        for remedy in caught.value.remedies:
            option = remedy if isinstance(remedy, Option) else remedy[-1]
            rs.Deployment("own", hold="cost", prevalence=0.1, **{option.name: option.value})


def test_answers_can_be_given_in_order() -> None:
    assert rs.Deployment("own", "groups", "fpr") == rs.Deployment(threshold="own", hold="fpr")
    given = rs.Deployment("own", "groups", "alerts", 0.02, (1, 20), 0.1)
    assert (given.at, given.costs, given.prevalence) == (0.02, (1.0, 20.0), 0.1)


@pytest.mark.parametrize(("hold", "rate"), [("fpr", 0.05), ("tpr", 0.9)])
def test_a_shared_threshold_can_be_set_to_a_mean_rate(hold, rate) -> None:
    deployment = rs.Deployment("shared", hold=hold, at=rate)
    assert deployment == rs.Deployment("shared", at={hold: rate})
    assert deployment == rs.Deployment("shared", hold=hold, at={hold: rate})
    assert deployment.at == {hold: rate}
    assert deployment.method == "threshold"
    looked_at = rs.Deployment("shared", hold=hold)
    assert (looked_at.at, looked_at.method) == (None, "threshold")


@pytest.mark.parametrize("known", [{}, {"costs": (1, 20)}, {"prevalence": 0.1}])
def test_costs_may_be_held_before_they_are_known(known) -> None:
    deployment = rs.Deployment("own", hold="cost", **known)
    advice = rs.advise(deployment)
    assert advice.method == "tangent"
    assert "need the costs and the prevalence" in str(advice.because[-1])
    known = rs.advise(rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.1))
    assert "need the costs" not in str(known.because[-1])


def test_it_can_be_a_key() -> None:
    assert len({rs.Deployment("shared", at={"fpr": 0.05}), rs.Deployment("shared", at={"fpr": 0.05})}) == 1


def test_a_percentage_is_recognised() -> None:
    with pytest.raises(UsageError, match=r"at=0\.05"):
        rs.Deployment("own", hold="fpr", at=5)


def test_balance_is_read_at_the_equal_error_rate_unless_said() -> None:
    assert rs.Deployment("own", hold="balance").at == 0
    assert rs.Deployment("own", hold="fpr").at is None


def test_the_middle_of_a_range_of_costs() -> None:
    deployment = rs.Deployment("own", hold="cost", costs=((1, 2), (1, 50)), prevalence=0.1)
    assert deployment.cost_range == ((1.0, 2.0), (1.0, 50.0))
    assert deployment.typical_costs == pytest.approx((1, 10))
    assert rs.Deployment("own", hold="fpr", costs=((0, 1), (1, 1))).typical_costs == (0.5, 1.0)


@pytest.mark.parametrize(
    ("answers", "shown"),
    [
        ({"threshold": "shared", "at": 2.5}, "Deployment(shared threshold, groups count equally, at 2.5)"),
        (
            {"threshold": "shared", "hold": "fpr", "at": 0.05},
            "Deployment(shared threshold, groups count equally, at a mean fpr of 0.05)",
        ),
        (
            {"threshold": "shared", "hold": "tpr"},
            "Deployment(shared threshold, groups count equally, read at a mean tpr)",
        ),
        ({"threshold": "own", "hold": "balance"}, "Deployment(own thresholds, balance held at 0.0)"),
    ],
)
def test_it_prints_on_one_line(answers, shown) -> None:
    assert repr(rs.Deployment(**answers)) == shown


def test_it_becomes_plain_data() -> None:
    data = rs.Deployment("own", hold="ratio", at=(1, 2)).to_dict()
    assert data == {
        "threshold": "own",
        "weigh": "groups",
        "hold": "ratio",
        "at": [1.0, 2.0],
        "costs": None,
        "prevalence": None,
    }
