"""smROC curves: the counter-examples, what is said, and what is refused."""

import itertools
import json
import warnings

import numpy as np
import pytest

import rocsteady as rs
from papers.slides.printed import TEN_LABELS, TEN_SCORES
from rocsteady.curves.smroc import _drawn_positives, share_as_large

outside = pytest.mark.filterwarnings("ignore:RS26")


def test_the_ten_cases_of_the_slides():
    curve = rs.smroc_curve(TEN_LABELS, TEN_SCORES, positive="+")
    assert curve.mid == pytest.approx(0.727)
    assert round(curve.auc, 4) == 0.5806
    assert curve.roc_auc == 0.56


@outside
def test_beyond_1_decisions_do_not_give_the_roc_curve():
    curve = rs.smroc_curve([1, 0, 0, 0], [1, 1, 1, 0])
    assert (curve.mid, curve.auc) == (1.5, 0.75)
    assert curve.roc_auc == pytest.approx(2 / 3)


def test_swapping_classes_matters_where_their_sizes_differ():
    labels, scores = np.array([1, 0, 0, 0]), np.array([0.875, 0.625, 0.25, 0.125])
    curve, swapped = rs.smroc_curve(labels, scores), rs.smroc_curve(1 - labels, 1 - scores)
    assert (curve.mid, swapped.mid) == (0.9375, 0.35416666666666669)
    assert abs(curve.auc - swapped.auc) > 0.1


def test_swapping_classes_matters_where_a_score_is_at_mid():
    """Of equal classes too: at Mid both a score and one minus it are high."""
    labels, scores = np.array([1, 0, 1, 0]), np.array([0.75, 0.25, 0.25, 0.25])
    scores[1] = 0.375  # the mean, and so Mid of equal classes
    scores[3] = 0.125
    curve, swapped = rs.smroc_curve(labels, scores), rs.smroc_curve(1 - labels, 1 - scores)
    assert (curve.mid, swapped.mid) == (0.375, 0.625)
    assert abs(curve.auc - swapped.auc) > 0.01


def test_a_score_at_mid_is_high():
    curve = rs.smroc_curve([1, 0], [0.75, 0.25], mid=0.75)
    assert curve.credit.tolist() == [0.75, 0.25]
    assert rs.smroc_curve([1, 0], [0.75, 0.25], mid=np.nextafter(0.75, 1)).credit.tolist() == [0.25, 0.25]


@pytest.mark.parametrize("score", [0.1, 0.7, 1 / 3, 0.9999999999999999])
@pytest.mark.parametrize("n", [1, 3, 7, 49])
def test_mid_is_exactly_at_the_score_where_all_are_alike(score, n):
    """Equal classes have their mean as Mid; sums that round would put it beside."""
    curve = rs.smroc_curve([1] * n + [0] * n, [score] * (2 * n))
    assert curve.mid == score
    assert curve.appropriateness.high_positives == n


def test_mid_is_exactly_at_the_score_of_weighted_cases_too():
    """Three times 0.1 rounds to more than 0.3, as repetitions do not."""
    for weight in (3, 0.3, 1 / 3):
        assert rs.smroc_curve([1, 0], [0.1, 0.1], sample_weight=[weight, weight]).mid == 0.1


def test_a_score_just_below_mid_is_low_however_mid_rounds():
    curve = rs.smroc_curve([1, 0, 0, 1], [0.5, 0.5, 2.0**-60, 1.0])  # Mid is 0.5 + 2**-62
    assert curve.mid == np.nextafter(0.5, 1)
    assert curve.appropriateness.high_positives == 1


def test_every_call_warns_of_a_mid_outside():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            rs.smroc_curve([1, 0, 0, 0], [1, 1, 1, 0], name="ozone")
    assert [warning.message.code for warning in caught] == ["RS260"] * 3
    assert all(warning.filename == __file__ for warning in caught)
    message = str(caught[0].message)
    for part in ("ozone: Mid is 1.5", "smAUC 0.7500", "would give about 0.7000", "mid='clipped'"):
        assert part in message


def test_a_mid_of_zero_or_less_is_outside_too():
    with pytest.warns(rs.RocsteadyWarning, match=r"RS260.*all scores are high"):
        rs.smroc_curve([1, 0], [0.5, 0.25], mid=0)


def test_another_mid_is_announced_like_the_first():
    curve = rs.smroc_curve([1, 0, 0, 0], [1, 1, 1, 0], mid="clipped")
    assert (curve.mid, curve.mid_rule) == (1, "clipped")
    assert curve.auc == curve.roc_auc
    with pytest.warns(rs.RocsteadyWarning, match="RS260"):
        assert curve.with_mid("paper").auc == 0.75


@pytest.mark.filterwarnings("ignore:RS260")
def test_without_debit_the_area_is_undefined():
    """Positives 0, negatives 1, more than two negatives for each positive: everything goes up."""
    with pytest.warns(rs.RocsteadyWarning, match="RS261.*no step goes right"):
        curve = rs.smroc_curve([1, 0, 0, 0], [0, 1, 1, 1])
    assert np.isnan(curve.auc)
    assert np.isnan(curve.fpr).all()
    assert curve.tpr.tolist() == [0, 0.75, 1]
    with pytest.warns(rs.RocsteadyWarning) as caught:
        curve.with_mid("paper")
    assert "smAUC undefined; labels dealt" in str(caught[0].message)
    assert "undefined" in curve.reading
    assert curve.permuted(10).pvalue != curve.permuted(10).pvalue  # NaN
    json.dumps(curve.to_dict(), allow_nan=False)


@pytest.mark.filterwarnings("ignore:RS260")
def test_without_credit_the_area_is_undefined():
    with pytest.warns(rs.RocsteadyWarning, match="RS261.*no step goes up"):
        curve = rs.smroc_curve([1, 0], [0, 1], mid=-1)
    assert np.isnan(curve.auc)
    assert np.isnan(curve.tpr).all()


def test_scores_outside_0_1_are_refused_and_can_be_stretched():
    labels, scores = [1, 0, 1, 0], [3.0, 1.0, 0.5, -1.0]
    with pytest.raises(rs.RocsteadyError, match="RS087") as caught:
        rs.smroc_curve(labels, scores)
    assert "-1 to 3" in str(caught.value)
    assert "rescale='min-max'" in str(caught.value)
    curve = rs.smroc_curve(labels, scores, rescale="min-max")
    assert curve.scores.tolist() == [1, 0.5, 0.375, 0]
    assert curve.thresholds.tolist() == [np.inf, 3.0, 1.0, 0.5, -1.0]
    assert curve.auc == rs.smroc_curve(labels, curve.scores).auc


def test_stretched_scores_of_which_low_ones_are_positive():
    curve = rs.smroc_curve([0, 0, 1], [10, 6, 2], rescale="min-max", higher_is_positive=False)
    assert curve.scores.tolist() == [0, 0.5, 1]
    assert curve.thresholds.tolist() == [-np.inf, 2, 6, 10]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"scores": [0.5, np.inf]}, "RS087"),
        ({"scores": [2, 2], "rescale": "min-max"}, "RS088"),
        ({"scores": [1, np.inf], "rescale": "min-max"}, "RS088"),
        ({"scores": [0.5, np.nan]}, "RS031"),
        ({"scores": [0.5, 0.2], "labels": [1, 1]}, "RS024"),
        ({"scores": [0.5, 0.2], "mid": "papers"}, "RS001"),
        ({"scores": [0.5, 0.2], "mid": np.nan}, "RS042"),
        ({"scores": [0.5, 0.2], "mid": [0.5]}, "RS042"),
        ({"scores": [0.5, 0.2], "rescale": "z"}, "RS001"),
        ({"scores": [0.5, 0.2, 0.1]}, "RS013"),
    ],
)
def test_what_is_refused(arguments, code):
    given = {"labels": [1, 0]} | arguments
    with pytest.raises(rs.RocsteadyError) as caught:
        rs.smroc_curve(given.pop("labels"), given.pop("scores"), **given)
    assert caught.value.code == code


def test_a_curve_says_what_it_is():
    curve = rs.smroc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1], mid=0.5, name="reader 1")
    assert repr(curve).startswith(
        "SmrocCurve(reader 1: 3 positives, 2 negatives, Mid 0.5 (given), smAUC 0.792"
    )
    assert "random labels" in curve.reading
    assert "catch" not in curve.reading
    assert curve.mid_rule == "given"
    assert curve.with_mid("paper").mid == pytest.approx(2.8 / 6)
    assert list(curve.to_frame().columns) == ["threshold", "credit_up", "credit_right", "fpr", "tpr"]
    assert not curve.credit.flags.writeable
    with pytest.raises(TypeError):
        iter(curve)


def test_scores_alone_bring_their_name_direction_and_weights():
    labels, scores, weights = [1, 0, 0, 1, 0], [0.1, 0.8, 0.4, 0.6, 0.5], [2, 1, 0, 1, 1]
    given = rs.Scores(labels, scores, sample_weight=weights, name="a", higher_is_positive=False)
    curve = rs.smroc_curve(given)
    assert (curve.name, curve.n_positives, curve.n_negatives) == ("a", 3, 2)
    assert curve.credit.size == 4  # the case of weight 0 is gone
    assert curve.roc_auc == rs.auc(given)
    interval = {"method": "bootstrap", "n_resamples": 100}
    assert curve.roc().auc_interval(**interval).low == rs.roc_curve(given).auc_interval(**interval).low


def test_later_changes_of_the_callers_array_do_not_matter():
    scores = np.array([0.9, 0.2])
    curve = rs.smroc_curve([1, 0], scores)
    scores[:] = 0
    assert curve.scores.tolist() == [0.9, 0.2]


def test_the_ordinary_curve_is_at_hand():
    curve = rs.smroc_curve(TEN_LABELS, TEN_SCORES, positive="+", name="slides")
    other = rs.roc_curve(TEN_LABELS, TEN_SCORES, positive="+")
    assert curve.roc().true_positives.tolist() == other.true_positives.tolist()
    assert curve.roc().auc_interval().low == other.auc_interval().low
    assert curve.roc().name == "slides"


def test_readings_of_one_axis_at_the_other():
    curve = rs.smroc_curve([1, 0, 1, 0], [0.875, 0.625, 0.375, 0.125], mid=0.5)
    middle = (curve.fpr[1] + curve.fpr[2]) / 2
    assert curve.tpr_at(middle) == pytest.approx((curve.tpr[1] + curve.tpr[2]) / 2)
    assert curve.fpr_at(curve.tpr_at(middle)) == pytest.approx(middle)
    assert curve.tpr_at([0, 1]).tolist() == [0, 1]


def test_confusion_matrices_of_figure_3():
    found = rs.smroc_curve(TEN_LABELS, TEN_SCORES, positive="+").appropriateness
    assert (found.high_positives, found.low_negatives) == (3, 1)
    assert (found.low_positives, found.high_negatives) == (2, 4)
    assert found.appropriate.tolist() == [[3, 0], [0, 1]]
    assert found.inappropriate.tolist() == [[0, 4], [2, 0]]
    assert (found.share, found.share_of_positives, found.share_of_negatives) == (0.4, 0.6, 0.2)
    frame = found.to_frame()
    assert frame["count"].tolist() == [3, 1, 2, 4]
    assert frame["credit"].sum() + frame["debit"].sum() == pytest.approx(10)
    json.dumps(found.to_dict(), allow_nan=False)


def test_profile_has_its_pieces_and_the_curves_own_numbers():
    curve = rs.smroc_curve(TEN_LABELS, TEN_SCORES, positive="+", name="slides")
    profile = curve.mid_profile()
    assert profile.is_exact
    assert profile.mid.size == 9
    own = np.searchsorted(profile.mid, curve.mid)
    assert profile.auc[own] == pytest.approx(curve.auc, abs=1e-14)
    assert (profile.own_mid, profile.own_auc, profile.roc_auc) == (curve.mid, curve.auc, curve.roc_auc)
    assert profile.chance_auc[own] == pytest.approx(curve.chance_auc)
    assert list(profile.to_frame().columns) == ["after", "mid", "smauc", "chance_smauc"]
    assert repr(curve.mid_profile(0.5)).startswith("MidProfile(slides: 1 Mid, ")
    for bad in ([], [np.nan], "0.5"):
        with pytest.raises(rs.RocsteadyError, match="RS042"):
            curve.mid_profile(bad)


def test_the_smallest_debit_counts_in_the_profile():
    curve = rs.smroc_curve([1, 0], [0.0, 5e-324], mid=0.5)
    assert curve.mid_profile(5e-324).auc.tolist() == [0.25]  # one step, up by half and right by all


@outside
def test_profile_beyond_the_scale_is_undefined_where_the_curve_is():
    curve = rs.smroc_curve([1, 0, 0, 0], [0, 1, 1, 1])
    profile = curve.mid_profile([0.5, 1.5])
    assert profile.auc[0] == 0
    assert np.isnan(profile.auc[1])


def test_permuted_labels_enumerate_like_the_plug_in_says():
    """The mean over all ways to deal the labels comes closer to the plug-in, by half for twice the cases."""
    scores, n_positives = np.array([0.875, 0.75, 0.5, 0.375, 0.125]), 2
    gaps = []
    for times in (1, 2, 4):
        chance = rs.smroc_curve(
            [1] * n_positives * times + [0] * 3 * times, np.repeat(scores, times), mid=0.5
        )
        gaps.append(abs(chance.chance_auc - _mean_over_permutations(scores, times, n_positives * times, 0.5)))
    assert gaps[0] > 1e-4
    assert all(0.35 < later / sooner < 0.6 for sooner, later in itertools.pairwise(gaps))


def _mean_over_permutations(scores, times, n_positives, mid):
    """Over counts of positives at each score, each as often as it can be dealt."""
    from math import comb

    total = area = 0.0
    for counts in itertools.product(range(times + 1), repeat=scores.size):
        if sum(counts) != n_positives:
            continue
        ways = float(np.prod([comb(times, k) for k in counts]))
        labels = np.concatenate([[1] * k + [0] * (times - k) for k in counts])
        area += ways * rs.smroc_curve(labels, np.repeat(scores, times), mid=mid).auc
        total += ways
    return area / total


@pytest.mark.parametrize("times", [1, 4])
def test_permuted_labels_give_areas_of_permuted_labels(times):
    """Drawn by rows (few ties) and by counts (many): every area is that of some labels, and all are met."""
    scores, labels = np.repeat([0.875, 0.5, 0.375], times), np.repeat([1, 0, 0], times)
    dealt = rs.smroc_curve(labels, scores, mid=0.5).permuted(3000)
    found = set(dealt.values.round(12).tolist())
    every = itertools.combinations(range(scores.size), times)
    areas = [rs.smroc_curve(np.isin(np.arange(scores.size), own), scores, mid=0.5).auc for own in every]
    assert found == set(np.round(areas, 12).tolist())
    assert dealt.mean == pytest.approx(np.mean(areas), abs=4 * dealt.sd / 3000**0.5)


def test_permuted_labels():
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 0], [30, 60])
    scores = np.clip(rng.normal(0.4 + 0.2 * labels, 0.2), 0, 1)
    curve = rs.smroc_curve(labels, scores)
    dealt = curve.permuted(2000, seed=1)
    assert dealt.mean == pytest.approx(curve.chance_auc, abs=4 * dealt.sd / 2000**0.5 + 0.5 / 90)
    assert dealt.pvalue < 0.01
    assert np.array_equal(dealt.values, curve.permuted(2000, seed=1).values)
    assert not np.array_equal(dealt.values, curve.permuted(2000, seed=2).values)
    rng.shuffle(labels)
    assert rs.smroc_curve(labels, scores).permuted(500).pvalue > 0.01
    assert repr(dealt).startswith("PermutedSmauc(2 000 permutations: mean 0.")


def test_the_actual_labels_are_one_of_the_permutations():
    values = np.linspace(0, 1, 199)
    assert share_as_large(values, float(values[-9])) == 0.05  # 9 as large, of 199,
    assert share_as_large(values, 2.0) == 1 / 200
    assert share_as_large(np.append(values, np.nan), 2.0) == 2 / 201  # undefined counts as larger
    assert share_as_large(values, values[-9] + 1e-15) == 0.05  # rounding makes no difference


def test_chance_path_is_the_curve_of_the_chance_level():
    curve = rs.smroc_curve(TEN_LABELS, TEN_SCORES, positive="+")
    fpr, tpr = curve.chance_path
    assert np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2 == pytest.approx(curve.chance_auc, abs=1e-14)
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)


def test_ties_are_dealt_like_single_cases():
    """Many ties are drawn by counts, few by rows: both deal all positives and have the same mean."""
    cases = np.array([40, 1, 9])
    rng = np.random.default_rng(0)
    by_counts = _drawn_positives(rng, cases, 20, 4000)
    by_rows = _drawn_positives(rng, np.array([2, 1, 2]), 2, 4000)
    assert (by_counts.sum(axis=1) == 20).all()
    assert (by_rows.sum(axis=1) == 2).all()
    assert by_counts.mean(axis=0) == pytest.approx(20 * cases / 50, abs=0.15)
    assert by_rows.mean(axis=0) == pytest.approx([0.8, 0.4, 0.8], abs=0.05)
    assert (by_counts <= cases).all()
    assert (by_rows <= [2, 1, 2]).all()


def test_permuting_weighted_cases_is_refused():
    curve = rs.smroc_curve([1, 0, 0], [0.9, 0.4, 0.2], sample_weight=[1, 2, 1])
    with pytest.raises(rs.RocsteadyError, match="RS088"):
        curve.permuted()


def test_curves_of_a_set():
    folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1]), ([0, 0], [0.1, 0.2])]
    score_set = rs.ScoreSet.from_folds(folds, design="independent")
    with pytest.raises(rs.RocsteadyError, match="RS036"):
        rs.smroc_curve(score_set)
    curves = rs.smroc_curve(score_set, undefined="drop")
    single = [rs.smroc_curve(*fold) for fold in folds[:2]]
    for name in ("auc", "mid", "chance_auc", "roc_auc", "n_positives"):
        assert getattr(curves, name).tolist() == [getattr(curve, name) for curve in single]
    assert curves.undefined == ("fold 3: no positives",)
    assert curves["fold 2"].auc == curves[1].auc == curves[-1:][0].auc
    assert next(iter(curves.to_frame().columns)) == "fold"
    assert len(curves) == 2
    assert repr(curves).startswith("SmrocCurves(2 folds, 1 without a curve, mean smAUC 0.")
    json.dumps(curves.to_dict(), allow_nan=False)
    with pytest.raises(rs.RocsteadyError, match=r'RS001.*"fold 9"'):
        curves["fold 9"]
    for position in (2, -3, 0.5):
        with pytest.raises(IndexError, match="RS001"):
            curves[position]


def test_a_set_warns_once_of_all_its_mids():
    folds = [([1, 0, 0, 0], [1, 1, 1, 0])] * 3 + [([1, 0], [0.9, 0.1])]
    with pytest.warns(rs.RocsteadyWarning, match=r"RS260.*3 of 4 smROC curves; it is 1\.5\.") as caught:
        rs.smroc_curve(rs.ScoreSet.from_folds(folds, design="independent"))
    assert len([warning for warning in caught if warning.message.code == "RS260"]) == 1


@outside
def test_a_set_names_the_curves_without_an_area():
    folds = [([1, 0, 0, 0], [0, 1, 1, 1]), ([1, 0], [0.9, 0.1])]
    score_set = rs.ScoreSet.from_folds(folds, design="independent")
    with pytest.raises(rs.RocsteadyError, match=r"RS036.*smAUC is undefined in 1 of 2 folds"):
        rs.smroc_curve(score_set)
    curves = rs.smroc_curve(score_set, undefined="drop")
    assert (len(curves), curves.undefined) == (1, ("fold 1: no debit",))


@pytest.mark.parametrize(
    ("call", "typed"),
    [
        (lambda c: rs.roc_curve(c[0]), "curve.roc()"),
        (lambda c: rs.auc(c[0]), "curve.roc_auc"),
        (lambda c: rs.auc_interval(c[0]), "curve.roc().auc_interval()"),
        (lambda c: rs.smroc_curve(c[0]), "curve.with_mid(0.5)"),
        (lambda c: rs.smroc_curve(c[0].roc()), "smroc_curve(labels, scores)"),
        (rs.roc_curves, "[curve.roc() for curve in curves]"),
        (
            lambda c: rs.smroc_curve(
                rs.ScoreSet.from_folds([([1, 0], [1, 0])] * 2, design="independent"), positive=1
            ),
            "smroc_curve(score_set)",
        ),
        (lambda c: rs.choose_cutoff(c[0], "youden"), "choose_cutoff(roc_curve(labels, scores)"),
        (lambda c: rs.realise(c, rs.TargetRate(fpr=0.1)), "realise(ScoreSet"),
        (lambda c: rs.compare_auc(c[0], c[1]), "compare_auc(labels, scores_a, scores_b)"),
        (rs.comparability, "comparability(ScoreSet"),
        (rs.average_operating_points, "average_operating_points(ScoreSet"),
    ],
)
def test_other_functions_say_what_to_type(call, typed):
    folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    curves = rs.smroc_curve(rs.ScoreSet.from_folds(folds, design="independent"))
    with pytest.raises(rs.RocsteadyError) as caught:
        call(curves)
    assert typed in str(caught.value)
