"""What is resampled: groups with their rows, or with their counts where rows are gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.members import Members, members_of
from rocsteady.averaging.shared import only_members
from rocsteady.counting.table import CountTable
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import fail
from rocsteady.results import Result
from rocsteady.scores.columns import Columns
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.statistics.resampling import RankedCases, ranked_cases

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


def sample_of(x: Any, *, undefined: str, all_rows_count: bool, threads: int | None) -> Members:
    """The groups to resample; weighted curves bring their rows along."""
    if isinstance(x, RocCurve):
        x = [x]
    if isinstance(x, tuple) and len(x) == 2 and all(np.ndim(part) == 1 for part in x):
        way = "labels and scores:  bootstrap(Scores(labels, scores))"
        raise fail("RS002.bootstrap-of", found="a pair of arrays", ways=[way])
    if isinstance(x, Sequence) and x and all(isinstance(entry, RocCurve) for entry in x):
        if any(curve._is_hull for curve in x):
            raise fail("RS002.hull-unsure")
        if all(curve._rows is not None for curve in x):
            x = [curve._rows for curve in x]
    if isinstance(x, Sequence) and not isinstance(x, ScoreSet) and len(x) == 1 and isinstance(x[0], Scores):
        x = x[0]
    if isinstance(x, Scores):
        named, patients = x._cases, x._clusters
        alone = np.zeros(x.columns.n_rows, dtype=np.int64)
        whole = set_of_rows(x.columns, x.classes, alone, (x.name or "set 1",))
        x = replace(whole, cases=named, clusters=patients)
    if isinstance(x, Result) and not isinstance(x, CurveSet):
        way = "an average is made again in every resample; name it:  bootstrap(score_set, average='vertical')"
        raise fail("RS002.bootstrap-of", found=repr(x), ways=[way])
    members = members_of(
        x, undefined=undefined, all_rows_count=all_rows_count, threads=threads, function="bootstrap"
    )
    if isinstance(x, CurveSet) and x._rows is not None and x._members is not None:
        return replace(members, score_set=x._rows, chosen=np.asarray(x._members, dtype=np.intp))
    return members


def set_of_rows(
    columns: Columns, classes: Classes, codes: Integers, names: tuple[str, ...], unit: str = "set"
) -> ScoreSet:
    """Rows that were checked already as a set, brought together by the number of their group."""
    order = np.argsort(codes, kind="stable")
    brought = replace(
        columns,
        scores=columns.scores[order],
        labels=columns.labels[order],
        offsets=np.append(0, np.cumsum(np.bincount(codes, minlength=len(names)))),
        weights=None if columns.weights is None else columns.weights[order],
    )
    return ScoreSet(brought, classes, names, np.arange(len(names)), unit=unit)


def in_order_of_names(members: Members) -> Members:
    """The same groups, short names first, so that a shuffled table is resampled alike."""
    whole = members.names if members.score_set is None else members.score_set.names
    order = by_name(whole)
    if (order == np.arange(order.size)).all():
        return members
    chosen_names, table, scores = by_name(members.names), members._table, members.score_set
    if table is not None:  # that of the chosen groups
        rows, offsets = _gathered(table.offsets, chosen_names)
        columns = (table.thresholds[rows], table.true_positives[rows], table.false_positives[rows])
        exact = None if table.exact is None else table.exact[rows]
        table = CountTable(*columns, offsets, table.higher_is_positive, exact)
    if scores is not None:
        c = scores.columns
        rows, offsets = _gathered(c.offsets, order)
        weights = None if c.weights is None else c.weights[rows]
        c = replace(c, scores=c.scores[rows], labels=c.labels[rows], weights=weights, offsets=offsets)
        group_index = scores.group_index[order]
        scores = replace(scores, columns=c, cases=None, clusters=None, group_index=group_index)
        place = np.argsort(order)
        chosen = np.sort(place[members.chosen])
    else:
        chosen = members.chosen
    names = tuple(members.names[i] for i in chosen_names)
    return replace(members, names=names, score_set=scores, chosen=chosen, _table=table)


def by_name(names: Sequence[str]) -> NDArray[np.intp]:
    """The order of names: short ones first, so that "fold 10" follows "fold 9"."""
    return np.array(sorted(range(len(names)), key=lambda i: (len(names[i]), names[i])), dtype=np.intp)


def _gathered(offsets: Integers, order: NDArray[np.intp]) -> tuple[Integers, Integers]:
    """Rows of blocks in another order, and where each block then starts."""
    sizes = np.diff(offsets)[order]
    starts = np.append(0, np.cumsum(sizes))
    rows = np.arange(starts[-1]) + np.repeat(offsets[:-1][order] - starts[:-1], sizes)
    return rows, starts.astype(np.int64)


def cases_of(members: Members, *, shared: bool, drawn_singly: bool = True) -> RankedCases:
    """The cases of the groups, ranked within their groups or together, in an order that rows do not set.

    Cases of a group and class stand strictest first, so a table that is sorted otherwise is resampled alike.
    Where groups are drawn whole, only weights could tell, by how their sums are rounded.
    """
    scores = members.score_set
    if scores is None:
        cases = _from_counts(members, shared=shared)
    else:
        if members.chosen.size < len(scores):
            scores = only_members(scores, members.chosen)
        cases = ranked_cases(scores, shared=shared)
    if not drawn_singly and cases.positive_weights is None:
        return cases
    return replace(
        cases,
        **_sorted("positive", cases.positive_ranks, cases.positive_offsets, cases.positive_weights),
        **_sorted("negative", cases.negative_ranks, cases.negative_offsets, cases.negative_weights),
    )


def _sorted(side: str, ranks: Integers, offsets: Integers, weights: Floats | None) -> dict[str, Any]:
    """Ranks of one class, rising within every group, and equal ones by their weight."""
    groups = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    if weights is None:
        span = int(ranks.max(initial=0)) + 1
        return {f"{side}_ranks": np.sort(groups * span + ranks) - groups * span}
    order = np.lexsort((weights, ranks, groups))
    return {f"{side}_ranks": ranks[order], f"{side}_weights": weights[order]}


def _from_counts(members: Members, *, shared: bool) -> RankedCases:
    """One case for each count of curves that have no rows."""
    table = members.table
    if table.true_positives.dtype.kind == "f":
        raise fail("RS038.counts", function="Scores")
    starts, sizes = table.offsets[:-1], np.diff(table.offsets)
    vertex = np.arange(table.thresholds.size)
    ranks = vertex - np.repeat(starts, sizes) - 1
    if shared:
        strict = -table.thresholds if table.higher_is_positive else table.thresholds
        inside = np.ones(vertex.size, dtype=np.bool_)
        inside[starts] = False  # beyond everything, which no case is
        ranks[inside] = np.unique(strict[inside], return_inverse=True)[1]
    columns = []
    for counts in (table.true_positives, table.false_positives):
        steps = np.diff(counts, prepend=0)
        steps[starts] = 0
        columns.append((np.repeat(ranks, steps), np.append(0, np.cumsum(counts[table.offsets[1:] - 1]))))
    (positive, positive_offsets), (negative, negative_offsets) = columns
    return RankedCases(positive, negative, positive_offsets, negative_offsets)


def class_sizes(members: Members) -> tuple[Any, Any]:
    """Cases of either class in every group; a weighted row is one case."""
    if members.score_set is not None:
        return members.score_set.n_positives[members.chosen], members.score_set.n_negatives[members.chosen]
    return members.n_positives, members.n_negatives
