"""Two raters: shares, distances and curves are what their definitions say, and words follow the numbers."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

import rocsteady as rs
from rocsteady.curves.raters import KINDS, rater_agreement
from rocsteady.curves.smroc import smroc_curve
from rocsteady.errors import ColumnError, DataError, LabelError, RocsteadyError, RocsteadyWarning, UsageError

pytestmark = pytest.mark.filterwarnings("ignore:RS265", "ignore:RS260", "ignore:RS261", "ignore:RS101")

DECISIONS = {"Anna": [1, 1, 1, 0, 1, 0], "Jan": [0, 1, 1, 0, 0, 1]}
SCORES = {"Anna": [0.52, 0.99, 0.7, 0.4, 0.6, 0.1], "Jan": [0.6, 0.9, 0.8, 0.3, 0.4, 0.7]}
UNIT = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 0.52, 0.6, 1.0]), st.floats(0, 1))


@st.composite
def ratings(draw, min_items=1, max_items=7):
    """Decisions and scores of two raters."""
    n = draw(st.integers(min_items, max_items))
    said = [draw(st.lists(st.booleans(), min_size=n, max_size=n)) for _ in range(2)]
    rated = [draw(st.lists(UNIT, min_size=n, max_size=n)) for _ in range(2)]
    return [np.array(column) for column in said], [np.array(column) for column in rated]


def same(a, b):
    return a == pytest.approx(b, abs=1e-14, nan_ok=True)


@settings(max_examples=40)
@given(ratings())
def test_shares_are_counted_item_by_item(data):
    said, rated = data
    found = rater_agreement(said, rated)
    for k in range(found.n_items):
        differs = said[0][k] != said[1][k], (rated[0][k] >= 0.5) != (rated[1][k] >= 0.5)
        assert (
            found.kind[k] == {(0, 0): KINDS[0], (1, 0): KINDS[1], (0, 1): KINDS[2], (1, 1): KINDS[3]}[differs]
        )
        for rater in (0, 1):
            agrees = said[rater][k] == (rated[rater][k] >= 0.5)
            assert found.contradicts_own[k, rater] == (not agrees)
            assert found.credit[k, rater] == (rated[rater][k] if agrees else 1 - rated[rater][k])
    assert sum(found.n_of_kind.values()) == found.n_items
    n_same = found.n_of_kind["agree"] + found.n_of_kind["side only"]
    assert found.decision_agreement.observed == n_same / found.n_items


@settings(max_examples=40)
@given(ratings(max_items=5))
def test_what_is_expected_is_the_mean_over_all_ways_to_shuffle(data):
    said, rated = data
    found = rater_agreement(said, rated)
    decisions, sides, gaps = [], [], []
    for order in map(list, itertools.permutations(range(found.n_items))):
        decisions.append(np.mean(said[0] == said[1][order]))
        sides.append(np.mean((rated[0] >= 0.5) == (rated[1][order] >= 0.5)))
        gaps.append(np.mean(np.abs(rated[0] - rated[1][order])))
    assert same(found.decision_agreement.expected, np.mean(decisions))
    assert same(found.side_agreement.expected, np.mean(sides))
    assert same(found.expected_gap, np.mean(gaps))


@given(ratings())
def test_kappa_is_cohens(data):
    said, rated = data
    found = rater_agreement(said, rated).decision_agreement
    n = len(said[0])
    yes = [Fraction(int(column.sum()), n) for column in said]
    chance = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    observed = Fraction(int(np.sum(said[0] == said[1])), n)
    if chance == 1:
        assert math.isnan(found.kappa)
    else:
        assert found.kappa == pytest.approx(float((observed - chance) / (1 - chance)), abs=1e-15)


@settings(max_examples=40)
@given(ratings())
def test_the_raters_may_be_exchanged(data):
    said, rated = data
    one = rater_agreement(said, rated, names=["A", "B"])
    other = rater_agreement(said[::-1], rated[::-1], names=["B", "A"])
    for name in ("decision_agreement", "side_agreement"):
        a, b = getattr(one, name), getattr(other, name)
        assert same((a.observed, a.expected, a.kappa), (b.observed, b.expected, b.kappa))
    for name in ("mean_gap", "expected_gap", "rank_correlation", "gap_where_decisions_differ"):
        assert same(getattr(one, name), getattr(other, name))
    assert one.kind == other.kind
    np.testing.assert_array_equal(one.gap, -other.gap)
    for rater in ("A", "B"):
        for look in ("own", "crossed"):
            a, b = getattr(one, look)(rater), getattr(other, look)(rater)
            assert same((a.auc, a.smauc, a.chance_smauc), (b.auc, b.smauc, b.chance_smauc))


@settings(max_examples=40)
@given(ratings(), st.randoms(use_true_random=False))
def test_own_curves_do_not_compare_the_raters(data, random):
    """The paper would 'plot and compare two ROC curves': they do not know which item is which."""
    said, rated = data
    order = list(range(len(said[0])))
    random.shuffle(order)
    one = rater_agreement(said, rated)
    other = rater_agreement([said[0], said[1][order]], [rated[0], rated[1][order]])
    for a, b in zip(one.judgements[:2], other.judgements[:2], strict=True):
        assert same((a.auc, a.smauc, a.chance_smauc), (b.auc, b.smauc, b.chance_smauc))
    assert same(one.expected_gap, other.expected_gap)


def test_equal_own_curves_may_stand_for_opposite_opinions():
    said, rated = np.array([1, 1, 0, 0]), np.array([0.9, 0.7, 0.3, 0.1])
    found = rater_agreement([said, 1 - said], [rated, rated[::-1]], names=["A", "B"])
    assert found.own("A").smauc == found.own("B").smauc > found.own("A").chance_smauc
    assert found.decision_agreement.observed == 0
    assert found.decision_agreement.kappa == -1
    assert found.crossed("A").auc == 0
    assert found.crossed("A").smauc < found.crossed("A").chance_smauc
    assert "disagree on 4 of 4 items" in found.reading


@settings(max_examples=40)
@given(ratings(min_items=2), st.sampled_from([0.5, 0.3, "paper", "clipped"]))
def test_judgements_are_the_curves_of_the_package(data, mid):
    said, rated = data
    if isinstance(mid, str) and not all(column.any() for column in said):
        with pytest.raises(DataError, match="RS024"):
            rater_agreement(said, rated, mid=mid)
        return
    found = rater_agreement(said, rated, mid=mid)
    for judgement, (of, by) in zip(found.judgements, ((0, 0), (1, 1), (0, 1), (1, 0)), strict=True):
        assert judgement.is_own == (of == by)
        if said[by].all() or not said[by].any():
            assert judgement.roc is None
            assert math.isnan(judgement.smauc)
            continue
        curve = smroc_curve(said[by], rated[of], mid=mid)
        assert same((judgement.smauc, judgement.chance_smauc), (curve.auc, curve.chance_auc))
        assert judgement.auc == rs.auc(said[by], rated[of])
        if of == by:
            assert found.mid[of] == curve.mid
            np.testing.assert_array_equal(found.credit[:, of], curve.credit)


@settings(max_examples=40)
@given(ratings(min_items=2))
def test_rank_correlation_is_spearmans(data):
    said, rated = data
    found = rater_agreement(said, rated).rank_correlation
    if any(np.ptp(column) == 0 for column in rated):
        assert math.isnan(found)
    else:
        assert found == pytest.approx(spearmanr(*rated).statistic, abs=1e-12)


def test_the_one_film_of_the_paper():
    """Anna recommends it with 0.52, Jan does not, with 0.6: do they really disagree?"""
    with pytest.warns(RocsteadyWarning, match="RS265"):
        found = rater_agreement(
            {"Anna": ["yes"], "Jan": ["no"]}, {"Anna": [0.52], "Jan": [0.6]}, positive="yes"
        )
    assert found.kind == ("decision only",)
    assert found.mean_gap == pytest.approx(0.08)
    assert found.credit.tolist() == [[0.52, 0.4]]
    assert "they differ in what they recommend" in found.reading
    assert "The scores are 0.080 apart." in found.reading


def test_the_reading_gives_shares_distances_and_chance_levels():
    found = rater_agreement(DECISIONS, SCORES)
    assert found.reading.startswith("Anna and Jan make different decisions on 3 of 6 items. On 1 of these")
    assert (
        "with scores 0.400 apart on average. The decision is the same on 50.0 % of the items" in found.reading
    )
    for judgement in found.judgements:
        assert f"smAUC {judgement.smauc:.3f} (chance about {judgement.chance_smauc:.3f})" in found.reading
    assert (
        f"{found.mean_gap:.3f} apart on average, {found.expected_gap:.3f} if items were shuffled"
        in found.reading
    )
    assert "nothing about the other" in found.reading


@pytest.mark.parametrize(
    ("said", "rated", "words"),
    [
        (([1, 0], [1, 0]), ([0.9, 0.1], [0.8, 0.3]), "agree on every item, in the decision and in the side"),
        (([1, 0], [1, 0]), ([0.9, 0.1], [0.8, 0.6]), "make the same decisions; on 1 item only one"),
        (
            ([1, 0], [1, 1]),
            ([0.9, 0.6], [0.8, 0.7]),
            "decisions on 1 of 2 items, with scores on the same side",
        ),
        (([1, 0, 0], [0, 1, 0]), ([0.9, 0.6, 0.1], [0.8, 0.7, 0.1]), "with scores on the same side"),
        (([1, 1], [1, 1]), ([0.5, 0.5], [0.5, 0.5]), "All scores of both are equal."),
        (([1], [1]), ([0.9], [0.2]), "only one of the two scores is high."),
        (([1], [0]), ([0.9], [0.2]), "disagree on 1 of 1 item, in the decision and in the side"),
    ],
)
def test_the_verdict_follows_the_items(said, rated, words):
    assert words in rater_agreement(said, rated).reading


def test_a_rater_with_one_decision_is_warned_about_and_the_rest_holds():
    with pytest.warns(RocsteadyWarning, match="RS265") as caught:
        found = rater_agreement(
            {"Anna": [1, 0, 1], "Jan": [0, 0, 0]}, {"Anna": [0.9, 0.2, 0.6], "Jan": [0.4, 0.1, 0.3]}
        )
    (warning,) = caught
    assert warning.filename == __file__
    assert "Jan: 0 for 3 items" in str(warning.message)
    assert found.own("Jan").smroc is None
    assert found.crossed("Anna").roc is None
    assert found.own("Anna").auc == 1
    assert found.crossed("Jan").auc == 1
    assert found.decision_agreement.observed == pytest.approx(1 / 3)
    assert "scores of Jan have AUC 1.000" in found.reading
    assert "nan" not in found.reading
    with pytest.raises(DataError, match="RS024"):
        rater_agreement(([1, 0], [0, 0]), ([0.5, 0.2], [0.5, 0.2]), mid="paper")


def test_of_two_with_one_decision_each_the_plural_is_used():
    with pytest.warns(RocsteadyWarning, match="rater 1 and rater 2 each gave one decision.* judged by them"):
        rater_agreement(([1, 1], [0, 0]), ([0.5, 0.2], [0.5, 0.1]))


def test_ends_of_a_scale_may_be_as_far_apart_as_numbers_can():
    rated = [0.0, 1e308, -1e308], [-5e307, 0.0, 5e307]
    found = rater_agreement(([1, 1, 0], [0, 1, 1]), rated, scale=(-1e308, 1e308))
    assert found.scores.T.tolist() == [[0.5, 1, 0], [0.25, 0.5, 0.75]]


def test_a_score_just_beyond_the_scale_is_shown_to_be():
    with pytest.raises(DataError, match="RS087") as caught:
        rater_agreement(([1, 0], [1, 0]), ([5 + 2**-50, 1], [3, 1]), scale=(1, 5))
    assert "found: 5.000000000000001 in row 0; scores from 1 to 5.000000000000001" in str(caught.value)


@pytest.mark.parametrize(
    "items",
    [
        [1.5, math.nan],
        ["x", None],
        np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"),
        pd.Series([1, None], dtype="Int64"),
    ],
    ids=["nan", "None", "NaT", "NA"],
)
def test_an_item_without_a_name_is_refused(items):
    with pytest.raises(DataError, match=r"RS035.*1 item has no name") as caught:
        rater_agreement(([1, 0], [1, 0]), ([0.9, 0.1], [0.8, 0.3]), items=items)
    assert "row 1" in caught.value.found


def test_names_of_items_become_plain_data():
    items = np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[s]")
    found = rater_agreement(([1, 0], [1, 0]), ([0.9, 0.1], [0.8, 0.3]), items=items)
    assert json.loads(json.dumps(found.to_dict()))["items"] == ["2020-01-01 00:00:00", "2020-01-02 00:00:00"]
    numbered = rater_agreement(([1, 0], [1, 0]), ([0.9, 0.1], [0.8, 0.3]), items=[7, 8.5])
    assert numbered.to_dict()["items"] == [7, 8.5]


def test_scales_other_than_0_to_1_are_named():
    stars = ([5, 4, 1], [3, 5, 2])
    found = rater_agreement(([1, 1, 0], [0, 1, 0]), stars, scale=(1, 5))
    assert found.scores.tolist() == [[1.0, 0.5], [0.75, 1.0], [0.0, 0.25]]
    with pytest.raises(DataError, match="RS087") as caught:
        rater_agreement({"Anna": [1, 1, 0], "Jan": [0, 1, 0]}, {"Anna": [0.1, 0.2, 1], "Jan": [3, 5, 2]})
    assert "Jan: a score lies outside" in str(caught.value)
    assert "scale=(1, 5)" in str(caught.value)


def test_names_frames_and_any_decisions_are_read():
    frames = pd.DataFrame(DECISIONS), pd.DataFrame(SCORES)[["Jan", "Anna"]]
    found = rater_agreement(*frames, items=list("abcdef"))
    assert found.names == ("Anna", "Jan")
    assert found.items == tuple("abcdef")
    np.testing.assert_array_equal(found.scores, rater_agreement(DECISIONS, SCORES).scores)
    mixed = rater_agreement(([True, False], np.array([0, 1])), ([0.9, 0.1], [0.8, 0.2]))
    assert mixed.decisions.tolist() == [[True, False], [False, True]]
    assert mixed.names == ("rater 1", "rater 2")
    said = rater_agreement((["ja", "nein"], ["nein", "nein"]), ([0.9, 0.1], [0.8, 0.2]), positive="ja")
    assert said.decisions.tolist() == [[True, False], [False, False]]


GOOD = ([1, 0], [0, 1]), ([0.5, 0.2], [0.5, 0.2])


@pytest.mark.parametrize(
    ("error", "code", "said", "rated", "options"),
    [
        (ColumnError, "RS013", ([1, 0], [0, 1, 1]), GOOD[1], {}),
        (ColumnError, "RS013", GOOD[0], ([0.5, 0.2], [0.5]), {}),
        (ColumnError, "RS013", *GOOD, {"items": ["a"]}),
        (DataError, "RS010", ([], []), ([], []), {}),
        (DataError, "RS031", GOOD[0], ([0.5, 0.2], [0.5, math.nan]), {}),
        (DataError, "RS031", GOOD[0], ([0.5, None], [0.5, 0.1]), {}),
        (DataError, "RS033", GOOD[0], (["high", "low"], [0.5, 0.1]), {}),
        (DataError, "RS034", GOOD[0], ([[0.5], [0.2]], [0.5, 0.1]), {}),
        (DataError, "RS087", GOOD[0], ([0.5, 0.2], [0.5, -0.1]), {}),
        (DataError, "RS087", GOOD[0], ([0.5, math.inf], [0.5, 0.1]), {}),
        (LabelError, "RS020", (["y", "n"], ["y", "y"]), GOOD[1], {}),
        (LabelError, "RS021", (["y", "n"], ["y", "y"]), GOOD[1], {"positive": "yes"}),
        (LabelError, "RS022", ([0, 1], [1, 2]), GOOD[1], {}),
        (LabelError, "RS022", (["y", "n"], ["y", "perhaps"]), GOOD[1], {"positive": "y"}),
        (LabelError, "RS023", ([0, 1], [1, math.nan]), GOOD[1], {}),
        (LabelError, "RS023", ([0, 1], [1, None]), GOOD[1], {}),
        (UsageError, "RS049", *GOOD, {"items": ["a", "a"]}),
        (UsageError, "RS049", *GOOD, {"names": ["a", "a"]}),
        (UsageError, "RS002", *GOOD, {"names": ["a", "b", "c"]}),
        (UsageError, "RS002", *GOOD, {"names": "ab"}),
        (UsageError, "RS002", [1, 0], GOOD[1], {}),
        (UsageError, "RS002", np.eye(2), GOOD[1], {}),
        (UsageError, "RS002", None, GOOD[1], {}),
        (UsageError, "RS002", (*GOOD[0], [1, 1]), GOOD[1], {}),
        (UsageError, "RS002", {"Anna": [1, 0], "Jan": [1, 0]}, GOOD[1], {}),
        (UsageError, "RS002", {"Anna": [1, 0], "Jan": [1, 0]}, {"Anna": [0.1, 0], "Jo": [0.1, 0]}, {}),
        (UsageError, "RS002", DECISIONS, SCORES, {"names": ["a", "b"]}),
        (UsageError, "RS042", *GOOD, {"scale": (1, 1)}),
        (UsageError, "RS042", *GOOD, {"scale": 5}),
        (UsageError, "RS042", *GOOD, {"mid": math.nan}),
        (UsageError, "RS001", *GOOD, {"mid": "middle"}),
    ],
)
def test_what_cannot_be_compared_is_refused(error, code, said, rated, options):
    with pytest.raises(error, match=code):
        rater_agreement(said, rated, **options)


def test_rows_are_named_with_their_rater():
    with pytest.raises(RocsteadyError) as caught:
        rater_agreement({"Anna": [1, 0], "Jan": [1, None]}, SCORES | {"Anna": [0.1, 0], "Jan": [0.1, 0]})
    assert "row 1 of Jan" in str(caught.value)
    with pytest.raises(RocsteadyError) as caught:
        rater_agreement(DECISIONS, SCORES | {"Jan": [0.6, 0.9, 0.8, math.nan, 0.4, 0.7]})
    assert "row 3 of Jan" in str(caught.value)


def test_items_that_occur_twice_are_named():
    with pytest.raises(UsageError, match="2 items occur more than once") as caught:
        rater_agreement(DECISIONS, SCORES, items=["a", "b", "b", "c", "a", 1])
    assert "found: a and b" in str(caught.value)


def test_three_raters_are_refused_with_what_to_type():
    with pytest.raises(UsageError, match="RS002") as caught:
        rater_agreement(DECISIONS | {"Kim": [1] * 6}, SCORES | {"Kim": [0.5] * 6})
    assert "found: decisions of 3 raters: Anna, Jan and Kim" in str(caught.value)
    decisions, scores = DECISIONS | {"Kim": [1] * 6}, SCORES | {"Kim": [0.5] * 6}
    typed = str(caught.value).split("two at a time:  ")[1].splitlines()[0]
    found = eval(typed, {"decisions": decisions, "scores": scores, "rater_agreement": rater_agreement})
    assert found.names == ("Anna", "Jan")


def test_it_is_a_table_and_plain_data():
    found = rater_agreement(
        DECISIONS, SCORES, items=["Alien", "Brazil", "Casablanca", "Diva", "Eva", "Fargo"]
    )
    frame = found.to_frame()
    assert list(frame.columns[:7]) == [
        "item", "decision_Anna", "decision_Jan", "score_Anna", "score_Jan", "credit_Anna", "credit_Jan",
    ]  # fmt: skip
    assert frame["kind"].tolist() == list(found.kind)
    data = json.loads(json.dumps(found.to_dict()))
    assert data["items"][0] == "Alien"
    assert data["judgements"][3] == {
        "scores_of": "Jan",
        "decisions_of": "Anna",
        "auc": 0.75,
        "smauc": found.crossed("Jan").smauc,
        "chance_smauc": found.crossed("Jan").chance_smauc,
    }
    assert data["decision_agreement"] == {"observed": 0.5, "expected": 0.5, "kappa": 0.0}
    assert repr(found.own("Anna")).startswith(
        "Judgement(scores of Anna by decisions of Anna: AUC 1.000, smAUC 0.805"
    )
    with pytest.raises(UsageError, match="RS001"):
        found.own("Kim")
    with pytest.raises(ValueError, match="read-only"):
        found.scores[0] = 0
