"""What a cut-off is chosen on, the vertices of a curve or an average, and the choice made again in resamples.

Cases are drawn within their class, as many as there are, so neither class dies out. Rows of one patient are
not independent: where patients are known and have several rows, patients are drawn whole. So are the groups
of an average.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import lcm
from operator import mul
from typing import Any

import numpy as np

from rocsteady.arrays import Array, Counts, Floats, Indices, Integers
from rocsteady.averaging.base import Average
from rocsteady.averaging.shared import (
    SharedThresholdAverage,
    rates_of_groups,
    vertices_of_groups,
)
from rocsteady.counting.table import CountTable
from rocsteady.curves.from_scores import described, roc_curve
from rocsteady.curves.readings import exact_integers
from rocsteady.curves.roc import RocCurve
from rocsteady.curves.uncertainty import ranked_rows
from rocsteady.errors import fail
from rocsteady.points.criteria import Criterion, ExactRates, strictest_optima
from rocsteady.results import Result
from rocsteady.scores.scores import Scores
from rocsteady.statistics.resampling import drawn_counts, drawn_means

Curve = RocCurve | SharedThresholdAverage
Resamples = Iterable[tuple[Counts, Counts]]
"""True and false positives (or rates) at some vertices, one resample per row, in blocks."""

_BLOCK = 2**22  # cells held at once; bounds the memory and does not change the answer
_MOST_VERTICES, _FEWEST_VERTICES = 4000, 500
"""Vertices that are looked at where what choosing adds is wanted: with so many it is next to nothing."""
_MOST_RATES = 10_000_000  # of all groups at all thresholds, in each class: 80 MB
_PLACES = 12  # of the rates of resampled groups: sums in another order, on another machine, are the same


# The vertices
# ------------


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
    true_positives: Counts
    false_positives: Counts
    higher_is_positive: bool
    exact_rates: ExactRates | None
    is_hull: bool
    _totals: Callable[[], tuple[Fraction, Fraction]]

    @property
    def prevalence(self) -> Fraction:
        """Share of positives among all rows, or of their weight; exact, which takes time for weights."""
        positives, negatives = self._totals()
        return positives / (positives + negatives)


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
    rows: Any = curve._rows
    has_weights = rows is not None and rows.sample_weight is not None

    def totals() -> tuple[Fraction, Fraction]:
        if not has_weights:
            return Fraction(curve.n_positives), Fraction(curve.n_negatives)
        weights = exact_integers(rows.sample_weight)
        return Fraction(weights[rows.is_positive].sum()), Fraction(weights[~rows.is_positive].sum())

    def exact_rates(vertices: Indices) -> tuple[Sequence[Fraction], Sequence[Fraction]]:
        ranks, weights = ranked_rows(rows)
        of_tpr, of_fpr = (_exact_shares(r, w, vertices) for r, w in zip(ranks, weights, strict=True))
        return of_tpr, of_fpr

    return Vertices(
        curve.thresholds, curve.fpr, curve.tpr, curve.true_positives, curve.false_positives,
        higher_is_positive=curve.higher_is_positive,
        exact_rates=exact_rates if curve.is_weighted and rows is not None else None,
        is_hull=curve._is_hull,
        _totals=totals,
    )  # fmt: skip


def _exact_shares(ranks: Integers, weights: Floats, vertices: Indices) -> list[Fraction]:
    """The share of the weight that lies at or beyond some vertices, which rise."""
    added = [0] * (vertices.size + 1)
    first = np.searchsorted(vertices, ranks + 1, side="left")  # the first of the vertices that counts a row
    for place, weight in zip(first.tolist(), exact_integers(weights).tolist(), strict=True):
        added[place] += weight
    *counts, total = accumulate(added)
    return [Fraction(count, total) for count in counts]


def group_table(average: SharedThresholdAverage) -> CountTable:
    """The counts of every group behind an average, groups of one class among them if they count."""
    return average._groups.table


def _of_average(average: SharedThresholdAverage) -> Vertices:
    table = group_table(average)

    def totals() -> tuple[Fraction, Fraction]:
        positives, negatives = (
            Fraction(int(counts.sum())) if counts.dtype.kind in "iu" else sum(map(Fraction, counts.tolist()))
            for counts in (table.n_positives, table.n_negatives)
        )
        return Fraction(positives), Fraction(negatives)

    def exact_rates(vertices: Indices) -> tuple[Sequence[Fraction], Sequence[Fraction]]:
        own = vertices_of_groups(table, average.thresholds[vertices], None)
        own[:, vertices == 0] = 0  # the first is beyond everything, also beyond inf
        rows = table.offsets[:-1, None] + own
        of_negatives, of_positives = average._given_weights
        return (
            _exact_means(table.true_positives[rows], table.n_positives, of_positives),
            _exact_means(table.false_positives[rows], table.n_negatives, of_negatives),
        )

    return Vertices(
        average.thresholds, average.fpr, average.tpr, average.tpr, average.fpr,
        higher_is_positive=table.higher_is_positive,
        exact_rates=exact_rates,
        is_hull=False,
        _totals=totals,
    )  # fmt: skip


def _exact_means(counts: Counts, totals: Counts, weights: Floats) -> list[Fraction]:
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


# A vertex that was chosen
# ------------------------


@dataclass(frozen=True, eq=False, repr=False)
class OfCriterion(Result):
    """A threshold that a criterion chose: what its results have in common."""

    threshold: float
    fpr: float
    tpr: float
    value: float
    rule: str
    criterion: Criterion

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry (infinities as strings, NaN as None)."""
        return super().to_dict() | {"criterion": str(self.criterion)}


@dataclass(frozen=True, eq=False, repr=False)
class Chosen(OfCriterion):
    """A vertex that was chosen on a curve or an average."""

    index: int
    _curve: Curve
    _drawn: dict[Any, Any] = field(default_factory=dict, kw_only=True)
    """What was chosen in resamples, by their number and seed."""


@dataclass(frozen=True, eq=False)
class Patients:
    """Whose rows are behind a curve: the number of every row's patient, how many, and their word."""

    codes: Integers
    n: int
    unit: str


def patients_of(curve: RocCurve) -> Patients | None:
    """The patients behind a curve; None where they are not known, or have one row each."""
    known = None if curve._rows is None else curve._rows._clusters
    if known is None:
        return None
    present, codes = np.unique(known.codes, return_inverse=True)
    if present.size == codes.size:
        return None
    return Patients(codes.reshape(-1), present.size, known.unit)


def class_sizes(curve: RocCurve) -> tuple[int, int]:
    """Cases among the positives and among the negatives; a weighted row is one case."""
    if curve._rows is None:
        return int(curve.n_positives), int(curve.n_negatives)
    is_positive = curve._rows.is_positive
    return int(is_positive.sum()), int((~is_positive).sum())


# The choice in resamples
# -----------------------


def redrawn(cutoffs: Sequence[Chosen], n_resamples: int, seed: int) -> list[Floats]:
    """Cut-offs of one curve or average in every resample, as :func:`chosen_again` has them.

    They are kept, since tables and rates ask for the same. Averaging resampled groups takes most of the time,
    and serves all cut-offs.
    """
    key = n_resamples, seed
    missing = [cutoff for cutoff in cutoffs if key not in cutoff._drawn]
    curve = cutoffs[0]._curve
    if isinstance(curve, RocCurve):
        patients = patients_of(curve)
        for cutoff in missing:
            at = _some_vertices(curve, [cutoff.index], _MOST_VERTICES)
            if patients is None:
                resamples = drawn_cases(curve, at, n_resamples, seed)
            else:
                resamples = _drawn_patients(curve, patients, at, n_resamples, seed)
            cutoff._drawn[key] = chosen_again([cutoff], at, resamples)[0]
    elif missing:
        most = np.clip(_MOST_RATES // len(group_table(curve)), _FEWEST_VERTICES, _MOST_VERTICES)
        at = _some_vertices(curve, [cutoff.index for cutoff in missing], int(most))
        resamples = _drawn_groups(curve, at, n_resamples, seed)
        for cutoff, rows in zip(missing, chosen_again(missing, at, resamples), strict=True):
            cutoff._drawn[key] = rows
    return [cutoff._drawn[key] for cutoff in cutoffs]


def chosen_again(cutoffs: Sequence[Chosen], vertices: Indices, resamples: Resamples) -> list[Floats]:
    """Every cut-off, chosen again in every resample among some vertices, the first and the last among them.

    The columns are its threshold, its FPR and TPR in the resample, both in all rows, and the FPR and TPR that
    the cut-off at hand has in the resample.
    """
    curve, found = cutoffs[0]._curve, []
    for tp, fp in resamples:
        row, blocks = np.arange(tp.shape[0]), []
        for cutoff in cutoffs:
            best = strictest_optima(cutoff.criterion, tp, fp)
            kept, own = int(np.searchsorted(vertices, cutoff.index)), vertices[best]
            here = [counts[row, at] / counts[:, -1] for at in (best, kept) for counts in (fp, tp)]
            everywhere = curve.fpr[own], curve.tpr[own]
            blocks.append(np.stack([curve.thresholds[own], *here[:2], *everywhere, *here[2:]], axis=1))
        found.append(np.stack(blocks))
    return list(np.concatenate(found, axis=1))


def _some_vertices(curve: Curve, chosen: list[int], most: int) -> Indices:
    """All vertices, or some that lie evenly along a curve, and the chosen ones."""
    along = curve.fpr + curve.tpr
    if along.size <= most:
        return np.arange(along.size)
    evenly = np.searchsorted(along, np.linspace(0, 2, most)).clip(0, along.size - 1)
    return np.unique(np.concatenate([[0, *chosen, along.size - 1], evenly]))


def _blocks(n_resamples: int, n_cells: int) -> Iterator[int]:
    """How many resamples are made at once."""
    size = max(1, _BLOCK // n_cells)
    yield from (min(size, n_resamples - start) for start in range(0, n_resamples, size))


def drawn_cases(curve: RocCurve, vertices: Indices, n_resamples: int, seed: int) -> Resamples:
    """Resamples of the cases of either class; a weighted row is drawn together with its weight."""
    streams = [np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(2)]
    if not curve.is_weighted:
        steps = [np.diff(counts[vertices]) for counts in (curve.true_positives, curve.false_positives)]
        for n in _blocks(n_resamples, vertices.size - 1):
            tp, fp = (_drawn_counts(stream, own, n) for stream, own in zip(streams, steps, strict=True))
            yield tp, fp
        return
    ranks, weights = ranked_rows(curve._rows)
    cells = [np.searchsorted(vertices, own + 1) for own in ranks]
    for n in _blocks(n_resamples, max(vertices.size - 1, *class_sizes(curve))):
        positives, negatives = (
            _drawn_weights(stream, own, of_rows / of_rows.max(), n, vertices.size)
            for stream, own, of_rows in zip(streams, cells, weights, strict=True)
        )
        yield positives, negatives


def _drawn_counts(stream: np.random.Generator, steps: Integers, n_resamples: int) -> Integers:
    """Cases at or beyond every vertex, one resample per row; how many cases there are does not matter."""
    taken, total = np.flatnonzero(steps), int(steps.sum())
    drawn = np.zeros((n_resamples, steps.size + 1), dtype=np.int64)
    drawn[:, 1 + taken] = stream.multinomial(total, steps[taken] / total, size=n_resamples)
    return np.cumsum(drawn, axis=1)


def _drawn_weights(
    stream: np.random.Generator, cells: Integers, shares: Floats, n_resamples: int, n_vertices: int
) -> Floats:
    """Weight at or beyond every vertex."""
    drawn = stream.integers(cells.size, size=(n_resamples, cells.size))
    places = cells[drawn] + n_vertices * np.arange(n_resamples)[:, None]
    summed = np.bincount(places.ravel(), shares[drawn].ravel(), minlength=n_resamples * n_vertices)
    return np.cumsum(summed.reshape(n_resamples, n_vertices), axis=1)


def _drawn_patients(
    curve: RocCurve, patients: Patients, vertices: Indices, n_resamples: int, seed: int
) -> Resamples:
    """Resamples of whole patients; one without one of the classes is left out."""
    rows: Any = curve._rows
    ranks = np.unique(rows.scores, return_inverse=True)[1].reshape(-1)
    if rows.higher_is_positive:
        ranks = ranks.max() - ranks
    cells = np.searchsorted(vertices, ranks + 1)
    weights = np.ones(ranks.size) if rows.sample_weight is None else rows.sample_weight
    # One row of cells for every patient and class, so that a resample is a product of matrices.
    shape = (2 * patients.n, vertices.size)
    flat = np.ravel_multi_index((patients.codes + patients.n * ~rows.is_positive, cells), shape)
    steps = np.bincount(flat, weights / weights.max(), minlength=shape[0] * shape[1]).reshape(shape)
    reached = np.cumsum(steps, axis=1)
    stream = np.random.default_rng(seed)
    for n in _blocks(n_resamples, max(vertices.size, patients.n)):
        drawn = stream.integers(patients.n, size=(n, patients.n)) + patients.n * np.arange(n)[:, None]
        often = np.bincount(drawn.ravel(), minlength=n * patients.n).reshape(n, patients.n).astype(float)
        tp, fp = often @ reached[: patients.n], often @ reached[patients.n :]
        has_both = (tp[:, -1] > 0) & (fp[:, -1] > 0)
        yield tp[has_both], fp[has_both]


def _drawn_groups(
    average: SharedThresholdAverage, vertices: Indices, n_resamples: int, seed: int
) -> Resamples:
    """Mean rates of resampled groups; a resample without one of the classes is left out."""
    table = group_table(average)
    fpr, tpr = rates_of_groups(table, average.thresholds[vertices], None)
    fpr[:, 0] = tpr[:, 0] = 0.0  # beyond everything, also beyond a score that is itself infinite
    fpr_weights, tpr_weights = average._axis_weights
    per_block = max(1, _BLOCK // vertices.size)
    for counts in drawn_counts(len(table), n_resamples, seed):
        for start in range(0, counts.shape[0], per_block):
            drawn = counts[start : start + per_block]
            means: list[Array] = [drawn_means(tpr, tpr_weights, drawn), drawn_means(fpr, fpr_weights, drawn)]
            usable = np.isfinite(means[0][:, 0]) & np.isfinite(means[1][:, 0])
            tp, fp = (np.clip(np.round(rate[usable], _PLACES), 0.0, 1.0) for rate in means)
            yield tp, fp
