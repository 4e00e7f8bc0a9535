"""NumPy twins of the C++ kernels: short, exact, slow.

They say what the kernels mean, the tests hold the two equal, and they serve where no compiler was
available. Arrays are columnar: group ``g`` owns the rows ``offsets[g]:offsets[g + 1]``.

Common arguments
----------------
scores : float64, float32, int64 or uint64 array
    Compared exactly, in their own type. ``-0.0`` equals ``0.0``.
labels : bool, int8, uint8, int32, int64, float32 or float64 array
    Every entry is ``positive`` or ``negative``, else ``ValueError``.
weights : float64 array or None
    Finite and positive.
higher_is_positive : bool
    Whether the strictest threshold is the highest score.
threads : int
    Ignored here; the C++ side gives the same bits for any number.
"""

from __future__ import annotations

import itertools
import math
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady._kernels.reference_average import average_paths as average_paths  # noqa: PLC0414 - a twin
from rocsteady._kernels.reference_average import read_paths as read_paths  # noqa: PLC0414 - a twin
from rocsteady._kernels.reference_decide import count_decisions as count_decisions  # noqa: PLC0414 - a twin
from rocsteady._kernels.reference_decide import count_errors as count_errors  # noqa: PLC0414 - a twin
from rocsteady._kernels.reference_exchange import exchange_groups as exchange_groups  # noqa: PLC0414 - a twin
from rocsteady._kernels.reference_resample import resample_cases as resample_cases  # noqa: PLC0414 - a twin
from rocsteady._kernels.reference_resample import resample_groups as resample_groups  # noqa: PLC0414 - a twin
from rocsteady._kernels.reference_resample import score_ranks as score_ranks  # noqa: PLC0414 - a twin
from rocsteady._kernels.reference_slots import add_to_slots as add_to_slots  # noqa: PLC0414 - a twin
from rocsteady._kernels.reference_slots import anchor_slots as anchor_slots  # noqa: PLC0414 - a twin
from rocsteady._kernels.reference_slots import cell_slots as cell_slots  # noqa: PLC0414 - a twin
from rocsteady._kernels.reference_slots import order_by_group as order_by_group  # noqa: PLC0414 - a twin

Array = NDArray[Any]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


def other_label(labels: Array, positive: float) -> float | None:
    """The first label that is not ``positive``, or None when there is none."""
    others = labels[labels != positive]
    return float(others[0]) if others.size else None


def check(scores: Array, labels: Array, positive: float, negative: float, threads: int) -> None:
    """Raise ``ValueError`` if a score is NaN or a label is neither of the two."""
    if scores.dtype.kind == "f" and np.isnan(scores).any():
        raise ValueError("a score is NaN")
    if not np.all((labels == positive) | (labels == negative)):
        raise ValueError("a label is neither of the two")


def count_curves(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    weights: Floats | None,
    higher_is_positive: bool,
    threads: int,
) -> tuple[Floats, Array, Array, Integers]:
    """Count positives and negatives at or beyond every distinct score, strictest first.

    Returns
    -------
    thresholds, true_positives, false_positives : arrays
        One block per group, each led by an infinite threshold with zero counts. Counts are int64, or
        float64 sums of weights, correctly rounded.
    curve_offsets : int64 array
        Group ``g`` owns the vertices ``curve_offsets[g]:curve_offsets[g + 1]``.
    """
    check(scores, labels, positive, negative, threads)
    _require_finite(weights)
    beyond_all = math.inf if higher_is_positive else -math.inf
    blocks = []
    for start, stop in itertools.pairwise(offsets):
        order = _strictest_first(scores[start:stop], higher_is_positive)
        ranked = scores[start:stop][order]
        is_positive = labels[start:stop][order] == positive
        last_of_tie = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)[: ranked.size])
        if weights is None:
            true_positives: Array = np.cumsum(is_positive, dtype=np.int64)
            false_positives: Array = np.cumsum(~is_positive, dtype=np.int64)
        else:
            ordered = weights[start:stop][order]
            true_positives = _exact_cumsum(np.where(is_positive, ordered, 0.0))
            false_positives = _exact_cumsum(np.where(is_positive, 0.0, ordered))
        thresholds = ranked[last_of_tie].astype(np.float64) + 0.0  # + 0.0: no -0.0
        blocks.append(
            (
                np.concatenate([[beyond_all], thresholds]),
                np.concatenate([np.zeros(1, true_positives.dtype), true_positives[last_of_tie]]),
                np.concatenate([np.zeros(1, false_positives.dtype), false_positives[last_of_tie]]),
            )
        )
    curve_offsets = np.cumsum([0, *(block[0].size for block in blocks)], dtype=np.int64)
    count_type = np.int64 if weights is None else np.float64
    empty = (np.empty(0), np.empty(0, count_type), np.empty(0, count_type))
    thresholds, true_positives, false_positives = map(np.concatenate, zip(*(blocks or [empty]), strict=True))
    return thresholds, true_positives, false_positives, curve_offsets


def count_wins(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    threads: int,
) -> tuple[Integers, Integers, Integers]:
    """Per group: twice the pairs a positive wins (a tie is half a win), positives, negatives."""
    moments = delong_moments(scores, labels, offsets, positive, negative, higher_is_positive, threads)
    return moments[0], moments[1], moments[2]


def delong_moments(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    threads: int,
) -> tuple[Integers, Integers, Integers, Floats, Floats]:
    """Per group: wins, positives, negatives, and the spread of the placements of each class.

    The placement of a case is the number of cases of the other class that it beats, a tie counting
    half; doubled, it is an integer x. The spread is ``n * sum(x**2) - sum(x)**2``, exact in integers
    and rounded once.
    """
    _, true_positives, false_positives, curve_offsets = count_curves(
        scores, labels, offsets, positive, negative, None, higher_is_positive, threads
    )
    return curve_moments(true_positives, false_positives, curve_offsets)


def curve_moments(
    true_positives: Integers, false_positives: Integers, offsets: Integers
) -> tuple[Integers, Integers, Integers, Floats, Floats]:
    """The same as :func:`delong_moments`, from counts at every threshold, which rise from 0."""
    rows = []
    for start, stop in itertools.pairwise(offsets):
        tp, fp = true_positives[start:stop], false_positives[start:stop]
        if any(counts[:1].any() or (np.diff(counts) < 0).any() for counts in (tp, fp)):
            raise ValueError("the counts of a curve must rise from 0")
        if start == stop:
            rows.append((0, 0, 0, 0.0, 0.0))
            continue
        n_positives, n_negatives = int(tp[-1]), int(fp[-1])
        new_positives, new_negatives = np.diff(tp), np.diff(fp)
        beaten_twice = 2 * n_negatives - fp[1:] - fp[:-1]  # by each positive of the tie group
        beating_twice = tp[1:] + tp[:-1]  # positives above each negative of the tie group
        rows.append(
            (
                _product_sum(new_negatives, beating_twice),
                n_positives,
                n_negatives,
                _spread(new_positives, beaten_twice),
                _spread(new_negatives, beating_twice),
            )
        )
    columns = list(zip(*rows, strict=True)) or [(), (), (), (), ()]
    wins, n_pos, n_neg = (np.array(column, dtype=np.int64) for column in columns[:3])
    return wins, n_pos, n_neg, np.array(columns[3], dtype=float), np.array(columns[4], dtype=float)


def placements(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    threads: int,
) -> Integers:
    """Twice the placement of every case, in the order of the rows.

    For a positive: negatives it beats, ties half. For a negative: positives that beat it, ties half.
    """
    check(scores, labels, positive, negative, threads)
    doubled = np.empty(scores.size, dtype=np.int64)
    for start, stop in itertools.pairwise(offsets):
        is_positive = labels[start:stop] == positive
        ranked = scores[start:stop] + scores.dtype.type(0)
        for own, others in ((is_positive, ~is_positive), (~is_positive, is_positive)):
            rivals = np.sort(ranked[others])
            below_twice = np.searchsorted(rivals, ranked[own], "left") + np.searchsorted(
                rivals, ranked[own], "right"
            )
            wins_high = own is is_positive
            doubled[start:stop][own] = (
                below_twice if wins_high == higher_is_positive else 2 * rivals.size - below_twice
            )
    return doubled


def delong_covariance(
    scores: list[Array],
    labels: Array,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    threads: int,
) -> tuple[Integers, int, int, Floats, Floats, Floats, Floats]:
    """Wins of k score vectors on the same cases, and the (k, k) spreads of their placements.

    Returns
    -------
    wins : int64 array
        Of each classifier.
    n_positives, n_negatives : int
    positive_spread, negative_spread : (k, k) arrays
        ``n * sum(x_a x_b) - sum(x_a) sum(x_b)`` over the cases of one class, exact in integers, rounded
        once.
    positive_difference, negative_difference : (k, k) arrays
        The same of ``x_a - x_b`` with itself: rounded spreads of classifiers that agree on nearly all cases
        would cancel to nothing.
    """
    everything = np.array([0, labels.size])
    doubled = [
        placements(s, labels, everything, positive, negative, higher_is_positive, threads) for s in scores
    ]
    is_positive = labels == positive
    wins = np.array([_total(x[is_positive]) for x in doubled], dtype=np.int64)
    by_class = [[x[own] for x in doubled] for own in (is_positive, ~is_positive)]
    of_positives, of_negatives = (np.array([[_cospread(x, y) for y in xs] for x in xs]) for xs in by_class)
    between_positives, between_negatives = (
        np.array([[_cospread(x - y, x - y) for y in xs] for x in xs]) for xs in by_class
    )
    n_positives, n_negatives = int(is_positive.sum()), int((~is_positive).sum())
    return wins, n_positives, n_negatives, of_positives, of_negatives, between_positives, between_negatives


def read_scores(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    cosine: float,
    sine: float,
    positions: Floats,
    threads: int,
) -> tuple[Floats, Floats]:
    """What :func:`read_paths` reads off the curves of every group; NaN for groups without both classes."""
    _, tp, fp, ends = count_curves(
        scores, labels, offsets, positive, negative, None, higher_is_positive, threads
    )
    first, last = np.full((2, offsets.size - 1, positions.size), np.nan)
    for group, (start, stop) in enumerate(itertools.pairwise(ends)):
        if tp[stop - 1] and fp[stop - 1]:
            own = np.array([0, stop - start])
            read = read_paths(tp[start:stop], fp[start:stop], own, cosine, sine, positions, threads)
            first[group], last[group] = read[0][0], read[1][0]
    return first, last


def share_curve(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    positive_shares: Floats,
    negative_shares: Floats,
    higher_is_positive: bool,
    threads: int,
) -> tuple[Floats, Floats, Floats]:
    """One curve of many groups, in which a case counts its group's share instead of one.

    Shares of ``weight / (sum of weights * cases of the class in the group)``, as ``shares_of_cases`` gives
    them, make it the weighted mean of the groups' rates at every threshold, rounded once: sums are made in
    fixed-point integers.

    Parameters
    ----------
    positive_shares, negative_shares : (2, n_groups) float64 arrays
        What a case counts, as a double and the rest that it leaves; over all cases of a class they sum to 1.

    Returns
    -------
    thresholds, true_positive_rates, false_positive_rates : float64 arrays
        As :func:`count_curves`, in shares of the whole.
    """
    check(scores, labels, positive, negative, threads)
    for shares in (positive_shares, negative_shares):
        if shares.shape != (2, offsets.size - 1):
            raise ValueError("there must be one share per group, in two parts")
        _require_finite(shares)
        if (shares[0] < 0).any():
            raise ValueError("a share is negative")
    group = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    is_positive = labels == positive
    order = _strictest_first(scores, higher_is_positive)
    in_order = scores[order]
    ends = np.flatnonzero(np.append(in_order[1:] != in_order[:-1], True)) if scores.size else np.empty(0, int)
    rates = []
    for own, shares in ((is_positive, positive_shares), (~is_positive, negative_shares)):
        fixed, unit = _fixed_point(shares, np.diff(offsets))
        steps = [fixed[g] if counts else 0 for g, counts in zip(group[order], own[order], strict=True)]
        sums = list(itertools.accumulate(steps, initial=0))
        rates.append(np.array([float(sums[0]), *(float(sums[end + 1]) * unit for end in ends)]))
    beyond = np.inf if higher_is_positive else -np.inf
    thresholds = np.append(beyond, in_order[ends].astype(np.float64))
    return thresholds, rates[0], rates[1]


def _fixed_point(shares: Floats, n_rows: Integers) -> tuple[list[int], float]:
    """Shares as integers, with as many bits as leave room for the sum of all; and what a unit is worth."""
    most = sum(share * n for share, n in zip(shares[0].tolist(), n_rows.tolist(), strict=True))
    bits = 126 - math.frexp(most)[1]
    return [sum(round(math.ldexp(part, bits)) for part in own) for own in shares.T.tolist()], math.ldexp(
        1, -bits
    )


def _strictest_first(scores: Array, higher_is_positive: bool) -> Integers:
    """A stable order, strictest score first; never by negation, which wraps unsigned integers."""
    if not higher_is_positive:
        return np.argsort(scores, kind="stable")
    return scores.size - 1 - np.argsort(scores[::-1], kind="stable")[::-1]


def _require_finite(*columns: Floats | None) -> None:
    if not all(np.isfinite(weights).all() for weights in columns if weights is not None):
        raise ValueError("a weight is not finite")


def _total(values: Integers) -> int:
    return sum(values.tolist())


def _product_sum(a: Integers, b: Integers) -> int:
    """Python integers do not wrap: squared placements pass int64 at a few million cases."""
    return sum(map(operator.mul, a.tolist(), b.tolist()))


def _spread(counts: Integers, values: Integers) -> float:
    squares = sum(n * x * x for n, x in zip(counts.tolist(), values.tolist(), strict=True))
    return float(_total(counts) * squares - _product_sum(counts, values) ** 2)


def _cospread(x: Integers, y: Integers) -> float:
    return float(x.size * _product_sum(x, y) - _total(x) * _total(y))


def _exact_cumsum(values: Floats) -> Floats:
    """Cumulative sums, each correctly rounded: what ``math.fsum`` gives for every prefix."""
    ratios = [value.as_integer_ratio() for value in values.tolist()]
    scale = max((denominator for _, denominator in ratios), default=1)  # all are powers of two
    sums = itertools.accumulate(numerator * (scale // denominator) for numerator, denominator in ratios)
    return np.array([_quotient(total, scale) for total in sums], dtype=np.float64)


def _quotient(total: int, scale: int) -> float:
    try:
        return total / scale
    except OverflowError:
        return math.inf if total > 0 else -math.inf
