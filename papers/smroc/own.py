"""The experiment of the paper on data of your own, with learners of your own.

>>> import numpy as np
>>> from papers.smroc import experiment
>>> random = np.random.default_rng(1)
>>> y = np.arange(200) % 4 == 0
>>> X = random.normal(size=(200, 3)) + y[:, None]
>>> study = experiment({"mine": (X, y)}, runs=2, folds=5, workers=1)
>>> study
Study(1 set, 2 runs of 5 folds, learners NB and PET)
>>> print(study.tables[1].headings, study.tables[1].rows)
('set', 'AUC', 'sd', 'smAUC', 'sd') (('mine', '0.8035', '0.0015', '0.7410', '0.0094'),)
>>> study.score_set("mine")
ScoreSet(10 folds, 2 models, 800 rows, 200 positives)
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

import rocsteady as rs
from papers.paper import Figure, Progress, Reproduction, Table
from papers.smroc import shown
from papers.smroc.areas import Areas, gathered
from papers.smroc.runs import N_FOLDS, Cache, Task, paper_learners, run_all
from papers.smroc.sets import Table as Rows
from papers.smroc.sets import numbers_of
from rocsteady.curves.readings import require_both_classes
from rocsteady.errors import RocsteadyWarning, fail
from rocsteady.options import whole_number
from rocsteady.results import TableResult
from rocsteady.scores.files import first_rows, located, read_header
from rocsteady.scores.frames import columns_of, require_columns
from rocsteady.words import counted, grouped, listed, printable

MISSING = frozenset({"", "?", "NA", "NaN", "nan", "None", "<NA>", "NaT"})
"""Cells that say that there is no value."""
FIGURES = ("similar_1", "similar_2", "difference_1")
"""Of the paper's two learners."""
_MOST_ROWS = 10**9
FEWEST_GROUPS = 3
"""Data sets over which there is an interval."""


@dataclass(frozen=True, eq=False, repr=False)
class Study(TableResult):
    """The experiment on some data sets. Made by :func:`experiment`; its frame is that of the areas.

    Attributes
    ----------
    areas : Areas
        AUC, smAUC by its Mid, chance levels and appropriateness of every set, run and learner.
    n_folds : int
    data : dict
        The data sets as learners take them, by name.
    scores, over_sets : dict of ScoreSet, ScoreSet
        The scores of all runs by set, and those of the first run with sets as groups: :meth:`score_set`.
    """

    areas: Areas
    n_folds: int
    data: Mapping[str, Rows]
    scores: Mapping[str, rs.ScoreSet]
    over_sets: rs.ScoreSet

    _line = "{areas.sets:count set}, {areas.n_runs} runs of {n_folds} folds, learners {areas.learners:list}"
    _untold = ("data", "scores", "over_sets")

    def _columns(self) -> Mapping[str, Sequence[Any]]:
        return self.areas._columns()

    def score_set(self, name: str | None = None) -> rs.ScoreSet:
        """The scores of a set: every learner is a model, every run a repeat of the cross-validation.

        Without a name the sets are the groups, with the scores of the first run: what is then random is the
        data set. For :func:`rocsteady.compare_smauc`, :func:`rocsteady.summarize_smauc`,
        :func:`rocsteady.compare`, ``rs.Study`` and everything else that takes scores.
        """
        if name is not None and name not in self.scores:
            raise fail("RS002.named-set", name=name, known=list(self.scores))
        return self.over_sets if name is None else self.scores[name]

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The paper's: data sets, averages and spreads, choices of Mid, appropriateness, differences."""
        return (self._of_data(), *shown.tables(self.areas), self._on_new_rows())

    def _of_data(self) -> Table:
        """Table 1 of the paper, and what a learner meets in the cells."""
        rows = []
        for name, own in self.data.items():
            (n, n_features), n_positives = own.features.shape, int(own.is_positive.sum())
            counts = (n, n_positives, n - n_positives, n_features, len(own.nominal))
            share, n_missing = f"{100 * n_positives / n:.0f}", int(np.isnan(own.features).sum())
            rows.append((name, *map(grouped, counts), share, grouped(n_missing)))
        headings = ("set", "n", "+", "−", "features", "nominal", "% +", "missing cells")
        return Table("Data sets, as in Table 1 of the paper", headings, tuple(rows))

    def _on_new_rows(self) -> Table:
        """What folds of all runs say of new rows, and data sets of new data sets (Mid 1/2)."""
        rows: list[tuple[str, ...]] = []
        asked = [
            *self.scores.items(),
            *([("all", self.over_sets)] if len(self.scores) >= FEWEST_GROUPS else []),
        ]
        for name, own in asked:
            with warnings.catch_warnings():  # the caption says what RS298 and RS299 warn of
                warnings.simplefilter("ignore", RocsteadyWarning)
                for learner in self.areas.learners:
                    found = rs.summarize_smauc(own.model(learner), mid=0.5)
                    cells = (f"{found.estimate:.3f}", _limits(found.interval), f"{found.pvalue:.2g}")
                    rows.append((name, learner, *cells))
                for a, b in self.areas.pairs:
                    between: Any = rs.compare_smauc(own, a, b, mid=0.5)
                    found = between.smauc
                    cells = (f"{found.difference:+.3f}", _limits(found.interval), f"{found.pvalue:.2g}")
                    rows.append((name, f"{a} less {b}", *cells))
        return Table(
            "smAUC with Mid 1/2 on new rows: mean over the folds of all runs, 95 % interval and p-value, "
            "corrected for training rows that folds share. The p-value of one learner is that of no "
            "information in its scores. smAUCs of folds vary more than this allows for (RS299): read it as "
            f"one about the models trained here. About learners speak several data sets ({FEWEST_GROUPS} or "
            "more: all).",
            ("set", "learner", "smAUC", "95 % CI", "p"),
            tuple(rows),
        )

    def reproduction(self) -> Reproduction:
        """The same as what a page shows; ``papers.files.write_paper`` writes it."""
        figures = []
        runs = f"{self.areas.n_runs} runs of {self.n_folds}-fold cross-validation"
        for number, learner in enumerate(self.areas.learners, start=1):
            draw = partial(shown.picture_of_similar, self.areas, learner)
            caption = f"Similar {shown.called(learner)} models from {runs}"
            figures.append(Figure(f"similar_{number}", caption, "as Figures 4 and 5 of the paper.", draw))
        for number, (a, b) in enumerate(self.areas.pairs, start=1):
            draw = partial(shown.picture_of_difference, self.areas, a, b)
            caption = f"AUC difference for {shown.called(a)} and {shown.called(b)} models"
            figures.append(Figure(f"difference_{number}", caption, "as Figure 7 of the paper.", draw))
        return Reproduction(
            name="smroc",
            paper=f"The smROC experiment on data of your own: {listed(self.areas.sets, most=10)}",
            tables=self.tables,
            figures=tuple(figures),
            notes=NOTES,
            numbers={"areas": self.areas},
        )


NOTES = (
    "Each run of the cross-validation gives one curve per learner, of the scores of all its folds; all "
    "learners have the same folds. Runs split the same rows again and again: the test over runs only says "
    "whether a difference depends on the split, the corrected one speaks of new rows (Nadeau & Bengio 2003; "
    "Bouckaert & Frank 2004).",
    "smAUC has no chance level of 1/2: read it beside its value with the labels shuffled. Where the paper's "
    "Mid lies above 1, every positive counts as low; the columns with Mid 1/2 are to be read there.",
)


def _limits(interval: Any) -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}"


def experiment(
    data: Mapping[str, Any],
    *,
    learners: Mapping[str, Any] | None = None,
    label: str | None = None,
    positive: object = None,
    nominal: Sequence[object] = (),
    runs: int = 10,
    folds: int = N_FOLDS,
    seed: int = 1,
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
) -> Study:
    """Run the paper's experiment: repeated cross-validation of learners on data sets; AUC and smAUC.

    Parameters
    ----------
    data : mapping
        Data sets by name: ``(X, y)``; a table (pandas, Polars, a dict of columns) or the path of a CSV or TSV
        file, whose column ``label`` is the class. Columns that are not numbers are nominal; cells that are
        empty, ``?`` or ``NA`` are missing.
    learners : mapping, optional
        Classifiers of scikit-learn by name, which must have ``predict_proba``; by default the paper's two,
        :class:`papers.learners.NaiveBayes` and :class:`papers.learners.ProbabilityTree`. A learner with a
        parameter ``nominal_features`` is told which columns are nominal; others get codes, and NaN where a
        cell is missing.
    label : str, optional
        The column of the class.
    positive : scalar, optional
        The positive class, as in :func:`rocsteady.roc_curve`.
    nominal : sequence, optional
        Columns of numbers that are codes: names, or places in an array.
    runs, folds : int
        How often the rows are split, at least 2 for there to be a spread, and into how many stratified folds.
    seed : int
        Of the folds of the first run; the others follow.
    cache : path, optional
        Where finished runs are kept, so that one that was stopped goes on; else nothing is kept.
    progress : callable, optional
        Called with runs done, runs in all, and what was done.
    workers : int, optional
        Processes; by default one for each processor. No number depends on it. In a script, call this under
        ``if __name__ == "__main__":``, because processes import the script.

    Returns
    -------
    Study
    """
    whole_number("runs", runs, least=2, example=10)
    if not isinstance(data, Mapping) or not data:
        raise fail("RS002.data-sets", found=type(data).__name__ if data else "none")
    names = [str(name) for name in data]
    if again := next((name for i, name in enumerate(names) if name in names[:i]), None):
        raise fail("RS002.same-set", name=again)
    tables = {
        name: _rows(name, own, label=label, positive=positive, nominal=nominal)
        for name, own in zip(names, data.values(), strict=True)
    }
    chosen = paper_learners() if learners is None else {str(own): one for own, one in learners.items()}
    for name, one in chosen.items():
        if isinstance(one, type) or not hasattr(one, "get_params"):
            raise fail("RS045.estimator", is_class=isinstance(one, type), name=name)
        if not hasattr(one, "predict_proba"):
            raise fail("RS045.scores", owner=name, lacking="predict_proba", other=None)
    tasks = [
        Task(name, own, number, keeps_scores=True, learners=chosen, n_folds=folds)
        for name, own in tables.items()
        for number in range(seed, seed + runs)
    ]
    by_set = run_all(tasks, cache=Cache(cache), workers=workers, progress=progress)
    scores = {name: _score_set(found) for name, found in by_set.items()}
    return Study(gathered("own data", by_set), folds, tables, scores, _over_sets(by_set))


def _over_sets(of_sets: Mapping[str, Sequence[Mapping[str, Any]]]) -> rs.ScoreSet:
    """The first run of every set, which is a group."""
    first = {name: runs[0] for name, runs in of_sets.items()}
    labels = {name: next(iter(run.values()))["is_positive"] for name, run in first.items()}
    learners = next(iter(first.values()))
    return rs.ScoreSet.from_arrays(
        np.concatenate(list(labels.values())),
        {own: np.concatenate([run[own]["scores"] for run in first.values()]) for own in learners},
        np.repeat(list(labels), [len(own) for own in labels.values()]),
        unit="data set",
        design="independent",
    )


def _score_set(runs: Sequence[Mapping[str, Any]]) -> rs.ScoreSet:
    first = next(iter(runs[0].values()))
    n = len(first["is_positive"])
    return rs.ScoreSet.from_arrays(
        np.tile(first["is_positive"], len(runs)),
        {name: np.concatenate([run[name]["scores"] for run in runs]) for name in runs[0]},
        np.concatenate([next(iter(run.values()))["folds"] for run in runs]),
        cases=np.tile(np.arange(n), len(runs)),
        repeats=np.repeat(np.arange(1, len(runs) + 1), n),
        unit="fold",
        design="cross-validation",
    )


# Data of any kind as the learners take it -----------------------------------------------------------------


def _rows(name: str, own: Any, *, label: str | None, positive: object, nominal: Sequence[object]) -> Rows:
    """One data set; coded errors name it."""
    if isinstance(own, str | os.PathLike):
        own = read_own(own)
    if isinstance(own, tuple) and len(own) == 2:
        features, labels = own
        columns = _columns(features)
    else:
        if label is None:
            raise fail("RS002.no-label", name=name, columns=list(map(str, columns_of(own))))
        require_columns(columns_of(own), {"label": label}, file=name)
        columns = {column: own[column] for column in columns_of(own)}
        labels = columns.pop(label)
    given = rs.Scores(_numbers_if_all(labels), np.zeros(len(labels)), positive=positive, name=name)
    require_both_classes(given.n_positives, given.n_negatives, name)
    known = {str(one) for one in nominal}
    read = {
        str(column): _column(values, is_nominal=str(column) in known) for column, values in columns.items()
    }
    if not read or any(len(values) != len(given.columns.labels) for values, _ in read.values()):
        n = len(next(iter(read.values()))[0]) if read else 0
        raise fail("RS013.features", n=n, n_labels=len(given.columns.labels))
    if unknown := known - set(read):
        require_columns(list(read), {"nominal": sorted(unknown)[0]}, file=name)
    places = tuple(i for i, (_, is_nominal) in enumerate(read.values()) if is_nominal)
    features = np.column_stack([values for values, _ in read.values()])
    return Rows(features, places, np.asarray(given.columns.labels == given.columns.positive))


def _columns(features: Any) -> dict[Any, Any]:
    """The columns of a table by their names, of an array by their places."""
    names = columns_of(features)
    if names:
        return {name: features[name] for name in names}
    array = np.asarray(features)
    return dict(enumerate(array.T)) if array.ndim == 2 else {0: array}


def _column(values: Any, *, is_nominal: bool) -> tuple[Any, bool]:
    """A column as numbers, and whether they are codes: of names, or because the user says so."""
    array = np.asarray(values)
    if array.dtype.kind in "biuf" and not is_nominal:
        return array.astype(float), False
    cells = ["" if (text := str(cell).strip()) in MISSING else text for cell in array.tolist()]
    if not is_nominal:
        try:
            return numbers_of(cells, is_nominal=False), False
        except ValueError:
            pass
    return numbers_of(cells, is_nominal=True), True


def _numbers_if_all(labels: Any) -> Any:
    """Labels that a file spells as numbers are numbers: 1 is then the positive class of 0 and 1."""
    if not isinstance(labels, list):
        return labels
    try:
        return [int(cell) for cell in labels]
    except (TypeError, ValueError):
        return labels


def read_own(path: str | os.PathLike[str]) -> dict[str, list[str]]:
    """The columns of a CSV or TSV file, as text; RS051 to RS054 where it cannot be read."""
    with located(path) as file:
        if file.kind not in ("CSV", "TSV"):
            raise fail("RS054.table", file=file.name)
        names = read_header(file)
        require_columns(names, {name: name for name in names}, file=file.name)
        rows = first_rows(file, _MOST_ROWS)
        short = next((i for i, row in enumerate(rows, start=1) if len(row) != len(names)), None)
        if short is not None:
            raise file.refused(f"row {short} has {counted(len(rows[short - 1]), 'cell')}, not {len(names)}")
    return {name: [row[name] for row in rows] for name in names}


def names_of(files: Sequence[str | os.PathLike[str]]) -> list[str]:
    """Names of files without their endings, with as many folders as tell them apart; RS002 for one twice.

    >>> names_of(["a/data.csv", "b/data.csv", "mine.csv"])
    ['a/data', 'b/data', 'mine']
    """
    spelled = [_spellings(Path(os.path.abspath(own))) for own in files]
    places, names = set(), []
    for file, own in zip(files, spelled, strict=True):
        alike = [other for other in spelled if other is not own and other[0] == own[0]]
        apart = (row for row in zip(own, *alike, strict=False) if len(set(row)) == len(row))
        name, place = next(apart, own[-1:])[0], Path(file).resolve()
        if place in places or name in names:
            raise fail("RS002.same-set", name=printable(str(file)))
        places.add(place)
        names.append(name)
    return names


def _spellings(path: Path) -> list[str]:
    """A path in short and in ever more words: ``data``, ``data.csv``, ``a/data``, ``a/data.csv``, ..."""
    folders, stem = path.parts[:-1], path.name.partition(".")[0] or path.name
    within = ["/".join((*folders[i:], "")) for i in range(len(folders), 0, -1)]
    return [printable(f"{folder}{name}") for folder in within for name in (stem, path.name)]


def study_of_files(
    files: Sequence[str | os.PathLike[str]],
    label: str,
    *,
    positive: object = None,
    quick: bool = False,
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Reproduction:
    """What ``python -m papers smroc --data-set FILE --class COLUMN`` computes, with the paper's learners."""
    data = {}
    for name, file in zip(names_of(files), files, strict=True):
        data[name] = read_own(file)
        require_columns(list(data[name]), {"class": label}, file=str(file))  # the option is --class
    runs = 5 if quick else 10
    study = experiment(data, label=label, positive=positive, runs=runs, cache=cache, progress=progress)
    return study.reproduction()
