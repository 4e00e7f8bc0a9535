"""What a cut-off is chosen on: the vertices of a curve, or of an average whose groups share a threshold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import Average
from rocsteady.averaging.shared import PooledAverage, SharedThresholdAverage, vertices_of_groups
from rocsteady.counting.table import CountTable
from rocsteady.curves.from_scores import described, roc_curve
from rocsteady.curves.readings import exact_integers
from rocsteady.curves.roc import RocCurve
from rocsteady.curves.uncertainty import ranked_rows
from rocsteady.errors import fail
from rocsteady.operating_points.cutoffs.criteria import ExactRates
from rocsteady.scores.scores import Scores

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Vertices:
    """The vertices of a path, strictest first.

    Attributes
    ----------
    thresholds, fpr, tpr : float64 array
        As the curve or the average gives them.
    true_positives, false_positives : array
        What losses are computed from: counts, sums of weights, or the rates of an average.
    higher_is_positive : bool
        Whether high scores are called positive.
    exact_rates : callable or None
        Exact rates of some vertices, where the numbers above are rounded sums.
    is_hull : bool
        Whether vertices are missing in between.
    """

    thresholds: Floats
    fpr: Floats
    tpr: Floats
    true_positives: NDArray[Any]
    false_positives: NDArray[Any]
    higher_is_positive: bool
    exact_rates: ExactRates | None
    is_hull: bool
    _totals: Callable[[], tuple[Fraction, Fraction]]

    @property
    def prevalence(self) -> Fraction:
        """Share of positives among all rows, or of their weight; exact, which takes time for weights."""
        positives, negatives = self._totals()
        return positives / (positives + negatives)

    def alike(self, vertex: int) -> tuple[int, int]:
        """The first and the last of the vertices with the same rates: steps of counts may be empty."""
        tp, fp = self.true_positives, self.false_positives
        same = np.flatnonzero((tp == tp[vertex]) & (fp == fp[vertex]))
        return int(same[0]), int(same[-1])


def curve_of(given: Any) -> Any:
    """The curve of scores, if they came instead of it."""
    return roc_curve(given) if isinstance(given, Scores) else given


def vertices_of(curve: object) -> Vertices:
    """The vertices of a curve, or of an average that has thresholds; RS071 or RS002 for anything else."""
    if isinstance(curve, RocCurve):
        return _of_curve(curve)
    if isinstance(curve, SharedThresholdAverage):
        return _of_average(curve)
    if isinstance(curve, Average):
        raise fail("RS071.no-cutoff", method=curve.method.label, unit=curve.unit)
    ways = [
        "choose_cutoff(roc_curve(labels, scores), 'youden')",
        "choose_cutoff(average(score_set, 'threshold'), 'youden')",
    ]
    kind = "a RocCurve, or a threshold or pooled average"
    raise fail("RS002.kind", name="curve", kind=kind, found=described(curve), ways=ways)


def _of_curve(curve: RocCurve) -> Vertices:
    def totals() -> tuple[Fraction, Fraction]:
        if curve._rows is None or curve._rows.sample_weight is None:
            return Fraction(curve.n_positives), Fraction(curve.n_negatives)
        weights, is_positive = exact_integers(curve._rows.sample_weight), curve._rows.is_positive
        return Fraction(weights[is_positive].sum()), Fraction(weights[~is_positive].sum())

    return Vertices(
        thresholds=curve.thresholds,
        fpr=curve.fpr,
        tpr=curve.tpr,
        true_positives=curve.true_positives,
        false_positives=curve.false_positives,
        higher_is_positive=curve.higher_is_positive,
        exact_rates=_exact_from_rows(curve),
        is_hull=curve._is_hull,
        _totals=totals,
    )


def _exact_from_rows(curve: RocCurve) -> ExactRates | None:
    """Sums of weights without rounding, from the rows behind a weighted curve if they are known."""
    if not curve.is_weighted or curve._rows is None:
        return None

    def rates(vertices: Indices) -> tuple[Sequence[Fraction], Sequence[Fraction]]:
        ranks, weights = ranked_rows(curve._rows)
        of_tpr, of_fpr = (_exact_shares(r, w, vertices) for r, w in zip(ranks, weights, strict=True))
        return of_tpr, of_fpr

    return rates


def _exact_shares(ranks: NDArray[np.int64], weights: Floats, vertices: Indices) -> list[Fraction]:
    """The share of the weight that lies at or beyond some vertices, which rise."""
    added = [0] * (vertices.size + 1)
    first = np.searchsorted(vertices, ranks + 1, side="left")  # the first of the vertices that counts a row
    for place, weight in zip(first.tolist(), exact_integers(weights).tolist(), strict=True):
        added[place] += weight
    *counts, total = accumulate(added)
    return [Fraction(count, total) for count in counts]


def _of_average(average: SharedThresholdAverage) -> Vertices:
    table = group_table(average)

    def totals() -> tuple[Fraction, Fraction]:
        positives, negatives = (
            Fraction(int(counts.sum())) if counts.dtype.kind in "iu" else sum(map(Fraction, counts.tolist()))
            for counts in (table.n_positives, table.n_negatives)
        )
        return Fraction(positives), Fraction(negatives)

    return Vertices(
        thresholds=average.thresholds,
        fpr=average.fpr,
        tpr=average.tpr,
        true_positives=average.tpr,
        false_positives=average.fpr,
        higher_is_positive=table.higher_is_positive,
        exact_rates=_exact_from_groups(average, table),
        is_hull=False,
        _totals=totals,
    )


def group_table(average: SharedThresholdAverage) -> CountTable:
    """The counts of every group behind an average, groups of one class among them if they count."""
    return average._rates.table if isinstance(average, PooledAverage) else average._groups.table


def _exact_from_groups(average: SharedThresholdAverage, table: CountTable) -> ExactRates:
    """Weighted means of the groups' rates without rounding."""

    def rates(vertices: Indices) -> tuple[Sequence[Fraction], Sequence[Fraction]]:
        own = vertices_of_groups(table, average.thresholds[vertices], None)
        own[:, vertices == 0] = 0  # the first is beyond everything, also beyond inf
        rows = table.offsets[:-1, None] + own
        of_negatives, of_positives = average._given_weights
        return (
            _exact_means(table.true_positives[rows], table.n_positives, of_positives),
            _exact_means(table.false_positives[rows], table.n_negatives, of_negatives),
        )

    return rates


def _exact_means(counts: NDArray[Any], totals: NDArray[Any], weights: Floats) -> list[Fraction]:
    """``sum(w * count / total) / sum(w)`` at every vertex, over one common denominator."""
    as_fractions = {weight: Fraction(weight) for weight in set(weights.tolist())}
    exact, sizes = [as_fractions[weight] for weight in weights.tolist()], totals.tolist()
    columns: list[list[Any]]
    if counts.dtype.kind in "iu":  # groups of one size and weight share a factor, so their counts add up
        # Equal weights are one object; the hash of a fraction takes long.
        kinds: dict[tuple[int, Any], int] = {}
        known = zip(map(id, exact), sizes, strict=True)
        of_group = np.array([kinds.setdefault(pair, len(kinds)) for pair in known])
        summed = np.zeros((len(kinds), counts.shape[1]), dtype=np.int64)
        np.add.at(summed, of_group, counts)
        first = np.unique(of_group, return_index=True)[1].tolist()
        pairs, columns = [(exact[i], sizes[i]) for i in first], summed.T.tolist()
    else:
        pairs = list(zip(exact, sizes, strict=True))
        columns = [[Fraction(count) for count in column] for column in counts.T.tolist()]
    shares = [weight / Fraction(total) if weight else Fraction(0) for weight, total in pairs]
    denominator = lcm(*(share.denominator for share in shares))
    factors = [share.numerator * (denominator // share.denominator) for share in shares]
    alike = Counter(map(id, exact))
    by_id = dict(zip(map(id, exact), exact, strict=True))
    whole = denominator * sum((by_id[key] * n for key, n in alike.items()), Fraction(0))
    return [Fraction(sum(map(mul, factors, column))) / whole for column in columns]
