"""What the runs say: means and spreads, the tests that the paper left out, the same from Weka's scores.

Ten runs of cross-validation split the same rows ten times. A paired t test over runs therefore asks whether
the result depends on the split, given these rows; with enough runs everything becomes significant. What the
next sample would show needs the spread of folds with the correction for shared training rows (Nadeau &
Bengio 2003; for repeated runs Bouckaert & Frank 2004). Over many sets, signed ranks compare the sets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papers.smroc.runs import AUC, HALF, MIDS, NB, PAPER, PET, measured
from papers.smroc.sets import WEKA, place_of
from rocsteady.results import TableResult, plain
from rocsteady.statistics.group_permutation import signed_ranks as ranked
from rocsteady.statistics.paired_t import paired_tests

Floats = NDArray[np.float64]
LEVEL = 0.05
SPACES = (AUC, *MIDS)
"""The ordinary AUC, and smAUC by its Mid."""
READ = (*SPACES, *(f"chance, {name}" for name in MIDS), *(f"permuted, {name}" for name in MIDS), "mid")
SPELLED = {AUC: "AUC", PAPER: "smAUC", HALF: "smAUC, Mid 1/2", "mid": "Mid"}


@dataclass(frozen=True, eq=False, repr=False)
class Areas(TableResult):
    """Areas under the curves of all learners.

    Attributes
    ----------
    source : str
        Whose scores they are.
    sets : tuple of str
        Data sets.
    values : dict
        By learner and quantity arrays of sets x runs: ``"auc"``, and smAUC by its Mid (``"paper"``,
        ``"clipped"``, ``"half"``); for each Mid ``"chance, paper"`` (by formula), ``"permuted, paper"`` (with
        shuffled labels), ``"positives, paper"`` and ``"negatives, paper"`` (the shares whose scores are
        appropriate); the paper's ``"mid"``; ``"fold auc"`` and ``"fold smauc"`` have a further axis.
    """

    source: str
    sets: tuple[str, ...]
    values: Mapping[str, Mapping[str, Floats]]

    @property
    def learners(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.values)

    @property
    def n_runs(self) -> int:
        """Runs of each set."""
        return int(next(iter(self.values.values()))[AUC].shape[1])

    def mean(self, learner: str, quantity: str) -> Floats:
        """Over runs, one value for each set."""
        return np.asarray(self.values[learner][quantity].mean(axis=1))

    def sd(self, learner: str, quantity: str) -> Floats:
        """Over runs, one value for each set."""
        return np.asarray(self.values[learner][quantity].std(axis=1, ddof=1))

    def difference(self, quantity: str, first: str = NB, second: str = PET) -> Floats:
        """The first learner less the second in the same run: sets x runs."""
        return self.values[first][quantity] - self.values[second][quantity]

    def excess(self, learner: str, space: str) -> Floats:
        """The mean area less what chance gives; one value for each set."""
        level = 0.5 if space == AUC else self.mean(learner, f"chance, {space}")
        return np.asarray(self.mean(learner, space) - level)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Every two learners."""
        return list(combinations(self.learners, 2))

    def readings(self) -> dict[str, Any]:
        """Means and spreads as plain data, by set, learner and quantity."""
        columns = self._columns()
        rows = zip(columns["set"], columns["learner"], range(len(columns["set"])), strict=True)
        found: dict[str, Any] = {name: {} for name in self.sets}
        for name, learner, i in rows:
            found[name][learner] = {
                q: {what: columns[f"{_column(q)} {what}"][i] for what in ("mean", "sd")} for q in READ
            }
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the readings, and the areas of every run."""
        by_run = {own: {s: plain(values[s]) for s in SPACES} for own, values in self.values.items()}
        return {
            "source": self.source,
            "sets": list(self.sets),
            "readings": plain(self.readings()),
            "areas": by_run,
        }

    def _columns(self) -> dict[str, Sequence[Any]]:
        rows = list(product(self.sets, self.learners))
        columns: dict[str, Sequence[Any]] = dict(
            zip(("set", "learner"), zip(*rows, strict=True), strict=True)
        )
        for quantity, (what, of) in product(READ, (("mean", self.mean), ("sd", self.sd))):
            by_set = np.column_stack([of(learner, quantity) for learner in self.learners])
            columns[f"{_column(quantity)} {what}"] = by_set.ravel().tolist()
        return columns

    _line = "{source}: {sets:count set}, {n_runs} runs of {learners:list}"


def _column(quantity: str) -> str:
    """What a frame calls a quantity.

    >>> [_column(own) for own in (AUC, PAPER, f"chance, {HALF}")]
    ['auc', 'smAUC paper', 'chance smAUC half']
    """
    *kind, of = quantity.split(", ")
    return " ".join([*kind, f"smAUC {of}" if of in MIDS else of])


def gathered(source: str, of_sets: Mapping[str, Sequence[Mapping[str, Any]]]) -> Areas:
    """The runs of every set, put together; each run is what ``runs.do`` returns."""
    first = next(iter(of_sets.values()))[0]
    values = {
        learner: {
            quantity: np.array([[run[learner][quantity] for run in runs] for runs in of_sets.values()], float)
            for quantity in own
            if quantity not in ("scores", "is_positive", "folds")
        }
        for learner, own in first.items()
    }
    return Areas(source, tuple(of_sets), values)


# Tests --------------------------------------------------------------------------------------------------


class PerSet(NamedTuple):
    """One question, asked of every set: its mean over runs, and p-values of two paired t tests."""

    question: str
    difference: Floats
    plain: Floats  # over runs: about splits of these very rows
    corrected: Floats  # over all folds of all runs, corrected for the rows that folds share: about new rows

    def n_significant(self, which: str) -> int:
        """Sets on which a test rejects at 5 %."""
        return int((getattr(self, which) <= LEVEL).sum())


def per_set(found: Areas) -> dict[str, PerSet]:
    """Does smAUC differ from AUC, and do any two learners differ: asked of each set."""
    asked = {f"smAUC less AUC, {name}": ((name, PAPER), (name, AUC)) for name in found.learners}
    for a, b in found.pairs:
        asked |= {f"{a} less {b}, {SPELLED[s]}": ((a, s), (b, s)) for s in (AUC, PAPER)}
    return {question: _asked(found, question, *sides) for question, sides in asked.items()}


def _asked(found: Areas, question: str, *sides: tuple[str, str]) -> PerSet:
    over_runs = paired_tests(*(found.values[learner][space].T for learner, space in sides))
    folds = [found.values[learner]["fold auc" if space == AUC else "fold smauc"] for learner, space in sides]
    # All folds of all runs, one below the other; of ten folds a ninth of the training rows is tested.
    stacked = [own.reshape(len(found.sets), -1).T for own in folds]
    corrected = paired_tests(*stacked, test_train_ratio=1 / (folds[0].shape[-1] - 1))
    values = (over_runs.difference, over_runs.pvalue, corrected.pvalue)
    return PerSet(question, *map(np.asarray, values))


def equal_spreads(first: Floats, second: Floats) -> Floats:
    """P-values of Pitman and Morgan's test that two paired measurements have the same variance.

    The variances are equal exactly if sums and differences are not correlated. Arrays of sets x runs.
    """
    from scipy.special import stdtr

    n = first.shape[1]
    sums, differences = (x - x.mean(axis=1, keepdims=True) for x in (first + second, first - second))
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (sums * differences).sum(axis=1) / np.sqrt((sums**2).sum(axis=1) * (differences**2).sum(axis=1))
        statistic = r * np.sqrt((n - 2) / np.maximum(1 - r**2, 0))
    return np.asarray(2 * stdtr(n - 2, -np.abs(statistic)))


class OverSets(NamedTuple):
    """One quantity in two spaces, compared over sets."""

    question: str
    n_lower: int  # sets on which the second is lower than the first
    n: int  # sets on which both are defined
    pvalue: float  # two-sided, of Wilcoxon's signed ranks
    t_pvalue: float  # of the paired t test over sets
    median: float  # over sets, of the second less the first


def over_sets(question: str, first: Floats, second: Floats) -> OverSets:
    """Compare two columns of numbers, one pair for each set; pairs that are not finite are left out."""
    defined = np.isfinite(first) & np.isfinite(second)
    first, second = first[defined], second[defined]
    t_pvalue = float(paired_tests(second, first).pvalue) if len(first) > 1 else np.nan
    median = float(np.median(second - first)) if len(first) else np.nan
    n_lower = int((second < first).sum())
    return OverSets(question, n_lower, len(first), signed_ranks(second - first), t_pvalue, median)


def signed_ranks(differences: Floats) -> float:
    """The two-sided p-value of Wilcoxon's signed ranks; 1 if nothing differs, NaN if there is nothing."""
    return ranked(differences).pvalue


def spread_questions(found: Areas) -> dict[str, OverSets]:
    """Is smAUC lower than AUC, does it vary less from run to run, and is it the better for it? (K14)"""
    asked: dict[str, tuple[str, list[Floats]]] = {}
    both = (AUC, PAPER)
    for own in found.learners:
        spreads = [found.sd(own, s) for s in both]
        asked[f"mean, {own}"] = f"mean, {own}", [found.mean(own, s) for s in both]
        asked[f"sd, {own}"] = f"sd, {own}", spreads
        ratio = f"excess over chance / sd, {own}"
        asked[ratio] = ratio, list(map(ratios, spreads, [found.excess(own, s) for s in both]))
    for a, b in found.pairs:
        differences = [found.difference(s, a, b) for s in both]
        spreads = [np.asarray(own.std(axis=1, ddof=1)) for own in differences]
        sizes = [np.abs(own.mean(axis=1)) for own in differences]
        of = "" if len(found.pairs) == 1 else f", {a} less {b}"
        asked[f"sd of the difference{of}"] = f"sd of {a} less {b}", spreads
        asked[f"difference / sd{of}"] = f"size of {a} less {b} / its sd", list(map(ratios, spreads, sizes))
    return {key: over_sets(question, *columns) for key, (question, columns) in asked.items()}


def ratios(spreads: Floats, values: Floats) -> Floats:
    """Values divided by spreads; NaN where nothing varies.

    >>> ratios(np.array([0.01, 0.0]), np.array([0.005, 0.1])).tolist()
    [0.5, nan]
    """
    found: Floats = np.divide(values, spreads, out=np.full(spreads.shape, np.nan), where=spreads > 1e-12)
    return found


# Weka's scores: NaiveBayes and J48 -U -A on ten of the sets ---------------------------------------------

WEKA_SHA256 = "f68358cf6a90224236904af408fe8bd77cbbe3823236f8f110f8b85a1d8cbab5"
WEKA_NEEDED = (
    f"The same analysis of Weka's scores needs {'/'.join(WEKA)} (columns set, method, run, fold, label, "
    "score); it cannot be fetched, and nothing else depends on it."
)


def find_weka(folder: Path | None) -> tuple[Path | None, str]:
    """The file, if it is there and as it should be, and what is wrong with it otherwise."""
    path = None if folder is None else place_of(folder, *WEKA)
    if path is None:
        return None, ""
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        return None, f"Weka's scores: {path} cannot be read ({error.strerror or error}); they are left out."
    if digest != WEKA_SHA256:
        return None, f"Weka's scores: the sha256 of {path} is not {WEKA_SHA256[:12]}…; they are left out."
    return path, ""


def areas_of_weka(path: Path, only: Sequence[str] | None = None, n_runs: int | None = None) -> Areas:
    """Areas from the scores in the file; of all sets and runs unless fewer are asked for."""
    import duckdb

    with duckdb.connect() as connection:
        query = (
            "select set::varchar as set, method::varchar as method, run::int as run, fold::int as fold, "
            "label::int as label, score from read_parquet(?)"
        )
        read = connection.execute(query, [str(path)]).fetchnumpy()
    columns = {name: np.asarray(values) for name, values in read.items()}
    names = [name for name in dict.fromkeys(columns["set"].tolist()) if only is None or name in only]
    runs = sorted(set(columns["run"].tolist()))[:n_runs]

    def of(name: str, learner: str, run: int) -> dict[str, Any]:
        rows = (columns["set"] == name) & (columns["method"] == learner) & (columns["run"] == run)
        return measured(columns["label"][rows] == 1, columns["score"][rows], columns["fold"][rows], seed=run)

    found = {name: [{own: of(name, own, run) for own in (NB, PET)} for run in runs] for name in names}
    return gathered("Weka 3.6.14", found)
