"""What is said about a score set agrees with what is in it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.advice.check import FEW_CASES, check
from rocsteady.scores import ScoreSet

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")


@st.composite
def rows(draw: st.DrawFn) -> dict[str, list]:
    n = draw(st.integers(2, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))  # a column drawn row by row takes long
    return {
        "labels": [0, 1, *rng.integers(0, 2, n)[2:].tolist()],
        "scores": rng.integers(-3, 4, n).tolist(),
        "groups": ["a", "a", *rng.choice([*"abcd"], n)[2:].tolist()],
        "models": ["x", "x", *rng.choice([*"xy"], n)[2:].tolist()],
    }


@given(rows())
def test_counts_add_up(table) -> None:
    score_set = ScoreSet.from_arrays(**table)
    summary = check(score_set)
    labels = np.array(table["labels"])
    assert summary.n_rows == labels.size == sum(model.n_rows for model in summary.models)
    assert sum(model.n_positives for model in summary.models) == labels.sum()
    rows = list(zip(table["models"], table["groups"], table["scores"], strict=True))
    assert sum(model.n_distinct for model in summary.models) == len({(m, s) for m, _, s in rows})
    assert sum(model.n_ties for model in summary.models) == len(rows) - len(set(rows))
    assert min(model.lowest for model in summary.models) == min(table["scores"])
    assert max(model.highest for model in summary.models) == max(table["scores"])
    json.dumps(summary.to_dict(), allow_nan=False)


@given(rows())
def test_findings_name_exactly_the_awkward_groups(table) -> None:
    score_set = ScoreSet.from_arrays(**table)
    summary = check(score_set)
    one_class, few = set(), set()
    for index, member in enumerate(score_set):
        name = score_set.names[index]
        counts = (member.n_positives, member.n_negatives)
        if min(counts) == 0:
            one_class.add(name)
        elif min(counts) < FEW_CASES:
            few.add(name)
    named = {"RS201": set(), "RS203": set()}
    for finding in summary.findings:
        for name in finding.groups:
            # a group stands for all its members
            members = [n for n in score_set.names if n == name or n.endswith(f" / {name}")]
            named[finding.warning.code].update(members)
    assert named == {"RS201": one_class, "RS203": few}
    assert summary.n_curves == len(score_set) - len(one_class)


def findings(**sizes: tuple[int, int]) -> list[str]:
    """What is said about groups of these numbers of positives and negatives."""
    labels = [label for p, n in sizes.values() for label in [1] * p + [0] * n]
    groups = [name for name, (p, n) in sizes.items() for _ in range(p + n)]
    score_set = ScoreSet.from_arrays(labels, np.arange(len(labels)), groups, unit="host")
    return [finding.warning.problem for finding in check(score_set).findings]


def test_few_cases_are_put_in_words() -> None:
    assert findings(a=(20, 20)) == []
    assert findings(a=(9, 20)) == ["host a has 9 positive cases; its TPR moves in steps of 11 points."]
    assert findings(a=(20, 1)) == ["host a has 1 negative case; its FPR can only be 0 or 1."]
    few = "2 of 3 hosts have fewer than 10 positive cases; their TPR"
    assert findings(a=(20, 20), b=(2, 20), c=(9, 20)) == [f"{few} moves in steps of 11 to 50 points."]
    assert findings(a=(20, 20), b=(4, 20), c=(4, 20)) == [f"{few} moves in steps of 25 points."]
    assert findings(a=(20, 20), b=(1, 20), c=(1, 20)) == [f"{few} can only be 0 or 1."]


def test_rows_without_groups_are_not_called_a_group() -> None:
    labels = [1] * 9 + [0] * 20
    (finding,) = check(ScoreSet.from_arrays(labels, np.arange(29))).findings
    assert finding.to_dict() == {
        "code": "RS203",
        "text": "there are 9 positive cases; the TPR moves in steps of 11 points.",
        "groups": [],
    }
    (finding,) = check(ScoreSet.from_arrays([0] * 20, np.arange(20))).findings
    assert finding.warning.problem == "there are no positive cases, so there is no curve."
    models = ["a"] * 20 + ["b"] * 9
    (finding,) = check(ScoreSet.from_arrays([0, 1] * 14 + [1], np.arange(29), models=models)).findings[1:]
    assert finding.warning.problem == "b has 4 negative cases; its FPR moves in steps of 25 points."


def test_curves_are_counted_where_models_differ() -> None:
    """Host a stands for both models, host b for one: that is three curves."""
    table = {"a": "xxyy", "b": "xxyy"}
    groups = [group for group, models in table.items() for _ in models]
    score_set = ScoreSet.from_arrays([1, 1, 1, 1, 0, 1, 1, 1], np.arange(8), groups, models=[*"xxyyxxyy"])
    (finding,) = check(score_set).findings[:1]
    assert finding.warning.problem.startswith("3 of 4 curves have one class only")
    assert finding.groups == ("a", "y / b")
