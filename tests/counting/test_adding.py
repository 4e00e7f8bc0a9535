"""Adding counts: as if all rows had been counted together, or a refusal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from counted_rows import counted, cut, distinct, together
from rocsteady.counting.cells import Binning, Piece
from rocsteady.counting.counted import How
from rocsteady.errors import DataError
from strategies import labelled_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS102")
KINDS = ("tied floats", "any floats", "special floats")
BINNING = Binning((Piece(-2.0, 1.0, 2, 4),), 2.0)
COLUMNS = ("cell", "positives", "negatives", "rows", "lowest", "highest", "offsets")


def table(labels: Any, scores: Any, **columns: Any) -> dict[str, Any]:
    return {"label": labels, "score": scores} | columns


def counts_of(frame: dict[str, Any], **options: Any) -> Any:
    own = {role: role for role in ("group", "model", "weight") if role in frame}
    return rs.count_scores(frame, label="label", score="score", **own, **options)


def same_cells(ours: Any, theirs: Any, *, numbers: bool = True) -> None:
    for name in COLUMNS if numbers else COLUMNS[1:]:
        np.testing.assert_array_equal(getattr(ours.cells, name), getattr(theirs.cells, name))


def numbered(scores: Any) -> Any:
    """The cells of the binning, by hand."""
    return np.clip(np.floor(np.asarray(scores, dtype=float) + 2), -1, 4) + 2


@st.composite
def two_days(draw):
    """The groups of two days, and those of both together."""
    days = draw(
        st.lists(st.lists(labelled_scores(kinds=KINDS), min_size=1, max_size=3), min_size=2, max_size=2)
    )
    n = min(map(len, days))
    days = [day[:n] for day in days]
    both = [tuple(map(np.concatenate, zip(a, b, strict=True))) for a, b in zip(*days, strict=True)]
    return *days, both


@given(two_days(), st.booleans())
def test_cells_of_one_binning_are_added(days, higher):
    first, second, both = (
        replace(
            counted(day, [numbered(own) for _, own in day], higher_is_positive=higher),
            how=How("cells", binning=BINNING),
        )
        for day in days
    )
    same_cells(first + second, both)
    same_cells(second + first, both)
    assert (first + second).how.binning == BINNING


@given(two_days())
def test_exact_counts_stay_exact(days):
    first, second, both = (counted(day, [distinct(own) for _, own in day]) for day in days)
    ours = first + second
    same_cells(ours, both, numbers=False)
    same_cells(second + first, both, numbers=False)
    assert ours.is_exact
    assert ours.knows_thresholds
    np.testing.assert_array_equal(rs.roc_curves(ours).auc, rs.roc_curves(together(days[2])).auc)


@given(two_days(), st.data())
def test_cells_that_differ_stay_beside_each_other_and_the_bounds_hold(days, data):
    cuts = st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), max_size=3)
    first, second = (
        counted(day, [cut(own, np.unique(data.draw(cuts))) for _, own in day]) for day in days[:2]
    )
    ours, truth = first + second, rs.roc_curves(together(days[2]))
    assert ours.n_rows == first.n_rows + second.n_rows
    low, high = ours.auc_bounds
    assert (low <= truth.auc).all()
    assert (truth.auc <= high).all()
    for method in ("threshold", "pooled", "vertical"):
        average, of_all = rs.average(ours, method), rs.average(together(days[2]), method)
        bounds = getattr(average, "auc_bounds", None)
        if bounds is None:
            assert average.auc == pytest.approx(of_all.auc, abs=1e-14)
        else:
            assert bounds.low <= of_all.auc <= bounds.high


@given(st.lists(labelled_scores(kinds=KINDS), min_size=3, max_size=3), st.permutations(range(3)))
def test_the_order_of_days_does_not_matter(groups, order):
    days = [counted([own], [distinct(own[1])]) for own in groups]
    total = days[order[0]] + days[order[1]] + days[order[2]]
    same_cells(total, (days[0] + days[1]) + days[2], numbers=False)


def test_groups_and_models_that_only_one_side_has():
    first = counts_of(table([1, 0, 1, 0], [4, 3, 2, 1], group=list("aabb"), model=["m"] * 4))
    second = counts_of(table([1, 0, 1, 0], [9, 8, 7, 6], group=list("bbcc"), model=["m", "m", "k", "k"]))
    both = first + second
    assert both.groups == ("a", "b", "c")
    assert both.models == ("m", "k")
    assert both.names == ("m / a", "m / b", "k / c")
    assert both.n_positives.tolist() == [1, 2, 1]
    assert len(both.model("k")) == 1
    assert both.model("m").groups == ("a", "b")
    other_way = second + first
    assert sorted(other_way.names) == sorted(both.names)
    assert other_way.n_rows == both.n_rows == 8


def test_a_day_without_positives_can_be_added():
    first = counts_of(table([1, 0, 1, 0], [4, 3, 2, 1]), positive=1)
    second = counts_of(table([0, 0], [9, 8]), positive=1)
    both = first + second
    assert (both.n_positives.tolist(), both.n_negatives.tolist()) == ([2], [4])


def test_what_was_dropped_and_where_from_is_added_up():
    frame = table([1, 0, None], [2.0, 1.0, 3.0])
    one = replace(counts_of(frame, on_missing="drop"), sources=("a.csv",))
    two = replace(counts_of(table([1, 0, 1], [2.0, 1.0, None]), on_missing="drop"), sources=("b and c.csv",))
    both = one + two + one
    assert both.dropped.n_rows == 3
    assert sorted(both.dropped.causes.values()) == [1, 2]
    assert both.sources == ("a.csv", "b and c.csv")


PLAIN = table([1, 0], [2.0, 1.0])
REFUSED = {
    "positive scores: high in one, low in the other": ({}, {"higher_is_positive": False}),
    "row weights: none in one, some in the other": ({"weight": [1.0, 2.0]}, {}),
    "models: none in one, some in the other": ({"model": ["m", "m"]}, {}),
    "positive label: 1 in one, 0 in the other": ({}, {"positive": 0}),
    "column of groups: none in one, group in the other": ({"group": ["a", "b"]}, {}),
    "negative label: 0 in one, well in the other": ({"label": ["sick", "well"]}, {"positive": "sick"}),
}


@pytest.mark.parametrize("why", list(REFUSED))
def test_counts_that_mean_something_else_are_refused(why):
    columns, options = REFUSED[why]
    first, second = counts_of(PLAIN), counts_of(PLAIN | columns, **options)
    with pytest.raises(DataError, match="RS404") as caught:
        first + second
    assert why in str(caught.value)
    assert "count both with the same columns" in str(caught.value)


def test_other_columns_are_refused():
    frame = table([1, 0], [2.0, 1.0]) | {"other": [3.0, 4.0], "host": ["a", "b"], "shop": ["a", "b"]}
    first = rs.count_scores(frame, label="label", score="score", group="host")
    for other, why in (
        (("other", "host"), "column of scores: score in one, other in the other"),
        (("score", "shop"), "column of groups: host in one, shop in the other"),
    ):
        second = rs.count_scores(frame, label="label", score=other[0], group=other[1])
        with pytest.raises(DataError, match=f"(?s)RS404.*{why}"):
            first + second


def test_a_sum_of_days():
    days = [counts_of(PLAIN) for _ in range(3)]
    assert sum(days).n_rows == 6


def test_only_counts_are_added_to_counts():
    with pytest.raises(TypeError):
        counts_of(PLAIN) + 1


def test_anchored_counts_are_cells_once_they_are_added():
    anchored = replace(counts_of(PLAIN), how=How("anchored"))
    assert (anchored + anchored).how.rung == "cells"
    assert (counts_of(PLAIN) + counts_of(PLAIN)).how.rung == "memory"
