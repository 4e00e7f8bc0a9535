"""Which rows belong together: clusters that were named, else those of the set, else its cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.given import Members
from rocsteady.caller import caller_level
from rocsteady.errors import ColumnError, Option, UsageError, warn
from rocsteady.scores import records
from rocsteady.scores.arrays import read_column
from rocsteady.scores.grouping import factorize, word
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import counted, grouped, listed, plural, printable

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Clusters:
    """The cluster of every row as a number, in the order of their names; how many; what they are called."""

    codes: Integers
    n: int
    unit: str = "cluster"


def clusters_of(members: Members, clusters: Any) -> Clusters:
    """The clusters of all rows of the set: as they were named here, else as in the set, else its cases."""
    scores = members.score_set
    if scores is None:
        raise UsageError(
            "RS058",
            "a curve does not know its rows, so they cannot be drawn by cluster.",
            f"found: {counted(len(members), 'curve')}",
            "start from the rows:  bootstrap(Scores(labels, scores), clusters=patients)",
        )
    if clusters is not None:
        note = " (rows of weight 0 have dropped out)" if scores.columns.weights is not None else ""
        return numbered(_flat(scores, clusters), scores.columns.n_rows, note)
    known = by_name_of_rows(scores.clusters, scores.cases)
    if known is None:
        raise UsageError(
            "RS058",
            "clusters are to be drawn, but none are named.",
            "found: random='clusters' without clusters",
            "name the patient, user or site of every row:  clusters=patients",
            "or as the rows are read:  ScoreSet.from_frame(..., cluster='patient')",
        )
    return known


def numbered(clusters: Any, n_rows: int, note: str = "") -> Clusters:
    """Clusters that were named row by row; RS013 or RS058 if they do not fit the rows.

    They are numbered by their names, so that the order of the rows does not matter.

    Examples
    --------
    >>> numbered(["b", "a", "b"], 3).codes.tolist()
    [1, 0, 1]
    """
    column = read_column(clusters, "clusters")
    if len(column) != n_rows:
        raise ColumnError(
            "RS013",
            "clusters and rows have different lengths.",
            f"clusters: {len(column)}, rows: {n_rows}{note}",
            "name the cluster of every row, in the order of the rows",
        )
    factor = factorize(column)
    if factor.missing.any():
        raise UsageError(
            "RS058",
            f"{counted(int(factor.missing.sum()), 'row')} without a cluster.",
            f"first at row {int(np.flatnonzero(factor.missing)[0])}",
            "a row that belongs to no other is a cluster of its own: give it a name of its own",
        )
    return Clusters(_by_name(factor.codes, factor.values), len(factor.values))


def by_name_of_rows(clusters: records.Clusters | None, cases: records.Cases | None) -> Clusters | None:
    """The clusters that a set knows; without them every case with all its rows is one. None for neither."""
    named: records.Cases | None = cases if clusters is None else clusters
    if named is None:
        return None
    present, codes = np.unique(named.codes, return_inverse=True)
    names = [named.values[code] for code in present.tolist()]
    unit = "case" if clusters is None else printable(clusters.unit)
    return Clusters(_by_name(codes.reshape(-1), names), len(names), unit)


def _by_name(codes: Integers, names: Sequence[Any]) -> Integers:
    in_order = sorted(range(len(names)), key=lambda i: word(names[i]))
    numbers = np.empty(len(names), dtype=np.int64)
    numbers[in_order] = np.arange(len(names))
    return numbers[codes]


def several_rows(members: Members) -> int:
    """How many clusters (without them: cases) have several rows in one group; 0 where none are named."""
    scores = members.score_set
    named = None if scores is None else scores.cases if scores.clusters is None else scores.clusters
    if scores is None or named is None:
        return 0
    return int(named.with_several_rows(scores.columns.offsets).size)


def warn_of_rows_drawn_singly(members: Members) -> None:
    """RS104 where rows of one case or patient are drawn one by one, because that was asked for."""
    several = several_rows(members)
    if several and members.score_set is not None:
        clusters = members.score_set.clusters
        unit = "case" if clusters is None else printable(clusters.unit)
        warn(
            "RS104",
            f"rows of one {unit} are drawn one by one, as if they were cases of their own.",
            f"found: random='cases'; {grouped(several)} of the named {plural(unit)} "
            f"{'has' if several == 1 else 'have'} several rows in one {members.unit}",
            (f"draw whole {plural(unit)}:  ", Option("random", "clusters")),
            stacklevel=caller_level(),
        )


def require_several(n_clusters: int, n_rows: int) -> None:
    """RS057 where all rows belong together."""
    if n_clusters < 2:
        raise UsageError(
            "RS057",
            "all rows are one cluster, so there is nothing to draw from.",
            f"found: {counted(n_rows, 'row')}, 1 cluster",
            "name the patient, user or site of every row:  clusters=patients",
            "rows that do not belong together:  random='cases'",
        )


def _flat(scores: ScoreSet, clusters: Any) -> Any:
    """Clusters row by row: one array for a single group, else one for each group."""
    if isinstance(clusters, Mapping):
        missing = [name for name in scores.names if name not in clusters]
        if missing:
            raise UsageError(
                "RS058",
                f"{counted(len(missing), scores.unit)} without clusters.",
                f"without: {listed(missing)}",
                f"give every {scores.unit} an array with the cluster of each of its rows",
            )
        clusters = [clusters[name] for name in scores.names]
    if len(scores) == 1 and not (_is_nested(clusters) and len(clusters) == 1):
        return clusters
    sizes = np.diff(scores.columns.offsets)
    if not _is_nested(clusters) or len(clusters) != len(scores):
        raise UsageError(
            "RS058",
            f"clusters of {counted(len(scores), scores.unit)} come as one array for each.",
            "the rows of a set stand group after group, which need not be the order of your table",
            f"clusters=[patients of each {scores.unit}, ...], or a dict with the names as keys",
            "or name them as the rows are read, ScoreSet.from_frame(..., cluster='patient')",
        )
    arrays = [np.asarray(part) for part in clusters]
    for name, array, size in zip(scores.names, arrays, sizes, strict=True):
        if array.shape != (size,):
            raise ColumnError(
                "RS013",
                f"clusters and rows of {name} have different lengths.",
                f"clusters: {array.size}, rows: {size}",
                "name the cluster of every row, in the order of the rows",
            )
    if len({array.dtype.kind for array in arrays}) > 1:
        arrays = [array.astype(object) for array in arrays]
    return np.concatenate(arrays)


def _is_nested(clusters: Any) -> bool:
    if isinstance(clusters, str | bytes) or not isinstance(clusters, Sequence) or not clusters:
        return False
    return all(np.ndim(part) == 1 for part in clusters)
