"""Do scores mean the same everywhere? Numbers and judgement are those of rs.comparability."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocsteady as rs
from report.summary.made_hosts import hosts, material, said
from rocsteady.report.summary import comparability
from rocsteady.report.summary.comparability import ComparabilityPart

SHARED = rs.Deployment("shared", at={"fpr": 0.1})


@pytest.fixture(scope="module")
def scores() -> rs.ScoreSet:
    return hosts(sizes=[48] * 9 + [480])


@pytest.fixture(scope="module")
def part(scores: rs.ScoreSet) -> ComparabilityPart:
    found = comparability.make(material(scores, SHARED))
    assert found is not None
    return found


def test_the_numbers_are_those_of_comparability(scores: rs.ScoreSet, part: ComparabilityPart) -> None:
    for level in part.models:
        found = rs.comparability(scores.model(level.model))
        assert (level.price, level.shift) == (found.price, found.level_shift.overall)
        assert (level.price_low, level.price_high) == (found.price_interval.low, found.price_interval.high)
        assert (level.judgement == "large") == bool(found.warnings)


def test_a_shift_is_judged_by_what_it_costs(part: ComparabilityPart) -> None:
    assert [level.judgement for level in part.models] == ["small", "large"]
    assert "The scores of candidate shift between hosts" in said(part.sentence)
    price = part.models[1].price
    assert part.hint.endswith(f"could win back up to {price:.3f} AUC for candidate.")


def test_own_thresholds_lose_nothing(scores: rs.ScoreSet) -> None:
    found = comparability.make(material(scores, rs.Deployment("own", hold="fpr", at=0.1)))
    assert found is not None
    assert found.hint == ""
    assert said(found.sentence).endswith(
        "has its own threshold in the declared use, so this costs nothing there."
    )
    assert np.isnan(found.models[0].threshold)


def test_the_threshold_is_the_shared_one(scores: rs.ScoreSet, part: ComparabilityPart) -> None:
    for level in part.models:
        average = rs.average(scores.model(level.model), "threshold")
        assert average.rates_at(level.threshold).fpr <= 0.1 + 1e-12
        nearest = average.thresholds[average.thresholds < level.threshold][0]
        assert average.rates_at(nearest).fpr > 0.1 - 1e-12


def test_quantiles_are_scores_of_negatives(scores: rs.ScoreSet, part: ComparabilityPart) -> None:
    level = part.models[1]
    medians = level.quantiles[:, 2]
    assert (np.diff(medians) <= 0).all()  # highest first
    own = scores.model("candidate")
    columns = own.columns
    for group, row in zip(part.groups, level.quantiles, strict=True):
        start, stop = columns.offsets[own.groups.index(group) :][:2]
        negatives = columns.scores[start:stop][columns.labels[start:stop] == columns.negative]
        assert np.isin(row, negatives).all()
        assert (negatives <= row[2]).mean() >= 0.5 > (negatives < row[2]).mean() - 1e-9


def test_the_largest_group_is_named(part: ComparabilityPart) -> None:
    balance = part.balance
    assert balance is not None
    shares = np.array([48] * 9 + [480]) / (9 * 48 + 480)
    assert (balance.group, balance.share) == ("host-09", pytest.approx(shares[-1]))
    assert balance.effective == pytest.approx(1 / np.sum(shares**2))
    assert f"as if there were {balance.effective:.1f} hosts, not 10" in said(balance.sentence)


def test_groups_of_one_size_are_said_to_be() -> None:
    found = comparability.make(material(hosts(), SHARED))
    assert found is not None
    assert found.balance is not None
    assert said(found.balance.sentence) == "of all rows come from each host: all have the same number."


def test_infinite_scores_and_weights() -> None:
    rng = np.random.default_rng(0)
    labels, groups = np.tile([1, 0], 80), np.repeat(np.arange(8), 20)
    raw = rng.normal(size=160) + labels
    raw[:3], raw[9] = np.inf, -np.inf
    found = comparability.make(material(rs.ScoreSet.from_arrays(labels, raw, groups), SHARED))
    assert found is not None
    assert not np.isnan(found.models[0].quantiles).any()
    weighted = rs.ScoreSet.from_arrays(labels, raw, groups, sample_weight=rng.uniform(1, 2, size=160))
    without = comparability.make(material(weighted, SHARED))
    assert without is not None
    assert without.models == ()
    assert "weights" in without.problem


def test_one_dataset_has_nothing_to_compare() -> None:
    labels = np.arange(40) % 2
    assert comparability.make(material(rs.ScoreSet.from_arrays(labels, np.arange(40.0)), SHARED)) is None


def test_plain_data_is_json(part: ComparabilityPart) -> None:
    assert json.loads(json.dumps(part.to_dict(), allow_nan=False))["models"][1]["judgement"] == "large"


def test_groups_of_one_class_do_not_count(scores: rs.ScoreSet) -> None:
    own = hosts(models=1)
    labels = np.concatenate([own.columns.labels == own.columns.positive, np.zeros(200, dtype=bool)])
    given = np.concatenate([own.columns.scores, np.zeros(200)])
    groups = [*np.repeat(own.groups, 48), *["quiet"] * 200]
    part = comparability.make(material(rs.ScoreSet.from_arrays(labels, given, groups, unit="host"), SHARED))
    assert part is not None
    assert part.balance is not None
    assert (part.n_groups, part.balance.n_groups) == (10, 10)
    assert part.balance.share == pytest.approx(0.1)
    pooled = rs.Deployment("shared", weigh="rows", at={"fpr": 0.1})
    all_of_them = comparability.make(
        material(rs.ScoreSet.from_arrays(labels, given, groups, unit="host"), pooled)
    )
    assert all_of_them is not None
    assert all_of_them.balance is not None
    assert (all_of_them.balance.group, all_of_them.balance.n_groups) == ("quiet", 11)
    assert all_of_them.balance.share == pytest.approx(200 / 680)


def test_weights_are_what_a_group_counts() -> None:
    labels, groups = np.tile([1, 0], 80), np.repeat(np.arange(8), 20)
    scores = np.random.default_rng(0).normal(size=160) + labels
    weights = np.where(groups == 3, 4.0, 1.0)
    weighted = rs.ScoreSet.from_arrays(labels, scores, groups, sample_weight=weights)
    part = comparability.make(material(weighted, SHARED))
    assert part is not None
    assert part.balance is not None
    assert (part.balance.group, part.balance.share) == ("3", pytest.approx(80 / 220))
    assert said(part.balance.sentence).startswith("of all weight comes from group 3.")


def test_scores_may_move_and_cost_little() -> None:
    rng = np.random.default_rng(0)
    labels, groups = np.tile([1, 0, 0, 0], 600), np.repeat(np.arange(6), 400)
    scores = rng.normal(size=2400) + 4 * labels + 0.1 * np.arange(6)[groups]
    part = comparability.make(material(rs.ScoreSet.from_arrays(labels, scores, groups, unit="site"), SHARED))
    assert part is not None
    assert part.models[0].judgement == "small"
    assert "Here scores move between sites, but one threshold costs little AUC." in said(part.sentence)


def test_groups_of_nearly_one_size_are_said_to_be_so() -> None:
    part = comparability.make(material(hosts(models=1, sizes=[48] * 9 + [50]), SHARED))
    assert part is not None
    assert part.balance is not None
    assert "about equally large" in said(part.balance.sentence)
