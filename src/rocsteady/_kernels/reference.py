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
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsteady._kernels.resample import exchange_groups as exchange_groups  # noqa: PLC0414 - a twin
from rocsteady._kernels.resample import require_weights
from rocsteady._kernels.resample import resample_cases as resample_cases  # noqa: PLC0414 - a twin
from rocsteady._kernels.resample import resample_groups as resample_groups  # noqa: PLC0414 - a twin
from rocsteady.arrays import Array, Floats, Integers


def _require_clean(scores: Array, labels: Array, positive: float, negative: float) -> None:
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
    _require_clean(scores, labels, positive, negative)
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
        counts = (np.append(own[:0].sum(), own[last_of_tie]) for own in (true_positives, false_positives))
        blocks.append((np.append(beyond_all, thresholds), *counts))
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
    return delong_moments(scores, labels, offsets, positive, negative, higher_is_positive, threads)[:3]


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
    rows = scores, labels, offsets, positive, negative, None, higher_is_positive
    return curve_moments(*count_curves(*rows, threads)[1:])


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
        spreads = _spread(new_positives, beaten_twice), _spread(new_negatives, beating_twice)
        rows.append((_product_sum(new_negatives, beating_twice), n_positives, n_negatives, *spreads))
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
    _require_clean(scores, labels, positive, negative)
    doubled = np.empty(scores.size, dtype=np.int64)
    for start, stop in itertools.pairwise(offsets):
        is_positive = labels[start:stop] == positive
        ranked = scores[start:stop] + scores.dtype.type(0)
        for own, wins_high in ((is_positive, higher_is_positive), (~is_positive, not higher_is_positive)):
            rivals = np.sort(ranked[~own])
            left, right = (np.searchsorted(rivals, ranked[own], side) for side in ("left", "right"))
            doubled[start:stop][own] = left + right if wins_high else 2 * rivals.size - left - right
    return doubled


def score_ranks(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    threads: int,
) -> Integers:
    """Rank of every row among the distinct scores of its group, 0 for the strictest; ties share a rank."""
    _require_clean(scores, labels, positive, negative)
    ranks = np.empty(scores.size, dtype=np.int64)
    for start, stop in itertools.pairwise(offsets):
        distinct, place = np.unique(scores[start:stop], return_inverse=True)
        ranks[start:stop] = distinct.size - 1 - place if higher_is_positive else place
    return ranks


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
    wins = np.array([x[is_positive].sum() for x in doubled], dtype=np.int64)
    by_class = [[x[own] for x in doubled] for own in (is_positive, ~is_positive)]
    of_positives, of_negatives = (np.array([[_cospread(x, y) for y in xs] for x in xs]) for xs in by_class)
    between_positives, between_negatives = (
        np.array([[_cospread(x - y, x - y) for y in xs] for x in xs]) for xs in by_class
    )
    n_positives, n_negatives = int(is_positive.sum()), int((~is_positive).sum())
    return wins, n_positives, n_negatives, of_positives, of_negatives, between_positives, between_negatives


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
    _require_clean(scores, labels, positive, negative)
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
    fixed = [sum(round(math.ldexp(part, bits)) for part in own) for own in shares.T.tolist()]
    return fixed, math.ldexp(1, -bits)


def _strictest_first(scores: Array, higher_is_positive: bool) -> Integers:
    """A stable order, strictest score first; never by negation, which wraps unsigned integers."""
    if not higher_is_positive:
        return np.argsort(scores, kind="stable")
    return scores.size - 1 - np.argsort(scores[::-1], kind="stable")[::-1]


def _require_finite(*columns: Floats | None) -> None:
    if not all(np.isfinite(weights).all() for weights in columns if weights is not None):
        raise ValueError("a weight is not finite")


def _product_sum(*factors: Integers) -> int:
    """Python integers do not wrap: squared placements pass int64 at a few million cases."""
    return sum(map(math.prod, zip(*(own.tolist() for own in factors), strict=True)))


def _spread(counts: Integers, values: Integers) -> float:
    squares = _product_sum(counts, values, values)
    return float(_product_sum(counts) * squares - _product_sum(counts, values) ** 2)


def _cospread(x: Integers, y: Integers) -> float:
    return float(x.size * _product_sum(x, y) - _product_sum(x) * _product_sum(y))


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


# Numbers and sums to twice the precision of a double, as arrays of high and low parts
# ------------------------------------------------------------------------------------
# What two doubles add up to, or multiply to, is a double and a rest, and both are computed exactly (Dekker
# 1971; Ogita, Rump & Oishi 2005). A weighted mean of counts / n whose quotients and sums keep the rest is
# rounded once.


class Long(NamedTuple):
    """Numbers as the sum of a double and a much smaller one."""

    high: Any
    low: Any

    @property
    def value(self) -> Any:
        """The nearest doubles."""
        return self.high + self.low

    def plus(self, other: Long) -> Long:
        """The sum."""
        total = self.high + other.high
        part = total - self.high
        rest = (self.high - (total - part)) + (other.high - part)
        return Long(total, self.low + other.low + rest)

    def times(self, factor: Any) -> Long:
        """The product with doubles."""
        product = self.high * factor
        (a, b), (c, d) = _halves(self.high), _halves(factor)
        rest = ((a * c - product) + a * d + b * c) + b * d
        return Long(product, rest + self.low * factor)


def _halves(x: Any) -> tuple[Any, Any]:
    """Two numbers of 26 bits with this sum, whose products are exact (Veltkamp)."""
    shifted = 134217729.0 * x
    high = shifted - (shifted - x)
    return high, x - high


def _long_quotient(dividend: Floats, divisor: Long) -> Long:
    first = dividend / divisor.value
    rest = Long(dividend, np.zeros_like(dividend)).plus(divisor.times(-first))
    second = rest.value / divisor.value
    total = first + second
    return Long(total, second - (total - first))


def shares_of_cases(weights: Floats, n_cases: Floats) -> Long:
    """What a case of every group counts in a weighted mean: ``weights / (n_cases * sum(weights))``."""
    # A power of two changes no digit, and what is multiplied stays far from overflow.
    scaled = np.ldexp(weights, -int(np.frexp(weights.max())[1]))
    total = math.fsum(scaled)
    whole = Long(total, math.fsum([*scaled, -total]))
    return _long_quotient(scaled, whole.times(np.asarray(n_cases, dtype=np.float64)))


# Averages of curves along a direction
# ------------------------------------


def average_paths(
    true_positives: Array,
    false_positives: Array,
    offsets: Integers,
    weights: Floats,
    cosine: float,
    sine: float,
    threads: int,
) -> tuple[Floats, Floats, Floats]:
    """The weighted mean of many curves along a direction, linear between where any of them bends.

    Seen along an angle, a point has the position ``u = cosine * fpr + sine * tpr``; the mean at a position is
    that of the curves' points there. Where no curve moves on an axis, which is wherever the mean runs
    straight up or straight to the right, its rate is the weighted mean of counts / n, rounded once.

    Parameters
    ----------
    true_positives, false_positives, offsets : arrays
        Counts of curves end to end, as :func:`count_curves` gives them.
    weights : float64 array
        One per curve, as they are: they need not sum to one. Curves of weight 0 do not count.
    cosine, sine : float
        Of the angle, in [0, pi/2]; the ends are exact if the sine or the cosine is exactly 0.

    Returns
    -------
    positions, fpr, tpr : float64 arrays
        The mean as a polyline, one point at every position where a curve bends, two where the mean jumps;
        neither rate falls.
    """
    _require_curves(true_positives, false_positives, offsets)
    if weights.size != offsets.size - 1:
        raise ValueError("there must be one weight per curve")
    require_weights(weights)
    if not (weights > 0).any():
        raise ValueError("no curve has a weight")
    chosen = np.flatnonzero(weights > 0)
    bends = [
        _bends(false_positives[a:b], true_positives[a:b])
        for a, b in zip(offsets[chosen], offsets[chosen + 1], strict=True)
    ]
    places = [_positions(x / x[-1], y / y[-1], cosine, sine) for x, y in bends]
    at = np.unique(np.concatenate(places))
    jumps = np.zeros(at.size, dtype=np.bool_)
    rates = []
    for axis, is_held in enumerate((sine == 0, cosine == 0)):
        counts = [own[axis].astype(np.float64) for own in bends]
        if is_held:
            rates.append((at, at))
        else:
            first, last, jumps_here = _mean_rate(weights[chosen], counts, places, at)
            rates.append((first, last))
            jumps |= jumps_here
    # Curves that are all at the bottom, or all at the top, have one and the same point there.
    lowest = [np.flatnonzero(x == 0)[-1] for x, _ in bends]
    highest = [np.flatnonzero(y == y[-1])[0] for _, y in bends]
    leaves = np.searchsorted(at, min(u[k] for u, k in zip(places, lowest, strict=True)))
    arrives = np.searchsorted(at, max(u[k] for u, k in zip(places, highest, strict=True)))
    if cosine > 0 and not jumps[leaves]:
        rates[1][0][leaves] = min(y[k] / y[-1] for (_, y), k in zip(bends, lowest, strict=True))
    if sine > 0 and not jumps[arrives]:
        rates[0][0][arrives] = max(x[k] / x[-1] for (x, _), k in zip(bends, highest, strict=True))
    index = np.repeat(np.arange(at.size), 1 + jumps)
    is_second = np.append(False, index[1:] == index[:-1])
    fpr, tpr = (np.where(is_second, last[index], first[index]) for first, last in rates)
    # What came before a fall of a rounding error comes down: an exact rate is never below what came before.
    fpr, tpr = (np.minimum.accumulate(rate[::-1])[::-1].copy() for rate in (fpr, tpr))
    return at[index], fpr, tpr


def _mean_rate(
    weights: Floats, counts: list[Floats], places: list[Floats], at: Floats
) -> tuple[Floats, Floats, Array]:
    """The weighted mean of one rate, met first and met last at rising positions, and where it jumps.

    What the curves have reached where they do not move is summed to twice the precision of a double. To that
    comes, of those that move, how far they have got.
    """
    shares = shares_of_cases(weights, np.array([own[-1] for own in counts]))
    first = last = Long(np.zeros(at.size), np.zeros(at.size))
    n_moving, moved = np.zeros(at.size, dtype=np.int64), np.zeros(at.size)
    jumps = np.zeros(at.size, dtype=np.bool_)
    for high, low, own, u in zip(*shares, counts, places, strict=True):
        share = Long(high, low)
        behind = np.searchsorted(u, at, "right") - 1
        before = np.searchsorted(u, at, "left")
        is_hit = u[before] == at
        before[~is_hit] -= 1
        after = np.minimum(before + 1, u.size - 1)
        first = first.plus(share.times(own[before]))
        last = last.plus(share.times(own[behind]))
        jumps |= is_hit & (own[behind] != own[before])
        step = np.where(is_hit, 0.0, own[after] - own[before])
        n_moving += step != 0
        width = np.where(is_hit, 1.0, u[after] - u[before])
        moved += share.value * step * ((at - u[before]) / width)
    ends = []
    for reached in (first, last):
        further = np.maximum(reached.plus(Long(moved, 0.0)).value, reached.value)
        ends.append(np.where(n_moving == 0, reached.value, further))
    return ends[0], ends[1], jumps


def _require_curves(true_positives: Array, false_positives: Array, offsets: Integers) -> None:
    """What the kernels refuse, too."""
    if true_positives.dtype != false_positives.dtype or true_positives.shape != false_positives.shape:
        raise ValueError("the counts differ in length or type")
    if true_positives.dtype not in (np.dtype(np.int64), np.dtype(np.float64)):
        raise TypeError("counts must be int64 or float64")
    if (np.diff(offsets) == 0).any():
        raise ValueError("a curve has no vertex")
    ends = offsets[1:] - 1
    if not ((true_positives[ends] > 0) & (false_positives[ends] > 0)).all():
        raise ValueError("a curve lacks a class")


def _bends(x: Array, y: Array) -> tuple[Array, Array]:
    """The vertices that say something: not those within a run straight up or straight to the right."""
    is_new = np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0))  # steps of counts may be empty
    x, y = x[is_new], y[is_new]
    flat, steep = np.diff(y) == 0, np.diff(x) == 0
    inside = (flat[1:] & flat[:-1]) | (steep[1:] & steep[:-1])
    kept = np.concatenate([[True], ~inside, [True]])
    return x[kept], y[kept]


def _positions(x: Floats, y: Floats, cosine: float, sine: float) -> Floats:
    if sine == 0:
        return x
    if cosine == 0:  # swaps the axes; a rounded right angle would read the wrong ends of steps
        return y
    return cosine * x + sine * y


def read_paths(
    true_positives: Array,
    false_positives: Array,
    offsets: Integers,
    cosine: float,
    sine: float,
    positions: Floats,
    threads: int,
) -> tuple[Floats, Floats]:
    """The value ``cosine * tpr - sine * fpr`` of every curve at rising positions of :func:`average_paths`.

    Returns
    -------
    first, last : (n_curves, n_positions) arrays
        The value met first there and the one met last, which differ where the curve runs along the direction.
    """
    _require_curves(true_positives, false_positives, offsets)
    shape = offsets.size - 1, positions.size
    first, last = np.empty(shape), np.empty(shape)
    for i, (start, stop) in enumerate(itertools.pairwise(offsets)):
        x, y = false_positives[start:stop], true_positives[start:stop]
        x, y = x / x[-1], y / y[-1]
        u = _positions(x, y, cosine, sine)
        v = y if sine == 0 else -x if cosine == 0 else cosine * y - sine * x
        begins = np.flatnonzero(np.append(True, u[1:] != u[:-1]))
        ends = np.append(begins[1:], u.size) - 1
        first[i], last[i] = _read_path(u[begins], v[begins], v[ends], positions)
    return first, last


def _read_path(u: Floats, first: Floats, last: Floats, at: Floats) -> tuple[Floats, Floats]:
    """The values met first and last at positions that may lie between those of the path."""
    at = np.clip(at, u[0], u[-1])
    left = np.searchsorted(u, at, "right") - 1
    right = np.minimum(left + 1, u.size - 1)
    width = np.where(right > left, u[right] - u[left], 1.0)
    between = (at - u[left]) / width
    start, stop = last[left], first[right]
    inside = np.clip(start + between * (stop - start), np.minimum(start, stop), np.maximum(start, stop))
    hit = u[left] == at
    return np.where(hit, first[left], inside), np.where(hit, last[left], inside)


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
    rows = scores, labels, offsets, positive, negative, None, higher_is_positive
    _, tp, fp, ends = count_curves(*rows, threads)
    first, last = np.full((2, offsets.size - 1, positions.size), np.nan)
    for group, (start, stop) in enumerate(itertools.pairwise(ends)):
        if tp[stop - 1] and fp[stop - 1]:
            own = np.array([0, stop - start])
            read = read_paths(tp[start:stop], fp[start:stop], own, cosine, sine, positions, threads)
            first[group], last[group] = read[0][0], read[1][0]
    return first, last


# Decisions by class weights
# --------------------------


def count_errors(outputs: Floats, offsets: Integers, weights: Floats, threads: int) -> Integers:
    """How many rows of each class are decided wrongly, for each weight vector.

    A row is decided for the class with the largest ``weights[k, c] * outputs[c, row]``; of several the
    lowest. Products are rounded to float64 before they are compared.

    Parameters
    ----------
    outputs : (C, n) float64 array
        Not negative, one row of the array per class; rows of the data stand in the order of their true class.
    offsets : int64 array of C + 1
        Rows ``offsets[c]`` to ``offsets[c + 1]`` are of class c.
    weights : (K, C) float64 array
        Not negative.

    Returns
    -------
    (K, C) int64 array
    """
    _require_outputs(outputs, weights)
    n_classes, n_rows = outputs.shape
    is_whole = offsets.size == n_classes + 1 and offsets[0] == 0 and offsets[-1] == n_rows
    if not is_whole or (np.diff(offsets) < 0).any():
        raise ValueError("offsets must run from 0 to the number of rows, class by class")
    true = np.repeat(np.arange(n_classes), np.diff(offsets))
    counts = count_decisions(outputs, true, n_classes, weights, threads)
    return np.asarray(np.diff(offsets) - np.diagonal(counts, axis1=1, axis2=2))


def count_decisions(
    outputs: Floats, cells: Integers, n_cells: int, weights: Floats, threads: int
) -> Integers:
    """How many rows of each cell are decided for each class, for each weight vector.

    With the true classes as cells this is a confusion matrix; with one cell for each true class of each fold
    it is one per fold.

    Parameters
    ----------
    outputs, weights
        As for :func:`count_errors`, rows in any order.
    cells : int64 array of n
        The cell of each row, 0 to ``n_cells - 1``.

    Returns
    -------
    (K, n_cells, C) int64 array
    """
    _require_outputs(outputs, weights)
    n_classes, n_rows = outputs.shape
    if cells.size != n_rows or n_cells < 1 or (n_rows and not (cells.min() >= 0 and cells.max() < n_cells)):
        raise ValueError("every row must have a cell, numbered below n_cells")
    counts = np.empty((weights.shape[0], n_cells, n_classes), dtype=np.int64)
    for k, own in enumerate(weights):
        places = cells * n_classes + decided(outputs, own)
        counts[k] = np.bincount(places, minlength=n_cells * n_classes).reshape(n_cells, n_classes)
    return counts


def decided(outputs: Floats, weights: Floats) -> Integers:
    """The class of each row under one weight vector; ties go to the lowest."""
    best = weights[0] * outputs[0]
    classes = np.zeros(best.size, dtype=np.int64)
    for c in range(1, weights.size):
        product = weights[c] * outputs[c]
        better = product > best
        classes[better] = c
        np.maximum(best, product, out=best)
    return classes


def _require_outputs(outputs: Floats, weights: Floats) -> None:
    if outputs.ndim != 2 or weights.ndim != 2 or outputs.shape[0] < 1 or outputs.shape[0] != weights.shape[1]:
        raise ValueError("there must be one weight per class")


# Rows of a stream in slots: leaves of a tree of cells, or places among anchors
# -----------------------------------------------------------------------------


def cell_slots(
    scores: Floats,
    groups: Integers,
    starts: Floats,
    scales: Floats,
    firsts: Integers,
    sizes: Integers,
    stop: float,
    atoms: Floats,
    n_cells: int,
    nodes: Floats,
) -> Integers:
    """The leaf that every row belongs to.

    Parameters
    ----------
    scores, groups : arrays
        One entry per row; no score is NaN.
    starts, scales, firsts, sizes : arrays
        Straight pieces: scores from a start on have the cell ``first + floor((score - start) * scale)``, at
        most ``first + size - 1``. Cell 0 is -inf, 1 all scores below the first start; above the last piece
        come all scores from ``stop`` on, then the atoms, then +inf.
    atoms : array
        Scores with cells of their own.
    n_cells : int
        Group ``g`` has the slots from ``g * n_cells`` on.
    nodes : array, (n_slots, 4)
        Into what each slot was split, if it was: start, scale, first part, number of parts. Parts come later.
    """
    fits = starts.size == scales.size == firsts.size == sizes.size and (sizes >= 1).all()
    # Cells of a piece follow those of the one before. Python's integers: sums of int64 could wrap round.
    *bounds, above = itertools.accumulate(sizes.tolist(), initial=2)
    if not fits or firsts.tolist() != bounds or above + 2 + atoms.size > n_cells:
        raise ValueError("pieces and cells do not fit together")
    n_slots = nodes.shape[0]
    split = np.flatnonzero(nodes[:, 3] != 0)
    first, parts = nodes[split, 2], nodes[split, 3]
    whole = (first == np.floor(first)) & (parts == np.floor(parts))
    if not (whole & (parts >= 1) & (first > split) & (first + parts <= n_slots)).all():
        raise ValueError("the parts of a cell must come after it")
    first_child, n_children = np.zeros((2, n_slots), dtype=np.int64)
    first_child[split], n_children[split] = first.astype(np.int64), parts.astype(np.int64)
    _require_groups(groups, scores.size, n_slots // n_cells)
    piece = np.searchsorted(starts, scores, side="right") - 1
    cell = np.ones(scores.size, dtype=np.int64)
    for i in range(starts.size):
        own = piece == i
        cell[own] = firsts[i] + _inside(scores[own], starts[i], scales[i], sizes[i])
    cell[scores >= stop] = above
    for i, atom in enumerate(atoms):
        cell[scores == atom] = above + 1 + i
    cell[scores == -np.inf] = 0
    cell[scores == np.inf] = above + 1 + atoms.size
    slots = groups * n_cells + cell
    while scores.size:
        to_split = np.flatnonzero(n_children[slots])
        if not to_split.size:
            break
        own = slots[to_split]
        inside = _inside(scores[to_split], nodes[own, 0], nodes[own, 1], n_children[own])
        slots[to_split] = first_child[own] + inside
    return slots


def _inside(scores: Floats, start: Floats | float, scale: Floats | float, n: Integers | int) -> Integers:
    """Which of n equal parts a score is in; those beyond the ends are in the last and the first."""
    with np.errstate(over="ignore", invalid="ignore"):
        place = np.floor((scores - start) * scale)
    place = np.where(np.asarray(n) == 1, 0.0, place)
    place = np.where(np.isnan(place), np.inf, place)  # an infinite distance times nothing
    return np.clip(place, 0, np.asarray(n) - 1).astype(np.int64)


def anchor_slots(scores: Floats, groups: Integers, anchors: Floats, offsets: Integers) -> Integers:
    """The place of every row among the anchors of its group.

    Group ``g`` has the rising, distinct anchors ``offsets[g]:offsets[g + 1]``, k of them, and 2k + 1 slots
    from ``2 * offsets[g] + g`` on: slot 2j lies before anchor j and after the one before, slot 2j + 1 on it.
    """
    if not offsets.size or offsets[0] != 0 or offsets[-1] != anchors.size or (np.diff(offsets) < 0).any():
        raise ValueError("offsets must run from 0 to the number of anchors, and must not fall")
    _require_groups(groups, scores.size, offsets.size - 1)
    slots = np.empty(scores.size, dtype=np.int64)
    order = np.argsort(groups, kind="stable")
    stops = np.cumsum(np.bincount(groups, minlength=offsets.size - 1))
    for group in np.unique(groups).tolist():
        own = order[stops[group - 1] if group else 0 : stops[group]]
        mine = anchors[offsets[group] : offsets[group + 1]]
        left = np.searchsorted(mine, scores[own], side="left")
        on_anchor = np.searchsorted(mine, scores[own], side="right") > left
        slots[own] = 2 * (offsets[group] + left) + on_anchor + group
    return slots


def add_to_slots(
    slots: Integers, classes: NDArray[np.int8], scores: Floats, weights: Floats | None, sums: Floats
) -> None:
    """Add rows to their slots, in place, one after the other.

    ``sums`` has a row for each slot: positives, negatives (rows, or their weights), lowest and highest score.
    Whatever else than a writable float64 array in C order is a ``TypeError``: a copy of it would be added to.
    """
    if sums.dtype != np.float64 or sums.ndim != 2 or sums.shape[1] != 4 or not sums.flags.carray:
        raise TypeError("sums must be a writable float64 array of (slots, 4) in C order")
    if classes.dtype != np.int8:
        raise TypeError("classes must be int8")
    fits = classes.size == scores.size == slots.size and (weights is None or weights.size == slots.size)
    if not fits or (slots.size and not (slots.min() >= 0 and slots.max() < sums.shape[0])):
        raise ValueError("rows and slots do not fit together")
    np.add.at(sums, (slots, np.where(classes != 0, 0, 1)), 1.0 if weights is None else weights)
    np.minimum.at(sums[:, 2], slots, scores)
    np.maximum.at(sums[:, 3], slots, scores)


def _require_groups(groups: Integers, n_rows: int, n_groups: int) -> None:
    if groups.size != n_rows or n_groups < 0 or (n_rows and not 0 <= groups.min() <= groups.max() < n_groups):
        raise ValueError("every row must have a group, numbered below n_groups")
