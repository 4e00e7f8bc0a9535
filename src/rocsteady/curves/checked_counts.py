"""Counts from elsewhere, checked to form a curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import real_numbers
from rocsteady.errors import UsageError

Checked = tuple[NDArray[np.float64], NDArray[Any], NDArray[Any]]


def checked_counts(
    thresholds: ArrayLike, true_positives: ArrayLike, false_positives: ArrayLike, higher_is_positive: bool
) -> Checked:
    """Own copies of the three columns, led by an infinite threshold; RS043 if they do not form a curve."""
    u, tp, fp = _thresholds(thresholds), _numbers(true_positives), _numbers(false_positives)
    if u.ndim != 1 or u.size == 0 or not u.shape == tp.shape == fp.shape:
        found = f"found shapes {u.shape}, {tp.shape}, {fp.shape}"
        raise _not_a_curve("thresholds and counts must be flat and equally long.", found)
    kind = np.result_type(tp, fp)
    beyond_all = np.inf if higher_is_positive else -np.inf
    led = u[0] == beyond_all and tp[0] == fp[0] == 0
    lead = np.zeros(0 if led else 1, dtype=kind)
    u, tp, fp = np.append(lead + beyond_all, u), np.append(lead, tp), np.append(lead, fp)
    if u.size == 1:
        raise _not_a_curve(
            "the infinite threshold that leads a curve needs others after it.", "found: no other"
        )
    ahead = u if higher_is_positive else -u
    stricter = ahead[1:] < ahead[:-1]
    stricter[0] = ahead[1] <= ahead[0]  # an infinite score is legal; only the leading threshold may equal it
    word = "fall" if higher_is_positive else "rise"
    _require(stricter, u, f"thresholds must {word} strictly, from the strictest to the loosest.")
    _require(np.diff(tp) >= 0, tp, "true_positives can only rise from row to row.")
    _require(np.diff(fp) >= 0, fp, "false_positives can only rise from row to row.")
    return u, tp.astype(kind), fp.astype(kind)


def _thresholds(thresholds: ArrayLike) -> NDArray[np.float64]:
    try:
        return real_numbers("thresholds", thresholds)
    except UsageError as error:
        raise _not_a_curve("thresholds must be numbers.", error.found) from None


def _numbers(counts: ArrayLike) -> NDArray[Any]:
    try:
        array = np.array(counts)
    except ValueError:  # rows of different lengths
        raise _not_a_curve("counts must be flat arrays of numbers.", f"found: {counts!r:.60}") from None
    # A list of such integers may come back as floats, rounded: ask the list itself.
    values = counts if isinstance(counts, list | tuple) else array.ravel().tolist()
    if array.dtype.kind != "i" and any(isinstance(n, int) and n >= 2**63 for n in values):
        raise _not_a_curve("counts must be below 2**63.", f"found: {array.max()}")
    if array.dtype.kind in "iu":
        return array.astype(np.int64)
    if array.dtype.kind == "f" and np.isfinite(array).all():
        return array.astype(np.float64)
    found = f"found: {array.tolist()!r:.60}"
    raise _not_a_curve("counts must be integers, or finite sums of weights.", found)


def _require(in_order: NDArray[np.bool_], values: NDArray[Any], problem: str) -> None:
    if not in_order.all():
        k = int(np.argmin(in_order))
        raise _not_a_curve(problem, f"found: {values[k].item()} and then {values[k + 1].item()}")


def _not_a_curve(problem: str, found: str) -> UsageError:
    return UsageError("RS043", problem, found, "RocCurve.from_counts([3, 2, 1], [1, 2, 2], [0, 1, 2])")
