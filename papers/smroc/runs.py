"""The runs of the experiment: ten-fold cross-validation of learners on a set, many at once, kept where asked.

The scores of the ten test folds are stacked, which makes one curve per learner and space: 2 x 2 curves x 10
runs x 26 sets are the paper's "over one thousand".
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import signal
import tempfile
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache as once
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.connection import wait as wait_for_end
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rocsteady
from papers.paper import Progress
from papers.smroc.sets import Set, Table, read_table
from rocsteady.curves.from_scores import given_scores
from rocsteady.curves.smroc import SmrocCurve, SmrocRows, curve_of, smroc_rows
from rocsteady.errors import fail
from rocsteady.options import whole_number
from rocsteady.scores.sklearn import stratified_folds
from rocsteady.whole_files import write_whole
from rocsteady.words import counted

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

N_FOLDS, N_PERMUTATIONS = 10, 20
"""Permutations per run: the labels are shuffled and the scores stay."""
NB, PET = "NB", "PET"
AUC, PAPER, CLIPPED, HALF = "auc", "paper", "clipped", "half"
MIDS: dict[str, str | float] = {PAPER: "paper", CLIPPED: "clipped", HALF: 0.5}
"""By the name used in tables; the values are what ``smroc_curve`` takes."""


# One run ------------------------------------------------------------------------------------------------


def rows_of(labels: object, scores: object) -> SmrocRows:
    """Labels and scores, checked and sorted once for any number of curves."""
    given = given_scores(
        "smroc_curve", labels, scores, positive=None, sample_weight=None, higher_is_positive=True
    )
    return smroc_rows(given, None, None)


def quiet_curve(labels: object, scores: object, mid: str | float = "paper") -> SmrocCurve:
    """The curve that ``smroc_curve`` gives, without its warnings: a Mid beyond 1 is what this is about.

    Nothing is silenced, because filters of warnings belong to the whole process: nothing is said in the first
    place.

    >>> quiet_curve([1, 0, 0, 0], [1.0, 1.0, 1.0, 0.0])
    SmrocCurve(1 positive, 3 negatives, Mid 1.5 (paper), smAUC 0.750, chance about 0.700)
    """
    return curve_of(rows_of(labels, scores), mid, None)


@dataclass(frozen=True)
class Task:
    """A run to be done: nothing depends on which process does it, or when."""

    name: str  # the data set
    data: Table | tuple[Set, Path]  # its rows, or where they are
    seed: int  # of the folds, and of what else is random
    keeps_scores: bool = False  # beside the areas
    learners: Mapping[str, Any] | None = None  # classifiers, cloned for every fold; None: those of the paper
    n_folds: int = N_FOLDS

    @property
    def size(self) -> int:
        """About how much work it is."""
        if isinstance(self.data, Table):
            return int(self.data.features.size)
        return self.data[0].n * max(len(self.data[0].features), 1)

    def parameters(self) -> dict[str, Any]:
        """Everything the numbers depend on, besides the code and the packages."""
        if isinstance(self.data, Table):
            content = b"".join(np.ascontiguousarray(own).tobytes() for own in (self.data[0], self.data[2]))
            data, nominal = hashlib.sha256(content).hexdigest(), self.data.nominal
        else:
            data, nominal = self.data[0].sha256, self.data[0].nominal_columns
        learners = {name: f"{type(own).__module__}: {own!r}" for name, own in (self.learners or {}).items()}
        return {
            "data": data,
            "nominal": list(nominal),
            "seed": self.seed,
            "keeps_scores": self.keeps_scores,
            "learners": learners,
            "n_folds": self.n_folds,
            "n_permutations": N_PERMUTATIONS,
            "mids": dict(MIDS),
        }


def do(task: Task) -> dict[str, Any]:
    """The areas of all learners in one run, as plain data."""
    table = task.data if isinstance(task.data, Table) else _table(*task.data)
    folds = stratified_folds(table.is_positive, task.n_folds, seed=task.seed)
    found = {}
    for name, learner in (task.learners or paper_learners()).items():
        scores = cross_validated(learner, table, folds)
        found[name] = measured(table.is_positive, scores, folds, task.seed)
        if task.keeps_scores:
            kept = {"scores": scores, "is_positive": table.is_positive, "folds": folds}
            found[name] |= {what: values.tolist() for what, values in kept.items()}
    return found


@lru_cache(maxsize=1)  # a process often does several runs of one set, one after the other
def _table(of: Set, path: Path) -> Table:
    return read_table(of, path)


def paper_learners() -> dict[str, Any]:
    """Naive Bayes and the probability estimating tree."""
    from papers.learners import NaiveBayes, ProbabilityTree

    return {NB: NaiveBayes(), PET: ProbabilityTree()}


def cross_validated(learner: Any, table: Table, folds: Integers) -> Floats:
    """The probability that each row is positive, by a model that was fitted without its fold.

    A learner with a parameter ``nominal_features`` is told which columns are nominal.
    """
    from sklearn.base import clone
    from sklearn.model_selection import PredefinedSplit, cross_val_predict

    more = {"nominal_features": list(table.nominal)} if "nominal_features" in learner.get_params() else {}
    model, split = clone(learner).set_params(**more), PredefinedSplit(folds)
    found = cross_val_predict(model, table.features, table.is_positive, cv=split, method="predict_proba")
    return np.asarray(found[:, 1])


def measured(
    is_positive: NDArray[np.bool_], scores: Floats, folds: Integers | None, seed: int
) -> dict[str, Any]:
    """AUC; under each Mid smAUC, its chance levels, and the shares of both classes with appropriate scores.

    AUC and smAUC again fold by fold; folds keep the Mid of the whole run, so that a case has the same credit.
    """
    rows = rows_of(is_positive, scores)
    curves = {name: curve_of(rows, mid, None) for name, mid in MIDS.items()}
    first = curves[PAPER]
    own = [] if folds is None else [folds == fold for fold in np.unique(folds)]
    of_folds = [quiet_curve(is_positive[chosen], scores[chosen], first.mid) for chosen in own]
    found = {
        AUC: first.roc_auc,
        "mid": first.mid,
        "fold auc": [fold.roc_auc for fold in of_folds],
        "fold smauc": [fold.auc for fold in of_folds],
    }
    for name, curve in curves.items():
        agreeing = curve.appropriateness
        found |= {
            name: curve.auc,
            f"chance, {name}": curve.chance_auc,
            f"permuted, {name}": curve.permuted(N_PERMUTATIONS, seed=seed).mean,
            f"positives, {name}": agreeing.share_of_positives,
            f"negatives, {name}": agreeing.share_of_negatives,
        }
    return found


# Finished runs on disk, only where the user asked for it ------------------------------------------------

CACHE_VARIABLE = "ROCSTEADY_CACHE"
CODE = {
    Path(rocsteady.__file__).parent: ("curves/smroc.py", "curves/readings.py", "scores/sklearn.py"),
    Path(__file__).parents[1]: ("learners.py", "smroc/sets.py", "smroc/runs.py"),
}
"""What the numbers of a run are made by: paths in the package, and beside it in ``papers``."""


class Cache:
    """A folder of finished runs, so that an experiment that was stopped goes on; None keeps nothing.

    An entry is one JSON file, named by a digest of everything its numbers depend on: the data, the
    parameters, the source of the code that made them and the versions of the packages below it. So an entry
    is never stale; one that was cut short or changed does not match its own checksum and is computed again.

    Raises
    ------
    FileError
        RS055 if the folder cannot be written to.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        named = folder or os.environ.get(CACHE_VARIABLE)  # an empty name is none
        self.folder = Path(named) if named else None
        if self.folder is not None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryFile(dir=self.folder):
                    pass
            except (OSError, ValueError) as error:
                raise fail("RS055.cache", folder=self.folder) from error

    def read(self, key: str) -> dict[str, Any] | None:
        """A finished run; None if there is none, or none that can be trusted."""
        if self.folder is None:
            return None
        try:
            entry = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            content: dict[str, Any] = entry["content"]
            intact = entry["key"] == key and entry["sha256"] == _digest(content)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return content if intact else None

    def write(self, key: str, content: Mapping[str, Any]) -> None:
        """Keep a finished run: whole or not at all. A full disk loses the entry, not the numbers."""
        if self.folder is None:
            return
        entry = json.dumps({"key": key, "sha256": _digest(content), "content": content})
        with suppress(OSError):
            write_whole(self.folder / f"{key}.json", entry.encode())


def key_of(parameters: Mapping[str, Any]) -> str:
    """The name of an entry: a digest of the parameters, the code and the versions below it."""
    return _digest({"parameters": parameters, "code": code_digest(), "versions": versions()})[:40]


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@once
def code_digest() -> str:
    """A digest of the source files behind the numbers of a run."""
    digest = hashlib.sha256()
    for folder, names in CODE.items():
        for name in names:
            digest.update(name.encode() + b"\0" + (folder / name).read_bytes())
    return digest.hexdigest()


@once
def versions() -> dict[str, str]:
    """The packages that the learners and the curves compute with."""
    found = {}
    for name in ("numpy", "scipy", "scikit-learn"):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


# Many runs at once: in processes, largest first, each kept as soon as it is done ------------------------

_MOST_PROCESSES = 60
"""Windows waits for no more of them at once."""


def n_processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_all(
    tasks: Sequence[Task], *, cache: Cache, workers: int | None = None, progress: Progress | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Do all runs that are not in the cache; the results of each set, in the order of the tasks.

    Parameters
    ----------
    tasks : sequence of Task
        The runs.
    cache : Cache
        Where finished runs are kept.
    workers : int, optional
        Processes; by default as many as there are processors. With one, no process is started.
    progress : callable, optional
        Told after every run. If it raises, the others are stopped; what is done is kept.

    Raises
    ------
    UsageError
        RS042 if ``workers`` is not a whole number of at least 1.
    RocsteadyError
        RS096 if a process ends before its run does.
    """
    n_workers = n_processors() if workers is None else whole_number("workers", workers, least=1, example=2)
    keys = [key_of(task.parameters()) for task in tasks]
    results = {key: found for key in keys if (found := cache.read(key)) is not None}
    n_known = sum(key in results for key in keys)
    tell = progress if progress is not None else lambda done, total, what: None
    tell(n_known, len(tasks), f"{counted(n_known, 'run')} known from before" if n_known else "starting")
    left = [(key, task) for key, task in zip(keys, tasks, strict=True) if key not in results]
    left.sort(key=lambda pair: -pair[1].size)  # a large one at the end would be waited for alone
    n_workers = min(n_workers, len(left), _MOST_PROCESSES)
    # Closed here: an error of the listener would keep processes running for as long as it is looked at.
    with closing(_one_by_one(left) if n_workers <= 1 else _in_processes(left, n_workers)) as finished:
        for n_done, (key, task, found) in enumerate(finished, start=n_known + 1):
            cache.write(key, found)
            results[key] = found
            tell(n_done, len(tasks), f"{task.name}, seed {task.seed}")
    by_set: dict[str, list[dict[str, Any]]] = {task.name: [] for task in tasks}
    for key, task in zip(keys, tasks, strict=True):
        by_set[task.name].append(results[key])
    return by_set


Finished = Generator[tuple[str, Task, dict[str, Any]], None, None]


def _one_by_one(left: Sequence[tuple[str, Task]]) -> Finished:
    for key, task in left:
        yield key, task, do(task)


def _in_processes(left: Sequence[tuple[str, Task]], n_workers: int) -> Finished:
    # Fresh interpreters: forking a process that has threads (of BLAS, of a progress bar) can hang.
    with _pool(n_workers) as pool:
        try:
            of_future = {pool.submit(do, task): (key, task) for key, task in left}
            pending: set[Future[dict[str, Any]]] = set(of_future)
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    yield *of_future[future], future.result()
        except BrokenProcessPool as error:
            raise fail("RS096.process") from error


@contextmanager
def _pool(n_workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with this block, however it ends."""
    before = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(n_workers, mp_context=context, initializer=_prepare_worker)
    try:
        yield pool
    except BaseException:  # also Ctrl-C, and a caller that stops listening
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _prepare_worker() -> None:
    """Leave Ctrl-C to the parent, and end when the parent has ended, however that was."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: Any) -> None:
    wait_for_end([sentinel])
    os._exit(1)
