"""One reader, and one modality, of VanDyke as OR-DBM MRMC 2.51 (Iowa) prints them.

From dpc10ster/RJafroc inst/Iowa/VanDyke1R.txt (reader 1 alone) and inst/IowaResults/VanDyke1T.txt (treatment 1
alone): trapezoidal areas, jackknife covariances.
"""

import csv

import numpy as np
import pytest
from scipy import stats

import rocsteady as rs


@pytest.fixture(scope="module")
def rows(data_folder):
    with open(data_folder / "scores" / "mrmc_vandyke.csv") as file:
        return list(csv.DictReader(file))


def score_set(rows):
    return rs.ScoreSet.from_arrays(
        np.array([float(row["truth"]) for row in rows]),
        np.array([float(row["rating"]) for row in rows]),
        groups=[row["reader"] for row in rows],
        models=[row["treatment"] for row in rows],
        cases=[row["case"] for row in rows],
        unit="reader",
    )


def test_sensitivity_at_a_threshold(rows):
    """The jackknife leaves out the 45 positives, of which alone a sensitivity is made: variance 0.0023681.

    The components are those of base R, ``(n - 1) / n * crossprod(scale(metrics, scale = FALSE))`` over all 114
    cases (0.00240070159, ...), with the factor of the 45; the test follows from the sensitivities.
    """
    found = rs.compare_readers(score_set(rows), measure={"threshold": 3, "rate": "sensitivity"})
    of = found.components
    all_cases = np.array([0.00240070159, 0.00100806711, 0.00102854703, 0.000669579568])
    expected = all_cases * (44 / 45) / (113 / 114)
    assert [of.var, of.cov1, of.cov2, of.cov3] == pytest.approx(expected, rel=1e-8)
    assert of.var == pytest.approx(0.0023681, abs=5e-8)
    positive = [row for row in rows if row["truth"] == "1"]
    caught = np.array(
        [
            [
                np.mean(
                    [
                        float(row["rating"]) >= 3
                        for row in positive
                        if (row["treatment"], row["reader"]) == (t, r)
                    ]
                )
                for r in sorted({row["reader"] for row in rows})
            ]
            for t in sorted({row["treatment"] for row in rows})
        ]
    )
    n_readers = caught.shape[1]
    of_treatments = n_readers * caught.mean(axis=1).var(ddof=1)
    rest = caught - caught.mean(axis=0) - caught.mean(axis=1)[:, None] + caught.mean()
    both = (rest**2).sum() / (n_readers - 1)
    error = both + n_readers * (expected[2] - expected[3])
    df = (n_readers - 1) * (error / both) ** 2
    pvalue = stats.f.sf(of_treatments / error, 1, df)
    assert (found.statistic, found.df[1], found.pvalue) == pytest.approx(
        (of_treatments / error, df, pvalue), rel=1e-7
    )


def test_one_reader(rows):
    study = score_set([row for row in rows if row["reader"] == "1"])
    found = rs.compare_readers(study, readers="fixed", covariance="jackknife")
    assert found.means == pytest.approx([0.91964573, 0.94782609], abs=5e-9)
    assert found.statistic == pytest.approx(1.22011, abs=5e-6)
    assert found.pvalue == pytest.approx(0.2693, abs=5e-5)
    assert found.standard_error == pytest.approx(0.02551, abs=5e-6)
    assert (found.interval.low, found.interval.high) == pytest.approx((-0.07818, 0.02182), abs=5e-6)
    assert found.per_modality.standard_error == pytest.approx([0.03012552, 0.02214169], abs=5e-9)
    assert found.per_reader.standard_error == pytest.approx([0.02551], abs=5e-6)
    assert np.diag(found.covariances[:, 0, :, 0]) == pytest.approx([0.00090755, 0.00049025], abs=5e-9)
    assert found.covariances[0, 0, 1, 0] == pytest.approx(0.00037347, abs=5e-9)


@pytest.mark.parametrize(
    ("readers", "cases", "error", "df", "low", "high"),
    [
        ("random", "random", 0.03317360, 12.74, 0.82522360, 0.96885048),
        ("fixed", "random", 0.02428971, np.inf, 0.84943008, 0.94464399),
        ("random", "fixed", 0.02482994, 4, 0.82809808, 0.96597599),
    ],
)
def test_one_modality(rows, readers, cases, error, df, low, high):
    study = score_set([row for row in rows if row["treatment"] == "1"])
    found = rs.summarize_readers(
        study, readers=readers, cases=cases, covariance="jackknife", interval="t"
    ).per_modality
    assert found.value == pytest.approx([0.89703704], abs=5e-9)
    assert found.standard_error == pytest.approx([error], abs=5e-9)
    assert found.df == pytest.approx([df], abs=5e-3)
    assert (found.low[0], found.high[0]) == pytest.approx((low, high), abs=5e-9)
