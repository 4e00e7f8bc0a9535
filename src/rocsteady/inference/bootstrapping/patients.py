"""Clustered cases: rows that belong together, of one patient or user, are drawn together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.members import Members, members_of
from rocsteady.averaging.methods import Pooled
from rocsteady.errors import fail
from rocsteady.inference.bootstrapping.drawing import Drawn, Wanted, shared_curve_of_groups
from rocsteady.inference.bootstrapping.given import by_name, set_of_rows
from rocsteady.inference.bootstrapping.limits import Resamples
from rocsteady.inference.bootstrapping.naming import Clusters, clusters_of, require_several
from rocsteady.inference.bootstrapping.readings import group_values, is_mean_of_groups
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.statistics.resampling import Progress
from rocsteady.words import counted

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def drawn_clusters(members: Members, clusters: Any, wanted: Wanted) -> tuple[Drawn, str]:
    """Whole clusters drawn with replacement within fixed groups; and what was drawn, in words."""
    named = clusters_of(members, clusters)
    scores = members.score_set
    assert scores is not None
    require_several(named.n, named.codes.size)
    if len(members) == 1 or isinstance(wanted.method, Pooled):
        if isinstance(wanted.method, Pooled) and wanted.method.balanced:
            raise fail("RS058.average", method=wanted.method)
        drawn = drawn_rows(scores, named, wanted)
        if len(members) == 1:  # integers know an AUC of exactly 1
            drawn = replace(drawn, resamples=replace(drawn.resamples, estimate=_own(members, wanted)[0]))
        return drawn, f"the {counted(named.n, named.unit)}, each drawn with all its rows"
    if not is_mean_of_groups(wanted.statistic, wanted.method):
        raise fail("RS058.average", method=wanted.method)
    return _within_groups(members, scores, named, wanted)


def drawn_rows(scores: Scores | ScoreSet, named: Clusters, wanted: Wanted) -> Drawn:
    """The curve of all rows, whose clusters are drawn whole.

    Two models with the same rows, clusters and seed are resampled together.
    """
    names = tuple(map(str, range(named.n)))
    made = set_of_rows(scores.columns, scores.classes, named.codes, names, "cluster")
    members = members_of(made, all_rows_count=True, threads=wanted.threads)
    return shared_curve_of_groups(members, Pooled(), wanted)


def _within_groups(members: Members, scores: ScoreSet, named: Clusters, wanted: Wanted) -> tuple[Drawn, str]:
    """The mean over groups; clusters drawn for all groups at once if all have the same, else within each."""
    starts, stops = scores.columns.offsets[members.chosen], scores.columns.offsets[members.chosen + 1]
    own = [np.unique(named.codes[i:j], return_inverse=True) for i, j in zip(starts, stops, strict=True)]
    is_crossed = _are_crossed([names for names, _ in own], members)
    found: list[Drawn] = []
    numbered = np.argsort(by_name(members.names))
    for number, member, (names, numbers) in zip(numbered.tolist(), members.chosen, own, strict=True):
        require_several(names.size, numbers.size)
        # The same draws for all groups, or draws of their own.
        seed = wanted.seed
        if not is_crossed:
            seed = int(np.random.SeedSequence((wanted.seed, number)).generate_state(1, np.uint64)[0])
        progress = _share_of(wanted.progress, len(found), len(own))
        part = scores.columns.part(int(member), int(member) + 1)
        only = replace(scores, columns=part, cases=None, clusters=None)
        numbers_of_names = Clusters(numbers.reshape(-1), names.size)
        found.append(drawn_rows(only, numbers_of_names, replace(wanted, seed=seed, progress=progress)))
    redrawn = np.array([drawn.redrawn for drawn in found])
    if is_crossed and (redrawn != redrawn[0]).any():
        raise fail("RS058.class-left-out", unit=members.unit)
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
    words = f"the {counted(n_clusters, named.unit)}, {where}, each with all its rows"
    return Drawn(resamples, redrawn.sum(axis=0)), words


def _own(members: Members, wanted: Wanted) -> Floats:
    return group_values(members, wanted.statistic)


def _are_crossed(clusters: list[Integers], members: Members) -> bool:
    """Whether all groups have the same clusters; RS058 if some do and some do not."""
    if all(np.array_equal(names, clusters[0]) for names in clusters):
        return True
    together = np.concatenate(clusters)
    if np.unique(together).size == together.size:
        return False
    raise fail("RS058.half-crossed", unit=members.unit)


def _share_of(progress: Progress | None, number: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, n: progress(number * n + done, total * n)
