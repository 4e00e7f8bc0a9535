"""Comparing models: numbers of other programs, operating points, designs, bad input, sentences."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from scipy import stats

import rocsteady as rs
from rocsteady.errors import DataError, RocsteadyWarning, UsageError
from rocsteady.inference.compare import compare, compare_at
from rocsteady.inference.matching import paired_models

LABELS, GROUPS = np.tile([0, 1], 240), np.repeat(np.arange(8), 60)


def made(models=("old", "new"), *, labels=LABELS, groups=GROUPS, seed=0):
    """Scores of models that share what is known of a case; later models have less noise."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=labels.size) + labels
    return {name: base + (1 - 0.3 * i) * rng.normal(size=labels.size) for i, name in enumerate(models)}


def hosts(scores=None, labels=LABELS, groups=GROUPS, **options):
    return rs.ScoreSet.from_arrays(labels, scores or made(), groups, unit="host", **options)


def long_form(kept=None, *, named=True, labels=LABELS, groups=GROUPS):
    """One row for each model and case, some rows left out."""
    scores, n = made(labels=labels, groups=groups), labels.size
    kept = np.ones(2 * n, dtype=bool) if kept is None else kept
    cases = np.tile([f"c{i}" for i in range(n)], 2)[kept] if named else None
    return rs.ScoreSet.from_arrays(
        np.tile(labels, 2)[kept],
        np.concatenate([scores["old"], scores["new"]])[kept],
        np.tile(groups, 2)[kept],
        models=np.repeat(["old", "new"], n)[kept],
        cases=cases,
        unit="host",
    )


def without(model, chosen):
    """Which rows of the long form are left without some of one model."""
    kept = np.ones(2 * LABELS.size, dtype=bool)
    kept[np.flatnonzero(chosen) + (LABELS.size if model == "new" else 0)] = False
    return kept


@pytest.fixture(scope="module")
def hiv(data_folder):
    return rs.read_scores(data_folder / "scores" / "rocr_hiv.csv", design="independent")


# R 4.2.2: t.test(svm, nn, paired = TRUE), wilcox.test(svm, nn, paired = TRUE, exact = TRUE, conf.int = TRUE)
# and t.test(svm, nn) of the ten AUCs by pROC 1.18.0.
def test_hiv_over_folds_is_what_r_says(hiv):
    found = compare(hiv, "svm", "nn", method="vertical")
    assert found.auc.statistic == pytest.approx(13.2917918149811, rel=1e-10)
    assert found.auc.pvalue == pytest.approx(3.20857060294776e-07, rel=1e-9)
    assert found.auc.difference == pytest.approx(0.0411576875060021, abs=1e-13)
    # SciPy 1.11 has quantiles of t to eleven digits only.
    assert found.auc.interval.low == pytest.approx(0.0341529767121591, abs=1e-11)
    assert found.auc.interval.high == pytest.approx(0.0481623982998452, abs=1e-11)
    assert found.auc.flip_pvalue == 2**-9  # svm is better in all ten folds
    assert found.wilcoxon.pvalue == pytest.approx(0.001953125, rel=1e-12)
    assert found.wilcoxon.statistic == 55
    assert found.wilcoxon.estimate == pytest.approx(0.0411024680687602, abs=1e-6)
    assert found.curve.pvalue == 2**-9


def test_hiv_as_two_samples_is_what_r_says(hiv):
    found = compare(hiv, "svm", "nn", paired=False, method="vertical")
    assert found.auc.statistic == pytest.approx(7.50808794777582, rel=1e-10)
    assert found.auc.df == pytest.approx(15.2832229681177, rel=1e-10)
    assert found.auc.pvalue == pytest.approx(1.66146038163275e-06, rel=1e-9)
    assert found.n_groups == (10, 10)
    assert found.wilcoxon is None
    assert found.per_group is None


# pROC 1.18.0: roc.test(svm, nn, method = "delong", paired = TRUE and FALSE) of fold 1.
@pytest.mark.filterwarnings("ignore:RS279")
def test_the_first_fold_of_hiv_is_what_proc_says(hiv):
    first = hiv.columns.offsets
    rows = [np.arange(first[i], first[i + 1]) for i, name in enumerate(hiv.names) if name.endswith("/ 1")]
    labels = hiv.columns.labels[rows[0]]
    scores = {name: hiv.columns.scores[own] for name, own in zip(hiv.models, rows, strict=True)}
    fold = rs.ScoreSet.from_arrays(labels, scores)
    found = compare(fold, "svm", "nn", at={"fpr": 0.1}, method="vertical")
    assert found.random == "cases"
    assert found.auc.statistic == pytest.approx(2.17141178514349, rel=1e-10)
    normal = rs.compare_auc(labels, scores["svm"], scores["nn"], reference="normal")
    assert normal.pvalue == pytest.approx(0.0299000588443999, rel=1e-9)
    assert normal.interval.low == pytest.approx(0.00400247734307019, abs=1e-12)
    by_t = rs.compare_auc(labels, scores["svm"], scores["nn"])
    assert (found.auc.df, found.auc.pvalue) == pytest.approx((by_t.df, by_t.pvalue), rel=1e-9)
    wanted = rs.compare_auc(labels, scores["svm"], scores["nn"]).difference
    assert found.auc.difference == pytest.approx(wanted, abs=1e-15)
    unpaired = compare(fold, "svm", "nn", paired=False, method="vertical")
    assert unpaired.auc.statistic == pytest.approx(1.185957504599095, rel=1e-10)
    apart = {"paired": False, "reference": "normal"}
    as_in_proc = rs.compare_auc((labels, labels), scores["svm"], scores["nn"], **apart)
    assert as_in_proc.df == pytest.approx(677.200642671118, rel=1e-10)
    assert "The cases are treated as a random sample" in found.reading


def test_folds_that_share_training_cases_have_larger_errors(hiv):
    folds = hiv.with_design("cross-validation")
    plain, corrected = (
        compare(folds, test_train_ratio=0, method="vertical"),
        compare(folds, method="vertical"),
    )
    factor = np.sqrt(1 + 10 / 9)
    assert corrected.auc.standard_error == pytest.approx(factor * plain.auc.standard_error)
    np.testing.assert_allclose(corrected.curve.standard_error, factor * plain.curve.standard_error)
    assert corrected.wilcoxon is None
    assert "The tests do not allow for" in plain.reading
    assert "corrected for shared training cases" in corrected.reading
    with pytest.raises(UsageError, match="RS002"):
        compare(hiv, test_train_ratio=0.1, random="cases", method="vertical")


def test_readings_at_budgets_are_those_of_the_groups():
    score_set = hosts()
    found = compare(score_set, "new", "old", at=[{"fpr": 0.1}, {"tpr": [0.8, 0.9]}], method="vertical")
    curves = [rs.roc_curves(score_set.model(name)) for name in ("new", "old")]
    for own, (read, value) in zip(found.at, [("tpr_at", 0.1), ("fpr_at", 0.8), ("fpr_at", 0.9)], strict=True):
        values = [np.array([getattr(curve, read)(value) for curve in side]) for side in curves]
        wanted = stats.ttest_rel(*values)
        assert own.difference == pytest.approx((values[0] - values[1]).mean(), abs=1e-12)
        assert own.pvalue == pytest.approx(wanted.pvalue, rel=1e-9)
        assert own.lower_is_better == (read == "fpr_at")
        assert "A threshold for each host, set to" in own.reading


@pytest.mark.parametrize("method", ["vertical", "threshold"])
def test_frozen_thresholds_are_paired_over_groups(method):
    scores = made()
    found = compare(hosts(scores), "new", "old", method=method, at={"threshold": {"new": 0.6, "old": 0.4}})
    rates = {}
    for name, threshold in (("new", 0.6), ("old", 0.4)):
        called = (scores[name] >= threshold).reshape(8, 60)
        truth = LABELS.reshape(8, 60) == 1
        rates[name] = [(called & ~truth).sum(axis=1) / 30, (called & truth).sum(axis=1) / 30]
    for own, first, second in zip(found.at, rates["new"], rates["old"], strict=True):
        assert own.pvalue == pytest.approx(stats.ttest_rel(first, second).pvalue, rel=1e-9)
        assert own.a_value == pytest.approx(first.mean())
        assert "at thresholds 0.6 (new) and 0.4 (old)" in own.reading


@pytest.mark.parametrize("method", ["threshold", "pooled"])
def test_a_shared_budget_is_met_again_on_other_data(method):
    score_set = hosts()
    found = compare(score_set, "new", "old", method=method, at={"fpr": 0.1})
    own = found.at[0]
    averages = [rs.average(score_set.model(name), method) for name in ("new", "old")]
    assert own.difference == pytest.approx(averages[0].tpr_at(0.1) - averages[1].tpr_at(0.1), abs=1e-12)
    assert "The interval allows for setting the threshold again on other hosts." in own.reading
    for name, interval, average in (
        ("new", own.a_interval, averages[0]),
        ("old", own.b_interval, averages[1]),
    ):
        again = average.at(fpr=0.1).tpr_interval
        assert (interval.low, interval.high) == pytest.approx((again.low, again.high), abs=1e-12), name
    assert found.area.difference == pytest.approx(averages[0].auc - averages[1].auc, abs=1e-12)


def test_differences_at_a_shared_budget_scatter_as_their_errors_say():
    differences, variances = [], []
    for seed in range(150):
        (own,) = compare_at(
            hosts(made(seed=seed)), "new", "old", method="threshold", at={"fpr": 0.1}, n_resamples=100
        ).differences
        differences.append(own.difference)
        variances.append(own.standard_error**2)
    assert np.sqrt(np.mean(variances)) == pytest.approx(np.std(differences, ddof=1), rel=0.15)


def test_an_alert_budget_is_read_along_its_direction():
    method = rs.AtAlarmRate(prevalence=0.1)
    score_set = hosts()
    own = compare(score_set, "new", "old", method=method, at={"rate": 0.2}).at[0]
    wanted = [rs.average(score_set.model(name), method).at(rate=0.2).tpr for name in ("new", "old")]
    assert own.difference == pytest.approx(wanted[0] - wanted[1], abs=1e-12)
    with pytest.raises(UsageError, match="RS084"):
        compare(score_set, at={"rate": 0.2}, method="vertical")


def test_fixed_groups_have_the_errors_of_their_cases():
    score_set = hosts()
    found = compare(
        score_set, "new", "old", random="cases", at=[{"fpr": 0.1}, {"threshold": 0.5}], method="vertical"
    )
    tests = [rs.compare_auc(score_set[f"new / {g}"], score_set[f"old / {g}"]) for g in range(8)]
    assert found.auc.difference == pytest.approx(np.mean([own.difference for own in tests]), abs=1e-12)
    wanted = np.sqrt(np.sum([own.standard_error**2 for own in tests])) / 8
    assert found.auc.standard_error == pytest.approx(wanted, rel=1e-10)
    calls = {name: (own >= 0.5).astype(float) for name, own in made().items()}
    parts = [
        calls["new"][own] - calls["old"][own] for own in ((g == GROUPS) & (LABELS == 1) for g in range(8))
    ]
    error = np.sqrt(sum(part.var(ddof=1) / part.size for part in parts)) / 8
    assert found.at[2].standard_error == pytest.approx(error, rel=1e-10)
    assert found.wilcoxon is None
    assert "about these 8 hosts only" in found.reading


@pytest.mark.filterwarnings("ignore:RS279")
def test_resampled_cases_are_paired():
    """The same cases are drawn for both models: a copy with a little noise differs by little."""
    scores = made()
    scores["new"] = scores["old"] + 1e-3 * np.random.default_rng(3).normal(size=LABELS.size)
    one = np.zeros(LABELS.size, dtype=int)
    paired, unpaired = (
        compare(
            hosts(scores, groups=one), at={"fpr": 0.2}, paired=paired, n_resamples=300, method="vertical"
        ).at[0]
        for paired in (True, False)
    )
    assert paired.standard_error < 0.2 * unpaired.standard_error


def test_several_models_are_adjusted_by_holm():
    score_set = hosts(made(("x", "y", "z")))
    found = compare(score_set, at={"fpr": 0.1}, method="vertical")
    assert [(pair.a, pair.b) for pair in found] == [("x", "y"), ("x", "z"), ("y", "z")]
    for which in (0, 1):
        pvalues = sorted(pair.differences[which].pvalue for pair in found)
        adjusted = sorted(pair.differences[which].adjusted_pvalue for pair in found)
        assert adjusted == pytest.approx(np.minimum(np.maximum.accumulate([3, 2, 1] * np.array(pvalues)), 1))
    alone = compare(score_set, "x", "z", at={"fpr": 0.1}, method="vertical")
    assert found["x", "z"].auc.pvalue == alone.auc.pvalue == alone.auc.adjusted_pvalue
    against = compare(score_set, "z", adjust=None, method="vertical")
    assert [(pair.a, pair.b) for pair in against] == [("z", "x"), ("z", "y")]
    assert against[0].auc.adjusted_pvalue == against[0].auc.pvalue
    assert len(found.to_frame()) == 6
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert "adjusted for the number of pairs" in found.reading
    with pytest.raises(UsageError, match="RS001"):
        found["z", "x"]


def test_too_few_groups_are_warned_of_once_and_have_no_band():
    chosen = GROUPS < 5
    scores = {name: own[chosen] for name, own in made(("x", "y", "z")).items()}
    score_set = rs.ScoreSet.from_arrays(LABELS[chosen], scores, GROUPS[chosen], unit="host")
    with pytest.warns(RocsteadyWarning) as caught:
        found = compare(score_set, method="vertical")
    assert [own.message.code for own in caught] == ["RS275", "RS317"]
    assert "0.0625" in str(caught[0].message)
    curve = found[0].curve
    assert curve.smallest_pvalue == 2**-4
    assert np.isinf(curve.simultaneous_upper[~np.isnan(curve.simultaneous_upper)]).all()
    assert np.isfinite(curve.upper).all()
    assert "too few for limits over the whole range" in curve.reading
    compare(score_set, confidence_level=0.9, method="vertical")  # 2**-4 is below 0.1: no warning


def test_models_on_different_groups_are_two_samples():
    kept = np.concatenate([GROUPS < 4, GROUPS >= 4])
    found = compare(long_form(kept), method="vertical")
    assert not found.paired
    assert found.n_groups == (4, 4)
    sides = [rs.roc_curves(long_form(kept).model(name)).auc for name in ("old", "new")]
    assert found.auc.pvalue == pytest.approx(stats.ttest_ind(*sides, equal_var=False).pvalue, rel=1e-9)
    assert "two independent random samples" in found.reading
    with pytest.warns(RocsteadyWarning, match="RS276"):
        few = compare(long_form(np.concatenate([GROUPS < 3, GROUPS >= 3])), method="vertical")
    assert np.isnan(few.curve.pvalue)
    assert "too few for limits" in few.curve.reading


def test_unmatched_cases_are_named():
    kept = without("old", np.isin(np.arange(LABELS.size), [3])) & without(
        "new", np.isin(np.arange(LABELS.size), [62, 63])
    )
    with pytest.raises(DataError) as caught:
        compare(long_form(kept), method="vertical")
    assert caught.value.code == "RS063"
    assert "host 0: old has no score of case c3; 1 other host as well" in caught.value.found
    dropped = compare(long_form(kept), unmatched="drop", method="vertical")
    whole = np.ones(LABELS.size, dtype=bool)
    whole[[3, 62, 63]] = False
    wanted = compare(
        hosts({k: v[whole] for k, v in made().items()}, LABELS[whole], GROUPS[whole]), method="vertical"
    )
    assert dropped.auc.pvalue == pytest.approx(wanted.auc.pvalue, rel=1e-12)
    with pytest.warns(RocsteadyWarning, match="RS279") as caught:
        compare(long_form(kept), paired=False, method="vertical")  # as two samples they need not match
    assert f"{LABELS.size - 3} cases in both, of {LABELS.size - 1} and {LABELS.size - 2}" in str(
        caught[0].message
    )
    assert "leave out  paired=False  and say  unmatched='drop'" in str(caught[0].message)


def test_the_same_named_cases_as_two_samples_are_said_once():
    with pytest.warns(RocsteadyWarning, match="RS279") as caught:
        compare(long_form(), paired=False, method="vertical")
    assert [own.message.code for own in caught] == ["RS279", "RS317"]
    assert f"found: {LABELS.size} cases in both" in str(caught[0].message)
    compare(long_form(named=False), paired=False, method="vertical")
    compare(long_form(), method="vertical")


@pytest.mark.filterwarnings("ignore:RS266")
def test_the_same_named_cases_in_other_groups_are_said():
    """Models without a common group are not paired, though nobody asked for that."""
    both = long_form()
    models = np.repeat(["old", "new"], LABELS.size)
    apart = rs.ScoreSet.from_arrays(
        np.tile(LABELS, 2),
        np.concatenate([made()[name] for name in ("old", "new")]),
        [f"{model} {group}" for model, group in zip(models, np.tile(GROUPS, 2), strict=True)],
        models=models,
        cases=np.tile([f"c{i}" for i in range(LABELS.size)], 2),
        unit="host",
    )
    with pytest.warns(RocsteadyWarning, match=r"RS279(.|\n)*give a case the same host in both models"):
        found = compare(apart, method="vertical")
    assert not found.paired
    assert compare(both, method="vertical").paired


def test_unnamed_cases_are_matched_by_size_and_labels():
    kept = without("old", np.isin(np.arange(LABELS.size), [3]))
    with pytest.warns(RocsteadyWarning, match="RS277"):
        compare(long_form(kept, named=False), method="vertical")
    with pytest.raises(DataError, match="RS063"):
        compare(long_form(kept, named=False), random="cases", method="vertical")
    found = compare(long_form(named=False), random="cases", method="vertical")
    assert "paired by their order" in found.reading


def test_groups_of_one_model_only_are_named():
    kept = without("new", GROUPS == 7)
    with pytest.raises(DataError) as caught:
        compare(long_form(kept), method="vertical")
    assert caught.value.code == "RS062"
    assert caught.value.found == "new has no scores of 7"
    dropped = compare(long_form(kept), unmatched="drop", method="vertical")
    assert dropped.n_groups == 7
    assert dropped.undefined == ("7: not of all models",)


def test_groups_of_one_class_are_refused_or_listed():
    kept = ~((GROUPS == 7) & (LABELS == 1))
    scores = {name: own[kept] for name, own in made().items()}
    score_set = hosts(scores, LABELS[kept], GROUPS[kept])
    with pytest.raises(DataError, match="RS036"):
        compare(score_set, method="vertical")
    found = compare(score_set, undefined="drop", method="vertical")
    assert found.undefined == ("7: no positives",)
    assert found.n_groups == 7
    assert "Left out: 7: no positives" in found.reading
    for random in ("groups", "cases"):
        pooled = compare(score_set, method="pooled", random=random, at=[{"fpr": 0.1}, {"threshold": 0.5}])
        negatives = LABELS[kept] == 0  # also those of the group without positives
        assert pooled.at[1].a_value == pytest.approx((scores["old"][negatives] >= 0.5).mean())
        assert pooled.auc.difference == pytest.approx(found.auc.difference)


@pytest.mark.filterwarnings("ignore:RS277")
def test_a_pooled_group_with_a_curve_of_one_model_only_has_no_difference():
    kept = without("new", (GROUPS == 7) & (LABELS == 1))
    found = compare(long_form(kept, named=False), method="pooled", at={"threshold": 0.5})
    assert found.n_groups == 7
    assert found.per_group.groups == tuple("0123456")
    assert found.undefined == ("7: no positives (new)",)
    whole = compare(long_form(), method="pooled", at={"threshold": 0.5})
    assert found.at[1].a_value == whole.at[1].a_value  # the positives of host 7 still count for the old model
    assert found.at[1].b_value != whole.at[1].b_value


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        (lambda s: compare(s, "nev", "old", method="vertical"), "RS001", "did you mean  'new' ?"),
        (lambda s: compare(s, "new", "new", method="vertical"), "RS060", "cannot be compared with itself"),
        (lambda s: compare(s.model("new"), method="vertical"), "RS060", "two models are needed"),
        (lambda s: compare([1, 0, 1], method="vertical"), "RS002", "ScoreSet"),
        (lambda s: compare(s, method="vertcal"), "RS001", "method='vertical'"),
        (lambda s: compare(s, at={"fprr": 0.1}, method="vertical"), "RS092", "at={'fpr': 0.1}"),
        (lambda s: compare(s, at={"ratio": (1, 2)}, method="vertical"), "RS092", "known: fpr (fmr"),
        (lambda s: compare(s, at=0.1, method="vertical"), "RS092", "at={'fpr': 0.05}"),
        (lambda s: compare(s, at={"fpr": 5}, method="vertical"), "RS042", "fpr=0.05"),
        (lambda s: compare(s, at={"threshold": np.nan}, method="vertical"), "RS042", "nan"),
        (
            lambda s: compare(s, at={"threshold": {"old": 1}}, method="vertical"),
            "RS002",
            'no threshold for the model "new"',
        ),
        (lambda s: compare(s, random="datasets", method="vertical"), "RS001", "random='groups'"),
        (lambda s: compare(s, random="cases", method="diagonal"), "RS064", "method='vertical'"),
        (lambda s: compare(s, paired="no", method="vertical"), "RS001", "paired"),
        (lambda s: compare(s, fpr=(0.5, 0.1), method="vertical"), "RS042", "fpr"),
        (lambda s: compare(s, adjust="bonferroni", method="vertical"), "RS001", "adjust='holm'"),
        (lambda s: compare(s, undefined="skip", method="vertical"), "RS001", "undefined"),
        (lambda s: compare(s, seed=-1, method="vertical"), "RS042", "seed"),
        (lambda s: compare(s, confidence_level=95, method="vertical"), "RS042", "confidence_level=0.95"),
    ],
)
def test_bad_input_is_refused_with_what_to_type(call, code, said):
    with pytest.raises(UsageError) as caught:
        call(hosts())
    assert caught.value.code == code
    assert said in str(caught.value)


def test_one_dataset_cannot_have_random_datasets():
    one = hosts(groups=np.zeros(LABELS.size, dtype=int))
    with pytest.raises(UsageError, match="RS064"):
        compare(one, random="groups", method="vertical")
    assert compare(one, method="vertical").random == "cases"


def test_weights_are_refused_where_cases_are_counted():
    weighted = hosts(sample_weight=np.full(LABELS.size, 2.0))
    with pytest.raises(UsageError, match="RS038"):
        compare(weighted, random="cases", method="vertical")


def test_few_resamples_are_warned_of():
    with pytest.warns(RocsteadyWarning, match="RS270"):
        compare(hosts(), n_resamples=50, method="vertical")


def test_separated_classes_and_single_cases_are_said_to_have_no_error():
    one = np.zeros(8, dtype=int)
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    scores = {"old": np.array([1.0, 5, 2, 3, 4, 6, 7, 8]), "new": np.arange(8.0)}
    with pytest.warns(RocsteadyWarning, match="RS151"):
        compare(hosts(scores, labels, one), method="vertical")
    with pytest.warns(RocsteadyWarning, match="RS153"):
        found = compare(hosts({k: v[:5] for k, v in scores.items()}, labels[:5], one[:5]), method="vertical")
    assert np.isnan(found.auc.pvalue)


def test_effects_come_before_pvalues_and_everything_becomes_plain_data():
    found = compare(
        hosts(), "new", "old", at=[{"fpr": 0.1}, {"tpr": 0.8}, {"threshold": 0.5}], method="vertical"
    )
    for own in (*found.differences, found.curve):
        text = own.reading
        assert re.search(r"\d (points )?(higher|lower)", text).start() < text.index("p = ")
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert found.to_frame().shape[0] == 5
    assert found.curve.to_frame().shape == (200, 10)
    assert found.per_group.to_frame().shape == (8, 4)
    assert "\n" not in repr(found) + repr(found.curve) + repr(found.per_group) + repr(found.at[0])
    assert found.auc.better == ("new" if found.auc.difference > 0 else "old")
    with pytest.raises(TypeError, match="not a tuple"):
        iter(found)


def test_the_horizontal_curve_says_who_has_the_lower_fpr():
    score_set = hosts()
    curve = compare(score_set, "new", "old", method="horizontal").curve
    assert curve.over == "tpr"
    averages = [rs.average(score_set.model(name), "horizontal") for name in ("new", "old")]
    first, second = (own.fpr_at(curve.position) for own in averages)
    np.testing.assert_allclose(curve.difference, second - first, atol=1e-12)
    np.testing.assert_allclose(curve.a_value, first, atol=1e-12)
    assert re.search(r"the FPR of new is .* points lower", curve.reading)


def test_matched_models_line_up_group_by_group():
    shuffled = np.random.default_rng(1).permutation(2 * LABELS.size)
    first = long_form()
    order = rs.ScoreSet.from_arrays(
        np.tile(LABELS, 2)[shuffled],
        np.concatenate([made()["old"], made()["new"]])[shuffled],
        np.tile(GROUPS, 2)[shuffled],
        models=np.repeat(["old", "new"], LABELS.size)[shuffled],
        cases=np.tile([f"c{i}" for i in range(LABELS.size)], 2)[shuffled],
    )
    both = paired_models(order, ("old", "new"))
    assert both.sets[0].groups == both.sets[1].groups == both.groups
    assert both.sets[0].cases.listed() == both.sets[1].cases.listed()
    assert compare(order, "old", "new", method="vertical").auc.pvalue == pytest.approx(
        compare(first, "old", "new", method="vertical").auc.pvalue, rel=1e-9
    )


def skewed(n_groups, seed=5):
    """A model whose separation varies much between hosts, and one whose does not, both near AUC 0.95."""
    rng = np.random.default_rng(seed)
    groups, labels = np.repeat(np.arange(n_groups), 100), np.tile(np.arange(100) < 50, n_groups)
    varying = 2.6 + 0.9 * rng.normal(size=n_groups)[groups]
    scores = {"wild": varying * labels, "steady": 2.4 * labels}
    return {name: own + rng.normal(size=labels.size) for name, own in scores.items()}, labels, groups


def test_skewed_differences_are_warned_of_where_groups_are_few():
    with pytest.warns(RocsteadyWarning, match="RS278"):
        compare(hosts(*skewed(10)), method="vertical")
    compare(hosts(*skewed(200)), n_resamples=200, method="vertical")  # enough of them: no warning


# Nothing is chosen silently


def test_without_an_average_aucs_are_compared_and_no_rates():
    found = compare(hosts(), "new", "old")
    whole = compare(hosts(), "new", "old", method="threshold")
    assert found.method is None
    assert (found.area, found.at, found.curve) == (None, (), None)
    assert found.auc.to_dict() == whole.auc.to_dict()
    assert found.to_dict()["method"] is None
    assert "No use is declared" in found.reading
    assert "No use is declared" not in whole.reading


@pytest.mark.parametrize("at", [{"fpr": 0.1}, {"tpr": 0.9}, [{"threshold": 0.5}, {"fpr": 0.1}]])
def test_RS093_before_a_budget_is_met_by_an_average_that_nobody_named(at):
    with pytest.raises(UsageError, match="RS093") as caught:
        compare(hosts(), "new", "old", at=at)
    assert "Is one threshold shared by all hosts?" in str(caught.value)
    assert "method='threshold'" in str(caught.value)


def test_frozen_thresholds_need_no_average():
    at = {"threshold": 0.5}
    plain, own = (compare(hosts(), "new", "old", at=at, **how) for how in ({}, {"method": "vertical"}))
    assert [each.to_dict() for each in plain.at] == [each.to_dict() for each in own.at]


def test_a_single_dataset_needs_no_average():
    labels, scores = LABELS[:60], {name: own[:60] for name, own in made().items()}
    found = compare(rs.ScoreSet.from_arrays(labels, scores), "new", "old", at={"fpr": 0.2}, n_resamples=100)
    assert len(found.at) == 1
    assert found.curve is not None
