"""NumPy twin of the kernel that exchanges rows between groups (``native/exchange.hpp``)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocsteady._kernels.reference_stream import drawn_below, stream_start

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

_SUM_BLOCK = 4096


def exchange_groups(
    positive_groups: Integers,
    negative_groups: Integers,
    positives_at: Integers,
    negatives_at: Integers,
    n_groups: int,
    seed: int,
    n_permutations: int,
    threads: int,
) -> tuple[Floats, Floats]:
    """Mean AUC within groups and AUC under one shared threshold, after dealing rows to groups by chance.

    Rows change groups within their class, so that every group keeps its numbers of positives and negatives.

    Parameters
    ----------
    positive_groups, negative_groups : int64 arrays
        The group of every positive and of every negative, strictest score first.
    positives_at, negatives_at : int64 arrays
        How many of them stand at each distinct score, strictest first.
    n_groups : int
        Groups are numbered from 0; each has both classes, else ``ValueError``.
    seed : int
        Below 2**64. Replicate r draws from a stream of its own, a function of (seed, r).
    n_permutations : int
        How often the rows are dealt.

    Returns
    -------
    own, shared : float64 arrays of n_permutations + 1
        The mean of the groups' AUCs; the mean over all ordered pairs of groups of the AUC of one group's
        positives against another's negatives, its own included. Entry 0 is of the rows as they are.
    """
    if n_groups < 1 or n_permutations < 0:
        raise ValueError("there must be groups and replicates")
    if positives_at.size != negatives_at.size:
        raise ValueError("the counts differ in length")
    for groups, at in ((positive_groups, positives_at), (negative_groups, negatives_at)):
        if n_groups > groups.size or groups.min() < 0:
            raise ValueError("a group lacks a class, or has a negative number")
        if (at < 0).any() or sum(at.tolist()) != groups.size:
            raise ValueError("a count is negative, or the counts do not add up to the rows")
    sizes = [np.bincount(groups, minlength=n_groups) for groups in (positive_groups, negative_groups)]
    if any(size.size > n_groups or size.min() == 0 for size in sizes):
        raise ValueError("a group lacks a class, or has a number that is too high")
    slots, weights = _steps(positives_at, negatives_at)
    own, shared = np.empty(n_permutations + 1), np.empty(n_permutations + 1)
    for replicate in range(n_permutations + 1):
        dealt = [positive_groups, negative_groups]
        if replicate:
            start = stream_start(seed, replicate)
            dealt = [
                _shuffled(positive_groups, start, 0),
                _shuffled(negative_groups, start, positive_groups.size),
            ]
        own[replicate], shared[replicate] = _walk(np.concatenate(dealt)[slots], weights, *sizes)
    return own, shared


def _steps(positives_at: Integers, negatives_at: Integers) -> tuple[Integers, Integers]:
    """Rows in the order of the walk (positives are numbered first), and how the positives met count for each.

    A positive has 0, a negative 2; one tied with positives comes before and after them, each time with 1.
    """
    positive, negative = 0, int(positives_at.sum())
    slots: list[int] = []
    weights: list[int] = []
    for n_positives, n_negatives in zip(positives_at.tolist(), negatives_at.tolist(), strict=True):
        own, others = range(positive, positive + n_positives), range(negative, negative + n_negatives)
        tied = bool(n_positives and n_negatives)
        slots += [*others, *own, *(others if tied else ())]
        weights += [1 if tied else 2] * n_negatives + [0] * n_positives + [1] * (n_negatives if tied else 0)
        positive, negative = own.stop, others.stop
    return np.array(slots, dtype=np.int64), np.array(weights, dtype=np.int64)


def _walk(
    groups: Integers, weights: Integers, n_positives: Integers, n_negatives: Integers
) -> tuple[float, float]:
    is_positive = weights == 0
    by_group = np.argsort(groups, kind="stable")
    met = np.cumsum(is_positive[by_group])
    before = np.concatenate([[0], np.cumsum(n_positives)[:-1]])  # positives of the groups numbered lower
    won = np.concatenate([[0], np.cumsum(weights[by_group] * (met - before[groups[by_group]]))])
    ends = np.cumsum(np.bincount(groups, minlength=n_positives.size))
    wins = np.diff(won[np.concatenate([[0], ends])])
    # np.cumsum adds one after the other, as the kernel does; np.sum would add by pairs and round otherwise.
    own = np.cumsum(wins / (2 * n_positives * n_negatives))[-1] / n_positives.size
    shares = running_sum(np.where(is_positive, (1.0 / n_positives)[groups], 0.0))
    shared = running_sum(weights * (1.0 / n_negatives)[groups] * shares)[-1]
    return float(own), float(shared / (2.0 * n_positives.size * n_positives.size))


def running_sum(values: Floats) -> Floats:
    """Cumulative sums made block by block: one sum over millions of values would round away five digits."""
    blocks = np.zeros((-(-values.size // _SUM_BLOCK), _SUM_BLOCK))
    blocks.ravel()[: values.size] = values
    inside = np.cumsum(blocks, axis=1)
    before = np.cumsum(inside[:, -1])
    return np.asarray((np.append(0.0, before[:-1])[:, None] + inside).ravel()[: values.size])


def _shuffled(groups: Integers, start: int, first: int) -> Integers:
    """Fisher and Yates, from the end."""
    bounds = np.arange(groups.size, 1, -1, dtype=np.uint64)
    partners = drawn_below(start, first, bounds)
    dealt = groups.tolist()
    for last, partner in zip(range(groups.size - 1, 0, -1), partners.tolist(), strict=True):
        dealt[last], dealt[partner] = dealt[partner], dealt[last]
    return np.array(dealt, dtype=np.int64)
