"""Reader studies drawn from the model of Roe and Metz: level of the tests, coverage of the intervals.

Covariances of the AUCs are those that ``compare_readers`` uses, study by study; the analysis of variance then
takes all studies at once. With fixed readers the truth is that of the readers who were drawn, with fixed
cases that of the cases, both in closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from simulations.coverage.cells import Question, Shares, grid

from rocsteady.simulate import DrawnReaders, RoeMetz, patients_of, read_cells
from rocsteady.statistics import obuchowski_rockette as analysis
from rocsteady.statistics import reader_covariance
from rocsteady.statistics.limits import t_quantile
from rocsteady.statistics.obuchowski_rockette import Components, components
from rocsteady.statistics.reader_covariance import unbiased
from rocsteady.statistics.u_statistics import equality, reader_moments

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

COVARIANCES: dict[str, Callable[..., Floats]] = {
    "DeLong": reader_covariance.delong,
    "jackknife": reader_covariance.jackknife,
    "unbiased": unbiased,
}
AT_ONCE = 250
"""Studies drawn at a time."""


@dataclass(frozen=True)
class Plan:
    """How a study is done: by whom, on what, and what the ratings look like."""

    n_readers: int
    n_positives: int
    n_negatives: int
    design: str = "crossed"
    categories: int | None = None
    rows_per_patient: int = 1
    mixed_patients: bool = True

    def draw(self, study: RoeMetz, replicates: int, seed: int) -> Iterator[DrawnReaders]:
        """So many studies, a few hundred at a time."""
        for start in range(0, replicates, AT_ONCE):
            yield study.draw_arrays(
                self.n_readers,
                self.n_positives,
                self.n_negatives,
                seed=int(np.random.SeedSequence([seed, start]).generate_state(1)[0]),
                design=self.design,
                n_studies=min(AT_ONCE, replicates - start),
                rows_per_patient=self.rows_per_patient,
                mixed_patients=self.mixed_patients,
            )

    @property
    def truth(self) -> Flags:
        """Which cases are positive."""
        return np.arange(self.n_positives + self.n_negatives) < self.n_positives

    @property
    def patients(self) -> NDArray[np.int64]:
        """The patient of each case."""
        return patients_of(
            self.n_positives, self.n_negatives, self.rows_per_patient, mixed=self.mixed_patients
        )

    def ratings(self, drawn: DrawnReaders, study: RoeMetz) -> Floats:
        """Ratings of (studies, modalities, readers, cases), NaN where a case is not read."""
        ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1)
        if self.categories is not None:
            ratings = np.searchsorted(study.cuts(self.categories), ratings).astype(np.float64)
        is_read = read_cells(
            len(study.auc), self.n_readers, self.n_positives, self.n_negatives, design=self.design
        )
        return np.where(is_read, ratings, np.nan)


def analysed(
    ratings: Floats, truth: Flags, covariance: Callable[..., Floats], *clusters: NDArray[np.int64]
) -> Components:
    """Mean squares and covariances of every study."""
    shape = ratings.shape[:3]
    cells = ratings.reshape(shape[0], -1, ratings.shape[3])
    theta = np.array([reader_covariance.placed(own, truth).auc for own in cells])
    found = np.array([covariance(own, truth, *clusters) for own in cells])
    return components(theta.reshape(shape), found.reshape(*shape, *shape[1:]))


def rejected(of: Components) -> Flags:
    """Which studies find a difference, with readers and cases random."""
    return np.asarray(analysis.global_test(of).pvalue <= 0.05)


def joined(parts: list[Shares]) -> Shares:
    """Shares of several parts as those of one."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def tests(structure: str, separation: float, n_readers: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which 5 % tests reject that two modalities are alike, in the populations of Roe and Metz.

    The usual size, five readers and a hundred cases, is tried five times as often: the level promised for it
    is to be known to within 0.005.
    """
    study, plan = RoeMetz.preset(structure, separation=separation), Plan(n_readers, n, n)
    return _levels(study, plan, replicates * (5 if (n_readers, n) == (5, 50) else 1), seed)


SHAPES = {
    "five ratings": ({}, {"categories": 5}),
    "positives spread more": ({"ratio": 1.5}, {}),
    "three modalities": ({"auc": 3}, {}),
    "one in ten is positive": ({}, {"n_positives": 20, "n_negatives": 180}),
}


def shapes(shape: str, separation: float, n_readers: int, *, replicates: int, seed: int) -> Shares:
    """The same for other ratings, and for other numbers of modalities and positives."""
    of_study, of_plan = SHAPES[shape]
    study = RoeMetz.preset("HH", separation=separation, n_modalities=of_study.get("auc", 2))
    study = replace(study, ratio=of_study.get("ratio", 1.0))
    return _levels(
        study,
        Plan(**({"n_readers": n_readers, "n_positives": 50, "n_negatives": 50} | of_plan)),
        replicates,
        seed,
    )


def designs(design: str, separation: float, n_readers: int, n: int, *, replicates: int, seed: int) -> Shares:
    """The same where not everyone reads everything; n cases of each class in all."""
    study = RoeMetz.preset("HH", separation=separation)
    return _levels(study, Plan(n_readers, n, n, design=design), replicates, seed)


def _levels(study: RoeMetz, plan: Plan, replicates: int, seed: int) -> Shares:
    parts = []
    for drawn in plan.draw(study, replicates, seed):
        ratings = plan.ratings(drawn, study)
        found = {
            name: rejected(analysed(ratings, plan.truth, covariance))
            for name, covariance in COVARIANCES.items()
        }
        moments = [reader_moments(own, ~np.isnan(own), plan.truth) for own in ratings]
        parts.append(found | {"U-statistics": np.array([equality(own).pvalue <= 0.05 for own in moments])})
    return joined(parts)


def intervals(area: float, n_readers: int, n: int, *, replicates: int, seed: int) -> Shares:
    """Which intervals hold the difference of two modalities, by what is random."""
    study, plan = RoeMetz(auc=(area, area - 0.05), var_r=0.03, var_tr=0.03), Plan(n_readers, n, n)
    parts = []
    for drawn in plan.draw(study, replicates, seed):
        of = analysed(plan.ratings(drawn, study), plan.truth, reader_covariance.delong)
        truths = {
            "readers and cases": (study.true_auc(), "random", "random"),
            "cases": (drawn.auc.mean(axis=2), "fixed", "random"),
            "readers": (study.auc_of_cases(drawn), "random", "fixed"),
        }
        parts.append({name: _holds_difference(of, *asked) for name, asked in truths.items()})
    return joined(parts)


def _holds_difference(of: Components, truth: Floats, readers: str, cases: str) -> Flags:
    error, df = analysis.difference_error(of, 0, 1, readers=readers, cases=cases)
    off = of.means[:, 0] - of.means[:, 1] - (truth[..., 0] - truth[..., 1])
    return np.asarray(np.abs(off) <= t_quantile(df, 0.95) * error)


PATIENTS = {"of both classes": True, "of one class": False}


def patients(
    rows: str, area: float, n_readers: int, n_patients: int, *, replicates: int, seed: int
) -> Shares:
    """Which 5 % tests reject, where so many patients have three cases of a class, or of each."""
    study = RoeMetz((area, area), 0.01, 0.01, var_c=0.2, var_tc=0.6, var_rc=0.1, var_trc=0.1)
    mixed = PATIENTS[rows]
    n = 3 * n_patients if mixed else 3 * n_patients // 2
    plan = Plan(n_readers, n, n, rows_per_patient=3, mixed_patients=mixed)
    parts = []
    for drawn in plan.draw(study, replicates, seed):
        ratings = plan.ratings(drawn, study)
        asked = {
            "DeLong, patients": (reader_covariance.delong, plan.patients),
            "jackknife, patients": (reader_covariance.jackknife, plan.patients),
            "DeLong, rows": (reader_covariance.delong,),
        }
        parts.append({name: rejected(analysed(ratings, plan.truth, *how)) for name, how in asked.items()})
    return joined(parts)


SEPARATIONS = (0.75, 1.5, 2.5)
QUESTIONS = (
    Question(
        "readers_tests",
        0.05,
        grid(
            structure=("HL", "LL", "HH", "LH"),
            separation=SEPARATIONS,
            n_readers__n=((3, 50), (5, 25), (5, 50), (10, 50)),
        ),
        tests,
    ),
    Question(
        "readers_shapes",
        0.05,
        grid(shape=tuple(SHAPES), separation=(0.75, 2.5), n_readers=(5,)),
        shapes,
    ),
    Question(
        "readers_designs",
        0.05,
        grid(
            design=("nested in readers", "nested in modalities", "partially paired", "readers nested"),
            separation=(0.75, 2.5),
            n_readers__n=((5, 60),),
        ),
        designs,
    ),
    Question(
        "readers_intervals",
        0.95,
        grid(area=(0.75, 0.85, 0.95), n_readers__n=((3, 50), (5, 50), (10, 50), (5, 200))),
        intervals,
    ),
    Question(
        "readers_patients",
        0.05,
        grid(rows=tuple(PATIENTS), area=(0.75, 0.9), n_readers=(5,), n_patients=(20, 50)),
        patients,
    ),
)
