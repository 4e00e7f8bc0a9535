"""The areas of all runs, and their means and spreads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers.smroc.parameters import LEARNERS, MIDS, NB, PAPER, PET
from rocsteady.results import TableResult, plain
from rocsteady.words import counted

Floats = NDArray[np.float64]
AUC = "auc"
SPACES = (AUC, *MIDS)
"""The ordinary AUC, and smAUC by its Mid."""


@dataclass(frozen=True, eq=False, repr=False)
class Areas(TableResult):
    """Areas under the curves of both learners.

    Attributes
    ----------
    source : str
        Whose scores they are.
    sets : tuple of str
        Data sets, by the names of Table 1.
    areas : dict
        By learner and by space (``"auc"``, and smAUC by its Mid: ``"paper"``, ``"clipped"``, ``"half"``):
        arrays of sets x runs.
    chance, permuted : dict
        The same for smAUC alone: the plug-in chance level, and the mean with shuffled labels.
    mid : dict
        The paper's Mid, by learner.
    agreeing : dict
        By learner and class: the shares of cases whose score agrees with the label under that Mid.
    of_folds : dict
        AUC and smAUC (the paper's Mid) fold by fold: sets x runs x folds.
    """

    source: str
    sets: tuple[str, ...]
    areas: Mapping[str, Mapping[str, Floats]]
    chance: Mapping[str, Mapping[str, Floats]]
    permuted: Mapping[str, Mapping[str, Floats]]
    mid: Mapping[str, Floats]
    agreeing: Mapping[str, Mapping[str, Floats]]
    of_folds: Mapping[str, Mapping[str, Floats]]

    @property
    def n_runs(self) -> int:
        """Runs of each set."""
        return int(self.areas[NB][AUC].shape[1])

    def mean(self, learner: str, space: str) -> Floats:
        """Over runs, one value for each set."""
        return np.asarray(self.areas[learner][space].mean(axis=1))

    def sd(self, learner: str, space: str) -> Floats:
        """Over runs, one value for each set."""
        return np.asarray(self.areas[learner][space].std(axis=1, ddof=1))

    def difference(self, space: str) -> Floats:
        """Naive Bayes less the tree in the same run: sets x runs."""
        return self.areas[NB][space] - self.areas[PET][space]

    def excess(self, learner: str, space: str) -> Floats:
        """The mean area less what chance gives; one value for each set."""
        level = 0.5 if space == AUC else self.chance[learner][space].mean(axis=1)
        return np.asarray(self.mean(learner, space) - level)

    def place(self, name: str) -> int:
        """Where a set stands among the sets."""
        return self.sets.index(name)

    def readings(self) -> dict[str, Any]:
        """Means and spreads as plain data, by set, learner and quantity."""
        return {
            name: {learner: self._of(i, learner) for learner in LEARNERS} for i, name in enumerate(self.sets)
        }

    def _of(self, i: int, learner: str) -> dict[str, dict[str, float]]:
        own = {space: self.areas[learner][space][i] for space in SPACES}
        own |= {f"chance, {name}": self.chance[learner][name][i] for name in MIDS}
        own |= {f"permuted, {name}": self.permuted[learner][name][i] for name in MIDS}
        own["mid"] = self.mid[learner][i]
        return {
            name: {"mean": float(values.mean()), "sd": float(values.std(ddof=1))}
            for name, values in own.items()
        }

    def _plain_readings(self) -> dict[str, Any]:
        return {
            name: {
                learner: {
                    quantity: {what: plain(number) for what, number in pair.items()}
                    for quantity, pair in own.items()
                }
                for learner, own in of_set.items()
            }
            for name, of_set in self.readings().items()
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the readings, and the areas of every run."""
        by_run = {
            learner: {space: plain(values) for space, values in own.items()}
            for learner, own in self.areas.items()
        }
        return {
            "source": self.source,
            "sets": list(self.sets),
            "readings": self._plain_readings(),
            "areas": by_run,
        }

    def _columns(self) -> dict[str, Sequence[Any]]:
        rows = [(name, learner) for name in self.sets for learner in LEARNERS]
        columns: dict[str, Sequence[Any]] = {
            "set": [name for name, _ in rows],
            "learner": [learner for _, learner in rows],
        }
        readings = self.readings()
        for quantity in readings[self.sets[0]][NB]:
            for what in ("mean", "sd"):
                columns[f"{quantity} {what}"] = [readings[s][learner][quantity][what] for s, learner in rows]
        return columns

    def __repr__(self) -> str:
        lower = int((self.sd(PET, PAPER) < self.sd(PET, AUC)).sum())
        return (
            f"Areas({self.source}: {counted(len(self.sets), 'set')}, {counted(self.n_runs, 'run')}; the sd "
            f"of smAUC is below that of AUC on {lower} for the tree)"
        )


def gathered(source: str, of_sets: Mapping[str, Sequence[Mapping[str, Any]]]) -> Areas:
    """The runs of every set, put together; each run is what ``run.do`` returns."""

    def stacked(*path: str) -> Floats:
        return np.array([[_inner(run, path) for run in runs] for runs in of_sets.values()], dtype=np.float64)

    return Areas(
        source=source,
        sets=tuple(of_sets),
        areas={
            name: {AUC: stacked(name, AUC), **{mid: stacked(name, "smauc", mid) for mid in MIDS}}
            for name in LEARNERS
        },
        chance={name: {mid: stacked(name, "chance", mid) for mid in MIDS} for name in LEARNERS},
        permuted={name: {mid: stacked(name, "permuted", mid) for mid in MIDS} for name in LEARNERS},
        mid={name: stacked(name, "mid") for name in LEARNERS},
        agreeing={
            name: {side: stacked(name, "agreeing", side) for side in ("positives", "negatives")}
            for name in LEARNERS
        },
        of_folds={
            name: {AUC: stacked(name, "fold_auc"), PAPER: stacked(name, "fold_smauc")} for name in LEARNERS
        },
    )


def _inner(run: Mapping[str, Any], path: Sequence[str]) -> Any:
    found: Any = run
    for name in path:
        found = found[name]
    return found
