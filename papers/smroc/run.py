"""The whole reproduction of Klement and others: numbers, checks, claims, tables, figures.

    python -m papers.smroc.run DIR

prints ``expected.json``, what the runs should find: a long run of our own over other folds, with the data
sets from ``DIR/uci``, and Weka's numbers from ``DIR/golden/weka_table1_auc_smauc.json``. It takes about ten
minutes on two processors.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from papers.paper import Check, Figure, Progress, Reproduction, Table, rounded, simulated, stored
from papers.smroc import formulas, shown
from papers.smroc.areas import (
    SPELLED,
    WEKA_NEEDED,
    Areas,
    areas_of_weka,
    find_weka,
    gathered,
    per_set,
    spread_questions,
)
from papers.smroc.claims import FEWEST_SETS, SAME_FACTOR, SHOWN, claims
from papers.smroc.runs import AUC, HALF, N_FOLDS, NB, PAPER, PET, Cache, Task, quiet_curve, run_all
from papers.smroc.sets import Set, find, needed, table_1, unavailable
from rocsteady.curves.smroc import SmrocCurve
from rocsteady.options import yes_or_no
from rocsteady.words import counted, listed

TITLE = "Klement, Flach, Japkowicz and Matwin, Smooth Receiver Operating Characteristics (smROC) Curves"
FIGURES = (
    *("figure_2", "figure_3", "figure_4", "figure_5", "figure_6", "figure_7", "mid_profile"),
    *("figure_4_weka", "figure_5_weka", "figure_7_weka"),
)
N_RUNS, N_RUNS_QUICK = 10, 5
QUICK_SETS = ("prom", "echo", "hepa", "hart", "iono", "tic", "oz8h", "oz1h")
FIRST_SEED = 1
"""Of the folds of the first run; the others follow. The long run behind expected.json starts elsewhere."""
LEARNERS = (NB, PET)


def reproduce_smroc(
    *,
    quick: bool = False,
    data: str | os.PathLike[str] | None = None,
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
) -> Reproduction:
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
        environment variable ROCSTEADY_CACHE; without either nothing is kept.
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
    areas: Areas | None = None
    curves: dict[str, list[SmrocCurve]] = {}
    if files.paths:
        areas, curves = run_experiment(
            sets, files.paths, n_runs, cache=Cache(cache), workers=workers, progress=progress
        )
    path, problem = find_weka(files.folder)
    weka = None if path is None else areas_of_weka(path, [own.abbr for own in sets], n_runs)
    expected, checks = stored(__file__), formulas.checks()
    figures, tables = formulas.figures(), list[Table]()
    if areas is not None:
        checks += long_run_checks(areas, expected, is_complete=len(areas.sets) == len(sets))
        figures += shown.figures_of(areas)
        figures += shown.figures_of_curves(SHOWN, curves) if curves else []
        tables += [shown.table_of_sets(areas.sets), *_tables(areas), beside_weka(areas, expected)]
    if weka is not None:
        tables += _tables(weka)
    if weka is not None and not quick:
        checks += weka_checks(weka, expected)
        figures += shown.figures_of(weka, "_weka")
    missing = needed(files, sets)  # what was named and is not there is an error; else it is only said
    left_out = [WEKA_NEEDED] if weka is None and not problem else []
    left_out += _too_few(areas, quick)
    return Reproduction(
        name="smroc",
        paper=TITLE,
        is_quick=quick,
        checks=tuple(checks),
        claims=claims(areas),
        tables=tuple(tables),
        figures=tuple(sorted(figures, key=_place)),
        notes=notes(areas, weka, sets),
        skipped=tuple(left_out if files.folder else [*missing, *left_out]),
        damaged=(*files.damaged, *(missing if files.folder else ()), *([problem] if problem else [])),
        numbers={
            "figure 2": formulas.numbers(),
            "areas": areas,
            "areas from Weka's scores": weka,
            "tests": {} if areas is None else _tests(areas),
        },
    )


def run_experiment(
    sets: Sequence[Set],
    paths: Mapping[str, Path],
    n_runs: int,
    *,
    cache: Cache,
    workers: int | None = None,
    progress: Progress | None = None,
    first_seed: int = FIRST_SEED,
) -> tuple[Areas, dict[str, list[SmrocCurve]]]:
    """All runs of the sets whose files are there; the curves of Figure 6. RS061 without scikit-learn."""
    from papers import learners  # noqa: F401 - said here, not by every process

    tasks = [
        Task(own.abbr, (own, paths[own.abbr]), seed, keeps_scores=own.abbr == SHOWN)
        for own in sets
        if own.abbr in paths
        for seed in range(first_seed, first_seed + n_runs)
    ]
    by_set = run_all(tasks, cache=cache, workers=workers, progress=progress)
    runs = by_set.get(SHOWN, [])
    curves = {
        own: [quiet_curve(run[own]["is_positive"], run[own]["scores"]) for run in runs]
        for own in (LEARNERS if runs else ())
    }
    return gathered("our learners", by_set), curves


def _tables(found: Areas) -> list[Table]:
    figures = {PET: "Figure 4: ", NB: "Figure 5: ", "difference": "Figure 7: "}
    return shown.tables(found, figures)


def _place(figure: Figure) -> int:
    return FIGURES.index(figure.name)


def _tests(found: Areas) -> dict[str, Any]:
    of_sets = [{**own._asdict(), "sets": list(found.sets)} for own in per_set(found).values()]
    return {"of sets": of_sets, "over sets": [own._asdict() for own in spread_questions(found).values()]}


def _too_few(judged: Areas | None, quick: bool) -> list[str]:
    """What cannot be said of few sets."""
    if judged is None or len(judged.sets) >= FEWEST_SETS:
        return []
    n = f"a quick run has {len(QUICK_SETS)}" if quick else f"there were {counted(len(judged.sets), 'set')}"
    return [f"Claims about most sets (sections 4.1, 4.2 and 5) need at least {FEWEST_SETS} of them; {n}."]


# Checks ---------------------------------------------------------------------------------------------------

SPECIFIED = {AUC: (0.82, 0.01), PAPER: (0.94, 0.01), "permuted, paper": (0.93, 0.01), "mid": (2.9, 0.1)}
"""Naive Bayes on oz8h: about how much, and one unit of the last digit that is given."""
CHECKED = (AUC, PAPER)
CHECKED_MORE = {"oz8h": (HALF, "mid", "permuted, paper"), "oz1h": (HALF, "mid", "permuted, paper")}
"""Where Mid matters."""
STORED_DIGITS = 1e-9
IN_WEKA = {AUC: "auc", PAPER: "sm", HALF: "sm_half"}
"""What its columns are called in the file of its numbers."""
WEKA_TOLERANCE = {NB: 0.01, PET: 0.03}
"""Of the median gap between two programs, which differ in detail; each gap is in the table."""


def said(quantity: str) -> str:
    """A quantity in words."""
    return SPELLED.get(quantity, "smAUC, labels shuffled")


def long_run_checks(found: Areas, expected: Mapping[str, Any], *, is_complete: bool = True) -> list[Check]:
    """Means over runs against those of the long run; naive Bayes on oz8h as specified; Weka's, loosely.

    The median gap to Weka's is that of the sets that were chosen; it is not looked at if some were left out.
    """
    n, n_long = found.n_runs, expected["long run"]["n_runs"]
    source = f"spread over folds, {n} and {n_long} runs"
    checks = []
    for i, name in enumerate(found.sets):
        for learner in LEARNERS:
            for quantity in (*CHECKED, *CHECKED_MORE.get(name, ())):
                wanted = expected["long run"]["sets"][name][learner][quantity]
                mean, error = found.mean(learner, quantity)[i], wanted["sd"] * np.sqrt(1 / n + 1 / n_long)
                label = f"{name}, {learner}: {said(quantity)}"
                check = simulated(
                    "Means over runs", label, wanted["mean"], mean, error, source, df=n_long - 1
                )
                # A set that is told apart without a fault varies not at all; nine digits are stored.
                checks.append(replace(check, tolerance=check.tolerance + STORED_DIGITS))
    if SHOWN in found.sets:
        source = "given as about so much: one unit of its last digit"
        for quantity, (value, rounding) in SPECIFIED.items():
            mean = float(found.mean(NB, quantity)[found.sets.index(SHOWN)])
            label = f"{SHOWN}, {NB}: {said(quantity)}"
            checks.append(Check("As specified", label, value, mean, rounding, source))
    return [*checks, *(_gaps_to_weka(found, expected) if is_complete else ())]


def _gaps_to_weka(found: Areas, expected: Mapping[str, Any]) -> Iterator[Check]:
    source = "allowance for another program (see the table)"
    for learner in LEARNERS:
        for space in IN_WEKA:
            gaps = np.abs(weka_gaps(found, expected, learner, space))
            name = f"{learner}: median gap of {said(space)} to Weka's over {len(gaps)} sets"
            yield Check("Beside Weka", name, 0.0, float(np.median(gaps)), WEKA_TOLERANCE[learner], source)


def weka_gaps(found: Areas, expected: Mapping[str, Any], learner: str, space: str, what: str = "mean") -> Any:
    """Our means (or spreads) less Weka's, for each set."""
    wanted = [expected["weka"]["sets"][name][learner][space][what] for name in found.sets]
    return getattr(found, what)(learner, space) - np.array(wanted)


def weka_checks(found: Areas, expected: Mapping[str, Any]) -> list[Check]:
    """The areas under curves of Weka's own scores: made elsewhere from the same file."""
    source = "the same scores, another program; nine digits are stored"
    results = []
    for learner in LEARNERS:
        for space in IN_WEKA:
            for what in ("mean", "sd"):
                gap = float(np.abs(weka_gaps(found, expected, learner, space, what)).max())
                label = f"{learner}: {what} of {said(space)}, largest gap over {len(found.sets)} sets"
                results.append(Check("From Weka's scores", label, 0.0, gap, STORED_DIGITS, source))
    return results


def beside_weka(found: Areas, expected: Mapping[str, Any]) -> Table:
    """Our averages less those of Weka, which nobody here wrote."""
    sides = [(learner, space) for learner in LEARNERS for space in CHECKED]
    columns = [weka_gaps(found, expected, *side) for side in sides]
    rows = tuple((name, *(f"{column[i]:+.4f}" for column in columns)) for i, name in enumerate(found.sets))
    return Table(
        "Our averages less those of Weka 3.6.14 (NaiveBayes, J48 -U -A) on the same files. Our tree asks "
        "about one level of a nominal feature at a time, where J48 splits into all of them (tic), chooses "
        "splits by information gain instead of gain ratio (prks, hart) and asks no least gain of a numeric "
        "split (habr, blod).",
        ("set", *(f"{learner}, {said(space)}" for learner, space in sides)),
        rows,
    )


# Notes ----------------------------------------------------------------------------------------------------


def notes(areas: Areas | None, weka: Areas | None, sets: tuple[Set, ...]) -> tuple[str, ...]:
    """What a reader of the claims has to know; what is about the experiment only if there was one."""
    found = [
        "Figure 2: of the scores of the six movies 0.99 and 0.7 are the paper's, in its text; the others are "
        "ours. sAUC is the scored AUC of Wu, Flach and Ferri (2007)."
    ]
    constant = ""
    if areas is not None:
        present = [own for own in sets if own.abbr in areas.sets]
        differing = [f"{own.abbr}: {own.differs}" for own in present if own.differs]
        left_out = listed([f"{own.abbr} ({own.name})" for own in unavailable()])
        found += [
            "NB and PET are learners written here (papers.learners); the paper does not name its programs. "
            "NB is naive Bayes, with a normal density for each numeric feature and Laplace-smoothed shares "
            "for each nominal one. PET is a probability estimation tree: by entropy, unpruned, with "
            f"Laplace-corrected leaves. Each run of {N_FOLDS}-fold cross-validation gives one curve per "
            "learner, of the scores of all its folds; both learners have the same folds.",
            f"Data sets: {listed([f'{own.abbr} {own.name}' for own in present], most=30)}. Of Table 1 "
            f"{left_out} is left out, for want of a complete copy.",
            *([f"Where copies differ from Table 1: {' '.join(differing)}"] if differing else []),
        ]
        never = [
            name for name, sd in zip(areas.sets, areas.sd(PET, AUC).tolist(), strict=True) if sd <= 1e-12
        ]
        constant = f" On {listed(never)} AUC of PET never varies: no ratio to its sd." if never else ""
    if weka is not None:
        found.append(
            f"From Weka's scores: the same analysis of {listed(list(weka.sets), most=30)}, scored by "
            "NaiveBayes and J48 -U -A of Weka 3.6.14. That file of scores is not public, and no verdict "
            "rests on it."
        )
    if areas is not None or weka is not None:
        found += [
            "Most of the sets are more than two thirds of them. Standard deviations (sd) over runs are "
            "higher above their median over sets, else low, and the same within a factor of "
            f"{SAME_FACTOR:g}.{constant} Signed ranks is Wilcoxon's test with one pair for each set; Pitman "
            "and Morgan's test compares two sds of the same runs.",
            "Runs split the same rows again and again, so the plain paired t test over runs only says "
            "whether a difference depends on the split. The corrected one speaks of new rows: it takes all "
            "folds and adds test rows / training rows to 1 / n (Nadeau & Bengio 2003; Bouckaert & Frank "
            "2004).",
        ]
    return tuple(found)


# What should be found -------------------------------------------------------------------------------------

LONG_SEED, LONG_RUNS = 10**6, 30
WEKA_NUMBERS = Path("golden") / "weka_table1_auc_smauc.json"


def expected(data: str | Path, n_runs: int = LONG_RUNS, progress: Progress | None = None) -> dict[str, Any]:
    """The numbers of ``expected.json`` again, each with where it comes from."""
    sets = table_1()
    files = find(sets, data)
    if len(files.paths) < len(sets):
        raise SystemExit("\n".join([f"not there: {', '.join(files.missing)}", *files.damaged]))
    areas, _ = run_experiment(
        sets, files.paths, n_runs, cache=Cache(), first_seed=LONG_SEED, progress=progress
    )
    long_run = {
        name: {
            learner: {quantity: own[quantity] for quantity in (*CHECKED, *CHECKED_MORE.get(name, ()))}
            for learner, own in of_set.items()
        }
        for name, of_set in areas.readings().items()
    }
    summary = json.loads((Path(data) / WEKA_NUMBERS).read_text(encoding="utf-8"))["summary"]
    weka = {
        row["set"]: {
            learner: {
                space: {what: row[f"{learner}_{name}_{what}"] for what in ("mean", "sd")}
                for space, name in IN_WEKA.items()
            }
            for learner in LEARNERS
        }
        for row in summary
    }
    source = f"our own long run, seeds from {LONG_SEED}; sd over runs"
    of_weka = "Weka 3.6.14, NaiveBayes and J48 -U -A, ten runs of stratified 10-fold cross-validation"
    return {
        "long run": {"source": source, "n_runs": n_runs, "sets": long_run},
        "weka": {"source": of_weka, "sets": weka},
    }


if __name__ == "__main__":
    print(json.dumps(rounded(expected(sys.argv[1])), indent=1))
