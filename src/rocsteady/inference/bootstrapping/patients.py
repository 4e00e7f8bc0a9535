"""Clustered cases: rows that belong together, of one patient or user, are drawn together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.given import Members, members_of
from rocsteady.averaging.methods import Pooled
from rocsteady.errors import ColumnError, UsageError
from rocsteady.inference.bootstrapping.drawing import Drawn, Wanted, shared_curve_of_groups
from rocsteady.inference.bootstrapping.given import by_name, set_of_rows
from rocsteady.inference.bootstrapping.limits import Resamples
from rocsteady.inference.bootstrapping.readings import group_values, is_mean_of_groups
from rocsteady.scores.arrays import read_column
from rocsteady.scores.grouping import factorize, word
from rocsteady.scores.score_set import ScoreSet
from rocsteady.uncertainty.resampling import Progress
from rocsteady.words import counted, listed, plural

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def drawn_clusters(members: Members, clusters: Any, wanted: Wanted) -> tuple[Drawn, str]:
    """Whole clusters drawn with replacement within fixed groups; and what was drawn, in words."""
    codes, n_clusters = _codes(members, clusters)
    scores = members.score_set
    assert scores is not None
    _require_several(n_clusters, codes.size)
    if len(members) == 1 or isinstance(wanted.method, Pooled):
        if isinstance(wanted.method, Pooled) and wanted.method.balanced:
            raise _not_with(wanted)
        drawn = _of_rows(scores, codes, n_clusters, wanted)
        if len(members) == 1:  # integers know an AUC of exactly 1
            drawn = replace(drawn, resamples=replace(drawn.resamples, estimate=_own(members, wanted)[0]))
        return drawn, f"the {counted(n_clusters, 'cluster')}, each drawn with all its rows"
    if not is_mean_of_groups(wanted.statistic, wanted.method):
        raise _not_with(wanted)
    return _within_groups(members, scores, codes, wanted)


def _codes(members: Members, clusters: Any) -> tuple[Integers, int]:
    """The cluster of every row of the set, as a number, and how many there are.

    They are numbered by their names, so that the order of the rows does not matter.
    """
    scores = members.score_set
    if scores is None:
        raise UsageError(
            "RS058",
            "a curve does not know its rows, so they cannot be drawn by cluster.",
            f"found: {counted(len(members), 'curve')}",
            "start from the rows:  bootstrap(Scores(labels, scores), clusters=patients)",
        )
    column = read_column(_flat(scores, clusters), "clusters")
    if len(column) != scores.columns.n_rows:
        raise ColumnError(
            "RS013",
            "clusters and rows have different lengths.",
            f"clusters: {len(column)}, rows: {scores.columns.n_rows} (rows of weight 0 have dropped out)",
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
    by_name = sorted(range(len(factor.values)), key=lambda i: word(factor.values[i]))
    numbers = np.empty(len(by_name), dtype=np.int64)
    numbers[by_name] = np.arange(len(by_name))
    return numbers[factor.codes], len(by_name)


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


def _require_several(n_clusters: int, n_rows: int) -> None:
    if n_clusters < 2:
        raise UsageError(
            "RS057",
            "all rows are one cluster, so there is nothing to draw from.",
            f"found: {counted(n_rows, 'row')}, 1 cluster",
            "name the patient, user or site of every row:  clusters=patients",
            "rows that do not belong together:  random='cases'",
        )


def _of_rows(scores: ScoreSet, codes: Integers, n_clusters: int, wanted: Wanted) -> Drawn:
    """The curve of all rows, whose clusters are drawn whole."""
    names = tuple(map(str, range(n_clusters)))
    made = set_of_rows(scores.columns, scores.classes, codes, names, "cluster")
    members = members_of(made, all_rows_count=True, threads=wanted.threads)
    return shared_curve_of_groups(members, Pooled(), wanted)


def _within_groups(members: Members, scores: ScoreSet, codes: Integers, wanted: Wanted) -> tuple[Drawn, str]:
    """The mean over groups; clusters drawn for all groups at once if all have the same, else within each."""
    starts, stops = scores.columns.offsets[members.chosen], scores.columns.offsets[members.chosen + 1]
    own = [np.unique(codes[i:j], return_inverse=True) for i, j in zip(starts, stops, strict=True)]
    is_crossed = _are_crossed([names for names, _ in own], members)
    found: list[Drawn] = []
    numbered = np.argsort(by_name(members.names))
    for number, member, (names, numbers) in zip(numbered.tolist(), members.chosen, own, strict=True):
        _require_several(names.size, numbers.size)
        # The same draws for all groups, or draws of their own.
        seed = wanted.seed
        if not is_crossed:
            seed = int(np.random.SeedSequence((wanted.seed, number)).generate_state(1, np.uint64)[0])
        progress = _share_of(wanted.progress, len(found), len(own))
        only = replace(scores, columns=scores.columns.part(int(member), int(member) + 1), cases=None)
        found.append(_of_rows(only, numbers, names.size, replace(wanted, seed=seed, progress=progress)))
    if is_crossed and any(drawn.n_redrawn != found[0].n_redrawn for drawn in found):
        raise UsageError(
            "RS058",
            f"clusters drawn for all {plural(members.unit)} at once left a class out of some of them only.",
            "such a resample would have to be drawn again for some, and no longer be the same for all",
            "draw more and larger clusters, or the groups themselves:  random='groups'",
        )
    parts = [drawn.resamples for drawn in found]
    sizes = [part.n_drawn for part in parts], [part.df for part in parts]
    n_drawn, df = (float(min(size) if is_crossed else sum(size)) for size in sizes)
    resamples = Resamples(
        _own(members, wanted).mean(axis=0),
        np.mean([part.values for part in parts], axis=0),
        n_drawn,
        df,
        wanted.width,
    )
    n_clusters = own[0][0].size if is_crossed else sum(names.size for names, _ in own)
    where = f"the same in every {members.unit}" if is_crossed else f"drawn within each {members.unit}"
    words = f"the {counted(n_clusters, 'cluster')}, {where}, each with all its rows"
    return Drawn(resamples, sum(drawn.n_redrawn for drawn in found)), words


def _own(members: Members, wanted: Wanted) -> Floats:
    return group_values(members, wanted.statistic)


def _are_crossed(clusters: list[Integers], members: Members) -> bool:
    """Whether all groups have the same clusters; RS058 if some do and some do not."""
    if all(np.array_equal(names, clusters[0]) for names in clusters):
        return True
    together = np.concatenate(clusters)
    if np.unique(together).size == together.size:
        return False
    raise UsageError(
        "RS058",
        f"some clusters are in several {plural(members.unit)}, but not all in all of them.",
        "such clusters are neither drawn for all groups at once nor within each",
        "one curve of all rows has no such need:  average='pooled'",
        "clusters that only share a name: name them apart",
    )


def _share_of(progress: Progress | None, number: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, n: progress(number * n + done, total * n)


def _not_with(wanted: Wanted) -> UsageError:
    return UsageError(
        "RS058",
        f"clusters are not drawn for the {wanted.method} average and this statistic.",
        "they are drawn for the mean of the groups' own values, and for the pooled curve",
        "leave the average out, or  average='pooled'",
    )
