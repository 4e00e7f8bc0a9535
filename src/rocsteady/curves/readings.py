"""Exact readings of a path of counts, and what is certain where only cells were counted.

Areas, parts of them, the convex hull, each rate at the other, rates at a threshold; equal error rates, SPSS's
coordinates, cost, DET and precision-recall curves; bounds.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.arrays import Counts, Floats, Indices, Mask
from rocsteady.counting.cells import CellTable
from rocsteady.errors import RocsteadyError, counted, fail
from rocsteady.options import one_of, one_rate, rates, real_numbers, threshold_numbers
from rocsteady.results import Result, TableResult
from rocsteady.showing import Drawn
from rocsteady.words import printable


def doubled_area(along: Counts, across: Counts) -> int | float:
    """Twice the area under a path: ``sum(diff(along) * (across[1:] + across[:-1]))``.

    Integer counts give a Python integer, exactly; weights give a compensated sum.
    """
    if along.dtype.kind == "f":
        return compensated_sum(np.diff(along) * (across[1:] + across[:-1]))
    tallest = 2 * int(np.max(across, initial=0))
    if max(tallest, tallest * int(along[-1])) >= 2**63:
        along, across = along.astype(object), across.astype(object)  # Python integers
    return int(np.diff(along) @ (across[1:] + across[:-1]))


def unit_scaled(counts: Counts, exponents: Any = None) -> Counts:
    """Sums of weights times a power of two that brings the largest below 1; integers as they are.

    Only ratios of weights matter, but products of them leave the range of floats at 1e154 and at 1e-154. A
    power of two changes no digit. With ``exponents`` the powers are given, one for each row.
    """
    if counts.dtype.kind != "f":
        return counts
    if exponents is None:
        exponents = np.frexp(np.max(counts, initial=0.0))[1]
    return np.asarray(np.ldexp(counts, -exponents))


def share_won(true_positives: Counts, false_positives: Counts) -> float:
    """The AUC of a path of counts: pairs won over all pairs, by one division."""
    if true_positives.dtype.kind != "f":
        wins = doubled_area(false_positives, true_positives)
        return wins / (2 * int(true_positives[-1]) * int(false_positives[-1]))
    # Weights: wins and losses are both sums of non-negative terms, so 0, 1/2 and 1 come out exactly.
    up, right = unit_scaled(true_positives), unit_scaled(false_positives)
    wins, losses = doubled_area(right, up), doubled_area(up, right)
    return wins / (wins + losses)


def compensated_sum(values: Floats) -> float:
    """A sum by pairs that also adds up what each addition rounded away; five times as fast as ``fsum``."""
    lost = 0.0
    while values.size > 1:
        if values.size % 2:
            values = np.append(values, 0.0)
        a, b = values[::2], values[1::2]
        total = a + b
        b_part = total - a
        lost += float(np.sum((a - (total - b_part)) + (b - b_part)))
        values = total
    return float(values[0]) + lost if values.size else 0.0


def exact_integers(counts: Counts) -> Counts:
    """Counts as integers that can be multiplied without rounding; weights are scaled by a power of two."""
    if counts.dtype.kind != "f":
        return counts
    ratios = [value.as_integer_ratio() for value in counts.tolist()]
    scale = max(denominator for _, denominator in ratios)  # all are powers of two
    return np.array([numerator * (scale // denominator) for numerator, denominator in ratios], dtype=object)


def require_both_classes(n_positives: float, n_negatives: float, name: str | None = None) -> None:
    """RS024 for what has no curve."""
    if n_positives > 0 and n_negatives > 0:
        return
    both = {"positives": n_positives, "negatives": n_negatives}
    found = {
        noun: counted(int(n), noun[:-1]) if float(n).is_integer() else f"{noun} of weight {n:g}"
        for noun, n in both.items()
    }
    missing = " and no ".join(noun for noun, n in both.items() if not n > 0)
    raise fail("RS024.no-curve", whose=name or "the scores", missing=missing, **found)


def cases_of(curve: Any, kind: str = "") -> str:
    """The name of a curve and how many cases of each class it has, or their weight, in one line."""
    name = ("" if curve.name is None else f"{printable(curve.name)}: ") + kind
    if curve.is_weighted:
        return f"{name}weights {curve.n_positives:g} positive and {curve.n_negatives:g} negative"
    return f"{name}{counted(curve.n_positives, 'positive')}, {counted(curve.n_negatives, 'negative')}"


# The convex hull of a curve, decided in integers
# -----------------------------------------------

_MOST_PASSES = 30


def hull_vertices(true_positives: Counts, false_positives: Counts) -> Indices:
    """Indices of the vertices of the upper convex hull, from (0, 0) to (1, 1).

    A vertex on a straight stretch of the hull is not one of its corners and is left out.
    """
    return hull_vertices_of_all(true_positives, false_positives, np.array([0, true_positives.size]))[0]


def hull_vertices_of_all(
    true_positives: Counts, false_positives: Counts, offsets: NDArray[np.int64]
) -> list[Indices]:
    """The same for many curves in flat arrays, curve ``g`` at ``offsets[g]:offsets[g + 1]``.

    A point on or under the chord of its neighbours is no corner. All such points are dropped at once, which
    thins the paths quickly; a scan finishes those that a few passes do not. All products are of integers.
    """
    x, y = exact_integers(false_positives), exact_integers(true_positives)
    if x.dtype != object and int(x.max()) * int(y.max()) >= 2**61:
        x, y = x.astype(object), y.astype(object)
    starts = np.zeros(x.size, dtype=np.bool_)
    starts[offsets[:-1]] = True
    kept = np.flatnonzero(starts | np.append(True, (x[1:] != x[:-1]) | (y[1:] != y[:-1])))
    is_end = starts[kept] | np.append(starts[kept[1:]], True)
    for _ in range(_MOST_PASSES):
        dx, dy = np.diff(x[kept]), np.diff(y[kept])
        is_corner = is_end.copy()
        is_corner[1:-1] |= (dx[:-1] * dy[1:] - dy[:-1] * dx[1:] < 0).astype(np.bool_)
        if is_corner.all():
            break
        kept, is_end = kept[is_corner], is_end[is_corner]
    pieces = np.split(kept, np.searchsorted(kept, offsets[1:-1]))
    if not is_corner.all():
        pieces = [own[_scan(x[own].tolist(), y[own].tolist())] for own in pieces]
    return [own - start for own, start in zip(pieces, offsets[:-1].tolist(), strict=True)]


def _scan(x: list[int], y: list[int]) -> list[int]:
    """Andrew's monotone chain, upper half."""
    chain: list[int] = []
    for k in range(len(x)):
        while len(chain) > 1:
            i, j = chain[-2], chain[-1]
            if (x[j] - x[i]) * (y[k] - y[j]) - (y[j] - y[i]) * (x[k] - x[j]) < 0:
                break
            chain.pop()
        chain.append(k)
    return chain


# The area of a part of a curve
# -----------------------------


def partial_area(along: Counts, across: Counts, low: float, high: float) -> float:
    """The area under the path between two values of the rate ``along / along[-1]``.

    ``across`` counts the other class, out of ``max(across)``. Whole segments are summed in integers; only the
    two cut ends are interpolated.
    """
    along, across = unit_scaled(along), unit_scaled(across)
    n_along, n_across = along[-1].item(), across.max().item()
    held = along / n_along
    # From the last vertex at `low` (or the first beyond it) to the first at `high` (or the last before it).
    first = int(np.searchsorted(held, low, side="right"))
    first -= bool(held[first - 1] == low)
    last = int(np.searchsorted(held, high, side="left"))
    last -= bool(held[last] != high)

    def height(at: float, segment: int) -> float:
        """The path's height between vertices ``segment - 1`` and ``segment``."""
        share = (at - held[segment - 1]) / (held[segment] - held[segment - 1])
        rise = across[segment] - across[segment - 1]
        return float((across[segment - 1] + share * rise) / n_across)

    if first > last:  # both ends within one segment
        return (high - low) * (height(low, first) + height(high, first)) / 2
    area = doubled_area(along[first : last + 1], across[first : last + 1]) / (2 * n_along * n_across)
    if held[first] > low:
        area += (held[first] - low) * (height(low, first) + across[first] / n_across) / 2
    if held[last] < high:
        area += (high - held[last]) * (across[last] / n_across + height(high, last + 1)) / 2
    return min(float(area), high - low)


# Reading a curve: rates at a threshold, and each rate at the other
# -----------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Rates(TableResult):
    """False and true positive rates at a threshold (arrays if an array was asked for).

    Attributes
    ----------
    threshold, fpr, tpr : float or float64 array
        The threshold asked for (an integer stays one where scores are integers beyond 2**53),
        and the share of negatives and of positives that it calls positive.
    rule : str
        ``">="``, ``">"``, ``"<="`` or ``"<"``: what calls a score positive.
    """

    threshold: Any
    fpr: Any
    tpr: Any
    rule: str

    _in_frame = "threshold, fpr, tpr"
    _line = "score {rule} {threshold:g}: fpr {fpr:.4f}, tpr {tpr:.4f}"
    _lines = "at {threshold:count threshold}, score {rule} threshold"


def vertex_at(
    thresholds: Floats,
    threshold: ArrayLike,
    rule: str | None,
    higher_is_positive: bool,
    exact: Counts | None = None,
) -> tuple[Indices, str]:
    """The vertex that each threshold leads to, and the rule in full; ``exact`` as in :class:`CountTable`."""
    rules = (">=", ">") if higher_is_positive else ("<=", "<")
    rule = rules[0] if rule is None else one_of("rule", rule, rules)
    at = threshold_numbers(threshold, "rates_at(0.5), or an infinite threshold").astype(np.float64)
    observed = thresholds[1:]  # the first means "beyond everything", which no score is
    rising = observed[::-1] if higher_is_positive else observed
    below, through = (np.asarray(np.searchsorted(rising, at, side=side)) for side in ("left", "right"))
    if exact is not None:
        whole = (exact[:0:-1] if higher_is_positive else exact[1:]).tolist()
        # Integers in a list stay integers beside floats.
        asked = np.asarray(threshold, dtype=None if hasattr(threshold, "dtype") else object)
        for place, number in np.ndenumerate(asked):
            if isinstance(number, int | np.integer):
                below[place] = bisect_left(whole, int(number))
                through[place] = bisect_right(whole, int(number))
    if (through - below > 1).any():
        raise alike_thresholds(at[through - below > 1].flat[0])
    if higher_is_positive:
        return observed.size - (below if rule == ">=" else through), rule
    return (through if rule == "<=" else below), rule


def thresholds_told(threshold: ArrayLike, exact: Counts | None) -> Any:
    """Thresholds as results have them: floats, but integers where floats would be other numbers."""
    at = real_numbers("threshold", threshold)
    if exact is not None and np.asarray(threshold).dtype.kind in "iu":
        return np.asarray(threshold) if at.ndim else int(threshold)  # type: ignore[arg-type]
    return scalar_or_array(at, threshold)


def alike_thresholds(threshold: float) -> RocsteadyError:
    """RS048: several scores, exact as integers, have this threshold."""
    return fail("RS048.alike", threshold=float(threshold))


def read_path(held: Floats, free: Floats, at: Floats, *, end: str) -> Floats:
    """The ``free`` coordinate where the path, along which ``held`` does not fall, has ``held == at``.

    Where it stays at one value of ``held``, ``end`` says whether its ``"first"`` or ``"last"`` point counts.
    """
    if end == "last":
        before = np.searchsorted(held, at, side="right") - 1
        vertex = before
    else:
        vertex = np.searchsorted(held, at, side="left")
        before = np.maximum(vertex - 1, 0)
    after = np.minimum(before + 1, held.size - 1)
    run = held[after] - held[before]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (at - held[before]) / run
    start, stop = free[before], free[after]
    between = start + share * (stop - start)
    # Rounding must not carry a reading past the ends of its own segment.
    between = np.clip(between, np.minimum(start, stop), np.maximum(start, stop))
    return np.where(held[vertex] == at, free[vertex], between)


def even_vertices(along: Floats, most: int) -> Indices:
    """Vertices evenly along a curve, both ends among them; all of them if these are no more."""
    if along.size <= most:
        return np.arange(along.size)
    chosen = np.searchsorted(along, np.linspace(0, along[-1], most)).clip(0, along.size - 1)
    return np.unique(np.append(chosen, [0, along.size - 1]))


class Path:
    """What has one point for each value of either rate: a curve from (0, 0) to (1, 1)."""

    if TYPE_CHECKING:

        @property
        def fpr(self) -> Floats:
            """False positive rates of the vertices."""

        @property
        def tpr(self) -> Floats:
            """True positive rates of the vertices."""

    def tpr_at(self, fpr: ArrayLike, side: str = "upper") -> Any:
        """The true positive rate at a false positive rate.

        Where the curve rises straight up, ``"upper"`` reads the top (the best that this FPR affords) and
        ``"lower"`` the bottom. ``tpr_at(0)`` is therefore the TPR without any false alarm, not 0.
        """
        end = {"upper": "last", "lower": "first"}[one_of("side", side, ("upper", "lower"))]
        return scalar_or_array(read_path(self.fpr, self.tpr, rates("fpr", fpr), end=end), fpr)

    def fpr_at(self, tpr: ArrayLike, side: str = "lower") -> Any:
        """The false positive rate at a true positive rate.

        Where the curve runs straight right, ``"lower"`` reads the left end (the best that this TPR can have)
        and ``"upper"`` the right end.
        """
        end = {"lower": "first", "upper": "last"}[one_of("side", side, ("lower", "upper"))]
        return scalar_or_array(read_path(self.tpr, self.fpr, rates("tpr", tpr), end=end), tpr)


def scalar_or_array(values: Floats, like: ArrayLike) -> Any:
    """A float if ``like`` is one number, else the array."""
    return values if np.ndim(like) else float(values)


# The equal error rate
# --------------------


@dataclass(frozen=True, eq=False, repr=False)
class EqualErrorRate(Result):
    """An equal error rate and how to reach it.

    Attributes
    ----------
    value : float
        The error rate.
    fpr, fnr : float
        The two error rates at the point used; equal for ``"polyline"``.
    strict_threshold, loose_threshold : float
        The neighbouring thresholds.
    attainable : bool
        Whether one threshold has these error rates; otherwise only a coin thrown between the two does.
    method : str
        ``"polyline"`` or ``"closest-vertex"``.
    """

    value: float
    fpr: float
    fnr: float
    strict_threshold: float
    loose_threshold: float
    attainable: bool
    method: str

    _line = (
        "{value:.4f}, threshold {attainable:{strict_threshold:g}|between {strict_threshold:g} and "
        "{loose_threshold:g}}, {method}"
    )


# The coordinates of the curve as SPSS prints them: cut-offs midway between neighbouring scores
# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Coordinates(TableResult):
    """SPSS's table "Coordinates of the Curve", lowest cut-off first.

    Attributes
    ----------
    cutoffs : float64 array
        Midpoints of neighbouring scores; the first is the lowest score - 1, the last the highest + 1. Where
        two neighbouring scores have no number between them, the observed score itself.
    sensitivity, one_minus_specificity : float64 array
        The rates at each cut-off.
    rule : str
        ``">="`` or ``"<="``: what calls a score positive. Midpoints are no scores: there it does not matter.
    """

    cutoffs: Floats
    sensitivity: Floats
    one_minus_specificity: Floats
    rule: str

    _line = "{cutoffs:count cut-off}, positive if score {rule} cut-off"


def spss_coordinates(thresholds: Floats, tpr: Floats, fpr: Floats, higher_is_positive: bool) -> Coordinates:
    """Put cut-offs between the scores of a curve; RS048 where two scores are one float."""
    alike = np.flatnonzero(thresholds[2:] == thresholds[1:-1])  # the first may equal an infinite score
    if alike.size:
        raise alike_thresholds(thresholds[1 + alike[0]])
    # One for each vertex, from falling scores: beyond the highest, between each two, below the lowest.
    scores = thresholds[1:] if higher_is_positive else -thresholds[1:]
    upper, lower = scores[:-1], scores[1:]
    with np.errstate(invalid="ignore"):  # inf - inf: no midpoint
        middle = upper / 2 + lower / 2
    middle = np.where((lower < middle) & (middle < upper), middle, upper)
    highest = scores[0] + 1 if scores[0] + 1 > scores[0] else np.inf
    cutoffs = np.concatenate([[highest], middle, [scores[-1] - 1]])
    if higher_is_positive:
        return Coordinates(cutoffs[::-1], tpr[::-1], fpr[::-1], ">=")
    return Coordinates(-cutoffs, tpr, fpr, "<=")


# Cost curves: the cost of the best threshold for every mixture of costs and prevalence
# -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class CostCurve(Drawn, TableResult, figure="cost_curve"):
    """The lower envelope of the cost lines of all thresholds.

    The *probability cost* PC is the share of the misclassification cost that the positives could cause,
    ``p * c_fn / (p * c_fn + (1 - p) * c_fp)``; at it, a threshold costs ``fnr * PC + fpr * (1 - PC)`` of the
    worst possible cost.

    Attributes
    ----------
    probability_cost : float64 array
        Ends of the straight pieces, from 0 to 1, where the best threshold changes.
    normalized_cost : float64 array
        The cost there, with the best threshold, as a share of the worst cost.
    thresholds, fpr, fnr : float64 array
        The best threshold on each piece and its error rates; one fewer than the ends.
    """

    probability_cost: Floats
    normalized_cost: Floats
    thresholds: Floats
    fpr: Floats
    fnr: Floats

    def at(self, probability_cost: ArrayLike) -> Any:
        """The normalised cost of the best threshold at a probability cost."""
        at = rates("probability_cost", probability_cost)
        piece = self._piece(at)
        return scalar_or_array(self.fnr[piece] * at + self.fpr[piece] * (1 - at), probability_cost)

    def threshold_at(self, probability_cost: ArrayLike) -> Any:
        """The best threshold at a probability cost; where two are equally good, the stricter."""
        at = rates("probability_cost", probability_cost)
        return scalar_or_array(self.thresholds[self._piece(at)], probability_cost)

    def expected_cost(self, *, false_positive: float, false_negative: float, prevalence: float) -> float:
        """The expected cost per case of the best threshold, in the units of the two costs.

        Examples
        --------
        >>> from rocsteady.curves.roc import RocCurve
        >>> curve = RocCurve.from_counts([3, 2, 1], [3, 4, 4], [0, 1, 4])
        >>> curve.cost_curve().expected_cost(false_positive=1, false_negative=20, prevalence=0.1)
        0.225
        """
        costs = real_numbers("costs", (false_positive, false_negative))
        if not ((costs >= 0) & (costs < np.inf)).all():
            raise fail("RS042.costs", false_positive=false_positive, false_negative=false_negative)
        share = one_rate("prevalence", prevalence)
        from_positives, from_negatives = share * false_negative, (1 - share) * false_positive
        if from_positives + from_negatives == 0:
            return 0.0
        piece = self._piece(np.asarray(from_positives / (from_positives + from_negatives)))
        return float(self.fnr[piece] * from_positives + self.fpr[piece] * from_negatives)

    def _piece(self, at: Floats) -> Indices:
        return np.maximum(np.searchsorted(self.probability_cost, at, side="left") - 1, 0)

    def _columns(self) -> dict[str, Any]:
        pieces = {
            "from_probability_cost": self.probability_cost[:-1],
            "to_probability_cost": self.probability_cost[1:],
        }
        return pieces | {"threshold": self.thresholds, "fpr": self.fpr, "fnr": self.fnr}

    def __repr__(self) -> str:
        highest = f"highest normalised cost {self.normalized_cost.max():.4f}"
        return f"CostCurve({counted(self.thresholds.size, 'piece')}, {highest})"


# The detection error trade-off (DET) curve: both error rates on normal-deviate axes
# ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class DetCurve(Drawn, TableResult, figure="det"):
    """A DET curve, strictest threshold first.

    Attributes
    ----------
    thresholds, fpr, fnr : float64 array
        The two error rates at every threshold (FMR and FNMR in biometrics).
    fpr_deviate, fnr_deviate : float64 array
        Their normal deviates, the coordinates on which binormal scores give a straight line; infinite where
        a rate is 0 or 1.

    References
    ----------
    Martin, Doddington, Kamm, Ordowski & Przybocki (1997), Eurospeech, 1895-1898.
    """

    thresholds: Floats
    fpr: Floats
    fnr: Floats
    fpr_deviate: Floats
    fnr_deviate: Floats

    @cached_property
    def equal_error_rate(self) -> float:
        """The error rate at the point of the curve where both are equal."""
        return float(read_path(self.fpr - self.fnr, self.fpr, np.array(0.0), end="last"))

    def fnr_at(self, fpr: ArrayLike) -> Any:
        """The false negative rate at a false positive rate; on a jump the smaller one."""
        return scalar_or_array(read_path(self.fpr, self.fnr, rates("fpr", fpr), end="last"), fpr)

    def fpr_at(self, fnr: ArrayLike) -> Any:
        """The false positive rate at a false negative rate; on a jump the smaller one."""
        return scalar_or_array(read_path(-self.fnr, self.fpr, -rates("fnr", fnr), end="first"), fnr)

    def __repr__(self) -> str:
        return f"DetCurve({counted(self.thresholds.size - 1, 'threshold')})"


# The precision-recall curve, from the same counts as the ROC curve
# -----------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecallCurve(Drawn, TableResult, figure="precision_recall"):
    """Precision and recall at every threshold, strictest first.

    Attributes
    ----------
    thresholds, precision, recall : float64 array
        Precision at the first threshold, beyond every score, is NaN: nothing is called positive there, and
        0 / 0 has no value. (scikit-learn writes 1 there, whatever the scores.)
    average_precision : float
        ``sum((recall[k] - recall[k - 1]) * precision[k])``; no interpolation, which would be optimistic.

    Notes
    -----
    Precision depends on how common positives are in these scores; the ROC curve does not.
    """

    thresholds: Floats
    precision: Floats
    recall: Floats
    average_precision: float

    def __repr__(self) -> str:
        n = counted(self.thresholds.size - 1, "threshold")
        return f"PrecisionRecallCurve({n}, average precision {self.average_precision:.3f})"


# What is certain where rows were counted in cells: the lowest and the highest curve that counts allow
# ----------------------------------------------------------------------------------------------------

_BEYOND = {">=": np.greater_equal, ">": np.greater, "<=": np.less_equal, "<": np.less}


@dataclass(frozen=True, repr=False)
class Bounds(TableResult):
    """Between which values something certainly lies; this is no confidence interval.

    Attributes
    ----------
    low, high : float or array
        Both included.
    """

    low: Any
    high: Any

    _line = "{low:.6g} to {high:.6g}"
    _lines = "at {low:count place}"
    # Columns called low and high are shown as confidence intervals.
    _in_frame = "at_least=low, at_most=high"

    @property
    def half_width(self) -> Any:
        """Half of the distance."""
        return (self.high - self.low) / 2


def bounds_of_rate(low: Any, high: Any, rounding: Any = 0.0) -> Bounds:
    """Bounds of a rate or an area, moved outwards by what was rounded."""
    ends = np.maximum(np.asarray(low) - rounding, 0.0), np.minimum(np.asarray(high) + rounding, 1.0)
    return Bounds(*(end if end.ndim else float(end) for end in ends))


@dataclass(frozen=True, eq=False, repr=False)
class CurveBounds:
    """What the counts of one curve, or of the curves of a set, leave open.

    Attributes
    ----------
    lower, upper : RocCurve or CurveSet
        The lowest and the highest that the counts allow.
    rounding : float or array
        What sums of weights may have lost, as a share of a class; 0 without weights.
    """

    lower: Any
    upper: Any
    rounding: Any
    _cells: CellTable

    def of_curve(self, i: int) -> CurveBounds:
        """Those of one curve of a set."""
        cells = self._cells.keep([i])
        return CurveBounds(self.lower[i], self.upper[i], float(self.rounding[i]), cells)

    def rates_at(self, threshold: ArrayLike, rule: str | None) -> tuple[Bounds, Bounds]:
        """FPR and TPR of one curve at thresholds, as far as cells tell."""
        at, cells = real_numbers("threshold", threshold), self._cells
        _, rule = vertex_at(np.array([np.inf]), at, rule, self.lower.higher_is_positive)
        certain, possible = cells.lowest, cells.highest
        if rule in ("<=", "<"):
            certain, possible = possible, certain
        found = []
        for counts in (cells.negatives, cells.positives):
            whole = counts.sum()
            ends = [
                np.array([counts[_BEYOND[rule](end, one)].sum() / whole for one in at.ravel()])
                for end in (certain, possible)
            ]
            found.append(Bounds(*(scalar_or_array(end.reshape(at.shape), threshold) for end in ends)))
        return found[0], found[1]


class Bounded:
    """What a curve, a set of curves and an average say of their bounds; exact ones are their own.

    ``bounds`` is None where counts are exact.
    """

    bounds: Any

    @property
    def lower(self) -> Any:
        """The lowest that the counts allow."""
        return self if self.bounds is None else self.bounds.lower

    @property
    def upper(self) -> Any:
        """The highest that the counts allow."""
        return self if self.bounds is None else self.bounds.upper

    @property
    def auc_bounds(self) -> Bounds:
        """Between which values the area certainly lies."""
        rounding = 0.0 if self.bounds is None else self.bounds.rounding
        return bounds_of_rate(self.lower.auc, self.upper.auc, rounding)

    @property
    def is_exact(self) -> bool:
        """Whether it is known exactly; at which thresholds, may be open all the same."""
        bounds = self.auc_bounds
        return bool(np.all(bounds.low == bounds.high))


# Counts from elsewhere, checked to form a curve
# ----------------------------------------------


def checked_counts(
    thresholds: ArrayLike, true_positives: ArrayLike, false_positives: ArrayLike, higher_is_positive: bool
) -> tuple[Floats, Counts, Counts]:
    """Own copies of the three columns, led by an infinite threshold; RS043 if they do not form a curve."""
    try:
        u = real_numbers("thresholds", thresholds)
    except RocsteadyError as error:
        raise fail("RS043.thresholds", found=error.found) from None
    tp, fp = _numbers(true_positives), _numbers(false_positives)
    if u.ndim != 1 or u.size == 0 or not u.shape == tp.shape == fp.shape:
        raise fail("RS043.shapes", shapes=f"{u.shape}, {tp.shape}, {fp.shape}")
    kind = np.result_type(tp, fp)
    beyond_all = np.inf if higher_is_positive else -np.inf
    led = u[0] == beyond_all and tp[0] == fp[0] == 0
    lead = np.zeros(0 if led else 1, dtype=kind)
    u, tp, fp = np.append(lead + beyond_all, u), np.append(lead, tp), np.append(lead, fp)
    if u.size == 1:
        raise fail("RS043.alone")
    ahead = u if higher_is_positive else -u
    stricter = ahead[1:] < ahead[:-1]
    stricter[0] = ahead[1] <= ahead[0]  # an infinite score is legal; only the leading threshold may equal it
    if not stricter.all():
        raise fail("RS043.falling" if higher_is_positive else "RS043.rising", **_first_fault(stricter, u))
    if (np.diff(tp) < 0).any():
        raise fail("RS043.true-positives", **_first_fault(np.diff(tp) >= 0, tp))
    if (np.diff(fp) < 0).any():
        raise fail("RS043.false-positives", **_first_fault(np.diff(fp) >= 0, fp))
    return u, tp.astype(kind), fp.astype(kind)


def _numbers(counts: ArrayLike) -> Counts:
    try:
        array = np.array(counts)
    except ValueError:  # rows of different lengths
        raise fail("RS043.flat", found=counts) from None
    # A list of such integers may come back as floats, rounded: ask the list itself.
    values = counts if isinstance(counts, list | tuple) else array.ravel().tolist()
    if array.dtype.kind != "i" and any(isinstance(n, int) and n >= 2**63 for n in values):
        raise fail("RS043.large", largest=array.max())
    if array.dtype.kind in "iu":
        return array.astype(np.int64)
    if array.dtype.kind == "f" and np.isfinite(array).all():
        return array.astype(np.float64)
    raise fail("RS043.kind", found=array.tolist())


def _first_fault(in_order: Mask, values: Counts) -> dict[str, Any]:
    k = int(np.argmin(in_order))
    return {"first": values[k].item(), "then": values[k + 1].item()}
