"""The whole experiment: every set, every run, both learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papers.smroc.analysis.results import Areas, gathered
from papers.smroc.experiment.cache import Cache
from papers.smroc.experiment.processes import Progress, run_all
from papers.smroc.experiment.run import Task
from papers.smroc.parameters import FIRST_SEED, LEARNERS, SHOWN_CURVES
from papers.smroc.quiet_curves import quiet_curve
from papers.smroc.sets import Set
from rocsteady.curves.smroc import SmrocCurve


@dataclass(frozen=True)
class Experiment:
    """What was run.

    Attributes
    ----------
    areas : Areas
        Under all curves.
    shown : dict
        The smROC curves of the set that Figure 6 draws, by learner; empty if that set was left out.
    """

    areas: Areas
    shown: Mapping[str, Sequence[SmrocCurve]]


def run_experiment(
    sets: Sequence[Set],
    paths: Mapping[str, Path],
    n_runs: int,
    *,
    cache: Cache,
    workers: int | None = None,
    progress: Progress | None = None,
    first_seed: int = FIRST_SEED,
) -> Experiment:
    """All runs of the sets whose files are there; RS061 without scikit-learn."""
    from papers import learners  # noqa: F401 - said here, not by every process

    present = [own for own in sets if own.abbr in paths]
    seeds = range(first_seed, first_seed + n_runs)
    tasks = [
        Task(own, paths[own.abbr], seed, keeps_scores=own.abbr == SHOWN_CURVES)
        for own in present
        for seed in seeds
    ]
    found = run_all(tasks, cache=cache, workers=workers, progress=progress)
    by_set: dict[str, list[dict[str, Any]]] = {own.abbr: [] for own in present}
    for task, result in zip(tasks, found, strict=True):
        by_set[task.of.abbr].append(result)
    return Experiment(gathered("our learners", by_set), _curves(by_set.get(SHOWN_CURVES, [])))


def _curves(runs: Sequence[Mapping[str, Any]]) -> dict[str, list[SmrocCurve]]:
    return {
        learner: [quiet_curve(run[learner]["is_positive"], run[learner]["scores"]) for run in runs]
        for learner in (LEARNERS if runs else ())
    }
