"""Counts of one day and of the next: added, if they mean the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocsteady.counting.cells.table import joined
from rocsteady.counting.counted import CountedScores, How
from rocsteady.errors import DataError
from rocsteady.scores.records import Dropped

_RUNGS = ("memory", "distinct", "anchored", "cells")


def added(first: CountedScores, second: CountedScores) -> CountedScores:
    """The counts of all rows of both, as if they had been counted together.

    Where both were counted in the same cells, cells are added; exact counts stay exact. Cells that differ
    stay beside each other, and the bounds tell what that costs.

    Raises
    ------
    DataError
        RS404 if they do not mean the same.
    """
    _require_alike(first, second)
    groups = tuple(dict.fromkeys([*first.groups, *second.groups]))
    models = tuple(dict.fromkeys([*first.models, *second.models]))
    pairs = [_pairs(own, groups, models) for own in (first, second)]
    every = np.unique(np.concatenate(pairs))
    members = [np.searchsorted(every, own) for own in pairs]
    binning = first.how.binning
    by_number = binning is not None and binning == second.how.binning
    cells = joined([first.cells, second.cells], members, every.size, by_number=by_number)
    rung = max((first.how.rung, second.how.rung), key=_RUNGS.index)
    if rung == "anchored":  # the rows of one between the anchors of the other are not placed
        rung = "cells"
    causes = dict(first.dropped.causes)
    for cause, n in second.dropped.causes.items():
        causes[cause] = causes.get(cause, 0) + n
    return replace(
        first,
        cells=cells,
        groups=groups,
        group_index=every % len(groups),
        models=models,
        model_index=every // len(groups) if models else np.zeros(every.size, dtype=np.int64),
        dropped=Dropped(first.dropped.n_rows + second.dropped.n_rows, causes),
        source=_sources(first, second),
        score=first.score or second.score,
        how=How(rung, first.how.engine, 0, first.how.tolerance, binning if by_number else None),
    )


def _sources(first: CountedScores, second: CountedScores) -> str:
    """Where the rows of both came from, each place once."""
    names = [name for own in (first, second) if own.source for name in own.source.split(" and ")]
    return " and ".join(dict.fromkeys(names))


def _pairs(counts: CountedScores, groups: tuple[str, ...], models: tuple[str, ...]) -> np.ndarray:
    place = {name: i for i, name in enumerate(groups)}
    of_group = np.array([place[name] for name in counts.groups], dtype=np.int64)[counts.group_index]
    if not models:
        return of_group
    place = {name: i for i, name in enumerate(models)}
    of_model = np.array([place[name] for name in counts.models], dtype=np.int64)[counts.model_index]
    return of_model * len(groups) + of_group


def _require_alike(first: CountedScores, second: CountedScores) -> None:
    differences = []
    if first.higher_is_positive != second.higher_is_positive:
        differences.append("in one high scores are positive, in the other low ones")
    if first.is_weighted != second.is_weighted:
        differences.append("one has row weights, the other none")
    if bool(first.models) != bool(second.models):
        differences.append("one has models, the other none")
    if first.score and second.score and first.score != second.score:
        differences.append(
            f'the scores are those of "{first.score}" in one, of "{second.score}" in the other'
        )
    units = [own.unit if own.groups != ("all",) else "" for own in (first, second)]
    if units[0] != units[1]:
        told = [f'by "{unit}"' if unit else "in no groups" for unit in units]
        differences.append(f"rows are counted {told[0]} in one, {told[1]} in the other")
    words = [{own.classes.positive, own.classes.negative} for own in (first, second)]
    if first.classes != second.classes and words[0] & words[1]:
        differences.append(
            f"positive is {first.classes.positive} in one, {second.classes.positive} in the other"
        )
    elif first.classes != second.classes:
        shown = [f"{own.classes.positive}/{own.classes.negative}" for own in (first, second)]
        differences.append(f"the classes are {shown[0]} in one, {shown[1]} in the other")
    if differences:
        raise DataError(
            "RS404",
            "these counts cannot be added.",
            "; ".join(differences),
            "count both with the same columns, positive label and direction",
        )
