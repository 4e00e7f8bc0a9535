"""Averages can be sent to another process and copied, before and after they were asked something."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from counted_rows import counted, distinct
from rocsteady.averaging.methods import PLAIN

METHODS = [
    *PLAIN.values(),
    rs.AtAngle(0.4),
    rs.AtAlarmRate(prevalence=0.1),
    rs.AtCosts(false_positive=1, false_negative=5, prevalence=0.2),
    rs.Vertical(at_jumps="mid"),
    rs.Pooled(balanced=True),
]
COPIED = [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))]


def folds(seed: int = 0) -> list[tuple[Any, Any]]:
    rng = np.random.default_rng(seed)
    labels = np.arange(40) % 3 == 0
    return [(labels, np.round(rng.normal(size=40) + labels, 1)) for _ in range(6)]


def numbers(average: Any) -> list[Any]:
    """What it is asked: its points, an interval, a band, and the curves of its groups."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        point, band = average.at(fpr=0.2), average.band(at=[0.1, 0.3])
        interval, bounds = average.auc_interval(), average.auc_bounds
        found = [average.fpr, average.tpr, average.auc, interval.low, interval.high, bounds.low, bounds.high]
        found += [point.fpr, point.tpr, point.tpr_interval.low, band.lower.tpr, band.upper.tpr]
        return [np.asarray(own).tolist() for own in [*found, average.curves.auc, average.weights]]


@pytest.mark.parametrize("copied", COPIED)
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_an_average_of_every_method_is_copied_whole(
    method: Any, copied: Callable[[Any], Any], recwarn: pytest.WarningsRecorder
) -> None:
    score_set = rs.ScoreSet.from_folds(folds(), design="independent")
    average = rs.average(score_set, method)
    fresh, asked = numbers(copied(average)), numbers(average)
    again = copied(average)
    assert fresh == asked == numbers(again)
    assert (again.method, again.members, again.reading) == (method, average.members, average.reading)
    if method != "binormal":  # which is fitted each time it is asked for
        assert rs.average(score_set, method) is average


@pytest.mark.parametrize("copied", COPIED)
@pytest.mark.parametrize("method", ["vertical", "threshold", "pooled", "radial"])
def test_an_average_between_bounds_is_copied_with_them(method: str, copied: Callable[[Any], Any]) -> None:
    labels, scores = folds()[0]
    counts = counted([(labels, scores), (labels, scores + 1)], [np.arange(40) // 4, distinct(scores)])
    average = rs.average(counts, method)
    fresh, asked = numbers(copied(average)), numbers(average)
    again = copied(average)
    assert fresh == asked == numbers(again)
    assert again.lower.auc == average.lower.auc < again.upper.auc


@pytest.mark.parametrize("copied", COPIED)
def test_an_average_of_smroc_curves_is_copied_whole(copied: Callable[[Any], Any]) -> None:
    curves = rs.smroc_curve(rs.ScoreSet.from_folds(folds(), design="independent"), mid=0.5, rescale="min-max")
    average = rs.average(curves, "vertical")
    assert (copied(average).auc, copied(average).chance_auc) == (average.auc, average.chance_auc)
    assert copied(average).at(fpr=0.2).tpr == average.at(fpr=0.2).tpr
