"""The whole reproduction of Klement and others: numbers, checks, claims, figures."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from papers.checks import Check, Checks
from papers.reproduction import Reproduction, Tabulated, picture_files
from papers.smroc import expectations, formulas, tables
from papers.smroc.analysis import weka
from papers.smroc.analysis.results import Areas
from papers.smroc.analysis.significance import (
    OverSets,
    PerSet,
    per_set,
    spread_questions,
)
from papers.smroc.claims import claims
from papers.smroc.drawings import (
    draw_figure_2,
    draw_figure_3,
    draw_figure_6,
    draw_figure_7,
    draw_mid_profile,
    draw_similar,
)
from papers.smroc.experiment.all_sets import Experiment, run_experiment
from papers.smroc.experiment.cache import open_cache
from papers.smroc.experiment.files import Found, find, needed
from papers.smroc.experiment.processes import Progress
from papers.smroc.formulas import Movies
from papers.smroc.notes import FIGURE_2, notes
from papers.smroc.parameters import FEWEST_SETS, N_RUNS, N_RUNS_QUICK, NB, PET, QUICK_SETS
from papers.smroc.sets import Set, table_1
from rocsteady.options import yes_or_no
from rocsteady.words import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES = ("figure_2", "figure_3", "figure_4", "figure_5", "figure_6", "figure_7", "mid_profile")
FIGURES_OF_WEKA = ("figure_4_weka", "figure_5_weka", "figure_7_weka")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SmrocReproduction(Reproduction):
    """What was computed again.

    Attributes
    ----------
    is_quick, checks, notes, skipped, damaged, claims
        As for every reproduction; Figures 4 to 7 are skipped where their data are missing.
    movies : Movies
        Figures 2 and 3.
    areas : Areas or None
        Figures 4, 5 and 7: areas under all curves of our learners.
    weka : Areas or None
        The same from Weka's scores.
    tests : dict
        The paired tests that the paper left out, set by set, by question; of our learners.
    over_sets : dict
        Its tests over sets, by question; of our learners.
    """

    paper: ClassVar[str] = (
        "Klement, Flach, Japkowicz and Matwin, Smooth Receiver Operating Characteristics (smROC) Curves"
    )
    movies: Movies
    areas: Areas | None
    weka: Areas | None
    tests: dict[str, PerSet]
    over_sets: dict[str, OverSets]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            **super().to_dict(),
            "figure 2": {
                "curve": self.movies.curve.to_dict(),
                "sAUC": self.movies.scored,
                "appropriateness": self.movies.curve.appropriateness.to_dict(),
                "note": FIGURE_2,
            },
            "areas": None if self.areas is None else self.areas.to_dict(),
            "areas from Weka's scores": None if self.weka is None else self.weka.to_dict(),
            "tests": [own.to_dict() for own in self.tests.values()],
            "tests over sets": [own.to_dict() for own in self.over_sets.values()],
        }

    def tables(self) -> list[Tabulated]:
        """The sets; areas by set, the choice of Mid, differences, tests; then the same from Weka's scores."""
        own = self.areas
        found = (
            [] if own is None else [tables.of_sets(own.sets), *tables.of_areas(own), tables.beside_weka(own)]
        )
        return found if self.weka is None else [*found, *tables.of_areas(self.weka)]


def picture_names() -> list[str]:
    """The files that :meth:`SmrocReproduction.pictures` makes; from Figure 4 on where the data are."""
    return picture_files((*FIGURES, *FIGURES_OF_WEKA))


def reproduce_smroc(
    *,
    quick: bool = False,
    data: str | os.PathLike[str] | None = None,
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
) -> SmrocReproduction:
    """Run the experiments, judge the claims, hold the numbers against the stored expectations.

    Parameters
    ----------
    quick : bool
        Eight sets and five runs instead of all sets and ten; claims about most sets are left out.
    data : path, optional
        The folder that holds the sets as ``uci/NAME.csv`` or ``NAME.csv``; by default that of the environment
        variable ROCSTEADY_DATA. Without it only the parts that need no data are computed.
    cache : path, optional
        Where finished runs are kept, so that one that was stopped goes on: by default the folder of the
        environment variable ROCSTEADY_CACHE, else the user's cache folder.
    progress : callable, optional
        Called with runs done, runs in all, and what was done.
    workers : int, optional
        Processes; by default one for each processor. No number depends on it. In a script, call this under
        ``if __name__ == "__main__":``, because processes import the script.

    Raises
    ------
    MissingFileError
        RS051 if a folder is named that does not exist or holds none of the sets.
    MissingPackageError
        RS061 if there are data but no scikit-learn.
    FileError
        RS055 if the cache folder that was named cannot be written.
    """
    quick = yes_or_no("quick", quick)
    sets = tuple(own for own in table_1() if not quick or own.abbr in QUICK_SETS)
    files = find(sets, data)  # a folder without the files is said before the work
    n_runs = N_RUNS_QUICK if quick else N_RUNS
    experiment, said = None, ""
    if files.paths:
        kept = open_cache(cache)
        said = kept.note
        experiment = run_experiment(sets, files.paths, n_runs, cache=kept, workers=workers, progress=progress)
    path, problem = weka.find(files.folder)
    from_weka = None if path is None else weka.areas(path, tuple(own.abbr for own in sets), n_runs)
    return _assembled(quick, files, sets, experiment, from_weka, said, problem)


def _assembled(
    quick: bool,
    files: Found,
    sets: tuple[Set, ...],
    experiment: Experiment | None,
    from_weka: Areas | None,
    said: str,
    problem: str,
) -> SmrocReproduction:
    expected = expectations.stored()
    movies = formulas.movies()
    areas = None if experiment is None else experiment.areas
    checks: list[Check] = formulas.checks()
    if areas is not None:
        checks += expectations.checks(areas, expected, is_complete=len(areas.sets) == len(sets))
    if from_weka is not None and not quick:
        checks += expectations.weka_checks(from_weka, expected)
    skipped = [weka.NEEDED] if from_weka is None and not problem else []
    skipped += _too_few(areas if areas is not None else from_weka, quick)
    missing = needed(files, sets)  # what was named and is not there is an error; else it is only said
    named_and_missing, skipped = (missing, skipped) if files.folder else ((), [*missing, *skipped])
    return SmrocReproduction(
        is_quick=quick,
        checks=Checks(tuple(checks)),
        notes=(*notes(areas, from_weka, sets), *([said] if said else [])),
        skipped=tuple(skipped),
        claims=claims(areas, from_weka),
        damaged=(*files.damaged, *named_and_missing, *([problem] if problem else [])),
        movies=movies,
        areas=areas,
        weka=from_weka,
        tests={} if areas is None else per_set(areas),
        over_sets={} if areas is None else spread_questions(areas),
        _drawings=_drawings(movies, experiment, None if quick else from_weka),
    )


def _too_few(judged: Areas | None, quick: bool) -> list[str]:
    """What cannot be said of few sets."""
    if judged is None or len(judged.sets) >= FEWEST_SETS:
        return []
    n = counted(len(judged.sets), "set")
    return [
        f"Claims about most sets (sections 4.1, 4.2 and 5) need at least {FEWEST_SETS} of them; "
        + (f"a quick run has {len(QUICK_SETS)}." if quick else f"there were {n}.")
    ]


def _drawings(
    movies: Movies, experiment: Experiment | None, from_weka: Areas | None
) -> dict[str, Callable[[], Figure]]:
    drawings: dict[str, Callable[[], Figure]] = {
        "figure_2": partial(draw_figure_2, movies),
        "figure_3": partial(draw_figure_3, movies),
    }
    if experiment is not None:
        drawings |= _drawings_of(experiment.areas, "")
        if experiment.shown:
            drawings["figure_6"] = partial(draw_figure_6, experiment.shown)
            drawings["mid_profile"] = partial(draw_mid_profile, experiment.shown)
    if from_weka is not None:
        drawings |= _drawings_of(from_weka, "_weka")
    return {name: drawings[name] for name in (*FIGURES, *FIGURES_OF_WEKA) if name in drawings}


def _drawings_of(areas: Areas, ending: str) -> dict[str, Callable[[], Figure]]:
    return {
        f"figure_4{ending}": partial(draw_similar, areas, PET),
        f"figure_5{ending}": partial(draw_similar, areas, NB),
        f"figure_7{ending}": partial(draw_figure_7, areas),
    }
