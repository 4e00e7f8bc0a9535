"""What is said about a score set agrees with what is in it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.report.curve_table import curve_table
from rocsteady.report.data import FEW_CASES, summarize_data
from rocsteady.scores import ScoreSet

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")


@st.composite
def rows(draw: st.DrawFn) -> dict[str, list]:
    n = draw(st.integers(2, 60))
    column = lambda values: draw(st.lists(values, min_size=n, max_size=n))  # noqa: E731
    return {
        "labels": [0, 1, *column(st.integers(0, 1))[2:]],
        "scores": column(st.integers(-3, 3)),
        "groups": ["a", "a", *column(st.sampled_from("abcd"))[2:]],
        "models": ["x", "x", *column(st.sampled_from("xy"))[2:]],
    }


@given(rows())
def test_counts_add_up(table) -> None:
    score_set = ScoreSet.from_arrays(**table)
    summary = summarize_data(score_set)
    labels = np.array(table["labels"])
    assert summary.n_rows == labels.size == sum(model.n_rows for model in summary.models)
    assert sum(model.n_positives for model in summary.models) == labels.sum()
    distinct = {(m, g, s) for m, g, s in zip(table["models"], table["groups"], table["scores"], strict=True)}
    assert sum(model.n_distinct for model in summary.models) == len(distinct)
    assert min(model.lowest for model in summary.models) == min(table["scores"])
    assert max(model.highest for model in summary.models) == max(table["scores"])
    json.dumps(summary.to_dict(), allow_nan=False)


@given(rows())
def test_findings_name_exactly_the_awkward_groups(table) -> None:
    score_set = ScoreSet.from_arrays(**table)
    summary = summarize_data(score_set)
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


@given(rows())
def test_the_curve_table_agrees_with_the_curves(table) -> None:
    score_set = ScoreSet.from_arrays(**table)
    shown = curve_table(score_set)
    assert [f"{row.model} / {row.group}" for row in shown.rows] == [
        name if " / " in name else f"{score_set.models[0]} / {name}" for name in score_set.names
    ]
    for row, member in zip(shown.rows, score_set, strict=True):
        assert (row.n_positives, row.n_negatives) == (member.n_positives, member.n_negatives)
        if row.has_curve:
            positives, negatives = member.scores[member.is_positive], member.scores[~member.is_positive]
            wins = (positives[:, None] > negatives) + 0.5 * (positives[:, None] == negatives)
            assert row.auc == pytest.approx(wins.mean())
            assert np.isnan(row.low) or row.low <= row.auc <= row.high
        else:
            assert np.isnan([row.auc, row.low, row.high]).all()
    for model, mean in shown.mean_auc.items():
        assert mean == pytest.approx(np.mean([r.auc for r in shown.rows if r.model == model and r.has_curve]))


def test_weighted_rows_have_no_interval() -> None:
    score_set = ScoreSet.from_arrays([0, 1, 1, 0], [1, 2, 3, 2], ["a"] * 4, sample_weight=[1, 2, 1, 0.5])
    (row,) = curve_table(score_set).rows
    assert row.auc > 0.5
    assert np.isnan(row.low)
