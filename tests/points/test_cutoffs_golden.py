"""pROC's best cut-offs of its aSAH data (golden/proc_asah.json says how they were made)."""

import csv
import json

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.points.cutoffs import choose_cutoff


@pytest.mark.parametrize("marker", ["s100b", "wfns", "ndka"])
def test_youden_as_pROC_prints_it(data_folder, marker):
    with open(data_folder / "scores" / "proc_asah.csv") as file:
        rows = list(csv.DictReader(file))
    curve = rs.roc_curve(
        np.array([row["outcome"] for row in rows]),
        np.array([float(row[marker]) for row in rows]),
        positive="Poor",
    )
    expected = json.loads((data_folder / "golden" / "proc_asah.json").read_text())[marker]["best_youden"]
    cutoff = choose_cutoff(curve, "youden")
    assert cutoff.midpoint == pytest.approx(expected["threshold"], rel=1e-12)
    assert cutoff.tpr == pytest.approx(expected["sensitivity"], abs=1e-14)
    assert 1 - cutoff.fpr == pytest.approx(expected["specificity"], abs=1e-14)
    table = cutoff.two_by_two()
    assert (table.sensitivity, table.specificity) == pytest.approx(
        (expected["sensitivity"], expected["specificity"]), abs=1e-14
    )
