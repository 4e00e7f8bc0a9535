"""Credit: how much of a case's step goes up. The rest, its debit, goes right.

A score at or above Mid is high. A high positive and a low negative are appropriate and earn their score; a
low positive and a high negative earn one minus it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.results import read_only

if TYPE_CHECKING:
    from rocsteady.curves.smroc.rows import SmrocRows

Floats = NDArray[np.float64]


def credit(scores: Floats, is_positive: NDArray[np.bool_], mid: float) -> Floats:
    """The credit of every case; Theta in the paper (Definition 1)."""
    return np.where(is_positive == (scores >= mid), scores, 1.0 - scores)


def credit_steps(levels: Floats, positives: Any, negatives: Any, mid: float) -> tuple[Floats, Floats]:
    """How far up and how far right each distinct score goes: the credit and the debit of all its cases."""
    is_high = levels >= mid
    of_positives = np.where(is_high, levels, 1.0 - levels)
    of_negatives = np.where(is_high, 1.0 - levels, levels)  # what a positive here would not earn
    up = positives * of_positives + negatives * of_negatives
    right = positives * of_negatives + negatives * of_positives
    return up, right


def chance_steps(rows: SmrocRows, mid: float) -> tuple[Floats, Floats]:
    """The same if labels had nothing to do with scores: every case earns what it would on average."""
    cases = rows.positives + rows.negatives
    # Not one minus the other: the rarer class would vanish beside a very heavy one.
    positive, negative = (own / (rows.n_positives + rows.n_negatives) for own in rows.n_by_class)
    return credit_steps(rows.levels, cases * positive, cases * negative, mid)


def path(steps: Floats) -> Floats:
    """Sums of steps, from 0."""
    return read_only(np.concatenate([[0.0], np.cumsum(steps)]))


def enlarged(up: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Steps times a power of two, which changes no digit: products of the smallest would vanish."""
    exponent = np.frexp(up.sum(axis=-1, keepdims=True) + right.sum(axis=-1, keepdims=True))[1]
    return np.ldexp(up, 400 - exponent), np.ldexp(right, 400 - exponent)


def area(up: Floats, right: Floats) -> float:
    """The area under a path, NaN if it does not go both up and right."""
    if not (up[-1] > 0 and right[-1] > 0):
        return math.nan
    # Each axis by itself to about 1: a debit may be as small as a float can be.
    up, right = (np.ldexp(steps, -math.frexp(steps[-1])[1]) for steps in (up, right))
    won = float(np.sum(np.diff(right) * (up[1:] + up[:-1])))
    lost = float(np.sum(np.diff(up) * (right[1:] + right[:-1])))
    return won / (won + lost)
