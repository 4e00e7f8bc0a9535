"""smAUC of one model and of two: against pairs of cases counted one by one, and what cannot be asked."""

from __future__ import annotations

import itertools
import json
import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.curves.smroc import SmrocCurves
from rocsteady.inference.smauc import (
    _mixed,
    error_of,
    error_of_mid,
    exchanged_statistics,
    influence,
)
from rocsteady.results import plain
from rocsteady.scores.design import Random
from rocsteady.statistics.groups import mean_and_error, t_limits
from rocsteady.statistics.limits import t_quantile

pytestmark = pytest.mark.filterwarnings("ignore:RS26", "ignore:RS29", "ignore:RS1[05]", "ignore:RS2[17]")


def by_pairs(labels: Any, scores: Any, mid: Any, weights: Any = None) -> float:
    """The corrected pair formula, each ordered pair once, each case with itself; NaN if undefined."""
    weights = np.ones(len(labels)) if weights is None else weights
    if isinstance(mid, str):
        found = float(np.sum(weights * scores) / (2 * np.sum(weights[labels])))
        mid = min(found, 1.0) if mid == "clipped" else found
    credit = [s if bool(y) == (s >= mid) else 1 - s for y, s in zip(labels, scores, strict=True)]
    rows = list(zip(scores, credit, weights, strict=True))
    up, right = sum(w * c for _, c, w in rows), sum(w * (1 - c) for _, c, w in rows)
    if not up or not right:
        return math.nan
    won = sum(
        w * c * v * (1 - d) * (1.0 if s > t else 0.5)
        for (s, c, w), (t, d, v) in itertools.product(rows, rows)
        if s >= t
    )
    return float(won / (up * right))


@st.composite
def cases(draw: Any, n_models: int = 1) -> tuple[Any, ...]:
    """Labels with two of each class, and scores in hundredths, some of them tied."""
    n = draw(st.integers(5, 12))
    labels = np.array(draw(st.permutations([True, True, False, False, *([True, False] * n)[: n - 4]])))
    hundredths = st.integers(1, 99).map(lambda k: k / 100)
    found = [np.array(draw(st.lists(hundredths, min_size=n, max_size=n))) for _ in range(n_models)]
    return labels, *found


# What a case adds ------------------------------------------------------------------------------------


@given(cases(), st.sampled_from([0.5, 0.305, 0.995]))
def test_influence_is_the_derivative_by_the_weight_of_a_case(drawn: Any, mid: float) -> None:
    labels, scores = drawn
    found, step = influence(rs.smroc_curve(labels, scores, mid=mid)), 1e-6
    assert found.sum() == pytest.approx(0, abs=1e-12)
    for i in range(labels.size):
        more, less = np.ones(labels.size), np.ones(labels.size)
        more[i], less[i] = 1 + step, 1 - step
        slope = (by_pairs(labels, scores, mid, more) - by_pairs(labels, scores, mid, less)) / (2 * step)
        assert found[i] == pytest.approx(slope, abs=1e-7)


@given(cases())
def test_an_estimated_mid_adds_its_slope(drawn: Any) -> None:
    """Over a standard error of Mid to each side; the paper's Mid and its derivative by hand."""
    labels, scores = drawn
    curve = rs.smroc_curve(labels, scores)
    assume(not np.isnan(curve.auc))
    n = labels.sum()
    mid = scores.sum() / (2 * n)
    moved = (scores / 2 - labels * mid) / n
    assert moved.sum() == pytest.approx(0, abs=1e-12)
    reach = math.sqrt((moved**2).sum())
    ends = [by_pairs(labels, scores, mid + side * reach) for side in (1, -1)]
    assume(not np.isnan(ends).any())
    expected = influence(curve.with_mid(curve.mid)) + (ends[0] - ends[1]) / (2 * reach) * moved
    assert influence(curve) == pytest.approx(expected, abs=1e-9)
    near = reach if mid - 2 * reach <= 1 else 0.0
    assert error_of_mid(curve) == pytest.approx(near, abs=1e-12)
    assert error_of_mid(curve.with_mid(0.5)) == 0


def test_a_standard_error_is_the_spread_of_samples() -> None:
    rng = np.random.default_rng(1)
    areas, errors = [], []
    for _ in range(300):
        labels = rng.random(120) < 0.4
        scores = rng.beta(2, 2, 120)
        scores = np.where(labels, np.sqrt(scores), scores)
        found = rs.summarize_smauc(rs.ScoreSet.from_arrays(labels, scores), mid=0.5, n_permutations=0)
        areas.append(found.estimate)
        errors.append(found.standard_error)
    assert np.mean(errors) == pytest.approx(np.std(areas, ddof=1), rel=0.12)


def test_rows_of_one_patient_are_summed_before_they_are_squared() -> None:
    added, labels = np.array([0.1, -0.2, 0.3, -0.2]), np.array([True, False, True, False])
    error, df = error_of(added, labels, np.zeros(4, dtype=int), np.array([7, 7, 9, 9]))
    assert (error, df) == (pytest.approx(math.sqrt(2 * (0.1**2 + 0.1**2))), 1)
    alone, _ = error_of(added, labels, np.zeros(4, dtype=int), None)
    assert alone == pytest.approx(math.sqrt(4 / 3 * (added**2).sum()))
    rng = np.random.default_rng(2)
    labels, scores = np.arange(40) < 15, rng.random(40)
    twice = [np.repeat(own, 3) for own in (labels, scores, np.arange(40))]
    patients = rs.ScoreSet.from_arrays(*twice[:2], clusters=twice[2])
    once = rs.summarize_smauc(rs.ScoreSet.from_arrays(labels, scores), mid=0.5, n_permutations=0)
    found = rs.summarize_smauc(patients, mid=0.5)
    assert found.random is Random.CLUSTERS
    assert found.standard_error == pytest.approx(once.standard_error)
    assert math.isnan(found.pvalue)
    assert found.permuted is None


# One model -------------------------------------------------------------------------------------------


def hosts(
    n_groups: int = 8, size: int = 40, n_models: int = 1, design: Any = "independent", seed: int = 0
) -> Any:
    rng = np.random.default_rng(seed)
    labels = np.tile(np.arange(size) % 5 < 2, n_groups)
    common = rng.normal(np.where(labels, 1.0, -1.0))
    values = {
        f"m{k}": np.round(1 / (1 + np.exp(-common - (1 + k) * rng.normal(size=labels.size))), 3)
        for k in range(n_models)
    }
    groups = np.repeat(np.arange(n_groups), size)
    return rs.ScoreSet.from_arrays(
        labels, values if n_models > 1 else values["m0"], groups, unit="host", design=design
    )


@pytest.mark.parametrize("mid", [0.5, "paper", "clipped"])
def test_over_groups_it_is_the_mean_of_the_smaucs_with_students_t(mid: Any) -> None:
    scores = hosts()
    found = rs.summarize_smauc(scores, mid=mid)
    areas = np.array([by_pairs(own.is_positive, own.scores, mid) for own in scores])
    mean, error = (float(own[0]) for own in mean_and_error(areas[:, None]))
    assert found.estimate == pytest.approx(mean, abs=1e-12)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    low, high = t_limits(mean, t_quantile(7, 0.95) * error)
    assert (found.interval.low, found.interval.high) == (pytest.approx(low), pytest.approx(high))
    assert found.per_group.smauc == pytest.approx(areas)
    assert found.random is Random.GROUPS
    assert found.prediction_interval.low < found.interval.low
    curves = rs.smroc_curve(scores, mid=mid)
    assert found.chance_smauc == curves.chance_auc.mean()
    area = rs.average(curves, "vertical").auc_interval()
    assert [area.low, area.high] == pytest.approx([found.interval.low, found.interval.high])


def test_folds_are_corrected_for_training_cases_that_they_share() -> None:
    with pytest.warns(rs.RocsteadyWarning, match="RS299"):
        folds = rs.summarize_smauc(hosts(design="cross-validation"), mid=0.5)
    alone = rs.summarize_smauc(hosts(), mid=0.5)
    assert folds.test_train_ratio == pytest.approx(1 / 7)
    assert folds.standard_error == pytest.approx(alone.standard_error * math.sqrt(1 + 8 / 7))
    assert (folds.random, folds.prediction_interval) == (Random.SPLITS, None)
    assert folds.permuted.sd > 1.3 * alone.permuted.sd
    curves = rs.smroc_curve(hosts(design="cross-validation"), mid=0.5)
    assert rs.summarize_smauc(curves).interval.low == folds.interval.low
    area = rs.average(curves, "vertical").auc_interval()
    assert area.low == pytest.approx(folds.interval.low)  # the average has the design, too
    assert rs.summarize_smauc(curves, test_train_ratio=0).standard_error == alone.standard_error


def test_cases_of_fixed_groups() -> None:
    scores = hosts(3)
    found = rs.summarize_smauc(scores, mid=0.5, random="cases", n_permutations=0)
    each = [rs.summarize_smauc(own, mid=0.5, n_permutations=0) for own in scores]
    assert found.random is Random.CASES
    expected = math.sqrt(sum(own.standard_error**2 for own in each)) / 3
    assert found.standard_error == pytest.approx(expected, rel=0.02)  # n / (n - 1) of all, or of each
    assert found.per_group.standard_error == pytest.approx([own.standard_error for own in each])
    assert found.per_group.interval.low == pytest.approx([own.interval.low for own in each])


def test_one_dataset_through_every_door() -> None:
    scores = hosts(1)
    curve = rs.smroc_curve(scores[0], mid=0.5)
    given_ = [scores, scores[0], curve, rs.smroc_curve(scores, mid=0.5)]
    found = [rs.summarize_smauc(own, **({"mid": 0.5} if k < 2 else {})) for k, own in enumerate(given_)]
    assert len({(own.estimate, own.interval.low, own.pvalue) for own in found}) == 1
    assert found[0].pvalue == curve.permuted(1000).pvalue
    other = rs.summarize_smauc(curve, mid="paper")
    assert other.estimate == curve.with_mid("paper").auc
    frame = {"truth": scores[0].is_positive, "p": scores[0].scores}
    import pandas as pd

    assert rs.summarize_smauc(pd.DataFrame(frame), label="truth", score="p", mid=0.5).estimate == curve.auc


def test_the_permutation_deals_labels_within_groups() -> None:
    scores = hosts(4, 20)
    found = rs.summarize_smauc(scores, mid=0.5, n_permutations=400, seed=3)
    rng, means = np.random.default_rng(0), []
    for _ in range(400):
        means.append(np.mean([by_pairs(rng.permutation(own.is_positive), own.scores, 0.5) for own in scores]))
    assert found.permuted.mean == pytest.approx(np.mean(means), abs=0.01)
    assert found.permuted.sd == pytest.approx(np.std(means), rel=0.2)
    assert found.pvalue == pytest.approx(1 / 401)
    assert rs.summarize_smauc(scores, mid=0.5, n_permutations=0).permuted is None


def test_plain_data_never_call_a_smauc_an_auc() -> None:
    for value in (
        rs.summarize_smauc(hosts(), mid=0.5),
        rs.smroc_curve(hosts(1)[0], mid=0.5),
        rs.smroc_curve(hosts(1)[0], mid=0.5).mid_profile(),
        rs.average(rs.smroc_curve(hosts(), mid=0.5), "vertical"),
        rs.smroc_curve(hosts(1)[0], mid=0.5).permuted(10),
    ):
        data = json.loads(json.dumps(value.to_dict(), allow_nan=False))
        assert not {"auc", "chance_auc", "own_auc"} & set(data), type(value)
    several = rs.smroc_curve(hosts(n_models=2), mid=0.5)
    assert {"smauc", "chance_smauc", "roc_auc"} < set(several.to_frame().columns)
    assert "auc" not in several.to_frame().columns
    shown = rs.table(several, "text", n_rows=1).splitlines()[0]
    assert "smAUC" in shown
    assert "  AUC" not in shown.replace("roc AUC", "")


# Curves of several models ------------------------------------------------------------------------------


def test_curves_know_their_models() -> None:
    both = hosts(3, n_models=2)
    curves = rs.smroc_curve(both, mid=0.5)
    assert repr(curves).startswith("SmrocCurves(2 models x 3 hosts, mean smAUC: m0 0.")
    assert list(curves.by_model()) == ["m0", "m1"]
    for name in ("m0", "m1"):
        own = curves.model(name)
        assert own.auc.tolist() == rs.smroc_curve(both.model(name), mid=0.5).auc.tolist()
        assert own.names == ("0", "1", "2")
        assert own.design == both.design
    with pytest.raises(rs.RocsteadyError, match="RS001"):
        curves.model("m2")
    alone = rs.smroc_curve(hosts(1, n_models=2), mid=0.5)
    texts = [own.get_text() for own in rs.plot.smroc(alone).get_legend().get_texts()]
    assert [own.split()[0] for own in texts[:3:2]] == ["m0", "m1"]
    assert rs.smroc_curve(hosts(3), mid=0.5).by_model()[""].names == ("0", "1", "2")


def test_groups_that_one_model_lacks_are_named_with_the_model() -> None:
    scores = hosts(4, n_models=2)
    curves = rs.smroc_curve(scores.take([0, 1, 2]), mid=0.5)
    assert SmrocCurves.of(list(curves)).unit == "curve"
    one_class = rs.ScoreSet.from_arrays(
        [1, 0, 1, 1, 0, 1], {"a": [0.9, 0.1, 0.4, 0.3, 0.2, 0.6], "b": [0.5, 0.4, 0.3, 0.2, 0.1, 0.7]},
        ["x", "x", "y", "y", "z", "z"],
    )  # fmt: skip
    dropped = rs.smroc_curve(one_class, mid=0.5, undefined="drop")
    assert dropped.model("a").undefined == ("a / y: no negatives",)
    assert dropped.model("b").groups == ("x", "z")


# Two models ------------------------------------------------------------------------------------------


@given(cases(2), st.sampled_from([0.5, "paper", "clipped"]), st.integers(0, 2**12 - 1))
def test_mixed_models_are_the_curves_of_their_scores(drawn: Any, mid: Any, pattern: int) -> None:
    labels, first, second = drawn
    swapped = np.array([bool(pattern >> i & 1) for i in range(labels.size)])
    a, b = (rs.smroc_curve(labels, own, mid=mid) for own in (first, second))
    area, adds = _mixed(a, b, np.array([np.zeros_like(swapped), swapped]))
    whole = rs.smroc_curve(labels, np.where(swapped, second, first), mid=mid)
    for curve, own, added in ((a, area[0], adds[0]), (whole, area[1], adds[1])):
        if curve.mid_rule != "given" and (curve.mid == curve._rows.levels).any():
            continue  # a Mid at a score is decided exactly there, and rounded here
        assert own == pytest.approx(curve.auc, abs=1e-12, nan_ok=True)
        if curve.mid_rule == "given":
            assert added == pytest.approx(influence(curve), abs=1e-12, nan_ok=True)


def test_the_exchange_of_cases_is_a_permutation_test() -> None:
    """All 2 ** 10 exchanges of ten cases, the difference over its standard error counted by hand."""
    rng = np.random.default_rng(4)
    labels = np.arange(10) < 4
    first, second = np.round(rng.random((2, 10)), 2)
    both = rs.ScoreSet.from_arrays(labels, {"a": first, "b": second})

    def share(swapped: Any) -> float:
        one, other = (np.where(swapped, *own) for own in ((second, first), (first, second)))
        a, b = (rs.smroc_curve(labels, own, mid=0.5) for own in (one, other))
        return float(abs(a.auc - b.auc) / np.sqrt(((influence(a) - influence(b)) ** 2).sum()))

    every = np.array([share([bool(k >> i & 1) for i in range(10)]) for k in range(2**10)])
    exact = np.mean(every >= every[0] - 1e-12)
    found = rs.compare_smauc(both, "a", "b", mid=0.5, n_permutations=4000)
    assert found.exchanged.of is Random.CASES
    assert found.exchanged.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 4000))
    curves = [rs.smroc_curve(both.model(name), mid=0.5) for name in "ab"]
    own = exchanged_statistics(*curves, np.arange(10), 5, 0)
    assert own[0] == pytest.approx(every[0])
    assert len(own) == 6


@pytest.mark.parametrize("mid", [0.5, "paper"])
def test_over_groups_differences_are_taken_within_them(mid: Any) -> None:
    both = hosts(8, n_models=2)
    found = rs.compare_smauc(both, "m0", "m1", mid=mid)
    a, b = (
        np.array([by_pairs(own.is_positive, own.scores, mid) for own in both.model(name)])
        for name in ("m0", "m1")
    )
    paired = rs.paired_t(a, b)
    assert found.smauc.difference == pytest.approx(paired.difference, abs=1e-12)
    assert found.smauc.pvalue == pytest.approx(paired.pvalue, rel=1e-6)
    assert found.smauc.quantity == "mean smAUC"
    assert found.per_group.difference == pytest.approx(a - b)
    signs = np.array(list(itertools.product([1, -1], repeat=8)))
    shares = np.abs(signs @ (a - b))
    exact = np.mean(shares >= shares[0] - 1e-12)
    assert found.exchanged.pvalue == pytest.approx(exact) == found.smauc.flip_pvalue
    assert (found.exchanged.of, found.exchanged.n_permutations) == (Random.GROUPS, 128)
    assert found.auc == plain_difference(rs.compare(both, "m0", "m1").auc, found.auc)
    alone = [rs.summarize_smauc(both.model(name), mid=mid) for name in ("m0", "m1")]
    assert [found.smauc.a_value, found.smauc.b_value] == [own.estimate for own in alone]
    assert [found.smauc.a_interval.low, found.smauc.b_interval.high] == pytest.approx(
        [alone[0].interval.low, alone[1].interval.high]
    )
    assert (found.a_chance_smauc, found.b_chance_smauc) == tuple(own.chance_smauc for own in alone)


def plain_difference(expected: Any, found: Any) -> Any:
    """The one that was found, if it is the expected one in every number."""
    assert plain(expected)["difference"] == plain(found)["difference"]
    assert plain(expected)["pvalue"] == plain(found)["pvalue"]
    return found


def test_over_folds_models_are_exchanged_within_cases() -> None:
    folds = hosts(8, n_models=2, design="cross-validation")
    with pytest.warns(rs.RocsteadyWarning, match="RS299"):
        found = rs.compare_smauc(folds, mid=0.5)
    assert found.test_train_ratio == pytest.approx(1 / 7)
    assert math.isnan(found.smauc.flip_pvalue)
    assert found.exchanged.of is Random.CASES
    alone = rs.compare_smauc(hosts(8, n_models=2), mid=0.5)
    assert found.smauc.standard_error == pytest.approx(alone.smauc.standard_error * math.sqrt(1 + 8 / 7))
    assert "the trained models are fixed" in found.reading


def test_over_cases_both_models_change_with_each() -> None:
    both = hosts(1, 200, n_models=2)
    found = rs.compare_smauc(both, "m0", "m1", mid=0.5)
    curves = [rs.smroc_curve(both.model(name), mid=0.5)[0] for name in ("m0", "m1")]
    added = influence(curves[0]) - influence(curves[1])
    assert found.smauc.standard_error == pytest.approx(math.sqrt(200 / 199 * (added**2).sum()))
    assert found.smauc.difference == pytest.approx(curves[0].auc - curves[1].auc)
    assert "m0 has the larger smAUC: " in found.reading
    back = rs.compare_smauc(both, "m1", "m0", mid=0.5)
    assert back.smauc.difference == -found.smauc.difference
    assert back.smauc.pvalue == pytest.approx(found.smauc.pvalue)
    assert back.exchanged.pvalue == found.exchanged.pvalue


def test_a_larger_smauc_makes_no_model_better_and_may_be_that_of_chance() -> None:
    rng, sick = np.random.default_rng(4), np.arange(240) % 12 == 0
    timid = np.where(sick, rng.uniform(0.2, 0.9, 240), rng.uniform(0.0, 0.1, 240))
    both = rs.ScoreSet.from_arrays(sick, {"sure": rng.choice([0.01, 0.99], 240), "timid": timid})
    with pytest.warns(rs.RocsteadyWarning, match=r"RS260.*Mid is"):
        found = rs.compare_smauc(both, "timid", "sure")
    with pytest.warns(rs.RocsteadyWarning, match=r"RS260.*Mid is"):
        alone = rs.summarize_smauc(both.model("sure"))
    first = found.reading.partition(" Labels dealt")[0]
    assert first.startswith("sure has the larger smAUC, but not significantly: 0.")
    assert ", and its smAUC is not above chance (p = " in first
    assert first.endswith("; Mid lies outside 0 to 1 for sure.")
    assert found._chance_pvalue == alone.pvalue > 0.05
    said = f"{found.smauc.reading} {first}"
    assert "better" not in said
    given = rs.compare_smauc(hosts(8, n_models=2), mid=0.5).reading
    assert "not above chance" not in given
    assert "outside" not in given
    assert "better" not in given.partition(" Labels dealt")[0]
    weighted = rs.ScoreSet.from_arrays(sick, {"sure": both.model("sure").columns.scores, "timid": timid},
        np.arange(240) // 60, sample_weight=np.ones(240), design="independent")  # fmt: skip
    untested = rs.compare_smauc(weighted, "sure", "timid", mid="clipped")
    assert math.isnan(untested._chance_pvalue)
    is_chance = untested.smauc.a_value <= untested.a_chance_smauc
    assert ("its smAUC is not above chance" in untested.reading) == (
        is_chance and untested.smauc.difference > 0
    )


def test_rows_of_a_case_in_all_repeats_are_exchanged_together() -> None:
    rng, n = np.random.default_rng(0), 60
    case, sick = np.tile(np.arange(n), 2), np.tile(np.arange(n) % 3 == 0, 2)
    made = {name: 1 / (1 + np.exp(-rng.normal(sick - 0.5))) for name in ("a", "b")}
    fold = [f"{k % 5} of repeat {i // n}" for i, k in enumerate(case // 3)]
    both = rs.ScoreSet.from_arrays(
        sick, made, fold, cases=case, unit="fold", design=rs.Design.cross_validation(5, repeats=2)
    )
    found = rs.compare_smauc(both, mid=0.5, n_permutations=99)
    assert found.exchanged.of is Random.CLUSTERS
    assert "the models exchanged for each case in all repeats at once (99 exchanges" in found.reading
    assert "cluster" not in found.reading


def test_several_models_in_all_pairs() -> None:
    found = rs.compare_smauc(hosts(8, n_models=3), mid=0.5)
    assert len(found) == 3
    assert found["m0", "m2"].smauc.adjusted_pvalue >= found["m0", "m2"].smauc.pvalue
    assert list(found.to_frame()["quantity"]) == ["mean smAUC", "mean AUC"] * 3
    assert [own.model for own in found.standings[:3]] == ["m0", "m1", "m2"]
    against = rs.compare_smauc(hosts(8, n_models=3), "m0", mid=0.5)
    assert [(own.a, own.b) for own in against] == [("m0", "m1"), ("m0", "m2")]
    assert "Labels dealt at random would give" in found.reading


def test_models_on_other_groups_are_two_samples() -> None:
    first, second = hosts(6), hosts(6, seed=1)
    labels = [own for part in (first, second) for scores in part for own in scores.is_positive]
    scores = [own for part in (first, second) for each in part for own in each.scores]
    groups = np.repeat(np.arange(12), 40)
    models = np.where(groups < 6, "a", "b")
    apart = rs.ScoreSet.from_arrays(labels, scores, groups, models=models, design="independent")
    found = rs.compare_smauc(apart, "a", "b", mid=0.5)
    assert (found.paired, found.exchanged, found.per_group, found.n_groups) == (False, None, None, (6, 6))
    assert "Welch" in found.smauc.method
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases_ = rs.compare_smauc(apart, "a", "b", mid=0.5, random="cases")
    each = [rs.summarize_smauc(apart.model(name), mid=0.5, random="cases") for name in "ab"]
    expected = math.hypot(*(own.standard_error for own in each))
    assert cases_.smauc.standard_error == pytest.approx(expected)


def test_groups_without_an_area_are_left_out_of_both() -> None:
    """All positives 0 and all negatives 1: by the paper's Mid nothing goes right."""
    labels = np.tile([1, 1, 0, 0, 0, 0, 0], 3).astype(bool)
    rng = np.random.default_rng(0)
    a, b = rng.random((2, labels.size))
    a[:7] = ~labels[:7]
    both = rs.ScoreSet.from_arrays(labels, {"a": a, "b": b}, np.repeat([0, 1, 2], 7), design="independent")
    with pytest.raises(rs.RocsteadyError, match="RS036"):
        rs.compare_smauc(both, "a", "b")
    found = rs.compare_smauc(both, "a", "b", undefined="drop")
    assert found.n_groups == 2
    assert len(found.undefined) == 1
    with pytest.raises(rs.RocsteadyError, match="RS036"):
        rs.summarize_smauc(both.model("a"))
    assert rs.summarize_smauc(both.model("a"), undefined="drop").n_groups == 2


# What cannot be asked ----------------------------------------------------------------------------------

LABELS, SHARES = [1, 0, 1, 0, 1, 0], [0.9, 0.2, 0.7, 0.4, 0.6, 0.1]


@pytest.mark.parametrize(
    ("code", "ask"),
    [
        ("RS087", lambda: rs.summarize_smauc(rs.ScoreSet.from_arrays(LABELS, [3, 1, 2, 0, 5, 4]))),
        ("RS087", lambda: rs.compare_smauc(rs.ScoreSet.from_arrays(LABELS, {"a": SHARES, "b": [2.0] * 6}))),
        ("RS001", lambda: rs.summarize_smauc(rs.ScoreSet.from_arrays(LABELS, SHARES), mid="middle")),
        ("RS042", lambda: rs.summarize_smauc(rs.ScoreSet.from_arrays(LABELS, SHARES), mid=np.inf)),
        ("RS001", lambda: rs.summarize_smauc(rs.ScoreSet.from_arrays(LABELS, SHARES), random="rows")),
        ("RS064", lambda: rs.summarize_smauc(rs.ScoreSet.from_arrays(LABELS, SHARES), random="groups")),
        ("RS002", lambda: rs.summarize_smauc([0.1, 0.2])),
        ("RS002", lambda: rs.summarize_smauc(rs.smroc_curve(LABELS, SHARES), rescale="min-max")),
        ("RS042", lambda: rs.summarize_smauc(rs.smroc_curve(LABELS, SHARES), n_permutations=-1)),
        ("RS042", lambda: rs.summarize_smauc(rs.smroc_curve(LABELS, SHARES), confidence_level=95)),
        ("RS060", lambda: rs.compare_smauc(rs.ScoreSet.from_arrays(LABELS, SHARES))),
        ("RS001", lambda: rs.compare_smauc(rs.ScoreSet.from_arrays(LABELS, {"a": SHARES, "b": SHARES}), "c")),
        ("RS024", lambda: rs.smroc_curve([1, 1], [0.2, 0.4])),
        ("RS031", lambda: rs.ScoreSet.from_arrays(LABELS, [np.nan, *SHARES[1:]])),
    ],
)
def test_bad_input_is_coded(code: str, ask: Any) -> None:
    with pytest.raises(rs.RocsteadyError) as caught:
        ask()
    assert caught.value.code == code
    assert caught.value.remedies


def test_one_model_at_a_time() -> None:
    both = hosts(3, n_models=2)
    for given_ in (both, rs.smroc_curve(both, mid=0.5)):
        with pytest.raises(rs.RocsteadyError, match="m0"):
            rs.summarize_smauc(given_)


def test_weights_are_for_groups_and_not_for_cases() -> None:
    rng = np.random.default_rng(0)
    labels, scores, weights = np.tile([True, False], 60), rng.random(120), rng.integers(1, 4, 120)
    groups = np.repeat(np.arange(4), 30)
    weighted = rs.ScoreSet.from_arrays(labels, scores, groups, sample_weight=weights, design="independent")
    found = rs.summarize_smauc(weighted, mid=0.5)
    assert np.isfinite(found.interval.low)
    assert np.isnan(found.per_group.standard_error).all()
    assert math.isnan(found.pvalue)
    for ask in (lambda: rs.summarize_smauc(weighted, mid=0.5, random="cases"), one_weighted):
        with pytest.raises(rs.RocsteadyError, match="RS038"):
            ask()


def one_weighted() -> Any:
    return rs.summarize_smauc(rs.smroc_curve(LABELS, SHARES, mid=0.5, sample_weight=[1, 2, 1, 2, 1, 2]))


@pytest.mark.filterwarnings("default")
def test_where_an_interval_is_likely_to_miss_that_is_said() -> None:
    def codes(labels: Any, scores: Any, **options: Any) -> list[str]:
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            found = rs.summarize_smauc(rs.ScoreSet.from_arrays(labels, scores), n_permutations=0, **options)
        entries = [str(getattr(own.message, "entry", "")) for own in met]
        if "RS298.none" in entries:
            assert math.isnan(found.interval.low)
        return [own for own in entries if own.startswith("RS298")]

    rng = np.random.default_rng(0)
    labels = np.arange(200) < 60
    scores = 1 / (1 + np.exp(-rng.normal(np.where(labels, 1, -1))))
    assert codes(labels, scores, mid=0.5) == []
    assert codes(labels[:66], scores[:66], mid=0.5) == ["RS298.few"]
    assert codes(labels[::3], scores[::3]) == ["RS298.mid"]
    assert codes([1, 0, 0], [0.9, 0.2, 0.4], mid=0.5) == ["RS298.none"]
    assert codes(labels, labels.astype(float), mid=0.5) == ["RS298.none"]  # nothing varies


@settings(max_examples=25)
@given(cases(2), st.sampled_from([0.5, "paper", "clipped"]))
def test_equal_models_do_not_differ(drawn: Any, mid: Any) -> None:
    labels, scores, other = drawn
    curve = rs.smroc_curve(labels, scores, mid=mid)
    assume(not np.isnan(curve.auc))
    same = rs.compare_smauc(
        rs.ScoreSet.from_arrays(labels, {"a": scores, "b": scores}), mid=mid, n_permutations=20
    )
    assert (same.smauc.difference, same.smauc.pvalue, same.exchanged.pvalue) == (0, 1, 1)
    assume(not np.isnan(rs.smroc_curve(labels, other, mid=mid).auc))
    found = rs.compare_smauc(
        rs.ScoreSet.from_arrays(labels, {"a": scores, "b": other}), mid=mid, n_permutations=20
    )
    expected = by_pairs(labels, scores, curve.mid) - rs.smroc_curve(labels, other, mid=mid).auc
    assert found.smauc.difference == pytest.approx(expected, abs=1e-12)


def test_hostile_names_and_many_groups() -> None:
    name = "</script><b>\n\x1b[2J"
    base = hosts(30, 20, n_models=2)
    columns = {f"{k}{name}": np.concatenate([own.scores for own in base.model(k)]) for k in base.models}
    labels = np.concatenate([own.is_positive for own in base.model("m0")])
    odd = rs.ScoreSet.from_arrays(
        labels,
        columns,
        np.repeat([f"{k}{name}" for k in range(30)], 20),
        unit=f"u{name}",
        design="independent",
    )
    found = rs.compare_smauc(odd, mid=0.5)
    assert "\n" not in repr(found)
    assert "\x1b" not in repr(rs.smroc_curve(odd, mid=0.5))
    assert "\x1b" not in rs.table(found, "text")
    assert rs.plot.smroc(rs.smroc_curve(odd, mid=0.5)) is not None
