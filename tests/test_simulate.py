"""Simulated scores are what they say they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.simulate import binormal, binormal_auc, hosts


def share_of_wins(labels: np.ndarray, scores: np.ndarray) -> float:
    """The AUC by definition, pair by pair."""
    positives, negatives = scores[labels][:, None], scores[~labels][None, :]
    return float(((positives > negatives) + 0.5 * (positives == negatives)).mean())


@given(st.integers(0, 50), st.integers(0, 50), st.floats(-3, 3), st.floats(0.1, 5), st.integers(0, 2**32))
def test_binormal_draws_the_sizes_asked_for_and_repeats(
    n_positives, n_negatives, separation, ratio, seed
) -> None:
    labels, scores = binormal(n_positives, n_negatives, separation=separation, ratio=ratio, seed=seed)
    assert (labels.sum(), (~labels).sum()) == (n_positives, n_negatives)
    again = binormal(n_positives, n_negatives, separation=separation, ratio=ratio, seed=seed)[1]
    np.testing.assert_array_equal(scores, again)


@pytest.mark.parametrize(("separation", "ratio"), [(0.0, 1.0), (1.5, 1.0), (1.5, 2.0), (-1.0, 0.5)])
def test_binormal_scores_scatter_around_their_auc(separation: float, ratio: float) -> None:
    estimates = [
        share_of_wins(*binormal(100, 100, separation=separation, ratio=ratio, seed=seed))
        for seed in range(200)
    ]
    standard_error = np.std(estimates, ddof=1) / np.sqrt(len(estimates))
    assert abs(np.mean(estimates) - binormal_auc(separation, ratio)) < 4 * standard_error


def test_binormal_auc_by_hand() -> None:
    assert binormal_auc(0.0) == 0.5
    assert binormal_auc(40.0) == 1.0
    assert binormal_auc(1.5) + binormal_auc(-1.5) == pytest.approx(1.0, abs=1e-15)
    # negatives N(0, 1.3), positives N(3, 1), in standard deviations of the negatives
    assert round(binormal_auc(3 / 1.3, 1 / 1.3), 4) == 0.9663


def test_a_ratio_is_positive() -> None:
    with pytest.raises(ValueError, match="ratio"):
        binormal(1, 1, separation=1, ratio=0, seed=0)


@pytest.fixture(scope="module")
def table() -> dict[str, np.ndarray]:
    return {name: np.array(column) for name, column in hosts().items()}


def test_hosts_are_the_example_that_the_demo_promises(table) -> None:
    names = sorted(set(table["host"]))
    assert names == [f"host-{number:02d}" for number in range(1, 25)]
    assert list(dict.fromkeys(table["model"])) == ["current", "candidate"]
    assert set(table["label"]) == {"attack", "normal"}
    is_attack = table["label"] == "attack"
    attacks = {name: int((is_attack & (table["host"] == name)).sum()) // 2 for name in names}
    assert [name for name, n in attacks.items() if n == 0] == ["host-23"]
    assert [name for name, n in attacks.items() if 0 < n < 10] == ["host-17"]
    assert len(set(attacks.values())) > 15  # unequal sizes


def test_both_models_score_the_same_events(table) -> None:
    keys = {
        model: list(
            zip(*(table[c][table["model"] == model] for c in ("host", "event", "label")), strict=True)
        )
        for model in ("current", "candidate")
    }
    assert keys["current"] == keys["candidate"]
    assert len(set(keys["current"])) == len(keys["current"])


def test_the_candidate_wins_on_its_hosts_and_loses_under_one_threshold(table) -> None:
    own, shared = {}, {}
    for model in ("current", "candidate"):
        chosen = table["model"] == model
        labels, scores, names = (table[c][chosen] for c in ("label", "score", "host"))
        labels = labels == "attack"
        shared[model] = share_of_wins(labels, scores)
        own[model] = np.mean(
            [share_of_wins(labels[names == h], scores[names == h]) for h in set(names) - {"host-23"}]
        )
    assert own["candidate"] > own["current"] + 0.02
    assert shared["candidate"] < shared["current"] - 0.02


def test_the_same_seed_gives_the_same_table_and_another_seed_another() -> None:
    assert hosts(n_hosts=5, seed=1) == hosts(n_hosts=5, seed=1)
    assert hosts(n_hosts=5, seed=1)["score"] != hosts(n_hosts=5, seed=2)["score"]


@pytest.mark.parametrize("n_hosts", [3, 8, 30])
def test_any_number_of_hosts_keeps_the_awkward_ones(n_hosts: int) -> None:
    table = hosts(n_hosts=n_hosts)
    with_attacks = {h for h, label in zip(table["host"], table["label"], strict=True) if label == "attack"}
    assert set(table["host"]) - with_attacks == {f"host-{n_hosts - 1:02d}"}


def test_two_hosts_are_too_few() -> None:
    with pytest.raises(ValueError, match="at least 3"):
        hosts(n_hosts=2)
