"""What is made once and used by many: it is the same, it goes away, and short cuts change no number."""

import gc

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.advice.readings import Draws
from rocsteady.averaging.average import average
from rocsteady.counting.table import count_table
from rocsteady.statistics.resampling import drawn_counts, drawn_means, drawn_standard_errors


@pytest.fixture(scope="module")
def both():
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(60), 30)
    labels = np.tile([1, 0, 0], 600)
    labels[groups == 7] = 0
    scores = {name: labels + rng.normal(size=labels.size) for name in ("old", "new")}
    return rs.ScoreSet.from_arrays(labels, scores, groups)


def test_averages_of_one_set_are_one_while_they_are_in_use(both):
    own = both.model("old")
    assert both.model("old") is own
    first = average(own, "radial", undefined="drop")
    assert average(own, "radial", undefined="drop") is first
    assert average(own, "vertical", undefined="drop")._groups is first._groups
    assert average(own, "radial", undefined="drop", group_weights="rows") is not first
    assert average(own, rs.Pooled(balanced=True), undefined="drop") != average(
        own, "pooled", undefined="drop"
    )
    with pytest.raises(rs.RocsteadyError, match="RS0"):
        average(own, "radial")  # what is dropped was said each time


def test_tables_are_counted_again_only_once_they_are_gone(both):
    own = both.model("new")
    table = count_table(own)
    assert count_table(own) is table
    assert count_table(own, threads=1) is not table
    before = table.true_positives.copy()
    del table
    gc.collect()
    assert np.array_equal(count_table(own).true_positives, before)


def test_draws_are_those_of_the_seed(both):
    own = both.model("old")  # group 7 has no curve
    (every,) = drawn_counts(60, 20, 3)
    for method, members in (("pooled", np.arange(60)), ("vertical", np.delete(np.arange(60), 7))):
        made = average(own, method, undefined="drop")
        for _ in range(2):
            drawn = np.concatenate(list(Draws(60, 3, 20).of(made)))
            assert np.array_equal(drawn, every[:, members])


def test_equal_weights_take_a_short_cut_to_the_same_numbers():
    rng = np.random.default_rng(0)
    values, equal = rng.normal(size=(9, 4)), np.full(9, 1 / 9)
    nearly = equal * (1 + 1e-14 * np.arange(9))  # not the short cut
    (counts,) = drawn_counts(9, 50, 0)
    np.testing.assert_allclose(
        drawn_means(values, equal, counts), drawn_means(values, nearly, counts), atol=1e-12
    )
    for one, other in zip(
        drawn_standard_errors(values, equal, counts),
        drawn_standard_errors(values, nearly, counts),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, atol=1e-12)
