"""Decisions between several classes that a caller's function makes, counted fold by fold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import RocsteadyError, counted, fail
from rocsteady.results import read_only
from rocsteady.scores.columns import shown
from rocsteady.scores.multiclass import MulticlassScores
from rocsteady.words import listed, named

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Decide = Callable[[Floats, Any], Any]

_READINGS = ("places", "classes")


def decided_by_function(scores: MulticlassScores, points: list[Any], decide: Decide) -> Floats:
    """Counts [fold, point, true class, decided class]; what the function raises comes through unchanged.

    Whole numbers may be classes or their places. Both readings are counted until one of them fails, so that
    nothing is guessed: RS073 if neither, or both to the end, can be meant.
    """
    n_classes = scores.n_classes
    counts = {reading: np.empty((len(scores.folds), len(points), n_classes**2)) for reading in _READINGS}
    for f, fold in enumerate(scores.folds):
        rows = scores.fold_index == f
        outputs, true = scores.outputs[rows], scores.label_index[rows]
        outputs.flags.writeable = False  # what one point does to them must not reach the next
        for k, point in enumerate(points):
            given = _one_per_row(decide(outputs, point), true.size)
            faults = []
            for reading in tuple(counts):
                read = given if isinstance(given, str) else _READERS[reading](given, scores.classes)
                if isinstance(read, str):
                    faults.append(read)
                    del counts[reading]
                else:
                    counts[reading][f, k] = np.bincount(true * n_classes + read, minlength=n_classes**2)
            if not counts:
                where = f"{named('fold', fold)}, point {k} ({point!r:.40})"
                is_whole = not isinstance(given, str) and given.dtype.kind in "iu"
                raise _unusable(f"{faults[0 if is_whole else -1]}, in {where}", scores.classes)
    first, *other = counts.values()
    if other and not np.array_equal(first, other[0]):
        raise _unusable("whole numbers that are classes and places of others, too", scores.classes)
    return read_only(first.reshape(len(scores.folds), len(points), n_classes, n_classes))


def _one_per_row(given: Any, n: int) -> NDArray[Any] | str:
    """The decisions as an array, or what is wrong with it."""
    try:
        array: NDArray[Any] = np.asarray(given)
        if np.ma.isMaskedArray(given) and np.ma.getmaskarray(given).any():
            array = array.astype(object)
            array[np.ma.getmaskarray(given)] = None
    except ValueError:
        return "rows of different lengths"
    if array.shape != (n,):
        return "None" if given is None else f"shape {array.shape} for {counted(n, 'row')}"
    return array


def _as_places(given: NDArray[Any], classes: tuple[Any, ...]) -> Integers | str:
    if given.dtype.kind not in "iu":
        return "no whole numbers"
    outside = (given < 0) | (given >= len(classes))
    if outside.any():
        return f"the place {given[outside][0]}, and there are {counted(len(classes), 'class')}"
    return given.astype(np.int64)


def _as_classes(given: NDArray[Any], classes: tuple[Any, ...]) -> Integers | str:
    places = {(isinstance(name, bool | np.bool_), name): place for place, name in enumerate(classes)}
    found = [(isinstance(value, bool), value) for value in given.tolist()]  # True is not the class 1
    strange = [value for is_bool, value in found if not _is_one_of((is_bool, value), places)]
    if strange:
        return f"{shown(strange[0])!r:.60}, which is no class"
    return np.array([places[value] for value in found], dtype=np.int64)


_READERS = {"places": _as_places, "classes": _as_classes}


def _is_one_of(value: object, places: dict[Any, int]) -> bool:
    try:
        return value in places
    except TypeError:  # a list, which has no hash
        return False


def _unusable(found: str, classes: tuple[Any, ...]) -> RocsteadyError:
    last = len(classes) - 1
    remedies = [f"the classes themselves: {listed([shown(c) for c in classes])}"]
    if any(isinstance(c, int | np.integer) and not isinstance(c, bool) for c in classes):
        remedies.append("whole numbers that can be read both ways: name the classes by words")
    else:
        remedies.append(f"places, 0 to {last}:  decide=lambda outputs, w: (outputs * w).argmax(axis=1)")
    return fail("RS073.decide-class", fault=found, ways=remedies)
