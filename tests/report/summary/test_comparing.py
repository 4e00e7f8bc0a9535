"""Is one model better? The numbers are those of rs.compare and rs.average; the words follow from them."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from report.summary.made_hosts import compared, hosts, material, said, two_models
from rocsteady.report.summary.comparing import comparison as comparing
from rocsteady.report.summary.comparing.measure import Measure, model_name
from rocsteady.report.summary.phrases import plain_part

SHARED = rs.Deployment("shared", at={"fpr": 0.1})
OWN = rs.Deployment("own", hold="fpr", at=0.1)
ALL = (
    SHARED,
    OWN,
    rs.Deployment("shared", at={"tpr": 0.9}),
    rs.Deployment("shared", weigh="rows", at={"fpr": 0.1}),
    rs.Deployment("shared", at=1.2),
    rs.Deployment("shared"),
    rs.Deployment("own", hold="tpr", at=0.9),
    rs.Deployment("own", hold="balance"),
    rs.Deployment("own", hold="ratio", at=(1, 2)),
    rs.Deployment("own", hold="alerts", at=0.2, prevalence=0.1),
    rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.05),
    None,
)


@pytest.fixture(scope="module")
def scores() -> rs.ScoreSet:
    return two_models()


def rs_compare(scores: rs.ScoreSet, **options: Any) -> Any:
    settings = {"method": "vertical", "n_resamples": 200, "seed": 0, "undefined": "drop"}
    return rs.compare(scores, "baseline", "candidate", **settings | options)


@pytest.mark.parametrize(
    ("deployment", "method", "at"),
    [(SHARED, "threshold", {"fpr": 0.1}), (OWN, "vertical", {"fpr": 0.1}), (ALL[2], "threshold", {"tpr": 0.9}),
     (ALL[3], "pooled", {"fpr": 0.1}), (ALL[6], "horizontal", {"tpr": 0.9})],
)  # fmt: skip
def test_pairs_say_what_compare_says(scores: Any, deployment: Any, method: str, at: Any) -> None:
    (pair,) = compared(deployment)[1].pairs
    (found,) = rs_compare(scores, method=method, at=at).at
    assert (pair.a, pair.b) == ("baseline", "candidate")
    assert (pair.value_a, pair.value_b, pair.difference) == (found.a_value, found.b_value, found.difference)
    assert (pair.low, pair.high) == (found.interval.low, found.interval.high)
    assert pair.pvalue == pair.adjusted_pvalue == found.pvalue
    assert pair.is_decided == (found.interval.low > 0 or found.interval.high < 0)
    assert pair.n_groups == 10
    assert pair.random == "groups"


def test_without_a_point_areas_are_compared(scores: Any) -> None:
    (pair,) = compared(ALL[5])[1].pairs
    area = rs_compare(scores, method="threshold").area
    assert (pair.difference, pair.low) == (area.difference, area.interval.low)
    assert pair.measure.name == "area under the average curve"


def test_at_a_threshold_both_rates_are_compared(scores: Any) -> None:
    pairs = compared(ALL[4])[1].pairs
    found = rs_compare(scores, method="threshold", at={"threshold": 1.2}).at
    assert [pair.measure.kind for pair in pairs] == ["fpr", "tpr"]
    assert [pair.difference for pair in pairs] == [own.difference for own in found]
    assert said(pairs[1].sentence).endswith("The threshold stays as it is.")


def test_the_frozen_interval_is_at_todays_thresholds(scores: Any) -> None:
    own, part = compared(SHARED)
    (pair,) = part.pairs
    thresholds = {}
    for name in own.names:
        average = own.average("threshold", name)
        beyond = average.fpr <= 0.1 + 1e-12
        thresholds[name] = float(average.thresholds[np.flatnonzero(beyond)[-1]])
    fpr, tpr = rs_compare(scores, method="threshold", at={"threshold": thresholds}).at
    assert max(fpr.a_value, fpr.b_value) <= 0.1 + 1e-12
    assert (pair.frozen_low, pair.frozen_high) == (tpr.interval.low, tpr.interval.high)
    assert "set again to meet the budget. If instead today's two thresholds" in said(pair.sentence)
    assert math.isnan(compared(OWN)[1].pairs[0].frozen_low)


@pytest.mark.parametrize("deployment", [own for own in ALL if own is not None], ids=str)
def test_single_groups_are_those_of_the_mean(deployment: Any) -> None:
    _, part = compared(deployment)
    for pair in part.pairs:
        if deployment.threshold == "shared" and pair.measure.kind == "auc":
            continue  # no mean of the groups'
        assert len(pair.groups) == pair.values_a.size == pair.values_b.size == 10
        is_exact = deployment.threshold == "own" or deployment.at == 1.2
        tolerance = 1e-9 if is_exact else 0.03
        assert pair.values_a.mean() == pytest.approx(pair.value_a, abs=tolerance)
        assert pair.values_b.mean() == pytest.approx(pair.value_b, abs=tolerance)


@pytest.mark.parametrize(
    ("deployment", "name"),
    [(ALL[7], "equal error rate"), (ALL[8], "false positive rate"), (ALL[10], "expected cost per case")],
)
def test_points_that_only_groups_tell_the_spread_of(deployment: Any, name: str) -> None:
    (pair,) = compared(deployment)[1].pairs
    gaps = pair.values_a - pair.values_b
    assert pair.measure.name == name
    assert pair.measure.lower_is_better
    assert pair.difference == pytest.approx(gaps.mean())
    test = rs.paired_t(pair.values_a, pair.values_b)
    assert pair.pvalue == pytest.approx(float(test.pvalue))
    half = (pair.high - pair.low) / 2
    assert half == pytest.approx(2.262157 * gaps.std(ddof=1) / math.sqrt(10), rel=1e-5)


@pytest.mark.parametrize("deployment", ALL, ids=str)
def test_rows_have_every_average_and_mark_the_declared_one(deployment: Any) -> None:
    own, part = compared(deployment)
    assert [row.key for row in part.others] == list(own.keys)
    declared = [row.key for row in part.others if row.is_declared]
    assert declared == ([] if deployment is None else [own.declared_key])
    for row in part.others:
        assert row.difference == pytest.approx(row.values[0] - row.values[1], abs=1e-12)
        assert row.low <= row.difference <= row.high


@pytest.mark.parametrize(
    "key", ["threshold", "pooled", "vertical", "horizontal", "diagonal", "radial", "cost"]
)
def test_rows_read_the_averages(key: str) -> None:
    own, part = compared(SHARED)
    (row,) = (each for each in part.others if each.key == key)
    for name, value in zip(own.names, row.values, strict=True):
        assert value == pytest.approx(own.average(key, name).tpr_at(0.1), abs=1e-9)


def test_the_declared_row_is_the_pair() -> None:
    for deployment in (SHARED, OWN, ALL[7]):
        _, part = compared(deployment)
        (row,) = (each for each in part.others if each.is_declared)
        (pair,) = part.pairs
        assert (row.difference, row.low, row.high) == (pair.difference, pair.low, pair.high)
        assert row.values == (pair.value_a, pair.value_b)


def test_a_difference_has_one_interval_wherever_it_is_told() -> None:
    pairs = {"vertical": compared(OWN)[1].pairs[0], "threshold": compared(SHARED)[1].pairs[0]}
    pairs["pooled"] = compared(ALL[3])[1].pairs[0]
    at_example = comparing.make(material(two_models(), None, at=({"fpr": 0.1},)))
    assert at_example is not None
    for part in (compared(SHARED)[1], compared(OWN)[1], at_example):
        for row in part.others:
            if row.key in pairs:
                pair = pairs[row.key]
                assert (row.difference, row.low, row.high) == (pair.difference, pair.low, pair.high)


def test_a_model_has_one_interval_wherever_it_is_told() -> None:
    own, part = compared(OWN)
    (pair,) = part.pairs
    point = own.average("vertical", "candidate").at(fpr=0.1)
    assert pair.b_limits == (point.tpr_interval.low, point.tpr_interval.high)


def test_one_area_has_one_interval_in_a_reader_study() -> None:
    from rocsteady.simulate import reader_study

    columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    table = reader_study(standalone=False)
    study = rs.ScoreSet.from_frame(table, **columns, case="case", positive="cancer")
    part = comparing.make(material(study, rs.Deployment("own", hold="fpr")))
    assert part is not None
    (pair,) = part.pairs
    rows = {row.key: (row.low, row.high) for row in part.others}
    assert rows["vertical"] == rows["horizontal"] == rows["diagonal"] == (pair.low, pair.high)


def test_nothing_is_recommended_without_a_deployment(scores: Any) -> None:
    _, part = compared(None)
    (pair,) = part.pairs
    auc = rs_compare(scores).auc
    assert (pair.difference, pair.low) == (auc.difference, auc.interval.low)
    assert "none of them is recommended" in said(part.note)
    assert part.winner is None
    assert "not declared" in said(part.sentence)
    assert part.place.endswith("an example")


def test_one_model_is_not_compared() -> None:
    assert comparing.make(material(hosts(models=1), SHARED)) is None


def test_many_models_are_set_against_the_first() -> None:
    scores = hosts(models=4)
    part = comparing.make(material(scores, OWN))
    assert part is not None
    assert [(pair.a, pair.b) for pair in part.pairs] == [
        ("baseline", b) for b in ("candidate", "third", "fourth")
    ]
    found = rs.compare(scores, "baseline", at={"fpr": 0.1}, n_resamples=200, method="vertical")
    assert [pair.adjusted_pvalue for pair in part.pairs] == [own.at[0].adjusted_pvalue for own in found]
    assert [pair.is_decided for pair in part.pairs] == [own.at[0].is_decided for own in found]
    values = [own.value for own in part.standings]
    assert values == sorted(values, reverse=True)
    assert {own.model for own in part.standings} == set(scores.models)
    assert "p-values allow for 3 comparisons (Holm)" in said(part.sentence)
    for row in part.others:
        best = sorted(row.values, reverse=True)
        assert row.difference == pytest.approx(best[0] - best[1])


def test_one_dataset_has_random_cases() -> None:
    rng = np.random.default_rng(3)
    labels = np.arange(120) % 3 == 0
    both = {"a": rng.normal(size=120) + 2 * labels, "b": rng.normal(size=120) + labels}
    scores = rs.ScoreSet.from_arrays(labels, both)
    part = comparing.make(material(scores, SHARED))
    assert part is not None
    (pair,) = part.pairs
    (found,) = rs.compare(scores, "a", "b", at={"fpr": 0.1}, n_resamples=200, method="vertical").at
    assert (pair.difference, pair.low, pair.high) == (
        found.difference,
        found.interval.low,
        found.interval.high,
    )
    assert pair.random == "cases"
    assert part.others == ()
    assert "met again in every resample of cases" in said(pair.sentence)


def test_readers_and_cases_are_random_in_a_reader_study() -> None:
    from rocsteady.simulate import reader_study

    columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    table = reader_study(standalone=False)
    study = rs.ScoreSet.from_frame(table, **columns, case="case", positive="cancer")
    part = comparing.make(material(study, None, words="medical"))
    assert part is not None
    (pair,) = part.pairs
    found = rs.compare_readers(study)
    assert (pair.difference, pair.low, pair.high) == (
        found.difference,
        found.interval.low,
        found.interval.high,
    )
    assert pair.pvalue == found.differences[0].pvalue
    assert pair.random == "readers and cases"


def test_folds_share_training_cases() -> None:
    scores = hosts(unit="fold").with_design("cross-validation")
    part = comparing.make(material(scores, OWN))
    assert part is not None
    (pair,) = part.pairs
    (found,) = rs_compare(scores, at={"fpr": 0.1}).at
    assert (pair.low, pair.high, pair.pvalue) == (found.interval.low, found.interval.high, found.pvalue)
    assert "Folds share training cases, which the interval allows for." in said(pair.sentence)
    _, plain = compared(OWN)
    for own, other in zip(part.others, plain.others, strict=True):
        # Readings of a shared threshold are linearised for folds, and resampled for hosts.
        least = 1.0 if own.key in ("threshold", "pooled") else 1.4
        assert own.high - own.low > least * (other.high - other.low)


def test_models_without_a_group_in_common_are_not_paired() -> None:
    scores = hosts(models=1, n=8)
    columns = scores.columns
    models = np.where(np.repeat(np.arange(8), 48) < 4, "a", "b")
    apart = rs.ScoreSet.from_arrays(
        columns.labels, columns.scores, np.repeat(np.arange(8), 48), models=models, unit="host"
    )
    part = comparing.make(material(apart, OWN))
    assert part is not None
    (pair,) = part.pairs
    assert pair.n_groups == (4, 4)
    assert not pair.is_paired
    assert pair.groups == ()
    assert "not paired, over 4 and 4 hosts" in said(pair.sentence)


@pytest.mark.parametrize("words", ["ml", "medical", "biometric"])
def test_all_words_are_about_the_same_numbers(words: str) -> None:
    (pair,) = compared(SHARED, words)[1].pairs
    sign = -1 if words == "biometric" else 1
    assert pair.measure.gap(pair.difference) == pytest.approx(sign * pair.difference)
    name = {"ml": "true positive rate", "medical": "sensitivity", "biometric": "false non-match rate"}[words]
    assert f"the difference in {name}" in said(pair.sentence)
    assert pair.measure.signed(pair.difference, pair.low, pair.high) in said(pair.sentence)


def test_plain_data_is_json() -> None:
    for deployment in ALL:
        _, part = compared(deployment)
        text = json.dumps(part.to_dict(), allow_nan=False)
        assert json.loads(text)["pairs"][0]["a"] == "baseline"


def test_the_density_is_that_of_the_interval() -> None:
    (pair,) = compared(OWN)[1].pairs
    mass = pair.density_y / pair.density_y.sum()
    inside = mass[(pair.density_x > pair.low) & (pair.density_x < pair.high)].sum()
    assert inside == pytest.approx(0.95, abs=0.03)
    assert pair.density_x[np.argmax(pair.density_y)] == pytest.approx(pair.difference, abs=0.01)


def test_weights_of_one_dataset_leave_no_test() -> None:
    rng = np.random.default_rng(1)
    labels = np.arange(60) % 2 == 0
    both = {"a": rng.normal(size=60) + labels, "b": rng.normal(size=60)}
    scores = rs.ScoreSet.from_arrays(labels, both, sample_weight=rng.uniform(0.5, 2, size=60))
    part = comparing.make(material(scores, SHARED))
    assert part is not None
    assert part.pairs == ()
    assert "do not take weights" in part.problem


def test_a_measure_writes_small_numbers_without_exponents() -> None:
    cost = Measure("cost", "expected cost per case", "cost", "", False, False, True)
    assert cost.signed(-5.1e-06) == "−0.0000051"
    assert cost.text(0.0) == "0.000"
    assert "e" not in cost.limits(-1e-9, 1e-9)


def test_no_rates_differ_by_more_than_all() -> None:
    tpr = Measure("tpr", "true positive rate", "TPR", "", True, False, False)
    assert tpr.limits(-1.596, 1.996) == "−100.0 to +100.0"


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "=cmd()", "a\nb\x1b[2J", "x" * 500, "3"])
def test_names_are_said_as_they_are(name: str) -> None:
    shown = model_name(name)
    assert shown.isprintable()
    assert len(shown) <= 60
    assert shown.startswith("model 3" if name == "3" else name[:1])


def test_no_interval_goes_beyond_what_there_can_be() -> None:
    part = comparing.make(material(hosts(2, seed=8), rs.Deployment("own", hold="tpr", at=0.9)))
    assert part is not None
    for own in (*part.pairs, *part.others):
        assert -1 <= own.low <= own.high <= 1
    assert any(-1 in (row.low, -row.high) for row in part.others)  # of two hosts little is known
    for standing in part.standings:
        assert 0 <= standing.low <= standing.high <= 1


def test_plain_data_names_numbers_as_they_are_computed() -> None:
    _, part = compared(rs.Deployment("own", hold="fpr", at=0.1), words="biometric")
    (pair,) = part.pairs
    assert (pair.measure.name, plain_part(part)["pairs"][0]["measure"]["name"]) == (
        "false non-match rate",
        "true positive rate",
    )


def test_an_area_under_one_threshold_has_no_lines_of_groups() -> None:
    _, part = compared(rs.Deployment("shared"))
    assert part.pairs[0].groups == ()
    _, part = compared(rs.Deployment("own", hold="fpr"))
    assert len(part.pairs[0].groups) == 10


def test_pooling_counts_the_groups_of_one_class_too() -> None:
    scores = hosts(models=1)
    labels = [*(scores.columns.labels == scores.columns.positive), *[False] * 40]
    groups = [*np.repeat(scores.groups, 48), *["quiet"] * 40]
    rng = np.random.default_rng(0)
    both = {name: np.append(scores.columns.scores, np.zeros(40)) + rng.normal(size=520) for name in "ab"}
    given = rs.ScoreSet.from_arrays(labels, both, groups, unit="host")
    for weigh, n in (("rows", 11), ("groups", 10)):
        part = comparing.make(material(given, rs.Deployment("shared", weigh=weigh, at={"fpr": 0.1})))
        assert part is not None
        assert part.pairs[0].n_groups == n
        assert f"paired over {n} hosts" in said(part.sentence)


def test_folds_are_known_by_their_design_and_not_by_their_names() -> None:
    labels, groups = np.tile([1, 0, 0], 160), np.repeat(np.arange(8), 60)
    rng = np.random.default_rng(0)
    both = {name: rng.normal(size=480) + labels for name in "ab"}
    widths = []
    for design in ("cross-validation", "independent"):
        names = [f"Fold{i:02d}" for i in groups]
        rows = rs.ScoreSet.from_arrays(labels, both, names, unit="Resample", design=design)
        part = comparing.make(material(rows, OWN))
        assert part is not None
        widths.append(part.pairs[0].high - part.pairs[0].low)
        assert ("share training cases" in said(part.sentence)) == (design == "cross-validation")
    assert widths[0] > 1.2 * widths[1]
