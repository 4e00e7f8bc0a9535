"""Arbitrary operating points: a caller's function decides, fold by fold, and its decisions are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.members import Members
from rocsteady.errors import RocsteadyError, counted, fail
from rocsteady.operating_points.tables.confusion import TwoClassConfusion
from rocsteady.results import read_only
from rocsteady.scores.columns import word
from rocsteady.scores.labels import Classes
from rocsteady.words import named, printable

Mask = NDArray[np.bool_]

_FLAGS = {"1": True, "0": False, "True": True, "False": False}


def points_of(points: Iterable[Any]) -> list[Any]:
    """The operating points as a list, whatever they came in; RS002 if they came in nothing."""
    is_scalar = isinstance(points, np.ndarray) and points.ndim == 0
    if isinstance(points, Iterable) and not isinstance(points, str | bytes | Mapping) and not is_scalar:
        points = list(points)
        if points:
            return points
    way = "points=[0.2, 0.5, 0.8], decide=..."
    found = f"{points!r:.60}"
    raise fail("RS002.kind", name="points", kind="a list of operating points", found=found, ways=[way])


def decided(groups: Members, points: list[Any], decide: Callable[[Any, Any], Any]) -> TwoClassConfusion:
    """The confusion matrices of decisions that a function makes; what it raises comes through unchanged."""
    scores = groups.score_set
    if scores is None:
        raise fail("RS002.decide-curves", n=len(groups))
    shape = (len(groups), len(points))
    tp, fp, sizes = np.zeros(shape), np.zeros(shape), np.zeros((2, len(groups), 1))
    for i, member in enumerate(groups.chosen):
        fold = scores[int(member)]
        weights = np.ones(fold.scores.size) if fold.sample_weight is None else fold.sample_weight
        of_positives = np.where(fold.is_positive, weights, 0.0)
        of_negatives = np.where(fold.is_positive, 0.0, weights)
        sizes[0, i], sizes[1, i] = of_positives.sum(), of_negatives.sum()
        units = fold.scores.view()
        units.flags.writeable = False  # what one point does to them must not reach the next
        for j, point in enumerate(points):
            given = decide(units, point) if units.size else np.empty(0, dtype=np.bool_)
            called = _called_positive(given, fold.scores.size, groups.classes)
            if not isinstance(called, np.ndarray):
                where = f"{named(groups.unit, groups.names[i])}, point {j} ({point!r:.40})"
                raise _unusable(called, where, groups.classes)
            # Sums over all rows, whoever was called: weights are then rounded as in the size of the class.
            tp[i, j], fp[i, j] = (np.where(called, of, 0.0).sum() for of in (of_positives, of_negatives))
    words = (groups.classes.negative, groups.classes.positive)
    return TwoClassConfusion(words, *(read_only(array) for array in (tp, fp, sizes[0], sizes[1])))


def _called_positive(given: Any, n: int, classes: Classes) -> Mask | str:
    """Which cases a result calls positive; or what is wrong with it."""
    if given is None:
        return "None"
    if isinstance(given, np.ma.MaskedArray) and np.ma.getmaskarray(given).any():
        return "masked decisions"
    try:
        array = np.asarray(given)
    except ValueError:
        return "rows of different lengths"
    if array.shape != (n,):
        return f"shape {array.shape} for {counted(n, 'score')}"
    if array.dtype.kind == "b":
        return array
    return _from_labels(array, classes)


def _from_labels(array: NDArray[Any], classes: Classes) -> Mask | str:
    """The same for numbers and words: 1 and 0, or the labels, unless a value is one and means the other."""
    if array.dtype.kind in "OUS":
        array = np.array([_label_word(value) for value in array.tolist()], dtype=np.str_)
        values = np.unique(array)
    elif array.dtype.kind in "iuf":
        values = np.unique([array.min(), array.max()])
        if not (is_known := np.isin(array, values)).all():
            values = np.append(values, array[~is_known][:1])
    else:
        return f"values of type {array.dtype}"
    words = [_label_word(value) for value in values[:3].tolist()]
    labels = {classes.positive: True, classes.negative: False}
    for meaning, other in ((_FLAGS, labels), (labels, _FLAGS)):
        if values.size > 2 or not all(each in meaning for each in words):
            continue
        clash = [each for each in words if other.get(each, meaning[each]) != meaning[each]]
        if clash:
            return f"{clash[0]}, which as a label is one class and as a flag the other"
        positive = [value for value, each in zip(values, words, strict=True) if meaning[each]]
        return np.isin(array, positive)
    strange = [each for each in words if each not in _FLAGS and each not in labels]
    return f"the value {printable((strange or words)[0]):.60}"


def _label_word(value: object) -> str:
    """A decision as the word for a class is written: 1.0 is 1."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return word(int(value))
    return word(value)


def _unusable(found: str, where: str, classes: Classes) -> RocsteadyError:
    return fail(
        "RS073.decide", fault=found, where=where, positive=classes.positive, negative=classes.negative
    )
