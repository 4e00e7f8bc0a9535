"""Methods are values: equal where they mean the same, and named in words."""

from __future__ import annotations

import inspect
import math
from typing import get_args

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.averaging.methods import PLAIN, MethodName


def test_equal_numbers_make_equal_methods() -> None:
    assert rs.AtCosts(1, 20, 0.5) == rs.AtCosts(1.0, np.float64(20), 0.5)
    assert rs.AtAngle(1) == rs.AtAngle(np.float64(1.0))
    assert rs.AtAlarmRate(prevalence=np.float64(0.03)) == rs.AtAlarmRate(prevalence=0.03)
    assert len({rs.AtCosts(1, 20, 0.5), rs.AtCosts(1.0, 20.0, 0.5)}) == 1
    assert str(rs.AtAlarmRate(prevalence=np.float64(0.03))) == "AtAlarmRate(prevalence=0.03)"
    assert rs.AtCosts(1, 20, 0.5) != rs.AtCosts(1, 21, 0.5)


@pytest.mark.parametrize(
    ("method", "label"),
    [
        *((method, name) for name, method in PLAIN.items()),
        (rs.AtAngle(math.radians(30)), "30-degree"),
        (rs.Vertical(at_jumps="mid"), "vertical (middle of jumps)"),
        (rs.Horizontal(at_jumps="mid"), "horizontal (middle of jumps)"),
        (rs.Pooled(balanced=True), "balanced pooled"),
        (rs.AtAlarmRate(prevalence=0.03), "alarm-rate (prevalence 3 %)"),
        (rs.AtCosts(1, 20, 0.03), "cost-direction (1 : 20 at prevalence 3 %)"),
    ],
)
def test_a_method_in_a_sentence(method, label) -> None:
    assert method.label == label


@pytest.mark.parametrize("method", [rs.AtAngle(0.5), rs.AtAlarmRate(prevalence=0.1), rs.AtCosts(1, 2, 0.3)])
def test_sentences_have_words(method) -> None:
    pairs = [([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [3, 4, 2, 1])]
    average = rs.average(rs.ScoreSet.from_folds(pairs, design="independent"), method)
    assert "(angle=" not in average.reading + average.at(fpr=0.1).reading
    with pytest.raises(rs.RocsteadyError, match="average cannot be read at a threshold") as caught:
        average.at(threshold=1)
    assert method.label in str(caught.value)


def test_a_type_checker_knows_the_names() -> None:
    """``average(scores, "mean")`` does not pass mypy: the parameter is one of eight names, or a value."""
    assert get_args(MethodName) == tuple(PLAIN)
    parameters = inspect.signature(rs.average).parameters
    assert parameters["method"].annotation == "MethodName | Method"
    assert [own.kind for own in list(parameters.values())[2:]] == [inspect.Parameter.KEYWORD_ONLY] * 3
