"""Many groups under one threshold: their curves merged, and the rates of each at any threshold."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady import _kernels
from rocsteady._kernels.long_sums import Long, shares_of_cases
from rocsteady.averaging.given import Members
from rocsteady.counting.places import places_in_groups
from rocsteady.counting.results import read_only
from rocsteady.counting.table import CountTable, warn_without_kernels
from rocsteady.curves.reading import alike_thresholds, vertex_at
from rocsteady.errors import DataError

Floats = NDArray[np.float64]
Merged = tuple[Floats, Floats, Floats]  # thresholds, tpr, fpr


@dataclass(frozen=True, eq=False)
class Rates:
    """Rates of every group at some thresholds, ``(n_groups, n)``; 0 where a class is missing."""

    fpr: Floats
    tpr: Floats


@dataclass(frozen=True, eq=False)
class PooledRows:
    """All groups that have rows, and what each counts among the negatives and the positives."""

    table: CountTable
    of_negatives: Floats
    of_positives: Floats

    @cached_property
    def fpr_weights(self) -> Floats:
        """Shares in the negatives."""
        return np.asarray(self.of_negatives / self.of_negatives.sum())

    @cached_property
    def tpr_weights(self) -> Floats:
        """Shares in the positives."""
        return np.asarray(self.of_positives / self.of_positives.sum())


def rates_of_groups(table: CountTable, thresholds: ArrayLike, rule: str | None) -> Rates:
    """The rates of every group at thresholds."""
    kind = np.float64 if table.exact is None else np.object_
    at = np.ravel(np.asarray(thresholds, dtype=kind))
    vertex = vertices_of_groups(table, at, rule)
    vertex += table.offsets[:-1, None]
    found = []
    for counts in (table.false_positives, table.true_positives):
        total = counts[table.offsets[1:] - 1]
        # Few vertices, each looked at by many thresholds: every rate is divided once.
        rates = counts / np.repeat(np.where(total > 0, total, 1), np.diff(table.offsets))
        found.append(rates.take(vertex))
    return Rates(*found)


def vertices_of_groups(table: CountTable, at: NDArray[Any], rule: str | None) -> NDArray[np.intp]:
    """The vertex of every group that each threshold leads to, as :func:`vertex_at` finds it for one."""
    if table.exact is not None:
        blocks = [slice(*ends) for ends in itertools.pairwise(table.offsets.tolist())]
        high = table.higher_is_positive
        own = [vertex_at(table.thresholds[rows], at, rule, high, table.exact[rows])[0] for rows in blocks]
        return np.stack(own)
    _, rule = vertex_at(np.array([np.inf]), at, rule, table.higher_is_positive)  # refuses what is no number
    is_observed = np.ones(table.thresholds.size, dtype=np.bool_)
    is_observed[table.offsets[:-1]] = False  # the first means "beyond everything", which no score is
    observed = table.thresholds[is_observed]
    offsets = table.offsets - np.arange(table.offsets.size)
    _refuse_alike(observed, offsets, at)
    side = "left" if rule in (">=", "<") else "right"
    below = places_in_groups(observed, offsets, at, side=side)
    return np.diff(offsets)[:, None] - below if table.higher_is_positive else below


def _refuse_alike(observed: Floats, offsets: NDArray[np.int64], at: Floats) -> None:
    """RS048 if a threshold stands for several scores of a group: integers too large for a float."""
    is_same = observed[1:] == observed[:-1]
    starts = offsets[1:-1]
    is_same[starts[(starts > 0) & (starts < observed.size)] - 1] = False
    alike = np.intersect1d(observed[1:][is_same], at) if is_same.any() else observed[:0]
    if alike.size:
        raise alike_thresholds(alike[0])


def merge(groups: Members, weights: Floats) -> Merged:
    """The weighted mean of the groups' rates at every threshold."""
    scores = groups.score_set
    if scores is None or scores.columns.weights is not None:
        return _merged_table(groups.table, weights, weights)
    # With all groups in it this is one pass over the scores.
    if groups.chosen.size < len(scores):
        scores = only_members(scores, groups.chosen)
    return _shared(scores, weights, weights, groups.threads)


def pool(groups: Members, *, balanced: bool) -> tuple[Merged, PooledRows]:
    """The curve of all rows together, and what every group counts in it."""
    scores = groups.score_set
    table = groups.table
    sizes = [table.n_negatives.astype(np.float64), table.n_positives.astype(np.float64)]
    if balanced:
        sizes = [(size > 0).astype(np.float64) for size in sizes]
    rows = PooledRows(table, *sizes)
    if scores is None or scores.columns.weights is not None:
        return _merged_table(table, sizes[1], sizes[0]), rows
    if balanced:
        return _shared(scores, sizes[1], sizes[0], groups.threads), rows
    c = scores.columns
    whole = np.array([0, c.n_rows], dtype=np.int64)
    thresholds, tp, fp, _ = _kernels.kernels.count_curves(
        c.scores, c.labels, whole, c.positive, c.negative, None, c.higher_is_positive,
        _kernels.thread_count(groups.threads),
    )  # fmt: skip
    return _frozen(thresholds, tp / tp[-1], fp / fp[-1]), rows


def _shared(scores: Any, of_positives: Floats, of_negatives: Floats, threads: int | None) -> Merged:
    """From rows, and what every group counts in either class."""
    warn_without_kernels()
    c = scores.columns
    merged = _kernels.kernels.share_curve(
        c.scores, c.labels, c.offsets, c.positive, c.negative,
        np.array(_shares(of_positives, scores.n_positives)),
        np.array(_shares(of_negatives, scores.n_negatives)),
        c.higher_is_positive, _kernels.thread_count(threads),
    )  # fmt: skip
    return _frozen(*merged)


def _shares(weights: Floats, n_cases: NDArray[Any]) -> Long:
    """What a case of every group counts; nothing where there is none."""
    has_cases = n_cases > 0
    return shares_of_cases(np.where(has_cases, weights, 0.0), np.where(has_cases, n_cases, 1))


def only_members(scores: Any, members: NDArray[np.intp]) -> Any:
    """The scores of some members, one after the other."""
    c = scores.columns
    sizes = np.diff(c.offsets)
    chosen = np.zeros(sizes.size, dtype=np.bool_)
    chosen[members] = True
    rows = np.repeat(chosen, sizes)
    offsets = np.concatenate([[0], np.cumsum(sizes[chosen])]).astype(np.int64)
    weights = None if c.weights is None else c.weights[rows]
    columns = replace(c, scores=c.scores[rows], labels=c.labels[rows], offsets=offsets, weights=weights)
    left = scores.group_index[members]
    return replace(scores, columns=columns, cases=None, clusters=None, group_index=left)


def _merged_table(table: CountTable, of_positives: Floats, of_negatives: Floats) -> Merged:
    """From counts, and what every group counts in either class.

    Every vertex is a row for each class it adds cases of, weighted by how many. The weight stands there in
    two parts, the second being what the first has rounded away, and the kernel adds up without any error. So
    a rate is rounded once.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # refused below
        shares = _shares(of_positives, table.n_positives), _shares(of_negatives, table.n_negatives)
    if not all(np.isfinite(own.value).all() for own in shares):
        raise DataError(
            "RS037",
            "the counts of a curve are too small to be divided by.",
            f"found: {min(table.n_positives.min(), table.n_negatives.min()):g} cases of a class",
            "only their ratios matter: multiply all counts of the curve by one number",
        )
    first = np.zeros(table.thresholds.size, dtype=np.bool_)
    first[table.offsets[:-1]] = True
    again = ~first & ~np.roll(first, 1)
    values = table.thresholds if table.exact is None else table.exact
    repeated = again[1:] & (values[1:] == values[:-1])
    if repeated.any():
        raise alike_thresholds(table.thresholds[1:][repeated][0])
    group = np.repeat(np.arange(len(table)), np.diff(table.offsets))
    scores, labels, weights = [], [], []
    for label, counts, own in (
        (True, table.true_positives, shares[0]),
        (False, table.false_positives, shares[1]),
    ):
        of_vertex = Long(own.high[group], own.low[group])
        before = np.append(counts[:1], counts[:-1])
        added = of_vertex.times(counts.astype(np.float64)).plus(of_vertex.times(-before.astype(np.float64)))
        rows = ~first & (counts > before) & (of_vertex.high > 0)
        for part in added:
            scores.append(values[rows])
            labels.append(np.full(int(rows.sum()), label))
            weights.append(part[rows])
    joined = [np.concatenate(parts) for parts in (scores, labels, weights)]
    whole = np.array([0, joined[0].size], dtype=np.int64)
    thresholds, tp, fp, _ = _kernels.kernels.count_curves(
        joined[0],
        joined[1],
        whole,
        1.0,
        0.0,
        joined[2],
        table.higher_is_positive,
        _kernels.thread_count(None),
    )
    return _frozen(thresholds, tp, fp)


def _frozen(thresholds: Floats, tpr: Floats, fpr: Floats) -> Merged:
    return read_only(thresholds), read_only(tpr), read_only(fpr)
