"""Venkatraman's statistics and their permutations, on ranks without ties.

With every threshold set between two neighbouring ranks, a classifier makes some number of errors. The
statistic sums how far the errors of two classifiers are apart. Under the hypothesis of equal curves a case
(paired) or a class (unpaired) may exchange its ranks between the classifiers, and nothing changes but by
chance.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_BLOCK = 2**20
"""Cells held at once. The draws depend on it: with another number the same seed gives other permutations."""


def distinct_ranks(scores: NDArray[np.generic], keys: Floats | None) -> Integers:
    """Ranks 0, 1, ... of scores, lowest first; ties in the order of their keys, or of their rows."""
    levels = np.unique(scores, return_inverse=True)[1].reshape(-1)  # lexsort must not meet two zeros
    order = np.lexsort([levels] if keys is None else [keys, levels])
    ranks = np.empty(order.size, dtype=np.int64)
    ranks[order] = np.arange(order.size)
    return ranks


def errors_apart(a: Integers, b: Integers, is_positive: Flags) -> int:
    """Paired: the sum over all ranks of how far the numbers of errors are apart.

    Moving the threshold past a positive adds an error, past a negative it takes one away.

    Examples
    --------
    >>> import numpy as np
    >>> errors_apart(np.array([0, 1, 2]), np.array([0, 2, 1]), np.array([False, True, False]))
    2
    """
    step = np.where(is_positive, 1, -1)
    apart = np.cumsum(step[np.argsort(a)] - step[np.argsort(b)])
    return int(np.abs(apart).sum())


def exchanged_within_cases(
    a: Integers, b: Integers, is_positive: Flags, n_permutations: int, seed: int
) -> Integers:
    """The paired statistic after the two ranks of each case were, or were not, exchanged; one per draw.

    A rank may then be held by two cases of one classifier, or by none. Two cases are put in random order.
    """
    n = a.size
    step = np.where(is_positive, 1, -1).astype(np.int8)
    owner_a, owner_b = np.argsort(a), np.argsort(b)
    stream = np.random.default_rng(seed)
    found = []
    for rows in _blocks(n_permutations, n):
        draws = stream.integers(8, size=(rows, n), dtype=np.uint8)
        is_exchanged = (draws & 1).astype(np.bool_)
        of_a, of_b = is_exchanged[:, owner_a], is_exchanged[:, owner_b]
        first = _in_order(~of_a, of_b, step[owner_a], step[owner_b], (draws & 2).astype(np.bool_))
        second = _in_order(of_a, ~of_b, step[owner_a], step[owner_b], (draws & 4).astype(np.bool_))
        apart = np.cumsum(first - second, axis=1, dtype=np.int64)
        found.append(np.abs(apart).sum(axis=1))
    return np.concatenate(found)


def _in_order(
    has_a: Flags, has_b: Flags, a: NDArray[np.int8], b: NDArray[np.int8], a_first: Flags
) -> NDArray[np.int8]:
    """What the cases of one classifier add, in order; every rank has two seats, some of them taken."""
    taken = np.stack([np.where(a_first, has_a, has_b), np.where(a_first, has_b, has_a)], axis=2)
    seats = np.stack([np.where(a_first, a, b), np.where(a_first, b, a)], axis=2)
    return np.asarray(seats[taken].reshape(has_a.shape))  # as many are taken as there are cases


def positions(is_positive: Flags, share: float) -> tuple[Floats, Floats]:
    """Of ``(rows, n)`` cases in order: the common scale, and the rate of errors just above every case.

    Classes enter by ``share`` and ``1 - share`` whatever the sizes are, so that samples of other sizes and
    other shares of positives stand on the same scale: from 0, before all cases, to 1.
    """
    n_positives, n_negatives = is_positive[0].sum(), (~is_positive[0]).sum()
    missed = share * np.cumsum(is_positive, axis=1) / n_positives
    spared = (1 - share) * np.cumsum(~is_positive, axis=1) / n_negatives
    return missed + spared, missed + (1 - share) - spared


def area_between(a: Flags, b: Flags, share: float) -> Floats:
    """Unpaired: the area between the errors of two samples on the common scale, for every row of cases.

    As in pROC, by trapezia at the positions of all cases, from where both samples have begun.
    """
    (x_a, y_a), (x_b, y_b) = positions(a, share), positions(b, share)
    rows = np.arange(len(a))[:, None] * 2.0  # rows apart by more than the scale is long: one path for all
    x = np.sort(np.concatenate([x_a, x_b], axis=1), axis=1)
    at = (x + rows).ravel()
    heights = [
        np.interp(at, (own + rows).ravel(), y.ravel()).reshape(x.shape) for own, y in ((x_a, y_a), (x_b, y_b))
    ]
    apart = np.abs(heights[0] - heights[1])
    begun = x[:, :-1] >= np.maximum(x_a[:, :1], x_b[:, :1])
    return np.asarray((np.diff(x, axis=1) * (apart[:, 1:] + apart[:, :-1]) / 2 * begun).sum(axis=1))


def exchanged_within_classes(a: Flags, b: Flags, share: float, n_permutations: int, seed: int) -> Floats:
    """The unpaired statistic after the cases of each class were dealt out again; one per draw."""
    scale = [positions(own[None, :], share)[0][0] for own in (a, b)]
    # A step before each case is its own: within it, cases of the other sample fall by chance.
    steps = [np.diff(own, prepend=0.0) for own in scale]
    stream = np.random.default_rng(seed)
    n_a, is_positive = a.size, np.concatenate([a, b])
    middle, width = np.concatenate(scale), np.concatenate(steps)
    found = []
    for rows in _blocks(n_permutations, 4 * is_positive.size):
        at = middle - width * stream.random((rows, is_positive.size))
        chosen = np.empty((rows, is_positive.size), dtype=np.bool_)  # who goes to the first sample
        for own, n_own in ((is_positive, a.sum()), (~is_positive, (~a).sum())):
            keys = stream.random((rows, int(own.sum())))
            cut = np.partition(keys, int(n_own) - 1, axis=1)[:, int(n_own) - 1 : int(n_own)]
            chosen[:, own] = keys <= cut
        order = np.argsort(at, axis=1)
        to_first = np.take_along_axis(chosen, order, axis=1)
        in_order = is_positive[order]
        found.append(
            area_between(in_order[to_first].reshape(rows, n_a), in_order[~to_first].reshape(rows, -1), share)
        )
    return np.concatenate(found)


def _blocks(n_draws: int, cells: int) -> Iterator[int]:
    """Numbers of draws that together are all of them, each a block that fits into memory."""
    size = max(1, _BLOCK // cells)
    for start in range(0, n_draws, size):
        yield min(size, n_draws - start)
