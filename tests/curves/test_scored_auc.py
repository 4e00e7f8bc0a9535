"""The scored AUC is the mean lead over pairs of a positive and a negative, by its definition in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.curves.smroc import scored_auc, smroc_curve
from rocsteady.errors import ColumnError, DataError, UsageError

pytestmark = pytest.mark.filterwarnings("ignore:RS101")

UNIT = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 0.52, 0.6, 1.0]), st.floats(0, 1))


@st.composite
def unit_scores(draw, max_per_class=8):
    """Labels of both classes, and scores from 0 to 1, many of them tied."""
    n_positives, n_negatives = draw(st.integers(1, max_per_class)), draw(st.integers(1, max_per_class))
    labels = draw(st.permutations([True] * n_positives + [False] * n_negatives))
    scores = draw(st.lists(UNIT, min_size=len(labels), max_size=len(labels)))
    return np.array(labels), np.array(scores)


def leads(labels, scores):
    """Of every positive over every negative, exactly."""
    highs, lows = ([Fraction(s) for s in scores[labels == side].tolist()] for side in (True, False))
    return [high - low for high in highs for low in lows]


@given(unit_scores())
def test_it_is_the_mean_lead_over_all_pairs(data):
    labels, scores = data
    exact = leads(labels, scores)
    found = scored_auc(labels, scores)
    assert found.value == pytest.approx(float(sum(max(d, 0) for d in exact) / len(exact)), rel=1e-14)
    assert found.reverse == pytest.approx(float(sum(max(-d, 0) for d in exact) / len(exact)), rel=1e-14)
    assert found.auc == rs.roc_curve(labels, scores).auc


@given(unit_scores(), st.one_of(st.sampled_from([0.0, 0.08, 0.25, -0.25, 2.0]), st.floats(-1, 1)))
def test_at_a_margin_it_is_the_share_of_pairs_that_lead_by_more(data, margin):
    labels, scores = data
    differences = np.subtract.outer(scores[labels], scores[~labels])
    assert scored_auc(labels, scores).at_margin(margin) == np.mean(differences > margin)


@given(unit_scores(max_per_class=5))
def test_it_is_the_area_under_the_shares_at_all_margins(data):
    labels, scores = data
    found = scored_auc(labels, scores)
    # The share changes only where a pair stops leading, so these steps are the whole integral.
    ends = np.unique(np.append(np.subtract.outer(scores[labels], scores[~labels]).clip(0), [0.0, 1.0]))
    area = np.sum(np.diff(ends) * found.at_margin((ends[1:] + ends[:-1]) / 2))
    assert area == pytest.approx(found.value, abs=1e-14)


@given(unit_scores(), st.data())
def test_a_whole_weight_is_a_number_of_repetitions(data, draw):
    labels, scores = data
    times = np.array(draw.draw(st.lists(st.integers(0, 3), min_size=labels.size, max_size=labels.size)))
    times[np.argmax(labels)] = times[np.argmin(labels)] = 2  # keep both classes
    weighted = scored_auc(labels, scores, sample_weight=times)
    repeated = scored_auc(np.repeat(labels, times), np.repeat(scores, times))
    for name in ("value", "reverse", "auc", "mean_difference"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name), rel=1e-13, abs=1e-15)
    margins = [-0.5, 0.0, 0.08, 0.3]
    np.testing.assert_allclose(weighted.at_margin(margins), repeated.at_margin(margins), rtol=1e-14)


@given(unit_scores())
def test_the_leads_of_both_signs_are_the_difference_of_the_means(data):
    labels, scores = data
    wanted = scores[labels].mean() - scores[~labels].mean()
    assert scored_auc(labels, scores).mean_difference == pytest.approx(wanted, abs=1e-14)


@given(unit_scores())
def test_exchanging_the_classes_or_the_direction_exchanges_the_leads(data):
    labels, scores = data
    found = scored_auc(labels, scores)
    for other in (scored_auc(~labels, scores), scored_auc(labels, scores, higher_is_positive=False)):
        assert (other.value, other.reverse) == pytest.approx(
            (found.reverse, found.value), rel=1e-12, abs=1e-15
        )


@given(unit_scores(), st.floats(0.1, 100), st.floats(-10, 10))
def test_stretched_scores_are_those_of_any_scale(data, factor, offset):
    labels, scores = data
    assume(np.ptp(scores) > 0.01)
    stretched = scored_auc(labels, scores * factor + offset, rescale="min-max")
    assert stretched.value * np.ptp(scores) == pytest.approx(scored_auc(labels, scores).value, abs=1e-10)


@given(unit_scores())
def test_decisions_have_the_leads_of_the_point_they_are(data):
    labels, scores = data
    decisions = (scores >= 0.5).astype(float)
    tpr, fpr = decisions[labels].mean(), decisions[~labels].mean()
    assert scored_auc(labels, decisions).value == pytest.approx(tpr * (1 - fpr), abs=1e-15)


def test_two_positives_are_not_compared_by_it_and_are_by_smauc():
    """Klement et al., section 2: 'the sAUC will not compare these two movies because they are both positives'."""
    labels = [1, 1, 0, 0]
    apart, alike = [0.99, 0.70, 0.4, 0.1], [0.85, 0.84, 0.4, 0.1]
    assert scored_auc(labels, apart).value == pytest.approx(scored_auc(labels, alike).value, abs=1e-15)
    difference = smroc_curve(labels, apart, mid=0.5).auc - smroc_curve(labels, alike, mid=0.5).auc
    assert abs(difference) > 0.001


def test_it_says_what_it_is():
    found = scored_auc([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.2], name="Anna")
    assert repr(found) == "ScoredAuc(Anna: 0.3500, AUC 0.8750)"
    assert found.reading.startswith("In 75.0 % of the pairs")
    assert "leads by 0.467" in found.reading
    assert found.to_dict() == {
        "reading": found.reading,
        "value": pytest.approx(0.35),
        "reverse": 0.0,
        "auc": 0.875,
        "n_positives": 2,
        "n_negatives": 2,
        "name": "Anna",
    }
    assert "leads by" not in scored_auc([1, 0], [0.1, 0.9]).reading
    with pytest.raises(TypeError, match=r"\.value"):
        iter(found)


def test_a_scores_brings_its_options_along():
    alone = rs.Scores(["y", "n", "y"], [0.2, 0.9, 0.4], positive="y", higher_is_positive=False, name="Jan")
    found = scored_auc(alone)
    assert found.name == "Jan"
    assert found.value == pytest.approx((0.7 + 0.5) / 2)


@pytest.mark.parametrize(
    ("error", "code", "labels", "scores", "options"),
    [
        (DataError, "RS087", [1, 0], [1.5, 0.2], {}),
        (DataError, "RS087", [1, 0], [np.inf, 0.2], {}),
        (DataError, "RS088", [1, 0], [0.5, 0.5], {"rescale": "min-max"}),
        (DataError, "RS024", [1, 1], [0.5, 0.2], {}),
        (DataError, "RS031", [1, 0], [np.nan, 0.2], {}),
        (ColumnError, "RS013", [1, 0, 1], [0.5, 0.2], {}),
        (UsageError, "RS001", [1, 0], [0.5, 0.2], {"rescale": "z"}),
        (UsageError, "RS002", [1, 0], None, {}),
        (
            UsageError,
            "RS002",
            rs.ScoreSet.from_folds([([1, 0], [0.5, 0.2])] * 2, design="independent"),
            None,
            {},
        ),
    ],
)
def test_what_has_no_scored_auc_is_refused(error, code, labels, scores, options):
    with pytest.raises(error, match=code):
        scored_auc(labels, scores, **options)


def test_margins_are_numbers():
    found = scored_auc([1, 0], [0.5, 0.2])
    for margin in ("a lot", np.nan, [0.1, np.nan]):
        with pytest.raises(UsageError, match="RS042"):
            found.at_margin(margin)
    assert found.at_margin(np.array([[0.0, 1.0]])).shape == (1, 2)
    assert isinstance(found.at_margin(0.1), float)
