"""Results that had no sentence: each says what was found, arrays included."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs

RNG = np.random.default_rng(0)
TRUTH, FOLDS = np.tile([0, 1], 100), np.repeat(list("abcde"), 40)
GOOD, FAIR = RNG.normal(size=200) + 1.5 * TRUTH, RNG.normal(size=200) + TRUTH
TABLE = rs.average_operating_points(rs.ScoreSet.from_arrays(TRUTH, GOOD, FOLDS), thresholds=9)


@pytest.fixture(scope="module")
def several():
    truth, outputs = RNG.integers(0, 3, 300), RNG.random((300, 3))
    outputs[np.arange(300), truth] += 0.7
    return rs.MulticlassScores(truth, outputs, folds=np.arange(300) % 5)


@pytest.fixture(scope="module")
def search(several):
    return rs.search_class_weights(several, n_start=50, n_steps=1, keep=4, nested=True)


def told(found):
    """The sentence, which plain data and a notebook have, too."""
    assert found.to_dict()["reading"] == found.reading
    assert found.reading.split(". ", maxsplit=1)[0][:40].split("<")[0] in found._repr_html_().replace(
        "\N{NO-BREAK SPACE}", " "
    )
    return found.reading


def test_delongs_test():
    found = rs.compare_auc(TRUTH, GOOD, FAIR)
    assert told(found).startswith(f"AUC {found.aucs[0]:.3f} and {found.aucs[1]:.3f}: the difference is ")
    assert told(found).endswith("(paired DeLong test).")
    three = told(rs.compare_auc(TRUTH, GOOD, FAIR, GOOD * FAIR))
    assert three.startswith("The AUCs of 3 classifiers lie between ")
    assert three.endswith("(paired DeLong F test).")
    assert "p = 1 (paired DeLong test)" in told(rs.compare_auc(TRUTH, GOOD, GOOD))


def test_an_auc_against_chance():
    curve = rs.roc_curve(TRUTH, FAIR)
    assert told(curve.auc_null_test()).endswith("p < 0.001 (two-sided, nonparametric standard error).")
    assert "DeLong" in told(curve.auc_null_test("delong"))


def test_a_paired_t_test_and_many():
    found = rs.paired_t([0.1, 0.2, 0.3], [0.1, 0.1, 0.1], test_train_ratio=0.5)
    assert told(found) == (
        "The mean difference of 3 pairs is +0.100 (standard error 0.0913), t = 1.10, df = 2, p = 0.39. "
        "The tests are corrected for shared training cases (1/n + 0.500)."
    )
    assert told(rs.paired_t([0.1, np.nan], [0.1, 0.1])).startswith("No t test: 1 pair with a difference")
    first, second = RNG.normal(size=(2, 5, 2, 3))
    second[1:, 0, 0] = np.nan
    many = rs.paired_t(first, second)
    known = many.pvalue[np.isfinite(many.pvalue)]
    assert f"{(known <= 0.05).sum()} of them at most 0.05, not adjusted" in told(many)
    assert told(many).endswith("1 test had too few pairs.")
    np.testing.assert_array_equal(many.to_frame()["pvalue"], many.pvalue.ravel())
    assert list(found.to_frame()["n"]) == [3]
    assert "none has two" in told(rs.paired_t(first, np.full_like(first, np.nan)))


def test_a_table_and_its_measures(several, search):
    assert told(TABLE).startswith("9 operating points of 5 groups: each measure is the mean over the groups")
    precision = told(TABLE.measure("precision"))
    assert precision.startswith("The mean precision over 5 groups ranges over ")
    assert "At some points none defines it" in precision
    points = rs.average_multiclass_points(several, search)
    assert "the training cases that they share" in told(points)
    assert told(points.measure("class_error")).startswith("The mean class_error of each class over 5 folds")


def test_class_weights(search):
    own = search.nested
    assert told(own) == (
        "With weights for each of 5 folds chosen on the others, the largest class error is "
        f"{100 * own.max_error:.1f} % over all rows, {100 * own.mean_max_error:.1f} % in the average fold."
    )
    assert told(search).endswith(own.reading)


def test_points_without_a_positive_class_are_drawn_as_class_errors(several, search):
    points = rs.average_multiclass_points(several, search)
    assert points.plot().get_title() == rs.plot.class_errors(points).get_title()
    assert len(points.plot().lines) == len(rs.plot.class_errors(points).lines)
    points.plot(x="error", y="accuracy")
    with pytest.raises(rs.RocsteadyError, match=r"rs\.plot\.class_errors"):
        rs.plot.operating_points(points)
