"""Measures that the caller wrote: called with all counts at once if they can take them, else one by one."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import RocsteadyError, fail
from rocsteady.operating_points.tables.confusion import Confusion

Floats = NDArray[np.float64]


def own_values(function: Callable[[Any], Any], confusion: Confusion, name: str) -> Floats:
    """What a caller's function says of every fold and point; NaN where it divides 0 by 0.

    A function that takes arrays is called once. That it means every matrix by itself, and not for example
    their sum, is tried on some of them; if it does not, or fails, it is called for each.
    """
    allowed = (confusion.shape, (*confusion.shape, confusion.n_classes))
    try:
        at_once = _as_numbers(function(confusion))
    except Exception:  # whatever a function does that was not written for arrays
        at_once = None
    if at_once is not None and at_once.shape in allowed and _agrees(function, confusion, at_once, name):
        return at_once
    n_folds, n_points = confusion.shape
    values = [[_single(function, confusion, i, j, name) for j in range(n_points)] for i in range(n_folds)]
    try:
        return np.array(values, dtype=np.float64)
    except ValueError:
        raise _unusable(name, "sometimes one number, sometimes several") from None


def _as_numbers(value: Any) -> Floats | None:
    array = np.asarray(value)
    if array.dtype.kind in "biuf":
        return array.astype(np.float64)
    return np.array(float(value)) if isinstance(value, Real | Decimal) else None


def _agrees(function: Callable[[Any], Any], confusion: Confusion, at_once: Floats, name: str) -> bool:
    n_folds, n_points = confusion.shape
    tried = {(0, 0), (n_folds // 2, n_points // 2), (n_folds - 1, n_points - 1), (0, n_points - 1)}
    for i, j in tried:
        try:
            alone = _single(function, confusion, i, j, name)
        except Exception:  # written for arrays, such as  c.tp[:, 0]
            return True
        if np.shape(alone) != at_once[i, j].shape:
            return False
        if not np.allclose(alone, at_once[i, j], rtol=1e-9, atol=1e-12, equal_nan=True):
            return False
    return True


def _single(function: Callable[[Any], Any], confusion: Confusion, fold: int, point: int, name: str) -> Floats:
    try:
        given = function(confusion.one(fold, point))
    except ZeroDivisionError:  # plain Python numbers do not know NaN
        return np.array(np.nan)
    if given is None:
        raise _unusable(name, "None")
    try:
        number = _as_numbers(given)
    except (TypeError, ValueError):
        number = None
    if number is None or number.shape not in ((), (confusion.n_classes,)):
        shape = "" if number is None else f", of shape {number.shape}"
        raise _unusable(name, f"{given!r:.60}{shape}")
    return number


def _unusable(name: str, found: str) -> RocsteadyError:
    return fail("RS073.measure", name=name, fault=found)
