"""``compare_readers(method="u-statistics")``: any design, what it refuses, what it says."""

import numpy as np
import pytest

import rocsteady as rs
from reader_studies import STUDIES
from rocsteady.errors import DataError, RocsteadyWarning, UsageError

pytestmark = pytest.mark.filterwarnings("ignore:RS213", "ignore:RS215")


def score_set(rows, **options):
    readers, modalities, cases, truth, ratings = zip(*rows, strict=True)
    return rs.ScoreSet.from_arrays(
        np.array(truth), np.array(ratings), groups=readers, models=modalities, cases=cases, **options
    )


def compare(rows, **options):
    return rs.compare_readers(score_set(rows), method="u-statistics", **options)


def test_crossed_studies_have_the_means_of_obuchowski_and_rockette():
    rows = STUDIES["three_ordinal"]
    np.testing.assert_allclose(compare(rows).means, rs.compare_readers(score_set(rows)).means, rtol=1e-14)


def test_two_modalities_have_the_squared_t_of_their_difference():
    found = compare(STUDIES["partly_paired"])
    assert found.statistic == pytest.approx(found.differences[0].statistic ** 2)
    assert found.pvalue == pytest.approx(found.differences[0].pvalue)
    assert found.df == (1, pytest.approx(found.differences[0].df))


def test_readers_of_one_modality_are_allowed_and_count():
    rows = STUDIES["some_cells"]
    found = compare(rows)
    assert np.isnan(found.values).sum() == 3
    # Wins over comparisons, reader by reader.
    for i, modality in enumerate(found.modalities):
        won = made = 0.0
        for reader in found.readers:
            own = [(row[3], row[4]) for row in rows if row[:2] == (reader, modality)]
            positives = np.array([x for truth, x in own if truth])
            negatives = np.array([x for truth, x in own if not truth])
            won += np.sum(positives[:, None] > negatives) + np.sum(positives[:, None] == negatives) / 2
            made += positives.size * negatives.size
        assert found.means[i] == pytest.approx(won / made, rel=1e-12)
    with pytest.raises(DataError, match="RS028"):
        rs.compare_readers(score_set(rows))


def test_the_same_modality_twice():
    rows = [row for row in STUDIES["partly_paired"] if row[1] == "M1"]
    twice = rows + [(reader, "again", *rest) for reader, _, *rest in rows]
    with pytest.warns(RocsteadyWarning, match="RS214"):
        found = compare(twice)
    assert (found.difference, found.standard_error, found.pvalue) == (0, 0, 1)


def test_modalities_the_other_way_round():
    rows = STUDIES["some_cells"]
    found, turned = compare(rows, modalities=["M1", "M2"]), compare(rows, modalities=["M2", "M1"])
    assert turned.difference == -found.difference
    assert turned.standard_error == found.standard_error
    assert turned.pvalue == found.pvalue


def test_low_ratings_for_positives():
    rows = STUDIES["some_cells"]
    turned = [(*row[:4], -row[4]) for row in rows]
    found = rs.compare_readers(score_set(turned, higher_is_positive=False), method="u-statistics")
    np.testing.assert_array_equal(found.means, compare(rows).means)
    assert found.pvalue == compare(rows).pvalue


@pytest.mark.parametrize(
    "option", [{"readers": "fixed"}, {"cases": "fixed"}, {"measure": rs.PartialAuc(fpr=(0, 0.5))}], ids=str
)
def test_is_for_the_auc_of_random_readers_and_cases(option):
    with pytest.raises(UsageError, match="obuchowski-rockette"):
        compare(STUDIES["partly_paired"], **option)


def test_every_modality_needs_two_readers_who_saw_both_classes():
    rows = [row for row in STUDIES["partly_paired"] if row[1] == "M1" or row[0] in ("R1", "R2")]
    assert np.isfinite(compare(rows).pvalue)
    lacking = [row for row in rows if row[:2] != ("R2", "M2") or row[3]]
    with pytest.raises(DataError, match="two groups who read both classes") as refused:
        compare(lacking)
    assert refused.value.code == "RS027"
    assert "M2" in refused.value.found


def test_every_modality_needs_two_cases_of_each_class():
    rows = [row for row in STUDIES["three_ordinal"] if row[1] != "M2" or not row[3] or row[2] == "c1"]
    with pytest.raises(DataError, match="two positives"):
        compare(rows)


def test_clusters_are_refused():
    rows = STUDIES["three_ordinal"]
    patients = [f"p{int(row[2][1:]) // 2}" for row in rows]
    with pytest.raises(UsageError, match="RS030"):
        rs.compare_readers(score_set(rows, clusters=patients), method="u-statistics")


def test_a_modality_of_one_reader_and_a_glance_of_another_is_refused():
    glance = {("R1", f"c{k}") for k in range(1, 71)} | {("R2", "c1"), ("R2", "c31")}
    rows = [row for row in STUDIES["three_ordinal"] if row[1] != "M2" or (row[0], row[2]) in glance]
    with pytest.raises(DataError, match="nearly all of one group") as refused:
        compare(rows)
    assert refused.value.found == "found: none of M1 - M2, M2 and M2 - M3"
