"""Places among the values of every group are those of numpy.searchsorted, group by group."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.counting.table import places_in_groups

numbers = st.lists(st.integers(-5, 5).map(lambda k: k / 4), max_size=8)


@given(st.lists(numbers, min_size=1, max_size=5), numbers.filter(bool), st.sampled_from(["left", "right"]))
def test_places_are_those_of_searchsorted(groups: list[list[float]], at: list[float], side: str) -> None:
    values = np.concatenate([np.sort(own) for own in groups])
    offsets = np.cumsum([0, *map(len, groups)])
    found = places_in_groups(values, offsets, np.array(at), side=side)
    for own, row in zip(groups, found, strict=True):
        assert row.tolist() == np.searchsorted(np.sort(own), at, side=side).tolist()


def test_infinite_values_have_places() -> None:
    values = np.array([-np.inf, 0.0, np.inf])
    found = places_in_groups(values, np.array([0, 3]), np.array([np.inf, -np.inf]), side="right")
    assert found.tolist() == [[3, 1]]
