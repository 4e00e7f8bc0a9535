"""No number moves unnoticed: what public calls give is compared with what is stored.

``python tools/freeze.py`` stores them; CONTRIBUTING.md says when a line may change.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from frozen import store
from frozen.calls import GROUPS, run
from rocsteady.statistics.limits import Interval


@pytest.mark.parametrize("group", GROUPS)
def test_no_number_has_moved(group: str) -> None:
    stored = {name: own for name, own in store.read().items() if name.split("/")[0] == group}
    found = {name: (numbers, tolerance) for name, numbers, tolerance in run(group)}
    moved = [
        f"{name}{line}"
        for name in stored.keys() & found.keys()
        for line in store.differences(stored[name], *found[name])
    ]
    assert sorted(moved) == []
    assert sorted(found.keys() ^ stored.keys()) == []


def test_every_stored_call_is_made() -> None:
    assert {name.split("/")[0] for name in store.read()} == set(GROUPS)


def test_the_file_has_one_call_a_line_in_order() -> None:
    assert store.STORED.read_text(encoding="utf-8").splitlines() == list(store.lines(store.read()))


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (0.5, 0.5 + 2e-12),
        (1e6, 1e6 * (1 + 2e-12)),
        (3, 4),
        (3, 3.0),
        (True, False),
        ("nan", 0.0),
        ("current", "candidate"),
        ("inf", "-inf"),
        ([1, 2], [1, 2, 2]),
        ([0.1, 0.2], [0.1, 0.3]),
        ({"a": 1}, {"b": 1}),
        ({"threshold": 1.5}, {"threshold": 1.5 + 4e-16}),
        ({"thresholds": [1.5, 2.5]}, {"thresholds": [1.5, math.nextafter(2.5, 3)]}),
        (None, 0.0),
    ],
)
def test_what_moves_is_noticed(before: Any, now: Any) -> None:
    assert len(list(store.differences(before, now, store.TOLERANCE))) == 1


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (0.5, 0.5 + 4e-13),
        (1e6, 1e6 * (1 + 4e-13)),
        (0.0, 4e-13),
        ("nan", "nan"),
        ({"threshold": 1.5, "some": [1, 2.0]}, {"threshold": 1.5, "some": [1, 2.0 + 4e-13]}),
    ],
)
def test_what_stays_is_let_through(before: Any, now: Any) -> None:
    assert list(store.differences(before, now, store.TOLERANCE)) == []


def test_values_are_stored_as_numbers() -> None:
    given = {
        "limits": Interval(0.25, np.inf, 0.95, "t"),
        "count": np.int64(3),
        "curve": np.array([0.0, np.nan]),
        "all": np.arange(20) / 4,
    }
    assert store.plain(given) == {
        "limits": [0.25, "inf"],
        "count": 3,
        "curve": [0.0, "nan"],
        "all": {
            "shape": [20],
            "some": [own / 4 for own in (0, 1, 2, 5, 8, 11, 14, 17, 18, 19)],
            "n_finite": 20,
            "sum": 47.5,
        },
    }
    with pytest.raises(TypeError, match="RocCurve is no number"):
        store.plain(rs.roc_curve([1, 0], [1.5, 0.5]))
