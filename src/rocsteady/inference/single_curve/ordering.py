"""Cases of two classifiers in an order of their own, so that the order in which they were given is no matter.

Draws are made by position. Cases sorted by what the classifiers say of them, whichever was named first, are
drawn alike however the rows were sorted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsteady.scores.scores import Scores

Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]


class OrderedPair(NamedTuple):
    """Paired cases: class, rank by either classifier; and whether the second one named comes first here."""

    is_positive: Flags
    a: Integers
    b: Integers
    is_swapped: bool


def ordered_pair(is_positive: Flags, a: Integers, b: Integers) -> OrderedPair:
    """The cases in an order that depends neither on the rows nor on which classifier was named first.

    Examples
    --------
    >>> import numpy as np
    >>> is_positive, a, b = np.array([True, False]), np.array([1, 0]), np.array([0, 1])
    >>> ordered_pair(is_positive, a, b).a.tolist(), ordered_pair(is_positive, b, a).a.tolist()
    ([0, 1], [0, 1])
    """
    ways = []
    for own, other, is_swapped in ((a, b, False), (b, a, True)):
        order = np.lexsort([other, own, is_positive])
        ways.append(OrderedPair(is_positive[order], own[order], other[order], is_swapped))
    return min(ways, key=lambda way: content(*way[:3]))


def content(*arrays: NDArray[Any]) -> bytes:
    """What arrays hold, to be compared."""
    return b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)


def levels(own: Scores) -> Integers:
    """Every score as its place among the distinct ones, 0 for the one that speaks least for positive."""
    places = np.unique(own.scores, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return places if own.higher_is_positive else places.max() - places
