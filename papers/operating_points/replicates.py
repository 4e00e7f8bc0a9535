"""Figure 2 again and again: how many of the 29 other points does a test fail to tell from the chosen one?

Every replicate draws both classes anew, cross-validates the detector, takes 30 points, chooses the strictest
with a TPR of at least 0.9, and compares its FPR with those of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers.checks import Check, binomial, simulated
from papers.operating_points.detector import chosen_point, detector_scores, thirty_points
from papers.operating_points.parameters import (
    CHOSEN_TPR,
    CORRECTED,
    LEVEL,
    N_POINTS,
    PLAIN,
    PRINTED,
    TESTS,
    Test,
)
from papers.reproduction import Tabulated
from rocsteady.points.tables import OperatingPointTable, average_operating_points
from rocsteady.results import Result
from rocsteady.statistics.multiplicity import adjusted
from rocsteady.statistics.paired_t import paired_tests

Floats = NDArray[np.float64]
SEED = 10_000
"""Of the first replicate; the others follow. The long run behind expected.json starts elsewhere."""
FIXED_THRESHOLD = (1 - CHOSEN_TPR) / np.pi
"""A density that the true model of class 1 exceeds in 90 % of its cases, whatever the sample."""
NEIGHBOURS = {test.name: f"neighbours told apart, {test.name}" for test in (PRINTED, PLAIN, CORRECTED)}
READINGS = (
    *(test.name for test in TESTS),
    *NEIGHBOURS.values(),
    "known to differ",
    "tpr",
    "fpr",
    "fpr at a fixed threshold",
    "its variance by folds",
)


@dataclass(frozen=True, eq=False, repr=False)
class Replicates(Result):
    """What repeated studies of one size found.

    Attributes
    ----------
    n_per_class, n_replicates : int
        Size of a study; number of studies.
    mean, sd, standard_error : mapping
        Over studies, of each of ``READINGS``: how many of the 29 other points each test does not reject;
        whether a test tells both neighbours apart; how many of the points that the plain test does not
        reject have another FPR in this very sample; rates of the chosen point; the FPR at one threshold that
        is the same in all studies, and the square of its standard error as the folds give it. The standard
        error here is the Monte-Carlo error of the mean.
    """

    n_per_class: int
    n_replicates: int
    mean: Mapping[str, float]
    sd: Mapping[str, float]
    standard_error: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        plain = {name: dict(getattr(self, name)) for name in ("mean", "sd", "standard_error")}
        return {"n_per_class": self.n_per_class, "n_replicates": self.n_replicates, **plain}

    def __repr__(self) -> str:
        counts = ", ".join(f"{test.name}: {self.mean[test.name]:.2f}" for test in TESTS)
        return f"Replicates({self.n_per_class} per class, {self.n_replicates} studies; {counts})"


def replicates(
    n_per_class: int,
    n_replicates: int,
    seed: int = SEED,
    *,
    after_each: Callable[[], None] = lambda: None,
) -> Replicates:
    """Repeat the study; ``after_each`` is called after every one."""
    studies = []
    for i in range(n_replicates):
        studies.append(_study(n_per_class, seed + i))
        after_each()
    found = np.array(studies)
    sd = found.std(axis=0, ddof=1)
    columns = (found.mean(axis=0), sd, sd / np.sqrt(n_replicates))
    return Replicates(
        n_per_class,
        n_replicates,
        *(dict(zip(READINGS, values.tolist(), strict=True)) for values in columns),
    )


def _study(n_per_class: int, seed: int) -> list[float]:
    scores = detector_scores(n_per_class, seed)
    table = thirty_points(scores)
    fpr, tpr = table.measure("fpr"), table.measure("tpr")
    chosen = chosen_point(tpr.mean)
    kept = {test.name: not_rejected(table, chosen, test) for test in TESTS}
    beside = [i for i in (chosen - 1, chosen + 1) if 0 <= i < table.n_points]
    differs = np.abs(fpr.stacked - fpr.stacked[chosen]) > 1e-12
    fixed = average_operating_points(scores, thresholds=[FIXED_THRESHOLD]).measure("fpr")
    return [
        *(float(others.sum()) for others in kept.values()),
        *(float(not kept[name][beside].any()) for name in NEIGHBOURS),
        float((kept[PLAIN.name] & differs).sum()),
        float(tpr.mean[chosen]),
        float(fpr.mean[chosen]),
        float(fixed.mean[0]),
        float(fixed.standard_error[0] ** 2),
    ]


def not_rejected(table: OperatingPointTable, chosen: int, test: Test) -> NDArray[np.bool_]:
    """Which other points a test does not tell from the chosen one by FPR, as ``compare_to`` has it."""
    per_fold = table.measure("fpr").per_fold
    others = np.arange(per_fold.shape[1]) != chosen
    same = np.broadcast_to(per_fold[:, [chosen]], per_fold.shape)
    pvalue = paired_tests(per_fold, same, df=test.df, test_train_ratio=test.test_train_ratio).pvalue
    kept = np.zeros(per_fold.shape[1], dtype=bool)
    kept[others] = adjusted(np.asarray(pvalue)[others], test.adjust) > LEVEL
    return kept


def understatement(found: Replicates) -> float:
    """The spread of an FPR from study to study, over the standard error by the folds of one."""
    return found.sd["fpr at a fixed threshold"] / float(np.sqrt(found.mean["its variance by folds"]))


def checks(found: Sequence[Replicates], expected: Mapping[str, Any]) -> list[Check]:
    """Means over studies against those of the long run, and against the numbers of the specification."""
    results = []
    for own in found:
        long_run = expected["long run"][str(own.n_per_class)]
        section = f"Figure 2 repeated, {own.n_per_class} per class"
        n, n_long = own.n_replicates, long_run["n_replicates"]
        for name in READINGS:
            expectation, value = long_run["mean"][name], own.mean[name]
            if name in NEIGHBOURS.values():
                results.append(binomial(section, name, expectation, value, n))
                continue
            error = long_run["sd"][name] * np.sqrt(1 / n + 1 / n_long)
            source = f"{n} studies and {n_long} of the long run"
            results.append(simulated(section, _named(name), expectation, value, error, source))
        results += _against_specification(own, long_run, expected["specification"])
    return results


def _named(reading: str) -> str:
    if reading in {test.name for test in TESTS}:
        return f"points not rejected, {reading}"
    return {
        "tpr": "TPR of the chosen point",
        "fpr": "FPR of the chosen point",
        "known to differ": "of those, FPR differs in the sample",
    }.get(reading, reading.replace("fpr", "FPR"))


def _against_specification(
    own: Replicates, long_run: Mapping[str, Any], specification: Mapping[str, Any]
) -> list[Check]:
    n = specification["n_replicates"]
    results = []
    for name, target in specification["points not rejected"][str(own.n_per_class)].items():
        error = long_run["sd"][name] * np.sqrt(1 / own.n_replicates + 1 / n)
        check = simulated(
            f"Figure 2 repeated, {own.n_per_class} per class, as specified",
            f"points not rejected, {name}",
            target["value"],
            own.mean[name],
            error,
            f"{own.n_replicates} studies and {n} of the specification, and its rounding",
        )
        results.append(replace(check, tolerance=check.tolerance + target["rounding"]))
    return results


def tabulated(found: Sequence[Replicates]) -> Tabulated:
    """The counts as a table to print."""
    rows = []
    for test in TESTS:
        cells = [(f"{own.mean[test.name]:.2f}", f"{own.standard_error[test.name]:.2f}") for own in found]
        rows.append((test.name, *(cell for pair in cells for cell in pair)))
    for name in NEIGHBOURS.values():
        cells = [
            (f"{100 * own.mean[name]:.0f} %", f"{100 * own.standard_error[name]:.1f} %") for own in found
        ]
        rows.append((name, *(cell for pair in cells for cell in pair)))
    headings = [(f"{own.n_per_class} per class", "±") for own in found]
    return Tabulated(
        f"How many of the {N_POINTS - 1} other points can a study not tell from the chosen one by FPR? How "
        "often does it tell both neighbours apart? (Means over repeated studies; ± is the Monte-Carlo "
        "error.)",
        ("test", *(cell for pair in headings for cell in pair)),
        (("", tuple(rows)),),
    )
