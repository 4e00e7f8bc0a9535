"""A range of costs: where one model gives way to another, exactly."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.simulate import ShiftedDatasets
from strategies import grouped_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101")  # small examples look like decisions

PREVALENCE = 0.3


def least_cost(own: rs.ScoreSet, costs) -> np.ndarray:
    a, b = costs
    curves = rs.roc_curves(own)
    return np.array([np.min(PREVALENCE * b * (1 - c.tpr) + (1 - PREVALENCE) * a * c.fpr) for c in curves])


def two_models(first, second) -> rs.ScoreSet:
    """Two sets of groups as two models; the groups need not have the same rows."""
    labels, scores, groups, models = [], [], [], []
    for name, pairs in (("first", first), ("second", second)):
        for i, (own_labels, own_scores) in enumerate(pairs):
            labels.append(own_labels)
            scores.append(np.asarray(own_scores, dtype=float))
            groups += [f"g{i}"] * len(own_labels)
            models += [name] * len(own_labels)
    return rs.ScoreSet.from_arrays(np.concatenate(labels), np.concatenate(scores), groups, models=models)


def deployment(first=(1, 0.2), last=(1, 30)) -> rs.Deployment:
    return rs.Deployment("own", hold="cost", costs=(first, last), prevalence=PREVALENCE)


@settings(max_examples=30)
@given(
    grouped_scores(kinds=("tied floats",), min_groups=2),
    grouped_scores(kinds=("tied floats",), min_groups=2),
    st.floats(0, 1),
)
def test_the_succession_holds_at_every_cost(first, second, share) -> None:
    n = min(len(first), len(second))
    both = two_models(first[:n], second[:n])
    found = rs.advise(deployment(), both).cost_range
    ends = [1 / 1.2, 1 / 31]
    places = [a / (a + b) for a, b in found.crossings]
    place = ends[0] + share * (ends[1] - ends[0])
    index = sum(place < crossed for crossed in places)  # places fall from one end to the other
    pair = (place, 1 - place)
    costs = {name: least_cost(both.model(name), pair).mean() for name in both.models}
    if not found.winners:  # nobody is cheapest, because both cost the same everywhere
        assert found.crossings == ()
        assert max(costs.values()) - min(costs.values()) <= 1e-11
        return
    if min(abs(place - crossed) for crossed in [*places, 9]) > 1e-9:
        assert costs[found.winners[index]] <= min(costs.values()) + 1e-12
    assert len(found.winners) == len(found.crossings) + 1


def test_a_crossing_costs_the_same_for_both() -> None:
    """The first makes no false alarm and catches half; the second catches all at one false alarm in four."""
    careful = [(np.array([1, 1, 0, 0, 0, 0]), [9, 1, 3, 3, 3, 3])] * 4
    eager = [(np.array([1, 1, 0, 0, 0, 0]), [5, 5, 9, 1, 1, 1])] * 4
    both = two_models(careful, eager)
    advice = rs.advise(deployment(), both)
    found = advice.cost_range
    assert found.winners == ("first", "second")
    ((a, b),) = found.crossings
    assert b / a == pytest.approx((0.7 * 0.25) / (PREVALENCE * 0.5))
    assert "RS320" in [warning.code for warning in advice.warnings]
    assert "first first, then second from 1 : 1.17" in found.reading
    for name in both.models:
        assert least_cost(both.model(name), (a, b)).mean() == pytest.approx(0.175 * a)


def test_differences_at_the_ends_are_paired() -> None:
    rng = np.random.default_rng(1)
    labels = np.arange(60) < 30
    groups = [
        [(labels, rng.normal(size=60) + separation * labels) for _ in range(9)] for separation in (1.0, 1.8)
    ]
    both = two_models(*groups)
    found = rs.advise(deployment(), both).cost_range
    assert found.winners == ("second",)
    assert not found.changes
    first = found.differences[0]
    gap = least_cost(both.model("first"), (1, 0.2)) - least_cost(both.model("second"), (1, 0.2))
    half = 2.306 * gap.std(ddof=1) / 3
    assert first.difference == pytest.approx(gap.mean())
    assert (first.interval.low, first.interval.high) == pytest.approx(
        (gap.mean() - half, gap.mean() + half), abs=1e-4
    )
    assert found.differences[-1].costs == (1.0, 30.0)


def test_models_that_cost_the_same_do_not_seem_to_change_places() -> None:
    rng = np.random.default_rng(1)
    labels = np.arange(60) < 30
    groups = [(labels, rng.normal(size=60) + labels) for _ in range(5)]
    found = rs.advise(deployment(), two_models(groups, [(y, s / 3) for y, s in groups])).cost_range
    assert (found.winners, found.crossings, found.changes) == ((), (), False)
    assert found.reading == "first and second cost the same from costs 1 : 0.2 to 1 : 30."


def test_a_model_that_is_equal_at_first_and_cheaper_later_is_cheapest_all_the_way() -> None:
    """Both reach (0, 1/2); the second alone goes on to (1/4, 1), which pays where misses are dear."""
    careful = [(np.array([1, 1, 0, 0, 0, 0]), [9, 1, 3, 3, 3, 3])] * 4
    both_ways = [(np.array([1, 1, 0, 0, 0, 0]), [9, 5, 6, 1, 1, 1])] * 4
    found = rs.advise(deployment(), two_models(careful, both_ways)).cost_range
    assert (found.winners, found.crossings) == (("second",), ())
    other = rs.advise(deployment(), two_models(both_ways, careful)).cost_range
    assert other.winners == ("first",)


def test_one_model_moves_along_its_curve() -> None:
    rng = np.random.default_rng(1)
    labels = np.arange(60) < 30
    own = rs.ScoreSet.from_folds(
        [(labels, rng.normal(size=60) + labels) for _ in range(5)], unit="host", design="independent"
    )
    found = rs.advise(deployment(), own).cost_range
    assert [point.costs[1] for point in found.points] == pytest.approx([0.2, np.sqrt(6), 30])
    assert list(np.diff([point.tpr for point in found.points]) >= 0) == [True, True]
    for point in found.points:
        assert point.cost == pytest.approx(least_cost(own, point.costs).mean())
    assert found.winners == ()


def test_a_single_pair_of_costs_is_no_range() -> None:
    one = rs.Deployment("own", hold="cost", costs=(1, 2), prevalence=PREVALENCE)
    labels = np.array([1, 1, 0, 0])
    assert (
        rs.advise(
            one, rs.ScoreSet.from_folds([(labels, [4, 2, 3, 1])] * 9, unit="host", design="independent")
        ).cost_range
        is None
    )


@pytest.mark.parametrize("costs", [(1, 20), (10, 40)])
def test_a_cost_has_the_interval_that_its_average_gives_it(costs) -> None:
    """Limits of costs are linear: a cost is no share, and may be above 1."""
    drawn = ShiftedDatasets("C-2a", separation=1.5).draw(12, n_positives=30, n_negatives=30, seed=2)
    deployment = rs.Deployment("own", hold="cost", costs=costs, prevalence=0.3)
    (answer,) = rs.advise(deployment, drawn).answers
    asked = {"false_positive": costs[0], "false_negative": costs[1], "prevalence": 0.3}
    own = rs.average(drawn, "tangent").at_costs(**asked)
    assert answer.value == pytest.approx(own.cost)
    limits = answer.value_interval.low, answer.value_interval.high
    assert limits == pytest.approx((own.cost_interval.low, own.cost_interval.high))


def test_models_that_cost_the_same_have_no_cheaper_one() -> None:
    """One was named, "cheaper by 0"; also where their costs differ by a rounding error."""
    labels, groups = [0, 0, 0, 1] * 4, np.repeat(list("wxyz"), 4)
    scores = {"a": [0, 1, 2, 3] * 4, "b": [0, 2, 4, 6] * 4}
    rows = rs.ScoreSet.from_arrays(labels, scores, groups)
    deployment = rs.Deployment("own", hold="cost", costs=((1, 2), (1, 20)), prevalence=0.1)
    found = rs.advise(deployment, rows).cost_range.differences
    for own in (*found, dataclasses.replace(found[0], difference=1e-17)):
        assert own.is_nothing
        assert own.better is own.worse is own.to_dict()["better"] is own.to_dict()["worse"] is None
        assert repr(own).endswith("a and b cost the same)")
    known = dataclasses.replace(found[0], difference=0.25)
    assert (known.better, known.worse) == (known.to_dict()["better"], known.to_dict()["worse"]) == ("a", "b")
    assert repr(known).endswith("a cheaper by 0.25)")
