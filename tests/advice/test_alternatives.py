"""How much another average would change the answer, and which model it would pick."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.advice.advise import Advice
from rocsteady.advice.deployment import crossing
from rocsteady.simulate import ShiftedDatasets, draw_together
from strategies import grouped_scores, labelled_scores, rates_near

pytestmark = pytest.mark.filterwarnings("ignore:RS101")  # small examples look like decisions

DIRECTIONS = {"vertical", "horizontal", "diagonal"}
COSTS = {"costs": (1, 4), "prevalence": 0.3}


def advice_on(groups, deployment) -> Advice:
    pairs = [(labels, scores) for labels, scores in groups]
    return rs.advise(deployment, rs.ScoreSet.from_folds(pairs, unit="host", design="independent"))


def by_method(advice: Advice) -> dict[str, object]:
    return {str(row.method): row for row in [*advice.answers, *advice.alternatives]}


@given(labelled_scores(kinds=("tied floats",)), st.data())
def test_a_place_is_read_as_a_curve_is(scored, data) -> None:
    curve = rs.roc_curve(*scored)
    fpr = data.draw(rates_near(np.unique(curve.fpr)))
    tpr = data.draw(rates_near(np.unique(curve.tpr)))
    read = crossing(curve.fpr[None], curve.tpr[None], fpr, first=False)[0]
    near = {
        curve.tpr_at(np.clip(fpr + d, 0, 1), side) for d in (-2e-12, 0, 2e-12) for side in ("upper", "lower")
    }
    assert min(abs(read - value) for value in near) < 1e-9
    read = crossing(curve.tpr[None], curve.fpr[None], tpr, first=True)[0]
    near = {
        curve.fpr_at(np.clip(tpr + d, 0, 1), side) for d in (-2e-12, 0, 2e-12) for side in ("upper", "lower")
    }
    assert min(abs(read - value) for value in near) < 1e-9


@settings(max_examples=15)
@given(grouped_scores(min_groups=2))
def test_averages_along_any_direction_have_the_same_auc(groups) -> None:
    rows = by_method(advice_on(groups, rs.Deployment("own", hold="fpr", at=0.1)))
    for name in DIRECTIONS - {"vertical"}:
        assert rows[name].auc_difference == 0
        assert rows[name].auc_interval.low == 0 == rows[name].auc_interval.high


@settings(max_examples=15)
@given(grouped_scores(min_groups=2))
def test_no_mean_of_points_is_cheaper_than_tuned_groups(groups) -> None:
    """Errata H3, for the cost direction and every other average whose points are means of the groups' points."""
    advice = advice_on(groups, rs.Deployment("own", hold="cost", **COSTS))
    rows = by_method(advice)
    for name, row in rows.items():
        if name not in ("tangent", "pooled"):
            assert row.value_difference >= -1e-12
    pairs = [(labels, scores) for labels, scores in groups]
    curves = rs.roc_curves(rs.ScoreSet.from_folds(pairs, design="independent"))
    least = [np.min(0.3 * 4 * (1 - c.tpr) + 0.7 * c.fpr) for c in curves]
    assert rows["tangent"].value == pytest.approx(np.mean(least), abs=1e-12)


@settings(max_examples=15)
@given(grouped_scores(min_groups=2))
def test_radial_and_diagonal_agree_at_the_equal_error_rate(groups) -> None:
    rows = by_method(advice_on(groups, rs.Deployment("own", hold="balance")))
    assert rows["radial"].value == pytest.approx(rows["diagonal"].value, abs=1e-9)
    curves = rs.roc_curves(rs.ScoreSet.from_folds([(y, s) for y, s in groups], design="independent"))
    assert rows["diagonal"].value == pytest.approx(np.mean([c.equal_error_rate for c in curves]), abs=1e-9)


@settings(max_examples=10)
@given(grouped_scores(kinds=("tied floats",), min_groups=2))
def test_the_order_of_groups_changes_no_estimate(groups) -> None:
    deployment = rs.Deployment("own", hold="ratio", at=(1, 2))
    first = by_method(advice_on(groups, deployment))
    second = by_method(advice_on(groups[::-1], deployment))
    for name, row in first.items():
        assert (row.auc, row.value) == pytest.approx((second[name].auc, second[name].value), abs=1e-12)


def test_a_scale_of_its_own_in_every_group_changes_only_shared_thresholds() -> None:
    drawn = ShiftedDatasets("C-1", separation=1.5).draw(8, n_positives=30, n_negatives=30, seed=1)
    pairs = [(one.is_positive, one.scores) for one in drawn]
    moved = [(labels, np.exp(scores / 3) + i) for i, (labels, scores) in enumerate(pairs)]
    deployment = rs.Deployment("own", hold="fpr", at=0.1)
    first, second = by_method(advice_on(pairs, deployment)), by_method(advice_on(moved, deployment))
    for name, row in first.items():
        alike = (row.auc, row.value) == pytest.approx((second[name].auc, second[name].value), abs=1e-12)
        assert alike == (name not in ("pooled", "threshold"))


def test_a_number_is_what_the_average_itself_reads() -> None:
    drawn = ShiftedDatasets("C-2a", separation=1.5).draw(12, n_positives=30, n_negatives=40, seed=2)
    for deployment, read in (
        (rs.Deployment("own", hold="fpr", at=0.1), lambda a: a.tpr_at(0.1)),
        (rs.Deployment("own", hold="tpr", at=0.9), lambda a: a.fpr_at(0.9)),
        (rs.Deployment("shared", at={"fpr": 0.1}), lambda a: a.tpr_at(0.1)),
        (rs.Deployment("own", hold="balance"), lambda a: a.equal_error_rate),
    ):
        for name, row in by_method(rs.advise(deployment, drawn)).items():
            average = rs.average(drawn, row.method)
            assert row.auc == average.auc, name
            # The polyline of the radial average is a sample of its curve.
            assert row.value == pytest.approx(read(average), abs=1e-3 if name == "radial" else 1e-9), name


def test_the_interval_of_a_held_rate_is_the_averages_own() -> None:
    drawn = ShiftedDatasets("C-1", separation=1.5).draw(12, n_positives=30, n_negatives=40, seed=2)
    (answer,) = rs.advise(rs.Deployment("own", hold="fpr", at=0.1), drawn, confidence_level=0.9).answers
    own = rs.average(drawn, "vertical").at(fpr=0.1, confidence_level=0.9).tpr_interval
    assert (answer.value_interval.low, answer.value_interval.high) == pytest.approx((own.low, own.high))


def test_the_price_of_a_shared_threshold_has_one_interval_everywhere() -> None:
    drawn = ShiftedDatasets("C-2a", separation=1.5).draw(12, n_positives=30, n_negatives=30, seed=2)
    advice = rs.advise(rs.Deployment("shared"), drawn)
    (levels,) = advice.comparability
    rows = by_method(advice)
    assert rows["vertical"].auc_difference == pytest.approx(levels.price)
    assert rows["vertical"].auc_interval.low == levels.price_interval.low
    other = by_method(rs.advise(rs.Deployment("own", hold="fpr"), drawn))["threshold"]
    assert other.auc_difference == pytest.approx(-levels.price)
    assert other.auc_interval.high == pytest.approx(-levels.price_interval.low, abs=0.01)


def test_a_frozen_threshold() -> None:
    """Under one threshold of 1 the others are read at the false positive rate that it gives."""
    drawn = ShiftedDatasets("C-2a", separation=1.5).draw(12, n_positives=30, n_negatives=30, seed=2)
    rows = by_method(rs.advise(rs.Deployment("shared", at=1.0), drawn))
    rates = rs.average(drawn, "threshold").rates_at(1.0)
    assert rows["threshold"].value == rates.tpr
    assert rows["vertical"].value == pytest.approx(rs.average(drawn, "vertical").tpr_at(rates.fpr))


@pytest.mark.parametrize("weigh", ["groups", "rows"])
def test_a_rate_at_a_frozen_threshold_has_one_interval_everywhere(weigh) -> None:
    """The threshold stays where it is, so the spread is that of the rates at it."""
    drawn = ShiftedDatasets("C-2a", separation=1.5).draw(12, n_positives=30, n_negatives=30, seed=2)
    (answer,) = rs.advise(rs.Deployment("shared", weigh, at=1.0), drawn).answers
    own = rs.average(drawn, answer.method).at(threshold=1.0).tpr_interval
    assert (answer.value_interval.low, answer.value_interval.high) == pytest.approx((own.low, own.high))


def test_groups_of_one_class_count_in_the_pool_only() -> None:
    drawn = ShiftedDatasets("C-1", separation=1.5).draw(9, n_positives=20, n_negatives=20, seed=3)
    pairs = [(one.is_positive, one.scores) for one in drawn] + [
        (np.zeros(50, dtype=bool), np.linspace(0, 3, 50))
    ]
    mixed = rs.ScoreSet.from_folds(pairs, unit="host", design="independent")
    rows = by_method(rs.advise(rs.Deployment("own", hold="fpr", at=0.1), mixed))
    alone = by_method(rs.advise(rs.Deployment("own", hold="fpr", at=0.1), drawn))
    for name, row in rows.items():
        assert (row.auc == pytest.approx(alone[name].auc, abs=1e-12)) == (name != "pooled")
        assert np.isfinite(row.value_interval.low)


def test_weighted_rows() -> None:
    drawn = ShiftedDatasets("C-1", separation=1.5).draw(9, n_positives=20, n_negatives=20, seed=3)
    pairs = [(one.is_positive, one.scores) for one in drawn]
    weights = [np.linspace(0.5, 2, 40)] * 9
    weighted = rs.ScoreSet.from_folds(pairs, sample_weight=weights, unit="host", design="independent")
    advice = rs.advise(rs.Deployment("own", hold="fpr", at=0.1), weighted)
    assert advice.comparability == ()
    for name, row in by_method(advice).items():
        assert row.auc == pytest.approx(rs.average(weighted, row.method).auc), name
        assert np.isfinite(row.value_interval.low), name


# Several models.


def rivals(**options) -> rs.ScoreSet:
    """``steady`` means the same everywhere; ``sharp`` separates better, at a level of its own in each dataset."""
    models = {
        "steady": ShiftedDatasets("C-1", separation=1.5),
        "sharp": ShiftedDatasets("C-2a", separation=2.0, shift_sd=1.5),
    }
    return draw_together(models, 30, 60, 60, seed=4, **options)


def test_folds_that_not_all_models_have_share_training_cases_all_the_same() -> None:
    """The groups that all models have keep the design, and with it the correction of intervals."""
    drawn = rivals()
    rows = drawn.columns
    group = np.repeat(drawn.group_index, np.diff(rows.offsets))
    model = np.repeat(drawn.model_index, np.diff(rows.offsets))
    kept = ~((model == 0) & (group < 5))
    folds = rs.ScoreSet.from_arrays(
        rows.labels[kept],
        rows.scores[kept],
        group[kept],
        models=model[kept],
        unit="fold",
        design="cross-validation",
    )
    contest = rs.advise(rs.Deployment("own", hold="fpr", at=0.1), folds).contests[0]
    curves = [rs.roc_curves(folds.model(name)) for name in folds.models]
    tpr = [{c.name: c.tpr_at(0.1) for c in own} for own in curves]
    gap = np.array([tpr[1][name] - tpr[0][name] for name in tpr[0]])
    ratio = folds.design.test_train_ratio
    assert ratio > 0
    half = 2.06390 * gap.std(ddof=1) * np.sqrt(1 / 25 + ratio)
    assert contest.interval.high - contest.interval.low == pytest.approx(2 * half, rel=1e-5)


def test_the_wrong_average_picks_the_wrong_model() -> None:
    drawn = rivals()
    own = rs.advise(rs.Deployment("own", hold="fpr", at=0.1), drawn)
    shared = rs.advise(rs.Deployment("shared", at={"fpr": 0.1}), drawn)
    winners = {str(contest.method): contest.winner for contest in own.contests}
    assert winners["vertical"] == winners["horizontal"] == winners["tangent"] == "sharp"
    assert winners["threshold"] == winners["pooled"] == "steady"
    assert own.contests[0].is_recommended
    assert own.contests[0].is_decided
    assert shared.contests[0].winner == "steady"
    for advice in (own, shared):
        assert "RS319" in [warning.code for warning in advice.warnings]
        assert advice.contests[0].winner in advice.reading


def test_a_contest_of_means_is_a_paired_t() -> None:
    drawn = rivals()
    contest = rs.advise(rs.Deployment("own", hold="fpr", at=0.1), drawn).contests[0]
    tpr = {name: [c.tpr_at(0.1) for c in rs.roc_curves(drawn.model(name))] for name in drawn.models}
    gap = np.subtract(tpr["sharp"], tpr["steady"])
    half = 2.0452 * gap.std(ddof=1) / np.sqrt(gap.size)
    assert contest.difference == pytest.approx(gap.mean())
    assert contest.interval.low == pytest.approx(gap.mean() - half, abs=1e-5)


def test_models_are_compared_over_the_groups_that_both_have() -> None:
    drawn = rivals()
    rows = drawn.columns
    group = np.repeat(drawn.group_index, np.diff(rows.offsets))
    model = np.repeat(drawn.model_index, np.diff(rows.offsets))
    kept = ~((model == 1) & (group < 5))
    fewer = rs.ScoreSet.from_arrays(
        rows.labels[kept], rows.scores[kept], group[kept], models=model[kept], unit="dataset"
    )
    contests = rs.advise(rs.Deployment("own", hold="fpr", at=0.1), fewer).contests
    assert {contest.n_groups for contest in contests} == {25}
    both = rs.ScoreSet.from_arrays(
        rows.labels[group >= 5], rows.scores[group >= 5], group[group >= 5], models=model[group >= 5]
    )
    for one, other in zip(
        contests, rs.advise(rs.Deployment("own", hold="fpr", at=0.1), both).contests, strict=True
    ):
        assert one.difference == pytest.approx(other.difference, abs=1e-12)
        assert one.interval.low == pytest.approx(other.interval.low, abs=1e-12)


def test_a_threshold_of_one_model_does_not_judge_another() -> None:
    contests = rs.advise(rs.Deployment("shared", at=1.0), rivals()).contests
    assert {contest.measure for contest in contests} == {"AUC"}


def twins(n_groups: int = 9, noise: float = 0.0) -> rs.ScoreSet:
    """Two models that score alike, up to some noise."""
    rng = np.random.default_rng(6)
    labels = np.tile(np.arange(30) < 15, n_groups)
    scores = rng.normal(size=labels.size) + labels
    other = scores + noise * rng.normal(size=labels.size)
    return rs.ScoreSet.from_arrays(labels, {"A": scores, "B": other}, np.repeat(np.arange(n_groups), 30))


@pytest.mark.parametrize(
    "deployment",
    [
        rs.Deployment("own", hold="fpr", at=0.05),
        rs.Deployment("own", hold="tpr", at=0.9),
        rs.Deployment("own", hold="cost", costs=((1, 2), (1, 20)), prevalence=0.1),
        rs.Deployment("shared"),
    ],
)
def test_nobody_wins_a_tie(deployment) -> None:
    advice = rs.advise(deployment, twins())
    for contest in advice.contests:
        assert (contest.winner, contest.runner_up, contest.equals) == (None, None, ("A", "B"))
        assert not contest.is_decided
        for number in (contest.difference, contest.interval.low, contest.interval.high):
            assert (number, np.signbit(number)) == (0, False)
        assert repr(contest).startswith(f"Contest({contest.method}: A = B in ")
    assert "A and B are equal in" in advice.reading
    assert "better" not in advice.reading
    assert "cheapest" not in advice.reading
    assert {"RS319", "RS320"}.isdisjoint(warning.code for warning in advice.warnings)


def test_two_undecided_averages_do_not_disagree() -> None:
    seen = set()
    for noise in (0.05, 0.1, 0.2, 0.3):
        advice = rs.advise(rs.Deployment("own", hold="fpr", at=0.1), twins(noise=noise))
        right, *others = advice.contests
        differs = [own for own in others if own.winner != right.winner]
        told = "RS319" in [warning.code for warning in advice.warnings]
        assert told == any(own.is_decided or right.is_decided for own in differs)
        seen.add((bool(differs), told))
    assert (True, False) in seen


def test_models_without_a_common_group_are_not_compared() -> None:
    drawn = twins()
    rows = drawn.columns
    group = np.repeat(drawn.group_index, np.diff(rows.offsets))
    model = np.repeat(drawn.model_index, np.diff(rows.offsets))
    kept = (group < 3) == (model == 0)
    apart = rs.ScoreSet.from_arrays(rows.labels[kept], rows.scores[kept], group[kept], models=model[kept])
    advice = rs.advise(rs.Deployment("own", hold="fpr", at=0.1), apart)
    assert advice.contests == ()
    assert "not compared: no group has a curve for every model." in advice.reading
    few = [str(w) for w in advice.warnings if w.code == "RS312"]
    assert "only 3 groups have a curve for 0." in few[0]
    assert "only 6 groups have a curve for 1." in few[1]


def test_what_is_about_all_models_is_said_once() -> None:
    advice = rs.advise(rs.Deployment("own", hold="fpr"), twins(5))
    (told,) = [str(warning) for warning in advice.warnings if warning.code == "RS312"]
    assert "only 5 groups have a curve." in told


def test_integers_that_no_float_can_tell_apart() -> None:
    """Where thresholds differ anyway the average that fits is still there; shared ones cannot be read."""
    rng = np.random.default_rng(1)
    labels = np.tile(np.arange(20) < 10, 10)
    scores = rng.integers(0, 50, labels.size) + 10 * labels
    groups = np.repeat(np.arange(10), 20)
    deployment = rs.Deployment("own", hold="fpr", at=0.1)
    small = by_method(rs.advise(deployment, rs.ScoreSet.from_arrays(labels, scores, groups)))
    large = rs.advise(deployment, rs.ScoreSet.from_arrays(labels, scores + 2**60, groups))
    assert set(small) - set(by_method(large)) == {"pooled", "threshold"}
    for name, row in by_method(large).items():
        assert (row.auc, row.value) == pytest.approx((small[name].auc, small[name].value), abs=1e-12)
    (told,) = [str(warning) for warning in large.warnings if warning.code == "RS048"]
    assert "the pooled and threshold averages cannot be read here" in told
    with pytest.raises(rs.RocsteadyError, match="RS048"):
        rs.advise(rs.Deployment("shared"), rs.ScoreSet.from_arrays(labels, scores + 2**60, groups))


def test_a_frozen_threshold_in_a_pool_with_groups_of_one_class() -> None:
    """The pool has a group that the other averages lack: its FPR is drawn with it, curves without."""
    drawn = ShiftedDatasets("C-2a", separation=1.5).draw(9, n_positives=20, n_negatives=20, seed=3)
    pairs = [(one.is_positive, one.scores) for one in drawn]
    pairs += [(np.zeros(50, dtype=bool), np.linspace(0, 3, 50))]
    mixed = rs.ScoreSet.from_folds(pairs, unit="host", design="independent")
    rows = by_method(rs.advise(rs.Deployment("shared", "rows", at=1.0), mixed))
    assert all(np.isfinite(row.value_interval.low) for row in rows.values())
    assert rows["pooled"].value_interval.low < rows["pooled"].value < rows["pooled"].value_interval.high
