"""Which rows belong together: clusters that were named, else those of the set, else its cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.members import Members
from rocsteady.errors import fail, warn
from rocsteady.scores import columns
from rocsteady.scores.columns import factorize, read_column, word
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import printable

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
        raise fail("RS058.curves", n=len(members))
    if clusters is not None:
        is_weighted = scores.columns.weights is not None
        return numbered(_flat(scores, clusters), scores.columns.n_rows, is_weighted=is_weighted)
    known = by_name_of_rows(scores.clusters, scores.cases)
    if known is None:
        raise fail("RS058.unnamed")
    return known


def numbered(clusters: Any, n_rows: int, *, is_weighted: bool = False) -> Clusters:
    """Clusters that were named row by row; RS013 or RS058 if they do not fit the rows.

    They are numbered by their names, so that the order of the rows does not matter.

    Examples
    --------
    >>> numbered(["b", "a", "b"], 3).codes.tolist()
    [1, 0, 1]
    """
    column = read_column(clusters, "clusters")
    if len(column) != n_rows:
        n_clusters = len(column)
        raise fail("RS013.clusters", name=None, n_clusters=n_clusters, n_rows=n_rows, is_weighted=is_weighted)
    factor = factorize(column)
    if factor.gaps is not None:
        raise fail("RS058.missing", n=int(factor.gaps.sum()), row=int(factor.gaps.argmax()))
    return Clusters(_by_name(factor.codes, factor.values), len(factor.values))


def by_name_of_rows(clusters: columns.Clusters | None, cases: columns.Cases | None) -> Clusters | None:
    """The clusters that a set knows; without them every case with all its rows is one. None for neither."""
    named: columns.Cases | None = cases if clusters is None else clusters
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
        of = "case" if clusters is None else clusters.unit
        warn("RS104.singly", of=of, n=several, unit=members.unit)


def require_several(n_clusters: int, n_rows: int) -> None:
    """RS057 where all rows belong together."""
    if n_clusters < 2:
        raise fail("RS057.one-cluster", n=n_rows)


def _flat(scores: ScoreSet, clusters: Any) -> Any:
    """Clusters row by row: one array for a single group, else one for each group."""
    if isinstance(clusters, Mapping):
        missing = [name for name in scores.names if name not in clusters]
        if missing:
            raise fail("RS058.groups-without", missing=missing, unit=scores.unit)
        clusters = [clusters[name] for name in scores.names]
    if len(scores) == 1 and not (_is_nested(clusters) and len(clusters) == 1):
        return clusters
    sizes = np.diff(scores.columns.offsets)
    if not _is_nested(clusters) or len(clusters) != len(scores):
        raise fail("RS058.one-array", n=len(scores), unit=scores.unit)
    arrays = [np.asarray(part) for part in clusters]
    for name, array, size in zip(scores.names, arrays, sizes, strict=True):
        if array.shape != (size,):
            n = array.size
            raise fail("RS013.clusters", name=name, n_clusters=n, n_rows=size, is_weighted=False)
    if len({array.dtype.kind for array in arrays}) > 1:
        arrays = [array.astype(object) for array in arrays]
    return np.concatenate(arrays)


def _is_nested(clusters: Any) -> bool:
    if isinstance(clusters, str | bytes) or not isinstance(clusters, Sequence) or not clusters:
        return False
    return all(np.ndim(part) == 1 for part in clusters)
