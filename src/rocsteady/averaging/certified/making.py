"""Averages of counts: ordinary ones where what they need is known exactly, certified ones else."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rocsteady.averaging.average import made_of_members
from rocsteady.averaging.base import Average
from rocsteady.averaging.certified.average import CertifiedAverage
from rocsteady.averaging.certified.edges import OwnEdges, SharedEdges
from rocsteady.averaging.given import Members, one_model, weights_of
from rocsteady.averaging.methods import AlongDirection, Binormal, Method, Pooled, Threshold
from rocsteady.counting.cells.certainty import rounding_of
from rocsteady.counting.counted import CountedScores
from rocsteady.counting.table import CountTable
from rocsteady.curves.curve_set import refuse_undefined
from rocsteady.errors import DataError


def average_of_counts(
    counts: CountedScores, method: Method, *, group_weights: object, undefined: str, threads: int | None
) -> Average | CertifiedAverage:
    """One curve from the counts of many groups."""
    one_model(counts.models)
    is_pooled, is_shared = isinstance(method, Pooled), isinstance(method, Pooled | Threshold)
    _require_curves(counts, undefined=undefined, is_pooled=is_pooled)
    is_known = counts.knows_thresholds if is_shared else counts.is_exact
    if isinstance(method, Binormal) and not is_known:
        raise DataError(
            "RS406",
            "a binormal curve cannot be fitted to counts in cells.",
            f"found: {counts!r}",
            "rs.average(counts, 'vertical'), or fit it to the scores",
        )
    paths = None if is_shared else counts.paths()
    table = counts.shared_counts(every=is_pooled) if paths is None else paths.middle
    middle = _members(counts, table, is_pooled=is_pooled, threads=threads)
    average = made_of_members(method, middle, group_weights)
    if is_known:
        return average
    slack = float(np.max(rounding_of(counts.cells), initial=0.0))
    if paths is None:
        return CertifiedAverage(average, _shared(counts, method, average, group_weights, middle, slack))
    weights = weights_of(middle, group_weights)
    kept = weights > 0
    made = partial(_edge, method, middle, (paths.lower, paths.upper), np.asarray(weights))
    low, high = counts.auc_bounds
    shares = weights[kept] / weights.sum()
    edges = OwnEdges(made, (low[kept], high[kept]), shares, slack, isinstance(method, AlongDirection))
    return CertifiedAverage(average, edges)


def _edge(
    method: Method, members: Members, tables: tuple[CountTable, CountTable], weights: Any, upper: bool
) -> Average:
    """The average of the lowest curves of all members, or of the highest."""
    return made_of_members(method, replace(members, _table=tables[upper]), weights)


def _require_curves(counts: CountedScores, *, undefined: str, is_pooled: bool) -> None:
    has_both = counts.n_positives.any() and counts.n_negatives.any()
    if is_pooled and has_both:
        return
    if (undefined == "raise" and counts.undefined) or not counts.has_curve.any():
        raise refuse_undefined(counts)


def _members(counts: CountedScores, table: CountTable, *, is_pooled: bool, threads: int | None) -> Members:
    chosen = np.arange(len(counts)) if is_pooled else np.flatnonzero(counts.has_curve)
    names = tuple(counts.names[i] for i in chosen)
    everything = np.arange(chosen.size)
    return Members(
        names,
        counts.undefined,
        counts.unit,
        counts.classes,
        None,
        everything,
        threads,
        table,
        counts.names,
        are_counts=not counts.is_weighted,
    )


def _shared(
    counts: CountedScores,
    method: Method,
    average: Average,
    group_weights: object,
    members: Members,
    slack: float,
) -> SharedEdges:
    cells = counts.cells
    totals = [cells.n_positives.astype(np.float64), cells.n_negatives.astype(np.float64)]
    if isinstance(method, Pooled) and not method.balanced:
        ones = np.ones(cells.n_members, dtype=np.int64)
        return SharedEdges(cells, ones, ones, counts.higher_is_positive, slack)
    if isinstance(method, Pooled):
        weights = np.ones(cells.n_members)
    else:
        weights = np.zeros(cells.n_members)
        weights[counts.has_curve] = weights_of(members, group_weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = [np.where(own > 0, weights / own, 0.0) for own in totals]
    has_weight = weights > 0
    if not has_weight.all():  # groups that do not count must not leave their cells behind
        cells = cells.chosen(has_weight[cells.member])
    return SharedEdges(cells, shares[0], shares[1], counts.higher_is_positive, slack)
