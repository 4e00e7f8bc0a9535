"""The tests that the paper says it made and left out, and what they can and cannot say.

Ten runs of cross-validation split the same rows ten times. A paired t test over runs therefore asks whether
the result depends on the split, given these rows; with enough runs everything becomes significant. What the
next sample would show needs the spread of folds with the correction for shared training rows (Nadeau &
Bengio 2003; for repeated runs Bouckaert & Frank 2004). Over many sets, signed ranks compare the sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers.smroc.analysis.results import AUC, Areas
from papers.smroc.parameters import LEARNERS, LEVEL, N_FOLDS, NB, PAPER, PET
from rocsteady.results import Result, TableResult
from rocsteady.statistics import group_permutation as wilcoxon
from rocsteady.statistics.paired_t import paired_tests

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class PerSet(TableResult):
    """One question, asked of every set.

    Attributes
    ----------
    question : str
        What is compared.
    sets : tuple of str
        Data sets.
    difference : array
        Its mean over runs.
    plain : array
        P-values of the paired t test over runs: about splits of these very rows.
    corrected : array
        P-values of the test over all folds of all runs, corrected for the rows that folds share: about new
        rows. NaN where folds were not kept.
    """

    question: str
    sets: tuple[str, ...]
    difference: Floats
    plain: Floats
    corrected: Floats

    def n_significant(self, which: str) -> int:
        """Sets on which a test rejects at 5 %."""
        return int((getattr(self, which) <= LEVEL).sum())

    def _columns(self) -> dict[str, Sequence[Any]]:
        names = ("difference", "plain", "corrected")
        return {"set": list(self.sets), **{name: getattr(self, name).tolist() for name in names}}

    def __repr__(self) -> str:
        plain, corrected = (self.n_significant(which) for which in ("plain", "corrected"))
        return f"PerSet({self.question}: {plain} of {len(self.sets)} significant, {corrected} corrected)"


def per_set(found: Areas) -> dict[str, PerSet]:
    """Does smAUC differ from AUC, and do the learners differ: asked of each set."""
    questions = {f"smAUC less AUC, {learner}": ((learner, PAPER), (learner, AUC)) for learner in LEARNERS}
    questions |= {
        f"{NB} less {PET}, {name}": ((NB, s), (PET, s)) for name, s in (("AUC", AUC), ("smAUC", PAPER))
    }
    return {question: _asked(found, question, *sides) for question, sides in questions.items()}


def _asked(found: Areas, question: str, first: tuple[str, str], second: tuple[str, str]) -> PerSet:
    runs = [found.areas[learner][space].T for learner, space in (first, second)]
    folds = [found.of_folds[learner][space] for learner, space in (first, second)]
    plain = paired_tests(*runs)
    # All folds of all runs, one below the other; a tenth of the rows is tested, nine tenths are trained on.
    corrected = paired_tests(
        *(f.reshape(len(found.sets), -1).T for f in folds), test_train_ratio=1 / (N_FOLDS - 1)
    )
    return PerSet(
        question,
        found.sets,
        np.asarray(plain.difference),
        np.asarray(plain.pvalue),
        np.asarray(corrected.pvalue),
    )


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


@dataclass(frozen=True, eq=False, repr=False)
class OverSets(Result):
    """One quantity in two spaces, compared over sets.

    Attributes
    ----------
    question : str
        What is compared.
    n_lower, n : int
        Sets on which the second is lower than the first; sets on which both are defined.
    pvalue : float
        Of Wilcoxon's signed ranks, two-sided.
    t_pvalue : float
        Of the paired t test over sets.
    median : float
        The median, over sets, of the second less the first.
    """

    question: str
    n_lower: int
    n: int
    pvalue: float
    t_pvalue: float
    median: float

    def __repr__(self) -> str:
        return f"OverSets({self.question}: lower on {self.n_lower} of {self.n}, p {self.pvalue:.2g})"


def over_sets(question: str, first: Floats, second: Floats) -> OverSets:
    """Compare two columns of numbers, one pair for each set; pairs that are not finite are left out."""
    defined = np.isfinite(first) & np.isfinite(second)
    first, second = first[defined], second[defined]
    return OverSets(
        question=question,
        n_lower=int((second < first).sum()),
        n=int(defined.sum()),
        pvalue=signed_ranks(second - first),
        t_pvalue=float(paired_tests(second, first).pvalue) if len(first) > 1 else np.nan,
        median=float(np.median(second - first)) if len(first) else np.nan,
    )


def signed_ranks(differences: Floats) -> float:
    """The two-sided p-value of Wilcoxon's signed ranks; 1 if nothing differs, NaN if there is nothing."""
    return wilcoxon.signed_ranks(differences).pvalue


def spread_questions(found: Areas) -> dict[str, OverSets]:
    """Is smAUC lower than AUC, does it vary less from run to run, and is it the better for it? (K14)"""
    questions: dict[str, OverSets] = {}
    for learner in LEARNERS:
        columns: Mapping[str, tuple[Floats, Floats]] = {
            "mean": _both(found.mean, learner),
            "sd": _both(found.sd, learner),
            "excess over chance / sd": (_ratio(found, learner, AUC), _ratio(found, learner, PAPER)),
        }
        for name, (first, second) in columns.items():
            questions[f"{name}, {learner}"] = over_sets(f"{name}, {learner}", first, second)
    difference = {space: found.difference(space) for space in (AUC, PAPER)}
    size, sd = (
        {space: function(values) for space, values in difference.items()} for function in (_size, _spread)
    )
    questions["sd of the difference"] = over_sets(f"sd of {NB} less {PET}", sd[AUC], sd[PAPER])
    ratio = {space: _divided(size[space], sd[space]) for space in (AUC, PAPER)}
    questions["difference / sd"] = over_sets(f"size of {NB} less {PET} / its sd", ratio[AUC], ratio[PAPER])
    return questions


def _both(function: Any, learner: str) -> tuple[Floats, Floats]:
    return function(learner, AUC), function(learner, PAPER)


def _ratio(found: Areas, learner: str, space: str) -> Floats:
    return _divided(found.excess(learner, space), found.sd(learner, space))


def _divided(size: Floats, sd: Floats) -> Floats:
    """NaN where nothing varies: a constant has no ratio to compare."""
    ratio: Floats = np.divide(size, sd, out=np.full(size.shape, np.nan), where=sd > 1e-12)
    return ratio


def _size(differences: Floats) -> Floats:
    return np.asarray(np.abs(differences.mean(axis=1)))


def _spread(differences: Floats) -> Floats:
    return np.asarray(differences.std(axis=1, ddof=1))
