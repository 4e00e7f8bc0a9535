"""Guarded intervals: what they are made of, and that they are never narrower than logit intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit, stdtrit

import rocsteady as rs

pytestmark = pytest.mark.filterwarnings("ignore:RS101")

few_scores = st.lists(st.integers(0, 9), min_size=2, max_size=12)


def limits_by_placements(positives, negatives, share, level):
    """The definition: placements of a sample with a share of a case, tied with all, in each class."""
    x, y = np.array(positives, dtype=float), np.array(negatives, dtype=float)
    wins = (x[:, None] > y) + 0.5 * (x[:, None] == y)
    own = (wins.sum(axis=1) + share / 2) / (y.size + share)
    others = (wins.sum(axis=0) + share / 2) / (x.size + share)
    area = (own.sum() + share / 2) / (x.size + share)
    parts = []
    for placed in (own, others):
        n = placed.size + share
        squares = ((placed - area) ** 2).sum() + share * (0.5 - area) ** 2
        parts.append((squares / (n - 1) / n, n - 1))
    total = sum(part for part, _ in parts)
    df = total**2 / sum(part**2 / freedom for part, freedom in parts)
    half = stdtrit(df, (1 + level) / 2) * np.sqrt(total) / (area * (1 - area))
    return expit(logit(area) - half), expit(logit(area) + half)


@pytest.mark.filterwarnings("ignore:RS155")
@given(few_scores, few_scores, st.sampled_from([0.8, 0.95, 0.99]))
def test_the_limits_are_the_outer_ones_of_two_samples(positives, negatives, level):
    labels, scores = [1] * len(positives) + [0] * len(negatives), positives + negatives
    if rs.auc(labels, scores) in (0, 1) or (len(set(scores)) == 1):
        return
    found = rs.auc_interval(labels, scores, confidence_level=level, method="guarded")
    plain = limits_by_placements(positives, negatives, 0.0, level)
    added = limits_by_placements(positives, negatives, 0.25, level)
    assert found.low == pytest.approx(min(plain[0], added[0]), rel=1e-9, abs=1e-12)
    assert found.high == pytest.approx(max(plain[1], added[1]), rel=1e-9, abs=1e-12)


@pytest.mark.filterwarnings("ignore:RS155")
@given(few_scores, few_scores)
def test_never_narrower_than_the_logit_interval_and_mirrored(positives, negatives):
    labels, scores = np.repeat([1, 0], [len(positives), len(negatives)]), np.array(positives + negatives)
    if rs.auc(labels, scores) in (0, 1) or np.ptp(scores) == 0:
        return
    guarded, plain = (rs.auc_interval(labels, scores, method=method) for method in ("guarded", "logit"))
    assert guarded.low <= plain.low + 1e-12
    assert guarded.high >= plain.high - 1e-12
    turned = rs.auc_interval(1 - labels, scores, method="guarded")
    assert (1 - turned.high, 1 - turned.low) == pytest.approx((guarded.low, guarded.high), abs=1e-9)


def test_a_single_case_has_an_interval_that_says_next_to_nothing():
    with pytest.warns(rs.RocsteadyWarning, match="RS153"):
        found = rs.auc_interval([1, 0, 0, 0], [3, 1, 2, 4], method="guarded")
    assert found.low < 0.025
    assert found.high > 0.975


def test_equal_scores_have_no_width_and_that_is_said():
    with pytest.warns(rs.RocsteadyWarning, match="RS154"):
        found = rs.auc_interval([1, 1, 0, 0], [7, 7, 7, 7], method="guarded")
    assert (found.low, found.high) == (0.5, 0.5)


def test_large_classes_make_it_a_logit_interval():
    rng = np.random.default_rng(3)
    labels = np.arange(20_000) < 10_000
    scores = rng.normal(size=20_000) + labels
    guarded, plain = (rs.auc_interval(labels, scores, method=method) for method in ("guarded", "logit"))
    assert guarded.high - guarded.low == pytest.approx(plain.high - plain.low, rel=0.01)


@pytest.mark.parametrize("method", ["logit", "bootstrap", "delong"])
def test_rare_classes_are_warned_of(method):
    rng = np.random.default_rng(1)
    labels = np.arange(420) < 20
    scores = rng.normal(size=420) + 2.4 * labels
    with pytest.warns(rs.RocsteadyWarning, match="RS155"):
        rs.auc_interval(labels, scores, method=method)


@pytest.mark.filterwarnings("error")
def test_equal_classes_are_not():
    rng = np.random.default_rng(1)
    labels = np.arange(400) < 200
    scores = rng.normal(size=400) + 1.2 * labels
    for method in ("logit", "guarded", "bootstrap", "delong"):
        rs.auc_interval(labels, scores, method=method)


def test_every_door_gives_the_guarded_interval_unless_another_is_named():
    labels, scores = [1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    other = ([1, 0, 1, 0, 0], [4, 3, 2, 1, 0])
    curves = rs.roc_curves(rs.ScoreSet.from_folds([(labels, scores), other], design="independent"))
    made = [rs.auc_interval(labels, scores), curves[0].auc_interval(), curves.auc_interval()]
    assert [own.method for own in made] == ["guarded"] * 3
    lows = [*(np.ravel(own.low)[0] for own in made), curves.to_frame()["low"][0]]
    lows += [rs.summarize_auc(curves).per_group.interval.low[0]]
    assert lows == [lows[0]] * 5
