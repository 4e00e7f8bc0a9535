"""What was computed once stays: nobody writes to an array of a result, a copy of it, or one read from a pickle."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import rocsteady as rs

LABELS, SCORES, GROUPS = np.tile([1, 0], 20), np.arange(40.0) % 13, np.repeat(np.arange(5), 8)


def score_set() -> rs.ScoreSet:
    return rs.ScoreSet.from_arrays(LABELS, SCORES, GROUPS)


def kept(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """The arrays of a value, and of the values in it."""
    for own in vars(value).values():
        if isinstance(own, np.ndarray):
            yield own
        elif type(own).__module__.startswith("rocsteady") and hasattr(own, "__dict__"):
            yield from kept(own)


VALUES: dict[str, Callable[[], Any]] = {
    "scores": lambda: rs.Scores(LABELS, SCORES),
    "score set": score_set,
    "curve": lambda: rs.roc_curve(LABELS, SCORES),
    "curves": lambda: rs.roc_curves(score_set()),
    "average": lambda: rs.average(score_set(), "vertical"),
    "threshold average": lambda: rs.average(score_set(), "threshold"),
    "point": lambda: rs.average(score_set(), "vertical").at(fpr=[0.2, 0.4]),
    "band": lambda: rs.average(score_set(), "vertical").band(),
    "costs": lambda: rs.roc_curve(LABELS, SCORES).cost_curve(),
    "det": lambda: rs.roc_curve(LABELS, SCORES).det(),
    "summary": lambda: rs.summarize_auc(score_set(), "t"),
    "densities": lambda: rs.score_densities(LABELS, SCORES),
}


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
@pytest.mark.parametrize("name", VALUES)
def test_no_array_of_a_result_can_be_written_to(name: str) -> None:
    value = VALUES[name]()
    for own in (value, copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        arrays = list(kept(own))
        assert arrays
        assert [array for array in arrays if array.flags.writeable] == []


def test_arrays_that_were_handed_over_stay_writeable() -> None:
    own = SCORES.copy()
    scores = rs.Scores(LABELS, own)
    own[:] = 0
    assert scores.columns.scores.tolist() == SCORES.tolist()


def test_what_a_set_has_counted_cannot_be_changed() -> None:
    curves, given = rs.roc_curves(score_set()), score_set()
    for array in (
        curves.auc,
        curves.table.offsets,
        given.n_positives,
        given.group_index,
        given.columns.scores,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        copy.deepcopy(rs.roc_curve(LABELS, SCORES)).true_positives[:] = 0
