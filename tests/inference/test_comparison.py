"""compare_auc: traps, degenerate cases and bad input."""

import json
import math
import warnings

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import DataError, UsageError

LABELS = [1, 1, 1, 1, 0, 0, 0, 0, 0]
FIRST = [9, 8, 7, 3, 6, 4, 2, 1, 0]
SECOND = [9, 2, 3, 7, 8, 6, 5, 1, 0]


def test_T24_the_same_scores_twice_are_no_evidence():
    """MLstatkit gives p = 0."""
    for paired in (True, False):
        found = rs.compare_auc(LABELS, FIRST, FIRST, paired=paired)
        assert (found.difference, found.statistic, found.pvalue) == (0, 0, 1)
    transformed = rs.compare_auc(LABELS, FIRST, np.exp(FIRST))
    assert (transformed.statistic, transformed.pvalue, transformed.standard_error) == (0, 1, 0)
    several = rs.compare_auc(LABELS, FIRST, FIRST, FIRST)
    assert (several.statistic, several.df, several.pvalue) == (0, 0, 1)


def test_T26_large_samples_do_not_wrap():
    rng = np.random.default_rng(0)
    n = 300_000
    labels = rng.random(n) < 0.5
    base = rng.normal(size=n) + labels
    found = rs.compare_auc(labels, base + rng.normal(size=n), base + rng.normal(size=n))
    assert 0 < found.standard_error < 0.01
    assert abs(found.statistic) < 5
    assert np.all(np.linalg.eigvalsh(found.covariance) > 0)


def test_unpaired_sets_of_different_size():
    found = rs.compare_auc((LABELS, LABELS * 3), FIRST, SECOND * 3, paired=False)
    variances = [rs.roc_curve(LABELS, FIRST).auc_standard_error() ** 2]
    variances.append(rs.roc_curve(LABELS * 3, SECOND * 3).auc_standard_error() ** 2)
    assert found.standard_error == pytest.approx(math.sqrt(sum(variances)))
    as_in_proc = rs.compare_auc((LABELS, LABELS * 3), FIRST, SECOND * 3, paired=False, reference="normal")
    welch = sum(variances) ** 2 / (variances[0] ** 2 / 8 + variances[1] ** 2 / 26)
    assert as_in_proc.df == pytest.approx(welch)
    assert found.df < welch  # the four classes of the two sets
    assert found.covariance.tolist() == [[pytest.approx(variances[0]), 0], [0, pytest.approx(variances[1])]]
    one_label_array = rs.compare_auc(LABELS, FIRST, SECOND, paired=False)
    assert one_label_array.pvalue == rs.compare_auc((LABELS, LABELS), FIRST, SECOND, paired=False).pvalue


def test_labels_are_two_label_arrays_only_when_they_look_like_it():
    with pytest.raises(UsageError, match=r"RS002.*cannot be paired"):
        rs.compare_auc((LABELS, LABELS), FIRST, SECOND)
    with pytest.warns(UserWarning, match="RS153"):  # two cases, not two sets
        found = rs.compare_auc(["sick", "well"], [2, 1], [1, 2], positive="sick")
    assert math.isnan(found.pvalue)


def test_separated_classes_are_noted():
    perfect = [1.0 * y for y in LABELS]
    with pytest.warns(UserWarning, match="RS151"):
        found = rs.compare_auc(LABELS, perfect, FIRST)
    assert found.standard_error == pytest.approx(rs.roc_curve(LABELS, FIRST).auc_standard_error())
    with pytest.warns(UserWarning, match="RS151"):
        opposite = rs.compare_auc(LABELS, perfect, [-s for s in perfect])
    assert (opposite.difference, opposite.statistic, opposite.pvalue) == (1, math.inf, 0)
    with pytest.warns(UserWarning, match="RS151"):
        several = rs.compare_auc(LABELS, perfect, [-s for s in perfect], perfect)
    assert (several.statistic, several.pvalue) == (math.inf, 0)


def test_low_scores_positive():
    a = rs.compare_auc(LABELS, FIRST, SECOND)
    b = rs.compare_auc(LABELS, [-s for s in FIRST], [-s for s in SECOND], higher_is_positive=False)
    assert (a.difference, a.statistic) == (b.difference, b.statistic)


def test_bad_input_is_refused():
    for scores in ((), (FIRST,)):
        with pytest.raises(UsageError, match="RS002"):
            rs.compare_auc(LABELS, *scores)
    with pytest.raises(UsageError, match="RS002"):
        rs.compare_auc(LABELS, FIRST, SECOND, FIRST, paired=False)
    with pytest.raises(ValueError, match="RS013"):
        rs.compare_auc(LABELS, FIRST, SECOND[:-1])
    with pytest.raises(DataError, match="RS031"):
        rs.compare_auc(LABELS, FIRST, [math.nan, *SECOND[1:]])
    with pytest.raises(DataError, match="RS024"):
        rs.compare_auc([1] * 9, FIRST, SECOND, positive=1)
    with pytest.raises(UsageError, match="RS042"):
        rs.compare_auc(LABELS, FIRST, SECOND, confidence_level=95)


def test_results_are_plain_and_short():
    for found in (rs.compare_auc(LABELS, FIRST, SECOND), rs.compare_auc(LABELS, FIRST, SECOND, FIRST[::-1])):
        assert "\n" not in repr(found)
        plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert plain["interval"]["confidence_level"] == 0.95
    assert rs.compare_auc(LABELS, FIRST, SECOND, reference="normal").to_dict()["df"] == "inf"


def test_few_cases_of_a_class_are_warned_of():
    rng = np.random.default_rng(3)
    for n_positives, is_few in ((14, True), (15, False)):
        labels = np.arange(n_positives + 300) < n_positives
        a, b = rng.normal(size=(2, labels.size)) + labels
        for call in (
            lambda: rs.compare_auc(labels, a, b),  # noqa: B023
            lambda: rs.compare_auc((labels, labels), a, b, paired=False),  # noqa: B023
        ):
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                call()
            assert [one.message.code for one in seen] == ["RS156"] * is_few


def test_a_rare_class_decides_the_degrees_of_freedom():
    """Ten positives among a thousand negatives: the normal reference rejected 6 to 9 % at a level of 5 %."""
    rng = np.random.default_rng(5)
    labels = np.arange(1010) < 10
    found = rs.compare_auc(labels, *(rng.normal(size=(2, 1010)) + 1.2 * labels))
    assert 9 <= found.df < 12
    three = rs.compare_auc(labels, *(rng.normal(size=(3, 1010)) + 1.2 * labels))
    assert (three.df, three.method) == (2, "paired DeLong F test")
    assert 8 <= three.error_df < 12
    assert "F = " in repr(three)


def test_mixed_score_types():
    found = rs.compare_auc(LABELS, np.array(FIRST, dtype=np.int16), np.array(SECOND, dtype=np.float32))
    assert found.statistic == rs.compare_auc(LABELS, FIRST, SECOND).statistic


def nearly_identical(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores of n cases, and the same with one neighbouring pair of a positive and a negative swapped."""
    labels = np.random.default_rng(4).random(n) < 0.3
    scores = np.arange(n) / n
    middle = n // 2 + int(np.flatnonzero(labels[n // 2 : -1] & ~labels[n // 2 + 1 :])[0])
    swapped = scores.copy()
    swapped[[middle, middle + 1]] = scores[[middle + 1, middle]]
    return labels, scores, swapped


@pytest.mark.parametrize("n", [1000, 100_000, 2_000_000])
def test_classifiers_that_differ_in_two_cases_are_no_evidence(n: int) -> None:
    """var(a) + var(b) - 2 cov(a, b) cancels to zero here and would give p = 0.

    Exactly one pair changes hands: the placements of one positive and of one negative move by one step each, so
    that z = 1 / sqrt(2) in the limit.
    """
    labels, scores, swapped = nearly_identical(n)
    result = rs.compare_auc(labels, scores, swapped)
    assert abs(result.statistic) == pytest.approx(1 / np.sqrt(2), rel=2 / np.sqrt(n))
    assert result.pvalue == pytest.approx(0.4795, abs=0.03)


def test_a_contrast_with_a_tiny_error_counts_among_three() -> None:
    labels, scores, swapped = nearly_identical(100_000)
    other = scores + np.random.default_rng(1).normal(size=scores.size)
    result = rs.compare_auc(labels, scores, swapped, other)
    assert result.df == 2
    assert rs.compare_auc(labels, scores, scores, other).df == 1


def test_the_correlation_of_two_aucs_is_that_of_their_covariance() -> None:
    rng = np.random.default_rng(4)
    labels = np.arange(90) < 30
    shared, *own = rng.normal(size=(4, 90))
    scores = [labels + shared + each for each in own]
    two, three = rs.compare_auc(labels, *scores[:2]), rs.compare_auc(labels, *scores)
    sd = np.sqrt(np.diag(three.covariance))
    assert three.correlation == pytest.approx(three.covariance / np.outer(sd, sd))
    assert np.diag(three.correlation).tolist() == [1, 1, 1]
    assert two.correlation == three.correlation[0, 1]
    # The variance of a difference is made of the same three numbers.
    parts = sd[0] ** 2 + sd[1] ** 2 - 2 * two.correlation * sd[0] * sd[1]
    assert two.standard_error == pytest.approx(np.sqrt(parts))
    assert two.to_dict()["correlation"] == two.correlation


def test_correlations_at_the_ends() -> None:
    labels, scores = [1, 1, 1, 0, 0, 0], [3, 1, 4, 1, 5, 2]
    assert rs.compare_auc(labels, scores, scores).correlation == 1
    assert rs.compare_auc((labels, labels), scores, scores, paired=False).correlation == 0
    with pytest.warns(rs.errors.RocsteadyWarning, match="RS151"):
        perfect = rs.compare_auc(labels, labels, scores)
    assert np.isnan(perfect.correlation)
    assert perfect.to_dict()["correlation"] is None


def test_the_correlation_is_that_of_proc(data_folder) -> None:
    """pROC 1.18.0's cov() and var() of the aSAH data: markers of different things, -0.26."""
    golden = json.loads((data_folder / "golden" / "proc_asah.json").read_text())
    both = rs.read_scores(data_folder / "scores" / "proc_asah.csv", label="label", score=["s100b", "ndka"])
    variances = [golden[name]["delong_var"] for name in ("s100b", "ndka")]
    expected = golden["tests"]["s100b_vs_ndka"]["cov"] / math.sqrt(math.prod(variances))
    assert rs.compare_auc(*both[:2]).correlation == pytest.approx(expected, rel=1e-9)
    assert expected < -0.25
    found = rs.plan(both, models=("s100b", "ndka"), difference=0.1)
    low, high = golden["tests"]["s100b_vs_ndka"]["diff_ci95"]
    assert found.half_width == pytest.approx((high - low) / 2, rel=1e-9)
    assert found.correlation == pytest.approx(expected, rel=1e-9)


def test_a_set_of_one_group_stands_for_its_scores() -> None:
    labels = [1, 1, 1, 0, 0, 0]
    both = rs.ScoreSet.from_arrays(labels, {"a": [3, 1, 4, 1, 5, 2], "b": [2, 7, 1, 8, 2, 0]})
    found = rs.compare_auc(both.model("a"), both.model("b"))
    assert found.to_dict() == rs.compare_auc(both["a / all"], both["b / all"]).to_dict()
