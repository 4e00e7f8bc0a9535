"""Reader studies through the front door: rates, partial areas, average curves, one modality, a program.

Drawn from the model of Roe and Metz, whose mean curve is known. The readers differ more than in most of its
populations.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from simulations.coverage.cells import Question, Shares, grid
from simulations.coverage.populations import holds, without_notes

import rocsteady as rs
from rocsteady.simulate import DrawnReaders, RoeMetz

RESAMPLES = 200
FPR = (0.05, 0.1, 0.3)
VARIANCE = 0.02
"""Of readers, and of readers within modalities."""


def population(*areas: float, standalone_auc: float = 0.8) -> RoeMetz:
    """One of the populations, with as many modalities as there are areas."""
    return RoeMetz(areas, var_r=VARIANCE, var_tr=VARIANCE, standalone_auc=standalone_auc)


def seeds(seed: int, replicates: int) -> Iterator[int]:
    """One for each study."""
    yield from np.random.SeedSequence(seed).generate_state(replicates).tolist()


def stacked(rows: list[dict[str, bool]]) -> Shares:
    """One array for each method."""
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


MEASURES = {
    "AUC": {},
    "partial AUC": {"measure": rs.PartialAuc(fpr=(0, 0.2))},
    "sensitivity at specificity 0.9": {"measure": {"specificity": 0.9}},
}


def measures(area: float, n_readers: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which 5 % tests reject that two modalities are alike, for several measures of a reader."""
    study = population(area, area)
    threshold = {"threshold": float(study.separation[0]) / 2, "rate": "sensitivity"}
    asked = MEASURES | {"sensitivity at a threshold": {"measure": threshold}}
    rows = []
    with without_notes():
        for own in seeds(seed, replicates):
            drawn = study.draw(n_readers, n, n, seed=own)
            found = {
                name: rs.compare_readers(drawn, **how, n_resamples=RESAMPLES, threads=1).pvalue
                for name, how in asked.items()
            }
            rows.append({name: bool(pvalue <= 0.05) for name, pvalue in found.items()})
    return stacked(rows)


def means(area: float, n_readers: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals hold the mean AUC of one modality."""
    study = population(area)
    rows = []
    with without_notes():
        for own in seeds(seed, replicates):
            drawn, arrays = study.draw(n_readers, n, n, seed=own), _arrays(study, n_readers, n, own)
            truths = {
                "readers and cases": ({}, area),
                "readers and cases, t": ({"interval": "t"}, area),
                "cases": ({"readers": "fixed"}, float(arrays.auc.mean())),
                "readers": ({"cases": "fixed"}, float(study.auc_of_cases(arrays)[0])),
            }
            rows.append(
                {
                    name: bool(holds(rs.summarize_readers(drawn, **how).per_modality.intervals[0], truth))
                    for name, (how, truth) in truths.items()
                }
            )
    return stacked(rows)


def _arrays(study: RoeMetz, n_readers: int, n: int, seed: int) -> DrawnReaders:
    """The same study again, with what is true of its readers and of its cases."""
    return study.draw_arrays(n_readers, n, n, seed=seed)


def standalone(area: float, n_readers: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals hold the AUC of a program, better by 0.03, less the mean AUC of the readers."""
    study = population(area, standalone_auc=area + 0.03)
    rows = []
    with without_notes():
        for own in seeds(seed, replicates):
            drawn = study.draw(n_readers, n, n, seed=own, standalone=True)
            of_readers = float(_arrays(study, n_readers, n, own).auc.mean())
            truths = {"readers and cases": ("random", area), "cases": ("fixed", of_readers)}
            rows.append(
                {
                    name: bool(
                        holds(
                            rs.compare_readers(drawn, standalone="AI", readers=readers)
                            .differences[0]
                            .interval,
                            study.standalone_auc - truth,
                        )
                    )
                    for name, (readers, truth) in truths.items()
                }
            )
    return stacked(rows)


def curves(area: float, n_readers: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals hold the TPR of the average curve at some FPRs, readers and cases random."""
    study = population(area, area)
    truth = study.mean_tpr(np.array(FPR))[0]
    held = []
    with without_notes():
        for own in seeds(seed, replicates):
            found = rs.compare_readers(
                study.draw(n_readers, n, n, seed=own), n_resamples=RESAMPLES, threads=1
            )
            point = found.average_curve("modality 1").at(fpr=np.array(FPR))
            held.append(holds(point.interval, truth))
    return {f"at {fpr}": np.array(held)[:, i] for i, fpr in enumerate(FPR)}


SIZES = ((3, 50), (5, 50), (10, 50), (5, 200))
QUESTIONS = (
    Question("readers_means", 0.95, grid(area=(0.75, 0.85, 0.95), n_readers__n=SIZES), means),
    Question("readers_measures", 0.05, grid(area=(0.75, 0.9), n_readers__n=SIZES[:3]), measures),
    Question("readers_standalone", 0.95, grid(area=(0.75, 0.9), n_readers__n=SIZES), standalone),
    Question("readers_curves", 0.95, grid(area=(0.75, 0.9), n_readers__n=SIZES), curves),
)
