"""Figures 1 and 2: a Gaussian detector on Highleyman's first class, 30 operating points, tests between them.

The paper gives the classes, the sizes, ten stratified folds, 30 operating points and the level of the tests.
It does not say how the 30 thresholds are taken from the outputs (here: evenly by rank, ends included), nor
which points were chosen by hand (here: the strictest with a TPR of at least 0.9).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import rocsteady as rs
from papers.paper import Check, Table, binomial, exact, simulated
from rocsteady.errors import RocsteadyWarning
from rocsteady.points.tables import OperatingPointTable, PointTests
from rocsteady.results import Result
from rocsteady.scores import stratified_folds
from rocsteady.simulate import highleyman, highleyman_fpr
from rocsteady.statistics.paired_t import paired_tests

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

N_FOLDS, N_POINTS, LEVEL, CHOSEN_TPR = 10, 30, 0.05, 0.9
FIGURE_1_SIZE, FIGURE_2_SIZES = 100, (50, 200)
"""Cases of each class."""
SEED, FIRST_STUDY, FIRST_LARGE = 1, 10_000, 5000
LIMIT_TPRS, LARGE_SIZE = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99), 10_000
"""Where the detector is held against its limit for ever more cases, and how many there are of each class."""
FIXED_THRESHOLD = (1 - CHOSEN_TPR) / np.pi
"""A density that the true model of class 1 exceeds in 90 % of its cases, whatever the sample."""
UNEQUAL_SIZE = 55
"""Cases of each class that ten folds cannot share out evenly."""


class Test(NamedTuple):
    """A way to test whether two points differ: its name, and what ``compare_to`` is given."""

    name: str
    df: str = "n-1"
    test_train_ratio: float = 0.0
    adjust: str | None = None


PRINTED, PLAIN = Test("df 18", df="2n-2"), Test("df 9")
CORRECTED, HOLM = Test("Nadeau-Bengio", test_train_ratio=1 / 9), Test("df 9, Holm", adjust="holm")
TESTS = (PRINTED, PLAIN, CORRECTED, HOLM)
"""The paper's test first."""


# One sample ---------------------------------------------------------------------------------------------


def log_density(training: Floats, rows: Floats) -> Floats:
    """The log density at each row of the normal distribution that fits the training rows (divisor n - 1)."""
    covariance = np.cov(training, rowvar=False)
    deviations = rows - training.mean(axis=0)
    distances = np.einsum("ij,ij->i", deviations, np.linalg.solve(covariance, deviations.T).T)
    log_determinant = np.linalg.slogdet(covariance)[1]
    return np.asarray(-0.5 * (distances + log_determinant + training.shape[1] * np.log(2 * np.pi)))


def detector_outputs(features: Floats, is_target: NDArray[np.bool_], folds: Integers) -> Floats:
    """Each row's density under the normal model of the target class, fitted without the row's fold."""
    outputs = np.empty(len(features))
    for fold in np.unique(folds):
        is_test = folds == fold
        outputs[is_test] = np.exp(log_density(features[~is_test & is_target], features[is_test]))
    return outputs


def detector_scores(n_per_class: int, seed: int) -> rs.ScoreSet:
    """Draw both classes and score each case by a detector that was trained without its fold."""
    features, is_first = highleyman(n_per_class, seed=seed)
    folds = stratified_folds(is_first, N_FOLDS, seed=seed)
    outputs = detector_outputs(features, is_first, folds)
    pairs = [(is_first[folds == fold], outputs[folds == fold]) for fold in range(N_FOLDS)]
    return rs.ScoreSet.from_folds(pairs, design="independent")


def thirty_points(score_set: rs.ScoreSet) -> OperatingPointTable:
    """The table at 30 of the distinct scores, evenly by rank, the strictest first."""
    with_end = rs.average_operating_points(score_set, thresholds=N_POINTS + 1)
    assert with_end.thresholds is not None
    return rs.average_operating_points(score_set, thresholds=with_end.thresholds[1:])  # nothing is at +inf


def chosen_point(tpr: Floats) -> int:
    """The strictest point with a mean TPR of at least 0.9, but for rounding."""
    return int(np.flatnonzero(tpr >= CHOSEN_TPR - 1e-9)[0])


def compared(table: OperatingPointTable, chosen: int, measure: str, test: Test) -> PointTests:
    """The chosen point against the others; several errors must all agree that it does not differ (AND)."""
    with warnings.catch_warnings():  # RS245: where rates are 1 in all folds, a difference is the same in each
        warnings.simplefilter("ignore", RocsteadyWarning)
        own = test._asdict()
        del own["name"]
        return table.compare_to(chosen, measure, alpha=LEVEL, combine="and", **own)


@dataclass(frozen=True, eq=False, repr=False)
class Sample(Result):
    """Both classes drawn once: the detector's densities by fold, the 30 points, the tests by their names."""

    n_per_class: int
    score_set: rs.ScoreSet
    table: OperatingPointTable
    comparisons: dict[str, PointTests]

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the table, and how many points each test leaves."""
        left = {
            name: {"chosen": own.index, "not rejected": int(own.indistinguishable.sum()) - 1}
            for name, own in self.comparisons.items()
        }
        return {"n_per_class": self.n_per_class, "table": self.table.to_dict(), "comparisons": left}


@cache
def sample(n_per_class: int, seed: int = SEED) -> Sample:
    """Draw, score, take 30 points, choose one, test."""
    score_set = detector_scores(n_per_class, seed)
    table = thirty_points(score_set)
    chosen = chosen_point(table.measure("tpr").mean)
    tests = {test.name: compared(table, chosen, "fpr", test) for test in TESTS}
    return Sample(n_per_class, score_set, table, tests)


def samples() -> dict[int, Sample]:
    """The samples of both figures, by size; the same seed for all."""
    return {size: sample(size) for size in sorted({FIGURE_1_SIZE, *FIGURE_2_SIZES})}


def sample_checks(found: Iterable[Sample]) -> list[Check]:
    """For two classes the method is threshold averaging with folds as datasets (P7)."""
    results = []
    for own in found:
        averaged: Any = rs.average(own.score_set, "threshold")
        rates = averaged.rates_at(own.table.thresholds)
        for name in ("fpr", "tpr"):
            for what, values in (("mean", getattr(rates, name)), ("sd", getattr(rates, f"{name}_sd"))):
                gap = float(np.abs(getattr(own.table.measure(name), what) - values).max())
                label = f"{own.n_per_class} per class: {what} of {name.upper()}, largest gap"
                results.append(exact("Operating points are the threshold average", label, 0.0, gap))
    return results


# Figure 2 again and again -------------------------------------------------------------------------------

NEIGHBOURS = {test.name: f"neighbours told apart, {test.name}" for test in (PRINTED, PLAIN, CORRECTED)}
DIFFER, FIXED, VARIANCE = "known to differ", "fpr at a fixed threshold", "its variance by folds"
READINGS = (*(test.name for test in TESTS), *NEIGHBOURS.values(), DIFFER, "tpr", "fpr", FIXED, VARIANCE)
"""How many of the 29 other points each test does not reject; whether a test tells both neighbours apart; how
many of the points that the plain test does not reject have another FPR in this very sample; rates of the
chosen point; the FPR at one threshold for all studies, and the square of its standard error by the folds."""


@dataclass(frozen=True, eq=False, repr=False)
class Replicates(Result):
    """Means and standard deviations of ``READINGS`` over repeated studies of one size."""

    n_per_class: int
    n_replicates: int
    mean: Mapping[str, float]
    sd: Mapping[str, float]

    @property
    def understatement(self) -> float:
        """The spread of an FPR from study to study, over the standard error by the folds of one."""
        return self.sd[FIXED] / float(np.sqrt(self.mean[VARIANCE]))


def replicates(
    n_per_class: int, n_replicates: int, seed: int = FIRST_STUDY, after_each: Callable[[], None] | None = None
) -> Replicates:
    """Draw both classes again and again, cross-validate the detector, compare the chosen point's FPR."""
    studies = []
    for i in range(n_replicates):
        studies.append(_study(n_per_class, seed + i))
        if after_each is not None:
            after_each()
    values = np.array(studies)
    mean, sd = (
        dict(zip(READINGS, own.tolist(), strict=True))
        for own in (values.mean(axis=0), values.std(axis=0, ddof=1))
    )
    return Replicates(n_per_class, n_replicates, mean, sd)


def _study(n_per_class: int, seed: int) -> list[float]:
    scores = detector_scores(n_per_class, seed)
    table = thirty_points(scores)
    fpr, tpr = table.measure("fpr"), table.measure("tpr")
    chosen = chosen_point(tpr.mean)
    others = np.arange(table.n_points) != chosen
    kept = {test.name: compared(table, chosen, "fpr", test).indistinguishable & others for test in TESTS}
    beside = [i for i in (chosen - 1, chosen + 1) if 0 <= i < table.n_points]
    differs = np.abs(fpr.stacked - fpr.stacked[chosen]) > 1e-12
    fixed = rs.average_operating_points(scores, thresholds=[FIXED_THRESHOLD]).measure("fpr")
    return [
        *(float(points.sum()) for points in kept.values()),
        *(float(not kept[name][beside].any()) for name in NEIGHBOURS),
        float((kept[PLAIN.name] & differs).sum()),
        *(float(value) for value in (tpr.mean[chosen], fpr.mean[chosen], fixed.mean[0])),
        float(fixed.standard_error[0] ** 2),
    ]


def replicate_checks(found: Sequence[Replicates], expected: Mapping[str, Any]) -> list[Check]:
    """Means over studies against those of the long run, and against the numbers of the specification."""
    results = []
    named = {test.name: f"points not rejected, {test.name}" for test in TESTS} | {
        "tpr": "TPR of the chosen point",
        "fpr": "FPR of the chosen point",
        DIFFER: "of those, FPR differs in the sample",
    }
    for own in found:
        long_run, given = expected["long run"][str(own.n_per_class)], expected["specification"]
        section = f"Figure 2 repeated, {own.n_per_class} per class"
        n, n_long, n_given = own.n_replicates, long_run["n_replicates"], given["n_replicates"]
        for name in READINGS:
            wanted, value = long_run["mean"][name], own.mean[name]
            if name in NEIGHBOURS.values():
                results.append(binomial(section, name, wanted, value, n))
                continue
            error = long_run["sd"][name] * np.sqrt(1 / n + 1 / n_long)
            label = named.get(name, name.replace("fpr", "FPR"))
            source = f"{n} studies and {n_long} of the long run"
            results.append(simulated(section, label, wanted, value, error, source))
        for name, target in given["points not rejected"][str(own.n_per_class)].items():
            error = long_run["sd"][name] * np.sqrt(1 / n + 1 / n_given)
            source = f"{n} studies and {n_given} of the specification, and its rounding"
            check = simulated(
                f"{section}, as specified", named[name], target["value"], own.mean[name], error, source
            )
            results.append(replace(check, tolerance=check.tolerance + target["rounding"]))
    return results


def replicate_table(found: Sequence[Replicates]) -> Table:
    """How many points a study cannot tell from the chosen one; how often it tells its neighbours apart."""

    def cells(own: Replicates, name: str) -> tuple[str, str]:
        mean, error = own.mean[name], own.sd[name] / np.sqrt(own.n_replicates)
        if name in NEIGHBOURS.values():
            return f"{100 * mean:.0f} %", f"{100 * error:.1f} %"
        return f"{mean:.2f}", f"{error:.2f}"

    names = (*(test.name for test in TESTS), *NEIGHBOURS.values())
    return Table(
        f"Figure 2, repeated: how many of the {N_POINTS - 1} other points a study cannot tell from the "
        "chosen one by FPR, and how often it tells both neighbours apart (means; ± is their Monte-Carlo "
        "error).",
        ("test", *(cell for own in found for cell in (f"{own.n_per_class} per class", "±"))),
        tuple((name, *(cell for own in found for cell in cells(own, name))) for name in names),
    )


# The limit for many cases; errata P1 and P7 -------------------------------------------------------------


def limit() -> dict[str, float]:
    """The FPRs of the detector at six TPRs with ever more cases, by quadrature."""
    return {f"{tpr:g}": float(highleyman_fpr(tpr)) for tpr in LIMIT_TPRS}


def limit_checks(expected: Mapping[str, float], n_replicates: int) -> list[Check]:
    """The stored limits against quadrature, and against detectors trained and tested on many cases."""
    section, again = "Highleyman, the limit of the detector", limit()
    results = [
        Check(section, f"FPR at TPR {tpr}", fpr, again[tpr], 5e-7, "six digits that are stored")
        for tpr, fpr in expected.items()
    ]
    read = np.array([large_fprs(FIRST_LARGE + i) for i in range(n_replicates)])
    errors = read.std(axis=0, ddof=1) / np.sqrt(n_replicates)
    source = f"{n_replicates} samples of {LARGE_SIZE} per class"
    for (tpr, fpr), mean, error in zip(expected.items(), read.mean(axis=0), errors, strict=True):
        name = f"cross-validated FPR at TPR {tpr}"
        results.append(simulated(section, name, fpr, mean, error, source, n_replicates - 1))
    return results


def large_fprs(seed: int) -> Floats:
    """What one detector of many cases comes to."""
    curve: Any = rs.average(detector_scores(LARGE_SIZE, seed), "threshold")
    return np.asarray(curve.fpr_at(np.array(LIMIT_TPRS)))


def level(n_folds: int) -> float:
    """How often a paired t test rejects a true hypothesis if it is given 2n - 2 degrees of freedom."""
    from scipy.special import stdtr, stdtrit

    return float(2 * stdtr(n_folds - 1, -stdtrit(2 * n_folds - 2, 1 - LEVEL / 2)))


def uneven_gap() -> float:
    """The largest gap between the mean FPR of folds and the FPR of all rows, where folds differ in size."""
    fpr = sample(UNEQUAL_SIZE).table.measure("fpr")
    return float(np.abs(fpr.mean - fpr.stacked).max())


def errata_checks(expected: Mapping[str, Any], n_tests: int) -> list[Check]:
    """P1 by simulation against its closed form; P7 on one sample."""
    random = np.random.default_rng(1)
    found = []
    for n, wanted in expected["level of 2n - 2"].items():
        first, second = random.standard_normal((2, int(n), n_tests))
        rejected = np.asarray(paired_tests(first, second, df="2n-2").pvalue) <= LEVEL
        name = f"level with 2n - 2, {n} folds"
        found.append(binomial("P1: degrees of freedom", name, wanted, float(rejected.mean()), n_tests))
    section, name = "P7: largest gap where folds are unequal", "mean over folds less all rows"
    source, wanted = "the same sample; rounding only", expected["gap of unequal folds"]
    return [*found, Check(section, name, wanted, uneven_gap(), 1e-9, source)]


# What should be found -----------------------------------------------------------------------------------

SPECIFIED = {
    "50": {PRINTED.name: 4.4, PLAIN.name: 5.2, CORRECTED.name: 10.5},
    "200": {PRINTED.name: 0.4, PLAIN.name: 0.65, CORRECTED.name: 2.4},
}
"""Points not rejected, of 29: means of 150 studies."""


def expected(n_replicates: int, seed: int) -> dict[str, Any]:
    """The numbers that are stored, each with where it comes from."""

    def half_digit(value: float) -> float:
        return 0.5 * 10.0 ** -len(repr(value).partition(".")[2])

    runs = {str(size): replicates(size, n_replicates, seed) for size in FIGURE_2_SIZES}
    given = {
        size: {name: {"value": value, "rounding": half_digit(value)} for name, value in own.items()}
        for size, own in SPECIFIED.items()
    }
    long_run = {
        size: {"n_replicates": n_replicates, "mean": dict(own.mean), "sd": dict(own.sd)}
        for size, own in runs.items()
    }
    return {
        "limit": {"source": "closed form, by quadrature", "fpr": limit()},
        "figure 2": {
            "specification": {
                "source": "specification: means of 150 studies, given with one or two digits",
                "n_replicates": 150,
                "points not rejected": given,
            },
            "long run": {
                "source": f"our own long run, seeds from {seed}; sd / sqrt(n_replicates) is its error",
                **long_run,
            },
        },
        "errata": {
            "source": "closed form (level), one sample (gap)",
            "level of 2n - 2": {str(n): level(n) for n in (N_FOLDS, 5)},
            "gap of unequal folds": uneven_gap(),
        },
    }
