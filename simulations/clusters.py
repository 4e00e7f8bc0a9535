"""Patients with several rows: how often intervals of one curve hold, and how often a test of two rejects.

    python simulations/clusters.py [--replicates 2000] [--seed 1]

Every patient has one to six rows, each positive or negative by itself, so that most patients have rows of
both classes. A share of the variance of the scores is common to the rows of a patient; it is also common, in
part, to the two classifiers, which have the same AUC. Held against the truth: the interval of the AUC, of the
sensitivity at a fixed threshold, and of the TPR at an FPR of 0.2; and a 5 % test of two AUCs. Beside them the
same as if rows were independent.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import rocsteady as rs
from rocsteady.operating_points.cutoffs.two_by_two import table_at

MOST_ROWS = 6
FPR = 0.2
AREAS, PATIENTS, CORRELATIONS = (0.75, 0.9), (20, 30, 60), (0.3, 0.6)
MEASURES = ("AUC", "sensitivity", "TPR at FPR", "test")


def drawn(
    area: float, n_patients: int, correlation: float, rng: np.random.Generator
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.int64]]:
    """Truth, scores of two classifiers, and the patient of every row."""
    patients = np.repeat(np.arange(n_patients), rng.integers(1, MOST_ROWS + 1, n_patients))
    truth = rng.random(patients.size) < rng.beta(2, 2, n_patients)[patients]
    apart = np.sqrt(2) * ndtri(area)
    of_both, *of_each = rng.normal(size=(3, n_patients))
    rows_of_both, *rows_of_each = rng.normal(size=(3, patients.size))
    scores = [
        apart * truth
        + np.sqrt(correlation) * (of_both + of_each[i])[patients] / np.sqrt(2)
        + np.sqrt(1 - correlation) * (rows_of_both + rows_of_each[i]) / np.sqrt(2)
        for i in (0, 1)
    ]
    return truth, np.array(scores), patients


def shares(
    area: float, n_patients: int, correlation: float, replicates: int, seed: int
) -> dict[str, dict[str, float]]:
    """How often each interval held and the test rejected, patients as they are and rows as if independent."""
    rng = np.random.default_rng(seed)
    apart = np.sqrt(2) * ndtri(area)
    truths = {"AUC": area, "sensitivity": ndtr(apart / 2), "TPR at FPR": ndtr(apart + ndtri(FPR))}
    found = {name: dict.fromkeys(MEASURES, 0) for name in ("patients", "rows")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(replicates):
            truth, (a, b), patients = drawn(area, n_patients, correlation, rng)
            named = rs.ScoreSet.from_arrays(truth, a, clusters=patients)
            both = {"patients": rs.roc_curve(named[0]), "rows": rs.roc_curve(truth, a)}
            for name, curve in both.items():
                table = table_at(curve, apart / 2, ">=", None, 0.95, "wilson")
                assert table.sensitivity_interval is not None
                intervals = {
                    "AUC": curve.auc_interval(),
                    "sensitivity": table.sensitivity_interval,
                    "TPR at FPR": curve.tpr_interval(FPR),
                }
                for measure, interval in intervals.items():
                    found[name][measure] += bool(interval.low <= truths[measure] <= interval.high)
                clusters = patients if name == "patients" else None
                found[name]["test"] += rs.compare_auc(truth, a, b, clusters=clusters).pvalue <= 0.05
    return {
        name: {measure: count / replicates for measure, count in own.items()} for name, own in found.items()
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Intervals and tests for patients with several rows.")
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(f"95 % intervals that hold, and 5 % tests that reject ({asked.replicates} replicates)")
    print("  AUC   patients  correlation  as      " + "  ".join(f"{name:>11}" for name in MEASURES))
    for i, setting in enumerate(product(AREAS, PATIENTS, CORRELATIONS)):
        for name, own in shares(*setting, asked.replicates, asked.seed + i).items():
            row = "  ".join(f"{own[measure]:11.3f}" for measure in MEASURES)
            area, n_patients, correlation = setting
            print(f"  {area:<5} {n_patients:<9} {correlation:<12} {name:<8}{row}", flush=True)


if __name__ == "__main__":
    main()
